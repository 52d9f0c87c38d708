"""CTL: formulas read and written, checked against plain fixpoints over sets, and what shows a verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TypeAlias
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import runner
from pentad.grammar.logic.ctl import Verdict, check
from pentad.grammar.logic.formulas import (
    DEPTH,
    Atom,
    Connective,
    Constant,
    Formula,
    Modal,
    Not,
    Temporal,
    parse,
    parts,
    text,
)
from pentad.grammar.logic.traces import shortest
from pentad.grammar.lts import Lts, Trace, Transition
from tests.cases import together
from tests.programs import run
from tests.properties import properties

NAMES = ("a", "b", "c")
TWO, ONE = "UWRM", "XFG"


def system(
    states: int, *transitions: tuple[int, str, int], final: Iterable[int] = (), open_: Iterable[int] = ()
) -> Lts:
    """A transition system; `place(n1,int:2)` is an action with arguments."""
    lts = Lts(states=states, final=set(final), open=set(open_))
    for source, label, target in transitions:
        name, _, rest = label.partition("(")
        key = (name, tuple(rest.removesuffix(")").split(",")) if rest else ())
        if key not in lts.labels:
            lts.labels.append(key)
        lts.add(source, lts.labels.index(key), target)
    return lts


def where(formula: str | Formula, lts: Lts, **known: object) -> list[int]:
    """The states where it holds."""
    return list(check(formula, lts, **known).states)  # type: ignore[arg-type]


# ── reading and writing ──────────────────────────────────────────────────────────────────────────

names = st.sampled_from((*NAMES, "sub.rule", "a-b", "$final", "$open", "True", "AGa", "u", "été"))
arguments = st.sampled_from(("_", "n1", "12", "-3", "1.5", '"a \\"b\\\\"', "true"))
atoms = st.one_of(
    st.builds(Atom, names),
    st.builds(Atom, names, st.lists(arguments, max_size=3).map(tuple)),
    st.builds(Atom, st.text(max_size=5), literal=st.just(True)),
    st.builds(Constant, st.booleans()),
)


labels = st.one_of(st.builds(Atom, st.sampled_from(NAMES)), st.builds(Atom, st.text(max_size=5), literal=st.just(True)))


def grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    """All that can be made of formulas."""
    return st.one_of(
        st.builds(Not, inner),
        st.builds(Connective, st.sampled_from(("&", "|", "->", "<-", "<->")), inner, inner),
        st.builds(Temporal, st.sampled_from("AE"), st.sampled_from(ONE), st.tuples(inner)),
        st.builds(Temporal, st.sampled_from("AE"), st.sampled_from(TWO), st.tuples(inner, inner)),
        st.builds(Modal, st.lists(labels, min_size=1, max_size=2).map(tuple), inner, st.booleans(), st.booleans()),
    )


@given(st.recursive(atoms, grown, max_leaves=12))
def test_formulas_round_trip(formula: Formula) -> None:
    assert parse(text(formula)) == formula


@together(
    ("written", "means"),
    [
        ("!!a&!b", "(!(!a)) & (!b)"),
        ("a&b|c", "(a&b)|c"),
        ("a|b&c", "a|(b&c)"),
        ("a&b&c", "a&(b&c)"),
        ("a->b->c", "a->(b->c)"),
        ("a->b<->c", "(a->b)<->c"),
        ("a|c<-b&dc", "(a|c)<-(b&dc)"),
        ("A a U b", "A(a U b)"),
        ("A a U b & c", "A(a U b) & c"),
        ("A !a U b -> c", "A((!a) U b) -> c"),
        ("A AX a U b", "A((AX a) U b)"),
        ("AG get|put", "(AG get)|put"),
        ("AGEF(get|put)", "AG(EF(get|put))"),
        ("A((a R b))", "A(a R b)"),
        ("E F a", "EF a"),
        ("!E a U b -> c", "(!(E(a U b))) -> c"),
        ("A a U E b U c", "A(a U (E(b U c)))"),
        ("E(a M b)", "E a M b"),
        ("<a>b&c", "(<a> b) & c"),
        ("!< a | 'b' *>[c]d -> e", "(!(<a|'b'*> ([c] d))) -> e"),
        ("A <a>b U c", "A((<a>b) U c)"),
    ],
)
def test_operator_precedence(written: str, means: str) -> None:
    assert parse(written) == parse(means)


def test_names_arguments_and_quotes() -> None:
    assert parse('sub.a-b( 1 , id,"value", _ )') == Atom("sub.a-b", ("1", "id", '"value"', "_"))
    assert parse("'A(1)'") == parse('"A(1)"') == Atom("A(1)", literal=True)
    assert parse("a->b") == Connective("->", Atom("a"), Atom("b"))
    assert parse("(" * 4000 + "a" + ")" * 4000) == Atom("a")
    assert parse("a()") == Atom("a", ())


@together(
    ("written", "message"),
    [
        ("", "Formula '', character 1: Expected a name, a quoted label"),
        ("AG (a", "Formula 'AG (a', character 6: Expected ')', got the end."),
        ("a(", "Formula 'a(', character 3: Expected an argument: a name"),
        ("a(b c)", "Formula 'a(b c)', character 5: Expected ')', got 'c'."),
        ("(a)A", "Formula '(a)A', character 4: Expected an infix operator"),
        ("a=b", "Formula 'a=b', character 2: Unexpected '='."),
        ("a | 'b", 'Formula "a | \'b", character 5: Unfinished quote.'),
        ("U true", "Formula 'U true', character 1: Expected a name, a quoted label"),
        ("a & F b", "Formula 'a & F b', character 5: F needs A or E before it."),
        ("AGF b", "Formula 'AGF b', character 3: F needs A or E before it."),
        ("AG a U b", "Formula 'AG a U b', character 6: U needs A or E before it."),
        ("A(A(a U b) U c)", "Formula 'A(A(a U b) U c)', character 7: U needs A or E before it."),
        ("E a", "Formula 'E a', character 1: E must be followed by X, F, G"),
        ("a <-> b <-> c", "Formula 'a <-> b <-> c', character 9: Two <-> side by side need brackets."),
        ("(" * 4000, "character 4001: Expected a name, a quoted label"),
        ("<a", "Formula '<a', character 3: Expected '>', got the end."),
        ("[a> b", "Formula '[a> b', character 3: Expected ']', got '>'."),
        ("<a|> b", "Formula '<a|> b', character 4: Expected an action or a quoted label, got '>'."),
        ("<$final> a", "Formula '<$final> a', character 2: $final is not an action."),
        ("<true> a", "Formula '<true> a', character 2: true is not an action."),
        ("<a>", "Formula '<a>', character 4: Expected a name, a quoted label"),
        ("(a))", "Formula '(a))', character 4: Expected an infix operator"),
        ("!" * 4000 + "a", f"A formula is nested more than {DEPTH} deep"),
        ("AG" * 4000 + " a", f"A formula is nested more than {DEPTH} deep"),
        ("a&" * 4000 + "a", f"A formula is nested more than {DEPTH} deep"),
        ("a" * 10_001, "A formula of 10,001 characters is too long"),
    ],
)
def test_invalid_formulas_are_refused(written: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(written)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_deepest_formulas_are_checked() -> None:
    nested = "A(a U " * (DEPTH - 1) + "b" + ")" * (DEPTH - 1)
    for written in ("!" * (DEPTH - 1) + "a", "AX " * (DEPTH - 1) + "a", " & ".join(["a"] * DEPTH), nested):
        verdict = check(written, system(2, (0, "a", 1), (1, "b", 0), open_={1}))
        assert parse(text(verdict.formula)) == verdict.formula


@given(st.text(alphabet="ab AEFGXUWRM!&|<->()'\",_.$1", max_size=30))
def test_any_text_is_a_formula_or_refused(written: str) -> None:
    try:
        formula = parse(written)
    except GrammarError:
        return
    assert parse(text(formula)) == formula


def test_formulas_built_too_deep_are_refused() -> None:
    formula: Formula = Atom("a")
    for _ in range(5000):
        formula = Not(formula)
    for use in (text, lambda each: check(each, system(1))):
        with pytest.raises(GrammarError, match=r"^A formula is nested more than 150 deep\.$"):
            use(formula)


# ── atoms ────────────────────────────────────────────────────────────────────────────────────────

PLACES = system(4, (0, "place(n1,int:2)", 1), (1, "place(n2,int:2)", 2), (2, "done", 3), final={3})


@together(
    ("written", "states"),
    [
        ("place", [0, 1]),
        ("place(_,_)", [0, 1]),
        ("place(n1,_)", [0]),
        ("place(n2,2)", [1]),
        ("place(n2,3)", []),
        ("'place(n1,2)'", [0]),
        ("'place(n1,int:2)'", [0]),
        ("'place'", []),
        ("'done'", [2]),
        ("done()", [2]),
        ("$start", [0]),
        ("$final", [3]),
        ("$open", []),
        ("$broken", []),
        ("$result", [1]),
        ("true", [0, 1, 2, 3]),
        ("false", []),
    ],
)
def test_atoms(written: str, states: list[int]) -> None:
    assert where(written, PLACES, results=[1]) == states


def test_broken_states() -> None:
    lts = system(2, (0, "a", 1))
    lts.broken[1] = ("rule",)
    assert where("EF $broken", lts) == [0, 1]


@pytest.mark.parametrize(
    ("written", "actions", "message"),
    [
        ("AG !bothWins", ("bothWin", "place"), "'bothWins', which is not an action or a mark. Similar: bothWin."),
        ("qq", ("b",), "'qq', which is not an action or a mark. Known: $broken, $final, $open, $result, $start, b."),
        ("EF $finale", None, "'$finale', which is not an action or a mark. Similar: $final."),
        ("place(n1)", ("place",), "'place' has 2 arguments, not 1."),
    ],
)
def test_unknown_atoms(written: str, actions: tuple[str, ...] | None, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        check(written, PLACES, actions=actions)
    assert str(caught.value).removeprefix("A formula names ") == message


def test_an_action_that_never_occurs_holds_nowhere() -> None:
    assert check("AG !win", PLACES).holds
    assert check("AG !win", PLACES, actions=("place", "done", "win")).holds


def test_invalid_systems_and_results_are_refused() -> None:
    with pytest.raises(GrammarError, match="without states cannot be checked"):
        check("true", Lts())
    with pytest.raises(GrammarError, match=r"^A result .* from 0 to 3"):
        check("$result", PLACES, results=[4])


# ── against fixpoints over sets ──────────────────────────────────────────────────────────────────

simple = st.one_of(st.builds(Atom, st.sampled_from((*NAMES, "$final", "$start"))), st.builds(Constant, st.booleans()))
formulas = st.recursive(simple, grown, max_leaves=6)


@st.composite
def systems(draw: st.DrawFn, opens: bool = False, most: int = 6) -> Lts:
    count = draw(st.integers(1, most))
    state = st.integers(0, count - 1)
    open_ = draw(st.sets(state)) if opens else set()
    transitions = draw(st.lists(st.tuples(state, st.sampled_from(NAMES), state), max_size=2 * most - 2))
    return system(count, *transitions, final=draw(st.sets(state)) - open_, open_=open_)


Step: TypeAlias = Callable[[set[int]], set[int]]


class Plain:
    """The meaning of formulas, by each operator's own fixpoint."""

    def __init__(self, lts: Lts) -> None:
        self.lts, self.all = lts, set(range(lts.states))
        self.after: dict[int, set[int]] = {state: set() for state in self.all}
        for each in lts:
            self.after[each.source].add(each.target)

    def some(self, goal: set[int]) -> set[int]:
        return {state for state in self.all if self.after[state] & goal}

    def every(self, goal: set[int]) -> set[int]:
        return {state for state in self.all if self.after[state] <= goal}

    def of(self, formula: Formula) -> set[int]:
        found = [self.of(part) for part in parts(formula)]
        if isinstance(formula, Constant):
            return set(self.all) if formula.value else set()
        if isinstance(formula, Atom):
            special = {"$final": self.lts.final, "$start": {0}}
            return special.get(formula.name, {each.source for each in self.lts if each.action == formula.name})
        if isinstance(formula, Not):
            return self.all - found[0]
        if isinstance(formula, Connective):
            p, q = found
            return {
                "&": p & q,
                "|": p | q,
                "->": (self.all - p) | q,
                "<-": p | (self.all - q),
                "<->": self.all - (p ^ q),
            }[formula.operator]
        if isinstance(formula, Modal):
            goal = self.all - found[0] if formula.every else set(found[0])
            names = {label.name for label in formula.labels}
            before: Step = lambda z: {each.source for each in self.lts if each.action in names and each.target in z}  # noqa: E731
            now = before(goal)
            if formula.star:
                now = goal
                while (after := now | before(now)) != now:
                    now = after
            return self.all - now if formula.every else now
        assert isinstance(formula, Temporal)
        return self.ways(formula.quantifier == "A", formula.operator, found[0], found[-1])

    def ways(self, of_all: bool, sign: str, p: set[int], q: set[int]) -> set[int]:
        dead = {state for state in self.all if not self.after[state]}
        least: dict[str, Step] = {
            "F": lambda z: p | self.on(of_all, z) - dead,
            "U": lambda z: q | p & self.on(of_all, z) - dead,
            "M": lambda z: q & (p | self.on(of_all, z) - dead),
        }
        greatest: dict[str, Step] = {
            "G": lambda z: p & (self.on(of_all, z) | dead),
            "W": lambda z: q | p & (self.on(of_all, z) | dead),
            "R": lambda z: q & (p | self.on(of_all, z) | dead),
        }
        if sign == "X":
            return self.on(of_all, p)
        step = least.get(sign) or greatest[sign]
        now: set[int] = set() if sign in least else set(self.all)
        while (after := step(now)) != now:
            now = after
        return now

    def on(self, of_all: bool, goal: set[int]) -> set[int]:
        return self.every(goal) if of_all else self.some(goal)


