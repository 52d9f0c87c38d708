"""A rule graph taken apart: which nodes stand for what, how its quantifiers nest, what is a parameter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pentad.game import whole
from pentad.grammar.graph import Edge, GrammarError, Graph
from pentad.grammar.language import expressions
from pentad.grammar.language.notation import (
    ADDER,
    CREATOR,
    EMBARGO,
    ERASER,
    PARAMETERS,
    QUANTIFIERS,
    READER,
    REMARK,
    ROLES,
    SORTS,
    Label,
    take_apart,
)
from pentad.grammar.language.values import ERRORS, Family, NoValue, Value
from pentad.grammar.rules.rule import EXISTS, FORALL, Level, Pattern, Rule, RuleParameter

DEPTH = 50  # of a quantifier within others
BELONGS = ("@", "at")
INNER = frozenset({*BELONGS, "in", "count"})  # edges that belong to quantifiers


@dataclass(slots=True)
class Node:
    """A node of the drawing, as far as its labels tell."""

    name: str
    role: str = READER
    quantifier: Label | None = None
    sort: str | None = None  # of a value: a type's name, or empty where it is whatever comes
    constant: Value | None = None
    operator: bool = False
    called: str = ""
    level: int = 0
    variable: int = -1
    loops: list[tuple[Label, str]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Embargo:
    """What may not be found together: its level, its forbidden nodes, and all of it."""

    level: int
    members: set[int]
    pattern: Pattern


class RuleGraph:
    """A rule graph taken apart, and the rule that it becomes; `where` names it in errors."""

    def __init__(self, graph: Graph, name: str, where: str, injective: bool, algebra: Family) -> None:
        self.graph, self.where, self.algebra = graph, where, algebra
        self.rule = Rule(name, injective=injective)
        self.nodes: dict[str, Node] = {}
        self.binary: list[tuple[Label, Edge]] = []
        self.made_in: dict[int, int] = {}  # created nodes, by their levels
        self.embargoes: dict[Embargo, None] = {}
        self._embargo_of: dict[int, Embargo] = {}  # by a forbidden node
        self.numbered: dict[int, list[RuleParameter]] = {}
        self.anchored: list[int] = []  # parameters without a number: they tell applications apart

    def wrong(self, what: str, node: str = "", label: str = "") -> GrammarError:
        return GrammarError(what, self.where, node, label[:80])

    def read_nodes(self) -> None:
        """Take the drawing apart: nodes with their roles, quantifiers, variables, parameters."""
        self._take_nodes()
        self._take_levels()
        self._give_levels()
        self._give_variables()

    # ── nodes and levels ─────────────────────────────────────────────────────────────────────────

    def _take_nodes(self) -> None:
        for name in self.graph.nodes:
            self.nodes[name] = Node(name)
        for edge in self.graph.edges:
            label = take_apart(edge.label)
            if edge.source != edge.target:
                self.binary.append((label, edge))
            else:
                self._take_loop(self.nodes[edge.source], label, edge)

    def _take_loop(self, node: Node, label: Label, edge: Edge) -> None:
        if label.role in QUANTIFIERS:
            if node.quantifier:
                raise self.wrong("a node is one quantifier only", node.name, edge.label)
            node.quantifier = label
        elif label.kind in SORTS and node.sort is None and not label.role and not is_field(label):
            node.sort = label.kind
            node.constant = self._constant(label, edge)
        elif label.kind == "id":
            node.called = label.text.strip()
        elif label.kind == "color":
            return
        elif label.kind == "prod":
            node.operator = True
        elif label.is_bare and label.role:
            if label.role not in ROLES or node.role not in (READER, label.role):
                raise self.wrong("a node has one role only", node.name, edge.label)
            node.role = label.role
            if label.level:
                node.loops.append((Label(role="level", level=label.level), edge.label))
        else:
            node.loops.append((label, edge.label))

    def _constant(self, label: Label, edge: Edge) -> Value | None:
        """The value of `int:5`; nothing for `int:`, which is any."""
        if not label.text.strip():
            return None
        return constant(label.kind, label.text, self.algebra, self.where, edge)

    def _take_levels(self) -> None:
        """The tree of quantifiers; the outermost level stands for the rule itself."""
        quantifiers = [node for node in self.nodes.values() if node.quantifier]
        parents: dict[str, str] = {}
        for label, edge in self.binary:
            if label.text == "in" and self.nodes[edge.source].quantifier:
                if not self.nodes[edge.target].quantifier:
                    raise self.wrong("a quantifier is nested in a quantifier only", edge.source, edge.label)
                if edge.source in parents:
                    raise self.wrong("a quantifier is nested in one other only", edge.source, edge.label)
                parents[edge.source] = edge.target
        for node in quantifiers:
            seen, at = {node.name}, node.name
            while at in parents:
                at = parents[at]
                if at in seen:
                    raise self.wrong("quantifiers are nested in each other", node.name)
                seen.add(at)
        depth: dict[str, int] = {}
        for node in quantifiers:
            at, count = node.name, 0
            while at in parents:
                at, count = parents[at], count + 1
            if count >= DEPTH:
                raise self.wrong(f"quantifiers are nested more than {DEPTH} deep", node.name)
            depth[node.name] = count
        for node in sorted(quantifiers, key=lambda each: depth[each.name]):
            asked = node.quantifier
            assert asked is not None
            parent = self.nodes[parents[node.name]].level if node.name in parents else 0
            node.level = len(self.rule.levels)
            kind = FORALL if asked.role.startswith("forall") else EXISTS
            optional = (asked.role == "forall") if kind == FORALL else (asked.role == "existsx")
            self.rule.levels.append(Level(kind, parent, asked.level, may_be_empty=optional))
            self.rule.levels[parent].children.append(node.level)

    def quantifier_called(self, level: str, node: str, label: str) -> int:
        for number, each in enumerate(self.rule.levels):
            if each.name == level:
                return number
        raise self.wrong(f"there is no quantifier called {level!r}", node, label)

    def _give_levels(self) -> None:
        for label, edge in self.binary:
            if label.text in BELONGS and not label.role:
                if not self.nodes[edge.target].quantifier:
                    if label.text == "at":  # a label as any other
                        continue
                    raise self.wrong("this leads to no quantifier", edge.source, edge.label)
                if self.nodes[edge.source].level:
                    raise self.wrong("a node belongs to one quantifier only", edge.source, edge.label)
                self.nodes[edge.source].level = self.nodes[edge.target].level
        for node in self.nodes.values():
            for label, text in node.loops:
                if label.role == "level":
                    node.level = self.quantifier_called(label.level, node.name, text)
            node.loops = [each for each in node.loops if each[0].role != "level"]
        # the result of an operator belongs where its operands do
        for _ in range(len(self.nodes)):
            changed = False
            for label, edge in self.binary:
                one, other = self.nodes[edge.source], self.nodes[edge.target]
                if not one.operator:
                    continue
                if label.kind == "arg" and other.level > one.level:
                    one.level, changed = other.level, True
                elif label.kind in SORTS and other.sort is not None and one.level > other.level:
                    other.level, changed = one.level, True
            if not changed:
                break

    def deepest(self, levels: Iterable[int], node: str, label: str) -> int:
        """The deepest of some levels, which must lie one within the other."""
        deepest = 0
        for level in levels:
            if self.is_within(level, deepest):
                deepest = level
            elif not self.is_within(deepest, level):
                raise self.wrong("this hangs on two quantifiers that are not nested", node, label)
        return deepest

    def is_within(self, inner: int, outer: int) -> bool:
        while inner != outer and inner > 0:
            inner = self.rule.levels[inner].parent
        return inner == outer

    # ── variables ────────────────────────────────────────────────────────────────────────────────

    def _give_variables(self) -> None:
        for node in self.nodes.values():
            if node.quantifier or node.operator or node.role == REMARK:
                continue
            node.variable = self.rule.variable(node.called or node.name)
            if node.sort is not None:
                self.rule.sorts[node.variable] = node.sort
            if node.constant is not None:
                self.rule.constants[node.variable] = node.constant
            level = self.rule.levels[node.level]
            if node.role == CREATOR or node.role == ADDER:
                if node.sort is not None:
                    raise self.wrong("a value is there always and is not made", node.name)
                level.created_nodes.append(node.variable)
                self.made_in[node.variable] = node.level
                if node.role == ADDER:
                    self.embargo(node.level, [node.variable]).nodes.append(node.variable)
            elif node.role == EMBARGO:
                self.embargo(node.level, [node.variable]).nodes.append(node.variable)
            else:
                level.pattern.nodes.append(node.variable)
                if node.role == ERASER:
                    if node.sort is not None:
                        raise self.wrong("a value is there always and is not taken", node.name)
                    level.erased_nodes.append(node.variable)
        for node in self.nodes.values():
            if node.quantifier:
                continue
            self._take_parameters(node)

    def _take_parameters(self, node: Node) -> None:
        rest: list[tuple[Label, str]] = []
        for label, text in node.loops:
            if label.kind not in PARAMETERS:
                rest.append((label, text))
                continue
            if node.level or node.variable < 0 or node.role == EMBARGO:
                raise self.wrong("a parameter stands outside of quantifiers and is not forbidden", node.name, text)
            number = label.text.strip()
            place = whole(number)
            if number and place is None:
                raise self.wrong("a parameter has a number", node.name, text)
            kind = "node" if node.sort is None else node.sort
            made = node.role in (CREATOR, ADDER)
            parameter = RuleParameter(node.variable, kind, label.kind != "parout" and not made, label.kind != "parin")
            if place is not None:
                if place > 1000:
                    raise self.wrong("parameters are numbered without gaps", node.name, text)
                self.numbered.setdefault(place, []).append(parameter)
            else:
                self.anchored.append(node.variable)
        node.loops = rest

    # ── embargoes ──────────────────────────────────────────────────────────────────────────────────

    def embargo(self, level: int, ends: list[int]) -> Pattern:
        """The embargo that some forbidden variables belong to; those that hang together by it become one."""
        mine = list(dict.fromkeys(self._embargo_of[end] for end in ends if end in self._embargo_of))
        if len(mine) == 1 and mine[0].members.issuperset(ends) and self.is_within(mine[0].level, level):
            return mine[0].pattern
        whole = Embargo(self.deepest([level, *(each.level for each in mine)], "", ""), set(ends), Pattern())
        for each in mine:
            whole.members |= each.members
            for name in ("nodes", "edges", "equal", "unequal", "computed", "tests", "embargoes"):
                getattr(whole.pattern, name).extend(getattr(each.pattern, name))
            del self.embargoes[each]
        self.embargoes[whole] = None
        self._embargo_of |= dict.fromkeys(whole.members, whole)
        return whole.pattern

    def alone(self, level: int) -> Pattern:
        """An embargo of its own."""
        return self.embargo(level, [])


def is_field(label: Label) -> bool:
    """Whether `int:n` names an attribute rather than a value."""
    return label.text.isidentifier() and label.text not in ("true", "false", *ERRORS.values())


def constant(kind: str, text: str, algebra: Family, where: str, edge: Edge) -> Value:
    """The value of an expression without names; of this type, where one is wanted."""

    def no_name(_: expressions.Name) -> Value:
        raise GrammarError("a value is wanted here, not a name", where, edge.source, edge.label)

    try:
        value = expressions.evaluate(expressions.parse(text, where, algebra), no_name)
        if kind == "real" and value.type == "int":
            return algebra.read("real", value.text)
    except NoValue:
        raise GrammarError("this has no value", where, edge.source, edge.label) from None
    except GrammarError as error:
        raise GrammarError(error.what, where, edge.source, edge.label) from None
    if kind and value.type != kind:
        raise GrammarError(f"this is no value of type {kind}", where, edge.source, edge.label)
    return value
