"""Exploration pool: one process for each exploration, a few at a time, behind a fair queue."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, Hashable, Mapping
from functools import partial
from typing import Any

from pentad import kernel
from pentad.jobs.fair_queue import Bounds, FairQueue, PlaceCallback, QueueError
from pentad.jobs.heartbeat import Frozen, Heartbeat, next_line, read_activity
from pentad.web.engines.worker_process import kill
from pentad.web.http.logs import relay

log = logging.getLogger(__name__)

MOST_STATES = 2_000_000
MOST_SECONDS = 10.0
ANSWER_TIMEOUT = 20.0  # seconds beyond its time limit until a process that reports nothing has failed
COMPILE_TIMEOUT = 180.0  # the same while kernels are compiled, once on a machine
LONGEST_LINE = 1 << 22  # bytes: one line may hold a picture
WAIT = Bounds(all=200, of_address=60, of_owner=4)
FULL = "Too many explorations are waiting. Try again in a minute."


class ExplorationFailed(Exception):
    """No answer came; the message is one line."""


class ExplorationPool:
    """The exploration processes and their queue."""

    def __init__(self, size: int | None = None) -> None:
        size = size or max(1, (os.cpu_count() or 2) // 2)
        self.queue = FairQueue(size, size, quick_bounds=WAIT, full=FULL)

    async def explore(
        self, job: Mapping[str, Any], stop: asyncio.Event, *, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The messages of the process; closing this ends it. `stop` ends the search with its results so far."""
        try:
            # Closed explicitly: garbage collection would close it later.
            async with self.queue.turn(owner, 1, on_place=on_place), contextlib.aclosing(_explored(job, stop)) as found:
                async for message in found:
                    yield message
        except QueueError as error:
            raise ExplorationFailed(str(error)) from None
        except (OSError, ValueError):  # the process did not start, or broke off
            raise ExplorationFailed("The exploration ended unexpectedly.") from None


async def _explored(job: Mapping[str, Any], stop: asyncio.Event) -> AsyncGenerator[dict[str, Any], None]:
    kernel.folder()  # a temporary cache folder is shared by this process and its children
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # never imports from the current folder
        "-m",
        "pentad.web.models.exploration_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the server, which then ends its children
        limit=LONGEST_LINE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stopping = asyncio.create_task(_stopping(process.stdin, stop))
    relaying = asyncio.create_task(relay(process, "an exploration"))
    try:
        process.stdin.write(json.dumps(dict(job)).encode() + b"\n")
        heartbeat, loop = Heartbeat(partial(read_activity, process.pid)), asyncio.get_running_loop()
        until = loop.time() + job["seconds"] + ANSWER_TIMEOUT
        while True:
            try:
                line = await next_line(process.stdout, heartbeat, until)
            except TimeoutError:
                raise ExplorationFailed("The exploration stopped responding.") from None
            except Frozen:
                log.warning("Exploration process %d is frozen; killing it.", process.pid)
                raise ExplorationFailed("The exploration stopped responding.") from None
            if not line:
                raise ExplorationFailed("The exploration ended unexpectedly.")
            message = json.loads(line)
            if "alive" in message:
                continue
            until = loop.time() + (COMPILE_TIMEOUT if "preparing" in message else job["seconds"] + ANSWER_TIMEOUT)
            yield message
            if "done" in message or "error" in message:
                return
    finally:
        stopping.cancel()
        kill(process)
        await process.wait()
        await asyncio.wait([relaying], timeout=1.0)
        relaying.cancel()


async def _stopping(stdin: asyncio.StreamWriter, stop: asyncio.Event) -> None:
    await stop.wait()
    with contextlib.suppress(ConnectionError):
        stdin.write(b"stop\n")
        await stdin.drain()
