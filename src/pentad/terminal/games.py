"""`pentad games`: lists the games, their options and their bots."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from pentad.game import Game, game, names
from pentad.search.bot import BotEntry, bots, ratings
from pentad.search.levels import RUNGS
from pentad.system.words import table
from pentad.terminal.arguments import CommandParser, describe, flag


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="list only this game")


def run(args: argparse.Namespace) -> int:
    chosen = [game(args.game)] if args.game else map(game, names())
    print("\n\n".join("\n".join(_lines(kind)) for kind in chosen))
    return 0


def _lines(kind: Game) -> Iterator[str]:
    yield f"{kind.name}: {kind.summary}"
    yield "  options:"
    yield from table(((flag(option.name), describe(option)) for option in kind.options.values()), 4)
    rated = ratings(kind.name)
    yield "  bots, with measured Elo ratings:" if rated else "  bots:"
    yield from table(((name, _summary(name, entry, rated)) for name, entry in bots(kind.name).items()), 4)


def _summary(name: str, entry: BotEntry, rated: Mapping[str, int]) -> str:
    """The name of a bot for people, what it does, its levels, and the rating of the bot or of each level."""
    text = f"{entry.title}: {entry.summary}" if entry.title else entry.summary
    text += f" (Elo {rated[name]})" if name in rated else ""
    if not entry.levels:
        return text
    named = RUNGS if entry.rungs else map(str, entry.levels)
    measured = [f"{level} (Elo {rated[each]})" for level in named if (each := f"{name}@{level}") in rated]
    return f"{text}, levels {', '.join(measured) or f'{entry.levels[0]} to {entry.levels[-1]}'}"
