"""Services of a server with pages: the HTML of each page, and the files under `/static/`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache

from pentad.game import game, names
from pentad.system.words import phrase
from pentad.web import previews
from pentad.web.backend import Backend
from pentad.web.http import assets, pages
from pentad.web.http.exchange import Caller, Response
from pentad.web.http.request_context import request_number
from pentad.web.instant import rules
from pentad.web.rooms.registry import ServerClosed
from pentad.web.service.play import NameRequest, room_for
from pentad.web.service.router import GET, HTML, Nothing, Route

ASSETS = assets.Assets(more=rules.files)
AT_THE_TOP = {
    "/favicon.ico": "icon-32.png",  # for clients that do not read the page's link
    "/worker.js": "worker.js",  # a service worker only serves what lies below it
    "/embed.js": "embed.js",  # pages of other sites name it, whatever the hash
}


@dataclass(frozen=True)
class PageRequest:
    """A page, with the parameters of its address."""

    query: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RestOfPath:
    """What a script of the page reads from its address."""

    rest: str = ""


async def play(backend: Backend, caller: Caller, request: NameRequest) -> Response:
    """The page of a game."""
    try:
        room = await room_for(backend, caller, request.name)
    except ServerClosed:
        return _page("play", backend, caller, status=503)  # the page shows why itself, as it does an error
    if room is None:
        return _page("play", backend, caller, status=404)
    position, last = room.game.position, room.game.end.move
    board = await backend.background(caller, lambda: position.svg(last=last, style=False))
    return _page("play", backend, caller, board, previews.of_room(room))


async def file(backend: Backend, caller: Caller, request: NameRequest) -> Response:
    """A file of the pages."""
    return ASSETS.answer(request.name, caller.takes_gzip)


async def admin(backend: Backend, caller: Caller, request: RestOfPath) -> Response:
    """The page of the operators, which is there once one of them has a token."""
    is_there = backend.operators is not None and backend.operators.exist
    return _page("admin", backend, caller) if is_there else _page("missing", backend, caller, status=404)


def missing(backend: Backend, caller: Caller) -> Response | None:
    """The page at an address that has none; for programs there is none."""
    return None if caller.url.path.startswith(("/api/", "/static/")) else _page("missing", backend, caller, status=404)


@cache
def _first_board() -> str:
    return game(names()[0]).new().svg(style=False)


def _page(
    name: str,
    backend: Backend,
    caller: Caller,
    board: str = "",
    preview: pages.Preview | None = None,
    status: int = 200,
) -> Response:
    tags = ASSETS.placed((preview or pages.preview(name)).tags(caller.url.geturl(), caller.root), caller.root)
    text = ASSETS.placed(pages.page(name)).replace(pages.PREVIEW, tags).replace(pages.REQUEST, _request_line())
    if backend.operators is not None:
        text = text.replace(pages.ANNOUNCEMENTS, pages.announced(backend.operators.announcements().written))
    return Response(text.replace(pages.BOARD, board or _first_board()), {"content-type": HTML}, status)


def _request_line() -> str:
    """The number of the current request for a person to quote."""
    number = request_number()
    return f"<p><small>{phrase('Request {number}', number=number)}</small></p>" if number else ""


Function = Callable[..., Awaitable[Response]]


def _shows(name: str) -> Function:
    """The function that answers with a page."""

    async def show(backend: Backend, caller: Caller, request: PageRequest) -> Response:
        return _page(name, backend, caller, preview=await previews.of_query(backend, caller, request.query))

    return show


def _sends(name: str) -> Function:
    """The function that answers with a file."""

    async def send(backend: Backend, caller: Caller, request: Nothing) -> Response:
        return ASSETS.answer(name, caller.takes_gzip)

    return send


def _paths(name: str, page: pages.Page) -> list[str]:
    """The paths of a page; below that of most pages there are others."""
    return [page.path] if name in ("start", "play") or page.embedded else [page.path, f"{page.path}/{{rest}}"]


ROUTES = (
    Route(GET, "/static/{name:path}", file, public=False),
    *(Route(GET, path, _sends(name), public=False) for path, name in AT_THE_TOP.items()),
    *(
        Route(GET, path, _shows(name), media=HTML, public=False)
        for name, page in pages.PAGES.items()
        for path in _paths(name, page)
    ),
    Route(GET, "/play/{name}", play, media=HTML, public=False),
    *(Route(GET, path, admin, media=HTML, public=False) for path in ("/admin", "/admin/{rest:path}")),
)
