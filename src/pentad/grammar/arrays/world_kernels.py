"""Kernels of the world of the array engine: hashes, and the numbers of edges, values, events and labels."""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Ints, Stats, Words, World
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.types import Word

ONE, LOW, HIGH = np.uint64(1), np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)
STEP, FIRST_FACTOR, SECOND_FACTOR = (
    np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
)  # fmt: skip
A, B, C = np.uint64(30), np.uint64(27), np.uint64(31)


@kernel
def mixed(word: Word) -> Word:
    """Hash of a word."""
    word += STEP
    word = (word ^ (word >> A)) * FIRST_FACTOR
    word = (word ^ (word >> B)) * SECOND_FACTOR
    return word ^ (word >> C)


@kernel
def hash_of(one: int, other: int) -> Word:
    """Hash of two numbers."""
    return mixed(np.uint64(one) ^ mixed(np.uint64(other)))


@kernel
def sort(numbers: Ints, first: int, last: int) -> None:
    """Sorts a part of an array."""
    gap = (last - first) // 2
    while gap > 0:
        for i in range(first + gap, last):
            number, at = numbers[i], i
            while at - gap >= first and numbers[at - gap] > number:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = number
        gap = 1 if gap == 2 else gap * 5 // 11


# ── edges ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def edge_slot(world: World, source: int, label: int, target: int) -> int:
    """The slot of an edge, or the free slot where it belongs."""
    edges, slots = world.edges, world.edge_slots
    mask = len(slots) - 1
    slot = np.int64(hash_of((np.int64(source) << 32) | target, label) & LOW) & mask
    while slots[slot] != 0:
        edge = slots[slot] - 1
        if edges[edge, k.SOURCE] == source and edges[edge, k.TARGET] == target and edges[edge, k.LABEL] == label:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def known_edge(world: World, source: int, label: int, target: int) -> int:
    """The number of an edge; -1 if it never occurred."""
    return np.int64(world.edge_slots[edge_slot(world, source, label, target)]) - 1


@kernel
def edge_of(world: World, source: int, label: int, target: int, stats: Stats) -> int:
    """The number of an edge, a new one if it has none; -1 if there is no room for it."""
    slot = edge_slot(world, source, label, target)
    if world.edge_slots[slot] != 0:
        return np.int64(world.edge_slots[slot]) - 1
    number = stats.world_edges
    if number == len(world.edges):
        stats.needs = k.EDGES
        return np.int64(-1)
    edges = world.edges
    edges[number, k.SOURCE], edges[number, k.LABEL], edges[number, k.TARGET] = source, label, target
    stats.world_edges = number + 1
    world.edge_slots[slot] = number + 1
    return np.int64(number)


# ── nodes and values ─────────────────────────────────────────────────────────────────────────────


@kernel
def new_node(world: World, sort: int, content: int, stats: Stats) -> int:
    """The number of a new node or value; -1 if there is no room for it."""
    number = stats.world_nodes
    if number == len(world.nodes):
        stats.needs = k.NODES
        return np.int64(-1)
    world.nodes[number, k.SORT], world.nodes[number, k.CONTENT] = sort, content
    stats.world_nodes = number + 1
    return np.int64(number)


@kernel
def value_slot(world: World, sort: int, content: int) -> int:
    """The slot of a value, or the free slot where it belongs."""
    mask = len(world.node_slots) - 1
    slot = np.int64(hash_of(content, sort) & LOW) & mask
    while world.node_slots[slot] != 0:
        node = world.node_slots[slot] - 1
        if world.nodes[node, k.SORT] == sort and world.nodes[node, k.CONTENT] == content:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def value_of(world: World, sort: int, content: int, stats: Stats) -> int:
    """The node of a value, a new one if it has none; -1 if there is no room for it."""
    slot = value_slot(world, sort, content)
    if world.node_slots[slot] == 0:
        number = new_node(world, sort, content, stats)
        if number < 0:
            return number
        world.node_slots[slot] = number + 1
    return np.int64(world.node_slots[slot]) - 1


