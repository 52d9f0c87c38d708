"""Standard positions: one key for all that a symmetry maps to each other, and names of moves that they share."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import Position
from pentad.game.standard_position import StandardPosition
from tests.cases import together

STARTS = {
    "pentago": {},
    "pentago of three": {"players": 3, "rows": 2, "cols": 3},
    "pente": {"size": 9},
    "pentagame": {},
}


def some_position(name: str, plies: int = 3) -> Position:
    chance, here = random.Random(name), pentad.new(name.split()[0], **STARTS[name])
    for _ in range(plies):
        moves = here.legal_moves
        here = here.play(moves[chance.randrange(len(moves))])
    return here


@pytest.mark.parametrize("name", STARTS)
def test_symmetric_positions_have_one_key(name: str) -> None:
    here = some_position(name)
    images = [symmetry.position(here) for symmetry in here.symmetries]
    assert len(set(images)) > 1
    assert {StandardPosition(image).key for image in images} == {StandardPosition(here).key}
    moves = here.legal_moves
    assert StandardPosition(here.play(moves[0])).key != StandardPosition(here).key


@pytest.mark.parametrize("name", STARTS)
def test_a_move_and_its_images_have_one_name(name: str) -> None:
    chance, here = random.Random(1), some_position(name)
    standard, moves = StandardPosition(here), here.legal_moves
    for _ in range(5):
        move = moves[chance.randrange(len(moves))]
        told = standard.name(move)
        after = StandardPosition(here.play(standard.move(told))).key
        assert after == StandardPosition(here.play(move)).key
        for symmetry in here.symmetries:
            image = StandardPosition(symmetry.position(here))
            assert image.name(symmetry.move(move)) == told
            assert StandardPosition(symmetry.position(here).play(image.move(told))).key == after


def test_moves_that_a_symmetry_of_the_position_exchanges_have_one_name() -> None:
    start = pentad.new("pentago")
    standard = StandardPosition(start)
    twists = {"a0": 1, "a5": 2, "f0": 3, "f5": 4}
    corners = [start.parse(f"{space} {block}{way}") for space, block in twists.items() for way in "CA"]
    assert {standard.name(move) for move in corners} == {standard.name(corners[0])}
    assert standard.name(start.parse("b1 1C")) != standard.name(corners[0])
    assert standard.move(standard.name(corners[3])) in corners


def test_a_game_without_symmetries_has_its_own_positions_and_moves() -> None:
    class Bare(type(pentad.new("pentago"))):  # type: ignore[misc]
        symmetries = ()

    here = Bare(**vars(pentad.new("pentago")))
    standard, move = StandardPosition(here), here.parse("a2 1C")
    assert standard.key != StandardPosition(here.play(move)).key
    assert (standard.name(move), standard.move("a2 1C")) == ("a2 1C", move)


@together(
    ("text", "key", "name"),
    [
        ("pentago b...../....../....../....../....../......", "rbr7WB6StcVH", "e5 4C"),
        ("pente size=9 opening=free 9/9/9/5b3/4b4/3w5/9/9/9 0,2", "Iypsk32_g154", "H1"),
    ],
)
def test_keys_and_names_are_stored_so_they_do_not_change(text: str, key: str, name: str) -> None:
    here = pentad.load(text)
    standard = StandardPosition(here)
    assert standard.key == key
    assert standard.name(here.legal_moves[1]) == name
