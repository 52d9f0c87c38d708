"""Sets of spaces and their ranks: which places in memory belong to which marbles, without a hash.

A set of spaces is an int with their bits. Sets of one size are ranked in the order of these ints, the one in
which the k-th smallest member m counts C(m, k); a set with one member more or less has a rank that a table
over positions alone can tell.
"""

import numpy as np

from pentad.kernel import kernel

MOST = 40  # spaces that sets are made of, at most


def _binomials() -> np.ndarray:
    table = np.zeros((MOST, MOST), np.int64)
    for n in range(MOST):
        table[n, 0] = 1
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


CHOOSE = _binomials()


@kernel
def first(size):
    """The set of this size that ranks first."""
    return (np.int64(1) << size) - 1


@kernel
def after(members):
    """The next set of the same size; of the empty set itself."""
    if members == 0:
        return members
    lowest = members & -members
    ripple = members + lowest
    return ripple | (((members ^ ripple) // lowest) >> 2)


@kernel
def rank(members):
    """How many sets of the same size come before."""
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
def at_rank(size, number):
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
def others(members, count, out):
    """The spaces among the first `count` that are no members."""
    found = 0
    for space in range(count):
        if not members >> space & 1:
            out[found] = space
            found += 1


@kernel
def ranks_within(spaces, count, size, scale, one, two):
    """The ranks, times `scale`, of all sets of `size` of these `count` spaces, in order; in `one` or in `two`.

    The sets whose greatest member is the n-th of the spaces are those of a member less among the first n.
    """
    one[0] = 0
    made, making = one, two
    for members in range(1, size + 1):
        filled = 0
        for greatest in range(members - 1, count - (size - members)):
            more = np.uint32(CHOOSE[spaces[greatest], members] * scale)
            for n in range(CHOOSE[greatest, members - 1]):
                making[filled + n] = made[n] + more
            filled += CHOOSE[greatest, members - 1]
        made, making = making, made
    return made


@kernel
def table_of_larger(count, size, scale, out):
    """For each set of `size` of `count` spaces the scaled ranks of those that have one more; the n-th of all together."""
    sets = CHOOSE[count, size]
    members = first(size)
    for number in range(sets):
        which = 0
        for space in range(count):
            if not members >> space & 1:
                out[which * sets + number] = rank(members | np.int64(1) << space) * scale
                which += 1
        members = after(members)


@kernel
def table_of_others(count, size, scale, out):
    """For each space the scaled ranks of the sets of `size` of `count` spaces that do not have it, in order."""
    filled = 0
    for space in range(count):
        below = (np.int64(1) << space) - 1
        members = first(size)
        for _ in range(CHOOSE[count - 1, size]):
            out[filled] = rank(members & below | (members & ~below) << 1) * scale
            filled += 1
            members = after(members)
