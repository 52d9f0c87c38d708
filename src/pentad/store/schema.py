"""The tables of the store as they are now; how they came to be so is in `migrations`."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    and_,
    not_,
)

from pentad.store.rows import MAX_KEY_BYTES, MAX_LENGTHS

HEAD = "0002"  # the last migration
VERSION_TABLE = "pentad_version"  # a name that says whose database this is

metadata = MetaData()


def _text(what: str) -> String:
    return String(MAX_LENGTHS[what])


def _of_game() -> Column[str]:
    return Column("game", _text("game name"), ForeignKey("games.name", ondelete="CASCADE"), primary_key=True)


def _of_person() -> Column[int]:
    return Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True)


persons = Table(
    "persons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key_hash", LargeBinary(MAX_KEY_BYTES), nullable=False, unique=True),
    Column("name", _text("name"), nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("name", _text("game name"), primary_key=True),
    Column("game", _text("game"), nullable=False),
    Column("start", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, as are seats and time
    Column("seats", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("again", _text("game name")),
    Column("result", _text("result")),
    Column("touched", Double, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("open", Boolean, nullable=False),  # whether somebody may still sit down
    Column("played", Boolean, nullable=False),  # whether there has been a move, even one that was taken back
    Column("events", Integer, nullable=False),  # how many there are, so the number of the next one
    Column("turn", Integer),  # the seat to move; NULL where the game is over, or this is not known
    Column("due", Double),  # when the time of that seat is over
)
# No index has `touched` in it, which changes with every move: PostgreSQL would have to write to all of them then.
to_be_joined = and_(games.c.listed, games.c.open, games.c.result.is_(None))
Index("games_to_be_joined", games.c.created, sqlite_where=to_be_joined, postgresql_where=to_be_joined)
unplayed = not_(games.c.played)
Index("games_unplayed", games.c.created, sqlite_where=unplayed, postgresql_where=unplayed)

events = Table(
    "events",
    metadata,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", _text("kind"), nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("clocks", Text, nullable=False),  # JSON
    sqlite_with_rowid=False,
)

# Which persons sit in which games: `games.seats` says it too, but cannot be searched.
sitters = Table(
    "sitters",
    metadata,
    _of_game(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    sqlite_with_rowid=False,
)
Index("sitters_by_person", sitters.c.person)

talk = Table(
    "talk",
    metadata,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("name", _text("name"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

ratings = Table(
    "ratings",
    metadata,
    _of_person(),
    Column("game", _text("game"), primary_key=True),
    Column("rating", Double, nullable=False),
    sqlite_with_rowid=False,
)

solutions = Table(
    "solutions",
    metadata,
    _of_person(),
    Column("at", Double, primary_key=True),
    Column("puzzle", _text("puzzle"), primary_key=True),
    Column("right", Boolean, nullable=False),
    sqlite_with_rowid=False,
)
