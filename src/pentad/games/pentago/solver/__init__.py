"""Solver: exact values of Pentago positions."""

from pentad.games.pentago.solver.retrograde import CannotSolve
from pentad.games.pentago.solver.search import Solution, solve

__all__ = ["CannotSolve", "Solution", "solve"]
