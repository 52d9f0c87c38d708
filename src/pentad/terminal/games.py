"""`pentad games`: lists the games, their options and their bots."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pentad.game import Game, game, games
from pentad.search.bot import Entry, bots
from pentad.terminal.arguments import Parser, describe, flag
from pentad.wording import table


def add_arguments(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="list only this game")


def run(args: argparse.Namespace) -> int:
    chosen = [game(args.game)] if args.game else map(game, games())
    print("\n\n".join("\n".join(_lines(kind)) for kind in chosen))
    return 0


def _lines(kind: Game) -> Iterator[str]:
    yield f"{kind.name}: {kind.summary}"
    yield "  options:"
    yield from table(((flag(option.name), describe(option)) for option in kind.options.values()), 4)
    yield "  bots:"
    yield from table(((name, _summary(entry)) for name, entry in bots(kind.name).items()), 4)


def _summary(entry: Entry) -> str:
    levels = f", levels {entry.levels[0]} to {entry.levels[-1]}" if entry.levels else ""
    return f"{entry.summary}{levels}"
