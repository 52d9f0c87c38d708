"""Legal turns of a Pentagame position, counted and indexed without building them all."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pentad.game import GameError, LegalMoves, Move
from pentad.pentagame.board import FIELDS, NUMBER, fields_of, goal
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def count_placements(empty: int, due: tuple[str, ...], pool: int) -> int:
    """The number of ways to put the due blocks, with so many empty fields and gray blocks in the pool."""
    count = 1
    for kind in due:
        if kind == "gray" and not pool:  # any of the five can move, and its old field becomes empty
            count *= 5 * empty
            continue
        count *= empty
        empty -= 1
        pool -= kind == "gray"
    return count


class PentagameMoves(LegalMoves):
    """Every first step of a turn, with every way to put the blocks that become due."""

    __slots__ = ("_ends", "_heads", "position")

    def __init__(self, position: PentagamePosition) -> None:
        self.position = position
        self._heads: tuple[PieceStep | LeaveStep, ...] = ()
        self._ends: list[int] = []

    def _counted(self) -> list[int]:
        """The cumulative number of turns for each first step."""
        if not self._ends:
            self._heads = self.position.piece_moves
            self._ends = list(itertools.accumulate(map(self._count_after, self._heads)))
        return self._ends

    def _count_after(self, head: PieceStep | LeaveStep) -> int:
        """The number of turns with this first step; mostly 1, since no block becomes due."""
        here = self.position
        if isinstance(head, LeaveStep):
            empty = here.empty.bit_count() + self._alone(goal(head.piece))
            return count_placements(empty, ("gray",), here.pool)
        to = NUMBER[head.to]
        leaving = head.leaving
        black = to in here.blacks
        if not (black or leaving):
            return 1
        mover_leaves = (head.seat, head.piece) in leaving
        start_is_free = self._alone(NUMBER[head.start]) and (head.partner is None or head.partner in leaving)
        to_was_empty = here.empty >> to & 1
        to_is_empty = mover_leaves and (head.partner is None or self._alone(to))
        empty = here.empty.bit_count() + start_is_free + to_is_empty - to_was_empty
        due = ("black",) * black + ("gray",) * len(leaving)
        return count_placements(empty, due, here.pool + (to in here.grays))

    def _alone(self, field: int) -> bool:
        """Whether exactly one piece is on a field."""
        return sum(mine.count(field) for mine in self.position.pieces) == 1

    def __len__(self) -> int:
        here = self.position
        if here.outcome:
            return 0
        if here.due:
            return count_placements(here.empty.bit_count(), here.due, here.pool)
        ends = self._counted()
        return ends[-1] if ends else 0

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        if here.outcome:
            return
        if here.due:
            yield from map(Move, _rests(here))
            return
        for head in here.piece_moves:
            after = here.after_legal(head)
            if not after.due:
                yield Move((head,))
            else:
                yield from (Move((head, *rest)) for rest in _rests(after))

    def _at(self, index: int) -> Move:
        here = self.position
        steps: list[TurnStep] = []
        due = here.due
        if not due:
            which = bisect.bisect_right(self._counted(), index)
            index -= self._ends[which - 1] if which else 0
            steps.append(self._heads[which])
            here = here.after_legal(self._heads[which])
            due = here.due
        for _ in due:
            free = list(fields_of(here.empty))
            each = count_placements(len(free), here.due, here.pool) // len(free) // len(here.blocks_to_put)
            which, index = divmod(index, each)
            figure, field = divmod(which, len(free))
            steps.append(BlockStep(here.seat, here.blocks_to_put[figure], FIELDS[free[field]]))
            here = here.after_legal(steps[-1])
        return Move(steps)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or isinstance(move, TurnStep):
            return False
        try:
            self.position.play(move)
            return self.position.parse(str(Move(move))) == move
        except GameError:
            return False


def _rests(here: PentagamePosition) -> Iterator[tuple[BlockStep, ...]]:
    """Every way to put the due blocks."""
    last = len(here.due) == 1
    for step in here.block_steps():
        if last:
            yield (step,)
        else:
            yield from ((step, *rest) for rest in _rests(here.after_legal(step)))
