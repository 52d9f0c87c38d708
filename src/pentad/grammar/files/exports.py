"""Exports of transition systems, grammars and graphs, and readers of transition systems: the table of formats.

A transition system's format is an iterator of lines, so that a large one is written without a copy in memory.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from pentad.game import GameError, shorten
from pentad.grammar.files import aut as aldebaran
from pentad.grammar.files import fsm, graphml, prism
from pentad.grammar.files import gxl as files
from pentad.grammar.files.lts_reader import SystemReader, check_size
from pentad.grammar.grammar import Grammar, encoded, to_files
from pentad.grammar.graph import ROLES, Edge, GrammarError, Graph, NodePosition
from pentad.grammar.language.values import quoted
from pentad.grammar.lts import FINAL, OPEN, START, Lts
from pentad.system.files import replacing
from pentad.system.words import phrase

EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of all members of a zip, so that equal grammars make equal files
FAR = 1e9  # limit of coordinates in pixels
LINES_OF_WRITE = 10_000
MAX_LINE_BYTES = 1 << 26
MAX_GXL_LENGTH = 1 << 28

T = TypeVar("T")


def write(lts: Lts, path: Path, format: str = "", name: str = "", marks: bool = False) -> None:
    """Writes a transition system to a file, atomically; the file's suffix gives the default format.

    `name` is the grammar's name, for formats that store it; `marks` is passed to `aut`.
    """
    kind = format or path.suffix.removeprefix(".")
    if kind not in SYSTEM_FORMATS:
        known = ", ".join(SYSTEM_FORMATS)
        raise GrammarError(
            phrase("Unknown format {kind!r}. The formats of transition systems are {known}.", kind=kind, known=known)
        )
    rows = SYSTEM_FORMATS[kind](lts, name, marks)
    try:
        with replacing(path) as file:
            while some := "".join(islice(rows, LINES_OF_WRITE)):
                file.write(encoded(some, path.name))
    except OSError as error:
        raise GrammarError(f"{error.strerror or error}.", path.name) from error


def read(path: Path, memory: int | None = None, progress: Callable[[int, int], None] | None = None) -> Lts:
    """Reads a transition system from a file, in the format of its suffix.

    `memory` is a limit in bytes; `progress` is called with the number of bytes read, and that of the file.
    """
    reader = READERS.get(path.suffix.removeprefix("."))
    if reader is None:
        known = ", ".join(READERS)
        raise GrammarError(
            phrase("Transition systems are read from files in these formats: {known}.", known=known), path.name
        )
    try:
        with path.open("rb") as file:
            return reader(_lines(file, progress), memory)
    except OSError as error:
        raise GrammarError(f"{error.strerror or error}.", path.name) from error
    except GrammarError as error:
        where = f"{path.name}, {error.where}" if error.where else path.name
        raise GrammarError(error.what, where, error.node, error.label) from error


def _lines(file: BinaryIO, progress: Callable[[int, int], None] | None) -> Iterator[str]:
    """The lines of a file."""
    size = os.fstat(file.fileno()).st_size
    for number in count(1):
        line = file.readline(MAX_LINE_BYTES + 1)
        if not line:
            return
        if len(line) > MAX_LINE_BYTES:
            raise GrammarError(
                phrase("The line is longer than {longest_line:,} bytes.", longest_line=MAX_LINE_BYTES),
                phrase("line {number}", number=number),
            )
        if progress is not None and number % LINES_OF_WRITE == 0:
            progress(file.tell(), size)
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise GrammarError("The line is not UTF-8 text.", phrase("line {number}", number=number)) from None


# Transition systems


def aut(lts: Lts, marks: bool = False) -> str:
    r"""A transition system in the Aldebaran format, which model checkers read.

    With `marks` the start state and the final states have loops `$start` and `$final`. The loops count as transitions,
    as in GROOVE's files.

    >>> lts = Lts(labels=[("go", ("n1",))], states=2, final={1})
    >>> lts.add(0, 0, 1)
    >>> aut(lts)
    'des (0, 1, 2)\n(0,"go(n1)",1)\n'
    """
    return "".join(_aut(lts, marks))


def gxl(lts: Lts, name: str = "lts") -> str:
    """A transition system in GROOVE's format: a graph with loops `$start`, `$final` and `$open` at its states."""
    return "".join(_gxl(lts, name))


