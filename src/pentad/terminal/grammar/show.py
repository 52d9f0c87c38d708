"""`pentad grammar show`: the parts of a grammar, or one of them; and descriptions of graphs and rules in words."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pentad.game import GameError, shorten
from pentad.grammar.files.exports import as_data
from pentad.grammar.grammar import DEFAULTS, Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.language.labels import is_type, plain_name
from pentad.grammar.logic.statistics import statistics
from pentad.grammar.rules.rule import FORALL, EdgeEffect, QuantifierLevel, Rule
from pentad.grammar.rules.types import read_types
from pentad.grammar.system import algebra_of, rule_of
from pentad.system.words import count
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser
from pentad.terminal.grammar import explore, transition_systems
from pentad.terminal.grammar.arguments import KINDS, GrammarPart, add_json, find, graph_of, read

Triple = tuple[str, str, str]  # the source, the label and the target of an edge

VERBS = {"takes": "erases", "makes": "creates", "forbids": "forbids"}  # the data of a rule have these keys


def add_arguments(parser: CommandParser) -> None:
    transition_systems.add_source(parser, "grammar")
    parser.add_argument(
        "part", metavar="PART", nargs="?", help="graph, rule, type graph or control program to show in full"
    )
    add_json(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    if transition_systems.is_system(args.grammar):
        return _show_system(args)
    grammar = read(args.grammar)
    if args.part is None:
        print(json.dumps(_data(grammar)) if args.json else "\n".join(_lines(grammar)))
        return 0
    part = find(grammar, args.part)
    if not args.json:
        print("\n".join(_part_lines(grammar, part)))
        return 0
    is_text = part.column == "controls"
    data = {"name": part.name, "text": grammar.controls[part.name]} if is_text else as_data(graph_of(grammar, part))
    print(json.dumps({"kind": KINDS[part.column][0], **data}))
    return 0


def _show_system(args: argparse.Namespace) -> int:
    """Prints the statistics of the system in a file."""
    if args.part is not None:
        raise GameError("{grammar} is a transition system, which has no parts.", grammar=shorten(args.grammar, 120))
    source = transition_systems.read_system(args.grammar)
    found = statistics(source.lts)
    lines = [*source.lines, *explore.statistics_lines(found)]
    print(json.dumps(source.data | found.json()) if args.json else "\n".join(lines))
    return 0


# ── one part ─────────────────────────────────────────────────────────────────────────────────────


def _part_lines(grammar: Grammar, part: GrammarPart) -> Iterator[str]:
    kind = KINDS[part.column][0]
    if part.column == "controls":
        yield _plain(grammar.controls[part.name].rstrip())
        return
    graph = graph_of(grammar, part)
    yield f"{_one_line(part.name)}: {kind} with {size(graph)}"
    if part.column == "rules":
        yield f"  {_one_line(rule_line(rule_data(grammar, part.name)))}"
    yield from (f"  {key} = {_one_line(value)}" for key, value in graph.attributes.items())
    yield from (f"  {_one_line(line)}" for line in graph_lines(graph))


# ── the whole grammar ────────────────────────────────────────────────────────────────────────────────────


def _chosen(grammar: Grammar) -> dict[str, list[str]]:
    """The graphs, type graphs and programs in use; the names `start` and `control` are defaults."""
    return {
        "graphs": grammar.chosen("startGraph") or ["start"],
        "types": grammar.chosen("typeGraph"),
        "controls": grammar.chosen("controlProgram") or ["control"] * (grammar.setting("enableControl") != "false"),
    }


def _data(grammar: Grammar) -> dict[str, Any]:
    chosen = _chosen(grammar)
    data: dict[str, Any] = {"grammar": grammar.name}
    for column in ("graphs", "types"):
        data[column] = {
            name: {"nodes": len(graph.nodes), "edges": len(graph.edges), "chosen": name in chosen[column]}
            for name, graph in getattr(grammar, column).items()
        }
    data["rules"] = {name: rule_data(grammar, name) for name in grammar.rules}
    data["controls"] = {
        name: {"text": text, "chosen": name in chosen["controls"]} for name, text in grammar.controls.items()
    }
    data["properties"] = dict(grammar.properties)
    data["others"] = {path: len(content) for path, content in grammar.others.items()}
    return data


def _lines(grammar: Grammar) -> Iterator[str]:
    chosen = _chosen(grammar)
    yield _one_line(f"{grammar.name}: {count(len(grammar.rules), 'rule')}, {count(len(grammar.graphs), 'graph')}")
    for title, column in (("graphs", "graphs"), ("type graphs", "types")):
        if graphs := getattr(grammar, column):
            yield from ("", title)
            wide = _width(graphs)
            for name, graph in graphs.items():
                yield f"  {_one_line(name):{wide}}  {size(graph)}{', in use' * (name in chosen[column])}"
    yield from ("", "rules")
    wide = _width(grammar.rules)
    for name in grammar.rules:
        yield f"  {_one_line(name):{wide}}  {_one_line(rule_line(rule_data(grammar, name)))}"
    for name, text in grammar.controls.items():
        yield from ("", f"control {_one_line(name)}{', in use' * (name in chosen['controls'])}")
        yield from (f"  {_plain(line)}" for line in text.strip().splitlines())
    if not set(chosen["controls"]) & set(grammar.controls):
        yield from ("", "no control program: rules apply by priority")
    yield from ("", "properties")
    wide = _width({**DEFAULTS, **grammar.properties})
    for key, value in {**DEFAULTS, **grammar.properties}.items():
        note = "" if key in grammar.properties else "  (default)"
        yield f"  {_one_line(key):{wide}}  {_one_line(value) or '-'}{note}"
    if grammar.others:
        yield from ("", "other files")
        yield from (f"  {_one_line(path)}  {count(len(data), 'byte')}" for path, data in grammar.others.items())


def _width(names: dict[str, Any]) -> int:
    return max((len(name) for name in names if len(name) <= 24), default=0)


def _one_line(text: str) -> str:
    return streams.one_line(text, 2_000)


def _plain(text: str) -> str:
    """A text of several lines without control characters."""
    return "\n".join(streams.one_line(line.expandtabs(4), 10_000) for line in text.split("\n"))


# ── graphs in words ──────────────────────────────────────────────────────────────────────────────


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


# ── rules in words ────────────────────────────────────────────────────────────────────────────────────────


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
        for edge in level.created:
            if not (edge.source in types and edge.source == edge.target and is_type(edge.label)):
                yield _edge(edge, level)


def _forbidden(rule: Rule) -> Iterator[str]:
    for level in rule.levels:
        for embargo in level.pattern.embargoes:
            labels = [str(edge.label) for edge in embargo.edges]
            labels += ["=" for _ in embargo.equal] + ["!=" for _ in embargo.unequal]
            yield " and ".join(labels) or count(len(embargo.nodes), "node") + " more"


def _types(edges: Iterable[tuple[int, str, int]]) -> dict[int, str]:
    return {source: label for source, label, target in edges if source == target and is_type(label)}


def _node(types: dict[int, str], node: int, level: QuantifierLevel) -> str:
    return f"a node {plain_name(types.get(node, ''))}".rstrip() + _for_each(level)


def _edge(edge: EdgeEffect, level: QuantifierLevel) -> str:
    return (edge.label or "any label") + _for_each(level)


def _for_each(level: QuantifierLevel) -> str:
    return " for each" if level.kind == FORALL else ""
