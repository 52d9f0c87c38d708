"""Exact values for bots and analysis, from published slices or the solver."""

from __future__ import annotations

from dataclasses import replace

from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import CannotSolve, Solution, solve

SURE_FROM = 18  # marbles from which on the solver quickly finds every move's value
SOON = 1.0  # the most seconds to find the distance to the end


def exact_values(position: PentagoPosition, seconds: float | None, memory: int) -> Solution | None:
    """The values of all moves, with distances to the end if found quickly; None if they cannot be solved.

    `seconds` limits only boards with few marbles, most of which cannot be solved.
    """
    try:
        found = solve(position, seconds=None if position.ply >= SURE_FROM else seconds, memory=memory)
    except CannotSolve:
        return None
    return with_end(found, memory)


def with_end(found: Solution, memory: int) -> Solution:
    """Adds distances to the end to a solution, if they are found quickly."""
    if not found.value:
        return found
    position = found.position
    try:
        end = solve(position, moves=False, depth=True, seconds=SOON, memory=memory)
    except CannotSolve:
        return found
    return replace(found, turns=end.turns, distances=end.distances)
