"""Hosts as small as a test needs: nodes from 0, and edges in the order of their numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from pentad.grammar.host import Host, World, bits
from pentad.grammar.language.values import AttributeValue

LABELS = ("a", "b")


def host_of(nodes: int, *edges: tuple[int, str, int], values: tuple[int, ...] = ()) -> Host:
    """A host with so many nodes and these edges, then nodes for whole numbers, which the edges may lead to.

    An edge that occurs several times has as many copies.
    """
    world = World()
    for _ in range(nodes):
        world.new_node()
    for each in values:
        world.value(AttributeValue("int", each))
    for each in edges:
        world.copy(*each)
    return Host(world, (1 << nodes) - 1, (1 << len(edges)) - 1)


def triples_of(host: Host) -> list[tuple[int, str, int]]:
    return [tuple(each) for each in host.triples()]


def listed(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    return list(bits(mask))


@st.composite
def graphs(draw, nodes=4, edges=7):
    """The number of nodes of a small graph, and its edges."""
    count = draw(st.integers(1, nodes))
    ends = st.integers(0, count - 1)
    return count, draw(st.lists(st.tuples(ends, st.sampled_from(LABELS), ends), max_size=edges, unique=True))
