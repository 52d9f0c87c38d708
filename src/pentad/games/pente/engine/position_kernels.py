"""Kernels of shapes and of the search position: moves made and unmade, with incremental codes, lists and evaluation.

A neighbourhood of a point along an axis is the `reach` points on both sides, as a bit code: one bit for each point
that holds white, to the right first and nearest first, then to the left; then the same for black. Beyond the edge both
bits are set. A table gives what a stone of either colour on the point itself would make and capture.

For every point `board` and `state` hold the codes of its neighbourhoods and their sum over the axes; for every empty
point also the kind of threat that a stone there would make, in one list for each kind, and the value of its codes.
"""

from __future__ import annotations

import random
from typing import Annotated

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import PLACES, TAKING, TAKING_PLACES, Bytes, Codes, PositionArrays, Words
from pentad.kernels.decorator import kernel
from pentad.kernels.math_kernels import popcount
from pentad.kernels.numbers import np
from pentad.kernels.types import Array, Float64s, Int8s, Rows, RowSize

FIELDS = np.array([k.FIELD.get(makes, -1) for makes in range(k.FIVE + 1)], dtype=np.int64)


@kernel
def completing(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The points on which one more stone makes a line through the middle; `free` includes the own stones."""
    found = 0
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        missing = run & ~own
        if missing & ~free or missing == 0 or missing & (missing - 1):
            continue
        if not overline and (own << 1 >> start & 1 or own >> (start + line) & 1):
            continue
        found |= missing
    return found


@kernel
def has_line(own: int, reach: int, line: int, overline: int) -> bool:
    """Whether there is a line through the middle."""
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if own & run == run and (overline or not (own << 1 >> start & 1 or own >> (start + line) & 1)):
            return True
    return False


@kernel
def missing_to_line(own: int, free: int, reach: int, line: int) -> int:
    """The stones missing to the nearest line through the middle; 99 where none fits."""
    least = 99
    whole = (1 << line) - 1
    for start in range(max(0, reach - line + 1), min(reach, 2 * reach + 1 - line) + 1):
        run = whole << start
        if run & ~free == 0:
            least = min(least, popcount(run & ~own))
    return least


@kernel
def after_two(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The shape when two stones are missing: a three, open if one more makes an open four; else nothing."""
    best = k.NOTHING
    for point in range(2 * reach + 1):
        if (free & ~own) >> point & 1:
            ways = completing(own | 1 << point, free, reach, line, overline)
            if ways & (ways - 1):
                return k.OPEN_THREE
            if ways:
                best = k.THREE
    return best


@kernel
def made(own: int, free: int, reach: int, line: int, overline: int) -> int:
    """The shape that the stone in the middle is part of along this axis."""
    if has_line(own, reach, line, overline):
        return k.FIVE
    missing = missing_to_line(own, free, reach, line)
    if missing == 99:
        return k.NOTHING
    if missing <= 1:
        ways = completing(own, free, reach, line, overline)
        if ways:
            return k.OPEN_FOUR if ways & (ways - 1) else k.FOUR
    if missing <= 2:
        three = after_two(own, free, reach, line, overline)
        if three:
            return three
    if missing <= 3:
        best = k.NOTHING
        for point in range(2 * reach + 1):
            if (free & ~own) >> point & 1:
                three = after_two(own | 1 << point, free, reach, line, overline)
                if three == k.OPEN_THREE:
                    return k.OPEN_TWO
                if three:
                    best = k.TWO
        if best:
            return best
    return k.ONE


@kernel
def free_three(own: int, empty: int, reach: int) -> bool:
    """Whether the stone in the middle is one of three within four points in a row that can become an open four."""
    for start in range(max(1, reach - 3), min(reach, 2 * reach - 4) + 1):
        inner = 15 << start
        ends = 1 << (start - 1) | 1 << (start + 4)
        lacking = inner & ~own
        if lacking and lacking & (lacking - 1) == 0 and lacking & empty and empty & ends == ends:
            return True
    return False


@kernel
def taken_along(other: int, own: int, longest: int) -> int:
    """The number of stones that a stone captures on one side; the bits are by distance, nearest first."""
    for length in range(2, longest + 1):
        group = (1 << length) - 1
        if other & group == group and own >> length & 1:
            return length
    return 0


@kernel
def shape_of(own: int, closed: int, reach: int, line: int, overline: int) -> int:
    """The shape that a stone on the point itself makes with its own stones, and `FREE_THREE` if that is a free three.

    `closed` has the points that hold other stones or are beyond the edge. Both sets are as in a code.
    """
    mine, free = 1 << reach, 1 << reach
    for away in range(reach):  # bits in a row: left of the middle downwards, right of it upwards
        right, left = reach + 1 + away, reach - 1 - away
        mine |= (own >> away & 1) << right | (own >> (reach + away) & 1) << left
        free |= (~closed >> away & 1) << right | (~closed >> (reach + away) & 1) << left
    return made(mine, free, reach, line, overline) | int(free_three(mine, free & ~mine, reach)) << k.FREE_THREE


@kernel
def entry_of(code: int, shapes: Codes, reach: int, captures: int) -> int:
    """The entry of a code: the meaning of a stone of either colour on the point itself.

    `shapes` has those of own stones and closed points, in the places of white and black stones in a code.
    """
    side, entry = (1 << reach) - 1, 0
    white, black = code & ((1 << 2 * reach) - 1), code >> 2 * reach
    for colour in range(2):
        mine, closed = (black, white) if colour else (white, black)
        own, other = mine & ~closed, closed & ~mine
        shape = shapes[own | closed << 2 * reach]
        right = taken_along(other & side, own & side, captures)
        left = taken_along(other >> reach, own >> reach, captures)
        entry |= (shape & k.MAKES) << 4 * colour | (shape >> k.FREE_THREE) << (k.FREE_THREE + colour)
        entry |= (right | left << 2) << (k.TAKES + 4 * colour)
    return int(entry)


@kernel
def sum_fields(entry: int) -> int:
    """An entry in the form that is added to a point's sum."""
    total = 0
    for colour in range(2):
        makes = entry >> 4 * colour & k.MAKES
        fields = 0
        if FIELDS[makes] >= 0:
            fields = 1 << FIELDS[makes]
        takes = entry >> (k.TAKES + 4 * colour) & 15
        fields += ((takes & 3) + (takes >> 2)) << k.TAKEN
        fields += (entry >> (k.FREE_THREE + colour) & 1) << k.FREE_THREES
        total += fields << k.SIDE * colour
    if entry & 255:
        total += 1 << k.POSSIBLE_LINES
    return total


@kernel
def fill(
    entries: Codes, classes: Bytes, sums: Words, shapes: Codes, reach: int, line: int, overline: int, captures: int
) -> int:  # fmt: skip
    """Fills the table of entries for all codes; lines longer than the reach are left to `update_long_lines`.

    Numbers the classes of codes that add the same to a point's sum, and writes what they add; returns their number.
    """
    half = (1 << 2 * reach) - 1
    for code in range(len(entries)):
        if code & half & (code >> 2 * reach) == 0:
            shapes[code] = shape_of(code & half, code >> 2 * reach, reach, line, overline)
    for code in range(len(entries)):
        entry = entry_of(code, shapes, reach, captures)
        if line > reach + 1:
            entry &= ~255
        entries[code] = entry
    count = 0
    for code in range(len(entries)):
        total, number = sum_fields(entries[code]), 0
        while number < count and sums[number] != total:
            number += 1
        sums[number] = total
        classes[code] = number
        count = max(count, number + 1)
    return count


@kernel
def fill_values(entries: Codes, reach: int, learned: Codes, plain: Codes, nearer: int, values: Codes) -> None:
    """Fills the values of codes, and of shapes after them, with those learned for another table.

    A code whose nearest stones have the same shapes in that table, `plain` with the reach `nearer`, has its value
    there; any other code has that of its shapes. Without that table, all have.
    """
    by_shape, short = len(learned) - k.NAMES, (1 << nearer) - 1
    for code in range(len(entries)):
        name = entries[code] & (k.NAMES - 1)
        value = learned[by_shape + name]
        if len(plain):
            other = 0
            for number in range(4):
                other |= (code >> number * reach & short) << number * nearer
            if plain[other] & (k.NAMES - 1) == name:
                value = learned[other]
        values[code] = value
    for name in range(k.NAMES):
        values[len(entries) + name] = learned[by_shape + name]


# ── the position ──────────────────────────────────────────────────────────────────────────────────

_STEPS = [1, k.STRIDE, k.STRIDE + 1, k.STRIDE - 1]
STEPS = np.array([-step for step in _STEPS] + _STEPS, dtype=np.int64)  # both directions of each axis

_CODES, _HELD, _SUMS, _AXES, _1 = (np.uint64(each) for each in (k.CODES, k.HELD, k.SUMS, k.AXES, 1))
_KEPT_END, _KEPT_SUMS, _KEPT_MOVED = (np.uint64(each) for each in (k.KEPT_END, k.KEPT_SUMS, k.KEPT_MOVED))
_PLACE_BITS, _PLACE = np.uint64(6), np.uint64(63)  # of a sum in a row of `kept`


def _kinds() -> Int8s:
    """The kind of threat for each value of the lowest bits of one colour's half of a sum."""
    found: Int8s = np.zeros(1 << 12, dtype=np.int8)
    for bits in range(len(found)):
        fives, open_fours, fours, threes = (
            bits >> k.FIELD[each] & 7 for each in (k.FIVE, k.OPEN_FOUR, k.FOUR, k.OPEN_THREE)
        )
        kind = 0
        if threes:
            kind = k.A_THREE if threes == 1 else k.THREES
        if fours:
            kind = k.FOUR_AND_THREE if threes else k.A_FOUR
        if open_fours or fours > 1:
            kind = k.WINNING_FOUR
        if fives:
            kind = k.A_FIVE
        found[bits] = kind
    return found


KIND_OF = _kinds()
NOTICED_AS = np.array([k.NOTICED_AS.get(kind, 0) for kind in range(k.KINDS)], dtype=np.int64)
CLEARER = np.array(k.CLEARER, dtype=np.float64)
FIELD_OF_FIVE = k.FIELD[k.FIVE]
KIND_BITS = len(KIND_OF) - 1
LIST_BITS = (KIND_BITS | k.TAKEN_BITS << k.TAKEN) * (
    1 + (1 << k.SIDE)
)  # the bits that decide which lists a point is in
_random = random.Random(19)
KEYS = np.array([_random.getrandbits(62) for _ in range(2 * k.POINTS)], dtype=np.int64)
TAKEN_KEYS = np.array([[_random.getrandbits(62) for _ in range(1 << 10)] for _ in range(2)], dtype=np.int64)
MOVER_KEY, STANDING_KEY = _random.getrandbits(62), _random.getrandbits(62)


@kernel
def add_to_list(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Appends a point to a list. Unsigned indices spare the check for negative ones."""
    which = colour * k.KINDS + kind
    count = state[np.uint64(k.COUNTS + which)]
    board[np.uint64(k.LISTS + which * k.LIST_CAPACITY + count)] = point
    board[np.uint64(places + colour * k.POINTS + point)] = count
    state[np.uint64(k.COUNTS + which)] = count + 1


@kernel
def remove_from_list(board: Codes, state: Words, colour: int, kind: int, places: int, point: int) -> None:
    """Removes a point from a list; the last one takes its place."""
    which = colour * k.KINDS + kind
    count = state[np.uint64(k.COUNTS + which)] - 1
    state[np.uint64(k.COUNTS + which)] = count
    last = board[np.uint64(k.LISTS + which * k.LIST_CAPACITY + count)]
    place = board[np.uint64(places + colour * k.POINTS + point)]
    board[np.uint64(k.LISTS + which * k.LIST_CAPACITY + place)] = last
    board[np.uint64(places + colour * k.POINTS + last)] = place


@kernel
def update_lists(board: Codes, state: Words, point: int, old: int, new: int) -> None:
    """Moves an empty point between the lists after its sum has changed."""
    for colour in range(2):
        before, after = old >> k.SIDE * colour, new >> k.SIDE * colour
        was, now = KIND_OF[before & KIND_BITS], KIND_OF[after & KIND_BITS]
        if was != now:
            if was:
                remove_from_list(board, state, colour, was, PLACES, point)
            if now:
                add_to_list(board, state, colour, now, PLACES, point)
        took, takes = before >> k.TAKEN & k.TAKEN_BITS, after >> k.TAKEN & k.TAKEN_BITS
        if (took == 0) != (takes == 0):
            if took:
                remove_from_list(board, state, colour, TAKING, TAKING_PLACES, point)
            else:
                add_to_list(board, state, colour, TAKING, TAKING_PLACES, point)


@kernel
def update_codes(position: PositionArrays, point: int, colour: int) -> None:
    """Updates the codes around a point after a stone was placed or removed: one bit changes in each code.

    This is the hot loop. It has no branches that depend on the position, which processors would often guess wrongly.
    For the loop after it and for `restore` it keeps the sums before, and the points that move between lists, each with
    the place of its sum. Unsigned indices spare the check for negative ones.
    """
    board, state, sums, values, kept = position.board, position.state, position.sums, position.values, position.kept
    classes, reach, worth, first_kept = position.classes, np.uint64(state[k.REACH]), 0, np.uint64(row_kept(state))
    saved, moved = first_kept + _KEPT_SUMS, first_kept + _KEPT_MOVED
    end = moved
    first = _1 << (np.uint64(2 * colour) * reach)
    for way in range(2 * k.AXES):
        axis, step = np.uint64(way & 3), np.uint64(STEPS[way])
        bit = first if way < k.AXES else first << reach  # first the points that have the stone on their right
        here = np.uint64(point)
        for _ in range(reach):
            here = np.uint64(here + step)
            code = _CODES + _AXES * here + axis
            old = np.uint64(board[code])
            new = old ^ bit
            bit <<= _1
            board[code] = np.int32(new)
            before = state[_SUMS + here]
            after = before + sums[classes[new]] - sums[classes[old]]
            state[_SUMS + here] = after
            is_empty = board[_HELD + here] == k.EMPTY
            worth += (values[new] - values[old]) * is_empty
            kept[saved] = before
            kept[end] = np.int64(here << _PLACE_BITS | saved - first_kept)
            end += np.uint64(is_empty & ((before ^ after) & LIST_BITS != 0))
            saved += _1
    for i in range(moved, end):
        here, before = np.uint64(kept[i]) >> _PLACE_BITS, kept[first_kept + (np.uint64(kept[i]) & _PLACE)]
        update_lists(board, state, int(here), before, state[_SUMS + here])
    kept[first_kept + _KEPT_END] = np.int64(end)
    state[k.VALUE] += worth


@kernel
def row_kept(state: Words) -> int:
    """Where what the last move replaces is kept; later moves than there are rows share the last one."""
    return int(k.KEPT_ROW * min(state[k.MADE], k.KEPT_ROWS - 1))


@kernel
def restore(position: PositionArrays, point: int, colour: int) -> None:
    """Removes the stone of the last move, as `lift` does, by what was kept; the lists change in the same order."""
    board, state, kept = position.board, position.state, position.kept
    first_kept, reach = np.uint64(row_kept(state)), np.uint64(state[k.REACH])
    board[k.HELD + point] = k.EMPTY
    update_lists(board, state, point, 0, state[k.SUMS + point])
    for i in range(first_kept + _KEPT_MOVED, np.uint64(kept[first_kept + _KEPT_END])):
        here, before = np.uint64(kept[i]) >> _PLACE_BITS, kept[first_kept + (np.uint64(kept[i]) & _PLACE)]
        update_lists(board, state, int(here), state[_SUMS + here], before)
    state[k.VALUE] = kept[first_kept]
    state[k.HASH] ^= KEYS[2 * point + colour]
    state[k.FREE] += 1
    first, saved = _1 << (np.uint64(2 * colour) * reach), first_kept + _KEPT_SUMS
    for way in range(2 * k.AXES):
        axis, step = np.uint64(way & 3), np.uint64(STEPS[way])
        bit = np.int32(first if way < k.AXES else first << reach)
        here = np.uint64(point)
        for _ in range(reach):
            here = np.uint64(here + step)
            board[_CODES + _AXES * here + axis] ^= bit
            bit = np.int32(bit << 1)
            state[_SUMS + here] = kept[saved]
            saved += _1


@kernel
def update_long_lines(board: Codes, state: Words, values: Codes, point: int) -> None:
    """Updates the shapes around a point, for lines that are longer than the codes reach."""
    line, overline = state[k.LINE], state[k.OVERLINE]
    reach = line - 1 if overline else line
    named = len(values) - 256
    for axis in range(k.AXES):
        step = STEPS[k.AXES + axis]
        for way in (-step, step):
            here = point
            for _ in range(reach):
                here += way
                if board[k.HELD + here] == k.OUTSIDE:
                    break
                update_long_line(board, state, values, here, axis, reach, named)
        update_long_line(board, state, values, point, axis, reach, named)


@kernel
def update_long_line(board: Codes, state: Words, values: Codes, point: int, axis: int, reach: int, named: int) -> None:
    """Updates the shapes that stones on a point make along one axis, counted from the board."""
    step = STEPS[k.AXES + axis]
    white, black = 0, 0
    seen = 1 << reach
    for way in (-1, 1):
        here = point
        for away in range(1, reach + 1):
            here += way * step
            held = board[k.HELD + here]
            if held == k.OUTSIDE:
                break
            bit = 1 << (reach + way * away)
            seen |= bit
            if held == k.WHITE:
                white |= bit
            elif held == k.BLACK:
                black |= bit
    middle = 1 << reach
    line, overline = state[k.LINE], state[k.OVERLINE]
    new = made(white | middle, seen & ~black, reach, line, overline)
    new |= made(black | middle, seen & ~white, reach, line, overline) << 4
    place = k.LONG + k.AXES * point + axis
    old = board[place]
    if new == old:
        return
    board[place] = new
    change = sum_fields(new) - sum_fields(old)
    before = state[k.SUMS + point]
    state[k.SUMS + point] = before + change
    if board[k.HELD + point] == k.EMPTY:
        state[k.VALUE] += values[named + new] - values[named + old]
        update_lists(board, state, point, before, before + change)


@kernel
def own_value(board: Codes, values: Codes, point: int) -> int:
    """The value of a point's own codes."""
    named = len(values) - 256
    total = 0
    for axis in range(k.AXES):
        total += values[board[k.CODES + k.AXES * point + axis]]
        total += values[named + board[k.LONG + k.AXES * point + axis]]
    return total


@kernel
def place(position: PositionArrays, point: int, colour: int) -> None:
    """Places a stone on an empty point."""
    board, state, values = position.board, position.state, position.values
    update_lists(board, state, point, state[k.SUMS + point], 0)
    state[k.VALUE] -= own_value(board, values, point)
    board[k.HELD + point] = k.WHITE + colour
    state[k.HASH] ^= KEYS[2 * point + colour]
    state[k.FREE] -= 1
    update_codes(position, point, colour)
    if state[k.LINE] > state[k.REACH] + 1:
        update_long_lines(board, state, values, point)


@kernel
def lift(position: PositionArrays, point: int) -> None:
    """Removes a stone."""
    board, state, values = position.board, position.state, position.values
    colour = board[k.HELD + point] - k.WHITE
    board[k.HELD + point] = k.EMPTY
    update_lists(board, state, point, 0, state[k.SUMS + point])
    state[k.VALUE] += own_value(board, values, point)
    state[k.HASH] ^= KEYS[2 * point + colour]
    state[k.FREE] += 1
    update_codes(position, point, colour)
    if state[k.LINE] > state[k.REACH] + 1:
        update_long_lines(board, state, values, point)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def may_place_anywhere(state: Words) -> bool:
    """Whether the rules allow a stone on every empty point."""
    return bool(state[k.PLACED] >= 3 and state[k.DOUBLE_THREE] > 0)


@kernel
def may_place(state: Words, point: int, colour: int) -> bool:
    """Whether the rules allow a colour to place a stone on an empty point."""
    if state[k.PLACED] < 3 and not state[k.OPENING + point] >> state[k.PLACED] & 1:
        return False
    if state[k.DOUBLE_THREE]:
        return True
    side = state[k.SUMS + point] >> k.SIDE * colour
    return bool(side >> k.FREE_THREES & 7 < 2 or side >> k.TAKEN & k.TAKEN_BITS > 0)


@kernel
def take(board: Codes, entries: Codes, point: int, colour: int, undo: int) -> int:
    """Writes the stones that a move captures to the undo stack; returns their number."""
    count = 0
    for axis in range(k.AXES):
        takes = entries[board[k.CODES + k.AXES * point + axis]] >> (k.TAKES + 4 * colour) & 15
        for away in range(1, (takes & 3) + 1):
            board[undo + count] = point + away * STEPS[k.AXES + axis]
            count += 1
        for away in range(1, (takes >> 2) + 1):
            board[undo + count] = point - away * STEPS[k.AXES + axis]
            count += 1
    return count


@kernel
def poof(board: Codes, state: Words, point: int, colour: int, undo: int) -> int:
    """Writes the stones that a move loses by moving into a bracket to the undo stack; returns their number."""
    count = 0
    mine, other = k.WHITE + colour, k.WHITE + 1 - colour
    for axis in range(k.AXES):
        step = STEPS[k.AXES + axis]
        high, low = point, point
        while board[k.HELD + high + step] == mine:
            high += step
        while board[k.HELD + low - step] == mine:
            low -= step
        length = (high - low) // step + 1
        if (
            2 <= length <= state[k.CAPTURES]
            and board[k.HELD + high + step] == other
            and board[k.HELD + low - step] == other
        ):
            for away in range(length):
                if low + away * step != point:
                    board[undo + count] = low + away * step
                    count += 1
    if count:
        board[undo + count] = point
        count += 1
    return count


@kernel
def any_line(board: Codes, state: Words, colour: int, overline: int) -> bool:
    """Whether a colour has a line anywhere; with `overline` a longer one counts."""
    mine, line, size = k.WHITE + colour, state[k.LINE], state[k.SIZE]
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] != mine:
                continue
            for axis in range(k.AXES):
                step = STEPS[k.AXES + axis]
                if board[k.HELD + point - step] == mine:
                    continue
                length = 1
                while board[k.HELD + point + length * step] == mine:
                    length += 1
                if length == line or (length > line and overline):
                    return True
    return False


@kernel
def is_blocked(board: Codes, state: Words) -> bool:
    """Whether no colour can make a line any more."""
    size = state[k.SIZE]
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] == k.EMPTY and state[k.SUMS + point] >> k.POSSIBLE_LINES:
                return False
    if state[k.OVERLINE]:
        return True
    return not any_line(board, state, 0, 1) and not any_line(board, state, 1, 1)  # an overline is no line, but remains


