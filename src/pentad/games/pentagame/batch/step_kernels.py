"""Kernels of many games of Pentagame at once, around those of the engine.

Actions are those of the game's encoding; the engine's steps have other numbers, as a partner of a swap counts by seat.
"""

from __future__ import annotations

from pentad.games.pentagame.batch.constants import COPY, COUNTS, FOUND, PARTS, WORK
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.position_kernels import (
    bits,
    blocks,
    excluded,
    home,
    is_over,
    lowest,
    may_swap,
    play_step,
    pool,
    reach,
    steps,
)
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import STEP, high_below, mixed
from pentad.kernels.types import Int8s, Int64s, UInt64s, Word
from pentad.search.batch_kernels import ONGOING, batches, copy_state, long, word

FIELDS, PIECES = 100, 5
OF_PARTNER = 26  # steps of the engine for each piece and field


@kernel
def has(low: int, high: int, field: int) -> bool:
    """Whether a pair of bit sets has a field."""
    return bool((high >> (field - k.SPLIT) if field >= k.SPLIT else low >> field) & 1)


@kernel
def all_blocks(state: Int64s) -> tuple[int, int]:
    """The fields of all blocks."""
    black_low, black_high = blocks(state, k.BLACKS)
    gray_low, gray_high = blocks(state, k.GRAYS)
    return black_low | gray_low, black_high | gray_high


@kernel
def moves_piece(state: Int64s) -> bool:
    """Whether the next step moves a piece: no block is due, and no piece of the seat to move waits on its goal."""
    if state[k.BLACK_DUE] or state[k.GRAYS_DUE]:
        return False
    first, waiting = k.PIECES + state[k.SEAT] * PIECES, False
    for piece in range(PIECES):
        waiting |= state[first + piece] == PIECES + piece
    return not waiting


