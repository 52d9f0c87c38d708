"""The table of services in a page: its requests and sockets, with the cookies of one client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, MutableMapping
from urllib.parse import unquote, urlsplit

from pentad.web.http.exchange import NORMAL, Caller
from pentad.web.http.identity import COOKIE
from pentad.web.service.router import Router, Text

BASE = "http://localhost"
Answer = tuple[int, dict[str, str], Text]  # the status, the headers and the body of a response


class PageSocket:
    """A socket of a page, which puts its messages in; `sent` and `closed` are called with what goes back."""

    def __init__(self, sent: Callable[[str], None], closed: Callable[[int, str], None]) -> None:
        self._sent, self._closed = sent, closed
        self._incoming: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_open, self.arrived = True, 0.0

    def put(self, text: str) -> None:
        """Takes a message of the page."""
        self._incoming.put_nowait(text)

    def leave(self) -> None:
        """The page has closed the socket."""
        self._incoming.put_nowait(None)

    async def accept(self) -> None:
        """Does nothing: the socket is open from the beginning."""

    async def receive(self) -> str | bytes | None:
        text = await self._incoming.get() if self._is_open else None
        self._is_open, self.arrived = self._is_open and text is not None, time.monotonic()
        return text

    async def send(self, text: str) -> None:
        if not self._is_open:
            raise ConnectionError("The socket is closed.")
        self._sent(text)

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        if self._is_open:
            self._is_open = False
            self._closed(code, reason)


class Dispatcher:
    """Answers the requests of pages; the cookies stay from one request to the next."""

    def __init__(self, router: Router, cookies: MutableMapping[str, str] | None = None, base: str = BASE) -> None:
        """`base` is the address at which the pages are, for links to them."""
        self._router, self._base = router, base
        self.cookies = {} if cookies is None else cookies

    async def handle(self, method: str, path: str, body: str | None = None) -> Answer:
        """The response to a request; `path` has the query too, and a body is JSON."""
        caller = self._caller(path)
        found = await self._router.respond(method, unquote(caller.url.path), caller.url.query, body, caller)
        if caller.new_key:
            self.cookies[COOKIE] = caller.new_key
        return found.status or 200, dict(found.headers), b"" if method == "HEAD" else found.body

    async def connect(self, path: str, socket: PageSocket) -> None:
        """Serves a socket until one side closes it."""
        caller = self._caller(path)
        await self._router.connect(unquote(caller.url.path), caller.url.query, caller, socket)

    def _caller(self, path: str) -> Caller:
        return Caller(self.cookies.get(COOKIE, ""), url=urlsplit(f"{self._base}{path}"))
