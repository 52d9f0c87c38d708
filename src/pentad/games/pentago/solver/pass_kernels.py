"""Kernels of retrograde analysis: one step back by two plies, for all rotations of every board at once.

Only the empty spaces of the root matter. After n more marbles a board is a set of the mover's marbles (the player to
move at the root) and, among the other spaces, a set of the other player's. Boards with the same mover's set form a row.
Rows, and boards within them, are ordered by rank of their sets. The boards that the mover can reach are in other rows,
one row for each space; those that the other player can reach are in the same row. Only plies at which the other is to
move are stored; the plies between are computed for one row at a time and used immediately.

A board is four words: two halves of rotation states. They hold the result for the player who placed the last marble and
has still to choose the rotation: the states in which that player wins, and those without a loss. At the mover's boards
the first half has wins, at the other's boards the second half has them; so the first half is always about the mover's
wins, the second about the mover's losses, and the two never mix. A board may also be one of the halves alone. Kernels
get `first`, lanes as wide as a board, with all bits set in the words of the first half.

A rotation state is the number of quarter turns of each of four sub-boards, 256 in all. States with an even and with an
odd sum never occur at the same ply. A half is the 128 states of one kind in two words: bits 0-1 of a bit's index in a
word are the turns of the first sub-board, 2-3 of the second, 4-5 of the third; the word's index is half the turns of
the fourth, whose parity follows from the kind.
"""

from __future__ import annotations

from pentad.games.pentago.solver.constants import LINES, LevelArrays, Numbers, RowRoom, Small, Words
from pentad.games.pentago.solver.line_kernels import lines_of_sets
from pentad.games.pentago.solver.rank_kernels import (
    CHOOSE,
    MOST,
    after,
    at_rank,
    first_set,
    others,
    ranks_extended,
    ranks_within,
    rows_with_one_more,
    smaller,
    table_of_larger,
    table_of_others,
)
from pentad.kernels.decorator import kernel, prefetch
from pentad.kernels.math_kernels import popcount
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Word
from pentad.kernels.word_vectors import (
    Lanes,
    broadcast,
    bytes_exchanged,
    four,
    joined,
    load,
    repeat,
    store,
    swapped,
    two,
)

# ── rows of boards ───────────────────────────────────────────────────────────────────────────────

AHEAD = 48  # boards by which the prefetch of lines is ahead
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
# masks of states by the turns of the first and of the second sub-board
FIRST_0 = np.uint64(0x1111_1111_1111_1111)
FIRST_1 = np.uint64(0x2222_2222_2222_2222)
SECOND_EVEN = np.uint64(0x0F0F_0F0F_0F0F_0F0F)


@kernel
def spread(x: Lanes, turn: Words) -> Lanes:
    """All states that one twist leads into these; for two halves at once.

    `turn` has all bits set for each of the four sub-boards that exists.
    """
    found = (x | swapped(x)) & broadcast(turn[3], x)
    pair = x | x >> _2
    turned = pair >> _1 & broadcast(FIRST_0, x) | pair << _1 & broadcast(FIRST_1, x)
    found = found | (turned | turned << _2) & broadcast(turn[0], x)
    pair = x | bytes_exchanged(x)
    even = broadcast(SECOND_EVEN, x)
    found = found | (pair >> _4 & even | pair << _4 & ~even) & broadcast(turn[1], x)
    pair = x | (x << _32 | x >> _32)
    all_: Lanes = found | (pair << _16 | pair >> _48) & broadcast(turn[2], x)
    return all_


# ── unions of boards in the same row ─────────────────────────────────────────────────────────────


@kernel
def join_1(first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Small, more: bool) -> None:
    """Each board from one other; with `more`, added to its contents."""
    o = NONE
    for n in range(count):
        x = load(boards, np.uint64(a[n]), first)
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def join_2(first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Small, b: Small, more: bool) -> None:
    """Each board from two others."""
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
    """Each board from four others."""
    o = NONE
    for n in range(count):
        x = load(boards, np.uint64(a[n]), first) | load(boards, np.uint64(b[n]), first)
        x = x | (load(boards, np.uint64(c[n]), first) | load(boards, np.uint64(d[n]), first))
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def join(first: Lanes, step: Word, boards: Words, out: Words, count: int, table: Small, branches: int) -> None:
    """For each board the union of all `branches` boards reachable from it, by a table of their ranks."""
    branch = 0
    while branches - branch >= 4:
        a, b, c, d = branch * count, (branch + 1) * count, (branch + 2) * count, (branch + 3) * count
        join_4(first, step, boards, out, count, table[a:], table[b:], table[c:], table[d:], branch > 0)
        branch += 4
    if branches - branch >= 2:
        join_2(first, step, boards, out, count, table[branch * count :], table[(branch + 1) * count :], branch > 0)
        branch += 2
    if branches - branch == 1:
        join_1(first, step, boards, out, count, table[branch * count :], branch > 0)


