"""Places of chapters in their studies, so that their order can change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds the column, and fills it with the numbers of the chapters."""
    op.add_column("chapters", sa.Column("place", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE chapters SET place = number")