@kernel
def make(position: PositionArrays, point: int) -> int:
    """Makes a move for the colour to move; returns its result."""
    board, state, entries = position.board, position.state, position.entries
    colour = state[k.MOVER]
    other = 1 - colour
    undo = k.UNDO + k.UNDO_ROW * state[k.MADE]
    state[k.MADE] += 1
    fives = state[k.SUMS + point] >> (k.SIDE * colour + FIELD_OF_FIVE) & 7
    taken = 0
    position.kept[row_kept(state) + k.KEPT_VALUE] = state[k.VALUE]
    if state[k.SUMS + point] >> (k.SIDE * colour + k.TAKEN) & k.TAKEN_BITS:
        taken = take(board, entries, point, colour, undo + 4)
    place(position, point, colour)
    lost = 0
    if state[k.POOF]:
        lost = poof(board, state, point, colour, undo + 4 + taken)
    board[undo] = point
    board[undo + 1] = taken
    board[undo + 2] = lost
    board[undo + 3] = state[k.STANDING]
    for i in range(taken + lost):
        lift(position, board[undo + 4 + i])
    state[k.STONES_TAKEN + colour] += taken
    state[k.STONES_TAKEN + other] += lost
    state[k.PLACED] += 1
    state[k.MOVER] = other
    if fives and not lost and not taken and not state[k.STANDS]:
        return k.WON
    return result_of(board, state, colour, fives if not lost else 0, taken + lost)


