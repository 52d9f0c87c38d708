"""Alpha-beta search kernels over whole turns, with immediate wins, move ordering, killers and a transposition table.

Each level of the search has rows for its children's keys, turns and scores, and for its killer turns. A score is the
mover's: a proved win is `WON` minus the turns to the end, a proved loss the negative, a draw 0.

This search is Pentago's own, not that of `search.kernels`: it evaluates all children of a board by differences of sums,
which takes 0.22 µs for each; from the child's board alone it takes 0.31 µs (`benchmarks/search_layer.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.jit.polling import is_stopped
from pentad.pentago.engine import constants as k
from pentad.pentago.engine.board_kernels import (
    MIX,
    RULES_TYPE,
    Ints,
    Rules,
    can_win,
    fill_rows,
    fill_tables,
    fives,
    results,
    unpack,
)
from pentad.pentago.engine.net_kernels import NET_TYPE, Floats, Net, evaluate, score_of

Table = NDArray[np.int64]

SIGNATURE = (
    f"int64(int64, int64, int64, int64, int64, int64, int64, int64[:,::1], int64[:,:,::1], int64[:,::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], float32[::1])"
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
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], float32[::1])"
)
def expand(
    board: Ints, marbles: int, level: int, enough: int, keys: Ints, turns: Ints, scores: Ints, room: Ints, child: Ints,
    control: Ints, rules: Rules, net: Net, parts: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """Lists the children of a board without an immediate win, with scores for its mover; returns their number.

    Stops after a score of `enough`, which is then the last. The turn of a child with a finished game has `OVER`.
    """
    count = results(board, rules, keys, turns, room)
    sums(board, rules, net, parts)
    rows, exchange, powers = net[0], rules[2], rules[3]
    placed, units, last = parts[k.PLACED], parts[k.UNITS], -1  # `placed` belongs to the cell `last`
    for i in range(count):
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
            q = cell // 9
            if twist // 2 == q:
                score = -score_of(parts[q], rows[q, child[q]], marbles + 1, net, units, deep)
            else:
                if cell != last:
                    mine, rest = rows[q, exchange[board[q] + powers[cell % 9]]], parts[q]
                    for j in range(k.ROW):
                        placed[j] = rest[j] + mine[j]
                    last = cell
                score = -score_of(placed, parts[4 + twist], marbles + 1, net, units, deep)
            control[k.EVALUATED] += 1
        scores[i] = score
        if score >= enough:
            return i + 1
    return count


@kernel("void(int64, int64, int64[::1], int64[::1], int64[::1])")
def select_best(rank: int, count: int, keys: Ints, turns: Ints, scores: Ints) -> None:
    """Swaps the child at a rank with the best child from there on."""
    top = rank
    for i in range(rank + 1, count):
        if scores[i] > scores[top]:
            top = i
    if top != rank:
        keys[rank], keys[top] = keys[top], keys[rank]
        turns[rank], turns[top] = turns[top], turns[rank]
        scores[rank], scores[top] = scores[top], scores[rank]


@kernel("void(int64[::1], int64, int64)")
def store_killer(killers: Ints, last: int, turn: int) -> None:
    """Puts a killer turn first; those before place `last` move down by one."""
    for rank in range(last, 0, -1):
        killers[rank] = killers[rank - 1]
    killers[0] = turn


@kernel(
    f"int64(int64[::1], int64, int64, int64[::1], int64[::1], int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1],"
    f" float32[::1])"
)
def try_killers(
    board: Ints, marbles: int, beta: int, killers: Ints, child: Ints, control: Ints, rules: Rules, net: Net,
    parts: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """Tries the killer turns; returns the first score of at least `beta`, or -`WON`."""
    turn, exchange, powers, rows = rules[1], rules[2], rules[3], net[0]
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
        one, other = parts[0], parts[1]
        r0, r1, r2, r3 = rows[0, child[0]], rows[1, child[1]], rows[2, child[2]], rows[3, child[3]]
        for j in range(k.ROW):
            one[j] = r0[j] + r1[j]
            other[j] = r2[j] + r3[j]
        control[k.EVALUATED] += 1
        score = -score_of(one, other, marbles + 1, net, parts[k.UNITS], deep)
        if score >= beta:
            store_killer(killers, rank, killers[rank])
            return score
    return -k.WON


@kernel("int64(int64, int64)")
def slot_of(key: int, slots: int) -> int:
    """The slot of a board in the transposition table."""
    mixed = key * MIX
    mixed = (mixed ^ ((mixed >> 32) & 0xFFFFFFFF)) * MIX  # every sub-board affects the slot
    return ((mixed >> 24) & 0xFFFFFFFFFF) % slots


@kernel("int64(int64[:,::1], int64)")
def probe(table: Table, key: int) -> int:
    """The board after the best turn in the transposition table, or -1."""
    slot = slot_of(key, len(table))
    return int(table[slot, k.BEST]) if table[slot, k.KEY] == key else -1


@kernel(SIGNATURE)
def search(
    key: int, marbles: int, level: int, depth: int, alpha: int, beta: int, forced: int, boards: Table,
    lists: NDArray[np.int64], table: Table, control: Ints, rules: Rules, net: Net, parts: NDArray[np.int16],
    deep: Floats,
) -> int:  # fmt: skip
    """The score of a board without five in a row, by a search of at least one turn."""
    board = boards[level]
    unpack(key, board)
    control[k.VISITED] += 1
    if can_win(board[0], board[1], board[2], board[3], control[k.PLACEMENT], rules):
        return k.WON - level - 1
    slot = slot_of(key, len(table))
    first = -1
    if table[slot, k.KEY] == key:
        first = table[slot, k.BEST]
        score, kind = table[slot, k.SCORE], table[slot, k.KIND]
        if score > k.PROVED:
            score -= level
        elif score < -k.PROVED:
            score += level
        if kind >> 2 >= depth or abs(score) > k.PROVED:
            bound = kind & 3
            if bound == k.EXACT or (bound == k.AT_LEAST and score >= beta) or (bound == k.AT_MOST and score <= alpha):
                return int(score)
    keys, turns, scores = lists[level, 0], lists[level, 1], lists[level, 2]
    if depth == 1:
        score = try_killers(board, marbles, beta, lists[level, 4], boards[level + 1], control, rules, net, parts, deep)
        if score >= beta:
            return score
    enough = beta if depth == 1 else k.WON - level - 1
    count = expand(
        board, marbles, level, enough, keys, turns, scores, lists[level, 3], boards[level + 1], control, rules, net,
        parts, deep,
    )  # fmt: skip
    best, best_key, began = -k.WON, -1, alpha
    if depth == 1 and scores[count - 1] >= beta and turns[count - 1] < k.OVER:
        store_killer(lists[level, 4], k.KILLERS - 1, turns[count - 1])
    safe = 0
    for i in range(count):
        safe += scores[i] > -k.PROVED
        if scores[i] > best:
            best, best_key = scores[i], keys[i]
    if safe <= k.FORCED and forced < control[k.EXTENDED] and (depth > 1 or best < beta):
        depth += 1
        forced += 1
    if depth > 1 and -k.PROVED < best < k.PROVED and marbles + 1 < k.SPACES:
        best = -k.WON
        if first >= 0:
            for i in range(count):
                if keys[i] == first:
                    scores[i] = max(scores[i], k.PROVED - 1) if scores[i] > -k.PROVED else scores[i]
        for rank in range(count):
            select_best(rank, count, keys, turns, scores)
            found = scores[rank]
            if rank >= control[k.BROAD] and best > -k.PROVED:
                break
            if found <= -k.PROVED:  # all others lose immediately
                if best == -k.WON:
                    best, best_key = found, keys[rank]
                break
            if turns[rank] & k.OVER:
                found = 0
            elif rank == 0:
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                    boards, lists, table, control, rules, net, parts, deep,
                )  # fmt: skip
            else:
                less = 0
                if depth > 2 and rank >= 6:
                    less = 1 if rank < 30 or depth < 4 else 2
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1 - less, -alpha - 1, -alpha, forced,
                    boards, lists, table, control, rules, net, parts, deep,
                )  # fmt: skip
                if found > alpha and less:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -alpha - 1, -alpha, forced,
                        boards, lists, table, control, rules, net, parts, deep,
                    )  # fmt: skip
                if alpha < found < beta:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                        boards, lists, table, control, rules, net, parts, deep,
                    )  # fmt: skip
            if is_stopped(control):
                return best
            if found > best:
                best, best_key = found, keys[rank]
                alpha = max(alpha, best)
                if best >= beta:
                    break
    table[slot, k.KEY], table[slot, k.BEST] = key, best_key
    table[slot, k.SCORE] = best + level if best > k.PROVED else best - level if best < -k.PROVED else best
    table[slot, k.KIND] = 4 * depth + (k.AT_LEAST if best >= beta else k.AT_MOST if best <= began else k.EXACT)
    return best


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def search_board(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints,
    rows: NDArray[np.int16], layer: Floats, heads: Floats, boards: Table, lists: NDArray[np.int64], table: Table,
    control: Ints, parts: NDArray[np.int16], deep: Floats, key: int, marbles: int, level: int, depth: int, alpha: int,
    beta: int,
) -> int:  # fmt: skip
    """The score of a board, searched to a depth."""
    rules, net = (lines, turn, exchange, powers), (rows, layer, heads)
    return search(key, marbles, level, depth, alpha, beta, 0, boards, lists, table, control, rules, net, parts, deep)


@kernel
def score_board(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints,
    rows: NDArray[np.int16], layer: Floats, heads: Floats, boards: Table, control: Ints, parts: NDArray[np.int16],
    deep: Floats, key: int, marbles: int,
) -> int:  # fmt: skip
    """The score of a board for the player to move: a win at once, or the evaluation."""
    board = boards[0]
    unpack(key, board)
    if can_win(board[0], board[1], board[2], board[3], control[k.PLACEMENT], (lines, turn, exchange, powers)):
        return k.WON - 2
    return evaluate(board, marbles, (rows, layer, heads), parts, deep)


@kernel
def list_results(
    lines: NDArray[np.uint32], turn: NDArray[np.int16], exchange: NDArray[np.int16], powers: Ints, boards: Table,
    keys: Ints, turns: Ints, room: Ints, key: int,
) -> int:  # fmt: skip
    """Lists the keys after each turn, with a turn for each; returns their number."""
    unpack(key, boards[0])
    return results(boards[0], (lines, turn, exchange, powers), keys, turns, room)


_RULES = f"uint32[,{k.PATTERNS},4] int16[,{k.PATTERNS}] int16[] int64[]"
_NET = f"int16[,{k.PATTERNS},{k.ROW}] float32[,{k.DEEP}] float32[,{k.HEAD}]"
_LISTS = f"int64[,{k.LISTS},{k.ROOM}]"
_TABLES = f"uint32[,{k.PATTERNS},4] int16[,{k.PATTERNS}] int16[] int16[,{k.PATTERNS}]"
NATIVE = {
    "fill_tables": (fill_tables, f"int64[,{k.CELLS}] uint64[] int64[,{k.CELLS}] {_TABLES} int64[]"),
    "fill_rows": (
        fill_rows,
        f"int8[,{k.PATTERNS},{k.WIDTH}] float32[] int16[,{k.PATTERNS}] int64[,4] int16[,{k.PATTERNS},{k.ROW}]",
    ),
    "search": (
        search_board,
        f"{_RULES} {_NET} int64[,4] {_LISTS} int64[,{k.ENTRY}] int64[] int16[,{k.ROW}] float32[] {'int64 ' * 6}",
    ),
    "score": (score_board, f"{_RULES} {_NET} int64[,4] int64[] int16[,{k.ROW}] float32[] int64 int64"),
    "results": (list_results, f"{_RULES} int64[,4] int64[] int64[] int64[] int64"),
    "probe": (probe, f"int64[,{k.ENTRY}] int64"),
}
