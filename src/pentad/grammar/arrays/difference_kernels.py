"""Kernels of large graphs, of the array engine: stored as differences, by which the current graph is changed too.

A difference is a set of edges and of nodes, each of which is added if it is not there, and else removed. So the order
of differences does not matter, and what occurs an even number of times is as it was. Some graphs are stored as a whole
as well: so many that the differences since the last one are about two graphs, on average.
"""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.candidate_kernels import forget_candidates, try_again
from pentad.grammar.arrays.constants import Colours, Index, Ints, Kept, Longs, RunArrays, Scratch, Stats
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
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Word

FARTHEST = 8  # what differs from the last whole graph, as a multiple of a graph

# ── records ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def differs(state: int, kept: Kept) -> bool:
    """Whether a state is stored as its difference from another."""
    return bool(kept.data[kept.begins[state] + k.DIFFERS] < 0)


@kernel
def place_of(state: int, kept: Kept) -> int:
    """A state's place in control."""
    first = np.int64(kept.data[kept.begins[state]])
    return first if first >= 0 else -1 - first


@kernel
def nodes_of(state: int, kept: Kept) -> int:
    """How many nodes of its own a state has."""
    begin = kept.begins[state]
    return np.int64(kept.data[begin + k.ALL_NODES] if kept.data[begin] < 0 else kept.data[begin + 1])


@kernel
def edges_of_state(state: int, kept: Kept) -> int:
    """How many edges of its own a state has."""
    begin = kept.begins[state]
    if kept.data[begin] < 0:
        return np.int64(kept.data[begin + k.ALL_EDGES])
    return np.int64(kept.begins[state + 1] - begin - 2 - kept.data[begin + 1])


@kernel
def size_of(state: int, kept: Kept) -> int:
    """How many nodes and edges of its own a state has."""
    begin = kept.begins[state]
    if kept.data[begin] < 0:
        return np.int64(kept.data[begin + k.ALL_NODES] + kept.data[begin + k.ALL_EDGES])
    return np.int64(kept.begins[state + 1] - begin - 2)


@kernel
def width_of(state: int, kept: Kept) -> int:
    """How many edges and nodes differ in a state that is stored as a difference."""
    begin = kept.begins[state]
    return np.int64(kept.data[begin + k.DIFFERENT_EDGES] + kept.data[begin + k.DIFFERENT_NODES])


@kernel
def whole_begin(state: int, kept: Kept) -> int:
    """Where the nodes of a whole graph begin; -1 if the state has only a difference."""
    begin = kept.begins[state]
    if kept.data[begin] >= 0:
        return np.int64(begin + 2)
    first = begin + k.HEAD_SIZE + width_of(state, kept)
    return np.int64(first if first < kept.begins[state + 1] else -1)


# ── the current graph ────────────────────────────────────────────────────────────────────────────


@kernel
def apply(state: int, run: RunArrays) -> bool:
    """Changes the current graph by a state's difference; whether there is room for it."""
    kept, index, scratch, stats = run.kept, run.graph, run.scratch, run.stats
    begin, data = kept.begins[state], kept.data
    first = begin + k.HEAD_SIZE
    last = first + data[begin + k.DIFFERENT_EDGES]
    for at in range(first, last):
        if not change_edge(data[at], run):
            return False
        if stats.moved < len(scratch.moved):
            scratch.moved[stats.moved] = data[at]
        stats.moved += 1
    for at in range(last, last + data[begin + k.DIFFERENT_NODES]):
        change_node(data[at], index, stats)
    return True


@kernel
def older_of(one: int, kept: Kept) -> int:
    """The state from which a state differs."""
    return np.int64(kept.data[kept.begins[one] + k.OLDER])


@kernel
def move(state: int, run: RunArrays) -> int:
    """Changes the current graph into that of a state by the differences on the way; 0 if it is long, or ENDED."""
    tables, kept, scratch, stats = run.tables, run.kept, run.scratch, run.stats
    one, other = stats.current - 1, np.int64(state)
    most = stats.own_edges + stats.listed - stats.fixed_nodes
    stats.moved = 0
    while one != other:
        later = max(one, other)
        if not differs(later, kept):
            return 0
        most -= width_of(later, kept)
        if most < 0:
            return 0
        if not apply(later, run):
            return -1
        if one == later:
            one = older_of(later, kept)
        else:
            other = older_of(later, kept)
    if stats.moved > len(scratch.moved):
        forget_candidates(tables, scratch)
    else:
        for at in range(stats.moved):
            try_again(scratch.moved[at], run)
    return 1


