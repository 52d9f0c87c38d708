"""What the routes share: where games are kept, where bots think, and the rooms."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.store import Store
from pentad.web.engines import Engines
from pentad.web.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    store: Store
    engines: Engines
    rooms: Rooms
