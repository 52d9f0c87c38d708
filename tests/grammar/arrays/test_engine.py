"""The array engine gives the states, transitions and numbers of the general one; grammars that it refuses."""

from __future__ import annotations

import random
import threading
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar import Grammar, GrammarError, Graph, explore
from pentad.grammar.arrays.engine import MOST_COMPARED, ArrayRun, run_arrays
from pentad.grammar.compiled.grounding import CannotCompile
from pentad.grammar.host import mask_of
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.models import new
from pentad.grammar.states.engine import General
from pentad.grammar.states.state_space import Space
from pentad.grammar.system import System, prepare
from tests.cases import together
from tests.grammar.compiled.test_engine import CONTROLS, chance_rule, chance_start
from tests.grammar.groove_counts import ROWS
from tests.grammar.groove_counts import made as pentago
from tests.grammar.matching.test_against_naive import hosts, rules
from tests.grammar.small_grammars import made
from tests.properties import properties, some_of

MOST_COUNTED = 20_000  # states of a grammar that GROOVE counted
MOST_STATES, MOST_DEPTH = 20, 3  # a chance grammar must stay within these
NEVER = -1  # no graph is small
LARGE = 40  # nodes and edges of a graph that is not expanded: a rule may cube their number


def arrays(system: System, iso: bool, accept: str | None = None, small: int | None = None, **limits: int) -> ArrayRun:
    """Explores by the array engine; with `small` it stores differences of graphs with more nodes and edges."""
    run = run_arrays(system, iso, Limits(**limits), Acceptor(accept, system.names))
    if small is not None:
        run.stats.small = small
    run.run()
    return run


def general(system: System, iso: bool, accept: str | None = None, **limits: int) -> General:
    run = General(system, iso, Limits(**limits), Acceptor(accept, system.names), None)
    run.run()
    return run


def whole(run: ArrayRun | General) -> dict[str, object]:
    """Everything that an exploration finds, with the numbers of its states."""
    lts = run.lts
    states = [run.state(number) for number in range(run.states)]
    return {
        "counts": (run.states, run.transitions, run.final, run.stopped),
        "rows": list(lts.rows),
        "labels": (lts.labels, lts.shown),
        "final": lts.final,
        "open": lts.open,
        "depths": list(lts.depths),
        "broken": lts.broken,
        "results": run.results,
        "states": [(state.nodes, state.edges, state.frame.key) for state in states],
    }


def agree(grammar: Grammar, iso: bool, accept: str | None = None, **limits: int) -> ArrayRun:
    """Explores by both engines, each in a system of its own, and compares everything; also with differences alone."""
    mine = arrays(prepare(grammar), iso, accept, **limits)
    found = whole(mine)
    assert found == whole(general(prepare(grammar), iso, accept, **limits))
    assert found == whole(arrays(prepare(grammar), iso, accept, small=NEVER, **limits))
    return mine


@st.composite
def two_states(draw):
    """A number of nodes, edges that stay, and two sets of edges that rules change; often the second is an image."""
    size = draw(st.integers(1, 5))
    node = st.integers(0, size - 1)
    stays = draw(st.sets(st.tuples(node, st.sampled_from(["next", "flag:red"]), node), max_size=8))
    one = draw(st.sets(st.tuples(node, st.sampled_from(["mark", "to"]), node), max_size=6))
    image = draw(st.permutations(range(size)))
    other = {(image[source], label, image[target]) for source, label, target in one}
    if draw(st.booleans()):
        other ^= draw(st.sets(st.tuples(node, st.sampled_from(["mark", "to"]), node), max_size=2))
    return size, {(a, label, a if ":" in label else b) for a, label, b in stays}, one, other


def mappings(size: int, one: set[tuple[int, str, int]], other: set[tuple[int, str, int]]) -> int:
    """How many permutations of the nodes map one set of edges to another."""
    images = permutations(range(size))
    return sum({(to[source], label, to[target]) for source, label, target in one} == other for to in images)


