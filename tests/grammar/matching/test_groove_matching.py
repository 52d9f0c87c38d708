"""Matching and applying as GROOVE does: small grammars whose counts are worked out in a comment beside each.

The counts were compared with those of GROOVE 7.5.4. What is told of a grammar are its states, its transitions and its
final states.
"""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

import pytest

from pentad.grammar import host as hosts
from pentad.grammar.compiled.engine import compile_system
from pentad.grammar.compiled.grounding import CannotCompile
from pentad.grammar.exploration import explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.host import Host, World, bits, mask_of
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.matching import isomorphism as isomorphisms
from pentad.grammar.matching import search_plans
from pentad.grammar.matching.rule_effects import Effects
from pentad.grammar.rules.host_reader import add_host, graph_of, read_host
from pentad.grammar.simulation import Simulation
from pentad.grammar.system import prepare
from tests.grammar.compiled.test_engine import chance_grammar

Drawn = tuple[Any, ...]  # nodes with their labels, and edges: ({"a": "type:A & flag:f"}, [("a", "e", "b")])


def drawn(name: str, role: str, nodes: dict[str, str], edges: list[tuple[str, str, str]] | None = None) -> Graph:
    graph = Graph(name, role)
    for node, labels in nodes.items():
        graph.node(*(labels.split(" & ") if labels else ()), name=node)
    for source, label, target in edges or []:
        graph.edge(source, label, target)
    return graph


def small(
    start: Drawn, types: Drawn | None = None, rules: dict[str, Drawn] | None = None, **properties: str
) -> Grammar:
    grammar = Grammar("small", {"start": drawn("start", "graph", *start)})
    grammar.rules = {name: drawn(name, "rule", *each) for name, each in (rules or {}).items()}
    if types is not None:
        grammar.types["type"] = drawn("type", "type", *types)
        grammar.properties["typeGraph"] = "type"
    grammar.properties |= {"startGraph": "start", **properties}
    return grammar


def counts(grammar: Grammar) -> tuple[int, int, int]:
    found = explore(grammar, engine="general", states=1000)
    return found.states, found.transitions, len(found.lts.final)


TWO = {"a": "type:A", "b": "type:B"}
COPIES: Drawn = (TWO, [("a", "mult=2:e", "b")])
BIPARTITE: Drawn = (
    {"a": "type:A", "x1": "type:X", "x2": "type:X", "z1": "type:Z", "z2": "type:Z"},
    [("x1", "e", "z1"), ("x2", "e", "z1"), ("x2", "e", "z2")],
)
SUM: Drawn = (
    {
        "c": "type:Cart & not:flag:done & new:flag:done",
        "q": "forall:",
        "i": "type:Item",
        "n": "int:",
        "p": "prod:",
        "t": "int:",
    },
    [
        *(("c", "has", "i"), ("i", "n", "n"), ("c", "new:total", "t")),
        *(("i", "@", "q"), ("n", "@", "q"), ("p", "@", "q")),
        *(("p", "arg:0", "n"), ("p", "int:sum", "t")),
    ],
)


# ── quantifiers ──────────────────────────────────────────────────────────────────────────────────


def test_a_quantifier_creates_a_node_for_each_match():
    # three nodes A, and nothing joins the new one to them: the only step makes three
    rule: Drawn = (
        {"stop": "not: & type:N", "q": "forall:", "x": "type:A", "n": "new: & type:N"},
        [("x", "@", "q"), ("n", "@", "q")],
    )
    grammar = small(({"a": "type:A", "b": "type:A", "c": "type:A"},), rules={"r": rule})
    assert counts(grammar) == (2, 1, 1)
    end = Simulation(grammar)
    end.take(0)
    assert sum(edge.label == "type:N" for edge in end.graph.edges) == 3


def test_events_of_a_quantifier_count_equal_effects():
    # x1 has one z and x2 two; the quantifier marks the A once for each, so the choice of x gives two events. Both lead
    # to the state with the mark, from the start and from there again: 2 states, 2 × 2 transitions
    rule: Drawn = (
        {"x": "type:X", "q": "forall:", "y": "type:A & new:flag:f", "z": "type:Z"},
        [("y", "@", "q"), ("z", "@", "q"), ("x", "e", "z")],
    )
    grammar = small(BIPARTITE, rules={"r": rule})
    assert counts(grammar) == (2, 4, 0)
    with pytest.raises(CannotCompile, match="the same for several matches"):
        compile_system(prepare(grammar))


