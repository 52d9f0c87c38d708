"""Pentago on any board for engines: its lines and quarter turns, and random games to their end.

A board is an `int8` array of cells: the spaces row by row with a rim around them; 0 is empty, otherwise the seat
from 1, and -1 the rim. What a board is like, its lines and quarter turns, stands in `Tables`.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel

Cells = NDArray[np.int8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# What every number is made to be before a call, so that each kernel is compiled once and not for small ones too.
long = cast("type[int]", np.int64)

EMPTY, RIM = 0, -1
NONE = -1  # no step, no turn
WAYS = 4  # of a line: to the right, down to the left, down, down to the right
TRIES = 6  # to hit an empty space by chance, before all of them are looked at

# What a random player has an eye for: to complete a line that lacks one marble; to put his own into the next one's.
TAKES, BLOCKS = 1, 2
SLOTS = 4  # for the cells that he sees for each seat


class Tables(NamedTuple):
    """A setup as kernels see it; twists are numbered as on the board, two for each sub-board."""

    spaces: int
    twists: int
    line: int
    stride: int  # cells from a row to the next
    players: int
    placement_wins: int
    cells: Ints  # of each space
    leaves: Ints  # of each twist, the cells whose marbles move
    enters: Ints  # and where they go
    lines: Ints  # the cells of each line
    touching: Ints  # the lines that pass through each sub-board, one after the other
    first: Ints  # where those of each sub-board begin
    weights: Floats  # what an open line with so many marbles is worth
    marks: Ints  # of each cell and seat, for signatures


# ── chance ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def shuffled(number: np.int64) -> np.int64:
    """The number after this one in a long row of numbers that look random; neither is 0."""
    number ^= number << np.int64(13)
    number ^= (number >> np.int64(7)) & np.int64(0x1FFFFFFFFFFFFFF)
    number ^= number << np.int64(17)
    return number


@kernel
def below(number: np.int64, bound: int) -> int:
    """A random number from 0 to below a bound of at most a million."""
    return int((((number >> np.int64(32)) & np.int64(0x7FFFFFFF)) * np.int64(bound)) >> np.int64(31))


# ── lines and turns ──────────────────────────────────────────────────────────────────────────────


@kernel
def run_through(board: Cells, at: int, owner: int, delta: int) -> int:
    """How many of the owner's marbles stand in a row through a cell, along and against a direction; it counts too."""
    count = 1
    cell = at + delta
    while board[cell] == owner:
        count += 1
        cell += delta
    cell = at - delta
    while board[cell] == owner:
        count += 1
        cell -= delta
    return count


@kernel
def completes(t: Tables, board: Cells, at: int, owner: int) -> bool:
    """Whether the owner's marble on a cell stands, or would stand, in a line."""
    for way in range(WAYS):  # noqa: SIM110 - a kernel has no generators
        if run_through(board, at, owner, t.stride + way - 2 if way else 1) >= t.line:
            return True
    return False


@kernel
def gap_beside(t: Tables, board: Cells, at: int, owner: int, delta: int) -> int:
    """The empty cell next to the run through a cell, along a direction or against it, that would make it a line."""
    run = run_through(board, at, owner, delta)
    for way in (delta, -delta):
        cell = at + way
        while board[cell] == owner:
            cell += way
        if board[cell] == EMPTY:
            beyond = cell + way
            total = run + 1
            while board[beyond] == owner:
                total += 1
                beyond += way
            if total >= t.line:
                return cell
    return 0


@kernel
def gap_of(t: Tables, board: Cells, at: int, owner: int) -> int:
    """An empty cell that would complete a line through this marble; 0, a cell of the rim, if there is none."""
    for way in range(WAYS):
        cell = gap_beside(t, board, at, owner, t.stride + way - 2 if way else 1)
        if cell:
            return cell
    return 0