# ── records ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def hash_of_key(key: Ints, first: int, size: int) -> Word:
    """Hash of a part of an array."""
    found = np.uint64(size)
    for i in range(first, first + size):
        found = mixed(found ^ np.uint64(key[i]))
    return found


@kernel
def record_slot(world: World, key: Ints, first: int, size: int) -> int:
    """The slot of the record with a key, or the free slot where it belongs."""
    records, slots = world.records, world.record_slots
    mask = len(slots) - 1
    slot = np.int64(hash_of_key(key, first, size) & LOW) & mask
    while slots[slot] != 0:
        record = slots[slot]
        if records[record + k.RECORD_SIZE] == size:
            is_equal = True
            for i in range(size):
                if records[record + k.RECORD_KEY + i] != key[first + i]:
                    is_equal = False
                    break
            if is_equal:
                break
        slot = (slot + 1) & mask
    return slot


@kernel
def record_of(world: World, key: Ints, first: int, size: int, stats: Stats) -> int:
    """The record with a key, a new one if there is none; -1 if there is no room for it."""
    slot = record_slot(world, key, first, size)
    if world.record_slots[slot] == 0:
        record = stats.used_records
        if record + k.RECORD_KEY + size > len(world.records):
            stats.needs = k.RECORDS
            return np.int64(-1)
        world.records[record + k.RECORD_SIZE], world.records[record + k.RECORD_VALUE] = size, 0
        world.records[record + k.RECORD_STAMP] = 0
        for i in range(size):
            world.records[record + k.RECORD_KEY + i] = key[first + i]
        stats.used_records = record + k.RECORD_KEY + size
        world.record_slots[slot] = record
    return np.int64(world.record_slots[slot])


@kernel
def fill_slots(world: World, stats: Stats) -> None:
    """Enters everything into empty hash tables."""
    for edge in range(stats.world_edges):
        source, label, target = world.edges[edge, k.SOURCE], world.edges[edge, k.LABEL], world.edges[edge, k.TARGET]
        world.edge_slots[edge_slot(world, source, label, target)] = edge + 1
    for node in range(stats.world_nodes):
        if world.nodes[node, k.SORT] != k.NO_VALUE:
            world.node_slots[value_slot(world, world.nodes[node, k.SORT], world.nodes[node, k.CONTENT])] = node + 1
    record = 1
    while record < stats.used_records:
        size = world.records[record + k.RECORD_SIZE]
        world.record_slots[record_slot(world, world.records, record + k.RECORD_KEY, size)] = record
        record += k.RECORD_KEY + size


@kernel
def node_hash(node: int) -> Word:
    """The share of a node in the hash of a graph."""
    return mixed(np.uint64(node) << ONE)


@kernel
def edge_hash(edge: int) -> Word:
    """The share of an edge in the hash of a graph."""
    return mixed((np.uint64(edge) << ONE) | ONE)


@kernel
def hash_with_place(total: Word, place: int, nodes: int) -> Word:
    """Hash of a graph with its place in control, by the sum of its nodes and edges."""
    return mixed(np.uint64(place)) + mixed(np.uint64(nodes) << ONE) + total


@kernel
def hash_of_graph(graph: Ints, first: int, last: int) -> Word:
    """Hash of a graph with its place in control."""
    found = mixed(np.uint64(graph[first]))
    for i in range(first + 1, last):
        found += mixed((np.uint64(graph[i]) << ONE) | (ONE if i >= first + 2 + graph[first + 1] else np.uint64(0)))
    return found


@kernel
def fill_states(hashes: Words, count: int, slots: Words) -> None:
    """Enters states into a table, by their hashes; those whose hash is 0 are left out."""
    mask = np.uint64(len(slots) - 1)
    for i in range(count):
        if hashes[i] == np.uint64(0):
            continue
        slot = hashes[i] & mask
        while slots[slot] != np.uint64(0):
            slot = (slot + ONE) & mask
        slots[slot] = (hashes[i] & HIGH) | np.uint64(i + 1)
