"""Work beside the event loop: short work in background threads, long work in worker processes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from pentad.game import GameError
from pentad.jobs.fair_queue import FairQueue, Owner, QueueError, QueueLimits
from pentad.jobs.pool import STOPPING, JobRequest, Pool, PoolFull, command_for
from pentad.jobs.process import WorkerNotStarted, WorkerSilent
from pentad.store.detached_threads import DetachedThreads
from pentad.web.http.client_address import owner_at
from pentad.web.http.exchange import Caller, JsonText, StatusError
from pentad.web.page_work import packed, unpacked
from pentad.web.typed_json import written

WAIT = QueueLimits(all=1000, of_address=200, of_owner=200)
FULL = "The server is busy. Try again in a few seconds."
AT_ONCE = 2  # background jobs at a time

PAGE_WORK = command_for("pentad.web.page_work")
NICE_PAGES = 5
PAGE_WORK_SECONDS = 20.0
MAX_QUICK_CALL = 8000  # characters of a packed call; a longer one never keeps a shorter one waiting
TOO_LONG = "This takes longer than {seconds:g} seconds. Send less at once."
LEFT = 499  # the status of a response that nobody reads

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class CallRunner(Protocol):
    """Where functions of modules run beside the event loop, fairly by address."""

    async def __call__(
        self, caller: Caller, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        """The result of a call; `QueueError` if too many wait."""

    async def answer(
        self, caller: Caller, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> JsonText[Result]:
        """An answer that is written there too, as that can take as long as the work itself."""
        return JsonText(await self(caller, _written_result, work, args, more))

    async def close(self) -> None:
        """Refuses waiting and later work."""


def _written_result(work: Callable[..., object], args: tuple[object, ...], more: Mapping[str, object]) -> str:
    return written(work(*args, **more))


class FairThreadPool:
    """A pool of threads behind a queue that is fair by address; `QueueError` if the queue is full.

    The program does not wait for these threads when it ends, as `asyncio.run` does for those of `asyncio.to_thread`.
    """

    def __init__(self, size: int, name: str, bounds: QueueLimits, full: str) -> None:
        self.queue = FairQueue(size, size, quick_bounds=bounds, full=full, name=name)
        self._threads = DetachedThreads(size, f"pentad-{name}")

    async def run(self, owner: Owner, work: Callable[[], Result]) -> Result:
        """Runs a function once its turn comes.

        Cancelling this leaves the queue. A thread cannot be cancelled: work that has begun holds its turn until it is
        done, so that repeated requests and cancellations never use more threads than there are turns.
        """
        has_begun = False

        async def turn() -> Result:
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

    def stop(self, why: str = STOPPING) -> None:
        """Refuses waiting and later work, and ends the idle threads without waiting for busy ones."""
        self.queue.close(why)
        self._threads.close(time.monotonic())


def _retrieve(task: asyncio.Task[Result]) -> None:
    """Retrieves the error of abandoned work, which would otherwise be logged."""
    if not task.cancelled():
        task.exception()


class BackgroundThreads(FairThreadPool, CallRunner):
    """Background threads for short work, few enough to leave the processor to everything else.

    In a page without a server, long work is done there too.
    """

    def __init__(self, size: int = AT_ONCE, name: str = "background") -> None:
        super().__init__(size, name, WAIT, FULL)

    async def __call__(
        self, caller: Caller, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        return await self.run(_owner(caller), partial(work, *args, **more))

    async def close(self) -> None:
        self.stop()


def _owner(caller: Caller) -> Owner:
    return owner_at(caller.address or object(), caller.address)


class PageWorkers(Pool, CallRunner):
    """Worker processes for work whose cost visitors decide: the games in their files, previews, models.

    A process is killed when its time is over or the caller has left.
    """

    def __init__(self, size: int | None = None) -> None:
        size = size or max(2, (os.cpu_count() or 2) // 2)
        queue = FairQueue(size, size, quick_bounds=WAIT, full=FULL, name="pages")
        super().__init__(PAGE_WORK, queue, kind="page worker", quick_nice=NICE_PAGES, attempts=1)

    async def __call__(
        self, caller: Caller, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        call = packed(work, *args, **more)
        request = JobRequest(
            "call", {"packed": call}, _owner(caller), 1, len(call) <= MAX_QUICK_CALL, PAGE_WORK_SECONDS
        )
        try:
            answer = await _while_waited_for(caller, self.one(request))
        except PoolFull as full:
            raise QueueError(str(full)) from None
        except WorkerNotStarted:
            raise QueueError(FULL) from None
        except WorkerSilent:
            raise GameError(TOO_LONG, seconds=PAGE_WORK_SECONDS) from None
        if "refused" in answer:
            raise GameError("{refused}", refused=answer["refused"])
        return cast(Result, answer["text"] if "text" in answer else unpacked(answer["packed"]))


async def _while_waited_for(caller: Caller, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of work that is cancelled when the caller leaves."""
    working, leaving = asyncio.create_task(work), asyncio.ensure_future(caller.leaves())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise StatusError(LEFT, "The client has left.")
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.wait((working, leaving))
