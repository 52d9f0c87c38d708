"""The web application: the page, the catalogue and new rooms over HTTP, and each room's WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pentad import __version__, drawing
from pentad.game import GameError, Option, game, games, shorten
from pentad.play.seats import HUMAN
from pentad.search.bot import own_bots, rival
from pentad.web.api import BotInfo, Catalogue, ErrorMessage, GameInfo, NewRoom, OptionInfo, Refusal, RoomMade
from pentad.web.guard import Guard
from pentad.web.rooms import Connection, Room, Rooms, TooManyRooms
from pentad.web.workers import Thinker, Workers

STATIC = Path(__file__).parent / "static"
SWEEP_EVERY = 60.0  # seconds
COOKIE_AGE = 30 * 24 * 3600  # seconds that a browser keeps the secret of a seat
GONE = 4404  # the code with which the socket of a room that does not exist is closed
NOT_TEXT = 1003

_PLACE_FOR_BOARD = "<!-- board -->"
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": text}
    for status, text in (
        (403, "it comes from another site's page"),
        (413, "it is too large"),
        (421, "the server has another name"),
        (422, "it cannot be, and why"),
        (503, "every room is in use"),
    )
}


class OwnFiles(StaticFiles):
    """Files that a browser asks after each time, so that a new version is never mixed with an old one."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path == "board.css":  # how boards look is told by the drawing, for pages and pictures alike
            return Response(drawing.STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})
        return await super().get_response(path, scope)


def create_app(*, hosts: Iterable[str] = (), thinker: Thinker | None = None) -> Guard:
    """The application; `hosts` are further names of this machine, `thinker` another way for bots to think."""
    workers = Workers()
    rooms = Rooms(thinker or workers)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if thinker is None:
            await workers.warm()
        sweeping = asyncio.create_task(_sweep(rooms))
        try:
            yield
        finally:
            sweeping.cancel()
            rooms.close()
            await workers.close()

    app = FastAPI(
        title="pentad",
        summary="Play Pentago, Pente and Pentagame.",
        description="A room is made over HTTP. What happens in it goes over its WebSocket, /api/rooms/{room}.",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # those pages load their scripts from another host
        redoc_url=None,
    )
    app.add_exception_handler(RequestValidationError, _refuse_unreadable)
    app.add_exception_handler(HTTPException, _refuse_http)
    app.add_exception_handler(Exception, _own_up)
    app.mount("/static", OwnFiles(directory=STATIC))
    _add_pages(app, rooms)
    _add_interface(app, rooms)
    return Guard(app, hosts)


async def _sweep(rooms: Rooms) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        rooms.sweep()


def _refuse(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)


async def _refuse_unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return _refuse(422, shorten(f"{where}: {first['msg']}" if where else str(first["msg"]), 200))


async def _refuse_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _own_up(_: Request, error: Exception) -> Response:
    """A bug: its traceback is in the server's log."""
    return _refuse(500, f"this is a bug in pentad: {type(error).__name__}")


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


def _page(svg: str) -> str:
    """The page with a board in it already, so that there is something to see before any script runs."""
    return (STATIC / "index.html").read_text(encoding="utf-8").replace(_PLACE_FOR_BOARD, svg)


@cache
def _first_board() -> str:
    return game(games()[0]).new().svg(style=False)


def _add_pages(app: FastAPI, rooms: Rooms) -> None:
    @app.get("/", include_in_schema=False)
    async def home() -> HTMLResponse:
        return HTMLResponse(_page(_first_board()))

    @app.get("/favicon.ico", include_in_schema=False)  # asked for where no page names the icon
    async def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg")

    @app.get("/play/{name}", include_in_schema=False)
    async def play(name: str) -> HTMLResponse:
        room = rooms.get(name)
        if room is None:
            return HTMLResponse(_page(_first_board()), 404)  # the page says so itself
        table = room.table
        return HTMLResponse(_page(table.position.svg(last=table.last, style=False)))


# ── the interface ────────────────────────────────────────────────────────────────────────────────


def _add_interface(app: FastAPI, rooms: Rooms) -> None:
    @app.get("/api/games")
    async def catalogue() -> Catalogue:
        """What can be played here, with which options and against whom."""
        return _catalogue()

    @app.post("/api/rooms", status_code=201, responses=_REFUSALS)
    async def make_room(wish: NewRoom, request: Request, response: Response) -> RoomMade:
        """A room for a new game. The secret of each seat that a person takes is set as a cookie."""
        try:
            room = rooms.make(wish)
        except GameError as error:
            raise HTTPException(422, str(error)) from None
        except TooManyRooms as error:
            raise HTTPException(503, str(error)) from None
        for seat, key in enumerate(room.keys):
            if key is not None:
                _set_cookie(response, request, room, seat, key)
        return RoomMade(room=room.name, page=f"/play/{room.name}")

    @app.websocket("/api/rooms/{name}")
    async def look(socket: WebSocket, name: str) -> None:
        await socket.accept()
        room = rooms.get(name)
        if room is None:
            await socket.send_text(ErrorMessage(error="this game is not kept here any more").model_dump_json())
            await socket.close(GONE)
            return
        await _serve(socket, room)


def _set_cookie(response: Response, request: Request, room: Room, seat: int, key: str) -> None:
    response.set_cookie(
        f"seat{seat}",
        key,
        path=f"/api/rooms/{room.name}",  # so that no other request carries it
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


async def _serve(socket: WebSocket, room: Room) -> None:
    """Carry messages between a socket and its room until it closes."""
    keys = {seat: socket.cookies.get(f"seat{seat}", "") for seat in range(len(room.keys))}
    connection = Connection(room.seats_of(keys))
    room.join(connection)
    writing = asyncio.create_task(_write(socket, room, connection))
    try:
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            if text is None:
                await socket.close(NOT_TEXT, "messages are text")
                break
            room.receive(connection, text)
    finally:
        room.leave(connection)
        writing.cancel()


async def _write(socket: WebSocket, room: Room, connection: Connection) -> None:
    with contextlib.suppress(Exception):  # the reader learns of a lost connection too, and ends this
        while True:
            await socket.send_text((await connection.next(room)).model_dump_json())


@cache
def _catalogue() -> Catalogue:
    return Catalogue(person=HUMAN, games=[_game_info(name) for name in games()])


def _game_info(name: str) -> GameInfo:
    kind = game(name)
    start = kind.new()
    return GameInfo(
        name=name,
        title=kind.title,
        summary=kind.summary,
        players=start.players,
        colours=list(kind.colours),
        options=[_option_info(option) for option in kind.options.values()],
        bots=[
            BotInfo(
                name=who,
                summary=entry.summary,
                levels=(entry.levels[0], entry.levels[-1]) if entry.levels else None,
            )
            for who, entry in own_bots(name).items()
        ],
        rival=rival(name),
    )


def _option_info(option: Option) -> OptionInfo:
    default = option.default
    return OptionInfo(
        name=option.name,
        kind="boolean" if isinstance(default, bool) else "integer" if isinstance(default, int) else "choice",
        default=None if option.usual else default,
        help=option.help,
        minimum=option.minimum,
        maximum=option.maximum,
        allowed=list(option.allowed),
        several=option.several,
    )
