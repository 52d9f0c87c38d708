"""Opening trees: the moves that games played from a position, with their results, whatever moves led there.

Positions that a symmetry of the board maps to each other count together, under the key of their standard position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pentad.game import Move, Position
from pentad.game.standard_position import StandardPosition
from pentad.record.text_format import Record


class Branch(NamedTuple):
    """A move of an opening tree: how many times it was played, and the results of these games.

    Wins and losses are those of the seat that makes the move. Games without a result count as played only.
    """

    move: Move
    times: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """The mean result from 0 to 1; a half without results."""
        results = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / results if results else 0.5


def most_frequent(branches: Iterable[Branch]) -> list[Branch]:
    """Branches, the most frequent first and then those with the best score."""
    return sorted(branches, key=lambda branch: (-branch.times, -branch.score))


class Ply(NamedTuple):
    """A move of a game: the key of the position before it, its name, and the result for the seat that made it.

    A win is 1, a draw 0, a loss -1; a game without a result has None.
    """

    key: str
    name: str
    result: int | None


def plies_of(record: Record, standard_of: Callable[[Position], StandardPosition] = StandardPosition) -> list[Ply]:
    """The moves of the main line; many games share openings, for which `standard_of` may keep what it has found."""
    outcome = record.outcome
    found = []
    for node in record.main_line:
        before, move = node.played
        worth = outcome.returns[before.turn] if outcome else None
        result = None if worth is None else (worth > 0) - (worth < 0)
        standard = standard_of(before)
        found.append(Ply(standard.key, standard.name(move), result))
    return found


class OpeningTree:
    """Games by the positions that occur in them; symmetric ones are one.

    >>> from pentad.record import Record
    >>> tree, record = OpeningTree(), Record("pentago")
    >>> for move in ("b2 3A", "a2 1C"):
    ...     _ = record.play(move)
    >>> tree.add(plies_of(record))
    >>> [(str(branch.move), branch.times) for branch in tree.branches(record.start)]
    [('b2 3A', 1)]
    """

    def __init__(self) -> None:
        self._results: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)

    def add(self, plies: Iterable[Ply]) -> None:
        """Adds a game."""
        for key, name, result in plies:
            counts = self._results[key].setdefault(name, [0, 0, 0, 0])
            counts[0] += 1
            if result is not None:
                counts[2 - result] += 1

    def branches(self, position: Position) -> list[Branch]:
        """The moves that were played from a position, the most frequent first."""
        standard = StandardPosition(position)
        found = list(self._results.get(standard.key, {}).items())  # games may be added meanwhile
        return most_frequent(Branch(standard.move(name), *counts) for name, counts in found)
