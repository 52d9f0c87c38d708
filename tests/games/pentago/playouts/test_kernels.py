"""Pentago's playout kernels against its rules, step by step; compiled, and in part as plain Python."""

import itertools
import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

import pentad
from pentad.game import Move, Outcome
from pentad.games.pentago.playouts import kernels as k
from pentad.games.pentago.playouts.constants import TAKE_WINS, PlayoutControl
from pentad.games.pentago.playouts.tree_bot import BoardExpander, PlayoutState, tables_of, winning_move
from tests.games.pentago.playouts.random_games import RandomGames, boards_of, room_of, seed_of
from tests.games.pentago.random_games import GAMES, every_game
from tests.properties import some_of

ODD = {
    "9x9, three play": {"rows": 3, "cols": 3, "players": 3},
    "9x9, twist only": {"rows": 3, "cols": 3, "win_on_placement": False},
}
LARGE = {
    "20x20": {"rows": 5, "cols": 5, "block": 4},
    "1x400": {"rows": 1, "cols": 400, "block": 1, "line": 3},
}
SETUPS = GAMES | ODD
POLICIES = (0, TAKE_WINS)


def start(options):
    return pentad.new("pentago", **options)


def reached(options, rng, plies=None):
    """An unfinished position after random turns; half of them in the middle of a turn."""
    while True:
        here = start(options)
        for _ in range(rng.randrange(here.board.size) if plies is None else plies):
            after = here.play(rng.choice(here.legal_moves))
            if after.outcome:
                break
            here = after
        if rng.random() < 0.5:
            here = here.partial(rng.choice(here.choices()))
        if here.outcome is None:
            return here


def bits(outcome):
    return sum(1 << seat for seat in outcome.winners)


def kernel_game(here, policy, seed):
    """A game that the kernel plays from here: the winners as bits, the cells, the logged steps, and the next seed."""
    log = np.full(2 * here.board.size + 2, -1, dtype=np.int64)
    cells, rules = boards_of([here])[0], tables_of(here.setup).rules
    control = PlayoutControl()
    control.seed, control.rollout_policy = seed, policy
    won = k.play_out(rules, cells, here.turn, here.placed, room_of(here.setup), control, log)
    return won, cells, [int(step) for step in itertools.takewhile(lambda step: step >= 0, log)], control.seed


def follow(options, policy, seed, plies=None):
    """Replays a game of the kernel by the rules; returns its number of steps."""
    rng = random.Random(seed)
    here = reached(options, rng, plies)
    won, cells, steps, _ = kernel_game(here, policy, seed_of(seed))
    row = list(steps)
    while row:
        assert here.outcome is None, here.text
        turn = [] if here.placed else [here.board.places[row.pop(0)]]
        if here.placed or here.partial(turn).outcome is None:
            turn.append(here.board.twists[row.pop(0)])
        move = Move(turn)
        assert move in here.legal_moves, (here.text, str(move))
        here = here.play(move)
    assert here.outcome is not None, here.text
    assert bits(here.outcome) == won, here.text
    if not here.placed:
        assert (cells == boards_of([here])[0]).all()
    return len(steps)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("options", SETUPS.values(), ids=SETUPS.keys())
def test_games_follow_the_rules(options, policy):
    assert sum(follow(options, policy, seed) for seed in range(some_of(30))) >= some_of(30)


@pytest.mark.parametrize("options", LARGE.values(), ids=LARGE.keys())
def test_games_on_the_largest_boards(options):
    assert sum(follow(options, policy, seed=policy, plies=5) for policy in POLICIES) >= 2


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["1x2 of 2", "2x2 of 2", "one sub-board", "three play, twist only", "block 1"])
def test_mean_returns_are_those_of_random_play_by_the_rules(name):
    rng = random.Random(4)
    options = GAMES[name]
    here = start(options).play(start(options).legal_moves[0])
    plain = np.zeros(here.players)
    games = 500
    squares = np.zeros(here.players)
    for _ in range(games):
        end = here
        while end.outcome is None:
            place = rng.choice(end.choices())  # step by step, a space, then a twist: not uniform over turns
            turn = [place.step]
            if end.partial(turn).outcome is None:
                turn.append(rng.choice(end.choices(turn)).step)
            end = end.play(turn)
        plain += end.outcome.returns
        squares += np.square(end.outcome.returns)
    kernel = np.array(RandomGames()([here], 40_000, 1)[0])
    assert abs(sum(kernel)) < 1e-9
    error = np.sqrt(np.maximum(squares / games - np.square(plain / games), 1e-4) / games)
    assert (np.abs(kernel - plain / games) < 4 * error).all(), (kernel, plain / games, error)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("full", [4, 30, 33])
