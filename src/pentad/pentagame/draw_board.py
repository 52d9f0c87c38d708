"""Pentagame's board as a picture: the ring and the star, what stands on them, and dishes for what is beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pentad import drawing
from pentad.drawing import tag
from pentad.game import Move
from pentad.pentagame import words
from pentad.pentagame.board import ALL_FIELDS, CORNERS, FIELDS, JUNCTIONS, MAINS, OFF_BOARD, PLAN, fields_of
from pentad.pentagame.choosing import piece_target
from pentad.pentagame.layout import DISH, POOL, RIM, SIDE, UNIT, Layout, Point
from pentad.pentagame.marks import Marks, letters, waiting
from pentad.pentagame.notation import SHAPES
from pentad.pentagame.rules import HOME_WINS, PentagamePosition


def _star(points: int, inner: float, outer: float) -> tuple[Point, ...]:
    turns = ((math.pi * i / points, inner if i % 2 else outer) for i in range(2 * points))
    return tuple((away * math.sin(turn), -away * math.cos(turn)) for turn, away in turns)


# The seats' shapes around the origin, each about as large as a circle of radius 1, which is the one without corners;
# and for each how far below the middle its letter stands, and how large.
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

# What tells black blocks from gray ones beside their colour.
_BLOCK_MARKS = {"black": ((-0.34, -0.34, 0.34, 0.34), (-0.34, 0.34, 0.34, -0.34)), "gray": ((-0.45, 0, 0.45, 0),)}
BLOCK = 0.6  # a block's radius


def svg(position: PentagamePosition, last: Move | str | None, flip: bool, style: bool, title: str, told: str) -> str:
    """The whole picture."""
    picture = Picture(position, last, flip)
    return drawing.sheet(
        SIDE,
        SIDE,
        *picture.board(),
        *picture.fields(),
        *picture.pieces(),
        title=title,
        description=told,
        colours=(*position.colours, "black", "gray"),
        style=style,
        class_="race",
    )


class Picture:
    """One position, as it is drawn."""

    def __init__(self, position: PentagamePosition, last: Move | str | None, flip: bool) -> None:
        self.position = position
        self.marks = Marks(position, last)
        self.layout = Layout(flip)
        self.letters = letters(position.colours)
        self.waiting = waiting(position)
        outcome = position.outcome
        self.winners = outcome.winners if outcome and not outcome.is_draw else ()

    # ── the ground ───────────────────────────────────────────────────────────────────────────────

    def board(self) -> Iterator[str]:
        """The round board, its lines, and the dishes with what is not on it."""
        x, y = self.layout.at(0, 0)
        yield tag("circle", cx=x, cy=y, r=RIM * UNIT, class_="tile")
        lines = [tag("circle", cx=x, cy=y, r=PLAN.ring * UNIT)]
        for corner in CORNERS:
            (x1, y1), (x2, y2) = self.layout.field(corner), self.layout.field((corner + 2) % 5)
            lines.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2))
        yield tag("g", *lines, class_="course")
        yield self._pool(x, y)
        yield from map(self._dish, range(self.position.players))

    def _pool(self, x: float, y: float) -> str:
        """In the middle the gray blocks that are not on the board, and the block that the mover is to put."""
        here = self.position
        due = here.due[0] if here.due else ""
        parts = [tag("circle", cx=x, cy=y, r=POOL * UNIT, class_="dish")]
        grays = [i for i, field in enumerate(here.grays) if field == OFF_BOARD]
        for i in range(len(here.grays)):
            turn = math.tau * i / 5 - math.pi / 2
            at = x + 1.27 * UNIT * math.cos(turn), y + 1.27 * UNIT * math.sin(turn)
            parts.append(tag("circle", cx=at[0], cy=at[1], r=0.3 * UNIT, class_="socket"))
            if i in grays:
                parts.append(_block("gray", at, 0.44, in_hand=due == "gray" and i == grays[0]))
        if due == "black":
            parts.append(_block("black", (x, y), BLOCK, in_hand=True))
        return tag("g", *parts, class_="pool", aria_hidden="true")

    def _dish(self, seat: int) -> str:
        """A seat's sign and the pieces that it has brought home, of three or more that it needs."""
        here = self.position
        x, y = self.layout.dish(seat, here.players)
        home = [piece for piece, field in enumerate(here.pieces[seat]) if field == OFF_BOARD]
        state = "won" if seat in self.winners else "to-move" if seat == here.turn and not here.outcome else ""
        sign = _outline(SHAPES[seat], (x, y - 0.7 * UNIT), 0.78 * UNIT, class_="sign")
        parts = [tag("circle", cx=x, cy=y, r=DISH * UNIT, class_=f"dish {state}".rstrip()), sign]
        count = max(HOME_WINS, len(home))
        apart = min(1.14, 3.3 / count) * UNIT
        for i in range(count):
            at = x + (i - (count - 1) / 2) * apart, y + 0.86 * UNIT
            parts.append(tag("circle", cx=at[0], cy=at[1], r=0.42 * UNIT, class_="socket"))
            if i < len(home):
                parts.append(self._figure(seat, home[i], at, min(0.52 * UNIT, apart * 0.47)))
        return tag("g", *parts, class_="home", aria_hidden="true")

    # ── fields ───────────────────────────────────────────────────────────────────────────────────

    def fields(self) -> Iterator[str]:
        """All fields, the way over the empty ones, and the names of corners and goals."""
        yield from map(self._field, fields_of(ALL_FIELDS & ~self.position.blocked))
        yield from self._way()
        yield from map(self._field, fields_of(self.position.blocked))
        for main in MAINS:
            yield from self._name(main)

    def _way(self) -> Iterator[str]:
        """The way of the last piece, from a dot where it stood."""
        fields = self.marks.way
        if fields:
            d = self.layout.way(fields)
            x, y = self.layout.field(fields[0])
            lines = (tag("path", d=d, class_=class_, pathLength=1) for class_ in ("way-edge", "way"))
            yield tag("g", *lines, tag("circle", cx=x, cy=y, r=0.24 * UNIT, class_="begin"), class_="gone")

    def _beside(self, main: int) -> Point:
        """Where a main field's number stands: beside a corner outside the ring, inside of a junction."""
        x, y, size = PLAN.spots[main]
        away, turn = math.hypot(x, y), math.atan2(y, x)
        if main in JUNCTIONS:
            away -= size + 0.7
        else:
            away, turn = away + 0.8, turn + (1 if x > 0.1 else -1) * math.radians(11)
        return self.layout.at(away * math.cos(turn), away * math.sin(turn))

    def _field(self, field: int) -> str:
        here = self.position
        x, y = self.layout.field(field)
        size = PLAN.spots[field].radius * UNIT
        parts = [
            tag("path", d=self.layout.thumb(field), class_="thumb"),
            *(
                self._main(field, x, y, size)
                if field in MAINS
                else [tag("circle", cx=x, cy=y, r=size, class_="stop small")]
            ),
        ]
        kind = "black" if field in here.blacks else "gray" if field in here.grays else ""
        if kind:
            parts.append(tag("circle", cx=x, cy=y, r=BLOCK * 1.36 * UNIT, class_="halo"))
            parts.append(_block(kind, (x, y), BLOCK))
        if self.marks.is_last(field) and not here.pieces_on(field):
            parts.append(drawing.ring("last", x, y, (0.72 if kind else 0.6) * UNIT))
        parts.append(tag("circle", cx=x, cy=y, r=max(size, 0.7 * UNIT), class_="touch"))
        return drawing.target(str(FIELDS[field]), self._told(field), *parts, class_="field")

    def _main(self, field: int, x: float, y: float, size: float) -> Iterator[str]:
        """A corner, full of its colour, or a goal, a ring of it; with its letter."""
        colour = field % 5
        name = self.position.colours[colour]
        kind = "corner" if field in CORNERS else "goal"
        yield tag("circle", cx=x, cy=y, r=size, class_="stop main", fill=drawing.hue(name))
        if kind == "goal":
            yield tag("circle", cx=x, cy=y, r=size * 0.64, class_="stop")
        if not self.position.taken >> field & 1 and field not in self.marks.way:
            letter = drawing.words("text", self.letters[colour], x=x, y=y + 1, class_="letter", font_size=34)
            yield tag("g", letter, class_=f"{kind} {name}", aria_hidden="true")

    def _name(self, main: int) -> Iterator[str]:
        """A main field's number, and its letter, which what stands there may hide."""
        x, y = self._beside(main)
        colour = self.position.colours[main % 5]
        letter = self.letters[main % 5]
        wide = 0.62 * UNIT
        yield drawing.label(str(main), x - wide * 0.55, y, "name")
        box = tag(
            "rect",
            x=x + 0.02 * UNIT,
            y=y - 0.38 * UNIT,
            width=wide,
            height=0.76 * UNIT,
            rx=6,
            class_="chip",
            fill=drawing.hue(colour),
        )
        text = drawing.words("text", letter, x=x + 0.02 * UNIT + wide / 2, y=y + 1, class_="letter", font_size=24)
        yield tag("g", box, text, class_=f"of-colour {colour}", aria_hidden="true")

    def _told(self, field: int) -> str:
        here = self.position
        told = [words.place(here, field), words.standing(here, field) or "empty"]
        if field in self.marks.put:
            told.append("put last")
        return ", ".join(told)

    # ── pieces ───────────────────────────────────────────────────────────────────────────────────

    def pieces(self) -> Iterator[str]:
        here = self.position
        for field in sorted({field for mine in here.pieces for field in mine} - {OFF_BOARD}):
            standing = here.pieces_on(field)
            for (seat, piece), (at, radius) in zip(standing, self.layout.stands(field, len(standing)), strict=True):
                yield self._piece(seat, piece, field, at, radius, alone=len(standing) == 1)

    def _piece(self, seat: int, piece: int, field: int, at: Point, radius: float, alone: bool) -> str:
        x, y = at
        touch = tag("circle", cx=x, cy=y, r=max(radius, 0.7 * UNIT) if alone else radius * 1.1, class_="touch")
        parts = [tag("path", d=self.layout.thumb(field), class_="thumb")] if alone else []
        parts.append(tag("circle", cx=x, cy=y, r=radius * 1.32, class_="halo"))
        told = [f"{words.piece(self.position, seat, piece)} on {words.place(self.position, field)}"]
        if (seat, piece) in self.waiting:
            parts.append(tag("circle", cx=x, cy=y, r=radius * 1.62, class_="waits"))
            told.append("waits at its goal")
        parts.append(self._figure(seat, piece, at, radius))
        if (seat, piece, field) in self.marks.came:
            parts.append(drawing.ring("last", x, y, radius * 1.3))
            told.append("moved last")
        return drawing.target(piece_target(seat, piece), ", ".join(told), *parts, touch, class_="piece")

    def _figure(self, seat: int, piece: int, at: Point, radius: float) -> str:
        """A piece: its seat's shape, its colour, and the colour's letter."""
        colour, shape, letter = self.position.colours[piece], SHAPES[seat], self.letters[piece]
        below, size = _LETTERS[shape]
        text = drawing.words(
            "text", letter, x=at[0], y=at[1] + below * radius, class_="letter", font_size=radius * size
        )
        return tag("g", *_body(shape, colour, at, radius), text, class_=f"ball figure {colour}")


def _body(shape: str, colour: str, at: Point, radius: float) -> Iterator[str]:
    """A figure on its shadow, with a rim that sets it off from any ground."""
    yield _outline(shape, (at[0] + radius * 0.08, at[1] + radius * 0.16), radius * 1.06, class_="shadow")
    yield _outline(shape, at, radius, class_="rim")
    yield _outline(shape, at, radius, class_="marble", fill=f"url(#marble-{colour})")


def _outline(shape: str, at: Point, radius: float, **attributes: str) -> str:
    corners = _CORNERS[shape]
    if not corners:
        return tag("circle", cx=at[0], cy=at[1], r=radius, **attributes)
    points = " ".join(f"{at[0] + x * radius:.1f},{at[1] + y * radius:.1f}" for x, y in corners)
    return tag("polygon", points=points, **attributes)


def _block(kind: str, at: Point, size: float, in_hand: bool = False) -> str:
    """A block, which is no player's; in the mover's hand it has a ring."""
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
    return tag("g", *hand, *_body("block", kind, at, radius), *marks, class_=f"ball figure {kind}")
