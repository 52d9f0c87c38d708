"""Parser of path expressions, as in `path:next*.(left|-right)`, and the wildcards of labels, as in `flag:?x[a,b]`.

Precedence from low to high: `!` (outermost only), `|`, `.`, `-` (inverse), `*` and `+`. `=` is the empty path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NoReturn

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.path_automaton import Automaton, Edges, Node
from pentad.grammar.language.path_tree import (
    BARE,
    QUOTED,
    WILDCARD,
    Atom,
    Choice,
    Covers,
    Empty,
    Inverse,
    Part,
    Repeat,
    Sequence,
    Wildcard,
    parse_wildcard,
    same,
    wildcard_of,
)
from pentad.grammar.language.value_literals import quoted, unquoted

__all__ = ["Path", "Wildcard", "parse", "parse_wildcard"]

LETTERS = 10_000  # of a path
DEPTH = 100  # levels of nesting


@dataclass(frozen=True)
class Path:
    """A path expression, and the search for its paths in a graph.

    A graph is given by the outgoing and incoming edges of a node; types and flags are loops.

    >>> edges = {1: [("next", 2)], 2: [("next", 3)], 3: []}
    >>> parse("next*").targets(1, edges.__getitem__, lambda node: [])
    {1, 2, 3}
    """

    part: Part
    negated: bool = False
    covers: Covers = field(default=same, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{'!' if self.negated else ''}{_written(self.part, 0)}"

    @property
    def positive(self) -> Path:
        """The same path without the `!` in front."""
        return replace(self, negated=False)

    def under(self, covers: Covers) -> Path:
        """Returns the same path with labels that also match other labels, as types match their subtypes."""
        return replace(self, covers=covers)

    @property
    def is_empty(self) -> bool:
        """Whether it is the path of no edge, `=`."""
        return isinstance(self.part, Empty)

    @cached_property
    def alternatives(self) -> tuple[tuple[Atom | Wildcard, bool], ...] | None:
        """The labels of a choice between single edges, each with whether it is inverse; None for other paths."""
        return None if self.negated else _alternatives(self.part, False)

    @property
    def sharp(self) -> str | None:
        """The label `type:#A` if the path is a type without its subtypes."""
        is_sharp = isinstance(self.part, Atom) and self.part.sharp and not self.negated
        return f"type:#{self.part.label[5:]}" if is_sharp and isinstance(self.part, Atom) else None

    @property
    def single(self) -> str | None:
        """The path's only label or wildcard; None for a larger path."""
        if self.negated or not isinstance(self.part, Atom | Wildcard):
            return None
        if isinstance(self.part, Wildcard):
            return str(self.part)
        return None if self.part.sharp else self.part.label

    @cached_property
    def _tests(self) -> frozenset[Atom | Wildcard]:
        return frozenset(_leaves(self.part))

    @cached_property
    def variables(self) -> frozenset[str]:
        """The keys of the wildcards' variables."""
        return frozenset(test.key for test in self._tests if isinstance(test, Wildcard) and test.key is not None)

    def labels(self) -> frozenset[str] | None:
        """Returns all labels of the path; None if it has wildcards, which may match any label."""
        if any(isinstance(test, Wildcard) for test in self._tests):
            return None
        return frozenset(test.label for test in self._tests if isinstance(test, Atom))

    @cached_property
    def _forward(self) -> Automaton:
        return Automaton(self.part, self.covers)

    @cached_property
    def _backward(self) -> Automaton:
        return Automaton(Inverse(self.part), self.covers)

    def targets(
        self, node: Node, out: Edges[Node], into: Edges[Node], bound: Mapping[str, str] | None = None
    ) -> set[Node]:
        """Returns the nodes to which such paths lead from a node; `bound` has the labels of variables."""
        return set(self._walk(self._positive(self._forward), node, out, into, bound))

    def sources(
        self, node: Node, out: Edges[Node], into: Edges[Node], bound: Mapping[str, str] | None = None
    ) -> set[Node]:
        """Returns the nodes from which such paths lead to a node."""
        return set(self._walk(self._positive(self._backward), node, out, into, bound))

    def connects(
        self, one: Node, other: Node, out: Edges[Node], into: Edges[Node], bound: Mapping[str, str] | None = None
    ) -> bool:
        """Whether such a path leads from one node to another; for a negated path, whether none does."""
        return any(each == other for each in self._walk(self._forward, one, out, into, bound)) != self.negated

    def _walk(
        self, automaton: Automaton, node: Node, out: Edges[Node], into: Edges[Node], bound: Mapping[str, str] | None
    ) -> Iterator[Node]:
        return automaton.reach(node, out, into, bound if self.variables else None)

    def _positive(self, automaton: Automaton) -> Automaton:
        if self.negated:
            raise GrammarError("A negated path has no targets.", label=str(self)[:80])
        return automaton


def _alternatives(part: Part, backwards: bool) -> tuple[tuple[Atom | Wildcard, bool], ...] | None:
    match part:
        case Atom():
            return None if part.sharp or part.label.startswith("type:") else ((part, backwards),)
        case Wildcard():
            return None if part.variable is not None or part.kind == "type" else ((part, backwards),)
        case Inverse():
            return _alternatives(part.part, not backwards)
        case Choice():
            found = [_alternatives(each, backwards) for each in part.parts]
            if any(each is None for each in found):
                return None
            return tuple(each for several in found for each in several or ())
    return None


