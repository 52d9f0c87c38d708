"""Appending to a list by several calls at once: each walks along it and puts its value at the end, unless it is there.

Cells are created and calls deleted; values are attributes.
"""

from __future__ import annotations

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import ISO, Model, grammar, rule, table


def make(*, cells: int, calls: int, iso: bool) -> Grammar:
    """A list of the values 1, 2, …; the first call brings its last value once more, the others bring new ones."""
    return grammar("append", _start(cells, calls), [_walk(), _append(), _found()], iso=iso)


def _start(cells: int, calls: int) -> Graph:
    graph = Graph("start")
    listed = [graph.node("type:Cell", f"let:value = {i + 1}", at=(60 + 120 * i, 60)) for i in range(cells)]
    graph.chain("next", listed)
    for i in range(calls):
        call = graph.node("type:Call", f"let:value = {cells + i}", at=(60 + 120 * i, 200))
        graph.edge(call, "at", listed[0])
    return graph


def _walk() -> Graph:
    """A call goes on from a cell that has not its value."""
    graph = rule("walk")
    call, cell, value = _call(graph)
    following = graph.node("type:Cell", at=(380, 60))
    graph.edge(cell, "next", following)
    graph.edge(cell, "not:value", value)
    graph.edge(call, "del:at", cell)
    graph.edge(call, "new:at", following)
    return graph


def _append() -> Graph:
    """At the last cell the value is put behind it, and the call is over."""
    graph = rule("append")
    call, cell, value = _call(graph, "del:")
    following = graph.node("not:", "type:Cell", at=(380, 20))
    new = graph.node("new:", "type:Cell", at=(380, 120))
    graph.edge(call, "at", cell)
    graph.edge(cell, "next", following)
    graph.edge(cell, "not:value", value)
    graph.edge(cell, "new:next", new)
    graph.edge(new, "value", value)
    return graph


def _found() -> Graph:
    """The value is there already, and the call is over."""
    graph = rule("found")
    call, cell, value = _call(graph, "del:")
    graph.edge(call, "at", cell)
    graph.edge(cell, "value", value)
    return graph


def _call(graph: Graph, *says: str) -> tuple[str, str, str]:
    """A call with its value, and the cell where it is; the edge between them is left to the rule."""
    call = graph.node(*says, "type:Call", at=(60, 180))
    cell = graph.node("type:Cell", at=(220, 60))
    value = graph.node("int:", at=(220, 180))
    graph.edge(call, "value", value)
    return call, cell, value


APPEND = Model(
    "append",
    "calls walk along a list and append at its end: creates cells, deletes calls",
    table(
        Option("cells", 3, "cells at the beginning", 1, 30),
        Option("calls", 2, "calls at once", 1, 30),
        ISO,
    ),
    make,
)
