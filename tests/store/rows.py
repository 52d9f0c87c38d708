"""Games and events to keep, where a test does not care which."""

from dataclasses import replace
from typing import Any

from pentad.store import Event, GameRow, SeatRow

SEATS = (SeatRow("human", name="Ada"), SeatRow("open"))


def game(name: str, **different: Any) -> GameRow:
    usual = GameRow(name, "pentago", "the start", {}, SEATS, {}, True, 1000.0, None, None, 1000.0, 0)
    return replace(usual, **different)


def event(number: int, **different: Any) -> Event:
    usual = Event(number, "play", number % 2, f"move {number}", 1000.0 + number, (300.0, 299.5))
    return replace(usual, **different)
