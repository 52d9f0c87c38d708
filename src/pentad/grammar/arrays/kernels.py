"""Kernels of the array engine that explore the states, breadth first, and their entry points."""

from __future__ import annotations

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
from pentad.grammar.arrays.constants import Index, Ints, Kept, RunArrays, Stats, Words, World
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
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Word

ONE, LOW, HIGH = np.uint64(1), np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)


# ── states ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def are_equal(graph: Ints, other: Ints, begin: int, last: int) -> bool:
    """Whether a graph is a part of an array, as both have their edges."""
    for i in range(last):  # noqa: SIM110 - kernels have no generators
        if other[begin + i] != graph[i]:
            return False
    return True


@kernel
def known_state(number: Word, graph: Ints, last: int, run: RunArrays) -> int:
    """The number of a state, by its hash; -1 if it is not known, or ENDED."""
    kept, scratch = run.kept, run.scratch
    mask = np.uint64(len(kept.slots) - 1)
    slot = number & mask
    while kept.slots[slot] != np.uint64(0):
        entry = kept.slots[slot]
        if (entry ^ number) & HIGH == np.uint64(0):
            state = np.int64(entry & LOW) - 1
            begin = kept.begins[state]
            if kept.data[begin] < 0:
                if kept.hashes[state] == number and size_of(state, kept) + 2 == last:
                    if read_whole(state, run) < 0:
                        return np.int64(ENDED)
                    if are_equal(graph, scratch.other, 0, last):
                        return state
            elif kept.begins[state + 1] - begin == last and are_equal(graph, kept.data, begin, last):
                return state
        slot = (slot + ONE) & mask
    return np.int64(-1)


@kernel
def known_large_state(number: Word, place: int, nodes: int, edges: int, run: RunArrays) -> int:
    """The number of a state whose graph is the current one after a match, by its hash; -1 if it is not known."""
    kept = run.kept
    mask = np.uint64(len(kept.slots) - 1)
    slot = number & mask
    while kept.slots[slot] != np.uint64(0):
        entry = kept.slots[slot]
        state = np.int64(entry & LOW) - 1
        if (
            (entry ^ number) & HIGH == np.uint64(0)
            and kept.hashes[state] == number
            and is_state(state, place, nodes, edges, run)
        ):
            return state
        slot = (slot + ONE) & mask
    return np.int64(-1)


@kernel
def enter(number: Word, count: int, slots: Words) -> None:
    """Enters the last of some states into a table."""
    mask = np.uint64(len(slots) - 1)
    slot = number & mask
    while slots[slot] != np.uint64(0):
        slot = (slot + ONE) & mask
    slots[slot] = (number & HIGH) | np.uint64(count)


@kernel
def first_with(key: Word, keys: Words, slots: Words) -> int:
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
def is_isomorphic(state: int, graph: Ints, last: int, run: RunArrays) -> int:
    """Whether a state is isomorphic to a graph with the same form: 1 or 0; negative: a stop, or no room."""
    world, kept, scratch, colours, stats = run.world, run.kept, run.scratch, run.colours, run.stats
    data, begin, end = kept.data, kept.begins[state], kept.begins[state + 1]
    if differs(state, kept):
        data, begin, end = scratch.other, np.int64(0), read_whole(state, run)
        if end < 0:
            return np.int64(end)
    if stats.symmetries > 0:
        return np.int64(are_symmetric(graph, 0, last, data, begin, end, world, colours, stats))
    return np.int64(are_isomorphic(graph, 0, last, data, begin, end, run))


@kernel
def isomorphic_state(form: Word, graph: Ints, last: int, run: RunArrays) -> int:
    """The number of an isomorphic state; -1 if there is none, or ENDED after a stop or if an array is too small."""
    kept = run.kept
    mask = np.uint64(len(kept.form_slots) - 1)
    slot = form & mask
    while kept.form_slots[slot] != np.uint64(0):
        entry = kept.form_slots[slot]
        state = np.int64(entry & LOW) - 1
        if (entry ^ form) & HIGH == np.uint64(0) and kept.forms[state] == form:
            answer = is_isomorphic(state, graph, last, run)
            if answer < 0:
                return ENDED
            if answer == 1:
                return state
        slot = (slot + ONE) & mask
    return -1


