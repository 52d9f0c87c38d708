"""`pentad engine`: pentad as an engine of the Universal Game Interface, for any game."""

from __future__ import annotations

import argparse

from pentad.bridges.server import Server
from pentad.bridges.ugi.session import UgiSession
from pentad.game import games
from pentad.terminal import streams
from pentad.terminal.arguments import Parser, add_game, add_whole, game_options


def add_arguments(parser: Parser) -> None:
    add_game(parser, required=False)
    parser.add_argument("--bot", metavar="WHO", help="bot that plays (default: the game's best)")
    add_whole(parser, "--level", 1, 99, "level of the bot, if it has levels")
    add_whole(parser, "--threads", 1, 256, "number of threads, if the bot supports it (default: the bot's choice)")
    add_whole(parser, "--seed", 0, 2**63 - 1, "random seed of the bot")
    parser.epilog = (
        "A manager starts this command and sends it the commands of the protocol; see docs/protocol.md. Without GAME, "
        f"and with it too, the manager chooses the game: setoption name Game value {games()[-1]}."
    )


def run(args: argparse.Namespace) -> int:
    name = args.game or games()[0]
    session = UgiSession(name, args.bot, level=args.level, options=game_options(args), seed=args.seed)
    if args.bot is not None and ":" in args.bot:
        session.make()  # reports invalid settings now, not at the first move
    Server(session, streams.reader(), streams.write_line, args.threads or 0).run()
    return 0
