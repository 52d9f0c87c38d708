"""The server with a test's engines, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import uvicorn

from pentad.game import Position
from pentad.games.pentago.rules import PentagoPosition
from pentad.store import Store
from pentad.web import app as application
from pentad.web.engines import Engines, jobs

PlaceCallback = Callable[[int], None] | None
Answers = AsyncGenerator[dict[str, Any], None]
ENOUGH = 120.0  # seconds for an exact value
MEMORY_BYTES = 1 << 30
FEW_SPACES = 18


class InThreads:
    """Engines that run their jobs in threads instead of processes."""

    async def warm(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""

    def state(self) -> dict[str, Any]:
        return {"ready": True, "compiling": None, "share": None, "waiting": 0, "running": 0}

    async def _run(self, kind: str, *args: Any) -> Answers:
        answers = jobs.JOBS[kind](*args)
        while (answer := await asyncio.to_thread(next, answers, None)) is not None:
            yield answer

    def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback = None
    ) -> Answers:
        return self._run("analysis", position.text, seconds, lines)

    async def values(self, position: Position, *, owner: object, on_place: PlaceCallback = None) -> dict[str, Any]:
        if on_place:
            on_place(0)
        answers = [answer async for answer in self._run("values", position.text, ENOUGH, MEMORY_BYTES)]
        return answers[0]

    async def solved(self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback = None) -> Answers:
        async for answer in self._run("values", position.text, ENOUGH, MEMORY_BYTES, lines):
            yield answer

    def solves_at_once(self, position: Position) -> bool:
        return isinstance(position, PentagoPosition) and position.empty.bit_count() <= FEW_SPACES

    def review(self, record_text: str, *, seconds: float, owner: object, on_place: PlaceCallback = None) -> Answers:
        return self._run("review", record_text, seconds)


@contextlib.contextmanager
def serving(engines: Any, folder: Path) -> Iterator[str]:
    """Runs a server with a database in this folder; yields its address."""
    store = Store.open(f"sqlite:///{folder / 'games.db'}")
    app = application.create_app(store, engines=cast(Engines, engines))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws_max_size=1 << 16))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()
    store.close()
