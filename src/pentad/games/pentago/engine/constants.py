"""Numbers that the engine and its kernels share.

A board is seen by the player to move. A sub-board's pattern is a number of nine base-3 digits, one for each space in
reading order: 0 empty, 1 the mover's, 2 the opponent's. A board's key has fifteen bits for each of its four patterns.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pentad.kernels.types import Float64s, Int16s, Int32s, Int64s, Rows, RowSize, StoppableCounters, UInt32s

# ── boards ───────────────────────────────────────────────────────────────────────────────────────

SPACES = 36
CELLS = 9  # spaces of a sub-board
PATTERNS: int = 3**CELLS
SYMMETRIES = 8  # the symmetries of the board
SETS = 6  # sets of lines of a sub-board's pattern
BITS, PATTERN = 15, (1 << 15) - 1  # a sub-board has so many in a key
MOST_TURNS = SPACES * 8
ROOM = 1 << 10  # the size of the hash set of results

# ── the evaluation ───────────────────────────────────────────────────────────────────────────────

WIDTH, DEEP = 16, 16  # units of the tables and of the layer, of equal number; each also has a direct output weight
ROW = SYMMETRIES * WIDTH
LEVELS_OF_UNIT = 256  # numbers of a stored table
STEP_BITS, FRACTION = 8, 10  # bits of the fraction of a unit, and of a weight
STEP = 1 << STEP_BITS  # fixed-point scale of the tables and of all units
CEILING = (1 << 15) - 1  # units of the layer are at most so large
BUCKETS = SPACES + 1  # each number of marbles has one
WHOLE_HEAD = 2 * DEEP + 1  # for a number of marbles: biases, output weights, the output's bias
HEAD = WHOLE_HEAD + WIDTH  # the same, and the direct weights
GRAIN = 1000  # a score is the log-odds times this
MOST = 20_000  # scores that are not proved are smaller

# ── the search ───────────────────────────────────────────────────────────────────────────────────

LEVELS = SPACES + 2
WON, PROVED = 1_000_000, 900_000  # a proved win is `WON` minus the turns to the end
# The transposition table: a key and an entry, which has from its lowest bits: bound, depth, turn, number of the search,
# score. Two entries share a bucket.
ENTRY = 2
DEPTH_AT, TURN_AT, GENERATION_AT, SCORE_AT = 2, 8, 18, 24
DEPTH_BITS, TURN_BITS = 63, 511  # masks, also of the number of the search
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
OVER = 1 << 20  # added to a turn that ends the game
LISTS = 6  # of each level: keys, turns and scores of the children, room for the hash set, killer turns, ranks
# The rank of a child: its score, and below it bits that are higher for children before.
RANK_AT, PLACE_BITS, TAKEN = 9, (1 << 9) - 1, -(1 << 40)
PLACED, PARTS = 12, 13  # the row of `parts` with the sums for a placement; rows in all
# Rows of the roots: the board after each turn (-1: the game is over), the turn, its score for the player who moves, the
# depth of that score, and the score at depth 1.
ROOT_KEY, ROOT_TURN, ROOT_SCORE, ROOT_DEPTH, ROOT_STATIC, ROOT_ROWS = range(6)
FULL_DEPTH_MOVES = 12  # at the root, later turns may be searched less deep
KILLERS = 4  # killer turns, which are tried before all others
FORCED = 4  # boards with this few safe turns are searched a turn deeper
# Pruning by the evaluation, in scores, with a part for each turn of the remaining depth.
REVERSE_DEPTH, REVERSE, REVERSE_STEP = 3, 200, 400  # boards so far above beta are not searched
RAZOR_DEPTH, RAZOR, RAZOR_STEP = 2, 500, 1000  # boards so far below alpha are not searched
FUTILE_DEPTH, FUTILE = 2, 1500  # turns so far below alpha are not searched
UNORDERED_DEPTH = 5  # boards that the table does not know are searched a turn less from this depth on
REDUCTION = 8  # of the depth of late turns: this share of 2 ** 16, times the product of two logarithms
MOST_FORCED = 6  # the default limit of such extensions in a line

# ── records ──────────────────────────────────────────────────────────────────────────────────────


class Rules(NamedTuple):
    """The lookup tables of patterns (see `board_kernels.fill_tables`)."""

    lines: Annotated[Rows[Rows[UInt32s]], RowSize(PATTERNS, SETS)]  # each sub-board has its own
    turn: Annotated[Rows[Int16s], RowSize(PATTERNS)]  # the patterns after a quarter turn in each direction
    exchange: Int16s  # the patterns with the other colours
    powers: Int64s  # those of the base 3


class Images(NamedTuple):
    """The symmetries of the board."""

    images: Annotated[Rows[Int16s], RowSize(PATTERNS)]
    corners: Annotated[Rows[Int64s], RowSize(4)]  # the image of each sub-board


class Net(NamedTuple):
    """The evaluation in integers (see `net_kernels`)."""

    rows: Annotated[Rows[Rows[Int16s]], RowSize(PATTERNS, ROW)]  # each sub-board has those of its patterns
    layer: Annotated[Rows[Int16s], RowSize(2 * DEEP)]
    heads: Annotated[Rows[Int32s], RowSize(WHOLE_HEAD)]  # each number of marbles has one
    direct: Annotated[Rows[Int16s], RowSize(WIDTH)]  # they lead from the units to the output directly


class SearchControl(StoppableCounters):
    """Counters and settings of a search."""

    visited: int  # the count of positions
    evaluated: int
    placement: int  # whether five before the twist win
    extended: int  # the most extensions of a line by forced turns
    broad: int  # the most turns searched of a board
    selective: int  # whether the search prunes
    generation: int  # the number of the search, by which the table knows old entries
    roots: int  # the number of root moves
    depth: int  # the last one to which all of them were searched


class SearchArrays(NamedTuple):
    """All that a search reads and writes."""

    rules: Rules
    net: Net
    boards: Annotated[Rows[Int64s], RowSize(4)]  # each level has one
    lists: Annotated[Rows[Rows[Int64s]], RowSize(LISTS, ROOM)]
    table: Annotated[Rows[Int64s], RowSize(ENTRY)]
    control: SearchControl
    parts: Annotated[Rows[Int16s], RowSize(ROW)]  # each is a sum of rows
    units: Int16s  # room for `WIDTH` numbers
    roots: Annotated[Rows[Int64s], RowSize(ROOM)]  # from the best to the worst
    best: Int64s  # the best scores of a depth, the highest first


class ChoiceArrays(NamedTuple):
    """All that the choice of a turn reads and writes (see `choice_kernels`)."""

    search: SearchArrays
    symmetries: Images
    normal: Float64s  # random numbers of the standard normal distribution, one for each compared turn
