"""Engines behind the server: whoever asks waits in a fair line, and is answered by a process of its own.

Cancelling whoever waits ends the search at once, by ending its process; another one is started when it is needed. A
process that dies on its own has its request asked once more.
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
from pentad.pentago.rules import PentagoPosition
from pentad.record import Record
from pentad.system_memory import free_memory
from pentad.web.engines import memory_estimates
from pentad.web.engines.background_threads import FairThreadPool
from pentad.web.engines.fair_queue import FairQueue, Owner, PlaceCallback, QueueError
from pentad.web.engines.worker_process import Process, WorkerDied, WorkerFailed

Answer: TypeAlias = "dict[str, Any]"
Answers: TypeAlias = AsyncGenerator[Answer, None]
Result = TypeVar("Result")

COMMAND = (sys.executable, "-P", "-m", "pentad.web.engines.worker")  # -P: what lies in the current folder is not ours
MOST_WORKERS = 4
SHARE = 0.6  # of the memory that is free when the server starts
THINK_AT_MOST = 60.0  # seconds about a move; a bot that needs longer has failed
SPARE = 10.0  # seconds of them that a bot is not told of
LONGEST = 60.0  # seconds of an analysis
LONGEST_LOOK = 5.0  # seconds about a move, where a whole game is looked through
SOLVING, LOOKING = 60.0, 3.0  # seconds for exact values: where everything can be looked at, and elsewhere
SOLVED_AT_ONCE = 600  # MB for exact values that are there in a second or two: 18 marbles and more
QUICK_MEMORY = 1300  # MB; what needs more is not quick
RESERVE = 500  # MB that long work leaves for what is quick, where there is twice as much
ONE_QUICK = 350  # MB of a quick question that takes as much as most do
KEEP_MEMORY = 600 << 20  # bytes; a process that has more at rest is ended
ATTEMPTS = 2
GONE_WITHIN = 1.0  # seconds that processes which were killed are waited for when the server stops
NICE_QUICK, NICE_LONG = 0, 10
STOPPING = "the server is stopping"
TURN, LOOK_EVERY = 15.0, 0.5  # seconds that an analysis has at least while others wait, and between two looks at them
SHOWN_AFTER = 1.5  # seconds; loading an engine takes less than preparing it, and nobody needs to know


class GivenWay(Exception):
    """A question has had its turn, and others wait."""


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """What a worker is asked, for whom, and what that takes."""

    job: str
    given: Mapping[str, Any]
    owner: Hashable
    memory: int  # MB
    quick: bool
    silence: float  # seconds without an answer after which there will be none
    on_place: PlaceCallback | None = None


class Engines:
    """The pool. Processes are started when they are first needed and kept; `memory` is in megabytes."""

    def __init__(self, size: int | None = None, memory: int | None = None, *, command: Sequence[str] = COMMAND) -> None:
        self.size = size or max(1, min(MOST_WORKERS, os.cpu_count() or 1))
        budget = memory or max(1, int(free_memory() * SHARE) // memory_estimates.MB)
        # Where there is little, one quick question may go beyond the budget: there is some more that is free.
        beyond = 0 if budget >= 2 * RESERVE else ONE_QUICK
        self.queue = FairQueue(self.size, budget + beyond, beyond or RESERVE)
        self._reading = FairThreadPool(1, "pentad-reading")
        self._command = tuple(command)
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._tasks: set[asyncio.Task[Any]] = set()  # processes that come and go
        self._ready = False
        self._unprepared = list(games())  # whose engines are still to be compiled, the next one first
        self._stopping = False

    # ── what can be asked ────────────────────────────────────────────────────────────────────────

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
        """The move of the bot called `who`, or of the game's best; `WorkerFailed` when none comes.

        With `simpler` nobody waits for the compiler: until all is compiled a simpler bot may move, which calls it.
        """
        time_ = None if seconds is None else min(seconds, THINK_AT_MOST - SPARE)
        given: Answer = {"position": position.text, "who": who, "seed": seed, "seconds": time_}
        if simpler and not self._ready:
            given["impatient"] = True
        answer = await self._one(self._request("move", position, given, owner, time_, who=who, on_place=on_place))
        if simpler and answer.get("simpler"):
            if position.game in self._unprepared:  # somebody waits for this one
                self._unprepared.sort(key=position.game.__ne__)
            simpler()
        return str(answer["move"])

    async def hint(
        self, position: Position, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> tuple[str, str]:
        """A move to play, and what is proved of it in words."""
        time_ = min(seconds, THINK_AT_MOST - SPARE)
        given = {"position": position.text, "seconds": time_}
        answer = await self._one(self._request("hint", position, given, owner, time_, on_place=on_place))
        return str(answer["move"]), str(answer["claim"])

    async def check(
        self, position: Position, move: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answer:
        """Whether a move is proved to be a blunder: `loses`, and `words` that say why."""
        time_ = min(seconds, LONGEST_LOOK)
        given = {"position": position.text, "move": move, "seconds": time_}
        return await self._one(self._request("check", position, given, owner, time_, on_place=on_place))

    async def values(self, position: Position, *, owner: Hashable, on_place: PlaceCallback | None = None) -> Answer:
        """The exact `value` of a position, and of each of its `moves`; `WorkerFailed` says why there is none."""
        return await self._one(self._solving(position, 0, owner, on_place))

    def solved(
        self, position: Position, *, lines: int, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """The same, followed by reports of the best lines where there are any."""
        return self._stream(self._solving(position, lines, owner, on_place), latest=False)

    def solves_at_once(self, position: Position) -> bool:
        """Whether exact values take no longer than people wait for anything."""
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
        """Reports that become deeper; whoever reads slowly gets the latest. Where others wait they end earlier."""
        time_ = min(seconds, LONGEST)
        given = {"position": position.text, "seconds": time_, "lines": lines}
        request = self._request("analysis", position, given, owner, time_, on_place=on_place)
        with contextlib.suppress(GivenWay):
            async with aclosing(self._giving_way(request, latest=True)) as answers:
                async for answer in answers:
                    yield answer

    async def review(
        self, record_text: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """A game looked through for so many seconds a move: what each position was worth, what was missed."""
        time_ = min(seconds, LONGEST_LOOK)
        try:
            memory = await self._reading.run(Owner.of(owner), partial(_heaviest, record_text, time_))
        except QueueError as away:
            raise WorkerFailed(str(away)) from None
        told = -1
        while True:
            given = {"record": record_text, "seconds": time_, "first": told + 1}
            request = EngineRequest("review", given, owner, memory, False, 2 * THINK_AT_MOST, on_place)
            with contextlib.suppress(GivenWay):
                async with aclosing(self._giving_way(request, latest=False)) as answers:
                    async for answer in answers:
                        if answer["ply"] > told:  # a question that is asked again is answered from its beginning
                            told = answer["ply"]
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

    # ── how things stand ─────────────────────────────────────────────────────────────────────────

    def state(self) -> Answer:
        """Whether the engines are ready, whose is being prepared and how far, how many questions wait and run."""
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
        """Have every game's engine prepared, beside the line: who plays a simple bot need not wait for that."""
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
        """End every worker, whatever it does."""
        self._stopping = True
        self.queue.close(STOPPING)
        self._reading.close(STOPPING)
        for worker in [*self._idle, *self._busy]:
            self._end(worker)
        self._idle.clear()
        until = time.monotonic() + GONE_WITHIN
        while self._tasks and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._tasks, timeout=left)

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    async def _one(self, request: EngineRequest) -> Answer:
        """The only answer, or the last."""
        return await _last(self._answers(request))

    async def _stream(self, request: EngineRequest, *, latest: bool) -> Answers:
        """The answers as they come; they are heard meanwhile, so that no worker waits for a reader."""
        ready: deque[Answer] = deque(maxlen=1 if latest else None)
        news = asyncio.Event()

        async def hear() -> None:
            try:
                async with aclosing(self._answers(request)) as answers:
                    async for answer in answers:
                        ready.append(answer)
                        news.set()
            finally:
                news.set()

        hearing = asyncio.create_task(hear())
        try:
            while True:
                await news.wait()
                news.clear()
                while ready:
                    yield ready.popleft()
                if hearing.done() and not ready:
                    hearing.result()
                    return
        finally:
            hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError, WorkerFailed):
                await hearing

    async def _giving_way(self, request: EngineRequest, *, latest: bool) -> Answers:
        """The answers; after its share of time, and one at least, `GivenWay` where another address waits."""
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
                            raise GivenWay
                finally:
                    coming.cancel()
                    await asyncio.wait({coming})
                if (answer := coming.result()) is None:
                    return
                some = True
                yield answer

    async def _answers(self, request: EngineRequest) -> Answers:
        """The answers, after a turn has come."""
        try:
            async with (
                self.queue.turn(request.owner, request.memory, quick=request.quick, on_place=request.on_place),
                aclosing(self._run_on_worker(request)) as answers,
            ):
                async for answer in answers:
                    yield answer
        except QueueError as away:
            raise WorkerFailed(str(away)) from None

    async def _run_on_worker(self, request: EngineRequest) -> Answers:
        """The answers of a worker, or of another if the first one dies."""
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
        raise WorkerFailed("its process ended")

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    async def _take(self, nice: int) -> Process:
        """A worker that is free, or a new one."""
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
        kernel.folder()  # where it cannot be the usual one, this process and those that it starts share another
        starting = self._task(Process.start(self._command, nice))
        try:
            worker = await asyncio.shield(starting)
        except OSError as error:
            raise WorkerFailed(f"no process can be started: {error.strerror or error}") from None
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
        """Keep a process that has started when nobody waited for it any more."""
        if not starting.cancelled() and not starting.exception():
            self._put_back(starting.result())

    def _put_back(self, worker: Process) -> None:
        """Keep a worker that can be asked again; end any other."""
        self._busy.discard(worker)
        useful = worker.at_rest and worker.alive and worker.memory <= KEEP_MEMORY
        if useful and not self._stopping and len(self._idle) < self.size:
            self._idle.append(worker)
        else:
            self._end(worker)

    def _end(self, worker: Process) -> None:
        """End a worker now; somebody else waits until it is gone."""
        worker.kill()
        self._task(worker.process.wait())

    def _task(self, doing: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(doing)
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
        raise WorkerFailed("it gave no answer")
    return last


def _heaviest(record_text: str, seconds: float) -> int:
    """The megabytes that the heaviest position of a game takes; `GameError` says what is wrong with the text."""
    record = Record.read(record_text)
    nodes = [record.root, *record.main_line]
    most = max(memory_estimates.megabytes("review", node.position, seconds=seconds) for node in nodes)
    record.root.unlink()
    return most
