"""Kernels that explore a grammar's states: tables, operations on one state, and exploration.

A state is its edges in the low bits and its place in control above them, or in a last word of its own. A narrow state
is one word. A wide state is a row of words, with the place in the last one. Operations on one state are written twice,
for a word and for a row; `by_rank` chooses when kernels are compiled. An array of states has one dimension or two. Each
module of `WARM_UP` calls compiles one of the two: `narrow_kernels` and `wide_kernels`.

Exploration is breadth first, a batch of states at a time: first all successors are computed and their hash slots
prefetched, then each successor is looked up. A call explores a slice and returns, so that the caller can grow buffers,
check bounds and report progress.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.jit.compiler import by_rank, kernel

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]
State: TypeAlias = Any  # a word, or a row of words

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
LAST = -1  # the word that holds the place in control


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


# ── operations on one state ──────────────────────────────────────────────────────────────────────


@kernel
def row_hash(row: Words) -> np.uint64:
    number = ZERO
    for word in row:
        number = mixed(number ^ word) + ONE
    return number


hashed = by_rank({0: mixed, 1: row_hash})


@kernel
def are_equal_words(one: np.uint64, other: np.uint64) -> bool:
    return bool(one == other)


@kernel
def are_equal_rows(one: Words, other: Words) -> bool:
    for w in range(len(one)):  # noqa: SIM110 - kernels do not support generators
        if one[w] != other[w]:
            return False
    return True


are_equal = by_rank({0: are_equal_words, 1: are_equal_rows})


@kernel
def only_word(state: np.uint64, _: int) -> np.uint64:
    return state


@kernel
def word_of_row(state: Words, number: int) -> np.uint64:
    return np.uint64(state[number])


word_of = by_rank({0: only_word, 1: word_of_row})


@kernel
def edges_of_word(state: np.uint64, place_mask: np.uint64) -> np.uint64:
    return state & ~place_mask


@kernel
def edges_of_row(state: Words, _: np.uint64) -> Words:
    return state


edges_of = by_rank({0: edges_of_word, 1: edges_of_row})  # rules read no bits of the place in a row's last word


@kernel
def row_holds(state: Words, guards: Words, row: int) -> bool:
    """Whether a state has everything that a row of guards needs and nothing that it forbids."""
    for w in range(len(state)):
        need = guards[row, NEED, w]
        if state[w] & need != need or state[w] & guards[row, FORBID, w] != ZERO:
            return False
    return True


@kernel
def clauses_hold_word(state: np.uint64, row: int, rules: Rules) -> bool:
    for clause in range(rules.numbers[row, CLAUSES], rules.numbers[row + 1, CLAUSES]):
        need = rules.clauses[clause, NEED]
        if state & need != need or state & rules.clauses[clause, FORBID] != ZERO:
            continue
        holds = False
        for other in range(rules.others_from[clause], rules.others_from[clause + 1]):
            need = rules.others[other, NEED]
            if state & need == need and state & rules.others[other, FORBID] == ZERO:
                holds = True
                break
        if not holds:
            return False
    return True


@kernel
def clauses_hold_row(state: Words, row: int, rules: Rules) -> bool:
    for clause in range(rules.numbers[row, CLAUSES], rules.numbers[row + 1, CLAUSES]):
        if not row_holds(state, rules.clauses, clause):
            continue
        is_met = False
        for other in range(rules.others_from[clause], rules.others_from[clause + 1]):
            if row_holds(state, rules.others, other):
                is_met = True
                break
        if not is_met:
            return False
    return True


@kernel
def pattern_holds(state: State, first: int, last: int, turns: Words) -> bool:
    """Whether one of the patterns matches."""
    left = ZERO
    for turn in range(first, last):
        if turns[turn, LEFT] != ZERO:
            if left != ZERO:
                return True
            left = turns[turn, LEFT]
        left &= turned(word_of(state, turns[turn, OF_WORD]), turns[turn, TURNED_BY]) ^ turns[turn, FLIPPED]
    return bool(left != ZERO)


@kernel
def set_place_of_word(states: Words, at: int, place: np.uint64, place_mask: np.uint64) -> None:
    states[at] = (states[at] & ~place_mask) | place


@kernel
def set_place_of_row(states: Words, at: int, place: np.uint64, place_mask: np.uint64) -> None:
    last = states.shape[1] - 1
    states[at, last] = (states[at, last] & ~place_mask) | place


set_place = by_rank({1: set_place_of_word, 2: set_place_of_row})


@kernel
def change_row(out: Words, at: int, state: Words, row: int, rules: Rules, key_bits: Words, event: int) -> None:
    """Writes a row's effect on a state's edges, and the bits that distinguish its changes."""
    masks, numbers, after, key = rules.masks[row], rules.numbers, out[at], key_bits[event]
    for w in range(len(state)):
        after[w] = (state[w] & ~masks[CLEAR, w]) | masks[SET, w]
        key[w] = state[w] & masks[KEY_BITS, w]
    first, last = numbers[row, CHANGES], numbers[row + 1, CHANGES]
    for c in range(first, last):
        if row_holds(state, rules.changes, c):
            for w in range(len(state)):
                after[w] &= ~rules.changes[c, CLEAR, w] | masks[SET, w]
                key[w] |= rules.changes[c, KEY_BITS, w]
    for c in range(first, last):
        if row_holds(state, rules.changes, c):
            for w in range(len(state)):
                after[w] |= rules.changes[c, SET, w]
    for m in range(numbers[row, MOVES], numbers[row + 1, MOVES]):
        move = rules.moves[m]
        after[move[TO_WORD]] |= turned(state[move[FROM_WORD]] & move[MOVED], move[DISTANCE])


@kernel
def fire_word(
    state: np.uint64,
    row: int,
    end: int,
    place: np.uint64,
    _: np.uint64,
    rules: Rules,
    out: Words,
    labels: Ints,
    at: int,
    effects: Words,
) -> int:
    masks, numbers = rules.masks, rules.numbers
    event, events = -1, 0
    while row < end:
        need = masks[row, NEED]
        if state & need != need or state & masks[row, FORBID] != ZERO:
            row = numbers[row, MISS]
            continue
        first, last = numbers[row, TURNS], numbers[row + 1, TURNS]
        if first < last and not pattern_holds(state, first, last, rules.turns):
            row = numbers[row, MISS]
            continue
        if numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold_word(state, row, rules):
            row = numbers[row, MISS]
            continue
        if numbers[row, LABEL] == GATE:
            row += 1
            continue
        clear, created, key_bits = masks[row, CLEAR], masks[row, SET], state & masks[row, KEY_BITS]
        for m in range(numbers[row, MOVES], numbers[row + 1, MOVES]):
            created |= turned(state & rules.moves[m, MOVED], rules.moves[m, DISTANCE])
        for c in range(numbers[row, CHANGES], numbers[row + 1, CHANGES]):
            need = rules.changes[c, NEED]
            if state & need == need and state & rules.changes[c, FORBID] == ZERO:
                clear |= rules.changes[c, CLEAR]
                created |= rules.changes[c, SET]
                key_bits |= rules.changes[c, KEY_BITS]
        if numbers[row, EVENT] >= 0:
            if numbers[row, EVENT] != event:
                event, events = numbers[row, EVENT], 0
            is_known = False
            for e in range(events):
                is_known = is_known or effects[e] == key_bits
            if is_known:
                row += 1
                continue
            effects[events] = key_bits
            events += 1
        out[at] = (state & ~clear) | created | place
        labels[at] = numbers[row, LABEL]
        at += 1
        row = numbers[row, SKIP]
    return at


@kernel
def fire_row(
    state: Words,
    row: int,
    end: int,
    place: np.uint64,
    place_mask: np.uint64,
    rules: Rules,
    out: Words,
    labels: Ints,
    at: int,
    effects: Words,
) -> int:
    numbers = rules.numbers
    event, events = -1, 0
    while row < end:
        first, last = numbers[row, TURNS], numbers[row + 1, TURNS]
        if (
            not row_holds(state, rules.masks, row)
            or (first < last and not pattern_holds(state, first, last, rules.turns))
            or (numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold_row(state, row, rules))
        ):
            row = numbers[row, MISS]
            continue
        if numbers[row, LABEL] == GATE:
            row += 1
            continue
        if numbers[row, EVENT] != event:
            event, events = numbers[row, EVENT], 0
        change_row(out, at, state, row, rules, effects, events)
        if event >= 0:
            is_known = False
            for e in range(events):
                is_known = is_known or are_equal_rows(effects[e], effects[events])
            if is_known:
                row += 1
                continue
            events += 1
        set_place_of_row(out, at, place, place_mask)
        labels[at] = numbers[row, LABEL]
        at += 1
        row = numbers[row, SKIP]
    return at


# Writes the successors of a state by a rule's rows; returns the end of the output.
fire = by_rank({0: fire_word, 1: fire_row})


@kernel
def make_smallest_word(states: Words, at: int, place_mask: np.uint64, images: NDArray[np.uint64]) -> None:
    state = states[at] & ~place_mask
    best = state
    for g in range(images.shape[0]):
        image, rest = ZERO, state
        for b in range(images.shape[1]):
            image |= images[g, b, rest & BYTE]
            rest >>= BITS
        best = min(best, image)
    states[at] = best | (states[at] & place_mask)


@kernel
def make_smallest_row(states: Words, at: int, place_mask: np.uint64, images: NDArray[np.uint64]) -> None:
    if images.shape[0] == 0:
        return
    row, last = states[at], states.shape[1] - 1
    place = row[last] & place_mask
    row[last] &= ~place_mask
    best, image = row.copy(), row.copy()
    for g in range(images.shape[0]):
        image[:] = ZERO
        for b in range(images.shape[1]):
            byte = (row[b >> 3] >> (np.uint64(b & 7) * BITS)) & BYTE
            for w in range(len(row)):
                image[w] |= images[g, b, byte, w]
        for w in range(len(row)):
            if image[w] != best[w]:
                if image[w] < best[w]:
                    best[:] = image
                break
    best[last] |= place
    row[:] = best


# Replaces a state by the smallest of its images under the symmetries, which are given by byte.
make_smallest = by_rank({1: make_smallest_word, 2: make_smallest_row})


# ── exploration ──────────────────────────────────────────────────────────────────────────────────


@kernel
def is_first(row: State, buffers: ScratchBuffers, stamp: int) -> bool:
    """Whether a state is new within a recipe; adds it to the set of seen states."""
    mask = np.uint64(len(buffers.seen) - 1)
    slot = hashed(row) & mask
    while buffers.stamps[slot] == stamp:
        if are_equal(buffers.seen[slot], row):
            return False
        slot = (slot + ONE) & mask
    buffers.stamps[slot] = stamp
    buffers.seen[slot] = row
    return True


@kernel
def ends(
    number: int,
    control: Control,
    rules: Rules,
    images: NDArray[np.uint64],
    buffers: ScratchBuffers,
    label: int,
    at: int,
    stamp: int,
) -> int:
    """Writes the end states of a recipe, each once; returns the end of the output, or -1 if the buffers are full.

    `number` is that of the state in the buffer `begun`.
    """
    first, head, tail = at, 0, 1
    if control.places[word_of(buffers.begun[number], LAST) >> control.place_shift, INNER] == 0:
        if at >= len(buffers.out):
            return -1
        buffers.out[at], buffers.labels[at] = buffers.begun[number], label
        return at + 1
    make_smallest(buffers.begun, number, control.place_mask, images)
    buffers.queue[0] = buffers.begun[number]
    is_first(buffers.queue[0], buffers, stamp)
    while head < tail:
        state = buffers.queue[head]
        head += 1
        place = np.int64(word_of(state, LAST) >> control.place_shift)
        edges = edges_of(state, control.place_mask)
        while control.places[place, KIND] == TRIAL and control.places[place, INNER]:
            found = False
            for call in range(control.places[place, FIRST], control.places[place + 1, FIRST]):
                row, end = control.calls[call, LOW_ROW], control.calls[call, HIGH_ROW]
                more = end - row
                if max(at, tail) + more > len(buffers.out) or 2 * (tail + at - first + more) > len(buffers.seen):
                    return -1
                count = fire(
                    edges, row, end, control.after[call], control.place_mask, rules,
                    buffers.raw, buffers.raw_labels, 0, buffers.effects,
                )  # fmt: skip
                found = found or count > 0
                for i in range(count):
                    make_smallest(buffers.raw, i, control.place_mask, images)
                    if not is_first(buffers.raw[i], buffers, stamp):
                        continue
                    if control.places[word_of(buffers.raw[i], LAST) >> control.place_shift, INNER]:
                        buffers.queue[tail] = buffers.raw[i]
                        tail += 1
                    else:
                        buffers.out[at] = buffers.raw[i]
                        buffers.labels[at] = label
                        at += 1
            place = control.places[place, SUCCESS] if found else control.places[place, FAILURE]
        if control.places[place, INNER] == 0:  # the recipe ends without another step
            if at >= len(buffers.out) or 2 * (tail + at - first) >= len(buffers.seen):
                return -1
            buffers.out[at] = state
            set_place(buffers.out, at, np.uint64(place) << control.place_shift, control.place_mask)
            if is_first(buffers.out[at], buffers, stamp):
                buffers.labels[at] = label
                at += 1
    return at


@kernel
def prefetch(states: Words, table: Words, buffers: ScratchBuffers, size: int) -> None:
    """Prefetches the table slots of all successors, so that cache misses overlap."""
    mask, out, hashes, peeks = np.uint64(len(table) - 1), buffers.out, buffers.hashes, buffers.peeks
    for i in range(size):
        hashes[i] = hashed(out[i])
    for i in range(size):
        peeks[i] = table[hashes[i] & mask]
    for i in range(size):
        entry = peeks[i]
        if entry != ZERO and (entry ^ hashes[i]) & HIGH == ZERO:
            peeks[i] = word_of(states[(entry & LOW) - ONE], 0)


@kernel
def place_of(row: State, number: np.uint64, states: Words, table: Words) -> np.uint64:
    """The slot of a state in the table, or the free slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = number & mask
    while table[slot] != ZERO:
        entry = table[slot]
        if (entry ^ number) & HIGH == ZERO and are_equal(states[(entry & LOW) - ONE], row):
            break
        slot = (slot + ONE) & mask
    return slot


