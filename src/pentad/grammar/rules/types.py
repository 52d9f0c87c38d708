"""Type graphs: which nodes and edges there may be, who inherits from whom, and how many of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.language.notation import CREATOR, EMBARGO, QUANTIFIERS, REMARK, SORTS, take_apart
from pentad.grammar.matching.host import Host

_RANGE = re.compile(r"([0-9]{1,9})(\.\.([0-9]{1,9}|\*))?|\*")


class Bound(NamedTuple):
    """How many edges of a kind a node has: at least, and at most (None: any number)."""

    least: int
    most: int | None

    def admits(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return f"{self.least}..{'*' if self.most is None else self.most}"


class EdgeType(NamedTuple):
    """An edge that may be: between nodes of these types, so many at its target and at its source."""

    source: str
    label: str
    target: str
    into: Bound | None = None
    out: Bound | None = None


def labels_of(graph: Graph) -> dict[str, list[str]]:
    """What is said of each node alone."""
    said: dict[str, list[str]] = {}
    for edge in graph.edges:
        if edge.source == edge.target:
            said.setdefault(edge.source, []).append(edge.label)
    return said


def read_bound(text: str, where: str, label: str) -> Bound:
    found = _RANGE.fullmatch(text)
    if not found:
        raise GrammarError(f"a multiplicity is a number, a..b or a..*, not {text!r}", where, label=label)
    if text == "*":
        return Bound(0, None)
    least = int(found[1])
    most = least if found[2] is None else None if found[3] == "*" else int(found[3])
    if most is not None and most < least:
        raise GrammarError(f"{text!r} is a multiplicity that nothing has", where, label=label)
    return Bound(least, most)


@dataclass(slots=True)
class Types:
    """Types by name (`type:A`, and `int`, `real`, `string`, `bool` for values), with what may be said of them."""

    where: str
    names: set[str] = field(default_factory=set)
    abstract: set[str] = field(default_factory=set)
    above: dict[str, set[str]] = field(default_factory=dict)  # all supertypes, itself among them
    flags: set[tuple[str, str]] = field(default_factory=set)
    edges: list[EdgeType] = field(default_factory=list)
    subtypes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a label: the labels that it stands for

    def close(self) -> None:
        """Work out who inherits from whom."""
        changed = True
        while changed:
            changed = False
            for mine in self.above.values():
                more = set().union(*(self.above[each] for each in mine)) - mine
                if more:
                    mine |= more
                    changed = True
        for name, mine in self.above.items():
            others = [other for other in mine if other != name and name in self.above[other]]
            if others:
                raise GrammarError(f"{name} and {others[0]} are subtypes of each other", self.where)
        self.subtypes = {
            name: tuple(sorted(each for each in self.names if name in self.above[each])) for name in self.names
        }

    def may_have(self, source: str, label: str, target: str) -> bool:
        return any(
            each.label == label
            and each.source in self.above.get(source, ())
            and each.target in self.above.get(target, {target})
            for each in self.edges
        )

    # ── checking ─────────────────────────────────────────────────────────────────────────────────

    def _type_of(self, said: Mapping[str, list[str]], node: str, where: str, needed: bool) -> str:
        found = []
        for text in said.get(node, ()):
            label = take_apart(text)
            if label.kind in SORTS:
                return label.kind
            if label.kind == "type":
                found.append((f"type:{label.text.removeprefix('#')}", text))
        if len(found) > 1:
            raise GrammarError("a node has one type only", where, node, found[1][1])
        if not found:
            if needed:
                raise GrammarError("the type of a node is missing", where, node)
            return ""
        name, text = found[0]
        if name.startswith("type:?"):
            return ""
        if name not in self.names:
            raise GrammarError(f"the type graph has no such type; it has {self._told(self.names)}", where, node, text)
        return name

    def _told(self, names: Iterable[str]) -> str:
        return ", ".join(sorted(name.removeprefix("type:") for name in names)) or "none"

    def check_graph(self, graph: Graph) -> None:
        """Whether a host graph has only what may be; how many of each is a state's affair."""
        where = f"{graph.name}.gst"
        said = labels_of(graph)
        kinds = {node: self._type_of(said, node, where, True) for node in graph.nodes}
        for node, kind in kinds.items():
            if kind in self.abstract:
                raise GrammarError("an abstract type has no nodes", where, node, kind)
        for edge in graph.edges:
            label = take_apart(edge.label)
            source, target = kinds[edge.source], kinds[edge.target]
            if label.kind == "flag" and not any((each, label.text) in self.flags for each in self.above[source]):
                raise GrammarError(f"{self._told([source])} has no such flag", where, edge.source, edge.label)
            if label.kind == "let":
                self._check_field(source, label.text.partition("=")[0].strip(), where, edge.source, edge.label)
            if label.kind == "" and not label.role and not label.also and not self.may_have(source, label.text, target):
                raise GrammarError(
                    f"there is no such edge from {self._told([source])} to {self._told([target])}",
                    where,
                    edge.source,
                    edge.label,
                )

    def _check_field(self, kind: str, name: str, where: str, node: str, label: str) -> None:
        if not any(self.may_have(kind, name, sort) for sort in SORTS):
            raise GrammarError(f"{self._told([kind])} has no such attribute", where, node, label)

    def check_rule(self, graph: Graph, name: str) -> None:
        """Whether a rule names only types that there are, and makes no node of an abstract one."""
        where = f"{name}.gpr"
        said = labels_of(graph)
        beside: set[str] = set()  # nodes that stand for nothing in a host
        for node in graph.nodes:
            labels = [take_apart(text) for text in said.get(node, ())]
            if any(label.role in (*QUANTIFIERS, REMARK) or label.kind == "prod" for label in labels):
                beside.add(node)
                continue
            kind = self._type_of(said, node, where, False)
            makes = any(label.role == CREATOR and label.is_bare for label in labels)
            if makes and not kind:
                raise GrammarError("the type of a new node is missing", where, node)
            if makes and kind in self.abstract:
                raise GrammarError("an abstract type has no nodes", where, node, kind)
        known = {each.label for each in self.edges}
        for edge in graph.between():
            label = take_apart(edge.label)
            if label.kind or label.literal or label.role in (REMARK, EMBARGO) or not label.text.isidentifier():
                continue
            if {edge.source, edge.target} & beside or label.text in known:
                continue
            raise GrammarError(
                f"the type graph has no such edge; it has {', '.join(sorted(known))}", where, edge.source, edge.label
            )

    @property
    def counts(self) -> bool:
        """Whether there is a type of edge that is counted."""
        return any(each.into or each.out for each in self.edges)

    def violations(self, host: Host) -> tuple[str, ...]:
        """The edges of which a node has too many or too few."""
        found: list[str] = []
        for each in self.edges:
            ways = host.ways(each.label)
            for bound, owner, other, side in (
                (each.out, each.source, each.target, ways.out),
                (each.into, each.target, each.source, ways.into),
            ):
                if bound is None:
                    continue
                members = self._members(host, other)
                for node in self._members(host, owner):
                    if not bound.admits(sum(1 for end in side.get(node, ()) if end in members)):
                        found.append(f"{self._told([each.source])} {each.label} {self._told([each.target])}")
                        break
        return tuple(found)

    def _members(self, host: Host, kind: str) -> set[int]:
        if kind in SORTS:
            return {number for number, value in host.world.values.items() if value.type == kind}
        return {node for label in self.subtypes[kind] for node, _ in host.ways(label).pairs}