def test_each_choice_for_a_match_is_an_event():
    # for z1 either of x1, x2 is marked, for z2 only x2: two events, {x1, x2} and {x2}; from each of the three states
    # (none, x2, both marked) both are possible
    rule: Drawn = (
        {"q": "forall:", "p": "exists:", "x": "type:X & new:flag:f", "z": "type:Z"},
        [("p", "in", "q"), ("z", "@", "q"), ("x", "@", "p"), ("x", "e", "z")],
    )
    assert counts(small(BIPARTITE, rules={"r": rule})) == (3, 6, 0)


@pytest.mark.parametrize("middle", ["forall:", "exists:"])
def test_effects_of_inner_quantifiers_distinguish_matches(middle):
    # there is no D, so nothing is made, for either A: 2 events, on the only state
    rule: Drawn = (
        {"x": "type:A", "q": middle, "y": "type:C", "p": "forall:", "z": "type:D"},
        [("y", "@", "q"), ("p", "in", "q"), ("z", "@", "p"), ("x", "new:e", "z")],
    )
    grammar = small(({"a": "type:A", "b": "type:A", "c": "type:C"},), rules={"r": rule})
    assert counts(grammar) == (1, 2, 0)


def test_inner_matches_distinguish_matches_by_their_effects():
    # an A may be chosen as n, the other as x. Nothing hangs on x, so nothing is taken from it: both choices do nothing,
    # and are one event on the only state
    rule: Drawn = (
        {"n": "", "q": "forall:", "x": "", "p": "existsx:", "y": ""},
        [("x", "@", "q"), ("p", "in", "q"), ("y", "@", "p"), ("y", "del:e", "x"), ("n", "!=", "x")],
    )
    assert counts(small(({"a": "type:A", "b": "type:A"},), rules={"r": rule})) == (1, 1, 0)


@pytest.mark.parametrize(
    ("outer", "expected"),
    [
        # forallx: within makes a node x without its z no match of the outer quantifier, which has x1 alone then:
        # x1 is marked, and that again
        ("forall:", (2, 2, 0)),
        # no x has an f to a z, so neither quantifier has a match, and the outer one wants some
        ("forallx:", (1, 0, 1)),
    ],
)
def test_a_quantifier_that_needs_matches_restricts_the_enclosing_ones(outer, expected):
    label = "e" if outer == "forall:" else "f"
    rule: Drawn = (
        {"q": outer, "p": "forallx:", "x": "type:X & new:flag:f", "z": "type:Z"},
        [("p", "in", "q"), ("x", "@", "q"), ("z", "@", "p"), ("x", label, "z")],
    )
    start: Drawn = ({"x1": "type:X", "x2": "type:X", "z": "type:Z"}, [("x1", "e", "z")])
    grammar = small(start, rules={"r": rule})
    assert counts(grammar) == expected
    with pytest.raises(CannotCompile, match=r"^Rule r has a nested quantifier"):
        compile_system(prepare(grammar))


@pytest.mark.parametrize(
    ("label", "count"),
    [("?", 2), ("e|f", 1)],  # each label is a match of its own; a path is one however it is walked
)
def test_matches_are_counted(label, count):
    rule: Drawn = (
        {"a": "type:A & not:flag:f & new:flag:f", "q": "forall:", "n": "int:", "x": "type:X", "z": "type:Z"},
        [("q", "count", "n"), ("a", "new:n", "n"), ("x", "@", "q"), ("z", "@", "q"), ("x", label, "z")],
    )
    start: Drawn = ({"a": "type:A", "x": "type:X", "z": "type:Z"}, [("x", "e", "z"), ("x", "f", "z")])
    # the rule, and then the condition that tells the count
    tells: Drawn = ({"a": "type:A & flag:f", "n": f"int:{count}"}, [("a", "n", "n")])
    assert counts(small(start, rules={"r": rule, "tells": tells})) == (2, 2, 1)


