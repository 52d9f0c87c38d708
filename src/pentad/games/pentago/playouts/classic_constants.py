"""The bits of a classic board's marbles, which its random games and their kernels share."""

from __future__ import annotations

from pentad.games.pentago.board import board

CLASSIC = board(2, 2, 3, 5)
# The spaces of a sub-board, by row and column, in the order of their bits: the rim clockwise, then the centre.
RING = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (1, 1))
RIM = 8
SUB_BOARD_BITS = 16
BITS = [
    SUB_BOARD_BITS * (CLASSIC.sub_board_of(row, column) - 1) + RING.index((row % 3, column % 3))
    for row, column in CLASSIC.places
]  # each space has one
EARLIEST = 2 * CLASSIC.line - 1  # marbles on the board when there can first be a line
