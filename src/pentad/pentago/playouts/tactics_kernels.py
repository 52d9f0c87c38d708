"""Looking at a position of Pentago on any board: turns that win at once, which steps promise most, what it is worth."""

from __future__ import annotations

import math

import numpy as np

from pentad.kernel import kernel
from pentad.pentago.playouts import kernels
from pentad.pentago.playouts.kernels import (
    EMPTY,
    NONE,
    SLOTS,
    TAKES,
    Cells,
    Floats,
    Ints,
    Tables,
    completes,
    empties,
    long,
    nth_empty,
    play_out,
    sample,
    share,
    space_of,
    turn_sub_board,
    with_line,
)

HALF = 300.0  # the difference of open lines that is half a win
SHARPNESS, TWIST_SHARPNESS = 1.5, 3.5  # how much more the promising steps are trusted
OWN = 2.0  # how much more one's own lines promise than another's
UNIFORM = 0.02  # of the trust is shared by all steps alike
MIX = 0.3  # of a position's worth is told by its open lines, the rest by random games
DECIDED = 1e6  # what a line is worth beside open lines


# ── winning at once ──────────────────────────────────────────────────────────────────────────────


@kernel
def missing(t: Tables, board: Cells, line: int, mark: int, most: int) -> int:
    """Of a line that lacks at most so many of one's marbles, all on empty cells: the last such cell, 0 if it is full.

    -1 where more are lacking, or another's marble is in it.
    """
    lacking, cell = 0, 0
    for i in range(t.line):
        here = t.lines[line, i]
        if board[here] != mark:
            lacking += 1
            if lacking > most or board[here] != EMPTY:
                return -1
            cell = here
    return int(cell)


