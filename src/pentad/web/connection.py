"""Somebody who looks at a room: who they are, and the messages that wait to be sent to them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from pentad.web.messages import Outgoing

BACKLOG = 64  # messages that may wait for a slow reader


class Connection:
    """One line to a room; `person` is None for somebody who has no cookie and only watches."""

    def __init__(self, person: int | None = None, name: str = "") -> None:
        self.person, self.name = person, name
        self.flip = False
        self.shown: int | None = None  # the state that was sent last; None where nothing can be built on it
        self.errand: asyncio.Task[None] | None = None  # a hint or a warning that is being looked for
        self._waiting: deque[str] = deque()
        self._behind = False
        self._news = asyncio.Event()

    def send(self, message: Outgoing | str) -> None:
        """Queue a message, as it is or as it was written already.

        A reader who is too slow for them all is told how things stand once they read again.
        """
        if len(self._waiting) >= BACKLOG:
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append(message if isinstance(message, str) else message.model_dump_json())
        self._news.set()

    async def next(self, catch_up: Callable[[], str]) -> str:
        """The next message; `catch_up` gives one for a reader who has missed some."""
        await self._news.wait()
        if self._behind:
            self._behind = False
            message = catch_up()
        else:
            message = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return message

    def drop_errand(self) -> None:
        """Nobody needs what was being looked for any more."""
        if self.errand:
            self.errand.cancel()
            self.errand = None
