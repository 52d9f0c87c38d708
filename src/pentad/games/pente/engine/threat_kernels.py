"""Kernels of the threat search: immediate wins, the replies to them, and attacks by consecutive threats.

An attack is a sequence of moves each of which threatens to win with the next one, by a line or by captures. The
replies tried are all that can matter: the points of the threatened win, and every capture, which may break a line or
win first. Any other reply loses at once, so a win found here is proved where the rules are simple (`SIMPLE`). Under
the other rules (a line must survive the reply, stones may vanish or be forbidden, or a game may end without a winner)
every point is a reply.
"""

from __future__ import annotations

from typing import Annotated

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import (
    A_FIVE,
    A_FOUR,
    FOUR_AND_THREE,
    TAKING,
    WINNING_FOUR,
    Codes,
    PositionArrays,
    SearchControl,
    Words,
)
from pentad.games.pente.engine.position_kernels import (
    KIND_BITS,
    KIND_OF,
    STEPS,
    key,
    make,
    may_place,
    points_free,
    unmake,
)
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Int32s, Rows, RowSize

Lists = Annotated[Rows[Int32s], RowSize(k.LIST)]
SELECTIVE_KEY = 0x1F3D5B79A7C3E500
# What a stone makes besides a four: a three or an open two along another axis, or a second four.
COMBINED = 6 << k.FIELD[k.FOUR] | 7 << k.FIELD[k.OPEN_THREE] | 7 << k.FIELD[k.THREE] | 7 << k.FIELD[k.OPEN_TWO]


@kernel
def lacking(state: Words, colour: int) -> int:
    """The number of stones that a colour still has to capture to win."""
    if state[k.CAPTURE_WIN] == 0:
        return 10_000
    return max(1, int(state[k.CAPTURE_WIN] - state[k.STONES_TAKEN + colour]))


@kernel
def wins_by_taking(board: Codes, state: Words, colour: int) -> int:
    """A point where a colour would capture the last stones that it needs, or -1."""
    which = colour * k.KINDS + TAKING
    count = state[k.COUNTS + which]
    if count == 0:
        return -1
    lacks = lacking(state, colour)
    if lacks > k.TAKEN_BITS:
        return -1
    for i in range(count):
        point = board[k.LISTS + which * k.LIST_CAPACITY + i]
        if state[k.SUMS + point] >> (k.SIDE * colour + k.TAKEN) & k.TAKEN_BITS >= lacks:
            return int(point)
    return -1


@kernel
def threatens(board: Codes, state: Words, colour: int) -> bool:
    """Whether a colour could win with its next stone, by the lists alone."""
    return state[k.COUNTS + colour * k.KINDS + A_FIVE] > 0 or wins_by_taking(board, state, colour) >= 0


@kernel
def add(out: Codes, count: int, point: int) -> int:
    """Adds a point to a list unless it is there; returns the length."""
    for i in range(count):
        if out[i] == point:
            return count
    out[count] = point
    return count + 1


@kernel
def add_list(board: Codes, state: Words, colour: int, kind: int, out: Codes, count: int) -> int:
    """Adds the points of one list to another, without duplicates; returns the length."""
    which = colour * k.KINDS + kind
    for i in range(state[k.COUNTS + which]):
        count = add(out, count, board[k.LISTS + which * k.LIST_CAPACITY + i])
    return count


@kernel
def stands(position: PositionArrays) -> bool:
    """Whether the pending line survives every capture by the colour to move."""
    board, state = position.board, position.state
    me = state[k.MOVER]
    tries = board[k.BREAKS : k.BREAKS + k.LIST_CAPACITY]
    tried = add_list(board, state, me, TAKING, tries, 0)
    for i in range(tried):
        result = make(position, tries[i])
        unmake(position)
        if result != k.LOST:
            return False
    return True


