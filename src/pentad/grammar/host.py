"""Host graphs as bit sets: a world numbers all nodes and edges that ever occur, and a host is a set of them.

A host is two integers, with a bit for each node and each edge, so that equal graphs are equal numbers and applying a
rule is a few operations. Labels of nodes (`type:`, `flag:`) are edges from a node to itself. Each value is one node;
values belong to every host and are in no host's set of nodes.

The indexes of edges, by label and by node, belong to the world and are shared by all hosts. An index is moved from one
host to the next by their difference, so that its cost is that of the change and not of the graph. It lists edges by
their numbers, independent of the hosts before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pentad.grammar.language.values import AttributeValue

T = TypeVar("T")
# The lists of edges at each node, the numbers of these edges, a node, and the other end of an edge at it.
Side: TypeAlias = "tuple[dict[int, list[T]], dict[int, list[int]], int, T]"

NOTHING: list[int] = []
NO_EDGES: list[tuple[str, int]] = []
MAX_CACHED_MASKS = 1024  # each is for the edges of a node
LONG_BITS, FEW = 256, 16  # a longer number is read one by one if it has few set bits
IN_BYTE = [[place for place in range(8) if byte >> place & 1] for byte in range(256)]


class Triple(NamedTuple):
    """An edge by the numbers of its ends."""

    source: int
    label: str
    target: int


def bits(number: int) -> Iterator[int]:
    """The positions of the set bits, lowest first."""
    return iter(_many_bits(number)) if number >> LONG_BITS and number.bit_count() > FEW else _few_bits(number)


def _few_bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _many_bits(number: int) -> list[int]:
    """The same, byte by byte: taking a bit from a long number costs as much as the number is long."""
    found: list[int] = []
    for at, byte in enumerate(number.to_bytes((number.bit_length() + 7) // 8, "little")):
        if byte:
            found += [8 * at + place for place in IN_BYTE[byte]]
    return found


def mask_of(places: Iterable[int]) -> int:
    """The number with the bits at these positions set."""
    listed = list(places)
    if not listed:
        return 0
    data = bytearray(max(listed) // 8 + 1)
    for place in listed:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


class EdgeIndex(Generic[T]):
    """An index of some edges (those of a label, or all changing ones) in the last host it was moved to.

    It lists the edges out of each node and into each node, by their other ends, in the order of the edges' numbers.
    """

    __slots__ = ("_into", "_out", "edges", "host", "into", "out", "world")

    def __init__(self, world: World) -> None:
        self.world, self.edges = world, 0
        self.host: Host | None = None
        self._clear()

    def move(self, host: Host, edges: int) -> None:
        """Moves the index to a host, given the edges that it covers there."""
        changed = edges ^ self.edges
        if changed:
            before, every = self.edges, self.world.edges
            self.edges = edges
            if not before or 2 * changed.bit_count() > edges.bit_count():
                self._clear()
                for number in bits(edges):
                    self._put(number, every[number])
            else:
                for number in bits(changed):
                    if before >> number & 1:
                        self._drop(number, every[number])
                    else:
                        self._insert(number, every[number])
        self.host = host

    def _clear(self) -> None:
        self.out: dict[int, list[T]] = {}
        self.into: dict[int, list[T]] = {}
        self._out: dict[int, list[int]] = {}  # the numbers of what `out` lists
        self._into: dict[int, list[int]] = {}

    def _sides(self, edge: Triple) -> tuple[Side[T], Side[T]]:
        """The lists that an edge is in."""
        raise NotImplementedError

    def _put(self, number: int, edge: Triple) -> None:
        """Adds an edge whose number is higher than all others."""
        for ends, numbers, node, end in self._sides(edge):
            if node in ends:
                ends[node].append(end)
                numbers[node].append(number)
            else:
                ends[node], numbers[node] = [end], [number]

    def _insert(self, number: int, edge: Triple) -> None:
        for ends, numbers, node, end in self._sides(edge):
            listed = numbers.setdefault(node, [])
            at = bisect_left(listed, number)
            listed.insert(at, number)
            ends.setdefault(node, []).insert(at, end)

    def _drop(self, number: int, edge: Triple) -> None:
        """Removes an edge, and the lists of which it is the last."""
        for ends, numbers, node, _ in self._sides(edge):
            listed = numbers[node]
            at = bisect_left(listed, number)
            del listed[at], ends[node][at]
            if not listed:
                del numbers[node], ends[node]


class LabelIndex(EdgeIndex[int]):
    """The edges of a label, also as a list of all of them in the order of their numbers."""

    __slots__ = ("_numbers", "_sources", "_targets", "pairs")

    def _clear(self) -> None:
        super()._clear()
        self.pairs: list[tuple[int, int]] = []
        self._numbers: list[int] = []  # the numbers of the pairs
        self._sources: int | None = None
        self._targets: int | None = None

    def _sides(self, edge: Triple) -> tuple[Side[int], Side[int]]:
        source, _, target = edge
        return (self.out, self._out, source, target), (self.into, self._into, target, source)

    def _put(self, number: int, edge: Triple) -> None:
        self.pairs.append((edge[0], edge[2]))
        self._numbers.append(number)
        super()._put(number, edge)

    def _insert(self, number: int, edge: Triple) -> None:
        source, _, target = edge
        if self._sources is not None:
            self._sources |= 1 << source
        if self._targets is not None:
            self._targets |= 1 << target
        if not self._numbers or number > self._numbers[-1]:
            self._put(number, edge)
            return
        at = bisect_left(self._numbers, number)
        self._numbers.insert(at, number)
        self.pairs.insert(at, (source, target))
        super()._insert(number, edge)

    def _drop(self, number: int, edge: Triple) -> None:
        source, _, target = edge
        at = bisect_left(self._numbers, number)
        del self._numbers[at], self.pairs[at]
        super()._drop(number, edge)
        if self._sources is not None and source not in self.out:
            self._sources &= ~(1 << source)
        if self._targets is not None and target not in self.into:
            self._targets &= ~(1 << target)

    @property
    def sources(self) -> int:
        """The bits of all sources."""
        if self._sources is None:
            self._sources = mask_of(self.out)
        return self._sources

    @property
    def targets(self) -> int:
        """The bits of all targets."""
        if self._targets is None:
            self._targets = mask_of(self.into)
        return self._targets

    def incident(self, nodes: int, along: bool) -> list[tuple[int, int]]:
        """The pairs whose source, or else whose target, is one of some nodes."""
        numbers = self._out if along else self._into
        every = self.world.edges
        found = sorted(number for node in bits(nodes) for number in numbers.get(node, NOTHING))
        return [(every[number].source, every[number].target) for number in found]


class NodeIndex(EdgeIndex[tuple[str, int]]):
    """The outgoing and incoming edges of each node, with their labels."""

    __slots__ = ()

    def _sides(self, edge: Triple) -> tuple[Side[tuple[str, int]], Side[tuple[str, int]]]:
        source, label, target = edge
        return (self.out, self._out, source, (label, target)), (self.into, self._into, target, (label, source))


class World:
    """The numbers of nodes, values and edges; grows during exploration.

    `fixed` are the labels whose edges are the same in every host: they are indexed once. An edge may have several
    copies, each with its own number.
    """

    def __init__(self) -> None:
        self.nodes = 0  # how many numbers are in use, by nodes and values
        self.names: dict[int, str] = {}  # nodes of the start graph have names
        self.values: dict[int, AttributeValue] = {}
        self._numbers: dict[AttributeValue, int] = {}
        self.edges: list[Triple] = []
        self.number: dict[tuple[int, str, int], int] = {}  # the first copy of an edge has this number
        self.copies: dict[tuple[int, str, int], int] = {}  # the bits of all its copies, if it has several
        self.of_label: dict[str, int] = {}  # the bits of all the edges with a label
        self.to_errors = 0  # the bits of all the edges to error values
        self._at: dict[int, list[int]] = {}  # the numbers of all the edges at a node
        self._masks: dict[int, int] = {}  # cached bits of a node's edges
        self.fixed: dict[str, LabelIndex] = {}
        self.fixed_edges = 0
        self.fixed_around = NodeIndex(self)
        # The edges of these labels change; they are in the host of the last query.
        self.by_label: dict[str, LabelIndex] = {}
        self.around = NodeIndex(self)

    def new_node(self, name: str = "") -> int:
        self.nodes += 1
        if name:
            self.names[self.nodes - 1] = name
        return self.nodes - 1

    def value(self, value: AttributeValue) -> int:
        """The node of a value."""
        if value not in self._numbers:
            self._numbers[value] = number = self.new_node()
            self.values[number] = value
        return self._numbers[value]

    def known_value(self, value: AttributeValue) -> int | None:
        """The node of a value; None if it has none."""
        return self._numbers.get(value)

    def edge(self, source: int, label: str, target: int) -> int:
        """The number of an edge; a new one if it has none."""
        key = (source, label, target)
        number = self.number.get(key)
        return self.copy(source, label, target) if number is None else number

    def copy(self, source: int, label: str, target: int) -> int:
        """The number of one more copy of an edge."""
        number, key = len(self.edges), Triple(source, label, target)
        self.edges.append(key)
        first = self.number.setdefault(key, number)
        if first != number:
            self.copies[key] = self.copies.get(key, 1 << first) | 1 << number
        bit = 1 << number
        self.of_label[label] = self.of_label.get(label, 0) | bit
        if target in self.values and self.values[target].content is None:
            self.to_errors |= bit
        for node in {source, target}:
            self._at.setdefault(node, []).append(number)
            if node in self._masks:
                self._masks[node] |= bit
        return number

    def edges_at(self, node: int) -> int:
        """Bits of all the edges at a node; cached for few nodes, as they are as long as the number of edges."""
        found = self._masks.get(node)
        if found is None:
            if len(self._masks) >= MAX_CACHED_MASKS:
                self._masks.clear()
            found = self._masks[node] = mask_of(self._at.get(node, NOTHING))
        return found

    def fix(self, changing: frozenset[str]) -> None:
        """Declares all present edges as fixed, part of every host, except those with a changing label."""
        labels = [label for label in self.of_label if label not in changing]
        for label in labels:
            self.fixed_edges |= self.of_label[label]
        host = Host(self, 0, self.fixed_edges)
        self.fixed = {label: host.by_label(label) for label in labels}
        self.by_label = {}
        self.fixed_around.move(host, self.fixed_edges)

    def text(self, node: int) -> str:
        """The display name of a node or value."""
        value = self.values.get(node)
        return str(value) if value is not None else self.names.get(node, f"#{node}")


class Host:
    """A graph to search in."""

    __slots__ = ("edges", "nodes", "world")

    def __init__(self, world: World, nodes: int, edges: int) -> None:
        self.world, self.nodes, self.edges = world, nodes, edges

    def by_label(self, label: str) -> LabelIndex:
        """The edges of a label; valid until another host is queried."""
        world = self.world
        found = world.fixed.get(label)
        if found is not None:
            return found
        found = world.by_label.get(label)
        if found is None:
            found = world.by_label[label] = LabelIndex(world)
        if found.host is not self:
            found.move(self, self.edges & world.of_label.get(label, 0))
        return found

    def has(self, source: int, label: str, target: int) -> bool:
        key = (source, label, target)
        number = self.world.number.get(key)
        if number is None or self.edges >> number & 1:
            return number is not None
        return key in self.world.copies and self.edges & self.world.copies[key] != 0

    def has_node(self, node: int) -> bool:
        return self.nodes >> node & 1 == 1

    def _around(self) -> NodeIndex:
        found = self.world.around
        if found.host is not self:
            found.move(self, self.edges & ~self.world.fixed_edges)
        return found

    def out(self, node: int) -> Sequence[tuple[str, int]]:
        """The outgoing edges of a node, with their targets."""
        fixed, changing = self.world.fixed_around.out.get(node), self._around().out.get(node)
        return fixed + changing if fixed and changing else fixed or changing or NO_EDGES

    def into(self, node: int) -> Sequence[tuple[str, int]]:
        """The incoming edges of a node, with their sources."""
        fixed, changing = self.world.fixed_around.into.get(node), self._around().into.get(node)
        return fixed + changing if fixed and changing else fixed or changing or NO_EDGES

    def triples(self) -> Iterator[Triple]:
        return (self.world.edges[i] for i in bits(self.edges))

    def all_nodes(self) -> Iterator[int]:
        return bits(self.nodes)
