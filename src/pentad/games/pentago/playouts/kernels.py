"""Kernels of Pentago on any board: lines, quarter turns, random games to their end, and expansion for tree search.

A board is an `int8` array of cells: the spaces row by row with a rim around them. A cell is 0 if empty, the seat from 1
if it has a marble, and -1 on the rim. `PlayoutTables` has the lines and quarter turns of the board.

The kernels of the rules take boards of any numbers: those of many games have theirs among other numbers.
"""

from __future__ import annotations

import math

from pentad.games.pentago.playouts import constants as k
from pentad.games.pentago.playouts.classic_kernels import SPACE_BITS, play_game, word
from pentad.games.pentago.playouts.constants import BoardRules, GameRoom, PlayoutArrays, PlayoutControl, PlayoutTables
from pentad.kernels.decorator import kernel
from pentad.kernels.math_kernels import exp
from pentad.kernels.numbers import np
from pentad.kernels.random_kernels import counter_of
from pentad.kernels.types import Array, Float64s, Int8s, Int64s

long = np.int64  # converts a number before a call, so that a kernel of the rules is compiled for one integer type

DIRECTIONS = 4  # of lines: right, down left, down, down right
TRIES = 6  # random tries to find an empty space, before a scan of all spaces

HALF = 300.0  # the difference of open lines that maps to a value of 0.5
TWIST_SHARPNESS = 3.5  # how strongly priors prefer the better twists
OWN = 2.0  # weight of the seat's own lines relative to others'
UNIFORM = 0.02  # the share of the priors that is uniform
MIX = 0.3  # weight of open lines in a position's value; the rest comes from random games
DECIDED = 1e6  # weight of a complete line


# ── random numbers ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def next_random(number: int) -> int:
    """The next number of a xorshift generator; neither number is 0."""
    number ^= np.int64(number << 13)
    number ^= (number >> 7) & 0x1FFFFFFFFFFFFFF
    number ^= np.int64(number << 17)
    return number


@kernel
def random_below(number: int, bound: int) -> int:
    """A random number from 0 to below a bound, which is at most a million."""
    return (((number >> 32) & 0x7FFFFFFF) * bound) >> 31


# ── lines and turns ──────────────────────────────────────────────────────────────────────────────


@kernel
def run_through(board: Array[int], at: int, owner: int, delta: int) -> int:
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
def completes(rules: BoardRules, board: Array[int], at: int, owner: int) -> bool:
    """Whether the owner's marble on a cell is, or would be, in a line."""
    for direction in range(DIRECTIONS):
        if run_through(board, at, owner, rules.stride + direction - 2 if direction else 1) >= rules.line:
            return True
    return False


@kernel
def gap_beside(rules: BoardRules, board: Int8s, at: int, owner: int, delta: int) -> int:
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
            if total >= rules.line:
                return cell
    return 0


@kernel
def gap_of(rules: BoardRules, board: Int8s, at: int, owner: int) -> int:
    """An empty cell that completes a line through this marble; 0, a cell of the rim, if there is none."""
    for direction in range(DIRECTIONS):
        cell = gap_beside(rules, board, at, owner, rules.stride + direction - 2 if direction else 1)
        if cell:
            return cell
    return 0


@kernel
def turn_sub_board(rules: BoardRules, board: Array[int], twist: int, work: Array[int]) -> None:
    """Turns a sub-board by a quarter."""
    count = rules.moving
    for i in range(count):
        work[i] = board[rules.leaves[twist * rules.moving + i]]
    for i in range(count):
        board[rules.enters[twist * rules.moving + i]] = work[i]


@kernel
def players_with_line(rules: BoardRules, board: Array[int], twist: int, placed: int) -> int:
    """The players with a line after a rotation, as a bit set.

    Before it nobody had one, except the mover if a placement does not win: that line passes through the cell of the
    `placed` marble. If `placed` is 0 (unknown), all spaces are checked.
    """
    winners = long(0)
    for i in range(rules.moving):
        winners |= in_line(rules, board, rules.enters[twist * rules.moving + i], winners)
    if not rules.placement_wins:
        if placed:
            winners |= in_line(rules, board, placed, winners)
        else:
            for space in range(rules.spaces):
                winners |= in_line(rules, board, rules.cells[space], winners)
    return winners


@kernel
def in_line(rules: BoardRules, board: Array[int], cell: int, winners: int) -> int:
    """The owner of a marble that is in a line, as a bit; 0 if it is not, or the owner is already in `winners`."""
    owner = long(board[cell])
    if owner == k.EMPTY or winners >> (owner - 1) & 1 or not completes(rules, board, cell, owner):
        return 0
    return 1 << (owner - 1)


