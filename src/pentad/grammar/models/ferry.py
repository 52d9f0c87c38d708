"""The ferry: wolves, goats and cabbages are to cross a river, and what is left alone with its eater is eaten.

Eating has priority: as long as somebody can be eaten nothing else happens. What is eaten is deleted.
"""

from __future__ import annotations

from itertools import pairwise, product

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import ISO, Model, grammar, rule, table


def make(*, wolves: int, goats: int, cabbages: int, iso: bool) -> Grammar:
    """The model with these options."""
    rules = [_cross(), _carry(), _eat(), _all_across()]
    return grammar("ferry", _start(wolves, goats, cabbages), rules, iso=iso)


def _start(*counts: int) -> Graph:
    """All are on the left bank."""
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
    for item in (item for each in kinds for item in each):
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
    graph.edge(boat, "del:at", here)
    graph.edge(boat, "new:at", there)
    return graph


def _carry() -> Graph:
    """The boat crosses with one item."""
    graph = _cross()
    graph.name = "carry"
    _, here, there = graph.nodes
    item = graph.node("type:Item", at=(380, 120))
    graph.edge(item, "del:at", here)
    graph.edge(item, "new:at", there)
    return graph


def _eat() -> Graph:
    """On the bank where the boat is not one item eats another."""
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
    """Everything that has not been eaten is on the goal's bank."""
    graph = rule("allAcross")
    bank = graph.node("type:Bank", "flag:goal", at=(60, 60))
    every = graph.node("forall:", at=(380, 60))
    there = graph.node("exists=e:", at=(380, 160))
    item = graph.node("type:Item", at=(220, 120))
    graph.edge(there, "in", every)
    graph.edge(item, "@", every)
    graph.edge(item, "use=e:at", bank)
    return graph


FERRY = Model(
    "ferry",
    "wolf, goat and cabbage cross a river: deletes what is eaten, by priority",
    table(
        Option("wolves", 1, "wolves, which eat goats", 0, 9),
        Option("goats", 1, "goats, which eat cabbages", 0, 9),
        Option("cabbages", 1, "cabbages", 0, 9),
        ISO,
    ),
    make,
)
