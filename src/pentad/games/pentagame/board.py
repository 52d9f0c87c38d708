"""Pentagame's board, computed by formula: 100 fields, 110 links, paths between them and symmetries.

Five corners (0-4) lie on a ring, five junctions (5-9) inside it. Twenty edges connect them: five arcs
along the ring, five arms between neighbouring junctions, ten legs from a corner to a junction; each edge
has stops. The interface names fields by the denomination; the code numbers them: the main fields 0-9, then
the stops edge by edge, counted from the edge's higher end.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from pentad.game import InvalidMove, bit_numbers, shown

CORNERS, JUNCTIONS = range(5), range(5, 10)
MAINS = range(10)
OFF_BOARD = -1  # the number of the place off the board: finished pieces, and gray blocks in the pool


class Field(NamedTuple):
    """A field's name: `[start, counter, end]`; a corner or junction is `[id, 0, 0]`.

    A stop lies on the edge between `start` and `end`, `counter` steps from `start`, which is the higher end.
    """

    start: int
    counter: int
    end: int

    def __str__(self) -> str:
        return f"[{self.start},{self.counter},{self.end}]"


OFF = Field(-1, -1, -1)


class Edge(NamedTuple):
    """Two neighbouring main fields and the stops between them."""

    high: int
    low: int
    stops: range  # the numbers of its fields, from the high end

    @property
    def kind(self) -> str:
        return "arc" if self.high in CORNERS else "arm" if self.low in JUNCTIONS else "leg"


def _edges() -> Iterator[Edge]:
    """Yields arcs, arms, then legs; the stops of each edge get consecutive numbers."""
    pairs = [
        *(tuple(sorted((c, (c + 1) % 5))) for c in CORNERS),
        *(tuple(sorted((5 + c, 5 + (c + 1) % 5))) for c in CORNERS),
        *((c, 5 + (c + away) % 5) for c in CORNERS for away in (2, 3)),
    ]
    first = len(MAINS)
    for low, high in pairs:
        stops = 6 if low in CORNERS and high in JUNCTIONS else 3
        yield Edge(high, low, range(first, first + stops))
        first += stops


EDGES = tuple(_edges())
EDGE_BETWEEN = {pair: edge for edge in EDGES for pair in ((edge.high, edge.low), (edge.low, edge.high))}

FIELDS: tuple[Field, ...] = (
    *(Field(main, 0, 0) for main in MAINS),
    *(Field(edge.high, counter, edge.low) for edge in EDGES for counter in range(1, len(edge.stops) + 1)),
)
NUMBER = {field: number for number, field in enumerate(FIELDS)} | {OFF: OFF_BOARD}
ALL_FIELDS = (1 << len(FIELDS)) - 1


def _links() -> tuple[tuple[int, ...], ...]:
    linked: list[list[int]] = [[] for _ in FIELDS]
    for edge in EDGES:
        walk = (edge.high, *edge.stops, edge.low)
        for one, other in itertools.pairwise(walk):
            linked[one].append(other)
            linked[other].append(one)
    return tuple(tuple(sorted(each)) for each in linked)


LINKS = _links()  # the neighbours of every field, by number


def name_of(number: int) -> Field:
    """The name of a field, or of the place off the board, by number."""
    return OFF if number == OFF_BOARD else FIELDS[number]


def number_of(name: Field | tuple[int, int, int]) -> int:
    """The number of a field on the board, by name."""
    try:
        number = NUMBER.get(Field(*name), OFF_BOARD)
    except TypeError:
        number = OFF_BOARD
    if number == OFF_BOARD:
        raise InvalidMove("Unknown field {name}. A stop's higher end comes first.", name=shown(name, 40))
    return number


def check_main(number: int, part: str = "number") -> None:
    """Refuses a number that is neither a corner nor a junction; `part` is its name in the message."""
    if number not in MAINS:
        raise InvalidMove(
            "The {part} must be a corner or junction, 0 to 9, not {number}.", part=part, number=shown(number, 40)
        )


def neighbours(field: Field | tuple[int, int, int]) -> tuple[Field, ...]:
    """The fields linked to a field.

    >>> [str(each) for each in neighbours((0, 0, 0))]
    ['[1,3,0]', '[4,3,0]', '[7,6,0]', '[8,6,0]']
    """
    return tuple(FIELDS[number] for number in LINKS[number_of(field)])


def goal(colour: int) -> int:
    """The goal of a piece of this colour: the junction opposite its start corner."""
    return 5 + colour


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────

GOLDEN = (1 + math.sqrt(5)) / 2


class Spot(NamedTuple):
    """The centre and radius of a field, or of a piece from its field's centre; y is upwards, a stop's diameter is 1."""

    x: float
    y: float
    radius: float


class Plan:
    """The dimensions of the board. A leg and an arm are in the golden ratio, so the star's lines are straight."""

    stop = 0.5  # the unit is the diameter of a stop
    corner = math.sqrt(5) / 2
    junction = (6 + corner - 3 * GOLDEN) / (2 * GOLDEN - 1)  # legs of six stops and arms of three fit into the star
    arm = 3 + 2 * junction  # the distance between neighbouring junctions
    leg = 6 + corner + junction  # it leads from a corner to a junction
    inner = arm / 2 / math.sin(math.pi / 5)  # it leads from the centre to a junction
    ring = (arm + 2 * leg) / 2 / math.sin(2 * math.pi / 5)  # it leads from the centre to a corner

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """The position of every field, with white's corner at the top."""
        return tuple(self._spot(number) for number in range(len(FIELDS)))

    def _spot(self, number: int) -> Spot:
        if number in MAINS:
            away, radius = (self.ring, self.corner) if number in CORNERS else (self.inner, self.junction)
            return Spot(*polar(away, angle(number) + math.pi / 2), radius)
        start, counter, end = FIELDS[number]
        edge = EDGE_BETWEEN[start, end]
        if edge.kind == "arc":  # an arc has a stop every 18 degrees
            turn = angle(end) - angle(start)
            turn = (turn + math.pi) % math.tau - math.pi  # the arc turns in the shorter direction
            return Spot(*polar(self.ring, angle(start) + turn * counter / 4 + math.pi / 2), self.stop)
        (x1, y1, near), (x2, y2, _) = self._spot(start), self._spot(end)
        part = (near + counter - 0.5) / math.hypot(x2 - x1, y2 - y1)  # neighbouring stops touch each other
        return Spot(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, self.stop)


