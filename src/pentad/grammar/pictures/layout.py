"""Layout of boxes, and edge routing.

Boxes are placed at the graph's positions, on a grid, in layers, or by stress majorization; arrows are curves around
other boxes, spread between the same boxes, with labels where there is space.
"""

from __future__ import annotations

import math
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import NamedTuple

from pentad.grammar.graph import Edge, NodePosition

FONT, LEADING = 14, 18  # font size and line height
PAD_X, PAD_Y = 11, 7  # padding between a box and its text
MAX_LABEL_LENGTH = 60  # the tooltip has the rest
ROW_LENGTH, MAX_ROWS = 16, 5  # the labels of one arrow share rows

# Widths of letters relative to the font size.
_NARROW, _BROAD = frozenset("iljtfrI.,:;|!'()[]{}/\\ "), frozenset("mwMWQGO@%∀∃+=<>≥")
_CONTROLS = {ord("\n"): "↵", ord("\r"): "␍", ord("\t"): "⇥"}
_UNSAFE_CATEGORIES = {"Cc", "Cs", "Cn"}  # control characters, surrogates, unassigned code points


def shown(text: str) -> str:
    """Returns a text for a picture; characters that XML does not allow become �.

    >>> shown("a\\x00b")
    'a�b'
    """
    text = text.translate(_CONTROLS)
    if text.isprintable():
        return text
    return "".join("�" if unicodedata.category(letter) in _UNSAFE_CATEGORIES else letter for letter in text)


def short(text: str, most: int = MAX_LABEL_LENGTH) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def width_of(text: str, bold: bool = False) -> float:
    """Returns the approximate width of a text."""
    return sum(map(_width, text)) * FONT * (1.07 if bold else 1.0)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _BROAD or letter.isupper():
        return 0.78
    if unicodedata.combining(letter):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0x2E80 else 0.58


class Point(NamedTuple):
    """A position in a picture, in pixels from the top left."""

    x: float
    y: float


class TextLine(NamedTuple):
    """A line of text; its CSS class is its kind (`type`, `flag`, `path`) or a role."""

    text: str
    class_: str = ""

    @property
    def width(self) -> float:
        return width_of(short(self.text), "type" in self.class_.split())


@dataclass(slots=True)
class Box:
    """A node in a diagram; `x` and `y` are its centre after the layout.

    The sign at the top left is the node's role in a rule, the badge at the top right its parameter.
    """

    name: str
    lines: list[TextLine] = field(default_factory=list)
    class_: str = "reader"
    sign: str = ""
    badge: str = ""
    is_round: bool = False
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def measure(self) -> None:
        """Fits the size to the text."""
        widest = max((line.width for line in self.lines), default=0.0)
        self.height = max(len(self.lines), 1) * LEADING + 2 * PAD_Y
        self.width = max(widest + 2 * PAD_X, self.height)

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is inside, or at most the margin away."""
        across, down = abs(x - self.x) / (self.width / 2 + margin), abs(y - self.y) / (self.height / 2 + margin)
        return across * across + down * down < 1 if self.is_round else across < 1 and down < 1

    @property
    def text(self) -> str:
        """All lines as one text."""
        return ", ".join(line.text for line in self.lines) or shown(self.name)


@dataclass(slots=True)
class Arrow:
    """Edges that are drawn as one arrow between two boxes, with all their labels."""

    source: str
    target: str
    labels: list[TextLine] = field(default_factory=list)
    class_: str = "reader"
    head: str = "arrow"  # the other kind is "triangle", a hollow arrowhead
    has_diamond: bool = False  # the diamond is at the source
    near: str = ""  # multiplicity at the source
    far: str = ""  # multiplicity at the target
    is_thin: bool = False  # one of very many with this label, which is shown in the legend only

    @property
    def text(self) -> str:
        return ", ".join(line.text for line in self.labels)

    @property
    def rows(self) -> list[list[TextLine]]:
        """The labels in rows; if there are too many, the last row says how many are left out."""
        rows: list[list[TextLine]] = []
        free = 0
        for number, line in enumerate(() if self.is_thin else self.labels):
            line = TextLine(short(line.text), line.class_)
            if free < len(line.text):
                if len(rows) == MAX_ROWS:
                    return [*rows, [TextLine(f"and {len(self.labels) - number} more")]]
                rows.append([])
                free = max(ROW_LENGTH, len(line.text))
            rows[-1].append(line)
            free -= len(line.text) + 2
        return rows


@dataclass(slots=True)
class DiagramParts:
    """All elements of a diagram; boxes by name."""

    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)

    @property
    def links(self) -> list[tuple[str, str]]:
        """Pairs of different boxes that an arrow connects."""
        return [(arrow.source, arrow.target) for arrow in self.arrows if arrow.source != arrow.target]

    @property
    def listing(self) -> Iterator[str]:
        """Descriptions of all boxes and arrows, for the text alternative."""
        for box in self.boxes.values():
            name = shown(box.name)
            yield f"{name}: {box.text}" if box.text != name else name
        for arrow in self.arrows:
            yield f"{shown(arrow.source)} to {shown(arrow.target)}: {arrow.text or arrow.class_}"


def bundled(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Merges arrows of the same style between the same boxes; each label is kept once."""
    merged: dict[tuple[object, ...], Arrow] = {}
    for arrow in arrows:
        key = (arrow.source, arrow.target, arrow.class_, arrow.head, arrow.has_diamond, arrow.near, arrow.far)
        whole = merged.setdefault(key, arrow)
        if whole is not arrow:
            whole.labels += [line for line in arrow.labels if line not in whole.labels]
    return list(merged.values())


