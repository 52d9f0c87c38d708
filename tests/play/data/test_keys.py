"""Keys of positions: shared by symmetric positions, different for others, the same from arrays and from rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pentad import new
from pentad.game import Position
from pentad.games.batch import Games
from pentad.play.data.keys import Keys
from pentad.play.data.selfplay import replay

GAMES = {"pentago": ("pentago", {}, 8), "wide": ("pentago", {"rows": 1}, 4), "pente": ("pente", {"size": 9}, 8)}


def played(start: Position, seed: int, moves: int) -> Position:
    rng, here = random.Random(seed), start
    for _ in range(moves):
        if not here.outcome:
            here = here.play(rng.choice(list(here.legal_moves)))
    return here


@pytest.mark.parametrize("case", GAMES)
def test_symmetric_positions_have_one_key(case: str) -> None:
    name, options, count = GAMES[case]
    start = new(name, **options)
    keys = Keys(start)
    assert keys.symmetries == count
    for seed in range(5):
        here = played(start, seed, 7)
        assert {keys.of(each.position(here)) for each in start.symmetries} == {keys.of(here)}


@pytest.mark.slow
def test_different_positions_have_different_keys() -> None:
    start = new("pentago")
    keys = Keys(start)
    lines = [played(start, seed, moves) for seed in range(40) for moves in range(9)]
    images = {min(each.position(here).text for each in start.symmetries) for here in lines}
    assert len({keys.of(here) for here in lines}) == len(images)
    other = new("pentago", win_on_placement=False)
    assert Keys(other).of(other) != keys.of(start)


@pytest.mark.slow
def test_a_symmetry_that_is_none_of_the_grid_does_not_count() -> None:
    assert Keys(new("pentagame")).symmetries == 1


def test_keys_of_arrays_are_those_of_positions() -> None:
    start = new("pentago")
    keys, games = Keys(start), Games(start, 20, seed=3)
    taken = []
    for _ in range(10):
        taken.append(games.sample())
        games.step(taken[-1])
    steps = np.stack(taken, axis=1).tolist()
    found = keys.of_planes(games.observations).tolist()
    for game, line in enumerate(steps):
        here = start
        for move in replay(start, line):
            here = here.play(move)
        assert found[game] == keys.of(here)


def test_keys_stay_the_same_for_ever() -> None:
    assert Keys(new("pentago")).of(new("pentago").play("a1 1C")) == KEY


KEY = 11143096011966670257  # data sets on disks have it
