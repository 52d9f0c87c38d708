"""Alpha-beta search kernels over whole turns, with immediate wins, move ordering, killers and a transposition table.

Each level of the search has rows for its children's keys, turns and scores, and for its killer turns. A score is the
mover's: a proved win is `WON` minus the turns to the end, a proved loss the negative, a draw 0.

This search is Pentago's own, not that of `search.kernels`: it evaluates all children of a board by differences of sums,
which takes 0.12 µs for each; from the child's board alone it takes 0.20 µs (`benchmarks/search_layer.py`).
"""

from __future__ import annotations

import math
from typing import Annotated

from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.board_kernels import (
    MIX,
    add_results,
    can_win,
    clear,
    fill_tables,
    fives,
    results,
    unpack,
)
from pentad.games.pentago.engine.constants import Images, SearchArrays
from pentad.games.pentago.engine.net_kernels import evaluate, fill_heads, fill_rows, score_of
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Float64s, Int64s, Rows, RowSize

Table = Annotated[Rows[Int64s], RowSize(k.ENTRY)]

LOGS: Int64s = np.array([0, *(round(64 * math.log(i)) for i in range(1, k.MOST_TURNS + 1))], dtype=np.int64)


@kernel
def sums(board: Int64s, run: SearchArrays) -> None:
    """Sums of rows of a board seen by the opponent: without each sub-board, and the change by each twist."""
    turn, exchange, rows, parts = run.rules.turn, run.rules.exchange, run.net.rows, run.parts
    x0, x1, x2, x3 = exchange[board[0]], exchange[board[1]], exchange[board[2]], exchange[board[3]]
    r0, r1, r2, r3 = rows[0, x0], rows[1, x1], rows[2, x2], rows[3, x3]
    for j in range(k.ROW):
        parts[0, j] = r1[j] + r2[j] + r3[j]
        parts[1, j] = r0[j] + r2[j] + r3[j]
        parts[2, j] = r0[j] + r1[j] + r3[j]
        parts[3, j] = r0[j] + r1[j] + r2[j]
    for q in range(4):
        x = exchange[board[q]]
        before = rows[q, x]
        for d in range(2):
            after, change = rows[q, turn[d, x]], parts[4 + 2 * q + d]
            for j in range(k.ROW):
                change[j] = after[j] - before[j]


@kernel
def expand(level: int, marbles: int, enough: int, run: SearchArrays) -> int:
    """Lists the children of a level's board without an immediate win, with scores for its mover; returns their number.

    Stops after a score of `enough`, which is then the last. The turn of a child with a finished game has `OVER`.
    """
    rules, net, parts, units, control = run.rules, run.net, run.parts, run.units, run.control
    board, child = run.boards[level], run.boards[level + 1]
    keys, turns, scores, room = run.lists[level, 0], run.lists[level, 1], run.lists[level, 2], run.lists[level, 3]
    clear(room)
    sums(board, run)
    rows, exchange, powers = net.rows, rules.exchange, rules.powers
    placed, count = parts[k.PLACED], 0
    for q in range(4):  # one sub-board after the other, since few boards need all their children
        begun, count = count, add_results(board, q, rules, count, keys, turns, room)
        last = -1  # the cell to which `placed` belongs
        for i in range(begun, count):
            unpack(keys[i], child)
            ended = fives(child, rules)
            if ended == 3 or (ended == 0 and marbles + 1 == k.SPACES):
                score = 0
                turns[i] |= k.OVER
            elif ended:
                score = k.WON - level - 1 if ended == 2 else -k.WON + level + 1
            elif can_win(child[0], child[1], child[2], child[3], control.placement, rules):
                score = -k.WON + level + 2
            else:
                cell, twist = turns[i] // 9, turns[i] % 9 - 1
                if twist // 2 == q:
                    score = -score_of(parts[q], rows[q, child[q]], marbles + 1, net, units)
                else:
                    if cell != last:
                        mine, rest = rows[q, exchange[board[q] + powers[cell % 9]]], parts[q]
                        for j in range(k.ROW):
                            placed[j] = rest[j] + mine[j]
                        last = cell
                    score = -score_of(placed, parts[4 + twist], marbles + 1, net, units)
                control.evaluated += 1
            scores[i] = score
            if score >= enough:
                return i + 1
    return count


