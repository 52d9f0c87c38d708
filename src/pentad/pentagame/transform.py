"""Images of positions and moves under the symmetries that keep goals, which rename colours."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from pentad.game import Move, Position, Symmetry
from pentad.pentagame.board import FIELDS, NUMBER, OFF_BOARD
from pentad.pentagame.notation import canonical
from pentad.pentagame.steps import BlockStep, Last, LeaveStep, Pair, PieceStep, TurnStep
from pentad.pentagame.symmetry import Automorphism, symmetries

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


@lru_cache(maxsize=1)
def symmetries_of_the_game() -> tuple[Symmetry, ...]:
    """The ten symmetries of the game."""
    return tuple(
        Symmetry(auto.name, lambda p, auto=auto: _image(p, auto), lambda m, auto=auto: _image_of_move(m, auto))  # type: ignore[misc]
        for auto in symmetries()
    )


def _image(position: Position, auto: Automorphism) -> Position:
    """The image of a position: colours are renamed, and each figure becomes the one of its new colour."""
    here = cast("PentagamePosition", position)
    swapped = here.swapped and cast(Pair, tuple(sorted((seat, auto.colours[piece]) for seat, piece in here.swapped)))
    return replace(
        here,
        pieces=tuple(_renamed(mine, auto) for mine in here.pieces),
        blacks=_renamed(here.blacks, auto),
        grays=tuple(map(auto.field, here.grays)),
        last=tuple(last and _image_of_last(seat, last, auto) for seat, last in enumerate(here.last)),
        swapped=swapped,
    )


def _renamed(fields: tuple[int, ...], auto: Automorphism) -> tuple[int, ...]:
    images = [OFF_BOARD] * len(fields)
    for colour, field in enumerate(fields):
        images[auto.colours[colour]] = auto.field(field)
    return tuple(images)


def _image_of_last(seat: int, last: Last, auto: Automorphism) -> Last:
    partner = last.partner and (last.partner[0], auto.colours[last.partner[1]])
    step = canonical(
        PieceStep(
            seat, auto.colours[last.piece], FIELDS[auto.fields[last.start]], FIELDS[auto.fields[last.to]], partner
        )
    )
    return Last(step.piece, NUMBER[step.start], NUMBER[step.to], step.partner)


def _image_of_move(move: Move, auto: Automorphism) -> Move:
    return Move(_image_of_step(cast(TurnStep, step), auto) for step in move)


def _image_of_step(step: TurnStep, auto: Automorphism) -> TurnStep:
    if isinstance(step, LeaveStep):
        return LeaveStep(step.seat, auto.colours[step.piece])
    to = FIELDS[auto.fields[NUMBER[step.to]]]
    if isinstance(step, BlockStep):
        return BlockStep(step.seat, auto.figure(step.figure), to)
    partner = step.partner and (step.partner[0], auto.colours[step.partner[1]])
    return canonical(
        PieceStep(step.seat, auto.colours[step.piece], FIELDS[auto.fields[NUMBER[step.start]]], to, partner)
    )
