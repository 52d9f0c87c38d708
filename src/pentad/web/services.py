"""Services that the routes share: the store, the engines, the rooms, and background threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from pentad.jobs.fair_queue import Bounds, Owner, QueueError
from pentad.jobs.pool import STOPPING
from pentad.store import Store
from pentad.web.api import Model
from pentad.web.engines import Engines
from pentad.web.engines.background_threads import FairThreadPool
from pentad.web.http.client_address import Address, address_of
from pentad.web.models.exploration_pool import ExplorationPool
from pentad.web.rooms.registry import Rooms

WAIT = Bounds(all=1000, of_address=200, of_owner=200)
FULL = "The server is busy. Try again in a few seconds."
RETRY_AFTER = 5  # seconds, when the background queue is full
AT_ONCE = 2  # background jobs at a time

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Busy(Exception):
    """The background queue is full; the message is one line."""


class BackgroundThreads:
    """Background threads for long work, few enough to leave the processor to everything else.

    Requests wait in a queue that is fair by address.
    """

    def __init__(self) -> None:
        self._threads = FairThreadPool(AT_ONCE, "pentad-background", WAIT, FULL)

    async def __call__(
        self, address: Address, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        try:
            return await self._threads.run(Owner(address or object(), address), partial(work, *args, **more))
        except QueueError as error:
            raise Busy(str(error)) from None

    async def answer(
        self, address: Address, work: Callable[Parameters, Model], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Response:
        """A response whose JSON is written in the thread too, as that can take as long as the work itself."""
        text = await self(address, lambda: work(*args, **more).model_dump_json(by_alias=True))
        return Response(text, media_type="application/json")

    def close(self) -> None:
        """Refuses waiting and later work."""
        self._threads.close(STOPPING)


async def _client(connection: HTTPConnection) -> Address:
    return address_of(connection)  # FastAPI would run a function that is not `async` in a thread


Client = Annotated[Address, Depends(_client)]  # a route's parameter: the client's address


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    store: Store
    engines: Engines
    rooms: Rooms
    others: str = ""  # the server's address for other machines in the network
    background: BackgroundThreads = field(default_factory=BackgroundThreads)
    explorations: ExplorationPool = field(default_factory=ExplorationPool)
