"""Type inference for paths: the types of nodes that a path can connect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pentad.grammar.language.path_tree import Atom, Choice, Empty, Inverse, Part, Repeat, Sequence, Wildcard
from pentad.grammar.rules.types import EdgeType, Types

Relation: TypeAlias = dict[str, set[str]]  # from types at the source to types at the target
Candidates: TypeAlias = Mapping[str, Iterable[str | EdgeType]]  # possible types of label variables, by key


class NoType(Exception):
    """A part of a path that no edges of the type graph match."""

    def __init__(self, part: Part) -> None:
        self.part = part
        super().__init__(part)


def related(part: Part, types: Types, known: Candidates) -> Relation:
    """The types that a path can connect; raises `NoType` if there are none."""
    found = _related(part, types, known)
    if not found and not isinstance(part, Choice):
        raise NoType(part)
    return found


def _related(part: Part, types: Types, known: Candidates) -> Relation:
    match part:
        case Atom():
            return _atom(part, types)
        case Wildcard():
            return _wildcard(part, types, known)
        case Empty():
            found: Relation = {}
            for name in (*types.names, *types.sorts):
                for under in types.under(name):
                    found.setdefault(under, set()).add(name)
                    found.setdefault(name, set()).add(under)
            return found
        case Inverse():
            return _inverted(related(part.part, types, known))
        case Choice():
            return _union(related(each, types, known) for each in part.parts)
        case Sequence():
            first, *others = (related(each, types, known) for each in part.parts)
            for other in others:
                first = _composed(first, other)
            return first
        case Repeat():
            return _closure(related(part.part, types, known))


def _atom(atom: Atom, types: Types) -> Relation:
    if atom.label.startswith("type:"):
        return {name: {name} for name in types.under(atom.label) if atom.sharp or name not in types.abstract}
    return _of_edges((each for each in types.labelled(atom.label) if not each.is_abstract), types)


def _of_edges(edges: Iterable[EdgeType], types: Types) -> Relation:
    found: Relation = {}
    for each in edges:
        for source in types.under(each.source):
            found.setdefault(source, set()).update(types.under(each.target))
    return found


def _wildcard(wildcard: Wildcard, types: Types, known: Candidates) -> Relation:
    candidates = known.get(wildcard.key or "", ()) if wildcard.variable is not None else None
    if wildcard.kind == "type":
        names = types.names if candidates is None else (each for each in candidates if isinstance(each, str))
        return {name: {name} for name in names if admits_type(wildcard, name, types)}
    edges = types.edges if candidates is None else (each for each in candidates if isinstance(each, EdgeType))
    fitting = [each for each in edges if admits_edge(wildcard, each)]
    if wildcard.kind == "flag":
        return {name: {name} for each in fitting for name in types.under(each.source)}
    return _of_edges(fitting, types)


def admits_type(wildcard: Wildcard, name: str, types: Types) -> bool:
    """Whether a wildcard of types matches a type or one of its supertypes."""
    if wildcard.guard is None:
        return True
    return any(f"type:{each}" in types.above.get(name, {name}) for each in wildcard.guard) != wildcard.negated


def admits_edge(wildcard: Wildcard, edge: EdgeType) -> bool:
    """Whether a wildcard of flags or edges matches an edge type."""
    return wildcard.admits(edge.label)


def covered(
    part: Part, types: Types, known: Candidates, sources: set[str], targets: set[str]
) -> tuple[set[EdgeType], bool]:
    """The edge types on possible paths between nodes of some types, and whether such a path is possible."""
    match part:
        case Atom() | Wildcard():
            found = _edges_of(part, types, known)
            fitting = {
                each
                for each in found
                if sources & set(types.under(each.source)) and targets & set(types.under(each.target))
            }
            return fitting, bool(fitting)
        case Empty():
            return set(), True
        case Inverse():
            return covered(part.part, types, known, targets, sources)
        case Choice():
            several = [covered(each, types, known, sources, targets) for each in part.parts]
            return set().union(*(each for each, _ in several)), any(possible for _, possible in several)
        case Sequence():
            return _along(part.parts, types, known, sources, targets)
        case Repeat():
            step = _related(part.part, types, known)
            ahead = sources | _reached(_closure(step), sources)
            behind = targets | _reached(_inverted(_closure(step)), targets)
            return covered(part.part, types, known, ahead, behind)[0], True


def _along(
    parts: tuple[Part, ...], types: Types, known: Candidates, sources: set[str], targets: set[str]
) -> tuple[set[EdgeType], bool]:
    """The edge types on possible paths for a sequence of parts."""
    steps = [_related(each, types, known) for each in parts]
    ahead, behind = [sources], [targets]
    for step in steps:
        ahead.append(_reached(step, ahead[-1]))
    for step in reversed(steps):
        behind.insert(0, _reached(_inverted(step), behind[0]))
    ends = [here & there for here, there in zip(ahead, behind, strict=True)]
    if not all(ends):
        return set(), False
    found = [covered(each, types, known, ends[i], ends[i + 1])[0] for i, each in enumerate(parts)]
    return set().union(*found), True


def _edges_of(part: Atom | Wildcard, types: Types, known: Candidates) -> Iterable[EdgeType]:
    if isinstance(part, Atom):
        return types.labelled(part.label)
    candidates = known.get(part.key or "", ()) if part.variable is not None else types.edges
    return [each for each in candidates if isinstance(each, EdgeType) and admits_edge(part, each)]


def _reached(relation: Relation, names: set[str]) -> set[str]:
    return {end for name in names for end in relation.get(name, ())}


def _inverted(relation: Relation) -> Relation:
    found: Relation = {}
    for one, others in relation.items():
        for other in others:
            found.setdefault(other, set()).add(one)
    return found


def _union(relations: Iterable[Relation]) -> Relation:
    found: Relation = {}
    for relation in relations:
        for one, others in relation.items():
            found.setdefault(one, set()).update(others)
    return found


def _composed(first: Relation, second: Relation) -> Relation:
    found = {one: {end for other in others for end in second.get(other, ())} for one, others in first.items()}
    return {one: ends for one, ends in found.items() if ends}


def _closure(relation: Relation) -> Relation:
    """The transitive closure."""
    found = relation
    while True:
        more = _union([found, _composed(found, relation)])
        if more == found:
            return found
        found = more
