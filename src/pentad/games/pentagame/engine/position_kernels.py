"""Pentagame kernels: paths of pieces, rules and race evaluation over an array of integers.

`constants` names the parts of a state. A set of fields is a pair of integers, with bits for fields 0-39 and 40-99.
Both stay below 2**60, so that no shift reaches the sign bit.
"""

from __future__ import annotations

import random
from typing import TypeAlias

from pentad.games.pentagame.board import EDGES
from pentad.games.pentagame.engine import constants as k
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.types import Int64s

State: TypeAlias = Int64s

# ── the board as tables ──────────────────────────────────────────────────────────────────────────

EDGE_ENDS = np.array([(edge.high, edge.low) for edge in EDGES], dtype=np.int64)
EDGE_FIRST = np.array([edge.stops[0] for edge in EDGES], dtype=np.int64)
EDGE_STOPS = np.array([len(edge.stops) for edge in EDGES], dtype=np.int64)
# The place of its stops in their bit set, and as many bits.
EDGE_SHIFT = np.array(
    [stop - k.SPLIT * (stop >= k.SPLIT) for stop, *_ in (edge.stops for edge in EDGES)], dtype=np.int64
)
EDGE_MASK = np.array([(1 << len(edge.stops)) - 1 for edge in EDGES], dtype=np.int64)
EDGE_OF = np.array([-1] * 10 + [i for i, edge in enumerate(EDGES) for _ in edge.stops], dtype=np.int64)
_AT = [[i for i, edge in enumerate(EDGES) if m in edge[:2]] for m in range(10)]
EDGES_AT = np.array(_AT, dtype=np.int64)
# These edges and their other ends, in one number.
HOPS = np.array([[i | (EDGES[i].high + EDGES[i].low - m) << 5 for i in _AT[m]] for m in range(10)], dtype=np.int64)
# The lowest bit of each number.
FIRST_OF = np.array([0, *((each & -each).bit_length() - 1 for each in range(1, 1024))], dtype=np.int64)


def _runs(stops: int) -> tuple[list[int], list[int]]:
    """For every pattern of taken stops: the stops reached from the high end, and from the low end."""
    from_high: list[int] = []
    from_low: list[int] = []
    for taken in range(64):
        for runs, order in ((from_high, range(stops)), (from_low, range(stops - 1, -1, -1))):
            reached = 0
            for stop in order:
                reached |= 1 << stop
                if taken >> stop & 1:
                    break
            runs.append(reached)
    return from_high, from_low


FROM_HIGH = np.array([_runs(stops)[0] for stops in range(7)], dtype=np.int64)
FROM_LOW = np.array([_runs(stops)[1] for stops in range(7)], dtype=np.int64)
COUNT = np.array([each.bit_count() for each in range(64)], dtype=np.int64)

FAR = 100  # more than any number of taken fields on a path


