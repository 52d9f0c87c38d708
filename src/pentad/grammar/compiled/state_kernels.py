"""Operations on one state, each twice: on a word, and on a row of words; `by_rank` chooses when kernels are compiled.

A narrow state is one word, with the place in control above the edges. A wide state is a row of words, with the place in
the last one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.grammar.compiled.base_kernels import (
    BITS,
    BYTE,
    CHANGES,
    CLAUSES,
    CLEAR,
    DISTANCE,
    EVENT,
    FLIPPED,
    FORBID,
    FROM_WORD,
    GATE,
    KEY_BITS,
    LABEL,
    LEFT,
    MISS,
    MOVED,
    MOVES,
    NEED,
    OF_WORD,
    ONE,
    SET,
    SKIP,
    TO_WORD,
    TURNED_BY,
    TURNS,
    ZERO,
    Ints,
    Rules,
    Words,
    mixed,
    turned,
)
from pentad.jit.compiler import by_rank, kernel

State: TypeAlias = Any  # a word, or a row of words


@kernel
def row_hash(row: Words) -> np.uint64:
    number = ZERO
    for word in row:
        number = mixed(number ^ word) + ONE
    return number


hashed = by_rank({0: mixed, 1: row_hash})


@kernel
def are_equal_words(one: np.uint64, other: np.uint64) -> bool:
    return bool(one == other)


@kernel
def are_equal_rows(one: Words, other: Words) -> bool:
    for w in range(len(one)):  # noqa: SIM110 - kernels do not support generators
        if one[w] != other[w]:
            return False
    return True


are_equal = by_rank({0: are_equal_words, 1: are_equal_rows})


@kernel
def only_word(state: np.uint64, _: int) -> np.uint64:
    return state


@kernel
def word_of_row(state: Words, number: int) -> np.uint64:
    return np.uint64(state[number])


word_of = by_rank({0: only_word, 1: word_of_row})


@kernel
def edges_of_word(state: np.uint64, place_mask: np.uint64) -> np.uint64:
    return state & ~place_mask


@kernel
def edges_of_row(state: Words, _: np.uint64) -> Words:
    return state


edges_of = by_rank({0: edges_of_word, 1: edges_of_row})  # rules read no bits of the place in a row's last word


@kernel
def row_holds(state: Words, guards: Words, row: int) -> bool:
    """Whether a state has everything that a row of guards needs and nothing that it forbids."""
    for w in range(len(state)):
        need = guards[row, NEED, w]
        if state[w] & need != need or state[w] & guards[row, FORBID, w] != ZERO:
            return False
    return True


@kernel
def clauses_hold_word(state: np.uint64, row: int, rules: Rules) -> bool:
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
def clauses_hold_row(state: Words, row: int, rules: Rules) -> bool:
    for clause in range(rules.numbers[row, CLAUSES], rules.numbers[row + 1, CLAUSES]):
        if not row_holds(state, rules.clauses, clause):
            continue
        is_met = False
        for other in range(rules.others_from[clause], rules.others_from[clause + 1]):
            if row_holds(state, rules.others, other):
                is_met = True
                break
        if not is_met:
            return False
    return True


@kernel
def pattern_holds(state: State, first: int, last: int, turns: Words) -> bool:
    """Whether one of the patterns matches."""
    left = ZERO
    for turn in range(first, last):
        if turns[turn, LEFT] != ZERO:
            if left != ZERO:
                return True
            left = turns[turn, LEFT]
        left &= turned(word_of(state, turns[turn, OF_WORD]), turns[turn, TURNED_BY]) ^ turns[turn, FLIPPED]
    return bool(left != ZERO)


@kernel
def set_place_of_word(states: Words, at: int, place: np.uint64, place_mask: np.uint64) -> None:
    states[at] = (states[at] & ~place_mask) | place


@kernel
def set_place_of_row(states: Words, at: int, place: np.uint64, place_mask: np.uint64) -> None:
    last = states.shape[1] - 1
    states[at, last] = (states[at, last] & ~place_mask) | place


set_place = by_rank({1: set_place_of_word, 2: set_place_of_row})


@kernel
def change_row(out: Words, at: int, state: Words, row: int, rules: Rules, key_bits: Words, event: int) -> None:
    """Writes a row's effect on a state's edges, and the bits that distinguish its changes."""
    masks, numbers, after, key = rules.masks[row], rules.numbers, out[at], key_bits[event]
    for w in range(len(state)):
        after[w] = (state[w] & ~masks[CLEAR, w]) | masks[SET, w]
        key[w] = state[w] & masks[KEY_BITS, w]
    first, last = numbers[row, CHANGES], numbers[row + 1, CHANGES]
    for c in range(first, last):
        if row_holds(state, rules.changes, c):
            for w in range(len(state)):
                after[w] &= ~rules.changes[c, CLEAR, w] | masks[SET, w]
                key[w] |= rules.changes[c, KEY_BITS, w]
    for c in range(first, last):
        if row_holds(state, rules.changes, c):
            for w in range(len(state)):
                after[w] |= rules.changes[c, SET, w]
    for m in range(numbers[row, MOVES], numbers[row + 1, MOVES]):
        move = rules.moves[m]
        after[move[TO_WORD]] |= turned(state[move[FROM_WORD]] & move[MOVED], move[DISTANCE])


@kernel
def fire_word(
    state: np.uint64,
    row: int,
    end: int,
    place: np.uint64,
    _: np.uint64,
    rules: Rules,
    out: Words,
    labels: Ints,
    at: int,
    effects: Words,
) -> int:
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
        if numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold_word(state, row, rules):
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
def fire_row(
    state: Words,
    row: int,
    end: int,
    place: np.uint64,
    place_mask: np.uint64,
    rules: Rules,
    out: Words,
    labels: Ints,
    at: int,
    effects: Words,
) -> int:
    numbers = rules.numbers
    event, events = -1, 0
    while row < end:
        first, last = numbers[row, TURNS], numbers[row + 1, TURNS]
        if (
            not row_holds(state, rules.masks, row)
            or (first < last and not pattern_holds(state, first, last, rules.turns))
            or (numbers[row, CLAUSES] < numbers[row + 1, CLAUSES] and not clauses_hold_row(state, row, rules))
        ):
            row = numbers[row, MISS]
            continue
        if numbers[row, LABEL] == GATE:
            row += 1
            continue
        if numbers[row, EVENT] != event:
            event, events = numbers[row, EVENT], 0
        change_row(out, at, state, row, rules, effects, events)
        if event >= 0:
            is_known = False
            for e in range(events):
                is_known = is_known or are_equal_rows(effects[e], effects[events])
            if is_known:
                row += 1
                continue
            events += 1
        set_place_of_row(out, at, place, place_mask)
        labels[at] = numbers[row, LABEL]
        at += 1
        row = numbers[row, SKIP]
    return at


# Writes the successors of a state by a rule's rows; returns the end of the output.
fire = by_rank({0: fire_word, 1: fire_row})


@kernel
def make_smallest_word(states: Words, at: int, place_mask: np.uint64, images: NDArray[np.uint64]) -> None:
    state = states[at] & ~place_mask
    best = state
    for g in range(images.shape[0]):
        image, rest = ZERO, state
        for b in range(images.shape[1]):
            image |= images[g, b, rest & BYTE]
            rest >>= BITS
        best = min(best, image)
    states[at] = best | (states[at] & place_mask)


@kernel
def make_smallest_row(states: Words, at: int, place_mask: np.uint64, images: NDArray[np.uint64]) -> None:
    if images.shape[0] == 0:
        return
    row, last = states[at], states.shape[1] - 1
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


# Replaces a state by the smallest of its images under the symmetries, which are given by byte.
make_smallest = by_rank({1: make_smallest_word, 2: make_smallest_row})
