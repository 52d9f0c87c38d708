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
