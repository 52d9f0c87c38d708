"""`pentad convert`: converts records from one format to another."""

from __future__ import annotations

import argparse

from pentad.record.formats import FORMATS, format_of, write
from pentad.system.words import table
from pentad.terminal import files
from pentad.terminal.arguments import CommandParser, add_number


def add_arguments(parser: CommandParser) -> None:
    rows = ((f"{each.name} ({', '.join(each.suffixes)})", each.summary) for each in FORMATS.values())
    parser.epilog = "\n".join(["formats and their suffixes:", *table(rows)])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("source", metavar="IN", help="file to read (-: standard input)")
    parser.add_argument("target", metavar="OUT", help="file to write (-: standard output)")
    parser.add_argument("--from", dest="source_format", metavar="FORMAT", help="format of IN (default: by its suffix)")
    parser.add_argument("--to", dest="target_format", metavar="FORMAT", help="format of OUT (default: by its suffix)")
    parser.add_argument("--as", dest="kind", metavar="GAME", help="game of a move list that does not name it")
    add_number(parser, "convert only the N-th game of IN")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")


def run(args: argparse.Namespace) -> int:
    target = format_of("" if args.target == files.STANDARD else args.target, args.target_format)
    records = files.read_records(args.source, format_name=args.source_format, game=args.kind)
    if args.number is not None:
        records = [files.choose(records, args.number, args.source)]
    files.write_text(args.target, write(records, target), force=args.force)
    return 0
