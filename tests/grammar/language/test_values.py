"""Attribute values, operators and expressions: what Java and GROOVE make of them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.graph import GrammarError, Problems
from pentad.grammar.language import expressions
from pentad.grammar.language.expressions import Apply, Attribute, Constant, Expression, Variable, evaluate, parse, text
from pentad.grammar.language.user_operations import with_operations
from pentad.grammar.language.values import BIG, DEFAULT, TYPES, AttributeValue, Family, NoValue, family, java_real
from tests.cases import together

LEAST, MOST = -(2**31), 2**31 - 1


def value_of(written: str, algebra: Family = DEFAULT, **fields: AttributeValue) -> AttributeValue:
    """An expression's value where fields have these values."""
    return evaluate(parse(written, algebra=algebra), lambda name: fields[name.name])


def result(written: str, algebra: Family = DEFAULT) -> str:
    return str(value_of(written, algebra))


# ── literals ─────────────────────────────────────────────────────────────────────────────────────


def read(label: str, algebra: Family = DEFAULT) -> AttributeValue:
    kind, _, literal = label.partition(":")
    return algebra.read(kind, literal)


integers = st.integers(LEAST, MOST).map(lambda content: AttributeValue("int", content))
reals = st.floats(allow_nan=False, allow_infinity=False).map(lambda content: AttributeValue("real", content))
strings = st.text(max_size=8).map(lambda content: AttributeValue("string", content))
truths = st.booleans().map(lambda content: AttributeValue("bool", content))
errors = st.sampled_from([AttributeValue(kind, None) for kind in TYPES])
values = st.one_of(integers, reals, strings, truths, errors)


@given(values)
def test_a_value_round_trips(value: AttributeValue) -> None:
    assert read(str(value)) == value
    assert value_of(value.text) == value


@given(st.integers(-(10**30), 10**30), st.decimals("-1e20", "1e20", allow_nan=False))
def test_exact_numbers_round_trip(whole: int, real: Decimal) -> None:
    for value in (AttributeValue("int", whole), AttributeValue("real", real)):
        assert read(str(value), BIG) == value
        assert value_of(value.text, BIG) == value


@pytest.mark.parametrize(
    ("label", "content"),
    [
        ("int:+5", 5),
        ("real:5", 5.0),
        ("real:.5", 0.5),
        ("real:5.", 5.0),
        ("real:1e3", 1000.0),
        ("string:'a'", "a"),
        (r'string:"a\"b\\c\n"', r'a"b\c\n'),
        ("bool:false", False),
    ],
)
def test_literals(label: str, content: object) -> None:
    assert read(label) == (label.split(":")[0], content)


def test_values_of_different_types_are_different() -> None:
    assert (
        len(
            {
                AttributeValue("int", 1),
                AttributeValue("bool", True),
                AttributeValue("real", 1.0),
                AttributeValue("string", "1"),
            }
        )
        == 4
    )
    assert read("real:NaN") == read("real:NaN")
    assert len({read("real:NaN"), value_of("0.0 * r", r=read("real:Infinity"))}) == 1


@pytest.mark.parametrize(
    ("number", "java"),
    [(1e7, "1.0E7"), (9999999.0, "9999999.0"), (0.001, "0.001"), (0.00099, "9.9E-4"), (1.5e300, "1.5E300"),
     (-1e-9, "-1.0E-9"), (0.0, "0.0"), (5e-324, "4.9E-324"), (123456789.0, "1.23456789E8"), (float("inf"), "Infinity")],
)  # fmt: skip
def test_reals_are_written_as_java_writes_them(number: float, java: str) -> None:
    assert java_real(number) == java or float(java) == number == 5e-324


