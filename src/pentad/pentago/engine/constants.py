"""Numbers that the engine and its kernels share.

A board is seen by the player to move. A sub-board's pattern is a number of nine base-3 digits, one for each space in
reading order: 0 empty, 1 the mover's, 2 the opponent's. A board's key has fifteen bits for each of its four patterns.
"""

from __future__ import annotations

# ── boards ───────────────────────────────────────────────────────────────────────────────────────

SPACES = 36
CELLS = 9  # spaces of a sub-board
PATTERNS = 3**CELLS
SYMMETRIES = 8  # the symmetries of the board
BITS, PATTERN = 15, (1 << 15) - 1  # of a sub-board in a key
MOST_TURNS = SPACES * 8
ROOM = 1 << 10  # the size of the hash set of results

# ── the evaluation ───────────────────────────────────────────────────────────────────────────────

WIDTH, DEEP = 16, 16  # units of the tables and of the layer, of equal number; each also has a direct output weight
LAYERS = DEEP + WIDTH
ROW = SYMMETRIES * WIDTH
STEP = 256  # fixed-point scale of the tables
BUCKETS = SPACES + 1  # numbers of marbles
HEAD = 2 * DEEP + 1 + WIDTH  # for a number of marbles: biases, output weights, the output's bias, direct weights
GRAIN = 1000  # a score is the log-odds times this
MOST = 20_000  # scores that are not proved are smaller

# ── the search ───────────────────────────────────────────────────────────────────────────────────

LEVELS = SPACES + 2
WON, PROVED = 1_000_000, 900_000  # a proved win is `WON` minus the turns to the end
# Entries of `control`: the stop flag; counters of visited and evaluated positions; whether five before the twist win;
# the most extensions of a line by forced turns; the most turns searched of a board.
STOP, VISITED, EVALUATED, PLACEMENT, EXTENDED, BROAD, CONTROL_SIZE = 0, 1, 2, 3, 4, 5, 8
KEY, SCORE, KIND, BEST, ENTRY = 0, 1, 2, 3, 4  # columns of the transposition table; the kind is 4 * depth + bound
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
OVER = 1 << 20  # added to a turn that ends the game
LISTS = 5  # of each level: keys, turns and scores of the children, room for the hash set, killer turns
PLACED, UNITS, PARTS = 12, 13, 14  # rows of `parts` with sums of the net's rows
KILLERS = 4  # killer turns, which are tried before all others
FORCED = 4  # boards with this few safe turns are searched a turn deeper
MOST_FORCED = 6  # the default limit of such extensions in a line