# ── unions of boards in other rows ───────────────────────────────────────────────────────────────
#
# The boards between are made in blocks: sets of the other that differ in the lowest few spaces only. In the order of
# sets, each row below is read from its beginning to its end. One for a space above the lowest few gives as many boards
# as the block has, in the same order: a stream. The others need a table, the same one for all blocks of a kind.

LOW = 6  # the number of the lowest spaces
LOWEST = (1 << LOW) - 1
AHEAD_IN_ROWS = np.uint64(96)  # boards by which the prefetch of rows is ahead


@kernel
def stream_2(first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Word, b: Word, more: bool) -> None:
    """Each board of a block from those in two streams; with `more`, added to its contents."""
    ahead = AHEAD_IN_ROWS * step
    o = NONE
    for _ in range(count):
        prefetch(boards, a + o + ahead)
        prefetch(boards, b + o + ahead)
        x = load(boards, a + o, first) | load(boards, b + o, first)
        if more:
            x = x | load(out, o, first)
        store(out, o, x)
        o += step


@kernel
def stream_4(
    first: Lanes, step: Word, boards: Words, out: Words, count: int, a: Word, b: Word, c: Word, d: Word
) -> None:
    """Each board of a block from those in four streams."""
    ahead = AHEAD_IN_ROWS * step
    o = NONE
    for _ in range(count):
        prefetch(boards, a + o + ahead)
        prefetch(boards, b + o + ahead)
        prefetch(boards, c + o + ahead)
        prefetch(boards, d + o + ahead)
        x = load(boards, a + o, first) | load(boards, b + o, first)
        store(out, o, x | (load(boards, c + o, first) | load(boards, d + o, first)))
        o += step


@kernel
def join_streams(first: Lanes, step: Word, boards: Words, out: Words, count: int, streams: Words, found: int) -> None:
    """Each board of a block from those in `found` streams."""
    if found == 0:
        fill(first & ~first, step, out, count)
        return
    for more in range(3):  # a stream once again changes nothing
        streams[found + more] = streams[found - 1]
    if found <= 2:
        stream_2(first, step, boards, out, count, streams[0], streams[1], False)
        return
    stream_4(first, step, boards, out, count, streams[0], streams[1], streams[2], streams[3])
    for done in range(4, found, 2):
        stream_2(first, step, boards, out, count, streams[done], streams[done + 1], True)


@kernel
def join_rows(
    first: Lanes, step: Word, boards: Words, reads: Words, free: int, low: int, high: int, size: int,
    without: Small, out: Words,
) -> None:  # fmt: skip
    """For each board of a block the union of the boards reachable from it, one in the row of each empty space.

    The other has `high` among the spaces from `low` on, and `size` of those below. The next board of each row is moved
    on.
    """
    heads, streams = reads[:MOST], reads[MOST:]
    count, inner = CHOOSE[low, size], CHOOSE[low - 1, size]
    found = 0
    for space in range(low, free):
        if not high >> (space - low) & 1:
            streams[found] = heads[space]
            found += 1
            heads[space] += step * np.uint64(count)
    join_streams(first, step, boards, out, count, streams, found)
    ahead = AHEAD_IN_ROWS * step
    entry = NONE
    for space in range(low):
        i = heads[space]
        for _ in range(inner):
            prefetch(boards, i + ahead)
            o = np.uint64(without[entry])
            store(out, o, load(out, o, first) | load(boards, i, first))
            i += step
            entry += _1
        heads[space] = i


@kernel
def fill(value: Lanes, step: Word, out: Words, count: int) -> None:
    """Fills with the same board."""
    o = NONE
    for _ in range(count):
        store(out, o, value)
        o += step


