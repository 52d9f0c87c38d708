"""Alpha-beta over Pentagame's turns for two players, in stages: piece, black, gray.

Worth is the mover's share of the win, from 0 to 1; the other has the rest. Of a stage's steps only the most
promising are followed, by a look at the position after each, as in the tree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pentagame.engine import kernels, tree_kernels
from pentad.pentagame.engine.kernels import (
    BLACK_DUE,
    GRAYS_DUE,
    MOST_STEPS,
    PLY,
    SEAT,
    SIZE,
    State,
    is_over,
    play_step,
    signature,
    steps,
)
from pentad.pentagame.engine.tree_kernels import (
    ALMOST,
    CONTEMPT,
    NOISE,
    SEED,
    STOP,
    VISITED,
    Floats,
    Ints,
    evaluate,
    has_come,
)

LEVELS = 64  # steps from the root at most: twelve turns of five stages
SOON = 0.9995  # of what is won or lost later counts, so that a win is taken at once
ROOT_SEAT = 5  # in `told`, beside what the tree is told

# What is remembered of a position: its signature, the depth, whether the worth is exact, at least or at most it,
# and the best step.
KEY, DEPTH_OF, BOUND, BEST = 0, 1, 2, 3
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
SIGNATURE = (
    "float64(int64, int64, int64, float64, float64, int64[:,::1], int64[:,::1], float64[:,:,::1], int64[::1],"
    " int64[::1], int64[:,::1], float64[::1], float64[::1], int64[::1], int64[::1], int64[:,::1])"
)


@kernel(SIGNATURE)
def search(
    level: int,
    depth: int,
    turn: int,
    alpha: float,
    beta: float,
    states: NDArray[np.int64],
    lists: NDArray[np.int64],
    looks: NDArray[np.float64],
    line: Ints,
    seen: Ints,
    memory: NDArray[np.int64],
    worths: Floats,
    weights: Floats,
    work: Ints,
    told: Ints,
    best_line: NDArray[np.int64],
) -> float:
    """What the state of a level is worth to its mover, looking so many turns ahead; `best_line` gets the steps."""
    state, child = states[level], states[level + 1]
    seat = state[SEAT]
    best_line[level, level] = -1
    told[VISITED] += 1
    staged = state[BLACK_DUE] + state[GRAYS_DUE] > 0
    key, slot, first_choice = 0, 0, -1
    if not staged:
        key = line[turn]
        slot = key % len(memory)
        if memory[slot, KEY] == key:
            first_choice = memory[slot, BEST]
            if memory[slot, DEPTH_OF] >= depth and level > 0:
                worth, bound = worths[slot], memory[slot, BOUND]
                if bound == EXACT or (bound == AT_LEAST and worth >= beta) or (bound == AT_MOST and worth <= alpha):
                    return float(worth)
    out = lists[level]
    count = steps(state, out)
    turns, rest = work[:25], work[25:]
    for i in range(count):
        child[:] = state
        play_step(child, out[i])
        evaluate(child, weights, looks[level, i], turns, rest)
        if weights[NOISE] > 0 and 0 < looks[level, i, seat] < 1:
            noise = weights[NOISE] * kernels.chance(told[SEED : SEED + 1], 1000) / 1000
            looks[level, i, seat] = min(looks[level, i, seat] + noise, ALMOST)
        looks[level, i, 1 - seat] = looks[level, i, seat]  # the look itself; the mover's place holds its rank
        if out[i] == first_choice:
            looks[level, i, seat] = 2.0
    width = (6 if staged else 24) if depth > 2 else (4 if staged else 16)
    best, best_step, began = -1.0, -1, alpha
    for rank in range(min(count, width)):
        top = rank
        for i in range(rank + 1, count):
            if looks[level, i, seat] > looks[level, top, seat]:
                top = i
        if top != rank:
            out[rank], out[top] = out[top], out[rank]
            for each in range(2):
                looks[level, rank, each], looks[level, top, each] = looks[level, top, each], looks[level, rank, each]
        child[:] = state
        play_step(child, out[rank])
        found = looks[level, rank, 1 - seat]
        best_line[level + 1, level + 1] = -1
        if child[PLY] == state[PLY]:
            found = search(
                level + 1, depth, turn, max(alpha, best), beta,
                states, lists, looks, line, seen, memory, worths, weights, work, told, best_line,
            )  # fmt: skip
        elif is_over(child) == 0:
            line[turn + 1] = signature(child)
            if has_come(line, turn + 1, seen):
                mine = (1.0 - weights[CONTEMPT]) / 2
                found = mine if seat == told[ROOT_SEAT] else 1.0 - mine
            elif depth > 1 and level < LEVELS - 8:
                found = 1.0 - search(
                    level + 1, depth - 1, turn + 1, 1.0 - beta, 1.0 - max(alpha, best),
                    states, lists, looks, line, seen, memory, worths, weights, work, told, best_line,
                )  # fmt: skip
                found = 0.5 + (found - 0.5) * SOON
        if told[STOP]:
            return best
        if found > best:
            best, best_step = found, out[rank]
            best_line[level, level] = out[rank]
            for i in range(level + 1, LEVELS):
                best_line[level, i] = best_line[level + 1, i]
                if best_line[level, i] < 0:
                    break
            if best >= beta:
                break
    if not staged:
        memory[slot, KEY], memory[slot, DEPTH_OF], memory[slot, BEST] = key, depth, best_step
        memory[slot, BOUND] = AT_LEAST if best >= beta else AT_MOST if best <= began else EXACT
        worths[slot] = best
    return best


def _warm_up() -> None:
    """Use every kernel once."""
    states = np.zeros((LEVELS + 1, SIZE), dtype=np.int64)
    states[0] = kernels.first_state(2)
    lists, looks = np.zeros((LEVELS, MOST_STEPS), dtype=np.int64), np.zeros((LEVELS, MOST_STEPS, tree_kernels.SEATS))
    search(
        0, 2, 0, -1.0, 2.0, states, lists, looks, np.zeros(LEVELS + 1, dtype=np.int64), np.zeros(1, dtype=np.int64),
        np.zeros((64, 4), dtype=np.int64), np.zeros(64), tree_kernels.WEIGHTS, np.zeros(90, dtype=np.int64),
        np.ones(6, dtype=np.int64), np.zeros((LEVELS + 1, LEVELS + 1), dtype=np.int64),
    )  # fmt: skip


WARM_UP = [*tree_kernels.WARM_UP, _warm_up]


def start(state: State) -> NDArray[np.int64]:
    """Room for the states of a search, the first of them in place."""
    states = np.zeros((LEVELS + 1, SIZE), dtype=np.int64)
    states[0] = state
    return states
