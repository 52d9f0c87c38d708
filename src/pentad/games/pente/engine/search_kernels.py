"""Kernels of the search: iterative alpha-beta with a transposition table, and a threat search at the leaves.

A score is from the mover's view. A won position scores `WIN` less the moves of both players until the win; a draw is 0.

This search is Pente's own, not that of `search.kernels`: a move made and taken back on one board, with all its shapes
and lists of threats, takes 0.27 µs; a copy of that state for each child takes 2.8 µs (`benchmarks/search_layer.py`).
"""

from __future__ import annotations

import math

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import ATTACK_MOVES, EXACT, TAKING  # by name: see `constants`
from pentad.games.pente.engine.network_kernels import (
    Sums,
    Vectors,
    fill_orders,
    fill_rows,
    fill_vectors,
    race_step,
    score_of_sums,
    sum_after,
    sum_points,
)
from pentad.games.pente.engine.position_kernels import (
    FIELDS,
    KIND_BITS,
    KIND_OF,
    Codes,
    Words,
    any_line,
    fill,
    fill_values,
    key,
    make,
    make_and_unmake,
    may_place,
    perft,
    place,
    points_free,
    set_up,
    unmake,
)
from pentad.games.pente.engine.threat_kernels import (
    PARTS,
    Lists,
    add_list,
    answers,
    attack,
    attacked,
    lacking,
    lines_decide,
    threatens,
    wins_at_once,
    wins_next,
)
from pentad.kernels.array_numbers import NDArray, np
from pentad.kernels.compiler import kernel
from pentad.kernels.polling import is_stopped

ATTACK_RANK = np.array([0, 60, 260, 90, 700, 1500, 0], dtype=np.int64)  # by kind, of the mover's threats
DEFENCE_RANK = np.array([0, 40, 150, 60, 400, 900, 0], dtype=np.int64)  # of the opponent's
SHAPES = ((1 << k.SIDE) - 1) * (1 + (1 << k.SIDE))
# With a learned order: the moves searched at a node, by its depth, besides those that capture or make an open four.
# Half as many if the evaluation is not rising.
MOST = np.array([k.FEWEST_MOVES + round(depth**k.MORE_MOVES) for depth in range(k.LEVELS)], dtype=np.int64)
LOGS = np.array([0, *(round(64 * math.log(i)) for i in range(1, k.LIST + 1))], dtype=np.int64)


@kernel
def race(state: Words, colour: int, weights: Codes) -> int:
    """The value of the stones that a colour has captured."""
    return int(weights[k.RACE + race_step(state, colour)]) if state[k.CAPTURE_WIN] else 0


@kernel
def strongest(state: Words, colour: int) -> int:
    """The strongest kind of threat that a colour could make."""
    for kind in range(k.A_FIVE, 0, -1):
        if state[k.COUNTS + colour * k.KINDS + kind]:
            return kind
    return 0


@kernel
def evaluate(state: Words, weights: Codes) -> int:
    """The static evaluation of a position, for the colour to move."""
    me = state[k.MOVER]
    other = 1 - me
    score = -state[k.VALUE] if me else state[k.VALUE]
    score += weights[k.TEMPO] + race(state, me, weights) - race(state, other, weights)
    score += weights[k.MY_KINDS + strongest(state, me)] + weights[k.THEIR_KINDS + strongest(state, other)]
    score += weights[k.MY_TAKES] * state[k.COUNTS + me * k.KINDS + TAKING]
    score += weights[k.THEIR_TAKES] * state[k.COUNTS + other * k.KINDS + TAKING]
    return int(max(-k.LIMIT, min(k.LIMIT, score)))


@kernel
def estimate_of(state: Words, weights: Codes, head: Codes, total: Sums) -> int:
    """The evaluation of a position with the network's part, by the sums of its vectors."""
    me = state[k.MOVER]
    score = evaluate(state, weights) + score_of_sums(state, total, head, strongest(state, me), strongest(state, 1 - me))
    return int(max(-k.LIMIT, min(k.LIMIT, score)))