@given(systems(), formulas, st.sampled_from((0, runner.TINY)))
def test_formulas_agree_with_naive_evaluation(lts: Lts, formula: Formula, small: int) -> None:
    with patch.object(runner, "TINY", small):
        verdict = check(formula, lts)
    right = Plain(lts).of(formula)
    assert set(verdict.states) == right
    assert verdict.holds == (0 in right)
    assert verdict.count == len(right)
    assert verdict.certain
    assert verdict.complete


@given(systems(opens=True, most=40), formulas)
def test_machine_code_and_python_agree(lts: Lts, formula: Formula) -> None:
    """Also about systems in which some states are open, and about what shows a verdict."""
    one = check(formula, lts)
    with patch.object(runner, "TINY", 0):
        other = check(formula, lts)
    assert set(one.states) == set(other.states)
    assert (one.json(), one.witness) == (other.json(), other.witness)


COLUMNS = """
    from array import array
    from pentad.grammar.logic import ctl, runner
    from pentad.grammar.lts import Lts
    from pentad.kernels.program import program
    runner.machine_code, runner.TINY, runner.SMALL = program, 0, 0
    codes = ("i", "H", "i") if {short} else ("q", "q", "q")
    sources, actions, targets = map(array, codes, ([2, 0, 1, 1], [1, 0, 0, 1], [2, 1, 2, 0]))
    lts = Lts([("a", ()), ("b", ())], sources, actions, targets, states=4, open={{3}})
    for formula in ("EF(a & b)", "AG a", "AF !a", "E(a U b)", "EX EX b", "EG b", "A(a W b)"):
        verdict = ctl.check(formula, lts)
        print(formula, verdict.holds, verdict.certain, *verdict.states, verdict.witness, sep=", ")
"""


