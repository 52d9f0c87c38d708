"""Pentagame kernels: rules, race evaluation and random play over an array of integers.

`constants` names the parts of a state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.path_kernels import (
    COUNT,
    bits,
    flood,
    hurdles,
    lowest,
    pattern,
    turns_from,
)
from pentad.search.kernels import chance, copy_state

State = NDArray[np.int64]

# ── the race ─────────────────────────────────────────────────────────────────────────────────────


@kernel
def race(state: State, turns: NDArray[np.int64], chokes: NDArray[np.int64], work: NDArray[np.int64]) -> None:
    """Writes, for every piece of every seat, the turns to its goal and the choke points on its path; 0 if it is home.

    `work` has at least 40 entries.
    """
    low, high = state[k.LOW], state[k.HIGH]
    counts, between, narrow = work[:20], work[20:30], work[30:40]
    for edge in range(20):
        counts[edge] = COUNT[pattern(low, high, edge)]
    for colour in range(5):
        goal = 5 + colour
        hurdles(low, goal, counts, between, narrow)
        for seat in range(state[k.PLAYERS]):
            field, piece = state[k.PIECES + seat * 5 + colour], seat * 5 + colour
            turns[piece], chokes[piece] = 0, 0
            if field >= 0:
                turns[piece], chokes[piece] = turns_from(low, high, field, goal, between, narrow)


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
def piece_steps(state: State, out: NDArray[np.int64]) -> int:
    """Writes every legal first step of the turn; returns their count."""
    seat, count = state[k.SEAT], 0
    for piece in range(5):
        if state[k.PIECES + seat * 5 + piece] == 5 + piece:
            out[count] = k.LEAVE_STEP + piece
            count += 1
    if count:
        return count
    low, high = state[k.LOW], state[k.HIGH]
    last = k.LASTS + 4 * seat
    first_block, after_pieces = k.BLACKS, k.PIECES + 5 * state[k.PLAYERS]
    for piece in range(5):
        start = state[k.PIECES + seat * 5 + piece]
        if start < 0:
            continue
        found_low, found_high = flood(low, high, start)
        for half in range(2):
            found = found_high if half else found_low
            taken = found & (high if half else low)
            base = k.SPLIT if half else 0
            open_fields = found & ~taken
            while open_fields:
                to = base + lowest(open_fields)
                open_fields &= open_fields - 1
                if not (state[last] == piece and state[last + 2] == to and state[last + 1] == start) or (
                    state[last + 3] >= 0
                ):
                    out[count] = (piece * 100 + to) * 26
                    count += 1
            while taken:
                to = base + lowest(taken)
                taken &= taken - 1
                same = state[last] == piece and state[last + 2] == to and state[last + 1] == start
                is_block = False
                for block in range(first_block, first_block + 10):
                    if state[block] == to:
                        is_block = True
                if is_block:
                    if not (same and state[last + 3] < 0):
                        out[count] = (piece * 100 + to) * 26
                        count += 1
                    continue
                for other in range(k.PIECES, after_pieces):
                    if state[other] != to:
                        continue
                    partner = other - k.PIECES
                    if partner // 5 == seat and partner % 5 < piece:
                        continue  # a swap of two own pieces is a move of the lower one
                    if same and state[last + 3] == partner:
                        continue
                    if state[k.SWAPPED] >= 0:
                        mine = seat * 5 + piece
                        if min(mine, partner) == state[k.SWAPPED] and max(mine, partner) == state[k.PARTNER]:
                            continue
                    out[count] = (piece * 100 + to) * 26 + partner + 1
                    count += 1
    return count


@kernel
def block_steps(state: State, out: NDArray[np.int64]) -> int:
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
def steps(state: State, out: NDArray[np.int64]) -> int:
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


@kernel
def count_turns(state: State, out: NDArray[np.int64], copy: State) -> int:
    """The number of whole turns: first steps, each with the ways to put the due blocks."""
    if is_over(state):
        return 0
    total = 0
    for i in range(piece_steps(state, out)):
        copy_state(copy, state)
        play_step(copy, out[i])
        empty = 100 - bits(copy[k.LOW]) - bits(copy[k.HIGH])
        in_pool = pool(copy)
        placements = 1
        if copy[k.PLY] == state[k.PLY]:
            for _ in range(copy[k.BLACK_DUE]):
                placements *= empty
                empty -= 1
            for _ in range(copy[k.GRAYS_DUE]):
                if in_pool:
                    placements *= empty
                    empty -= 1
                    in_pool -= 1
                else:
                    placements *= 5 * empty
        total += placements
    return total


# ── repetitions ──────────────────────────────────────────────────────────────────────────────────

# Zobrist keys: five seats' five pieces, a black block, a gray one, on every field or off the board; then the seats
# to move and the seats' previous moves.
ZOBRIST = np.random.default_rng(1).integers(1, 1 << 62, size=27 * 101 + 5, dtype=np.int64)
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


@kernel
def random_turns(state: State, seed: State, turns: int, out: NDArray[np.int64], start: State) -> int:
    """Plays random turns, restarting from `start` after the end of a game; returns the number of finished games."""
    finished = 0
    for _ in range(turns):
        ply = state[k.PLY]
        while state[k.PLY] == ply:
            count = steps(state, out)
            play_step(state, out[chance(seed, count)])
        if is_over(state):
            finished += 1
            copy_state(state, start)
    return finished
