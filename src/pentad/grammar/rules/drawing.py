"""Nodes and edges of a rule graph with parsed labels, and the checks of their roles.

Only single nodes and edges are checked here; `rule_reader` turns them into patterns and effects. Errors are collected
and reported together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from pentad.game import shown, whole
from pentad.grammar.graph import GrammarError, Graph, Problems
from pentad.grammar.language import paths
from pentad.grammar.language.labels import (
    ADDER,
    ATTRIBUTE,
    CREATOR,
    EMBARGO,
    ERASER,
    LITERAL,
    NESTING,
    PARAMETER,
    QUANTIFIERS,
    READER,
    REMARK,
    ROLE,
    SORT,
    Aspect,
    Reading,
    read_labels,
)

IN, AT, COUNT = "in", "@", "count"  # labels of edges from or to quantifiers
_NESTINGS = {"in": IN, "@": AT, "at": AT, "count": COUNT}
# Kinds of edges.
LABEL, LET, TEST, FIELD, OPERATOR, ARGUMENT, NESTED, OR = (
    *("label", "let", "test", "field", "operator", "argument", "nested", "or"),
)
_FORBIDS = (EMBARGO, ADDER)
# The roles that the ends of an edge may have, by the edge's role.
_ALLOWED_ENDS = {
    READER: {READER},
    ERASER: {ERASER, READER},
    CREATOR: {CREATOR, READER, ADDER},
    ADDER: {ADDER, READER},
    EMBARGO: {EMBARGO, READER, ERASER, ADDER},
}


@dataclass(slots=True, eq=False)
class Node:
    """A node of a rule."""

    name: str
    aspects: dict[str, Aspect] = field(default_factory=dict)
    nesting: dict[str, Edge] = field(default_factory=dict)  # its edges to quantifiers, by label
    is_product: bool = False
    variable: int = -1

    @property
    def is_remark(self) -> bool:
        return REMARK in self.aspects

    @property
    def quantifier(self) -> str:
        found = self.aspects.get(NESTING)
        return found.kind if found else ""

    @property
    def role(self) -> str:
        found = self.aspects.get(ROLE)
        return found.kind if found else "" if self.quantifier or self.is_remark else READER

    @property
    def sort(self) -> str:
        """The type of a value; empty for other nodes."""
        found = self.aspects.get(SORT)
        return found.kind if found else ""

    @property
    def value(self) -> str:
        """The expression of a value; empty if there is none."""
        return self.aspects[SORT].value if SORT in self.aspects else ""

    @property
    def alias(self) -> str:
        """The name that expressions and quantified edges use."""
        for each in ("id", NESTING):
            if each in self.aspects and self.aspects[each].value:
                return self.aspects[each].value
        return ""

    @property
    def parameter(self) -> str:
        found = self.aspects.get(PARAMETER)
        return found.kind if found else ""

    @property
    def forbids(self) -> bool:
        return self.role in _FORBIDS

    @property
    def creates(self) -> bool:
        return self.role in (CREATOR, ADDER)

    @property
    def level(self) -> Node | None:
        """The quantifier that the node belongs to."""
        return self.nesting[AT].target if AT in self.nesting else None

    @property
    def parent(self) -> Node | None:
        """The quantifier that a quantifier is nested in."""
        return self.nesting[IN].target if IN in self.nesting else None


@dataclass(slots=True, eq=False)
class Edge:
    """An edge of a rule, or a loop."""

    source: Node
    target: Node
    full_label: str  # as drawn
    kind: str = LABEL
    role: str = ""
    level: str = ""  # the name of the quantifier that it belongs to
    text: str = ""  # its label; the text after `let:`, `test:`, `arg:`; the name of a field or an operator
    sort: str = ""  # the type of a field or an operator
    label: str | paths.Wildcard | paths.Path | None = None  # the parsed label
    copy: int | None = None  # the variable of the matched edge, if parallel edges are distinguished

    @property
    def forbids(self) -> bool:
        return self.role in _FORBIDS

    @property
    def creates(self) -> bool:
        return self.role in (CREATOR, ADDER)


class Drawing:
    """A rule graph with parsed labels; `where` is its file name in errors."""

    def __init__(self, graph: Graph, where: str, problems: Problems) -> None:
        self.graph, self.where, self.problems = graph, where, problems
        self.nodes = {name: Node(name) for name in graph.nodes}
        self.edges: list[Edge] = []
        self.by_name: dict[str, Node] = {}
        self._loops = {(each.source, each.label) for each in graph.edges if each.source == each.target}
        self._out: dict[Node, list[Edge]] = {}
        self._read()
        self.edges = [each for each in self.edges if not (each.source.is_remark or each.target.is_remark)]
        for each in self.edges:
            self._out.setdefault(each.source, []).append(each)
            with self.collect(each):
                self._infer(each)
        self._check()

    def error(self, message: str, at: Node | Edge) -> GrammarError:
        if isinstance(at, Node):
            return GrammarError(message, self.where, at.name)
        return GrammarError(message, self.where, at.source.name, at.full_label)

    def report(self, message: str, at: Node | Edge) -> None:
        self.problems.errors.append(self.error(message, at))

    def collect(self, at: Node | Edge) -> AbstractContextManager[None]:
        """Collects the errors of a block, which are about a node or an edge."""
        if isinstance(at, Node):
            return self.problems.collect(self.where, at.name)
        return self.problems.collect(self.where, at.source.name, at.full_label)

    @property
    def quantifiers(self) -> Iterator[Node]:
        return (node for node in self.nodes.values() if node.quantifier)

    def from_node(self, node: Node) -> list[Edge]:
        """The outgoing edges of a node, including loops."""
        return self._out.get(node, [])

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def _read(self) -> None:
        aspects: dict[str, dict[str, Aspect]] = {name: {} for name in self.nodes}
        for edge, reading in read_labels(self.graph, "rule", self.where, aspects, self.problems):
            with self.problems.collect(self.where, edge.source, edge.label):
                self._add(self.nodes[edge.source], self.nodes[edge.target], edge.label, reading)
        for name, node in self.nodes.items():
            node.aspects = aspects[name]
        for node in self.nodes.values():
            if not node.alias:
                continue
            other = self.by_name.setdefault(node.alias, node)
            if other is not node:
                self.report(f"Another node also has the name {node.alias}.", node)

    def _add(self, source: Node, target: Node, full_label: str, reading: Reading) -> None:
        edge = Edge(source, target, full_label, text=reading.text, role=reading.kind(ROLE), level=reading.value(ROLE))
        nesting, attribute, sort = (reading.aspects.get(each) for each in (NESTING, ATTRIBUTE, SORT))
        if nesting is not None:
            if nesting.kind in QUANTIFIERS:  # the older syntax for the quantifier of an edge
                if edge.level or not nesting.value:
                    raise GrammarError("An edge can name one quantifier only.")
                edge.level = nesting.value
            else:
                edge.kind, edge.text = (OR, "") if nesting.kind == "or" else (NESTED, nesting.value)
        elif attribute is not None:
            edge.kind, edge.text = {"let": LET, "test": TEST, "arg": ARGUMENT}[attribute.kind], attribute.value
        elif sort is not None:
            is_field = source is target and (source.name, "prod:") not in self._loops
            edge.kind, edge.text, edge.sort = FIELD if is_field else OPERATOR, sort.value, sort.kind
        if edge.kind == LABEL and "label" in reading.aspects:
            edge.sort = {LITERAL: "literal", "path": "path"}[reading.kind("label")]
        self.edges.append(edge)

    def _infer(self, edge: Edge) -> None:
        """Sets the kind, role and label of an edge, as its ends imply."""
        source, target = edge.source, edge.target
        if edge.kind == NESTED or ((source.quantifier or target.quantifier) and edge.kind != TEST):
            self._nest(edge)
            return
        if not edge.role and edge.kind not in (NESTED, OR):
            edge.role = self._inferred(edge)
        if edge.kind in (ARGUMENT, OPERATOR):
            source.is_product = True
        if edge.kind == LABEL:
            edge.label = self._label(edge)

    def _nest(self, edge: Edge) -> None:
        word = _NESTINGS.get(edge.text)
        if word is None:
            raise GrammarError("A quantifier can only have the edges in, @ and count.")
        edge.kind, edge.text = NESTED, word
        if word in edge.source.nesting:
            raise GrammarError(f"Two edges have the label {word}.")
        edge.source.nesting[word] = edge
        seen, at = {edge.source}, edge.target if word == IN else None
        while at is not None:
            if at in seen:
                del edge.source.nesting[word]
                raise GrammarError("Quantifiers are nested in a cycle.")
            seen.add(at)
            at = at.parent

    def _inferred(self, edge: Edge) -> str:
        """The role that the ends of an edge imply."""
        one, other = ("" if node.role == READER else node.role for node in (edge.source, edge.target))
        if not one or not other or one == other:
            return one or other or READER
        if EMBARGO in (one, other) and {one, other} & {ERASER, ADDER}:
            return EMBARGO
        raise GrammarError(f"An edge between a {one}: node and a {other}: node needs an explicit role.")

    def _label(self, edge: Edge) -> str | paths.Wildcard | paths.Path:
        """A label: text, a wildcard, or a path."""
        if edge.sort == "literal":
            return edge.text
        if not edge.text:
            raise GrammarError("The label is missing.")
        text = edge.text.strip()
        if text == AT:
            raise GrammarError("The target of @ must be a quantifier.")
        negated = text.startswith("!")
        inner = text[1:].strip() if negated else text
        if inner.startswith("{") and inner.endswith("}"):  # the older syntax for paths
            inner = inner[1:-1]
        try:
            path = paths.parse(f"!{inner}" if negated else inner, self.where)
            if path.sharp is not None and not negated:
                return path.sharp
            if negated or path.single is None:
                return path
            wildcard = paths.parse_wildcard(path.single)
            return path.single if wildcard is None else wildcard
        except GrammarError as error:
            raise self.error(error.what, edge) from None

    # ── checks ───────────────────────────────────────────────────────────────────────────────────

    def _check(self) -> None:
        for node in self.nodes.values():
            for message in self._node_errors(node):
                self.report(message, node)
        for edge in self.edges:
            for message in self._edge_errors(edge):
                self.report(message, edge)

    def _node_errors(self, node: Node) -> Iterator[str]:
        """The errors of a node."""
        if node.is_remark:
            return
        if node.is_product or "prod" in (each.kind for each in node.aspects.values()):
            node.is_product = True
            yield from self._operator_errors(node)
        if node.parameter == "ask" and not node.sort:
            yield "An ask: parameter must be a value."
        if node.parameter == "parin" and node.creates:
            yield "A created node cannot be an input parameter."
        if node.parameter and node.forbids:
            yield "A parameter cannot be a forbidden node."
        if node.parameter and (number := node.aspects[PARAMETER].value) and whole(number) is None:
            yield f"Expected a parameter number, got {shown(number, 20)}."
        if node.sort and node.role not in (READER, EMBARGO):
            yield "A value cannot be created or deleted."
        if node.quantifier and NESTING in node.aspects and node.aspects[NESTING].value and "id" in node.aspects:
            yield "A quantifier can have one name only."
        if "color" in node.aspects and node.role in (*_FORBIDS, ERASER):
            yield "A node that is forbidden, deleted or created conditionally cannot be coloured."
        if AT in node.nesting and not node.nesting[AT].target.quantifier:
            yield "The target of @ must be a quantifier."

    def _operator_errors(self, node: Node) -> Iterator[str]:
        """The errors of an operator node."""
        outgoing = self.from_node(node)
        if node.role not in (READER, EMBARGO):
            yield "An operator node cannot be created or deleted."
        if node.alias:
            yield "An operator node cannot have a name."
        if not any(edge.kind == OPERATOR for edge in outgoing):
            yield "A node with arguments has no operator."
        numbers = [edge.text for edge in outgoing if edge.kind == ARGUMENT]
        if sorted(numbers, key=str) != sorted(map(str, range(len(numbers)))):
            yield "Arguments must be numbered from 0 without gaps or repetition."

    def _edge_errors(self, edge: Edge) -> Iterator[str]:
        """The errors of an edge."""
        source, target = edge.source, edge.target
        if edge.kind == OR and not (source.role == target.role == EMBARGO):
            yield "or: is only allowed between two forbidden nodes."
        if edge.kind == NESTED:
            yield from self._nesting_errors(edge)
            return
        if edge.kind == LABEL:
            yield from self._label_errors(edge)
        if edge.kind in (OPERATOR, ARGUMENT) and edge.role not in (READER, EMBARGO):
            yield "An operator cannot be created or deleted."
        if edge.kind == FIELD and edge.creates:
            yield "A created field needs a value: let:name = value."
        if edge.kind in (FIELD, LET) and source.sort:
            yield "A value has no fields."
        if edge.kind == LABEL and edge.creates and source.sort and not isinstance(edge.label, paths.Path):
            yield "A value cannot have other labels."
        if edge.kind == TEST and (edge.creates or (edge.role == ERASER and source.role != ERASER)):
            yield "A test cannot be created or deleted."
        if edge.kind == LET and edge.role == EMBARGO:
            yield "An assignment cannot be forbidden."
        if "ask" in (source.parameter, target.parameter) and edge.role != CREATOR and edge.kind != ARGUMENT:
            yield "A value of an ask: parameter cannot be constrained."
        if source.is_product and edge.kind not in (OPERATOR, ARGUMENT, NESTED):
            yield "An operator node can only have arguments and results."
        if edge.role and edge.kind != OR:
            for node in (source, target):
                if node.role and node.role not in _ALLOWED_ENDS[edge.role]:
                    yield f"A {edge.role}: edge cannot be attached to a {node.role}: node."
        if edge.kind == ARGUMENT and not target.sort:
            yield "An argument must be a value."
        if edge.kind == OPERATOR and target.sort == "":
            yield "The result of an operator must be a value."

    def _nesting_errors(self, edge: Edge) -> Iterator[str]:
        source, target = edge.source, edge.target
        if edge.text in (IN, AT) and not target.quantifier:
            yield f"The target of {edge.text} must be a quantifier."
        elif edge.text == IN and not source.quantifier:
            yield "Only a quantifier can be nested in a quantifier."
        elif edge.text == COUNT and target.sort != "int":
            yield "The target of count must be an int: node."
        elif edge.text == COUNT and not source.quantifier.startswith("forall"):
            yield "Only the matches of forall: quantifiers can be counted."

    def _label_errors(self, edge: Edge) -> Iterator[str]:
        """The errors of a path or a wildcard in its role."""
        label = edge.label
        if label is None or isinstance(label, str):
            return
        if isinstance(label, paths.Wildcard):
            if label.variable is None and edge.creates:
                yield "The label of a created edge must be known. Name the wildcard."
            return
        if edge.creates and not label.is_empty:
            yield "A path cannot be created."
        has_deleted_end = ERASER in (edge.source.role, edge.target.role)
        if edge.role == ERASER and not has_deleted_end:
            yield "A path cannot be deleted."
