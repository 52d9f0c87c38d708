"""A rule graph as drawn: its nodes and edges with parsed labels, the tree of its quantifiers, and its embargoes.

Single nodes and edges are checked here; `rule_reader` turns them into patterns and effects. Errors are collected and
reported together. Each connected part of forbidden nodes is one negative application condition (GROOVE: embargo).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias, TypeVar

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
    Aspects,
    Reading,
    read_labels,
)
from pentad.grammar.rules.rule import EXISTS, FORALL, EdgeEffect, Pattern, PatternEdge, QuantifierLevel, Rule
from pentad.system.words import phrase

DEPTH = 50  # the deepest nesting of quantifiers
IN, AT, COUNT = "in", "@", "count"  # labels of edges from or to quantifiers
_NESTINGS = {"in": IN, "@": AT, "at": AT, "count": COUNT}
# Kinds of edges.
LABEL, LET, TEST, FIELD, OPERATOR, ARGUMENT, NESTED, OR = (
    *("label", "let", "test", "field", "operator", "argument", "nested", "or"),
)
_Check: TypeAlias = tuple[object, str]  # whether something is wrong, and the message
_FORBIDS = (EMBARGO, ADDER)
# The roles that the ends of an edge may have, by the edge's role.
_ALLOWED_ENDS = {
    READER: {READER},
    ERASER: {ERASER, READER},
    CREATOR: {CREATOR, READER, ADDER},
    ADDER: {ADDER, READER},
    EMBARGO: {EMBARGO, READER, ERASER, ADDER},
}


class DrawnNode:
    """A node of a rule."""

    def __init__(self, name: str, aspects: Aspects) -> None:
        self.name, self.aspects = name, aspects
        self.nesting: dict[str, DrawnEdge] = {}  # its edges to quantifiers, by label
        self.is_product = "prod" in (each.kind for each in aspects.values())
        self.is_remark = REMARK in aspects
        self.variable = -1
        self.quantifier = aspects.kind(NESTING)
        self.role = aspects.kind(ROLE) or ("" if self.quantifier or self.is_remark else READER)
        self.sort = aspects.kind(SORT)  # the type of a value; empty for other nodes
        self.value = aspects.value(SORT)  # the expression of a value; empty if there is none
        self.alias = aspects.value("id") or aspects.value(NESTING)  # expressions and quantified edges use it
        self.parameter = aspects.kind(PARAMETER)
        self.forbids, self.creates = self.role in _FORBIDS, self.role in (CREATOR, ADDER)

    @property
    def level(self) -> DrawnNode | None:
        """The quantifier that the node belongs to."""
        return self.nesting[AT].target if AT in self.nesting else None

    @property
    def parent(self) -> DrawnNode | None:
        """The quantifier that a quantifier is nested in."""
        return self.nesting[IN].target if IN in self.nesting else None


@dataclass(slots=True, eq=False)
class DrawnEdge:
    """An edge of a rule, or a loop."""

    source: DrawnNode
    target: DrawnNode
    full_label: str  # the label as it is drawn
    kind: str = LABEL
    role: str = ""
    level: str = ""  # the name of the quantifier that it belongs to
    text: str = ""  # its label; the text after `let:`, `test:`, `arg:`; the name of a field or an operator
    sort: str = ""  # the type of a field or an operator
    label: str | paths.Wildcard | paths.Path | None = None  # None until `text` is parsed
    copy: int | None = None  # the variable of the matched edge, if parallel edges are distinguished

    @property
    def forbids(self) -> bool:
        return self.role in _FORBIDS

    @property
    def creates(self) -> bool:
        return self.role in (CREATOR, ADDER)


At = TypeVar("At", DrawnNode, DrawnEdge)


class RuleDrawing:
    """A rule graph with parsed labels; `where` is its file name in errors."""

    def __init__(self, graph: Graph, where: str, problems: Problems) -> None:
        self.graph, self.where, self.problems = graph, where, problems
        self.nodes: dict[str, DrawnNode] = {}
        self.edges: list[DrawnEdge] = []
        self.by_name: dict[str, DrawnNode] = {}
        self._loops = {(each.source, each.label) for each in graph.edges if each.source == each.target}
        self._out: dict[DrawnNode, list[DrawnEdge]] = {}
        self._read()
        self.edges = [each for each in self.edges if not (each.source.is_remark or each.target.is_remark)]
        for each in self.edges:
            self._out.setdefault(each.source, []).append(each)
        self.each(self.edges, self._infer)
        self._check()

    def _place(self, at: DrawnNode | DrawnEdge) -> tuple[str, str, str]:
        return (self.where, at.name, "") if isinstance(at, DrawnNode) else (self.where, at.source.name, at.full_label)

    def error(self, message: str, at: DrawnNode | DrawnEdge) -> GrammarError:
        return GrammarError(message, *self._place(at))

    def report(self, message: str, at: DrawnNode | DrawnEdge) -> None:
        self.problems.add(message, *self._place(at))

    def collect(self, at: DrawnNode | DrawnEdge) -> AbstractContextManager[None]:
        """Collects the errors of a block, which are about a node or an edge."""
        return self.problems.collect(*self._place(at))

    def each(self, things: Iterable[At], read: Callable[[At], object]) -> None:
        """Reads nodes or edges one by one, and collects their errors."""
        for at in things:
            with self.collect(at):
                read(at)

    @property
    def quantifiers(self) -> Iterator[DrawnNode]:
        return (node for node in self.nodes.values() if node.quantifier)

    def from_node(self, node: DrawnNode) -> list[DrawnEdge]:
        """The outgoing edges of a node, including loops."""
        return self._out.get(node, [])

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def _read(self) -> None:
        aspects = {name: Aspects() for name in self.graph.nodes}
        edges = list(read_labels(self.graph, "rule", self.where, aspects, self.problems))
        self.nodes = {name: DrawnNode(name, given) for name, given in aspects.items()}
        for edge, reading in edges:
            self._add(self.nodes[edge.source], self.nodes[edge.target], edge.label, reading)
        for node in self.nodes.values():
            if not node.alias:
                continue
            other = self.by_name.setdefault(node.alias, node)
            if other is not node:
                self.report(phrase("Another node also has the name {alias}.", alias=node.alias), node)

    def _add(self, source: DrawnNode, target: DrawnNode, full_label: str, reading: Reading) -> None:
        given = reading.aspects
        edge = DrawnEdge(source, target, full_label, text=reading.text, role=given.kind(ROLE), level=given.value(ROLE))
        nesting, attribute, sort = (given.get(each) for each in (NESTING, ATTRIBUTE, SORT))
        if nesting is not None:
            if nesting.kind in QUANTIFIERS:  # the older syntax for the quantifier of an edge
                if edge.level or not nesting.value:
                    self.report("An edge can name one quantifier only.", edge)
                    return
                edge.level = nesting.value
            else:
                edge.kind, edge.text = (OR, "") if nesting.kind == "or" else (NESTED, nesting.value)
        elif attribute is not None:
            edge.kind, edge.text = {"let": LET, "test": TEST, "arg": ARGUMENT}[attribute.kind], attribute.value
        elif sort is not None:
            is_field = source is target and (source.name, "prod:") not in self._loops
            edge.kind, edge.text, edge.sort = FIELD if is_field else OPERATOR, sort.value, sort.kind
        if edge.kind == LABEL and "label" in given:
            edge.sort = {LITERAL: "literal", "path": "path"}[given.kind("label")]
        self.edges.append(edge)

    def _infer(self, edge: DrawnEdge) -> None:
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

    def _nest(self, edge: DrawnEdge) -> None:
        word = _NESTINGS.get(edge.text)
        if word is None:
            raise GrammarError("A quantifier can only have the edges in, @ and count.")
        edge.kind, edge.text = NESTED, word
        if word in edge.source.nesting:
            raise GrammarError(phrase("Two edges have the label {word}.", word=word))
        edge.source.nesting[word] = edge
        seen, at = {edge.source}, edge.target if word == IN else None
        while at is not None:
            if at in seen:
                del edge.source.nesting[word]
                raise GrammarError("Quantifiers are nested in a cycle.")
            seen.add(at)
            at = at.parent

    def _inferred(self, edge: DrawnEdge) -> str:
        """The role that the ends of an edge imply."""
        one, other = ("" if node.role == READER else node.role for node in (edge.source, edge.target))
        if not one or not other or one == other:
            return one or other or READER
        if EMBARGO in (one, other) and {one, other} & {ERASER, ADDER}:
            return EMBARGO
        raise GrammarError(
            phrase("An edge between a {one}: node and a {other}: node needs an explicit role.", one=one, other=other)
        )

    def _label(self, edge: DrawnEdge) -> str | paths.Wildcard | paths.Path:
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
        path = paths.parse(f"!{inner}" if negated else inner)
        return path.sharp or path.single or path

    # ── checks ───────────────────────────────────────────────────────────────────────────────────

    def _check(self) -> None:
        things: list[DrawnNode | DrawnEdge] = [*self.nodes.values(), *self.edges]
        for at in things:
            for wrong, message in self._node_checks(at) if isinstance(at, DrawnNode) else self._edge_checks(at):
                if wrong:
                    self.report(message, at)

    def _node_checks(self, node: DrawnNode) -> Iterator[_Check]:
        """The checks of a node."""
        if node.is_remark:
            return
        role, parameter, at = node.role, node.parameter, node.level
        if node.is_product:
            outgoing = self.from_node(node)
            numbers = [edge.text for edge in outgoing if edge.kind == ARGUMENT]
            gaps = sorted(numbers, key=str) != sorted(map(str, range(len(numbers))))
            yield role not in (READER, EMBARGO), "An operator node cannot be created or deleted."
            yield node.alias, "An operator node cannot have a name."
            yield not any(edge.kind == OPERATOR for edge in outgoing), "A node with arguments has no operator."
            yield gaps, "Arguments must be numbered from 0 without gaps or repetition."
        if parameter:
            number = node.aspects.value(PARAMETER)
            yield parameter == "ask" and not node.sort, "An ask: parameter must be a value."
            yield parameter == "parin" and node.creates, "A created node cannot be an input parameter."
            yield node.forbids, "A parameter cannot be a forbidden node."
            yield (
                number and whole(number) is None,
                phrase("Expected a parameter number, got {number}.", number=shown(number, 20)),
            )
        yield node.sort and role not in (READER, EMBARGO), "A value cannot be created or deleted."
        named_twice = node.quantifier and node.aspects.value(NESTING) and "id" in node.aspects
        yield named_twice, "A quantifier can have one name only."
        uncoloured = "color" in node.aspects and role in (*_FORBIDS, ERASER)
        yield uncoloured, "A node that is forbidden, deleted or created conditionally cannot be coloured."
        yield at is not None and not at.quantifier, "The target of @ must be a quantifier."

    def _edge_checks(self, edge: DrawnEdge) -> Iterator[_Check]:
        """The checks of an edge."""
        if edge.kind == NESTED:
            yield from self._nesting_checks(edge)
            return
        kind, role, source, target = edge.kind, edge.role, edge.source, edge.target
        forbidden_ends = source.role == target.role == EMBARGO
        yield kind == OR and not forbidden_ends, "or: is only allowed between two forbidden nodes."
        if isinstance(edge.label, paths.Wildcard):
            unnamed = edge.label.variable is None and edge.creates
            yield unnamed, "The label of a created edge must be known. Name the wildcard."
        elif isinstance(edge.label, paths.Path):
            yield edge.creates and not edge.label.is_empty, "A path cannot be created."
            yield role == ERASER and ERASER not in (source.role, target.role), "A path cannot be deleted."
        is_operator, is_label = kind in (OPERATOR, ARGUMENT), kind == LABEL and not isinstance(edge.label, paths.Path)
        yield is_operator and role not in (READER, EMBARGO), "An operator cannot be created or deleted."
        yield kind == FIELD and edge.creates, "A created field needs a value: let:name = value."
        yield kind in (FIELD, LET) and source.sort, "A value has no fields."
        yield is_label and edge.creates and source.sort, "A value cannot have other labels."
        changes = edge.creates or (role == ERASER and source.role != ERASER)
        yield kind == TEST and changes, "A test cannot be created or deleted."
        yield kind == LET and role == EMBARGO, "An assignment cannot be forbidden."
        constrained = role != CREATOR and kind != ARGUMENT
        asks = "ask" in (source.parameter, target.parameter)
        yield asks and constrained, "A value of an ask: parameter cannot be constrained."
        yield source.is_product and not is_operator, "An operator node can only have arguments and results."
        for node in (source, target) if role and kind != OR else ():
            wrong = node.role and node.role not in _ALLOWED_ENDS[role]
            yield (
                wrong,
                phrase("A {role}: edge cannot be attached to a {node_role}: node.", role=role, node_role=node.role),
            )
        yield kind == ARGUMENT and not target.sort, "An argument must be a value."
        yield kind == OPERATOR and not target.sort, "The result of an operator must be a value."

    def _nesting_checks(self, edge: DrawnEdge) -> Iterator[_Check]:
        """The checks of an edge from or to a quantifier."""
        source, target = edge.source, edge.target
        outside = edge.text in (IN, AT) and not target.quantifier
        yield outside, phrase("The target of {text} must be a quantifier.", text=edge.text)
        unnested = edge.text == IN and not outside and not source.quantifier
        yield unnested, "Only a quantifier can be nested in a quantifier."
        miscounted = edge.text == COUNT and target.sort != "int"
        yield miscounted, "The target of count must be an int: node."
        uncounted = edge.text == COUNT and not miscounted and not source.quantifier.startswith("forall")
        yield uncounted, "Only the matches of forall: quantifiers can be counted."


# ── quantifier levels ────────────────────────────────────────────────────────────────────────────


class Levels:
    """The quantifier levels of a rule; level 0 is the rule itself."""

    def __init__(self, drawing: RuleDrawing, rule: Rule) -> None:
        self.drawing, self.rule = drawing, rule
        self._numbers: dict[DrawnNode, int] = {}
        self.places: dict[
            tuple[int, str, int], DrawnNode | DrawnEdge
        ] = {}  # the drawn node or edge of each edge of the rule
        self.sharp: set[tuple[int, str]] = set()  # created nodes with their exact types (`type:#`)
        depths = {node: self._depth(node) for node in drawing.quantifiers}
        for node in sorted(depths, key=depths.__getitem__):
            parent = self._numbers.get(node.parent, 0) if node.parent is not None else 0
            kind = FORALL if node.quantifier.startswith("forall") else EXISTS
            self._numbers[node] = len(rule.levels)
            rule.levels[parent].children.append(len(rule.levels))
            rule.levels.append(QuantifierLevel(kind, parent, node.alias, node.quantifier in ("forall", "existsx")))

    def _depth(self, node: DrawnNode) -> int:
        depth, at = 0, node
        while at.parent is not None and depth <= DEPTH:
            depth, at = depth + 1, at.parent
        if depth >= DEPTH:
            raise self.drawing.error(phrase("Quantifiers are nested more than {depth} deep.", depth=DEPTH), node)
        return depth

    def add_place(self, edge: PatternEdge | EdgeEffect, at: DrawnNode | DrawnEdge) -> None:
        """Stores the drawn node or edge of an edge of the rule."""
        self.places.setdefault((edge.source, str(edge.label), edge.target), at)

    def of(self, node: DrawnNode | None) -> int:
        """The level of a node, or the level that a quantifier opens."""
        opened = node if node is None or node.quantifier else node.level
        return self._numbers[opened] if opened is not None and opened.quantifier else 0

    def _or_named(self, level: int, edge: DrawnEdge) -> int:
        """A level, or the deeper one that an edge names."""
        if not edge.level:
            return level
        node = self.drawing.by_name.get(edge.level)
        if node is None or not node.quantifier:
            raise GrammarError(phrase("No quantifier has the name {level}.", level=shown(edge.level, 30)))
        return self.deepest((level, self._numbers[node]))

    def of_edge(self, edge: DrawnEdge) -> int:
        """The level of an edge: the deepest of those of its ends and the one that it names."""
        ends = [self.of(edge.source), self.of(edge.target)]
        level = self.deepest(ends)
        if any(node.forbids and end != level for node, end in zip((edge.source, edge.target), ends, strict=True)):
            raise GrammarError("A forbidden edge is attached to a node of a deeper quantifier.")
        return self._or_named(level, edge)

    def of_holder(self, edge: DrawnEdge) -> int:
        """The level of a loop such as `let:` or `test:`: that of its node, or the deeper one that it names."""
        source = edge.source
        level = self.rule.levels[self.of(source)].parent if source.quantifier else self.of(source)
        return self._or_named(level, edge)

    def deepest(self, levels: Iterable[int]) -> int:
        """The deepest of some levels, which must be nested in each other."""
        deepest = 0
        for level in levels:
            if self.is_within(level, deepest):
                deepest = level
            elif not self.is_within(deepest, level):
                raise GrammarError("Two quantifiers that are not nested are connected here.")
        return deepest

    def is_within(self, inner: int, outer: int) -> bool:
        """Whether a level equals another one or is nested in it."""
        return outer in self.rule.outwards(inner)

    def is_universal(self, level: int) -> bool:
        """Whether a level can have several matches in one match of the rule."""
        return any(self.rule.levels[at].kind == FORALL for at in self.rule.outwards(level))


_PARTS = ("nodes", "edges", "equal", "unequal", "computed", "tests", "embargoes")


@dataclass(slots=True, eq=False)
class Embargo:
    """A negative application condition: its level, its forbidden variables, and its pattern."""

    level: int
    members: set[int]
    pattern: Pattern = field(default_factory=Pattern)


class Embargoes:
    """The embargoes of a rule."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        self._all: dict[Embargo, None] = {}
        self._by_forbidden: dict[int, Embargo] = {}
        self._fresh_members = count(-2, -1)  # embargoes without a forbidden variable get them
        self._copies: dict[tuple[int, int], int] = {}  # members that repeat a variable on a deeper level

    def pattern_of(self, level: int, ends: list[int]) -> Pattern:
        """The pattern that contains some forbidden variables; merges their embargoes if there are several."""
        known = list(dict.fromkeys(self._by_forbidden[end] for end in ends if end in self._by_forbidden))
        if len(known) == 1 and known[0].members.issuperset(ends) and self.levels.is_within(known[0].level, level):
            return known[0].pattern
        merged = Embargo(self.levels.deepest([level, *(each.level for each in known)]), set(ends))
        for each in known:
            merged.members |= each.members
            for name in _PARTS:
                getattr(merged.pattern, name).extend(getattr(each.pattern, name))
            del self._all[each]
        self._all[merged] = None
        self._by_forbidden |= dict.fromkeys(merged.members, merged)
        return merged.pattern

    def pattern_at(self, level: int, ends: list[int]) -> Pattern:
        """The pattern on a level for elements attached to some forbidden variables; a new embargo if there are none.

        A variable that is forbidden on an outer level keeps its embargo there. This level gets a separate embargo, in
        which the variable stands for any node.
        """
        return self.pattern_of(level, [self._member_at(level, end) for end in ends] or [self.new_member()])

    def _member_at(self, level: int, end: int) -> int:
        if end not in self._by_forbidden or self._by_forbidden[end].level == level:
            return end
        if (level, end) not in self._copies:
            member = self._copies[level, end] = self.new_member()
            self.pattern_of(level, [member]).nodes.append(end)
        return self._copies[level, end]

    def new_member(self) -> int:
        """A new member that identifies an embargo without a forbidden variable."""
        return next(self._fresh_members)

    def finish(self) -> None:
        """Adds each embargo to its level."""
        for each in self._all:
            self.levels.rule.levels[each.level].pattern.embargoes.append(each.pattern)