@properties(400)
@given(case=two_states(), grows=st.booleans())
def test_states_are_the_same_exactly_if_a_permutation_maps_them(case, grows):
    """Given symmetries are compared where nodes stay, colours where a rule creates some."""
    size, stays, one, other = case
    start, rule = Graph("start"), Graph("change", "rule")
    nodes = [start.node() for _ in range(size)]
    for source, label, target in stays | one:
        start.edge(nodes[source], label, nodes[target])
    here, there = rule.node(), rule.node()
    for label in ("del:mark", "del:to"):
        rule.edge(here, label, there)
    if grows:
        rule.edge(here, "new:to", rule.node("new:"))
    system = prepare(Grammar("two", {"start": start}, {"change": rule}))
    run = arrays(system, True, states=1)
    symmetries = mappings(size, stays, stays)
    are_compared = not grows and 1 < symmetries <= MOST_COMPARED + 1
    assert run.stats.symmetries == (symmetries if are_compared else 0)
    begun, world = run.state(0), system.world
    edges = begun.edges & ~mask_of(world.edge(*edge) for edge in one) | mask_of(world.edge(*edge) for edge in other)
    assert (run.find(begun._replace(edges=edges)) == 0) == (mappings(size, stays | one, stays | other) > 0)


# ── models and shared grammars ───────────────────────────────────────────────────────────────────


def chain() -> Grammar:
    """A chain of cells that grows at its end."""
    start, append = Graph("start"), Graph("append", "rule")
    start.node("type:Cell")
    last, following, added = (
        append.node("type:Cell"),
        append.node("not:", "type:Cell"),
        append.node("new:", "type:Cell"),
    )
    append.edge(last, "next", following)
    append.edge(last, "new:next", added)
    return Grammar("chain", {"start": start}, {"append": append})


MODELS: dict[str, Grammar] = {
    "append": new("append", cells=2, calls=3),
    "election": new("election", processes=4, order="mixed"),
    "ferry": new("ferry", wolves=1, goats=2, cabbages=1),
    "maze": new("maze", plan="court"),
    "tictactoe": new("tictactoe", rows=2, cols=3),
    "pentago": new("pentago", rows=1, cols=1, block=2, line=2, style="sym"),
}


@pytest.mark.slow
@together("name, iso", [(name, iso) for name in MODELS for iso in (False, True)])
def test_models(name, iso):
    agree(MODELS[name], iso)


def test_a_growing_chain():
    agree(chain(), True, states=30)
    agree(chain(), False, states=30)


@together("row", [row for row in ROWS if row.states <= MOST_COUNTED])
def test_pentago_has_groove_s_counts(row):
    system = prepare(pentago(row.name))
    if row.name.startswith("flags") and "norotate" not in row.name:
        with pytest.raises(CannotCompile, match=r"finds labels by wildcards|calls the recipe"):
            arrays(system, system.isomorphism)
        return
    run = arrays(system, system.isomorphism)
    assert (run.states, run.transitions) == (row.states, row.transitions)


# ── chance grammars ──────────────────────────────────────────────────────────────────────────────


def agree_or_decline(grammar: Grammar, iso: bool) -> bool:
    """Compares both engines on a chance grammar, one step further as long as its graphs are small."""
    try:
        for depth in range(MOST_DEPTH + 1):
            mine = agree(grammar, iso, states=MOST_STATES, depth=depth)
            found = [mine.state(number) for number in range(mine.states)]
            if max(each.nodes.bit_count() + each.edges.bit_count() for each in found) > LARGE:
                break
    except CannotCompile:
        return False
    return True


