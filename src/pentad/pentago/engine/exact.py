"""Exact values for bots and analysis, from whoever has them: the published slices at hand, or the solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pentad.game import GameError, Move
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import configured
from pentad.pentago.solver import solve

SURE_FROM = 18  # marbles, from which on the solver knows every move's value in a moment


@dataclass(frozen=True, slots=True)
class Exact:
    """The value of each move for the player who moves; and in how many turns it is won or lost, where that is known."""

    values: Mapping[Move, int]
    turns: Mapping[Move, int]
    how: str

    @property
    def value(self) -> int:
        return max(self.values.values())

    @property
    def best(self) -> list[Move]:
        """The moves that keep the value, those that win soonest or lose latest where that is known."""
        kept = [move for move, value in self.values.items() if value == self.value]
        if self.value and all(move in self.turns for move in kept):
            wanted = (min if self.value > 0 else max)(self.turns[move] for move in kept)
            kept = [move for move in kept if self.turns[move] == wanted]
        return kept


def from_slices(position: PentagoPosition) -> Exact | None:
    """What the slices that this process uses say; None where they say nothing."""
    slices = configured()
    if slices is None:
        return None
    try:
        return Exact(dict(slices.values(position)), {}, "database")
    except GameError:
        return None


def from_solver(position: PentagoPosition, seconds: float | None, memory: int | None) -> Exact | None:
    """What the solver finds within the seconds and the bytes; None where it cannot."""
    try:
        solution = solve(position, depth=True, seconds=seconds, memory=memory)
    except GameError:
        return None
    return Exact(solution.moves, solution.distances, solution.how)
