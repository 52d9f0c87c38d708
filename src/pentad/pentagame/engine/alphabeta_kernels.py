"""Alpha-beta kernel for Pentagame with two players, by stages of a turn: piece, black block, gray blocks.

A value is the share of the win of the player to move, from 0 to 1; the opponent has the rest. At each stage only the
most promising steps are searched, by the evaluation of the position after each, as in the tree search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentagame.engine.constants import (
    ALMOST_WON,
    AT_LEAST,
    AT_MOST,
    BEST,
    BLACK_DUE,
    BOUND,
    CONTEMPT,
    DECAY,
    DEPTH_OF,
    ENTRY,
    EXACT,
    GRAYS_DUE,
    KEY,
    LEVELS,
    MAX_STEPS,
    NODE,
    NOISE,
    PLY,
    ROOT_SEAT,
    SEAT,
    SEATS,
    SEED,
    SIZE,
    STOP,
    VISITED,
)
from pentad.pentagame.engine.kernels import State, chance, copy_state, is_over, play_step, signature, steps
from pentad.pentagame.engine.tree_kernels import Floats, Ints, evaluate, grow, is_repeated

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
        copy_state(child, state)
        play_step(child, out[i])
        evaluate(child, weights, evaluations[level, i], turns, rest)
        if weights[NOISE] > 0 and 0 < evaluations[level, i, seat] < 1:
            noise = weights[NOISE] * chance(control[SEED : SEED + 1], 1000) / 1000
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
        copy_state(child, state)
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


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def search_turns(
    states: NDArray[np.int64], lists: NDArray[np.int64], evaluations: NDArray[np.float64], keys: Ints, seen: Ints,
    table: NDArray[np.int64], table_values: Floats, weights: Floats, work: Ints, control: Ints, pv: NDArray[np.int64],
    depth: int,
) -> float:  # fmt: skip
    """The value of the first state for the player to move, so many turns deep."""
    keys[0] = signature(states[0])
    return search(
        0, depth, 0, -1.0, 2.0, states, lists, evaluations, keys, seen, table, table_values, weights, work, control, pv
    )


@kernel
def grow_tree(
    root: State, tree: NDArray[np.int64], values: NDArray[np.float64], priors: Floats, control: Ints, weights: Floats,
    work: Ints, evaluations: NDArray[np.float64], seen: Ints, state: State, child: State, path: Ints, keys: Ints,
    found: Floats, size: int, visits: int, width: int,
) -> int:  # fmt: skip
    """Visits a tree so many times; returns its size."""
    return grow(
        root, tree, values, priors, size, visits, control, weights, width, work, evaluations, seen, state, child, path,
        keys, found,
    )  # fmt: skip


_SEARCH = (
    f"int64[,{SIZE}] int64[,{MAX_STEPS}] float64[,{MAX_STEPS},{SEATS}] int64[] int64[] int64[,{ENTRY}] float64[]"
    f" float64[] int64[] int64[] int64[,{LEVELS + 1}] int64"
)
_GROW = (
    f"int64[] int64[,{NODE}] float64[,{SEATS}] float64[] int64[] float64[] int64[] float64[,{SEATS}] int64[]"
    " int64[] int64[] int64[] int64[] float64[] int64 int64 int64"
)
NATIVE = {"search": (search_turns, _SEARCH), "grow": (grow_tree, _GROW), "signature": (signature, "int64[]")}
