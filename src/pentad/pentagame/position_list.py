"""Pentagame positions as lists of text: pieces, blocks and each seat's previous move."""

from __future__ import annotations

from pentad.pentagame import descriptions
from pentad.pentagame.board import OFF_BOARD, goal
from pentad.pentagame.denomination import PIECES
from pentad.pentagame.rules import PentagamePosition
from pentad.wording import listed

BLOCKS_IN_HAND = {"black": "the black block", "gray": "a gray block"}


def listing(position: PentagamePosition) -> list[str]:
    """A line for every seat, for the blocks and for the previous moves, then the status."""
    lines = [_seat(position, seat) for seat in range(position.players)]
    black, gray = (
        [descriptions.place(position, field) for field in sorted(fields) if field != OFF_BOARD]
        for fields in (position.blacks, position.grays)
    )
    lines.append(f"Black blocks: {listed(black) or 'none on the board'}.")
    pool = f"{position.pool} in the pool" if position.pool else "none in the pool"
    lines.append(f"Gray blocks: {f'{listed(gray)}; ' if gray else ''}{pool}.")
    if position.due:
        lines.append(f"To be put: {' and then '.join(BLOCKS_IN_HAND[kind] for kind in position.due)}.")
    previous = [_previous(position, seat) for seat in range(position.players) if position.last[seat]]
    if previous:
        lines.append(f"Previous moves, not to be repeated: {'; '.join(previous)}.")
    return [*lines, status(position)]


def _seat(here: PentagamePosition, seat: int) -> str:
    places = []
    for piece in PIECES:
        field = here.pieces[seat][piece]
        where = "home" if field == OFF_BOARD else descriptions.place(here, field)
        waits = " (waiting at its goal)" if field == goal(piece) else ""
        places.append(f"{here.colours[piece]} {where}{waits}")
    return f"{descriptions.player(here, seat).capitalize()}: {', '.join(places)}; {here.home(seat)} home."


def _previous(here: PentagamePosition, seat: int) -> str:
    last = here.last[seat]
    assert last is not None
    swap = f", swapped with {descriptions.piece(here, *last.partner)}" if last.partner else ""
    return (
        f"{descriptions.player(here, seat)} {here.colours[last.piece]} from {descriptions.place(here, last.start)} "
        f"to {descriptions.place(here, last.to)}{swap}"
    )


def status(position: PentagamePosition) -> str:
    """The player and the action expected, or the result."""
    outcome = position.outcome
    if outcome is None:
        player = descriptions.player(position, position.turn).capitalize()
        return descriptions.action(position).status.format(player=player)
    if not outcome.winners:
        return f"Draw: the turn limit of {position.ply} is reached."
    names = listed(descriptions.player(position, seat) for seat in outcome.winners)
    if outcome.is_draw:
        return f"Draw between {names}: each has three pieces home."
    if len(outcome.winners) > 1:
        return f"{names.capitalize()} share the win, each with three pieces home."
    return f"{names.capitalize()} wins with three pieces home."
