"""Contests: folders that survive any end, balanced openings, adjudication, fixed work."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pentad
from pentad.game import GameError
from pentad.play import contest
from pentad.play.contest import Contest, ContestTerms, exact_outcome, play_game
from pentad.play.match import play_match
from pentad.play.openings import opening
from pentad.play.pairings import pairings
from pentad.play.sprt import Sprt
from pentad.record import Record
from pentad.search.analysis import fixed_value
from tests.cases import slow
from tests.programs import run
from tests.waiting import TIMEOUT

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}


def terms(a="greedy", b="random", **more) -> ContestTerms:
    return ContestTerms("pentago", (a, b), **{"options": SMALL, **more}).checked()


def games_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "games").iterdir())}


# ── any end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a group of processes is killed")
@pytest.mark.parametrize(("number", "kills"), [(60, 2), slow(1000, 3)])
def test_a_match_that_is_killed_has_the_games_of_one_run_through(tmp_path, number, kills):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    words = ["match", "pentago", "engine@1", "random", "--games", str(number), "--seed", "7", "--plies", "3", "--json"]
    command = [sys.executable, "-m", "pentad", *words, "--workers", "2", "--out"]
    once = subprocess.run([*command, str(whole)], capture_output=True, text=True, check=True, timeout=20 * TIMEOUT)
    chance, seen = random.Random(number), 0
    for kill in range(kills):
        at = chance.randrange(number * kill // (kills + 1) + 1, number * (kill + 1) // (kills + 1))
        running = subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL, start_new_session=True)
        while len(list(killed.glob("games/*.pentad"))) < at:
            assert running.poll() is None
            time.sleep(0.005)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        saved = len(list(killed.glob("games/*.pentad")))
        assert seen <= saved < number
        seen = saved
    again = subprocess.run([*command, str(killed)], capture_output=True, text=True, check=True, timeout=20 * TIMEOUT)
    assert again.stdout == once.stdout
    assert games_in(killed) == games_in(whole)
    assert len(games_in(killed)) == number


def test_the_draft_of_a_killed_process_is_removed(tmp_path):
    play_match(terms(), 2, folder=tmp_path, workers=1)
    (tmp_path / "games" / ".00003.pentad.123.tmp").write_text("[Ga")
    play_match(terms(), 3, folder=tmp_path, workers=1)
    assert list(games_in(tmp_path)) == ["00001.pentad", "00002.pentad", "00003.pentad"]


@pytest.mark.parametrize("rubbish", [b"", b"\xff\xfe\x00", b'[Game "pentago"]\n', b"half"])
def test_a_damaged_game_is_kept_aside_and_played_again(tmp_path, rubbish, capsys):
    play_match(terms(), 3, folder=tmp_path, workers=1)
    before = games_in(tmp_path)
    damaged = tmp_path / "games" / "00002.pentad"
    damaged.write_bytes(rubbish)
    play_match(terms(), 3, folder=tmp_path, workers=1)
    assert games_in(tmp_path) == before | {"00002.pentad.damaged": rubbish}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(str(damaged))
    assert line.endswith("The file is now 00002.pentad.damaged, and the game is played again.")


def test_a_half_written_record_of_each_length_is_played_again(tmp_path):
    score = play_match(terms(), 2, folder=tmp_path, workers=1).as_json()
    path = tmp_path / "games" / "00002.pentad"
    text = path.read_bytes()
    for length in range(0, len(text) - 2, 7):
        path.write_bytes(text[:length])
        assert play_match(terms(), 2, folder=tmp_path, workers=1).as_json() == score
        assert path.read_bytes() == text


def test_a_game_of_another_match_is_an_error(tmp_path):
    play_match(terms(), 2, folder=tmp_path, workers=1)
    one, two = (tmp_path / "games" / f"0000{number}.pentad" for number in (1, 2))
    two.write_bytes(one.read_bytes())
    with pytest.raises(GameError, match=r"00002\.pentad is not game 2"):
        play_match(terms(), 2, folder=tmp_path, workers=1)
    assert two.read_bytes() == one.read_bytes()


def test_a_folder_of_another_contest_is_refused(tmp_path):
    (tmp_path / "tournament.json").write_text("{}")
    with pytest.raises(GameError, match="has the games of a tournament"):
        play_match(terms(), 2, folder=tmp_path, workers=1)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_loses_nothing_that_was_saved(tmp_path, monkeypatch, workers):
    whole = play_match(terms(), 8, workers=1).as_json()
    real, written = contest.write_safely, []

    def full(path, text):
        if len(written) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        written.append(path)
        real(path, text)

    monkeypatch.setattr(contest, "write_safely", full)
    with pytest.raises(GameError) as error:
        play_match(terms(), 8, folder=tmp_path, workers=workers)
    (line,) = str(error.value).splitlines()
    assert line == (
        f"Cannot save the match in {tmp_path}: No space left on device. "
        "3 games saved. Run the same command again to continue."
    )
    monkeypatch.undo()
    assert len(games_in(tmp_path)) == 3
    assert play_match(terms(), 8, folder=tmp_path, workers=1).as_json() == whole


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signals")
def test_the_games_of_killed_workers_are_played_again(monkeypatch):
    monkeypatch.setattr(contest, "MOST_AT_ONCE", 1)  # workers are busy to the end then
    played, killed = [], set()
    with Contest(terms(), workers=2) as running, contextlib.closing(running.play(pairings(2, 10))) as results:
        for result in results:
            played.append(result)
            for each in {each.process.pid for each in running._farm.pool.busy} - killed if len(killed) < 2 else ():
                os.kill(each, signal.SIGKILL)
                killed.add(each)
                break
    assert len(killed) == 2
    with Contest(terms(), workers=1) as whole:
        assert sorted(played, key=lambda each: each.pairing.number) == list(whole.play(pairings(2, 10)))


def test_leaving_a_contest_early_ends_its_games():
    with Contest(terms("tree@3", options={}), workers=2) as running:
        with contextlib.closing(running.play(pairings(2, 50))) as results:
            next(results)
        assert running._farm is not None


# ── conditions ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [("pentago", {}, 3), ("pente", {}, 3), ("pentagame", {}, 2), ("pente", {"opening": "swap2"}, 0)],
)
def test_openings_are_balanced_by_the_games_own_engine(name, options, plies):
    start = pentad.new(name, **options)
    for number in range(2):
        moves = opening(start, plies, 5, number, 0.4)
        here = start
        for move in moves:
            here = here.play(move)
        assert max(map(abs, fixed_value(here))) <= 0.4
        assert sum(fixed_value(here)) == pytest.approx(0, abs=0.01)


@pytest.mark.slow
def test_an_opening_is_the_same_in_another_process():
    call = "opening(pentad.new('pente'), 3, 1, 4, 0.2)"
    code = f"import pentad; from pentad.play.openings import opening; print(*{call}, sep=';')"
    assert run(code)[0] == ";".join(opening(pentad.new("pente"), 3, 1, 4, 0.2))


def test_a_game_without_balanced_openings_says_so():
    with pytest.raises(GameError, match=r"200 openings of 0 .* within 0\.001"):
        opening(pentad.new("pentago", **SMALL), 0, 1, 0, 0.001)


def test_adjudication_gives_the_result_of_perfect_play():
    played = [
        play_game(terms("perfect", "perfect", options={}, plies=22, adjudicate=by), next(pairings(2, 1)))
        for by in (0, 1)
    ]
    on_board, adjudicated = map(Record.read, played)
    assert adjudicated.outcome.reason == "exact value"
    assert adjudicated.outcome.winners == on_board.outcome.winners
    assert len(adjudicated.moves) < len(on_board.moves)


def test_early_positions_are_not_adjudicated():
    assert exact_outcome(pentad.new("pentago")) is None
    assert exact_outcome(pentad.new("pentago", players=3)) is None


@pytest.mark.parametrize(
    ("game", "players", "given", "message"),
    [
        ("pente", ("engine@1", "random"), {"adjudicate": True}, "Pente has no exact solver"),
        ("pentago", ("engine@1", "random"), {"nodes": 100}, "The bot engine-1 cannot be limited"),
        ("pentago", ("greedy", "random"), {"nodes": 100}, "The bot greedy cannot be limited"),
        ("pentagame", ("tree@1", "alphabeta@1"), {"nodes": 100}, "The bot alphabeta-1 cannot be limited"),
    ],
)
def test_conditions_that_a_game_or_bot_cannot_meet_are_refused(game, players, given, message):
    with pytest.raises(GameError, match=message):
        ContestTerms(game, players, **given).checked()


def test_at_fixed_work_more_nodes_win():
    for game, who in (("pentago", "tree@5"), ("pente", "engine@5"), ("pentagame", "tree@5")):
        record = play_game(ContestTerms(game, (who, "random"), nodes=60).checked(), next(pairings(2, 1)))
        assert Record.read(record).outcome.winners == (0,)
        assert record == play_game(ContestTerms(game, (who, "random"), nodes=60).checked(), next(pairings(2, 1)))


@pytest.mark.slow
def test_a_test_ends_a_match_at_the_same_opening_with_any_number_of_workers(tmp_path):
    scores = [play_match(terms(), 400, workers=n, folder=tmp_path / str(n), sprt=Sprt(0, 100)) for n in (1, 3)]
    one, three = (score.as_json() for score in scores)
    assert one == three
    assert one["sprt"]["decision"] == "H1"
    assert one["games"] == 2 * one["sprt"]["openings"] < 400
    again = play_match(terms(), 400, workers=2, folder=tmp_path / "3", sprt=Sprt(0, 100))
    assert again.as_json() == three
