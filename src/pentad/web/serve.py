"""Serving the pages on a port: `pentad web` from start to shutdown."""

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
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from pentad.game import GameError
from pentad.store import Claim, Claimed, Store
from pentad.store.detached_threads import run_detached
from pentad.system.version import __version__
from pentad.system.words import phrase
from pentad.web import systemd
from pentad.web.app import create_app
from pentad.web.engines import Engines
from pentad.web.handover import LEFT, Predecessor, Replacement
from pentad.web.http import logs
from pentad.web.http.access import AccessMiddleware
from pentad.web.http.client_address import is_address, root_of
from pentad.web.http.lan import Listener, LocalNetwork, own_address, qr_text
from pentad.web.http.security import MAX_RECORD_BYTES, SecurityMiddleware
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.settings import HERE, Settings

if TYPE_CHECKING:
    from pentad.web.monitoring import Monitoring

log = logging.getLogger(__name__)

FIRST_PORT, PORTS_TRIED = 5005, 20
BACKLOG = 1024  # connections that wait to be accepted
# Until an idle connection is closed. Proxies reuse theirs for a minute, and a reuse while it is closed fails.
IDLE_SECONDS = 75
# The steps of a shutdown, in seconds: open requests are cancelled, then connections are cut off, then tasks are
# cancelled; the store gets the rest of the time.
GRACE, CUT_OFF, SHUTDOWN_TIMEOUT = 1.5, 1.8, 2
STOP_SECONDS, EXIT_SECONDS = 5.0, 1.5  # the second is the part for releasing the database and for Python's own exit
SILENCE_SECONDS, CHECKS_PER_SECOND = 30, 10  # a connection without a request is closed after such a silence
_FURTHER = (signal.Signals["SIGBREAK"],) if sys.platform == "win32" else ()  # sent when the window is closed
CLAIM_CHECK_SECONDS = 10  # another server may have taken over the database
# Thresholds of the garbage collector. A full collection takes about 0.7 ms for each room. Rooms make no cyclic garbage,
# but invalid texts do: up to some 400 MB of it may wait.
THRESHOLDS = (10_000, 5, 50)
SWITCH_SECONDS = 0.0005  # a thread gives up the interpreter lock after it if another one waits
SIGNALS = (signal.SIGINT, signal.SIGTERM, *_FURTHER)
Takeover: TypeAlias = Callable[[], Coroutine[Any, Any, socket.socket]]  # returns the listener of a running server


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port, by default on the first free one."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for candidate in ports:
        try:
            return _bind(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise GameError(
                    "Cannot listen on {host}: {reason}.{advice}",
                    host=host,
                    reason=error.strerror or error,
                    advice=_name_advice(host),
                ) from None
    if port is None:
        raise GameError(
            "Ports {first} to {last} are all taken. Choose another with --port.",
            first=FIRST_PORT,
            last=FIRST_PORT + PORTS_TRIED - 1,
        )
    raise GameError(
        "Port {port} is taken. Try --port {free_port_near}, or omit it to get a free one.",
        port=port,
        free_port_near=_free_port_near(host, port),
    )


def _name_advice(host: str) -> str:
    """What to say about an address to listen on that may be meant as the site's name."""
    return "" if is_address(host) else " If it is a name of the site, use --public-name."


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # Windows would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)  # a port in use is an error here, not later
    except OSError:
        listener.close()
        raise
    return listener


def _free_port_near(host: str, port: int) -> int:
    """A free port near one that is taken."""
    for candidate in range(port + 1, min(port + PORTS_TRIED, 65536)):
        try:
            _bind(host, candidate).close()
        except OSError:
            continue
        return candidate
    return FIRST_PORT


def address(listener: socket.socket) -> str:
    """The URL of the pages for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    return f"{root_of({'0.0.0.0': '127.0.0.1', '::': '::1'}.get(host, host), port)}/"


class WebServer(uvicorn.Server):
    """A server that greets on startup and stops quickly."""

    def __init__(self, guard: SecurityMiddleware, greeting: str) -> None:
        super().__init__(_config(AccessMiddleware(guard)))
        self._guard, self._greeting = guard, greeting
        self._silent: set[Any] = set()  # connections without a request at the last check
        self._stop_requested: float | None = None  # when a stop was requested

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.greet()

    async def listen_too(self, host: str, port: int) -> Listener:
        """Listens on a further address, at this port or another one; the new listener ends with the server."""
        try:
            listener = listen(host, port)
        except GameError:
            listener = listen(host, 0)
        name = listener.getsockname()
        await self.accept(listener)

        def close() -> None:
            for server in [each for each in self.servers if each.sockets[0].getsockname() == name]:
                self.servers.remove(server)
                server.close()
            for each in list(self.server_state.connections):
                transport = cast(Any, each).transport
                if transport.get_extra_info("sockname")[0] == host:
                    transport.close()

        return Listener(name[1], close)

    async def accept(self, listener: socket.socket) -> None:
        """Accepts connections from a socket that listens; it is closed with the server."""
        loop, protocol = asyncio.get_running_loop(), cast(Any, self.config.http_protocol_class)
        state = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        server = await loop.create_server(lambda: protocol(**state), sock=listener, backlog=self.config.backlog)
        self.servers.append(server)

    def greet(self) -> None:
        """Says that the server runs."""
        print(phrase("{greeting} (press Ctrl-C to stop)", greeting=self._greeting), flush=True)

    def stop_on_signals(self) -> None:
        for number in SIGNALS:
            signal.signal(number, self.stop)

    async def on_tick(self, counter: int) -> bool:
        if counter % (SILENCE_SECONDS * CHECKS_PER_SECOND) == 0:
            self._close_silent()
        return await super().on_tick(counter)

    def _close_silent(self) -> None:
        """Closes connections without a request, or with an incomplete one."""
        silent: set[Any] = {each for each in self.server_state.connections if _is_silent(each)}
        for each in silent & self._silent:
            each.transport.close()
        self._silent = silent

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._guard.cancel_after(GRACE)
        asyncio.get_running_loop().call_later(CUT_OFF, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        """Cuts off the connections that do not even read their responses."""
        for each in list(self.server_state.connections):
            cast(Any, each).transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone: `serve` handles them from before the start until after the shutdown."""
        yield

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Requests a stop; repeated requests change nothing."""
        self._stop_requested = self._stop_requested or time.monotonic()
        self.should_exit = True

    @property
    def time_left(self) -> float | None:
        """The seconds until the store must be closed; None if no stop was requested."""
        if self._stop_requested is None:
            return None
        return max(0.0, self._stop_requested + STOP_SECONDS - EXIT_SECONDS - time.monotonic())


class PageServer(WebServer):
    """The server of the pages: claims its database, and opens the browser."""

    def __init__(
        self,
        guard: SecurityMiddleware,
        listener: socket.socket,
        settings: Settings,
        claim: Claim,
        network: LocalNetwork,
        database: str,
        replacement: Replacement,
        takeover: Takeover | None = None,
        monitoring: Monitoring | None = None,
    ) -> None:
        """`takeover` takes the place of a running server, instead of the start on a listener."""
        self.url, self.settings, self._claim, self.network = address(listener), settings, claim, network
        super().__init__(guard, phrase("pentad is running: {url}", url=self.url))
        self._database, self._monitoring = database, monitoring
        self._checking: asyncio.Task[None] | None = None
        self._replacement, self._takeover = replacement, takeover
        self._paused: list[socket.socket] = []  # the listeners, while it accepts nothing
        self._is_to_be_replaced = False
        self.failure: GameError | None = None  # why it has ended by itself

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._takeover is None:
            await self._show_metrics()
            await super().startup(sockets)
            return
        await uvicorn.Server.startup(self, [])  # it accepts nothing yet
        taking = asyncio.create_task(self._takeover())
        while not taking.done():
            await asyncio.wait((taking,), timeout=1 / CHECKS_PER_SECOND)
            if self.should_exit:
                taking.cancel()
        try:
            await self.accept(await taking)
        except asyncio.CancelledError:
            return
        except GameError as failed:
            self.failure, self.should_exit = failed, True
            return
        await self._show_metrics()
        self.greet()

    async def _show_metrics(self) -> None:
        if self._monitoring:
            try:
                await self._monitoring.start(self)
            except GameError as taken:  # by another program, since the predecessor has given it up
                log.error("The metrics have no port: %s", taken)

    def listener(self) -> int:
        """The open file of the socket that it listens on."""
        return self.servers[0].sockets[0].fileno()

    async def stop_accepting(self, seconds: float) -> None:
        """Accepts no connections, and waits so many seconds for open requests; new connections wait."""
        if self._monitoring:
            self._monitoring.close()  # its port is for the successor
        self._paused = [each.sockets[0].dup() for each in self.servers]
        for server in self.servers:
            server.close()
        self.servers.clear()
        requests: list[Any] = [each for each in self.server_state.connections if hasattr(each, "cycle")]
        for each in requests:
            each.shutdown()
        until = time.monotonic() + seconds
        while any(not each.transport.is_closing() for each in requests) and time.monotonic() < until:
            await asyncio.sleep(0.01)

    async def accept_again(self) -> None:
        """Accepts connections again, unless it stops."""
        paused, self._paused = self._paused, []
        for each in paused:
            if self.should_exit:
                each.close()
            else:
                await self.accept(each)
        if not self.should_exit:
            await self._show_metrics()

    def end_as_replaced(self, process: int) -> None:
        """Closes the sockets of all clients, which connect to the other server then, and stops."""
        self.network.shut_out()
        for each in self._paused:
            each.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        self.should_exit = True
        print(phrase("Process {process} goes on.", process=process), flush=True)

    def greet(self) -> None:
        if self._takeover is None:  # otherwise it was done before clients had to wait
            _collect_rarely()
        # Sending a message releases the interpreter lock for a moment, and the store's thread takes it: it must not
        # hold it for the default of 5 ms.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._claim.announce(self.url)
        log.info("pentad %s answers at %s, with the database %s.", __version__, self.url, self._database)
        self._replacement.start(self, self.url)
        systemd.notify("READY=1")
        super().greet()
        if self._monitoring and self._monitoring.address:
            print(phrase("Metrics: {address}", address=self._monitoring.address), flush=True)
        if self.settings.lan:
            print(
                phrase(
                    "For others on this network: {others}/\n\n{qr_code}",
                    others=self.network.address,
                    qr_code=qr_text(f"{self.network.address}/"),
                ),
                flush=True,
            )
        if self.settings.browser and _has_screen():
            threading.Thread(target=webbrowser.open, args=(self.url,), daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        if counter % (CLAIM_CHECK_SECONDS * CHECKS_PER_SECOND) == 0 and (
            self._checking is None or self._checking.done()
        ):
            self._checking = asyncio.create_task(self._check_claim())
        if self._is_to_be_replaced:
            self._is_to_be_replaced = False
            self._replacement.start_successor()
        return await super().on_tick(counter)

    def stop_on_signals(self) -> None:
        super().stop_on_signals()
        if sys.platform != "win32":
            signal.signal(signal.SIGUSR2, self._replace)

    def _replace(self, _number: int, _frame: FrameType | None) -> None:
        self._is_to_be_replaced = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("The server stops.")
        self._replacement.close()
        await super().shutdown(sockets)
        log.info("The server has stopped.")

    async def _check_claim(self) -> None:
        try:
            await asyncio.wrap_future(run_detached(self._claim.check, "pentad-claim"))
        except Claimed as claimed:
            self.failure, self.should_exit = claimed, True
        except GameError as failed:  # the database may be temporarily unavailable
            log.warning("Cannot check whether another server uses the database: %s", failed)


class _WebSocket(cast(type, AutoWebSocketsProtocol)):  # type: ignore[misc]
    """A WebSocket that also answers an invalid handshake; uvicorn would leave such a connection open."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        protocol: Any = getattr(self, "conn", None)
        if getattr(protocol, "handshake_exc", None) is not None and not self.transport.is_closing():
            self.transport.write(b"".join(protocol.data_to_send()) or _BAD_REQUEST)
            self.transport.close()

    def shutdown(self) -> None:
        if not self.transport.is_closing():  # a second close would be an error
            super().shutdown()


_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def _is_silent(connection: Any) -> bool:
    """Whether a connection has no request, or only an incomplete one."""
    if not hasattr(connection, "cycle"):
        return False  # it is a WebSocket
    cycle = connection.cycle
    return cycle is None or (cycle.response_complete and connection.timeout_keep_alive_task is None)


def _collect_rarely() -> None:
    """Collects cyclic garbage less often: with hundreds of games a full collection stops everything for a moment."""
    gc.collect()
    gc.freeze()  # the program's own objects stay anyway
    gc.set_threshold(*THRESHOLDS)


def _has_screen() -> bool:
    """Whether a browser would get a window; in a bare terminal it would take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"))


def serve(settings: Settings, *, replaces: bool = False) -> None:
    """Serves until Ctrl-C or another stop signal; it may replace the server that runs."""
    predecessor: Predecessor | None = None
    try:
        claim = _claim(settings.database)
    except Claimed as claimed:
        if replaces:
            predecessor, claim = Predecessor.at(claimed.where), Claim(settings.database, inherits=True)
        elif replace(settings, browser=True) != Settings() or not claimed.where:
            raise
        else:
            print(phrase("pentad is already running: {where}", where=claimed.where), flush=True)
            if settings.browser and _has_screen():
                webbrowser.open(claimed.where)
            return
    with contextlib.ExitStack() as put_away:
        put_away.callback(claim.release)
        if predecessor:
            listener = put_away.enter_context(contextlib.closing(predecessor)).listener
            _check_port(listener, settings)
        else:
            new = systemd.inherited_listener() or listen(settings.listens_on, settings.port)
            listener = put_away.enter_context(contextlib.closing(new))
        monitoring = None
        if settings.metrics_port is not None:
            from pentad.web.monitoring import Monitoring  # its package takes time to import

            monitoring = put_away.enter_context(
                contextlib.closing(
                    Monitoring(partial(_listen_for_metrics, settings.metrics_host, settings.metrics_port))
                )
            )
            if predecessor is None:  # which has the port until it has stopped accepting
                monitoring.listen()
        store = Store.open(settings.database, beside_a_server=predecessor is not None)
        server = _server(settings, listener, store, claim, predecessor, monitoring)
        put_away.callback(lambda: store.close(server.time_left))
        server.run(sockets=[] if predecessor else [listener])
        if predecessor and not predecessor.is_replaced:
            store.leave(LEFT)
    for number in SIGNALS:  # a second signal must not disturb the shutdown
        signal.signal(number, signal.SIG_IGN)
    if server.failure:
        raise server.failure


def _check_port(listener: socket.socket, settings: Settings) -> None:
    """Refuses another port than the one that is taken over."""
    port = listener.getsockname()[1]
    if settings.port not in (None, port):
        raise GameError(
            "The running server listens on port {port}, and not {other}. A server that replaces it has the same port.",
            port=port,
            other=settings.port,
        )


def _listen_for_metrics(host: str, port: int) -> socket.socket:
    """A socket that listens for requests of the metrics."""
    try:
        return _bind(host, port)
    except OSError as error:
        raise GameError(
            "Cannot listen on {host}, port {port} for metrics: {reason}.",
            host=host,
            port=port,
            reason=error.strerror or error,
        ) from None


def _claim(database: str | None) -> Claim:
    """Claims the database for this server; waits for a server that is about to stop."""
    until = time.monotonic() + 2 * STOP_SECONDS  # twice the limit, for busy machines
    while True:
        try:
            return Claim(database)
        except Claimed as claimed:
            if not claimed.where or answers_at(claimed.where) or time.monotonic() > until:
                raise
        time.sleep(0.2)


def answers_at(where: str) -> bool:
    """Whether a server answers there; systemd may accept connections without one."""
    parts = urlsplit(where)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=2) as connection:
            connection.sendall(f"HEAD / HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
            return bool(connection.recv(1))
    except OSError:
        return False


def _server(
    settings: Settings,
    listener: socket.socket,
    store: Store,
    claim: Claim,
    predecessor: Predecessor | None,
    monitoring: Monitoring | None,
) -> PageServer:
    """The server; signals stop it from now on."""
    _allow_many_sockets()
    log_quietly(settings.log_format, settings.logs_from)
    network, engines = LocalNetwork(address_for_others(settings, listener)), Engines()
    rooms = Rooms(RoomEnvironment(store, engines))
    app = create_app(
        store,
        hosts=settings.public_name,
        network=network,
        proxies=settings.trusted_proxy,
        engines=engines,
        rooms=rooms,
        watch=monitoring.watch if monitoring else None,
    )
    takeover = partial(predecessor.take_over, rooms, store, claim, engines, _collect_rarely) if predecessor else None
    replacement = Replacement(store, claim, rooms)
    server = PageServer(app, listener, settings, claim, network, store.name, replacement, takeover, monitoring)
    if settings.listens_on == HERE:
        network.control(partial(server.listen_too, port=listener.getsockname()[1]))
    server.stop_on_signals()
    return server


def log_quietly(form: str = "text", level: str = "warning") -> None:
    """Logs from a level on: by default what the person who runs the server can act on."""
    logs.install(form, level)
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # otherwise each message to a lost connection is logged


def address_for_others(settings: Settings, listener: socket.socket) -> str:
    """The URL of the pages for other machines in the network; empty if the server listens to this machine only."""
    if not (settings.lan or settings.listens_on in ("0.0.0.0", "::")):
        return ""
    try:
        return f"http://{own_address()}:{listener.getsockname()[1]}"
    except GameError:
        if settings.lan:
            raise
        return ""


def _config(app: AccessMiddleware) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # they are read by `Guard`
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        ws=_WebSocket,
        ws_max_size=MAX_RECORD_BYTES,  # a somewhat too long message gets an error, a longer one is cut off
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )


def _allow_many_sockets() -> None:
    """Raises the limit of open files: each player has a socket."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