@kernel
def result_of(board: Codes, state: Words, colour: int, fives: int, gone: int) -> int:
    """The result of the move that a colour has just made, in the order in which the rules decide."""
    other = 1 - colour
    stood = state[k.STANDING]
    state[k.STANDING] = 0
    anywhere = gone > 0 and not state[k.OVERLINE]  # removing stones can turn an overline into a line anywhere
    if anywhere and not fives:
        fives = 1 if any_line(board, state, colour, 0) else 0
    if not state[k.STANDS]:
        if fives:
            return k.WON
        if anywhere and any_line(board, state, other, state[k.OVERLINE]):
            return k.LOST
    if state[k.CAPTURE_WIN]:
        full = state[k.STONES_TAKEN + colour] >= state[k.CAPTURE_WIN]
        if full != (state[k.STONES_TAKEN + other] >= state[k.CAPTURE_WIN]):
            return k.WON if full else k.LOST
    if state[k.STANDS]:
        if (stood or anywhere) and any_line(board, state, other, state[k.OVERLINE]):
            return k.LOST
        if fives:
            if state[k.FREE] == 0:
                return k.WON
            state[k.STANDING] = 1 + colour
            return k.ONGOING
    if state[k.FREE] == 0 or (state[k.BLOCKED_TIE] and is_blocked(board, state)):
        return k.DRAWN
    return k.ONGOING


