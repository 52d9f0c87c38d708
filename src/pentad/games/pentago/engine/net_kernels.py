"""The evaluation: a small neural net over tables of sub-board patterns, in integers.

Each sub-board's pattern has a row of `SYMMETRIES` × `WIDTH` numbers: its contribution to `WIDTH` units for each of the
eight symmetries of the board. The positive parts of the units, averaged over the symmetries, go through a layer of
`DEEP` units, with separate biases and output weights for every number of marbles.
Units are in steps of 1 / `STEP`; weights have `FRACTION` more bits, and biases both.
"""

from __future__ import annotations

from typing import Annotated

from pentad.games.pentago.engine.constants import (
    BUCKETS,
    CEILING,
    DEEP,
    FRACTION,
    GRAIN,
    HEAD,
    LEVELS_OF_UNIT,
    MOST,
    PATTERNS,
    ROW,
    STEP,
    STEP_BITS,
    SYMMETRIES,
    WHOLE_HEAD,
    WIDTH,
    Images,
    Net,
)
from pentad.kernels.decorator import kernel
from pentad.kernels.integer_vectors import (
    copy_shorts,
    larger,
    load_shorts,
    load_words,
    products,
    repeat_pair,
    same_shorts,
    same_words,
    smaller,
    store,
    total,
)
from pentad.kernels.numbers import np
from pentad.kernels.types import Float32s, Int8s, Int16s, Int32s, Int64s, Rows, RowSize

ONE = 1 << FRACTION
WHOLE = STEP << FRACTION
LARGEST = (1 << 15) - 1  # no weight is larger
FIRST, MIDDLE, SECOND, THIRD = np.uint64(0), np.uint64(8), np.uint64(16), np.uint64(24)  # vectors begin at these places


@kernel
def score_of(one: Int16s, other: Int16s, marbles: int, net: Net, units: Int16s) -> int:
    """The score of a board whose units are the sum of two rows; `units` is room for `WIDTH` numbers."""
    layer, head, direct = net.layer, net.heads[marbles], net.direct[marbles]
    zero, half = same_shorts(0), same_shorts(SYMMETRIES // 2)
    totals = zero
    for g in range(SYMMETRIES):
        j = np.uint64(WIDTH * g)
        part = larger(load_shorts(one, j) + load_shorts(other, j), zero)
        totals = totals + (part + half >> 3)  # the half rounds the eighth
    store(units, FIRST, totals)
    low, high = load_words(head, FIRST), load_words(head, MIDDLE)
    for pair in range(WIDTH // 2):
        both, column = repeat_pair(units, np.uint64(2 * pair)), layer[pair]
        low = low + products(load_shorts(column, FIRST), both)
        high = high + products(load_shorts(column, SECOND), both)
    least, most = same_words(0), same_words(CEILING)
    low, high = smaller(larger(low >> FRACTION, least), most), smaller(larger(high >> FRACTION, least), most)
    deep = low * load_words(head, SECOND) + high * load_words(head, THIRD)
    logit = np.int32(total(deep + products(totals, load_shorts(direct, FIRST))) + head[2 * DEEP])
    score = np.int64(logit) * GRAIN >> (FRACTION + STEP_BITS)
    return min(max(score, -MOST + 1), MOST - 1)


@kernel
def evaluate(board: Int64s, marbles: int, net: Net, parts: Rows[Int16s], units: Int16s) -> int:
    """The score of a board for the player to move; `parts` has at least two rows of room."""
    rows = net.rows
    r0, r1, r2, r3 = rows[0, board[0]], rows[1, board[1]], rows[2, board[2]], rows[3, board[3]]
    one, other = parts[0], parts[1]
    for j in range(ROW):
        one[j] = r0[j] + r1[j]
        other[j] = r2[j] + r3[j]
    return score_of(one, other, marbles, net, units)


# ── weights in integers ──────────────────────────────────────────────────────────────────────────


@kernel
def list_patterns(least: int, most: int, patterns: Int16s) -> int:
    """Lists the patterns with `least` to `most` marbles; returns their number."""
    count = 0
    for pattern in range(PATTERNS):
        rest, marbles = pattern, 0
        while rest:
            marbles += rest % 3 != 0
            rest //= 3
        if least <= marbles <= most:
            patterns[count] = pattern
            count += 1
    return count


@kernel
def fill_rows(
    tables: Annotated[Rows[Int8s], RowSize(WIDTH)], step: Float32s, symmetries: Images,
    levels: Annotated[Rows[Int16s], RowSize(LEVELS_OF_UNIT)], patterns: Int16s,
    rows: Annotated[Rows[Rows[Int16s]], RowSize(PATTERNS, ROW)], least: int, most: int,
) -> None:  # fmt: skip
    """Fills the rows of patterns with `least` to `most` marbles from the tables of their contributions.

    Each unit of the tables has a step of its own. `levels` is room for what each number of a table is in a unit,
    `patterns` for all patterns.
    """
    count = list_patterns(least, most, patterns)
    for unit in range(WIDTH):
        for level in range(LEVELS_OF_UNIT):
            part = np.float32(np.float32(level - LEVELS_OF_UNIT // 2) * step[unit])
            levels[unit, level] = np.int16(min(max(np.rint(part * np.float32(STEP)), -8000), 8000))
    for q in range(4):
        for i in range(count):
            row, stored = rows[q, patterns[i]], tables[q * count + i]
            for unit in range(WIDTH):
                row[unit] = levels[unit, stored[unit] + LEVELS_OF_UNIT // 2]
    for g in range(1, SYMMETRIES):  # the first is the identity; an image has as many marbles
        begin, image = np.uint64(WIDTH * g), symmetries.images[g]
        for q in range(4):
            own, others = rows[q], rows[symmetries.corners[g, q]]
            for i in range(count):
                copy_shorts(own[patterns[i]], begin, others[image[patterns[i]]], FIRST)


@kernel
def weight(value: float) -> int:
    """A weight as an integer."""
    return np.int16(min(max(np.rint(value * np.float32(ONE)), -LARGEST), LARGEST))


@kernel
def fill_heads(
    layer: Annotated[Rows[Float32s], RowSize(DEEP)], heads: Annotated[Rows[Float32s], RowSize(HEAD)],
    pairs: Annotated[Rows[Int16s], RowSize(2 * DEEP)], whole_heads: Annotated[Rows[Int32s], RowSize(WHOLE_HEAD)],
    direct: Annotated[Rows[Int16s], RowSize(WIDTH)],
) -> None:  # fmt: skip
    """Fills the layer, the heads and their direct weights from the values.

    `pairs` has for each two units their weights for each unit of the layer side by side.
    """
    for unit in range(WIDTH):
        for m in range(DEEP):
            pairs[unit // 2, 2 * m + unit % 2] = weight(layer[unit, m])
    for marbles in range(BUCKETS):
        for j in range(WHOLE_HEAD):
            is_bias = j < DEEP or j == 2 * DEEP
            scale = np.float32(WHOLE) if is_bias else np.float32(ONE)
            whole_heads[marbles, j] = np.int32(np.rint(heads[marbles, j] * scale))
        for unit in range(WIDTH):
            direct[marbles, unit] = weight(heads[marbles, WHOLE_HEAD + unit])
