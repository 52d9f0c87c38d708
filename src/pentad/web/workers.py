"""A small pool of worker processes in which bots think, so that the server never waits for one.

Whoever asks waits in turn. Cancelling the asking ends the search at once, by ending its process; another one
is started when it is needed. A worker that dies on its own has its question asked once more.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from typing import Protocol

from pentad.game import Position

THINK_AT_MOST = 60.0  # seconds; a bot that needs longer has failed
_ATTEMPTS = 2


class WorkerFailed(Exception):
    """No answer came; the message is one plain line."""


class Thinker(Protocol):
    """Whoever can be asked for a bot's move."""

    async def think(self, position: Position, who: str | None, *, seed: int, seconds: float | None = None) -> str:
        """The move, in notation, of the bot called `who`, or of the game's best."""


class Workers:
    """The pool. Processes are started when they are first needed and kept."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or max(1, min(4, os.cpu_count() or 1))
        self._free = asyncio.Semaphore(self.size)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def think(self, position: Position, who: str | None, *, seed: int, seconds: float | None = None) -> str:
        """The move of a bot; `WorkerFailed` when none comes."""
        job = {"position": position.text, "who": who, "seed": seed, "seconds": seconds}
        async with self._free:
            for _ in range(_ATTEMPTS):
                line = await self._ask(json.dumps(job))
                if line:
                    answer = json.loads(line)
                    if "move" not in answer:
                        raise WorkerFailed(str(answer.get("error", "it gave no answer")))
                    return str(answer["move"])
        raise WorkerFailed("its process ended")

    async def _ask(self, job: str) -> bytes:
        """The line that a worker answers, or nothing when it ended."""
        worker = await self._take()
        assert worker.stdin is not None
        assert worker.stdout is not None
        line = b""
        try:
            worker.stdin.write(job.encode() + b"\n")
            async with asyncio.timeout(THINK_AT_MOST):
                with contextlib.suppress(ConnectionError):
                    await worker.stdin.drain()
                    line = await worker.stdout.readline()
        except TimeoutError:
            raise WorkerFailed(f"it found no move within {THINK_AT_MOST:.0f} seconds") from None
        finally:
            if line.endswith(b"\n") and not self._closed:
                self._idle.append(worker)
            else:
                self._end(worker)
        return line

    async def warm(self) -> None:
        """Start one worker, so that the first answer comes quickly."""
        if not self._idle:
            self._idle.append(await self._start())

    async def _take(self) -> asyncio.subprocess.Process:
        if self._closed:
            raise WorkerFailed("the server is stopping")
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
        return await self._start()

    async def _start(self) -> asyncio.subprocess.Process:
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the current folder is none of its business
            "-m",
            "pentad.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers
        )
        self._all.add(worker)
        return worker

    def _end(self, worker: asyncio.subprocess.Process) -> None:
        """End a worker now; somebody else waits until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
        task = asyncio.create_task(self._gone(worker))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _gone(self, worker: asyncio.subprocess.Process) -> None:
        await worker.wait()
        self._all.discard(worker)

    async def close(self) -> None:
        """End every worker, whatever it does."""
        self._closed = True
        self._idle.clear()
        for worker in self._all:
            self._end(worker)
        while self._ending:
            await asyncio.wait(self._ending)
