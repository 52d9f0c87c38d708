"""Accounts: signing up and in, what comes along, and what others can learn or take over by it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.web import authentication, passkeys
from tests.web.moderated import Moderated, at_server, guest

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1"
ELSEWHERE = "203.0.113.9"


async def signed_up(client: httpx.AsyncClient, name: str = "Ada") -> str:
    """Makes an account in this browser; returns its code."""
    answer = await client.post("/api/sign-up", json={"name": name})
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == name
    return str(answer.json()["code"])


async def account(client: httpx.AsyncClient) -> dict[str, Any]:
    return dict((await client.get("/api/account")).json())


async def seats(client: httpx.AsyncClient) -> list[list[str]]:
    return [each["seats"] for each in (await client.get("/api/mine")).json()]


def sign_in(client: httpx.AsyncClient, name: str, code: str) -> Any:
    return client.post("/api/sign-in", json={"name": name, "code": code})


def test_a_name_a_code_and_the_games_of_both_browsers(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        ada = server.ada
        await server.game(name="Anna")
        assert (await account(ada))["games"] == 1
        first = ada.cookies["pentad"]
        code = await signed_up(ada)
        assert ada.cookies["pentad"] != first  # nobody who knew it is signed in
        assert [await account(ada), (await ada.get("/api/me")).json()] == [
            {**await account(ada), "name": "Ada", "has_code": True, "games": 1},
            {"name": "Ada"},
        ]
        assert await seats(ada) == [["Ada", ""]]
        async with guest(server.app, ELSEWHERE) as phone:
            phone.headers["User-Agent"] = PHONE
            await phone.post("/api/rooms", json={"game": "pente", "seats": ["human", "open"], "name": "Annie"})
            before = phone.cookies["pentad"]
            assert (await sign_in(phone, " ada", code.upper().replace("-", " "))).json() == {"name": "Ada"}
            assert phone.cookies["pentad"] not in (before, ada.cookies["pentad"])
            assert await seats(phone) == await seats(ada) == [["Ada", ""]] * 2
            found = {each["browser"]: each["here"] for each in (await account(phone))["sessions"]}
            assert found == {"Safari on iPhone": True, "Another program": False}
            assert (await phone.post("/api/sign-out")).status_code == 204
            assert "pentad" not in phone.cookies
            assert (await account(phone))["name"] == ""
        async with guest(server.app, ELSEWHERE) as thief:
            thief.cookies["pentad"] = before
            assert (await account(thief))["games"] == 0

    at_server(tmp_path, visit, operator=False)


def test_an_open_game_follows_and_waits_for_nobody_else(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        code = await signed_up(server.ada)
        async with guest(server.app, ELSEWHERE) as phone, guest(server.app, "203.0.113.10") as bea:
            made = await phone.post("/api/rooms", json={"game": "pentago", "seats": ["human", "open"], "name": "Guest"})
            room = made.json()["room"]
            assert (await sign_in(phone, "Ada", code)).status_code == 200
            taken = await bea.post(f"/api/rooms/{room}/seats", json={"name": "Bea"})
            assert taken.status_code == 200, taken.text
            assert await seats(server.ada) == await seats(bea) == [["Ada", "Bea"]]
            again = await phone.post(f"/api/rooms/{room}/seats", json={})
            assert (again.status_code, "error" in again.json()) == (422, True)

    at_server(tmp_path, visit, operator=False)


def test_the_name_of_an_account_is_nobody_else_s(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        await signed_up(server.ada, "Ada")
        async with guest(server.app, ELSEWHERE) as eve:
            for name in (
                "ada",
                "\u0410da",
                "\uff21da",
                "Ad\u00e1",
                "Computer",
                "Admin",
                "deleted  Player",
                "\u200bx",
                "a",
                "...",
            ):
                assert (await eve.post("/api/sign-up", json={"name": name})).status_code == 422, name
            wanted = {"game": "pentago", "seats": ["human", "open"], "name": "ADA"}
            assert (await eve.post("/api/rooms", json=wanted)).status_code == 422
            assert (await eve.put("/api/me", json={"name": "ada"})).status_code == 422
            room = await server.game(name="Bob")  # an account keeps its name, whatever a page has saved
            assert await seats(server.ada) == [["Ada", ""]]
            assert (await eve.post(f"/api/rooms/{room}/seats", json={"name": "ada!"})).status_code == 422
            assert (await server.ada.put("/api/me", json={"name": "Bob"})).status_code == 422
            assert (await server.ada.put("/api/me", json={"name": "Ada"})).status_code == 200
            assert (await server.ada.put("/api/account/name", json={"name": "Bob"})).json() == {"name": "Bob"}
            assert await seats(server.ada) == [["Bob", ""]]
            await signed_up(eve, "Ada")
            assert (await eve.put("/api/account/name", json={"name": "Bob"})).status_code == 422

    at_server(tmp_path, visit, operator=False)


def test_a_name_goes_to_one_of_those_who_ask_at_once(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        async with guest(server.app, ELSEWHERE) as bea, guest(server.app, "203.0.113.10") as eve:
            asked = [each.post("/api/sign-up", json={"name": "Ada"}) for each in (server.ada, bea, eve)]
            assert sorted(each.status_code for each in await asyncio.gather(*asked)) == [201, 422, 422]

    at_server(tmp_path, visit, operator=False)


def test_an_unknown_name_is_answered_like_a_wrong_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verified: list[str] = []
    hasher = authentication._hasher()

    class Counting:
        def hash(self, code: str) -> str:
            return str(hasher.hash(code))

        def verify(self, code_hash: str, code: str) -> bool:
            verified.append(code_hash)
            return bool(hasher.verify(code_hash, code))

    monkeypatch.setattr(authentication, "_hasher", Counting)

    async def visit(server: Moderated) -> None:
        code = await signed_up(server.ada)
        async with guest(server.app, ELSEWHERE) as eve:
            wrong, unknown = await sign_in(eve, "Ada", "abcde"), await sign_in(eve, "Nobody", code)
            assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)
            assert wrong.status_code == 403
            assert len(verified) == 2  # the same work for each
            assert "pentad" not in eve.cookies

    at_server(tmp_path, visit, operator=False)


def test_codes_can_be_tried_a_few_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "fits", lambda code_hash, code: False)

    async def visit(server: Moderated) -> None:
        async with guest(server.app, ELSEWHERE) as eve:
            got = [(await sign_in(eve, f"Ada {i}", "x")).status_code for i in range(21)]
            assert got == [403] * 20 + [429]
        got = []
        for i in range(61):  # from everywhere, under names that look alike
            async with guest(server.app, f"198.51.{i}.1") as bot:
                got.append((await sign_in(bot, "BEA" if i % 2 else "bea", "x")).status_code)
        assert got == [403] * 60 + [429]

    at_server(tmp_path, visit, operator=False)


def test_a_new_code_ends_the_old_one(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        old = await signed_up(server.ada)
        new = (await server.ada.post("/api/account/code")).json()["code"]
        async with guest(server.app, ELSEWHERE) as phone:
            assert (await sign_in(phone, "Ada", old)).status_code == 403
            assert (await sign_in(phone, "Ada", new)).status_code == 200

    at_server(tmp_path, visit, operator=False)


def test_a_mute_comes_along_and_a_ban_stays(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        code = await signed_up(server.ada)
        (ada,) = (await server.moderation.search("Ada")).people
        async with guest(server.app, ELSEWHERE) as eve:
            await eve.post("/api/rooms", json={"game": "pentago", "seats": ["human", "open"], "name": "Eve"})
            (person,) = (await server.moderation.search("Eve")).people
            assert (await server.act("mute", person.number, reason="insults")).status_code == 200
            assert (await sign_in(eve, "Ada", code)).status_code == 200
            muted = server.app._admission.muted
            assert (muted(ada.number), muted(person.number)) == ("You are muted: insults.", "")
            assert (await server.act("ban person", ada.number)).status_code == 200
            for each in (server.ada, eve):
                assert (await each.put("/api/account/name", json={"name": "Bea"})).status_code == 403
        async with guest(server.app, "203.0.113.10") as new:
            refused = await sign_in(new, "Ada", code)
            assert (refused.status_code, "banned" in refused.json()["error"]) == (422, True)

    at_server(tmp_path, visit)


def test_without_an_account_its_page_changes_nothing(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        await server.game()
        for method, path, body in (
            ("POST", "/api/account/code", None),
            ("POST", "/api/sign-out", None),
            ("PUT", "/api/account/name", {"name": "Ada"}),
        ):
            assert (await server.ada.request(method, path, json=body)).status_code == 403
        assert (await account(server.ada))["name"] == ""

    at_server(tmp_path, visit, operator=False)


def test_a_passkey_answers_the_challenge_of_its_own_browser_once(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        ada, made = server.ada, {"credential": "{}"}
        at_a_number = await ada.post("/api/sign-up/passkey/options", json={"name": "Ada"})
        assert (at_a_number.status_code, "https" in at_a_number.json()["error"]) == (422, True)
        ada.base_url = httpx.URL("http://localhost")
        asked = await ada.post("/api/sign-up/passkey/options", json={"name": "Ada"})
        options = json.loads(asked.json()["options"])
        assert (options["rp"]["id"], options["user"]["name"]) == ("localhost", "Ada")
        assert "HttpOnly" in asked.headers["set-cookie"]
        ticket = asked.cookies["pentad-challenge"]
        async with guest(server.app, ELSEWHERE) as eve:
            eve.base_url = ada.base_url
            late = await eve.post("/api/sign-up/passkey", json=made)
            assert late.json() == {"error": passkeys.TOO_LATE}
        other = await ada.post("/api/sign-in/passkey", json=made)  # the challenge was for another purpose
        assert other.json() == {"error": passkeys.TOO_LATE}
        used = {"Cookie": f"pentad-challenge={ticket}"}
        again = await ada.post("/api/sign-up/passkey", json=made, headers=used)
        assert again.json() == {"error": passkeys.TOO_LATE}
        for credential in (
            "",
            "[]",
            '{"id": 7}',
            "{",
            '{"id": "x", "rawId": "x", "type": "public-key", "response": {}}',
        ):
            await ada.post("/api/sign-up/passkey/options", json={"name": "Ada"})
            answer = await ada.post("/api/sign-up/passkey", json={"credential": credential})
            assert (answer.status_code, answer.json()) == (403, {"error": passkeys.WRONG}), credential
            await ada.post("/api/sign-in/passkey/options")
            answer = await ada.post("/api/sign-in/passkey", json={"credential": credential})
            assert (answer.status_code, answer.json()) == (403, {"error": passkeys.WRONG}), credential
        assert (await account(ada))["name"] == ""

    at_server(tmp_path, visit, operator=False)


def test_a_link_signs_in_once_and_a_session_is_revoked(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        await signed_up(server.ada)
        link = (await server.ada.post("/api/account/link")).json()
        assert "<svg" in link["svg"]
        root, _, secret = link["url"].partition("#")
        assert (root, link["seconds"]) == ("http://127.0.0.1/sign-in", 120.0)
        async with guest(server.app, ELSEWHERE) as phone:
            assert (await phone.post("/api/sign-in/link/look", json={"secret": secret})).json() == {"name": "Ada"}
            assert (await phone.post("/api/sign-in/link", json={"secret": secret})).json() == {"name": "Ada"}
            again = await phone.post("/api/sign-in/link", json={"secret": secret})
            assert again.status_code == 403
            (other,) = (each for each in (await account(server.ada))["sessions"] if not each["here"])
            assert (await phone.post(f"/api/account/sessions/{other['name']}/revoke")).status_code == 204
            assert (await account(phone))["name"] == ""
            assert "pentad" not in phone.cookies
        assert len((await account(server.ada))["sessions"]) == 1
        assert (await server.ada.post("/api/account/sessions/unknown/revoke")).status_code == 204

    at_server(tmp_path, visit, operator=False)
