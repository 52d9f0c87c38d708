"""Levels of strength: the limits and errors of a bot's search, and the ladder of even steps from weakest to best.

Levels are numbers from 1 to 5. The rungs of the ladder lie half a level apart and have the same names in all games;
between two rungs a bot plays each move as one or the other. `who@LEVEL` names a bot at a level, a rung or a rating.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from pentad.game import GameError, did_you_mean, shown

LOWEST, HIGHEST, STEP = 1.0, 5.0, 0.5
RUNGS = {
    "beginner": 1.0,
    "easy": 1.5,
    "casual": 2.0,
    "medium": 2.5,
    "skilled": 3.0,
    "hard": 3.5,
    "expert": 4.0,
    "master": 4.5,
    "best": 5.0,
}
LOWEST_RATING = 100  # larger numbers than the levels are ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The strength of an engine's bot: the limits of its search, and its errors. A bot uses those that it knows.

    The scores of the best `among` moves get `noise`, and repetitions lose `contempt`. The transposition table has
    `slots`, and a threat search at a leaf `effort` nodes.
    """

    depth: int | None = None  # turns; None for no limit but time
    nodes: int | None = None  # positions, visits or random games; None for no limit but time
    noise: float = 0.0
    blunder_rate: float = 0.0  # how often a move is that of a far weaker search
    oversight: float = 0.0  # how often the opponent's threat to win is overlooked, and other things accordingly
    among: int = 1
    contempt: float = 0.0
    slots: int = 1 << 14
    effort: int = 0
    book: bool = False  # whether the opening book is used
    exact: bool = False  # whether a solver is asked

    def lapse(self) -> Level:
        """The far weaker search of a lapse: a look at the next moves only, and a poor judgement of them."""
        nodes = None if self.nodes is None else max(self.nodes // LAPSE_NODES, 1)
        depth = None if self.depth is None else 1
        noise = LAPSE_NOISE * self.noise
        return replace(self, nodes=nodes, depth=depth, noise=noise, effort=0, book=False, exact=False, blunder_rate=0.0)


LAPSE_NODES, LAPSE_NOISE = 20, 2.0  # a lapse searches so many times fewer nodes, with so many times the noise

Ladder = Mapping[float, Level]  # the level of each rung


def ladder(*levels: Level) -> Ladder:
    """The levels of all rungs, from the weakest to the best."""
    return dict(zip(RUNGS.values(), levels, strict=True))


def at(levels: Ladder, number: float, chance: random.Random) -> Level:
    """The level for one move at a number: a rung's own, or that of either neighbour, the nearer one more often.

    >>> at(ladder(*(Level(nodes=10 * n) for n in range(1, 10))), 2.5, random.Random(1)).nodes
    40
    """
    if number in levels:
        return levels[number]
    low, high = next(pair for pair in pairwise(sorted(levels)) if pair[0] < number < pair[1])
    return levels[high if chance.random() * (high - low) < number - low else low]


def may_be_highest(text: str) -> bool:
    """Whether a bot plays moves at the highest level, by the text of its level: a number between two rungs may.

    >>> [text for text in ("", "3", "hard", "4.6", "best", "2000") if may_be_highest(text)]
    ['', '4.6', 'best', '2000']
    """
    number = RUNGS.get(text)
    if number is None:
        number = float(text) if text.replace(".", "", 1).isdecimal() else HIGHEST
    return number > HIGHEST - STEP


def read_level(text: str, ratings: Callable[[], Mapping[float, float]]) -> float:
    """The level that a text names: a number, a rung, or a rating; `ratings` gives those of the rungs.

    >>> rated = lambda: {1.0: 800, 1.5: 1000, 2.0: 1200}
    >>> read_level("2", rated), read_level("medium", rated), read_level("1100", rated)
    (2.0, 2.5, 1.75)
    """
    if text in RUNGS:
        return RUNGS[text]
    try:
        number = float(text) if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 8 else None
    except ValueError:  # the text is a point alone
        number = None
    if number is None:
        tip = did_you_mean(text, RUNGS)
        raise GameError(
            "Unknown level {text}. {tip}Expected a level from 1 to 5, a strength ({strengths}) or a rating.",
            text=shown(text),
            tip=tip,
            strengths=", ".join(RUNGS),
        )
    if number < LOWEST_RATING or not (rated := ratings()):
        return number
    return of_rating(number, rated)


def of_rating(elo: float, rated: Mapping[float, float]) -> float:
    """The level with a rating, by the ratings of the rungs.

    A rung that was measured to be no stronger than a lower one is left out, so that higher ratings are higher levels.
    """
    rising: list[tuple[float, float]] = []
    for number, rating in sorted(rated.items()):
        if not rising or rating > rising[-1][1]:
            rising.append((number, rating))
    if not rising[0][1] <= elo <= rising[-1][1]:
        raise GameError(
            "Strength is a rating from {lowest:.0f} to {highest:.0f}, not {elo:.0f}.",
            lowest=rising[0][1],
            highest=rising[-1][1],
            elo=elo,
        )
    for (low, below), (high, above) in pairwise(rising):
        if elo <= above:
            return low + (high - low) * (elo - below) / (above - below)
    return rising[-1][0]
