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

from __future__ import annotations

import numpy as np

from pentad.kernel import inlined, kernel, prefetch
from pentad.pentago.solver.five_kernels import lines_of_sets
from pentad.pentago.solver.sets_kernels import (
    CHOOSE,
    MOST,
    Number,
    Numbers,
    Small,
    Word,
    Words,
    after,
    at_rank,
    first,
    others,
    ranks_within,
    rows_with_one_more,
    table_of_larger,
    table_of_others,
)
from pentad.quads import Quad, four, put, quad_of, swapped, twice

BOARD = 4  # words of a board
AHEAD = 48  # boards before their turn that the lines held on them are asked for
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
def everywhere(word: Word) -> Quad:
    """The same word four times."""
    return quad_of(word, word, word, word)


@kernel
def spread(x: Quad, one: Quad, two: Quad, three: Quad, four_: Quad) -> Quad:
    """All states from which one twist leads into these; two halves at once.

    `one`, `two`, `three` and `four_` are all bits where there is such a sub-board to turn, else none.
    """
    found = (x | swapped(x)) & four_
    pair = x | x >> _2
    turned = pair >> _1 & everywhere(FIRST_0) | pair << _1 & everywhere(FIRST_1)
    found = found | (turned | turned << _2) & one
    pair = x | x >> _8
    turned = pair >> _4 & everywhere(SECOND_0) | pair << _4 & everywhere(SECOND_1)
    found = found | (turned | turned << _8) & two
    pair = x | (x << _32 | x >> _32)
    all_: Quad = found | (pair << _16 | pair >> _48) & three
    return all_


# ── joining what can be come to ──────────────────────────────────────────────────────────────────


@kernel
def join_1(boards: Words, out: Words, count: int, a: Small, more: bool) -> None:
    """Each board from one other; `more`: besides what it has."""
    o = NONE
    for n in range(count):
        x = four(boards, np.uint64(a[n]))
        if more:
            x = x | four(out, o)
        put(out, o, x)
        o += _4


@kernel
def join_2(boards: Words, out: Words, count: int, a: Small, b: Small, more: bool) -> None:
    """The same from two."""
    o = NONE
    for n in range(count):
        x = four(boards, np.uint64(a[n])) | four(boards, np.uint64(b[n]))
        if more:
            x = x | four(out, o)
        put(out, o, x)
        o += _4


@kernel
def join_4(boards: Words, out: Words, count: int, a: Small, b: Small, c: Small, d: Small, more: bool) -> None:
    """The same from four."""
    o = NONE
    for n in range(count):
        x = four(boards, np.uint64(a[n])) | four(boards, np.uint64(b[n]))
        x = x | (four(boards, np.uint64(c[n])) | four(boards, np.uint64(d[n])))
        if more:
            x = x | four(out, o)
        put(out, o, x)
        o += _4


@kernel
def join(boards: Words, out: Words, count: int, table: Small, ways: int) -> None:
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
def join_rows(boards: Words, rows: Numbers, out: Words, count: int, table: Small, ways: int, width: int) -> None:
    """For each board of a row the boards of `ways` other rows, each `width` boards; the table says which are whose."""
    for n in range(BOARD * count):
        out[n] = NONE
    entry = NONE
    for way in range(ways):
        i = np.uint64(rows[way])
        soon = np.uint64(rows[min(way + 1, ways - 1)])
        for _ in range(width):
            prefetch(boards, soon)
            o = np.uint64(table[entry])
            put(out, o, four(out, o) | four(boards, i))
            i += _4
            soon += _4
            entry += _1


@kernel
def nothing_left(out: Words, count: int, first_is_win: bool) -> None:
    """What can be come to from full boards, or where no more is looked at: no win, and no loss either."""
    one, two = (NONE, ALL) if first_is_win else (ALL, NONE)
    for n in range(count):
        put(out, np.uint64(n) * _4, quad_of(one, one, two, two))


# ── what he who comes gets ───────────────────────────────────────────────────────────────────────
#
# Who is to move on a board wins where he can come to a win or has a line already, unless the rival has one; he
# does not lose where he has a line, or can come to what is no loss while the rival has no line. The rival, who
# came there, wins where he loses, and has chosen his rotation: hence the states from which one twist leads there.
# If placing his marble gave the rival a line before any rotation, he has won.


@kernel
def mover_to_move(
    boards: Words, count: int, m0: Word, m1: Word, lines: Words, ranks: Small, there: Word, here: Word, at_once: Word,
    turn: Words,
) -> None:  # fmt: skip
    """For a row of boards on which the mover, who has the lines `m`, is to move.

    The other, who came there, has the lines that stand at the ranks, in the half `there`; before his rotation those
    in the half `here`.
    """
    mine, kept, once = quad_of(m0, m1, m0, m1), quad_of(NONE, NONE, m0, m1), everywhere(at_once)
    one, two, three, four_ = everywhere(turn[0]), everywhere(turn[1]), everywhere(turn[2]), everywhere(turn[3])
    i = NONE
    for n in range(count):
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, count - 1)]))
        rank = np.uint64(ranks[n])
        his, before = twice(lines, rank + there), twice(lines, rank + here) & once
        lost = ~((four(boards, i) | mine) & ~(his & ~kept))
        put(boards, i, spread(lost, one, two, three, four_) | before)
        i += _4


