"""What a person has in all tables: given another name, moved to another person, or left without a person.

The functions change the database within a transaction of the caller's. A new table that refers to persons belongs here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Column, Connection, delete, exists, insert, select, update

from pentad.store import quotas
from pentad.store.game_search import sitter_rows
from pentad.store.quotas import Share
from pentad.store.rows import SeatRow, seat_columns
from pentad.store.schema import (
    attempts,
    bans,
    chat_table,
    events,
    games,
    persons,
    ratings,
    relations,
    reports,
    sitters,
    studies,
)
from pentad.store.studies import remove_studies

DELETED = "Deleted player"

ChangeSeat = Callable[[SeatRow], SeatRow]


def rename(connection: Connection, person: int, name: str) -> None:
    """Gives a person another name, in all their games and chats, too."""
    connection.execute(update(persons).where(persons.c.id == person).values(name=name))
    _change_seats(connection, person, lambda seat: replace(seat, name=name))
    _change_chat(connection, person, person, name)


def move(connection: Connection, old: int, new: int, name: str) -> None:
    """Moves what a person has to another one of this name, and removes the first.

    A game in which both play keeps its seats. Of two ratings in a game the second person's stays.
    """
    _change_chat(connection, old, new, name)
    _change_seats(connection, old, lambda seat: replace(seat, person=new, name=name))
    quotas.move(connection, Share.of_person(old), Share.of_person(new))
    connection.execute(update(studies).where(studies.c.person == old).values(person=new))
    connection.execute(delete(relations).where(relations.c.person.in_((old, new)), relations.c.other.in_((old, new))))
    for column in (ratings.c.person, attempts.c.person, relations.c.person, relations.c.other):
        _hand_over(connection, column, old, new)
    for column in (bans.c.person, reports.c.reporter, reports.c.about):
        connection.execute(update(column.table).where(column == old).values({column.name: new}))
    connection.execute(delete(persons).where(persons.c.id == old))  # its sessions, and the rows that stay behind


def _hand_over(connection: Connection, column: Column[int], old: int, new: int) -> None:
    """Gives a person the rows in which a part of the key names another one, unless there is a row of that key."""
    table = column.table
    other = table.alias()
    rest = [other.c[each.name] == each for each in table.primary_key if each.name != column.name]
    is_taken = exists().where(other.c[column.name] == new, *rest)
    connection.execute(update(table).where(column == old, ~is_taken).values({column.name: new}))


def erase(connection: Connection, person: int) -> list[str]:
    """Removes a person with all that is theirs alone; their games stay. Returns the names of the studies removed."""
    _change_chat(connection, person, None, DELETED)
    # The event of a seat has the name with which they sat down.
    seated = (sitters.c.game == events.c.game, sitters.c.seat == events.c.seat, sitters.c.person == person)
    connection.execute(update(events).where(events.c.kind == "sit", exists().where(*seated)).values(body=DELETED))
    _change_seats(connection, person, lambda seat: replace(seat, person=None, name=DELETED))
    names = list(connection.execute(select(studies.c.name).where(studies.c.person == person)).scalars())
    remove_studies(connection, names)
    connection.execute(delete(persons).where(persons.c.id == person))
    return names


def _change_seats(connection: Connection, person: int, change: ChangeSeat) -> None:
    """Changes the seats of a person in all their games."""
    theirs = games.c.name.in_(select(sitters.c.game).where(sitters.c.person == person))
    for row in connection.execute(select(games.c.name, games.c.seats).where(theirs)).all():
        seats = [SeatRow(*seat) for seat in json.loads(row.seats)]
        seats = [change(seat) if seat.person == person else seat for seat in seats]
        connection.execute(update(games).where(games.c.name == row.name).values(**seat_columns(seats)))
        connection.execute(delete(sitters).where(sitters.c.game == row.name))
        if sitting := sitter_rows(row.name, seats):
            connection.execute(insert(sitters), sitting)


def _change_chat(connection: Connection, person: int, author: int | None, name: str) -> None:
    """Gives a person's chat messages another author; a message from before authors were stored has that of its seat."""
    seated = (sitters.c.game == chat_table.c.game, sitters.c.seat == chat_table.c.seat, sitters.c.person == person)
    connection.execute(
        update(chat_table)
        .where(chat_table.c.person.is_(None), chat_table.c.text != "", exists().where(*seated))
        .values(name=name)
    )
    theirs = chat_table.c.person == person
    connection.execute(update(chat_table).where(theirs, chat_table.c.text != "").values(name=name))
    if author != person:
        connection.execute(update(chat_table).where(theirs).values(person=author))
