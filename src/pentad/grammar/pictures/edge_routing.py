"""Edge routing: curves around other boxes, spread between the same boxes, and label placement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from pentad.grammar.pictures.diagram import LEADING, Arrow, Box, Point, width_of

SPACING = 34  # between arrows that connect the same boxes
BULGES = (0, 26, -26, 48, -48, 74, -74, 104, -104, 140, -140, 190, -190)
LABEL_PARAMETERS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8)  # where a label may be on its arrow
SAMPLES = tuple(i / 20 for i in range(21))
CELL = 64  # side of the spatial grid's cells


class Curve(NamedTuple):
    """A cubic Bézier curve, given by its control points."""

    a: Point
    b: Point
    c: Point
    d: Point

    def _blossom(self, s: float, t: float, u: float) -> Point:
        """The curve's blossom (polar form): a control point of a part of the curve, by de Casteljau's algorithm."""
        points: Sequence[Point] = self
        for each in (s, t, u):
            points = [Point(p.x + (q.x - p.x) * each, p.y + (q.y - p.y) * each) for p, q in pairwise(points)]
        return points[0]

    def at(self, t: float) -> Point:
        rest = 1 - t
        a, b, c, d = rest * rest * rest, 3 * rest * rest * t, 3 * rest * t * t, t * t * t
        return Point(
            a * self.a.x + b * self.b.x + c * self.c.x + d * self.d.x,
            a * self.a.y + b * self.b.y + c * self.c.y + d * self.d.y,
        )

    def part(self, s: float, t: float) -> Curve:
        return Curve(self._blossom(s, s, s), self._blossom(s, s, t), self._blossom(s, t, t), self._blossom(t, t, t))


class Area(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Area) -> float:
        """Returns the area that two rectangles share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


@dataclass(slots=True)
class Route:
    """An arrow's curve, and the centre and size of its labels."""

    arrow: Arrow
    curve: Curve
    label: Point
    size: tuple[float, float]


@dataclass(slots=True)
class Occupancy:
    """Occupied rectangles in a spatial grid."""

    cells: dict[tuple[int, int], list[tuple[Area, str]]] = field(default_factory=dict)

    def add(self, area: Area, name: str = "") -> None:
        for cell in _cells(area):
            self.cells.setdefault(cell, []).append((area, name))

    def count_boxes(self, point: Point, without: tuple[str, str]) -> int:
        """Returns the number of boxes at a point, apart from two."""
        here = self.cells.get((math.floor(point.x / CELL), math.floor(point.y / CELL)), ())
        return sum(
            area.left < point.x < area.right and area.top < point.y < area.bottom
            for area, name in here
            if name and name not in without
        )

    def overlap(self, area: Area) -> float:
        """Returns how much of an area is occupied; overlaps count several times."""
        seen = {each for cell in _cells(area) for each in self.cells.get(cell, ())}
        return sum(area.overlap(each) for each, _ in seen)


def _cells(area: Area) -> Iterator[tuple[int, int]]:
    for x in range(math.floor(area.left / CELL), math.floor(area.right / CELL) + 1):
        for y in range(math.floor(area.top / CELL), math.floor(area.bottom / CELL) + 1):
            yield x, y


def area_of(box: Box, margin: float = 0.0) -> Area:
    wide, high = box.width / 2 + margin, box.height / 2 + margin
    return Area(box.x - wide, box.y - high, box.x + wide, box.y + high)


def routes(boxes: Mapping[str, Box], arrows: Iterable[Arrow]) -> list[Route]:
    """Returns the routes of all arrows."""
    occupied = Occupancy()
    for box in boxes.values():
        occupied.add(area_of(box, 4), box.name)
    groups: dict[tuple[str, str], list[Arrow]] = {}
    for arrow in arrows:
        ends = (arrow.source, arrow.target)
        groups.setdefault((min(ends), max(ends)), []).append(arrow)
    curves: list[tuple[Arrow, Curve]] = []
    for group in groups.values():
        for number, arrow in enumerate(group):
            curves.append((arrow, _curve(boxes[arrow.source], boxes[arrow.target], number, len(group), occupied)))
    return [_labelled(arrow, curve, occupied) for arrow, curve in curves]


