"""What the surroundings of a point along one axis are: what a stone there would make, take, and where lines can run.

A point's surroundings are those of its `reach` points on both sides, as a code of bits: one bit for each point that
holds white, right of it first and nearest first, then left of it; then the same for black. Beyond the edge both
bits are set. What a code means for a stone on the point itself is looked up, once for both colours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel

Codes = NDArray[np.int32]
Words = NDArray[np.int64]

# What a stone makes along an axis, by how many more are missing to a line, and whether more than one point will do.
NOTHING, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
MAKES = 15  # bits of an entry that say what white's stone makes; above them those for black's
TAKES = 8  # the bit where what is taken begins: white's right and left, black's right and left, two bits each
FREE_THREE = 16  # white's; above it black's

# A point's sum of these over its axes says how much of each a stone there makes, white's below and black's above.
# Fields of three bits count axes; those of what is taken, stones.
FIELD = {FIVE: 0, OPEN_FOUR: 3, FOUR: 6, OPEN_THREE: 9, THREE: 12, OPEN_TWO: 15}
FIELDS = np.array([FIELD.get(makes, -1) for makes in range(FIVE + 1)], dtype=np.int64)  # the same as an array
TAKEN, TAKEN_BITS = 18, 31
FREE_THREES = 23
SIDE = 28  # bits of one colour
ROOM_LEFT = 60  # counts the axes along which somebody may still make a line


@kernel
def bits_of(word: int) -> int:
    """How many bits of a small word are set."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@kernel
def completing(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The points on which one more stone makes a line through the point in the middle; `free` holds one's own too."""
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
    """Whether there is a line through the point in the middle."""
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if own & run == run and (overline or not (own << 1 >> start & 1 or own >> (start + line) & 1)):
            return True
    return False


@kernel
def missing_to_line(own: int, free: int, reach: int, line: int) -> int:
    """How many stones are missing to the nearest line through the middle; 99 where there is no room for one."""
    least = 99
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if run & ~free == 0:
            least = min(least, bits_of(run & ~own))
    return least


@kernel
def after_two(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """What is there when two stones are missing: a three, open if one more makes an open four; else nothing."""
    best = NOTHING
    for point in range(2 * reach + 1):
        if (free & ~own) >> point & 1:
            ways = completing(own | 1 << point, free, reach, line, overline)
            if ways & (ways - 1):
                return OPEN_THREE
            if ways:
                best = THREE
    return best


@kernel
def made(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """What the stone in the middle is part of along this axis."""
    if has_line(own, reach, line, overline):
        return FIVE
    missing = missing_to_line(own, free, reach, line)
    if missing == 99:
        return NOTHING
    if missing <= 1:
        ways = completing(own, free, reach, line, overline)
        if ways:
            return OPEN_FOUR if ways & (ways - 1) else FOUR
    if missing <= 2:
        three = after_two(own, free, reach, line, overline)
        if three:
            return three
    if missing <= 3:
        best = NOTHING
        for point in range(2 * reach + 1):
            if (free & ~own) >> point & 1:
                three = after_two(own | 1 << point, free, reach, line, overline)
                if three == OPEN_THREE:
                    return OPEN_TWO
                if three:
                    best = TWO
        if best:
            return best
    return ONE


@kernel
def free_three(own: int, empty: int, reach: int) -> bool:
    """Whether the stone in the middle is one of three among four points in a row that can become an open four."""
    for start in range(max(1, reach - 3), min(reach, 2 * reach - 4) + 1):
        inner = 15 << start
        ends = 1 << (start - 1) | 1 << (start + 4)
        lacking = inner & ~own
        if lacking and lacking & (lacking - 1) == 0 and lacking & empty and empty & ends == ends:
            return True
    return False


@kernel
def taken_along(other: int, own: int, longest: int) -> int:
    """How many of the other's stones a stone takes on one side; bits are by distance from it, nearest first."""
    for length in range(2, longest + 1):
        group = (1 << length) - 1
        if other & group == group and own >> length & 1:
            return length
    return 0


@kernel
def entry_of(code: int, reach: int, line: int, overline: int, captures: int) -> int:
    """What a code means for a stone of either colour on the point itself."""
    side = (1 << reach) - 1
    entry = 0
    for colour in range(2):
        white, black = code & ((1 << 2 * reach) - 1), code >> 2 * reach
        own, other = (black & ~white, white & ~black) if colour else (white & ~black, black & ~white)
        mine, free = 1 << reach, 1 << reach
        for k in range(reach):  # in a row: left of the middle downwards, right of it upwards
            mine |= (own >> k & 1) << (reach + 1 + k) | (own >> (reach + k) & 1) << (reach - 1 - k)
            free |= (~(white | black) >> k & 1) << (reach + 1 + k)
            free |= (~(white | black) >> (reach + k) & 1) << (reach - 1 - k)
        free |= mine
        entry |= made(mine, free, reach, line, overline) << 4 * colour
        right = taken_along(other & side, own & side, captures)
        left = taken_along(other >> reach, own >> reach, captures)
        entry |= (right | left << 2) << (TAKES + 4 * colour)
        if free_three(mine, free & ~mine, reach):
            entry |= 1 << (FREE_THREE + colour)
    return entry


@kernel
def summed(entry: int) -> int:
    """An entry as what is added to a point's sum."""
    total = 0
    for colour in range(2):
        makes = entry >> 4 * colour & MAKES
        fields = 0
        if FIELDS[makes] >= 0:
            fields = 1 << FIELDS[makes]
        takes = entry >> (TAKES + 4 * colour) & 15
        fields += ((takes & 3) + (takes >> 2)) << TAKEN
        fields += (entry >> (FREE_THREE + colour) & 1) << FREE_THREES
        total += fields << SIDE * colour
    if entry & 255:
        total += 1 << ROOM_LEFT
    return total


@kernel
def fill(entries: Codes, sums: Words, reach: int, line: int, overline: int, captures: int) -> None:
    """Work out the meaning of every code; of lines longer than the reach nothing can be said here."""
    for code in range(len(entries)):
        entry = entry_of(code, reach, line, overline, captures)
        if line > reach + 1:
            entry &= ~255
        entries[code] = entry
        sums[code] = summed(entry)


WARM_UP = [lambda: fill(np.zeros(1 << 16, np.int32), np.zeros(1 << 16, np.int64), 4, 5, 1, 3)]