def test_records_of_created_nodes_are_short():
    """One match creates a node for each pair of nodes: the event of 400 parts is stored once."""
    start, rule = Graph("start"), Graph("rule", "rule")
    for _ in range(20):
        start.node("type:N")
    quantifier = rule.node("forall:")
    for text in ("type:N", "type:N", "new:"):
        rule.edge(rule.node(text), "@", quantifier)
    run = agree(Grammar("pairs", {"start": start}, {"rule": rule}), False, depth=0)
    assert run.state(1).nodes.bit_count() == 20 + 400
    assert run.stats.used_records < 20 * 400 + 10_000


@properties(120)
@given(hosts(), st.lists(rules(), min_size=1, max_size=3), st.booleans())
def test_chance_grammars_that_create_and_delete(host, drawn, iso):
    for rule in drawn:
        rule.attributes["actionRole"] = "transformer"
    grammar = Grammar("small", {"start": host}, {f"rule{i}": rule for i, rule in enumerate(drawn)})
    agree_or_decline(grammar, iso)


EXTRAS = ("count", "sum", "test", "constant", "new", "del", "not", "merge")
PATHS = ("a*", "a+.b", "-a", "(a|b)+", "a.-b", "!a+", "=|b", "a.b*")


@st.composite
def attributed(draw):
    """A rule with numbers, paths, counts or a negative condition over several edges."""
    graph = Graph("rule", "rule")
    one, other = graph.node("type:N"), graph.node("type:N")
    if draw(st.booleans()):
        graph.edge(one, f"path:{draw(st.sampled_from(PATHS))}", other)
    if draw(st.booleans()):
        graph.edge(one, draw(st.sampled_from(["new:a", "del:a", "not:a", "b", "new:b", "del:b"])), other)
    extras = draw(st.lists(st.sampled_from(EXTRAS), max_size=2, unique=True))
    if "count" in extras:
        quantifier, found = graph.node("forall:"), graph.node("type:N")
        graph.edge(found, "@", quantifier)
        graph.edge(one, "a", found)
        graph.edge(quantifier, "count", graph.node(f"int:{draw(st.sampled_from(['', 0, 1, 2]))}"))
    if "sum" in extras:
        graph.edge(
            one,
            draw(
                st.sampled_from(
                    [
                        "let:v = v + 1",
                        "let:v = max(v, 2)",
                        "let:v = 3 - v",
                        "let:v = (v - 3) / 2",
                        "let:v = (v - 3) % 2",
                    ]
                )
            ),
            one,
        )
        graph.edge(one, "test:v < 3", one)
    if "test" in extras:
        graph.edge(one, draw(st.sampled_from(["test:v > 0", "test:v == 1 | v == 2", "test:!(v < 1)"])), one)
    if "constant" in extras:
        graph.edge(one, "v", graph.node("int:1"))
    if "new" in extras:
        added = graph.node("new:", "type:N", "let:v = 1")
        graph.edge(added, "a", one)
    if "del" in extras:
        gone = graph.node("del:", "type:N")
        graph.edge(gone, "a", one)
    if "merge" in extras:
        graph.edge(one, "new:=", other)
    if "not" in extras:
        absent = graph.node("not:", "type:N")
        graph.edge(one, "a", absent)
        graph.edge(absent, "b", other)
    if draw(st.booleans()):
        graph.edge(one, "par:0", one)
    graph.attributes["actionRole"] = "transformer"
    return graph


@properties(150)
@given(st.data(), st.booleans(), st.booleans())
def test_chance_grammars_with_paths_and_numbers(data, iso, injective):
    host = Graph("start")
    names = [host.node("type:N", f"let:v = {data.draw(st.integers(0, 2))}") for _ in range(3)]
    for edge in sorted(data.draw(st.sets(st.tuples(*map(st.sampled_from, (names, "ab", names))), max_size=5))):
        host.edge(*edge)
    drawn = data.draw(st.lists(attributed(), min_size=1, max_size=3))
    grammar = Grammar("small", {"start": host}, {f"rule{i}": rule for i, rule in enumerate(drawn)})
    grammar.properties["matchInjective"] = str(injective).lower()
    agree_or_decline(grammar, iso)


