"""Warnings before blunders, which say nothing that is not proved."""

from __future__ import annotations

from typing import Any

from pentad.game import Position
from pentad.play.position_assessment import Assessment, a_win, assess
from pentad.search.analysis import analyse
from pentad.system.words import phrase

OTHERS = 3  # alternative moves that are tried before a move is called a blunder


def check(position: Position, move: str, seconds: float) -> dict[str, Any]:
    """Whether a move is a proved blunder, and why."""
    after = position.play(move)
    both = 2 * seconds  # there is a proof and an analysis
    words = blunder(position, assess(after, both), both)
    return {"loses": bool(words), "words": words}


def blunder(position: Position, then: Assessment, seconds: float) -> str:
    """What the move that led to `then` gave away; empty if nothing is proved.

    A losing move is not a blunder unless another move is known to do better.
    """
    seat = position.turn
    if then.loses(seat):
        before = assess(position, seconds)
        if before.loses(seat) or not (before.exact or _another_holds(position, then.position, seconds)):
            return ""
        return phrase("After this move, {verdict}.", verdict=then.verdict())
    if then.exact and not then.wins(seat):
        before = assess(position, seconds)
        if before.wins(seat):
            return phrase("This move gives up {win}.", win=a_win(before.turns))
    return ""


def _another_holds(position: Position, after: Position, seconds: float) -> bool:
    """Whether another of the best moves leads to a position that is not a proved loss."""
    lines = analyse(position, seconds=seconds, lines=OTHERS).lines
    others = [other for line in lines if (other := position.play(line.moves[0])) != after]
    return any(not assess(other, seconds).loses(position.turn) for other in others)
