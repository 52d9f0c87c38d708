"""Threats: who wins at once, what answers that, and attacks that leave the other no choice.

An attack is a row of moves each of which threatens to win with the next one, by a line or by taking. The answers that
are tried are all that could matter: the points where the win would come, and everything that takes stones, which may
break a line or win first. Whatever else is played there loses at once; so a win that is found here is certain, where
the rules are simple (`SIMPLE`). Where a line has to stand the reply, stones may vanish or be forbidden, or a game may
end without a winner, every point is an answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pente.engine.position_kernels import (
    A_FIVE,
    A_FOUR,
    AXES,
    BLACK,
    CAPTURE_WIN,
    CAPTURES,
    COUNTS,
    EDGE,
    EMPTY,
    FOUR_AND_THREE,
    HELD,
    KINDS,
    LISTS,
    LOST,
    MOVER,
    ON,
    PLACED,
    ROOM,
    SIMPLE,
    SIZE,
    STANDING,
    STANDS,
    STEPS,
    STONES_TAKEN,
    STRIDE,
    SUMS,
    TAKING,
    WINNING_FOUR,
    WON,
    key,
    make,
    may_place,
    points_free,
    unmake,
)
from pentad.pente.engine.shape_kernels import SIDE, TAKEN, TAKEN_BITS, Codes, Words

LEVELS = 128  # moves from the root, at most
LIST = 640  # moves of a level, at most

# In `told`: the flag that stops, positions looked at, at how many an attack has to end, whether one had to, and how
# many positions attacks looked at; then the generation of what is remembered, and how many positions an attack may
# look at where the search ends (a few times that before); and how many positions may be looked at in all, 0 if any.
STOP, VISITED, ENOUGH, CUT, ATTACKED, GENERATION, EFFORT, MOST, TOLD = range(9)
Lists = NDArray[np.int32]
PARTS = "int32[::1], int64[::1], int32[::1], int64[::1], int32[::1]"


@kernel
def lacking(state: Words, colour: int) -> int:
    """How many stones a colour still has to take to win by that."""
    if state[CAPTURE_WIN] == 0:
        return 10_000
    return max(1, int(state[CAPTURE_WIN] - state[STONES_TAKEN + colour]))


@kernel
def wins_by_taking(board: Codes, state: Words, colour: int) -> int:
    """A point where a colour would take the last stones that it lacks, or -1."""
    which = colour * KINDS + TAKING
    count = state[COUNTS + which]
    if count == 0:
        return -1
    lacks = lacking(state, colour)
    if lacks > TAKEN_BITS:
        return -1
    for i in range(count):
        point = board[LISTS + which * ROOM + i]
        if state[SUMS + point] >> (SIDE * colour + TAKEN) & TAKEN_BITS >= lacks:
            return int(point)
    return -1


@kernel
def threatens(board: Codes, state: Words, colour: int) -> bool:
    """Whether a colour could win with its next stone, as far as one sees."""
    return state[COUNTS + colour * KINDS + A_FIVE] > 0 or wins_by_taking(board, state, colour) >= 0


@kernel
def add(out: Codes, count: int, point: int) -> int:
    """Add a point to a list unless it is there."""
    for i in range(count):
        if out[i] == point:
            return count
    out[count] = point
    return count + 1


@kernel
def add_list(board: Codes, state: Words, colour: int, kind: int, out: Codes, count: int) -> int:
    """Add the points of a list to another, unless they are there."""
    which = colour * KINDS + kind
    for i in range(state[COUNTS + which]):
        count = add(out, count, board[LISTS + which * ROOM + i])
    return count


@kernel
def stands(board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes) -> bool:
    """Whether the line that stands now will, whatever the colour to move takes."""
    me = state[MOVER]
    tries = np.empty(ROOM, dtype=np.int32)
    tried = add_list(board, state, me, TAKING, tries, 0)
    for i in range(tried):
        led = make(board, state, entries, sums, worths, tries[i])
        unmake(board, state, sums, worths)
        if led != LOST:
            return False
    return True


@kernel
def wins_at_once(board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes) -> int:
    """A point where the colour to move wins, or -1."""
    me = state[MOVER]
    which = me * KINDS + A_FIVE
    count = state[COUNTS + which]
    by_taking = wins_by_taking(board, state, me)
    if count == 0 and by_taking < 0:
        return -1
    if state[STANDING]:
        return by_taking
    if state[SIMPLE] and state[PLACED] >= 3:
        return int(board[LISTS + which * ROOM]) if count else by_taking
    tries = np.empty(2 * ROOM, dtype=np.int32)  # making and taking back reorders the lists
    tried = add_list(board, state, me, A_FIVE, tries, 0)
    if by_taking >= 0:
        tried = add_list(board, state, me, TAKING, tries, tried)
    for i in range(tried):
        point = int(np.int64(tries[i]))
        if not may_place(state, point, me):
            continue
        led = make(board, state, entries, sums, worths, point)
        won = led == WON or (led == ON and state[STANDING] > 0 and stands(board, state, entries, sums, worths))
        unmake(board, state, sums, worths)
        if won:
            return point
    return -1


@kernel
def allowed(state: Words, out: Codes, count: int, colour: int) -> int:
    """Keep of a list of points those where a colour may place a stone; gives how many."""
    kept = 0
    for i in range(count):
        if may_place(state, out[i], colour):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def answers(board: Codes, state: Words, out: Codes) -> int:
    """What the colour to move can do about the other's wins: go there, or take something; gives how many."""
    me = state[MOVER]
    other = 1 - me
    count = add_list(board, state, other, A_FIVE, out, 0)
    lacks = lacking(state, other)
    which = other * KINDS + TAKING
    for i in range(state[COUNTS + which]):
        point = board[LISTS + which * ROOM + i]
        if state[SUMS + point] >> (SIDE * other + TAKEN) & TAKEN_BITS >= lacks:
            count = add(out, count, point)
    count = add_list(board, state, me, TAKING, out, count)
    return allowed(state, out, count, me)


