"""Requests, responses and sockets: the part of Starlette that pentad uses, for the page without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

Scope = dict[str, Any]
NORMAL_CLOSURE = 1000


class HTTPException(Exception):
    """A response with an error status."""

    def __init__(self, status_code: int, detail: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        self.status_code, self.headers = status_code, headers
        self.detail = HTTPStatus(status_code).phrase if detail is None else detail
        super().__init__(status_code, self.detail)


class WebSocketDisconnect(Exception):
    """The page has closed the socket."""

    def __init__(self, code: int = NORMAL_CLOSURE, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code, self.reason = code, reason


class Headers(dict[str, str]):
    """Headers by their names in lower case."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        super().__init__({name.lower(): value for name, value in (values or {}).items()})


class Address(NamedTuple):
    """The host and port of a client."""

    host: str
    port: int


class HTTPConnection:
    """A request, or a socket's first request."""

    def __init__(self, scope: Scope) -> None:
        """`scope` has the `url`, the `cookies` and the `path_params`, and more under the names of others."""
        self.scope = scope
        self.url: SplitResult = urlsplit(scope["url"])
        self.path = unquote(self.url.path)
        self.query_params = dict(parse_qsl(self.url.query, keep_blank_values=True))
        self.cookies: Mapping[str, str] = scope["cookies"]
        self.headers = Headers({"host": self.url.netloc})
        self.client = Address("127.0.0.1", 0)

    @property
    def path_params(self) -> dict[str, str]:
        """The parts of the path that have names in the route."""
        parts: dict[str, str] = self.scope["path_params"]
        return parts


class Request(HTTPConnection):
    """A request with its method and its body."""

    def __init__(self, scope: Scope, method: str = "GET", body: str | None = None) -> None:
        super().__init__(scope)
        self.method, self.text = method, body


class Response:
    """A response with its status, headers and body."""

    media_type: str | None = None

    def __init__(
        self,
        content: Any = None,
        status_code: int | None = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        self.status_code, self.body = status_code, self.render(content)
        self.headers = Headers(headers)
        self.cookies: dict[str, str] = {}  # to keep from now on
        kind = media_type or self.media_type
        if kind:
            self.headers.setdefault("content-type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)

    def render(self, content: Any) -> str | bytes:
        """The body."""
        body: str | bytes = b"" if content is None else content
        return body

    def set_cookie(self, key: str, value: str = "", **terms: Any) -> None:
        """Keeps a cookie; its terms are those of one page and mean nothing here."""
        self.cookies[key] = value


class HTMLResponse(Response):
    """A page."""

    media_type = "text/html"


class JSONResponse(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> str | bytes:
        return as_json(content)


def as_json(value: Any) -> str:
    """A plain value as JSON, as Starlette writes it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Socket(Protocol):
    """The page's end of a socket: what it has sent, and what it is told."""

    incoming: asyncio.Queue[str | None]
    """The texts that the page has sent; None is its end."""

    def send(self, text: str) -> None:
        """Takes a text to the page."""

    def closed(self, code: int, reason: str) -> None:
        """Tells the page that the socket is closed."""


class WebSocket(HTTPConnection):
    """The application's end of a socket."""

    def __init__(self, scope: Scope, socket: Socket) -> None:
        super().__init__(scope)
        self._socket = socket
        self.is_open = True

    async def accept(self) -> None:
        """Accepts the socket, which is open from the beginning."""

    async def receive(self) -> dict[str, Any]:
        """The next message of the page, or its end."""
        text = await self._socket.incoming.get() if self.is_open else None
        if text is None:
            self.is_open = False
            return {"type": "websocket.disconnect", "code": NORMAL_CLOSURE, "reason": ""}
        return {"type": "websocket.receive", "text": text}

    async def receive_text(self) -> str:
        """The next text of the page."""
        message = await self.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text: str = message["text"]
        return text

    async def send_text(self, data: str) -> None:
        """Sends a text to the page."""
        if not self.is_open:
            raise WebSocketDisconnect
        self._socket.send(data)

    async def send_json(self, data: Any) -> None:
        """Sends a plain value to the page."""
        await self.send_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    async def close(self, code: int = NORMAL_CLOSURE, reason: str | None = None) -> None:
        """Closes the socket."""
        if self.is_open:
            self.is_open = False
            self._socket.closed(code, reason or "")
