"""Kernels of the current graph of the array engine: its lists, and changes of them by edges and nodes."""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Index, Ints, RunArrays, Stats, World
from pentad.grammar.arrays.isomorphism_kernels import add_images, edge_sketch
from pentad.grammar.arrays.world_kernels import edge_hash, node_hash
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np

ZERO = np.uint64(0)

# ── whole graphs ─────────────────────────────────────────────────────────────────────────────────


@kernel
def add_item(item: int, edge: int, is_fixed: int, world: World, index: Index) -> None:
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
def load(graph: Ints, first: int, edges: int, last: int, world: World, index: Index, stats: Stats) -> bool:
    """Makes a graph the current one: its nodes, up to the first edge, and its edges; whether there is room for it."""
    nodes = edges - first
    if stats.fixed_items + last - edges + 1 > len(index.items):
        stats.needs = k.ITEMS
        return False
    stats.stamp += 1
    stamp = stats.stamp
    stats.listed = stats.fixed_nodes + nodes
    for at in range(nodes):
        node = graph[first + at]
        index.listed[stats.fixed_nodes + at] = node
        index.heads[node, k.NODE_MARK] = stamp
    stats.item_end = stats.fixed_items + last - edges + 1
    for at in range(last - 1, edges - 1, -1):
        index.edge_marks[graph[at]] = stamp
        add_item(stats.fixed_items + 1 + at - edges, graph[at], 0, world, index)
    return True


@kernel
def unload(index: Index, stats: Stats) -> None:
    """Empties the lists of the current graph."""
    for item in range(stats.fixed_items + 1, stats.item_end):
        index.heads[index.items[item, k.ITEM_SOURCE], k.OUT_OTHER] = 0
        index.heads[index.items[item, k.ITEM_TARGET], k.INTO_OTHER] = 0
        index.label_heads[index.items[item, k.ITEM_LABEL]] = 0
    stats.item_end = stats.current = 0


# ── changes ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def has_node(node: int, index: Index, stats: Stats) -> bool:
    """Whether the current graph has a node of its own."""
    return bool(index.heads[node, k.NODE_MARK] == stats.stamp)


@kernel
def has_own_edge(edge: int, index: Index, stats: Stats) -> bool:
    """Whether the current graph has an edge that is not fixed."""
    return bool(index.edge_marks[edge] == stats.stamp)


@kernel
def allow_changes(run: RunArrays) -> None:
    """Prepares the lists of the current graph for changes: the items before, the last ones, and the sums."""
    index, colours, stats = run.graph, run.colours, run.stats
    items, heads, backs, totals = index.items, index.heads, index.backs, index.totals
    first, last = stats.fixed_items + 1, stats.item_end
    stats.free_item, stats.own_edges, stats.base = 0, last - first, 0
    totals[k.TOTAL] = totals[k.SKETCHED] = ZERO
    for symmetry in range(stats.symmetries):
        colours.sums[stats.symmetries + symmetry] = ZERO
    for at in range(stats.fixed_nodes, stats.listed):
        totals[k.TOTAL] += node_hash(index.listed[at])
    for item in range(first, last):
        backs[item, k.BEFORE_OUT] = backs[item, k.BEFORE_INTO] = backs[item, k.BEFORE_LABEL] = 0
        index.edge_items[items[item, k.NUMBER]] = item
        add_edge_to_sums(items[item, k.NUMBER], True, run)
    for item in range(first, last):
        following = items[item, k.NEXT_OUT]
        if following != 0:
            backs[following, k.BEFORE_OUT] = item
        else:
            heads[items[item, k.ITEM_SOURCE], k.OUT_LAST] = item
        following = items[item, k.NEXT_INTO]
        if following != 0:
            backs[following, k.BEFORE_INTO] = item
        else:
            heads[items[item, k.ITEM_TARGET], k.INTO_LAST] = item
        following = items[item, k.NEXT_LABEL]
        if following != 0:
            backs[following, k.BEFORE_LABEL] = item
        else:
            index.label_lasts[items[item, k.ITEM_LABEL]] = item


@kernel
def add_edge_to_sums(edge: int, is_added: bool, run: RunArrays) -> None:
    """Adds an edge to the sums of the current graph, or takes it away."""
    world, index, colours, stats = run.world, run.graph, run.colours, run.stats
    if is_added:
        index.totals[k.TOTAL] += edge_hash(edge)
    else:
        index.totals[k.TOTAL] -= edge_hash(edge)
    if stats.symmetries > 0:
        add_images(edge, is_added, stats.symmetries, world, colours, stats)
    elif stats.isomorphic != 0:
        if is_added:
            index.totals[k.SKETCHED] += edge_sketch(edge, world)
        else:
            index.totals[k.SKETCHED] -= edge_sketch(edge, world)


