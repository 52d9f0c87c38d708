"""What a bot is, and the table of a game's bots."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from pentad.game import Game, GameError, Move, Position, game, shown

USUAL_RIVAL = "greedy"


class Bot(ABC):
    """Someone who chooses moves. With the same seed and positions it chooses the same."""

    name = "bot"

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    @abstractmethod
    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        """A legal move; `seconds` is how long it may think, for bots that can use more or less."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in its game's table; `levels` are the strengths it can be asked for, where it has any."""

    summary: str
    make: Callable[[int | None], Bot] | None = None
    make_level: Callable[[int, int | None], Bot] | None = None
    levels: range = range(0)


def bots(name: str) -> Mapping[str, Entry]:
    """The bots of a game, the weakest first."""
    return cast(Mapping[str, Entry], game(name).module("bot").BOTS)


def rival(name: str) -> str:
    """The bot that a newcomer meets at a game: neither the weakest nor the strongest."""
    table = bots(name)
    return USUAL_RIVAL if USUAL_RIVAL in table else list(table)[-1]


def bot(name: str, who: str | None = None, *, level: int | None = None, seed: int | None = None) -> Bot:
    """A bot for a game, by its name, or by a level of strength; without either the game's best.

    >>> bot("pentago", "greedy", seed=1).name
    'greedy'
    """
    kind: Game = game(name)
    table = bots(name)
    if who is None:
        levelled = [each for each, entry in table.items() if entry.levels]
        if level is not None and not levelled:
            raise GameError(f"{kind.title} has no bot with levels yet; its bots are: {', '.join(table)}")
        who = levelled[-1] if levelled else list(table)[-1]
    if who not in table:
        raise GameError(f"{kind.title} has no bot {shown(who)}; its bots are: {', '.join(table)}")
    entry = table[who]
    if level is not None and level not in entry.levels:
        allowed = f"levels {entry.levels[0]} to {entry.levels[-1]}" if entry.levels else "no levels"
        raise GameError(f"the bot {who} of {kind.title} has {allowed}, not {shown(level)}")
    if entry.make_level:
        return entry.make_level(entry.levels[-1] if level is None else level, seed)
    assert entry.make is not None
    return entry.make(seed)
