"""Pentagame's batch kernels against the rules: steps, masks, planes and results, and random games."""

import random

import pytest

import pentad
from pentad.games.batch import random_games
from tests.cases import thinned
from tests.chance import FAR, from_uniform
from tests.games.batch_games import first_turns, replays, step_beside_rules, without_jit
from tests.properties import some_of

SETUPS = {
    "two": {},
    "three": {"players": 3, "first_to_three": True},
    "four": {"players": 4, "no_swap_back": True},
    "five": {"players": 5, "max_ply": 30},
    "two, no swap back": {"no_swap_back": True, "max_ply": 40},
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", SETUPS.values(), ids=SETUPS.keys())
def test_games_are_those_of_the_rules(options):
    step_beside_rules("pentagame", options, steps=400 * some_of(100) // 100, count=2, seed=len(options))


def test_games_end():
    assert step_beside_rules("pentagame", {"max_ply": 6}, steps=40) >= 6


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", SETUPS.values(), ids=SETUPS.keys())
def test_random_games_follow_the_rules(options):
    assert len(replays("pentagame", options, games=some_of(20))) == some_of(20)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("plies", [0, 6, 11])
def test_every_whole_turn_is_equally_likely(plies):
    rng = random.Random(plies)
    here = pentad.new("pentagame", max_ply=plies + 1)
    while here.ply < plies:
        here = here.play(here.legal_moves[rng.randrange(len(here.legal_moves))])
    assert here.outcome is None
    games = random_games(here, 1)
    legal = here.legal_moves
    turns = list(first_turns(here, games, 6 * len(legal)))
    assert from_uniform(turns, len(legal)) < FAR


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(SETUPS, 5))
def test_kernels_play_the_same_without_the_jit(name):
    call = f"replays('pentagame', {SETUPS[name]!r}, games=1)"
    assert without_jit(call) == str(replays("pentagame", SETUPS[name], games=1))
    assert without_jit(f"step_beside_rules('pentagame', {SETUPS[name]!r}, steps=20)").isdigit()
