"""What a person touches for each step of a turn: pieces and fields, by the names that the drawing gives them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pentad.game import Choice
from pentad.pentagame import words
from pentad.pentagame.board import FIELDS, NUMBER
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def piece_target(seat: int, piece: int) -> str:
    """What the drawing calls a piece."""
    return f"piece {seat}.{piece}"


def piece_choice(here: PentagamePosition, step: PieceStep | LeaveStep) -> Choice:
    label = words.step(here, step)
    if isinstance(step, LeaveStep):
        return Choice(step, (piece_target(step.seat, step.piece),), label)
    alone = (
        [len(here.pieces_on(NUMBER[field])) == 1 for field in (step.to, step.start)] if step.partner else (True, True)
    )
    return _piece_choice(step, label, *alone)


@lru_cache(maxsize=1 << 14)  # the same ways lie open turn after turn
def _piece_choice(step: PieceStep, label: str, alone_there: bool, alone_here: bool) -> Choice:
    mover = piece_target(step.seat, step.piece)
    if not step.partner:
        return Choice(step, (mover, str(step.to)), label)
    partner = piece_target(*step.partner)
    also = [(mover, str(step.to))] if alone_there else []
    if step.partner[0] == step.seat:
        also.append((partner, mover))
        also += [(partner, str(step.start))] if alone_here else []
    return Choice(step, (mover, partner), label, tuple(also))


def block_choice(here: PentagamePosition, step: BlockStep) -> Choice:
    targets: tuple[str, ...] = (str(step.to),)
    if len(here.blocks_to_put) > 1:  # the pool is empty: first the gray block that is moved
        targets = (str(FIELDS[here.grays[step.figure - 6]]), *targets)
    return Choice(step, targets, words.step(here, step))
