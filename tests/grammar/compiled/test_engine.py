"""The compiled engine gives the same states and transitions as the general one; grammars that it refuses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from pentad.grammar.compiled.counting import run_compiled
from pentad.grammar.compiled.engine import CompiledRun, compile_system
from pentad.grammar.compiled.grounding import CannotCompile, Clause, Guard, settle
from pentad.grammar.compiled.tables import words_of
from pentad.grammar.exploration import explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.host import bits
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.states.engine import General
from pentad.grammar.system import System, prepare
from pentad.kernels.buffers import array, zeros
from tests.cases import together
from tests.grammar.groove_counts import ROWS, made
from tests.programs import run as run_program
from tests.properties import some_of


def general(system: System, iso: bool = False, accept: str | None = None, **limits: int) -> General:
    run = General(system, iso, Limits(**limits), Acceptor(accept, system.names), None)
    run.run()
    return run


def compiled(system: System, iso: bool = False, accept: str | None = None, **limits: int) -> CompiledRun:
    run = run_compiled(system, iso, Limits(**limits), Acceptor(accept, system.names))
    run.run()
    return run


def summary(run: General | CompiledRun) -> dict[str, object]:
    """The numbers on which both engines must agree, whichever state represents an isomorphism class."""
    lts = run.lts
    leaving = Counter(lts.sources)
    return {
        "states": lts.states,
        "transitions": len(lts.sources),
        "labels": Counter(lts.labels[action][0] for action in lts.actions),
        "depths": Counter(lts.depths),
        "degrees": Counter((lts.depths[state], leaving[state], state in lts.final) for state in range(lts.states)),
        "open": len(lts.open),
        "results": len(run.results),
        "stopped": run.stopped,
    }


def transitions(run: General | CompiledRun) -> Counter[tuple[object, ...]]:
    """The transitions by what the states are, which is comparable within one system."""
    lts = run.lts
    keys = [(nodes, edges, frame.key) for nodes, edges, frame in map(run.state, range(run.states))]
    assert len(set(keys)) == len(keys)
    return Counter(
        (keys[source], lts.labels[action], keys[target])
        for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True)
    )


# ── Pentago's grammars ───────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_pentago_has_groove_s_counts(row):
    system = prepare(made(row.name))
    bound = {} if row.depth is None else {"depth": row.depth}
    run = compiled(system, system.isomorphism, **bound)
    assert (run.states, run.transitions) == (row.states, row.transitions)
    assert row.draws in (None, run.final)
    if row.states < 2000:
        assert summary(run) == summary(general(system, system.isomorphism, **bound))


# ── chance grammars ──────────────────────────────────────────────────────────────────────────────

CONTROLS = (
    "",
    "alap { r0 | r1; }",
    "r0*; try r1; else r2;",
    "while (r0) { r1 | r2; }",
    "#r0; (r1 | r2)*;",
    "recipe m() { r0; r1; } alap m();",
    "recipe m() { try r0; else r1; r2*; } m() | r1; m();",
    "alap { try { r0; halt; } else { r1; any; } }",
)


def chance_start(chance: random.Random, size: int) -> Graph:
    graph = Graph("start")
    nodes = [graph.node(f"type:{chance.choice('AB')}") for _ in range(size or chance.randint(2, 4))]
    for label in ("f", "p", "q"):
        for one in nodes:
            for other in nodes:
                if chance.random() < 0.25:
                    graph.edge(one, label, other)
    if chance.random() < 0.3:
        graph.edge(nodes[0], "flag:on", nodes[0])
    return graph


def chance_rule(chance: random.Random, name: str) -> Graph:
    graph = Graph(name, "rule")
    nodes = [graph.node(f"type:{chance.choice('AB')}") for _ in range(chance.randint(1, 3))]
    level: dict[str, int] = dict.fromkeys(nodes, 0)
    outermost = list(nodes)
    if chance.random() < 0.5:
        forall = graph.node(chance.choice(("forall:", "forall:", "forallx:")))
        inner = [graph.node(f"type:{chance.choice('AB')}") for _ in range(chance.randint(1, 2))]
        for node in inner:
            graph.edge(node, "@", forall)
            level[node] = 1
        if chance.random() < 0.4:
            exists, deepest = graph.node("exists:"), graph.node("type:A")
            graph.edge(exists, "in", forall)
            graph.edge(deepest, "@", exists)
            level[deepest] = 2
            inner.append(deepest)
        nodes += inner
    if chance.random() < 0.2:
        graph.edge(nodes[0], "par:0", nodes[0])
    for _ in range(chance.randint(1, 5)):
        one, other = chance.choice(nodes), chance.choice(nodes)
        label = chance.choice(("f", "p", "q", "p", "q"))
        role = "use" if label == "f" else chance.choice(("use", "del", "new", "not"))
        if role in ("del", "new") and max(level[one], level[other]) == 2 and chance.random() < 0.9:
            role = "use"
        graph.edge(one, f"{role}:{label}", other)
    if chance.random() < 0.3:
        outside = graph.node("not:", "type:A")
        graph.edge(chance.choice(outermost), "p", outside)
        if chance.random() < 0.5:
            graph.edge(outside, "q", chance.choice(outermost))
    if chance.random() < 0.2:
        graph.edge(nodes[0], "flag:on" if chance.random() < 0.5 else "del:flag:on", nodes[0])
    if chance.random() < 0.2:  # a label that is found, and looked for elsewhere
        first = "?x[f,p]" if chance.random() < 0.5 else "?x"
        graph.edge(chance.choice(outermost), first, chance.choice(outermost))
        graph.edge(chance.choice(nodes), chance.choice(("?x", "not:?x")), chance.choice(nodes))
    return graph


def compiled_grammars(seeds: Iterable[int]) -> Iterator[tuple[int, System, bool]]:
    """The random grammars that the compiled engine takes, with their seeds, and whether a state is one word."""
    for seed in seeds:
        system = prepare(chance_grammar(seed))
        try:
            is_narrow = compile_system(system, True).layout.is_narrow
        except CannotCompile:
            continue
        yield seed, system, is_narrow


def chance_grammar(seed: int, size: int = 0) -> Grammar:
    chance = random.Random(seed)
    grammar = Grammar("chance")
    grammar.graphs["start"] = chance_start(chance, size)
    grammar.rules = {f"r{i}": chance_rule(chance, f"r{i}") for i in range(3)}
    program = chance.choice(CONTROLS)
    if program:
        grammar.controls["main"] = program
        grammar.properties["controlProgram"] = "main"
    for rule in grammar.rules.values():
        if not program and not size and chance.random() < 0.3:
            rule.attributes["priority"] = str(chance.randint(0, 2))
        if not any(edge.label.startswith(("new:", "del:")) for edge in rule.edges) and chance.random() < 0.7:
            rule.attributes["actionRole"] = "transformer"
    if chance.random() < 0.2:
        grammar.properties["matchInjective"] = "true"
    if chance.random() < 0.2:
        grammar.properties["transitionParameters"] = "true"
    return grammar


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("block", range(8))
def test_random_grammars_are_equal_in_both_engines(block):
    compared = 0
    for seed, system, _ in compiled_grammars(range(40 * block, 40 * block + some_of(40))):
        compared += 1
        one, other = general(system, depth=2), compiled(system, depth=2)
        assert summary(one) == summary(other), seed
        assert transitions(one) == transitions(other), seed
        assert summary(general(system, True, depth=2)) == summary(compiled(system, True, depth=2)), seed
    assert compared >= some_of(20)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(8))
def test_states_of_several_words_give_equal_results(seed):
    grammar = chance_grammar(seed, size=8)
    grow = grammar.rules["r0"] = Graph("r0", "rule")  # with it any edge p may come up, which are 64
    one, other = grow.node(), grow.node()
    grow.edge(one, "new:p", other)
    turn = grammar.rules["r1"] = Graph("r1", "rule")
    forall, one, other = turn.node("forall:"), turn.node(), turn.node()
    for label, source, target in (
        ("@", one, forall),
        ("@", other, forall),
        ("del:p", one, other),
        ("new:p", other, one),
    ):
        turn.edge(source, label, target)
    turn.edge(one, "not:q", one)
    grammar.properties.pop("matchInjective", None)
    grammar.controls["main"] = "alap { r0 | r1; }"
    grammar.properties["controlProgram"] = "main"
    system = prepare(grammar)
    assert not compile_system(system, False).layout.is_narrow
    one, other = general(system, depth=1), compiled(system, depth=1)
    assert summary(one) == summary(other)
    assert transitions(one) == transitions(other)
    assert summary(general(system, True, depth=0)) == summary(compiled(system, True, depth=0))


# ── bounds, results, interrupts ──────────────────────────────────────────────────────────────────


def counter(places: int, control: str = "alap { up | down; }") -> Grammar:
    """Tokens on a ring, each of which is there or not: 2**places states."""
    grammar = Grammar("counter", properties={"controlProgram": "main", "checkIsomorphism": "false"})
    grammar.controls["main"] = control
    start = grammar.graphs["start"] = Graph("start")
    nodes = [start.node("type:Place") for _ in range(places)]
    start.chain("next", [*nodes, nodes[0]])
    for name, label in (("up", "new:flag:on"), ("down", "del:flag:on")):
        rule = grammar.rules[name] = Graph(name, "rule")
        rule.node("type:Place", label, *(["not:flag:on"] if name == "up" else []))
    full = grammar.rules["full"] = Graph("full", "rule", attributes={"actionRole": "condition"})
    forall, place = full.node("forall:"), full.node("type:Place", "flag:on")
    full.edge(place, "@", forall)
    forbidden = grammar.rules["gap"] = Graph("gap", "rule", attributes={"actionRole": "condition"})
    first = forbidden.node("type:Place", "flag:on")
    forbidden.edge(first, "next", forbidden.node("type:Place", "not:flag:on"))
    return grammar


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"depth": 0},
        {"depth": 3},
        {"states": 1},
        {"states": 10},
        {"states": 40, "depth": 2},
        {"accept": "gap", "results": 3},
        {"accept": "!gap"},
        {"accept": "up", "results": 30},
        {"accept": "any", "depth": 2},
        {"accept": "final"},
    ],
    ids=str,
)
def test_bounds_and_results_agree_with_the_general_engine(asked):
    system = prepare(counter(6))
    assert summary(compiled(system, **asked)) == summary(general(system, **asked))


EXPLORED = """
    import sys
    from pentad.grammar.compiled.counting import run_compiled
    from pentad.grammar.limits import Acceptor, Limits
    from pentad.grammar.models import new
    from pentad.grammar.system import prepare

    options = {"block": 2, "line": 2, "style": "sym", "players": 2, "control": "recipe"}
    for size, most in ({"rows": 1, "cols": 2}, 100), ({"rows": 3, "cols": 3}, 20):
        system = prepare(new("pentago", **options, **size))
        run = run_compiled(system, True, Limits(states=most), Acceptor(None, system.names))
        run.run()
        print(run.compiled.layout.width, run.states, run.transitions, run.final, [*run.lts.targets][-3:])
    print("numba" in sys.modules)
    """


@pytest.mark.slow
def test_machine_code_is_used_without_numba_and_does_the_same_as_python() -> None:
    (*found, has_numba), (*plain, _) = (
        run_program(EXPLORED, NUMBA_DISABLE_JIT=disabled)[0].splitlines() for disabled in ("0", "1")
    )
    assert [line.split()[:2] for line in found] == [["1", "101"], ["2", "115"]]
    assert found == plain
    assert has_numba == "False"


def test_isomorphic_states_are_merged():
    ring = prepare(counter(6))
    run = compiled(ring, True)
    assert run.states == general(ring, True).lts.states == 14  # necklaces of six beads of two colours
    assert run.compiled.grammar.symmetries.number == 5


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("places", [6, 12, 64, 70, 130])  # one to three words, one to seventeen blocks of symmetries
def test_states_become_the_smallest_of_their_images(places):
    made = compile_system(prepare(counter(places)), True)
    assert made.grammar.symmetries.number == places - 1
    layout, edges, chance = made.layout, made.system.world.edges, random.Random(places)
    place = [edges[number].source for number in layout.order]  # the token of each bit is there
    after = {edge.source: edge.target for edge in edges if edge.label == "next"}
    turned = [place.index(after[each]) for each in place]
    thin = [sum(1 << bit for bit in chance.sample(range(places), 2)) for _ in range(5)]
    for state in (0, (1 << places) - 1, *thin, *(chance.getrandbits(places) for _ in range(some_of(40)))):
        images = [state]
        while len(images) < places:
            images.append(sum(1 << turned[bit] for bit in bits(images[-1])))
        smallest = min(words_of([image], layout.width) for image in images)
        for image in chance.sample(images, 3):
            row, best = (array(words_of([each], layout.width), "uint64") for each in (image, 0))
            made.call("begin", row, zeros(4, "uint64"), made.grammar, best)
            assert list(row) == smallest


def test_a_large_ring_is_counted_without_storing_its_states():
    system = prepare(counter(18))
    run = CompiledRun(compile_system(system), Limits(), Acceptor(None, system.names), None, keep=False)
    run.run()
    assert (run.states, run.final) == (2**18, 0)
    assert len(run.lts.sources) == 0 < run.transitions


def test_an_interrupt_keeps_the_states_found():
    system = prepare(counter(18))

    def interrupt(states: int, _transitions: int, _open: int) -> None:
        if states > 5000:
            raise KeyboardInterrupt

    run = run_compiled(system, False, Limits(), Acceptor(None, system.names), interrupt)
    run.run()
    assert run.stopped == "interrupted"
    assert 5000 < run.states < 2**18
    assert len(run.lts.sources) == len(run.lts.actions) == len(run.lts.targets) == run.transitions
    assert len(run.lts.depths) == run.lts.states == run.states
    assert run.lts.open == set(range(run.expanded, run.states))
    assert max(run.lts.sources) == run.expanded - 1


def test_a_memory_limit_stops_the_engine():
    system = prepare(counter(22))
    run = run_compiled(system, False, Limits(memory=4_000_000), Acceptor(None, system.names))
    run.run()
    assert run.stopped == "memory"
    assert run.table.bytes < 4_000_000
    assert 0 < run.states < 2**22


def test_states_are_described_as_by_the_general_engine():
    system = prepare(counter(4))
    one, other = general(system), compiled(system)
    assert sorted(map(one.lts.describe, range(16))) == sorted(map(other.lts.describe, range(16)))
    full = next(number for number in range(16) if len(other.lts.describe(number).split()) == 4)
    assert sum(edge.label == "flag:on" for edge in other.lts.graph(full).edges) == 4


def counting(test: str) -> Grammar:
    """Two counters, each of which counts while a test holds."""
    grammar = Grammar("counting")
    start = grammar.graphs["start"] = Graph("start")
    for _ in range(2):
        start.node("type:A", "let:n = 0")
    rule = grammar.rules["count"] = Graph("count", "rule")
    rule.node("type:A", "let:n = n + 1", *([test] if test else []))
    return grammar


@pytest.mark.slow
def test_bounded_values_are_compiled():
    system = prepare(counting("test:n < 3"))
    for iso, states in ((False, 16), (True, 10)):
        assert summary(compiled(system, iso)) == summary(general(system, iso))
        assert compiled(system, iso).states == states
    with pytest.raises(CannotCompile, match="new edges without end"):
        compile_system(prepare(counting("")))


def test_an_unbound_symbol_is_equal_in_both_engines():
    # With one value a type (`point`) a variable that nothing binds stands for that value: the edge `n` is made, and
    # made again where it is: two states and two transitions.
    grammar = Grammar("point", properties={"algebraFamily": "point"})
    grammar.graphs["start"] = Graph("start")
    grammar.graphs["start"].node("type:A")
    rule = grammar.rules["make"] = Graph("make", "rule")
    rule.edge(rule.node("type:A"), "new:n", rule.node("int:"))
    system = prepare(grammar)
    assert summary(compiled(system)) == summary(general(system))
    assert (general(system).states, general(system).transitions) == (2, 2)


# ── refused grammars ──────────────────────────────────────────────────────────────────────────────


def with_rule(*edges: tuple[str, str, str], nodes: dict[str, tuple[str, ...]], **attributes: str) -> Grammar:
    grammar = Grammar("one")
    start = grammar.graphs["start"] = Graph("start")
    one, other = start.node("type:A"), start.node("type:A")
    start.edge(one, "p", other)
    rule = grammar.rules["r"] = Graph("r", "rule", attributes=attributes)
    for name, labels in nodes.items():
        rule.node(*labels, name=name)
    for source, label, target in edges:
        rule.edge(source, label, target)
    return grammar


@pytest.mark.parametrize(
    ("grammar", "why"),
    [
        (with_rule(nodes={"a": ("new:", "type:A")}), "Rule r creates nodes."),
        (with_rule(nodes={"a": ("del:", "type:A")}), "Rule r deletes nodes."),
        (with_rule(("a", "new:=", "b"), nodes={"a": ("type:A",), "b": ("type:A",)}), "Rule r merges nodes."),
        (
            with_rule(("a", "del:p", "b"), ("a", "p.p", "b"), nodes={"a": ("type:A",), "b": ("type:A",)}),
            "Rule r has a path over labels that change.",
        ),
        (
            with_rule(("a", "del:p", "b"), ("a", "?", "b"), nodes={"a": ("type:A",), "b": ("type:A",)}),
            "Rule r has a wildcard over labels that change.",
        ),
        (with_rule(("a", "del:?x", "b"), nodes={"a": (), "b": ()}), "Rule r changes edges whose label it finds."),
        (
            with_rule(nodes={"a": ("type:A",)}, actionRole="invariant"),
            "Rule r is an invariant or forbidden property.",
        ),
        (
            with_rule(
                ("e", "in", "f"),
                ("a", "@", "e"),
                ("a", "new:q", "a"),
                nodes={"f": ("forall:",), "e": ("exists:",), "a": ("type:A",)},
            ),
            "Rule r has a choice with an effect below a universal quantifier.",
        ),
        (counter(3, "< up; down; >"), "The control program has an atomic block."),
    ],
    ids=str,
)
def test_reasons_why_a_grammar_cannot_be_compiled(grammar, why):
    with pytest.raises(CannotCompile) as caught:
        compile_system(prepare(grammar))
    assert str(caught.value) == why


# ── clauses ──────────────────────────────────────────────────────────────────────────────────────


@together("seed", range(40))
def test_settled_clauses_are_equivalent(seed):
    chance = random.Random(seed)

    def guard() -> Guard:
        need = chance.randrange(32) & chance.randrange(32)
        return Guard(need, chance.randrange(32) & chance.randrange(32) & ~need)

    def clause_holds(clause: Clause, state: int) -> bool:
        return not holds(clause.guard, state) or any(holds(each, state) for each in clause.alternatives)

    def holds(each: Guard, state: int) -> bool:
        return state & each.need == each.need and not state & each.forbid

    whole = guard()
    clauses = [Clause(guard(), tuple(guard() for _ in range(chance.randrange(3)))) for _ in range(3)]
    settled = settle(whole, clauses)
    for state in range(32):
        before = holds(whole, state) and all(clause_holds(clause, state) for clause in clauses)
        after = settled is not None and holds(settled[0], state) and all(clause_holds(c, state) for c in settled[1])
        assert before == after


def test_negation_within_a_negative_condition_is_not_compiled():
    """A B with an a to it and no b is forbidden: the negation within the embargo is the general engine's to know."""
    start = Graph("start")
    one, other = start.node("A"), start.node("B")
    start.edge(one, "a", other)
    look, make = Graph("look", "rule", attributes={"actionRole": "transformer"}), Graph("make", "rule")
    here, forbidden = look.node("A"), look.node("not:", "B")
    look.edge(here, "a", forbidden)
    look.edge(here, "!b", forbidden)
    make.edge(make.node("A"), "new:b", make.node("B"))
    grammar = Grammar("within", {"start": start}, {"look": look, "make": make})
    with pytest.raises(GrammarError, match="negation within a negative condition"):
        explore(grammar, engine="compiled")
    assert explore(grammar).lts.enabled(0) == {"make"}
    assert explore(grammar).lts.enabled(1) == {"look", "make"}


def test_rules_with_too_many_choices_are_not_compiled():
    start, choose = Graph("start"), Graph("choose", "rule")
    for _ in range(6):
        start.node("A")
    for _ in range(30):
        level, node = choose.node("exists:"), choose.node("A")
        choose.edge(node, "@", level)
        choose.edge(node, "new:b", node)
    with pytest.raises(GrammarError, match="too many choices"):
        explore(Grammar("many", {"start": start}, {"choose": choose}), engine="compiled")
