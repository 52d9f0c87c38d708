"""Rendering of Pentagame positions: as a picture, as lines of text and as a list."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby

from pentad import drawing
from pentad.drawing import tag
from pentad.drawing.colours import hue
from pentad.game import Move, Span
from pentad.games.pentagame import denomination
from pentad.games.pentagame.board import (
    CORNERS,
    FIELDS,
    JUNCTIONS,
    MAINS,
    NUMBER,
    OFF,
    OFF_BOARD,
    PLAN,
    Field,
    fields_of,
    goal,
    path,
    polar,
    set_of,
)
from pentad.games.pentagame.denomination import PIECES
from pentad.games.pentagame.layout import (
    BAYS,
    BOARD_RADIUS,
    DISH_DISTANCE,
    DISH_RADIUS,
    POOL_RADIUS,
    SIDE,
    STOP_DIAMETER,
    BoardLayout,
    Point,
)
from pentad.games.pentagame.letters import fields_put, letters, names_of, pieces_home
from pentad.games.pentagame.notation import SHAPES, place_in, short_field
from pentad.games.pentagame.rules import HOME_WINS, TURN_LIMIT, PentagamePosition, piece_target
from pentad.system.words import listed, phrase

# ── the last turn ─────────────────────────────────────────────────────────────────────────────────

_BARE = re.compile(r"[0-9][0-9.]{0,4}")


class Highlights:
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
            bare = (short_field(word) for word in text.split() if _BARE.fullmatch(word))
            self.put = tuple(NUMBER[field] for field in (*bare, *fields_put(position, text)))
            self.left = next((goal(piece) for piece in pieces_home(position, text)), OFF_BOARD)
            # in the middle of a turn, its mover is still to move
            self._find_path(position.turn if position.due else (position.turn - 1) % position.players)

    def _read(self, text: str) -> None:
        """Reads a turn in brackets."""
        moves = denomination.turn(text)
        first = moves[0]
        self.put = tuple(NUMBER[move.to] for move in moves if move.figure not in PIECES and move.to != OFF)
        if first.figure in PIECES and first.to == OFF:
            self.left = goal(first.figure)
        else:
            self._find_path(first.player)

    def _find_path(self, seat: int) -> None:
        here = self.position
        last = here.last[seat] if seat < here.players else None
        if last:
            self.start, self.end, self.is_swap = NUMBER[last.start], NUMBER[last.to], last.partner is not None
            self.moved = {(seat, last.piece, self.end)}
            if last.partner:
                self.moved.add((*last.partner, self.start))
            taken = here.taken & ~set_of(self.put)  # the blocks were put after the piece moved
            self.path = path(self.start, self.end, taken) or ()

    @cached_property
    def lasting(self) -> frozenset[int]:
        """The fields to which a figure came in that turn, or from which a piece left on its own."""
        return frozenset({*self.put, self.end, self.left, self.start if self.is_swap else OFF_BOARD}) - {OFF_BOARD}


# ── the picture ───────────────────────────────────────────────────────────────────────────────────


# The seats' shapes around the origin, each about as large as a circle of radius 1 (the circle has no corners);
# and for each the offset of its letter below the centre, and the letter's size.
_CORNERS: dict[str, tuple[Point, ...]] = {
    "circle": (),
    "square": ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)),
    "triangle": ((0, -1.18), (1.12, 0.8), (-1.12, 0.8)),
    "diamond": ((0, -1.18), (1.18, 0), (0, 1.18), (-1.18, 0)),
    "star": tuple(polar(0.7 if i % 2 else 1.3, math.pi * i / 5 - math.pi / 2) for i in range(10)),
    "block": ((-0.5, -0.87), (0.5, -0.87), (1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0)),
}
_LETTERS = {
    "circle": (0.04, 1.2),
    "square": (0.04, 1.2),
    "triangle": (0.27, 1.0),
    "diamond": (0.04, 1.1),
    "star": (0.1, 0.95),
}

# Marks that distinguish black and gray blocks without colour.
_BLOCK_MARKS: dict[str, tuple[tuple[Point, Point], ...]] = {
    "black": (((-0.34, -0.34), (0.34, 0.34)), ((-0.34, 0.34), (0.34, -0.34))),
    "gray": (((-0.45, 0), (0.45, 0)),),
}
BLOCK_RADIUS = 0.6

Colours = tuple[str, ...]  # the names of the five colours of figures and fields


class Picture:
    """The drawing of one position: one line of SVG for each field and figure, in a fixed order."""

    def __init__(self, position: PentagamePosition, last: Move | str | None, flip: bool) -> None:
        self.position, self.flip = position, flip
        self.colours = position.colours
        self.highlights = Highlights(position, last)
        self.layout = BoardLayout(flip)
        outcome = position.outcome
        self.winners = outcome.winners if outcome and not outcome.is_draw else ()

    def dishes(self) -> Iterator[str]:
        """The dishes with the figures off the board."""
        here = self.position
        due = here.due[0] if here.due else ""
        black = here.blacks.index(OFF_BOARD) if due == "black" else 0
        yield _pool(self.flip, tuple(field == OFF_BOARD for field in here.grays), due, black)
        for seat, mine in enumerate(here.pieces):
            home = tuple(piece for piece, field in enumerate(mine) if field == OFF_BOARD)
            state = "won" if seat in self.winners else "to-move" if seat == here.turn and not here.outcome else ""
            yield _dish(self.flip, self.colours, seat, here.players, home, state)

    def fields(self) -> list[str]:
        """The fields without blocks, and the path over the empty ones."""
        lines = list(_empty(self.flip, self.colours))
        for field in {*self.position.occupants, *self.highlights.path, *self.highlights.lasting} - {OFF_BOARD}:
            lines[field] = self._field(field)
        for field in fields_of(self.position.blocked):
            lines[field] = drawing.NOTHING
        return [*lines, _path(self.flip, self.highlights.path)]

    def blocks(self) -> Iterator[str]:
        """The fields with blocks, drawn above the path."""
        here = self.position
        for kind, fields in (("black", here.blacks), ("gray", here.grays)):
            for number, field in enumerate(fields):
                yield drawing.NOTHING if field == OFF_BOARD else self._field(field, kind, number)

    def _field(self, field: int, kind: str = "", number: int = 0) -> str:
        highlights, has_pieces = self.highlights, field in self.position.occupants
        lettered = not kind and not has_pieces and field not in highlights.path
        last = field in highlights.lasting and not has_pieces
        text = [self.position.place_name(field), self.position.figures_on(field) or "empty"]
        if field in highlights.put:
            text.append("put last")
        return _field(self.flip, self.colours, field, ", ".join(text), kind, number, lettered, last)

    def pieces(self) -> Iterator[str]:
        """The pieces on the board."""
        for seat, mine in enumerate(self.position.pieces):
            for piece, field in enumerate(mine):
                yield drawing.NOTHING if field == OFF_BOARD else self._piece(seat, piece, field)

    def _piece(self, seat: int, piece: int, field: int) -> str:
        occupants = self.position.pieces_on(field)
        text = [f"{self.position.piece_name(seat, piece)} on the {self.position.place_name(field)}"]
        waits, moved = field == goal(piece), (seat, piece, field) in self.highlights.moved
        if waits:
            text.append("waits at its goal")
        if moved:
            text.append("moved last")
        place = (field, occupants.index((seat, piece)), len(occupants))
        return _piece(self.flip, self.colours, seat, piece, place, ", ".join(text), waits, moved)


# ── the board ────────────────────────────────────────────────────────────────────────────────────


@cache
def _course(flip: bool) -> tuple[str, ...]:
    """The round board and its lines."""
    layout = BoardLayout(flip)
    x, y = layout.at(0, 0)
    ring = tag("circle", cx=x, cy=y, r=PLAN.ring * STOP_DIAMETER)
    star = (_line(layout.field(corner), layout.field((corner + 2) % 5)) for corner in CORNERS)
    place: dict[str, float] = {"cx": x, "cy": y, "r": BOARD_RADIUS * STOP_DIAMETER}
    board = tag(
        "g",
        tag("circle", **place | {"cy": y + 5}, class_="side"),
        tag("circle", **place, class_="tile"),
        tag("circle", **place, class_="grain", fill="url(#grain-race)"),
        tag("circle", **place | {"r": BOARD_RADIUS * STOP_DIAMETER - 1.5}, class_="bevel"),
    )
    return board, tag("g", ring, *star, class_="course")


def _line(one: Point, other: Point, **attributes: str) -> str:
    return tag("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1], **attributes)


@lru_cache(maxsize=512)
def _pool(flip: bool, grays: tuple[bool, ...], due: str, black: int) -> str:
    """The pool in the middle: the gray blocks off the board and the due block."""
    x, y = BoardLayout(flip).at(0, 0)
    parts = [tag("circle", cx=x, cy=y, r=POOL_RADIUS * STOP_DIAMETER, class_="dish")]
    for i, is_here in enumerate(grays):
        right, down = polar(1.27 * STOP_DIAMETER, math.tau * i / 5 - math.pi / 2)
        at = x + right, y + down
        parts.append(tag("circle", cx=at[0], cy=at[1], r=0.3 * STOP_DIAMETER, class_="socket"))
        if is_here:
            parts.append(_block("gray", i, at, 0.44, in_hand=due == "gray" and i == grays.index(True)))
    if due == "black":
        parts.append(_block("black", black, (x, y), BLOCK_RADIUS, in_hand=True))
    return tag("g", *parts, class_="pool", aria_hidden="true")


@lru_cache(maxsize=512)
def _dish(flip: bool, colours: Colours, seat: int, players: int, home: tuple[int, ...], state: str) -> str:
    """A seat's sign and its finished pieces, with sockets for the missing ones."""
    x, y = BoardLayout(flip).dish(seat, players)
    sign = _outline(SHAPES[seat], (x, y - 0.7 * STOP_DIAMETER), 0.78 * STOP_DIAMETER, class_="sign")
    parts = [tag("circle", cx=x, cy=y, r=DISH_RADIUS * STOP_DIAMETER, class_=f"dish {state}".rstrip()), sign]
    count = max(HOME_WINS, len(home))
    apart = min(1.14, 3.3 / count) * STOP_DIAMETER
    for i in range(count):
        at = x + (i - (count - 1) / 2) * apart, y + 0.86 * STOP_DIAMETER
        parts.append(tag("circle", cx=at[0], cy=at[1], r=0.42 * STOP_DIAMETER, class_="socket"))
        if i < len(home):
            parts.append(_figure(colours, seat, home[i], at, min(0.52 * STOP_DIAMETER, apart * 0.47)))
    return tag("g", *parts, class_="home", aria_hidden="true")


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=32)
def _empty(flip: bool, colours: Colours) -> tuple[str, ...]:
    """Every field, drawn empty."""
    return tuple(
        _field(flip, colours, field, f"{place_in(colours, field)}, empty", "", 0, field in MAINS, False)
        for field in range(len(FIELDS))
    )


