"""Boards in a window: the drawings of a position by size, and the largest one that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from pentad.game import Move, Position, Span
from pentad.system.words import phrase
from pentad.terminal.theme import styled, wrapped

BELOW = ("status", "tally")  # the roles of lines below a board

Line = Sequence[Span]


class Form(NamedTuple):
    """A drawing of a board of one size: its lines, and the tally below it."""

    lines: Sequence[Line]
    tally: str
    is_enlarged: bool = False
    is_condensed: bool = False

    @property
    def width(self) -> int:
        return max((sum(cell_len(text) for text, _ in line) for line in self.lines), default=0)

    @property
    def height(self) -> int:
        return len(self.lines)


def forms(position: Position, last: Move | str | None, flip: bool, *, enlarged: bool = False) -> Iterator[Form]:
    """The drawings of a board, the largest first; the last one has no frames, if the board can be drawn so.

    `enlarged` adds those whose pieces may differ in colour alone.
    """
    for size in reversed(position.sizes if enlarged else range(position.sizes[0], 1)):
        spans = position.spans(last=last, flip=flip, size=size)
        tally = " ".join("".join(text for text, _ in line).strip() for line in spans if line[0][1] == "tally")
        board = [line for line in spans if line[0][1] not in BELOW]
        yield Form(board, tally, is_enlarged=size > 0)
    if narrow := condensed([row for line in board if (row := _without_frame(line))]):
        yield Form(narrow, tally, is_condensed=True)


@dataclass(frozen=True, slots=True)
class TextBoard:
    """A board as lines, the tally below it, and a notice if the window is too small."""

    lines: list[Text]
    tally: str = ""
    notice: str = ""


def fitted(position: Position, last: Move | str | None, flip: bool, *, columns: int, rows: int) -> TextBoard:
    """The largest drawing for this many columns, and if one is low enough, rows; or else the pieces as a list."""
    drawings = list(forms(position, last, flip))
    whole = [form for form in drawings if not form.is_condensed]
    if wide := [form for form in whole if form.width <= columns]:
        form = next((each for each in wide if each.height <= rows), wide[-1])
        return TextBoard(list(map(styled, form.lines)), form.tally)
    notice = phrase("This window is too narrow for the board, which needs {width} columns.", width=whole[-1].width)
    if drawings[-1].is_condensed and drawings[-1].width <= columns:
        return TextBoard(list(map(styled, drawings[-1].lines)), drawings[-1].tally, notice)
    return TextBoard(listed(position, columns), drawings[-1].tally, notice)


def listed(position: Position, width: int) -> list[Text]:
    """The pieces of a position as a list, without the last line, which says whose turn it is."""
    return wrapped([Text(line) for line in position.listing()[:-1]], width)


def condensed(rows: Sequence[Line]) -> list[Line]:
    """The rows of a board without frames, one column for each space; empty if the board has no such rows."""
    widths = {len(_cells(row)) for row in rows if len(row) > 1}
    if len(widths) != 1:
        return []
    size = widths.pop()
    names = max(len(row[0][0]) for row in rows if len(row) > 1)
    return [_condensed_row(row, size, names) for row in rows]


def _without_frame(line: Line) -> list[Span]:
    return [(text.strip(), role) for text, role in line if text.strip() and not role.startswith(("frame", "choice"))]


def _cells(row: Line) -> list[Span]:
    return [(text, role) for text, role in row if not role.startswith("label")]


def _condensed_row(row: Line, size: int, margin: int) -> list[Span]:
    """A row after its name; or the columns' names, shortened to their last figure; or a line of text."""
    (name, role), *_ = row
    if len(row) > 1:
        return [(name.rjust(margin), role), *_cells(row)]
    columns = name.split()
    return [(" " * margin + "".join(each[-1] for each in columns) if len(columns) == size else name, role)]
