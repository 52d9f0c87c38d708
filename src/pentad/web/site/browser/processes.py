"""Worker processes of a page: Web Workers with Python, which the pools of `pentad.jobs` use like processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, cast

from pentad.jobs.process import MAX_LINE_BYTES, Process

Received: TypeAlias = "Callable[[str | None], None]"  # called with each line, and with None at the end


class WebWorker(Protocol):
    """A worker as JavaScript gives it."""

    def send(self, line: str) -> None:
        """Sends a line."""

    def kill(self) -> None:
        """Ends the worker."""


StartWorker: TypeAlias = "Callable[[str, Received], WebWorker]"  # the argument is the module of its jobs


class _Input:
    """The input of a worker, like that of a process."""

    def __init__(self, worker: WebWorker) -> None:
        self._worker = worker

    def write(self, data: bytes) -> None:
        self._worker.send(data.decode().rstrip("\n"))

    async def drain(self) -> None:
        """Nothing waits: messages have no limit."""


class _WorkerProcess:
    """A worker with the attributes of `asyncio.subprocess.Process` that pools use."""

    pid = 0

    def __init__(self, start: StartWorker, module: str) -> None:
        self.returncode: int | None = None
        self.stdout = asyncio.StreamReader(limit=MAX_LINE_BYTES)
        self.stderr = asyncio.StreamReader()
        self._ended = asyncio.Event()
        self._worker = start(module, self._receive)
        self.stdin = _Input(self._worker)

    def _receive(self, line: str | None) -> None:
        if line is None:
            self._end(1)
        elif self.returncode is None:
            self.stdout.feed_data(line.encode() + b"\n")

    def _end(self, code: int) -> None:
        if self.returncode is None:
            self.returncode = code
            self._ended.set()
            self._worker.kill()
            self.stdout.feed_eof()
            self.stderr.feed_eof()

    def kill(self) -> None:
        self._end(-9)

    async def wait(self) -> int:
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode


class WorkerProcess(Process):
    """A Web Worker in the place of a worker process.

    A browser ends a worker that fails, and reports it; a busy one sends no heartbeats, and is not frozen for that.
    """

    max_idle_bytes = 200 << 20  # a worker's memory never shrinks, and another one starts within a second or two
    start_worker: StartWorker  # set when the page starts

    @classmethod
    async def start(cls, command: Sequence[str], kind: str, nice: int) -> Process:
        """A new worker for the jobs of the module that the command ends with."""
        process = _WorkerProcess(cls.start_worker, command[-1])
        return cls(cast(asyncio.subprocess.Process, cast(Any, process)), kind, nice)

    def kill(self) -> None:
        """Ends the worker."""
        self.process.kill()

    def is_frozen(self, passed: float) -> bool:
        return False
