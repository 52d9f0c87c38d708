"""Reader and writer of GXL, GROOVE's XML format of graphs.

Reading is strict about what would change a graph's meaning and loses nothing that GROOVE itself keeps: a node's size
and an edge's bends stay in the graph's notes and are written again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pentad.game import shorten
from pentad.grammar.graph import ROLES, Edge, GrammarError, Graph, NodePosition, Notes
from pentad.system.words import phrase

VERSION = "curly"  # GROOVE's file format has it since 2009; older files have no version
CHUNK_BYTES = 1 << 20
SIZE = (30, 20)  # default size of a node; GROOVE's editor fits it to the text

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<gxl xmlns="http://www.gupro.de/GXL/gxl-1.0.dtd">\n'
TAIL = "    </graph>\n</gxl>\n"
_VALUES = ("string", "int", "bool", "float")
# The elements allowed in each element.
_INSIDE: Mapping[str, tuple[str, ...]] = {
    "": ("gxl",),
    "gxl": ("graph",),
    "graph": ("attr", "node", "edge"),
    "node": ("attr",),
    "edge": ("attr",),
    "attr": _VALUES,
}
# The supported values of attributes: edges are directed and have two ends; edge ids are ignored.
_PLAIN: Mapping[str, tuple[str, ...]] = {
    "edgeids": ("false", "0", "true", "1"),
    "edgemode": ("directed", "defaultdirected"),
    "hypergraph": ("false", "0"),
}
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(source: bytes, name: str, role: str, where: str = "") -> Graph:
    """The graph in a file's bytes; it gets this name and role, which GROOVE takes from the file's name too."""
    builder = _Builder(name, role, where)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.data, builder.doctype
    try:
        for begin in range(0, len(source), CHUNK_BYTES):  # Ctrl-C takes effect between two chunks
            parser.Parse(source[begin : begin + CHUNK_BYTES])
        parser.Parse(b"", True)
    except GrammarError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: encodings unknown to the parser
        raise GrammarError(phrase("Invalid XML: {error}.", error=error), where) from error
    return builder.graph()


class _Builder:
    """Handlers of the XML parser; an unexpected element stops the parsing."""

    def __init__(self, name: str, role: str, where: str) -> None:
        self.name, self.role, self.where = name, role, where
        self.open_elements = [""]
        self.found = False
        self.nodes: dict[str, None] = {}
        self.edges: list[Edge] = []
        self.notes: Notes = {}
        self.attributes: dict[str, str] = {}
        self.here: dict[str, str] = self.attributes  # attributes of the current element
        self.ends = ("", "")
        self.key = ""
        self.value: str | None = None
        self.text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag, outer = tag.rpartition("}")[2], self.open_elements[-1]
        if tag not in _INSIDE.get(outer, ()):
            self.stop(f"Unexpected <{tag}> in {f'<{outer}>' if outer else 'the document'}.")
        self.open_elements.append(tag)
        match tag:
            case "graph":
                self.start_graph(attributes)
            case "node":
                name = attributes.get("id")
                if name is None:
                    self.stop("A node has no id.")
                if name in self.nodes:
                    self.stop("Two nodes have this name.", name)
                self.nodes[name] = None
                self.here = self.notes.setdefault(name, {})
            case "edge":
                source, target = attributes.get("from"), attributes.get("to")
                if source is None or target is None:
                    self.stop(
                        phrase("An edge has no {end}.", end="from" if source is None else "to"), source or target or ""
                    )
                self.ends, self.here = (source, target), {}
            case "attr":
                self.key, self.value = attributes.get("name", ""), None
        self.text = []

    def start_graph(self, attributes: Mapping[str, str]) -> None:
        if self.found:
            self.stop("The file has a second graph.")
        self.found = True
        # GROOVE takes the role from the file's name; files older than roles have "graph" or nothing.
        role = attributes.get("role", "graph")
        if role not in (*ROLES, "lts"):
            self.stop(phrase("Unknown role {role!r}. The roles are {roles}.", role=role, roles=", ".join(ROLES)))
        if role not in (self.role, "graph"):
            self.stop(
                phrase("Its role is {role!r}, but its name makes it a {expected}.", role=role, expected=self.role)
            )
        for key, allowed in _PLAIN.items():
            if attributes.get(key, allowed[0]) not in allowed:
                self.stop(
                    phrase(
                        "{key}={attribute!r} is not supported. Use {allowed!r}.",
                        key=key,
                        attribute=attributes[key],
                        allowed=allowed[0],
                    )
                )

    def data(self, text: str) -> None:
        if self.open_elements[-1] in _VALUES:
            self.text.append(text)
        elif text.strip():
            self.stop(
                phrase(
                    "Unexpected text in <{element}>: {text!r}.", element=self.open_elements[-1], text=text.strip()[:40]
                )
            )

    def end(self, _: str) -> None:
        tag = self.open_elements.pop()
        if tag in _VALUES:
            if self.value is not None:
                self.stop(phrase("The attribute {key!r} has two values.", key=self.key))
            self.value = "".join(self.text)
        elif tag == "attr":
            if self.value is None:
                self.stop(phrase("The attribute {key!r} has no value.", key=self.key))
            before = self.here.setdefault(self.key, self.value)
            if before != self.value:  # GROOVE writes some twice with the same value
                self.stop(
                    phrase(
                        "The attribute {key!r} occurs twice, as {first!r} and {second!r}.",
                        key=self.key,
                        first=before,
                        second=self.value,
                    )
                )
        elif tag in ("node", "edge"):
            if tag == "edge":
                self.end_edge()
            self.here = self.attributes

    def end_edge(self) -> None:
        source, target = self.ends
        if "label" not in self.here:
            self.stop(phrase("The edge from {source} to {target} has no label.", source=source, target=target), source)
        edge = Edge(source, self.here.pop("label"), target)
        self.edges.append(edge)
        if self.here:
            self.notes.setdefault(edge, self.here)

    def doctype(self, name: str, *_: object) -> None:
        """Refuses a document type, since only that can declare entities: texts that grow, or are in other files."""
        self.stop(
            phrase(
                "The file has a document type (<!DOCTYPE {name} …>), which GROOVE's files never have.",
                name=shorten(name),
            )
        )

    def stop(self, what: str, node: str = "") -> NoReturn:
        raise GrammarError(what, self.where, node)

    def graph(self) -> Graph:
        if not self.found:
            self.stop("The file has no graph.")
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in self.nodes:
                    raise GrammarError("An edge leads to a missing node.", self.where, end, edge.label)
        version = self.attributes.pop("$version", VERSION)
        if version not in ("", VERSION):
            self.stop(
                phrase(
                    "Unsupported format version {version!r}. The supported version is {supported!r}.",
                    version=version,
                    supported=VERSION,
                )
            )
        nodes = {node: _place(self.notes.get(node, {}).get("layout")) for node in self.nodes}
        return with_notes(Graph(self.name, self.role, nodes, self.edges, self.attributes), self.notes)


def with_notes(graph: Graph, notes: Notes) -> Graph:
    """Returns the graph with these notes, without those that only repeat the position."""
    kept: Notes = {}
    for thing, note in notes.items():
        place = graph.nodes.get(thing) if isinstance(thing, str) else None
        if note.get("layout") == _layout(place):
            note = {key: value for key, value in note.items() if key != "layout"}
        if note:
            kept[thing] = note
    graph.notes = kept
    return graph


def _place(layout: str | None) -> NodePosition | None:
    """Returns the position in a layout `x y width height`; None if it cannot be parsed."""
    try:
        x, y, _, _ = (int(part) for part in (layout or "").split())
        return NodePosition(float(x), float(y))
    except (ValueError, OverflowError):
        return None


def _layout(place: NodePosition | None, before: str | None = None) -> str | None:
    """Returns a position in GROOVE's format; `before` is the layout in the file, kept if the node has not moved."""
    was = _place(before)
    if was == place:
        return before
    if place is None:
        return None
    size = SIZE if before is None or was is None else before.split()[2:]
    return " ".join(map(str, (round(place.x), round(place.y), *size)))


