"""`pentad web`: the page on which one plays."""

from __future__ import annotations

import argparse

LAST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `pentad web`."""
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=_port, help="the port to listen on (default: the first free one from 5005)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to {LAST_PORT}, not {text[:20]!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C; `GameError` says why it cannot be served."""
    from pentad.web.serve import serve

    serve(args.host, args.port, open_page=not args.no_browser)
    return 0
