"""What one address may begin in a while."""

import asyncio
from pathlib import Path

import httpx
from pentad.web.pace import MOST, WITHIN, Pace

from tests.web.app import URL, app_with


def test_so_many_and_no_more_until_some_time_has_gone_by() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0], most=3, within=10.0)
    assert [pace.allows("192.0.2.1") for _ in range(5)] == [True, True, True, False, False]
    assert pace.allows("192.0.2.2")
    now[0] = 9.9
    assert not pace.allows("192.0.2.1")
    now[0] = 10.0
    assert pace.allows("192.0.2.1")


def test_this_machine_may_begin_what_it_likes() -> None:
    pace = Pace(lambda: 0.0, most=1)
    assert all(pace.allows(address) for address in ("127.0.0.1", "::1", "127.0.0.1", "::1"))


def test_a_million_addresses_are_not_remembered() -> None:
    pace = Pace(lambda: 0.0)
    for number in range(30_000):
        assert pace.allows(f"2001:db8::{number:x}")
    assert len(pace._counts) <= 10_000


def test_who_floods_the_lobby_is_refused_and_nobody_else(tmp_path: Path) -> None:
    async def flood(address: str, times: int) -> list[int]:
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            found = [await client.put("/api/me", json={"name": "Mallory"}) for _ in range(times)]
            assert (await client.get("/api/lobby")).status_code == 200
            board = await client.post("/api/board", json={"position": found[0].text})
            assert board.status_code == 422  # which keeps nothing, and is asked for at each touch
            return [answer.status_code for answer in found]

    with app_with(tmp_path) as app:
        assert asyncio.run(flood("192.0.2.1", MOST + 2)) == [200] * MOST + [429] * 2
        assert asyncio.run(flood("192.0.2.2", 1)) == [200]
    assert WITHIN >= 60
