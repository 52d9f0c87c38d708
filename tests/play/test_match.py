"""Matches: their score, failing engines, and worker processes that die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pentad
from pentad.game import GameError
from pentad.play import contest
from pentad.play.contest import ContestTerms, play_game
from pentad.play.match import play_match
from pentad.play.openings import opening
from pentad.play.pairings import pairings
from pentad.record import Record
from pentad.search.bot import BotEntry
from pentad.search.simple_bots import RandomBot
from pentad.system.files import Lock
from tests.waiting import wait_until

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}


def terms(a="greedy", b="random", **more) -> ContestTerms:
    return ContestTerms("pentago", (a, b), **{"options": SMALL, **more}).checked()


def test_games_share_an_opening_only_within_their_pairing():
    texts = [play_game(terms(options={}, plies=3), pairing) for pairing in pairings(2, 6)]
    begun = [tuple(map(str, Record.read(text).moves[:3])) for text in texts]
    assert begun[0] == begun[1]
    assert len(set(begun)) == 3


@pytest.mark.slow
def test_the_seed_determines_the_match():
    def played(seed, workers):
        return play_match(terms(seed=seed), 6, workers=workers).as_json()

    assert played(1, 1) == played(1, 2)
    start = pentad.new("pentago")
    assert opening(start, 2, 1, 0) == opening(start, 2, 1, 0) != opening(start, 2, 2, 0)


def test_the_score_adds_up():
    score = play_match(terms(), 20, workers=1)
    data = score.as_json()
    assert data["games"] == data["wins"] + data["draws"] + data["losses"] == 20
    assert data["score"] == (data["wins"] + data["draws"] / 2) / 20
    assert sum(data["wins_by_seat"]) == 20 - data["draws"]
    assert json.loads(json.dumps(data)) == data


def test_a_match_resumes_where_it_stopped(tmp_path, monkeypatch):
    whole = play_match(terms(), 8, workers=1).as_json()
    play_match(terms(), 3, folder=tmp_path, workers=1)
    assert len(list(tmp_path.glob("games/*.pentad"))) == 3
    played = []
    monkeypatch.setattr(
        contest, "play_game", lambda t, p, programs: played.append(p.number) or play_game(t, p, programs)
    )
    assert play_match(terms(), 8, folder=tmp_path, workers=1).as_json() == whole
    assert played == [3, 4, 5, 6, 7]
    play_match(terms(), 8, folder=tmp_path, workers=1)
    assert len(played) == 5


def test_an_interrupt_keeps_finished_games(tmp_path):
    def interrupt(score):
        if score.games == 2:
            raise KeyboardInterrupt

    assert play_match(terms(), 8, folder=tmp_path, workers=1, progress=interrupt).games == 2
    assert play_match(terms(), 8, folder=tmp_path, workers=1).games == 8


def test_a_folder_belongs_to_one_match(tmp_path):
    play_match(terms(), 2, folder=tmp_path, workers=1)
    with pytest.raises(GameError, match="was started with other settings: seed 1"):
        play_match(terms(seed=2), 2, folder=tmp_path, workers=1)
    with Lock(tmp_path / ".lock", "busy"), pytest.raises(GameError, match="Another match is being played"):
        play_match(terms(), 2, folder=tmp_path, workers=1)


@pytest.mark.parametrize("rubbish", ["", "[]", "{", '"x"'])
def test_damaged_terms_are_reported(tmp_path, rubbish):
    (tmp_path / "match.json").write_text(rubbish)
    with pytest.raises(GameError, match="terms"):
        play_match(terms(), 2, folder=tmp_path, workers=1)


def test_an_unusable_folder_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GameError, match="Cannot save the match"):
        play_match(terms(), 2, folder=tmp_path / "file" / "folder", workers=1)


def test_a_failing_bot_forfeits(monkeypatch):
    class Broken(RandomBot):
        def play(self, position, limit=None):
            if position.ply > 2:
                raise RuntimeError("out of ideas")
            return super().play(position)

    from pentad.games.pentago import bot

    monkeypatch.setitem(bot.BOTS, "broken", BotEntry("breaks down", Broken))
    score = play_match(terms("random", "broken", options={}), 4, workers=1)
    assert (score.wins, score.forfeits) == (4, 4)
    record = Record.read(play_game(terms("random", "broken", options={}), next(pairings(2, 1))))
    assert record.outcome.reason == "forfeit"
    assert "broken at seat 1 failed: RuntimeError: out of ideas" in record.end.comment


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": "human"}, "A match is for bots only"),
        ({"a": "nobody"}, "Unknown player"),
        ({"plies": -1}, "0 or more opening moves"),
        ({"seconds": 0}, "more than 0 seconds"),
        ({"seconds": float("nan")}, "more than 0 seconds"),
        ({"options": {"rows": 0}}, "Option rows"),
        ({"options": {"width": 3}}, "no option width"),
    ],
)
def test_invalid_terms_are_refused(given, message):
    with pytest.raises(GameError, match=message):
        terms(**given)


def test_invalid_numbers_are_refused():
    with pytest.raises(GameError, match="at least 1 game"):
        play_match(terms(), 0)
    with pytest.raises(GameError, match="leaves pentago undecided"):
        play_match(terms(plies=50), 2, workers=1)


@pytest.mark.slow
def test_greedy_beats_random_at_every_seat():
    assert play_match(terms(options={"players": 3, "rows": 3}), 12).wins >= 11


def workers_of(process: int) -> list[int]:
    """The child processes of a process, from Linux's /proc."""
    started = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            started.append(int(status.parent.name))
    return started


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start_match(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A long match of two workers, which have played a game, and the workers."""
    command = [
        sys.executable,
        "-m",
        "pentad",
        "match",
        "pente",
        "greedy",
        "greedy",
        "--games",
        "100000",
        "--workers",
        "2",
        "--out",
        str(folder),
    ]
    leader = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: leader.poll() is not None or any(folder.glob("games/*")), "the first game")
    workers = workers_of(leader.pid)
    assert len(workers) >= 2
    return leader, workers


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
def test_workers_exit_when_the_main_process_is_killed(tmp_path):
    leader, workers = start_match(tmp_path)
    os.kill(leader.pid, signal.SIGKILL)
    leader.communicate()
    try:
        wait_until(lambda: not any(map(lives, workers)), "the end of the workers")
    finally:
        for worker in filter(lives, workers):
            os.kill(worker, signal.SIGKILL)
