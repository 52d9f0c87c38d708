"""Search kernels for any game: alpha-beta and a best-first tree, around a game's own kernels of moves and evaluation.

A game writes kernels over a state (see `constants`), and `searches` makes both searches of them: `steps`, `play`,
`evaluate`, `is_over`, `signature`, `width` and, where a turn has several steps, `is_within_turn`.

The steps of a position are ranked by the evaluation of the positions after them, and only the most promising ones are
searched. A turn to a position that was `seen` in the game, or that repeats one of its line, counts as a draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from pentad.kernels.decorator import kernel
from pentad.kernels.math_kernels import exp
from pentad.kernels.parameters import with_rows
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Float64s, Int16s, Int64s, Rows, RowSize
from pentad.search.constants import (
    ALMOST_WON,
    AT_LEAST,
    AT_MOST,
    BEST,
    BOUND,
    CHILDREN,
    DECAY,
    DEEPEST,
    DEPTH_OF,
    EXACT,
    FIRST,
    KEY,
    LEVELS,
    MAX_CHILDREN,
    NODE,
    PLAYERS,
    PLY,
    SEAT,
    STEP,
    VISITS,
    WON,
    AlphaBetaArrays,
    SearchSettings,
    SeenCounts,
    TreeArrays,
)


@kernel
def copy_state(to: Int64s, of: Int64s) -> None:
    """Copies a state."""
    for i in range(len(of)):
        to[i] = of[i]


@kernel
def chance(seed: Int64s, below: int) -> int:
    """A random number below a bound (xorshift); `seed` has one number, not 0, and is advanced."""
    number = seed[0]
    number ^= (number << 13) & 0x3FFFFFFFFFFFFFFF
    number ^= number >> 7
    number ^= (number << 17) & 0x3FFFFFFFFFFFFFFF
    seed[0] = number
    return (number >> 8) % below


@kernel
def select_best(rank: int, count: int, out: Int64s, evaluations: Rows[Float64s], seat: int, players: int) -> None:
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
def choose_child(
    node: int, seat: int, tree: Rows[Int64s], values: Rows[Float64s], priors: Float64s, exploration: float
) -> int:
    """Selects the child with the best sum of value and exploration bonus (PUCT)."""
    first = tree[node, FIRST]
    spread = exploration * math.sqrt(tree[node, VISITS] + 1.0)
    best, best_score = first, -1.0
    for child in range(first, first + tree[node, CHILDREN]):
        visits = tree[child, VISITS]
        score = values[child, seat] + spread * priors[child] / (1.0 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def best_child(node: int, seat: int, tree: Rows[Int64s], values: Rows[Float64s]) -> int:
    """The child with the highest value for a seat."""
    first = tree[node, FIRST]
    best = first
    for child in range(first + 1, first + tree[node, CHILDREN]):
        if values[child, seat] > values[best, seat]:
            best = child
    return best


@kernel
def is_repeated(keys: Int64s, length: int, seen: Int64s, known: int) -> bool:
    """Whether the last position of a line, given by signatures, has occurred before."""
    here = keys[length]
    found = False
    for earlier in range(length):
        found |= keys[earlier] == here
    for i in range(known):
        found |= seen[i] == here
    return found


# ── a game's own kernels ─────────────────────────────────────────────────────────────────────────
#
# The templates below call these functions by their names; `searches` puts a game's kernels in their place.


def steps(state: Int64s, out: Int64s) -> int:
    """Lists the steps that may be made; returns their number."""
    raise NotImplementedError


def play(state: Int64s, step: int) -> None:
    """Makes a step."""
    raise NotImplementedError


def evaluate(state: Int64s, weights: Int16s, value: Float64s, work: Int64s) -> None:
    """Writes each seat's share of the win, from 0 to 1, exact if the game is over; the shares add up to 1."""
    raise NotImplementedError


def is_over(state: Int64s) -> bool:
    """Whether the game is over."""
    raise NotImplementedError


def signature(state: Int64s) -> int:
    """A hash of the position. At the end of a turn equal positions have equal signatures."""
    raise NotImplementedError


def width(depth: int, within: bool) -> int:
    """How many steps alpha-beta searches, so many turns deep, at the start of a turn or within it."""
    raise NotImplementedError