def test_spaces_and_twists_are_uniform(full):
    rng = random.Random(full)
    spaces = list(range(36))
    rng.shuffle(spaces)
    here = start({"line": 6})
    marbles = [sum(1 << space for space in spaces[seat:full:2]) for seat in range(2)]
    here = type(here)(here.setup, tuple(marbles))
    seed, games = seed_of(3), 400 * (36 - full)
    firsts = []
    for _ in range(games):
        _, _, steps, seed = kernel_game(here, 0, seed)
        firsts.append(steps)
    places = [steps[0] for steps in firsts]
    assert set(places) == set(spaces[full:])
    assert all(330 < places.count(space) < 470 for space in spaces[full:])
    twists = [steps[1] for steps in firsts if len(steps) > 1]
    assert all(abs(twists.count(twist) - games / 8) < 5 * (games / 8) ** 0.5 for twist in range(8))


def wins_alone(here, move):
    outcome = here.play(move).outcome
    return outcome is not None and outcome.winners == (here.turn,)


@pytest.mark.fast_cases(4)
@every_game
def test_winning_turns_are_found(options):
    rng = random.Random(7)
    found = set()
    for _ in range(25):
        here = reached(options, rng)
        move = winning_move(here)
        found.add(move is not None)
        if move is None:
            assert not any(wins_alone(here, each) for each in here.legal_moves), here.text
        else:
            assert move in here.legal_moves, (here.text, str(move))
            assert wins_alone(here, move), (here.text, str(move))
    assert found


def test_winning_turns_are_found_in_every_kind_of_game():
    kinds = {"classic", "twist only", "2x3, three play", "six play, twist only", "one sub-board"}
    for name in kinds:
        rng = random.Random(1)
        assert {winning_move(reached(GAMES[name], rng)) is not None for _ in range(60)} == {True, False}, name


def expanded(here, cells, seat, placed, step, games=0, stop=0):
    expander = BoardExpander(here.setup, games, 0)
    if stop:
        expander.stop()
    found = expander(PlayoutState(memoryview(cells), seat, placed), None if step == -1 else int(step), 1)
    after = np.asarray(found.state.cells)
    count = -1 if found.exact else len(found.steps)
    return count, after, np.asarray(found.steps), np.asarray(found.priors), found.worth


def check_expansion(options, seed):
    """Checks the expansions of a position and its successors; returns the number of exact ones."""
    here = reached(options, random.Random(seed))
    cells = boards_of([here])[0]
    count, same, steps, priors, _ = expanded(here, cells, here.turn, here.placed, -1)
    assert (same == cells).all()
    assert abs(sum(priors) - 1) < 1e-9
    assert list(priors) == sorted(priors, reverse=True)
    assert min(priors) > 0
    table = here.board.twists if here.placed else here.board.places
    following = [table[step] for step in steps]
    if here.placed:
        results = [here.play((twist,)) for twist in following]
        assert len(set(results)) == len(results) == count
        assert set(results) == {here.play(move) for move in here.legal_moves}
    else:
        assert set(following) == {choice.step for choice in here.choices()}
        results = [here.partial((place,)) for place in following]
    exact = 0
    for step, after in zip(steps, results, strict=True):
        found, board, _, _, returns = expanded(here, cells, here.turn, here.placed, step)
        if here.placed or after.outcome is None:
            assert (board == boards_of([after])[0]).all()
        if after.outcome:
            assert found == -1
            assert returns == pytest.approx(after.outcome.returns)
        elif here.placed and winning_move(after):
            assert found == -1
            assert returns == pytest.approx(Outcome.of((after.turn,), after.players, "").returns)
        else:
            assert found == len({after.play(move) for move in after.legal_moves}) if after.placed else found > 0
        exact += found == -1
    return exact


@pytest.mark.fast_cases(10)
@every_game
def test_expansions_have_the_next_steps(options):
    for seed in range(6):
        check_expansion(options, seed)


def test_expansions_find_ends_and_wins():
    assert sum(check_expansion(GAMES["classic"], seed) for seed in range(20)) > 10


def test_the_stop_flag_ends_games():
    here = start({})
    games = RandomGames()
    timer = threading.Timer(0.05, games.stop)
    timer.start()
    assert games([here], 10**9, 0) == [(0.0, 0.0)]
    assert expanded(here, boards_of([here])[0], 0, False, -1, games=10**9, stop=1)[0] == 36


WITHOUT_JIT = """
from tests.games.pentago.playouts.test_kernels import *
assert not hasattr(k.play_out, "py_func"), "it was compiled"
for options in ({}, {"win_on_placement": False}, {"rows": 3, "cols": 3, "players": 4}):
    for policy in (0, 1):
        follow(options, policy, seed=policy)
check_expansion({"block": 2, "line": 3}, 1)
print(kernel_game(start({}), 1, seed_of(1))[2])
"""


def test_kernels_play_the_same_without_the_jit():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_JIT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(kernel_game(start({}), 1, seed_of(1))[2])
