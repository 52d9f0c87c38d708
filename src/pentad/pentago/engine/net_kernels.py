"""The evaluation: what a board is worth to the player to move, by tables over sub-boards and a small layer.

Each sub-board's pattern has a row of `WAYS` × `WIDTH` numbers: what it adds to `WIDTH` units of the board seen in each
of the eight ways. The positive parts of the units, summed over the ways, go through a layer of `DEEP` units with
biases and outputs of their own for every number of marbles. A net is the tuple of these arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel
from pentad.pentago.engine import tables

WIDTH, DEEP = 16, 16  # as many deep ones as units, each of which goes straight to the output too
LAYERS = DEEP + WIDTH
ROW = tables.WAYS * WIDTH
STEP = 256  # of a table's number: 1.0 is so many
BUCKETS = 37
HEAD = 2 * DEEP + 1 + WIDTH  # of a number of marbles: biases, outputs, the bias of the output, outputs of the units
GRAIN = 1000  # of a score: the logarithm of the odds times so many
MOST = 20_000  # a score that is not proved is less
Floats = NDArray[np.float32]
Net = tuple[NDArray[np.int16], Floats, Floats]
NET_TYPE = "Tuple((int16[:,:,::1], float32[:,::1], float32[:,::1]))"


def net_of(parts: Floats, layer: Floats, heads: Floats) -> Net:
    """The net whose tables say what each pattern adds in each of the four corners: `parts[corner, pattern, unit]`."""
    whole = np.clip(np.rint(parts * STEP), -8000, 8000).astype(np.int16)
    rows = np.empty((4, tables.PATTERNS, ROW), dtype=np.int16)
    for q in range(4):
        for g in range(tables.WAYS):
            rows[q, :, WIDTH * g : WIDTH * (g + 1)] = whole[tables.CORNER[g, q]][tables.WAY[g]]
    return (rows, np.ascontiguousarray(layer, np.float32), np.ascontiguousarray(heads, np.float32))


@kernel(f"int64(int16[::1], int16[::1], int64, {NET_TYPE}, int16[::1], float32[::1])")
def score_of(
    one: NDArray[np.int16], other: NDArray[np.int16], marbles: int, net: Net, units: NDArray[np.int16], deep: Floats
) -> int:
    """The score of a board whose units are two rows together. Room: `units` for `ROW`, `deep` for `LAYERS` numbers."""
    _, layer, heads = net
    head = heads[marbles]
    bias, out, straight, totals = head[:DEEP], head[DEEP : 2 * DEEP], head[2 * DEEP + 1 :], deep[DEEP:]
    for j in range(ROW):
        units[j] = max(np.int16(one[j] + other[j]), np.int16(0))
    for k in range(WIDTH):
        total = np.int32(units[k]) + units[k + WIDTH] + units[k + 2 * WIDTH] + units[k + 3 * WIDTH]
        total += units[k + 4 * WIDTH] + units[k + 5 * WIDTH] + units[k + 6 * WIDTH] + units[k + 7 * WIDTH]
        totals[k] = np.float32(total) * np.float32(1.0 / STEP / 8)
    for m in range(DEEP):  # in halves and quarters: sums that need not wait for each other
        first, second = bias[m], np.float32(0)
        for k in range(WIDTH // 2):
            first += layer[k, m] * totals[k]
        for k in range(WIDTH // 2, WIDTH):
            second += layer[k, m] * totals[k]
        deep[m] = max(first + second, np.float32(0)) * out[m] + straight[m] * totals[m]
    worth = head[2 * DEEP]
    for m in range(0, DEEP, 4):
        worth += (deep[m] + deep[m + 1]) + (deep[m + 2] + deep[m + 3])
    score = np.int64(worth * np.float32(GRAIN))
    return int(min(max(score, np.int64(-MOST + 1)), np.int64(MOST - 1)))


@kernel(f"int64(int64, int64, int64, int64, int64, {NET_TYPE}, int16[::1], float32[::1])")
def evaluate(p0: int, p1: int, p2: int, p3: int, marbles: int, net: Net, units: NDArray[np.int16], deep: Floats) -> int:
    """The score of a board for its mover."""
    rows = net[0]
    r0, r1, r2, r3 = rows[0, p0], rows[1, p1], rows[2, p2], rows[3, p3]
    one, other = np.empty(ROW, np.int16), np.empty(ROW, np.int16)
    for j in range(ROW):
        one[j] = r0[j] + r1[j]
        other[j] = r2[j] + r3[j]
    return score_of(one, other, marbles, net, units, deep)
