"""Kernels of bisimulation: classes of states without infinite paths, refinement, silent steps, the quotient.

Like those of `fixpoint_kernels` they are plain functions, for lists and for arrays. The transitions of state s are at
the indices begins[s] to begins[s + 1]. The signature of a state is the set of its pairs of label and class of the
target; a pair is one number, label * PAIR + class. If a silent transition stays within the class, the signature has the
pairs of that transition's target in place of this pair; the label `silent` is -1 where no label is silent.

Refinement keeps the states of each class together in `order`, those whose signature may have changed at the end:
begin_of to dirty_of to end_of. Of a class that is split, the largest part keeps the number, so that few signatures
change (Jacobs and Wißmann, "Fast coalgebraic bisimilarity minimization", 2023).
"""

from __future__ import annotations

from typing import NamedTuple

from pentad.grammar.logic import fixpoint_kernels
from pentad.kernels.parameters import with_types
from pentad.kernels.types import Array, Counters, Int32s, Int64s, UInt16s

PAIR = 1 << 32
NO_LABEL = (1 << 31) - 1  # which no transition has
HASH_BITS = (1 << 63) - 1
FACTOR, SHIFT = 0x1E3779B97F4A7C15, 29  # the hash multiplies and shifts by them


class LeavingTransitions(NamedTuple):
    """The transitions of each state; silent ones have the label `silent`."""

    begins: Int64s
    actions: Int32s
    targets: Int32s
    silent: int


class ComingTransitions(NamedTuple):
    """Where the transitions to each state begin, and their sources."""

    back: Int64s
    sources: Int32s
    are_silent: int  # whether only the silent ones are there


class WrittenTransitions(NamedTuple):
    """Room for transitions, one after the other."""

    sources: Int32s
    actions: Int32s
    targets: Int32s


class RefinementCounts(Counters):
    """Numbers of signatures, and of refinement."""

    groups: int  # the number of all signatures
    top: int  # the end of their pairs
    blocks: int  # the number of classes
    moved: int  # the number of states that have another class
    touched: int  # classes to be looked at
    queued: int  # states to be looked at


class StateClasses(NamedTuple):
    """The class and the group of each state; -1 for none."""

    block_of: Int32s
    group_of: Int32s
    clean_group: Int32s  # for each class, the group of its unchanged states


class SignatureGroups(NamedTuple):
    """Groups of states with the same class and signature, in a hash table."""

    slots: Int32s  # their numbers, plus one
    mask: int
    owners: Int32s  # the class of each group
    hashes: Int64s  # the hash of each group's signature
    ends: Int64s  # the end of each group's pairs
    pairs: Int64s


class ClassPartition(NamedTuple):
    """The states of each class in `order`: from `begin_of` to `end_of`, the changed ones from `dirty_of` on."""

    begin_of: Int32s
    end_of: Int32s
    dirty_of: Int32s
    order: Int32s
    position: Int32s  # the place of each state in `order`
    parents: Int32s  # for each class, that from which it was split off
    levels: Int32s  # the round in which it was split off
    touched: Int32s  # classes to be looked at
    moved: Int32s  # states that have another class


class SplitRoom(NamedTuple):
    """Room to split classes: by group, then by number; `counts` is 0 for all groups before and after."""

    counts: Int32s
    places: Int32s
    found: Int32s
    scratch: Int32s


class ComponentRoom(NamedTuple):
    """Room to find components."""

    numbers: Int32s  # each state has its number in the order of discovery, 0 before
    lows: Int32s
    edges: Int64s
    stack: Int32s
    calls: Int32s


class SaturationCounts(Counters):
    """How far the weak transitions are written."""

    size: int  # the number of weak transitions
    stamp: int  # the stamp that was used last


class QuotientCounts(Counters):
    """The numbers of classes that can be reached and of transitions between them."""

    classes: int
    transitions: int


def relabel(actions: Array[int], numbers: Int32s, found: Int32s) -> None:
    """Writes the new number of each transition's label."""
    for i in range(len(actions)):
        found[i] = numbers[actions[i]]


