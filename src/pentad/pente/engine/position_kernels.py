"""Kernels of the search position: make and unmake moves, with incremental codes, threat lists and evaluation.

For every point `board` and `state` hold the codes of its neighbourhood (see `shape_kernels`) and their sum over the
axes; for every empty point also the kind of threat that a stone there would make, in one list for each kind, and the
value of its codes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pente.engine.constants import (
    A_FIVE,
    A_FOUR,
    A_THREE,
    AXES,
    BLACK,
    BLOCKED_TIE,
    CAPTURE_WIN,
    CAPTURES,
    CODES,
    COUNTS,
    DOUBLE_THREE,
    DRAWN,
    EDGE,
    EMPTY,
    FIELD,
    FIVE,
    FOUR,
    FOUR_AND_THREE,
    FREE,
    FREE_THREES,
    HASH,
    HELD,
    KINDS,
    LINE,
    LIST_CAPACITY,
    LISTS,
    LONG,
    LOST,
    MADE,
    MOVER,
    ONGOING,
    OPEN_FOUR,
    OPEN_THREE,
    OPENING,
    OUTSIDE,
    OVERLINE,
    PLACED,
    PLACES,
    POINTS,
    POOF,
    POSSIBLE_LINES,
    REACH,
    SIDE,
    SIZE,
    STANDING,
    STANDS,
    STONES_TAKEN,
    STRIDE,
    SUMS,
    TAKEN,
    TAKEN_BITS,
    TAKES,
    TAKING,
    TAKING_PLACES,
    THREES,
    UNDO,
    UNDO_ROW,
    VALUE,
    WHITE,
    WINNING_FOUR,
    WON,
)
from pentad.pente.engine.shape_kernels import Codes, Words, made, sum_fields

_STEPS = [1, STRIDE, STRIDE + 1, STRIDE - 1]
STEPS = np.array([-step for step in _STEPS] + _STEPS, dtype=np.int64)  # both directions of each axis

_CODES, _HELD, _SUMS, _AXES, _1 = (np.uint64(each) for each in (CODES, HELD, SUMS, AXES, 1))


def _kinds() -> NDArray[np.int64]:
    """The kind of threat for each value of the lowest bits of one colour's half of a sum."""
    found = np.zeros(1 << 12, dtype=np.int64)
    for bits in range(len(found)):
        fives, open_fours, fours, threes = (bits >> FIELD[each] & 7 for each in (FIVE, OPEN_FOUR, FOUR, OPEN_THREE))
        kind = 0
        if threes:
            kind = A_THREE if threes == 1 else THREES
        if fours:
            kind = FOUR_AND_THREE if threes else A_FOUR
        if open_fours or fours > 1:
            kind = WINNING_FOUR
        if fives:
            kind = A_FIVE
        found[bits] = kind
    return found


KIND_OF = _kinds()
FIELD_OF_FIVE = FIELD[FIVE]
KIND_BITS = len(KIND_OF) - 1
LIST_BITS = (KIND_BITS | TAKEN_BITS << TAKEN) * (1 + (1 << SIDE))  # the bits that decide which lists a point is in
_chance = np.random.default_rng(19)
KEYS = _chance.integers(1 << 62, size=2 * POINTS, dtype=np.int64)
TAKEN_KEYS = _chance.integers(1 << 62, size=(2, 1 << 10), dtype=np.int64)
MOVER_KEY, STANDING_KEY = (int(each) for each in _chance.integers(1 << 62, size=2))


