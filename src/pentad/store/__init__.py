"""The store: the games of a server, those who play them and what was said there, in SQLite or PostgreSQL."""

from pentad.store.rows import (
    Conflict,
    Cursor,
    Event,
    GameRow,
    Keep,
    Person,
    Said,
    SeatRow,
    Solved,
    StoreError,
    Turn,
    keep,
)
from pentad.store.server_lock import Claim, Claimed
from pentad.store.store import Store

__all__ = [
    "Claim",
    "Claimed",
    "Conflict",
    "Cursor",
    "Event",
    "GameRow",
    "Keep",
    "Person",
    "Said",
    "SeatRow",
    "Solved",
    "Store",
    "StoreError",
    "Turn",
    "keep",
]
