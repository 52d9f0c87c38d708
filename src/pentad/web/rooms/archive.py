"""Archive: the opening trees of the finished games in the store, which are read a few at a time.

The moves of a person count once in each position, whatever the number of games, so that nobody decides the statistics
alone. A bot's moves are those of the persons that it plays with. Games among people who met by a link are left out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from pentad.game import GameError
from pentad.record.opening_tree import OpeningTree, Ply, plies_of
from pentad.store.rows import GameRow
from pentad.web.rooms.room import RoomEnvironment

log = logging.getLogger(__name__)

MAX_GAMES = 1000  # the latest games of each kind are read
GAMES_OF_REQUEST = 20  # a request waits until so many games are read


class OpeningsFound(NamedTuple):
    """The opening tree of the games read so far, their number, and the number of those that are still to be read."""

    tree: OpeningTree
    games: int
    waiting: int


class Archive:
    """The latest finished games of each kind, as opening trees in memory."""

    def __init__(self, world: RoomEnvironment, *, latest: int = MAX_GAMES, at_once: int = GAMES_OF_REQUEST) -> None:
        self._world, self._latest, self._at_once = world, latest, at_once
        self._trees: defaultdict[str, OpeningTree] = defaultdict(OpeningTree)
        # For each kind of game, the names of its games, and whether they could be read.
        self._seen: defaultdict[str, dict[str, bool]] = defaultdict(dict)
        # For each kind of game, the persons whose moves are counted, each with the key of the position.
        self._counted: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def tree(self, game: str) -> OpeningsFound:
        """The tree of a game, with some more games than before."""
        async with self._locks[game]:
            names = await self._world.store.finished_games(game, self._latest)
            if len(self._seen[game]) > 2 * self._latest:  # more than half of it is of older games
                del self._trees[game], self._seen[game], self._counted[game]
            seen = self._seen[game]
            waiting = [name for name in names if name not in seen]
            for name in waiting[: self._at_once]:
                seen[name] = await self._add(game, name)
            left = len(waiting[self._at_once :])
            return OpeningsFound(self._trees[game], sum(seen.values()), left)

    async def _add(self, game: str, name: str) -> bool:
        found = await self._world.store.game(name)
        if found is None:  # removed in the meantime
            return False
        try:
            history = await self._world.restored(*found)
            record = history.record
            plies = await asyncio.wrap_future(self._world.restoring.submit(partial(plies_of, record)))
            movers = [node.played[0].turn for node in record.main_line]
            self._trees[game].add(self._counted_once(found[0], plies, movers))
        except GameError as failed:
            log.warning("Cannot read game %s: %s", name, failed)
            return False
        return True

    def _counted_once(self, row: GameRow, plies: Sequence[Ply], movers: Sequence[int | None]) -> Iterator[Ply]:
        """The moves of a game that count."""
        people = {seat.person for seat in row.seats if seat.person is not None}
        counted = self._counted[row.game]
        for ply, seat in zip(plies, movers, strict=True):
            person = None if seat is None else row.seats[seat].person
            whose = {(each, ply.key) for each in (people if person is None else [person])}
            if not whose or whose - counted:
                counted |= whose
                yield ply
