"""Kernels that value the states of a game for two players backwards, level by level, for states of one word in files.

A level is a sorted file of scrambled states, as `partition_kernels` makes them, with a byte for each slot: the result
of the game. All moves lead from a level to the next one, whose results are looked up in memory. If they do not fit
into it, that is done for one part after the other, and the successors are found again each time.
"""

from __future__ import annotations

import numpy as np

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import (
    Bytes,
    Control,
    Index,
    Ints,
    Key,
    Rules,
    ScratchBuffers,
    Slots,
    Symmetries,
    Words,
)
from pentad.grammar.compiled.counting_kernels import fetch, home, scrambled
from pentad.grammar.compiled.kernels import BUFFERS, CONTROL, RULES, SYMMETRIES, gather
from pentad.grammar.compiled.state_kernels import ONE, is_enabled
from pentad.kernels.decorator import kernel, prefetch

DRAWN, FIRST_WINS, SECOND_WINS = range(3)  # results
HAS_MOVES = 8  # beside a bit for each result that a move has
STRIDE = 16  # slots of the first step of a search
AHEAD = 16  # successors by which the prefetch of slots is ahead


@kernel
def index(slots: Slots, low: int, begins: Ints) -> None:
    """Writes where each segment from a number on begins; the last element is the end of all."""
    at, segment = np.int64(0), np.int64(0)
    while at < len(slots):
        here = np.int64(slots[at]) - low
        while segment <= here:
            begins[segment] = at
            segment += 1
        at += 2 + np.int64(slots[at + 1])
    while segment < len(begins):
        begins[segment] = at
        segment += 1


@kernel
def place_of_state(slots: Slots, begin: Index, end: Index, state: np.uint64, key: Key) -> np.int64:
    """The slot of a state between two slots in increasing order, or -1."""
    if begin >= end:
        return np.int64(-1)
    at = np.int64(begin) + home(state, np.uint64(end - begin), key)
    low, high, step = at, at, np.int64(STRIDE)
    if np.uint64(slots[at]) < state:
        low, high = at + 1, at + step
        while high < end and np.uint64(slots[high]) < state:
            low = high + 1
            step += step
            high += step
        high = min(high, np.int64(end))
    else:
        low = at - step
        while low >= begin and np.uint64(slots[low]) >= state:
            high = low
            step += step
            low -= step
        low = max(low + 1, np.int64(begin))
    while low < high:
        middle = (low + high) // 2
        if np.uint64(slots[middle]) < state:
            low = middle + 1
        else:
            high = middle
    return low if low < end and np.uint64(slots[low]) == state else np.int64(-1)


@kernel
def note_places(block: Slots, at: np.int64, left: np.int64, count: np.int64, where: Ints) -> None:
    """Writes the slots of the states that `fetch` takes from a block."""
    for i in range(count):
        if left == 0:
            left = np.int64(block[at + 1])
            at += 2
        where[i] = at
        at += 1
        left -= 1


@kernel
def look_up(
    places: Ints, calls: Ints, after: Words, plans: Ints, plans_from: Ints, place_mask: np.uint64,
    place_shift: np.uint64, loops: int, masks: Words, numbers: Ints, clauses: Words, others_from: Ints, others: Words,
    turns: Words, moves: Words, changes: Words, images: Words, number: int, size: int, out: Words, labels: Ints,
    hashes: Words, peeks: Words, effects: Words, begun: Words, raw: Words, raw_labels: Ints, queue: Words, seen: Words,
    stamps: Ints, smallest: Words, ends_of: Ints, marks: Ints, batch: Words, enabled: Words, tested: Words,
    afters: Words, positions: Ints, members: Ints, groups: Ints, reached: Ints, rest: np.uint64, dropped: np.uint64,
    half: np.uint64, mask: np.uint64, first: np.uint64, second: np.uint64, undo_first: np.uint64,
    undo_second: np.uint64, stats: Ints, states: Words, cursor: Ints, block: Slots, where: Ints, found: Bytes,
    are_moves: Bytes, following: Slots, low: int, begins: Ints, results: Bytes, counts: Ints,
) -> int:  # fmt: skip
    """Notes for each state of a block the results of its moves into a part of the next level; returns why it ended."""
    control = Control(places, calls, after, plans, plans_from, place_mask, place_shift, loops)
    rules = Rules(masks, numbers, clauses, others_from, others, turns, moves, changes)
    symmetries = Symmetries(images, number, size)
    buffers = ScratchBuffers(
        out, labels, hashes, peeks, effects, begun, raw, raw_labels, queue, seen, stamps, smallest, ends_of, marks,
        batch, enabled, tested, afters, positions, members, groups, reached,
    )  # fmt: skip
    key = Key(rest, dropped, half, mask, first, second, undo_first, undo_second)
    within, high = (ONE << rest) - ONE, low + len(begins) - 1
    while True:
        if cursor[k.HELD] == cursor[k.HELD_END]:
            at, left = cursor[k.AT], cursor[k.REMAINING]
            fetch(states, block, cursor, key)
            note_places(block, at, left, cursor[k.HELD_END], where)
        held = cursor[k.HELD_END] - cursor[k.HELD]
        if held == 0:
            return k.DONE
        begin = cursor[k.HELD]
        count = gather(1, states, begin, control, rules, symmetries, buffers, stats, held)
        if count == 0:
            return k.GROW_BUFFERS
        new = ends_of[count - 1]
        for i in range(new):
            hashes[i] = scrambled(out[i], key)
        at = np.int64(0)
        for i in range(count):
            seen_results = np.int64(0)
            while at < ends_of[i]:
                if at + AHEAD < new:
                    segment = np.int64(hashes[at + AHEAD] >> rest)
                    if low <= segment < high and begins[segment - low] + 2 < begins[segment - low + 1]:
                        start, end = begins[segment - low] + 2, begins[segment - low + 1]
                        prefetch(following, start + home(hashes[at + AHEAD] & within, np.uint64(end - start), key))
                if are_moves[labels[at]] != 0:
                    seen_results |= HAS_MOVES
                    counts[k.MOVES_MADE] += 1
                    segment = np.int64(hashes[at] >> rest)
                    if low <= segment < high:
                        place = place_of_state(
                            following, begins[segment - low] + 2, begins[segment - low + 1], hashes[at] & within, key
                        )
                        if place >= 0:
                            counts[k.MOVES_FOUND] += 1
                            seen_results |= np.int64(1) << np.int64(results[place])
                at += 1
            found[where[begin + i]] |= seen_results
        cursor[k.HELD] += count


