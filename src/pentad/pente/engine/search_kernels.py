"""The search: deeper and deeper along the promising moves, with a memory, and attacks at its ends.

A score is the mover's. What is won is `WIN` less the moves of both players until then; a draw is 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pente.engine.position_kernels import (
    A_FIVE,
    A_FOUR,
    CAPTURE_WIN,
    COUNTS,
    EDGE,
    EMPTY,
    FOUR_AND_THREE,
    FREE,
    HELD,
    KIND_BITS,
    KIND_OF,
    KINDS,
    LOST,
    MOVER,
    ON,
    POINTS,
    SIMPLE,
    SIZE,
    STANDING,
    STONES_TAKEN,
    STRIDE,
    SUMS,
    TAKING,
    WINNING_FOUR,
    WON,
    WORTH,
    key,
    make,
    may_place,
    unmake,
)
from pentad.pente.engine.shape_kernels import FIELDS, OPEN_TWO, SIDE, TAKEN, TAKEN_BITS, THREE, Codes, Words
from pentad.pente.engine.threat_kernels import (
    ATTACKED,
    CUT,
    EFFORT,
    ENOUGH,
    GENERATION,
    LEVELS,
    LIST,
    MOST,
    PARTS,
    STOP,
    VISITED,
    Lists,
    add_list,
    answers,
    attack,
    threatens,
    wins_at_once,
)

WIN, WON_FROM = 30_000, 20_000
LIMIT = 19_000  # what an evaluation may say at most
WIDEST = 28  # moves that are followed from a position
ATTACK_MOVES = 12  # of one's own in an attack, at most
LATE = 3  # moves after which others are looked at less deeply

# What is remembered of a position, in two words: its key mixed with the second; and in that the move, the bound, the
# depth, the score, and the generation.
MOVE_BITS, BOUND_AT, DEPTH_AT, SCORE_AT, GENERATION_AT = (1 << 12) - 1, 12, 14, 22, 40
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

# ── parts of `work` ──────────────────────────────────────────────────────────────────────────────
KILLERS = 0  # two for each level
HISTORY = KILLERS + 2 * LEVELS
COUNTERS = HISTORY + 2 * POINTS  # the reply that was good against a move
RANKS = COUNTERS + 2 * POINTS  # of the moves of each level
WORK = RANKS + LEVELS * LIST

# ── weights of the evaluation, as parts of `weights` ─────────────────────────────────────────────
TEMPO, RACE = 0, 1  # to be on the move; stones taken, by tenths of what wins
RACE_STEPS = 11
MY_KINDS = RACE + RACE_STEPS  # by the strongest kind of threat that the mover can make
HIS_KINDS = MY_KINDS + KINDS
MY_TAKES = HIS_KINDS + KINDS  # for each point where something can be taken
HIS_TAKES = MY_TAKES + 1
WEIGHTS = HIS_TAKES + 1
USUAL_WEIGHTS = np.array(
    [
        *(15,),
        *(0, 25, 60, 100, 150, 210, 280, 370, 480, 620, 900),
        *(0, 0, 20, 10, 120, 350, 0),
        *(0, 0, 0, 0, -20, -60, 0),
        *(22, -10),
    ],
    dtype=np.int32,
)

ATTACK_RANK = np.array([0, 60, 260, 90, 700, 1500, 0], dtype=np.int64)  # by kind, of one's own threats
DEFENCE_RANK = np.array([0, 40, 150, 60, 400, 900, 0], dtype=np.int64)  # and the other's


@kernel
def race(state: Words, colour: int, weights: Codes) -> int:
    """What the stones are worth that a colour has taken."""
    if state[CAPTURE_WIN] == 0:
        return 0
    steps = min(RACE_STEPS - 1, state[STONES_TAKEN + colour] * (RACE_STEPS - 1) // state[CAPTURE_WIN])
    return int(weights[RACE + steps])


@kernel
def strongest(state: Words, colour: int) -> int:
    """The strongest kind of threat that a colour could make."""
    for kind in range(A_FIVE, 0, -1):
        if state[COUNTS + colour * KINDS + kind]:
            return kind
    return 0


@kernel
def evaluate(state: Words, weights: Codes) -> int:
    """What a position seems worth to the one to move."""
    me = state[MOVER]
    other = 1 - me
    score = -state[WORTH] if me else state[WORTH]
    score += weights[TEMPO] + race(state, me, weights) - race(state, other, weights)
    score += weights[MY_KINDS + strongest(state, me)] + weights[HIS_KINDS + strongest(state, other)]
    score += weights[MY_TAKES] * state[COUNTS + me * KINDS + TAKING]
    score += weights[HIS_TAKES] * state[COUNTS + other * KINDS + TAKING]
    return int(max(-LIMIT, min(LIMIT, score)))


@kernel
def rank_of(total: int, ranks: NDArray[np.int64]) -> int:
    """How promising what a stone does for one colour is."""
    return int(
        ranks[KIND_OF[total & KIND_BITS]]
        + 24 * (total >> FIELDS[THREE] & 7)
        + 14 * (total >> FIELDS[OPEN_TWO] & 7)
        + 45 * (total >> TAKEN & TAKEN_BITS)
    )


@kernel
def promising(board: Codes, state: Words, out: Codes, ranks: Codes, work: Codes) -> int:
    """The points near stones where something could come of a stone, with their ranks; gives how many."""
    me, size, count = state[MOVER], state[SIZE], 0
    other = 1 - me
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            total = state[SUMS + point]
            if total & SHAPES == 0 or board[HELD + point] != EMPTY:
                continue
            if not may_place(state, point, me):
                continue
            rank = rank_of(total >> SIDE * me, ATTACK_RANK) + rank_of(total >> SIDE * other, DEFENCE_RANK)
            rank += work[HISTORY + me * POINTS + point] >> 4
            out[count] = point
            ranks[count] = rank
            count += 1
    return count


SHAPES = ((1 << SIDE) - 1) * (1 + (1 << SIDE))


@kernel
def any_points(board: Codes, state: Words, out: Codes, ranks: Codes) -> int:
    """All points where a stone may be placed, those by the middle first; gives how many."""
    size, count = state[SIZE], 0
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] == EMPTY and may_place(state, point, state[MOVER]):
                out[count] = point
                ranks[count] = -max(abs(2 * (row - EDGE) + 1 - size), abs(2 * (point - row * STRIDE) + 1 - size))
                count += 1
    return count


@kernel
def best_first(moves: Codes, ranks: Codes, first: int, count: int) -> None:
    """Bring the most promising of the moves from `first` on to that place."""
    best = first
    for i in range(first + 1, count):
        if ranks[i] > ranks[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    ranks[first], ranks[best] = ranks[best], ranks[first]


@kernel
def list_moves(board: Codes, state: Words, moves: Codes, ranks: Codes, work: Codes, level: int, before: int) -> int:
    """The moves to look at when nothing forces one, with their ranks; gives how many."""
    count = promising(board, state, moves, ranks, work)
    if count == 0:
        return any_points(board, state, moves, ranks)
    me = state[MOVER]
    counter = work[COUNTERS + me * POINTS + before]
    for i in range(count):
        if moves[i] == work[KILLERS + 2 * level] or moves[i] == work[KILLERS + 2 * level + 1]:
            ranks[i] += 80
        if moves[i] == counter:
            ranks[i] += 60
    return count


@kernel
def kept_score(score: int, level: int) -> int:
    """A score as it is remembered: wins counted from the position itself."""
    return score + level if score > WON_FROM else score - level if score < -WON_FROM else score


@kernel
def score_here(kept: int, level: int) -> int:
    """A remembered score as it counts from the root."""
    return kept - level if kept > WON_FROM else kept + level if kept < -WON_FROM else kept


@kernel
def remembered(memory: Words, here: int) -> int:
    """What is remembered of a position, or -1."""
    slot = 2 * (here % (len(memory) // 2))
    known = memory[slot + 1]
    return known if memory[slot] ^ known == here and known != 0 else -1


@kernel
def remember(memory: Words, here: int, move: int, bound: int, depth: int, score: int, generation: int) -> None:
    """Remember a position, unless something deeper of this generation stands there."""
    slot = 2 * (here % (len(memory) // 2))
    old = memory[slot + 1]
    if (
        old
        and old >> GENERATION_AT == generation
        and memory[slot] ^ old != here
        and (old >> DEPTH_AT & 255) > depth + 3
    ):
        return
    known = move | bound << BOUND_AT | max(0, depth) << DEPTH_AT | (score + 32768) << SCORE_AT
    known |= generation << GENERATION_AT
    memory[slot] = here ^ known
    memory[slot + 1] = known


@kernel
def note(work: Codes, me: int, move: int, before: int, depth: int, level: int) -> None:
    """A move was too good for the other to allow: try it sooner elsewhere."""
    if work[KILLERS + 2 * level] != move:
        work[KILLERS + 2 * level + 1] = work[KILLERS + 2 * level]
        work[KILLERS + 2 * level] = move
    work[COUNTERS + me * POINTS + before] = move
    place = HISTORY + me * POINTS + move
    work[place] += depth * depth
    if work[place] > 4000:
        for i in range(2 * POINTS):
            work[HISTORY + i] >>= 1


SEARCH = f"{PARTS}, int32[::1], int32[:,::1], int64[::1], int64[::1], int32[::1], int32[::1], int64[::1]"


@kernel(f"int64({SEARCH}, int64, int64, int64, int64, int64, int64)")
def search(
    board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, weights: Codes, lists: Lists,
    memory: Words, known: Words, line: Codes, work: Codes, told: Words,
    depth: int, alpha: int, beta: int, level: int, before: int, forced_on: int,
) -> int:  # fmt: skip
    """What the position is worth to the one to move, so many moves ahead; forced replies are not counted."""
    told[VISITED] += 1
    if told[MOST] and told[VISITED] + told[ATTACKED] >= told[MOST]:
        told[STOP] = 1
    me = state[MOVER]
    other = 1 - me
    at_once = wins_at_once(board, state, entries, sums, worths)
    if at_once >= 0:
        return WIN - level - 1
    if told[STOP] or level + 2 >= LEVELS:
        return evaluate(state, weights)
    alpha, beta = max(alpha, level + 2 - WIN), min(beta, WIN - level - 3)
    if alpha >= beta:
        return alpha
    here = key(state)
    found = remembered(memory, here)
    first = -1
    if found >= 0:
        first = found & MOVE_BITS
        score = score_here((found >> SCORE_AT & 0x1FFFF) - 32768, level)
        bound = found >> BOUND_AT & 3
        deep = (found >> DEPTH_AT & 255) >= depth or abs(score) > WON_FROM
        if deep and (bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)):
            return score
    moves, ranks = lists[level], work[RANKS + LIST * level : RANKS + LIST * (level + 1)]
    # Where other rules hold than the simple ones, more may help against a threat than `answers` knows.
    forced = state[STANDING] > 0 or (state[SIMPLE] > 0 and threatens(board, state, other))
    if forced and (depth > 0 or forced_on > 0):
        count = add_list(board, state, me, TAKING, moves, 0) if state[STANDING] else answers(board, state, moves)
        if count == 0:
            return level + 2 - WIN
        for i in range(count):
            total = state[SUMS + moves[i]]
            ranks[i] = rank_of(total >> SIDE * me, ATTACK_RANK) + rank_of(total >> SIDE * other, DEFENCE_RANK)
    else:
        if told[EFFORT] and (depth <= 0 or found < 0):
            fours = state[COUNTS + me * KINDS + A_FOUR] + state[COUNTS + me * KINDS + FOUR_AND_THREE]
            fours += state[COUNTS + me * KINDS + WINNING_FOUR]
            if fours or (state[CAPTURE_WIN] and 2 * state[STONES_TAKEN + me] >= state[CAPTURE_WIN]):
                told[CUT] = 0
                told[ENOUGH] = told[ATTACKED] + told[EFFORT] * (1 if depth <= 0 else 4 * depth)
                won = attack(board, state, entries, sums, worths, lists, known, told, line, level + 1, ATTACK_MOVES)
                if won:
                    score = WIN - level - 2 * won + 1
                    remember(memory, here, line[level + 1], EXACT, 99, kept_score(score, level), told[GENERATION])
                    return score
        if depth <= 0:
            return evaluate(state, weights)
        if depth <= 3 and beta < WON_FROM and strongest(state, other) < FOUR_AND_THREE:
            seems = evaluate(state, weights)
            if seems - 90 * depth >= beta:
                return seems
        count = list_moves(board, state, moves, ranks, work, level, before)
        if count == 0:
            return 0
    for i in range(count):
        if moves[i] == first:
            ranks[i] = 1 << 28
    best, best_move, bound = -WIN, -1, AT_MOST
    for i in range(count):
        if i >= WIDEST and not forced and best > -WON_FROM:
            break  # but nothing is taken for lost before everything has been tried
        best_first(moves, ranks, i, count)
        move = int(np.int64(moves[i]))
        kind = KIND_OF[state[SUMS + move] >> SIDE * me & KIND_BITS]
        his = KIND_OF[state[SUMS + move] >> SIDE * other & KIND_BITS]
        led = make(board, state, entries, sums, worths, move)
        if led == ON:
            less = 1
            if forced:
                less = 0 if count == 1 or depth <= 0 else 1
            rest = max(depth, 0) - less
            on = forced_on - 1 if forced else forced_on
            if i == 0:
                score = -search(
                    board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                    rest, -beta, -alpha, level + 1, move, on,
                )  # fmt: skip
            else:
                late = 0
                if not forced and depth >= 2 and i >= LATE and kind < A_FOUR and his < WINNING_FOUR:
                    late = 1 + (i >= 8) + (i >= 16 and depth > 4)
                score = -search(
                    board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                    rest - late, -alpha - 1, -alpha, level + 1, move, on,
                )  # fmt: skip
                if score > alpha and late:
                    score = -search(
                        board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                        rest, -alpha - 1, -alpha, level + 1, move, on,
                    )  # fmt: skip
                if alpha < score < beta:
                    score = -search(
                        board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                        rest, -beta, -alpha, level + 1, move, on,
                    )  # fmt: skip
        else:
            score = WIN - level - 1 if led == WON else level + 1 - WIN if led == LOST else 0
        unmake(board, state, sums, worths)
        if told[STOP]:
            return best if best > -WIN else evaluate(state, weights)
        if score > best:
            best, best_move = score, move
            if score > alpha:
                alpha, bound = score, EXACT
                if score >= beta:
                    bound = AT_LEAST
                    break
    if bound == AT_LEAST and not forced:
        note(work, me, best_move, before, depth, level)
    remember(memory, here, best_move, bound, depth, kept_score(best, level), told[GENERATION])
    return best


@kernel(f"int64({SEARCH}, int32[::1], int32[::1], int64, int64, int64, int64)")
def search_roots(
    board: Codes, state: Words, entries: Codes, sums: Words, worths: Codes, weights: Codes, lists: Lists,
    memory: Words, known: Words, line: Codes, work: Codes, told: Words,
    roots: Codes, scores: Codes, first: int, depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Search the moves of the root from the `first` on, the best of which comes to that place; gives its score.

    Scores of the others are bounds. Stopped on the way, it keeps what was found if that is better than nothing.
    """
    best = -WIN
    for i in range(first, len(roots)):
        move = int(np.int64(roots[i]))
        led = make(board, state, entries, sums, worths, move)
        score = 0
        if led == WON:
            score = WIN - 1
        elif led == LOST:
            score = 1 - WIN
        elif led == ON:
            late = 0
            if i > first:
                late = 0 if depth < 3 or i < first + 4 else 1 + (i >= first + 12)
                score = -search(
                    board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                    depth - 1 - late, -alpha - 1, -alpha, 1, move, 6,
                )  # fmt: skip
                if score > alpha and late:
                    score = -search(
                        board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                        depth - 1, -alpha - 1, -alpha, 1, move, 6,
                    )  # fmt: skip
            if i == first or score > alpha:
                score = -search(
                    board, state, entries, sums, worths, weights, lists, memory, known, line, work, told,
                    depth - 1, -beta, -alpha, 1, move, 6,
                )  # fmt: skip
        unmake(board, state, sums, worths)
        if told[STOP]:
            return best
        scores[i] = score
        best = max(best, score)
        if i > first and score > alpha:  # else it is only known that it is no better
            for j in range(i, first, -1):
                roots[j] = roots[j - 1]
                scores[j] = scores[j - 1]
            roots[first], scores[first] = move, score
        alpha = max(alpha, score)
        if alpha >= beta:
            return best
    return best


@kernel
def first_moves(board: Codes, state: Words, lists: Lists, work: Codes) -> int:
    """The moves of the root into the first list, the most promising first; gives how many.

    On an empty board only one by the middle is worth a thought.
    """
    moves, ranks = lists[0], work[RANKS : RANKS + LIST]
    count = list_moves(board, state, moves, ranks, work, 0, 0)
    for i in range(count):
        best_first(moves, ranks, i, count)
    return min(count, 1) if state[FREE] == state[SIZE] * state[SIZE] else count
