"""Search kernels for any game: alpha-beta and a best-first tree, around a game's own kernels of moves and evaluation.

A game writes kernels over a state (see `constants`), and `searches` makes both searches of them: `steps`, `play`,
`evaluate`, `is_over`, `signature`, `width` and, where a turn has several steps, `is_within_turn`.

The steps of a position are ranked by the evaluation of the positions after them, and only the most promising ones are
searched. A turn to a position that was `seen` in the game, or that repeats one of its line, counts as a draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

from pentad.kernels.array_numbers import NDArray, np
from pentad.kernels.compiler import kernel
from pentad.kernels.math_kernels import exp
from pentad.kernels.polling import is_stopped
from pentad.search.constants import (
    ALMOST_WON,
    AT_LEAST,
    AT_MOST,
    BEST,
    BOUND,
    CHILDREN,
    CONTEMPT,
    DECAY,
    DEEPEST,
    DEPTH,
    DEPTH_OF,
    ENTRY,
    EXACT,
    EXPLORATION,
    FIRST,
    KEY,
    LEVELS,
    MAX_CHILDREN,
    MINIMAX,
    NODE,
    NOISE,
    PLAYERS,
    PLY,
    ROOT_SEAT,
    SEAT,
    SEED,
    SHARPNESS,
    STEP,
    VISITED,
    VISITS,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int16]


@kernel
def copy_state(to: Ints, of: Ints) -> None:
    """Copies a state."""
    for i in range(len(of)):
        to[i] = of[i]


@kernel
def chance(seed: Ints, below: int) -> int:
    """A random number below a bound (xorshift); `seed` has one number, not 0, and is advanced."""
    number = int(seed[0])
    number ^= (number << 13) & 0x3FFFFFFFFFFFFFFF
    number ^= number >> 7
    number ^= (number << 17) & 0x3FFFFFFFFFFFFFFF
    seed[0] = number
    return (number >> 8) % below


@kernel
def select_best(rank: int, count: int, out: Ints, evaluations: Floats, seat: int, players: int) -> None:
    """Swaps the step at a rank with the best one for a seat from there on."""
    top = rank
    for i in range(rank + 1, count):
        if evaluations[i, seat] > evaluations[top, seat]:
            top = i
    if top != rank:
        out[rank], out[top] = out[top], out[rank]
        for each in range(players):
            evaluations[rank, each], evaluations[top, each] = evaluations[top, each], evaluations[rank, each]


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
def best_child(node: int, seat: int, tree: Ints, values: Floats) -> int:
    """The child with the highest value for a seat."""
    first = tree[node, FIRST]
    best = first
    for child in range(first + 1, first + tree[node, CHILDREN]):
        if values[child, seat] > values[best, seat]:
            best = child
    return int(best)


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


# ── a game's own kernels ─────────────────────────────────────────────────────────────────────────
#
# The templates below call these functions by their names; `searches` puts a game's kernels in their place.


def steps(state: Ints, out: Ints) -> int:
    """Lists the steps that may be made; returns their number."""
    raise NotImplementedError


def play(state: Ints, step: int) -> None:
    """Makes a step."""
    raise NotImplementedError


def evaluate(state: Ints, weights: Shorts, value: Floats, work: Ints) -> None:
    """Writes each seat's share of the win, from 0 to 1, exact if the game is over; the shares add up to 1."""
    raise NotImplementedError


def is_over(state: Ints) -> bool:
    """Whether the game is over."""
    raise NotImplementedError


def signature(state: Ints) -> int:
    """A hash of the position. At the end of a turn equal positions have equal signatures."""
    raise NotImplementedError


def width(depth: int, within: bool) -> int:
    """How many steps alpha-beta searches, so many turns deep, at the start of a turn or within it."""
    raise NotImplementedError


@kernel
def is_within_turn(state: Ints) -> bool:  # noqa: ARG001 - a game with stages of a turn has its own
    """Whether a turn has begun: never, where every turn is one step."""
    return False


# ── templates ────────────────────────────────────────────────────────────────────────────────────


def rank_steps(
    state: Ints, child: Ints, out: Ints, evaluations: Floats, weights: Shorts, settings: Floats, seed: Ints,
    work: Ints,
) -> int:  # fmt: skip
    """Lists the steps and evaluates the positions after them; returns their number."""
    count, seat = steps(state, out), state[SEAT]
    for i in range(count):
        copy_state(child, state)
        play(child, out[i])
        evaluate(child, weights, evaluations[i], work)
        if settings[NOISE] > 0 and 0 < evaluations[i, seat] < 1:
            noise = settings[NOISE] * chance(seed, 1000) / 1000
            evaluations[i, seat] = min(evaluations[i, seat] + noise, ALMOST_WON)
    return count