def write(graph: Graph, where: str = "", name: str = "") -> str:
    """Returns the text of a graph's file, one line for each element.

    `where` is the file in errors, `name` replaces the graph's own name.
    """
    notes, writer = graph.notes, GxlWriter(where)
    lines = [writer.head(name or graph.name, graph.role, graph.attributes)]
    for node, place in graph.nodes.items():
        note = notes.get(node, {})
        if place and not (isfinite(place.x) and isfinite(place.y)):
            raise GrammarError(phrase("The position {x}, {y} is invalid.", x=place.x, y=place.y), where, node)
        layout = _layout(place, note.get("layout"))
        others = {key: value for key, value in note.items() if key != "layout"}
        lines.append(writer.node(node, {"layout": layout, **others} if layout else others))
    for edge in graph.edges:
        graph.check_ends(edge, where)
        lines.append(writer.edge(edge, notes.get(edge, {})))
    return "".join([*lines, TAIL])


class GxlWriter:
    """Writes a graph's elements; errors name the file and node of a text that XML does not allow."""

    def __init__(self, where: str = "") -> None:
        self.where = where

    def head(self, name: str, role: str, attributes: Mapping[str, str]) -> str:
        attributes = {"$version": VERSION} | {key: value for key, value in attributes.items() if key != "$version"}
        lines = "".join(f"        {self._attribute(key, value)}\n" for key, value in attributes.items())
        named = f"id={self._quoted(name)} role={self._quoted(role)}"
        return f'{_HEAD}    <graph {named} edgeids="false" edgemode="directed">\n{lines}'

    def node(self, node: str, attributes: Mapping[str, str]) -> str:
        inside = "".join(self._attribute(key, value, node) for key, value in attributes.items())
        return f"        <node id={self._quoted(node, node)}" + (f">{inside}</node>\n" if inside else "/>\n")

    def edge(self, edge: Edge, attributes: Mapping[str, str]) -> str:
        source, label, target = edge
        inside = self._attribute("label", label, source)
        inside += "".join(self._attribute(key, value, source) for key, value in attributes.items())
        return f"        <edge from={self._quoted(source)} to={self._quoted(target)}>{inside}</edge>\n"

    def _attribute(self, key: str, value: str, node: str = "") -> str:
        text = escape(self._checked(value, node), {"\r": "&#13;"})  # parsers read a bare \r as \n
        return f"<attr name={self._quoted(key, node)}><string>{text}</string></attr>"

    def _quoted(self, text: str, node: str = "") -> str:
        return quoteattr(self._checked(text, node))

    def _checked(self, text: str, node: str) -> str:
        if bad := _UNWRITABLE.search(text):
            what = phrase("The character U+{code:04X} is not allowed in XML.", code=ord(bad[0]))
            raise GrammarError(what, self.where, _shown(node), "" if node == text else _shown(text))
        return text


