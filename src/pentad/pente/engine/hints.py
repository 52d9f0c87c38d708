"""What can be proved of a position in a moment: wins by threats, and the threats that bring them."""

from __future__ import annotations

from pentad.game import Move, Position
from pentad.pente.engine.engine import Engine
from pentad.pente.opening import OVER
from pentad.pente.rules import PentePosition

FEW_SECONDS = 2.0
TOLD = 5  # moves of one's own


def prove(position: Position, *, seconds: float | None = None) -> tuple[Move, str] | None:
    """A move, and what is proved of it with the threats on the way; None where there is no such win."""
    assert isinstance(position, PentePosition)
    if position.outcome or position.stage != OVER:
        return None
    engine = Engine(position)
    engine.attack_first(min(FEW_SECONDS, seconds or FEW_SECONDS))
    if engine.wins_in is None:
        return None
    line = list(map(str, engine.winning_line()))
    pairs = [" ".join(line[i : i + 2]) for i in range(0, len(line), 2)]
    more = ", …" if len(pairs) > TOLD else ""
    how = f": {', '.join(pairs[:TOLD])}{more}" if len(line) > 1 else ""
    return engine.best.move, f"wins in {engine.wins_in}{how}"
