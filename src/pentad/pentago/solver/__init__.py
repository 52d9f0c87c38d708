"""Solver: exact values of Pentago positions."""

from pentad.pentago.solver.retrograde import CannotSolve
from pentad.pentago.solver.solve import Solution, solve

__all__ = ["CannotSolve", "Solution", "solve"]
