"""Kernels that explore a grammar's states breadth first, and number them.

`narrow_kernels` and `wide_kernels` have the tables of entry points: for states of one word, where the compiler knows
the width and removes the loops over words, and for any width.

First all successors of a batch of states are computed and their hash slots prefetched, then each successor is looked
up. A call explores a slice and returns, so that the caller can grow buffers, check bounds and report progress.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.batch_kernels import fires, test_batch, write_enabled
from pentad.grammar.compiled.constants import (  # arguments of kernels: by name, compiled for each
    Columns,
    Control,
    Ints,
    Rules,
    ScratchBuffers,
    Symmetries,
    Words,
)
from pentad.grammar.compiled.state_kernels import (
    HIGH,
    LOW,
    ONE,
    ZERO,
    are_equal,
    copy,
    fire,
    hashed,
    is_enabled,
    make_smallest,
    place_of,
    set_place,
)
from pentad.kernels.decorator import kernel


@kernel
def mark(final: bool, named: bool, stats: Ints) -> int:
    """The flags of a state: whether it is final, and whether it is a result."""
    accept = stats[k.ACCEPT]
    accepted = accept == k.EVERY or (accept == k.FINAL_ONES and final)
    accepted = accepted or (accept == k.WITH and named) or (accept == k.WITHOUT and not named)
    return (k.IS_FINAL if final else 0) | (k.IS_RESULT if accepted else 0)


@kernel
def bounded(stats: Ints) -> int:
    """The bound that is reached, or MORE."""
    if stats[k.MOST_RESULTS] > 0 and stats[k.ACCEPTED] >= stats[k.MOST_RESULTS]:
        return k.RESULTS
    return k.STATES if stats[k.COUNT] >= stats[k.MOST_STATES] else k.MORE


@kernel
def record_state(marks: int, columns: Columns, stats: Ints) -> None:
    """Records the flags of the current state."""
    if marks & k.IS_FINAL:
        stats[k.FINALS] += 1
        if stats[k.KEEP]:
            columns.finals[stats[k.NEW_FINALS]] = stats[k.EXPANDED]
            stats[k.NEW_FINALS] += 1
    if marks & k.IS_RESULT:
        stats[k.ACCEPTED] += 1
        columns.results[stats[k.NEW_RESULTS]] = stats[k.EXPANDED]
        stats[k.NEW_RESULTS] += 1


# ── exploration ──────────────────────────────────────────────────────────────────────────────────


@kernel
def is_first(width: int, states: Words, at: int, buffers: ScratchBuffers, stamp: int) -> bool:
    """Whether a state is new within a recipe; adds it to the set of seen states."""
    mask = len(buffers.stamps) - 1
    slot = np.int64(hashed(width, states, at)) & mask
    while buffers.stamps[slot] == stamp:
        if are_equal(width, buffers.seen, slot, states, at):
            return False
        slot = (slot + 1) & mask
    buffers.stamps[slot] = stamp
    copy(width, buffers.seen, slot, states, at)
    return True


@kernel
def ends(
    width: int,
    number: int,
    control: Control,
    rules: Rules,
    symmetries: Symmetries,
    buffers: ScratchBuffers,
    label: int,
    at: int,
    stamp: int,
) -> int:
    """Writes the end states of a recipe, each once; returns the end of the output, or -1 if the buffers are full.

    `number` is that of the state in the buffer `begun`.
    """
    places, mask, out, raw, queue = control.places, control.place_mask, buffers.out, buffers.raw, buffers.queue
    size, room = len(buffers.labels), len(buffers.stamps)
    first, head, tail = at, 0, 1
    if places[place_of(width, buffers.begun, number, control), k.INNER] == 0:
        if at >= size:
            return -1
        copy(width, out, at, buffers.begun, number)
        buffers.labels[at] = label
        return at + 1
    make_smallest(width, buffers.begun, number, mask, symmetries, buffers.smallest)
    copy(width, queue, 0, buffers.begun, number)
    is_first(width, queue, 0, buffers, stamp)
    while head < tail:
        state = head
        head += 1
        place = place_of(width, queue, state, control)
        while places[place, k.KIND] == k.TRIAL and places[place, k.INNER]:
            found = False
            for call in range(places[place, k.FIRST], places[place + 1, k.FIRST]):
                row, end = control.calls[call, k.LOW_ROW], control.calls[call, k.HIGH_ROW]
                more = end - row
                if max(at, tail) + more > size or 2 * (tail + at - first + more) > room:
                    return -1
                count = fire(
                    width, queue, state, row, end, control.after[call], rules, mask, raw, buffers.raw_labels, 0,
                    buffers.effects,
                )  # fmt: skip
                found = found or count > 0
                for i in range(count):
                    make_smallest(width, raw, i, mask, symmetries, buffers.smallest)
                    if not is_first(width, raw, i, buffers, stamp):
                        continue
                    if places[place_of(width, raw, i, control), k.INNER]:
                        copy(width, queue, tail, raw, i)
                        tail += 1
                    else:
                        copy(width, out, at, raw, i)
                        buffers.labels[at] = label
                        at += 1
            place = places[place, k.SUCCESS] if found else places[place, k.FAILURE]
        if places[place, k.INNER] == 0:  # the recipe ends without another step
            if at >= size or 2 * (tail + at - first) >= room:
                return -1
            copy(width, out, at, queue, state)
            set_place(width, out, at, np.uint64(place) << control.place_shift, mask)
            if is_first(width, out, at, buffers, stamp):
                buffers.labels[at] = label
                at += 1
    return at


@kernel
def prefetch(width: int, states: Words, table: Words, buffers: ScratchBuffers, size: int) -> None:
    """Prefetches the table slots of all successors, so that cache misses overlap."""
    mask, out, hashes, peeks = np.uint64(len(table) - 1), buffers.out, buffers.hashes, buffers.peeks
    for i in range(size):
        hashes[i] = hashed(width, out, i)
    for i in range(size):
        peeks[i] = table[hashes[i] & mask]
    for i in range(size):
        entry = peeks[i]
        if entry != ZERO and (entry ^ hashes[i]) & HIGH == ZERO:
            peeks[i] = states[np.int64((entry & LOW) - ONE) * width]


@kernel
def slot_of(width: int, row: Words, at: int, number: np.uint64, states: Words, table: Words) -> np.uint64:
    """The slot of a state in the table, or the free slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = number & mask
    while table[slot] != ZERO:
        entry = table[slot]
        if (entry ^ number) & HIGH == ZERO and are_equal(width, states, np.int64((entry & LOW) - ONE), row, at):
            break
        slot = (slot + ONE) & mask
    return slot


