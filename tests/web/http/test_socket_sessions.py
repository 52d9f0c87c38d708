"""Sessions over a socket: their messages, and senders that are too fast."""

import asyncio
import contextlib
import time
from dataclasses import dataclass

import pytest

from pentad.game import GameError
from pentad.web.http import socket_sessions
from pentad.web.typed_json import Reader


@dataclass(frozen=True)
class Sent:
    text: str


def test_a_message_is_read_or_refused_in_one_line() -> None:
    reader = Reader[Sent](Sent)
    assert socket_sessions.read_message(reader, '{"text": "a"}', 20) == Sent("a")
    for text, expected in [
        ('{"text": 1}', 'Invalid message: Expected "text" to be text, got 1.'),
        ("x", "Invalid message: JSON, line 1, column 1: Expected a value."),
        ("x" * 21, "Expected a message of at most 20 characters, got 21."),
    ]:
        with pytest.raises(GameError) as refused:
            socket_sessions.read_message(reader, text, 20)
        assert str(refused.value) == expected


class Socket:
    """A socket that always has a message."""

    def __init__(self, *last: str | bytes | None) -> None:
        self.last = list(last)
        self.closed: tuple[int, str] | None = None

    async def accept(self) -> None: ...

    async def receive(self) -> str | bytes | None:
        return self.last.pop(0) if self.last else "x"

    async def send(self, text: str) -> None: ...

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self.closed = code, reason


def test_a_fast_sender_waits_and_blocks_nobody() -> None:
    async def flood(count: int) -> int:
        others = 0

        async def other() -> None:
            nonlocal others
            while True:
                await asyncio.sleep(0)
                others += 1

        going_on = asyncio.create_task(other())
        async with contextlib.aclosing(socket_sessions.texts(Socket())) as texts:
            async for _ in texts:
                count -= 1
                if not count:
                    break
        going_on.cancel()
        return others

    begun = time.monotonic()
    assert asyncio.run(flood(socket_sessions.BURST + 20)) > 20
    assert time.monotonic() - begun >= 19 / socket_sessions.A_SECOND


def test_a_closed_socket_ends_and_binary_data_closes_it() -> None:
    async def received(socket: Socket) -> list[str]:
        return [text async for text in socket_sessions.texts(socket)]

    assert asyncio.run(received(Socket("a", "a", None))) == ["a", "a"]
    binary = Socket("a", b"x")
    assert asyncio.run(received(binary)) == ["a"]
    assert binary.closed == (socket_sessions.NOT_TEXT, "Messages must be text.")
