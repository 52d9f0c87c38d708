"""Legal moves of Pente: one stone, or in the opening swap2 every sequence of steps of a turn.

Three stones on 19 × 19 can be placed in 46 million ways, so the moves are counted and indexed without enumeration.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import perm
from typing import TYPE_CHECKING

from pentad.game import GameError, LegalMoves, Move, Step
from pentad.pente.board import Side, Stone, nth_point, points_of
from pentad.pente.notation import MORE
from pentad.pente.opening import CHOOSE, OVER, SIDES_OFFERED, STONES_DUE, THREE

if TYPE_CHECKING:
    from pentad.pente.rules import PentePosition


class PenteMoves(LegalMoves):
    """The legal points from the bottom left; in the opening swap2 every sequence of steps of the turn."""

    __slots__ = ("position",)

    def __init__(self, position: PentePosition) -> None:
        self.position = position

    def __len__(self) -> int:
        here = self.position
        return 0 if here.outcome else _count(here)

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        return iter(()) if here.outcome else map(Move, _turns(here))

    def _at(self, index: int) -> Move:
        here = self.position
        steps: list[Step] = []
        while here.stage in SIDES_OFFERED or STONES_DUE.get(here.stage, 0) - here.placed > 1:
            step, index = _step_at(here, index)
            steps.append(step)
            after = here.after((step,))
            if after.ply != here.ply:
                return Move(steps)
            here = after
        return Move((*steps, here.board.stones[nth_point(here.points, index)]))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or isinstance(move, Stone | Side):
            return False
        try:
            self.position.play(move)
        except GameError:
            return False
        return True


def _steps_here(here: PentePosition) -> Iterator[Step]:
    """The legal next steps."""
    if here.stage in SIDES_OFFERED:
        return iter(SIDES_OFFERED[here.stage])
    return map(here.board.stones.__getitem__, points_of(here.points))


def _turns(here: PentePosition, begun: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Every completion of a turn."""
    for step in _steps_here(here):
        after = here if here.stage == OVER else here.after((step,))
        if here.stage == OVER or after.ply != here.ply:
            yield (*begun, step)
        else:
            yield from _turns(after, (*begun, step))


def _step_at(here: PentePosition, index: int) -> tuple[Step, int]:
    """The first step of the turn with an index, and the index of the turn among those that begin with it."""
    if here.stage not in SIDES_OFFERED and _leaves_one_less(here):
        turns = perm(here.points.bit_count() - 1, STONES_DUE[here.stage] - here.placed - 1)
        return here.board.stones[nth_point(here.points, index // turns)], index % turns
    for step in _steps_here(here):
        after = here.after((step,))
        turns = _count(after) if after.ply == here.ply else 1
        if index < turns:
            return step, index
        index -= turns
    raise IndexError(index)


def _leaves_one_less(here: PentePosition) -> bool:
    """Whether each stone of this turn leaves one point fewer to the next, as it cannot capture."""
    return here.stage == THREE or not here.rules.captures


def _count(here: PentePosition) -> int:
    """The number of completions of a turn."""
    due = STONES_DUE.get(here.stage, here.placed + 1) - here.placed
    if here.stage in SIDES_OFFERED:
        more = (side for side in SIDES_OFFERED[here.stage] if side == MORE)
        taking = len(SIDES_OFFERED[here.stage]) - (here.stage == CHOOSE)
        return taking + sum(_count(here.after((side,))) for side in more)
    if due == 1:
        return here.points.bit_count()
    if _leaves_one_less(here):
        return perm(here.points.bit_count(), due)
    return sum(_count(here.after((here.board.stones[point],))) for point in points_of(here.points))