def spread(begins: Int64s, sources: Int32s) -> None:
    """Writes the source of each transition."""
    for state in range(len(begins) - 2):
        for edge in range(begins[state], begins[state + 1]):
            sources[edge] = state


# ── signatures ───────────────────────────────────────────────────────────────────────────────────


def sign(
    queue: Int32s,
    first: int,
    last: int,
    leaving: LeavingTransitions,
    classes: StateClasses,
    signatures: SignatureGroups,
    counts: RefinementCounts,
) -> int:
    """Groups states of the queue by class and signature; returns where it stopped for lack of room in `pairs`.

    `group_of` gets the groups. A silent step within the class adds the signature of the target's group, or of
    `clean_group` if the target is not in the queue.
    """
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    block_of, group_of, clean_group = classes.block_of, classes.group_of, classes.clean_group
    slots, mask, owners = signatures.slots, signatures.mask, signatures.owners
    hashes, ends, pairs = signatures.hashes, signatures.ends, signatures.pairs
    for i in range(first, last):
        state = queue[i]
        own = block_of[state]
        top = counts.top
        end = top
        for edge in range(begins[state], begins[state + 1]):
            target = targets[edge]
            block = block_of[target]
            if actions[edge] == silent and block == own:
                group = group_of[target]
                if group < 0:
                    group = clean_group[own]
                begin = ends[group - 1] if group > 0 else 0
                if end + ends[group] - begin >= len(pairs):
                    return i
                for j in range(begin, ends[group]):
                    pairs[end] = pairs[j]
                    end += 1
            else:
                if end >= len(pairs):
                    return i
                pairs[end] = actions[edge] * PAIR + block
                end += 1
        gap = 1  # Shell's sort, which is insertion for the few transitions that most states have
        while gap < (end - top) // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for j in range(top + gap, end):
                pair, place = pairs[j], j
                while place >= top + gap and pairs[place - gap] > pair:
                    pairs[place] = pairs[place - gap]
                    place -= gap
                pairs[place] = pair
            gap //= 3
        size, code = 0, (own + 1) * FACTOR & HASH_BITS
        for j in range(top, end):
            pair = pairs[j]
            if size == 0 or pairs[top + size - 1] != pair:
                pairs[top + size] = pair
                size += 1
                code = ((code ^ (code >> SHIFT)) + pair) * FACTOR & HASH_BITS
        code ^= code >> SHIFT
        slot = code & mask
        while slots[slot] != 0:
            group = slots[slot] - 1
            if hashes[group] == code and owners[group] == own:
                begin = ends[group - 1] if group > 0 else 0
                if ends[group] - begin == size:
                    j = 0
                    while j < size and pairs[begin + j] == pairs[top + j]:
                        j += 1
                    if j == size:
                        break
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            group = counts.groups
            counts.groups = group + 1
            counts.top = top + size
            slots[slot] = group + 1
            owners[group], hashes[group], ends[group] = own, code, top + size
        group_of[state] = slots[slot] - 1
    return last


def fill(column: Int32s, count: int, value: int) -> None:
    """Writes a value to the beginning of a column."""
    for i in range(count):
        column[i] = value


def refill(hashes: Int64s, count: int, slots: Int32s, mask: int) -> None:
    """Enters groups into a new hash table."""
    for group in range(count):
        slot = hashes[group] & mask
        while slots[slot] != 0:
            slot = (slot + 1) & mask
        slots[slot] = group + 1


# ── states without infinite paths ────────────────────────────────────────────────────────────────


def leaves(begins: Int64s, left: Int32s, queue: Int32s) -> int:
    """Writes the number of transitions of each state, and queues the states without any; returns their number."""
    size = 0
    for state in range(len(left)):
        left[state] = begins[state + 1] - begins[state]
        if left[state] == 0:
            queue[size] = state
            size += 1
    return size


def release(queue: Int32s, first: int, last: int, size: int, coming: ComingTransitions, left: Int32s) -> int:
    """Queues the states all of whose transitions lead to states of the queue before `last`; returns its length."""
    back, sources = coming.back, coming.sources
    for i in range(first, last):
        state = queue[i]
        for edge in range(back[state], back[state + 1]):
            source = sources[edge]
            left[source] -= 1
            if left[source] == 0:
                queue[size] = source
                size += 1
    return size


