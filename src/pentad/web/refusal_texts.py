"""The sentences with which requests are refused: about addresses, about JSON, and about the values in it."""

from __future__ import annotations

# About requests.
NOT_FOUND = "There is nothing at this address."
WRONG_METHOD = "Expected {expected} at this address, got {found}."
NOT_UTF8 = "Expected a request in UTF-8."

# About values; `place` is the field, or what is read.
MISSING_FIELD = "Missing field {place}."
UNKNOWN_FIELD = "Unknown field {place}. {hint}"
WRONG_KIND = "Expected {place} to be {kind}, got {found}."
TOO_MANY = "Expected at most {count} in {place}, got {found:,}."
TOO_FEW = "Expected at least {count} in {place}, got {found:,}."
NO_MATCH = "Expected {place} to be {words}, got {found}."
REFUSED = "{field}: {why}"

# About JSON itself.
NOTHING = "Expected JSON, got nothing."
NOT_JSON = "JSON, line {line}, column {column}: {fault}"
NOT_A_NUMBER = "JSON: {word} is not a number."
TOO_LONG_A_NUMBER = "JSON: A number has too many digits."
TOO_MANY_VALUES = "JSON: Expected at most {most:,} values."
TOO_DEEP = "JSON: Lists and objects are nested too deeply."
HALF_A_CHARACTER = "JSON: {code} is half of a surrogate pair."
FAULTS = {  # by the beginnings of Python's own words
    "Expecting property name": "Expected a name in double quotes.",
    "Expecting ':'": "Expected a colon.",
    "Expecting ','": "Expected a comma.",
    "Unterminated string": "The string is not closed.",
    "Invalid control character": "A string may not contain a control character.",
    "Invalid \\": "Unknown escape sequence.",
    "Extra data": "Expected the end.",
    "Illegal trailing comma": "The last item may not be followed by a comma.",
}
