"""Writes of the store, as functions of the writer's attempt.

A repeated attempt (`again`) may find that an earlier one was committed, for example if the server was lost in the
middle of a commit. An identical row in the table then counts as success.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, bindparam, delete, distinct, exists, func, insert, not_, or_, select, update
from sqlalchemy.exc import IntegrityError

from pentad.store import row_codec
from pentad.store.rows import Conflict, Person, SeatRow, StoreError
from pentad.store.schema import chat_table, events, games, persons, ratings, sitters, solutions, unplayed
from pentad.store.writer import Attempt

Columns = row_codec.Columns
SWEEP_BATCH = 200

# The only place that admits an event: its number must be the game's count of events.
_ADVANCE = update(games).where(games.c.name == bindparam("of_game"), games.c.events == bindparam("so_far"))
_EVENT = insert(events)


def add_game(attempt: Attempt, *, row: Columns, seats: Sequence[SeatRow]) -> None:
    """Adds a game."""
    game = row["name"]
    # Events of the same commit may have changed the other columns.
    if attempt.again and _exists(attempt, games, {word: row[word] for word in ("name", "game", "start", "created")}):
        return
    if not _insert(attempt, games, row):
        raise Conflict(f"The game {game} already exists.")
    _add_sitters(attempt, game, seats)


def add_event(attempt: Attempt, *, event: Columns, changes: Columns, seats: Sequence[SeatRow] | None) -> None:
    """Adds the next event of a game, with its changes of the game."""
    game, number = event["game"], event["number"]
    moved = {"of_game": game, "so_far": number, "events": number + 1, "touched": event["at"], **changes}
    if attempt.connection.execute(_ADVANCE, moved).rowcount == 0:
        if attempt.again and _exists(attempt, events, event):
            return
        _refuse_event(attempt, game, number)
    attempt.connection.execute(_EVENT, event)
    if seats is not None:
        attempt.connection.execute(delete(sitters).where(sitters.c.game == game))
        _add_sitters(attempt, game, seats)


def _refuse_event(attempt: Attempt, game: str, number: int) -> None:
    count = attempt.connection.execute(select(games.c.events).where(games.c.name == game)).scalar_one_or_none()
    if count is None:
        raise _no_game(game)
    raise Conflict(f"Cannot save event {number} of the game {game}: the next one is {count}.")


def _add_sitters(attempt: Attempt, game: str, seats: Sequence[SeatRow]) -> None:
    persons_at = [
        {"game": game, "seat": seat, "person": row.person} for seat, row in enumerate(seats) if row.person is not None
    ]
    if not persons_at:
        return
    try:
        with attempt.connection.begin_nested():
            attempt.connection.execute(insert(sitters), persons_at)
    except IntegrityError:
        raise StoreError(f"The game {game} has an unknown person.") from None


def set_turn(attempt: Attempt, *, game: str, number: int, columns: Columns) -> None:
    """Sets whose turn it is in a game, unless the game has more events by now."""
    same = (games.c.name == game, games.c.events == number)
    attempt.connection.execute(update(games).where(*same).values(**columns))


def add_chat_message(attempt: Attempt, *, row: Columns) -> None:
    """Adds a chat message to a game."""
    known = attempt.connection.execute(select(games.c.name).where(games.c.name == row["game"])).first()
    if known is None:
        raise _no_game(row["game"])
    if not (attempt.again and _exists(attempt, chat_table, row)) and not _insert(attempt, chat_table, row):
        raise Conflict(f"Chat message {row['number']} of the game {row['game']} already exists.")


def add_person(attempt: Attempt, *, key_hash: bytes, name: str) -> Person:
    """Adds a person."""
    same = {"key_hash": key_hash}
    if not (attempt.again and _exists(attempt, persons, same)) and not _insert(attempt, persons, same | {"name": name}):
        raise Conflict("A person with this key already exists.")
    return row_codec.person(attempt.connection.execute(select(persons).where(persons.c.key_hash == key_hash)).one())


def rename(attempt: Attempt, *, person: int, name: str) -> None:
    """Renames a person."""
    if attempt.connection.execute(update(persons).where(persons.c.id == person).values(name=name)).rowcount == 0:
        raise _no_person(person)


def rate(attempt: Attempt, *, row: Columns) -> None:
    """Sets a person's rating in a game."""
    same = (ratings.c.person == row["person"], ratings.c.game == row["game"])
    if attempt.connection.execute(update(ratings).where(*same).values(rating=row["rating"])).rowcount == 0:
        _insert_of_person(attempt, ratings, row)


def add_puzzle_attempt(attempt: Attempt, *, row: Columns) -> None:
    """Adds a person's attempt at a puzzle; a repeated write of the same attempt has no effect."""
    same = [solutions.c[word] == row[word] for word in ("person", "at", "puzzle")]
    if attempt.connection.execute(update(solutions).where(*same).values(right=row["right"])).rowcount == 0:
        _insert_of_person(attempt, solutions, row)


_PEOPLE = select(func.count(distinct(sitters.c.person))).where(sitters.c.game == games.c.name).scalar_subquery()
_INVITES = or_(games.c.open, _PEOPLE > 1)  # other people


def sweep(attempt: Attempt, *, before: float, invited: float) -> int:
    """Removes a batch of games without moves and without events since `before`; returns their count.

    Games with another person or an open seat are kept if they had an event since `invited`.
    """
    idle = select(games.c.name).where(
        unplayed, games.c.created < before, games.c.touched < before, or_(not_(_INVITES), games.c.touched < invited)
    )
    return attempt.connection.execute(delete(games).where(games.c.name.in_(idle.limit(SWEEP_BATCH)))).rowcount


def _insert(attempt: Attempt, table: Table, row: Columns) -> bool:
    """Inserts the row; returns whether its key was free."""
    try:
        with attempt.connection.begin_nested():
            attempt.connection.execute(insert(table), row)
    except IntegrityError:
        return False
    return True


def _insert_of_person(attempt: Attempt, table: Table, row: Columns) -> None:
    if not _insert(attempt, table, row):
        raise _no_person(row["person"])


def _exists(attempt: Attempt, table: Table, row: Columns) -> bool:
    columns: list[Any] = [table.c[word].is_not_distinct_from(value) for word, value in row.items()]
    return attempt.connection.execute(select(exists().where(*columns))).scalar_one()


def _no_game(game: str) -> StoreError:
    return StoreError(f"Unknown game {game}.")


def _no_person(person: int) -> StoreError:
    return StoreError(f"Unknown person {person}.")
