"""Graphs as they are searched: a world that numbers all nodes and edges that ever come up, and hosts as sets of them.

A host is two integers of bits, one bit a node and one an edge, so that equal graphs are equal numbers and applying a
rule is a few operations. Labels of nodes (`type:`, `flag:`) are edges from a node to itself. Values are nodes too,
of which there is one each; they are in no host's set of nodes, and in every host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pentad.grammar.language.values import Value

Ends = Mapping[int, list[int]]
Around = dict[int, list[tuple[str, int]]]
NOTHING: list[int] = []


class Triple(NamedTuple):
    """An edge by the numbers of its ends."""

    source: int
    label: str
    target: int


class Ways(NamedTuple):
    """The edges of a label: by source, by target, and all of them."""

    out: dict[int, list[int]]
    into: dict[int, list[int]]
    pairs: list[tuple[int, int]]


NO_WAYS = Ways({}, {}, [])


def bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def ways_of(edges: Iterable[Triple]) -> Ways:
    out: dict[int, list[int]] = {}
    into: dict[int, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for source, _, target in edges:
        out.setdefault(source, []).append(target)
        into.setdefault(target, []).append(source)
        pairs.append((source, target))
    return Ways(out, into, pairs)


def around(edges: Iterable[Triple]) -> tuple[Around, Around]:
    """What leaves each node, and what comes to it."""
    out: Around = {}
    into: Around = {}
    for source, label, target in edges:
        out.setdefault(source, []).append((label, target))
        into.setdefault(target, []).append((label, source))
    return out, into


class World:
    """The numbers of nodes, values and edges; grows while it is explored.

    `fixed` tells of a label whether its edges are the same in every host: they are indexed once.
    """

    def __init__(self) -> None:
        self.nodes = 0  # how many numbers are given out, to nodes and values alike
        self.names: dict[int, str] = {}  # of the nodes that a person drew
        self.values: dict[int, Value] = {}
        self._numbers: dict[Value, int] = {}
        self.edges: list[Triple] = []
        self.number: dict[tuple[int, str, int], int] = {}
        self.of_label: dict[str, int] = {}  # bits of all the edges with a label
        self.at_node: dict[int, int] = {}  # bits of all the edges at a node
        self.fixed: dict[str, Ways] = {}
        self.fixed_edges = 0
        self.fixed_out: Around = {}
        self.fixed_into: Around = {}

    def new_node(self, name: str = "") -> int:
        self.nodes += 1
        if name:
            self.names[self.nodes - 1] = name
        return self.nodes - 1

    def value(self, value: Value) -> int:
        """The node of a value."""
        if value not in self._numbers:
            self._numbers[value] = number = self.new_node()
            self.values[number] = value
        return self._numbers[value]

    def edge(self, source: int, label: str, target: int) -> int:
        """The number of an edge, a new one where it never came up."""
        key = (source, label, target)
        number = self.number.get(key)
        if number is None:
            number = self.number[key] = len(self.edges)
            self.edges.append(Triple(*key))
            bit = 1 << number
            self.of_label[label] = self.of_label.get(label, 0) | bit
            for node in {source, target}:
                self.at_node[node] = self.at_node.get(node, 0) | bit
        return number

    def fix(self, changing: frozenset[str]) -> None:
        """Take all edges that there are now for those of every host, but those with a label that changes."""
        for label, members in self.of_label.items():
            if label not in changing:
                self.fixed[label] = ways_of(self.edges[i] for i in bits(members))
                self.fixed_edges |= members
        self.fixed_out, self.fixed_into = around(self.edges[i] for i in bits(self.fixed_edges))

    def told(self, node: int) -> str:
        """A node for a person."""
        value = self.values.get(node)
        return str(value) if value is not None else self.names.get(node, f"#{node}")


class Host:
    """A graph to search in. What it knows of its edges it finds out when it is asked, once."""

    __slots__ = ("_around", "_ways", "edges", "nodes", "world")

    def __init__(self, world: World, nodes: int, edges: int) -> None:
        self.world, self.nodes, self.edges = world, nodes, edges
        self._ways: dict[str, Ways] = {}
        self._around: tuple[Around, Around] | None = None

    def ways(self, label: str) -> Ways:
        """The edges of a label."""
        found = self.world.fixed.get(label) or self._ways.get(label)
        if found is None:
            mine = self.edges & self.world.of_label.get(label, 0)
            every = self.world.edges
            found = self._ways[label] = ways_of([every[i] for i in bits(mine)]) if mine else NO_WAYS
        return found

    def has(self, source: int, label: str, target: int) -> bool:
        number = self.world.number.get((source, label, target))
        return number is not None and self.edges >> number & 1 == 1

    def has_node(self, node: int) -> bool:
        return self.nodes >> node & 1 == 1

    def _index(self) -> tuple[Around, Around]:
        if self._around is None:
            self._around = around(self.triples_of(self.edges & ~self.world.fixed_edges))
        return self._around

    def out(self, node: int) -> list[tuple[str, int]]:
        """The edges that leave a node, with where they lead."""
        return self.world.fixed_out.get(node, []) + self._index()[0].get(node, [])

    def into(self, node: int) -> list[tuple[str, int]]:
        """The edges that come to a node, with where they come from."""
        return self.world.fixed_into.get(node, []) + self._index()[1].get(node, [])

    def triples_of(self, edges: int) -> Iterator[Triple]:
        return (self.world.edges[i] for i in bits(edges))

    def triples(self) -> Iterator[Triple]:
        return self.triples_of(self.edges)

    def all_nodes(self) -> Iterator[int]:
        return bits(self.nodes)
