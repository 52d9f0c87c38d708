"""The legal turns of a Pentagame position, counted and found by index without building them all."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pentad.game import GameError, LegalMoves, Move
from pentad.pentagame.board import ALL_FIELDS
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def ways(empty: int, due: tuple[str, ...], pool: int) -> int:
    """In how many ways the blocks that are due can be put, with so many empty fields and gray blocks in the pool."""
    count = 1
    for kind in due:
        if kind == "gray" and not pool:  # any of the five moves, and leaves its own field empty
            count *= 5 * empty
            continue
        count *= empty
        empty -= 1
        pool -= kind == "gray"
    return count


class PentagameMoves(LegalMoves):
    """Every beginning of a turn, with every way to put the blocks that it earns."""

    __slots__ = ("_ends", "_heads", "position")

    def __init__(self, position: PentagamePosition) -> None:
        self.position = position
        self._heads: tuple[PieceStep | LeaveStep, ...] | None = None
        self._ends: list[int] = []

    def _counted(self) -> list[int]:
        """How many turns there are up to each beginning, it included."""
        if self._heads is None:
            self._heads = self.position.piece_moves
            self._ends = list(itertools.accumulate(map(self._ways_after, self._heads)))
        return self._ends

    def _ways_after(self, head: PieceStep | LeaveStep) -> int:
        here = self.position
        if isinstance(head, PieceStep) and not head.leaving and not here.blocked:
            return 1
        after = here.after(head)
        return ways((ALL_FIELDS & ~after.taken).bit_count(), after.due, after.pool)

    def __len__(self) -> int:
        here = self.position
        if here.outcome:
            return 0
        if here.due:
            return ways(here.empty.bit_count(), here.due, here.pool)
        ends = self._counted()
        return ends[-1] if ends else 0

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        if here.outcome:
            return
        if here.due:
            yield from (Move(rest) for rest in _rests(here))
            return
        for head in here.piece_moves:
            after = here.after(head)
            if not after.due:
                yield Move((head,))
            else:
                yield from (Move((head, *rest)) for rest in _rests(after))

    def _at(self, index: int) -> Move:
        here, steps = self.position, []
        if not here.due:
            ends = self._counted()
            assert self._heads is not None
            which = bisect.bisect_right(ends, index)
            head: TurnStep = self._heads[which]
            index -= ends[which - 1] if which else 0
            steps.append(head)
            here = here.after(head)
        ply = self.position.ply
        while here.due and here.ply == ply:
            options = list(here.block_steps())
            each = ways(here.empty.bit_count(), here.due, here.pool) // len(options)
            which, index = divmod(index, each)
            steps.append(options[which])
            here = here.after(options[which])
        return Move(steps)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or isinstance(move, PieceStep | BlockStep | LeaveStep):
            return False
        here = self.position
        try:
            here.play(move)
            return here.parse(str(Move(move))) == move
        except GameError:
            return False


def _rests(here: PentagamePosition) -> Iterator[tuple[BlockStep, ...]]:
    """Every way to put what is due."""
    for step in here.block_steps():
        after = here.after(step)
        if after.ply > here.ply:
            yield (step,)
        else:
            yield from ((step, *rest) for rest in _rests(after))