@kernel
def fill(states: Words, first: int, last: int, table: Words) -> None:
    """Inserts states into a table that has none of them."""
    mask = np.uint64(len(table) - 1)
    for i in range(first, last):
        number = hashed(states[i])
        slot = number & mask
        while table[slot] != ZERO:
            slot = (slot + ONE) & mask
        table[slot] = (number & HIGH) | np.uint64(i + 1)


@kernel
def gather(
    states: Words,
    control: Control,
    rules: Rules,
    images: NDArray[np.uint64],
    buffers: ScratchBuffers,
    stats: Ints,
    most: int,
) -> int:
    """Writes the successors of the next states, up to a number of states; returns how many fitted into the buffers."""
    places, calls, after, place_mask = control.places, control.calls, control.after, control.place_mask
    out, labels, begun, changes, name = buffers.out, buffers.labels, buffers.begun, buffers.effects, stats[NAME]
    all_ends, all_marks = buffers.ends, buffers.marks
    at = 0
    for size in range(most):
        source, named = stats[EXPANDED] + size, False
        state = edges_of(states[source], place_mask)
        place = np.int64(word_of(states[source], LAST) >> control.place_shift)
        stay = np.uint64(places[place, HERE]) << control.place_shift
        for call in range(control.loops, len(calls)):
            row, end, before = calls[call, LOW_ROW], calls[call, HIGH_ROW], at
            if at + end - row > len(out):
                return size
            at = fire(state, row, end, stay, place_mask, rules, out, labels, at, changes)
            named = named or (at > before and calls[call, ACTION] == name)
        while places[place, KIND] == TRIAL:
            found = False
            for call in range(places[place, FIRST], places[place + 1, FIRST]):
                row, end, before = calls[call, LOW_ROW], calls[call, HIGH_ROW], at
                if at + end - row > len(out):
                    return size
                at = fire(state, row, end, after[call], place_mask, rules, out, labels, at, changes)
                if calls[call, ENTERS] >= 0:
                    count, at = at - before, before
                    begun[:count] = out[before : before + count]
                    for i in range(count):
                        stats[STAMP] += 1
                        at = ends(i, control, rules, images, buffers, calls[call, ENTERS], at, stats[STAMP])
                        if at < 0:
                            return size
                if at > before:
                    found = True
                    named = named or calls[call, ACTION] == name
            place = places[place, SUCCESS] if found else places[place, FAILURE]
        all_ends[size], all_marks[size] = at, mark(places[place, KIND] == FINAL, named, stats)
    return most


