"""What the eye should find on Pentagame's board: the way of the last piece, and the blocks that were put after it."""

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
    """What a turn, whole or begun, has done; `last` is the turn, as a move or as text.

    `way` are the fields from `start` to `end` that the piece went along, none where that cannot be told; `put` are
    the fields with the blocks that were put; `left` is the goal of a piece that left by itself; `came` are the pieces
    that came to other fields, each by seat, colour and field.
    """

    def __init__(self, position: PentagamePosition, last: Move | str | None) -> None:
        self.position = position
        self.put: tuple[int, ...] = ()
        self.start = self.end = self.left = OFF_BOARD
        self.is_swap = False
        self.way: tuple[int, ...] = ()
        self.came: set[tuple[int, int, int]] = set()
        text = str(last or "")
        if "[" in text:
            self._read(text)
        elif text:
            self.put = tuple(_bare_field(word) for word in text.split() if _BARE.fullmatch(word))
            self._find_way(self._mover())

    def _read(self, text: str) -> None:
        """From a turn in brackets."""
        first, *others = denomination.turn(text)
        blocks = [move for move in (first, *others) if move.figure not in PIECES and move.to != OFF]
        self.put = tuple(NUMBER[move.to] for move in blocks)
        if first.figure in PIECES and first.to == OFF:
            self.left = goal(first.figure)
        else:
            self._find_way(first.player)

    def _mover(self) -> int:
        """Whose turn it is in the middle of one; else whose it was."""
        here = self.position
        return here.turn if here.due else (here.turn - 1) % here.players

    def _find_way(self, seat: int) -> None:
        here = self.position
        told = here.last[seat] if seat < here.players else None
        if told:
            self.start, self.end, self.is_swap = told.start, told.to, told.partner is not None
            self.came = {(seat, told.piece, told.to)}
            if told.partner:
                self.came.add((*told.partner, told.start))
            in_the_way = here.taken & ~set_of(self.put)  # what was put afterwards did not stand there yet
            self.way = path(told.start, told.to, in_the_way) or ()

    @cached_property
    def lasting(self) -> frozenset[int]:
        """The fields where something came to stand in that turn, or from which a piece left by itself."""
        return frozenset({*self.put, self.end, self.left, self.start if self.is_swap else OFF_BOARD}) - {OFF_BOARD}

    def is_last(self, field: int) -> bool:
        """Whether something came to stand on a field in that turn, or left from it."""
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
    """Each colour's mark beside its hue: the first letter of its name that no other has.

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
