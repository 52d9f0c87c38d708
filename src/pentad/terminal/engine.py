"""`pentad engine`: pentad as an engine of the Universal Game Interface, or for the analysis page of a site."""

from __future__ import annotations

import argparse

from pentad.bridges.protocol_server import ProtocolServer
from pentad.bridges.ugi.session import UgiSession
from pentad.game import GameError, names
from pentad.system.extras import needs
from pentad.system.words import phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, add_game, add_whole, game_options, port

DEFAULT_PORT = 8765


def add_arguments(parser: CommandParser) -> None:
    add_game(parser, required=False)
    parser.add_argument("--bot", metavar="WHO", help="bot that plays (default: the game's best)")
    add_whole(parser, "--level", 1, 99, "level of the bot, if it has levels")
    add_whole(parser, "--threads", 1, 256, "number of threads, if the bot supports it (default: the bot's choice)")
    add_whole(parser, "--seed", 0, 2**63 - 1, "random seed of the bot")
    parser.add_argument(
        "--serve",
        metavar="PORT",
        nargs="?",
        const=DEFAULT_PORT,
        type=port,
        help=phrase(
            "serve the Analysis page of a site from this computer, on PORT (default: {default_port})",
            default_port=DEFAULT_PORT,
        ),
    )
    parser.add_argument("--allow", metavar="SITE", action="append", help="site whose page may use --serve; repeatable")
    parser.epilog = phrase(
        "A manager starts this command and sends it the commands of the protocol; see "
        "docs/reference/protocol.md. Without GAME, and with it too, the manager chooses the "
        "game: setoption name Game value {name}.",
        name=names()[-1],
    )


def run(args: argparse.Namespace) -> int:
    if args.serve is not None:
        return _serve(args)
    if args.allow:
        raise GameError("--allow needs --serve.")
    name = args.game or names()[0]
    session = UgiSession(name, args.bot, level=args.level, options=game_options(args), seed=args.seed)
    if args.bot is not None and ":" in args.bot:
        session.make()  # reports invalid settings now, not at the first move
    ProtocolServer(session, streams.reader(), streams.write_line, args.threads or 0).run()
    return 0


def _serve(args: argparse.Namespace) -> int:
    """Serves pages; each request names its game and position."""
    given = [name for name, value in (("GAME", args.game), ("--threads", args.threads), ("--seed", args.seed)) if value]
    if given or game_options(args):
        what = (given or ["An option of a game"])[0]
        raise GameError("{what} cannot be used with --serve: the page sends the position.", what=what)
    if not args.allow:
        raise GameError("Which site's page may use the engine? Add --allow, such as --allow https://pentad.example.")
    with needs("web"):
        from pentad.web.local_engine import serve

    level = "" if args.level is None else str(args.level)
    serve(args.serve, args.allow, "@".join(each for each in (args.bot, level) if each) or None)
    return 0
