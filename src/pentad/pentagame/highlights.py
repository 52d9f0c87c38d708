"""Highlights of the last turn on Pentagame's board: the path of its piece and the blocks that it put."""

from __future__ import annotations

import re
from functools import cached_property

from pentad.game import Move
from pentad.pentagame import denomination
from pentad.pentagame.board import NUMBER, OFF, OFF_BOARD, goal, set_of
from pentad.pentagame.denomination import PIECES
from pentad.pentagame.paths import path
from pentad.pentagame.rules import PentagamePosition

_BARE = re.compile(r"[0-9][0-9.]{0,4}")


class Marks:
    """The effects of the last turn, whole or partial; `last` is the turn, as a move or as text.

    `path` has the fields from `start` to `end` of the piece's path, empty if it is unknown; `put` the fields of the
    blocks that were put; `left` is the goal of a piece that left on its own; `moved` has the pieces that came to
    other fields, each by seat, colour and field.
    """

    def __init__(self, position: PentagamePosition, last: Move | str | None) -> None:
        self.position = position
        self.put: tuple[int, ...] = ()
        self.start = self.end = self.left = OFF_BOARD
        self.is_swap = False
        self.path: tuple[int, ...] = ()
        self.moved: set[tuple[int, int, int]] = set()
        text = str(last or "")
        if "[" in text:
            self._read(text)
        elif text:
            self.put = tuple(_bare_field(word) for word in text.split() if _BARE.fullmatch(word))
            self._find_path(self._mover())

    def _read(self, text: str) -> None:
        """Reads a turn in brackets."""
        first, *others = denomination.turn(text)
        blocks = [move for move in (first, *others) if move.figure not in PIECES and move.to != OFF]
        self.put = tuple(NUMBER[move.to] for move in blocks)
        if first.figure in PIECES and first.to == OFF:
            self.left = goal(first.figure)
        else:
            self._find_path(first.player)

    def _mover(self) -> int:
        """The seat of the last turn; in the middle of a turn, the seat to move."""
        here = self.position
        return here.turn if here.due else (here.turn - 1) % here.players

    def _find_path(self, seat: int) -> None:
        here = self.position
        last = here.last[seat] if seat < here.players else None
        if last:
            self.start, self.end, self.is_swap = last.start, last.to, last.partner is not None
            self.moved = {(seat, last.piece, last.to)}
            if last.partner:
                self.moved.add((*last.partner, last.start))
            taken = here.taken & ~set_of(self.put)  # the blocks were put after the piece moved
            self.path = path(last.start, last.to, taken) or ()

    @cached_property
    def lasting(self) -> frozenset[int]:
        """The fields to which a figure came in that turn, or from which a piece left on its own."""
        return frozenset({*self.put, self.end, self.left, self.start if self.is_swap else OFF_BOARD}) - {OFF_BOARD}

    def is_last(self, field: int) -> bool:
        """Whether a figure came to a field in that turn, or left the board from it."""
        return field in self.lasting


def _bare_field(word: str) -> int:
    digits = word.replace(".", "")
    return NUMBER[denomination.field(int(digits) if len(digits) == 3 else [int(digits), 0, 0])]


def waiting(position: PentagamePosition) -> set[tuple[int, int]]:
    """The pieces that others have brought to their goals, each by seat and colour."""
    return {
        (seat, piece)
        for seat, mine in enumerate(position.pieces)
        for piece, field in enumerate(mine)
        if field == goal(piece)
    }


def letters(colours: tuple[str, ...]) -> tuple[str, ...]:
    """A letter for each colour: the first letter of its name that no other has.

    >>> letters(("white", "blue", "brown", "red", "orange"))
    ('W', 'B', 'N', 'R', 'O')
    """
    initials = [colour[0] for colour in colours]
    found: list[str] = []
    for colour in colours:
        new = colour[0] not in found
        taken = {*found, *initials}
        found.append(colour[0] if new else next(letter for letter in colour if letter not in taken))
    return tuple(letter.upper() for letter in found)
