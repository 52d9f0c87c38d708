"""The table of services on a server: requests and sockets of Starlette in front of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response as StarletteResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pentad.web.http.client_address import SCOPE_KEY
from pentad.web.http.exchange import ARRIVED, NORMAL, STUDY_KEY, Caller
from pentad.web.http.identity import COOKIE_AGE_SECONDS, cookie_name
from pentad.web.service.router import Router

OPERATOR_COOKIE, OPERATOR_PATH = "pentad-operator", "/api/admin"
TICKET_COOKIE, TICKET_PATH = "pentad-challenge", "/api"


def caller_of(connection: HTTPConnection) -> Caller:
    """The caller of a request or a socket; the guard has found the address."""
    return Caller(
        connection.cookies.get(cookie_name(connection.scope["scheme"]), ""),
        connection.scope[SCOPE_KEY],
        urlsplit(str(connection.url)),
        "gzip" in connection.headers.get("Accept-Encoding", ""),
        connection.headers.get(STUDY_KEY, ""),
        user_agent=connection.headers.get("User-Agent", ""),
        operator=connection.cookies.get(OPERATOR_COOKIE, ""),
        ticket=connection.cookies.get(TICKET_COOKIE, ""),
    )


class ServerSocket:
    """A WebSocket of the server."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket, self.arrived = socket, 0.0

    async def accept(self) -> None:
        await self._socket.accept()

    async def receive(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        self.arrived = message.get(ARRIVED, time.monotonic())
        text: str | bytes | None = message.get("text")
        return message.get("bytes", b"") if text is None else text

    async def send(self, text: str) -> None:
        with _lost():
            await self._socket.send_text(text)

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        with contextlib.suppress(ConnectionError), _lost():
            await self._socket.close(code, reason)


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """Turns what Starlette raises for a closed socket into a `ConnectionError`."""
    try:
        yield
    except (WebSocketDisconnect, RuntimeError):
        raise ConnectionError("The socket is closed.") from None


async def _disconnection(receive: Receive) -> None:
    """Waits until the client of a request that was read has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


class ServiceApplication:
    """An ASGI application that answers with a table of services."""

    def __init__(self, router: Router) -> None:
        self._router = router

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._connect(WebSocket(scope, receive, send))
        else:
            response = await self._respond(Request(scope, receive))
            await response(scope, receive, send)

    async def _respond(self, request: Request) -> StarletteResponse:
        caller, query = caller_of(request), request.scope["query_string"].decode("latin-1")
        body = await request.body()
        caller.leaves = partial(_disconnection, request.receive)
        found = await self._router.respond(request.method, request.scope["path"], query, body, caller)
        response = StarletteResponse(found.body, found.status or 200, found.headers)
        scheme = request.scope["scheme"]
        cookies = (  # each with its path and its age; without an age, a cookie ends with the browser
            (cookie_name(scheme), caller.new_key, "/", COOKIE_AGE_SECONDS),
            (OPERATOR_COOKIE, caller.new_operator, OPERATOR_PATH, None),
            (TICKET_COOKIE, caller.new_ticket, TICKET_PATH, None),
        )
        for name, value, path, age in cookies:
            if value is not None:
                response.set_cookie(
                    name,
                    value,
                    max_age=age if value else 0,
                    path=path,
                    httponly=True,
                    samesite="strict",
                    secure=scheme == "https",
                )
        return response

    async def _connect(self, socket: WebSocket) -> None:
        query = socket.scope["query_string"].decode("latin-1")
        await self._router.connect(socket.scope["path"], query, caller_of(socket), ServerSocket(socket))
