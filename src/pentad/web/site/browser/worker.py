"""A Web Worker that does jobs, as `pentad.jobs.worker` does them in a process.

Python looks at its messages between two answers of a job, and when a job polls: then a request to stop takes effect.
Where the browser cannot suspend Python in the middle of a job, only the former happens. A page that does not want to
wait ends the worker.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, Protocol

from pentad.game import names
from pentad.jobs import worker as jobs
from pentad.jobs.worker import Worker
from pentad.kernels import processors

LIBRARY = "kernels/prebuilt/"
NEVER = ("learn_kernels", ".batch.")  # kernels of training and of many games at once, which no page runs


class WorkerScript(Protocol):
    """What JavaScript gives a worker."""

    def write(self, line: str) -> None:
        """Sends a line to the page's server."""

    later: Iterable[str]
    """The files of the package that are loaded when they are needed."""

    def bring(self, name: str) -> Awaitable[None]:
        """Loads one of these files."""


class PageWorker:
    """Runs the requests of a page one after the other."""

    def __init__(self, module: str, environment: WorkerScript) -> None:
        self._environment = environment
        self._worker = Worker(importlib.import_module(module).JOBS, environment.write, _poll)
        jobs.set_current(self._worker)
        self._later, self._brought = list(environment.later), set[str]()
        self._requests: asyncio.Queue[tuple[str, Mapping[str, Any]]] = asyncio.Queue()  # lines with their parameters
        self._running = asyncio.ensure_future(self._run())

    def receive(self, line: str) -> None:
        """Takes a line: a request, or one to stop."""
        message = json.loads(line)
        if "stop" in message:
            self._worker.stop(message["stop"])
        else:
            self._requests.put_nowait((line, message["given"]))

    async def _run(self) -> None:
        while True:
            line, given = await self._requests.get()
            try:
                await self._bring_files(given)
            except Exception as error:  # of the browser or the network; its message is for the person at the page
                self._worker.refuse(line, getattr(error, "message", str(error)))
                continue
            for _ in self._worker.steps(line):
                await asyncio.sleep(0)  # other messages arrive meanwhile

    async def _bring_files(self, given: Mapping[str, Any]) -> None:
        """Loads the kernels and weights that a request may need."""
        for name in files_for(given, self._later, processors.this_level()):
            if name not in self._brought:
                await self._environment.bring(name)
                self._brought.add(name)


def _poll() -> None:
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found,unused-ignore]

    if can_run_sync():
        run_sync(asyncio.sleep(0))


def files_for(given: Mapping[str, Any], names: Iterable[str], level: str) -> list[str]:
    """The files for a job, by its parameters: those of the game of its position or record, or of grammars.

    >>> names = [f"kernels/prebuilt/games.pente.search.{each}.so" for each in ("wasm32", "wasm32-simd")]
    >>> names.append("games/pente/weights.npz")
    >>> files_for({"position": "pente 19x19"}, names, "wasm32")
    ['kernels/prebuilt/games.pente.search.wasm32.so', 'games/pente/weights.npz']
    """
    text = str(given.get("position") or given.get("record") or given.get("name") or "")
    game = _game_of(text)
    package = "grammar" if "model" in given else f"games.{game}" if game else ""
    begins = (f"{package.replace('.', '/')}/", f"{LIBRARY}{package}.")
    fitting = [
        each for each in names if package and each.startswith(begins) and not any(word in each for word in NEVER)
    ]
    return [each for each in fitting if not each.startswith(LIBRARY) or f".{level}." in each]


def _game_of(text: str) -> str:
    begin = text.split("\n\n")[0]
    return next((name for name in names() if text.startswith(name) or f'"{name}' in begin), "")


def start(module: str, environment: WorkerScript) -> PageWorker:
    """Starts to run jobs; called by `static/python/python.js`."""
    return PageWorker(module, environment)
