"""What the kernels of the compiled engine and its drivers share: codes, indices of columns, and the arrays by purpose.

A mask is a row of words, as many as a state has. Drivers have arrays of one dimension, the rows one after the other.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from pentad.kernels.types import Array, Counters, Int32s, Int64s, Rows, RowSize, UInt8s, UInt16s, UInt64s, Word

Ints: TypeAlias = Int64s
Words: TypeAlias = UInt64s
Bytes: TypeAlias = UInt8s
Slots: TypeAlias = Array[int]  # 32-bit or 64-bit numbers without sign: of states in buckets, tables and files

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a slice ends: its length, no states left, a bound, or buffers that are too small.
MORE, DONE, DEPTH, STATES, RESULTS, GROW_TABLE, GROW_BUFFERS = range(7)
LINE = 16  # slots that are searched at once
# Which states are results.
NONE, EVERY, FINAL_ONES, WITH, WITHOUT = range(5)
IS_FINAL, IS_RESULT = 1, 2
BATCH, GROUPS = 256, 8  # states tested at once, and the places in control that they may be at
LANES = 8  # symmetries whose images are computed at once

# The columns of places, calls, masks, rows, moves and turns.
KIND, FIRST, SUCCESS, FAILURE, INNER, HERE = range(6)
PLACE = 6
LOW_ROW, HIGH_ROW, ACTION, ENTERS = range(4)
CALL = 4
NEED, FORBID, CLEAR, SET, KEY_BITS = range(5)
MISS, EVENT, LABEL, CLAUSES, TURNS, MOVES, CHANGES = range(7)
ROW = 7  # numbers of a row
FROM_WORD, TO_WORD, DISTANCE, MOVED = range(4)
MOVE = 4
OF_WORD, LEFT, TURNED_BY, FLIPPED = range(4)
TURN = 4
GUARD, EFFECT = 2, 5  # masks of a guard, and of a guard with its effect
GATE = -1  # the label of a row that only guards the rows after it


class Control(NamedTuple):
    """The places in control and their calls. States can be in the first places only."""

    # Kind, first call (the calls end at the next place's first), the places on success and on failure, whether it is
    # within a recipe, and the target of loops.
    places: Annotated[Rows[Ints], RowSize(PLACE)]
    # The first row of the rule, the end of its rows, the number of the rule's or recipe's name, and the label of the
    # recipe that the call begins (-1 for none).
    calls: Annotated[Rows[Ints], RowSize(CALL)]
    after: Words  # the place after each call, shifted to its position in a state
    plans: Ints  # the places that control may reach in a state, each before those that follow it
    plans_from: Ints  # the first of them for each place; none for places that have no plan
    place_mask: Word  # the bits of a state's last word that hold its place
    place_shift: Word
    loops: int  # index of the first loop: the calls from here on are made in every state


class Rules(NamedTuple):
    """Instances by row; a row's elements in another list begin at its index there and end at the next row's."""

    masks: Words  # need, forbid, clear, set, and the key bits, which distinguish instances of one event
    # The next row if it does not apply; the event that it shares with other rows, or -1; its label, or GATE; its
    # indices of clauses, turns, moves and changes.
    numbers: Annotated[Rows[Ints], RowSize(ROW)]
    clauses: Words  # need and forbid: if these hold, one of the alternatives in `others` must hold
    others_from: Ints
    others: Words
    # Patterns, of which one must leave a bit set: the first turn of a pattern has its initial bits, the others have 0;
    # each turn intersects the bits with a rotated word of the state or with its complement.
    turns: Annotated[Rows[Words], RowSize(TURN)]
    moves: Annotated[Rows[Words], RowSize(MOVE)]  # bits that are rotated by the same distance
    changes: Words


class Symmetries(NamedTuple):
    """The images of states under each symmetry but the identity."""

    # By LANES symmetries, word, byte of a state's edges and value of that byte: this word of its image under each.
    images: Words
    number: int
    size: int  # the bytes of a state's edges


class GrammarTables(NamedTuple):
    """A compiled grammar."""

    control: Control
    rules: Rules
    symmetries: Symmetries


class Successors(NamedTuple):
    """States that rules lead to, with the labels of these transitions."""

    states: Words
    labels: Ints


class ScratchBuffers(NamedTuple):
    """Scratch buffers for a batch."""

    out: Successors
    hashes: Words
    peeks: Words
    effects: Words  # the changes of an event's instances
    begun: Words  # the states after the first step of a recipe
    raw: Successors  # successors that are within recipes
    queue: Words
    seen: Words
    stamps: Ints
    smallest: Words  # room for a state
    ends: Ints  # for each state of the batch, the end of its successors
    marks: Ints
    batch: Words  # the states of a batch, group by group: all first words, all second words, and so on
    enabled: Words  # the rows that apply in them, as bits: of the first 64 rows, of the next 64, and so on
    tested: Words
    afters: Words  # for each group, the place after each row
    positions: Ints  # each state in the batch has one
    members: Ints  # the state at each position
    groups: Ints  # each position has one
    reached: Ints  # place of control, by position


class Columns(NamedTuple):
    """The results of a slice."""

    sources: Int32s
    actions: UInt16s
    targets: Int32s
    finals: Ints
    results: Ints
    levels: Ints  # number of states at the beginning of a level


class SliceStats(Counters):
    """The counters and settings that a slice and its driver share."""

    count: int  # this count and the next ones are those of the whole exploration
    expanded: int
    level: int
    level_end: int
    transitions: int
    finals: int
    accepted: int
    new_transitions: int  # entries in the columns
    new_finals: int
    new_results: int
    new_levels: int
    most_level: int
    most_states: int
    most_results: int
    slice: int  # the most states that a call expands
    keep: int  # whether transitions and final states go into the columns
    accept: int
    name: int  # the rule or recipe that results are about, or -1
    stamp: int  # the stamp of the last recipe


class ExplorationArrays(NamedTuple):
    """All of an exploration that numbers its states."""

    grammar: GrammarTables
    buffers: ScratchBuffers
    columns: Columns
    states: Words  # the order is that of their numbers
    table: Words  # a slot has the upper half of a state's hash, and its number from 1
    stats: SliceStats


# ── states of one word, without numbers ──────────────────────────────────────────────────────────


class Key(NamedTuple):
    """The function that scrambles states for counting, and how the result is divided."""

    rest: Word  # the number of bits that are stored in a segment
    dropped: Word  # how many of them do not decide the slot
    half: Word  # the distance of its shifts
    mask: Word  # the bits of a state
    first: Word  # its factors, which are odd
    second: Word
    undo_first: Word  # the inverses of these factors
    undo_second: Word


class BlockCursor(Counters):
    """The place of a thread in a block of states, in the states that it holds, and in their successors."""

    at: int
    segment: int
    remaining: int  # states of the segment
    held: int
    held_end: int
    next: int
    next_end: int


class ExpansionArrays(NamedTuple):
    """What a thread has that expands blocks of states."""

    grammar: GrammarTables
    buffers: ScratchBuffers
    key: Key
    states: Words  # those that it holds
    cursor: BlockCursor
    stats: SliceStats


class BucketSizes(NamedTuple):
    """How full the buckets of states are, of which each has room for as many."""

    filled: Ints
    room: int


class TablePart(NamedTuple):
    """Some segments of a hash table."""

    low: int  # the first segment, and the end
    high: int
    size: int  # the slots of a segment
    most: int  # the states that it may have
    counts: Ints  # the states of all segments


class StateKinds(NamedTuple):
    """What tells the kinds of states, which are bits of a set."""

    groups: Words  # masks of the edges with each label
    shift: Word  # a state's place in control is shifted by it
    found: Words


class MergeArrays(NamedTuple):
    """How parts of files with the same segments are merged."""

    key: Key
    low: int  # the first segment, and the end
    high: int
    at: Ints  # the beginning and end of each part; the beginnings move on
    known: int  # the parts whose states are left out: the first ones
    table: Words
    ends: Ints  # the ends of the segments in the output
    kinds: StateKinds


# ── games that are valued backwards ──────────────────────────────────────────────────────────────


class GameArrays(NamedTuple):
    """What a game is: conditions as rows, and what the labels of conditions and of moves mean."""

    conditions: Rules
    # What each label of the conditions means: bits 0 and 1 are the players to move, 2 and 3 those who have won.
    bits: Ints
    are_moves: Bytes
    stuck: int  # the result for the player to move if nobody has won: 0 a draw, 1 a win, 2 a loss


class LevelValues(NamedTuple):
    """The results of some segments of the next level."""

    low: int  # the number of the first segment
    begins: Ints  # where each segment begins; the last element is the end of all
    results: Bytes  # each slot has one


class ValueCounts(Counters):
    """Counts of moves, of those into the next level, and of states by their value."""

    moves_made: int
    moves_found: int
    won: int
    drawn: int
    lost: int
    wrong: int  # states without one player to move


class ValuationArrays(NamedTuple):
    """What is written about the states of a block."""

    where: Ints  # the slots of the states that are held
    found: Bytes  # for each slot, what its state's moves lead to, then its result
    counts: ValueCounts
