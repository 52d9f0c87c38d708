"""Attribute values, operators and algebra families, as in GROOVE.

The family `default` counts as Java does (32-bit integers that wrap around, doubles), `big` exactly; `point` has one
value of each type, the result of every operation, and `term` keeps each operation as a term. An operation
without a result (a division by zero) gives the error value of its type, an ordinary value: it can be an
attribute, it equals itself, and every operation on it gives an error value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language import operations
from pentad.grammar.language.operations import (
    DECIMALS,
    DIGITS,
    FLOATS,
    NUMBER,
    TRUTHS,
    WHOLE,
    NoValue,
    Row,
    bounded,
    java_real,
    quoted,
    unquoted,
    wrapped,
)

__all__ = [
    "BIG",
    "DEFAULT",
    "ERRORS",
    "TYPES",
    "USER",
    "Content",
    "Family",
    "NoValue",
    "Operator",
    "Value",
    "family",
    "read",
]


class Term(NamedTuple):
    """An operation in symbolic form."""

    text: str


Content: TypeAlias = int | float | str | bool | Decimal | Term | None

ERRORS: Mapping[str, str] = {"int": "NaI", "real": "NaR", "string": "NaS", "bool": "NaB"}
TYPES = tuple(ERRORS)
USER = "user"  # the type of values of a user's own classes


class Value(NamedTuple):
    """An attribute's value: its type (`int`, `real`, `string`, `bool`) and its content; None is the type's error value.

    >>> Value("int", 1) == Value("bool", True)
    False
    >>> str(Value("string", "five")), str(Value("int", None))
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
        if isinstance(self.content, Term):
            return self.content.text
        return _WRITERS[self.type](self.content)

    @property
    def holds(self) -> bool:
        """Whether it is the truth value true."""
        return self.content is True


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
    return Value(kinds.get(type(content), USER), content).text


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    USER: _user_text,
    "int": str,
    "real": _real_text,
    "string": quoted,
    "bool": lambda content: "true" if content else "false",
}


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

    def takes(self, types: Sequence[str]) -> bool:
        """Whether it applies to values of these types."""
        if self.collective:
            return all(given == self.arguments[0] for given in types)
        return tuple(types) == self.arguments

    def apply(self, values: Iterable[Value]) -> Value:
        """Returns the result, or the error value of its type if there is none."""
        contents = [value.content for value in values]
        if any(content is None for content in contents):
            return Value(self.result, None)
        try:
            return Value(self.result, self.function(contents) if self.collective else self.function(*contents))
        except NoValue:
            return Value(self.result, None)

    def __str__(self) -> str:
        return f"{self.type}:{self.name}({'*' if self.collective else ''}{', '.join(self.arguments)})"


def _table(rows: Mapping[str, list[Row]]) -> dict[tuple[str, str], Operator]:
    return {
        (kind, name): Operator(kind, name, tuple(types.strip("*").split()), result, function, types.endswith("*"))
        for kind, listed in rows.items()
        for name, types, result, function in listed
    }


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

    def read(self, kind: str, text: str) -> Value:
        """Returns the value of a literal.

        >>> DEFAULT.read("real", "5")
        Value(type='real', content=5.0)
        """
        if kind not in ERRORS:
            raise GrammarError(f"Unknown type {shown(kind)}. The types are {', '.join(TYPES)}.")
        if text == ERRORS[kind]:
            return Value(kind, None)
        content = getattr(self, f"_{kind}")(text)
        if content is None:
            raise GrammarError(f"{shown(text)} is not a literal of type {kind}, such as {_SAMPLES[kind]}.")
        return self.point(kind) if self.symbolic else Value(kind, content)

    def point(self, kind: str) -> Value:
        """The single value of a type in the family `point`."""
        return Value(kind, _POINTS[kind])

    def _int(self, text: str) -> int | None:
        if not WHOLE.fullmatch(text):
            return None
        if len(text) > DIGITS:
            raise GrammarError(f"An integer of {len(text):,} digits is too large.")
        number = int(text)
        if self.keep(number) != number:
            raise GrammarError(
                f"The integer {shown(text)} needs more than 32 bits. The algebra family `big` has no such bound."
            )
        return number

    def _real(self, text: str) -> float | Decimal | None:
        if self.real is FLOATS.of and text in ("NaN", "Infinity", "-Infinity"):
            return operations.to_float(text)
        if not NUMBER.fullmatch(text):
            return None
        number: float | Decimal = self.real(text)
        if isinstance(number, float) and math.isinf(number):
            raise GrammarError(f"The real {shown(text)} is too large.")
        return number

    def _string(self, text: str) -> str | None:
        content = unquoted(text)
        return content if content is None else operations.short(content)

    def _bool(self, text: str) -> bool | None:
        return {"true": True, "false": False}.get(text)


_SAMPLES: Mapping[str, str] = {"int": "5", "real": "0.5", "string": '"five"', "bool": "true"}

DEFAULT = Family(
    "default",
    wrapped,
    FLOATS.of,
    _table(
        {
            "int": operations.integer_rows(wrapped, FLOATS),
            "real": operations.real_rows(wrapped, FLOATS),
            "string": operations.string_rows(operations.to_java_int, operations.to_float),
            "bool": TRUTHS,
        }
    ),
)
BIG = Family(
    "big",
    bounded,
    DECIMALS.of,
    _table(
        {
            "int": operations.integer_rows(bounded, DECIMALS),
            "real": operations.real_rows(bounded, DECIMALS),
            "string": operations.string_rows(operations.to_big_int, operations.to_decimal),
            "bool": TRUTHS,
        }
    ),
)


def _mapped(make: Callable[[Operator], Operator]) -> dict[tuple[str, str], Operator]:
    return {key: make(operator) for key, operator in DEFAULT.operators.items()}


def _as_term(operator: Operator) -> Operator:
    """Returns an operator whose result is a term, the symbolic form of the operation."""

    def term(*contents: Any) -> Term:
        given = contents[0] if operator.collective else contents
        types = operator.arguments * len(given) if operator.collective else operator.arguments
        operands = ",".join(Value(kind, content).text for kind, content in zip(types, given, strict=True))
        return Term(operations.short(f"{operator.type}:{operator.name}({operands})", "A term"))

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
        raise GrammarError(f"Unknown algebra family {shown(name)}. The families are {', '.join(FAMILIES)}.", where)
    return FAMILIES[name]


def read(label: str, algebra: Family = DEFAULT, where: str = "", node: str = "") -> Value:
    """Returns the value of a label such as `int:5`.

    >>> read('string:"a"')
    Value(type='string', content='a')
    """
    kind, colon, text = label.partition(":")
    try:
        if not colon:
            raise GrammarError("Expected a value with its type, such as int:5.")
        return algebra.read(kind, text.strip())
    except GrammarError as error:
        raise GrammarError(error.what, where, node, label[:80]) from None