@pytest.mark.slow
@pytest.mark.parametrize("short", [True, False])
def test_kernels_without_the_jit_agree(short: bool) -> None:
    """They run with numpy's arrays then, in the order of the table."""
    program = COLUMNS.format(short=short)
    assert run(program) == run(program, NUMBA_DISABLE_JIT="1")


@given(systems(opens=True), formulas, st.data())
def test_a_certain_verdict_is_independent_of_unexplored_states(lts: Lts, formula: Formula, data: st.DataObject) -> None:
    verdict = check(formula, lts)
    assert verdict.holds == (0 in Plain(lts).of(formula))
    assert verdict.complete == (not lts.open)
    assert verdict.certain or lts.open
    if verdict.certain and lts.open:
        more = data.draw(st.integers(0, 2))
        unknown = st.sampled_from([*lts.open, *range(lts.states, lts.states + more)])
        anywhere = st.integers(0, lts.states + more - 1)
        known = [(each.source, each.action, each.target) for each in lts]
        new = data.draw(st.lists(st.tuples(unknown, st.sampled_from(NAMES), anywhere), max_size=6))
        final = lts.final | data.draw(st.sets(unknown))
        later = check(formula, system(lts.states + more, *known, *new, final=final))
        assert later.holds == verdict.holds


OPEN = system(3, (0, "go", 1), (1, "go", 2), (0, "win", 0), open_={2})


