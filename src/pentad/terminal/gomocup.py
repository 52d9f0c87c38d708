"""`pentad gomocup`: pentad as a brain for managers of the Gomocup protocol."""

from __future__ import annotations

import argparse

from pentad.bridges.gomocup import GAME
from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.protocol_server import ProtocolServer
from pentad.search.bot import bot_maker
from pentad.system.version import __version__
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, add_whole

ABOUT = f'name="pentad", version="{__version__}", author="the pentad developers", country="any"'


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--bot", metavar="WHO", help="Pente bot that plays (default: the best)")
    add_whole(parser, "--level", 1, 99, "level of the bot, if it has levels")
    add_whole(parser, "--threads", 1, 256, "number of threads, if the bot supports it (default: the bot's choice)")
    parser.add_argument(
        "--ponder",
        action="store_true",
        help="think on the opponent's time, if the bot supports it, until INFO ponder 0",
    )
    add_whole(parser, "--seed", 0, 2**63 - 1, "random seed of the bot")
    parser.epilog = (
        "A Gomocup manager starts this command and sends it the commands of the protocol; "
        "see docs/reference/gomocup.md."
    )


def run(args: argparse.Namespace) -> int:
    make = bot_maker(GAME, args.bot, level=args.level, seed=args.seed)
    if args.bot is not None and ":" in args.bot:
        make()  # reports invalid settings now, not at the first move
    brain = Brain(ABOUT, make, ponders=args.ponder or None)
    ProtocolServer(brain, streams.reader(), streams.write_line, args.threads or 0).run()
    return 0
