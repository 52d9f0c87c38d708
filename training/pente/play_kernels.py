"""Kernels of self-play: whole games with searches of a fixed number of nodes, from openings that a search finds even.

Beside a quiet position of a game stands at times another one: that after a move which the search did not choose. Such
positions are searched too, since a search meets them everywhere, and games between good players never.
"""

from __future__ import annotations

from typing import NamedTuple

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.choice_kernels import deepen, forget
from pentad.games.pente.engine.constants import SearchArrays
from pentad.games.pente.engine.position_kernels import make, may_place, set_up, unmake
from pentad.games.pente.engine.threat_kernels import threatens, wins_at_once
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.random_kernels import STEP, counter_of, high_below, mixed
from pentad.kernels.types import Int8s, Int16s, Word

FEWEST, MOST = 4, 9  # random moves of an opening; after fewer, many games are the same
EVEN = 300  # the largest score of an even opening
SPREADS = np.array([2, 3, 4, 6], dtype=np.int64)  # how far from the centre the first moves may be
NEAR = 2  # how far from some stone the later ones are
BESIDE, AMONG = 2, 12  # one quiet position of so many has another beside it, after one of the best so many moves
LONGEST = 220  # moves of a game
OTHERS = np.uint64(0x8DDE6E5FD29F0540)  # 64 steps of a counter
DRAWN = 2  # the result of a game without a winner; else the winner's colour


class Record(NamedTuple):
    """Games move by move: the search's score for the player to move, and whether the position is fitted to.

    `beside` has the moves to positions that are searched besides, 0 for none, with their scores.
    """

    points: Int16s
    scores: Int16s
    uses: Int8s
    beside: Int16s
    beside_scores: Int16s


@kernel
def distance(one: int, other: int) -> int:
    """How many rows or columns lie between two points, whichever are more."""
    return int(max(abs(one // k.STRIDE - other // k.STRIDE), abs(one % k.STRIDE - other % k.STRIDE)))


@kernel
def drawn(random: Word, number: int, bound: int) -> int:
    """One of the random numbers of a counter, below a bound."""
    return int(high_below(mixed(random + np.uint64(number) * STEP), np.uint64(bound)))


@kernel
def near_points(run: SearchArrays, spread: int, out: k.Codes) -> int:
    """Writes the free points near a stone, or on an empty board those near the centre; returns their number."""
    board, state, count = run.position.board, run.position.state, 0
    size, me = state[k.SIZE], state[k.MOVER]
    centre = (k.EDGE + size // 2) * k.STRIDE + size // 2
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] != k.EMPTY or not may_place(state, point, me):
                continue
            is_near = state[k.MADE] == 0 and distance(point, centre) <= spread
            for down in range(-NEAR, NEAR + 1):
                for across in range(-NEAR, NEAR + 1):
                    held = board[k.HELD + point + down * k.STRIDE + across]
                    is_near = is_near or held == k.WHITE or held == k.BLACK
            if is_near:
                out[count] = point
                count += 1
    return count


@kernel
def search_here(run: SearchArrays, nodes: int) -> int:
    """Searches the position anew with so many nodes; returns the best score."""
    forget(run, run.control.generation)
    deepen(run, nodes, k.DEEPEST, 1)
    return int(run.scores[0])


@kernel
def is_quiet(run: SearchArrays) -> bool:
    """Whether the position that was searched has no threat to reply to and no proved win."""
    board, state = run.position.board, run.position.state
    forced = state[k.STANDING] > 0 or threatens(board, state, 1 - state[k.MOVER])
    return not forced and run.control.wins_in == 0


@kernel
def open_randomly(run: SearchArrays, random: Word, record: Record) -> int:
    """Plays random moves onto the board and into the record; returns their number, 0 where the game is over."""
    set_up(run.position)
    count = FEWEST + drawn(random, 0, MOST - FEWEST + 1)
    spread = SPREADS[drawn(random, 1, len(SPREADS))]
    for ply in range(count):
        found = near_points(run, spread, run.lists[0])
        picked = drawn(random, 2 + ply, found)
        record.points[ply] = run.lists[0, picked]
        record.scores[ply] = record.uses[ply] = record.beside[ply] = record.beside_scores[ply] = 0
        if make(run.position, np.int64(run.lists[0, picked])) != k.ONGOING:
            return 0
    return count


@kernel
def search_beside(run: SearchArrays, nodes: int, point: int, record: Record, ply: int) -> None:
    """Searches the position after a move that was not chosen, and records it if it is quiet."""
    if make(run.position, point) == k.ONGOING and wins_at_once(run.position) < 0:
        score = search_here(run, nodes)
        if is_quiet(run):
            record.beside[ply], record.beside_scores[ply] = point, score
    unmake(run.position)


@kernel
def play(run: SearchArrays, seed: int, nodes: int, record: Record) -> int:
    """Plays a game into a record; returns its length, with the result in the lowest two bits. A proved win ends it."""
    random, ply = counter_of(np.uint64(seed), np.uint64(0)), 0
    for i in range(len(run.table)):
        run.table[i] = 0
    while ply == 0 or abs(search_here(run, nodes)) >= EVEN:
        random += OTHERS
        ply = open_randomly(run, random, record)
    while ply < LONGEST:
        random += OTHERS
        score, me = search_here(run, nodes), run.position.state[k.MOVER]
        point, won, quiet = np.int64(run.roots[0]), run.control.wins_in > 0, is_quiet(run)
        record.points[ply], record.scores[ply], record.uses[ply] = point, score, quiet
        record.beside[ply] = record.beside_scores[ply] = 0
        others = min(run.control.count, AMONG) - 1
        if quiet and others > 0 and drawn(random, 0, BESIDE) == 0:
            search_beside(run, nodes, np.int64(run.roots[1 + drawn(random, 1, others)]), record, ply)
        ply += 1
        result = make(run.position, point)
        if won or result == k.WON:
            return 4 * ply + me
        if result != k.ONGOING:
            return 4 * ply + (1 - me if result == k.LOST else DRAWN)
    return 4 * ply + DRAWN


NATIVE = {"play": play}
