"""Paths on Pentagame's board: distances by formula, reachable fields by flood fill, shortest paths by A*.

The distance is exact on the empty board and therefore an admissible heuristic: A* with it finds shortest paths.
`printed_heuristic` is the formula printed in the denomination's document; it is not admissible, and A* with it finds
paths that are too long.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from pentad.pentagame.board import (
    ALL_FIELDS,
    EDGE_BETWEEN,
    FIELDS,
    JUNCTIONS,
    LINKS,
    Field,
    fields_of,
    number_of,
    set_of,
)

Named = Field | tuple[int, int, int]

# From a corner c to a junction j, by (j - 5 - c) mod 5.
_ACROSS = (15, 11, 7, 7, 11)


def _between_mains(one: int, other: int) -> int:
    if (one in JUNCTIONS) == (other in JUNCTIONS):
        apart = abs(one - other)
        return 4 * min(apart, 5 - apart)
    corner, junction = sorted((one, other))
    return _ACROSS[(junction - 5 - corner) % 5]


def _ends(field: Field) -> tuple[tuple[int, int], ...]:
    """The main fields next to a field, each with its distance."""
    start, counter, end = field
    if counter == 0:
        return ((start, 0),)
    return (start, counter), (end, len(EDGE_BETWEEN[start, end].stops) + 1 - counter)


def _by_formula(one: Field, other: Field) -> int:
    if one.counter and other.counter and (one.start, one.end) == (other.start, other.end):
        return abs(one.counter - other.counter)
    return min(steps + _between_mains(main, far) + more for main, steps in _ends(one) for far, more in _ends(other))


DISTANCE = tuple(tuple(_by_formula(one, other) for other in FIELDS) for one in FIELDS)


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
