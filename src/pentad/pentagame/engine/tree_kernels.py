"""Searching Pentagame turn by turn in stages: what a position is worth, and a tree that grows where it pays.

Worth is each seat's share of the win, from 0 to 1, all seats together 1. A node of the tree is a stage of a
turn: a piece to move, a black block to put, a gray one. Its children are the most promising steps; each begins
with what a look at the position after it says, and is then worth the mean of what was found below it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pentagame.engine import kernels
from pentad.pentagame.engine.kernels import (
    BLACK_DUE,
    FIRST_TO_THREE,
    GRAYS_DUE,
    HOME_WINS,
    MOST_STEPS,
    PLAYERS,
    PLY,
    SEAT,
    State,
    chance,
    home,
    is_over,
    play_step,
    race,
    signature,
    steps,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEATS = 5
WIDEST = 48  # children of a node
DEEPEST = 200  # steps from the root
MANY_CHOKES = 2  # on a way; more make it no worse
ALMOST = 0.9999  # of a win: as good as a first look can be by mistake

# The weights, by place. Of an evaluation: what a piece costs that is one, two, three, or more turns from its goal,
# for the seat to move and for the others; what the fourth and fifth piece count beside the best three; what it
# costs to move later; what a block in hand is worth; and what all of that is worth. Of a search: how much it trusts
# its first look, how much it looks around, the noise of a first look, and how little it likes to repeat a position.
# Of an evaluation again: what a choke point on a piece's way costs.
COSTS, OTHERS, TEMPO, IN_HAND, RACE = 0, 8, 9, 10, 11
SHARPNESS, CURIOSITY, NOISE, CONTEMPT, CHOKES = 12, 13, 14, 15, 16
WEIGHTS = np.array(
    [
        *(1.0, 2.0, 3.0, 4.0),
        *(1.0, 2.0, 3.0, 4.0),
        *(0.25, 0.45, -0.2, 0.9),
        *(16.0, 0.8, 0.0, 0.0, 0.07),
    ]
)

# A tree's columns: the step that led here, where the children begin and how many they are, visits.
STEP, FIRST, CHILDREN, VISITS = 0, 1, 2, 3

# What a search is told and tells while it goes on.
STOP, VISITED, DEPTH, SEED = 0, 1, 2, 3


@kernel
def evaluate(state: State, weights: Floats, worth: Floats, turns: Ints, work: Ints) -> None:
    """Write each seat's share of the win, as far as a look at the race tells; `work` has room for 65."""
    players = state[PLAYERS]
    over = is_over(state)
    if over:
        winners = 0
        for seat in range(players):
            winners += home(state, seat) >= HOME_WINS
        for seat in range(players):
            if over == 2:
                worth[seat] = 1.0 / players
            else:
                worth[seat] = 1.0 / winners if home(state, seat) >= HOME_WINS else 0.0
        return
    chokes = work[:25]
    race(state, turns, chokes, work[25:])
    if share_out(state, worth, turns):
        return
    best = 1e9
    for seat in range(players):
        total = 0.0
        first, second, third, others = 99.0, 99.0, 99.0, 0.0
        for piece in range(5 * seat, 5 * seat + 5):
            left = 0.0
            if turns[piece] > 0:
                left = weights[COSTS + (0 if seat == state[SEAT] else 4) + min(turns[piece], 4) - 1]
                left += weights[CHOKES] * min(chokes[piece], MANY_CHOKES)
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
        worth[seat] = need
        best = min(best, need)
    total = 0.0
    for seat in range(players):
        worth[seat] = math.exp(weights[RACE] * (best - worth[seat]))
        total += worth[seat]
    for seat in range(players):
        worth[seat] /= total


@kernel
def share_out(state: State, worth: Floats, turns: Ints) -> bool:
    """Where some have three at home the round is only played to its end: write who will share the win.

    A seat that needs one more, has it before its goal and still moves in this round shares too.
    """
    winners = 0.0
    for seat in range(state[PLAYERS]):
        at_home, near = 0, 0
        for piece in range(5 * seat, 5 * seat + 5):
            at_home += turns[piece] == 0
            near += turns[piece] == 1
        worth[seat] = 0.0
        if at_home >= HOME_WINS:
            worth[seat] = 1.0
            winners += 1.0
        elif at_home == HOME_WINS - 1 and near and seat >= state[SEAT] and not state[FIRST_TO_THREE]:
            worth[seat] = -1.0
    if winners == 0:
        return False
    for seat in range(state[PLAYERS]):
        if worth[seat] < 0:
            worth[seat] = 1.0
            winners += 1.0
    for seat in range(state[PLAYERS]):
        worth[seat] /= winners
    return True


