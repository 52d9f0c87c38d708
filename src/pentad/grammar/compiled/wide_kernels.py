"""Kernels that explore states of several words, with the place in control in the last word.

They mirror `narrow_kernels`, with rows of words instead of words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pentad.grammar.compiled.base_kernels import (
    ACTION,
    BATCH,
    BITS,
    BYTE,
    CHANGES,
    CLAUSES,
    CLEAR,
    COUNT,
    DEPTH,
    DISTANCE,
    DONE,
    ENTERS,
    EVENT,
    EXPANDED,
    FAILURE,
    FINAL,
    FIRST,
    FLIPPED,
    FORBID,
    FROM_WORD,
    GATE,
    GROW_BUFFERS,
    GROW_TABLE,
    HERE,
    HIGH,
    HIGH_ROW,
    INNER,
    KEEP,
    KEY_BITS,
    KIND,
    LABEL,
    LEFT,
    LEVEL,
    LEVEL_END,
    LOW,
    LOW_ROW,
    MISS,
    MORE,
    MOST_LEVEL,
    MOVED,
    MOVES,
    NAME,
    NEED,
    NEW_LEVELS,
    NEW_TRANSITIONS,
    OF_WORD,
    ONE,
    SET,
    SKIP,
    SLICE,
    STAMP,
    SUCCESS,
    TO_WORD,
    TRANSITIONS,
    TRIAL,
    TURNED_BY,
    TURNS,
    ZERO,
    Columns,
    Control,
    Ints,
    Rules,
    ScratchBuffers,
    Words,
    bounded,
    mark,
    mixed,
    record_state,
    turned,
    two_states,
)
from pentad.kernel import kernel

Rows = NDArray[np.uint64]  # of words


@kernel
def hashed(row: Words) -> np.uint64:
    """Hash of a state."""
    number = ZERO
    for word in row:
        number = mixed(number ^ word) + ONE
    return number


@kernel
def are_equal(one: Words, other: Words) -> bool:
    for w in range(len(one)):  # noqa: SIM110 - kernels do not support generators
        if one[w] != other[w]:
            return False
    return True


@kernel
def holds(state: Words, guard: Rows) -> bool:
    """Whether a state has everything that a guard needs and nothing that it forbids."""
    for w in range(len(state)):
        if state[w] & guard[NEED, w] != guard[NEED, w] or state[w] & guard[FORBID, w] != ZERO:
            return False
    return True


@kernel
def clauses_hold(state: Words, row: int, rules: Rules) -> bool:
    for clause in range(rules.numbers[row, CLAUSES], rules.numbers[row + 1, CLAUSES]):
        if not holds(state, rules.clauses[clause]):
            continue
        is_met = False
        for other in range(rules.others_from[clause], rules.others_from[clause + 1]):
            if holds(state, rules.others[other]):
                is_met = True
                break
        if not is_met:
            return False
    return True


@kernel
def pattern_holds(state: Words, first: int, last: int, turns: Words) -> bool:
    """Whether one of the patterns matches."""
    left = ZERO
    for turn in range(first, last):
        if turns[turn, LEFT] != ZERO:
            if left != ZERO:
                return True
            left = turns[turn, LEFT]
        left &= turned(state[turns[turn, OF_WORD]], turns[turn, TURNED_BY]) ^ turns[turn, FLIPPED]
    return bool(left != ZERO)


@kernel
def change(state: Words, row: int, rules: Rules, after: Words, key_bits: Words) -> None:
    """Computes a row's effect on a state's edges, and the bits that distinguish its changes."""
    masks, numbers = rules.masks[row], rules.numbers
    for w in range(len(state)):
        after[w] = (state[w] & ~masks[CLEAR, w]) | masks[SET, w]
        key_bits[w] = state[w] & masks[KEY_BITS, w]
    first, last = numbers[row, CHANGES], numbers[row + 1, CHANGES]
    for c in range(first, last):
        if holds(state, rules.changes[c]):
            for w in range(len(state)):
                after[w] &= ~rules.changes[c, CLEAR, w] | masks[SET, w]
                key_bits[w] |= rules.changes[c, KEY_BITS, w]
    for c in range(first, last):
        if holds(state, rules.changes[c]):
            for w in range(len(state)):
                after[w] |= rules.changes[c, SET, w]
    for m in range(numbers[row, MOVES], numbers[row + 1, MOVES]):
        move = rules.moves[m]
        after[move[TO_WORD]] |= turned(state[move[FROM_WORD]] & move[MOVED], move[DISTANCE])


@kernel
def fire(
    state: Words,
    row: int,
    end: int,
    place: np.uint64,
    place_mask: np.uint64,
    rules: Rules,
    out: Rows,
    labels: Ints,
    at: int,
    effects: Rows,
) -> int:
    """Writes the successors of a state by a rule's rows; returns the end of the output."""
    numbers = rules.numbers
    event, events, last_word = -1, 0, len(state) - 1
    while row < end:
        first, last = numbers[row, TURNS], numbers[row + 1, TURNS]
        if (
            not holds(state, rules.masks[row])
            or (first < last and not pattern_holds(state, first, last, rules.turns))
            or (numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold(state, row, rules))
        ):
            row = numbers[row, MISS]
            continue
        if numbers[row, LABEL] == GATE:
            row += 1
            continue
        if numbers[row, EVENT] != event:
            event, events = numbers[row, EVENT], 0
        change(state, row, rules, out[at], effects[events])
        if event >= 0:
            is_known = False
            for e in range(events):
                is_known = is_known or are_equal(effects[e], effects[events])
            if is_known:
                row += 1
                continue
            events += 1
        out[at, last_word] = (out[at, last_word] & ~place_mask) | place
        labels[at] = numbers[row, LABEL]
        at += 1
        row = numbers[row, SKIP]
    return at


