"""A worker process, seen from outside: the lines sent to it, the lines read from it, its heartbeats and its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pentad.jobs.worker import ALIVE, BEGUN
from pentad.kernels import cache
from pentad.system.words import phrase

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 4 << 20
START_SECONDS = 120.0  # a process on a busy machine may need long until its work begins
MOST_INVALID = 100  # invalid lines until a worker is given up
MAX_LOG_LENGTH = 400
CHUNK_BYTES = 1 << 16
CHECK_SECONDS = 2.0  # a silent process is checked at such intervals
SILENT_CHECKS = 4  # checks until its activity counts; twice as many where the system does not report it

_STOPPED = "T"  # the state of a process that a signal has stopped
_AT_REST = frozenset("SIZ")
EXIT_TIMEOUT_SECONDS = 1.0  # a process ends soon after it is killed or closes its output


class WorkerFailed(Exception):
    """No answer came; the message is one line."""


class WorkerSilent(WorkerFailed):
    """No answer came in time."""


class WorkerNotStarted(WorkerSilent):
    """The work did not begin in time."""


class WorkerDied(WorkerFailed):
    """The process ended or became unusable before its answer was complete; `how` says how: exited with code 1."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__("The worker process ended.")
        self.how = "ended"
        if code is not None:
            self.how = (
                phrase("was killed by signal {code}", code=-code)
                if code < 0
                else phrase("exited with code {code}", code=code)
            )


class WorkerFrozen(WorkerDied):
    """The process did nothing any more."""


class ProcessActivity(NamedTuple):
    """The activity of a process as the system reports it: the states of its threads, and its processor time."""

    states: frozenset[str]
    used: int


