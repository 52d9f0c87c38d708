"""What comes in from pages: read, or refused in one plain line that tells what is wrong in our own words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, TypeVar

from fastapi import WebSocket
from pydantic import TypeAdapter, ValidationError

from pentad.game import GameError, shorten

Message = TypeVar("Message")

LONGEST = 200  # letters
BURST, A_SECOND = 60, 50.0  # messages that a line may bring at once, and as a rule
NOT_TEXT = 1003

_PARTS = ("body", "query", "path")  # of a request

# Behind the name of a field; the names in brackets are what the finding tells of its bounds.
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_too_long": "has at most {max_length:,} characters",
    "string_too_short": "has at least {min_length:,} characters",
    "too_long": "has at most {max_length:,} parts",
    "too_short": "has at least {min_length:,} parts",
    "greater_than_equal": "is at least {ge:,}",
    "greater_than": "is more than {gt:,}",
    "less_than_equal": "is at most {le:,}",
    "less_than": "is less than {lt:,}",
    "literal_error": "is {expected}",
    "string_type": "is a text",
    "bool_type": "is true or false",
    "int_type": "is a whole number",
    "float_type": "is a number",
    "finite_number": "is a number",
    "list_type": "is a list",
    "dict_type": "is an object",
    "model_type": "is an object",
    "model_attributes_type": "is an object",
}


async def texts(socket: WebSocket) -> AsyncGenerator[str, None]:
    """The texts that a line brings until it closes; what is no text closes it.

    Whoever sends more than a person can must wait, so that nobody else has to.
    """
    spare, since = float(BURST), time.monotonic()
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        text = message.get("text")
        if text is None:
            await socket.close(NOT_TEXT, "messages are text")
            return
        now = time.monotonic()
        spare, since = min(float(BURST), spare + (now - since) * A_SECOND) - 1, now
        if spare < 0:
            await asyncio.sleep(-spare / A_SECOND)
        yield text


def read_message(kinds: TypeAdapter[Message], text: str, longest: int) -> Message:
    """The message of one of these kinds that a text holds."""
    if len(text) > longest:
        raise GameError(f"a message has at most {longest:,} characters, not {len(text):,}")
    try:
        return kinds.validate_json(text)
    except ValidationError as error:
        raise GameError(f"this is no message: {explain(error.errors(include_url=False))}") from None


def explain(findings: Sequence[Any]) -> str:
    """The first thing that is wrong.

    >>> explain([{"type": "missing", "loc": ("body", "text"), "msg": "Field required"}])
    'text is missing'
    """
    first: Mapping[str, Any] = findings[0]
    loc = first["loc"]
    where = ".".join(map(str, loc[1:] if loc and loc[0] in _PARTS else loc))
    words = _WORDS.get(first["type"])
    if words:
        told = f"{where or 'it'} {words.format(**first.get('ctx', {}))}"
    else:
        told = f"{where}: {first['msg']}" if where else str(first["msg"])
    return shorten(told, LONGEST)
