"""Kernels of large graphs, of the array engine: stored as differences, by which the current graph is changed too.

A difference is a set of edges and of nodes, each of which is added if it is not there, and else removed. So the order
of differences does not matter, and what occurs an even number of times is as it was. Some graphs are stored as a whole
as well: so many that the differences since the last one are about two graphs, on average.
"""

from __future__ import annotations

import numpy as np

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.candidate_kernels import forget_candidates, try_again
from pentad.grammar.arrays.constants import Colours, Index, Int, Ints, Kept, Longs, Scratch, Tables, World
from pentad.grammar.arrays.index_kernels import (
    allow_changes,
    change_edge,
    change_node,
    has_node,
    has_own_edge,
    load,
    unload,
)
from pentad.grammar.arrays.world_kernels import LOW, mixed, sort
from pentad.kernels.compiler import kernel

FARTHEST = 8  # what differs from the last whole graph, as a multiple of a graph

# ── records ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def differs(state: Int, kept: Kept) -> bool:
    """Whether a state is stored as its difference from another."""
    return bool(kept.data[kept.begins[state] + k.DIFFERS] < 0)


@kernel
def place_of(state: Int, kept: Kept) -> Int:
    """A state's place in control."""
    first = np.int64(kept.data[kept.begins[state]])
    return first if first >= 0 else -1 - first


@kernel
def nodes_of(state: Int, kept: Kept) -> Int:
    """How many nodes of its own a state has."""
    begin = kept.begins[state]
    return np.int64(kept.data[begin + k.ALL_NODES] if kept.data[begin] < 0 else kept.data[begin + 1])


@kernel
def edges_of_state(state: Int, kept: Kept) -> Int:
    """How many edges of its own a state has."""
    begin = kept.begins[state]
    if kept.data[begin] < 0:
        return np.int64(kept.data[begin + k.ALL_EDGES])
    return np.int64(kept.begins[state + 1] - begin - 2 - kept.data[begin + 1])


@kernel
def size_of(state: Int, kept: Kept) -> Int:
    """How many nodes and edges of its own a state has."""
    begin = kept.begins[state]
    if kept.data[begin] < 0:
        return np.int64(kept.data[begin + k.ALL_NODES] + kept.data[begin + k.ALL_EDGES])
    return np.int64(kept.begins[state + 1] - begin - 2)


@kernel
def width_of(state: Int, kept: Kept) -> Int:
    """How many edges and nodes differ in a state that is stored as a difference."""
    begin = kept.begins[state]
    return np.int64(kept.data[begin + k.DIFFERENT_EDGES] + kept.data[begin + k.DIFFERENT_NODES])


@kernel
def whole_begin(state: Int, kept: Kept) -> Int:
    """Where the nodes of a whole graph begin; -1 if the state has only a difference."""
    begin = kept.begins[state]
    if kept.data[begin] >= 0:
        return np.int64(begin + 2)
    first = begin + k.HEAD_SIZE + width_of(state, kept)
    return np.int64(first if first < kept.begins[state + 1] else -1)


# ── the current graph ────────────────────────────────────────────────────────────────────────────


@kernel
def apply(state: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours, stats: Longs) -> bool:
    """Changes the current graph by a state's difference; whether there is room for it."""
    begin, data = kept.begins[state], kept.data
    first = begin + k.HEAD_SIZE
    last = first + data[begin + k.DIFFERENT_EDGES]
    for at in range(first, last):
        if not change_edge(data[at], world, index, colours, stats):
            return False
        if stats[k.MOVED] < len(scratch.moved):
            scratch.moved[stats[k.MOVED]] = data[at]
        stats[k.MOVED] += 1
    for at in range(last, last + data[begin + k.DIFFERENT_NODES]):
        change_node(data[at], index, stats)
    return True


@kernel
def older_of(one: Int, kept: Kept) -> Int:
    """The state from which a state differs."""
    return np.int64(kept.data[kept.begins[one] + k.OLDER])


