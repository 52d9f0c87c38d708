"""Training kernels: games played by a shallow search, and steps of gradient descent.

The learned tables are sums of a part shared between patterns (by cells, rows, columns, diagonals and squares of four)
and a part of each pattern's own, so that rare patterns have useful values from the beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine.board_kernels import can_win, fives, results, unpack
from pentad.games.pentago.engine.constants import SearchArrays
from pentad.games.pentago.engine.net_kernels import evaluate
from pentad.games.pentago.engine.search_kernels import best_turn, expand, search
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Parts = NDArray[np.float32]

LONGEST_WALK = 4  # turns beside a game
LIKELY = 12  # turns that half of the walks choose from


# ── parts of a sub-board ─────────────────────────────────────────────────────────────────────────

GROUPS = (
    *((i,) for i in range(9)),
    *((3 * r, 3 * r + 1, 3 * r + 2) for r in range(3)),
    *((c, c + 3, c + 6) for c in range(3)),
    (0, 4, 8),
    (2, 4, 6),
    *((3 * r + c, 3 * r + c + 1, 3 * r + c + 3, 3 * r + c + 4) for r in range(2) for c in range(2)),
)


def _features() -> tuple[NDArray[np.int32], int]:
    """For each pattern the rows of its features, and the number of rows."""
    rows, start = [], 0
    digits = np.arange(k.PATTERNS)[:, None] // 3 ** np.arange(k.CELLS) % 3
    for group in GROUPS:
        rows.append(start + digits[:, group] @ 3 ** np.arange(len(group)))
        start += 3 ** len(group)
    return np.stack(rows, axis=1).astype(np.int32), start


FEATURES, FEATURE_ROWS = _features()


@kernel
def sum_features(own: Parts, shared: Parts, features: NDArray[np.int32], whole: Parts) -> None:
    """Sums each pattern's own part and its shared parts in `whole`."""
    for q in range(4):
        for p in range(k.PATTERNS):
            for column in range(k.WIDTH):
                whole[q, p, column] = own[q, p, column]
            for f in range(features.shape[1]):
                row = features[p, f]
                for column in range(k.WIDTH):
                    whole[q, p, column] += shared[q, row, column]


@kernel
def backpropagate_features(gradients: Parts, features: NDArray[np.int32], shared: Parts) -> None:
    """Computes the gradients of the shared parts from those of the patterns."""
    shared[:] = 0
    for q in range(4):
        for p in range(k.PATTERNS):
            some = False
            for column in range(k.WIDTH):
                some |= gradients[q, p, column] != 0
            if some:
                for f in range(features.shape[1]):
                    row = features[p, f]
                    for column in range(k.WIDTH):
                        shared[q, row, column] += gradients[q, p, column]


# ── gradient descent ─────────────────────────────────────────────────────────────────────────────────────


@kernel
def gradients(
    patterns: NDArray[np.int16], marbles: NDArray[np.int8], targets: Floats, chosen: Ints, whole: Parts, layer: Floats,
    heads: Floats, corner: Ints, images: NDArray[np.int16], of_whole: Parts, of_layer: Floats, of_heads: Floats,
) -> float:  # fmt: skip
    """Sums the gradients of the loss over the chosen boards; returns the loss, the cross entropy of the targets."""
    units, totals = np.zeros((k.SYMMETRIES, k.WIDTH), np.float32), np.zeros(k.WIDTH, np.float32)
    deep, back = np.zeros(k.DEEP, np.float32), np.zeros(k.WIDTH, np.float32)
    loss = 0.0
    for i in chosen:
        n, target = marbles[i], targets[i]
        head = heads[n]
        totals[:] = 0
        for g in range(k.SYMMETRIES):
            r0, r1 = whole[corner[g, 0], images[g, patterns[i, 0]]], whole[corner[g, 1], images[g, patterns[i, 1]]]
            r2, r3 = whole[corner[g, 2], images[g, patterns[i, 2]]], whole[corner[g, 3], images[g, patterns[i, 3]]]
            for column in range(k.WIDTH):
                unit = r0[column] + r1[column] + r2[column] + r3[column]
                units[g, column] = unit
                totals[column] += max(unit, np.float32(0)) * np.float32(0.125)
        logit = head[2 * k.DEEP]
        for m in range(k.DEEP):
            deep[m] = head[m]
        for column in range(k.WIDTH):
            logit += head[2 * k.DEEP + 1 + column] * totals[column]
            for m in range(k.DEEP):
                deep[m] += layer[column, m] * totals[column]
        for m in range(k.DEEP):
            logit += head[k.DEEP + m] * max(deep[m], np.float32(0))
        odds = 1.0 / (1.0 + np.exp(-logit))
        share = (target + 1) / 2
        loss -= share * np.log(odds + 1e-9) + (1 - share) * np.log(1 - odds + 1e-9)
        gradient = np.float32(odds - share)
        of_heads[n, 2 * k.DEEP] += gradient
        for column in range(k.WIDTH):
            of_heads[n, 2 * k.DEEP + 1 + column] += gradient * totals[column]
            back[column] = gradient * head[2 * k.DEEP + 1 + column]
        for m in range(k.DEEP):
            if deep[m] > 0:
                of_heads[n, k.DEEP + m] += gradient * deep[m]
                here = gradient * head[k.DEEP + m]
                of_heads[n, m] += here
                for column in range(k.WIDTH):
                    of_layer[column, m] += here * totals[column]
                    back[column] += here * layer[column, m]
        for g in range(k.SYMMETRIES):
            s0, s1 = (
                of_whole[corner[g, 0], images[g, patterns[i, 0]]],
                of_whole[corner[g, 1], images[g, patterns[i, 1]]],
            )
            s2, s3 = (
                of_whole[corner[g, 2], images[g, patterns[i, 2]]],
                of_whole[corner[g, 3], images[g, patterns[i, 3]]],
            )
            for column in range(k.WIDTH):
                here = back[column] * np.float32(0.125) if units[g, column] > 0 else np.float32(0)
                units[g, column] = here
            for column in range(k.WIDTH):
                s0[column] += units[g, column]
            for column in range(k.WIDTH):
                s1[column] += units[g, column]
            for column in range(k.WIDTH):
                s2[column] += units[g, column]
            for column in range(k.WIDTH):
                s3[column] += units[g, column]
    return loss


