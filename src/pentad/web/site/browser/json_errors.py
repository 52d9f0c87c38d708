"""Errors of JSON texts in pydantic's words, with their places. Only invalid texts are read here."""

from __future__ import annotations

from typing import NoReturn

DEEPEST = 201  # lists and objects within each other
_MOST_DIGITS = 4300
_SPACE, _DIGITS, _HEX = b" \t\n\r", b"0123456789", b"0123456789abcdefABCDEF"
_WORDS = {b"t": b"true", b"f": b"false", b"n": b"null", b"N": b"NaN", b"I": b"Infinity"}
_EOF = "EOF while parsing a"


class JsonFault(Exception):
    """The error of a text; the message says what and where."""


def error_of(text: str) -> str | None:
    """Why a text is not JSON; None if it is."""
    scanner = _Scanner(text.encode("utf-8", "surrogatepass"))
    try:
        scanner.whole()
    except JsonFault as found:
        return str(found)
    return None


class _Scanner:
    """A reader of a text that keeps nothing but its place."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def whole(self) -> None:
        """Reads one value and nothing more."""
        self._value(0)
        if self._skip():
            self._fail("trailing characters")

    def _fail(self, what: str, at: int | None = None) -> NoReturn:
        read = self._data[: (self._at if at is None else at) + 1]
        line, column = read.count(b"\n") + 1, len(read) - read.rfind(b"\n") - 1
        raise JsonFault(f"{what} at line {line} column {column}")

    @property
    def _next(self) -> bytes:
        """The next byte; empty at the end."""
        return self._data[self._at : self._at + 1]

    def _skip(self) -> bytes:
        """The next byte that is no space."""
        while self._next and self._next in _SPACE:
            self._at += 1
        return self._next

    def _value(self, depth: int) -> None:
        first = self._skip()
        if not first:
            self._fail(f"{_EOF} value")
        elif first in b"[{":
            if depth > DEEPEST - 1:
                self._fail("recursion limit exceeded")
            self._at += 1
            (self._list if first == b"[" else self._object)(depth + 1)
        elif first == b'"':
            self._string()
        elif first in _WORDS:
            self._word(_WORDS[first])
        elif first == b"-" or first in _DIGITS:
            self._number()
        else:
            self._fail("expected value")

    def _list(self, depth: int) -> None:
        if not self._skip():
            self._fail(f"{_EOF} list")
        while self._skip() != b"]":
            self._value(depth)
            self._comma(b"]", "list")
        self._at += 1

    def _object(self, depth: int) -> None:
        if not self._skip():
            self._fail(f"{_EOF}n object")
        while self._skip() != b"}":
            if self._next != b'"':
                self._fail("key must be a string")
            self._string()
            if self._skip() != b":":
                self._fail("expected `:`" if self._next else f"{_EOF}n object")
            self._at += 1
            self._value(depth)
            self._comma(b"}", "object")
        self._at += 1

    def _comma(self, end: bytes, what: str) -> None:
        """Reads the comma before another item, if the end does not follow."""
        found = self._skip()
        if found == b",":
            self._at += 1
            if not self._skip():
                self._fail(f"{_EOF} value")
            if self._next == end:
                self._fail("trailing comma")
        elif not found:
            self._fail(f"{_EOF}{'n' if what == 'object' else ''} {what}")
        elif found != end:
            self._fail(f"expected `,` or `{end.decode()}`")

    def _word(self, word: bytes) -> None:
        for place in range(len(word)):
            found = self._data[self._at + place : self._at + place + 1]
            if not found:
                self._fail(f"{_EOF} value", len(self._data))
            if found[0] != word[place]:
                self._fail("expected ident", self._at + place)
        self._at += len(word)

    def _number(self) -> None:
        begin = self._at
        if self._next == b"-":
            self._at += 1
            if self._next == b"I":
                self._word(_WORDS[b"I"])
                return
        if self._next == b"0":
            self._at += 1
            if self._next and self._next in _DIGITS:
                self._fail("invalid number")
        else:
            self._digits()
        if self._at - begin > _MOST_DIGITS:
            self._fail("number out of range", begin + _MOST_DIGITS + 1)
        if self._next == b".":
            self._at += 1
            self._digits()
        if self._next in (b"e", b"E"):
            self._at += 1
            if self._next in (b"+", b"-"):
                self._at += 1
            self._digits()

    def _digits(self) -> None:
        if not self._next:
            self._fail(f"{_EOF} value")
        if self._next not in _DIGITS:
            self._fail("invalid number")
        while self._next and self._next in _DIGITS:
            self._at += 1

    def _string(self) -> None:
        self._at += 1
        while (found := self._next) != b'"':
            if not found:
                self._fail(f"{_EOF} string")
            if found < b" ":
                self._fail("control character (\\u0000-\\u001F) found while parsing a string")
            self._at += 1
            if found == b"\\":
                self._escape()
        self._at += 1

    def _escape(self) -> None:
        if not self._next:
            self._fail(f"{_EOF} string")
        if self._next not in b'"\\/bfnrtu':
            self._fail("invalid escape")
        self._at += 1
        if self._data[self._at - 1 : self._at] != b"u":
            return
        code = self._code()
        if 0xDC00 <= code <= 0xDFFF:
            self._fail("lone leading surrogate in hex escape", self._at - 1)
        if 0xD800 <= code <= 0xDBFF:
            for expected in (b"\\", b"u"):
                if not self._next:
                    self._fail(f"{_EOF} string")
                if self._next != expected:
                    self._fail("unexpected end of hex escape")
                self._at += 1
            if not 0xDC00 <= self._code() <= 0xDFFF:
                self._fail("lone leading surrogate in hex escape", self._at - 1)

    def _code(self) -> int:
        """The number in an escape."""
        digits = self._data[self._at : self._at + 4]
        if len(digits) < 4:
            self._fail(f"{_EOF} string", len(self._data))
        for place, digit in enumerate(digits):
            if digit not in _HEX:
                self._fail("invalid escape", self._at + place)
        self._at += 4
        return int(digits, 16)