@kernel
def winning_turn(t: Tables, board: Cells, seat: int, placed: bool, work: Cells) -> int:
    """A turn that makes the seat to move the only winner: `space * (twists + 1) + twist`; -1 where there is none.

    The twist is `twists` where the placement alone wins; where a marble was `placed`, the space is 0.
    """
    mark, most = seat + 1, long(not placed)
    plain = t.twists + 1
    standing = NONE  # a line that is there, or lacks one marble, before any rotation
    for line in range(t.lines.shape[0]):
        cell = missing(t, board, line, mark, most)
        if cell >= 0:
            if t.placement_wins and not placed:
                return space_of(t, cell) * plain + t.twists
            standing = line
            break
    for twist in range(t.twists):
        turn_sub_board(t, board, twist, work)
        found = NONE
        if standing >= 0:  # it may stand still, or another may
            for line in range(t.lines.shape[0]):
                found = missing(t, board, line, mark, most)
                if found >= 0:
                    break
        else:
            sub_board = twist // 2
            for i in range(t.first[sub_board], t.first[sub_board + 1]):
                found = missing(t, board, t.touching[i], mark, most)
                if found >= 0:
                    break
        if found >= 0 and not other_has_line(t, board, mark, twist // 2):
            if found == 0 and not placed:
                found = t.cells[nth_empty(t, board, long(0))]
            before = found  # where the space was before the rotation
            for i in range(t.enters.shape[1]):
                if t.enters[twist, i] == found:
                    before = t.leaves[twist, i]
            turn_sub_board(t, board, twist ^ 1, work)
            return twist if placed else space_of(t, before) * plain + twist
        turn_sub_board(t, board, twist ^ 1, work)
    return NONE


@kernel
def other_has_line(t: Tables, board: Cells, mark: int, sub_board: int) -> bool:
    """Whether someone else has a line through a sub-board."""
    for i in range(t.first[sub_board], t.first[sub_board + 1]):
        line = t.touching[i]
        owner = long(board[t.lines[line, 0]])
        if owner != EMPTY and owner != mark and missing(t, board, line, owner, long(0)) >= 0:
            return True
    return False


# ── which steps promise most ─────────────────────────────────────────────────────────────────────


@kernel
def holder(t: Tables, board: Cells, line: int) -> tuple[int, int]:
    """Who alone has marbles in a line, and how many; 0 for nobody, -1 where several have."""
    owner, count = EMPTY, 0
    for i in range(t.line):
        here = long(board[t.lines[line, i]])
        if here != EMPTY:
            if owner != EMPTY and owner != here:
                return -1, 0
            owner = here
            count += 1
    return owner, count


@kernel
def lines_ahead(t: Tables, board: Cells, seat: int) -> float:
    """The worth of a seat's open lines less that of the others', who share theirs."""
    worth = 0.0
    for line in range(t.lines.shape[0]):
        owner, count = holder(t, board, line)
        if owner > 0:
            weight = DECIDED if count == t.line else t.weights[count]
            worth += weight if owner == seat + 1 else -weight / (t.players - 1.0)
    return worth


@kernel
def rank(steps: Ints, trust: Floats, count: int) -> None:
    """Sort steps by trust, the most trusted first, and make the trust's sum 1."""
    total = 0.0
    for i in range(count):
        total += trust[i]
        step, much = steps[i], trust[i]
        j = i
        while j > 0 and trust[j - 1] < much:
            steps[j], trust[j] = steps[j - 1], trust[j - 1]
            j -= 1
        steps[j], trust[j] = step, much
    for i in range(count):
        trust[i] = UNIFORM / count + (1.0 - UNIFORM) * trust[i] / total


@kernel
def places(t: Tables, board: Cells, seat: int, steps: Ints, trust: Floats) -> int:
    """The empty spaces, the most promising first, with how far each is to be trusted; how many they are.

    A space promises what the open lines through it are worth, to whomever they belong.
    """
    worth = np.zeros(board.shape[0])
    for line in range(t.lines.shape[0]):
        owner, count = holder(t, board, line)
        if owner >= 0:
            weight = t.weights[count] * (OWN if owner == seat + 1 else 1.0)
            for i in range(t.line):
                worth[t.lines[line, i]] += weight
    count = long(0)
    for space in range(t.spaces):
        cell = t.cells[space]
        if board[cell] == EMPTY:
            steps[count], trust[count] = space, (worth[cell] + 1e-9) ** SHARPNESS
            count += 1
    rank(steps, trust, count)
    return count


@kernel
def twists(t: Tables, board: Cells, seat: int, steps: Ints, trust: Floats, work: Cells) -> int:
    """The rotations that lead to different boards, the most promising first, with trust; how many they are."""
    count = 0
    seen = np.zeros(t.twists, dtype=np.int64)
    for twist in range(t.twists):
        signature = np.int64(0)  # of what changes
        for i in range(t.leaves.shape[1]):
            here, there = t.leaves[twist, i], t.enters[twist, i]
            if board[here] != board[there]:
                signature ^= t.marks[there, board[here]] ^ t.marks[there, board[there]]
        again = False
        for i in range(count):
            again |= seen[i] == signature
        if again:
            continue
        turn_sub_board(t, board, twist, work)
        ahead = lines_ahead(t, board, seat)
        turn_sub_board(t, board, twist ^ 1, work)
        seen[count], steps[count] = signature, twist
        trust[count] = math.exp(TWIST_SHARPNESS * ahead / (abs(ahead) + HALF))
        count += 1
    rank(steps, trust, count)
    return count


# ── a look at a position ─────────────────────────────────────────────────────────────────────────


@kernel
def look(
    t: Tables,
    before: Cells,
    seat: int,
    placed: bool,
    step: int,
    board: Cells,
    steps: Ints,
    trust: Floats,
    returns: Floats,
    games: int,
    wits: int,
    seed: Ints,
    stop: Ints,
) -> int:
    """Take a step (or none), and look at the board then: the steps that may follow, ranked; how many they are.

    `returns` tells what it is worth to each seat, by its open lines and by random games; or exactly, and then -1
    comes back, where the game is over or the seat that begins a turn wins with it.
    """
    work = np.zeros(board.shape[0], dtype=np.int8)
    board[:] = before
    returns[:] = 0.0
    if step >= 0 and not placed:
        cell = t.cells[step]
        board[cell] = seat + 1
        placed = True
        if t.placement_wins and completes(t, board, cell, seat + 1):
            share(t, 1 << seat, returns)
            return NONE
    elif step >= 0:
        turn_sub_board(t, board, step, work)
        winners = with_line(t, board, step, long(0))
        if winners or empties(t, board) == 0:
            share(t, winners, returns)
            return NONE
        placed = False
        seat = (seat + 1) % t.players
    if step >= 0 and not placed and winning_turn(t, board, seat, placed, work) >= 0:
        share(t, 1 << seat, returns)
        return NONE
    count = twists(t, board, seat, steps, trust, work) if placed else places(t, board, seat, steps, trust)
    game = np.zeros(board.shape[0], dtype=np.int8)
    gaps, noted = np.zeros(t.players * SLOTS, dtype=np.int64), np.zeros(0, dtype=np.int64)
    played = 0
    while played < games and not stop[0]:
        game[:] = board
        share(t, play_out(t, game, seat, placed, wits, seed, work, gaps, noted), returns)
        played += 1
    if played:
        returns /= played
    ahead = lines_ahead(t, board, seat)
    ahead /= abs(ahead) + HALF
    for each in range(t.players):
        guess = ahead if each == seat else -ahead / (t.players - 1.0)
        returns[each] += MIX * (guess - returns[each])
    return count


def _warm_up() -> None:
    """Use every kernel once."""
    t, board = sample()
    after, steps, trust = board.copy(), np.zeros(4, dtype=np.int64), np.zeros(4)
    returns, seed, stop = np.zeros(2), np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    look(t, board, 0, False, 0, after, steps, trust, returns, 1, TAKES, seed, stop)
    look(t, after.copy(), 0, True, 0, after, steps, trust, returns, 1, TAKES, seed, stop)
    winning_turn(t, board, 0, False, board.copy())


WARM_UP = [*kernels.WARM_UP, _warm_up]
