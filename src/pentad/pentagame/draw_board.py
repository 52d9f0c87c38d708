"""Pentagame's board as an SVG picture: fields, figures and the dishes beside the board."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache

from pentad import drawing
from pentad.drawing import tag
from pentad.game import Move
from pentad.pentagame import descriptions
from pentad.pentagame.board import CORNERS, FIELDS, JUNCTIONS, MAINS, OFF_BOARD, PLAN, fields_of
from pentad.pentagame.choices import piece_target
from pentad.pentagame.highlights import Marks, letters, waiting
from pentad.pentagame.layout import DISH, POOL, RIM, SIDE, UNIT, Layout, Point
from pentad.pentagame.notation import SHAPES
from pentad.pentagame.rules import HOME_WINS, PentagamePosition


def _star(points: int, inner: float, outer: float) -> tuple[Point, ...]:
    turns = ((math.pi * i / points, inner if i % 2 else outer) for i in range(2 * points))
    return tuple((away * math.sin(turn), -away * math.cos(turn)) for turn, away in turns)


# The seats' shapes around the origin, each about as large as a circle of radius 1 (the circle has no corners);
# and for each the offset of its letter below the centre, and the letter's size.
_CORNERS: dict[str, tuple[Point, ...]] = {
    "circle": (),
    "square": ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)),
    "triangle": ((0, -1.18), (1.12, 0.8), (-1.12, 0.8)),
    "diamond": ((0, -1.18), (1.18, 0), (0, 1.18), (-1.18, 0)),
    "star": _star(5, 0.7, 1.3),
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
_BLOCK_MARKS = {"black": ((-0.34, -0.34, 0.34, 0.34), (-0.34, 0.34, 0.34, -0.34)), "gray": ((-0.45, 0, 0.45, 0),)}
BLOCK = 0.6  # a block's radius

Colours = tuple[str, ...]  # the names of the five colours of figures and fields


def svg(position: PentagamePosition, last: Move | str | None, flip: bool, style: bool, title: str, text: str) -> str:
    """The whole picture."""
    picture = Picture(position, last, flip)
    return drawing.sheet(
        SIDE,
        SIDE,
        *_course(flip),
        *picture.dishes(),
        *picture.fields(),
        *picture.blocks(),
        *_names(flip, position.colours),
        *picture.pieces(),
        title=title,
        description=text,
        colours=(*position.colours, "black", "gray"),
        style=style,
        class_="race",
    )


class Picture:
    """The drawing of one position: one line of SVG for each field and figure, in a fixed order."""

    def __init__(self, position: PentagamePosition, last: Move | str | None, flip: bool) -> None:
        self.position, self.flip = position, flip
        self.colours = position.colours
        self.marks = Marks(position, last)
        self.layout = Layout(flip)
        self.waiting = waiting(position)
        outcome = position.outcome
        self.winners = outcome.winners if outcome and not outcome.is_draw else ()
        self.occupants: dict[int, list[tuple[int, int]]] = {}  # the pieces on each field, by seat and colour
        for seat, mine in enumerate(position.pieces):
            for piece, field in enumerate(mine):
                if field != OFF_BOARD:
                    self.occupants.setdefault(field, []).append((seat, piece))

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
        for field in {*self.occupants, *self.marks.path, *self.marks.lasting}:
            lines[field] = self._field(field)
        for field in fields_of(self.position.blocked):
            lines[field] = drawing.NOTHING
        return [*lines, _path(self.flip, self.marks.path)]

    def blocks(self) -> Iterator[str]:
        """The fields with blocks, drawn above the path."""
        here = self.position
        for kind, fields in (("black", here.blacks), ("gray", here.grays)):
            for number, field in enumerate(fields):
                yield drawing.NOTHING if field == OFF_BOARD else self._field(field, kind, number)

    def _field(self, field: int, kind: str = "", number: int = 0) -> str:
        marks, has_pieces = self.marks, field in self.occupants
        lettered = not kind and not has_pieces and field not in marks.path
        last = marks.is_last(field) and not has_pieces
        text = [descriptions.place(self.position, field), descriptions.figures_on(self.position, field) or "empty"]
        if field in marks.put:
            text.append("put last")
        return _field(self.flip, self.colours, field, ", ".join(text), kind, number, lettered, last)

    def pieces(self) -> Iterator[str]:
        """The pieces on the board."""
        for seat, mine in enumerate(self.position.pieces):
            for piece, field in enumerate(mine):
                yield drawing.NOTHING if field == OFF_BOARD else self._piece(seat, piece, field)

    def _piece(self, seat: int, piece: int, field: int) -> str:
        occupants = self.occupants[field]
        text = [f"{descriptions.piece(self.position, seat, piece)} on {descriptions.place(self.position, field)}"]
        waits, moved = (seat, piece) in self.waiting, (seat, piece, field) in self.marks.moved
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
    layout = Layout(flip)
    x, y = layout.at(0, 0)
    lines = [tag("circle", cx=x, cy=y, r=PLAN.ring * UNIT)]
    for corner in CORNERS:
        (x1, y1), (x2, y2) = layout.field(corner), layout.field((corner + 2) % 5)
        lines.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2))
    return tag("circle", cx=x, cy=y, r=RIM * UNIT, class_="tile"), tag("g", *lines, class_="course")


@lru_cache(maxsize=512)
def _pool(flip: bool, grays: tuple[bool, ...], due: str, black: int) -> str:
    """The pool in the middle: the gray blocks off the board and the due block."""
    x, y = Layout(flip).at(0, 0)
    parts = [tag("circle", cx=x, cy=y, r=POOL * UNIT, class_="dish")]
    for i, is_here in enumerate(grays):
        turn = math.tau * i / 5 - math.pi / 2
        at = x + 1.27 * UNIT * math.cos(turn), y + 1.27 * UNIT * math.sin(turn)
        parts.append(tag("circle", cx=at[0], cy=at[1], r=0.3 * UNIT, class_="socket"))
        if is_here:
            parts.append(_block("gray", i, at, 0.44, in_hand=due == "gray" and i == grays.index(True)))
    if due == "black":
        parts.append(_block("black", black, (x, y), BLOCK, in_hand=True))
    return tag("g", *parts, class_="pool", aria_hidden="true")


@lru_cache(maxsize=512)
def _dish(flip: bool, colours: Colours, seat: int, players: int, home: tuple[int, ...], state: str) -> str:
    """A seat's sign and its finished pieces, with sockets for the missing ones."""
    x, y = Layout(flip).dish(seat, players)
    sign = _outline(SHAPES[seat], (x, y - 0.7 * UNIT), 0.78 * UNIT, class_="sign")
    parts = [tag("circle", cx=x, cy=y, r=DISH * UNIT, class_=f"dish {state}".rstrip()), sign]
    count = max(HOME_WINS, len(home))
    apart = min(1.14, 3.3 / count) * UNIT
    for i in range(count):
        at = x + (i - (count - 1) / 2) * apart, y + 0.86 * UNIT
        parts.append(tag("circle", cx=at[0], cy=at[1], r=0.42 * UNIT, class_="socket"))
        if i < len(home):
            parts.append(_figure(colours, seat, home[i], at, min(0.52 * UNIT, apart * 0.47)))
    return tag("g", *parts, class_="home", aria_hidden="true")


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=32)
def _empty(flip: bool, colours: Colours) -> tuple[str, ...]:
    """Every field, drawn empty."""
    return tuple(
        _field(flip, colours, field, f"{descriptions.place_in(colours, field)}, empty", "", 0, field in MAINS, False)
        for field in range(len(FIELDS))
    )


