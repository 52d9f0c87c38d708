"""Kernels of shapes: the neighbourhood of a point along one axis as a code, and the meaning of each code.

A neighbourhood is the `reach` points on both sides, as a bit code: one bit for each point that holds white, to the
right first and nearest first, then to the left; then the same for black. Beyond the edge both bits are set. A table
gives what a stone of either colour on the point itself would make and capture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pente.engine import constants as k

Codes = NDArray[np.int32]
Words = NDArray[np.int64]

FIELDS = np.array([k.FIELD.get(makes, -1) for makes in range(k.FIVE + 1)], dtype=np.int64)


@kernel
def popcount(word: int) -> int:
    """The number of bits set."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@kernel
def completing(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The points on which one more stone makes a line through the middle; `free` includes the own stones."""
    found = 0
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        missing = run & ~own
        if missing & ~free or missing == 0 or missing & (missing - 1):
            continue
        if not overline and (own << 1 >> start & 1 or own >> (start + line) & 1):
            continue
        found |= missing
    return found


@kernel
def has_line(own: int, reach: int, line: int, overline: int) -> bool:
    """Whether there is a line through the middle."""
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if own & run == run and (overline or not (own << 1 >> start & 1 or own >> (start + line) & 1)):
            return True
    return False


@kernel
def missing_to_line(own: int, free: int, reach: int, line: int) -> int:
    """The stones missing to the nearest line through the middle; 99 where none fits."""
    least = 99
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if run & ~free == 0:
            least = min(least, popcount(run & ~own))
    return least


@kernel
def after_two(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The shape when two stones are missing: a three, open if one more makes an open four; else nothing."""
    best = k.NOTHING
    for point in range(2 * reach + 1):
        if (free & ~own) >> point & 1:
            ways = completing(own | 1 << point, free, reach, line, overline)
            if ways & (ways - 1):
                return k.OPEN_THREE
            if ways:
                best = k.THREE
    return best


@kernel
def made(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The shape that the stone in the middle is part of along this axis."""
    if has_line(own, reach, line, overline):
        return k.FIVE
    missing = missing_to_line(own, free, reach, line)
    if missing == 99:
        return k.NOTHING
    if missing <= 1:
        ways = completing(own, free, reach, line, overline)
        if ways:
            return k.OPEN_FOUR if ways & (ways - 1) else k.FOUR
    if missing <= 2:
        three = after_two(own, free, reach, line, overline)
        if three:
            return three
    if missing <= 3:
        best = k.NOTHING
        for point in range(2 * reach + 1):
            if (free & ~own) >> point & 1:
                three = after_two(own | 1 << point, free, reach, line, overline)
                if three == k.OPEN_THREE:
                    return k.OPEN_TWO
                if three:
                    best = k.TWO
        if best:
            return best
    return k.ONE


@kernel
def free_three(own: int, empty: int, reach: int) -> bool:
    """Whether the stone in the middle is one of three within four points in a row that can become an open four."""
    for start in range(max(1, reach - 3), min(reach, 2 * reach - 4) + 1):
        inner = 15 << start
        ends = 1 << (start - 1) | 1 << (start + 4)
        lacking = inner & ~own
        if lacking and lacking & (lacking - 1) == 0 and lacking & empty and empty & ends == ends:
            return True
    return False


@kernel
def taken_along(other: int, own: int, longest: int) -> int:
    """The number of stones that a stone captures on one side; the bits are by distance, nearest first."""
    for length in range(2, longest + 1):
        group = (1 << length) - 1
        if other & group == group and own >> length & 1:
            return length
    return 0


@kernel
def entry_of(code: int, reach: int, line: int, overline: int, captures: int) -> int:
    """The entry of a code: the meaning of a stone of either colour on the point itself."""
    side = (1 << reach) - 1
    entry = 0
    for colour in range(2):
        white, black = code & ((1 << 2 * reach) - 1), code >> 2 * reach
        own, other = (black & ~white, white & ~black) if colour else (white & ~black, black & ~white)
        mine, free = 1 << reach, 1 << reach
        for away in range(reach):  # bits in a row: left of the middle downwards, right of it upwards
            mine |= (own >> away & 1) << (reach + 1 + away) | (own >> (reach + away) & 1) << (reach - 1 - away)
            free |= (~(white | black) >> away & 1) << (reach + 1 + away)
            free |= (~(white | black) >> (reach + away) & 1) << (reach - 1 - away)
        free |= mine
        entry |= made(mine, free, reach, line, overline) << 4 * colour
        right = taken_along(other & side, own & side, captures)
        left = taken_along(other >> reach, own >> reach, captures)
        entry |= (right | left << 2) << (k.TAKES + 4 * colour)
        if free_three(mine, free & ~mine, reach):
            entry |= 1 << (k.FREE_THREE + colour)
    return entry


@kernel
def sum_fields(entry: int) -> int:
    """An entry in the form that is added to a point's sum."""
    total = 0
    for colour in range(2):
        makes = entry >> 4 * colour & k.MAKES
        fields = 0
        if FIELDS[makes] >= 0:
            fields = 1 << FIELDS[makes]
        takes = entry >> (k.TAKES + 4 * colour) & 15
        fields += ((takes & 3) + (takes >> 2)) << k.TAKEN
        fields += (entry >> (k.FREE_THREE + colour) & 1) << k.FREE_THREES
        total += fields << k.SIDE * colour
    if entry & 255:
        total += 1 << k.POSSIBLE_LINES
    return total


@kernel
def fill(entries: Codes, sums: Words, reach: int, line: int, overline: int, captures: int) -> None:
    """Fills the table of entries for all codes; lines longer than the reach are left to `update_long_lines`."""
    for code in range(len(entries)):
        entry = entry_of(code, reach, line, overline, captures)
        if line > reach + 1:
            entry &= ~255
        entries[code] = entry
        sums[code] = sum_fields(entry)


@kernel
def fill_values(entries: Codes, reach: int, learned: Codes, plain: Codes, nearer: int, values: Codes) -> None:
    """Fills the values of codes, and of shapes after them, with those learned for another table.

    A code whose nearest stones have the same shapes in that table, `plain` with the reach `nearer`, has its value
    there; any other code has that of its shapes. Without that table, all have.
    """
    by_shape, short = len(learned) - k.NAMES, (1 << nearer) - 1
    for code in range(len(entries)):
        name = entries[code] & (k.NAMES - 1)
        value = learned[by_shape + name]
        if len(plain):
            other = 0
            for number in range(4):
                other |= (code >> number * reach & short) << number * nearer
            if plain[other] & (k.NAMES - 1) == name:
                value = learned[other]
        values[code] = value
    for name in range(k.NAMES):
        values[len(entries) + name] = learned[by_shape + name]