@kernel
def bracketing(board: Codes, state: Words, out: Codes, count: int) -> int:
    """Add the points from which a stone of the colour to move could take some of the other's with the next one."""
    size, me = state[SIZE], state[MOVER]
    his = BLACK - me
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] != EMPTY:
                continue
            for way in range(2 * AXES):
                step = STEPS[way]
                length = 0
                while length < state[CAPTURES] and board[HELD + point + (length + 1) * step] == his:
                    length += 1
                if length >= 2 and board[HELD + point + (length + 1) * step] == EMPTY:
                    count = add(out, count, point)
    return count


@kernel
def attackers(board: Codes, state: Words, out: Codes) -> int:
    """Moves that may threaten to win with the next one, the strongest first; gives how many."""
    me = state[MOVER]
    count = 0
    if state[STANDS]:  # what can be broken has to be
        count = add_list(board, state, me, A_FIVE, out, count)
    count = add_list(board, state, me, WINNING_FOUR, out, count)
    count = add_list(board, state, me, FOUR_AND_THREE, out, count)
    if state[CAPTURE_WIN]:
        count = add_list(board, state, me, TAKING, out, count)
    count = add_list(board, state, me, A_FOUR, out, count)
    if lacking(state, me) <= state[CAPTURES]:
        count = bracketing(board, state, out, count)
    return allowed(state, out, count, me)


@kernel
def attacked(board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, colour: int) -> bool:
    """Whether a colour, which has just moved, would win next, and the other does not before."""
    if not state[STANDING] and not threatens(board, state, colour):
        return False
    return wins_at_once(board, state, entries, sums, worths) < 0


@kernel(f"int64({PARTS}, int32[:,::1], int64[::1], int64[::1], int32[::1], int64, int64)")
def attack(
    board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, lists: Lists, known: Words, told: Words,
    line: Codes, level: int, most: int,
) -> int:  # fmt: skip
    """In how many moves of one's own the colour to move wins by threats alone; 0 where that is not found.

    `known` remembers where none was found; `line` gets the first move at this level.
    """
    told[ATTACKED] += 1
    me = state[MOVER]
    at_once = wins_at_once(board, state, entries, sums, worths)
    if at_once >= 0:
        line[level] = at_once
        return 1
    if most <= 1 or state[STANDING]:
        return 0
    if told[ATTACKED] >= told[ENOUGH] or told[STOP] or level + 3 >= LEVELS:
        told[CUT] = 1
        return 0
    here = key(state)
    slot = here % len(known)
    if known[slot] >> 6 == here >> 6 and known[slot] & 63 >= most:
        return 0
    cut = told[CUT]
    told[CUT] = 0
    moves, replies = lists[level], lists[level + 1]
    count = attackers(board, state, moves)
    for i in range(count):
        led = make(board, state, entries, sums, worths, moves[i])
        lasts = -1
        if led == WON:
            lasts = 0
        elif led == ON and attacked(board, state, entries, sums, worths, me):
            lasts = 1
            anything = not state[SIMPLE] and not state[STANDING]
            found = points_free(board, state, replies) if anything else answers(board, state, replies)
            for j in range(found):
                replied = make(board, state, entries, sums, worths, replies[j])
                rest = 1 if replied == LOST else 0
                if replied == ON:
                    rest = attack(
                        board, state, entries, sums, worths, lists, known, told, line, level + 2, most - 1
                    )  # fmt: skip
                unmake(board, state, sums, worths)
                if rest == 0:
                    lasts = -1
                    break
                lasts = max(lasts, rest)
        unmake(board, state, sums, worths)
        if lasts >= 0:
            line[level] = moves[i]
            told[CUT] = cut
            return 1 + lasts
        if told[STOP]:
            break
    if not told[CUT]:
        known[slot] = here >> 6 << 6 | min(most, 63)
    told[CUT] |= cut
    return 0