@kernel
def form_of_state(state: int, run: RunArrays) -> Word:
    """The form of a state, by colours; 0 if there is no room to read it."""
    kept, scratch = run.kept, run.scratch
    if not differs(state, kept):
        begin, end = kept.begins[state], kept.begins[state + 1]
        return colour(kept.data, begin, end, OF, run) | ONE
    end = read_whole(state, run)
    if end < 0:
        return np.uint64(0)
    return colour(scratch.other, 0, end, OF, run) | ONE


@kernel
def state_with_sketch(graph: Ints, last: int, other: int, run: RunArrays) -> int:
    """The number of a state isomorphic to a graph, whose sketch another state has; -1 if there is none, or ENDED.

    The form of the graph is written into `totals`.
    """
    kept, index = run.kept, run.graph
    if kept.forms[other] == np.uint64(0):
        form = form_of_state(other, run)
        if form == np.uint64(0):
            return np.int64(ENDED)
        kept.forms[other] = form
        enter(form, other + 1, kept.form_slots)
    form = colour(graph, 0, last, OF, run) | ONE
    index.totals[k.FORM] = form
    return isomorphic_state(form, graph, last, run)


@kernel
def has_room_for_state(kept: Kept, stats: Stats) -> bool:
    """Whether there is room for the numbers of another state."""
    count = stats.count
    if count + 2 > len(kept.begins) or 5 * (count + 1) > 3 * len(kept.slots):
        stats.needs = k.SLOTS
        return False
    return True


@kernel
def enter_state(number: Word, mark: Word, form: Word, end: int, kept: Kept, stats: Stats) -> int:
    """Enters a state, stored up to an end, into the tables; returns its number."""
    count = stats.count
    kept.hashes[count] = number
    stats.count, stats.kept_end, kept.begins[count + 1] = count + 1, end, end
    enter(number, count + 1, kept.slots)
    if stats.isomorphic != 0:
        is_first = form == np.uint64(0)  # only the first state with a sketch is entered by it
        kept.sketches[count], kept.forms[count] = mark if is_first else np.uint64(0), form
        enter(mark if is_first else form, count + 1, kept.form_slots)
    return np.int64(count)


@kernel
def state_of(graph: Ints, last: int, source: int, adds: bool, run: RunArrays) -> int:
    """The number of a state; if it is not known it is added, or -1. ENDED after a stop or if an array is too small.

    If there are symmetries, a graph that is made from that of a state, the current one, differs from it by `changed`.
    """
    world, kept, index, scratch, colours, stats = run.world, run.kept, run.graph, run.scratch, run.colours, run.stats
    number = hash_of_graph(graph, 0, last)
    state = known_state(number, graph, last, run)
    if state >= 0 or state == ENDED:
        return state
    mark, form = np.uint64(0), np.uint64(0)
    if stats.symmetries > 0:
        if source < 0:
            form = form_by_images(graph, 0, last, world, colours, stats)
        else:
            sum_images(source, run)
            form = form_by_change(graph[0], scratch.changed, stats.changed_edges, run)
        state = isomorphic_state(form, graph, last, run)
        if state >= 0 or state == ENDED:
            return state
    elif stats.isomorphic != 0:
        mark = sketch(graph, 0, last, world)
        other = first_with(mark, kept.sketches, kept.form_slots)
        if other >= 0:
            state = state_with_sketch(graph, last, other, run)
            if state >= 0 or state == ENDED:
                return state
            form = index.totals[k.FORM]
    if not adds:
        return np.int64(-1)
    begin = stats.kept_end
    if begin + last > len(kept.data):
        stats.needs = k.KEPT
        return np.int64(ENDED)
    if not has_room_for_state(kept, stats):
        return np.int64(ENDED)
    for i in range(last):
        kept.data[begin + i] = graph[i]
    return enter_state(number, mark, form, begin + last, kept, stats)


# ── the state after a match ──────────────────────────────────────────────────────────────────────


