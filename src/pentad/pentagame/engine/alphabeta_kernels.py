"""Alpha-beta kernel for Pentagame with two players, by stages of a turn: piece, black block, gray blocks.

A value is the share of the win of the player to move, from 0 to 1; the opponent has the rest. At each stage only the
most promising steps are searched, by the evaluation of the position after each, as in the tree search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentagame.engine import kernels, tree_kernels
from pentad.pentagame.engine.kernels import (
    BLACK_DUE,
    GRAYS_DUE,
    MAX_STEPS,
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
    ALMOST_WON,
    CONTEMPT,
    NOISE,
    SEED,
    STOP,
    VISITED,
    Floats,
    Ints,
    evaluate,
    is_repeated,
)

LEVELS = 64  # steps from the root at most: twelve turns of five stages
DECAY = 0.9995  # the factor of a value for each turn, so that earlier wins are preferred
ROOT_SEAT = 5  # in `control`, beside the tree's entries

# Columns of the transposition table: signature, depth, kind of bound (exact, lower or upper) and best step.
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
    evaluations: NDArray[np.float64],
    keys: Ints,
    seen: Ints,
    table: NDArray[np.int64],
    table_values: Floats,
    weights: Floats,
    work: Ints,
    control: Ints,
    pv: NDArray[np.int64],
) -> float:
    """The value of a level's state for the player to move, so many turns deep; `pv` gets the principal variation."""
    state, child = states[level], states[level + 1]
    seat = state[SEAT]
    pv[level, level] = -1
    control[VISITED] += 1
    staged = state[BLACK_DUE] + state[GRAYS_DUE] > 0
    key, slot, first_choice = 0, 0, -1
    if not staged:
        key = keys[turn]
        slot = key % len(table)
        if table[slot, KEY] == key:
            first_choice = table[slot, BEST]
            if table[slot, DEPTH_OF] >= depth and level > 0:
                value, bound = table_values[slot], table[slot, BOUND]
                if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                    return float(value)
    out = lists[level]
    count = steps(state, out)
    turns, rest = work[:25], work[25:]
    for i in range(count):
        child[:] = state
        play_step(child, out[i])
        evaluate(child, weights, evaluations[level, i], turns, rest)
        if weights[NOISE] > 0 and 0 < evaluations[level, i, seat] < 1:
            noise = weights[NOISE] * kernels.chance(control[SEED : SEED + 1], 1000) / 1000
            evaluations[level, i, seat] = min(evaluations[level, i, seat] + noise, ALMOST_WON)
        evaluations[level, i, 1 - seat] = evaluations[
            level, i, seat
        ]  # the evaluation itself; the player's entry is its rank
        if out[i] == first_choice:
            evaluations[level, i, seat] = 2.0
    width = (6 if staged else 24) if depth > 2 else (4 if staged else 16)
    best, best_step, began = -1.0, -1, alpha
    for rank in range(min(count, width)):
        top = rank
        for i in range(rank + 1, count):
            if evaluations[level, i, seat] > evaluations[level, top, seat]:
                top = i
        if top != rank:
            out[rank], out[top] = out[top], out[rank]
            for each in range(2):
                evaluations[level, rank, each], evaluations[level, top, each] = (
                    evaluations[level, top, each],
                    evaluations[level, rank, each],
                )
        child[:] = state
        play_step(child, out[rank])
        found = evaluations[level, rank, 1 - seat]
        pv[level + 1, level + 1] = -1
        if child[PLY] == state[PLY]:
            found = search(
                level + 1, depth, turn, max(alpha, best), beta,
                states, lists, evaluations, keys, seen, table, table_values, weights, work, control, pv,
            )  # fmt: skip
        elif is_over(child) == 0:
            keys[turn + 1] = signature(child)
            if is_repeated(keys, turn + 1, seen):
                mine = (1.0 - weights[CONTEMPT]) / 2
                found = mine if seat == control[ROOT_SEAT] else 1.0 - mine
            elif depth > 1 and level < LEVELS - 8:
                found = 1.0 - search(
                    level + 1, depth - 1, turn + 1, 1.0 - beta, 1.0 - max(alpha, best),
                    states, lists, evaluations, keys, seen, table, table_values, weights, work, control, pv,
                )  # fmt: skip
                found = 0.5 + (found - 0.5) * DECAY
        if control[STOP]:
            return best
        if found > best:
            best, best_step = found, out[rank]
            pv[level, level] = out[rank]
            for i in range(level + 1, LEVELS):
                pv[level, i] = pv[level + 1, i]
                if pv[level, i] < 0:
                    break
            if best >= beta:
                break
    if not staged:
        table[slot, KEY], table[slot, DEPTH_OF], table[slot, BEST] = key, depth, best_step
        table[slot, BOUND] = AT_LEAST if best >= beta else AT_MOST if best <= began else EXACT
        table_values[slot] = best
    return best


def _warm_up() -> None:
    """Calls every kernel once, which compiles it."""
    states = np.zeros((LEVELS + 1, SIZE), dtype=np.int64)
    states[0] = kernels.first_state(2)
    lists, evaluations = (
        np.zeros((LEVELS, MAX_STEPS), dtype=np.int64),
        np.zeros((LEVELS, MAX_STEPS, tree_kernels.SEATS)),
    )
    search(
        0, 2, 0, -1.0, 2.0, states, lists, evaluations,
        np.zeros(LEVELS + 1, dtype=np.int64), np.zeros(1, dtype=np.int64),
        np.zeros((64, 4), dtype=np.int64), np.zeros(64), tree_kernels.WEIGHTS, np.zeros(90, dtype=np.int64),
        np.ones(6, dtype=np.int64), np.zeros((LEVELS + 1, LEVELS + 1), dtype=np.int64),
    )  # fmt: skip


WARM_UP = [*tree_kernels.WARM_UP, _warm_up]


def start(state: State) -> NDArray[np.int64]:
    """Allocates the states of a search, with the root first."""
    states = np.zeros((LEVELS + 1, SIZE), dtype=np.int64)
    states[0] = state
    return states
