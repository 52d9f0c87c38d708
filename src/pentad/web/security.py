"""Who may talk to the server, and what a browser may do with its answers.

- A `Host` that is not this machine is refused, so that no foreign name can be bound to it behind a browser's back.
- WebSockets, and requests that change something, are refused when they come from another site's page.
- Bodies are bounded, and so is what one address does in a while: requests, new games, sockets and their messages.
- Every answer tells the browser to load nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import socket
import time
from collections.abc import Callable, Iterable
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pentad.web.client_address import KEY, Address, Proxies
from pentad.web.ratelimit import Rate, RateLimiter

LARGEST_BODY = 16 * 1024  # bytes
LARGEST_RECORD = 256 * 1024  # where whole games are sent
BODY_WITHIN = 30.0  # seconds in which a body has to come
RECORDS = "/api/study/"
KEPT = ("/api/rooms", "/api/me")  # where something begins that is kept

# What one address may do: so many at once, and as many again within so many seconds. A class of 40 behind one address
# stays far below.
BEGIN = Rate(300, 600.0)  # new games, seats and names
ASK = Rate(600, 20.0)  # requests that are answered by more than a file, and new sockets
FILES = Rate(4000, 40.0)
MESSAGES = Rate(800, 8.0)  # over all sockets of an address; who sends more waits
MOST_SOCKETS = 200  # of one address at the same time
TOLD = 20  # sockets beyond them that are told why they are closed
TOO_MANY = 4429  # the code with which they are closed
STUBBORN, HOLD = 100, 1.0  # so many refusals are answered at once, those after them so many seconds later
MOST_HELD = 2000  # answers that wait for that

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

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = (),
        proxies: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`hosts` are further names of this machine, `proxies` the addresses of those whose headers are believed."""
        self.app, self._proxies = app, Proxies(proxies)
        own = socket.gethostname().lower()
        self.hosts = {"localhost", own, f"{own}.local", *(host.lower() for host in hosts)}
        self._begins, self._asks = RateLimiter(BEGIN, clock), RateLimiter(ASK, clock)
        self._files, self._messages = RateLimiter(FILES, clock), RateLimiter(MESSAGES, clock)
        self._sockets: dict[Address, int] = {}
        self._held = 0  # refusals that wait
        self._unanswered: set[asyncio.Timeout] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = {**scope, KEY: self._proxies.address(scope), "scheme": self._proxies.scheme(scope)}
        if scope["type"] == "http":
            await self._answer(scope, receive, _Answer(send))
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
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
        limiter = self._limiter(scope)
        if wait := limiter.take(scope[KEY]):
            if limiter.refused(scope[KEY]) > STUBBORN and self._held < MOST_HELD:
                await self._hold()
            await answer.refuse(429, too_many("requests", wait), wait)
            return None
        if scope["method"] not in _SAFE:
            body = await _read_body(receive, LARGEST_RECORD if scope["path"].startswith(RECORDS) else LARGEST_BODY)
            if not isinstance(body, bytes):
                return body
            receive = _replay(body, receive)
        await self.app(scope, receive, answer)
        return None

    def _limiter(self, scope: Scope) -> RateLimiter:
        """What counts this request."""
        if scope["method"] not in _SAFE and scope["path"].startswith(KEPT):
            return self._begins
        return self._files if scope["path"].startswith("/static/") else self._asks

    async def _hold(self) -> None:
        """Keep whoever asks again and again without minding the answer from keeping the server busy with that."""
        self._held += 1
        try:
            await asyncio.sleep(HOLD)
        finally:
            self._held -= 1

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a socket in, unless there are too many of its address."""
        address: Address = scope[KEY]
        if refusal := self.refusal(scope):
            await _refuse_websocket(scope, send, *refusal)
            return
        count = self._sockets.get(address, 0)
        wait = self._asks.take(address)
        self._sockets[address] = count + 1
        try:
            if address and (wait or count >= MOST_SOCKETS):
                if count < MOST_SOCKETS + TOLD:  # a page is not told why it is not let in, but why it is closed
                    await receive()
                    await send({"type": "websocket.accept"})
                elif self._held < MOST_HELD:
                    await self._hold()
                why = too_many("connections", wait)
                await send({"type": "websocket.close", "code": TOO_MANY, "reason": why})
            else:
                await self._carry(scope, self._paced(address, receive), send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def _paced(self, address: Address, receive: Receive) -> Receive:
        """A `receive` in which messages wait that are more than their address may send."""

        async def paced() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and (wait := self._messages.reserve(address)):
                await asyncio.sleep(wait)
            return message

        return paced

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why this request is not let in, with the status that says so."""
        headers = Headers(scope=scope)
        lengths = headers.getlist("content-length")
        # Whoever stands between might believe the other one, and take what follows for a request of somebody else's.
        if len(set(lengths)) > 1 or (lengths and "transfer-encoding" in headers):
            return 400, "a request tells the length of its body once"
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


def too_many(things: str, wait: float) -> str:
    """The line with which somebody is refused who asks for too much.

    >>> too_many("requests", 3.2)
    'too many requests from your address; try again in 4 seconds'
    """
    if not wait:
        return f"too many {things} from your address; close some and try again"
    seconds = math.ceil(wait)
    return f"too many {things} from your address; try again in {seconds} second{'s' * (seconds != 1)}"


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

    async def refuse(self, status: int, text: str, wait: float = 0.0) -> None:
        """Answer with one line, and perhaps the seconds after which to try again."""
        body = json.dumps({"error": text}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if wait:
            headers.append((b"retry-after", str(math.ceil(wait)).encode()))
        if status == 400:  # where the next request would begin cannot be told
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


async def _refuse_websocket(scope: Scope, send: Send, status: int, text: str) -> None:
    """Refuse a handshake, with a status of its own where that is more than a refusal."""
    if status == 400 and "websocket.http.response" in scope.get("extensions", {}):
        headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": text.encode()})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": text})


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