@kernel
def descend(values: Floats, of: Floats, mean: Floats, square: Floats, rate: float, decay: float, step: int) -> None:
    """A step of the Adam optimizer; clears the gradients."""
    low, high = np.float32(0.9), np.float32(0.999)
    first, second = np.float32(1 / (1 - 0.9**step)), np.float32(1 / (1 - 0.999**step))
    rate32, decay32 = np.float32(rate), np.float32(rate * decay)
    for i in range(len(values)):
        gradient = of[i]
        m = low * mean[i] + (np.float32(1) - low) * gradient
        v = high * square[i] + (np.float32(1) - high) * gradient * gradient
        mean[i], square[i], of[i] = m, v, np.float32(0)
        values[i] -= rate32 * m * first / (np.sqrt(v * second) + np.float32(1e-7)) + decay32 * values[i]


# ── games ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def random_below(seed: Ints, below: int) -> int:
    """A random number below a bound."""
    x = seed[0]
    x ^= x << 13
    x ^= (x >> 7) & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    seed[0] = x
    return int(((x >> 11) & 0xFFFFFFFFFFFF) % below)


@kernel
def random_board(marbles: int, seed: Ints, run: SearchArrays) -> int:
    """A random board with `marbles` marbles without an immediate win, by turns that allow none; or -1."""
    key = 0
    for _n in range(marbles):
        board, child, keys, rules = run.boards[0], run.boards[1], run.lists[0, 0], run.rules
        unpack(key, board)
        count = results(board, rules, keys, run.lists[0, 1], run.lists[0, 3])
        found = -1
        for _ in range(20):
            i = random_below(seed, count)
            unpack(keys[i], child)
            if fives(child, rules) == 0 and can_win(child[0], child[1], child[2], child[3], 1, rules) == 0:
                found = keys[i]
                break
        if found < 0:
            return -1
        key = found
    return key


@kernel
def value_of(score: int) -> float:
    """Converts a score to a value: the probability of a win minus that of a loss."""
    if score > k.PROVED:
        return 1.0
    if score < -k.PROVED:
        return -1.0
    return float(np.tanh(score / (2.0 * k.GRAIN)))


@kernel
def searched(key: int, marbles: int, depth: int, run: SearchArrays) -> int:
    """The score of a board by a search."""
    unpack(key, run.boards[0])
    static = evaluate(run.boards[0], marbles, run.net, run.parts, run.units)
    run.control.generation = marbles
    return search(key, marbles, 0, depth, -k.WON, k.WON, 0, static, run)


@kernel
def after_turn(key: int, turn: int, run: SearchArrays) -> int:
    """The board after a turn, or -1 if the turn is not legal or ends the game."""
    boards, lists, rules = run.boards, run.lists, run.rules
    unpack(key, boards[0])
    found = results(boards[0], rules, lists[0, 0], lists[0, 1], lists[0, 3])
    for i in range(found):
        if lists[0, 1, i] == turn:
            after = lists[0, 0, i]
            unpack(after, boards[1])
            return after if fives(boards[1], rules) == 0 else -1
    return -1


@kernel
def place_of_most(scores: Int64s, count: int) -> int:
    """The place of the highest of some scores."""
    best = 0
    for i in range(1, count):
        if scores[i] > scores[best]:
            best = i
    return best