@kernel
def fill(width: int, states: Words, first: int, last: int, table: Words) -> None:
    """Inserts states into a table that has none of them."""
    mask = np.uint64(len(table) - 1)
    for i in range(first, last):
        number = hashed(width, states, i)
        slot = number & mask
        while table[slot] != ZERO:
            slot = (slot + ONE) & mask
        table[slot] = (number & HIGH) | np.uint64(i + 1)


@kernel
def expand(
    width: int,
    states: Words,
    source: int,
    control: Control,
    rules: Rules,
    symmetries: Symmetries,
    buffers: ScratchBuffers,
    stats: Ints,
    number: int,
    at: int,
) -> int:
    """Writes the successors of one state of a batch, by any control; returns the end of the output, or -1 if full."""
    places, calls, after, name = control.places, control.calls, control.after, stats[k.NAME]
    out, labels, begun = buffers.out, buffers.labels, buffers.begun
    place, named = place_of(width, states, source, control), False
    stay = np.uint64(places[place, k.HERE]) << control.place_shift
    first, last, is_loop = control.loops, len(calls), True
    while True:
        found = False
        for call in range(first, last):
            row, end, before = calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW], at
            if at + end - row > len(labels):
                return -1
            at = fire(
                width, states, source, row, end, stay if is_loop else after[call], rules, control.place_mask, out,
                labels, at, buffers.effects,
            )  # fmt: skip
            if calls[call, k.ENTERS] >= 0:
                count, at = at - before, before
                for i in range(count):
                    copy(width, begun, i, out, before + i)
                for i in range(count):
                    stats[k.STAMP] += 1
                    at = ends(width, i, control, rules, symmetries, buffers, calls[call, k.ENTERS], at, stats[k.STAMP])
                    if at < 0:
                        return -1
            if at > before:
                found = True
                named = named or calls[call, k.ACTION] == name
        if not is_loop:
            place = places[place, k.SUCCESS] if found else places[place, k.FAILURE]
        is_loop = False
        if places[place, k.KIND] != k.TRIAL:
            break
        first, last = places[place, k.FIRST], places[place + 1, k.FIRST]
    buffers.marks[number] = mark(places[place, k.KIND] == k.FINAL, named, stats)
    return at


