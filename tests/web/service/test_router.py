"""The table of services: which route answers, how requests are read, and what each failure becomes."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

import pytest

from pentad.game import GameError
from pentad.web import refusal_texts
from pentad.web.app import SERVED
from pentad.web.backend import Backend
from pentad.web.http.exchange import BUG, NORMAL, REFUSED, Caller, JsonText, Response, StatusError
from pentad.web.page_workers import BackgroundThreads
from pentad.web.service import routes
from pentad.web.service.router import GET, POST, PUT, SOCKET, SVG, Nothing, Posted, Route, Router
from pentad.web.typed_json import LARGE, Converted, Length, Range
from tests import event_loop
from tests.cases import together


@dataclass(frozen=True)
class Jump:
    type: Literal["jump"]
    height: Annotated[int, Range(0, 9)]


@dataclass(frozen=True)
class Say:
    type: Literal["say"]
    text: Annotated[str, Length(20)]


@dataclass(frozen=True)
class InRoom:
    name: Annotated[str, Length(8)]
    moves: int
    body: Jump | Say
    flip: bool = False


@dataclass(frozen=True)
class Search:
    word: str
    limit: Annotated[int, Range(1, 50)] = 10


@dataclass(frozen=True)
class Anything:
    query: Annotated[dict[str, Annotated[str, Length(5)]], Length(2)] = field(default_factory=dict)


def _beside_the_event_loop(value: object) -> object:
    assert not event_loop.is_running()
    return value


@dataclass(frozen=True)
class Long:
    text: Annotated[str, Converted(_beside_the_event_loop)]


@dataclass(frozen=True)
class PathRequest:
    path: str


async def act(backend: Backend, caller: Caller, request: InRoom) -> InRoom:
    """The request."""
    return request


async def post(backend: Backend, caller: Caller, request: Posted[dict[str, int]]) -> JsonText[dict[str, int]]:
    """The body."""
    caller.new_key = "new"
    return JsonText(json.dumps(request.body))


async def long(backend: Backend, caller: Caller, request: Posted[Long]) -> int:
    """The length of the text."""
    return len(request.body.text)


async def search(backend: Backend, caller: Caller, request: Search) -> list[Search]:
    """The request in a list."""
    return [request]


async def anything(backend: Backend, caller: Caller, request: Anything) -> dict[str, str]:
    """All parameters."""
    return request.query


async def picture(backend: Backend, caller: Caller, request: PathRequest) -> Response:
    """A picture."""
    return Response(f"<svg>{request.path}</svg>", {"Cache-Control": "no-cache"})


async def remove(backend: Backend, caller: Caller, request: Nothing) -> None:
    """Nothing."""


FAULTS = {"game": GameError("No."), "status": StatusError(403, "Not you.", {"X": "1"}), "bug": ZeroDivisionError("x")}


async def fail(backend: Backend, caller: Caller, request: PathRequest) -> None:
    """Fails."""
    raise FAULTS[request.path]


async def echo(backend: Backend, caller: Caller, request: Search, socket: Any) -> None:
    """Sends what it receives, until the end."""
    while (text := await socket.receive()) is not None:
        await socket.send(f"{request.word}: {text}")
    if request.limit == 13:
        raise ZeroDivisionError


TABLE = (
    Route(PUT, "/rooms/{name}/{moves}", act),
    Route(POST, "/rooms", post, status=201),
    Route(POST, "/long", long),
    Route(GET, "/rooms", search),
    Route(GET, "/rooms/{rest}", anything),
    Route(GET, "/files/{path:path}", picture, media=SVG),
    Route(POST, "/remove", remove, status=204),
    Route(GET, "/fail/{path}", fail),
    Route(SOCKET, "/rooms", echo),
)


@dataclass(frozen=True)
class Threads:
    """The part of a backend that reads large bodies."""

    bodies: BackgroundThreads


def respond(method: str, path: str, body: str | bytes | None = None) -> Response:
    address = urlsplit(path)

    async def whole() -> Response:
        backend = cast(Backend, Threads(BackgroundThreads(1)))
        try:
            return await Router(TABLE, backend).respond(method, address.path, address.query, body, Caller(url=address))
        finally:
            await backend.bodies.close()

    return asyncio.run(whole())


def refusal(found: Response) -> tuple[int | None, str]:
    assert found.headers["content-type"] == "application/json"
    answer = json.loads(found.body)
    assert list(answer) == ["error"]
    return found.status, answer["error"]


def test_large_bodies_are_read_beside_the_event_loop() -> None:
    assert respond(POST, "/long", json.dumps({"text": "x" * LARGE}).encode()).body == str(LARGE)
    unclosed = "JSON, line 1, column 2: The string is not closed."
    assert refusal(respond(POST, "/long", b'["' + b"x" * LARGE)) == (422, unclosed)
    assert refusal(respond(POST, "/long", b"\xff" * (LARGE + 1))) == (422, refusal_texts.NOT_UTF8)


def test_a_request_is_read_from_its_path_its_query_and_its_body() -> None:
    found = respond(PUT, "/rooms/ada/3?flip=yes&more=1", b'{"type": "jump", "height": 2}')
    assert (found.status, found.headers) == (200, {"content-type": "application/json"})
    assert json.loads(found.body) == {
        "name": "ada",
        "moves": 3,
        "body": {"type": "jump", "height": 2},
        "flip": True,
    }
    assert json.loads(respond(GET, "/rooms?word=a%20b&word=c").body) == [{"word": "c", "limit": 10}]
    assert json.loads(respond(GET, "/rooms/x?a=1&b=").body) == {"a": "1", "b": ""}


def test_answers_have_the_status_and_the_type_of_their_route() -> None:
    assert respond(POST, "/rooms", '{"a": 1}') == Response('{"a": 1}', {"content-type": "application/json"}, 201)
    assert respond(POST, "/remove") == Response(b"", {}, 204)
    assert respond("HEAD", "/files/a/b").body == "<svg>a/b</svg>"  # the adapters leave it away
    assert respond(GET, "/files/").headers == {"content-type": SVG, "Cache-Control": "no-cache"}


ACT = "/rooms/ada/3"


@together(
    ("method", "path", "body", "status", "error"),
    [
        # JSON itself
        (PUT, ACT, None, 422, "Expected JSON, got nothing."),
        (PUT, ACT, "", 422, "Expected JSON, got nothing."),
        (PUT, ACT, "{'type': 1}", 422, "JSON, line 1, column 2: Expected a name in double quotes."),
        (PUT, ACT, '{"type": "say",', 422, "JSON, line 1, column 16: Expected a name in double quotes."),
        (PUT, ACT, '{"type": "jump", "height": NaN}', 422, "JSON: NaN is not a number."),
        (PUT, ACT, '{"type": "say", "text": "\\ud800"}', 422, "JSON: \\ud800 is half of a surrogate pair."),
        (PUT, ACT, "[" * 50_000 + "]" * 10**5, 422, "JSON: Lists and objects are nested too deeply."),
        (PUT, ACT, "9" * 10**4, 422, "JSON: A number has too many digits."),
        (PUT, ACT, b'{"type": "\xff"}', 422, "Expected a request in UTF-8."),
        # values
        (PUT, ACT, "[]", 422, "Expected the request to be an object, got a list."),
        (PUT, ACT, '{"text": "a"}', 422, 'Missing field "type".'),
        (PUT, ACT, '{"type": "run"}', 422, "Expected \"type\" to be 'jump' or 'say', got 'run'."),
        (PUT, ACT, '{"type": "say", "height": 1}', 422, 'Missing field "text".'),
        (PUT, ACT, '{"type": "say", "text": "", "height": 1}', 422, 'Unknown field "height".'),
        (PUT, ACT, '{"type": "jump", "height": 10}', 422, 'Expected "height" to be from 0 to 9, got 10.'),
        (PUT, ACT, '{"type": "jump", "height": 1e999}', 422, 'Expected "height" to be a whole number, got inf.'),
        (PUT, ACT, '{"type": "say", "text": 5}', 422, 'Expected "text" to be text, got 5.'),
        (
            *(PUT, ACT, f'{{"type": "say", "text": "{"x" * 21}"}}', 422),
            'Expected at most 20 characters in "text", got 21.',
        ),
        (POST, "/rooms", '{"a": null}', 422, 'Expected "a" to be a whole number, got null.'),
        # addresses
        (PUT, "/rooms/ada/x", "{}", 422, "Expected \"moves\" to be a whole number, got 'x'."),
        (PUT, "/rooms/adaadaada/3", "{}", 422, 'Expected at most 8 characters in "name", got 9.'),
        (PUT, f"{ACT}?flip=maybe", "{}", 422, "Expected \"flip\" to be true or false, got 'maybe'."),
        (GET, "/rooms", None, 422, 'Missing field "word".'),
        (GET, "/rooms?word=a&limit=51", None, 422, 'Expected "limit" to be from 1 to 50, got 51.'),
        (GET, "/rooms?word=a&limit=", None, 422, "Expected \"limit\" to be a whole number, got ''."),
        (GET, "/rooms/x?a=123456", None, 422, 'Expected at most 5 characters in "a", got 6.'),
        (GET, "/rooms/x?a=&b=&c=", None, 422, "Expected at most 2 items in the address, got 3."),
        # where there is nothing
        (GET, "/none", None, 404, "There is nothing at this address."),
        (GET, "//rooms", None, 404, "There is nothing at this address."),
        ("DELETE", "/rooms", None, 405, "Expected GET or POST at this address, got DELETE."),
        (PUT, "/remove", "{}", 405, "Expected POST at this address, got PUT."),
        # failures of functions
        (GET, "/fail/game", None, 422, "No."),
        (GET, "/fail/status", None, 403, "Not you."),
        (GET, "/fail/bug", None, 500, "Internal error (a bug in pentad): ZeroDivisionError."),
    ],
)
def test_bad_requests_get_a_status_and_a_sentence(
    method: str, path: str, body: str | bytes | None, status: int, error: str
) -> None:
    assert refusal(respond(method, path, body)) == (status, error)


def test_refusals_have_their_headers() -> None:
    assert respond("DELETE", "/rooms").headers["Allow"] == "GET, HEAD, POST"
    assert respond(GET, "/fail/status").headers["X"] == "1"


@together(
    ("path", "location"),
    [("/rooms/?word=a", "/rooms?word=a"), ("/fail/%C3%BC/", "/fail/%25C3%25BC"), ("/rooms/a/3/", "/rooms/a/3")],
)
def test_a_slash_too_many_leads_to_the_address_without_it(path: str, location: str) -> None:
    found = respond(GET, path)
    assert (found.status, found.headers, found.body) == (307, {"Location": location}, b"")


def test_only_bugs_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    respond(GET, "/fail/game")
    respond(PUT, ACT, "x")
    assert caplog.messages == []
    respond(GET, "/fail/bug")
    assert caplog.messages == ["Internal error in GET /fail/{path}."]  # a path may be a secret link
    assert caplog.records[0].levelno == logging.ERROR


def test_a_page_can_be_shown_where_there_is_nothing() -> None:
    page = Response("missing", {}, 404)
    router = Router(TABLE, cast(Any, None), lambda caller: page if caller.key else None)
    assert asyncio.run(router.respond(GET, "/none", "", None, Caller("key"))) == page
    assert asyncio.run(router.respond(GET, "/none", "", None, Caller())).status == 404


# ── sockets ──────────────────────────────────────────────────────────────────────────────────────


class Socket:
    """A socket with some messages; it may be lost before the first answer."""

    def __init__(self, *messages: str, lost: bool = False) -> None:
        self.messages, self.lost = list(messages), lost
        self.log: list[object] = []

    async def accept(self) -> None:
        self.log.append("accepted")

    async def receive(self) -> str | None:
        return self.messages.pop(0) if self.messages else None

    async def send(self, text: str) -> None:
        if self.lost:
            raise ConnectionError
        self.log.append(text)

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        self.log.append((code, reason))


@together(
    ("path", "query", "expected"),
    [
        ("/rooms", "word=a", ["accepted", "a: x", "a: y", (NORMAL, "")]),
        ("/rooms", "", [(REFUSED, 'Missing field "word".')]),
        ("/rooms", "word=a&limit=x", [(REFUSED, "Expected \"limit\" to be a whole number, got 'x'.")]),
        ("/none", "", [(REFUSED, "There is nothing at this address.")]),
        ("/remove", "", [(REFUSED, "There is nothing at this address.")]),
        ("/rooms", "word=a&limit=13", ["accepted", "a: x", "a: y", (BUG, "Internal error (a bug in pentad).")]),
    ],
)
def test_a_socket_is_served_or_closed_with_a_reason(path: str, query: str, expected: list[object]) -> None:
    socket = Socket("x", "y")
    asyncio.run(Router(TABLE, cast(Any, None)).connect(path, query, Caller(), socket))
    assert socket.log == expected


def test_a_lost_socket_is_no_bug(caplog: pytest.LogCaptureFixture) -> None:
    socket = Socket("x", lost=True)
    asyncio.run(Router(TABLE, cast(Any, None)).connect("/rooms", "word=a", Caller(), socket))
    assert caplog.messages == []


# ── the whole table ──────────────────────────────────────────────────────────────────────────────


@together("route", SERVED)
def test_each_route_has_a_request_an_answer_and_words(route: Route) -> None:
    assert inspect.iscoroutinefunction(route.function)
    assert list(inspect.signature(route.function).parameters)[:3] == ["backend", "caller", "request"]
    assert set(route.names) - {"rest"} <= set(route.types)
    assert (route.method == SOCKET) is ("socket" in route.hints)
    assert "return" in route.hints
    assert inspect.getdoc(route.function) or not route.public
    assert ("body" in route.types) <= (route.method in (POST, PUT))


def test_a_page_without_a_server_has_the_routes_of_a_server_with_one_person() -> None:
    own = {(each.method, each.path) for each in routes.ROUTES}
    assert len(own) == len(routes.ROUTES) > 40
    assert {path for method, path in own if method == SOCKET} == {
        "/api/rooms/{name}",
        "/api/study/engine",
        "/api/models/{name}/explore",
    }
    assert own < {(each.method, each.path) for each in SERVED}
