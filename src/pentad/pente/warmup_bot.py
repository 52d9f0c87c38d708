"""Who plays Pente while the engine is being prepared: the opening book, then the beam search, which is Python alone."""

from __future__ import annotations

from typing import cast

from pentad.game import Move, Position
from pentad.pente.beam_bot import BeamBot
from pentad.pente.engine import book
from pentad.pente.options import DIFFICULTIES
from pentad.pente.rules import PentePosition


class StandIn(BeamBot):
    """A move of the opening book where it has one, else what the widest beam finds in the time."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(DIFFICULTIES[max(DIFFICULTIES)], seed, "stand-in")

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        point = None if here.outcome else book.choose(here, self.random)
        return super().choose(here, seconds=seconds) if point is None else Move((here.board.stones[point],))
