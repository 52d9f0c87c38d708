"""Kernels of the learned evaluation: vectors of codes, summed over the empty points, and a small network above them.

Every code has a row of numbers: a vector as white sees it, and one as black does. The rows of a point's four codes are
added and clipped to 0..`CLIP`, so that a point's vector depends on its codes together. The sums over all empty points
are kept level by level of the search: a stone changes one code of each point in its reach. A hidden layer takes both
colours' sums, the mover's first. All arithmetic is in integers, so that every machine gives the same score.
"""

from __future__ import annotations

from typing import Annotated

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import Codes, Words
from pentad.games.pente.engine.position_kernels import STEPS
from pentad.kernels.decorator import kernel
from pentad.kernels.integer_vectors import (
    WORDS,
    Shorts,
    first_words,
    larger,
    last_words,
    load_shorts,
    load_words,
    same_shorts,
    smaller,
    store,
)
from pentad.kernels.numbers import np
from pentad.kernels.types import Int16s, Int32s, Rows, RowSize, Word

Vectors = Annotated[Rows[Int16s], RowSize(k.ROW)]
Vector = Int16s
Sums = Int32s
WHITES, BLACKS = np.uint64(0), np.uint64(k.WIDTH)  # where the halves of a row begin: as white sees it, as black does
_0, _CLIP, _MOST = np.int16(0), np.int16(k.CLIP), np.int32(k.LARGEST_SUM)


@kernel
def fill_rows(own: Codes, rows: Int16s, swapped: Codes, reach: int, nearer: int) -> int:
    """Numbers the codes with stones: a code and its mirror image have one row; all others, row 0.

    Writes to `own` the row of each code of the reach `nearer`, to `rows` that of each code by its nearer stones, and to
    `swapped` the row of each row with the colours exchanged; returns the number of rows.
    """
    side, count, most = (1 << nearer) - 1, 1, 1 << 4 * nearer
    for code in range(most):
        white, black = code & ((1 << 2 * nearer) - 1), code >> 2 * nearer
        right, left = ~(white & black) & side, ~((white & black) >> nearer) & side
        if white == black or right & (right + 1) or left & (left + 1):  # no stone, or points beyond the edge are inside
            continue
        mirrored = (white & side) << nearer | white >> nearer
        mirrored |= ((black & side) << nearer | black >> nearer) << 2 * nearer
        if mirrored < code:
            own[code] = own[mirrored]
        else:
            own[code] = count
            count += 1
    for code in range(most):
        swapped[own[code]] = own[code >> 2 * nearer | (code & ((1 << 2 * nearer) - 1)) << 2 * nearer]
    for code in range(len(rows)):
        short = 0
        for number in range(4):
            short |= (code >> number * reach & side) << number * nearer
        rows[code] = own[short]
    return count


@kernel
def spread_values(rows: Int16s, own: Codes, shapes: Codes, values: Codes) -> None:
    """Fills the values of codes by those of their rows, and the values of shapes after them."""
    for code in range(len(rows)):
        values[code] = own[rows[code]]
    for name in range(k.NAMES):
        values[len(rows) + name] = shapes[name]


@kernel
def fill_vectors(own: Codes, swapped: Codes, vectors: Vectors) -> None:
    """Fills the rows of both colours by the vectors of one."""
    for row in range(len(vectors)):
        vector, mine, theirs = vectors[row], k.WIDTH * row, k.WIDTH * swapped[row]
        for j in range(k.WIDTH):
            vector[j] = own[mine + j]
            vector[k.WIDTH + j] = own[theirs + j]


@kernel
def fill_orders(order: Codes, swapped: Codes, orders: Int16s) -> None:
    """Copies the ranks of kinds, and fills those of all rows, as white and as black moves, by those of the mover."""
    for i in range(k.ROW_ORDERS):
        orders[i] = order[i]
    for row in range(len(swapped)):
        orders[k.ROW_ORDERS + 2 * row] = order[k.ROW_ORDERS + row]
        orders[k.ROW_ORDERS + 2 * row + 1] = order[k.ROW_ORDERS + swapped[row]]


@kernel
def vector_of(vectors: Vectors, rows: Int16s, code: int) -> Vector:
    """The vector of a code. Unsigned indices spare the check for negative ones."""
    vector: Vector = vectors[np.uint64(rows[np.uint64(code)])]
    return vector


