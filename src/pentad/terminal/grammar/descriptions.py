"""Descriptions of graphs and rules in words: nodes and edges; what a rule erases, creates and forbids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pentad.game import GameError
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.language.labels import is_type, plain_name
from pentad.grammar.rules.rule import FORALL, EdgeEffect, Level, Rule
from pentad.grammar.rules.types import read_types
from pentad.grammar.system import algebra_of, rule_of
from pentad.wording import count

Triple = tuple[str, str, str]  # source, label, target

VERBS = {"takes": "erases", "makes": "creates", "forbids": "forbids"}  # by the key in the data of a rule


def size(graph: Graph) -> str:
    """The size of a graph; the labels of a node count as edges, as in GROOVE."""
    return f"{count(len(graph.nodes), 'node')}, {count(len(graph.edges), 'edge')}"


def graph_lines(graph: Graph) -> list[str]:
    """A line for each node with its own labels, and a line for each label of its outgoing edges.

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
        labels, leaving = about.get(node, ([], []))
        lines.append("  ".join([f"{node:{wide}}", *labels]))
        lines += [f"{' ' * wide}  {line}" for line in leaving]
    return lines


def edge_lines(edges: Iterable[Triple]) -> dict[str, tuple[list[str], list[str]]]:
    """The labels of the loops and the lines `–label→ targets` of the other edges, by source."""
    loops: dict[str, list[str]] = {}
    arrows: dict[str, dict[str, list[str]]] = {}
    for source, label, target in edges:
        loops.setdefault(source, [])
        if source == target:
            loops[source].append(label)
        else:
            arrows.setdefault(source, {}).setdefault(label, []).append(target)
    return {
        source: (labels, [f"–{label}→ {' '.join(targets)}" for label, targets in arrows.get(source, {}).items()])
        for source, labels in loops.items()
    }


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def rule_data(grammar: Grammar, name: str) -> dict[str, Any]:
    """A rule as plain data; `error` if it cannot be read."""
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
    parameters = [{"kind": each.kind, "takes": each.is_input, "gives": each.is_output} for each in rule.parameters]
    return {
        **data,
        "role": rule.role,
        "priority": rule.priority,
        "injective": rule.injective,
        "parameters": parameters,
        "takes": _counted(_taken(rule)),
        "makes": _counted(_made(rule)),
        "forbids": _counted(_forbidden(rule)),
        "merges": sum(len(level.merged) for level in rule.levels),
    }


def rule_line(data: dict[str, Any]) -> str:
    """The data of a rule in one line."""
    if "error" in data:
        return f"error: {data['error']}"
    heads = [data["role"]]
    heads += [f"priority {data['priority']}"] if data["priority"] else []
    heads += ["injective"] if data["injective"] else []
    heads += [] if data["enabled"] else ["disabled"]
    if data["parameters"]:
        heads.append(f"({', '.join(map(_parameter, data['parameters']))})")
    parts = [f"{verb} {', '.join(data[key])}" for key, verb in VERBS.items() if data[key]]
    parts += [f"merges {count(data['merges'], 'pair')}"] if data["merges"] else []
    return "; ".join([" ".join(heads), *parts])


def _parameter(data: dict[str, Any]) -> str:
    directions = {(True, True): "", (True, False): "in ", (False, True): "out "}
    return directions.get((data["takes"], data["gives"]), "") + str(data["kind"])


def _counted(labels: Iterable[str]) -> list[str]:
    """The labels, each with the number of its occurrences."""
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


def _is_type(edge: EdgeEffect) -> bool:
    return edge.source == edge.target and is_type(edge.label)


def _types(edges: Iterable[tuple[int, str, int]]) -> dict[int, str]:
    return {source: label for source, label, target in edges if source == target and is_type(label)}


def _node(types: dict[int, str], node: int, level: Level) -> str:
    return f"a node {plain_name(types.get(node, ''))}".rstrip() + _for_each(level)


def _edge(edge: EdgeEffect, level: Level) -> str:
    return (edge.label or "any label") + _for_each(level)


def _for_each(level: Level) -> str:
    return " for each" if level.kind == FORALL else ""
