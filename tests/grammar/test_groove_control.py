"""Control and exploration as GROOVE has them, on grammars that are small enough to count by hand.

Most are of nodes with a flag `on`: the rule `off` takes it from a node, `light` gives it to one.
"""

from __future__ import annotations

import pytest

from pentad.grammar import Grammar, GrammarError, Graph, explore
from pentad.grammar.files.exports import aut, json_lines, read_json_lines
from pentad.grammar.language.values import DEFAULT, AttributeValue
from pentad.grammar.logic.ctl import check
from pentad.grammar.oracles import JavaRandom, oracle_of
from pentad.grammar.rules.rule import Rule, RuleParameter
from pentad.grammar.simulation import Simulation
from pentad.grammar.states.engine import parse_settings
from pentad.grammar.states.state_space import formatted
from tests.cases import together


def rule(*labels: str, role: str = "transformer", **attributes: str) -> Graph:
    """A rule of one node."""
    graph = Graph("rule", "rule", attributes={"actionRole": role, **attributes})
    graph.node(*labels)
    return graph


def lamps(number: int, control: str = "", **properties: str) -> Grammar:
    """So many nodes that are on, with a control program; nodes are told apart."""
    start = Graph("start")
    for _ in range(number):
        start.node("flag:on")
    rules = {"off": rule("del:flag:on"), "light": rule("not:flag:on", "new:flag:on")}
    controls = {"control": control} if control else {}
    return Grammar("lamps", {"start": start}, rules, {}, controls, {"checkIsomorphism": "false"} | properties)


# ── states ───────────────────────────────────────────────────────────────────────────────────────


def test_a_recipe_that_a_verdict_ends_has_its_own_state():
    # From s0 `off` leads to s1, outside of the recipe. The recipe goes by the same step to the same graph, but within
    # itself, at `alap`; nothing is on there, so that it is over, in a state s2 of its own.
    grammar = lamps(1, "recipe r() { off; alap off; } choice off; or r;")
    found = explore(grammar, inner=True, engine="general")
    assert found.lts.counts() == (3, 2, 3, 2, 3, 3)
    assert not found.lts.inner
    assert (explore(grammar).states, explore(grammar).transitions) == (3, 2)


def test_states_within_a_recipe_are_found_once():
    # Two lamps, off one after the other: within, either is off; then both. Each first step is a recipe of its own.
    grammar = lamps(2, "recipe r() { off; off; } r;")
    found = explore(grammar, inner=True)
    assert found.lts.counts() == (2, 2, 4, 4, 4, 6)
    assert len(found.lts.inner) == 2
    assert sorted(each.action for number, each in enumerate(found.lts) if not found.lts.is_step(number)) == ["r", "r"]
    # Where graphs that are alike are one, so are the states within.
    assert explore(grammar, isomorphism=True, inner=True).lts.counts() == (2, 2, 3, 3, 3, 5)
    plain = explore(grammar)
    assert (plain.states, plain.transitions, plain.lts.inner) == (2, 2, set())


def test_states_that_reach_no_end_are_absent():
    # One lamp cannot be put off twice: the state within is absent, and so is all that leads there.
    found = explore(lamps(1, "recipe r() { off; off; } r;"), inner=True)
    assert found.lts.counts() == (1, 0, 1, 0, 2, 1)
    assert (found.lts.states, found.lts.transitions) == (1, 0)


def test_a_choice_tries_unconditional_parts_first():
    # The lamp is put off by the first part; and, as nothing is dark, by the other: s0 –off→ s1, twice.
    for control in ("choice off; or try light; else off;", "choice { try light; else off; } or off;"):
        found = explore(lamps(1, control))
        assert (found.states, found.transitions) == (2, 2)


def test_a_verdict_waits_for_inner_states():
    # The block cannot be gone through, so that `else` is tried: s0 –off→ s1, besides the absent state in the block.
    found = explore(lamps(1, "try <off; off;> else off;"), inner=True)
    assert found.lts.counts() == (2, 1, 2, 1, 3, 2)
    # With two lamps it can: s0, either one off (within the block, and public), both off; `else` is not tried.
    found = explore(lamps(2, "try <off; off;> else off;"), inner=True)
    assert found.lts.counts() == (4, 4, 4, 4, 4, 4)


