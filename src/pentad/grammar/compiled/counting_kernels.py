"""Kernels that count the states of a grammar, for states of one word.

A state is scrambled by an invertible function. The first bits of the result are the number of a segment of the hash
table; only the rest is stored, in a line of the segment or in one that follows. In turns the threads expand states,
whose successors go into a bucket for each segment, and insert the buckets; each thread has segments of its own. The new
states of a level are kept in blocks: for each segment its number, how many states follow, and the rest of each.
"""

from __future__ import annotations

import numpy as np

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import (
    Control,
    Index,
    Ints,
    Key,
    Rules,
    ScratchBuffers,
    Slots,
    Symmetries,
    Word,
    Words,
)
from pentad.grammar.compiled.kernels import BUFFERS, CONTROL, RULES, SYMMETRIES, gather
from pentad.grammar.compiled.state_kernels import ONE, make_smallest
from pentad.kernels.decorator import kernel, prefetch

AHEAD = 24  # states by which the prefetch of slots is ahead


@kernel
def scrambled(word: Word, key: Key) -> Word:
    """A state, scrambled."""
    word = ((word ^ (word >> key.half)) * key.first) & key.mask
    word = ((word ^ (word >> key.half)) * key.second) & key.mask
    return word ^ (word >> key.half)


@kernel
def restored(word: Word, key: Key) -> Word:
    """The state that was scrambled."""
    word = ((word ^ (word >> key.half)) * key.undo_second) & key.mask
    word = ((word ^ (word >> key.half)) * key.undo_first) & key.mask
    return word ^ (word >> key.half)


@kernel
def home(rest: np.uint64, lines: np.uint64, key: Key) -> Index:
    """The line of a segment where the search for a state begins; it grows with the rest."""
    return np.int64(((rest >> key.dropped) * lines) >> (key.rest - key.dropped))


@kernel
def taken_slots(slots: Slots, begin: Index) -> np.int64:
    """How many slots of a line are taken, which are the first ones."""
    taken = np.int64(8) if slots[begin + 7] != 0 else np.int64(0)
    taken += 4 if slots[begin + taken + 3] != 0 else 0
    taken += 2 if slots[begin + taken + 1] != 0 else 0
    taken += 1 if slots[begin + taken] != 0 else 0
    return taken + (1 if slots[begin + taken] != 0 else 0)


@kernel
def is_in(line: Slots, entry: np.uint64) -> bool:
    """Whether an entry is in a line."""
    found = False
    for i in range(k.LINE):
        found |= line[i] == entry
    return found


@kernel
def fetch(states: Words, block: Slots, cursor: Ints, key: Key) -> None:
    """Takes the next states of a block."""
    at, segment, left, count = cursor[k.AT], cursor[k.SEGMENT], cursor[k.REMAINING], 0
    while count < k.BATCH:
        if left == 0:
            if at == len(block):
                break
            segment, left = np.int64(block[at]), np.int64(block[at + 1])
            at += 2
        size, high = min(left, k.BATCH - count), np.uint64(segment) << key.rest
        for i in range(size):
            states[count + i] = restored(high | np.uint64(block[at + i]), key)
        at, left, count = at + size, left - size, count + size
    cursor[k.AT], cursor[k.SEGMENT], cursor[k.REMAINING] = at, segment, left
    cursor[k.HELD], cursor[k.HELD_END] = 0, count


@kernel
def sort_out(hashes: Words, cursor: Ints, buckets: Slots, filled: Ints, room: int, key: Key) -> bool:
    """Puts successors into the buckets of their segments; returns False as soon as a bucket is full."""
    at, end, low = cursor[k.NEXT], cursor[k.NEXT_END], (ONE << key.rest) - ONE
    while at < end:
        segment = np.int64(hashes[at] >> key.rest)
        count = filled[segment]
        if count == room:
            break
        buckets[segment * room + count] = hashes[at] & low
        filled[segment] = count + 1
        at += 1
    cursor[k.NEXT] = at
    return bool(at == end)


