"""Goals of the lesson: pieces home, swaps and blocks."""

from __future__ import annotations

from pentad.game import Move
from pentad.games.pentagame.notation import BlockStep, PieceStep
from pentad.games.pentagame.prover import wins_next as can_win
from pentad.games.pentagame.rules import PentagamePosition

__all__ = ["GOALS", "can_win"]


def home(before: PentagamePosition, move: Move, after: PentagamePosition) -> bool:
    """Whether a piece of the player who moved has come home."""
    return after.home(before.turn) > before.home(before.turn)


def swaps(before: PentagamePosition, move: Move, after: PentagamePosition) -> bool:
    """Whether a piece has swapped places with another player's."""
    first = move[0]
    return isinstance(first, PieceStep) and first.partner is not None and first.partner[0] != before.turn


def black(before: PentagamePosition, move: Move, after: PentagamePosition) -> bool:
    """Whether a black block was moved."""
    return any(isinstance(step, BlockStep) and step.is_black for step in move)


def gray(before: PentagamePosition, move: Move, after: PentagamePosition) -> bool:
    """Whether a gray block went back to the pool."""
    return after.pool > before.pool


GOALS = {each.__name__: each for each in (home, swaps, black, gray)}
