"""Literals as Java and GROOVE write them: strings in quotes, reals with a point, letters in units of 16 bits."""

from __future__ import annotations

import math
from decimal import Decimal


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
