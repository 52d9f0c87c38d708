"""Where things lie on the sheet on which Pentagame is drawn: fields, the room to touch them, stacks, dishes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pentad.pentagame.board import PLAN, Spot

UNIT = 40.0  # a stop's diameter
RIM = PLAN.ring + 1.5  # the board's edge
HALF = RIM + 0.2  # from the sheet's middle to its sides
SIDE = 2 * HALF * UNIT

PIECE = 0.62  # the radius of a piece
THUMB = 0.95  # how far beyond its edge a field may be touched

Point = tuple[float, float]


class Stand(NamedTuple):
    """Where one of several pieces stands on a field, from the field's middle, and how large it is there."""

    x: float
    y: float
    radius: float


class Layout:
    """From the board's measures to the sheet's, which have y downwards; `flip` turns the board upside down."""

    def __init__(self, flip: bool) -> None:
        self.sign = -1 if flip else 1

    def at(self, x: float, y: float) -> Point:
        """A place of the board on the sheet."""
        return (HALF + self.sign * x) * UNIT, (HALF - self.sign * y) * UNIT

    def field(self, number: int) -> Point:
        """The middle of a field."""
        return self.at(*PLAN.spots[number][:2])

    def stands(self, number: int, count: int) -> list[tuple[Point, float]]:
        """Where so many pieces stand on a field, fanned so that each can be seen and touched, and their radius."""
        x, y, size = PLAN.spots[number]
        around = stands(count) if size > PLAN.stop else crowd(count)
        outward = math.atan2(y, x)
        placed = []
        for stand in around:
            away, turn = math.hypot(stand.x, stand.y), math.atan2(stand.y, stand.x) + outward
            placed.append((self.at(x + away * math.cos(turn), y + away * math.sin(turn)), stand.radius * UNIT))
        return placed

    def thumb(self, number: int) -> str:
        """The path around all that is nearer to this field than to any other: as much as a thumb may have of it."""
        return f"M{'L'.join(_written(self.at(*point)) for point in thumbs()[number])}Z"

    def way(self, fields: Sequence[int]) -> str:
        """The path along some fields, each linked to the next; round the ring where they lie on it."""
        parts = [f"M{_written(self.field(fields[0]))}"]
        for one, other in itertools.pairwise(fields):
            end = _written(self.field(other))
            if _on_ring(one) and _on_ring(other):
                (x1, y1, _), (x2, y2, _) = PLAN.spots[one], PLAN.spots[other]
                parts.append(f"A{PLAN.ring * UNIT:.1f} {PLAN.ring * UNIT:.1f} 0 0 {int(x1 * y2 < x2 * y1)} {end}")
            else:
                parts.append(f"L{end}")
        return "".join(parts)

    def dish(self, seat: int, players: int) -> Point:
        """The middle of the dish for the pieces that a seat has brought home: in a bay between ring and star."""
        turn = math.tau * (0.75 + BAYS[players][seat] / 5)
        return self.at(DISH_AWAY * math.cos(turn), DISH_AWAY * math.sin(turn))


# In which of the five bays the seats' dishes are: the bay at the bottom is 0, and so on anti-clockwise.
BAYS = {2: (4, 1), 3: (0, 3, 2), 4: (4, 3, 2, 1), 5: (0, 4, 3, 2, 1)}
DISH_AWAY = 8.05  # from the board's middle; there the bay is widest
DISH = 2.1  # a dish's radius
POOL = 1.85  # the radius of the dish in the middle, where gray blocks are


def _on_ring(number: int) -> bool:
    x, y, _ = PLAN.spots[number]
    return math.hypot(x, y) > PLAN.ring - 0.01


def _written(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


# ── stacks ───────────────────────────────────────────────────────────────────────────────────────

# On a corner or junction: in which direction, in degrees from outward, so that none covers the way inward, and how far.
_FANS: dict[int, tuple[tuple[int, float], ...]] = {
    1: ((0, 0.0),),
    2: ((-90, 0.68), (90, 0.68)),
    3: ((-120, 0.8), (0, 0.8), (120, 0.8)),
    4: ((-115, 0.96), (-40, 0.96), (40, 0.96), (115, 0.96)),
    5: ((-120, 1.1), (-60, 1.13), (0, 0.94), (60, 1.13), (120, 1.1)),
}
_SIZES = {1: PIECE * 1.15, 2: PIECE, 3: PIECE, 4: 0.58, 5: 0.56}


@cache
def stands(count: int) -> tuple[Stand, ...]:
    """Where so many pieces stand on a corner or junction, seen along its way outward."""
    if count not in _FANS:
        return crowd(count)
    fan = ((math.radians(degrees), away) for degrees, away in _FANS[count])
    return tuple(Stand(away * math.cos(turn), away * math.sin(turn), _SIZES[count]) for turn, away in fan)


@cache
def crowd(count: int) -> tuple[Stand, ...]:
    """Where any number of pieces stand, like the seeds of a sunflower; the more, the smaller."""
    if count == 1:
        return (Stand(0, 0, PIECE),)
    if count == 1:
        return (Stand(0, 0, PIECE),)
    apart = min(PIECE * 1.25, 1.75 / math.sqrt(count))
    turn = math.pi * (3 - math.sqrt(5))
    places = ((apart * math.sqrt(i + 0.5), i * turn) for i in range(count))
    return tuple(Stand(away * math.cos(t), away * math.sin(t), min(PIECE, apart * 0.84)) for away, t in places)


# ── room for thumbs ──────────────────────────────────────────────────────────────────────────────


@cache
def thumbs() -> tuple[tuple[Point, ...], ...]:
    """For every field the corners of the room in which it is touched, which it shares with no other."""
    return tuple(tuple(_thumb(spot)) for spot in PLAN.spots)


def _thumb(here: Spot) -> list[Point]:
    away = here.radius + THUMB
    turns = (math.tau * i / 16 for i in range(16))
    room = [(here.x + away * math.cos(turn), here.y + away * math.sin(turn)) for turn in turns]
    for there in PLAN.spots:
        if 0 < math.dist(here[:2], there[:2]) < away + there.radius + THUMB:
            room = list(_cut(room, here, there))
    return room


def _cut(room: Iterable[Point], here: Spot, there: Spot) -> Iterator[Point]:
    """What is left of a room where another field's begins: on the line between their edges."""
    x, y = there.x - here.x, there.y - here.y
    border = (there.x**2 + there.y**2 - there.radius**2 - here.x**2 - here.y**2 + here.radius**2) / 2
    points = list(room)
    for one, other in zip(points, points[1:] + points[:1], strict=True):
        a, b = (point[0] * x + point[1] * y - border for point in (one, other))
        if a <= 0:
            yield one
        if a * b < 0:
            part = a / (a - b)
            yield one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
