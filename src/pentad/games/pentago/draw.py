"""Drawings of a Pentago position, as SVG and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import hypot
from typing import NamedTuple

from pentad.drawing.looks import written
from pentad.game import Move, Span
from pentad.games.pentago import looks, notation
from pentad.games.pentago.board import ANTICLOCKWISE, CLOCKWISE, ROW_LETTERS, Board, Place, Twist
from pentad.games.pentago.looks import Highlights
from pentad.games.pentago.looks import ending as ending
from pentad.games.pentago.rules import PentagoPosition


def svg(
    position: PentagoPosition,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board with its coordinates, the sub-boards' numbers, the last move and the winning line.

    Without `labels` it is the board alone.
    """
    return looks.sheet(position, flip, labels).svg(looks.numbers(position, last), style=style)


# ── text ─────────────────────────────────────────────────────────────────────────────

MARBLES = dict(zip(notation.COLOURS, "●○◆▲■★", strict=True))
EMPTY = "·"
SIZES = range(3)
# The radius of a marble and of a hollow by size, in columns; a row is two columns high.
_RADII = {1: (2.4, 0.9), 2: (3.3, 0.9)}
_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by the sum of 1, 2, 4 and 8 for the quarters in reading order


class _Cell(NamedTuple):
    """The columns and rows of a space, and the columns between two spaces."""

    width: int
    height: int
    gap: int

    @classmethod
    def of(cls, board: Board, size: int) -> _Cell:
        if size:
            return cls(2 * (size + 2), size + 2, 0)
        return cls(1, 1, 1 if board.width <= 10 else 2)

    def inside(self, board: Board) -> int:
        """The columns of a sub-board within its frame."""
        return board.block * self.width + (board.block - 1) * self.gap + 2


def spans(
    position: PentagoPosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in box characters, with the sub-boards' numbers in their frames, and the status.

    The marbles of the larger sizes are discs, which differ in colour alone.
    """
    board, highlights = position.board, Highlights(position, last)
    order = -1 if flip else 1
    bands, columns = range(board.rows)[::order], range(board.width)[::order]
    cell = _Cell.of(board, size)
    lines: list[list[Span]] = [_column_labels(board, columns, cell)]
    for i, band in enumerate(bands):
        lines.append(list(_frame(position, band, cell, order, top=i == 0)))
        for row in range(band * board.block, (band + 1) * board.block)[::order]:
            spaces = [_rows(position, Place(row, column), highlights, size) for column in columns]
            for part in range(cell.height):
                letter = ROW_LETTERS[row] if part == (cell.height - 1) // 2 else " "
                line: list[Span] = [(f" {letter} ", "label")]
                for i_column, (pieces, role) in enumerate(spaces):
                    if i_column % board.block == 0:
                        line.append(("│ " if i_column == 0 else " │ ", "frame"))
                    elif cell.gap:
                        line.append((" " * cell.gap, "frame"))
                    line.append((pieces[part], role))
                lines.append([*line, (" │", "frame")])
    bottom = "┴".join("─" * cell.inside(board) for _ in range(board.cols))
    lines += [[(f"   └{bottom}┘", "frame")], [(f"   {status(position)}", "status")]]
    return lines


def legend(position: PentagoPosition) -> str:
    """The symbol of each colour."""
    return "  ".join(f"{MARBLES[colour]} {colour}" for colour in map(position.colour_of, range(position.players)))


def _column_labels(board: Board, columns: range, cell: _Cell) -> list[Span]:
    text = ""
    for i, column in enumerate(columns):
        left = 5 + i * (cell.width + cell.gap) + i // board.block * (3 - cell.gap)
        text = text.ljust(left + (cell.width - 1) // 2 + 1 - len(str(column))) + str(column)
    return [(text, "label")]


def _frame(position: PentagoPosition, band: int, cell: _Cell, order: int, *, top: bool) -> Iterator[Span]:
    """The edge above a row of sub-boards with their numbers, and with arrows where a twist is to follow."""
    board = position.board
    numbers = range(band * board.cols + 1, (band + 1) * board.cols + 1)[::order]
    left, between, right = "┌┬┐" if top else "├┼┤"
    inside = cell.inside(board)
    if not position.placed or position.outcome:
        yield f"   {left}{between.join(f'{number:─^{inside}}' for number in numbers)}{right}", "frame"
        return
    for i, number in enumerate(numbers):
        wider = f"↺─{number}─↻"
        edge = f"{wider if len(wider) <= inside else f'↺{number}↻':─^{inside}}"
        before, _, rest = edge.partition("↺")
        middle, _, after = rest.partition("↻")
        yield f"{between if i else '   ' + left}{before}", "frame"
        yield "↺", f"choice @{Twist(number, ANTICLOCKWISE)}"
        yield middle, "frame"
        yield "↻", f"choice @{Twist(number, CLOCKWISE)}"
        yield after, "frame"
    yield right, "frame"


def _rows(position: PentagoPosition, place: Place, highlights: Highlights, size: int) -> tuple[Sequence[str], str]:
    """The rows of a space, and their role."""
    bit = 1 << position.board.space(*place)
    for seat, marbles in enumerate(position.marbles):
        if marbles & bit:
            colour = position.colour_of(seat)
            shown = "line" if highlights.won & bit else "last" if highlights.placed & bit else ""
            rows = _disc(size, _RADII[size][0]) if size else (MARBLES[colour],)
            return rows, f"{f'{colour} {shown}'.rstrip()} @{place}"
    return _disc(size, _RADII[size][1]) if size else (EMPTY,), f"empty @{place}"


@cache
def _disc(size: int, radius: float) -> Sequence[str]:
    """A disc in the middle of a space, in quarters of characters."""
    middle = size + 2

    def quarter(row: int, column: int) -> bool:
        """Whether the middle of a quarter is in the disc; one is half a column wide and one column high."""
        return hypot((column + 0.5) / 2 - middle, row + 0.5 - middle) <= radius

    return [
        "".join(
            _QUARTERS[sum(quarter(2 * row + i // 2, 2 * column + i % 2) << i for i in range(4))]
            for column in range(2 * middle)
        )
        for row in range(middle)
    ]


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def status(position: PentagoPosition) -> str:
    """The player to move and the next action, or the result."""
    return looks.statuses(position.setup)[looks.status_number(position)]


def listing(position: PentagoPosition) -> list[str]:
    """Every colour's marbles, and the status."""
    numbers = looks.numbers(position, None)
    return [*(written(line, numbers) for line in looks.listing(position.setup)), status(position)]
