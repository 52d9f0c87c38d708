"""The adaptive opponent: a ladder of bots on which a player moves half a rung up or down after each game."""

from __future__ import annotations

import random

from pentad.search.bot import own_bots

FIRST, STEP = 2.0, 0.5  # the rung of a new player, and the change after a win or a loss


def ladder(game: str) -> list[str]:
    """A game's bots from the random one to the strongest, each clearly stronger than the one before.

    They are the levels of the strongest bot, or all bots of a game whose bots have no levels.

    >>> ladder("pentago")
    ['random', 'engine@1', 'engine@2', 'engine@3', 'engine@4', 'engine@5']
    """
    table = own_bots(game)
    if not any(entry.levels for entry in table.values()):
        return [who for who, entry in table.items() if entry.make]
    who, entry = [(who, entry) for who, entry in table.items() if entry.levels][-1]
    return ["random", *(f"{who}@{level}" for level in entry.levels)]


def opponent(game: str, rung: float | None, chance: random.Random) -> str:
    """The bot for a player on a rung; between two rungs it is either neighbour, at random."""
    rungs = ladder(game)
    here = FIRST if rung is None else rung
    return rungs[min(max(int(here + chance.random()), 0), len(rungs) - 1)]


def after(game: str, rung: float | None, returns: float) -> float:
    """The rung after a game with these returns: up for a win, down for a loss."""
    here = (FIRST if rung is None else rung) + STEP * ((returns > 0) - (returns < 0))
    return min(max(here, 0.0), len(ladder(game)) - 1.0)
