"""A worker process on the server's side: the lines sent to it, the lines read from it, and its end."""

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

from pentad.jobs.heartbeat import Frozen, Heartbeat, next_line, read_activity
from pentad.web.http.logs import relay

log = logging.getLogger(__name__)

LONGEST_LINE = 4 << 20  # bytes of one line from a worker
ALIVE = "alive"  # the note of a heartbeat
MOST_INVALID = 100  # invalid lines until a worker is given up


class WorkerFailed(Exception):
    """No answer came; the message is one line."""


class WorkerDied(Exception):
    """The process ended or became unusable before its answer was complete."""


def kill(process: asyncio.subprocess.Process) -> None:
    """Kills a process that has its own session, with its children."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class Process:
    """One worker process; it answers one request at a time."""

    def __init__(self, process: asyncio.subprocess.Process, nice: int) -> None:
        self.process, self.nice = process, nice
        self._relaying = asyncio.create_task(relay(process, "an engine"))
        self.preparing = ""  # the game whose engine is being compiled
        self.share: float | None = None
        self.since = 0.0
        self.memory = 0  # bytes after the last answer
        self.is_idle = True
        self._id = 0
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
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers and their children
        )
        return cls(process, nice)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.returncode is None

    def kill(self) -> None:
        """Kills it, with its children."""
        kill(self.process)

    async def ask(
        self, job: str, given: Mapping[str, Any], silence: float | None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a request. Fails after `silence` seconds without one, unless an engine is being compiled."""
        self._id += 1
        self.is_idle = False
        try:
            await self._send(json.dumps({"id": self._id, "job": job, "given": dict(given)}))
            invalid = 0
            loop = asyncio.get_running_loop()
            since = loop.time()
            while True:
                until = None if silence is None or self.preparing else since + silence
                try:
                    message = await self._receive(until)
                except TimeoutError:
                    raise WorkerFailed(f"The engine found nothing within {silence:g} seconds.") from None
                if message and message.get("note") != ALIVE:
                    since = loop.time()
                if message is None or message.get("id") != self._id:
                    invalid += 1
                    if invalid > MOST_INVALID:
                        raise WorkerDied
                elif message.get("note") == ALIVE:
                    pass
                elif message.get("note") == "compiling":
                    self._set_preparing(str(message.get("what", "")), message.get("share"))
                elif isinstance(message.get("answer"), dict):
                    yield message["answer"]
                elif message.get("end") is True:
                    memory = message.get("memory")
                    self.memory = memory if type(memory) is int else 0
                    self.is_idle = True
                    if "error" in message:
                        raise WorkerFailed(str(message["error"]))
                    return
        finally:
            self._set_preparing("", None)

    async def _send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
        except (ConnectionError, RuntimeError):  # the process is gone
            raise WorkerDied from None

    async def _receive(self, until: float | None) -> dict[str, Any] | None:
        """The next message; None for an invalid line. `TimeoutError` at the given time of the loop's clock."""
        assert self.process.stdout is not None
        try:
            line = await next_line(self.process.stdout, self._heartbeat, until)
        except ValueError:
            raise WorkerFailed("The engine's answer was too long.") from None
        except Frozen:
            log.warning("Worker process %d is frozen; killing it.", self.process.pid)
            raise WorkerDied from None
        if not line.endswith(b"\n"):
            raise WorkerDied
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            log.warning("Invalid line from a worker: %.100r", line)
            return None
        return message

    def _set_preparing(self, what: str, share: object) -> None:
        if what and what != self.preparing:
            self.since = time.monotonic()
        self.preparing = what
        self.share = float(share) if isinstance(share, int | float) else None