# ── results of a move ───────────────────────────────────────────────────────────────────────
#
# The player to move on a board wins with a move to a win or with a line already there, unless the opponent has one;
# and does not lose with a line, or with a move to a non-loss while the opponent has no line. The opponent, who has just
# moved and chosen the rotation, wins in the states that lose for the player to move: hence all states that one twist
# leads there. If the placement gave the opponent a line before any rotation, the opponent has won.
#
# Boards are made in pairs: faster with vectors of eight words, or with vectors of four for halves.


@kernel
def lost_by_mover(first: Lanes, reached: Lanes, mine: Lanes, theirs: Lanes) -> Lanes:
    """The states in which the mover, who is to move, does not win, and in which the mover loses."""
    lost: Lanes = ~((reached | mine) & ~(theirs & ~(mine & ~first)))
    return lost


@kernel
def lost_by_other(first: Lanes, reached: Lanes, mine: Lanes, theirs: Lanes) -> Lanes:
    """The states in which the other, who is to move, does not win, and in which the other loses."""
    lost: Lanes = ~((reached | theirs) & ~(mine & ~(theirs & first)))
    return lost


@kernel
def mover_to_move(
    first: Lanes, step: Word, boards: Words, count: int, mine: Lanes, lines: Words, ranks: Small, known: int,
    here: Word, level: LevelArrays,
) -> None:  # fmt: skip
    """For boards of a row on which the mover, who has the lines `mine`, is to move.

    The other, who has just moved, has the lines at the ranks, in the other half than `here`; before the rotation those
    in the half `here`. There are `known` ranks, those of these boards and of boards after them.
    """
    there, turn, at_once = _2 - here, level.turn, level.at_once
    pair, mine_of_pair = joined(first, first), joined(mine, mine)
    i = NONE
    n = 0
    while n + 1 < count:
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, known - 1)]))
        prefetch(lines, np.uint64(ranks[min(n + AHEAD + 1, known - 1)]))
        a, b = np.uint64(ranks[n]), np.uint64(ranks[n + 1])
        theirs_of_pair = joined(repeat(lines, a + there, first), repeat(lines, b + there, first))
        before_of_pair = joined(repeat(lines, a + here, first), repeat(lines, b + here, first))
        lost_of_pair = lost_by_mover(pair, load(boards, i, pair), mine_of_pair, theirs_of_pair)
        store(boards, i, spread(lost_of_pair, turn) | before_of_pair & broadcast(at_once, pair))
        i += _2 * step
        n += 2
    if n < count:
        a = np.uint64(ranks[n])
        lost = lost_by_mover(first, load(boards, i, first), mine, repeat(lines, a + there, first))
        store(boards, i, spread(lost, turn) | repeat(lines, a + here, first) & broadcast(at_once, first))


@kernel
def other_to_move(
    first: Lanes, step: Word, boards: Words, out: Words, count: int, mine: Lanes, before: Lanes, lines: Words,
    ranks: Small, turn: Words,
) -> None:  # fmt: skip
    """For a row of boards on which the other is to move.

    The mover, who has just moved, has the lines `mine`, and the lines `before` in the states before the rotation. The
    other has the lines at the ranks.
    """
    pair, mine_of_pair, before_of_pair = joined(first, first), joined(mine, mine), joined(before, before)
    i = NONE
    n = 0
    while n + 1 < count:
        prefetch(lines, np.uint64(ranks[min(n + AHEAD, count - 1)]))
        prefetch(lines, np.uint64(ranks[min(n + AHEAD + 1, count - 1)]))
        a, b = np.uint64(ranks[n]), np.uint64(ranks[n + 1])
        theirs_of_pair = joined(repeat(lines, a, first), repeat(lines, b, first))
        lost_of_pair = lost_by_other(pair, load(boards, i, pair), mine_of_pair, theirs_of_pair)
        store(out, i, spread(lost_of_pair, turn) | before_of_pair)
        i += _2 * step
        n += 2
    if n < count:
        theirs = repeat(lines, np.uint64(ranks[n]), first)
        store(out, i, spread(lost_by_other(first, load(boards, i, first), mine, theirs), turn) | before)


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


@kernel
def tables(spaces: int, more: int, step: int, larger: Small, without: Small) -> int:
    """Fills the tables that connect boards in rows of the mover's sets of `more` + 1; they are the same in all rows."""
    free = spaces - more - 1
    low = min(free, LOW)
    table_of_larger(free, more, step, larger)
    for size in range(low):
        table_of_others(low, size, step, without[low * smaller(low - 1, size) :])
    return 0


