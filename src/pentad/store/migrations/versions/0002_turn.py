"""Turn and deadline of a game. Existing games get theirs when they are next loaded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the columns, empty."""
    op.add_column("games", sa.Column("turn", sa.Integer))
    op.add_column("games", sa.Column("due", sa.Double))
