"""Positions and moves seen by a symmetry that keeps goals: colours are renamed, and the game is the same."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from pentad.game import Move, Position, Symmetry
from pentad.pentagame.board import FIELDS, NUMBER, OFF_BOARD
from pentad.pentagame.notation import canonical
from pentad.pentagame.steps import BlockStep, Last, LeaveStep, Pair, PieceStep, TurnStep
from pentad.pentagame.symmetry import Way, symmetries

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


@lru_cache(maxsize=1)
def symmetries_of_the_game() -> tuple[Symmetry, ...]:
    """The ten ways to look at the same game."""
    return tuple(
        Symmetry(way.name, lambda p, way=way: _image(p, way), lambda m, way=way: _image_of_move(m, way))  # type: ignore[misc]
        for way in symmetries()
    )


def _image(position: Position, way: Way) -> Position:
    """The position seen that way: colours are renamed, and each figure is the one of its new colour."""
    here = cast("PentagamePosition", position)
    swapped = here.swapped and cast(Pair, tuple(sorted((seat, way.colours[piece]) for seat, piece in here.swapped)))
    return replace(
        here,
        pieces=tuple(_renamed(mine, way) for mine in here.pieces),
        blacks=_renamed(here.blacks, way),
        grays=tuple(map(way.field, here.grays)),
        last=tuple(last and _image_of_last(seat, last, way) for seat, last in enumerate(here.last)),
        swapped=swapped,
    )


def _renamed(fields: tuple[int, ...], way: Way) -> tuple[int, ...]:
    images = [OFF_BOARD] * len(fields)
    for colour, field in enumerate(fields):
        images[way.colours[colour]] = way.field(field)
    return tuple(images)


def _image_of_last(seat: int, last: Last, way: Way) -> Last:
    partner = last.partner and (last.partner[0], way.colours[last.partner[1]])
    step = canonical(
        PieceStep(seat, way.colours[last.piece], FIELDS[way.fields[last.start]], FIELDS[way.fields[last.to]], partner)
    )
    return Last(step.piece, NUMBER[step.start], NUMBER[step.to], step.partner)


def _image_of_move(move: Move, way: Way) -> Move:
    return Move(_image_of_step(cast(TurnStep, step), way) for step in move)


def _image_of_step(step: TurnStep, way: Way) -> TurnStep:
    if isinstance(step, LeaveStep):
        return LeaveStep(step.seat, way.colours[step.piece])
    to = FIELDS[way.fields[NUMBER[step.to]]]
    if isinstance(step, BlockStep):
        return BlockStep(step.seat, way.figure(step.figure), to)
    partner = step.partner and (step.partner[0], way.colours[step.partner[1]])
    return canonical(PieceStep(step.seat, way.colours[step.piece], FIELDS[way.fields[NUMBER[step.start]]], to, partner))
