"""A simpler bot for the first moves on a machine: it plays while the kernels of the one that is wanted are compiled.

That is for screens alone, where a person would wait. A match, a manager and the library wait for the bot itself, so
that a seed gives the same moves on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from pentad import kernel
from pentad.game import Move, Position, game
from pentad.search.bot import Bot, best, entry_of, own_bots

SECONDS = 1.0  # for a simpler bot's move
NOTE = "A simpler bot played this move: the engine was still being prepared."


def kernels_of(name: str) -> tuple[str, ...]:
    """The modules of kernels that a game's bots need on its usual board, those of the best bot first."""
    start, table = game(name).new(), own_bots(name)
    first = best(name)
    entries = [table[first], *(entry for who, entry in table.items() if who != first)]
    return tuple(dict.fromkeys(each for entry in entries for each in entry.kernels(start)))


def missing(position: Position, who: str) -> tuple[str, ...]:
    """The modules of kernels that a bot needs at a position and that are not compiled yet on this machine."""
    entry = entry_of(position.game, who)
    return tuple(each for each in entry.kernels(position) if not kernel.are_kept(each)) if entry else ()


def stand_in(name: str, seed: int | None = None) -> Bot:
    """The bot of a game that needs no kernels and plays well enough for a while."""
    return game(name).module("bot").STAND_IN(seed)  # type: ignore[no-any-return]


class Preparing:
    """Kernels that are compiled while a game goes on."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.share = 0.0
        self.is_over = not self.names
        if self.names:
            threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        try:
            kernel.keep(*self.names, tell=self._tell)
        finally:
            self.is_over = True  # whatever went wrong is told by the bot that needs them

    def _tell(self, share: float) -> None:
        self.share = share


class WithStandIn(Bot):
    """A bot for which a simpler one plays until its kernels are compiled; `stood_in` says whether it did just now."""

    def __init__(self, who: str, make: Callable[[], Bot], preparing: Preparing, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = self._who = who
        self._make, self._preparing, self._seed = make, preparing, seed
        self._bot: Bot | None = None
        self.stood_in = False

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        self.stood_in = self._bot is None and not self._preparing.is_over and bool(missing(position, self._who))
        if self.stood_in:
            return stand_in(position.game, self._seed).choose(position, seconds=min(seconds or SECONDS, SECONDS))
        self._bot = self._bot or self._make()
        return self._bot.choose(position, seconds=seconds)

    def close(self) -> None:
        if self._bot:
            self._bot.close()


def stood_in(bot: Bot) -> bool:
    """Whether a simpler bot has played the last move of this one."""
    return isinstance(bot, WithStandIn) and bot.stood_in
