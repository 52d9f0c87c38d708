"""The type checker: rules that no match could fit are refused, and those beside them that some match fits are not.

A comment tells why a verdict is right, where it is not plain from the types. Relations of paths are compared with walks
over the types, one edge at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.language.paths import Alternative, Atom, Inverse, Part, Repeat, Sequence, Wildcard, parse
from pentad.grammar.rules.type_checker import NoType, covered, related
from pentad.grammar.rules.types import EdgeType, Types, types_of
from pentad.grammar.system import problems_of
from tests.cases import together
from tests.grammar.small_grammars import drawn, made
from tests.properties import properties


def problems(types, rule, **settings) -> list[str]:
    """The errors of a rule, each with its node and label only."""
    found = problems_of(made((), {"look": rule}, types=types, **settings))
    return [str(error).removeprefix("look.gpr, ") for error in found]


# B and C are kinds of A, which has no nodes of its own; D is none of them
KINDS = (
    *("abs: type:A", "type:B flag:f", "type:C", "type:D"),
    *(("n1", "sub:", "n0"), ("n2", "sub:", "n0"), ("n0", "e", "n3"), ("n1", "g", "n3")),
)
# an A leads to a B, which leads to a C
CHAIN = ("type:A", "type:B", "type:C", ("n0", "e", "n1"), ("n1", "f", "n2"), ("n1", "g", "n2"))
ABC = ("type:A", "type:B", "type:C")


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


@together(
    ("rule", "message"),
    [
        (["type:E"], "node n0, label 'type:E': Unknown type. The type graph has A, B, C, D."),
        (["type:#E"], "node n0, label 'type:#E': Unknown type. The type graph has A, B, C, D."),
        (["type:B", "not: type:E"], "node n1, label 'type:E': Unknown type. The type graph has A, B, C, D."),
        (["type:B", "new: type:E"], "node n1, label 'type:E': Unknown type. The type graph has A, B, C, D."),
        (["type:B", ""], "node n1: The node has no type."),
        (["type:B", "not:", ("n0", "e", "n1")], "node n1: The node has no type."),
        (["type:B", "not:", ("n1", "=", "n0")], "node n1: The node has no type."),
        (["type:A type:B"], "node n0, label 'type:B': A node can have one type only."),
    ],
)
def test_a_node_without_a_known_type_of_its_own_is_refused(rule, message):
    assert problems(KINDS, rule) == [message]


@together(
    ("rule", "message"),
    [
        (["new: type:A"], "node n0: An abstract type cannot have nodes."),
        (["new: type:#A"], "node n0: An abstract type cannot have nodes."),
        (["forall:", "type:B", "new: type:A", ("n1", "@", "n0"), ("n2", "@", "n0")], "node n2: An abstract type"),
    ],
)
def test_a_rule_that_creates_a_node_of_an_abstract_type_is_refused(rule, message):
    (found,) = problems(KINDS, rule)
    assert found.startswith(message)


@together("rule", [["new: type:B"], ["new: type:#B"], ["type:A"], ["del: type:A"], ["type:A type:?t", "new: type:?t"]])
def test_an_abstract_type_can_be_matched_and_a_matched_type_created(rule):
    # of nodes that are found none is an A and no more, and so none that takes over the type of one
    assert problems(KINDS, rule) == []


@together(
    ("rule", "message"),
    [
        # only B is under A and has the flag or the edge; any A may be a C
        (["type:A flag:f"], "node n0, label 'flag:f': A has no such flag."),
        (["type:C flag:f"], "node n0, label 'flag:f': C has no such flag."),
        (
            ["type:A", "type:D", ("n0", "g", "n1")],
            "node n0, label 'g': No such edge leads from A to D. Its labels are e, flag:f, g.",
        ),
        (
            ["type:B", "type:D", ("n1", "g", "n0")],
            "node n1, label 'g': No such edge leads from D to B. Its labels are e, flag:f, g.",
        ),
        (
            ["type:A", "type:D", ("n0", "new:g", "n1")],
            "node n0, label 'new:g': No such edge leads from A to D. Its labels are e, flag:f, g.",
        ),
        (
            ["type:A type:?t", "type:D", "new: type:?t", ("n2", "new:g", "n1")],  # ?t may be C
            "node n2, label 'new:g': No such edge leads from A to D. Its labels are e, flag:f, g.",
        ),
    ],
)
def test_an_edge_that_the_type_graph_does_not_have_is_refused(rule, message):
    assert problems(KINDS, rule) == [message]


@together(
    "rule",
    [
        ["type:B flag:f"],
        ["type:B new:flag:f"],
        ["type:A", "type:D", ("n0", "e", "n1")],
        ["type:C", "type:D", ("n0", "e", "n1")],
        ["type:#B", "type:D", ("n0", "e", "n1"), ("n0", "del:g", "n1")],
        ["type:B", "type:D", ("n0", "new:g", "n1")],
        ["type:B type:?t", "type:D", "new: type:?t", ("n2", "new:g", "n1")],
    ],
)
def test_an_edge_of_a_type_or_its_supertype_is_accepted(rule):
    assert problems(KINDS, rule) == []


def test_an_edge_of_an_abstract_edge_type_is_matched_but_not_created():
    # the edges e of an A are abstract, those of a B, which is an A, are not
    types = (*ABC, ("n1", "sub:", "n0"), ("n0", "abs:e", "n2"), ("n1", "e", "n2"))
    assert problems(types, ["type:A", "type:C", ("n0", "e", "n1")]) == []
    assert problems(types, ["type:B", "type:C", ("n0", "new:e", "n1")]) == []
    (message,) = problems(types, ["type:A", "type:C", ("n0", "new:e", "n1")])
    assert message == "node n0, label 'new:e': The edge type A e C is abstract."


def test_types_stay_as_they_are():
    (deleted,) = problems(KINDS, ["type:B del:type:B"])
    (created,) = problems(KINDS, ["type:A new:type:B"])
    assert deleted == "node n0, label 'type:B': The type of a node cannot be deleted."
    assert created == "node n0, label 'new:type:B': The type of an existing node cannot be set."
    assert problems(KINDS, ["del: type:B"]) == []


def test_a_value_of_a_type_that_no_node_has_is_refused():
    types = ("type:A int:n string:s",)
    assert problems(types, ["type:A", "int:", ("n0", "n", "n1")]) == []
    (unknown,) = problems(types, ["type:A", "int:", "bool:true", ("n0", "n", "n1")])
    assert unknown == "node n2: The type graph has no values of type bool."
    values = ["type:A", "int:", "string:", ("n0", "n", "n1"), ("n0", "s", "n2"), ("n1", "=", "n2")]
    assert problems(types, values) == ["node n1: int cannot be equal to string."]


@together(
    ("rule", "names"),
    [
        (["type:B", "type:C", ("n0", "!=", "n1")], "B cannot be equal to C."),
        (["type:A", "type:D", ("n0", "=", "n1")], "A cannot be equal to D."),
        (["type:B", "type:A", ("n0", "!=", "n1")], ""),
        (["type:A", "type:B", ("n0", "=", "n1")], ""),
        (["type:C", "not: type:A", ("n1", "=", "n0")], ""),
        (["type:C", "not: type:D", ("n1", "=", "n0")], "D cannot be equal to C."),
    ],
)
def test_nodes_can_be_equal_if_a_type_is_under_both_of_theirs(rule, names):
    found = problems(KINDS, rule)
    assert [each.partition(": ")[2] for each in found] == ([names] if names else [])


# ── wildcards ────────────────────────────────────────────────────────────────────────────────────


@together(
    ("rule", "message"),
    [
        (["type:?[E]"], "node n0, label 'type:?[E]': No node can be of all these types."),
        (["type:A type:?[D]"], "node n0, label 'type:?[D]': No node can be of all these types."),
        (["type:B type:?[^A]"], "node n0, label 'type:?[^A]': No node can be of all these types."),
        (["type:?[B,D]"], "node n0: The node may be B, D, which have no common type."),
        (["type:?"], "node n0: The node may be A, B, C, D, which have no common type."),
    ],
)
def test_a_wildcard_of_types_that_no_node_or_unrelated_nodes_fit_is_refused(rule, message):
    assert problems(KINDS, rule) == [message]


@together(
    "rule",
    [
        ["type:?[B] flag:f"],
        ["type:?[A]", "type:D", ("n0", "e", "n1")],
        ["type:?[^D]", "type:D", ("n0", "e", "n1")],  # only A, B and C remain
        ["type:B type:?[A]"],  # a B is an A
        ["type:A type:?[B]"],
        ["type:A type:?[^D]"],
        ["type:B type:?t", "type:A type:?t"],
    ],
)
def test_a_wildcard_of_types_that_some_node_fits_is_accepted(rule):
    assert problems(KINDS, rule) == []


def test_nodes_of_one_type_variable_have_a_type_in_common():
    # a B is no C, and neither is a D an A; all nodes that share the variable are to blame
    message = "No type fits the labels of this node."
    assert problems(KINDS, ["type:B type:?t", "type:C type:?t"]) == [f"node n0: {message}", f"node n1: {message}"]
    assert problems(KINDS, ["type:B type:?t", "type:A type:?t", "type:D", ("n0", "g", "n2")]) == []


@together(
    ("rule", "label"),
    [
        (["type:A flag:?"], "flag:?"),  # only B, which is below, has a flag
        (["type:C flag:?x"], "flag:?x"),
        (["type:B flag:?[^f]"], "flag:?[^f]"),
        (["type:D", "type:B", ("n0", "?", "n1")], "?"),
        (["type:C", "type:D", ("n0", "?[g]", "n1")], "?[g]"),
        (["type:B", "type:D", ("n0", "?x[^e,g]", "n1")], "?x[^e,g]"),
        (["type:B", "not: type:D", ("n0", "?[h]", "n1")], "?[h]"),
    ],
)
def test_a_wildcard_that_matches_nothing_is_refused(rule, label):
    assert problems(KINDS, rule) == [f"node n0, label '{label}': The wildcard matches nothing in the type graph here."]


@together(
    "rule",
    [
        ["type:B flag:?"],
        ["type:B flag:?x[f]"],
        ["type:B flag:?[^g]"],
        ["type:A", "type:D", ("n0", "?", "n1")],
        ["type:B", "type:D", ("n0", "?x[g]", "n1")],
        ["type:C", "type:D", ("n0", "?[^g]", "n1")],
        ["type:?[A] flag:?"],  # without a declared type the node may be a B
        ["type:B", "not: type:D", ("n0", "?[g,h]", "n1")],
    ],
)
def test_a_wildcard_that_matches_an_edge_is_accepted(rule):
    assert problems(KINDS, rule) == []


def test_a_label_variable_has_one_label_wherever_it_occurs():
    # ?x is g at B, and a C has no g
    rule = ["type:B", "type:D", ("n0", "?x[g]", "n1"), "type:C", ("n2", "?x", "n1")]
    assert problems(KINDS, rule) == ["node n2, label '?x': The wildcard matches nothing in the type graph here."]
    assert problems(KINDS, ["type:B", "type:D", ("n0", "?x[e]", "n1"), "type:C", ("n2", "?x", "n1")]) == []


def test_an_edge_with_a_label_variable_is_created_if_every_label_fits():
    found = ["type:B", "type:D", "type:C", ("n0", "?x", "n1"), ("n2", "new:?x", "n1")]  # e or g, of which C has e
    assert problems(KINDS, found) == ["node n2, label 'new:?x': ?x may be B g D, which cannot be created here."]
    for guarded, place in (("?x[e]", "n2"), ("?x[^g]", "n2"), ("?x", "n0")):
        rule = ["type:B", "type:D", "type:C", ("n0", guarded, "n1"), (place, "new:?x", "n1")]
        assert problems(KINDS, rule) == []


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


@together(
    ("source", "path", "target"),
    [
        ("A", "e.f", "C"),
        ("A", "path:e", "B"),
        ("C", "-(e.f)", "A"),
        ("C", "-f.-e", "A"),
        ("A", "e.-e", "A"),
        ("A", "(e|f)+", "C"),
        ("A", "e.(f|g)*", "C"),
        ("A", "(e|f)*", "C"),
        ("B", "f|-e", "A"),
        ("A", "?.?", "C"),
        ("A", "e.?[^f]", "C"),
        ("A", "path:e.type:B.f", "C"),
        ("A", "path:type:?.e.type:?[^A].f", "C"),
        ("A", "=", "A"),
        ("A", "e.=.f", "C"),
        ("A", "not:e.f", "C"),
    ],
)
def test_a_path_that_the_types_allow_is_accepted(source, path, target):
    assert problems(CHAIN, [f"type:{source}", f"type:{target}", ("n0", path, "n1")]) == []


@together(
    ("source", "path", "target"),
    [
        ("A", "e.f", "B"),
        ("B", "e.f", "C"),
        ("C", "e.f", "A"),
        ("A", "-(e.f)", "C"),
        ("A", "e.-e", "B"),
        ("C", "(e|f)+", "A"),
        ("B", "(e|f)+", "B"),
        ("A", "(e|f).-?[e]", "C"),
        ("A", "e|f", "C"),
        ("B", "?.?", "C"),
        ("A", "path:type:A.e", "C"),
        ("A", "=", "B"),
        ("A", "not:e.f", "A"),
    ],
)
def test_a_path_between_nodes_that_it_cannot_connect_is_refused(source, path, target):
    (message,) = problems(CHAIN, [f"type:{source}", f"type:{target}", ("n0", path, "n1")])
    if path == "=":
        assert message == f"node n0: {source} cannot be equal to {target}."
    else:
        assert message == f"node n0, label '{path}': No such path leads from {source} to {target}."


@together(
    ("path", "part"),
    [
        ("e.h", "h"),
        ("f.e", "f.e"),  # an f ends at a C, from which no edge leads
        ("(e.e)+|f", "e.e"),
        ("e|h", "h"),
        ("e.?[h]", "?[h]"),
        ("e.-?[^e,f,g]", "?[^e,f,g]"),
        ("path:type:B.e", "type:B.e"),
        ("path:e.type:?[D]", "type:?[D]"),
        ("path:e.type:Z", "type:Z"),
        ("path:type:Z|h", "type:Z"),
        ("path:e.flag:?", "flag:?"),
    ],
)
def test_a_path_with_a_part_that_matches_nowhere_is_refused(path, part):
    (message,) = problems(CHAIN, ["type:A", "type:C", ("n0", path, "n1")])
    assert message == f"node n0, label '{path}': The type graph has no such path: {part}."


def test_a_path_leads_over_the_types_that_its_nodes_may_have():
    # B is an A, and only a B has an f
    types = (*ABC, ("n1", "sub:", "n0"), ("n0", "e", "n0"), ("n1", "f", "n2"))
    assert problems(types, ["type:A", "type:C", ("n0", "e.f", "n1")]) == []  # the path goes over a B
    assert problems(types, ["type:A", "type:C", ("n0", "f+", "n1")]) == []  # the A may be a B
    (message,) = problems(types, ["type:#A", "type:C", ("n0", "f+", "n1")])
    assert message == "node n0, label 'f+': No such path leads from A to C."
    assert problems(types, ["type:#A", "type:C", ("n0", "e.f", "n1")]) == []


def test_a_path_cannot_pass_over_a_node_of_an_abstract_type_alone():
    types = ("abs: type:A", "type:B", "type:C", ("n1", "e", "n0"), ("n0", "f", "n2"))
    rule = ["type:B", "type:C", ("n0", "path:e.type:A.f", "n1")]
    assert problems(types, rule) == [
        "node n0, label 'path:e.type:A.f': The type graph has no such path: type:A.",
    ]
    assert problems((*types, "type:D", ("n3", "sub:", "n0")), rule) == []


def test_a_label_variable_restricts_a_path():
    edges = [("n0", "?x", "n1"), ("n1", "?y", "n2")]
    assert problems(CHAIN, [*ABC, *edges, ("n0", "path:?x.?y", "n2")]) == []
    assert problems(CHAIN, [*ABC, *edges, ("n0", "path:?x.?x", "n2")]) == [
        "node n0, label 'path:?x.?x': The type graph has no such path: ?x.?x."  # the label ?x can only be e
    ]
    typed = ["type:B type:?t", "type:A", "type:C"]
    assert problems(CHAIN, [*typed, ("n1", "path:e.type:?t.f", "n2")]) == []
    assert problems(CHAIN, [*typed, ("n1", "path:type:?t.e", "n2")]) == [
        "node n1, label 'path:type:?t.e': The type graph has no such path: type:?t.e."
    ]


# ── paths of which the rule deletes an edge ──────────────────────────────────────────────────────


@together(
    ("edges", "path", "deleted"),
    [
        ([("n0", "e.f", "n2"), ("n1", "del:f", "n2")], "e.f", "f"),
        ([("n0", "e.?", "n2"), ("n1", "del:g", "n2")], "e.?", "g"),
        ([("n0", "e.(f|g)", "n2"), ("n1", "del:g", "n2")], "e.(f|g)", "g"),
        ([("n2", "-(e.f)", "n0"), ("n0", "del:e", "n1")], "-(e.f)", "e"),
        ([("n0", "(e|f)+", "n2"), ("n0", "del:e", "n1")], "(e|f)+", "e"),
        ([("n0", "e.=.f", "n2"), ("n1", "del:f", "n2")], "e.=.f", "f"),
        ([("n0", "e.f", "n2"), ("n1", "del:?x", "n2")], "e.f", "f"),
        (["del: type:B", ("n0", "e", "n3"), ("n3", "f", "n2"), ("n0", "e.f", "n2")], "e.f", "e"),
        (["forall:", "type:B", ("n4", "@", "n3"), ("n4", "del:f", "n2"), ("n0", "e.f", "n2")], "e.f", "f"),
        (["forall:", "type:C", ("n4", "@", "n3"), ("n0", "e.g", "n4"), ("n0", "del:e", "n1")], "e.g", "e"),
    ],
)
def test_a_path_that_may_use_a_deleted_edge_is_refused_under_dpo(edges, path, deleted):
    (message,) = problems(CHAIN, [*ABC, *edges], parallelEdges="DPO")
    what = f"This path may use an edge {deleted} that the rule deletes (see ignoreRegExp)."
    assert message == f"node n{2 if path.startswith('-') else 0}, label '{path}': {what}"
    assert problems(CHAIN, [*ABC, *edges], parallelEdges="DPO", ignoreRegExp="true") == []
    assert problems(CHAIN, [*ABC, *edges], parallelEdges="SPO") == []
    assert problems(CHAIN, [*ABC, *edges]) == []


@together(
    "edges",
    [
        [("n0", "e.f", "n2"), ("n1", "del:g", "n2")],
        [("n0", "e.?[^g]", "n2"), ("n1", "del:g", "n2")],
        [("n0", "e.f", "n2"), ("n1", "del:?x[g]", "n2")],
        [("n0", "(e|f)+", "n1"), ("n1", "del:f", "n2")],  # after the f it could not come back to a B
        [("n0", "e|-f", "n1"), ("n0", "del:e", "n1")],  # single edges, which the match names
        [("n0", "=", "n0"), ("n0", "del:e", "n1")],
        [("n0", "e.f|f.-f.f", "n2"), ("n1", "del:g", "n2")],
        [("n0", "e.f", "n2")],
    ],
)
def test_a_path_that_cannot_use_a_deleted_edge_is_accepted_under_dpo(edges):
    assert problems(CHAIN, [*ABC, *edges], parallelEdges="DPO") == []


# ── mergers ──────────────────────────────────────────────────────────────────────────────────────

# B and C are kinds of A, and D is none
FAMILY = (*ABC, "type:D", ("n1", "sub:", "n0"), ("n2", "sub:", "n0"))


@together(
    ("source", "target"),
    [("A", "A"), ("A", "#A"), ("A", "B"), ("B", "A"), ("B", "C"), ("B", "D"), ("D", "B"), ("#A", "D")],
)
def test_a_merger_that_could_lose_the_type_of_a_node_is_refused(source, target):
    # in every match the source becomes a node of its own type or of a subtype of that
    found = problems(FAMILY, [f"type:{source}", f"type:{target}", ("n0", "new:=", "n1")])
    one, other = source.removeprefix("#"), target.removeprefix("#")
    assert found == [f"node n0: This {one} may be of a subtype of {other}. Use type:#."]


@together(
    ("source", "target"),
    [("#A", "A"), ("#A", "#A"), ("#A", "B"), ("B", "B"), ("D", "D")],
)
def test_a_merger_into_the_same_type_or_a_subtype_is_accepted(source, target):
    assert problems(FAMILY, [f"type:{source}", f"type:{target}", ("n0", "new:=", "n1")]) == []


def test_a_node_is_merged_into_one_node_only():
    into_two = ["type:D", "type:D", "type:D", ("n0", "new:=", "n1"), ("n0", "new:=", "n2")]
    assert problems(FAMILY, into_two) == ["node n0: A node can be merged into one other node only."]
    two_into_one = ["type:#A", "type:#A", "type:B", ("n0", "new:=", "n2"), ("n1", "new:=", "n2")]
    assert problems(FAMILY, two_into_one) == []


def test_nodes_that_may_be_equal_are_not_merged_into_nodes_of_types_without_order():
    def rule(one, other, *more):
        return ["type:#A", "type:#A", one, other, ("n0", "new:=", "n2"), ("n1", "new:=", "n3"), *more]

    message = "node n1: Nodes that may be equal are merged into nodes of different types."
    assert problems(FAMILY, rule("type:B", "type:C")) == [message]
    assert problems(FAMILY, rule("type:B", "type:A")) == [message]  # the second may be a C
    assert problems(FAMILY, rule("type:B", "type:B")) == []
    assert problems(FAMILY, rule("type:B", "type:#A")) == []  # together they become a B
    assert problems(FAMILY, rule("type:B", "type:C", ("n0", "!=", "n1"))) == []
    assert problems(FAMILY, rule("type:B", "type:C"), matchInjective="true") == []
    unequal = ["type:#A", "type:D", "type:B", "type:D", ("n0", "new:=", "n2"), ("n1", "new:=", "n3")]
    assert problems(FAMILY, unequal) == []


@together(
    ("target", "message"),
    [
        ("A", "node n0: A node is merged into nodes of different types."),  # one match may find a B, another a C
        ("B", ""),
        ("#A", ""),
    ],
)
def test_a_node_merged_into_each_match_of_a_quantifier_has_one_type(target, message):
    rule = ["type:#A", "forall:", f"type:{target}", ("n2", "@", "n1"), ("n0", "new:=", "n2")]
    assert problems(FAMILY, rule) == ([message] if message else [])
    once = ["type:#A", "exists:", f"type:{target}", ("n2", "@", "n1"), ("n0", "new:=", "n2")]
    assert problems(FAMILY, once) == []


def test_a_node_merged_into_nodes_of_one_type_variable_has_one_type():
    rule = ["type:#A", "forall:", "type:A type:?t", ("n2", "@", "n1"), ("n0", "new:=", "n2"), "type:A type:?t"]
    assert problems(FAMILY, rule) == []


def test_each_match_of_a_quantifier_can_be_merged_into_one_node():
    rule = ["type:B", "forall:", "type:#A", ("n2", "@", "n1"), ("n2", "new:=", "n0")]
    assert problems(FAMILY, rule) == []


# ── quantifiers and embargoes ────────────────────────────────────────────────────────────────────


@together("quantifier", ["forall:", "forallx:", "exists:", "existsx:"])
def test_the_nodes_of_a_quantifier_are_typed(quantifier):
    level = [quantifier, "type:B", ("n2", "@", "n1")]
    assert problems(CHAIN, ["type:A", *level, ("n0", "e", "n2")]) == []
    assert problems(CHAIN, ["type:A", *level, ("n2", "e", "n0")]) == [
        "node n2, label 'e': No such edge leads from B to A. Its labels are e, f, g."
    ]
    assert problems(CHAIN, ["type:A", quantifier, "", ("n2", "@", "n1")]) == ["node n2: The node has no type."]


def test_errors_of_a_quantifier_are_reported_after_those_around_it_are_gone():
    level = ["forall:", "type:B", ("n2", "@", "n1"), ("n2", "e", "n2")]
    (outer,) = problems(CHAIN, ["type:A flag:f", *level])
    assert outer == "node n0, label 'flag:f': A has no such flag."
    (inner,) = problems(CHAIN, ["type:A", *level])
    assert inner == "node n2, label 'e': No such edge leads from B to B. Its labels are e, f, g."


def test_the_types_of_an_embargo_are_checked_together_with_those_of_the_nodes_around_it():
    assert problems(CHAIN, ["type:A", "not: type:B", ("n0", "e", "n1")]) == []
    assert problems(CHAIN, ["type:A", "type:B", ("n0", "not:e", "n1")]) == []
    no_edge = "No such edge leads from A to C. Its labels are e, f, g."
    assert problems(CHAIN, ["type:A", "not: type:C", ("n0", "e", "n1")]) == [f"node n0, label 'e': {no_edge}"]
    assert problems(CHAIN, ["type:A", "type:C", ("n0", "not:e", "n1")]) == [f"node n0, label 'not:e': {no_edge}"]
    within = ["type:A", "forall:", "type:B", ("n2", "@", "n1"), "not: type:C", ("n3", "@", "n1")]
    assert problems(CHAIN, [*within, ("n2", "f", "n3")]) == []
    assert problems(CHAIN, [*within, ("n2", "e", "n3")]) == [
        "node n2, label 'e': No such edge leads from B to C. Its labels are e, f, g."
    ]


def test_an_embargo_may_forbid_a_subtype_but_no_type_that_the_node_cannot_have():
    assert problems(FAMILY, ["type:A not:type:B"]) == []
    assert problems(FAMILY, ["type:B not:type:C"]) == [
        "node n0, label 'not:type:C': No node can be of all these types."
    ]
    level = ["exists=q:", "type:D", ("n2", "@", "n1")]
    assert problems(FAMILY, ["type:A use=q:type:B", *level]) == []
    assert problems(FAMILY, ["type:B use=q:type:D", *level]) == [
        "node n0, label 'use=q:type:D': No node can be of all these types."
    ]


# ── relations of paths ───────────────────────────────────────────────────────────────────────────

NAMES = [f"type:{name}" for name in "ABCD"]
LABELS = ["a", "b", "c", "flag:f"]


@some.composite
def random_types(draw) -> Types:
    """Four types with some inheritance and edges, as many as go together."""
    graph = drawn("type", "type", *NAMES)
    pairs = [(one, other) for one in range(4) for other in range(one)]
    for one, other in draw(some.sets(some.sampled_from(pairs), max_size=3)):
        graph.edge(f"n{one}", "sub:", f"n{other}")
    places = some.sampled_from(list(graph.nodes))
    for source, label, target in draw(some.lists(some.tuples(places, some.sampled_from(LABELS), places), min_size=3)):
        larger = Graph("type", "type", dict(graph.nodes), list(graph.edges))
        larger.edge(source, label, source if label.startswith("flag:") else target)
        try:
            types_of([larger])
        except GrammarError:  # an edge could be of two types
            continue
        graph = larger
    return types_of([graph])


GUARDS = some.frozensets(some.sampled_from("abc"), min_size=1, max_size=2)
STEPS = some.one_of(
    some.sampled_from("abc").map(Atom),
    some.sampled_from(NAMES).map(Atom),
    some.builds(Wildcard, some.just(""), some.none(), some.none() | GUARDS, some.booleans()),
    some.builds(Wildcard, some.just("type"), some.none(), some.frozensets(some.sampled_from("ABCD")), some.booleans()),
    some.just(Wildcard("flag")),
)


@some.composite
def random_paths(draw, depth=3) -> Part:
    """Paths without `=` and `*`, which relate a node to itself."""
    shape = draw(some.sampled_from(["step", "sequence", "choice", "inverse", "repeat"])) if depth else "step"
    if shape == "step":
        return draw(STEPS)
    inner = random_paths(depth - 1)
    if shape in ("inverse", "repeat"):
        return Inverse(draw(inner)) if shape == "inverse" else Repeat(draw(inner), "+")
    parts = tuple(draw(some.lists(inner, min_size=2, max_size=3)))
    return Sequence(parts) if shape == "sequence" else Alternative(parts)


class Walker:
    """Walks over types one step at a time; a place is a type, with whether the walk has used a certain edge type."""

    def __init__(self, types: Types, marked: EdgeType | None = None) -> None:
        self.types, self.marked = types, marked

    def is_a(self, name: str, other: str) -> bool:
        return other in self.types.above[name]

    def steps(self, part: Atom | Wildcard, here: str, against: bool) -> Iterator[tuple[str, EdgeType | None]]:
        """Where one step leads, and over which edge."""
        kind = "type" if part in map(Atom, NAMES) else part.kind if isinstance(part, Wildcard) else ""
        if kind == "type":
            guard = {part.label[5:]} if isinstance(part, Atom) else part.guard
            is_within = any(self.is_a(here, f"type:{each}") for each in guard)
            if is_within != (isinstance(part, Wildcard) and part.negated):
                yield here, None
            return
        for each in self.types.edges:
            if each.label.startswith("flag:") != (kind == "flag"):
                continue
            if isinstance(part, Atom) and each.label != part.label:
                continue
            if isinstance(part, Wildcard) and part.guard and (each.label in part.guard) == part.negated:
                continue
            one, other = (each.target, each.source) if against else (each.source, each.target)
            if self.is_a(here, one):
                for name in NAMES:
                    if self.is_a(name, other) and (kind != "flag" or name == here):
                        yield name, each

    def ends(self, part: Part, here: tuple[str, bool], against: bool = False) -> set[tuple[str, bool]]:
        match part:
            case Inverse(inner):
                return self.ends(inner, here, not against)
            case Alternative(parts):
                return {end for each in parts for end in self.ends(each, here, against)}
            case Sequence(parts):
                places = {here}
                for each in reversed(parts) if against else parts:
                    places = {end for place in places for end in self.ends(each, place, against)}
                return places
            case Repeat(inner, "+"):
                found, waiting = set(), [here]
                while waiting:
                    new = self.ends(inner, waiting.pop(), against) - found
                    found |= new
                    waiting += new
                return found
        assert isinstance(part, Atom | Wildcard)
        name, used = here
        return {
            (end, used or (edge is not None and edge == self.marked)) for end, edge in self.steps(part, name, against)
        }


def parts_of(part: Part) -> Iterator[Part]:
    """The parts of a path, and the path itself."""
    for each in getattr(part, "parts", ()) or [getattr(part, "part", None)]:
        if each is not None:
            yield from parts_of(each)
    yield part


def pairs_of(part: Part, types: Types) -> set[tuple[str, str]]:
    walker = Walker(types)
    return {(start, end) for start in NAMES for end, _ in walker.ends(part, (start, False))}


@properties(200)
@given(random_types(), random_paths())
def test_the_relation_of_a_path_has_the_ends_of_all_walks(types, part):
    impossible = [each for each in parts_of(part) if not isinstance(each, Alternative) and not pairs_of(each, types)]
    if impossible:
        with pytest.raises(NoType) as error:
            related(part, types, {})
        assert error.value.part in impossible
    else:
        assert related(part, types, {}) == pairs_of(part, types)


@properties(200)
@given(
    random_types(),
    random_paths(),
    some.sets(some.sampled_from(NAMES), min_size=1),
    some.sets(some.sampled_from(NAMES), min_size=1),
)
def test_the_edges_on_a_path_are_those_that_some_walk_uses(types, part, sources, targets):
    if Wildcard("flag") in parts_of(part) or not all(pairs_of(each, types) for each in parts_of(part)):
        return  # flags lead nowhere, and what has no walks is refused before
    expected = {
        edge
        for edge in types.edges
        for start in sources
        if not targets.isdisjoint(end for end, used in Walker(types, edge).ends(part, (start, False)) if used)
    }
    assert covered(part, types, {}, sources, targets) == expected


def test_the_relation_of_a_repeated_path_grows_with_each_step():
    # a ring of types: after any number of steps each leads to each, after exactly two only to the one after next
    ring = types_of([drawn("type", "type", *ABC, ("n0", "a", "n1"), ("n1", "a", "n2"), ("n2", "a", "n0"))])
    two = {("type:A", "type:C"), ("type:B", "type:A"), ("type:C", "type:B")}
    assert related(parse("a.a").part, ring, {}) == two
    assert len(related(parse("a+").part, ring, {})) == 9
    assert len(related(parse("(a.a)+").part, ring, {})) == 9
    assert related(parse("(a.a.a)+").part, ring, {}) == {(name, name) for name in ring.names}
