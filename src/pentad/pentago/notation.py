"""Pentago's texts: moves (`a2 1C`) and boards (`....../b.w.../…`), to and from."""

from __future__ import annotations

import re

from pentad.game import GameError, InvalidMove, Step, shorten
from pentad.pentago.board import ROW_LETTERS, Board, Place, Twist

COLOURS = ("black", "white", "red", "green", "yellow", "purple")
LETTERS = "".join(colour[0] for colour in COLOURS)
EMPTY = "."

_PLACE = re.compile(r"([a-z])(0|[1-9][0-9]?)")
_TWIST = re.compile(r"(0|[1-9][0-9]{0,2})\s?([ca])")
# "a21C": only where a column has one digit, or nobody could tell the column from the sub-board.
_COMPACT = re.compile(r"([a-z][0-9])((?:0|[1-9][0-9]?)[ca])")


def read_steps(board: Board, text: str, placed: bool = False) -> tuple[Step, ...]:
    """The steps of a turn, whole or begun: a placement and a rotation, or what is there of them.

    With the marble `placed` already, the rotation is all that remains.
    """
    words = text.lower().split()
    if words and words[-1] in ("c", "a"):  # "a2 1 C"
        words[-2:] = ["".join(words[-2:])]
    if len(words) == 1 and board.width <= 10 and (joined := _COMPACT.fullmatch(words[0])):
        words = list(joined.groups())
    readers = (read_place, read_twist)[placed:]
    if len(words) > len(readers):
        asked = f"a rotation, such as {board.twists[0]}" if placed else _example(board)
        raise InvalidMove(f"{_quoted(text)} is more than is asked: {asked}")
    return tuple(read(board, word) for read, word in zip(readers, words, strict=False))


def read_place(board: Board, text: str) -> Place:
    """A space such as `a2`."""
    found = _PLACE.fullmatch(text.lower())
    if not found:
        raise InvalidMove(f"{_quoted(text)} is not a space; {_example(board)}")
    row, column = ROW_LETTERS.index(found[1]), int(found[2])
    if row >= board.height or column >= board.width:
        rows = f"rows are a to {ROW_LETTERS[board.height - 1]}"
        raise InvalidMove(f"there is no space {found[0]}: {rows}, columns 0 to {board.width - 1}")
    return Place(row, column)


def read_twist(board: Board, text: str) -> Twist:
    """A rotation such as `1C`."""
    found = _TWIST.fullmatch(text.lower())
    if not found:
        raise InvalidMove(f"{_quoted(text)} is not a rotation; {_example(board)}")
    twist = Twist(int(found[1]), found[2].upper())
    if twist.sub_board not in board.sub_boards:
        raise InvalidMove(f"there is no sub-board {twist.sub_board}: they are 1 to {board.sub_boards[-1]}")
    return twist


def write_board(board: Board, marbles: tuple[int, ...]) -> str:
    """The rows from top to bottom, a letter for each marble's colour."""
    cells = [EMPTY] * board.size
    for letter, mine in zip(LETTERS, marbles, strict=False):
        for space in range(board.size):
            if mine >> space & 1:
                cells[space] = letter
    rows = (cells[start : start + board.width] for start in range(0, board.size, board.width))
    return "/".join(map("".join, rows))


def read_board(board: Board, text: str, players: int) -> tuple[int, ...]:
    """The marbles of each seat on a board written row by row."""
    rows = text.split("/")
    if len(rows) != board.height:
        raise GameError(f"the board has {board.height} rows, its text has {len(rows)}")
    marbles = [0] * players
    for r, row in enumerate(rows):
        if len(row) != board.width:
            raise GameError(f"row {ROW_LETTERS[r]} has {board.width} spaces, its text has {len(row)}")
        for c, letter in enumerate(row):
            if letter == EMPTY:
                continue
            seat = LETTERS.find(letter)
            if not 0 <= seat < players:
                known = ", ".join(LETTERS[:players])
                raise GameError(
                    f"{_quoted(letter)} at {Place(r, c)} is no marble; marbles are {known}, an empty space is {EMPTY}"
                )
            marbles[seat] |= 1 << board.space(r, c)
    return tuple(marbles)


def _quoted(text: str) -> str:
    return shorten(repr(text), 30)


def _example(board: Board) -> str:
    return f"a move is a space and a rotation, such as {board.places[-1]} {board.twists[0]}"