def search(
    level: int, depth: int, turn: int, alpha: float, beta: float, states: Ints, lists: Ints, evaluations: Floats,
    keys: Ints, seen: Ints, table: Ints, table_values: Floats, weights: Shorts, settings: Floats, work: Ints,
    control: Ints, pv: Ints,
) -> float:  # fmt: skip
    """The value of a level's state for the player to move, so many turns deep, for two players.

    `pv` gets the principal variation.
    """
    state, child = states[level], states[level + 1]
    seat = state[SEAT]
    pv[level, level] = -1
    control[VISITED] += 1
    within = is_within_turn(state)
    key, slot, first_choice = 0, 0, -1
    if not within:
        key = keys[turn]
        slot = key % len(table)
        if table[slot, KEY] == key:
            first_choice = table[slot, BEST]
            if table[slot, DEPTH_OF] >= depth and level > 0:
                value, bound = table_values[slot], table[slot, BOUND]
                if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                    return float(value)
    out, ranks = lists[level], evaluations[level]
    count = rank_steps(state, child, out, ranks, weights, settings, control[SEED : SEED + 1], work)
    for i in range(count):
        ranks[i, 1 - seat] = ranks[i, seat]  # the evaluation itself; the player's entry is its rank
        if out[i] == first_choice:
            ranks[i, seat] = 2.0
    best, best_step, began = -1.0, -1, alpha
    for rank in range(min(count, width(depth, within))):
        select_best(rank, count, out, ranks, seat, 2)
        copy_state(child, state)
        play(child, out[rank])
        found = ranks[rank, 1 - seat]
        pv[level + 1, level + 1] = -1
        if child[PLY] == state[PLY]:
            found = search(
                level + 1, depth, turn, max(alpha, best), beta,
                states, lists, evaluations, keys, seen, table, table_values, weights, settings, work, control, pv,
            )  # fmt: skip
        elif not is_over(child):
            keys[turn + 1] = signature(child)
            if is_repeated(keys, turn + 1, seen):
                mine = (1.0 - settings[CONTEMPT]) / 2
                found = mine if seat == control[ROOT_SEAT] else 1.0 - mine
            elif depth > 1 and level < LEVELS - 8:
                found = 1.0 - search(
                    level + 1, depth - 1, turn + 1, 1.0 - beta, 1.0 - max(alpha, best),
                    states, lists, evaluations, keys, seen, table, table_values, weights, settings, work, control,
                    pv,
                )  # fmt: skip
                found = 0.5 + (found - 0.5) * DECAY
        if is_stopped(control):
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
    if not within:
        table[slot, KEY], table[slot, DEPTH_OF], table[slot, BEST] = key, depth, best_step
        table[slot, BOUND] = AT_LEAST if best >= beta else AT_MOST if best <= began else EXACT
        table_values[slot] = best
    return best


def search_turns(
    states: Ints, lists: Ints, evaluations: Floats, keys: Ints, seen: Ints, table: Ints, table_values: Floats,
    weights: Shorts, settings: Floats, work: Ints, control: Ints, pv: Ints, depth: int,
) -> float:  # fmt: skip
    """The value of the first state for the player to move, so many turns deep."""
    keys[0] = signature(states[0])
    return search(
        0, depth, 0, -1.0, 2.0, states, lists, evaluations, keys, seen, table, table_values, weights, settings,
        work, control, pv,
    )  # fmt: skip


def expand(
    state: Ints, node: int, size: int, tree: Ints, values: Floats, priors: Floats, weights: Shorts,
    settings: Floats, width: int, out: Ints, evaluations: Floats, child: Ints, seed: Ints, work: Ints,
) -> int:  # fmt: skip
    """Adds a node's most promising children; returns the tree's new size, or the old one if it is full."""
    if size + MAX_CHILDREN >= len(tree):
        return size
    count = rank_steps(state, child, out, evaluations, weights, settings, seed, work)
    seat, players = state[SEAT], state[PLAYERS]
    kept = min(count, width)
    for rank in range(kept):
        select_best(rank, count, out, evaluations, seat, players)
    total = 0.0
    for rank in range(kept):
        new = size + rank
        tree[new, STEP], tree[new, FIRST], tree[new, CHILDREN], tree[new, VISITS] = out[rank], 0, 0, 0
        for each in range(players):
            values[new, each] = evaluations[rank, each]
        priors[new] = exp(settings[SHARPNESS] * (evaluations[rank, seat] - evaluations[0, seat]))
        total += priors[new]
    for rank in range(kept):
        priors[size + rank] /= total
    tree[node, FIRST], tree[node, CHILDREN] = size, kept
    return size + kept