@together(
    ("label", "message"),
    [
        ("int:", "start.gst, node n0, label 'int:': '' is not a literal"),
        ("int:1.5", "start.gst, node n0, label 'int:1.5': '1.5' is not a literal"),
        ("int:١", "start.gst, node n0, label 'int:١': '١' is not a literal"),
        (
            "int:2147483648",
            "start.gst, node n0, label 'int:2147483648': The integer '2147483648' needs more",
        ),
        ("int:" + "9" * 9_000, "An integer of 9,000 digits is too large."),
        ("real:1e400", "start.gst, node n0, label 'real:1e400': The real '1e400' is too large."),
        ("real:1_0", "start.gst, node n0, label 'real:1_0': '1_0' is not a literal"),
        (
            'string:"a',
            "start.gst, node n0, label 'string:\"a': '\"a' is not a literal",
        ),
        (
            'string:"a"b"',
            'start.gst, node n0, label \'string:"a"b"\': \'"a"b"\' is not a literal',
        ),
        ("string:a", "start.gst, node n0, label 'string:a': 'a' is not a literal"),
        ("bool:True", "start.gst, node n0, label 'bool:True': 'True' is not a literal"),
        ("user:x", "start.gst, node n0, label 'user:x': Unknown type 'user'."),
    ],
)
def test_an_invalid_literal_is_refused_in_one_line(label: str, message: str) -> None:
    problems = Problems()
    with problems.collect("start.gst", "n0", label):
        read(label)
    assert [message in str(error) for error in problems.errors] == [True]
    assert str(problems.errors[0]).startswith("start.gst, node n0, label")


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("real:1e999999999", "A real exceeds 4,000 digits."),
        ("int:" + "9" * 9_000, "An integer of 9,000 digits is too large."),
    ],
)
def test_exact_numbers_have_bounds(label: str, message: str) -> None:
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}$"):
        read(label, BIG)


def test_families() -> None:
    assert family("big") is BIG
    with pytest.raises(
        GrammarError,
        match=r"system\.properties: .* 'terms'.* default, big, point, term\.",
    ):
        family("terms", "system.properties")
    with pytest.raises(GrammarError, match="Unknown algebra family 'huge'"):
        family("huge")


# ── operators ────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(LEAST, MOST), st.integers(LEAST, MOST))
def test_integers_overflow_as_in_java(a: int, b: int) -> None:
    names = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    for sign, function in names.items():
        found = value_of(f"a {sign} b", a=AttributeValue("int", a), b=AttributeValue("int", b)).content
        assert isinstance(found, int)
        assert LEAST <= found <= MOST
        assert (found - function(a, b)) % 2**32 == 0


@pytest.mark.parametrize("algebra", [DEFAULT, BIG])
@given(a=st.integers(-99, 99), b=st.integers(-9, 9).filter(bool))
def test_division_rounds_towards_zero(algebra: Family, a: int, b: int) -> None:
    quotient = value_of("a / b", algebra, a=AttributeValue("int", a), b=AttributeValue("int", b)).content
    rest = value_of("a % b", algebra, a=AttributeValue("int", a), b=AttributeValue("int", b)).content
    assert quotient == int(a / b)
    assert rest == a - b * int(a / b)


FACTS = """
-2147483648 / -1 = int:-2147483648
abs(-2147483648) = int:-2147483648
neg(-2147483648) = int:-2147483648
1 / 0 = int:NaI
1 % 0 = int:NaI
1.0 / 0.0 = real:NaR
1 / 0 + 1 = int:NaI
1 / 0 == 1 / 0 = bool:NaB
ite(true, 1, 1 / 0) = int:NaI
toString(1 / 0) = string:NaS
0.1 + 0.2 == 0.3 = bool:true
0.1 + 0.2 > 0.3 = bool:false
0.1 + 0.2 <= 0.3 = bool:true
1.0 == 1.001 = bool:false
min(1, 2) + max(1, 2) = int:3
(int)2.9 + (int)-2.9 = int:0
(int)1.0E30 = int:2147483647
(real)2 / 4.0 = real:0.5
(string)0.1 + "!" = string:"0.1!"
"a" + 'b' = string:"ab"
"a" < "b" & "B" < "a" = bool:true
length("five") = int:4
length("𝄞") = int:2
substring("pentago", 2, 5) = string:"nta"
substring("pentago", 5, 2) = string:""
substring("pentago", -1, 2) = string:""
suffix("pentago", 4) = string:"ago"
suffix("pentago", 8) = string:""
lookup("pentago", "tag") = int:3
lookup("pentago", "x") = int:-1
isInt("+5") & !isInt("5.0") & !isInt("2147483648") = bool:true
isReal(" 5e3f ") & !isReal("five") = bool:true
isBool("true") & !isBool("True") = bool:true
string:toInt("5") + string:toInt("five") = int:5
toReal("0.5") = real:0.5
toBool("true") & !toBool("yes") = bool:true
sum(1, 2, 3) = int:6
sum(2147483647, 1) = int:-2147483648
prod(2.0, 0.5) = real:1.0
bigmin(3, 1, 2) + bigmax(3, 1, 2) = int:4
bigand(true, false) | bigor(true, false) = bool:true
!true | true & true = bool:true
2 - 3 - 4 = int:-5
2 + 3 * 4 = int:14
-2 * -3 = int:6
"""


