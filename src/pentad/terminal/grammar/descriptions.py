"""Graphs and rules in words: what stands where, and what a rule needs, takes and makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pentad.game import GameError
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.rules.rule import FORALL, Level, Made, Rule
from pentad.grammar.rules.types import read_types
from pentad.grammar.system import algebra_of, rule_of

Triple = tuple[str, str, str]  # source, label, target


def size(graph: Graph) -> str:
    """How large a graph is; what is said of a node alone counts as an edge, as in GROOVE."""
    return f"{count(len(graph.nodes), 'node')}, {count(len(graph.edges), 'edge')}"


def count(number: int, thing: str) -> str:
    """A number of things.

    >>> count(1, "node"), count(1200, "edge")
    ('1 node', '1,200 edges')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def graph_lines(graph: Graph) -> list[str]:
    """A line a node, with what is said of it, and a line for each label with which edges leave it.

    >>> graph = Graph()
    >>> game, player = graph.node("type:Game"), graph.node("type:Player", "flag:first")
    >>> graph.edge(game, "turn", player)
    >>> print("\\n".join(graph_lines(graph)))
    n0  type:Game
        –turn→ n1
    n1  type:Player  flag:first
    """
    wide = max((len(node) for node in graph.nodes if len(node) < 12), default=0)
    about = edge_lines(graph.edges)
    lines = []
    for node in graph.nodes:
        said, leaving = about.get(node, ([], []))
        lines.append("  ".join([f"{node:{wide}}", *said]))
        lines += [f"{' ' * wide}  {line}" for line in leaving]
    return lines


def edge_lines(edges: Iterable[Triple]) -> dict[str, tuple[list[str], list[str]]]:
    """By source: the labels of its loops, and `–label→ targets` for the rest."""
    loops: dict[str, list[str]] = {}
    ways: dict[str, dict[str, list[str]]] = {}
    for source, label, target in edges:
        loops.setdefault(source, [])
        if source == target:
            loops[source].append(label)
        else:
            ways.setdefault(source, {}).setdefault(label, []).append(target)
    return {
        source: (said, [f"–{label}→ {' '.join(targets)}" for label, targets in ways.get(source, {}).items()])
        for source, said in loops.items()
    }


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def rule_data(grammar: Grammar, name: str) -> dict[str, Any]:
    """What a rule is and does, as plain data; what cannot be read of it is told as `error`."""
    graph = grammar.rules[name]
    data: dict[str, Any] = {
        "nodes": len(graph.nodes),
        "edges": len(graph.edges),
        "enabled": graph.attributes.get("enabled", "true").strip() != "false",
    }
    try:
        rule = rule_of(grammar, name, read_types(grammar), algebra_of(grammar))
    except GameError as error:
        return {**data, "error": error.lines[0]}
    parameters = [{"kind": each.kind, "takes": each.takes, "gives": each.gives} for each in rule.parameters]
    return {
        **data,
        "role": rule.role,
        "priority": rule.priority,
        "injective": rule.injective,
        "parameters": parameters,
        "takes": _told(_taken(rule)),
        "makes": _told(_made(rule)),
        "forbids": _told(_forbidden(rule)),
        "merges": sum(len(level.merged) for level in rule.levels),
    }


def rule_line(data: dict[str, Any]) -> str:
    """Such data in a line."""
    if "error" in data:
        return f"cannot be read: {data['error']}"
    heads = [data["role"]]
    heads += [f"priority {data['priority']}"] if data["priority"] else []
    heads += ["injective"] if data["injective"] else []
    heads += [] if data["enabled"] else ["not enabled"]
    if data["parameters"]:
        heads.append(f"({', '.join(map(_parameter, data['parameters']))})")
    parts = [f"{verb} {', '.join(data[verb])}" for verb in ("takes", "makes", "forbids") if data[verb]]
    parts += [f"merges {count(data['merges'], 'pair')}"] if data["merges"] else []
    return "; ".join([" ".join(heads), *parts])


def _parameter(said: dict[str, Any]) -> str:
    ways = {(True, True): "", (True, False): "in ", (False, True): "out "}
    return ways.get((said["takes"], said["gives"]), "") + str(said["kind"])


def _told(labels: Iterable[str]) -> list[str]:
    """Labels with how often they come."""
    return [
        f"{number} × {f'({label})' if ' ' in label else label}" if number > 1 else label
        for label, number in Counter(labels).items()
    ]


def _taken(rule: Rule) -> Iterator[str]:
    for level in rule.levels:
        types = _types((edge.source, str(edge.label), edge.target) for edge in level.pattern.edges)
        yield from (_node(types, node, level) for node in level.erased_nodes)
        yield from (_edge(edge, level) for edge in level.erased if edge.source not in level.erased_nodes)


def _made(rule: Rule) -> Iterator[str]:
    for level in rule.levels:
        types = _types((edge.source, edge.label, edge.target) for edge in level.created)
        yield from (_node(types, node, level) for node in level.created_nodes)
        yield from (_edge(edge, level) for edge in level.created if not (edge.source in types and _is_type(edge)))


def _forbidden(rule: Rule) -> Iterator[str]:
    for level in rule.levels:
        for embargo in level.pattern.embargoes:
            labels = [str(edge.label) for edge in embargo.edges]
            labels += ["=" for _ in embargo.equal] + ["!=" for _ in embargo.unequal]
            yield " and ".join(labels) or count(len(embargo.nodes), "node") + " more"


def _is_type(edge: Made) -> bool:
    return edge.source == edge.target and edge.label.startswith("type:")


def _types(edges: Iterable[tuple[int, str, int]]) -> dict[int, str]:
    return {source: label for source, label, target in edges if source == target and label.startswith("type:")}


def _node(types: dict[int, str], node: int, level: Level) -> str:
    return f"a node {types.get(node, '').removeprefix('type:')}".rstrip() + _for_each(level)


def _edge(edge: Made, level: Level) -> str:
    return (edge.label or "any label") + _for_each(level)


def _for_each(level: Level) -> str:
    return " for each" if level.kind == FORALL else ""
