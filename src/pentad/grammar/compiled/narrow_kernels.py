"""Kernels that explore states of one word, with the place in control above the edges."""

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
    ONE,
    SET,
    SKIP,
    SLICE,
    STAMP,
    SUCCESS,
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


@kernel
def clauses_hold(state: np.uint64, row: int, rules: Rules) -> bool:
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
def pattern_holds(state: np.uint64, first: int, last: int, turns: Words) -> bool:
    """Whether one of the patterns matches."""
    left = ZERO
    for turn in range(first, last):
        if turns[turn, LEFT] != ZERO:
            if left != ZERO:
                return True
            left = turns[turn, LEFT]
        left &= turned(state, turns[turn, TURNED_BY]) ^ turns[turn, FLIPPED]
    return bool(left != ZERO)


@kernel
def fire(
    state: np.uint64,
    row: int,
    end: int,
    place: np.uint64,
    rules: Rules,
    out: Words,
    labels: Ints,
    at: int,
    effects: Words,
) -> int:
    """Writes the successors of a state by a rule's rows; returns the end of the output."""
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
        if numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold(state, row, rules):
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
def smallest(word: np.uint64, place_mask: np.uint64, images: NDArray[np.uint64]) -> np.uint64:
    """The smallest image of a state under the symmetries, which are given by byte."""
    state = word & ~place_mask
    best = state
    for g in range(images.shape[0]):
        image, rest = ZERO, state
        for b in range(images.shape[1]):
            image |= images[g, b, rest & BYTE]
            rest >>= BITS
        best = min(best, image)
    return best | (word & place_mask)


@kernel
def is_first(word: np.uint64, buffers: ScratchBuffers, stamp: int) -> bool:
    """Whether a state is new within a recipe; adds it to the set of seen states."""
    mask = np.uint64(len(buffers.seen) - 1)
    slot = mixed(word) & mask
    while buffers.stamps[slot] == stamp:
        if buffers.seen[slot] == word:
            return False
        slot = (slot + ONE) & mask
    buffers.stamps[slot], buffers.seen[slot] = stamp, word
    return True


@kernel
def ends(
    begun: np.uint64,
    control: Control,
    rules: Rules,
    images: NDArray[np.uint64],
    buffers: ScratchBuffers,
    label: int,
    at: int,
    stamp: int,
) -> int:
    """Writes the end states of a recipe, each once; returns the end of the output, or -1 if the buffers are full."""
    if control.places[begun >> control.place_shift, INNER] == 0:
        if at >= len(buffers.out):
            return -1
        buffers.out[at], buffers.labels[at] = begun, label
        return at + 1
    first, head, tail = at, 0, 1
    begun = smallest(begun, control.place_mask, images)
    buffers.queue[0] = begun
    is_first(begun, buffers, stamp)
    while head < tail:
        word = buffers.queue[head]
        head += 1
        state, place = word & ~control.place_mask, np.int64(word >> control.place_shift)
        while control.places[place, KIND] == TRIAL and control.places[place, INNER]:
            found = False
            for call in range(control.places[place, FIRST], control.places[place + 1, FIRST]):
                row, end = control.calls[call, LOW_ROW], control.calls[call, HIGH_ROW]
                more = end - row
                if max(at, tail) + more > len(buffers.out) or 2 * (tail + at - first + more) > len(buffers.seen):
                    return -1
                count = fire(
                    state, row, end, control.after[call], rules,
                    buffers.raw, buffers.raw_labels, 0, buffers.effects,
                )  # fmt: skip
                found = found or count > 0
                for i in range(count):
                    next_word = smallest(buffers.raw[i], control.place_mask, images)
                    if not is_first(next_word, buffers, stamp):
                        continue
                    if control.places[next_word >> control.place_shift, INNER]:
                        buffers.queue[tail] = next_word
                        tail += 1
                    else:
                        buffers.out[at], buffers.labels[at] = next_word, label
                        at += 1
            place = control.places[place, SUCCESS] if found else control.places[place, FAILURE]
        if control.places[place, INNER] == 0:  # the recipe ends without another step
            if at >= len(buffers.out) or 2 * (tail + at - first) >= len(buffers.seen):
                return -1
            ended = state | (np.uint64(place) << control.place_shift)
            if is_first(ended, buffers, stamp):
                buffers.out[at], buffers.labels[at] = ended, label
                at += 1
    return at


@kernel
def prefetch(states: Words, table: Words, buffers: ScratchBuffers, size: int) -> None:
    """Prefetches the table slots of all successors, so that cache misses overlap."""
    mask, out, hashes, peeks = np.uint64(len(table) - 1), buffers.out, buffers.hashes, buffers.peeks
    for i in range(size):
        hashes[i] = mixed(out[i])
    for i in range(size):
        peeks[i] = table[hashes[i] & mask]
    for i in range(size):
        entry = peeks[i]
        if entry != ZERO and (entry ^ hashes[i]) & HIGH == ZERO:
            peeks[i] = states[(entry & LOW) - ONE]


@kernel
def place_of(word: np.uint64, hashed: np.uint64, states: Words, table: Words) -> np.uint64:
    """The slot of a state in the table, or the free slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = hashed & mask
    while table[slot] != ZERO:
        entry = table[slot]
        if (entry ^ hashed) & HIGH == ZERO and states[(entry & LOW) - ONE] == word:
            break
        slot = (slot + ONE) & mask
    return slot


@kernel
def fill(states: Words, first: int, last: int, table: Words) -> None:
    """Inserts states into a table that has none of them."""
    mask = np.uint64(len(table) - 1)
    for number in range(first, last):
        hashed = mixed(states[number])
        slot = hashed & mask
        while table[slot] != ZERO:
            slot = (slot + ONE) & mask
        table[slot] = (hashed & HIGH) | np.uint64(number + 1)


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
        state = states[source] & ~place_mask
        place = np.int64(states[source] >> control.place_shift)
        stay = np.uint64(places[place, HERE]) << control.place_shift
        for call in range(control.loops, len(calls)):
            row, end, before = calls[call, LOW_ROW], calls[call, HIGH_ROW], at
            if at + end - row > len(out):
                return size
            at = fire(state, row, end, stay, rules, out, labels, at, changes)
            named = named or (at > before and calls[call, ACTION] == name)
        while places[place, KIND] == TRIAL:
            found = False
            for call in range(places[place, FIRST], places[place + 1, FIRST]):
                row, end, before = calls[call, LOW_ROW], calls[call, HIGH_ROW], at
                if at + end - row > len(out):
                    return size
                at = fire(state, row, end, after[call], rules, out, labels, at, changes)
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
                buffers.out[i] = smallest(buffers.out[i], control.place_mask, images)
        prefetch(states, table, buffers, new)
        bound = commit(states, table, buffers, columns, stats, size)
        if bound != MORE:
            return bound


def _try() -> int:
    """Explores a small system, so that all kernels are compiled."""
    case = two_states(1)
    fill(case.states, 0, 1, case.table)
    return explore(
        case.states, case.table, case.control, case.rules, case.images, case.buffers, case.columns, case.stats
    )


WARM_UP = [_try]