def test_properties_are_tested_at_the_current_location():
    # The recipe r is over by a verdict in s1. There `dark` matches, and leads to the same graph outside of the
    # recipe, s2, where it matches again.
    grammar = lamps(1, "recipe r() { off; alap off; } r;")
    grammar.rules["dark"] = rule("not:flag:on", role="condition")
    for engine in ("general", "compiled"):
        found = explore(grammar, engine=engine)
        ways = sorted((each.source, each.action, each.target) for each in found.lts)
        assert ways == [(0, "r", 1), (1, "dark", 2), (2, "dark", 2)]


@pytest.mark.parametrize("control", ["off; try off;", "off; alap off;", "off; light; off;"])
def test_a_policy_removes_a_state_after_a_verdict(control):
    # After the recipe no lamp is on, which is forbidden: the state goes, and with it the recipe. Nothing leaves the
    # start then, which is no end of the program, but one of `alap`.
    for whole, ends in ((f"recipe r() {{ {control} }} r();", 0), (f"recipe r() {{ {control} }} alap r();", 1)):
        grammar = lamps(1, whole, actionPolicy="dark:remove")
        grammar.rules["dark"] = rule("not:", "flag:on", role="forbidden")
        found = explore(grammar)
        assert (found.states, found.transitions, found.final, found.lts.broken) == (1, 0, ends, {})


def test_a_recipe_shows_its_arguments_and_results():
    grammar = lamps(
        2, "recipe r(node x, out node y) { quench(x); quench(out y); } node a, b; pick(out a); r(a, out b);"
    )
    grammar.rules |= {"quench": rule("del:flag:on", "par:0"), "pick": rule("flag:on", "parout:0")}
    # Either lamp is picked, and put off, and then the other one: the order tells the two states at the end apart.
    found = explore(grammar)
    assert sorted(each.label for each in found.lts if each.action == "r") == ["r(n0,n1)", "r(n1,n0)"]
    assert check("EF r(n0,_)", found.lts).holds
    assert not check("EF r(n0,n0)", found.lts).holds


def test_a_recipe_that_a_verdict_ends_shows_its_results():
    grammar = lamps(2, "recipe r(out node x) { quench(out x); try never; } node a; r(out a);")
    grammar.rules |= {"quench": rule("del:flag:on", "parout:0"), "never": rule("del:flag:never")}
    found = explore(grammar, engine="general")
    assert sorted(each.label for each in found.lts) == ["r(n0)", "r(n1)"]


# ── control ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("control", "transitions"), [("zero(0);", 1), ("zero(1);", 0), ("zero(3 - 3);", 1)])
def test_a_constant_argument_filters(control, transitions):
    start, zero = Graph("start"), Graph("zero", "rule", attributes={"actionRole": "transformer"})
    start.node("let:n = 0")
    zero.edge(zero.node(), "n", zero.node("int:0", "par:0"))
    grammar = Grammar("zero", {"start": start}, {"zero": zero}, controls={"control": control})
    assert explore(grammar).transitions == transitions


def test_outputs_of_a_call_are_part_of_the_state():
    # Nothing asks for x later, but for one step it is known: two states behind `pick`, and one of two lights more.
    grammar = lamps(2, "node x; pick(out x); off;")
    grammar.rules["pick"] = rule("flag:on", "parout:0")
    found = explore(grammar)
    assert (found.states, found.transitions) == (5, 6)


def test_outputs_of_any_may_be_stored():
    grammar = lamps(2, "any;")
    grammar.rules = {"pick": rule("flag:on", "parout:0")}
    assert (explore(grammar).states, explore(grammar).transitions) == (2, 2)
    grammar.properties["storeOutParameters"] = "true"
    assert (explore(grammar).states, explore(grammar).transitions) == (3, 2)


def test_any_refuses_rules_that_need_arguments():
    for control in ("any;", "off; other;", ""):
        grammar = lamps(1, control)
        grammar.rules["use"] = rule("del:flag:on", "parin:0")
        with pytest.raises(GrammarError, match=r"missing .* rule use\(node\)"):
            explore(grammar)


def test_a_rule_that_is_not_enabled_cannot_be_called():
    grammar = lamps(1, "light;")
    grammar.rules["light"].attributes["enabled"] = "false"
    with pytest.raises(GrammarError, match=r"^control\.gcp:1:1: .* 'light'.* not enabled"):
        explore(grammar)
    grammar = lamps(1, "any;")
    grammar.rules |= {"use": rule("parin:0"), "give": rule("parin:0")}
    with pytest.raises(GrammarError, match=r"^control\.gcp:1:1: .* arguments: rule give\(node\), rule use\(node\)\.$"):
        explore(grammar)


