"""Kernels that compare graphs up to isomorphism: colour refinement, and a search for a mapping; or given symmetries.

A graph is a part of an array: its place in control, its number of nodes, its nodes and its edges. Nodes and edges that
are fixed belong to every graph. Values keep their identity. If all graphs have the same nodes, an isomorphism is a
symmetry of the fixed edges. If there are few of these, the images of a graph under each are compared instead.
"""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Colours, Index, Ints, RunArrays, Stats, World
from pentad.grammar.arrays.world_kernels import hash_of, known_edge, mixed
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Word

ZERO, ONE, TWO, HALF = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)
WORK = 1 << 13  # edges that are read to refine the colours of one graph
POLLED = 0xFFF
OF, OTHERS, SUMS = range(3)  # the columns of hues
HEAD, FIRST_PLACE, IMAGE, NODE, OTHER_NODE, ORDER, SIZE, CHOICE = range(
    8
)  # the columns of rows: three are by node, the others by place
LINK_SOURCE, LINK_LABEL, LINK_TARGET, NEXT_AT_SOURCE, NEXT_AT_TARGET = range(5)


@kernel
def number_of_nodes(graph: Ints, first: int, stats: Stats) -> int:
    """The number of nodes of a graph, with the fixed ones."""
    return np.int64(stats.fixed_nodes + graph[first + 1])


@kernel
def node_at(graph: Ints, first: int, index: Index, at: int, stats: Stats) -> int:
    """A node of a graph by its place; the fixed ones come first."""
    fixed = stats.fixed_nodes
    return np.int64(index.listed[at] if at < fixed else graph[first + 2 + at - fixed])


@kernel
def edge_at(graph: Ints, first: int, index: Index, at: int, stats: Stats) -> int:
    """An edge of a graph by its place; the fixed ones come first."""
    fixed = stats.fixed_items
    return np.int64(index.items[at + 1, k.NUMBER] if at < fixed else graph[first + 2 + graph[first + 1] + at - fixed])


@kernel
def count_colours(graph: Ints, first: int, index: Index, which: int, colours: Colours, stats: Stats) -> int:
    """The number of different colours."""
    hues, distinct = colours.hues, colours.distinct
    count, nodes, mask = 0, number_of_nodes(graph, first, stats), 63
    while mask < 2 * nodes:
        mask = 2 * mask + 1
    for empty in range(mask + 1):
        distinct[empty] = ZERO
    for at in range(nodes):
        hue = hues[node_at(graph, first, index, at, stats), which] | ONE
        slot = np.int64((hue >> TWO) & np.uint64(mask))
        while distinct[slot] != ZERO and distinct[slot] != hue:
            slot = (slot + 1) & mask
        if distinct[slot] == ZERO:
            distinct[slot] = hue
            count += 1
    return count


