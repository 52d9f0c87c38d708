"""What once broke: rubbish, large and odd grammars, and counts that were wrong."""

from __future__ import annotations

import sys

import pytest

from pentad.grammar import GrammarError, explore
from pentad.grammar.graph import Edge
from tests.grammar.small_grammars import counts, drawn, made

# ── counts ───────────────────────────────────────────────────────────────────────────────────────


def test_values_with_equal_hashes_are_different():
    """Python's hashes of -1 and -2 are equal."""
    count = made(["type:A let:n=1"], {"down": ["!", "type:A test:n>-3 let:n=n-1"]})
    assert explore(count, isomorphism=True, engine="general").states == 5


def test_a_path_against_an_edge_finds_no_value_for_a_node():
    assert counts(made(["type:B let:v=1"], {"look": ["", "type:B", ("n0", "-v", "n1")]})) == (1, 0)


@pytest.mark.parametrize("said", ["test:n>1 par:0", "let:n=n+1"])
def test_an_edge_to_a_node_is_no_attribute(said):
    start = ["type:B", "type:C", ("n0", "n", "n1")]
    assert counts(made(start, {"look": [f"type:B {said}"]})) == (1, 0)


def test_under_injective_matching_a_forbidden_node_differs_from_a_node_without_edges():
    rules = {"alone": ["par:0", "not:"]}
    assert counts(made([""], rules, matchInjective="true")) == (1, 1)
    assert counts(made(["", ""], rules, matchInjective="true")) == (1, 0)


@pytest.mark.parametrize(("injective", "transitions"), [("false", 2), ("true", 1)])
def test_under_injective_matching_two_arguments_are_two_nodes(injective, transitions):
    rules = {"pick": ["!", "type:A par:0"], "two": ["!", "type:A par:0", "type:A par:1"]}
    grammar = made(["type:A"], rules, "node x; pick(out x); two(x, x);", matchInjective=injective)
    assert counts(grammar)[1] == transitions


MAKING = {
    "pick": ["!", "type:A par:0"],
    "make": ["type:Z", "new: type:A par:0"],
    "take": ["del: type:A"],
    "all": ["forall:", "del: type:A", ("n1", "@", "n0")],
    "merge": ["type:A par:0", "type:B", ("n0", "new:=", "n1")],
    "use": ["!", "type:B par:0"],
    "mark": ["type:A par:0 new:flag:marked"],
}


def test_a_variable_of_a_deleted_node_is_not_bound_to_a_new_one():
    grammar = made(["type:Z"], MAKING, "node x; make(out x); take; make; mark(x);")
    assert counts(grammar) == (4, 3)


def test_variables_of_deleted_nodes_do_not_distinguish_states():
    grammar = made(["type:A flag:a", "type:A"], MAKING, "node x; pick(out x); all; mark(x);", checkIsomorphism="false")
    assert counts(grammar) == (4, 4)


@pytest.mark.parametrize("control", ["pick(out x); merge;", "merge(out x);"])
@pytest.mark.parametrize("start", [["type:A", "type:B"], ["type:B", "type:A"]])
def test_a_variable_follows_a_merged_node(control, start):
    steps = control.count(";") + 1
    assert counts(made(start, MAKING, f"node x; {control} use(x);")) == (steps + 1, steps)


def test_a_created_node_passed_to_a_block_is_the_same_node():
    rules = {"make": ["type:Z", "type:Y", "new: type:A par:0"], "more": ["new: type:B par:0"]}
    found = explore(made(["type:Z", "type:Y"], rules, "<make(_); more(_);>"), engine="general")
    assert found.lts.labels == [("make", ("#2",)), ("more", ("#3",))]


def test_an_attribute_is_no_dangling_edge():
    rules = {"take": ["del: type:A"]}
    assert counts(made(["type:A let:n=1"], rules, checkDangling="true")) == (2, 1)
    start = ["type:A", "type:B", ("n0", "to", "n1")]
    assert counts(made(start, rules, checkDangling="true")) == (1, 0)


@pytest.mark.parametrize(
    ("joined", "there", "transitions"),
    [(True, "C", 1), (True, "B", 1), (True, "BC", 0), (False, "C", 0), (False, "", 1)],
)
def test_joined_embargoes_forbid_both_together(joined, there, transitions):
    rule = ["type:A par:0", "not: type:B", "not: type:C"] + [("n1", "or:", "n2")] * joined
    assert counts(made(["type:A", *(f"type:{each}" for each in there)], {"look": rule})) == (1, transitions)


@pytest.mark.parametrize(("least", "transitions"), [(0, 1), (1, 0)])
def test_a_test_belongs_to_the_quantifier_that_it_names(least, transitions):
    start = ["type:A let:n=1", "type:B let:n=1", "type:B let:n=2"]
    rule = [f"type:A use=q:test:n>{least}", "forallx=q:", "type:B", ("n2", "@", "n1")]
    assert counts(made(start, {"look": rule})) == (1, transitions)


