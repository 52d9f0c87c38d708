"""Analysis by alpha-beta search, compared with exhaustive search."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

import pentad
from pentad.game import GameError, Position
from pentad.search.analysis import Analysis, Line, Report, heading, speed, worth

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}


def solve(position: Position, known: dict[Position, float]) -> float:
    """The value of a two-player position for the seat to move, by exhaustive search."""
    if position.outcome:
        return position.outcome.returns[position.turn]
    if position not in known:
        known[position] = max(-solve(position.play(move), known) for move in position.legal_moves)
    return known[position]


@pytest.mark.slow
def test_small_boards_are_solved():
    known: dict[Position, float] = {}
    assert solve(pentad.new("pentago", **SMALL), known) == 1
    rng = random.Random(1)
    for position in rng.sample(sorted(known, key=lambda p: p.text), 60):
        analysis = pentad.analyse(position, seconds=60)
        assert analysis.exact
        assert analysis.value == known[position], position.text


@pytest.mark.slow
def test_lines_are_legal_and_reach_their_value():
    analysis = pentad.analyse(pentad.new("pentago", **SMALL), seconds=60)
    for line in analysis.lines:
        here = pentad.new("pentago", **SMALL)
        for move in line.moves:
            here = here.play(move)
        assert here.outcome is not None
        assert here.outcome.returns == line.values


@pytest.mark.slow
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


# ── reports in words ─────────────────────────────────────────────────────────────────────────────


def test_value_texts():
    position = pentad.new("pentago")
    line = Line((), (1.0, -1.0))
    proved = Report(0, 3, 10, 0.1, (line, Line((), (0.25, -0.25))), exact=True)
    assert [worth(position, proved, each) for each in proved.lines] == ["wins", "+0.25"]
    for value, word in ((0.0, "draws"), (-1.0, "loses")):
        report = Report(1, 3, 10, 0.1, (Line((), (-value, value)),), exact=True)
        assert worth(position, report, report.lines[0]) == word

    def guess(value: float, wins_in: int | None = None) -> str:
        output = Line((), (value, -value), wins_in)
        return worth(position, Report(0, 3, 10, 0.1, (output,), exact=False), output)

    assert guess(0.9949) == "+0.99"  # what is not proved does not look like a proof
    assert [guess(0.999), guess(1.0), guess(-0.995)] == ["seems won", "seems won", "seems lost"]
    assert guess(1.0, wins_in=3) == "wins in 3 moves"


def test_state_lines():
    position = pentad.new("pente")

    def state(depth: int, nodes: int, seconds: float, exact: bool = False) -> str:
        return heading(position, Report(0, depth, nodes, seconds, (Line((), (0.0, 0.0)),), exact=exact))

    assert state(7, 1_200_000, 1.0) == "depth 7, 1,200,000 positions, 1.0 s, 1.2 M/s; estimates for white, from -1 to 1"
    assert state(2, 90, 0.001) == "depth 2, 90 positions, 0.0 s; estimates for white, from -1 to 1"
    assert state(0, 60, 0.0, exact=True) == "found immediately, 60 positions, 0.0 s; proved"
    rates = {
        12.4: "12/s",
        999.5: "1 k/s",
        81_300: "81 k/s",
        999_499: "999 k/s",
        999_999: "1.0 M/s",
        6_880_000: "6.9 M/s",
    }
    assert {rate: speed(rate) for rate in rates} == rates


def test_an_analysis_as_text_and_as_a_table():
    position = pentad.load("pentago bbbb../....../wwww../....../....../......")
    analysis = pentad.analyse(position, depth=1, lines=2)
    heading, *lines = str(analysis).splitlines()
    assert heading.startswith("depth 1, ")
    assert heading.endswith("; proved")
    assert lines[0].split() == ["wins", "in", "1", "move", "a4"]
    table = ElementTree.fromstring(analysis._repr_html_())
    assert table.tag == "table"
    assert table.findtext("caption") == heading
    assert [[cell.text for cell in row] for row in table.iter("tr")] == [
        re.split(r"\s{2,}", line.strip()) for line in lines
    ]


def test_a_table_has_the_values_of_all_seats_and_escaped_texts(monkeypatch):
    position = pentad.new("pentagame", players=3)
    report = Report(0, 1, 5, 0.1, (Line((), (0.5, -0.25, -0.25)), Line((), (0, 0, 0))), exact=False)

    def rows():
        table = ElementTree.fromstring(Analysis(position, iter([report]))._repr_html_())
        return [row.findtext("th") for row in table.iter("tr")]

    assert rows() == [worth(position, report, line) for line in report.lines]
    monkeypatch.setattr("pentad.search.analysis.worth", lambda *_: "a < b & c")
    assert rows() == ["a < b & c"] * 2