@kernel
def colour(graph: Ints, first: int, last: int, which: int, run: RunArrays) -> Word:
    """Colours the nodes of a graph by their edges, refined until stable; returns a hash of the graph's form.

    For a large graph the refinement ends early; isomorphic graphs have the same colours nevertheless.
    """
    world, index, colours, stats = run.world, run.graph, run.colours, run.stats
    nodes, links, hues, rows = number_of_nodes(graph, first, stats), colours.links, colours.hues, colours.rows
    edges = last - first - 2 - graph[first + 1] + stats.fixed_items
    for at in range(nodes):
        node = node_at(graph, first, index, at, stats)
        hues[node, which], hues[node, SUMS], rows[node, HEAD] = ONE, ZERO, 0
    count = 1  # 0 stands for no link
    for at in range(edges):
        edge = edge_at(graph, first, index, at, stats)
        source, label, target = world.edges[edge, k.SOURCE], world.edges[edge, k.LABEL], world.edges[edge, k.TARGET]
        if source == target:
            hues[source, which] += hash_of(label, 1)
        elif world.nodes[target, k.SORT] != k.NO_VALUE:
            hues[source, which] += mixed(
                hash_of(label, 2) ^ hash_of(world.nodes[target, k.CONTENT], world.nodes[target, k.SORT])
            )
        else:
            links[count, LINK_SOURCE], links[count, LINK_LABEL], links[count, LINK_TARGET] = source, label, target
            links[count, NEXT_AT_SOURCE], links[count, NEXT_AT_TARGET] = rows[source, HEAD], rows[target, HEAD]
            rows[source, HEAD] = rows[target, HEAD] = count
            count += 1
    for at in range(nodes):
        node = node_at(graph, first, index, at, stats)
        hues[node, which] = mixed(hues[node, which])
    different = count_colours(graph, first, index, which, colours, stats)
    rounds = 2 + WORK // count
    while rounds > 0 and different < nodes and count > 1:
        rounds -= 1
        for link in range(1, count):
            source, label, target = links[link, LINK_SOURCE], links[link, LINK_LABEL], links[link, LINK_TARGET]
            hues[source, SUMS] += mixed(hues[target, which] ^ np.uint64(2 * label + 1))
            hues[target, SUMS] += mixed(hues[source, which] ^ np.uint64(2 * label + 2))
        for at in range(nodes):
            node = node_at(graph, first, index, at, stats)
            hues[node, which] = mixed(hues[node, which] + hues[node, SUMS])
            hues[node, SUMS] = ZERO
        now = count_colours(graph, first, index, which, colours, stats)
        if now == different:
            break
        different = now
    form = mixed(np.uint64(graph[first]) ^ (np.uint64(edges) << TWO))
    for at in range(nodes):
        form += mixed(hues[node_at(graph, first, index, at, stats), which] ^ ONE)
    for link in range(1, count):  # colours do not say everything if all are different early
        form += mixed(
            hues[links[link, LINK_SOURCE], which]
            ^ mixed(hues[links[link, LINK_TARGET], which] ^ np.uint64(links[link, LINK_LABEL]))
        )
    return form


@kernel
def edge_sketch(edge: int, world: World) -> Word:
    """The share of an edge in the sketch of a graph: its label, its value, and whether it is a loop."""
    source, label, target = world.edges[edge, k.SOURCE], world.edges[edge, k.LABEL], world.edges[edge, k.TARGET]
    if world.nodes[target, k.SORT] != k.NO_VALUE:
        return mixed(hash_of(label, 2) ^ hash_of(world.nodes[target, k.CONTENT], world.nodes[target, k.SORT]))
    return hash_of(label, 1 if source == target else 0)


@kernel
def sketch_with_place(total: Word, place: int, nodes: int, edges: int) -> Word:
    """A hash of the labels and values of a graph, which isomorphic graphs share, by the sum of its edges."""
    return (total + hash_of(place, (2 + nodes + edges) << 1) + hash_of(nodes, 1)) | ONE


@kernel
def sketch(graph: Ints, first: int, last: int, world: World) -> Word:
    """The sketch of a whole graph."""
    total, nodes = ZERO, graph[first + 1]
    for at in range(first + 2 + nodes, last):
        total += edge_sketch(graph[at], world)
    return sketch_with_place(total, graph[first], nodes, last - first - 2 - nodes)


@kernel
def sort_by_colour(column: int, count: int, which: int, colours: Colours) -> None:
    """Sorts nodes by their colours."""
    rows, hues, gap = colours.rows, colours.hues, count // 2
    while gap > 0:
        for i in range(gap, count):
            node, at = rows[i, column], i
            while at >= gap and hues[rows[at - gap, column], which] > hues[node, which]:
                rows[at, column] = rows[at - gap, column]
                at -= gap
            rows[at, column] = node
        gap = 1 if gap == 2 else gap * 5 // 11


@kernel
def image_is_there(
    source: int, label: int, target: int, world: World, index: Index, colours: Colours, stamp: int
) -> bool:
    """Whether the other graph has the image of an edge."""
    one = colours.rows[source, IMAGE]
    other = colours.rows[target, IMAGE] if world.nodes[target, k.SORT] == k.NO_VALUE else target
    edge = known_edge(world, one, label, other)
    return bool(edge >= 0 and (colours.edge_marks[edge] == stamp or index.edge_marks[edge] == -1))


