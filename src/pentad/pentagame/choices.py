"""Choices for each step of a turn, with the targets to touch: the drawing's names of pieces and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from pentad.game import Choice
from pentad.pentagame import descriptions
from pentad.pentagame.board import FIELDS, NUMBER
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def piece_target(seat: int, piece: int) -> str:
    """The drawing's name of a piece."""
    return f"piece {seat}.{piece}"


# A cache, since most choices recur turn after turn: by players and colours, then by step and its effects.
_Choices: TypeAlias = dict[tuple[PieceStep, str, bool, bool], Choice]
_CACHE: dict[tuple[int, tuple[str, ...]], _Choices] = {}
_CACHE_SIZE = 1 << 16


def piece_choices(here: PentagamePosition) -> Iterator[Choice]:
    """The choices that begin a turn."""
    if sum(map(len, _CACHE.values())) > _CACHE_SIZE:
        _CACHE.clear()
    cached = _CACHE.setdefault((here.players, here.colours), {})
    alone = {field: len(pieces) == 1 for field, pieces in here.occupants.items()}
    blocks = dict.fromkeys(here.grays, "gray") | dict.fromkeys(here.blacks, "black")
    for step in here.piece_moves:
        if isinstance(step, LeaveStep):
            yield Choice(step, (piece_target(step.seat, step.piece),), descriptions.step(here, step))
            continue
        to = NUMBER[step.to]
        both = (alone[to], alone[NUMBER[step.start]]) if step.partner else (True, True)
        key = (step, blocks.get(to, ""), *both)
        if key not in cached:
            cached[key] = _piece_choice(step, descriptions.step(here, step), *both)
        yield cached[key]


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
    """The choice for a block."""
    targets: tuple[str, ...] = (str(step.to),)
    if len(here.blocks_to_put) > 1:  # the pool is empty, so the first target is the gray block to move
        targets = (str(FIELDS[here.grays[step.figure - 6]]), *targets)
    return Choice(step, targets, descriptions.step(here, step))
