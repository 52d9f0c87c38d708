"""Kernels of Pentago on any board: lines, quarter turns, and random games to their end.

A board is an `int8` array of cells: the spaces row by row with a rim around them. A cell is 0 if empty, the seat from 1
if it has a marble, and -1 on the rim. `Tables` has the lines and quarter turns of the board.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel

Cells = NDArray[np.int8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Converts every number before a call, so that each kernel is compiled for one integer type.
long = cast("type[int]", np.int64)

EMPTY, RIM = 0, -1
NONE = -1  # no step, no turn
DIRECTIONS = 4  # of lines: right, down left, down, down right
TRIES = 6  # random tries to find an empty space, before a scan of all spaces

# Rollout policies: complete a line that lacks one marble; block such a line of the next seat.
TAKE_WINS, BLOCK_WINS = 1, 2
SLOTS = 4  # for the known winning cells of each seat


class Tables(NamedTuple):
    """A setup in arrays for the kernels; twists are numbered as on the board, two for each sub-board."""

    spaces: int
    twists: int
    line: int
    stride: int  # cells from one row to the next
    players: int
    placement_wins: int
    cells: Ints  # of each space
    leaves: Ints  # of each twist, the cells whose marbles move
    enters: Ints  # and the cells they move to
    lines: Ints  # the cells of each line
    touching: Ints  # the lines that pass through each sub-board, concatenated
    first: Ints  # the start of each sub-board's lines in `touching`
    weights: Floats  # of an open line by its number of marbles
    zobrist: Ints  # hash keys of each cell and seat


# ── random numbers ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def next_random(number: np.int64) -> np.int64:
    """The next number of a xorshift generator; neither number is 0."""
    number ^= number << np.int64(13)
    number ^= (number >> np.int64(7)) & np.int64(0x1FFFFFFFFFFFFFF)
    number ^= number << np.int64(17)
    return number


@kernel
def random_below(number: np.int64, bound: int) -> int:
    """A random number from 0 to below a bound, which is at most a million."""
    return int((((number >> np.int64(32)) & np.int64(0x7FFFFFFF)) * np.int64(bound)) >> np.int64(31))


# ── lines and turns ──────────────────────────────────────────────────────────────────────────────


@kernel
def run_through(board: Cells, at: int, owner: int, delta: int) -> int:
    """The length of the owner's run through a cell in a direction and its opposite, including the cell."""
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
    """Whether the owner's marble on a cell is, or would be, in a line."""
    for direction in range(DIRECTIONS):
        if run_through(board, at, owner, t.stride + direction - 2 if direction else 1) >= t.line:
            return True
    return False


@kernel
def gap_beside(t: Tables, board: Cells, at: int, owner: int, delta: int) -> int:
    """The empty cell next to the run through a cell, in a direction or its opposite, that completes a line."""
    run = run_through(board, at, owner, delta)
    for direction in (delta, -delta):
        cell = at + direction
        while board[cell] == owner:
            cell += direction
        if board[cell] == EMPTY:
            beyond = cell + direction
            total = run + 1
            while board[beyond] == owner:
                total += 1
                beyond += direction
            if total >= t.line:
                return cell
    return 0


@kernel
def gap_of(t: Tables, board: Cells, at: int, owner: int) -> int:
    """An empty cell that completes a line through this marble; 0, a cell of the rim, if there is none."""
    for direction in range(DIRECTIONS):
        cell = gap_beside(t, board, at, owner, t.stride + direction - 2 if direction else 1)
        if cell:
            return cell
    return 0


@kernel
def turn_sub_board(t: Tables, board: Cells, twist: int, work: Cells) -> None:
    """Turns a sub-board by a quarter."""
    count = t.leaves.shape[1]
    for i in range(count):
        work[i] = board[t.leaves[twist, i]]
    for i in range(count):
        board[t.enters[twist, i]] = work[i]


