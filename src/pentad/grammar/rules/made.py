"""Rules that apply only where what they make is not there yet, as two properties of a grammar ask."""

from __future__ import annotations

from pentad.grammar.rules.rule import Binary, Pattern, Rule


def forbid_made_edges(rule: Rule) -> None:
    """Let a rule apply only where each edge that it makes between nodes that it finds is not there yet."""
    for level in rule.levels:
        made = {node for each in rule.levels for node in each.created_nodes}
        for edge in level.created:
            if edge.source not in made and edge.target not in made and edge.variable is None:
                level.pattern.embargoes.append(Pattern(edges=[Binary(edge.source, edge.label, edge.target)]))


def forbid_made(rule: Rule) -> None:
    """Let a rule apply only where what it makes, each connected part of it as a whole, is not there yet."""
    for level in rule.levels:
        parts: list[tuple[set[int], Pattern]] = [({node}, Pattern(nodes=[node])) for node in level.created_nodes]
        for edge in level.created:
            if edge.variable is not None:
                continue
            ends = {edge.source, edge.target} & set(level.created_nodes)
            mine = [part for part in parts if part[0] & ends]
            members, whole = set(ends), Pattern(edges=[Binary(edge.source, edge.label, edge.target)])
            for part in mine:
                members |= part[0]
                whole.nodes += part[1].nodes
                whole.edges += part[1].edges
            parts = [part for part in parts if part not in mine] + [(members, whole)]
        level.pattern.embargoes += [pattern for _, pattern in parts]
