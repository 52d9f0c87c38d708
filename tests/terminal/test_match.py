"""`pentad match`: its output, its test, its view on a terminal and without one, and errors in one line."""

from __future__ import annotations

import json

import pytest

from pentad.play.standings import Standing
from pentad.terminal import contest
from pentad.terminal.contest import ContestView
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal

SMALL = ("--rows", "1", "--cols", "2", "--block", "2", "--line", "3")
MATCH = ("match", "pentago", "greedy", "random", *SMALL, "--workers", "1")


def test_a_test_ends_the_match(pentad: Pentad):
    answer = pentad(*MATCH, "--games", "400", "--sprt", "0,200")
    assert answer.code == 0
    assert "SPRT, Elo +0 or +200: accepted +200, log-likelihood ratio" in answer.lines[-1]
    data = json.loads(pentad(*MATCH, "--games", "400", "--sprt", "0,200", "--json").out)
    assert data["sprt"]["decision"] == "H1"
    assert data["games"] < 400


@pytest.mark.slow
def test_a_terminal_shows_the_standings_while_games_are_played(monkeypatch):
    with Terminal(*MATCH, "--games", "100000", columns=100) as terminal:
        terminal.expect("greedy – random")
        terminal.expect("player")
        terminal.expect("of 100,000 games")
        terminal.expect("left")
        terminal.interrupt()
        terminal.expect("Stopped after")


def test_without_a_terminal_there_is_a_line_from_time_to_time(capsys):
    now = 0.0
    view = ContestView("a – b", clock=lambda: now)
    for done in range(1, 61):
        now += 0.5
        view.update(done, 1060, is_saved=False, table=lambda: [Standing("a")], more=f"+{done}")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "a – b: 20 of 1,060 games  2.0/s  8 min 40 s left  +20",
        "a – b: 40 of 1,060 games  2.0/s  8 min 30 s left  +40",
        "a – b: 60 of 1,060 games  2.0/s  8 min 20 s left  +60",
    ]
    assert contest.LINE_SECONDS == 10


def test_saved_games_do_not_count_for_the_rate(capsys):
    now = 0.0
    view = ContestView("a – b", clock=lambda: now)
    for done in range(1, 101):
        view.update(done, 200, is_saved=True, table=list)
    for done in range(101, 121):
        now += 1
        view.update(done, 200, is_saved=False, table=list)
    assert capsys.readouterr().err.splitlines()[0] == "a – b: 110 of 200 games  1.0/s  1 min 30 s left"