@together(
    ("written", "holds", "certain"),
    [
        ("EF win", True, True),
        ("AG go", False, False),  # an open state could still go
        ("AG !lose", True, False),
        ("EF lose", False, False),
        ("EG win", True, True),
        ("AF $final", False, True),  # one can win for ever
        ("AX go", True, True),
        ("AX AX go", False, False),
        ("AG true", True, True),
        ("EF false", False, True),
        ("E(go U $open)", True, True),
        ("AG(lose -> true)", True, True),
    ],
)
def test_open_states_make_verdicts_uncertain(written: str, holds: bool, certain: bool) -> None:
    verdict = check(written, OPEN)
    assert (verdict.holds, verdict.certain, verdict.complete) == (holds, certain, False)
    words = f"{written.replace('(', ' (', 1) if written.startswith('AG(') else written} "
    assert str(verdict).startswith(words + ("holds" if holds else "does not hold"))
    assert str(verdict).endswith("as far as was explored") is not certain


# ── what shows a verdict ─────────────────────────────────────────────────────────────────────────


def follow(lts: Lts, trace: Trace) -> None:
    """A trace goes by transitions that are there, from the start, and returns where it says."""
    real = set(lts)
    assert trace.start == 0
    assert set(trace.steps) <= real
    assert all(step.target == after.source for step, after in pairwise(trace.steps))
    assert not trace.steps or trace.steps[0].source == 0
    if trace.loop is not None:
        assert trace.loop < len(trace)
        assert trace.states[trace.loop] == trace.end


