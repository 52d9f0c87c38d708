"""Scanner of the texts of records, and their errors with line and column."""

from __future__ import annotations

import re

from pentad.game import GameError
from pentad.system.words import phrase

_SPACE = re.compile(r"\s*+")


class RecordError(GameError):
    """A syntax error in a record, with its line and column, counted from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line, self.column = line, column
        self.message = message


class TruncatedRecord(RecordError):
    """A text that ends before the record's result."""


class Scanner:
    """A text and the current offset in it."""

    def __init__(self, text: str) -> None:
        self._given = text
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.at = 0

    def skip_space(self) -> None:
        self.take(_SPACE)

    @property
    def done(self) -> bool:
        """Whether only space is left, which is skipped."""
        self.skip_space()
        return self.at >= len(self.text)

    @property
    def offset(self) -> int:
        """The offset in the text as it was given, with its byte order mark and its ends of lines."""
        before = int(self._given.startswith("\ufeff"))
        for found in re.finditer("\r\n", self._given):
            if found.start() - before >= self.at:
                break
            before += 1
        return self.at + before

    def next_is(self, mark: str) -> bool:
        return self.text.startswith(mark, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Matches a pattern here and moves past the match."""
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
        return found

    def error(
        self, message: str, at: int | None = None, kind: type[RecordError] = RecordError, /, **gaps: object
    ) -> RecordError:
        """An error at an offset, by default the current one."""
        before = self.text[: self.at if at is None else at]
        return kind(phrase(message, **gaps), before.count("\n") + 1, len(before) - before.rfind("\n"))

    def truncated(self, results: str) -> RecordError:
        """The error for a text without a result at its end."""
        return self.error(
            "Expected the game's result ({results}), got the end of the text.", None, TruncatedRecord, results=results
        )
