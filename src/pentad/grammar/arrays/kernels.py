"""Kernels of the array engine that explore the states, breadth first, and their entry points."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.application_kernels import (
    change,
    collect_parts,
    create_nodes,
    event_of,
    is_new_event,
    put_part,
)
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
from pentad.grammar.arrays.isomorphism_kernels import (
    OF,
    are_isomorphic,
    are_symmetric,
    colour,
    form_by_images,
    sketch,
)
from pentad.grammar.arrays.match_kernels import ENDED, search
from pentad.grammar.arrays.world_kernels import (
    fill_slots,
    fill_states,
    hash_of_graph,
    record_of,
)
from pentad.jit.compiler import kernel
from pentad.jit.polling import is_stopped

ONE, LOW, HIGH = np.uint64(1), np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)


# ── the current graph ────────────────────────────────────────────────────────────────────────────


@kernel
def add_item(item: Int, edge: Int, is_fixed: Int, world: World, index: Index) -> None:
    """Puts an edge in front of the lists of its ends and of its label."""
    items, heads, edges = index.items, index.heads, world.edges
    source, label, target = edges[edge, k.SOURCE], edges[edge, k.LABEL], edges[edge, k.TARGET]
    out = k.OUT_FIXED if is_fixed else k.OUT_OTHER
    items[item, k.NUMBER], items[item, k.ITEM_SOURCE] = edge, source
    items[item, k.ITEM_LABEL], items[item, k.ITEM_TARGET] = label, target
    items[item, k.NEXT_OUT], items[item, k.NEXT_INTO] = heads[source, out], heads[target, out + 1]
    items[item, k.NEXT_LABEL] = index.label_heads[label]
    heads[source, out] = heads[target, out + 1] = index.label_heads[label] = item


@kernel
def load(graph: Ints, first: Int, last: Int, world: World, index: Index, stats: Longs) -> bool:
    """Makes a graph the current one; whether there is room for it."""
    nodes = graph[first + 1]
    edges = first + 2 + nodes
    if stats[k.FIXED_ITEMS] + last - edges + 1 > len(index.items):
        stats[k.NEEDS] = k.ITEMS
        return False
    stats[k.STAMP] += 1
    stamp = stats[k.STAMP]
    stats[k.LISTED] = stats[k.FIXED_NODES] + nodes
    for at in range(nodes):
        node = graph[first + 2 + at]
        index.listed[stats[k.FIXED_NODES] + at] = node
        index.heads[node, k.NODE_MARK] = stamp
    stats[k.ITEM_END] = stats[k.FIXED_ITEMS] + last - edges + 1
    for at in range(last - 1, edges - 1, -1):
        index.edge_marks[graph[at]] = stamp
        add_item(stats[k.FIXED_ITEMS] + 1 + at - edges, graph[at], 0, world, index)
    return True


@kernel
def unload(index: Index, stats: Longs) -> None:
    """Empties the lists of the current graph."""
    for item in range(stats[k.FIXED_ITEMS] + 1, stats[k.ITEM_END]):
        index.heads[index.items[item, k.ITEM_SOURCE], k.OUT_OTHER] = 0
        index.heads[index.items[item, k.ITEM_TARGET], k.INTO_OTHER] = 0
        index.label_heads[index.items[item, k.ITEM_LABEL]] = 0
    stats[k.ITEM_END] = 0


# ── states ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def known_state(number: np.uint64, graph: Ints, last: Int, kept: Kept) -> Int:
    """The number of a state, by its hash; -1 if it is not known."""
    mask = np.uint64(len(kept.slots) - 1)
    slot = number & mask
    while kept.slots[slot] != np.uint64(0):
        entry = kept.slots[slot]
        if (entry ^ number) & HIGH == np.uint64(0):
            state = np.int64(entry & LOW) - 1
            begin = kept.begins[state]
            if kept.begins[state + 1] - begin == last:
                is_equal = True
                for i in range(last):
                    if kept.data[begin + i] != graph[i]:
                        is_equal = False
                        break
                if is_equal:
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
def isomorphic_state(
    form: np.uint64, graph: Ints, last: Int, world: World, kept: Kept, index: Index, colours: Colours, stats: Longs
) -> Int:
    """The number of an isomorphic state; -1 if there is none, or ENDED after a stop."""
    mask = np.uint64(len(kept.form_slots) - 1)
    slot = form & mask
    while kept.form_slots[slot] != np.uint64(0):
        entry = kept.form_slots[slot]
        state = np.int64(entry & LOW) - 1
        if (entry ^ form) & HIGH == np.uint64(0) and kept.forms[state] == form:
            begin, end = kept.begins[state], kept.begins[state + 1]
            if stats[k.SYMMETRIES] > 0:
                answer = are_symmetric(graph, 0, last, kept.data, begin, end, world, colours, stats)
            else:
                answer = are_isomorphic(graph, 0, last, kept.data, begin, end, world, index, colours, stats)
            if answer < 0:
                return ENDED
            if answer == 1:
                return state
        slot = (slot + ONE) & mask
    return -1


@kernel
def state_of(
    graph: Ints, last: Int, world: World, kept: Kept, index: Index, colours: Colours, stats: Longs, adds: bool
) -> Int:
    """The number of a state; if it is not known it is added, or -1. ENDED after a stop or if an array is too small."""
    number = hash_of_graph(graph, 0, last)
    state = known_state(number, graph, last, kept)
    if state >= 0:
        return state
    mark, form = np.uint64(0), np.uint64(0)
    if stats[k.SYMMETRIES] > 0:
        form = form_by_images(graph, 0, last, world, colours, stats) | ONE
        state = isomorphic_state(form, graph, last, world, kept, index, colours, stats)
        if state >= 0:
            return state
    elif stats[k.ISOMORPHIC] != 0:
        mark = sketch(graph, 0, last, world)
        other = first_with(mark, kept.sketches, kept.form_slots)
        if other >= 0:
            if kept.forms[other] == np.uint64(0):
                begin, end = kept.begins[other], kept.begins[other + 1]
                kept.forms[other] = colour(kept.data, begin, end, world, index, OF, colours, stats) | ONE
                enter(kept.forms[other], other + 1, kept.form_slots)
            form = colour(graph, 0, last, world, index, OF, colours, stats) | ONE
            state = isomorphic_state(form, graph, last, world, kept, index, colours, stats)
            if state >= 0 or state == ENDED:
                return state
    if not adds:
        return np.int64(-1)
    count, begin = stats[k.COUNT], stats[k.KEPT_END]
    if begin + last > len(kept.data):
        stats[k.NEEDS] = k.KEPT
        return np.int64(ENDED)
    if count + 2 > len(kept.begins) or 5 * (count + 1) > 3 * len(kept.slots):
        stats[k.NEEDS] = k.SLOTS
        return np.int64(ENDED)
    for i in range(last):
        kept.data[begin + i] = graph[i]
    kept.hashes[count] = number
    stats[k.COUNT], stats[k.KEPT_END], kept.begins[count + 1] = count + 1, begin + last, begin + last
    enter(number, count + 1, kept.slots)
    if stats[k.ISOMORPHIC] != 0:
        is_first = form == np.uint64(0)  # only the first state with a sketch is entered by it
        kept.sketches[count], kept.forms[count] = mark if is_first else np.uint64(0), form
        enter(mark if is_first else form, count + 1, kept.form_slots)
    return np.int64(count)


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
def fire(
    call: Int, source: Int, is_loop: bool, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch,
    colours: Colours, columns: Columns, stats: Longs,
) -> Int:  # fmt: skip
    """Adds the transitions of a state by a call; returns their number, or ENDED."""
    rule, place = tables.calls[call, k.RULE_OF], tables.calls[call, k.AFTER]
    level, variables = tables.rules[rule, k.LEVELS], tables.rules[rule, k.VARIABLES]
    begin, end, found = kept.begins[source], kept.begins[source + 1], 0
    stats[k.EVENTS_STAMP] += 1
    stats[k.EVENTS_END] = stats[k.ENDS_TOP] = 0
    at = search(tables.levels[level, k.PLAN], True, tables, world, index, scratch, stats)
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
                    last = change(rule, parts, place, kept.data, begin, end, tables, world, index, scratch, stats)
                    if last < 0:
                        return ENDED
                    target = state_of(scratch.out, last, world, kept, index, colours, stats, True)
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
        at = search(at, False, tables, world, index, scratch, stats)
    return ENDED if at == ENDED else found


@kernel
def expand(
    state: Int, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    columns: Columns, stats: Longs,
) -> Int:  # fmt: skip
    """Adds the transitions of a state; returns 1, or ENDED after a stop or if an array is too small."""
    if not load(kept.data, kept.begins[state], kept.begins[state + 1], world, index, stats):
        return ENDED
    place, named, is_over = np.int64(kept.data[kept.begins[state]]), False, False
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
    moves: Ints, fixed_labels: Ints, edges: Ints, edge_slots: Ints, nodes: Longs, node_slots: Ints, constants: Longs,
    records: Ints, record_slots: Ints, made: Ints, data: Ints, begins: Longs, hashes: Words, sketches: Words,
    forms: Words, slots: Words, form_slots: Words, items: Ints, heads: Ints, label_heads: Ints, edge_marks: Ints,
    listed: Ints, found: Ints, iterators: Longs, stack: Longs, ends: Ints, walked: Ints, parts: Ints, event_keys: Ints,
    event_slots: Longs, key: Ints, deleted: Longs, deleted_nodes: Longs, created: Ints, out: Ints, hues: Words,
    rows: Ints, used: Longs, colour_marks: Longs, links: Ints, distinct: Words, images: Ints, sums: Words,
    transitions: Ints, others: Longs,
    stats: Longs,
) -> Int:  # fmt: skip
    """Explores, with the elements of all tuples in their order."""
    tables = Tables(code, lists, rules, levels, places, calls, loops, paths, moves, fixed_labels)
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    kept = Kept(data, begins, hashes, sketches, forms, slots, form_slots)
    index = Index(items, heads, label_heads, edge_marks, listed)
    scratch = Scratch(
        found, iterators, stack, ends, walked, parts, event_keys, event_slots, key, deleted, deleted_nodes, created, out
    )
    colours = Colours(hues, rows, used, colour_marks, links, distinct, images, sums)
    return explore(tables, world, kept, index, scratch, colours, Columns(transitions, others), stats)


@kernel
def find_state(
    edges: Ints, edge_slots: Ints, nodes: Longs, node_slots: Ints, constants: Longs, records: Ints, record_slots: Ints,
    made: Ints, data: Ints, begins: Longs, hashes: Words, sketches: Words, forms: Words, slots: Words,
    form_slots: Words, items: Ints, heads: Ints, label_heads: Ints, edge_marks: Ints, listed: Ints, hues: Words,
    rows: Ints, used: Longs,
    colour_marks: Longs, links: Ints, distinct: Words, images: Ints, sums: Words, graph: Ints, adds: Int,
    stats: Longs,
) -> Int:  # fmt: skip
    """The number of a state that is equal to a graph, or isomorphic; if there is none it is added, or -1."""
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    kept = Kept(data, begins, hashes, sketches, forms, slots, form_slots)
    index = Index(items, heads, label_heads, edge_marks, listed)
    colours = Colours(hues, rows, used, colour_marks, links, distinct, images, sums)
    return state_of(graph, len(graph), world, kept, index, colours, stats, adds != 0)


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
) -> None:  # fmt: skip
    """Puts the fixed edges, sorted, into the lists of empty arrays."""
    world = World(edges, edge_slots, nodes, node_slots, constants, records, record_slots, made)
    index = Index(items, heads, label_heads, edge_marks, listed)
    for at in range(len(fixed) - 1, -1, -1):
        add_item(at + 1, fixed[at], 1, world, index)
        index.edge_marks[fixed[at]] = -1


_TABLES = "int32[,8] int32[] int32[,8] int32[,10] int32[,4] int32[,4] int64 int32[,3] int32[,2] int32[]"
_WORLD = "int32[,3] int32[] int64[,2] int32[] int64[,3] int32[] int32[] int32[,2]"
_KEPT = "int32[] int64[] uint64[] uint64[] uint64[] uint64[] uint64[]"
_INDEX = "int32[,8] int32[,6] int32[] int32[] int32[]"
_SCRATCH = (
    "int32[] int64[,4] int64[] int32[] int32[,3] int32[] int32[] int64[,2] int32[] int64[] int64[] int32[,2] int32[]"
)
_COLOURS = "uint64[,3] int32[,8] int64[] int64[] int32[,5] uint64[] int32[] uint64[]"
_COLUMNS = "int32[,3] int64[,5]"

NATIVE: dict[str, tuple[Any, str]] = {
    "explore": (explore_states, f"{_TABLES} {_WORLD} {_KEPT} {_INDEX} {_SCRATCH} {_COLOURS} {_COLUMNS} int64[]"),
    "find": (find_state, f"{_WORLD} {_KEPT} {_INDEX} {_COLOURS} int32[] int64 int64[]"),
    "fill_world": (fill_world, f"{_WORLD} int64[]"),
    "fill_states": (fill_states, "uint64[] int64 uint64[]"),
    "fixed": (put_fixed, f"int32[] {_WORLD} {_INDEX}"),
}