@kernel
def turn_sub_board(t: Tables, board: Cells, twist: int, work: Cells) -> None:
    """Turn a sub-board by a quarter."""
    count = t.leaves.shape[1]
    for i in range(count):
        work[i] = board[t.leaves[twist, i]]
    for i in range(count):
        board[t.enters[twist, i]] = work[i]


@kernel
def with_line(t: Tables, board: Cells, twist: int, placed: int) -> int:
    """The players, as a set of bits, who have a line after a rotation.

    Nobody had one before, but the mover where a placement does not win: then it passes through the cell where the
    marble was `placed`. If that is not known, and 0, every space is looked at.
    """
    winners = long(0)
    for i in range(t.enters.shape[1]):
        winners |= in_line(t, board, t.enters[twist, i], winners)
    if not t.placement_wins:
        if placed:
            winners |= in_line(t, board, placed, winners)
        else:
            for space in range(t.spaces):
                winners |= in_line(t, board, t.cells[space], winners)
    return winners


@kernel
def in_line(t: Tables, board: Cells, cell: int, winners: int) -> int:
    """The owner of a marble that stands in a line, as a bit; 0 if it does not, or is known to have won."""
    owner = long(board[cell])
    if owner == EMPTY or winners >> (owner - 1) & 1 or not completes(t, board, cell, owner):
        return 0
    return 1 << (owner - 1)


@kernel
def empties(t: Tables, board: Cells) -> int:
    """How many spaces are empty."""
    count = 0
    for space in range(t.spaces):
        count += board[t.cells[space]] == EMPTY
    return count


@kernel
def share(t: Tables, winners: int, returns: Floats) -> None:
    """Add to the returns of every seat what it gets where these have won; nobody or all: nothing."""
    count = 0
    for seat in range(t.players):
        count += winners >> seat & 1
    if count == 0 or count == t.players:
        return
    for seat in range(t.players):
        if winners >> seat & 1:
            returns[seat] += (t.players - count) / (count * (t.players - 1.0))
        else:
            returns[seat] -= 1.0 / (t.players - 1.0)


# ── random games ─────────────────────────────────────────────────────────────────────────────────


@kernel
def nth_empty(t: Tables, board: Cells, n: int) -> int:
    """The n-th empty space, from 0."""
    for space in range(t.spaces):
        if board[t.cells[space]] == EMPTY:
            if n == 0:
                return space
            n -= 1
    return NONE


@kernel
def note_gap(t: Tables, board: Cells, cell: int, gaps: Ints) -> None:
    """Note a cell that would complete a line through a marble."""
    owner = long(board[cell])
    gap = gap_of(t, board, cell, owner)
    if gap:
        gaps[(owner - 1) * SLOTS + gap % SLOTS] = gap


@kernel
def seen_gap(t: Tables, board: Cells, gaps: Ints, seat: int) -> int:
    """A noted cell on which a seat's marble completes a line now; else 0."""
    for slot in range(seat * SLOTS, seat * SLOTS + SLOTS):
        cell = gaps[slot]
        if cell:
            if board[cell] == EMPTY and completes(t, board, cell, seat + 1):
                return int(cell)
            gaps[slot] = 0
    return 0