@kernel
def estimate_from_board(
    board: Codes, state: Words, weights: Codes, rows: Codes, vectors: Vectors, head: Codes, totals: Sums
) -> int:
    """The evaluation of a position outside of a search, with the network's part if there is a network."""
    if len(vectors) == 0:
        return evaluate(state, weights)
    sum_points(board, state, rows, vectors, totals[0])
    return estimate_of(state, weights, head, totals[0])


@kernel
def rank_of(total: int, ranks: NDArray[np.int64]) -> int:
    """The rank of a move by the shapes that a stone there makes for one colour."""
    return int(
        ranks[KIND_OF[total & KIND_BITS]]
        + 24 * (total >> FIELDS[k.THREE] & 7)
        + 14 * (total >> FIELDS[k.OPEN_TWO] & 7)
        + 45 * (total >> k.TAKEN & k.TAKEN_BITS)
    )


@kernel
def learned_rank(board: Codes, state: Words, rows: Codes, orders: Codes, point: int, total: int) -> int:
    """The rank of a move by the kinds of threats and the codes of its point, as it was learned.

    Unsigned indices spare the check for negative ones.
    """
    me = state[k.MOVER]
    mine, theirs = KIND_OF[total >> k.SIDE * me & KIND_BITS], KIND_OF[total >> k.SIDE * (1 - me) & KIND_BITS]
    rank = orders[k.KINDS * mine + theirs]
    codes, first = np.uint64(k.CODES + k.AXES * point), np.uint64(k.ROW_ORDERS + me)
    for axis in range(k.AXES):
        code = np.uint64(board[codes + np.uint64(axis)])
        rank += orders[first + np.uint64(2 * rows[code])]
    return int(rank)


@kernel
def candidates(board: Codes, state: Words, rows: Codes, orders: Codes, out: Codes, ranks: Codes, work: Codes) -> int:
    """Writes the points where a stone makes some shape, with their ranks; returns their number."""
    me, size, count = state[k.MOVER], state[k.SIZE], 0
    other = 1 - me
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            total = state[np.uint64(k.SUMS + point)]
            if total & SHAPES == 0 or board[np.uint64(k.HELD + point)] != k.EMPTY or not may_place(state, point, me):
                continue
            history = work[np.uint64(k.HISTORY + me * k.POINTS + point)]
            if len(orders):
                rank = learned_rank(board, state, rows, orders, point, total) + (history >> 5)
            else:
                rank = rank_of(total >> k.SIDE * me, ATTACK_RANK) + rank_of(total >> k.SIDE * other, DEFENCE_RANK)
                rank += history >> 4
            out[np.uint64(count)] = point
            ranks[np.uint64(count)] = rank
            count += 1
    return count


@kernel
def all_moves(board: Codes, state: Words, out: Codes, ranks: Codes) -> int:
    """Writes all legal points, those near the middle first; returns their number."""
    size, count = state[k.SIZE], 0
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] == k.EMPTY and may_place(state, point, state[k.MOVER]):
                out[count] = point
                ranks[count] = -max(abs(2 * (row - k.EDGE) + 1 - size), abs(2 * (point - row * k.STRIDE) + 1 - size))
                count += 1
    return count


@kernel
def select_best(moves: Codes, ranks: Codes, first: int, count: int) -> None:
    """Swaps the move of the highest rank from `first` on to that place (selection sort)."""
    best, highest = first, ranks[first]
    for i in range(first + 1, count):
        if ranks[np.uint64(i)] > highest:
            best, highest = i, ranks[np.uint64(i)]
    moves[first], moves[best] = moves[best], moves[first]
    ranks[first], ranks[best] = ranks[best], ranks[first]


