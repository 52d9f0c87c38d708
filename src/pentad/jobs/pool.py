"""Pool of worker processes: requests wait in a fair queue, and processes answer them.

Cancelling a request ends its work at once by killing the process; another process is started when needed. If a process
dies on its own, its request is tried once more.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Hashable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias, TypeVar
from weakref import WeakSet

from pentad.jobs.fair_queue import FairQueue, PlaceCallback, QueueError, QueueLimits
from pentad.jobs.process import EXIT_TIMEOUT_SECONDS, Process, WorkerDied, WorkerFailed, WorkerFrozen, WorkerSilent
from pentad.system.metrics import CounterMetric
from pentad.system.words import phrase

Answer: TypeAlias = "dict[str, Any]"
Answers: TypeAlias = AsyncGenerator[Answer, None]
AnswerCallback = Callable[[Answer], None]
Result = TypeVar("Result")

log = logging.getLogger(__name__)

ENDS = CounterMetric("pentad_worker_ends_total", "Worker processes that ended, by reason.", "pool", "reason")
# Why a process ends. The first three are failures; one that is done has ended its last request itself.
DIED, FROZEN, SILENT = "died", "frozen", "silent"
CANCELLED, DONE, MEMORY, SURPLUS, STOPPED = "cancelled", "done", "memory", "surplus", "stopped"

ATTEMPTS = 2
NICE_QUICK, NICE_LONG = 0, 10
STOPPING = "The server is stopping."
TURN_SECONDS, LOOK_SECONDS = (
    15.0,
    0.5,
)  # long work keeps its turn at least so long; others that wait are looked for meanwhile


class PoolFull(WorkerFailed):
    """Too many requests wait, or the pool is closed."""


class TurnOver(Exception):
    """A request has used its turn, and others wait."""


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A job for a worker, its owner, and the megabytes of memory it needs.

    The request fails after `silence` seconds without an answer. `stop` asks for an early end, with what it has.
    """

    job: str
    given: Mapping[str, Any]
    owner: Hashable
    memory: int
    quick: bool
    silence: float | None
    on_place: PlaceCallback | None = None
    stop: asyncio.Event | None = None


def command_for(module: str) -> tuple[str, ...]:
    """The command of a worker process for the jobs of a module; its niceness follows."""
    return sys.executable, "-P", "-m", "pentad.jobs", module  # -P: never imports from the current folder