def shows(lts: Lts, sign: str, p: set[int], q: set[int], trace: Trace) -> bool:
    """Whether what an operator says of a way is so of this one, which is whole or need not go on."""
    endless = trace.loop is not None or not Plain(lts).after[trace.end]
    states = trace.states
    first = {name: next((i for i, s in enumerate(states) if s in among), None) for name, among in (("p", p), ("q", q))}
    always_p = endless and set(states) <= p
    always_q = endless and set(states) <= q
    until = first["q"] is not None and set(states[: first["q"]]) <= p
    release = first["p"] is not None and set(states[: first["p"] + 1]) <= q
    return {
        "X": len(states) > 1 and states[1] in p,
        "F": first["p"] is not None,
        "G": always_p,
        "U": until,
        "W": until or always_p,
        "M": release,
        "R": release or always_q,
    }[sign]


DUAL = {"X": "X", "F": "G", "G": "F", "U": "R", "R": "U", "W": "M", "M": "W"}


@properties(300)
@given(
    systems(), st.sampled_from("AE"), st.sampled_from(ONE + TWO), formulas, formulas, st.sampled_from((0, runner.TINY))
)
def test_traces_are_valid_evidence(lts: Lts, which: str, sign: str, one: Formula, other: Formula, small: int) -> None:
    formula = Temporal(which, sign, (one,) if sign in ONE else (one, other))
    with patch.object(runner, "TINY", small):
        verdict = check(formula, lts)
    if verdict.holds is not (which == "E"):
        assert verdict.witness is None
        return
    assert verdict.witness is not None
    follow(lts, verdict.witness)
    plain = Plain(lts)
    p, q = (plain.of(each) for each in (one, other))
    if which == "A":
        sign, p, q = DUAL[sign], plain.all - p, plain.all - q
    assert shows(lts, sign, p, q, verdict.witness)


