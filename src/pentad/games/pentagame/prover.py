"""Proofs for puzzles, by full search: a third piece home now, or in the next turn against every reply.

Of the fields where a reply may put a block, only those on a path home matter: a block on any other field leaves the
path free. So the search has few of them to try.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import cast

from pentad.game import Move
from pentad.games import parts
from pentad.games.parts import MOST, Right
from pentad.games.pentagame.board import FIELDS, NUMBER, OFF_BOARD, goal, path, reach
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.games.pentagame.rules import HOME_WINS, PentagamePosition

SHORT = 6  # fields; a shorter path home is too easy to see
MOST_REFUTATIONS = 16  # replies that refuted earlier turns


def homeward(here: PentagamePosition) -> Iterator[PieceStep | LeaveStep]:
    """The first steps of a turn that bring the third piece of the player to move home."""
    missing = HOME_WINS - here.home(here.seat)
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
        if len(gone) >= missing and here.home(1 - here.seat) + theirs < HOME_WINS:
            yield step


def path_of(here: PentagamePosition, step: PieceStep | LeaveStep) -> tuple[int, ...]:
    """The fields between the start and the end of a step: a block on one of them stops the piece."""
    if isinstance(step, LeaveStep):
        return ()
    return (path(NUMBER[step.start], NUMBER[step.to], here.taken) or ())[1:-1]


class ProofSearch:
    """A search of the turns at a position, with the replies that refuted earlier ones."""

    def __init__(self, here: PentagamePosition) -> None:
        self.here = here
        self._refutations: list[tuple[TurnStep, ...]] = []

    def turns(self) -> Iterator[Move]:
        """The turns after which one more turn could win; those with the same first step are adjacent."""
        missing = HOME_WINS - self.here.home(self.here.seat)
        for move in self.here.legal_moves:
            first = move[0]
            leaves = isinstance(first, LeaveStep) or (isinstance(first, PieceStep) and bool(first.leaving))
            if missing == 1 or (missing == 2 and leaves):
                yield move

    def wins(self, move: Move) -> bool:
        """Whether the next turn wins after this one against every reply."""
        after = self.here.play(move)
        return not after.outcome and self.refutation(after) is None

    def refutation(self, after: PentagamePosition) -> tuple[TurnStep, ...] | None:
        """A reply after which the next turn does not win; None if there is none."""
        for reply in self._refutations:
            replied = legal(after, reply)
            if replied and not wins_next(replied):
                return reply
        for step in after.piece_moves:
            if (rest := defence(after.after_legal(step), after.seat)) is not None:
                self._refutations = [(step, *rest), *self._refutations][:MOST_REFUTATIONS]
                return self._refutations[0]
        return None


def legal(here: PentagamePosition, steps: tuple[TurnStep, ...]) -> PentagamePosition | None:
    """The position after a turn; None if the turn is illegal."""
    for step in steps:
        if here.refusal(step):
            return None
        here = here.after_legal(step)
    return None if here.due else here


def wins_next(here: PentagamePosition) -> bool:
    """Whether the player to move can win with this turn."""
    return not here.outcome and next(homeward(here), None) is not None


def defence(begun: PentagamePosition, seat: int) -> tuple[TurnStep, ...] | None:
    """The rest of a partial turn that stops the opponent from winning next; None if there is none."""
    if not begun.due:
        return None if wins_next(begun) else ()
    ready = replace(begun, seat=1 - seat, due=())
    found = next(homeward(ready), None)
    if found is None:
        return cast(tuple[TurnStep, ...], begun.legal_moves[0])  # any completion of the turn will do
    for step in blocking(begun, path_of(ready, found)):
        if (rest := defence(begun.after_legal(step), seat)) is not None:
            return (step, *rest)
    return None


def blocking(begun: PentagamePosition, fields: tuple[int, ...]) -> Iterator[BlockStep]:
    """The steps that put the pending block on one of these fields."""
    for figure in begun.blocks_to_put:
        for field in fields:
            if begun.empty >> field & 1:
                yield BlockStep(begun.seat, figure, FIELDS[field])


def is_clear(position: PentagamePosition, seat: int) -> bool:
    """Whether a turn begins, and a third piece of a seat ends the game and wins alone as soon as it is home."""
    if position.players != 2 or position.outcome or position.due:
        return False
    ends = position.setup.first_to_three or seat == position.players - 1
    return ends and max(map(position.home, range(2))) < HOME_WINS


def proved(position: PentagamePosition) -> int | None:
    """1 or -1 if the player to move wins within two turns, or the opponent in the next one; else None."""
    search = ProofSearch(position)
    may_win = is_clear(position, position.seat)
    if may_win and (wins_next(position) or any(search.wins(move) for move in search.turns())):
        return 1
    if is_clear(position, 1 - position.seat) and search.refutation(position) is None:
        return -1
    return None


def found(position: PentagamePosition) -> tuple[str, int] | None:
    """The kind and the length of a position's puzzle."""
    # The task is clear only if a third piece home wins at once.
    if not is_clear(position, position.seat):
        return None
    if wins_next(position):
        long = all(len(path_of(position, step)) >= SHORT for step in homeward(position))
        return (parts.WIN, 1) if long else None
    search = ProofSearch(position)
    return (parts.WIN, 2) if any(search.wins(move) for move in search.turns()) else None


def right(position: PentagamePosition, kind: str, left: int) -> Right:
    """The correct moves."""
    if left == 1:
        return Right(tuple(sorted(f"{step} {parts.ANY}" for step in homeward(position))))
    search = ProofSearch(position)
    winning = (str(move) for move in search.turns() if search.wins(move))
    return Right(tuple(sorted(islice(winning, MOST + 1))))


def reply(position: PentagamePosition, kind: str, left: int) -> Move:
    """The reply that leaves the fewest paths home, and of these the longest."""
    moves = (Move(_ended(position, step)) for step in position.piece_moves)
    return min(moves, key=lambda move: (*_left(position.play(move), 1 - position.seat), str(move)))


def _ended(after: PentagamePosition, step: TurnStep) -> tuple[TurnStep, ...]:
    """A turn with this first step and its blocks where they obstruct most."""
    begun = after.after_legal(step)
    if not begun.due:
        return (step,)
    ready = replace(begun, seat=1 - after.seat, due=())
    fields = tuple({field: None for found in homeward(ready) for field in path_of(ready, found)})
    steps = [*blocking(begun, fields), next(iter(begun.block_steps()))]
    best = min(steps, key=lambda block: _left(begun.after_legal(block), 1 - after.seat))
    return (step, *_ended(begun, best))


def _left(begun: PentagamePosition, seat: int) -> tuple[int, int]:
    ready = replace(begun, seat=seat, due=())
    lengths = [len(path_of(ready, step)) for step in homeward(ready)]
    return len(lengths), -min(lengths, default=0)
