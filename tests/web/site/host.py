"""A host of static files below a folder of its own, which can stop, and can give damaged files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FOLDER = "some/folder"
Damage = Callable[[bytes], bytes | None]  # None: the file is missing


def missing(data: bytes) -> None:
    """No file."""


def half(data: bytes) -> bytes:
    """The first half."""
    return data[: len(data) // 2]


def damaged(data: bytes) -> bytes:
    """Some bytes in the middle are others."""
    middle = len(data) // 2
    return data[:middle] + bytes(64) + data[middle + 64 :]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


class _Handler(SimpleHTTPRequestHandler):
    """As `python -m http.server` does it, but for damaged files."""

    def __init__(self, *given: object, host: Host, **more: object) -> None:
        self._host = host
        super().__init__(*given, **more)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self._host.requests.append(path)
        found = next((each for end, each in self._host.damage.items() if path.endswith(end)), None)
        if found is None:
            return super().do_GET()
        data = found(Path(self.translate_path(path)).read_bytes())
        if data is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        return None

    def log_message(self, format: str, *given: object) -> None:
        """Nothing is printed."""


class Host:
    """Serves a site below `FOLDER` of a folder, on this machine, until it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._port = folder, 0
        self.damage: dict[str, Damage] = {}  # the keys are ends of paths
        self.requests: list[str] = []
        self.start()

    def start(self) -> None:
        """Starts, or starts again at the same address."""
        handler = partial(_Handler, host=self, directory=str(self.folder))
        self._server: _Server | None = _Server(("127.0.0.1", self._port), handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://127.0.0.1:{self._port}/{FOLDER}/"

    def stop(self) -> None:
        """Ends the host: its address does not answer any more."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
