"""What rules do to a graph of a few nodes: the graph after each of their matches, in names."""

from __future__ import annotations

import pytest

from pentad.grammar.host import World, bits
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.matching.rule_effects import Effects, Merged
from pentad.grammar.system import prepare
from tests.grammar.small_grammars import made


def named(world, nodes, edges):
    """A graph in words: nodes without edges, and the edges; new nodes are called #, and copies are listed too."""

    def name(node):
        text = world.text(node)
        return text.removeprefix("int:") if node in world.values else "#" if text.startswith("#") else text

    triples = [world.edges[number] for number in bits(edges)]
    alone = {*bits(nodes)} - {end for a, _, b in triples for end in (a, b)}
    return sorted([*map(name, alone), *(" ".join((name(a), label, name(b))) for a, label, b in triples)])


def after(start, rule, types=(), **properties):
    """The graph after each match of a rule in a start graph, and the effects of the last one."""
    system = prepare(made(start, {"r": ("!", *rule)}, types=types, **properties))
    found = []
    for match in system.finders["r"].matches(system.host(system.nodes, system.edges)):
        nodes, edges = system.effects.apply(match, system.nodes, system.edges)
        assert edges < 1 << len(system.world.edges)
        assert not {*bits(nodes)} & system.world.values.keys()
        found.append(named(system.world, nodes, edges))
    return found


PATH = ("", "", "", ("n0", "a", "n1"), ("n1", "a", "n2"))
ALL = ("n1", "@", "n0")  # n0 is a quantifier, and n1 is in it
TYPES = (
    *("type:A abs:", "type:B", "type:C", "type:X", ("n1", "sub:", "n0"), ("n2", "sub:", "n1")),
    *(("n0", "e", "n3"), ("n0", "k", "n0")),
)
TYPED = ("type:B", "type:C", "type:X", ("n0", "e", "n2"), ("n1", "k", "n0"))


@pytest.mark.parametrize(
    ("start", "rule", "graphs"),
    [
        (PATH, ("", "", ("n0", "del:a", "n1"), ("n1", "new:b", "n0")), ["n1 a n2, n1 b n0", "n0 a n1, n2 b n1"]),
        (PATH, ("", "", ("n0", "del:a", "n1"), ("n0", "new:a", "n1")), ["n0 a n1, n1 a n2"]),
        (PATH, ("", "", ("n0", "del:?x", "n1"), ("n1", "new:?x", "n0")), ["n1 a n0, n1 a n2", "n0 a n1, n2 a n1"]),
        (("let:n=1",), ("", "int:2", ("n0", "new:m", "n1")), ["n0 m 2, n0 n 1"]),
    ],
)
def test_edges_are_deleted_and_created_and_what_is_both_stays(start, rule, graphs):
    assert [", ".join(each) for each in after(start, rule)] == graphs


@pytest.mark.parametrize(
    ("start", "rule", "graphs"),
    [
        (PATH, ("", "new:", "not:", ("n0", "new:b", "n1"), ("n0", "a", "n2")), ["n0 a n1, n1 a n2, n2 b #"]),
        (PATH, ("", "del:", ("n0", "a", "n1")), ["n0, n2", "n0 a n1"]),
        (("", ""), ("new:", "new:"), ["#, #, n0, n1"]),
    ],
)
def test_a_deleted_node_takes_its_edges_along(start, rule, graphs):
    assert [", ".join(each) for each in after(start, rule)] == graphs


