"""The parts of the state and rules of a game of Pentago, which the kernels of many games and their driver share."""

from __future__ import annotations

from typing import NamedTuple

from pentad.kernels.types import UInt8s, UInt64s, Word

# The parts of a game's state after those of every game, for any board: the winners as bits, -1 before the end; whether
# the twist is still to come; the number of marbles; the cell of the last one; the board of cells.
RESULT, PLACED, HELD, LAST, CELLS = 3, 4, 5, 6, 7
# The rules are the numbers of `BoardRules`, then its arrays.
SPACES, TWISTS, LINE, STRIDE, PLAYERS, PLACEMENT_WINS, MOVING, NUMBERS = range(8)


class ClassicGames(NamedTuple):
    """Random games from a position of the classic board, by bits of `classic_kernels`."""

    empty: UInt8s  # of the empty spaces
    order: UInt8s  # room for as many
    log: UInt64s
    counts: UInt64s
    mover: Word
    other: Word
    seat: Word
    placed: Word
    placement_wins: Word
