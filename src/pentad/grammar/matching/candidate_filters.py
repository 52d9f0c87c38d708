"""Conditions on the images of variables: candidate filters (sieves), injective matching, and the gluing condition.

A sieve tests each node alone, before its edges are followed: whether it has an edge with a label, or has none. It keeps
every node that a match may use and usually drops most others, so that a search in a growing graph skips irrelevant
nodes.

An injective match has a distinct node, and a distinct copy of an edge, for each of the rule's. Under DPO a deleted
element is not shared with any other (identification condition), on its own level and on enclosing ones, and a deleted
node leaves no dangling edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pentad.grammar.host import Host, bits
from pentad.grammar.language.labels import FLAG_PREFIX, TYPE_PREFIX
from pentad.grammar.language.paths import Path, Wildcard
from pentad.grammar.rules.rule import Pattern, PatternEdge, QuantifierLevel, Rule

FEW = 16  # candidates that are tried one by one without a sieve
LOOPS = (TYPE_PREFIX, FLAG_PREFIX)  # labels whose edges lead from a node to itself
Sieve = Callable[[Host], int]


class IncidentEdge(NamedTuple):
    """An edge at a variable: its labels, whether it leaves, and the required loops of the node at its other end."""

    labels: tuple[str, ...]
    leaves: bool
    loops: tuple[tuple[str, ...], ...] = ()


def ends(host: Host, labels: Iterable[str], leaves: bool) -> int:
    """The sources, or else the targets, of edges with these labels."""
    found = 0
    for label in labels:
        index = host.by_label(label)
        found |= index.sources if leaves else index.targets
    return found


def sieve_of(
    variable: int, pattern: Pattern, admits: Callable[[str], tuple[str, ...]], free: Callable[[int], bool], least: int
) -> Sieve | None:
    """The sieve of a variable in a pattern, or None if the pattern has fewer than `least` conditions on it.

    `free` returns whether a variable of an embargo may stand for any node.
    """
    wanted = [
        IncidentEdge(admits(edge.label), edge.source == variable)
        for edge in pattern.edges
        if isinstance(edge.label, str) and variable in (edge.source, edge.target)
    ]
    forbidden = [side for each in pattern.embargoes if (side := _forbidden(variable, each, admits, free))]
    if len(wanted) + len(forbidden) < least:
        return None

    def sieve(host: Host) -> int:
        nodes = -1
        for labels, leaves, _ in wanted:
            nodes &= ends(host, labels, leaves)
        for labels, leaves, loops in forbidden:
            others = ends(host, labels, not leaves)
            if not others & ~host.nodes and not any(others & ~ends(host, each, True) for each in loops):
                nodes &= ~ends(host, labels, leaves)
        return nodes & host.nodes if nodes < 0 else nodes

    return sieve


def _forbidden(
    variable: int, embargo: Pattern, admits: Callable[[str], tuple[str, ...]], free: Callable[[int], bool]
) -> IncidentEdge | None:
    """The edge that an embargo forbids at a variable, to any node; None if the embargo is more complex."""
    if embargo.equal or embargo.unequal or embargo.computed or embargo.tests or embargo.embargoes or embargo.counted:
        return None
    loops: list[tuple[str, ...]] = []
    found: list[tuple[PatternEdge, str]] = []
    for edge in embargo.edges:
        if not isinstance(edge.label, str):
            return None
        if edge.source == edge.target != variable and edge.label.startswith(LOOPS):
            loops.append(admits(edge.label))
        else:
            found.append((edge, edge.label))
    if len(found) != 1:
        return None
    edge, label = found[0]
    other = edge.target if edge.source == variable else edge.source
    if variable not in (edge.source, edge.target) or other == variable or not free(other):
        return None
    looped = {each.source for each in embargo.edges if each.source == each.target} if loops else set()
    if not {*embargo.nodes, *looped} <= {other}:
        return None
    return IncidentEdge(admits(label), edge.source == variable, tuple(loops))


def filtered_pairs(
    host: Host, label: str, pairs: Sequence[tuple[int, int]], first: Sieve | None, second: Sieve | None
) -> Sequence[tuple[int, int]]:
    """The edges of a label; filtered by the sieves of their ends if that makes them much fewer."""
    best, along, least = 0, True, len(pairs) // 2
    for sieve, is_source in ((first, True), (second, False)):
        if sieve is not None:
            nodes = sieve(host)
            if nodes.bit_count() < least:
                best, along, least = nodes, is_source, nodes.bit_count()
    return host.by_label(label).incident(best, along) if least < len(pairs) // 2 else pairs


def filtered_ends(
    host: Host, label: str, node: int, others: Sequence[int], leaves: bool, sieve: Sieve
) -> Sequence[int]:
    """The other ends of a node's edges; filtered by a sieve if that makes them much fewer."""
    nodes = sieve(host)
    if 2 * nodes.bit_count() >= len(others):
        return others
    number, found = host.world.number, []
    for other in bits(nodes):
        edge = number.get((node, label, other) if leaves else (other, label, node))
        if edge is not None and host.edges >> edge & 1:
            found.append((edge, other))
    return [other for _, other in sorted(found)]


Apart = Callable[[int, int], bool]  # whether two variables must have different images
Labels = Callable[[PatternEdge, Sequence[object]], Iterable[str]]  # the labels that an edge of a rule may match


def apart_in(rule: Rule, is_node: Callable[[int], bool]) -> Apart | None:
    """Which variables of a rule must have different images; None if there is no such condition."""
    copies = {edge.copy for level in rule.levels for edge in level.pattern.edges if edge.copy is not None}

    def are_same_kind(one: int, other: int) -> bool:
        """Whether both are nodes, or both are edges."""
        return {one, other} <= copies or (is_node(one) and is_node(other))

    if rule.injective:
        return are_same_kind
    if rule.parallel != "DPO":
        return None
    deleted = {node for level in rule.levels for node in level.erased_nodes}
    deleted |= {each.copy for level in rule.levels for each in level.erased if each.copy is not None}
    found = copies.union(*(level.pattern.nodes for level in rule.levels))
    return lambda one, other: bool(
        deleted & {one, other} and one in found and other in found and are_same_kind(one, other)
    )


def shares_nothing(parts: Sequence[tuple[QuantifierLevel, Sequence[object]]]) -> bool:
    """Whether the parts of a match delete no node and no edge twice."""
    nodes = [found[variable] for level, found in parts for variable in level.erased_nodes]
    copies = [found[each.copy] for level, found in parts for each in level.erased if each.copy is not None]
    return len(set(nodes)) == len(nodes) and len(set(copies)) == len(copies)


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
