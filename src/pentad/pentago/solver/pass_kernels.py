"""One step of the pass from full boards back to the root: two plies, all rotations of every board at once.

The spaces that are empty at the root are all that matters. After n more marbles a board is a set of the mover's
(whoever is to move at the root) and, among the other spaces, a set of the other's. Boards with the same set of
the mover's stand together in a row; rows and boards within them stand in the order of their sets. So the boards
that the mover can come to are found in other rows, one row for each space, and those that the other can come to
in the same row. What is kept are the plies at which the other is to move; the plies between fill one row at a
time, and are used up at once.

A board is four words: two halves of rotation states. They say what he who placed the last marble gets by coming
here with his rotation still to choose: in which states he wins, in which he does not lose. Where the mover comes
the first half is of wins, where the other comes the second; so the first is all about whether the mover wins, the
second about whether he loses, and they never meet. A board may also be one of the two alone. Kernels get `first`,
lanes as many as a board has words, all bits where a word belongs to the first half.
"""

from __future__ import annotations

import numpy as np

from pentad.kernel import kernel, prefetch
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
    first_set,
    others,
    ranks_within,
    rows_with_one_more,
    table_of_larger,
    table_of_others,
)
from pentad.simd import Lanes, broadcast, four, load, repeat, store, swapped, two

LINES = 4  # words of a set's lines
AHEAD = 48  # boards before their turn that the lines held on them are asked for
_1 = np.uint64(1)
_2 = np.uint64(2)
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


@kernel
def spread(x: Lanes, turn: Words) -> Lanes:
    """All states from which one twist leads into these; two halves at once.

    `turn` has all bits for each of the four sub-boards that there is to turn, else none.
    """
    found = (x | swapped(x)) & broadcast(turn[3], x)
    pair = x | x >> _2
    turned = pair >> _1 & broadcast(FIRST_0, x) | pair << _1 & broadcast(FIRST_1, x)
    found = found | (turned | turned << _2) & broadcast(turn[0], x)
    pair = x | x >> _8
    turned = pair >> _4 & broadcast(SECOND_0, x) | pair << _4 & broadcast(SECOND_1, x)
    found = found | (turned | turned << _8) & broadcast(turn[1], x)
    pair = x | (x << _32 | x >> _32)
    all_: Lanes = found | (pair << _16 | pair >> _48) & broadcast(turn[2], x)
    return all_


# ── joining what can be come to ──────────────────────────────────────────────────────────────────


@kernel
def join_1(first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Small, more: bool) -> None:
    """Each board from one other; `more`: besides what it has."""
    o = NONE
    for n in range(count):
        x = load(boards, np.uint64(a[n]), first)
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def join_2(first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Small, b: Small, more: bool) -> None:
    """The same from two."""
    o = NONE
    for n in range(count):
        x = load(boards, np.uint64(a[n]), first) | load(boards, np.uint64(b[n]), first)
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def join_4(
    first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Small, b: Small, c: Small, d: Small, more: bool
) -> None:
    """The same from four."""
    o = NONE
    for n in range(count):
        x = load(boards, np.uint64(a[n]), first) | load(boards, np.uint64(b[n]), first)
        x = x | (load(boards, np.uint64(c[n]), first) | load(boards, np.uint64(d[n]), first))
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def join(first: Lanes, step: Word, boards: Words, out: Words, count: int, table: Small, ways: int) -> None:
    """For each board all that can be come to from it: `ways` of them, by a table that has them one after another."""
    way = 0
    while ways - way >= 4:
        a, b, c, d = way * count, (way + 1) * count, (way + 2) * count, (way + 3) * count
        join_4(first, step, boards, out, count, table[a:], table[b:], table[c:], table[d:], way > 0)
        way += 4
    if ways - way >= 2:
        join_2(first, step, boards, out, count, table[way * count :], table[(way + 1) * count :], way > 0)
        way += 2
    if ways - way == 1:
        join_1(first, step, boards, out, count, table[way * count :], way > 0)


