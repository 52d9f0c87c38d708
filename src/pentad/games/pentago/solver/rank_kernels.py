"""Kernels of sets of spaces and their ranks, which index boards in memory without hashing.

A set of spaces is an int with their bits. Sets of one size are ranked in the order of these ints (the combinatorial
number system): the k-th smallest member m contributes C(m, k). A table over positions alone gives the rank of a set
with one member more or less.
"""

from __future__ import annotations

from pentad.games.pentago.solver.constants import Numbers, Small
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Rows

MOST = 40  # no board has more spaces


def _binomials() -> Rows[Numbers]:
    table: Rows[Numbers] = np.zeros((MOST, MOST), np.int64)
    for n in range(MOST):
        table[n, 0] = 1
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


CHOOSE = _binomials()


@kernel
def first_set(size: int) -> int:
    """The set of this size with rank 0."""
    return (np.int64(1) << size) - 1


@kernel
def after(members: int) -> int:
    """The next set of the same size; the empty set follows itself."""
    if members == 0:
        return members
    lowest = members & -members
    ripple = members + lowest
    return ripple | (((members ^ ripple) // lowest) >> 2)


@kernel
def rank(members: int) -> int:
    """The rank of a set among the sets of its size."""
    found = np.int64(0)
    size = 0
    space = 0
    while members:
        if members & 1:
            size += 1
            found += CHOOSE[space, size]
        members >>= 1
        space += 1
    return found


@kernel
def smaller(spaces: int, size: int) -> int:
    """The number of sets with fewer members: the offset of a size, as lines of all sizes are concatenated."""
    found = np.int64(0)
    for members in range(size):
        found += CHOOSE[spaces, members]
    return found


@kernel
def rows_with_one_more(members: int, count: int, out: Numbers) -> None:
    """The ranks of the sets with one more of `count` spaces, in the order of that space."""
    below, above, size, found = np.int64(0), np.int64(0), np.int64(0), 0
    for space in range(count):  # a smaller new member moves each member up by one
        if members >> space & 1:
            size += 1
            above += CHOOSE[space, size + 1]
    size = np.int64(0)
    for space in range(count):
        if members >> space & 1:
            size += 1
            below += CHOOSE[space, size]
            above -= CHOOSE[space, size + 1]
        else:
            out[found] = below + CHOOSE[space, size + 1] + above
            found += 1


@kernel
def at_rank(size: int, number: int) -> int:
    """The set of this size with a rank."""
    members = np.int64(0)
    space = MOST - 1
    while size > 0:
        while CHOOSE[space, size] > number:
            space -= 1
        number -= CHOOSE[space, size]
        members |= np.int64(1) << space
        size -= 1
    return members


@kernel
def others(members: int, count: int, out: Numbers) -> None:
    """The spaces among the first `count` that are not members."""
    found = 0
    for space in range(count):
        if not members >> space & 1:
            out[found] = space
            found += 1


@kernel
def ranks_within(spaces: Numbers, count: int, size: int, scale: int, one: Small, two: Small) -> Small:
    """The ranks, times `scale`, of all sets of `size` of these `count` spaces, in order; returns `one` or `two`.

    The sets whose greatest member is the n-th space are the sets with one member less of the first n spaces, extended.
    """
    one[0] = 0
    made, making = one, two
    for members in range(1, size + 1):
        filled = 0
        for greatest in range(members - 1, count - (size - members)):
            more = np.uint32(CHOOSE[spaces[greatest], members] * scale)
            smaller_sets = CHOOSE[greatest, members - 1]
            extended = making[filled:]
            for n in range(smaller_sets):
                extended[n] = made[n] + more
            filled += smaller_sets
        made, making = making, made
    return made


@kernel
def ranks_extended(spaces: Numbers, count: int, size: int, scale: int, made: Small, out: Small) -> None:
    """The ranks of all sets of `size` + 1 of these spaces, from those of all sets of `size` (`ranks_within`)."""
    filled = 0
    for greatest in range(size, count):
        more = np.uint32(CHOOSE[spaces[greatest], size + 1] * scale)
        smaller_sets = CHOOSE[greatest, size]
        extended = out[filled:]
        for n in range(smaller_sets):
            extended[n] = made[n] + more
        filled += smaller_sets


@kernel
def table_of_larger(count: int, size: int, scale: int, out: Small) -> None:
    """For each set of `size` of `count` spaces the scaled ranks of its extensions by one; all n-th ones together."""
    sets = CHOOSE[count, size]
    members = first_set(size)
    for number in range(sets):
        which = 0
        for space in range(count):
            if not members >> space & 1:
                out[which * sets + number] = rank(members | np.int64(1) << space) * scale
                which += 1
        members = after(members)


@kernel
def table_of_others(count: int, size: int, scale: int, out: Small) -> None:
    """For each space the scaled ranks of the sets of `size` of `count` spaces without it, in order."""
    filled = 0
    for space in range(count):
        below = (np.int64(1) << space) - 1
        members = first_set(size)
        for _ in range(CHOOSE[count - 1, size]):
            out[filled] = rank(members & below | (members & ~below) << 1) * scale
            filled += 1
            members = after(members)