@kernel
def wins_at_once(position: PositionArrays) -> int:
    """A point where the colour to move wins at once, or -1."""
    board, state = position.board, position.state
    me = state[k.MOVER]
    which = me * k.KINDS + A_FIVE
    count = state[k.COUNTS + which]
    by_taking = wins_by_taking(board, state, me)
    if count == 0 and by_taking < 0:
        return -1
    if state[k.STANDING]:
        return by_taking
    if state[k.SIMPLE] and state[k.PLACED] >= 3:
        return int(board[k.LISTS + which * k.LIST_CAPACITY]) if count else by_taking
    tries = board[k.TRIES : k.TRIES + 2 * k.LIST_CAPACITY]  # make and unmake reorder the lists
    tried = add_list(board, state, me, A_FIVE, tries, 0)
    if by_taking >= 0:
        tried = add_list(board, state, me, TAKING, tries, tried)
    for i in range(tried):
        point = int(np.int64(tries[i]))
        if not may_place(state, point, me):
            continue
        result = make(position, point)
        won = result == k.WON or (result == k.ONGOING and state[k.STANDING] > 0 and stands(position))
        unmake(position)
        if won:
            return point
    return -1


@kernel
def allowed(state: Words, out: Codes, count: int, colour: int) -> int:
    """Keeps the points of a list where a colour may place a stone; returns their number."""
    kept = 0
    for i in range(count):
        if may_place(state, out[i], colour):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def answers(board: Codes, state: Words, out: Codes) -> int:
    """Writes the replies to the opponent's immediate wins: those points, and every capture; returns their number."""
    me = state[k.MOVER]
    other = 1 - me
    count = add_list(board, state, other, A_FIVE, out, 0)
    lacks = lacking(state, other)
    which = other * k.KINDS + TAKING
    for i in range(state[k.COUNTS + which]):
        point = board[k.LISTS + which * k.LIST_CAPACITY + i]
        if state[k.SUMS + point] >> (k.SIDE * other + k.TAKEN) & k.TAKEN_BITS >= lacks:
            count = add(out, count, point)
    count = add_list(board, state, me, TAKING, out, count)
    return allowed(state, out, count, me)


@kernel
def bracketing(board: Codes, state: Words, out: Codes, count: int) -> int:
    """Adds the points from which the colour to move threatens a capture with its next stone."""
    size, me = state[k.SIZE], state[k.MOVER]
    theirs = k.BLACK - me
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] != k.EMPTY:
                continue
            for way in range(2 * k.AXES):
                step = STEPS[way]
                length = 0
                while length < state[k.CAPTURES] and board[k.HELD + point + (length + 1) * step] == theirs:
                    length += 1
                if length >= 2 and board[k.HELD + point + (length + 1) * step] == k.EMPTY:
                    count = add(out, count, point)
    return count


@kernel
def add_combined_fours(board: Codes, state: Words, colour: int, out: Codes, count: int) -> int:
    """Adds the points where a colour's four would make something else besides; returns the length."""
    which = colour * k.KINDS + A_FOUR
    for i in range(state[k.COUNTS + which]):
        point = board[k.LISTS + which * k.LIST_CAPACITY + i]
        if state[k.SUMS + point] >> k.SIDE * colour & COMBINED:
            count = add(out, count, point)
    return count


@kernel
def lines_decide(state: Words) -> bool:
    """Whether a line alone wins, and only a stone on its last point prevents it."""
    return bool(state[k.SIMPLE] > 0 and state[k.CAPTURES] == 0)


