"""Grades of moves by exact values: what the position was worth before a move and after it, where both are proved.

    >>> from pentad import load
    >>> from pentad.record import Record
from pentad.search.exact import exact_value
    >>> record = Record(load("pentago bbbb../wwww../....../....../....../......"))
    >>> for move in ("f5 4C", "b4"):
    ...     _ = record.end.play(move)
    >>> [(str(each.move), each.before, each.after, each.regret) for each in grade(record)]
    [('f5 4C', 1, -1, 2), ('b4', 1, 1, 0)]

Values are 1 for a win of the player who moves, 0 for a draw and -1 for a loss. They are exact values, found without a
limit of time, so that the grades are the same on every machine; or they are proved by what follows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from pentad.game import Move, Position
from pentad.record import Record
from pentad.search.exact import exact_value

WIN = 1
MEMORY = 1 << 30  # bytes for a solver


@dataclass(frozen=True, slots=True)
class Grade:
    """A move with the values before and after it for the seat that made it; None where they are unknown."""

    ply: int
    seat: int
    move: Move
    before: int | None
    after: int | None

    @property
    def regret(self) -> int | None:
        """What the move lost: 0 for a best move, 2 for a win that became a loss."""
        return None if self.before is None or self.after is None else self.before - self.after


@dataclass(slots=True)
class Score:
    """The sum of a player's grades."""

    moves: int = 0
    graded: int = 0
    mistakes: int = 0
    regret: int = 0

    @property
    def unknown(self) -> int:
        """The number of moves that could not be graded."""
        return self.moves - self.graded

    def add(self, grade: Grade) -> None:
        self.moves += 1
        if grade.regret is not None:
            self.graded += 1
            self.mistakes += grade.regret > 0
            self.regret += grade.regret


def grade(record: Record, progress: Callable[[int, int], object] = lambda done, of: None) -> list[Grade]:
    """The grades of the moves of a record's main line; `progress` gets the positions done and their number."""
    nodes = [record.root, *record.main_line]
    values: list[int | None] = []  # for seat 0, from the last position back
    for done, node in enumerate(reversed(nodes)):
        progress(done, len(nodes))
        values.append(_value(node.position, values[-1] if values else None))
    values.reverse()
    found = []
    for ply, (here, after) in enumerate(itertools.pairwise(nodes)):
        seat = here.position.turn
        if values[ply] == (-WIN if seat == 0 else WIN):  # in a lost position every move loses
            values[ply + 1] = values[ply]
        before, then = (value if value is None or seat == 0 else -value for value in values[ply : ply + 2])
        assert after.move is not None
        found.append(Grade(here.position.ply, seat, after.move, before, then))
    return found


def _value(here: Position, after: int | None) -> int | None:
    """The value of a position for seat 0, with the value after the move that was played there."""
    if here.players != 2:
        return None
    sign = 1 if here.turn == 0 else -1
    if here.outcome:
        return round(here.outcome.returns[0])
    if after == WIN * sign:  # a move that wins proves that the position is won
        return after
    known = exact_value(here, seconds=None, memory=MEMORY)
    return None if known is None else sign * known.value
