"""GROOVE's language: small grammars whose states and transitions are counted by hand."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from pentad.grammar import GrammarError, explore
from pentad.grammar.graph import Edge, GrammarErrors
from pentad.grammar.simulation import Simulation
from pentad.grammar.system import problems_of
from tests.cases import together
from tests.grammar.small_grammars import counts, drawn, made

# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def test_an_unconnected_new_node_is_created_for_each_match():
    """Two nodes A: the rule makes two nodes B at once, then four, and so on; the control lets it happen once."""
    grow = ["forall:", "type:A", "new: type:B", ("n1", "@", "n0"), ("n2", "@", "n0")]
    grammar = made(["type:A", "type:A"], {"grow": grow}, "grow;")
    found = explore(grammar)
    assert (found.states, found.transitions) == (2, 1)
    assert sum("type:B" in found.lts.graph(1).labels(node) for node in found.lts.graph(1).nodes) == 2


def test_a_conditionally_created_node_is_created_once():
    """`cnew:` forbids a node of its type; then the rule makes one. A second state, and no more."""
    grammar = made(["type:A"], {"one": ["type:A", "cnew: type:B"]})
    assert counts(grammar) == (2, 1)


def test_a_conditional_node_is_forbidden_with_all_that_is_connected():
    """B is there but has no edge `not:x`, which forbids with it: three states, as a B without an x is made twice.

    The forbidden part is a node B with an edge x to A. The new node B has no such edge (`not:` is no effect), so that
    the rule could go on for ever; control lets it happen twice.
    """
    rule = ["type:A", "cnew: type:B", ("n1", "not:x", "n0")]
    assert counts(made(["type:A"], {"one": rule}, "one; one;")) == (3, 2)


def test_an_operator_in_a_negative_condition():
    """Of the values 2, 1, 0 the rule marks one unless a marked node has a value larger by one.

    The node with 1 is marked from the start. So 0 is never marked, and 2 is: two states; 1 is marked again, which
    changes nothing: in both states the rule applies to 2 and to 1.
    """
    rule = [
        *("new:flag:mark", "int:", "not: flag:mark", "not: int:", "int:1", "not: prod:"),
        *(("n0", "x", "n1"), ("n2", "x", "n3"), ("n5", "arg:0", "n3"), ("n5", "arg:1", "n4"), ("n5", "int:sub", "n1")),
    ]
    start = ["let:x=2", "flag:mark let:x=1", "let:x=0"]
    # From the start: 2 is marked (a new state), 1 again (the same). Then 2 and 1 are marked, and 1 = 2 - 1 forbids 1.
    assert counts(made(start, {"mark": rule})) == (2, 3)


def test_an_empty_label_is_ignored():
    grammar = made(["type:A"], {"look": ["type:A"]})
    grammar.rules["look"].edges.append(Edge("n0", "", "n0"))
    assert counts(grammar) == (1, 1)


def test_a_forbidden_value():
    """`not:int:`: an A without any n. Of the two nodes one has an n."""
    rule = ["type:A new:flag:seen", "not:int:", ("n0", "n", "n1")]
    assert counts(made(["type:A let:n=1", "type:A"], {"look": rule}, "look;")) == (2, 1)


def test_a_type_with_a_type_variable():
    """Two nodes A and one B; the rule finds nodes A and makes another of the type that it found, which is A.

    Once: one more A. Which of the two was found makes no difference, as only the type is of use: one transition.
    """
    rule = ["type:A type:?x", "new: type:?x"]
    assert counts(made(["type:A", "type:A", "type:B"], {"copy": rule}, "copy;")) == (2, 1)


def test_a_wildcard_at_a_node_with_a_type_variable():
    # B under A has an edge to an A, and there is a B with one to itself. A node of any type may be that B: 1 match, of
    # a rule that changes nothing. An A as such has no edge
    start, types = ["type:B", ("n0", "e", "n0")], ("type:A", "type:B", ("n1", "sub:", "n0"), ("n1", "e", "n0"))
    assert counts(made(start, {"look": ["!", "type:?t ?[^f]"]}, types=types)) == (1, 1)
    with pytest.raises(GrammarError, match="wildcard matches nothing"):
        explore(made(start, {"look": ["!", "type:A ?[^f]"]}, types=types))


def test_a_forbidden_test():
    """`not:test:n==1` forbids an n that is not 1: of the values 1, 2, 3 and none at all it leaves 1 and none."""
    rule = ["type:A par:0 not:test:n==1"]
    assert counts(made(["type:A let:n=1", "type:A let:n=2", "type:A let:n=3", "type:A"], {"look": rule})) == (1, 2)


def test_an_expression_as_a_value():
    """The second node's n is the first one's plus one: of 1, 2, 4 only the pair 1 and 2."""
    rule = ["type:A par:0", "type:A par:1", "id:x int:", "int:x+1", ("n0", "n", "n2"), ("n1", "n", "n3")]
    assert counts(made(["type:A let:n=1", "type:A let:n=2", "type:A let:n=4"], {"next": rule})) == (1, 1)


def test_the_count_of_a_quantifier_in_an_expression():
    """Three nodes B: `q.count` is 3, which becomes the value of n; the second time nothing changes."""
    rule = ["type:A let:n=q.count", "forall=q:", "type:B", ("n2", "@", "n1")]
    assert counts(made(["type:A let:n=0", "type:B", "type:B", "type:B"], {"count": rule})) == (2, 2)


def test_a_conditionally_created_field():
    """`cnew:let:n=1` where there is no n = 1: the value 1 is added beside 0, once."""
    rule = ["type:A cnew:let:n=1"]
    assert counts(made(["type:A let:n=0"], {"add": rule})) == (2, 1)


@pytest.mark.parametrize(("operator", "value"), [("sum", 9), ("prod", 24), ("bigmin", 2), ("bigmax", 4)])
def test_an_aggregate_over_all_matches(operator, value):
    """The numbers 2, 3 and 4."""
    rule = [f"type:A let:n=int:{operator}(b.m)", "forallx:", "id:b type:B", ("n2", "@", "n1")]
    found = explore(made(["type:A let:n=0", *(f"type:B let:m={m}" for m in (2, 3, 4))], {"all": rule}, "all;"))
    assert found.states == 2
    assert f"let:n = {value}" in found.lts.graph(1).labels("n0")


def test_a_sharp_type_without_a_type_graph():
    """Without types `type:#B` is any node B."""
    assert counts(made(["type:A", "type:B", "type:B"], {"look": ["type:#B par:0"]})) == (1, 2)


@pytest.mark.parametrize(("label", "found"), [("del:?", 3), ("del:flag:?", 2)])
def test_wildcards_without_a_name_match_any_label(label, found):
    """Three edges from A to B, and two flags on A: each is an application of its own."""
    flags = label.startswith("del:flag")
    rule = [f"type:A {label}"] if flags else ["type:A", "type:B", ("n0", label, "n1")]
    start = ["type:A flag:f flag:g", "type:B", *(("n0", each, "n1") for each in "abc")]
    grammar = made(start, {"take": rule}, "take;")
    assert counts(grammar) == (1 + found, found)


# ── graphs ───────────────────────────────────────────────────────────────────────────────────────


def test_remarks_are_ignored():
    """A node `rem:` is not there, with all that hangs on it; the rule finds one A."""
    start = ["type:A", "rem: rem:a_note", ("n1", "points to", "n0"), ("n0", "rem:see", "n1")]
    grammar = made(start, {"look": ["type:A par:0"], "any": ["par:0"]})
    assert counts(grammar) == (1, 2)


def test_nodes_with_the_same_name_are_merged():
    """Both are A and have the edges of both: from n0 to B and from n1 to C."""
    start = ["type:A id:x", "type:A id:x", "type:B", "type:C", ("n0", "e", "n2"), ("n1", "e", "n3")]
    rule = ["type:A par:0", "type:B", "type:C", ("n0", "e", "n1"), ("n0", "e", "n2")]
    assert counts(made(start, {"look": rule})) == (1, 1)


# ── types ────────────────────────────────────────────────────────────────────────────────────────

FAMILY = ("type:A", "type:B", "type:C", ("n1", "sub:", "n0"), ("n2", "sub:", "n0"), ("n0", "e", "n0"))


def test_merged_nodes_keep_the_most_specific_type():
    """A and B become one B. The rule merges an A that is no more than that into a B."""
    rule = ["type:#A", "type:B", ("n0", "new:=", "n1")]
    found = explore(made(["type:A", "type:B", ("n0", "e", "n1")], {"merge": rule}, types=FAMILY))
    assert (found.states, found.transitions) == (2, 1)
    (node,) = found.lts.graph(1).nodes
    assert set(found.lts.graph(1).labels(node)) == {"type:B", "e"}


def test_a_sharp_type_matches_without_its_subtypes():
    """One A, one B, one C: `type:A` finds all three, `type:#A` one."""
    start = ["type:A", "type:B", "type:C"]
    assert counts(made(start, {"look": ["type:A par:0"]}, types=FAMILY)) == (1, 3)
    assert counts(made(start, {"look": ["type:#A par:0"]}, types=FAMILY)) == (1, 1)


def test_containment_has_no_cycles():
    """Two boxes side by side; the rule puts one into another. A box in a box is right, a circle of two is not.

    From the start each is put into the other (one state, up to isomorphism) or into itself (an error, from which
    nothing leads on): 4 transitions. From the right state: once more changes nothing, the whole into its part is a
    circle, and the whole or its part into itself are two more errors: 4 transitions. With the start 6 states.
    """
    rule = ["type:Box", "type:Box", ("n0", "new:in", "n1")]
    types = ("type:Box", ("n0", "part:in", "n0"))
    found = explore(made(["type:Box", "type:Box"], {"put": rule}, types=types))
    assert (found.states, found.transitions) == (6, 8)
    assert len(found.lts.broken) == 4


@together(
    ("types", "rule", "message"),
    [
        (FAMILY, ["type:D"], "look.gpr, node n0, label 'type:D': Unknown type. The type graph has A, B, C."),
        (FAMILY, ["flag:f"], "look.gpr, node n0: The node has no type."),
        (
            FAMILY,
            ["type:A", "type:A", ("n0", "f", "n1")],
            "look.gpr, node n0, label 'f': No such edge leads from A to A. Its labels are e.",
        ),
        (FAMILY, ["type:A flag:f"], "look.gpr, node n0, label 'flag:f': A has no such flag."),
        (
            FAMILY,
            [
                "type:A int:n",
            ],
            "look.gpr, node n0: A value has no field 'n'.",
        ),
        (FAMILY, ["type:A del:type:A"], "look.gpr, node n0, label 'type:A': The type of a node cannot be deleted."),
        (
            FAMILY,
            ["type:A new:type:B"],
            "look.gpr, node n0, label 'new:type:B': The type of an existing node cannot be set.",
        ),
        (
            FAMILY,
            ["type:A", "type:B", ("n0", "new:=", "n1")],
            "look.gpr, node n0: This A may be of a subtype of B. Use type:#.",
        ),
        (
            ("abs: type:A", "type:B", ("n1", "sub:", "n0")),
            ["new: type:A"],
            "look.gpr, node n0: An abstract type cannot have nodes.",
        ),
        (
            FAMILY,
            ["type:A", "type:A", ("n0", "e.f", "n1")],
            "look.gpr, node n0, label 'e.f': The type graph has no such path: f.",
        ),
        (
            FAMILY,
            ["type:A", "type:A", ("n0", "?[f]", "n1")],
            "look.gpr, node n0, label '?[f]': The wildcard matches nothing in the type graph here.",
        ),
        (("type:A", "type:B"), ["type:A", "type:B", ("n0", "=", "n1")], "look.gpr, node n0: A cannot be equal to B."),
        (("type:A", "type:B"), ["type:A", "type:B", ("n0", "!=", "n1")], "look.gpr, node n0: A cannot be equal to B."),
        (
            ("type:A", "type:B"),
            ["type:A", "not: type:B", ("n1", "=", "n0")],
            "look.gpr, node n1: B cannot be equal to A.",
        ),
    ],
)
def test_a_rule_that_contradicts_the_types_is_refused(types, rule, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(made(["type:B"], {"look": rule}, types=types))


@pytest.mark.parametrize(
    ("types", "message"),
    [
        (("flag:f",), "type.gty, node n0: A node of a type graph must have a type."),
        (("type:A type:B",), "type.gty, node n0, label 'type:B': A node can have one type only."),
        (
            ("type:A", "type:B", ("n0", "sub:", "n1"), ("n1", "sub:", "n0")),
            "type.gty: A and B are subtypes of each other.",
        ),
        (
            ("type:A", "type:B", ("n0", "sub:", "n1"), ("n0", "e", "n0"), ("n1", "e", "n1")),
            "type.gty, label 'e': An edge e may be of two types: A e A and B e B.",
        ),
        (
            ("type:A", ("n0", "in=2..1:e", "n0")),
            "type.gty, label 'in=2..1:e': The multiplicity '2..1' cannot be satisfied.",
        ),
        (("type:A", ("n0", "new:e", "n0")), "type.gty, node n0, label 'new:e': new: is not allowed in a type graph."),
    ],
)
def test_types_that_contradict_each_other_are_refused(types, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(made(["type:A"], {}, types=types))


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


@together(
    ("rule", "message"),
    [
        (["type:A id:x", "type:A id:x"], "look.gpr, node n1: Another node also has the name x."),
        (
            ["type:A", "forall:", "forall:", ("n1", "in", "n2"), ("n2", "in", "n1")],
            "look.gpr, node n2, label 'in': Quantifiers are nested in a cycle.",
        ),
        (
            ["type:A", "forall:", "forall:", ("n0", "@", "n1"), ("n0", "@", "n2")],
            "look.gpr, node n0, label '@': Two edges have the label @.",
        ),
        (
            ["type:A test:bool:n"],
            "look.gpr, node n0, label 'test:bool:n': A field alone is not a test. Compare it with a value.",
        ),
        (["type:A test:int:n+1"], "look.gpr, node n0, label 'test:int:n+1': int:n + 1 is of type int, not bool."),
        (["type:A test:n==m"], "look.gpr, node n0, label 'test:n==m': The operator '==' is ambiguous. Add a type."),
        (
            ['type:A test:int:n=="a"'],
            "look.gpr, node n0, label 'test:int:n==\"a\"': The operator '==' cannot be applied to int and",
        ),
        (
            ["int:", "type:A"],
            "look.gpr, node n0: The value of this int is undetermined. Use parin:, ask: or the family `point`.",
        ),
        (["id:x int:y", "id:y int:x"], "look.gpr, node n0: This value is defined by itself."),
        (
            ["type:A new:int:n"],
            "look.gpr, node n0, label 'new:int:n': A created field needs a value: let:name = value.",
        ),
        (["type:A new:let:true=1"], "look.gpr, node n0, label 'new:let:true=1': true is not a valid name of a field."),
        (["type:A par:0", "type:A par:0"], "look.gpr, node n1: Another parameter also has the number 0."),
        (["type:A new:flag:?x"], "look.gpr, node n0, label 'new:flag:?x': The variable ?x is never bound."),
        (
            ["type:A", "forall:", "not: type:B", "type:C", ("n3", "@", "n1"), ("n2", "e", "n3")],
            "look.gpr, node n2, label 'e': A forbidden edge is attached to a node of a deeper quantifier.",
        ),
        (
            ["exists=q:", "type:A let:n=q.count"],
            "look.gpr, node n0: Only the matches of forall: quantifiers can be counted.",
        ),
        (
            ["type:A let:n=int:sum(n)"],
            "look.gpr, node n0, label 'let:n=int:sum(n)': sum needs values exactly one level deeper.",
        ),
        (["mult=2:e"], "look.gpr, node n0, label 'mult=2:e': mult: is not allowed in a rule."),
        (
            ["type:A", "type:A", ("n0", "new:!=", "n1")],
            "look.gpr, node n0, label 'new:!=': An inequality cannot be created or deleted.",
        ),
        (["type:A", "type:A", ("n0", "del:=", "n1")], "look.gpr, node n0, label 'del:=': A path cannot be deleted."),
    ],
)
def test_an_invalid_rule_is_refused(rule, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(made(["type:A"], {"look": rule}))


def test_all_errors_are_reported_at_once():
    grammar = made(["type:A nwe:a", "type:A mult=2:e"], {"one": ["del: new:"], "other": ["type:A let:n"]})
    grammar.rules["third"] = drawn("rule", "third", "type:A", "new:use:a")
    with pytest.raises(GrammarErrors) as message:
        explore(grammar)
    assert [line.partition(",")[0] for line in message.value.lines] == [
        *("one.gpr", "other.gpr", "third.gpr", "start.gst", "start.gst")
    ]
    assert [str(error) for error in problems_of(grammar)] == list(message.value.lines)


# ── operations of a user's own, and error values ─────────────────────────────────────────────────


class Interval(NamedTuple):
    low: int
    high: int

    def length(self) -> int:
        return self.high - self.low


def one() -> int:
    return 1


def half(number: int) -> int:
    if number % 2:
        raise ValueError("an odd number")
    return number // 2


def test_an_exploration_with_user_operations():
    grammar = made(["type:A let:n_=_12"], {"halve": ["type:A let:n_=_half(n)"]}, userOperations="a.JavaClass")
    with pytest.raises(GrammarError, match="needs Python functions, passed as operations"):
        explore(grammar)
    found = explore(grammar, operations=[half])
    # 12, 6, 3, and half of 3 is none: an attribute must not be an error value, so nothing leads on from there.
    assert (found.states, found.transitions) == (4, 3)
    assert found.lts.broken == {3: ("an attribute is an error value",)}
    assert Simulation(grammar, operations=[half]).options[0].action == "halve"
    assert problems_of(grammar, [half]) == []
    grammar = made(["type:A"], {"measure": ["type:A new:let:length_=_length(Interval(one(),9))"]})
    simulation = Simulation(grammar, operations=[one, Interval])
    simulation.take(0)
    (node,) = simulation.graph.nodes
    assert sorted(simulation.graph.labels(node)) == ["let:length = 8", "type:A"]


def test_an_error_value_ends_the_path():
    # GROOVE counts the same: 3 and 4, and 4 and 18 without the policy.
    rules = {
        "divide": ["type:A let:n_=_n/0"],
        "equal": ["type:A par:0", "type:A par:1", "int:", ("n0", "n", "n2"), ("n1", "n", "n2")],
    }
    start = ["type:A let:n_=_1", "type:A let:n_=_2"]
    for engine in ("general", "auto"):
        found = explore(made(start, rules), engine=engine)
        assert (found.states, found.transitions, set(found.lts.broken)) == (3, 4, {1, 2})
    assert counts(made(start, rules, typePolicy="off")) == (4, 18)
    assert counts(made(start, rules, typePolicy="remove")) == (1, 2)
    with pytest.raises(
        GrammarError,
        match=r"^made: The compiled engine cannot run",
    ):
        explore(made(start, rules), engine="compiled")


def test_properties_are_not_tested_in_states_with_type_errors():
    # GROOVE counts 9 and 28, 10 and 40, 6 and 20.
    rules = {"join": ["type:A", "type:A", ("n0", "new:next", "n1"), ("n0", "not:next", "n1")], "has": ["type:A par:0"]}
    types = ["type:A", ("n0", "out=0..1:next", "n0")]
    for policy, expected in (("error", (9, 28)), ("off", (10, 40)), ("remove", (6, 20))):
        assert counts(made(["type:A", "type:A"], rules, types=types, typePolicy=policy)) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("int:n*n", "grow.gpr: An integer exceeds 4,000 digits."),
        ("string:n+n", "grow.gpr: A string exceeds 1,000,000 characters."),
    ],
)
def test_an_endlessly_growing_value_is_reported_with_its_rule(value, message):
    start = '"ab"' if "string" in value else "2"
    grammar = made([f"type:A let:n_=_{start}"], {"grow": [f"type:A let:n_=_{value}"]}, algebraFamily="big")
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(grammar)
