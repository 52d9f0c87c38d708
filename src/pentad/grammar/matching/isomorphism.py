"""Graph isomorphism by colour refinement and backtracking search, and isomorphism classes.

Colours of nodes are refined until they are stable. Graphs with different colours are not isomorphic; for equal colours
a search for a mapping decides, which the colours make short.

To find its class, a graph is first looked up by a sketch, an incremental hash updated by the difference from the
previous graph. Graphs with a common predecessor are then compared by their difference; colour refinement of all nodes
is the last resort.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from pentad.grammar.host import Triple, World, bits

MASK = (1 << 60) - 1
MAX_CACHED_BASES = 64
MOVED, DIFFERS = 4, 40  # most nodes and edges in the difference of graphs that are compared by it
Neighbours = list[tuple[int, int]]  # an edge's label and direction are a number; a node's place follows


class ComparedGraph(NamedTuple):
    """A graph prepared for comparison: its nodes in places from 0, their edges, and their colours."""

    nodes: tuple[int, ...]
    around: tuple[Neighbours, ...]
    colours: tuple[int, ...]
    certificate: int


def refined(colours: Sequence[int], around: Sequence[Neighbours]) -> list[int]:
    """Refines colours by the neighbours of each node until they are stable.

    Only neighbours of recoloured nodes are visited again: all other nodes of a colour still have equal neighbourhoods.
    Every decision depends on colours only, so that isomorphic graphs get the same colours.
    """
    now = list(colours)
    members = dict(Counter(now))  # number of nodes per colour
    touched: Iterable[int] = range(len(now))
    while touched:
        parts: dict[int, dict[int, list[int]]] = {}  # the keys are the colour and the refined colour
        for node in touched:
            colour = now[node]
            if members[colour] > 1:
                near = sum([hash((label, now[other])) for label, other in around[node]]) & MASK
                parts.setdefault(colour, {}).setdefault(hash((colour, near)), []).append(node)
        changed: list[int] = []
        for colour, finer in parts.items():
            kept = size_that_keeps_colour(finer, members[colour])
            for new, nodes in finer.items():
                if len(nodes) == kept:
                    continue
                for node in nodes:
                    now[node] = new
                members[colour] -= len(nodes)
                members[new] = members.get(new, 0) + len(nodes)
                changed += nodes
        touched = {other for node in changed for _, other in around[node]}
    return now


def size_that_keeps_colour(finer: Mapping[int, list[int]], count: int) -> int:
    """The size of the part that keeps the old colour; -1 if there is none.

    Nodes that were not visited keep it, if any; otherwise the largest part does, if it is unique.
    """
    sizes = sorted(map(len, finer.values()))
    if sum(sizes) < count or (len(sizes) > 1 and sizes[-1] == sizes[-2]):
        return -1
    return sizes[-1]


class Base(NamedTuple):
    """The common part of graphs that differ in changing edges only: nodes, their places and neighbours."""

    nodes: list[int]
    place: dict[int, int]
    around: list[Neighbours]
    colours: list[int]


class Sketch:
    """An isomorphism-invariant hash of graphs of one world, updated by the difference from the previous graph.

    It corresponds to one round of colour refinement: how many nodes have which edges. A graph with a unique hash needs
    no further comparison.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._labels: dict[str, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._edges = self._sum = 0
        self._near: dict[int, int] = {}  # sum of the hashes of a node's edges

    def of(self, nodes: int, edges: int) -> int:
        changed = edges ^ self._edges
        if changed.bit_count() > edges.bit_count():
            self._clear()
            changed = edges
        values, every, before = self.world.values, self.world.edges, self._edges
        for number in bits(changed):
            source, label, target = every[number]
            kind = self._labels.setdefault(label, 3 * len(self._labels) + 3)
            sign = -1 if before >> number & 1 else 1
            if source == target:
                self._add(source, sign * hash((kind,)))
            elif target in values:
                self._add(source, sign * hash((kind, target)))  # a value is the same node in every graph
            else:
                self._add(source, sign * hash((kind + 1,)))
                self._add(target, sign * hash((kind + 2,)))
        self._edges = edges
        return hash((self._sum, nodes.bit_count()))

    def _add(self, node: int, what: int) -> None:
        before = self._near.get(node, 0)
        after = before + what
        self._sum += hash((after, 1)) - hash((before, 1))
        if after:
            self._near[node] = after
        else:
            self._near.pop(node, None)


# The nodes and edges of a graph, and its marks: nodes or values, distinguished by position.
Marked = tuple[int, int, Sequence[Hashable]]


def differ_in_new_nodes_only(world: World, one: Marked, other: Marked) -> bool:
    """Whether two graphs are isomorphic by a mapping that fixes all common nodes.

    Only the difference is examined, so that isomorphic graphs with a common predecessor are recognised quickly.
    """
    mine, theirs = one[0] & ~other[0], other[0] & ~one[0]
    left, right = one[1] & ~other[1], other[1] & ~one[1]
    count = mine.bit_count()
    if count != theirs.bit_count() or count > MOVED or max(left.bit_count(), right.bit_count()) > DIFFERS:
        return False
    wanted = sorted(world.edges[number] for number in bits(right))
    edges = [world.edges[number] for number in bits(left)]
    nodes = list(bits(mine))
    for images in permutations(bits(theirs)):
        to = dict(zip(nodes, images, strict=True))
        moved = sorted(Triple(to.get(a, a), label, to.get(b, b)) for a, label, b in edges)
        if moved == wanted and [to.get(mark, mark) if isinstance(mark, int) else mark for mark in one[2]] == [
            *other[2]
        ]:
            return True
    return False


class Shapes:
    """Compares graphs of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._labels: dict[str, int] = {}
        self._bases: dict[tuple[int, int], Base] = {}

    def shape(self, nodes: int, edges: int, marks: Sequence[Hashable] = ()) -> ComparedGraph:
        """The shape of a graph; `marks` are nodes that are distinguished by their position among the marks."""
        fixed = edges & self.world.fixed_edges
        base = self._bases.get((nodes, fixed))
        if base is None:
            empty = Base([], {}, [], [])
            base = self._extended(empty, nodes, fixed)
            base = base._replace(colours=refined(base.colours, base.around))
            if self.world.fixed_edges:
                if len(self._bases) >= MAX_CACHED_BASES:
                    self._bases.clear()
                self._bases[nodes, fixed] = base
        here = self._extended(base, nodes, edges ^ fixed)
        for number, mark in enumerate(marks):
            if isinstance(mark, int) and mark in here.place:
                at = here.place[mark]
                here.colours[at] = hash((here.colours[at], number, -1))
        colours = refined(here.colours, here.around)
        return ComparedGraph(tuple(here.nodes), tuple(here.around), tuple(colours), hash(tuple(sorted(colours))))

    def _extended(self, base: Base, nodes: int, edges: int) -> Base:
        """A base extended by edges, by the values among their ends, and by the colours that loops give."""
        here, place, around = list(base.nodes), dict(base.place), list(base.around)
        colours, own = list(base.colours), set[int]()  # the nodes whose lists are not shared with the base
        if not here:
            here = list(bits(nodes))
            place = {node: i for i, node in enumerate(here)}
            around, colours, own = [[] for _ in here], [1] * len(here), set(range(len(here)))
        every, labels = self.world.edges, self._labels
        for number in bits(edges):
            source, label, target = every[number]
            kind = labels.setdefault(label, 2 * len(labels) + 2)
            one, other = place[source], place.get(target, -1)
            if other < 0:
                other = place[target] = len(here)
                here.append(target)
                own.add(other)
                around.append([])
                colours.append(hash((target, 2)))  # a value is the same node in every graph
            if one == other:
                colours[one] += hash((kind, 0))
                continue
            for at in (one, other):
                if at not in own:
                    own.add(at)
                    around[at] = list(around[at])
            around[one].append((kind, other))
            around[other].append((kind + 1, one))
        return Base(here, place, around, colours)

    def same(self, one: ComparedGraph, other: ComparedGraph) -> bool:
        """Whether two graphs with one certificate are isomorphic."""
        return next(iter(mappings(one, other)), None) is not None


def mappings(one: ComparedGraph, other: ComparedGraph) -> Iterable[list[int]]:
    """The isomorphisms from one graph to another, by places."""
    if sorted(one.colours) != sorted(other.colours):
        return
    of_colour: dict[int, list[int]] = {}
    for place, colour in enumerate(other.colours):
        of_colour.setdefault(colour, []).append(place)
    if len(of_colour) == len(other.colours):  # all colours are distinct
        image = [of_colour[colour][0] for colour in one.colours]
        if _has_as_many(one, other, image):
            yield image
        return
    order = _order(one, of_colour)
    edges = [frozenset(near) for near in other.around]
    has_copies = any(len(mine) < len(near) for mine, near in zip(edges, other.around, strict=True))
    image = [-1] * len(one.nodes)
    used = [False] * len(one.nodes)
    stack = [iter(of_colour[one.colours[order[0]]])]
    while stack:
        depth = len(stack) - 1
        at = order[depth]
        if image[at] >= 0:
            used[image[at]] = False
            image[at] = -1
        for candidate in stack[-1]:
            if used[candidate]:
                continue
            if len(one.around[at]) != len(other.around[candidate]):
                continue
            if all(image[near] < 0 or (label, image[near]) in edges[candidate] for label, near in one.around[at]):
                image[at] = candidate
                used[candidate] = True
                break
        else:
            stack.pop()
            continue
        if depth + 1 == len(order):
            if not has_copies or _has_as_many(one, other, image):
                yield list(image)
        else:
            stack.append(iter(of_colour[one.colours[order[depth + 1]]]))


def _has_as_many(one: ComparedGraph, other: ComparedGraph, image: Sequence[int]) -> bool:
    """Whether each edge has as many copies as its image."""
    for at, near in enumerate(one.around):
        there = other.around[image[at]]
        if len(near) != len(there) or sorted([(label, image[end]) for label, end in near]) != sorted(there):
            return False
    return True


def _order(shape: ComparedGraph, of_colour: dict[int, list[int]]) -> list[int]:
    """The order in which nodes are mapped: rare colours first, each followed by its neighbours."""
    order: list[int] = []
    taken = [False] * len(shape.nodes)
    rest = sorted(range(len(shape.nodes)), key=lambda each: len(of_colour[shape.colours[each]]))
    for first in rest:
        queue = [first]
        while queue:
            at = queue.pop(0)
            if taken[at]:
                continue
            taken[at] = True
            order.append(at)
            near = {other for _, other in shape.around[at] if not taken[other]}
            queue += sorted(near, key=lambda each: (len(of_colour[shape.colours[each]]), each))
    return order


MAX_CACHED_SHAPES = 20_000


class IsomorphismClasses:
    """Graphs of a world, one per isomorphism class, by number."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sketch, self._shapes = Sketch(world), Shapes(world)
        self._graphs: dict[int, Marked] = {}
        self._alone: dict[Hashable, int] = {}  # the only graph with a sketch; -1 where there are more
        self._last: dict[Hashable, int] = {}  # the last graph with a sketch
        self._classes: dict[Hashable, list[int]] = {}  # graphs by the certificates of their shapes
        self._kept: dict[int, ComparedGraph] = {}

    def number(self, graph: Marked, place: Hashable, new: int) -> int:
        """Returns the number of the isomorphic known graph with an equal place, or the new number if there is none."""
        nodes, edges, marks = graph
        place = place, tuple(mark if not isinstance(mark, int) else "" for mark in marks)
        sketch = self._sketch.of(nodes, edges), place
        alone = self._alone.setdefault(sketch, new)
        if alone != new:
            last = self._last[sketch]
            if differ_in_new_nodes_only(self.world, self._graphs[last], graph):
                return last
            if alone >= 0:
                self._alone[sketch] = -1
                self._class_of(self._shape(alone), place).append(alone)
            shape = self._shapes.shape(*graph)
            known = self._class_of(shape, place)
            for other in known:
                if self._shapes.same(self._shape(other), shape):
                    return other
            known.append(new)
            self._keep(new, shape)
        self._last[sketch] = new
        self._graphs[new] = graph
        return new

    def _class_of(self, shape: ComparedGraph, place: Hashable) -> list[int]:
        return self._classes.setdefault((shape.certificate, place), [])

    def _keep(self, number: int, shape: ComparedGraph) -> None:
        if len(self._kept) >= MAX_CACHED_SHAPES:
            self._kept.clear()
        self._kept[number] = shape

    def _shape(self, number: int) -> ComparedGraph:
        shape = self._kept.get(number)
        if shape is None:
            shape = self._shapes.shape(*self._graphs[number])
            self._keep(number, shape)
        return shape