@kernel
def count_empty(rules: BoardRules, board: Int8s) -> int:
    """The number of empty spaces."""
    count = 0
    for space in range(rules.spaces):
        count += board[rules.cells[space]] == k.EMPTY
    return count


@kernel
def add_returns(players: int, winners: int, returns: Float64s) -> None:
    """Adds the returns of a game with these winners; a draw adds nothing."""
    count = 0
    for seat in range(players):
        count += winners >> seat & 1
    if count == 0 or count == players:
        return
    for seat in range(players):
        if winners >> seat & 1:
            returns[seat] += (players - count) / (count * (players - 1.0))
        else:
            returns[seat] -= 1.0 / (players - 1.0)


# ── random games ─────────────────────────────────────────────────────────────────────────────────


@kernel
def marbles_until(players: int, count: int) -> int:
    """The marbles on the board when a seat can first have so many, as seats move in turn."""
    return (count - 1) * players + 1


@kernel
def nth_empty(rules: BoardRules, board: Int8s, n: int) -> int:
    """The n-th empty space, from 0."""
    for space in range(rules.spaces):
        if board[rules.cells[space]] == k.EMPTY:
            if n == 0:
                return space
            n -= 1
    return k.NONE


@kernel
def store_gap(rules: BoardRules, board: Int8s, cell: int, gaps: Int64s) -> None:
    """Stores a cell that completes a line through a marble."""
    owner = long(board[cell])
    gap = gap_of(rules, board, cell, owner)
    if gap:
        gaps[(owner - 1) * k.SLOTS + gap % k.SLOTS] = gap


@kernel
def stored_gap(rules: BoardRules, board: Int8s, gaps: Int64s, seat: int) -> int:
    """A stored cell on which a seat's marble completes a line now; else 0."""
    for slot in range(seat * k.SLOTS, seat * k.SLOTS + k.SLOTS):
        cell = gaps[slot]
        if cell:
            if board[cell] == k.EMPTY and completes(rules, board, cell, seat + 1):
                return cell
            gaps[slot] = 0
    return 0


@kernel
def play_out(
    rules: BoardRules, board: Int8s, seat: int, placed: int, room: GameRoom, control: PlayoutControl, log: Int64s
) -> int:  # fmt: skip
    """Plays random moves on this board to the end of the game; returns the winners as a bit set, 0 for none.

    The steps, spaces and twists, are logged in `log` as far as it has room.
    """
    work, gaps, number = room.work, room.gaps, control.seed
    left = count_empty(rules, board)
    held = rules.spaces - left
    steps, cell = 0, 0
    policy = control.rollout_policy if rules.placement_wins else 0
    first_line, first_gap = marbles_until(rules.players, rules.line), marbles_until(rules.players, rules.line - 1)
    for slot in range(len(gaps)):
        gaps[slot] = 0
    if policy and held >= first_gap:
        for space in range(rules.spaces):
            if board[rules.cells[space]] != k.EMPTY:
                store_gap(rules, board, rules.cells[space], gaps)
    while True:
        number = next_random(number)
        twist = random_below(number, rules.twists)
        if not placed:
            cell = 0
            if policy & k.TAKE_WINS:
                cell = stored_gap(rules, board, gaps, seat)
            if cell == 0:
                for _ in range(TRIES):
                    number = next_random(number)
                    cell = rules.cells[random_below(number, rules.spaces)]
                    if board[cell] == k.EMPTY:
                        break
                if board[cell] != k.EMPTY:
                    number = next_random(number)
                    cell = rules.cells[nth_empty(rules, board, random_below(number, left))]
            board[cell] = seat + 1
            left -= 1
            held += 1
            if steps < len(log):
                log[steps] = space_of(rules, cell)
            steps += 1
            if rules.placement_wins and held >= first_line and completes(rules, board, cell, seat + 1):
                control.seed = number
                return 1 << seat
            if policy and held >= first_gap:
                store_gap(rules, board, cell, gaps)
        placed = 0
        turn_sub_board(rules, board, twist, work)
        if steps < len(log):
            log[steps] = twist
        steps += 1
        winners = players_with_line(rules, board, twist, cell) if held >= first_line else 0
        if winners or left == 0:
            control.seed = number
            return winners
        if policy and held >= first_gap:
            for i in range(rules.moving):
                moved = rules.enters[twist * rules.moving + i]
                if board[moved] != k.EMPTY:
                    store_gap(rules, board, moved, gaps)
        seat = (seat + 1) % rules.players


