"""A position for searching: stones go on and come off, and everything that hangs on them is kept as it goes.

Points lie in rows of `STRIDE`, with more than a reach of points beyond every edge, so that no loop asks where the
edge is. `board` holds small numbers, `state` large ones, both in parts that begin where the names below say. For
every point the codes of its surroundings are kept (see `shape_kernels`), and their sum over the axes; for empty
points also which kind of threat a stone there would be, in a list for each kind, and what the codes are worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pente.engine.shape_kernels import (
    FIELD,
    FIVE,
    FOUR,
    FREE_THREES,
    OPEN_FOUR,
    OPEN_THREE,
    ROOM_LEFT,
    SIDE,
    TAKEN,
    TAKEN_BITS,
    TAKES,
    Codes,
    Words,
    made,
    summed,
)

STRIDE, EDGE, LARGEST = 32, 6, 25
POINTS = STRIDE * (LARGEST + 2 * EDGE)
AXES = 4
_STEPS = [1, STRIDE, STRIDE + 1, STRIDE - 1]
STEPS = np.array([-step for step in _STEPS] + _STEPS, dtype=np.int64)  # along each axis, and back again

EMPTY, WHITE, BLACK, OUTSIDE = 0, 1, 2, 3  # what a point holds; a colour is that less one

# Kinds of threats, the strongest last; a point may also take stones, which is a list of its own.
TAKING, A_THREE, THREES, A_FOUR, FOUR_AND_THREE, WINNING_FOUR, A_FIVE, KINDS = range(8)
ROOM = 640  # points in a list, at most
MOST_LOST = 60  # stones that come off with one move, at most

# ── parts of `board` ─────────────────────────────────────────────────────────────────────────────
CODES = 0
HELD = CODES + AXES * POINTS
LISTS = HELD + POINTS
PLACES = LISTS + 2 * KINDS * ROOM  # where a point stands in the list of its kind
TAKING_PLACES = PLACES + 2 * POINTS
FAR = TAKING_PLACES + 2 * POINTS  # for long lines, what stones make along each axis
PAST = FAR + AXES * POINTS  # the moves made, each with what came off
PAST_ROW = 4 + MOST_LOST
BOARD = PAST + PAST_ROW * (ROOM + 8)

# ── parts of `state` ─────────────────────────────────────────────────────────────────────────────
SUMS = 0
COUNTS = SUMS + POINTS  # how many points each list holds
HASH = COUNTS + 2 * KINDS
WORTH = HASH + 1  # what all codes of empty points are worth, to white
MOVER = HASH + 2
PLACED = HASH + 3
STONES_TAKEN = HASH + 4  # by white, by black
FREE = HASH + 6  # empty points
STANDING = HASH + 7  # the colour, and one, whose line has to stand the reply; else 0
MADE = HASH + 8  # moves that can be taken back
SIZE = HASH + 9
LINE = HASH + 10
REACH = HASH + 11
CAPTURES = HASH + 12
CAPTURE_WIN = HASH + 13
OVERLINE = HASH + 14
STANDS = HASH + 15  # whether a line has to stand the reply
POOF = HASH + 16
DOUBLE_THREE = HASH + 17
BLOCKED_TIE = HASH + 18
SIMPLE = HASH + 19  # whether a line wins at once and nothing but a stone on its last point, or taking, prevents that
OPENING = HASH + 20  # where the first three stones may go, as bits of each point: 1, 2, 4
STATE = OPENING + POINTS

_CODES, _HELD, _SUMS, _AXES, _1 = (np.uint64(each) for each in (CODES, HELD, SUMS, AXES, 1))

ON, WON, LOST, DRAWN = range(4)  # what a move leads to, for the one who makes it


def _kinds() -> NDArray[np.int64]:
    """The kind of threat by the lowest bits of one colour's part of a sum."""
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
SORTED_BY = (KIND_BITS | TAKEN_BITS << TAKEN) * (1 + (1 << SIDE))  # the bits that say in which lists a point is
_chance = np.random.default_rng(19)
KEYS = _chance.integers(1 << 62, size=2 * POINTS, dtype=np.int64)
TAKEN_KEYS = _chance.integers(1 << 62, size=(2, 1 << 10), dtype=np.int64)
MOVER_KEY, STANDING_KEY = (int(each) for each in _chance.integers(1 << 62, size=2))


