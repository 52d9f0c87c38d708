"""Layout of Pentagame's drawing: fields and their touch areas, stacks of pieces, dishes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache

from pentad.games.pentagame.board import PLAN, Spot, polar

STOP_DIAMETER = 40.0
BOARD_RADIUS = PLAN.ring + 1.5
HALF = BOARD_RADIUS + 0.2  # half the side of the drawing
SIDE = 2 * HALF * STOP_DIAMETER

PIECE = 0.62  # the radius of a piece
TOUCH = 0.95  # how far a touch area extends beyond its field

Point = tuple[float, float]


class BoardLayout:
    """Converts board coordinates to drawing coordinates, with y downwards; `flip` turns the board upside down."""

    def __init__(self, flip: bool) -> None:
        self.sign = -1 if flip else 1

    def at(self, x: float, y: float) -> Point:
        """A point of the board in the drawing."""
        return (HALF + self.sign * x) * STOP_DIAMETER, (HALF - self.sign * y) * STOP_DIAMETER

    def field(self, number: int) -> Point:
        """The centre of a field."""
        return self.at(*PLAN.spots[number][:2])

    def stack(self, number: int, count: int) -> list[tuple[Point, float]]:
        """The centres and radii of so many pieces on a field, fanned so that each can be seen and touched."""
        x, y, size = PLAN.spots[number]
        slots = fan(count) if size > PLAN.stop else spiral(count)
        outward = math.atan2(y, x)
        placed = []
        for slot in slots:
            right, up = polar(math.hypot(slot.x, slot.y), math.atan2(slot.y, slot.x) + outward)
            placed.append((self.at(x + right, y + up), slot.radius * STOP_DIAMETER))
        return placed

    def touch_area(self, number: int) -> str:
        """The outline of a field's touch area: the points that are nearer to this field than to any other."""
        return f"M{'L'.join(_formatted(self.at(*point)) for point in touch_areas()[number])}Z"

    def segment(self, one: int, other: int) -> str:
        """The segment of an SVG path from a field to one that is linked to it, an arc on the ring."""
        end = _formatted(self.field(other))
        if not (_on_ring(one) and _on_ring(other)):
            return f"L{end}"
        (x1, y1, _), (x2, y2, _) = PLAN.spots[one], PLAN.spots[other]
        radius = PLAN.ring * STOP_DIAMETER
        return f"A{radius:.1f} {radius:.1f} 0 0 {int(x1 * y2 < x2 * y1)} {end}"

    def dish(self, seat: int, players: int) -> Point:
        """The centre of the dish for a seat's finished pieces, in a bay between ring and star."""
        return self.at(*polar(DISH_DISTANCE, math.tau * (0.75 + BAYS[players][seat] / 5)))


# The bay of each seat's dish by number of players: 0 at the bottom, then anti-clockwise.
BAYS = {2: (4, 1), 3: (0, 3, 2), 4: (4, 3, 2, 1), 5: (0, 4, 3, 2, 1)}
DISH_DISTANCE = 8.05  # there, from the board's centre, the bay is widest
DISH_RADIUS = 2.1
POOL_RADIUS = 1.85  # the dish in the middle is for gray blocks


def _on_ring(number: int) -> bool:
    x, y, _ = PLAN.spots[number]
    return math.hypot(x, y) > PLAN.ring - 0.01


def _formatted(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


# ── stacks ───────────────────────────────────────────────────────────────────────────────────────

# On a corner or junction: the direction in degrees from outward, which keeps the inward side free, and the distance.
_FANS: dict[int, tuple[tuple[int, float], ...]] = {
    1: ((0, 0.0),),
    2: ((-90, 0.68), (90, 0.68)),
    3: ((-120, 0.8), (0, 0.8), (120, 0.8)),
    4: ((-115, 0.96), (-40, 0.96), (40, 0.96), (115, 0.96)),
    5: ((-120, 1.1), (-60, 1.13), (0, 0.94), (60, 1.13), (120, 1.1)),
}
_SIZES = {1: PIECE * 1.15, 2: PIECE, 3: PIECE, 4: 0.58, 5: 0.56}


@cache
def fan(count: int) -> tuple[Spot, ...]:
    """The slots of so many pieces on a corner or junction, relative to its outward direction."""
    if count not in _FANS:
        return spiral(count)
    return tuple(Spot(*polar(away, math.radians(degrees)), _SIZES[count]) for degrees, away in _FANS[count])


@cache
def spiral(count: int) -> tuple[Spot, ...]:
    """The slots of any number of pieces in a sunflower spiral; more pieces are smaller."""
    if count == 1:
        return (Spot(0, 0, PIECE),)
    apart = min(PIECE * 1.25, 1.75 / math.sqrt(count))
    turn = math.pi * (3 - math.sqrt(5))
    places = (polar(apart * math.sqrt(i + 0.5), i * turn) for i in range(count))
    return tuple(Spot(x, y, min(PIECE, apart * 0.84)) for x, y in places)


# ── touch areas ──────────────────────────────────────────────────────────────────────────────────


@cache
def touch_areas() -> tuple[tuple[Point, ...], ...]:
    """The corners of every field's touch area; the areas do not overlap."""
    areas = []
    for here in PLAN.spots:
        away = here.radius + TOUCH
        edge = (polar(away, math.tau * i / 16) for i in range(16))
        area = [(here.x + x, here.y + y) for x, y in edge]
        for there in PLAN.spots:
            if 0 < math.dist(here[:2], there[:2]) < away + there.radius + TOUCH:
                area = list(_cut(area, here, there))
        areas.append(tuple(area))
    return tuple(areas)


def _cut(area: Iterable[Point], here: Spot, there: Spot) -> Iterator[Point]:
    """Clips an area at the border with another field's, the line between their edges."""
    x, y = there.x - here.x, there.y - here.y
    border = (there.x**2 + there.y**2 - there.radius**2 - here.x**2 - here.y**2 + here.radius**2) / 2
    points = list(area)
    for one, other in zip(points, points[1:] + points[:1], strict=True):
        a, b = (point[0] * x + point[1] * y - border for point in (one, other))
        if a <= 0:
            yield one
        if a * b < 0:
            part = a / (a - b)
            yield one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