@kernel
def space_of(rules: BoardRules, cell: int) -> int:
    """The space of a cell."""
    width = rules.stride - 2
    return (cell // rules.stride - 1) * width + cell % rules.stride - 1


@kernel
def play_from(run: PlayoutArrays, seat: int, placed: int) -> int:
    """Plays random games from a board and adds their returns, until `stop`; returns their number."""
    rules, room, control, board, game = run.tables.rules, run.room, run.control, run.board, run.room.game
    played = 0
    while played < control.games and not control.stop:
        for cell in range(len(board)):
            game[cell] = board[cell]
        winners = play_out(rules, game, seat, placed, room, control, room.gaps[:0])
        add_returns(rules.players, winners, run.returns)
        played += 1
    return played


# ── immediate wins ──────────────────────────────────────────────────────────────────────────────


@kernel
def missing(t: PlayoutTables, board: Int8s, line: int, mark: int, most: int) -> int:
    """For a line that lacks at most `most` marbles, all on empty cells: the last such cell, or 0 if it is full.

    -1 if it lacks more, or has a marble of another player.
    """
    rules = t.rules
    lacking, cell = 0, 0
    for i in range(rules.line):
        here = t.lines[line * rules.line + i]
        if board[here] != mark:
            lacking += 1
            if lacking > most or board[here] != k.EMPTY:
                return -1
            cell = here
    return cell


@kernel
def winning_turn(t: PlayoutTables, board: Int8s, work: Int8s, seat: int, placed: int) -> int:
    """A turn that wins for the seat to move alone: `space * (twists + 1) + twist`; -1 if there is none.

    The twist is `twists` if the placement wins; if a marble is already `placed`, the space is 0.
    """
    rules = t.rules
    mark, most = seat + 1, 0 if placed else 1
    plain = rules.twists + 1
    standing = k.NONE  # a line that is complete, or lacks one marble, before any rotation
    for line in range(len(t.lines) // rules.line):
        cell = missing(t, board, line, mark, most)
        if cell >= 0:
            if rules.placement_wins and not placed:
                return space_of(rules, cell) * plain + rules.twists
            standing = line
            break
    for twist in range(rules.twists):
        turn_sub_board(rules, board, twist, work)
        found = k.NONE
        if standing >= 0:  # any line may be complete after the rotation
            for line in range(len(t.lines) // rules.line):
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
                found = rules.cells[nth_empty(rules, board, 0)]
            before = found  # the cell of that space before the rotation
            for i in range(rules.moving):
                if rules.enters[twist * rules.moving + i] == found:
                    before = rules.leaves[twist * rules.moving + i]
            turn_sub_board(rules, board, twist ^ 1, work)
            return twist if placed else space_of(rules, before) * plain + twist
        turn_sub_board(rules, board, twist ^ 1, work)
    return k.NONE


@kernel
def other_has_line(t: PlayoutTables, board: Int8s, mark: int, sub_board: int) -> bool:
    """Whether another player has a line through a sub-board."""
    for i in range(t.first[sub_board], t.first[sub_board + 1]):
        line = t.touching[i]
        owner = long(board[t.lines[line * t.rules.line]])
        if owner != k.EMPTY and owner != mark and missing(t, board, line, owner, 0) >= 0:
            return True
    return False


# ── priors of steps ─────────────────────────────────────────────────────────────────────


@kernel
def holder(t: PlayoutTables, board: Int8s, line: int) -> tuple[int, int]:
    """The only owner of marbles in a line, and their number; 0 for none, -1 for several owners."""
    rules = t.rules
    owner, count = k.EMPTY, 0
    for i in range(rules.line):
        here = long(board[t.lines[line * rules.line + i]])
        if here != k.EMPTY:
            if owner != k.EMPTY and owner != here:
                return -1, 0
            owner = here
            count += 1
    return owner, count


@kernel
def evaluate_lines(t: PlayoutTables, board: Int8s, seat: int) -> float:
    """The weight of a seat's open lines minus the mean weight of the others'."""
    rules = t.rules
    total = 0.0
    for line in range(len(t.lines) // rules.line):
        owner, count = holder(t, board, line)
        if owner > 0:
            weight = DECIDED if count == rules.line else t.weights[count]
            total += weight if owner == seat + 1 else -weight / (rules.players - 1.0)
    return total


@kernel
def rank(steps: Int64s, priors: Float64s, count: int) -> None:
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
def places(t: PlayoutTables, board: Int8s, seat: int, steps: Int64s, priors: Float64s, weights: Float64s) -> int:
    """Lists the empty spaces by descending prior; returns their number.

    The prior of a space grows with the weights of the open lines through it, of all players.
    """
    rules = t.rules
    for cell in range(len(weights)):
        weights[cell] = 0.0
    for line in range(len(t.lines) // rules.line):
        owner, count = holder(t, board, line)
        if owner >= 0:
            weight = t.weights[count] * (OWN if owner == seat + 1 else 1.0)
            for i in range(rules.line):
                weights[t.lines[line * rules.line + i]] += weight
    count = long(0)
    for space in range(rules.spaces):
        cell = rules.cells[space]
        if board[cell] == k.EMPTY:
            steps[count], priors[count] = space, sharpened(weights[cell] + 1e-9)
            count += 1
    rank(steps, priors, count)
    return count


@kernel
def twists(
    t: PlayoutTables, board: Int8s, seat: int, steps: Int64s, priors: Float64s, work: Int8s, seen: Int64s
) -> int:
    """Lists the rotations that lead to different boards, by descending prior; returns their number."""
    rules = t.rules
    count, owners = 0, rules.players + 1
    for twist in range(rules.twists):
        signature = np.int64(0)  # hash of the changed cells
        for i in range(rules.moving):
            here, there = rules.leaves[twist * rules.moving + i], rules.enters[twist * rules.moving + i]
            if board[here] != board[there]:
                signature ^= t.zobrist[there * owners + board[here]] ^ t.zobrist[there * owners + board[there]]
        is_duplicate = False
        for i in range(count):
            is_duplicate |= seen[i] == signature
        if is_duplicate:
            continue
        turn_sub_board(rules, board, twist, work)
        ahead = evaluate_lines(t, board, seat)
        turn_sub_board(rules, board, twist ^ 1, work)
        seen[count], steps[count] = signature, twist
        priors[count] = exp(TWIST_SHARPNESS * ahead / (abs(ahead) + HALF))
        count += 1
    rank(steps, priors, count)
    return count


# ── expansion of a position ─────────────────────────────────────────────────────────────────────────


@kernel
def play_classic_from(run: PlayoutArrays, seat: int, placed: int) -> int:
    """The same for two players on the classic board."""
    rules, board, control = run.tables.rules, run.board, run.control
    order, log = run.room.order, run.room.log
    mine, theirs, left = word(0), word(0), 0
    for space in range(rules.spaces):
        owner, bit = board[rules.cells[space]], SPACE_BITS[space]
        if owner == k.EMPTY:
            order[left] = bit
            left += 1
        elif owner == seat + 1:
            mine |= word(1) << word(bit)
        else:
            theirs |= word(1) << word(bit)
    placement_wins, takes_wins = word(rules.placement_wins), word(control.rollout_policy & k.TAKE_WINS)
    played = 0
    while played < control.games and not control.stop:
        counter = counter_of(word(control.seed), word(played))
        found = play_game(
            order[:left], log, mine, theirs, word(seat), word(placed), placement_wins, takes_wins, counter
        )  # fmt: skip
        add_returns(rules.players, long(found & word(3)), run.returns)
        played += 1
    return played


@kernel
def expand(run: PlayoutArrays, seat: int, placed: int, step: int) -> int:
    """Plays a step (or none) and expands the board after it: ranks the next steps; returns their number.

    `returns` gets the value for each seat, from open lines and random games. It is exact, and -1 is returned, if the
    game is over or the seat that begins a turn has a win.
    """
    tables, before, board, returns, work = run.tables, run.before, run.board, run.returns, run.room.work
    rules = tables.rules
    players = rules.players
    for cell in range(len(before)):
        board[cell] = before[cell]
    for each in range(players):
        returns[each] = 0.0
    if step >= 0 and not placed:
        cell = rules.cells[step]
        board[cell] = seat + 1
        placed = 1
        if rules.placement_wins and completes(rules, board, cell, seat + 1):
            add_returns(players, 1 << seat, returns)
            return k.NONE
    elif step >= 0:
        turn_sub_board(rules, board, step, work)
        winners = players_with_line(rules, board, step, long(0))
        if winners or count_empty(rules, board) == 0:
            add_returns(players, winners, returns)
            return k.NONE
        placed = 0
        seat = (seat + 1) % players
    if step >= 0 and not placed and winning_turn(tables, board, work, seat, placed) >= 0:
        add_returns(players, 1 << seat, returns)
        return k.NONE
    if placed:
        count = twists(tables, board, seat, run.steps, run.priors, work, run.seen)
    else:
        count = places(tables, board, seat, run.steps, run.priors, run.weights)
    played = play_classic_from(run, seat, placed) if tables.classic else play_from(run, seat, placed)
    for each in range(players):
        returns[each] /= max(played, 1)
    ahead = evaluate_lines(tables, board, seat)
    ahead /= abs(ahead) + HALF
    for each in range(players):
        estimate = ahead if each == seat else -ahead / (players - 1.0)
        returns[each] += MIX * (estimate - returns[each])
    return count


NATIVE = {"expand": expand, "winning_turn": winning_turn}
