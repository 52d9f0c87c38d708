"""Operators of GROOVE's algebras: tables of functions on integers, reals, strings and truth values; literals of values.

Literals are written as in Java and GROOVE: strings in quotes, reals with a point, letters in units of 16 bits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Context, Decimal, DecimalException, DivisionByZero, Inexact, InvalidOperation
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from pentad.grammar.graph import GrammarError


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
    if len(text) < 2 or text[0] not in quotes:
        return None
    quote, letters, place = text[0], [], 1
    while place < len(text) and text[place] != quote:
        if text[place] == "\\" and text[place + 1 : place + 2] in (quote, "\\"):
            place += 1
        letters.append(text[place])
        place += 1
    return "".join(letters) if place == len(text) - 1 else None


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


DIGITS = 4000  # of exact numbers; near Python's own limit for the conversion of integers to text
LETTERS = 1_000_000  # of a string
NAN = math.nan  # the only NaN in use, so that values with it are equal and have one hash


class NoValue(ArithmeticError):
    """An operation has no result for these operands."""


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────


def wrapped(number: int) -> int:
    """An integer in Java's 32 bits."""
    return (number + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def bounded(number: int) -> int:
    """The integer, if it is within the limit of digits."""
    if number.bit_length() > DIGITS * 3.32:
        raise GrammarError(f"An integer exceeds {DIGITS:,} digits.")
    return number


def short(text: str, what: str = "A string") -> str:
    """The text, if it is within the limit of characters."""
    if len(text) > LETTERS:
        raise GrammarError(f"{what} exceeds {LETTERS:,} characters.")
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


_EXACT = Context(prec=DIGITS, Emax=DIGITS, Emin=-DIGITS, traps=[Inexact, InvalidOperation, DivisionByZero])


def _exactly(operation: Callable[..., Decimal]) -> Callable[..., Decimal]:
    """An operation on exact reals that raises `GrammarError` when its result is too long."""

    def bounded(*operands: Decimal) -> Decimal:
        try:
            return operation(*operands)
        except DecimalException:
            raise GrammarError(f"A real exceeds {DIGITS:,} digits.") from None

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
    of: Callable[[Any], Any]  # from an integer, or the text of a number
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


def integer_rows(keep: Callable[[int], int], reals: Reals) -> list[Row]:
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


def real_rows(keep: Callable[[int], int], reals: Reals) -> list[Row]:
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
    return bool(WHOLE.fullmatch(text)) and len(text) <= DIGITS and wrapped(int(text)) == int(text)


def to_java_int(text: str) -> int:
    return int(text) if _is_int(text) else 0


def to_big_int(text: str) -> int:
    return int(text) if WHOLE.fullmatch(text) and len(text) <= DIGITS else 0


def to_float(text: str) -> float:
    found = _JAVA_NUMBER.fullmatch(text)
    return _canonical_nan(float(found["number"])) if found else 0.0


def to_decimal(text: str) -> Decimal:
    return DECIMALS.of(text) if NUMBER.fullmatch(text) else Decimal("0.0")


def string_rows(to_int: Callable[[str], int], to_real: Callable[[str], Any]) -> list[Row]:
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
    ("eq", "bool bool", "bool", lambda a, b: a == b),
    ("neq", "bool bool", "bool", lambda a, b: a != b),
]
