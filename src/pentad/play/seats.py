"""Seats: a person, or a bot by its name or level."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.game import Game, GameError, shown
from pentad.play.warmup_bot import Preparation, WarmUpBot
from pentad.search.bot import Bot, bot_maker, bots, entry_of, name_and_settings

HUMAN = "human"


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
    """A seat for `human`, a bot by name, a level (`3`), a bot at a level (`name@3`) or with settings (`name:…`).

    A bot that starts a program is allowed only with `programs`: the user who runs pentad asked for it. A `remote` bot
    runs in another process: its name is checked, but none is made here. While kernels are `preparing`, a warm-up bot
    plays for a bot that needs them.
    """
    if who == HUMAN:
        return Seat(HUMAN)
    plain, settings = name_and_settings(who)
    name, _, level = (f"@{plain}" if plain.isdecimal() else plain).partition("@")
    if level and not (level.isascii() and level.isdecimal() and len(level) < 4):
        raise GameError(f"{shown(who)} names no level. Expected a name and a level, such as name@3.")
    if not (name or level) or ((name or settings is not None) and name not in bots(game.name)):
        known = ", ".join((HUMAN, *bots(game.name)))
        raise GameError(f"Unknown player {shown(who)}. The players of {game.title} are: {known}.")
    requested = name if settings is None else f"{name}:{settings}"
    number = int(level) if level else None
    make = bot_maker(game.name, requested or None, level=number, seed=seed, programs=programs)
    if settings is not None:  # making the bot checks its settings
        return Seat(who, make())
    if remote:
        return Seat(who)
    return Seat(who, WarmUpBot(who, make, preparing, seed) if preparing else make())


def starts_program(game: Game, who: str) -> bool:
    """Whether the bot of this name starts a program."""
    entry = entry_of(game.name, who)
    return entry is not None and entry.starts_programs


def seat_number(game: Game, name: str, players: int) -> int:
    """The seat with this name: its number from 0 or its colour."""
    known = {str(seat): seat for seat in range(players)}
    known |= {colour: seat for seat, colour in enumerate(game.colours[:players])}
    if name.lower() not in known:
        raise GameError(f"Unknown seat {shown(name)}. The seats are: {', '.join(known)}.")
    return known[name.lower()]
