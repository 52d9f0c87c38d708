"""The matches of rules in graphs of a few nodes, against brute force, and counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from pentad.grammar.grammar import Grammar
from pentad.grammar.matching import matcher
from pentad.grammar.system import prepare
from tests.grammar import naive_engine
from tests.grammar.matching.test_against_naive import hosts, nodes_and_edges, rules
from tests.grammar.small_grammars import made
from tests.properties import properties

# n0 has an a to n1 and to n2, and n1 a b to n2.
START = ("", "", "", ("n0", "a", "n1"), ("n0", "a", "n2"), ("n1", "b", "n2"))


def prepared(start, rule, **properties):
    return prepare(made(start, {"r": ("!", *rule)}, **properties))


def found_in(system, given=None):
    return system.finders["r"].matches(system.host(system.nodes, system.edges), given)


def matches(start, rule, given=None, **properties):
    """The matches of a rule, each as the images of each part's nodes by their names, the outermost part first."""
    system = prepared(start, rule, **properties)
    names = system.rules["r"].names

    def text(part):
        pairs = sorted((name, image) for name, image in zip(names, part.found, strict=True) if image is not None)
        return " ".join(f"{name}={system.world.text(image)}" for name, image in pairs if isinstance(image, int))

    return [[text(part) for part in each.parts] for each in found_in(system, given)]


@properties(200)
@given(hosts(), rules())
def test_there_are_as_many_events_as_by_brute_force(host, rule):
    rule.attributes["actionRole"] = "transformer"
    system = prepare(Grammar("small", {"start": host}, {"r": rule}))
    events = [match.event for match in found_in(system)]
    assert len(set(events)) == len(events)
    assert len(events) == len(naive_engine.successors(rule, nodes_and_edges(system, system)))


# ── one level ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("elements", "found"),
    [
        ((), ["n0=n0 n1=n1"]),  # without an effect one match is enough
        ((("n0", "new:c", "n0"),), ["n0=n0 n1=n1"]),  # both ends make one event
        ((("n1", "new:c", "n1"),), ["n0=n0 n1=n1", "n0=n0 n1=n2"]),
        ((("n0", "del:a", "n1"),), ["n0=n0 n1=n1", "n0=n0 n1=n2"]),
    ],
)
def test_matches_that_do_the_same_are_one_event(elements, found):
    rule = ("", "", *elements, *([] if ("n0", "del:a", "n1") in elements else [("n0", "a", "n1")]))
    assert matches(START, rule) == [[each] for each in found]


@pytest.mark.parametrize(("injective", "found"), [("false", 9), ("true", 6)])
def test_under_injective_matching_nodes_differ(injective, found):
    assert len(matches(START, ("", "", ("n0", "new:c", "n1")), matchInjective=injective)) == found


def test_parameters_are_given_and_asked_for():
    rule = ("par:0", "par:1", ("n0", "a", "n1"))
    system = prepared(START, rule)
    one, two = (each.variable for each in system.rules["r"].parameters)
    assert [each.arguments() for each in found_in(system)] == [(0, 1), (0, 2)]
    assert [each.arguments() for each in found_in(system, {two: 2})] == [(0, 2)]
    assert [each.arguments() for each in found_in(system, {one: 0, two: 1})] == [(0, 1)]
    assert found_in(system, {one: 1}) == []


@pytest.mark.parametrize(("injective", "found"), [("false", 1), ("true", 0)])
def test_given_parameters_may_be_one_node_unless_matching_is_injective(injective, found):
    system = prepared(START, ("par:0", "par:1"), matchInjective=injective)
    one, two = (each.variable for each in system.rules["r"].parameters)
    assert len(found_in(system, {one: 1, two: 1})) == found
    assert len(found_in(system, {one: 1, two: 2})) == 1


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        (("del:",), ["n0=n0", "n0=n1", "n0=n2"]),
        (("del:", "", ("n0", "a", "n1")), ["n0=n0 n1=n1"]),
        (("", "del:", ("n0", "a", "n1")), ["n0=n0 n1=n1"]),
    ],
)
def test_a_node_is_deleted_with_its_edges_unless_the_dangling_condition_holds(rule, found):
    """Attributes go with their node under the condition, too."""
    start = ("", "", "let:v=1", ("n0", "a", "n1"))
    assert matches(start, rule) == [[each] for each in found]
    alone = found[2:] or found
    assert matches(start, rule, checkDangling="true") == [[each] for each in alone]


