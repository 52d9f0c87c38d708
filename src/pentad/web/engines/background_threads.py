"""Long work in threads of this process, beside the event loop, a few jobs at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from pentad.store.detached_threads import DetachedThreads
from pentad.web.engines.fair_queue import FULL, QUICK, Bounds, FairQueue, Owner

T = TypeVar("T")


class FairThreadPool:
    """Some threads, and the queue in front of them, which is fair by address; `QueueError` where it is full.

    Nothing waits for these threads when the program ends, as `asyncio.run` does for those of `asyncio.to_thread`.
    """

    def __init__(self, size: int, name: str, bounds: Bounds = QUICK, full: str = FULL) -> None:
        self.queue = FairQueue(size, size, quick_bounds=bounds, full=full)
        self._crew = DetachedThreads(size, name)

    async def run(self, owner: Owner, work: Callable[[], T]) -> T:
        """Have something done once its turn comes.

        Cancelling this leaves the queue. A thread cannot be cancelled, so work that has begun holds its turn until it
        is done: however often somebody asks and leaves, no more threads are in use than there are turns.
        """
        has_begun = False

        async def turn() -> T:
            nonlocal has_begun
            async with self.queue.turn(owner, 1):
                has_begun = True
                return await asyncio.wrap_future(self._crew.submit(work))

        working = asyncio.create_task(turn())
        working.add_done_callback(_retrieve)
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            if not has_begun:
                working.cancel()
            raise
        finally:
            del working  # an error in it would keep this frame, and the frame the error

    def close(self, why: str) -> None:
        """Refuse whatever waits or comes, and end the threads that have nothing to do; nothing waits for the others."""
        self.queue.close(why)
        self._crew.close(time.monotonic())


def _retrieve(task: asyncio.Task[T]) -> None:
    """Take the error of work that nobody waits for any more, which would be logged otherwise."""
    if not task.cancelled():
        task.exception()