@kernel
def enlist(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Put a point into a list."""
    which = colour * KINDS + kind
    count = state[COUNTS + which]
    board[LISTS + which * ROOM + count] = point
    board[places + colour * POINTS + point] = count
    state[COUNTS + which] = count + 1


@kernel
def strike(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Take a point out of a list; the last one comes into its place."""
    which = colour * KINDS + kind
    count = state[COUNTS + which] - 1
    state[COUNTS + which] = count
    last = board[LISTS + which * ROOM + count]
    place = board[places + colour * POINTS + point]
    board[LISTS + which * ROOM + place] = last
    board[places + colour * POINTS + last] = place


@kernel
def sort_in(board: Codes, state: Words, point: int, old: int, new: int) -> None:
    """Bring an empty point into the lists where it belongs, now that its sum has changed."""
    for colour in range(2):
        before, after = old >> SIDE * colour, new >> SIDE * colour
        was, now = KIND_OF[before & KIND_BITS], KIND_OF[after & KIND_BITS]
        if was != now:
            if was:
                strike(board, state, colour, was, PLACES, point)
            if now:
                enlist(board, state, colour, now, PLACES, point)
        took, takes = before >> TAKEN & TAKEN_BITS, after >> TAKEN & TAKEN_BITS
        if (took == 0) != (takes == 0):
            if took:
                strike(board, state, colour, TAKING, TAKING_PLACES, point)
            else:
                enlist(board, state, colour, TAKING, TAKING_PLACES, point)


@kernel
def turn_bits(board: Codes, state: Words, sums: Words, worths: Codes, point: int, colour: int) -> None:
    """A stone of a colour came onto a point, or went: one bit changes in the code of every point around it.

    This is where the time goes. Numbers without a sign spare the question whether an index counts from the end.
    """
    reach, worth = np.uint64(state[REACH]), 0
    first = _1 << (np.uint64(2 * colour) * reach)
    for way in range(2 * AXES):
        axis, step = np.uint64(way & 3), np.uint64(STEPS[way])
        bit = first if way < AXES else first << reach  # first those that have the stone on their right
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
                worth += worths[new] - worths[old]
                if (before ^ after) & SORTED_BY:
                    sort_in(board, state, int(here), before, after)
    state[WORTH] += worth


@kernel
def far_off(board: Codes, state: Words, worths: Codes, point: int) -> None:
    """For lines that are longer than the codes reach: see what stones around a point make now."""
    line, overline = state[LINE], state[OVERLINE]
    reach = line - 1 if overline else line
    named = len(worths) - 256
    for axis in range(AXES):
        step = STEPS[AXES + axis]
        for way in (-step, step):
            here = point
            for _ in range(reach):
                here += way
                if board[HELD + here] == OUTSIDE:
                    break
                far_off_along(board, state, worths, here, axis, reach, named)
        far_off_along(board, state, worths, point, axis, reach, named)


@kernel
def far_off_along(board: Codes, state: Words, worths: Codes, point: int, axis: int, reach: int, named: int) -> None:
    """What stones of both colours on a point make along one axis, counted from the stones themselves."""
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
    place = FAR + AXES * point + axis
    old = board[place]
    if new == old:
        return
    board[place] = new
    change = summed(new) - summed(old)
    before = state[SUMS + point]
    state[SUMS + point] = before + change
    if board[HELD + point] == EMPTY:
        state[WORTH] += worths[named + new] - worths[named + old]
        sort_in(board, state, point, before, before + change)


@kernel
def own_worth(board: Codes, worths: Codes, point: int) -> int:
    """What the codes of a point itself are worth."""
    named = len(worths) - 256
    total = 0
    for axis in range(AXES):
        total += worths[board[CODES + AXES * point + axis]]
        total += worths[named + board[FAR + AXES * point + axis]]
    return total


@kernel
def place(board: Codes, state: Words, sums: Words, worths: Codes, point: int, colour: int) -> None:
    """Put a stone on an empty point."""
    sort_in(board, state, point, state[SUMS + point], 0)
    state[WORTH] -= own_worth(board, worths, point)
    board[HELD + point] = WHITE + colour
    state[HASH] ^= KEYS[2 * point + colour]
    state[FREE] -= 1
    turn_bits(board, state, sums, worths, point, colour)
    if state[LINE] > state[REACH] + 1:
        far_off(board, state, worths, point)


@kernel
def lift(board: Codes, state: Words, sums: Words, worths: Codes, point: int) -> None:
    """Take a stone off."""
    colour = board[HELD + point] - WHITE
    board[HELD + point] = EMPTY
    sort_in(board, state, point, 0, state[SUMS + point])
    state[WORTH] += own_worth(board, worths, point)
    state[HASH] ^= KEYS[2 * point + colour]
    state[FREE] += 1
    turn_bits(board, state, sums, worths, point, colour)
    if state[LINE] > state[REACH] + 1:
        far_off(board, state, worths, point)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def may_place(state: Words, point: int, colour: int) -> bool:
    """Whether the rules let a colour place a stone on an empty point."""
    if state[PLACED] < 3 and not state[OPENING + point] >> state[PLACED] & 1:
        return False
    if state[DOUBLE_THREE]:
        return True
    side = state[SUMS + point] >> SIDE * colour
    return bool(side >> FREE_THREES & 7 < 2 or side >> TAKEN & TAKEN_BITS > 0)


@kernel
def take(board: Codes, entries: Codes, point: int, colour: int, past: int) -> int:
    """Note the stones that a stone takes; gives how many."""
    count = 0
    for axis in range(AXES):
        takes = entries[board[CODES + AXES * point + axis]] >> (TAKES + 4 * colour) & 15
        for k in range(1, (takes & 3) + 1):
            board[past + count] = point + k * STEPS[AXES + axis]
            count += 1
        for k in range(1, (takes >> 2) + 1):
            board[past + count] = point - k * STEPS[AXES + axis]
            count += 1
    return count


@kernel
def poof(board: Codes, state: Words, point: int, colour: int, past: int) -> int:
    """Note the own stones that a stone, just placed, loses by moving into brackets; gives how many."""
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
                    board[past + count] = low + k * step
                    count += 1
    if count:
        board[past + count] = point
        count += 1
    return count


@kernel
def any_line(board: Codes, state: Words, colour: int, overline: int) -> bool:
    """Whether a colour has a line anywhere, with `overline` also a longer one."""
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
    """Whether nobody can make a line any more."""
    size = state[SIZE]
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] == EMPTY and state[SUMS + point] >> ROOM_LEFT:
                return False
    if state[OVERLINE]:
        return True
    return not any_line(board, state, 0, 1) and not any_line(board, state, 1, 1)  # too long a one is no line, but stays


