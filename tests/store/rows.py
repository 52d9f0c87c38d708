"""Sample games and events."""

from dataclasses import replace
from typing import Any

from pentad.store.rows import EventRow, GameRow, SeatRow

SEATS = (SeatRow("human", name="Ada"), SeatRow("open"))


def game(name: str, **changes: Any) -> GameRow:
    default = GameRow(name, "pentago", "the start", {}, SEATS, {}, True, 1000.0, None, None, 1000.0, 0)
    return replace(default, **changes)


def event(number: int, **changes: Any) -> EventRow:
    default = EventRow(number, "play", number % 2, f"move {number}", 1000.0 + number, (300.0, 299.5))
    return replace(default, **changes)
