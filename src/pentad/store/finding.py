"""What can be read, each as a function over a reader's connection."""

from __future__ import annotations

from sqlalchemy import Connection, desc, select

from pentad.store import coding
from pentad.store.rows import Event, GameRow, Person, Said, Solved
from pentad.store.schema import events, games, persons, ratings, sitters, solutions, talk, to_be_joined


def game(connection: Connection, name: str) -> tuple[GameRow, list[Event]] | None:
    """A game and all that happened in it."""
    row = connection.execute(select(games).where(games.c.name == name)).first()
    if row is None:
        return None
    found = connection.execute(select(events).where(events.c.game == name).order_by(events.c.number))
    return coding.game(row), [coding.event(each) for each in found]


def said(connection: Connection, name: str) -> list[Said]:
    """All that was said beside a game."""
    found = connection.execute(select(talk).where(talk.c.game == name).order_by(talk.c.number))
    return [coding.said(each) for each in found]


def person(connection: Connection, key_hash: bytes) -> Person | None:
    """The person whose key has this hash."""
    row = connection.execute(select(persons).where(persons.c.key_hash == key_hash)).first()
    return None if row is None else coding.person(row)


def games_of(connection: Connection, person: int, limit: int) -> list[GameRow]:
    """The games that a person sits in, the one touched last first."""
    theirs = select(sitters.c.game).where(sitters.c.person == person)
    found = select(games).where(games.c.name.in_(theirs)).order_by(desc(games.c.touched), games.c.name).limit(limit)
    return [coding.game(each) for each in connection.execute(found)]


def open_games(connection: Connection, limit: int) -> list[GameRow]:
    """The listed games where somebody may still sit down, the newest first."""
    found = select(games).where(to_be_joined).order_by(desc(games.c.created), games.c.name).limit(limit)
    return [coding.game(each) for each in connection.execute(found)]


def rating(connection: Connection, person: int, game: str) -> float | None:
    """A person's rating in a game."""
    theirs = select(ratings.c.rating).where(ratings.c.person == person, ratings.c.game == game)
    return connection.execute(theirs).scalar_one_or_none()


def solved(connection: Connection, person: int, limit: int) -> list[Solved]:
    """The puzzles that a person has tried, the last one first."""
    theirs = select(solutions).where(solutions.c.person == person)
    found = theirs.order_by(desc(solutions.c.at), solutions.c.puzzle).limit(limit)
    return [Solved(each.puzzle, each.right, each.at) for each in connection.execute(found)]