# ── quantifiers ──────────────────────────────────────────────────────────────────────────────────

INNER = ("", ("n2", "@", "n1"), ("n0", "a", "n2"), ("n2", "new:c", "n2"))
NESTED = (
    *("", ("n1", "@", "n0"), ("n2", "in", "n0"), ("n3", "@", "n2")),
    *(("n1", "a", "n3"), ("n1", "new:c", "n3")),
)


@pytest.mark.parametrize("injective", ["false", "true"])
@pytest.mark.parametrize(
    ("rule", "found"),
    [
        # All ends of an a: n1 and n2 have none, and do the same, nothing.
        (("", "forall:", *INNER), [["n0=n0", "n0=n0 n2=n1", "n0=n0 n2=n2"], ["n0=n1"]]),
        (("", "forallx:", *INNER), [["n0=n0", "n0=n0 n2=n1", "n0=n0 n2=n2"]]),
        # One end of an a.
        (("", "exists:", *INNER), [["n0=n0", "n0=n0 n2=n1"], ["n0=n0", "n0=n0 n2=n2"]]),
        (("", "existsx:", *INNER), [["n0=n0", "n0=n0 n2=n1"], ["n0=n0", "n0=n0 n2=n2"], ["n0=n1"]]),
        # For all nodes one end of an a, which n1 and n2 do not have; all ends; or all if there is one.
        (("forall:", "", "exists:", *NESTED), []),
        (
            ("forall:", "", "existsx:", *NESTED),
            [
                ["", "n1=n0", "n1=n0 n3=n1", "n1=n1", "n1=n2"],
                ["", "n1=n0", "n1=n0 n3=n2", "n1=n1", "n1=n2"],
            ],
        ),
        (
            ("forall:", "", "forall:", *NESTED),
            [["", "n1=n0", "n1=n0 n3=n1", "n1=n0 n3=n2", "n1=n1", "n1=n2"]],
        ),
        (("forall:", "", "forallx:", *NESTED), [["", "n1=n0", "n1=n0 n3=n1", "n1=n0 n3=n2"]]),
    ],
)
def test_a_match_has_the_matches_of_its_quantifiers(rule, found, injective):
    assert matches(START, rule, matchInjective=injective) == found


@pytest.mark.parametrize(
    ("outer", "inner", "found"),
    [
        ("forall:", "forallx:", ["n0", "n1", "n2"]),
        ("forallx:", "forallx:", ["n0"]),  # n1, with its b, is the only one that counts
        ("forallx:", "forall:", ["n0"]),
        ("forall:", "exists:", ["n1", "n2"]),  # n2 has no b, so that n0 fails
        ("forallx:", "exists:", []),
        ("exists:", "exists:", ["n0"]),
        ("exists:", "forallx:", ["n0"]),
    ],
)
def test_a_level_that_lacks_matches_fails_the_one_around_it(outer, inner, found):
    rule = (
        *("", outer, "", inner, "", ("n0", "new:d", "n0"), ("n2", "@", "n1"), ("n3", "in", "n1"), ("n4", "@", "n3")),
        *(("n0", "a", "n2"), ("n2", "b", "n4")),
    )
    assert [each[0].partition(" ")[0] for each in matches(START, rule)] == [f"n0={name}" for name in found]


@pytest.mark.parametrize(("count", "found"), [(0, ["n1", "n2"]), (1, []), (2, ["n0"])])
def test_a_count_of_matches_is_a_condition(count, found):
    rule = (
        *("", "forall:", "", f"int:{count}", ("n1", "count", "n3"), ("n2", "@", "n1"), ("n0", "a", "n2")),
        ("n0", "new:d", "n0"),
    )
    assert [each[0].split()[0] for each in matches(START, rule)] == [f"n0={name}" for name in found]