@kernel
def link(item: int, node: int, is_into: int, index: Index) -> None:
    """Puts an item into the list of one of its ends, by the number of its edge."""
    items, heads, backs = index.items, index.heads, index.backs
    head, last, following_one = k.OUT_OTHER + is_into, k.OUT_LAST + is_into, k.NEXT_OUT + is_into
    edge = items[item, k.NUMBER]
    at = heads[node, last] if heads[node, head] != 0 else 0
    while at != 0 and items[at, k.NUMBER] > edge:
        at = backs[at, is_into]
    following = items[at, following_one] if at != 0 else heads[node, head]
    backs[item, is_into], items[item, following_one] = at, following
    if at != 0:
        items[at, following_one] = item
    else:
        heads[node, head] = item
    if following != 0:
        backs[following, is_into] = item
    else:
        heads[node, last] = item


@kernel
def unlink(item: int, node: int, is_into: int, index: Index) -> None:
    """Takes an item out of the list of one of its ends."""
    items, heads, backs = index.items, index.heads, index.backs
    before, following = backs[item, is_into], items[item, k.NEXT_OUT + is_into]
    if before != 0:
        items[before, k.NEXT_OUT + is_into] = following
    else:
        heads[node, k.OUT_OTHER + is_into] = following
    if following != 0:
        backs[following, is_into] = before
    else:
        heads[node, k.OUT_LAST + is_into] = before


@kernel
def link_label(item: int, label: int, index: Index) -> None:
    """Puts an item into the list of its label, by the number of its edge."""
    items, backs, heads, lasts = index.items, index.backs, index.label_heads, index.label_lasts
    edge = items[item, k.NUMBER]
    at = lasts[label] if heads[label] != 0 else 0
    while at != 0 and items[at, k.NUMBER] > edge:
        at = backs[at, k.BEFORE_LABEL]
    following = items[at, k.NEXT_LABEL] if at != 0 else heads[label]
    backs[item, k.BEFORE_LABEL], items[item, k.NEXT_LABEL] = at, following
    if at != 0:
        items[at, k.NEXT_LABEL] = item
    else:
        heads[label] = item
    if following != 0:
        backs[following, k.BEFORE_LABEL] = item
    else:
        lasts[label] = item


@kernel
def unlink_label(item: int, label: int, index: Index) -> None:
    """Takes an item out of the list of its label."""
    items, backs = index.items, index.backs
    before, following = backs[item, k.BEFORE_LABEL], items[item, k.NEXT_LABEL]
    if before != 0:
        items[before, k.NEXT_LABEL] = following
    else:
        index.label_heads[label] = following
    if following != 0:
        backs[following, k.BEFORE_LABEL] = before
    else:
        index.label_lasts[label] = before


@kernel
def change_edge(edge: int, run: RunArrays) -> bool:
    """Removes an edge from the current graph, or adds it if it is not there; whether there is room for it."""
    world, index, stats = run.world, run.graph, run.stats
    items = index.items
    source, target = world.edges[edge, k.SOURCE], world.edges[edge, k.TARGET]
    label = world.edges[edge, k.LABEL]
    is_added = not has_own_edge(edge, index, stats)
    if is_added:
        item = stats.free_item
        if item != 0:
            stats.free_item = items[item, k.NEXT_LABEL]
        else:
            item = stats.item_end
            if item == len(items):
                stats.needs = k.ITEMS
                return False
            stats.item_end = item + 1
        items[item, k.NUMBER], items[item, k.ITEM_SOURCE] = edge, source
        items[item, k.ITEM_LABEL], items[item, k.ITEM_TARGET] = label, target
        link(item, source, 0, index)
        link(item, target, 1, index)
        link_label(item, label, index)
        index.edge_items[edge] = item
        index.edge_marks[edge] = stats.stamp
        stats.own_edges += 1
    else:
        item = np.int64(index.edge_items[edge])
        unlink(item, source, 0, index)
        unlink(item, target, 1, index)
        unlink_label(item, label, index)
        items[item, k.NUMBER], items[item, k.NEXT_LABEL] = -1, stats.free_item
        stats.free_item = item
        index.edge_marks[edge] = 0
        stats.own_edges -= 1
    add_edge_to_sums(edge, is_added, run)
    return True


@kernel
def change_node(node: int, index: Index, stats: Stats) -> None:
    """Removes a node from the current graph, or adds it if it is not there."""
    listed, end = index.listed, stats.listed
    if has_node(node, index, stats):
        at = end - 1
        while listed[at] != node:
            at -= 1
        for i in range(at, end - 1):
            listed[i] = listed[i + 1]
        stats.listed = end - 1
        index.heads[node, k.NODE_MARK] = 0
        index.totals[k.TOTAL] -= node_hash(node)
    else:
        at = end
        while at > stats.fixed_nodes and listed[at - 1] > node:
            listed[at] = listed[at - 1]
            at -= 1
        listed[at] = node
        stats.listed = end + 1
        index.heads[node, k.NODE_MARK] = stats.stamp
        index.totals[k.TOTAL] += node_hash(node)