@kernel
def add_to_list(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Appends a point to a list."""
    which = colour * KINDS + kind
    count = state[COUNTS + which]
    board[LISTS + which * LIST_CAPACITY + count] = point
    board[places + colour * POINTS + point] = count
    state[COUNTS + which] = count + 1


@kernel
def remove_from_list(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Removes a point from a list; the last one takes its place."""
    which = colour * KINDS + kind
    count = state[COUNTS + which] - 1
    state[COUNTS + which] = count
    last = board[LISTS + which * LIST_CAPACITY + count]
    place = board[places + colour * POINTS + point]
    board[LISTS + which * LIST_CAPACITY + place] = last
    board[places + colour * POINTS + last] = place


@kernel
def update_lists(board: Codes, state: Words, point: int, old: int, new: int) -> None:
    """Moves an empty point between the lists after its sum has changed."""
    for colour in range(2):
        before, after = old >> SIDE * colour, new >> SIDE * colour
        was, now = KIND_OF[before & KIND_BITS], KIND_OF[after & KIND_BITS]
        if was != now:
            if was:
                remove_from_list(board, state, colour, was, PLACES, point)
            if now:
                add_to_list(board, state, colour, now, PLACES, point)
        took, takes = before >> TAKEN & TAKEN_BITS, after >> TAKEN & TAKEN_BITS
        if (took == 0) != (takes == 0):
            if took:
                remove_from_list(board, state, colour, TAKING, TAKING_PLACES, point)
            else:
                add_to_list(board, state, colour, TAKING, TAKING_PLACES, point)


@kernel
def update_codes(board: Codes, state: Words, sums: Words, values: Codes, point: int, colour: int) -> None:
    """Updates the codes around a point after a stone was placed or removed: one bit changes in each code.

    This is the hot loop. Unsigned indices spare the check for negative ones.
    """
    reach, worth = np.uint64(state[REACH]), 0
    first = _1 << (np.uint64(2 * colour) * reach)
    for way in range(2 * AXES):
        axis, step = np.uint64(way & 3), np.uint64(STEPS[way])
        bit = first if way < AXES else first << reach  # first the points that have the stone on their right
        here = np.uint64(point)
        for _ in range(reach):
            here += step
            code = _CODES + _AXES * here + axis
            old = np.uint64(board[code])
            new = old ^ bit
            bit <<= _1
            board[code] = np.int32(new)
            before = state[_SUMS + here]
            after = before + sums[new] - sums[old]
            state[_SUMS + here] = after
            if board[_HELD + here] == EMPTY:
                worth += values[new] - values[old]
                if (before ^ after) & LIST_BITS:
                    update_lists(board, state, int(here), before, after)
    state[VALUE] += worth


@kernel
def update_long_lines(board: Codes, state: Words, values: Codes, point: int) -> None:
    """Updates the shapes around a point, for lines that are longer than the codes reach."""
    line, overline = state[LINE], state[OVERLINE]
    reach = line - 1 if overline else line
    named = len(values) - 256
    for axis in range(AXES):
        step = STEPS[AXES + axis]
        for way in (-step, step):
            here = point
            for _ in range(reach):
                here += way
                if board[HELD + here] == OUTSIDE:
                    break
                update_long_line(board, state, values, here, axis, reach, named)
        update_long_line(board, state, values, point, axis, reach, named)


@kernel
def update_long_line(board: Codes, state: Words, values: Codes, point: int, axis: int, reach: int, named: int) -> None:
    """Updates the shapes that stones on a point make along one axis, counted from the board."""
    step = STEPS[AXES + axis]
    white, black = 0, 0
    seen = 1 << reach
    for way in (-1, 1):
        here = point
        for k in range(1, reach + 1):
            here += way * step
            held = board[HELD + here]
            if held == OUTSIDE:
                break
            bit = 1 << (reach + way * k)
            seen |= bit
            if held == WHITE:
                white |= bit
            elif held == BLACK:
                black |= bit
    middle = 1 << reach
    line, overline = state[LINE], state[OVERLINE]
    new = made(white | middle, seen & ~black, reach, line, overline)
    new |= made(black | middle, seen & ~white, reach, line, overline) << 4
    place = LONG + AXES * point + axis
    old = board[place]
    if new == old:
        return
    board[place] = new
    change = sum_fields(new) - sum_fields(old)
    before = state[SUMS + point]
    state[SUMS + point] = before + change
    if board[HELD + point] == EMPTY:
        state[VALUE] += values[named + new] - values[named + old]
        update_lists(board, state, point, before, before + change)


@kernel
def own_value(board: Codes, values: Codes, point: int) -> int:
    """The value of a point's own codes."""
    named = len(values) - 256
    total = 0
    for axis in range(AXES):
        total += values[board[CODES + AXES * point + axis]]
        total += values[named + board[LONG + AXES * point + axis]]
    return total


@kernel
def place(board: Codes, state: Words, sums: Words, values: Codes, point: int, colour: int) -> None:
    """Places a stone on an empty point."""
    update_lists(board, state, point, state[SUMS + point], 0)
    state[VALUE] -= own_value(board, values, point)
    board[HELD + point] = WHITE + colour
    state[HASH] ^= KEYS[2 * point + colour]
    state[FREE] -= 1
    update_codes(board, state, sums, values, point, colour)
    if state[LINE] > state[REACH] + 1:
        update_long_lines(board, state, values, point)


@kernel
def lift(board: Codes, state: Words, sums: Words, values: Codes, point: int) -> None:
    """Removes a stone."""
    colour = board[HELD + point] - WHITE
    board[HELD + point] = EMPTY
    update_lists(board, state, point, 0, state[SUMS + point])
    state[VALUE] += own_value(board, values, point)
    state[HASH] ^= KEYS[2 * point + colour]
    state[FREE] += 1
    update_codes(board, state, sums, values, point, colour)
    if state[LINE] > state[REACH] + 1:
        update_long_lines(board, state, values, point)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def may_place(state: Words, point: int, colour: int) -> bool:
    """Whether the rules allow a colour to place a stone on an empty point."""
    if state[PLACED] < 3 and not state[OPENING + point] >> state[PLACED] & 1:
        return False
    if state[DOUBLE_THREE]:
        return True
    side = state[SUMS + point] >> SIDE * colour
    return bool(side >> FREE_THREES & 7 < 2 or side >> TAKEN & TAKEN_BITS > 0)


@kernel
def take(board: Codes, entries: Codes, point: int, colour: int, undo: int) -> int:
    """Writes the stones that a move captures to the undo stack; returns their number."""
    count = 0
    for axis in range(AXES):
        takes = entries[board[CODES + AXES * point + axis]] >> (TAKES + 4 * colour) & 15
        for k in range(1, (takes & 3) + 1):
            board[undo + count] = point + k * STEPS[AXES + axis]
            count += 1
        for k in range(1, (takes >> 2) + 1):
            board[undo + count] = point - k * STEPS[AXES + axis]
            count += 1
    return count


@kernel
def poof(board: Codes, state: Words, point: int, colour: int, undo: int) -> int:
    """Writes the stones that a move loses by moving into a bracket to the undo stack; returns their number."""
    count = 0
    mine, other = WHITE + colour, WHITE + 1 - colour
    for axis in range(AXES):
        step = STEPS[AXES + axis]
        high, low = point, point
        while board[HELD + high + step] == mine:
            high += step
        while board[HELD + low - step] == mine:
            low -= step
        length = (high - low) // step + 1
        if 2 <= length <= state[CAPTURES] and board[HELD + high + step] == other and board[HELD + low - step] == other:
            for k in range(length):
                if low + k * step != point:
                    board[undo + count] = low + k * step
                    count += 1
    if count:
        board[undo + count] = point
        count += 1
    return count


@kernel
def any_line(board: Codes, state: Words, colour: int, overline: int) -> bool:
    """Whether a colour has a line anywhere; with `overline` a longer one counts."""
    mine, line, size = WHITE + colour, state[LINE], state[SIZE]
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] != mine:
                continue
            for axis in range(AXES):
                step = STEPS[AXES + axis]
                if board[HELD + point - step] == mine:
                    continue
                length = 1
                while board[HELD + point + length * step] == mine:
                    length += 1
                if length == line or (length > line and overline):
                    return True
    return False


