"""`pentad web`: the web server for play in the browser."""

from __future__ import annotations

import argparse

from pentad.system.extras import needs
from pentad.terminal.arguments import add_database, port


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `pentad web`."""
    from pentad.web.settings import LOG_FORMATS, LOG_LEVELS  # it takes longer to import than the parser

    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument(
        "--public-name",
        metavar="NAME",
        action="append",
        help="name of the site, such as play.example.org, in addition to this machine's own; repeat it for several",
    )
    parser.add_argument("--port", type=port, help="port to listen on (default: the first free port from 5005)")
    add_database(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    parser.add_argument("--lan", action="store_true", help="let others on this network join, and show a QR code")
    parser.add_argument(
        "--trusted-proxy",
        metavar="ADDRESS",
        action="append",
        help="proxy or network whose X-Forwarded-For header is trusted, in addition to any on this machine",
    )
    parser.add_argument("--metrics-port", type=port, help="port for the metrics of Prometheus (default: no metrics)")
    parser.add_argument(
        "--metrics-host",
        metavar="HOST",
        help="address to listen on for metrics (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument("--log-format", choices=LOG_FORMATS, help="lines of the log for people or for programs")
    parser.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        help="least important lines that are logged (default: warning; of a public server info, which has requests)",
    )
    parser.add_argument(
        "--replace", action="store_true", help="take the place of the running server, whose games go on; not on Windows"
    )
    parser.epilog = (
        "Each option but --replace can also be set by an environment variable, such as PENTAD_WEB_PORT, or in the file "
        "web.toml in pentad's data folder."
    )


def run(args: argparse.Namespace) -> int:
    """Run the server until Ctrl-C; raises `GameError` if it cannot start."""
    with needs("web"):
        from pentad.web.serve import serve
        from pentad.web.settings import settings

    given = {"host": args.host, "port": args.port, "database": args.database}
    given |= {"browser": False if args.no_browser else None, "lan": args.lan or None}
    given |= {"public_name": args.public_name, "trusted_proxy": args.trusted_proxy}
    given |= {"metrics_port": args.metrics_port, "metrics_host": args.metrics_host}
    given |= {"log_format": args.log_format, "log_level": args.log_level}
    serve(settings(given), replaces=args.replace)
    return 0
