"""Colours, mappings and isomorphism classes of graphs of a few nodes, against all permutations of the nodes."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pentad.grammar.host import World, bits, mask_of
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.matching import isomorphism
from pentad.grammar.matching.isomorphism import (
    ComparedGraph,
    IsomorphismClasses,
    Shapes,
    Sketch,
    differ_in_new_nodes_only,
    mappings,
    refined,
    size_that_keeps_colour,
)
from tests.grammar.matching.small_hosts import graphs
from tests.properties import properties

NODES = 5


def world_of(nodes=NODES, values=()):
    """A world with nodes, and with nodes for values after them."""
    world = World()
    for _ in range(nodes):
        world.new_node()
    for each in values:
        world.value(AttributeValue("int", each))
    return world


def drawn(world, nodes, triples, marks=()):
    """A graph of a world: its nodes, its edges (several copies of those that occur several times), and its marks."""
    numbers = []
    for triple, copies in Counter(triples).items():
        world.edge(*triple)
        known = list(bits(world.copies.get(triple, 1 << world.number[triple])))
        known += [world.copy(*triple) for _ in range(copies - len(known))]
        numbers += known[:copies]
    return mask_of(nodes), mask_of(numbers), tuple(marks)


def isomorphisms(world, one, other):
    """All mappings of the nodes that keep edges and marks, by trying every permutation."""
    edges = [sorted(world.edges[number] for number in bits(each[1])) for each in (one, other)]
    mine, theirs = list(bits(one[0])), list(bits(other[0]))
    found = []
    for images in permutations(theirs, len(mine)) if len(mine) == len(theirs) else ():
        to = dict(zip(mine, images, strict=True))
        moved = sorted((to.get(a, a), label, to.get(b, b)) for a, label, b in edges[0])
        if moved == edges[1] and [to.get(mark, mark) for mark in one[2]] == list(other[2]):
            found.append(to)
    return found


@st.composite
def pairs(draw):
    """Two graphs of a world, on some of its nodes: the second is often the first with other nodes."""
    count, edges = draw(graphs(nodes=4, edges=5))
    edges += draw(st.lists(st.sampled_from(edges), max_size=2)) if edges else []
    nodes = draw(st.permutations(range(NODES)))[:count]
    if draw(st.booleans()):
        other = [each for each in draw(graphs(nodes=4, edges=5))[1] if max(each[0], each[2]) < count]
    else:
        other = edges
    images = draw(st.permutations(range(NODES)))[:count]
    return (
        (nodes, [(nodes[a], label, nodes[b]) for a, label, b in edges], nodes[:1]),
        (images, [(images[a], label, images[b]) for a, label, b in other], images[:1]),
    )


@properties(300)
@given(pairs(), st.booleans())
def test_the_mappings_are_all_isomorphisms(pair, is_marked):
    world = world_of()
    one, other = (drawn(world, nodes, edges, marks if is_marked else ()) for nodes, edges, marks in pair)
    shapes = Shapes(world)
    mine, theirs = shapes.shape(*one), shapes.shape(*other)
    expected = isomorphisms(world, one, other)
    found = [
        {mine.nodes[place]: theirs.nodes[image] for place, image in enumerate(each)} for each in mappings(mine, theirs)
    ]
    assert sorted(sorted(each.items()) for each in found) == sorted(sorted(each.items()) for each in expected)
    assert shapes.same(mine, theirs) is bool(expected)
    if expected:
        assert mine.certificate == theirs.certificate


@properties(200)
@given(pairs())
def test_a_difference_is_of_new_nodes_if_a_mapping_keeps_all_common_nodes(pair):
    world = world_of()
    one, other = (drawn(world, *each) for each in pair)
    common = set(bits(one[0] & other[0]))
    expected = any(all(to[node] == node for node in common) for to in isomorphisms(world, one, other))
    assert differ_in_new_nodes_only(world, one, other) is expected


def test_a_large_difference_is_not_examined():
    world = world_of(12)
    small = [drawn(world, range(first, first + 4), ()) for first in (0, 4)]
    assert differ_in_new_nodes_only(world, *small)
    large = [drawn(world, range(first, first + 5), ()) for first in (0, 5)]
    assert not differ_in_new_nodes_only(world, *large)
    for count, is_examined in ((isomorphism.DIFFERS, True), (isomorphism.DIFFERS + 1, False)):
        one, other = (drawn(world, (node,), [(node, f"l{i}", node) for i in range(count)]) for node in (0, 1))
        assert differ_in_new_nodes_only(world, one, other) is is_examined


def test_values_are_themselves_and_marks_may_be_values():
    world = world_of(2, values=(7, 8))
    seven, eight = 2, 3
    one, other = drawn(world, [0], [(0, "n", seven)], [0, seven]), drawn(world, [1], [(1, "n", seven)], [1, seven])
    third = drawn(world, [1], [(1, "n", eight)], [1, eight])
    assert differ_in_new_nodes_only(world, one, other)
    assert not differ_in_new_nodes_only(world, one, third)
    assert not differ_in_new_nodes_only(world, one, (*other[:2], (1, eight)))
    assert not differ_in_new_nodes_only(world, one, (*other[:2], (1, "seven")))
    shapes = Shapes(world)
    assert shapes.same(shapes.shape(*one), shapes.shape(*other))
    assert not shapes.same(shapes.shape(*one), shapes.shape(*third))


# ── colours ──────────────────────────────────────────────────────────────────────────────────────


def test_colours_are_refined_until_neighbours_agree():
    """A path of five nodes has three colours: its ends, those beside them, and the middle."""
    path = [[(0, other) for other in (node - 1, node + 1) if 0 <= other < 5] for node in range(5)]
    ends, beside, middle, again, last = refined([1] * 5, path)
    assert (ends, beside) == (last, again)
    assert len({ends, beside, middle}) == 3
    ring = [[(0, (node + step) % 5) for step in (1, 4)] for node in range(5)]
    assert refined([1] * 5, ring) == [1] * 5
    assert refined([1, 2], [[(0, 1)], [(0, 0)]]) == [1, 2]


@pytest.mark.parametrize(
    ("sizes", "count", "kept"),
    [((1, 2), 3, 2), ((2,), 2, 2), ((1, 2), 4, -1), ((2, 2), 4, -1), ((1, 2, 2), 5, -1), ((1, 1, 2), 4, 2)],
)
def test_the_largest_part_keeps_a_colour_if_it_is_unique_and_no_node_was_left_out(sizes, count, kept):
    assert size_that_keeps_colour({place: [0] * size for place, size in enumerate(sizes)}, count) == kept


def test_graphs_with_fixed_edges_have_a_cached_base(monkeypatch):
    world = world_of(3)
    fixed = [(0, "a", 1), (1, "a", 2)]
    drawn(world, range(3), fixed)
    world.fix(frozenset("b"))
    shapes = Shapes(world)
    by_end = {node: shapes.shape(*drawn(world, range(3), [*fixed, (node, "b", node)])) for node in (0, 2)}
    again = shapes.shape(*drawn(world, range(3), [*fixed, (0, "b", 0)]))
    assert len(shapes._bases) == 1
    assert again == by_end[0]
    assert not shapes.same(by_end[0], by_end[2])
    shapes.shape(*drawn(world, range(2), [(0, "b", 1), *fixed[:1]]))
    assert len(shapes._bases) == 2
    monkeypatch.setattr(isomorphism, "MAX_CACHED_BASES", 2)
    shapes.shape(*drawn(world, range(2), fixed[:0]))
    assert len(shapes._bases) == 1


def test_a_world_without_fixed_edges_caches_no_base():
    world = world_of()
    shapes = Shapes(world)
    shapes.shape(*drawn(world, [0, 1], [(0, "a", 1)]))
    assert shapes._bases == {}


@pytest.mark.parametrize("alone", [(), (2, 3)])
def test_edges_between_nodes_of_colours_of_their_own_have_as_many_copies(alone):
    """Such nodes are not refined; two more, which are alike, take another way to a mapping."""
    world = world_of()
    shapes = Shapes(world)
    nodes, loops = (0, 1, *alone), [(0, "f", 0), (1, "g", 1)]
    once, twice = (shapes.shape(*drawn(world, nodes, [*loops, *[(0, "a", 1)] * copies])) for copies in (1, 2))
    assert once.certificate == twice.certificate
    assert not shapes.same(once, twice)
    assert not shapes.same(twice, once)
    assert shapes.same(twice, twice)
    for one, other in (("a", "b"), ("aab", "abb")):
        mine, theirs = (
            shapes.shape(*drawn(world, nodes, [*loops, *((0, label, 1) for label in labels)]))
            for labels in (one, other)
        )
        assert not shapes.same(mine, theirs)
        assert shapes.same(mine, mine)


def test_a_graph_without_nodes_has_one_mapping():
    empty = ComparedGraph((), (), (), 0)
    assert list(mappings(empty, empty)) == [[]]


# ── sketches ─────────────────────────────────────────────────────────────────────────────────────


@properties(150)
@given(st.lists(graphs(nodes=4, edges=7), min_size=1, max_size=6))
def test_a_sketch_by_differences_is_that_of_the_graph_alone(sequence):
    world = world_of(4, values=(7,))
    sketch = Sketch(world)
    for count, edges in sequence:
        # An edge to the last node leads to a value instead.
        triples = [(a, label, 4 if b == 3 else b) for a, label, b in edges]
        nodes, numbers, _ = drawn(world, range(count), triples)
        alone = Sketch(world)
        alone._labels = dict(sketch._labels)
        assert sketch.of(nodes, numbers) == alone.of(nodes, numbers)


@properties(200)
@given(pairs())
def test_isomorphic_graphs_have_one_sketch(pair):
    world = world_of()
    one, other = (drawn(world, nodes, edges) for nodes, edges, _ in pair)
    sketch = Sketch(world)
    if isomorphisms(world, one, other):
        assert sketch.of(*one[:2]) == sketch.of(*other[:2])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([(0, "a", 0)], [(0, "b", 0)]),
        ([(0, "a", 1)], [(0, "b", 1)]),
        ([(0, "a", 1)], [(0, "a", 0)]),
        ([(0, "a", 1), (0, "a", 2)], [(0, "a", 1), (2, "a", 1)]),  # one source, or one target
        ([(0, "a", 3)], [(0, "a", 4)]),  # they lead to two values
        ([(0, "a", 3)], [(0, "a", 1)]),
        ([], [(0, "a", 1)]),
        ([(0, "a", 1), (2, "a", 1)], [(0, "a", 1), (1, "a", 2)]),
    ],
)
def test_a_sketch_counts_the_edges_of_each_node_by_label_and_direction(one, other):
    world = world_of(3, values=(7, 8))
    sketch = Sketch(world)
    assert sketch.of(*drawn(world, range(3), one)[:2]) != sketch.of(*drawn(world, range(3), other)[:2])


def test_a_sketch_counts_nodes():
    sketch = Sketch(world_of())
    assert sketch.of(0b1, 0) != sketch.of(0b11, 0)


# ── classes ──────────────────────────────────────────────────────────────────────────────────────


@properties(60)
@given(st.lists(st.tuples(pairs(), st.sampled_from("pq")), min_size=1, max_size=6))
@example([((((0, 1), [(0, "a", 1)], ()), ((1, 0), [(1, "a", 0)], ())), "p")] * 2)
def test_the_number_of_a_graph_is_that_of_the_first_isomorphic_one_at_its_place(sequence):
    world, known = world_of(), []
    classes = IsomorphismClasses(world)
    for each, place in [(graph, place) for pair, place in sequence for graph in pair]:
        graph = drawn(world, *each)
        new = len(known)
        expected = next(
            (number for number, (other, at) in enumerate(known) if at == place and isomorphisms(world, other, graph)),
            new,
        )
        number = classes.number(graph, place, new)
        first = next((n for n, (other, at) in enumerate(known) if n == number), None)
        if expected == new:
            assert number == new
            known.append((graph, place))
        else:
            assert first == number
            assert known[number][1] == place
            assert isomorphisms(world, known[number][0], graph)


def test_values_among_the_marks_are_part_of_the_place():
    world = world_of()
    classes = IsomorphismClasses(world)
    graph = drawn(world, [0], [])
    assert classes.number((*graph[:2], ("seven",)), "p", 0) == 0
    assert classes.number((*graph[:2], ("eight",)), "p", 1) == 1
    assert classes.number((*drawn(world, [1], [])[:2], ("seven",)), "p", 2) == 0
    assert classes.number((*graph[:2], (0,)), "p", 3) == 3
    assert classes.number((*drawn(world, [1], [])[:2], (1,)), "p", 4) == 3


def ring(first, *turns):
    """A ring of nodes from the first on; each turn says whether an edge leads backwards."""
    nodes = [first + place for place in range(len(turns))]
    ends = zip(nodes, [*nodes[1:], first], strict=True)
    return nodes, [(b, "a", a) if turned else (a, "a", b) for (a, b), turned in zip(ends, turns, strict=True)]


def test_graphs_with_one_sketch_are_told_by_their_shapes(monkeypatch):
    """Two rings of three nodes and one of six look the same to each node; so do two of six and others."""
    monkeypatch.setattr(isomorphism, "MAX_CACHED_SHAPES", 1)
    world = world_of(24)
    classes = IsomorphismClasses(world)

    def two_rings(first):
        nodes, edges = zip(ring(first, 0, 0, 0), ring(first + 3, 0, 0, 0), strict=True)
        return drawn(world, [*nodes[0], *nodes[1]], [*edges[0], *edges[1]])

    def one_ring(first):
        return drawn(world, *ring(first, 0, 0, 0, 0, 0, 0))

    sketches = [Sketch(world).of(*each[:2]) for each in (two_rings(0), one_ring(0))]
    assert sketches[0] == sketches[1]
    assert classes.number(two_rings(0), "p", 0) == 0
    assert classes.number(one_ring(6), "p", 1) == 1
    assert classes.number(two_rings(12), "p", 2) == 0
    assert classes.number(one_ring(18), "p", 3) == 1
    assert classes.number(one_ring(0), "q", 4) == 4
    assert len(classes._kept) == 1


def test_a_class_has_graphs_of_its_own_place_alone():
    """After two graphs with one sketch at a place, the first graph of all is still at its own."""
    world = world_of(24)
    classes = IsomorphismClasses(world)
    pairs = [ring(first, 0, 0, 0) for first in range(0, 24, 3)]

    def two_rings(one, other):
        return drawn(world, pairs[one][0] + pairs[other][0], pairs[one][1] + pairs[other][1])

    assert classes.number(drawn(world, *ring(0, 0, 0, 0, 0, 0)), "p", 0) == 0
    assert classes.number(two_rings(0, 1), "q", 1) == 1
    assert classes.number(drawn(world, *ring(6, 0, 0, 0, 0, 0, 0)), "q", 2) == 2
    assert classes.number(two_rings(4, 5), "q", 3) == 1
    assert classes.number(drawn(world, *ring(5, 0, 0, 0, 0, 0)), "q", 4) == 4
    assert classes.number(drawn(world, *ring(10, 0, 0, 0, 0, 0)), "q", 5) == 4