@kernel
def partner_from(state: Int64s, partner: int, seats: int) -> int:
    """A partner of a swap by seats from another one on, from 1; the seat to move comes first in actions."""
    return int(1 + PIECES * ((partner // PIECES + seats) % state[k.PLAYERS]) + partner % PIECES)


@kernel
def action_of(state: Int64s, step: int) -> int:
    """The action of a step."""
    players = state[k.PLAYERS]
    moves = PIECES * FIELDS * (PIECES * players + 1)
    if step >= k.GRAY_STEP:
        return int(moves + PIECES + FIELDS + step - k.GRAY_STEP)
    if step >= k.BLACK_STEP:
        return int(moves + PIECES + (step - k.BLACK_STEP) % FIELDS)
    if step >= k.LEAVE_STEP:
        return int(moves + step - k.LEAVE_STEP)
    partner = step % OF_PARTNER
    if partner:
        partner = partner_from(state, partner - 1, -state[k.SEAT])
    return int(step // OF_PARTNER * (PIECES * players + 1) + partner)


@kernel
def step_of(state: Int64s, action: int) -> int:
    """The step of an action."""
    players = state[k.PLAYERS]
    partners = PIECES * players + 1
    moves = PIECES * FIELDS * partners
    if action >= moves + PIECES + FIELDS:
        return int(k.GRAY_STEP + action - moves - PIECES - FIELDS)
    if action >= moves + PIECES:
        black = long(0)
        while state[k.BLACKS + black] >= 0:
            black += 1
        return int(k.BLACK_STEP + FIELDS * black + action - moves - PIECES)
    if action >= moves:
        return int(k.LEAVE_STEP + action - moves)
    partner = action % partners
    if partner:
        partner = partner_from(state, partner - 1, state[k.SEAT])
    return int(action // partners * OF_PARTNER + partner)


@kernel
def play(rules: Int64s, state: Int64s, action: int, work: Int64s) -> None:
    """Makes a step."""
    play_step(state, step_of(state, action))


@kernel
def result(rules: Int64s, state: Int64s) -> int:
    """The winners as bits, or -1."""
    over = is_over(state)
    if over == 0:
        return ONGOING
    winners = long(0)
    for seat in range(state[k.PLAYERS]):
        winners |= long(over == 1 and home(state, seat) >= k.HOME_WINS) << seat
    return winners


@kernel
def legal(rules: Int64s, state: Int64s, mask: Int8s, work: Int64s) -> None:
    """Marks the legal steps."""
    if not moves_piece(state):
        for i in range(steps(state, work)):
            mask[action_of(state, work[i])] = 1
        return
    players, seat = state[k.PLAYERS], state[k.SEAT]
    partners = PIECES * players + 1
    low, high = all_blocks(state)
    for piece in range(PIECES):
        if state[k.PIECES + seat * PIECES + piece] < 0:
            continue
        found_low, found_high = reach(state, piece, low, high)
        for half in range(2):
            fields = (found_high & (high | ~state[k.HIGH])) if half else (found_low & (low | ~state[k.LOW]))
            first = piece * FIELDS + (k.SPLIT if half else 0)
            while fields:
                mask[(first + lowest(fields)) * partners] = 1
                fields &= fields - 1
        mine, (one, other) = seat * PIECES + piece, excluded(state, piece)
        for partner in range(PIECES * players):
            to = state[k.PIECES + partner]
            if to >= 0 and has(found_low, found_high, to) and may_swap(mine, partner, one, other):
                mask[(piece * FIELDS + to) * partners + partner_from(state, partner, -seat)] = 1


@kernel
def mark(planes: Int8s, plane: int, field: int) -> None:
    """Marks a field of a plane, unless it is off the board."""
    if field >= 0:
        planes[plane * FIELDS + field] = 1


@kernel
def observe(rules: Int64s, state: Int64s, planes: Int8s) -> None:
    """Marks figures, the seat to move, due blocks, the last moves and a swap that may not be undone."""
    players, seat = state[k.PLAYERS], state[k.SEAT]
    for i in range(players):
        owner = (seat + i) % players
        for piece in range(PIECES):
            mark(planes, i * PIECES + piece, state[k.PIECES + owner * PIECES + piece])
    plane = players * PIECES
    for block in range(PIECES):
        mark(planes, plane, state[k.BLACKS + block])
        mark(planes, plane + 1 + block, state[k.GRAYS + block])
    plane += 1 + PIECES
    planes[plane * FIELDS : (plane + 1) * FIELDS] = 1
    plane += players
    planes[plane * FIELDS : (plane + 1) * FIELDS] = state[k.BLACK_DUE] > 0
    planes[(plane + 1) * FIELDS : (plane + 2) * FIELDS] = state[k.GRAYS_DUE] > 0
    planes[(plane + 2) * FIELDS : (plane + 3) * FIELDS] = state[k.GRAYS_DUE] > 1
    plane += 3
    for i in range(players):
        last = k.LASTS + 4 * ((seat + i) % players)
        if state[last] >= 0:
            mark(planes, plane + i, state[last + 1])
            mark(planes, plane + players + i, state[last + 2])
    plane += 2 * players
    if state[k.SWAPPED] >= 0:
        mark(planes, plane, state[k.PIECES + state[k.SWAPPED]])
        mark(planes, plane, state[k.PIECES + state[k.PARTNER]])


@kernel
def ways(empty: int, in_pool: int, blacks: int, grays: int) -> int:
    """The number of ways to put so many due blocks on the empty fields, with so many gray ones in the pool."""
    count = long(1)
    for _ in range(blacks):
        count *= empty
        empty -= 1
    for _ in range(grays):
        if in_pool:
            count *= empty
            empty -= 1
            in_pool -= 1
        else:
            count *= PIECES * empty
    return count


@kernel
def turns_with(state: Int64s, step: int, copy: Int64s) -> int:
    """The number of turns that begin with a step."""
    copy_state(copy, state)
    play_step(copy, step)
    if copy[k.PLY] != state[k.PLY]:
        return 1
    empty = FIELDS - bits(copy[k.LOW]) - bits(copy[k.HIGH])
    return ways(empty, pool(copy), copy[k.BLACK_DUE], copy[k.GRAYS_DUE])


@kernel
def empty_after(state: Int64s, start: int) -> int:
    """The number of empty fields after a piece has left its field."""
    on_start = long(0)
    for piece in range(k.PIECES, k.PIECES + PIECES * state[k.PLAYERS]):
        on_start += state[piece] == start
    return FIELDS - bits(state[k.LOW]) - bits(state[k.HIGH]) + long(on_start == 1)


@kernel
def turns_onto(is_black: int, leaves: int, empty: int, in_pool: int) -> int:
    """The number of turns that begin with a move onto a block, by `empty_after` and the gray blocks in the pool."""
    return ways(empty + leaves, in_pool + 1 - is_black, is_black, leaves)


@kernel
def turns_swapping(state: Int64s, piece: int, start: int, partner: int, copy: Int64s) -> int:
    """The number of turns that begin with a swap; one, unless a piece leaves the board."""
    to = state[k.PIECES + partner]
    if to != PIECES + piece and start != PIECES + partner % PIECES:
        return 1
    return turns_with(state, (piece * FIELDS + to) * OF_PARTNER + partner + 1, copy)


@kernel
def count_turns(state: Int64s, low: int, high: int, black_low: int, black_high: int, work: Int64s) -> int:
    """Counts the turns that begin with the move of a piece; `low` and `high` have all blocks.

    Writes the fields that each piece reaches, and for each piece and half of the board the turns with moves to open
    fields and to taken ones.
    """
    found, counts, copy, total = work[FOUND:COUNTS], work[COUNTS:PARTS], work[COPY:WORK], long(0)
    counts[:] = 0
    in_pool, pieces, first_own = pool(state), PIECES * state[k.PLAYERS], state[k.SEAT] * PIECES
    taken_low, taken_high = state[k.LOW], state[k.HIGH]
    for piece in range(PIECES):
        mine, goal = first_own + piece, PIECES + piece
        start = state[k.PIECES + mine]
        if start < 0:
            continue
        found_low, found_high = reach(state, piece, low, high)
        found[2 * piece], found[2 * piece + 1] = found_low, found_high
        one, other = excluded(state, piece)
        empty = empty_after(state, start)
        onto_low = bits(found_low & low) + (empty - 1) * bits(found_low & black_low)
        onto_high = bits(found_high & high) + (empty - 1) * bits(found_high & black_high)
        open_low, open_high = bits(found_low & ~taken_low), bits(found_high & ~taken_high)
        if found_low >> goal & 1:
            if not taken_low >> goal & 1:
                open_low += ways(empty, in_pool, 0, 1) - 1
            elif low >> goal & 1:
                is_black = black_low >> goal & 1
                onto_low += turns_onto(is_black, 1, empty, in_pool) - turns_onto(is_black, 0, empty, in_pool)
        can_leave = (start >= PIECES and start < 2 * PIECES) or (found_low & taken_low & ~low) >> goal & 1
        for partner in range(pieces):
            to, swaps = state[k.PIECES + partner], long(may_swap(mine, partner, one, other))
            in_low = long(to < k.SPLIT)  # off the board, it is in no set
            onto_low += swaps & in_low & found_low >> (to & 63)
            onto_high += swaps & ~in_low & found_high >> (to - k.SPLIT & 63)
            if can_leave and swaps and to >= 0 and has(found_low, found_high, to):
                turns = turns_swapping(state, piece, start, partner, copy) - 1
                onto_low += in_low * turns
                onto_high += (1 - in_low) * turns
        part = 4 * piece
        counts[part], counts[part + 1], counts[part + 2], counts[part + 3] = open_low, onto_low, open_high, onto_high
        total += open_low + onto_low + open_high + onto_high
    return total


@kernel
def nth(fields: int, n: int) -> int:
    """The n-th field of a bit set, from 0."""
    for _ in range(n):
        fields &= fields - 1
    return lowest(fields)


@kernel
def piece_step(state: Int64s, chosen: int, low: int, high: int, black_low: int, black_high: int, work: Int64s) -> int:
    """The step with which a turn begins, by the turn's number, after `count_turns`.

    The order of turns is that in which the engine lists their first steps.
    """
    counts, copy, part = work[COUNTS:PARTS], work[COPY:WORK], long(0)
    while chosen >= counts[part]:
        chosen -= counts[part]
        part += 1
    piece, half = part // 4, part // 2 % 2
    base, goal, mine = (k.SPLIT if half else 0), PIECES + piece, state[k.SEAT] * PIECES + piece
    found, taken, start = work[FOUND + 2 * piece + half], state[k.LOW + half], state[k.PIECES + mine]
    empty, in_pool = empty_after(state, start), pool(state)
    if part % 2 == 0:
        fields = found & ~taken
        if half == 0 and fields >> goal & 1:
            before = bits(fields & ((1 << goal) - 1))
            if chosen >= before:
                chosen = max(before, chosen + 1 - ways(empty, in_pool, 0, 1))
        return (piece * FIELDS + base + nth(fields, chosen)) * OF_PARTNER
    fields, (one, other) = found & taken, excluded(state, piece)
    while True:
        to, bit = base + lowest(fields), fields & -fields
        step = (piece * FIELDS + to) * OF_PARTNER
        if bit & (high if half else low):
            is_black = long(bit & (black_high if half else black_low) != 0)
            chosen -= turns_onto(is_black, long(to == goal), empty, in_pool)
            if chosen < 0:
                return step
        else:
            for partner in range(PIECES * state[k.PLAYERS]):
                if state[k.PIECES + partner] == to and may_swap(mine, partner, one, other):
                    chosen -= turns_swapping(state, piece, start, partner, copy)
                    if chosen < 0:
                        return step + partner + 1
        fields &= fields - 1


@kernel
def block_action(state: Int64s, number: Word) -> int:
    """An empty field for the due block, by a random number; without gray blocks in the pool, for any of them."""
    low, high = ~state[k.LOW] & ((1 << k.SPLIT) - 1), ~state[k.HIGH] & ((1 << (FIELDS - k.SPLIT)) - 1)
    in_low = bits(low)
    empty = in_low + bits(high)
    is_black = state[k.BLACK_DUE] > 0
    figures = 1 if is_black or pool(state) else PIECES
    chosen = long(high_below(number, word(figures * empty)))
    figure, field = chosen // empty, chosen % empty
    to = nth(low, field) if field < in_low else k.SPLIT + nth(high, field - in_low)
    moves = PIECES * FIELDS * (PIECES * state[k.PLAYERS] + 1)
    if is_black:
        return int(moves + PIECES + to)
    if figures == 1:
        while state[k.GRAYS + figure] >= 0:
            figure += 1
    return int(moves + PIECES + FIELDS + figure * FIELDS + to)


@kernel
def leave_step(state: Int64s, number: Word, work: Int64s) -> int:
    """A step of a piece that waits on its goal, with the weight of the turns that begin with it."""
    out, copy, total = work[:COUNTS], work[COPY:WORK], long(0)
    count = steps(state, out)
    for i in range(count):
        total += turns_with(state, out[i], copy)
    chosen, i = long(high_below(number, word(total))), long(-1)
    while chosen >= 0:
        i += 1
        chosen -= turns_with(state, out[i], copy)
    return int(out[i])


@kernel
def random_step(rules: Int64s, state: Int64s, work: Int64s, counter: UInt64s) -> int:
    """A first step with the weight of the turns that begin with it, or a field for a block."""
    counter[0] += STEP
    number = mixed(counter[0])
    if state[k.BLACK_DUE] or state[k.GRAYS_DUE]:
        return block_action(state, number)
    if not moves_piece(state):
        return action_of(state, leave_step(state, number, work))
    black_low, black_high = blocks(state, k.BLACKS)
    gray_low, gray_high = blocks(state, k.GRAYS)
    low, high = black_low | gray_low, black_high | gray_high
    total = count_turns(state, low, high, black_low, black_high, work)
    chosen = long(high_below(number, word(total)))
    return action_of(state, piece_step(state, chosen, low, high, black_low, black_high, work))


NATIVE = batches(__name__, play=play, result=result, legal=legal, observe=observe, random_step=random_step)
