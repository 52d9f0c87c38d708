"""Exploration pool: explorations in worker processes, a few at a time, behind a fair queue of their own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Hashable, Mapping
from contextlib import aclosing
from typing import Any

from pentad.jobs.fair_queue import Bounds, FairQueue, PlaceCallback
from pentad.jobs.pool import NICE_LONG, JobRequest, Pool, command_for
from pentad.jobs.process import WorkerDied, WorkerFailed, WorkerFrozen, WorkerSilent

COMMAND = command_for("pentad.web.models.exploration_job")
MOST_STATES = 2_000_000
MOST_SECONDS = 10.0
ANSWER_TIMEOUT = 20.0  # seconds beyond its time limit until a process that reports nothing has failed
WAIT = Bounds(all=200, of_address=60, of_owner=4)
FULL = "Too many explorations are waiting. Try again in a minute."


class ExplorationFailed(Exception):
    """No answer came; the message is one line."""


class ExplorationPool(Pool):
    """The exploration processes and their queue."""

    def __init__(self, size: int | None = None) -> None:
        size = size or max(1, (os.cpu_count() or 2) // 2)
        queue = FairQueue(size, size, quick_bounds=WAIT, full=FULL)
        super().__init__(COMMAND, queue, kind="exploration", quick_nice=NICE_LONG, attempts=1)

    async def explore(
        self, job: Mapping[str, Any], stop: asyncio.Event, *, owner: Hashable, on_place: PlaceCallback | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The messages of the process; closing this ends it. `stop` ends the search with its results so far."""
        silence = job["seconds"] + ANSWER_TIMEOUT
        request = JobRequest("explore", job, owner, 1, True, silence, on_place, stop)
        try:
            # Closed explicitly: garbage collection would close it later.
            async with aclosing(self._answers(request)) as found:
                async for message in found:
                    yield message
        except (WorkerSilent, WorkerFrozen):
            raise ExplorationFailed("The exploration stopped responding.") from None
        except WorkerDied:
            raise ExplorationFailed("The exploration ended unexpectedly.") from None
        except WorkerFailed as failed:
            raise ExplorationFailed(str(failed)) from None
