"""Somebody who looks at a room: who they are, and the messages that wait to be sent to them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from pentad.web.client_address import DIRECT, Address
from pentad.web.messages import Outgoing

BACKLOG = 64  # messages that may wait for a slow reader


class Connection:
    """One line to a room; `person` is None for somebody who has no cookie and only watches, `flip` is how they look."""

    def __init__(
        self, person: int | None = None, name: str = "", *, flip: bool = False, address: Address = DIRECT
    ) -> None:
        self.person, self.name, self.flip, self.address = person, name, flip, address
        self.shown: int | None = None  # the state that was sent last; None where nothing can be built on it
        self.request: asyncio.Task[None] | None = None  # a hint or a warning that is being looked for
        self._waiting: deque[str] = deque()
        self._most = BACKLOG
        self._behind = False
        self._news = asyncio.Event()

    def send(self, message: Outgoing | str) -> None:
        """Queue a message, as it is or as it was written already.

        A reader who is too slow for them all is told how things stand once they read again.
        """
        if len(self._waiting) >= self._most:
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append(_text(message))
        self._news.set()

    def send_all(self, messages: Iterable[Outgoing]) -> None:
        """Queue what somebody is told who comes, however much that is."""
        self._waiting.extend(map(_text, messages))
        self._most = BACKLOG + len(self._waiting)
        self._news.set()

    async def next(self, catch_up: Callable[[], None]) -> str:
        """The next message; `catch_up` tells a reader who has missed some what there is to know."""
        await self._news.wait()
        if self._behind:
            self._behind = False
            catch_up()
        message = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return message

    def finish_request(self) -> None:
        """What was being looked for is found, or will not be; whoever looked for something else meanwhile goes on."""
        if self.request is asyncio.current_task():
            self.request = None

    def cancel_request(self) -> None:
        """Nobody needs what was being looked for any more."""
        if self.request:
            self.request.cancel()
            self.request = None


def _text(message: Outgoing | str) -> str:
    return message if isinstance(message, str) else message.written
