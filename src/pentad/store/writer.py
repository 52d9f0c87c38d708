"""The writer: one thread that commits all that waits in one transaction, and only then tells those who wait.

A commit reaches the disk before it is told of, which takes milliseconds; what comes in meanwhile shares the next
one, so a crowd is served as quickly as one person.
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

from pentad.store.database import WRITES, Location, cannot, is_transient, retry
from pentad.store.rows import StoreError

MOST_WAITING = 10_000
MOST_AT_ONCE = 1_000
MOST_TOLD = 20  # of what was lost at the end
_LAST_TRY = 0.2  # seconds that an attempt which is under way at the end may take to fail

log = logging.getLogger(__name__)


class Attempt(NamedTuple):
    """A try at writing something: over what, and whether it has been tried before."""

    connection: Connection
    again: bool


@dataclass(slots=True)
class Write:
    """Something to be written, and who waits for it."""

    what: str
    work: Callable[[Attempt], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    outcome: object = None
    error: Exception | None = None

    def tell(self) -> None:
        """Let the one who waits go on; runs in their loop."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.outcome)
        else:
            # Where it came from concerns nobody here, and the frames there would keep this, and this the error.
            self.error.__traceback__ = self.error.__context__ = self.error.__cause__ = None
            self.future.set_exception(self.error)


class Writer:
    """Writes in the order in which they were put, many in one commit."""

    def __init__(self, engine: Engine, location: Location, timeout: float) -> None:
        self._engine, self._location, self._timeout = engine, location, timeout
        self._waiting: deque[Write] = deque()
        self._news = threading.Condition()
        self._closed_until: float | None = None  # when it was closed: how long it may still try
        self._writing: list[Write] = []  # what is being committed
        self._lost: list[Write] = []  # what could not be kept after it was closed
        self._why = "there was no time left"
        self._thread = threading.Thread(target=self._run, name="pentad-writer", daemon=True)
        self._thread.start()

    def put(self, write: Write) -> None:
        """Have it written; whoever waits is told in their own loop."""
        with self._news:
            if self._closed_until is not None:
                raise StoreError("the store is closed")
            if len(self._waiting) >= MOST_WAITING:
                raise StoreError(f"the game cannot be kept now: {MOST_WAITING} writes are waiting already")
            self._waiting.append(write)
            self._news.notify()

    def close(self, until: float) -> None:
        """Write what was put, and end, both until some time of the monotonic clock; the log tells what is lost then."""
        with self._news:
            if self._closed_until is None:
                self._closed_until = until
            self._news.notify()
        self._thread.join(max(0.0, until - time.monotonic()) + _LAST_TRY)
        lost = [each.what for each in (*self._lost, *self._writing, *self._waiting)]
        self._lost, self._writing = [], []
        if lost:
            more = f" and {len(lost) - MOST_TOLD} more" if len(lost) > MOST_TOLD else ""
            log.error("not kept when the server stopped, as %s: %s%s", self._why, ", ".join(lost[:MOST_TOLD]), more)

    def _run(self) -> None:
        while self._write_some():
            pass  # nothing of what was written is held on to while more is waited for

    def _write_some(self) -> bool:
        """Write what waits, or what comes next; whether more may come."""
        batch = self._writing = self._next()
        try:
            self._keep(batch)
        except Exception as error:  # nobody may wait for ever, whatever it is
            failure = cannot("the game cannot be kept", self._location, error)
            for write in batch:
                write.error = StoreError(str(failure))  # each its own, as each gets a traceback
            if self._closed_until is not None:
                self._lost, self._why = self._lost + batch, str(failure)
        self._writing = []
        _tell(batch)
        return bool(batch)

    def _next(self) -> list[Write]:
        """What to commit next; nothing when all is done for good."""
        with self._news:
            while not self._waiting and self._closed_until is None:
                self._news.wait()
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]

    def _keep(self, batch: list[Write]) -> None:
        if not batch:
            return
        last = time.monotonic() + self._timeout
        retry(
            lambda attempt: self._attempt(batch, attempt > 0),
            is_transient,
            lambda: min(last, self._closed_until or last),
        )

    def _attempt(self, batch: list[Write], again: bool) -> None:
        # Writes that fail are rare. So all go without savepoints at first, which takes half the time; where one
        # fails, each gets a savepoint of its own, and the others do not notice.
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
                        if savepoints:
                            self._one(connection, write, again)
                        else:
                            write.outcome, write.error = write.work(Attempt(connection, again)), None
            except Exception as error:
                if is_transient(error):
                    connection.invalidate()  # a new one finds out whether the trouble is over
                raise

    def _one(self, connection: Connection, write: Write, again: bool) -> None:
        try:
            with connection.begin_nested():
                write.outcome, write.error = write.work(Attempt(connection, again)), None
        except Exception as error:
            if is_transient(error) or connection.invalidated:
                raise
            write.error = cannot("the game cannot be kept", self._location, error)


def _tell(batch: list[Write]) -> None:
    for loop in {write.loop for write in batch}:
        theirs = [write for write in batch if write.loop is loop]
        with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits there
            loop.call_soon_threadsafe(_tell_each, theirs)


def _tell_each(writes: list[Write]) -> None:
    for write in writes:
        write.tell()
