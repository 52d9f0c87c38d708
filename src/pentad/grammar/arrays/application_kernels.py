"""Kernels of the array engine that apply matches: their events, and the graphs after them."""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Index, Ints, RunArrays, Scratch, Stats, Tables, World
from pentad.grammar.arrays.match_kernels import ABSENT, ENDED, search
from pentad.grammar.arrays.world_kernels import LOW, edge_of, hash_of_key, new_node, record_of
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Rows

# ── events ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def put_part(level: int, within: int, part: int, variables: int, scratch: Scratch, stats: Stats) -> bool:
    """Stores the images of a part of a match; whether there is room for it."""
    if part >= len(scratch.parts) // (k.IMAGES + variables):
        stats.needs = k.PARTS
        return False
    row = part * (k.IMAGES + variables)
    scratch.parts[row + k.PART_LEVEL], scratch.parts[row + k.PART_WITHIN] = level, within
    for variable in range(variables):
        scratch.parts[row + k.IMAGES + variable] = scratch.found[variable]
    return True


@kernel
def collect_parts(rule: int, run: RunArrays) -> int:
    """Finds the matches of all universal levels with effects within a match; returns the number of parts.

    0 if a level that needs a match has none, ENDED after a stop or if an array is too small.
    """
    tables, scratch, stats = run.tables, run.scratch, run.stats
    first, levels = tables.rules[rule, k.LEVELS], tables.rules[rule, k.LEVEL_COUNT]
    variables, parts, part = tables.rules[rule, k.VARIABLES], 1, 0
    if not put_part(first, -1, 0, variables, scratch, stats):
        return ENDED
    while part < parts:
        row = part * (k.IMAGES + variables)
        for level in range(first + 1, first + levels):
            if tables.levels[level, k.PARENT] != scratch.parts[row + k.PART_LEVEL] or tables.levels[level, k.PLAN] < 0:
                continue
            for variable in range(variables):
                scratch.found[variable] = scratch.parts[row + k.IMAGES + variable]
            before = parts
            at = search(np.int64(tables.levels[level, k.PLAN]), True, run)
            while at >= 0:
                if not put_part(level, part, parts, variables, scratch, stats):
                    return ENDED
                parts += 1
                at = search(at, False, run)
            if at == ENDED:
                return ENDED
            if parts == before and tables.levels[level, k.NEEDS_MATCH] != 0:
                return 0
        part += 1
    return parts


@kernel
def put_anchors(level: int, row: int, at: int, tables: Tables, scratch: Scratch) -> int:
    """Writes the images of a level's anchors into the key; returns the key's end."""
    anchors = tables.levels[level, k.ANCHORS]
    for i in range(anchors + 1, anchors + 1 + tables.lists[anchors]):
        scratch.key[at] = scratch.parts[row + k.IMAGES + tables.lists[i]]
        at += 1
    return at


@kernel
def is_before(one: int, other: int, width: int, key: Ints) -> bool:
    """Whether a row of the key comes before another."""
    for i in range(width):
        if key[one + i] != key[other + i]:
            return bool(key[one + i] < key[other + i])
    return False


