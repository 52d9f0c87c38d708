"""Blocking and muting: no seat, no rematch, no open game and no message of who is blocked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.web.moderated import Moderated, at_server, guest
from tests.web.service.test_accounts import ELSEWHERE, signed_up


async def people(client: httpx.AsyncClient, room: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in (await client.get(f"/api/rooms/{room}/people")).json()}


async def decide(client: httpx.AsyncClient, room: str, name: str, **decision: bool) -> int:
    key = (await people(client, room))[name]["key"]
    return (await client.put(f"/api/rooms/{room}/people", json={"key": key, **decision})).status_code


def test_who_is_blocked_gets_no_seat_and_sees_no_open_game(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        first = await server.game()
        async with guest(server.app, ELSEWHERE) as eve:
            await eve.post(f"/api/rooms/{first}/seats", json={"name": "Eve"})
            assert await decide(server.ada, first, "Eve", blocked=True) == 204
            assert (await people(eve, first))["Ada"]["blocked"] is False  # nobody learns of it
            made = await server.ada.post(
                "/api/rooms", json={"game": "pente", "seats": ["human", "open"], "listed": True, "name": "Ada"}
            )
            room = made.json()["room"]
            refused = await eve.post(f"/api/rooms/{room}/seats", json={"name": "Eve"})
            assert (refused.status_code, "does not want" in refused.json()["error"]) == (422, True)
            assert (await eve.get("/api/lobby")).json() == []
            async with guest(server.app, "203.0.113.10") as bea:
                assert [each["room"] for each in (await bea.get("/api/lobby")).json()] == [room]
            (blocked,) = (await server.ada.get("/api/mine/people")).json()
            assert (blocked["name"], blocked["blocked"]) == ("Eve", True)
            unknown = await eve.put("/api/mine/people", json={"key": blocked["key"]})
            assert unknown.status_code == 404  # a key means something to one person alone
            assert (await server.ada.put("/api/mine/people", json={"key": blocked["key"]})).status_code == 204
            assert (await server.ada.get("/api/mine/people")).json() == []
            assert (await eve.post(f"/api/rooms/{room}/seats", json={"name": "Eve"})).status_code == 200

    at_server(tmp_path, visit, operator=False)


def test_who_is_blocked_gets_no_rematch_also_after_signing_in(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        async with guest(server.app, ELSEWHERE) as eve, guest(server.app, "203.0.113.10") as phone:
            await eve.post(f"/api/rooms/{room}/seats", json={"name": "Eve"})
            assert await decide(server.ada, room, "Eve", blocked=True) == 204
            code = await signed_up(eve, "Eve")
            assert (await phone.post("/api/sign-in", json={"name": "Eve", "code": code})).status_code == 200
            refused = await phone.post(f"/api/rooms/{room}/again")
            assert "does not want" in refused.json()["error"]
            assert (await people(server.ada, room))["Eve"]["blocked"] is True

    at_server(tmp_path, visit, operator=False)


def test_there_is_nobody_to_block_where_nobody_is(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        assert await people(server.ada, room) == {}
        assert (await server.ada.put(f"/api/rooms/{room}/people", json={"key": "x"})).status_code == 404
        assert (await server.ada.get("/api/rooms/abcdefghjk/people")).status_code == 404

    at_server(tmp_path, visit, operator=False)