@kernel
def random_turn(key: int, marbles: int, best: int, seed: Ints, run: SearchArrays) -> int:
    """The board after one of the `best` turns by evaluation that do not lose at once, chosen at random, or -1."""
    unpack(key, run.boards[0])
    keys, turns, scores = run.lists[0, 0], run.lists[0, 1], run.lists[0, 2]
    count = expand(0, marbles, k.WON, run)
    safe = 0
    for i in range(count):
        if abs(scores[i]) < k.PROVED and turns[i] < k.OVER:
            keys[safe], scores[safe] = keys[i], scores[i]
            safe += 1
    if safe == 0:
        return -1
    chosen = random_below(seed, min(best, safe))
    if best < safe:
        for _ in range(chosen):
            scores[place_of_most(scores, safe)] = -k.WON
        chosen = place_of_most(scores, safe)
    return keys[chosen]


@kernel
def walk(key: int, marbles: int, seed: Ints, run: SearchArrays) -> tuple[int, int]:
    """A board some turns beside a game, as a search meets them: one side's turns are random, the other's are good.

    Returns the board, or -1 if the game ends on the way, and its marbles.
    """
    steps, first = 1 + random_below(seed, LONGEST_WALK), random_below(seed, 2)
    best = k.MOST_TURNS if random_below(seed, 2) else LIKELY
    for step in range(steps):
        if key < 0 or marbles + 1 >= k.SPACES:
            return -1, marbles
        if step % 2 == first or steps == 1:
            key = random_turn(key, marbles, best, seed, run)
        else:
            searched(key, marbles, 2, run)
            key = after_turn(key, best_turn(run.table, key), run)
        marbles += 1
    if key >= 0:
        b = run.boards[0]
        unpack(key, b)
        if can_win(b[0], b[1], b[2], b[3], run.control.placement, run.rules):
            key = -1
    return key, marbles


@kernel
def walk_beside(
    count: int,
    walks: int,
    depth: int,
    seed: Ints,
    run: SearchArrays,
    keys: Ints,
    counts: NDArray[np.int8],
    targets: Floats,
) -> int:
    """Adds boards beside a game of `count` boards, `walks` for each, with values by a search; returns the number."""
    filled = count
    for i in range(count):
        for _ in range(walks if abs(targets[i]) < 1 else 0):
            key, marbles = walk(keys[i], counts[i], seed, run)
            if key >= 0:
                score = searched(key, marbles, depth, run)
                keys[filled], counts[filled], targets[filled] = key, marbles, value_of(score)
                filled += 1
    return filled


@kernel
def play(
    start: int, last: int, depth: int, stray: int, weight: float, seed: Ints, run: SearchArrays, keys: Ints,
    counts: NDArray[np.int8], targets: Floats,
) -> int:  # fmt: skip
    """Plays a game from a random board of `start` marbles to `last`; stores boards and targets; returns their number.

    In `stray` of 1000 turns, a random turn that does not lose immediately is played. A target is the score of the
    search, mixed by `weight` with the result if no random turn follows.
    """
    key = random_board(start, seed, run)
    if key < 0:
        return 0
    count, marbles, strayed = 0, start, np.zeros(40, np.int64)
    ended = 2.0
    while True:
        b = run.boards[0]
        unpack(key, b)
        if can_win(b[0], b[1], b[2], b[3], run.control.placement, run.rules):
            ended = 1.0
            break
        score = searched(key, marbles, depth, run)
        keys[count], counts[count], targets[count] = key, marbles, value_of(score)
        count += 1
        if abs(score) > k.PROVED or marbles >= last:
            break
        turn = best_turn(run.table, key)
        if turn < 0:
            break
        after = after_turn(key, turn, run)
        if random_below(seed, 1000) < stray:
            other = random_turn(key, marbles, k.MOST_TURNS, seed, run)
            strayed[count - 1] = 1 if other >= 0 and other != after else 0
            after = other if other >= 0 else after
        if after < 0 or marbles + 1 == k.SPACES:
            break
        key, marbles = after, marbles + 1
    last_one = count - 1
    later = ended
    if ended > 1.0:  # the result is the score of the last board
        last_one, later = count - 2, float(targets[count - 1])
    for i in range(last_one, -1, -1):
        later = -later
        later = float(targets[i]) if strayed[i] else (1 - weight) * targets[i] + weight * later
        targets[i] = later
    return count


@kernel
def play_many(
    starts: int, last: int, depth: int, stray: int, weight: float, walks: int, beside: int, seed: Ints,
    run: SearchArrays, boards: tuple[Ints, NDArray[np.int8], Floats],
) -> int:  # fmt: skip
    """Plays games from boards of fewer than `starts` marbles until the arrays are full or the stop flag is set.

    Beside each board of a game are `walks` more, searched `beside` turns deep.
    """
    keys, counts, targets = boards
    filled = 0
    while filled + 40 * (1 + walks) < len(keys):
        start = min(random_below(seed, starts), random_below(seed, starts))
        count = play(
            start, last, depth, stray, weight, seed, run, keys[filled:], counts[filled:], targets[filled:]
        )  # fmt: skip
        count = walk_beside(
            count, walks, beside, seed, run, keys[filled:], counts[filled:], targets[filled:]
        )  # fmt: skip
        if run.control.stop:  # the scores of the last game may be wrong
            break
        filled += count
    return filled
