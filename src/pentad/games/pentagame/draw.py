"""Rendering of Pentagame positions: as a picture, as lines of text and as a list."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from pentad.drawing.looks import written
from pentad.game import Move, Span
from pentad.games.pentagame import look_constants as k
from pentad.games.pentagame import look_words, looks
from pentad.games.pentagame.board import CORNERS, FIELDS, MAINS, NUMBER, OFF_BOARD, PLAN, Field, polar
from pentad.games.pentagame.layout import BAYS, DISH_DISTANCE
from pentad.games.pentagame.letters import letters
from pentad.games.pentagame.look_numbers import Highlights, status_number
from pentad.games.pentagame.look_words import ending as ending
from pentad.games.pentagame.notation import SHAPES
from pentad.games.pentagame.rules import HOME_WINS, PentagamePosition, piece_target
from pentad.system.words import phrase

# ── the board in characters ───────────────────────────────────────────────────────────────────────
#
# There are two sizes: `LARGE` has 35 rows; `SMALL` has 19, for screens of 24 rows. Every field is two characters wide:
# `·` a stop, `(  )` a corner or junction, `●R` a piece with its seat's shape and its colour's letter, `██` a black
# block, `▒▒` a gray one. The path of the last piece runs from `○` along `•`.

SIGNS = dict(zip(SHAPES, "●■▲◆★", strict=True))
BLOCKS = {"black": "██", "gray": "▒▒"}
JUST_PUT = {"black": "▐▌", "gray": "░░"}

STACK = 6  # the most pieces that can be shown on a corner

Offset = tuple[int, int]  # the difference of columns and of rows


@dataclass(frozen=True, slots=True)
class Size:
    """The dimensions of a drawing.

    A character is `row` stops high and `column` stops wide. There are `rows` above the middle, and as many below it.
    """

    row: float
    column: float
    rows: int
    ground: tuple[float, float]  # the background's radii, in columns and in rows
    bulge: int  # the exponent of its edge: 2 for an ellipse, more for a rounded rectangle
    names: tuple[Offset, ...]  # the place of each main field's number
    slots: tuple[tuple[Offset, ...], ...]  # the places of up to six pieces on each corner
    due: Offset  # the place of the due block, from the middle
    nudged: Mapping[int, int]  # columns by which fields are shifted to avoid overlaps


_PAIRS = ((0, 0), (-2, 0), (0, -1), (-2, -1), (0, 1), (-2, 1))  # two columns of pieces

LARGE = Size(
    row=0.72,
    column=1 / 3,
    rows=17,
    ground=(37.8, 17.5),
    bulge=2,
    names=((4, 0), (0, -2), (-5, 0), (4, 0), (0, -2), (0, -2), (-4, 0), (-2, 2), (2, 2), (4, 0)),
    slots=(_PAIRS,) * 5,
    due=(0, -2),
    nudged={},
)
# Two stops of these legs share a row.
_NUDGED = {(7, 2, 0): 1, (7, 3, 0): -1, (8, 2, 0): -1, (8, 3, 0): 1}
SMALL = Size(
    row=1.25,
    column=0.295,
    rows=9,
    ground=(39.4, 9.7),
    bulge=4,
    names=((7, 0), (0, -2), (-3, -1), (3, -1), (0, -2), (0, -1), (-4, 0), (-2, 1), (2, 1), (4, 0)),
    slots=(
        ((0, 0), (2, 0), (-2, 0), (4, 0), (-4, 0), (-6, 0)),
        _PAIRS,
        ((0, 0), (-2, 0), (0, 1), (-2, 1), (-4, 0), (-4, 1)),
        ((0, 0), (2, 0), (0, 1), (2, 1), (4, 0), (4, 1)),
        _PAIRS,
    ),
    due=(0, -1),
    nudged={NUMBER[Field(*stop)]: by for stop, by in _NUDGED.items()},
)


def legend(position: PentagamePosition) -> str:
    """The signs of blocks, with those just put, and the letters of colours."""
    blocks = [f"{BLOCKS[kind]} {JUST_PUT[kind]} {kind} block" for kind in BLOCKS]
    names = letters(position.colours)
    return "  ".join([*blocks, *(f"{names[i]} {colour}" for i, colour in enumerate(position.colours))])


class _Canvas:
    """A grid of characters with the drawing."""

    def __init__(self, position: PentagamePosition, last: Move | str | None, flip: bool, size: Size) -> None:
        self.position = position
        self.size = size
        self.sign = -1 if flip else 1
        self.letters = letters(position.colours)
        self.highlights = Highlights(position, last)
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
        wide, high = self.size.ground
        for row in range(-self.size.rows, self.size.rows + 1):
            half = int(wide * (1 - (abs(row) / high) ** self.size.bulge) ** (1 / self.size.bulge))
            cells = [self.cells.get((row, column), (" ", "ground")) for column in range(-half, half + 1)]
            parts = [
                ("".join(sign for sign, _ in group), role) for role, group in groupby(cells, key=lambda cell: cell[1])
            ]
            found.append([(" " * (round(wide) - half), "margin"), *parts])
        return found

    def _course(self) -> None:
        """The ring and the lines of the star, visible on screens with colours."""
        for degrees in range(360):
            self._write(*self._at(*polar(PLAN.ring, math.radians(degrees))), "  ", "course")
        for corner in CORNERS:
            (x1, y1, _), (x2, y2, _) = PLAN.spots[corner], PLAN.spots[(corner + 2) % 5]
            for i in range(100):
                self._write(*self._at(x1 + (x2 - x1) * i / 100, y1 + (y2 - y1) * i / 100), "  ", "course")

    def _write(self, row: int, column: int, text: str, role: str) -> None:
        for i, sign in enumerate(text):
            self.cells[row, column + i] = (sign, role)

    def _write_middle(self, row: int, column: int, parts: list[Span]) -> None:
        """Writes text centred on a column."""
        at = column - sum(len(text) for text, _ in parts) // 2
        for text, role in parts:
            self._write(row, at, text, role)
            at += len(text)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of a point of the board."""
        return -round(self.sign * y / self.size.row), round(self.sign * x / self.size.column)

    # ── fields ───────────────────────────────────────────────────────────────────────────────────

    def _field(self, field: int) -> None:
        here, at = self.position, f" @{FIELDS[field]}"
        row, column = self._at(*PLAN.spots[field][:2])
        column += self.sign * self.size.nudged.get(field, 0)
        occupants = here.pieces_on(field)
        if field in CORNERS and 1 < len(occupants) <= STACK:
            for (seat, piece), (right, down) in zip(occupants, self.size.slots[field], strict=False):
                self._write(row + self.sign * down, column + self.sign * right, *self._piece(seat, piece, field))
            return
        if field in MAINS:
            self._write(row, column - 1, "(  )", f"chip-{here.colours[field % 5]}{at}")
        if len(occupants) > 1:
            self._write(row, column, f"{len(occupants)}×"[:2], f"ink{at}")
        elif occupants:
            self._write(row, column, *self._piece(*occupants[0], field))
        elif kind := "black" if field in here.blacks else "gray" if field in here.grays else "":
            put = field in self.highlights.put
            self._write(row, column, JUST_PUT[kind] if put else BLOCKS[kind], f"{kind} put{at}" if put else kind + at)
        elif field in self.highlights.path:
            self._write(row, column, "○ " if field == self.highlights.start else "• ", f"way{at}")
        elif field not in MAINS:
            self._write(row, column, "· ", f"stop{at}")

    def _piece(self, seat: int, piece: int, field: int) -> Span:
        moved = " moved" if (seat, piece, field) in self.highlights.moved else ""
        role = f"chip-{self.position.colours[piece]}{moved} @{piece_target(seat, piece)}"
        return f"{SIGNS[SHAPES[seat]]}{self.letters[piece]}", role

    def _name(self, main: int) -> None:
        row, column = self._at(*PLAN.spots[main][:2])
        right, down = self.size.names[main]
        colour = main % 5
        text, role = f"{main}{self.letters[colour]}", f"chip-{self.position.colours[colour]}"
        self._write(row + self.sign * down, column + self.sign * right, text, role)

    # ── beside the fields ────────────────────────────────────────────────────────────────────────

    def _dish(self, seat: int) -> None:
        """A seat's sign and name, and its finished pieces."""
        here = self.position
        row, column = self._at(*polar(DISH_DISTANCE, math.tau * (0.75 + BAYS[here.players][seat] / 5)))
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
        """The pool in the middle: the gray blocks off the board and the due block."""
        here = self.position
        self._write_middle(0, 0, [(BLOCKS["gray"], "gray"), (phrase(" {pool} in the pool", pool=here.pool), "ink")])
        if here.due:
            kind = here.due[0]
            right, down = self.size.due
            self._write_middle(down, right, [(BLOCKS[kind], kind), (" to be put", "ink to-move")])


# ── a list of text ────────────────────────────────────────────────────────────────────────────────


def listing(position: PentagamePosition) -> list[str]:
    """A line for every seat, for the blocks and for the previous moves, then the status."""
    shown = looks.numbers(position, None)
    lines = (written(line, shown).strip() for line in look_words.listing(position.players, position.colours))
    return [*filter(None, lines), status(position)]


def status(position: PentagamePosition) -> str:
    """The player and the action expected, or the result."""
    number = status_number(position)
    return written(look_words.status(position.players), {k.STATUS: number, k.PLIES: position.plies})


def svg(
    position: PentagamePosition,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board with its figures and the path of the last piece.

    Without `labels` it is the board alone.
    """
    return looks.sheet(position, flip, labels).svg(looks.numbers(position, last), style=style)


SIZES = range(-1, 1)


def spans(
    position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in characters, and the status."""
    drawn = SMALL if size < 0 else LARGE
    return [*_Canvas(position, last, flip, drawn).lines(), [(f"  {status(position)}", "status")]]
