"""`pentad database`: a backup is made and restored; a check names what is broken, and has an exit code for it."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from pentad.store import Claim, Store
from pentad.web import stored_games
from tests.store import real_games
from tests.terminal.conftest import Pentad


@pytest.fixture
def url(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The default database, with two games and a study."""
    monkeypatch.chdir(tmp_path)
    real_games.make(f"sqlite:///{home / 'pentad.db'}")
    return f"sqlite:///{home / 'pentad.db'}"


def test_a_backup_is_made(pentad: Pentad, url: str) -> None:
    answer = pentad("database", "backup", "sunday.db")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("sunday.db: 2 games, ")
    assert real_games.tables("sqlite:///sunday.db") == real_games.tables(url)
    before = Path("sunday.db").read_bytes()
    answer = pentad("database", "backup", "sunday.db")
    assert (answer.code, answer.err.count("\n"), "--force" in answer.err) == (2, 1, True)
    assert Path("sunday.db").read_bytes() == before
    assert pentad("database", "backup", "sunday.db", "--force").code == 0


def test_a_backup_is_restored(pentad: Pentad, url: str, home: Path) -> None:
    before = real_games.tables(url)
    pentad("database", "backup", "sunday.db")
    store = Store.open(url)
    asyncio.run(real_games.play(store, "later"))
    store.close()
    answer = pentad("database", "restore", "sunday.db")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == f"{home / 'pentad.db'}: 2 games, from sunday.db"
    assert answer.lines[1].startswith(f"The replaced database is {home / 'pentad-replaced-20'}")
    assert real_games.tables(url) == before


def test_a_setting_names_the_database(pentad: Pentad, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pentad("database", "backup", "sunday.db")
    monkeypatch.setenv("PENTAD_WEB_DATABASE", "sqlite:///other.db")
    assert pentad("database", "check").code == 2
    assert pentad("database", "restore", "sunday.db").lines == ["other.db: 2 games, from sunday.db"]
    assert pentad("database", "check").out.startswith("other.db: 2 games, ")


def test_a_served_database_is_backed_up_and_checked_but_not_replaced(pentad: Pentad, url: str) -> None:
    claim, store = Claim(url), Store.open(url)
    claim.announce("http://127.0.0.1:5005/")
    assert pentad("database", "backup", "sunday.db").code == 0
    assert pentad("database", "check").code == 0
    answer = pentad("database", "restore", "sunday.db")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "being served at http://127.0.0.1:5005/" in answer.err
    store.close()
    claim.release()


def test_a_file_that_cannot_be_written_takes_one_line(pentad: Pentad, url: str) -> None:
    name = "a" * 300
    answer = pentad("database", "backup", name)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "name is too long" in answer.err


def test_everything_is_checked(pentad: Pentad, url: str, home: Path) -> None:
    answer = pentad("database", "check")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{home / 'pentad.db'}: 2 games, 8 moves, 1 chapter of studies, 0 problems\n"


BREAKS = {
    "an illegal move": ("UPDATE events SET body = 'z9 9Z' WHERE game = 'g1' AND number = 2", "game g1: "),
    "a lost event": ("DELETE FROM events WHERE game = 'g1' AND number = 1", "game g1: Expected 4 events, found 3."),
    "an unknown event": ("UPDATE events SET kind = 'jump' WHERE game = 'g1' AND number = 3", "Unknown event 'jump'."),
    "an unknown game": ("UPDATE games SET start = 'chess' WHERE name = 'g1'", "game g1: "),
    "no JSON": ("UPDATE games SET seats = '[[' WHERE name = 'g1'", "game g1: Its data is damaged."),
    "another result": (
        "UPDATE games SET result = '1-0' WHERE name = 'g1'",
        "the result none, but 4 and 1-0 are stored",
    ),
    "fewer moves": ("UPDATE games SET moves = 3 WHERE name = 'g1'", "lead to 4 moves"),
    "a broken chapter": ("UPDATE chapters SET record = '[Game chess]'", "study s: "),
    "another size": ("UPDATE studies SET size = 7", "study s: Its chapters have "),
    "a wrong sum": (
        "INSERT INTO storage_use VALUES (X'00', 1, 7)",
        "storage of quotas: 1 of 1 persons and networks have other studies.",
    ),
    "an unknown action": (
        "INSERT INTO actions VALUES (1, 0, 'Olga', 'dance', '', NULL, '', '')",
        "table actions: Invalid row: '1, 0.0, Olga, dance'.",
    ),
    "a ban of nothing": (
        "INSERT INTO bans (id, kind, network, reason, at, operator) VALUES (1, 'ban', 'here', '', 0, 'Olga')",
        "table bans: Invalid row: ",
    ),
    "a game of nobody": ("UPDATE events SET game = 'x' WHERE game = 'g1' AND number = 3", "refers to a row that games"),
}


@pytest.mark.parametrize("what", BREAKS)
def test_what_is_broken_is_named(pentad: Pentad, url: str, home: Path, what: str) -> None:
    statement, message = BREAKS[what]
    with sqlite3.connect(home / "pentad.db") as raw:
        raw.execute(statement)
    raw.close()
    answer = pentad("database", "check")
    assert answer.code == 1
    assert message in answer.err
    assert all(line.startswith("pentad: ") for line in answer.err.splitlines())
    assert answer.out.startswith(f"{home / 'pentad.db'}: 2 games, ")
    assert f" {len(answer.err.splitlines())} problem" in answer.out


def test_a_stopped_check_has_what_it_has(pentad: Pentad, url: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = stored_games._CHECKS["game"]

    def stopped(connection: object, name: str) -> int:
        if name == "g1":
            raise KeyboardInterrupt
        return moves(connection, name)

    monkeypatch.setitem(stored_games._CHECKS, "game", stopped)
    answer = pentad("database", "check")
    assert answer.code == 130
    assert answer.out == f"{home / 'pentad.db'}: 1 game, 4 moves, 0 chapters of studies, 0 problems\n"
    assert "2 games and studies are not checked" in answer.err
