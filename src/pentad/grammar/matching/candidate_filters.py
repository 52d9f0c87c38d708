"""Candidate filters (sieves): the nodes that can be the image of a variable, as bits, before its edges are followed.

A sieve tests each node alone: whether it has an edge with a label, or has none. It keeps every node that a match may
use and usually drops most others, so that a search in a growing graph skips irrelevant nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pentad.grammar.matching.host import Host, bits
from pentad.grammar.rules.rule import Pattern, PatternEdge

FEW = 16  # candidates that are tried one by one without a sieve
LOOPS = ("type:", "flag:")  # labels whose edges lead from a node to itself
Sieve = Callable[[Host], int]


class Side(NamedTuple):
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
    wanted, forbidden = [], []
    for edge in pattern.edges:
        if isinstance(edge.label, str):
            if edge.source == variable:
                wanted.append(Side(admits(edge.label), True))
            elif edge.target == variable:
                wanted.append(Side(admits(edge.label), False))
    for embargo in pattern.embargoes:
        side = _forbidden(variable, embargo, admits, free)
        if side is not None:
            forbidden.append(side)
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
) -> Side | None:
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
    if any(node != other for node in embargo.nodes) or (loops and not _has_loops_at_only(embargo, other)):
        return None
    return Side(admits(label), edge.source == variable, tuple(loops))


def _has_loops_at_only(embargo: Pattern, node: int) -> bool:
    return all(edge.source == node for edge in embargo.edges if edge.source == edge.target)


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
