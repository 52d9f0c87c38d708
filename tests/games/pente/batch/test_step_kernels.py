"""Pente's batch kernels against the rules: steps, masks, planes and results of every rule set, and random games."""

import random

import pytest

import pentad
from pentad.games.batch import playouts, random_games
from pentad.games.pente.rulesets import RULE_SETS
from tests.cases import slow, thinned
from tests.chance import FAR, apart, from_uniform
from tests.games.batch_games import first_turns, replays, step_beside_rules, without_jit
from tests.properties import some_of

SMALL = {"size": 7, "opening": "free"}
SETUPS = {name: {"rules": name} | SMALL for name in RULE_SETS} | {
    "19x19": {},
    "g-pente": {"rules": "g-pente", "size": 9},
    "pro": {"opening": "pro", "size": 7},
    "swap2": {"opening": "swap2", "size": 5},
    "swap2, poof": {"rules": "poof", "opening": "swap2", "size": 5, "capture_win": 4},
    "swap2, lines of three": {"opening": "swap2", "size": 4, "line": 3, "captures": 0, "capture_win": 0},
    "swap2, ninuki42": {"rules": "ninuki42", "opening": "swap2", "size": 6},
    "lines of four": {"rules": "lines", "size": 5, "line": 4},
    "a board of 3": {"rules": "lines", "size": 3, "line": 3},
    "captures without overlines": {"overline": False, "capture_win": 4, "line": 4, **SMALL},
    "captures that never win": {"capture_win": 0, "line": 4, **SMALL},
    "unbroken threes": {"rules": "ninuki42", "line": 3, "size": 5},
    "standing threes": {"rules": "boat", "line": 3, "captures": 3, "overline": False, "size": 5, "opening": "free"},
    "poof of three": {"rules": "poof", "captures": 3, "line": 7, "capture_win": 12, **SMALL},
}


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("options", SETUPS.values(), ids=SETUPS.keys())
def test_games_are_those_of_the_rules(options):
    ended = step_beside_rules("pente", options, steps=4 * some_of(100), count=2, seed=len(options))
    assert ended or options.get("size", 19) > 5


@pytest.mark.fast_cases(18)
@pytest.mark.parametrize("options", SETUPS.values(), ids=SETUPS.keys())
def test_random_games_follow_the_rules(options):
    games = replays("pente", options, games=max(2, some_of(10)))
    assert len({tuple(actions) for actions, _ in games}) > 1


def test_every_result_occurs():
    assert {tuple(playouts("pente", games=3000, seed=1, **SETUPS[name]).results) for name in ("lines", "poof")}
    assert playouts("pente", games=3000, seed=1, rules="lines", size=5, line=5).draws > 0


@pytest.mark.parametrize("name", ["swap2", "swap2, poof", "swap2, lines of three"])
def test_every_turn_of_the_opening_is_equally_likely(name):
    here, rng = pentad.new("pente", **SETUPS[name]), random.Random(2)
    here = here.play("B2 C2 C3") if name != "swap2, lines of three" else here.play(rng.choice(here.legal_moves))
    legal = len(here.legal_moves)
    games = random_games(here, 1)
    turns = list(first_turns(here, games, 12 * legal))
    assert len(set(turns)) > 0.99 * legal
    assert from_uniform(turns, legal) < FAR


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "games"), [("lines of four", 500), ("unbroken threes", 300), slow("pente", 2000), slow("keryo", 2000)]
)
def test_results_and_lengths_are_those_of_the_rules(name, games):
    options, rng = SETUPS[name], random.Random(6)
    by_rules = []
    for _ in range(games):
        here = pentad.new("pente", **options)
        while here.outcome is None:
            here = here.play(here.legal_moves[rng.randrange(len(here.legal_moves))])
        by_rules.append((sum(1 << seat for seat in here.outcome.winners), here.ply))
    kernels = random_games(pentad.new("pente", **options), 7)
    by_kernels = []
    for number in range(5_000):
        before = list(kernels.counts)
        kernels.play(number, 1)
        moves, *winners = (after - old for after, old in zip(kernels.counts, before, strict=True))
        by_kernels.append((winners.index(1), moves))
    for part in (0, 1):
        assert apart((each[part] for each in by_rules), (each[part] for each in by_kernels)) < FAR


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(["swap2, poof", "ninuki42", "boat"], 3))
def test_kernels_play_the_same_without_the_jit(name):
    call = f"replays('pente', {SETUPS[name]!r}, games=2)"
    assert without_jit(call) == str(replays("pente", SETUPS[name], games=2))
    assert without_jit(f"step_beside_rules('pente', {SETUPS[name]!r}, steps=30)").isdigit()
