"""Tree search kernels of Pentagame: evaluation of positions, and a best-first tree by stages of a turn.

A value is a seat's share of the win, from 0 to 1; the values of all seats add up to 1. A node of the tree is a stage
of a turn: a piece to move, a black block to put, a gray one. Its children are the most promising steps. The value of
a child starts as the evaluation of its position, and becomes the mean of the values found below it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.jit.math_kernels import exp
from pentad.pentagame.engine.constants import (
    ALMOST_WON,
    BLACK_DUE,
    CHILDREN,
    CHOKES,
    CONTEMPT,
    COSTS,
    DEEPEST,
    DEPTH,
    EXPLORATION,
    FIRST,
    FIRST_TO_THREE,
    GRAYS_DUE,
    HOME_WINS,
    IN_HAND,
    MAX_CHILDREN,
    MAX_CHOKES,
    MAX_STEPS,
    NOISE,
    OTHERS,
    PLAYERS,
    PLY,
    RACE,
    SEAT,
    SEED,
    SHARPNESS,
    STEP,
    STOP,
    TEMPO,
    VISITED,
    VISITS,
)
from pentad.pentagame.engine.kernels import (
    State,
    chance,
    copy_state,
    home,
    is_over,
    play_step,
    race,
    signature,
    steps,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def evaluate(state: State, weights: Floats, value: Floats, turns: Ints, work: Ints) -> None:
    """Writes each seat's share of the win, estimated from the race; `work` has at least 65 entries."""
    players = state[PLAYERS]
    over = is_over(state)
    if over:
        winners = 0
        for seat in range(players):
            winners += home(state, seat) >= HOME_WINS
        for seat in range(players):
            if over == 2:
                value[seat] = 1.0 / players
            else:
                value[seat] = 1.0 / winners if home(state, seat) >= HOME_WINS else 0.0
        return
    chokes = work[:25]
    race(state, turns, chokes, work[25:])
    if share_win(state, value, turns):
        return
    best = 1e9
    for seat in range(players):
        total = 0.0
        first, second, third, others = 99.0, 99.0, 99.0, 0.0
        for piece in range(5 * seat, 5 * seat + 5):
            left = 0.0
            if turns[piece] > 0:
                left = weights[COSTS + (0 if seat == state[SEAT] else 4) + min(turns[piece], 4) - 1]
                left += weights[CHOKES] * min(chokes[piece], MAX_CHOKES)
            total += left
            if left < first:
                first, second, third = left, first, second
            elif left < second:
                second, third = left, second
            elif left < third:
                third = left
        three = first + second + third
        others = total - three
        waits = (seat - state[SEAT]) % players
        need = three + weights[OTHERS] * others + weights[TEMPO] * waits
        if waits == 0:
            need -= weights[IN_HAND] * (state[BLACK_DUE] + state[GRAYS_DUE])
        value[seat] = need
        best = min(best, need)
    total = 0.0
    for seat in range(players):
        value[seat] = exp(weights[RACE] * (best - value[seat]))
        total += value[seat]
    for seat in range(players):
        value[seat] /= total


@kernel
def share_win(state: State, value: Floats, turns: Ints) -> bool:
    """In the last round, when a seat has three pieces home, writes the expected shares of the win.

    A seat that needs one more piece, can bring it home and still moves in this round shares the win.
    """
    winners = 0.0
    for seat in range(state[PLAYERS]):
        at_home, near = 0, 0
        for piece in range(5 * seat, 5 * seat + 5):
            at_home += turns[piece] == 0
            near += turns[piece] == 1
        value[seat] = 0.0
        if at_home >= HOME_WINS:
            value[seat] = 1.0
            winners += 1.0
        elif at_home == HOME_WINS - 1 and near and seat >= state[SEAT] and not state[FIRST_TO_THREE]:
            value[seat] = -1.0
    if winners == 0:
        return False
    for seat in range(state[PLAYERS]):
        if value[seat] < 0:
            value[seat] = 1.0
            winners += 1.0
    for seat in range(state[PLAYERS]):
        value[seat] /= winners
    return True