def test_an_empty_control_setting_means_no_control():
    grammar = lamps(2, "off;")
    assert explore(grammar).states == 3  # the program that is called control is the one that counts
    grammar.properties["controlProgram"] = ""
    assert explore(grammar).states == 4


def test_a_deadlock_may_be_an_error():
    # After `off` nothing can be done, and control is not at an end.
    grammar = lamps(1, "off; off;")
    assert explore(grammar).lts.broken == {}
    grammar.properties["deadlockPolicy"] = "error"
    assert explore(grammar).lts.broken == {1: ("deadlock",)}
    assert explore(lamps(1, "off;", deadlockPolicy="error")).lts.broken == {}


def test_a_policy_may_name_a_rule_that_is_not_enabled():
    grammar = lamps(1, "off;", actionPolicy="light:silent")
    grammar.rules["light"].attributes["enabled"] = "false"
    assert explore(grammar).states == 2


# ── labels ───────────────────────────────────────────────────────────────────────────────────────


def test_rules_define_transition_labels():
    grammar = lamps(2, "off;")
    grammar.rules["off"] = rule("del:flag:on", "par:0", transitionLabel="out %s")
    found = explore(grammar)
    assert aut(found.lts).splitlines()[1:] == ['(0,"out n0",1)', '(0,"out n1",2)']
    assert check("'out n0'", found.lts).holds
    assert not check("off", found.lts).holds
    again = read_json_lines(json_lines(found.lts))
    assert [each.label for each in again] == ["out n0", "out n1"]
    grammar.rules["off"].attributes["transitionLabel"] = "out(%s)"
    found = explore(grammar)
    assert [check(each, found.lts).count for each in ("out(n0)", "out(_)", "out", "out(n7)")] == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("shows", "labels"), [("true", {"off()"}), ("some", {"off"}), ("false", {"off"}), ("SOME", {"off"})]
)
def test_parameters_are_shown_by_the_setting(shows, labels):
    found = explore(lamps(1, "off;", transitionParameters=shows))
    assert {each.label for each in found.lts} == labels


SEVEN, HALF = AttributeValue("int", 7), AttributeValue("real", 1.5)


@together(
    ("pattern", "arguments", "text"),
    [
        ("%s", ["n0"], "n0"),
        ("%S", ["n0"], "N0"),
        ("%.1s", ["n0"], "n"),
        ("%5s", ["n0"], "   n0"),
        ("%-5s|", ["n0"], "n0   |"),
        ("%s", [AttributeValue("string", "a b")], "a b"),
        ("%s %s", [SEVEN, HALF], "7 1.5"),
        ("%b", [AttributeValue("bool", True)], "true"),
        ("%d", [SEVEN], "7"),
        ("%5d", [SEVEN], "    7"),
        ("%-5d|", [SEVEN], "7    |"),
        ("%05d", [SEVEN], "00007"),
        ("%+d", [SEVEN], "+7"),
        ("% d", [SEVEN], " 7"),
        ("%05d", [AttributeValue("int", -7)], "-0007"),
        ("%+05d", [SEVEN], "+0007"),
        ("% 05d", [SEVEN], " 0007"),
        ("%1d", [AttributeValue("int", -7)], "-7"),
        ("%,d", [AttributeValue("int", 1234567)], "1,234,567"),
        ("%x", [AttributeValue("int", 255)], "ff"),
        ("%X", [AttributeValue("int", 255)], "FF"),
        ("%f", [HALF], "1.500000"),
        ("%.2f", [HALF], "1.50"),
        ("%8.3f", [HALF], "   1.500"),
        ("%08.3f", [AttributeValue("real", -1.5)], "-001.500"),
        ("%e", [HALF], "1.500000e+00"),
        ("%E", [HALF], "1.500000E+00"),
        ("%2$s %1$s", ["a", "b"], "b a"),
        ("%s %1$s %s", ["a", "b"], "a a b"),
        ("100%% of%n%s", ["a"], "100% of\na"),
        # what does not fit gives no text
        ("%s %s", ["a"], ""),
        ("%3$s", ["a", "b"], ""),
        ("%0$s", ["a"], ""),
        ("%d", ["a"], ""),
        ("%d", [HALF], ""),
        ("%f", [SEVEN], ""),
        ("%d", [AttributeValue("bool", True)], ""),
        ("%c", [SEVEN], ""),
    ],
)
def test_labels_are_formatted_as_java_does(pattern, arguments, text):
    assert formatted(pattern, arguments) == text


