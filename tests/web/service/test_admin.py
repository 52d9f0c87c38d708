"""The operators' services: who gets in, what they do, and attacks on them."""

from __future__ import annotations

import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest

from pentad.web.http.ratelimit import RateLimiter
from pentad.web.service import admin
from pentad.web.service.router import GET
from tests.web.app import URL
from tests.web.moderated import AWAY, HOME, TOKEN, Moderated, at_server, guest

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _forget_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries of other tests do not count."""
    monkeypatch.setattr(admin, "_TRIES", RateLimiter(admin.TRIES, lambda: 0.0))


def test_without_a_token_there_is_nothing(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        for path in ("/admin", "/admin/bans"):
            answer = await server.ada.get(path)
            assert (answer.status_code, "Page not found" in answer.text) == (404, True)
        for path in ("/api/admin", "/api/admin/bans", "/api/admin/persons/1"):
            answer = await server.ada.get(path)
            assert (answer.status_code, answer.json()["error"]) == (404, "There is nothing at this address.")
        assert (await server.ada.post("/api/admin/login", json={"token": TOKEN})).status_code == 404
        assert not (await server.ada.get("/api/announcements")).json()["reports"]

    at_server(tmp_path, visit, operator=False)


def test_a_session_begins_with_a_token_and_ends(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        async with guest(server.app, HOME) as other:
            answer = await other.post("/api/admin/login", json={"token": TOKEN}, headers={"X-Forwarded-Proto": "https"})
            cookie = answer.headers["Set-Cookie"].lower()
            for part in ("pentad-operator=", "httponly", "samesite=strict", "secure", "path=/api/admin"):
                assert part in cookie
            assert TOKEN not in cookie
        assert (await server.olga.get("/api/admin")).json()["name"] == "Olga"
        assert (await server.ada.get("/admin")).status_code == 200  # the page has nothing of the server
        secret = server.olga.cookies["pentad-operator"]
        assert (await server.olga.post("/api/admin/logout", json={})).status_code == 204
        server.olga.cookies.set("pentad-operator", secret)
        assert (await server.olga.get("/api/admin")).status_code == 403

    at_server(tmp_path, visit)


def test_a_revoked_token_ends_its_sessions(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        await server.moderation.add_operator("Otto", b"hash", "a test", 2.0)
        assert (await server.act("revoke token", "Olga")).status_code == 200
        answer = await server.olga.get("/api/admin")
        assert (answer.status_code, answer.json()["error"]) == (403, admin.NO_SESSION)

    at_server(tmp_path, visit)


def test_a_wrong_token_is_logged_and_tries_are_limited(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def visit(server: Moderated) -> None:
        for _ in range(int(admin.TRIES.most)):
            answer = await server.ada.post("/api/admin/login", json={"token": "guess"})
            assert (answer.status_code, answer.json()["error"]) == (403, admin.WRONG_TOKEN)
        answer = await server.ada.post("/api/admin/login", json={"token": TOKEN})
        assert answer.status_code == 429
        assert (await server.ada.get("/api/admin")).status_code == 403
        assert (await server.olga.post("/api/admin/login", json={"token": TOKEN})).status_code == 200

    with caplog.at_level(logging.WARNING):
        at_server(tmp_path, visit)
    assert "A wrong operator's token from 198.51.100.0/24." in caplog.messages
    assert "guess" not in caplog.text


@pytest.mark.parametrize("token", ["", "x" * 101, "\ud83d", "é", TOKEN[:-1], f"{TOKEN} "])
def test_no_other_text_is_a_token(tmp_path: Path, token: str) -> None:
    async def visit(server: Moderated) -> None:
        answer = await server.ada.post("/api/admin/login", content=json.dumps({"token": token}))
        assert answer.status_code in (403, 422)
        assert "Set-Cookie" not in answer.headers

    at_server(tmp_path, visit)


def test_every_service_needs_a_session(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        open_to_all = ("/api/admin/login", "/api/admin/logout")
        for route in admin.ROUTES:
            path = route.path.format(number=1, name="x")
            if path in open_to_all:
                continue
            for cookie in ("", "rubbish", server.ada.cookies.get("pentad", "")):
                headers = {"Cookie": f"pentad-operator={cookie}"}
                query = {"text": "x"} if path.endswith("search") else {}
                if route.method == GET:
                    answer = await server.ada.get(path, headers=headers, params=query)
                else:
                    answer = await server.ada.post(path, headers=headers, json={"kind": "notice", "text": "Hacked."})
                assert (answer.status_code, answer.json()["error"]) == (403, admin.NO_SESSION), path
        assert (await server.ada.get("/api/announcements")).json()["notice"] is None

    at_server(tmp_path, visit)


def test_another_site_s_page_cannot_act(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        body = '{"kind": "notice", "text": "Hacked."}'
        for headers in (
            {"Origin": "https://evil.example", "Content-Type": "text/plain"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site", "Origin": "http://evil.127.0.0.1"},
        ):
            answer = await server.olga.post("/api/admin/actions", content=body, headers=headers)
            assert answer.status_code == 403, headers
        answer = await server.olga.post("/api/admin/actions", content=body, headers={"Origin": URL})
        assert answer.status_code == 200

    at_server(tmp_path, visit)


def test_a_banned_network_can_only_read(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        assert (await server.act("ban network", "198.51.100.0/24", reason="Floods.")).status_code == 200
        answer = await server.ada.post("/api/rooms", json={"game": "pentago"})
        assert (answer.status_code, answer.json()["error"]) == (403, "This network is banned: Floods.")
        assert (await server.ada.get(f"/play/{room}")).status_code == 200
        assert (await server.act("unban network", "198.51.100.0/24")).status_code == 200
        await server.game()

    at_server(tmp_path, visit)


def test_a_banned_person_can_only_read_and_a_muted_one_still_play(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        await server.game()
        ada = await server.number_of_ada()
        assert (await server.act("mute", ada)).status_code == 200
        await server.game()
        until = 4102444800.0
        assert (await server.act("ban person", ada, until=until, reason="insults")).status_code == 200
        answer = await server.ada.put("/api/me", json={"name": "Eve"})
        assert answer.status_code == 403
        assert answer.json()["error"] == "You are banned until 1 January 2100, 00:00 UTC: insults."
        async with guest(server.app, AWAY) as neighbour:
            assert (await neighbour.put("/api/me", json={"name": "Bea"})).status_code == 200
        file = (await server.olga.get(f"/api/admin/persons/{ada}")).json()
        assert [ban["kind"] for ban in file["bans"]] == ["mute", "ban"]

    at_server(tmp_path, visit)


def test_the_operator_s_own_network_is_banned_only_if_that_is_meant(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        answer = await server.act("ban network", "192.0.2.0/24")
        assert answer.status_code == 409
        assert answer.json()["error"] == "192.0.2.0/24 has your own address. Ban it nevertheless?"
        assert (await server.olga.get("/api/admin/bans")).json() == []
        assert (await server.act("ban network", "192.0.2.0/24", sure=True)).status_code == 200
        assert (await server.olga.put("/api/me", json={"name": "Olga"})).status_code == 403
        assert (await server.act("unban network", "192.0.2.0/24")).status_code == 200  # operators are not locked out

    at_server(tmp_path, visit)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": "ban network", "target": "::/0"}, "::/0 is too wide."),
    ({"kind": "ban network", "target": "0.0.0.0/0"}, "0.0.0.0/0 is too wide."),
    ({"kind": "ban network", "target": "x" * 81}, "Expected an IP address or a network"),
    ({"kind": "remove game", "target": "x" * 81}, "Cannot store the target"),
    ({"kind": "ban network", "target": EVIL}, "Expected an IP address or a network"),
    ({"kind": "dance"}, 'Expected "kind" to be'),
    ({"kind": "mute", "target": 1}, 'Expected "target" to be'),
    ({"kind": "mute", "target": "1", "until": "tomorrow"}, 'Expected "until" to be'),
    ({"kind": "mute", "target": "1", "until": 1e400}, ""),
    ({"kind": "mute", "target": "99"}, "There is no person 99."),
    ({"kind": "rename", "target": "1", "text": "\u202e"}, "The name has no visible characters."),
    ({"kind": "rename", "target": "1", "text": "x" * 31}, "Expected a name of at most 30 characters."),
    ({"kind": "make token", "target": "Eve"}, "Only the command line makes tokens."),
    ({"kind": "open"}, "The server is open."),
    ({"kind": "close", "text": "x"}, "Expected when the server closes."),
    ({"kind": "notice", "text": "x" * 501}, "Cannot store the note"),
    ({"kind": "notice", "text": "\0"}, "Cannot store the note"),
    ({}, "Missing field"),
]


def test_wrong_input_gets_one_line_and_changes_nothing(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        before = await server.moderation.state()
        for body, message in WRONG:
            answer = await server.olga.post("/api/admin/actions", content=json.dumps(body))
            assert answer.status_code == 422, body
            error = answer.json()["error"]
            assert error.startswith(message), error
            assert "\n" not in error
        assert await server.moderation.state() == before
        for path in (
            "persons/99",
            "persons/x",
            "persons/-1",
            "games/x",
            "studies/x",
            "search?text=",
            f"games/{'x' * 41}",
        ):
            answer = await server.olga.get(f"/api/admin/{path}")
            assert (answer.status_code, "\n" in answer.json()["error"]) == (422, False), path

    at_server(tmp_path, visit)


def test_what_operators_see(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game(name=EVIL)
        found = (await server.olga.get("/api/admin/search", params={"text": "onerror"})).json()
        (person,) = found["people"]
        assert (person["name"], person["games"]) == (EVIL, 1)
        file = (await server.olga.get(f"/api/admin/persons/{person['number']}")).json()
        assert [each["name"] for each in file["games"]] == [room]
        assert "198.51.100.5" not in str(file)  # only a part of the address
        game = (await server.olga.get(f"/api/admin/games/{room}")).json()
        assert (game["page"], game["game"]["seats"][0]["name"]) == (f"/play/{room}", EVIL)
        assert (await server.act("rename", person["number"], text="Player")).status_code == 200
        assert (await server.ada.get("/api/me")).json()["name"] == "Player"
        assert (await server.act("remove game", room, reason="rubbish")).status_code == 200
        assert (await server.ada.get(f"/play/{room}")).status_code == 404
        log = (await server.olga.get("/api/admin/actions")).json()
        assert [(each["operator"], each["kind"], each["reason"]) for each in log] == [
            ("Olga", "remove game", "rubbish"),
            ("Olga", "rename", ""),
            ("a test", "make token", ""),
        ]

    at_server(tmp_path, visit)


def test_a_notice_is_on_every_page_and_its_text_is_no_html(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        assert (await server.act("notice", text='Cake at noon "><script>alert(1)</script>')).status_code == 200
        for path in ("/", "/play", "/games", "/nothing"):
            text = (await server.ada.get(path)).text
            assert "Cake at noon" in text
            assert "<script>alert(1)" not in text
        assert (await server.ada.get("/api/announcements")).json()["notice"]["text"].startswith("Cake at noon")
        assert "Cake at noon" not in (await server.ada.get("/embed")).text
        await server.act("clear notice")
        assert "Cake at noon" not in (await server.ada.get("/")).text

    at_server(tmp_path, visit)


def test_a_closed_server_can_be_read_and_opened(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        now = time.time()
        assert (await server.act("close", until=now + 1e6, text="Back soon.")).status_code == 200
        await server.game()
        assert (await server.ada.get("/api/announcements")).json()["closing"]["left"] > 1e5
        assert (await server.act("close", until=1.0, text="Back soon.")).status_code == 200
        answer = await server.ada.post("/api/rooms", json={"game": "pentago"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        assert answer.json()["error"] == "The server is closed for maintenance. Back soon."
        assert (await server.ada.get(f"/play/{room}")).status_code == 503
        assert (await server.ada.get(f"/api/rooms/{room}/record")).status_code == 503
        assert (await server.ada.get("/games")).status_code == 200
        assert (await server.ada.get("/api/announcements")).json()["closing"] == {
            "text": "Back soon.",
            "at": pytest.approx(now, abs=1e9),
            "left": 0.0,
        }
        assert (await server.act("open")).status_code == 200
        assert (await server.ada.get(f"/play/{room}")).status_code == 200
        await server.game()

    at_server(tmp_path, visit)
