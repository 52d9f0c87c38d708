"""Pentago: place a marble, turn a sub-board; five in a row wins."""

from pentad.pentago.classic import Pentago
from pentad.pentago.numbers import from_number, to_number

__all__ = ["Pentago", "from_number", "to_number"]