BOX_GAP = 60  # arrows connect these boxes
LABEL_MARGIN, MAX_LABEL_WIDTH = 34, 130  # longer labels of an arrow may overlap boxes
MOST_STRETCH = 3.0  # largest factor by which a layout is scaled
COMPONENT_GAP = 70
FARTHEST = 50_000  # larger coordinates are ignored
LAYER_GAP = 84
ROW_WIDTH = 1300  # connected components are placed in rows of this width
SWEEPS, PULLS = 120, 4_000_000  # limits of the iteration: sweeps over all boxes, and pairs of boxes in all sweeps
ARROW_SPACING = 34  # these arrows connect the same boxes
BULGES = (0, 26, -26, 48, -48, 74, -74, 104, -104, 140, -140, 190, -190)
LABEL_PARAMETERS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8)  # where a label may be on its arrow
SAMPLES = tuple(i / 20 for i in range(21))
CELL = 64  # side of the spatial grid's cells


def arrange(parts: DiagramParts, places: Mapping[str, NodePosition | None], edges: Iterable[Edge]) -> None:
    """Places every box; boxes with a place in the graph keep it, scaled if they would overlap."""
    boxes = parts.boxes
    placed = {name: place for name, place in places.items() if place is not None and name in boxes}
    if any(not abs(number) <= FARTHEST for place in placed.values() for number in place):
        placed = {}
    if len(set(placed.values())) * 2 < len(placed):
        placed = {}  # most of them are on top of each other
    for name, place in placed.items():
        boxes[name].x, boxes[name].y = place
    fixed = [boxes[name] for name in placed]
    if not fixed:
        fixed = _on_grid(boxes, list(edges))
    here = {box.name for box in fixed}
    _spread(fixed, parts)
    rest = [boxes[name] for name in boxes if name not in here]
    if rest:
        _by_stress(rest, parts, is_tall=bool(fixed))
    if rest and fixed:  # the others move to the left of the fixed ones
        aside = min(box.x - box.width / 2 for box in fixed) - max(box.x + box.width / 2 for box in rest)
        top = min(box.y - box.height / 2 for box in fixed) - min(box.y - box.height / 2 for box in rest)
        for box in rest:
            box.x, box.y = box.x + aside - COMPONENT_GAP, box.y + top
    push_apart(list(boxes.values()), 12)


def _spread(boxes: Sequence[Box], parts: DiagramParts) -> None:
    """Scales positions until boxes and labels do not overlap; boxes at the same position are left as they are."""
    stretch = 1.0
    ordered = sorted(boxes, key=lambda box: box.x)
    widest = max((box.width for box in boxes), default=0.0) + BOX_GAP
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if (other.x - one.x) * stretch > widest:
                break
            stretch = max(stretch, _stretch(one, other, BOX_GAP))
    names = {box.name for box in boxes}
    for arrow in parts.arrows:
        if arrow.source in names and arrow.target in names:
            one, other = parts.boxes[arrow.source], parts.boxes[arrow.target]
            stretch = max(stretch, _stretch(one, other, _label_gap(arrow)))
    for box in boxes:
        box.x, box.y = box.x * stretch, box.y * stretch


