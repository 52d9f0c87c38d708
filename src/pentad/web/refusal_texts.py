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
TOO_DEEP = "JSON: Too many lists and objects within each other."
HALF_A_CHARACTER = "JSON: {code} is half of a character."
FAULTS = {  # by the beginnings of Python's own words
    "Expecting property name": "Expected a name in double quotes.",
    "Expecting ':'": "Expected a colon.",
    "Expecting ','": "Expected a comma.",
    "Unterminated string": "The text has no end.",
    "Invalid control character": "A text may not have a control character.",
    "Invalid \\": "There is no such escape.",
    "Extra data": "Expected the end.",
    "Illegal trailing comma": "A comma may not be last.",
}
