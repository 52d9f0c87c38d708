"""Board arguments: a board number, the text of a position, or the end of a recorded game."""

from __future__ import annotations

import argparse

from pentad.game import GameError, Position, game, games, load, read_short, shorten
from pentad.terminal import streams
from pentad.terminal.arguments import Parser, add_number, whole


def board_help() -> str:
    """The help for a board argument."""
    forms = [form for name in games() if (form := game(name).short_form)]
    return "; ".join([*forms, "text of a position in quotes", "or file with a record"])


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
    """The position for a short form or a text; None if the word can only be a file."""
    if position := read_short(word):
        return position
    first, *more = word.split(maxsplit=1) or [""]
    return load(word) if more and first in games() else None


def print_error(word: str, error: GameError) -> None:
    """Print the error of one board or file; the others are still processed."""
    name, message = shorten(word, 80), str(error)
    names_it = message.startswith((name, f"Cannot read {name}"))
    streams.print_error(message if names_it else f"{name}: {message}")
