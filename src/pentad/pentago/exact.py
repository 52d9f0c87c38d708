"""Exact values: those stored in the configured slices, and the solver's."""

from __future__ import annotations

from pentad.pentago.memory import whole as megabytes
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import MissingSlice, configured
from pentad.pentago.solver import Solution, solve
from pentad.search.bot import deferred
from pentad.search.exact import DATABASE

__all__ = ["megabytes", "reports", "solve", "stored"]

OF_SLICES = {"rows": 2, "cols": 2, "block": 3, "players": 2, "line": 5, "win_on_placement": True}

reports = deferred("pentad.pentago.engine.analysis:solved")  # loads the engine when it is called


def stored(position: PentagoPosition) -> Solution | None:
    """The solution by the configured slices; without moves if they have the board and lack its results."""
    slices = configured()
    if slices is None or position.options != OF_SLICES:
        return None
    try:
        values = slices.values(position)
        return Solution(position, max(values.values()), values, how=DATABASE)
    except MissingSlice:
        pass
    try:
        return Solution(position, slices.value(position), how=DATABASE)
    except MissingSlice:
        return None
