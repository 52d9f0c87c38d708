"""The evaluation: a small neural net over tables of sub-board patterns, in integers.

Each sub-board's pattern has a row of `SYMMETRIES` × `WIDTH` numbers: its contribution to `WIDTH` units for each of the
eight symmetries of the board. The positive parts of the units, averaged over the symmetries, go through a layer of
`DEEP` units, with separate biases and output weights for every number of marbles. A net is the tuple of these arrays.
Units are in steps of 1 / `STEP`; weights have `FRACTION` more bits, and biases both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentago.engine.constants import (
    BUCKETS,
    CEILING,
    DEEP,
    FRACTION,
    GRAIN,
    HEAD,
    MOST,
    PATTERNS,
    ROW,
    STEP,
    STEP_BITS,
    SYMMETRIES,
    WIDTH,
)

Floats = NDArray[np.float32]
Shorts = NDArray[np.int16]
Words = NDArray[np.int32]
Net = tuple[Shorts, Words, Words]  # the rows of patterns, the layer, the heads
NET_TYPE = "Tuple((int16[:,:,::1], int32[:,::1], int32[:,::1]))"

ONE = 1 << FRACTION
WHOLE = STEP << FRACTION


@kernel(f"int64(int16[::1], int16[::1], int64, {NET_TYPE}, int32[::1])")
def score_of(one: Shorts, other: Shorts, marbles: int, net: Net, units: Words) -> int:
    """The score of a board whose units are the sum of two rows; `units` is room for `WIDTH` numbers.

    The loops store nothing that they read, and all their numbers fit into 32 bits, so that compilers vectorise them.
    """
    _, layer, heads = net
    head = heads[marbles]
    out, straight = head[DEEP : 2 * DEEP], head[2 * DEEP + 1 :]
    for k in range(WIDTH):
        total = np.int16(0)
        for g in range(SYMMETRIES):
            part = max(np.int16(one[WIDTH * g + k] + other[WIDTH * g + k]), np.int16(0))
            total += (part + np.int16(SYMMETRIES // 2)) >> np.int16(3)  # an eighth, rounded
        units[k] = total
    logit = head[2 * DEEP]
    for m in range(DEEP):
        deep = np.int32(head[m])
        for k in range(WIDTH):
            deep = np.int32(deep + np.int32(layer[k, m] * units[k]))
        deep = min(max(np.int32(deep >> np.int32(FRACTION)), np.int32(0)), np.int32(CEILING))
        logit = np.int32(logit + np.int32(out[m] * deep))
    for k in range(WIDTH):
        logit = np.int32(logit + np.int32(straight[k] * units[k]))
    score = np.int64(logit) * GRAIN >> (FRACTION + STEP_BITS)
    return int(min(max(score, np.int64(-MOST + 1)), np.int64(MOST - 1)))


@kernel(f"int64(int64[::1], int64, {NET_TYPE}, int16[:,::1], int32[::1])")
def evaluate(board: NDArray[np.int64], marbles: int, net: Net, parts: NDArray[np.int16], units: Words) -> int:
    """The score of a board for the player to move; `parts` has at least two rows of room."""
    rows = net[0]
    r0, r1, r2, r3 = rows[0, board[0]], rows[1, board[1]], rows[2, board[2]], rows[3, board[3]]
    one, other = parts[0], parts[1]
    for j in range(ROW):
        one[j] = r0[j] + r1[j]
        other[j] = r2[j] + r3[j]
    return score_of(one, other, marbles, net, units)


# ── weights in integers ──────────────────────────────────────────────────────────────────────────


@kernel
def fill_rows(
    tables: NDArray[np.int8], step: Floats, images: Shorts, corners: NDArray[np.int64], rows: NDArray[np.int16]
) -> None:
    """Fills the rows of patterns from the tables of contributions, whose units have steps of their own."""
    for q in range(4):
        for g in range(SYMMETRIES):
            corner = corners[g, q]
            for p in range(PATTERNS):
                image = images[g, p]
                for unit in range(WIDTH):
                    part = np.float32(tables[corner, image, unit]) * step[unit]
                    rows[q, p, WIDTH * g + unit] = np.int16(min(max(np.rint(part * np.float32(STEP)), -8000), 8000))


@kernel
def fill_heads(layer: Floats, heads: Floats, whole_layer: Words, whole_heads: Words) -> None:
    """Fills the layer and the heads from their values."""
    for k in range(WIDTH):
        for m in range(DEEP):
            whole_layer[k, m] = np.int32(np.rint(layer[k, m] * np.float32(ONE)))
    for marbles in range(BUCKETS):
        for j in range(HEAD):
            is_bias = j < DEEP or j == 2 * DEEP
            scale = np.float32(WHOLE) if is_bias else np.float32(ONE)
            whole_heads[marbles, j] = np.int32(np.rint(heads[marbles, j] * scale))
