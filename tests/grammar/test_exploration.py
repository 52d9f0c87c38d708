"""Exploring: properties of a grammar, strategies, bounds, what is accepted, and what is refused in one line."""

import re
from itertools import count

import pytest

from pentad.grammar import Grammar, GrammarError, Graph, Simulation, explore
from pentad.grammar.models import new
from pentad.grammar.rules.types import read_bound
from pentad.grammar.states import engine
from tests.cases import together


def ring_of_two() -> Grammar:
    """Three nodes, one of A and two of B; edges to a B may be made from anywhere, and a B may be taken."""
    start = Graph("start")
    for label in "ABB":
        start.node(label)
    make, take = Graph("make", "rule"), Graph("take", "rule")
    make.edge(make.node(), "new:a", make.node("B"))
    take.node("del:", "B")
    return Grammar("two", {"start": start}, {"make": make, "take": take})


@pytest.mark.parametrize(
    ("properties", "states", "transitions"),
    [
        ({}, 41, 300),
        ({"checkIsomorphism": "false"}, 73, 536),
        ({"matchInjective": "true"}, 13, 64),
        ({"checkDangling": "true"}, 41, 230),
        ({"checkCreatorEdges": "true"}, 41, 188),
    ],
)
def test_properties_of_a_grammar(properties, states, transitions):
    """The numbers are those that GROOVE has in its own tests for such a grammar."""
    grammar = ring_of_two()
    grammar.properties = properties
    found = explore(grammar)
    assert (found.states, found.transitions) == (states, transitions)


def test_right_hand_sides_can_be_negative_conditions():
    grammar = ring_of_two()
    grammar.properties = {"rhsIsNAC": "true"}
    before = explore(ring_of_two()).transitions
    assert explore(grammar).transitions < before


def endless() -> Grammar:
    start, grow = Graph("start"), Graph("grow", "rule")
    start.node("type:Tip")
    old, fresh = grow.node("type:Tip"), grow.node("new:", "type:Leaf")
    grow.edge(old, "new:has", fresh)
    return Grammar("endless", {"start": start}, {"grow": grow})


def test_an_infinite_system_stops_at_its_bounds(monkeypatch: pytest.MonkeyPatch):
    by_states = explore(endless(), states=50)
    assert (by_states.states, by_states.stopped) == (50, "states")
    by_depth = explore(endless(), depth=7)
    assert (by_depth.states, by_depth.transitions, by_depth.stopped) == (9, 8, "depth")
    monkeypatch.setattr(engine, "used_memory", count().__next__)  # grows, unlike that of this old process
    by_memory = explore(endless(), engine="general", memory=0)
    assert by_memory.stopped == "memory"
    assert by_memory.states >= 1
    assert by_states.lts.open
    assert by_depth.lts.open


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
def test_the_strategy_does_not_change_the_state_space(strategy):
    found = explore(new("ferry"), strategy=strategy)
    assert (found.states, found.transitions) == (36, 84)


def test_a_linear_search_follows_a_single_path():
    line = explore(new("ferry"), strategy="linear")
    assert line.transitions in (line.states - 1, line.states)
    one, other = (explore(new("ferry"), strategy="random", seed=seed) for seed in (1, 1))
    assert list(one.lts) == list(other.lts)


def test_results_are_collected_and_end_the_search():
    found = explore(new("pentago", rows=1, cols=1, block=2, line=2, iso=False), accept="winH")
    assert found.results
    assert all("winH" in found.lts.enabled(state) for state in found.results)
    first = explore(new("pentago", rows=1, cols=1, block=2, line=2, iso=False), accept="winH", results=1)
    assert first.stopped == "results"
    assert first.results == found.results[:1]
    every = explore(new("ferry"), accept="any")
    assert len(every.results) == every.states


