"""What the services share: the store, the engines, the rooms, explorations and background threads."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Hashable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from pentad.jobs.fair_queue import FairQueue, PlaceCallback, QueueLimits
from pentad.jobs.pool import NICE_LONG, Answer, Answers, JobRequest, Pool, command_for
from pentad.jobs.process import WorkerDied, WorkerFailed, WorkerFrozen, WorkerSilent
from pentad.web.engines import Engines
from pentad.web.http.lan import LocalNetwork
from pentad.web.page_workers import BackgroundThreads, CallRunner, PageWorkers
from pentad.web.rooms.archive import Archive
from pentad.web.rooms.registry import Rooms

if TYPE_CHECKING:
    from pentad.store import Store
    from pentad.web.authentication import Authentication
    from pentad.web.operators import Operators

EXPLORE = command_for("pentad.web.exploration_job")
MOST_STATES = 2_000_000
MOST_SECONDS = 10.0
SILENCE_SECONDS = 20.0  # an exploration that reports nothing for so long after its time limit has failed
EXPLORATIONS_WAIT = QueueLimits(all=200, of_address=60, of_owner=4)
EXPLORATIONS_FULL = "Too many explorations are waiting. Try again in a minute."


class ExplorationPool(Pool):
    """Explorations of models in processes of their own, a few at a time, behind a queue of their own."""

    def __init__(self, size: int | None = None) -> None:
        size = size or max(1, (os.cpu_count() or 2) // 2)
        queue = FairQueue(size, size, quick_bounds=EXPLORATIONS_WAIT, full=EXPLORATIONS_FULL, name="explorations")
        super().__init__(EXPLORE, queue, kind="exploration", quick_nice=NICE_LONG, attempts=1)

    async def values(self, job: Mapping[str, Any], *, owner: Hashable) -> Answer:
        """The values of a state's options."""
        silence = job["seconds"] + SILENCE_SECONDS
        try:
            return await self.one(JobRequest("values", job, owner, 1, True, silence))
        except (WorkerSilent, WorkerFrozen, WorkerDied):
            raise WorkerFailed("The search for the best moves ended unexpectedly.") from None

    async def explore(
        self, job: Mapping[str, Any], stop: asyncio.Event, *, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> Answers:
        """The answers of the process; closing this ends it. `stop` ends the search with its results so far."""
        silence = job["seconds"] + SILENCE_SECONDS
        request = JobRequest("explore", job, owner, 1, True, silence, on_place, stop)
        try:
            # Closed explicitly: garbage collection would close it later.
            async with aclosing(self._answers(request)) as answers:
                async for answer in answers:
                    yield answer
        except (WorkerSilent, WorkerFrozen):
            raise WorkerFailed("The exploration stopped responding.") from None
        except WorkerDied:
            raise WorkerFailed("The exploration ended unexpectedly.") from None


@dataclass(frozen=True)
class Backend:
    """The parts of a running server, which each service gets."""

    store: Store
    engines: Engines
    rooms: Rooms
    network: LocalNetwork = field(default_factory=LocalNetwork)
    friends: bool = True  # whether other people can join games
    friends_server: str = ""  # where they can if not here: a server's address
    background: BackgroundThreads = field(default_factory=BackgroundThreads)
    bodies: BackgroundThreads = field(default_factory=partial(BackgroundThreads, 1, "bodies"))  # one reads large bodies
    workers: CallRunner = field(default_factory=PageWorkers)
    explorations: ExplorationPool = field(default_factory=ExplorationPool)
    operators: Operators | None = None  # None in a page without a server
    authentication: Authentication | None = None  # None there, too, as it has no accounts

    @cached_property
    def archive(self) -> Archive:
        """The openings of finished games."""
        return Archive(self.rooms.world)
