"""Pentagame for learners: a number for each step, and planes of figures; `docs/how-to/learners.md` describes both."""

from __future__ import annotations

from typing import cast

from pentad.game import Step
from pentad.games.pentagame.board import ALL_FIELDS, FIELDS, NUMBER, set_of
from pentad.games.pentagame.denomination import GRAYS, PIECES
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep
from pentad.games.pentagame.rules import PentagamePosition


def _partners(here: PentagamePosition) -> int:
    """The number of swap partners of a piece, with none as one of them."""
    return 1 + len(PIECES) * here.players


def _piece_moves(here: PentagamePosition) -> int:
    return len(PIECES) * len(FIELDS) * _partners(here)


def actions(here: PentagamePosition) -> int:
    """Every move of a piece, the pieces that leave, a black block and each gray block on every field."""
    return _piece_moves(here) + len(PIECES) + (1 + len(GRAYS)) * len(FIELDS)


def most_steps(here: PentagamePosition) -> int:
    """In each turn a piece, a black block and two gray ones."""
    return 4 * cast(int, here.options["max_ply"])


def number(here: PentagamePosition, step: Step) -> int:
    """A piece's move has the number (piece · 100 + field) · partners + partner; see `docs/how-to/learners.md`."""
    if isinstance(step, PieceStep):
        partner = 0
        if step.partner:
            owner, piece = step.partner
            partner = 1 + len(PIECES) * ((owner - step.seat) % here.players) + piece
        return (step.piece * len(FIELDS) + NUMBER[step.to]) * _partners(here) + partner
    if isinstance(step, LeaveStep):
        return _piece_moves(here) + step.piece
    block = cast(BlockStep, step)
    kind = 0 if block.is_black else 1 + block.figure - GRAYS[0]
    return _piece_moves(here) + len(PIECES) + kind * len(FIELDS) + NUMBER[block.to]


def shape(here: PentagamePosition) -> tuple[int, int]:
    """One row of all fields."""
    return 1, len(FIELDS)


def planes(here: PentagamePosition, seat: int) -> dict[str, int]:
    """The figures, the seat to move, the due blocks, each seat's last move, and a swap that may not be undone."""
    seats = [(seat + i) % here.players for i in range(here.players)]
    last = [here.last[each] for each in seats]
    swapped = (here.pieces[owner][piece] for owner, piece in here.swapped or ())
    return (
        {f"piece +{i}.{piece}": set_of((here.pieces[each][piece],)) for i, each in enumerate(seats) for piece in PIECES}
        | {"black blocks": set_of(here.blacks)}
        | {f"gray block {i}": set_of((field,)) for i, field in enumerate(here.grays)}
        | {f"to move +{i}": ALL_FIELDS * (here.turn == each) for i, each in enumerate(seats)}
        | {f"{kind} due": ALL_FIELDS * (kind in here.due) for kind in ("black", "gray")}
        | {"two gray due": ALL_FIELDS * (here.due.count("gray") == 2)}
        | {f"last from +{i}": set_of((NUMBER[move.start],)) if move else 0 for i, move in enumerate(last)}
        | {f"last to +{i}": set_of((NUMBER[move.to],)) if move else 0 for i, move in enumerate(last)}
        | {"swapped": set_of(swapped)}
    )
