"""A backup of a real server in the middle of a game; a second server goes on from it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import pentad
from pentad.store import Store, sqlite_files
from pentad.store.backups import back_up, restore
from pentad.terminal import main
from tests.waiting import wait_until
from tests.web.server_process import Server

HOT_SEAT = {"seats": ["human", "human"]}


def test_a_second_server_goes_on_from_a_backup(server: Server, tmp_path: Path, monkeypatch) -> None:
    """Moves are played while it is made; the second server has the game up to one of them."""
    monkeypatch.setattr(sqlite_files, "_PAGES", 5)
    room, cookies = server.make(**HOT_SEAT)
    shown: list[str] = []
    end = threading.Event()

    def play() -> None:
        position = pentad.new("pentago")
        with server.join(room, cookies) as player:
            player.receive("state")
            while not end.is_set() and position.outcome is None:
                move = str(position.legal_moves[0])
                assert player.play(move)["type"] == "played"
                position = position.play(move)
                shown.append(move)

    def progress(done: int, pages: int) -> None:
        moves = len(shown)
        wait_until(lambda: len(shown) > moves or not playing.is_alive())

    playing = threading.Thread(target=play)
    playing.start()
    wait_until(lambda: len(shown) > 1)
    least = len(shown)
    back_up(server.database, tmp_path / "copy.db", progress)
    end.set()
    playing.join()
    restore(f"sqlite:///{tmp_path / 'second.db'}", tmp_path / "copy.db", lambda *_: None)
    with Server(database=f"sqlite:///{tmp_path / 'second.db'}") as second, second.join(room, cookies) as player:
        player.receive("state")
        kept = player.moves()
        assert least <= len(kept) < len(shown)
        assert kept == shown[: len(kept)]
        assert player.play(shown[len(kept)])["type"] == "played"


def test_a_server_does_not_start_during_a_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, backup = f"sqlite:///{tmp_path / 'games.db'}", tmp_path / "backup.db"
    Store.open(url).close()
    back_up(url, backup, lambda done, pages: None)
    codes: list[int] = []

    def start(done: int, pages: int) -> None:
        codes.append(main(["web", "--no-browser", "--database", url]))

    restore(url, backup, start)
    assert set(codes) == {2}
    out, errors = capsys.readouterr()
    assert out == ""
    assert all("games.db is being restored from a backup" in line for line in errors.splitlines())
    assert len(errors.splitlines()) == len(codes)
