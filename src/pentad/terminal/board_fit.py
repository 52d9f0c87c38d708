"""Drawings of a board that fit a window, or as much of the board as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from pentad.game import Move, Position, Span
from pentad.terminal.theme import style_of, styled, width_of, wrapped

BELOW = ("status", "tally")  # the roles of lines below a board
MARKED = {"last", "line", "moved", "put", "way"}  # the roles of highlighted spaces

Spans = Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board as lines, the tally below it, and a notice if the window is too small."""

    lines: list[Text]
    tally: str = ""
    notice: str = ""


def fitted(position: Position, last: Move | str | None, flip: bool, *, width: int, rows: int, below: int) -> Drawing:
    """The largest drawing for this many columns and rows; the window has `below` more rows."""
    tally, need = "", (0, 0)
    for small in (False, True):
        spans = position.spans(last=last, flip=flip, small=small)
        tally = " ".join(_text(line) for line in spans if line[0][1] == "tally")
        board = [line for line in spans if line[0][1] not in BELOW]
        lines = [styled(line) for line in board]
        need = (width_of(lines), len(lines))
        if need[0] <= width and need[1] <= rows:
            return Drawing(lines, tally)
    narrow = condensed(board)
    if narrow and width_of(narrow) <= width and len(narrow) <= rows:
        return Drawing(narrow, tally)
    notice = (
        f"This window is too narrow for the board, which needs {need[0]} columns."
        if need[1] <= rows
        else f"This window is too small for the board, which needs {need[0]} × {need[1] + below}."
    )
    room = max(rows - len(wrapped([Text(notice)], width)), 0)
    if narrow and width_of(narrow) <= width:
        return Drawing(_cut(narrow, board, room), tally, notice)
    return Drawing(listed(position, width)[:room], tally, notice)


def listed(position: Position, width: int) -> list[Text]:
    """The pieces of a position as a list, without the last line, which says whose turn it is."""
    return wrapped([Text(line) for line in position.listing()[:-1]], width)


def condensed(board: Spans) -> list[Text]:
    """A board without frames, one column for each space; empty if the board has no such rows."""
    rows = [_without_frame(line) for line in board]
    rows = [row for row in rows if row]
    widths = {len(_cells(row)) for row in rows if len(row) > 1}
    if len(widths) != 1:
        return []
    size = widths.pop()
    names = max(len(row[0][0]) for row in rows if len(row) > 1)
    return [_condensed_row(row, size, names) for row in rows]


def _without_frame(line: Sequence[Span]) -> list[Span]:
    return [(text.strip(), role) for text, role in line if text.strip() and role != "frame"]


def _cells(row: Sequence[Span]) -> list[Span]:
    return [(text, role) for text, role in row if role != "label"]


def _condensed_row(row: Sequence[Span], size: int, margin: int) -> Text:
    """A row after its name; or the columns' names, shortened to their last figure; or a line of text."""
    (name, role), *_ = row
    if len(row) > 1:
        return styled([(name.rjust(margin), role), *_cells(row)])
    columns = name.split()
    return Text(" " * margin + "".join(each[-1] for each in columns) if len(columns) == size else name, style_of(role))


def _cut(narrow: list[Text], board: Spans, room: int) -> list[Text]:
    """The rows around the last move, below the columns' names."""
    lines = [line for line in board if _without_frame(line)]
    names = [text for text, line in zip(narrow, lines, strict=True) if len(_without_frame(line)) == 1][:1]
    rows = [(text, line) for text, line in zip(narrow, lines, strict=True) if len(_without_frame(line)) > 1]
    marked = [i for i, (_, line) in enumerate(rows) if any(MARKED & set(role.split()) for _, role in line)]
    middle = marked[len(marked) // 2] if marked else len(rows) // 2
    count = max(room - len(names), 0)
    first = min(max(middle - count // 2, 0), max(len(rows) - count, 0))
    return [*names, *(text for text, _ in rows[first : first + count])]


def _text(line: Sequence[Span]) -> str:
    return "".join(text for text, _ in line).strip()
