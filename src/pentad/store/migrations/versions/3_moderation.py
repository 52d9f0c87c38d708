"""Moderation: operators, bans, the log of operators' actions, reports, notices, and who wrote each chat message."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "operators",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("token_hash", sa.LargeBinary(64), nullable=False, unique=True),
        sa.Column("made", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bans",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("person_hash", sa.LargeBinary(64)),
        sa.Column("network", sa.String(50)),
        sa.Column("until", sa.Double),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("operator", sa.String(80), nullable=False),
    )
    op.create_table(
        "actions",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("operator", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("until", sa.Double),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("reporter", sa.LargeBinary(64), nullable=False),
        sa.Column("place", sa.String(16), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("part", sa.Integer),
        sa.Column("chat", sa.Integer),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("about", sa.Integer, sa.ForeignKey("persons.id", ondelete="SET NULL")),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("done", sa.Double),
        sa.Column("operator", sa.String(80), nullable=False),
    )
    op.create_index("reports_about", "reports", ["about"])
    op.create_table(
        "notices",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("due", sa.Double),
        sqlite_with_rowid=False,
    )
    # SQLite can add a column with a foreign key, but alembic cannot tell it to.
    op.execute("ALTER TABLE chat ADD COLUMN person INTEGER REFERENCES persons (id)")