@lru_cache(maxsize=256)
def _path(flip: bool, fields: tuple[int, ...]) -> str:
    """The path of the last piece, with a dot at its start."""
    if not fields:
        return drawing.NOTHING
    layout = BoardLayout(flip)
    x, y = layout.field(fields[0])
    lines = (tag("path", d=layout.path(fields), class_=class_, pathLength=1) for class_ in ("way-edge", "way"))
    return tag("g", *lines, tag("circle", cx=x, cy=y, r=0.24 * STOP_DIAMETER, class_="begin"), class_="gone")


@lru_cache(maxsize=4096)
def _field(
    flip: bool, colours: Colours, field: int, text: str, kind: str, number: int, lettered: bool, last: bool
) -> str:
    """A field, and the block on it if there is one; `lettered` where nothing hides a corner's or goal's letter."""
    layout = BoardLayout(flip)
    x, y = layout.field(field)
    size = PLAN.spots[field].radius * STOP_DIAMETER
    parts = [tag("path", d=layout.touch_area(field), class_="thumb")]
    if field in MAINS:
        parts += _main(colours, field, (x, y), size, lettered)
    else:
        parts.append(tag("circle", cx=x, cy=y, r=size, class_="stop small"))
    if kind:
        parts.append(tag("circle", cx=x, cy=y, r=BLOCK_RADIUS * 1.36 * STOP_DIAMETER, class_="halo"))
        parts.append(_block(kind, number, (x, y), BLOCK_RADIUS))
    if last:
        parts.append(drawing.ring("last", x, y, (0.72 if kind else 0.6) * STOP_DIAMETER))
    parts.append(tag("circle", cx=x, cy=y, r=max(size, 0.7 * STOP_DIAMETER), class_="touch"))
    short = names_of(colours).fields[field]
    return drawing.target(str(FIELDS[field]), text, *parts, class_="field", short=short)


