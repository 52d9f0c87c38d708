"""Styles of play: points for the leading moves of a search, by what a stone makes, prevents or captures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pentad.games.pente.engine import constants as k

MAX_POINTS = 240  # a style never costs more than so much of the evaluation
LINES = {k.OPEN_FOUR: 200, k.FOUR: 120, k.OPEN_THREE: 120, k.THREE: 60, k.OPEN_TWO: 40}


@dataclass(frozen=True, slots=True)
class Style:
    """Points for each shape that a stone makes or prevents, and for each stone that it captures or saves."""

    title: str
    summary: str
    makes: Mapping[int, int] = field(default_factory=dict)
    prevents: Mapping[int, int] = field(default_factory=dict)
    captures: int = 0
    saves: int = 0

    def points(self, mine: int, theirs: int) -> int:
        """The points for a move, by the sums of what either colour's stone would make there."""
        made = sum(worth * _count(mine, shape) for shape, worth in self.makes.items())
        prevented = sum(worth * _count(theirs, shape) for shape, worth in self.prevents.items())
        taken = self.captures * (mine >> k.TAKEN & k.TAKEN_BITS) + self.saves * (theirs >> k.TAKEN & k.TAKEN_BITS)
        return min(made + prevented + taken, MAX_POINTS)


def _count(total: int, shape: int) -> int:
    return total >> k.FIELD[shape] & 7


STYLES = {
    "attacking": Style("Attacker", "the engine in a style that builds its own lines", makes=LINES),
    "capturing": Style("Capturer", "the engine in a style that captures", captures=100, saves=25),
    "solid": Style("Defender", "the engine in a style that blocks", prevents=LINES, saves=80),
}
