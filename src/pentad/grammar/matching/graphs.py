"""Graphs as a person draws them, into a world and out of it."""

from __future__ import annotations

from pentad.game import shown
from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.language.notation import REMARK, SORTS, has_odd_prefix, take_apart
from pentad.grammar.language.values import DEFAULT, Family
from pentad.grammar.matching.host import World, bits
from pentad.grammar.rules.drawn import constant


def joined(graph: Graph) -> Graph:
    """A graph in which nodes that have the same `id:` are one, as those of several start graphs are."""
    first: dict[str, str] = {}
    stands: dict[str, str] = {}
    for edge in graph.edges:
        if edge.source == edge.target and edge.label.startswith("id:"):
            stands[edge.source] = first.setdefault(edge.label, edge.source)
    if len(first) == len(stands):
        return graph
    whole = Graph(graph.name, graph.role, attributes=dict(graph.attributes))
    for name, place in graph.nodes.items():
        if stands.get(name, name) == name:
            whole.node(name=name, at=place)
    for source, label, target in graph.edges:
        edge = Edge(stands.get(source, source), label, stands.get(target, target))
        whole.edges.append(edge)
    whole.edges = list(dict.fromkeys(whole.edges))
    return whole


def add_graph(world: World, graph: Graph, where: str, algebra: Family = DEFAULT) -> tuple[int, int]:
    """Add a graph to a world: the bits of its nodes and of its edges."""
    numbers: dict[str, int] = {}
    nodes = edges = 0
    labels = [(take_apart(edge.label), edge) for edge in graph.edges]
    for label, edge in labels:
        if edge.source == edge.target and label.kind in SORTS and label.text.strip():
            numbers[edge.source] = world.value(constant(label.kind, label.text, algebra, where, edge))
    for name in graph.nodes:
        if name not in numbers:
            numbers[name] = world.new_node(name)
            nodes |= 1 << numbers[name]
    for label, edge in labels:
        source, target = numbers[edge.source], numbers[edge.target]
        if label.role == REMARK or label.kind in ("id", "color") or (label.kind in SORTS and source in world.values):
            continue
        if label.role or label.also or label.kind not in ("", "type", "flag", "let"):
            raise GrammarError("a graph has no such label", where, edge.source, edge.label)
        if source in world.values:
            raise GrammarError("nothing else is said of a value", where, edge.source, edge.label)
        text = label.text
        if label.kind == "let":
            name, equals, rest = text.partition("=")
            if not equals or not name.strip():
                raise GrammarError("an attribute is name = value", where, edge.source, edge.label)
            text, target = name.strip(), world.value(constant("", rest, algebra, where, edge))
        elif label.kind:
            text = f"{label.kind}:{text}"
        if not text:
            raise GrammarError("a label is missing", where, edge.source, edge.label)
        if has_odd_prefix(label):
            what = f"there is no prefix {shown(text.partition(':')[0], 30)}; with a colon in front it is a label"
            raise GrammarError(what, where, edge.source, edge.label[:80])
        edges |= 1 << world.edge(source, text, target)
    return nodes, edges


def graph_of(world: World, nodes: int, edges: int, start: Graph | None = None) -> Graph:
    """A graph of a world as a person draws it; values are attributes."""
    places = start.nodes if start is not None else {}
    graph = Graph("state")
    names: dict[int, str] = {}
    for node in bits(nodes):
        name = world.names.get(node, f"new{node}")
        names[node] = graph.node(name=name, at=places.get(name))
    for number in bits(edges):
        source, label, target = world.edges[number]
        value = world.values.get(target)
        if value is not None:
            graph.edge(names[source], f"let:{label} = {value.text}", names[source])
        else:
            graph.edge(names[source], label, names[target])
    return graph
