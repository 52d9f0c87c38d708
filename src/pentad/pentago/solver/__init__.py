"""Solver: exact values of Pentago positions."""

from pentad.pentago.solver.solve import CannotSolve, Solution, solve

__all__ = ["CannotSolve", "Solution", "solve"]
