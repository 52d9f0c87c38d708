"""Kernels of the search: iterative alpha-beta with a transposition table, and a threat search at the leaves.

A score is from the mover's view. A won position scores `WIN` less the moves of both players until the win; a draw is 0.

This search is Pente's own, not that of `search.kernels`: a move made and taken back on one board, with all its shapes
and lists of threats, takes 0.17 µs; a copy of that state for each child takes 2.7 µs (`benchmarks/search_layer.py`).
"""

from __future__ import annotations

import math
from typing import Annotated

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import ATTACK_MOVES, EXACT, TAKING, Codes, SearchArrays, SearchControl, Words
from pentad.games.pente.engine.net_kernels import (
    Sums,
    Vectors,
    fill_orders,
    fill_rows,
    fill_vectors,
    race_step,
    score_of_sums,
    spread_values,
    sum_after,
    sum_points,
)
from pentad.games.pente.engine.position_kernels import (
    FIELDS,
    KIND_BITS,
    KIND_OF,
    any_line,
    fill,
    fill_values,
    key,
    make,
    make_and_unmake,
    may_place,
    may_place_anywhere,
    overlook,
    perft,
    place,
    points_free,
    set_up,
    unmake,
)
from pentad.games.pente.engine.threat_kernels import (
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
from pentad.games.pente.engine.vct_kernels import find_known, solve
from pentad.kernels.decorator import kernel, prefetch
from pentad.kernels.numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Array, Float64s, Int16s, Int32s, Rows, RowSize

# The ranks of the kinds of threats, the mover's and the opponent's.
ATTACK_RANK = np.array([0, 60, 260, 90, 700, 1500, 0], dtype=np.int64)
DEFENCE_RANK = np.array([0, 40, 150, 60, 400, 900, 0], dtype=np.int64)
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
    board: Codes,
    state: Words,
    weights: Codes,
    rows: Int16s,
    vectors: Vectors,
    head: Codes,
    totals: Annotated[Rows[Int32s], RowSize(k.ROW)],
) -> int:
    """The evaluation of a position outside of a search, with the network's part if there is a network."""
    if len(vectors) == 0:
        return evaluate(state, weights)
    sum_points(board, state, rows, vectors, totals[0])
    return estimate_of(state, weights, head, totals[0])


@kernel
def rank_of(total: int, ranks: Array[int]) -> int:
    """The rank of a move by the shapes that a stone there makes for one colour."""
    return int(
        ranks[KIND_OF[total & KIND_BITS]]
        + 24 * (total >> FIELDS[k.THREE] & 7)
        + 14 * (total >> FIELDS[k.OPEN_TWO] & 7)
        + 45 * (total >> k.TAKEN & k.TAKEN_BITS)
    )


@kernel
def learned_rank(board: Codes, rows: Int16s, orders: Int16s, me: int, point: int, total: int) -> int:
    """The rank of a move by the kinds of threats and the codes of its point, as it was learned.

    Unsigned indices spare the check for negative ones.
    """
    mine, theirs = KIND_OF[total >> k.SIDE * me & KIND_BITS], KIND_OF[total >> k.SIDE * (1 - me) & KIND_BITS]
    rank = np.int64(orders[np.uint64(k.KINDS * mine + theirs)])
    codes, first = np.uint64(k.CODES + k.AXES * point), np.uint64(k.ROW_ORDERS + me)
    for axis in range(k.AXES):
        code = np.uint64(board[codes + np.uint64(axis)])
        rank += orders[first + np.uint64(2 * rows[code])]
    return int(rank)