@kernel
def join_rows(
    first: Lanes, step: Word, boards: Words, rows: Numbers, out: Words, count: int, table: Small, ways: int, width: int
) -> None:
    """For each board of a row the boards of `ways` other rows, each `width` boards; the table says which are whose."""
    fill(first & broadcast(NONE, first), step, out, count)
    entry = NONE
    for way in range(ways):
        i = np.uint64(rows[way])
        soon = np.uint64(rows[min(way + 1, ways - 1)])
        for _ in range(width):
            prefetch(boards, soon)
            o = np.uint64(table[entry])
            store(out, o, load(out, o, first) | load(boards, i, first))
            i += step
            soon += step
            entry += _1


@kernel
def fill(value: Lanes, step: Word, out: Words, count: int) -> None:
    """The same board so many times."""
    o = NONE
    for _ in range(count):
        store(out, o, value)
        o += step


# ── what he who comes gets ───────────────────────────────────────────────────────────────────────
#
# Who is to move on a board wins where he can come to a win or has a line already, unless the rival has one; he
# does not lose where he has a line, or can come to what is no loss while the rival has no line. The rival, who
# came there, wins where he loses, and has chosen his rotation: hence the states from which one twist leads there.
# If placing his marble gave the rival a line before any rotation, he has won.


@kernel
def mover_to_move(
    first: Lanes, step: Word, boards: Words, count: int, mine: Lanes, lines: Words, ranks: Small, there: Word,
    here: Word, at_once: Word, turn: Words,
) -> None:  # fmt: skip
    """For a row of boards on which the mover is to move, whose lines are `mine`.

    The other, who came there, has the lines that stand at the ranks, in the half `there`; before his rotation those
    in the half `here`.
    """
    kept, once = mine & ~first, broadcast(at_once, first)
    i = NONE
    for n in range(count):
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, count - 1)]))
        rank = np.uint64(ranks[n])
        his, before = repeat(lines, rank + there, first), repeat(lines, rank + here, first) & once
        lost = ~((load(boards, i, first) | mine) & ~(his & ~kept))
        store(boards, i, spread(lost, turn) | before)
        i += step


@kernel
def lost_by_other(first: Lanes, reached: Lanes, mine: Lanes, his: Lanes) -> Lanes:
    """Where the other, who is to move, does not win, and where he loses."""
    lost: Lanes = ~((reached | his) & ~(mine & ~(his & first)))
    return lost


@kernel
def other_to_move(
    first: Lanes, step: Word, boards: Words, out: Words, count: int, mine: Lanes, before: Lanes, lines: Words,
    ranks: Small, here: Word, turn: Words,
) -> None:  # fmt: skip
    """For a row of boards on which the other is to move.

    The mover, who came there, has the lines `mine`, and `before` his rotation those.
    """
    i = NONE
    for n in range(count):
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, count - 1)]))
        his = repeat(lines, np.uint64(ranks[n]) + here, first)
        lost = lost_by_other(first, load(boards, i, first), mine, his)
        store(out, i, spread(lost, turn) | before)
        i += step


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


@kernel
def tables(spaces: int, more: int, step: int, larger: Small, without: Small) -> int:
    """What tells, in rows of the mover's sets of `more` + 1, which boards belong together; the same in every row."""
    free = spaces - more - 1
    table_of_larger(free, more, step, larger)
    if without.size:
        table_of_others(free, more + 1, step, without)
    return 0


