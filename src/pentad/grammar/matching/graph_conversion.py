"""Conversion between drawn graphs and graphs of a world."""

from __future__ import annotations

from collections import Counter

from pentad.grammar.graph import Graph
from pentad.grammar.language.values import DEFAULT, Family, Value
from pentad.grammar.matching.host import World, bits
from pentad.grammar.rules.host_reader import HostDrawing, read_host


def add_graph(world: World, graph: Graph, where: str, algebra: Family = DEFAULT, parallel: str = "") -> tuple[int, int]:
    """Adds a graph to a world; returns the bits of its nodes and of its edges."""
    return add_host(world, read_host(graph, where, algebra, parallel))


def add_host(world: World, host: HostDrawing) -> tuple[int, int]:
    """Adds a parsed graph to a world."""
    numbers = {name: world.new_node(name) for name in host.nodes}
    nodes, edges = 0, 0
    for number in numbers.values():
        nodes |= 1 << number
    for source, label, target, copies in host.edges:
        end = world.value(target) if isinstance(target, Value) else numbers[target]
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
