"""Pentago on any board for engines: random games to their end, turns that win at once, and which steps promise most.

A board is an `int8` array of cells: the spaces row by row with a rim around them; 0 is empty, otherwise the seat
from 1, and -1 the rim. What a board is like, its lines and quarter turns, stands in `Tables`.
"""

from __future__ import annotations

import math
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

HALF = 300.0  # the difference of open lines that is half a win
SHARPNESS, TWIST_SHARPNESS = 0.7, 4.0  # how much more the promising steps are trusted
UNIFORM = 0.05  # of the trust is shared by all steps alike
DECIDED = 1e6  # what a line is worth beside open lines


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
    sharpness: float
    twist_sharpness: float
    own: float
    uniform: float


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
    for way in range(WAYS):
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
def rank(t: Tables, steps: Ints, trust: Floats, count: int) -> None:
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
        trust[i] = t.uniform / count + (1.0 - t.uniform) * trust[i] / total


@kernel
def places(t: Tables, board: Cells, seat: int, steps: Ints, trust: Floats) -> int:
    """The empty spaces, the most promising first, with how far each is to be trusted; how many they are.

    A space promises what the open lines through it are worth, to whomever they belong.
    """
    worth = np.zeros(board.shape[0])
    for line in range(t.lines.shape[0]):
        owner, count = holder(t, board, line)
        if owner >= 0:
            weight = t.weights[count] * (t.own if owner == seat + 1 else 1.0)
            for i in range(t.line):
                worth[t.lines[line, i]] += weight
    count = long(0)
    for space in range(t.spaces):
        cell = t.cells[space]
        if board[cell] == EMPTY:
            steps[count], trust[count] = space, (worth[cell] + 1e-9) ** t.sharpness
            count += 1
    rank(t, steps, trust, count)
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
        trust[count] = math.exp(t.twist_sharpness * ahead / (abs(ahead) + HALF))
        count += 1
    rank(t, steps, trust, count)
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

    `returns` tells what it is worth to each seat: by random games; or exactly, and then -1 comes back, where the
    game is over or the seat that begins a turn wins with it.
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
    return count


def _warm_up() -> None:
    """Use every kernel once, on a board of one sub-board."""
    stride = 4
    cells = np.array([5, 6, 9, 10], dtype=np.int64)
    turns = np.array([[5, 6, 10, 9], [6, 10, 9, 5]], dtype=np.int64)
    lines = np.array([[5, 6], [9, 10], [5, 9], [6, 10], [5, 10], [6, 9]], dtype=np.int64)
    t = Tables(
        *(4, 2, 2, stride, 2, 1),
        *(cells, turns, turns[:, [1, 2, 3, 0]].copy(), lines),
        *(np.arange(6, dtype=np.int64), np.array([0, 6], dtype=np.int64)),
        *(np.array([0.1, 0.5, 1.0]), np.arange(1, 49).reshape(16, 3)),
        *(1.0, 1.0, 1.0, 0.1),
    )
    board = np.full(16, RIM, dtype=np.int8)
    board[cells] = EMPTY
    after, steps, trust = board.copy(), np.zeros(4, dtype=np.int64), np.zeros(4)
    returns, seed, stop = np.zeros(2), np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    look(t, board, 0, False, 0, after, steps, trust, returns, 1, TAKES | BLOCKS, seed, stop)
    look(t, after.copy(), 0, True, 0, after, steps, trust, returns, 1, TAKES | BLOCKS, seed, stop)
    many = np.zeros((1, 2))
    play_many(t, board.reshape(1, 16), stop, stop, 1, 0, seed, many, stop)
    play_out(t, board.copy(), 0, False, 0, seed, board.copy(), np.zeros(2 * SLOTS, dtype=np.int64), steps)
    winning_turn(t, board, 0, False, board.copy())


WARM_UP = [_warm_up]
