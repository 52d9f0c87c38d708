"""The application in the test's process with an operator, and what the operator's page asks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import httpx
from starlette.applications import Starlette

from pentad.store import Store
from pentad.store.moderation import Moderation
from pentad.web.app import create_app
from pentad.web.http.identity import hash_of
from pentad.web.http.security import SecurityMiddleware
from pentad.web.page_workers import BackgroundThreads
from tests.web.app import browser
from tests.web.room_fixtures import SlowEngines

TOKEN = "a-token-of-Olga"
HOME, AWAY = "192.0.2.77", "198.51.100.5"  # the operator's address, and that of somebody else


class Moderated:
    """A server with an operator; `olga` is logged in, `ada` is a player, each at an address of their own."""

    def __init__(self, app: SecurityMiddleware, store: Store, olga: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
        self.app, self.store, self.moderation, self.olga, self.ada = app, store, Moderation(store), olga, ada

    async def act(self, kind: str, target: object = "", **more: Any) -> httpx.Response:
        return await self.olga.post("/api/admin/actions", json={"kind": kind, "target": str(target), **more})

    async def game(self, *seats: str, name: str = "Ada") -> str:
        """A new game of Ada."""
        made = await self.ada.post(
            "/api/rooms", json={"game": "pentago", "seats": seats or ("human", "open"), "name": name}
        )
        assert made.status_code == 201, made.text
        return str(made.json()["room"])

    async def number_of_ada(self) -> int:
        (person,) = (await self.moderation.search("Ada")).people
        return person.number


def guest(app: SecurityMiddleware, address: str) -> httpx.AsyncClient:
    """A client at an address."""
    client = browser(app)
    client.headers["X-Forwarded-For"] = address
    return client


@contextlib.asynccontextmanager
async def running(folder: Path, *, operator: bool = True) -> AsyncIterator[Moderated]:
    """A server that has started."""
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        if operator:
            await Moderation(store).add_operator("Olga", hash_of(TOKEN), "a test", 1.0)
        app = create_app(store, engines=SlowEngines(), workers=BackgroundThreads())  # type: ignore[arg-type]
        starlette = cast(Starlette, app.app)
        async with (
            starlette.router.lifespan_context(starlette),
            guest(app, HOME) as olga,
            guest(app, AWAY) as ada,
        ):
            await asyncio.sleep(0)  # its tasks begin now
            if operator:
                answer = await olga.post("/api/admin/login", json={"token": TOKEN})
                assert answer.status_code == 200, answer.text
            yield Moderated(app, store, olga, ada)
    finally:
        store.close()


def at_server(folder: Path, visit: Callable[[Moderated], Awaitable[None]], *, operator: bool = True) -> None:
    """Runs a visit to such a server."""

    async def run() -> None:
        async with running(folder, operator=operator) as server:
            await visit(server)

    asyncio.run(run())