class Pool:
    """Processes start on demand and are reused; as many work at once as the queue has slots."""

    process_class: type[Process] = Process  # in a page, workers are no processes of the system

    def __init__(
        self,
        command: Sequence[str],
        queue: FairQueue,
        *,
        kind: str,
        quick_nice: int = NICE_QUICK,
        attempts: int = ATTEMPTS,
    ) -> None:
        """`kind` is what a process runs, in words: an engine. `quick_nice` is the niceness for quick requests."""
        self.queue = queue
        self._command, self._kind, self._quick_nice, self._attempts = tuple(command), kind, quick_nice, attempts
        self.idle: list[Process] = []
        self.busy: set[Process] = set()
        self._ended: WeakSet[Process] = WeakSet()  # each of which is counted once
        self.tasks: set[asyncio.Task[Any]] = set()  # starting and ending processes
        self._stopping = False

    async def close(self) -> None:
        """Ends every worker."""
        self._stopping = True
        self.queue.close(STOPPING)
        for worker in [*self.idle, *self.busy]:
            self._end(worker, STOPPED)
        self.idle.clear()
        until = time.monotonic() + EXIT_TIMEOUT_SECONDS
        while self.tasks and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self.tasks, timeout=left)

    # ── running a request ────────────────────────────────────────────────────────────────────────

    async def one(self, request: JobRequest, on_answer: AnswerCallback | None = None) -> Answer:
        """The only answer, or the last one."""
        return await last_of(self._answers(request), on_answer)

    async def _stream(self, request: JobRequest, *, latest: bool, in_turns: bool = False) -> Answers:
        """The answers as they come; they are read ahead, so that no worker waits for a reader.

        With `in_turns` it raises `TurnOver` after the turn and at least one answer, if another address waits.
        """
        ready: deque[Answer] = deque(maxlen=1 if latest else None)
        news, began, has_answered = asyncio.Event(), math.inf, False

        def on_place(place: int) -> None:
            nonlocal began
            began = math.inf if place else time.monotonic()
            if request.on_place:
                request.on_place(place)

        failure: WorkerFailed | None = None  # not left to the task: a page's event loop would report it as unhandled

        async def read_ahead() -> None:
            nonlocal failure
            try:
                async with aclosing(self._answers(replace(request, on_place=on_place))) as answers:
                    async for answer in answers:
                        ready.append(answer)
                        news.set()
            except WorkerFailed as failed:
                failure = failed
            finally:
                news.set()

        reading = asyncio.create_task(read_ahead())
        try:
            while not (reading.done() and not ready):
                try:
                    async with asyncio.timeout(LOOK_SECONDS if in_turns else None):
                        await news.wait()
                except TimeoutError:
                    is_over = has_answered and time.monotonic() - began >= TURN_SECONDS
                    if is_over and self.queue.others_wait(request.owner):
                        raise TurnOver from None
                news.clear()
                while ready:
                    has_answered = True
                    yield ready.popleft()
            reading.result()
            if failure:
                raise failure
        finally:
            failure = None  # it would hold this frame, and this frame the failure
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def _answers(self, request: JobRequest) -> Answers:
        """The answers, once the turn comes."""
        try:
            async with (
                self.queue.turn(request.owner, request.memory, quick=request.quick, on_place=request.on_place),
                aclosing(self._run_on_worker(request)) as answers,
            ):
                async for answer in answers:
                    yield answer
        except QueueError as error:
            raise PoolFull(str(error)) from None

    async def _run_on_worker(self, request: JobRequest) -> Answers:
        """The answers of a worker, or of a second one if the first dies."""
        for attempt in range(self._attempts):
            # Whatever killed the first one may have killed the idle ones, too.
            worker = await self._take(self._quick_nice if request.quick else NICE_LONG, is_new=attempt > 0)
            reason = CANCELLED
            try:
                async with aclosing(worker.ask(request.job, request.given, request.silence, request.stop)) as answers:
                    async for answer in answers:
                        yield answer
                reason = DONE
                return
            except WorkerDied as died:
                lost, reason = died, FROZEN if isinstance(died, WorkerFrozen) else DIED
            except WorkerSilent:
                reason = SILENT
                raise
            finally:
                self._put_back(worker, reason)
        raise lost

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    async def _take(self, nice: int, *, is_new: bool) -> Process:
        """An idle worker, or a new one."""
        fitting = [] if is_new else [each for each in self.idle if each.nice == nice]
        while fitting:
            worker = fitting.pop()
            self.idle.remove(worker)
            if worker.alive:
                self.busy.add(worker)
                return worker
            self._end(worker, DIED)
        while self.idle and len(self.busy) + len(self.idle) >= self.queue.size:
            self._end(self.idle.pop(0), SURPLUS)
        self._check_open()
        starting = self._task(self.process_class.start(self._command, self._kind, nice))
        try:
            worker = await asyncio.shield(starting)
        except OSError as error:
            raise WorkerFailed(phrase("Cannot start a process: {reason}.", reason=error.strerror or error)) from None
        except asyncio.CancelledError:
            starting.add_done_callback(self._adopt)
            raise
        self.busy.add(worker)
        try:
            self._check_open()
        except WorkerFailed:
            self._put_back(worker)
            raise
        return worker

    def _check_open(self) -> None:
        if self._stopping:
            raise WorkerFailed(STOPPING)

    def _adopt(self, starting: asyncio.Task[Process]) -> None:
        """Keeps a process whose start was no longer awaited."""
        if not starting.cancelled() and not starting.exception():
            self._put_back(starting.result())

    def _put_back(self, worker: Process, reason: str = CANCELLED) -> None:
        """Keeps a worker that is fit for another request; ends any other, by default for this reason."""
        self.busy.discard(worker)
        if worker.is_idle and worker.alive:
            if worker.used_bytes > worker.max_idle_bytes:
                reason = MEMORY
            elif self._stopping:
                reason = STOPPED
            elif len(self.idle) < self.queue.size:
                self.idle.append(worker)
                return
            else:
                reason = SURPLUS
        self._end(worker, STOPPED if self._stopping else reason)

    def _end(self, worker: Process, reason: str) -> None:
        """Kills a worker; a task waits for its end."""
        if worker not in self._ended:
            self._ended.add(worker)
            ENDS.add(self.queue.name, reason)
            log.info("Worker process %d of the pool %s ended: %s.", worker.process.pid, self.queue.name, reason)
        worker.kill()
        self._task(worker.process.wait())

    def _task(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


class PoolThread:
    """A pool in a thread with an event loop of its own, for programs that have none; a context manager.

    Leaving the context ends all processes.
    """

    def __init__(self, command: Sequence[str], size: int, *, kind: str, most: int) -> None:
        """`most` is how many requests may wait."""
        queue = FairQueue(size, size, quick_bounds=QueueLimits(most, most, most))
        self.pool = Pool(command, queue, kind=kind, attempts=1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pentad-jobs", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit(
        self, job: str, given: Mapping[str, Any], *, slots: int = 1, on_answer: AnswerCallback | None = None
    ) -> Future[Answer]:
        """The last answer of a job that takes so many slots; `WorkerFailed` if there is none.

        `on_answer` is called with each answer, in the thread of the pool.
        """
        request = JobRequest(job, given, None, slots, True, None)
        return asyncio.run_coroutine_threadsafe(self.pool.one(request, on_answer), self._loop)

    async def _close(self) -> None:
        await self.pool.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in (await asyncio.wait(others, timeout=EXIT_TIMEOUT_SECONDS))[1] if others else ():
            task.cancel()


async def last_of(answers: Answers, on_answer: AnswerCallback | None = None) -> Answer:
    """The last of some answers."""
    last: Answer | None = None
    async with aclosing(answers) as each:
        async for answer in each:
            last = answer
            if on_answer:
                on_answer(answer)
    if last is None:
        raise WorkerFailed("The worker process gave no answer.")
    return last
