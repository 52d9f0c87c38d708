"""Drawing of Pente positions: as SVG and as lines of text."""

from __future__ import annotations

from pentad.drawing.looks import written
from pentad.game import Move, Span
from pentad.games.pente import looks
from pentad.games.pente.board import LETTERS, Stone
from pentad.games.pente.looks import Highlights
from pentad.games.pente.looks import ending as ending
from pentad.games.pente.notation import COLOURS
from pentad.games.pente.rules import PentePosition

TURNED_FOR = "black"  # the colour for whose turns a screen may rotate the board


def svg(
    position: PentePosition,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board with its coordinates, the captures, the last move and the winning line.

    Without `labels` it is the board alone.
    """
    return looks.sheet(position, flip, labels).svg(looks.numbers(position, last), style=style)


# ── lines of text ────────────────────────────────────────────────────────────────────────────────

STONES = ("●", "○")  # white is filled, as on the dark screen of the requirement document


SIZES = range(-1, 1)  # the smaller board has the letters of the columns only below it


def spans(
    position: PentePosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in box characters with its coordinates, the captures and the status."""
    *rows, letters = _grid_lines(position, last, flip)
    above = [] if size < 0 else [letters]
    return [*above, *rows, letters, *_captions(position)]


def legend(_: PentePosition) -> str:
    """The signs of the two colours."""
    return "  ".join(f"{sign} {colour}" for sign, colour in zip(STONES, COLOURS, strict=True))


def _grid_lines(position: PentePosition, last: Move | str | None, flip: bool) -> list[list[Span]]:
    """The rows from the top, and the letters of the columns."""
    board, highlights = position.board, Highlights(position, last)
    order = -1 if flip else 1
    columns, rows = range(board.size)[::order], range(board.size)[::-order]
    lines: list[list[Span]] = []
    for i, row in enumerate(rows):
        line: list[Span] = [(f"{row + 1:>3} ", "label")]
        for j, column in enumerate(columns):
            if j:
                line.append(("─", "frame"))
            line.append(_cell(position, Stone(column, row), highlights, _crossing(board.size, i, j)))
        lines.append([*line, (f" {row + 1}", "label")])
    return [*lines, [("    " + " ".join(LETTERS[column] for column in columns), "label")]]


def _captions(position: PentePosition) -> list[list[Span]]:
    """The captures and the status."""
    taken: list[list[Span]] = []
    if position.rules.captures:
        white, black = position.taken
        taken = [[(f"    Captures: white {white}, black {black}", "tally")]]
    return [*taken, [(f"    {status(position)}", "status")]]


def _crossing(size: int, i: int, j: int) -> str:
    """The box character of a point, by its indices from the top and from the left."""
    row, column = ((n > 0) + (n == size - 1) for n in (i, j))
    return ("┌┬┐", "├┼┤", "└┴┘")[row][column]


def _cell(position: PentePosition, stone: Stone, highlights: Highlights, crossing: str) -> Span:
    bit = position.board.bit(*stone)
    for colour, sign, stones in zip(COLOURS, STONES, position.stones, strict=True):
        if stones & bit:
            shown = "line" if highlights.won & bit else "last" if highlights.placed & bit else ""
            return sign, f"{f'{colour} {shown}'.rstrip()} @{stone}"
    return crossing, f"empty @{stone}"


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def status(position: PentePosition) -> str:
    """The player to act, or the result."""
    return looks.statuses(position.board.line)[looks.status_number(position)]


def listing(position: PentePosition) -> list[str]:
    """The stones and captures of each colour, and the status."""
    numbers = looks.numbers(position, None)
    return [*(written(line, numbers) for line in looks.listing(position.setup)), status(position)]
