"""`pentad games`: lists the games, their options and their bots."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pentad.game import Game, game, games
from pentad.search.bot import bots
from pentad.terminal.arguments import Parser, describe, flag_of


def add_arguments(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="only this game")


def run(args: argparse.Namespace) -> int:
    chosen = [game(args.game)] if args.game else map(game, games())
    print("\n\n".join("\n".join(_lines(kind)) for kind in chosen))
    return 0


def _lines(kind: Game) -> Iterator[str]:
    yield f"{kind.name}: {kind.summary}"
    yield "  options:"
    for option in kind.options.values():
        yield f"    {flag_of(option):20} {describe(option)}"
    yield "  bots:"
    for name, entry in bots(kind.name).items():
        levels = f", levels {entry.levels[0]} to {entry.levels[-1]}" if entry.levels else ""
        yield f"    {name:20} {entry.summary}{levels}"