@pytest.mark.parametrize(
    ("start", "rule", "graphs"),
    [
        (PATH, ("forall:", "", ALL, ("n1", "new:f", "n1")), ["n0 a n1, n0 f n0, n1 a n2, n1 f n1, n2 f n2"]),
        # A node is created for each match, then one for all of them.
        (
            PATH,
            ("forall:", "", "new:", ALL, ("n2", "@", "n0"), ("n1", "new:b", "n2")),
            ["n0 a n1, n0 b #, n1 a n2, n1 b #, n2 b #"],
        ),
        (
            PATH,
            ("forall:", "", "new:", ALL, ("n2", "new:b", "n1")),
            ["# b n0, # b n1, # b n2, n0 a n1, n1 a n2"],
        ),
        # Nodes with an a to themselves go, and with them the c that is created beside each b.
        (
            ("", "", "", ("n0", "a", "n0"), ("n0", "b", "n1"), ("n1", "b", "n2")),
            (
                *("forall:", "del:", "forall:", "", "", ALL, ("n1", "a", "n1")),
                *(("n3", "@", "n2"), ("n4", "@", "n2"), ("n3", "b", "n4"), ("n3", "new:c", "n4")),
            ),
            ["n1 b n2, n1 c n2"],
        ),
        # A new node of the inner level is joined with that of the outer level.
        (
            ("", ("n0", "a", "n0")),
            (
                *("forall:", "a", "forall:", "a", "new:", "new:", ALL, ("n2", "in", "n0"), ("n3", "@", "n2")),
                *(("n4", "@", "n0"), ("n5", "@", "n2"), ("n4", "new:b", "n5"), ("n1", "new:c", "n4")),
            ),
            ["# b #, n0 a n0, n0 c #"],
        ),
    ],
)
def test_quantifiers_act_once_for_each_match(start, rule, graphs):
    assert [", ".join(each) for each in after(start, rule)] == graphs


@pytest.mark.parametrize(
    ("rule", "graphs"),
    [
        (("", "", ("n0", "a", "n1"), ("n0", "new:=", "n1")), ["n0 a n0, n0 a n2", "n0 a n1, n1 a n1"]),
        (("", "", ("n0", "del:a", "n1"), ("n0", "new:=", "n1")), ["n0 a n2", "n0 a n1"]),
        (("", "", "del:", ("n0", "a", "n1"), ("n1", "a", "n2"), ("n0", "new:=", "n1")), ["n0 a n0"]),
        (
            ("", "", "", ("n0", "a", "n1"), ("n1", "a", "n2"), ("n0", "new:=", "n1"), ("n1", "new:b", "n2")),
            ["n0 a n0, n0 a n2, n0 b n2"],
        ),
        (
            ("", "", "", ("n0", "a", "n1"), ("n1", "a", "n2"), ("n0", "new:=", "n1"), ("n1", "new:=", "n2")),
            ["n0 a n0"],
        ),
        # n1 and n2 are merged, and n0 into both.
        (
            ("", "", "", ("n0", "a", "n1"), ("n1", "a", "n2"), ("n1", "new:=", "n2"), ("n2", "new:=", "n0")),
            ["n1 a n1"],
        ),
        # n1, which has an a from n0 and one to n2, goes with the node that it is merged into.
        (
            ("", "", "forall:", "del:", ("n3", "@", "n2"), ("n0", "a", "n1"), ("n0", "new:=", "n1"), ("n3", "a", "n1")),
            ["n2", "n0"],
        ),
    ],
)
def test_merged_nodes_share_the_edges_of_all(rule, graphs):
    assert [", ".join(each) for each in after(PATH, rule)] == graphs


FORK = ("x", "", "", ("n0", "e", "n2"), ("n1", "e", "n2"))


@pytest.mark.parametrize(
    ("more", "graph"),
    [
        ((), "n0 e n2, n0 x n0"),
        ((("n0", "del:e", "n2"),), "n0 x n0, n2"),  # the other e is moved onto the deleted one
        ((("n1", "del:e", "n2"),), "n0 e n2, n0 x n0"),
        ((("n0", "del:e", "n2"), ("n0", "new:e", "n2")), "n0 e n2, n0 x n0"),
        ((("n0", "del:e", "n2"), ("n1", "new:e", "n2")), "n0 x n0, n2"),
        ((("n1", "new:f", "n2"),), "n0 e n2, n0 f n2, n0 x n0"),
    ],
)
def test_an_edge_that_is_moved_onto_a_deleted_one_does_not_restore_it(more, graph):
    rule = ("x", "", "", ("n1", "e", "n2"), ("n0", "!=", "n1"), ("n0", "new:=", "n1"), *more)
    assert [", ".join(each) for each in after(FORK, rule)] == [graph]