@kernel
def maps(graph: Ints, first: int, last: int, stamp: int, run: RunArrays) -> bool:
    """Whether the images of all nodes are a mapping of edges to edges."""
    world, index, colours, stats = run.world, run.graph, run.colours, run.stats
    edges = last - first - 2 - graph[first + 1] + stats.fixed_items
    for at in range(edges):
        edge = edge_at(graph, first, index, at, stats)
        source, label, target = world.edges[edge, k.SOURCE], world.edges[edge, k.LABEL], world.edges[edge, k.TARGET]
        if not image_is_there(source, label, target, world, index, colours, stamp):
            return False
    return True


@kernel
def fits(node: int, world: World, index: Index, colours: Colours, stamp: int) -> bool:
    """Whether the edges between a node and other nodes with images have images."""
    link = colours.rows[node, HEAD]
    while link != 0:
        source, target = colours.links[link, LINK_SOURCE], colours.links[link, LINK_TARGET]
        if colours.rows[target if source == node else source, IMAGE] >= 0 and not image_is_there(
            source, colours.links[link, LINK_LABEL], target, world, index, colours, stamp
        ):
            return False
        link = colours.links[link, NEXT_AT_SOURCE if source == node else NEXT_AT_TARGET]
    return True


@kernel
def put_in_order(count: int, colours: Colours, stats: Stats) -> None:
    """Puts nodes that are sorted by colour into the order of mapping: rare colours first, each before its neighbours.

    Each gets the first of the other graph's nodes with its colour, by place.
    """
    rows, hues, used = colours.rows, colours.hues, colours.used
    stamp = stats.colour_stamp
    for at in range(count):
        is_first = at == 0 or hues[rows[at, NODE], OF] != hues[rows[at - 1, NODE], OF]
        rows[rows[at, NODE], FIRST_PLACE] = at if is_first else rows[rows[at - 1, NODE], FIRST_PLACE]
    for at in range(count):
        rows[at, SIZE] = rows[at, CHOICE] = 0
    for at in range(count):
        rows[rows[rows[at, NODE], FIRST_PLACE], SIZE] += 1
    for at in range(count):
        rows[rows[rows[rows[at, NODE], FIRST_PLACE], SIZE] - 1, CHOICE] += 1
    for size in range(1, count):
        rows[size, CHOICE] += rows[size - 1, CHOICE]
    for at in range(count - 1, -1, -1):
        size = rows[rows[rows[at, NODE], FIRST_PLACE], SIZE] - 1
        rows[size, CHOICE] -= 1
        rows[rows[size, CHOICE], IMAGE] = rows[at, NODE]
    tail, links = 0, colours.links
    for at in range(count):
        if used[rows[at, IMAGE]] != -stamp:
            head = tail
            rows[tail, ORDER] = rows[at, IMAGE]
            used[rows[tail, ORDER]] = -stamp
            tail += 1
            while head < tail:
                node = rows[head, ORDER]
                head += 1
                link = rows[node, HEAD]
                while link != 0:
                    is_source = links[link, LINK_SOURCE] == node
                    other = links[link, LINK_TARGET if is_source else LINK_SOURCE]
                    if used[other] != -stamp:
                        used[other] = -stamp
                        rows[tail, ORDER] = other
                        tail += 1
                    link = links[link, NEXT_AT_SOURCE if is_source else NEXT_AT_TARGET]


