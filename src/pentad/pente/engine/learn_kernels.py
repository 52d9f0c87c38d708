"""Kernels of the training: the codes that the evaluation of a position uses, and the sums of the fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pente.engine.constants import AXES, CODES, EDGE, EMPTY, HELD, REACH, SIZE, STRIDE
from pentad.pente.engine.position_kernels import Codes, Words

Floats = NDArray[np.float64]


@kernel
def codes_seen(board: Codes, state: Words, entries: Codes, out: Codes) -> int:
    """Writes the codes around empty points where a line is possible and the colours differ; returns their number."""
    size, count = state[SIZE], 0
    half = 2 * state[REACH]
    for row in range(EDGE, EDGE + size):
        for point in range(row * STRIDE, row * STRIDE + size):
            if board[HELD + point] != EMPTY:
                continue
            for axis in range(AXES):
                code = board[CODES + AXES * point + axis]
                if entries[code] & 255 and code >> half != code & ((1 << half) - 1):
                    out[count] = code
                    count += 1
    return count


@kernel
def sums_of(values: Floats, codes: NDArray[np.uint32], ends: Words, out: Floats) -> None:
    """The sum of the values of each position's codes."""
    begin = 0
    for i in range(len(ends)):
        total = 0.0
        for j in range(begin, ends[i]):
            total += values[codes[j]]
        out[i] = total
        begin = ends[i]


@kernel
def shares_of(errors: Floats, codes: NDArray[np.uint32], ends: Words, out: Floats) -> None:
    """The sum of the errors over the occurrences of each code: its gradient."""
    out[:] = 0
    begin = 0
    for i in range(len(ends)):
        for j in range(begin, ends[i]):
            out[codes[j]] += errors[i]
        begin = ends[i]


NATIVE = {
    "codes_seen": (codes_seen, "int32[] int64[] int32[] int32[]"),
    "sums_of": (sums_of, "float64[] uint32[] int64[] float64[]"),
    "shares_of": (shares_of, "float64[] uint32[] int64[] float64[]"),
}