@together("fact", FACTS.strip().split("\n"))
def test_expressions_have_groove_s_values(fact: str) -> None:
    written, _, value = fact.rpartition(" = ")
    assert result(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2147483647 + 1", "int:2147483648"),
        ("0.1 + 0.2 == 0.3", "bool:true"),
        ("1.0 == 1.00000000001", "bool:false"),
        ("1.0 / 8.0", "real:0.125"),
        ("1.0 / 3.0", "real:NaR"),
        ("(int)-2.9", "int:-2"),
        ("(real)2", "real:2."),
        ('string:toInt("99999999999")', "int:99999999999"),
        ('toReal("1e2")', "real:1.0E2"),
    ],
)
def test_the_big_family_is_exact(written: str, value: str) -> None:
    assert result(written, BIG) == value


def doubled(written: str, value: AttributeValue) -> None:
    """Compute an expression of itself again and again."""
    for _ in range(40):
        value = value_of(written, BIG, n=value)


@pytest.mark.parametrize(
    ("written", "start", "message"),
    [
        ("n * n", AttributeValue("int", 10), "An integer exceeds 4,000 digits."),
        ("n * n", AttributeValue("real", Decimal("1.5")), "A real exceeds 4,000 digits."),
        ("n + n", AttributeValue("string", "ab"), "A string exceeds 1,000,000 characters."),
    ],
)
def test_a_growing_value_is_refused_in_one_line(written: str, start: AttributeValue, message: str) -> None:
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        doubled(written, start)


@pytest.mark.parametrize("name", ["bigmin", "bigmax"])
def test_an_empty_maximum_has_no_value(name: str) -> None:
    assert DEFAULT.operators["int", name].apply([]) == AttributeValue("int", None)
    assert DEFAULT.operators["int", "sum"].apply([]) == AttributeValue("int", 0)
    assert DEFAULT.operators["bool", "bigand"].apply([]) == AttributeValue("bool", True)


def test_a_collective_operator_gathers_its_argument() -> None:
    asked = []

    def gather(argument: Expression) -> list[AttributeValue]:
        asked.append(text(argument))
        return [AttributeValue("int", each) for each in (1, 2, 3)]

    assert evaluate(parse("int:sum(q.n) * 2"), lambda name: AttributeValue("int", 0), gather) == AttributeValue(
        "int", 12
    )
    assert asked == ["q.n"]


# ── expressions ──────────────────────────────────────────────────────────────────────────────────


@together(
    ("one", "other"),
    [
        ("!a == b", "!(a == b)"),
        ("a | b & c", "a | (b & c)"),
        ("a & !b | c", "(a & (!b)) | c"),
        ("a - b - c", "(a - b) - c"),
        ("a < b == true", "(a < b) == true"),
        ("-a * b", "(-a) * b"),
        ("(int)a + b", "((int)a) + b"),
        ("self.n", "n"),
        ("int:(5)", "5"),
        ("real:1", "1."),
        ("-(5)", "- 5"),
        ("min", "min"),
    ],
)
def test_equivalent_forms_of_an_expression(one: str, other: str) -> None:
    assert parse(one) == parse(other)


def test_names() -> None:
    assert parse("a.n") == Attribute("a", "n")
    assert parse("int:a.n") == Attribute("a", "n", "int")
    assert parse("$0") == Variable("$0")
    assert parse("x", variables={"x"}) == Variable("x")
    assert parse("min.max") == Attribute("min", "max")
    assert parse("true") == Constant(AttributeValue("bool", True))
    assert list(expressions.fields(parse("a.n + n * (a.n - 1)"))) == [Attribute("a", "n"), Attribute(None, "n")]


def test_texts_after_let_and_test() -> None:
    assert expressions.parse_let("n = n + 1") == ("n", parse("n + 1"))
    assert expressions.parse_test("n = 5") == parse("n == 5")
    assert expressions.parse_test("n == 5") == parse("n == 5")
    for wrong in ("n == 5", "5", "n", "a.n = 5", ""):
        with pytest.raises(GrammarError, match=r"Expected an assignment: name = expression\.$"):
            expressions.parse_let(wrong)


def test_values_resolve_ambiguous_operators() -> None:
    written = "a + b"
    assert value_of(written, a=AttributeValue("int", 1), b=AttributeValue("int", 2)) == AttributeValue("int", 3)
    assert value_of(written, a=AttributeValue("real", 1.0), b=AttributeValue("real", 2.0)) == AttributeValue(
        "real", 3.0
    )
    assert value_of(written, a=AttributeValue("string", "1"), b=AttributeValue("string", "2")) == AttributeValue(
        "string", "12"
    )
    for wrong in (AttributeValue("real", 1.0), AttributeValue("bool", True)):
        with pytest.raises(NoValue):
            value_of(written, a=AttributeValue("int", 1), b=wrong)
    with pytest.raises(NoValue, match=r"^int:a is of type real$"):
        value_of("int:a", a=AttributeValue("real", 1.0))