def _main(colours: Colours, field: int, at: Point, size: float, lettered: bool) -> Iterator[str]:
    """A corner, filled with its colour, or a goal, a ring in its colour; with its letter."""
    colour, (x, y) = field % 5, at
    kind = "corner" if field in CORNERS else "goal"
    yield tag("circle", cx=x, cy=y, r=size, class_="stop main", fill=hue(colours[colour]))
    if kind == "goal":
        yield tag("circle", cx=x, cy=y, r=size * 0.64, class_="stop")
    if lettered:
        letter = drawing.text_element("text", letters(colours)[colour], x=x, y=y + 1, class_="letter", font_size=34)
        yield tag("g", letter, class_=f"{kind} {colours[colour]}", aria_hidden="true")


@lru_cache(maxsize=320)
def _name(flip: bool, colours: Colours, main: int) -> str:
    """The number and letter beside a main field, visible when a figure hides the letter on it."""
    x, y = _beside(BoardLayout(flip), main)
    colour = colours[main % 5]
    wide, high = 0.46 * STOP_DIAMETER, 0.54 * STOP_DIAMETER
    number = drawing.label(str(main), x - wide * 0.6, y, "inlaid", size=20)
    left = x + 0.02 * STOP_DIAMETER
    box = tag("rect", x=left, y=y - high / 2, width=wide, height=high, rx=5, class_="chip", fill=hue(colour))
    text = drawing.text_element(
        "text", letters(colours)[main % 5], x=left + wide / 2, y=y + 1, class_="letter", font_size=16
    )
    return tag("g", number, tag("g", box, text, class_=f"of-colour {colour}", aria_hidden="true"))


