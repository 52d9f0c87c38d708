"""Kernels of Connect Four: moves and evaluation, which alpha-beta and tree search need.

A state is the seat to move, the ply, the number of players, and the discs of each seat as bits: seven for each column,
from the bottom, of which the seventh stays empty. A step is a column.
"""

import numpy as np
from numpy.typing import NDArray

from pentad.kernels.decorator import kernel
from pentad.search.constants import PLY, SEAT
from pentad.search.kernels import searches

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]
DISCS, SIZE = 3, 5
COLUMNS, ROWS, STRIDE = 7, 6, 7
CELLS = sum(((1 << ROWS) - 1) << STRIDE * column for column in range(COLUMNS))
BOTTOM = sum(1 << STRIDE * column for column in range(COLUMNS))
CENTRE = ((1 << ROWS) - 1) << STRIDE * (COLUMNS // 2)


@kernel
def has_four(discs: int) -> bool:
    """Whether there are four in a row: up, along, and in both diagonals."""
    for step in (1, STRIDE, STRIDE - 1, STRIDE + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@kernel
def completing(discs: int) -> int:
    """The cells on which one more disc completes four in a row."""
    found = discs << 1 & discs << 2 & discs << 3
    for step in (STRIDE, STRIDE - 1, STRIDE + 1):
        left, right = discs << step & discs << 2 * step, discs >> step & discs >> 2 * step
        found |= left & discs << 3 * step | left & discs >> step | right & discs << step | right & discs >> 3 * step
    return found & CELLS


@kernel
def count(bits: int) -> int:
    """The number of bits set."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


@kernel
def steps(state: Ints, out: Ints) -> int:
    """Lists the columns that are not full."""
    both, found = state[DISCS] | state[DISCS + 1], 0
    for column in range(COLUMNS):
        if not both >> (STRIDE * column + ROWS - 1) & 1:
            out[found] = column
            found += 1
    return found


@kernel
def play(state: Ints, step: int) -> None:
    """Drops a disc: adding to a column's bits from the bottom sets the first that is clear."""
    both = state[DISCS] | state[DISCS + 1]
    column = ((1 << ROWS) - 1) << STRIDE * step
    state[DISCS + state[SEAT]] |= (both + (1 << STRIDE * step)) & column & ~both
    state[SEAT] = 1 - state[SEAT]
    state[PLY] += 1


@kernel
def is_over(state: Ints) -> bool:
    """Whether the last player has four in a row, or the board is full."""
    return bool(state[PLY] == COLUMNS * ROWS) or has_four(state[DISCS + 1 - state[SEAT]])


@kernel
def evaluate(state: Ints, weights: Shorts, value: Floats, work: Ints) -> None:  # noqa: ARG001 - it needs neither weights nor memory
    """The share of the win, by the cells that complete four and the discs in the middle."""
    seat = state[SEAT]
    mine, theirs = state[DISCS + seat], state[DISCS + 1 - seat]
    if has_four(theirs):
        share = 0.0
    elif state[PLY] == COLUMNS * ROWS:
        share = 0.5
    else:
        empty = CELLS & ~(mine | theirs)
        lead = 6 * (count(completing(mine) & empty) - count(completing(theirs) & empty))
        lead += count(mine & CENTRE) - count(theirs & CENTRE)
        share = 0.5 + 0.4 * lead / (20.0 + abs(lead))
    value[seat], value[1 - seat] = share, 1.0 - share


@kernel
def signature(state: Ints) -> int:
    """A number of its own for each board: one seat's discs, and the lowest empty cell of each column."""
    return int(state[DISCS] + (state[DISCS] | state[DISCS + 1]) + BOTTOM)


@kernel
def width(depth: int, within: bool) -> int:  # noqa: ARG001
    """Alpha-beta searches every column."""
    return COLUMNS


NATIVE = searches(
    __name__,
    steps=steps,
    play=play,
    evaluate=evaluate,
    is_over=is_over,
    signature=signature,
    width=width,
    size=SIZE,
    most_steps=COLUMNS,
    seats=2,
)