def test_types_are_inferred() -> None:
    known = {"i": "int", "r": "real", "s": "string"}.get
    inferred = {
        written: sorted(expressions.types(parse(written), lambda name: known(name.name)))
        for written in ("x", "x + y", "x + i", "x < y", "x + y < r", "ite(x < i, y, s)", "x + 1", "toString(r)")
    }
    assert inferred == {
        "x": ["bool", "int", "real", "string", "user"],
        "x + y": ["int", "real", "string"],
        "x + i": ["int"],
        "x < y": ["bool"],
        "x + y < r": ["bool"],
        "ite(x < i, y, s)": ["string"],
        "x + 1": ["int"],
        "toString(r)": ["string"],
    }
    with pytest.raises(GrammarError, match="applied to int and real"):
        expressions.types(parse("i + r"), lambda name: known(name.name), "rule.gpr")
    with pytest.raises(GrammarError, match="i is of type real") as caught:
        expressions.types(parse("int:i"), lambda name: "real", "rule.gpr")
    assert caught.value.where == "rule.gpr"


def test_an_operator_by_name_applied_to_arguments() -> None:
    names = (Variable("a"), Variable("b"))
    assert expressions.applied("int", "add", names) == parse("int:add(a, b)", variables={"a", "b"})
    with pytest.raises(GrammarError, match="operator 'concat' of the type 'int'"):
        expressions.applied("int", "concat", names)
    with pytest.raises(GrammarError, match="'neg' cannot be applied"):
        expressions.applied("int", "neg", names)


names = [
    Attribute(None, "n"),
    Attribute("a", "n"),
    Attribute(None, "m", "int"),
    Attribute("b", "s", "string"),
    Variable("$0"),
]
atoms = st.one_of(values.map(Constant), st.sampled_from(names))


@st.composite
def trees(draw: st.DrawFn) -> Expression:
    """Expressions of operators by name and by symbol, some with types."""
    ready: list[Expression] = [draw(atoms), draw(atoms)]
    for _ in range(draw(st.integers(0, 8))):
        some = draw(st.sampled_from([*expressions.INFIX, *expressions.PREFIX, "add", "ite", "sum", "int:neg", "int:+"]))
        count = 2 if some in expressions.INFIX or some in ("add", "int:+") else 3 if some in ("ite", "sum") else 1
        arguments = [f"({text(draw(st.sampled_from(ready)))})" for _ in range(count)]
        if some in expressions.INFIX:
            written = some.join(arguments)
        elif some == "int:+":
            written = f"int:({'+'.join(arguments)})"
        else:
            written = f"{some}({','.join(arguments)})"
        try:
            ready.append(parse(written))
        except GrammarError:
            continue  # types that do not fit
    return ready[-1]


@given(trees())
def test_an_expression_round_trips(tree: Expression) -> None:
    assert parse(text(tree)) == tree


@given(trees())
def test_an_expression_has_a_value_of_its_declared_type(tree: Expression) -> None:
    known = {"n": "int", "m": "int", "s": "string", "$0": "real"}
    lookup = {
        name: read({"int": "int:7", "string": "string:'7'", "real": "real:7"}[kind]) for name, kind in known.items()
    }
    try:
        found_types = expressions.types(tree, lambda name: known[name.name])
    except GrammarError:
        with pytest.raises(NoValue):
            evaluate(tree, lambda name: lookup[name.name])
        return
    assert evaluate(tree, lambda name: lookup[name.name]).type in found_types