def test_a_count_leaves_out_void_matches():
    # of x1 and x2 only x2 has a z: the count is 1
    rule: Drawn = (
        {
            "a": "type:A & not:flag:f & new:flag:f",
            "q": "forall:",
            "p": "forallx:",
            "n": "int:",
            "x": "type:X",
            "z": "type:Z",
        },
        [
            *(("q", "count", "n"), ("a", "new:n", "n"), ("p", "in", "q")),
            *(("x", "@", "q"), ("z", "@", "p"), ("x", "e", "z")),
        ],
    )
    start: Drawn = ({"a": "type:A", "x1": "type:X", "x2": "type:X", "z": "type:Z"}, [("x2", "e", "z")])
    one: Drawn = ({"a": "type:A & flag:f", "n": "int:1"}, [("a", "n", "n")])
    assert counts(small(start, rules={"r": rule, "one": one})) == (2, 2, 1)


@pytest.mark.parametrize(("prices", "total"), [((2, 3), 5), ((), 0)])
def test_collective_operators_aggregate_values(prices, total):
    # the rule, and then the condition that tells the sum
    nodes = {"c": "type:Cart", **{f"i{n}": f"type:Item & let:n = {n}" for n in prices}}
    start: Drawn = (nodes, [("c", "has", f"i{n}") for n in prices])
    tells: Drawn = ({"c": "type:Cart", "v": f"int:{total}"}, [("c", "total", "v")])
    grammar = small(start, rules={"r": SUM, "tells": tells})
    assert counts(grammar) == (2, 2, 1)
    with pytest.raises(CannotCompile, match="has collective operators"):
        compile_system(prepare(grammar))


def test_injective_matching_includes_quantifiers():
    # x takes a mark f, and of the other node X each edge to a z becomes marked g: from the start 2 events lead to two
    # states, from each of those 2 on to itself and to the one with all marks, which leads to itself twice
    rule: Drawn = (
        {"x": "type:X & new:flag:f", "q": "forall:", "y": "type:X", "z": "type:Z"},
        [("y", "@", "q"), ("z", "@", "q"), ("y", "e", "z"), ("y", "new:g", "z")],
    )
    assert counts(small(BIPARTITE, rules={"r": rule}, matchInjective="true")) == (4, 8, 0)


# ── taking, merging, forbidding ──────────────────────────────────────────────────────────────────


def test_each_edge_that_a_wildcard_deletes_is_an_event():
    # two edges and two flags come off one by one: 2⁴ states, and as many transitions as there is something left: 4 · 2³
    start: Drawn = ({"a": "type:A & flag:f & flag:g", "b": "type:B"}, [("a", "e", "b"), ("a", "k", "b")])
    rules: dict[str, Drawn] = {"r": (TWO, [("a", "del:?", "b")]), "s": ({"a": "type:A & del:flag:?"},)}
    assert counts(small(start, rules=rules)) == (16, 32, 1)


def test_a_sharp_type_without_a_type_graph_is_the_type():
    rule: Drawn = ({"a": "type:#A", "b": "type:#B"}, [("a", "del:e", "b")])
    assert counts(small((TWO, [("a", "e", "b")]), rules={"r": rule})) == (2, 1, 1)


def test_merging_keeps_the_most_specific_type():
    # C is under B: the merged node is a C alone, whose edge to itself goes in a second step
    types: Drawn = (
        {"A": "type:A & abs:", "B": "type:B", "C": "type:C", "X": "type:X"},
        [("B", "sub:", "A"), ("C", "sub:", "B"), ("A", "e", "X"), ("A", "k", "A")],
    )
    start: Drawn = ({"b": "type:B", "c": "type:C", "x": "type:X"}, [("b", "e", "x"), ("c", "k", "b")])
    rules: dict[str, Drawn] = {
        "merge": ({"x": "type:#B", "y": "type:#C"}, [("x", "new:=", "y")]),
        "loop": ({"x": "type:#C", "y": "type:#C"}, [("x", "del:k", "y")]),
    }
    grammar = small(start, types, rules)
    assert counts(grammar) == (3, 2, 1)
    end = Simulation(grammar)
    end.take(0)
    assert sorted(edge.label for edge in end.graph.edges) == ["e", "k", "type:C", "type:X"]


