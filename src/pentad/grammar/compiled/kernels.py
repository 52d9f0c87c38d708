"""Kernels that explore a grammar's states breadth first, and number them.

`narrow_kernels` and `wide_kernels` have the tables of entry points: for states of one word, where the compiler knows
the width and removes the loops over words, and for any width.

First all successors of a batch of states are computed and their hash slots prefetched, then each successor is looked
up. A call explores a slice and returns, so that the caller can grow buffers, check bounds and report progress.
"""

from __future__ import annotations

from typing import Any

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.batch_kernels import fires, test_batch, write_enabled
from pentad.grammar.compiled.constants import (
    Bytes,
    Columns,
    ExplorationArrays,
    GrammarTables,
    Rules,
    ScratchBuffers,
    SliceStats,
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
from pentad.kernels.numpy_numbers import np
from pentad.kernels.parameters import Typed, with_types
from pentad.kernels.types import Word


@kernel
def mark(final: bool, named: bool, stats: SliceStats) -> int:
    """The flags of a state: whether it is final, and whether it is a result."""
    accept = stats.accept
    accepted = accept == k.EVERY or (accept == k.FINAL_ONES and final)
    accepted = accepted or (accept == k.WITH and named) or (accept == k.WITHOUT and not named)
    return (k.IS_FINAL if final else 0) | (k.IS_RESULT if accepted else 0)


@kernel
def bounded(stats: SliceStats) -> int:
    """The bound that is reached, or MORE."""
    if stats.most_results > 0 and stats.accepted >= stats.most_results:
        return k.RESULTS
    return k.STATES if stats.count >= stats.most_states else k.MORE


@kernel
def record_state(marks: int, columns: Columns, stats: SliceStats) -> None:
    """Records the flags of the current state."""
    if marks & k.IS_FINAL:
        stats.finals += 1
        if stats.keep != 0:
            columns.finals[stats.new_finals] = stats.expanded
            stats.new_finals += 1
    if marks & k.IS_RESULT:
        stats.accepted += 1
        columns.results[stats.new_results] = stats.expanded
        stats.new_results += 1


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
    width: int, number: int, label: int, grammar: GrammarTables, buffers: ScratchBuffers, at: int, stamp: int
) -> int:
    """Writes the end states of a recipe, each once; returns the end of the output, or -1 if the buffers are full.

    `number` is that of the state in the buffer `begun`.
    """
    control, out, raw, queue = grammar.control, buffers.out, buffers.raw, buffers.queue
    places, calls, size, room = control.places, control.calls, len(out.labels), len(buffers.stamps)
    # 1. The first step may be the whole recipe.
    if places[place_of(width, buffers.begun, number, control), k.INNER] == 0:
        if at >= size:
            return -1
        copy(width, out.states, at, buffers.begun, number)
        out.labels[at] = label
        return at + 1
    # 2. Otherwise the states within it wait in a queue.
    first, head, tail, merges = at, 0, 1, grammar.symmetries.number > 0
    if merges:
        make_smallest(width, buffers.begun, number, grammar, buffers.smallest)
    copy(width, queue, 0, buffers.begun, number)
    is_first(width, queue, 0, buffers, stamp)
    while head < tail:
        state = head
        head += 1
        place = place_of(width, queue, state, control)
        # 3. Each makes its steps, which lead to the queue or out of the recipe.
        while places[place, k.KIND] == k.TRIAL and places[place, k.INNER] != 0:
            found = False
            for call in range(places[place, k.FIRST], places[place + 1, k.FIRST]):
                more = calls[call, k.HIGH_ROW] - calls[call, k.LOW_ROW]
                if max(at, tail) + more > size or 2 * (tail + at - first + more) > room:
                    return -1
                count = fire(width, queue, state, call, control.after[call], grammar, raw, 0, buffers.effects)
                found = found or count > 0
                for i in range(count):
                    if merges:
                        make_smallest(width, raw.states, i, grammar, buffers.smallest)
                    if not is_first(width, raw.states, i, buffers, stamp):
                        continue
                    if places[place_of(width, raw.states, i, control), k.INNER] != 0:
                        copy(width, queue, tail, raw.states, i)
                        tail += 1
                    else:
                        copy(width, out.states, at, raw.states, i)
                        out.labels[at] = label
                        at += 1
            place = places[place, k.SUCCESS] if found else places[place, k.FAILURE]
        # 4. The recipe may end without another step.
        if places[place, k.INNER] == 0:
            if at >= size or 2 * (tail + at - first) >= room:
                return -1
            copy(width, out.states, at, queue, state)
            set_place(width, out.states, at, np.uint64(place) << control.place_shift, control.place_mask)
            if is_first(width, out.states, at, buffers, stamp):
                out.labels[at] = label
                at += 1
    return at


