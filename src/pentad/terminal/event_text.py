"""What happens in a game, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.game import Move, Outcome, Position
from pentad.play.table import FORFEIT, RESIGNED, Table
from pentad.record import Node, Record

if TYPE_CHECKING:
    from pentad.terminal.session import Session


GIVEN_UP = {RESIGNED: "resigned", FORFEIT: "lost by forfeit"}  # what the losers did, where the board does not show it


def result(position: Position, outcome: Outcome) -> str:
    """How a game ended.

    >>> import pentad
    >>> position = pentad.new("pentago")
    >>> result(position, Outcome.of((1,), 2, RESIGNED))
    'black resigned: white wins (0-1)'
    """
    seats = range(position.players)
    winners = [position.colour_of(seat) for seat in outcome.winners]
    if not winners or len(winners) == len(seats):
        return f"a draw: {outcome.reason} ({outcome.score})"
    if outcome.reason in GIVEN_UP:
        losers = [position.colour_of(seat) for seat in seats if seat not in outcome.winners]
        return f"{listed(losers)} {GIVEN_UP[outcome.reason]}: {_win(winners)} ({outcome.score})"
    return f"{_win(winners)}: {outcome.reason} ({outcome.score})"


def _win(winners: list[str]) -> str:
    return f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def listed(names: list[str]) -> str:
    """Names in a row: `black, red and green`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def who_sits(table: Table) -> str:
    """The colours, and who plays each: `black: human, white: greedy`."""
    position = table.position
    return ", ".join(f"{position.colour_of(i)}: {name_of(table, i)}" for i in range(position.players))


def name_of(table: Table, seat: int) -> str:
    """What the player at a seat is called."""
    return table.record.tags.get(f"Seat{seat}", table.seats[seat].who)


def state(record: Record) -> str:
    """Who is to move, or how the game ended."""
    position = record.position
    if record.outcome:
        return result(position, record.outcome)
    return f"{position.colour_of(position.turn)} to move"


def move(node: Node) -> str:
    """Who played what: `white: K10`."""
    before = _before(node)
    return f"{before.colour_of(before.turn)}: {node.move}"


def described(node: Node) -> str:
    """A move with its number, and in a sentence."""
    before = _before(node)
    assert node.move is not None
    return f"{before.ply + 1}. {node.move}: {before.describe(node.move)}"


def _before(node: Node) -> Position:
    assert node.parent is not None
    return node.parent.position


def board(session: Session) -> list[str]:
    """The board of a session as plain lines, or as a list where that is wanted."""
    position = position_in_hand(session.table, session.begun)
    if session.listed:
        return position.listing()
    return plain_board(position, session.begun or session.table.last, session.upside_down)


def plain_board(position: Position, last: Move | str | None = None, flip: bool = False) -> list[str]:
    """A board without colours, and below it what its signs stand for."""
    lines = ["".join(text for text, _ in line).rstrip() for line in position.spans(last=last, flip=flip)]
    return [*lines, *([f"   {position.legend}"] if position.legend else [])]


def position_in_hand(table: Table, begun: str) -> Position:
    """The position at the table, in the middle of a turn where one has been begun."""
    return table.position.partial(begun) if begun else table.position
