"""Explorations for whoever asks, each in a process of its own: a few at a time, the others wait in line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

MOST_STATES = 2_000_000
MOST_SECONDS = 10.0
PATIENCE = 20.0  # seconds beyond its time after which a process that says nothing has failed
PREPARING = 180.0  # the same where kernels are compiled, once on a machine
LONGEST_LINE = 1 << 22  # bytes: one line may hold a picture
LONGEST_QUEUE = 20

Waiting = Callable[[int], Awaitable[None]]  # is told how many are before one, 0 when it begins


class Failed(Exception):
    """No answer came; the message is one plain line."""


class Explorers:
    """The line in front of the processes that explore."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or max(1, (os.cpu_count() or 2) // 2)
        self._running = 0
        self._line: deque[asyncio.Event] = deque()

    async def explore(
        self, job: Mapping[str, Any], stop: asyncio.Event, waiting: Waiting
    ) -> AsyncGenerator[dict[str, Any], None]:
        """What the process says, until it is done; closing this ends it. `stop` ends the search with what it has."""
        await self._enter(waiting)
        try:
            async with contextlib.aclosing(
                _explored(job, stop)
            ) as found:  # what is only forgotten ends some time later
                async for said in found:
                    yield said
        finally:
            self._leave()

    async def _enter(self, waiting: Waiting) -> None:
        if len(self._line) >= LONGEST_QUEUE:
            raise Failed("too many explorations are waiting; try again in a minute")
        mine = asyncio.Event()
        self._line.append(mine)
        try:
            while (place := self._line.index(mine)) or self._running >= self.size:
                mine.clear()
                await waiting(place + 1)
                await mine.wait()
            self._running += 1
        finally:
            self._line.remove(mine)
            self._tell()
        try:
            await waiting(0)
        except BaseException:
            self._leave()
            raise

    def _leave(self) -> None:
        self._running -= 1
        self._tell()

    def _tell(self) -> None:
        """Something has moved: let all look where they are."""
        for each in self._line:
            each.set()


async def _explored(job: Mapping[str, Any], stop: asyncio.Event) -> AsyncGenerator[dict[str, Any], None]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # what lies in the current folder is none of its business
        "-m",
        "pentad.web.explorer",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the server, which then ends it
        limit=LONGEST_LINE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stopping = asyncio.create_task(_stopping(process.stdin, stop))
    try:
        process.stdin.write(json.dumps(dict(job)).encode() + b"\n")
        patience = job["seconds"] + PATIENCE
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), patience)
            except TimeoutError:
                raise Failed("the exploration does not answer") from None
            if not line:
                raise Failed("the exploration broke off")
            said = json.loads(line)
            patience = PREPARING if "preparing" in said else job["seconds"] + PATIENCE
            yield said
            if "done" in said or "error" in said:
                return
    finally:
        stopping.cancel()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _stopping(stdin: asyncio.StreamWriter, stop: asyncio.Event) -> None:
    await stop.wait()
    with contextlib.suppress(ConnectionError):
        stdin.write(b"stop\n")
        await stdin.drain()
