"""Random games of classic Pentago in which wins at once are taken, against the rules; compiled, and as plain Python."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import pentad
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.playouts.classic_constants import BITS
from pentad.games.pentago.playouts.classic_kernels import play_game, wins_at_once
from pentad.games.pentago.playouts.constants import TAKE_WINS
from pentad.games.pentago.playouts.tree_bot import BoardExpander, winning_move
from tests.games.pentago.batch.random_games import code_to_move
from tests.games.pentago.playouts.test_kernels import reached
from tests.properties import some_of

OPTIONS = ({}, {"win_on_placement": False})


def words(here, seat):
    """A seat's marbles as the kernels have them."""
    return np.uint64(sum(1 << BITS[space] for space in spaces_of(here.marbles[seat])))


def wins(here):
    """Whether the kernels find a win at once."""
    mine, theirs = words(here, here.turn), words(here, 1 - here.turn)
    return bool(wins_at_once(mine, theirs, np.uint64(here.setup.win_on_placement)))


def turns_of(options, rng):
    """Positions at the beginning of a turn."""
    while True:
        here = reached(options, rng)
        if not here.placed:
            yield here


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=["classic", "twist only"])
def test_wins_at_once_are_those_of_the_rules(options):
    found = []
    for here, _ in zip(turns_of(options, random.Random(5)), range(some_of(1500)), strict=False):
        found.append(winning_move(here) is not None)
        assert wins(here) == found[-1], here.text
    assert 0.1 < sum(found) / len(found) < 0.9


def follow(options, seed, takes_wins=True):
    """Replays a game by the rules; returns its moves and the winners as bits."""
    rng = random.Random(seed)
    here = reached(options, rng)
    order = np.array([BITS[space] for space in spaces_of(here.empty)], np.uint8)
    log = np.zeros(len(order) + 1, np.uint64)
    switches = (here.turn, here.placed, here.setup.win_on_placement, takes_wins, rng.getrandbits(64))
    marbles = words(here, here.turn), words(here, 1 - here.turn)
    found = int(play_game(order, log, *marbles, *map(np.uint64, switches)))
    assert sorted(order.tolist()) == sorted(BITS[space] for space in spaces_of(here.empty))
    moves, winners = found >> 2, found & 3
    for made in range(moves):
        assert here.outcome is None, here.text
        move = None if here.placed or not takes_wins else winning_move(here)
        if move:
            assert made == moves - 1
        else:
            move = code_to_move(here, int(log[made]))
            assert move in here.legal_moves, (here.text, str(move))
        here = here.play(move)
    assert here.outcome is not None, here.text
    assert sum(1 << seat for seat in here.outcome.winners) == winners, here.text
    return moves, winners


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", OPTIONS, ids=["classic", "twist only"])
def test_games_follow_the_rules_and_take_wins(options):
    games = [follow(options, seed) for seed in range(some_of(300))]
    assert {winners for _, winners in games} >= {1, 2}
    assert sum(moves for moves, _ in games) > len(games)


def test_the_tree_plays_these_games():
    """The seat to move has a win: it wins all games if wins are taken, and few of them if all turns are random."""
    here = pentad.load("pentago bbb..b/....../wwww.b/....../....../......")
    assert winning_move(here)
    taking, random_moves = (BoardExpander(here.setup, 2000, policy) for policy in (TAKE_WINS, 0))
    one, other = (expander(expander.state(here), None, 1) for expander in (taking, random_moves))
    assert one.playouts == other.playouts == 2000
    assert sum(one.worth) == pytest.approx(0)
    assert one.worth[here.turn] > other.worth[here.turn] + 0.5
    assert one.worth == taking(taking.state(here), None, 1).worth


WITHOUT_JIT = """
from tests.games.pentago.playouts.test_classic_kernels import *
assert not hasattr(play_game, "py_func"), "it was compiled"
with np.errstate(all="ignore"):
    print([follow(options, seed) for options in OPTIONS for seed in range(2)])
"""


@pytest.mark.slow
def test_kernels_play_the_same_without_the_jit():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_JIT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([follow(options, seed) for options in OPTIONS for seed in range(2)])