def test_merging_with_deleted_nodes():
    # a goes with its edges, and c becomes one with b; or where a is b too, c goes with it, and another A is left
    start: Drawn = (
        {"a": "type:A", "b": "type:A", "c": "type:C"},
        [("a", "e", "c"), ("b", "e", "c"), ("c", "k", "a")],
    )
    rule: Drawn = (
        {"a": "del: & type:A", "b": "type:A", "c": "type:C"},
        [("c", "k", "a"), ("b", "new:=", "c"), ("b", "e", "c")],
    )
    assert counts(small(start, rules={"r": rule})) == (3, 2, 2)


def test_merged_edges_do_not_restore_deleted_edges():
    # the node of x stays, with its own edge, where y is merged into it and loses its edge: 2 events, to one A with an
    # edge. Where x and y are one node (2 events, to graphs that are alike) that loses its edge. Then the last edge can
    # be taken in both states, x and y being one: 2 further steps, to two states in which nothing is left to do
    start: Drawn = ({"a": "type:A", "b": "type:A", "c": "type:C"}, [("a", "e", "c"), ("b", "e", "c")])
    rule: Drawn = (
        {"x": "type:A", "y": "type:A", "z": "type:C"},
        [("x", "e", "z"), ("x", "new:=", "y"), ("y", "del:e", "z")],
    )
    assert counts(small(start, rules={"r": rule})) == (5, 6, 2)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("type:C & e", (1, 0, 1)),  # a C is forbidden around the quantifier already
        ("f", (1, 1, 0)),  # a node with f is forbidden for each x, so that x finds nothing, and nothing is done
        ("e", (2, 2, 0)),  # a is marked; then it is again
    ],
)
def test_embargoes_around_and_within_a_quantifier(start, expected):
    rule: Drawn = (
        {"n": "not: & type:C & not=q:f", "q": "forall=q:", "x": "new:flag:marked"},
        [("x", "@", "q")],
    )
    assert counts(small(({"a": start},), rules={"r": rule})) == expected


@pytest.mark.parametrize(("labels", "role"), [("", "del:="), ("", "="), ("del:", "=")])
def test_a_deleted_node_may_coincide_with_another(labels, role):
    # x and y are one node, which goes: one of two, then the last
    rule: Drawn = ({"x": "del:", "y": labels}, [("y", role, "x")])
    start: Drawn = ({"a": "type:A", "b": "type:A"},)
    assert counts(small(start, rules={"r": rule})) == (3, 3, 1)
    # what is taken is nothing else under DPO
    assert counts(small(start, rules={"r": rule}, parallelEdges="DPO")) == (1, 0, 1)


def test_nodes_are_merged_conditionally():
    # either of two is merged into the other; the last one is one with itself already
    start: Drawn = ({"a": "type:A", "b": "type:A"},)
    assert counts(small(start, rules={"r": ({"x": "", "y": ""}, [("x", "cnew:=", "y")])})) == (2, 2, 1)
    # a node is made and merged into the B only where no B is it already
    rule: Drawn = ({"x": "type:A", "y": "cnew: & type:B"}, [("y", "=", "x")])
    assert counts(small(({"a": "type:A"},), rules={"r": rule})) == (2, 1, 1)


@pytest.mark.parametrize("labels", ["f & new:f", "del:f & new:f", "?x & new:?x"])
def test_an_edge_that_is_found_and_created_stays(labels):
    # x and y are the same node. The edge at x is not made anew, so that it goes with that at y
    rule: Drawn = ({"x": labels, "y": "del:f"},)
    assert counts(small(({"a": "f"},), rules={"r": rule})) == (2, 1, 1)
    # alone it changes nothing, and is no property either; and a rule that forbids what it makes never applies
    rules: dict[str, Drawn] = {"r": ({"x": labels},)}
    assert counts(small(({"a": "f"},), rules=rules)) == (1, 1, 0)
    for asked in ("checkCreatorEdges", "rhsIsNAC"):
        assert counts(small(({"a": "f"},), rules=rules, **{asked: "true"})) == (1, 0, 1)


def test_readers_around_a_quantifier_stay_within_it():
    # every edge f goes; n keeps it only by a drawing. Each of the three as n is a match of its own, of one effect
    rule: Drawn = (
        {"n": "f", "q": "forall=q:", "x": "del:f"},
        [("x", "@", "q"), ("n", "new=q:f", "n")],
    )
    start: Drawn = ({"a": "f", "b": "f", "c": "f"},)
    assert counts(small(start, rules={"r": rule})) == (2, 3, 1)


