"""Both applications behind one interface: the server's, and the page's in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self, cast

import httpx

import pentad
from pentad.web.app import create_app
from pentad.web.rooms.room import RoomEnvironment
from tests.web.site import room_names
from tests.web.site.headers import HEADERS
from tests.web.site.small_store import NOW, FirstMoves, SmallStore

SOURCE = Path(pentad.__file__).parent.parent
ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
from tests.web.site.absent import Guard
sys.meta_path.insert(0, Guard)
from tests.web.site.application_process import main
main()
"""
Answer = tuple[int, list[str | None], str]  # the status, the headers of `HEADERS` and the body


class PageApplication:
    """The page's application."""

    def __init__(self) -> None:
        folders = (SOURCE / "pentad" / "web" / "site" / "packages", SOURCE, ROOT)
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        )

    def call(self, *given: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(given), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def handle(self, method: str, path: str, body: str | None = None) -> Answer:
        status, headers, text = self.call("handle", method, path, body)
        return status, headers, text

    def connect(self, path: str) -> int:
        number: int = self.call("connect", path)
        return number

    def send(self, number: int, text: str | None) -> None:
        self.call("send", number, text)

    def receive(self, number: int) -> tuple[list[str], int | None]:
        texts, code = self.call("receive", number)
        return texts, code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


class _Socket:
    """A socket of the server's application."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.incoming.put_nowait({"type": "websocket.connect"})
        self.received: list[str] = []
        self.code: int | None = None

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.received.append(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message.get("code", 1000)


class ServerApplication:
    """The server's application, without a socket."""

    def __init__(self) -> None:
        room_names.fix()
        store, engines = cast(Any, SmallStore()), cast(Any, FirstMoves())
        self._runner = asyncio.Runner()
        world = RoomEnvironment(store, engines, clock=lambda: 0.0, wall=lambda: NOW)
        self._app = self._run(self._make(world))
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
        self._sockets: list[tuple[_Socket, asyncio.Task[None]]] = []

    @staticmethod
    async def _make(world: RoomEnvironment) -> Any:
        return create_app(world.store, engines=world.engines, world=world)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(work)

    def handle(self, method: str, path: str, body: str | None = None) -> Answer:
        headers = {"Content-Type": "application/json"} if body else {}
        answer = self._run(self._client.request(method, path, content=body, headers=headers))
        kind = answer.headers.get("content-type")
        text = answer.content.decode("latin-1" if kind == "application/zip" else "utf-8")
        return answer.status_code, [answer.headers.get(header) for header in HEADERS], text

    def connect(self, path: str) -> int:
        self._run(self._connect(path))
        return len(self._sockets) - 1

    async def _connect(self, path: str) -> None:
        socket = _Socket()
        place, _, query = path.partition("?")
        cookies = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
        headers = [(b"host", b"127.0.0.1"), *([(b"cookie", cookies.encode())] if cookies else [])]
        scope = {
            "type": "websocket", "path": place, "query_string": query.encode(), "headers": headers,
            "client": ("127.0.0.1", 1), "scheme": "ws", "server": ("127.0.0.1", 80), "subprotocols": [],
        }  # fmt: skip
        self._sockets.append((socket, asyncio.create_task(self._app(scope, socket.incoming.get, socket.send))))

    def send(self, number: int, text: str | None) -> None:
        """Sends a text, or the end."""
        ended = {"type": "websocket.disconnect", "code": 1000}
        message = ended if text is None else {"type": "websocket.receive", "text": text}
        self._sockets[number][0].incoming.put_nowait(message)
        self._run(asyncio.sleep(0))

    def receive(self, number: int) -> tuple[list[str], int | None]:
        """The texts since the last call, and the code with which the socket was closed."""
        self._run(asyncio.sleep(0.005))
        socket = self._sockets[number][0]
        received, socket.received = socket.received, []
        return received, socket.code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._client.aclose())
        self._runner.close()
