"""An engine of the user's machine for the analysis page of a site: one WebSocket, for the pages that are allowed."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from pentad.game import GameError, shown
from pentad.jobs.fair_queue import Owner
from pentad.system.words import phrase
from pentad.web.asgi import ServerSocket
from pentad.web.engines import Engines
from pentad.web.http.security import SecurityMiddleware
from pentad.web.page_workers import BackgroundThreads
from pentad.web.serve import WebServer, listen, log_quietly
from pentad.web.service.analyse import AnalysisSession

HOST, PATH = "127.0.0.1", "/api/study/engine"
OWNER = Owner("local")  # all its requests have the same place in the queues


def read_origin(text: str) -> str:
    """The origin of a page: its address without the path.

    >>> read_origin("https://pentad.example/analyse")
    'https://pentad.example'
    """
    try:
        parts = urlsplit(text.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or "@" in parts.netloc:
        raise GameError("Expected the address of a site, such as https://pentad.example, not {text}.", text=shown(text))
    return f"{parts.scheme}://{parts.netloc}".lower()


def create_app(origins: Iterable[str], who: str | None = None) -> SecurityMiddleware:
    """The application: analysis of positions for the pages of some origins, by a bot or by the games' best engines."""
    pool, background = Engines(), BackgroundThreads()

    async def analyse(socket: WebSocket) -> None:
        await socket.accept()
        await AnalysisSession(ServerSocket(socket), pool, background, OWNER, who).serve()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await background.close()
            await pool.close()

    return SecurityMiddleware(Starlette(routes=[WebSocketRoute(PATH, analyse)], lifespan=lifespan), origins=origins)


def serve(port: int, origins: Iterable[str], who: str | None = None) -> None:
    """Serves until Ctrl-C or another stop signal."""
    allowed = sorted({read_origin(each) for each in origins})
    with contextlib.closing(listen(HOST, port)) as listener:
        log_quietly()
        address = f"ws://localhost:{listener.getsockname()[1]}"
        server = WebServer(
            create_app(allowed, who),
            phrase("Engine running at {address} for pages from {allowed}", address=address, allowed=", ".join(allowed)),
        )
        server.stop_on_signals()
        server.run(sockets=[listener])