@kernel
def expand(
    state: State,
    node: int,
    size: int,
    tree: Ints,
    values: Floats,
    priors: Floats,
    weights: Floats,
    width: int,
    work: Ints,
    evaluations: Floats,
    child: State,
    seed: Ints,
) -> int:
    """Adds a node's most promising children; returns the tree's new size, or the old one if it is full."""
    if size + MAX_CHILDREN >= len(tree):
        return size
    out, turns, rest = work[:MAX_STEPS], work[MAX_STEPS : MAX_STEPS + 25], work[MAX_STEPS + 25 :]
    count = steps(state, out)
    seat, players = state[SEAT], state[PLAYERS]
    for i in range(count):
        copy_state(child, state)
        play_step(child, out[i])
        evaluate(child, weights, evaluations[i], turns, rest)
        if weights[NOISE] > 0 and 0 < evaluations[i, seat] < 1:
            evaluations[i, seat] = min(evaluations[i, seat] + weights[NOISE] * chance(seed, 1000) / 1000, ALMOST_WON)
    kept = min(count, width)
    for rank in range(kept):  # the best first
        best = rank
        for i in range(rank + 1, count):
            if evaluations[i, seat] > evaluations[best, seat]:
                best = i
        if best != rank:
            out[rank], out[best] = out[best], out[rank]
            for each in range(players):
                evaluations[rank, each], evaluations[best, each] = evaluations[best, each], evaluations[rank, each]
    total = 0.0
    for rank in range(kept):
        new = size + rank
        tree[new, STEP], tree[new, FIRST], tree[new, CHILDREN], tree[new, VISITS] = out[rank], 0, 0, 0
        for each in range(players):
            values[new, each] = evaluations[rank, each]
        priors[new] = exp(weights[SHARPNESS] * (evaluations[rank, seat] - evaluations[0, seat]))
        total += priors[new]
    for rank in range(kept):
        priors[size + rank] /= total
    tree[node, FIRST], tree[node, CHILDREN] = size, kept
    return size + kept


@kernel
def choose_child(node: int, seat: int, tree: Ints, values: Floats, priors: Floats, exploration: float) -> int:
    """Selects the child with the best sum of value and exploration bonus (PUCT)."""
    first = tree[node, FIRST]
    spread = exploration * math.sqrt(tree[node, VISITS] + 1.0)
    best, best_score = int(first), -1.0
    for child in range(first, first + tree[node, CHILDREN]):
        visits = tree[child, VISITS]
        score = values[child, seat] + spread * priors[child] / (1.0 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def is_repeated(keys: Ints, length: int, seen: Ints) -> bool:
    """Whether the last position of a line, given by signatures, has occurred before."""
    here = keys[length]
    found = False
    for earlier in range(length):
        found |= keys[earlier] == here
    for each in seen:
        found |= each == here
    return found


@kernel
def grow(
    root: State,
    tree: Ints,
    values: Floats,
    priors: Floats,
    size: int,
    visits: int,
    control: Ints,
    weights: Floats,
    width: int,
    work: Ints,
    evaluations: Floats,
    seen: Ints,
    state: State,
    child: State,
    path: Ints,
    keys: Ints,
    found: Floats,
) -> int:
    """Visits the tree from its root so many times, or until it is stopped; returns the tree's size.

    A turn to a position that was `seen` in the game, or that repeats one of its line, counts as a draw. `keys` gets
    the signatures at the ends of turns.
    """
    keys[0] = signature(root)
    turns, rest = work[MAX_STEPS : MAX_STEPS + 25], work[MAX_STEPS + 25 :]
    for _ in range(visits):
        if control[STOP]:
            break
        copy_state(state, root)
        node, depth, turns_played, repeated = 0, 0, 0, False
        path[0] = 0
        while tree[node, CHILDREN] and depth < DEEPEST:
            node = choose_child(node, state[SEAT], tree, values, priors, weights[EXPLORATION])
            ply = state[PLY]
            play_step(state, tree[node, STEP])
            depth += 1
            path[depth] = node
            if state[PLY] > ply:
                turns_played += 1
                keys[turns_played] = signature(state)
                repeated = is_repeated(keys, turns_played, seen)
                if repeated:
                    break
        if repeated:
            players = state[PLAYERS]
            mine = (1.0 - weights[CONTEMPT]) / players
            for seat in range(players):
                found[seat] = mine if seat == root[SEAT] else (1.0 - mine) / (players - 1)
        elif is_over(state) or depth == DEEPEST:
            evaluate(state, weights, found, turns, rest)
        else:
            before = size
            size = expand(
                state, node, size, tree, values, priors, weights, width, work, evaluations, child, control[SEED:]
            )
            if size == before:
                evaluate(state, weights, found, turns, rest)
            else:
                for seat in range(state[PLAYERS]):  # the value of a position is that of its best step
                    found[seat] = values[before, seat]
        control[VISITED] += 1
        control[DEPTH] = max(control[DEPTH], depth)
        for i in range(depth + 1):
            node = path[i]
            count = tree[node, VISITS]
            # The evaluation counts as one visit.
            for seat in range(state[PLAYERS]):
                values[node, seat] += (found[seat] - values[node, seat]) / (count + 2.0)
            tree[node, VISITS] = count + 1
    return size
