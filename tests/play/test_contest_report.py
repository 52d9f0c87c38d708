"""Reports of contests: standings, cross table and plots, in every format."""

from __future__ import annotations

import json
import re
import sys

import pytest

from pentad.game import GameError
from pentad.play import contest_report
from pentad.play.contest import ContestTerms
from pentad.play.contest_report import ContestReport, as_html, as_json, as_markdown, format_for
from pentad.play.tournament import play_tournament
from pentad.system.extras import MissingExtra

PLAYERS = ("greedy", "random", "engine@1", "tree@1", "tree@2")
SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}
TERMS = ContestTerms("pentago", PLAYERS, "round-robin", options=SMALL, plies=1).checked()


@pytest.fixture(scope="module")
def standings():
    return play_tournament(TERMS, 2, workers=1)


def test_the_markdown_has_the_standings_and_the_cross_table(standings):
    text = as_markdown(ContestReport(standings, ["A note."], "pentad tournament"))
    for each in standings.table():
        assert f"| {each.name} | {each.points:g} | {each.games} |" in text
    assert "40 games, openings of 1 random move, seed 1, rows 1, block 2, line 3." in text
    assert "A note." in text
    assert text.count("| 16 |") == 5


def test_the_json_is_that_of_the_standings(standings):
    assert json.loads(as_json(ContestReport(standings))) == json.loads(json.dumps(standings.as_json()))


def test_the_page_has_both_tables_and_colours_the_cross_table_by_points(monkeypatch, standings):
    monkeypatch.setattr(contest_report, "PLOTS", {})  # plots take longer than all else
    found = ContestReport(standings, ["<b>"], "pentad tournament > file")
    page = as_html(found)
    assert page.startswith("<!doctype html>")
    assert "<p>&lt;b&gt;</p>" in page
    assert "<pre>$ pentad tournament &gt; file</pre>" in page
    first, crossed = re.findall(r"<table>.*?</table>", page, re.DOTALL)
    assert re.findall(r'<td class="name">(.*?)</td>', first) == [each.name for each in standings.table()]
    cells = re.findall(r'<td style="background: hsl\((\d+) 70% 85%\)">([\d.]+)/(\d+)</td>', crossed)
    assert len(cells) == len(PLAYERS) * (len(PLAYERS) - 1)
    assert all(round(120 * float(points) / int(games)) == int(hue) for hue, points, games in cells)
    assert "background" not in first
    assert all(f"<h1>{found.title}</h1>" in each for each in (page, found._repr_html_()))
    assert repr(found) == "<ContestReport of Pentago: round-robin: 40 games>"


def test_the_plots_show_the_standings(standings):
    figures = pytest.importorskip("matplotlib.figure")
    axes = {}
    for name, draw in contest_report.PLOTS.items():
        axes[name] = figures.Figure().add_subplot()
        draw(axes[name], standings)
    table, results = standings.table(), standings.results

    def names(name):
        return [label.get_text() for label in axes[name].get_yticklabels()]

    assert names("Ratings") == names("Results") == [each.name for each in reversed(table)]
    points = axes["Ratings"].lines[0].get_xdata()
    assert list(points) == [each.rating.elo for each in reversed(table)]
    counts = [[bar.get_width() for bar in bars] for bars in axes["Results"].containers]
    assert counts == [[getattr(each, what) for each in reversed(table)] for what in ("wins", "draws", "losses")]
    ends = [bar.get_x() + bar.get_width() for bar in axes["Results"].containers[-1]]
    assert ends == [each.games for each in reversed(table)]
    assert sum(bar.get_height() for bar in axes["Length of the games"].patches) == len(results)
    assert sum(bar.get_width() for bar in axes["How the games ended"].patches) == len(results)


@pytest.mark.slow
def test_the_page_has_four_plots_and_is_the_same_each_time(standings):
    pytest.importorskip("matplotlib")
    page = as_html(ContestReport(standings, ["<b>"], "pentad tournament"))
    assert page.count("<img alt=") == len(contest_report.PLOTS) == 4
    assert "&lt;b&gt;" in page
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)  # the page loads nothing else
    assert as_html(ContestReport(standings, ["<b>"], "pentad tournament")) == page


def test_a_page_without_matplotlib_is_refused_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"^matplotlib .* run: .*\[data\]'$"):
        format_for(tmp_path / "report.html")
    assert format_for(tmp_path / "report.md") is as_markdown


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(GameError, match=r"report\.pdf: .* \.md, \.json, \.html"):
        format_for(tmp_path / "report.pdf")
