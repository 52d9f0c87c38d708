"""The wolf, goat and cabbage puzzle, with any number of each, as a graph grammar.

Items that are left on a bank without the boat may eat each other. Eating has a higher priority than all other rules;
it deletes the eaten item.
"""

from __future__ import annotations

from itertools import pairwise, product

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import grammar, model, rule


def make(*, wolves: int, goats: int, cabbages: int, iso: bool) -> Grammar:
    """Returns the grammar with these options."""
    rules = [_cross(), _carry(), _eat(), _all_across()]
    return grammar("ferry", _start(wolves, goats, cabbages), rules, iso=iso)


def _start(*counts: int) -> Graph:
    """Returns the start graph: the boat and all items are on the left bank."""
    graph = Graph("start")
    left = graph.node("type:Bank", at=(60, 60))
    right = graph.node("type:Bank", "flag:goal", at=(460, 60))
    boat = graph.node("type:Boat", at=(260, 160))
    graph.edge(left, "across", right)
    graph.edge(right, "across", left)
    graph.edge(boat, "at", left)
    kinds = []
    for row, (kind, count) in enumerate(zip(("wolf", "goat", "cabbage"), counts, strict=True)):
        kinds.append([graph.node("type:Item", f"flag:{kind}", at=(60 + 90 * i, 280 + 90 * row)) for i in range(count)])
    for item in (item for kind in kinds for item in kind):
        graph.edge(item, "at", left)
    for eaters, eaten in pairwise(kinds):
        for one, other in product(eaters, eaten):
            graph.edge(one, "eats", other)
    return graph


def _cross() -> Graph:
    """The boat crosses empty."""
    graph = rule("cross")
    boat = graph.node("type:Boat", at=(60, 120))
    here, there = (graph.node("type:Bank", at=(220, 60 + 120 * i)) for i in range(2))
    graph.edge(here, "across", there)
    graph.move(boat, "at", here, there)
    return graph


def _carry() -> Graph:
    """The boat crosses with one item."""
    graph = _cross()
    graph.name = "carry"
    _, here, there = graph.nodes
    item = graph.node("type:Item", at=(380, 120))
    graph.move(item, "at", here, there)
    return graph


def _eat() -> Graph:
    """On the bank without the boat, one item eats another."""
    graph = rule("eat", priority="1")
    boat = graph.node("type:Boat", at=(60, 60))
    away, here = (graph.node("type:Bank", at=(200 + 160 * i, 60)) for i in range(2))
    eater = graph.node("type:Item", at=(280, 180))
    eaten = graph.node("del:", "type:Item", at=(440, 180))
    graph.edge(boat, "at", away)
    graph.edge(away, "across", here)
    graph.edge(eater, "at", here)
    graph.edge(eaten, "at", here)
    graph.edge(eater, "eats", eaten)
    return graph


def _all_across() -> Graph:
    """All items that were not eaten are on the goal bank."""
    graph = rule("allAcross")
    bank = graph.node("type:Bank", "flag:goal", at=(60, 60))
    forall = graph.node("forall:", at=(380, 60))
    exists = graph.node("exists=e:", at=(380, 160))
    item = graph.node("type:Item", at=(220, 120))
    graph.edge(exists, "in", forall)
    graph.edge(item, "@", forall)
    graph.edge(item, "use=e:at", bank)
    return graph


FERRY = model(
    "ferry",
    "the wolf, goat and cabbage puzzle: rule priorities and node deletion",
    make,
    Option("wolves", 1, "number of wolves; they eat goats", 0, 9),
    Option("goats", 1, "number of goats; they eat cabbages", 0, 9),
    Option("cabbages", 1, "number of cabbages", 0, 9),
    title="The ferry",
)