def settle(queue: Int32s, first: int, last: int, classes: StateClasses) -> None:
    """Makes the groups of these states their classes."""
    for i in range(first, last):
        classes.block_of[queue[i]] = classes.group_of[queue[i]]


# ── refinement ───────────────────────────────────────────────────────────────────────────────────


def partition(
    colours: Int32s,
    colour_count: int,
    left: Int32s,
    settled: int,
    parts: ClassPartition,
    classes: StateClasses,
    queue: Int32s,
) -> int:
    """Puts the states that are not settled into one class for each colour, and into the queue; returns their number.

    `settled` is the number of classes of settled states, for which `left` is 0.
    """
    begin_of, end_of, dirty_of = parts.begin_of, parts.end_of, parts.dirty_of
    order, position = parts.order, parts.position
    for state in range(len(colours)):
        if left[state] != 0:
            end_of[settled + colours[state]] += 1
    place = 0
    for block in range(settled, settled + colour_count):
        begin_of[block] = place
        dirty_of[block] = place
        place += end_of[block]
        end_of[block] = begin_of[block]
    size = 0
    for state in range(len(colours)):
        if left[state] != 0:
            block = settled + colours[state]
            order[end_of[block]] = state
            position[state] = end_of[block]
            end_of[block] += 1
            classes.block_of[state] = block
            classes.group_of[state] = -1
            queue[size] = state
            size += 1
    return size


def bottoms(
    count: int, leaving: LeavingTransitions, parts: ClassPartition, classes: StateClasses, found: Int32s
) -> int:
    """Queues an unchanged state without silent steps within its class, for each touched class that has one."""
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    begin_of, dirty_of, order, position = parts.begin_of, parts.dirty_of, parts.order, parts.position
    touched, block_of = parts.touched, classes.block_of
    size = 0
    for i in range(count):
        block = touched[i]
        if begin_of[block] == dirty_of[block]:
            continue
        state, after = -1, order[begin_of[block]]
        while after != state:
            state = after
            for edge in range(begins[state], begins[state + 1]):
                if actions[edge] == silent and block_of[targets[edge]] == block:
                    after = targets[edge]
                    break
        place = dirty_of[block] - 1
        dirty_of[block] = place
        other = order[place]
        order[position[state]] = other
        position[other] = position[state]
        order[place] = state
        position[state] = place
        found[size] = state
        size += 1
    return size


def note_clean(states: Int32s, count: int, classes: StateClasses) -> None:
    """Writes the groups of the unchanged states, by class."""
    for i in range(count):
        classes.clean_group[classes.block_of[states[i]]] = classes.group_of[states[i]]


