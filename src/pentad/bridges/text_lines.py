"""Lines of text between programs: split from bytes with a bounded length, and printable."""

from __future__ import annotations

import re

MAX_LINE_LENGTH = 1000  # the rest of a longer line is dropped


class LineReader:
    """Splits a byte stream into lines; CR, LF or both end a line, and empty lines are dropped.

    A line without an end takes no more memory than a long one: it is cut to one character more than `longest`.

    >>> lines = LineReader()
    >>> lines.feed(b"START 15\\r\\nBE"), lines.feed(b"GIN\\n"), lines.feed(b"END"), lines.rest()
    (['START 15'], ['BEGIN'], [], ['END'])
    """

    def __init__(self, longest: int = MAX_LINE_LENGTH) -> None:
        self.longest = longest
        self._max_bytes = 4 * longest + 4  # a character has four bytes at most
        self._begun = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that these bytes complete."""
        *whole, begun = re.split(rb"[\r\n]+", data)
        if whole:
            whole[0] = self._begun + whole[0]
            self._begun = b""
        self._begun = (self._begun + begun)[: self._max_bytes]
        return [self._text(line) for line in whole if line]

    def rest(self) -> list[str]:
        """The incomplete line at the end of the stream."""
        begun, self._begun = self._begun, b""
        return [self._text(begun)] if begun else []

    def _text(self, line: bytes) -> str:
        return line[: self._max_bytes].decode("utf-8", "replace")[: self.longest + 1]


def plain(text: str) -> str:
    """A text in printable ASCII, as a line of a protocol may hold it."""
    return "".join(sign if " " <= sign <= "~" else "?" for sign in text.replace("…", "...").replace("×", "x"))
