"""Path expressions, as in `path:next*.(left|-right)`: syntax tree, automata, parser, and the wildcards of labels.

Precedence from low to high: `!` (outermost only), `|`, `.`, `-` (inverse), `*` and `+`. `=` is the empty path.
A wildcard is `flag:?x[a,b]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeVar

from pentad.grammar.graph import GrammarError, reachable
from pentad.grammar.language.labels import TYPE_PREFIX, is_type, kind_of
from pentad.grammar.language.tokens import Parser
from pentad.grammar.language.values import quoted, unquoted
from pentad.system.words import phrase

Covers: TypeAlias = Callable[[str, str], bool]  # whether a label in a pattern matches a label in a graph

BARE = re.compile(r"(?:type:|flag:)[^\W\d][\w$-]*|[\w$][\w$-]*")
QUOTED = r"'(?:\\.|[^'\\])*'"
WILDCARD = rf"(?P<kind>type:|flag:)?\?(?P<variable>[^\W\d][\w$]*)?(?P<guard>\[(?:{QUOTED}|[^\]'])*\])?"
_WILD = re.compile(WILDCARD, re.DOTALL)
_GUARDED = re.compile(rf"\s*(?:({QUOTED})|([\w$][\w$-]*))\s*(,|\Z)", re.DOTALL)


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
            names = (
                name if BARE.fullmatch(name) and not kind_of(name) else quoted(name, "'") for name in sorted(self.guard)
            )
            guard = f"[{'^' if self.negated else ''}{','.join(names)}]"
        return f"{self.prefix}?{self.variable or ''}{guard}"


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty path."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Paths in sequence."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
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


Part: TypeAlias = Atom | Wildcard | Empty | Sequence | Alternative | Repeat | Inverse


def parse_wildcard(label: str, where: str = "") -> Wildcard:
    """Parses a wildcard, `?` or `type:?x[^A,B]`."""
    found = _WILD.fullmatch(label)
    if not found:
        raise GrammarError("Invalid wildcard. The forms are ?, ?x, ?[a,b] and ?x[^a,b].", where, label=label[:80])
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
            "The labels of a wildcard must be names or quoted, with commas between.", where, label=label[:80]
        )
    return Wildcard(kind, found["variable"], frozenset(names), negated)


MOVES = 100_000  # most transitions of an automaton

Node = TypeVar("Node", bound=Hashable)
Bound: TypeAlias = Mapping[str, str] | None  # the labels of variables
Edges: TypeAlias = Callable[[Node], Iterable[tuple[str, Node]]]
Move: TypeAlias = tuple[Atom | Wildcard, int]  # the label, and the next state


class PathAutomaton:
    """An automaton of a path, with moves along edges and against them."""

    def __init__(self, part: Part, covers: Covers) -> None:
        self.covers = covers
        self._epsilon_moves: list[list[int]] = []
        self._moves: list[tuple[list[Move], list[Move]]] = []  # along an edge, against it
        self._cache: dict[tuple[int, bool, str], list[int]] = {}
        self.start, self.end = self._state(), self._state()
        self._build(part, self.start, self.end, True)
        self._close()

    def _state(self) -> int:
        self._epsilon_moves.append([])
        self._moves.append(([], []))
        return len(self._epsilon_moves) - 1

    def _build(self, part: Part, start: int, end: int, along: bool) -> None:
        """Adds the moves of a path from one state to another."""
        match part:
            case Atom() | Wildcard():
                self._moves[start][not along].append((part, end))
            case Empty():
                self._epsilon_moves[start].append(end)
            case Inverse():
                self._build(part.part, start, end, not along)
            case Alternative():
                for each in part.parts:
                    self._build(each, start, end, along)
            case Sequence():
                *others, last = part.parts if along else reversed(part.parts)
                for each in others:
                    between = self._state()
                    self._build(each, start, between, along)
                    start = between
                self._build(last, start, end, along)
            case Repeat():
                first, last_state = self._state(), self._state()
                self._epsilon_moves[start].append(first)
                self._build(part.part, first, last_state, along)
                self._epsilon_moves[last_state] += [first, end]
                if part.sign == "*":
                    self._epsilon_moves[start].append(end)

    def _close(self) -> None:
        """Eliminates the epsilon moves."""
        closed: list[tuple[list[Move], list[Move]]] = []
        self.ends = [False] * len(self._epsilon_moves)
        count = 0
        for state in range(len(self._epsilon_moves)):
            reached = sorted(reachable([state], self._epsilon_moves.__getitem__))
            along = [move for each in reached for move in self._moves[each][0]]
            against = [move for each in reached for move in self._moves[each][1]]
            count += len(along) + len(against) + len(reached)
            if count > MOVES:
                raise GrammarError("The automaton of the path has too many transitions.")
            closed.append((along, against))
            self.ends[state] = self.end in reached
        self._moves = closed

    def rows(self, labels: Iterable[str]) -> list[tuple[list[tuple[str, int]], list[tuple[str, int]], bool]]:
        """For each state the moves along and against edges with some labels, and whether the path ends there.

        The first state is the start.
        """
        known = list(labels)

        def found(moves: list[Move]) -> list[tuple[str, int]]:
            return [(label, after) for test, after in moves for label in known if test.admits(label, self.covers)]

        return [
            (found(along), found(against), is_end)
            for (along, against), is_end in zip(self._moves, self.ends, strict=True)
        ]

    def _after(self, state: int, against: bool, label: str, bound: Bound) -> list[int]:
        """Returns the next states after an edge with this label."""
        known = self._cache.get((state, against, label)) if bound is None else None
        if known is not None:
            return known
        found = []
        for test, after in self._moves[state][against]:
            if test.admits(label, self.covers):
                key = test.key if bound is not None and isinstance(test, Wildcard) else None
                if key is None or bound is None or bound.get(key, label) == label:
                    found.append(after)
        if bound is None:
            self._cache[state, against, label] = found
        return found

    def reach(self, node: Node, out: Edges[Node], into: Edges[Node], bound: Bound) -> Iterator[Node]:
        """Yields the nodes to which the path leads, each once."""
        found: set[Node] = set()
        seen = {(self.start, node)}
        waiting = [(self.start, node)]
        while waiting:
            state, here = waiting.pop()
            if self.ends[state] and here not in found:
                found.add(here)
                yield here
            for against, edges in ((False, out), (True, into)):
                if not self._moves[state][against]:
                    continue
                for label, there in edges(here):
                    for after in self._after(state, against, label, bound):
                        if (after, there) not in seen:
                            seen.add((after, there))
                            waiting.append((after, there))


MAX_DEPTH = 100


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
    covers: Covers = field(default=same, compare=False, repr=False)  # types also match their subtypes

    def __str__(self) -> str:
        return f"{'!' if self.negated else ''}{_written(self.part, 0)}"

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
        match self.part:
            case Atom(label, sharp=True) if not self.negated:
                return f"type:#{label[5:]}"
        return None

    @property
    def single(self) -> str | Wildcard | None:
        """The path's only label or wildcard; None for a larger path."""
        match self.part:
            case Wildcard() if not self.negated:
                return self.part
            case Atom(label, sharp=False) if not self.negated:
                return label
        return None

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
    def forward(self) -> PathAutomaton:
        """The automaton that leads from the source to the targets."""
        return PathAutomaton(self.part, self.covers)

    @cached_property
    def backward(self) -> PathAutomaton:
        """The automaton that leads from the target to the sources."""
        return PathAutomaton(Inverse(self.part), self.covers)

    def targets(self, node: Node, out: Edges[Node], into: Edges[Node], bound: Bound = None) -> set[Node]:
        """Returns the nodes to which such paths lead from a node; `bound` has the labels of variables."""
        return set(self._ends(self.forward, node, out, into, bound))

    def sources(self, node: Node, out: Edges[Node], into: Edges[Node], bound: Bound = None) -> set[Node]:
        """Returns the nodes from which such paths lead to a node."""
        return set(self._ends(self.backward, node, out, into, bound))

    def connects(self, one: Node, other: Node, out: Edges[Node], into: Edges[Node], bound: Bound = None) -> bool:
        """Whether such a path leads from one node to another; for a negated path, whether none does."""
        ends = self.forward.reach(one, out, into, bound if self.variables else None)
        return any(each == other for each in ends) != self.negated

    def _ends(
        self, automaton: PathAutomaton, node: Node, out: Edges[Node], into: Edges[Node], bound: Bound
    ) -> Iterator[Node]:
        if self.negated:
            raise GrammarError("A negated path has no targets.", label=str(self)[:80])
        return automaton.reach(node, out, into, bound if self.variables else None)