def test_an_edge_that_one_node_loses_and_gets_stays_at_the_merged_node():
    """Both x are n0, whose e is deleted as that of the one and created as that of the other."""
    rule = (
        *("x", "", "", "x", ("n1", "e", "n2"), ("n0", "!=", "n1"), ("n0", "new:=", "n1")),
        *(("n0", "del:e", "n2"), ("n3", "new:e", "n2")),
    )
    assert after(FORK, rule) == [["n0 e n2", "n0 x n0"]]


def test_of_nodes_of_one_type_the_first_is_kept():
    start = ("type:X", "type:X", ("n0", "f", "n0"))
    rule = ("type:X f", "type:X", ("n0", "!=", "n1"), ("n0", "new:=", "n1"))
    types = ("type:X", ("n0", "f", "n0"))
    assert after(start, rule, types=types) == [["n0 f n0", "n0 type:X n0"]]
    rule = ("type:X f", "type:X", ("n0", "!=", "n1"), ("n1", "new:=", "n0"))
    assert after(start, rule, types=types) == [["n1 f n1", "n1 type:X n1"]]


def test_merged_nodes_keep_the_most_specific_type():
    rule = ("type:#B", "type:#C", ("n0", "new:=", "n1"))
    assert after(TYPED, rule, types=TYPES) == [["n1 e n2", "n1 k n1", "n1 type:C n1", "n2 type:X n2"]]


@pytest.mark.parametrize(
    ("start", "rule", "graphs"),
    [
        (("", "", ("n0", "e", "n1")), ("", "", ("n0", "e", "n1"), ("n0", "new:e", "n1")), ["n0 e n1, n0 e n1"]),
        (("", "", ("n0", "mult=2:e", "n1")), ("", "", ("n0", "del:e", "n1")), ["n0 e n1"] * 2),
        # There are as many copies as edges that are moved.
        (
            FORK,
            ("x", "", ("n0", "new:=", "n1")),
            ["n0 e n2, n0 x n0, n1 e n2", "n0 e n2, n0 e n2, n0 x n0", "n0 e n0, n0 x n0, n1 e n0"],
        ),
        (("",), ("", "new: type:T", ("n0", "new:e", "n1")), ["# type:T #, n0 e #"]),
        # Merged nodes have one edge for their type.
        (
            ("x type:T", "type:T"),
            ("x type:T", "type:T", ("n0", "!=", "n1"), ("n0", "new:=", "n1")),
            ["n0 type:T n0, n0 x n0"],
        ),
    ],
)
def test_parallel_edges_are_created_and_deleted_one_by_one(start, rule, graphs):
    assert [", ".join(each) for each in after(start, rule, parallelEdges="SPO")] == graphs


# ── nodes and edges of events ────────────────────────────────────────────────────────────────────


def test_an_event_gets_back_the_nodes_that_it_created_if_they_are_free():
    world = World()
    effects = Effects(world)
    assert effects.new_nodes("event", 2, 0) == ([0, 1], 2)
    assert effects.new_nodes("event", 2, 0) == ([0, 1], 2)
    assert effects.new_nodes("event", 2, 0b01) == ([1, 2], 3)
    assert effects.new_nodes("event", 1, 0, first=2) == ([2], 3)
    assert effects.new_nodes("other", 1, 0) == ([3], 1)
    assert effects.new_nodes("event", 0, 0) == ([], 0)


@pytest.mark.parametrize("parallel", ["", "SPO"])
def test_a_match_applied_again_leads_to_the_same_graph(parallel):
    system = prepare(made(("",), {"r": ("!", "", "new:", ("n0", "new:b", "n1"))}, parallelEdges=parallel))
    (match,) = system.finders["r"].matches(system.host(system.nodes, system.edges))
    once = system.effects.apply(match, system.nodes, system.edges)
    assert system.effects.apply(match, system.nodes, system.edges) == once
    twice = system.effects.apply(match, *once)
    assert named(system.world, *twice) == ["n0 b #", "n0 b #"]


