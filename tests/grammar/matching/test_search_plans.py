"""Steps of search plans, each on a host of a few nodes, and whole plans against all assignments of nodes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.paths import Atom, Wildcard, parse, parse_wildcard
from pentad.grammar.language.values import DEFAULT, AttributeValue
from pentad.grammar.matching import search_plans as plans
from pentad.grammar.matching.search_plans import Planner, admitting, only
from pentad.grammar.rules.rule import Pattern, PatternEdge, QuantifierLevel, Rule
from pentad.grammar.system import prepare
from tests.grammar.matching.small_hosts import LABELS, graphs, host_of
from tests.grammar.small_grammars import made
from tests.properties import properties

HOST = ((0, "a", 1), (0, "a", 2), (1, "b", 2), (2, "a", 2), (2, "b", 2))


def same(wanted, label):
    return wanted == label


def found_by(make, start, host=None):
    """What a step finds from a partial match; it stops where the next says so, and leaves the match as it was."""
    host = host or host_of(3, *HOST)
    seen = []

    def goes_on(host, found):
        seen.append(tuple(found))
        return False

    found = list(start)
    assert make(goes_on)(host, found) is False
    assert found == list(start)
    calls = []
    assert bool(make(lambda host, found: calls.append(1) or True)(host, list(start))) is bool(seen)
    assert len(calls) == min(len(seen), 1)
    return seen


# ── edges ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("start", "label", "labels", "is_there"),
    [
        ((0, 1), "a", ("a", "b"), (True, True)),
        ((1, 2), "a", ("a", "b"), (False, True)),
        ((1, 0), "a", ("a", "b"), (False, False)),
        ((2, 2), "a", ("b",), (True, True)),
        ((0, 1), "c", (), (False, False)),
    ],
)
def test_an_edge_between_bound_nodes(start, label, labels, is_there):
    assert found_by(lambda then: plans.edge_is_there(0, label, 1, then), start) == [start] * is_there[0]
    assert found_by(lambda then: plans.an_edge_is_there(0, labels, 1, then), start) == [start] * is_there[1]


def test_an_edge_that_the_host_lacks():
    host = host_of(3, *HOST)
    host.edges &= ~1
    assert found_by(lambda then: plans.edge_is_there(0, "a", 1, then), (0, 1), host) == []
    assert found_by(lambda then: plans.an_edge_is_there(0, LABELS, 1, then), (0, 1), host) == []


@pytest.mark.parametrize(
    ("known", "is_out", "others"), [(0, True, [1, 2]), (1, True, []), (2, False, [0, 2]), (0, False, [])]
)
def test_an_edge_from_a_bound_node_or_to_one(known, is_out, others):
    found = found_by(lambda then: plans.edge_at(0, "a", 1, is_out, then), (known, None))
    assert found == [(known, each) for each in others]


def test_edges_and_loops_and_nodes():
    assert found_by(lambda then: plans.any_edge(0, "a", 1, then), (None, None)) == [(0, 1), (0, 2), (2, 2)]
    assert found_by(lambda then: plans.any_loop(0, ("a",), then), (None,)) == [(2,)]
    assert found_by(lambda then: plans.any_loop(0, LABELS, then), (None,)) == [(2,)]  # once, with two labels
    assert found_by(lambda then: plans.any_loop(0, (), then), (None,)) == []
    assert found_by(lambda then: plans.any_node(0, then), (None,)) == [(0,), (1,), (2,)]
    assert found_by(lambda then: plans.any_node(0, then, lambda host: 0b1101), (None,)) == [(0,), (2,)]


MANY = [(0, "a", each) for each in range(1, 21)] + [(each, "a", each) for each in range(21)]


def test_sieves_filter_many_candidates_and_leave_few_alone():
    """The others need no sieve: the edges of each are looked up."""
    host, sieve = host_of(21, *MANY), lambda host: 1 << 7 | 1 << 0
    assert found_by(lambda then: plans.edge_at(0, "a", 1, True, then, sieve), (0, None), host) == [(0, 7), (0, 0)]
    assert found_by(lambda then: plans.edge_at(0, "a", 1, False, then, sieve), (7, None), host) == [(7, 0), (7, 7)]
    few = found_by(lambda then: plans.edge_at(0, "a", 1, False, then, lambda host: 0), (7, None), host)
    assert few == [(7, 0), (7, 7)]
    seven = lambda host: 1 << 7  # noqa: E731
    assert found_by(lambda then: plans.any_edge(0, "a", 1, then, None, seven), (None, None), host) == [(0, 7), (7, 7)]
    assert found_by(lambda then: plans.any_edge(0, "a", 1, then, seven), (None, None), host) == [(7, 7)]
    assert len(found_by(lambda then: plans.any_edge(0, "a", 1, then), (None, None), host)) == len(MANY)
    assert found_by(lambda then: plans.any_loop(0, ("a",), then, sieve), (None,), host) == [(0,), (7,)]
    small = host_of(3, *HOST)
    assert len(found_by(lambda then: plans.any_edge(0, "a", 1, then, seven), (None, None), small)) == 3
    assert len(found_by(lambda then: plans.any_loop(0, ("a",), then, seven), (None,), small)) == 1


def agreeing(pairs, start, is_loop=False):
    """The pairs that agree with what is bound."""
    one, other = start
    return [
        (a, b) for a, b in dict.fromkeys(pairs) if one in (None, a) and other in (None, b) and (not is_loop or a == b)
    ]


STARTS = [(None, None), (0, None), (None, 2), (0, 2), (2, 2), (1, 0)]


@pytest.mark.parametrize("start", STARTS)
def test_candidate_pairs_agree_with_bound_ends(start):
    pairs = [(0, 1), (0, 2), (0, 1), (2, 2)]
    found = found_by(lambda then: plans.by_candidates(0, 1, lambda host, found: pairs, then), start)
    assert found == agreeing(pairs, start)


def test_candidate_pairs_for_a_loop():
    pairs = [(0, 1), (2, 2), (1, 1)]
    make = lambda then: plans.by_candidates(0, 0, lambda host, found: pairs, then)  # noqa: E731
    assert found_by(make, (None,)) == [(2,), (1,)]
    assert found_by(make, (1,)) == [(1,)]


COPIED = (*HOST, (0, "a", 1), (2, "c", 0))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("choices", "labels", "ways"),
    [
        ([(Atom("a"), False)], ("a",), [("a", False)]),
        ([(Atom("a"), False), (Atom("b"), False)], LABELS, [("a", False), ("b", False)]),
        ([(Atom("a"), False), (Atom("b"), True)], None, [("a", False), ("b", True)]),
        ([(Wildcard(), False)], None, [("a", False), ("b", False), ("c", False)]),
    ],
)
def test_copies_of_edges(start, choices, labels, ways):
    """The ends and the number of an edge, of which some labels are followed backwards."""
    edge = PatternEdge(0, "a", 1, 2)
    host = host_of(3, *COPIED)
    found = found_by(lambda then: plans.by_copy(edge, tuple(choices), labels, None, same, then), (*start, None), host)
    expected = [
        (*((b, a) if back else (a, b)), number)
        for number, (a, label, b) in enumerate(COPIED)
        for wanted, back in ways
        if label == wanted
    ]
    assert found == [each for each in expected if agreeing([each[:2]], start)]


def test_a_copy_of_a_loop_followed_either_way_is_found_once():
    edge = PatternEdge(0, "a", 0, 1)
    choices = ((Atom("a"), False), (Atom("a"), True))
    make = lambda then: plans.by_copy(edge, choices, None, None, same, then)  # noqa: E731
    assert found_by(make, (None, None)) == [(2, 3)]


@pytest.mark.parametrize("known", [None, "a", "b"])
def test_a_copy_binds_the_label_of_its_wildcard(known):
    edge = PatternEdge(0, parse_wildcard("?x"), 1, 2)
    make = lambda then: plans.by_copy(edge, ((edge.label, False),), None, 3, same, then)  # noqa: E731
    found = found_by(make, (None, None, None, known), host_of(3, *COPIED))
    assert found == [(a, b, number, label) for number, (a, label, b) in enumerate(COPIED) if known in (None, label)]


DOUBLE = (*HOST, (0, "b", 1), (0, "type:T", 0))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("text", ["?", "?[a]", "?[^a]", "type:?"])
@pytest.mark.parametrize("each_label", [True, False])
def test_a_wildcard_matches_once_for_each_pair_or_for_each_label(start, text, each_label):
    edge = PatternEdge(0, parse_wildcard(text), 1)
    found = found_by(lambda then: plans.by_wildcard(edge, None, same, each_label, then), start, host_of(3, *DOUBLE))
    pairs = [(a, b) for a, label, b in DOUBLE if edge.label.admits(label) and agreeing([(a, b)], start)]
    assert sorted(found) == sorted(pairs if each_label else set(pairs))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("known", [None, "a", "b", "type:T"])
def test_a_wildcard_binds_its_label(start, known):
    edge = PatternEdge(0, parse_wildcard("?x"), 1)
    make = lambda then: plans.by_wildcard(edge, 2, same, False, then)  # noqa: E731
    found = found_by(make, (*start, known), host_of(3, *DOUBLE))
    expected = [
        (a, b, label)
        for a, label, b in DOUBLE
        if agreeing([(a, b)], start) and known in (None, label) and label in LABELS
    ]
    assert sorted(found) == sorted(expected)


def test_a_wildcard_for_a_loop():
    edge = PatternEdge(0, parse_wildcard("?"), 0)
    assert found_by(lambda then: plans.by_wildcard(edge, None, same, True, then), (None,)) == [(2,), (2,)]
    assert found_by(lambda then: plans.by_wildcard(edge, None, same, False, then), (None,)) == [(2,)]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a.b", [(0, 2), (2, 2)]),
        ("b*", [(0, 0), (1, 1), (1, 2), (2, 2)]),
        ("-b", [(2, 1), (2, 2)]),
        ("b|-b", [(1, 2), (2, 1), (2, 2)]),
    ],
)
def test_a_path_leads_from_a_node_to_another(start, text, pairs):
    found = found_by(lambda then: plans.by_path(0, parse(text), 1, {}, then), start)
    assert sorted(found) == agreeing(pairs, start)


def test_a_path_from_a_node_to_itself():
    assert found_by(lambda then: plans.by_path(0, parse("b.b"), 0, {}, then), (None,)) == [(2,)]
    assert found_by(lambda then: plans.by_path(0, parse("b.b"), 0, {}, then), (1,)) == []


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ((0, 2, "b"), [(0, 2, "b")]),
        ((0, 2, "a"), [(0, 2, "a")]),
        ((1, 2, "a"), []),
        ((None, 2, "b"), [(0, 2, "b"), (2, 2, "b")]),
        ((1, None, "a"), []),
    ],
)
def test_a_path_with_a_bound_label(start, found):
    """n0 has an a to n2, and an a to n1 with a b to n2; n1 has no a."""
    make = lambda then: plans.by_path(0, parse("a.?x"), 1, {"x": 2}, then)  # noqa: E731
    assert found_by(make, start) == found


# ── conditions and values ────────────────────────────────────────────────────────────────────────


def test_comparisons():
    assert found_by(lambda then: plans.compare(0, 1, True, then), (1, 1)) == [(1, 1)]
    assert found_by(lambda then: plans.compare(0, 1, True, then), (1, 2)) == []
    assert found_by(lambda then: plans.compare(0, 1, False, then), (1, 1)) == []
    assert found_by(lambda then: plans.compare(0, 1, False, then), (1, 2)) == [(1, 2)]
    assert found_by(lambda then: plans.is_new(0, (1, 2), then), (1, 2, 3)) == [(1, 2, 3)]
    assert found_by(lambda then: plans.is_new(0, (1, 2), then), (1, 2, 1)) == []
    assert found_by(lambda then: plans.is_new(0, (), then), (1, 1)) == [(1, 1)]


def test_values_by_their_type():
    host = host_of(1, (0, "n", 1), values=(7,))
    for node, sort, is_found in [(1, "int", 1), (1, "", 1), (1, "real", 0), (0, "", 0), (0, "int", 0)]:
        assert found_by(lambda then, sort=sort: plans.is_value(0, sort, then), (node,), host) == [(node,)] * is_found
    assert found_by(lambda then: plans.is_no_value(0, then), (0,), host) == [(0,)]
    assert found_by(lambda then: plans.is_no_value(0, then), (1,), host) == []


def test_a_computed_value_is_bound_or_compared():
    host = host_of(1, values=(7,))
    seven, eight = AttributeValue("int", 7), AttributeValue("int", 8)
    assert found_by(lambda then: plans.bind_value(0, lambda host, found: seven, then), (None,), host) == [(1,)]
    assert found_by(lambda then: plans.bind_value(0, lambda host, found: seven, then), (1,), host) == [(1,)]
    assert found_by(lambda then: plans.bind_value(0, lambda host, found: eight, then), (1,), host) == []
    assert found_by(lambda then: plans.bind_value(0, lambda host, found: eight, then), (None,), host) == [(2,)]
    assert found_by(lambda then: plans.bind_value(0, lambda host, found: None, then), (None,), host) == []


def test_an_embargo_and_its_end():
    assert plans.embargo_matched() is True
    assert found_by(lambda then: plans.not_found(plans.embargo_matched, then), (0,)) == []
    assert found_by(lambda then: plans.not_found(lambda host, found: False, then), (0,)) == [(0,)]


def test_limits_are_checked_every_few_calls(monkeypatch):
    monkeypatch.setattr(plans, "CHECK_INTERVAL", 3)
    checks = []
    step = plans.with_limit_checks(lambda: checks.append(1), lambda host, found: found == [8])
    assert [step(None, [number]) for number in range(10)] == [number == 8 for number in range(10)]
    assert len(checks) == 3


# ── whole plans ──────────────────────────────────────────────────────────────────────────────────

NAMES = ["x", "y", "z", "w"]


def rule_with(pattern, **more):
    return Rule("rule", [QuantifierLevel(pattern=pattern)], list(NAMES), **more)


def planned(pattern, host, known=(), admits=only, **more):
    """All assignments of nodes that a plan finds; `known` are the images of the first variables."""
    planner = Planner(rule_with(pattern, **more), host, admits, DEFAULT)
    seen = []

    def take(host, found):
        seen.append(tuple(found))
        return False

    start = [*known, *[None] * (len(NAMES) - len(known))]
    planner.plan(pattern, range(len(known)), take)(host, start)
    assert len(seen) == len(set(seen))
    return sorted(seen, key=str)


def holds(pattern, found, edges):
    """Whether a pattern holds, of which all nodes are bound."""
    return (
        all((found[one], label, found[other]) in edges for one, label, other, _ in pattern.edges)
        and all(found[one] == found[other] for one, other in pattern.equal)
        and all(found[one] != found[other] for one, other in pattern.unequal)
    )


def assigned(pattern, count, edges, known=(), injective=False):
    """The same by trying every assignment."""
    seen = []
    mine = [each for each in pattern.nodes if each >= len(known)]
    for images in product(range(count), repeat=len(mine)):
        found = [*known, *[None] * (len(NAMES) - len(known))]
        for variable, image in zip(mine, images, strict=True):
            found[variable] = image
        bound = [each for each in found if each is not None]
        if injective and len(set(bound)) < len(bound):
            continue
        others = [each for each in range(count) if not injective or each not in bound]
        if holds(pattern, found, edges) and not any(
            holds(embargo, [*found[:3], *more], edges)
            for embargo in pattern.embargoes
            for more in product(others, repeat=len(embargo.nodes))
        ):
            seen.append(tuple(found))
    return sorted(seen, key=str)


@st.composite
def patterns(draw):
    """A pattern of up to three nodes, and an embargo with a fourth."""
    nodes = list(range(draw(st.integers(1, 3))))
    ends = st.sampled_from(nodes)

    def drawn(ends, **sizes):
        triples = st.tuples(ends, st.sampled_from(LABELS), ends)
        return [PatternEdge(*each) for each in draw(st.lists(triples, unique=True, **sizes))]

    pairs = st.lists(st.tuples(ends, ends), max_size=1)
    pattern = Pattern(nodes=nodes, edges=drawn(ends, max_size=4), equal=draw(pairs), unequal=draw(pairs))
    for _ in range(draw(st.integers(0, 2))):
        edges = drawn(st.sampled_from([*nodes, 3]), min_size=1, max_size=2)
        own = [3] if any(3 in (each.source, each.target) for each in edges) else []
        pattern.embargoes.append(Pattern(nodes=own, edges=edges))
    return pattern


@properties(150)
@given(patterns(), graphs(nodes=4, edges=8), st.sampled_from(["", "SPO"]), st.booleans(), st.booleans())
def test_a_plan_finds_all_assignments(pattern, graph, parallel, injective, is_known):
    count, edges = graph
    known = (count - 1,) if is_known else ()
    found = planned(pattern, host_of(count, *edges), known, parallel=parallel, injective=injective)
    assert found == assigned(pattern, count, set(edges), known, injective)


def test_a_label_matches_those_that_it_admits():
    pattern = Pattern(nodes=[0, 1], edges=[PatternEdge(0, "any", 1)])
    admits = admitting({"any": LABELS})
    expected = sorted({(a, b, None, None) for a, _, b in HOST})
    assert planned(pattern, host_of(3, *HOST), admits=admits) == expected
    assert planned(pattern, host_of(3, *HOST), (0,), admits=admits) == [(0, 1, None, None), (0, 2, None, None)]
    backwards = Pattern(nodes=[0, 1], edges=[PatternEdge(1, "any", 0)])
    found = planned(backwards, host_of(3, *HOST), (2,), admits=admits)
    assert found == [(2, 0, None, None), (2, 1, None, None), (2, 2, None, None)]
    both = Pattern(nodes=[0, 1], edges=[PatternEdge(0, "any", 1), PatternEdge(1, "any", 1)])
    assert planned(both, host_of(3, *HOST), admits=admits) == [
        (0, 2, None, None),
        (1, 2, None, None),
        (2, 2, None, None),
    ]
    assert planned(both, host_of(3, *HOST), (0,), admits=admits) == [(0, 2, None, None)]
    assert planned(both, host_of(3, *HOST), (0, 1), admits=admits) == []
    assert planned(both, host_of(3, *HOST), (1, 2), admits=admits) == [(1, 2, None, None)]


def test_labels_with_their_subtypes():
    admits = admitting({"type:A": ("type:A", "type:B")})
    assert [admits(each) for each in ("type:A", "type:#A", "type:B", "a")] == [
        ("type:A", "type:B"),
        ("type:A",),
        ("type:B",),
        ("a",),
    ]
    assert [only(each) for each in ("type:A", "type:#A", "a")] == [("type:A",), ("type:A",), ("a",)]


def test_a_rule_whose_plans_are_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(plans, "MAX_PLAN_STEPS", 3)
    ring = [PatternEdge(0, "a", 1), PatternEdge(1, "a", 2), PatternEdge(2, "b", 0)]
    assert planned(Pattern(nodes=[0, 1, 2], edges=ring), host_of(3, *HOST)) == [(2, 2, 2, None)]
    loops = [PatternEdge(node, "a", node) for node in range(4)]
    with pytest.raises(GrammarError, match="more than 3 steps"):
        planned(Pattern(nodes=[0, 1, 2, 3], edges=loops), host_of(3, *HOST))


def test_the_recursion_limit_is_raised_for_long_plans(monkeypatch):
    limits = []
    monkeypatch.setattr(plans.sys, "getrecursionlimit", lambda: 1000)
    monkeypatch.setattr(plans.sys, "setrecursionlimit", limits.append)
    planner = Planner(rule_with(Pattern()), host_of(1), only, DEFAULT)
    planner._make_room(900)
    assert limits == []
    planner._make_room(200)
    assert limits == [2100]


def test_long_searches_check_limits_from_the_third_search_on(monkeypatch):
    monkeypatch.setattr(plans, "CHECK_INTERVAL", 1)
    for nodes, checked in ((2, 0), (3, 2**3)):
        checks = []
        pattern = Pattern(nodes=list(range(nodes)))
        planner = Planner(
            rule_with(pattern), host_of(2), only, DEFAULT, check_limits=lambda checks=checks: checks.append(1)
        )
        planner.plan(pattern, (), lambda host, found: False)(host_of(2), [None] * 4)
        assert len(checks) == checked


# ── rules with values ────────────────────────────────────────────────────────────────────────────


def nodes_that_match(rule, start=("let:v=1", "let:v=2", "let:v=3", ("n0", "a", "n1"), ("n0", "a", "n2")), **properties):
    """The nodes of the start graph that stand for the first node of a rule, which gets a flag."""
    system = prepare(made(start, {"r": ("!", *rule, ("n0", "new:flag", "n0"))}, **properties))
    found = system.finders["r"].matches(system.host(system.nodes, system.edges))
    variable = system.rules["r"].names.index("n0")
    return [system.world.text(each.found[variable]) for each in found]


def differing_by(number: int) -> tuple[str | tuple[str, str, str], ...]:
    """A rule for two nodes with an edge: the value of one is that of the other and this number."""
    nodes = ("", "int:", "", "int:", "prod:", f"int:{number}")
    values = (("n0", "v", "n1"), ("n2", "v", "n3"), ("n0", "a", "n2"))
    return (*nodes, *values, ("n4", "arg:0", "n1"), ("n4", "arg:1", "n5"), ("n4", "int:add", "n3"))


@pytest.mark.parametrize(
    ("rule", "nodes"),
    [
        (("test:int:v<3",), ["n0", "n1"]),
        (("test:int:v<3 test:int:v>1",), ["n1"]),
        (("not:test:int:v<3",), ["n0", "n1"]),  # no v is 3 or more
        (("", "int:2", ("n0", "v", "n1")), ["n1"]),
        (("", "int:", ("n0", "v", "n1")), ["n0", "n1", "n2"]),
        (("", "string:", ("n0", "v", "n1")), []),
        (("", "int:2", ("n0", "not:v", "n1")), ["n0", "n2"]),
        (("", "", "test:int:v==2", ("n0", "a", "n2")), ["n0"]),
        (("", "", ("n0", "a", "n1"), ("n0", "v", "n1")), []),
        (("", "", ("n0", "v", "n1")), []),  # a node is no value
        (("", "", ("n0", "?", "n1")), ["n0"]),
        (differing_by(1), ["n0"]),
        (differing_by(3), []),
    ],
)
def test_conditions_on_values(rule, nodes):
    assert nodes_that_match(rule) == nodes


def test_an_embargo_waits_for_the_label_that_it_shares():
    """n0 has an a and a b to n1, from which a b leads on: so the label that n1 must not have is a."""
    start = ("", "", "", ("n0", "a", "n1"), ("n0", "b", "n1"), ("n1", "b", "n2"))
    rule = ("", "", "not:", ("n0", "a", "n1"), ("n0", "?x", "n1"), ("n1", "?x", "n2"))
    assert nodes_that_match(rule, start) == ["n0"]
    assert nodes_that_match(rule, (*start, ("n1", "a", "n2"))) == ["n1"]  # its a leads to n2, from which none leads


@pytest.mark.parametrize(
    ("injective", "count", "nodes"),
    [("false", 2, ["n0"]), ("false", 0, ["n1", "n2"]), ("true", 1, ["n0"]), ("true", 2, [])],
)
def test_a_count_under_injective_matching_leaves_out_the_nodes_around_it(injective, count, nodes):
    """The second node of the rule is one of the ends of an a, if the first has two, or any other node."""
    rule = ("", "", "forall:", "", f"int:{count}", ("n2", "count", "n4"), ("n3", "@", "n2"), ("n0", "a", "n3"))
    rule = (*rule, *([("n0", "a", "n1")] if nodes == ["n0"] else []))
    assert nodes_that_match(rule, matchInjective=injective) == nodes
