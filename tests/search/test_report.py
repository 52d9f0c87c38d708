"""Results of bots, by the reports of their searches."""

from __future__ import annotations

import pentad
from pentad.search.report import Line, Report, Result

START = pentad.new("pentago").play("a2 1C")
MOVES = START.parse("b1 2A"), START.parse("c2 1A")
REPORT = Report(1, 4, 99, 0.5, (Line(MOVES, (-0.25, 0.25)),), exact=True)


def test_a_result_has_the_report_of_its_search():
    assert Result.of(MOVES[0], REPORT, "a remark") == Result(MOVES[0], 0.25, True, MOVES, "a remark", nodes=99, depth=4)


def test_the_line_is_that_of_the_move():
    assert Result.of(MOVES[1], REPORT).line == ()
    assert Result.of(MOVES[1], REPORT).value == 0.25


def test_a_move_without_a_search():
    assert Result.of(MOVES[0], None, "by the book") == Result(MOVES[0], note="by the book")
