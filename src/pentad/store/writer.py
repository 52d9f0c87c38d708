"""Group commit: a thread that commits all waiting writes in one transaction, then completes their futures.

A commit takes milliseconds to reach the disk. The writes that arrive meanwhile share the next commit, so many writers
wait no longer than one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from pentad.store.database import WRITES, Location, is_transient, retry, store_error
from pentad.store.rows import StoreError

MAX_WAITING = 10_000
MAX_BATCH = 1_000
MAX_LOGGED = 20  # lost writes named in the log
_LAST_TRY = 0.2  # seconds for a commit that is running when the deadline passes

log = logging.getLogger(__name__)


class Attempt(NamedTuple):
    """An attempt at a write: its connection, and whether it is a repeated one."""

    connection: Connection
    again: bool


@dataclass(slots=True)
class Write:
    """A queued write and the future of its result."""

    what: str
    work: Callable[[Attempt], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    outcome: object = None
    error: Exception | None = None

    def complete(self) -> None:
        """Completes the future; runs in its event loop."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.outcome)
        else:
            # The traceback's frames and this error would refer to each other.
            self.error.__traceback__ = self.error.__context__ = self.error.__cause__ = None
            self.future.set_exception(self.error)


class Writer:
    """Commits writes in the order of the queue, many in one commit."""

    def __init__(self, engine: Engine, location: Location, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        self._waiting: deque[Write] = deque()
        self._news = threading.Condition()
        self._closed_until: float | None = None  # the deadline for the last writes, once it is closed
        self._writing: list[Write] = []  # the current batch
        self._lost: list[Write] = []  # the writes that failed after it was closed
        self._why = "no time left"
        self._thread = threading.Thread(target=self._run, name="pentad-writer", daemon=True)
        self._thread.start()

    def put(self, write: Write) -> None:
        """Queues a write; its future is completed in its own event loop."""
        with self._news:
            if self._closed_until is not None:
                raise StoreError("The store is closed.")
            if len(self._waiting) >= MAX_WAITING:
                raise StoreError(f"Cannot save the game: {MAX_WAITING} writes are already waiting.")
            self._waiting.append(write)
            self._news.notify()

    def close(self, until: float) -> None:
        """Completes the queued writes until a time of the monotonic clock, and ends; lost writes are logged."""
        with self._news:
            if self._closed_until is None:
                self._closed_until = until
            self._news.notify()
        self._thread.join(max(0.0, until - time.monotonic()) + _LAST_TRY)
        lost = [each.what for each in (*self._lost, *self._writing, *self._waiting)]
        self._lost, self._writing = [], []
        if lost:
            more = f" and {len(lost) - MAX_LOGGED} more" if len(lost) > MAX_LOGGED else ""
            names = ", ".join(lost[:MAX_LOGGED]) + more
            log.error("Lost when the server stopped (%s): %s.", self._why.rstrip("."), names)

    def _run(self) -> None:
        while self._write_some():
            pass  # a separate call, so that the last batch is freed before the wait for the next one

    def _write_some(self) -> bool:
        """Waits for a batch and writes it; returns whether more may come."""
        batch = self._writing = self._next()
        try:
            self._save(batch)
        except Exception as error:  # every future must be completed, whatever the error
            failure = store_error("Cannot save the game", self._location, error)
            for write in batch:
                write.error = StoreError(str(failure))  # separate errors, since each gets a traceback
            if self._closed_until is not None:
                self._lost, self._why = self._lost + batch, str(failure)
        self._writing = []
        _complete(batch)
        return bool(batch)

    def _next(self) -> list[Write]:
        """The next batch; an empty one after `close`."""
        with self._news:
            while not self._waiting and self._closed_until is None:
                self._news.wait()
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_BATCH))]

    def _save(self, batch: list[Write]) -> None:
        if not batch:
            return
        last = time.monotonic() + self._timeout
        retry(
            lambda attempt: self._attempt(batch, attempt > 0),
            is_transient,
            lambda: min(last, self._closed_until or last),
        )

    def _attempt(self, batch: list[Write], again: bool) -> None:
        # Failures are rare. The first try is without savepoints, which takes half the time; after a failure each
        # write gets its own savepoint, so that it cannot affect the others.
        self._location.check_file()
        try:
            self._commit(batch, again, savepoints=False)
        except Exception as error:
            if is_transient(error):
                self._why = self._location.why(error)
                raise
            self._commit(batch, again, savepoints=True)

    def _commit(self, batch: list[Write], again: bool, *, savepoints: bool) -> None:
        with self._engine.connect().execution_options(**{WRITES: True}) as connection:
            try:
                with connection.begin():
                    for write in batch:
                        self._run_one(write, Attempt(connection, again), savepoints=savepoints)
            except Exception as error:
                if is_transient(error):
                    connection.invalidate()  # the next attempt uses a new connection
                raise

    def _run_one(self, write: Write, attempt: Attempt, *, savepoints: bool) -> None:
        try:
            with attempt.connection.begin_nested() if savepoints else contextlib.nullcontext():
                write.outcome, write.error = write.work(attempt), None
        except Exception as error:
            if not savepoints or is_transient(error) or attempt.connection.invalidated:
                raise
            write.error = store_error("Cannot save the game", self._location, error)


def _complete(batch: list[Write]) -> None:
    for loop in {write.loop for write in batch}:
        writes = [write for write in batch if write.loop is loop]
        with contextlib.suppress(RuntimeError):  # the loop is closed, so its futures are abandoned
            loop.call_soon_threadsafe(_complete_each, writes)


def _complete_each(writes: list[Write]) -> None:
    for write in writes:
        write.complete()