@kernel
def large_change(rule: int, parts: int, place: int, run: RunArrays) -> bool:
    """Writes how the graph after a match differs from the current one; whether there is room."""
    tables, scratch, stats = run.tables, run.scratch, run.stats
    if tables.rules[rule, k.MERGES] == 0:
        if collect_effects(rule, parts, run) < 0:
            return False
        return difference(rule, parts, run)
    stats.changed_edges = stats.changed_nodes = 0
    last = write_whole(place, scratch.other, run)
    if last < 0:
        return False
    end = change(rule, parts, place, scratch.other, 0, last, run)
    if end < 0:
        return False
    return compare_whole(scratch.other, 0, last, end, scratch, stats)


@kernel
def large_state_after(rule: int, parts: int, place: int, source: int, run: RunArrays) -> int:
    """The number of the state after a match in a large state, or ENDED."""
    world, kept, index, scratch, stats = run.world, run.kept, run.graph, run.scratch, run.stats
    if not large_change(rule, parts, place, run):
        return np.int64(ENDED)
    changed, changed_edges = scratch.changed, stats.changed_edges
    total, sketched = index.totals[k.TOTAL], index.totals[k.SKETCHED]
    nodes, edges = stats.listed - stats.fixed_nodes, stats.own_edges
    by_sketch = stats.isomorphic != 0 and stats.symmetries == 0
    for at in range(changed_edges):
        if has_own_edge(changed[at], index, stats):
            total -= edge_hash(changed[at])
            sketched -= edge_sketch(changed[at], world) if by_sketch else np.uint64(0)
            edges -= 1
        else:
            total += edge_hash(changed[at])
            sketched += edge_sketch(changed[at], world) if by_sketch else np.uint64(0)
            edges += 1
    for at in range(changed_edges, changed_edges + stats.changed_nodes):
        if has_node(changed[at], index, stats):
            total -= node_hash(changed[at])
            nodes -= 1
        else:
            total += node_hash(changed[at])
            nodes += 1
    number = hash_with_place(total, place, nodes)
    state = known_large_state(number, place, nodes, edges, run)
    if state >= 0:
        return state
    mark, form, last = np.uint64(0), np.uint64(0), np.int64(0)
    if stats.symmetries > 0:
        form = form_by_change(place, changed, changed_edges, run)
        if first_with(form, kept.forms, kept.form_slots) >= 0:
            last = write_whole(place, scratch.out, run)
            if last < 0:
                return np.int64(ENDED)
            state = isomorphic_state(form, scratch.out, last, run)
    elif stats.isomorphic != 0:
        mark = sketch_with_place(sketched, place, nodes, edges)
        other = first_with(mark, kept.sketches, kept.form_slots)
        if other >= 0:
            last = write_whole(place, scratch.out, run)
            if last < 0:
                return np.int64(ENDED)
            state = state_with_sketch(scratch.out, last, other, run)
            form = index.totals[k.FORM]
    if state >= 0 or state == ENDED:
        return state
    if not has_room_for_state(kept, stats):
        return np.int64(ENDED)
    end = put_difference(number, place, source, nodes, edges, run)
    if end < 0:
        return np.int64(ENDED)
    return enter_state(number, mark, form, end, kept, stats)


# ── exploration ──────────────────────────────────────────────────────────────────────────────────


@kernel
def label_of(rule: int, size: int, run: RunArrays) -> int:
    """The number of the label of a match whose images are in the first part; -1: no room."""
    tables, world, scratch, stats = run.tables, run.world, run.scratch, run.stats
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
        stats.labels += 1
        world.records[record + k.RECORD_VALUE] = stats.labels
    return np.int64(world.records[record + k.RECORD_VALUE]) - 1


