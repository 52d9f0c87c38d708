"""Background threads: long work in this process beside the event loop, a few jobs at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from pentad.jobs.fair_queue import FULL, QUICK, Bounds, FairQueue, Owner
from pentad.jobs.pool import STOPPING
from pentad.store.detached_threads import DetachedThreads

T = TypeVar("T")


class FairThreadPool:
    """A pool of threads behind a queue that is fair by address; `QueueError` if the queue is full.

    The program does not wait for these threads when it ends, as `asyncio.run` does for those of `asyncio.to_thread`.
    """

    def __init__(self, size: int, name: str, bounds: Bounds = QUICK, full: str = FULL) -> None:
        self.queue = FairQueue(size, size, quick_bounds=bounds, full=full)
        self._threads = DetachedThreads(size, name)

    async def run(self, owner: Owner, work: Callable[[], T]) -> T:
        """Runs a function once its turn comes.

        Cancelling this leaves the queue. A thread cannot be cancelled: work that has begun holds its turn until it is
        done, so that repeated requests and cancellations never use more threads than there are turns.
        """
        has_begun = False

        async def turn() -> T:
            nonlocal has_begun
            async with self.queue.turn(owner, 1):
                has_begun = True
                return await asyncio.wrap_future(self._threads.submit(work))

        task = asyncio.create_task(turn())
        task.add_done_callback(_retrieve)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not has_begun:
                task.cancel()
            raise
        finally:
            del task  # an error in it would hold this frame, and this frame the error

    def close(self, why: str = STOPPING) -> None:
        """Refuses waiting and later work, and ends the idle threads without waiting for busy ones."""
        self.queue.close(why)
        self._threads.close(time.monotonic())


def _retrieve(task: asyncio.Task[T]) -> None:
    """Retrieves the error of abandoned work, which would otherwise be logged."""
    if not task.cancelled():
        task.exception()