def signature_of(state: Int64s) -> int:
    """The signature of a position, for drivers."""
    return signature(state)


@kernel
def is_within_turn(state: Int64s) -> bool:  # noqa: ARG001 - a game with stages of a turn has its own
    """Whether a turn has begun: never, where every turn is one step."""
    return False


# ── templates ────────────────────────────────────────────────────────────────────────────────────


def rank_steps(
    state: Int64s, child: Int64s, out: Int64s, evaluations: Rows[Float64s], weights: Int16s, settings: SearchSettings,
    seed: Int64s, work: Int64s,
) -> int:  # fmt: skip
    """Lists the steps and evaluates the positions after them; returns their number."""
    count, seat = steps(state, out), state[SEAT]
    for i in range(count):
        copy_state(child, state)
        play(child, out[i])
        evaluate(child, weights, evaluations[i], work)
        if settings.noise > 0 and 0 < evaluations[i, seat] < 1:
            noise = settings.noise * chance(seed, 1000) / 1000
            evaluations[i, seat] = min(evaluations[i, seat] + noise, ALMOST_WON)
    return count


def keep_line(level: int, step: int, pv: Rows[Int64s]) -> None:
    """Makes a step, and the principal variation after it, that of a level."""
    pv[level, level] = step
    for i in range(level + 1, LEVELS):
        pv[level, i] = pv[level + 1, i]
        if pv[level, i] < 0:
            break


def search(level: int, depth: int, turn: int, alpha: float, beta: float, run: AlphaBetaArrays) -> float:
    """The value of a level's state for the player to move, so many turns deep, for two players."""
    states, pv, control = run.states, run.pv, run.control
    state, child = states[level], states[level + 1]
    seat = state[SEAT]
    pv[level, level] = -1
    control.visited += 1
    # Step 1. The transposition table, at the start of a turn: its value, or a step to begin with.
    within = is_within_turn(state)
    key, slot, first_choice = 0, 0, -1
    if not within:
        key = run.keys[turn]
        slot = key % len(run.table)
        if run.table[slot, KEY] == key:
            first_choice = run.table[slot, BEST]
            if run.table[slot, DEPTH_OF] >= depth and level > 0:
                value, bound = run.table_values[slot], run.table[slot, BOUND]
                if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                    return value
    # Step 2. The steps, ranked by the evaluation of the positions after them; the table's step comes first.
    out, ranks = run.lists[level], run.evaluations[level]
    count = rank_steps(state, child, out, ranks, run.weights, run.settings, run.seed, run.work)
    for i in range(count):
        ranks[i, 1 - seat] = ranks[i, seat]  # the evaluation itself; the player's entry is its rank
        if out[i] == first_choice:
            ranks[i, seat] = 2.0
    # Step 3. The most promising steps.
    best, best_step, began = -1.0, -1, alpha
    for rank in range(min(count, width(depth, within))):
        select_best(rank, count, out, ranks, seat, 2)
        copy_state(child, state)
        play(child, out[rank])
        found = ranks[rank, 1 - seat]
        pv[level + 1, level + 1] = -1
        if child[PLY] == state[PLY]:
            # Step 4. The turn goes on: the same player, and the same depth.
            found = search(level + 1, depth, turn, max(alpha, best), beta, run)
        elif not is_over(child):
            run.keys[turn + 1] = signature(child)
            if is_repeated(run.keys, turn + 1, run.seen, control.seen):
                # Step 5. A repetition is a draw, which the player at the root likes less than its worth.
                mine = (1.0 - run.settings.contempt) / 2
                found = mine if seat == control.root_seat else 1.0 - mine
            elif depth > 1 and level < LEVELS - 8:
                # Step 6. The next player's turn, one turn less deep.
                found = 1.0 - search(level + 1, depth - 1, turn + 1, 1.0 - beta, 1.0 - max(alpha, best), run)
                found = 0.5 + (found - 0.5) * DECAY
        # Step 7. After a stop the value so far counts, and nothing is stored.
        if should_stop(control):
            return best
        if found > best:
            best, best_step = found, out[rank]
            keep_line(level, out[rank], pv)
            if best >= beta:
                break
    # Step 8. The transposition table gets the value.
    if not within:
        table = run.table
        table[slot, KEY], table[slot, DEPTH_OF], table[slot, BEST] = key, depth, best_step
        table[slot, BOUND] = AT_LEAST if best >= beta else AT_MOST if best <= began else EXACT
        run.table_values[slot] = best
    return best