@kernel
def make(board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, point: int) -> int:
    """Make a move for the colour to move; says what it leads to."""
    colour = state[MOVER]
    other = 1 - colour
    past = PAST + PAST_ROW * state[MADE]
    state[MADE] += 1
    fives = state[SUMS + point] >> (SIDE * colour + FIELD_OF_FIVE) & 7
    taken = 0
    if state[SUMS + point] >> (SIDE * colour + TAKEN) & TAKEN_BITS:
        taken = take(board, entries, point, colour, past + 4)
    place(board, state, sums, worths, point, colour)
    lost = 0
    if state[POOF]:
        lost = poof(board, state, point, colour, past + 4 + taken)
    board[past] = point
    board[past + 1] = taken
    board[past + 2] = lost
    board[past + 3] = state[STANDING]
    for i in range(taken + lost):
        lift(board, state, sums, worths, board[past + 4 + i])
    state[STONES_TAKEN + colour] += taken
    state[STONES_TAKEN + other] += lost
    state[PLACED] += 1
    state[MOVER] = other
    if fives and not lost and not taken and not state[STANDS]:
        return WON
    return led_to(board, state, colour, fives if not lost else 0, taken + lost)


@kernel
def led_to(board: Codes, state: Words, colour: int, fives: int, gone: int) -> int:
    """What the move just made by a colour leads to, in the order in which the rules look."""
    other = 1 - colour
    stood = state[STANDING]
    state[STANDING] = 0
    anywhere = gone > 0 and not state[OVERLINE]  # what leaves the board may leave exactly a line anywhere
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
            return ON
    if state[FREE] == 0 or (state[BLOCKED_TIE] and is_blocked(board, state)):
        return DRAWN
    return ON