CREATES = ["type:N", "new: type:N let:v_=_1", ("n1", "new:a", "n0")]
NUMBERED = {
    # A rule of one match evaluates the others, too: the number 2 is counted at n1.
    "counts that only test": {
        "create": ["!", "type:N", *CREATES[1:]],
        "count": [
            "!",
            "type:N",
            "type:N",
            "forall:",
            "int:0",
            ("n1", "@", "n2"),
            ("n0", "a", "n1"),
            ("n2", "count", "n3"),
        ],
    },
    "counts and creates": {
        "both": [
            *["!", *CREATES[:2], "type:N", "forall:", "int:"],
            *[("n1", "a", "n0"), ("n2", "@", "n3"), ("n0", "a", "n2"), ("n3", "count", "n4")],
        ],
    },
    "computes and creates": {"both": ["!", "type:N let:v_=_v_+_7", CREATES[1], ("n1", "a", "n0")]},
    "computes and creates for each": {
        "both": [
            *["!", "type:N let:v_=_v_+_7", "forall:", "type:N", "new: type:N"],
            *[("n2", "@", "n1"), ("n3", "@", "n1"), ("n0", "a", "n2"), ("n3", "a", "n2")],
        ],
    },
    "computes for each": {
        "both": [
            *["!", "type:N let:v_=_v_+_7", "forall:", "type:N let:v_=_v_+_9", "new: type:N"],
            *[("n2", "@", "n1"), ("n0", "a", "n2"), ("n3", "a", "n0")],
        ],
    },
}


@together("name", NUMBERED)
def test_values_have_numbers_before_created_nodes(name):
    """Also those of matches that change nothing, and of a match that comes after one that creates a node."""
    start = ["type:N let:v_=_0", "type:N let:v_=_5", "type:N let:v_=_9", ("n1", "a", "n0"), ("n1", "a", "n1")]
    for depth in (1, 2):
        agree(made(start, NUMBERED[name]), False, depth=depth, states=100)


def test_chance_grammars_with_control_and_quantifiers():
    taken = 0
    for seed in range(some_of(300)):
        chance = random.Random(seed)
        grammar = Grammar("chance", {"start": chance_start(chance, 3)})
        grammar.rules = {f"r{i}": chance_rule(chance, f"r{i}") for i in range(3)}
        control = chance.choice(CONTROLS)
        if control:
            grammar.controls["main"], grammar.properties["controlProgram"] = control, "main"
        taken += agree_or_decline(grammar, chance.random() < 0.5)
    assert taken > 5


# ── large graphs ─────────────────────────────────────────────────────────────────────────────────


def garden(seed: int) -> Grammar:
    """A list of cells with leaves; two gardeners walk on it, append, insert, prune, merge and count."""
    chance = random.Random(seed)
    cells = ["type:Cell" + chance.choice(["", " flag:dry"]) for _ in range(110)]
    edges = [(f"n{i}", "next", f"n{i + 1}") for i in range(109)]
    start = [*cells, *edges, *[f"type:Gardener let:done={i}" for i in range(2)]]
    start += [(f"n{110 + i}", "at", f"n{place}") for i, place in enumerate(chance.sample(range(40, 109), 2))]
    here, following = ("n0", "at", "n1"), ("n1", "next", "n2")
    walk = ["!", "type:Gardener", "type:Cell", "type:Cell", ("n0", "del:at", "n1"), ("n0", "new:at", "n2")]
    rules = {
        "go": [*walk, following],
        "back": [*walk, ("n2", "next", "n1")],
        "append": [
            "!",
            *["type:Cell", "not: type:Cell", "new: type:Cell"],
            ("n0", "next", "n1"),
            ("n0", "new:next", "n2"),
        ],
        "leaf": ["!", "type:Gardener", "type:Cell", "new: type:Leaf flag:dry", here, ("n1", "new:has", "n2")],
        "prune": ["!", "type:Gardener", "type:Cell", "del: type:Leaf", here, ("n1", "has", "n2")],
        "cut": [
            *["!", "type:Gardener", "type:Cell", "del: type:Cell", "type:Cell"],
            *[here, following, ("n2", "next", "n3"), ("n1", "new:next", "n3")],
        ],
        "water": ["!", "type:Gardener", "type:Cell del:flag:dry", here],
        "merge": ["!", "type:Gardener", "type:Cell", "type:Cell", here, following, ("n1", "new:=", "n2")],
        "count": ["!", "type:Gardener test:done_<_3 let:done_=_done_+_1", "type:Cell flag:dry", here],
        "far": [
            *["!", "type:Cell not:flag:seen new:flag:seen", "type:Gardener", "type:Cell"],
            *[("n1", "at", "n2"), ("n2", "next", "n0")],
        ],
        "dry": ["!", "type:Cell not:flag:seen", "type:Gardener", ("n1", "at", "n0"), ("n0", "new:flag:seen", "n0")],
    }
    chosen = chance.sample(sorted(rules), chance.randint(2, 4))
    return made(start, {name: rules[name] for name in chosen})


