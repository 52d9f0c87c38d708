"""The page's application in a process: requests come as lines of JSON, and so do the answers."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, cast

import fastapi
import pydantic
import pydantic_core
import starlette

from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.routes import ROUTES
from pentad.web.services import Services
from pentad.web.site.browser.application import Application
from tests.web.site import room_names
from tests.web.site.headers import HEADERS
from tests.web.site.small_store import NOW, FirstMoves, SmallStore


def application() -> Application:
    store, engines = cast(Any, SmallStore()), cast(Any, FirstMoves())
    rooms = Rooms(RoomEnvironment(store, engines, clock=lambda: 0.0, wall=lambda: NOW))
    services = Services(store, engines, rooms)
    return Application.of(services, ROUTES, base="http://127.0.0.1")


class Page:
    """The page's end of a socket."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[str | None] = asyncio.Queue()
        self.received: list[str] = []
        self.code: int | None = None

    def send(self, text: str) -> None:
        self.received.append(text)

    def closed(self, code: int, reason: str) -> None:
        self.code = code


async def serve() -> None:
    room_names.fix()
    app, pages = application(), dict[int, tuple[Page, asyncio.Task[None]]]()
    while line := await asyncio.to_thread(sys.stdin.readline):
        name, *given = json.loads(line)
        answer: Any = None
        if name == "handle":
            status, headers, body = await app.handle(*given)
            text = body if isinstance(body, str) else body.decode("latin-1")
            answer = [status, [headers.get(header) for header in HEADERS], text]
        elif name == "connect":
            page = Page()
            pages[len(pages)] = page, asyncio.create_task(app.connect(given[0], page))
            answer = len(pages) - 1
        elif name == "send":
            pages[given[0]][0].incoming.put_nowait(given[1])
        elif name == "receive":
            await asyncio.sleep(0.005)
            page = pages[given[0]][0]
            answer, page.received = [page.received, page.code], []
        print(json.dumps(answer), flush=True)


def main() -> None:
    for package in (fastapi, pydantic, pydantic_core, starlette):
        assert "/site/packages/" in str(package.__file__), package
    asyncio.run(serve())
