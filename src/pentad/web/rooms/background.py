"""Background work of a room: its tasks, and the retry of a step that has failed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
MAX_DOUBLINGS = 6  # the pause grows no further


class Tasks:
    """Tasks that are referred to until they are done."""

    def __init__(self, name: str) -> None:
        """`name` is the room, for the log."""
        self._name = name
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Callable[[], Coroutine[None, None, None]]) -> asyncio.Task[None]:
        """Starts a task."""
        task = asyncio.create_task(work())
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (failed := task.exception()):
            log.error("Room %s: Internal error (a bug in pentad).", self._name, exc_info=failed)

    def close(self) -> None:
        """Cancels all tasks."""
        for task in self._running:
            task.cancel()


class Timer:
    """A timer that calls once, unless it is set again or cancelled before."""

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether a call is still to come."""
        return self._handle is not None

    def set(self, seconds: float, call: Callable[[], object]) -> None:
        """Calls after so many seconds."""
        self.cancel()
        self._handle = asyncio.get_running_loop().call_later(seconds, self._fire, call)

    def _fire(self, call: Callable[[], object]) -> None:
        self._handle = None  # which refers to the call
        call()

    def cancel(self) -> None:
        """Cancels the call."""
        if self._handle:
            self._handle.cancel()
            self._handle = None


class Retry(Timer):
    """A timer for what has failed: the pause doubles with each failure, until a step succeeds."""

    def __init__(self) -> None:
        super().__init__()
        self._failures_in_a_row = 0

    def later(self, call: Callable[[], object]) -> None:
        """Calls after a pause."""
        self.set(RETRY_SECONDS * 2 ** min(self._failures_in_a_row, MAX_DOUBLINGS), call)
        self._failures_in_a_row += 1

    def succeeded(self) -> None:
        """Makes the next pause short again."""
        self._failures_in_a_row = 0
