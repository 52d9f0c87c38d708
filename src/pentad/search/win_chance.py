"""The chance to win, from an engine's evaluation.

A value for each seat, from -1 to 1, is first a share of the win: 0 for a loss, 1 for a win, and an equal part of it for
every seat where the position is even. The chance of a seat is its share to the power of the game's `sharpness`, divided
by the sum of those of all seats. With two players that is a logistic of the evaluation. The sharpness is fitted to the
engine's own games by `training/win_chance.py`, which writes `win_chance.json` in the folder of the game.

    >>> from pentad import new
    >>> chances(new("pente"), (0.0, 0.0)), chances(new("pente"), (1.0, -1.0), exact=True)
    ((0.5, 0.5), (1.0, 0.0))
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pentad.game import Position, game

FILE = "win_chance.json"  # each game's folder has one
UNFITTED = 1.0  # the sharpness for a game that has no file
LEAST = 0.001  # the smallest share of an estimate: only what is proved is certain


@dataclass(frozen=True, slots=True)
class Fit:
    """The sharpness for positions with these options; `players` is one of them."""

    options: Mapping[str, Any]
    sharpness: float

    def holds(self, position: Position) -> bool:
        """Whether the fit is for a position."""
        known = {"players": position.players, **position.options}
        return all(known.get(name) in values for name, values in self.options.items())


@lru_cache
def fits(name: str) -> tuple[Fit, ...]:
    """The fits of a game; the first one that holds for a position is its own."""
    text = game(name).data(FILE)
    return tuple(Fit(each["options"], each["sharpness"]) for each in json.loads(text)["fits"]) if text else ()


def sharpness(position: Position) -> float:
    """The exponent of the shares, where 1 takes the values as they are."""
    return next((fit.sharpness for fit in fits(position.game) if fit.holds(position)), UNFITTED)


def chances(position: Position, values: Sequence[float], *, exact: bool = False) -> tuple[float, ...]:
    """The chance to win of each seat, from its value; of exact values their share of the win.

    >>> from pentad import new
    >>> [round(each, 3) for each in chances(new("pentagame", players=3), (0, 0, 0))]
    [0.333, 0.333, 0.333]
    """
    shares = [share(value, len(values)) for value in values]
    return tuple(shares) if exact else powers(shares, sharpness(position))


def share(value: float, players: int) -> float:
    """A value as a share of the win: of two players 1 is 1, 0 is a half and -1 is 0."""
    return min(1.0, max(0.0, ((players - 1) * value + 1) / players))


def powers(shares: Sequence[float], exponent: float) -> tuple[float, ...]:
    """The shares to a power, so divided that their sum is 1."""
    raised = [max(each, LEAST) ** exponent for each in shares]
    return tuple(each / sum(raised) for each in raised)
