"""Kernels that test the rows of rules in a batch of states at once.

The words of the states of a batch are in columns, so that each row is tested by vector operations; its result is a
bit for each state. States at the same place in control are a group. A place without a plan is left to the kernels for
one state.
"""

from __future__ import annotations

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.constants import EFFECT, Control, GrammarTables, Rules, ScratchBuffers, Words
from pentad.grammar.compiled.state_kernels import ONE, WORD, ZERO, change, clauses_hold, place_of, set_place
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Word

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
TWO, FOUR, TOP_BYTE = np.uint64(2), np.uint64(4), np.uint64(56)
FIVES, THREES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
NIBBLES, ONES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel
def bit_count(word: Word) -> Word:
    """The number of set bits, in a form that LLVM recognises."""
    word = word - ((word >> ONE) & FIVES)
    word = (word & THREES) + ((word >> TWO) & THREES)
    return (((word + (word >> FOUR)) & NIBBLES) * ONES) >> TOP_BYTE


@kernel
def lowest(word: Word) -> int:
    """The index of the lowest set bit."""
    return np.int64(bit_count(~word & (word - ONE)))


@kernel
def rows_in(word: int, row: int, end: int) -> Word:
    """The bits of some rows in a word of row bits."""
    low, high = max(row - 64 * word, 0), min(end - 64 * word, 64)
    if low >= high:
        return ZERO
    return (ALL >> np.uint64(64 - (high - low))) << np.uint64(low)


@kernel
def words_of_rows(rules: Rules) -> int:
    """The words that have a bit for each row."""
    return (len(rules.numbers) + 62) >> 6


@kernel
def match_guard(width: int, rules: Rules, row: int, batch: Words, at: int, different: Words) -> None:
    """Compares a row's guard with each state: the result is 0 where it holds."""
    size, mine = len(different), row * EFFECT * width
    for w in range(width):
        need = rules.masks[mine + k.NEED * width + w]
        care = need | rules.masks[mine + k.FORBID * width + w]
        words = batch[w * k.BATCH + at : w * k.BATCH + at + size]
        if w == 0:
            for i in range(size):
                different[i] = (words[i] & care) ^ need
        elif care != ZERO:
            for i in range(size):
                different[i] |= (words[i] & care) ^ need


@kernel
def match_patterns(width: int, rules: Rules, row: int, batch: Words, at: int, left: Words, found: Words) -> None:
    """Matches a row's patterns with each state: the result is not 0 where one of them matches."""
    size, turns, last = len(found), rules.turns, rules.numbers[row + 1, k.TURNS]
    for i in range(size):
        found[i] = ZERO
    for turn in range(rules.numbers[row, k.TURNS], last):
        word = 0 if width == 1 else np.int64(turns[turn, k.OF_WORD])
        by, flipped, initial = turns[turn, k.TURNED_BY], turns[turn, k.FLIPPED], turns[turn, k.LEFT]
        back = (ZERO - by) & WORD
        words = batch[word * k.BATCH + at : word * k.BATCH + at + size]
        if initial != ZERO:
            for i in range(size):
                left[i] = initial
        for i in range(size):
            left[i] &= ((words[i] << by) | (words[i] >> back)) ^ flipped
        if turn + 1 == last or turns[turn + 1, k.LEFT] != ZERO:
            for i in range(size):
                found[i] |= left[i]


@kernel
def drop_repeated(width: int, rules: Rules, row: int, batch: Words, at: int, different: Words, taken: Words) -> None:
    """Drops a row where it has the same effect as an earlier row of its event, which is none that distinguishes it."""
    size = len(different)
    for i in range(size):
        same = ZERO
        for w in range(width):
            same |= batch[w * k.BATCH + at + i] & rules.masks[(row * EFFECT + k.KEY_BITS) * width + w]
        fires = different[i] == ZERO and same == ZERO
        different[i] = ONE if fires and taken[i] != ZERO else different[i]
        taken[i] = ONE if fires else taken[i]