@pytest.mark.slow
def test_ctrl_c_keeps_the_results_so_far():
    def interrupt(states, transitions, todo):
        if states > 1000:
            raise KeyboardInterrupt

    found = explore(new("pentago"), progress=interrupt, engine="general")
    assert found.stopped == "interrupted"
    assert found.states > 1000
    assert found.transitions > 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"strategy": "best"}, "Unknown strategy 'best'. Strategies: bfs, dfs, linear, random."),
        ({"engine": "groove"}, "Unknown engine 'groove'. Engines: auto, general, compiled, array."),
        ({"depth": -1}, "depth must be 0 or more, not -1."),
        ({"states": 1.5}, "states must be 0 or more, not 1.5."),
        (
            {"accept": "winX"},
            "No rule 'winX'. Expected final, any, none, broken, or one of allAcross, carry, cross, eat.",
        ),
        ({"start": "begin"}, "ferry: No start graph 'begin'. Graphs: start."),
        ({"control": "other"}, "ferry: No control program 'other'. Programs: none."),
    ],
)
def test_bad_options_are_one_line(asked, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}") as error:
        explore(new("ferry"), **asked)
    assert "\n" not in str(error.value)


def rule(*elements) -> Grammar:
    """A grammar with one rule: strings are nodes' labels, triples are edges."""
    graph = Graph("bad", "rule")
    for each in elements:
        if isinstance(each, str):
            graph.node(*each.split())
        else:
            graph.edge(*each)
    start = Graph("start")
    start.node("type:A")
    return Grammar("bad", {"start": start}, {"bad": graph})


@together(
    ("grammar", "message"),
    [
        (
            rule("forall:", "forall:", ("n0", "in", "n1"), ("n1", "in", "n0")),
            "bad.gpr, node n1, label 'in': Quantifiers are nested in a cycle.",
        ),
        (
            rule("forall:", "type:A", "type:A", ("n1", "@", "n2")),
            "bad.gpr, node n1, label '@': The target of @ must be a quantifier.",
        ),
        (
            rule("forall:", "forall:", "type:A", ("n2", "@", "n0"), ("n2", "@", "n1")),
            "bad.gpr, node n2, label '@': Two edges have the label @.",
        ),
        (
            rule("forall:", "forall:", "type:A", "type:B", ("n2", "@", "n0"), ("n3", "@", "n1"), ("n2", "x", "n3")),
            "bad.gpr, node n2, label 'x': Two quantifiers that are not nested are connected here.",
        ),
        (
            rule("type:A", "type:A", ("n0", "use=q:x", "n1")),
            "bad.gpr, node n0, label 'use=q:x': No quantifier has the name 'q'.",
        ),
        (
            rule("type:A", ("n0", "new:path:x*", "n0")),
            "bad.gpr, node n0, label 'new:path:x*': A path cannot be created.",
        ),
        (
            rule("type:A", ("n0", "new:?", "n0")),
            "bad.gpr, node n0, label 'new:?': The label of a created edge must be known. Name the wildcard.",
        ),
        (rule("type:A par:1"), "bad.gpr, node n0: Parameters must be numbered from 0. Missing: 0."),
        (rule("type:A let:n"), "bad.gpr, node n0, label 'let:n': Expected an assignment: name = expression."),
        (rule("type:A let:n=m.k"), "bad.gpr, node n0, label 'let:n=m.k': No node has the name 'm'."),
        (rule("del: new:"), "bad.gpr, node n0, label 'new:': del: and new: cannot be combined."),
        (rule("int:1 new:"), "bad.gpr, node n0: A value cannot be created or deleted."),
        (rule("type:A", ("n0", "path:a.", "n0")), "bad.gpr, node n0, label 'path:a.': Expected a label, got the end."),
    ],
)
def test_an_invalid_rule_gives_one_line(grammar, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}") as error:
        explore(grammar)
    assert str(error.value).startswith("bad.gpr")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("semantics", "DPO"), ("deadlockPolicy", "remove"), ("typePolicy", "hide"), ("actionPolicy", "x:y")],
)
def test_an_unsupported_property_is_refused(name, value):
    grammar = new("ferry")
    grammar.properties[name] = value
    with pytest.raises(GrammarError, match=name if name != "actionPolicy" else "policy"):
        explore(grammar)


def watched(role: str, policy: str = "") -> Grammar:
    """Growing leaves, with two of them forbidden."""
    grammar = endless()
    two = Graph("two", "rule", attributes={"actionRole": role})
    one, other = two.node("type:Leaf"), two.node("type:Leaf")
    two.edge(one, "!=", other)
    grammar.rules["two"] = two
    grammar.properties["actionPolicy"] = policy
    return grammar


