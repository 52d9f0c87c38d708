"""`pentad admin`: a line for each result, JSON for scripts, one line and exit code 2 for what is not possible."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from pentad.store import Store
from pentad.store.moderation import Moderation, PlayerReport
from pentad.store.rows import ChatMessage
from pentad.store.schema import LAST_MIGRATION
from pentad.web.http.identity import hash_of
from tests.store import real_games
from tests.terminal.conftest import Pentad


@pytest.fixture
def url(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The default database, with two games and a study, a person, a chat message and a report."""
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    url = f"sqlite:///{home / 'pentad.db'}"
    real_games.make(url)
    store = Store.open(url)

    async def fill() -> None:
        ada = await store.add_person(hash_of("ada"), "Ada")
        await store.add_chat_message("g0", ChatMessage(0, None, "Ada", "you fool", 1000.0, ada.id))
        report = PlayerReport("game", "g0", 2, 0, "you fool", ada.id, "abuse", "Rude.")
        await Moderation(store).add_report(report, ada.id, 1000.0)

    asyncio.run(fill())
    store.close()
    return url


def test_tokens_are_made_listed_and_revoked(pentad: Pentad, url: str, home: Path) -> None:
    assert pentad("admin", "token").lines == ["No operator has a token."]
    answer = pentad("admin", "token", "Olga")
    assert (answer.code, answer.err) == (0, "")
    token = answer.lines[0].removeprefix("The token is shown only now: ")
    assert len(token) == 32
    assert answer.lines[1] == f"Its page: http://127.0.0.1:5005/admin#token={token}"
    assert token.encode() not in b"".join(each.read_bytes() for each in home.iterdir())
    assert pentad("admin", "token").out.startswith("Olga, 20")
    answer = pentad("admin", "token", "Olga")
    assert answer.code == 2
    assert "'Olga' already has a token" in answer.err
    assert pentad("admin", "token", "Olga", "--revoke").lines == ["Revoked the token of Olga."]
    assert pentad("admin", "token", "Olga", "--revoke").code == 2
    made = json.loads(pentad("admin", "token", "Otto", "--url", "https://play.example.org/", "--json").out)
    assert made["link"] == f"https://play.example.org/admin#token={made['token']}"
    assert [each["name"] for each in json.loads(pentad("admin", "token", "--json").out)] == ["Otto"]


