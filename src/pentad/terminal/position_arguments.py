"""Board arguments: a board number, the text of a position, or the end of a recorded game."""

from __future__ import annotations

import argparse
import re

from pentad.game import GameError, Position, games, load, shorten
from pentad.pentago.rules import PentagoPosition, from_number
from pentad.terminal import streams
from pentad.terminal.arguments import Parser, add_number, whole

NUMBER = re.compile(r"([0-9]+)(m?)")
LONGEST_NUMBER = 20  # digits of a 64-bit number

HELP = (
    "board number of Pentago, followed by m if the marble is placed and the twist is still to come; "
    "text of a position in quotes; or file with a record"
)


def add_choice(parser: Parser) -> None:
    """Add the options that choose a position of a record."""
    parser.add_argument("--ply", metavar="N", type=whole(0, 10**6), help="use the position after move N of a record")
    add_number(parser, "use the N-th game of a file")


def read_board(word: str, args: argparse.Namespace) -> Position:
    """The position for an argument of the command line."""
    position = written_out(word)
    if position is not None:
        return position
    if not word.strip():
        raise GameError("Expected a board number, a position or a record file, got an empty argument.")
    from pentad.terminal import files
    from pentad.terminal.show import node_at

    return node_at(files.choose(files.read_records(word), args.number, word), args.ply).position


def written_out(word: str) -> Position | None:
    """The position for a number or a text; None if the word can only be a file."""
    if number := NUMBER.fullmatch(word):
        digits, middle = number.groups()
        if len(digits) > LONGEST_NUMBER:
            raise GameError(f"A board number has at most {LONGEST_NUMBER} digits, not {len(digits):,}.")
        return from_number(int(digits), placed=bool(middle))
    first, *more = word.split(maxsplit=1) or [""]
    return load(word) if more and first in games() else None


def of_pentago(position: Position, done: str) -> PentagoPosition:
    """The position, if it is one of Pentago; `done` is the participle for the error, such as `solved`."""
    if not isinstance(position, PentagoPosition):
        raise GameError(f"Only positions of pentago can be {done}, not those of {position.game}.")
    return position


def print_error(word: str, error: GameError) -> None:
    """Print the error of one board or file; the others are still processed."""
    name, message = shorten(word, 80), str(error)
    names_it = message.startswith((name, f"Cannot read {name}"))
    streams.print_error(message if names_it else f"{name}: {message}")