def test_a_forbidden_property_ends_a_state():
    found = explore(watched("forbidden"), states=20)
    assert (found.states, found.lts.broken, found.stopped) == (3, {2: ("two",)}, "")
    assert [each.action for each in found.lts] == ["grow", "grow", "two"]


def test_forbidden_states_are_reported_or_removed():
    assert explore(watched("forbidden", "two:silent"), states=9).states == 9
    removed = explore(watched("forbidden", "two:remove"))
    assert (removed.states, removed.transitions, removed.lts.broken) == (2, 1, {})
    assert explore(watched("condition"), states=9).lts.broken == {}
    assert explore(watched("invariant"), states=9).lts.broken == {0: ("two",)}


def test_a_priority_must_be_a_number():
    grammar = rule("type:A")
    grammar.rules["bad"].attributes["priority"] = "high"
    with pytest.raises(GrammarError, match="Expected a non-negative priority, got 'high'"):
        explore(grammar)


def typed(*labels) -> Grammar:
    """A start graph over types: B is a kind of A, which is abstract; an A has one or two `to` edges to a C."""
    types = Graph("types", "type")
    a, b, c = types.node("type:A", "abs:"), types.node("type:B", "flag:f", "int:n"), types.node("type:C")
    types.edge(b, "sub:", a)
    types.edge(a, "out=1..2:to", c)
    start = Graph("start")
    for each in labels:
        if isinstance(each, str):
            start.node(*each.split())
        else:
            start.edge(*each)
    look = Graph("look", "rule")
    look.node("type:A")
    exact = Graph("exact", "rule")
    exact.node("type:#A")
    return Grammar(
        "typed", {"start": start}, {"look": look, "exact": exact}, {"types": types}, {}, {"typeGraph": "types"}
    )


def test_a_type_matches_its_subtypes():
    found = explore(typed("type:B flag:f let:n=1", "type:C", ("n0", "to", "n1")))
    assert found.lts.enabled(0) == {"look"}
    assert not found.lts.broken


@pytest.mark.parametrize("number", ["9" * 5000, "\u0663"])
def test_numbers_in_labels_are_limited(number):
    grammar = Grammar("numbers")
    rule = grammar.rules["r"] = Graph("r", "rule")
    rule.node(f"parin:{number}")
    grammar.graphs["start"] = Graph("start")
    with pytest.raises(GrammarError, match="Expected a parameter number"):
        explore(grammar)
    with pytest.raises(GrammarError, match="Expected a multiplicity"):
        read_bound(number, "all", "in=1:a")


def test_a_start_graph_with_too_few_edges_is_refused():
    with pytest.raises(GrammarError, match=r"^start\.gst: .* edges: A to C"):
        explore(typed("type:B", "type:C"))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (("type:A",), "start.gst, node n0, label 'type:A': An abstract type cannot have nodes."),
        (("type:D",), "start.gst, node n0, label 'type:D': Unknown type. The type graph has A, B, C."),
        (("flag:f",), "start.gst, node n0: The node has no type."),
        (("type:B type:C",), "start.gst, node n0, label 'type:C': A node can have one type only."),
        (("type:C flag:f",), "start.gst, node n0, label 'flag:f': C has no such flag."),
        (
            ("type:C", "type:C", ("n0", "to", "n1")),
            "start.gst, node n0, label 'to': The type graph has no such edge from C to C.",
        ),
        (("type:C let:n=1",), "start.gst, node n0, label 'let:n=1': C has no such attribute."),
    ],
)
def test_an_ill_typed_start_graph_gives_one_line(labels, message):
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(typed(*labels))


def test_a_simulation_steps_and_undoes():
    simulation = Simulation(new("ferry"), seed=1)
    before = simulation.state
    for _ in range(5):
        assert simulation.by_chance() is not None
    assert len(simulation.steps) == 5
    assert simulation.graph.nodes
    for _ in range(5):
        simulation.undo()
    assert simulation.state == before
    assert simulation.undo() is None
    with pytest.raises(GrammarError, match="No option 99"):
        simulation.take(99)
