"""Kernels that write the numbers of `looks` from the state of a game: what the drawing shows, and a legal step.

`look_constants` names their places. `last` has the actions of the last turn, or those so far in the middle of one.
"""

from __future__ import annotations

from pentad.games.pentagame import look_constants as c
from pentad.games.pentagame.batch.step_kernels import FIELDS, OF_PARTNER, PIECES, has, moves_piece, step_of
from pentad.games.pentagame.board import EDGE_BETWEEN, LINKS
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import blocks, home, is_over, pool
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.types import Int64s
from pentad.search.batch_kernels import long

MAINS = 10


def _stops_after(corner: int) -> range:
    """The stops of the arc to the next corner."""
    other = (corner + 1) % 5
    edge = EDGE_BETWEEN[corner, other]
    return edge.stops if edge.high == corner else edge.stops[::-1]


LINKED = np.array([[*linked, -1, -1][:4] for linked in LINKS], dtype=np.int64)

_AROUND = [field for corner in range(5) for field in (corner, *_stops_after(corner))]
ROUND = len(_AROUND)  # fields of the ring
# Their places, anti-clockwise; -1 for junctions.
RING = np.array([_AROUND.index(field) if field in _AROUND else -1 for field in range(c.RING_FIELDS)], dtype=np.int64)

# ── paths ─────────────────────────────────────────────────────────────────────────────────────────
#
# The search is that of `board.path`: of two equally long ways the one with fewer steps so far is continued, then the
# one with the lower field where they part. As distances never mislead it, a field has been reached by a shortest path
# when it is expanded. For each field there are its distance to the end on the empty board, the steps to it, the field
# before it, and whether it is still to be expanded.

AWAY, STEPS, BEFORE, IS_OPEN, WORK = range(0, 5 * FIELDS, FIELDS)
FAR = 1000


@kernel
def measure(end: int, work: Int64s) -> None:
    """Writes the distances of all fields to one of them on the empty board."""
    for field in range(FIELDS):
        work[AWAY + field] = FAR
    work[AWAY + end] = 0
    queue, count, done = work[STEPS:], 1, 0
    queue[0] = end
    while done < count:
        field = queue[done]
        done += 1
        for i in range(4):
            other = LINKED[field, i]
            if other >= 0 and work[AWAY + other] == FAR:
                work[AWAY + other] = work[AWAY + field] + 1
                queue[count] = other
                count += 1


@kernel
def comes_first(work: Int64s, one: int, other: int) -> bool:
    """Whether a field is expanded before another one."""
    lengths = work[STEPS + one] + work[AWAY + one] - work[STEPS + other] - work[AWAY + other]
    if lengths or work[STEPS + one] != work[STEPS + other]:
        return bool(lengths < 0 or (lengths == 0 and work[STEPS + one] < work[STEPS + other]))
    is_lower = False
    while one != other:
        is_lower = bool(one < other)
        one, other = work[BEFORE + one], work[BEFORE + other]
    return is_lower


@kernel
def find_path(start: int, end: int, low: int, high: int, work: Int64s) -> int:
    """Finds a shortest path around the taken fields; returns its steps, 0 if there is none."""
    measure(end, work)
    for field in range(FIELDS):
        work[STEPS + field], work[IS_OPEN + field] = FAR, 0
    work[STEPS + start], work[IS_OPEN + start] = 0, 1
    while True:
        field = -1
        for each in range(FIELDS):
            if work[IS_OPEN + each] and (field < 0 or comes_first(work, each, field)):
                field = each
        if field < 0:
            return 0
        steps = work[STEPS + field]
        if field == end:
            return int(steps)
        work[IS_OPEN + field] = 0
        for i in range(4):
            other = LINKED[field, i]
            if other >= 0 and steps + 1 < work[STEPS + other] and (other == end or not has(low, high, other)):
                work[STEPS + other], work[BEFORE + other], work[IS_OPEN + other] = steps + 1, field, 1


@kernel
def segment(one: int, other: int) -> int:
    """The number of a path's segment."""
    if one >= c.RING_FIELDS or other >= c.RING_FIELDS or RING[one] < 0 or RING[other] < 0:
        return other
    is_next = (RING[other] - RING[one]) % ROUND == 1
    return other + (c.ANTICLOCKWISE if is_next else c.CLOCKWISE)


