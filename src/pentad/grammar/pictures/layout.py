"""Where boxes stand: where a graph puts them, on a board that its edges draw, in layers, or as springs pull."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from pentad.grammar.graph import Edge, Place
from pentad.grammar.pictures.diagram import Arrow, Box, Parts

GAP = 60  # between boxes that arrows join
LABEL_ROOM, WIDEST_LABEL = 34, 130  # an arrow beside its label, and how long a label may hold boxes apart
MOST_STRETCH = 3.0
APART = 70  # between what has nothing to do with each other
FARTHEST = 50_000  # places beyond this are none
LAYER_GAP = 84
PARTS_WIDE = 1300  # parts that do not hang together stand in rows of this width
SWEEPS, PULLS = 120, 4_000_000  # how often springs pull at most, and how many pairs of boxes in all


def arrange(parts: Parts, wanted: Mapping[str, Place | None], edges: Iterable[Edge]) -> None:
    """Give every box a place; those that the graph places keep theirs, further apart where they would overlap."""
    boxes = parts.boxes
    placed = {name: place for name, place in wanted.items() if place is not None and name in boxes}
    if any(not abs(number) <= FARTHEST for place in placed.values() for number in place):
        placed = {}
    if len(set(placed.values())) * 2 < len(placed):
        placed = {}  # most lie on each other
    for name, place in placed.items():
        boxes[name].x, boxes[name].y = place
    fixed = [boxes[name] for name in placed]
    if not fixed:
        fixed = _on_board(boxes, list(edges))
    here = {box.name for box in fixed}
    _spread(fixed, parts)
    rest = [boxes[name] for name in boxes if name not in here]
    if rest:
        _beside(fixed, _pulled(rest, parts, is_tall=bool(fixed)))
    push_apart(list(boxes.values()), 12)


def _beside(fixed: Sequence[Box], rest: Sequence[Box]) -> None:
    """Put the rest to the left of what has its place."""
    if fixed:
        right = max(box.x + box.width / 2 for box in rest)
        left = min(box.x - box.width / 2 for box in fixed)
        top = min(box.y - box.height / 2 for box in fixed) - min(box.y - box.height / 2 for box in rest)
        for box in rest:
            box.x, box.y = box.x + left - right - APART, box.y + top


def _spread(boxes: Sequence[Box], parts: Parts) -> None:
    """Stretch a picture until its boxes have room, and the labels between them; not for boxes at one place."""
    stretch = 1.0
    ordered = sorted(boxes, key=lambda box: box.x)
    widest = max((box.width for box in boxes), default=0.0) + GAP
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if (other.x - one.x) * stretch > widest:
                break
            stretch = max(stretch, _needed(one, other, GAP))
    names = {box.name for box in boxes}
    for arrow in parts.arrows:
        if arrow.source in names and arrow.target in names:
            one, other = parts.boxes[arrow.source], parts.boxes[arrow.target]
            stretch = max(stretch, _needed(one, other, _room(arrow)))
    for box in boxes:
        box.x, box.y = box.x * stretch, box.y * stretch


def _needed(one: Box, other: Box, gap: float) -> float:
    """How much two boxes' places must be stretched, so that there is a gap between them."""
    across, down = abs(other.x - one.x), abs(other.y - one.y)
    if across + down < 4:
        return 1.0
    wide, high = (one.width + other.width) / 2 + gap, (one.height + other.height) / 2 + GAP * 0.75
    return min(wide / across if across else math.inf, high / down if down else math.inf, MOST_STRETCH)


def _room(arrow: Arrow) -> float:
    """The gap that an arrow's labels want."""
    widest = max((line.width for line in arrow.labels), default=0.0)
    return max(GAP, min(widest, WIDEST_LABEL) + LABEL_ROOM)


# ── boards ───────────────────────────────────────────────────────────────────────────────────────


