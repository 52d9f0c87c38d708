"""A real server in its own process, and a client that uses it like a page."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.waiting import TIMEOUT
from tests.web.room_fixtures import played

# On a busy machine an engine takes a minute to load, which is over the normal limit.
PATIENT = f"import pentad.web.engines.pool as pool; pool.MAX_THINKING_SECONDS = {10 * TIMEOUT}"
# The same for warnings: a short proof may have to wait for a processor.
PATIENT_WARNINGS = f"""
import pentad.web.engines.pool as pool, pentad.web.rooms.engine_requests as requests
pool.MAX_REVIEW_SECONDS = requests.WARNING_SECONDS = {10 * TIMEOUT}
"""


class Server:
    """`serve` in a process; port 0 is any free port. The default database is in a temporary folder."""

    def __init__(
        self,
        port: int = 0,
        database: str | None = None,
        before: str = "",
        replaces: Server | None = None,
        **settings: Any,
    ) -> None:
        """`before` is code that the process runs first; `settings` are further ones of the server.

        It may take the place of a server that it `replaces`.
        """
        if replaces:
            port, database = replaces.port, replaces.database
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.database: str = database or f"sqlite:///{self.folder.name}/games.db"
        given = {"port": port, "database": self.database, "browser": False, **settings}
        code = (
            f"{before}\n{PATIENT}\nfrom pentad.web.serve import serve; from pentad.web.settings import Settings; "
            f"serve(Settings(**{given!r}), replaces={replaces is not None})"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line.startswith("pentad is running: http://127.0.0.1:"), line or self.errors()
        self.url = line.split()[3].rstrip("/")
        self.port: int = int(self.url.rpartition(":")[2])
        self.metrics = ""
        if "metrics_port" in settings:
            self.metrics = self.process.stdout.readline().removeprefix("Metrics: ").strip()

    def errors(self) -> str:
        self.process.kill()
        return self.process.communicate()[1]

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> tuple[int, str, str]:
        """Stop it; its exit code and output."""
        self.process.terminate()
        out, err = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, out, err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def make(self, cookies: dict[str, str] | None = None, /, **wish: Any) -> tuple[str, dict[str, str]]:
        """A new room, and the cookie of its maker."""
        answer = httpx.post(f"{self.url}/api/rooms", json={"game": "pentago", **wish}, cookies=cookies, timeout=TIMEOUT)
        assert answer.status_code == 201, answer.text
        return answer.json()["room"], cookies or {cookie.name: cookie.value or "" for cookie in answer.cookies.jar}

    def sit(self, room: str, **wish: Any) -> dict[str, str]:
        """Take an open seat; the cookie of the new player."""
        answer = httpx.post(f"{self.url}/api/rooms/{room}/seats", json=wish, timeout=TIMEOUT)
        assert answer.status_code == 200, answer.text
        return {cookie.name: cookie.value or "" for cookie in answer.cookies.jar}

    @contextlib.contextmanager
    def join(
        self, room: str, cookies: dict[str, str] | None = None, query: str = "", **headers: str
    ) -> Iterator[Player]:
        """A socket to a room; the cookie of a player allows to play."""
        if cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        url = f"{self.url.replace('http', 'ws')}/api/rooms/{room}{query}"
        with connect(url, additional_headers=headers, max_size=None, max_queue=None, open_timeout=TIMEOUT) as socket:
            yield Player(socket)


ANSWERS = ("state", "played", "turn", "hint", "warning", "error")


class Player:
    """A client of a room, like a page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}

    def receive(self, *types: str) -> dict[str, Any]:
        """The next message, or the next of these types."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
            if message["type"] == "state":
                self.state = message
            elif message["type"] == "played":
                self.state = played(self.state, message)
            elif message["type"] == "around":
                self.state |= {key: value for key, value in message.items() if key != "type"}
            if not types or message["type"] in types:
                return message

    def send(self, type_: str, **more: Any) -> None:
        self.socket.send(json.dumps({"type": type_, "at": self.state["at"], **more}))

    def ask(self, type_: str, **more: Any) -> dict[str, Any]:
        """Send a message and receive the answer."""
        self.send(type_, **more)
        return self.receive(*ANSWERS)

    def play(self, move: str) -> dict[str, Any]:
        return self.ask("step", steps=move)

    def moves(self) -> list[str]:
        return [move["text"] for move in self.state["moves"]]

    def close_code(self) -> int | None:
        """The close code of the socket, after all remaining messages."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None