def _alternatives(part: Part, backwards: bool) -> tuple[tuple[Atom | Wildcard, bool], ...] | None:
    match part:
        case Atom():
            return None if part.sharp or is_type(part.label) else ((part, backwards),)
        case Wildcard():
            return None if part.variable is not None or part.kind == "type" else ((part, backwards),)
        case Inverse():
            return _alternatives(part.part, not backwards)
        case Alternative():
            found = [_alternatives(each, backwards) for each in part.parts]
            if any(each is None for each in found):
                return None
            return tuple(each for several in found for each in several or ())
    return None


def _leaves(part: Part) -> Iterator[Atom | Wildcard]:
    match part:
        case Atom() | Wildcard():
            yield part
        case Sequence() | Alternative():
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
        case Alternative():
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
    |(?P<unexpected>.))""",
    re.VERBOSE | re.DOTALL,
)


def parse(text: str, where: str = "") -> Path:
    """Parses a path expression.

    >>> str(parse(" ( a . b )* | -c "))
    '(a.b)*|-c'
    """
    return _Parser(text, where).whole()


class _Parser(Parser):
    """Recursive-descent parser of path expressions."""

    pattern, noun = _TOKEN, "a path"

    def invalid(self, begin: int) -> str:
        return super().invalid(begin) + " Put labels with special characters in single quotes."

    def whole(self) -> Path:
        negated = self.skip("!")
        part = self.choice()
        if self.token.kind != "end":
            self.unexpected("an operator or the end")
        return Path(part, negated)

    def choice(self) -> Part:
        parts = self.several(self.sequence, "|")
        return parts[0] if len(parts) == 1 else Alternative(parts)

    def sequence(self) -> Part:
        parts = self.several(self.directed, ".")
        return parts[0] if len(parts) == 1 else Sequence(parts)

    def directed(self) -> Part:
        self.nest()
        part = Inverse(self.directed()) if self.skip("-") else self.repeated()
        self.depth -= 1
        return part

    def repeated(self) -> Part:
        part, depth = self.single(), self.depth
        while self.sees("*", "+"):
            self.nest()
            part = Repeat(part, self.take().text)
        self.depth = depth
        return part

    def nest(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(phrase("A path is nested more than {depth} deep.", depth=MAX_DEPTH))

    def single(self) -> Part:
        if self.token.kind not in ("wildcard", "atom", "quoted", "sharp") and not self.sees("=", "(", "!"):
            self.unexpected("a label")
        kind, text, *_ = self.take()
        if kind == "wildcard":
            return parse_wildcard(text, self.where)
        if kind == "atom":
            return Atom(text)
        if kind == "quoted":
            return Atom(unquoted(text, "'") or self.fail("A label must not be empty."))
        if kind == "sharp":
            return Atom(TYPE_PREFIX + text[6:], sharp=True)
        if text == "=":
            return Empty()
        if text == "!":
            self.fail("! is only allowed in front of a whole path.")
        part = self.choice()
        if not self.skip(")"):
            self.fail("A bracket is not closed.")
        return part