@kernel
def candidates(board: Codes, state: Words, rows: Int16s, orders: Int16s, out: Codes, ranks: Codes, work: Codes) -> int:
    """Writes the points where a stone makes some shape, with their ranks; returns their number."""
    me, size, count = state[k.MOVER], state[k.SIZE], 0
    other, is_free = 1 - me, may_place_anywhere(state)
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            total = state[np.uint64(k.SUMS + point)]
            if total & SHAPES == 0 or board[np.uint64(k.HELD + point)] != k.EMPTY:
                continue
            if not is_free and not may_place(state, point, me):
                continue
            history = work[np.uint64(k.HISTORY + me * k.POINTS + point)]
            if len(orders):
                rank = learned_rank(board, rows, orders, me, point, total) + (history >> 5)
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
def select_best(moves: Codes, ranks: Codes, first: int, count: int) -> int:
    """Swaps the move of the highest rank from `first` on to that place (selection sort), and returns it."""
    best, highest = first, ranks[first]
    for i in range(first + 1, count):
        if ranks[np.uint64(i)] > highest:
            best, highest = i, ranks[np.uint64(i)]
    moves[first], moves[best] = moves[best], moves[first]
    ranks[first], ranks[best] = ranks[best], ranks[first]
    return moves[first]


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
    board: Codes, state: Words, rows: Int16s, orders: Int16s,
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
def bucket_of(table: Words, hashed: int) -> int:
    """Where the bucket of a key begins in the table, whose length is a power of two."""
    return hashed & (len(table) - 1) & -2 * k.BUCKET


@kernel
def probe(table: Words, hashed: int) -> int:
    """The table's entry for a key, or 0."""
    place = bucket_of(table, hashed)
    for slot in range(place, place + 2 * k.BUCKET, 2):
        entry = table[slot + 1]
        if table[slot] ^ entry == hashed and entry != 0:
            return entry
    return 0


@kernel
def store(
    table: Words, hashed: int, move: int, bound: int, depth: int, score: int, estimate: int, generation: int
) -> None:  # fmt: skip
    """Stores a position in its bucket, in place of its own entry or else of the one worth least: old, or not deep."""
    place, slot, least = bucket_of(table, hashed), 0, 1 << 20
    for each in range(place, place + 2 * k.BUCKET, 2):
        old = table[each + 1]
        if table[each] ^ old == hashed and old != 0:
            slot = each
            break
        age = (generation - (old >> k.GENERATION_AT & 255)) % k.GENERATIONS
        worth = (old >> k.DEPTH_AT & 255) - k.AGED * age if old else -(1 << 20)
        if worth < least:
            slot, least = each, worth
    entry = move | bound << k.BOUND_AT | max(0, depth) << k.DEPTH_AT | (score + 32768) << k.SCORE_AT
    entry |= generation << k.GENERATION_AT | estimate << k.ESTIMATE_AT
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


@kernel
def estimate_at(run: SearchArrays, level: int, before: int, entry: int) -> int:
    """The evaluation at a level after a move, that of the table's entry if there is one; it is kept by level."""
    board, state = run.position.board, run.position.state
    if len(run.vectors):
        sum_after(board, state, run.rows, run.vectors, run.totals[level - 1], run.totals[level], before)
    if entry:
        estimate = entry >> k.ESTIMATE_AT
    elif len(run.vectors):
        estimate = estimate_of(state, run.weights, run.head, run.totals[level])
    else:
        estimate = evaluate(state, run.weights)
    run.work[k.ESTIMATES + level] = estimate
    return int(estimate)


@kernel
def is_bound_enough(bound: int, stored: int, alpha: int, beta: int) -> bool:
    """Whether a stored score decides between `alpha` and `beta`."""
    return bound == EXACT or (bound == k.AT_LEAST and stored >= beta) or (bound == k.AT_MOST and stored <= alpha)


