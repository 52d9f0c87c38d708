"""A worker process as the server sees it: lines to it, lines from it, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import Any

from pentad.web.heartbeat import Frozen, Heartbeat, next_line, read_activity
from pentad.web.logs import relay

log = logging.getLogger(__name__)

LONGEST_LINE = 4 << 20  # bytes that a worker may say at once
ALIVE = "alive"  # a note that only tells that the worker is at work
MOST_RUBBISH = 100  # lines that mean nothing, before a worker is given up


class WorkerFailed(Exception):
    """No answer came; the message is one plain line."""


class WorkerDied(Exception):
    """The process has ended, or is of no use any more, before its answer was there."""


def kill(process: asyncio.subprocess.Process) -> None:
    """End a process that has a session of its own, with whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class Process:
    """One worker process; a question at a time."""

    def __init__(self, process: asyncio.subprocess.Process, nice: int) -> None:
        self.process, self.nice = process, nice
        self._relaying = asyncio.create_task(relay(process, "an engine"))
        self.preparing = ""  # the game whose engine is being prepared
        self.share: float | None = None
        self.since = 0.0
        self.memory = 0  # bytes after the last answer
        self.at_rest = True
        self._asked = 0
        self._heartbeat = Heartbeat(partial(read_activity, process.pid))

    @classmethod
    async def start(cls, command: Sequence[str], nice: int) -> Process:
        """A new process."""
        process = await asyncio.create_subprocess_exec(
            *command,
            str(nice),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers and what they have started
        )
        return cls(process, nice)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End it now, with whatever it has started."""
        kill(self.process)

    async def ask(
        self, job: str, given: Mapping[str, Any], silence: float | None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a question. So many seconds without one are too many, unless an engine is being prepared."""
        self._asked += 1
        self.at_rest = False
        try:
            await self._send(json.dumps({"id": self._asked, "job": job, "given": dict(given)}))
            rubbish = 0
            loop = asyncio.get_running_loop()
            since = loop.time()
            while True:
                until = None if silence is None or self.preparing else since + silence
                try:
                    said = await self._hear(until)
                except TimeoutError:
                    raise WorkerFailed(f"it found nothing within {silence:g} seconds") from None
                if said and said.get("note") != ALIVE:
                    since = loop.time()
                if said is None or said.get("id") != self._asked:
                    rubbish += 1
                    if rubbish > MOST_RUBBISH:
                        raise WorkerDied
                elif said.get("note") == ALIVE:
                    pass  # that it has said something is all there is to know
                elif said.get("note") == "compiling":
                    self._prepares(str(said.get("what", "")), said.get("share"))
                elif isinstance(said.get("answer"), dict):
                    yield said["answer"]
                elif said.get("end") is True:
                    memory = said.get("memory")
                    self.memory = memory if type(memory) is int else 0
                    self.at_rest = True
                    if "error" in said:
                        raise WorkerFailed(str(said["error"]))
                    return
        finally:
            self._prepares("", None)

    async def _send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
        except (ConnectionError, RuntimeError):  # what it has said before is of no interest
            raise WorkerDied from None

    async def _hear(self, until: float | None) -> dict[str, Any] | None:
        """What it says next; None for what means nothing. `TimeoutError` once the loop's clock is there."""
        assert self.process.stdout is not None
        try:
            line = await next_line(self.process.stdout, self._heartbeat, until)
        except ValueError:
            raise WorkerFailed("its answer was too long") from None
        except Frozen:
            log.warning("the worker process %d is frozen and is ended", self.process.pid)
            raise WorkerDied from None
        if not line.endswith(b"\n"):
            raise WorkerDied
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            log.warning("a worker said what means nothing: %.100r", line)
            return None
        return said

    def _prepares(self, what: str, share: object) -> None:
        if what and what != self.preparing:
            self.since = time.monotonic()
        self.preparing = what
        self.share = float(share) if isinstance(share, int | float) else None