def test_nodes_with_the_same_id_in_several_start_graphs_are_merged():
    grammar = made([], {"look": ["type:A par:0", "type:B", ("n0", "x", "n1")]}, startGraph="one other")
    grammar.graphs["one"] = drawn("graph", "one", "id:p type:A")
    grammar.graphs["other"] = drawn("graph", "other", "id:p", "type:B", ("n0", "x", "n1"))
    assert counts(grammar) == (1, 1)


# ── rubbish ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("start", "rule", "message"),
    [
        ("type:A nwe:a", "type:A", r"start\.gst, node n0, label 'nwe:a': Unknown prefix 'nwe:'\."),
        ("type:A", "type:A nwe:flag:a", r"look\.gpr, node n0, label 'nwe:flag:a': Unknown prefix 'nwe:'\."),
        ("type:A", "type:A new:nwe:a", r"look\.gpr, node n0, label 'new:nwe:a': Unknown prefix 'nwe:'\."),
        ("type:A", "(" * 100_000, r"look\.gpr, node n0, label '\(+': A path of 100,000 characters is too long; "),
        ("type:A", "x" * 100_000 + ":y", r"look\.gpr, node n0, label 'x+': Unknown prefix 'x+…\."),
        (
            "type:A",
            "type:A test:" + "(" * 100_000,
            r"look\.gpr, node n0, label 'test:\(+': An expression of 100,000 characters is too long; ",
        ),
    ],
)
def test_an_invalid_label_gives_one_short_line(start, rule, message):
    with pytest.raises(GrammarError, match=f"^{message}") as error:
        explore(made([start], {"look": [rule]}))
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_a_label_with_a_colon_in_front_is_plain_text():
    assert counts(made([":nwe:a"], {"look": [":nwe:a"]})) == (1, 1)


def test_merging_values_is_refused():
    rule = ["type:A", "int:", ("n0", "n", "n1"), ("n0", "new:=", "n1")]
    with pytest.raises(GrammarError, match=r"^look\.gpr, node n0, label 'new:=': "):
        explore(made(["type:A let:n=1"], {"look": rule}))


# ── size ─────────────────────────────────────────────────────────────────────────────────────────


def chain(length):
    return ["type:A"] * length + [(f"n{i}", "to", f"n{i + 1}") for i in range(length - 1)]


@pytest.fixture
def default_recursion():
    """The limit of recursion is what it was afterwards."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


@pytest.mark.slow
@pytest.mark.usefixtures("default_recursion")
@pytest.mark.parametrize("elements", [[""] * 1500, chain(1200), ["not: type:B"] * 1500])
def test_a_large_rule_is_matched(elements):
    start = chain(1200) if len(elements) > 1500 else ["type:A"]
    if len(elements) > 1500:
        start[0] += " flag:first"
        elements = ["type:A flag:first", *elements[1:]]
    assert counts(made(start, {"look": elements})) == (1, 1)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", ["forall:", "exists:"])
def test_quantifiers_have_a_nesting_limit(kind):
    def nested(depth):
        inner = [(f"n{i + 1}", "in", f"n{i}") for i in range(depth - 1)]
        belongs = [(f"n{depth + i}", "@", f"n{i}") for i in range(depth)]
        follows = [(f"n{depth + i}", "to", f"n{depth + i + 1}") for i in range(depth - 1)]
        return made(chain(60), {"look": [kind] * depth + ["type:A"] * depth + inner + belongs + follows})

    assert counts(nested(50)) == (1, 1)
    with pytest.raises(GrammarError, match=r"^look\.gpr, node n50: .* 50 deep"):
        explore(nested(500))


@pytest.mark.usefixtures("default_recursion")
def test_memory_ends_a_search_within_a_state():
    choices = [(f"n{30 + i}", "@", f"n{i}") for i in range(30)]
    rule = ["exists:"] * 30 + ["type:A new:flag:f"] * 30 + choices
    found = explore(made(["type:A", "type:A"], {"all": rule}), engine="general", memory=10 << 20)
    assert (found.states, found.stopped) == (1, "memory")


def test_an_interrupt_in_the_first_run_ends_the_exploration():
    """The compiled engine is not begun, nor is the search begun again."""
    calls = []

    def interrupt(*_):
        calls.append(1)
        raise KeyboardInterrupt

    found = explore(made(["type:A"], {"grow": ["type:A", "new: type:B"]}), progress=interrupt)
    assert (found.stopped, len(calls)) == ("interrupted", 1)


def test_an_empty_label_is_ignored_on_a_node_and_invalid_on_an_edge():
    grammar = made(["type:A", "type:A"], {"look": ["type:A"]})
    grammar.graphs["start"].edges.append(Edge("n0", "", "n0"))
    assert counts(grammar) == (1, 1)
    grammar.graphs["start"].edges.append(Edge("n0", "", "n1"))
    with pytest.raises(GrammarError, match=r"^start\.gst, node n0: .* on an edge"):
        explore(grammar)
