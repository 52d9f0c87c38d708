"""Type graphs: allowed nodes and edges, inheritance, and multiplicities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import NamedTuple

from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Edge, GrammarError, Graph, Problems, reachable
from pentad.grammar.host import Host
from pentad.grammar.language.labels import (
    ATTRIBUTE,
    FLAG_PREFIX,
    REMARK,
    SORT,
    SORTS,
    Aspects,
    Reading,
    is_flag,
    is_name,
    is_type,
    plain_name,
    read_labels,
)
from pentad.grammar.language.values import USER
from pentad.system.words import phrase

_RANGE = re.compile(r"([0-9]{1,9})(\.\.([0-9]{1,9}|\*))?|\*")
_VALUES = (*SORTS, USER)


class Multiplicity(NamedTuple):
    """A multiplicity: the least and the largest number of edges (None: unlimited)."""

    least: int
    most: int | None

    def admits(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return f"{self.least}..{'*' if self.most is None else self.most}"


class EdgeType(NamedTuple):
    """An edge type: its end types and label, with the multiplicities of incoming and outgoing edges."""

    source: str
    label: str
    target: str
    into: Multiplicity | None = None
    out: Multiplicity | None = None
    is_abstract: bool = False
    is_part: bool = False  # it leads from a whole to its part, without cycles

    def __str__(self) -> str:
        source = plain_name(self.source)
        return f"{source} {self.label}" if is_flag(self.label) else f"{source} {self.label} {plain_name(self.target)}"


def read_bound(text: str, where: str, label: str) -> Multiplicity:
    """Parses a multiplicity such as `2`, `0..1` or `1..*`."""
    found = _RANGE.fullmatch(text)
    if not found:
        raise GrammarError(
            phrase("Expected a multiplicity (a number, a..b or a..*), got {text!r}.", text=text), where, label=label
        )
    if text == "*":
        return Multiplicity(0, None)
    least = int(found[1])
    most = least if found[2] is None else None if found[3] == "*" else int(found[3])
    if most is not None and most < least:
        raise GrammarError(phrase("The multiplicity {text!r} cannot be satisfied.", text=text), where, label=label)
    return Multiplicity(least, most)


@dataclass(slots=True)
class Types:
    """Types by name (`type:A`; `int`, `real`, `string`, `bool` for values), inheritance, and edge types."""

    where: str
    names: set[str] = field(default_factory=set)
    sorts: set[str] = field(default_factory=set)  # the types of values that occur
    abstract: set[str] = field(default_factory=set)
    above: dict[str, set[str]] = field(default_factory=dict)  # all supertypes, including itself
    edges: list[EdgeType] = field(default_factory=list)
    subtypes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # all subtypes, including itself
    _of_label: dict[str, list[EdgeType]] = field(default_factory=dict)
    _found: dict[tuple[str, str, str], EdgeType | None] = field(default_factory=dict)

    def close(self) -> None:
        """Computes the transitive closure of inheritance."""
        drawn = self.above
        self.above = {name: reachable([name], drawn.__getitem__) for name in drawn}
        for name, supertypes in self.above.items():
            others = sorted(other for other in supertypes if other != name and name in self.above[other])
            if others:
                raise GrammarError(
                    phrase(
                        "{name} and {other} are subtypes of each other.",
                        name=plain_name(name),
                        other=plain_name(others[0]),
                    ),
                    self.where,
                )
        under: dict[str, list[str]] = {name: [] for name in self.names}
        for name in sorted(self.names):
            for other in self.above[name]:
                under[other].append(name)
        self.subtypes = {name: tuple(names) for name, names in under.items()}
        for each in self.edges:
            self._of_label.setdefault(each.label, []).append(each)

    # ── queries ──────────────────────────────────────────────────────────────────────────────────

    def under(self, name: str) -> tuple[str, ...]:
        """The subtypes of a type, including itself."""
        return self.subtypes.get(name, (name,))

    def is_under(self, name: str, other: str) -> bool:
        """Whether a type equals another one or inherits from it."""
        return name == other or other in self.above.get(name, ())

    def labelled(self, label: str) -> list[EdgeType]:
        """The edge types with a label."""
        return self._of_label.get(label, [])

    def edge(self, source: str, label: str, target: str) -> EdgeType | None:
        """The type of an edge between nodes of these types; preferably one that is not abstract."""
        key = (source, label, target)
        if key not in self._found:
            fitting = [
                each
                for each in self.labelled(label)
                if self.is_under(source, each.source) and self.is_under(target, each.target)
            ]
            self._found[key] = min(fitting, key=lambda each: each.is_abstract, default=None)
        return self._found[key]

    def sort_of(self, name: str, label: str) -> str | None:
        """The type of a node's field, if it is unique."""
        found = {each.target for each in self.labelled(label) if self.is_under(name, each.source)}
        sorts = [each for each in found if each in _VALUES]
        return sorts[0] if len(sorts) == 1 else None

    def list(self, names: Iterable[str]) -> str:
        return ", ".join(sorted(map(plain_name, names))) or "none"

    @property
    def has_multiplicities(self) -> bool:
        """Whether there are multiplicities or parts, which every state is checked for."""
        return any(each.into or each.out or each.is_part for each in self.edges)

    # ── checks ───────────────────────────────────────────────────────────────────────────────────

    def check(self) -> None:
        """Checks that the types do not contradict each other."""
        problems = Problems()
        for each in self.edges:
            if each.source in _VALUES and not each.is_abstract:
                problems.add(phrase("A value of type {source} cannot have edges.", source=each.source), self.where)
        for label, edges in self._of_label.items():
            for one, other in combinations([each for each in edges if not each.is_abstract], 2):
                if self._overlap(one.source, other.source) and self._overlap(one.target, other.target):
                    problems.add(
                        phrase(
                            "An edge {label} may be of two types: {one} and {other}.", label=label, one=one, other=other
                        ),
                        self.where,
                        label=label,
                    )
        problems.check()

    def _overlap(self, one: str, other: str) -> bool:
        """Whether two types have a common subtype."""
        return not set(self.under(one)).isdisjoint(self.under(other))

    def check_counts(self, host: Host, where: str) -> None:
        """Checks the multiplicities of a graph; raises an error for each violation."""
        problems = Problems()
        for each in self.violations(host):
            problems.add(phrase("Wrong number of edges: {name}.", name=each), where)
        problems.check()

    def violations(self, host: Host) -> tuple[str, ...]:
        """The violated multiplicities, and cycles of parts."""
        kinds = {node: name for name in self.names for node, _ in host.by_label(name).pairs}
        found = [str(each) for each in self.edges if not self._satisfies(host, each, kinds)]
        if self._is_circular(host):
            found.append("a cycle of parts")
        return tuple(found)

    def _satisfies(self, host: Host, each: EdgeType, kinds: dict[int, str]) -> bool:
        """Whether every node satisfies the multiplicities of an edge type."""
        if not each.out and not each.into:
            return True
        out, into = Counter[int](), Counter[int]()
        for one, other in host.by_label(each.label).pairs:
            if self.edge(self._kind(host, one, kinds), each.label, self._kind(host, other, kinds)) is each:
                out[one] += 1
                into[other] += 1
        for bound, owner, counts in ((each.out, each.source, out), (each.into, each.target, into)):
            if bound is not None and not all(bound.admits(counts[node]) for node in self._members(host, owner)):
                return False
        return True

    def _kind(self, host: Host, node: int, kinds: dict[int, str]) -> str:
        value = host.world.values.get(node)
        return value.type if value is not None else kinds.get(node, "")

    def _is_circular(self, host: Host) -> bool:
        """Whether a node is a part of itself."""
        labels = {each.label for each in self.edges if each.is_part}
        after: dict[int, list[int]] = {}
        for label in labels:
            for one, other in host.by_label(label).pairs:
                after.setdefault(one, []).append(other)
        try:
            TopologicalSorter(after).prepare()
        except CycleError:
            return True
        return False

    def _members(self, host: Host, kind: str) -> set[int]:
        if kind in _VALUES:
            return {number for number, value in host.world.values.items() if value.type == kind}
        return {node for label in self.subtypes[kind] for node, _ in host.by_label(label).pairs}