@pytest.mark.slow
@properties(60)
@given(seed=st.integers(0, 1 << 30), iso=st.booleans())
def test_differences_of_large_graphs(seed, iso):
    """Graphs of more than 256 nodes and edges, which walks change here and there."""
    mine = agree(garden(seed), iso, states=120)
    if mine.states > 20:
        assert mine.stats.kept_end < 120 * mine.states


@properties(20)
@given(seed=st.integers(0, 1 << 30), count=st.integers(20, 70))
def test_many_candidates_and_hubs(seed, count):
    """A hub has more neighbours than candidates are kept, and each of these has a value that others share."""
    chance = random.Random(seed)
    start = ["type:Hub", *[f"type:Spoke let:level={chance.randint(0, 1)}" for _ in range(count)]]
    start += [("n0", "to", f"n{i + 1}") for i in range(count)]
    linked = ("n0", "to", "n1")
    rules = {
        "raise": ["!", "type:Hub", "type:Spoke test:level_<_2 let:level_=_level_+_1", linked],
        "drop": ["!", "type:Hub", "del: type:Spoke", "int:1", linked, ("n1", "level", "n2")],
        "lone": [
            "!",
            *["type:Hub", "type:Spoke", "type:Spoke"],
            ("n0", "not:to", "n1"),
            ("n0", "to", "n2"),
            ("n2", "new:to", "n1"),
        ],
        "cut": ["!", "type:Hub", "type:Spoke", ("n0", "del:to", "n1")],
        "turn": ["!", "", "", ("n0", "del:to", "n1"), ("n1", "new:from", "n0")],
        "return": ["!", "", "", ("n0", "del:from", "n1"), ("n1", "new:to", "n0")],
    }
    chosen = chance.sample(sorted(rules), chance.randint(1, 2))
    agree(made(start, {name: rules[name] for name in chosen}), False, states=4 * count)


def test_edges_come_back_in_their_order():
    """Each state is made from its sibling, whose edge comes back among more edges than candidates are kept."""
    edges = [("n0", "to", f"n{i + 1}") for i in range(80)]
    turn = ["!", "", "", ("n0", "del:to", "n1"), ("n1", "new:from", "n0")]
    agree(made(["type:Hub", *["type:Spoke"] * 80, *edges], {"turn": turn}), False, states=320)


def test_a_long_chain_is_stored_as_differences_and_searched_at_its_end():
    mine = arrays(prepare(chain()), False, states=5000)
    assert mine.state(4999).nodes.bit_count() == 5000
    assert mine.stats.kept_end < 5000 * 30
    assert mine.scratch.candidates[0] == 1
    system = prepare(chain())
    other = general(system, False, states=1500)
    assert [mine.state(number)[:2] for number in range(0, 1500, 100)] == [
        other.state(number)[:2] for number in range(0, 1500, 100)
    ]


