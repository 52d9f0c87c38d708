"""Images of positions and turns under the ten symmetries that keep goals."""

import random

import pentad
from tests.games.pentagame.random_play import OPTIONS, board, random_position, random_rare_turn

START = pentad.new("pentagame")


def test_there_are_ten_symmetries():
    assert len(START.symmetries) == 10
    assert START.symmetries[0].name == "identity"
    assert len({way.position(START) for way in START.symmetries}) == 1  # the start is the same from everywhere


def test_symmetries_commute_with_play():
    chance = random.Random(10)
    for seed in range(40):
        here = random_position(chance, 2 + seed % 4, **OPTIONS[seed % 4])
        if here.outcome:
            continue
        for way in here.symmetries[:: 1 + seed % 3]:
            image = way.position(here)
            assert pentad.load(image.text) == image
            assert len(image.legal_moves) == len(here.legal_moves)
            assert image.outcome == here.outcome
            for move in (random_rare_turn(here, chance), here.legal_moves[0]):
                assert way.move(move) in image.legal_moves
                assert image.play(way.move(move)) == way.position(here.play(move))


def test_symmetries_commute_with_partial_turns():
    half = board("03@811", no_swap_back=True, last="4:410>420 3:300>100x04").partial("3-8")
    for way in half.symmetries:
        image = way.position(half)
        assert pentad.load(image.text) == image
        move = half.parse("831 8")
        assert image.play(way.move(move)) == way.position(half.play(move))