def polar(away: float, turn: float) -> tuple[float, float]:
    """The point at a distance from the centre in a direction."""
    return away * math.cos(turn), away * math.sin(turn)


def angle(main: int) -> float:
    """The true angle of a corner or junction, anti-clockwise; a quarter turn more puts white at the top."""
    check_main(main)
    return math.tau * main / 5 if main in CORNERS else (math.tau * (main - 5) / 5 + math.pi) % math.tau


def printed_angle(main: int) -> float:
    """The angle printed in the denomination's document: x·π/5 for corner x, x·π/5 + π/2 for junction x − 5.

    Junctions are named 5 to 9, so x is 10 to 14; the result is less a full turn. Both angles are half of the true ones.

    >>> round(printed_angle(1) / angle(1), 3), printed_angle(5) == (10 * math.pi / 5 + math.pi / 2) % math.tau
    (0.5, True)
    """
    check_main(main)
    return math.pi * main / 5 if main in CORNERS else math.pi * (main - 5) / 5 + math.pi / 2


PLAN = Plan()


# ── sets of fields ───────────────────────────────────────────────────────────────────────────────


fields_of = bit_numbers  # the numbers of the fields in a set, in ascending order


def set_of(numbers: Iterator[int] | tuple[int, ...] | list[int]) -> int:
    """The set of these fields; numbers off the board are skipped."""
    fields = 0
    for number in numbers:
        if number >= 0:
            fields |= 1 << number
    return fields


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────
#
# The distance is exact on the empty board and therefore an admissible heuristic: A* with it finds shortest paths.
# `printed_heuristic` is the formula printed in the denomination's document; it is not admissible, and A* with it finds
# paths that are too long.

Named = Field | tuple[int, int, int]


def _distances(start: int) -> tuple[int, ...]:
    """The distances of all fields from one of them, by breadth-first search."""
    found, front = {start: 0}, [start]
    for field in front:
        for other in LINKS[field]:
            if other not in found:
                found[other] = found[field] + 1
                front.append(other)
    return tuple(found[field] for field in range(len(FIELDS)))


DISTANCE = tuple(map(_distances, range(len(FIELDS))))


def distance(one: Named, other: Named) -> int:
    """The distance of two fields on the empty board, in steps.

    >>> distance((0, 0, 0), (5, 0, 0))
    15
    """
    return DISTANCE[number_of(one)][number_of(other)]


def printed_heuristic(one: Named, other: Named) -> int:
    """The distance by the formula printed in the denomination's document: wrong, mostly too long, for most pairs.

    >>> printed_heuristic((5, 0, 0), (0, 0, 0)), distance((5, 0, 0), (0, 0, 0))
    (6, 15)
    """
    (k2, c2, _), (k1, c1, _) = sorted(FIELDS[number_of(name)] for name in (one, other))
    if k1 in JUNCTIONS and k2 not in JUNCTIONS:
        return k2 * 4 + c1 + c2 + 6
    return (k1 - k2) * 4 + c1 + c2


# ── reach and paths ──────────────────────────────────────────────────────────────────────────────


