"""What goes between a caller and the services: the same on the server and in a page without one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar
from urllib.parse import SplitResult

from pentad.web.http.client_address import DIRECT, Address

T = TypeVar("T")

JSON = "application/json"
STUDY_KEY = "Study-Key"  # the header with the key of a study
ARRIVED = "pentad.arrived"  # the key of a message of ASGI with the time at which it arrived
NORMAL, REFUSED, BUG = 1000, 1008, 1011  # the codes with which a socket is closed


async def _stays() -> None:
    """The end of a connection that nobody watches."""
    await asyncio.Event().wait()


@dataclass
class Caller:
    """Who asks: the secret of the cookie, the address that limits count, and the URL.

    `study_key` is the key of a study's link to edit. `user_agent` is what the browser says of itself.

    `new_key` is the secret of a new cookie, which goes back with the response, and an empty one removes it; `operator`
    and `new_operator` are the same of an operator's session, `ticket` and `new_ticket` of a challenge to a passkey.
    `leaves` ends when the caller does not wait for the response any more.
    """

    key: str = ""
    address: Address = DIRECT
    url: SplitResult = field(default_factory=lambda: SplitResult("http", "localhost", "/", "", ""))
    takes_gzip: bool = False
    study_key: str = ""
    user_agent: str = ""
    new_key: str | None = None
    operator: str = ""
    new_operator: str | None = None
    ticket: str = ""
    new_ticket: str | None = None
    leaves: Callable[[], Awaitable[None]] = _stays

    @property
    def root(self) -> str:
        """The address of the server, as the caller knows it."""
        return f"{self.url.scheme}://{self.url.netloc}"


@dataclass(frozen=True)
class Response:
    """A response; without a status or a `content-type` it has those of its route."""

    body: str | bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None


@dataclass(frozen=True)
class JsonText(Generic[T]):
    """A value as JSON, where writing it takes long and is done beside the event loop."""

    text: str


class StatusError(Exception):
    """A request that is refused with this status."""

    def __init__(self, status: int, why: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(why)
        self.status, self.headers = status, headers or {}


class Socket(Protocol):
    """A WebSocket, or a page's channel in its place."""

    @property
    def arrived(self) -> float:
        """When the message received last arrived, by the monotonic clock; it may have been held back since."""

    async def accept(self) -> None:
        """Opens the socket."""

    async def receive(self) -> str | bytes | None:
        """The next message; None at the end."""

    async def send(self, text: str) -> None:
        """Sends a message; `ConnectionError` if the socket is lost."""

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        """Closes the socket, unless it is closed."""