@kernel
def unmake(position: PositionArrays) -> None:
    """Takes the last move back."""
    board, state = position.board, position.state
    undo = k.UNDO + k.UNDO_ROW * (state[k.MADE] - 1)
    point, taken, lost = board[undo], board[undo + 1], board[undo + 2]
    other = state[k.MOVER]
    colour = 1 - other
    if taken or lost or state[k.MADE] >= k.KEPT_ROWS - 1 or state[k.LINE] > state[k.REACH] + 1:
        for i in range(lost):
            place(position, board[undo + 4 + taken + i], colour)
        for i in range(taken):
            place(position, board[undo + 4 + i], other)
        lift(position, point)
    else:
        restore(position, point, colour)
    state[k.MADE] -= 1
    state[k.STONES_TAKEN + colour] -= taken
    state[k.STONES_TAKEN + other] -= lost
    state[k.STANDING] = board[undo + 3]
    state[k.PLACED] -= 1
    state[k.MOVER] = colour


@kernel
def key(state: Words) -> int:
    """The hash of a position, with captures, the mover and a line that must survive the reply."""
    taken, lost = state[k.STONES_TAKEN] & 1023, state[k.STONES_TAKEN + 1] & 1023
    found = state[k.HASH] ^ TAKEN_KEYS[0, taken] ^ TAKEN_KEYS[1, lost]
    return int(found ^ state[k.MOVER] * MOVER_KEY ^ state[k.STANDING] * STANDING_KEY)


