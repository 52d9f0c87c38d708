"""Pentagame's board in characters: the star on a round ground, with the seats' dishes between its points.

Every field is two characters wide: `·` a stop, `(  )` a corner or junction, `●R` a piece by its seat's shape and its
colour's letter, `██` a black block, `▒▒` a gray one. The way of the last piece goes from `○` along `•`.
"""

from __future__ import annotations

import math
from itertools import groupby

from pentad.game import Move, Span
from pentad.pentagame.board import CORNERS, FIELDS, MAINS, OFF_BOARD, PLAN
from pentad.pentagame.layout import BAYS, DISH_AWAY
from pentad.pentagame.marks import Marks, letters
from pentad.pentagame.notation import SHAPES
from pentad.pentagame.rules import HOME_WINS, PentagamePosition

SIGNS = dict(zip(SHAPES, "●■▲◆★", strict=True))
BLOCKS = {"black": "██", "gray": "▒▒"}
JUST_PUT = {"black": "▐▌", "gray": "░░"}

ROW, COLUMN = 0.72, 1 / 3  # a character's height and width, in stops
RADIUS = 12.6  # of the ground
UP = 17  # rows above the middle, and below
LEFT = 38  # columns left of the middle
STACK = 6  # so many pieces of a corner can be shown

# Where the number of a corner or junction stands, in columns and rows from it.
_NAMES = ((4, 0), (0, -2), (-5, 0), (4, 0), (0, -2), (0, -2), (-4, 0), (-2, 2), (2, 2), (4, 0))
# Where up to six pieces of a corner stand, in columns and rows from its middle.
_STANDS = ((0, 0), (-2, 0), (0, -1), (-2, -1), (0, 1), (-2, 1))


def board(position: PentagamePosition, last: Move | str | None, flip: bool) -> list[list[Span]]:
    """The lines of the board."""
    return _Canvas(position, last, flip).lines()


class _Canvas:
    """The ground, a character a cell, and what is drawn on it."""

    def __init__(self, position: PentagamePosition, last: Move | str | None, flip: bool) -> None:
        self.position = position
        self.sign = -1 if flip else 1
        self.letters = letters(position.colours)
        self.marks = Marks(position, last)
        self.cells: dict[tuple[int, int], Span] = {}
        self._course()
        for field in range(len(FIELDS)):
            self._field(field)
        for main in MAINS:
            self._name(main)
        for seat in range(position.players):
            self._dish(seat)
        self._pool()

    def lines(self) -> list[list[Span]]:
        found = []
        for row in range(-UP, UP + 1):
            half = int(math.sqrt(max(RADIUS**2 - (row * ROW) ** 2, 0)) / COLUMN)
            cells = [self.cells.get((row, column), (" ", "ground")) for column in range(-half, half + 1)]
            parts = [
                ("".join(sign for sign, _ in group), role) for role, group in groupby(cells, key=lambda cell: cell[1])
            ]
            found.append([(" " * (LEFT - half), "margin"), *parts])
        return found

    def _course(self) -> None:
        """The ring and the lines of the star, to be seen where there are colours."""
        for i in range(360):
            self._write(*self._at(*_polar(PLAN.ring, i)), "  ", "course")
        for corner in CORNERS:
            (x1, y1, _), (x2, y2, _) = PLAN.spots[corner], PLAN.spots[(corner + 2) % 5]
            for i in range(100):
                self._write(*self._at(x1 + (x2 - x1) * i / 100, y1 + (y2 - y1) * i / 100), "  ", "course")

    def _write(self, row: int, column: int, text: str, role: str) -> None:
        for i, sign in enumerate(text):
            self.cells[row, column + i] = (sign, role)

    def _write_middle(self, row: int, column: int, parts: list[Span]) -> None:
        """Write around a column."""
        at = column - sum(len(text) for text, _ in parts) // 2
        for text, role in parts:
            self._write(row, at, text, role)
            at += len(text)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of a place on the board."""
        return -round(self.sign * y / ROW), round(self.sign * x / COLUMN)

    # ── fields ───────────────────────────────────────────────────────────────────────────────────

    def _field(self, field: int) -> None:
        here = self.position
        row, column = self._at(*PLAN.spots[field][:2])
        standing = here.pieces_on(field)
        if field in CORNERS and 1 < len(standing) <= STACK:
            for (seat, piece), (right, down) in zip(standing, _STANDS, strict=False):
                self._write(row + down, column + right, *self._piece(seat, piece, field))
            return
        if field in MAINS:
            self._write(row, column - 1, "(  )", f"chip-{here.colours[field % 5]}")
        if len(standing) > 1:
            self._write(row, column, f"{len(standing)}×"[:2], "ink")
        elif standing:
            self._write(row, column, *self._piece(*standing[0], field))
        elif kind := "black" if field in here.blacks else "gray" if field in here.grays else "":
            put = field in self.marks.put
            self._write(row, column, JUST_PUT[kind] if put else BLOCKS[kind], f"{kind} put" if put else kind)
        elif field in self.marks.way:
            self._write(row, column, "○ " if field == self.marks.start else "• ", "way")
        elif field not in MAINS:
            self._write(row, column, "· ", "stop")

    def _piece(self, seat: int, piece: int, field: int) -> Span:
        moved = " moved" if (seat, piece, field) in self.marks.came else ""
        return f"{SIGNS[SHAPES[seat]]}{self.letters[piece]}", f"chip-{self.position.colours[piece]}{moved}"

    def _name(self, main: int) -> None:
        row, column = self._at(*PLAN.spots[main][:2])
        right, down = _NAMES[main]
        colour = main % 5
        text, role = f"{main}{self.letters[colour]}", f"chip-{self.position.colours[colour]}"
        self._write(row + self.sign * down, column + self.sign * right, text, role)

    # ── beside the fields ────────────────────────────────────────────────────────────────────────

    def _dish(self, seat: int) -> None:
        """A seat's sign and name, and the pieces that it has brought home."""
        here = self.position
        row, column = self._at(*_polar(DISH_AWAY, 270 + 72 * BAYS[here.players][seat]))
        name = f"{SIGNS[SHAPES[seat]]} {SHAPES[seat]}"
        outcome = here.outcome
        chosen = seat in outcome.winners if outcome else seat == here.turn
        self._write_middle(row - 1, column, [(f"▸ {name} ◂", "ink to-move")] if chosen else [(name, "ink")])
        home = [piece for piece, field in enumerate(here.pieces[seat]) if field == OFF_BOARD]
        parts: list[Span] = [("home ", "ink")]
        for piece in home:
            parts += [(self.letters[piece], f"chip-{here.colours[piece]}"), (" ", "ink")]
        parts.append(("_ " * (HOME_WINS - len(home)), "ink"))
        self._write_middle(row, column, parts)

    def _pool(self) -> None:
        """In the middle the gray blocks that are not on the board, and the block in the mover's hand."""
        here = self.position
        self._write_middle(0, 0, [(BLOCKS["gray"], "gray"), (f" {here.pool} in the pool", "ink")])
        if here.due:
            kind = here.due[0]
            self._write_middle(-2, 0, [(BLOCKS[kind], kind), (" to be put", "ink to-move")])


def _polar(away: float, degrees: float) -> tuple[float, float]:
    return away * math.cos(math.radians(degrees)), away * math.sin(math.radians(degrees))
