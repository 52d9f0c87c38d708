"""How a Pentagame position looks: as a picture, as lines of text, and as a list."""

from __future__ import annotations

from pentad.game import Move, Span
from pentad.pentagame import draw_board, draw_text
from pentad.pentagame.listing import listing, status
from pentad.pentagame.rules import PentagamePosition


def svg(position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
    """The ring and the star with all that stands on them, and the way of the last piece."""
    title = f"Pentagame, {status(position)}"
    return draw_board.svg(position, last, flip, style, title, ". ".join(listing(position)[:-1]) + ".")


def spans(position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board on a ground of characters, and who is to do what."""
    return [*draw_text.board(position, last, flip), [(f"  {status(position)}", "status")]]


__all__ = ["listing", "spans", "status", "svg"]