@together(
    ("written", "message"),
    [
        ("", "rule.gpr: Expected a value, a name or a bracket, got the end."),
        ("1 +", "rule.gpr, label '1 +': Expected a value, a name or a bracket"),
        ("1 2", "rule.gpr, label '1 2': Expected an operator or the end, got '2'."),
        ("(1", "rule.gpr, label '(1': Expected ')', got the end."),
        ("a b", "rule.gpr, label 'a b': Expected an operator or the end, got 'b'."),
        ("a.b.c", "rule.gpr, label 'a.b.c': A field has no fields of its own."),
        ("a.", "rule.gpr, label 'a.': Expected a field's name, got the end."),
        ("a == b == c", "rule.gpr, label 'a == b == c': Repeated '==' is ambiguous. Add brackets."),
        ("a && b", "rule.gpr, label 'a && b': Expected a value, a name or a bracket, got '&'."),
        ("1 + true", "The operator '+' cannot be applied"),
        ("1 + 1.0", "rule.gpr, label '1 + 1.0': The operator '+' cannot be applied"),
        ("five(1)", "rule.gpr, label 'five(1)': Unknown operator 'five'."),
        ("min(1)", "rule.gpr, label 'min(1)': The operator 'min' cannot be applied"),
        ("bigmin()", "rule.gpr, label 'bigmin()': The operator 'bigmin' cannot be applied"),
        ("int:int:n", "rule.gpr, label 'int:int:n': An expression has two types."),
        ("int:(int:n)", "rule.gpr, label 'int:(int:n)': An expression has two types."),
        ("int:true", "rule.gpr, label 'int:true': 'true' is of type bool, not int."),
        ("colour:n", "rule.gpr, label 'colour:n': Unknown type 'colour'."),
        ("2147483648", "rule.gpr, label '2147483648': The integer '2147483648' needs more than 32"),
        ("_", "rule.gpr, label '_': '_' is not a name."),
        ('"a', "rule.gpr, label '\"a': Unexpected '\"' in an expression."),
        ("a ? b", "rule.gpr, label 'a ? b': Unexpected '?' in an expression."),
        ("(" * 4_000 + "1" + ")" * 4_000, "An expression is nested more than 150 deep"),
        ("!" * 4_000 + "a", "An expression is nested more than 150 deep"),
        ("int:(" * 1_500 + "1" + ")" * 1_500, "An expression is nested more than 150 deep"),
        ("1" + "+1" * 4_000, "An expression is nested more than 150 operators deep"),
        ("1|" * 4_000 + "1", "An expression is nested more than 150 deep"),
        ("1+" * 100_000, "An expression of 200,000 characters is too"),
    ],
)
def test_an_invalid_expression_is_refused_in_one_line(written: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(written, "rule.gpr")
    assert str(caught.value).startswith("rule.gpr")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_expressions_within_the_nesting_limit() -> None:
    tree = parse("+".join(["n"] * 150))
    assert parse("(" * 149 + "n" + ")" * 149) == Attribute(None, "n")
    assert parse(text(tree)) == tree
    assert hash(parse(text(tree))) == hash(tree)
    assert evaluate(tree, lambda name: AttributeValue("int", 2)) == AttributeValue("int", 300)
    assert expressions.types(tree, lambda name: "int") == {"int"}


@given(st.text(max_size=30) | st.text("ab1.+-*/%<>=!&|(),:\"' int$", max_size=30))
def test_any_text_is_an_expression_or_a_clear_error(written: str) -> None:
    try:
        tree = parse(written)
    except GrammarError:
        return
    assert parse(text(tree)) == tree
    assert isinstance(tree, Constant | Variable | Attribute | Apply)


# ── a user's own ─────────────────────────────────────────────────────────────────────────────────


class Money(NamedTuple):
    """A user's own type of values."""

    cents: int
    owed: bool

    def doubled(self) -> int:
        return 2 * self.cents


def letter(text: str, place: int) -> str:
    return text[place]


def test_user_functions_and_classes_are_operations() -> None:
    algebra = with_operations(DEFAULT, [Money, letter])
    made = evaluate(parse("Money(5, true)", "", algebra), lambda name: AttributeValue("int", 0))
    assert (made, str(made)) == (AttributeValue("user", Money(5, True)), "user:Money(5,true)")
    assert evaluate(
        parse("cents(Money(5, true)) + doubled(Money(1, false))", "", algebra), lambda name: made
    ) == AttributeValue("int", 7)
    assert evaluate(parse('letter("abc", 1)', "", algebra), lambda name: made) == AttributeValue("string", "b")


def test_a_user_function_that_raises_has_no_value() -> None:
    algebra = with_operations(DEFAULT, [letter])
    assert evaluate(parse('letter("abc", 9)', "", algebra), lambda name: AttributeValue("int", 0)) == AttributeValue(
        "string", None
    )


def test_an_invalid_operation_is_refused_in_one_line() -> None:
    with pytest.raises(GrammarError, match="operation f must annotate a with"):
        with_operations(DEFAULT, [_without_annotation()])
    with pytest.raises(GrammarError, match=r"^Two operations have the name letter\.$"):
        with_operations(DEFAULT, [letter, letter])
    with pytest.raises(GrammarError, match=r"^list cannot be a type"):
        with_operations(DEFAULT, [list])


def _without_annotation() -> Callable[..., object]:
    def f(a) -> int:  # type: ignore[no-untyped-def]
        return 1

    return f