def reach(start: int, taken: int) -> int:
    """The set of reachable fields from `start`: empty ones, and the first taken field on every path.

    `taken` is the set of fields that cannot be crossed; it may include `start`.
    """
    found, front = 1 << start, [start]
    while front:
        for field in LINKS[front.pop()]:
            bit = 1 << field
            if not found & bit:
                found |= bit
                if not taken & bit:
                    front.append(field)
    return found & ~(1 << start) & ALL_FIELDS


def path(
    start: int, end: int, taken: int, estimate: Callable[[Field, Field], int] = distance
) -> tuple[int, ...] | None:
    """The fields of a shortest path around `taken` fields, both ends included, by A*; None if there is none.

    The path is sure to be a shortest one only with an admissible `estimate`, one that is never too long.
    """
    if start == end:
        return (start,)
    goal = FIELDS[end]
    front: list[tuple[int, int, tuple[int, ...]]] = [(estimate(FIELDS[start], goal), 0, (start,))]
    best = {start: 0}
    while front:
        _, steps, fields = heapq.heappop(front)
        here = fields[-1]
        if here == end:
            return fields
        if steps > best[here]:
            continue
        for field in LINKS[here]:
            if (field == end or not taken >> field & 1) and steps + 1 < best.get(field, 1000):
                best[field] = steps + 1
                heapq.heappush(front, (steps + 1 + estimate(FIELDS[field], goal), steps + 1, (*fields, field)))
    return None


# ── by name ──────────────────────────────────────────────────────────────────────────────────────


def reachable(start: Named, taken: Iterable[Named] = ()) -> frozenset[Field]:
    """The reachable fields from `start`, by name: empty ones, and the first taken field on every path.

    >>> sorted(map(str, reachable((0, 0, 0), [(1, 2, 0), (4, 1, 0), (7, 6, 0), (8, 5, 0)])))
    ['[1,2,0]', '[1,3,0]', '[4,1,0]', '[4,2,0]', '[4,3,0]', '[7,6,0]', '[8,5,0]', '[8,6,0]']
    """
    found = reach(number_of(start), set_of([number_of(each) for each in taken]))
    return frozenset(FIELDS[number] for number in fields_of(found))


def shortest_way(start: Named, end: Named, taken: Iterable[Named] = ()) -> tuple[Field, ...] | None:
    """The fields of a shortest path by name, both ends included; None if taken fields block every path.

    >>> [str(each) for each in shortest_way((0, 0, 0), (1, 0, 0)) or ()]
    ['[0,0,0]', '[1,3,0]', '[1,2,0]', '[1,1,0]', '[1,0,0]']
    """
    found = path(number_of(start), number_of(end), set_of([number_of(each) for each in taken]))
    return None if found is None else tuple(FIELDS[number] for number in found)


# ── symmetries ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Automorphism:
    """An automorphism of the board: the image of each field, by number."""

    name: str
    fields: tuple[int, ...]

    @property
    def keeps_goals(self) -> bool:
        """Whether corners stay on the ring; then goals map to goals, with the colours renamed."""
        return self.fields[0] < 5

    @property
    def colours(self) -> tuple[int, ...]:
        """The image of each colour."""
        return self.fields[:5]

    def field(self, number: int) -> int:
        """The image of a field; off the board stays off the board."""
        return OFF_BOARD if number == OFF_BOARD else self.fields[number]

    def figure(self, figure: int) -> int:
        """The image of a figure: pieces by their colour, black blocks by their first junction."""
        if figure < 5:
            return self.fields[figure]
        return 11 + self.fields[figure - 11] if figure > 10 else figure


def _extend(mains: tuple[int, ...]) -> tuple[int, ...]:
    """Extends a map of the main fields to all fields."""
    fields = list(mains)
    for start, counter, end in FIELDS[10:]:
        one, other = mains[start], mains[end]
        edge = EDGE_BETWEEN[one, other]
        steps = counter if edge.high == one else len(edge.stops) + 1 - counter
        fields.append(NUMBER[Field(edge.high, steps, edge.low)])
    return tuple(fields)


@lru_cache(maxsize=1)
def automorphisms() -> tuple[Automorphism, ...]:
    """All twenty: five rotations and five reflections, each also with corners and junctions exchanged."""
    found = []
    for inside_out in (False, True):
        for mirrored in (False, True):
            for turn in range(5):
                colours = [((-c if mirrored else c) + turn) % 5 for c in range(5)]
                mains = (*colours, *(5 + c for c in colours))
                if inside_out:
                    mains = tuple((main + 5) % 10 for main in mains)
                name = f"{'mirrored' if mirrored else 'turned'} by {turn}{', inside out' if inside_out else ''}"
                found.append(Automorphism("identity" if name == "turned by 0" else name, _extend(mains)))
    return tuple(found)


def symmetries() -> tuple[Automorphism, ...]:
    """The ten automorphisms that keep goals, the identity first."""
    return tuple(each for each in automorphisms() if each.keeps_goals)
