"""Rules of classic Pentago for the engine: lookup tables, immediate wins, and whole turns with their results.

After a turn the colours are exchanged. A turn is `9 * cell + twist` with `cell = 9 * q + i`; twist 0 is none (the
placement wins), else `1 + 2 * q + direction`.
"""

from __future__ import annotations

from typing import Annotated

from pentad.games.pentago.engine.constants import BITS, CELLS, PATTERN, PATTERNS, ROOM, SETS, SYMMETRIES, Images, Rules
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.types import Int16s, Int64s, Rows, RowSize, UInt32s, UInt64s

MIX = 0x2545F4914F6CDD1D
ALL_LINES = (1 << 32) - 1


@kernel
def fives(board: Int64s, rules: Rules) -> int:
    """1 if the mover has five in a row, 2 if the opponent has, 3 if both have."""
    lines = rules.lines
    mine = lines[0, board[0], 0] & lines[1, board[1], 0] & lines[2, board[2], 0] & lines[3, board[3], 0]
    theirs = lines[0, board[0], 2] & lines[1, board[1], 2] & lines[2, board[2], 2] & lines[3, board[3], 2]
    return (1 if mine else 0) | (2 if theirs else 0)


@kernel
def opponent_has_five(p0: int, p1: int, p2: int, p3: int, rules: Rules) -> int:
    lines = rules.lines
    return 1 if lines[0, p0, 2] & lines[1, p1, 2] & lines[2, p2, 2] & lines[3, p3, 2] else 0


@kernel
def find_win(p0: int, p1: int, p2: int, p3: int, placement: int, rules: Rules) -> int:
    """Finds an immediate win by trying a placement and each twist; the results are those of `can_win`."""
    lines, turn = rules.lines, rules.turn
    f0, n0, f1, n1 = lines[0, p0, 0], lines[0, p0, 1], lines[1, p1, 0], lines[1, p1, 1]
    f2, n2, f3, n3 = lines[2, p2, 0], lines[2, p2, 1], lines[3, p3, 0], lines[3, p3, 1]
    f01, n01 = f0 & f1, (f0 & n1) | (n0 & f1)
    f23, n23 = f2 & f3, (f2 & n3) | (n2 & f3)
    if placement and ((f01 & n23) | (n01 & f23)):
        return 1
    a23, b01 = f23 | n23, f01 | n01  # lines that lack at most one marble in two sub-boards
    for d in range(2):
        t = turn[d, p0]
        f, n = lines[0, t, 0], lines[0, t, 1]
        if (f & f1 & a23) | (((f & n1) | (n & f1)) & f23) and not opponent_has_five(t, p1, p2, p3, rules):
            return 2 + d
        t = turn[d, p1]
        f, n = lines[1, t, 0], lines[1, t, 1]
        if (f0 & f & a23) | (((f0 & n) | (n0 & f)) & f23) and not opponent_has_five(p0, t, p2, p3, rules):
            return 4 + d
        t = turn[d, p2]
        f, n = lines[2, t, 0], lines[2, t, 1]
        if (b01 & f & f3) | (f01 & ((f & n3) | (n & f3))) and not opponent_has_five(p0, p1, t, p3, rules):
            return 6 + d
        t = turn[d, p3]
        f, n = lines[3, t, 0], lines[3, t, 1]
        if (b01 & f2 & f) | (f01 & ((f2 & n) | (n2 & f))) and not opponent_has_five(p0, p1, p2, t, rules):
            return 8 + d
    return 0


@kernel
def can_win(p0: int, p1: int, p2: int, p3: int, placement: int, rules: Rules) -> int:
    """Finds an immediate win: 0 none, 1 by placement alone, 2 + twist with a twist.

    `placement` is 1 if five in a row before the twist win.
    """
    lines = rules.lines
    w0, a0, w1, a1 = lines[0, p0, 4], lines[0, p0, 5], lines[1, p1, 4], lines[1, p1, 5]
    w2, a2, w3, a3 = lines[2, p2, 4], lines[2, p2, 5], lines[3, p3, 4], lines[3, p3, 5]
    if (w0 & a1 | a0 & w1) & w2 & w3 | w0 & w1 & (w2 & a3 | a2 & w3):  # in reach if all sub-boards could be turned
        return find_win(p0, p1, p2, p3, placement, rules)
    return 0


@kernel
def unpack(key: int, board: Int64s) -> None:
    """The four sub-boards of a key."""
    for q in range(4):
        board[q] = key >> (BITS * q) & PATTERN


@kernel
def clear(room: Int64s) -> None:
    """Empties the hash set of results."""
    for i in range(ROOM):
        room[i] = -1