def test_a_match_applied_again_creates_another_copy_of_an_edge():
    system = prepare(
        made(("", ""), {"r": ("!", "", "", ("n0", "new:b", "n1"), ("n0", "!=", "n1"))}, parallelEdges="SPO")
    )
    match = system.finders["r"].matches(system.host(system.nodes, system.edges))[0]
    graphs = [(system.nodes, system.edges)]
    for _ in range(3):
        graphs.append(system.effects.apply(match, *graphs[-1]))
    assert [len(named(system.world, *each)) for each in graphs[1:]] == [1, 2, 3]
    assert system.effects.apply(match, *graphs[0]) == graphs[1]
    assert system.effects.apply(match, *graphs[1]) == graphs[2]


ASKS = ("", "int: ask:0", ("n0", "new:m", "n1"))


def asking(start, rule, **properties):
    """A prepared grammar, its matches, and the answers of its oracle: 1, 2, …"""
    system = prepare(made(start, {"r": ("!", *rule)}, **properties))
    asked = []

    def oracle(rule, parameter):
        asked.append(parameter.kind)
        return AttributeValue("int", len(asked))

    effects = Effects(system.world, oracle=oracle)
    return system, effects, system.finders["r"].matches(system.host(system.nodes, system.edges)), asked


def test_an_oracle_is_asked_once_for_each_match():
    system, effects, matches, asked = asking(("", ""), ASKS)
    graphs = [named(system.world, *effects.apply(each, system.nodes, system.edges)) for each in matches]
    assert graphs == [["n0 m 1", "n1"], ["n0", "n1 m 2"]]
    (variable,) = effects.last_answers
    assert effects.last_created == effects.last_answers == {variable: system.world.value(AttributeValue("int", 2))}
    assert asked == ["int", "int"]


def test_a_known_answer_is_not_asked_for():
    system, effects, (match,), asked = asking(("",), ASKS)
    effects.apply(match, system.nodes, system.edges)
    (variable,) = effects.last_answers
    seven = system.world.value(AttributeValue("int", 7))
    after = effects.apply(match, system.nodes, system.edges, {variable: seven})
    assert named(system.world, *after) == ["n0 m 7"]
    assert asked == ["int"]


def test_the_matches_of_a_quantifier_share_the_oracle_s_answer():
    rule = ("forall:", "", "int: ask:0", ALL, ("n1", "new:m", "n2"))
    system, effects, (match,), asked = asking(("", ""), rule)
    assert named(system.world, *effects.apply(match, system.nodes, system.edges)) == ["n0 m 1", "n1 m 1"]
    assert asked == ["int"]


def test_what_a_match_has_created_and_merged():
    system = prepare(made(PATH, {"r": ("!", "", "", "new:", ("n0", "a", "n1"), ("n0", "new:=", "n1"))}))
    first, second = system.finders["r"].matches(system.host(system.nodes, system.edges))
    system.effects.apply(first, system.nodes, system.edges)
    assert system.effects.last_merged == {1: 0}
    assert list(system.effects.last_created.values()) == [3]
    system.effects.apply(second, system.nodes, system.edges)
    assert system.effects.last_merged == {2: 1}
    flag = prepare(made(PATH, {"r": ("!", "", "", ("n0", "del:a", "n1"))}))
    (match, *_) = flag.finders["r"].matches(flag.host(flag.nodes, flag.edges))
    flag.effects.last_created = flag.effects.last_merged = flag.effects.last_answers = {1: 1}
    flag.effects.apply(match, flag.nodes, flag.edges)
    assert (flag.effects.last_created, flag.effects.last_merged, flag.effects.last_answers) == ({}, {}, {})


def test_a_merged_node_is_its_representative_unless_it_is_deleted():
    merged = Merged({1: 0, 3: 2}, frozenset({2, 3}))
    assert [merged.image(node) for node in range(5)] == [0, 0, None, None, 4]
