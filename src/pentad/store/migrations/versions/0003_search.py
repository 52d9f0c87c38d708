"""Winners of a game, and the names of each person's opponents, by which games are searched."""

from __future__ import annotations

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_SCORE = re.compile(r"(?:0|1|1/[0-9]+)(?:-(?:0|1|1/[0-9]+)){0,30}")


def upgrade() -> None:
    """Adds the columns, and fills them from the seats and the results."""
    op.add_column("games", sa.Column("winners", sa.Integer))
    op.add_column("sitters", sa.Column("opponents", sa.Text, nullable=False, server_default=""))
    games = sa.table("games", *map(sa.column, ("name", "seats", "result", "winners")))
    sitters = sa.table("sitters", *map(sa.column, ("game", "seat", "person", "opponents")))
    connection = op.get_bind()
    scores = connection.execute(sa.select(games.c.result).where(games.c.result.is_not(None)).distinct())
    for (result,) in scores.all():
        if _SCORE.fullmatch(result):
            change = sa.update(games).where(games.c.result == result).values(winners=_winners(result))
            connection.execute(change)
    seats_of = sa.select(sitters.c.game, sitters.c.seat, sitters.c.person, games.c.seats).join_from(
        sitters, games, sitters.c.game == games.c.name
    )
    change = (
        sa.update(sitters)
        .where(sitters.c.game == sa.bindparam("of_game"), sitters.c.seat == sa.bindparam("at_seat"))
        .values(opponents=sa.bindparam("names"))
    )
    filled = [
        {"of_game": game, "at_seat": seat, "names": _opponents(json.loads(seats), person)}
        for game, seat, person, seats in connection.execute(seats_of)
    ]
    if filled:
        connection.execute(change, filled)


def _winners(result: str) -> int:
    parts = result.split("-")
    return 0 if len(set(parts)) == 1 else sum(1 << seat for seat, part in enumerate(parts) if part != "0")


def _opponents(seats: list[tuple[str, int | None, str]], person: int) -> str:
    return "\n".join(" ".join(_name(who, name).casefold().split()) for who, at, name in seats if at != person)


def _name(who: str, name: str) -> str:
    if who == "open":
        return "open seat"
    if who == "human":
        return name or "player"
    bot, _, level = who.partition("@")
    return " ".join(filter(None, ["computer,", f"level {level}" if level else "", bot, name]))
