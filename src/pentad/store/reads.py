"""Queries of the store, as functions of a reader's connection."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, case, desc, exists, func, literal, select, tuple_

from pentad.store import row_codec
from pentad.store.rows import ChatMessage, Cursor, Event, GameRow, Person, PuzzleAttempt
from pentad.store.schema import chat_table, events, games, persons, ratings, sitters, solutions, to_be_joined


def game(connection: Connection, name: str) -> tuple[GameRow, list[Event]] | None:
    """A game and its events."""
    row = connection.execute(select(games).where(games.c.name == name)).first()
    if row is None:
        return None
    found = connection.execute(select(events).where(events.c.game == name).order_by(events.c.number))
    return row_codec.game(row), [row_codec.event(each) for each in found]


def chat(connection: Connection, name: str) -> list[ChatMessage]:
    """A game's chat."""
    found = connection.execute(select(chat_table).where(chat_table.c.game == name).order_by(chat_table.c.number))
    return [row_codec.chat_message(each) for each in found]


def person(connection: Connection, key_hash: bytes) -> Person | None:
    """The person whose key has this hash."""
    row = connection.execute(select(persons).where(persons.c.key_hash == key_hash)).first()
    return None if row is None else row_codec.person(row)


NEVER = 1e300  # the deadline of a seat without a clock

_MINE, _OTHERS = sitters.alias(), sitters.alias()


def games_of(connection: Connection, person: int, limit: int, after: Cursor | None) -> list[tuple[GameRow, Cursor]]:
    """The games of a person, in the order of `Store.games_of`."""
    is_mine = exists().where(_MINE.c.game == games.c.name, _MINE.c.person == person, _MINE.c.seat == games.c.turn)
    has_others = exists().where(_OTHERS.c.game == games.c.name, _OTHERS.c.person != person)
    group = case((games.c.result.is_not(None), 3), (and_(is_mine, has_others), 0), (is_mine, 1), else_=2)
    order = (group, func.coalesce(games.c.due, NEVER), -games.c.touched, games.c.name)
    found = select(games, *(column.label(f"by_{i}") for i, column in enumerate(order))).where(_of(person))
    if after is not None:
        found = found.where(tuple_(*order) > tuple_(*map(literal, after)))
    rows = connection.execute(found.order_by(*order).limit(limit))
    return [(row_codec.game(each), Cursor(*each[-len(order) :])) for each in rows]


def without_turn(connection: Connection, person: int, limit: int) -> list[str]:
    """A person's unfinished games whose turn is unknown."""
    unknown = games.c.turn.is_(None) & games.c.result.is_(None)
    found = select(games.c.name).where(_of(person), unknown).order_by(desc(games.c.touched)).limit(limit)
    return list(connection.execute(found).scalars())


def _of(person: int) -> ColumnElement[bool]:
    return games.c.name.in_(select(sitters.c.game).where(sitters.c.person == person))


def open_games(connection: Connection, limit: int) -> list[GameRow]:
    """The listed games with an open seat, the newest first."""
    found = select(games).where(to_be_joined).order_by(desc(games.c.created), games.c.name).limit(limit)
    return [row_codec.game(each) for each in connection.execute(found)]


def rating(connection: Connection, person: int, game: str) -> float | None:
    """A person's rating in a game."""
    theirs = select(ratings.c.rating).where(ratings.c.person == person, ratings.c.game == game)
    return connection.execute(theirs).scalar_one_or_none()


def puzzle_attempts(connection: Connection, person: int, limit: int) -> list[PuzzleAttempt]:
    """A person's puzzle attempts, the last one first."""
    theirs = select(solutions).where(solutions.c.person == person)
    found = theirs.order_by(desc(solutions.c.at), solutions.c.puzzle).limit(limit)
    return [PuzzleAttempt(each.puzzle, each.right, each.at) for each in connection.execute(found)]
