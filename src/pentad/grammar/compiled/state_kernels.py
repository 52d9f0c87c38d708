"""Operations on one state: hashes, comparison, guards and effects of rows, images under symmetries.

A state is its edges in the low bits and its place in control above them, or in a last word of its own. It has `width`
words; states follow each other in flat arrays.
"""

from __future__ import annotations

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import EFFECT, GUARD, Control, GrammarTables, Rules, Successors, Words
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Rows, Word

ZERO, ONE, ONES = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
LOW, HIGH = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)
MIX, STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
WORD, BYTE, BITS = np.uint64(63), np.uint64(255), np.uint64(8)
SOME, HALF = np.uint64(29), np.uint64(32)


@kernel
def mixed(word: Word) -> Word:
    """Hash of a word."""
    word = (word ^ (word >> HALF)) * MIX
    word = (word ^ (word >> SOME)) * STIR
    return word ^ (word >> HALF)


@kernel
def turned(word: Word, by: Word) -> Word:
    """A word rotated left."""
    return (word << by) | (word >> ((ZERO - by) & WORD))


@kernel
def hashed(width: int, states: Words, at: int) -> Word:
    """Hash of a state."""
    number = mixed(states[at * width])
    for w in range(1, width):
        number = mixed((number + ONE) ^ states[at * width + w])
    return number


@kernel
def are_equal(width: int, one: Words, i: int, other: Words, j: int) -> bool:
    """Whether two states are equal."""
    for w in range(width):  # noqa: SIM110 - kernels do not support generators
        if one[i * width + w] != other[j * width + w]:
            return False
    return True


@kernel
def copy(width: int, to: Words, i: int, states: Words, j: int) -> None:
    """Copies a state to another place."""
    for w in range(width):
        to[i * width + w] = states[j * width + w]


@kernel
def place_of(width: int, states: Words, at: int, control: Control) -> int:
    """The number of a state's place in control."""
    return np.int64(states[at * width + width - 1] >> control.place_shift)


@kernel
def set_place(width: int, states: Words, at: int, place: Word, place_mask: Word) -> None:
    """Changes a state's place in control."""
    last = at * width + width - 1
    states[last] = (states[last] & ~place_mask) | place


@kernel
def holds(width: int, states: Words, at: int, guards: Words, row: int, masks: int) -> bool:
    """Whether a state has everything that a row of guards needs and nothing that it forbids."""
    first = row * masks * width
    for w in range(width):
        word, need = states[at * width + w], guards[first + k.NEED * width + w]
        if word & need != need or word & guards[first + k.FORBID * width + w] != ZERO:
            return False
    return True


@kernel
def clauses_hold(width: int, states: Words, at: int, row: int, rules: Rules) -> bool:
    """Whether an alternative of each clause of a row holds."""
    for clause in range(rules.numbers[row, k.CLAUSES], rules.numbers[row + 1, k.CLAUSES]):
        if not holds(width, states, at, rules.clauses, clause, GUARD):
            continue
        is_met = False
        for other in range(rules.others_from[clause], rules.others_from[clause + 1]):
            if holds(width, states, at, rules.others, other, GUARD):
                is_met = True
                break
        if not is_met:
            return False
    return True


@kernel
def pattern_holds(width: int, states: Words, at: int, first: int, last: int, turns: Rows[Words]) -> bool:
    """Whether one of the patterns matches."""
    left = ZERO
    for turn in range(first, last):
        if turns[turn, k.LEFT] != ZERO:
            if left != ZERO:
                return True
            left = turns[turn, k.LEFT]
        word = 0 if width == 1 else np.int64(turns[turn, k.OF_WORD])
        left &= turned(states[at * width + word], turns[turn, k.TURNED_BY]) ^ turns[turn, k.FLIPPED]
    return bool(left != ZERO)


@kernel(inline=True)
def change(width: int, states: Words, at: int, row: int, rules: Rules, out: Words, to: int) -> None:
    """Writes a row's effect on a state's edges."""
    masks, changes, moves, numbers = rules.masks, rules.changes, rules.moves, rules.numbers
    old, new, mine = at * width, to * width, row * EFFECT * width
    for w in range(width):
        out[new + w] = (states[old + w] & ~masks[mine + k.CLEAR * width + w]) | masks[mine + k.SET * width + w]
    first, last = numbers[row, k.CHANGES], numbers[row + 1, k.CHANGES]
    for c in range(first, last):
        if holds(width, states, at, changes, c, EFFECT):
            its = c * EFFECT * width
            for w in range(width):
                out[new + w] &= ~changes[its + k.CLEAR * width + w] | masks[mine + k.SET * width + w]
    for c in range(first, last):
        if holds(width, states, at, changes, c, EFFECT):
            for w in range(width):
                out[new + w] |= changes[(c * EFFECT + k.SET) * width + w]
    for m in range(numbers[row, k.MOVES], numbers[row + 1, k.MOVES]):
        start, end = np.int64(moves[m, k.FROM_WORD]), np.int64(moves[m, k.TO_WORD])
        out[new + end] |= turned(states[old + start] & moves[m, k.MOVED], moves[m, k.DISTANCE])