# ── order, bounds, goals ─────────────────────────────────────────────────────────────────────────


def growing() -> Grammar:
    """A node more with each step, for ever; `three` tells of three nodes."""
    grammar = lamps(1, checkIsomorphism="true")
    grow, three = Graph("grow", "rule"), Graph("three", "rule", attributes={"actionRole": "condition"})
    grow.node("new:", "flag:on")
    nodes = [three.node("flag:on") for _ in range(3)]
    for one, other in zip(nodes, nodes[1:] + nodes[:1], strict=True):
        three.edge(one, "!=", other)
    grammar.rules = {"grow": grow, "three": three}
    return grammar


@together(
    ("settings", "states", "transitions", "waiting"),
    [
        # States have 1, 2, 3 … nodes; from 3 on `three` leads back to them. What is beyond a bound is found, and open.
        ("bound=nodes:3", 4, 4, 1),
        ("legacy=cnbound:3", 4, 4, 1),
        ("bound=edges:on>2", 3, 2, 1),
        ("bound=upto:three", 3, 2, 1),
        ("legacy=crule:three", 3, 2, 1),
        ("bound=include:three", 4, 4, 1),
        ("legacy=uptorule:dfs=>three", 4, 4, 1),
        ("bound=initial", 2, 1, 1),
        ("legacy=state", 2, 1, 1),
        ("bound=cost:2 cost=uniform", 4, 4, 1),
        ("legacy=bfs:2", 4, 4, 1),
        ("bound=nodes:3 next=oldest goal=condition:three count=first", 3, 2, 1),
        # The start is looked at whatever the bound: it has no three nodes, but the next state is open.
        ("bound=upto:!three", 2, 1, 1),
    ],
)
def test_bounds_in_the_form_of_groove(settings, states, transitions, waiting):
    found = explore(growing(), settings=settings)
    assert (found.states, found.transitions, len(found.lts.open)) == (states, transitions, waiting)


def test_a_beam_drops_the_last_states():
    # Four lamps are put off one by one: 2⁴ states. Where two may wait and the newest is taken: the start leads to four
    # states, of which two are dropped; the next to three, and with the one that waits two are dropped; the next to
    # two, and the one that waits is dropped; both of these lead to the last. So 5 are open.
    assert explore(lamps(4, "alap off;")).states == 16
    found = explore(lamps(4, "alap off;"), settings="frontier=beam:2 next=newest")
    assert (found.states, found.transitions, len(found.lts.open)) == (11, 11, 5)
    assert explore(lamps(4, "alap off;"), settings="next=random frontier=beam:100", seed=1).states == 16
    line = explore(lamps(4, "alap off;"), settings="frontier=single successor=single")
    assert (line.states, line.transitions, len(line.lts.open)) == (5, 4, 3)


def test_a_goal_is_a_formula_of_rules():
    grammar = lamps(2, "alap off;")
    grammar.rules["dark"] = rule("not:flag:on", role="condition")
    for goal, results in (("off & dark", [1, 2]), ("off -> !dark", [0, 3]), ("!(off|light)", []), ("off", [0, 1, 2])):
        assert explore(grammar, accept=f"condition:{goal}").results == results
    assert explore(grammar, settings="goal=condition:off outcome=violate").results == [3]
    assert explore(grammar, settings="goal=fires:off").results == [0, 1, 2]
    with pytest.raises(GrammarError, match=r"^No rule 'on'\. Expected"):
        explore(grammar, accept="condition:off&on")
    with pytest.raises(GrammarError, match="Unexpected"):
        explore(grammar, accept="condition:off&")


