"""Kernels that value the states of a game for two players backwards, level by level, for states of one word in files.

A level is a sorted file of scrambled states, as `partition_kernels` makes them, with a byte for each slot: the result
of the game. All moves lead from a level to the next one, whose results are looked up in memory. If they do not fit
into it, that is done for one part after the other, and the successors are found again each time.
"""

from __future__ import annotations

from typing import Any

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import (
    ExpansionArrays,
    GameArrays,
    Ints,
    Key,
    LevelValues,
    Slots,
    ValuationArrays,
)
from pentad.grammar.compiled.counting_kernels import fetch, home, scrambled
from pentad.grammar.compiled.kernels import gather
from pentad.grammar.compiled.state_kernels import ONE, is_enabled
from pentad.kernels.decorator import kernel, prefetch
from pentad.kernels.numpy_numbers import np
from pentad.kernels.parameters import Typed, with_types
from pentad.kernels.types import UInt32s, UInt64s, Word

DRAWN, FIRST_WINS, SECOND_WINS = range(3)  # the results of a state
HAS_MOVES = 8  # a bit beside those for the results that moves have
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
def place_of_state(slots: Slots, begin: int, end: int, state: Word, key: Key) -> int:
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
def note_places(block: Slots, at: int, left: int, count: int, where: Ints) -> None:
    """Writes the slots of the states that `fetch` takes from a block."""
    for i in range(count):
        if left == 0:
            left = np.int64(block[at + 1])
            at += 2
        where[i] = at
        at += 1
        left -= 1


@kernel
def prefetch_value(at: int, run: ExpansionArrays, values: LevelValues, following: Slots) -> None:
    """Prefetches the slot where the search for a successor begins, if it is in a part of the next level."""
    low, begins, key, word = values.low, values.begins, run.key, run.buffers.hashes[at]
    segment = np.int64(word >> key.rest) - low
    if 0 <= segment < len(begins) - 1 and begins[segment] + 2 < begins[segment + 1]:
        start, end = begins[segment] + 2, begins[segment + 1]
        prefetch(following, start + home(word & ((ONE << key.rest) - ONE), np.uint64(end - start), key))


@kernel
def results_of_moves(
    first: int, end: int, new: int, run: ExpansionArrays, game: GameArrays, values: LevelValues, following: Slots,
    valuation: ValuationArrays,
) -> int:  # fmt: skip
    """What a state's successors lead to in a part of the next level: a bit for each result of moves, and HAS_MOVES.

    They are some of the `new` ones of a batch.
    """
    labels, hashes, key, counts = run.buffers.out.labels, run.buffers.hashes, run.key, valuation.counts
    begins, within, found = values.begins, (ONE << key.rest) - ONE, np.int64(0)
    for at in range(first, end):
        if at + AHEAD < new:
            prefetch_value(at + AHEAD, run, values, following)
        if game.are_moves[labels[at]] == 0:
            continue
        found |= HAS_MOVES
        counts.moves_made += 1
        segment = np.int64(hashes[at] >> key.rest) - values.low
        if 0 <= segment < len(begins) - 1:
            place = place_of_state(following, begins[segment] + 2, begins[segment + 1], hashes[at] & within, key)
            if place >= 0:
                counts.moves_found += 1
                found |= np.int64(1) << np.int64(values.results[place])
    return found


@kernel
def look_up(
    run: ExpansionArrays, game: GameArrays, values: LevelValues, valuation: ValuationArrays, block: Slots,
    following: Slots,
) -> int:  # fmt: skip
    """Notes for each state of a block the results of its moves into a part of the next level; returns why it ended."""
    buffers, key, cursor = run.buffers, run.key, run.cursor
    while True:
        # 1. Some states are fetched and expanded.
        if cursor.held == cursor.held_end:
            at, left = cursor.at, cursor.remaining
            fetch(run.states, block, cursor, key)
            note_places(block, at, left, cursor.held_end, valuation.where)
        held, begin = cursor.held_end - cursor.held, cursor.held
        if held == 0:
            return k.DONE
        count = gather(1, run.states, begin, held, run.grammar, buffers, run.stats)
        if count == 0:
            return k.GROW_BUFFERS
        # 2. Their successors are scrambled.
        new = buffers.ends[count - 1]
        for i in range(new):
            buffers.hashes[i] = scrambled(buffers.out.states[i], key)
        # 3. Each of these is looked up.
        at = np.int64(0)
        for i in range(count):
            end = buffers.ends[i]
            valuation.found[valuation.where[begin + i]] |= results_of_moves(
                at, end, new, run, game, values, following, valuation
            )
            at = end
        cursor.held += count


@kernel
def settle(run: ExpansionArrays, game: GameArrays, valuation: ValuationArrays, block: Slots) -> None:
    """Makes results of what was noted for each state of a block."""
    cursor, rules, where, found, counts = (
        run.cursor,
        game.conditions,
        valuation.where,
        valuation.found,
        valuation.counts,
    )
    numbers = rules.numbers
    while True:
        # 1. The next states are fetched.
        at, left = cursor.at, cursor.remaining
        fetch(run.states, block, cursor, run.key)
        held = cursor.held_end
        if held == 0:
            return
        note_places(block, at, left, held, where)
        for i in range(held):
            # 2. The conditions say who moves, and who has won.
            said, row = np.int64(0), 0
            while row < len(numbers) - 1:
                if not is_enabled(1, run.states, i, row, rules):
                    row = numbers[row, k.MISS]
                else:
                    if numbers[row, k.LABEL] != k.GATE:
                        said |= game.bits[numbers[row, k.LABEL]]
                    row += 1
            mover, won, here = said & 3, said >> 2, np.int64(found[where[i]])
            if mover != FIRST_WINS and mover != SECOND_WINS:
                counts.wrong += 1
            # 3. The best move gives the result; without moves, the end of the game.
            other = 3 - mover
            if here & HAS_MOVES:
                result = mover if here >> mover & 1 else DRAWN if here & 1 else other
            elif won != 0:
                result = won if won < 3 else np.int64(DRAWN)
            else:
                result = np.int64(DRAWN) if game.stuck == 0 else mover if game.stuck == 1 else other
            found[where[i]] = result
            if result == DRAWN:
                counts.drawn += 1
            elif result == mover:
                counts.won += 1
            else:
                counts.lost += 1


def _entry_points(name: str, slots: Any) -> dict[str, Typed]:
    return {
        f"index_{name}": with_types(index, slots=slots),
        f"look_up_{name}": with_types(look_up, block=slots, following=slots),
        f"settle_{name}": with_types(settle, block=slots),
    }


NATIVE = _entry_points("uint32", UInt32s) | _entry_points("uint64", UInt64s)
