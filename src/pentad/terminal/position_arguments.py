"""The boards that a person names: by a number, as a position's text, or as the end of a recorded game."""

from __future__ import annotations

import argparse
import re

from pentad.game import GameError, Position, games, load, shorten
from pentad.pentago.board_numbers import from_number
from pentad.pentago.rules import PentagoPosition
from pentad.terminal import streams
from pentad.terminal.arguments import Parser, add_number, whole

NUMBER = re.compile(r"([0-9]+)(m?)")
LONGEST_NUMBER = 20  # figures that 64 bits can need

HELP = (
    "a board number of Pentago, with m behind it where a marble is placed and the rotation still to come; "
    "a position's text in quotes; or the file of a record"
)


def add_choice(parser: Parser) -> None:
    """Which position of a record is meant."""
    parser.add_argument("--ply", metavar="N", type=whole(0, 10**6), help="after move N of a record, not at its end")
    add_number(parser, "the N-th game of a file")


def read_board(word: str, args: argparse.Namespace) -> Position:
    """The position that a word of the command line means."""
    position = written_out(word)
    if position is not None:
        return position
    if not word.strip():
        raise GameError("an empty argument is not a board; give a number, a position or a record file")
    from pentad.terminal import files
    from pentad.terminal.show import node_at

    return node_at(files.choose(files.read_records(word), args.number, word), args.ply).position


def written_out(word: str) -> Position | None:
    """The position that a word is by itself: a number or a text; None where it can only be a file."""
    if number := NUMBER.fullmatch(word):
        digits, middle = number.groups()
        if len(digits) > LONGEST_NUMBER:
            raise GameError(f"a board number has at most {LONGEST_NUMBER} figures, not {len(digits):,}")
        return from_number(int(digits), placed=bool(middle))
    first, *more = word.split(maxsplit=1) or [""]
    return load(word) if more and first in games() else None


def of_pentago(position: Position, done: str) -> PentagoPosition:
    """The same, if it is one of Pentago; `done` is what can be done with these alone."""
    if not isinstance(position, PentagoPosition):
        raise GameError(f"only positions of pentago can be {done}, not those of {position.game}")
    return position


def print_error(word: str, error: GameError) -> None:
    """One board or file is wrong; the others are still told."""
    name, message = shorten(word, 80), str(error)
    streams.print_error(message if message.startswith(name) else f"{name}: {message}")
