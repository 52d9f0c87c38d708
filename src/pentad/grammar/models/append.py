"""Concurrent calls that append values to a linked list, as a graph grammar.

Each call walks along the list and appends its value unless the list has it already. Rules create cells and delete
calls; values are attributes.
"""

from __future__ import annotations

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import grammar, model, rule


def make(*, cells: int, calls: int, iso: bool) -> Grammar:
    """Returns the grammar: a list of 1, 2, …; the first call has the list's last value, the others have new ones."""
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
    """A call moves on from a cell that does not have its value."""
    graph = rule("walk")
    call, cell, value = _call(graph)
    following = graph.node("type:Cell", at=(380, 60))
    graph.edge(cell, "next", following)
    graph.edge(cell, "not:value", value)
    graph.move(call, "at", cell, following)
    return graph


def _append() -> Graph:
    """At the last cell, a call appends a cell with its value and ends."""
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
    """A call finds its value in the list and ends."""
    graph = rule("found")
    call, cell, value = _call(graph, "del:")
    graph.edge(call, "at", cell)
    graph.edge(cell, "value", value)
    return graph


def _call(graph: Graph, *labels: str) -> tuple[str, str, str]:
    """Adds a call, its value and its cell; the caller adds the edge from the call to the cell."""
    call = graph.node(*labels, "type:Call", at=(60, 180))
    cell = graph.node("type:Cell", at=(220, 60))
    value = graph.node("int:", at=(220, 180))
    graph.edge(call, "value", value)
    return call, cell, value


APPEND = model(
    "append",
    "concurrent calls append to a linked list: node creation and deletion",
    make,
    Option("cells", 3, "cells in the list at the start", 1, 30),
    Option("calls", 2, "number of concurrent calls", 1, 30),
    title="Appending to a list",
)