@kernel
def set_all(array: Array[int], first: int, end: int, value: int) -> None:
    """Sets the numbers from one place to before another."""
    for i in range(first, end):
        array[i] = value


@kernel
def set_up(position: PositionArrays) -> None:
    """Sets up an empty board of the size in `state`; the rules in `state` remain."""
    board, state, values = position.board, position.state, position.values
    size, reach = state[k.SIZE], state[k.REACH]
    set_all(board, 0, len(board), 0)
    set_all(state, 0, k.SIZE, 0)
    state[k.FREE] = size * size
    set_all(board, k.HELD, k.HELD + k.POINTS, k.OUTSIDE)
    for row in range(k.EDGE, k.EDGE + size):
        set_all(board, k.HELD + row * k.STRIDE, k.HELD + row * k.STRIDE + size, k.EMPTY)
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            for axis in range(k.AXES):
                code = 0
                for away in range(1, reach + 1):
                    if board[k.HELD + point + away * STEPS[k.AXES + axis]] == k.OUTSIDE:
                        code |= 1 << (away - 1)
                    if board[k.HELD + point - away * STEPS[k.AXES + axis]] == k.OUTSIDE:
                        code |= 1 << (reach + away - 1)
                code |= code << 2 * reach
                board[k.CODES + k.AXES * point + axis] = code
                state[k.SUMS + point] += position.sums[position.classes[code]]
            update_lists(board, state, point, 0, state[k.SUMS + point])
            state[k.VALUE] += own_value(board, values, point)
    if state[k.LINE] > reach + 1:
        far = state[k.LINE] - 1 if state[k.OVERLINE] else state[k.LINE]
        for row in range(k.EDGE, k.EDGE + size):
            for point in range(row * k.STRIDE, row * k.STRIDE + size):
                for axis in range(k.AXES):
                    update_long_line(board, state, values, point, axis, far, len(values) - 256)