def _beside(layout: BoardLayout, main: int) -> Point:
    """The place of a main field's number: outside the ring for a corner, on the inner side for a junction."""
    x, y, size = PLAN.spots[main]
    away, turn = math.hypot(x, y), math.atan2(y, x)
    if main in JUNCTIONS:
        away -= size + 0.7
    else:
        away, turn = away + 0.8, turn + (1 if x > 0.1 else -1) * math.radians(11)
    return layout.at(*polar(away, turn))


# ── figures ──────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=2048)
def _piece(
    flip: bool,
    colours: Colours,
    seat: int,
    piece: int,
    place: tuple[int, int, int],
    text: str,
    waits: bool,
    moved: bool,
) -> str:
    """A piece on the board; `place` is its field, its index among the pieces there, and their count."""
    field, which, count = place
    layout = BoardLayout(flip)
    at, radius = layout.stack(field, count)[which]
    x, y = at
    alone = count == 1
    touch = tag("circle", cx=x, cy=y, r=max(radius, 0.7 * STOP_DIAMETER) if alone else radius * 1.1, class_="touch")
    parts = [tag("path", d=layout.touch_area(field), class_="thumb")] if alone else []
    parts.append(tag("circle", cx=x, cy=y, r=radius * 1.32, class_="halo"))
    if waits:
        parts.append(tag("circle", cx=x, cy=y, r=radius * 1.62, class_="waits"))
    parts.append(_figure(colours, seat, piece, at, radius))
    if moved:
        parts.append(drawing.ring("last", x, y, radius * 1.3))
    short = names_of(colours).fields[field]
    return drawing.target(piece_target(seat, piece), text, *parts, touch, class_="piece", short=short)


def _figure(colours: Colours, seat: int, piece: int, at: Point, radius: float) -> str:
    """A piece: its seat's shape, its colour, and the colour's letter."""
    colour, shape, letter = colours[piece], SHAPES[seat], letters(colours)[piece]
    below, size = _LETTERS[shape]
    text = drawing.text_element(
        "text", letter, x=at[0], y=at[1] + below * radius, class_="letter", font_size=radius * size
    )
    name = piece_target(seat, piece)
    return tag("g", *_body(shape, colour, at, radius), text, class_=f"ball figure {colour}", data_piece=name)


def _body(shape: str, colour: str, at: Point, radius: float) -> Iterator[str]:
    """A figure with its shadow and a contrasting rim."""
    yield _outline(shape, (at[0] + radius * 0.08, at[1] + radius * 0.16), radius * 1.06, class_="shadow")
    yield _outline(shape, at, radius, class_="rim")
    yield _outline(shape, at, radius, class_="marble", fill=f"url(#marble-{colour})")


def _outline(shape: str, at: Point, radius: float, **attributes: str) -> str:
    corners = _CORNERS[shape]
    if not corners:
        return tag("circle", cx=at[0], cy=at[1], r=radius, **attributes)
    points = " ".join(f"{at[0] + x * radius:.1f},{at[1] + y * radius:.1f}" for x, y in corners)
    return tag("polygon", points=points, **attributes)


