"""Alpha-beta search kernels over whole turns, with immediate wins, move ordering, killers and a transposition table.

Each level of the search has rows for its children's keys, turns and scores, and for its killer turns. A score is the
mover's: a proved win is `WON` minus the turns to the end, a proved loss the negative, a draw 0.

This search is Pentago's own, not that of `search.kernels`: it evaluates all children of a board by differences of sums,
which takes 0.12 µs for each; from the child's board alone it takes 0.20 µs (`benchmarks/search_layer.py`).
"""

from __future__ import annotations

import math

from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.board_kernels import (
    MIX,
    RULES_TYPE,
    Ints,
    Rules,
    add_results,
    can_win,
    clear,
    fill_tables,
    fives,
    results,
    unpack,
)
from pentad.games.pentago.engine.net_kernels import (
    NET_TYPE,
    Net,
    Shorts,
    Words,
    evaluate,
    fill_heads,
    fill_rows,
    score_of,
)
from pentad.kernels.compiler import kernel
from pentad.kernels.numbers import NDArray, np
from pentad.kernels.polling import is_stopped

Table = NDArray[np.int64]

LOGS = np.array([0, *(round(64 * math.log(i)) for i in range(1, k.MOST_TURNS + 1))], dtype=np.int64)
SIGNATURE = (
    f"int64(int64, int64, int64, int64, int64, int64, int64, int64, int64[:,::1], int64[:,:,::1], int64[:,::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], int16[::1])"
)


@kernel(f"void(int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1])")
def sums(board: Ints, rules: Rules, net: Net, parts: NDArray[np.int16]) -> None:
    """Sums of rows of a board seen by the opponent: without each sub-board, and the change by each twist."""
    turn, exchange, rows = rules[1], rules[2], net[0]
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


@kernel(
    f"int64(int64[::1], int64, int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], int16[::1])"
)
def expand(
    board: Ints, marbles: int, level: int, enough: int, keys: Ints, turns: Ints, scores: Ints, room: Ints, child: Ints,
    control: Ints, rules: Rules, net: Net, parts: NDArray[np.int16], units: Shorts,
) -> int:  # fmt: skip
    """Lists the children of a board without an immediate win, with scores for its mover; returns their number.

    Stops after a score of `enough`, which is then the last. The turn of a child with a finished game has `OVER`.
    """
    clear(room)
    sums(board, rules, net, parts)
    rows, exchange, powers = net[0], rules[2], rules[3]
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
            elif can_win(child[0], child[1], child[2], child[3], control[k.PLACEMENT], rules):
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
                control[k.EVALUATED] += 1
            scores[i] = score
            if score >= enough:
                return i + 1
    return count


@kernel("int64(int64[::1], int64)")
def take_best(ranks: Ints, count: int) -> int:
    """The place of the highest rank, which is then the lowest."""
    best = ranks[0]
    for i in range(1, count):
        best = max(best, ranks[i])
    place = k.PLACE_BITS - (best & k.PLACE_BITS)
    ranks[place] = k.TAKEN
    return int(place)


@kernel("void(int64[::1], int64, int64)")
def store_killer(killers: Ints, last: int, turn: int) -> None:
    """Puts a killer turn first; those before place `last` move down by one."""
    for rank in range(last, 0, -1):
        killers[rank] = killers[rank - 1]
    killers[0] = turn


@kernel(
    f"int64(int64[::1], int64, int64, int64[::1], int64[::1], int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1],"
    f" int16[::1])"
)
def try_killers(
    board: Ints, marbles: int, beta: int, killers: Ints, child: Ints, control: Ints, rules: Rules, net: Net,
    parts: NDArray[np.int16], units: Shorts,
) -> int:  # fmt: skip
    """Tries the killer turns; returns the first score of at least `beta`, or -`WON`."""
    turn, exchange, powers = rules[1], rules[2], rules[3]
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
        if can_win(child[0], child[1], child[2], child[3], control[k.PLACEMENT], rules):
            continue
        control[k.EVALUATED] += 1
        score = -evaluate(child, marbles + 1, net, parts, units)
        if score >= beta:
            store_killer(killers, rank, killers[rank])
            return score
    return -k.WON