def _leaves(part: Part) -> Iterator[Atom | Wildcard]:
    match part:
        case Atom() | Wildcard():
            yield part
        case Sequence() | Choice():
            for each in part.parts:
                yield from _leaves(each)
        case Repeat() | Inverse():
            yield from _leaves(part.part)


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


def _written(part: Part, level: int) -> str:
    """Returns a path's text, in brackets if its precedence is lower than `level`: 2 in `|`, 3 in `.`."""
    match part:
        case Atom(label, sharp):
            name = f"type:#{label[5:]}" if sharp else label if BARE.fullmatch(label) else quoted(label, "'")
            return f"({name})" if level == 4 and "-" in name and name[0] != "'" else name
        case Wildcard():
            return str(part)
        case Empty():
            return "="
        case Choice():
            own_level, text = 1, "|".join(_written(each, 2) for each in part.parts)
        case Sequence():
            own_level, text = 2, ".".join(_written(each, 3) for each in part.parts)
        case Inverse():
            own_level, text = 3, f"-{_written(part.part, 3)}"
        case Repeat():
            own_level, text = 4, f"{_written(part.part, 4)}{part.sign}"
    return f"({text})" if own_level < level or (own_level == 4 and level == 4) else text


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(
    rf"""\s*(?:(?P<wildcard>{WILDCARD})
    |(?P<sharp>type:\#[^\W\d][\w$-]*)
    |(?P<atom>{BARE.pattern}|"(?:\\.|[^"\\])*"|<[^<>]*>)
    |(?P<quoted>{QUOTED})
    |(?P<sign>[.|*+\-!()=])
    |(?P<end>\Z)
    |(?P<unexpected_text>.))""",
    re.VERBOSE | re.DOTALL,
)
_PARTS = ("wildcard", "sharp", "atom", "quoted", "sign", "end", "unexpected_text")


def parse(text: str, where: str = "") -> Path:
    """Parses a path expression.

    >>> str(parse(" ( a . b )* | -c "))
    '(a.b)*|-c'
    """
    return _Parser(text, where).whole()


class _Parser:
    """Recursive-descent parser of path expressions."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where
        if len(text) > LETTERS:
            self.fail(f"A path of {len(text):,} characters is too long.")
        self.tokens: list[tuple[str, re.Match[str]]] = []
        for found in _TOKEN.finditer(text):
            kind = next(part for part in _PARTS if found[part] is not None)
            if kind == "unexpected_text":
                self.fail(
                    f"Unexpected {shown(found[kind])} in a path. Put labels with special characters in single quotes."
                )
            self.tokens.append((kind, found))
            if kind == "end":
                break
        self.place = self.depth = 0

    def fail(self, what: str) -> NoReturn:
        raise GrammarError(what, self.where, label=self.text[:80])

    def sees(self, signs: str) -> bool:
        kind, found = self.tokens[self.place]
        return kind == "sign" and found[kind] in signs

    def skip(self, sign: str) -> bool:
        """Consumes the next token if it is this sign; whether it was."""
        seen = self.sees(sign)
        self.place += seen
        return seen

    def whole(self) -> Path:
        negated = self.skip("!")
        part = self.choice()
        kind, found = self.tokens[self.place]
        if kind != "end":
            self.fail(f"Expected an operator or the end, got {shown(found[kind], 30)}.")
        return Path(part, negated)

    def choice(self) -> Part:
        parts = [self.sequence()]
        while self.skip("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def sequence(self) -> Part:
        parts = [self.directed()]
        while self.skip("."):
            parts.append(self.directed())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def directed(self) -> Part:
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"A path is nested more than {DEPTH} deep.")
        part = Inverse(self.directed()) if self.skip("-") else self.repeated()
        self.depth -= 1
        return part

    def repeated(self) -> Part:
        part, count = self.single(), 0
        while self.sees("*+"):
            part = Repeat(part, self.tokens[self.place][1]["sign"])
            self.place += 1
            count += 1
            if self.depth + count > DEPTH:
                self.fail(f"A path is nested more than {DEPTH} deep.")
        return part

    def single(self) -> Part:
        kind, found = self.tokens[self.place]
        self.place += 1
        if kind == "wildcard":
            return wildcard_of(found, self.where)
        if kind == "atom":
            return Atom(found[kind])
        if kind == "quoted":
            return Atom(unquoted(found[kind], "'") or self.fail("A label must not be empty."))
        if kind == "sharp":
            return Atom("type:" + found[kind][6:], sharp=True)
        if kind == "sign" and found[kind] == "=":
            return Empty()
        if kind == "sign" and found[kind] == "(":
            part = self.choice()
            if not self.skip(")"):
                self.fail("A bracket is not closed.")
            return part
        if kind == "sign" and found[kind] == "!":
            self.fail("! is only allowed in front of a whole path.")
        return self.fail(f"Expected a label, got {shown(found[kind], 30) if kind != 'end' else 'the end'}.")
