"""Pentagame's puzzles by looking at every turn: a third piece home now, or in the next turn whatever is replied.

A win in two is proved against every reply. Of the places where a reply may put a block only those matter that lie on
a way home, for elsewhere the way stays free; so few need to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from pentad.game import Move, Position
from pentad.pentagame.board import FIELDS, NUMBER, OFF_BOARD, goal
from pentad.pentagame.paths import path, reach
from pentad.pentagame.rules import HOME_WINS, PentagamePosition
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.play import proving
from pentad.play.proving import MOST, Right

SHORT = 6  # fields: a way home that is seen at once
REMEMBERED = 16  # replies that were found to help


def may_ask(here: PentagamePosition) -> bool:
    """Whether the third piece home ends the game at once and wins alone: then it is plain what is asked for."""
    ends = here.setup.first_to_three or here.seat == here.players - 1
    return here.players == 2 and ends and not here.outcome and not here.due and here.home(1 - here.seat) < HOME_WINS


def homeward(here: PentagamePosition) -> Iterator[PieceStep | LeaveStep]:
    """The steps that begin a turn of the mover and bring his third piece home."""
    lacks = HOME_WINS - here.home(here.seat)
    if not here.waiting:
        mine = here.pieces[here.seat]
        free = any(
            field != OFF_BOARD and reach(field, here.taken) >> goal(piece) & 1 for piece, field in enumerate(mine)
        )
        swaps = any(field == goal(other) for field in mine for other, at in enumerate(mine) if at != OFF_BOARD)
        if not free and not swaps:
            return
    for step in here.piece_moves:
        gone = [1] if isinstance(step, LeaveStep) else [1 for owner, _ in step.leaving if owner == here.seat]
        theirs = 0 if isinstance(step, LeaveStep) else len(step.leaving) - len(gone)
        if len(gone) >= lacks and here.home(1 - here.seat) + theirs < HOME_WINS:
            yield step


def way(here: PentagamePosition, step: PieceStep | LeaveStep) -> tuple[int, ...]:
    """The fields between where a piece stands and where it goes: a block on one of them is in its way."""
    if isinstance(step, LeaveStep):
        return ()
    return (path(NUMBER[step.start], NUMBER[step.to], here.taken) or ())[1:-1]


class Look:
    """A position whose turns are tried, and the replies that have helped against others."""

    def __init__(self, here: PentagamePosition) -> None:
        self.here = here
        self._hard: list[tuple[TurnStep, ...]] = []

    def turns(self) -> Iterator[Move]:
        """The turns after which one more could win, all of those that begin alike together."""
        lacks = HOME_WINS - self.here.home(self.here.seat)
        for move in self.here.legal_moves:
            first = move[0]
            leaves = isinstance(first, LeaveStep) or (isinstance(first, PieceStep) and bool(first.leaving))
            if lacks == 1 or (lacks == 2 and leaves):
                yield move

    def wins(self, move: Move) -> bool:
        """Whether after this turn the next one wins, whatever is replied."""
        after = self.here.play(move)
        return not after.outcome and self.help(after) is None

    def help(self, after: PentagamePosition) -> tuple[TurnStep, ...] | None:
        """A reply after which the next turn does not win; None if there is none."""
        for reply in self._hard:
            replied = legal(after, reply)
            if replied and not wins_next(replied):
                return reply
        for step in after.piece_moves:
            rest = hindrance(after.begun(step), after.seat)
            if rest is not None:
                self._hard = [(step, *rest), *self._hard][:REMEMBERED]
                return self._hard[0]
        return None


def legal(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> PentagamePosition | None:
    """The position after a turn, None if that is not allowed here."""
    for step in steps:
        if here.refusal(step):
            return None
        here = here.begun(step)
    return None if here.due else here


def wins_next(here: PentagamePosition) -> bool:
    """Whether the mover can win with this turn."""
    return not here.outcome and next(homeward(here), None) is not None


def hindrance(begun: PentagamePosition, seat: int) -> tuple[TurnStep, ...] | None:
    """How a turn that has begun can go on so that the other does not win next; None where it cannot."""
    if not begun.due:
        return None if wins_next(begun) else ()
    ready = replace(begun, seat=1 - seat, due=())
    found = next(homeward(ready), None)
    if found is None:
        return tuple(finished(begun))
    for step in blocking(begun, way(ready, found)):
        rest = hindrance(begun.begun(step), seat)
        if rest is not None:
            return (step, *rest)
    return None


def blocking(begun: PentagamePosition, fields: tuple[int, ...]) -> Iterator[BlockStep]:
    """The ways to put the block that is due on one of these fields."""
    for figure in begun.blocks_to_put:
        for field in fields:
            if begun.empty >> field & 1:
                yield BlockStep(begun.seat, figure, FIELDS[field])


def finished(begun: PentagamePosition) -> Iterator[TurnStep]:
    """The steps that end a turn that has begun, any."""
    ply = begun.ply
    while begun.due and begun.ply == ply:
        step = next(iter(begun.block_steps()))
        yield step
        begun = begun.begun(step)


class PentagameProver:
    """Looks at every turn."""

    def found(self, here: Position) -> tuple[str, int] | None:
        assert isinstance(here, PentagamePosition)
        if not may_ask(here):
            return None
        if wins_next(here):
            long = all(len(way(here, step)) >= SHORT for step in homeward(here))
            return (proving.WIN, 1) if long else None
        look = Look(here)
        return (proving.WIN, 2) if any(look.wins(move) for move in look.turns()) else None

    def right(self, here: Position, kind: str, left: int) -> Right:
        assert isinstance(here, PentagamePosition)
        if left == 1:
            return Right(tuple(sorted(f"{step} {proving.ANY}" for step in homeward(here))))
        look = Look(here)
        winning = (str(move) for move in look.turns() if look.wins(move))
        return Right(tuple(sorted(islice(winning, MOST + 1))))

    def reply(self, after: Position, kind: str, left: int) -> Move:
        """The reply that leaves the fewest ways home, and of these the longest."""
        assert isinstance(after, PentagamePosition)
        return min((Move(self._ended(after, step)) for step in after.piece_moves), key=lambda move: _ease(after, move))

    def _ended(self, after: PentagamePosition, step: TurnStep) -> tuple[TurnStep, ...]:
        """A turn that begins so, its blocks put where they are most in the way."""
        begun = after.begun(step)
        if not begun.due:
            return (step,)
        ready = replace(begun, seat=1 - after.seat, due=())
        fields = tuple({field: None for found in homeward(ready) for field in way(ready, found)})
        steps = [*blocking(begun, fields), next(iter(begun.block_steps()))]
        best = min(steps, key=lambda block: _left(begun.begun(block), 1 - after.seat))
        return (step, *self._ended(begun, best))


def _left(begun: PentagamePosition, seat: int) -> tuple[int, int]:
    ready = replace(begun, seat=seat, due=())
    ways = [len(way(ready, step)) for step in homeward(ready)]
    return len(ways), -min(ways, default=0)


def _ease(after: PentagamePosition, move: Move) -> tuple[int, int, str]:
    return (*_left(after.play(move), 1 - after.seat), str(move))


PROVER = PentagameProver()
