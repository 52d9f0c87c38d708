"""Engine pool of the server: requests wait in a fair queue, and worker processes answer them.

Cancelling a request ends its search at once by killing the process; another process is started when needed. If a
process dies on its own, its request is tried once more.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Hashable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

from pentad import kernel
from pentad.game import Position, games
from pentad.jobs.fair_queue import FairQueue, Owner, PlaceCallback, QueueError
from pentad.pentago.rules import PentagoPosition
from pentad.record import Record
from pentad.system_memory import free_memory
from pentad.web.engines import memory_estimates
from pentad.web.engines.background_threads import FairThreadPool
from pentad.web.engines.worker_process import Process, WorkerDied, WorkerFailed

Answer: TypeAlias = "dict[str, Any]"
Answers: TypeAlias = AsyncGenerator[Answer, None]
Result = TypeVar("Result")

COMMAND = (sys.executable, "-P", "-m", "pentad.web.engines.worker")  # -P: never imports from the current folder
MOST_WORKERS = 4
SHARE = 0.6  # of the memory that is free when the server starts
THINK_AT_MOST = 60.0  # seconds for a move; a bot that needs longer has failed
SPARE = 10.0  # seconds of them that are withheld from the bot as a margin
LONGEST = 60.0  # seconds of an analysis
LONGEST_LOOK = 5.0  # seconds for a move in a review
SOLVING, LOOKING = 60.0, 3.0  # seconds for exact values: where a full search fits in memory, and elsewhere
SOLVED_AT_ONCE = 600  # MB for exact values that take a second or two: 18 marbles and more
QUICK_MEMORY = 1300  # MB; a request that needs more is not quick
RESERVE = 500  # MB that long requests leave to quick ones, where the budget is at least twice that
ONE_QUICK = 350  # MB of a typical quick request
KEEP_MEMORY = 600 << 20  # bytes; an idle process that uses more is ended
ATTEMPTS = 2
GONE_WITHIN = 1.0  # seconds to wait for killed processes when the server stops
NICE_QUICK, NICE_LONG = 0, 10
STOPPING = "The server is stopping."
TURN, LOOK_EVERY = 15.0, 0.5  # seconds that an analysis runs at least while others wait, and between checks for them
SHOWN_AFTER = 1.5  # seconds of compiling until it is shown; loading a compiled engine takes less


class TurnOver(Exception):
    """A request has used its turn, and others wait."""


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """A job for a worker, its owner, and the resources it needs."""

    job: str
    given: Mapping[str, Any]
    owner: Hashable
    memory: int  # MB
    quick: bool
    silence: float  # seconds without an answer after which the request fails
    on_place: PlaceCallback | None = None


class Engines:
    """The pool. Processes start on demand and are reused; `memory` is in megabytes."""

    def __init__(self, size: int | None = None, memory: int | None = None, *, command: Sequence[str] = COMMAND) -> None:
        self.size = size or max(1, min(MOST_WORKERS, os.cpu_count() or 1))
        budget = memory or max(1, int(free_memory() * SHARE) // memory_estimates.MB)
        # On a small budget one quick request may exceed it: some memory beyond the budget is free.
        beyond = 0 if budget >= 2 * RESERVE else ONE_QUICK
        self.queue = FairQueue(self.size, budget + beyond, beyond or RESERVE)
        self._reading = FairThreadPool(1, "pentad-reading")
        self._command = tuple(command)
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._tasks: set[asyncio.Task[Any]] = set()  # starting and ending processes
        self._ready = False
        self._unprepared = list(games())  # games whose engines are not compiled yet, the next one first
        self._stopping = False

    # ── requests ─────────────────────────────────────────────────────────────────────────────────

    async def move(
        self,
        position: Position,
        who: str | None,
        *,
        seed: int,
        owner: Hashable,
        seconds: float | None = None,
        on_place: PlaceCallback | None = None,
        simpler: Callable[[], None] | None = None,
    ) -> str:
        """The move of the bot called `who`, or of the game's best; `WorkerFailed` if none comes.

        With `simpler` nobody waits for the compiler: until the engine is compiled, a warm-up bot moves and calls it.
        """
        time_ = None if seconds is None else min(seconds, THINK_AT_MOST - SPARE)
        given: Answer = {"position": position.text, "who": who, "seed": seed, "seconds": time_}
        if simpler and not self._ready:
            given["impatient"] = True
        answer = await self._one(self._request("move", position, given, owner, time_, who=who, on_place=on_place))
        if simpler and answer.get("simpler"):
            if position.game in self._unprepared:  # compile this one next
                self._unprepared.sort(key=position.game.__ne__)
            simpler()
        return str(answer["move"])

    async def hint(
        self, position: Position, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> tuple[str, str]:
        """A move to play, and its proved claim in words."""
        time_ = min(seconds, THINK_AT_MOST - SPARE)
        given = {"position": position.text, "seconds": time_}
        answer = await self._one(self._request("hint", position, given, owner, time_, on_place=on_place))
        return str(answer["move"]), str(answer["claim"])

    async def check(
        self, position: Position, move: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answer:
        """Whether a move is a proved blunder: `loses`, and `words` that say why."""
        time_ = min(seconds, LONGEST_LOOK)
        given = {"position": position.text, "move": move, "seconds": time_}
        return await self._one(self._request("check", position, given, owner, time_, on_place=on_place))

    async def values(self, position: Position, *, owner: Hashable, on_place: PlaceCallback | None = None) -> Answer:
        """The exact `value` of a position and of each of its `moves`; `WorkerFailed` says why there is none."""
        return await self._one(self._solving(position, 0, owner, on_place))

    def solved(
        self, position: Position, *, lines: int, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """The same, followed by reports of the best lines, if there are any."""
        return self._stream(self._solving(position, lines, owner, on_place), latest=False)

    def solves_at_once(self, position: Position) -> bool:
        """Whether exact values take at most a second or two."""
        return isinstance(position, PentagoPosition) and 0 < memory_estimates.whole(position, 1 << 60) <= SOLVED_AT_ONCE

    def _solving(
        self, position: Position, lines: int, owner: Hashable, on_place: PlaceCallback | None
    ) -> EngineRequest:
        most = max(self.queue.budget - self.queue.reserve - memory_estimates.PROCESS, 1)
        needs = (
            memory_estimates.whole(position, most * memory_estimates.MB) if isinstance(position, PentagoPosition) else 0
        )
        memory = min(max(needs, 1), most)
        seconds = SOLVING if needs <= most else LOOKING
        given = {"position": position.text, "seconds": seconds, "memory": memory * memory_estimates.MB, "lines": lines}
        return EngineRequest(
            "values", given, owner, memory_estimates.PROCESS + memory, False, seconds + THINK_AT_MOST, on_place
        )

    async def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """Reports of increasing depth; a slow reader gets the latest. Ends early where others wait."""
        time_ = min(seconds, LONGEST)
        given = {"position": position.text, "seconds": time_, "lines": lines}
        request = self._request("analysis", position, given, owner, time_, on_place=on_place)
        with contextlib.suppress(TurnOver):
            async with aclosing(self._with_turn_limit(request, latest=True)) as answers:
                async for answer in answers:
                    yield answer

    async def review(
        self, record_text: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """A review of a game, some seconds for each move: the value of each position, and missed chances."""
        time_ = min(seconds, LONGEST_LOOK)
        try:
            memory = await self._reading.run(Owner.of(owner), partial(_largest_memory, record_text, time_))
        except QueueError as error:
            raise WorkerFailed(str(error)) from None
        reported = -1
        while True:
            given = {"record": record_text, "seconds": time_, "first": reported + 1}
            request = EngineRequest("review", given, owner, memory, False, 2 * THINK_AT_MOST, on_place)
            with contextlib.suppress(TurnOver):
                async with aclosing(self._with_turn_limit(request, latest=False)) as answers:
                    async for answer in answers:
                        if answer["ply"] > reported:  # a retried request is answered from its beginning
                            reported = answer["ply"]
                            yield answer
                return

    def _request(
        self, job: str, position: Position, given: Answer, owner: Hashable, seconds: float | None, *,
        who: str | None = None, on_place: PlaceCallback | None = None,
    ) -> EngineRequest:  # fmt: skip
        memory = memory_estimates.megabytes(job, position, who=who, seconds=seconds)
        quick = job in ("move", "hint", "check") and memory <= QUICK_MEMORY
        silence = THINK_AT_MOST if job == "move" else (seconds or 0) + THINK_AT_MOST
        return EngineRequest(job, given, owner, memory, quick, silence, on_place)

    # ── state ────────────────────────────────────────────────────────────────────────────────────

    def state(self) -> Answer:
        """Whether the engines are ready, which one is compiled and how far, how many requests wait and run."""
        now = time.monotonic()
        slow = [each for each in self._busy if each.preparing and now - each.since >= SHOWN_AFTER]
        longest = min(slow, key=lambda each: each.since, default=None)
        return {
            "ready": self._ready and not slow,
            "compiling": longest.preparing if longest else None,
            "share": longest.share if longest else None,
            "waiting": self.queue.waiting,
            "running": len(self.queue.running),
        }

    async def warm(self) -> None:
        """Compiles every game's engine beside the queue, so that other requests need not wait for it."""
        failed: WorkerFailed | None = None
        while self._unprepared:
            request = EngineRequest("prepare", {"name": self._unprepared.pop(0)}, None, 0, False, 10 * THINK_AT_MOST)
            try:
                await _last(self._run_on_worker(request))
            except WorkerFailed as error:
                failed = error
        self._ready = True
        if failed:
            raise failed

    async def close(self) -> None:
        """Ends every worker."""
        self._stopping = True
        self.queue.close(STOPPING)
        self._reading.close(STOPPING)
        for worker in [*self._idle, *self._busy]:
            self._end(worker)
        self._idle.clear()
        until = time.monotonic() + GONE_WITHIN
        while self._tasks and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._tasks, timeout=left)

    # ── running a request ────────────────────────────────────────────────────────────────────────

    async def _one(self, request: EngineRequest) -> Answer:
        """The only answer, or the last one."""
        return await _last(self._answers(request))

    async def _stream(self, request: EngineRequest, *, latest: bool) -> Answers:
        """The answers as they come; they are read ahead, so that no worker waits for a reader."""
        ready: deque[Answer] = deque(maxlen=1 if latest else None)
        news = asyncio.Event()

        async def read_ahead() -> None:
            try:
                async with aclosing(self._answers(request)) as answers:
                    async for answer in answers:
                        ready.append(answer)
                        news.set()
            finally:
                news.set()

        reading = asyncio.create_task(read_ahead())
        try:
            while True:
                await news.wait()
                news.clear()
                while ready:
                    yield ready.popleft()
                if reading.done() and not ready:
                    reading.result()
                    return
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError, WorkerFailed):
                await reading

    async def _with_turn_limit(self, request: EngineRequest, *, latest: bool) -> Answers:
        """The answers; raises `TurnOver` after the turn and at least one answer, if another address waits."""
        began, some = math.inf, False

        def on_place(place: int) -> None:
            nonlocal began
            began = math.inf if place else time.monotonic()
            if request.on_place:
                request.on_place(place)

        async with aclosing(self._stream(replace(request, on_place=on_place), latest=latest)) as answers:
            while True:
                coming = asyncio.create_task(_next(answers))
                try:
                    while not coming.done():
                        await asyncio.wait({coming}, timeout=LOOK_EVERY)
                        is_over = some and time.monotonic() - began >= TURN
                        if not coming.done() and is_over and self.queue.others_wait(request.owner):
                            raise TurnOver
                finally:
                    coming.cancel()
                    await asyncio.wait({coming})
                if (answer := coming.result()) is None:
                    return
                some = True
                yield answer

    async def _answers(self, request: EngineRequest) -> Answers:
        """The answers, once the turn comes."""
        try:
            async with (
                self.queue.turn(request.owner, request.memory, quick=request.quick, on_place=request.on_place),
                aclosing(self._run_on_worker(request)) as answers,
            ):
                async for answer in answers:
                    yield answer
        except QueueError as error:
            raise WorkerFailed(str(error)) from None

    async def _run_on_worker(self, request: EngineRequest) -> Answers:
        """The answers of a worker, or of a second one if the first dies."""
        for _ in range(ATTEMPTS):
            worker = await self._take(NICE_QUICK if request.quick else NICE_LONG)
            try:
                async with aclosing(worker.ask(request.job, request.given, request.silence)) as answers:
                    async for answer in answers:
                        yield answer
                return
            except WorkerDied:
                continue
            finally:
                self._put_back(worker)
        raise WorkerFailed("The worker process ended.")

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    async def _take(self, nice: int) -> Process:
        """An idle worker, or a new one."""
        fitting = [each for each in self._idle if each.nice == nice]
        while fitting:
            worker = fitting.pop()
            self._idle.remove(worker)
            if worker.alive:
                self._busy.add(worker)
                return worker
        while self._idle and len(self._busy) + len(self._idle) >= self.size:
            self._end(self._idle.pop(0))
        self._check_open()
        kernel.folder()  # a temporary cache folder is shared by this process and its workers
        starting = self._task(Process.start(self._command, nice))
        try:
            worker = await asyncio.shield(starting)
        except OSError as error:
            raise WorkerFailed(f"Cannot start a process: {error.strerror or error}.") from None
        except asyncio.CancelledError:
            starting.add_done_callback(self._adopt)
            raise
        self._busy.add(worker)
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

    def _put_back(self, worker: Process) -> None:
        """Keeps a worker that is fit for another request; ends any other."""
        self._busy.discard(worker)
        useful = worker.is_idle and worker.alive and worker.memory <= KEEP_MEMORY
        if useful and not self._stopping and len(self._idle) < self.size:
            self._idle.append(worker)
        else:
            self._end(worker)

    def _end(self, worker: Process) -> None:
        """Kills a worker; a task waits for its end."""
        worker.kill()
        self._task(worker.process.wait())

    def _task(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _next(answers: Answers) -> Answer | None:
    return await anext(answers, None)


async def _last(answers: Answers) -> Answer:
    """The last of some answers."""
    last: Answer | None = None
    async with aclosing(answers) as each:
        async for answer in each:
            last = answer
    if last is None:
        raise WorkerFailed("The worker process gave no answer.")
    return last


def _largest_memory(record_text: str, seconds: float) -> int:
    """The megabytes for the largest position of a game; `GameError` if the text cannot be read."""
    record = Record.read(record_text)
    nodes = [record.root, *record.main_line]
    most = max(memory_estimates.megabytes("review", node.position, seconds=seconds) for node in nodes)
    record.root.unlink()
    return most
