"""The store: a server's games, players, chat and ratings, in SQLite or PostgreSQL."""

from pentad.store.rows import (
    UNCHANGED,
    ChatMessage,
    Conflict,
    Cursor,
    Event,
    GameRow,
    Person,
    PuzzleAttempt,
    SeatRow,
    StoreError,
    Turn,
    Unchanged,
)
from pentad.store.server_lock import Claim, Claimed
from pentad.store.store import Store

__all__ = [
    "UNCHANGED",
    "ChatMessage",
    "Claim",
    "Claimed",
    "Conflict",
    "Cursor",
    "Event",
    "GameRow",
    "Person",
    "PuzzleAttempt",
    "SeatRow",
    "Store",
    "StoreError",
    "Turn",
    "Unchanged",
]
