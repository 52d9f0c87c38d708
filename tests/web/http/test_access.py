"""The access log: numbers of requests, a line for each, and their counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from pentad.web.http import access
from pentad.web.http.access import LEFT, AccessMiddleware
from pentad.web.http.request_context import CURRENT, UNMATCHED, note_route, request_number, with_number

App = Callable[[Any, Any, Any], Awaitable[None]]


async def hello(scope: Any, receive: Any, send: Any) -> None:
    note_route("/hello/{name}")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": request_number().encode()})


def client(app: App) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(AccessMiddleware(app)), base_url="http://localhost")  # type: ignore[arg-type]


def requests(method: str, route: str, status: int) -> float:
    return access.REQUESTS.counts().get((method, route, str(status)), 0)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == access.__name__]


def test_each_response_carries_the_number_that_its_service_knows() -> None:
    async def whole() -> None:
        async with client(hello) as browser:
            first, second = [await browser.get("/hello/ada") for _ in range(2)]
        assert first.text == first.headers["x-request-id"] != second.headers["x-request-id"]
        assert len(first.text) == 8
        assert first.headers["content-type"] == "text/plain"

    asyncio.run(whole())
    assert CURRENT.get() is None


def test_a_request_is_one_line_with_its_route_and_without_its_path(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "pentad")
    before = requests("GET", "/hello/{name}", 200)

    async def whole() -> None:
        async with client(hello) as browser:
            await browser.get("/hello/ada?key=secret")

    asyncio.run(whole())
    (line,) = lines(caplog)
    assert line.startswith("GET /hello/{name} 200 ")
    assert line.endswith(" ms")
    assert requests("GET", "/hello/{name}", 200) == before + 1


def test_files_are_logged_in_detail_only(caplog: pytest.LogCaptureFixture) -> None:
    async def whole() -> None:
        async with client(hello) as browser:
            await browser.get("/static/board.js")

    caplog.set_level(logging.INFO, "pentad")
    asyncio.run(whole())
    assert not lines(caplog)
    caplog.set_level(logging.DEBUG, "pentad")
    asyncio.run(whole())
    assert len(lines(caplog)) == 1


def test_invented_methods_are_one_in_metrics() -> None:
    before = requests(access.OTHER_METHOD, "/hello/{name}", 200)

    async def whole() -> None:
        async with client(hello) as browser:
            for number in range(3):
                await browser.request(f"M{number}", "/")

    asyncio.run(whole())
    assert requests(access.OTHER_METHOD, "/hello/{name}", 200) == before + 3


def test_a_client_that_leaves_and_a_bug_are_counted() -> None:
    async def leaves(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    async def fails(scope: Any, receive: Any, send: Any) -> None:
        raise KeyError

    before = [requests("GET", UNMATCHED, status) for status in (LEFT, 500)]

    async def whole() -> None:
        for app, error in ((leaves, asyncio.CancelledError), (fails, KeyError)):
            with pytest.raises(error):
                await AccessMiddleware(app)({"type": "http", "method": "GET", "path": "/"}, None, None)  # type: ignore[arg-type]

    asyncio.run(whole())
    assert [requests("GET", UNMATCHED, status) for status in (LEFT, 500)] == [number + 1 for number in before]
    assert CURRENT.get() is None


def test_a_socket_is_counted_while_it_is_open_and_logged_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "pentad")
    route, sent = "/rooms/{name}", list[Any]()
    open_now = asyncio.Event()

    async def room(scope: Any, receive: Any, send: Any) -> None:
        note_route(route)
        await receive()
        await send({"type": "websocket.accept"})
        open_now.set()
        assert (await receive())["type"] == "websocket.disconnect"

    async def whole() -> None:
        coming: asyncio.Queue[Any] = asyncio.Queue()
        coming.put_nowait({"type": "websocket.connect"})

        async def send(message: Any) -> None:
            sent.append(message)

        task = asyncio.create_task(AccessMiddleware(room)({"type": "websocket", "path": "/"}, coming.get, send))  # type: ignore[arg-type]
        await open_now.wait()
        assert access.OPEN.numbers()[(route,)] == 1
        coming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await task

    asyncio.run(whole())
    assert access.OPEN.numbers()[(route,)] == 0
    assert access.OPENED.counts()[(route,)] == 1
    assert [name for name, _ in sent[0]["headers"]] == [access.HEADER]
    (line,) = lines(caplog)
    assert line.startswith("Socket /rooms/{name} 1001 ")


def test_a_message_outside_of_a_request_has_no_number() -> None:
    assert with_number("Internal error.") == "Internal error."