@kernel
def move(
    state: Int, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> Int:  # fmt: skip
    """Changes the current graph into that of a state by the differences on the way; 0 if it is long, or ENDED."""
    one, other = stats[k.CURRENT] - 1, np.int64(state)
    most = stats[k.OWN_EDGES] + stats[k.LISTED] - stats[k.FIXED_NODES]
    stats[k.MOVED] = 0
    while one != other:
        later = max(one, other)
        if not differs(later, kept):
            return 0
        most -= width_of(later, kept)
        if most < 0:
            return 0
        if not apply(later, world, kept, index, scratch, colours, stats):
            return -1
        if one == later:
            one = older_of(later, kept)
        else:
            other = older_of(later, kept)
    if stats[k.MOVED] > len(scratch.moved):
        forget_candidates(tables, scratch)
    else:
        for at in range(stats[k.MOVED]):
            try_again(scratch.moved[at], tables, world, index, scratch, stats)
    return 1


@kernel
def apply_since(
    whole: Int, state: Int, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours, stats: Longs
) -> bool:
    """Changes the current graph, that of an older state, by the differences since then; whether there is room.

    The oldest come first, as far as there is room for their numbers: new edges belong to the ends of lists.
    """
    at, count, listed = np.int64(state), 0, scratch.out
    while at != whole:
        if count < len(listed):
            listed[count] = at
            count += 1
        elif not apply(at, world, kept, index, scratch, colours, stats):
            return False
        at = older_of(at, kept)
    for i in range(count - 1, -1, -1):  # noqa: SIM110 - kernels have no generators
        if not apply(listed[i], world, kept, index, scratch, colours, stats):
            return False
    return True


@kernel
def show_large(
    state: Int, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> bool:  # fmt: skip
    """Makes the graph of a state, a large one, the current one; whether there is room for it."""
    if stats[k.CURRENT] > 0:
        answer = move(state, tables, world, kept, index, scratch, colours, stats)
        if answer < 0:
            return False
        if answer > 0:
            stats[k.CURRENT] = state + 1
            return True
    unload(index, stats)
    forget_candidates(tables, scratch)
    whole = np.int64(state)
    while whole_begin(whole, kept) < 0:
        whole = older_of(whole, kept)
    first = whole_begin(whole, kept)
    if not load(kept.data, first, first + nodes_of(whole, kept), kept.begins[whole + 1], world, index, stats):
        return False
    allow_changes(world, index, colours, stats)
    if not apply_since(whole, state, world, kept, index, scratch, colours, stats):
        return False
    stats[k.CURRENT] = state + 1
    return True


@kernel
def show(
    state: Int, tables: Tables, world: World, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> bool:  # fmt: skip
    """Makes the graph of a state the current one; whether there is room for it."""
    if size_of(state, kept) > stats[k.SMALL]:
        return show_large(state, tables, world, kept, index, scratch, colours, stats)
    if stats[k.CURRENT] > 0:
        unload(index, stats)
    first = kept.begins[state] + 2
    return load(kept.data, first, first + kept.data[first - 1], kept.begins[state + 1], world, index, stats)


# ── odd numbers of changes ───────────────────────────────────────────────────────────────────────


@kernel
def flip_mark(marks: Longs, number: Int, is_there: bool, stats: Longs) -> None:
    """Counts an edge or a node, which is in the current graph or not, once more among the changes."""
    is_odd = marks[number] == stats[k.COLOUR_STAMP]
    marks[number] = 0 if is_odd else stats[k.COLOUR_STAMP]
    stats[k.ODD] += -1 if is_odd else 1
    stats[k.ADDED] += -1 if is_odd != is_there else 1


@kernel
def flip(numbers: Ints, first: Int, edges: Int, nodes: Int, index: Index, colours: Colours, stats: Longs) -> None:
    """Counts some edges and the nodes after them once more among the changes."""
    for at in range(first, first + edges):
        flip_mark(colours.edge_marks, numbers[at], has_own_edge(numbers[at], index, stats), stats)
    for at in range(first + edges, first + edges + nodes):
        flip_mark(colours.used, numbers[at], has_node(numbers[at], index, stats), stats)


@kernel
def flip_state(state: Int, kept: Kept, index: Index, colours: Colours, stats: Longs) -> None:
    """Counts a state's difference once more."""
    begin = kept.begins[state]
    edges, nodes = kept.data[begin + k.DIFFERENT_EDGES], kept.data[begin + k.DIFFERENT_NODES]
    flip(kept.data, begin + k.HEAD_SIZE, edges, nodes, index, colours, stats)


@kernel
def flip_to_whole(state: Int, kept: Kept, index: Index, colours: Colours, stats: Longs) -> Int:
    """Counts the differences of a state since the last one that is stored as a whole; returns that one."""
    whole = np.int64(state)
    while whole_begin(whole, kept) < 0:
        flip_state(whole, kept, index, colours, stats)
        whole = older_of(whole, kept)
    return whole


@kernel
def flip_changes(index: Index, scratch: Scratch, colours: Colours, stats: Longs) -> None:
    """Begins a count with the changes of a match."""
    stats[k.COLOUR_STAMP] += 1
    stats[k.ODD] = stats[k.ADDED] = 0
    flip(scratch.changed, 0, stats[k.CHANGED_EDGES], stats[k.CHANGED_NODES], index, colours, stats)


@kernel
def is_odd_edge(edge: Int, colours: Colours, stats: Longs) -> bool:
    """Whether an edge occurs an odd number of times among the changes."""
    return bool(colours.edge_marks[edge] == stats[k.COLOUR_STAMP])


@kernel
def is_odd_node(node: Int, colours: Colours, stats: Longs) -> bool:
    """Whether a node occurs an odd number of times among the changes."""
    return bool(colours.used[node] == stats[k.COLOUR_STAMP])


@kernel
def is_state(
    state: Int, place: Int, nodes: Int, edges: Int, kept: Kept, index: Index, scratch: Scratch, colours: Colours,
    stats: Longs,
) -> bool:  # fmt: skip
    """Whether the graph after a match is that of a state; its place, nodes and edges are given."""
    if place_of(state, kept) != place or nodes_of(state, kept) != nodes or edges_of_state(state, kept) != edges:
        return False
    flip_changes(index, scratch, colours, stats)
    one, other, most = stats[k.CURRENT] - 1, np.int64(state), nodes + edges
    while one != other and most >= 0 and differs(max(one, other), kept):
        later = max(one, other)
        most -= width_of(later, kept)
        flip_state(later, kept, index, colours, stats)
        if one == later:
            one = older_of(later, kept)
        else:
            other = older_of(later, kept)
    if one == other:
        return bool(stats[k.ODD] == 0)
    flip_changes(index, scratch, colours, stats)
    whole = flip_to_whole(state, kept, index, colours, stats)
    first, last = whole_begin(whole, kept), kept.begins[whole + 1]
    begin = first + nodes_of(whole, kept)
    if last - first != stats[k.OWN_EDGES] + stats[k.LISTED] - stats[k.FIXED_NODES] + stats[k.ADDED]:
        return False
    for at in range(first, begin):
        if has_node(kept.data[at], index, stats) == is_odd_node(kept.data[at], colours, stats):
            return False
    for at in range(begin, last):
        if has_own_edge(kept.data[at], index, stats) == is_odd_edge(kept.data[at], colours, stats):
            return False
    return True


# ── whole graphs ─────────────────────────────────────────────────────────────────────────────────


@kernel
def write_whole(place: Int, index: Index, scratch: Scratch, colours: Colours, stats: Longs, out: Ints) -> Int:
    """Writes the graph after a match, the current one with its changes; returns its end, or -1: no room."""
    flip_changes(index, scratch, colours, stats)
    size = stats[k.OWN_EDGES] + stats[k.LISTED] - stats[k.FIXED_NODES] + stats[k.ADDED]
    if size + 2 > len(out):
        stats[k.NEEDS] = k.ITEMS
        return np.int64(-1)
    edges, last = stats[k.CHANGED_EDGES], stats[k.CHANGED_EDGES] + stats[k.CHANGED_NODES]
    end = np.int64(2)
    for at in range(stats[k.FIXED_NODES], stats[k.LISTED]):
        if not is_odd_node(index.listed[at], colours, stats):
            out[end] = index.listed[at]
            end += 1
    for at in range(edges, last):
        if not has_node(scratch.changed[at], index, stats):
            out[end] = scratch.changed[at]
            end += 1
    sort(out, 2, end)
    out[0], out[1] = place, end - 2
    begin = end
    for item in range(stats[k.FIXED_ITEMS] + 1, stats[k.ITEM_END]):
        edge = index.items[item, k.NUMBER]
        if edge >= 0 and not is_odd_edge(edge, colours, stats):
            out[end] = edge
            end += 1
    for at in range(edges):
        if not has_own_edge(scratch.changed[at], index, stats):
            out[end] = scratch.changed[at]
            end += 1
    sort(out, begin, end)
    return np.int64(end)


@kernel
def read_whole(state: Int, kept: Kept, index: Index, scratch: Scratch, colours: Colours, stats: Longs) -> Int:
    """Writes the graph of a state that is stored as a difference into `other`; returns its end, or -1: no room."""
    out, data = scratch.other, kept.data
    if size_of(state, kept) + 2 > len(out):
        stats[k.NEEDS] = k.ITEMS
        return np.int64(-1)
    stats[k.COLOUR_STAMP] += 1
    whole = flip_to_whole(state, kept, index, colours, stats)
    first, last = whole_begin(whole, kept), kept.begins[whole + 1]
    begin = first + nodes_of(whole, kept)
    nodes = nodes_of(state, kept)
    out[0], out[1] = place_of(state, kept), nodes
    end, edge_end = 2, 2 + nodes
    for at in range(first, begin):
        if is_odd_node(data[at], colours, stats):
            colours.used[data[at]] = 0
        else:
            out[end] = data[at]
            end += 1
    for at in range(begin, last):
        if is_odd_edge(data[at], colours, stats):
            colours.edge_marks[data[at]] = 0
        else:
            out[edge_end] = data[at]
            edge_end += 1
    at_state = np.int64(state)
    while at_state != whole:
        at = kept.begins[at_state] + k.HEAD_SIZE
        stop = at + data[kept.begins[at_state] + k.DIFFERENT_EDGES]
        for i in range(at, stop):
            if is_odd_edge(data[i], colours, stats):
                colours.edge_marks[data[i]] = 0
                out[edge_end] = data[i]
                edge_end += 1
        for i in range(stop, at + width_of(at_state, kept)):
            if is_odd_node(data[i], colours, stats):
                colours.used[data[i]] = 0
                out[end] = data[i]
                end += 1
        at_state = older_of(at_state, kept)
    sort(out, 2, end)
    sort(out, end, edge_end)
    return np.int64(edge_end)


@kernel
def compare_whole(graph: Ints, first: Int, last: Int, end: Int, scratch: Scratch, stats: Longs) -> bool:
    """Writes how the graph in `out` differs from another one, both sorted; whether there is room."""
    out, changed, count = scratch.out, scratch.changed, 0
    if last - first + end > len(changed):
        stats[k.NEEDS] = k.ITEMS
        return False
    for part in range(2):
        before = count
        at, stop = first + 2 + graph[first + 1], np.int64(last)
        other, other_stop = 2 + np.int64(out[1]), np.int64(end)
        if part == 1:
            at, stop = np.int64(first + 2), first + 2 + np.int64(graph[first + 1])
            other, other_stop = np.int64(2), 2 + np.int64(out[1])
        while at < stop or other < other_stop:
            if at < stop and other < other_stop and graph[at] == out[other]:
                at += 1
                other += 1
                continue
            if other == other_stop or (at < stop and graph[at] < out[other]):
                changed[count] = graph[at]
                at += 1
            else:
                changed[count] = out[other]
                other += 1
            count += 1
        if part == 0:
            stats[k.CHANGED_EDGES] = count
        else:
            stats[k.CHANGED_NODES] = count - before
    return True


# ── storage ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def put_difference(
    number: np.uint64, place: Int, older: Int, nodes: Int, edges: Int, kept: Kept, index: Index, scratch: Scratch,
    colours: Colours, stats: Longs,
) -> Int:  # fmt: skip
    """Stores the graph after a match behind the last state; returns its end, or -1: no room."""
    data, begin, size = kept.data, stats[k.KEPT_END], nodes + edges
    width = stats[k.CHANGED_EDGES] + stats[k.CHANGED_NODES]
    if size <= stats[k.SMALL] or (stats[k.SMALL] >= 0 and 2 * (width + k.HEAD_SIZE) > size):
        last = write_whole(place, index, scratch, colours, stats, scratch.out)
        if last < 0:
            return last
        if begin + last > len(data):
            stats[k.NEEDS] = k.KEPT
            return np.int64(-1)
        for i in range(last):
            data[begin + i] = scratch.out[i]
        return np.int64(begin + last)
    since = width + 1
    if whole_begin(older, kept) < 0:
        since += kept.data[kept.begins[older] + k.SINCE]
    chance = (mixed(number) & LOW) * np.uint64(2 * size)
    is_whole = chance < (np.uint64(width) << np.uint64(32)) or since > FARTHEST * size
    if begin + k.HEAD_SIZE + width + size > len(data):
        stats[k.NEEDS] = k.KEPT
        return np.int64(-1)
    data[begin + k.DIFFERS], data[begin + k.OLDER] = -1 - place, older
    data[begin + k.DIFFERENT_EDGES], data[begin + k.DIFFERENT_NODES] = stats[k.CHANGED_EDGES], stats[k.CHANGED_NODES]
    data[begin + k.ALL_NODES], data[begin + k.ALL_EDGES], data[begin + k.SINCE] = nodes, edges, since
    end = begin + k.HEAD_SIZE
    for i in range(width):
        data[end + i] = scratch.changed[i]
    end += width
    if is_whole:
        last = write_whole(place, index, scratch, colours, stats, scratch.out)
        if last < 0:
            return last
        for i in range(2, last):
            data[end + i - 2] = scratch.out[i]
        end += size
    return np.int64(end)