@pytest.mark.parametrize("asked", ["checkCreatorEdges", "rhsIsNAC"])
def test_a_created_wildcard_edge_may_be_forbidden(asked):
    # b gets what a has: an edge to b; then both have it
    rule: Drawn = ({"x": "", "y": "", "z": ""}, [("x", "?l", "y"), ("z", "new:?l", "y")])
    start: Drawn = ({"a": "", "b": ""}, [("a", "f", "b")])
    assert counts(small(start, rules={"r": rule}, **{asked: "true"})) == (2, 1, 1)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("type:A & flag:f", (1, 0, 1)),  # the flag would be left
        ("type:A", (2, 1, 1)),
        ("type:A & let:n = 1", (2, 1, 1)),  # attributes are deleted with their node
    ],
)
def test_the_dangling_condition(labels, expected):
    grammar = small(({"a": labels},), rules={"r": ({"x": "del: & type:A"},)}, checkDangling="true")
    assert counts(grammar) == expected


def test_edges_are_deleted_with_nodes_of_a_quantifier():
    # though the edge from z is not named; then it applies for ever without a match
    rule: Drawn = (
        {"q": "forall:", "x": "type:X", "a": "del: & type:A"},
        [("x", "@", "q"), ("a", "@", "q"), ("x", "e", "a")],
    )
    start: Drawn = ({"a": "type:A", "x": "type:X", "z": "type:Z"}, [("x", "e", "a"), ("z", "k", "a")])
    assert counts(small(start, rules={"r": rule}, checkDangling="true")) == (2, 2, 0)


def test_an_operator_in_a_negative_condition():
    # the greatest of 1 and 2 takes a mark
    rule: Drawn = ({"a": "type:A & id:a & not:flag:top & new:flag:top", "b": "not: & type:A & test:int:n > int:a.n"},)
    start: Drawn = ({"a": "type:A & let:n = 1", "b": "type:A & let:n = 2"},)
    assert counts(small(start, rules={"r": rule})) == (2, 1, 1)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([("b", "e", "c")], (2, 1, 1)),
        ([("a", "k", "b")], (2, 1, 1)),
        ([("a", "k", "b"), ("b", "e", "c")], (1, 0, 1)),  # it is all there: a B with k from the A and e to the C
    ],
)
def test_a_conditional_node_with_an_embargo(edges, expected):
    rule: Drawn = (
        {"a": "type:A & del:flag:go", "n": "cnew: & type:B", "c": "type:C"},
        [("a", "cnew:k", "n"), ("n", "not:e", "c")],
    )
    start: Drawn = ({"a": "type:A & flag:go", "b": "type:B", "c": "type:C"}, edges)
    assert counts(small(start, rules={"r": rule})) == expected


def test_an_undetermined_symbol_is_bound():
    rule: Drawn = ({"a": "type:A & not:flag:f & new:flag:f", "v": "int:"}, [("a", "new:m", "v")])
    assert counts(small(({"a": "type:A & let:n = 1"},), rules={"r": rule}, algebraFamily="point")) == (2, 1, 1)


# ── parallel edges ───────────────────────────────────────────────────────────────────────────────


def test_copies_of_an_edge_that_the_types_forbid_are_reported() -> None:
    with pytest.raises(GrammarError, match=r"label 'mult=2:e': .* from A to B"):
        prepare(small(COPIES, (TWO, []), parallelEdges="SPO"))


@pytest.mark.parametrize(
    ("edges", "semantics", "expected"),
    [
        # each of two copies can be taken, which gives graphs that are alike; then the last
        ([("a", "del:e", "b")], "SPO", (3, 3, 1)),
        ([("a", "del:e", "b")], "DPO", (3, 3, 1)),
        # one is taken and one stays: under DPO they are two, so of the last none is taken
        ([("a", "del:e", "b"), ("a", "use:e", "b")], "SPO", (3, 3, 1)),
        ([("a", "del:e", "b"), ("a", "use:e", "b")], "DPO", (2, 2, 1)),
        # any label
        ([("a", "del:?", "b")], "SPO", (3, 3, 1)),
    ],
)
def test_copies_of_edges_are_deleted_one_by_one(edges, semantics, expected):
    grammar = small(COPIES, rules={"r": (TWO, edges)}, parallelEdges=semantics)
    assert counts(grammar) == expected
    with pytest.raises(CannotCompile, match="parallel edges"):
        compile_system(prepare(grammar))