@kernel
def is_first(row: Words, buffers: ScratchBuffers, stamp: int) -> bool:
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
def make_smallest(row: Words, place_mask: np.uint64, images: NDArray[np.uint64]) -> None:
    """Replaces a state by the smallest of its images under the symmetries, which are given by byte."""
    if images.shape[0] == 0:
        return
    last = len(row) - 1
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


@kernel
def ends(
    begun: Words,
    control: Control,
    rules: Rules,
    images: NDArray[np.uint64],
    buffers: ScratchBuffers,
    label: int,
    at: int,
    stamp: int,
) -> int:
    """Writes the end states of a recipe, each once; returns the end of the output, or -1 if the buffers are full."""
    last = len(begun) - 1
    first, head, tail = at, 0, 1
    if control.places[begun[last] >> control.place_shift, INNER] == 0:
        if at >= len(buffers.out):
            return -1
        buffers.out[at], buffers.labels[at] = begun, label
        return at + 1
    make_smallest(begun, control.place_mask, images)
    buffers.queue[0] = begun
    is_first(begun, buffers, stamp)
    while head < tail:
        state = buffers.queue[head]
        head += 1
        place = np.int64(state[last] >> control.place_shift)
        while control.places[place, KIND] == TRIAL and control.places[place, INNER]:
            found = False
            for call in range(control.places[place, FIRST], control.places[place + 1, FIRST]):
                row, end = control.calls[call, LOW_ROW], control.calls[call, HIGH_ROW]
                more = end - row
                if max(at, tail) + more > len(buffers.out) or 2 * (tail + at - first + more) > len(buffers.seen):
                    return -1
                count = fire(
                    state, row, end, control.after[call], control.place_mask, rules,
                    buffers.raw, buffers.raw_labels, 0, buffers.effects,
                )  # fmt: skip
                found = found or count > 0
                for i in range(count):
                    make_smallest(buffers.raw[i], control.place_mask, images)
                    if not is_first(buffers.raw[i], buffers, stamp):
                        continue
                    if control.places[buffers.raw[i, last] >> control.place_shift, INNER]:
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
            row_out = buffers.out[at]
            row_out[:] = state
            row_out[last] = (state[last] & ~control.place_mask) | (np.uint64(place) << control.place_shift)
            if is_first(row_out, buffers, stamp):
                buffers.labels[at] = label
                at += 1
    return at


@kernel
def prefetch(states: Rows, table: Words, buffers: ScratchBuffers, size: int) -> None:
    """Prefetches the table slots of all successors, so that cache misses overlap."""
    mask, out, hashes, peeks = np.uint64(len(table) - 1), buffers.out, buffers.hashes, buffers.peeks
    for i in range(size):
        hashes[i] = hashed(out[i])
    for i in range(size):
        peeks[i] = table[hashes[i] & mask]
    for i in range(size):
        entry = peeks[i]
        if entry != ZERO and (entry ^ hashes[i]) & HIGH == ZERO:
            peeks[i] = states[(entry & LOW) - ONE, 0]


@kernel
def place_of(row: Words, number: np.uint64, states: Rows, table: Words) -> np.uint64:
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
def fill(states: Rows, first: int, last: int, table: Words) -> None:
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
    states: Rows,
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
    at, last = 0, states.shape[1] - 1
    for size in range(most):
        source, named = stats[EXPANDED] + size, False
        state = states[source]
        place = np.int64(state[last] >> control.place_shift)
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
                        at = ends(begun[i], control, rules, images, buffers, calls[call, ENTERS], at, stats[STAMP])
                        if at < 0:
                            return size
                if at > before:
                    found = True
                    named = named or calls[call, ACTION] == name
            place = places[place, SUCCESS] if found else places[place, FAILURE]
        all_ends[size], all_marks[size] = at, mark(places[place, KIND] == FINAL, named, stats)
    return most


@kernel
def commit(states: Rows, table: Words, buffers: ScratchBuffers, columns: Columns, stats: Ints, size: int) -> int:
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
    states: Rows,
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
                make_smallest(buffers.out[i], control.place_mask, images)
        prefetch(states, table, buffers, new)
        bound = commit(states, table, buffers, columns, stats, size)
        if bound != MORE:
            return bound


def _try() -> int:
    """Explores a small system, so that all kernels are compiled."""
    case = two_states(2)
    fill(case.states, 0, 1, case.table)
    return explore(
        case.states, case.table, case.control, case.rules, case.images, case.buffers, case.columns, case.stats
    )


WARM_UP = [_try]
