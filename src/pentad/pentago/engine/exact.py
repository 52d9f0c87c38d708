"""Exact values for bots and analysis, from whoever has them: the published slices at hand, or the solver."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Move
from pentad.pentago.rules import PentagoPosition

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


def _part(module: str, name: str) -> Callable[..., Any] | None:
    """A function of another room of the game, where there is one."""
    try:
        found: Callable[..., Any] | None = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None
    return found


def from_slices(position: PentagoPosition) -> Exact | None:
    """What the slices that this process uses say; None where they say nothing."""
    configured = _part("pentad.pentago.slices", "configured")
    slices = configured() if configured else None
    if slices is None:
        return None
    try:
        return Exact(dict(slices.values(position)), {}, "database")
    except GameError:
        return None


def from_solver(position: PentagoPosition, seconds: float | None, memory: int | None) -> Exact | None:
    """What the solver finds within the seconds and the bytes; None where it cannot."""
    solve = _part("pentad.pentago.solver", "solve")
    if solve is None:
        return None
    try:
        solution = solve(position, depth=True, seconds=seconds, memory=memory)
    except GameError:
        return None
    return Exact(dict(solution.moves), dict(solution.distances or {}), solution.how)
