"""Who sits at a seat: a person, or a bot by its name or level."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.game import Game, GameError, shown
from pentad.play.warmup_bot import Preparation, WarmUpBot
from pentad.search.bot import Bot, bot_maker, bots, entry_of, name_and_settings

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat and who sits there; `bot` is None for a person, and for a bot that thinks elsewhere."""

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

    A bot that starts a program sits only where `programs` says that the name was asked for by whoever runs pentad.
    One that thinks `remote` is only known to be there: what it needs is not brought into this process. While
    something is `preparing`, a simpler bot plays for one that needs it.
    """
    if who == HUMAN:
        return Seat(HUMAN)
    plain, settings = name_and_settings(who)
    name, _, level = (f"@{plain}" if plain.isdecimal() else plain).partition("@")
    if level and not (level.isascii() and level.isdecimal() and len(level) < 4):
        raise GameError(f"{shown(who)} names no level; a bot at a level is written name@3")
    if not (name or level) or ((name or settings is not None) and name not in bots(game.name)):
        known = ", ".join((HUMAN, *bots(game.name)))
        raise GameError(f"nobody called {shown(who)} can sit here; at {game.title} sit: {known}")
    asked = name if settings is None else f"{name}:{settings}"
    number = int(level) if level else None
    make = bot_maker(game.name, asked or None, level=number, seed=seed, programs=programs)
    if settings is not None:  # whether they are right is only known by using them
        return Seat(who, make())
    if remote:
        return Seat(who)
    return Seat(who, WarmUpBot(who, make, preparing, seed) if preparing else make())


def starts_program(game: Game, who: str) -> bool:
    """Whether whoever is called so would start a program."""
    entry = entry_of(game.name, who)
    return entry is not None and entry.starts_programs


def seat_number(game: Game, name: str, players: int) -> int:
    """The seat that a person names: by its number from 0 or by its colour."""
    known = {str(seat): seat for seat in range(players)}
    known |= {colour: seat for seat, colour in enumerate(game.colours[:players])}
    if name.lower() not in known:
        raise GameError(f"there is no seat {shown(name)}; the seats are: {', '.join(known)}")
    return known[name.lower()]
