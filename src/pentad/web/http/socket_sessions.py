"""Sessions over a socket: its messages, and the requests of its client as tasks."""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Generic, TypeVar

from pentad.game import GameError
from pentad.jobs.fair_queue import PlaceCallback
from pentad.web.http.exchange import Socket
from pentad.web.typed_json import Reader, written

Message = TypeVar("Message")

BURST, A_SECOND = 60, 50.0  # messages that a socket may send at once, and per second
NOT_TEXT = 1003


async def texts(socket: Socket) -> AsyncGenerator[str, None]:
    """The text messages of a socket until it closes; anything but text closes it.

    A client that sends too fast is slowed down.
    """
    spare, since = float(BURST), time.monotonic()
    while (message := await socket.receive()) is not None:
        if not isinstance(message, str):
            await socket.close(NOT_TEXT, "Messages must be text.")
            return
        now = time.monotonic()
        spare, since = min(float(BURST), spare + (now - since) * A_SECOND) - 1, now
        if spare < 0:
            await asyncio.sleep(-spare / A_SECOND)
        yield message


def read_message(reader: Reader[Message], text: str, longest: int) -> Message:
    """The message in a text."""
    if len(text) > longest:
        raise GameError(
            "Expected a message of at most {longest:,} characters, got {count:,}.", longest=longest, count=len(text)
        )
    try:
        return reader.text(text)
    except GameError as error:
        raise GameError("Invalid message: {error}", error=error) from None


class SocketSession(ABC, Generic[Message]):
    """The requests of one client over its socket, in tasks by name, all of which end when the client leaves.

    An invalid message gets an error, with the fields of `about`, and changes nothing.
    """

    def __init__(self, socket: Socket, reader: Reader[Message], longest: int, **about: Any) -> None:
        self._socket, self._reader, self._longest, self._about = socket, reader, longest, about
        self._lock = asyncio.Lock()  # sends one message at a time
        self.tasks: dict[str, asyncio.Task[None]] = {}

    @abstractmethod
    async def follow(self, message: Message) -> None:
        """Does what a message asks for."""

    async def serve(self) -> None:
        """Follows messages until the client leaves."""
        try:
            async for text in texts(self._socket):
                try:
                    await self.follow(read_message(self._reader, text, self._longest))
                except GameError as error:
                    await self.send(type="error", **self._about, error=str(error))
        finally:
            await self.end(*self.tasks)

    async def end(self, *names: str) -> None:
        """Cancels these tasks, and waits for their end."""
        tasks = [self.tasks.pop(name) for name in names if name in self.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def send(self, **message: Any) -> None:
        with contextlib.suppress(ConnectionError):  # `serve` notices a lost connection
            async with self._lock:
                await self._socket.send(written(message))

    @contextlib.asynccontextmanager
    async def sending_places(self, **about: Any) -> AsyncIterator[PlaceCallback]:
        """A callback that sends places in a queue to the client."""
        places: asyncio.Queue[int] = asyncio.Queue()

        async def send_places() -> None:
            while True:
                await self.send(type="waiting", **about, place=await places.get())

        sending = asyncio.create_task(send_places())
        try:
            yield places.put_nowait
        finally:
            sending.cancel()
