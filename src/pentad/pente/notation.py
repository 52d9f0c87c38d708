"""Pente's texts: points (`K10`), choices of side, boards (`9w9/19/…`), to and from."""

from __future__ import annotations

import re
from itertools import groupby

from pentad.game import GameError, InvalidMove, Step, shown
from pentad.pente.board import LETTERS, Board, Side, Stone

COLOURS = ("white", "black")
WHITE, BLACK, MORE = SIDES = tuple(map(Side, ("white", "black", "more")))
STONES = "wb"  # the letters of the two colours on a written board

_POINT = re.compile(r"([A-HJ-Za-hj-z])([1-9][0-9]?)")
_TAKEN = re.compile(r"(0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})")
_CELLS = re.compile(r"[1-9][0-9]?|[wb]")


def read_steps(board: Board, text: str) -> tuple[Step, ...]:
    """The steps of a turn: points, or what is chosen in the opening."""
    if not isinstance(text, str):
        raise InvalidMove(f"a move is a text or its steps, not {shown(text, 40)}")
    sides = {str(side): side for side in SIDES}
    spelt = ((word, word.lower() if word.isascii() else word) for word in text.split())
    return tuple(sides[plain] if plain in sides else read_point(board, word) for word, plain in spelt)


def read_point(board: Board, text: str) -> Stone:
    """A stone on a point such as `K10`."""
    found = _POINT.fullmatch(text)
    last = board.stones[-1]
    if not found:
        raise InvalidMove(f"{shown(text, 30)} is not a point; points are A1 to {last}, without the letter I")
    stone = Stone(LETTERS.index(found[1].upper()), int(found[2]) - 1)
    if not board.on_board(*stone):
        raise InvalidMove(f"there is no point {found[0]}: points are A1 to {last}")
    return stone


def write_board(board: Board, stones: tuple[int, int]) -> str:
    """The rows from top to bottom: stones as letters, empty points counted."""

    def cell(column: int, row: int) -> str:
        bit = board.bit(column, row)
        return "w" if stones[0] & bit else "b" if stones[1] & bit else ""

    def written(row: int) -> str:
        runs = ((letter, len(list(run))) for letter, run in groupby(cell(c, row) for c in range(board.size)))
        return "".join(letter * length if letter else str(length) for letter, length in runs)

    return "/".join(written(row) for row in reversed(range(board.size)))


def read_taken(text: str) -> tuple[int, int]:
    """How many stones each colour has taken: `4,0`."""
    found = _TAKEN.fullmatch(text)
    if not found:
        raise GameError(f"the stones taken are written white,black, such as 4,0, not {shown(text, 20)}")
    return int(found[1]), int(found[2])


def read_board(board: Board, text: str) -> tuple[int, int]:
    """The stones of each colour on a board written row by row."""
    rows = text.split("/")
    if len(rows) != board.size:
        raise GameError(f"the board has {board.size} rows, its text has {len(rows)}")
    stones = [0, 0]
    for row, cells in zip(reversed(range(board.size)), rows, strict=True):
        column = 0
        runs = _CELLS.findall(cells)
        if "".join(runs) != cells:
            raise GameError(f"row {row + 1} holds w, b and counts of empty points, not {shown(cells, 30)}")
        for run in runs:
            if run in STONES:
                stones[STONES.index(run)] |= board.bit(column, row)
                column += 1
            else:
                column += int(run)
        if column != board.size:
            raise GameError(f"row {row + 1} has {board.size} points, its text has {column}")
    return stones[0], stones[1]
