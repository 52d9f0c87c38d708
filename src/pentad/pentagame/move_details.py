"""Full list of a turn's moves in the denomination, including its automatic consequences.

`[0,3,8,0,0] [0,6,-1,-1,-1] [0,3,-1,-1,-1] [0,6,4,1,0]`: player 0's red piece goes to its goal and takes the gray
block there, which returns to the pool; the piece leaves the board; the gray block is put on another field.
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
    """The moves of a legal turn: the moving piece, its swap partner, figures that leave the board, blocks.

    In the denomination a black block is never off the board: it goes from the player's hand to its field.

    >>> import pentad
    >>> start = pentad.new("pentagame")
    >>> [str(each) for each in turn_list(start, "3-5 410")]
    ['[0,3,5,0,0]', '[0,11,4,1,0]']
    """
    position.play(move)
    return tuple(_moves(position, position.steps_given(move)))


def _moves(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> Iterator[Shift]:
    for step in steps:
        if isinstance(step, PieceStep):
            yield from step.shifts
            yield from _consequences(here, step)
        elif isinstance(step, BlockStep):
            yield Shift(*step)
        else:
            yield Shift(step.seat, step.piece, OFF)


def _consequences(here: PentagamePosition, step: PieceStep) -> Iterator[Shift]:
    """The figures that leave the board after a piece has moved: a gray block, and pieces at their goals."""
    for i, field in enumerate(here.grays):
        if field == NUMBER[step.to]:
            yield Shift(step.seat, GRAYS[i], OFF)
    for owner, piece in step.leaving:
        yield Shift(owner, piece, OFF)