def split(
    silent: int, level: int, parts: ClassPartition, classes: StateClasses, room: SplitRoom, numbers: RefinementCounts
) -> None:
    """Splits the touched classes by the groups of their changed states, in a round.

    The states of all parts but the largest are moved.
    """
    begin_of, end_of, dirty_of = parts.begin_of, parts.end_of, parts.dirty_of
    order, position, touched, moved = parts.order, parts.position, parts.touched, parts.moved
    block_of, group_of, clean_group = classes.block_of, classes.group_of, classes.clean_group
    counts, places, found, scratch = room.counts, room.places, room.found, room.scratch
    moves = numbers.moved
    for i in range(numbers.touched):
        block = touched[i]
        begin, middle, end = begin_of[block], dirty_of[block], end_of[block]
        groups = 0
        for j in range(middle, end):
            group = group_of[order[j]]
            if counts[group] == 0:
                found[groups] = group
                groups += 1
            counts[group] += 1
            scratch[j - middle] = order[j]
        joined = clean_group[block] if silent >= 0 and middle > begin else -1
        place = middle
        if joined >= 0:
            places[joined] = place
            place += counts[joined]
        for j in range(groups):
            group = found[j]
            if group != joined:
                places[group] = place
                place += counts[group]
        for j in range(end - middle):
            state = scratch[j]
            place = places[group_of[state]]
            places[group_of[state]] = place + 1
            order[place] = state
            position[state] = place
        clean_end = places[joined] if joined >= 0 else middle
        largest, remaining = clean_end - begin, -1
        for j in range(groups):
            group = found[j]
            if group != joined and counts[group] > largest:
                largest, remaining = counts[group], group
        for j in range(-1, groups):
            group = found[j] if j >= 0 else -1
            if j >= 0 and group == joined:
                continue
            part_end = places[group] if j >= 0 else clean_end
            part_begin = part_end - counts[group] if j >= 0 else begin
            if part_begin == part_end:
                continue
            name = block
            if group != remaining:
                name = numbers.blocks
                numbers.blocks = name + 1
                parts.parents[name], parts.levels[name] = block, level
                for k in range(part_begin, part_end):
                    block_of[order[k]] = name
                    moved[moves] = order[k]
                    moves += 1
            begin_of[name], dirty_of[name], end_of[name] = part_begin, part_end, part_end
        for j in range(groups):
            counts[found[j]] = 0
        for j in range(middle, end):
            group_of[order[j]] = -1
    numbers.moved = moves


def mark(
    states: Int32s,
    first: int,
    last: int,
    coming: ComingTransitions,
    leaving: LeavingTransitions,
    parts: ClassPartition,
    block_of: Int32s,
    queue: Int32s,
    counts: RefinementCounts,
) -> None:
    """Queues the sources of transitions to these states; of silent ones alone, those in the same class.

    A state with a silent step to another class is queued itself: the step may have been within the class before.
    """
    back, sources, within = coming.back, coming.sources, coming.are_silent
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    end_of, dirty_of, order, position = parts.end_of, parts.dirty_of, parts.order, parts.position
    touched, queued = parts.touched, counts.queued
    for i in range(first, last):
        state = states[i]
        itself = 0
        if silent >= 0 and within == 0:
            for edge in range(begins[state], begins[state + 1]):
                if actions[edge] == silent and block_of[targets[edge]] != block_of[state]:
                    itself = 1
        for edge in range(back[state] - itself, back[state + 1]):
            source = sources[edge] if edge >= back[state] else state
            block = block_of[source]
            place = dirty_of[block] - 1
            if position[source] > place or (within != 0 and block != block_of[state]):
                continue
            if dirty_of[block] == end_of[block]:
                touched[counts.touched] = block
                counts.touched += 1
            dirty_of[block] = place
            other = order[place]
            order[position[source]] = other
            position[other] = position[source]
            order[place] = source
            position[source] = place
            queue[queued] = source
            queued += 1
    counts.queued = queued


# ── silent steps ─────────────────────────────────────────────────────────────────────────────────


def components(leaving: LeavingTransitions, colours: Int32s, room: ComponentRoom, found: Int32s) -> int:
    """Writes the strongly connected component of each state by silent steps between equal colours (Tarjan).

    A component comes after those to which its silent steps lead. Returns their number.
    """
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    numbers, lows, edges, stack, calls = room.numbers, room.lows, room.edges, room.stack, room.calls
    counter, count, size = 0, 0, 0
    for root in range(len(colours)):
        if numbers[root] != 0:
            continue
        depth, entered = -1, root
        while True:
            if entered >= 0:
                counter += 1
                numbers[entered] = counter
                lows[entered] = counter
                edges[entered] = begins[entered]
                found[entered] = -1
                stack[size] = entered
                size += 1
                depth += 1
                calls[depth] = entered
                entered = -1
            state = calls[depth]
            while edges[state] < begins[state + 1] and entered < 0:
                edge = edges[state]
                edges[state] = edge + 1
                target = targets[edge]
                if actions[edge] == silent and colours[target] == colours[state]:
                    if numbers[target] == 0:
                        entered = target
                    elif found[target] < 0 and numbers[target] < lows[state]:
                        lows[state] = numbers[target]
            if entered >= 0:
                continue
            if lows[state] == numbers[state]:
                other = -1
                while other != state:
                    size -= 1
                    other = stack[size]
                    found[other] = count
                count += 1
            depth -= 1
            if depth < 0:
                break
            above = calls[depth]
            if lows[state] < lows[above]:
                lows[above] = lows[state]
    return count