def test_copies_differ_under_injective_matching():
    # three copies: one is taken and another stays, 3 · 2 ways that are 3 events, then 2, then there is but one
    rule: Drawn = (TWO, [("a", "use:e", "b"), ("a", "del:e", "b")])
    start: Drawn = (TWO, [("a", "mult=3:e", "b")])
    assert counts(small(start, rules={"r": rule}, parallelEdges="SPO", matchInjective="true")) == (3, 5, 1)


def test_without_isomorphism_parallel_edges_are_distinct():
    # of two copies either is taken for an f: two states, which lead to the one without e
    rule: Drawn = (TWO, [("a", "del:e", "b"), ("a", "new:f", "b")])
    grammar = small(COPIES, rules={"r": rule}, parallelEdges="SPO")
    assert counts(grammar) == (3, 3, 1)
    grammar.properties["checkIsomorphism"] = "false"
    assert counts(grammar) == (4, 4, 1)


@pytest.mark.parametrize(("label", "semantics", "found"), [("e", "SPO", 2), ("e|f", "SPO", 1), ("e|f", "DPO", 2)])
def test_a_choice_matches_an_edge_under_dpo(label, semantics, found):
    rule: Drawn = (
        {"x": "type:A & not:flag:f & new:flag:f", "y": "type:B", "q": "forall:", "n": f"int:{found}", "b": "type:A"},
        [("q", "count", "n"), ("y", "@", "q"), ("b", "@", "q"), ("b", label, "y")],
    )
    assert counts(small(COPIES, rules={"r": rule}, parallelEdges=semantics)) == (2, 1, 1)


@pytest.mark.parametrize(
    ("semantics", "expected"),
    [
        ("SPO", (2, 2, 0)),  # both matches take the node, which is gone then; without it nothing is to do, for ever
        ("DPO", (1, 0, 1)),  # what one match takes no other takes
    ],
)
def test_deletions_by_two_matches_of_a_quantifier(semantics, expected):
    rule: Drawn = (
        {"q": "forall:", "x": "type:X", "a": "del: & type:A"},
        [("x", "@", "q"), ("a", "@", "q"), ("x", "e", "a")],
    )
    start: Drawn = ({"a": "type:A", "x": "type:X", "y": "type:X"}, [("x", "e", "a"), ("y", "e", "a")])
    assert counts(small(start, rules={"r": rule}, parallelEdges=semantics)) == expected


def test_merging_creates_parallel_edges():
    # an e from a and one from b become two of one node; taken one by one, before or after: the states are told by
    # whether they are merged and how many are left, 2 · 3
    start: Drawn = ({"a": "type:A", "b": "type:A", "c": "type:B"}, [("a", "e", "c"), ("b", "e", "c")])
    rules: dict[str, Drawn] = {
        "merge": ({"x": "type:A", "y": "type:A"}, [("x", "new:=", "y"), ("x", "!=", "y")]),
        "take": ({"x": "type:A", "z": "type:B"}, [("x", "del:e", "z")]),
    }
    assert counts(small(start, rules=rules, parallelEdges="SPO")) == (6, 12, 1)


def test_parallel_edges_in_graphs():
    system = prepare(small(COPIES, rules={"r": (TWO, [("a", "new:e", "b")])}, parallelEdges="SPO"))
    (match,) = system.finders["r"].matches(system.host(system.nodes, system.edges))
    after = system.effects.apply(match, system.nodes, system.edges)
    assert [each.label for each in graph_of(system.world, *after).between()] == ["mult=3:e"]


