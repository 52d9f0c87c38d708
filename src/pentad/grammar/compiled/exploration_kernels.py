"""Kernels that explore a grammar's states, for narrow states of one word and wide states of several.

An array of states has one dimension or two; what depends on it is in `state_kernels`. Each module of `WARM_UP` calls
compiles one of the two: `narrow_kernels` and `wide_kernels`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.grammar.compiled.base_kernels import (
    ACTION,
    BATCH,
    CLEAR,
    COUNT,
    DEAD,
    DEPTH,
    DONE,
    ENTERS,
    EXPANDED,
    FAILURE,
    FINAL,
    FIRST,
    GROW_BUFFERS,
    GROW_TABLE,
    HERE,
    HIGH,
    HIGH_ROW,
    INNER,
    KEEP,
    KIND,
    LEVEL,
    LEVEL_END,
    LOW,
    LOW_ROW,
    MORE,
    MOST_LEVEL,
    MOST_STATES,
    NAME,
    NEED,
    NEW_LEVELS,
    NEW_TRANSITIONS,
    ONE,
    SLICE,
    STAMP,
    STATS_SIZE,
    SUCCESS,
    TRANSITIONS,
    TRIAL,
    ZERO,
    Columns,
    Control,
    Ints,
    Rules,
    ScratchBuffers,
    Words,
    bounded,
    mark,
    record_state,
)
from pentad.grammar.compiled.state_kernels import (
    State,
    are_equal,
    edges_of,
    fire,
    hashed,
    make_smallest,
    set_place,
    word_of,
)
from pentad.jit.compiler import kernel

LAST = -1  # the word that holds the place in control


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
