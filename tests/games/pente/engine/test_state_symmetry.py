"""Images of positions under the eight symmetries and with exchanged colours: the same threats and evaluation."""

import random
from dataclasses import replace

import pytest

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.state import board_point, state_of
from pentad.games.pente.rulesets import RULE_SETS
from tests.games.pente.engine.random_positions import listed, options_by_chance, random_positions
from tests.properties import some_of


def all_lists(position, state):
    """The points of every list, by colour and kind."""
    return {
        (colour, kind): {board_point(position.board, point) for point in listed(state, colour, kind)}
        for colour in range(2)
        for kind in range(k.KINDS)
    }


def check_images(position):
    state = state_of(position)
    lists, busy = all_lists(position, state), 0
    for way in position.symmetries:
        image = way.position(position)
        there = state_of(image)
        points = [position.board.point(*way.move((stone,))[0]) for stone in position.board.stones]
        seen = all_lists(image, there)
        for name, each in lists.items():
            assert seen[name] == {points[point] for point in each}, (way.name, name, position.text)
            busy += len(each)
        assert there.numbers[k.VALUE] == state.numbers[k.VALUE], (way.name, position.text)
    swapped = replace(position, stones=position.stones[::-1], last=None)
    other = state_of(swapped)
    assert all_lists(swapped, other) == {(1 - colour, kind): each for (colour, kind), each in lists.items()}
    assert other.numbers[k.VALUE] == -state.numbers[k.VALUE], position.text
    return busy


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_images_have_the_same_threats_and_value(rules):
    positions = random_positions({"rules": rules, "size": 11, "opening": "free"}, 6, most=60)
    assert sum(check_images(position) for position in list(positions)[::4]) > 100


@pytest.mark.slow
def test_with_any_options():
    chance, busy = random.Random(3), 0
    for seed in range(games := some_of(40)):
        for position in list(random_positions(options_by_chance(chance), seed, most=40))[::9]:
            busy += check_images(position)
    assert busy > 25 * games
