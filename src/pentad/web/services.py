"""What the routes share: where games are kept, where bots think, the rooms, and threads for long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from pentad.store import Store
from pentad.web.api import Model
from pentad.web.client_address import Address, address_of
from pentad.web.engines import Engines
from pentad.web.engines.background_threads import FairThreadPool
from pentad.web.engines.fair_queue import Bounds, Owner, QueueError
from pentad.web.engines.pool import STOPPING
from pentad.web.rooms import Rooms

WAIT = Bounds(all=1000, of_address=200, of_owner=200)
FULL = "the server is busy; try again in a few seconds"
RETRY_AFTER = 5  # seconds, where too much work is waiting
AT_ONCE = 2  # pieces of long work that are done beside those who play

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Busy(Exception):
    """Too much work is waiting already; the message is one plain line."""


class BackgroundThreads:
    """Work that takes a while, done in threads, a little at once, so that it leaves room for everything else.

    Whoever asks for it waits in a queue that is fair by address.
    """

    def __init__(self) -> None:
        self._threads = FairThreadPool(AT_ONCE, "pentad-background", WAIT, FULL)

    async def __call__(
        self, address: Address, work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Result:
        try:
            return await self._threads.run(Owner(address or object(), address), partial(work, *args, **more))
        except QueueError as away:
            raise Busy(str(away)) from None

    async def answer(
        self, address: Address, work: Callable[Parameters, Model], *args: Parameters.args, **more: Parameters.kwargs
    ) -> Response:
        """The answer to a request, written in the thread too: a large one takes as long as finding it."""
        text = await self(address, lambda: work(*args, **more).model_dump_json())
        return Response(text, media_type="application/json")

    def close(self) -> None:
        """Refuse whatever waits or comes."""
        self._threads.close(STOPPING)


async def _client(connection: HTTPConnection) -> Address:
    return address_of(connection)  # FastAPI would call what is not `async` in a thread


Client = Annotated[Address, Depends(_client)]  # of a route: the address of whoever asks


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    store: Store
    engines: Engines
    rooms: Rooms
    others: str = ""  # where others in this network find the server
    background: BackgroundThreads = field(default_factory=BackgroundThreads)