@kernel
def take_best(ranks: Int64s, count: int) -> int:
    """The place of the highest rank, which is then the lowest."""
    best = ranks[0]
    for i in range(1, count):
        best = max(best, ranks[i])
    place = k.PLACE_BITS - (best & k.PLACE_BITS)
    ranks[place] = k.TAKEN
    return place


@kernel
def store_killer(killers: Int64s, last: int, turn: int) -> None:
    """Puts a killer turn first; those before place `last` move down by one."""
    for rank in range(last, 0, -1):
        killers[rank] = killers[rank - 1]
    killers[0] = turn


@kernel
def try_killers(level: int, marbles: int, beta: int, run: SearchArrays) -> int:
    """Tries the killer turns of a level's board; returns the first score of at least `beta`, or -`WON`."""
    rules, control, killers = run.rules, run.control, run.lists[level, 4]
    board, child = run.boards[level], run.boards[level + 1]
    turn, exchange, powers = rules.turn, rules.exchange, rules.powers
    for rank in range(k.KILLERS):
        cell, twist = killers[rank] // 9, killers[rank] % 9 - 1
        if twist < 0 or board[cell // 9] // powers[cell % 9] % 3:
            continue
        for q in range(4):
            child[q] = board[q]
        child[cell // 9] += powers[cell % 9]
        child[twist // 2] = turn[twist % 2, child[twist // 2]]
        for q in range(4):
            child[q] = exchange[child[q]]
        if fives(child, rules) or marbles + 1 == k.SPACES:
            continue
        if can_win(child[0], child[1], child[2], child[3], control.placement, rules):
            continue
        control.evaluated += 1
        score = -evaluate(child, marbles + 1, run.net, run.parts, run.units)
        if score >= beta:
            store_killer(killers, rank, killers[rank])
            return score
    return -k.WON


@kernel
def slot_of(key: int, slots: int) -> int:
    """The first slot of a board's bucket in the transposition table."""
    mixed = key * MIX
    mixed = (mixed ^ ((mixed >> 32) & 0xFFFFFFFF)) * MIX  # every sub-board affects the slot
    return ((mixed >> 24) & 0xFFFFFFFFFF) % (slots // 2) * 2


@kernel
def probe(table: Table, key: int) -> int:
    """The entry of a board in the transposition table, or 0."""
    slot = slot_of(key, len(table))
    if table[slot, 0] == key:
        return table[slot, 1]
    return table[slot + 1, 1] if table[slot + 1, 0] == key else 0


@kernel
def best_turn(table: Table, key: int) -> int:
    """The best turn of a board in the transposition table, or -1."""
    entry = probe(table, key)
    return entry >> k.TURN_AT & k.TURN_BITS if entry else -1


@kernel
def store(table: Table, key: int, turn: int, bound: int, depth: int, score: int, generation: int) -> None:
    """Stores a board in its bucket: over its own entry, an old one, or the one of the lower depth."""
    slot = slot_of(key, len(table))
    if table[slot, 0] != key:
        first, second = table[slot, 1], table[slot + 1, 1]
        worth = first >> k.DEPTH_AT & k.DEPTH_BITS if first >> k.GENERATION_AT & k.DEPTH_BITS == generation else -1
        other = second >> k.DEPTH_AT & k.DEPTH_BITS if second >> k.GENERATION_AT & k.DEPTH_BITS == generation else -1
        if table[slot + 1, 0] == key or worth > other:
            slot += 1
    table[slot, 0] = key
    table[slot, 1] = (
        bound | depth << k.DEPTH_AT | turn << k.TURN_AT | generation << k.GENERATION_AT | score + k.WON << k.SCORE_AT
    )


@kernel
def score_in_table(entry: int, level: int) -> int:
    """The score of an entry of the transposition table as it counts from the root."""
    stored = (entry >> k.SCORE_AT) - k.WON
    return stored - level if stored > k.PROVED else stored + level if stored < -k.PROVED else stored


@kernel
def is_bound_enough(bound: int, stored: int, alpha: int, beta: int) -> bool:
    """Whether a stored score decides between `alpha` and `beta`."""
    return bound == k.EXACT or (bound == k.AT_LEAST and stored >= beta) or (bound == k.AT_MOST and stored <= alpha)


@kernel
def is_threatened(board: Int64s, run: SearchArrays) -> bool:
    """Whether the opponent could win at once."""
    turned = run.rules.exchange
    x0, x1, x2, x3 = turned[board[0]], turned[board[1]], turned[board[2]], turned[board[3]]
    return can_win(x0, x1, x2, x3, run.control.placement, run.rules) != 0


@kernel
def reduction(depth: int, number: int, is_open: bool, is_reduced: bool, is_selective: bool) -> int:
    """How many turns less deep a late turn is searched at first."""
    if is_reduced:
        return max(0, (LOGS[depth] * LOGS[number] * k.REDUCTION >> 16) - is_open)
    if not is_selective and depth > 2 and number >= 6:
        return 1 if number < 30 or depth < 4 else 2
    return 0


@kernel
def rank_turns(level: int, first: int, count: int, run: SearchArrays) -> None:
    """Writes the ranks of turns: by their scores, and highest for the first turn if it does not lose at once."""
    turns, scores, ranks = run.lists[level, 1], run.lists[level, 2], run.lists[level, 5]
    for i in range(count):
        rank = k.PROVED if turns[i] == first and scores[i] > -k.PROVED else scores[i]
        ranks[i] = (rank << k.RANK_AT) + k.PLACE_BITS - i


@kernel
def search(
    key: int, marbles: int, level: int, depth: int, alpha: int, beta: int, forced: int, static: int, run: SearchArrays
) -> int:
    """The score of a board without five in a row, by a search of at least one turn; `static` is its evaluation.

    A search that reaches full boards prunes nothing. A board counts as lost only after all turns were tried.
    """
    board, control = run.boards[level], run.control
    unpack(key, board)
    control.visited += 1
    # Step 1. A win at once.
    if can_win(board[0], board[1], board[2], board[3], control.placement, run.rules):
        return k.WON - level - 1
    # Step 2. A win cannot come earlier, nor a loss, than by the turns after this one.
    alpha, beta = max(alpha, level + 2 - k.WON), min(beta, k.WON - level - 3)
    if alpha >= beta:
        return alpha
    # Step 3. The transposition table: its score, if it is deep enough; else a better evaluation and a first turn.
    entry, first = probe(run.table, key), -1
    if entry:
        first = entry >> k.TURN_AT & k.TURN_BITS
        stored, bound = score_in_table(entry, level), entry & 3
        is_deep = entry >> k.DEPTH_AT & k.DEPTH_BITS >= depth or abs(stored) > k.PROVED
        if is_deep and is_bound_enough(bound, stored, alpha, beta):
            return stored
        if abs(stored) < k.PROVED and is_bound_enough(bound, stored, static - 1, static + 1):
            static = stored
    is_selective = control.selective != 0 and depth < k.SPACES - marbles
    is_open = beta - alpha > 1
    if is_selective and not is_open and abs(alpha) < k.PROVED and abs(beta) < k.PROVED:
        # Step 4. Reverse futility pruning: a board far above beta, on which the opponent does not threaten to win.
        margin = k.REVERSE + k.REVERSE_STEP * depth
        if depth <= k.REVERSE_DEPTH and static - margin >= beta and not is_threatened(board, run):
            return static
        # Step 5. Razoring: a board far below alpha.
        if depth <= k.RAZOR_DEPTH and static + k.RAZOR + k.RAZOR_STEP * depth <= alpha:
            return static
    # Step 6. Internal iterative reduction: a shallower search first finds the turn to begin with.
    if is_selective and first < 0 and depth >= k.UNORDERED_DEPTH:
        depth -= 1
    # Step 7. One turn before the end of the search, killer turns come before a list of all turns.
    turns, scores, killers = run.lists[level, 1], run.lists[level, 2], run.lists[level, 4]
    if depth == 1:
        score = try_killers(level, marbles, beta, run)
        if score >= beta:
            return score
    count = expand(level, marbles, beta if depth == 1 else k.WON - level - 1, run)
    if depth == 1 and scores[count - 1] >= beta and turns[count - 1] < k.OVER:
        store_killer(killers, k.KILLERS - 1, turns[count - 1])
    # Step 8. The best turn by the evaluation; with few safe ones the search goes a turn deeper.
    best, best_turn, safe = -k.WON, -1, 0
    for i in range(count):
        safe += scores[i] > -k.PROVED
        if scores[i] > best:
            best, best_turn = scores[i], turns[i]
    if safe <= k.FORCED and forced < control.extended and (depth > 1 or best < beta):
        depth += 1
        forced += 1
    # Step 9. The turns, unless the evaluation has decided; the table's turn comes first, then those of higher scores.
    began = alpha
    if depth > 1 and -k.PROVED < best < k.PROVED and marbles + 1 < k.SPACES:
        best, ranks = -k.WON, run.lists[level, 5]
        rank_turns(level, first, count, run)
        for number in range(count):
            # Step 10. Late turn pruning, where a limit is set.
            if number >= control.broad and best > -k.PROVED:
                break
            place = take_best(ranks, count)
            guess, turn = scores[place], turns[place]
            # Step 11. This turn and all after it lose at once.
            if guess <= -k.PROVED:
                if best == -k.WON:
                    best, best_turn = guess, turn
                break
            found = 0
            if turn & k.OVER == 0:
                rest, high, less = depth - 1, beta, 0
                if number > 0:
                    # Step 12. Futility pruning: neither this turn nor those after it reach alpha.
                    high, is_reduced = alpha + 1, is_selective and best > -k.PROVED
                    if is_reduced and depth <= k.FUTILE_DEPTH and guess + k.FUTILE <= alpha:
                        break
                    # Step 13. Late turns are first searched less deep, and with a null window.
                    less = reduction(depth, number, is_open, is_reduced, control.selective != 0)
                now = max(rest - less, 1)
                if less >= rest and guess <= alpha:  # nor are those after it better, or reduced less
                    best = max(best, guess)
                    break
                # Step 14. The search, again where a reduced depth or a null window gave only a bound.
                while True:
                    found = -search(
                        run.lists[level, 0, place], marbles + 1, level + 1, now, -high, -alpha, forced, -guess, run
                    )  # fmt: skip
                    if found > alpha and now < rest:
                        now = rest
                    elif alpha < found < beta and high < beta:
                        high = beta
                    else:
                        break
            # Step 15. After a stop the score so far counts, and nothing is stored.
            if should_stop(control):
                return best
            if found > best:
                best, best_turn = found, turn
                alpha = max(alpha, best)
                if best >= beta:
                    break
    # Step 16. The transposition table gets the score as it counts from this board.
    bound = k.AT_LEAST if best >= beta else k.AT_MOST if best <= began else k.EXACT
    stored = best + level if best > k.PROVED else best - level if best < -k.PROVED else best
    store(run.table, key, best_turn & k.TURN_BITS, bound, depth, stored, control.generation)
    return best


# ── the root: its turns, one of each symmetric ones, searched deeper and deeper ───────────────────


@kernel
def least_image(board: Int64s, symmetries: Images) -> int:
    """The least key of all symmetric boards."""
    least = -1
    for g in range(k.SYMMETRIES):
        image = 0
        for q in range(4):
            image |= np.int64(symmetries.images[g, board[q]]) << (k.BITS * symmetries.corners[g, q])
        if least < 0 or image < least:
            least = image
    return least


@kernel
def add_root(run: SearchArrays, symmetries: Images, key: int, turn: int, score: int) -> None:
    """Adds a turn that ends the game, whose key is -1, or the first one to a board or its images."""
    roots, count, known = run.roots, run.control.roots, run.lists[0, 5]
    known[count] = -1
    if key >= 0:
        unpack(key, run.boards[1])
        known[count] = least_image(run.boards[1], symmetries)
        for i in range(count):
            if known[i] == known[count]:
                return
    roots[k.ROOT_KEY, count], roots[k.ROOT_TURN, count], roots[k.ROOT_SCORE, count] = key, turn, score
    roots[k.ROOT_DEPTH, count] = roots[k.ROOT_STATIC, count] = 0
    run.control.roots = count + 1


@kernel
def add_twists(run: SearchArrays, symmetries: Images, cell: int, marbles: int) -> bool:
    """Adds the turns of each twist of the first board, on which the marble is placed; whether the last one wins."""
    board, child, rules = run.boards[0], run.boards[1], run.rules
    for twist in range(8):
        for q in range(4):
            child[q] = rules.exchange[rules.turn[twist % 2, board[q]] if q == twist // 2 else board[q]]
        ended, turn = fives(child, rules), 9 * cell + 1 + twist
        if ended or marbles + 1 == k.SPACES:
            score = 0 if ended == 0 or ended == 3 else k.WON - 1 if ended == 2 else 1 - k.WON
            add_root(run, symmetries, -1, turn, score)
            if score > 0:
                return True
        else:
            key = child[0] | child[1] << k.BITS | child[2] << 2 * k.BITS | child[3] << 3 * k.BITS
            add_root(run, symmetries, key, turn, 0)
    return False


@kernel
def add_turns(run: SearchArrays, symmetries: Images, marbles: int) -> None:
    """Adds all turns of the first board, in the order of the rules, up to one that wins."""
    board, powers = run.boards[0], run.rules.powers
    for space in range(k.SPACES):
        row, column = space // 6, space % 6
        q, i = row // 3 * 2 + column // 3, row % 3 * 3 + column % 3
        if board[q] // powers[i] % 3:
            continue
        board[q] += powers[i]
        if run.control.placement and fives(board, run.rules) & 1:
            add_root(run, symmetries, -1, 9 * (9 * q + i), k.WON - 1)
            return
        if add_twists(run, symmetries, 9 * q + i, marbles):
            return
        board[q] -= powers[i]


@kernel
def list_roots(run: SearchArrays, symmetries: Images, key: int, marbles: int, placed: int) -> None:
    """Lists the turns of a board; those of the twist alone, if the marble is `placed`.

    A turn that ends the game has its score, any other none before it is searched. If one wins at once, it is the last.
    """
    board, keys, turns, scores, control = run.boards[0], run.lists[0, 0], run.lists[0, 1], run.lists[0, 2], run.control
    control.roots = control.depth = 0
    unpack(key, board)
    if placed:
        add_twists(run, symmetries, 0, marbles)
    elif can_win(board[0], board[1], board[2], board[3], control.placement, run.rules):
        add_turns(run, symmetries, marbles)
    else:
        for i in range(expand(0, marbles, k.WON, run)):
            if turns[i] & k.OVER or scores[i] == 1 - k.WON:
                add_root(run, symmetries, -1, turns[i] & k.TURN_BITS, scores[i])
            else:
                add_root(run, symmetries, keys[i], turns[i], 0)
    sort_roots(run, 0)


@kernel
def sort_roots(run: SearchArrays, depth: int) -> None:
    """Sorts the roots of a depth by falling scores; equal ones, and after them all others, keep their order."""
    roots = run.roots
    for last in range(1, run.control.roots):
        i = last
        while i and rank_of(roots, i - 1, depth) < rank_of(roots, i, depth):
            for row in range(k.ROOT_ROWS):
                roots[row, i - 1], roots[row, i] = roots[row, i], roots[row, i - 1]
            i -= 1


@kernel
def rank_of(roots: Rows[Int64s], root: int, depth: int) -> int:
    return roots[k.ROOT_SCORE, root] if roots[k.ROOT_DEPTH, root] == depth else -k.WON


@kernel
def is_decided(run: SearchArrays) -> bool:
    """Whether a deeper search cannot change the best turn's result."""
    going = 0
    for i in range(run.control.roots):
        going += run.roots[k.ROOT_KEY, i] >= 0
    return going == 0 or run.control.roots == 1 or abs(run.roots[k.ROOT_SCORE, 0]) > k.PROVED


@kernel
def search_root(run: SearchArrays, marbles: int, root: int, depth: int, alpha: int) -> int:
    """The score of a root; unless it is the first, by null windows, and if it is late and bad, less deep."""
    key, static = run.roots[k.ROOT_KEY, root], run.roots[k.ROOT_STATIC, root]
    if depth == 1:
        return -score_board(run, key, marbles + 1)
    less = 1 if depth > 3 and root >= k.FULL_DEPTH_MOVES and alpha > -k.WON else 0
    high = k.WON if alpha == -k.WON else alpha + 1
    while True:
        score = -search(key, marbles + 1, 1, depth - less - 1, -high, -alpha, 0, -static, run)
        if run.control.stop or score <= alpha:
            return score
        if less:
            less = 0
        elif high < k.WON:
            high = k.WON
        else:
            return score


@kernel
def search_roots(run: SearchArrays, marbles: int, depth: int, lines: int) -> bool:
    """Searches all roots to a depth, the best `lines` with exact scores; after a stop, the scores so far are kept."""
    roots, best, control = run.roots, run.best, run.control
    lines = min(lines, control.roots)
    for i in range(lines):
        best[i] = -k.WON
    for root in range(control.roots):
        if abs(roots[k.ROOT_SCORE, root]) < k.PROVED and roots[k.ROOT_KEY, root] >= 0:
            score = search_root(run, marbles, root, depth, best[lines - 1])
            if should_stop(control):
                break
            roots[k.ROOT_SCORE, root] = score
            if depth == 1:
                roots[k.ROOT_STATIC, root] = score
        roots[k.ROOT_DEPTH, root] = depth
        score, place = roots[k.ROOT_SCORE, root], lines - 1
        if score > best[place]:
            while place and best[place - 1] < score:
                best[place] = best[place - 1]
                place -= 1
            best[place] = score
    sort_roots(run, depth)
    if not control.stop:
        control.depth = depth
    return control.stop == 0


@kernel
def deepen(run: SearchArrays, marbles: int, depth: int, lines: int) -> None:
    """Searches one turn ahead, then two, and so on, until a stop or a decided result."""
    while run.control.depth < min(depth, k.SPACES - marbles):
        if run.control.depth and is_decided(run):
            return
        if not search_roots(run, marbles, run.control.depth + 1, lines):
            return


@kernel
def pick(run: SearchArrays, among: int, noise: float, normal: Float64s) -> int:
    """The best of the first roots by scores with noise, from random numbers of the standard normal distribution."""
    best, most = 0, 0.0
    for root in range(min(among, run.control.roots)):
        score = run.roots[k.ROOT_SCORE, root] + noise * normal[root]
        if root == 0 or score > most:
            best, most = root, score
    return best


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def score_board(run: SearchArrays, key: int, marbles: int) -> int:
    """The score of a board for the player to move: a win at once, or the evaluation."""
    board = run.boards[0]
    unpack(key, board)
    if can_win(board[0], board[1], board[2], board[3], run.control.placement, run.rules):
        return k.WON - 2
    return evaluate(board, marbles, run.net, run.parts, run.units)


@kernel
def list_results(run: SearchArrays, key: int) -> int:
    """Lists the keys after each turn, with a turn for each, in the first rows of `lists`; returns their number."""
    unpack(key, run.boards[0])
    return results(run.boards[0], run.rules, run.lists[0, 0], run.lists[0, 1], run.lists[0, 3])


@kernel
def find_best_turn(run: SearchArrays, key: int) -> int:
    """The best turn of a board in the transposition table, or -1."""
    return best_turn(run.table, key)


NATIVE = {
    "fill_tables": fill_tables,
    "fill_rows": fill_rows,
    "fill_heads": fill_heads,
    "list_roots": list_roots,
    "is_decided": is_decided,
    "deepen": deepen,
    "pick": pick,
    "score": score_board,
    "results": list_results,
    "best_turn": find_best_turn,
}