def _on_board(boxes: Mapping[str, Box], edges: list[Edge]) -> list[Box]:
    """Place the boxes that two labels join to a board, one to the right and one down; nothing where none do."""
    steps: dict[str, dict[str, str]] = {}
    for edge in edges:
        if edge.source != edge.target and edge.source in boxes and edge.target in boxes:
            ways = steps.setdefault(edge.label, {})
            ways[edge.source] = "" if edge.source in ways else edge.target
    chains = [ways for ways in steps.values() if "" not in ways.values() and len(set(ways.values())) == len(ways)]
    chains.sort(key=len, reverse=True)
    for across, down in combinations(chains[:8], 2):
        squares = _squares(across, down)
        if squares:
            members = [boxes[name] for name in squares]
            wide = max(box.width for box in members) + GAP
            high = max(box.height for box in members) + GAP
            for name, (x, y) in squares.items():
                boxes[name].x, boxes[name].y = x * wide, y * high
            return members
    return []


def _squares(across: Mapping[str, str], down: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Column and row of all that the steps join; empty where they contradict each other or draw no board."""
    steps = [(ways, x, y) for ways, x, y in ((across, 1, 0), (down, 0, 1))]
    steps += [({to: source for source, to in ways.items()}, -x, -y) for ways, x, y in steps]
    found: dict[str, tuple[int, int]] = {}
    first = next(iter(across))
    found[first] = (0, 0)
    queue = deque([first])
    while queue:
        at = queue.popleft()
        for ways, x, y in steps:
            to = ways.get(at)
            if to is None:
                continue
            place = found[at][0] + x, found[at][1] + y
            if to not in found:
                found[to] = place
                queue.append(to)
            elif found[to] != place:
                return {}
    is_board = len(set(found.values())) == len(found) and len(across) + len(down) > len(found) >= 4
    return found if is_board and {*across, *down} <= set(found) else {}


# ── springs ──────────────────────────────────────────────────────────────────────────────────────


def _pulled(boxes: Sequence[Box], parts: Parts, is_tall: bool) -> Sequence[Box]:
    """Place boxes so that those that hang together are near; parts that do not, side by side."""
    names = {box.name: box for box in boxes}
    near: dict[str, list[str]] = {name: [] for name in names}
    for source, target in parts.links:
        if source in near and target in near:
            near[source].append(target)
            near[target].append(source)
    room = max((_room(arrow) for arrow in parts.arrows if {arrow.source, arrow.target} <= set(near)), default=GAP)
    left, top, bottom = 0.0, 0.0, 0.0
    for part in _parts(near):
        members = [names[name] for name in part]
        _stress(members, near, room, is_tall)
        push_apart(members, GAP * 0.7)
        x = min(box.x - box.width / 2 for box in members)
        y = min(box.y - box.height / 2 for box in members)
        wide = max(box.x + box.width / 2 for box in members) - x
        if left and (is_tall or left + wide > PARTS_WIDE):
            left, top = 0.0, bottom + APART
        for box in members:
            box.x, box.y = box.x - x + left, box.y - y + top
        left += wide + APART
        bottom = max(bottom, *(box.y + box.height / 2 for box in members))
    return boxes


def _parts(near: Mapping[str, list[str]]) -> list[list[str]]:
    """What hangs together, the largest first."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for name in near:
        if name not in seen:
            part = list(_distances(name, near))
            seen.update(part)
            found.append(part)
    return sorted(found, key=len, reverse=True)


def _distances(start: str, near: Mapping[str, list[str]]) -> dict[str, int]:
    """How many steps each box is away."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for to in near[at]:
            if to not in found:
                found[to] = found[at] + 1
                queue.append(to)
    return found


def _stress(boxes: Sequence[Box], near: Mapping[str, list[str]], room: float, is_tall: bool) -> None:
    """Move boxes until they are about as far apart as there are steps between them."""
    count = len(boxes)
    steps = [_distances(box.name, near) for box in boxes]
    unit = sum(box.width for box in boxes) / count + room * 0.9
    ends = _corners(steps, boxes)
    xs = [unit * (steps[ends[0]][box.name] - 0.2 * math.cos(2.4 * i)) for i, box in enumerate(boxes)]
    ys = [unit * (steps[ends[1]][box.name] - 0.2 * math.sin(2.4 * i)) for i, box in enumerate(boxes)]
    table = [[float(each[box.name]) for box in boxes] for each in steps]
    for _ in range(min(SWEEPS, max(6, PULLS // (count * count)))):
        for i in range(count):
            xs[i], ys[i] = _rest(i, xs, ys, table[i], unit)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    for box, x, y in zip(boxes, xs, ys, strict=True):
        box.x, box.y = (y, x) if (wide if is_tall else high) > 1.1 * (high if is_tall else wide) else (x, y)


def _corners(steps: Sequence[Mapping[str, int]], boxes: Sequence[Box]) -> tuple[int, int]:
    """Two boxes that lie far apart, and not only from the first."""
    count = range(len(boxes))
    one = max(count, key=lambda i: (steps[0][boxes[i].name], -i))
    far = max(count, key=lambda i: (steps[one][boxes[i].name], -i))
    other = max(count, key=lambda i: (min(steps[one][boxes[i].name], steps[far][boxes[i].name]), -i))
    return one, other


def _rest(i: int, xs: Sequence[float], ys: Sequence[float], steps: Sequence[float], unit: float) -> tuple[float, float]:
    """Where a box comes to rest while all others stand still."""
    sum_x = sum_y = weight = 0.0
    x, y = xs[i], ys[i]
    for j, away in enumerate(steps):
        if j == i:
            continue
        across, down = x - xs[j], y - ys[j]
        length = math.sqrt(across * across + down * down) or 1.0
        heavy = 1 / (away * away)
        pull = away * unit / length
        sum_x += heavy * (xs[j] + across * pull)
        sum_y += heavy * (ys[j] + down * pull)
        weight += heavy
    return (sum_x / weight, sum_y / weight) if weight else (x, y)


def push_apart(boxes: Sequence[Box], gap: float) -> None:
    """Push boxes that overlap aside, each pair the shorter way."""
    for _ in range(60):
        moved = False
        ordered = sorted(boxes, key=lambda box: box.x - box.width / 2)
        for i, one in enumerate(ordered):
            for other in ordered[i + 1 :]:
                if other.x - other.width / 2 >= one.x + one.width / 2 + gap:
                    break
                moved |= _part(one, other, gap)
        if not moved:
            return


def _part(one: Box, other: Box, gap: float) -> bool:
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


def in_layers(parts: Parts, depths: Mapping[str, int]) -> None:
    """Place boxes in rows by their depths, near those that they are joined with."""
    boxes = parts.boxes
    gap = max((_room(arrow) for arrow in parts.arrows), default=GAP) * 0.75
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
    """Order a layer by where each box's neighbours stand; their places are numbers in their layers, from 0 to 1."""
    middle = {
        name: sum(boxes[other].x for other in near[name]) / len(near[name]) if near[name] else boxes[name].x
        for name in layer
    }
    layer.sort(key=middle.__getitem__)
    for i, name in enumerate(layer):
        boxes[name].x = (i + 0.5) / len(layer)


def _settle(layer: Sequence[str], boxes: Mapping[str, Box], near: Mapping[str, list[str]], gap: float) -> None:
    """Move a layer's boxes, in their order, as near as they can be to the middle of their neighbours."""
    offset, before = 0.0, None
    blocks: list[tuple[float, int]] = []  # where boxes that touch want to begin, and how many they are
    offsets: list[float] = []
    for name in layer:
        box = boxes[name]
        if before is not None:
            offset += (before.width + box.width) / 2 + gap
        before = box
        offsets.append(offset)
        wish = sum(boxes[other].x for other in near[name]) / len(near[name]) if near[name] else box.x
        block = (wish - offset, 1)
        while blocks and blocks[-1][0] > block[0]:
            start, count = blocks.pop()
            block = ((start * count + block[0] * block[1]) / (count + block[1]), count + block[1])
        blocks.append(block)
    starts = [start for start, count in blocks for _ in range(count)]
    for name, start, offset in zip(layer, starts, offsets, strict=True):
        boxes[name].x = start + offset