@kernel
def write_path(start: int, end: int, low: int, high: int, out: Int64s) -> None:
    """Writes the path of a piece, if there is one. The room for titles serves for the search, and is 0 again."""
    work, field = out[c.TITLES : c.TITLES + WORK], end
    steps = find_path(start, end, low, high, work)
    if steps:
        out[c.PATH_KNOWN], out[c.PATH_FROM], out[c.PATH] = 1, start + 1, steps
    for i in range(steps, -1, -1):
        if field < MAINS and out[c.PATH_KNOWN]:
            out[c.FIELD_LOOKS + field] |= c.HIDDEN
        if i:
            out[c.PATH + i] = segment(work[BEFORE + field], field)
            field = work[BEFORE + field]
    work[:] = 0


# ── the last turn ─────────────────────────────────────────────────────────────────────────────────


@kernel
def write_route(state: Int64s, last: Int64s, count: int, out: Int64s) -> None:
    """Writes the path of the piece that has moved in the last turn, or at the beginning of one."""
    low, high, first_black = state[k.LOW], state[k.HIGH], first_block(state)
    for i in range(count):
        if last[i] >= first_black:  # it was put after the piece had moved
            to = (last[i] - first_black) % FIELDS
            low &= ~(long(to < k.SPLIT) << (to & 63))
            high &= ~(long(to >= k.SPLIT) << (to - k.SPLIT & 63))
    moved = k.LASTS + 4 * mover(state)
    if last[0] < first_black - PIECES and state[moved] >= 0:
        write_path(state[moved + 1], state[moved + 2], low, high, out)


@kernel
def write_marks(state: Int64s, last: Int64s, count: int, out: Int64s) -> None:
    """Writes what is marked after the last turn: figures that have come to a field, and one that a piece has left."""
    players, first_black = state[k.PLAYERS], first_block(state)
    for i in range(count):
        if last[i] >= first_black:
            mark(out, (last[i] - first_black) % FIELDS, players, c.FIELD_PUT)
    if first_black - PIECES <= last[0] < first_black:
        mark(out, last[0] - first_black + 2 * PIECES, players, 0)
        return
    seat = mover(state)
    moved = k.LASTS + 4 * seat
    if state[moved] >= 0:
        start, end, partner = state[moved + 1], state[moved + 2], state[moved + 3]
        mark(out, end, players, 0)
        mark_piece(out, PIECES * seat + state[moved], end)
        if partner >= 0:
            mark(out, start, players, 0)
            mark_piece(out, partner, start)


@kernel
def first_block(state: Int64s) -> int:
    """The action of the black block on the first field; before it are those of pieces that leave."""
    return int(PIECES * FIELDS * (PIECES * state[k.PLAYERS] + 1) + PIECES)


@kernel
def mover(state: Int64s) -> int:
    """The seat that has played the last turn, or is in the middle of one."""
    if state[k.BLACK_DUE] or state[k.GRAYS_DUE]:
        return int(state[k.SEAT])
    return int((state[k.SEAT] - 1) % state[k.PLAYERS])


@kernel
def mark(out: Int64s, field: int, players: int, put: int) -> None:
    """Marks a field to which a figure has come, or which a piece has left at the end."""
    ring = 0 if out[c.TITLES + (1 + PIECES * players) * field] else c.FIELD_RING
    out[c.FIELD_LOOKS + field] |= ring | put


@kernel
def mark_piece(out: Int64s, piece: int, field: int) -> None:
    """Marks a piece that has come to a field, if it is there still."""
    place = c.PIECES + c.PIECE_SIZE * piece
    if out[place + c.FIELD] == field + 1:
        out[place + c.FLAGS] += c.MOVED
        out[place + c.BODY] += c.MOVED


# ── figures ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def slot(field: int, count: int, which: int) -> int:
    """The number of a place in a stack, as `looks.slot_number` has it."""
    row = count * (count - 1) // 2 - 1 + which
    if field < c.CORNERS:
        return 1 + c.CORNERS * row + field
    return 1 + c.CORNERS * c.CORNER_ROWS + (FIELDS - c.CORNERS) * row + field - c.CORNERS


