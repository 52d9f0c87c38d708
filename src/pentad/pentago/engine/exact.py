"""Exact values for bots and analysis, as soon as they can be had: from the published slices at hand, or the solver."""

from __future__ import annotations

from dataclasses import replace

from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import CannotSolve, Solution, solve

SURE_FROM = 18  # marbles, from which on the solver knows every move's value in a moment
SOON = 1.0  # seconds, at most, to find out how far the end is


def exact_values(position: PentagoPosition, seconds: float | None, memory: int) -> Solution | None:
    """Each move's value, and how soon the end can be forced if that is found quickly; None where it cannot be known.

    `seconds` bounds only the boards of few marbles, of which most cannot be solved.
    """
    try:
        found = solve(position, seconds=None if position.ply >= SURE_FROM else seconds, memory=memory)
    except CannotSolve:
        return None
    return with_end(found, memory)


def with_end(found: Solution, memory: int) -> Solution:
    """The same, with how soon the end can be forced if that is found quickly."""
    if not found.value:
        return found
    position = found.position
    try:
        end = solve(position, moves=False, depth=True, seconds=SOON, memory=memory)
    except CannotSolve:
        return found
    return replace(found, turns=end.turns, distances=end.distances)
