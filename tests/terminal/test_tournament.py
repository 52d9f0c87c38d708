"""`pentad tournament`: its output, reports, and errors in one line."""

from __future__ import annotations

import json

import pytest

from tests.terminal.conftest import Pentad

SMALL = ("--rows", "1", "--cols", "2", "--block", "2", "--line", "3", "--plies", "1", "--balance", "1", "--workers=1")
WORDS = ("tournament", "pentago", "greedy", "random", "engine@1", *SMALL)


def test_the_standings_as_text_and_as_json(pentad: Pentad):
    answer = pentad(*WORDS, "--anchor", "random=500")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0].split() == ["player", "points", "games", "won", "drawn", "lost", "Elo", "±"]
    assert len(answer.lines) == 4
    data = json.loads(pentad(*WORDS, "--anchor", "random=500", "--json").out)
    assert data["system"] == "round-robin"
    assert data["games"] == 6
    assert [each["name"] for each in data["standings"]] == [line.split()[1] for line in answer.lines[1:]]
    assert next(each for each in data["standings"] if each["name"] == "random")["rating"]["elo"] == pytest.approx(500)


def test_a_knockout_names_the_winner_and_a_swiss_tournament_the_byes(pentad: Pentad):
    assert pentad(*WORDS, "--system", "knockout").lines[-1].startswith("The winner is ")
    assert pentad(*WORDS, "--system", "swiss").lines[-1].startswith("Games of byes count as won: ")


def test_reports_are_written_and_replaced(pentad: Pentad, tmp_path):
    paths = [tmp_path / f"report.{suffix}" for suffix in ("md", "json")]
    paths[0].write_text("an older report")
    assert pentad(*WORDS, "--report", str(paths[0]), "--report", str(paths[1])).code == 0
    assert paths[0].read_text().startswith("# Pentago: round-robin\n")
    assert json.loads(paths[1].read_text())["games"] == 6
    answer = pentad("match", *WORDS[1:4], *SMALL, "--games", "2", "--report", str(paths[0]))
    assert answer.code == 0
    assert paths[0].read_text().startswith("# Pentago: greedy – random\n")
    assert answer.lines[0] in paths[0].read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rounds", "3"), "The system round-robin has no number of rounds; use --sets."),
        (
            ("--system", "ladder"),
            "--system: Expected one of round-robin, gauntlet, neighbours, swiss, knockout, got 'ladder'.",
        ),
        (("--anchor", "random"), "--anchor: Expected a player and its rating, such as random=0, got 'random'."),
        (("--anchor", "nobody=3"), "The anchor nobody is not a player of this tournament."),
        (("--report", "x.pdf"), "x.pdf: Expected a report that ends with .md, .json, .html."),
        (("--report", "nowhere/x.md"), "Cannot write nowhere/x.md: There is no folder nowhere."),
        (("--seconds", "0"), "--seconds: Expected a number of seconds from 0.001 to 86400, got '0'."),
    ],
)
def test_invalid_words_are_one_line(pentad: Pentad, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    answer = pentad(*WORDS, *words)
    assert (answer.code, answer.err) == (2, f"pentad: {message}\n")
    assert answer.out == ""


def test_a_player_twice_is_refused(pentad: Pentad):
    answer = pentad("tournament", "pentago", "greedy", "greedy")
    expected = "pentad: A tournament has every player once, but greedy is named twice.\n"
    assert (answer.code, answer.err) == (2, expected)