@kernel
def prefetch(width: int, states: Words, table: Words, buffers: ScratchBuffers, size: int) -> None:
    """Prefetches the table slots of all successors, so that cache misses overlap."""
    mask, out, hashes, peeks = np.uint64(len(table) - 1), buffers.out.states, buffers.hashes, buffers.peeks
    for i in range(size):
        hashes[i] = hashed(width, out, i)
    for i in range(size):
        peeks[i] = table[hashes[i] & mask]
    for i in range(size):
        entry = peeks[i]
        if entry != ZERO and (entry ^ hashes[i]) & HIGH == ZERO:
            peeks[i] = states[np.int64((entry & LOW) - ONE) * width]


@kernel
def slot_of(width: int, row: Words, at: int, number: Word, states: Words, table: Words) -> Word:
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
    width: int, states: Words, first: int, number: int, grammar: GrammarTables, buffers: ScratchBuffers, at: int,
    stats: SliceStats,
) -> int:  # fmt: skip
    """Writes the successors of one state of a batch, by any control; returns the end of the output, or -1 if full."""
    control, out, begun, source, name = grammar.control, buffers.out, buffers.begun, first + number, stats.name
    places, calls = control.places, control.calls
    place, named = place_of(width, states, source, control), False
    stay = np.uint64(places[place, k.HERE]) << control.place_shift
    begin, end, is_loop = control.loops, len(calls), True
    while True:
        found = False
        for call in range(begin, end):
            before = at
            if at + calls[call, k.HIGH_ROW] - calls[call, k.LOW_ROW] > len(out.labels):
                return -1
            after = stay if is_loop else control.after[call]
            at = fire(width, states, source, call, after, grammar, out, at, buffers.effects)
            if calls[call, k.ENTERS] >= 0:
                count, at = at - before, before
                for i in range(count):
                    copy(width, begun, i, out.states, before + i)
                for i in range(count):
                    stats.stamp += 1
                    at = ends(width, i, calls[call, k.ENTERS], grammar, buffers, at, stats.stamp)
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
        begin, end = places[place, k.FIRST], places[place + 1, k.FIRST]
    buffers.marks[number] = mark(places[place, k.KIND] == k.FINAL, named, stats)
    return at


@kernel
def gather(
    width: int, states: Words, first: int, most: int, grammar: GrammarTables, buffers: ScratchBuffers, stats: SliceStats
) -> int:
    """Writes the successors of the next states, up to a number of states; returns how many fitted into the buffers."""
    control, name, room = grammar.control, stats.name, len(buffers.out.labels)
    most_rows, at = len(grammar.rules.numbers) - 1, 0
    test_batch(width, states, first, most, grammar, buffers)
    for size in range(most):
        position = buffers.positions[size]
        if position < 0:
            at = expand(width, states, first, size, grammar, buffers, at, stats)
            if at < 0:
                return size
        else:
            if at + most_rows > room:
                return size
            at = write_enabled(width, states, first + size, position, grammar, buffers, at)
            named = name >= 0 and fires(
                name, place_of(width, states, first + size, control), position, control, buffers
            )
            is_final = control.places[buffers.reached[position], k.KIND] == k.FINAL
            buffers.marks[size] = mark(is_final, named, stats)
        buffers.ends[size] = at
    return most


