"""Persons, sizes and visits of studies, and what persons and networks have together."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Adds the columns and tables; a study's year without a visit begins now."""
    # In words, because SQLite adds a column with a foreign key only so. A copy of the table would lose the chapters,
    # which are deleted with it.
    op.execute("ALTER TABLE studies ADD COLUMN person INTEGER REFERENCES persons (id)")
    op.add_column("studies", sa.Column("visited", sa.Double, nullable=False, server_default="0"))
    op.add_column("studies", sa.Column("size", sa.Integer, nullable=False, server_default="0"))
    op.create_index("studies_by_person", "studies", ["person"])
    op.create_index("studies_by_visit", "studies", ["visited"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    length_of = "length(CAST({} AS BLOB))" if is_sqlite else "octet_length({})"
    size = " + ".join(length_of.format(column) for column in ("title", "record"))
    total = f"(SELECT coalesce(sum({size}), 0) FROM chapters WHERE study = studies.name)"
    op.execute(sa.text(f"UPDATE studies SET visited = :now, size = {total}").bindparams(now=time.time()))
    op.create_table(
        "study_shares",
        sa.Column("study", sa.String(40), sa.ForeignKey("studies.name", ondelete="CASCADE"), primary_key=True),
        sa.Column("share", sa.LargeBinary(64), primary_key=True),
        sa.Column("times", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "storage_use",
        sa.Column("share", sa.LargeBinary(64), primary_key=True),
        sa.Column("studies", sa.Integer, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