@together(
    ("settings", "message"),
    [
        ("bound=7", "The setting bound is one"),
        ("order=bfs", "Unknown setting 'order=bfs'."),
        ("bound=nodes:x", "A bound of nodes must be 0 or more, not 'x'."),
        ("bound=edges:on", "A bound of edges is label>number, separated by commas, not 'on'."),
        ("bound=edges:none>3", "The bound edges names 'none'"),
        ("bound=upto:gone", "The bound upto names 'gone'"),
        ("bound=nodes:3 next=newest", "A bound of nodes needs next=oldest."),
        ("bound=cost:2", "bound=cost:N needs cost=uniform, and cost=uniform needs it."),
        (
            "frontier=single",
            "frontier=single needs successor=single or successor=single-random, and these need frontier=single.",
        ),
        ("frontier=beam:0", "The size of a frontier is a number"),
        ("heuristic=nen", "The setting heuristic is one of none, not 'nen'."),
        ("goal=ltl:G_off", "The setting goal is one"),
        (
            "legacy=ltl:p",
            "Unknown strategy 'ltl:p'. Strategies: bfs, dfs, linear, random, state, crule:RULE, cnbound:N,",
        ),
        ("outcome=violate", "outcome=violate needs goal=condition:FORMULA."),
    ],
)
def test_invalid_settings(settings, message):
    with pytest.raises(GrammarError) as caught:
        explore(growing(), settings=settings)
    assert message in str(caught.value)


def test_settings_and_a_strategy_cannot_be_combined():
    with pytest.raises(GrammarError, match="cannot be combined with a strategy"):
        explore(growing(), settings="next=newest", strategy="dfs")
    assert parse_settings("").is_default


def test_a_start_graph_with_another_name():
    grammar = lamps(2, "alap off;")
    grammar.graphs = {"other": grammar.graphs["start"]}
    found = explore(grammar, start="other")
    assert found.states == 4
    assert found.lts.graph is not None
    assert [sorted(found.lts.graph(state).labels("n0")) for state in range(2)] == [["flag:on"], []]
    assert "n0" in Simulation(grammar, start=grammar.graphs["other"]).graph.nodes


# ── functions ────────────────────────────────────────────────────────────────────────────────────


def test_a_filter_selects_matches():
    grammar = lamps(2, "off;")
    grammar.rules["off"] = rule("del:flag:on", matchFilter="java:lamps.Filter.first")
    with pytest.raises(GrammarError, match=r"off\.gpr: .* match filter java:lamps\.Filter\.first"):
        explore(grammar)
    seen: list[tuple[int, str]] = []

    def first(graph: Graph, match) -> bool:
        seen.append((len(graph.nodes), match["n0"]))
        return match["n0"] == "n0"

    found = explore(grammar, filters={"java:lamps.Filter.first": first})
    assert (found.states, found.transitions) == (2, 1)
    assert seen == [(2, "n0"), (2, "n1")]
    with pytest.raises(GrammarError, match=r"off\.gpr: .* java:lamps\.Filter\.first fails: KeyError"):
        explore(grammar, filters={"java:lamps.Filter.first": lambda graph, match: match["n7"] == "n0"})


def test_oracles_supply_values():
    def given(oracle: str, kinds: str, **files: bytes) -> list[str]:
        grammar = Grammar("asks", properties={"valueOracle": oracle}, others=dict(files))
        ask = oracle_of(grammar, DEFAULT)
        return [str(ask(Rule("ask"), RuleParameter(0, kind, from_oracle=True))) for kind in kinds.split()]

    assert given("default", "int real string bool") == ["int:0", "real:0.0", 'string:""', "bool:false"]
    # Java's `new Random(1000)` begins with these.
    assert given("random:1000", "int int") == ["int:-1244746321", "int:1060493871"]
    assert given("reader:values", "int string", values=b"7\nseven\n") == ["int:7", 'string:"seven"']
    for oracle, message in (
        ("none", "The rule ask asks for a value of int; the property valueOracle"),
        ("reader:gone", "The grammar has no file 'gone' for the oracle"),
        ("reader:values", "The rule ask asks for more values than the file has lines"),
        ("dialog", "The property valueOracle is one of none, default, random"),
    ):
        with pytest.raises(GrammarError, match=message):
            given(oracle, "int", values=b"")


def test_random_numbers_are_those_of_java():
    # What Java's `new Random(42)` gives for nextInt(), nextInt(10), nextDouble(), nextBoolean(), nextInt(36) and
    # nextInt(16), one after the other.
    chance = JavaRandom(42)
    assert (chance.number(), chance.below(10), chance.real()) == (-1170105035, 3, 0.6832234717598454)
    assert (chance.bits(1), chance.below(36), chance.below(16)) == (0, 25, 4)