def read_types(grammar: Grammar) -> Types | None:
    """The types of a grammar's type graphs put together; None where none is chosen."""
    names = grammar.chosen("typeGraph")
    if not names and "type" in grammar.types and "typeGraph" not in grammar.properties:
        names = ["type"] if grammar.asks("typeGraph") else []
    if not names:
        return None
    missing = [name for name in names if name not in grammar.types]
    if missing:
        raise GrammarError(
            f"there is no type graph {missing[0]!r}; there is {', '.join(grammar.types) or 'none'}", grammar.name
        )
    types = Types(f"{names[0]}.gty")
    for name in names:
        _add(types, grammar.types[name], f"{name}.gty")
    types.close()
    return types


def _add(types: Types, graph: Graph, where: str) -> None:
    """Add what one type graph tells."""
    kinds: dict[str, str] = {}
    labels = [(take_apart(edge.label), edge) for edge in graph.edges]
    for label, edge in labels:
        if edge.source == edge.target and label.kind == "type" and not label.also:
            kinds[edge.source] = f"type:{label.text}"
        elif edge.source == edge.target and label.kind in SORTS and not label.text:
            kinds[edge.source] = label.kind
    for name in kinds.values():
        if name not in SORTS:
            types.names.add(name)
            types.above.setdefault(name, {name})
    for label, edge in labels:
        if label.role == REMARK or label.kind in ("color", "id"):
            continue
        if edge.source not in kinds or edge.target not in kinds:
            raise GrammarError(
                "a node of a type graph has a type", where, edge.source if edge.source not in kinds else edge.target
            )
        source, target, also = kinds[edge.source], kinds[edge.target], dict(label.also)
        if "sub" in also:
            if source in SORTS or target in SORTS:
                raise GrammarError("values have no subtypes", where, edge.source, edge.label)
            types.above[source].add(target)
        elif "abs" in also and not label.text:
            types.abstract.add(source)
        elif edge.source == edge.target and label.kind == "type":
            if "abs" in also:
                types.abstract.add(source)
        elif edge.source == edge.target and label.kind == "flag":
            types.flags.add((source, label.text))
        elif edge.source == edge.target and label.kind in SORTS:
            if label.text and source not in SORTS:
                types.edges.append(EdgeType(source, label.text, label.kind))
        elif label.kind in ("", "edge"):
            bounds = {side: read_bound(also[side], where, edge.label) for side in ("in", "out") if side in also}
            types.edges.append(EdgeType(source, label.text, target, bounds.get("in"), bounds.get("out")))
        else:
            raise GrammarError("a type graph has no such label", where, edge.source, edge.label)
