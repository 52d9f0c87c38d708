"""The store: a server's games, players, chat and ratings, in SQLite or PostgreSQL; `rows` has their values."""

from pentad.store.server_lock import Claim, Claimed
from pentad.store.store import Store

__all__ = ["Claim", "Claimed", "Store"]