def search_turns(run: AlphaBetaArrays, depth: int) -> float:
    """The value of the first state for the player to move, so many turns deep; `pv` gets the principal variation."""
    run.keys[0] = signature(run.states[0])
    return search(0, depth, 0, -1.0, 2.0, run)


def expand(node: int, size: int, width: int, run: TreeArrays) -> int:
    """Adds the most promising children of a node, whose state is there; returns the tree's new size.

    The size stays if the tree is full.
    """
    if size + MAX_CHILDREN >= run.control.room:
        return size
    state, out, evaluations, values, priors = run.state, run.steps, run.evaluations, run.values, run.priors
    count = rank_steps(state, run.child, out, evaluations, run.weights, run.settings, run.seed, run.work)
    seat, players = state[SEAT], state[PLAYERS]
    kept = min(count, width)
    for rank in range(kept):
        select_best(rank, count, out, evaluations, seat, players)
    total, tree = 0.0, run.nodes
    for rank in range(kept):
        new = size + rank
        tree[new, STEP], tree[new, FIRST], tree[new, CHILDREN], tree[new, VISITS] = out[rank], 0, 0, 0
        for each in range(players):
            values[new, each] = evaluations[rank, each]
        priors[new] = exp(run.settings.sharpness * (evaluations[rank, seat] - evaluations[0, seat]))
        total += priors[new]
    for rank in range(kept):
        priors[size + rank] /= total
    tree[node, FIRST], tree[node, CHILDREN] = size, kept
    return size + kept


def grow(run: TreeArrays, size: int, visits: int, width: int) -> int:
    """Visits the tree from its root so many times, or until it is stopped; returns the tree's size.

    A node is a step of a turn. Its value starts as the evaluation of the position, and becomes the mean of the
    values found below it. A value moves towards that of the best child at every node on its way up (implicit minimax
    backups), because one good reply is enough. `keys` gets the signatures at the ends of turns.
    """
    root, state, tree, values, found, path = run.root, run.state, run.nodes, run.values, run.found, run.path
    run.keys[0] = signature(root)
    if not tree[0, VISITS]:
        evaluate(root, run.weights, values[0], run.work)
    minimax = run.settings.minimax if root[PLAYERS] == 2 else 0.0  # with more players it makes play no stronger
    for _ in range(visits):
        if should_stop(run.control):
            break
        # Step 1. Selection: down the tree, by value and exploration bonus, until a node without children.
        copy_state(state, root)
        node, depth, turns_played, repeated = 0, 0, 0, False
        path[0] = 0
        while tree[node, CHILDREN] and depth < DEEPEST and not repeated:
            run.movers[depth] = state[SEAT]
            node = choose_child(node, state[SEAT], tree, values, run.priors, run.settings.exploration)
            ply = state[PLY]
            play(state, tree[node, STEP])
            depth += 1
            path[depth] = node
            if state[PLY] > ply:
                turns_played += 1
                run.keys[turns_played] = signature(state)
                repeated = is_repeated(run.keys, turns_played, run.seen, run.control.seen)
        players = state[PLAYERS]
        before = size
        if repeated:
            # Step 2. A repetition is a draw, which the player at the root likes less than its worth.
            mine = (1.0 - run.settings.contempt) / players
            for seat in range(players):
                found[seat] = mine if seat == root[SEAT] else (1.0 - mine) / (players - 1)
                values[node, seat] = found[seat]
        else:
            # Step 3. Expansion: the value of a position is that of its best step, or its evaluation.
            if not is_over(state) and depth < DEEPEST:
                size = expand(node, size, width, run)
            if size == before:
                evaluate(state, run.weights, found, run.work)
            else:
                for seat in range(players):
                    found[seat] = values[before, seat]
        run.control.visited += 1
        run.control.depth = max(run.control.depth, depth)
        # Step 4. Backup: the value goes up the path, at each node towards that of the best child.
        for i in range(depth, -1, -1):
            node = path[i]
            if minimax > 0 and i < depth:
                best = best_child(node, run.movers[i], tree, values)
                for seat in range(players):
                    found[seat] += minimax * (values[best, seat] - found[seat])
            count = tree[node, VISITS]
            for seat in range(players):  # the evaluation counts as one visit
                values[node, seat] += (found[seat] - values[node, seat]) / (count + 2.0)
            tree[node, VISITS] = count + 1
    return size


