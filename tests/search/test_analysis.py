"""Analysis by plain search, held against search without any cutting."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError, Position

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}


def solve(position: Position, known: dict[Position, float]) -> float:
    """What a two-player position is worth to the seat to move, by looking at everything."""
    if position.outcome:
        return position.outcome.returns[position.turn]
    if position not in known:
        known[position] = max(-solve(position.play(move), known) for move in position.legal_moves)
    return known[position]


def test_small_boards_are_solved():
    known: dict[Position, float] = {}
    assert solve(pentad.new("pentago", **SMALL), known) == 1
    chance = random.Random(1)
    for position in chance.sample(sorted(known, key=lambda p: p.text), 60):
        analysis = pentad.analyse(position, seconds=60)
        assert analysis.exact
        assert analysis.value == known[position], position.text


def test_lines_can_be_played_and_lead_where_they_say():
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


def test_an_ended_game_is_worth_what_it_ended_with():
    ended = pentad.load("pentago bbbb../....../wwww../....../....../......").play("a4")
    analysis = pentad.analyse(ended)
    assert (analysis.value, analysis.exact, analysis.lines[0].moves) == (-1, True, ())


def test_a_move_at_once_is_given_however_short_the_time():
    assert pentad.analyse(pentad.new("pentago"), seconds=0.0001).lines


@pytest.mark.parametrize("given", [{"seconds": 0}, {"lines": 0}, {"depth": 0}])
def test_what_cannot_be_asked(given):
    with pytest.raises(GameError, match="an analysis takes"):
        pentad.analyse(pentad.new("pentago"), **given)