@kernel
def play_out(
    t: Tables, board: Cells, seat: int, placed: bool, wits: int, seed: Ints, work: Cells, gaps: Ints, noted: Ints
) -> int:
    """Play at random to the end on this board: the winners as a set of bits, 0 for none.

    The steps, spaces and twists, are noted as far as there is room; `gaps` has room for `SLOTS` a seat.
    """
    number = seed[0]
    left = empties(t, board)
    held = t.spaces - left
    steps, cell = 0, long(0)
    careful = wits if t.placement_wins else 0
    gaps[:] = 0
    if careful and held >= t.line - 1:
        for space in range(t.spaces):
            if board[t.cells[space]] != EMPTY:
                note_gap(t, board, t.cells[space], gaps)
    while True:
        number = shuffled(number)
        twist = below(number, t.twists)
        if not placed:
            cell = long(0)
            if careful & TAKES:
                cell = seen_gap(t, board, gaps, seat)
            if cell == 0 and careful & BLOCKS:
                cell = seen_gap(t, board, gaps, (seat + 1) % t.players)
            if cell == 0:
                for _ in range(TRIES):
                    number = shuffled(number)
                    cell = t.cells[below(number, t.spaces)]
                    if board[cell] == EMPTY:
                        break
                if board[cell] != EMPTY:
                    number = shuffled(number)
                    cell = t.cells[nth_empty(t, board, below(number, left))]
            board[cell] = seat + 1
            left -= 1
            held += 1
            if steps < noted.shape[0]:
                noted[steps] = space_of(t, cell)
            steps += 1
            if t.placement_wins and completes(t, board, cell, seat + 1):
                seed[0] = number
                return 1 << seat
            if careful:
                note_gap(t, board, cell, gaps)
        placed = False
        turn_sub_board(t, board, twist, work)
        if steps < noted.shape[0]:
            noted[steps] = twist
        steps += 1
        winners = with_line(t, board, twist, cell) if held >= t.line else 0
        if winners or left == 0:
            seed[0] = number
            return winners
        if careful and held >= t.line:
            for i in range(t.enters.shape[1]):
                moved = t.enters[twist, i]
                if board[moved] != EMPTY:
                    note_gap(t, board, moved, gaps)
        seat = (seat + 1) % t.players


@kernel
def space_of(t: Tables, cell: int) -> int:
    """The space of a cell."""
    width = t.stride - 2
    return (cell // t.stride - 1) * width + cell % t.stride - 1


@kernel
def play_many(
    t: Tables,
    boards: Cells,
    seats: Ints,
    placed: Ints,
    games: int,
    wits: int,
    seed: Ints,
    returns: Floats,
    stop: Ints,
) -> int:
    """Play so many random games from each board; the mean returns of each seat. The boards finished, if told to stop.

    `seed` has one number, not 0, and goes on.
    """
    game, work = np.zeros(boards.shape[1], dtype=np.int8), np.zeros(boards.shape[1], dtype=np.int8)
    gaps, noted = np.zeros(t.players * SLOTS, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for i in range(boards.shape[0]):
        returns[i, :] = 0.0
        for _ in range(games):
            if stop[0]:
                return i
            game[:] = boards[i]
            share(t, play_out(t, game, seats[i], placed[i] != 0, wits, seed, work, gaps, noted), returns[i])
        returns[i, :] /= games
    return int(boards.shape[0])


def sample() -> tuple[Tables, Cells]:
    """A board of one sub-board of 2 × 2 with its tables, to use every kernel once."""
    cells = np.array([5, 6, 9, 10], dtype=np.int64)
    turns = np.array([[5, 6, 10, 9], [6, 10, 9, 5]], dtype=np.int64)
    lines = np.array([[5, 6], [9, 10], [5, 9], [6, 10], [5, 10], [6, 9]], dtype=np.int64)
    t = Tables(
        *(4, 2, 2, 4, 2, 1),
        *(cells, turns, turns[:, [1, 2, 3, 0]].copy(), lines),
        *(np.arange(6, dtype=np.int64), np.array([0, 6], dtype=np.int64)),
        *(np.array([0.1, 0.5, 1.0]), np.arange(1, 49).reshape(16, 3)),
    )
    board = np.full(16, RIM, dtype=np.int8)
    board[cells] = EMPTY
    return t, board


def _warm_up() -> None:
    """Use every kernel once."""
    t, board = sample()
    seed, zero, returns = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros((1, 2))
    play_many(t, board.reshape(1, 16), zero, zero, 1, TAKES | BLOCKS, seed, returns, zero)
    gaps, noted = np.zeros(2 * SLOTS, dtype=np.int64), np.zeros(4, dtype=np.int64)
    play_out(t, board.copy(), 0, False, 0, seed, board.copy(), gaps, noted)


WARM_UP = [_warm_up]