@kernel
def attack_at(run: SearchArrays, depth: int, level: int) -> int:
    """The number of own moves in which an attack wins, if the mover has fours or captures to begin with; else 0."""
    state, control = run.position.state, run.control
    me = state[k.MOVER]
    fours = state[k.COUNTS + me * k.KINDS + k.A_FOUR] + state[k.COUNTS + me * k.KINDS + k.FOUR_AND_THREE]
    fours += state[k.COUNTS + me * k.KINDS + k.WINNING_FOUR]
    if not fours and not (state[k.CAPTURE_WIN] and 2 * state[k.STONES_TAKEN + me] >= state[k.CAPTURE_WIN]):
        return 0
    control.truncated = 0
    enough = control.effort if depth <= 0 else control.effort * (3 + depth) // 2
    control.attack_limit = control.attack_nodes + enough
    control.selective = 1
    won = attack(run.position, run.lists, run.refuted, control, run.pv, level + 1, ATTACK_MOVES)
    control.selective = 0
    return won


@kernel
def list_replies(run: SearchArrays, level: int) -> int:
    """Writes the replies to a threat, or to a line that must be broken, with their ranks; returns their number."""
    board, state, moves = run.position.board, run.position.state, run.lists[level]
    me, first = state[k.MOVER], k.RANKS + k.LIST * level
    other = 1 - me
    count = add_list(board, state, me, TAKING, moves, 0) if state[k.STANDING] else answers(board, state, moves)
    for i in range(count):
        total = state[k.SUMS + moves[i]]
        rank = rank_of(total >> k.SIDE * me, ATTACK_RANK) + rank_of(total >> k.SIDE * other, DEFENCE_RANK)
        run.work[first + i] = rank
    return count


@kernel
def count_node(control: SearchControl) -> None:
    """Counts a node of the search, which stops at the limit of all nodes."""
    control.nodes += 1
    if control.node_limit and control.nodes + control.attack_nodes >= control.node_limit:
        control.stop = 1


@kernel
def put_first(moves: Codes, ranks: Codes, move: int, count: int) -> None:
    """Gives a move the highest rank."""
    for i in range(count):
        if moves[i] == move:
            ranks[i] = 1 << 28


@kernel
def begin_with(moves: Codes, ranks: Codes, move: int, count: int) -> int:
    """Puts a move that was searched before the others of a list, in which it may be missing; returns the length."""
    place = 0
    while place < count and moves[place] != move:
        place += 1
    moves[place], ranks[place] = moves[0], ranks[0]
    moves[0] = move
    return max(count, place + 1)