def _stretch(one: Box, other: Box, gap: float) -> float:
    """Returns the factor that leaves a gap between two boxes."""
    across, down = abs(other.x - one.x), abs(other.y - one.y)
    if across + down < 4:
        return 1.0
    wide, high = (one.width + other.width) / 2 + gap, (one.height + other.height) / 2 + BOX_GAP * 0.75
    return min(wide / across if across else math.inf, high / down if down else math.inf, MOST_STRETCH)


def _label_gap(arrow: Arrow) -> float:
    """Returns the gap that an arrow's labels need."""
    widest = max((line.width for line in arrow.labels), default=0.0)
    return max(BOX_GAP, min(widest, MAX_LABEL_WIDTH) + LABEL_MARGIN)


# ── grids ────────────────────────────────────────────────────────────────────────────────────────


def _on_grid(boxes: Mapping[str, Box], edges: list[Edge]) -> list[Box]:
    """Places the boxes that edges of two labels connect to a grid, one rightward, one downward; returns those boxes."""
    steps: dict[str, dict[str, str]] = {}
    for edge in edges:
        if edge.source != edge.target and edge.source in boxes and edge.target in boxes:
            targets = steps.setdefault(edge.label, {})
            targets[edge.source] = "" if edge.source in targets else edge.target
    chains = [each for each in steps.values() if "" not in each.values() and len(set(each.values())) == len(each)]
    chains.sort(key=len, reverse=True)
    for across, down in combinations(chains[:8], 2):
        cells = _cells(across, down)
        if cells:
            members = [boxes[name] for name in cells]
            wide = max(box.width for box in members) + BOX_GAP
            high = max(box.height for box in members) + BOX_GAP
            for name, (x, y) in cells.items():
                boxes[name].x, boxes[name].y = x * wide, y * high
            return members
    return []


