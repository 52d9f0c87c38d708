"""Graphs that are alike: which of those seen before one is isomorphic to, without a look at all of it if that can be.

A graph is first told by a sketch, which is kept up by what differs from the graph before. Graphs that come of one and
the same are then compared by what differs between them; only where that does not tell are all nodes coloured.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from pentad.grammar.matching.colour_refinement import Shape, Shapes, Sketch, same_but_new
from pentad.grammar.matching.host import World

KEPT = 20_000  # shapes that are kept for the next comparison


class Compared(NamedTuple):
    """A graph, the marks that are told apart by their places (nodes or values), and what must be equal besides."""

    nodes: int
    edges: int
    marks: tuple[Hashable, ...] = ()
    place: Hashable = None


class Alike:
    """The graphs of a world that were seen, by number, each of another class of isomorphic ones."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sketch, self._shapes = Sketch(world), Shapes(world)
        self._graphs: dict[int, Compared] = {}
        self._alone: dict[Hashable, int] = {}  # the only graph with a sketch; -1 where there are more
        self._last: dict[Hashable, int] = {}  # the last graph with a sketch
        self._classes: dict[Hashable, list[int]] = {}  # graphs by the certificates of their shapes
        self._kept: dict[int, Shape] = {}

    def number(self, graph: Compared, new: int) -> int:
        """The number of the graph that this one is isomorphic to; it gets the new number where there is none."""
        place = graph.place, tuple(mark if not isinstance(mark, int) else "" for mark in graph.marks)
        sketch = self._sketch.of(graph.nodes, graph.edges), place
        alone = self._alone.setdefault(sketch, new)
        if alone != new:
            last = self._last[sketch]
            if same_but_new(self.world, self._graphs[last][:3], graph[:3]):
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
