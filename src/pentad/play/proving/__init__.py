"""Proofs for puzzles: the length of a forced win, the moves that achieve it, and the longest defence."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, Protocol, cast

from pentad.game import Move, Position

WIN, THREATS, DRAW = "win", "threats", "draw"  # the kinds of puzzles
ANY = "*"  # ends a correct move that any steps may follow
MOST = 12  # correct moves; a position with more is no puzzle, so that not all of them need be listed


class Right(NamedTuple):
    """The correct moves of a puzzle, and a letter for the result of each legal move.

    `r` is correct, `w` wins later, `d` lets the opponent draw, `l` lets the opponent win; empty if not known.
    """

    moves: tuple[str, ...]
    letters: str = ""


class Prover(Protocol):
    """Finds and proves the puzzles of a game."""

    def found(self, here: Position) -> tuple[str, int] | None:
        """The kind of a position's puzzle and its length in the solver's own moves; None if it is no puzzle."""

    def right(self, here: Position, kind: str, left: int) -> Right:
        """The moves that achieve the goal within `left` moves; a last move may end with `ANY`."""

    def reply(self, after: Position, kind: str, left: int) -> Move:
        """The longest defence after a correct move with `left` more to find; among equals the hardest to answer."""


def prover(game: str) -> Prover:
    """The prover of a game."""
    return cast(Prover, import_module(f"{__name__}.{game}").PROVER)
