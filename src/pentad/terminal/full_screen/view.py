"""Views: a session as the screen shows it at one moment, taken by the session's thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pentad.game import Choices, Move, Position, Span
from pentad.play.clock import Clock
from pentad.record import Node
from pentad.terminal.messages import described, state_sentence
from pentad.terminal.play_session import Session


@dataclass(frozen=True, slots=True)
class View:
    """The board with the first steps of a turn, the choices of a person, the moves, and what to say about them."""

    title: str
    position: Position
    choices: Choices | None  # None while nobody can choose
    last: Move | str | None
    flip: bool
    is_listed: bool
    hinted: frozenset[str]  # the targets of a hint for this turn
    seats: tuple[tuple[str, str], ...]  # the colour and the player
    turn: int | None
    partial_turn: str
    moves: tuple[str, ...]
    first_mover: int  # the seat of the first move
    first_ply: int  # the number of moves before it, in a game that begins from a position
    words: tuple[str, ...]  # the last moves of the others, described
    described: tuple[str, ...]  # all moves, for the list of moves
    states: tuple[str, str]  # the player to move with the prompt or the result, in full and in short
    saved: str
    can_lose_game: bool  # whether a game is in progress
    clock: Clock | None = None
    busy: str = ""  # what is being worked on
    messages: tuple[Span, ...] = ()


def view_of(
    session: Session, *, waits: bool, busy: str = "", messages: Sequence[Span] = (), hint: Move | None = None
) -> View:
    """The view of a session; `waits` is whether it waits for a person's line."""
    table, position = session.table, session.shown_position
    nodes = table.record.main_line
    may_choose = waits and table.seat is not None
    return View(
        title=table.game.title,
        position=position,
        choices=position.choices() if may_choose else None,
        last=session.last_move,
        flip=session.upside_down,
        is_listed=session.listed,
        hinted=_hinted(session, hint) if hint else frozenset(),
        seats=tuple((position.colour_of(seat), table.player_name(seat)) for seat in range(position.players)),
        turn=table.seat,
        partial_turn=session.partial_turn,
        moves=tuple(before.notation(move) for before, move in (node.played for node in nodes)),
        first_mover=table.record.start.turn,
        first_ply=table.record.start.ply,
        words=tuple(described(node) for node in nodes[-max(1, position.players - 1) :]),
        described=tuple(_headed(node) for node in nodes),
        states=(state_sentence(session), state_sentence(session, short=True)),
        saved=session.saved_status,
        can_lose_game=bool(nodes) and table.outcome is None,
        clock=table.clock,
        busy=busy,
        messages=tuple(messages),
    )


def _hinted(session: Session, hint: Move) -> frozenset[str]:
    """The targets of a hint, as long as the first steps of the turn follow it."""
    if session.partial_turn not in ("", *(str(Move(hint[:count])) for count in range(1, len(hint)))):
        return frozenset()
    return frozenset(target for choice in session.table.position.choices_of(hint) for target in choice.targets)


def _headed(node: Node) -> str:
    before, move = node.played
    return f"{before.ply + 1}. {before.colour_of(before.turn)}: {before.notation(move)}"
