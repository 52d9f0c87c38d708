"""What the formats share: the records that they hold, and replaying what they tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from pentad.game import GameError, Move, Outcome
from pentad.pente.board import Stone
from pentad.pente.rules import GAME, PentePosition
from pentad.pente.rulesets import SWAP2
from pentad.record import Node, Record
from pentad.record.text import Scanner

# Why a game ended, where the board does not show it.
TOLD = "told"  # the file gives the result alone
RESIGNED, OUT_OF_TIME, FORFEIT = "resigned", "out of time", "forfeit"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def check_name(format: str, game: str | None) -> None:
    """Refuse to read the file as another game."""
    if game not in (None, GAME.name):
        raise GameError(f"{format} holds games of {GAME.name}, not of {game}")


def follow(scanner: Scanner, node: Node, stone: Stone, at: int) -> Node:
    """The node after a stone: the one that is there already, or a new one; errors tell the place."""
    move = Move((stone,))
    for child in node.children:
        if child.move == move:
            return child
    try:
        return node.play(move)
    except GameError as error:
        raise scanner.error(f"move {node.position.ply + 1}: {error}", at) from None


def settle(scanner: Scanner, record: Record, told: Outcome | None, at: int) -> None:
    """Hold the result that is told (None: nothing is) against the board, or keep it where the board shows none."""
    shown = record.position.outcome
    if shown is None:
        record.ended = told
    elif told and told.returns != shown.returns:
        raise scanner.error(f"by the board the result is {shown.score}, {shown.reason}", at)


def won_by(seat: int, reason: str) -> Outcome:
    return Outcome.of((seat,), 2, reason)


def drawn(reason: str) -> Outcome:
    return Outcome.of((), 2, reason)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def start_of(record: Record, format: str) -> PentePosition:
    """The position that a record begins with, if it is one of this game and its moves are single stones."""
    start = record.start
    if not isinstance(start, PentePosition):
        raise GameError(f"{format} holds games of {GAME.name}, not of {start.game}")
    if start.rules.opening == SWAP2:
        raise GameError(f"{format} has no place for the opening {SWAP2}, in which a turn is more than a stone")
    return start


def is_fresh(start: PentePosition) -> bool:
    """Whether a position is the first one of a game with its options."""
    return start == GAME.new(**start.options)


def must_be_fresh(start: PentePosition, format: str) -> None:
    if not is_fresh(start):
        raise GameError(f"{format} holds games from their beginning, not from a position such as this one")


def unusual(start: PentePosition, *, but: Iterable[str] = ()) -> list[str]:
    """The options, as `name=value`, that are not the rule set's own; those named in `but` do not count."""
    passed_over = ("rules", *but)
    return [word for word in start.options_text().split() if word.partition("=")[0] not in passed_over]


def stones_of(record: Record) -> list[Stone]:
    """The moves of the main line, each of them a stone."""
    return [cast(Stone, move[0]) for move in record.moves]