ROUND = system(5, (0, "go", 1), (1, "go", 2), (2, "back", 1), (1, "leave", 3), (3, "win", 4), (0, "rest", 0))


@together(
    ("written", "holds", "shown"),
    [
        ("EF win", True, "0 —go→ 1 —leave→ 3"),
        ("AG !win", False, "0 —go→ 1 —leave→ 3"),
        ("!AG !win", True, "0 —go→ 1 —leave→ 3"),
        ("AF win", False, "0 —rest→ 0, and again from step 1 on"),
        ("EG !(win | rest)", False, None),
        ("EG !win", True, "0 —rest→ 0, and again from step 1 on"),
        ("E(go W false)", True, "0 —rest→ 0, and again from step 1 on"),
        ("EX EX back", True, "0 —go→ 1"),
        ("AX go", True, None),
        ("AX rest", False, "0 —go→ 1"),
        ("EX go & EF win", True, "0 —go→ 1"),
        ("rest & AG !win", False, "0 —go→ 1 —leave→ 3"),
        ("AG !win | AF win", False, "0 —go→ 1 —leave→ 3"),
        ("win | EF win", True, "0 —go→ 1 —leave→ 3"),
        ("AG !win -> win", True, "0 —go→ 1 —leave→ 3"),
        ("win <-> EF win", False, "0 —go→ 1 —leave→ 3"),
        ("rest", True, None),
    ],
)
def test_witnesses(written: str, holds: bool, shown: str | None) -> None:
    verdict = check(written, ROUND)
    assert verdict.holds is holds
    assert verdict.witness == check(written, ROUND).witness
    assert (str(verdict.witness) if verdict.witness else None) == shown
    assert check(written, ROUND, witness=False).witness is None


def test_a_verdict_as_data() -> None:
    verdict = check("AG ! win", ROUND)
    data = json.loads(json.dumps(verdict.json()))
    witness = data.pop("witness")
    assert data == {"formula": "AG !win", "holds": False, "certain": True, "complete": True, "count": 1}
    assert [step["action"] for step in witness["steps"]] == ["go", "leave"]
    assert check("true", ROUND).json()["witness"] is None


def test_a_cycle_after_the_start_is_found() -> None:
    lts = system(5, (0, "go", 1), (1, "go", 2), (2, "go", 3), (3, "go", 1), (2, "home", 4), (2, "cut", 1))
    verdict = check("AF !go", lts)
    assert str(verdict.witness) == "0 —go→ 1 —go→ 2 —cut→ 1, and again from step 2 on"
    assert verdict.witness is not None
    assert verdict.witness.lines(lts)[-1] == "and again from 2 on"
    lts = system(3, (0, "go", 2), (0, "stay", 0), (2, "stay", 2))
    assert str(check("EG stay", lts).witness) == "0 —stay→ 0, and again from step 1 on"


