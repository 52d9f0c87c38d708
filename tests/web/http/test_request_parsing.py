"""Request parsing: errors in words."""

import asyncio
import contextlib
import time
from typing import Annotated, Any, Literal, cast

import pytest
from fastapi import WebSocket
from pydantic import Field, ValidationError

from pentad.web.api import Model
from pentad.web.http import request_parsing
from tests.cases import together


class Inner(Model):
    name: str = ""


class Sent(Model):
    text: str = Field("abc", min_length=2, max_length=5000)
    parts: list[Annotated[int, Field(ge=1, le=9)]] = Field([1], min_length=1, max_length=3)
    share: float = Field(0.5, gt=0, lt=1, allow_inf_nan=False)
    yes: bool = True
    kind: Literal["one", "two"] = "one"
    tags: dict[str, str] = Field({})
    inner: Inner = Inner()


CASES: list[tuple[dict[str, Any], str]] = [
    ({"text": "x" * 5001}, 'Expected at most 5,000 characters in "text".'),
    ({"text": "x"}, 'Expected at least 2 characters in "text".'),
    ({"text": 5}, 'Expected "text" to be text.'),
    ({"parts": [1, 2, 3, 4]}, 'Expected at most 3 items in "parts".'),
    ({"parts": []}, 'Expected at least 1 items in "parts".'),
    ({"parts": 3}, 'Expected "parts" to be a list.'),
    ({"parts": [1, 0]}, 'Expected "parts.1" to be at least 1.'),
    ({"parts": [10]}, 'Expected "parts.0" to be at most 9.'),
    ({"parts": ["a"]}, 'Expected "parts.0" to be a whole number.'),
    ({"share": 0}, 'Expected "share" to be more than 0.0.'),
    ({"share": 1}, 'Expected "share" to be less than 1.0.'),
    ({"share": float("nan")}, 'Expected "share" to be a number.'),
    ({"share": "a"}, 'Expected "share" to be a number.'),
    ({"yes": 1}, 'Expected "yes" to be true or false.'),
    ({"kind": "three"}, "Expected \"kind\" to be 'one' or 'two'."),
    ({"tags": 3}, 'Expected "tags" to be an object.'),
    ({"inner": 3}, 'Expected "inner" to be an object.'),
    ({"inner": {"name": "x", "other": 1}}, 'Unknown field "inner.other".'),
]


@together(("sent", "words"), CASES)
def test_each_error_has_a_sentence(sent: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Sent.model_validate(sent)
    assert request_parsing.explain(caught.value.errors()) == words


def test_other_errors_keep_their_text_up_to_a_length() -> None:
    text = request_parsing.explain([{"type": "odd", "loc": ("body", "x"), "msg": "no " * 1000}])
    assert text.startswith("x: no no")
    assert len(text) <= request_parsing.LONGEST


class Socket:
    """A socket that always has a message."""

    def __init__(self, *last: dict[str, Any]) -> None:
        self.last = list(last)
        self.closed: tuple[int, str] | None = None

    async def receive(self) -> dict[str, Any]:
        return self.last.pop(0) if self.last else {"type": "websocket.receive", "text": "x"}

    async def close(self, code: int, why: str) -> None:
        self.closed = code, why


def test_a_fast_sender_waits_and_blocks_nobody() -> None:
    async def flood(count: int) -> int:
        others = 0

        async def other() -> None:
            nonlocal others
            while True:
                await asyncio.sleep(0)
                others += 1

        going_on = asyncio.create_task(other())
        async with contextlib.aclosing(request_parsing.texts(cast(WebSocket, Socket()))) as texts:
            async for _ in texts:
                count -= 1
                if not count:
                    break
        going_on.cancel()
        return others

    begun = time.monotonic()
    assert asyncio.run(flood(request_parsing.BURST + 20)) > 20
    assert time.monotonic() - begun >= 19 / request_parsing.A_SECOND


def test_a_closed_socket_ends_and_binary_data_closes_it() -> None:
    async def received(socket: Socket) -> list[str]:
        return [text async for text in request_parsing.texts(cast(WebSocket, socket))]

    text, gone = {"type": "websocket.receive", "text": "a"}, {"type": "websocket.disconnect"}
    assert asyncio.run(received(Socket(text, text, gone))) == ["a", "a"]
    binary = Socket(text, {"type": "websocket.receive", "bytes": b"x"})
    assert asyncio.run(received(binary)) == ["a"]
    assert binary.closed == (request_parsing.NOT_TEXT, "Messages must be text.")
