"""The evaluation: a small neural net over tables of sub-board patterns.

Each sub-board's pattern has a row of `SYMMETRIES` × `WIDTH` numbers: its contribution to `WIDTH` units for each of the
eight symmetries of the board. The positive parts of the units, summed over the symmetries, go through a layer of `DEEP`
units, with separate biases and output weights for every number of marbles. A net is the tuple of these arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentago.engine.constants import DEEP, GRAIN, MOST, ROW, STEP, WIDTH

Floats = NDArray[np.float32]
Shorts = NDArray[np.int16]
Net = tuple[Shorts, Floats, Floats]  # the rows of patterns, the layer, the heads
NET_TYPE = "Tuple((int16[:,:,::1], float32[:,::1], float32[:,::1]))"


@kernel(f"int64(int16[::1], int16[::1], int64, {NET_TYPE}, int16[::1], float32[::1])")
def score_of(
    one: NDArray[np.int16], other: NDArray[np.int16], marbles: int, net: Net, units: NDArray[np.int16], deep: Floats
) -> int:
    """The score of a board whose units are the sum of two rows; `units` and `deep` are scratch arrays."""
    _, layer, heads = net
    head = heads[marbles]
    bias, out, straight, totals = head[:DEEP], head[DEEP : 2 * DEEP], head[2 * DEEP + 1 :], deep[DEEP:]
    for j in range(ROW):
        units[j] = max(np.int16(one[j] + other[j]), np.int16(0))
    for k in range(WIDTH):
        total = np.int32(units[k]) + units[k + WIDTH] + units[k + 2 * WIDTH] + units[k + 3 * WIDTH]
        total += units[k + 4 * WIDTH] + units[k + 5 * WIDTH] + units[k + 6 * WIDTH] + units[k + 7 * WIDTH]
        totals[k] = np.float32(total) * np.float32(1.0 / STEP / 8)
    for m in range(DEEP):  # in halves and quarters: independent sums
        first, second = bias[m], np.float32(0)
        for k in range(WIDTH // 2):
            first += layer[k, m] * totals[k]
        for k in range(WIDTH // 2, WIDTH):
            second += layer[k, m] * totals[k]
        deep[m] = max(first + second, np.float32(0)) * out[m] + straight[m] * totals[m]
    logit = head[2 * DEEP]
    for m in range(0, DEEP, 4):
        logit += (deep[m] + deep[m + 1]) + (deep[m + 2] + deep[m + 3])
    score = np.int64(logit * np.float32(GRAIN))
    return int(min(max(score, np.int64(-MOST + 1)), np.int64(MOST - 1)))


@kernel(f"int64(int64[::1], int64, {NET_TYPE}, int16[:,::1], float32[::1])")
def evaluate(board: NDArray[np.int64], marbles: int, net: Net, parts: NDArray[np.int16], deep: Floats) -> int:
    """The score of a board for the player to move; `parts` has at least three rows of room."""
    rows = net[0]
    r0, r1, r2, r3 = rows[0, board[0]], rows[1, board[1]], rows[2, board[2]], rows[3, board[3]]
    one, other = parts[0], parts[1]
    for j in range(ROW):
        one[j] = r0[j] + r1[j]
        other[j] = r2[j] + r3[j]
    return score_of(one, other, marbles, net, parts[2], deep)
