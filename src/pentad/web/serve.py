"""Serving the page on a port: `pentad web` from the socket to the last goodbye."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from types import FrameType
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from pentad.game import GameError
from pentad.store import Claim, Claimed, Store
from pentad.store.detached_threads import run_detached
from pentad.web import logs
from pentad.web.app import create_app
from pentad.web.lan import code, own_address
from pentad.web.security import LARGEST_RECORD, Guard
from pentad.web.settings import Settings

log = logging.getLogger(__name__)

FIRST_PORT, PORTS_TRIED = 5005, 20
BACKLOG = 1024  # connections that may wait to be taken
# How a stop takes its time, in seconds: open requests get some, then their connections are cut off, then whoever still
# does something is told to end; the store has what is left of it all.
GRACE, CUT_OFF, TOLD_TO_END = 1.5, 1.8, 2
STOPS_WITHIN, LAST = 5.0, 1.5  # all together; what remains for letting go of the database and for Python's own end
SILENCE, TICKS = 30, 10  # seconds that a connection may be silent before it asks for anything; looks a second
_FURTHER = (signal.Signals["SIGBREAK"],) if sys.platform == "win32" else ()  # closing its window
CHECK_EVERY = 10  # seconds between two looks at whether the games are still this server's alone
# New objects before a look at them, and looks before one at older ones, and at all. A look at all takes about 0.7 ms a
# room; rooms leave nothing for it, but a text that cannot be read does: some 400 MB of those may wait.
THRESHOLDS = (10_000, 5, 50)
HOLDS = 0.0005  # seconds that a thread may keep the interpreter from another that wants it
SIGNALS = (signal.SIGINT, signal.SIGTERM, *_FURTHER)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port, or on the first that is free when none is asked for."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for candidate in ports:
        try:
            return _bind(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise GameError(f"cannot listen on {host}: {error.strerror or error}") from None
    if port is None:
        raise GameError(f"the ports {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} are all taken; ask for another")
    raise GameError(f"port {port} is taken; try --port {_another(host, port)}, or leave it out to get one that is free")


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)  # now, so that a port that another server listens on is known as taken
    except OSError:
        listener.close()
        raise
    return listener


def _another(host: str, port: int) -> int:
    """A port near one that is taken."""
    for candidate in range(port + 1, min(port + PORTS_TRIED, 65536)):
        try:
            _bind(host, candidate).close()
        except OSError:
            continue
        return candidate
    return FIRST_PORT


def address(listener: socket.socket) -> str:
    """Where a browser on this machine finds the page."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Server(uvicorn.Server):
    """A server that says where it is once it is there, opens the page, and stops soon when it is asked to."""

    def __init__(
        self, guard: Guard, listener: socket.socket, settings: Settings, claim: Claim, others: str = ""
    ) -> None:
        super().__init__(_config(guard))
        self.url, self.settings, self._guard, self._claim = address(listener), settings, guard, claim
        self._silent: set[Any] = set()  # connections that had asked for nothing when last looked at
        self._checking: asyncio.Task[None] | None = None
        self._asked: float | None = None  # when it was asked to stop
        self.lost: Claimed | None = None  # who has these games now, where that is somebody else
        self.others = others

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _collect_rarely()
        # Each message sent lets go of the interpreter for a moment, and the thread that keeps moves takes it: it must
        # not hold everybody up for the 5 ms that are usual.
        sys.setswitchinterval(HOLDS)
        self._claim.announce(self.url)
        print(f"pentad is at {self.url} (Ctrl-C stops it)", flush=True)
        if self.settings.lan:
            print(f"others in this network find it at {self.others}/\n\n{code(f'{self.others}/')}", flush=True)
        if self.settings.browser and _has_screen():
            threading.Thread(target=webbrowser.open, args=(self.url,), daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        if counter % (SILENCE * TICKS) == 0:
            self._close_silent()
        if counter % (CHECK_EVERY * TICKS) == 0 and (self._checking is None or self._checking.done()):
            self._checking = asyncio.create_task(self._check_claim())
        return await super().on_tick(counter)

    def _close_silent(self) -> None:
        """Close those that ask for nothing, or never come to the end of it."""
        silent: set[Any] = {each for each in self.server_state.connections if _is_silent(each)}
        for each in silent & self._silent:
            each.transport.close()
        self._silent = silent

    async def _check_claim(self) -> None:
        try:
            await asyncio.wrap_future(run_detached(self._claim.check, "pentad-claim"))
        except Claimed as claimed:
            self.lost, self.should_exit = claimed, True
        except GameError as failed:  # the database is gone, too, and may come back
            log.warning("whether another server has these games cannot be seen: %s", failed)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._guard.hurry(GRACE)
        asyncio.get_running_loop().call_later(CUT_OFF, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        """Cut off those that do not even read what they are told."""
        for each in list(self.server_state.connections):
            cast(Any, each).transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: `serve` sees to them from before there is a server to when all is put away."""
        yield

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop, however often this is asked for."""
        self._asked = self._asked or time.monotonic()
        self.should_exit = True

    @property
    def time_left(self) -> float | None:
        """The seconds in which the store must be closed; None where nobody asked for the end."""
        return None if self._asked is None else max(0.0, self._asked + STOPS_WITHIN - LAST - time.monotonic())


class _WebSocket(cast(type, AutoWebSocketsProtocol)):  # type: ignore[misc]
    """A WebSocket whose handshake is answered even if it cannot be read; uvicorn leaves such a connection lying."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        protocol: Any = getattr(self, "conn", None)
        if getattr(protocol, "handshake_exc", None) is not None and not self.transport.is_closing():
            self.transport.write(b"".join(protocol.data_to_send()) or _BAD_REQUEST)
            self.transport.close()


_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def _is_silent(connection: Any) -> bool:
    """Whether nothing is asked for on a connection, or only the beginning of something."""
    if not hasattr(connection, "cycle"):
        return False  # a game's line
    cycle = connection.cycle
    return cycle is None or (cycle.response_complete and connection.timeout_keep_alive_task is None)


def _collect_rarely() -> None:
    """Look for garbage in cycles less often: with hundreds of games a whole look stops everybody for a moment."""
    gc.collect()
    gc.freeze()  # what the program is made of stays anyway
    gc.set_threshold(*THRESHOLDS)


def _has_screen() -> bool:
    """Whether a browser that is opened here would show: in a bare terminal it would take that over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"))


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C or a polite request to end."""
    try:
        claim = _claim(settings.database)
    except Claimed as claimed:
        if settings != Settings(browser=settings.browser) or not claimed.where:
            raise
        print(f"pentad is at {claimed.where} already", flush=True)
        if settings.browser and _has_screen():
            webbrowser.open(claimed.where)
        return
    with contextlib.ExitStack() as put_away:
        put_away.callback(claim.release)
        listener = put_away.enter_context(contextlib.closing(listen(settings.listens_on, settings.port)))
        store = Store.open(settings.database)
        server = _server(settings, listener, store, claim)
        put_away.callback(lambda: store.close(server.time_left))
        server.run(sockets=[listener])
    for number in SIGNALS:  # who asks once more must not spoil the way out
        signal.signal(number, signal.SIG_IGN)
    if server.lost:
        raise server.lost


def _claim(database: str | None) -> Claim:
    """The database for this server alone; one that is just stopping is waited for."""
    until = time.monotonic() + 2 * STOPS_WITHIN  # on a busy machine all takes longer
    while True:
        try:
            return Claim(database)
        except Claimed as claimed:
            if not claimed.where or _answers(claimed.where) or time.monotonic() > until:
                raise
        time.sleep(0.2)


def _answers(where: str) -> bool:
    """Whether a server takes connections there."""
    parts = urlsplit(where)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=2).close()
    except OSError:
        return False
    return True


def _server(settings: Settings, listener: socket.socket, store: Store, claim: Claim) -> Server:
    """The server, which signals stop from now on."""
    _allow_many_sockets()
    logs.install()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # else each message to somebody who has gone is a line
    others = address_for_others(settings, listener)
    app = create_app(store, hosts=[settings.host], others=others, proxies=settings.trusted_proxy)
    server = Server(app, listener, settings, claim, others)
    for number in SIGNALS:
        signal.signal(number, server.stop)
    return server


def address_for_others(settings: Settings, listener: socket.socket) -> str:
    """Where others in this network find the page; nothing where it listens to this machine alone."""
    if not (settings.lan or settings.listens_on in ("0.0.0.0", "::")):
        return ""
    try:
        return f"http://{own_address()}:{listener.getsockname()[1]}"
    except GameError:
        if settings.lan:
            raise
        return ""


def _config(guard: Guard) -> uvicorn.Config:
    return uvicorn.Config(
        guard,
        log_level="warning",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the guard reads them
        server_header=False,
        ws=_WebSocket,
        ws_max_size=LARGEST_RECORD,  # what is too long for a message gets an answer, what is far too long the door
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=TOLD_TO_END,
    )


def _allow_many_sockets() -> None:
    """As many open files as this process may have: each player has a socket."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