@kernel
def apply_since(whole: int, state: int, run: RunArrays) -> bool:
    """Changes the current graph, that of an older state, by the differences since then; whether there is room.

    The oldest come first, as far as there is room for their numbers: new edges belong to the ends of lists.
    """
    kept, scratch = run.kept, run.scratch
    at, count, listed = np.int64(state), 0, scratch.out
    while at != whole:
        if count < len(listed):
            listed[count] = at
            count += 1
        elif not apply(at, run):
            return False
        at = older_of(at, kept)
    for i in range(count - 1, -1, -1):  # noqa: SIM110 - kernels have no generators
        if not apply(listed[i], run):
            return False
    return True


@kernel
def show_large(state: int, run: RunArrays) -> bool:
    """Makes the graph of a state, a large one, the current one; whether there is room for it."""
    tables, world, kept, index, scratch, stats = run.tables, run.world, run.kept, run.graph, run.scratch, run.stats
    if stats.current > 0:
        answer = move(state, run)
        if answer < 0:
            return False
        if answer > 0:
            stats.current = state + 1
            return True
    unload(index, stats)
    forget_candidates(tables, scratch)
    whole = np.int64(state)
    while whole_begin(whole, kept) < 0:
        whole = older_of(whole, kept)
    first = whole_begin(whole, kept)
    if not load(kept.data, first, first + nodes_of(whole, kept), kept.begins[whole + 1], world, index, stats):
        return False
    allow_changes(run)
    if not apply_since(whole, state, run):
        return False
    stats.current = state + 1
    return True


@kernel
def show(state: int, run: RunArrays) -> bool:
    """Makes the graph of a state the current one; whether there is room for it."""
    world, kept, index, stats = run.world, run.kept, run.graph, run.stats
    if size_of(state, kept) > stats.small:
        return show_large(state, run)
    if stats.current > 0:
        unload(index, stats)
    first = kept.begins[state] + 2
    return load(kept.data, first, first + kept.data[first - 1], kept.begins[state + 1], world, index, stats)


# ── odd numbers of changes ───────────────────────────────────────────────────────────────────────


@kernel
def flip_mark(marks: Longs, number: int, is_there: bool, stats: Stats) -> None:
    """Counts an edge or a node, which is in the current graph or not, once more among the changes."""
    is_odd = marks[number] == stats.colour_stamp
    marks[number] = 0 if is_odd else stats.colour_stamp
    stats.odd += -1 if is_odd else 1
    stats.added += -1 if is_odd != is_there else 1


@kernel
def flip(numbers: Ints, first: int, edges: int, nodes: int, index: Index, colours: Colours, stats: Stats) -> None:
    """Counts some edges and the nodes after them once more among the changes."""
    for at in range(first, first + edges):
        flip_mark(colours.edge_marks, numbers[at], has_own_edge(numbers[at], index, stats), stats)
    for at in range(first + edges, first + edges + nodes):
        flip_mark(colours.used, numbers[at], has_node(numbers[at], index, stats), stats)


@kernel
def flip_state(state: int, run: RunArrays) -> None:
    """Counts a state's difference once more."""
    kept, index, colours, stats = run.kept, run.graph, run.colours, run.stats
    begin = kept.begins[state]
    edges, nodes = kept.data[begin + k.DIFFERENT_EDGES], kept.data[begin + k.DIFFERENT_NODES]
    flip(kept.data, begin + k.HEAD_SIZE, edges, nodes, index, colours, stats)


@kernel
def flip_to_whole(state: int, run: RunArrays) -> int:
    """Counts the differences of a state since the last one that is stored as a whole; returns that one."""
    kept = run.kept
    whole = np.int64(state)
    while whole_begin(whole, kept) < 0:
        flip_state(whole, run)
        whole = older_of(whole, kept)
    return whole


@kernel
def flip_changes(run: RunArrays) -> None:
    """Begins a count with the changes of a match."""
    index, scratch, colours, stats = run.graph, run.scratch, run.colours, run.stats
    stats.colour_stamp += 1
    stats.odd = stats.added = 0
    flip(scratch.changed, 0, stats.changed_edges, stats.changed_nodes, index, colours, stats)


@kernel
def is_odd_edge(edge: int, colours: Colours, stats: Stats) -> bool:
    """Whether an edge occurs an odd number of times among the changes."""
    return bool(colours.edge_marks[edge] == stats.colour_stamp)