# ── reader ───────────────────────────────────────────────────────────────────────────────────────


def read_types(grammar: Grammar) -> Types | None:
    """The types of a grammar's chosen type graphs together; None if none is chosen."""
    names = grammar.chosen("typeGraph")
    if not names and "type" in grammar.types and "typeGraph" not in grammar.properties:
        names = ["type"] if grammar.setting("typeGraph") else []
    if not names:
        return None
    missing = [name for name in names if name not in grammar.types]
    if missing:
        raise GrammarError(
            phrase(
                "Unknown type graph {missing!r}. The type graphs are {types}.",
                missing=missing[0],
                types=", ".join(grammar.types) or "none",
            ),
            grammar.name,
        )
    return types_of([grammar.types[name] for name in names])


def types_of(graphs: list[Graph], whole: bool = True) -> Types:
    """The types of some type graphs together; imported types may be undefined unless these are the `whole`."""
    types, problems = Types(f"{graphs[0].name}.gty"), Problems()
    imported: dict[str, str] = {}
    for graph in graphs:
        with problems.collect():
            imported |= _TypeReader(types, graph, problems).imported
    problems.check()
    for name, where in imported.items():
        if name not in types.names and whole:
            problems.add(phrase("{name} is imported, but no type graph defines it.", name=plain_name(name)), where)
        types.names.add(name)
        types.above.setdefault(name, {name})
    problems.check()
    types.close()
    types.check()
    return types


