"""Heartbeats of child processes, and detection of frozen processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

BEAT_EVERY = 2.0  # seconds between heartbeats of a busy process
CHECK_EVERY = 2.0  # seconds between checks of a silent one
SILENT_CHECKS = 4  # checks until its activity counts; twice as many where the system does not report it

_STOPPED = "T"  # the state of a process that a signal has stopped
_AT_REST = frozenset("SIZ")


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
        if passed > 2 * CHECK_EVERY:
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


class Frozen(Exception):
    """A process is frozen and will not answer."""


async def next_line(source: asyncio.StreamReader, heartbeat: Heartbeat, until: float | None) -> bytes:
    """The next line of a process; `Frozen` if it is frozen, `TimeoutError` at a time of the loop's clock."""
    loop = asyncio.get_running_loop()
    heartbeat.reset()
    while True:
        now = loop.time()
        wait = CHECK_EVERY if until is None else min(CHECK_EVERY, max(0.0, until - now))
        try:
            async with asyncio.timeout(wait):
                return await source.readline()
        except TimeoutError:
            if until is not None and loop.time() >= until:
                raise
        if heartbeat.is_frozen(loop.time() - now):
            raise Frozen
