"""Options for a game's bot on the command line, such as `--difficulty 3`, and aliases of options.

A game's module `bot` may have `SETTINGS`, from a setting's name to its help, with `bot_name(given)`, which returns
the name of the bot with these settings (as texts), and `ALIASES`, from an option's alias to its name. The module
`draw` may have `TURNED_FOR`, the colour for whose turns the board is turned round.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import cast

from pentad.game import Game, GameError
from pentad.play.seats import HUMAN
from pentad.terminal.arguments import Parser, flag

CONFIGURED = "bot"  # the player name for the bot with the settings
_SETTING = "setting_"  # prefix of their argparse destinations


def aliases(kind: Game | None) -> Mapping[str, str]:
    """Aliases of a game's options and of display options."""
    return cast(Mapping[str, str], getattr(kind.module("bot"), "ALIASES", {})) if kind else {}


def turned_for(kind: Game) -> str | None:
    """The colour for whose turns `--flip` turns the board; None for the whole game."""
    return cast("str | None", getattr(kind.module("draw"), "TURNED_FOR", None))


def flip_help(kind: Game | None) -> str:
    """The help of `--flip`."""
    if kind is None:
        return "show the board from the other side; in some games only for one colour's turns"
    colour = turned_for(kind)
    return f"turn the board around while {colour} is to move" if colour else "show the board from the other side"


def add_settings(parser: Parser, kind: Game | None) -> None:
    """Add an argument for each setting."""
    settings = cast(Mapping[str, str], getattr(kind.module("bot"), "SETTINGS", {})) if kind else {}
    if not settings or kind is None:
        return
    group = parser.add_argument_group(
        f"settings of the bot of {kind.title}",
        f"The bot with these settings takes the free seats, and the seats where WHO is {CONFIGURED}.",
    )
    for name, text in settings.items():
        group.add_argument(flag(name), metavar=name[0].upper(), dest=_SETTING + name, help=text.replace("%", "%%"))


def with_bot_name(args: argparse.Namespace, kind: Game, given: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The given seats; the player `bot` is replaced by the name of the bot with the settings."""
    if not hasattr(kind.module("bot"), "SETTINGS"):
        return given
    return [(seat, _name(args, kind) if who == CONFIGURED else who) for seat, who in given]


def fill(args: argparse.Namespace, kind: Game, taken: Mapping[int, str], players: int) -> dict[int, str]:
    """The bot with the settings at the free seats, except the first one if no seat has a person yet."""
    settings = _given(args)
    if not settings:
        return {}
    name = _name(args, kind)
    free = [seat for seat in range(players) if seat not in taken]
    if free and HUMAN not in taken.values():
        del free[0]
    if not free and name not in taken.values():
        setting = flag(next(iter(settings)))
        raise GameError(f"{setting} needs a seat with a bot. Give it one, such as --seat 1={CONFIGURED}.")
    return dict.fromkeys(free, name)


def _given(args: argparse.Namespace) -> dict[str, str]:
    return {
        name.removeprefix(_SETTING): text
        for name, text in vars(args).items()
        if name.startswith(_SETTING) and text is not None
    }


def _name(args: argparse.Namespace, kind: Game) -> str:
    return cast(str, kind.module("bot").bot_name(_given(args)))