@kernel
def gather(
    width: int,
    states: Words,
    first: int,
    control: Control,
    rules: Rules,
    symmetries: Symmetries,
    buffers: ScratchBuffers,
    stats: Ints,
    most: int,
) -> int:
    """Writes the successors of the next states, up to a number of states; returns how many fitted into the buffers."""
    out, labels, name, most_rows = buffers.out, buffers.labels, stats[k.NAME], len(rules.numbers) - 1
    at = 0
    test_batch(width, states, first, most, control, rules, buffers)
    for size in range(most):
        position = buffers.positions[size]
        if position < 0:
            at = expand(width, states, first + size, control, rules, symmetries, buffers, stats, size, at)
            if at < 0:
                return size
        else:
            if at + most_rows > len(labels):
                return size
            at = write_enabled(
                width, states, first + size, position, rules, control.place_mask, buffers, out, labels, at
            )
            named = name >= 0 and fires(
                name, place_of(width, states, first + size, control), position, control, buffers
            )
            is_final = control.places[buffers.reached[position], k.KIND] == k.FINAL
            buffers.marks[size] = mark(is_final, named, stats)
        buffers.ends[size] = at
    return most


@kernel
def commit(
    width: int, states: Words, table: Words, buffers: ScratchBuffers, columns: Columns, stats: Ints, size: int
) -> int:
    """Adds the successors of a batch to the state space; returns MORE, or the bound that is reached."""
    out, labels, hashes, all_ends = buffers.out, buffers.labels, buffers.hashes, buffers.ends
    sources, actions, targets = columns.sources, columns.actions, columns.targets
    at, keeps, new, count = 0, stats[k.KEEP] != 0, stats[k.NEW_TRANSITIONS], stats[k.COUNT]
    bound = k.MORE
    for j in range(size):
        bound = bounded(stats)
        if bound != k.MORE:
            break
        record_state(buffers.marks[j], columns, stats)
        source = stats[k.EXPANDED]
        while at < all_ends[j]:
            slot = slot_of(width, out, at, hashes[at], states, table)
            if table[slot] == ZERO:
                copy(width, states, count, out, at)
                count += 1
                table[slot] = (hashes[at] & HIGH) | np.uint64(count)
            if keeps:
                sources[new], actions[new], targets[new] = source, labels[at], np.int64(table[slot] & LOW) - 1
                new += 1
            at += 1
        stats[k.EXPANDED] += 1
        stats[k.COUNT] = count
    stats[k.NEW_TRANSITIONS] = new
    stats[k.TRANSITIONS] += at
    return bound


@kernel
def explore(
    width: int,
    states: Words,
    table: Words,
    control: Control,
    rules: Rules,
    symmetries: Symmetries,
    buffers: ScratchBuffers,
    columns: Columns,
    stats: Ints,
) -> int:
    """Explores a slice; returns why it ended."""
    stop = stats[k.EXPANDED] + stats[k.SLICE]
    while True:
        if stats[k.EXPANDED] == stats[k.COUNT]:
            return k.DONE
        bound = bounded(stats)
        if bound != k.MORE:
            return bound
        if stats[k.EXPANDED] == stats[k.LEVEL_END]:
            if stats[k.NEW_LEVELS] == len(columns.levels):
                return k.MORE
            columns.levels[stats[k.NEW_LEVELS]] = stats[k.EXPANDED]
            stats[k.NEW_LEVELS] += 1
            stats[k.LEVEL] += 1
            stats[k.LEVEL_END] = stats[k.COUNT]
        if stats[k.LEVEL] > stats[k.MOST_LEVEL]:
            return k.DEPTH
        most = min(k.BATCH, stats[k.LEVEL_END] - stats[k.EXPANDED], stop - stats[k.EXPANDED])
        if most <= 0:
            return k.MORE
        size = gather(width, states, stats[k.EXPANDED], control, rules, symmetries, buffers, stats, most)
        if size == 0:
            return k.GROW_BUFFERS
        new = buffers.ends[size - 1]
        if (stats[k.COUNT] + new) * width > len(states) or 5 * (stats[k.COUNT] + new) > 3 * len(table):
            return k.GROW_TABLE
        if stats[k.KEEP] and stats[k.NEW_TRANSITIONS] + new > len(columns.sources):
            return k.MORE
        if symmetries.number > 0:
            for i in range(new):
                make_smallest(width, buffers.out, i, control.place_mask, symmetries, buffers.smallest)
        prefetch(width, states, table, buffers, new)
        bound = commit(width, states, table, buffers, columns, stats, size)
        if bound != k.MORE:
            return bound


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def explore_slice(
    width: int, places: Ints, calls: Ints, after: Words, plans: Ints, plans_from: Ints, place_mask: np.uint64,
    place_shift: np.uint64, loops: int,
    masks: Words, numbers: Ints, clauses: Words, others_from: Ints, others: Words, turns: Words, moves: Words,
    changes: Words, images: Words, number: int, size: int, out: Words, labels: Ints, hashes: Words, peeks: Words,
    effects: Words, begun: Words, raw: Words, raw_labels: Ints, queue: Words, seen: Words, stamps: Ints,
    smallest: Words, ends_of: Ints, marks: Ints, batch: Words, enabled: Words, tested: Words, afters: Words,
    positions: Ints, members: Ints, groups: Ints, reached: Ints, sources: NDArray[np.int32],
    actions: NDArray[np.uint16], targets: NDArray[np.int32], finals: Ints, results: Ints, levels: Ints,
    states: Words, table: Words, stats: Ints,
) -> int:  # fmt: skip
    """Explores a slice, with the elements of all tuples in their order."""
    control = Control(places, calls, after, plans, plans_from, place_mask, place_shift, loops)
    rules = Rules(masks, numbers, clauses, others_from, others, turns, moves, changes)
    buffers = ScratchBuffers(
        out,
        labels,
        hashes,
        peeks,
        effects,
        begun,
        raw,
        raw_labels,
        queue,
        seen,
        stamps,
        smallest,
        ends_of,
        marks,
        batch,
        enabled,
        tested,
        afters,
        positions,
        members,
        groups,
        reached,
    )
    columns = Columns(sources, actions, targets, finals, results, levels)
    return explore(width, states, table, control, rules, Symmetries(images, number, size), buffers, columns, stats)


