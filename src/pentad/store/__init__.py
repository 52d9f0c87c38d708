"""The store: a server's games, players, chat and ratings, in SQLite or PostgreSQL; `rows` has their values."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pentad.system.words import phrase

if TYPE_CHECKING:
    from pentad.store.server_lock import Claim as Claim
    from pentad.store.server_lock import Claimed as Claimed
    from pentad.store.store import Store as Store

_MODULES = {"Claim": "server_lock", "Claimed": "server_lock", "Store": "store"}


def __getattr__(name: str) -> Any:
    """Imports the database's modules when they are needed: `rows` alone has no database."""
    if name not in _MODULES:
        raise AttributeError(phrase("module {name!r} has no attribute {attribute!r}", name=__name__, attribute=name))
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
