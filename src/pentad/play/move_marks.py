"""Marks and accuracies of moves, by the chance to win that they gave away.

Chances are from 0 to 1. The thresholds of the marks and the curve of the accuracy are those of lichess, whose
thresholds are written for chances from -1 to 1 and so are twice as high.

    >>> [mark.name if (mark := mark_of(loss)) else None for loss in (0.04, 0.05, 0.1, 0.15)]
    [None, 'inaccuracy', 'mistake', 'blunder']
    >>> [round(accuracy_of(loss)) for loss in (0, 0.05, 0.1, 0.15, 0.5)]
    [100, 80, 64, 51, 9]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A name for moves that gave away so much of the chance to win, with the sign that is written behind them."""

    name: str
    sign: str
    least_loss: float


MARKS = (Mark("inaccuracy", "?!", 0.05), Mark("mistake", "?", 0.1), Mark("blunder", "??", 0.15))
SLACK = 1e-9  # a threshold is reached despite rounding

# The accuracy of a move falls from 100 by a curve that lichess has fitted to its games.
HEIGHT, BEND, FLOOR = 103.1668, 4.354, 3.1668
MIN_ACCURACY = 1.0  # the harmonic mean has no 0
WINDOWS = 10  # a window is this part of a game's positions
MIN_WINDOW, MAX_WINDOW = 2, 8
CALMEST, WILDEST = 0.005, 0.12  # the least and the greatest weight of a move


def mark_of(loss: float) -> Mark | None:
    """The mark for a loss of the chance to win, if there is one."""
    return next((mark for mark in reversed(MARKS) if loss >= mark.least_loss - SLACK), None)


def accuracy_of(loss: float) -> float:
    """The accuracy of one move, from 0 to 100."""
    return max(0.0, HEIGHT * math.exp(-BEND * max(loss, 0.0)) - FLOOR)


def accuracy(chances: Sequence[float], losses: Mapping[int, float]) -> float | None:
    """The accuracy of a player in a game, from 0 to 100; None without moves.

    `chances` are those of the player's seat in every position, `losses` those of its moves by the number of positions
    before them. It is the mean of a harmonic mean, in which bad moves weigh most, and of one by weights: a move weighs
    as much as the chances change around it, so that moves of a decided game weigh little.

    >>> accuracy([0.5, 0.5, 0.5], {0: 0.0, 1: 0.0}), accuracy([0.5], {})
    (100.0, None)
    """
    if not losses:
        return None
    found = {ply: accuracy_of(loss) for ply, loss in losses.items()}
    length = min(max(len(chances) // WINDOWS, MIN_WINDOW), MAX_WINDOW)
    weights = {ply: _weight(chances, ply, length) for ply in found}
    weighted = sum(weights[ply] * each for ply, each in found.items()) / sum(weights.values())
    harmonic = len(found) / sum(1 / max(each, MIN_ACCURACY) for each in found.values())
    return (weighted + harmonic) / 2


def _weight(chances: Sequence[float], ply: int, length: int) -> float:
    """How much the chances change in the window that ends after a move; the first moves share one."""
    end = max(ply + 2, length)
    window = chances[end - length : end]
    mean = sum(window) / len(window)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in window) / len(window))
    return min(max(deviation, CALMEST), WILDEST)