@lru_cache(maxsize=256)
def _path(flip: bool, fields: tuple[int, ...]) -> str:
    """The path of the last piece, with a dot at its start."""
    if not fields:
        return drawing.NOTHING
    layout = Layout(flip)
    x, y = layout.field(fields[0])
    lines = (tag("path", d=layout.path(fields), class_=class_, pathLength=1) for class_ in ("way-edge", "way"))
    return tag("g", *lines, tag("circle", cx=x, cy=y, r=0.24 * UNIT, class_="begin"), class_="gone")


@lru_cache(maxsize=4096)
def _field(
    flip: bool, colours: Colours, field: int, text: str, kind: str, number: int, lettered: bool, last: bool
) -> str:
    """A field, and the block on it if there is one; `lettered` where nothing hides a corner's or goal's letter."""
    layout = Layout(flip)
    x, y = layout.field(field)
    size = PLAN.spots[field].radius * UNIT
    parts = [tag("path", d=layout.touch_area(field), class_="thumb")]
    if field in MAINS:
        parts += _main(colours, field, (x, y), size, lettered)
    else:
        parts.append(tag("circle", cx=x, cy=y, r=size, class_="stop small"))
    if kind:
        parts.append(tag("circle", cx=x, cy=y, r=BLOCK * 1.36 * UNIT, class_="halo"))
        parts.append(_block(kind, number, (x, y), BLOCK))
    if last:
        parts.append(drawing.ring("last", x, y, (0.72 if kind else 0.6) * UNIT))
    parts.append(tag("circle", cx=x, cy=y, r=max(size, 0.7 * UNIT), class_="touch"))
    return drawing.target(str(FIELDS[field]), text, *parts, class_="field")


