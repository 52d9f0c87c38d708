"""Path kernels of Pentagame: reachable fields of a piece, and its number of turns to the goal.

A set of fields is a pair of integers, with bits for fields 0-39 and 40-99. Both stay below 2**60, so that no shift
reaches the sign bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentagame.board import EDGES
from pentad.pentagame.engine.constants import SPLIT

# ── the board as tables ──────────────────────────────────────────────────────────────────────────

EDGE_ENDS = np.array([(edge.high, edge.low) for edge in EDGES], dtype=np.int64)
EDGE_FIRST = np.array([edge.stops[0] for edge in EDGES], dtype=np.int64)
EDGE_STOPS = np.array([len(edge.stops) for edge in EDGES], dtype=np.int64)
EDGE_OF = np.array([-1] * 10 + [i for i, edge in enumerate(EDGES) for _ in edge.stops], dtype=np.int64)
EDGES_AT = np.array([[i for i, edge in enumerate(EDGES) if m in edge[:2]] for m in range(10)], dtype=np.int64)


def _runs(stops: int) -> tuple[list[int], list[int]]:
    """For every pattern of taken stops: the stops reached from the high end, and from the low end."""
    from_high: list[int] = []
    from_low: list[int] = []
    for taken in range(64):
        for runs, order in ((from_high, range(stops)), (from_low, range(stops - 1, -1, -1))):
            reached = 0
            for stop in order:
                reached |= 1 << stop
                if taken >> stop & 1:
                    break
            runs.append(reached)
    return from_high, from_low


FROM_HIGH = np.array([_runs(stops)[0] for stops in range(7)], dtype=np.int64)
FROM_LOW = np.array([_runs(stops)[1] for stops in range(7)], dtype=np.int64)
COUNT = np.array([each.bit_count() for each in range(64)], dtype=np.int64)
FAR = 100  # more than any number of taken fields on a path


@kernel
def bits(number: int) -> int:
    """The number of set bits."""
    number = int(number)
    number = number - ((number >> 1) & 0x5555555555555555)
    number = (number & 0x3333333333333333) + ((number >> 2) & 0x3333333333333333)
    number = (number + (number >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((number * 0x0101010101010101) >> 56) & 0xFF


@kernel
def lowest(number: int) -> int:
    """The index of the lowest set bit."""
    return bits((number & -number) - 1)


@kernel
def pattern(low: int, high: int, edge: int) -> int:
    """The taken stops of an edge as bits, the lowest one next to its high end."""
    first = EDGE_FIRST[edge]
    if first < SPLIT:
        return int((low >> first) & ((1 << EDGE_STOPS[edge]) - 1))
    return int((high >> (first - SPLIT)) & ((1 << EDGE_STOPS[edge]) - 1))


@kernel
def flood(low: int, high: int, start: int) -> tuple[int, int]:
    """The reachable fields from `start`, as a pair of bit sets; paths end at taken fields."""
    found_low, found_high = 0, 0
    todo = 0  # corners and junctions still to expand
    if start < 10:
        todo = 1 << start
    else:
        edge = EDGE_OF[start]
        first, stops = EDGE_FIRST[edge], EDGE_STOPS[edge]
        here = start - first
        taken = pattern(low, high, edge) & ~(1 << here)
        below, above = taken & ((1 << here) - 1), taken >> (here + 1)
        # towards the high end the stops have smaller numbers
        to_high = FROM_LOW[here, below] if here else 0
        to_low = FROM_HIGH[stops - 1 - here, above] << (here + 1)
        reached = to_high | to_low
        if first < SPLIT:
            found_low |= reached << first
        else:
            found_high |= reached << (first - SPLIT)
        if below == 0:
            main = EDGE_ENDS[edge, 0]
            found_low |= 1 << main
            if not (low >> main) & 1:
                todo |= 1 << main
        if above == 0:
            main = EDGE_ENDS[edge, 1]
            found_low |= 1 << main
            if not (low >> main) & 1:
                todo |= 1 << main
    done = 0
    while todo:
        main = lowest(todo)
        todo &= todo - 1
        done |= 1 << main
        for i in range(4):
            edge = EDGES_AT[main, i]
            first, stops = EDGE_FIRST[edge], EDGE_STOPS[edge]
            taken = pattern(low, high, edge)
            if EDGE_ENDS[edge, 0] == main:
                reached, other = FROM_HIGH[stops, taken], EDGE_ENDS[edge, 1]
            else:
                reached, other = FROM_LOW[stops, taken], EDGE_ENDS[edge, 0]
            if first < SPLIT:
                found_low |= reached << first
            else:
                found_high |= reached << (first - SPLIT)
            if taken == 0 and not (done >> other) & 1:
                found_low |= 1 << other
                if not (low >> other) & 1:
                    todo |= 1 << other
    # A path may have come back to its start.
    if start < SPLIT:
        found_low &= ~(1 << start)
    else:
        found_high &= ~(1 << (start - SPLIT))
    return found_low, found_high


@kernel
def hurdles(low: int, goal: int, counts: NDArray[np.int64], out: NDArray[np.int64], chokes: NDArray[np.int64]) -> None:
    """Writes, for every corner and junction, the least number of taken fields before the goal, and the choke points.

    `counts` has the taken stops of each edge. A choke point is a corner, a junction (bits 0-9), or an edge (bits
    10-29) that lies on all paths with the fewest taken fields: a block there lengthens the path.
    """
    for main in range(10):
        out[main] = FAR
    out[goal], chokes[goal] = 0, 0
    todo = 1 << goal
    while todo:
        main = lowest(todo)
        todo &= todo - 1
        through, all_of = out[main], chokes[main]
        if main != goal:
            through += (low >> main) & 1
            all_of |= 1 << main
        for i in range(4):
            edge = EDGES_AT[main, i]
            other = EDGE_ENDS[edge, 0] + EDGE_ENDS[edge, 1] - main
            length, narrow = through + counts[edge], all_of | (1 << (10 + edge))
            if length > out[other]:
                continue
            if length == out[other]:
                narrow &= chokes[other]
                if narrow == chokes[other]:
                    continue
            out[other], chokes[other] = length, narrow
            todo |= 1 << other


@kernel
def turns_from(
    low: int, high: int, field: int, goal: int, between: NDArray[np.int64], chokes: NDArray[np.int64]
) -> tuple[int, int]:
    """The number of turns of a piece from a field to the goal if nothing else moves, and its choke points.

    A piece on the goal needs one turn.
    """
    if field < 10:
        return 1 + int(between[field]), bits(chokes[field])
    edge = EDGE_OF[field]
    here = field - EDGE_FIRST[edge]
    taken = pattern(low, high, edge)
    one, other = EDGE_ENDS[edge, 0], EDGE_ENDS[edge, 1]
    up = COUNT[taken & ((1 << here) - 1)] + between[one]
    down = COUNT[taken >> (here + 1)] + between[other]
    up_narrow, down_narrow = chokes[one], chokes[other]
    if one != goal:
        up += (low >> one) & 1
        up_narrow |= 1 << one
    if other != goal:
        down += (low >> other) & 1
        down_narrow |= 1 << other
    if up < down:
        return 1 + int(up), bits(up_narrow)
    if down < up:
        return 1 + int(down), bits(down_narrow)
    return 1 + int(up), bits(up_narrow & down_narrow)
