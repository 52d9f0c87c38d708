"""Why games are over: a resignation, the time, an agreement, or what is on the board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"

# What ended a game is the last of its events of these kinds; others, such as an offer, do not change it.
_CHANGES = ("play", "simpler", "undo", "redo", "resign", "flag", "drawn")
_REASONS = {"resign": "resigned", "flag": "out of time", "drawn": "agreed"}


def upgrade() -> None:
    """Adds the column, with the reasons that are events; those on boards stay unknown, since no rules are here."""
    op.add_column("games", sa.Column("reason", sa.String(200)))
    changes = ", ".join(f"'{kind}'" for kind in _CHANGES)
    last = f"SELECT max(number) FROM events WHERE game = games.name AND kind IN ({changes})"
    for kind, reason in _REASONS.items():
        is_last = f"EXISTS (SELECT 1 FROM events WHERE game = games.name AND kind = '{kind}' AND number = ({last}))"
        op.execute(f"UPDATE games SET reason = '{reason}' WHERE result IS NOT NULL AND {is_last}")
