"""`pentad show`: prints a recorded game: its tags, its board and its moves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pentad.game import Span
from pentad.play.table import scored_result
from pentad.record import Node, Record
from pentad.system.extras import has
from pentad.system.words import count
from pentad.terminal import files
from pentad.terminal.arguments import CommandParser, add_number, add_whole


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help="file with a record in any input format (-: standard input)")
    add_whole(parser, "--ply", 0, 10**6, "show the board after move N (default: after the last)")
    parser.add_argument("--moves", action="store_true", help="print only the moves of the main line, one per line")
    parser.add_argument("--list", action="store_true", help="list the pieces instead of drawing the board")
    parser.add_argument("--svg", metavar="OUT", help="write the board as an SVG image to OUT (-: standard output)")
    parser.add_argument("--flip", action="store_true", help="show the board from the other side")
    add_number(parser, "show the N-th game of the file")
    parser.add_argument(
        "--lenient", action="store_true", help="accept hand-typed move lists, in any layout and without tags"
    )
    parser.add_argument(
        "--as", dest="kind", metavar="GAME", help="game of a file that does not name it; implies --lenient"
    )
    parser.add_argument("--no-colour", action="store_true", help="disable colours")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")


def run(args: argparse.Namespace) -> int:
    records = files.read_records(args.file, game=args.kind, lenient=args.lenient or args.kind is not None)
    if len(records) > 1 and args.number is None and args.svg is None:
        _print_games(records)
        return 0
    record = files.choose(records, args.number, args.file)
    node = files.node_at(record, args.ply)
    if args.svg is not None:
        files.write_text(args.svg, node.position.svg(last=node.move, flip=args.flip) + "\n", force=args.force)
    elif args.moves:
        print("\n".join(map(str, record.moves)) or "No moves have been played.")
    else:
        _print(record, node, args)
    return 0


def _print_games(records: list[Record]) -> None:
    for number, record in enumerate(records, 1):
        names = " - ".join(record.tags.get(f"Seat{seat}", "?") for seat in range(record.start.players))
        date = f"  {record.tags['Date']}" if "Date" in record.tags else ""
        print(f"{number}. {record.game.name}  {names}  {record.result}  {count(len(record.moves), 'move')}{date}")
    print("Use --number N to show one of them.")


def _print(record: Record, node: Node, args: argparse.Namespace) -> None:
    tags, _, moves = record.text.partition("\n\n")
    print(f"{tags}\n")
    if args.list:
        print("\n".join(node.position.listing()))
    else:
        position = node.position
        print_spans(position.spans(last=node.move, flip=args.flip), args.no_colour, legend=position.legend)
    print(f"\n{moves}", end="")
    if record.outcome and node is record.end:
        print(f"\n{scored_result(record.position, record.outcome)}")


def print_spans(lines: Sequence[Sequence[Span]], no_colour: bool, *, heading: str = "", legend: str = "") -> None:
    """Print styled lines: in colours on a terminal, else as plain text. A legend stands where there are no colours."""
    below = f"   {legend}" if legend else ""
    if not (sys.stdout.isatty() and has("rich")):
        plain = ("".join(text for text, _ in line).rstrip() for line in lines)
        print("\n".join([*filter(None, [heading]), *plain, *filter(None, [below])]))
        return
    from rich.text import Text

    from pentad.terminal.theme import console, has_colours, styled

    out = console(no_colour)
    if heading:
        out.print(Text(heading, "bold"))
    for line in lines:
        out.print(styled(line), no_wrap=True, overflow="crop")
    if below and not has_colours(out):
        out.print(below)