def _cells(across: Mapping[str, str], down: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Returns column and row of all boxes that the steps connect; empty if the steps contradict or make no grid."""
    steps = [(across, 1, 0), (down, 0, 1)]
    steps += [({to: source for source, to in targets.items()}, -x, -y) for targets, x, y in steps]
    found: dict[str, tuple[int, int]] = {}
    first = next(iter(across))
    found[first] = (0, 0)
    queue = deque([first])
    while queue:
        at = queue.popleft()
        for targets, x, y in steps:
            to = targets.get(at)
            if to is None:
                continue
            place = found[at][0] + x, found[at][1] + y
            if to not in found:
                found[to] = place
                queue.append(to)
            elif found[to] != place:
                return {}
    is_grid = len(set(found.values())) == len(found) and len(across) + len(down) > len(found) >= 4
    return found if is_grid and {*across, *down} <= set(found) else {}


# ── stress majorization ──────────────────────────────────────────────────────────────────────────


def _by_stress(boxes: Sequence[Box], parts: DiagramParts, is_tall: bool) -> None:
    """Places each connected component by stress majorization, and the components side by side."""
    names = {box.name: box for box in boxes}
    near: dict[str, list[str]] = {name: [] for name in names}
    for source, target in parts.links:
        if source in near and target in near:
            near[source].append(target)
            near[target].append(source)
    gap = max(
        (_label_gap(arrow) for arrow in parts.arrows if {arrow.source, arrow.target} <= set(near)), default=BOX_GAP
    )
    left, top, bottom = 0.0, 0.0, 0.0
    for component in _components(near):
        members = [names[name] for name in component]
        _minimise_stress(members, near, gap, is_tall)
        push_apart(members, BOX_GAP * 0.7)
        x = min(box.x - box.width / 2 for box in members)
        y = min(box.y - box.height / 2 for box in members)
        wide = max(box.x + box.width / 2 for box in members) - x
        if left and (is_tall or left + wide > ROW_WIDTH):
            left, top = 0.0, bottom + COMPONENT_GAP
        for box in members:
            box.x, box.y = box.x - x + left, box.y - y + top
        left += wide + COMPONENT_GAP
        bottom = max(bottom, *(box.y + box.height / 2 for box in members))


def _components(near: Mapping[str, list[str]]) -> list[list[str]]:
    """Returns the connected components, the largest first."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for name in near:
        if name not in seen:
            component = list(distances([name], near))
            seen.update(component)
            found.append(component)
    return sorted(found, key=len, reverse=True)


def distances(starts: Iterable[str], near: Mapping[str, list[str]]) -> dict[str, int]:
    """Returns the graph distance of each box from the nearest start."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        at = queue.popleft()
        for to in near[at]:
            if to not in found:
                found[to] = found[at] + 1
                queue.append(to)
    return found


def _minimise_stress(boxes: Sequence[Box], near: Mapping[str, list[str]], gap: float, is_tall: bool) -> None:
    """Moves boxes until their distances are about proportional to their graph distances."""
    count = len(boxes)
    steps = [distances([box.name], near) for box in boxes]
    unit = sum(box.width for box in boxes) / count + gap * 0.9
    pivots = _pivots(steps, boxes)
    xs = [unit * (steps[pivots[0]][box.name] - 0.2 * math.cos(2.4 * i)) for i, box in enumerate(boxes)]
    ys = [unit * (steps[pivots[1]][box.name] - 0.2 * math.sin(2.4 * i)) for i, box in enumerate(boxes)]
    table = [[float(each[box.name]) for box in boxes] for each in steps]
    for _ in range(min(SWEEPS, max(6, PULLS // (count * count)))):
        for i in range(count):
            xs[i], ys[i] = _optimum(i, xs, ys, table[i], unit)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    for box, x, y in zip(boxes, xs, ys, strict=True):
        box.x, box.y = (y, x) if (wide if is_tall else high) > 1.1 * (high if is_tall else wide) else (x, y)


def _pivots(steps: Sequence[Mapping[str, int]], boxes: Sequence[Box]) -> tuple[int, int]:
    """Returns two pivots: a box far from the first box, and a box far from both that and the one opposite it."""
    count = range(len(boxes))
    one = max(count, key=lambda i: (steps[0][boxes[i].name], -i))
    far = max(count, key=lambda i: (steps[one][boxes[i].name], -i))
    other = max(count, key=lambda i: (min(steps[one][boxes[i].name], steps[far][boxes[i].name]), -i))
    return one, other


def _optimum(
    i: int, xs: Sequence[float], ys: Sequence[float], steps: Sequence[float], unit: float
) -> tuple[float, float]:
    """Returns the position of least stress for a box while all other boxes are fixed."""
    sum_x = sum_y = weight = 0.0
    x, y = xs[i], ys[i]
    for j, away in enumerate(steps):
        if j == i:
            continue
        across, down = x - xs[j], y - ys[j]
        length = math.sqrt(across * across + down * down) or 1.0
        share = 1 / (away * away)
        pull = away * unit / length
        sum_x += share * (xs[j] + across * pull)
        sum_y += share * (ys[j] + down * pull)
        weight += share
    return (sum_x / weight, sum_y / weight) if weight else (x, y)


def push_apart(boxes: Sequence[Box], gap: float) -> None:
    """Pushes overlapping boxes apart, each pair in the direction of the smaller overlap."""
    for _ in range(60):
        moved = False
        ordered = sorted(boxes, key=lambda box: box.x - box.width / 2)
        for i, one in enumerate(ordered):
            for other in ordered[i + 1 :]:
                if other.x - other.width / 2 >= one.x + one.width / 2 + gap:
                    break
                moved |= _separate(one, other, gap)
        if not moved:
            return


def _separate(one: Box, other: Box, gap: float) -> bool:
    across = (one.width + other.width) / 2 + gap - abs(other.x - one.x)
    down = (one.height + other.height) / 2 + gap - abs(other.y - one.y)
    if across < 0.5 or down < 0.5:
        return False
    if across < down:
        push = across / 2 if other.x >= one.x else -across / 2
        one.x, other.x = one.x - push, other.x + push
    else:
        push = down / 2 if other.y >= one.y else -down / 2
        one.y, other.y = one.y - push, other.y + push
    return True


# ── layers ───────────────────────────────────────────────────────────────────────────────────────


def in_layers(parts: DiagramParts, depths: Mapping[str, int]) -> None:
    """Places boxes in rows by depth, near the boxes that arrows connect them to."""
    boxes = parts.boxes
    gap = max((_label_gap(arrow) for arrow in parts.arrows), default=BOX_GAP) * 0.75
    rows: dict[int, list[str]] = {}
    for name in boxes:
        rows.setdefault(depths[name], []).append(name)
    layers = [rows[depth] for depth in sorted(rows)]
    near: dict[str, list[str]] = {name: [] for name in boxes}
    for source, target in parts.links:
        if abs(depths[source] - depths[target]) == 1:
            near[source].append(target)
            near[target].append(source)
    y = 0.0
    for layer in layers:
        high = max(boxes[name].height for name in layer)
        for i, name in enumerate(layer):
            boxes[name].x, boxes[name].y = float(i), y + high / 2
        y += high + LAYER_GAP
    for _ in range(8):
        for order in (layers[1:], layers[-2::-1]):
            for layer in order:
                _sort_layer(layer, boxes, near)
    for layer in layers:
        _settle(layer, boxes, near, gap)
    for order in (layers[1:], layers[-2::-1], layers[1:], layers[-2::-1]):
        for layer in order:
            _settle(layer, boxes, near, gap)


def _sort_layer(layer: list[str], boxes: Mapping[str, Box], near: Mapping[str, list[str]]) -> None:
    """Sorts a layer by the average position of each box's neighbours; positions in a layer go from 0 to 1."""
    middle = {
        name: sum(boxes[other].x for other in near[name]) / len(near[name]) if near[name] else boxes[name].x
        for name in layer
    }
    layer.sort(key=middle.__getitem__)
    for i, name in enumerate(layer):
        boxes[name].x = (i + 0.5) / len(layer)


def _settle(layer: Sequence[str], boxes: Mapping[str, Box], near: Mapping[str, list[str]], gap: float) -> None:
    """Moves a layer's boxes, in this order, as near to the average of their neighbours as the gaps allow."""
    offset, before = 0.0, None
    blocks: list[tuple[float, int]] = []  # runs of touching boxes: preferred start, and number of boxes
    offsets: list[float] = []
    for name in layer:
        box = boxes[name]
        if before is not None:
            offset += (before.width + box.width) / 2 + gap
        before = box
        offsets.append(offset)
        preferred = sum(boxes[other].x for other in near[name]) / len(near[name]) if near[name] else box.x
        block = (preferred - offset, 1)
        while blocks and blocks[-1][0] > block[0]:
            start, count = blocks.pop()
            block = ((start * count + block[0] * block[1]) / (count + block[1]), count + block[1])
        blocks.append(block)
    starts = [start for start, count in blocks for _ in range(count)]
    for name, start, offset in zip(layer, starts, offsets, strict=True):
        boxes[name].x = start + offset


# ── edge routing ─────────────────────────────────────────────────────────────────────────────────


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
class ArrowRoute:
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
        for cell in _cells_of(area):
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
        seen = {each for cell in _cells_of(area) for each in self.cells.get(cell, ())}
        return sum(area.overlap(each) for each, _ in seen)


def _cells_of(area: Area) -> Iterator[tuple[int, int]]:
    for x in range(math.floor(area.left / CELL), math.floor(area.right / CELL) + 1):
        for y in range(math.floor(area.top / CELL), math.floor(area.bottom / CELL) + 1):
            yield x, y


def area_of(box: Box, margin: float = 0.0) -> Area:
    wide, high = box.width / 2 + margin, box.height / 2 + margin
    return Area(box.x - wide, box.y - high, box.x + wide, box.y + high)


def routes(boxes: Mapping[str, Box], arrows: Iterable[Arrow]) -> list[ArrowRoute]:
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
    aside = (number - (count - 1) / 2) * ARROW_SPACING * (1 if source.name < target.name else -1)
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
    leaves, enters = _border(best, source, 0.0, 1.0, 1.0), _border(best, target, 1.0, 0.0, 2.5)
    return best.part(leaves, enters) if leaves < enters else best


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


def _labelled(arrow: Arrow, curve: Curve, occupied: Occupancy) -> ArrowRoute:
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
    return ArrowRoute(arrow, curve, best, (wide, high))