@kernel
def commit(states: Words, table: Words, buffers: ScratchBuffers, columns: Columns, stats: Ints, size: int) -> int:
    """Adds the successors of a batch to the state space; returns MORE, or the bound that is reached."""
    out, labels, hashes, all_ends = buffers.out, buffers.labels, buffers.hashes, buffers.ends
    sources, actions, targets = columns.sources, columns.actions, columns.targets
    at, keeps, new, count = 0, stats[KEEP] != 0, stats[NEW_TRANSITIONS], stats[COUNT]
    bound = MORE
    for j in range(size):
        bound = bounded(stats)
        if bound != MORE:
            break
        record_state(buffers.marks[j], columns, stats)
        source = stats[EXPANDED]
        while at < all_ends[j]:
            slot = place_of(out[at], hashes[at], states, table)
            if table[slot] == ZERO:
                states[count] = out[at]
                count += 1
                table[slot] = (hashes[at] & HIGH) | np.uint64(count)
            if keeps:
                sources[new], actions[new], targets[new] = source, labels[at], np.int64(table[slot] & LOW) - 1
                new += 1
            at += 1
        stats[EXPANDED] += 1
        stats[COUNT] = count
    stats[NEW_TRANSITIONS] = new
    stats[TRANSITIONS] += at
    return bound


