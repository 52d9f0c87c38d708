"""Terms of Prolog: a strict reader, a writer, and matching.

Atoms are `str`, integers `int` and lists `list`; compounds and variables are classes. There are no operators, strings
or `[Head|Tail]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pentad.game import GameError, shown
from pentad.system.words import phrase

MAX_TEXT_LENGTH = 10_000
MAX_BRACKET_DEPTH = 20

Term: TypeAlias = "int | str | list[Any] | Compound | Variable"
Bindings = Mapping[str, Term]


@dataclass(frozen=True, slots=True, repr=False)
class Variable:
    """A variable; `_` matches anything."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, repr=False)
class Compound:
    """A compound term: `size(13)`."""

    name: str
    args: tuple[Term, ...]

    def __repr__(self) -> str:
        return written(self)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

ATOM = re.compile("[a-z][A-Za-z0-9_]*")
TOKEN = re.compile(
    r"(?P<layout>\s+|%.*)"
    r"|(?P<integer>-?[0-9]{1,18}(?![A-Za-z0-9_]))"
    r"|(?P<variable>\$?[A-Z_][A-Za-z0-9_]*)"
    rf"|(?P<atom>{ATOM.pattern})"
    r"|'(?P<quoted>(?:[^'\\\n]|'')*)'"
    r"|(?P<mark>[()\[\],]|\.(?=\s|%|$))",
    re.ASCII,
)
END = ("end", "", 0)


def read_query(text: str) -> list[Term]:
    """Parses goals separated by commas, with or without a full stop and the prompt before them.

    >>> read_query("?- start([size(7)], G), game_over(G, w).")
    [start([size(7)], G), game_over(G, w)]
    """
    if not isinstance(text, str):
        raise GameError("Expected a query as text, such as play([size(13)]), got {text}.", text=shown(text))
    if len(text) > MAX_TEXT_LENGTH:
        raise GameError(
            "A query has at most {longest:,} characters, not {count:,}.", longest=MAX_TEXT_LENGTH, count=len(text)
        )
    return _Reader(text).query()


class _Reader:
    """Reads one query by recursive descent."""

    def __init__(self, text: str) -> None:
        prompt = re.match(r"\s*\?-", text)
        self._tokens = self._split(text, prompt.end() if prompt else 0)
        self._end = len(text.rstrip())
        self._next = next(self._tokens, END)

    @staticmethod
    def _split(text: str, at: int) -> Iterator[tuple[str, str, int]]:
        """Yields the tokens: their kind, text and place."""
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise GameError("Column {at}: Expected a term, got {text}.", at=at + 1, text=shown(text[at : at + 20]))
            if found.lastgroup != "layout":
                yield found.lastgroup, found[found.lastgroup], at
            at = found.end()

    def query(self) -> list[Term]:
        goals = [self._term(0)]
        while self._took(","):
            goals.append(self._term(0))
        self._took(".")
        if self._next is not END:
            raise self._unexpected("a comma, a full stop or the end")
        return goals

    def _took(self, mark: str) -> bool:
        """Whether the next token is this mark, which is then read."""
        if self._next[:2] != ("mark", mark):
            return False
        self._next = next(self._tokens, END)
        return True

    def _unexpected(self, expected: str) -> GameError:
        _, text, at = self._next
        if self._next is END:
            return GameError(
                "Column {end}: Expected {expected}, got the end of the line.", end=self._end + 1, expected=expected
            )
        return GameError(
            "Column {at}: Expected {expected}, got {text}.", at=at + 1, expected=expected, text=shown(text)
        )

    def _term(self, depth: int) -> Term:
        kind, text, at = self._next
        if depth > MAX_BRACKET_DEPTH:
            raise GameError(
                "Column {at}: Brackets are nested more than {deepest} deep.", at=at + 1, deepest=MAX_BRACKET_DEPTH
            )
        if self._took("["):
            return [] if self._took("]") else self._terms("]", depth)
        if kind not in ("integer", "variable", "atom", "quoted"):
            raise self._unexpected("a term")
        self._next = next(self._tokens, END)
        if kind == "integer":
            return int(text)
        if kind == "variable":
            return Variable(text)
        name = text.replace("''", "'") if kind == "quoted" else text
        return Compound(name, tuple(self._terms(")", depth))) if self._took("(") else name

    def _terms(self, closing: str, depth: int) -> list[Term]:
        """The terms up to a closing bracket."""
        found = [self._term(depth + 1)]
        while self._took(","):
            found.append(self._term(depth + 1))
        if not self._took(closing):
            raise self._unexpected(phrase("a comma or {closing}", closing=closing))
        return found


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def written(term: Term) -> str:
    """The text of a term, as Prolog writes it.

    >>> written(Compound("game", ([["c", "w"]], "b", 3, "K10")))
    "game([[c, w]], b, 3, 'K10')"
    """
    if isinstance(term, str):
        return term if ATOM.fullmatch(term) else "'" + term.replace("'", "''") + "'"
    if isinstance(term, list):
        return f"[{', '.join(map(written, term))}]"
    if isinstance(term, Compound):
        return f"{written(term.name)}({', '.join(map(written, term.args))})"
    return term.name if isinstance(term, Variable) else str(term)


# ── variables ────────────────────────────────────────────────────────────────────────────────────


def variables(term: Term) -> Iterator[Variable]:
    """Yields the variables of a term in their order."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, list | Compound):
        for each in term if isinstance(term, list) else term.args:
            yield from variables(each)


def bound(term: Term, bindings: Bindings) -> Term:
    """The term with bound variables replaced."""
    if isinstance(term, Variable):
        return bindings.get(term.name, term)
    if isinstance(term, list):
        return [bound(each, bindings) for each in term]
    if isinstance(term, Compound):
        return Compound(term.name, tuple(bound(each, bindings) for each in term.args))
    return term


def match(pattern: Term, value: Term, bindings: Bindings) -> Bindings | None:
    """The bindings with which a pattern equals a value without variables, or None.

    >>> match(Compound("game", (Variable("Board"), "w")), Compound("game", ([["c"]], "w")), {})
    {'Board': [['c']]}
    """
    if isinstance(pattern, Variable):
        if pattern.name == "_":
            return bindings
        if pattern.name in bindings:
            return bindings if bindings[pattern.name] == value else None
        return {**bindings, pattern.name: value}
    if isinstance(pattern, list) and isinstance(value, list):
        return _match_all(pattern, value, bindings)
    if isinstance(pattern, Compound) and isinstance(value, Compound) and pattern.name == value.name:
        return _match_all(list(pattern.args), list(value.args), bindings)
    return bindings if type(pattern) is type(value) and pattern == value else None


def _match_all(patterns: list[Term], values: list[Term], bindings: Bindings) -> Bindings | None:
    found: Bindings | None = bindings
    for pattern, value in zip(patterns, values, strict=True) if len(patterns) == len(values) else ():
        found = None if found is None else match(pattern, value, found)
    return found if len(patterns) == len(values) else None
