"""Both adapters of the table of services behind one interface: the server's, and the page's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import count
from typing import Any, Self, TypeVar, cast

import httpx
import pytest

from pentad.web.app import create_app
from pentad.web.backend import Backend
from pentad.web.page_workers import BackgroundThreads
from pentad.web.rooms import registry
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.service.router import Route, Router
from pentad.web.service.routes import ROUTES
from pentad.web.site.browser.dispatcher import Dispatcher, PageSocket
from tests.web.site.small_store import NOW, FirstMoves, SmallStore

T = TypeVar("T")
HEADERS = ("content-type", "content-disposition", "retry-after", "allow", "location")
Answer = tuple[int, list[str | None], str]  # the status, the headers of `HEADERS` and the body
ROOT = "http://127.0.0.1"


class Application:
    """An application with a store of its own. Names of rooms have a fixed order, so that two make equal ones."""

    def __init__(self) -> None:
        self._runner, self._numbers = asyncio.Runner(), count()
        store, engines = cast(Any, SmallStore()), cast(Any, FirstMoves())
        self.world = RoomEnvironment(store, engines, clock=lambda: 0.0, wall=lambda: NOW)
        self._sockets: list[tuple[Callable[[str | None], None], list[str], list[int], asyncio.Future[None]]] = []

    def _name(self) -> str:
        high, low = divmod(next(self._numbers), len(registry._LETTERS))
        return f"abcdefgh{registry._LETTERS[high]}{registry._LETTERS[low]}"

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(registry, "_new_name", self._name)
            return self._runner.run(work)

    def _keep(
        self, put: Callable[[str | None], None], sent: list[str], codes: list[int], work: Awaitable[None]
    ) -> None:
        self._sockets.append((put, sent, codes, asyncio.ensure_future(work)))

    def send(self, number: int, text: str | None) -> None:
        """Sends a text on a socket, or the end."""
        self._sockets[number][0](text)
        self._run(asyncio.sleep(0))

    def receive(self, number: int) -> tuple[list[str], int | None]:
        """The texts since the last call, and the code with which the socket was closed."""
        self._run(asyncio.sleep(0.005))
        _, sent, codes, _ = self._sockets[number]
        received = sent.copy()
        sent.clear()
        return received, codes[0] if codes else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()


class PageApplication(Application):
    """The page's application, with some services."""

    def __init__(self, routes: Sequence[Route] = ROUTES) -> None:
        super().__init__()
        self._routes = routes
        self._dispatcher = self._run(self._make())

    async def _make(self) -> Dispatcher:
        backend = Backend(self.world.store, self.world.engines, Rooms(self.world), workers=BackgroundThreads())
        return Dispatcher(Router(self._routes, backend), base=ROOT)

    def handle(self, method: str, path: str, body: str | None = None) -> Answer:
        status, headers, content = self._run(self._dispatcher.handle(method, path, body))
        named = {name.lower(): value for name, value in headers.items()}
        text = content if isinstance(content, str) else content.decode("latin-1")
        return status, [named.get(header) for header in HEADERS], text

    def connect(self, path: str) -> int:
        self._run(self._connect(path))
        return len(self._sockets) - 1

    async def _connect(self, path: str) -> None:
        sent, codes = list[str](), list[int]()
        socket = PageSocket(sent.append, lambda code, _: codes.append(code))

        def put(text: str | None) -> None:
            socket.leave() if text is None else socket.put(text)

        self._keep(put, sent, codes, self._dispatcher.connect(path, socket))


class ServerApplication(Application):
    """The server's application, without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self._app = self._run(self._make())
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url=ROOT)

    async def _make(self) -> Any:
        return create_app(
            self.world.store, engines=self.world.engines, workers=BackgroundThreads(), rooms=Rooms(self.world)
        )

    def handle(self, method: str, path: str, body: str | None = None) -> Answer:
        answer = self._run(self._client.request(method, path, content=body))
        kind = answer.headers.get("content-type")
        text = answer.content.decode("latin-1" if kind == "application/zip" else "utf-8")
        return answer.status_code, [answer.headers.get(header) for header in HEADERS], "" if method == "HEAD" else text

    def connect(self, path: str) -> int:
        self._run(self._connect(path))
        return len(self._sockets) - 1

    async def _connect(self, path: str) -> None:
        incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        incoming.put_nowait({"type": "websocket.connect"})
        sent, codes = list[str](), list[int]()
        place, _, query = path.partition("?")
        cookies = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
        headers = [(b"host", b"127.0.0.1"), *([(b"cookie", cookies.encode())] if cookies else [])]
        scope = {
            "type": "websocket", "path": place, "query_string": query.encode(), "headers": headers,
            "client": ("127.0.0.1", 1), "scheme": "ws", "server": ("127.0.0.1", 80), "subprotocols": [],
        }  # fmt: skip

        async def send(message: Any) -> None:
            if message["type"] == "websocket.send":
                sent.append(message["text"])
            elif message["type"] == "websocket.close":
                codes.append(message.get("code", 1000))

        def put(text: str | None) -> None:
            ended = {"type": "websocket.disconnect", "code": 1000}
            incoming.put_nowait(ended if text is None else {"type": "websocket.receive", "text": text})

        self._keep(put, sent, codes, self._app(scope, incoming.get, send))

    def __exit__(self, *given: object) -> None:
        self._run(self._client.aclose())
        super().__exit__(*given)
