"""Kernels of Pentago on any board: lines, quarter turns, random games to their end, and expansion for tree search.

A board is an `int8` array of cells: the spaces row by row with a rim around them. A cell is 0 if empty, the seat from 1
if it has a marble, and -1 on the rim. `Tables` has the lines and quarter turns of the board.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

from pentad.games.pentago.playouts import constants as k
from pentad.games.pentago.playouts.classic_kernels import SPACE_BITS, Bytes, Word, Words, play_game
from pentad.kernels.array_numbers import NDArray, np
from pentad.kernels.decorator import kernel
from pentad.kernels.math_kernels import exp
from pentad.kernels.random_kernels import counter_of

Cells = NDArray[np.int8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Converts every number before a call, so that each kernel is compiled for one integer type.
long = cast("type[int]", np.int64)

DIRECTIONS = 4  # of lines: right, down left, down, down right
TRIES = 6  # random tries to find an empty space, before a scan of all spaces

HALF = 300.0  # the difference of open lines that maps to a value of 0.5
TWIST_SHARPNESS = 3.5  # how strongly priors prefer the better twists
OWN = 2.0  # weight of the seat's own lines relative to others'
UNIFORM = 0.02  # the share of the priors that is uniform
MIX = 0.3  # weight of open lines in a position's value; the rest comes from random games
DECIDED = 1e6  # weight of a complete line


class Tables(NamedTuple):
    """A setup in arrays for the kernels; twists are numbered as on the board, two for each sub-board.

    Rows of several numbers stand one after the other.
    """

    spaces: int
    twists: int
    line: int
    stride: int  # cells from one row to the next
    players: int
    placement_wins: int
    moving: int  # cells that a twist moves
    classic: int  # whether two play on the classic board
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
    number ^= np.int64(number << np.int64(13))
    number ^= (number >> np.int64(7)) & np.int64(0x1FFFFFFFFFFFFFF)
    number ^= np.int64(number << np.int64(17))
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
        if board[cell] == k.EMPTY:
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
    count = t.moving
    for i in range(count):
        work[i] = board[t.leaves[twist * t.moving + i]]
    for i in range(count):
        board[t.enters[twist * t.moving + i]] = work[i]


@kernel
def players_with_line(t: Tables, board: Cells, twist: int, placed: int) -> int:
    """The players with a line after a rotation, as a bit set.

    Before it nobody had one, except the mover if a placement does not win: that line passes through the cell of the
    `placed` marble. If `placed` is 0 (unknown), all spaces are checked.
    """
    winners = long(0)
    for i in range(t.moving):
        winners |= in_line(t, board, t.enters[twist * t.moving + i], winners)
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
    if owner == k.EMPTY or winners >> (owner - 1) & 1 or not completes(t, board, cell, owner):
        return 0
    return 1 << (owner - 1)


@kernel
def count_empty(t: Tables, board: Cells) -> int:
    """The number of empty spaces."""
    count = 0
    for space in range(t.spaces):
        count += board[t.cells[space]] == k.EMPTY
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
def marbles_until(t: Tables, count: int) -> int:
    """The marbles on the board when a seat can first have so many, as seats move in turn."""
    return (count - 1) * t.players + 1


@kernel
def nth_empty(t: Tables, board: Cells, n: int) -> int:
    """The n-th empty space, from 0."""
    for space in range(t.spaces):
        if board[t.cells[space]] == k.EMPTY:
            if n == 0:
                return space
            n -= 1
    return k.NONE


@kernel
def store_gap(t: Tables, board: Cells, cell: int, gaps: Ints) -> None:
    """Stores a cell that completes a line through a marble."""
    owner = long(board[cell])
    gap = gap_of(t, board, cell, owner)
    if gap:
        gaps[(owner - 1) * k.SLOTS + gap % k.SLOTS] = gap


@kernel
def stored_gap(t: Tables, board: Cells, gaps: Ints, seat: int) -> int:
    """A stored cell on which a seat's marble completes a line now; else 0."""
    for slot in range(seat * k.SLOTS, seat * k.SLOTS + k.SLOTS):
        cell = gaps[slot]
        if cell:
            if board[cell] == k.EMPTY and completes(t, board, cell, seat + 1):
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
    first_line, first_gap = marbles_until(t, t.line), marbles_until(t, t.line - 1)
    for slot in range(len(gaps)):
        gaps[slot] = 0
    if policy and held >= first_gap:
        for space in range(t.spaces):
            if board[t.cells[space]] != k.EMPTY:
                store_gap(t, board, t.cells[space], gaps)
    while True:
        number = next_random(number)
        twist = random_below(number, t.twists)
        if not placed:
            cell = long(0)
            if policy & k.TAKE_WINS:
                cell = stored_gap(t, board, gaps, seat)
            if cell == 0:
                for _ in range(TRIES):
                    number = next_random(number)
                    cell = t.cells[random_below(number, t.spaces)]
                    if board[cell] == k.EMPTY:
                        break
                if board[cell] != k.EMPTY:
                    number = next_random(number)
                    cell = t.cells[nth_empty(t, board, random_below(number, left))]
            board[cell] = seat + 1
            left -= 1
            held += 1
            if steps < log.shape[0]:
                log[steps] = space_of(t, cell)
            steps += 1
            if t.placement_wins and held >= first_line and completes(t, board, cell, seat + 1):
                seed[0] = number
                return 1 << seat
            if policy and held >= first_gap:
                store_gap(t, board, cell, gaps)
        placed = False
        turn_sub_board(t, board, twist, work)
        if steps < log.shape[0]:
            log[steps] = twist
        steps += 1
        winners = players_with_line(t, board, twist, cell) if held >= first_line else 0
        if winners or left == 0:
            seed[0] = number
            return winners
        if policy and held >= first_gap:
            for i in range(t.moving):
                moved = t.enters[twist * t.moving + i]
                if board[moved] != k.EMPTY:
                    store_gap(t, board, moved, gaps)
        seat = (seat + 1) % t.players