@kernel
def is_odd_node(node: int, colours: Colours, stats: Stats) -> bool:
    """Whether a node occurs an odd number of times among the changes."""
    return bool(colours.used[node] == stats.colour_stamp)


@kernel
def is_state(state: int, place: int, nodes: int, edges: int, run: RunArrays) -> bool:
    """Whether the graph after a match is that of a state; its place, nodes and edges are given."""
    kept, index, colours, stats = run.kept, run.graph, run.colours, run.stats
    if place_of(state, kept) != place or nodes_of(state, kept) != nodes or edges_of_state(state, kept) != edges:
        return False
    flip_changes(run)
    one, other, most = stats.current - 1, np.int64(state), nodes + edges
    while one != other and most >= 0 and differs(max(one, other), kept):
        later = max(one, other)
        most -= width_of(later, kept)
        flip_state(later, run)
        if one == later:
            one = older_of(later, kept)
        else:
            other = older_of(later, kept)
    if one == other:
        return bool(stats.odd == 0)
    flip_changes(run)
    whole = flip_to_whole(state, run)
    first, last = whole_begin(whole, kept), kept.begins[whole + 1]
    begin = first + nodes_of(whole, kept)
    if last - first != stats.own_edges + stats.listed - stats.fixed_nodes + stats.added:
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
def write_whole(place: int, out: Ints, run: RunArrays) -> int:
    """Writes the graph after a match, the current one with its changes; returns its end, or -1: no room."""
    index, scratch, colours, stats = run.graph, run.scratch, run.colours, run.stats
    flip_changes(run)
    size = stats.own_edges + stats.listed - stats.fixed_nodes + stats.added
    if size + 2 > len(out):
        stats.needs = k.ITEMS
        return np.int64(-1)
    edges, last = stats.changed_edges, stats.changed_edges + stats.changed_nodes
    end = np.int64(2)
    for at in range(stats.fixed_nodes, stats.listed):
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
    for item in range(stats.fixed_items + 1, stats.item_end):
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
def read_whole(state: int, run: RunArrays) -> int:
    """Writes the graph of a state that is stored as a difference into `other`; returns its end, or -1: no room."""
    kept, scratch, colours, stats = run.kept, run.scratch, run.colours, run.stats
    out, data = scratch.other, kept.data
    if size_of(state, kept) + 2 > len(out):
        stats.needs = k.ITEMS
        return np.int64(-1)
    stats.colour_stamp += 1
    whole = flip_to_whole(state, run)
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
def compare_whole(graph: Ints, first: int, last: int, end: int, scratch: Scratch, stats: Stats) -> bool:
    """Writes how the graph in `out` differs from another one, both sorted; whether there is room."""
    out, changed, count = scratch.out, scratch.changed, 0
    if last - first + end > len(changed):
        stats.needs = k.ITEMS
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
            stats.changed_edges = count
        else:
            stats.changed_nodes = count - before
    return True


# ── storage ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def put_difference(number: Word, place: int, older: int, nodes: int, edges: int, run: RunArrays) -> int:
    """Stores the graph after a match behind the last state; returns its end, or -1: no room."""
    kept, scratch, stats = run.kept, run.scratch, run.stats
    data, begin, size = kept.data, stats.kept_end, nodes + edges
    width = stats.changed_edges + stats.changed_nodes
    if size <= stats.small or (stats.small >= 0 and 2 * (width + k.HEAD_SIZE) > size):
        last = write_whole(place, scratch.out, run)
        if last < 0:
            return last
        if begin + last > len(data):
            stats.needs = k.KEPT
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
        stats.needs = k.KEPT
        return np.int64(-1)
    data[begin + k.DIFFERS], data[begin + k.OLDER] = -1 - place, older
    data[begin + k.DIFFERENT_EDGES], data[begin + k.DIFFERENT_NODES] = stats.changed_edges, stats.changed_nodes
    data[begin + k.ALL_NODES], data[begin + k.ALL_EDGES], data[begin + k.SINCE] = nodes, edges, since
    end = begin + k.HEAD_SIZE
    for i in range(width):
        data[end + i] = scratch.changed[i]
    end += width
    if is_whole:
        last = write_whole(place, scratch.out, run)
        if last < 0:
            return last
        for i in range(2, last):
            data[end + i - 2] = scratch.out[i]
        end += size
    return np.int64(end)
