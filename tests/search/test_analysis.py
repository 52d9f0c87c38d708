"""Analysis by alpha-beta search, compared with exhaustive search."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError, Position

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}


def solve(position: Position, known: dict[Position, float]) -> float:
    """The value of a two-player position for the seat to move, by exhaustive search."""
    if position.outcome:
        return position.outcome.returns[position.turn]
    if position not in known:
        known[position] = max(-solve(position.play(move), known) for move in position.legal_moves)
    return known[position]


def test_small_boards_are_solved():
    known: dict[Position, float] = {}
    assert solve(pentad.new("pentago", **SMALL), known) == 1
    rng = random.Random(1)
    for position in rng.sample(sorted(known, key=lambda p: p.text), 60):
        analysis = pentad.analyse(position, seconds=60)
        assert analysis.exact
        assert analysis.value == known[position], position.text


def test_lines_are_legal_and_reach_their_value():
    analysis = pentad.analyse(pentad.new("pentago", **SMALL), seconds=60)
    for line in analysis.lines:
        here = pentad.new("pentago", **SMALL)
        for move in line.moves:
            here = here.play(move)
        assert here.outcome is not None
        assert here.outcome.returns == line.values


def test_reports_deepen():
    reports = list(pentad.analyse(pentad.new("pentago", **SMALL), seconds=60))
    assert [report.depth for report in reports] == list(range(1, len(reports) + 1))
    assert [report.exact for report in reports] == [False] * (len(reports) - 1) + [True]
    assert all(-1 <= report.value <= 1 for report in reports)


def test_three_players_and_a_fixed_depth():
    analysis = pentad.analyse(pentad.new("pentago", rows=1, cols=1, line=3, players=3), depth=2, lines=2)
    assert len(analysis.lines) == 2
    assert analysis.report.depth == 2
    assert not analysis.exact
    assert len(analysis.report.values) == 3


def test_a_finished_game_has_the_value_of_its_result():
    ended = pentad.load("pentago bbbb../....../wwww../....../....../......").play("a4")
    analysis = pentad.analyse(ended)
    assert (analysis.value, analysis.exact, analysis.lines[0].moves) == (-1, True, ())


def test_a_line_is_found_however_short_the_time():
    assert pentad.analyse(pentad.new("pentago"), seconds=0.0001).lines


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"lines": 0}, {"depth": 0}])
def test_invalid_limits(limits):
    with pytest.raises(GameError, match="An analysis needs"):
        pentad.analyse(pentad.new("pentago"), **limits)
