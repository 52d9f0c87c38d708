"""Kernels that sort successors and remove duplicates, for states of one word that are kept in files.

A state is scrambled as for counting: the first bits are the number of its segment, and only the rest is written. A file
has for each segment its number, how many states follow, and the rest of each, in increasing order; segments without
states are left out. Files of the same segments are merged in a hash table whose slots are in the order of the states.
"""

from __future__ import annotations

from typing import Any

from pentad.grammar.compiled.batch_kernels import bit_count
from pentad.grammar.compiled.constants import BucketSizes, Ints, Key, MergeArrays, Slots, StateKinds, Words
from pentad.grammar.compiled.counting_kernels import home, restored
from pentad.grammar.compiled.state_kernels import ONE, ZERO, mixed
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.parameters import Typed, with_types
from pentad.kernels.types import UInt32s, UInt64s, Word

FACTOR = np.uint64(131)
SUM_FACTOR = np.uint64(0x9E3779B97F4A7C15)
IN_WORD, SIX = np.uint64(63), np.uint64(6)


@kernel
def collect(table: Words, size: int, top: int, source: Slots, count: int, flag: Word, key: Key) -> int:
    """Inserts states into a sorted table; returns the end of its taken slots. The first flag of a state counts."""
    slots, top = np.uint64(size), np.int64(top)
    for i in range(count):
        rest = np.uint64(source[i])
        entry = (rest + ONE) << ONE
        at = home(rest, slots, key)
        while table[at] != ZERO and table[at] < entry:
            at += 1
        if table[at] | ONE == entry | ONE:
            continue
        carried = entry | flag
        while carried != ZERO:
            here = table[at]
            table[at] = carried
            carried = here
            at += 1
        top = max(top, at)
    return top


@kernel
def drain(table: Words, top: int, out: Slots, to: int) -> int:
    """Writes the flagged states of a table in order, and empties it; returns the end of the output."""
    for i in range(top):
        entry = table[i]
        table[i] = ZERO
        if entry & ONE != ZERO:
            out[to] = (entry >> ONE) - ONE
            to += 1
    return to


@kernel
def tidy(key: Key, sizes: BucketSizes, buckets: Slots, table: Words, out: Slots, ends: Ints) -> int:
    """Sorts the states of buckets, each once, and empties them; returns the end of the output.

    The output may begin in the same memory as the buckets, two slots for each segment before them.
    """
    filled, room = sizes.filled, sizes.room
    to = np.int64(0)
    for segment in range(len(filled)):
        count = filled[segment]
        if count > 0:
            begin = segment * room
            top = collect(table, 2 * count, 0, buckets[begin : begin + count], count, ONE, key)
            start = to + 2
            to = drain(table, top, out, start)
            out[start - 2], out[start - 1] = segment, to - start
            filled[segment] = 0
        ends[segment] = to
    return to


@kernel
def describe(high: Word, out: Slots, start: int, end: int, key: Key, kinds: StateKinds) -> None:
    """Notes the kinds of states: equal states have the same kind, which is made of their numbers of edges by label."""
    groups, found = kinds.groups, kinds.found
    bits = np.uint64(64 * len(found) - 1)
    for i in range(start, end):
        word = restored(high | np.uint64(out[i]), key)
        kind = word >> kinds.shift
        for group in range(len(groups)):
            kind = kind * FACTOR + bit_count(word & groups[group])
        kind = mixed(kind) & bits
        found[kind >> SIX] |= ONE << (kind & IN_WORD)


@kernel
def sums(words: Slots, ends: Ints, begin: int, found: Words) -> None:
    """The checksum of each block of some words of 32 bits: of their sum, and of their sum by the distance to the end.

    `ends` are in bytes of a file, of which the words begin at a place. A block has fewer than 2^31 words. If one of
    them changes, so does the checksum: the change times the factor and the distance, which together are no multiple
    of 2^33, is no multiple of 2^64.
    """
    at = np.int64(0)
    for block in range(len(ends)):
        end = (ends[block] - begin) >> 2
        part = words[at:end]  # indices from 0 on let the compiler use vectors
        count, total, by_distance = len(part), ZERO, ZERO
        for i in range(count):
            word = np.uint64(part[i])
            total += word
            by_distance += word * np.uint64(count - i)
        found[block] = total * SUM_FACTOR + by_distance
        at = end


@kernel
def are_segments(slots: Slots, low: int, high: int) -> bool:
    """Whether slots are whole segments from one number to another, in order."""
    at, before = np.int64(0), np.int64(low) - 1
    while at + 2 < len(slots):
        segment, count = np.uint64(slots[at]), np.uint64(slots[at + 1])
        if segment >= np.uint64(high) or np.int64(segment) <= before or count == ZERO:
            return False
        if count > np.uint64(len(slots) - at - 2):
            return False
        before, at = np.int64(segment), at + 2 + np.int64(count)
    return bool(at == len(slots))


@kernel
def largest(parts: Slots, at: Ints, low: int, high: int) -> int:
    """The most states that the parts of files have in a segment, or -1 if they are not whole segments in order.

    `at` is changed.
    """
    most = np.int64(0)
    for segment in range(low, high):
        total = np.int64(0)
        for part in range(0, len(at), 2):
            begin = at[part]
            if begin < at[part + 1] and np.int64(parts[begin]) == segment:
                left = at[part + 1] - begin - 2
                if left < 1 or np.uint64(parts[begin + 1]) - ONE >= np.uint64(left):
                    return np.int64(-1)
                count = np.int64(parts[begin + 1])
                total += count
                at[part] = begin + 2 + count
        most = max(most, total)
    for part in range(0, len(at), 2):
        if at[part] != at[part + 1]:
            return np.int64(-1)
    return most


@kernel
def merge(run: MergeArrays, parts: Slots, out: Slots) -> int:
    """Merges parts of files, without the states of the first ones; returns the end of the output."""
    at, table, to = run.at, run.table, np.int64(0)
    for segment in range(run.low, run.high):
        # 1. All states of a segment together tell the size of the table.
        total = np.int64(0)
        for part in range(0, len(at), 2):
            if at[part] < at[part + 1] and np.int64(parts[at[part]]) == segment:
                total += np.int64(parts[at[part] + 1])
        # 2. Those of each part are inserted; the known ones, which are first, have no flag.
        start, top = to + 2, np.int64(0)
        for part in range(0, len(at), 2):
            begin = at[part]
            if begin < at[part + 1] and np.int64(parts[begin]) == segment:
                count = np.int64(parts[begin + 1])
                flag = ZERO if part < 2 * run.known else ONE
                top = collect(table, 2 * total, top, parts[begin + 2 : begin + 2 + count], count, flag, run.key)
                at[part] = begin + 2 + count
        # 3. The others are written in order, after the number of the segment, and theirs.
        to = drain(table, top, out, start)
        if to == start:
            to -= 2
        else:
            out[start - 2], out[start - 1] = segment, to - start
            describe(np.uint64(segment) << run.key.rest, out, start, to, run.key, run.kinds)
        run.ends[segment - run.low] = to
    return to


def _entry_points(name: str, slots: Any) -> dict[str, Typed]:
    return {
        f"are_segments_{name}": with_types(are_segments, slots=slots),
        f"largest_{name}": with_types(largest, parts=slots),
        f"tidy_{name}": with_types(tidy, buckets=slots, out=slots),
        f"merge_{name}": with_types(merge, parts=slots, out=slots),
    }


NATIVE = {
    "sums": with_types(sums, words=UInt32s),
    **_entry_points("uint32", UInt32s),
    **_entry_points("uint64", UInt64s),
}