def _curve(source: Box, target: Box, number: int, count: int, occupied: Occupancy) -> Curve:
    """Returns the curve of one of several arrows between two boxes: the straightest of those that hit fewest boxes."""
    if source is target:
        return _loop(source, number)
    aside = (number - (count - 1) / 2) * SPACING * (1 if source.name < target.name else -1)
    ends = (source.name, target.name)
    best, fewest = _bent(source, target, aside), math.inf
    for bulge in BULGES:
        if aside * bulge < 0 and abs(bulge) > abs(aside):
            continue  # would cross the other arrows
        curve = _bent(source, target, aside + bulge)
        hits = sum(occupied.count_boxes(curve.at(t), ends) for t in SAMPLES)
        if hits < fewest:
            best, fewest = curve, hits
        if not hits:
            break
    return _clipped(best, source, target)


def _bent(source: Box, target: Box, bulge: float) -> Curve:
    """Returns a curve between two centres with this bulge."""
    across, down = target.x - source.x, target.y - source.y
    length = math.hypot(across, down) or 1.0
    x, y = -down / length * bulge * 4 / 3, across / length * bulge * 4 / 3
    return Curve(
        Point(source.x, source.y),
        Point(source.x + across / 4 + x, source.y + down / 4 + y),
        Point(source.x + across * 3 / 4 + x, source.y + down * 3 / 4 + y),
        Point(target.x, target.y),
    )


def _clipped(curve: Curve, source: Box, target: Box) -> Curve:
    """Returns the part of a curve between the boxes' borders."""
    leaves = _border(curve, source, 0.0, 1.0, 1.0)
    enters = _border(curve, target, 1.0, 0.0, 2.5)
    return curve.part(leaves, enters) if leaves < enters else curve


def _border(curve: Curve, box: Box, inside: float, outside: float, margin: float) -> float:
    """Returns the curve's parameter at a box's border: the first sample outside, refined by bisection."""
    for step in range(1, 33):
        t = inside + (outside - inside) * step / 32
        if not box.contains(*curve.at(t), margin):
            outside = t
            inside += (outside - inside) * (step - 1) / step
            break
    for _ in range(8):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if box.contains(*curve.at(middle), margin) else (inside, middle)
    return outside


def _loop(box: Box, number: int) -> Curve:
    """Returns a loop at a box's right side; further loops surround it."""
    right, high = box.x + box.width / 2, box.height * (0.22 if box.is_round else 0.3)
    reach, bend = 40 + 22 * number, 4 * number
    start, end = Point(right, box.y - high), Point(right + 2, box.y + high)
    return Curve(start, Point(right + reach, start.y - 12 - bend), Point(right + reach, end.y + 12 + bend), end)


def _labelled(arrow: Arrow, curve: Curve, occupied: Occupancy) -> Route:
    """Returns the route with its label where it overlaps least, and marks that area as occupied."""
    rows = arrow.rows
    wide = max((width_of(", ".join(line.text for line in row)) for row in rows), default=0.0) * 0.9
    high = LEADING * 0.9 * len(rows)
    best, least = curve.at(0.5), math.inf
    aside = wide / 2 - 6 if arrow.source == arrow.target else 0  # a loop's label stands beside it
    for t in LABEL_PARAMETERS if rows else ():
        point = Point(curve.at(t).x + aside, curve.at(t).y)
        area = Area(point.x - wide / 2, point.y - high / 2, point.x + wide / 2, point.y + high / 2)
        overlap = occupied.overlap(area)
        if overlap < least:
            best, least = point, overlap
        if not overlap:
            break
    if rows:
        occupied.add(Area(best.x - wide / 2, best.y - high / 2, best.x + wide / 2, best.y + high / 2))
    return Route(arrow, curve, best, (wide, high))