def test_a_count_leaves_out_matches_that_an_inner_level_fails():
    """Of the two ends of n0's edges only n1 has a b."""
    rule = (
        *("", "forall:", "", "int:1", "forallx:", "", ("n1", "count", "n3"), ("n2", "@", "n1"), ("n0", "a", "n2")),
        *(("n4", "in", "n1"), ("n5", "@", "n4"), ("n2", "b", "n5"), ("n0", "new:d", "n0")),
    )
    assert [each[0].split()[0] for each in matches(START, rule)] == ["n0=n0"]


def test_parts_of_levels_around_others_tell_matches_apart():
    """Neither end of an a has a b, so that the innermost level has no match that tells the two apart."""
    rule = (
        *("", "exists:", "", "forall:", "", ("n2", "@", "n1"), ("n3", "in", "n1"), ("n4", "@", "n3")),
        *(("n0", "a", "n2"), ("n2", "new:c", "n2"), ("n2", "b", "n4"), ("n2", "new:e", "n4")),
    )
    found = [["n0=n0", "n0=n0 n2=n1"], ["n0=n0", "n0=n0 n2=n2"]]
    assert matches(START[:-1], rule) == found


def test_a_value_of_the_outer_level_is_known_within():
    rule = ("", "int:", "forall:", "", ("n0", "v", "n1"), ("n3", "@", "n2"), ("n3", "v", "n1"), ("n3", "new:c", "n3"))
    found = matches(("let:v=1", "let:v=2", "let:v=1"), rule)
    assert [[part.split()[-1] for part in each[1:]] for each in found] == [["n3=n0", "n3=n2"], ["n3=n1"]]


def test_a_label_of_the_outer_level_is_known_within():
    rule = ("", "", "forall:", "", ("n0", "?x", "n1"), ("n3", "@", "n2"), ("n0", "?x", "n3"), ("n1", "new:c", "n3"))
    found = matches((*START, ("n0", "b", "n2")), rule)
    assert [[part.split()[-1] for part in each] for each in found] == [
        ["n1=n1", "n3=n1", "n3=n2"],
        ["n1=n2", "n3=n1", "n3=n2"],
        ["n1=n2", "n3=n2"],
    ]


def test_a_quantifier_without_an_effect_has_one_part():
    rule = ("", "forall:", "", ("n0", "new:c", "n0"), ("n2", "@", "n1"), ("n0", "a", "n2"))
    assert [len(each) for each in matches(START, rule)] == [2, 1, 1]


def test_under_dpo_no_node_is_deleted_by_two_parts():
    start = ("", "", "", ("n0", "a", "n2"), ("n1", "a", "n2"))
    rule = ("forall:", "", "del:", ("n1", "@", "n0"), ("n2", "@", "n0"), ("n1", "a", "n2"))
    assert [len(matches(start, rule, parallelEdges=each)) for each in ("SPO", "DPO")] == [1, 0]


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def test_limits_are_checked_once_in_a_while(monkeypatch):
    """Once for every second match that is found, and once for every second one that is completed."""
    monkeypatch.setattr(matcher, "CHECK_INTERVAL", 2)
    system, checks = prepared([""] * 5, ("", ("n0", "new:c", "n0"))), []
    system.finders["r"].check_limits = lambda: checks.append(1)
    assert len(found_in(system)) == 5
    assert len(checks) == 4


def test_a_limit_stops_a_search_for_combinations():
    """Each of six nodes chooses among six ends of an a, in 6 ** 6 ways."""
    names = [f"n{number}" for number in range(6)]
    edges = [(one, "a", other) for one in names for other in names]
    system = prepared([*[""] * 6, *edges], ("forall:", "", "exists:", *NESTED))

    class Stopped(Exception):
        pass

    def stop():
        raise Stopped

    system.finders["r"].check_limits = stop
    with pytest.raises(Stopped):
        found_in(system)
