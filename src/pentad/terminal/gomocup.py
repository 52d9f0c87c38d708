"""`pentad gomocup`: pentad as a brain that any manager of the Gomocup protocol can start."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from pentad import __version__
from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.gomocup.serve import serve
from pentad.search.bot import bot_maker
from pentad.terminal.arguments import Parser, whole

ABOUT = f'name="pentad", version="{__version__}", author="the pentad developers", country="any"'
AT_ONCE = 65_536  # bytes that are read at once


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--bot", metavar="WHO", help="which of Pente's bots plays (default: the best)")
    parser.add_argument("--level", metavar="N", type=whole(1, 99), help="how well it plays, if it has levels")
    parser.add_argument(
        "--threads",
        metavar="N",
        type=whole(1, 256),
        default=0,
        help="for a bot that can use several (default: its own)",
    )
    parser.add_argument(
        "--ponder", action="store_true", help="think on the other's time too, with a bot that can, until INFO ponder 0"
    )
    parser.add_argument("--seed", metavar="N", type=whole(0, 2**63 - 1), help="the same seed, the same moves")
    parser.epilog = "A manager starts this and talks to it; docs/gomocup.md tells how, and what it can be told."


def run(args: argparse.Namespace) -> int:
    make = bot_maker("pente", args.bot, level=args.level, seed=args.seed)
    if args.bot is not None and ":" in args.bot:
        make()  # what is wrong with settings is told now, not when a move is wanted
    serve(Brain(ABOUT, ponders=args.ponder or None), make, _reader(), _write, threads=args.threads)
    return 0


def _reader() -> Callable[[], bytes]:
    """Whatever standard input has, as soon as it has something."""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):  # it is no file
        return lambda: sys.stdin.buffer.read(AT_ONCE)
    return lambda: os.read(number, AT_ONCE)


def _write(line: str) -> None:
    print(line, flush=True)