@kernel
def is_blocked(board: Codes, state: Words) -> bool:
    """Whether no colour can make a line any more."""
    size = state[SIZE]
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] == EMPTY and state[SUMS + point] >> POSSIBLE_LINES:
                return False
    if state[OVERLINE]:
        return True
    return not any_line(board, state, 0, 1) and not any_line(board, state, 1, 1)  # an overline is no line, but remains


@kernel
def make(board: Codes, state: Words, entries: Codes, sums: Words, values: Codes, point: int) -> int:
    """Makes a move for the colour to move; returns its result."""
    colour = state[MOVER]
    other = 1 - colour
    undo = UNDO + UNDO_ROW * state[MADE]
    state[MADE] += 1
    fives = state[SUMS + point] >> (SIDE * colour + FIELD_OF_FIVE) & 7
    taken = 0
    if state[SUMS + point] >> (SIDE * colour + TAKEN) & TAKEN_BITS:
        taken = take(board, entries, point, colour, undo + 4)
    place(board, state, sums, values, point, colour)
    lost = 0
    if state[POOF]:
        lost = poof(board, state, point, colour, undo + 4 + taken)
    board[undo] = point
    board[undo + 1] = taken
    board[undo + 2] = lost
    board[undo + 3] = state[STANDING]
    for i in range(taken + lost):
        lift(board, state, sums, values, board[undo + 4 + i])
    state[STONES_TAKEN + colour] += taken
    state[STONES_TAKEN + other] += lost
    state[PLACED] += 1
    state[MOVER] = other
    if fives and not lost and not taken and not state[STANDS]:
        return WON
    return result_of(board, state, colour, fives if not lost else 0, taken + lost)