@kernel
def commit(width: int, size: int, run: ExplorationArrays) -> int:
    """Adds the successors of a batch to the state space; returns MORE, or the bound that is reached."""
    states, table, buffers, columns, stats = run.states, run.table, run.buffers, run.columns, run.stats
    out, hashes, all_ends = buffers.out, buffers.hashes, buffers.ends
    sources, actions, targets = columns.sources, columns.actions, columns.targets
    at, keeps, new, count = 0, stats.keep != 0, stats.new_transitions, stats.count
    bound = k.MORE
    for j in range(size):
        bound = bounded(stats)
        if bound != k.MORE:
            break
        record_state(buffers.marks[j], columns, stats)
        source = stats.expanded
        while at < all_ends[j]:
            slot = slot_of(width, out.states, at, hashes[at], states, table)
            if table[slot] == ZERO:
                copy(width, states, count, out.states, at)
                count += 1
                table[slot] = (hashes[at] & HIGH) | np.uint64(count)
            if keeps:
                sources[new], actions[new], targets[new] = source, out.labels[at], np.int64(table[slot] & LOW) - 1
                new += 1
            at += 1
        stats.expanded += 1
        stats.count = count
    stats.new_transitions = new
    stats.transitions += at
    return bound


@kernel
def explore(width: int, run: ExplorationArrays) -> int:
    """Explores a slice; returns why it ended."""
    states, table, buffers, columns, stats = run.states, run.table, run.buffers, run.columns, run.stats
    stop = stats.expanded + stats.slice
    while True:
        # 1. Nothing may be left, or a bound be reached.
        if stats.expanded == stats.count:
            return k.DONE
        bound = bounded(stats)
        if bound != k.MORE:
            return bound
        # 2. A level may begin.
        if stats.expanded == stats.level_end:
            if stats.new_levels == len(columns.levels):
                return k.MORE
            columns.levels[stats.new_levels] = stats.expanded
            stats.new_levels += 1
            stats.level += 1
            stats.level_end = stats.count
        if stats.level > stats.most_level:
            return k.DEPTH
        # 3. The successors of a batch of its states are written, if there is room for them everywhere.
        most = min(k.BATCH, stats.level_end - stats.expanded, stop - stats.expanded)
        if most <= 0:
            return k.MORE
        size = gather(width, states, stats.expanded, most, run.grammar, buffers, stats)
        if size == 0:
            return k.GROW_BUFFERS
        new = buffers.ends[size - 1]
        if (stats.count + new) * width > len(states) or 5 * (stats.count + new) > 3 * len(table):
            return k.GROW_TABLE
        if stats.keep != 0 and stats.new_transitions + new > len(columns.sources):
            return k.MORE
        # 4. Each is looked up and gets a number.
        if run.grammar.symmetries.number > 0:
            for i in range(new):
                make_smallest(width, buffers.out.states, i, run.grammar, buffers.smallest)
        prefetch(width, states, table, buffers, new)
        bound = commit(width, size, run)
        if bound != k.MORE:
            return bound


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def begin(width: int, states: Words, table: Words, grammar: GrammarTables, best: Words) -> None:
    """Makes the first state the smallest of its images and inserts it into an empty table."""
    make_smallest(width, states, 0, grammar, best)
    fill(width, states, 0, 1, table)


@kernel
def mark_states(width: int, states: Words, rules: Rules, among: Bytes, bit: int, found: Bytes) -> None:
    """Sets a bit for each state of a set where some row applies."""
    numbers = rules.numbers
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
def find_state(width: int, states: Words, table: Words, grammar: GrammarTables, row: Words, best: Words) -> int:
    """The number of the state that is equal to a row, or one of its images; -1 if there is none."""
    make_smallest(width, row, 0, grammar, best)
    return np.int64(table[slot_of(width, row, 0, hashed(width, row, 0), states, table)] & LOW) - 1


def entry_points(width: Any) -> dict[str, Typed]:
    """The table of entry points for states of this width, which is a type."""
    return {
        "explore": with_types(explore, width=width),
        "begin": with_types(begin, width=width),
        "fill": with_types(fill, width=width),
        "mark": with_types(mark_states, width=width),
        "find": with_types(find_state, width=width),
    }