@kernel
def add_point(vectors: Vectors, total: Sums, rows: Int16s, board: Codes, point: int, sign: int) -> None:
    """Adds a point's vector to a sum, or subtracts it; that before the changes in `CHANGES`, if there are any."""
    codes, changes = k.CODES + k.AXES * point, k.CHANGES + k.AXES * point
    a = vector_of(vectors, rows, board[codes] ^ board[changes])
    b = vector_of(vectors, rows, board[codes + 1] ^ board[changes + 1])
    c = vector_of(vectors, rows, board[codes + 2] ^ board[changes + 2])
    d = vector_of(vectors, rows, board[codes + 3] ^ board[changes + 3])
    sign32 = np.int32(sign)
    for j in range(k.ROW):
        value = np.int16(np.int16(a[j] + b[j]) + np.int16(c[j] + d[j]))
        value = min(max(value, _0), _CLIP)
        total[j] = np.int32(total[j] + np.int32(sign32 * value))


@kernel
def sum_points(board: Codes, state: Words, rows: Int16s, vectors: Vectors, total: Sums) -> None:
    """Sums the vectors of all empty points."""
    size = state[k.SIZE]
    for j in range(k.ROW):
        total[j] = 0
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] == k.EMPTY:
                codes = k.CODES + k.AXES * point
                near = rows[board[codes]] | rows[board[codes + 1]] | rows[board[codes + 2]] | rows[board[codes + 3]]
                if near:  # it sees a stone
                    add_point(vectors, total, rows, board, point, 1)


