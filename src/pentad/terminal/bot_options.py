"""What a game lets a person say of its bot on the command line, such as `--difficulty 3`, and other names of options.

A game's module `bot` may have `SETTINGS`, from a setting's name to its help, and with it `bot_name(given)`, which
tells what the bot with these settings (as texts) is called; and `ALIASES`, from another name of an option to its own.
Its module `draw` may have `TURNED_FOR`, the colour for whose turns the board is turned round.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import cast

from pentad.game import Game, GameError
from pentad.play.seats import HUMAN
from pentad.terminal.arguments import Parser, flag

SETTLED = "bot"  # who sits at a seat for the bot of the settings
_SETTING = "setting_"  # before the names under which argparse keeps them


def aliases(kind: Game | None) -> Mapping[str, str]:
    """Other names of a game's options, and of the ways to show it."""
    return cast(Mapping[str, str], getattr(kind.module("bot"), "ALIASES", {})) if kind else {}


def turned_for(kind: Game) -> str | None:
    """The colour whose turns `--flip` is about; None where it is about the whole game."""
    return cast("str | None", getattr(kind.module("draw"), "TURNED_FOR", None))


def what_flip_does(kind: Game | None) -> str:
    """`--flip` in a line, for the help."""
    if kind is None:
        return "look from the other side; in some games only while one colour is to move"
    colour = turned_for(kind)
    return f"turn the board round while {colour} is to move" if colour else "look from the other side"


def add_settings(parser: Parser, kind: Game | None) -> None:
    """An argument for every setting."""
    settings = cast(Mapping[str, str], getattr(kind.module("bot"), "SETTINGS", {})) if kind else {}
    if not settings or kind is None:
        return
    group = parser.add_argument_group(
        f"how the bot of {kind.title} plays",
        f"The bot with these settings sits at the seats that nobody is given, and wherever WHO is {SETTLED}.",
    )
    for name, told in settings.items():
        group.add_argument(flag(name), metavar=name[0].upper(), dest=_SETTING + name, help=told.replace("%", "%%"))


def settle(args: argparse.Namespace, kind: Game, given: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The seats that were given, with the name of the bot of the settings where `bot` sits."""
    if not hasattr(kind.module("bot"), "SETTINGS"):
        return given
    return [(seat, _name(args, kind) if who == SETTLED else who) for seat, who in given]


def fill(args: argparse.Namespace, kind: Game, taken: Mapping[int, str], players: int) -> dict[int, str]:
    """The bot of the settings at the seats that are free; one of them is a person's if there is none yet."""
    settings = _given(args)
    if not settings:
        return {}
    name = _name(args, kind)
    free = [seat for seat in range(players) if seat not in taken]
    if free and HUMAN not in taken.values():
        del free[0]
    if not free and name not in taken.values():
        raise GameError(
            f"{flag(next(iter(settings)))} tells how a bot plays, but none is to sit here; {SETTLED} at a seat names it"
        )
    return dict.fromkeys(free, name)


def _given(args: argparse.Namespace) -> dict[str, str]:
    return {
        name.removeprefix(_SETTING): text
        for name, text in vars(args).items()
        if name.startswith(_SETTING) and text is not None
    }


def _name(args: argparse.Namespace, kind: Game) -> str:
    return cast(str, kind.module("bot").bot_name(_given(args)))