@kernel
def unmake(board: Codes, state: Words, sums: Words, worths: Codes) -> None:
    """Take the last move back."""
    state[MADE] -= 1
    past = PAST + PAST_ROW * state[MADE]
    point, taken, lost = board[past], board[past + 1], board[past + 2]
    other = state[MOVER]
    colour = 1 - other
    for i in range(lost):
        place(board, state, sums, worths, board[past + 4 + taken + i], colour)
    for i in range(taken):
        place(board, state, sums, worths, board[past + 4 + i], other)
    lift(board, state, sums, worths, point)
    state[STONES_TAKEN + colour] -= taken
    state[STONES_TAKEN + other] -= lost
    state[STANDING] = board[past + 3]
    state[PLACED] -= 1
    state[MOVER] = colour


@kernel
def key(state: Words) -> int:
    """The hash of a position with all that matters in it."""
    taken, lost = state[STONES_TAKEN] & 1023, state[STONES_TAKEN + 1] & 1023
    found = state[HASH] ^ TAKEN_KEYS[0, taken] ^ TAKEN_KEYS[1, lost]
    return int(found ^ state[MOVER] * MOVER_KEY ^ state[STANDING] * STANDING_KEY)


@kernel
def set_up(board: Codes, state: Words, sums: Words, worths: Codes) -> None:
    """Make an empty board of the size that `state` says; the rules there stay."""
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
            sort_in(board, state, point, 0, state[SUMS + point])
            state[WORTH] += own_worth(board, worths, point)
    if state[LINE] > reach + 1:
        far = state[LINE] - 1 if state[OVERLINE] else state[LINE]
        for row in range(EDGE, EDGE + size):
            for point in range(row * STRIDE, row * STRIDE + size):
                for axis in range(AXES):
                    far_off_along(board, state, worths, point, axis, far, len(worths) - 256)


@kernel
def points_free(board: Codes, state: Words, out: Codes) -> int:
    """The points on which the colour to move may place a stone, in reading order; gives how many."""
    size, count = state[SIZE], 0
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] == EMPTY and may_place(state, point, state[MOVER]):
                out[count] = point
                count += 1
    return count


@kernel("int64(int32[::1], int64[::1], int32[::1], int64[::1], int32[::1], int32[:,::1], int64)")
def perft(
    board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, lists: NDArray[np.int32], depth: int
) -> int:
    """How many ways there are to make so many moves."""
    count = points_free(board, state, lists[depth])
    if depth == 1 and not state[STANDING]:
        return count
    total = 0
    for i in range(count):
        led = make(board, state, entries, sums, worths, lists[depth, i])
        if depth == 1:
            total += 1
        elif led == ON:
            total += perft(board, state, entries, sums, worths, lists, depth - 1)
        unmake(board, state, sums, worths)
    return total


@kernel
def make_and_unmake(
    board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, points: Codes, times: int
) -> None:
    """Make each of some moves and take it back, so many times; to measure how fast that is."""
    for _ in range(times):
        for point in points:
            make(board, state, entries, sums, worths, point)
            unmake(board, state, sums, worths)
