"""`pentad site`: the pages as a folder that any web host serves, with Python and the engines in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from pentad.system.words import phrase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `pentad site`."""
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder to write; an earlier site there is replaced"
    )
    parser.add_argument("--url", metavar="URL", default="", help="address of the site, for the previews of its links")
    parser.add_argument("--server", metavar="URL", default="", help="address of a pentad server for games by link")
    parser.add_argument(
        "--pyodide", metavar="FILE", type=Path, help="the npm package of Pyodide (default: npm downloads it, once)"
    )
    parser.epilog = "To try the site on this machine: python3 -m http.server --directory DIR"


def run(args: argparse.Namespace) -> int:
    """Write the site; raises `GameError` if it cannot be made."""
    from pentad.web.site.build import build

    site = build(args.folder, url=args.url, friends_server=args.server, pyodide_package=args.pyodide)
    size = sum(len(data) for name, data in site.files.items() if not name.endswith(".gz"))
    print(
        phrase(
            "{folder}: {count} files, {size:.1f} MB. Try it with:",
            folder=args.folder,
            count=len(site.files),
            size=size / 1e6,
        )
    )
    print(f"  python3 -m http.server --directory {args.folder}")
    return 0