@kernel
def test_call(
    width: int, states: Words, first: int, call: int, grammar: GrammarTables, buffers: ScratchBuffers, at: int,
    size: int,
) -> None:  # fmt: skip
    """Sets the bits of a call's rows that apply in the states of a group, which begins at a position of the batch."""
    rules, calls, batch, tested = grammar.rules, grammar.control.calls, buffers.batch, buffers.tested
    numbers, row, end = rules.numbers, calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW]
    different, left = tested[:size], tested[k.BATCH : k.BATCH + size]
    found, taken = tested[2 * k.BATCH : 2 * k.BATCH + size], tested[3 * k.BATCH : 3 * k.BATCH + size]
    event = -1
    while row < end:
        match_guard(width, rules, row, batch, at, different)
        if numbers[row, k.LABEL] == k.GATE:
            is_open = ZERO
            for i in range(size):
                is_open |= ONE if different[i] == ZERO else ZERO
            row = row + 1 if is_open != ZERO else numbers[row, k.MISS]
            continue
        if numbers[row, k.TURNS] < numbers[row + 1, k.TURNS]:
            match_patterns(width, rules, row, batch, at, left, found)
            for i in range(size):
                different[i] = different[i] if found[i] != ZERO else ONE
        if numbers[row, k.CLAUSES] < numbers[row + 1, k.CLAUSES]:
            for i in range(size):
                if different[i] == ZERO and not clauses_hold(
                    width, states, first + buffers.members[at + i], row, rules
                ):
                    different[i] = ONE
        if numbers[row, k.EVENT] >= 0:
            if numbers[row, k.EVENT] != event:
                for i in range(size):
                    taken[i] = ZERO
            drop_repeated(width, rules, row, batch, at, different, taken)
        event = numbers[row, k.EVENT]
        bit, word = ONE << np.uint64(row & 63), (row >> 6) * k.BATCH + at
        bits = buffers.enabled[word : word + size]
        for i in range(size):
            bits[i] |= bit if different[i] == ZERO else ZERO
        row += 1


@kernel
def try_place(
    width: int, states: Words, first: int, place: int, grammar: GrammarTables, buffers: ScratchBuffers, at: int,
    size: int,
) -> None:  # fmt: skip
    """Tests the calls of a place in the states of a group that have reached it, and moves them on to the next place."""
    places, calls, words = grammar.control.places, grammar.control.calls, words_of_rows(grammar.rules)
    reached, any_row = buffers.reached[at : at + size], buffers.tested[:size]
    here = 0
    for i in range(size):
        here += 1 if reached[i] == place else 0
    if here == 0:
        return
    first_call, end_call = places[place, k.FIRST], places[place + 1, k.FIRST]
    for call in range(first_call, end_call):
        test_call(width, states, first, call, grammar, buffers, at, size)
    for i in range(size):
        any_row[i] = ZERO
    for w in range(words):
        mine = ZERO
        for call in range(first_call, end_call):
            mine |= rows_in(w, calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW])
        if mine != ZERO:
            bits = buffers.enabled[w * k.BATCH + at : w * k.BATCH + at + size]
            for i in range(size):
                any_row[i] |= bits[i] & mine
            if here < size:
                for i in range(size):
                    bits[i] &= ALL if reached[i] == place else ~mine
    success, failure = places[place, k.SUCCESS], places[place, k.FAILURE]
    for i in range(size):
        if reached[i] == place:
            reached[i] = success if any_row[i] != ZERO else failure


