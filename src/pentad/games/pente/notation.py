"""Notation of Pente: reading and writing points (`K10`), choices of side and boards (`9w9/19/…`)."""

from __future__ import annotations

import re

from pentad.game import GameError, InvalidMove, Step, shown
from pentad.games.pente.board import LETTERS, Board, Side, Stone

COLOURS = ("white", "black")
WHITE, BLACK, MORE = SIDES = tuple(map(Side, ("white", "black", "more")))
STONES = "wb"  # the letters of the two colours on a written board

_POINT = re.compile(r"([A-HJ-Za-hj-z])([1-9][0-9]?)")
_TAKEN = re.compile(r"(0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})")
_CELLS = re.compile(r"[1-9][0-9]?|[wb]")
_RUN = re.compile(r"0+")
_LETTERS = str.maketrans("12", STONES)


def read_steps(board: Board, text: str) -> tuple[Step, ...]:
    """Parses the steps of a turn: points, or choices of the opening."""
    if not isinstance(text, str):
        raise InvalidMove("A move must be text or steps, not {text}.", text=shown(text, 40))
    sides = {str(side): side for side in SIDES}
    spelt = ((word, word.lower() if word.isascii() else word) for word in text.split())
    return tuple(sides[plain] if plain in sides else read_point(board, word) for word, plain in spelt)


def read_point(board: Board, text: str) -> Stone:
    """Parses a point such as `K10`."""
    found = _POINT.fullmatch(text)
    last = board.stones[-1]
    if not found:
        raise InvalidMove(
            "{text} is not a point; points are A1 to {last}, without the letter I.", text=shown(text, 30), last=last
        )
    stone = Stone(LETTERS.index(found[1].upper()), int(found[2]) - 1)
    if not board.on_board(*stone):
        raise InvalidMove("{found} is not on the board; points are A1 to {last}.", found=found[0], last=last)
    return stone


def write_board(board: Board, stones: tuple[int, int]) -> str:
    """A board as text: the rows from top to bottom, stones as letters, runs of empty points as numbers."""
    # Read as hexadecimal, each bit becomes a digit of its own.
    white, black = (int(f"{each:b}", 16) for each in stones)
    cells = f"{white + 2 * black:0{board.size**2}x}".translate(_LETTERS)  # the last point first
    ends = range(board.size, len(cells) + 1, board.size)
    rows = "/".join(cells[end - board.size : end][::-1] for end in ends)
    return _RUN.sub(lambda run: str(len(run[0])), rows)


def read_taken(text: str) -> tuple[int, int]:
    """Parses the numbers of stones that each colour has captured: `4,0`."""
    found = _TAKEN.fullmatch(text)
    if not found:
        raise GameError("Captures are written white,black, such as 4,0, not {text}.", text=shown(text, 20))
    return int(found[1]), int(found[2])


def read_board(board: Board, text: str) -> tuple[int, int]:
    """Parses a board written row by row into the stones of each colour."""
    rows = text.split("/")
    if len(rows) != board.size:
        raise GameError("The board has {size} rows, but its text has {count}.", size=board.size, count=len(rows))
    stones = [0, 0]
    for row, cells in zip(reversed(range(board.size)), rows, strict=True):
        column = 0
        runs = _CELLS.findall(cells)
        if "".join(runs) != cells:
            raise GameError(
                "Row {row} must hold w, b and numbers of empty points, not {cells}.",
                row=row + 1,
                cells=shown(cells, 30),
            )
        for run in runs:
            if run in STONES:
                stones[STONES.index(run)] |= board.bit(column, row)
                column += 1
            else:
                column += int(run)
        if column != board.size:
            raise GameError(
                "Row {row} has {size} points, but its text has {column}.", row=row + 1, size=board.size, column=column
            )
    return stones[0], stones[1]
