"""Warm-up bot of Pente, which plays while the engine compiles: the opening book, then the pure-Python beam search."""

from __future__ import annotations

from typing import cast

from pentad.game import Move, Position
from pentad.pente.beam_bot import BeamBot
from pentad.pente.engine import book
from pentad.pente.options import DIFFICULTIES
from pentad.pente.rules import PentePosition


class WarmUpBot(BeamBot):
    """Plays a move of the opening book if there is one, else the best move of the widest beam in the time."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(DIFFICULTIES[max(DIFFICULTIES)], seed, "warm-up")

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        point = None if here.outcome else book.choose(here, self.random)
        return super().choose(here, seconds=seconds) if point is None else Move((here.board.stones[point],))
