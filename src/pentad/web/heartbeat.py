"""Whether a process that should say something now and then still lives: its heartbeat, and what the system knows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

BEAT_EVERY = 2.0  # seconds between two signs of life of a process that is at work
CHECK_EVERY = 2.0  # seconds between two looks at one that says nothing
SILENT_CHECKS = 4  # after which it is looked at closely; where the system tells nothing, twice as many are too many

_STOPPED = "T"  # by a signal
_AT_REST = frozenset("SIZ")


class ProcessActivity(NamedTuple):
    """What the system tells of a process: the states of its threads, and how much of a processor it has used."""

    states: frozenset[str]
    used: int


def read_activity(pid: int) -> ProcessActivity | None:
    """The signs of a process; None where the system does not tell them."""
    try:
        tasks = [_fields(path) for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        whole = _fields(Path(f"/proc/{pid}/stat"))
    except (OSError, IndexError, ValueError):
        return None
    return ProcessActivity(frozenset(each[0] for each in tasks), int(whole[11]) + int(whole[12])) if tasks else None


def _fields(path: Path) -> list[str]:
    """What stands behind the program's name, which may have blanks and brackets in it."""
    return path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()


class Heartbeat:
    """Tells from look to look whether a process is frozen.

    One that is stopped is, and so is one whose threads all sleep without using any of a processor. One that works
    without a word is not, nor one that waits for a processor or a disk: then the machine is what is slow.
    """

    def __init__(self, read: Callable[[], ProcessActivity | None]) -> None:
        self._read = read
        self.reset()

    def reset(self) -> None:
        """It has said something."""
        self._silent = 0
        self._before: ProcessActivity | None = None

    def is_frozen(self, passed: float) -> bool:
        """Whether it is, after so many seconds without a word.

        If much more time has passed than was to be waited, this process or the whole machine stood still itself.
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
    """A process is frozen: it will say nothing more."""


async def next_line(source: asyncio.StreamReader, heartbeat: Heartbeat, until: float | None) -> bytes:
    """The next line of a process; `Frozen` if it lives no more, `TimeoutError` at a time of the loop's clock."""
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
