"""Serving the page on a port: `pentad web` from the socket to the last goodbye."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from types import FrameType
from typing import NoReturn

import uvicorn

from pentad.game import GameError
from pentad.store import Store
from pentad.web.app import create_app
from pentad.web.lan import code, own_address
from pentad.web.messages import LONGEST_MESSAGE
from pentad.web.settings import Settings

FIRST_PORT, PORTS_TRIED = 5005, 20
BACKLOG = 1024  # connections that may wait to be taken
GRACE = 3  # seconds that open connections get when the server stops


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
    """A server that says where it is once it is there, and opens the page."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, settings: Settings) -> None:
        super().__init__(config)
        self.url, self.settings = address(listener), settings
        self.others = f"http://{own_address()}:{listener.getsockname()[1]}/" if settings.lan else ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"pentad is at {self.url} (Ctrl-C stops it)", flush=True)
        if self.others:
            print(f"others in this network find it at {self.others}\n\n{code(self.others)}", flush=True)
        if self.settings.browser and _has_screen():
            threading.Thread(target=webbrowser.open, args=(self.url,), daemon=True).start()


def _has_screen() -> bool:
    """Whether a browser that is opened here would show: in a bare terminal it would take that over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"))


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C or a polite request to end."""
    listener = listen(settings.listens_on, settings.port)
    try:
        store = Store.open(settings.database)
        try:
            _serve(settings, listener, store)
        finally:
            store.close()
    finally:
        listener.close()


def _serve(settings: Settings, listener: socket.socket, store: Store) -> None:
    _allow_many_sockets()
    config = uvicorn.Config(
        create_app(store, hosts=[settings.host]),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=LONGEST_MESSAGE * 4,  # what is a little too long gets an answer, what is far too long the door
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACE,
    )
    # uvicorn closes down on these signals and then raises them again; for us the matter is settled with that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    Server(config, listener, settings).run(sockets=[listener])


def _allow_many_sockets() -> None:
    """As many open files as this process may have: each player has a socket."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
