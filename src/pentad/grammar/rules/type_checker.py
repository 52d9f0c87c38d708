"""Type checker of rules: the possible types of each node, and whether the type graph allows each edge or path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, combinations, product
from typing import TypeAlias

from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.language.labels import is_flag, is_type, plain_name
from pentad.grammar.language.paths import Alternative, Atom, Empty, Inverse, Part, Path, Repeat, Sequence, Wildcard
from pentad.grammar.rules.drawn_rule import Levels
from pentad.grammar.rules.rule import EdgeEffect, Pattern, PatternEdge, QuantifierLevel
from pentad.grammar.rules.types import EdgeType, Types
from pentad.system.words import phrase

Relation: TypeAlias = set[tuple[str, str]]  # types at the source with types at the target
Candidates: TypeAlias = Mapping[str, Iterable[str | EdgeType]]  # possible types of label variables, by key


class NoType(Exception):
    """A part of a path that no edges of the type graph match."""

    def __init__(self, part: Part) -> None:
        self.part = part
        super().__init__(part)


def related(part: Part, types: Types, known: Candidates) -> Relation:
    """The types that a path can connect; raises `NoType` if there are none."""
    found = _related(part, types, known)
    if not found and not isinstance(part, Alternative):
        raise NoType(part)
    return found


def _related(part: Part, types: Types, known: Candidates) -> Relation:
    match part:
        case Atom() if is_type(part.label):
            below = types.subtypes.get(part.label, ())  # none of an unknown type
            return {(name, name) for name in below if part.sharp or name not in types.abstract}
        case Wildcard(kind="type"):
            names = types.names if part.key is None else known.get(part.key, ())
            return {(name, name) for name in names if isinstance(name, str) and admits_type(part, name, types)}
        case Wildcard(kind="flag"):
            return {(name, name) for each in _edges(part, types, known) for name in types.under(each.source)}
        case Atom() | Wildcard():
            edges = [each for each in _edges(part, types, known) if isinstance(part, Wildcard) or not each.is_abstract]
            return {pair for each in edges for pair in product(types.under(each.source), types.under(each.target))}
        case Empty():
            pairs = {(under, name) for name in (*types.names, *types.sorts) for under in types.under(name)}
            return pairs | _inverted(pairs)
        case Inverse():
            return _inverted(related(part.part, types, known))
        case Alternative():
            return set().union(*(related(each, types, known) for each in part.parts))
        case Sequence():
            return reduce(_composed, (related(each, types, known) for each in part.parts))
        case Repeat():
            return _closure(related(part.part, types, known))


def _edges(part: Atom | Wildcard, types: Types, known: Candidates) -> list[EdgeType]:
    """The edge types that a label or a wildcard may match."""
    if isinstance(part, Atom):
        return types.labelled(part.label)
    candidates = types.edges if part.key is None else known.get(part.key, ())
    return [each for each in candidates if isinstance(each, EdgeType) and part.admits(each.label)]


def admits_type(wildcard: Wildcard, name: str, types: Types) -> bool:
    """Whether a wildcard of types matches a type or one of its supertypes."""
    if wildcard.guard is None:
        return True
    return any(f"type:{each}" in types.above.get(name, {name}) for each in wildcard.guard) != wildcard.negated


def covered(part: Part, types: Types, known: Candidates, sources: set[str], targets: set[str]) -> set[EdgeType]:
    """The edge types on possible paths between nodes of some types."""
    match part:
        case Atom() | Wildcard():
            return {
                each
                for each in _edges(part, types, known)
                if sources & set(types.under(each.source)) and targets & set(types.under(each.target))
            }
        case Empty():
            return set()
        case Inverse():
            return covered(part.part, types, known, targets, sources)
        case Alternative():
            return set().union(*(covered(each, types, known, sources, targets) for each in part.parts))
        case Sequence():
            steps = [_related(each, types, known) for each in part.parts]
            ahead = accumulate(steps, _reached, initial=sources)
            behind = [*accumulate(map(_inverted, reversed(steps)), _reached, initial=targets)]
            ends = [here & there for here, there in zip(ahead, reversed(behind), strict=True)]
            if not all(ends):
                return set()
            between = zip(part.parts, ends, ends[1:], strict=False)
            return set().union(*(covered(each, types, known, one, other) for each, one, other in between))
        case Repeat():
            step = _closure(_related(part.part, types, known))
            ahead_of, behind_of = _reached(sources, step), _reached(targets, _inverted(step))
            return covered(part.part, types, known, sources | ahead_of, targets | behind_of)


def _reached(names: set[str], relation: Relation) -> set[str]:
    return {other for one, other in relation if one in names}


def _inverted(relation: Relation) -> Relation:
    return {(other, one) for one, other in relation}


def _composed(first: Relation, second: Relation) -> Relation:
    after: dict[str, list[str]] = {}
    for one, other in second:
        after.setdefault(one, []).append(other)
    return {(one, end) for one, other in first for end in after.get(other, ())}


def _closure(relation: Relation) -> Relation:
    """The transitive closure."""
    found = relation
    while not (more := _composed(found, relation)) <= found:
        found = found | more
    return found


@dataclass(slots=True)
class NodeType:
    """The type of a rule's node, its possible actual types, and the variables that determine it."""

    name: str
    matching: set[str]
    is_sharp: bool = False
    is_declared: bool = False
    variables: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Typing:
    """The types of nodes, and the possible values of label variables."""

    nodes: dict[int, NodeType] = field(default_factory=dict)
    variables: dict[str, set[str | EdgeType]] = field(default_factory=dict)

    def copy(self) -> Typing:
        return Typing(dict(self.nodes), {key: set(found) for key, found in self.variables.items()})


