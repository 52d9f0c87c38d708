"""Syntax tree of path expressions: labels, wildcards and their combinations."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.value_literals import quoted, unquoted

Covers: TypeAlias = Callable[[str, str], bool]  # whether a label in a pattern matches a label in a graph

BARE = re.compile(r"(?:type:|flag:)[^\W\d][\w$-]*|[\w$][\w$-]*")
QUOTED = r"'(?:\\.|[^'\\])*'"
WILDCARD = rf"(?P<kind>type:|flag:)?\?(?P<variable>[^\W\d][\w$]*)?(?P<guard>\[(?:{QUOTED}|[^\]'])*\])?"
_WILD = re.compile(WILDCARD, re.DOTALL)
_GUARDED = re.compile(rf"\s*(?:({QUOTED})|([\w$][\w$-]*))\s*(,|\Z)", re.DOTALL)


def _name_text(label: str) -> str:
    return label if BARE.fullmatch(label) and not kind_of(label) else quoted(label, "'")


def same(pattern: str, label: str) -> bool:
    """Without types, a label matches only itself."""
    return pattern == label


@dataclass(frozen=True, slots=True)
class Atom:
    """A label; a type also matches its subtypes, unless it is sharp."""

    label: str
    sharp: bool = False

    def admits(self, label: str, covers: Covers = same) -> bool:
        return label == self.label or (not self.sharp and covers(self.label, label))


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Any label of a kind (binary: the empty text, `type`, `flag`), optionally restricted by a list of labels.

    >>> wildcard = parse_wildcard("flag:?x[a,b]")
    >>> wildcard.admits("flag:a"), wildcard.admits("a"), wildcard.admits("flag:c")
    (True, False, False)
    """

    kind: str = ""
    variable: str | None = None
    guard: frozenset[str] | None = None
    negated: bool = False

    @property
    def prefix(self) -> str:
        return f"{self.kind}:" if self.kind else ""

    @property
    def key(self) -> str | None:
        """The variable with the prefix of its kind: `x`, `flag:x`."""
        return None if self.variable is None else self.prefix + self.variable

    def admits(self, label: str, covers: Covers = same) -> bool:
        """Whether the wildcard matches a label."""
        if kind_of(label) != self.kind:
            return False
        if self.guard is None:
            return True
        prefix = self.prefix
        named = label[len(prefix) :] in self.guard or any(covers(prefix + each, label) for each in self.guard)
        return named != self.negated

    def __str__(self) -> str:
        guard = ""
        if self.guard is not None:
            guard = f"[{'^' if self.negated else ''}{','.join(map(_name_text, sorted(self.guard)))}]"
        return f"{self.prefix}?{self.variable or ''}{guard}"


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty path."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Paths in sequence."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several paths."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repeated path: `*` any number of times, `+` at least once."""

    part: Part
    sign: str


@dataclass(frozen=True, slots=True)
class Inverse:
    """A path against the direction of its edges."""

    part: Part


Part: TypeAlias = Atom | Wildcard | Empty | Sequence | Choice | Repeat | Inverse


def kind_of(label: str) -> str:
    """The kind of a label: `type`, `flag`, or the empty text for binary."""
    return label[:4] if label.startswith(("type:", "flag:")) else ""


def parse_wildcard(label: str, where: str = "") -> Wildcard | None:
    """Parses a wildcard, `?` or `type:?x[^A,B]`; None for any other label."""
    label = label.strip()
    name = label.removeprefix("type:") if label.startswith("type:") else label.removeprefix("flag:")
    if not name.startswith("?"):
        return None
    found = _WILD.fullmatch(label)
    if not found:
        raise GrammarError("Invalid wildcard. The forms are ?, ?x, ?[a,b] and ?x[^a,b].", where, label=label[:80])
    return wildcard_of(found, where)


def wildcard_of(found: re.Match[str], where: str) -> Wildcard:
    """Returns the wildcard of a match of `WILDCARD`."""
    kind, listed = (found["kind"] or "").rstrip(":"), found["guard"]
    if listed is None:
        return Wildcard(kind, found["variable"])
    listed = listed[1:-1]
    negated = listed.startswith("^")
    names, place = set(), int(negated)
    while each := _GUARDED.match(listed, place):
        names.add(each[2] or unquoted(each[1], "'") or "")
        place = each.end()
        if not each[3]:
            break
    else:
        raise GrammarError(
            "The labels of a wildcard must be names or quoted, with commas between.", where, label=found[0][:80]
        )
    return Wildcard(kind, found["variable"], frozenset(names), negated)
