"""What the routes share: where games are kept, where bots think, the rooms, and threads for long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

from pentad.store import Store
from pentad.web.engines import Engines
from pentad.web.rooms import Rooms

AT_ONCE = 2  # pieces of long work that are done beside those who play

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Heavy:
    """Long work, done in threads, a little at once, so that it leaves room for everything else."""

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(AT_ONCE)

    async def __call__(
        self, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        return await to_thread.run_sync(partial(work, *args, **more), limiter=self._limiter)


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    store: Store
    engines: Engines
    rooms: Rooms
    others: str = ""  # where others in this network find the server
    heavy: Heavy = field(default_factory=Heavy)
