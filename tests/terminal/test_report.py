"""`pentad report`: its output, its files, its progress, and errors in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentad import new
from pentad.search.analysis import fixed_value
from tests.terminal.conftest import Pentad

SMALL = ("--rows", "1", "--cols", "2", "--block", "2", "--line", "3")
REPORT = ("report", "pentago", *SMALL, "--bot", "greedy", "--games", "4", "--workers", "1")


def test_a_report_is_printed_and_written(pentad: Pentad, tmp_path: Path):
    page, data = tmp_path / "rules.html", tmp_path / "rules.json"
    answer = pentad(*REPORT, "--compare", "line=4", "--report", str(page), "--report", str(data))
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[2] == "pentago rows=1 block=2 line=3: 4 games"
    text = page.read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert "$ pentad report pentago --rows 1" in text
    assert json.loads(data.read_text()) == json.loads(pentad(*REPORT, "--compare", "line=4", "--json").out)


def test_a_stopped_report_says_what_it_has(pentad: Pentad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from pentad.play import contest

    play, played = contest.play_game, []

    def stop(*given):
        played.append(given)
        if len(played) == 3:
            raise KeyboardInterrupt
        return play(*given)

    monkeypatch.setattr(contest, "play_game", stop)
    answer = pentad(*REPORT, "--out", str(tmp_path / "games"))
    assert answer.code == 130
    assert "Stopped after 2 of 4 games." in answer.err
    assert answer.lines[2].endswith(": 2 games")
    monkeypatch.undo()
    again = pentad(*REPORT, "--out", str(tmp_path / "games"))
    assert (again.code, again.out) == (0, pentad(*REPORT).out)


def test_the_values_behind_the_page_are_those_of_the_engine():
    here, values = new("pente", size=9), []
    for move in ("E5", "J4", "J9", "E9", "F6", "G7", "F5", "D4"):  # the first game of the first example
        here = here.play(move)
        if here.ply > 4:
            values.append(round(fixed_value(here)[0], 3))
    changed = "Pente's engine has changed, so docs/how-to/rule-sets.md is out of date: run benchmarks/rule_sets.py."
    assert values == [0.441, 0.467, -0.497, -0.548], changed
