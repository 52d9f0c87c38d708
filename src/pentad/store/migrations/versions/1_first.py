"""First tables: persons, games with their events, sitters and chat, studies, ratings, puzzle attempts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def _of_game() -> sa.Column[str]:
    return sa.Column("game", sa.String(40), sa.ForeignKey("games.name", ondelete="CASCADE"), primary_key=True)


def _of_person() -> sa.Column[int]:
    return sa.Column("person", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "persons",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key_hash", sa.LargeBinary(64), nullable=False, unique=True),
        sa.Column("name", sa.String(80), nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("again", sa.String(40)),
        sa.Column("result", sa.String(400)),
        sa.Column("touched", sa.Double, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("played", sa.Boolean, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer),
        sa.Column("due", sa.Double),
        sa.Column("winners", sa.Integer),
    )
    # SQLite uses a partial index only if a query has the same condition, word for word.
    op.create_index(
        "games_to_be_joined",
        "games",
        ["created"],
        sqlite_where=sa.text("listed = 1 AND open = 1 AND result IS NULL"),
        postgresql_where=sa.text("listed AND open AND result IS NULL"),
    )
    op.create_index(
        "games_unplayed",
        "games",
        ["created"],
        sqlite_where=sa.text("played = 0"),
        postgresql_where=sa.text("NOT played"),
    )
    has_result = sa.text("result IS NOT NULL")
    op.create_index(
        "games_finished", "games", ["game", "created"], sqlite_where=has_result, postgresql_where=has_result
    )
    op.create_table(
        "events",
        _of_game(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("clocks", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sitters",
        _of_game(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
        sa.Column("opponents", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("sitters_by_person", "sitters", ["person"])
    op.create_table(
        "chat",
        _of_game(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "studies",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("edit_hash", sa.LargeBinary(64), nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("next", sa.Integer, nullable=False),
    )
    op.create_table(
        "chapters",
        sa.Column("study", sa.String(40), sa.ForeignKey("studies.name", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("touched", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        _of_person(),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("rating", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "attempts",
        _of_person(),
        sa.Column("at", sa.Double, primary_key=True),
        sa.Column("puzzle", sa.String(80), primary_key=True),
        sa.Column("right", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
