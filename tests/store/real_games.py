"""Games of Pentago that the rules can replay, a study, and what a database has of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sqlalchemy

from pentad.game import new
from pentad.record import Record
from pentad.store import Store
from pentad.store.database import DatabaseLocation
from pentad.store.rows import ChapterRow, EventRow, GameRow, PendingTurn, SeatRow, StudyRow
from pentad.store.schema import metadata
from pentad.store.studies import Studies

Tables = dict[str, list[Any]]
MOVES = 4


async def play(store: Store, name: str, moves: int = MOVES) -> None:
    """Adds a game, and plays the first legal move again and again."""
    position = new("pentago")
    seats = (SeatRow("human", name="Ada"), SeatRow("human", name="Bea"))
    times = {"created": 1000.0, "touched": 1000.0, "time": {}}
    await store.add_game(
        GameRow(name, "pentago", position.text, {}, seats, listed=True, again=None, result=None, moves=0, **times)
    )
    for number in range(moves):
        move, seat = position.legal_moves[0], position.turn
        position = position.play(move)
        event = EventRow(number, "play", seat, str(move), 1000.0 + number, ())
        await store.add_event(name, event, moves=number + 1, turn=PendingTurn(position.turn))


async def _add(store: Store, names: Iterable[str]) -> None:
    for name in names:
        await play(store, name)
    chapter = ChapterRow(1, 1, "Chapter 1", Record(new("pentago")).text, 1000.0)
    await Studies(store).add(StudyRow("s", b"hash", "A study", 1000.0), [chapter])


def make(url: str, games: int = 2) -> None:
    """A database with games `g0`, `g1` … and a study `s`."""
    store = Store.open(url)
    asyncio.run(_add(store, [f"g{number}" for number in range(games)]))
    store.close()


def tables(url: str) -> Tables:
    """All rows of a database."""
    engine = DatabaseLocation(url).engine()
    with engine.connect() as connection:
        found = {
            table.name: list(connection.execute(sqlalchemy.select(table).order_by(*table.primary_key)))
            for table in metadata.sorted_tables
        }
    engine.dispose()
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
