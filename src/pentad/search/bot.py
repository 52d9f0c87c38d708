"""What a bot is, and the table of a game's bots."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from pentad.game import Game, GameError, Move, Position, game, shown

FALLBACK_OPPONENT = "greedy"


class Forfeit(GameError):
    """A bot has lost its game by what it did: it came too late, broke down, or played what may not be played."""


class Bot(ABC):
    """Someone who chooses moves. With the same seed and positions it chooses the same."""

    name = "bot"

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    @abstractmethod
    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        """A legal move; `seconds` is how long it may think, for bots that can use more or less."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """End whatever it has started; it may be asked again."""


def no_kernels(_: Position) -> tuple[str, ...]:
    """What a bot needs that is Python alone."""
    return ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in its game's table: made as it is, at one of its `levels` of strength, or by settings of its own.

    Settings stand behind a colon, `beam:depth=4`; `configure` gets the text there, which may hold anything. A bot
    that has nothing but `configure` is only there with settings. One that `starts_programs` runs what its settings
    name, so it is only for those who may do that on this machine: nobody gets it who does not say `programs=True`.
    `kernels` names the modules whose kernels it needs at a position: the first time on a machine it takes a while
    until they are compiled.
    """

    summary: str
    make: Callable[[int | None], Bot] | None = None
    make_level: Callable[[int, int | None], Bot] | None = None
    levels: range = range(0)
    configure: Callable[[str, int | None], Bot] | None = None
    starts_programs: bool = False
    kernels: Callable[[Position], tuple[str, ...]] = no_kernels


def bots(name: str) -> Mapping[str, Entry]:
    """The bots of a game, the weakest first."""
    return cast(Mapping[str, Entry], game(name).module("bot").BOTS)


def own_bots(name: str) -> Mapping[str, Entry]:
    """The bots of a game that start no programs, so that anybody may ask for them, from wherever."""
    return {who: entry for who, entry in bots(name).items() if not entry.starts_programs}


def default_opponent(name: str) -> str:
    """The bot that a newcomer meets at a game, in the terminal and in the browser, such as `engine@2`.

    It is the one that the game's module `bot` calls DEFAULT_OPPONENT: one to whom a newcomer loses, but not always.
    """
    table = own_bots(name)
    usual = FALLBACK_OPPONENT if FALLBACK_OPPONENT in table else list(table)[-1]
    return cast(str, getattr(game(name).module("bot"), "DEFAULT_OPPONENT", usual))


def best(name: str) -> str:
    """The game's best bot: the last one with levels, else the last one."""
    table = own_bots(name)
    return [who for who, entry in table.items() if entry.levels or not any(each.levels for each in table.values())][-1]


def name_and_settings(who: str) -> tuple[str, str | None]:
    """The name in the table that a bot is asked for by, and the settings behind it, if there is a colon.

    >>> name_and_settings("beam:depth=4"), name_and_settings("beam")
    (('beam', 'depth=4'), ('beam', None))
    """
    name, colon, settings = who.partition(":")
    return name, settings if colon else None


def entry_of(name: str, who: str) -> Entry | None:
    """The entry in a game's table of a bot by its name, a level, or its name with a level or settings behind it.

    >>> entry_of("pentago", "greedy@3") is bots("pentago")["greedy"], entry_of("pentago", "human")
    (True, None)
    """
    plain, _ = name_and_settings(who)
    return bots(name).get(best(name) if plain.isdecimal() else plain.partition("@")[0])


def bot(
    name: str,
    who: str | None = None,
    *,
    level: int | None = None,
    seed: int | None = None,
    programs: bool = False,
) -> Bot:
    """A bot for a game, by its name with or without settings, or by a level of strength; else the game's best.

    Only with `programs` may it be one that starts a program: whoever passes on a name must know who gave it.

    >>> bot("pentago", "greedy", seed=1).name
    'greedy'
    """
    return bot_maker(name, who, level=level, seed=seed, programs=programs)()


def bot_maker(
    name: str,
    who: str | None = None,
    *,
    level: int | None = None,
    seed: int | None = None,
    programs: bool = False,
) -> Callable[[], Bot]:
    """What makes the bot of that name: whether there is one is told now, what it needs is imported when it is made."""
    kind: Game = game(name)
    table = bots(name)
    if who is None:
        who = best(name)
        if level is not None and not table[who].levels:
            raise GameError(f"{kind.title} has no bot with levels yet; its bots are: {', '.join(table)}")
    plain, settings = name_and_settings(who) if isinstance(who, str) else ("", None)
    if plain not in table:
        raise GameError(f"{kind.title} has no bot {shown(who)}; its bots are: {', '.join(table)}")
    entry = table[plain]
    if entry.starts_programs and not programs:
        raise GameError(f"the bot {plain} of {kind.title} starts a program, which only a command line may ask for here")
    if settings is not None:
        return partial(_configured(kind, plain, settings, level), settings, seed)
    if level is not None and (type(level) is not int or level not in entry.levels):
        allowed = f"levels {entry.levels[0]} to {entry.levels[-1]}" if entry.levels else "no levels"
        raise GameError(f"the bot {plain} of {kind.title} has {allowed}, not {shown(level)}")
    if entry.make_level:
        return partial(entry.make_level, entry.levels[-1] if level is None else level, seed)
    if entry.make is None:
        raise GameError(f"the bot {plain} of {kind.title} needs settings, written {plain}:SETTINGS")
    return partial(entry.make, seed)


def _configured(kind: Game, name: str, settings: str, level: int | None) -> Callable[[str, int | None], Bot]:
    configure = bots(kind.name)[name].configure
    if configure is None:
        raise GameError(f"the bot {name} of {kind.title} takes no settings, so not {shown(settings)}")
    if level is not None:
        raise GameError(f"the bot {name} of {kind.title} takes a level or settings, not both")
    return configure