@kernel
def bits(number: int) -> int:
    """The number of set bits."""
    number = int(number)
    number = number - ((number >> 1) & 0x5555555555555555)
    number = (number & 0x3333333333333333) + ((number >> 2) & 0x3333333333333333)
    number = (number + (number >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((number * 0x0101010101010101) >> 56) & 0xFF


@kernel
def one_or_two(number: int) -> int:
    """How many bits are set, counted up to two."""
    return int(number != 0) + int(number & (number - 1) != 0)


@kernel
def lowest(number: int) -> int:
    """The index of the lowest set bit."""
    return bits((number & -number) - 1)


@kernel
def pattern(low: int, high: int, edge: int) -> int:
    """The taken stops of an edge as bits, the lowest one next to its high end."""
    return int((low if EDGE_FIRST[edge] < k.SPLIT else high) >> EDGE_SHIFT[edge] & EDGE_MASK[edge])


@kernel
def flood(low: int, high: int, start: int) -> tuple[int, int]:
    """The reachable fields from `start`, as a pair of bit sets; paths end at taken fields."""
    found_low, found_high = 0, 0
    todo = 0  # corners and junctions still to expand
    if start < 10:
        todo = 1 << start
    else:
        edge = EDGE_OF[start]
        first, stops = EDGE_FIRST[edge], EDGE_STOPS[edge]
        here = start - first
        taken = pattern(low, high, edge) & ~(1 << here)
        below, above = taken & ((1 << here) - 1), taken >> (here + 1)
        # towards the high end the stops have smaller numbers
        to_high = FROM_LOW[here, below] if here else 0
        to_low = FROM_HIGH[stops - 1 - here, above] << (here + 1)
        reached = to_high | to_low
        if first < k.SPLIT:
            found_low |= reached << first
        else:
            found_high |= reached << (first - k.SPLIT)
        if below == 0:
            main = EDGE_ENDS[edge, 0]
            found_low |= 1 << main
            if not (low >> main) & 1:
                todo |= 1 << main
        if above == 0:
            main = EDGE_ENDS[edge, 1]
            found_low |= 1 << main
            if not (low >> main) & 1:
                todo |= 1 << main
    done = 0
    while todo:
        main = lowest(todo)
        todo &= todo - 1
        done |= 1 << main
        for i in range(4):
            edge = EDGES_AT[main, i]
            first, stops = EDGE_FIRST[edge], EDGE_STOPS[edge]
            taken = pattern(low, high, edge)
            if EDGE_ENDS[edge, 0] == main:
                reached, other = FROM_HIGH[stops, taken], EDGE_ENDS[edge, 1]
            else:
                reached, other = FROM_LOW[stops, taken], EDGE_ENDS[edge, 0]
            if first < k.SPLIT:
                found_low |= reached << first
            else:
                found_high |= reached << (first - k.SPLIT)
            if taken == 0 and not (done >> other) & 1:
                found_low |= 1 << other
                if not (low >> other) & 1:
                    todo |= 1 << other
    # A path may have come back to its start.
    if start < k.SPLIT:
        found_low &= ~(1 << start)
    else:
        found_high &= ~(1 << (start - k.SPLIT))
    return found_low, found_high


# A way from a corner or junction to a goal: the least number of taken fields before the goal, and in its lower bits the
# choke points: corners and junctions (bits 0-9) and edges (bits 10-29) that lie on all paths with so few taken fields.
LEAST = 30
CHOKES = (1 << LEAST) - 1
NO_WAY = FAR << LEAST


@kernel
def hurdles(low: int, goal: int, counts: Int64s, ways: Int64s) -> None:
    """Writes the ways from every corner and junction to the goal.

    `counts` has the taken stops of each edge, at the place of a way's. A block on a choke point lengthens the path.
    """
    for main in range(10):
        ways[main] = NO_WAY
    ways[goal] = 0
    todo, later, distance = 1 << goal, 0, 0  # what is still to expand: at this distance, and farther away
    while True:
        while todo:
            main = FIRST_OF[todo & 1023]
            todo &= todo - 1
            is_on_the_way = int(main != goal)
            through = (ways[main & 15] | is_on_the_way << main) + ((low >> main & is_on_the_way) << LEAST)
            for i in range(4):  # without branches, which no processor could predict
                hop = HOPS[main & 15, i]
                edge, other = hop & 31, hop >> 5 & 15  # masks spare the check for a negative index
                way = through + counts[edge] | 1 << (10 + edge)
                known = ways[other]
                longer = (way >> LEAST) - (known >> LEAST)
                best = way if longer < 0 else (way & known if longer == 0 else known)
                ways[other] = best
                changed = int(best != known) << other
                is_here = way >> LEAST == distance
                todo |= changed if is_here else 0
                later |= 0 if is_here else changed
        if later == 0:
            return
        distance, left = FAR, later
        while left:
            main = FIRST_OF[left & 1023]
            left &= left - 1
            length = ways[main & 15] >> LEAST
            todo = (0 if length < distance else todo) | int(length <= distance) << main
            distance = min(distance, length)
        later &= ~todo


@kernel
def turns_from(low: int, high: int, field: int, goal: int, ways: Int64s, first: int) -> tuple[int, int]:
    """The number of turns of a piece from a field to the goal if nothing else moves, and its choke points, up to two.

    A piece on the goal needs one turn. `ways` has, from `first` on, those of each corner and junction.
    """
    if field < 10:
        way = ways[first + field]
        return 1 + int(way >> LEAST), one_or_two(way & CHOKES)
    edge = EDGE_OF[field]
    here = field - EDGE_FIRST[edge]
    taken = pattern(low, high, edge)
    one, other = EDGE_ENDS[edge, 0], EDGE_ENDS[edge, 1]
    up_way, down_way = ways[first + one], ways[first + other]
    up_end, down_end = int(one != goal), int(other != goal)  # the goal itself neither blocks nor narrows a path
    up = COUNT[taken & ((1 << here) - 1)] + (up_way >> LEAST) + (low >> one & up_end)
    down = COUNT[taken >> (here + 1)] + (down_way >> LEAST) + (low >> other & down_end)
    up_narrow, down_narrow = up_way & CHOKES | up_end << one, down_way & CHOKES | down_end << other
    narrow = up_narrow if up < down else (down_narrow if down < up else up_narrow & down_narrow)
    return 1 + int(min(up, down)), one_or_two(narrow)


# ── the race ─────────────────────────────────────────────────────────────────────────────────────

THIRDS, SIXTHS = 0o1111111111, 0o01010101010101010101  # the lowest stop of each edge, of ten edges with three or six


@kernel
def ways_of(low: int, high: int, work: Int64s) -> int:
    """The index in `work` of the ways to every goal: from each corner and junction to the first goal, then the next.

    They depend only on the number of taken stops of each edge and on the taken corners and junctions. A memo in `work`
    keeps them by these numbers, so positions of a search that differ only in the order of an edge's stops share them.
    """
    short = low >> 10
    short = (short & THIRDS) + (short >> 1 & THIRDS) + (short >> 2 & THIRDS)
    long = (high & SIXTHS) + (high >> 1 & SIXTHS) + (high >> 2 & SIXTHS)
    long += (high >> 3 & SIXTHS) + (high >> 4 & SIXTHS) + (high >> 5 & SIXTHS)
    short = short << 11 | 1 << 10 | (low & 1023)
    row = k.MEMO + (long + (short << 19)) % k.MEMO_ROWS * k.MEMO_ROW
    first = row + 2
    if work[row] == short and work[row + 1] == long:
        return int(first)
    counts = work[k.COUNTS : k.COUNTS + 20]
    for edge in range(10):
        counts[edge] = (short >> (11 + 3 * edge) & 7) << LEAST
        counts[10 + edge] = (long >> (6 * edge) & 7) << LEAST
    for colour in range(5):
        hurdles(low, 5 + colour, counts, work[first + 10 * colour : first + 10 * colour + 10])
    work[row], work[row + 1] = short, long
    return int(first)


@kernel
def race(state: State, work: Int64s) -> None:
    """Writes the turns of every piece to its goal and the choke points on its path, up to two; 0 if it is home.

    They are in `work` from `TURNS` and `CHOKED` on. It has `WORK` entries, all of them 0 at first.
    """
    low, high = state[k.LOW], state[k.HIGH]
    first = ways_of(low, high, work)
    for piece in range(5 * state[k.PLAYERS]):
        field, colour = state[k.PIECES + piece], piece % 5
        turns, choked = 0, 0
        if field >= 0:
            turns, choked = turns_from(low, high, field, 5 + colour, work, first + 10 * colour)
        work[k.TURNS + piece], work[k.CHOKED + piece] = turns, choked


# ── playing ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def take(state: State, field: int) -> None:
    if field < k.SPLIT:
        state[k.LOW] |= 1 << field
    else:
        state[k.HIGH] |= 1 << (field - k.SPLIT)


@kernel
def free(state: State, field: int) -> None:
    if field < k.SPLIT:
        state[k.LOW] &= ~(1 << field)
    else:
        state[k.HIGH] &= ~(1 << (field - k.SPLIT))


@kernel
def free_if_empty(state: State, field: int) -> None:
    """Frees a field after a piece has left it, unless other pieces are on it."""
    for piece in range(k.PIECES, k.PIECES + 5 * state[k.PLAYERS]):
        if state[piece] == field:
            return
    free(state, field)


@kernel
def home(state: State, seat: int) -> int:
    """The number of a seat's pieces that are home."""
    count = 0
    for piece in range(k.PIECES + 5 * seat, k.PIECES + 5 * seat + 5):
        count += state[piece] < 0
    return count


@kernel
def pool(state: State) -> int:
    """The number of gray blocks off the board."""
    count = 0
    for gray in range(k.GRAYS, k.GRAYS + 5):
        count += state[gray] < 0
    return count


@kernel
def is_over(state: State) -> int:
    """0 for an unfinished game, 1 if a seat has won (with three pieces home), 2 for a draw."""
    if state[k.BLACK_DUE] or state[k.GRAYS_DUE]:
        return 0
    if state[k.SEAT] == 0 or state[k.FIRST_TO_THREE]:
        for seat in range(state[k.PLAYERS]):
            if home(state, seat) >= k.HOME_WINS:
                return 1
    return 2 if state[k.PLY] >= state[k.MAX_PLY] else 0


@kernel
def blocks(state: State, first: int) -> tuple[int, int]:
    """The fields of the black or the gray blocks, which are `first` of a state, as a pair of bit sets."""
    low, high = 0, 0
    for block in range(first, first + 5):
        field = int(state[block])
        low |= int(0 <= field < k.SPLIT) << (field & 63)  # without branches, which no processor could predict
        high |= int(field >= k.SPLIT) << (field - k.SPLIT & 63)
    return low, high


@kernel
def reach(state: State, piece: int, low: int, high: int) -> tuple[int, int]:
    """The fields where a piece of the seat to move can end, as a pair of bit sets; `low` and `high` have all blocks.

    The field that it has just left is missing, unless there are pieces now, with which it can swap.
    """
    seat = state[k.SEAT]
    last = k.LASTS + 4 * seat
    start, end = state[k.PIECES + seat * 5 + piece], state[last + 2]
    found_low, found_high = flood(state[k.LOW], state[k.HIGH], start)
    if state[last] == piece and state[last + 1] == start and state[last + 3] < 0:
        if end < k.SPLIT:
            found_low &= ~(1 << end & (low | ~state[k.LOW]))
        else:
            found_high &= ~(1 << (end - k.SPLIT) & (high | ~state[k.HIGH]))
    return found_low, found_high


@kernel
def excluded(state: State, piece: int) -> tuple[int, int]:
    """The partners with which a piece of the seat to move may not swap, as it has just done so; -1 for none."""
    seat = state[k.SEAT]
    last, mine, one, other = k.LASTS + 4 * seat, seat * 5 + piece, -1, -1
    partner = state[last + 3]
    was_moved = state[last] == piece and state[last + 1] == state[k.PIECES + mine]
    if was_moved and partner >= 0 and state[last + 2] == state[k.PIECES + partner]:
        one = partner
    if state[k.SWAPPED] == mine:
        other = state[k.PARTNER]
    elif state[k.PARTNER] == mine:
        other = state[k.SWAPPED]
    return one, other


@kernel
def may_swap(mine: int, partner: int, one: int, other: int) -> bool:
    """Whether a piece may swap with a partner that it reaches, by those `excluded`; pieces are numbered by seat.

    A swap of two own pieces is a move of the lower one.
    """
    return ((partner > mine) | (partner < mine - mine % 5)) & (partner != one) & (partner != other)


@kernel
def piece_steps(state: State, out: Int64s) -> int:
    """Writes every legal first step of the turn; returns their count."""
    seat, count = state[k.SEAT], 0
    for piece in range(5):
        if state[k.PIECES + seat * 5 + piece] == 5 + piece:
            out[count] = k.LEAVE_STEP + piece
            count += 1
    if count:
        return count
    black_low, black_high = blocks(state, k.BLACKS)
    gray_low, gray_high = blocks(state, k.GRAYS)
    low, high = black_low | gray_low, black_high | gray_high
    for piece in range(5):
        if state[k.PIECES + seat * 5 + piece] < 0:
            continue
        found_low, found_high = reach(state, piece, low, high)
        one, other = excluded(state, piece)
        for half in range(2):
            found = found_high if half else found_low
            taken = found & state[k.LOW + half]
            base = k.SPLIT if half else 0
            open_fields = found & ~taken
            while open_fields:
                out[count] = (piece * 100 + base + lowest(open_fields)) * 26
                open_fields &= open_fields - 1
                count += 1
            while taken:
                to = base + lowest(taken)
                if taken & -taken & (high if half else low):
                    out[count] = (piece * 100 + to) * 26
                    count += 1
                else:
                    for partner in range(5 * state[k.PLAYERS]):
                        if state[k.PIECES + partner] == to and may_swap(seat * 5 + piece, partner, one, other):
                            out[count] = (piece * 100 + to) * 26 + partner + 1
                            count += 1
                taken &= taken - 1
    return count


@kernel
def block_steps(state: State, out: Int64s) -> int:
    """Writes every legal step for the due block; returns their count."""
    low, high = ~state[k.LOW] & ((1 << k.SPLIT) - 1), ~state[k.HIGH] & ((1 << 60) - 1)
    count = 0
    first, last = 0, 1
    kind = k.BLACK_STEP
    if not state[k.BLACK_DUE]:
        kind = k.GRAY_STEP
        if pool(state):
            while state[k.GRAYS + first] >= 0:
                first += 1
            last = first + 1
        else:
            last = 5
    else:
        while state[k.BLACKS + first] >= 0:
            first += 1
        last = first + 1
    for figure in range(first, last):
        for half in range(2):
            fields = high if half else low
            base = k.SPLIT if half else 0
            while fields:
                out[count] = kind + figure * 100 + base + lowest(fields)
                fields &= fields - 1
                count += 1
    return count


@kernel
def steps(state: State, out: Int64s) -> int:
    """Writes every legal next step; returns their count."""
    if state[k.BLACK_DUE] or state[k.GRAYS_DUE]:
        return block_steps(state, out)
    return piece_steps(state, out)


@kernel
def play_step(state: State, step: int) -> None:
    """Plays a legal step; the turn ends when no block is due."""
    seat = state[k.SEAT]
    last = k.LASTS + 4 * seat
    if step < k.LEAVE_STEP:
        partner = step % 26 - 1
        piece, to = step // 2600, step // 26 % 100
        mover = k.PIECES + seat * 5 + piece
        start = state[mover]
        state[last], state[last + 1], state[last + 2], state[last + 3] = piece, start, to, partner
        state[k.SWAPPED] = state[k.PARTNER] = k.NOWHERE
        for block in range(k.BLACKS, k.BLACKS + 5):
            if state[block] == to:
                state[block] = k.NOWHERE
                state[k.BLACK_DUE] = 1
        for block in range(k.GRAYS, k.GRAYS + 5):
            if state[block] == to:
                state[block] = k.NOWHERE
        state[mover] = to
        take(state, to)
        leaves = to == 5 + piece
        if partner >= 0:
            state[k.PIECES + partner] = start
            other_leaves = start == 5 + partner % 5 and (leaves or partner // 5 == seat)
            if other_leaves:
                state[k.PIECES + partner] = k.NOWHERE
                state[k.GRAYS_DUE] += 1
            if state[k.NO_SWAP_BACK] and not leaves and not other_leaves:
                mine = seat * 5 + piece
                state[k.SWAPPED], state[k.PARTNER] = min(mine, partner), max(mine, partner)
        if leaves:
            state[mover] = k.NOWHERE
            state[k.GRAYS_DUE] += 1
            free_if_empty(state, to)
        free_if_empty(state, start)
    elif step < k.BLACK_STEP:
        mover = k.PIECES + seat * 5 + step - k.LEAVE_STEP
        start = state[mover]
        state[mover] = k.NOWHERE
        state[last], state[last + 3] = k.NOWHERE, k.NOWHERE
        state[last + 1], state[last + 2] = k.NOWHERE, k.NOWHERE
        state[k.SWAPPED] = state[k.PARTNER] = k.NOWHERE
        state[k.GRAYS_DUE] = 1
        free_if_empty(state, start)
    elif step < k.GRAY_STEP:
        state[k.BLACKS + (step - k.BLACK_STEP) // 100] = step % 100
        state[k.BLACK_DUE] = 0
        take(state, step % 100)
    else:
        gray = k.GRAYS + (step - k.GRAY_STEP) // 100
        if state[gray] >= 0:
            free(state, state[gray])
        state[gray] = step % 100
        state[k.GRAYS_DUE] -= 1
        take(state, step % 100)
    if state[k.BLACK_DUE] == 0 and state[k.GRAYS_DUE] == 0:
        state[k.PLY] += 1
        seat += 1
        while seat < state[k.PLAYERS] and home(state, seat) == 5:
            seat += 1
        state[k.SEAT] = seat if seat < state[k.PLAYERS] else 0
        if state[k.SWAPPED] >= 0 and state[k.SWAPPED] // 5 != state[k.SEAT] and state[k.PARTNER] // 5 != state[k.SEAT]:
            state[k.SWAPPED] = state[k.PARTNER] = k.NOWHERE  # the next seat is not part of the swap


# ── repetitions ──────────────────────────────────────────────────────────────────────────────────

# Zobrist keys: five seats' five pieces, a black block, a gray one, on every field or off the board; then the seats
# to move and the seats' previous moves.
_random = random.Random(1)
ZOBRIST = np.array([_random.randrange(1, 1 << 62) for _ in range(27 * 101 + 5)], dtype=np.int64)
BLACK_KEYS, GRAY_KEYS, SEAT_KEYS = 25 * 101, 26 * 101, 27 * 101


@kernel
def signature(state: State) -> int:
    """The Zobrist hash of a position for repetitions: without plies, blocks of a kind interchangeable."""
    key = ZOBRIST[SEAT_KEYS + state[k.SEAT]]
    for piece in range(5 * state[k.PLAYERS]):
        key ^= ZOBRIST[101 * piece + state[k.PIECES + piece] + 1]
    for i in range(5):
        key ^= ZOBRIST[BLACK_KEYS + state[k.BLACKS + i] + 1]
        if state[k.GRAYS + i] >= 0:  # equal keys of two blocks in the pool would cancel out
            key ^= ZOBRIST[GRAY_KEYS + state[k.GRAYS + i] + 1]
    for seat in range(state[k.PLAYERS]):
        last = k.LASTS + 4 * seat
        if state[last] >= 0:
            moved = ((state[last] * 101 + state[last + 1]) * 101 + state[last + 2]) * 27 + state[last + 3] + 1
            key ^= (ZOBRIST[seat] >> 3) * (2 * moved + 1) & 0x3FFFFFFFFFFFFFFF
    return int(key)
