"""The page's application in a process: requests come as lines of JSON, and so do the answers.

Neither the real packages nor anything else that a page does not have can be imported here.
"""

from __future__ import annotations

import sys

ABSENT = (
    "alembic", "annotated_types", "anyio", "defusedxml", "numpy", "pydantic_settings", "segno", "sqlalchemy",
    "typing_extensions", "typing_inspection", "uvicorn", "websockets",
)  # fmt: skip


class Guard:
    """Refuses to import the modules that a page does not have."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in ABSENT:
            raise ImportError(f"{name} is not in a page")


sys.meta_path.insert(0, Guard)  # type: ignore[arg-type]

import asyncio  # noqa: E402
import json  # noqa: E402
from typing import Any, cast  # noqa: E402

import fastapi  # noqa: E402
import pydantic  # noqa: E402
import pydantic_core  # noqa: E402
import starlette  # noqa: E402

from pentad.site.browser.application import Application  # noqa: E402
from pentad.web.rooms.registry import Rooms  # noqa: E402
from pentad.web.rooms.room import World  # noqa: E402
from pentad.web.services import Services  # noqa: E402
from tests.site import room_names  # noqa: E402
from tests.site.small_store import NOW, FirstMoves, SmallStore  # noqa: E402

for package in (fastapi, pydantic, pydantic_core, starlette):
    assert "/site/packages/" in str(package.__file__), package


def application() -> Application:
    store, engines = cast(Any, SmallStore()), cast(Any, FirstMoves())
    rooms = Rooms(World(store, engines, clock=lambda: 0.0, wall=lambda: NOW))
    services = Services(store, engines, rooms)
    return Application.of(services, ("play", "board", "study", "learn", "models"), base="http://127.0.0.1")


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
            answer = [status, headers.get("content-type"), text]
        elif name == "connect":
            page = Page()
            pages[len(pages)] = page, asyncio.create_task(app.connect(given[0], page))
            answer = len(pages) - 1
        elif name == "send":
            pages[given[0]][0].incoming.put_nowait(given[1])
        elif name == "receive":
            page = pages[given[0]][0]
            answer, page.received = [page.received, page.code], []
        await asyncio.sleep(0.02 if name in ("connect", "send") else 0)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(serve())