def grow(
    root: Ints, tree: Ints, values: Floats, priors: Floats, control: Ints, weights: Shorts, settings: Floats,
    out: Ints, evaluations: Floats, seen: Ints, state: Ints, child: Ints, path: Ints, movers: Ints, keys: Ints,
    found: Floats, work: Ints, size: int, visits: int, width: int,
) -> int:  # fmt: skip
    """Visits the tree from its root so many times, or until it is stopped; returns the tree's size.

    A node is a step of a turn. Its value starts as the evaluation of the position, and becomes the mean of the
    values found below it. A value moves towards that of the best child at every node on its way up (implicit minimax
    backups), because one good reply is enough. `keys` gets the signatures at the ends of turns.
    """
    keys[0] = signature(root)
    if not tree[0, VISITS]:
        evaluate(root, weights, values[0], work)
    minimax = settings[MINIMAX] if root[PLAYERS] == 2 else 0.0  # with more players it makes play no stronger
    for _ in range(visits):
        if is_stopped(control):
            break
        copy_state(state, root)
        node, depth, turns_played, repeated = 0, 0, 0, False
        path[0] = 0
        while tree[node, CHILDREN] and depth < DEEPEST:
            movers[depth] = state[SEAT]
            node = choose_child(node, state[SEAT], tree, values, priors, settings[EXPLORATION])
            ply = state[PLY]
            play(state, tree[node, STEP])
            depth += 1
            path[depth] = node
            if state[PLY] > ply:
                turns_played += 1
                keys[turns_played] = signature(state)
                repeated = is_repeated(keys, turns_played, seen)
                if repeated:
                    break
        players = state[PLAYERS]
        before = size
        if repeated:
            mine = (1.0 - settings[CONTEMPT]) / players
            for seat in range(players):
                found[seat] = mine if seat == root[SEAT] else (1.0 - mine) / (players - 1)
                values[node, seat] = found[seat]
        else:
            if not is_over(state) and depth < DEEPEST:
                size = expand(
                    state, node, size, tree, values, priors, weights, settings, width, out, evaluations, child,
                    control[SEED : SEED + 1], work,
                )  # fmt: skip
            if size == before:
                evaluate(state, weights, found, work)
            else:
                for seat in range(players):  # the value of a position is that of its best step
                    found[seat] = values[before, seat]
        control[VISITED] += 1
        control[DEPTH] = max(control[DEPTH], depth)
        for i in range(depth, -1, -1):
            node = path[i]
            if minimax > 0 and i < depth:
                best = best_child(node, movers[i], tree, values)
                for seat in range(players):
                    found[seat] += minimax * (values[best, seat] - found[seat])
            count = tree[node, VISITS]
            # The evaluation counts as one visit.
            for seat in range(players):
                values[node, seat] += (found[seat] - values[node, seat]) / (count + 2.0)
            tree[node, VISITS] = count + 1
    return size


# ── the searches of a game ───────────────────────────────────────────────────────────────────────

# A function that calls itself needs its signature.
SEARCH = (
    "float64(int64, int64, int64, float64, float64, int64[:,::1], int64[:,::1], float64[:,:,::1], int64[::1],"
    " int64[::1], int64[:,::1], float64[::1], int16[::1], float64[::1], int64[::1], int64[::1], int64[:,::1])"
)
TEMPLATES = {rank_steps: None, search: SEARCH, search_turns: None, expand: None, grow: None}


def searches(
    module: str, *, size: int, most_steps: int, seats: int, **own: Callable[..., Any]
) -> dict[str, tuple[Callable[..., Any], str]]:
    """The table of entry points `search`, `grow` and `signature`, with a game's own kernels by their names.

    `size` is that of a state; a position has at most `most_steps` steps and `seats` seats. `module` names the game's
    module.
    """
    names = globals() | own
    for template, types in TEMPLATES.items():
        made = FunctionType(template.__code__, names, template.__name__)
        made.__module__, made.__qualname__ = __name__, f"{module}.{template.__name__}"  # numba's cache goes by them
        names[template.__name__] = kernel(types)(made) if types else kernel(made)
    weights = "int16[] float64[]"  # and settings
    of_search = (
        f"int64[,{size}] int64[,{most_steps}] float64[,{most_steps},{seats}] int64[] int64[] int64[,{ENTRY}] float64[]"
        f" {weights} int64[] int64[] int64[,{LEVELS + 1}] int64"
    )
    of_grow = (
        f"int64[] int64[,{NODE}] float64[,{seats}] float64[] int64[] {weights} int64[] float64[,{seats}]"
        f"{' int64[]' * 6} float64[] int64[] int64 int64 int64"
    )
    return {
        "search": (names["search_turns"], of_search),
        "grow": (names["grow"], of_grow),
        "signature": (own["signature"], "int64[]"),
    }
