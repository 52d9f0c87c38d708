"""Control programs: their runs, their configurations, and their errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.control.automaton import ControlAutomaton, Frame, Given, compile_program, implicit
from pentad.grammar.control.terms import AnyArgument, OutArgument, Unit, UnitParameter
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.values import AttributeValue
from tests.cases import together
from tests.grammar.groove_counts import ROWS, Row, made
from tests.line_limit import at_most

RULES = {name: Unit(name, 0, (), False) for name in "abcd"}
Can = Callable[[str, str], bool]  # whether a rule applies after a run

BOTH, INT, NODE = (
    UnitParameter("node", True, True),
    UnitParameter("int", True, True),
    UnitParameter("node", False, True),
)
VALUED = {
    "pick": Unit("pick", 0, (UnitParameter("node", True, False),), False),
    "use": Unit("use", 0, (BOTH,), False),
    "need": Unit("need", 0, (NODE,), False),
    "count": Unit("count", 0, (INT, UnitParameter("int", True, False)), False),
    "a": RULES["a"],
}


def program(text: str, actions: dict[str, Unit] = RULES) -> ControlAutomaton:
    return compile_program({"main": text}, ["main"], actions)


def three(rule: str, done: str) -> bool:
    return len(done) < 3


def no_more_than(**times: int) -> Can:
    """Each rule applies at most this many times, other rules never."""
    return lambda rule, done: done.count(rule) < times.get(rule, 0)


def ends(text: str, can: Can = three, actions: dict[str, Unit] = RULES) -> set[str]:
    """All maximal runs of a program, with `.` after those that end in a final state and `!` after the others."""
    found: set[str] = set()
    todo = [("", program(text, actions).start())]
    while todo:
        done, frame = todo.pop()
        goes_on = False
        while frame.kind == "trial":
            steps = [step for step in frame.steps if can(step.action, done)]
            todo += [(done + step.action, step.after(())) for step in steps]
            goes_on = goes_on or bool(steps)
            frame = frame.success if steps else frame.failure
        if frame.kind == "final":
            found.add(f"{done}.")
        elif not goes_on:
            found.add(f"{done}!")
    return found


def primes(automaton: ControlAutomaton, most: int = 50) -> list[Frame]:
    """The configurations in which a state can be entered."""
    found = [automaton.start()]
    for frame in found:
        pending, verdicts = [frame], {frame}
        while pending:
            now = pending.pop()
            if now.kind == "trial":
                for step in now.steps:
                    outputs = [None for each in step.arguments or () if isinstance(each, OutArgument)]
                    after = step.after(outputs)
                    if after not in found:
                        found.append(after)
                fresh = {now.success, now.failure} - verdicts
                verdicts |= fresh
                pending += fresh
        assert len(found) < most
    return found


# ── the meaning of statements ────────────────────────────────────────────────────────────────────


@together(
    ("text", "can", "expected"),
    [
        ("", no_more_than(b=1, c=1), {"bc.", "cb."}),  # no statements: any rule, as long as possible
        ("a; b;", three, {"ab."}),
        ("a; b; c; d;", three, {"abc!"}),
        ("a | b;", three, {"a.", "b."}),
        ("(a | b) ; c;", three, {"ac.", "bc."}),
        ("choice a; or { b; c; }", three, {"a.", "bc."}),
        ("a*;", no_more_than(a=2), {".", "a.", "aa."}),
        ("a+;", no_more_than(a=2), {"a.", "aa."}),
        ("#a; b;", no_more_than(a=2, b=1), {"aab."}),
        ("alap { a; b; }", no_more_than(a=3, b=2), {"ababa!"}),
        ("alap { a; try b; }", no_more_than(a=3, b=2), {"ababa."}),
        ("alap (a | b);", no_more_than(a=1, b=1), {"ab.", "ba."}),
        ("while (a) b;", no_more_than(a=2, b=2), {"abab."}),
        ("while (a | c) b;", no_more_than(a=1, b=2, c=1), {"abcb.", "cbab."}),
        ("until (c) a;", lambda rule, done: rule == "a" or len(done) == 2, {"aac."}),
        ("until (true) a;", three, {"."}),
        ("do a; while (b)", no_more_than(a=3, b=2), {"ababa."}),
        ("do a; until (c)", lambda rule, done: rule == "a" or len(done) == 2, {"aac."}),
        ("if (a) b; else c;", three, {"ab."}),
        ("if (a) b; else c;", no_more_than(b=1, c=1), {"c."}),
        ("if (a) b; else c;", no_more_than(a=1, c=1), {"a!"}),
        ("if (a) b; c;", no_more_than(c=1), {"c."}),
        ("if (true) b; else c;", no_more_than(c=1), {"!"}),
        ("try { a; b; } else c;", no_more_than(b=1, c=1), {"c."}),
        ("try { a; b; } else c;", no_more_than(a=1, c=1), {"a!"}),
        ("try a; b;", no_more_than(b=1), {"b."}),
        ("try a; else try b; else c;", no_more_than(c=1), {"c."}),
        ("try { a | b; } else c;", no_more_than(b=1, c=1), {"b."}),
        ("choice try a; else b; or c;", no_more_than(b=1, c=1), {"b.", "c."}),
        ("choice try a; or b;", no_more_than(b=1), {".", "b."}),
        ("choice { try a; else c; } or { try b; else d; }", no_more_than(b=1, c=1, d=1), {"c.", "b."}),
        ("a; halt", three, {"a!"}),
        ("try { a; halt; } else b;", no_more_than(b=1), {"b."}),
        ("< a; b; > c;", three, {"abc."}),
        ("while (true) a;", no_more_than(a=2), {"aa!"}),
        ("alap { } a;", three, {"!"}),
        ("any;", no_more_than(a=1, d=1), {"a.", "d."}),
        ("a; other;", three, {"ab.", "ac.", "ad."}),
        ("function f() { a; b; } f(); c;", three, {"abc."}),
        ("function f() { try a; } f(); b;", no_more_than(b=1), {"b."}),
        ("function f() { a; try f(); else b; } f(); c;", no_more_than(a=3, b=1, c=1), {"aaabc."}),
        ("recipe r() { a; b; } alap r();", no_more_than(a=2, b=2), {"abab."}),
        ("a; // nothing\n/* b; */ c;", three, {"ac."}),
        ("import a; `a`; b;", three, {"ab."}),
    ],
)
def test_runs_of_a_program(text: str, can: Can, expected: set[str]) -> None:
    assert ends(text, can) == expected


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("while (a) b;", "alap { a; b; }"),
        ("a+;", "a; a*;"),
        ("#(a | b);", "alap { choice a; or b; }"),
        ("do a; until (b)", "a; until (b) a;"),
        ("try a; else b;", "if (a) {} else b;"),
    ],
)
@given(seed=st.integers(0, 2**12 - 1))
def test_equivalent_programs_have_equal_runs(one: str, other: str, seed: int) -> None:
    def can(rule: str, done: str) -> bool:
        return len(done) < 3 and bool(seed >> ("abcd".index(rule) + 4 * len(done)) & 1)

    assert ends(one, can) == ends(other, can)


def test_only_rules_of_the_highest_applicable_priority_apply() -> None:
    actions = {name: Unit(name, priority, (), False) for name, priority in zip("abc", (0, 5, 5), strict=True)}
    actions["p"] = Unit("p", 0, (), True)
    frame = implicit(actions).start()
    assert [step.action for step in frame.steps] == ["b", "c"]
    assert [step.action for step in frame.failure.steps] == ["a"]
    assert frame.failure.failure.kind == "final"
    assert frame.success.kind == "dead"
    assert {step.after(()) for step in (*frame.steps, *frame.failure.steps)} == {frame}
    with pytest.raises(GrammarError, match="priority"):
        program("b;", actions)


# ── configurations ───────────────────────────────────────────────────────────────────────────────────────

TURN = "placeMarble; (rotateCW | rotateCCW); nextTurn;"
PLAIN = f"alap {{ try {{ winH | winV | winD | winA; halt }} else {{ {TURN} }} }}"
RECIPE = f"recipe move() {{ {TURN} }} alap {{ try {{ winH | winV | winD | winA; halt }} else move(); }}"
PENTAGO = {
    name: Unit(name, 0, (), False)
    for name in ("winH", "winV", "winD", "winA", "placeMarble", "rotateCW", "rotateCCW", "nextTurn")
}


def test_a_turn_of_pentago_has_four_configurations() -> None:
    places = primes(program(PLAIN, PENTAGO))
    assert [(place.kind, place.transience) for place in places] == [
        ("trial", 0),
        ("dead", 0),
        ("trial", 0),
        ("trial", 0),
    ]
    turn, _, rotate, following = places
    assert [step.action for step in turn.steps] == ["winH", "winV", "winD", "winA"]
    assert turn.success.kind == "dead"
    assert turn.failure.steps[0].after(()) == rotate
    assert {step.after(()) for step in rotate.steps} == {following}
    assert following.steps[0].after(()) == turn


def test_steps_within_a_recipe_are_inner() -> None:
    places = primes(program(RECIPE, PENTAGO))
    assert sorted((place.transience, place.is_inner) for place in places) == [
        (0, False),
        (0, False),
        (1, True),
        (1, True),
    ]
    begin = places[0].failure.steps[0]
    assert (begin.recipe, begin.recipe_arguments, begin.action) == ("move", (), "placeMarble")
    inner = begin.after(()).steps[0]
    assert inner.recipe is None
    assert inner.after(()).steps[0].after(()) == places[0]


@together("row", ROWS)
def test_programs_of_pentago_are_read(row: Row) -> None:
    grammar = made(row.name)
    actions = {name: Unit(name, 0, (), False) for name in grammar.rules}
    automaton = compile_program(grammar.controls, ["main"], actions)
    with_rotation = "rotateCW" in actions
    assert len(primes(automaton)) == 3 + with_rotation


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a; b; a; b;", 5),
        ("choice { a; b; c; } or { d; b; c; }", 4),  # a and d have the same continuation
        ("choice { a; b; } or { c; b; }", 3),
        ("alap { a; b; a; b; }", 4),  # the second a must apply
        ("< a; b; > b;", 4),
        ("function f() { a; b; } f(); f();", 5),  # within the first call and within the second
        ("function f() { a; b; } alap { f(); }", 2),
    ],
)
def test_equivalent_configurations_are_merged(text: str, places: int) -> None:
    found = primes(program(text))
    assert len(found) == places, found


def test_a_picture_shows_all_locations() -> None:
    nodes, edges = program("try a; else b;").picture()
    assert [(kind, start) for _, kind, _, start in nodes].count(("trial", True)) == 1
    assert {text for _, text, _ in edges} == {"a", "b", "success", "failure"}
    numbers = {number for number, *_ in nodes}
    assert all(source in numbers and target in numbers for source, _, target in edges)


# ── variables ────────────────────────────────────────────────────────────────────────────────────


def test_a_variable_is_bound_while_it_is_live() -> None:
    start = program("node x; pick(out x); a; use(x); a;", VALUED).start()
    assert start.values == ()
    picked = start.steps[0].after((7,))
    assert (start.steps[0].arguments, picked.values) == ((OutArgument(("x", "node")),), (7,))
    used = picked.steps[0].after(()).steps[0]
    assert used.arguments == (Given(7),)
    assert used.after(()).values == ()
    assert picked.rebound((9,)) == start.steps[0].after((9,)) != picked
    assert picked.rebound((9,)).place == picked.place


def test_values_are_computed() -> None:
    step = program("int n; count(2 * 3, out n); count(n + 1, _);", VALUED).start().steps[0]
    assert step.arguments == (Given(AttributeValue("int", 6)), OutArgument(("n", "int")))
    then = step.after((AttributeValue("int", 4),)).steps[0]
    assert then.arguments == (Given(AttributeValue("int", 5)), AnyArgument())


def test_an_assignment_is_a_call_with_outputs() -> None:
    step = program("int n := count(1); n := count(n); count(n, _);", VALUED).start().steps[0]
    assert step.arguments == (Given(AttributeValue("int", 1)), OutArgument(("n", "int")))
    again = step.after((AttributeValue("int", 2),)).steps[0]
    assert again.arguments == (Given(AttributeValue("int", 2)), OutArgument(("n", "int")))
    assert again.after((AttributeValue("int", 3),)).values == (AttributeValue("int", 3),)


def test_procedures_have_inputs_and_outputs() -> None:
    text = """
        function next(node x, out node y) { use(x); pick(out y); }
        node n; pick(out n); next(n, out n); use(n);
    """
    frame = program(text, VALUED).start().steps[0].after((1,))
    step = frame.steps[0]
    assert (step.action, step.arguments) == ("use", (Given(1),))
    inner = step.after(())
    assert inner.values == ()
    back = inner.steps[0].after((2,))
    assert [each.arguments for each in back.steps] == [(Given(2),)]


def test_the_caller_keeps_its_variables() -> None:
    text = "recipe r(node x) { use(x); use(x); } node n; pick(out n); r(n); use(n);"
    frame = program(text, VALUED).start().steps[0].after((5,))
    begin = frame.steps[0]
    assert (begin.recipe, begin.recipe_arguments) == ("r", (Given(5),))
    inner = begin.after(())
    assert inner.values == (5, 5)
    assert inner.steps[0].after(()).steps[0].arguments == (Given(5),)


def test_a_recursive_recipe_may_call_itself_if_it_can_end() -> None:
    text = "recipe r() { try a; else { b; r(); } } r();"
    frame = program(text).start()
    deeper = frame.failure.steps[0].after(())
    assert deeper.transience == 1
    assert deeper.failure.steps[0].after(()).transience == 2
    assert deeper.steps[0].after(()).kind == "final"


# ── packages ─────────────────────────────────────────────────────────────────────────────────────


def test_names_are_resolved_by_package() -> None:
    actions = {name: Unit(name, 0, (), False) for name in ("a", "p.b", "p.q.c", "z.d")}

    def called(text: str, name: str = "main") -> list[str]:
        return [step.action for step in compile_program({name: text}, [name], actions).start().steps]

    assert called("p.b | p.q.c;") == ["p.b", "p.q.c"]
    assert called("import p.q.c; c;") == ["p.q.c"]
    assert called("package p; b;", "p.main") == ["p.b"]
    assert called("any;") == ["a"]
    assert called("import z.d; any;") == ["a", "z.d"]
    assert called("p.any;") == ["p.b"]
    assert called("p.*.any;") == ["p.b", "p.q.c"]
    assert called("*.any;") == ["a", "p.b", "p.q.c", "z.d"]
    assert called("choice *.other; or p.b;") == ["a", "p.q.c", "z.d", "p.b"]


def test_programs_share_their_procedures() -> None:
    texts = {"main": "f(); r();", "more": "function f() { a; } recipe r() { b; c; }", "off": "function g() { d; }"}
    automaton = compile_program(texts, ["main", "more"], RULES)
    assert automaton.start().steps[0].after(()).steps[0].recipe == "r"
    assert automaton.recipes == ("r",)
    assert automaton.called == {"f", "r", "a", "b", "c"}
    with pytest.raises(GrammarError, match=r"more\.gcp, which is not enabled"):
        compile_program(texts, ["main"], RULES)
    with pytest.raises(GrammarError, match="Only one"):
        compile_program({"main": "a;", "more": "b;"}, ["main", "more"], RULES)


def test_any_excludes_rules_that_recipes_call() -> None:
    frame = program("recipe r() priority 2 { a; f(); } function f() { b; }").start()
    assert [(step.recipe, step.action) for step in frame.steps] == [("r", "a")]
    assert [step.action for step in frame.failure.steps] == ["c", "d"]


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


@together(
    ("text", "message"),
    [
        ("a", "main.gcp:1:2: Expected ';', got the end."),
        ("a;\n  x;", "main.gcp:2:3: Unknown rule, function or recipe 'x'. Known: a, count, need, pick, use."),
        ("plck(_);", "main.gcp:1:1: Unknown rule, function or recipe 'plck'. Did you mean pick?"),
        ("{ a;", "main.gcp:1:1: '{' is not closed by '}'."),
        ("a; }", "main.gcp:1:4: Expected a statement, got '}'."),
        ("/* a;", "main.gcp:1:1: The comment is not closed."),
        ('a("x);', "main.gcp:1:3: The string has no closing quote on its line."),
        ("a € b;", "main.gcp:1:3: Unexpected character '€'."),
        ("choice a;", "main.gcp:1:10: Expected 'or', got the end."),
        ("do a;", "main.gcp:1:6: Expected 'while' or 'until', got the end."),
        (
            "function any() { a; }",
            "main.gcp:1:10: Expected a function's name, got 'any'. Write a reserved word in backquotes to use",
        ),
        ("function a() { a; }", "main.gcp:1:10: There is already a rule 'a'."),
        ("function f() { a; } recipe f() { a; }", "main.gcp:1:28: There is already a function 'f'."),
        ("function f() { } f();", "main.gcp:1:10: The function f does nothing."),
        ("function f() { try a; else f(); } f();", "main.gcp:1:10: The function f calls itself before any rule."),
        (
            "function f() { g(); a; } function g() { f(); }",
            "main.gcp:1:10: The function f calls itself before any rule.",
        ),
        (
            "function f() { g(); f(); } function g() { try a; }",
            "main.gcp:1:10: The function f calls itself before any rule.",
        ),
        ("recipe r() { r(); }", "main.gcp:1:8: The recipe r calls itself before any rule."),
        ("recipe r() { a; r(); }", "main.gcp:1:8: The recipe r may never end."),
        ("recipe r() { a; f(); } function f() { a; r(); }", "main.gcp:1:8: The recipe r may never end."),
        ("recipe r() { a; halt; }", "main.gcp:1:8: The recipe r may never end."),
        ("recipe r() { try a; }", "main.gcp:1:8: The recipe r may end without a step."),
        (
            "recipe r() priority x { a; }",
            "main.gcp:1:21: Expected a priority (a whole number of at most 9 digits), got 'x'.",
        ),
        ("node x; x := a;", "main.gcp:1:14: Outputs of rule a(): expected 0, got 1."),
        ("node x; pick(x);", "main.gcp:1:14: The variable 'x' may have no value here."),
        ("node x; pick(out x, out x);", "main.gcp:1:9: Arguments of rule pick(out node): expected 1, got 2."),
        ("node x; try pick(out x); else a; use(x);", "main.gcp:1:38: The variable 'x' may have no value here."),
        ("node x; use(out y);", "main.gcp:1:13: Unknown variable 'y'. Known: x."),
        ("{ node x; pick(out x); } use(x);", "main.gcp:1:30: Unknown variable 'x'. None is known."),
        ("int x; node x;", "main.gcp:1:13: There is already a variable 'x'."),
        ("int n; pick(out n);", "main.gcp:1:8: Argument 1 of rule pick(out node) must be of type node, not int."),
        ("use(1);", "main.gcp:1:1: Argument 1 of rule use(node) must be of type node, not int."),
        ("node x; pick(out x); need(_);", "main.gcp:1:22: Argument 1 of rule need(node) is an input and cannot be _."),
        ("need;", "main.gcp:1:1: Arguments are missing in a call of rule need(node)."),
        ("any;", "main.gcp:1:1: Arguments are missing in a call of rule need(node)."),
        (
            "node x; pick(out x); need(out x);",
            "main.gcp:1:22: Argument 1 of rule need(node) is an input and cannot be written with out.",
        ),
        (
            "node x; pick(out x); pick(x);",
            "main.gcp:1:22: Argument 1 of rule pick(out node) is an output and must be written as: out x.",
        ),
        (
            'count(1 + "a", _);',
            "main.gcp:1:7: The operator '+' cannot be applied to int and string. Its forms are int:add(int,",
        ),
        ("count(1 +, _);", "main.gcp:1:7: Expected a value, a name or a bracket, got the end."),
        (
            "count(99999999999, _);",
            "main.gcp:1:7: The integer '99999999999' needs more than 32 bits. The algebra family `big` has no",
        ),
        ("function f(out node x) { a; }", "main.gcp:1:21: The output parameter 'x' may get no value."),
        ("package p; a;", "main.gcp:1:9: The package is p, but the program is in no package."),
        ("import p.q; a;", "main.gcp:1:8: Unknown rule, function or recipe 'p.q'. Known: a, count, need, pick, use."),
    ],
)
def test_error_messages_and_places(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}") as caught:
        program(text, VALUED)
    assert "\n" not in str(caught.value)
    assert caught.value.where.startswith("main.gcp:") or caught.value.where == "control"


@pytest.mark.slow
@together(
    "text",
    [
        "(" * 10_000,
        "{" * 10_000,
        "try " * 10_000,
        "if (a) " * 10_000,
        "< " * 10_000,
        "a(" * 10_000,
        "count(" + "(" * 10_000,
        "x, " * 10_000,
        "#" * 10_000,
        "\0" * 10,
        "a;" * 600_000,
        "choice " + " or ".join(["try a; else b;"] * 1_000),
    ],
)
def test_an_error_about_a_huge_program_is_one_short_line(text: str) -> None:
    with pytest.raises(GrammarError) as caught:
        program(text, VALUED)
    assert len(str(caught.value)) < 300


@pytest.mark.slow
def test_long_programs_are_read_quickly() -> None:
    with at_most(lines=10_000_000):
        assert len(primes(program("a;" * 1_000), 2_000)) == 1_001
        assert len(program("|".join(["a"] * 2_000) + ";").start().steps) == 1


@given(st.text(alphabet="ab;{}()|*#<>=:.,_ \n", max_size=30) | st.text(max_size=20))
def test_any_text_is_a_program_or_raises_a_grammar_error(text: str) -> None:
    with suppress(GrammarError):
        assert program(text).start().kind in ("trial", "final", "dead")
