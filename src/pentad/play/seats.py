"""Seats: a person, or a bot by its name or level; and warm-up bots, which play while a bot's kernels are compiled.

Only interactive play uses warm-up bots, where a person would wait. Matches, Gomocup managers and the library wait for
the requested bot, so that a seed gives the same moves on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pentad.game import Game, GameError, Position, did_you_mean, game, shown
from pentad.kernels import cache
from pentad.search.bot import Bot, BotEntry, best, bot, bot_maker, bots, entry_of, fallback, own_bots, read_name
from pentad.search.levels import RUNGS
from pentad.search.move_limit import DEFAULT_LIMIT, DEFAULT_SECONDS, Limit
from pentad.search.report import Result

HUMAN = "human"
NOTE = "A simpler bot played this move: the engine was still being prepared."


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its player; `bot` is None for a person and for a remote bot."""

    who: str
    bot: Bot | None = None

    @property
    def is_human(self) -> bool:
        return self.who == HUMAN


def sit(
    game: Game,
    who: str,
    *,
    seed: int | None = None,
    programs: bool = False,
    remote: bool = False,
    preparing: Preparation | None = None,
) -> Seat:
    """A seat for `human`, a bot by name, at a level (`3`, `medium`, `name@3`) or with settings (`name:…`).

    A bot that starts a program is allowed only with `programs`: the user who runs pentad asked for it. A `remote` bot
    runs in another process: its name is checked, but none is made here. While kernels are `preparing`, a warm-up bot
    plays for a bot that needs them.
    """
    if who == HUMAN:
        return Seat(HUMAN)
    name, level, settings = read_name(who)
    if not (name or level) or (name and name not in bots(game.name)):
        known = ", ".join((HUMAN, *bots(game.name)))
        tip = did_you_mean(name, (HUMAN, *bots(game.name), *RUNGS))
        raise GameError(
            "Unknown player {who}. {tip}The players of {title} are: {known}.",
            who=shown(who),
            tip=tip,
            title=game.title,
            known=known,
        )
    make = bot_maker(game.name, who, seed=seed, programs=programs)
    if settings is not None:  # making the bot checks its settings
        return Seat(who, make())
    if remote:
        return Seat(who)
    return Seat(who, PreparingBot(who, make, preparing, seed) if preparing else make())


def starts_program(game: Game, who: str) -> bool:
    """Whether the bot of this name starts a program."""
    entry = entry_of(game.name, who)
    return entry is not None and entry.starts_programs


def seat_number(game: Game, name: str, players: int) -> int:
    """The seat with this name: its number from 0 or its colour."""
    known = {str(seat): seat for seat in range(players)}
    known |= {colour: seat for seat, colour in enumerate(game.colours[:players])}
    if name.lower() not in known:
        tip = did_you_mean(name, known)
        raise GameError(
            "Unknown seat {name}. {tip}The seats are: {known}.", name=shown(name), tip=tip, known=", ".join(known)
        )
    return known[name.lower()]


# ── warm-up bots ─────────────────────────────────────────────────────────────────────────────────


def kernels_of(name: str) -> tuple[str, ...]:
    """The kernel modules that a game's bots need on its default board, those of the best bot first."""
    start, table = game(name).new(), own_bots(name)
    first = best(name)
    entries = [table[first], *(entry for who, entry in table.items() if who != first)]
    return tuple(dict.fromkeys(each for entry in entries for each in _in_game(entry, start)))


def kernels_from(position: Position, who: str) -> tuple[str, ...]:
    """The kernel modules that a bot needs in a game from a position, those of a move there first."""
    entry = entry_of(position.game, who)
    return _in_game(entry, position) if entry else ()


def _in_game(entry: BotEntry, position: Position) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*entry.kernels(position), *entry.later_kernels(position))))


def missing_kernels(position: Position, who: str) -> tuple[str, ...]:
    """The kernel modules that a bot needs for a move at a position and that this machine must compile first."""
    entry = entry_of(position.game, who)
    return tuple(each for each in entry.kernels(position) if not cache.are_compiled(each)) if entry else ()


def warm_up_bot(name: str, seed: int | None = None) -> Bot:
    """A game's warm-up bot: it needs no kernels and plays reasonably well. A game without one has its fallback."""
    module = game(name).module("bot")
    make: Callable[[int | None], Bot] | None = getattr(module, "WARM_UP_BOT", None)
    return make(seed) if make else bot(name, fallback(name), seed=seed)


def warm_up(position: Position, limit: Limit, seed: int | None) -> Result:
    """The result of the game's warm-up bot, which takes a second at most."""
    seconds = min(limit.time, DEFAULT_SECONDS)
    found = warm_up_bot(position.game, seed).play(position, Limit(seconds=seconds))
    return replace(found, note=NOTE, simpler=True)


class Preparation:
    """Kernels that are compiled in the background while a game is played, unless they are there already."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(each for each in names if not cache.are_compiled(each))
        self.share = 0.0
        self.is_over = not self.names
        if self.names:
            threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        try:
            cache.ensure_compiled(*self.names, report=self._show)
        finally:
            self.is_over = True  # an error is reported by the bot that needs the kernels

    def _show(self, share: float) -> None:
        self.share = share


class PreparingBot(Bot):
    """A bot that a simpler one replaces while the kernels of a move are not compiled."""

    def __init__(self, who: str, make: Callable[[], Bot], preparing: Preparation, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = self._who = who
        self._make, self._preparing, self._seed = make, preparing, seed
        self._bot: Bot | None = None

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        if not self._preparing.is_over and missing_kernels(position, self._who):
            return warm_up(position, limit, self._seed)
        self._bot = self._bot or self._make()
        return self._bot.play(position, limit)

    def close(self) -> None:
        if self._bot:
            self._bot.close()