@kernel
def number_values(rule: int, by_candidates: bool, run: RunArrays) -> int:
    """Gives numbers to the values that all matches compute, those of the outermost level first; 0 or ENDED."""
    tables, scratch = run.tables, run.scratch
    plan = np.int64(tables.rules[rule, k.VALUES])
    if by_candidates:
        at = next_match(rule, FIRST, run)
        while at >= 0:
            at = next_match(rule, at, run)
    else:
        at = search(plan, True, run)
        while at >= 0:
            at = search(at, False, run)
    if at == ENDED:
        return ENDED
    if tables.rules[rule, k.VALUES_WITHIN] == 0:
        return 0
    at = search(plan, True, run)
    while at >= 0:
        parts = collect_parts(rule, run)
        if parts == ENDED:
            return ENDED
        if parts > 0 and tables.rules[rule, k.MATTERS] == 0:
            return 0
        for variable in range(tables.rules[rule, k.VARIABLES]):
            scratch.found[variable] = scratch.parts[k.IMAGES + variable]
        at = search(at, False, run)
    return ENDED if at == ENDED else 0


@kernel
def fire(call: int, source: int, is_loop: bool, run: RunArrays) -> int:
    """Adds the transitions of a state by a call; returns their number, or ENDED."""
    tables, kept, scratch, columns, stats = run.tables, run.kept, run.scratch, run.columns, run.stats
    rule, place = tables.calls[call, k.RULE_OF], tables.calls[call, k.AFTER]
    level, variables, found = tables.rules[rule, k.LEVELS], tables.rules[rule, k.VARIABLES], 0
    stats.events_stamp += 1
    stats.events_end = stats.ends_top = 0
    is_large = stats.current > 0
    by_candidates = is_large and tables.rules[rule, k.ROOT] >= 0
    if tables.rules[rule, k.VALUES] >= 0 and number_values(rule, by_candidates, run) == ENDED:
        return ENDED
    stats.ends_top = 0
    at = next_match(rule, FIRST, run) if by_candidates else search(np.int64(tables.levels[level, k.PLAN]), True, run)
    while at >= 0:
        if tables.rules[rule, k.IS_ALONE] != 0:
            parts = 1 if put_part(level, -1, 0, variables, scratch, stats) else ENDED
        else:
            parts = collect_parts(rule, run)
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
                    if not create_nodes(rule, parts, size, run):
                        return ENDED
                    if is_large:
                        target = large_state_after(rule, parts, place, source, run)
                    else:
                        begin, end = kept.begins[source], kept.begins[source + 1]
                        last = change(rule, parts, place, kept.data, begin, end, run)
                        if last < 0:
                            return ENDED
                        if stats.symmetries > 0 and not difference(rule, parts, run):
                            return ENDED
                        target = state_of(scratch.out, last, source, True, run)
                    if target == ENDED:
                        return ENDED
                label = label_of(rule, size, run)
                if label < 0:
                    return ENDED
                if stats.whole != 0:
                    new = stats.new_transitions
                    if new == len(columns.transitions):
                        stats.needs = k.COLUMNS
                        return ENDED
                    rows = columns.transitions
                    rows[new, k.SOURCE], rows[new, k.LABEL], rows[new, k.TARGET] = source, label, target
                    stats.new_transitions = new + 1
                stats.transitions += 1
                found += 1
                if tables.rules[rule, k.MATTERS] == 0:
                    break
            if tables.rules[rule, k.IS_ALONE] == 0:  # the search goes on from the images of the outermost level
                for variable in range(variables):
                    scratch.found[variable] = scratch.parts[k.IMAGES + variable]
        at = next_match(rule, at, run) if by_candidates else search(at, False, run)
    return ENDED if at == ENDED else found