class _TypeReader:
    """Adds the types of one type graph."""

    def __init__(self, types: Types, graph: Graph, problems: Problems) -> None:
        self.types, self.where = types, f"{graph.name}.gty"
        self.aspects = {node: Aspects() for node in graph.nodes}
        self.kinds: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        edges = list(read_labels(graph, "type", self.where, self.aspects, problems))
        problems.check()
        for edge, reading in edges:
            with problems.collect(self.where, edge.source, edge.label):
                self._read_type(edge.source, reading)
        for node, aspects in self.aspects.items():
            if node not in self.kinds and REMARK not in aspects:
                with problems.collect(self.where, node):
                    if SORT not in aspects:
                        raise GrammarError("A node of a type graph must have a type.")
                    self.kinds[node] = aspects[SORT].kind
                    types.sorts.add(aspects[SORT].kind)
        problems.check()
        for node, name in self.kinds.items():
            self._add_name(node, name)
        for edge, reading in edges:
            if not (is_type(reading.text) or any(REMARK in self.aspects[end] for end in (edge.source, edge.target))):
                with problems.collect(self.where, edge.source, edge.label):
                    self._read_edge(edge, reading)

    def _read_type(self, node: str, reading: Reading) -> None:
        if not is_type(reading.text):
            return
        if node in self.kinds:
            raise GrammarError("A node can have one type only.")
        self.kinds[node] = reading.text
        if reading.aspects.kind("type") == "abs":
            self.types.abstract.add(reading.text)

    def _add_name(self, node: str, name: str) -> None:
        if name in _VALUES:
            return
        if "import" in self.aspects[node]:
            self.imported[name] = self.where
            return
        self.types.names.add(name)
        self.types.above.setdefault(name, {name})
        if self.aspects[node].kind("type") == "abs":
            self.types.abstract.add(name)

    def _read_edge(self, edge: Edge, reading: Reading) -> None:
        owner, other, label = self.kinds[edge.source], self.kinds[edge.target], reading.text
        if owner in self.imported:
            raise GrammarError(phrase("{owner} is imported and cannot be changed here.", owner=plain_name(owner)))
        sort = reading.aspects.get(SORT)
        if reading.aspects.kind("type") == "sub":
            if owner in _VALUES or other in _VALUES:
                raise GrammarError("Values cannot have subtypes.")
            self.types.above[owner].add(other)
            self.types.above.setdefault(other, {other})
        elif sort is not None:
            self.types.sorts.add(sort.kind)
            self.types.edges.append(EdgeType(owner, sort.value, sort.kind))
        else:
            if not label or ATTRIBUTE in reading.aspects:
                raise GrammarError("This label is not allowed in a type graph.")
            into, out = (
                read_bound(reading.aspects.value(side), self.where, edge.label) if side in reading.aspects else None
                for side in ("in", "out")
            )
            is_part = "part" in reading.aspects
            if is_part and into is not None and (into.most is None or into.most > 1):
                raise GrammarError("A part can belong to one whole only.")
            if is_flag(label) and not is_name(label.removeprefix(FLAG_PREFIX)):
                raise GrammarError("A flag must have a name.")
            if edge.source != edge.target and is_flag(label):
                raise GrammarError("A flag must be on a node.")
            self.types.edges.append(
                EdgeType(owner, label, other, into, out, reading.aspects.kind("type") == "abs", is_part)
            )
