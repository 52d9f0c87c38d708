"""One step of the pass from full boards back to the root: two plies, all rotations of every board at once.

The spaces that are empty at the root are all that matters. After n more marbles a board is a set of the mover's
(whoever is to move at the root) and, among the other spaces, a set of the other's. Boards with the same set of
the mover's stand together in a row; rows and boards within them stand in the order of their sets. So the boards
that the mover can come to are found in other rows, one row for each space, and those that the other can come to
in the same row. What is kept are the plies at which the other is to move; the plies between fill one row at a
time, and are used up at once.

A board is four words: two halves of rotation states. They say what he who placed the last marble gets by coming
here with his rotation still to choose: in which states he wins, in which he does not lose. Where the mover comes
the first half is of wins, where the other comes the second; so they need not change places from ply to ply.
"""

import numpy as np

from pentad.kernel import inlined, kernel, prefetch
from pentad.pentago.solver.five_kernels import lines_of_sets
from pentad.pentago.solver.sets_kernels import (
    CHOOSE,
    MOST,
    after,
    at_rank,
    first,
    others,
    rank,
    ranks_within,
    table_of_larger,
    table_of_others,
)

BOARD = 4  # words of a board
_1 = np.uint64(1)
_2 = np.uint64(2)
_3 = np.uint64(3)
_4 = np.uint64(4)
_8 = np.uint64(8)
_16 = np.uint64(16)
_32 = np.uint64(32)
_48 = np.uint64(48)
NONE = np.uint64(0)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
# where a sub-board's turns are 0 and 1, or 2 and 3: of the first sub-board alone, and of the second
FIRST_0 = np.uint64(0x1111_1111_1111_1111)
FIRST_1 = np.uint64(0x2222_2222_2222_2222)
SECOND_0 = np.uint64(0x000F_000F_000F_000F)
SECOND_1 = np.uint64(0x00F0_00F0_00F0_00F0)


@inlined
def spread(x, both, one, two, three):
    """All states from which one twist leads into these; `both`: these, whichever word, for the fourth sub-board.

    `one`, `two` and `three` are all bits where there is such a sub-board to turn, else none.
    """
    pair = x | x >> _2
    turned = pair >> _1 & FIRST_0 | pair << _1 & FIRST_1
    found = both | (turned | turned << _2) & one
    pair = x | x >> _8
    turned = pair >> _4 & SECOND_0 | pair << _4 & SECOND_1
    found |= (turned | turned << _8) & two
    pair = x | x << _32 | x >> _32
    return found | (pair << _16 | pair >> _48) & three


# ── joining what can be come to ──────────────────────────────────────────────────────────────────


@kernel
def join_1(boards, out, count, a, more):
    """Each board's words from one other's; `more`: besides what it has."""
    o = NONE
    for n in range(count):
        i = np.uint64(a[n])
        w, x, y, z = boards[i], boards[i + _1], boards[i + _2], boards[i + _3]
        if more:
            w |= out[o]
            x |= out[o + _1]
            y |= out[o + _2]
            z |= out[o + _3]
        out[o] = w
        out[o + _1] = x
        out[o + _2] = y
        out[o + _3] = z
        o += _4


@kernel
def join_2(boards, out, count, a, b, more):
    """The same from two."""
    o = NONE
    for n in range(count):
        i, j = np.uint64(a[n]), np.uint64(b[n])
        w = boards[i] | boards[j]
        x = boards[i + _1] | boards[j + _1]
        y = boards[i + _2] | boards[j + _2]
        z = boards[i + _3] | boards[j + _3]
        if more:
            w |= out[o]
            x |= out[o + _1]
            y |= out[o + _2]
            z |= out[o + _3]
        out[o] = w
        out[o + _1] = x
        out[o + _2] = y
        out[o + _3] = z
        o += _4


@kernel
def join_4(boards, out, count, a, b, c, d, more):
    """The same from four."""
    o = NONE
    for n in range(count):
        i, j, k, l = np.uint64(a[n]), np.uint64(b[n]), np.uint64(c[n]), np.uint64(d[n])  # noqa: E741
        w = boards[i] | boards[j] | boards[k] | boards[l]
        x = boards[i + _1] | boards[j + _1] | boards[k + _1] | boards[l + _1]
        y = boards[i + _2] | boards[j + _2] | boards[k + _2] | boards[l + _2]
        z = boards[i + _3] | boards[j + _3] | boards[k + _3] | boards[l + _3]
        if more:
            w |= out[o]
            x |= out[o + _1]
            y |= out[o + _2]
            z |= out[o + _3]
        out[o] = w
        out[o + _1] = x
        out[o + _2] = y
        out[o + _3] = z
        o += _4