@kernel
def keep_defences(state: Words, moves: Codes, ranks: Codes, count: int) -> int:
    """Keeps the moves that make a four, or a stone where the opponent would make one; returns their number.

    Where the opponent could make an open four and there are no captures, any other move loses.
    """
    me, kept = state[k.MOVER], 0
    for i in range(count):
        total = state[k.SUMS + moves[i]]
        mine, theirs = KIND_OF[total >> k.SIDE * me & KIND_BITS], KIND_OF[total >> k.SIDE * (1 - me) & KIND_BITS]
        if mine >= k.A_FOUR or theirs >= k.A_FOUR:
            moves[kept], ranks[kept] = moves[i], ranks[i]
            kept += 1
    return kept


@kernel
def keep_strongest(state: Words, moves: Codes, ranks: Codes, first: int, count: int) -> int:
    """Keeps, of the moves from `first` on, those that capture or make an open four; returns the number of all moves."""
    me, kept = state[k.MOVER], first
    for i in range(first, count):
        total = state[k.SUMS + moves[i]] >> k.SIDE * me
        if KIND_OF[total & KIND_BITS] >= k.WINNING_FOUR or total >> k.TAKEN & k.TAKEN_BITS:
            moves[kept], ranks[kept] = moves[i], ranks[i]
            kept += 1
    return kept


@kernel
def list_moves(
    board: Codes, state: Words, rows: Codes, orders: Codes,
    moves: Codes, ranks: Codes, work: Codes, level: int, before: int,
) -> int:  # fmt: skip
    """Writes the moves to search when none is forced, with their ranks; returns their number."""
    count = candidates(board, state, rows, orders, moves, ranks, work)
    if count == 0:
        return all_moves(board, state, moves, ranks)
    me = state[k.MOVER]
    if lines_decide(state) and state[k.COUNTS + (1 - me) * k.KINDS + k.WINNING_FOUR]:
        count = keep_defences(state, moves, ranks, count)
    counter = work[k.COUNTERS + me * k.POINTS + before]
    for i in range(count):
        if moves[i] == work[k.KILLERS + 2 * level] or moves[i] == work[k.KILLERS + 2 * level + 1]:
            ranks[i] += 80
        if moves[i] == counter:
            ranks[i] += 60
    return count


@kernel
def score_to_table(score: int, level: int) -> int:
    """A score as the table stores it: wins counted from the position itself."""
    return score + level if score > k.WON_FROM else score - level if score < -k.WON_FROM else score


@kernel
def score_from_table(stored: int, level: int) -> int:
    """A stored score as it counts from the root."""
    return stored - level if stored > k.WON_FROM else stored + level if stored < -k.WON_FROM else stored


