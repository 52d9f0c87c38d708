"""Tokens of a text, which a parser reads from left to right: the base of all parsers of grammars."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, NamedTuple, NoReturn, TypeVar

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.system.words import phrase

T = TypeVar("T")


class Token(NamedTuple):
    """A token: its kind, its text, and its span in the whole text."""

    kind: str
    text: str
    begin: int
    end: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else shown(self.text, 30)


class Parser:
    """The base of parsers.

    `pattern` matches a token after any blanks. Its named groups are the kinds of tokens; `end` and `unexpected` are
    among them. `signs` are the kinds of tokens that `skip` and `expect` take by their text.
    """

    pattern: ClassVar[re.Pattern[str]]
    noun: ClassVar[str]
    longest: ClassVar[int] = 10_000  # a longer text is refused
    signs: ClassVar[tuple[str, ...]] = ("sign",)

    def __init__(self, text: str, where: str = "") -> None:
        self.text, self.where = text, where
        if len(text) > self.longest:
            self.fail(self.too_long())
        self.tokens: list[Token] = []
        for found in self.pattern.finditer(text):
            kind = str(found.lastgroup)
            token = Token(kind, found[kind], *found.span(kind))
            if kind == "unexpected":
                self.fail(self.invalid(token.begin), token.begin)
            self.tokens.append(self.read(token))
            if kind == "end":
                break
        self.at = self.depth = 0

    def read(self, token: Token) -> Token:
        """A token, changed if its kind depends on its text."""
        return token

    def too_long(self) -> str:
        return phrase(
            "{noun} of {count:,} characters is too long; the limit is {longest:,}.",
            noun=self.noun.capitalize(),
            count=len(self.text),
            longest=self.longest,
        )

    def invalid(self, begin: int) -> str:
        """Why no token begins at an index."""
        return f"Unexpected {shown(self.text[begin])} in {self.noun}."

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        """Raises an error, which is at an index of the text if one is given."""
        raise GrammarError(what, self.where, label=self.text[:80])

    def unexpected(self, expected: str) -> NoReturn:
        self.fail(f"Expected {expected}, got {self.token}.", self.token.begin)

    @property
    def token(self) -> Token:
        """The next token; after the last one, which is the end, it stays the same."""
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.token
        self.at += token.kind != "end"
        return token

    def sees(self, *texts: str, ahead: int = 0) -> bool:
        """Whether the next token, or one after it, is one of these signs."""
        token = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return token.kind in self.signs and token.text in texts

    def skip(self, text: str) -> bool:
        """Takes the next token if it is this sign; returns whether it was."""
        is_next = self.sees(text)
        self.at += is_next
        return is_next

    def expect(self, text: str) -> Token:
        """Takes the next token, which must be this sign."""
        if not self.sees(text):
            self.unexpected(shown(text))
        return self.take()

    def several(self, item: Callable[[], T], sign: str) -> tuple[T, ...]:
        """Parses items with a sign between them."""
        items = [item()]
        while self.skip(sign):
            items.append(item())
        return tuple(items)

    def listed(self, item: Callable[[], T]) -> tuple[T, ...]:
        """Parses items between commas, up to a closing bracket."""
        if self.skip(")"):
            return ()
        items = self.several(item, ",")
        self.expect(")")
        return items
