"""Creation checks: a rule applies only if the elements that it creates do not exist yet (two properties)."""

from __future__ import annotations

from pentad.grammar.language.path_parser import Path, Wildcard
from pentad.grammar.rules.rule import EdgeEffect, Level, Pattern, PatternEdge, Rule


def keep_matched(rule: Rule) -> None:
    """Moves created edges that the rule also matches or deletes to `kept`: they exist before and after."""
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
    """A label or the key of its variable; empty for paths and unnamed wildcards, which do not identify an edge."""
    if isinstance(label, str):
        return label
    return f"?{label.key}" if isinstance(label, Wildcard) and label.key is not None else ""


def _labelled_ends(rule: Rule, effect: EdgeEffect) -> tuple[int, str, int]:
    return effect.source, _label_key(_label(rule, effect)), effect.target


def _label(rule: Rule, effect: EdgeEffect) -> str | Wildcard:
    """The label of a created edge, as a pattern matches it."""
    if effect.variable is None:
        return effect.label
    kind, _, name = rule.names[effect.variable].removeprefix("?").rpartition(":")
    return Wildcard(kind, name)


def forbid_created_edges(rule: Rule) -> None:
    """Forbids each edge that a rule creates between matched nodes (`checkCreatorEdges`)."""
    for level in rule.levels:
        created = {node for each in rule.levels for node in each.created_nodes}
        for edge in (*level.created, *level.kept):
            if edge.source not in created and edge.target not in created:
                level.pattern.embargoes.append(
                    Pattern(edges=[PatternEdge(edge.source, _label(rule, edge), edge.target)])
                )


def forbid_created(rule: Rule) -> None:
    """Forbids each connected component of the elements that a rule creates (`rhsIsNAC`)."""
    for level in rule.levels:
        parts: list[tuple[set[int], Pattern]] = [({node}, Pattern(nodes=[node])) for node in level.created_nodes]
        for edge in (*level.created, *level.kept):
            ends = {edge.source, edge.target} & set(level.created_nodes)
            connected = [part for part in parts if part[0] & ends]
            members, merged = set(ends), Pattern(edges=[PatternEdge(edge.source, _label(rule, edge), edge.target)])
            for part in connected:
                members |= part[0]
                merged.nodes += part[1].nodes
                merged.edges += part[1].edges
            parts = [part for part in parts if part not in connected] + [(members, merged)]
        level.pattern.embargoes += [pattern for _, pattern in parts]