@kernel
def room_below(spaces: int, more: int, lot: int) -> Number:
    """How many boards before the old ones the new must begin, so that none is overwritten that is still needed.

    Rows are made in lots of so many. An old row is needed until the row is made that lacks its least space.
    """
    made, old = CHOOSE[spaces - more - 1, more], CHOOSE[spaces - more - 2, more + 1]
    members = first_set(more + 1)
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
def rows_of(
    first: Lanes, step: int, boards: Words, old: int, new: int, mover_lines: Words, other_lines: Words, spaces: int,
    more: int, deepest: int, kind: int, at_once: Word, turn: Words, larger: Small, without: Small, work: Words,
    small: Small, notes: Numbers, top: Words, start: int, end: int,
) -> int:  # fmt: skip
    """Make the rows `start` to `end` of those in which the mover has `more` + 1 marbles more than at the root.

    `old` and `new` are where the rows two plies on stand among the boards, and where these shall; `deepest` is the
    last ply that is looked at; `kind` the half of the rotation states in which the root stands; `at_once` all bits
    where a line wins before the rotation. `top` gets the mover's values on the boards after his first marble.
    """
    free = spaces - more - 1
    count, wide = CHOOSE[free, more], CHOOSE[free, more + 1]
    size = max(count, wide)
    between, before = work[: step * size], work[step * size : 2 * step * size]
    one, two_ = small[:size], small[size : 2 * size]
    spots, children = notes[:MOST], notes[MOST : 2 * MOST]
    words = np.uint64(step)
    # the half of the states in which these boards stand, and that of the boards between: a ply before, and one after
    here = np.uint64(2 * ((2 * more + 1 + kind) & 1))
    there = _2 - here
    once = broadcast(at_once, first)
    members = at_rank(more + 1, start)
    m = np.uint64(LINES * (smaller(spaces, more + 1) + start))
    for row in range(start, end):
        others(members, spaces, spots)
        mine, mine_between = repeat(mover_lines, m + here, first), repeat(mover_lines, m + there, first)
        m += _4
        if deepest == 2 * more + 1:  # nothing more is looked at: no win, and no loss either
            fill(first, words, before, count)
        else:
            if deepest == 2 * more + 2:
                fill(~first, words, between, wide)
            else:
                rows_with_one_more(members, spaces, children)
                width = CHOOSE[free - 1, more + 1]
                for way in range(free):
                    children[way] = old + step * width * children[way]
                join_rows(first, words, boards, children, between, wide, without, free, width)
            lines = other_lines[LINES * smaller(spaces, more + 1) :]
            ranks = ranks_within(spots, free, more + 1, LINES, one, two_)
            mover_to_move(first, words, between, wide, mine_between, lines, ranks, there, here, at_once, turn)
            join(first, words, between, before, count, larger, free - more)
        lines = other_lines[LINES * smaller(spaces, more) :]
        if more == 0:
            lost = lost_by_other(first, load(before, NONE, first), mine, repeat(lines, here, first))
            store(top, np.uint64(step * row), lost)
        ranks = ranks_within(spots, free, more, LINES, one, two_)
        place = new + step * count * row
        other_to_move(first, words, before, boards[place:], count, mine, mine_between & once, lines, ranks, here, turn)
        members = after(members)
    return 0


@kernel
def rows(
    boards: Words, old: int, new: int, mover_lines: Words, other_lines: Words, spaces: int, more: int, deepest: int,
    kind: int, at_once: Word, turn: Words, larger: Small, without: Small, work: Words, small: Small, notes: Numbers,
    top: Words, start: int, end: int,
) -> int:  # fmt: skip
    """Rows of boards of four words: whether the mover wins, and whether he loses."""
    return rows_of(
        four(ALL, ALL, NONE, NONE), 4, boards, old, new, mover_lines, other_lines, spaces, more, deepest, kind, at_once,
        turn, larger, without, work, small, notes, top, start, end,
    )  # fmt: skip


@kernel
def rows_of_halves(
    wins: Word, boards: Words, old: int, new: int, mover_lines: Words, other_lines: Words, spaces: int, more: int,
    deepest: int, kind: int, at_once: Word, turn: Words, larger: Small, without: Small, work: Words, small: Small,
    notes: Numbers, top: Words, start: int, end: int,
) -> int:  # fmt: skip
    """Rows of boards of two words: whether the mover wins, where `wins` has all bits, or else whether he loses."""
    return rows_of(
        two(wins, wins), 2, boards, old, new, mover_lines, other_lines, spaces, more, deepest, kind, at_once, turn,
        larger, without, work, small, notes, top, start, end,
    )  # fmt: skip


# What each native kernel is given.
_ROWS = (
    *("uint64[]", "int64", "int64", "uint64[]", "uint64[]", "int64", "int64", "int64", "int64", "uint64", "uint64[]"),
    *("uint32[]", "uint32[]", "uint64[]", "uint32[]", "int64[]", "uint64[]", "int64", "int64"),
)
_LINES_OF_SETS = "int64 int64 int64 int64 uint64 uint64[] int64[] uint64[] uint64[] uint64[]"
NATIVE = {
    "lines_of_sets": (lines_of_sets, _LINES_OF_SETS),
    "room_below": (room_below, "int64 int64 int64"),
    "tables": (tables, "int64 int64 int64 uint32[] uint32[]"),
    "rows": (rows, " ".join(_ROWS)),
    "rows_of_halves": (rows_of_halves, " ".join(("uint64", *_ROWS))),
}