# ── shortest traces ──────────────────────────────────────────────────────────────────────────────


def test_shortest_traces() -> None:
    assert str(shortest(ROUND, "win")) == "0 —go→ 1 —leave→ 3"
    assert str(shortest(ROUND, "back | win")) == "0 —go→ 1 —go→ 2"
    assert str(shortest(ROUND, 4)) == "0 —go→ 1 —leave→ 3 —win→ 4"
    assert str(shortest(ROUND, lambda state: state > 1)) == "0 —go→ 1 —go→ 2"
    assert str(shortest(PLACES, "$final")) == "0 —place(n1,int:2)→ 1 —place(n2,int:2)→ 2 —done→ 3"
    assert shortest(ROUND, "rest") == shortest(ROUND, 0) == Trace(0)
    assert shortest(ROUND, "$final") is None


@given(systems(), st.sampled_from((0, runner.TINY)))
def test_traces_are_as_short_as_possible(lts: Lts, small: int) -> None:
    far, front = {0: 0}, [0]
    for state in front:
        for after in sorted(Plain(lts).after[state] - far.keys()):
            far[after] = far[state] + 1
            front.append(after)
    for state in range(lts.states):
        with patch.object(runner, "TINY", small):
            found = shortest(lts, state)
        assert (found is None) == (state not in far)
        if found is not None:
            follow(lts, found)
            assert (len(found), found.end) == (far[state], state)


@pytest.mark.parametrize("goal", [5, -1, True])
def test_an_invalid_goal_is_refused(goal: int) -> None:
    with pytest.raises(GrammarError, match=r"No state .* from 0 to 4"):
        shortest(ROUND, goal)


def test_a_system_without_states_has_no_traces() -> None:
    with pytest.raises(GrammarError, match="without states has no traces"):
        shortest(Lts(), 0)


def test_a_trace_as_lines_and_data() -> None:
    lts = system(2, (0, "put(n1,n2)", 1))
    lts.describe = "state number {}".format
    trace = shortest(lts, 1)
    assert trace == Trace(0, (Transition(0, "put", ("n1", "n2"), 1),))
    assert trace is not None
    assert trace.lines(lts) == ["0. start → state 0: state number 0", "1. put(n1,n2) → state 1: state number 1"]
    data = {"start": 0, "steps": [{"action": "put", "arguments": ["n1", "n2"], "target": 1}], "loop": None}
    assert json.loads(json.dumps(trace.json())) == data


def test_checking_does_not_change_the_system() -> None:
    lts = system(3, (1, "b", 2), (0, "a", 1))
    verdict = check("EF b", lts)
    shortest(lts, 2)
    assert list(lts) == [Transition(1, "b", (), 2), Transition(0, "a", (), 1)]
    lts.add(2, 0, 0)
    assert verdict.holds
    assert str(check("EF(b & EX a)", lts).witness) == "0 —a→ 1 —b→ 2"


# ── large systems ────────────────────────────────────────────────────────────────────────────────


def large(states: int, *ways: tuple[str, int]) -> Lts:
    """From state n to n times a factor, plus one to as many; `a` by the first way, and so on."""
    lts = Lts(labels=[(name, ()) for name, _ in ways], states=states)
    for source in range(states):
        for number, (_, factor) in enumerate(ways):
            for target in range(source * factor + 1, min(source * factor + factor, states - 1) + 1):
                lts.add(source, number, target)
    return lts


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("factor", "far"), [(1, 99_999), (2, 16), (1000, 2)])
def test_chains_and_stars_take_linear_time(factor: int, far: int) -> None:
    lts = large(100_000, ("a", factor))
    found = shortest(lts, 99_999)
    assert found is not None
    assert len(found) == far
    assert check("AF !a", lts).count == 100_000
    assert check("EG a", lts).count == 0
    verdict: Verdict = check("E(a U !a)", lts)
    assert verdict.count == 100_000
    assert check("EF AG a", lts).count == 0