@kernel
def test_group(
    width: int, states: Words, first: int, place: int, grammar: GrammarTables, buffers: ScratchBuffers, at: int,
    size: int, group: int,
) -> None:  # fmt: skip
    """Finds the rows that apply in the states of a group, the places that they lead to, and where control ends."""
    control, count = grammar.control, len(grammar.rules.numbers) - 1
    places, calls = control.places, control.calls
    for w in range(words_of_rows(grammar.rules)):
        bits = buffers.enabled[w * k.BATCH + at : w * k.BATCH + at + size]
        for i in range(size):
            bits[i] = ZERO
    stay = np.uint64(places[place, k.HERE]) << control.place_shift
    for call in range(control.loops, len(calls)):
        test_call(width, states, first, call, grammar, buffers, at, size)
        for each in range(calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW]):
            buffers.afters[group * count + each] = stay
    for step in range(control.plans_from[place], control.plans_from[place + 1]):
        tried = control.plans[step]
        for call in range(places[tried, k.FIRST], places[tried + 1, k.FIRST]):
            for each in range(calls[call, k.LOW_ROW], calls[call, k.HIGH_ROW]):
                buffers.afters[group * count + each] = control.after[call]
        try_place(width, states, first, tried, grammar, buffers, at, size)


@kernel
def has_plan(place: int, control: Control) -> bool:
    """Whether the rules that may be tried at a place can be tested in a batch of states."""
    return bool(control.places[place, k.KIND] != k.TRIAL or control.plans_from[place] < control.plans_from[place + 1])


@kernel
def test_batch(
    width: int, states: Words, first: int, count: int, grammar: GrammarTables, buffers: ScratchBuffers
) -> None:
    """Tests the states of a batch, group by group; a state that is left to the kernels for one has no position."""
    control, positions, batch = grammar.control, buffers.positions, buffers.batch
    for i in range(count):
        positions[i] = -1
    at, start = 0, 0
    for group in range(k.GROUPS):
        while start < count and (
            positions[start] >= 0 or not has_plan(place_of(width, states, first + start, control), control)
        ):
            start += 1
        if start == count:
            return
        place, begin = place_of(width, states, first + start, control), at
        for i in range(start, count):
            if positions[i] < 0 and place_of(width, states, first + i, control) == place:
                for w in range(width):
                    batch[w * k.BATCH + at] = states[(first + i) * width + w]
                positions[i], buffers.members[at], buffers.groups[at], buffers.reached[at] = at, i, group, place
                at += 1
        test_group(width, states, first, place, grammar, buffers, begin, at - begin, group)


@kernel
def write_enabled(
    width: int, states: Words, state: int, position: int, grammar: GrammarTables, buffers: ScratchBuffers, to: int
) -> int:
    """Writes the successors of a state of a batch; returns the end of the output."""
    rules, place_mask, enabled, out = grammar.rules, grammar.control.place_mask, buffers.enabled, buffers.out
    group = buffers.groups[position] * (len(rules.numbers) - 1)
    for w in range(words_of_rows(rules)):
        bits = enabled[w * k.BATCH + position]
        while bits != ZERO:
            row = 64 * w + lowest(bits)
            bits &= bits - ONE
            change(width, states, state, row, rules, out.states, to)
            set_place(width, out.states, to, buffers.afters[group + row], place_mask)
            out.labels[to] = rules.numbers[row, k.LABEL]
            to += 1
    return to


@kernel
def fires(name: int, place: int, position: int, control: Control, buffers: ScratchBuffers) -> bool:
    """Whether a rule with a name applies in a state of a batch, which began at a place."""
    calls, places = control.calls, control.places
    for call in range(control.loops, len(calls)):
        if calls[call, k.ACTION] == name and has_bits(call, position, control, buffers):
            return True
    for step in range(control.plans_from[place], control.plans_from[place + 1]):
        tried = control.plans[step]
        for call in range(places[tried, k.FIRST], places[tried + 1, k.FIRST]):
            if calls[call, k.ACTION] == name and has_bits(call, position, control, buffers):
                return True
    return False


@kernel
def has_bits(call: int, position: int, control: Control, buffers: ScratchBuffers) -> bool:
    """Whether a row of a call applies in a state of a batch."""
    row, end = control.calls[call, k.LOW_ROW], control.calls[call, k.HIGH_ROW]
    for w in range(row >> 6, (end + 63) >> 6):
        if buffers.enabled[w * k.BATCH + position] & rows_in(w, row, end) != ZERO:
            return True
    return False