@kernel
def expand(state: int, run: RunArrays) -> int:
    """Adds the transitions of a state; returns 1, or ENDED after a stop or if an array is too small."""
    tables, kept, columns, stats = run.tables, run.kept, run.columns, run.stats
    if not show(state, run):
        return ENDED
    place, named, is_over = place_of(state, kept), False, False
    for call in range(tables.loops, len(tables.calls)):
        found = fire(call, state, True, run)
        if found == ENDED:
            return ENDED
        named = named or (found > 0 and tables.calls[call, k.ACTION] == stats.name)
        breaks = tables.calls[call, k.BREAKS]
        if breaks != k.GOES_ON and (found > 0) == (breaks > 0):
            columns.others[stats.new_broken, k.BROKEN_IN] = state
            columns.others[stats.new_broken, k.BROKEN] = call - tables.loops
            stats.new_broken += 1
            is_over = is_over or abs(breaks) == k.IS_OVER
    while not is_over and tables.places[place, k.KIND] == k.TRIAL:
        applied = False
        for call in range(tables.places[place, k.FIRST], tables.places[place + 1, k.FIRST]):
            found = fire(call, state, False, run)
            if found == ENDED:
                return ENDED
            applied = applied or found > 0
            named = named or (found > 0 and tables.calls[call, k.ACTION] == stats.name)
        place = np.int64(tables.places[place, k.SUCCESS] if applied else tables.places[place, k.FAILURE])
    is_final, accept = not is_over and tables.places[place, k.KIND] == k.FINAL, stats.accept
    accepted = (accept == k.FINAL_ONES and is_final) or (accept == k.WITH and named)
    accepted = accepted or (accept == k.WITHOUT and not named)
    accepted = accepted or (
        accept == k.BROKEN_ONES and stats.new_broken > 0 and columns.others[stats.new_broken - 1, k.BROKEN_IN] == state
    )
    if is_final:
        columns.others[stats.new_finals, k.FINAL_ONE] = state
        stats.new_finals += 1
        stats.finals += 1
    if accepted:
        columns.others[stats.new_results, k.RESULT] = state
        stats.new_results += 1
        stats.accepted += 1
    return 1


@kernel
def explore(run: RunArrays) -> int:
    """Explores until no states are left, or something else ends it; returns what."""
    tables, index, columns, stats = run.tables, run.graph, run.columns, run.stats
    properties = len(tables.calls) - tables.loops
    while True:
        state = stats.expanded
        if state == stats.count:
            return k.DONE
        if stats.most_results > 0 and stats.accepted >= stats.most_results:
            return k.RESULTS
        if stats.count >= stats.most_states and stats.is_again == 0:
            return k.STATES
        new = stats.new_transitions
        fullest = max(stats.new_finals, stats.new_results, stats.new_levels, stats.new_broken + properties)
        if fullest >= len(columns.others) or should_stop(stats):
            return k.FETCH if stats.stop == 0 else k.STOPPED
        if state == stats.level_end:
            columns.others[stats.new_levels, k.LEVEL_BEGIN] = state
            stats.new_levels += 1
            stats.level += 1
            stats.level_end = stats.count
        if stats.level > stats.most_level:
            return k.DEPTH
        count, transitions, broken = stats.count, stats.transitions, stats.new_broken
        stats.needs = -1
        answer = expand(state, run)
        if answer == ENDED or stats.current == 0:
            unload(index, stats)
        if answer == ENDED:  # the state is expanded again in the next call
            stats.new_transitions, stats.transitions, stats.new_broken = new, transitions, broken
            if stats.stop != 0:
                stats.count = count
                return k.STOPPED
            stats.is_again = 1
            return k.FETCH if stats.needs == k.COLUMNS and new > 0 else k.GROW
        stats.expanded, stats.is_again = state + 1, 0


# ── entry points ─────────────────────────────────────────────────────────────────────────────────


@kernel
def explore_states(run: RunArrays) -> int:
    """Explores, and leaves no graph in the index."""
    end = explore(run)
    unload(run.graph, run.stats)
    return end


@kernel
def find_state(graph: Ints, adds: int, run: RunArrays) -> int:
    """The number of a state that is equal to a graph, or isomorphic; if there is none it is added, or -1."""
    run.stats.stamp += 1  # there is no current graph
    return state_of(graph, len(graph), -1, adds != 0, run)


@kernel
def put_fixed(fixed: Ints, world: World, index: Index) -> None:
    """Puts the fixed edges, sorted, into the lists of empty arrays."""
    for at in range(len(fixed) - 1, -1, -1):
        add_item(at + 1, fixed[at], 1, world, index)
        index.edge_marks[fixed[at]] = -1


NATIVE = {
    "explore": explore_states,
    "find": find_state,
    "fill_world": fill_slots,
    "fill_states": fill_states,
    "fixed": put_fixed,
}