def read_activity(pid: int) -> ProcessActivity | None:
    """The activity of a process; None if the system does not report it."""
    try:
        tasks = [_fields(path) for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        whole = _fields(Path(f"/proc/{pid}/stat"))
    except (OSError, IndexError, ValueError):
        return None
    return ProcessActivity(frozenset(each[0] for each in tasks), int(whole[11]) + int(whole[12])) if tasks else None


def _fields(path: Path) -> list[str]:
    """The fields after the program's name, which may contain blanks and brackets."""
    return path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()


class Heartbeat:
    """Detects from check to check whether a process is frozen.

    A stopped process is frozen, and so is one whose threads all sleep and use no processor time. A silent process that
    works is not, nor one that waits for a processor or a disk: then the machine is slow.
    """

    def __init__(self, read: Callable[[], ProcessActivity | None]) -> None:
        self._read = read
        self.reset()

    def reset(self) -> None:
        """Notes a sign of life."""
        self._silent = 0
        self._before: ProcessActivity | None = None

    def is_frozen(self, passed: float) -> bool:
        """Whether the process is frozen, `passed` seconds after the last check.

        If much more time has passed than expected, this process or the whole machine was suspended itself.
        """
        if passed > 2 * CHECK_SECONDS:
            return False
        now, before = self._read(), self._before
        self._before = self._before or now
        self._silent += 1
        if now is None:
            return self._silent >= 2 * SILENT_CHECKS
        if before and now.used != before.used:
            self._silent, self._before = 1, now
        if self._silent < SILENT_CHECKS:
            return False
        return now.states == {_STOPPED} or (before is not None and now.states <= _AT_REST and now.used == before.used)


class Process:
    """One worker process; it answers one request at a time."""

    max_idle_bytes = 600 << 20  # an idle process that uses more memory is ended

    def __init__(self, process: asyncio.subprocess.Process, kind: str, nice: int) -> None:
        """`kind` is what it runs, in words: an engine."""
        self.process, self.kind, self.nice = process, kind, nice
        self._relaying = asyncio.create_task(relay(process, f"an {kind}"))
        self.preparing = ""  # the game whose engine is being compiled
        self.share: float | None = None
        self.since = 0.0
        self.used_bytes = 0
        self.is_idle = True
        self._id = 0
        self._heartbeat = Heartbeat(partial(read_activity, process.pid))

    @classmethod
    async def start(cls, command: Sequence[str], kind: str, nice: int) -> Process:
        """A new process."""
        cache.folder()  # a temporary cache folder is shared by this process and its workers
        process = await asyncio.create_subprocess_exec(
            *command,
            str(nice),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MAX_LINE_BYTES,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers and their children
        )
        return cls(process, kind, nice)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.returncode is None

    def kill(self) -> None:
        """Kills it, with its children."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    async def ask(
        self, job: str, given: Mapping[str, Any], silence: float | None, stop: asyncio.Event | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a request. Fails after `silence` seconds without one, unless an engine is being compiled.

        These seconds count from the beginning of the work; the start of the process has a limit of its own.
        `stop` asks for an early end with the results so far.
        """
        self._id += 1
        self.is_idle = False
        stopping = asyncio.create_task(self._send_stop(stop)) if stop else None
        try:
            await self._send(json.dumps({"id": self._id, "job": job, "given": dict(given)}))
            invalid = 0
            loop = asyncio.get_running_loop()
            since, has_begun = loop.time(), False
            while True:
                limit = silence if has_begun or silence is None else START_SECONDS
                until = None if limit is None or self.preparing else since + limit
                try:
                    message = await self._receive(until)
                except TimeoutError:
                    if not has_begun:
                        raise WorkerNotStarted(
                            phrase("The {kind} did not start within {limit:g} seconds.", kind=self.kind, limit=limit)
                        ) from None
                    raise WorkerSilent(
                        phrase("The {kind} found nothing within {silence:g} seconds.", kind=self.kind, silence=limit)
                    ) from None
                if message and message.get("note") != ALIVE:
                    since = loop.time()
                if message is None or message.get("id") != self._id:
                    invalid += 1
                    if invalid > MOST_INVALID:
                        raise WorkerDied
                elif message.get("note") == ALIVE:
                    pass
                elif message.get("note") == BEGUN:
                    has_begun = True
                elif message.get("note") == "compiling":
                    self._set_preparing(str(message.get("what", "")), message.get("share"))
                elif isinstance(message.get("answer"), dict):
                    yield message["answer"]
                elif message.get("end") is True:
                    memory = message.get("memory")
                    self.used_bytes = memory if type(memory) is int else 0
                    self.is_idle = message.get("last") is not True
                    if "error" in message:
                        raise WorkerFailed(str(message["error"]))
                    return
        finally:
            if stopping:
                stopping.cancel()
            self._set_preparing("", None)

    async def _send_stop(self, stop: asyncio.Event) -> None:
        await stop.wait()
        with contextlib.suppress(WorkerDied):
            await self._send(json.dumps({"stop": self._id}))

    async def _send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
        except (ConnectionError, RuntimeError):  # the process is gone
            raise WorkerDied from None

    async def _receive(self, until: float | None) -> dict[str, Any] | None:
        """The next message; None for an invalid line. `TimeoutError` at the given time of the loop's clock."""
        try:
            line = await self._next_line(until)
        except ValueError:
            raise WorkerFailed(phrase("The {kind}'s answer was too long.", kind=self.kind)) from None
        if not line.endswith(b"\n"):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.process.wait(), EXIT_TIMEOUT_SECONDS)
            raise WorkerDied(self.process.returncode)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            log.warning("Invalid line from a worker: %.100r", line)
            return None
        return message

    async def _next_line(self, until: float | None) -> bytes:
        """The next line; `WorkerFrozen` if the process is frozen, `TimeoutError` at a time of the loop's clock."""
        assert self.process.stdout is not None
        loop = asyncio.get_running_loop()
        self._heartbeat.reset()
        while True:
            now = loop.time()
            wait = CHECK_SECONDS if until is None else min(CHECK_SECONDS, max(0.0, until - now))
            try:
                async with asyncio.timeout(wait):
                    return await self.process.stdout.readline()
            except TimeoutError:
                if until is not None and loop.time() >= until:
                    raise
            if self.is_frozen(loop.time() - now):
                log.warning("Worker process %d is frozen; killing it.", self.process.pid)
                raise WorkerFrozen

    def is_frozen(self, passed: float) -> bool:
        """Whether it does nothing any more, `passed` seconds after the last check."""
        return self._heartbeat.is_frozen(passed)

    def _set_preparing(self, what: str, share: object) -> None:
        if what and what != self.preparing:
            self.since = time.monotonic()
        self.preparing = what
        self.share = float(share) if isinstance(share, int | float) else None


async def relay(process: asyncio.subprocess.Process, name: str) -> None:
    """Logs the stderr of a process until it ends; unread output would block the process."""
    assert process.stderr is not None
    rest = ""
    while data := await process.stderr.read(CHUNK_BYTES):
        *lines, rest = (rest + data.decode("utf-8", "replace")).split("\n")
        for line in lines:
            _log(name, line)
        rest = rest[:MAX_LOG_LENGTH]
    _log(name, rest)


def _log(name: str, line: str) -> None:
    if text := "".join(letter if letter.isprintable() else " " for letter in line[:MAX_LOG_LENGTH]).rstrip():
        log.warning("%s: %s", name, text)
