"""Attribute values, their literals, operators and algebra families, as in GROOVE.

The family `default` counts as Java does (32-bit integers that wrap around, doubles), `big` exactly; `point` has one
value of each type, the result of every operation, and `term` keeps each operation as a term. An operation
without a result (a division by zero) gives the error value of its type, an ordinary value: it can be an
attribute, it equals itself, and every operation on it gives an error value. Literals are written as in Java and GROOVE:
strings in quotes, reals with a point, letters in units of 16 bits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal, DecimalException, DivisionByZero, Inexact, InvalidOperation
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.system.words import phrase

_QUOTED = re.compile(r"""(['"])((?:\\(?:\1|\\)|(?!\1|\\(?:\1|\\)).)*)\1""", re.DOTALL)


def quoted(text: str, quote: str = '"') -> str:
    """A string in quotes.

    >>> quoted('say "a"')
    '"say \\\\"a\\\\""'
    """
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


def unquoted(text: str, quotes: str = "\"'") -> str | None:
    """The text between quotes; None if the quotes are missing or end too early.

    A backslash escapes the quote and itself; before another letter it is a letter.
    """
    found = _QUOTED.fullmatch(text)
    if found is None or found[1] not in quotes:
        return None
    return re.sub(rf"\\([\\{found[1]}])", r"\1", found[2])


def units(text: str) -> bytes:
    """A string in UTF-16 code units, two bytes each, by which Java counts and compares."""
    return text.encode("utf-16-be", "surrogatepass")


def java_real(number: float) -> str:
    """A real as Java writes it.

    >>> java_real(100.0), java_real(1e10), java_real(0.00025)
    ('100.0', '1.0E10', '2.5E-4')
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(number)
    sign, numerals, exponent = Decimal(repr(number)).as_tuple()
    digits = "".join(map(str, numerals)).rstrip("0")
    scale = len(numerals) - 1 + int(exponent)
    return f"{'-' if sign else ''}{digits[0]}.{digits[1:] or '0'}E{scale}"


class SymbolicTerm(NamedTuple):
    """An operation in symbolic form."""

    text: str


Content: TypeAlias = int | float | str | bool | Decimal | SymbolicTerm | None

ERRORS: Mapping[str, str] = {"int": "NaI", "real": "NaR", "string": "NaS", "bool": "NaB"}
TYPES = tuple(ERRORS)
USER = "user"  # the type of values of a user's own classes


class AttributeValue(NamedTuple):
    """An attribute's value: its type (`int`, `real`, `string`, `bool`) and its content; None is the type's error value.

    >>> AttributeValue("int", 1) == AttributeValue("bool", True)
    False
    >>> str(AttributeValue("string", "five")), str(AttributeValue("int", None))
    ('string:"five"', 'int:NaI')
    """

    type: str
    content: Content

    def __str__(self) -> str:
        return f"{self.type}:{self.text}"

    @property
    def text(self) -> str:
        """The literal in an expression, without the type."""
        if self.content is None:
            return ERRORS.get(self.type, "NaU")
        if isinstance(self.content, SymbolicTerm):
            return self.content.text
        return _WRITERS[self.type](self.content)


def _real_text(content: float | Decimal) -> str:
    """Returns a real as a literal, with a decimal point."""
    if isinstance(content, float):
        return java_real(content)
    text = str(content).replace("E+", "E")
    digits, mark, exponent = text.partition("E")
    return text if "." in digits else f"{digits}.0{mark}{exponent}" if mark else f"{digits}."


def _user_text(content: Any) -> str:
    """A value of a user's class as a constructor call."""
    fields = getattr(type(content), "_fields", None) or tuple(getattr(content, "__dataclass_fields__", ()))
    values = (getattr(content, name) for name in fields)
    return f"{type(content).__name__}({','.join(map(_python_text, values))})"


def _python_text(content: Any) -> str:
    kinds: Mapping[type, str] = {bool: "bool", int: "int", float: "real", str: "string"}
    return AttributeValue(kinds.get(type(content), USER), content).text


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    USER: _user_text,
    "int": str,
    "real": _real_text,
    "string": quoted,
    "bool": lambda content: "true" if content else "false",
}


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────

MAX_DIGITS = 4000  # near Python's own limit for the conversion of integers to text
MAX_STRING_LENGTH = 1_000_000
NAN = math.nan  # the only NaN in use, so that values with it are equal and have one hash


class NoValue(ArithmeticError):
    """An operation has no result for these operands."""


def wrapped(number: int) -> int:
    """An integer in Java's 32 bits."""
    return (number + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def bounded(number: int) -> int:
    """The integer, if it is within the limit of digits."""
    if number.bit_length() > MAX_DIGITS * 3.32:
        raise GrammarError(phrase("An integer exceeds {digits:,} digits.", digits=MAX_DIGITS))
    return number


def short(text: str, what: str = "A string") -> str:
    """The text, if it is within the limit of characters."""
    if len(text) > MAX_STRING_LENGTH:
        raise GrammarError(phrase("{what} exceeds {letters:,} characters.", what=what, letters=MAX_STRING_LENGTH))
    return text


def _quotient(a: int, b: int) -> int:
    """Division that rounds towards zero."""
    if b == 0:
        raise NoValue("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _canonical_nan(number: float) -> float:
    return NAN if number != number else number


def _divided(a: float, b: float) -> float:
    """The quotient of two reals, which must be a number."""
    result = a / b if b else NAN
    if not math.isfinite(result):
        raise NoValue("division by zero, or an infinite quotient")
    return result


def _saturated(number: float) -> int:
    """Returns a real's integer part, saturated to 32 bits as in Java."""
    return 0 if number != number else int(max(-(2.0**31), min(2.0**31 - 1, number)))


_EXACT = Context(prec=MAX_DIGITS, Emax=MAX_DIGITS, Emin=-MAX_DIGITS, traps=[Inexact, InvalidOperation, DivisionByZero])


def _exactly(operation: Callable[..., Decimal]) -> Callable[..., Decimal]:
    """An operation on exact reals that raises `GrammarError` when its result is too long."""

    def bounded(*operands: Decimal) -> Decimal:
        try:
            return operation(*operands)
        except DecimalException:
            raise GrammarError(phrase("A real exceeds {digits:,} digits.", digits=MAX_DIGITS)) from None

    return bounded


def _decimal_quotient(a: Decimal, b: Decimal) -> Decimal:
    """An exact quotient; as in GROOVE, 1 divided by 3 has no result."""
    try:
        return _EXACT.divide(a, b)
    except DecimalException:
        raise NoValue("a quotient without a finite decimal expansion") from None


class Reals(NamedTuple):
    """Operations of a family on reals."""

    add: Callable[..., Any]
    sub: Callable[..., Any]
    mul: Callable[..., Any]
    div: Callable[..., Any]
    close: Callable[[Any, Any], bool]  # whether two reals count as equal
    whole: Callable[[Any], int]
    of: Callable[[Any], Any]  # it takes an integer, or the text of a number
    text: Callable[[Any], str]


FLOATS = Reals(
    lambda a, b: _canonical_nan(a + b),
    lambda a, b: _canonical_nan(a - b),
    lambda a, b: _canonical_nan(a * b),
    _divided,
    lambda a, b: abs(a - b) <= (abs(a) + abs(b) + 1e-7) * 1e-7,
    _saturated,
    lambda number: _canonical_nan(float(number)),
    java_real,
)
DECIMALS = Reals(
    _exactly(_EXACT.add),
    _exactly(_EXACT.subtract),
    _exactly(_EXACT.multiply),
    _decimal_quotient,
    lambda a, b: abs(a - b) < (abs(a) + abs(b) + Decimal("1e-30")) * Decimal("1e-30"),
    int,
    _exactly(_EXACT.create_decimal),
    str,
)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

Row: TypeAlias = tuple[str, str, str, Callable[..., Any]]  # name, argument types (a star: any number), result, function


def _extreme(best: Callable[..., Any], key: Callable[[Any], Any] | None = None) -> Callable[[list[Any]], Any]:
    """Returns a function for the largest or smallest of several values; it raises `NoValue` for none."""

    def among(contents: list[Any]) -> Any:
        if not contents:
            raise NoValue("nothing to choose from")
        return best(contents, key=key)

    return among


def _integer_rows(keep: Callable[[int], int], reals: Reals) -> list[Row]:
    return [
        ("abs", "int", "int", lambda a: keep(abs(a))),
        ("add", "int int", "int", lambda a, b: keep(a + b)),
        ("sub", "int int", "int", lambda a, b: keep(a - b)),
        ("mul", "int int", "int", lambda a, b: keep(a * b)),
        ("div", "int int", "int", lambda a, b: keep(_quotient(a, b))),
        ("mod", "int int", "int", lambda a, b: a - _quotient(a, b) * b),
        ("min", "int int", "int", min),
        ("max", "int int", "int", max),
        ("neg", "int", "int", lambda a: keep(-a)),
        ("sum", "int*", "int", lambda several: keep(sum(several))),
        ("prod", "int*", "int", lambda several: reduce(lambda a, b: keep(a * b), several, 1)),
        ("bigmin", "int*", "int", _extreme(min)),
        ("bigmax", "int*", "int", _extreme(max)),
        *_comparisons("int"),
        ("ite", "bool int int", "int", lambda test, a, b: a if test else b),
        ("toReal", "int", "real", reals.of),
        ("toString", "int", "string", str),
    ]


def _real_rows(keep: Callable[[int], int], reals: Reals) -> list[Row]:
    close = reals.close
    return [
        ("abs", "real", "real", abs),
        ("add", "real real", "real", reals.add),
        ("sub", "real real", "real", reals.sub),
        ("mul", "real real", "real", reals.mul),
        ("div", "real real", "real", reals.div),
        ("min", "real real", "real", lambda a, b: NAN if _not_a_number(a, b) else min(a, b)),
        ("max", "real real", "real", lambda a, b: NAN if _not_a_number(a, b) else max(a, b)),
        ("neg", "real", "real", lambda a: a.copy_negate() if isinstance(a, Decimal) else _canonical_nan(-a)),
        ("sum", "real*", "real", lambda several: reduce(reals.add, several, reals.of(0))),
        ("prod", "real*", "real", lambda several: reduce(reals.mul, several, reals.of(1))),
        ("bigmin", "real*", "real", _extreme(min, _nan_last)),
        ("bigmax", "real*", "real", _extreme(max, _nan_last)),
        ("eq", "real real", "bool", close),
        ("neq", "real real", "bool", lambda a, b: not close(a, b)),
        ("lt", "real real", "bool", lambda a, b: a < b and not close(a, b)),
        ("le", "real real", "bool", lambda a, b: a <= b or close(a, b)),
        ("gt", "real real", "bool", lambda a, b: a > b and not close(a, b)),
        ("ge", "real real", "bool", lambda a, b: a >= b or close(a, b)),
        ("ite", "bool real real", "real", lambda test, a, b: a if test else b),
        ("toInt", "real", "int", lambda a: keep(reals.whole(a))),
        ("toString", "real", "string", reals.text),
    ]


def _not_a_number(*numbers: Any) -> bool:
    return any(number != number for number in numbers)


def _nan_last(number: Any) -> tuple[bool, Any]:
    return (number != number, number)


def _comparisons(kind: str, key: Callable[[Any], Any] = lambda content: content) -> list[Row]:
    two = f"{kind} {kind}"
    return [
        ("eq", two, "bool", lambda a, b: a == b),
        ("neq", two, "bool", lambda a, b: a != b),
        ("lt", two, "bool", lambda a, b: key(a) < key(b)),
        ("le", two, "bool", lambda a, b: key(a) <= key(b)),
        ("gt", two, "bool", lambda a, b: key(a) > key(b)),
        ("ge", two, "bool", lambda a, b: key(a) >= key(b)),
    ]


def _part(text: str, first: int, last: int) -> str:
    """A substring by UTF-16 code units, as in Java; empty if out of range."""
    letters = units(text)
    if not 0 <= first <= last <= len(letters) // 2:
        return ""
    return letters[2 * first : 2 * last].decode("utf-16-be", "surrogatepass")


def _place(text: str, part: str) -> int:
    found = text.find(part)
    return found if found < 0 else len(units(text[:found])) // 2


WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_JAVA_NUMBER = re.compile(rf"[\0- ]*(?P<number>[+-]?(?:NaN|Infinity)|{NUMBER.pattern})[fFdD]?[\0- ]*")


def _is_int(text: str) -> bool:
    return bool(WHOLE.fullmatch(text)) and len(text) <= MAX_DIGITS and wrapped(int(text)) == int(text)


def to_big_int(text: str) -> int:
    return int(text) if WHOLE.fullmatch(text) and len(text) <= MAX_DIGITS else 0


def to_float(text: str) -> float:
    found = _JAVA_NUMBER.fullmatch(text)
    return _canonical_nan(float(found["number"])) if found else 0.0


def to_decimal(text: str) -> Decimal:
    return DECIMALS.of(text) if NUMBER.fullmatch(text) else Decimal("0.0")


def _string_rows(to_int: Callable[[str], int], to_real: Callable[[str], Any]) -> list[Row]:
    return [
        ("concat", "string string", "string", lambda a, b: short(a + b)),
        ("length", "string", "int", lambda a: len(units(a)) // 2),
        ("substring", "string int int", "string", _part),
        ("suffix", "string int", "string", lambda a, first: _part(a, first, len(units(a)) // 2)),
        ("lookup", "string string", "int", _place),
        *_comparisons("string", units),
        ("ite", "bool string string", "string", lambda test, a, b: a if test else b),
        ("isBool", "string", "bool", lambda a: a in ("true", "false")),
        ("isInt", "string", "bool", _is_int),
        ("isReal", "string", "bool", lambda a: bool(_JAVA_NUMBER.fullmatch(a))),
        ("toBool", "string", "bool", lambda a: a == "true"),
        ("toInt", "string", "int", to_int),
        ("toReal", "string", "real", to_real),
    ]


TRUTHS: list[Row] = [
    ("not", "bool", "bool", lambda a: not a),
    ("and", "bool bool", "bool", lambda a, b: a and b),
    ("or", "bool bool", "bool", lambda a, b: a or b),
    ("bigand", "bool*", "bool", all),
    ("bigor", "bool*", "bool", any),
    *_comparisons("bool")[:2],  # truth values have only equality
]


# ── operators ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: the type of its algebra, its name, and the types of its arguments and of its result.

    A collective operator (`sum`) takes any number of values of one type. An operator that `makes` a value of a
    user-defined class gives constants for constants.
    """

    type: str
    name: str
    arguments: tuple[str, ...]
    result: str
    function: Callable[..., Any] = field(repr=False)
    collective: bool = False
    makes: bool = field(default=False, repr=False)

    def expected(self, count: int) -> tuple[str, ...]:
        """The types of this number of arguments."""
        return self.arguments * count if self.collective else self.arguments

    def takes(self, types: Sequence[str]) -> bool:
        """Whether it applies to values of these types."""
        if self.collective:
            return all(given == self.arguments[0] for given in types)
        return tuple(types) == self.arguments

    def apply(self, values: Iterable[AttributeValue]) -> AttributeValue:
        """Returns the result, or the error value of its type if there is none."""
        contents = [value.content for value in values]
        if any(content is None for content in contents):
            return AttributeValue(self.result, None)
        try:
            return AttributeValue(self.result, self.function(contents) if self.collective else self.function(*contents))
        except NoValue:
            return AttributeValue(self.result, None)

    def __str__(self) -> str:
        return f"{self.type}:{self.name}({'*' if self.collective else ''}{', '.join(self.arguments)})"


# ── families ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """An algebra family: how literals are read, and what the operators do."""

    name: str
    keep: Callable[[int], int]
    real: Callable[[Any], Any]
    operators: Mapping[tuple[str, str], Operator] = field(repr=False)
    symbolic: bool = False  # whether an undetermined value is a value too

    def named(self, names: Iterable[str], kind: str | None = None) -> tuple[Operator, ...]:
        """Returns the operators with any of these names, of one type or of all."""
        found = (self.operators.get((of, name)) for of in ([kind] if kind else (*TYPES, USER)) for name in names)
        return tuple(operator for operator in found if operator)

    def read(self, kind: str, text: str) -> AttributeValue:
        """Returns the value of a literal.

        >>> DEFAULT.read("real", "5")
        AttributeValue(type='real', content=5.0)
        """
        if kind not in ERRORS:
            raise GrammarError(
                phrase("Unknown type {kind}. The types are {types}.", kind=shown(kind), types=", ".join(TYPES))
            )
        if text == ERRORS[kind]:
            return AttributeValue(kind, None)
        content = getattr(self, f"_{kind}")(text)
        if content is None:
            raise GrammarError(
                phrase(
                    "{text} is not a literal of type {kind}, such as {sample}.",
                    text=shown(text),
                    kind=kind,
                    sample=_SAMPLES[kind],
                )
            )
        return self.point(kind) if self.symbolic else AttributeValue(kind, content)

    def point(self, kind: str) -> AttributeValue:
        """The single value of a type in the family `point`."""
        return AttributeValue(kind, _POINTS[kind])

    def _int(self, text: str) -> int | None:
        if not WHOLE.fullmatch(text):
            return None
        if len(text) > MAX_DIGITS:
            raise GrammarError(phrase("An integer of {count:,} digits is too large.", count=len(text)))
        number = int(text)
        if self.keep(number) != number:
            raise GrammarError(
                phrase(
                    "The integer {text} needs more than 32 bits. The algebra family `big` has no such bound.",
                    text=shown(text),
                )
            )
        return number

    def _real(self, text: str) -> float | Decimal | None:
        if self.real is FLOATS.of and text in ("NaN", "Infinity", "-Infinity"):
            return to_float(text)
        if not NUMBER.fullmatch(text):
            return None
        number: float | Decimal = self.real(text)
        if isinstance(number, float) and math.isinf(number):
            raise GrammarError(phrase("The real {text} is too large.", text=shown(text)))
        return number

    def _string(self, text: str) -> str | None:
        content = unquoted(text)
        return content if content is None else short(content)

    def _bool(self, text: str) -> bool | None:
        return {"true": True, "false": False}.get(text)


_SAMPLES: Mapping[str, str] = {"int": "5", "real": "0.5", "string": '"five"', "bool": "true"}


def _operators(
    keep: Callable[[int], int], reals: Reals, to_int: Callable[[str], int], to_real: Callable[[str], Any]
) -> dict[tuple[str, str], Operator]:
    """The operators of a family by type and name."""
    tables = {
        "int": _integer_rows(keep, reals),
        "real": _real_rows(keep, reals),
        "string": _string_rows(to_int, to_real),
        "bool": TRUTHS,
    }
    return {
        (kind, name): Operator(kind, name, tuple(types.strip("*").split()), result, function, types.endswith("*"))
        for kind, rows in tables.items()
        for name, types, result, function in rows
    }


DEFAULT = Family(
    "default", wrapped, FLOATS.of, _operators(wrapped, FLOATS, lambda text: int(text) if _is_int(text) else 0, to_float)
)
BIG = Family("big", bounded, DECIMALS.of, _operators(bounded, DECIMALS, to_big_int, to_decimal))


def _mapped(make: Callable[[Operator], Operator]) -> dict[tuple[str, str], Operator]:
    return {key: make(operator) for key, operator in DEFAULT.operators.items()}


def _as_term(operator: Operator) -> Operator:
    """Returns an operator whose result is a term, the symbolic form of the operation."""

    def term(*contents: Any) -> SymbolicTerm:
        given = contents[0] if operator.collective else contents
        typed = zip(operator.expected(len(given)), given, strict=True)
        operands = ",".join(AttributeValue(kind, content).text for kind, content in typed)
        return SymbolicTerm(short(f"{operator.type}:{operator.name}({operands})", "A term"))

    return replace(operator, function=term)


_POINTS: Mapping[str, Content] = {"int": 0, "real": 0.0, "string": "", "bool": False}
POINT = Family(
    "point",
    wrapped,
    FLOATS.of,
    _mapped(lambda operator: replace(operator, function=lambda *_: _POINTS[operator.result])),
    symbolic=True,
)
TERM = Family("term", wrapped, FLOATS.of, _mapped(_as_term))
FAMILIES: Mapping[str, Family] = {family.name: family for family in (DEFAULT, BIG, POINT, TERM)}


def family(name: str, where: str = "") -> Family:
    """Returns the algebra family with this name."""
    if name not in FAMILIES:
        raise GrammarError(
            phrase(
                "Unknown algebra family {name}. The families are {families}.",
                name=shown(name),
                families=", ".join(FAMILIES),
            ),
            where,
        )
    return FAMILIES[name]
