"""How arrows run: from box to box, around what stands between, apart from each other, with room for their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from pentad.grammar.pictures.diagram import LEADING, Arrow, Box, Point, width_of

SIDEWAYS = 34  # between arrows that join the same boxes
BULGES = (0, 26, -26, 48, -48, 74, -74, 104, -104, 140, -140, 190, -190)
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8)  # where on an arrow its label may stand
SAMPLES = tuple(i / 20 for i in range(21))
CELL = 64  # the side of the squares by which neighbours are found


class Curve(NamedTuple):
    """A cubic curve by its control points."""

    a: Point
    b: Point
    c: Point
    d: Point

    def _mixed(self, s: float, t: float, u: float) -> Point:
        """A control point of a part of it, given by three moments of the part's ends."""
        points: Sequence[Point] = self
        for moment in (s, t, u):
            points = [Point(p.x + (q.x - p.x) * moment, p.y + (q.y - p.y) * moment) for p, q in pairwise(points)]
        return points[0]

    def at(self, moment: float) -> Point:
        rest = 1 - moment
        a, b, c, d = rest * rest * rest, 3 * rest * rest * moment, 3 * rest * moment * moment, moment * moment * moment
        return Point(
            a * self.a.x + b * self.b.x + c * self.c.x + d * self.d.x,
            a * self.a.y + b * self.b.y + c * self.c.y + d * self.d.y,
        )

    def part(self, s: float, t: float) -> Curve:
        return Curve(self._mixed(s, s, s), self._mixed(s, s, t), self._mixed(s, t, t), self._mixed(t, t, t))


class Area(NamedTuple):
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Area) -> float:
        """How much of it lies in another."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


@dataclass(slots=True)
class Route:
    """An arrow's way and the middle of its labels."""

    arrow: Arrow
    curve: Curve
    label: Point
    size: tuple[float, float]


@dataclass(slots=True)
class Ground:
    """What stands where, found by squares."""

    cells: dict[tuple[int, int], list[tuple[Area, str]]] = field(default_factory=dict)

    def take(self, area: Area, name: str = "") -> None:
        for cell in _cells(area):
            self.cells.setdefault(cell, []).append((area, name))

    def others(self, point: Point, names: tuple[str, str]) -> int:
        """How many boxes but those named are at a point."""
        here = self.cells.get((math.floor(point.x / CELL), math.floor(point.y / CELL)), ())
        return sum(
            area.left < point.x < area.right and area.top < point.y < area.bottom
            for area, name in here
            if name and name not in names
        )

    def covered(self, area: Area) -> float:
        """How much of an area is taken."""
        seen = {each for cell in _cells(area) for each in self.cells.get(cell, ())}
        return sum(area.shared(each) for each, _ in seen)


def _cells(area: Area) -> Iterator[tuple[int, int]]:
    for x in range(math.floor(area.left / CELL), math.floor(area.right / CELL) + 1):
        for y in range(math.floor(area.top / CELL), math.floor(area.bottom / CELL) + 1):
            yield x, y


def area_of(box: Box, margin: float = 0.0) -> Area:
    wide, high = box.width / 2 + margin, box.height / 2 + margin
    return Area(box.x - wide, box.y - high, box.x + wide, box.y + high)


def routes(boxes: Mapping[str, Box], arrows: Iterable[Arrow]) -> list[Route]:
    """The ways of all arrows."""
    ground = Ground()
    for box in boxes.values():
        ground.take(area_of(box, 4), box.name)
    together: dict[tuple[str, str], list[Arrow]] = {}
    for arrow in arrows:
        ends = (arrow.source, arrow.target)
        together.setdefault((min(ends), max(ends)), []).append(arrow)
    ways: list[tuple[Arrow, Curve]] = []
    for group in together.values():
        for number, arrow in enumerate(group):
            ways.append((arrow, _way(boxes[arrow.source], boxes[arrow.target], number, len(group), ground)))
    return [_labelled(arrow, curve, ground) for arrow, curve in ways]


def _way(source: Box, target: Box, number: int, count: int, ground: Ground) -> Curve:
    """The way of one of several arrows between two boxes, as straight as what stands between lets it."""
    if source is target:
        return _loop(source, number)
    aside = (number - (count - 1) / 2) * SIDEWAYS * (1 if source.name < target.name else -1)
    names = (source.name, target.name)
    best, fewest = _bent(source, target, aside), math.inf
    for bulge in BULGES:
        if aside * bulge < 0 and abs(bulge) > abs(aside):
            continue  # it would cross the others
        curve = _bent(source, target, aside + bulge)
        hits = sum(ground.others(curve.at(moment), names) for moment in SAMPLES)
        if hits < fewest:
            best, fewest = curve, hits
        if not hits:
            break
    return _clipped(best, source, target)


def _bent(source: Box, target: Box, bulge: float) -> Curve:
    """From middle to middle, bent aside by so much."""
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
    """What of a way lies between the boxes."""
    leaves = _edge(curve, source, 0.0, 1.0, 1.0)
    enters = _edge(curve, target, 1.0, 0.0, 2.5)
    return curve.part(leaves, enters) if leaves < enters else curve


def _edge(curve: Curve, box: Box, inside: float, outside: float, margin: float) -> float:
    """The moment at which a way leaves a box that it begins in."""
    for step in range(1, 33):
        moment = inside + (outside - inside) * step / 32
        if not box.holds(*curve.at(moment), margin):
            outside = moment
            inside += (outside - inside) * (step - 1) / step
            break
    for _ in range(8):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if box.holds(*curve.at(middle), margin) else (inside, middle)
    return outside


def _loop(box: Box, number: int) -> Curve:
    """Out of a box's right side and back; several, each outside of the others."""
    right, high = box.x + box.width / 2, box.height * (0.22 if box.is_round else 0.3)
    reach, bend = 40 + 22 * number, 4 * number
    start, end = Point(right, box.y - high), Point(right + 2, box.y + high)
    return Curve(start, Point(right + reach, start.y - 12 - bend), Point(right + reach, end.y + 12 + bend), end)


def _labelled(arrow: Arrow, curve: Curve, ground: Ground) -> Route:
    """A way with its label where nothing else is, if there is such a place."""
    rows = arrow.rows
    wide = max((width_of(", ".join(line.text for line in row)) for row in rows), default=0.0) * 0.9
    high = LEADING * 0.9 * len(rows)
    best, least = curve.at(0.5), math.inf
    aside = wide / 2 - 6 if arrow.source == arrow.target else 0  # a loop is too small to carry its label
    for moment in ALONG if rows else ():
        point = Point(curve.at(moment).x + aside, curve.at(moment).y)
        area = Area(point.x - wide / 2, point.y - high / 2, point.x + wide / 2, point.y + high / 2)
        covered = ground.covered(area)
        if covered < least:
            best, least = point, covered
        if not covered:
            break
    if rows:
        ground.take(Area(best.x - wide / 2, best.y - high / 2, best.x + wide / 2, best.y + high / 2))
    return Route(arrow, curve, best, (wide, high))
