"""Kernels of the array engine that explore the states, breadth first, and their entry points."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.application_kernels import (
    change,
    collect_effects,
    collect_parts,
    create_nodes,
    difference,
    event_of,
    is_new_event,
    put_part,
)
from pentad.grammar.arrays.candidate_kernels import FIRST, next_match
from pentad.grammar.arrays.constants import (
    Colours,
    Columns,
    Index,
    Int,
    Ints,
    Kept,
    Longs,
    Scratch,
    Tables,
    Words,
    World,
)
from pentad.grammar.arrays.difference_kernels import (
    compare_whole,
    differs,
    is_state,
    place_of,
    put_difference,
    read_whole,
    show,
    size_of,
    write_whole,
)
from pentad.grammar.arrays.index_kernels import add_item, has_node, has_own_edge, unload
from pentad.grammar.arrays.isomorphism_kernels import (
    OF,
    are_isomorphic,
    are_symmetric,
    colour,
    edge_sketch,
    form_by_change,
    form_by_images,
    sketch,
    sketch_with_place,
    sum_images,
)
from pentad.grammar.arrays.match_kernels import ENDED, search
from pentad.grammar.arrays.world_kernels import (
    edge_hash,
    fill_slots,
    fill_states,
    hash_of_graph,
    hash_with_place,
    node_hash,
    record_of,
)
from pentad.kernels.compiler import kernel
from pentad.kernels.polling import is_stopped

ONE, LOW, HIGH = np.uint64(1), np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)


# ── states ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def are_equal(graph: Ints, other: Ints, begin: Int, last: Int) -> bool:
    """Whether a graph is a part of an array, as both have their edges."""
    for i in range(last):  # noqa: SIM110 - kernels have no generators
        if other[begin + i] != graph[i]:
            return False
    return True


@kernel
def known_state(
    number: np.uint64, graph: Ints, last: Int, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> Int:  # fmt: skip
    """The number of a state, by its hash; -1 if it is not known, or ENDED."""
    mask = np.uint64(len(kept.slots) - 1)
    slot = number & mask
    while kept.slots[slot] != np.uint64(0):
        entry = kept.slots[slot]
        if (entry ^ number) & HIGH == np.uint64(0):
            state = np.int64(entry & LOW) - 1
            begin = kept.begins[state]
            if kept.data[begin] < 0:
                if kept.hashes[state] == number and size_of(state, kept) + 2 == last:
                    if read_whole(state, kept, index, scratch, colours, stats) < 0:
                        return np.int64(ENDED)
                    if are_equal(graph, scratch.other, 0, last):
                        return state
            elif kept.begins[state + 1] - begin == last and are_equal(graph, kept.data, begin, last):
                return state
        slot = (slot + ONE) & mask
    return np.int64(-1)


@kernel
def known_large_state(
    number: np.uint64, place: Int, nodes: Int, edges: Int, kept: Kept, index: Index, scratch: Scratch,
    colours: Colours, stats: Longs,
) -> Int:  # fmt: skip
    """The number of a state whose graph is the current one after a match, by its hash; -1 if it is not known."""
    mask = np.uint64(len(kept.slots) - 1)
    slot = number & mask
    while kept.slots[slot] != np.uint64(0):
        entry = kept.slots[slot]
        state = np.int64(entry & LOW) - 1
        if (
            (entry ^ number) & HIGH == np.uint64(0)
            and kept.hashes[state] == number
            and is_state(state, place, nodes, edges, kept, index, scratch, colours, stats)
        ):
            return state
        slot = (slot + ONE) & mask
    return np.int64(-1)


@kernel
def enter(number: np.uint64, count: Int, slots: Words) -> None:
    """Enters the last of some states into a table."""
    mask = np.uint64(len(slots) - 1)
    slot = number & mask
    while slots[slot] != np.uint64(0):
        slot = (slot + ONE) & mask
    slots[slot] = (number & HIGH) | np.uint64(count)


@kernel
def first_with(key: np.uint64, keys: Words, slots: Words) -> Int:
    """The first state in a table with a key; -1 if there is none."""
    mask = np.uint64(len(slots) - 1)
    slot = key & mask
    while slots[slot] != np.uint64(0):
        state = np.int64(slots[slot] & LOW) - 1
        if (slots[slot] ^ key) & HIGH == np.uint64(0) and keys[state] == key:
            return state
        slot = (slot + ONE) & mask
    return -1


@kernel
def is_isomorphic(
    state: Int, graph: Ints, last: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> Int:  # fmt: skip
    """Whether a state is isomorphic to a graph with the same form: 1 or 0; negative: a stop, or no room."""
    data, begin, end = kept.data, kept.begins[state], kept.begins[state + 1]
    if differs(state, kept):
        data, begin, end = scratch.other, np.int64(0), read_whole(state, kept, index, scratch, colours, stats)
        if end < 0:
            return np.int64(end)
    if stats[k.SYMMETRIES] > 0:
        return np.int64(are_symmetric(graph, 0, last, data, begin, end, world, colours, stats))
    return np.int64(are_isomorphic(graph, 0, last, data, begin, end, world, index, colours, stats))


@kernel
def isomorphic_state(
    form: np.uint64, graph: Ints, last: Int, world: World, kept: Kept, index: Index, scratch: Scratch,
    colours: Colours, stats: Longs,
) -> Int:  # fmt: skip
    """The number of an isomorphic state; -1 if there is none, or ENDED after a stop or if an array is too small."""
    mask = np.uint64(len(kept.form_slots) - 1)
    slot = form & mask
    while kept.form_slots[slot] != np.uint64(0):
        entry = kept.form_slots[slot]
        state = np.int64(entry & LOW) - 1
        if (entry ^ form) & HIGH == np.uint64(0) and kept.forms[state] == form:
            answer = is_isomorphic(state, graph, last, world, kept, index, scratch, colours, stats)
            if answer < 0:
                return ENDED
            if answer == 1:
                return state
        slot = (slot + ONE) & mask
    return -1


@kernel
def form_of_state(
    state: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours, stats: Longs
) -> np.uint64:
    """The form of a state, by colours; 0 if there is no room to read it."""
    if not differs(state, kept):
        begin, end = kept.begins[state], kept.begins[state + 1]
        return colour(kept.data, begin, end, world, index, OF, colours, stats) | ONE
    end = read_whole(state, kept, index, scratch, colours, stats)
    if end < 0:
        return np.uint64(0)
    return colour(scratch.other, 0, end, world, index, OF, colours, stats) | ONE


@kernel
def state_with_sketch(
    graph: Ints, last: Int, other: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> Int:  # fmt: skip
    """The number of a state isomorphic to a graph, whose sketch another state has; -1 if there is none, or ENDED.

    The form of the graph is written into `totals`.
    """
    if kept.forms[other] == np.uint64(0):
        form = form_of_state(other, world, kept, index, scratch, colours, stats)
        if form == np.uint64(0):
            return np.int64(ENDED)
        kept.forms[other] = form
        enter(form, other + 1, kept.form_slots)
    form = colour(graph, 0, last, world, index, OF, colours, stats) | ONE
    index.totals[k.FORM] = form
    return isomorphic_state(form, graph, last, world, kept, index, scratch, colours, stats)


@kernel
def has_room_for_state(kept: Kept, stats: Longs) -> bool:
    """Whether there is room for the numbers of another state."""
    count = stats[k.COUNT]
    if count + 2 > len(kept.begins) or 5 * (count + 1) > 3 * len(kept.slots):
        stats[k.NEEDS] = k.SLOTS
        return False
    return True


@kernel
def enter_state(number: np.uint64, mark: np.uint64, form: np.uint64, end: Int, kept: Kept, stats: Longs) -> Int:
    """Enters a state, stored up to an end, into the tables; returns its number."""
    count = stats[k.COUNT]
    kept.hashes[count] = number
    stats[k.COUNT], stats[k.KEPT_END], kept.begins[count + 1] = count + 1, end, end
    enter(number, count + 1, kept.slots)
    if stats[k.ISOMORPHIC] != 0:
        is_first = form == np.uint64(0)  # only the first state with a sketch is entered by it
        kept.sketches[count], kept.forms[count] = mark if is_first else np.uint64(0), form
        enter(mark if is_first else form, count + 1, kept.form_slots)
    return np.int64(count)


@kernel
def state_of(
    graph: Ints, last: Int, source: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs, adds: bool,
) -> Int:  # fmt: skip
    """The number of a state; if it is not known it is added, or -1. ENDED after a stop or if an array is too small.

    If there are symmetries, a graph that is made from that of a state, the current one, differs from it by `changed`.
    """
    number = hash_of_graph(graph, 0, last)
    state = known_state(number, graph, last, kept, index, scratch, colours, stats)
    if state >= 0 or state == ENDED:
        return state
    mark, form = np.uint64(0), np.uint64(0)
    if stats[k.SYMMETRIES] > 0:
        if source < 0:
            form = form_by_images(graph, 0, last, world, colours, stats)
        else:
            sum_images(source, kept, world, colours, stats)
            form = form_by_change(graph[0], scratch.changed, stats[k.CHANGED_EDGES], world, index, colours, stats)
        state = isomorphic_state(form, graph, last, world, kept, index, scratch, colours, stats)
        if state >= 0 or state == ENDED:
            return state
    elif stats[k.ISOMORPHIC] != 0:
        mark = sketch(graph, 0, last, world)
        other = first_with(mark, kept.sketches, kept.form_slots)
        if other >= 0:
            state = state_with_sketch(graph, last, other, world, kept, index, scratch, colours, stats)
            if state >= 0 or state == ENDED:
                return state
            form = index.totals[k.FORM]
    if not adds:
        return np.int64(-1)
    begin = stats[k.KEPT_END]
    if begin + last > len(kept.data):
        stats[k.NEEDS] = k.KEPT
        return np.int64(ENDED)
    if not has_room_for_state(kept, stats):
        return np.int64(ENDED)
    for i in range(last):
        kept.data[begin + i] = graph[i]
    return enter_state(number, mark, form, begin + last, kept, stats)


# ── the state after a match ──────────────────────────────────────────────────────────────────────


@kernel
def large_change(
    rule: Int, parts: Int, place: Int, tables: Tables, world: World, index: Index, scratch: Scratch,
    colours: Colours, stats: Longs,
) -> bool:  # fmt: skip
    """Writes how the graph after a match differs from the current one; whether there is room."""
    if tables.rules[rule, k.MERGES] == 0:
        if collect_effects(rule, parts, tables, world, scratch, stats) < 0:
            return False
        return difference(rule, parts, tables, world, index, scratch, stats)
    stats[k.CHANGED_EDGES] = stats[k.CHANGED_NODES] = 0
    last = write_whole(place, index, scratch, colours, stats, scratch.other)
    if last < 0:
        return False
    end = change(rule, parts, place, scratch.other, 0, last, tables, world, index, scratch, stats)
    if end < 0:
        return False
    return compare_whole(scratch.other, 0, last, end, scratch, stats)


@kernel
def large_state_after(
    rule: Int, parts: Int, place: Int, source: Int, tables: Tables, world: World, kept: Kept, index: Index,
    scratch: Scratch, colours: Colours, stats: Longs,
) -> Int:  # fmt: skip
    """The number of the state after a match in a large state, or ENDED."""
    if not large_change(rule, parts, place, tables, world, index, scratch, colours, stats):
        return np.int64(ENDED)
    changed, changed_edges = scratch.changed, stats[k.CHANGED_EDGES]
    total, sketched = index.totals[k.TOTAL], index.totals[k.SKETCHED]
    nodes, edges = stats[k.LISTED] - stats[k.FIXED_NODES], stats[k.OWN_EDGES]
    by_sketch = stats[k.ISOMORPHIC] != 0 and stats[k.SYMMETRIES] == 0
    for at in range(changed_edges):
        if has_own_edge(changed[at], index, stats):
            total -= edge_hash(changed[at])
            sketched -= edge_sketch(changed[at], world) if by_sketch else np.uint64(0)
            edges -= 1
        else:
            total += edge_hash(changed[at])
            sketched += edge_sketch(changed[at], world) if by_sketch else np.uint64(0)
            edges += 1
    for at in range(changed_edges, changed_edges + stats[k.CHANGED_NODES]):
        if has_node(changed[at], index, stats):
            total -= node_hash(changed[at])
            nodes -= 1
        else:
            total += node_hash(changed[at])
            nodes += 1
    number = hash_with_place(total, place, nodes)
    state = known_large_state(number, place, nodes, edges, kept, index, scratch, colours, stats)
    if state >= 0:
        return state
    mark, form, last = np.uint64(0), np.uint64(0), np.int64(0)
    if stats[k.SYMMETRIES] > 0:
        form = form_by_change(place, changed, changed_edges, world, index, colours, stats)
        if first_with(form, kept.forms, kept.form_slots) >= 0:
            last = write_whole(place, index, scratch, colours, stats, scratch.out)
            if last < 0:
                return np.int64(ENDED)
            state = isomorphic_state(form, scratch.out, last, world, kept, index, scratch, colours, stats)
    elif stats[k.ISOMORPHIC] != 0:
        mark = sketch_with_place(sketched, place, nodes, edges)
        other = first_with(mark, kept.sketches, kept.form_slots)
        if other >= 0:
            last = write_whole(place, index, scratch, colours, stats, scratch.out)
            if last < 0:
                return np.int64(ENDED)
            state = state_with_sketch(scratch.out, last, other, world, kept, index, scratch, colours, stats)
            form = index.totals[k.FORM]
    if state >= 0 or state == ENDED:
        return state
    if not has_room_for_state(kept, stats):
        return np.int64(ENDED)
    end = put_difference(number, place, source, nodes, edges, kept, index, scratch, colours, stats)
    if end < 0:
        return np.int64(ENDED)
    return enter_state(number, mark, form, end, kept, stats)


# ── exploration ──────────────────────────────────────────────────────────────────────────────────


@kernel
def label_of(rule: Int, size: Int, tables: Tables, world: World, scratch: Scratch, stats: Longs) -> Int:
    """The number of the label of a match whose images are in the first part; -1: no room."""
    scratch.key[size] = -1 - rule
    end = size + 1
    if tables.rules[rule, k.SHOWS] != 0:
        listed = tables.rules[rule, k.PARAMETERS]
        for i in range(listed + 1, listed + 1 + tables.lists[listed]):
            scratch.key[end] = scratch.parts[k.IMAGES + tables.lists[i]]
            end += 1
    record = record_of(world, scratch.key, size, end - size, stats)
    if record < 0:
        return record
    if world.records[record + k.RECORD_VALUE] == 0:
        stats[k.LABELS] += 1
        world.records[record + k.RECORD_VALUE] = stats[k.LABELS]
    return np.int64(world.records[record + k.RECORD_VALUE]) - 1


@kernel
def number_values(
    rule: Int, by_candidates: bool, tables: Tables, world: World, index: Index, scratch: Scratch, stats: Longs
) -> Int:
    """Gives numbers to the values that all matches compute, those of the outermost level first; 0 or ENDED."""
    plan = np.int64(tables.rules[rule, k.VALUES])
    if by_candidates:
        at = next_match(rule, FIRST, tables, world, index, scratch, stats)
        while at >= 0:
            at = next_match(rule, at, tables, world, index, scratch, stats)
    else:
        at = search(plan, True, tables, world, index, scratch, stats)
        while at >= 0:
            at = search(at, False, tables, world, index, scratch, stats)
    if at == ENDED:
        return ENDED
    if tables.rules[rule, k.VALUES_WITHIN] == 0:
        return 0
    at = search(plan, True, tables, world, index, scratch, stats)
    while at >= 0:
        parts = collect_parts(rule, tables, world, index, scratch, stats)
        if parts == ENDED:
            return ENDED
        if parts > 0 and tables.rules[rule, k.MATTERS] == 0:
            return 0
        for variable in range(tables.rules[rule, k.VARIABLES]):
            scratch.found[variable] = scratch.parts[k.IMAGES + variable]
        at = search(at, False, tables, world, index, scratch, stats)
    return ENDED if at == ENDED else 0


@kernel
def fire(
    call: Int, source: Int, is_loop: bool, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch,
    colours: Colours, columns: Columns, stats: Longs,
) -> Int:  # fmt: skip
    """Adds the transitions of a state by a call; returns their number, or ENDED."""
    rule, place = tables.calls[call, k.RULE_OF], tables.calls[call, k.AFTER]
    level, variables, found = tables.rules[rule, k.LEVELS], tables.rules[rule, k.VARIABLES], 0
    stats[k.EVENTS_STAMP] += 1
    stats[k.EVENTS_END] = stats[k.ENDS_TOP] = 0
    is_large = stats[k.CURRENT] > 0
    by_candidates = is_large and tables.rules[rule, k.ROOT] >= 0
    if (
        tables.rules[rule, k.VALUES] >= 0
        and number_values(rule, by_candidates, tables, world, index, scratch, stats) == ENDED
    ):
        return ENDED
    stats[k.ENDS_TOP] = 0
    if by_candidates:
        at = next_match(rule, FIRST, tables, world, index, scratch, stats)
    else:
        at = search(np.int64(tables.levels[level, k.PLAN]), True, tables, world, index, scratch, stats)
    while at >= 0:
        if tables.rules[rule, k.IS_ALONE] != 0:
            parts = 1 if put_part(level, -1, 0, variables, scratch, stats) else ENDED
        else:
            parts = collect_parts(rule, tables, world, index, scratch, stats)
        if parts == ENDED:
            return ENDED
        if parts > 0:
            size = event_of(rule, parts, tables, scratch, stats)
            is_new = is_new_event(size, scratch, stats) if size >= 0 else -1
            if is_new < 0:
                return ENDED
            if is_new == 1:
                target = source
                if not is_loop:
                    if not create_nodes(rule, parts, size, tables, world, index, scratch, stats):
                        return ENDED
                    if is_large:
                        target = large_state_after(
                            rule, parts, place, source, tables, world, kept, index, scratch, colours, stats
                        )
                    else:
                        begin, end = kept.begins[source], kept.begins[source + 1]
                        last = change(rule, parts, place, kept.data, begin, end, tables, world, index, scratch, stats)
                        if last < 0:
                            return ENDED
                        if stats[k.SYMMETRIES] > 0 and not difference(
                            rule, parts, tables, world, index, scratch, stats
                        ):
                            return ENDED
                        target = state_of(scratch.out, last, source, world, kept, index, scratch, colours, stats, True)
                    if target == ENDED:
                        return ENDED
                label = label_of(rule, size, tables, world, scratch, stats)
                if label < 0:
                    return ENDED
                if stats[k.WHOLE] != 0:
                    new = stats[k.NEW_TRANSITIONS]
                    if new == len(columns.transitions):
                        stats[k.NEEDS] = k.COLUMNS
                        return ENDED
                    rows = columns.transitions
                    rows[new, k.SOURCE], rows[new, k.LABEL], rows[new, k.TARGET] = source, label, target
                    stats[k.NEW_TRANSITIONS] = new + 1
                stats[k.TRANSITIONS] += 1
                found += 1
                if tables.rules[rule, k.MATTERS] == 0:
                    break
            if tables.rules[rule, k.IS_ALONE] == 0:  # the search goes on from the images of the outermost level
                for variable in range(variables):
                    scratch.found[variable] = scratch.parts[k.IMAGES + variable]
        if by_candidates:
            at = next_match(rule, at, tables, world, index, scratch, stats)
        else:
            at = search(at, False, tables, world, index, scratch, stats)
    return ENDED if at == ENDED else found


@kernel
def expand(
    state: Int, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    columns: Columns, stats: Longs,
) -> Int:  # fmt: skip
    """Adds the transitions of a state; returns 1, or ENDED after a stop or if an array is too small."""
    if not show(state, tables, world, kept, index, scratch, colours, stats):
        return ENDED
    place, named, is_over = place_of(state, kept), False, False
    for call in range(tables.loops, len(tables.calls)):
        found = fire(call, state, True, tables, world, kept, index, scratch, colours, columns, stats)
        if found == ENDED:
            return ENDED
        named = named or (found > 0 and tables.calls[call, k.ACTION] == stats[k.NAME])
        breaks = tables.calls[call, k.BREAKS]
        if breaks != k.GOES_ON and (found > 0) == (breaks > 0):
            columns.others[stats[k.NEW_BROKEN], k.BROKEN_IN] = state
            columns.others[stats[k.NEW_BROKEN], k.BROKEN] = call - tables.loops
            stats[k.NEW_BROKEN] += 1
            is_over = is_over or abs(breaks) == k.IS_OVER
    while not is_over and tables.places[place, k.KIND] == k.TRIAL:
        applied = False
        for call in range(tables.places[place, k.FIRST], tables.places[place + 1, k.FIRST]):
            found = fire(call, state, False, tables, world, kept, index, scratch, colours, columns, stats)
            if found == ENDED:
                return ENDED
            applied = applied or found > 0
            named = named or (found > 0 and tables.calls[call, k.ACTION] == stats[k.NAME])
        place = np.int64(tables.places[place, k.SUCCESS] if applied else tables.places[place, k.FAILURE])
    is_final, accept = not is_over and tables.places[place, k.KIND] == k.FINAL, stats[k.ACCEPT]
    accepted = (accept == k.FINAL_ONES and is_final) or (accept == k.WITH and named)
    accepted = accepted or (accept == k.WITHOUT and not named)
    accepted = accepted or (
        accept == k.BROKEN_ONES
        and stats[k.NEW_BROKEN] > 0
        and columns.others[stats[k.NEW_BROKEN] - 1, k.BROKEN_IN] == state
    )
    if is_final:
        columns.others[stats[k.NEW_FINALS], k.FINAL_ONE] = state
        stats[k.NEW_FINALS] += 1
        stats[k.FINALS] += 1
    if accepted:
        columns.others[stats[k.NEW_RESULTS], k.RESULT] = state
        stats[k.NEW_RESULTS] += 1
        stats[k.ACCEPTED] += 1
    return 1


@kernel
def explore(
    tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours, columns: Columns,
    stats: Longs,
) -> Int:  # fmt: skip
    """Explores until no states are left, or something else ends it; returns what."""
    properties = len(tables.calls) - tables.loops
    while True:
        state = stats[k.EXPANDED]
        if state == stats[k.COUNT]:
            return k.DONE
        if stats[k.MOST_RESULTS] > 0 and stats[k.ACCEPTED] >= stats[k.MOST_RESULTS]:
            return k.RESULTS
        if stats[k.COUNT] >= stats[k.MOST_STATES] and stats[k.IS_AGAIN] == 0:
            return k.STATES
        new = stats[k.NEW_TRANSITIONS]
        fullest = max(stats[k.NEW_FINALS], stats[k.NEW_RESULTS], stats[k.NEW_LEVELS], stats[k.NEW_BROKEN] + properties)
        if fullest >= len(columns.others) or is_stopped(stats):
            return k.FETCH if stats[k.STOP] == 0 else k.STOPPED
        if state == stats[k.LEVEL_END]:
            columns.others[stats[k.NEW_LEVELS], k.LEVEL_BEGIN] = state
            stats[k.NEW_LEVELS] += 1
            stats[k.LEVEL] += 1
            stats[k.LEVEL_END] = stats[k.COUNT]
        if stats[k.LEVEL] > stats[k.MOST_LEVEL]:
            return k.DEPTH
        count, transitions, broken = stats[k.COUNT], stats[k.TRANSITIONS], stats[k.NEW_BROKEN]
        stats[k.NEEDS] = -1
        answer = expand(state, tables, world, kept, index, scratch, colours, columns, stats)
        if answer == ENDED or stats[k.CURRENT] == 0:
            unload(index, stats)
        if answer == ENDED:  # the state is expanded again in the next call
            stats[k.NEW_TRANSITIONS], stats[k.TRANSITIONS], stats[k.NEW_BROKEN] = new, transitions, broken
            if stats[k.STOP] != 0:
                stats[k.COUNT] = count
                return k.STOPPED
            stats[k.IS_AGAIN] = 1
            return k.FETCH if stats[k.NEEDS] == k.COLUMNS and new > 0 else k.GROW
        stats[k.EXPANDED], stats[k.IS_AGAIN] = state + 1, 0


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def explore_states(
    code: Ints, lists: Ints, rules: Ints, levels: Ints, places: Ints, calls: Ints, loops: Int, paths: Ints,
    moves: Ints, fixed_labels: Ints, trigger_begins: Ints, triggers: Ints, ways: Ints, edges: Ints, edge_slots: Ints,
    nodes: Longs, node_slots: Ints, constants: Longs, records: Ints, record_slots: Ints, made: Ints, data: Ints,
    begins: Longs, hashes: Words, sketches: Words, forms: Words, slots: Words, form_slots: Words, items: Ints,
    heads: Ints, label_heads: Ints, edge_marks: Ints, listed: Ints, backs: Ints, label_lasts: Ints, edge_items: Ints,
    totals: Words, found: Ints, iterators: Longs, stack: Longs, ends: Ints, walked: Ints, parts: Ints,
    event_keys: Ints, event_slots: Longs, key: Ints, deleted: Longs, deleted_nodes: Longs, created: Ints, out: Ints,
    other: Ints, changed: Ints, moved: Ints, candidates: Ints, near: Ints, hues: Words, rows: Ints, used: Longs,
    colour_marks: Longs, links: Ints, distinct: Words, images: Ints, sums: Words, transitions: Ints, others: Longs,
    stats: Longs,
) -> Int:  # fmt: skip
    """Explores, with the elements of all tuples in their order."""
    tables = Tables(
        code, lists, rules, levels, places, calls, loops, paths, moves, fixed_labels, trigger_begins, triggers, ways
    )
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    kept = Kept(data, begins, hashes, sketches, forms, slots, form_slots)
    index = Index(items, heads, label_heads, edge_marks, listed, backs, label_lasts, edge_items, totals)
    scratch = Scratch(
        found, iterators, stack, ends, walked, parts, event_keys, event_slots, key, deleted, deleted_nodes, created,
        out, other, changed, moved, candidates, near,
    )  # fmt: skip
    colours = Colours(hues, rows, used, colour_marks, links, distinct, images, sums)
    end = explore(tables, world, kept, index, scratch, colours, Columns(transitions, others), stats)
    unload(index, stats)
    return end


@kernel
def find_state(
    edges: Ints, edge_slots: Ints, nodes: Longs, node_slots: Ints, constants: Longs, records: Ints, record_slots: Ints,
    made: Ints, data: Ints, begins: Longs, hashes: Words, sketches: Words, forms: Words, slots: Words,
    form_slots: Words, items: Ints, heads: Ints, label_heads: Ints, edge_marks: Ints, listed: Ints, backs: Ints,
    label_lasts: Ints, edge_items: Ints, totals: Words, found: Ints, iterators: Longs, stack: Longs, ends: Ints,
    walked: Ints, parts: Ints, event_keys: Ints, event_slots: Longs, key: Ints, deleted: Longs, deleted_nodes: Longs,
    created: Ints, out: Ints, other: Ints, changed: Ints, moved: Ints, candidates: Ints, near: Ints, hues: Words,
    rows: Ints, used: Longs, colour_marks: Longs, links: Ints, distinct: Words, images: Ints, sums: Words, graph: Ints,
    adds: Int, stats: Longs,
) -> Int:  # fmt: skip
    """The number of a state that is equal to a graph, or isomorphic; if there is none it is added, or -1."""
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    kept = Kept(data, begins, hashes, sketches, forms, slots, form_slots)
    index = Index(items, heads, label_heads, edge_marks, listed, backs, label_lasts, edge_items, totals)
    scratch = Scratch(
        found, iterators, stack, ends, walked, parts, event_keys, event_slots, key, deleted, deleted_nodes, created,
        out, other, changed, moved, candidates, near,
    )  # fmt: skip
    colours = Colours(hues, rows, used, colour_marks, links, distinct, images, sums)
    stats[k.STAMP] += 1  # there is no current graph
    return state_of(graph, len(graph), np.int64(-1), world, kept, index, scratch, colours, stats, adds != 0)


@kernel
def fill_world(
    edges: Ints, edge_slots: Ints, nodes: Longs, node_slots: Ints, constants: Longs, records: Ints, record_slots: Ints,
    made: Ints, stats: Longs,
) -> None:  # fmt: skip
    """Enters everything into empty hash tables."""
    fill_slots(World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made), stats)


@kernel
def put_fixed(
    fixed: Ints, edges: Ints, edge_slots: Ints, nodes: Longs, node_slots: Ints, constants: Longs, records: Ints,
    record_slots: Ints, made: Ints, items: Ints, heads: Ints, label_heads: Ints, edge_marks: Ints, listed: Ints,
    backs: Ints, label_lasts: Ints, edge_items: Ints, totals: Words,
) -> None:  # fmt: skip
    """Puts the fixed edges, sorted, into the lists of empty arrays."""
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    index = Index(items, heads, label_heads, edge_marks, listed, backs, label_lasts, edge_items, totals)
    for at in range(len(fixed) - 1, -1, -1):
        add_item(at + 1, fixed[at], 1, world, index)
        index.edge_marks[fixed[at]] = -1


_TABLES = (
    "int32[,8] int32[] int32[,11] int32[,10] int32[,4] int32[,4] int64 int32[,3] int32[,2] int32[] int32[] int32[,4] "
    "int32[,2]"
)
_WORLD = "int32[,3] int32[] int64[,2] int32[] int64[,3] int32[] int32[] int32[,2]"
_KEPT = "int32[] int64[] uint64[] uint64[] uint64[] uint64[] uint64[]"
_INDEX = "int32[,8] int32[,8] int32[] int32[] int32[] int32[,3] int32[] int32[] uint64[]"
_SCRATCH = (
    "int32[] int64[,4] int64[] int32[] int32[,3] int32[] int32[] int64[,2] int32[] int64[] int64[] int32[,2] int32[] "
    "int32[] int32[] int32[] int32[] int32[]"
)
_COLOURS = "uint64[,3] int32[,8] int64[] int64[] int32[,5] uint64[] int32[] uint64[]"
_COLUMNS = "int32[,3] int64[,5]"

NATIVE: dict[str, tuple[Any, str]] = {
    "explore": (explore_states, f"{_TABLES} {_WORLD} {_KEPT} {_INDEX} {_SCRATCH} {_COLOURS} {_COLUMNS} int64[]"),
    "find": (find_state, f"{_WORLD} {_KEPT} {_INDEX} {_SCRATCH} {_COLOURS} int32[] int64 int64[]"),
    "fill_world": (fill_world, f"{_WORLD} int64[]"),
    "fill_states": (fill_states, "uint64[] int64 uint64[]"),
    "fixed": (put_fixed, f"int32[] {_WORLD} {_INDEX}"),
}
