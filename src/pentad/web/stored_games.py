"""Check of what is in a database: games are replayed by their rules, sizes are added up, all else is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from pentad.game import GameError
from pentad.record import Record
from pentad.store import quotas
from pentad.store.backups import Inspected
from pentad.store.moderation import TABLES, check_rows
from pentad.store.rows import EventRow, GameRow, size_of
from pentad.store.schema import chapters, events, games, studies
from pentad.web.rooms.state import restored

USE = "storage"


class StoredThing(NamedTuple):
    """A game, a study, the sums for quotas or a table of moderation: its kind, its name, and what it consists of."""

    kind: str
    name: str
    part: str


def stored_things(database: Inspected) -> list[StoredThing]:
    """All games, then all studies, then the sums for quotas and the tables of moderation."""
    with database.engine.connect() as connection, connection.begin():
        found = [
            StoredThing(kind, name, part)
            for kind, part, table in (("game", "move", games), ("study", "chapter", studies))
            for name in connection.execute(select(table.c.name).order_by(table.c.name)).scalars()
        ]
    return [*found, StoredThing(USE, "of quotas", "share"), *(StoredThing("table", name, "row") for name in TABLES)]


def check(database: Inspected, thing: StoredThing) -> int:
    """The number of its parts; 0 if it was removed meanwhile, `GameError` if it cannot be read or replayed."""
    try:
        with database.engine.connect() as connection, connection.begin():
            return _CHECKS[thing.kind](connection, thing.name)
    except GameError:
        raise
    except SQLAlchemyError as error:
        raise GameError(f"{database.location.why(error)}.") from None
    except Exception:  # the database may hold anything
        raise GameError("Its data is damaged.") from None


def _moves(connection: Connection, name: str) -> int:
    row = connection.execute(select(games).where(games.c.name == name)).first()
    if row is None:
        return 0
    of_game = select(events).where(events.c.game == name).order_by(events.c.number)
    stored = list(map(EventRow.of, connection.execute(of_game)))
    if [event.number for event in stored] != [*range(row.events)]:
        raise GameError("Expected {count} events, found {found}.", count=row.events, found=len(stored))
    state = restored(GameRow.of(row), stored, 0.0)
    if stored and (state.moves, state.score) != (row.moves, row.result):
        raise GameError(
            "Its events lead to {moves} moves and the result {score}, but {row_moves} and {result} are stored.",
            moves=state.moves,
            score=state.score or "none",
            row_moves=row.moves,
            result=row.result or "none",
        )
    reason = state.outcome.reason if state.outcome else None
    if row.reason not in (None, reason):
        raise GameError(
            "Its events lead to the reason {reason}, but {row_reason} is stored.",
            reason=reason or "none",
            row_reason=row.reason,
        )
    return state.moves


def _chapters(connection: Connection, name: str) -> int:
    found = connection.execute(select(chapters).where(chapters.c.study == name)).all()
    for chapter in found:
        Record.read(chapter.record)
    stored = connection.execute(select(studies.c.size).where(studies.c.name == name)).scalar()
    size = sum(size_of(chapter.title, chapter.record) for chapter in found)
    if stored not in (None, size):
        raise GameError("Its chapters have {size} bytes, but {stored} are stored.", size=size, stored=stored)
    return len(found)


def _use(connection: Connection, _: str) -> int:
    stored, counted = quotas.stored_use(connection), quotas.counted_use(connection)
    wrong = [share for share in stored.keys() | counted.keys() if stored.get(share) != counted.get(share)]
    if wrong:
        raise GameError("{count} of {all} persons and networks have other studies.", count=len(wrong), all=len(stored))
    return len(stored)


_CHECKS: dict[str, Callable[[Connection, str], int]] = {
    "game": _moves,
    "study": _chapters,
    USE: _use,
    "table": check_rows,
}
