"""What can be proved of a position in a moment, for whoever asks for a hint."""

from __future__ import annotations

import time

from pentad import native
from pentad.game import GameError, Move, Position
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver.retrograde import KERNELS, Limits
from pentad.pentago.solver.solve import Search, Solution, by_database
from pentad.pentago.values import DRAW, WIN, in_moves

SECONDS = 2.0  # at most, whatever time there is
MEMORY = 1_000_000_000  # bytes


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
        looked_up = _looked_up(position)
        if looked_up is None:
            return None
        found = looked_up
    return found.best[0], _claim(found)


def _looked_up(position: PentagoPosition) -> Solution | None:
    """What slices know, if they can be read."""
    try:
        return by_database(position, moves=True)
    except GameError:
        return None


def _claim(found: Solution) -> str:
    if found.value == DRAW:
        return "keeps the draw"
    if found.turns is None:  # slices do not tell how long it takes
        return "wins" if found.value == WIN else "loses, as all others do"
    moves = in_moves(found.turns)
    return f"wins in {moves}" if found.value == WIN else f"loses in {moves} at the latest"