# ── a bot's turn by the tree ─────────────────────────────────────────────────────────────────────


def meet(counts: SeenCounts, seen: Int64s, state: Int64s) -> None:
    """Adds a position to those of its game; one that does not come later begins another game, or was taken back."""
    here, known = signature(state), counts.known
    if known and state[PLY] == counts.ply and seen[known - 1] == here:
        return
    if known and state[PLY] <= counts.ply:
        known = 0
    seen[known] = here
    counts.known, counts.ply = known + 1, state[PLY]


def preferred(run: TreeArrays, node: int, seat: int) -> int:
    """The child of a node that a seat prefers: one that wins, then by visits, then by value."""
    tree, values = run.nodes, run.values
    best = tree[node, FIRST]
    for child in range(best + 1, best + tree[node, CHILDREN]):
        value, most = values[child, seat], values[best, seat]
        wins, did_win = value >= WON, most >= WON
        more = tree[child, VISITS] - tree[best, VISITS]
        is_better = more > 0 or (more == 0 and value > most)
        if wins > did_win or (wins == did_win and is_better):
            best = child
    return int(best)


def take_turn(run: TreeArrays, counts: SeenCounts, state: Int64s, steps: Int64s, seeds: Int64s, visits: int) -> int:
    """Writes the steps of the bot's turn; returns their number. Each search of the turn has a seed of its own.

    If the search does not reach the end of the turn, small ones complete it.
    """
    meet(counts, run.seen, state)
    root, control, ply, count, number = run.root, run.control, state[PLY], 0, 0
    copy_state(root, state)
    control.seen = counts.known
    while root[PLY] == ply and not is_over(root):
        for i in range(len(run.work)):
            run.work[i] = 0
        for column in range(NODE):
            run.nodes[0, column] = 0
        control.stop = control.visited = control.depth = 0
        control.room = min(max(visits, 4) * MAX_CHILDREN, len(run.nodes))
        run.seed[0] = seeds[number]
        number += 1
        grow(run, 1, visits, MAX_CHILDREN)
        node, visits = 0, 1
        while root[PLY] == ply and not is_over(root) and run.nodes[node, CHILDREN]:
            node = preferred(run, node, root[SEAT])
            steps[count] = run.nodes[node, STEP]
            play(root, steps[count])
            count += 1
    meet(counts, run.seen, root)
    return count


# ── the searches of a game ───────────────────────────────────────────────────────────────────────

TEMPLATES = (signature_of, rank_steps, keep_line, search, search_turns, expand, grow, meet, preferred, take_turn)
ENTRIES = {"search": search_turns, "grow": grow, "signature": signature_of, "meet": meet, "preferred": preferred}


def searches(module: str, **game: Any) -> dict[str, Callable[..., Any]]:
    """The table of entry points of both searches, with a game's own kernels by their names; see `kernels_of`."""
    return entries(kernels_of(module, **game))


def entries(made: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """The entry points among the kernels of a game's searches."""
    return {name: made[each.__name__] for name, each in ENTRIES.items()}


def kernels_of(
    module: str, *, size: int, most_steps: int, seats: int, **own: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """All kernels of both searches, around a game's own ones by their names.

    `size` is that of a state; a position has at most `most_steps` steps and `seats` seats. `module` names the game's
    module.
    """
    by_seat = RowSize(seats)
    names = globals() | own | {
        "AlphaBetaArrays": with_rows(
            AlphaBetaArrays, states=RowSize(size), lists=RowSize(most_steps), evaluations=RowSize(most_steps, seats)
        ),
        "TreeArrays": with_rows(TreeArrays, values=by_seat, evaluations=by_seat),
    }  # fmt: skip
    for template in TEMPLATES:
        made = FunctionType(template.__code__, names, template.__name__)
        made.__annotations__ = template.__annotations__
        made.__module__, made.__qualname__ = __name__, f"{module}.{template.__name__}"  # numba's cache goes by them
        names[template.__name__] = kernel(made)
    return {template.__name__: names[template.__name__] for template in TEMPLATES}
