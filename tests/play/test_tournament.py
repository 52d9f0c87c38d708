"""Tournaments: played, continued, ranked and reported."""

from __future__ import annotations

import json
import re
import sys

import pytest

from pentad.game import GameError
from pentad.play import contest, contest_report
from pentad.play.contest import ContestTerms
from pentad.play.contest_report import ContestReport, as_html, as_json, as_markdown, cross_table, format_for
from pentad.play.match import play_match
from pentad.play.pairings import SYSTEMS
from pentad.play.tournament import play_tournament
from pentad.system.extras import MissingExtra

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}
THREE = {"rows": 1, "cols": 2, "block": 2, "line": 2, "players": 3}
PLAYERS = ("greedy", "random", "engine@1", "tree@1", "tree@2")


def terms(system="round-robin", players=PLAYERS, **more) -> ContestTerms:
    return ContestTerms("pentago", players, system, **{"options": SMALL, "plies": 1, **more}).checked()


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_tournament_continues_with_exactly_the_missing_games(tmp_path, monkeypatch, system):
    whole = play_tournament(terms(system), 2, rounds=3, workers=1)
    games = len(whole.results)
    assert whole.is_over

    def interrupt(standings, result):
        if len(standings.results) == games // 2:
            raise KeyboardInterrupt

    half = play_tournament(terms(system), 2, rounds=3, workers=1, folder=tmp_path, progress=interrupt)
    assert (len(half.results), half.is_over) == (games // 2, False)
    played = []
    play = contest.play_game
    monkeypatch.setattr(contest, "play_game", lambda t, p, programs: played.append(p.number) or play(t, p, programs))
    again = play_tournament(terms(system), 2, rounds=3, workers=1, folder=tmp_path)
    assert again.as_json() == whole.as_json()
    assert played == list(range(games // 2, games))
    assert len(list(tmp_path.glob("games/*.pentad"))) == games


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_games():
    one, two = (play_tournament(terms("swiss"), rounds=2, workers=n).as_json() for n in (1, 2))
    assert one == two


def test_the_standings_add_up():
    standings = play_tournament(terms(), 3, workers=1, anchor=("random", 100.0))
    table = standings.table()
    games = len(standings.results)
    assert games == 2 * 3 * 10
    assert sum(each.points for each in table) == games
    assert sum(each.wins for each in table) == sum(each.losses for each in table)
    assert [each.games for each in table] == [24] * 5
    assert all(each.points == each.wins + each.draws / 2 for each in table)
    assert table[-1].name == "random"
    assert table[-1].rating.elo == pytest.approx(100)
    crossed = cross_table(standings)
    assert sum(float(cell.partition("/")[0]) for row in crossed[1:] for cell in row[2:] if cell) == games


def test_byes_of_a_swiss_tournament_count_as_wins():
    standings = play_tournament(terms("swiss"), rounds=3, workers=1)
    table = standings.table()
    assert sorted(each.byes for each in table) == [0, 0, 2, 2, 2]
    assert all(each.games + each.byes == 6 for each in table)
    assert sum(each.points for each in table) == len(standings.results) + 6


def test_the_winner_of_a_knockout_is_first():
    standings = play_tournament(terms("knockout"), workers=1)
    first, second, *_ = (each.name for each in standings.table())
    assert first == PLAYERS[standings.champion]
    assert {first, second} == {PLAYERS[player] for player in standings.meetings[-1].players}


def test_with_three_seats_every_group_plays_from_every_seat():
    players = ("greedy", "random", "tree@1", "tree@2")
    standings = play_tournament(terms(players=players, options=THREE, plies=0), 2, workers=1)
    assert len(standings.results) == 2 * 4 * 3
    table = standings.table()
    assert sum(each.points for each in table) == pytest.approx(len(standings.results))
    assert table[-1].name == "random"
    assert sum(each.rating.elo for each in table) == pytest.approx(0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": ("greedy", "greedy")}, "has every player once, but greedy"),
        ({"players": ("greedy",)}, "Expected 2 to 52 players, got 1"),
        ({"players": ("greedy", "random"), "options": THREE}, "Expected 3 to 52 players, got 2"),
        ({"players": ("greedy", "human")}, "A tournament is between bots"),
    ],
)
def test_invalid_players_are_refused(given, message):
    with pytest.raises(GameError, match=message):
        terms(**given)


def test_invalid_numbers_are_refused():
    with pytest.raises(GameError, match="at least 1 set"):
        play_tournament(terms(), 0)
    with pytest.raises(GameError, match="The anchor nobody is not a player"):
        play_tournament(terms(), anchor=("nobody", 0.0))


def test_a_folder_belongs_to_one_tournament(tmp_path):
    play_tournament(terms(players=PLAYERS[:2]), folder=tmp_path, workers=1)
    with pytest.raises(GameError, match="other settings: system round-robin"):
        play_tournament(terms("gauntlet", players=PLAYERS[:2]), folder=tmp_path, workers=1)
    with pytest.raises(GameError, match="has the games of a tournament"):
        play_match(
            ContestTerms("pentago", PLAYERS[:2], options=SMALL, plies=1).checked(), 2, folder=tmp_path, workers=1
        )


# ── reports ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def standings():
    return play_tournament(terms(), 2, workers=1)


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
    monkeypatch.setattr(contest_report, "PLOTS", {})  # which take longer
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
    assert not re.search(r'(?:src|href)="(?!data:)', page)  # nothing is loaded
    assert as_html(ContestReport(standings, ["<b>"], "pentad tournament")) == page


def test_a_page_without_matplotlib_is_refused_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"^matplotlib .* pip install 'pentad\[data\]'$"):
        format_for(tmp_path / "report.html")
    assert format_for(tmp_path / "report.md") is as_markdown


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(GameError, match=r"report\.pdf: .* \.md, \.json, \.html"):
        format_for(tmp_path / "report.pdf")
