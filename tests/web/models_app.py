"""The server without engines, in its own process: `python -m tests.web.models_app FOLDER SECONDS STATES`."""

from __future__ import annotations

import importlib
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

import uvicorn

from pentad.store import Store
from pentad.web import backend
from tests.waiting import TIMEOUT


class NoEngines:
    """No engines: models use their own processes."""

    async def warm(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class ModelsServer:
    """The server in a process; a context manager."""

    def __init__(self, most_seconds: float = TIMEOUT, most_states: int = backend.MOST_STATES) -> None:
        """Sets the limits of explorations."""
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", __name__, self.folder.name, str(most_seconds), str(most_states)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+\n", line), line
        self.url = line.strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


def main(folder: str, most_seconds: str, most_states: str) -> None:
    backend.MOST_SECONDS, backend.MOST_STATES = float(most_seconds), int(most_states)  # the services' types have them
    importlib.import_module("pentad.web.service.models").RANDOM_STEPS_SECONDS = TIMEOUT
    create_app = importlib.import_module("pentad.web.app").create_app
    workers = importlib.import_module("pentad.web.page_workers").BackgroundThreads()
    app = create_app(Store.open(f"sqlite:///{Path(folder) / 'games.db'}"), engines=NoEngines(), workers=workers)
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
