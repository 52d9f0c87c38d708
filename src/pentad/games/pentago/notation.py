"""Notation of Pentago: parses and writes moves (`a2 1C`) and boards (`....../b.w.../…`)."""

from __future__ import annotations

import re

from pentad.game import GameError, InvalidMove, Step, shown
from pentad.games.pentago.board import ROW_LETTERS, Board, Place, Twist
from pentad.system.words import phrase

COLOURS = ("black", "white", "red", "green", "yellow", "purple")
LETTERS = "".join(colour[0] for colour in COLOURS)
EMPTY = "."

_PLACE = re.compile(r"([A-Za-z])(0|[1-9][0-9]{0,2})")
_TWIST = re.compile(r"(0|[1-9][0-9]{0,2})([CcAa])")
# "a21C": only if all columns have one digit; otherwise it is ambiguous.
_COMPACT = re.compile(r"([A-Za-z][0-9])((?:0|[1-9][0-9]{0,2})[CcAa])")
_DETACHED = re.compile(r"(\s[0-9]{1,3})\s+([CcAa]\s*)$")  # people write "a2 1 C" for "a2 1C"


def read_steps(board: Board, text: str, placed: bool = False) -> tuple[Step, ...]:
    """Parses the steps of a whole or partial turn: a placement, then a twist.

    With the marble `placed` already, only the twist is left.
    """
    if not isinstance(text, str):
        raise InvalidMove("Expected a move as text or steps, got {text}.", text=shown(text, 40))
    words = _DETACHED.sub(r"\1\2", f" {text}").split()
    if len(words) == 1 and board.width <= 10 and (joined := _COMPACT.fullmatch(words[0])):
        words = list(joined.groups())
    readers = (read_place, read_twist)[placed:]
    if placed and (len(words) > 1 or (words and not _TWIST.fullmatch(words[0]))):
        raise InvalidMove(
            "{text} is not a twist. Only a twist is left, such as {twist}.", text=shown(text, 30), twist=board.twists[0]
        )
    if len(words) > len(readers):
        raise InvalidMove("{text} is more than a turn. {example}", text=shown(text, 30), example=_example(board))
    return tuple(read(board, word) for read, word in zip(readers, words, strict=False))


def read_place(board: Board, text: str) -> Place:
    """Parses a space such as `a2`."""
    found = _PLACE.fullmatch(text)
    if not found:
        raise InvalidMove("{text} is not a space. {example}", text=shown(text, 30), example=_example(board))
    row, column = ROW_LETTERS.index(found[1].lower()), int(found[2])
    if row >= board.height or column >= board.width:
        last_row, last_column = ROW_LETTERS[board.height - 1], board.width - 1
        raise InvalidMove(
            "There is no space {found}. Rows are a to {last_row}, columns 0 to {last_column}.",
            found=found[0],
            last_row=last_row,
            last_column=last_column,
        )
    return Place(row, column)


def read_twist(board: Board, text: str) -> Twist:
    """Parses a twist such as `1C`."""
    found = _TWIST.fullmatch(text)
    if not found:
        raise InvalidMove("{text} is not a twist. {example}", text=shown(text, 30), example=_example(board))
    twist = Twist(int(found[1]), found[2].upper())
    if twist.sub_board not in board.sub_boards:
        raise InvalidMove(
            "There is no sub-board {sub_board}. Sub-boards are 1 to {last}.",
            sub_board=twist.sub_board,
            last=board.sub_boards[-1],
        )
    return twist


def write_board(board: Board, marbles: tuple[int, ...]) -> str:
    """Writes the rows from top to bottom, with a letter for each marble's colour."""
    cells = [EMPTY] * board.size
    for letter, mine in zip(LETTERS, marbles, strict=False):
        for space in range(board.size):
            if mine >> space & 1:
                cells[space] = letter
    rows = (cells[start : start + board.width] for start in range(0, board.size, board.width))
    return "/".join(map("".join, rows))


def read_board(board: Board, text: str, players: int) -> tuple[int, ...]:
    """Parses a board written row by row; returns the marbles of each seat."""
    rows = text.split("/")
    if len(rows) != board.height:
        raise GameError("The board has {height} rows, but its text has {count}.", height=board.height, count=len(rows))
    marbles = [0] * players
    for r, row in enumerate(rows):
        if len(row) != board.width:
            raise GameError(
                "Row {row} has {width} spaces, but its text has {count}.",
                row=ROW_LETTERS[r],
                width=board.width,
                count=len(row),
            )
        for c, letter in enumerate(row):
            if letter == EMPTY:
                continue
            seat = LETTERS.find(letter)
            if not 0 <= seat < players:
                known = ", ".join(LETTERS[:players])
                raise GameError(
                    "{letter!r} at {place} is not a marble. Marbles are {known}, and {empty} is an empty space.",
                    letter=letter,
                    place=Place(r, c),
                    known=known,
                    empty=EMPTY,
                )
            marbles[seat] |= 1 << board.space(r, c)
    return tuple(marbles)


def _example(board: Board) -> str:
    return phrase(
        "A move is a space and a twist, such as {place} {twist}.", place=board.places[-1], twist=board.twists[0]
    )
