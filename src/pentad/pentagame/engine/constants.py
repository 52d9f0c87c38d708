"""Numbers that the engine and its kernels share: the parts of a state, steps, weights, and entries of arrays.

A state is an `int64` array with the parts of every game's (see `pentad.search.constants`) and those named below. Fields
have the numbers of `board`; the occupied ones are stored twice, by the figures and as two bit sets. A step is one
integer (`PIECE_STEP` and so on).
"""

from __future__ import annotations

from pentad.search.constants import PLAYERS as PLAYERS
from pentad.search.constants import PLY as PLY
from pentad.search.constants import SEAT as SEAT

# ── the parts of a state ─────────────────────────────────────────────────────────────────────────

FIRST_TO_THREE, NO_SWAP_BACK, MAX_PLY = 3, 4, 5  # after those of every game
BLACK_DUE, GRAYS_DUE, SWAPPED, PARTNER = 6, 7, 8, 9  # due blocks; the pair of a swap, -1 for none
LOW, HIGH = 10, 11  # the occupied fields
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

# Room for an evaluation: turns and choke points of the pieces; taken stops of the edges, then taken fields and choke
# points before a goal for each corner and junction; the memo of `kernels.ways_of`.
TURNS, CHOKED, COUNTS, BETWEEN, NARROW = 0, 25, 50, 70, 80
MEMO, MEMO_ROW, MEMO_ROWS = 90, 52, 509
WORK = MEMO + MEMO_ROW * MEMO_ROWS

# ── weights ──────────────────────────────────────────────────────────────────────────────────────
#
# The cost of a piece one, two, three, or four and more turns from its goal, each with no choke point on its path, one,
# or two and more, for the seat to move, then for the others; the weight of the fourth and fifth piece beside the best
# three; the cost of moving later; the value of a black and of a gray block in hand; the scale of the sum. First those
# for two players, then those for more.
#
# They were found by games (see `learn`): 4,300 pairs of games of two players with 100 visits a turn, 600 with 400; from
# there on, 1,900 pairs of games of four with 60 visits.

COSTS, OTHERS, TEMPO, BLACK_IN_HAND, GRAY_IN_HAND, RACE, SET = 0, 24, 25, 26, 27, 28, 29
OF_TWO = (
    *(0.736, 0.862, 1.014),
    *(2.029, 2.160, 2.317),
    *(2.790, 2.846, 2.914),
    *(3.871, 3.834, 3.791),
    *(1.000, 1.183, 1.521),
    *(2.006, 2.155, 2.430),
    *(2.754, 2.893, 3.150),
    *(3.910, 3.932, 3.971),
    *(0.211, 0.502, -0.638, -0.188, 0.572),
)
OF_MORE = (
    *(0.668, 0.735, 0.824),
    *(2.130, 2.236, 2.380),
    *(2.939, 3.056, 3.213),
    *(3.858, 3.877, 3.904),
    *(1.000, 1.255, 1.723),
    *(1.959, 2.118, 2.410),
    *(2.725, 2.836, 3.042),
    *(3.691, 3.689, 3.684),
    *(0.173, 0.346, -0.823, -0.142, 0.558),
)
WEIGHTS = (*OF_TWO, *OF_MORE)
FARTHEST, MAX_CHOKES = 4, 2
SETTINGS = (16.0, 0.8, 0.5, 0.0, 0.0)  # of the search: sharpness, exploration, minimax, noise, contempt
