"""The server of a page: the services and rooms of `pentad.web` over the browser's own storage and workers.

`static/python/python.js` starts it in a worker and carries requests and sockets to it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

from pentad.game import game, names
from pentad.jobs.pool import Pool
from pentad.kernels.libraries import manifest
from pentad.play.puzzles import puzzles
from pentad.web.backend import Backend, ExplorationPool
from pentad.web.engines import Engines
from pentad.web.http.identity import COOKIE
from pentad.web.page_workers import BackgroundThreads
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.service.play import whole_catalogue
from pentad.web.service.router import Router
from pentad.web.service.routes import ROUTES
from pentad.web.site.browser import begun_games
from pentad.web.site.browser.dispatcher import Dispatcher, PageSocket
from pentad.web.site.browser.processes import Received, WebWorker, WorkerProcess
from pentad.web.site.browser.storage import BrowserStore

if TYPE_CHECKING:
    from pentad.store import Store

OF_WORKERS = ("pentad.web.site.browser.console", "pentad.web.site.browser.worker")  # that run no server
JOBS = ("pentad.web.engines.jobs", "pentad.web.exploration_job")
PARTS = ("rules", "draw", "bot", "formats", "setup", "exact", "memory", "puzzles", "lessons")
COOKIES = {COOKIE: "here"}  # identity asks for one; there is one person
SWEEP_SECONDS = 60.0


class ServerScript(Protocol):
    """What JavaScript gives the server."""

    friends_server: str
    """The address of a server for games with others, or nothing."""

    memory: int
    """The megabytes that engines may use."""

    def storage(self, operations: str) -> Awaitable[str]:
        """Runs operations on the browser's rows."""

    def changed(self, name: str) -> None:
        """Tells the other tabs that a game has a new event."""

    def startWorker(self, module: str, received: Received) -> WebWorker:  # noqa: N802 - a name of JavaScript
        """Starts a worker for the jobs of a module."""


class SiteServer:
    """The application with its rooms and engines."""

    def __init__(self, environment: ServerScript) -> None:
        store = cast("Store", BrowserStore(environment.storage, environment.changed))
        engines = Engines(1, environment.memory, ready=True)
        self._rooms = Rooms(RoomEnvironment(store, engines))
        background = BackgroundThreads()
        backend = Backend(
            store,
            engines,
            self._rooms,
            friends=False,
            friends_server=environment.friends_server,
            background=background,
            workers=background,
            explorations=ExplorationPool(1),
        )
        self._dispatcher = Dispatcher(Router((*ROUTES, *begun_games.ROUTES), backend), dict(COOKIES))
        self._tasks: set[asyncio.Future[Any]] = set()
        self._keep(self._rooms.keep_swept(SWEEP_SECONDS))

    def _keep(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def request(self, method: str, path: str, body: str | None) -> tuple[int, list[tuple[str, str]], str | bytes]:
        """The status, headers and body of the answer to a request."""
        status, headers, content = await self._dispatcher.handle(method, path, body)
        return status, [(name.lower(), value) for name, value in headers.items()], content

    def refresh(self, name: str) -> None:
        """Another tab has changed a game."""
        self._keep(self._rooms.refresh(name))

    def connect(self, path: str, send: Callable[[str], None], closed: Callable[[int, str], None]) -> PageSocket:
        """Opens a socket."""
        socket = PageSocket(send, closed)
        self._keep(self._dispatcher.connect(path, socket))
        return socket


def preload() -> None:
    """Imports the modules of all pages, and computes what they compute once; called before the snapshot is made."""
    for module in (*OF_WORKERS, *JOBS):
        importlib.import_module(module)
    for name in names():
        kind = game(name)
        for part in PARTS:
            if kind.has(part):
                kind.module(part)
        kind.new().svg(style=False)
        puzzles(name)
    whole_catalogue()
    manifest()


def start(environment: ServerScript) -> SiteServer:
    """Starts the server; called by `static/python/python.js`."""
    from pyodide.ffi import create_proxy  # type: ignore[import-not-found]

    def start_worker(module: str, received: Received) -> WebWorker:
        return environment.startWorker(module, create_proxy(received))  # it outlives this call

    Pool.process_class = WorkerProcess
    WorkerProcess.start_worker = staticmethod(start_worker)
    return SiteServer(environment)
