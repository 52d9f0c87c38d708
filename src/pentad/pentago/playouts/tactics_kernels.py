"""Kernels that expand a Pentago position for tree search: immediate wins, priors of steps, and its value."""

from __future__ import annotations

import math

import numpy as np

from pentad.kernel import kernel
from pentad.pentago.playouts import kernels
from pentad.pentago.playouts.kernels import (
    EMPTY,
    NONE,
    SLOTS,
    TAKE_WINS,
    Cells,
    Floats,
    Ints,
    Tables,
    add_returns,
    completes,
    count_empty,
    long,
    nth_empty,
    play_out,
    players_with_line,
    sample,
    space_of,
    turn_sub_board,
)

HALF = 300.0  # the difference of open lines that maps to a value of 0.5
SHARPNESS, TWIST_SHARPNESS = 1.5, 3.5  # how strongly priors prefer the better steps
OWN = 2.0  # weight of the seat's own lines relative to others'
UNIFORM = 0.02  # the share of the priors that is uniform
MIX = 0.3  # weight of open lines in a position's value; the rest comes from random games
DECIDED = 1e6  # weight of a complete line


# ── immediate wins ──────────────────────────────────────────────────────────────────────────────


@kernel
def missing(t: Tables, board: Cells, line: int, mark: int, most: int) -> int:
    """For a line that lacks at most `most` marbles, all on empty cells: the last such cell, or 0 if it is full.

    -1 if it lacks more, or has a marble of another player.
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
    """A turn that wins for the seat to move alone: `space * (twists + 1) + twist`; -1 if there is none.

    The twist is `twists` if the placement wins; if a marble is already `placed`, the space is 0.
    """
    mark, most = seat + 1, long(not placed)
    plain = t.twists + 1
    standing = NONE  # a line that is complete, or lacks one marble, before any rotation
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
        if standing >= 0:  # any line may be complete after the rotation
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
            before = found  # the cell of that space before the rotation
            for i in range(t.enters.shape[1]):
                if t.enters[twist, i] == found:
                    before = t.leaves[twist, i]
            turn_sub_board(t, board, twist ^ 1, work)
            return twist if placed else space_of(t, before) * plain + twist
        turn_sub_board(t, board, twist ^ 1, work)
    return NONE


@kernel
def other_has_line(t: Tables, board: Cells, mark: int, sub_board: int) -> bool:
    """Whether another player has a line through a sub-board."""
    for i in range(t.first[sub_board], t.first[sub_board + 1]):
        line = t.touching[i]
        owner = long(board[t.lines[line, 0]])
        if owner != EMPTY and owner != mark and missing(t, board, line, owner, long(0)) >= 0:
            return True
    return False


# ── priors of steps ─────────────────────────────────────────────────────────────────────


@kernel
def holder(t: Tables, board: Cells, line: int) -> tuple[int, int]:
    """The only owner of marbles in a line, and their number; 0 for none, -1 for several owners."""
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
def evaluate_lines(t: Tables, board: Cells, seat: int) -> float:
    """The weight of a seat's open lines minus the mean weight of the others'."""
    total = 0.0
    for line in range(t.lines.shape[0]):
        owner, count = holder(t, board, line)
        if owner > 0:
            weight = DECIDED if count == t.line else t.weights[count]
            total += weight if owner == seat + 1 else -weight / (t.players - 1.0)
    return total


@kernel
def rank(steps: Ints, priors: Floats, count: int) -> None:
    """Sorts steps by descending prior, and normalises the priors."""
    total = 0.0
    for i in range(count):
        total += priors[i]
        step, prior = steps[i], priors[i]
        j = i
        while j > 0 and priors[j - 1] < prior:
            steps[j], priors[j] = steps[j - 1], priors[j - 1]
            j -= 1
        steps[j], priors[j] = step, prior
    for i in range(count):
        priors[i] = UNIFORM / count + (1.0 - UNIFORM) * priors[i] / total


@kernel
def places(t: Tables, board: Cells, seat: int, steps: Ints, priors: Floats) -> int:
    """Lists the empty spaces by descending prior; returns their number.

    The prior of a space grows with the weights of the open lines through it, of all players.
    """
    weights = np.zeros(board.shape[0])
    for line in range(t.lines.shape[0]):
        owner, count = holder(t, board, line)
        if owner >= 0:
            weight = t.weights[count] * (OWN if owner == seat + 1 else 1.0)
            for i in range(t.line):
                weights[t.lines[line, i]] += weight
    count = long(0)
    for space in range(t.spaces):
        cell = t.cells[space]
        if board[cell] == EMPTY:
            steps[count], priors[count] = space, (weights[cell] + 1e-9) ** SHARPNESS
            count += 1
    rank(steps, priors, count)
    return count


@kernel
def twists(t: Tables, board: Cells, seat: int, steps: Ints, priors: Floats, work: Cells) -> int:
    """Lists the rotations that lead to different boards, by descending prior; returns their number."""
    count = 0
    seen = np.zeros(t.twists, dtype=np.int64)
    for twist in range(t.twists):
        signature = np.int64(0)  # hash of the changed cells
        for i in range(t.leaves.shape[1]):
            here, there = t.leaves[twist, i], t.enters[twist, i]
            if board[here] != board[there]:
                signature ^= t.zobrist[there, board[here]] ^ t.zobrist[there, board[there]]
        is_duplicate = False
        for i in range(count):
            is_duplicate |= seen[i] == signature
        if is_duplicate:
            continue
        turn_sub_board(t, board, twist, work)
        ahead = evaluate_lines(t, board, seat)
        turn_sub_board(t, board, twist ^ 1, work)
        seen[count], steps[count] = signature, twist
        priors[count] = math.exp(TWIST_SHARPNESS * ahead / (abs(ahead) + HALF))
        count += 1
    rank(steps, priors, count)
    return count


# ── expansion of a position ─────────────────────────────────────────────────────────────────────────


@kernel
def expand(
    t: Tables,
    before: Cells,
    seat: int,
    placed: bool,
    step: int,
    board: Cells,
    steps: Ints,
    priors: Floats,
    returns: Floats,
    games: int,
    rollout_policy: int,
    seed: Ints,
    stop: Ints,
) -> int:
    """Plays a step (or none) and expands the board after it: ranks the next steps; returns their number.

    `returns` gets the value for each seat, from open lines and random games. It is exact, and -1 is returned, if the
    game is over or the seat that begins a turn has a win.
    """
    work = np.zeros(board.shape[0], dtype=np.int8)
    board[:] = before
    returns[:] = 0.0
    if step >= 0 and not placed:
        cell = t.cells[step]
        board[cell] = seat + 1
        placed = True
        if t.placement_wins and completes(t, board, cell, seat + 1):
            add_returns(t, 1 << seat, returns)
            return NONE
    elif step >= 0:
        turn_sub_board(t, board, step, work)
        winners = players_with_line(t, board, step, long(0))
        if winners or count_empty(t, board) == 0:
            add_returns(t, winners, returns)
            return NONE
        placed = False
        seat = (seat + 1) % t.players
    if step >= 0 and not placed and winning_turn(t, board, seat, placed, work) >= 0:
        add_returns(t, 1 << seat, returns)
        return NONE
    count = twists(t, board, seat, steps, priors, work) if placed else places(t, board, seat, steps, priors)
    game = np.zeros(board.shape[0], dtype=np.int8)
    gaps, log = np.zeros(t.players * SLOTS, dtype=np.int64), np.zeros(0, dtype=np.int64)
    played = 0
    while played < games and not stop[0]:
        game[:] = board
        add_returns(t, play_out(t, game, seat, placed, rollout_policy, seed, work, gaps, log), returns)
        played += 1
    if played:
        returns /= played
    ahead = evaluate_lines(t, board, seat)
    ahead /= abs(ahead) + HALF
    for each in range(t.players):
        estimate = ahead if each == seat else -ahead / (t.players - 1.0)
        returns[each] += MIX * (estimate - returns[each])
    return count


def _warm_up() -> None:
    """Calls every kernel once."""
    t, board = sample()
    after, steps, priors = board.copy(), np.zeros(4, dtype=np.int64), np.zeros(4)
    returns, seed, stop = np.zeros(2), np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    expand(t, board, 0, False, 0, after, steps, priors, returns, 1, TAKE_WINS, seed, stop)
    expand(t, after.copy(), 0, True, 0, after, steps, priors, returns, 1, TAKE_WINS, seed, stop)
    winning_turn(t, board, 0, False, board.copy())


WARM_UP = [*kernels.WARM_UP, _warm_up]