@kernel
def space_of(t: Tables, cell: int) -> int:
    """The space of a cell."""
    width = t.stride - 2
    return (cell // t.stride - 1) * width + cell % t.stride - 1


@kernel
def play_from(
    t: Tables, board: Cells, returns: Floats, seed: Ints, stop: Ints, game: Cells, work: Cells, gaps: Ints, seat: int,
    placed: bool, games: int, rollout_policy: int,
) -> int:  # fmt: skip
    """Plays random games from a board and adds their returns, until `stop`; returns their number."""
    played = 0
    while played < games and not stop[0]:
        for cell in range(len(board)):
            game[cell] = board[cell]
        add_returns(t, play_out(t, game, seat, placed, rollout_policy, seed, work, gaps, gaps[:0]), returns)
        played += 1
    return played


# ── immediate wins ──────────────────────────────────────────────────────────────────────────────


@kernel
def missing(t: Tables, board: Cells, line: int, mark: int, most: int) -> int:
    """For a line that lacks at most `most` marbles, all on empty cells: the last such cell, or 0 if it is full.

    -1 if it lacks more, or has a marble of another player.
    """
    lacking, cell = 0, 0
    for i in range(t.line):
        here = t.lines[line * t.line + i]
        if board[here] != mark:
            lacking += 1
            if lacking > most or board[here] != k.EMPTY:
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
    standing = k.NONE  # a line that is complete, or lacks one marble, before any rotation
    for line in range(len(t.lines) // t.line):
        cell = missing(t, board, line, mark, most)
        if cell >= 0:
            if t.placement_wins and not placed:
                return space_of(t, cell) * plain + t.twists
            standing = line
            break
    for twist in range(t.twists):
        turn_sub_board(t, board, twist, work)
        found = k.NONE
        if standing >= 0:  # any line may be complete after the rotation
            for line in range(len(t.lines) // t.line):
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
            for i in range(t.moving):
                if t.enters[twist * t.moving + i] == found:
                    before = t.leaves[twist * t.moving + i]
            turn_sub_board(t, board, twist ^ 1, work)
            return twist if placed else space_of(t, before) * plain + twist
        turn_sub_board(t, board, twist ^ 1, work)
    return k.NONE


@kernel
def other_has_line(t: Tables, board: Cells, mark: int, sub_board: int) -> bool:
    """Whether another player has a line through a sub-board."""
    for i in range(t.first[sub_board], t.first[sub_board + 1]):
        line = t.touching[i]
        owner = long(board[t.lines[line * t.line]])
        if owner != k.EMPTY and owner != mark and missing(t, board, line, owner, long(0)) >= 0:
            return True
    return False


# ── priors of steps ─────────────────────────────────────────────────────────────────────


@kernel
def holder(t: Tables, board: Cells, line: int) -> tuple[int, int]:
    """The only owner of marbles in a line, and their number; 0 for none, -1 for several owners."""
    owner, count = k.EMPTY, 0
    for i in range(t.line):
        here = long(board[t.lines[line * t.line + i]])
        if here != k.EMPTY:
            if owner != k.EMPTY and owner != here:
                return -1, 0
            owner = here
            count += 1
    return owner, count


@kernel
def evaluate_lines(t: Tables, board: Cells, seat: int) -> float:
    """The weight of a seat's open lines minus the mean weight of the others'."""
    total = 0.0
    for line in range(len(t.lines) // t.line):
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
def sharpened(weight: float) -> float:
    """A weight to the power of 1.5, so that priors prefer the better spaces."""
    return weight * math.sqrt(weight)


@kernel
def places(t: Tables, board: Cells, seat: int, steps: Ints, priors: Floats, weights: Floats) -> int:
    """Lists the empty spaces by descending prior; returns their number.

    The prior of a space grows with the weights of the open lines through it, of all players.
    """
    for cell in range(len(weights)):
        weights[cell] = 0.0
    for line in range(len(t.lines) // t.line):
        owner, count = holder(t, board, line)
        if owner >= 0:
            weight = t.weights[count] * (OWN if owner == seat + 1 else 1.0)
            for i in range(t.line):
                weights[t.lines[line * t.line + i]] += weight
    count = long(0)
    for space in range(t.spaces):
        cell = t.cells[space]
        if board[cell] == k.EMPTY:
            steps[count], priors[count] = space, sharpened(weights[cell] + 1e-9)
            count += 1
    rank(steps, priors, count)
    return count


@kernel
def twists(t: Tables, board: Cells, seat: int, steps: Ints, priors: Floats, work: Cells, seen: Ints) -> int:
    """Lists the rotations that lead to different boards, by descending prior; returns their number."""
    count, owners = 0, t.players + 1
    for twist in range(t.twists):
        signature = np.int64(0)  # hash of the changed cells
        for i in range(t.moving):
            here, there = t.leaves[twist * t.moving + i], t.enters[twist * t.moving + i]
            if board[here] != board[there]:
                signature ^= t.zobrist[there * owners + board[here]] ^ t.zobrist[there * owners + board[there]]
        is_duplicate = False
        for i in range(count):
            is_duplicate |= seen[i] == signature
        if is_duplicate:
            continue
        turn_sub_board(t, board, twist, work)
        ahead = evaluate_lines(t, board, seat)
        turn_sub_board(t, board, twist ^ 1, work)
        seen[count], steps[count] = signature, twist
        priors[count] = exp(TWIST_SHARPNESS * ahead / (abs(ahead) + HALF))
        count += 1
    rank(steps, priors, count)
    return count


# ── expansion of a position ─────────────────────────────────────────────────────────────────────────


@kernel
def play_classic_from(
    t: Tables, board: Cells, returns: Floats, seed: Ints, stop: Ints, order: Bytes, log: Words, seat: int, placed: bool,
    games: int, rollout_policy: int,
) -> int:  # fmt: skip
    """The same for two players on the classic board."""
    mine, theirs, left = Word(0), Word(0), long(0)
    for space in range(t.spaces):
        owner, bit = long(board[t.cells[space]]), SPACE_BITS[space]
        if owner == k.EMPTY:
            order[left] = bit
            left += 1
        elif owner == seat + 1:
            mine |= Word(1) << Word(bit)
        else:
            theirs |= Word(1) << Word(bit)
    played = 0
    while played < games and not stop[0]:
        found = play_game(
            order[:left], log, mine, theirs, Word(seat), Word(placed), Word(t.placement_wins),
            Word(rollout_policy & k.TAKE_WINS), counter_of(Word(seed[0]), Word(played)),
        )  # fmt: skip
        add_returns(t, long(found & Word(3)), returns)
        played += 1
    return played


@kernel
def expand(
    t: Tables, before: Cells, board: Cells, steps: Ints, priors: Floats, returns: Floats, seed: Ints, stop: Ints,
    game: Cells, work: Cells, gaps: Ints, seen: Ints, weights: Floats, order: Bytes, log: Words, seat: int,
    placed: bool, step: int, games: int, rollout_policy: int,
) -> int:  # fmt: skip
    """Plays a step (or none) and expands the board after it: ranks the next steps; returns their number.

    `returns` gets the value for each seat, from open lines and random games. It is exact, and -1 is returned, if the
    game is over or the seat that begins a turn has a win.
    """
    for cell in range(len(before)):
        board[cell] = before[cell]
    for each in range(t.players):
        returns[each] = 0.0
    if step >= 0 and not placed:
        cell = t.cells[step]
        board[cell] = seat + 1
        placed = True
        if t.placement_wins and completes(t, board, cell, seat + 1):
            add_returns(t, 1 << seat, returns)
            return k.NONE
    elif step >= 0:
        turn_sub_board(t, board, step, work)
        winners = players_with_line(t, board, step, long(0))
        if winners or count_empty(t, board) == 0:
            add_returns(t, winners, returns)
            return k.NONE
        placed = False
        seat = (seat + 1) % t.players
    if step >= 0 and not placed and winning_turn(t, board, seat, placed, work) >= 0:
        add_returns(t, 1 << seat, returns)
        return k.NONE
    if placed:
        count = twists(t, board, seat, steps, priors, work, seen)
    else:
        count = places(t, board, seat, steps, priors, weights)
    if t.classic:
        played = play_classic_from(t, board, returns, seed, stop, order, log, seat, placed, games, rollout_policy)
    else:
        played = play_from(t, board, returns, seed, stop, game, work, gaps, seat, placed, games, rollout_policy)
    for each in range(t.players):
        returns[each] /= max(played, 1)
    ahead = evaluate_lines(t, board, seat)
    ahead /= abs(ahead) + HALF
    for each in range(t.players):
        estimate = ahead if each == seat else -ahead / (t.players - 1.0)
        returns[each] += MIX * (estimate - returns[each])
    return count


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def tables_of(
    numbers: Ints, cells: Ints, leaves: Ints, enters: Ints, lines: Ints, touching: Ints, first: Ints, weights: Floats,
    zobrist: Ints,
) -> Tables:  # fmt: skip
    """The tables of a setup."""
    return Tables(
        numbers[k.SPACES], numbers[k.TWISTS], numbers[k.LINE], numbers[k.STRIDE], numbers[k.PLAYERS],
        numbers[k.PLACEMENT_WINS], numbers[k.MOVING], numbers[k.CLASSIC], cells, leaves, enters, lines, touching, first,
        weights, zobrist,
    )  # fmt: skip


@kernel
def expand_board(
    numbers: Ints, cells: Ints, leaves: Ints, enters: Ints, lines: Ints, touching: Ints, first: Ints, weights: Floats,
    zobrist: Ints, before: Cells, board: Cells, steps: Ints, priors: Floats, returns: Floats, seed: Ints, stop: Ints,
    game: Cells, work: Cells, gaps: Ints, seen: Ints, through: Floats, order: Bytes, log: Words, seat: int, placed: int,
    step: int, games: int, rollout_policy: int,
) -> int:  # fmt: skip
    """Plays a step and expands the board after it."""
    t = tables_of(numbers, cells, leaves, enters, lines, touching, first, weights, zobrist)
    return expand(
        t, before, board, steps, priors, returns, seed, stop, game, work, gaps, seen, through, order, log, seat,
        placed != 0, step, games, rollout_policy,
    )  # fmt: skip


@kernel
def winning_turn_of_board(
    numbers: Ints, cells: Ints, leaves: Ints, enters: Ints, lines: Ints, touching: Ints, first: Ints, weights: Floats,
    zobrist: Ints, board: Cells, work: Cells, seat: int, placed: int,
) -> int:  # fmt: skip
    """A turn that wins for the seat to move alone, or -1."""
    t = tables_of(numbers, cells, leaves, enters, lines, touching, first, weights, zobrist)
    return winning_turn(t, board, seat, placed != 0, work)


_TABLES = f"{'int64[] ' * 7}float64[] int64[]"
_EXPANSION = (
    "int8[] int8[] int64[] float64[] float64[] int64[] int64[] int8[] int8[] int64[] int64[] float64[] uint8[]"
    " uint64[] int64 int64 int64 int64 int64"
)
NATIVE = {
    "expand": (expand_board, f"{_TABLES} {_EXPANSION}"),
    "winning_turn": (winning_turn_of_board, f"{_TABLES} int8[] int8[] int64 int64"),
}