@kernel
def begin(
    width: int, states: Words, table: Words, place_mask: np.uint64, images: Words, number: int, size: int, best: Words
) -> None:
    """Makes the first state the smallest of its images and inserts it into an empty table."""
    make_smallest(width, states, 0, place_mask, Symmetries(images, number, size), best)
    fill(width, states, 0, 1, table)


@kernel
def mark_states(
    width: int, states: Words, masks: Words, numbers: Ints, clauses: Words, others_from: Ints, others: Words,
    turns: Words, moves: Words, changes: Words, among: NDArray[np.uint8], bit: int, found: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Sets a bit for each state of a set where some row applies."""
    rules = Rules(masks, numbers, clauses, others_from, others, turns, moves, changes)
    for state in range(len(found)):
        if among[state] == 0:
            continue
        row = 0
        while row < len(numbers) - 1:
            if not is_enabled(width, states, state, row, rules):
                row = numbers[row, k.MISS]
            elif numbers[row, k.LABEL] == k.GATE:
                row += 1
            else:
                found[state] |= bit
                break


@kernel
def find_state(
    width: int, states: Words, table: Words, place_mask: np.uint64, images: Words, number: int, size: int,
    row: Words, best: Words,
) -> np.int64:  # fmt: skip
    """The number of the state that is equal to a row, or one of its images; -1 if there is none."""
    make_smallest(width, row, 0, place_mask, Symmetries(images, number, size), best)
    return np.int64(table[slot_of(width, row, 0, hashed(width, row, 0), states, table)] & LOW) - 1


CONTROL = "int64[,6] int64[,4] uint64[] int64[] int64[] uint64 uint64 int64"
RULES = "uint64[] int64[,7] uint64[] int64[] uint64[] uint64[,4] uint64[,4] uint64[]"
SYMMETRIES = "uint64[] int64 int64"
BUFFERS = (
    "uint64[] int64[] uint64[] uint64[] uint64[] uint64[] uint64[] int64[] uint64[] uint64[] int64[] uint64[] int64[]"
    " int64[] uint64[] uint64[] uint64[] uint64[] int64[] int64[] int64[] int64[]"
)
COLUMNS = "int32[] uint16[] int32[] int64[] int64[] int64[]"
EXPLORE = f"{CONTROL} {RULES} {SYMMETRIES} {BUFFERS} {COLUMNS} uint64[] uint64[] int64[]"


def entry_points(width: str) -> dict[str, tuple[Callable[..., Any], str]]:
    """The table of entry points for a width, which is a type or a number."""
    return {
        "explore": (explore_slice, f"{width} {EXPLORE}"),
        "begin": (begin, f"{width} uint64[] uint64[] uint64 {SYMMETRIES} uint64[]"),
        "fill": (fill, f"{width} uint64[] int64 int64 uint64[]"),
        "mark": (mark_states, f"{width} uint64[] {RULES} uint8[] int64 uint8[]"),
        "find": (find_state, f"{width} uint64[] uint64[] uint64 {SYMMETRIES} uint64[] uint64[]"),
    }
