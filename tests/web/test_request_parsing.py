"""What is wrong with what was sent, in words."""

import asyncio
import contextlib
import time
from typing import Annotated, Any, Literal, cast

import pytest
from fastapi import WebSocket
from pydantic import Field, ValidationError

from pentad.web import request_parsing
from pentad.web.api import Model


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
    ({"text": "x" * 5001}, "text has at most 5,000 characters"),
    ({"text": "x"}, "text has at least 2 characters"),
    ({"text": 5}, "text is a text"),
    ({"parts": [1, 2, 3, 4]}, "parts has at most 3 parts"),
    ({"parts": []}, "parts has at least 1 parts"),
    ({"parts": 3}, "parts is a list"),
    ({"parts": [1, 0]}, "parts.1 is at least 1"),
    ({"parts": [10]}, "parts.0 is at most 9"),
    ({"parts": ["a"]}, "parts.0 is a whole number"),
    ({"share": 0}, "share is more than 0.0"),
    ({"share": 1}, "share is less than 1.0"),
    ({"share": float("nan")}, "share is a number"),
    ({"share": "a"}, "share is a number"),
    ({"yes": 1}, "yes is true or false"),
    ({"kind": "three"}, "kind is 'one' or 'two'"),
    ({"tags": 3}, "tags is an object"),
    ({"inner": 3}, "inner is an object"),
    ({"inner": {"name": "x", "other": 1}}, "inner.other is not known here"),
]


@pytest.mark.parametrize(("sent", "words"), CASES)
def test_each_finding_has_its_words(sent: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Sent.model_validate(sent)
    assert request_parsing.explain(caught.value.errors()) == words


def test_other_findings_are_told_as_they_are_and_never_at_length() -> None:
    told = request_parsing.explain([{"type": "odd", "loc": ("body", "x"), "msg": "no " * 1000}])
    assert told.startswith("x: no no")
    assert len(told) <= request_parsing.LONGEST


class Line:
    """A line that brings something whenever it is asked."""

    def __init__(self, *last: dict[str, Any]) -> None:
        self.last = list(last)
        self.closed: tuple[int, str] | None = None

    async def receive(self) -> dict[str, Any]:
        return self.last.pop(0) if self.last else {"type": "websocket.receive", "text": "x"}

    async def close(self, code: int, why: str) -> None:
        self.closed = code, why


def test_who_sends_more_than_a_person_can_waits_and_lets_others_go_on() -> None:
    async def flood(count: int) -> int:
        others = 0

        async def other() -> None:
            nonlocal others
            while True:
                await asyncio.sleep(0)
                others += 1

        going_on = asyncio.create_task(other())
        async with contextlib.aclosing(request_parsing.texts(cast(WebSocket, Line()))) as texts:
            async for _ in texts:
                count -= 1
                if not count:
                    break
        going_on.cancel()
        return others

    begun = time.monotonic()
    assert asyncio.run(flood(request_parsing.BURST + 20)) > 20
    assert time.monotonic() - begun >= 19 / request_parsing.A_SECOND


def test_a_line_ends_when_it_closes_and_is_closed_for_what_is_no_text() -> None:
    async def heard(line: Line) -> list[str]:
        return [text async for text in request_parsing.texts(cast(WebSocket, line))]

    text, gone = {"type": "websocket.receive", "text": "a"}, {"type": "websocket.disconnect"}
    assert asyncio.run(heard(Line(text, text, gone))) == ["a", "a"]
    binary = Line(text, {"type": "websocket.receive", "bytes": b"x"})
    assert asyncio.run(heard(binary)) == ["a"]
    assert binary.closed == (request_parsing.NOT_TEXT, "messages are text")
