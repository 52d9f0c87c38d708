"""`pentad convert`: converts records from one format to another."""

from __future__ import annotations

import argparse

from pentad.record.formats import FORMATS, format_of, write
from pentad.terminal import files
from pentad.terminal.arguments import Parser, add_number


def add_arguments(parser: Parser) -> None:
    known = "; ".join(f"{each.name} ({', '.join(each.suffixes)}): {each.summary}" for each in FORMATS.values())
    parser.epilog = f"Formats, by default from the suffix of the file: {known}."
    parser.add_argument("source", metavar="IN", help="the file to read; - is standard input")
    parser.add_argument("target", metavar="OUT", help="the file to write; - is standard output")
    parser.add_argument("--from", dest="source_format", metavar="FORMAT", help="the format of IN")
    parser.add_argument("--to", dest="target_format", metavar="FORMAT", help="the format of OUT")
    parser.add_argument("--as", dest="kind", metavar="GAME", help="the game of a move list that does not name it")
    add_number(parser, "only the N-th game of IN")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")


def run(args: argparse.Namespace) -> int:
    target = format_of("" if args.target == files.STANDARD else args.target, args.target_format)
    records = files.read_records(args.source, format_name=args.source_format, game=args.kind)
    if args.number is not None:
        records = [files.choose(records, args.number, args.source)]
    files.write_text(args.target, write(records, target), force=args.force)
    return 0