@kernel
def attackers(board: Codes, state: Words, selective: int, out: Codes) -> int:
    """Writes the moves that may threaten an immediate win, the strongest first; returns their number.

    A selective attack leaves out the fours that make nothing else.
    """
    me = state[k.MOVER]
    count = 0
    fives = (1 - me) * k.KINDS + A_FIVE
    if state[k.COUNTS + fives] and lines_decide(state):  # only a four on the last point of the opponent's line
        out[0] = board[k.LISTS + fives * k.LIST_CAPACITY]
        kind = KIND_OF[state[k.SUMS + out[0]] >> k.SIDE * me & KIND_BITS]
        return 1 if state[k.COUNTS + fives] == 1 and kind >= A_FOUR else 0
    if state[k.STANDS]:  # a line that can be broken has to be
        count = add_list(board, state, me, A_FIVE, out, count)
    count = add_list(board, state, me, WINNING_FOUR, out, count)
    count = add_list(board, state, me, FOUR_AND_THREE, out, count)
    if state[k.CAPTURE_WIN]:
        count = add_list(board, state, me, TAKING, out, count)
    if selective:
        count = add_combined_fours(board, state, me, out, count)
    else:
        count = add_list(board, state, me, A_FOUR, out, count)
    if lacking(state, me) <= state[k.CAPTURES]:
        count = bracketing(board, state, out, count)
    return allowed(state, out, count, me)


@kernel
def wins_next(state: Words, colour: int) -> bool:
    """Whether two points complete a colour's line, and the opponent, who cannot win at once, can capture nothing.

    Under the simple rules the colour then wins with its next stone.
    """
    fives, takes = state[k.COUNTS + colour * k.KINDS + A_FIVE], state[k.COUNTS + (1 - colour) * k.KINDS + TAKING]
    return bool(state[k.SIMPLE] > 0 and fives >= 2 and takes == 0)


@kernel
def attacked(position: PositionArrays, colour: int) -> bool:
    """Whether the colour that has just moved threatens to win next and the opponent cannot win first."""
    board, state = position.board, position.state
    if not state[k.STANDING] and not threatens(board, state, colour):
        return False
    return wins_at_once(position) < 0


@kernel
def attack(
    position: PositionArrays, lists: Lists, refuted: Words, control: SearchControl, pv: Codes, level: int, most: int
) -> int:
    """The number of own moves in which the colour to move wins by threats alone; 0 where no such win is found.

    `refuted` is a hash table of positions without one; `pv` receives the first move at this level.
    """
    board, state = position.board, position.state
    control.attack_nodes += 1
    me = state[k.MOVER]
    at_once = wins_at_once(position)
    if at_once >= 0:
        pv[level] = at_once
        return 1
    if most <= 1 or state[k.STANDING]:
        return 0
    if control.attack_nodes >= control.attack_limit or should_stop(control) or level + 3 >= k.LEVELS:
        control.truncated = 1
        return 0
    open_fours = me * k.KINDS + WINNING_FOUR
    if state[k.COUNTS + open_fours] and lines_decide(state) and not threatens(board, state, 1 - me):
        pv[level] = board[k.LISTS + open_fours * k.LIST_CAPACITY]
        return 2
    selective = control.selective
    hashed = key(state) ^ selective * SELECTIVE_KEY
    slot = hashed & (len(refuted) - 1)
    if refuted[slot] >> 6 == hashed >> 6 and refuted[slot] & 63 >= most:
        return 0
    cut = control.truncated
    control.truncated = 0
    moves, replies = lists[level], lists[level + 1]
    count = attackers(board, state, selective, moves)
    for i in range(count):
        result = make(position, moves[i])
        lasts = -1
        if result == k.WON:
            lasts = 0
        elif result == k.ONGOING and attacked(position, me):
            lasts, found = 1, 0
            if not state[k.SIMPLE] and not state[k.STANDING]:
                found = points_free(board, state, replies)
            elif not wins_next(state, me):
                found = answers(board, state, replies)
            for j in range(found):
                replied = make(position, replies[j])
                rest = 1 if replied == k.LOST else 0
                if replied == k.ONGOING:
                    rest = attack(position, lists, refuted, control, pv, level + 2, most - 1)  # fmt: skip
                unmake(position)
                if rest == 0:
                    lasts = -1
                    break
                lasts = max(lasts, rest)
        unmake(position)
        if lasts >= 0:
            pv[level] = moves[i]
            control.truncated = cut
            return 1 + lasts
        if should_stop(control):
            break
    if not control.truncated:
        refuted[slot] = hashed >> 6 << 6 | min(most, 63)
    control.truncated |= cut
    return 0
