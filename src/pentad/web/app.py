"""The web application: pages, routes and error responses."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import AsyncIterator, Iterable
from functools import cache

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from pentad.game import game, names
from pentad.store import Store
from pentad.system.version import __version__
from pentad.web import previews
from pentad.web.api import refusals
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.http import assets, pages
from pentad.web.http.request_parsing import explain
from pentad.web.http.security import SecurityMiddleware
from pentad.web.refusals import STATUSES, Refused, refused
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.routes import FOR_SERVERS, ROUTES
from pentad.web.services import Client, Services

log = logging.getLogger(__name__)

COMPRESSION = 4  # of 9: shrinks a page to a fifth in 0.15 ms; higher levels gain little
SWEEP_EVERY = 30.0  # seconds
ASSETS = assets.Assets()
REFUSALS = refusals({  # of any request
    400: "The request cannot be read.",
    403: "The request comes from another site's page.",
    408: "The request body did not arrive in time.",
    413: "The request body is too large.",
    421: "The server has another name.",
    422: "The request is invalid; the error says why.",
    429: "Too many requests in a short time.",
})  # fmt: skip


def create_app(
    store: Store,
    *,
    hosts: Iterable[str] = (),
    others: str = "",
    proxies: Iterable[str] = (),
    engines: Engines | None = None,
    world: RoomEnvironment | None = None,
) -> SecurityMiddleware:
    """The application; `hosts` are further names of this machine, `engines` replace the default engine pool.

    `others` is the address at which other machines in the network find it, if any; `proxies` are trusted in addition to
    those on this machine.
    """
    pool = engines or Engines()
    rooms = Rooms(world or RoomEnvironment(store, pool))

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # A first compilation takes a minute. Games between persons need not wait for it.
        tasks = [asyncio.create_task(_warm(pool)), asyncio.create_task(rooms.keep_swept(SWEEP_EVERY))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            rooms.close()
            services.background.close()
            await asyncio.gather(pool.close(), services.explorations.close())

    app = FastAPI(
        title="pentad",
        summary="Play Pentago, Pente and Pentagame.",
        description="Rooms are created over HTTP. Their events go over a WebSocket, /api/rooms/{room}.",
        version=__version__,
        lifespan=lifespan,
        responses=REFUSALS,
        docs_url=None,  # these pages load their scripts from another host
        redoc_url=None,
    )
    app.add_exception_handler(RequestValidationError, _refuse_unreadable)
    app.add_exception_handler(HTTPException, _refuse_http)
    for kind in (*STATUSES, Exception):  # the last one are bugs; their tracebacks are in the server's log
        app.add_exception_handler(kind, _refuse_failed)
    # The size of a compressed response leaks something to another site's page only if its requests carry the cookie
    # (BREACH), and the cookie is `SameSite=Strict`. WebSockets are not compressed.
    app.add_middleware(GZipMiddleware, minimum_size=assets.LEAST_COMPRESSED, compresslevel=COMPRESSION)
    app.include_router(assets.router(ASSETS))
    services = Services(store, pool, rooms, others)
    for name in (*ROUTES, *FOR_SERVERS):
        app.include_router(importlib.import_module(f"pentad.web.routes.{name}").router(services))
    _add_pages(app, services)
    return SecurityMiddleware(app, hosts, proxies)


async def _warm(engines: Engines) -> None:
    try:
        await engines.warm()
    except WorkerFailed as failed:
        log.warning("Cannot prepare the engines: %s", failed)


def _refuse(refusal: Refused) -> JSONResponse:
    return JSONResponse(refusal.body, refusal.status, refusal.headers)


async def _refuse_unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _refuse(Refused(422, explain(error.errors())))


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and not request.url.path.startswith(("/api/", "/static/")):
        return _page("missing", request, status=404)
    return _refuse(Refused(error.status_code, error.detail, error.headers or {}))


async def _refuse_failed(_: Request, error: Exception) -> Response:
    return _refuse(refused(error))


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


@cache
def _first_board() -> str:
    return game(names()[0]).new().svg(style=False)


def _page(
    name: str, request: Request, board: str = "", preview: pages.Preview | None = None, status: int = 200
) -> HTMLResponse:
    root = f"{request.url.scheme}://{request.url.netloc}"
    tags = ASSETS.placed((preview or pages.preview(name)).tags(str(request.url), root), root)
    text = ASSETS.placed(pages.page(name)).replace(pages.PREVIEW, tags)
    return HTMLResponse(text.replace(pages.BOARD, board or _first_board()), status)


def _add_pages(app: FastAPI, services: Services) -> None:
    def serve(name: str, *paths: str) -> None:
        async def show(request: Request, client: Client) -> HTMLResponse:
            return _page(name, request, preview=await previews.of_query(services, client, request.query_params))

        for path in paths:
            app.add_api_route(path, show, methods=["GET", "HEAD"], include_in_schema=False, response_class=HTMLResponse)

    for name, page in pages.PAGES.items():
        serve(name, page.path, *(() if name in ("start", "play") or page.embedded else (f"{page.path}/{{rest}}",)))

    @app.get("/play/{name}", include_in_schema=False)
    async def play(name: str, request: Request, client: Client) -> HTMLResponse:
        room = await services.rooms.get(name, client)
        if room is None:
            return _page("play", request, status=404)  # the page shows the error itself
        position, last = room.game.position, room.game.end.move
        board = await services.background(client, lambda: position.svg(last=last, style=False))
        return _page("play", request, board, previews.of_room(room))
