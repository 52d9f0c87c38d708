"""Kernels of many games of Pente at once, for every rule set and opening, on a small state; see `constants`.

The engine's own kernels keep shapes and threats up to date, which random games and learners do not need.
"""

from __future__ import annotations

from pentad.games.pente.batch import constants as k
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import STEP, high_below, low_below, mixed
from pentad.kernels.types import Int8s, Int64s, UInt64s
from pentad.search.batch_kernels import ONGOING, batches, long, word
from pentad.search.constants import PLY, SEAT

AXES, NEAR_THREE = 4, 4  # a free three lies within four points


@kernel
def step_along(rules: Int64s, axis: int) -> int:
    """The distance between neighbouring cells of an axis: right, up, and both diagonals."""
    stride = rules[k.SIZE] + 2
    if axis == 0:
        return 1
    return int(stride + axis - 2)


@kernel
def cell_of(rules: Int64s, point: int) -> int:
    """The cell of a point. Loops over all points count cells by rows, which spares two divisions each."""
    size = rules[k.SIZE]
    return int(k.CELLS + (point // size + 1) * (size + 2) + point % size + 1)


@kernel
def row_of(rules: Int64s, row: int) -> int:
    """The first cell of a row."""
    return int(k.CELLS + (row + 1) * (rules[k.SIZE] + 2) + 1)


@kernel
def run(state: Int64s, cell: int, step: int, stone: int) -> int:
    """The number of equal stones in a row beyond a cell."""
    count = long(0)
    cell += step
    while state[cell] == stone:
        count += 1
        cell += step
    return count


@kernel
def has_line_at(rules: Int64s, state: Int64s, cell: int, stone: int) -> bool:
    """Whether a stone of this colour on a cell is in a line."""
    if state[cell] != stone:
        return False
    for axis in range(AXES):
        step = step_along(rules, axis)
        length = 1 + run(state, cell, step, stone) + run(state, cell, -step, stone)
        if length == rules[k.LINE] or (length > rules[k.LINE] and rules[k.OVERLINE]):
            return True
    return False


@kernel
def has_line(rules: Int64s, state: Int64s, stone: int) -> bool:
    """Whether a colour has a line anywhere."""
    for row in range(rules[k.SIZE]):
        first = row_of(rules, row)
        for cell in range(first, first + rules[k.SIZE]):
            if has_line_at(rules, state, cell, stone):
                return True
    return False


@kernel
def is_blocked(rules: Int64s, state: Int64s) -> bool:
    """Whether every line has stones of both colours."""
    size, line = rules[k.SIZE], rules[k.LINE]
    for row in range(size):
        start = row_of(rules, row)
        for first in range(start, start + size):
            for axis in range(AXES):
                step, cell, seen, length = step_along(rules, axis), first, long(0), long(0)
                while length < line and state[cell] != k.RIM:
                    seen |= state[cell]
                    cell += step
                    length += 1
                if length == line and seen != k.RIM:
                    return False
    return True


@kernel
def taken_by(rules: Int64s, state: Int64s, cell: int, stone: int, gone: Int64s) -> int:
    """Writes the cells of the stones that a stone on a cell captures; returns their number."""
    count, most = long(0), rules[k.CAPTURES]
    if not most:
        return count
    other = k.RIM - stone
    for axis in range(2 * AXES):
        step = step_along(rules, axis % AXES)
        if axis >= AXES:
            step = -step
        length = run(state, cell, step, other)
        if 2 <= length <= most and state[cell + (length + 1) * step] == stone:
            for i in range(1, length + 1):
                gone[count] = cell + i * step
                count += 1
    return count


@kernel
def poofed_by(rules: Int64s, state: Int64s, cell: int, stone: int, gone: Int64s) -> int:
    """Writes the cells of the own stones, with the new one on a cell, that a move into a bracket loses."""
    count, other = long(0), k.RIM - stone
    if not rules[k.POOF]:
        return count
    for axis in range(AXES):
        step = step_along(rules, axis)
        after, before = run(state, cell, step, stone), run(state, cell, -step, stone)
        length = after + before + 1
        ends = state[cell + (after + 1) * step] == other and state[cell - (before + 1) * step] == other
        if 2 <= length <= rules[k.CAPTURES] and ends:
            for i in range(-before, after + 1):
                if i:
                    gone[count] = cell + i * step
                    count += 1
    if count:
        gone[count] = cell
        count += 1
    return count


@kernel
def room(state: Int64s, cell: int, step: int) -> int:
    """The number of points beyond a cell, up to four."""
    count = long(0)
    while count < NEAR_THREE and state[cell + (count + 1) * step] != k.RIM:
        count += 1
    return count


@kernel
def is_free_three(state: Int64s, cell: int, step: int, stone: int) -> bool:
    """Whether a stone on an empty cell is one of three within four cells that one more turns into an open four."""
    before, after = room(state, cell, -step), room(state, cell, step)
    for back in range(NEAR_THREE):
        first, beyond = cell - back * step, cell + (NEAR_THREE - back) * step
        if back + 1 > before or NEAR_THREE - back > after:
            continue
        if state[first - step] != k.EMPTY or state[beyond] != k.EMPTY:
            continue
        own, empty = long(1), long(-1)  # the cell itself is empty yet
        for i in range(NEAR_THREE):
            own += state[first + i * step] == stone
            empty += state[first + i * step] == k.EMPTY
        if own == 3 and empty == 1:
            return True
    return False


@kernel
def may_place(rules: Int64s, state: Int64s, point: int, work: Int64s) -> bool:
    """Whether the next stone may be placed on a point."""
    cell, placed = cell_of(rules, point), state[k.PLACED]
    if state[cell] != k.EMPTY or (placed < 3 and not rules[k.OPENING + point] >> placed & 1):
        return False
    if rules[k.DOUBLE_THREE]:
        return True
    stone, threes = k.WHITE + placed % 2, 0
    for axis in range(AXES):
        threes += is_free_three(state, cell, step_along(rules, axis), stone)
    return threes < 2 or taken_by(rules, state, cell, stone, work) > 0


@kernel
def reply_counts(rules: Int64s, state: Int64s, work: Int64s) -> bool:
    """Whether the colour to move may still break the other's new line, or win by capture."""
    mine = k.WHITE + state[k.PLACED] % 2
    other = k.RIM - mine
    for point in range(rules[k.SIZE] * rules[k.SIZE]):
        if not may_place(rules, state, point, work):
            continue
        if rules[k.FIVE] == k.IF_IT_STANDS:
            return True
        count = taken_by(rules, state, cell_of(rules, point), mine, work)
        if not count:
            continue
        if rules[k.CAPTURE_WIN] and state[k.TAKEN + mine - k.WHITE] + count >= rules[k.CAPTURE_WIN]:
            return True
        for i in range(count):
            state[work[i]] = k.EMPTY
        stands = has_line(rules, state, other)
        for i in range(count):
            state[work[i]] = other
        if not stands:
            return True
    return False


@kernel
def decide(rules: Int64s, state: Int64s, last: int, work: Int64s) -> int:
    """The colour that has won, as its stone; 0 for a draw, -1 before the end. `last` is the last stone's cell or 0."""
    other = k.WHITE + state[k.PLACED] % 2
    mover = k.RIM - other
    fresh = last and (rules[k.OVERLINE] or not rules[k.CAPTURES])  # only lines through the last stone can be new
    has_new = has_line_at(rules, state, last, mover) if fresh else has_line(rules, state, mover)
    if rules[k.FIVE] == k.AT_ONCE:
        if has_new:
            return int(mover)
        if not fresh and has_line(rules, state, other):
            return int(other)
    if rules[k.CAPTURE_WIN]:
        white, black = state[k.TAKEN] >= rules[k.CAPTURE_WIN], state[k.TAKEN + 1] >= rules[k.CAPTURE_WIN]
        if white != black:
            return k.WHITE if white else k.WHITE + 1
    if rules[k.FIVE] != k.AT_ONCE:
        if (state[k.STANDING] or not fresh) and has_line(rules, state, other):
            return int(other)
        state[k.STANDING] = has_new
        if has_new and not reply_counts(rules, state, work):
            return int(mover)
    if not state[k.FREE] or (rules[k.BLOCKED_TIE] and is_blocked(rules, state)):
        return 0
    return ONGOING


@kernel
def end_turn(rules: Int64s, state: Int64s, last: int, work: Int64s) -> None:
    """Ends a turn outside the opening's choices: the result, and the seat to move."""
    state[SEAT] = state[k.PLACED] % 2 ^ state[k.SWAPPED]
    winner = decide(rules, state, last, work)
    state[k.RESULT] = winner if winner <= 0 else 1 << (winner - k.WHITE ^ state[k.SWAPPED])


@kernel
def play(rules: Int64s, state: Int64s, action: int, work: Int64s) -> None:
    """Places a stone, or makes a choice of swap2."""
    side = action - rules[k.SIZE] * rules[k.SIZE]
    if side == k.MORE:
        state[k.STAGE] = k.TWO_MORE
        return
    if side >= 0:
        state[k.STAGE] = k.OVER
        state[k.SWAPPED] = side != state[SEAT]
        state[PLY] += 1
        end_turn(rules, state, 0, work)
        return
    cell = cell_of(rules, action)
    colour = state[k.PLACED] % 2
    stone = k.WHITE + colour
    state[cell] = stone
    taken = taken_by(rules, state, cell, stone, work)
    lost = poofed_by(rules, state, cell, stone, work[taken:])
    for i in range(taken + lost):
        state[work[i]] = k.EMPTY
    state[k.TAKEN + colour] += taken
    state[k.TAKEN + 1 - colour] += lost
    state[k.FREE] += taken + lost - 1
    state[k.PLACED] += 1
    stage = state[k.STAGE]
    if stage == k.OVER:
        state[PLY] += 1
        end_turn(rules, state, cell, work)
    elif state[k.PLACED] == (3 if stage == k.THREE else 5):
        state[PLY] += 1
        state[SEAT] = 1 - state[SEAT]
        state[k.STAGE] = stage + 1


@kernel
def result(rules: Int64s, state: Int64s) -> int:
    """The winners as bits, or -1."""
    return int(state[k.RESULT])


@kernel
def is_choice(state: Int64s) -> bool:
    """Whether a colour is chosen now."""
    return bool(state[k.STAGE] == k.CHOOSE or state[k.STAGE] == k.CHOOSE_AGAIN)


@kernel
def legal(rules: Int64s, state: Int64s, mask: Int8s, work: Int64s) -> None:
    """Marks the legal points, or the choices of swap2."""
    size = rules[k.SIZE]
    points = size * size
    if is_choice(state):
        mask[points : points + k.MORE] = 1
        mask[points + k.MORE] = state[k.STAGE] == k.CHOOSE
        return
    is_plain = state[k.PLACED] > 2 and rules[k.DOUBLE_THREE]
    point = 0
    for row in range(size):
        first = row_of(rules, row)
        for cell in range(first, first + size):
            mask[point] = state[cell] == k.EMPTY and (is_plain or may_place(rules, state, point, work))
            point += 1


@kernel
def observe(rules: Int64s, state: Int64s, planes: Int8s) -> None:
    """Marks the stones, the seat to move, the next stone, the captures and the stage of swap2."""
    size, own = rules[k.SIZE], state[SEAT] ^ state[k.SWAPPED]
    points, point = size * size, 0
    for row in range(size):
        first = row_of(rules, row)
        for cell in range(first, first + size):
            if state[cell] != k.EMPTY:
                planes[(state[cell] - k.WHITE != own) * points + point] = 1
            point += 1
    planes[2 * points : 3 * points] = 1
    planes[3 * points : 4 * points] = state[k.PLACED] % 2 == own
    most, plane = rules[k.CAPTURE_WIN], 4
    for colour in (own, 1 - own):
        taken = min(state[k.TAKEN + colour], most)
        planes[plane * points : (plane + taken) * points] = 1
        plane += most
    if rules[k.SWAP2] and state[k.STAGE] != k.OVER:
        plane += state[k.STAGE] - 1
        planes[plane * points : (plane + 1) * points] = 1


@kernel
def removed_by(rules: Int64s, state: Int64s, point: int, work: Int64s) -> int:
    """The stones that the next stone removes, if it is placed on an empty point."""
    cell, stone = cell_of(rules, point), k.WHITE + state[k.PLACED] % 2
    count = taken_by(rules, state, cell, stone, work)
    state[cell] = stone
    count += poofed_by(rules, state, cell, stone, work[count:])
    state[cell] = k.EMPTY
    return count


@kernel
def random_step(rules: Int64s, state: Int64s, work: Int64s, counter: UInt64s) -> int:
    """A legal point; in swap2 a choice or a point with the weight of the turns that begin with it.

    Two more stones are as many turns as there are pairs of points. The first of them can remove stones, so that the
    second has more points: `most` at least.
    """
    points = rules[k.SIZE] * rules[k.SIZE]
    counter[0] += STEP
    number = mixed(counter[0])
    if is_choice(state):
        turns = long(2)
        if state[k.STAGE] == k.CHOOSE:
            for point in range(points):
                if may_place(rules, state, point, work):
                    turns += state[k.FREE] - 1 + removed_by(rules, state, point, work)
        return int(points + min(long(high_below(number, word(turns))), k.MORE))
    is_first_of_two = state[k.STAGE] == k.TWO_MORE and state[k.PLACED] == 3
    most = state[k.FREE] + 4
    while True:
        point = long(high_below(number, word(points)))
        if may_place(rules, state, point, work):
            if not is_first_of_two:
                return point
            if long(low_below(number, word(most))) < state[k.FREE] - 1 + removed_by(rules, state, point, work):
                return point
        counter[0] += STEP
        number = mixed(counter[0])


NATIVE = batches(__name__, play=play, result=result, legal=legal, observe=observe, random_step=random_step)