@kernel
def late_reduction(depth: int, number: int, spared: int, history: int) -> int:
    """The plies by which a late move is reduced, less those that it is spared."""
    good = max(-2, min(2, history // (k.HISTORY_BOUND // 8)))
    return max(0, min(reduction_of(depth, number) + 1 - spared - good, depth - 1))


@kernel
def search(run: SearchArrays, depth: int, alpha: int, beta: int, level: int, before: int, forced_on: int) -> int:
    """The score of a position for the colour to move, searched to a depth; forced replies do not use up the depth."""
    position, control, table, work = run.position, run.control, run.table, run.work
    board, state = position.board, position.state
    count_node(control)
    me, other = state[k.MOVER], 1 - state[k.MOVER]
    # Step 1. A win at once, a stop, the longest line.
    if wins_at_once(position) >= 0:
        return k.WIN - level - 1
    if should_stop(control) or level + 2 >= k.LEVELS:
        return evaluate(state, run.weights)
    # Step 2. A win cannot come earlier, nor a loss, than by the moves after this one.
    alpha, beta = max(alpha, level + 2 - k.WIN), min(beta, k.WIN - level - 3)
    if alpha >= beta:
        return alpha
    # Step 3. The transposition table: its score, if it is deep enough; else a move to begin with.
    hashed, is_pv, first, stored, bound = key(state), beta - alpha > 1, -1, 0, EXACT
    found = probe(table, hashed)
    if found:
        first = found & k.MOVE_BITS
        stored = score_from_table((found >> k.SCORE_AT & 0x1FFFF) - 32768, level)
        bound = found >> k.BOUND_AT & 3
        is_deep = (found >> k.DEPTH_AT & 255) >= depth or abs(stored) > k.WON_FROM
        if is_deep and is_bound_enough(bound, stored, alpha, beta):
            return stored
    # Step 4. The opponent wins with the next stone. Only under simple rules are `answers` all replies to a threat.
    forced = state[k.STANDING] > 0 or (state[k.SIMPLE] > 0 and threatens(board, state, other))
    if wins_next(state, other):
        return level + 2 - k.WIN
    # Step 5. The evaluation, and whether it is rising.
    estimate = evaluated = estimate_at(run, level, before, found)
    improving = 1 if level >= 2 and estimate > work[k.ESTIMATES + level - 2] else 0
    moves, ranks = run.lists[level], work[k.RANKS + k.LIST * level : k.RANKS + k.LIST * (level + 1)]
    if forced and (depth > 0 or forced_on > 0):
        # Step 6. Only replies to a threat; without one the game is lost.
        count, is_listed = list_replies(run, level), True
        if count == 0:
            return level + 2 - k.WIN
    else:
        # Step 7. The table's score is the better estimate, where its bound says so.
        if found and abs(stored) < k.WON_FROM and is_bound_enough(bound, stored, estimate - 1, estimate + 1):
            estimate = stored
        if depth <= 0 and estimate >= beta:
            return estimate
        # Step 8. Reverse futility pruning: a calm position far above beta.
        calm = not is_pv and not forced and abs(beta) < k.WON_FROM and strongest(state, other) < k.FOUR_AND_THREE
        if calm and depth <= k.MARGIN_DEPTH and estimate - k.MARGIN * (depth - improving) >= beta:
            return estimate
        # Step 9. An attack by threats alone, at a leaf or where the table knows nothing.
        won = attack_at(run, depth, level) if control.effort and (depth <= 0 or not found) else 0
        if won:
            score = k.WIN - level - 2 * won + 1
            won_to_table = score_to_table(score, level)
            store(table, hashed, run.pv[level + 1], EXACT, 99, won_to_table, evaluated, control.generation)
            return score
        if depth <= 0:
            return estimate
        # Step 10. Razoring: a calm position far below alpha, without a four to make.
        is_low = depth <= k.HOPELESS_DEPTH and estimate + k.HOPELESS * depth <= alpha
        if calm and is_low and strongest(state, me) < k.A_FOUR:
            return estimate
        # Step 11. Internal iterative reduction: a shallower search first finds the move to begin with.
        if first < 0 and depth >= k.UNORDERED_DEPTH:
            depth -= 1
        # Step 12. The table's move comes first, and often no other one has to be listed.
        is_listed = first < 0 or board[k.HELD + first] != k.EMPTY or not may_place(state, first, me)
        if is_listed:
            count = list_moves(board, state, run.rows, run.orders, moves, ranks, work, level, before)
            if count == 0:
                return 0
        else:
            moves[0], count = first, 1
    if is_listed:
        put_first(moves, ranks, first, count)
    best, best_move, bound = -k.WIN, -1, k.AT_MOST
    # Step 13. How many moves, and how many quiet ones, are searched: fewer if the evaluation is not rising.
    by_order = depth > 0 and len(run.orders) > 0
    most = (MOST[depth] >> 1 - improving) + 2 * is_pv if by_order else k.LIST
    most_quiet = k.LIST if by_order or is_pv else k.QUIET_MOVES + 2 * depth * depth >> 1 - improving
    hopeless = not is_pv and depth <= k.FUTILE_DEPTH and estimate + k.MARGIN * (depth + 1) <= alpha
    for i in range(k.LIST):
        if i == 1 and not is_listed:
            count = list_moves(board, state, run.rows, run.orders, moves, ranks, work, level, before)
            count = begin_with(moves, ranks, first, count)
        # Step 14. Late move pruning: then only captures and open fours; a loss counts only after all moves were tried.
        is_late = i > 0 and not forced and best > -k.WON_FROM
        if i >= most and not forced and best > -k.WON_FROM:
            most, count = k.LIST, keep_strongest(state, moves, ranks, i, count)
        if i >= count or (is_late and i >= k.MAX_MOVES):
            break
        move = select_best(moves, ranks, i, count) if i or is_listed else first
        total = state[k.SUMS + move]
        kind, theirs = KIND_OF[total >> k.SIDE * me & KIND_BITS], KIND_OF[total >> k.SIDE * other & KIND_BITS]
        takes = total >> (k.SIDE * me + k.TAKEN) & k.TAKEN_BITS > 0
        # Step 15. Futility pruning: quiet moves that are late, or that cannot reach alpha.
        if is_late and (hopeless or i >= most_quiet) and kind == 0 and not takes and theirs < k.A_FOUR:
            continue
        # Step 16. Late moves are first searched less deep, those with a good history least so.
        spared, history = (
            improving + is_pv + (kind > 0) + takes + (theirs >= k.A_FOUR),
            k.HISTORY + me * k.POINTS + move,
        )
        is_reduced = is_late and i >= k.FULL_DEPTH_MOVES and depth >= 2 and max(kind, theirs) < k.WINNING_FOUR
        reduction = late_reduction(depth, i, spared, work[history]) if is_reduced else 0
        # Step 17. The search, again where a reduced depth or a null window gave only a bound.
        result = make(position, move)
        prefetch(table, bucket_of(table, key(state)))
        score = k.WIN - level - 1 if result == k.WON else level + 1 - k.WIN if result == k.LOST else 0
        if result == k.ONGOING:
            rest = max(depth, 0) - (0 if forced and (count == 1 or depth <= 0) else 1)
            deep, high = rest - reduction, beta if best == -k.WIN else alpha + 1
            while True:
                score = -search(run, deep, -high, -alpha, level + 1, move, forced_on - forced)
                if score > alpha and deep < rest:
                    deep = rest
                elif alpha < score < beta and high < beta:
                    high = beta
                else:
                    break
        unmake(position)
        # Step 18. After a stop the score so far counts, and nothing is stored.
        if should_stop(control):
            return best if best > -k.WIN else evaluate(state, run.weights)
        if score > best:
            best, best_move = score, move
            if score > alpha:
                alpha, bound = score, k.AT_LEAST if score >= beta else EXACT
            if score >= beta:
                break
    # Step 19. The move that caused a cutoff is remembered, and the transposition table gets the score.
    if bound == k.AT_LEAST and not forced:
        record_cutoff(work, me, moves, best_move, before, depth, level)
    store(table, hashed, best_move, bound, depth, score_to_table(best, level), evaluated, control.generation)
    return best


@kernel
def search_roots(run: SearchArrays, first: int, depth: int, alpha: int, beta: int) -> int:
    """Searches the root moves from `first` on and moves the best of them to that place; returns its score.

    The scores of the others are bounds. A search that is stopped keeps the best move so far.
    """
    position, control, roots, scores = run.position, run.control, run.roots, run.scores
    best = -k.WIN
    if len(run.vectors):
        sum_points(position.board, position.state, run.rows, run.vectors, run.totals[0])
    for i in range(first, control.count):
        move = np.int64(roots[i])
        result = make(position, move)
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
                score = -search(run, deep, -high, -alpha, 1, move, 6)  # fmt: skip
                if score > alpha and deep < depth - 1:
                    deep = depth - 1
                elif score > alpha and high < beta:
                    high = beta
                else:
                    break
        unmake(position)
        if should_stop(control):
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
def root_moves(board: Codes, state: Words, rows: Int16s, orders: Int16s, lists: Lists, work: Codes) -> int:
    """Writes the moves of the root to the first list, by rank; returns their number.

    On an empty board there is only one, near the middle.
    """
    moves, ranks = lists[0], work[k.RANKS : k.RANKS + k.LIST]
    count = list_moves(board, state, rows, orders, moves, ranks, work, 0, 0)
    for i in range(count):
        select_best(moves, ranks, i, count)
    return min(count, 1) if state[k.FREE] == state[k.SIZE] * state[k.SIZE] else count


@kernel
def list_roots(run: SearchArrays) -> None:
    """Lists the root moves: the replies where the player to move must reply, else all that are searched.

    Until they have been searched, they have the score of the evaluation.
    """
    board, state, count = run.position.board, run.position.state, 0
    if state[k.STANDING] or (state[k.SIMPLE] and threatens(board, state, 1 - state[k.MOVER])):
        count = answers(board, state, run.lists[0])
    if count == 0:
        count = root_moves(board, state, run.rows, run.orders, run.lists, run.work)
    estimate = estimate_from_board(board, state, run.weights, run.rows, run.vectors, run.head, run.totals)
    for i in range(count):
        run.roots[i], run.scores[i] = run.lists[0, i], estimate
    run.control.count = count


@kernel
def set_win(run: SearchArrays, point: int, moves: int) -> None:
    """Keeps one root move alone, which wins in so many own moves."""
    run.control.wins_in, run.control.count = moves, 1
    run.roots[0], run.scores[0] = point, k.WIN - 2 * moves + 1


@kernel
def prepare_roots(run: SearchArrays) -> None:
    """Lists the root moves, and searches for the shortest win by threats alone."""
    control = run.control
    at_once = wins_at_once(run.position)
    if at_once >= 0:
        set_win(run, at_once, 1)
        return
    list_roots(run)
    if control.effort == 0:
        return
    for most in range(2, k.MAX_ATTACK_MOVES):
        control.attack_limit, control.truncated = control.attack_nodes + k.ROOT_ATTACK_NODES, 0
        won = attack(run.position, run.lists, run.refuted, control, run.pv, 1, most)
        if won:
            set_win(run, run.pv[1], won)
        if won or control.truncated:
            return


@kernel
def search_depth(run: SearchArrays, depth: int, lines: int) -> None:
    """Searches to a depth; several lines one after the other, each within a window around its last score."""
    control, roots, scores = run.control, run.roots, run.scores
    lines = min(lines, control.count)
    for first in range(lines):
        guess = np.int64(scores[first])
        width = k.FULL_WINDOW if depth < 4 or abs(guess) >= k.LIMIT else k.WINDOW
        low, high = max(guess - width, -k.WIN), min(guess + width, k.WIN)
        while True:
            score = search_roots(run, first, depth, low, high)
            if low < score < high or width == k.FULL_WINDOW or control.stop:
                break
            width = min(3 * width, k.FULL_WINDOW) if abs(score) < k.LIMIT else k.FULL_WINDOW
            if score <= low:
                low = max(score - width, -k.WIN)
            else:
                high = min(score + width, k.WIN)
        if control.stop:
            return
    for last in range(1, lines):
        i = last
        while i and scores[i - 1] < scores[i]:  # equal ones keep their order
            scores[i - 1], scores[i] = scores[i], scores[i - 1]
            roots[i - 1], roots[i] = roots[i], roots[i - 1]
            i -= 1
    control.depth = depth


@kernel
def pick(run: SearchArrays, among: int, noise: float, normal: Float64s, points: Float64s) -> int:
    """The best of the first root moves by scores with noise and points; the first one if it wins."""
    best, most = 0, 0.0
    if run.scores[0] > k.WON_FROM:
        return best
    for i in range(min(among, run.control.count)):
        score = run.scores[i] + noise * normal[i] + points[i]
        if i == 0 or score > most:
            best, most = i, score
    return best


NATIVE = {
    each.__name__: each
    for each in (
        fill, fill_values, spread_values, set_up, place, make, unmake, make_and_unmake, perft, key, any_line,
        points_free, add_list, overlook, lacking, strongest, threatens, attacked, wins_next, answers, wins_at_once,
        attack, fill_rows, fill_orders, fill_vectors, sum_points, sum_after, evaluate, estimate_from_board, probe,
        list_roots, prepare_roots, search_depth, pick, find_known, solve, set_win,
    )
}  # fmt: skip
