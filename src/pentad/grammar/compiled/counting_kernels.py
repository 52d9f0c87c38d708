"""Kernels that count the states of a grammar, for states of one word.

A state is scrambled by an invertible function. The first bits of the result are the number of a segment of the hash
table; only the rest is stored, in a line of the segment or in one that follows. In turns the threads expand states,
whose successors go into a bucket for each segment, and insert the buckets; each thread has segments of its own. The new
states of a level are kept in blocks: for each segment its number, how many states follow, and the rest of each.
"""

from __future__ import annotations

from typing import Any

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import BlockCursor, BucketSizes, ExpansionArrays, Key, Slots, TablePart, Words
from pentad.grammar.compiled.kernels import gather
from pentad.grammar.compiled.state_kernels import ONE, make_smallest
from pentad.kernels.decorator import kernel, prefetch
from pentad.kernels.numpy_numbers import np
from pentad.kernels.parameters import Typed, with_types
from pentad.kernels.types import UInt32s, UInt64s, Word

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
def home(rest: Word, lines: Word, key: Key) -> int:
    """The line of a segment where the search for a state begins; it grows with the rest."""
    return np.int64(((rest >> key.dropped) * lines) >> (key.rest - key.dropped))


@kernel
def taken_slots(slots: Slots, begin: int) -> int:
    """How many slots of a line are taken, which are the first ones."""
    taken = np.int64(8) if slots[begin + 7] != 0 else np.int64(0)
    taken += 4 if slots[begin + taken + 3] != 0 else 0
    taken += 2 if slots[begin + taken + 1] != 0 else 0
    taken += 1 if slots[begin + taken] != 0 else 0
    return taken + (1 if slots[begin + taken] != 0 else 0)


@kernel
def is_in(line: Slots, entry: Word) -> bool:
    """Whether an entry is in a line."""
    found = False
    for i in range(k.LINE):
        found |= line[i] == entry
    return found


@kernel
def fetch(states: Words, block: Slots, cursor: BlockCursor, key: Key) -> None:
    """Takes the next states of a block."""
    at, segment, left, count = cursor.at, cursor.segment, cursor.remaining, 0
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
    cursor.at, cursor.segment, cursor.remaining = at, segment, left
    cursor.held, cursor.held_end = 0, count


@kernel
def sort_out(hashes: Words, cursor: BlockCursor, sizes: BucketSizes, buckets: Slots, key: Key) -> bool:
    """Puts successors into the buckets of their segments; returns False as soon as a bucket is full."""
    at, end, low = cursor.next, cursor.next_end, (ONE << key.rest) - ONE
    filled, room = sizes.filled, sizes.room
    while at < end:
        segment = np.int64(hashes[at] >> key.rest)
        count = filled[segment]
        if count == room:
            break
        buckets[segment * room + count] = hashes[at] & low
        filled[segment] = count + 1
        at += 1
    cursor.next = at
    return bool(at == end)


@kernel
def expand_block(run: ExpansionArrays, block: Slots, sizes: BucketSizes, buckets: Slots) -> int:
    """Expands states of a block until it ends or a bucket is full; returns why it ended."""
    grammar, buffers, key, states, cursor, stats = run.grammar, run.buffers, run.key, run.states, run.cursor, run.stats
    out, hashes, marks = buffers.out.states, buffers.hashes, buffers.marks
    while True:
        # 1. The successors that are there go into buckets.
        if not sort_out(hashes, cursor, sizes, buckets, key):
            return k.MORE
        # 2. More states are expanded.
        if cursor.held == cursor.held_end:
            fetch(states, block, cursor, key)
        held = cursor.held_end - cursor.held
        if held == 0:
            return k.DONE
        count = gather(1, states, cursor.held, held, grammar, buffers, stats)
        if count == 0:
            return k.GROW_BUFFERS
        # 3. Their successors are scrambled.
        new = buffers.ends[count - 1]
        if grammar.symmetries.number > 0:
            for i in range(new):
                make_smallest(1, out, i, grammar, buffers.smallest)
        for i in range(new):
            hashes[i] = scrambled(out[i], key)
        for i in range(count):
            stats.finals += 1 if marks[i] & k.IS_FINAL else 0
        stats.expanded += count
        stats.transitions += new
        cursor.held += count
        cursor.next, cursor.next_end = 0, new


@kernel
def insert(key: Key, part: TablePart, slots: Slots, sizes: BucketSizes, buckets: Slots, fresh: Slots) -> int:
    """Inserts the buckets of the segments of a table; returns the end of the new states.

    A segment takes no more than a number of states; the rest of its buckets is left.
    """
    counts, filled, room, most, to, last = part.counts, sizes.filled, sizes.room, part.most, 0, part.size // k.LINE
    lines = np.uint64(last)
    for segment in range(part.low, part.high):
        base, count, start = (segment - part.low) * part.size, counts[segment], to + 2
        to, source = start, segment
        # 1. Each of its buckets is emptied from the end, as long as there is room.
        while source < len(filled):
            begin, left = source * room, filled[source]
            while left > 0 and count < most:
                left -= 1
                if left >= AHEAD:
                    line = home(np.uint64(buckets[begin + left - AHEAD]), lines, key)
                    prefetch(slots, base + k.LINE * line)
                state = np.uint64(buckets[begin + left])
                line, entry = home(state, lines, key), state + ONE
                # 2. A state that is in none of the lines, up to the first with a free slot, is new.
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
        # 3. The new states follow the number of the segment, and theirs.
        counts[segment] = count
        if to == start:
            to -= 2
        else:
            fresh[start - 2], fresh[start - 1] = segment, to - start
    return to


@kernel
def widen(key: Key, slots: Slots, before: int, size: int, segments: int, scratch: Slots) -> None:
    """Moves the segments of a table apart in place, the last one first, and spreads the states of each over it."""
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


def _entry_points(name: str, slots: Any) -> dict[str, Typed]:
    return {
        f"expand_{name}": with_types(expand_block, block=slots, buckets=slots),
        f"insert_{name}": with_types(insert, slots=slots, buckets=slots, fresh=slots),
        f"widen_{name}": with_types(widen, slots=slots, scratch=slots),
    }


NATIVE = _entry_points("uint32", UInt32s) | _entry_points("uint64", UInt64s)