def test_isomorphic_multigraphs_have_equal_multiplicities():
    def ring(counts: list[int]) -> Graph:
        nodes = {f"n{i}": "" for i in range(len(counts))}
        edges = [(f"n{i}", f"mult={count}:e", f"n{(i + 1) % len(counts)}") for i, count in enumerate(counts)]
        return drawn("ring", "graph", nodes, edges)

    world = World()
    first, turned, other = (
        add_host(world, read_host(ring(each), "", parallel="SPO"))
        for each in ([1, 2, 3, 1, 3], [3, 1, 3, 1, 2], [1, 2, 1, 3, 3])
    )
    shapes = [isomorphisms.Shapes(world).shape(*each) for each in (first, turned, other)]
    assert isomorphisms.Shapes(world).same(shapes[0], shapes[1])
    assert not isomorphisms.Shapes(world).same(shapes[0], shapes[2])


# ── oracles, long searches ───────────────────────────────────────────────────────────────────────


def test_an_oracle_supplies_requested_values():
    rule: Drawn = ({"a": "type:A", "v": "int: & ask:0"}, [("a", "new:n", "v")])
    system = prepare(small(({"a": "type:A"},), rules={"r": rule}))
    asked = []

    def oracle(rule, parameter):
        asked.append((rule.name, parameter.kind))
        return AttributeValue("int", 7)

    effects = Effects(system.world, oracle=oracle)
    (match,) = system.finders["r"].matches(system.host(system.nodes, system.edges))
    after = effects.apply(match, system.nodes, system.edges)
    assert "let:n = 7" in [edge.label for edge in graph_of(system.world, *after).edges]
    assert asked == [("r", "int")]
    assert [system.world.values[each] for each in effects.last_created.values()] == [AttributeValue("int", 7)]


def asking(marks: int, answers: str) -> Grammar:
    """Nodes with marks; the rule takes a mark and asks for a number."""
    rule: Drawn = ({"a": "type:A & del:flag:f", "v": "int: & ask:0"}, [("a", "new:n", "v")])
    start = {f"n{each}": "type:A & flag:f" for each in range(marks)}
    grammar = small((start,), rules={"r": rule}, valueOracle="reader:answers")
    grammar.others["answers"] = answers.encode()
    return grammar


def test_a_match_keeps_the_oracle_s_answer_in_the_next_state():
    # The first state asks once for each of its three matches. What another match leaves alone keeps its number, so the
    # states are the subsets of three nodes: 8, with 3 · 4 transitions, and three lines are enough.
    assert counts(asking(3, "1\n2\n3")) == (8, 12, 1)


def test_the_oracle_is_asked_again_for_the_match_that_was_just_applied():
    # The rule stays applicable to the same node until it has the number 2: the second time it gets the next line.
    rule: Drawn = ({"a": "type:A", "v": "int: & ask:0", "two": "int:2"}, [("a", "new:n", "v"), ("a", "not:n", "two")])
    grammar = small(({"a": "type:A"},), rules={"r": rule}, valueOracle="reader:answers")
    grammar.others["answers"] = b"1\n2"
    assert counts(grammar) == (3, 2, 1)


def test_the_oracle_is_asked_again_at_another_control_location():
    # Two ways from the start, with 1 and 2; each asks anew for the other node, 3 and 4: 5 states, two of them final.
    grammar = asking(2, "1\n2\n3\n4")
    grammar.controls["control"] = "r; r;"
    assert counts(grammar) == (5, 4, 2)
    grammar.others["answers"] = b"1\n2\n3"
    with pytest.raises(GrammarError, match=r"^answers: The rule r asks for more"):
        counts(grammar)


def test_a_search_that_finds_nothing_can_be_stopped():
    # 40⁴ ways to choose four nodes, none of which passes the test
    nodes = {f"n{i}": "type:A & let:n = 1" for i in range(40)}
    rule: Drawn = (
        {
            "a": "type:A & id:a & test:int:a.n + int:b.n + int:c.n + int:d.n > 4",
            **{name: f"type:A & id:{name}" for name in "bcd"},
        },
        [("a", "new:f", "b")],
    )
    looks = []

    def stop():
        looks.append(1)
        return len(looks) > 3

    found = explore(small((nodes,), rules={"r": rule}), engine="general", stop=stop)
    assert found.stopped == "interrupted"


# ── growing graphs ───────────────────────────────────────────────────────────────────────────────


