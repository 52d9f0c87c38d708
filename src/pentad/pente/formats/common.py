"""What the formats share: the records that they hold, replaying what they tell, and saying what they leave out."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from typing import cast

from pentad.game import GameError, Move, Outcome, shorten
from pentad.pente.board import Stone
from pentad.pente.rules import GAME, PentePosition
from pentad.pente.rulesets import SWAP2
from pentad.record import Node, Record
from pentad.record.text import Scanner

# Why a game ended, where the board does not show it.
TOLD = "told"  # the file gives the result alone
RESIGNED, OUT_OF_TIME, FORFEIT = "resigned", "out of time", "forfeit"

# The library's way to say something in passing: one line on standard error, unless a program sends it elsewhere.
LOG = logging.getLogger("pentad.formats")


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


class Losses:
    """What a format has no place for, told in one line when all is written."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.counts: Counter[str] = Counter()

    def note(self, thing: str, often: int = 1) -> None:
        """`thing` is a noun that can be counted, or a phrase that begins with `the`."""
        self.counts[thing] += often

    def note_beyond_moves(self, record: Record, *, comments: bool = True) -> None:
        """Whatever the tree holds beyond the moves of the main line."""
        line = record.end.line
        self.note("variation", sum(max(0, len(node.children) - 1) for node in line))
        self.note("comment", comments * sum(bool(node.comment) for node in line))
        self.note("clock time", sum(node.clock is not None for node in line))
        self.note("value", sum(node.value is not None for node in line))

    def plain(self, text: str, what: str) -> str:
        """A text without line breaks."""
        line = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if line != text:
            self.note(f"the line breaks of {what}")
        return line

    def tell(self) -> None:
        told = [
            thing if thing.startswith("the ") else f"{often} {thing}{'s' if often > 1 else ''}"
            for thing, often in self.counts.items()
            if often
        ]
        if told:
            listed = " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))
            LOG.warning("%s has no place for %s: left out", self.format, shorten(listed, 300))