@kernel
def join(boards, out, count, table, ways):
    """For each board all that can be come to from it: `ways` of them, by a table that has them one after another."""
    way = 0
    while ways - way >= 4:
        a, b, c, d = way * count, (way + 1) * count, (way + 2) * count, (way + 3) * count
        join_4(boards, out, count, table[a:], table[b:], table[c:], table[d:], way > 0)
        way += 4
    if ways - way >= 2:
        join_2(boards, out, count, table[way * count :], table[(way + 1) * count :], way > 0)
        way += 2
    if ways - way == 1:
        join_1(boards, out, count, table[way * count :], way > 0)


@kernel
def join_rows(boards, rows, out, count, table, ways, width):
    """For each board of a row the boards of `ways` other rows, each `width` boards; the table says which are whose."""
    for n in range(BOARD * count):
        out[n] = NONE
    entry = NONE
    for way in range(ways):
        i = np.uint64(rows[way])
        soon = np.uint64(rows[min(way + 1, ways - 1)])
        for _ in range(width):
            prefetch(boards, soon)
            soon += _4
            o = np.uint64(table[entry])
            w = boards[i] | out[o]
            x = boards[i + _1] | out[o + _1]
            y = boards[i + _2] | out[o + _2]
            z = boards[i + _3] | out[o + _3]
            out[o] = w
            out[o + _1] = x
            out[o + _2] = y
            out[o + _3] = z
            i += _4
            entry += _1


@kernel
def nothing_left(out, count, first_is_win):
    """What can be come to from full boards, or where no more is looked at: no win, and no loss either."""
    one, two = (NONE, ALL) if first_is_win else (ALL, NONE)
    for n in range(count):
        o = np.uint64(n) * _4
        out[o] = one
        out[o + _1] = one
        out[o + _2] = two
        out[o + _3] = two


@kernel
def lines_of_row(lines, ranks, count, half, kept, one, two):
    """The lines that the other holds on each board of a row, in one half of the states."""
    for n in range(count):
        i = np.uint64(ranks[n]) + half
        a, b = lines[i] & kept, lines[i + _1] & kept
        one[n] = a
        two[n] = b


# ── what he who comes gets ───────────────────────────────────────────────────────────────────────
#
# Who is to move on a board wins where he can come to a win or has a line already, unless the rival has one; he
# does not lose where he has a line, or can come to what is no loss while the rival has no line. The rival, who
# came there, wins where he loses, and has chosen his rotation: hence the states from which one twist leads there.
# If placing his marble gave the rival a line before any rotation, he has won.


@kernel
def mover_to_move(boards, count, m0, m1, o0, o1, p0, p1, turn):
    """For a row of boards on which the mover, who has the lines `m`, is to move; the other has `o`, and `p` at once."""
    one, two, three, four = turn[0], turn[1], turn[2], turn[3]
    for n in range(count):
        i = np.uint64(n) * _4
        w0 = ~((boards[i] | m0) & ~o0[n])
        w1 = ~((boards[i + _1] | m1) & ~o1[n])
        l0 = ~((boards[i + _2] | m0) & ~(o0[n] & ~m0))
        l1 = ~((boards[i + _3] | m1) & ~(o1[n] & ~m1))
        w, l = (w0 | w1) & four, (l0 | l1) & four  # noqa: E741
        boards[i] = spread(w0, w, one, two, three) | p0[n]
        boards[i + _1] = spread(w1, w, one, two, three) | p1[n]
        boards[i + _2] = spread(l0, l, one, two, three) | p0[n]
        boards[i + _3] = spread(l1, l, one, two, three) | p1[n]


@kernel
def other_to_move(boards, out, count, m0, m1, p0, p1, o0, o1, turn):
    """For a row of boards on which the other is to move; the mover, who came there, has the lines `m`, at once `p`."""
    one, two, three, four = turn[0], turn[1], turn[2], turn[3]
    for n in range(count):
        i = np.uint64(n) * _4
        l0 = ~((boards[i] | o0[n]) & ~(m0 & ~o0[n]))
        l1 = ~((boards[i + _1] | o1[n]) & ~(m1 & ~o1[n]))
        w0 = ~((boards[i + _2] | o0[n]) & ~m0)
        w1 = ~((boards[i + _3] | o1[n]) & ~m1)
        l, w = (l0 | l1) & four, (w0 | w1) & four  # noqa: E741
        out[i] = spread(l0, l, one, two, three) | p0
        out[i + _1] = spread(l1, l, one, two, three) | p1
        out[i + _2] = spread(w0, w, one, two, three) | p0
        out[i + _3] = spread(w1, w, one, two, three) | p1


@kernel
def other_to_move_at_the_top(boards, out, m0, m1, o0, o1):
    """For one board, not yet before the mover's rotation: where he has won, and where he has not lost."""
    out[0] = ~((boards[0] | o0) & ~(m0 & ~o0))
    out[1] = ~((boards[1] | o1) & ~(m1 & ~o1))
    out[2] = ~((boards[2] | o0) & ~m0)
    out[3] = ~((boards[3] | o1) & ~m1)


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


