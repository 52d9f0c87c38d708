"""A new game of two persons at a server, for the benchmarks that play many."""

from __future__ import annotations

from typing import Any

import httpx


async def new_game(client: httpx.AsyncClient, kind: str, **wish: Any) -> tuple[str, list[str]]:
    """Makes a game; returns its name and the cookies of its two players."""
    client.cookies.clear()
    made = await client.post("/api/rooms", json={"game": kind, "seats": ["human", "open"], **wish})
    made.raise_for_status()
    room: str = made.json()["room"]
    client.cookies.clear()
    sat = await client.post(f"/api/rooms/{room}/seats", json={})
    sat.raise_for_status()
    client.cookies.clear()
    return room, [answer.cookies["pentad"] for answer in (made, sat)]
