"""Tables, buffers and helpers shared by the kernels of narrow and of wide states.

A state is its edges in the low bits and its place in control above them, or in a last word of its own. Exploration is
breadth first, a batch of states at a time: first all successors are computed and their hash slots prefetched, then
each successor is looked up. A call explores a slice and returns, so that the caller can grow buffers, check bounds and
report progress.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import kernel

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

ZERO, ONE = np.uint64(0), np.uint64(1)
LOW, HIGH = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)
MIX, STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
WORD, BYTE, BITS = np.uint64(63), np.uint64(255), np.uint64(8)
SOME, HALF = np.uint64(29), np.uint64(32)

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a slice ends: its length, no states left, a bound, or buffers that are too small.
MORE, DONE, DEPTH, STATES, RESULTS, GROW, WIDEN = range(7)
# Indices of `stats`, the counters and settings shared by a slice and its driver.
COUNT, LOOKED, LEVEL, LEVEL_END, TRANSITIONS, FINALS, ACCEPTED = range(7)  # of the whole exploration
NEW_TRANSITIONS, NEW_FINALS, NEW_RESULTS, NEW_LEVELS = range(7, 11)  # what lies in the columns
MOST_LEVEL, MOST_STATES, MOST_RESULTS, SLICE, KEEP, ACCEPT, NAME, STAMP, STATS_SIZE = range(11, 20)
# Which states are results.
NONE, EVERY, FINAL_ONES, WITH, WITHOUT = range(5)
IS_FINAL, IS_RESULT = 1, 2
BATCH = 256


# The columns of places, of calls, of instances and of what belongs to these.
KIND, FIRST, SUCCESS, FAILURE, INNER, HERE = range(6)
LOW_ROW, HIGH_ROW, ACTION, ENTERS = range(4)
NEED, FORBID, CLEAR, SET, TELLS = range(5)
MISS, SKIP, EVENT, LABEL, CLAUSES, TURNS, MOVES, CHANGES = range(8)
FROM_WORD, TO_WORD, DISTANCE, MOVED = range(4)  # of moves
OF_WORD, LEFT, TURNED_BY, FLIPPED = range(4)  # of turns
GATE = -1  # the label of a row that only guards the rows after it


class Control(NamedTuple):
    """The places of control and their calls. States are in the first places."""

    places: NDArray[np.int64]  # kind, first call (the next place's is the end), the place on success and on failure,
    # whether it lies within a recipe, and the place that loops lead to
    calls: NDArray[np.int64]  # the first row of a rule, the one after its last, its name: a rule or a
    # recipe; and the label of the recipe that it begins, -1 for none
    after: Words  # the place that each call leads to, where states have it
    place_mask: np.uint64  # the bits of a state's last word that tell its place
    place_shift: np.uint64
    loops: int  # calls from here on every state makes, to itself or to where control is then


class Rules(NamedTuple):
    """Instances by row; the elements of a row in another list lie between its index there and that of the next row."""

    masks: Words  # need, forbid, clear, set, and the bits that distinguish its changes from those of others
    numbers: NDArray[np.int64]  # the row after it if it does not apply, and if it does; the event that it shares with
    # others of other changes, or -1; its label, or GATE; its clauses, turns, moves, changes
    clauses: Words  # where this is needed and that is missing, one of the others must hold
    others_from: Ints
    others: Words
    turns: Words  # if there are any, one of their patterns must leave a bit: each begins with the bits that are left
    # (0: it goes on), from which the turned word, or what it is not, is taken
    moves: Words  # single bits that go the same way
    changes: Words


class Room(NamedTuple):
    """Scratch buffers for a batch."""

    out: Words
    labels: Ints
    hashes: Words
    peeks: Words
    effects: Words  # the changes of an event's instances
    begun: Words  # recipes that begin
    raw: Words  # successors within recipes
    raw_labels: Ints
    queue: Words
    seen: Words
    stamps: Ints
    ends: Ints  # of each state of the batch: the end of its successors
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
def note_state(marks: int, columns: Columns, stats: Ints) -> None:
    """Records the flags of the current state."""
    if marks & IS_FINAL:
        stats[FINALS] += 1
        if stats[KEEP]:
            columns.finals[stats[NEW_FINALS]] = stats[LOOKED]
            stats[NEW_FINALS] += 1
    if marks & IS_RESULT:
        stats[ACCEPTED] += 1
        columns.results[stats[NEW_RESULTS]] = stats[LOOKED]
        stats[NEW_RESULTS] += 1


class Case(NamedTuple):
    """Arguments of an exploration."""

    states: Words
    table: Words
    control: Control
    rules: Rules
    images: NDArray[np.uint64]
    room: Room
    columns: Columns
    stats: Ints


def two_states(width: int) -> Case:
    """A system of two states and one edge, which its only rule deletes."""
    is_narrow = width == 1

    def words(size: int) -> Words:
        return np.zeros(size if is_narrow else (size, width), np.uint64)

    def ints(*numbers: int) -> Ints:
        return np.array(numbers, dtype=np.int64)

    def table(*shape: int) -> Words:
        return np.zeros(shape if is_narrow else (*shape, width), np.uint64)

    edge, line = table(1, 5), np.zeros(64, np.int64)
    edge.flat[NEED * width] = edge.flat[CLEAR * width] = 1
    control = Control(
        places=np.array([[TRIAL, 0, 1, 1, 0, 0], [DEAD, 1, 1, 1, 0, 1], [DEAD, 1, 1, 1, 0, 2]], np.int64),
        calls=np.array([[0, 1, 0, -1]], np.int64),
        after=np.array([2], np.uint64),
        place_mask=~ONE,
        place_shift=ONE,
        loops=1,
    )
    numbers = np.array([[1, 1, -1, 0, 0, 0, 0, 0], [0] * 8], np.int64)
    none = np.zeros((0, 4), np.uint64)
    rules = Rules(edge, numbers, table(0, 2), ints(0), table(0, 2), none, none.copy(), table(0, 5))
    room = Room(
        out=words(64), labels=line.copy(), hashes=np.zeros(64, np.uint64), peeks=np.zeros(64, np.uint64),
        effects=words(64), begun=words(64), raw=words(64), raw_labels=line.copy(), queue=words(64),
        seen=words(64), stamps=line.copy(), ends=line.copy(), marks=line.copy(),
    )  # fmt: skip
    taken = (np.zeros(64, np.int32), np.zeros(64, np.uint16), np.zeros(64, np.int32))
    columns = Columns(*taken, line.copy(), line.copy(), line.copy())
    stats, states = np.zeros(STATS_SIZE, np.int64), words(64)
    states.flat[0] = 1
    stats[[COUNT, LEVEL_END, KEEP]] = 1
    stats[[MOST_LEVEL, MOST_STATES, SLICE]] = 9
    images = np.zeros((0, 1, 256) if is_narrow else (0, 1, 256, width), np.uint64)
    return Case(states, np.zeros(256, np.uint64), control, rules, images, room, columns, stats)
