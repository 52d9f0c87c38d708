"""Tokens of expressions and paths, which their parsers read from left to right."""

from __future__ import annotations

import re
from typing import NoReturn, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError

LETTERS = 10_000  # of a text
Token: TypeAlias = tuple[str, str]  # kind and text


class Parser:
    """The base of recursive-descent parsers.

    The named groups of `pattern` are the kinds of tokens; `end` and `unexpected_text` are among them.
    """

    def __init__(self, text: str, where: str, pattern: re.Pattern[str], noun: str, hint: str = "") -> None:
        self.text, self.where = text, where
        if len(text) > LETTERS:
            self.fail(f"{noun.capitalize()} of {len(text):,} characters is too long.")
        self.tokens: list[Token] = []
        for found in pattern.finditer(text):
            kind = str(found.lastgroup)
            if kind == "unexpected_text":
                self.fail(f"Unexpected {shown(found[kind])} in {noun}.{hint}")
            self.tokens.append((kind, found[kind]))
            if kind == "end":
                break
        self.tokens.append(("end", ""))  # there is always one token to look ahead to
        self.place = self.depth = 0

    def fail(self, what: str) -> NoReturn:
        raise GrammarError(what, self.where, label=self.text[:80])

    def unexpected(self, expected: str) -> NoReturn:
        kind, token = self.tokens[self.place]
        self.fail(f"Expected {expected}, got {shown(token, 30) if kind != 'end' else 'the end'}.")

    def take(self) -> Token:
        self.place += 1
        return self.tokens[self.place - 1]

    def skip(self, sign: str) -> bool:
        """Consumes the next token if it is this sign; whether it was."""
        seen = self.tokens[self.place] == ("sign", sign)
        self.place += seen
        return seen

    def want(self, sign: str) -> None:
        if not self.skip(sign):
            self.unexpected(shown(sign))