def test_a_state_is_found_among_differences():
    system = prepare(chain())
    run = arrays(system, True, states=600)
    assert [run.find(run.state(number)) for number in range(0, 600, 50)] == list(range(0, 600, 50))
    last = run.state(599)
    assert run.find(last._replace(edges=last.edges & (last.edges - 1))) is None


# ── exploration ──────────────────────────────────────────────────────────────────────────────────


def test_limits_results_and_properties():
    election = new("election", processes=4)
    for limits in ({"depth": 3}, {"states": 20}, {"results": 2}, {"states": 0}, {"depth": 0}):
        for accept in (None, "final", "elect", "!send", "any" if "results" not in limits else "none"):
            agree(election, True, accept, **limits)
    broken = made(["type:A"], {"grow": ["!", "type:A", "new: type:B", ("n1", "to", "n0")], "bad": ["type:B", "type:B"]})
    broken.rules["bad"].attributes["actionRole"] = "forbidden"
    for policy in ("bad:error", "bad:silent", "bad:off"):
        broken.properties["actionPolicy"] = policy
        agree(broken, True, "broken", states=40)


def test_auto_goes_on_from_the_general_engine_and_continues_in_its_world():
    """The world has grown before; the numbers of nodes and edges are those of a run from the start."""
    grammar = new("append", cells=4, calls=4)
    system = prepare(grammar)
    general(system, False, states=200)
    mine = arrays(system, False)
    other = general(prepare(grammar), False)
    assert whole(mine) == whole(other)
    space = Space(system)
    for number in range(0, mine.states, 50):
        targets = {mine.find(each.state) for each in space.successors(mine.state(number))[0]}
        assert targets == {mine.lts.targets[each] for each in mine.lts.leaving(number)}


@pytest.mark.slow
def test_auto_prefers_the_array_engine_to_the_general_one():
    grammar = new("append", cells=6, calls=4)
    found = explore(grammar)
    assert (found.engine, found.states) == ("array", explore(grammar, engine="array").states)
    assert found.why == "Rule append creates nodes."
    assert found.why_no_array == ""


def test_a_stop_ends_a_search_within_a_state():
    """The rule has too many candidates to try them all."""
    nodes, pairs = ["type:A let:v=1"] * 40, [(f"n{i}", "to", f"n{j}") for i in range(40) for j in range(40)]
    path = [(f"n{i}", "to", f"n{i + 1}") for i in range(11)]
    rules = {"all": ["!", "type:A id:a", *["type:A"] * 10, "type:A id:b test:a.v_+_b.v_>_9", *path]}
    stopped = threading.Event()
    threading.Timer(0.2, stopped.set).start()
    system = prepare(made([*nodes, *pairs], rules))
    run = run_arrays(system, False, Limits(stop=stopped.is_set), Acceptor(None, system.names))
    run.run()
    assert (run.stopped, run.states, run.lts.open) == ("interrupted", 1, {0})


def test_memory_ends_the_exploration():
    found = explore(made(["type:A"], {"grow": ["!", "type:A", "new: type:A"]}), engine="array", memory=1 << 20)
    assert found.stopped == "memory"
    assert found.states == found.lts.states > 10


REFUSED = {
    "recipe": ({"go": ["!", "type:A"]}, "The control program calls the recipe again."),
    "wildcard": ({"any": ["!", "type:A", "type:A", ("n0", "?", "n1")]}, "Rule any has a wildcard outside of a path."),
    "division": ({"half": ["!", "type:A let:v_=_4/v"]}, "Rule half computes int:div."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_grammars(name):
    rules, why = REFUSED[name]
    control = "recipe again() { go; } again();" if name == "recipe" else ""
    with pytest.raises(GrammarError, match=r"^made: The array engine cannot run this grammar: ") as error:
        explore(made(["type:A let:v=4", "type:A"], rules, control), engine="array")
    assert str(error.value).endswith(why)