@kernel
def add_results(board: Int64s, q: int, rules: Rules, count: int, keys: Int64s, turns: Int64s, room: Int64s) -> int:
    """Adds the boards after placements on sub-board `q` to a list of `count`; returns the new number.

    The list has the keys of the different boards after each whole turn, seen by the opponent, with a turn for each.
    `room` is the set of them, with space for `ROOM` numbers. Winning placements are not checked here: a twist follows
    every placement.
    """
    turn, exchange, powers = rules.turn, rules.exchange, rules.powers
    whole = np.int64(0)
    for other in range(4):
        whole |= np.int64(exchange[board[other]]) << (BITS * other)
    rest = board[q]
    for i in range(CELLS):
        digit = rest % 3
        rest //= 3
        if digit:
            continue
        mine = board[q] + powers[i]
        placed = (whole & ~(PATTERN << (BITS * q))) | np.int64(exchange[mine]) << (BITS * q)
        for other in range(4):
            pattern = mine if other == q else board[other]
            cleared = placed & ~(PATTERN << (BITS * other))
            directions = 1 if turn[0, pattern] == turn[1, pattern] else 2
            for d in range(directions):
                key = cleared | np.int64(exchange[turn[d, pattern]]) << (BITS * other)
                slot = ((key * MIX) >> 50) & (ROOM - 1)
                while room[slot] >= 0 and room[slot] != key:
                    slot = (slot + 1) & (ROOM - 1)
                if room[slot] < 0:
                    room[slot] = key
                    keys[count], turns[count] = key, 9 * (9 * q + i) + 1 + 2 * other + d
                    count += 1
    return count


@kernel
def results(board: Int64s, rules: Rules, keys: Int64s, turns: Int64s, room: Int64s) -> int:
    """Lists the results of all turns; returns their number."""
    clear(room)
    count = 0
    for q in range(4):
        count = add_results(board, q, rules, count, keys, turns, room)
    return count


# ── lookup tables: quarter turns, colours, lines and symmetries of patterns ───────────────────────


@kernel
def fill_moved(images: Int16s, to: Int64s, powers: Int64s, exchange: int) -> None:
    """Fills the images of all patterns if cell `i` moves to `to[i]`; with `exchange` the colours change too."""
    images[0] = 0
    for i in range(CELLS):
        known = powers[i]  # patterns of the cells before
        for digit in range(1, 3):
            moved = (3 - digit if exchange else digit) * powers[to[i]]
            for p in range(known):
                images[digit * known + p] = images[p] + moved


@kernel
def fill_sets(through: Int64s, powers: Int64s, sets: Rows[UInt32s]) -> None:
    """Fills the first four sets of a sub-board's patterns (see `fill_tables`).

    `through` has the lines through each cell. The sets of a pattern follow from those of the pattern without its last
    cell; until that cell's turn it is left out of its lines.
    """
    for number in range(4):
        sets[0, number] = ALL_LINES * (number % 2 == 0)
    for i in range(CELLS):
        known, here = powers[i], through[i]
        others = ALL_LINES & ~here
        for p in range(known):
            before, mine, theirs = sets[p], sets[known + p], sets[2 * known + p]
            for number in range(0, 4, 2):
                full, near = before[number], before[number + 1]
                own, other = (theirs, mine) if number else (mine, theirs)
                own[number], own[number + 1] = full, near
                other[number], other[number + 1] = full & others, near & others
                before[number], before[number + 1] = full & others, near & others | full & here


@kernel
def fill_tables(
    spaces: Annotated[Rows[Int64s], RowSize(CELLS)], lines: UInt64s, images_of: Annotated[Rows[Int64s], RowSize(CELLS)],
    rules: Rules, symmetries: Images, cells: Int64s,
) -> None:  # fmt: skip
    """Fills the tables; `cells` is room for nine numbers.

    `rules.lines[q, p]` gets six sets of lines of sub-board `q` with pattern `p`: those whose spaces there all belong to
    the mover, those that lack one marble on an empty space, and the same for the opponent; then the mover's full ones
    and those that are full or lack one, after any or no quarter turn. `images_of` has for each symmetry the images of
    the first sub-board's cells.
    """
    sets, turn, exchange, powers = rules.lines, rules.turn, rules.exchange, rules.powers
    for i in range(CELLS):
        cells[i] = i
    fill_moved(exchange, cells, powers, 1)
    for direction in range(2):
        for i in range(CELLS):
            cells[i] = 3 * (2 - i % 3) + i // 3 if direction else 3 * (i % 3) + 2 - i // 3
        fill_moved(turn[direction], cells, powers, 0)
    for g in range(SYMMETRIES):
        fill_moved(symmetries.images[g], images_of[g], powers, 0)
    for q in range(4):
        for i in range(CELLS):
            cells[i] = 0
            for number in range(len(lines)):
                cells[i] |= np.int64((lines[number] >> np.uint64(spaces[q, i])) & np.uint64(1)) << number
        fill_sets(cells, powers, sets[q])
        for p in range(PATTERNS):
            here = sets[q, p]
            here[SETS - 2], here[SETS - 1] = here[0], here[0] | here[1]
            for d in range(2):
                turned = sets[q, turn[d, p]]
                here[SETS - 2] |= turned[0]
                here[SETS - 1] |= turned[0] | turned[1]