def _main(colours: Colours, field: int, at: Point, size: float, lettered: bool) -> Iterator[str]:
    """A corner, filled with its colour, or a goal, a ring in its colour; with its letter."""
    colour, (x, y) = field % 5, at
    kind = "corner" if field in CORNERS else "goal"
    yield tag("circle", cx=x, cy=y, r=size, class_="stop main", fill=drawing.hue(colours[colour]))
    if kind == "goal":
        yield tag("circle", cx=x, cy=y, r=size * 0.64, class_="stop")
    if lettered:
        letter = drawing.text_element("text", letters(colours)[colour], x=x, y=y + 1, class_="letter", font_size=34)
        yield tag("g", letter, class_=f"{kind} {colours[colour]}", aria_hidden="true")


@lru_cache(maxsize=32)
def _names(flip: bool, colours: Colours) -> tuple[str, ...]:
    """The number and letter beside each main field, visible when a figure hides the letter on it."""
    return tuple(_name(flip, colours, main) for main in MAINS)


def _name(flip: bool, colours: Colours, main: int) -> str:
    x, y = _beside(Layout(flip), main)
    colour = colours[main % 5]
    wide = 0.62 * UNIT
    number = drawing.label(str(main), x - wide * 0.55, y, "name")
    left, top = x + 0.02 * UNIT, y - 0.38 * UNIT
    box = tag("rect", x=left, y=top, width=wide, height=0.76 * UNIT, rx=6, class_="chip", fill=drawing.hue(colour))
    text = drawing.text_element(
        "text", letters(colours)[main % 5], x=left + wide / 2, y=y + 1, class_="letter", font_size=24
    )
    chip = tag("g", box, text, class_=f"of-colour {colour}", aria_hidden="true")
    return tag("g", number, chip)


def _beside(layout: Layout, main: int) -> Point:
    """The place of a main field's number: outside the ring for a corner, on the inner side for a junction."""
    x, y, size = PLAN.spots[main]
    away, turn = math.hypot(x, y), math.atan2(y, x)
    if main in JUNCTIONS:
        away -= size + 0.7
    else:
        away, turn = away + 0.8, turn + (1 if x > 0.1 else -1) * math.radians(11)
    return layout.at(away * math.cos(turn), away * math.sin(turn))


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
    layout = Layout(flip)
    at, radius = layout.stack(field, count)[which]
    x, y = at
    alone = count == 1
    touch = tag("circle", cx=x, cy=y, r=max(radius, 0.7 * UNIT) if alone else radius * 1.1, class_="touch")
    parts = [tag("path", d=layout.touch_area(field), class_="thumb")] if alone else []
    parts.append(tag("circle", cx=x, cy=y, r=radius * 1.32, class_="halo"))
    if waits:
        parts.append(tag("circle", cx=x, cy=y, r=radius * 1.62, class_="waits"))
    parts.append(_figure(colours, seat, piece, at, radius))
    if moved:
        parts.append(drawing.ring("last", x, y, radius * 1.3))
    return drawing.target(piece_target(seat, piece), text, *parts, touch, class_="piece")


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
    radius = size * UNIT
    marks = (
        tag(
            "line",
            x1=at[0] + x1 * radius,
            y1=at[1] + y1 * radius,
            x2=at[0] + x2 * radius,
            y2=at[1] + y2 * radius,
            class_="mark",
        )
        for x1, y1, x2, y2 in _BLOCK_MARKS[kind]
    )
    hand = [tag("circle", cx=at[0], cy=at[1], r=radius * 1.32, class_="in-hand")] if in_hand else []
    body = _body("block", kind, at, radius)
    return tag("g", *hand, *body, *marks, class_=f"ball figure {kind}", data_piece=f"{kind} {number}")