@kernel
def are_isomorphic(
    graph: Ints, first: int, last: int, other: Ints, other_first: int, other_last: int, run: RunArrays
) -> int:
    """Whether two graphs with equal forms are isomorphic: 1 or 0, or -1 after a stop. The first is coloured already."""
    world, index, colours, stats = run.world, run.graph, run.colours, run.stats
    if last - first != other_last - other_first or graph[first + 1] != other[other_first + 1]:
        return 0
    if graph[first] != other[other_first]:
        return 0
    rows, hues, used = colours.rows, colours.hues, colours.used
    colour(other, other_first, other_last, OTHERS, run)
    stats.colour_stamp += 1
    stamp = stats.colour_stamp
    count = number_of_nodes(graph, first, stats)
    for at in range(count):
        rows[at, NODE] = node_at(graph, first, index, at, stats)
        rows[at, OTHER_NODE] = node_at(other, other_first, index, at, stats)
    sort_by_colour(NODE, count, OF, colours)
    sort_by_colour(OTHER_NODE, count, OTHERS, colours)
    are_distinct = True
    for at in range(count):
        if hues[rows[at, NODE], OF] != hues[rows[at, OTHER_NODE], OTHERS]:
            return 0
        are_distinct = are_distinct and (at == 0 or hues[rows[at, NODE], OF] != hues[rows[at - 1, NODE], OF])
    for at in range(other_first + 2 + other[other_first + 1], other_last):
        colours.edge_marks[other[at]] = stamp
    if are_distinct:
        for at in range(count):
            rows[rows[at, NODE], IMAGE] = rows[at, OTHER_NODE]
        return 1 if maps(graph, first, last, stamp, run) else 0
    colour(graph, first, last, OF, run)  # its links need this colour
    put_in_order(count, colours, stats)
    for at in range(count):
        rows[rows[at, NODE], IMAGE] = -1
        used[rows[at, OTHER_NODE]] = 0
    depth, steps = 0, 0
    rows[0, CHOICE] = rows[rows[0, ORDER], FIRST_PLACE]
    while depth >= 0:
        steps += 1
        if steps & POLLED == 0 and should_stop(stats):
            return -1
        node = rows[depth, ORDER]
        if rows[node, IMAGE] >= 0:
            used[rows[node, IMAGE]] = 0
            rows[node, IMAGE] = -1
        place = rows[depth, CHOICE]
        is_mapped = False
        while place < count and hues[rows[place, OTHER_NODE], OTHERS] == hues[node, OF]:
            image = rows[place, OTHER_NODE]
            place += 1
            if used[image] == stamp:
                continue
            rows[node, IMAGE] = image
            if fits(node, world, index, colours, stamp):
                used[image] = stamp
                is_mapped = True
                break
            rows[node, IMAGE] = -1
        rows[depth, CHOICE] = place
        if not is_mapped:
            depth -= 1
        elif depth + 1 < count:
            depth += 1
            rows[depth, CHOICE] = rows[rows[depth, ORDER], FIRST_PLACE]
        elif maps(graph, first, last, stamp, run):
            return 1
    return 0


# ── given symmetries ─────────────────────────────────────────────────────────────────────────────


@kernel
def image_of_node(node: int, symmetry: int, colours: Colours, stats: Stats) -> int:
    """The image of a node under a symmetry; that of a value is the value."""
    is_node = node < stats.symmetry_nodes
    return np.int64(colours.images[node * stats.symmetries + symmetry] if is_node else node)


@kernel
def add_images(edge: int, is_added: bool, first: int, world: World, colours: Colours, stats: Stats) -> None:
    """Adds the images of an edge to the sums from the first one on, or takes them away."""
    sums, images, symmetries = colours.sums, colours.images, stats.symmetries
    label = mixed(np.uint64(world.edges[edge, k.LABEL]))
    source, target = world.edges[edge, k.SOURCE] * symmetries, np.int64(world.edges[edge, k.TARGET])
    is_node = target < stats.symmetry_nodes
    for symmetry in range(symmetries):
        other = np.uint64(images[target * symmetries + symmetry] if is_node else target)
        share = mixed(((np.uint64(images[source + symmetry]) << HALF) | other) ^ label)
        if is_added:
            sums[first + symmetry] += share
        else:
            sums[first + symmetry] -= share


@kernel
def form_of_sums(place: int, colours: Colours, stats: Stats) -> Word:
    """A hash that a graph shares with its images under all symmetries, by the sums of these."""
    form = ZERO
    for symmetry in range(stats.symmetries):
        form += mixed(colours.sums[symmetry])
    return mixed(form ^ np.uint64(place)) | ONE


