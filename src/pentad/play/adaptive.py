"""An opponent that aims at an even score: a ladder of bots on which a person goes half a rung up or down."""

from __future__ import annotations

import random

from pentad.search.bot import own_bots

FIRST, STEP = 2.0, 0.5  # where a newcomer stands, and how far a won or lost game leads


def ladder(game: str) -> list[str]:
    """A game's bots from one that plays by chance to the strongest, each clearly stronger than the one before.

    >>> ladder("pentago")
    ['random', 'engine@1', 'engine@2', 'engine@3', 'engine@4', 'engine@5']
    """
    who, entry = [(who, entry) for who, entry in own_bots(game).items() if entry.levels][-1]
    return ["random", *(f"{who}@{level}" for level in entry.levels)]


def opponent(game: str, rung: float | None, chance: random.Random) -> str:
    """Who is to play against somebody on a rung; between two rungs now the one, now the other."""
    rungs = ladder(game)
    here = FIRST if rung is None else rung
    return rungs[min(max(int(here + chance.random()), 0), len(rungs) - 1)]


def after(game: str, rung: float | None, returns: float) -> float:
    """The rung after a game, from what it brought: up for a win, down for a loss."""
    here = (FIRST if rung is None else rung) + STEP * ((returns > 0) - (returns < 0))
    return min(max(here, 0.0), len(ladder(game)) - 1.0)
