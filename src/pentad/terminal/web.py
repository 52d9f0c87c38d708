"""`pentad web`: the page on which one plays."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `pentad web`."""
    parser.add_argument("--host", help="where to listen (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=_port, help="the port to listen on (default: the first free one from 5005)")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="where games are kept, such as postgresql+psycopg://user@host/name (default: a file of yours)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    parser.add_argument("--lan", action="store_true", help="let others in this network join; shows a code for phones")
    parser.add_argument(
        "--trusted-proxy",
        metavar="ADDRESS",
        action="append",
        help="a proxy or network whose X-Forwarded-For header is trusted, besides those on this machine",
    )
    parser.epilog = (
        "Each flag can also be set by a variable of the environment, such as PENTAD_WEB_PORT, or in the file web.toml "
        "in pentad's data folder."
    )


def _port(text: str) -> int:
    from pentad.game import GameError
    from pentad.web.settings import port

    try:
        return port(text)
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C; `GameError` says why it cannot be served."""
    from pentad.web.serve import serve
    from pentad.web.settings import settings

    given = {"host": args.host, "port": args.port, "database": args.database}
    given |= {"browser": False if args.no_browser else None, "lan": args.lan or None}
    given |= {"trusted_proxy": args.trusted_proxy}
    serve(settings(given))
    return 0
