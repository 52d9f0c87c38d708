"""The engine's bots and analysis."""

import pytest

import pentad
from pentad.game import IllegalMove
from pentad.games.pentago.engine import analysis
from pentad.games.pentago.engine.bots import LEVELS, PentagoBot, PerfectBot
from pentad.games.pentago.solver import solve
from pentad.search.move_limit import Limit
from tests.games.pentago.engine.random_positions import random_position


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("level", LEVELS)
def test_moves_are_legal(level):
    for seed in range(6):
        position = random_position(seed, most=17)
        move = PentagoBot(level, seed).choose(position, seconds=0.05)
        assert move in position.legal_moves


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_immediate_wins_are_taken(level):
    position = pentad.load("pentago bbbb../....../wwww../....../....../......")
    bot = PentagoBot(level, 1)
    moves = {str(bot.choose(position, seconds=0.1)) for _ in range(5)}
    assert "a4" in moves


def test_a_seed_repeats_the_move():
    position = random_position(3, most=12)
    for level in (1, 2, 3):
        first, second = (PentagoBot(level, 7).choose(position) for _ in range(2))
        assert first == second


def test_other_boards_are_played_too():
    for options in ({"rows": 3, "cols": 3, "players": 3}, {"block": 2, "line": 3}):
        position = pentad.new("pentago", **options)
        assert PentagoBot(2, 1).choose(position, seconds=0.1) in position.legal_moves


def test_the_middle_of_a_turn():
    position = pentad.new("pentago").partial("b4")
    assert PentagoBot(3, 1).choose(position) in position.legal_moves


def test_a_finished_game_has_no_move():
    with pytest.raises(IllegalMove, match="over"):
        PentagoBot(3).choose(pentad.load("pentago bbbbb./....../wwww../....../....../......"))


def test_the_perfect_bot_says_when_it_is_not_sure():
    bot = PerfectBot(1)
    beyond_the_book = pentad.new("pentago").play("a0 1C").play("b1 1A").play("c2 3C").play("d3 2A").play("a4 2C")
    found = bot.play(beyond_the_book, Limit(seconds=0.1))
    assert (found.exact, found.note) == (False, "not sure")
    found = bot.play(pentad.load("pentago bbbb../....../wwww../....../....../......"), Limit(seconds=0.1))
    assert (found.value, found.exact) == (1.0, True)
    assert found.note.startswith("a win")


def late_position(seed, marbles):
    """A position with at least this many marbles, by random play."""
    for more in range(10_000):
        position = random_position(100_000 * seed + more, most=36)
        if position.ply >= marbles:
            return position
    raise AssertionError


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("seed", range(6))
def test_play_is_perfect_from_eighteen_marbles_on(seed):
    position = late_position(seed, 22)
    solution = solve(position)
    for bot in (PentagoBot(5, seed), PerfectBot(seed)):
        found = bot.play(position, Limit(seconds=0.1))
        assert solution.moves[found.move] == solution.value == found.value, position.text
        assert found.exact


def test_analysis_is_exact_from_eighteen_marbles_on():
    position = late_position(7, 22)
    report = analysis.analyse(position, seconds=0.2, lines=3, depth=None).report
    solution = solve(position)
    assert report.exact
    assert report.value == solution.value
    for line in report.lines:
        assert solution.moves[line.moves[0]] == line.values[report.seat]


def test_analysis_of_a_win():
    report = analysis.analyse(
        pentad.load("pentago bbbb../....../wwww../....../....../......"), seconds=0.2, lines=1, depth=None
    ).report
    assert report.exact
    assert report.value == 1
    assert str(report.lines[0]) == "a4"


def test_analysis_deepens():
    reports = list(analysis.analyse(random_position(2, most=10), seconds=5, lines=3, depth=3))
    assert [report.depth for report in reports] == [1, 2, 3]
    for report in reports:
        assert len(report.lines) == 3
        assert report.lines[0].values[0] == -report.lines[0].values[1]
        worths = [line.values[report.seat] for line in report.lines]
        assert worths == sorted(worths, reverse=True)