@kernel
def offset_below(spaces: int, more: int, share: int, at_once: int) -> int:
    """How far before the old boards the new ones must begin, so that no board is overwritten while it is needed.

    Rows are made in shares of `share` rows, of which `at_once` are begun. An old row is needed until the row without
    its least space is made.
    """
    made, old = CHOOSE[spaces - more - 1, more], CHOOSE[spaces - more - 2, more + 1]
    members = first_set(more + 1)
    rows = CHOOSE[spaces, more + 1]
    free = np.int64(0)
    most = np.int64(0)
    over = np.int64(0)
    for row in range(rows):
        if row % share == 0:
            most = max(most, min(row + share * at_once, rows) * made - free * old)
        least = np.int64(0)
        while not members >> least & 1:
            least += 1
        free += least
        members = after(members)
    return max(most, over)


@kernel
def rows_of(first: Lanes, step: int, level: LevelArrays, room: RowRoom, top: Words, start: int, end: int) -> int:
    """Makes the rows `start` to `end` of a level; `top` gets the mover's values after the mover's first marble."""
    boards, places, spaces, more = level.boards, level.places, level.spaces, level.more
    free = spaces - more - 1
    count, wide = CHOOSE[free, more], CHOOSE[free, more + 1]
    size = max(count, wide)
    between, before = room.boards[: step * size], room.boards[step * size : 2 * step * size]
    one, two_, three = room.ranks[:size], room.ranks[size : 2 * size], room.ranks[2 * size : 3 * size]
    spots, children = room.spaces[:MOST], room.spaces[MOST : 2 * MOST]
    low = min(free, LOW)
    words = np.uint64(step)
    # the half of the states of these boards, and of the boards between, a ply before and after
    here = np.uint64(2 * ((2 * more + 1 + level.kind) & 1))
    there = _2 - here
    once = broadcast(level.at_once, first)
    members = at_rank(more + 1, start)
    m = np.uint64(LINES * (smaller(spaces, more + 1) + start))
    for row in range(start, end):
        others(members, spaces, spots)
        mine = repeat(level.mover_lines, m + here, first)
        mine_between = repeat(level.mover_lines, m + there, first)
        m += _4
        ranks = ranks_within(spots, free, more, LINES, one, two_)
        if level.deepest == 2 * more + 1:  # the horizon: neither a win nor a loss
            fill(first, words, before, count)
        else:
            lines = level.other_lines[LINES * smaller(spaces, more + 1) :]
            ranks_extended(spots, free, more, LINES, ranks, three)
            horizon = level.deepest == 2 * more + 2
            if not horizon:
                rows_with_one_more(members, spaces, children)
                width = CHOOSE[free - 1, more + 1]
                for branch in range(free):
                    page, row_in_page = children[branch] // level.page, children[branch] % level.page
                    room.reads[branch] = np.uint64(places[page] + step * width * row_in_page)
            theirs = first_set(more + 1)  # the first one of a block
            made = np.int64(0)
            while made < wide:
                size_low = popcount(theirs & LOWEST)
                block = CHOOSE[low, size_low]
                out = between[step * made :]
                if horizon:
                    fill(~first, words, out, block)
                else:
                    table = level.without[low * smaller(low - 1, size_low) :]
                    join_rows(first, words, boards, room.reads, free, low, theirs >> low, size_low, table, out)
                mover_to_move(first, words, out, block, mine_between, lines, three[made:], wide - made, here, level)
                theirs = after(theirs >> low << low | first_set(size_low) << (low - size_low))
                made += block
            join(first, words, between, before, count, level.larger, free - more)
        lines = level.other_lines[LINES * smaller(spaces, more) + np.int64(here) :]
        if more == 0:
            lost = lost_by_other(first, load(before, NONE, first), mine, repeat(lines, NONE, first))
            store(top, np.uint64(step * row), lost)
        place = level.new + step * count * row
        other_to_move(
            first, words, before, boards[place:], count, mine, mine_between & once, lines, ranks, level.turn
        )  # fmt: skip
        members = after(members)
    return 0


@kernel
def rows(level: LevelArrays, room: RowRoom, top: Words, start: int, end: int) -> int:
    """Rows of boards of four words: the mover's wins, and the mover's losses."""
    return rows_of(four(ALL, ALL, NONE, NONE), 4, level, room, top, start, end)