def carry(parts: Int32s, values: Int32s, found: Int32s) -> None:
    """Writes the value of each part, which all its states share."""
    for state in range(len(parts)):
        found[parts[state]] = values[state]


def collapse(leaving: LeavingTransitions, parts: Int32s, written: WrittenTransitions) -> int:
    """Writes the transitions between parts, without silent ones within a part; returns their number."""
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    sources, labels, others = written.sources, written.actions, written.targets
    size = 0
    for state in range(len(parts)):
        part = parts[state]
        for edge in range(begins[state], begins[state + 1]):
            other = parts[targets[edge]]
            if other != part or actions[edge] != silent:
                sources[size], labels[size], others[size] = part, actions[edge], other
                size += 1
    return size


def choose(leaving: LeavingTransitions, sources: Int32s, others: Int32s) -> int:
    """Writes the silent transitions; returns their number."""
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    size = 0
    for state in range(len(begins) - 2):
        for edge in range(begins[state], begins[state + 1]):
            if actions[edge] == silent:
                sources[size], others[size] = state, targets[edge]
                size += 1
    return size


def saturate(
    first: int,
    last: int,
    leaving: LeavingTransitions,
    stamps: Int64s,
    queue: Int32s,
    pairs: Int64s,
    weak: LeavingTransitions,
    counts: SaturationCounts,
) -> int:
    """Writes the weak transitions of states: any silent steps, or these before and after another one.

    Returns where it stopped for lack of room.
    """
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    places, labels, others = weak.begins, weak.actions, weak.targets
    for state in range(first, last):
        place = counts.size
        stamp = counts.stamp + 1
        stamps[state] = stamp
        queue[0] = state
        size, head, degree = 1, 0, 0
        while head < size:
            other = queue[head]
            head += 1
            if place >= len(labels):
                counts.stamp = stamp
                return state
            labels[place], others[place] = silent, other
            place += 1
            for edge in range(begins[other], begins[other + 1]):
                target = targets[edge]
                if actions[edge] != silent:
                    pairs[degree] = actions[edge] * PAIR + target
                    degree += 1
                elif stamps[target] != stamp:
                    stamps[target] = stamp
                    queue[size] = target
                    size += 1
        gap = 1
        while gap < degree // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for j in range(gap, degree):
                pair, hole = pairs[j], j
                while hole >= gap and pairs[hole - gap] > pair:
                    pairs[hole] = pairs[hole - gap]
                    hole -= gap
                pairs[hole] = pair
            gap //= 3
        j = 0
        while j < degree:
            action = pairs[j] // PAIR
            stamp += 1
            size = 0
            while j < degree and pairs[j] // PAIR == action:
                target = pairs[j] % PAIR
                if stamps[target] != stamp:
                    stamps[target] = stamp
                    queue[size] = target
                    size += 1
                j += 1
            head = 0
            while head < size:
                other = queue[head]
                head += 1
                if place >= len(labels):
                    counts.stamp = stamp
                    return state
                labels[place], others[place] = action, other
                place += 1
                for edge in range(begins[other], begins[other + 1]):
                    target = targets[edge]
                    if actions[edge] == silent and stamps[target] != stamp:
                        stamps[target] = stamp
                        queue[size] = target
                        size += 1
        counts.size, counts.stamp = place, stamp
        places[state + 1] = place
    return last


def levels(begins: Int64s, targets: Int32s, seen: Int32s, queue: Int32s, counts: Int64s) -> int:
    """Counts the states by their distance from the start, state 0; returns the number of distances."""
    queue[0] = 0
    seen[0] = 1
    size, first, level = 1, 0, 0
    while first < size:
        last = size
        counts[level] = last - first
        for i in range(first, last):
            state = queue[i]
            for edge in range(begins[state], begins[state + 1]):
                target = targets[edge]
                if seen[target] == 0:
                    seen[target] = 1
                    queue[size] = target
                    size += 1
        first = last
        level += 1
    return level


