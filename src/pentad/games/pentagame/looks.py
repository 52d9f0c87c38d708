"""Pentagame's picture and words as data for pages: expressions over the numbers of a position, or of a step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from pentad import drawing
from pentad.drawing import tag
from pentad.drawing.colours import hue
from pentad.drawing.looks import At, Coordinate, Each, Expression, MadeTable, Pick, Place, Sheet, sheet_of
from pentad.games.pentagame import look_constants as k
from pentad.games.pentagame.board import CORNERS, FIELDS, JUNCTIONS, LINKS, MAINS, PLAN, polar
from pentad.games.pentagame.denomination import PIECES
from pentad.games.pentagame.layout import (
    BOARD_RADIUS,
    DISH_RADIUS,
    POOL_RADIUS,
    SIDE,
    STOP_DIAMETER,
    BoardLayout,
    Point,
    fan,
    spiral,
)
from pentad.games.pentagame.letters import letters
from pentad.games.pentagame.look_numbers import ARCS, slot_number
from pentad.games.pentagame.look_numbers import numbers as numbers
from pentad.games.pentagame.look_numbers import offer as offer
from pentad.games.pentagame.look_words import (
    DIGITS,
    GAP,
    Colours,
    field_places,
    listing,
    piece_name,
    piece_places,
    status,
    with_parts,
)
from pentad.games.pentagame.look_words import words as words
from pentad.games.pentagame.notation import SHAPES
from pentad.games.pentagame.rules import HOME_WINS, PentagamePosition

STEPS = 8  # of a turn, at most: a piece, a black block and gray ones
X, Y = Coordinate("x"), Coordinate("y")
AT = X, Y
_NUMBERS: tuple[Place, ...] = tuple({"n": str(number)} for number in range(5))

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


def sheet(here: PentagamePosition, flip: bool, labels: bool = True) -> Sheet:
    """The lines of the picture; without `labels` it is the board alone."""
    return _sheet(here.players, here.colours, flip, labels)


@lru_cache(maxsize=32)
def _sheet(players: int, colours: Colours, flip: bool, labels: bool) -> Sheet:
    picture = _Picture(players, colours, flip)
    return sheet_of(
        SIDE,
        SIDE,
        *_course(flip),
        _pool(flip),
        *map(picture.dish, range(players)),
        *map(picture.field, range(len(FIELDS))),
        _path(flip, picture.fields),
        *(picture.block(kind, number) for kind in ("black", "gray") for number in range(5)),
        *(_name(flip, colours, main) for main in MAINS if labels),
        *map(picture.piece, range(len(PIECES) * players)),
        title=("Pentagame: ", status(players)),
        description=listing(players, colours),
        colours=(*colours, "black", "gray"),
        class_="race",
        labels=labels,
    )


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


def _pool(flip: bool) -> Expression:
    """The pool in the middle: the gray blocks off the board and the due block."""
    x, y = BoardLayout(flip).at(0, 0)
    grays = ("", *(_block("gray", "{n}", AT, 0.44, in_hand=in_hand) for in_hand in (False, True)))
    socket = tag("circle", cx=X, cy=Y, r=0.3 * STOP_DIAMETER, class_="socket")
    places: list[Place] = []
    for i in range(5):
        right, down = polar(1.27 * STOP_DIAMETER, math.tau * i / 5 - math.pi / 2)
        places.append({"x": x + right, "y": y + down, "n": str(i)})
    sockets = tuple(At(places, (socket, Pick(k.POOL_LOOKS + i, grays)), which=i) for i in range(5))
    blacks = ("", *(_block("black", str(i), (x, y), BLOCK_RADIUS, in_hand=True) for i in range(5)))
    dish = tag("circle", cx=x, cy=y, r=POOL_RADIUS * STOP_DIAMETER, class_="dish")
    return with_parts(tag("g", dish, GAP, class_="pool", aria_hidden="true"), (*sockets, Pick(k.DUE_BLACK, blacks)))


def _path(flip: bool, fields: Sequence[Place]) -> Expression:
    """The path of the last piece, with a dot at its start."""
    lines = (tag("path", d=GAP, class_=class_, pathLength=1) for class_ in ("way-edge", "way"))
    begin = tag("circle", cx=X, cy=Y, r=0.24 * STOP_DIAMETER, class_="begin")
    way = ("M{x:1} {y:1}", Each(k.PATH, len(FIELDS) - 1, _segments(flip)))
    drawn = At(fields, with_parts(tag("g", *lines, begin, class_="gone"), way, way), k.PATH_FROM)
    return Pick(k.PATH_KNOWN, (drawing.NOTHING, drawn))


def _segments(flip: bool) -> tuple[str, ...]:
    """The segments of paths by their numbers."""
    layout, segments = BoardLayout(flip), [""] * k.SEGMENTS
    for one, linked in enumerate(LINKS):
        for other in linked:
            segments[other + ARCS.get((one, other), 0)] = layout.segment(one, other)
    return tuple(segments)


def _stack_of(slot: int) -> tuple[int, int, int]:
    """The field, the count and the index of a place in a stack."""
    row, field = divmod(slot - 1, len(CORNERS))
    if row >= k.CORNER_ROWS:
        row, field = divmod(slot - 1 - len(CORNERS) * k.CORNER_ROWS, len(FIELDS) - len(CORNERS))
        field += len(CORNERS)
    count = 2
    while row >= count:
        row, count = row - count, count + 1
    return field, count, row


def _slots(flip: bool, players: int) -> MadeTable[Place]:
    """The places in stacks. No game has more pieces of one colour on a corner than players."""

    def made(slot: int) -> Place:
        if slot == 0:  # alone, at the field's own place
            return {}
        field, count, which = _stack_of(slot)
        (x, y), _ = BoardLayout(flip).stack(field, count)[which]
        return {"x": round(x, DIGITS), "y": round(y, DIGITS)}

    return MadeTable(slot_number(0, players + 1, 0), made)


# ── fields and figures ────────────────────────────────────────────────────────────────────────────


class _Picture:
    """The lines of fields, figures and dishes."""

    def __init__(self, players: int, colours: Colours, flip: bool) -> None:
        self.players, self.layout = players, BoardLayout(flip)
        self.fields, self.pieces, self.slots = (
            field_places(flip, colours),
            piece_places(players, colours),
            _slots(flip, players),
        )
        self.titles = ("empty", *map(piece_name, self.pieces))
        self.bodies = [_bodies(players, shape) for shape in SHAPES[:players]]

    def dish(self, seat: int) -> Expression:
        """A seat's sign and its finished pieces, with sockets for the missing ones."""
        x, y = self.layout.dish(seat, self.players)
        place = k.DISHES + k.DISH_SIZE * seat
        dish = tag("circle", cx=x, cy=y, r=DISH_RADIUS * STOP_DIAMETER, class_=GAP)
        sign = _outline(SHAPES[seat], (x, y - 0.7 * STOP_DIAMETER), 0.78 * STOP_DIAMETER, class_="sign")
        rows = tuple(self._row(seat, home) for home in range(len(PIECES) + 1))
        drawn = tag("g", dish, sign, GAP, class_="home", aria_hidden="true")
        return with_parts(drawn, Pick(place, ("dish", "dish to-move", "dish won")), Pick(place + 1, rows))

    def _row(self, seat: int, home: int) -> Expression:
        """So many finished pieces in their sockets."""
        x, y = self.layout.dish(seat, self.players)
        count = max(HOME_WINS, home)
        apart = min(1.14, 3.3 / count) * STOP_DIAMETER
        socket = tag("circle", cx=X, cy=Y, r=0.42 * STOP_DIAMETER, class_="socket")
        figure = _figure(SHAPES[seat], min(0.52 * STOP_DIAMETER, apart * 0.47))
        mine = self.pieces[len(PIECES) * seat :][: len(PIECES)]
        first = k.DISHES + k.DISH_SIZE * seat + 2
        places = [{"x": x + (i - (count - 1) / 2) * apart, "y": y + 0.86 * STOP_DIAMETER} for i in range(count)]
        filled = (At(places, (socket, At(mine, figure, first + i)), which=i) for i in range(home))
        return (*filled, *(At(places, socket, which=i) for i in range(home, count)))

    def field(self, field: int) -> Expression:
        """A field without a block."""
        title, look = k.TITLES + (1 + len(self.pieces)) * field, k.FIELD_LOOKS + field
        before, after = _empty_fields(_kind(field))
        figures = Each(title, len(self.pieces), self.titles, ", ", " and ")
        return At(self.fields, (Pick(look, before), figures, Pick(look, after)), which=field + 1)

    def block(self, kind: str, number: int) -> Expression:
        """A field with a block, drawn above the path."""
        place = k.BLOCKS + k.BLOCK_SIZE * (number if kind == "black" else 5 + number)
        before, after = _fields_with(kind)
        bases, ends = _field_parts()
        drawn = (Pick(place + 1, before), Pick(place, bases), Pick(place + 1, after), Pick(place, ends))
        return At(_NUMBERS, At(self.fields, drawn, place), which=number)

    def piece(self, piece: int) -> Expression:
        """A piece on the board."""
        place = k.PIECES + k.PIECE_SIZE * piece
        mine = At(self.pieces, Pick(place + k.BODY, self.bodies[piece // len(PIECES)]), which=piece)
        return At(self.fields, At(self.slots, mine, place + k.SLOT), place + k.FIELD)


def _kind(field: int) -> str:
    return "corner" if field in CORNERS else "goal" if field in JUNCTIONS else "stop"


def _size(kind: str) -> float:
    return {"corner": PLAN.corner, "goal": PLAN.junction, "stop": PLAN.stop}[kind] * STOP_DIAMETER


def _base(kind: str) -> str:
    """A stop, a corner, filled with its colour, or a goal, a ring in its colour."""
    size = _size(kind)
    if kind == "stop":
        return tag("circle", cx=X, cy=Y, r=size, class_="stop small")
    inner = tag("circle", cx=X, cy=Y, r=size * 0.64, class_="stop") if kind == "goal" else ""
    return tag("circle", cx=X, cy=Y, r=size, class_="stop main", fill="{hue}") + inner


def _field(kind: str, title: str, *parts: str) -> str:
    """A field with what is on it."""
    thumb = tag("path", d="{thumb}", class_="thumb")
    touch = tag("circle", cx=X, cy=Y, r=max(_size(kind), 0.7 * STOP_DIAMETER), class_="touch")
    return drawing.target("[{field}]", f"{{name}}, {title}", thumb, *parts, touch, class_="field", short="{short}")


@cache
def _empty_fields(kind: str) -> tuple[Sequence[str], Sequence[str]]:
    """A field without a block, by its look: the texts before the names of its figures, and those after them."""
    before, after = [drawing.NOTHING], [""]
    for look in range(8):
        letter = drawing.text_element("text", "{letter}", x=X, y=Y + 1, class_="letter", font_size=34)
        parts = [_base(kind)]
        if kind != "stop" and not look & k.HIDDEN:
            parts.append(tag("g", letter, class_=f"{kind} {{colour}}", aria_hidden="true"))
        if look & k.FIELD_RING:
            parts.append(drawing.ring("last", X, Y, 0.6 * STOP_DIAMETER))
        text = _field(kind, f"{GAP}, put last" if look & k.FIELD_PUT else GAP, *parts)
        before.append(text.split(GAP)[0])
        after.append(text.split(GAP)[1])
    return tuple(before), tuple(after)


@cache
def _fields_with(block: str) -> tuple[Sequence[str], Sequence[str]]:
    """A field with a block, by its look: the texts before the field itself, and those after it."""
    before, after = [drawing.NOTHING], [""]
    for look in range(4):
        halo = tag("circle", cx=X, cy=Y, r=BLOCK_RADIUS * 1.36 * STOP_DIAMETER, class_="halo")
        ring = drawing.ring("last", X, Y, 0.72 * STOP_DIAMETER) if look & k.RING else ""
        title = f"{block} block, put last" if look & k.PUT else f"{block} block"
        text = _field("stop", title, GAP, halo, _block(block, "{n}", AT, BLOCK_RADIUS), ring, GAP)
        before.append(text.split(GAP)[0])
        after.append(text.split(GAP)[1])
    return tuple(before), tuple(after)


@cache
def _field_parts() -> tuple[Sequence[str], Sequence[str]]:
    """Each field itself, and the end of its line; the first one is off the board."""
    kinds = ("corner",) * 5 + ("goal",) * 5 + ("stop",) * 90
    return ("", *map(_base, kinds)), ("", *(_field(kind, "", GAP).split(GAP)[1] for kind in kinds))


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


@cache
def _bodies(players: int, shape: str) -> MadeTable[Expression]:
    """The drawings of a seat's pieces by their numbers. No game has larger stacks than one of each player's pieces."""

    def made(number: int) -> Expression:
        return _piece(shape, *divmod(number - 1, k.BODIES_EACH)) if number else drawing.NOTHING

    return MadeTable(1 + k.BODIES_EACH * (k.STACKED + players + 1), made)


def _piece(shape: str, kind: int, flags: int) -> str:
    """A piece at its place; kinds of places and flags are those of `look_constants`."""
    alone = kind in (k.ON_MAIN, k.ON_STOP)
    on_stop = kind == k.ON_STOP or kind > k.STACKED_ON_STOP + 1
    count = 1 if alone else kind - (k.STACKED_ON_STOP if on_stop else k.STACKED)
    radius = (spiral(count) if on_stop else fan(count))[0].radius * STOP_DIAMETER
    title = "{who}'s {colour} piece on the {name}"
    parts = [tag("path", d="{thumb}", class_="thumb")] if alone else []
    parts.append(tag("circle", cx=X, cy=Y, r=radius * 1.32, class_="halo"))
    if flags & k.WAITS:
        parts.append(tag("circle", cx=X, cy=Y, r=radius * 1.62, class_="waits"))
        title += ", waits at its goal"
    parts.append(_figure(shape, radius))
    if flags & k.MOVED:
        parts.append(drawing.ring("last", X, Y, radius * 1.3))
        title += ", moved last"
    reach = max(radius, 0.7 * STOP_DIAMETER) if alone else radius * 1.1
    parts.append(tag("circle", cx=X, cy=Y, r=reach, class_="touch"))
    return drawing.target("{piece}", title, *parts, class_="piece", short="{short}")


def _figure(shape: str, radius: float) -> str:
    """A piece: its seat's shape, its colour, and the colour's letter."""
    below, size = _LETTERS[shape]
    text = drawing.text_element("text", "{letter}", x=X, y=Y + below * radius, class_="letter", font_size=radius * size)
    parts = _body(shape, "{colour}", AT, radius)
    return tag("g", *parts, text, class_="ball figure {colour}", data_piece="{piece}")


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


def _block(kind: str, number: str, at: Point, size: float, in_hand: bool = False) -> str:
    """A block; in the player's hand it has a ring."""
    radius = size * STOP_DIAMETER
    ends = ([(at[0] + x * radius, at[1] + y * radius) for x, y in mark] for mark in _BLOCK_MARKS[kind])
    marks = (_line(one, other, class_="mark") for one, other in ends)
    hand = [tag("circle", cx=at[0], cy=at[1], r=radius * 1.32, class_="in-hand")] if in_hand else []
    body = _body("block", kind, at, radius)
    return tag("g", *hand, *body, *marks, class_=f"ball figure {kind}", data_piece=f"{kind} {number}")
