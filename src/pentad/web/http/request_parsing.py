"""Request parsing: reads messages and explains the first error in them in one line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, TypeVar

from fastapi import WebSocket
from pydantic import TypeAdapter, ValidationError

from pentad.game import GameError, shorten

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
