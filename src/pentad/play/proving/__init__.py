"""Proofs for puzzles: in how many moves a position is won for certain, by which moves, and what puts it off longest."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, Protocol, cast

from pentad.game import Move, Position

WIN, THREATS, DRAW = "win", "threats", "draw"  # the kinds of puzzles
ANY = "*"  # ends a right move that any steps may follow
MOST = 12  # right moves: where there are more, not all need be told, for that is no puzzle


class Right(NamedTuple):
    """The moves that do what a puzzle asks for, and a letter for each legal move: what it does instead.

    `r` is right, `w` wins later, `d` lets the other draw, `l` lets him win; no letters where that is not known.
    """

    moves: tuple[str, ...]
    letters: str = ""


class Prover(Protocol):
    """What finds and proves the puzzles of a game."""

    def found(self, here: Position) -> tuple[str, int] | None:
        """The kind of puzzle that a position is, and in how many moves of one's own it ends; None if it is none."""

    def right(self, here: Position, kind: str, left: int) -> Right:
        """Every move that does it within so many moves; those of the last move may end with `ANY`."""

    def reply(self, after: Position, kind: str, left: int) -> Move:
        """What puts the end off longest, after a right move that leaves so many; the hardest to answer of these."""


def prover(game: str) -> Prover:
    """The prover of a game."""
    return cast(Prover, import_module(f"{__name__}.{game}").PROVER)
