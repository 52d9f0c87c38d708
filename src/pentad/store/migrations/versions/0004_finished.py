"""Index of the finished games of each game, of which opening trees are made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds the index."""
    has_result = sa.text("result IS NOT NULL")
    op.create_index(
        "games_finished", "games", ["game", "created"], sqlite_where=has_result, postgresql_where=has_result
    )
