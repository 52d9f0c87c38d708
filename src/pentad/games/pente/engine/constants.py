"""Numbers that the engine and its kernels share: shapes, the parts of a search position, and the search's arrays.

A position is two arrays, `board` with 32-bit numbers and `state` with 64-bit ones; both consist of parts that begin at
the offsets below. Points lie in rows of `STRIDE`, with a margin wider than the reach beyond every edge, so that no loop
checks for the edge.

"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from pentad.kernels.types import Float64s, Int16s, Int32s, Int64s, Rows, RowSize, StoppableCounters, UInt8s

Codes: TypeAlias = Int32s
Words: TypeAlias = Int64s
Shorts: TypeAlias = Int16s
Bytes: TypeAlias = UInt8s

# ── shapes (see `position_kernels`) ──────────────────────────────────────────────────────────────

# The shape that a stone makes along an axis, by the stones missing to a line and whether several points complete it.
NOTHING, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
MAKES = 15  # the bits of an entry for the shape of white's stone; those for black's are above
TAKES = 8  # the bit where the captures begin: white's right and left, black's right and left, two bits each
FREE_THREE = 16  # white's; above it black's
CLASSES = 256  # of codes that add the same to a point's sum, at most
NAMES = 256  # combinations of the shapes that stones of both colours would make: the lowest bits of an entry

# The sum over a point's axes counts the shapes that a stone there makes, white's in the low half and black's above.
# The fields of three bits count axes; the field of captures counts stones.
FIELD = {FIVE: 0, OPEN_FOUR: 3, FOUR: 6, OPEN_THREE: 9, THREE: 12, OPEN_TWO: 15}
TAKEN, TAKEN_BITS = 18, 31
FREE_THREES = 23
SIDE = 28  # bits of one colour
POSSIBLE_LINES = 60  # counts the axes along which either colour may still make a line

# ── the position (see `position_kernels`) ────────────────────────────────────────────────────────

STRIDE, EDGE, LARGEST = 32, 6, 25
POINTS = STRIDE * (LARGEST + 2 * EDGE)
AXES = 4

# The contents of a point; a colour is its number less one. Neither colour places a stone on an overlooked point.
EMPTY, WHITE, BLACK, OUTSIDE, OVERLOOKED = range(5)

# Kinds of threats, the strongest last; points that capture are in a list of their own.
TAKING, A_THREE, THREES, A_FOUR, FOUR_AND_THREE, WINNING_FOUR, A_FIVE, KINDS = range(8)
LIST_CAPACITY = 640  # points in a list
MAX_REMOVED = 60  # stones that one move can remove

# Parts of `board`.
CODES = 0
HELD = CODES + AXES * POINTS
LISTS = HELD + POINTS
PLACES = LISTS + 2 * KINDS * LIST_CAPACITY  # the index of a point in the list of its kind
TAKING_PLACES = PLACES + 2 * POINTS
LONG = TAKING_PLACES + 2 * POINTS  # for long lines, the shapes that stones make along each axis
UNDO = LONG + AXES * POINTS  # the undo stack: the moves made, each with the stones it removed
UNDO_ROW = 4 + MAX_REMOVED
TRIES = UNDO + UNDO_ROW * (LIST_CAPACITY + 8)  # moves that may win at once, which are tried
BREAKS = TRIES + 2 * LIST_CAPACITY  # captures that may break a line, which are tried
CHANGES = BREAKS + LIST_CAPACITY  # bits of codes that a move with captures has changed (see `net_kernels`)
BOARD = CHANGES + AXES * POINTS

# Parts of `state`.
SUMS = 0
COUNTS = SUMS + POINTS  # the length of each list
HASH = COUNTS + 2 * KINDS
VALUE = HASH + 1  # the value to white of all codes of empty points
MOVER = HASH + 2
PLACED = HASH + 3
STONES_TAKEN = HASH + 4  # by white, by black
FREE = HASH + 6  # the count of empty points
STANDING = HASH + 7  # one plus the colour whose line must survive the reply; else 0
MADE = HASH + 8  # moves on the undo stack
SIZE = HASH + 9
LINE = HASH + 10
REACH = HASH + 11
CAPTURES = HASH + 12
CAPTURE_WIN = HASH + 13
OVERLINE = HASH + 14
STANDS = HASH + 15  # whether a line must survive the reply
POOF = HASH + 16
DOUBLE_THREE = HASH + 17
BLOCKED_TIE = HASH + 18
SIMPLE = HASH + 19  # whether a line wins at once and only a stone on its last point or a capture prevents it
OPENING = HASH + 20  # the points open to the first three stones, as bits of each point: 1, 2, 4
STATE = OPENING + POINTS

# Parts of each row of `kept`, what the last change of a move replaced: the value, the sums of the points around, and
# the points that it moved between lists, up to an end. A row for each move made; the last one is no move's own.
KEPT_VALUE, KEPT_END, KEPT_SUMS = range(3)
KEPT_MOVED = KEPT_SUMS + 2 * AXES * 5  # the farthest reach is 5
KEPT_ROW = KEPT_MOVED + 2 * AXES * 5 + 1
KEPT_ROWS = 256
KEPT = KEPT_ROW * KEPT_ROWS

ONGOING, WON, LOST, DRAWN = range(4)  # the result of a move, for the player who makes it

# ── oversights (see `overlook`) ──────────────────────────────────────────────────────────────────

# What is noticed or overlooked at once, as bits: points that complete a line, those that make two threats of one stone,
# and captures; the mover's, and above them the opponent's.
LINES, PAIRS, CAPTURED, NOTICED = 1, 2, 4, 3
NOTICED_AS = {A_FIVE: LINES, WINNING_FOUR: PAIRS, FOUR_AND_THREE: PAIRS, THREES: PAIRS}  # by the kind of threat
# How much clearer each is than the opponent's line, in standard deviations of the attention.
CLEARER = (0.6, -0.4, -0.6, 0.0, -0.5, -0.7)

# ── the threat search (see `threat_kernels`) ─────────────────────────────────────────────────────

LEVELS = 128  # moves from the root, at most
LIST = 640  # moves of a level, at most

# ── the search (see `search_kernels`) ────────────────────────────────────────────────────────────

WIN, WON_FROM = 30_000, 20_000
LIMIT = 19_000  # the largest score of an evaluation
MAX_MOVES = 60  # moves searched at a node
ATTACK_MOVES = 12  # own moves of an attack, at most
FULL_DEPTH_MOVES = 2  # moves searched at full depth; later ones are reduced
REDUCTION = 14  # of the depth of late moves, in 2^-16 for the logarithms of depth and number
DEEPEST = 60
GENERATIONS = 250  # of the transposition table
COMPARED_MOVES = 6  # only where the scores have noise
MAX_ATTACK_MOVES = 30
ROOT_ATTACK_NODES = 20_000  # an attack from the root searches no more
WINDOW = 25  # half width of the aspiration window; three times as much after each score outside
FULL_WINDOW = 2 * WIN  # no score is outside of it
HISTORY_BOUND = 4096  # the largest history value
# Depths in plies up to which, and margins in points for each ply by which, a node or a quiet move is not searched.
MARGIN, MARGIN_DEPTH, FUTILE_DEPTH = 80, 7, 5  # far above beta; a quiet move far below alpha
HOPELESS, HOPELESS_DEPTH = 200, 2  # far below alpha, without a four to make
QUIET_MOVES = 6  # quiet moves searched at least, in the order of shapes
FEWEST_MOVES, MORE_MOVES = 3, 1.32  # moves searched in the learned order: a number, and a power of the depth
UNORDERED_DEPTH = 4  # from which a position that the table does not know is searched one ply less

# ── the search for wins by threes and fours (see `vct_kernels`) ──────────────────────────────────

# Parts of a node: its move and the number of moves from the root; its first child and the number of those; the proof
# and disproof numbers; the own moves of the win, for a threat at first only against replies that are no children; and
# the one of these that lasts longest.
NODE = 8
MOVE, PLY, FIRST, CHILDREN, PROOF, DISPROOF, LASTS, SLOWEST = range(NODE)
NEVER = 1 << 28  # the number of what cannot be proved, or disproved
EACH_ATTACK_NODES = 100  # an attack by fours ends after so many
UNLIKELY = 3  # the first proof number of a move that makes neither an open three nor a four

# An entry of the transposition table is two words: the key xor the second word, and the second word, which holds the
# move, the bound, the depth, the score, the generation and the evaluation. Entries are in buckets of 64 bytes.
MOVE_BITS, BOUND_AT, DEPTH_AT, SCORE_AT, GENERATION_AT, ESTIMATE_AT = (1 << 12) - 1, 12, 14, 22, 40, 48
BUCKET = 4
AGED = 4  # an entry of the generation before is worth so many plies less
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

# Parts of `work`.
KILLERS = 0  # two for each level
HISTORY = KILLERS + 2 * LEVELS
COUNTERS = HISTORY + 2 * POINTS  # the counter-move of each move
RANKS = COUNTERS + 2 * POINTS  # the ranks of the moves of each level
ESTIMATES = RANKS + LEVELS * LIST  # the static evaluation at each level
WORK = ESTIMATES + LEVELS

# The learned order of moves, as parts of `orders`: a rank for each pair of the kinds that a stone would make for the
# mover and for the opponent, then two for each row of codes (see `net_kernels`), as white moves and as black does.
ROW_ORDERS = KINDS * KINDS
ORDER_UNIT = 100  # 1.0 in the logarithm of the odds that a search chooses a move

# Weights of the evaluation, as parts of `weights`.
TEMPO, RACE = 0, 1  # the right to move; stones captured, by tenths of the number that wins
RACE_STEPS = 11
MY_KINDS = RACE + RACE_STEPS  # by the mover's strongest kind of threat
THEIR_KINDS = MY_KINDS + KINDS
MY_TAKES = THEIR_KINDS + KINDS  # for each point where a capture is possible
THEIR_TAKES = MY_TAKES + 1
WEIGHTS = THEIR_TAKES + 1
HAND_SET_WEIGHTS = (
    *(15,),
    *(0, 25, 60, 100, 150, 210, 280, 370, 480, 620, 900),
    *(0, 0, 20, 10, 120, 350, 0),
    *(0, 0, 0, 0, -20, -60, 0),
    *(22, -10),
)

# The network (see `net_kernels`): the length of one colour's vectors and of both, the units of the hidden layer.
WIDTH, HIDDEN = 16, 16
ROW = 2 * WIDTH
CLIP = 127  # 1.0 in a point's vector
LARGEST_SUM = (1 << 13) - 1
# Parts of `head`: the weights of the hidden layer, for each input those of all units; its biases by kinds and captures
# of both; the output's weights.
BIASES = HIDDEN * ROW
BIAS_ROWS = 2 * KINDS + 2 * RACE_STEPS
OUT = BIASES + BIAS_ROWS * HIDDEN
HEAD = OUT + HIDDEN + 1
HIDDEN_SHIFT, OUT_SHIFT = 10, 12  # the bits of weights behind the point: of the hidden layer, of the output

# ── records ──────────────────────────────────────────────────────────────────────────────────────


class PositionArrays(NamedTuple):
    """A position, with the tables and code values of its rules."""

    board: Codes
    state: Words
    entries: Codes
    classes: Bytes  # of codes that add the same to a point's sum
    sums: Words  # what codes of each class add
    values: Codes
    kept: Words  # what the moves made have replaced


class SearchControl(StoppableCounters):
    """Counters and settings of a search."""

    nodes: int  # the count for the search itself
    attack_limit: int  # the count of attack nodes at which an attack ends
    truncated: int  # whether one was truncated there
    attack_nodes: int  # the count of all so far
    generation: int  # the transposition table knows old entries by it
    effort: int  # the attack nodes allowed at a leaf; a multiple of it above the leaves
    node_limit: int  # the limit for all nodes, 0 for none
    selective: int  # whether an attack leaves out the fours that make nothing else
    count: int  # the number of root moves
    depth: int  # the last one that was searched to its end
    wins_in: int  # own moves of a proved win, 0 for none


class SearchArrays(NamedTuple):
    """All that a search reads and writes."""

    position: PositionArrays
    weights: Codes
    rows: Shorts
    vectors: Annotated[Rows[Int16s], RowSize(ROW)]
    head: Codes
    orders: Shorts
    totals: Annotated[Rows[Int32s], RowSize(ROW)]  # the sums of vectors at each level
    lists: Annotated[Rows[Codes], RowSize(LIST)]  # the moves of each level
    table: Words
    refuted: Words
    pv: Codes
    work: Codes
    control: SearchControl
    roots: Codes  # the moves of the root, the best first as far as they have been searched
    scores: Codes


class ThreatTree(NamedTuple):
    """All that a search for wins by threes and fours reads and writes (see `vct_kernels`)."""

    position: PositionArrays
    lists: Annotated[Rows[Codes], RowSize(LIST)]  # the moves of each level
    refuted: Words
    pv: Codes
    control: SearchControl
    nodes: Annotated[Rows[Codes], RowSize(NODE)]
    keys: Words  # of the positions of the nodes that were expanded
    places: Codes  # a hash table of these nodes
    zone: Codes  # points where a reply may disturb an attack


class ChoiceArrays(NamedTuple):
    """All that the choice of a move reads and writes (see `choice_kernels`)."""

    search: SearchArrays
    blank: Words  # the numbers of a position without stones
    generation: Words  # one number: that of the last search of the game, 0 for none
    normal: Float64s  # random numbers of the standard normal distribution: for oversights, and for compared moves
    points: Float64s  # those of a style, one for each compared move
