"""Shared functions of the formats: checks of records, and replay of moves and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple, cast

from pentad.game import GameError, Move, Outcome
from pentad.games.pente.board import Stone
from pentad.games.pente.rules import GAME, PentePosition
from pentad.games.pente.rulesets import SWAP2
from pentad.record import Node, Record, RecordError
from pentad.record.scanner import Scanner
from pentad.record.text_format import RESULT_ONLY as RESULT_ONLY
from pentad.system.words import phrase

# Reasons for the end of a game that the board does not show.
RESIGNED, OUT_OF_TIME, FORFEIT = "resigned", "out of time", "forfeit"
FREESTYLE, GOMOKU = "freestyle", "gomoku"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


class FilePart(NamedTuple):
    """A part of a file, such as a line or a value, and its offset."""

    text: str
    at: int


def check_name(format: str, game: str | None) -> None:
    """Raises GameError if the file is to be read as another game."""
    if game not in (None, GAME.name):
        raise GameError("{format} holds games of {name}, not of {game}.", format=format, name=GAME.name, game=game)


def follow(scanner: Scanner, node: Node, stone: Stone, at: int) -> Node:
    """The node after a stone, an existing or a new one; errors have the place."""
    try:
        return node.play(Move((stone,)))
    except GameError as error:
        raise scanner.error(phrase("Move {ply}: {error}", ply=node.position.ply + 1, error=error), at) from None


def settle(scanner: Scanner, record: Record, result: Outcome | None, at: int) -> None:
    """Checks the result in the file (None for none) against the board, or records it if the board shows none."""
    shown = record.position.outcome
    if shown is None:
        record.ended = result
    elif result and result.returns != shown.returns:
        raise scanner.error(
            phrase("The result on the board is {score}, {reason}.", score=shown.score, reason=shown.reason), at
        )


def by_either_rules(read: Callable[[str], Record]) -> Record:
    """The record by the rules of freestyle, or else of gomoku, in which more than five in a row do not end the game."""
    try:
        return read(FREESTYLE)
    except RecordError:
        with suppress(RecordError):
            return read(GOMOKU)
        raise


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def start_of(record: Record, format: str) -> PentePosition:
    """The start of a record; raises GameError unless it is Pente with moves of single stones."""
    start = record.start
    if not isinstance(start, PentePosition):
        raise GameError(
            "{format} holds games of {name}, not of {game}.", format=format, name=GAME.name, game=start.game
        )
    if start.rules.opening == SWAP2:
        raise GameError(
            "{format} cannot hold the opening {swap2}, in which a turn has more than one stone.",
            format=format,
            swap2=SWAP2,
        )
    return start


def is_fresh(start: PentePosition) -> bool:
    """Whether a position is the first one of a game with its options."""
    return start == GAME.new(**start.options)


def must_be_plain(start: PentePosition, format: str) -> None:
    """Raises GameError unless it is the first position of a rule set, on a board of any size, with any opening."""
    if other := unusual(start, but=("size", "opening", "tournament_rule")):
        raise GameError("{format} cannot hold the options {other}.", format=format, other=" ".join(other))
    if not is_fresh(start):
        raise GameError("{format} holds only games from the first position, not from one such as this.", format=format)


def unusual(start: PentePosition, *, but: Iterable[str] = ()) -> list[str]:
    """The options, as `name=value`, that differ from the rule set's own, except those named in `but`."""
    return [word for word in start.options_text().split() if word.partition("=")[0] not in ("rules", *but)]


def stones_of(record: Record) -> list[Stone]:
    """The moves of the main line, each of them a stone."""
    return [cast(Stone, move[0]) for move in record.moves]
