"""Numbers that the engine and its kernels share: the parts of a state, steps, weights, and entries of arrays.

A state is an `int64` array with the parts of every game's (see `pentad.search.constants`) and those named below. Fields
have the numbers of `board`; the occupied ones are stored twice, by the figures and as two bit sets. A step is one
integer (`PIECE_STEP` and so on).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pentad.kernels.parameters import with_rows
from pentad.kernels.types import Int64s, RowSize
from pentad.search.constants import PLAYERS as PLAYERS
from pentad.search.constants import PLY as PLY
from pentad.search.constants import SEAT as SEAT
from pentad.search.constants import SeenCounts, TreeArrays

# ── the parts of a state ─────────────────────────────────────────────────────────────────────────

FIRST_TO_THREE, NO_SWAP_BACK, MAX_PLY = 3, 4, 5  # they follow those of every game
BLACK_DUE, GRAYS_DUE, SWAPPED, PARTNER = 6, 7, 8, 9  # due blocks; the pair of a swap, -1 for none
LOW, HIGH = 10, 11  # the occupied fields as bits
PIECES, BLACKS, GRAYS, LASTS = 12, 37, 42, 47  # 5 x 5 pieces, 5 + 5 blocks, 5 x 4 of a previous move
SIZE = 67
NOWHERE = -1
SPLIT = 40  # the first field of the second bit set
HOME_WINS = 3
WON = 1 - 1e-9  # the lowest value of a win

# Steps: kind in the highest digits. A piece: (piece * 100 + to) * 26 + partner + 1; a block: figure 0-4, to.
PIECE_STEP, LEAVE_STEP, BLACK_STEP, GRAY_STEP = 0, 20_000, 30_000, 40_000
MAX_STEPS = 520  # of one stage: at most 485 piece moves or five times ninety gray ones
SEATS = 5

FARTHEST, MAX_CHOKES = 4, 2  # turns and choke points that the evaluation tells apart

# Room for an evaluation: turns and choke points of the pieces; taken stops of the edges; the rows of the net; its
# units; the memo of `position_kernels.ways_of`.
TURNS, CHOKED, COUNTS, ROWS, UNITS = 0, 25, 50, 70, 100
MEMO, MEMO_ROW, MEMO_ROWS = 112, 52, 509
WORK = MEMO + MEMO_ROW * MEMO_ROWS

# ── the net ──────────────────────────────────────────────────────────────────────────────────────
#
# A position has one row of weights for each piece, by the seat's turns until it moves, the piece's turns to its goal
# and its choke points; and some for the rest: the black block due, the gray blocks due, the seat to move with either
# end of the game, the gray blocks in the pool. A row has weights for the units of the first layer, then for the
# logarithm of each seat's chance. After the rows come the biases of their sum, the second layer, its biases, and its
# weights for the chances.

KINDS = 1 + FARTHEST * (MAX_CHOKES + 1)  # a piece has one of these
BLACK, GRAY, MOVER, POOL = 0, 2, 5, 15  # the rows after those of the pieces
REST = 21
HIDDEN, CHANCES = 16, 8  # units of each layer; chances, of which the last are not used
ROW = 2 * HIDDEN
LAYER = HIDDEN * HIDDEN  # for each two units of the first layer their weights side by side
INPUTS = {players: KINDS * players + REST for players in range(2, SEATS + 1)}  # the rows of the first layer
NETS = {
    players: (inputs + 1) * ROW + LAYER + HIDDEN + HIDDEN * CHANCES for players, inputs in INPUTS.items()
}  # the numbers of their weights
STEP_BITS, FRACTION = 9, 12  # units and biases are in steps of 1 / 512; weights of the layers of 1 / 4096
LARGEST_ROW, LARGEST_WEIGHT = 2.2, 7.9  # bounds of the weights, so that no sum overflows

# ── records ──────────────────────────────────────────────────────────────────────────────────────

if TYPE_CHECKING:
    Tree = TreeArrays
else:
    Tree = with_rows(TreeArrays, values=RowSize(SEATS), evaluations=RowSize(SEATS))


class ChoiceArrays(NamedTuple):
    """All that the choice of a turn reads and writes (see `choice_kernels`)."""

    tree: Tree
    counts: SeenCounts
    steps: Int64s
    seeds: Int64s  # random bits for each search, not 0
    state: Int64s
