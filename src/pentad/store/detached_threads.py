"""Daemon threads for blocking calls, so that an unresponsive database cannot delay the program's exit.

Python joins the threads of `concurrent.futures` at exit, however long that takes. A database driver may wait forever
for a server that was stopped in the middle of an answer.

In a page there are no threads: everything is done at once.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from pentad.kernels.backends import HAS_THREADS
from pentad.system.words import phrase

T = TypeVar("T")


class DetachedThreads:
    """A pool of daemon threads; each is started when it is first needed."""

    def __init__(self, size: int, name: str) -> None:
        self._size, self._name = size, name
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Runs a function in one of the threads; `RuntimeError` after `close`."""
        future: Future[T] = Future()
        if self._size == 0:
            raise RuntimeError(phrase("{name} is closed.", name=self._name))
        if not HAS_THREADS:
            _do(future, work)
            return future
        self._jobs.put((future, work))
        if not self._idle.acquire(blocking=False) and len(self._threads) < self._size:
            thread = threading.Thread(target=self._run, name=f"{self._name}-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def close(self, until: float | None = None) -> None:
        """Ends the idle threads; waits for the others until a time of the monotonic clock."""
        self._size = 0
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(None if until is None else max(0.0, until - time.monotonic()))

    def _run(self) -> None:
        while job := self._jobs.get():
            _do(*job)
            del job  # frees it before the wait for the next one
            self._idle.release()


def run_detached(work: Callable[[], T], name: str) -> Future[T]:
    """Runs a function in a new daemon thread."""
    future: Future[T] = Future()
    if HAS_THREADS:
        threading.Thread(target=_do, args=(future, work), name=name, daemon=True).start()
    else:
        _do(future, work)
    return future


def _do(future: Future[T], work: Callable[[], T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)
    finally:
        del future  # breaks the reference cycle of its error and this frame
