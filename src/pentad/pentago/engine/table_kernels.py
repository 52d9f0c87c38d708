"""Kernels that fill the engine's lookup tables: quarter turns, colours, lines and symmetries of patterns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel
from pentad.pentago.engine.constants import CELLS, PATTERNS, STEP, SYMMETRIES, WIDTH

Ints = NDArray[np.int64]
Shorts = NDArray[np.int16]


@kernel
def moved(pattern: int, to: Ints, exchange: int) -> int:
    """The image of a pattern if cell `i` moves to `to[i]`; with `exchange` the colours change too."""
    image = 0
    for i in range(CELLS):
        digit = pattern % 3
        pattern //= 3
        if exchange and digit:
            digit = 3 - digit
        for _ in range(to[i]):
            digit *= 3
        image += digit
    return image


@kernel
def fill_tables(
    spaces: Ints, lines: NDArray[np.uint64], images_of: Ints, sets: NDArray[np.uint32], turn: Shorts,
    exchange: Shorts, images: Shorts, cells: Ints,
) -> None:  # fmt: skip
    """Fills the tables; `cells` is room for nine numbers.

    `sets[q, p]` gets four sets of lines for sub-board `q` with pattern `p`: those whose spaces there all belong to the
    mover, those that lack one marble on an empty space, and the same for the opponent. `images_of` has for each
    symmetry the images of the first sub-board's cells.
    """
    for i in range(CELLS):
        cells[i] = i
    for p in range(PATTERNS):
        exchange[p] = moved(p, cells, 1)
    for direction in range(2):
        for i in range(CELLS):
            cells[i] = 3 * (2 - i % 3) + i // 3 if direction else 3 * (i % 3) + 2 - i // 3
        for p in range(PATTERNS):
            turn[direction, p] = moved(p, cells, 0)
    for g in range(SYMMETRIES):
        for i in range(CELLS):
            cells[i] = images_of[g, i]
        for p in range(PATTERNS):
            images[g, p] = moved(p, cells, 0)
    for q in range(4):
        for p in range(PATTERNS):
            for number in range(len(lines)):
                add_line(p, spaces[q], lines[number], number, sets[q, p])


@kernel
def add_line(pattern: int, spaces: Ints, line: np.uint64, number: int, sets: NDArray[np.uint32]) -> None:
    """Adds a line to the sets of a pattern that it belongs to."""
    length, empty, mine, theirs = 0, 0, 0, 0
    for i in range(CELLS):
        digit = pattern % 3
        pattern //= 3
        if (line >> np.uint64(spaces[i])) & np.uint64(1):
            length += 1
            empty += digit == 0
            mine += digit == 1
            theirs += digit == 2
    bit = np.uint32(1) << np.uint32(number)
    for colour in range(2):
        held = theirs if colour else mine
        if held == length:
            sets[2 * colour] |= bit
        if held == length - 1 and empty == 1:
            sets[2 * colour + 1] |= bit


@kernel
def fill_rows(
    tables: NDArray[np.int8], step: NDArray[np.float32], images: Shorts, corners: Ints, rows: NDArray[np.int16]
) -> None:
    """Fills the rows of the evaluation from the tables of contributions, whose units have steps of their own."""
    for q in range(4):
        for g in range(SYMMETRIES):
            corner = corners[g, q]
            for p in range(PATTERNS):
                image = images[g, p]
                for unit in range(WIDTH):
                    part = np.float32(tables[corner, image, unit]) * step[unit]
                    rows[q, p, WIDTH * g + unit] = np.int16(min(max(np.rint(part * np.float32(STEP)), -8000), 8000))