@kernel
def expand(
    state: State,
    node: int,
    size: int,
    tree: Ints,
    worths: Floats,
    priors: Floats,
    weights: Floats,
    width: int,
    work: Ints,
    looks: Floats,
    child: State,
    seed: Ints,
) -> int:
    """Give a node its most promising children; the tree's new size, or the old one if it is full."""
    if size + WIDEST >= len(tree):
        return size
    out, turns, rest = work[:MOST_STEPS], work[MOST_STEPS : MOST_STEPS + 25], work[MOST_STEPS + 25 :]
    count = steps(state, out)
    seat, players = state[SEAT], state[PLAYERS]
    for i in range(count):
        child[:] = state
        play_step(child, out[i])
        evaluate(child, weights, looks[i], turns, rest)
        if weights[NOISE] > 0 and 0 < looks[i, seat] < 1:
            looks[i, seat] = min(looks[i, seat] + weights[NOISE] * chance(seed, 1000) / 1000, ALMOST)
    kept = min(count, width)
    for rank in range(kept):  # the best first
        best = rank
        for i in range(rank + 1, count):
            if looks[i, seat] > looks[best, seat]:
                best = i
        if best != rank:
            out[rank], out[best] = out[best], out[rank]
            for each in range(players):
                looks[rank, each], looks[best, each] = looks[best, each], looks[rank, each]
    total = 0.0
    for rank in range(kept):
        new = size + rank
        tree[new, STEP], tree[new, FIRST], tree[new, CHILDREN], tree[new, VISITS] = out[rank], 0, 0, 0
        for each in range(players):
            worths[new, each] = looks[rank, each]
        priors[new] = math.exp(weights[SHARPNESS] * (looks[rank, seat] - looks[0, seat]))
        total += priors[new]
    for rank in range(kept):
        priors[size + rank] /= total
    tree[node, FIRST], tree[node, CHILDREN] = size, kept
    return size + kept


@kernel
def choose_child(node: int, seat: int, tree: Ints, worths: Floats, priors: Floats, curiosity: float) -> int:
    """The child that promises most to the mover, or has been looked at too little for its promise."""
    first = tree[node, FIRST]
    spread = curiosity * math.sqrt(tree[node, VISITS] + 1.0)
    best, best_score = int(first), -1.0
    for child in range(first, first + tree[node, CHILDREN]):
        visits = tree[child, VISITS]
        score = worths[child, seat] + spread * priors[child] / (1.0 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def has_come(line: Ints, length: int, seen: Ints) -> bool:
    """Whether the last position of a line was on the board before."""
    here = line[length]
    found = False
    for earlier in range(length):
        found |= line[earlier] == here
    for each in seen:
        found |= each == here
    return found


@kernel
def grow(
    root: State,
    tree: Ints,
    worths: Floats,
    priors: Floats,
    size: int,
    visits: int,
    told: Ints,
    weights: Floats,
    width: int,
    work: Ints,
    looks: Floats,
    seen: Ints,
) -> int:
    """Visit the tree from its root so many times, or until `told` says stop; the tree's size then.

    A turn that leads to a position that was `seen` in the game, or comes again within a line, is as good as a draw.
    """
    state, child = root.copy(), root.copy()
    path = np.zeros(DEEPEST + 1, dtype=np.int64)
    line = np.zeros(DEEPEST + 1, dtype=np.int64)  # signatures at the ends of turns
    line[0] = signature(root)
    found = np.zeros(SEATS)
    turns, rest = work[MOST_STEPS : MOST_STEPS + 25], work[MOST_STEPS + 25 :]
    for _ in range(visits):
        if told[STOP]:
            break
        state[:] = root
        node, depth, turns_played, again = 0, 0, 0, False
        path[0] = 0
        while tree[node, CHILDREN] and depth < DEEPEST:
            node = choose_child(node, state[SEAT], tree, worths, priors, weights[CURIOSITY])
            ply = state[PLY]
            play_step(state, tree[node, STEP])
            depth += 1
            path[depth] = node
            if state[PLY] > ply:
                turns_played += 1
                line[turns_played] = signature(state)
                again = has_come(line, turns_played, seen)
                if again:
                    break
        if again:
            players = state[PLAYERS]
            mine = (1.0 - weights[CONTEMPT]) / players
            for seat in range(players):
                found[seat] = mine if seat == root[SEAT] else (1.0 - mine) / (players - 1)
        elif is_over(state) or depth == DEEPEST:
            evaluate(state, weights, found, turns, rest)
        else:
            before = size
            size = expand(state, node, size, tree, worths, priors, weights, width, work, looks, child, told[SEED:])
            if size == before:
                evaluate(state, weights, found, turns, rest)
            else:
                for seat in range(state[PLAYERS]):  # what the best step is worth, the position is worth
                    found[seat] = worths[before, seat]
        told[VISITED] += 1
        told[DEPTH] = max(told[DEPTH], depth)
        for i in range(depth + 1):
            node = path[i]
            count = tree[node, VISITS]
            # the first look counts as one visit
            for seat in range(state[PLAYERS]):
                worths[node, seat] += (found[seat] - worths[node, seat]) / (count + 2.0)
            tree[node, VISITS] = count + 1
    return size


def _warm_up() -> None:
    """Use every kernel once."""
    state = kernels.first_state(2)
    tree, worths, priors = np.zeros((200, 4), dtype=np.int64), np.zeros((200, SEATS)), np.zeros(200)
    told, work = np.array([0, 0, 0, 1]), np.zeros(MOST_STEPS + 90, dtype=np.int64)
    looks = np.zeros((MOST_STEPS, SEATS))
    grow(state, tree, worths, priors, 1, 3, told, WEIGHTS, WIDEST, work, looks, told[:1])


WARM_UP = [*kernels.WARM_UP, _warm_up]
