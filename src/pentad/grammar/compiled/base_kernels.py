"""Tables, buffers and helpers shared by all kernels of exploration.

A state is its edges in the low bits and its place in control above them, or in a last word of its own. Exploration is
breadth first, a batch of states at a time: first all successors are computed and their hash slots prefetched, then
each successor is looked up. A call explores a slice and returns, so that the caller can grow buffers, check bounds and
report progress.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import kernel

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

ZERO, ONE = np.uint64(0), np.uint64(1)
LOW, HIGH = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)
MIX, STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
WORD, BYTE, BITS = np.uint64(63), np.uint64(255), np.uint64(8)
SOME, HALF = np.uint64(29), np.uint64(32)

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a slice ends: its length, no states left, a bound, or buffers that are too small.
MORE, DONE, DEPTH, STATES, RESULTS, GROW_TABLE, GROW_BUFFERS = range(7)
# Indices of `stats`, the counters and settings shared by a slice and its driver.
COUNT, EXPANDED, LEVEL, LEVEL_END, TRANSITIONS, FINALS, ACCEPTED = range(7)  # of the whole exploration
NEW_TRANSITIONS, NEW_FINALS, NEW_RESULTS, NEW_LEVELS = range(7, 11)  # entries in the columns
MOST_LEVEL, MOST_STATES, MOST_RESULTS, SLICE, KEEP, ACCEPT, NAME, STAMP, STATS_SIZE = range(11, 20)
# Which states are results.
NONE, EVERY, FINAL_ONES, WITH, WITHOUT = range(5)
IS_FINAL, IS_RESULT = 1, 2
BATCH = 256


# The columns of places, calls, masks, rows, moves and turns.
KIND, FIRST, SUCCESS, FAILURE, INNER, HERE = range(6)
LOW_ROW, HIGH_ROW, ACTION, ENTERS = range(4)
NEED, FORBID, CLEAR, SET, KEY_BITS = range(5)
MISS, SKIP, EVENT, LABEL, CLAUSES, TURNS, MOVES, CHANGES = range(8)
FROM_WORD, TO_WORD, DISTANCE, MOVED = range(4)  # of moves
OF_WORD, LEFT, TURNED_BY, FLIPPED = range(4)  # of turns
GATE = -1  # the label of a row that only guards the rows after it


class Control(NamedTuple):
    """The places in control and their calls. States can be in the first places only."""

    places: NDArray[np.int64]  # kind, first call (the calls end at the next place's first), the places on success and
    # on failure, whether it is within a recipe, and the target of loops
    calls: NDArray[np.int64]  # the first row of the rule, the end of its rows, the number of the rule's or recipe's
    # name, and the label of the recipe that the call begins (-1 for none)
    after: Words  # the place after each call, shifted to its position in a state
    place_mask: np.uint64  # the bits of a state's last word that hold its place
    place_shift: np.uint64
    loops: int  # index of the first loop: the calls from here on are made in every state


class Rules(NamedTuple):
    """Instances by row; a row's elements in another list begin at its index there and end at the next row's."""

    masks: Words  # need, forbid, clear, set, and the key bits, which distinguish instances of one event
    numbers: NDArray[np.int64]  # the next row if it does not apply, and if it does; the event that it shares with rows
    # that have other changes, or -1; its label, or GATE; its indices of clauses, turns, moves and changes
    clauses: Words  # need and forbid: if these hold, one of the alternatives in `others` must hold
    others_from: Ints
    others: Words
    turns: Words  # patterns, of which one must leave a bit set: the first turn of a pattern has its initial bits, the
    # others have 0; each turn intersects the bits with a rotated word of the state or with its complement
    moves: Words  # bits that are rotated by the same distance
    changes: Words


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
    ends: Ints  # for each state of the batch, the end of its successors
    marks: Ints


class Columns(NamedTuple):
    """The results of a slice."""

    sources: NDArray[np.int32]
    actions: NDArray[np.uint16]
    targets: NDArray[np.int32]
    finals: Ints
    results: Ints
    levels: Ints  # number of states at the beginning of a level


@kernel
def mixed(word: np.uint64) -> np.uint64:
    """Hash of a word."""
    word = (word ^ (word >> HALF)) * MIX
    word = (word ^ (word >> SOME)) * STIR
    return word ^ (word >> HALF)


@kernel
def turned(word: np.uint64, by: np.uint64) -> np.uint64:
    """A word rotated left."""
    return (word << by) | (word >> ((ZERO - by) & WORD))


@kernel
def mark(final: bool, named: bool, stats: Ints) -> int:
    """The flags of a state: whether it is final, and whether it is a result."""
    accept = stats[ACCEPT]
    accepted = accept == EVERY or (accept == FINAL_ONES and final)
    accepted = accepted or (accept == WITH and named) or (accept == WITHOUT and not named)
    return (IS_FINAL if final else 0) | (IS_RESULT if accepted else 0)


@kernel
def bounded(stats: Ints) -> int:
    """The bound that is reached, or MORE."""
    if stats[MOST_RESULTS] > 0 and stats[ACCEPTED] >= stats[MOST_RESULTS]:
        return RESULTS
    return STATES if stats[COUNT] >= stats[MOST_STATES] else MORE


@kernel
def record_state(marks: int, columns: Columns, stats: Ints) -> None:
    """Records the flags of the current state."""
    if marks & IS_FINAL:
        stats[FINALS] += 1
        if stats[KEEP]:
            columns.finals[stats[NEW_FINALS]] = stats[EXPANDED]
            stats[NEW_FINALS] += 1
    if marks & IS_RESULT:
        stats[ACCEPTED] += 1
        columns.results[stats[NEW_RESULTS]] = stats[EXPANDED]
        stats[NEW_RESULTS] += 1