@kernel
def note_changes(board: Codes, reach: int, point: int, colour: int) -> None:
    """Notes the bits of the codes around a point that a stone of a colour changes there, placed or removed."""
    for way in range(2 * k.AXES):
        bit = 1 << (2 * colour + way // k.AXES) * reach
        here = point
        for _ in range(reach):
            here += STEPS[way]
            board[k.CHANGES + k.AXES * here + (way & 3)] ^= bit
            bit <<= 1


@kernel
def settle(
    board: Codes, rows: Int16s, vectors: Vectors, total: Sums, point: int, was_empty: bool, is_empty: bool
) -> None:  # fmt: skip
    """Changes a sum by what the changes of its codes do to a point's vector, and clears them."""
    if was_empty:
        add_point(vectors, total, rows, board, point, -1)
    for axis in range(k.AXES):
        board[k.CHANGES + k.AXES * point + axis] = 0
    if is_empty:
        add_point(vectors, total, rows, board, point, 1)


@kernel
def sum_after_captures(board: Codes, state: Words, rows: Int16s, vectors: Vectors, total: Sums, undo: int) -> None:
    """Changes the sum before the last move, which removed stones, to that after it."""
    reach, mover, taken = state[k.REACH], state[k.MOVER], board[undo + 1]
    stones = 1 + taken + board[undo + 2]  # the one placed, those taken, those of the same colour
    for i in range(stones):
        note_changes(board, reach, board[undo + 3 + i] if i else board[undo], mover if 0 < i <= taken else 1 - mover)
    settle(board, rows, vectors, total, board[undo], True, False)
    for i in range(1, stones):
        settle(board, rows, vectors, total, board[undo + 3 + i], False, True)
    for i in range(stones):
        for way in range(2 * k.AXES):
            here = board[undo + 3 + i] if i else board[undo]
            for _ in range(reach):
                here += STEPS[way]
                changes = k.CHANGES + k.AXES * here
                if board[changes] | board[changes + 1] | board[changes + 2] | board[changes + 3]:
                    is_empty = board[k.HELD + here] == k.EMPTY
                    settle(board, rows, vectors, total, here, is_empty, is_empty)


@kernel
def sum_of(a: Vector, b: Vector, c: Vector, half: Word) -> Shorts:
    """The sum of three codes' vectors in one half."""
    found: Shorts = load_shorts(a, half) + load_shorts(b, half) + load_shorts(c, half)
    return found


@kernel
def clipped(sums: Shorts) -> Shorts:
    """A point's vector in one half, by the sum of its codes' vectors."""
    found: Shorts = smaller(larger(sums, same_shorts(0)), same_shorts(k.CLIP))
    return found


@kernel
def add_half(total: Sums, half: Word, change: Shorts) -> None:
    """Adds a change to one half of the sums."""
    middle = half + np.uint64(WORDS)
    store(total, half, load_words(total, half) + first_words(change))
    store(total, middle, load_words(total, middle) + last_words(change))


@kernel
def sum_after(
    board: Codes, state: Words, rows: Int16s, vectors: Vectors, before: Sums, total: Sums, point: int
) -> None:
    """Sums the vectors after a move by those before it."""
    for j in range(k.ROW):
        total[j] = before[j]
    undo = k.UNDO + k.UNDO_ROW * (state[k.MADE] - 1)
    if board[undo + 1] + board[undo + 2]:
        sum_after_captures(board, state, rows, vectors, total, undo)
        return
    add_point(vectors, total, rows, board, point, -1)
    white, black = same_shorts(0), same_shorts(0)  # 16 bits hold the changes of all points that a move reaches
    reach = state[k.REACH]
    first = 1 << (2 * (1 - state[k.MOVER]) * reach)
    for way in range(2 * k.AXES):
        axis, step = way & 3, STEPS[way]
        bit = first if way < k.AXES else first << reach
        second, third, fourth = axis + 1 & 3, axis + 2 & 3, axis + 3 & 3
        here = point
        for _ in range(reach):
            here += step
            codes = k.CODES + k.AXES * here
            code = board[np.uint64(codes + axis)]
            was, now = rows[np.uint64(code ^ bit)], rows[np.uint64(code)]
            bit <<= 1
            if board[np.uint64(k.HELD + here)] != k.EMPTY or was == now:
                continue
            old, new = vectors[np.uint64(was)], vectors[np.uint64(now)]
            a = vector_of(vectors, rows, board[np.uint64(codes + second)])
            b = vector_of(vectors, rows, board[np.uint64(codes + third)])
            c = vector_of(vectors, rows, board[np.uint64(codes + fourth)])
            others = sum_of(a, b, c, WHITES)
            white = white + clipped(others + load_shorts(new, WHITES)) - clipped(others + load_shorts(old, WHITES))
            others = sum_of(a, b, c, BLACKS)
            black = black + clipped(others + load_shorts(new, BLACKS)) - clipped(others + load_shorts(old, BLACKS))
    add_half(total, WHITES, white)
    add_half(total, BLACKS, black)


@kernel
def race_step(state: Words, colour: int) -> int:
    """How far a colour has come to the captures that win."""
    if state[k.CAPTURE_WIN] == 0:
        return 0
    return int(min(k.RACE_STEPS - 1, state[k.STONES_TAKEN + colour] * (k.RACE_STEPS - 1) // state[k.CAPTURE_WIN]))


@kernel
def score_of_sums(state: Words, total: Sums, head: Codes, my_kind: int, their_kind: int) -> int:
    """The network's score for the colour to move.

    The loop over the units stores nothing, and its numbers fit into 32 bits, so that compilers vectorise it.
    """
    me = state[k.MOVER]
    mine, theirs = (
        total[k.WIDTH * me : k.WIDTH * me + k.WIDTH],
        total[k.WIDTH * (1 - me) : k.WIDTH * (1 - me) + k.WIDTH],
    )
    biases = head[k.BIASES + k.HIDDEN * my_kind :]
    their_biases = head[k.BIASES + k.HIDDEN * (k.KINDS + their_kind) :]
    my_race = head[k.BIASES + k.HIDDEN * (2 * k.KINDS + race_step(state, me)) :]
    their_race = head[k.BIASES + k.HIDDEN * (2 * k.KINDS + k.RACE_STEPS + race_step(state, 1 - me)) :]
    out, shift, score = head[k.OUT :], np.int32(k.HIDDEN_SHIFT), np.int64(0)
    for unit in range(k.HIDDEN):
        value = np.int32(np.int32(biases[unit] + their_biases[unit]) + np.int32(my_race[unit] + their_race[unit]))
        for j in range(k.WIDTH):
            value = np.int32(value + np.int32(min(mine[j], _MOST) * head[k.HIDDEN * j + unit]))
        for j in range(k.WIDTH):
            value = np.int32(value + np.int32(min(theirs[j], _MOST) * head[k.HIDDEN * (k.WIDTH + j) + unit]))
        score += np.int64(max(np.int32(value >> shift), np.int32(0))) * out[unit]
    return int((score + out[k.HIDDEN]) >> k.OUT_SHIFT)
