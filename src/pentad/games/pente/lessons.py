"""Goals of the lesson: captures, and safety from them."""

from __future__ import annotations

from pentad.game import Move
from pentad.games.pente.rules import PentePosition


def takes(before: PentePosition, move: Move, after: PentePosition) -> bool:
    """Whether the player who moved has captured stones."""
    return _taken(after, before.turn) > _taken(before, before.turn)


def _taken(here: PentePosition, seat: int) -> int:
    return here.taken[seat ^ here.swapped]


def safe(before: PentePosition, move: Move, after: PentePosition) -> bool:
    """Whether the opponent cannot capture anything."""
    return not any(takes(after, reply, after.play(reply)) for reply in after.legal_moves)


GOALS = {each.__name__: each for each in (takes, safe)}
