"""Alpha-beta over whole turns: quick tests of what wins at once, children in the evaluation's order, a memory.

A level of the search has its children's keys, turns and scores in rows of its own. A score is the mover's: what is
proved is `WON` less the turns to the end, or its negative; a draw is 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pentago.engine.kernels import (
    MIX,
    MOST_TURNS,
    RULES,
    RULES_TYPE,
    SPACES,
    ROOM,
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
    MOST,
    NET_TYPE,
    ROW,
    WIDTH,
    Floats,
    Net,
    evaluate,
    net_of,
)

LEVELS = SPACES + 2
WON, PROVED = 1_000_000, 900_000
# In `told`: the flag that stops, positions looked at and evaluated, whether five before the twist win, and how
# often in a line a turn with few ways to go on is looked at further.
STOP, VISITED, EVALUATED, PLACEMENT, EXTENDED, TOLD = 0, 1, 2, 3, 4, 8
KEY, SCORE, KIND, BEST, MEMORY = 0, 1, 2, 3, 4  # of what is remembered; the kind is 4 * depth + bound
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
OVER = 1 << 20
FORCED = 4  # so few ways not to lose at once are looked at a turn further
MOST_FORCED = 6  # times in a line, where nobody says otherwise
Table = NDArray[np.int64]

SIGNATURE = (
    f"int64(int64, int64, int64, int64, int64, int64, int64, int64[:,::1], int64[:,:,::1], int64[:,::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[::1], float32[::1])"
)


@kernel(
    f"int64(int64[::1], int64, int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    f" int64[::1], {RULES_TYPE}, {NET_TYPE}, int16[::1], float32[::1])"
)
def look(
    board: Ints, marbles: int, level: int, enough: int, keys: Ints, turns: Ints, scores: Ints, room: Ints, child: Ints,
    told: Ints, rules: Rules, net: Net, units: NDArray[np.int16], deep: Floats,
) -> int:  # fmt: skip
    """The children of a board that cannot win at once, scored for its mover by a first look; how many there are.

    Ends after a score of `enough`, which is then the last one. The turn of a child where the game is over has `OVER`.
    """
    count = results(board, rules, keys, turns, room)
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
            score = -evaluate(child[0], child[1], child[2], child[3], marbles + 1, net, units, deep)
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
    lists: NDArray[np.int64], memory: Table, told: Ints, rules: Rules, net: Net, units: NDArray[np.int16], deep: Floats,
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
    enough = beta if depth == 1 else WON - level - 1
    count = look(
        board, marbles, level, enough, keys, turns, scores, lists[level, 3], boards[level + 1], told, rules, net,
        units, deep,
    )  # fmt: skip
    best, best_key, began = -WON, -1, alpha
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
            if found <= -PROVED:  # the rest lose at once
                if best == -WON:
                    best, best_key = found, keys[rank]
                break
            if turns[rank] & OVER:
                found = 0
            elif rank == 0:
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                    boards, lists, memory, told, rules, net, units, deep,
                )  # fmt: skip
            else:
                less = 0
                if depth > 2 and rank >= 6:
                    less = 1 if rank < 30 or depth < 4 else 2
                found = -search(
                    keys[rank], marbles + 1, level + 1, depth - 1 - less, -alpha - 1, -alpha, forced,
                    boards, lists, memory, told, rules, net, units, deep,
                )  # fmt: skip
                if found > alpha and less:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -alpha - 1, -alpha, forced,
                        boards, lists, memory, told, rules, net, units, deep,
                    )  # fmt: skip
                if alpha < found < beta:
                    found = -search(
                        keys[rank], marbles + 1, level + 1, depth - 1, -beta, -alpha, forced,
                        boards, lists, memory, told, rules, net, units, deep,
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
    """Arrays that a search works in: boards, lists, what it is told and tells, units."""
    told = np.zeros(TOLD, dtype=np.int64)
    told[PLACEMENT], told[EXTENDED] = 1, MOST_FORCED
    return (
        np.zeros((LEVELS, 4), dtype=np.int64),
        np.zeros((LEVELS, 4, ROOM), dtype=np.int64),
        told,
        np.zeros(ROW, dtype=np.int16),
        np.zeros(DEEP, dtype=np.float32),
    )


def _warm_up() -> None:
    """Use every kernel once."""
    boards, lists, told, units, deep = room()
    net = net_of(np.zeros((4, 3**9, WIDTH), np.float32), np.zeros((WIDTH, DEEP), np.float32),
                 np.zeros((BUCKETS, HEAD), np.float32))  # fmt: skip
    search(0, 0, 0, 1, -WON, WON, 0, boards, lists, np.full((64, MEMORY), -1), told, RULES, net, units, deep)
    assert pack(boards[0]) == 0


WARM_UP = [_warm_up]
