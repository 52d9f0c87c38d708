"""Values of a position for the player to move, and distances to the end."""

from __future__ import annotations

WIN, DRAW, LOSS = 1, 0, -1
WORDS = {WIN: "win", DRAW: "draw", LOSS: "loss"}
VERBS = {WIN: "wins", DRAW: "draws", LOSS: "loses"}


def in_moves(turns: int) -> int:
    """Converts turns of both players to moves of one of them.

    >>> in_moves(1), in_moves(2), in_moves(7)
    (1, 1, 4)
    """
    return (turns + 1) // 2
