"""What a person touches for each step of a turn: pieces and fields, by the names that the drawing gives them."""

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
    """What the drawing calls a piece."""
    return f"piece {seat}.{piece}"


# The same ways lie open turn after turn; they are known by what they do, in a game of these seats and colours.
_Known: TypeAlias = dict[tuple[PieceStep, str, bool, bool], Choice]
_KNOWN: dict[tuple[int, tuple[str, ...]], _Known] = {}
_MOST_KNOWN = 1 << 16


def piece_choices(here: PentagamePosition) -> Iterator[Choice]:
    """The choices that a turn begins with."""
    if sum(map(len, _KNOWN.values())) > _MOST_KNOWN:
        _KNOWN.clear()
    known = _KNOWN.setdefault((here.players, here.colours), {})
    alone = {field: len(pieces) == 1 for field, pieces in here.standing.items()}
    blocks = dict.fromkeys(here.grays, "gray") | dict.fromkeys(here.blacks, "black")
    for step in here.piece_moves:
        if isinstance(step, LeaveStep):
            yield Choice(step, (piece_target(step.seat, step.piece),), descriptions.step(here, step))
            continue
        to = NUMBER[step.to]
        both = (alone[to], alone[NUMBER[step.start]]) if step.partner else (True, True)
        key = (step, blocks.get(to, ""), *both)
        if key not in known:
            known[key] = _piece_choice(step, descriptions.step(here, step), *both)
        yield known[key]


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
    return Choice(step, targets, descriptions.step(here, step))
