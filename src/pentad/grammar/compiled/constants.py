"""What the kernels of the compiled engine and its driver share: codes, indices of columns, and the arrays by purpose.

A mask is a row of words, as many as a state has. Drivers have arrays of one dimension, the rows one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

# Drivers have memoryviews and Python's numbers, kernels have arrays and numbers of these types.
Word: TypeAlias = Any  # uint64
Words: TypeAlias = Any  # an array of uint64
Ints: TypeAlias = Any  # an array of int64
Index: TypeAlias = Any  # a number of Python, or an int64
Slots: TypeAlias = Any  # an array of uint32 or uint64
Shorts: TypeAlias = Any  # an array of int32, or of uint16
Bytes: TypeAlias = Any  # an array of uint8

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a slice ends: its length, no states left, a bound, or buffers that are too small.
MORE, DONE, DEPTH, STATES, RESULTS, GROW_TABLE, GROW_BUFFERS = range(7)
# Indices of `stats`, the counters and settings shared by a slice and its driver.
COUNT, EXPANDED, LEVEL, LEVEL_END, TRANSITIONS, FINALS, ACCEPTED = range(7)  # of the whole exploration
NEW_TRANSITIONS, NEW_FINALS, NEW_RESULTS, NEW_LEVELS = range(7, 11)  # entries in the columns
MOST_LEVEL, MOST_STATES, MOST_RESULTS, SLICE, KEEP, ACCEPT, NAME, STAMP, STATS_SIZE = range(11, 20)
# Indices of the cursor of a thread that counts: in a block of states, in the states that it holds, in the successors.
AT, SEGMENT, REMAINING, HELD, HELD_END, NEXT, NEXT_END, CURSOR_SIZE = range(8)
# Counters of a unit of work that values a level: moves, those into the next level, states by value, and wrong ones.
MOVES_MADE, MOVES_FOUND, WON, DRAWN, LOST, WRONG, COUNTS_SIZE = range(7)
LINE = 16  # slots that are searched at once
# Which states are results.
NONE, EVERY, FINAL_ONES, WITH, WITHOUT = range(5)
IS_FINAL, IS_RESULT = 1, 2
BATCH, GROUPS = 256, 8  # states tested at once, and the places in control that they may be at
LANES = 8  # symmetries whose images are computed at once

# The columns of places, calls, masks, rows, moves and turns.
KIND, FIRST, SUCCESS, FAILURE, INNER, HERE = range(6)
LOW_ROW, HIGH_ROW, ACTION, ENTERS = range(4)
NEED, FORBID, CLEAR, SET, KEY_BITS = range(5)
MISS, EVENT, LABEL, CLAUSES, TURNS, MOVES, CHANGES = range(7)
ROW = 7  # numbers of a row
FROM_WORD, TO_WORD, DISTANCE, MOVED = range(4)  # of moves
OF_WORD, LEFT, TURNED_BY, FLIPPED = range(4)  # of turns
GUARD, EFFECT = 2, 5  # masks of a guard, and of a guard with its effect
GATE = -1  # the label of a row that only guards the rows after it


class Control(NamedTuple):
    """The places in control and their calls. States can be in the first places only."""

    places: Ints  # kind, first call (the calls end at the next place's first), the places on success and
    # on failure, whether it is within a recipe, and the target of loops
    calls: Ints  # the first row of the rule, the end of its rows, the number of the rule's or recipe's
    # name, and the label of the recipe that the call begins (-1 for none)
    after: Words  # the place after each call, shifted to its position in a state
    plans: Ints  # the places that control may reach in a state, each before those that follow it
    plans_from: Ints  # the first of them for each place; none for places that have no plan
    place_mask: Word  # the bits of a state's last word that hold its place
    place_shift: Word
    loops: int  # index of the first loop: the calls from here on are made in every state


class Rules(NamedTuple):
    """Instances by row; a row's elements in another list begin at its index there and end at the next row's."""

    masks: Words  # need, forbid, clear, set, and the key bits, which distinguish instances of one event
    numbers: Ints  # the next row if it does not apply; the event that it shares with other rows, or -1; its label, or
    # GATE; its indices of clauses, turns, moves and changes
    clauses: Words  # need and forbid: if these hold, one of the alternatives in `others` must hold
    others_from: Ints
    others: Words
    turns: Words  # patterns, of which one must leave a bit set: the first turn of a pattern has its initial bits, the
    # others have 0; each turn intersects the bits with a rotated word of the state or with its complement
    moves: Words  # bits that are rotated by the same distance
    changes: Words


class Symmetries(NamedTuple):
    """The images of states under each symmetry but the identity."""

    # by LANES symmetries, word, byte of a state's edges and value of that byte: this word of its image under each
    images: Words
    number: int
    size: int  # the bytes of a state's edges


class ScratchBuffers(NamedTuple):
    """Scratch buffers for a batch."""

    out: Words
    labels: Ints
    hashes: Words
    peeks: Words
    effects: Words  # the changes of an event's instances
    begun: Words  # the states after the first step of a recipe
    raw: Words  # successors within recipes
    raw_labels: Ints
    queue: Words
    seen: Words
    stamps: Ints
    smallest: Words  # a state
    ends: Ints  # for each state of the batch, the end of its successors
    marks: Ints
    batch: Words  # the states of a batch, group by group: all first words, all second words, and so on
    enabled: Words  # the rows that apply in them, as bits: of the first 64 rows, of the next 64, and so on
    tested: Words
    afters: Words  # for each group, the place after each row
    positions: Ints  # of each state in the batch
    members: Ints  # the state at each position
    groups: Ints  # of each position
    reached: Ints  # place of control, by position


class Columns(NamedTuple):
    """The results of a slice."""

    sources: Shorts  # int32
    actions: Shorts  # uint16
    targets: Shorts  # int32
    finals: Ints
    results: Ints
    levels: Ints  # number of states at the beginning of a level


class Key(NamedTuple):
    """The function that scrambles states for counting, and how the result is divided."""

    rest: Word  # the number of bits that are stored in a segment
    dropped: Word  # how many of them do not decide the slot
    half: Word  # the distance of its shifts
    mask: Word  # the bits of a state
    first: Word  # its factors, which are odd
    second: Word
    undo_first: Word  # their inverses
    undo_second: Word