@kernel
def tables(spaces, more, larger, without):
    """What tells, in rows of the mover's sets of `more` + 1, which boards belong together; the same in every row."""
    free = spaces - more - 1
    table_of_larger(free, more, BOARD, larger)
    if without.size:
        table_of_others(free, more + 1, BOARD, without)
    return 0


@kernel
def room_below(spaces, more, lot):
    """How many boards before the old ones the new must begin, so that none is overwritten that is still needed.

    Rows are made in lots of so many. An old row is needed until the row is made that lacks its least space.
    """
    made, old = CHOOSE[spaces - more - 1, more], CHOOSE[spaces - more - 2, more + 1]
    members = first(more + 1)
    rows = CHOOSE[spaces, more + 1]
    free = np.int64(0)
    most = np.int64(0)
    over = np.int64(0)
    for row in range(rows):
        if row % lot == 0:
            most = max(most, min(row + lot, rows) * made - free * old)
        least = np.int64(0)
        while not members >> least & 1:
            least += 1
        free += least
        members = after(members)
    return max(most, over)


@kernel
def smaller(spaces, size):
    """How many sets there are with fewer members: the lines of sets of all sizes stand one after another."""
    found = np.int64(0)
    for members in range(size):
        found += CHOOSE[spaces, members]
    return found


@kernel
def rows(
    boards, old, new, mover_lines, other_lines, spaces, more, deepest, kind, at_once, turn, larger, without, work,
    small, notes, top, start, end,
):  # fmt: skip
    """Make the rows `start` to `end` of those in which the mover has `more` + 1 marbles more than at the root.

    `old` and `new` are where the rows two plies on stand among the boards, and where these shall; `deepest` is the
    last ply that is looked at; `kind` the half of the rotation states in which the root stands; `at_once` all bits
    where a line wins before the rotation. `top` gets the mover's values on the boards after his first marble.
    """
    free = spaces - more - 1
    count, wide = CHOOSE[free, more], CHOOSE[free, more + 1]
    size = max(count, wide)
    between, before = work[: BOARD * size], work[BOARD * size : 2 * BOARD * size]
    rest = work[2 * BOARD * size :]
    o0, o1, p0, p1 = rest[:size], rest[size : 2 * size], rest[2 * size : 3 * size], rest[3 * size : 4 * size]
    one, two = small[:size], small[size : 2 * size]
    spots, children = notes[:MOST], notes[MOST : 2 * MOST]
    # the half of the states in which these boards stand, and that of the boards between: a ply before, and one after
    here = np.uint64(2 * ((2 * more + 1 + kind) & 1))
    there = _2 - here
    mine = at_rank(more + 1, start)
    m = np.uint64(BOARD * (smaller(spaces, more + 1) + start))
    for row in range(start, end):
        others(mine, spaces, spots)
        h0, h1 = mover_lines[m + here], mover_lines[m + here + _1]
        t0, t1 = mover_lines[m + there], mover_lines[m + there + _1]
        m += _4
        if deepest == 2 * more + 1:
            nothing_left(before, count, False)
        else:
            if deepest == 2 * more + 2:
                nothing_left(between, wide, True)
            else:
                width = CHOOSE[free - 1, more + 1]
                for way in range(free):
                    children[way] = old + BOARD * width * rank(mine | np.int64(1) << spots[way])
                join_rows(boards, children, between, wide, without, free, width)
            lines = other_lines[BOARD * smaller(spaces, more + 1) :]
            ranks = ranks_within(spots, free, more + 1, BOARD, one, two)
            lines_of_row(lines, ranks, wide, there, ALL, o0, o1)
            lines_of_row(lines, ranks, wide, here, at_once, p0, p1)
            mover_to_move(between, wide, t0, t1, o0, o1, p0, p1, turn)
            join(between, before, count, larger, free - more)
        ranks = ranks_within(spots, free, more, BOARD, one, two)
        lines_of_row(other_lines[BOARD * smaller(spaces, more) :], ranks, count, here, ALL, o0, o1)
        if more == 0:
            other_to_move_at_the_top(before, top[BOARD * row :], h0, h1, o0[0], o1[0])
        place = new + BOARD * count * row
        other_to_move(before, boards[place:], count, h0, h1, t0 & at_once, t1 & at_once, o0, o1, turn)
        mine = after(mine)
    return 0


# What each native kernel is given.
NATIVE = {
    "lines_of_sets": (
        lines_of_sets,
        "int64 int64 int64 int64 uint64 uint64[] int64[] uint64[] uint64[] uint64[]",
    ),
    "room_below": (room_below, "int64 int64 int64"),
    "tables": (tables, "int64 int64 uint32[] uint32[]"),
    "rows": (
        rows,
        "uint64[] int64 int64 uint64[] uint64[] int64 int64 int64 int64 uint64 uint64[] uint32[] uint32[] uint64[] "
        "uint32[] int64[] uint64[] int64 int64",
    ),
}