@kernel
def rows_of_halves(wins: Word, level: LevelArrays, room: RowRoom, top: Words, start: int, end: int) -> int:
    """Rows of boards of two words: the mover's wins if `wins` has all bits set, else the mover's losses."""
    return rows_of(two(wins, wins), 2, level, room, top, start, end)


# ── pages of rows ────────────────────────────────────────────────────────────────────────────────
#
# A packed page begins with the number of literal words. Then come, for each 32 words, their codes of two bits, then the
# literals, then the slots of one byte. A code says whether a word is the one a board before, the word in a slot of a
# table that both sides fill alike, or a literal, which goes into the table. Words of a board have a table each.

SAME, KNOWN, LITERAL = np.uint64(0), np.uint64(1), np.uint64(2)
CODES = 32  # a word has so many
SLOT_BITS = np.uint64(56)  # a hash without all but eight bits
SLOTS = 256
BYTE = np.uint64(0xFF)
MIXED = np.uint64(0x9E37_79B9_7F4A_7C15)


@kernel
def pages_read(
    spaces: int, more: int, start: int, end: int, page: int, seen: Small, scratch: Numbers, out: Small
) -> int:
    """Lists the pages of `page` rows that the rows `start` to `end` read; `seen` has no such page marked before."""
    found = 0
    members = at_rank(more + 1, start)
    for _ in range(start, end):
        rows_with_one_more(members, spaces, scratch)
        for branch in range(spaces - more - 1):
            number = scratch[branch] // page
            if not seen[number]:
                seen[number] = 1
                out[found] = number
                found += 1
        members = after(members)
    for n in range(found):
        seen[out[n]] = 0
    return found


@kernel
def pack(words: Words, step: int, table: Words, slots: Words, out: Words) -> int:
    """Packs boards of `step` words; returns the number of words in `out`."""
    count = len(words)
    table[: SLOTS * step] = NONE
    end = 1 + (count + CODES - 1) // CODES
    filled = 0
    held = NONE
    for first in range(0, count, CODES):
        codes = NONE
        for n in range(min(CODES, count - first)):
            i = first + n
            word = words[i]
            if i >= step and words[i - step] == word:
                continue
            slot = np.int64(word * MIXED >> SLOT_BITS)
            at = slot + SLOTS * (i & (step - 1))
            if table[at] == word:
                codes |= KNOWN << np.uint64(2 * n)
                held |= np.uint64(slot) << np.uint64(8 * (filled & 7))
                filled += 1
                if filled & 7 == 0:
                    slots[(filled >> 3) - 1] = held
                    held = NONE
            else:
                table[at] = word
                codes |= LITERAL << np.uint64(2 * n)
                out[end] = word
                end += 1
        out[1 + first // CODES] = codes
    out[0] = np.uint64(end)
    if filled & 7:
        slots[filled >> 3] = held
    for n in range((filled + 7) >> 3):
        out[end + n] = slots[n]
    return end + ((filled + 7) >> 3)


@kernel
def unpack(packed: Words, step: int, table: Words, words: Words) -> int:
    """Fills `words` with the boards that were packed; returns -1 if they are not as `pack` made them."""
    count = len(words)
    table[: SLOTS * step] = NONE
    literal = 1 + (count + CODES - 1) // CODES
    slots = packed[packed[0] :]
    filled = 0
    for first in range(0, count, CODES):
        codes = packed[1 + first // CODES]
        for n in range(min(CODES, count - first)):
            i = first + n
            code = codes & _3
            codes >>= _2
            if code == SAME:
                if i < step:
                    return -1
                words[i] = words[i - step]
                continue
            if code == KNOWN:
                if filled >> 3 >= len(slots):
                    return -1
                slot = np.int64(slots[filled >> 3] >> np.uint64(8 * (filled & 7)) & BYTE)
                filled += 1
                words[i] = table[slot + SLOTS * (i & (step - 1))]
            else:
                if literal >= len(packed):
                    return -1
                word = packed[literal]
                literal += 1
                table[np.int64(word * MIXED >> SLOT_BITS) + SLOTS * (i & (step - 1))] = word
                words[i] = word
    return 0


NATIVE = {
    "lines_of_sets": lines_of_sets,
    "offset_below": offset_below,
    "tables": tables,
    "rows": rows,
    "pages_read": pages_read,
    "pack": pack,
    "unpack": unpack,
    "rows_of_halves": rows_of_halves,
}
