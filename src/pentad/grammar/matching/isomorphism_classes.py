"""Isomorphism classes of graphs, with quick tests before the full comparison.

A graph is first looked up by a sketch, an incremental hash updated by the difference from the previous graph. Graphs
with a common predecessor are then compared by their difference; colour refinement of all nodes is the last resort.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from pentad.grammar.matching.colour_refinement import Shape, Shapes, Sketch, differ_in_new_nodes_only
from pentad.grammar.matching.host import World

KEPT = 20_000  # cached shapes


class Compared(NamedTuple):
    """A graph, its marks (nodes or values, distinguished by position), and a key that must be equal."""

    nodes: int
    edges: int
    marks: tuple[Hashable, ...] = ()
    place: Hashable = None


class IsomorphismClasses:
    """Graphs of a world, one per isomorphism class, by number."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sketch, self._shapes = Sketch(world), Shapes(world)
        self._graphs: dict[int, Compared] = {}
        self._alone: dict[Hashable, int] = {}  # the only graph with a sketch; -1 where there are more
        self._last: dict[Hashable, int] = {}  # the last graph with a sketch
        self._classes: dict[Hashable, list[int]] = {}  # graphs by the certificates of their shapes
        self._kept: dict[int, Shape] = {}

    def number(self, graph: Compared, new: int) -> int:
        """Returns the number of the isomorphic known graph, or the new number if there is none."""
        place = graph.place, tuple(mark if not isinstance(mark, int) else "" for mark in graph.marks)
        sketch = self._sketch.of(graph.nodes, graph.edges), place
        alone = self._alone.setdefault(sketch, new)
        if alone != new:
            last = self._last[sketch]
            if differ_in_new_nodes_only(self.world, self._graphs[last][:3], graph[:3]):
                return last
            if alone >= 0:
                self._alone[sketch] = -1
                self._class_of(self._shape(alone), place).append(alone)
            shape = self._shapes.shape(*graph[:3])
            known = self._class_of(shape, place)
            for other in known:
                if self._shapes.same(self._shape(other), shape):
                    return other
            known.append(new)
            self._keep(new, shape)
        self._last[sketch] = new
        self._graphs[new] = graph
        return new

    def _class_of(self, shape: Shape, place: Hashable) -> list[int]:
        return self._classes.setdefault((shape.certificate, place), [])

    def _keep(self, number: int, shape: Shape) -> None:
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[number] = shape

    def _shape(self, number: int) -> Shape:
        shape = self._kept.get(number)
        if shape is None:
            shape = self._shapes.shape(*self._graphs[number][:3])
            self._keep(number, shape)
        return shape