@kernel
def distinguish(width: int, states: Words, at: int, row: int, rules: Rules, effects: Words, event: int) -> None:
    """Writes the bits that distinguish a row's effect on a state from those of other rows of its event."""
    masks, changes, numbers = rules.masks, rules.changes, rules.numbers
    for w in range(width):
        effects[event * width + w] = states[at * width + w] & masks[(row * EFFECT + k.KEY_BITS) * width + w]
    for c in range(numbers[row, k.CHANGES], numbers[row + 1, k.CHANGES]):
        if holds(width, states, at, changes, c, EFFECT):
            for w in range(width):
                effects[event * width + w] |= changes[(c * EFFECT + k.KEY_BITS) * width + w]


@kernel(inline=True)
def is_enabled(width: int, states: Words, at: int, row: int, rules: Rules) -> bool:
    """Whether a row applies in a state."""
    return holds(width, states, at, rules.masks, row, EFFECT) and alternatives_hold(width, states, at, row, rules)


@kernel(inline=True)
def alternatives_hold(width: int, states: Words, at: int, row: int, rules: Rules) -> bool:
    """Whether one of a row's patterns matches, if it has any, and an alternative of each of its clauses holds."""
    numbers = rules.numbers
    first, last = numbers[row, k.TURNS], numbers[row + 1, k.TURNS]
    if first < last and not pattern_holds(width, states, at, first, last, rules.turns):
        return False
    return numbers[row, k.CLAUSES] == numbers[row + 1, k.CLAUSES] or clauses_hold(width, states, at, row, rules)


@kernel(inline=True)
def fire(
    width: int, states: Words, at: int, call: int, place: Word, grammar: GrammarTables, out: Successors, to: int,
    effects: Words,
) -> int:  # fmt: skip
    """Writes the successors of a state by a call, at a place in control; returns the end of the output."""
    rules, calls, place_mask = grammar.rules, grammar.control.calls, grammar.control.place_mask
    numbers, row, end = rules.numbers, calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW]
    event, events = -1, 0
    while row < end:
        if not is_enabled(width, states, at, row, rules):
            row = numbers[row, k.MISS]
            continue
        if numbers[row, k.LABEL] == k.GATE:
            row += 1
            continue
        if numbers[row, k.EVENT] != event:
            event, events = numbers[row, k.EVENT], 0
        if event >= 0:
            distinguish(width, states, at, row, rules, effects, events)
            is_known = False
            for e in range(events):
                is_known = is_known or are_equal(width, effects, e, effects, events)
            if is_known:
                row += 1
                continue
            events += 1
        change(width, states, at, row, rules, out.states, to)
        set_place(width, out.states, to, place, place_mask)
        out.labels[to] = numbers[row, k.LABEL]
        to += 1
        row += 1
    return to


@kernel
def make_smallest(width: int, states: Words, at: int, grammar: GrammarTables, best: Words) -> None:
    """Replaces a state by the smallest of its images under the symmetries; `best` is scratch for a state.

    The images under eight symmetries are computed at once, word by word, as long as one of them can be smaller.
    """
    symmetries = grammar.symmetries
    images, here, step = symmetries.images, at * width, 256 * k.LANES
    place = states[here + width - 1] & grammar.control.place_mask
    states[here + width - 1] ^= place
    copy(width, best, 0, states, at)
    for first in range(0, symmetries.number, k.LANES):
        is_smaller = False
        # all ones for an image that is larger in an earlier word
        out_0 = out_1 = out_2 = out_3 = out_4 = out_5 = out_6 = out_7 = ZERO
        for w in range(width):
            one_0, one_1, one_2, one_3 = out_0, out_1, out_2, out_3
            one_4, one_5, one_6, one_7 = out_4, out_5, out_6, out_7
            begin = (first // k.LANES * width + w) * symmetries.size * step
            for v in range(width):
                rest, i = states[here + v], begin + v * 8 * step
                while rest != ZERO:  # for each byte; vectors are made of the images, not of bytes
                    byte = np.int64(rest & BYTE) * k.LANES
                    if byte != 0:
                        one_0 |= images[i + byte]
                        one_1 |= images[i + byte + 1]
                        one_2 |= images[i + byte + 2]
                        one_3 |= images[i + byte + 3]
                        one_4 |= images[i + byte + 4]
                        one_5 |= images[i + byte + 5]
                        one_6 |= images[i + byte + 6]
                        one_7 |= images[i + byte + 7]
                    rest >>= BITS
                    i += step
            word = min(min(min(one_0, one_1), min(one_2, one_3)), min(min(one_4, one_5), min(one_6, one_7)))
            if word > best[w] and not is_smaller:
                break
            is_smaller = is_smaller or word < best[w]
            best[w] = word
            if w + 1 < width:
                out_0 |= ONES if one_0 != word else ZERO
                out_1 |= ONES if one_1 != word else ZERO
                out_2 |= ONES if one_2 != word else ZERO
                out_3 |= ONES if one_3 != word else ZERO
                out_4 |= ONES if one_4 != word else ZERO
                out_5 |= ONES if one_5 != word else ZERO
                out_6 |= ONES if one_6 != word else ZERO
                out_7 |= ONES if one_7 != word else ZERO
    copy(width, states, at, best, 0)
    states[here + width - 1] |= place