@kernel
def result_of(board: Codes, state: Words, colour: int, fives: int, gone: int) -> int:
    """The result of the move that a colour has just made, in the order in which the rules decide."""
    other = 1 - colour
    stood = state[STANDING]
    state[STANDING] = 0
    anywhere = gone > 0 and not state[OVERLINE]  # removing stones can turn an overline into a line anywhere
    if anywhere and not fives:
        fives = 1 if any_line(board, state, colour, 0) else 0
    if not state[STANDS]:
        if fives:
            return WON
        if anywhere and any_line(board, state, other, state[OVERLINE]):
            return LOST
    if state[CAPTURE_WIN]:
        full = state[STONES_TAKEN + colour] >= state[CAPTURE_WIN]
        if full != (state[STONES_TAKEN + other] >= state[CAPTURE_WIN]):
            return WON if full else LOST
    if state[STANDS]:
        if (stood or anywhere) and any_line(board, state, other, state[OVERLINE]):
            return LOST
        if fives:
            if state[FREE] == 0:
                return WON
            state[STANDING] = 1 + colour
            return ONGOING
    if state[FREE] == 0 or (state[BLOCKED_TIE] and is_blocked(board, state)):
        return DRAWN
    return ONGOING


@kernel
def unmake(board: Codes, state: Words, sums: Words, values: Codes) -> None:
    """Takes the last move back."""
    state[MADE] -= 1
    undo = UNDO + UNDO_ROW * state[MADE]
    point, taken, lost = board[undo], board[undo + 1], board[undo + 2]
    other = state[MOVER]
    colour = 1 - other
    for i in range(lost):
        place(board, state, sums, values, board[undo + 4 + taken + i], colour)
    for i in range(taken):
        place(board, state, sums, values, board[undo + 4 + i], other)
    lift(board, state, sums, values, point)
    state[STONES_TAKEN + colour] -= taken
    state[STONES_TAKEN + other] -= lost
    state[STANDING] = board[undo + 3]
    state[PLACED] -= 1
    state[MOVER] = colour


@kernel
def key(state: Words) -> int:
    """The hash of a position, with captures, the mover and a line that must survive the reply."""
    taken, lost = state[STONES_TAKEN] & 1023, state[STONES_TAKEN + 1] & 1023
    found = state[HASH] ^ TAKEN_KEYS[0, taken] ^ TAKEN_KEYS[1, lost]
    return int(found ^ state[MOVER] * MOVER_KEY ^ state[STANDING] * STANDING_KEY)


@kernel
def set_up(board: Codes, state: Words, sums: Words, values: Codes) -> None:
    """Sets up an empty board of the size in `state`; the rules in `state` remain."""
    size, reach = state[SIZE], state[REACH]
    board[:] = 0
    state[:SIZE] = 0
    state[FREE] = size * size
    board[HELD : HELD + POINTS] = OUTSIDE
    for row in range(EDGE, EDGE + size):
        board[HELD + row * STRIDE : HELD + row * STRIDE + size] = EMPTY
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            for axis in range(AXES):
                code = 0
                for k in range(1, reach + 1):
                    if board[HELD + point + k * STEPS[AXES + axis]] == OUTSIDE:
                        code |= 1 << (k - 1)
                    if board[HELD + point - k * STEPS[AXES + axis]] == OUTSIDE:
                        code |= 1 << (reach + k - 1)
                code |= code << 2 * reach
                board[CODES + AXES * point + axis] = code
                state[SUMS + point] += sums[code]
            update_lists(board, state, point, 0, state[SUMS + point])
            state[VALUE] += own_value(board, values, point)
    if state[LINE] > reach + 1:
        far = state[LINE] - 1 if state[OVERLINE] else state[LINE]
        for row in range(EDGE, EDGE + size):
            for point in range(row * STRIDE, row * STRIDE + size):
                for axis in range(AXES):
                    update_long_line(board, state, values, point, axis, far, len(values) - 256)


@kernel
def points_free(board: Codes, state: Words, out: Codes) -> int:
    """Writes the points on which the colour to move may place a stone, in reading order; returns their number."""
    size, count = state[SIZE], 0
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] == EMPTY and may_place(state, point, state[MOVER]):
                out[count] = point
                count += 1
    return count


@kernel("int64(int32[::1], int64[::1], int32[::1], int64[::1], int32[::1], int32[:,::1], int64)")
def perft(
    board: Codes, state: Words, entries: Codes, sums: Words, values: Codes, lists: NDArray[np.int32], depth: int
) -> int:
    """The number of move sequences of a length."""
    count = points_free(board, state, lists[depth])
    if depth == 1 and not state[STANDING]:
        return count
    total = 0
    for i in range(count):
        result = make(board, state, entries, sums, values, lists[depth, i])
        if depth == 1:
            total += 1
        elif result == ONGOING:
            total += perft(board, state, entries, sums, values, lists, depth - 1)
        unmake(board, state, sums, values)
    return total


@kernel
def make_and_unmake(
    board: Codes, state: Words, entries: Codes, sums: Words, values: Codes, points: Codes, times: int
) -> None:
    """Makes and takes back each of the moves, a number of times, for benchmarks."""
    for _ in range(times):
        for point in points:
            make(board, state, entries, sums, values, point)
            unmake(board, state, sums, values)
