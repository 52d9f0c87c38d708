"""Injective matching, and the gluing condition for parallel edges under DPO.

An injective match has a distinct node, and a distinct copy of an edge, for each of the rule's. Under DPO a deleted
element is not shared with any other (identification condition), on its own level and on enclosing ones, and a deleted
node leaves no dangling edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pentad.grammar.language.path_parser import Path, Wildcard
from pentad.grammar.matching.host import Host, bits
from pentad.grammar.rules.rule import Level, PatternEdge, Rule

Apart = Callable[[int, int], bool]  # whether two variables must have different images
Labels = Callable[[PatternEdge, Sequence[object]], Iterable[str]]  # the labels that an edge of a rule may match


def copies_of(rule: Rule) -> set[int]:
    """The variables for edges."""
    return {edge.copy for level in rule.levels for edge in level.pattern.edges if edge.copy is not None}


def deleted_by(rule: Rule) -> set[int]:
    """The variables for nodes and copies of edges that a rule deletes."""
    nodes = {node for level in rule.levels for node in level.erased_nodes}
    return nodes | {each.copy for level in rule.levels for each in level.erased if each.copy is not None}


def apart_in(rule: Rule, is_node: Callable[[int], bool]) -> Apart | None:
    """Which variables of a rule must have different images; None if there is no such condition."""
    copies = copies_of(rule)

    def are_same_kind(one: int, other: int) -> bool:
        """Whether both are nodes, or both are edges."""
        if one in copies or other in copies:
            return one in copies and other in copies
        return is_node(one) and is_node(other)

    if rule.injective:
        return are_same_kind
    if rule.parallel != "DPO":
        return None
    deleted = deleted_by(rule)
    found = copies.union(*(level.pattern.nodes for level in rule.levels))
    return lambda one, other: bool(
        deleted & {one, other} and one in found and other in found and are_same_kind(one, other)
    )


def shares_nothing(parts: Iterable[tuple[Level, Sequence[object]]]) -> bool:
    """Whether the parts of a match delete no node and no edge twice."""
    nodes: set[object] = set()
    copies: set[object] = set()
    for level, found in parts:
        for seen, variables in (
            (nodes, level.erased_nodes),
            (copies, [each.copy for each in level.erased if each.copy is not None]),
        ):
            for variable in variables:
                if found[variable] in seen:
                    return False
                seen.add(found[variable])
    return True


class Dangling:
    """The dangling condition: deleted nodes leave no edge without an end; attributes are deleted with their nodes.

    As in GROOVE, only the outermost level must name all edges of the nodes that it deletes; nodes that a quantifier
    deletes take their edges along.
    """

    def __init__(self, rule: Rule, labels: Labels) -> None:
        self.labels = labels
        edges = rule.root.pattern.edges
        self._at = {
            node: [edge for edge in edges if node in (edge.source, edge.target)] for node in rule.root.erased_nodes
        }

    def leaves_none(self, host: Host, found: Sequence[object]) -> bool:
        world = host.world
        for variable, edges in self._at.items():
            node = found[variable]
            assert isinstance(node, int)
            left = host.edges & world.edges_at(node)
            for edge in edges:
                left &= ~self._images(host, edge, found)
            if any(world.edges[number].target not in world.values for number in bits(left)):
                return False
        return True

    def _images(self, host: Host, edge: PatternEdge, found: Sequence[object]) -> int:
        if edge.copy is not None:
            return 1 << found[edge.copy]  # type: ignore[operator]
        if isinstance(edge.label, Path):
            return 0
        source, target = found[edge.source], found[edge.target]
        images = 0
        for label in self.labels(edge, found):
            number = host.world.number.get((source, label, target))  # type: ignore[arg-type]
            if number is not None and host.edges >> number & 1:
                images |= 1 << number
                if isinstance(edge.label, Wildcard) and edge.label.variable is None:
                    break  # a wildcard without a variable matches one edge
        return images
