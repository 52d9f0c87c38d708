"""A client's connection to a room: the person, and the queue of outgoing messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from pentad.web.http.client_address import DIRECT, Address
from pentad.web.messages import Outgoing

BACKLOG = 64  # messages that may wait for a slow client


class Connection:
    """A connection to a room; `person` is None for a viewer without a cookie, `flip` is the side of the board."""

    def __init__(
        self, person: int | None = None, name: str = "", *, flip: bool = False, address: Address = DIRECT
    ) -> None:
        self.person, self.name, self.flip, self.address = person, name, flip, address
        self.shown: int | None = None  # the state that was sent last; None if the next one must be sent whole
        self.request: asyncio.Task[None] | None = None  # a hint or a warning in progress
        self._waiting: deque[str] = deque()
        self._most = BACKLOG
        self._behind = False
        self._news = asyncio.Event()

    def send(self, message: Outgoing | str) -> None:
        """Queues a message, or the text of one.

        A client that is too slow gets the whole state once it reads again.
        """
        if len(self._waiting) >= self._most:
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append(_text(message))
        self._news.set()

    def send_all(self, messages: Iterable[Outgoing]) -> None:
        """Queues the first messages of a new client, however many."""
        self._waiting.extend(map(_text, messages))
        self._most = BACKLOG + len(self._waiting)
        self._news.set()

    async def next(self, catch_up: Callable[[], None]) -> str:
        """The next message; `catch_up` queues the state for a client that has missed messages."""
        await self._news.wait()
        if self._behind:
            self._behind = False
            catch_up()
        message = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return message

    def finish_request(self) -> None:
        """Forgets the request that ends, unless another one has replaced it."""
        if self.request is asyncio.current_task():
            self.request = None

    def cancel_request(self) -> None:
        """Cancels the request, if there is one."""
        if self.request:
            self.request.cancel()
            self.request = None


def _text(message: Outgoing | str) -> str:
    return message if isinstance(message, str) else message.written
