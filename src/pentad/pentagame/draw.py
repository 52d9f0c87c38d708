"""Rendering of Pentagame positions: as a picture, as lines of text and as a list."""

from __future__ import annotations

from pentad.game import Move, Span
from pentad.pentagame import draw_board, draw_text
from pentad.pentagame.position_list import listing, status
from pentad.pentagame.rules import PentagamePosition


def svg(position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
    """The board with its figures and the path of the last piece."""
    title = f"Pentagame: {status(position)}"
    return draw_board.svg(position, last, flip, style, title, " ".join(listing(position)[:-1]))


def spans(position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board in characters, and the status."""
    return [*draw_text.board(position, last, flip), _status(position)]


def small_spans(position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The same in fewer lines."""
    return [*draw_text.board(position, last, flip, draw_text.SMALL), _status(position)]


def _status(position: PentagamePosition) -> list[Span]:
    return [(f"  {status(position)}", "status")]


def legend(position: PentagamePosition) -> str:
    """The signs of blocks and the letters of colours."""
    return draw_text.legend(position)


__all__ = ["legend", "listing", "small_spans", "spans", "status", "svg"]