@kernel
def form_by_images(graph: Ints, first: int, last: int, world: World, colours: Colours, stats: Stats) -> Word:
    """The form of a whole graph; the hashes of its images are written into `sums`."""
    for symmetry in range(stats.symmetries):
        colours.sums[symmetry] = ZERO
    for at in range(first + 2 + graph[first + 1], last):
        add_images(graph[at], True, 0, world, colours, stats)
    return form_of_sums(graph[first], colours, stats)


@kernel
def form_by_change(place: int, changed: Ints, edges: int, run: RunArrays) -> Word:
    """The form of a graph that differs from the current one by some edges."""
    world, index, colours, stats = run.world, run.graph, run.colours, run.stats
    symmetries = stats.symmetries
    for symmetry in range(symmetries):
        colours.sums[symmetry] = colours.sums[symmetries + symmetry]
    for at in range(edges):
        is_added = index.edge_marks[changed[at]] != stats.stamp
        add_images(changed[at], is_added, 0, world, colours, stats)
    return form_of_sums(place, colours, stats)


@kernel
def first_edge(data: Ints, first: int) -> int:
    """Where the edges of a whole graph begin."""
    return np.int64(first + 2 + data[first + 1])


@kernel
def sum_images(state: int, run: RunArrays) -> None:
    """Makes the sums of the current graph's images those of a state, by the edges that differ from the one before."""
    world, kept, colours, stats = run.world, run.kept, run.colours, run.stats
    if stats.base == state + 1:
        return
    data, symmetries = kept.data, stats.symmetries
    at = first_edge(data, kept.begins[state])
    last, other, stop = kept.begins[state + 1], np.int64(0), np.int64(0)
    if stats.base > 0:
        other = first_edge(data, kept.begins[stats.base - 1])
        stop = kept.begins[stats.base]
    else:
        for symmetry in range(symmetries):
            colours.sums[symmetries + symmetry] = ZERO
    while at < last or other < stop:
        if at < last and other < stop and data[at] == data[other]:
            at += 1
            other += 1
        elif other == stop or (at < last and data[at] < data[other]):
            add_images(data[at], True, symmetries, world, colours, stats)
            at += 1
        else:
            add_images(data[other], False, symmetries, world, colours, stats)
            other += 1
    stats.base = state + 1


@kernel
def sum_of_edges(graph: Ints, first: int, last: int, world: World) -> Word:
    """The hash of a graph's own edges, as `form_by_images` has it for the identity."""
    found, edges = ZERO, world.edges
    for at in range(first + 2 + graph[first + 1], last):
        source, target = np.int64(edges[graph[at], k.SOURCE]), edges[graph[at], k.TARGET]
        found += hash_of((source << 32) | target, edges[graph[at], k.LABEL])
    return found


@kernel
def has_image(
    graph: Ints, first: int, last: int, symmetry: int, world: World, colours: Colours, stamp: int, stats: Stats
) -> bool:
    """Whether the image of each edge of a graph under a symmetry has a stamp."""
    edges = world.edges
    for at in range(first + 2 + graph[first + 1], last):
        source = image_of_node(edges[graph[at], k.SOURCE], symmetry, colours, stats)
        target = image_of_node(edges[graph[at], k.TARGET], symmetry, colours, stats)
        image = known_edge(world, source, edges[graph[at], k.LABEL], target)
        if image < 0 or colours.edge_marks[image] != stamp:
            return False
    return True


@kernel
def are_symmetric(
    graph: Ints,
    first: int,
    last: int,
    other: Ints,
    other_first: int,
    other_last: int,
    world: World,
    colours: Colours,
    stats: Stats,
) -> int:
    """Whether another graph is an image of a graph, of which the form was computed last: 1 or 0."""
    if last - first != other_last - other_first or graph[first] != other[other_first]:
        return 0
    stats.colour_stamp += 1
    stamp = stats.colour_stamp
    for at in range(other_first + 2 + other[other_first + 1], other_last):
        colours.edge_marks[other[at]] = stamp
    wanted = sum_of_edges(other, other_first, other_last, world)
    for symmetry in range(stats.symmetries):
        if colours.sums[symmetry] == wanted and has_image(graph, first, last, symmetry, world, colours, stamp, stats):
            return 1
    return 0
