"""Analyses of solved positions: their lines."""

import pentad
from pentad.games.pentago.engine.analysis import reports_of
from pentad.games.pentago.solver import solve


def test_the_lines_of_a_solved_position_go_on_after_the_first_turn():
    found = solve(pentad.load("pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b"))
    for report in reports_of(found, 3, 1 << 30):
        assert [len(line.moves) >= 2 for line in report.lines] == [True] * 3
        assert all(line.moves[0] in found.best for line in report.lines)


def test_a_won_line_has_its_length():
    found = solve(pentad.load("pentago wwbwbw/w.wb.w/bb..bb/bb..../w.ww../bbbww."))
    *_, report = reports_of(found, 1, 1 << 30)
    assert report.lines[0].claim == "wins in 3 moves"
