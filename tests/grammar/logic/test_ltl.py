"""LTL and CTL*: formulas against a naive product with all guesses, lassos against the meaning, fairness, bounds."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pentad.grammar import explore
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl, tableau
from pentad.grammar.logic.formulas import (
    Atom,
    Connective,
    Constant,
    Formula,
    Not,
    PathOperator,
    Quantified,
    parse,
    text,
)
from pentad.grammar.logic.ltl import check
from pentad.grammar.lts import Lts, Trace
from pentad.grammar.models import new
from tests.cases import together
from tests.grammar.logic.test_ctl import NAMES, ONE, TWO, atoms, system, systems
from tests.properties import properties

CONNECTIVES = ("&", "|", "->", "<-", "<->")


def grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(Not, inner),
        st.builds(Connective, st.sampled_from(CONNECTIVES), inner, inner),
        st.builds(PathOperator, st.sampled_from(ONE), st.tuples(inner)),
        st.builds(PathOperator, st.sampled_from(TWO), st.tuples(inner, inner)),
    )


def with_quantifiers(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(grown(inner), st.builds(Quantified, st.sampled_from("AE"), inner))


simple = st.one_of(st.builds(Atom, st.sampled_from((*NAMES, "$final"))), st.builds(Constant, st.booleans()))
of_paths = st.recursive(simple, grown, max_leaves=5)

# ── reading and writing ──────────────────────────────────────────────────────────────────────────


@given(st.recursive(atoms, with_quantifiers, max_leaves=12))
def test_formulas_round_trip(formula: Formula) -> None:
    assert parse(text(formula), paths=True) == formula


@together(
    "written, right",
    [
        ("G (a -> F b)", "G (a -> F b)"),
        ("GF a -> GF b", "G F a -> G F b"),
        ("!F a & b", "!F a & b"),
        ("F a U b", "F (a U b)"),
        ("A G F a", "A G F a"),
        ("E a U b & c", "E (a U b) & c"),
        ("a U b U c", "(a U (b U c))"),
    ],
)
def test_precedence(written: str, right: str) -> None:
    assert text(parse(written, paths=True)) == right


# ── the meaning, on a lasso ──────────────────────────────────────────────────────────────────────


def labels(lts: Lts) -> list[set[str]]:
    """The atoms that hold in each state."""
    found = [{"$final"} if state in lts.final else set() for state in range(lts.states)]
    for each in lts:
        found[each.source].add(each.action)
    return found


def holds_on(formula: Formula, word: Sequence[set[str]], loop: int) -> bool:
    """Whether a path satisfies a formula: a word of sets of atoms that repeats from `loop` on."""
    count = len(word)
    after = [*range(1, count), loop]

    def marks(each: Formula) -> list[bool]:
        if isinstance(each, Constant):
            return [each.value] * count
        if isinstance(each, Atom):
            return [each.name in letters for letters in word]
        if isinstance(each, Not):
            return [not value for value in marks(each.part)]
        if isinstance(each, Connective):
            pairs = zip(marks(each.left), marks(each.right), strict=True)
            join = {"&": lambda p, q: p and q, "|": lambda p, q: p or q, "->": lambda p, q: not p or q,
                    "<-": lambda p, q: p or not q, "<->": lambda p, q: p == q}[each.operator]  # fmt: skip
            return [join(p, q) for p, q in pairs]
        assert isinstance(each, PathOperator)
        p, q = marks(each.parts[0]), marks(each.parts[-1])
        if each.operator == "X":
            return [p[after[i]] for i in range(count)]
        step = {
            "F": lambda i, now: p[i] or now[after[i]],
            "G": lambda i, now: p[i] and now[after[i]],
            "U": lambda i, now: q[i] or (p[i] and now[after[i]]),
            "W": lambda i, now: q[i] or (p[i] and now[after[i]]),
            "R": lambda i, now: q[i] and (p[i] or now[after[i]]),
            "M": lambda i, now: q[i] and (p[i] or now[after[i]]),
        }[each.operator]
        now = [each.operator in "GWR"] * count  # the greatest fixpoint, or the least
        for _ in range(count + 1):
            now = [step(i, now) for i in range(count)]
        return now

    return marks(formula)[0]


def word_of(trace: Trace, lts: Lts) -> tuple[list[set[str]], int]:
    """The atoms along a path, and where it repeats; after its end it stays."""
    atoms_of = labels(lts)
    word = [atoms_of[state] for state in trace.states]
    return (word, len(word) - 1) if trace.loop is None else (word[:-1], trace.loop)


# ── a naive product: states of the system with the truth of every part of the formula ────────────


def core(formula: Formula) -> Formula:
    """The formula with X, U, not and `and` alone."""
    if isinstance(formula, Not):
        return Not(core(formula.part))
    if isinstance(formula, Connective):
        p, q = core(formula.left), core(formula.right)
        both = lambda one, other: Connective("&", one, other)  # noqa: E731
        return {
            "&": both(p, q),
            "|": Not(both(Not(p), Not(q))),
            "->": Not(both(p, Not(q))),
            "<-": Not(both(Not(p), q)),
            "<->": both(Not(both(p, Not(q))), Not(both(Not(p), q))),
        }[formula.operator]
    if isinstance(formula, PathOperator):
        p, q = core(formula.parts[0]), core(formula.parts[-1])
        until = lambda one, other: PathOperator("U", (one, other))  # noqa: E731
        yes = Constant(value=True)
        release = Not(until(Not(p), Not(q)))
        return {
            "X": PathOperator("X", (p,)),
            "F": until(yes, p),
            "G": Not(until(yes, Not(p))),
            "U": until(p, q),
            "R": release,
            "W": Not(until(Not(q), Connective("&", Not(p), Not(q)))),
            "M": until(q, Connective("&", p, q)),
        }[formula.operator]
    return formula


def naive(formula: Formula, letters: Sequence[set[str]], edges: Sequence[set[int]]) -> set[int]:
    """The states with a path that satisfies a formula, by guessing the truth of all its temporal parts."""
    whole = core(formula)
    temporal: list[PathOperator] = []

    def collect(each: Formula) -> None:
        if isinstance(each, Not):
            collect(each.part)
        elif isinstance(each, Connective):
            collect(each.left), collect(each.right)  # type: ignore[func-returns-value]
        elif isinstance(each, PathOperator):
            for part in each.parts:
                collect(part)
            if each not in temporal:
                temporal.append(each)

    collect(whole)

    def true(each: Formula, node: tuple[int, tuple[bool, ...]]) -> bool:
        if isinstance(each, Constant):
            return each.value
        if isinstance(each, Atom):
            return each.name in letters[node[0]]
        if isinstance(each, Not):
            return not true(each.part, node)
        if isinstance(each, Connective):
            return true(each.left, node) and true(each.right, node)
        assert isinstance(each, PathOperator)
        return node[1][temporal.index(each)]

    def fits(node: tuple[int, tuple[bool, ...]], after: tuple[int, tuple[bool, ...]]) -> bool:
        for each in temporal:
            here = true(each, node)
            if each.operator == "X":
                right = true(each.parts[0], after)
            else:
                p, q = each.parts
                right = true(q, node) or (true(p, node) and true(each, after))
            if here != right:
                return False
        return True

    guesses = list(product((False, True), repeat=len(temporal)))
    nodes = [(state, guess) for state in range(len(letters)) for guess in guesses]
    after = {
        node: [other for target in edges[node[0]] for guess in guesses if fits(node, other := (target, guess))]
        for node in nodes
    }
    reach = {node: _reached(node, after) for node in nodes}
    good = set()
    for node in nodes:
        around = {other for other in reach[node] if node in reach[other]}  # its component; empty if it is on no cycle
        promises = [each for each in temporal if each.operator == "U"]
        if around and all(any(true(u.parts[1], at) or not true(u, at) for at in around) for u in promises):
            good.add(node)
    return {node[0] for node in nodes if true(whole, node) and (node in good or reach[node] & good)}


def _reached(start: tuple[int, tuple[bool, ...]], after: dict) -> set:  # type: ignore[type-arg]
    """What can be reached in one step or more."""
    found, waiting = set(), [start]
    while waiting:
        for each in after[waiting.pop()]:
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found


def edges_of(lts: Lts) -> list[set[int]]:
    """The successors of each state; one without transitions stays."""
    found: list[set[int]] = [set() for _ in range(lts.states)]
    for each in lts:
        found[each.source].add(each.target)
    return [after or {state} for state, after in enumerate(found)]


def few(formula: Formula, most: int) -> bool:
    """Whether a formula has few temporal operators."""
    return text(formula).count("(") <= 99 and sum(text(formula).count(sign) for sign in ONE + TWO) <= most


@properties(700)
@given(systems(most=4), of_paths)
def test_formulas_agree_with_a_naive_product(lts: Lts, formula: Formula) -> None:
    assume(few(formula, 3))
    verdict = check(formula, lts)
    right = set(range(lts.states)) - naive(Not(formula), labels(lts), edges_of(lts))
    assert verdict.holds == (0 in right)
    assert set(verdict.states) == right
    assert verdict.certain
    if verdict.witness is not None:
        assert not verdict.holds
        assert not holds_on(formula, *word_of(verdict.witness, lts))
    else:
        assert verdict.holds or not tableau.has_path(formula)


def by_chance(rng: random.Random, operators: int) -> Formula:
    """A formula with at most so many temporal operators."""
    if operators == 0 or rng.random() < 0.1:
        return Not(Atom(rng.choice(NAMES))) if rng.random() < 0.4 else Atom(rng.choice(NAMES))
    if rng.random() < 0.3:
        left = rng.randrange(operators + 1)
        parts = by_chance(rng, left), by_chance(rng, operators - left)
        return Connective(rng.choice(CONNECTIVES), *parts)
    if rng.random() < 0.5:
        return PathOperator(rng.choice(ONE), (by_chance(rng, operators - 1),))
    left = rng.randrange(operators)
    return PathOperator(rng.choice(TWO), (by_chance(rng, left), by_chance(rng, operators - 1 - left)))


@pytest.mark.slow
def test_ten_thousand_formulas_on_two_hundred_systems_agree_with_a_naive_product() -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(200):
        count = rng.randint(2, 5)
        steps = [(rng.randrange(count), rng.choice(NAMES), rng.randrange(count)) for _ in range(rng.randint(1, 8))]
        lts = system(count, *steps)
        letters, edges = labels(lts), edges_of(lts)
        for _ in range(50):
            formula = by_chance(rng, 3)
            verdict = check(formula, lts)
            assert verdict.holds == (0 not in naive(Not(formula), letters, edges)), (steps, text(formula))
            if verdict.witness is not None:
                assert not holds_on(formula, *word_of(verdict.witness, lts)), (steps, text(formula))
            held += verdict.holds
    assert 2_000 < held < 8_000


@properties(300)
@given(systems(most=5), st.recursive(simple, with_quantifiers, max_leaves=4))
def test_formulas_of_ctl_star_agree_with_a_naive_evaluation(lts: Lts, formula: Formula) -> None:
    letters, edges, marks = labels(lts), edges_of(lts), dict[str, set[int]]()

    def plain(each: Formula) -> Formula:
        """The formula with an atom of its own in place of each quantified part."""
        if isinstance(each, Quantified):
            part = plain(each.part)
            assume(few(part, 2))
            some = naive(part if each.quantifier == "E" else Not(part), letters, edges)
            name = f"mark{len(marks)}"
            marks[name] = some if each.quantifier == "E" else set(range(lts.states)) - some
            for state in marks[name]:
                letters[state].add(name)
            return Atom(name)
        if isinstance(each, Not):
            return Not(plain(each.part))
        if isinstance(each, Connective):
            return Connective(each.operator, plain(each.left), plain(each.right))
        return PathOperator(each.operator, tuple(map(plain, each.parts))) if isinstance(each, PathOperator) else each

    whole = plain(formula)
    assume(few(whole, 3))
    right = set(range(lts.states)) - naive(Not(whole), letters, edges)
    assert set(check(formula, lts).states) == right


@given(systems(), st.sampled_from("AE"), st.sampled_from("FGUWRM"), simple, simple)
def test_formulas_of_ctl_without_next_mean_the_same(
    lts: Lts, quantifier: str, sign: str, one: Formula, other: Formula
) -> None:
    parts = (one,) if sign in "FG" else (one, other)
    here = check(Quantified(quantifier, PathOperator(sign, parts)), lts)
    there = ctl.check(ctl.Temporal(quantifier, sign, parts), lts)
    assert list(here.states) == list(there.states)


# ── fairness ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@properties(300)
@given(systems(most=3), of_paths, st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_fairness_is_a_condition_on_the_transitions_of_a_path(
    lts: Lts, formula: Formula, weak: set[str], strong: set[str]
) -> None:
    """In the system whose states are transitions, that a fair action is taken can be said by a formula."""
    assume(len(weak) + 2 * len(strong) <= 2)  # the naive product grows with every operator
    assume(few(formula, 1))
    atoms_of = labels(lts)
    steps = [(each.source, each.action, each.target) for each in lts]
    steps += [(state, "", state) for state in range(lts.states) if not any(s == state for s, _, _ in steps)]
    letters = [atoms_of[source] | {f"taken {action}"} for source, action, _ in steps]
    edges = [{i for i, (source, _, _) in enumerate(steps) if source == target} for _, _, target in steps]
    again = lambda part: PathOperator("G", (PathOperator("F", (part,)),))  # noqa: E731
    conditions = [again(Connective("|", Not(Atom(name)), Atom(f"taken {name}"))) for name in weak]
    conditions += [Connective("->", again(Atom(name)), again(Atom(f"taken {name}"))) for name in strong]
    fair: Formula = Constant(value=True)
    for each in conditions:
        fair = Connective("&", fair, each)
    bad = naive(Connective("&", fair, Not(formula)), letters, edges)
    right = {state for state in range(lts.states) if not any(steps[i][0] == state for i in bad)}
    verdict = check(formula, lts, weak=sorted(weak), strong=sorted(strong))
    assert set(verdict.states) == right
    assert verdict.holds == (0 in right)
    if verdict.witness is not None:
        assert not holds_on(formula, *word_of(verdict.witness, lts))
        loop = verdict.witness.steps[verdict.witness.loop :] if verdict.witness.loop is not None else ()
        ends = [step.source for step in loop] or [verdict.witness.end]
        for name in weak:
            assert any(step.action == name for step in loop) or any(name not in atoms_of[state] for state in ends)
        for name in strong:
            assert any(step.action == name for step in loop) or not any(name in atoms_of[state] for state in ends)


RING = system(2, (0, "put", 1), (1, "get", 0), (1, "wait", 1))


def test_a_fair_action_is_taken_in_the_end() -> None:
    unfair = check("G F put", RING)
    assert not unfair.holds
    assert str(unfair.witness) == "0 —put→ 1 —wait→ 1, and again from step 2 on"
    assert check("G F put", RING, weak=["get"]).holds
    toggling = system(3, (0, "on", 1), (1, "off", 0), (1, "leave", 2))
    assert not check("F (!on & !off)", toggling, weak=["leave"]).holds
    assert check("F (!on & !off)", toggling, strong=["leave"]).holds


@pytest.mark.parametrize("action", ["$final", "a & b", "AG a"])
def test_what_is_treated_fairly_is_an_action(action: str) -> None:
    with pytest.raises(GrammarError, match="action that is treated fairly, got"):
        check("G a", RING, weak=[action])


# ── ends, open states, bad input ─────────────────────────────────────────────────────────────────


def test_a_path_that_ends_stays_in_its_last_state() -> None:
    lts = system(2, (0, "a", 1), final=[1])
    assert check("F G $final", lts).holds
    assert check("X X X $final", lts).holds
    verdict = check("G a", lts)
    assert str(verdict.witness) == "0 —a→ 1"


@properties(100)
@given(systems(opens=True, most=4), of_paths, st.data())
def test_a_certain_verdict_stays_when_open_states_are_explored(lts: Lts, formula: Formula, data: st.DataObject) -> None:
    verdict = check(formula, lts)
    assert verdict.complete == (not lts.open)
    if not verdict.certain:
        return
    for _ in range(3):
        state = st.integers(0, lts.states)
        more = data.draw(
            st.lists(st.tuples(st.sampled_from([*lts.open] or [lts.states]), st.sampled_from(NAMES), state))
        )
        final = lts.final | data.draw(st.sets(st.sampled_from([*lts.open]))) if lts.open else lts.final
        known = [(each.source, each.action, each.target) for each in lts]
        whole = system(lts.states + 1, *known, *(more if lts.open else ()), final=final)
        assert check(formula, whole).holds == verdict.holds


def test_verdicts_as_text_and_data() -> None:
    verdict = check("G F put", RING)
    assert str(verdict) == "G F put does not hold"
    data = json.loads(json.dumps(verdict.json()))
    assert (data["formula"], data["holds"], data["certain"], data["complete"]) == ("G F put", False, True, True)
    assert data["witness"]["loop"] == 1


def test_a_model() -> None:
    ferry = explore(new("ferry")).lts
    assert not check("F allAcross", ferry).holds
    assert check("E (!eat U allAcross)", ferry).holds


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("G", "Formula 'G', character 2: Expected a name, a quoted label"),
        ("G " * 200 + "a", "A formula is nested more than 150 deep."),
        ("G F a" * 5000, "too long"),
        (
            "|".join(f"G F b{i}" for i in range(40)),
            "The automaton of a formula has more",
        ),
    ],
)
def test_formulas_that_are_refused(written: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        check(written, RING)
    assert message in str(caught.value)


def test_the_checker_of_ctl_refuses_other_formulas() -> None:
    with pytest.raises(GrammarError, match=r"^G F a .* not of CTL\.$"):
        ctl.check(parse("G F a", paths=True), RING)


def test_unknown_actions_are_refused() -> None:
    with pytest.raises(GrammarError, match="names 'puts'"):
        check("F puts", RING, actions=("put", "get", "wait"))
    with pytest.raises(GrammarError, match="names 'puts'"):
        check("F put", RING, weak=["puts"], actions=("put", "get", "wait"))
    with pytest.raises(GrammarError, match="without states cannot be checked"):
        check("F a", Lts())