@kernel
def sort_rows(first: int, count: int, width: int, key: Ints) -> None:
    """Sorts rows of the key."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            at, distance = first + i * width, gap * width
            while at >= first + distance and is_before(at, at - distance, width, key):
                for column in range(at, at + width):
                    key[column], key[column - distance] = key[column - distance], key[column]
                at -= distance
        gap = 1 if gap == 2 else gap * 5 // 11


@kernel
def event_of(rule: int, parts: int, tables: Tables, scratch: Scratch, stats: Stats) -> int:
    """Writes the event of a match into the key; returns its size, or -1 if there is no room.

    It is the images of the outermost level's anchors, then sorted rows of the levels within and their anchors' images.
    """
    first, key = tables.rules[rule, k.LEVELS], scratch.key
    stride = k.IMAGES + tables.rules[rule, k.VARIABLES]
    width = 1 + stride
    if 2 * (parts + 2) * width > len(key):
        stats.needs = k.PARTS
        return -1
    start = put_anchors(first, 0, 0, tables, scratch)
    end = start
    for part in range(1, parts):
        level = scratch.parts[part * stride + k.PART_LEVEL]
        if tables.levels[level, k.DISTINGUISHES] == 0:
            continue
        key[end] = level
        filled = put_anchors(level, part * stride, end + 1, tables, scratch)
        end += width
        while filled < end:
            key[filled] = -1
            filled += 1
    sort_rows(start, (end - start) // width, width, key)
    return end


@kernel
def is_new_event(size: int, scratch: Scratch, stats: Stats) -> int:
    """Whether the event in the key is new among those of a call: 1 or 0, or -1 if there is no room for it."""
    keys, slots, stamp, end = scratch.event_keys, scratch.event_slots, stats.events_stamp, stats.events_end
    mask = len(slots) - 1
    slot = np.int64(hash_of_key(scratch.key, 0, size) & LOW) & mask
    while slots[slot, 0] == stamp:
        at = slots[slot, 1]
        if keys[at] == size:
            is_equal = True
            for i in range(size):
                if keys[at + 1 + i] != scratch.key[i]:
                    is_equal = False
                    break
            if is_equal:
                return 0
        slot = (slot + 1) & mask
    if end + 1 + size > len(keys):
        stats.needs = k.EVENTS
        return -1
    slots[slot, 0], slots[slot, 1] = stamp, end
    keys[end] = size
    for i in range(size):
        keys[end + 1 + i] = scratch.key[i]
    stats.events_end = end + 1 + size
    return 1


# ── application ──────────────────────────────────────────────────────────────────────────────────


@kernel
def free_node(record: int, world: World, index: Index, stats: Stats) -> int:
    """A node that an event created before and that is not in the graph, or a new one; -1: no room.

    Parts of a match with the same event do not get the same nodes.
    """
    last = np.int64(0)
    if world.records[record + k.RECORD_STAMP] == stats.apply_stamp:
        last = np.int64(world.records[record + k.RECORD_MADE])
    while True:
        following = world.made[last, 1] if last > 0 else world.records[record + k.RECORD_VALUE]
        if following == 0:
            following = stats.used_made
            if following == len(world.made):
                stats.needs = k.MADE
                return np.int64(-1)
            node = new_node(world, k.NO_VALUE, 0, stats)
            if node < 0:
                return node
            world.made[following, 0], world.made[following, 1] = node, 0
            stats.used_made = following + 1
            if last > 0:
                world.made[last, 1] = following
            else:
                world.records[record + k.RECORD_VALUE] = following
        last = np.int64(following)
        node = np.int64(world.made[last, 0])
        if index.heads[node, k.NODE_MARK] != stats.stamp:
            world.records[record + k.RECORD_MADE] = last
            world.records[record + k.RECORD_STAMP] = stats.apply_stamp
            return node


@kernel
def event_record(size: int, world: World, scratch: Scratch, stats: Stats) -> int:
    """The record of the event in the key, to which the records of its created nodes refer; -1: no room."""
    scratch.key[size] = k.OF_EVENT
    for i in range(size):
        scratch.key[size + 1 + i] = scratch.key[i]
    return record_of(world, scratch.key, size, size + 1, stats)


@kernel
def create_nodes(rule: int, parts: int, size: int, run: RunArrays) -> bool:
    """Gives the created nodes of each part of a match their images; the event is in the key. Whether there is room."""
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    stride, lists = k.IMAGES + tables.rules[rule, k.VARIABLES], tables.lists
    stats.apply_stamp += 1
    event = np.int64(0)  # its record, if one is needed
    for part in range(parts):
        row = part * stride
        level = scratch.parts[row + k.PART_LEVEL]
        around = scratch.parts[row + k.PART_WITHIN]
        while around >= 0:
            listed = tables.levels[scratch.parts[around * stride + k.PART_LEVEL], k.CREATED_NODES]
            for i in range(listed + 1, listed + 1 + lists[listed]):
                scratch.parts[row + k.IMAGES + lists[i]] = scratch.parts[around * stride + k.IMAGES + lists[i]]
            around = scratch.parts[around * stride + k.PART_WITHIN]
        listed = tables.levels[level, k.CREATED_NODES]
        if lists[listed] == 0:
            continue
        is_alone = part == 0 and tables.rules[rule, k.IS_ALONE] != 0
        if event == 0 and not is_alone:
            event = event_record(size, world, scratch, stats)
            if event < 0:
                return False
        scratch.key[size] = level
        end = put_anchors(level, row, size + 1, tables, scratch)
        if not is_alone:
            scratch.key[end] = event
            end += 1
        record = record_of(world, scratch.key, size, end - size, stats)
        if record < 0:
            return False
        for i in range(listed + 1, listed + 1 + lists[listed]):
            node = free_node(record, world, index, stats)
            if node < 0:
                return False
            scratch.parts[row + k.IMAGES + lists[i]] = node
    return True


@kernel
def insert(numbers: Rows[Ints], column: int, count: int, number: int) -> int:
    """Inserts a number into the sorted ones of a column, if it is not among them; returns their count."""
    at = count
    while at > 0 and numbers[at - 1, column] > number:
        at -= 1
    if at > 0 and numbers[at - 1, column] == number:
        return count
    for i in range(count, at, -1):
        numbers[i, column] = numbers[i - 1, column]
    numbers[at, column] = number
    return count + 1


@kernel
def image_of(part: int, at: int, run: RunArrays) -> int:
    """The number of the edge that an effect stands for: source, label and target follow each other in a list."""
    tables, world, scratch, stats = run.tables, run.world, run.scratch, run.stats
    row, lists = part + k.IMAGES, tables.lists
    source, target = scratch.parts[row + lists[at]], scratch.parts[row + lists[at + 2]]
    return edge_of(world, source, lists[at + 1], target, stats)


@kernel
def collect_effects(rule: int, parts: int, run: RunArrays) -> int:
    """Marks what the parts of a match delete, and collects what they create, sorted; returns whether nodes are deleted.

    -1 if there is no room. The numbers of created nodes and edges are written into `stats`.
    """
    tables, scratch, stats = run.tables, run.scratch, run.stats
    stride, lists = k.IMAGES + tables.rules[rule, k.VARIABLES], tables.lists
    stamp, nodes, edges, deletes_nodes = stats.apply_stamp, 0, 0, 0
    for part in range(parts):
        row = part * stride
        level = scratch.parts[row + k.PART_LEVEL]
        listed = tables.levels[level, k.ERASED_NODES]
        for i in range(listed + 1, listed + 1 + lists[listed]):
            scratch.deleted_nodes[scratch.parts[row + k.IMAGES + lists[i]]] = stamp
            deletes_nodes = 1
        listed = tables.levels[level, k.ERASED]
        for i in range(listed + 1, listed + 1 + lists[listed], 3):
            edge = image_of(row, i, run)
            if edge < 0:
                return -1
            scratch.deleted[edge] = stamp
        listed = tables.levels[level, k.CREATED_NODES]
        if max(nodes + lists[listed], edges + lists[tables.levels[level, k.CREATED]]) > len(scratch.created):
            stats.needs = k.PARTS
            return -1
        for i in range(listed + 1, listed + 1 + lists[listed]):
            nodes = insert(scratch.created, 1, nodes, scratch.parts[row + k.IMAGES + lists[i]])
        listed = tables.levels[level, k.CREATED]
        for i in range(listed + 1, listed + 1 + lists[listed], 3):
            edge = image_of(row, i, run)
            if edge < 0:
                return -1
            edges = insert(scratch.created, 0, edges, edge)
    stats.made_nodes, stats.made_edges = nodes, edges
    return deletes_nodes


@kernel
def put_nodes(place: int, graph: Ints, first: int, index: Index, scratch: Scratch, stats: Stats) -> int:
    """Writes the nodes of the graph after a match; returns their end."""
    out, stamp, nodes = scratch.out, stats.apply_stamp, stats.made_nodes
    out[0] = place
    end, at, other, stop = 2, first + 2, 0, first + 2 + graph[first + 1]
    while at < stop or other < nodes:
        if other == nodes or (at < stop and graph[at] < scratch.created[other, 1]):
            node = graph[at]
            at += 1
        else:
            node = scratch.created[other, 1]
            other += 1
        if scratch.deleted_nodes[node] != stamp and index.heads[node, k.MERGED_INTO] == 0:
            out[end] = node
            end += 1
    out[1] = end - 2
    return end


@kernel
def change(rule: int, parts: int, place: int, graph: Ints, first: int, last: int, run: RunArrays) -> int:
    """Writes the graph after a match whose parts have all their images; returns its end, or -1: no room."""
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    deletes_nodes = collect_effects(rule, parts, run)
    if deletes_nodes < 0:
        return -1
    stamp, edges, out = stats.apply_stamp, stats.made_edges, scratch.out
    if last - first + stats.made_nodes + edges > len(out):
        stats.needs = k.ITEMS
        return -1
    if tables.rules[rule, k.MERGES] != 0:
        return merge(rule, parts, place, graph, first, last, run)
    end = put_nodes(place, graph, first, index, scratch, stats)
    at, other = first + 2 + graph[first + 1], 0
    while at < last or other < edges:
        is_old = other == edges or (at < last and graph[at] <= scratch.created[other, 0])
        if is_old:
            edge = graph[at]
            at += 1
            is_created = other < edges and edge == scratch.created[other, 0]
            other += 1 if is_created else 0
            if scratch.deleted[edge] == stamp and not is_created:
                continue
        else:
            edge = scratch.created[other, 0]
            other += 1
            if index.edge_marks[edge] == -1:
                continue
        if deletes_nodes != 0:
            source, target = world.edges[edge, k.SOURCE], world.edges[edge, k.TARGET]
            if scratch.deleted_nodes[source] == stamp or scratch.deleted_nodes[target] == stamp:
                continue
        out[end] = edge
        end += 1
    return end


@kernel
def is_cut(edge: int, world: World, scratch: Scratch, stamp: int) -> bool:
    """Whether an end of an edge is deleted."""
    source, target = world.edges[edge, k.SOURCE], world.edges[edge, k.TARGET]
    return bool(scratch.deleted_nodes[source] == stamp or scratch.deleted_nodes[target] == stamp)


@kernel
def put_change(end: int, number: int, scratch: Scratch, stats: Stats) -> int:
    """Adds an edge or a node to those that a match adds or removes; returns their end, or -1: no room."""
    if end < 0 or end == len(scratch.changed):
        stats.needs = k.ITEMS
        return np.int64(-1)
    scratch.changed[end] = number
    return np.int64(end + 1)


@kernel
def cut_edges(node: int, end: int, index: Index, scratch: Scratch, stats: Stats) -> int:
    """Adds the edges of a deleted node to the changes, unless they are there; returns their end, or -1: no room."""
    stamp = stats.apply_stamp
    for is_into in range(2):
        item = index.heads[node, k.OUT_OTHER + is_into]
        while item != 0:
            edge = index.items[item, k.NUMBER]
            if scratch.deleted[edge] != -stamp:
                scratch.deleted[edge] = -stamp
                end = put_change(end, edge, scratch, stats)
            item = index.items[item, k.NEXT_OUT + is_into]
    return end


@kernel
def difference(rule: int, parts: int, run: RunArrays) -> bool:
    """Writes the edges and nodes by which the graph after a match differs from the current one; whether there is room.

    The effects are collected already. What is settled gets the stamp with a minus sign.
    """
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    stride, lists = k.IMAGES + tables.rules[rule, k.VARIABLES], tables.lists
    stamp, current, end = stats.apply_stamp, stats.stamp, np.int64(0)
    for at in range(stats.made_edges):
        edge = scratch.created[at, 0]
        if not is_cut(edge, world, scratch, stamp):
            scratch.deleted[edge] = -stamp
            if index.edge_marks[edge] != current and index.edge_marks[edge] != -1:
                end = put_change(end, edge, scratch, stats)
    for part in range(parts):
        row = part * stride
        level = scratch.parts[row + k.PART_LEVEL]
        listed = tables.levels[level, k.ERASED]
        for i in range(listed + 1, listed + 1 + lists[listed], 3):
            edge = image_of(row, i, run)
            if scratch.deleted[edge] != -stamp and index.edge_marks[edge] == current:
                scratch.deleted[edge] = -stamp
                end = put_change(end, edge, scratch, stats)
        listed = tables.levels[level, k.ERASED_NODES]
        for i in range(listed + 1, listed + 1 + lists[listed]):
            end = cut_edges(scratch.parts[row + k.IMAGES + lists[i]], end, index, scratch, stats)
    stats.changed_edges = end
    for at in range(stats.made_nodes):
        node = scratch.created[at, 1]
        if scratch.deleted_nodes[node] != stamp:
            end = put_change(end, node, scratch, stats)
    for part in range(parts):
        row = part * stride
        listed = tables.levels[scratch.parts[row + k.PART_LEVEL], k.ERASED_NODES]
        for i in range(listed + 1, listed + 1 + lists[listed]):
            node = scratch.parts[row + k.IMAGES + lists[i]]
            if scratch.deleted_nodes[node] == stamp and index.heads[node, k.NODE_MARK] == current:
                scratch.deleted_nodes[node] = -stamp
                end = put_change(end, node, scratch, stats)
    stats.changed_nodes = end - stats.changed_edges
    return bool(end >= 0)


# ── merging ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def merged(node: int, index: Index) -> int:
    """The node that a node is merged into, or itself."""
    while index.heads[node, k.MERGED_INTO] != 0:
        node = index.heads[node, k.MERGED_INTO] - 1
    return node


@kernel
def group(rule: int, parts: int, run: RunArrays) -> None:
    """Groups the merged nodes: the first of a pair stays; a group with a deleted node is deleted."""
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    stride, lists = k.IMAGES + tables.rules[rule, k.VARIABLES], tables.lists
    for part in range(parts):
        listed = tables.levels[scratch.parts[part * stride + k.PART_LEVEL], k.MERGED]
        images = part * stride + k.IMAGES
        for i in range(listed + 1, listed + 1 + lists[listed], 2):
            kept = merged(scratch.parts[images + lists[i]], index)
            dropped = merged(scratch.parts[images + lists[i + 1]], index)
            if kept != dropped:
                index.heads[dropped, k.MERGED_INTO] = kept + 1
    for part in range(parts):
        listed = tables.levels[scratch.parts[part * stride + k.PART_LEVEL], k.ERASED_NODES]
        for i in range(listed + 1, listed + 1 + lists[listed]):
            node = scratch.parts[part * stride + k.IMAGES + lists[i]]
            scratch.deleted_nodes[merged(node, index)] = stats.apply_stamp


@kernel
def ungroup(rule: int, parts: int, tables: Tables, index: Index, scratch: Scratch) -> None:
    """Forgets the groups of merged nodes."""
    stride = k.IMAGES + tables.rules[rule, k.VARIABLES]
    for part in range(parts):
        listed = tables.levels[scratch.parts[part * stride + k.PART_LEVEL], k.MERGED]
        for i in range(listed + 1, listed + 1 + tables.lists[listed]):
            index.heads[scratch.parts[part * stride + k.IMAGES + tables.lists[i]], k.MERGED_INTO] = 0


@kernel
def moved(edge: int, run: RunArrays) -> int:
    """An edge between the nodes that its ends are merged into; ABSENT if one is deleted, ENDED: no room."""
    world, index, scratch, stats = run.world, run.graph, run.scratch, run.stats
    one, other = world.edges[edge, k.SOURCE], world.edges[edge, k.TARGET]
    source, target = merged(one, index), merged(other, index)
    stamp = stats.apply_stamp
    if scratch.deleted_nodes[source] == stamp or scratch.deleted_nodes[target] == stamp:
        return ABSENT
    if source == one and target == other:
        return edge
    found = edge_of(world, source, world.edges[edge, k.LABEL], target, stats)
    return found if found >= 0 else ENDED


@kernel
def put_merged(rule: int, parts: int, end: int, graph: Ints, first: int, last: int, run: RunArrays) -> int:
    """Writes the edges of a graph with grouped nodes; returns their end, or -1: no room.

    An edge that is moved onto an existing edge does not change it: if that edge is deleted, it stays deleted.
    """
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    stride, lists, out = k.IMAGES + tables.rules[rule, k.VARIABLES], tables.lists, scratch.out
    stamp, begin, count = stats.apply_stamp, first + 2 + graph[first + 1], 0
    for at in range(begin, last):
        edge = graph[at]
        image = ABSENT if scratch.deleted[edge] == stamp else moved(edge, run)
        if image == ENDED:
            return -1
        if image >= 0 and image != edge and index.edge_marks[image] != stats.stamp:
            count = insert(scratch.created, 1, count, image)
    for part in range(parts):
        listed = tables.levels[scratch.parts[part * stride + k.PART_LEVEL], k.CREATED]
        for i in range(listed + 1, listed + 1 + lists[listed], 3):
            edge = image_of(part * stride, i, run)
            image = moved(edge, run) if edge >= 0 else ENDED
            if image == ENDED:
                return -1
            if image >= 0 and (index.edge_marks[image] != stats.stamp or scratch.deleted[edge] == stamp):
                count = insert(scratch.created, 1, count, image)
    at, other = begin, 0
    while at < last or other < count:
        if other == count or (at < last and graph[at] < scratch.created[other, 1]):
            edge = graph[at]
            at += 1
            if scratch.deleted[edge] == stamp or moved(edge, run) != edge:
                continue
        else:
            edge = scratch.created[other, 1]
            other += 1
            at += 1 if at < last and graph[at] == edge else 0
        out[end] = edge
        end += 1
    return end


@kernel
def merge(rule: int, parts: int, place: int, graph: Ints, first: int, last: int, run: RunArrays) -> int:
    """Writes the graph after a match that merges nodes; returns its end, or -1: no room."""
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    if last - first + stats.made_edges > len(scratch.created):
        stats.needs = k.PARTS
        return -1
    group(rule, parts, run)
    end = put_nodes(place, graph, first, index, scratch, stats)
    end = put_merged(rule, parts, end, graph, first, last, run)
    ungroup(rule, parts, tables, index, scratch)
    return end