@kernel
def probe(table: Words, hashed: int) -> int:
    """The table's entry for a key, or -1."""
    slot = 2 * (hashed % (len(table) // 2))
    entry = table[slot + 1]
    return entry if table[slot] ^ entry == hashed and entry != 0 else -1


@kernel
def store(table: Words, hashed: int, move: int, bound: int, depth: int, score: int, generation: int) -> None:
    """Stores a position, unless the slot holds a deeper one of this generation."""
    slot = 2 * (hashed % (len(table) // 2))
    old = table[slot + 1]
    if (
        old
        and old >> k.GENERATION_AT == generation
        and table[slot] ^ old != hashed
        and (old >> k.DEPTH_AT & 255) > depth + 3
    ):
        return
    entry = move | bound << k.BOUND_AT | max(0, depth) << k.DEPTH_AT | (score + 32768) << k.SCORE_AT
    entry |= generation << k.GENERATION_AT
    table[slot] = hashed ^ entry
    table[slot + 1] = entry


@kernel
def gain(work: Codes, place: int, bonus: int) -> None:
    """Moves a history value towards its bound, by less the nearer it is."""
    work[place] += bonus - work[place] * abs(bonus) // k.HISTORY_BOUND


@kernel
def record_cutoff(work: Codes, me: int, moves: Codes, move: int, before: int, depth: int, level: int) -> None:
    """Records a move that caused a cutoff as killer move, counter-move and in the history, where it gains.

    The moves searched before it, which stand before it in the list, lose half as much there.
    """
    if work[k.KILLERS + 2 * level] != move:
        work[k.KILLERS + 2 * level + 1] = work[k.KILLERS + 2 * level]
        work[k.KILLERS + 2 * level] = move
    work[k.COUNTERS + me * k.POINTS + before] = move
    history = k.HISTORY + me * k.POINTS
    bonus = min(4 * depth * depth, k.HISTORY_BOUND // 4)
    gain(work, history + move, bonus)
    i = 0
    while moves[i] != move:
        gain(work, history + moves[i], -bonus // 2)
        i += 1


@kernel
def reduction_of(depth: int, number: int) -> int:
    """The plies by which the depth of a move is reduced, by its number in the order of the moves."""
    return int(LOGS[depth] * LOGS[number] * k.REDUCTION >> 16)


NETWORK = "int32[::1], int16[:,::1], int32[::1], int32[::1], int32[:,::1]"
SEARCH = f"{PARTS}, int32[::1], {NETWORK}, int32[:,::1], int64[::1], int64[::1], int32[::1], int32[::1], int64[::1]"


@kernel(f"int64({SEARCH}, int64, int64, int64, int64, int64, int64)")
def search(
    board: Codes, state: Words, entries: Codes, sums: Words, values: Codes, weights: Codes,
    rows: Codes, vectors: Vectors, head: Codes, orders: Codes, totals: Sums, lists: Lists,
    table: Words, refuted: Words, pv: Codes, work: Codes, control: Words,
    depth: int, alpha: int, beta: int, level: int, before: int, forced_on: int,
) -> int:  # fmt: skip
    """The score of a position for the colour to move, searched to a depth; forced replies do not use up the depth."""
    control[k.NODES] += 1
    if control[k.NODE_LIMIT] and control[k.NODES] + control[k.ATTACK_NODES] >= control[k.NODE_LIMIT]:
        control[k.STOP] = 1
    me = state[k.MOVER]
    other = 1 - me
    at_once = wins_at_once(board, state, entries, sums, values)
    if at_once >= 0:
        return k.WIN - level - 1
    if is_stopped(control) or level + 2 >= k.LEVELS:
        return evaluate(state, weights)
    alpha, beta = max(alpha, level + 2 - k.WIN), min(beta, k.WIN - level - 3)
    if alpha >= beta:
        return alpha
    hashed = key(state)
    found = probe(table, hashed)
    is_pv = beta - alpha > 1
    first, stored, bound = -1, 0, EXACT
    if found >= 0:
        first = found & k.MOVE_BITS
        stored = score_from_table((found >> k.SCORE_AT & 0x1FFFF) - 32768, level)
        bound = found >> k.BOUND_AT & 3
        is_deep = (found >> k.DEPTH_AT & 255) >= depth or abs(stored) > k.WON_FROM
        if is_deep and (
            bound == EXACT or (bound == k.AT_LEAST and stored >= beta) or (bound == k.AT_MOST and stored <= alpha)
        ):
            return stored
    moves, ranks = lists[level], work[k.RANKS + k.LIST * level : k.RANKS + k.LIST * (level + 1)]
    # Under other than the simple rules, a threat may have more replies than `answers` lists.
    forced = state[k.STANDING] > 0 or (state[k.SIMPLE] > 0 and threatens(board, state, other))
    if wins_next(state, other):
        return level + 2 - k.WIN
    if len(vectors) == 0:
        estimate = evaluate(state, weights)
    else:
        sum_after(board, state, rows, vectors, totals[level - 1], totals[level], before)
        estimate = estimate_of(state, weights, head, totals[level])
    work[k.ESTIMATES + level] = estimate
    improving = 1 if level >= 2 and estimate > work[k.ESTIMATES + level - 2] else 0
    if forced and (depth > 0 or forced_on > 0):
        count = add_list(board, state, me, TAKING, moves, 0) if state[k.STANDING] else answers(board, state, moves)
        if count == 0:
            return level + 2 - k.WIN
        for i in range(count):
            total = state[k.SUMS + moves[i]]
            ranks[i] = rank_of(total >> k.SIDE * me, ATTACK_RANK) + rank_of(total >> k.SIDE * other, DEFENCE_RANK)
    else:
        if (
            found >= 0
            and abs(stored) < k.WON_FROM
            and (bound == EXACT or (stored > estimate if bound == k.AT_LEAST else stored < estimate))
        ):
            estimate = stored
        if depth <= 0 and estimate >= beta:
            return estimate
        calm = not is_pv and not forced and abs(beta) < k.WON_FROM and strongest(state, other) < k.FOUR_AND_THREE
        if calm and depth <= k.MARGIN_DEPTH and estimate - k.MARGIN * (depth - improving) >= beta:
            return estimate
        if control[k.EFFORT] and (depth <= 0 or found < 0):
            fours = state[k.COUNTS + me * k.KINDS + k.A_FOUR] + state[k.COUNTS + me * k.KINDS + k.FOUR_AND_THREE]
            fours += state[k.COUNTS + me * k.KINDS + k.WINNING_FOUR]
            if fours or (state[k.CAPTURE_WIN] and 2 * state[k.STONES_TAKEN + me] >= state[k.CAPTURE_WIN]):
                control[k.TRUNCATED] = 0
                enough = control[k.EFFORT] if depth <= 0 else control[k.EFFORT] * (3 + depth) // 2
                control[k.ATTACK_LIMIT] = control[k.ATTACK_NODES] + enough
                control[k.SELECTIVE] = 1
                won = attack(board, state, entries, sums, values, lists, refuted, control, pv, level + 1, ATTACK_MOVES)
                control[k.SELECTIVE] = 0
                if won:
                    score = k.WIN - level - 2 * won + 1
                    store(table, hashed, pv[level + 1], EXACT, 99, score_to_table(score, level), control[k.GENERATION])
                    return score
        if depth <= 0:
            return estimate
        margin = k.HOPELESS * depth
        if calm and depth <= k.HOPELESS_DEPTH and estimate + margin <= alpha and strongest(state, me) < k.A_FOUR:
            return estimate
        if first < 0 and depth >= k.UNORDERED_DEPTH:
            depth -= 1  # a shallower search first finds the move to begin with
        count = list_moves(board, state, rows, orders, moves, ranks, work, level, before)
        if count == 0:
            return 0
    for i in range(count):
        if moves[i] == first:
            ranks[i] = 1 << 28
    best, best_move, bound = -k.WIN, -1, k.AT_MOST
    most, most_quiet = k.LIST, k.LIST
    if depth > 0 and len(orders):
        most = (MOST[depth] >> 1 - improving) + 2 * is_pv
    elif not is_pv:
        most_quiet = k.QUIET_MOVES + 2 * depth * depth >> 1 - improving
    hopeless = not is_pv and depth <= k.FUTILE_DEPTH and estimate + k.MARGIN * (depth + 1) <= alpha
    for i in range(count):
        if i >= most and not forced and best > -k.WON_FROM:
            most, count = k.LIST, keep_strongest(state, moves, ranks, i, count)
        if i >= count:
            break
        select_best(moves, ranks, i, count)
        move = int(np.int64(moves[i]))
        total = state[k.SUMS + move]
        kind, theirs = KIND_OF[total >> k.SIDE * me & KIND_BITS], KIND_OF[total >> k.SIDE * other & KIND_BITS]
        takes = total >> (k.SIDE * me + k.TAKEN) & k.TAKEN_BITS > 0
        reduction = 0
        if i > 0 and not forced and best > -k.WON_FROM:  # a position counts as lost only after all moves were tried
            if i >= k.MAX_MOVES:
                break
            if (hopeless or i >= most_quiet) and kind == 0 and not takes and theirs < k.A_FOUR:
                continue
            if i >= k.FULL_DEPTH_MOVES and depth >= 2 and kind < k.WINNING_FOUR and theirs < k.WINNING_FOUR:
                history = work[k.HISTORY + me * k.POINTS + move] // (k.HISTORY_BOUND // 8)
                reduction = reduction_of(depth, i) + 1 - improving - max(-2, min(2, history))
                reduction -= is_pv + (kind > 0) + takes + (theirs >= k.A_FOUR)
                reduction = max(0, min(reduction, depth - 1))
        result = make(board, state, entries, sums, values, move)
        if result == k.ONGOING:
            less = 1
            if forced:
                less = 0 if count == 1 or depth <= 0 else 1
            rest = max(depth, 0) - less
            deep, high = rest - reduction, beta if best == -k.WIN else alpha + 1
            while True:  # again where a reduced depth or a null window gave only a bound
                score = -search(
                    board, state, entries, sums, values, weights,
                    rows, vectors, head, orders, totals, lists, table, refuted, pv, work, control,
                    deep, -high, -alpha, level + 1, move, forced_on - forced,
                )  # fmt: skip
                if score > alpha and deep < rest:
                    deep = rest
                elif alpha < score < beta and high < beta:
                    high = beta
                else:
                    break
        else:
            score = k.WIN - level - 1 if result == k.WON else level + 1 - k.WIN if result == k.LOST else 0
        unmake(board, state, sums, values)
        if is_stopped(control):
            return best if best > -k.WIN else evaluate(state, weights)
        if score > best:
            best, best_move = score, move
            if score > alpha:
                alpha, bound = score, EXACT
                if score >= beta:
                    bound = k.AT_LEAST
                    break
    if bound == k.AT_LEAST and not forced:
        record_cutoff(work, me, moves, best_move, before, depth, level)
    store(table, hashed, best_move, bound, depth, score_to_table(best, level), control[k.GENERATION])
    return best


@kernel(f"int64({SEARCH}, int32[::1], int32[::1], int64, int64, int64, int64, int64)")
def search_roots(
    board: Codes, state: Words, entries: Codes, sums: Words, values: Codes, weights: Codes,
    rows: Codes, vectors: Vectors, head: Codes, orders: Codes, totals: Sums, lists: Lists,
    table: Words, refuted: Words, pv: Codes, work: Codes, control: Words,
    roots: Codes, scores: Codes, count: int, first: int, depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Searches the `count` root moves from `first` on and moves the best of them to that place; returns its score.

    The scores of the others are bounds. A search that is stopped keeps the best move so far.
    """
    best = -k.WIN
    if len(vectors):
        sum_points(board, state, rows, vectors, totals[0])
    for i in range(first, count):
        move = int(np.int64(roots[i]))
        result = make(board, state, entries, sums, values, move)
        score = 0
        if result == k.WON:
            score = k.WIN - 1
        elif result == k.LOST:
            score = 1 - k.WIN
        elif result == k.ONGOING:
            reduction = 0
            if i >= first + 2 and depth >= 3:
                reduction = max(0, min(reduction_of(depth, i - first) - 1, depth - 2))
            deep, high = depth - 1 - reduction, beta if i == first else alpha + 1
            while True:
                score = -search(
                    board, state, entries, sums, values, weights,
                    rows, vectors, head, orders, totals, lists, table, refuted, pv, work, control,
                    deep, -high, -alpha, 1, move, 6,
                )  # fmt: skip
                if score > alpha and deep < depth - 1:
                    deep = depth - 1
                elif score > alpha and high < beta:
                    high = beta
                else:
                    break
        unmake(board, state, sums, values)
        if is_stopped(control):
            return best
        scores[i] = score
        best = max(best, score)
        if i > first and score > alpha:  # otherwise the score is an upper bound
            for j in range(i, first, -1):
                roots[j] = roots[j - 1]
                scores[j] = scores[j - 1]
            roots[first], scores[first] = move, score
        alpha = max(alpha, score)
        if alpha >= beta:
            return best
    return best


@kernel
def root_moves(board: Codes, state: Words, rows: Codes, orders: Codes, lists: Lists, work: Codes) -> int:
    """Writes the moves of the root to the first list, by rank; returns their number.

    On an empty board there is only one, near the middle.
    """
    moves, ranks = lists[0], work[k.RANKS : k.RANKS + k.LIST]
    count = list_moves(board, state, rows, orders, moves, ranks, work, 0, 0)
    for i in range(count):
        select_best(moves, ranks, i, count)
    return min(count, 1) if state[k.FREE] == state[k.SIZE] * state[k.SIZE] else count


_POSITION, _RULES = "int32[] int64[]", "int32[] int64[] int32[]"
_ARRAYS = f"{_POSITION} {_RULES}"
_LISTS = f"int32[,{k.LIST}]"
_NETWORK = f"int32[] int16[,{k.ROW}] int32[]"
_SUMS = f"int32[,{k.ROW}]"
_SEARCH = f"{_ARRAYS} int32[] {_NETWORK} int32[] {_SUMS} {_LISTS} int64[] int64[] int32[] int32[] int64[]"
NATIVE = {
    "fill": (fill, "int32[] int64[] int64 int64 int64 int64"),
    "fill_values": (fill_values, "int32[] int64 int32[] int32[] int64 int32[]"),
    "set_up": (set_up, f"{_POSITION} int64[] int32[]"),
    "place": (place, f"{_POSITION} int64[] int32[] int64 int64"),
    "make": (make, f"{_ARRAYS} int64"),
    "unmake": (unmake, f"{_POSITION} int64[] int32[]"),
    "make_and_unmake": (make_and_unmake, f"{_ARRAYS} int32[] int64"),
    "perft": (perft, f"{_ARRAYS} {_LISTS} int64"),
    "key": (key, "int64[]"),
    "any_line": (any_line, f"{_POSITION} int64 int64"),
    "points_free": (points_free, f"{_POSITION} int32[]"),
    "add_list": (add_list, f"{_POSITION} int64 int64 int32[] int64"),
    "lacking": (lacking, "int64[] int64"),
    "strongest": (strongest, "int64[] int64"),
    "threatens": (threatens, f"{_POSITION} int64"),
    "attacked": (attacked, f"{_ARRAYS} int64"),
    "wins_next": (wins_next, "int64[] int64"),
    "answers": (answers, f"{_POSITION} int32[]"),
    "wins_at_once": (wins_at_once, _ARRAYS),
    "attack": (attack, f"{_ARRAYS} {_LISTS} int64[] int64[] int32[] int64 int64"),
    "fill_rows": (fill_rows, "int32[] int32[] int32[] int64 int64"),
    "fill_orders": (fill_orders, "int32[] int32[] int32[]"),
    "fill_vectors": (fill_vectors, f"int32[] int32[] int16[,{k.ROW}]"),
    "sum_points": (sum_points, f"{_POSITION} int32[] int16[,{k.ROW}] int32[]"),
    "sum_after": (sum_after, f"{_POSITION} int32[] int16[,{k.ROW}] int32[] int32[] int64"),
    "evaluate": (evaluate, "int64[] int32[]"),
    "estimate_from_board": (estimate_from_board, f"{_POSITION} int32[] {_NETWORK} {_SUMS}"),
    "probe": (probe, "int64[] int64"),
    "root_moves": (root_moves, f"{_POSITION} int32[] int32[] {_LISTS} int32[]"),
    "search_roots": (search_roots, f"{_SEARCH} int32[] int32[] int64 int64 int64 int64 int64"),
}