@kernel
def settle(
    rest: np.uint64, dropped: np.uint64, half: np.uint64, mask: np.uint64, first: np.uint64, second: np.uint64,
    undo_first: np.uint64, undo_second: np.uint64, masks: Words, numbers: Ints, clauses: Words, others_from: Ints,
    others: Words, turns: Words, moves: Words, changes: Words, bits: Ints, stuck: int, states: Words, cursor: Ints,
    block: Slots, where: Ints, found: Bytes, counts: Ints,
) -> None:  # fmt: skip
    """Makes results of what was noted for each state of a block.

    `bits` says of each label of the conditions what it means: bits 0 and 1 are the players to move, 2 and 3 those who
    have won. `stuck` is the result for the player to move if nobody has won: 0 a draw, 1 a win, 2 a loss.
    """
    key = Key(rest, dropped, half, mask, first, second, undo_first, undo_second)
    rules = Rules(masks, numbers, clauses, others_from, others, turns, moves, changes)
    while True:
        at, left = cursor[k.AT], cursor[k.REMAINING]
        fetch(states, block, cursor, key)
        held = cursor[k.HELD_END]
        if held == 0:
            return
        note_places(block, at, left, held, where)
        for i in range(held):
            said, row = np.int64(0), 0
            while row < len(numbers) - 1:
                if not is_enabled(1, states, i, row, rules):
                    row = numbers[row, k.MISS]
                else:
                    if numbers[row, k.LABEL] != k.GATE:
                        said |= bits[numbers[row, k.LABEL]]
                    row += 1
            mover, won, here = said & 3, said >> 2, np.int64(found[where[i]])
            if mover != FIRST_WINS and mover != SECOND_WINS:
                counts[k.WRONG] += 1
            other = 3 - mover
            if here & HAS_MOVES:
                result = mover if here >> mover & 1 else DRAWN if here & 1 else other
            elif won != 0:
                result = won if won < 3 else np.int64(DRAWN)
            else:
                result = np.int64(DRAWN) if stuck == 0 else mover if stuck == 1 else other
            found[where[i]] = result
            counts[k.DRAWN if result == DRAWN else k.WON if result == mover else k.LOST] += 1


_KEY = " ".join(["uint64"] * 8)


def _entry_points(slot: str) -> dict[str, tuple[object, str]]:
    slots = f"{slot}[]"
    walk = f"int64[] uint64[] int64[] {slots} int64[] uint8[]"
    return {
        f"index_{slot}": (index, f"{slots} int64 int64[]"),
        f"look_up_{slot}": (
            look_up,
            f"{CONTROL} {RULES} {SYMMETRIES} {BUFFERS} {_KEY} {walk} uint8[] {slots} int64 int64[] uint8[] int64[]",
        ),
        f"settle_{slot}": (
            settle,
            f"{_KEY} {RULES} int64[] int64 uint64[] int64[] {slots} int64[] uint8[] int64[]",
        ),
    }


NATIVE = _entry_points("uint32") | _entry_points("uint64")