@kernel("int64(int64, int64)")
def slot_of(key: int, slots: int) -> int:
    """The first slot of a board's bucket in the transposition table."""
    mixed = key * MIX
    mixed = (mixed ^ ((mixed >> 32) & 0xFFFFFFFF)) * MIX  # every sub-board affects the slot
    return ((mixed >> 24) & 0xFFFFFFFFFF) % (slots // 2) * 2


@kernel("int64(int64[:,::1], int64)")
def probe(table: Table, key: int) -> int:
    """The entry of a board in the transposition table, or 0."""
    slot = slot_of(key, len(table))
    if table[slot, 0] == key:
        return int(table[slot, 1])
    return int(table[slot + 1, 1]) if table[slot + 1, 0] == key else 0


@kernel("int64(int64[:,::1], int64)")
def best_turn(table: Table, key: int) -> int:
    """The best turn of a board in the transposition table, or -1."""
    entry = probe(table, key)
    return entry >> k.TURN_AT & k.TURN_BITS if entry else -1


@kernel("void(int64[:,::1], int64, int64, int64, int64, int64, int64)")
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


@kernel(SIGNATURE)
def search(
    key: int, marbles: int, level: int, depth: int, alpha: int, beta: int, forced: int, static: int, boards: Table,
    lists: NDArray[np.int64], table: Table, control: Ints, rules: Rules, net: Net, parts: NDArray[np.int16],
    units: Shorts,
) -> int:  # fmt: skip
    """The score of a board without five in a row, by a search of at least one turn; `static` is its evaluation.

    A search that reaches full boards prunes nothing. A board counts as lost only after all turns were tried.
    """
    board, child = boards[level], boards[level + 1]
    unpack(key, board)
    control[k.VISITED] += 1
    if can_win(board[0], board[1], board[2], board[3], control[k.PLACEMENT], rules):
        return k.WON - level - 1
    alpha, beta = max(alpha, level + 2 - k.WON), min(beta, k.WON - level - 3)
    if alpha >= beta:
        return alpha
    entry = probe(table, key)
    first = -1
    if entry:
        first = entry >> k.TURN_AT & k.TURN_BITS
        stored, bound = (entry >> k.SCORE_AT) - k.WON, entry & 3
        if stored > k.PROVED:
            stored -= level
        elif stored < -k.PROVED:
            stored += level
        is_deep = entry >> k.DEPTH_AT & k.DEPTH_BITS >= depth or abs(stored) > k.PROVED
        if is_deep and (
            bound == k.EXACT or (bound == k.AT_LEAST and stored >= beta) or (bound == k.AT_MOST and stored <= alpha)
        ):
            return int(stored)
        if abs(stored) < k.PROVED and (
            bound == k.EXACT or (stored > static if bound == k.AT_LEAST else stored < static)
        ):
            static = stored
    selective = control[k.SELECTIVE] and depth < k.SPACES - marbles
    is_open = beta - alpha > 1
    if selective and not is_open and abs(alpha) < k.PROVED and abs(beta) < k.PROVED:
        if depth <= k.REVERSE_DEPTH and static - k.REVERSE - k.REVERSE_STEP * depth >= beta:
            turned = rules[2]  # the opponent must not threaten to win
            x0, x1, x2, x3 = turned[board[0]], turned[board[1]], turned[board[2]], turned[board[3]]
            if can_win(x0, x1, x2, x3, control[k.PLACEMENT], rules) == 0:
                return static
        if depth <= k.RAZOR_DEPTH and static + k.RAZOR + k.RAZOR_STEP * depth <= alpha:
            return static
    if selective and first < 0 and depth >= k.UNORDERED_DEPTH:
        depth -= 1  # a shallower search first finds the turn to begin with
    keys, turns, scores, killers = lists[level, 0], lists[level, 1], lists[level, 2], lists[level, 4]
    if depth == 1:
        score = try_killers(board, marbles, beta, killers, child, control, rules, net, parts, units)
        if score >= beta:
            return score
    enough = beta if depth == 1 else k.WON - level - 1
    count = expand(
        board, marbles, level, enough, keys, turns, scores, lists[level, 3], child, control, rules, net, parts, units
    )
    best, best_turn, began = -k.WON, -1, alpha
    if depth == 1 and scores[count - 1] >= beta and turns[count - 1] < k.OVER:
        store_killer(killers, k.KILLERS - 1, turns[count - 1])
    safe = 0
    for i in range(count):
        safe += scores[i] > -k.PROVED
        if scores[i] > best:
            best, best_turn = scores[i], turns[i]
    if safe <= k.FORCED and forced < control[k.EXTENDED] and (depth > 1 or best < beta):
        depth += 1
        forced += 1
    if depth > 1 and -k.PROVED < best < k.PROVED and marbles + 1 < k.SPACES:
        best = -k.WON
        ranks = lists[level, 5]
        for i in range(count):
            rank = k.PROVED if turns[i] == first and scores[i] > -k.PROVED else scores[i]
            ranks[i] = (rank << k.RANK_AT) + k.PLACE_BITS - i
        for number in range(count):
            place = take_best(ranks, count)
            guess, turn = scores[place], turns[place]
            if number >= control[k.BROAD] and best > -k.PROVED:
                break
            if guess <= -k.PROVED:  # all others lose immediately
                if best == -k.WON:
                    best, best_turn = guess, turn
                break
            if turn & k.OVER:
                found = int(np.int64(0))
            else:
                less, high = 0, beta
                if number > 0:
                    high = alpha + 1
                    if selective and best > -k.PROVED:
                        if depth <= k.FUTILE_DEPTH and guess + k.FUTILE <= alpha:
                            break
                        less = LOGS[depth] * LOGS[number] * k.REDUCTION >> 16
                        less = max(0, less - is_open)
                    elif not control[k.SELECTIVE] and depth > 2 and number >= 6:
                        less = 1 if number < 30 or depth < 4 else 2
                rest = depth - 1
                now = rest - less
                if now <= 0:
                    if guess <= alpha:  # nor are those after it better, or reduced less
                        best = max(best, guess)
                        break
                    now = 1
                while True:  # again where a reduced depth or a null window gave only a bound
                    found = -search(
                        keys[place], marbles + 1, level + 1, now, -high, -alpha, forced, -guess,
                        boards, lists, table, control, rules, net, parts, units,
                    )  # fmt: skip
                    if found > alpha and now < rest:
                        now = rest
                    elif alpha < found < beta and high < beta:
                        high = beta
                    else:
                        break
            if is_stopped(control):
                return best
            if found > best:
                best, best_turn = found, turn
                alpha = max(alpha, best)
                if best >= beta:
                    break
    bound = k.AT_LEAST if best >= beta else k.AT_MOST if best <= began else k.EXACT
    stored = best + level if best > k.PROVED else best - level if best < -k.PROVED else best
    store(table, key, best_turn & k.TURN_BITS, bound, depth, stored, control[k.GENERATION])
    return best


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def search_board(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints,
    rows: Shorts, layer: Shorts, heads: Words, direct: Shorts, boards: Table, lists: NDArray[np.int64], table: Table,
    control: Ints, parts: NDArray[np.int16], units: Shorts, key: int, marbles: int, level: int, depth: int, alpha: int,
    beta: int, static: int,
) -> int:  # fmt: skip
    """The score of a board, searched to a depth; `static` is its evaluation."""
    rules, net = (lines, turn, exchange, powers), (rows, layer, heads, direct)
    return search(
        key, marbles, level, depth, alpha, beta, 0, static, boards, lists, table, control, rules, net, parts, units
    )


@kernel
def score_board(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints,
    rows: Shorts, layer: Shorts, heads: Words, direct: Shorts, boards: Table, control: Ints, parts: NDArray[np.int16],
    units: Shorts, key: int, marbles: int,
) -> int:  # fmt: skip
    """The score of a board for the player to move: a win at once, or the evaluation."""
    board = boards[0]
    unpack(key, board)
    if can_win(board[0], board[1], board[2], board[3], control[k.PLACEMENT], (lines, turn, exchange, powers)):
        return k.WON - 2
    return evaluate(board, marbles, (rows, layer, heads, direct), parts, units)


@kernel
def list_results(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints, boards: Table,
    keys: Ints, turns: Ints, room: Ints, key: int,
) -> int:  # fmt: skip
    """Lists the keys after each turn, with a turn for each; returns their number."""
    unpack(key, boards[0])
    return results(boards[0], (lines, turn, exchange, powers), keys, turns, room)


@kernel
def list_roots(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints,
    images: NDArray[np.int16], corners: Ints, rows: Shorts, layer: Shorts, heads: Words, direct: Shorts, boards: Table,
    lists: NDArray[np.int64], control: Ints, parts: NDArray[np.int16], units: Shorts, key: int, marbles: int,
) -> int:  # fmt: skip
    """Lists the children of a board in the first rows of `lists`, one of each symmetric ones; -1 if a turn wins.

    They are as `expand` lists them.
    """
    rules, net = (lines, turn, exchange, powers), (rows, layer, heads, direct)
    board, keys, turns, scores, canonical = boards[0], lists[0, 0], lists[0, 1], lists[0, 2], lists[0, 5]
    unpack(key, board)
    if can_win(board[0], board[1], board[2], board[3], control[k.PLACEMENT], rules):
        return -1
    count = expand(
        board, marbles, 0, k.WON, keys, turns, scores, lists[0, 3], boards[1], control, rules, net, parts, units
    )
    kept = 0
    for i in range(count):
        unpack(keys[i], board)
        least = np.int64(-1)
        for g in range(k.SYMMETRIES):
            image = np.int64(0)
            for q in range(4):
                image |= np.int64(images[g, board[q]]) << (k.BITS * corners[g, q])
            if least < 0 or image < least:
                least = image
        j = 0
        while j < kept and canonical[j] != least:
            j += 1
        if j == kept:
            keys[kept], turns[kept], scores[kept], canonical[kept] = keys[i], turns[i], scores[i], least
            kept += 1
    return kept


_RULES = f"uint32[,{k.PATTERNS},{k.SETS}] int16[,{k.PATTERNS}] int16[] int64[]"
_IMAGES = f"int16[,{k.PATTERNS}] int64[,4]"
_INTEGERS = f"int16[,{2 * k.DEEP}] int32[,{k.WHOLE_HEAD}] int16[,{k.WIDTH}]"
_NET = f"int16[,{k.PATTERNS},{k.ROW}] {_INTEGERS}"
_LISTS = f"int64[,{k.LISTS},{k.ROOM}]"
_TABLES = f"uint32[,{k.PATTERNS},{k.SETS}] int16[,{k.PATTERNS}] int16[] int16[,{k.PATTERNS}]"
_STORED = f"int8[,{k.PATTERNS},{k.WIDTH}] float32[] int16[,{k.PATTERNS}] int64[,4]"
NATIVE = {
    "fill_tables": (fill_tables, f"int64[,{k.CELLS}] uint64[] int64[,{k.CELLS}] int64[] {_TABLES} int64[]"),
    "fill_rows": (fill_rows, f"{_STORED} int16[,{k.LEVELS_OF_UNIT}] int16[,{k.PATTERNS},{k.ROW}]"),
    "fill_heads": (fill_heads, f"float32[,{k.DEEP}] float32[,{k.HEAD}] {_INTEGERS}"),
    "search": (
        search_board,
        f"{_RULES} {_NET} int64[,4] {_LISTS} int64[,{k.ENTRY}] int64[] int16[,{k.ROW}] int16[] {'int64 ' * 7}",
    ),
    "score": (score_board, f"{_RULES} {_NET} int64[,4] int64[] int16[,{k.ROW}] int16[] int64 int64"),
    "roots": (
        list_roots,
        f"{_RULES} {_IMAGES} {_NET} int64[,4] {_LISTS} int64[] int16[,{k.ROW}] int16[] int64 int64",
    ),
    "results": (list_results, f"{_RULES} int64[,4] int64[] int64[] int64[] int64"),
    "best_turn": (best_turn, f"int64[,{k.ENTRY}] int64"),
}