def check_types(levels: Levels, types: Types, problems: Problems, check_paths: bool = False) -> None:
    """Collects the contradictions between a rule and a type graph.

    With `check_paths`, also collects paths that may use an edge that the rule deletes.
    """
    checker = _Checker(levels, types, problems)
    checker.check_level(0, Typing())
    if check_paths and not problems.errors:
        checker.check_paths()


class _Checker:
    def __init__(self, levels: Levels, types: Types, problems: Problems) -> None:
        self.levels, self.rule, self.types, self.problems = levels, levels.rule, types, problems
        self._typing_of_level: dict[int, Typing] = {}

    def error(self, message: str, at: int | PatternEdge | EdgeEffect) -> GrammarError:
        """An error with the place of a variable or an edge."""
        if isinstance(at, int):
            return GrammarError(message, self.levels.drawing.where, self.rule.names[at])
        found = self.levels.places.get((at.source, str(at.label), at.target))
        if found is None:
            return GrammarError(message, self.levels.drawing.where, self.rule.names[at.source], str(at.label))
        return self.levels.drawing.error(message, found)

    def report(self, message: str, at: int | PatternEdge | EdgeEffect) -> None:
        self.problems.errors.append(self.error(message, at))

    # ── levels ───────────────────────────────────────────────────────────────────────────────────

    def check_level(self, number: int, above: Typing) -> None:
        level = self.rule.levels[number]
        before = len(self.problems.errors)
        typing = self._typing_of_level[number] = self._typed(level.pattern.nodes, level.pattern.edges, above)
        if len(self.problems.errors) == before:
            created = [PatternEdge(each.source, self._label(each), each.target) for each in level.created]
            matched, typing = typing, self._typed(level.created_nodes, created, typing)
            self._check_narrowed(matched, typing, created)
            self._check_effects(level, typing)
            self._check_equal(level.pattern, typing)
            for embargo in level.pattern.embargoes:
                self._check_embargo(embargo, typing)
            self._check_mergers(number, level, typing)
        if len(self.problems.errors) == before:
            for child in level.children:
                self.check_level(child, typing)

    def _check_embargo(self, pattern: Pattern, above: Typing) -> None:
        typing = self._typed(pattern.nodes, pattern.edges, above)
        self._check_equal(pattern, typing)
        for inner in pattern.embargoes:
            self._check_embargo(inner, typing)

    def _label(self, effect: EdgeEffect) -> str | Wildcard:
        is_sharp = (effect.source, effect.label) in self.levels.sharp
        return effect.label.replace("type:", "type:#") if is_sharp else self.rule.label_of(effect)

    def _check_narrowed(self, matched: Typing, typing: Typing, created: list[PatternEdge]) -> None:
        """Checks that edges can be created with every label that their variable may have."""
        for key, before in matched.variables.items():
            lost = before - typing.variables.get(key, before)
            if lost:
                names = ", ".join(sorted(plain_name(str(each)) for each in lost))
                edge = next(each for each in created if isinstance(each.label, Wildcard) and each.label.key == key)
                self.report(
                    phrase(
                        "?{variable} may be {names}, which cannot be created here.",
                        variable=key.rpartition(":")[2],
                        names=names,
                    ),
                    edge,
                )

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────

    def _typed(self, nodes: Iterable[int], edges: list[PatternEdge], above: Typing) -> Typing:
        """The types of a pattern's nodes and edges, given those of the outer levels."""
        typing = above.copy()
        before = len(self.problems.errors)
        variables = dict.fromkeys([*nodes, *(end for edge in edges for end in (edge.source, edge.target))])
        self._type_nodes([v for v in variables if v not in self.rule.sorts], edges, typing)
        for variable in variables:
            sort = self.rule.sorts.get(variable)
            if sort and sort not in self.types.sorts and sort != "user":
                self.report(phrase("The type graph has no values of type {sort}.", sort=sort), variable)
        if len(self.problems.errors) > before:
            return typing
        for edge in sorted(edges, key=_order):
            if not is_type_label(edge.label):
                with self.problems.collect():
                    self._type_edge(edge, typing)
        return typing

    def _check_equal(self, pattern: Pattern, typing: Typing) -> None:
        """Checks that nodes with an equality or inequality between them can be equal."""
        for one, other in (*pattern.equal, *pattern.unequal):
            if not self._are_typed(one, other, typing):
                continue  # another error is reported for one of them
            sources, targets = self._under(one, typing), self._under(other, typing)
            if targets.isdisjoint(sources | _reached(sources, related(Empty(), self.types, {}))):
                names = [plain_name(self._name(end, typing)) for end in (one, other)]
                self.report(phrase("{name} cannot be equal to {other}.", name=names[0], other=names[1]), one)

    def _type_nodes(self, nodes: list[int], edges: list[PatternEdge], typing: Typing) -> None:
        found: dict[int, NodeType] = {}
        before = len(self.problems.errors)
        for edge in edges:
            if is_type_label(edge.label):
                with self.problems.collect():
                    above = typing.nodes.get(edge.source)
                    names = set(above.matching if above is not None else self.types.names)
                    self._read_type(edge, found.setdefault(edge.source, NodeType("", names)))
        for node in nodes:
            if node not in found and node not in typing.nodes:
                self.report("The node has no type.", node)
        if len(self.problems.errors) > before:
            return
        self._narrow(found.values(), typing)
        for node, kind in found.items():
            with self.problems.collect():
                self._name_type(node, kind, typing.nodes.get(node))
                typing.nodes[node] = kind

    def _read_type(self, edge: PatternEdge, kind: NodeType) -> None:
        """Restricts the type of a node by one of its labels."""
        if isinstance(edge.label, Wildcard):
            kind.variables |= {edge.label.key} if edge.label.key is not None else set()
            kind.matching = {name for name in kind.matching if admits_type(edge.label, name, self.types)}
        else:
            label = str(edge.label)
            is_sharp, name = label.startswith("type:#"), label.replace("type:#", "type:")
            if name not in self.types.names:
                raise self.error(
                    phrase("Unknown type. The type graph has {names}.", names=self.types.list(self.types.names)), edge
                )
            if kind.is_declared:
                if kind.name != name:
                    raise self.error("A node can have one type only.", edge)
                return
            kind.name, kind.is_declared, kind.is_sharp = name, True, is_sharp
            kind.matching &= {name} if is_sharp else set(self.types.under(name))
        if not kind.matching:
            raise self.error("No node can be of all these types.", edge)

    def _narrow(self, kinds: Collection[NodeType], typing: Typing) -> None:
        """Restricts nodes with the same type variable to the same types."""
        changed = True
        while changed:
            changed = False
            for kind in kinds:
                for key in kind.variables:
                    known = typing.variables.get(key)
                    both = kind.matching if known is None else kind.matching & known
                    changed |= both != kind.matching or both != known
                    kind.matching, typing.variables[key] = both, set(both)

    def _name_type(self, node: int, kind: NodeType, above: NodeType | None) -> None:
        """Names the type of a node: the declared one, or the common supertype of the possible ones."""
        if not kind.matching:
            raise self.error("No type fits the labels of this node.", node)
        if not kind.is_declared:
            kind.name = next((each for each in kind.matching if kind.matching <= set(self.types.under(each))), "")
        elif above is not None:
            kind.name = above.name
        if not kind.name:
            raise self.error(
                phrase(
                    "The node may be {matching}, which have no common type.", matching=self.types.list(kind.matching)
                ),
                node,
            )
        if above is not None and not self.types.is_under(kind.name, above.name):
            raise self.error(
                phrase(
                    "{name} is not a subtype of {supertype}.",
                    name=plain_name(kind.name),
                    supertype=plain_name(above.name),
                ),
                node,
            )

    # ── edges ────────────────────────────────────────────────────────────────────────────────────

    def _name(self, variable: int, typing: Typing) -> str:
        return self.rule.sorts.get(variable) or typing.nodes[variable].name

    def _are_typed(self, one: int, other: int, typing: Typing) -> bool:
        return all(end in typing.nodes or end in self.rule.sorts for end in (one, other))

    def _edge_type(self, edge: PatternEdge | EdgeEffect, label: str, typing: Typing) -> EdgeType | None:
        return self.types.edge(self._name(edge.source, typing), label, self._name(edge.target, typing))

    def _type_edge(self, edge: PatternEdge, typing: Typing) -> None:
        if isinstance(edge.label, Wildcard):
            self._type_wildcard(edge, edge.label, typing)
        elif isinstance(edge.label, Path):
            self._type_path(edge, edge.label, typing)
        elif self._edge_type(edge, edge.label, typing) is None:
            source, target = (plain_name(self._name(end, typing)) for end in (edge.source, edge.target))
            if is_flag(edge.label):
                raise self.error(phrase("{source} has no such flag.", source=source), edge)
            known = ", ".join(sorted({each.label for each in self.types.edges}))
            raise self.error(
                phrase(
                    "No such edge leads from {source} to {target}. Its labels are {known}.",
                    source=source,
                    target=target,
                    known=known,
                ),
                edge,
            )

    def _type_wildcard(self, edge: PatternEdge, wildcard: Wildcard, typing: Typing) -> None:
        found = {each for each in self.types.edges if wildcard.admits(each.label) and self._may_be(edge, each, typing)}
        if wildcard.key is not None:
            known = typing.variables.get(wildcard.key)
            own: set[str | EdgeType] = set(found)
            typing.variables[wildcard.key] = own if known is None else known & own
            found = {each for each in typing.variables[wildcard.key] if isinstance(each, EdgeType)}
        if not found:
            raise self.error("The wildcard matches nothing in the type graph here.", edge)

    def _may_be(self, edge: PatternEdge, each: EdgeType, typing: Typing) -> bool:
        """Whether an edge may be of a type. A node without a declared type may be of all its possible types."""
        for variable, name in ((edge.source, each.source), (edge.target, each.target)):
            node = typing.nodes.get(variable)
            kinds = [self._name(variable, typing)] if node is None or node.is_declared else node.matching
            if not any(self.types.is_under(kind, name) for kind in kinds):
                return False
        return True

    def _type_path(self, edge: PatternEdge, path: Path, typing: Typing) -> None:
        try:
            ends = related(path.part, self.types, typing.variables)
        except NoType as error:
            raise self.error(phrase("The type graph has no such path: {path}.", path=Path(error.part)), edge) from None
        if self._under(edge.target, typing).isdisjoint(_reached(self._under(edge.source, typing), ends)):
            source, target = (plain_name(self._name(end, typing)) for end in (edge.source, edge.target))
            raise self.error(
                phrase("No such path leads from {source} to {target}.", source=source, target=target), edge
            )

    def _under(self, variable: int, typing: Typing) -> set[str]:
        """The possible types of a node: its type's subtypes, or the type alone if it is exact."""
        sort = self.rule.sorts.get(variable)
        if sort:
            return {sort}
        node = typing.nodes[variable]
        return {node.name} if node.is_sharp else set(self.types.under(node.name))

    def check_paths(self) -> None:
        """Collects the paths that may use an edge that the rule deletes."""
        deleted = {
            each
            for number, level in enumerate(self.rule.levels)
            for each in self._deleted(level, self._typing_of_level[number])
        }
        for number, level in enumerate(self.rule.levels):
            typing = self._typing_of_level[number]
            for edge in level.pattern.edges:
                if not isinstance(edge.label, Path) or edge.label.alternatives is not None:
                    continue
                ends = (self._under(edge.source, typing), self._under(edge.target, typing))
                through = covered(edge.label.part, self.types, typing.variables, *ends) & deleted
                if through:
                    label = min(each.label for each in through)
                    self.report(
                        phrase(
                            "This path may use an edge {label} that the rule deletes (see ignoreRegExp).", label=label
                        ),
                        edge,
                    )

    def _deleted(self, level: QuantifierLevel, typing: Typing) -> set[EdgeType]:
        """The types of the edges that a level deletes."""
        found: set[EdgeType] = set()
        for effect in level.erased:
            label = self._label(effect)
            if isinstance(label, Wildcard):
                found |= {each for each in typing.variables.get(label.key or "", ()) if isinstance(each, EdgeType)}
            elif not is_type(label):
                each = self._edge_type(effect, label, typing)
                found |= {each} if each is not None else set()
        return found

    # ── effects ──────────────────────────────────────────────────────────────────────────────────

    def _check_effects(self, level: QuantifierLevel, typing: Typing) -> None:
        erased = {v for each in self.rule.levels for v in each.erased_nodes}
        created = {v for each in self.rule.levels for v in each.created_nodes}
        for effect in level.erased:
            if is_type_label(self._label(effect)) and effect.source not in erased:
                self.report("The type of a node cannot be deleted.", effect)
        for effect in level.created:
            if is_type_label(self._label(effect)):
                if effect.source not in created:
                    self.report("The type of an existing node cannot be set.", effect)
            elif effect.variable is None and self._are_typed(effect.source, effect.target, typing):
                found = self._edge_type(effect, effect.label, typing)
                if found is not None and found.is_abstract:
                    self.report(phrase("The edge type {found} is abstract.", found=found), effect)
        for node in level.created_nodes:
            kind = typing.nodes.get(node)
            if kind is not None and kind.name in self.types.abstract and not kind.variables:
                self.report("An abstract type cannot have nodes.", node)

    def _check_mergers(self, number: int, level: QuantifierLevel, typing: Typing) -> None:
        """Checks that in every match each node is merged into one of its own type or a subtype."""
        seen: set[int] = set()
        pairs = [
            pair for pair in level.merged if typing.nodes.keys() >= set(pair)
        ]  # the errors of the others are reported already
        for pair in pairs:
            with self.problems.collect():
                self._check_merger(number, pair, typing, seen)
        if self.rule.injective:
            return
        for place, one in enumerate(pairs):
            for other in pairs[:place]:
                distinct = one[1] == other[1] or self._are_distinct(number, one[0], other[0], typing)
                if not distinct and not self._have_least(typing, one[1], other[1]):
                    message = "Nodes that may be equal are merged into nodes of different types."
                    self.report(message, one[0])

    def _check_merger(self, number: int, pair: tuple[int, int], typing: Typing, seen: set[int]) -> None:
        source, target = (typing.nodes[v] for v in pair)
        if not all(self.types.is_under(target.name, name) for name in source.matching):
            raise self.error(
                phrase(
                    "This {name} may be of a subtype of {supertype}. Use type:#.",
                    name=plain_name(source.name),
                    supertype=plain_name(target.name),
                ),
                pair[0],
            )
        if pair[0] in seen:
            raise self.error("A node can be merged into one other node only.", pair[0])
        seen.add(pair[0])
        if self._is_universal(number, pair[1]) and not self._have_least(typing, pair[1]):
            raise self.error("A node is merged into nodes of different types.", pair[0])
        if not self.types.is_under(target.name, source.name):
            raise self.error(
                phrase(
                    "{name} cannot be merged into {supertype}.",
                    name=plain_name(source.name),
                    supertype=plain_name(target.name),
                ),
                pair[0],
            )

    def _is_universal(self, number: int, variable: int) -> bool:
        """Whether a node can have several images in one match."""
        for at in self.rule.outwards(number):
            level = self.rule.levels[at]
            if variable in level.pattern.nodes or variable in level.created_nodes:
                return self.levels.is_universal(at)
        return False

    def _are_distinct(self, number: int, one: int, other: int, typing: Typing) -> bool:
        """Whether two nodes cannot be equal."""
        if typing.nodes[one].matching.isdisjoint(typing.nodes[other].matching):
            return True
        patterns = [self.rule.levels[at].pattern for at in self.rule.outwards(number)]
        return any(pair in pattern.unequal for pattern in patterns for pair in ((one, other), (other, one)))

    def _have_least(self, typing: Typing, *nodes: int) -> bool:
        """Whether the possible types of some nodes are totally ordered by inheritance."""
        kinds = [typing.nodes[v] for v in nodes]
        if set.intersection(*(kind.variables for kind in kinds)):
            return True
        pairs = combinations(set().union(*(kind.matching for kind in kinds)), 2)
        return all(self.types.is_under(one, other) or self.types.is_under(other, one) for one, other in pairs)


def _order(edge: PatternEdge) -> int:
    """Sort key: wildcards first, as they bind variables, and paths last."""
    return 0 if isinstance(edge.label, Wildcard) else 2 if isinstance(edge.label, Path) else 1


def is_type_label(label: str | Wildcard | Path) -> bool:
    """Whether a label of a rule is the type of a node."""
    return label.kind == "type" if isinstance(label, Wildcard) else isinstance(label, str) and is_type(label)
