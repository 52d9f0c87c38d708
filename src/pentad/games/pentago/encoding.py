"""Pentago for learners: a number for each step, and planes of marbles; `docs/how-to/learners.md` describes both."""

from __future__ import annotations

from typing import cast

from pentad.game import Step
from pentad.games.pentago.board import DIRECTIONS, Place, Twist
from pentad.games.pentago.rules import PentagoPosition


def actions(here: PentagoPosition) -> int:
    """Every placement, then every twist."""
    return here.board.size + len(here.board.twists)


def most_steps(here: PentagoPosition) -> int:
    """A placement and a twist for each space."""
    return 2 * here.board.size


def number(here: PentagoPosition, step: Step) -> int:
    """A placement has the number of its space; a clockwise twist comes before the anti-clockwise one."""
    if isinstance(step, Place):
        return here.board.space(*step)
    sub_board, direction = cast(Twist, step)
    return here.board.size + 2 * (sub_board - 1) + DIRECTIONS.index(direction)


def shape(here: PentagoPosition) -> tuple[int, int]:
    """The height and width of the board."""
    return here.board.height, here.board.width


def planes(here: PentagoPosition, seat: int) -> dict[str, int]:
    """The marbles of every seat, the seat to move, and whether the twist is still to come."""
    everywhere, after = here.board.all_spaces, range(here.players)
    return (
        {f"marbles +{i}": here.marbles[(seat + i) % here.players] for i in after}
        | {f"to move +{i}": everywhere * (here.turn == (seat + i) % here.players) for i in after}
        | {"twist": everywhere * here.placed}
    )