def test_the_link_has_the_name_of_the_server(pentad: Pentad, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTAD_WEB_PUBLIC_NAME", "play.example.org")
    assert "https://play.example.org/admin#token=" in pentad("admin", "token", "Olga").out


def test_people_games_studies_and_chat_are_found(pentad: Pentad, url: str) -> None:
    assert pentad("admin", "search", "ada").lines == ["person 1: Ada, 0 games", "chat g0/0: Ada (1): you fool"]
    assert pentad("admin", "search", "g1").lines == ["game g1: Pentago, Ada, Bea, 4 moves"]
    assert pentad("admin", "search", "study").lines == ["study s: A study, 1 chapter"]
    assert pentad("admin", "search", "nobody").lines == ["Nothing found."]
    found = json.loads(pentad("admin", "search", "fool", "--json").out)
    assert [each["text"] for each in found["chat"]] == ["you fool"]


def test_a_person_a_game_and_a_study_are_shown(pentad: Pentad, url: str) -> None:
    report = "report 1  1970-01-01 00:16  abuse: game g0/0 'you fool', about Ada (1): Rude."
    assert pentad("admin", "show", "person", "1").lines == ["person 1: Ada", "chat g0/0: Ada (1): you fool", report]
    game = pentad("admin", "show", "game", "g0").lines
    assert game == ["game g0: Pentago, Ada, Bea, 4 moves", "chat g0/0: Ada (1): you fool", report]
    assert pentad("admin", "show", "study", "s").lines == ["study s: A study", "chapter 1: Chapter 1"]
    for kind, name in (("person", "1"), ("game", "g0"), ("study", "s")):
        assert json.loads(pentad("admin", "show", kind, name, "--json").out)


def test_what_is_done_is_said_and_logged(pentad: Pentad, url: str) -> None:
    done = [
        (("remove", "chat", "g0/0"), "Removed the chat message g0/0."),
        (("remove", "game", "g1", "--reason", "rubbish"), "Removed the game g1."),
        (("remove", "study", "s"), "Removed the study s."),
        (("rename", "1", "Player"), "Renamed person 1 to Player."),
        (("mute", "1"), "Muted person 1 for good."),
        (("unmute", "1"), "Person 1 may write in chats again."),
        (("ban", "person", "1"), "Banned person 1 for good."),
        (("unban", "person", "1"), "Lifted the ban of person 1."),
        (("ban", "network", "192.0.2.9/24", "--reason", "floods"), "Banned the network 192.0.2.0/24 for good."),
        (("reports", "--handle", "1"), "Marked report 1 as handled."),
        (("notice", "Cake at noon."), "All pages show this notice: Cake at noon."),
        (("notice", "--clear"), "The notice is gone."),
    ]
    for words, sentence in done:
        answer = pentad("admin", *words)
        assert (answer.code, answer.err, answer.lines) == (0, "", [sentence])
    log = pentad("admin", "log").lines
    assert len(log) == len(done)
    for line, (words, sentence) in zip(reversed(log), done, strict=True):
        assert f"  root at the command line: {sentence}" in line
        assert ("Reason: " in line) is ("--reason" in words)
    assert len(pentad("admin", "log", "--last", "3").lines) == 3
    assert [each["kind"] for each in json.loads(pentad("admin", "log", "--last", "2", "--json").out)] == [
        "clear notice",
        "notice",
    ]
    (ban,) = pentad("admin", "bans").lines
    assert ban.startswith("ban network 192.0.2.0/24, for good, by ")
    assert ban.endswith(": floods")
    assert [each["network"] for each in json.loads(pentad("admin", "bans", "--json").out)] == ["192.0.2.0/24"]


def test_times_have_units(pentad: Pentad, url: str) -> None:
    assert pentad("admin", "ban", "person", "1", "--for", "7d").out.startswith("Banned person 1 until 20")
    assert pentad("admin", "close", "--in", "0m").out.startswith("The server closes for maintenance at 20")
    assert pentad("admin", "open").lines == ["The server is open."]
    for time in ("7", "-1d", "1e3d", "d", "99999999d", "4000d", "7 days"):
        answer = pentad("admin", "mute", "1", f"--for={time}")
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert "Expected a time such as 30m, 12h, 7d or 2w" in answer.err
    assert pentad("admin", "mute", "1", "--for", "0m").code == 2


def test_reports_are_listed(pentad: Pentad, url: str) -> None:
    (line,) = pentad("admin", "reports").lines
    assert line == "1  1970-01-01 00:16  abuse: game g0/0 'you fool', about Ada (1): Rude."
    (report,) = json.loads(pentad("admin", "reports", "--json").out)
    assert (report["page"], report["reason"], report["reporter"]) == ("/play/g0", "abuse", 1)
    assert pentad("admin", "reports", "--handled").lines == ["No reports."]


def test_a_ban_of_one_s_own_network_is_pointed_out(pentad: Pentad, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.77 50000 198.51.100.1 22")
    assert pentad("admin", "ban", "network", "203.0.113.0/24").err == ""
    answer = pentad("admin", "ban", "network", "192.0.2.0/24")
    assert (answer.code, answer.lines) == (0, ["Banned the network 192.0.2.0/24 for good."])
    assert "This network has your own address, 192.0.2.77." in answer.err


WRONG = [
    ((), "The commands are: token, search"),
    (("dance",), "Unknown command 'dance' for pentad admin."),
    (("search",), "Missing argument: TEXT."),
    (("search", " "), "Expected a text to search for."),
    (("show", "person", "x"), "NAME: Expected a whole number"),
    (("show", "person", "99"), "There is no person 99."),
    (("show", "game", "nothing"), "There is no game 'nothing'."),
    (("show", "table", "1"), "Expected one of person, game, study, got 'table'."),
    (("remove", "chat", "g0"), "Expected a chat message as GAME/NUMBER, got 'g0'."),
    (("remove", "chat", "g0/1"), "There is no chat message 'g0/1'."),
    (("remove", "game", "x" * 100), "Cannot store the target"),
    (("rename", "1", "\u202e"), "NAME has no visible characters."),
    (("rename", "1", "x" * 31), "Expected a name of at most 30 characters."),
    (("mute", "x"), "Expected a whole number"),
    (("mute", "1", "--reason", "x" * 201), "Cannot store the reason"),
    (("ban", "network", "::/0"), "::/0 is too wide."),
    (("ban", "network", "everybody"), "Expected an IP address or a network"),
    (("ban", "network", "127.0.0.1"), "127.0.0.1/32 is this machine"),
    (("unban", "network", "192.0.2.0/24"), "192.0.2.0/24 is not banned."),
    (("unmute", "1"), "Person 1 is not muted."),
    (("reports", "--handle", "9"), "No report 9 is waiting."),
    (("notice",), "Expected the text of a notice, or --clear."),
    (("notice", "x", "--clear"), "Expected the text of a notice, or --clear."),
    (("notice", "--clear"), "There is no notice."),
    (("open",), "The server is open."),
    (("token", "--revoke"), "Missing argument: NAME."),
    (("token", "\u202e"), "NAME has no visible characters."),
    (("token", "x" * 81), "Cannot store the operator"),
]


def test_what_is_wrong_gets_one_line_and_changes_nothing(pentad: Pentad, url: str) -> None:
    before = real_games.tables(url)
    for words, message in WRONG:
        answer = pentad("admin", *words)
        if not words:
            assert answer.code == 0
            continue
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), words
        assert message in answer.err
    assert real_games.tables(url) == before


def test_a_database_is_neither_made_nor_migrated(pentad: Pentad, home: Path) -> None:
    answer = pentad("admin", "bans")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"pentad: There is no database {home / 'pentad.db'}.")
    assert not (home / "pentad.db").exists()
    real_games.make(f"sqlite:///{home / 'pentad.db'}")
    with sqlite3.connect(home / "pentad.db") as raw:
        raw.execute("UPDATE pentad_version SET version_num = '1'")
    raw.close()
    answer = pentad("admin", "bans")
    assert answer.code == 2
    assert f"has schema 1. The server brings it to {LAST_MIGRATION}" in answer.err
