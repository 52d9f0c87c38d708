"""Lookup tables of the engine's kernels: patterns of sub-boards, their quarter turns, and their lines.

A sub-board's pattern is a number of nine base-3 digits, one for each space in reading order: 0 empty, 1 the mover's, 2
the opponent's. A board is four patterns. Lines of five are 32 bits. `LINES[q, p]` has four sets of lines for sub-board
`q` with pattern `p`: those whose spaces there all belong to the mover, those that lack one marble on an empty space,
and the same for the opponent. Four look-ups and a few `and`s find every five.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.pentago.board import Board, board, symmetries

CLASSIC = board(2, 2, 3, 5)
PATTERNS = 3**9
POWERS = 3 ** np.arange(9, dtype=np.int64)
DIGITS = (np.arange(PATTERNS)[:, None] // POWERS % 3).astype(np.int8)
SYMMETRIES = 8  # the symmetries of the board


def _spaces(of: Board) -> NDArray[np.int64]:
    """The space of each cell of each sub-board."""
    corners = (of.corner(sub_board) for sub_board in of.sub_boards)
    return np.array([[of.space(r + i // 3, c + i % 3) for i in range(9)] for r, c in corners])


SPACES = _spaces(CLASSIC)
CELL_OF = {int(space): (q, i) for q in range(4) for i, space in enumerate(SPACES[q])}


def _moved(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """The image of each pattern if cell `i` moves to `cells[i]`."""
    return DIGITS.astype(np.int64) @ POWERS[cells]


def _turns() -> NDArray[np.int16]:
    """The patterns after a quarter turn clockwise and anti-clockwise."""
    clockwise = np.array([3 * (i % 3) + 2 - i // 3 for i in range(9)])
    anticlockwise = np.array([3 * (2 - i % 3) + i // 3 for i in range(9)])
    return np.stack([_moved(clockwise), _moved(anticlockwise)]).astype(np.int16)


def _line_sets() -> NDArray[np.uint32]:
    """For each sub-board and pattern: complete lines and lines that lack one, of the mover and of the opponent."""
    sets = np.zeros((4, PATTERNS, 4), dtype=np.uint32)
    for number, line in enumerate(CLASSIC.lines):
        for q in range(4):
            cells = [i for i in range(9) if line >> int(SPACES[q, i]) & 1]
            here = DIGITS[:, cells]
            empty = (here == 0).sum(axis=1)
            for colour in (1, 2):
                held = (here == colour).sum(axis=1)
                full, lacking = held == len(cells), (held == len(cells) - 1) & (empty == 1)
                sets[q, :, 2 * colour - 2] |= full.astype(np.uint32) << np.uint32(number)
                sets[q, :, 2 * colour - 1] |= lacking.astype(np.uint32) << np.uint32(number)
    return sets


def _symmetries() -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """For each symmetry the images of the patterns and of the sub-boards; the identity first."""
    patterns, corners = [], []
    for symmetry in symmetries(CLASSIC):
        images = [[CELL_OF[symmetry.spaces[int(space)]] for space in row] for row in SPACES]
        corners.append([row[0][0] for row in images])
        patterns.append(_moved(np.array([i for _, i in images[0]])))
    return np.stack(patterns).astype(np.int16), np.array(corners, dtype=np.int64)


TURN = _turns()
EXCHANGE = (np.where(DIGITS == 0, 0, 3 - DIGITS).astype(np.int64) @ POWERS).astype(np.int16)  # the colours
LINES = _line_sets()
IMAGES, CORNER = _symmetries()
COUNT = (DIGITS > 0).sum(axis=1).astype(np.int64)