def escaped(text: str) -> str:
    """A text for the content of an element or attribute; raises an error if XML does not allow it."""
    if bad := _UNWRITABLE.search(text):
        raise GrammarError(
            phrase("The character U+{code:04X} is not allowed in XML.", code=ord(bad[0])), "", "", _shown(text)
        )
    return escape(text, {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;", '"': "&quot;"})


def _shown(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)


def put_layout(graph: Graph, text: str) -> Graph:
    """Returns the graph with the layout of a `.gl` file, which older versions of GROOVE stored next to the graph.

    A line is `n node x y width height` or `e source target "label" x y` with points and a style. Lines for missing
    nodes and edges are ignored, since they affect the drawing only.
    """
    notes = {thing: dict(note) for thing, note in graph.notes.items()}
    edges, version = set(graph.edges), "1"
    for line in text.splitlines():
        # the tokens of a line; one in double quotes can have spaces
        match [bare or re.sub(r"\\(.)", r"\1", quoted) for quoted, bare in _WORD.findall(line)]:
            case ["v", version, *_]:
                pass
            case ["n", node, *bounds] if node in graph.nodes and _place(" ".join(bounds)):
                graph.nodes[node] = _place(" ".join(bounds))
                notes.setdefault(node, {})["layout"] = " ".join(bounds)
            case ["e", source, target, label, *points] if (edge := Edge(source, label, target)) in edges:
                # The first version measured label positions differently, so the editor's default is used.
                spot = points[:2] if version != "1" else ["500", "0"]
                notes.setdefault(edge, {})["layout"] = " ".join([*spot, *points[2:]])
    return with_notes(graph, notes)