@kernel
def other_to_move(
    boards: Words, out: Words, count: int, m0: Word, m1: Word, p0: Word, p1: Word, lines: Words, ranks: Small,
    here: Word, turn: Words,
) -> None:  # fmt: skip
    """For a row of boards on which the other is to move; the mover, who came there, has the lines `m`, at once `p`."""
    won, before, first_half = quad_of(m0, m1, m0, m1), quad_of(p0, p1, p0, p1), quad_of(ALL, ALL, NONE, NONE)
    one, two, three, four_ = everywhere(turn[0]), everywhere(turn[1]), everywhere(turn[2]), everywhere(turn[3])
    i = NONE
    for n in range(count):
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, count - 1)]))
        his = twice(lines, np.uint64(ranks[n]) + here)
        lost = ~((four(boards, i) | his) & ~(won & ~(his & first_half)))
        put(out, i, spread(lost, one, two, three, four_) | before)
        i += _4


@kernel
def other_to_move_at_the_top(boards: Words, out: Words, m0: Word, m1: Word, o0: Word, o1: Word) -> None:
    """For one board, not yet before the mover's rotation: where he has won, and where he has not lost."""
    out[0] = ~((boards[0] | o0) & ~(m0 & ~o0))
    out[1] = ~((boards[1] | o1) & ~(m1 & ~o1))
    out[2] = ~((boards[2] | o0) & ~m0)
    out[3] = ~((boards[3] | o1) & ~m1)


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


@kernel
def tables(spaces: int, more: int, larger: Small, without: Small) -> int:
    """What tells, in rows of the mover's sets of `more` + 1, which boards belong together; the same in every row."""
    free = spaces - more - 1
    table_of_larger(free, more, BOARD, larger)
    if without.size:
        table_of_others(free, more + 1, BOARD, without)
    return 0


@kernel
def room_below(spaces: int, more: int, lot: int) -> Number:
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
def smaller(spaces: int, size: int) -> Number:
    """How many sets there are with fewer members: the lines of sets of all sizes stand one after another."""
    found = np.int64(0)
    for members in range(size):
        found += CHOOSE[spaces, members]
    return found


@kernel
def rows(
    boards: Words, old: int, new: int, mover_lines: Words, other_lines: Words, spaces: int, more: int, deepest: int,
    kind: int, at_once: Word, turn: Words, larger: Small, without: Small, work: Words, small: Small, notes: Numbers,
    top: Words, start: int, end: int,
) -> int:  # fmt: skip
    """Make the rows `start` to `end` of those in which the mover has `more` + 1 marbles more than at the root.

    `old` and `new` are where the rows two plies on stand among the boards, and where these shall; `deepest` is the
    last ply that is looked at; `kind` the half of the rotation states in which the root stands; `at_once` all bits
    where a line wins before the rotation. `top` gets the mover's values on the boards after his first marble.
    """
    free = spaces - more - 1
    count, wide = CHOOSE[free, more], CHOOSE[free, more + 1]
    size = max(count, wide)
    between, before = work[: BOARD * size], work[BOARD * size : 2 * BOARD * size]
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
                rows_with_one_more(mine, spaces, children)
                width = CHOOSE[free - 1, more + 1]
                for way in range(free):
                    children[way] = old + BOARD * width * children[way]
                join_rows(boards, children, between, wide, without, free, width)
            lines = other_lines[BOARD * smaller(spaces, more + 1) :]
            ranks = ranks_within(spots, free, more + 1, BOARD, one, two)
            mover_to_move(between, wide, t0, t1, lines, ranks, there, here, at_once, turn)
            join(between, before, count, larger, free - more)
        ranks = ranks_within(spots, free, more, BOARD, one, two)
        lines = other_lines[BOARD * smaller(spaces, more) :]
        if more == 0:
            other_to_move_at_the_top(before, top[BOARD * row :], h0, h1, lines[here], lines[here + _1])
        place = new + BOARD * count * row
        other_to_move(before, boards[place:], count, h0, h1, t0 & at_once, t1 & at_once, lines, ranks, here, turn)
        mine = after(mine)
    return 0


# What each native kernel is given.
_ROWS = (
    *("uint64[]", "int64", "int64", "uint64[]", "uint64[]", "int64", "int64", "int64", "int64", "uint64", "uint64[]"),
    *("uint32[]", "uint32[]", "uint64[]", "uint32[]", "int64[]", "uint64[]", "int64", "int64"),
)
_LINES_OF_SETS = "int64 int64 int64 int64 uint64 uint64[] int64[] uint64[] uint64[] uint64[]"
NATIVE = {
    "lines_of_sets": (lines_of_sets, _LINES_OF_SETS),
    "room_below": (room_below, "int64 int64 int64"),
    "tables": (tables, "int64 int64 uint32[] uint32[]"),
    "rows": (rows, " ".join(_ROWS)),
}