@kernel
def explore(
    states: Words,
    table: Words,
    control: Control,
    rules: Rules,
    images: NDArray[np.uint64],
    buffers: ScratchBuffers,
    columns: Columns,
    stats: Ints,
) -> int:
    """Explores a slice; returns why it ended."""
    stop = stats[EXPANDED] + stats[SLICE]
    while True:
        if stats[EXPANDED] == stats[COUNT]:
            return DONE
        bound = bounded(stats)
        if bound != MORE:
            return bound
        if stats[EXPANDED] == stats[LEVEL_END]:
            if stats[NEW_LEVELS] == len(columns.levels):
                return MORE
            columns.levels[stats[NEW_LEVELS]] = stats[EXPANDED]
            stats[NEW_LEVELS] += 1
            stats[LEVEL] += 1
            stats[LEVEL_END] = stats[COUNT]
        if stats[LEVEL] > stats[MOST_LEVEL]:
            return DEPTH
        most = min(BATCH, stats[LEVEL_END] - stats[EXPANDED], stop - stats[EXPANDED])
        if most <= 0:
            return MORE
        size = gather(states, control, rules, images, buffers, stats, most)
        if size == 0:
            return GROW_BUFFERS
        new = buffers.ends[size - 1]
        if stats[COUNT] + new > len(states) or 5 * (stats[COUNT] + new) > 3 * len(table):
            return GROW_TABLE
        if stats[KEEP] and stats[NEW_TRANSITIONS] + new > len(columns.sources):
            return MORE
        if images.shape[0] > 0:
            for i in range(new):
                make_smallest(buffers.out, i, control.place_mask, images)
        prefetch(states, table, buffers, new)
        bound = commit(states, table, buffers, columns, stats, size)
        if bound != MORE:
            return bound


def explore_two_states(width: int) -> int:
    """Explores a system of two states and one edge, which its only rule deletes, so that all kernels are compiled."""
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
    buffers = ScratchBuffers(
        out=words(64), labels=line.copy(), hashes=np.zeros(64, np.uint64), peeks=np.zeros(64, np.uint64),
        effects=words(64), begun=words(64), raw=words(64), raw_labels=line.copy(), queue=words(64),
        seen=words(64), stamps=line.copy(), ends=line.copy(), marks=line.copy(),
    )  # fmt: skip
    empty = (np.zeros(64, np.int32), np.zeros(64, np.uint16), np.zeros(64, np.int32))
    columns = Columns(*empty, line.copy(), line.copy(), line.copy())
    stats, states = np.zeros(STATS_SIZE, np.int64), words(64)
    states.flat[0] = 1
    stats[[COUNT, LEVEL_END, KEEP]] = 1
    stats[[MOST_LEVEL, MOST_STATES, SLICE]] = 9
    images = np.zeros((0, 1, 256) if is_narrow else (0, 1, 256, width), np.uint64)
    slots = np.zeros(256, np.uint64)
    fill(states, 0, 1, slots)
    return explore(states, slots, control, rules, images, buffers, columns, stats)
