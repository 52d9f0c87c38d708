"""Alpha-beta over whole turns: quick tests of what wins at once, children in the evaluation's order, a memory.

A level of the search has its children's keys, turns and scores in rows of its own, and the turns that were too good
there lately. A score is the mover's: what is
proved is `WON` less the turns to the end, or its negative; a draw is 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pentago.engine.kernels import (
    MIX,
    MOST_TURNS,
    ROOM,
    RULES,
    RULES_TYPE,
    SPACES,
    Ints,
    Rules,
    can_win,
    fives,
    pack,
    results,
    unpack,
)
from pentad.pentago.engine.net_kernels import (
    BUCKETS,
    DEEP,
    HEAD,
    LAYERS,
    NET_TYPE,
    ROW,
    WIDTH,
    Floats,
    Net,
    net_of,
    score_of,
)

LEVELS = SPACES + 2
WON, PROVED = 1_000_000, 900_000
# In `told`: the flag that stops, positions looked at and evaluated, whether five before the twist win, and how
# often in a line a turn with few ways to go on is looked at further; how many turns of a board are looked at.
STOP, VISITED, EVALUATED, PLACEMENT, EXTENDED, BROAD, TOLD = 0, 1, 2, 3, 4, 5, 8
KEY, SCORE, KIND, BEST, MEMORY = 0, 1, 2, 3, 4  # of what is remembered; the kind is 4 * depth + bound
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
OVER = 1 << 20
PLACED, UNITS, PARTS = 12, 13, 14  # rows in which sums of the net's rows are kept
KILLERS = 4  # turns that are tried before all are looked at
FORCED = 4  # so few ways not to lose at once are looked at a turn further
MOST_FORCED = 6  # times in a line, where nobody says otherwise
Table = NDArray[np.int64]

SIGNATURE = (
    f"int64(int64, int64, int64, int64, int64, int64, int64, int64[:,::1], int64[:,:,::1], int64[:,::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], float32[::1])"
)


@kernel(f"void(int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1])")
def sums(board: Ints, rules: Rules, net: Net, parts: NDArray[np.int16]) -> None:
    """What the other player will see of a board, as sums of rows: all but one sub-board, and what each twist adds."""
    turn, exchange, rows = rules[1], rules[2], net[0]
    x0, x1, x2, x3 = exchange[board[0]], exchange[board[1]], exchange[board[2]], exchange[board[3]]
    r0, r1, r2, r3 = rows[0, x0], rows[1, x1], rows[2, x2], rows[3, x3]
    for j in range(ROW):
        parts[0, j] = r1[j] + r2[j] + r3[j]
        parts[1, j] = r0[j] + r2[j] + r3[j]
        parts[2, j] = r0[j] + r1[j] + r3[j]
        parts[3, j] = r0[j] + r1[j] + r2[j]
    for q in range(4):
        x = exchange[board[q]]
        before = rows[q, x]
        for d in range(2):
            after, change = rows[q, turn[d, x]], parts[4 + 2 * q + d]
            for j in range(ROW):
                change[j] = after[j] - before[j]


@kernel(
    f"int64(int64[::1], int64, int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1], float32[::1])"
)
def look(
    board: Ints, marbles: int, level: int, enough: int, keys: Ints, turns: Ints, scores: Ints, room: Ints, child: Ints,
    told: Ints, rules: Rules, net: Net, parts: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """The children of a board that cannot win at once, scored for its mover by a first look; how many there are.

    Ends after a score of `enough`, which is then the last one. The turn of a child where the game is over has `OVER`.
    """
    count = results(board, rules, keys, turns, room)
    sums(board, rules, net, parts)
    rows, exchange, powers = net[0], rules[2], rules[3]
    placed, units, last = parts[PLACED], parts[UNITS], -1  # `placed` is for the cell of the turn before
    for i in range(count):
        unpack(keys[i], child)
        ended = fives(child, rules)
        if ended == 3 or (ended == 0 and marbles + 1 == SPACES):
            score = 0
            turns[i] |= OVER
        elif ended:
            score = WON - level - 1 if ended == 2 else -WON + level + 1
        elif can_win(child[0], child[1], child[2], child[3], told[PLACEMENT], rules):
            score = -WON + level + 2
        else:
            cell, twist = turns[i] // 9, turns[i] % 9 - 1
            q = cell // 9
            if twist // 2 == q:
                score = -score_of(parts[q], rows[q, child[q]], marbles + 1, net, units, deep)
            else:
                if cell != last:
                    mine, rest = rows[q, exchange[board[q] + powers[cell % 9]]], parts[q]
                    for j in range(ROW):
                        placed[j] = rest[j] + mine[j]
                    last = cell
                score = -score_of(placed, parts[4 + twist], marbles + 1, net, units, deep)
            told[EVALUATED] += 1
        scores[i] = score
        if score >= enough:
            return i + 1
    return count


@kernel("void(int64, int64, int64[::1], int64[::1], int64[::1])")
def bring_best(rank: int, count: int, keys: Ints, turns: Ints, scores: Ints) -> None:
    """Exchange the child at a rank with the best of those behind it."""
    top = rank
    for i in range(rank + 1, count):
        if scores[i] > scores[top]:
            top = i
    if top != rank:
        keys[rank], keys[top] = keys[top], keys[rank]
        turns[rank], turns[top] = turns[top], turns[rank]
        scores[rank], scores[top] = scores[top], scores[rank]


@kernel("void(int64[::1], int64, int64)")
def remember_killer(killers: Ints, last: int, turn: int) -> None:
    """Put a turn first; those before place `last` move on by one."""
    for rank in range(last, 0, -1):
        killers[rank] = killers[rank - 1]
    killers[0] = turn


@kernel(
    f"int64(int64[::1], int64, int64, int64[::1], int64[::1], int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[:,::1],"
    f" float32[::1])"
)
def refuted(
    board: Ints, marbles: int, beta: int, killers: Ints, child: Ints, told: Ints, rules: Rules, net: Net,
    parts: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """The score of a turn that was too good elsewhere and is so here, at least `beta`; or -`WON`. It is tried first."""
    turn, exchange, powers, rows = rules[1], rules[2], rules[3], net[0]
    for rank in range(KILLERS):
        cell, twist = killers[rank] // 9, killers[rank] % 9 - 1
        if twist < 0 or board[cell // 9] // powers[cell % 9] % 3:
            continue
        for q in range(4):
            child[q] = board[q]
        child[cell // 9] += powers[cell % 9]
        child[twist // 2] = turn[twist % 2, child[twist // 2]]
        for q in range(4):
            child[q] = exchange[child[q]]
        if fives(child, rules) or marbles + 1 == SPACES:
            continue
        if can_win(child[0], child[1], child[2], child[3], told[PLACEMENT], rules):
            continue
        one, other = parts[0], parts[1]
        r0, r1, r2, r3 = rows[0, child[0]], rows[1, child[1]], rows[2, child[2]], rows[3, child[3]]
        for j in range(ROW):
            one[j] = r0[j] + r1[j]
            other[j] = r2[j] + r3[j]
        told[EVALUATED] += 1
        score = -score_of(one, other, marbles + 1, net, parts[UNITS], deep)
        if score >= beta:
            remember_killer(killers, rank, killers[rank])
            return score
    return -WON


@kernel("int64(int64, int64)")
def place_of(key: int, slots: int) -> int:
    """Where in the memory a board belongs."""
    mixed = key * MIX
    mixed = (mixed ^ ((mixed >> 32) & 0xFFFFFFFF)) * MIX  # so that every sub-board counts
    return ((mixed >> 24) & 0xFFFFFFFFFF) % slots


@kernel("int64(int64, int64[:,::1])")
def remembered(key: int, memory: Table) -> int:
    """The board after the best turn, as the memory has it; or -1."""
    slot = place_of(key, len(memory))
    return int(memory[slot, BEST]) if memory[slot, KEY] == key else -1


@kernel(SIGNATURE)
def search(
    key: int, marbles: int, level: int, depth: int, alpha: int, beta: int, forced: int, boards: Table,
    lists: NDArray[np.int64], memory: Table, told: Ints, rules: Rules, net: Net, parts: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """The score of a board on which nobody has five, looking so many turns ahead, at least 1."""
    board = boards[level]
    unpack(key, board)
    told[VISITED] += 1
    if can_win(board[0], board[1], board[2], board[3], told[PLACEMENT], rules):
        return WON - level - 1
    slot = place_of(key, len(memory))
    first = -1
    if memory[slot, KEY] == key:
        first = memory[slot, BEST]
        score, kind = memory[slot, SCORE], memory[slot, KIND]
        if score > PROVED:
            score -= level
        elif score < -PROVED:
            score += level
        if kind >> 2 >= depth or abs(score) > PROVED:
            bound = kind & 3
            if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
                return int(score)
    keys, turns, scores = lists[level, 0], lists[level, 1], lists[level, 2]
    if depth == 1:
        score = refuted(board, marbles, beta, lists[level, 4], boards[level + 1], told, rules, net, parts, deep)
        if score >= beta:
            return score
    enough = beta if depth == 1 else WON - level - 1
    count = look(
        board, marbles, level, enough, keys, turns, scores, lists[level, 3], boards[level + 1], told, rules, net,
        parts, deep,
    )  # fmt: skip
    best, best_key, began = -WON, -1, alpha
    if depth == 1 and scores[count - 1] >= beta and turns[count - 1] < OVER:
        remember_killer(lists[level, 4], KILLERS - 1, turns[count - 1])
    safe = 0
    for i in range(count):
        safe += scores[i] > -PROVED
        if scores[i] > best:
            best, best_key = scores[i], keys[i]
    if safe <= FORCED and forced < told[EXTENDED] and (depth > 1 or best < beta):
        depth += 1
        forced += 1
    if depth > 1 and -PROVED < best < PROVED and marbles + 1 < SPACES:
        best = -WON
        if first >= 0:
            for i in range(count):
                if keys[i] == first:
                    scores[i] = max(scores[i], PROVED - 1) if scores[i] > -PROVED else scores[i]
        for rank in range(count):
            bring_best(rank, count, keys, turns, scores)
            found = scores[rank]
            if rank >= told[BROAD] and best > -PROVED:
                break
            if found <= -PROVED:  # the rest lose at once
                if best == -WON:
                    best, best_key = found, keys[rank]
                break
            if turns[rank] & OVER:
                found = 0
            elif rank == 0:
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                    boards, lists, memory, told, rules, net, parts, deep,
                )  # fmt: skip
            else:
                less = 0
                if depth > 2 and rank >= 6:
                    less = 1 if rank < 30 or depth < 4 else 2
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1 - less, -alpha - 1, -alpha, forced,
                    boards, lists, memory, told, rules, net, parts, deep,
                )  # fmt: skip
                if found > alpha and less:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -alpha - 1, -alpha, forced,
                        boards, lists, memory, told, rules, net, parts, deep,
                    )  # fmt: skip
                if alpha < found < beta:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                        boards, lists, memory, told, rules, net, parts, deep,
                    )  # fmt: skip
            if told[STOP]:
                return best
            if found > best:
                best, best_key = found, keys[rank]
                alpha = max(alpha, best)
                if best >= beta:
                    break
    memory[slot, KEY], memory[slot, BEST] = key, best_key
    memory[slot, SCORE] = best + level if best > PROVED else best - level if best < -PROVED else best
    memory[slot, KIND] = 4 * depth + (AT_LEAST if best >= beta else AT_MOST if best <= began else EXACT)
    return best


def room() -> tuple[Table, NDArray[np.int64], Ints, NDArray[np.int16], Floats]:
    """Arrays that a search works in: boards, lists, what it is told and tells, sums of rows, the layer."""
    told = np.zeros(TOLD, dtype=np.int64)
    told[PLACEMENT], told[EXTENDED], told[BROAD] = 1, MOST_FORCED, MOST_TURNS
    return (
        np.zeros((LEVELS, 4), dtype=np.int64),
        np.zeros((LEVELS, 5, ROOM), dtype=np.int64),
        told,
        np.zeros((PARTS, ROW), dtype=np.int16),
        np.zeros(LAYERS, dtype=np.float32),
    )


def _warm_up() -> None:
    """Use every kernel once."""
    boards, lists, told, parts, deep = room()
    net = net_of(np.zeros((4, 3**9, WIDTH), np.float32), np.zeros((WIDTH, DEEP), np.float32),
                 np.zeros((BUCKETS, HEAD), np.float32))  # fmt: skip
    search(0, 0, 0, 1, -WON, WON, 0, boards, lists, np.full((64, MEMORY), -1), told, RULES, net, parts, deep)
    assert pack(boards[0]) == 0


WARM_UP = [_warm_up]
