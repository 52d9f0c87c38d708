"""Request parsing: reads messages and explains the first error in them in one line; sessions over a socket."""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from pentad.game import GameError, shorten
from pentad.jobs.fair_queue import PlaceCallback

Message = TypeVar("Message")

LONGEST = 200  # characters of an error
BURST, A_SECOND = 60, 50.0  # messages that a socket may send at once, and per second
NOT_TEXT = 1003

_PARTS = ("body", "query", "path")  # of a request

# By the type of pydantic's error. The names in braces are the field and the bounds in the error's context.
_SENTENCES = {
    "missing": "Missing field {field}.",
    "extra_forbidden": "Unknown field {field}.",
    "string_too_long": "Expected at most {max_length:,} characters in {field}.",
    "string_too_short": "Expected at least {min_length:,} characters in {field}.",
    "too_long": "Expected at most {max_length:,} items in {field}.",
    "too_short": "Expected at least {min_length:,} items in {field}.",
    "greater_than_equal": "Expected {field} to be at least {ge:,}.",
    "greater_than": "Expected {field} to be more than {gt:,}.",
    "less_than_equal": "Expected {field} to be at most {le:,}.",
    "less_than": "Expected {field} to be less than {lt:,}.",
    "literal_error": "Expected {field} to be {expected}.",
    "string_type": "Expected {field} to be text.",
    "bool_type": "Expected {field} to be true or false.",
    "int_type": "Expected {field} to be a whole number.",
    "float_type": "Expected {field} to be a number.",
    "finite_number": "Expected {field} to be a number.",
    "list_type": "Expected {field} to be a list.",
    "dict_type": "Expected {field} to be an object.",
    "model_type": "Expected {field} to be an object.",
    "model_attributes_type": "Expected {field} to be an object.",
}


async def texts(socket: WebSocket) -> AsyncGenerator[str, None]:
    """The text messages of a socket until it closes; anything but text closes it.

    A client that sends too fast is slowed down.
    """
    spare, since = float(BURST), time.monotonic()
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        text = message.get("text")
        if text is None:
            await socket.close(NOT_TEXT, "Messages must be text.")
            return
        now = time.monotonic()
        spare, since = min(float(BURST), spare + (now - since) * A_SECOND) - 1, now
        if spare < 0:
            await asyncio.sleep(-spare / A_SECOND)
        yield text


def read_message(kinds: TypeAdapter[Message], text: str, longest: int) -> Message:
    """The message of one of these kinds in a text."""
    if len(text) > longest:
        raise GameError(f"Expected a message of at most {longest:,} characters, got {len(text):,}.")
    try:
        return kinds.validate_json(text)
    except ValidationError as error:
        raise GameError(f"Invalid message: {explain(error.errors(include_url=False))}") from None


def explain(findings: Sequence[Any]) -> str:
    """The first error.

    >>> explain([{"type": "missing", "loc": ("body", "text"), "msg": "Field required"}])
    'Missing field "text".'
    """
    first: Mapping[str, Any] = findings[0]
    loc = first["loc"]
    where = ".".join(map(str, loc[1:] if loc and loc[0] in _PARTS else loc))
    template = _SENTENCES.get(first["type"])
    if template:
        text = template.format(field=f'"{where}"' if where else "the message", **first.get("ctx", {}))
    else:
        text = f"{where}: {first['msg']}." if where else f"{first['msg']}."
    return shorten(text, LONGEST)


class SocketSession(ABC, Generic[Message]):
    """The requests of one client over its socket, in tasks by name, all of which end when the client leaves.

    An invalid message gets an error, with the fields of `about`, and changes nothing.
    """

    def __init__(self, socket: WebSocket, kinds: TypeAdapter[Message], longest: int, **about: Any) -> None:
        self._socket, self._kinds, self._longest, self._about = socket, kinds, longest, about
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
                    await self.follow(read_message(self._kinds, text, self._longest))
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
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # `serve` notices a lost connection
            async with self._lock:
                await self._socket.send_json(message)

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
