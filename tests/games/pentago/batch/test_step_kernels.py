"""Pentago's batch kernels against the rules: steps, masks, planes and results on every kind of board."""

import pytest

from tests.games.batch_games import step_beside_rules, without_jit
from tests.games.pentago.random_games import GAMES, every_game


@pytest.mark.fast_cases(1)
@every_game
def test_games_are_those_of_the_rules(options):
    assert step_beside_rules("pentago", options, steps=170)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["classic", "2x3, three play"])
def test_kernels_step_the_same_without_the_jit(name):
    assert int(without_jit(f"step_beside_rules('pentago', {GAMES[name]!r}, steps=80)"))