# ── the quotient ─────────────────────────────────────────────────────────────────────────────────


def representatives(block_of: Int32s, found: Int32s) -> None:
    """Writes the first state of each class, plus one."""
    for state in range(len(block_of)):
        if found[block_of[state]] == 0:
            found[block_of[state]] = state + 1


def quotient(
    start: int,
    leaving: LeavingTransitions,
    block_of: Int32s,
    firsts: Int32s,
    numbers: Int32s,
    queue: Int32s,
    pairs: Int64s,
    written: WrittenTransitions,
    counts: QuotientCounts,
) -> None:
    """Writes the transitions between classes that can be reached, in order of discovery; `numbers` is theirs plus one.

    The first state of a class has no silent step within it.
    """
    begins, actions, targets, silent = leaving.begins, leaving.actions, leaving.targets, leaving.silent
    sources, labels, others = written.sources, written.actions, written.targets
    numbers[block_of[start]] = 1
    queue[0] = block_of[start]
    count, size, head = 1, 0, 0
    while head < count:
        state = firsts[queue[head]] - 1
        degree = 0
        for edge in range(begins[state], begins[state + 1]):
            block = block_of[targets[edge]]
            if numbers[block] == 0:
                queue[count] = block
                count += 1
                numbers[block] = count
            if actions[edge] != silent or block != block_of[state]:
                pairs[degree] = (numbers[block] - 1) * PAIR + actions[edge]
                degree += 1
        gap = 1
        while gap < degree // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for j in range(gap, degree):
                pair, place = pairs[j], j
                while place >= gap and pairs[place - gap] > pair:
                    pairs[place] = pairs[place - gap]
                    place -= gap
                pairs[place] = pair
            gap //= 3
        for j in range(degree):
            if j == 0 or pairs[j] != pairs[j - 1]:
                sources[size], labels[size], others[size] = head, pairs[j] % PAIR, pairs[j] // PAIR
                size += 1
        head += 1
    counts.classes, counts.transitions = count, size


def led_to(begins: Int64s, targets: Int32s, found: Int32s) -> int:
    """Marks the start and the states with a transition from a state with a smaller number; returns their number."""
    found[0] = 1
    count = 1
    for state in range(len(begins) - 2):
        for edge in range(begins[state], begins[state + 1]):
            if targets[edge] > state and found[targets[edge]] == 0:
                found[targets[edge]] = 1
                count += 1
    return count


def classes(
    parts: Int32s, reached: Int32s, block_of: Int32s, numbers: Int32s, sizes: Int32s, firsts: Int32s, found: Int32s
) -> None:
    """Writes the class in the quotient of each state, or -1; and the size and the first state of each class.

    `parts` are the components of the states, where components were refined; `reached` has 1 for the states that have a
    class, and is empty if all have one.
    """
    for state in range(len(found)):
        part = parts[state] if len(parts) > 0 else state
        number = numbers[block_of[part]] - 1
        if len(reached) > 0 and reached[state] == 0:
            number = -1
        found[state] = number
        if number >= 0:
            if sizes[number] == 0:
                firsts[number] = state
            sizes[number] += 1


NATIVE = {
    **{name: fixpoint_kernels.NATIVE[name] for name in ("is_sorted", "count", "group", "narrow")},
    "relabel": with_types(relabel, actions=Int32s),
    "relabel_short": with_types(relabel, actions=UInt16s),
    "spread": spread,
    "sign": sign,
    "fill": fill,
    "refill": refill,
    "leaves": leaves,
    "release": release,
    "settle": settle,
    "partition": partition,
    "bottoms": bottoms,
    "note_clean": note_clean,
    "split": split,
    "mark": mark,
    "components": components,
    "carry": carry,
    "collapse": collapse,
    "choose": choose,
    "saturate": saturate,
    "representatives": representatives,
    "quotient": quotient,
    "levels": levels,
    "led_to": led_to,
    "classes": classes,
}
