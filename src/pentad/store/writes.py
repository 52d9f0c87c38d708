"""What can be written, each as a function of the writer's attempt at it.

An attempt that is made `again` may find that an earlier one was committed without anyone being told, as when a
server is gone in the middle of a commit. What stands there already is then what was to be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, bindparam, delete, distinct, exists, func, insert, not_, or_, select, update
from sqlalchemy.exc import IntegrityError

from pentad.store import row_codec
from pentad.store.rows import Conflict, Person, SeatRow, StoreError
from pentad.store.schema import events, games, persons, ratings, sitters, solutions, talk, unplayed
from pentad.store.writer import Attempt

Columns = row_codec.Columns
SWEPT_AT_ONCE = 200

# The next event of a game is let in here, and nowhere else: its number must be how many there are.
_ADVANCE = update(games).where(games.c.name == bindparam("of_game"), games.c.events == bindparam("so_far"))
_EVENT = insert(events)


def add_game(attempt: Attempt, *, row: Columns, seats: Sequence[SeatRow]) -> None:
    """A new game."""
    game = row["name"]
    # Events of the same commit may have changed the rest of it.
    if attempt.again and _stands(attempt, games, {word: row[word] for word in ("name", "game", "start", "created")}):
        return
    if not _insert(attempt, games, row):
        raise Conflict(f"there is a game {game} already")
    _sit(attempt, game, seats)


def add_event(attempt: Attempt, *, event: Columns, changes: Columns, seats: Sequence[SeatRow] | None) -> None:
    """The next event of a game, and what it changes in the game."""
    game, number = event["game"], event["number"]
    moved = {"of_game": game, "so_far": number, "events": number + 1, "touched": event["at"], **changes}
    if attempt.connection.execute(_ADVANCE, moved).rowcount == 0:
        if attempt.again and _stands(attempt, events, event):
            return
        _refuse_event(attempt, game, number)
    attempt.connection.execute(_EVENT, event)
    if seats is not None:
        attempt.connection.execute(delete(sitters).where(sitters.c.game == game))
        _sit(attempt, game, seats)


def _refuse_event(attempt: Attempt, game: str, number: int) -> None:
    count = attempt.connection.execute(select(games.c.events).where(games.c.name == game)).scalar_one_or_none()
    if count is None:
        raise _no_game(game)
    raise Conflict(f"event {number} of the game {game} cannot be kept: the next one is {count}")


def _sit(attempt: Attempt, game: str, seats: Sequence[SeatRow]) -> None:
    persons_at = [
        {"game": game, "seat": seat, "person": row.person} for seat, row in enumerate(seats) if row.person is not None
    ]
    if not persons_at:
        return
    try:
        with attempt.connection.begin_nested():
            attempt.connection.execute(insert(sitters), persons_at)
    except IntegrityError:
        raise StoreError(f"the game {game} has a person at it whom the store does not know") from None


def set_turn(attempt: Attempt, *, game: str, number: int, columns: Columns) -> None:
    """Whose turn it is in a game, unless more has happened there meanwhile."""
    same = (games.c.name == game, games.c.events == number)
    attempt.connection.execute(update(games).where(*same).values(**columns))


def add_chat_message(attempt: Attempt, *, row: Columns) -> None:
    """Something said beside a game."""
    known = attempt.connection.execute(select(games.c.name).where(games.c.name == row["game"])).first()
    if known is None:
        raise _no_game(row["game"])
    if not (attempt.again and _stands(attempt, talk, row)) and not _insert(attempt, talk, row):
        raise Conflict(f"line {row['number']} of the talk at {row['game']} is taken")


def add_person(attempt: Attempt, *, key_hash: bytes, name: str) -> Person:
    """A new person."""
    same = {"key_hash": key_hash}
    if not (attempt.again and _stands(attempt, persons, same)) and not _insert(attempt, persons, same | {"name": name}):
        raise Conflict("there is a person with this key already")
    return row_codec.person(attempt.connection.execute(select(persons).where(persons.c.key_hash == key_hash)).one())


def rename(attempt: Attempt, *, person: int, name: str) -> None:
    """Another name for a person."""
    if attempt.connection.execute(update(persons).where(persons.c.id == person).values(name=name)).rowcount == 0:
        raise _no_person(person)


def rate(attempt: Attempt, *, row: Columns) -> None:
    """A person's rating in a game, instead of an earlier one."""
    same = (ratings.c.person == row["person"], ratings.c.game == row["game"])
    if attempt.connection.execute(update(ratings).where(*same).values(rating=row["rating"])).rowcount == 0:
        _insert_of_person(attempt, ratings, row)


def add_puzzle_attempt(attempt: Attempt, *, row: Columns) -> None:
    """A person's try at a puzzle; the same one twice is one."""
    same = [solutions.c[word] == row[word] for word in ("person", "at", "puzzle")]
    if attempt.connection.execute(update(solutions).where(*same).values(right=row["right"])).rowcount == 0:
        _insert_of_person(attempt, solutions, row)


_PEOPLE = select(func.count(distinct(sitters.c.person))).where(sitters.c.game == games.c.name).scalar_subquery()
_INVITES = or_(games.c.open, _PEOPLE > 1)  # somebody else


def sweep(attempt: Attempt, *, before: float, invited: float) -> int:
    """Remove some games that nobody has played in or touched since; how many that were.

    Those to which somebody else was invited go when nobody has touched them since then.
    """
    idle = select(games.c.name).where(
        unplayed, games.c.created < before, games.c.touched < before, or_(not_(_INVITES), games.c.touched < invited)
    )
    return attempt.connection.execute(delete(games).where(games.c.name.in_(idle.limit(SWEPT_AT_ONCE)))).rowcount


def _insert(attempt: Attempt, table: Table, row: Columns) -> bool:
    """Insert the row; whether its place was free."""
    try:
        with attempt.connection.begin_nested():
            attempt.connection.execute(insert(table), row)
    except IntegrityError:
        return False
    return True


def _insert_of_person(attempt: Attempt, table: Table, row: Columns) -> None:
    if not _insert(attempt, table, row):
        raise _no_person(row["person"])


def _stands(attempt: Attempt, table: Table, row: Columns) -> bool:
    columns: list[Any] = [table.c[word].is_not_distinct_from(value) for word, value in row.items()]
    return attempt.connection.execute(select(exists().where(*columns))).scalar_one()


def _no_game(game: str) -> StoreError:
    return StoreError(f"the store has no game {game}")


def _no_person(person: int) -> StoreError:
    return StoreError(f"the store has no person {person}")
