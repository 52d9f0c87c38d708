"""Pentago: place a marble, twist a sub-board; five in a row wins."""

from pentad.games.pentago.classic import Pentago
from pentad.games.pentago.rules import from_number, to_number
from pentad.games.pentago.solver import CannotSolve
from pentad.search.exact import Solution, solve

__all__ = ["CannotSolve", "Pentago", "Solution", "from_number", "solve", "to_number"]
