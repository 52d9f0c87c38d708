"""Distances to the end, added to exact values if they are found quickly."""

from __future__ import annotations

from dataclasses import replace

from pentad.pentago.solver import CannotSolve, Solution, solve
from pentad.pentago.solver.retrograde import Progress
from pentad.search.exact import BOOK

SOON = 1.0  # the most seconds to find the distance to the end


def with_end(found: Solution, memory: int, progress: Progress | None = None) -> Solution:
    """Adds distances to the end to a solution, if they are found quickly."""
    if not found.value or found.how == BOOK:  # the ends of the book's positions are far away
        return found
    try:
        end = solve(found.position, moves=False, depth=True, seconds=SOON, memory=memory, progress=progress)
    except CannotSolve:
        return found
    return replace(found, turns=end.turns, distances=end.distances)