@kernel
def points_free(board: Codes, state: Words, out: Codes) -> int:
    """Writes the points on which the colour to move may place a stone, in reading order; returns their number."""
    size, count = state[k.SIZE], 0
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] == k.EMPTY and may_place(state, point, state[k.MOVER]):
                out[count] = point
                count += 1
    return count


@kernel
def overlook(position: PositionArrays, out: Codes, bound: float, normal: Float64s) -> None:
    """Leaves out of all searches of this position the points of which everything is overlooked that is to be noticed.

    Each kind of threat is overlooked by a random number of the standard normal distribution below a bound. Some move
    remains. The hash differs, so that the transposition table has nothing that was noticed in another turn.
    """
    board, state, missed, count, others = position.board, position.state, 0, 0, 0
    size, me = state[k.SIZE], state[k.MOVER]
    for i in range(len(CLEARER)):
        if normal[i] < bound - CLEARER[i]:
            missed |= 1 << i
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] != k.EMPTY or not may_place(state, point, me):
                continue
            threats = 0
            for other in range(2):
                side = state[k.SUMS + point] >> k.SIDE * (me ^ other)
                threat = NOTICED_AS[KIND_OF[side & KIND_BITS]]
                if side >> k.TAKEN & k.TAKEN_BITS:
                    threat |= k.CAPTURED
                threats |= threat << k.NOTICED * other
            if threats and threats & ~missed == 0:
                out[count] = point
                count += 1
            else:
                others += 1
    for i in range(count if others else 0):
        point = out[i]
        update_lists(board, state, point, state[k.SUMS + point], 0)
        state[k.VALUE] -= own_value(board, position.values, point)
        board[k.HELD + point] = k.OVERLOOKED
        state[k.HASH] ^= KEYS[2 * point] ^ KEYS[2 * point + 1]


@kernel
def perft(position: PositionArrays, lists: Annotated[Rows[Codes], RowSize(k.LIST)], depth: int) -> int:
    """The number of move sequences of a length."""
    board, state = position.board, position.state
    count = points_free(board, state, lists[depth])
    if depth == 1 and not state[k.STANDING]:
        return count
    total = 0
    for i in range(count):
        result = make(position, lists[depth, i])
        if depth == 1:
            total += 1
        elif result == k.ONGOING:
            total += perft(position, lists, depth - 1)
        unmake(position)
    return total


@kernel
def make_and_unmake(position: PositionArrays, points: Codes, times: int) -> None:
    """Makes and takes back each of the moves, a number of times, for benchmarks."""
    for _ in range(times):
        for point in points:
            make(position, point)
            unmake(position)