@kernel
def players_with_line(t: Tables, board: Cells, twist: int, placed: int) -> int:
    """The players with a line after a rotation, as a bit set.

    Before it nobody had one, except the mover if a placement does not win: that line passes through the cell of the
    `placed` marble. If `placed` is 0 (unknown), all spaces are checked.
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
    """The owner of a marble that is in a line, as a bit; 0 if it is not, or the owner is already in `winners`."""
    owner = long(board[cell])
    if owner == EMPTY or winners >> (owner - 1) & 1 or not completes(t, board, cell, owner):
        return 0
    return 1 << (owner - 1)


@kernel
def count_empty(t: Tables, board: Cells) -> int:
    """The number of empty spaces."""
    count = 0
    for space in range(t.spaces):
        count += board[t.cells[space]] == EMPTY
    return count


@kernel
def add_returns(t: Tables, winners: int, returns: Floats) -> None:
    """Adds the returns of a game with these winners; a draw adds nothing."""
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
def store_gap(t: Tables, board: Cells, cell: int, gaps: Ints) -> None:
    """Stores a cell that completes a line through a marble."""
    owner = long(board[cell])
    gap = gap_of(t, board, cell, owner)
    if gap:
        gaps[(owner - 1) * SLOTS + gap % SLOTS] = gap


@kernel
def stored_gap(t: Tables, board: Cells, gaps: Ints, seat: int) -> int:
    """A stored cell on which a seat's marble completes a line now; else 0."""
    for slot in range(seat * SLOTS, seat * SLOTS + SLOTS):
        cell = gaps[slot]
        if cell:
            if board[cell] == EMPTY and completes(t, board, cell, seat + 1):
                return int(cell)
            gaps[slot] = 0
    return 0


@kernel
def play_out(
    t: Tables,
    board: Cells,
    seat: int,
    placed: bool,
    rollout_policy: int,
    seed: Ints,
    work: Cells,
    gaps: Ints,
    log: Ints,
) -> int:
    """Plays random moves on this board to the end of the game; returns the winners as a bit set, 0 for none.

    The steps, spaces and twists, are logged in `log` as far as it has room; `gaps` has `SLOTS` entries per seat.
    """
    number = seed[0]
    left = count_empty(t, board)
    held = t.spaces - left
    steps, cell = 0, long(0)
    policy = rollout_policy if t.placement_wins else 0
    gaps[:] = 0
    if policy and held >= t.line - 1:
        for space in range(t.spaces):
            if board[t.cells[space]] != EMPTY:
                store_gap(t, board, t.cells[space], gaps)
    while True:
        number = next_random(number)
        twist = random_below(number, t.twists)
        if not placed:
            cell = long(0)
            if policy & TAKE_WINS:
                cell = stored_gap(t, board, gaps, seat)
            if cell == 0 and policy & BLOCK_WINS:
                cell = stored_gap(t, board, gaps, (seat + 1) % t.players)
            if cell == 0:
                for _ in range(TRIES):
                    number = next_random(number)
                    cell = t.cells[random_below(number, t.spaces)]
                    if board[cell] == EMPTY:
                        break
                if board[cell] != EMPTY:
                    number = next_random(number)
                    cell = t.cells[nth_empty(t, board, random_below(number, left))]
            board[cell] = seat + 1
            left -= 1
            held += 1
            if steps < log.shape[0]:
                log[steps] = space_of(t, cell)
            steps += 1
            if t.placement_wins and completes(t, board, cell, seat + 1):
                seed[0] = number
                return 1 << seat
            if policy:
                store_gap(t, board, cell, gaps)
        placed = False
        turn_sub_board(t, board, twist, work)
        if steps < log.shape[0]:
            log[steps] = twist
        steps += 1
        winners = players_with_line(t, board, twist, cell) if held >= t.line else 0
        if winners or left == 0:
            seed[0] = number
            return winners
        if policy and held >= t.line:
            for i in range(t.enters.shape[1]):
                moved = t.enters[twist, i]
                if board[moved] != EMPTY:
                    store_gap(t, board, moved, gaps)
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
    rollout_policy: int,
    seed: Ints,
    returns: Floats,
    stop: Ints,
) -> int:
    """Plays random games from each board and stores the mean returns of each seat; returns the number of boards done.

    `seed` holds the state of the random generator, which is not 0.
    """
    game, work = np.zeros(boards.shape[1], dtype=np.int8), np.zeros(boards.shape[1], dtype=np.int8)
    gaps, log = np.zeros(t.players * SLOTS, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for i in range(boards.shape[0]):
        returns[i, :] = 0.0
        for _ in range(games):
            if stop[0]:
                return i
            game[:] = boards[i]
            add_returns(
                t, play_out(t, game, seats[i], placed[i] != 0, rollout_policy, seed, work, gaps, log), returns[i]
            )
        returns[i, :] /= games
    return int(boards.shape[0])


def sample() -> tuple[Tables, Cells]:
    """A board of one sub-board of 2 × 2 with its tables, for the warm-up."""
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
    """Calls every kernel once."""
    t, board = sample()
    seed, zero, returns = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros((1, 2))
    play_many(t, board.reshape(1, 16), zero, zero, 1, TAKE_WINS | BLOCK_WINS, seed, returns, zero)
    gaps, log = np.zeros(2 * SLOTS, dtype=np.int64), np.zeros(4, dtype=np.int64)
    play_out(t, board.copy(), 0, False, 0, seed, board.copy(), gaps, log)


WARM_UP = [_warm_up]
