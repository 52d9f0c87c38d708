"""What can be proved of a position in a moment, for whoever asks for a hint."""

from __future__ import annotations

import time

from pentad import native
from pentad.game import GameError, Move, Position
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import configured
from pentad.pentago.solver.retrograde import KERNELS, Limits
from pentad.pentago.solver.solve import Search, Solution

SECONDS = 2.0  # at most, whatever time there is
MEMORY = 1_000_000_000  # bytes
WIN, DRAW, LOSS = 1, 0, -1


def prove(position: Position, *, seconds: float | None = None) -> tuple[Move, str] | None:
    """A move, and what is proved of it: `wins in 3`; None where nothing is in so many seconds.

    Moves are one's own: the win comes with the third of them, whatever the other does.
    """
    assert isinstance(position, PentagoPosition)
    if position.outcome:
        return None
    native.program(KERNELS)  # which may have to be compiled, before the clock runs
    until = time.monotonic() + min(SECONDS if seconds is None else seconds, SECONDS)
    try:
        found = Search(position, all_moves=False, depth=True, limits=Limits(MEMORY, until)).found()
    except GameError:  # it cannot be solved, or not so soon
        return _looked_up(position)
    return found.best[0], _claim(found)


def _looked_up(position: PentagoPosition) -> tuple[Move, str] | None:
    """What the slices know that the user has pointed to, which is not how long it takes."""
    try:
        slices = configured()
        values = slices.values(position) if slices else {}
    except GameError:
        return None
    if not values:
        return None
    best = max(values, key=values.__getitem__)
    return best, {WIN: "wins", DRAW: "keeps the draw", LOSS: "loses, as all others do"}[values[best]]


def _claim(found: Solution) -> str:
    if found.value == DRAW or not found.turns:
        return "keeps the draw"
    moves = (found.turns + 1) // 2
    return f"wins in {moves}" if found.value == WIN else f"loses in {moves} at the latest"