def _aut(lts: Lts, marks: bool) -> Iterator[str]:
    return aldebaran.write(lts, _marks(lts, (START, FINAL)) if marks else ())


def _gxl(lts: Lts, name: str) -> Iterator[str]:
    writer = files.GxlWriter()
    yield writer.head(name or "lts", "lts", {})
    yield from (writer.node(f"s{state}", {}) for state in range(lts.states))
    yield from (
        writer.edge(Edge(f"s{state}", mark, f"s{state}"), {}) for state, mark in _marks(lts, (START, FINAL, OPEN))
    )
    labels = lts.texts
    for source, action, target in lts.rows:
        yield writer.edge(Edge(f"s{source}", labels[action], f"s{target}"), {})
    yield files.TAIL


def _read_gxl(lines: Iterable[str], memory: int | None) -> Lts:
    """Reads a graph of states, which are numbered in the order in which they stand; their marks are loops.

    GROOVE's loops are named `$start` or `start`, and so on; bare names are marks if there is one start.
    """
    parts, size = list[str](), 0
    for line in lines:
        size += len(line)
        if size > MAX_GXL_LENGTH:
            raise GrammarError(phrase("The file is larger than {largest_gxl} MiB.", largest_gxl=MAX_GXL_LENGTH >> 20))
        parts.append(line)
    graph = files.read("".join(parts).encode(), "", "lts")
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    reader = SystemReader(len(numbers), len(graph.edges), memory)
    if not numbers:
        raise GrammarError("The system has no states.")
    loops = [label for source, label, target in graph.edges if source == target]
    bare = {} if START in loops or loops.count(START[1:]) != 1 else {mark[1:]: mark for mark in (START, FINAL, OPEN)}
    if START not in loops and not bare:
        raise GrammarError(
            phrase("This is no transition system: no state has the loop {start}, which marks the start.", start=START)
        )
    for source, label, target in graph.edges:
        reader.add(numbers[source], bare.get(label, label) if source == target else label, numbers[target], "")
    return reader.system()


def _dot(lts: Lts, name: str) -> Iterator[str]:
    yield f'digraph {_dotted(name or "lts")} {{\n  node [shape=circle, label=""];\n'
    for state in range(lts.states):
        style = [
            'label="start"' * (state == 0),
            "shape=doublecircle" * (state in lts.final),
            "style=dashed" * (state in lts.open),
            "color=red" * (state in lts.broken),
        ]
        yield f"  s{state} [{', '.join(filter(None, style))}];\n" if any(style) else f"  s{state};\n"
    labels = [_dotted(label) for label in lts.texts]
    for source, action, target in lts.rows:
        yield f"  s{source} -> s{target} [label={labels[action]}];\n"
    yield "}\n"


def json_lines(lts: Lts, name: str = "") -> Iterator[str]:
    """A transition system as JSON lines: a header, then each state, then each transition.

    >>> lts = Lts(labels=[("go", ("n1",))], states=2, final={1})
    >>> lts.add(0, 0, 1)
    >>> print("".join(json_lines(lts, "ferry")), end="")
    {"format": "pentad-lts", "version": 1, "grammar": "ferry", "states": 2, "transitions": 1}
    {"state": 0}
    {"state": 1, "final": true}
    {"from": 0, "action": "go", "arguments": ["n1"], "to": 1}
    """
    about = {"format": "pentad-lts", "version": 1, "grammar": name}
    yield _line(about | {"states": lts.states, "transitions": lts.transitions})
    for state in range(lts.states):
        row: dict[str, object] = {"state": state}
        if state < len(lts.depths):
            row["depth"] = lts.depths[state]
        row |= {key: True for key, those in _kinds(lts) if state in those}
        if state in lts.broken:
            row["broken"] = lts.broken[state]
        yield _line(row)
    labels = [_line(_label(lts, number))[1:-2] for number in range(len(lts.labels))]
    for source, action, target in lts.rows:
        yield f'{{"from": {source}, {labels[action]}, "to": {target}}}\n'