def chain(typed: bool) -> Grammar:
    """A chain that grows at its end, which is told by nothing but that nothing follows."""
    said = " & type:Cell" if typed else ""
    rule: Drawn = (
        {"last": said.removeprefix(" & "), "next": "not:" + said, "new": "new:" + said},
        [("last", "next", "next"), ("last", "new:next", "new")],
    )
    return small(({"first": "type:Cell"} if typed else {"first": ""},), rules={"append": rule})


def touched(states: int, typed: bool, isomorphism: bool) -> int:
    """How often a node or an edge is looked at, put into an index, or coloured, while a chain grows."""
    counted = 0

    def one(function):
        def counting(*args):
            nonlocal counted
            counted += 1
            return function(*args)

        return counting

    def many(function):
        def counting(*args):
            nonlocal counted
            found = function(*args)
            counted += len(found.nodes)
            return found

        return counting

    def walked(function):
        def counting(number):
            nonlocal counted
            found = list(function(number))
            counted += len(found)
            return iter(found)

        return counting

    not_found = search_plans.not_found
    patches = [
        *(
            mock.patch.object(each, name, one(getattr(each, name)))
            for each in (hosts.LabelIndex, hosts.NodeIndex)
            for name in ("_put", "_insert", "_drop")
        ),
        mock.patch.object(isomorphisms.Shapes, "shape", many(isomorphisms.Shapes.shape)),
        mock.patch.object(search_plans, "not_found", lambda embargo, then: not_found(one(embargo), then)),
        *(mock.patch.object(module, "bits", walked(bits)) for module in (hosts, isomorphisms, search_plans)),
    ]
    for each in patches:
        each.start()
    try:
        found = explore(chain(typed), engine="general", isomorphism=isomorphism, states=states)
    finally:
        for each in reversed(patches):
            each.stop()
    assert found.states == states
    return counted


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("typed", [True, False])
def test_a_chain_grows_in_linear_time(typed, isomorphism):
    some, more = (touched(states, typed, isomorphism) for states in (100, 200))
    assert more < 2.2 * some


def test_indexes_do_not_depend_on_the_previous_host():
    chance, world = random.Random(7), World()
    nodes = [world.new_node() for _ in range(6)]
    for one in nodes:
        for other in nodes:
            for label in "pq":
                world.edge(one, label, other)
    for _ in range(300):
        edges = chance.getrandbits(72) & chance.getrandbits(72)
        host, fresh = Host(world, mask_of(nodes), edges), World()
        fresh.edges, fresh.number, fresh.of_label = world.edges, world.number, world.of_label
        alone = Host(fresh, host.nodes, edges)
        for label in "pq":
            mine, other = host.by_label(label), alone.by_label(label)
            assert (mine.pairs, mine.out, mine.into) == (other.pairs, other.out, other.into)
            assert (mine.sources, mine.targets) == (mask_of(mine.out), mask_of(mine.into))
        for node in nodes:
            assert (host.out(node), host.into(node)) == (alone.out(node), alone.into(node))


def test_options_are_equal_after_undo():
    for seed in range(20):
        grammar = chance_grammar(seed)
        grammar.controls, chance = {}, random.Random(seed)
        grammar.properties.pop("controlProgram", None)
        simulation = Simulation(grammar)
        seen = [simulation.options]
        for _ in range(12):
            if simulation.options and chance.random() < 0.6:
                simulation.take(chance.randrange(len(simulation.options)))
                seen.append(simulation.options)
            elif simulation.undo() is not None:
                seen.pop()
                assert simulation.options == seen[-1]


@pytest.mark.slow
def test_sieves_keep_all_matches():
    for seed in range(60):
        found = []
        for few in (0, 1000):
            with mock.patch.object(search_plans, "FEW", few):
                simulation, chance = Simulation(chance_grammar(seed), seed), random.Random(seed)
                for _ in range(4):
                    found.append((few, simulation.options))
                    if simulation.options:
                        simulation.take(chance.randrange(len(simulation.options)))
        assert [options for few, options in found if few] == [options for few, options in found if not few], seed


def test_bits_of_long_numbers():
    chance = random.Random(3)
    for length in (0, 1, 64, 300, 5000):
        for density in (1, 4):
            number = chance.getrandbits(length) if length else 0
            for _ in range(density):
                number &= chance.getrandbits(length) if length else 0
            places = [i for i in range(length) if number >> i & 1]
            assert list(bits(number)) == places
            assert mask_of(places) == number
