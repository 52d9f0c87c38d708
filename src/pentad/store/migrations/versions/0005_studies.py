"""Studies and their chapters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the tables."""
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
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("touched", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
