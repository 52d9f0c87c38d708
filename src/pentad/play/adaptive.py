"""The adaptive opponent: a bot at a player's own level, which moves up after a win and down after a loss."""

from __future__ import annotations

import random

from pentad.search.bot import best, own_bots
from pentad.search.levels import RUNGS, STEP

FIRST_RUNG = RUNGS["medium"]  # after a win or a loss the level changes by a rung


def levels(game: str) -> tuple[float, float]:
    """The lowest and the highest level; in a game whose bots have none, the bots in a row count as levels."""
    table = own_bots(game)
    here = table[best(game)].levels
    return (here[0], here[-1]) if here else (1, sum(entry.make is not None for entry in table.values()))


def opponent(game: str, level: float | None, chance: random.Random) -> str:
    """The bot for a player at a level; a bot without rungs plays at either neighbouring level, at random."""
    lowest, highest = levels(game)
    here = min(max(FIRST_RUNG if level is None else level, lowest), highest)
    table, who = own_bots(game), best(game)
    if table[who].rungs:
        return f"{who}@{here:.3g}"
    whole = min(int(here + chance.random()), int(highest))
    return f"{who}@{whole}" if table[who].levels else [each for each, entry in table.items() if entry.make][whole - 1]


def after(game: str, level: float | None, returns: float) -> float:
    """The level after a game with these returns."""
    lowest, highest = levels(game)
    here = min(max(FIRST_RUNG if level is None else level, lowest), highest)
    return min(max(here + STEP * ((returns > 0) - (returns < 0)), lowest), highest)
