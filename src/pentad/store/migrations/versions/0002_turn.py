"""Whose turn it is in a game, and until when. Games that are there already say so once somebody asks for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is in them is found out later."""
    op.add_column("games", sa.Column("turn", sa.Integer))
    op.add_column("games", sa.Column("due", sa.Double))


def downgrade() -> None:
    """Drop them again."""
    op.drop_column("games", "due")
    op.drop_column("games", "turn")
