"""The players at the seats: from the arguments, else from a record's tags, else a person against bots.

A game's module `bot` may have `SETTINGS`, from a setting's name to its help, with `bot_name(given)`, which returns
the name of the bot with these settings (as texts), and `ALIASES`, from an option's alias to its name. The module
`draw` may have `TURNED_FOR`, the colour for whose turns the board is turned round.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import cast

from pentad.game import Game, GameError, shorten
from pentad.play.seats import HUMAN, seat_number, sit, starts_program
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import default_opponent
from pentad.terminal.arguments import Parser, flag


def read_seats(game: Game, players: int, given: list[tuple[str, str]]) -> dict[int, str]:
    """The given players by seat; `given` holds pairs of a seat, by number or colour, and a player."""
    seats: dict[int, str] = {}
    for name, who in given:
        seat = seat_number(game, name, players)
        if seat in seats:
            raise GameError(f"Seat {name} is given twice.")
        sit(game, who, programs=True, remote=True)  # raises an error for an unknown player
        seats[seat] = who
    return seats


def complete(game: Game, players: int, seats: Mapping[int, str]) -> list[str]:
    """The players at all seats: a person at the first free seat if there is none yet, bots at the others."""
    free = [seat for seat in range(players) if seat not in seats]
    all_ = {**dict.fromkeys(free, default_opponent(game.name)), **seats}
    if free and HUMAN not in seats.values():
        all_[free[0]] = HUMAN
    return [all_[seat] for seat in range(players)]


def set_table(record: Record, seats: Mapping[int, str], seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for a record; a name in its tags that is not a bot's is a person's and is kept.

    The same holds for a bot that starts a program, since a record may come from an untrusted source. `seats` are the
    players from the arguments.
    """
    players = record.start.players
    named = {seat: record.tags[tag] for seat in range(players) if (tag := f"Seat{seat}") in record.tags}
    recorded = {seat: name if _is_known(record.game, name) else HUMAN for seat, name in named.items()}
    table = _set(record, complete(record.game, players, {**recorded, **seats}), seed, warm_up)
    _name_people(table, named)
    return table


def seat_again(table: Table, record: Record, seed: int | None, *, warm_up: bool = False) -> Table:
    """A table for another record with the same players, if the number of seats is the same."""
    same = record.game.name == table.game.name and record.start.players == table.position.players
    if not same:
        return set_table(record, {}, seed, warm_up=warm_up)
    after = _set(record, [seat.who for seat in table.seats], seed, warm_up)
    _name_people(after, {i: table.record.tags.get(f"Seat{i}", HUMAN) for i in range(len(after.seats))})
    return after


def _set(record: Record, everyone: list[str], seed: int | None, warm_up: bool) -> Table:
    """A table; warm-up bots play only if a person would wait and no seed fixes the moves."""
    uses_warm_up = warm_up and seed is None and HUMAN in everyone
    return Table(record, everyone, seed=seed, programs=True, warm_up=uses_warm_up)


def programs_left_out(record: Record, seats: Mapping[int, str]) -> list[str]:
    """Messages about bots in the record's tags that would start a program and are replaced by a person."""
    messages = []
    for seat in range(record.start.players):
        who = record.tags.get(f"Seat{seat}", "")
        if seat not in seats and starts_program(record.game, who):
            messages.append(
                f"The record names {shorten(who, 120)} at seat {seat}, but a record may not start programs. "
                f"A human plays there instead, unless you use --seat {seat}=…"
            )
    return messages


def _name_people(table: Table, names: Mapping[int, str]) -> None:
    for seat, name in names.items():
        if table.seats[seat].is_human and not _is_known(table.game, name):
            table.record.tags[f"Seat{seat}"] = name


def _is_known(game: Game, who: str) -> bool:
    try:
        sit(game, who, remote=True)
    except GameError:
        return False
    return True


# ── settings of a bot, such as `--difficulty 3` ─────────────────────────────────────────────────────


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
