"""`pentad grammar show`: the parts of a grammar, or one of them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from pentad.grammar.files.exports import as_data
from pentad.grammar.grammar import DEFAULTS, Grammar
from pentad.terminal import streams
from pentad.terminal.arguments import Parser
from pentad.terminal.grammar.descriptions import graph_lines, rule_data, rule_line, size
from pentad.terminal.grammar.grammar_arguments import KINDS, Part, add_grammar, add_json, find, graph_of, read
from pentad.wording import count


def add_arguments(parser: Parser) -> None:
    add_grammar(parser)
    parser.add_argument(
        "part", metavar="PART", nargs="?", help="graph, rule, type graph or control program to show in full"
    )
    add_json(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    grammar = read(args.grammar)
    if args.part is None:
        print(json.dumps(_data(grammar)) if args.json else "\n".join(_lines(grammar)))
        return 0
    part = find(grammar, args.part)
    print(json.dumps(_part_data(grammar, part)) if args.json else "\n".join(_part_lines(grammar, part)))
    return 0


# ── one part ─────────────────────────────────────────────────────────────────────────────────────


def _part_data(grammar: Grammar, part: Part) -> dict[str, Any]:
    if part.column == "controls":
        return {"kind": KINDS[part.column][0], "name": part.name, "text": grammar.controls[part.name]}
    return {"kind": KINDS[part.column][0], **as_data(graph_of(grammar, part))}


def _part_lines(grammar: Grammar, part: Part) -> Iterator[str]:
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
