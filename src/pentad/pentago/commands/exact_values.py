"""Exact values of a position's moves, for `pentad analyse`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pentad.game import Span
from pentad.pentago import values
from pentad.pentago.board import Place
from pentad.pentago.commands.solve import memory_of, solved
from pentad.pentago.commands.value_text import as_json, verdict
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import configured
from pentad.pentago.solver import CannotSolve, Solution
from pentad.pentago.solver.retrograde import needed, out_of_memory
from pentad.terminal.arguments import cores

SOLVING_SECONDS, SEARCH_SECONDS = 60.0, 3.0  # with enough memory for a full search, and without


@dataclass(frozen=True, slots=True)
class ExactValues:
    """A solved position as text, drawing and JSON."""

    solution: Solution

    @property
    def heading(self) -> str:
        """The position and its value, as sentences."""
        position = self.solution.position
        return f"{position.status} With best play: {verdict(position, self.solution.value, self.solution.turns)}."

    @property
    def _values(self) -> values.Values:
        return values.Values(self.solution.position, self.solution.moves, self.solution.distances)

    def listing(self) -> Iterator[str]:
        """The position and the values of its moves as lines of text."""
        yield from self.solution.position.listing()[:-1]
        yield self.heading
        yield from values.listing(self._values)

    def spans(self, place: Place | None) -> list[list[Span]]:
        """The board with the values of its spaces, and the twists after one of them."""
        return values.spans(self._values, place)

    def as_json(self) -> dict[str, Any]:
        return as_json(self.solution, moves=True, depth=True)


def read_space(position: PentagoPosition, text: str) -> Place:
    """The space of the argument `--space`."""
    return values.read_space(position, text)


def solve(position: PentagoPosition, args: argparse.Namespace) -> ExactValues:
    """The exact values, if the solver can find them within the limits."""
    args.threads = args.threads or cores()
    allowed = memory_of(args)
    spaces = position.empty.bit_count()
    least = needed(allowed, spaces, spaces, 1)
    default = SOLVING_SECONDS if least <= allowed else SEARCH_SECONDS
    limits = argparse.Namespace(**vars(args) | {"seconds": args.seconds or default})
    try:
        # Slices have no distances, but they have values where a search would take too much memory.
        return ExactValues(solved(position, limits, moves=True, depth=least <= allowed or configured() is None))
    except CannotSolve:
        if least <= allowed or args.seconds:
            raise
        # More memory would help, but a little more time would not.
        raise CannotSolve(out_of_memory(least, position.board.size - spaces, allowed)) from None
