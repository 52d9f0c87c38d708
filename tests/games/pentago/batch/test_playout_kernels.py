"""Random games of Pentago's batch kernels against the rules: move by move, and in their distribution."""

import os
import random
import subprocess
import sys

import pytest

import pentad
from pentad.games.batch import playouts, random_games
from pentad.games.pentago.playouts.tree_bot import is_classic
from tests.cases import slow
from tests.chance import FAR, apart, from_uniform
from tests.games.batch_games import first_turns, replay
from tests.games.pentago.batch.random_games import code_to_move, played
from tests.games.pentago.random_games import GAMES, every_game
from tests.properties import some_of


def reached(options, rng):
    """An unfinished position after random turns; half of them in the middle of a turn."""
    while True:
        here = pentad.new("pentago", **options)
        for _ in range(rng.randrange(here.board.size)):
            if here.outcome:
                break
            here = here.play(rng.choice(here.legal_moves))
        if here.outcome is None and rng.random() < 0.5:
            here = here.partial(rng.choice(here.choices()))
        if here.outcome is None:
            return here


def follow(options, seed):
    """Replays games from the start and from another position by the rules; returns their moves and winners."""
    rng = random.Random(seed)
    found = []
    for here in (pentad.new("pentago", **options), reached(options, rng)):
        games = random_games(here, seed)
        follow_one = played if is_classic(here.setup) else replay
        found += [follow_one(here, games, number) for number in (0, 1, rng.randrange(1 << 60))]
    return found


@pytest.mark.fast_cases(6)
@every_game
def test_games_follow_the_rules(options):
    assert all(moves for seed in range(some_of(20)) for moves, _ in follow(options, seed))


def first_moves(here, games, count):
    """The first moves of so many games on the classic board."""
    for number in range(count):
        games.play(number, 1)
        yield code_to_move(here, int(games.log[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{}, {"win_on_placement": False}, {"line": 4}], ids=["classic", "twist only", "of four"]
)
def test_every_whole_turn_is_equally_likely(options):
    rng = random.Random(5)
    wins = options.get("win_on_placement", True)
    while True:  # the start leaves few turns, of which some win by placing
        here = reached(options, rng)
        if not here.placed and here.empty.bit_count() < 8 and bool(here.winning_spaces) == wins:
            break
    legal = list(here.legal_moves)
    games = random_games(here, 3)
    firsts = list((first_moves if is_classic(here.setup) else first_turns)(here, games, 40 * len(legal)))
    assert len(set(firsts)) == len(legal)
    assert from_uniform(firsts, len(legal)) < FAR


def test_first_turns_are_equally_likely():
    here = pentad.new("pentago")
    games = random_games(here, 4)
    assert from_uniform(first_moves(here, games, 20 * 288), 288) < FAR


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"),
    [("classic", 400), ("2x2 of 2", 1500), ("five play", 300), slow("classic", 6000), slow("2x3, three play", 2000)],
)
def test_results_and_lengths_are_those_of_the_rules(name, games):
    options, rng = GAMES[name], random.Random(6)
    by_rules = []
    for _ in range(games):
        here = pentad.new("pentago", **options)
        while here.outcome is None:
            here = here.play(here.legal_moves[rng.randrange(len(here.legal_moves))])
        by_rules.append((sum(1 << seat for seat in here.outcome.winners), here.ply))
    kernels = random_games(pentad.new("pentago", **options), 7)
    by_kernels = []
    for number in range(20_000):
        before = list(kernels.counts)
        kernels.play(number, 1)
        moves, *winners = (after - old for after, old in zip(kernels.counts, before, strict=True))
        by_kernels.append((winners.index(1), moves))
    for part in (0, 1):
        assert apart((each[part] for each in by_rules), (each[part] for each in by_kernels)) < FAR


def test_a_game_depends_on_the_seed_and_its_number_alone():
    here = pentad.new("pentago")
    one, other = random_games(here, 1), random_games(here, 1)
    one.play(0, 500)
    for number in reversed(range(500)):
        other.play(number, 1)
    assert list(one.counts) == list(other.counts)
    different = random_games(here, 2)
    different.play(0, 500)
    assert list(one.counts) != list(different.counts)


WITHOUT_JIT = """
from tests.games.pentago.batch.test_playout_kernels import *
from pentad.games.pentago.batch import playout_kernels
assert not hasattr(playout_kernels.play_classic, "py_func"), "it was compiled"
print(*(follow(options, 1) for options in SETUPS))
"""
SETUPS = ({}, {"win_on_placement": False}, {"rows": 2, "cols": 3, "players": 3})


@pytest.mark.slow
def test_kernels_play_the_same_without_the_jit():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_JIT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == " ".join(str(follow(options, 1)) for options in SETUPS)


@pytest.mark.parametrize("players", [2, 3])
def test_a_million_games(players):
    found = playouts("pentago", games=20_000, seed=1, players=players)
    assert found.by == "kernels"
    assert sum(found.results.values()) == found.games == sum(found.wins) + found.draws - shared(found)


def shared(found):
    """The wins beyond the first of games that several seats won."""
    return sum((len(each) - 1) * games for each, games in found.results.items() if 1 < len(each) < found.players)
