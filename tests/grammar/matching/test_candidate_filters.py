"""Sieves, injective matching and the gluing condition, each on a host of a few nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.language.paths import Wildcard, parse
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.matching.candidate_filters import (
    Dangling,
    apart_in,
    ends,
    filtered_ends,
    filtered_pairs,
    shares_nothing,
    sieve_of,
)
from pentad.grammar.matching.search_plans import only
from pentad.grammar.rules import rule
from pentad.grammar.rules.rule import (
    Computed,
    Counted,
    EdgeEffect,
    Pattern,
    PatternEdge,
    QuantifierLevel,
    Rule,
)
from tests.grammar.matching.small_hosts import LABELS, graphs, host_of, listed
from tests.properties import properties

STAR = ((0, "a", 1), (2, "a", 3), (1, "b", 0))


def edge(source, label, target, copy=None):
    return PatternEdge(source, label, target, copy)


def sieved(host, pattern, free=lambda variable: True, least=1, admits=only):
    """The nodes that the sieve of variable 0 keeps; None without a sieve."""
    sieve = sieve_of(0, pattern, admits, free, least)
    return None if sieve is None else listed(sieve(host))


def test_the_ends_of_edges_by_label_and_direction():
    host = host_of(4, *STAR)
    assert [listed(ends(host, ("a",), leaves)) for leaves in (True, False)] == [[0, 2], [1, 3]]
    assert listed(ends(host, LABELS, True)) == [0, 1, 2]
    assert ends(host, (), True) == 0


# ── sieves ───────────────────────────────────────────────────────────────────────────────────────


@properties(150)
@given(graphs(), st.lists(st.tuples(st.sampled_from(LABELS), st.booleans(), st.booleans()), min_size=1, max_size=3))
def test_a_sieve_keeps_the_nodes_with_all_edges_and_without_those_of_embargoes(graph, sides):
    """Each side of variable 0 is an edge that it needs, or that must not lead to any node."""
    count, edges = graph
    pattern, kept = Pattern(nodes=[0]), set(range(count))
    for place, (label, leaves, is_wanted) in enumerate(sides, 1):
        side = edge(0, label, place) if leaves else edge(place, label, 0)
        if is_wanted:
            pattern.edges.append(side)
        else:
            pattern.embargoes.append(Pattern(nodes=[place], edges=[side]))
        having = {source if leaves else target for source, each, target in edges if each == label}
        kept = kept & having if is_wanted else kept - having
    assert sieved(host_of(count, *edges), pattern, least=len(sides)) == sorted(kept)
    assert sieved(host_of(count, *edges), pattern, least=len(sides) + 1) is None


def test_a_sieve_takes_every_label_that_an_edge_admits():
    pattern = Pattern(edges=[edge(0, "any", 1)])
    assert sieved(host_of(4, *STAR), pattern, admits=lambda label: LABELS) == [0, 1, 2]


def test_edges_elsewhere_and_wildcards_are_no_conditions():
    pattern = Pattern(edges=[edge(1, "a", 2), edge(0, Wildcard(), 1)])
    assert sieved(host_of(4, *STAR), pattern) is None


LOOPS = ((0, "a", 1), (1, "type:T", 1), (2, "b", 1))


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ((), [1, 2]),  # every a leads to a T, so whoever has an a is out
        (((2, "a", 0),), [0, 1, 2]),  # an a leads elsewhere: the sieve cannot tell
    ],
)
def test_an_embargo_of_an_edge_to_a_node_with_a_type(more, kept):
    embargo = Pattern(nodes=[1], edges=[edge(0, "a", 1), edge(1, "type:T", 1)])
    assert sieved(host_of(3, *LOOPS, *more), Pattern(embargoes=[embargo])) == kept


def test_an_embargo_of_an_edge_to_any_node_allows_one_to_a_value():
    pattern = Pattern(embargoes=[Pattern(nodes=[1], edges=[edge(0, "a", 1)])])
    assert sieved(host_of(2, (0, "a", 2), values=(7,)), pattern) == [0, 1]
    assert sieved(host_of(2, (0, "a", 1), values=(7,)), pattern) == [1]


def test_a_variable_may_stand_for_a_value():
    assert sieved(host_of(2, (0, "a", 2), (0, "a", 1), values=(7,)), Pattern(edges=[edge(1, "a", 0)])) == [1, 2]


SIDE = edge(0, "a", 1)


@pytest.mark.parametrize(
    "embargo",
    [
        Pattern(nodes=[1], edges=[SIDE], equal=[(0, 1)]),
        Pattern(nodes=[1], edges=[SIDE], unequal=[(0, 1)]),
        Pattern(nodes=[1], edges=[SIDE], computed=[Computed(1, None, ())]),
        Pattern(nodes=[1], edges=[SIDE], tests=[rule.Tested(None, ())]),
        Pattern(nodes=[1], edges=[SIDE], embargoes=[Pattern()]),
        Pattern(nodes=[1], edges=[SIDE], counted=[Counted(1, 1)]),
        Pattern(nodes=[1], edges=[edge(0, Wildcard(), 1)]),
        Pattern(nodes=[1], edges=[SIDE, edge(1, "b", 0)]),
        Pattern(nodes=[1], edges=[edge(1, "type:T", 1)]),
        Pattern(nodes=[], edges=[edge(0, "a", 0)]),
        Pattern(nodes=[1], edges=[edge(1, "a", 2)]),
        Pattern(nodes=[1, 2], edges=[SIDE]),
        Pattern(nodes=[1], edges=[SIDE, edge(2, "type:T", 2)]),
        Pattern(nodes=[1], edges=[SIDE, edge(0, "flag:f", 0)]),
    ],
)
def test_an_embargo_of_more_than_an_edge_to_any_node_is_no_condition(embargo):
    assert sieved(host_of(4, *STAR), Pattern(embargoes=[embargo])) is None


def test_an_embargo_of_an_edge_to_a_node_of_the_rule_is_no_condition():
    pattern = Pattern(embargoes=[Pattern(nodes=[1], edges=[SIDE])])
    assert sieved(host_of(4, *STAR), pattern, free=lambda variable: variable != 1) is None


# ── filtered edges ───────────────────────────────────────────────────────────────────────────────

PAIRS = [(node, (node * 3 + 1) % 8) for node in range(8)]


def of(*nodes):
    """A sieve of these nodes."""
    return lambda host: sum(1 << node for node in nodes)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (None, None, PAIRS),
        (of(2, 5), None, [PAIRS[2], PAIRS[5]]),
        (None, of(4, 1), [PAIRS[0], PAIRS[1]]),
        (of(1, 2, 3), of(4), [PAIRS[1]]),  # the smaller sieve filters, whichever it is
        (of(6), of(1, 4), [PAIRS[6]]),
        (of(6, 7), of(1, 4), [PAIRS[6], PAIRS[7]]),  # the first of two that are as small
        (of(0, 1, 2, 3), None, PAIRS),  # half of the edges are too many
        (of(0, 1, 2), None, PAIRS[:3]),
        (of(), None, []),
    ],
)
def test_pairs_are_filtered_by_the_sieve_that_keeps_fewest(first, second, kept):
    host = host_of(8, *((one, "a", other) for one, other in PAIRS))
    assert list(filtered_pairs(host, "a", host.by_label("a").pairs, first, second)) == kept


@pytest.mark.parametrize("leaves", [True, False])
def test_ends_of_a_node_are_filtered_in_the_order_of_the_edges(leaves):
    others = [5, 3, 6, 1, 4, 2]
    host = host_of(8, (7, "a", 0), *((0, "a", each) if leaves else (each, "a", 0) for each in others), (5, "b", 6))
    ends = host.by_label("a").out[0] if leaves else [each for each in host.by_label("a").into[0] if each != 7]

    def kept(*nodes):
        return filtered_ends(host, "a", 0, ends, leaves, of(*nodes))

    assert kept(1, 5) == [5, 1]
    assert kept(1, 0) == [1]
    assert kept(1, 2, 3) is ends  # half of them are too many
    host.edges &= ~(1 << 1)  # the edge between 0 and 5
    assert kept(1, 5) == [1]


# ── injective matching and the gluing condition ──────────────────────────────────────────────────

# Variables 0 and 1 are nodes, 2 and 3 are edges, 4 is a value.
COPIES = Pattern(nodes=[0, 1], edges=[edge(0, "a", 1, 2), edge(0, "a", 1, 3)])


def rule_of(root, **more):
    return Rule("rule", [root], ["x", "y", "#2", "#3", "v"], sorts={4: "int"}, **more)


def pairs_apart(made):
    apart = apart_in(made, lambda variable: variable < 2)
    return [(one, other) for one in range(5) for other in range(one) if apart(one, other)]


def test_under_injective_matching_nodes_and_edges_differ():
    assert pairs_apart(rule_of(QuantifierLevel(pattern=COPIES), injective=True)) == [(1, 0), (3, 2)]


def test_under_dpo_what_is_deleted_differs_from_all_of_its_kind():
    level = QuantifierLevel(pattern=COPIES, erased_nodes=[0])
    assert pairs_apart(rule_of(level, parallel="DPO")) == [(1, 0)]
    level = QuantifierLevel(pattern=COPIES, erased=[EdgeEffect(0, "a", 1, copy=3), EdgeEffect(1, "b", 0)])
    assert pairs_apart(rule_of(level, parallel="DPO")) == [(3, 2)]
    assert pairs_apart(rule_of(QuantifierLevel(pattern=COPIES), parallel="DPO")) == []


def test_under_dpo_created_nodes_are_apart_from_none():
    level = QuantifierLevel(pattern=Pattern(nodes=[0]), erased_nodes=[0], created_nodes=[1])
    assert pairs_apart(rule_of(level, parallel="DPO")) == []


@pytest.mark.parametrize("parallel", ["", "SPO"])
def test_otherwise_there_is_no_such_condition(parallel):
    assert apart_in(rule_of(QuantifierLevel(pattern=COPIES, erased_nodes=[0]), parallel=parallel), bool) is None


@pytest.mark.parametrize(
    ("one", "other", "shares"),
    [
        ((5, 6, 7), (5, 6, 8), True),  # both delete the same node
        ((5, 6, 7), (4, 6, 7), True),  # both delete the same copy
        ((5, 6, 7), (4, 6, 8), False),
        ((5, 6, 7), (6, 5, 8), False),  # variable 1 is kept
    ],
)
def test_parts_of_a_match_delete_nothing_twice(one, other, shares):
    level = QuantifierLevel(erased_nodes=[0], erased=[EdgeEffect(0, "a", 1, copy=2), EdgeEffect(0, "b", 1)])
    assert shares_nothing([(level, one), (level, other)]) is not shares


WANTED, CHOICE = Wildcard(), parse("a|b")


@pytest.mark.parametrize(
    ("named", "leaves_none"),
    [
        ([edge(0, "a", 1), edge(2, "b", 0)], True),
        ([edge(0, "a", 1)], False),  # the b is left
        ([edge(2, "b", 0)], False),
        ([edge(0, "a", 2), edge(2, "b", 0)], False),  # there is no such a
        ([edge(0, WANTED, 1), edge(2, WANTED, 0)], True),
        ([edge(0, CHOICE, 1), edge(2, "b", 0)], False),  # a path names no edge
        ([edge(0, "a", 1, 3), edge(2, "b", 0, 4)], True),
        ([edge(0, "a", 1, 4), edge(2, "b", 0, 4)], False),
    ],
)
def test_the_edges_at_a_deleted_node_must_be_named(named, leaves_none):
    host = host_of(3, (0, "a", 1), (2, "b", 0), (1, "b", 2))
    level = QuantifierLevel(pattern=Pattern(nodes=[0, 1, 2], edges=named), erased_nodes=[0])

    def labels(each, found):
        return LABELS if each.label == WANTED else (each.label,)

    found = (0, 1, 2, 0, 1)  # the nodes, and the numbers of two edges
    assert Dangling(rule_of(level), labels).leaves_none(host, found) is leaves_none


@pytest.mark.parametrize(("label", "leaves_none"), [(WANTED, False), (Wildcard(variable="x"), True)])
def test_a_wildcard_without_a_variable_names_one_of_two_edges(label, leaves_none):
    host = host_of(2, (0, "a", 1), (0, "b", 1))
    level = QuantifierLevel(pattern=Pattern(nodes=[0, 1], edges=[edge(0, label, 1)]), erased_nodes=[0])
    assert Dangling(rule_of(level), lambda each, found: LABELS).leaves_none(host, (0, 1)) is leaves_none


def test_edges_that_are_absent_from_the_host_are_not_left_and_not_named():
    host = host_of(2, (0, "a", 1), (0, "b", 1))
    level = QuantifierLevel(pattern=Pattern(nodes=[0, 1], edges=[edge(0, "a", 1)]), erased_nodes=[0])
    dangling = Dangling(rule_of(level), lambda each, found: LABELS[:1])
    assert not dangling.leaves_none(host, (0, 1))
    host.edges = 0b01
    assert dangling.leaves_none(host, (0, 1))
    wildcard = QuantifierLevel(pattern=Pattern(nodes=[0, 1], edges=[edge(0, WANTED, 1)]), erased_nodes=[0])
    host.edges = 0b10
    assert Dangling(rule_of(wildcard), lambda each, found: LABELS).leaves_none(host, (0, 1))


def test_attributes_go_with_their_node():
    host = host_of(1, (0, "n", 1), values=(7,))
    assert host.world.values[1] == AttributeValue("int", 7)
    level = QuantifierLevel(pattern=Pattern(nodes=[0]), erased_nodes=[0])
    assert Dangling(rule_of(level), lambda each, found: ()).leaves_none(host, (0,))
