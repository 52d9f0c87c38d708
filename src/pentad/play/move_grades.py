"""Grades of moves: the chance to win that each gave away, and the exact value before and after it, where it is proved.

    >>> from pentad import load
    >>> from pentad.record import Record
    >>> record = Record(load("pentago bbbb../wwww../....../....../....../......"))
    >>> for move in ("f5 4C", "b4"):
    ...     _ = record.end.play(move)
    >>> [(str(each.move), each.before, each.after, each.regret) for each in grade(record)]
    [('f5 4C', 1, -1, 2), ('b4', 1, 1, 0)]
    >>> [(each.judgement.loss, each.judgement.mark and each.judgement.mark.name) for each in grade(record)]
    [(1.0, 'blunder'), (0.0, None)]

Values are 1 for a win of the player who moves, 0 for a draw and -1 for a loss. They are those of
`pentad.search.exact`, or follow from them. Other positions are assessed by a search of fixed work, so that the grades
are the same on every machine. `pentad.play.game_review` says how a move is judged.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pentad.game import Move, Position
from pentad.play.game_review import ByFixedWork, Judgement, KnownPly, accuracies, judge
from pentad.play.position_assessment import Assessment, assess_by_fixed_work, assess_end
from pentad.record import Record


@dataclass(frozen=True, slots=True)
class Grade:
    """A move, its judgement, and the exact values before and after it for its seat; None where they are unknown."""

    ply: int
    seat: int
    move: Move
    before: int | None
    after: int | None
    judgement: Judgement

    @property
    def regret(self) -> int | None:
        """What the move lost: 0 for a best move, 2 for a win that became a loss."""
        return None if self.before is None or self.after is None else self.before - self.after


@dataclass(slots=True)
class GradeSum:
    """The sum of a player's grades: `graded`, `mistakes` and `regret` count exact values alone.

    `marks` counts the marks by name, and `accuracies` has one number for each game.
    """

    moves: int = 0
    graded: int = 0
    mistakes: int = 0
    regret: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    accuracies: list[float] = field(default_factory=list)

    @property
    def unknown(self) -> int:
        """The number of moves that could not be graded."""
        return self.moves - self.graded

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of the games; None without moves."""
        return sum(self.accuracies) / len(self.accuracies) if self.accuracies else None

    def add(self, grade: Grade) -> None:
        self.moves += 1
        if mark := grade.judgement.mark:
            self.marks[mark.name] += 1
        if grade.regret is not None:
            self.graded += 1
            self.mistakes += grade.regret > 0
            self.regret += grade.regret


def grade(record: Record, progress: Callable[[int, int], object] = lambda done, of: None) -> list[Grade]:
    """The grades of the moves of a record's main line; `progress` gets the positions done and their number."""
    nodes = [record.root, *record.main_line]
    shown = record.shown
    assessed: list[Assessment] = []  # the last position comes first
    for done, node in enumerate(reversed(nodes)):
        progress(done, len(nodes))
        following = assessed[-1] if assessed else None
        ends = shown if not assessed else None
        assessed.append(assess_end(node.position, ends) if ends else _assessment(node.position, following))
    assessed.reverse()
    for ply, here in enumerate(assessed[:-1]):
        if _is_won_by(here, 1 - here.position.turn):  # in a lost position every move loses
            assessed[ply + 1] = _same(here, nodes[ply + 1].position)
    found = []
    for ply, (here, then) in enumerate(itertools.pairwise(assessed)):
        seat, move = here.position.turn, nodes[ply + 1].move
        assert move is not None
        judgement = judge(here, move, then, ByFixedWork())
        found.append(Grade(here.position.ply, seat, move, _exact(here, seat), _exact(then, seat), judgement))
    return found


def _assessment(here: Position, following: Assessment | None) -> Assessment:
    """The assessment of a position, with that of the position after its move."""
    if following and _is_won_by(following, here.turn):  # a move that wins proves that the position is won
        return _same(following, here)
    return assess_by_fixed_work(here)


def _is_won_by(found: Assessment, seat: int) -> bool:
    return len(found.values) == 2 and found.wins(seat)


def _same(found: Assessment, position: Position) -> Assessment:
    """The same values in another position."""
    return Assessment(position, None, found.values, exact=True, how=found.how)


def _exact(found: Assessment, seat: int) -> int | None:
    return round(found.values[seat]) if found.exact and len(found.values) == 2 else None


def accuracies_of(grades: Sequence[Grade]) -> tuple[float | None, ...]:
    """The accuracy of each seat in a game, by the grades of all its moves; None for one that has not moved."""
    plies = [KnownPly(each.judgement.here.chances, each.seat, each.judgement.loss) for each in grades]
    return accuracies(plies, grades[-1].judgement.then.chances) if grades else ()