def _block(kind: str, number: int, at: Point, size: float, in_hand: bool = False) -> str:
    """A block; in the player's hand it has a ring."""
    radius = size * STOP_DIAMETER
    ends = ([(at[0] + x * radius, at[1] + y * radius) for x, y in mark] for mark in _BLOCK_MARKS[kind])
    marks = (_line(one, other, class_="mark") for one, other in ends)
    hand = [tag("circle", cx=at[0], cy=at[1], r=radius * 1.32, class_="in-hand")] if in_hand else []
    body = _body("block", kind, at, radius)
    return tag("g", *hand, *body, *marks, class_=f"ball figure {kind}", data_piece=f"{kind} {number}")


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

BLOCKS_IN_HAND = {"black": "the black block", "gray": "a gray block"}


def listing(position: PentagamePosition) -> list[str]:
    """A line for every seat, for the blocks and for the previous moves, then the status."""
    lines = [_seat(position, seat) for seat in range(position.players)]
    black, gray = (
        [_place(position, field) for field in sorted(fields) if field != OFF_BOARD]
        for fields in (position.blacks, position.grays)
    )
    lines.append(f"Black blocks: {listed(black) or 'none on the board'}.")
    pool = phrase("{pool} in the pool", pool=position.pool) if position.pool else "none in the pool"
    lines.append(f"Gray blocks: {f'{listed(gray)}; ' if gray else ''}{pool}.")
    if position.due:
        lines.append(
            phrase("Still to be put: {due}.", due=" and then ".join(BLOCKS_IN_HAND[kind] for kind in position.due))
        )
    if previous := [_previous(position, seat) for seat in range(position.players) if position.last[seat]]:
        lines.append(phrase("Previous moves, not to be repeated: {previous}.", previous="; ".join(previous)))
    return [*lines, status(position)]


def _place(here: PentagamePosition, field: int) -> str:
    """A field in words and in letters."""
    return f"{here.place_name(field)} ({names_of(here.colours).fields[field]})"


def _seat(here: PentagamePosition, seat: int) -> str:
    places = []
    for piece in PIECES:
        field = here.pieces[seat][piece]
        where = "home" if field == OFF_BOARD else f"on the {_place(here, field)}"
        waits = ", waiting at its goal" if field == goal(piece) else ""
        places.append(f"{here.colours[piece]} {where}{waits}")
    return f"{here.player_name(seat).capitalize()}: {', '.join(places)}; {here.home(seat)} home."


def _previous(here: PentagamePosition, seat: int) -> str:
    last = here.last[seat]
    assert last is not None
    swap = f", swapped with {here.piece_name(*last.partner)}" if last.partner else ""
    return (
        f"{here.player_name(seat)} {here.colours[last.piece]} from the {here.place_name(NUMBER[last.start])} "
        f"to the {here.place_name(NUMBER[last.to])}{swap}"
    )


def status(position: PentagamePosition) -> str:
    """The player and the action expected, or the result."""
    outcome = position.outcome
    if outcome is None:
        return f"{position.player_name(position.turn).capitalize()} to {position.next_action}."
    if not outcome.winners:
        return phrase("Draw: the turn limit of {ply} is reached.", ply=position.ply)
    names = listed(position.player_name(seat) for seat in outcome.winners)
    how = ending(outcome.reason, outcome.is_draw)
    if outcome.is_draw:
        return phrase("Draw between {names}: {how}.", names=names, how=how)
    if len(outcome.winners) > 1:
        return phrase("{names} share the win, each {how}.", names=names.capitalize(), how=how)
    return phrase("{names} wins {how}.", names=names.capitalize(), how=how)


def ending(reason: str, is_draw: bool) -> str:
    """How a game ended, in words that follow its result."""
    if reason == TURN_LIMIT:
        return "the turn limit is reached"
    return "each has three pieces home" if is_draw else "with three pieces home"


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
    picture = Picture(position, last, flip)
    return drawing.sheet(
        SIDE,
        SIDE,
        *_course(flip),
        *picture.dishes(),
        *picture.fields(),
        *picture.blocks(),
        *(_name(flip, position.colours, main) for main in MAINS if labels),
        *picture.pieces(),
        title=f"Pentagame: {status(position)}",
        description=" ".join(listing(position)[:-1]),
        colours=(*position.colours, "black", "gray"),
        style=style,
        class_="race",
        labels=labels,
    )


SIZES = range(-1, 1)


def spans(
    position: PentagamePosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in characters, and the status."""
    drawn = SMALL if size < 0 else LARGE
    return [*_Canvas(position, last, flip, drawn).lines(), [(f"  {status(position)}", "status")]]
