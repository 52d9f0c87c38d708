"""Texts for the events of a game: moves, results, players and boards."""

from __future__ import annotations

from pentad.game import Move, Outcome, Position
from pentad.play.results import result_text
from pentad.play.table import Table
from pentad.record import Node, Record
from pentad.terminal.session import Session


def result(position: Position, outcome: Outcome) -> str:
    """The result of a game, with its score.

    >>> import pentad
    >>> position = pentad.new("pentago")
    >>> result(position, Outcome.of((1,), 2, "resigned"))
    'Black resigned. White wins. Result: 0-1.'
    """
    return f"{result_text(position, outcome)} Result: {outcome.score}."


def players_text(table: Table) -> str:
    """The colours and their players: `black: human, white: greedy`."""
    position = table.position
    return ", ".join(f"{position.colour_of(i)}: {player_name(table, i)}" for i in range(position.players))


def player_name(table: Table, seat: int) -> str:
    """The name of the player at a seat."""
    return table.record.tags.get(f"Seat{seat}", table.seats[seat].who)


def state(record: Record) -> str:
    """The player to move, or the result."""
    position = record.position
    if record.outcome:
        return result(position, record.outcome)
    return f"{position.colour_of(position.turn).capitalize()} to move."


def move(node: Node) -> str:
    """A move with its player: `white: K10`."""
    before = _before(node)
    return f"{before.colour_of(before.turn)}: {node.move}"


def described(node: Node) -> str:
    """A move with its number and its description."""
    before = _before(node)
    assert node.move is not None
    return f"{before.ply + 1}. {node.move}: {before.describe(node.move)}"


def _before(node: Node) -> Position:
    assert node.parent is not None
    return node.parent.position


def board(session: Session) -> list[str]:
    """The board of a session as plain lines, or as a list if requested."""
    position = shown_position(session.table, session.partial_turn)
    if session.listed:
        return position.listing()
    return plain_board(position, session.partial_turn or session.table.last, session.upside_down)


def plain_board(position: Position, last: Move | str | None = None, flip: bool = False) -> list[str]:
    """A board without colours, and below it the legend."""
    lines = ["".join(text for text, _ in line).rstrip() for line in position.spans(last=last, flip=flip)]
    return [*lines, *([f"   {position.legend}"] if position.legend else [])]


def shown_position(table: Table, partial_turn: str) -> Position:
    """The position at the table, after the steps of a partial turn."""
    return table.position.partial(partial_turn) if partial_turn else table.position
