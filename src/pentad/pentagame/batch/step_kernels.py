"""Kernels of many games of Pentagame at once, around those of the engine.

Actions are those of the game's encoding; the engine's steps have other numbers, as a partner of a swap counts by seat.
"""

from __future__ import annotations

from pentad.jit.compiler import kernel
from pentad.jit.random_kernels import STEP, high_below, mixed
from pentad.pentagame.batch.constants import COPY, ENDS, STEPS, WORK
from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.kernels import bits, home, is_over, play_step, pool, steps
from pentad.search.batch_kernels import ONGOING, Flags, Ints, Word, Words, batches, copy_state, long

FIELDS, PIECES = 100, 5
OF_PARTNER = 26  # steps of the engine for each piece and field


@kernel
def action_of(state: Ints, step: int) -> int:
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
        owner, piece = (partner - 1) // PIECES, (partner - 1) % PIECES
        partner = 1 + PIECES * ((owner - state[k.SEAT]) % players) + piece
    return int(step // OF_PARTNER * (PIECES * players + 1) + partner)


@kernel
def step_of(state: Ints, action: int) -> int:
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
        owner, piece = (partner - 1) // PIECES, (partner - 1) % PIECES
        partner = 1 + PIECES * ((owner + state[k.SEAT]) % players) + piece
    return int(action // partners * OF_PARTNER + partner)


@kernel
def play(rules: Ints, state: Ints, action: int, work: Ints) -> None:
    """Makes a step."""
    play_step(state, step_of(state, action))


@kernel
def result(rules: Ints, state: Ints) -> int:
    """The winners as bits, or -1."""
    over = is_over(state)
    if over == 0:
        return ONGOING
    winners = long(0)
    for seat in range(state[k.PLAYERS]):
        winners |= long(over == 1 and home(state, seat) >= k.HOME_WINS) << seat
    return winners


@kernel
def legal(rules: Ints, state: Ints, mask: Flags, work: Ints) -> None:
    """Marks the legal steps."""
    for i in range(steps(state, work)):
        mask[action_of(state, work[i])] = 1


@kernel
def mark(planes: Flags, plane: int, field: int) -> None:
    """Marks a field of a plane, unless it is off the board."""
    if field >= 0:
        planes[plane * FIELDS + field] = 1


@kernel
def observe(rules: Ints, state: Ints, planes: Flags) -> None:
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
def turns_after(state: Ints) -> int:
    """The number of ways to put the due blocks."""
    empty, in_pool, count = FIELDS - bits(state[k.LOW]) - bits(state[k.HIGH]), pool(state), long(1)
    for _ in range(state[k.BLACK_DUE]):
        count *= empty
        empty -= 1
    for _ in range(state[k.GRAYS_DUE]):
        if in_pool:
            count *= empty
            empty -= 1
            in_pool -= 1
        else:
            count *= PIECES * empty
    return count


@kernel
def turns_with(state: Ints, step: int, copy: Ints) -> int:
    """The number of turns that begin with a step; mostly 1, as no block becomes due."""
    if step < k.LEAVE_STEP:
        piece, to, partner = step // (FIELDS * OF_PARTNER), step // OF_PARTNER % FIELDS, step % OF_PARTNER - 1
        start = state[k.PIECES + state[k.SEAT] * PIECES + piece]
        is_due = to == 5 + piece or (partner >= 0 and start == 5 + partner % PIECES)
        for block in range(k.BLACKS, k.BLACKS + PIECES):
            is_due |= state[block] == to
        if not is_due:
            return 1
    copy_state(copy, state)
    play_step(copy, step)
    return turns_after(copy) if copy[k.PLY] == state[k.PLY] else 1


@kernel
def random_step(rules: Ints, state: Ints, work: Ints, counter: Words) -> int:
    """A first step with the weight of the turns that begin with it, or a field for a block."""
    out, ends, copy = work[STEPS:ENDS], work[ENDS:COPY], work[COPY:WORK]
    count = long(steps(state, out))
    is_first = state[k.BLACK_DUE] == 0 and state[k.GRAYS_DUE] == 0
    total = long(0)
    for i in range(count):
        total += turns_with(state, out[i], copy) if is_first else 1
        ends[i] = total
    counter[0] += STEP
    chosen = long(high_below(mixed(counter[0]), Word(total)))
    low, high = long(0), count - 1
    while low < high:
        middle = (low + high) // 2
        if ends[middle] > chosen:
            high = middle
        else:
            low = middle + 1
    return action_of(state, out[low])


NATIVE = batches(__name__, play=play, result=result, legal=legal, observe=observe, random_step=random_step)
