"""Engines of the server: a pool of jobs for moves, hints, checks, values and analyses; memory estimates; threads."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import aclosing
from dataclasses import asdict
from typing import Any, TypeVar, cast

from pentad.game import Position, game_of, names
from pentad.games.parts import Exact, Memory
from pentad.jobs.fair_queue import FairQueue, PlaceCallback
from pentad.jobs.pool import Answer, Answers, JobRequest, Pool, TurnOver, command_for, last_of
from pentad.jobs.process import WorkerFailed
from pentad.kernels.backends import warn_about_python
from pentad.kernels.prebuilt import are_engines_python
from pentad.search.exact import exact_value
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.system.memory import free_memory

T = TypeVar("T")

COMMAND = command_for("pentad.web.engines.jobs")
MOST_WORKERS = 4
MEMORY_SHARE = 0.6  # the rest of the memory that is free at the start is for other programs
MB = 1 << 20
WORKER_MEGABYTES = 250  # a worker that has loaded the engines takes so much
MAX_THINKING_SECONDS = 60.0  # a bot that needs longer for a move has failed
MARGIN_SECONDS = 10.0  # the bot gets so much less
MAX_ANALYSIS_SECONDS = 60.0
MAX_REVIEW_SECONDS = 5.0  # the limit is for each move
SOLVING_SECONDS, PARTIAL_SECONDS = 60.0, 3.0  # the second limit holds where a full search does not fit in memory
QUICK_SOLVING_MEGABYTES = 600  # exact values take a second or two from 18 marbles on
QUICK_MEGABYTES = 1300  # a request that needs more is not quick
RESERVE_MEGABYTES = 500  # long requests leave it to quick ones, where the budget is at least twice that
TYPICAL_QUICK_MEGABYTES = 350
SHOWN_AFTER_SECONDS = 1.5  # loading a compiled engine takes less, and is not shown as compiling


def megabytes(job: str, position: Position, *, who: str | None = None, seconds: float | None = None) -> int:
    """The megabytes of a worker while it handles a request."""
    kind = game_of(position)
    if not kind.has("memory"):
        return WORKER_MEGABYTES
    return WORKER_MEGABYTES + cast(Memory, kind.module("memory")).megabytes(
        job, position, who, 1.0 if seconds is None else seconds
    )


def exact_megabytes(position: Position, most: int) -> int:
    """The megabytes for every move's exact value by a full search; more than `most` bytes if that does not fit.

    It is 0 where no search is needed, or the game has no exact values.
    """
    kind = game_of(position)
    if exact_value(position):
        return 0
    return cast(Exact, kind.module("exact")).megabytes(position, most) if kind.has("exact") else 0


# ── the pool ──────────────────────────────────────────────────────────────────────────────────────


class Engines(Pool):
    """The pool. Processes start on demand and are reused; `memory` is in megabytes."""

    def __init__(
        self,
        size: int | None = None,
        memory: int | None = None,
        *,
        command: Sequence[str] = COMMAND,
        ready: bool = False,
    ) -> None:
        """`ready`: all engines can answer; none must be compiled first."""
        size = size or max(1, min(MOST_WORKERS, os.cpu_count() or 1))
        budget = memory or max(1, int(free_memory() * MEMORY_SHARE) // MB)
        # On a small budget one quick request may exceed it: some memory beyond the budget is free.
        beyond = 0 if budget >= 2 * RESERVE_MEGABYTES else TYPICAL_QUICK_MEGABYTES
        queue = FairQueue(size, budget + beyond, beyond or RESERVE_MEGABYTES, name="engines")
        super().__init__(command, queue, kind="engine")
        self._ready = ready
        self._unprepared = list(names())  # games whose engines are not compiled yet, the next one first

    # ── requests ─────────────────────────────────────────────────────────────────────────────────

    async def move(
        self,
        position: Position,
        who: str | None,
        *,
        seed: int,
        owner: Hashable,
        limit: Limit = DEFAULT_LIMIT,
        on_place: PlaceCallback | None = None,
        simpler: Callable[[], None] | None = None,
        programs: bool = False,
    ) -> str:
        """The move of the bot called `who`, or of the game's best; `WorkerFailed` if none comes.

        With `simpler` nobody waits for the compiler: until the engine is compiled, a warm-up bot moves and calls it.
        With `programs` the bot may be a program.
        """
        limit = limit.within(MAX_THINKING_SECONDS - MARGIN_SECONDS)
        impatient = bool(simpler) and not self._ready
        given = {"who": who, "seed": seed, "limit": asdict(limit), "impatient": impatient, "programs": programs}
        answer = await self.one(self._request("move", position, limit.seconds, owner, on_place, **given))
        if simpler and answer.get("simpler"):
            if position.game in self._unprepared:  # compile this one next
                self._unprepared.sort(key=position.game.__ne__)
            simpler()
        return str(answer["move"])

    async def hint(
        self, position: Position, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> tuple[str, str]:
        """A move to play, and its proved claim in words."""
        time_ = min(seconds, MAX_THINKING_SECONDS - MARGIN_SECONDS)
        answer = await self.one(self._request("hint", position, time_, owner, on_place, seconds=time_))
        return str(answer["move"]), str(answer["claim"])

    async def check(
        self, position: Position, move: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answer:
        """Whether a move is a proved blunder: `loses`, and `words` that say why."""
        time_ = min(seconds, MAX_REVIEW_SECONDS)
        return await self.one(self._request("check", position, time_, owner, on_place, seconds=time_, move=move))

    async def attempt(
        self, position: Position, move: str, *, best: str, played: str, seconds: float, owner: Hashable
    ) -> Answer:
        """Whether a move is as good as one that a review has found better than the move played: `right` and `words`."""
        time_ = min(seconds, MAX_REVIEW_SECONDS)
        given = {"move": move, "best": best, "played": played, "seconds": time_}
        return await self.one(self._request("attempt", position, time_, owner, None, **given))

    async def values(self, position: Position, *, owner: Hashable, on_place: PlaceCallback | None = None) -> Answer:
        """The exact `value` of a position and of each of its `moves`; `WorkerFailed` says why there is none."""
        return await self.one(self._solving(position, 0, owner, on_place))

    def solved(
        self, position: Position, *, lines: int, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """The same, followed by reports of the best lines, if there are any."""
        return self._stream(self._solving(position, lines, owner, on_place), latest=False)

    def solves_at_once(self, position: Position) -> bool:
        """Whether exact values are known without a search, or take at most a second or two."""
        return exact_value(position) is not None or 0 < exact_megabytes(position, 1 << 60) <= QUICK_SOLVING_MEGABYTES

    def _solving(self, position: Position, lines: int, owner: Hashable, on_place: PlaceCallback | None) -> JobRequest:
        most = max(self.queue.budget - self.queue.reserve - WORKER_MEGABYTES, 1)
        needs = exact_megabytes(position, most * MB)
        memory = min(max(needs, 1), most)
        seconds = SOLVING_SECONDS if needs <= most else PARTIAL_SECONDS
        given = {"position": position.text, "seconds": seconds, "memory": memory * MB, "lines": lines}
        return JobRequest(
            "values", given, owner, WORKER_MEGABYTES + memory, False, seconds + MAX_THINKING_SECONDS, on_place
        )

    async def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """Reports of increasing depth; a slow reader gets the latest. Ends early where others wait."""
        time_ = min(seconds, MAX_ANALYSIS_SECONDS)
        request = self._request("analysis", position, time_, owner, on_place, seconds=time_, lines=lines)
        with contextlib.suppress(TurnOver):
            async with aclosing(self._stream(request, latest=True, in_turns=True)) as answers:
                async for answer in answers:
                    yield answer

    async def review(
        self, record_text: str, *, seconds: float, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """A review of a game, some seconds for each position: its value, and what its move gave away."""
        time_ = min(seconds, MAX_REVIEW_SECONDS)
        size = {"record": record_text, "seconds": time_}
        memory = await self.one(JobRequest("size", size, owner, WORKER_MEGABYTES, True, MAX_THINKING_SECONDS))
        known: list[Answer] = []  # it has the plies that have been answered
        while True:
            given = {"record": record_text, "seconds": time_, "known": known}
            request = JobRequest("review", given, owner, memory["megabytes"], False, 2 * MAX_THINKING_SECONDS, on_place)
            with contextlib.suppress(TurnOver):
                async with aclosing(self._stream(request, latest=False, in_turns=True)) as answers:
                    async for answer in answers:
                        if answer["ply"] >= len(known):  # a retried request is answered from its beginning
                            if answer["move"]:
                                known.append({name: answer[name] for name in ("chances", "seat", "loss")})
                            yield answer
                return

    def _request(
        self, job: str, position: Position, time_: float | None, owner: Hashable, on_place: PlaceCallback | None,
        **given: Any,
    ) -> JobRequest:  # fmt: skip
        """A request for a job with these arguments, which takes so many seconds; None for the bot's own time."""
        given["position"] = position.text
        memory = megabytes(job, position, who=given.get("who"), seconds=time_)
        quick = job in ("move", "hint", "check", "attempt") and memory <= QUICK_MEGABYTES
        silence = MAX_THINKING_SECONDS if job == "move" else (time_ or 0) + MAX_THINKING_SECONDS
        return JobRequest(job, given, owner, memory, quick, silence, on_place)

    # ── state ────────────────────────────────────────────────────────────────────────────────────

    def state(self) -> Answer:
        """Whether the engines are ready, which one is compiled and how far, how many requests wait and run."""
        now = time.monotonic()
        slow = [each for each in self.busy if each.preparing and now - each.since >= SHOWN_AFTER_SECONDS]
        longest = min(slow, key=lambda each: each.since, default=None)
        return {
            "ready": self._ready and not slow,
            "compiling": longest.preparing if longest else None,
            "share": longest.share if longest else None,
            "waiting": self.queue.waiting,
            "running": len(self.queue.running),
        }

    async def warm(self) -> None:
        """Compiles and loads every game's engine beside the queue, so that other requests need not wait for it."""
        if are_engines_python():
            warn_about_python()  # here, and not in each worker
        failed: WorkerFailed | None = None
        while self._unprepared:
            request = JobRequest(
                "prepare", {"name": self._unprepared.pop(0)}, None, 0, False, 10 * MAX_THINKING_SECONDS
            )
            try:
                await last_of(self._run_on_worker(request))
            except WorkerFailed as error:
                failed = error
        self._ready = failed is None
        if failed:
            raise failed
