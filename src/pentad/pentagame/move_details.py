"""A turn told in full: every figure that goes anywhere by it, as the denomination's moves.

`[0,3,8,0,0] [0,6,-1,-1,-1] [0,3,-1,-1,-1] [0,6,4,1,0]`: player 0's red piece goes to its goal and takes the gray
block that stood there, which is back in the pool; the piece leaves the board; the gray block is put elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pentad.game import Steps
from pentad.pentagame.board import NUMBER, OFF
from pentad.pentagame.denomination import GRAYS, Shift
from pentad.pentagame.steps import BlockStep, PieceStep, TurnStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def turn_list(position: PentagamePosition, move: Steps) -> tuple[Shift, ...]:
    """The moves that a legal turn is: the mover, the piece swapped with, what goes off the board, what is put.

    A black block is never off the board, as the denomination has it: it goes from the mover's hand to its field.

    >>> import pentad
    >>> start = pentad.new("pentagame")
    >>> [str(each) for each in turn_list(start, "3-5 410")]
    ['[0,3,5,0,0]', '[0,11,4,1,0]']
    """
    position.play(move)
    return tuple(_told(position, position.steps_given(move)))


def _told(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> Iterator[Shift]:
    for step in steps:
        if isinstance(step, PieceStep):
            yield from step.shifts
            yield from _consequences(here, step)
        elif isinstance(step, BlockStep):
            yield Shift(*step)
        else:
            yield Shift(step.seat, step.piece, OFF)


def _consequences(here: PentagamePosition, step: PieceStep) -> Iterator[Shift]:
    """What goes off the board when a piece has moved: a gray block to the pool, pieces that are at their goals."""
    for i, field in enumerate(here.grays):
        if field == NUMBER[step.to]:
            yield Shift(step.seat, GRAYS[i], OFF)
    for owner, piece in step.leaving:
        yield Shift(owner, piece, OFF)
