"""Security: which requests the server accepts, and what a browser may do with its responses.

- A `Host` that is not this machine is refused, which stops DNS rebinding.
- WebSockets, and requests that change something, are refused if they come from another site's page, unless the user
  has allowed that site.
- Whoever is banned can only read, as can everybody while the server is closed for maintenance.
- Bodies are bounded, and so are the requests, new games, sockets and messages of each address and its networks.
- Every response forbids the browser to load anything from elsewhere.
- Pages of other sites may load the script that embeds a board, and show the page with that board in a frame. No other
  page can be shown in a frame, and neither of the two has anything of a person.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import re
import socket
import time
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from typing import Protocol, TypeAlias

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pentad.system.words import phrase
from pentad.web.http.admission import BANNED, CLOSE_CODES, CLOSED, Admission, TurnedAway, reason_of_socket
from pentad.web.http.client_address import SCOPE_KEY, Address, Proxies, is_address, is_localhost, name_in, networks
from pentad.web.http.exchange import ARRIVED
from pentad.web.http.identity import GAMES, cookie_name, hash_of
from pentad.web.http.ratelimit import Keys, Rate, RateLimiter, too_many
from pentad.web.http.refusal_reasons import OF_STATUS, Reason, note_refusal
from pentad.web.http.request_context import note_address
from pentad.web.http.socket_pool import OF_PERSON, ClientKind, OpenSocket, SocketPool, end

MAX_BODY_BYTES = 16 * 1024
MAX_RECORD_BYTES = 256 * 1024  # whole games are sent there
_HOST_NAME = re.compile(r"(?!.{101})[a-z0-9_-]+(\.[a-z0-9_-]+)*")  # longer ones are not repeated
BODY_SECONDS = 30.0  # a whole body has to arrive within it
MAX_STUDY_BYTES = 8 * 1024 * 1024  # all chapters of a study are sent there
# The limits of paths with these beginnings; the first one holds.
LIMITS = (("/api/study/new", MAX_STUDY_BYTES), ("/api/study/", MAX_RECORD_BYTES), ("", MAX_BODY_BYTES))
HEALTH = "/api/health"
WRITES = (
    "/api/rooms",
    "/api/me",
    "/api/study/new",
    "/api/account",
    "/api/sign-in",
)  # where requests store something new

# Limits for one address: so many at once, and as many again within so many seconds. A class of 40 behind one address
# stays far below them. The wider networks of the address have several times as much.
BEGIN = Rate(300, 600.0)  # new games, seats and names
ASK = Rate(600, 20.0)  # requests for more than a file, and new sockets
FILES = Rate(4000, 40.0)
MESSAGES = Rate(800, 8.0)  # over all sockets of an address; a faster sender is slowed down
EXPLAINED = 20  # sockets of an address that are told at a time why they are closed
TOO_MANY = 4429  # the code with which they are closed
COME_AGAIN = 1012  # the code at which a page opens its socket again, with the cookie that it has by then
CLOSED_WAIT = 30.0  # the seconds after which a client may ask a server again that is closed for maintenance
HOLD_AFTER, HOLD = 100, 1.0  # refusals of an address until each is delayed, and the delay in seconds
MAX_DELAYED_REFUSALS = 2000

SCRIPTS, CONNECT = "script-src 'self'", "connect-src 'self'"
NO_FRAMES, ANY_FRAME = "frame-ancestors 'none'", "frame-ancestors *"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        SCRIPTS,
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data: blob:",
        CONNECT,
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        NO_FRAMES,
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
# A file that no browser shows as a page needs less; a page loads dozens of them.
OF_FILES = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# The analysis page may use an engine that the user runs on the same machine as the browser.
OWN_ENGINES = f"{CONNECT} ws://localhost:* ws://127.0.0.1:*"
OF_ANALYSIS = {**HEADERS, "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace(CONNECT, OWN_ENGINES)}
# The page of a game runs the game's rules, which are a file of the server as its scripts are.
OWN_MODULES = f"{SCRIPTS} 'wasm-unsafe-eval'"
OF_PLAY = {**HEADERS, "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace(SCRIPTS, OWN_MODULES)}
OF_PAGES = {"play": OF_PLAY, "analyse": OF_ANALYSIS}  # by the first part of their paths
OPEN = {**HEADERS, "Cross-Origin-Resource-Policy": "cross-origin"}
FOR_OTHER_SITES = {  # headers of the responses at these paths
    "/embed": {name: value for name, value in OPEN.items() if name != "X-Frame-Options"}
    | {"Content-Security-Policy": CONTENT_SECURITY_POLICY.replace(NO_FRAMES, ANY_FRAME)},
    "/embed.js": {**OPEN, "Access-Control-Allow-Origin": "*"},
}
Refusal: TypeAlias = tuple[int, str]  # the status and the reason

_SAFE = {"GET", "HEAD", "OPTIONS"}
_TURNED_AWAY = {BANNED: Reason.BANNED, CLOSED: Reason.CLOSED}


class KnownClients(Protocol):
    """What the server knows of clients by their cookies."""

    async def kind(self, key: str) -> ClientKind:
        """Who the client with this cookie is."""

    def is_recent(self, key: str) -> bool:
        """Whether the client with this cookie is one of the latest players."""

    async def plays_at(self, key: str, path: str) -> bool:
        """Whether the client with this cookie plays in the game of this socket, which goes on."""


class SecurityMiddleware:
    """Middleware in front of the application."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = (),
        proxies: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        *,
        origins: Iterable[str] = (),
        clients: KnownClients | None = None,
        admission: Admission | None = None,
    ) -> None:
        """`hosts` are further names of this machine, `proxies` the addresses of trusted proxies, `origins` other sites
        whose pages are allowed. `clients` says whose the cookies are."""
        self.app, self._proxies, self._admission = app, Proxies(proxies), admission or Admission()
        self.origins = frozenset(each.lower() for each in origins)
        own = socket.gethostname().lower()
        self.hosts = {own, f"{own}.local", *(host.lower() for host in hosts)}
        self._begins, self._asks = RateLimiter(BEGIN, clock), RateLimiter(ASK, clock)
        self._files = RateLimiter(FILES, clock)
        # What players may ask beyond the rate of their address, which neighbours can use up.
        self._of_players = {each: RateLimiter(each.rate, clock) for each in (self._begins, self._asks, self._files)}
        # What clients send is counted once for them and their networks, once for their parts of the networks' rates.
        self._messages, self._parts = RateLimiter(MESSAGES, clock), RateLimiter(MESSAGES, clock)
        self._sockets, self._told = SocketPool(), Counter[str]()
        self._clock, self._clients = clock, clients
        self._delayed = 0
        self._unanswered: dict[asyncio.Timeout, Scope] = {}
        self._signed_out: weakref.WeakSet[asyncio.Timeout] = weakref.WeakSet()  # the blocks of sockets that are ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = {**scope, SCOPE_KEY: self._proxies.address(scope), "scheme": self._proxies.scheme(scope)}
            note_address(scope[SCOPE_KEY])
            if self.is_own_host(Headers(scope=scope).get("host", "")):
                if scope["path"] != HEALTH:  # load balancers ask for it themselves
                    self._proxies.notice_silent(scope)
                if host := self._proxies.host(scope):
                    # Only where the request's own host is allowed: the page of another site could name any host here.
                    scope["headers"] = [each for each in scope["headers"] if each[0] != b"host"]
                    scope["headers"].append((b"host", host.encode("latin-1")))
        if scope["type"] == "http":
            await self._answer(scope, receive, _Answer(send, _headers_at(scope["path"])))
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _until_stop(self, scope: Scope) -> AsyncIterator[asyncio.Timeout]:
        """Ends the block when the server stops, or when the client of a socket is not admitted any more."""
        until = asyncio.timeout(None)
        try:
            async with until:
                self._unanswered[until] = scope
                yield until
        except TimeoutError:
            if not until.expired():
                raise
        finally:
            self._unanswered.pop(until, None)

    def cancel_after(self, seconds: float) -> None:
        """Cancels all requests and WebSockets that are still open after so many seconds, as the server stops."""
        until = asyncio.get_running_loop().time() + seconds
        for each in self._unanswered:
            end(each, until)

    def turn_away(self) -> None:
        """Ends the sockets of clients that are not admitted any more."""
        for until, scope in self._unanswered.items():
            if scope["type"] == "websocket" and self._turned_away(scope):
                end(until, 0.0)

    def end_sockets(self, keys: Collection[bytes], seconds: float) -> None:
        """Ends the sockets with cookies of these hashes after so many seconds; their pages then come again."""
        until = asyncio.get_running_loop().time() + seconds
        for each, scope in self._unanswered.items():
            if scope["type"] == "websocket" and hash_of(_key_in(scope)) in keys:
                self._signed_out.add(each)
                end(each, until)

    def _turned_away(self, scope: Scope) -> TurnedAway | None:
        """Why a client is not admitted now."""
        return self._admission.refusal(scope.get("method", ""), scope["path"], scope[SCOPE_KEY], _key_in(scope))

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        refusal: Refusal | None = 503, "The server is stopping."
        async with self._until_stop(scope):
            refusal = await self._admit(scope, receive, answer)
        if refusal and not answer.begun:
            await answer.refuse(*refusal)

    async def _admit(self, scope: Scope, receive: Receive, answer: _Answer) -> Refusal | None:
        """Lets the application respond, or returns why not."""
        if refusal := self.refusal(scope):
            return refusal
        limiter, keys = self._limiter(scope), networks(scope[SCOPE_KEY])
        if wait := self._wait(limiter, scope):
            if limiter.refused(keys) > HOLD_AFTER and self._delayed < MAX_DELAYED_REFUSALS:
                await self._hold()
            await answer.refuse(429, too_many("requests", wait), wait)
            return None
        if scope["method"] not in _SAFE:
            if away := self._turned_away(scope):
                await answer.refuse(*away, CLOSED_WAIT if away[0] == CLOSED else 0.0, _TURNED_AWAY[away[0]])
                return None
            most = next(limit for beginning, limit in LIMITS if scope["path"].startswith(beginning))
            body = await _read_body(receive, most)
            if not isinstance(body, bytes):
                return body
            receive = _replay(body, receive)
        await self.app(scope, receive, answer)
        return None

    def _limiter(self, scope: Scope) -> RateLimiter:
        """The rate limiter for this request."""
        if scope["method"] not in _SAFE and scope["path"].startswith(WRITES):
            return self._begins
        return self._files if scope["path"].startswith("/static/") else self._asks

    def _wait(self, limiter: RateLimiter, scope: Scope) -> float:
        """The seconds until a request is within a rate; 0 for a player, too, who has not used an own part of it."""
        address = scope[SCOPE_KEY]
        wait = limiter.take(networks(address))
        if not wait or self._clients is None:
            return wait
        key = _key_in(scope)
        if not key or not self._clients.is_recent(key):
            return wait
        return self._of_players[limiter].take({f"{address}": 1.0, f"{address} {hash(key)}": OF_PERSON})

    async def _hold(self) -> None:
        """Delays the response to a client that ignores refusals, so that it cannot keep the server busy."""
        self._delayed += 1
        try:
            await asyncio.sleep(HOLD)
        finally:
            self._delayed -= 1

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accepts a socket, unless its client may not open one now, or there are too many."""
        if refusal := self.refusal(scope):
            await _refuse_websocket(scope, send, *refusal)
            return
        address = scope[SCOPE_KEY]
        if wait := self._wait(self._asks, scope):
            await self._tell_too_many(address, receive, send, Reason.RATE, wait)
            return
        if away := self._turned_away(scope):
            await receive()
            await send({"type": "websocket.accept"})
            await _close(send, *away)
            return
        key = _key_in(scope)
        kind = await self._kind(address, key)
        socket = OpenSocket(address, kind, key, is_of_game=scope["path"].startswith(GAMES))
        must = self._sockets.is_full_for(socket) and await self._is_returning(kind, key, scope["path"])
        if not self._sockets.add(socket, must=must):
            await self._tell_too_many(address, receive, send, Reason.SOCKETS)
            return
        try:
            await self._serve(socket, scope, receive, send)
        finally:
            self._sockets.remove(socket)

    async def _serve(self, socket: OpenSocket, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a socket until its end, and tells its client why it ends early."""
        is_over = False
        async with self._until_stop(scope) as socket.block:
            await self.app(scope, self._paced(socket, networks(scope[SCOPE_KEY]), receive), send)
            is_over = True
        if is_over:
            return
        if socket.makes_room:
            note_refusal(Reason.SOCKETS)
            await _close_socket(send, TOO_MANY, too_many("connections", 0.0))
        elif socket.block in self._signed_out:
            await _close_socket(send, COME_AGAIN, "The session is over.")
        elif away := self._turned_away(scope):
            await _close(send, *away)

    async def _tell_too_many(
        self, address: Address, receive: Receive, send: Send, reason: Reason, wait: float = 0.0
    ) -> None:
        """Closes a new socket, with the reason if not too many others of its address are being told."""
        note_refusal(reason)
        self._told[address] += 1
        try:
            if self._told[address] <= EXPLAINED:  # a page sees the reason for a close, not for a refusal
                await receive()
                await send({"type": "websocket.accept"})
            elif self._delayed < MAX_DELAYED_REFUSALS:
                await self._hold()
            await send({"type": "websocket.close", "code": TOO_MANY, "reason": too_many("connections", wait)})
        finally:
            self._told[address] -= 1
            if not self._told[address]:
                del self._told[address]

    async def _kind(self, address: Address, key: str) -> ClientKind:
        """Who a client at an address is; one without limits is not looked up."""
        if not (address and key and self._clients):
            return ClientKind.STRANGER
        return await self._clients.kind(key)

    async def _is_returning(self, kind: ClientKind, key: str, path: str) -> bool:
        """Whether a client opens a game that goes on, and in which it plays."""
        return kind is ClientKind.PLAYER and self._clients is not None and await self._clients.plays_at(key, path)

    def _paced(self, socket: OpenSocket, wide: Keys, receive: Receive) -> Receive:
        """A `receive` that delays messages beyond the rates of their sender, and notes when they arrived.

        What a client sends too fast reaches the limits of the networks only afterwards, so that it delays nobody else.
        Where many clients use up those limits together, none of them waits within its own part.
        """

        async def paced() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                message[ARRIVED] = self._clock()
                if wait := self._messages.reserve(socket.rate):
                    await asyncio.sleep(wait)
                beyond = self._parts.reserve({socket.name: self._sockets.part(socket)}) if wide else 0.0
                if wait := min(self._messages.reserve(wide), beyond):
                    await asyncio.sleep(wait)
            return message

        return paced

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is refused, with its status; None if it is not."""
        headers = Headers(scope=scope)
        lengths = headers.getlist("content-length")
        # A proxy might use the other length, and take what follows for another client's request.
        if len(set(lengths)) > 1 or (lengths and "transfer-encoding" in headers):
            return 400, "A request may state the length of its body only once."
        host = headers.get("host", "")
        if not self.is_own_host(host):
            return 421, _not_for(host)
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return None
        origin = headers.get("origin")
        if origin is not None and origin.lower() in self.origins:
            return None
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "This request comes from another site's page."
        # Programs send no origin; browsers always send one here, and a page cannot forge it.
        if origin is not None and origin.lower() not in _own_origins(scope["scheme"], host.lower()):
            return 403, "This request comes from another site's page."
        return None

    def is_own_host(self, host: str) -> bool:
        """Whether a `Host` header names this machine, by one of its names or by an IP address."""
        name = name_in(host)
        return name in self.hosts or is_localhost(name) or is_address(name)


def _not_for(host: str) -> str:
    """The message for a request to a host that is not this machine; only a plausible name of it is repeated.

    >>> _not_for("play.example.org:80")
    'This server does not answer for play.example.org. Start it with --public-name play.example.org.'
    >>> _not_for("<b>")
    'This server does not answer for the host of this request. Start it with --public-name NAME.'
    """
    name = name_in(host)
    if _HOST_NAME.fullmatch(name):
        return phrase("This server does not answer for {host}. Start it with --public-name {host}.", host=name)
    return "This server does not answer for the host of this request. Start it with --public-name NAME."


def _headers_at(path: str) -> Mapping[str, str]:
    """The headers of all responses at a path."""
    if path.startswith("/static/"):
        return OF_FILES
    return OF_PAGES.get(f"{path}/".split("/")[1]) or FOR_OTHER_SITES.get(path, HEADERS)


def _own_origins(scheme: str, host: str) -> tuple[str, ...]:
    """The origins of the server's own pages.

    A page without TLS may be anybody's, so a server with TLS has none. A server may have TLS without knowing it, from a
    proxy that does not say so.
    """
    return (f"https://{host}",) if scheme in ("https", "wss") else (f"http://{host}", f"https://{host}")


class _Answer:
    """A response in progress, with the headers that all responses have."""

    def __init__(self, send: Send, headers: Mapping[str, str]) -> None:
        self._send, self._headers, self.begun = send, headers, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)
        self.begun = True

    async def refuse(self, status: int, text: str, wait: float = 0.0, reason: Reason | None = None) -> None:
        """Responds with an error, and optionally the seconds after which to retry."""
        note_refusal(reason or OF_STATUS[status])
        body = json.dumps({"error": text}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if wait:
            headers.append((b"retry-after", str(math.ceil(wait)).encode()))
        if status == 400:  # the start of the next request is unknown
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})


async def _close(send: Send, status: int, why: str) -> None:
    """Closes the socket of a client that is not admitted."""
    note_refusal(_TURNED_AWAY[status])
    await _close_socket(send, CLOSE_CODES[status], why)


async def _close_socket(send: Send, code: int, why: str) -> None:
    with contextlib.suppress(RuntimeError):  # it may have been closed meanwhile
        await send({"type": "websocket.close", "code": code, "reason": reason_of_socket(why)})


def _key_in(scope: Scope) -> str:
    """The cookie of a request or a socket; empty without one."""
    return HTTPConnection(scope).cookies.get(cookie_name(scope["scheme"]), "")


async def _refuse_websocket(scope: Scope, send: Send, status: int, text: str) -> None:
    """Refuses a handshake, with an HTTP status of its own if possible."""
    note_refusal(OF_STATUS[status])
    if status == 400 and "websocket.http.response" in scope.get("extensions", {}):
        headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": text.encode()})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": text})


async def _read_body(receive: Receive, most: int) -> bytes | Refusal:
    """The whole body, or why it is refused."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b""
                body += message.get("body", b"")
                if len(body) > most:
                    return 413, phrase("Expected a request of at most {most} bytes.", most=most)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return 408, "The request did not arrive in time."


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns an already read body, then the further messages."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
