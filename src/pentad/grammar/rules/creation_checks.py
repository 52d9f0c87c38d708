"""Creation checks: rules apply only where the elements that they create do not exist yet (two properties)."""

from __future__ import annotations

from pentad.grammar.language.path_parser import Path, Wildcard
from pentad.grammar.rules.rule import Binary, Level, Made, Pattern, Rule


def keep_found(rule: Rule) -> None:
    """Let an edge that is made where the rule finds or takes it stay: it is in the graph before and after."""
    for level in rule.levels:
        found, at = _found(level), level
        while at.parent >= 0:
            at = rule.levels[at.parent]
            found |= _found(at) - {_labelled_ends(rule, each) for each in at.erased}
        level.kept = [each for each in level.created if _labelled_ends(rule, each) in found]
        kept = {_labelled_ends(rule, each) for each in level.kept}
        level.created = [each for each in level.created if _labelled_ends(rule, each) not in kept]
        level.erased = [each for each in level.erased if _labelled_ends(rule, each) not in kept]


def _found(level: Level) -> set[tuple[int, str, int]]:
    return {(each.source, _label_key(each.label), each.target) for each in level.pattern.edges}


def _label_key(label: str | Wildcard | Path) -> str:
    """A label, or the variable that stands for it; empty where an edge is not told by its label."""
    if isinstance(label, str):
        return label
    return f"?{label.key}" if isinstance(label, Wildcard) and label.key is not None else ""


def _labelled_ends(rule: Rule, made: Made) -> tuple[int, str, int]:
    return made.source, _label_key(_label(rule, made)), made.target


def _label(rule: Rule, made: Made) -> str | Wildcard:
    """The label of an edge that is made, to be found."""
    if made.variable is None:
        return made.label
    kind, _, name = rule.names[made.variable].removeprefix("?").rpartition(":")
    return Wildcard(kind, name)


def forbid_made_edges(rule: Rule) -> None:
    """Let a rule apply only where each edge that it makes between nodes that it finds is not there yet."""
    for level in rule.levels:
        made = {node for each in rule.levels for node in each.created_nodes}
        for edge in (*level.created, *level.kept):
            if edge.source not in made and edge.target not in made:
                level.pattern.embargoes.append(Pattern(edges=[Binary(edge.source, _label(rule, edge), edge.target)]))


def forbid_made(rule: Rule) -> None:
    """Let a rule apply only where what it makes, each connected part of it as a whole, is not there yet."""
    for level in rule.levels:
        parts: list[tuple[set[int], Pattern]] = [({node}, Pattern(nodes=[node])) for node in level.created_nodes]
        for edge in (*level.created, *level.kept):
            ends = {edge.source, edge.target} & set(level.created_nodes)
            mine = [part for part in parts if part[0] & ends]
            members, whole = set(ends), Pattern(edges=[Binary(edge.source, _label(rule, edge), edge.target)])
            for part in mine:
                members |= part[0]
                whole.nodes += part[1].nodes
                whole.edges += part[1].edges
            parts = [part for part in parts if part not in mine] + [(members, whole)]
        level.pattern.embargoes += [pattern for _, pattern in parts]