@kernel
def write_pieces(state: Int64s, out: Int64s) -> None:
    """Writes the pieces, and those that are named in the titles of their fields."""
    players = state[k.PLAYERS]
    each_title = 1 + PIECES * players
    for piece in range(PIECES * players):
        field = state[k.PIECES + piece]
        if field < 0:
            dish = c.DISHES + c.DISH_SIZE * (piece // PIECES) + 1
            out[dish] += 1
            out[dish + out[dish]] = piece % PIECES
        else:
            title = c.TITLES + each_title * field
            out[title] += 1
            out[title + out[title]] = piece + 1
    for field in range(FIELDS):
        title = c.TITLES + each_title * field
        count = out[title]
        is_main = field < MAINS
        kind = c.STACKED + count if is_main else c.STACKED_ON_STOP + count
        if count == 1:
            kind = c.ON_MAIN if is_main else c.ON_STOP
        for which in range(count):
            piece = out[title + 1 + which] - 1
            place = c.PIECES + c.PIECE_SIZE * piece
            flags = 1 + (c.WAITS if field == PIECES + piece % PIECES else 0)
            out[place + c.FIELD], out[place + c.FLAGS] = field + 1, flags
            out[place + c.SLOT] = slot(field, count, which) if count > 1 else 0
            out[place + c.BODY] = c.BODIES_EACH * kind + flags
        if count and is_main:
            out[c.FIELD_LOOKS + field] |= c.HIDDEN


@kernel
def write_blocks(state: Int64s, out: Int64s) -> None:
    """Writes the blocks, then what is drawn of each field."""
    each_title = 1 + PIECES * state[k.PLAYERS]
    for i in range(10):  # the gray ones follow the black ones
        field = state[k.BLACKS + i]
        if field >= 0:
            look, place = out[c.FIELD_LOOKS + field], c.BLOCKS + c.BLOCK_SIZE * i
            out[place], out[place + 1] = field + 1, 1
            if look & c.FIELD_RING:
                out[place + 1] += c.RING
            if look & c.FIELD_PUT:
                out[place + 1] += c.PUT
    black_low, black_high = blocks(state, k.BLACKS)
    gray_low, gray_high = blocks(state, k.GRAYS)
    for field in range(FIELDS):
        out[c.FIELD_LOOKS + field] += 1
        if has(black_low, black_high, field):
            append(out, c.BLACK_FIELDS, field + 1)
            out[c.FIELD_LOOKS + field] = 0
        elif has(gray_low, gray_high, field):
            append(out, c.GRAY_FIELDS, field + 1)
            out[c.FIELD_LOOKS + field] = 0
        elif out[c.TITLES + each_title * field] == 0:
            out[c.TITLES + each_title * field] = 1  # it is named as empty


@kernel
def append(out: Int64s, place: int, number: int) -> None:
    """Appends a number to a list."""
    out[place] += 1
    out[place + out[place]] = number


# ── all numbers ───────────────────────────────────────────────────────────────────────────────────


@kernel
def next_action(state: Int64s) -> int:
    """The number of the next action among those of `notation`."""
    if state[k.BLACK_DUE]:
        return 2
    if state[k.GRAYS_DUE]:
        return 3 if pool(state) else 4
    return int(not moves_piece(state))


@kernel
def write_status(state: Int64s, out: Int64s) -> None:
    """Writes who is to move or has won, due blocks and the pool, and the previous moves."""
    players, seat, over = state[k.PLAYERS], state[k.SEAT], is_over(state)
    winners, won = 0, 0
    for each in range(players):
        if over == 1 and home(state, each) >= k.HOME_WINS:
            winners |= 1 << each
            won += 1
        elif over == 0 and each == seat:
            out[c.DISHES + c.DISH_SIZE * each] = 1
        last = k.LASTS + 4 * each
        if state[last] >= 0:
            append(out, c.PREVIOUS, each)
            place = c.LASTS + c.LAST_SIZE * each
            for i in range(c.LAST_SIZE):
                out[place + i] = state[last + i] + int(i > 0)
    for each in range(players):
        if winners >> each & 1 and won < players:
            out[c.DISHES + c.DISH_SIZE * each] = 2
    out[c.STATUS] = c.ACTIONS * players + winners if over else c.ACTIONS * seat + next_action(state)
    out[c.PLIES], out[c.POOL] = state[k.PLY], pool(state)
    out[c.DUE] = 3 * state[k.BLACK_DUE] + state[k.GRAYS_DUE]
    in_hand = state[k.BLACK_DUE] == 0 and state[k.GRAYS_DUE] > 0
    for i in range(5):
        if state[k.BLACK_DUE] and state[k.BLACKS + i] < 0:
            out[c.DUE_BLACK] = i + 1
        if state[k.GRAYS + i] < 0:
            out[c.POOL_LOOKS + i] = 2 if in_hand else 1
            in_hand = False


@kernel
def look(rules: Int64s, state: Int64s, last: Int64s, count: int, out: Int64s) -> None:
    """Writes what the drawing shows of a position after so many actions of a turn."""
    out[:] = 0
    if count:
        write_route(state, last, count, out)
    write_status(state, out)
    write_pieces(state, out)
    if count:
        write_marks(state, last, count, out)
    write_blocks(state, out)


# ── the numbers of a step ─────────────────────────────────────────────────────────────────────────


@kernel
def offer_block(state: Int64s, action: int, out: Int64s) -> None:
    """Writes the step of a block."""
    block = action - first_block(state)
    out[c.MOVER], out[c.TO] = PIECES * state[k.SEAT], block % FIELDS + 1
    if block < FIELDS:
        black = long(0)
        while state[k.BLACKS + black] >= 0:
            black += 1
        out[c.CASE], out[c.BLOCK] = c.PUTS_BLACK, c.FIRST_BLACK + black
        return
    gray = block // FIELDS - 1
    out[c.CASE], out[c.BLOCK] = c.PUTS_GRAY, c.FIRST_GRAY + gray
    if pool(state) == 0:
        out[c.CASE], out[c.START] = c.MOVES_GRAY, state[k.GRAYS + gray] + 1


@kernel
def pieces_on(state: Int64s, field: int) -> int:
    """The number of pieces on a field."""
    count = long(0)
    for piece in range(PIECES * state[k.PLAYERS]):
        count += state[k.PIECES + piece] == field
    return int(count)


@kernel
def offer_move(state: Int64s, action: int, out: Int64s) -> None:
    """Writes the step of a piece."""
    step, seat = step_of(state, action), state[k.SEAT]
    partner, to, piece = step % OF_PARTNER - 1, step // OF_PARTNER % FIELDS, step // OF_PARTNER // FIELDS
    start, is_home = state[k.PIECES + PIECES * seat + piece], to == PIECES + piece
    out[c.MOVER], out[c.TO], out[c.START] = PIECES * seat + piece, to + 1, start + 1
    if partner < 0:
        black_low, black_high = blocks(state, k.BLACKS)
        gray_low, gray_high = blocks(state, k.GRAYS)
        out[c.CASE] = c.IS_HOME if is_home else 0
        if has(black_low, black_high, to):
            out[c.CASE] += c.TAKES_BLACK
        elif has(gray_low, gray_high, to):
            out[c.CASE] += c.TAKES_GRAY
        return
    is_own, case = partner // PIECES == seat, c.SWAPS
    if is_own:
        case += c.OWN
    if is_home:
        case += c.MOVER_HOME
    if start == PIECES + partner % PIECES and (is_home or is_own):
        case += c.OTHER_HOME
    out[c.CASE], out[c.OTHER] = case, partner
    out[c.ALONE] = int(pieces_on(state, to) == 1) + 2 * int(pieces_on(state, start) == 1)


@kernel
def offer(rules: Int64s, state: Int64s, action: int, out: Int64s, work: Int64s) -> None:
    """Writes the numbers of a legal step."""
    out[:] = 0
    out[c.ACTION] = action
    leave = action - first_block(state) + PIECES
    if leave >= PIECES:
        offer_block(state, action, out)
    elif leave >= 0:
        out[c.CASE], out[c.MOVER], out[c.TO] = c.LEAVES, PIECES * state[k.SEAT] + leave, PIECES + leave + 1
    else:
        offer_move(state, action, out)
