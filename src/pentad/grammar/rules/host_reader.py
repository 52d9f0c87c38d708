"""Reader of host graphs (nodes, values and edges), and their conversion to and from graphs of a world."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.game import shown, whole
from pentad.grammar.graph import Edge, GrammarError, Graph, Problems
from pentad.grammar.host import World, bits
from pentad.grammar.language import expressions
from pentad.grammar.language.labels import (
    ATTRIBUTE,
    REMARK,
    SORT,
    Aspects,
    Reading,
    is_flag,
    is_name,
    is_type,
    kind_of,
    read_labels,
)
from pentad.grammar.language.values import DEFAULT, AttributeValue, Family
from pentad.grammar.rules.types import Types
from pentad.system.words import phrase

MAX_COPIES_OF_EDGE = 10_000


class HostEdge(NamedTuple):
    """An edge between nodes, or from a node to a value, with the number of parallel copies."""

    source: str
    label: str
    target: str | AttributeValue
    copies: int = 1


@dataclass(slots=True)
class HostDrawing:
    """A parsed host graph; nodes with the same `id:` are merged."""

    where: str
    nodes: list[str] = field(default_factory=list)
    edges: list[HostEdge] = field(default_factory=list)
    labels: dict[HostEdge, str] = field(default_factory=dict)  # single edges are drawn with them

    def error(self, message: str, edge: HostEdge) -> GrammarError:
        return GrammarError(message, self.where, edge.source, self.labels[edge._replace(copies=1)])


def read_host(graph: Graph, where: str, algebra: Family = DEFAULT, parallel: str = "") -> HostDrawing:
    """Reads a host graph; all errors are reported together."""
    return _Reader(graph, where, algebra, parallel).read()


class _Reader:
    def __init__(self, graph: Graph, where: str, algebra: Family, parallel: str) -> None:
        self.graph, self.where, self.algebra, self.parallel = graph, where, algebra, parallel
        self.problems = Problems()
        self.aspects = {node: Aspects() for node in graph.nodes}
        self.values: dict[str, AttributeValue] = {}
        self.merged: dict[str, str] = {}  # it leads from each node to the first node with the same id

    def read(self) -> HostDrawing:
        found = HostDrawing(self.where)
        edges = list(read_labels(self.graph, "graph", self.where, self.aspects, self.problems))
        first: dict[str, str] = {}
        for node, given in self.aspects.items():
            if REMARK in given:
                continue
            if (sort := given.get(SORT)) is not None:
                with self.problems.collect(self.where, node, str(sort)):
                    if "id" in given:
                        raise GrammarError("A value cannot have a name.")
                    value = expressions.parse(sort.value, "", self.algebra)
                    self.values[node] = expressions.constant_of(value, sort.kind, self.algebra)
            else:
                name = given.value("id")
                self.merged[node] = first.setdefault(name, node) if name else node
                if self.merged[node] == node:
                    found.nodes.append(node)
        for edge, reading in edges:
            with self.problems.collect(self.where, edge.source, edge.label):
                found_edge = self._edge(edge, reading)
                if found_edge is not None:
                    found.edges.append(found_edge)
                    found.labels[found_edge._replace(copies=1)] = edge.label
        self.problems.check()
        found.edges = self._distinct(found.edges)
        return found

    def _distinct(self, edges: list[HostEdge]) -> list[HostEdge]:
        """Merges equal edges; parallel edges that are distinguished become copies of one."""
        if not self.parallel:
            return list(dict.fromkeys(edges))
        copies: dict[HostEdge, int] = {}
        for edge in edges:
            one = edge._replace(copies=1)
            copies[one] = copies.get(one, 0) + edge.copies
        return [edge._replace(copies=count) for edge, count in copies.items()]

    def _edge(self, edge: Edge, reading: Reading) -> HostEdge | None:
        ends = (edge.source, edge.target)
        if any(REMARK in self.aspects[end] for end in ends):
            return None
        copies = self._copies(reading)
        if any(end not in self.merged and end not in self.values for end in ends):
            return None  # the value's error is reported already
        if edge.source in self.values:
            raise GrammarError("A value cannot have other labels.")
        source, text = self.merged[edge.source], reading.text
        if ATTRIBUTE in reading.aspects:
            name, expression = expressions.parse_let(reading.aspects.value(ATTRIBUTE), "", self.algebra)
            value = expressions.constant_of(expression, "", self.algebra)
            if value.content is None:
                raise GrammarError("The initial value of a field cannot be an error value.")
            return HostEdge(source, name, value, copies)
        if not text:
            raise GrammarError("The label is missing.")
        if kind_of(text) and "label" not in reading.aspects:
            if not is_name(text[5:]):
                raise GrammarError(phrase("{text} is not a valid name.", text=shown(text[5:], 30)))
            if is_type(text) and (edge.source != edge.target or "mult" in reading.aspects):
                raise GrammarError("A type must be on a node and cannot be repeated.")
        return HostEdge(source, text, self.values.get(edge.target) or self.merged[edge.target], copies)

    def _copies(self, reading: Reading) -> int:
        """The number of parallel edges that an edge stands for."""
        if "mult" not in reading.aspects:
            return 1
        number = whole(reading.aspects.value("mult"))
        if not number or number > MAX_COPIES_OF_EDGE:
            raise GrammarError("mult= must be a single positive number.")
        if number > 1 and not self.parallel:
            raise GrammarError("Parallel edges need the property parallelEdges=SPO or DPO.")
        return number


# ── types ────────────────────────────────────────────────────────────────────────────────────────


def check_host(types: Types, host: HostDrawing) -> None:
    """Checks a host graph against the types, except multiplicities, which are checked in states."""
    problems = Problems()
    kinds: dict[str, str] = {}
    labels: dict[str, list[HostEdge]] = {}
    for edge in host.edges:
        if is_type(edge.label):
            labels.setdefault(edge.source, []).append(edge)
    for node in host.nodes:
        with problems.collect():
            kinds[node] = _type_of(types, host, node, labels.get(node, []))
    for edge in host.edges:
        if is_type(edge.label) or edge.source not in kinds:
            continue
        with problems.collect():
            _check_edge(types, host, edge, kinds)
    problems.check()


def _type_of(types: Types, host: HostDrawing, node: str, found: list[HostEdge]) -> str:
    if not found:
        raise GrammarError("The node has no type.", host.where, node)
    if len(found) > 1:
        raise host.error("A node can have one type only.", found[1])
    name = found[0].label
    if name not in types.names:
        raise host.error(phrase("Unknown type. The type graph has {names}.", names=types.list(types.names)), found[0])
    if name in types.abstract:
        raise host.error("An abstract type cannot have nodes.", found[0])
    return name


def _check_edge(types: Types, host: HostDrawing, edge: HostEdge, kinds: dict[str, str]) -> None:
    target = edge.target.type if isinstance(edge.target, AttributeValue) else kinds.get(edge.target)
    if target is None:
        return
    source = kinds[edge.source]
    found = types.edge(source, edge.label, target)
    if found is None:
        if is_flag(edge.label):
            raise host.error(phrase("{source} has no such flag.", source=types.list([source])), edge)
        if isinstance(edge.target, AttributeValue):
            raise host.error(phrase("{source} has no such attribute.", source=types.list([source])), edge)
        raise host.error(
            phrase(
                "The type graph has no such edge from {source} to {target}.",
                source=types.list([source]),
                target=types.list([target]),
            ),
            edge,
        )
    if found.is_abstract:
        raise host.error(phrase("The edge type {found} is abstract.", found=found), edge)


def add_host(world: World, host: HostDrawing) -> tuple[int, int]:
    """Adds a parsed graph to a world."""
    numbers = {name: world.new_node(name) for name in host.nodes}
    nodes, edges = 0, 0
    for number in numbers.values():
        nodes |= 1 << number
    for source, label, target, copies in host.edges:
        end = world.value(target) if isinstance(target, AttributeValue) else numbers[target]
        edges |= 1 << world.edge(numbers[source], label, end)
        for _ in range(copies - 1):
            edges |= 1 << world.copy(numbers[source], label, end)
    return nodes, edges


def graph_of(world: World, nodes: int, edges: int, start: Graph | None = None) -> Graph:
    """A graph of a world as a drawing; values are attributes."""
    places = start.nodes if start is not None else {}
    graph = Graph("state")
    names: dict[int, str] = {}
    for node in bits(nodes):
        name = world.names.get(node, f"new{node}")
        names[node] = graph.node(name=name, at=places.get(name))
    copies = Counter(world.edges[number] for number in bits(edges))
    for (source, label, target), count in copies.items():
        value = world.values.get(target)
        several = f"mult={count}:" if count > 1 else ""
        if value is not None:
            graph.edge(names[source], f"{several}let:{label} = {value.text}", names[source])
        else:
            graph.edge(names[source], several + label, names[target])
    return graph
