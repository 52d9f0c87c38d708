"""Who may talk to the server, and what a browser may do with its answers.

- A `Host` that is not this machine is refused, so that no foreign name can be bound to it behind a browser's back.
- WebSockets, and requests that change something, are refused when they come from another site's page.
- Bodies are bounded, and so is what one address begins in a while.
- Every answer tells the browser to load nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import time
from collections.abc import Iterable
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pentad.web.pace import Pace

LARGEST_BODY = 16 * 1024  # bytes
LARGEST_RECORD = 256 * 1024  # where whole games are sent
BODY_WITHIN = 30.0  # seconds in which a body has to come
RECORDS = "/api/study/"
KEPT = ("/api/rooms", "/api/me")  # where something begins that is kept

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
Refusal: TypeAlias = tuple[int, str]  # a status and why

_SAFE = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        own = socket.gethostname().lower()
        self.hosts = {"localhost", own, f"{own}.local", *(host.lower() for host in hosts)}
        self._pace = Pace(time.monotonic)
        self._unanswered: set[asyncio.Timeout] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, _Answer(send))
        elif scope["type"] == "websocket" and (refusal := self.refusal(scope)):
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        elif scope["type"] == "websocket":
            await self._carry(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _carry(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application carry a WebSocket; what still waits for something when the server stops is dropped."""
        until = asyncio.timeout(None)
        try:
            async with until:
                self._unanswered.add(until)
                await self.app(scope, receive, send)
        except TimeoutError:
            if not until.expired():
                raise
        finally:
            self._unanswered.discard(until)

    def hurry(self, seconds: float) -> None:
        """The server stops: what is not answered, or done on a WebSocket, in so many seconds will not be."""
        until = asyncio.get_running_loop().time() + seconds
        for each in self._unanswered:
            each.reschedule(until)

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        until = asyncio.timeout(None)
        try:
            async with until:
                self._unanswered.add(until)
                refusal = await self._let_in(scope, receive, answer)
        except TimeoutError:
            if not until.expired():
                raise
            refusal = 503, "the server stops"
        finally:
            self._unanswered.discard(until)
        if refusal and not answer.begun:
            await answer.refuse(*refusal)

    async def _let_in(self, scope: Scope, receive: Receive, answer: _Answer) -> Refusal | None:
        """Let the application answer, unless there is a reason not to, which comes back."""
        if refusal := self.refusal(scope):
            return refusal
        if scope["method"] not in _SAFE:
            client = scope.get("client")
            if client and scope["path"].startswith(KEPT) and not self._pace.allows(client[0]):
                return 429, "that was too much in a short time; try again in some minutes"
            body = await _read_body(receive, LARGEST_RECORD if scope["path"].startswith(RECORDS) else LARGEST_BODY)
            if not isinstance(body, bytes):
                return body
            receive = _replay(body, receive)
        await self.app(scope, receive, answer)
        return None

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why this request is not let in, with the status that says so."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.knows(host):
            return 421, "this server is not known by that name"
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return None
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this comes from the page of another site"
        origin = headers.get("origin")
        # Programs send no origin; browsers always do here, and theirs cannot be forged by a page.
        if origin is not None and _place(origin) != host.lower():
            return 403, "this comes from the page of another site"
        return None

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names this machine: by a name of its own, or by a number."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.hosts or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _place(origin: str) -> str | None:
    """The host and port of an origin; None where there is none in it."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


class _Answer:
    """An answer on its way, with the headers that all answers have."""

    def __init__(self, send: Send) -> None:
        self._send, self.begun = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)
        self.begun = True

    async def refuse(self, status: int, text: str) -> None:
        """Answer with one line."""
        body = json.dumps({"error": text}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


async def _read_body(receive: Receive, most: int) -> bytes | Refusal:
    """The whole body, or why it is refused."""
    body: bytes = b""
    try:
        async with asyncio.timeout(BODY_WITHIN):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b""
                body += message.get("body", b"")
                if len(body) > most:
                    return 413, f"a request has at most {most} bytes"
                if not message.get("more_body", False):
                    return body
    except TimeoutError:
        return 408, "the request did not come to its end"


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body that was read already, then whatever else comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
