"""Between nodes of which types a path may lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pentad.grammar.language.path_parts import Atom, Choice, Empty, Inverse, Part, Repeat, Sequence, Wildcard
from pentad.grammar.rules.types import EdgeType, Types

Relation: TypeAlias = dict[str, set[str]]  # from the types at its beginning to those at its end
Candidates: TypeAlias = Mapping[str, Iterable[str | EdgeType]]  # what label variables may stand for, by their keys


class NoType(Exception):
    """A part of a path that no edges of the type graph make up."""

    def __init__(self, part: Part) -> None:
        self.part = part
        super().__init__(part)


def related(part: Part, types: Types, known: Candidates) -> Relation:
    """The types between which a path may lead; `NoType` where there are none."""
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
            return _turned(related(part.part, types, known))
        case Choice():
            return _united(related(each, types, known) for each in part.parts)
        case Sequence():
            first, *others = (related(each, types, known) for each in part.parts)
            for other in others:
                first = _then(first, other)
            return first
        case Repeat():
            return _closed(related(part.part, types, known))


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
    """Whether a wildcard of types stands for a type: as it is named, or one above it."""
    if wildcard.guard is None:
        return True
    return any(f"type:{each}" in types.above.get(name, {name}) for each in wildcard.guard) != wildcard.negated


def admits_edge(wildcard: Wildcard, edge: EdgeType) -> bool:
    """Whether a wildcard of flags or edges stands for an edge's type."""
    return wildcard.admits(edge.label)


def _turned(relation: Relation) -> Relation:
    found: Relation = {}
    for one, others in relation.items():
        for other in others:
            found.setdefault(other, set()).add(one)
    return found


def _united(relations: Iterable[Relation]) -> Relation:
    found: Relation = {}
    for relation in relations:
        for one, others in relation.items():
            found.setdefault(one, set()).update(others)
    return found


def _then(first: Relation, second: Relation) -> Relation:
    found = {one: {end for other in others for end in second.get(other, ())} for one, others in first.items()}
    return {one: ends for one, ends in found.items() if ends}


def _closed(relation: Relation) -> Relation:
    found = relation
    while True:
        more = _united([found, _then(found, relation)])
        if more == found:
            return found
        found = more