@kernel
def expand_block(
    places: Ints, calls: Ints, after: Words, plans: Ints, plans_from: Ints, place_mask: np.uint64,
    place_shift: np.uint64, loops: int, masks: Words, numbers: Ints, clauses: Words, others_from: Ints, others: Words,
    turns: Words, moves: Words, changes: Words, images: Words, number: int, size: int, out: Words, labels: Ints,
    hashes: Words, peeks: Words, effects: Words, begun: Words, raw: Words, raw_labels: Ints, queue: Words, seen: Words,
    stamps: Ints, smallest: Words, ends_of: Ints, marks: Ints, batch: Words, enabled: Words, tested: Words,
    afters: Words, positions: Ints, members: Ints, groups: Ints, reached: Ints, rest: np.uint64, dropped: np.uint64,
    half: np.uint64, mask: np.uint64, first: np.uint64, second: np.uint64, undo_first: np.uint64,
    undo_second: np.uint64, stats: Ints, states: Words, cursor: Ints, block: Slots, buckets: Slots, filled: Ints,
    room: int,
) -> int:  # fmt: skip
    """Expands states of a block until it ends or a bucket is full; returns why it ended."""
    control = Control(places, calls, after, plans, plans_from, place_mask, place_shift, loops)
    rules = Rules(masks, numbers, clauses, others_from, others, turns, moves, changes)
    symmetries = Symmetries(images, number, size)
    buffers = ScratchBuffers(
        out, labels, hashes, peeks, effects, begun, raw, raw_labels, queue, seen, stamps, smallest, ends_of, marks,
        batch, enabled, tested, afters, positions, members, groups, reached,
    )  # fmt: skip
    key = Key(rest, dropped, half, mask, first, second, undo_first, undo_second)
    while True:
        if not sort_out(hashes, cursor, buckets, filled, room, key):
            return k.MORE
        if cursor[k.HELD] == cursor[k.HELD_END]:
            fetch(states, block, cursor, key)
        held = cursor[k.HELD_END] - cursor[k.HELD]
        if held == 0:
            return k.DONE
        count = gather(1, states, cursor[k.HELD], control, rules, symmetries, buffers, stats, held)
        if count == 0:
            return k.GROW_BUFFERS
        new = ends_of[count - 1]
        if number > 0:
            for i in range(new):
                make_smallest(1, out, i, place_mask, symmetries, smallest)
        for i in range(new):
            hashes[i] = scrambled(out[i], key)
        for i in range(count):
            stats[k.FINALS] += 1 if marks[i] & k.IS_FINAL else 0
        stats[k.EXPANDED] += count
        stats[k.TRANSITIONS] += new
        cursor[k.HELD] += count
        cursor[k.NEXT], cursor[k.NEXT_END] = 0, new


@kernel
def insert(
    rest: np.uint64, dropped: np.uint64, half: np.uint64, mask: np.uint64, first: np.uint64, second: np.uint64,
    undo_first: np.uint64, undo_second: np.uint64, slots: Slots, size: int, most: int, counts: Ints, buckets: Slots,
    filled: Ints, room: int, low: int, high: int, fresh: Slots,
) -> int:  # fmt: skip
    """Inserts the buckets of the segments of a table; returns the end of the new states.

    A segment takes no more than a number of states; the rest of its buckets is left.
    """
    key = Key(rest, dropped, half, mask, first, second, undo_first, undo_second)
    to, last = 0, size // k.LINE
    lines = np.uint64(last)
    for segment in range(low, high):
        base, count, start = (segment - low) * size, counts[segment], to + 2
        to, source = start, segment
        while source < len(filled):
            begin, left = source * room, filled[source]
            while left > 0 and count < most:
                left -= 1
                if left >= AHEAD:
                    line = home(np.uint64(buckets[begin + left - AHEAD]), lines, key)
                    prefetch(slots, base + k.LINE * line)
                state = np.uint64(buckets[begin + left])
                line, entry = home(state, lines, key), state + ONE
                while True:
                    at = base + k.LINE * line
                    if is_in(slots[at : at + k.LINE], entry):
                        break
                    taken = taken_slots(slots, at)
                    if taken < k.LINE:
                        slots[at + taken] = entry
                        fresh[to] = state
                        to += 1
                        count += 1
                        break
                    line = line + 1 if line + 1 < last else 0
            filled[source] = left
            source += len(counts)
        counts[segment] = count
        if to == start:
            to -= 2
        else:
            fresh[start - 2], fresh[start - 1] = segment, to - start
    return to


@kernel
def widen(
    rest: np.uint64, dropped: np.uint64, half: np.uint64, mask: np.uint64, first: np.uint64, second: np.uint64,
    undo_first: np.uint64, undo_second: np.uint64, slots: Slots, before: int, size: int, segments: int, scratch: Slots,
) -> None:  # fmt: skip
    """Moves the segments of a table apart in place, the last one first, and spreads the states of each over it."""
    key = Key(rest, dropped, half, mask, first, second, undo_first, undo_second)
    last = size // k.LINE
    lines = np.uint64(last)
    for number in range(segments):
        segment = segments - 1 - number
        old, base, count = segment * before, segment * size, 0
        for i in range(before):
            entry = slots[old + i]
            scratch[count] = entry
            count += 1 if entry != 0 else 0
        for i in range(size):
            slots[base + i] = 0
        line, taken = -1, np.int64(0)
        for i in range(count):
            wanted = home(np.uint64(scratch[i]) - ONE, lines, key)
            if wanted != line:
                line, taken = wanted, taken_slots(slots, base + k.LINE * wanted)
            while taken == k.LINE:
                line = line + 1 if line + 1 < last else 0
                taken = taken_slots(slots, base + k.LINE * line)
            slots[base + k.LINE * line + taken] = scratch[i]
            taken += 1


_KEY = " ".join(["uint64"] * 8)


def _entry_points(slot: str) -> dict[str, tuple[object, str]]:
    slots = f"{slot}[]"
    return {
        f"expand_{slot}": (
            expand_block,
            f"{CONTROL} {RULES} {SYMMETRIES} {BUFFERS} {_KEY} int64[] uint64[] int64[] {slots} {slots} int64[] int64",
        ),
        f"insert_{slot}": (
            insert,
            f"{_KEY} {slots} int64 int64 int64[] {slots} int64[] int64 int64 int64 {slots}",
        ),
        f"widen_{slot}": (widen, f"{_KEY} {slots} int64 int64 int64 {slots}"),
    }


NATIVE = _entry_points("uint32") | _entry_points("uint64")