def _kinds(lts: Lts) -> tuple[tuple[str, set[int]], ...]:
    """The kinds of states in a file, each with its states."""
    return ("final", lts.final), ("open", lts.open), ("inner", lts.inner)


def _label(lts: Lts, number: int) -> dict[str, object]:
    """A label as plain data, with its display form if it has one, and `inner` for a step within a recipe."""
    action, arguments = lts.labels[number]
    row: dict[str, object] = {"action": action, "arguments": arguments}
    row |= {"label": lts.shown[number]} if number in lts.shown else {}
    return row | ({"inner": True} if number in lts.steps else {})


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row) + "\n"


def _marks(lts: Lts, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    states: Mapping[str, Iterable[int]] = {START: range(lts.states)[:1], FINAL: lts.final, OPEN: lts.open}
    return ((state, mark) for mark in names for state in sorted(states[mark]))


def read_json_lines(lines: Iterable[str], memory: int | None = None) -> Lts:
    """Reads a transition system from JSON lines, such as an open file; `memory` is a limit in bytes."""
    rows = ((number, _parsed(line, f"line {number}")) for number, line in enumerate(lines, 1) if line.strip())
    _, about = next(rows, (0, {}))
    if not isinstance(about, dict) or (about.get("format"), about.get("version")) != ("pentad-lts", 1):
        raise GrammarError("This is not a transition system in JSON lines.", "line 1")
    states, transitions = (_count(about, key, None, "line 1") for key in ("states", "transitions"))
    check_size(states, transitions, memory, "line 1")
    lts, labels = Lts(states=states), dict[tuple[str, tuple[str, ...], str, bool], int]()
    for state in range(states):
        number, row = next(rows, (0, None))
        if not number:
            raise GrammarError(
                phrase("The file is incomplete: it has {state} of {states} states.", state=state, states=states)
            )
        _add_state(lts, state, _expect(row, dict, f"line {number}"), f"line {number}")
    for number, row in rows:
        where = f"line {number}"
        row = _expect(row, dict, where)
        arguments = tuple(_texts(row.get("arguments", []), where))
        shown = _expect(row.get("label", ""), str, f"{where}, label")
        inner = _expect(row.get("inner", False), bool, f"{where}, inner")
        label = (_expect(row.get("action"), str, f"{where}, action"), arguments, shown, inner)
        action = labels.setdefault(label, len(labels))
        lts.add(_count(row, "from", states, where), action, _count(row, "to", states, where))
    if len(lts.depths) not in (0, states):
        raise GrammarError("Some states have a depth and some have none.")
    if lts.transitions != transitions:
        raise GrammarError(
            phrase(
                "The file is incomplete: it has {transitions} of {promised} transitions.",
                transitions=lts.transitions,
                promised=transitions,
            )
        )
    lts.labels = [(action, arguments) for action, arguments, _, _ in labels]
    lts.shown = {number: shown for number, (_, _, shown, _) in enumerate(labels) if shown}
    lts.steps = {number for number, (_, _, _, inner) in enumerate(labels) if inner}
    return lts


def _add_state(lts: Lts, state: int, row: Mapping[str, object], where: str) -> None:
    if _count(row, "state", None, where) != state:
        raise GrammarError(phrase("Expected state {state}.", state=state), where)
    if "depth" in row:
        lts.depths.append(_count(row, "depth", None, where))
    for key, those in _kinds(lts):
        if _expect(row.get(key, False), bool, f"{where}, {key}"):
            those.add(state)
    if "broken" in row:
        lts.broken[state] = tuple(_texts(row["broken"], where))


def _count(row: Mapping[str, object], key: str, below: int | None, where: str) -> int:
    value = row.get(key)
    if type(value) is not int or not 0 <= value < (2**63 if below is None else below):
        raise GrammarError(
            phrase(
                "{key!r} is {got}, which is not a {kind}.",
                key=key,
                got=_brief(value),
                kind="count" if below is None else "state",
            ),
            where,
        )
    return value


# Grammars and graphs as JSON


def to_json(what: Grammar | Graph) -> str:
    """Returns a grammar or a graph as JSON; `from_json` and `graph_from_json` are the inverse functions."""
    return json.dumps(as_data(what), indent=1)


def as_data(what: Grammar | Graph) -> dict[str, object]:
    """Returns a grammar or a graph as dicts and lists."""
    return _graph_data(what) if isinstance(what, Graph) else _grammar_data(what)


def _grammar_data(grammar: Grammar) -> dict[str, object]:
    graphs = {part: {name: _graph_data(graph) for name, graph in getattr(grammar, part).items()} for part in _PARTS}
    return {
        "format": "pentad-grammar",
        "version": 1,
        "name": grammar.name,
        **graphs,
        "controls": dict(grammar.controls),
        "properties": dict(grammar.properties),
        "others": {path: base64.b64encode(data).decode() for path, data in grammar.others.items()},
    }


def _graph_data(graph: Graph) -> dict[str, object]:
    data: dict[str, object] = {
        "name": graph.name,
        "role": graph.role,
        "nodes": {node: None if place is None else list(place) for node, place in graph.nodes.items()},
        "edges": [list(edge) for edge in graph.edges],
        "attributes": dict(graph.attributes),
    }
    if graph.notes:
        notes = ((thing if isinstance(thing, str) else list(thing), note) for thing, note in graph.notes.items())
        data["notes"] = [[thing, dict(note)] for thing, note in notes]
    return data


_PARTS: Mapping[str, str] = {"graphs": "graph", "rules": "rule", "types": "type"}


def from_json(text: str) -> Grammar:
    """Returns the grammar in a JSON text."""
    data = _expect(_parsed(text, "grammar"), dict, "grammar")
    if (data.get("format"), data.get("version")) != ("pentad-grammar", 1):
        raise GrammarError("This is not a grammar in JSON.")
    grammar = Grammar(_expect(data.get("name"), str, "name"))
    for part in _PARTS:
        graphs = _expect(data.get(part, {}), dict, part)
        setattr(grammar, part, {name: _graph(graph, f"{part}, {name}") for name, graph in graphs.items()})
    grammar.controls = _settings(data.get("controls", {}), "controls")
    grammar.properties = _settings(data.get("properties", {}), "properties")
    for path, code in _settings(data.get("others", {}), "others").items():
        try:
            grammar.others[path] = base64.b64decode(code, validate=True)
        except (binascii.Error, ValueError) as error:
            raise GrammarError("The content is not valid base64.", phrase("others, {path}", path=path)) from error
    return grammar


def graph_from_json(text: str) -> Graph:
    """Returns the graph in a JSON text."""
    return _graph(_parsed(text, "graph"), "graph")


def _graph(value: object, where: str) -> Graph:
    data = _expect(value, dict, where)
    graph = Graph(_expect(data.get("name"), str, f"{where}, name"), _expect(data.get("role"), str, f"{where}, role"))
    if graph.role not in ROLES:
        raise GrammarError(
            phrase("Unknown role {role!r}. The roles are {roles}.", role=graph.role, roles=", ".join(ROLES)), where
        )
    for node, place in _expect(data.get("nodes"), dict, f"{where}, nodes").items():
        graph.nodes[node] = None if place is None else _place(place, f"{where}, node {node}")
    for edge in _expect(data.get("edges"), list, f"{where}, edges"):
        graph.edges.append(_edge(edge, graph, where))
    graph.attributes = _settings(data.get("attributes", {}), f"{where}, attributes")
    for note in _expect(data.get("notes", []), list, f"{where}, notes"):
        thing, about = _pair(note, f"{where}, notes")
        owner = thing if isinstance(thing, str) else _edge(thing, graph, where)
        graph.notes[owner] = _settings(about, f"{where}, notes")
    return graph


def _place(value: object, where: str) -> NodePosition:
    x, y = _pair(value, where)
    if not (isinstance(x, int | float) and isinstance(y, int | float) and max(abs(x), abs(y)) < FAR):
        raise GrammarError(phrase("Expected a position, got {got}.", got=_brief(value)), where)
    return NodePosition(x, y)


def _edge(value: object, graph: Graph, where: str) -> Edge:
    parts = _texts(value, where)
    if len(parts) != 3:
        raise GrammarError(phrase("Expected an edge [source, label, target], got {got}.", got=_brief(value)), where)
    edge = Edge(*parts)
    graph.check_ends(edge, where)
    return edge


def _pair(value: object, where: str) -> tuple[object, object]:
    parts = _expect(value, list, where)
    if len(parts) != 2:
        raise GrammarError(phrase("Expected a pair, got {got}.", got=_brief(value)), where)
    return parts[0], parts[1]


def _settings(value: object, where: str) -> dict[str, str]:
    return {key: _expect(value, str, f"{where}, {key}") for key, value in _expect(value, dict, where).items()}


def _texts(value: object, where: str) -> list[str]:
    return [_expect(part, str, where) for part in _expect(value, list, where)]


def _parsed(text: str, where: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GrammarError(phrase("Invalid JSON: {error}.", error=error), where) from error
    return value


_KINDS: Mapping[type, str] = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}


def _expect(value: object, kind: type[T], where: str) -> T:
    if not isinstance(value, kind):
        raise GrammarError(phrase("Expected {kind}, got {got}.", kind=_KINDS[kind], got=_brief(value)), where)
    return value


def _brief(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"


# Pictures in DOT


_STYLES: Mapping[str, str] = {
    "del": "color=blue, fontcolor=blue, style=dashed",
    "new": "color=green4, fontcolor=green4, style=bold",
    "cnew": "color=cyan4, fontcolor=cyan4, style=dashed",
    "not": 'color=red, fontcolor=red, style="dashed,bold"',
    "rem": "color=orange3, fontcolor=orange3",
    **dict.fromkeys(("forall", "forallx", "exists", "existsx"), "color=purple, fontcolor=purple"),
}


def dot(what: Lts | Grammar | Graph, name: str = "") -> str:
    """Returns a transition system, a graph, or all graphs of a grammar in Graphviz's DOT language.

    >>> graph = Graph("start")
    >>> graph.edge(graph.node("type:Game"), "turn", graph.node("type:Player"))
    >>> print(dot(graph), end="")
    digraph "start" {
      node [shape=box];
      "n0" [label="type:Game"];
      "n1" [label="type:Player"];
      "n0" -> "n1" [label="turn"];
    }
    """
    if isinstance(what, Lts):
        return "".join(_dot(what, name))
    if isinstance(what, Graph):
        return "\n".join([f"digraph {_dotted(name or what.name)} {{", "  node [shape=box];", *_drawn(what), "}\n"])
    lines = [f"digraph {_dotted(name or what.name)} {{", "  node [shape=box];"]
    graphs = chain.from_iterable(getattr(what, part).items() for part in _PARTS)
    for number, (name, graph) in enumerate(graphs):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_dotted(f'{name} ({graph.role})')};"]
        lines += [*(f"  {line}" for line in _drawn(graph, f"{number}:")), "  }"]
    return "\n".join([*lines, "}\n"])


def _drawn(graph: Graph, prefix: str = "") -> Iterator[str]:
    labels_of: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for source, label, target in graph.edges:
        if source == target:
            labels_of[source].append(label)
    for node, labels in labels_of.items():
        style = next(filter(None, (_style(label) for label in labels if _OF_NODE.fullmatch(label))), "")
        shown = "\n".join(labels) or node
        yield f"  {_dotted(prefix + node)} [label={_dotted(shown)}{style}];"
    for source, label, target in graph.between():
        style = ", style=dotted" if label in ("@", "at", "in") else _style(label)
        yield f"  {_dotted(prefix + source)} -> {_dotted(prefix + target)} [label={_dotted(label)}{style}];"


_ROLE = re.compile(r"(\w+)(=\w*)?:")
_OF_NODE = re.compile(_ROLE.pattern + "(type:.*)?", re.DOTALL)  # the role of a whole node


def _style(label: str) -> str:
    role = _ROLE.match(label)
    return f", {_STYLES[role[1]]}" if role and role[1] in _STYLES else ""


def _dotted(text: str) -> str:
    """Returns a text in double quotes; unprintable characters become U+FFFD."""
    shown = re.sub("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]", "\ufffd", text)
    return quoted(shown).replace("\n", "\\n")


# Folders in a zip


def folder_of(grammar: Grammar) -> str:
    """The default folder of a grammar, by its name; a name from a file may be a path, which is refused."""
    name = grammar.name
    if not name.isprintable() or name != Path(name).name or name.startswith("."):
        raise GameError(
            "The grammar's name, {name}, cannot be the name of a folder. Name a folder.", name=shorten(repr(name))
        )
    return f"{name}.gps"


def to_zip(grammar: Grammar) -> bytes:
    """Returns a zip with the grammar's folder of GROOVE's files."""
    data, folder = io.BytesIO(), folder_of(grammar)
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in to_files(grammar).items():
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", EPOCH), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


# The table of formats


class GraphFormat(NamedTuple):
    """A format: its name and files' suffix, its writers of grammars and of transition systems, and its reader of these.

    The writer of a transition system gets the grammar's name, and whether to mark the start and the final states. The
    reader gets the lines of a file, and a limit of memory in bytes.
    """

    name: str
    what: str  # what a grammar's file has
    grammar: Callable[[Grammar], bytes] | None = None
    system: Callable[[Lts, str, bool], Iterator[str]] | None = None
    read: Callable[[Iterable[str], int | None], Lts] | None = None


FORMATS = (
    GraphFormat("aut", "", system=lambda lts, name, marks: _aut(lts, marks), read=aldebaran.read),
    GraphFormat("gxl", "", system=lambda lts, name, marks: _gxl(lts, name), read=_read_gxl),
    GraphFormat("gst", "", system=lambda lts, name, marks: _gxl(lts, name), read=_read_gxl),
    GraphFormat("json", "the whole grammar, for programs", lambda grammar: f"{to_json(grammar)}\n".encode()),
    GraphFormat(
        "dot",
        "its graphs, for Graphviz",
        grammar=lambda grammar: dot(grammar).encode(),
        system=lambda lts, name, marks: _dot(lts, name),
    ),
    GraphFormat("zip", "a zip of GROOVE's files", to_zip),
    GraphFormat("jsonl", "", system=lambda lts, name, marks: json_lines(lts, name), read=read_json_lines),
    GraphFormat("fsm", "", system=lambda lts, name, marks: fsm.write(lts), read=fsm.read),
    GraphFormat("tra", "", system=lambda lts, name, marks: prism.transitions(lts)),
    GraphFormat("lab", "", system=lambda lts, name, marks: prism.labels(lts)),
    GraphFormat("graphml", "", system=lambda lts, name, marks: graphml.write(lts, name)),
)
GRAMMAR_FORMATS = {each.name: each.grammar for each in FORMATS if each.grammar}
SYSTEM_FORMATS = {each.name: each.system for each in FORMATS if each.system}
READERS = {each.name: each.read for each in FORMATS if each.read}
