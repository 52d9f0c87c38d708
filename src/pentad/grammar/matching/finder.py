"""All matches of a rule in a host, through its quantifiers, one for each event.

Two matches that take and make the same, with the same parameters, are one event. So a level whose choice makes no
difference to that is only asked whether there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

from pentad.grammar.matching.host import Host
from pentad.grammar.matching.plans import Admits, Planner, only
from pentad.grammar.matching.steps import Found, Then
from pentad.grammar.rules.rule import FORALL, Rule

OFTEN = 64  # matches between two looks at what is left of time and memory
Way = TypeVar("Way")


class Part(NamedTuple):
    """A match of one level: what its variables stand for, and which part of the match it lies in."""

    level: int
    found: tuple[object, ...]
    within: int = -1


class Match(NamedTuple):
    """A match of a rule: its parts, the outermost first, and the event that it is."""

    rule: Rule
    parts: tuple[Part, ...]
    event: Hashable

    @property
    def found(self) -> tuple[object, ...]:
        return self.parts[0].found

    def arguments(self) -> tuple[int, ...]:
        """What the parameters stand for."""
        return tuple(self.found[parameter.variable] for parameter in self.rule.parameters)  # type: ignore[misc]


class Inner(NamedTuple):
    """A part with those within it."""

    level: int
    found: tuple[object, ...]
    inner: tuple[Inner, ...]


class Finder:
    """Finds the matches of one rule."""

    def __init__(self, rule: Rule, start: Host, admits: Admits = only) -> None:
        self.rule = rule
        self.look: Callable[[], None] | None = None  # called now and then; ends the search by an exception
        planner = Planner(rule, start, admits, self._count)
        self._plans: dict[tuple[int, frozenset[int]], Then] = {}
        self._planner = planner
        self._known: list[frozenset[int]] = []
        self._matters = [False] * len(rule.levels)  # whether it matters which match a level has
        for number in reversed(range(len(rule.levels))):
            level = rule.levels[number]
            inner = any(self._matters[child] for child in level.children)
            self._matters[number] = bool(level.anchors) or bool(level.created_nodes) or inner
        for level in rule.levels:
            known = self._known[level.parent] | self._found_in(level.parent) if level.parent >= 0 else frozenset()
            self._known.append(frozenset(known))
        self._kept = [self._hangs_on(number) for number in range(len(rule.levels))]
        self._collected: list[tuple[object, ...]] = []

    def _found_in(self, number: int) -> frozenset[int]:
        """The variables that a level finds."""
        level = self.rule.levels[number]
        pattern = level.pattern
        found = set(pattern.nodes) | {each.variable for each in pattern.computed}
        for edge in pattern.edges:
            found |= {edge.source, edge.target}
            found |= self._planner.label_variables(edge)
        return frozenset(found)

    def _hangs_on(self, number: int) -> tuple[int, ...]:
        """The variables of a level that its effects, or levels within, need."""
        level = self.rule.levels[number]
        apart = {node for node in level.pattern.nodes if self._planner.is_node(node)} if self.rule.injective else set()
        needed = apart.union(level.anchors, *(self._planner.under(child) for child in level.children))
        needed |= {anchor for child in level.children for anchor in self._kept_under(child)}
        return tuple(sorted(needed))

    def _kept_under(self, number: int) -> set[int]:
        level = self.rule.levels[number]
        return set(level.anchors).union(*(self._kept_under(child) for child in level.children))

    def _plan(self, number: int, known: frozenset[int]) -> Then:
        key = (number, known)
        if key not in self._plans:
            level = self.rule.levels[number]
            injective = sorted(v for v in known if self._planner.is_node(v)) if self.rule.injective else None
            self._plans[key] = self._planner.plan(level.pattern, known, self._take, injective)
        return self._plans[key]

    def _take(self, host: Host, found: Found) -> bool:
        self._collected.append(tuple(found))
        if self.look is not None and len(self._collected) % OFTEN == 0:
            self.look()
        return False

    def _watched(self, ways: Iterable[Way]) -> Iterator[Way]:
        """Ways that may be more than there is room for."""
        for number, way in enumerate(ways, start=1):
            if self.look is not None and number % OFTEN == 0:
                self.look()
            yield way

    def _all(self, host: Host, number: int, start: Sequence[object], known: frozenset[int]) -> list[tuple[object, ...]]:
        before, self._collected = self._collected, []
        self._plan(number, known)(host, list(start))
        mine, self._collected = self._collected, before
        return mine

    def _distinct(self, number: int, found: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """Of matches that differ only in what nothing hangs on, one."""
        kept = self._kept[number]
        return list({tuple([each[v] for v in kept]): each for each in found}.values())

    def matches(self, host: Host, given: Mapping[int, int] | None = None) -> list[Match]:
        """The matches, one for each event; where parameters are given, only those that agree."""
        start: list[object] = [None] * len(self.rule.names)
        for variable, node in (given or {}).items():
            start[variable] = node
        root = self.rule.root
        if self.rule.injective and given and not self._are_apart(given):
            return []
        events: dict[Hashable, Match] = {}
        if len(self.rule.levels) == 1:
            anchors = root.anchors
            for found in self._all(host, 0, start, frozenset(given or ())):
                event = tuple([found[v] for v in anchors])
                if event not in events:
                    events[event] = Match(self.rule, (Part(0, found),), event)
                    if not self._matters[0]:
                        break
            return list(events.values())
        for found in self._distinct(0, self._all(host, 0, start, frozenset(given or ()))):
            for match in self._completed(host, found):
                events.setdefault(match.event, match)
            if events and not self._matters[0]:
                break
        return list(events.values())

    def _are_apart(self, given: Mapping[int, int]) -> bool:
        nodes = [node for variable, node in given.items() if self._planner.is_node(variable)]
        return len(set(nodes)) == len(nodes)

    def _completed(self, host: Host, found: tuple[object, ...]) -> Iterator[Match]:
        for inner in self._inner(host, 0, found):
            parts: list[Part] = []
            self._flatten(Inner(0, found, inner), -1, parts)
            done = frozenset(
                (part.level, tuple(part.found[v] for v in self.rule.levels[part.level].anchors))
                for part in parts[1:]
                if self.rule.levels[part.level].anchors or self.rule.levels[part.level].created_nodes
            )
            yield Match(self.rule, tuple(parts), (tuple(found[v] for v in self.rule.root.anchors), done))

    def _flatten(self, inner: Inner, within: int, parts: list[Part]) -> None:
        parts.append(Part(inner.level, inner.found, within))
        mine = len(parts) - 1
        for each in inner.inner:
            self._flatten(each, mine, parts)

    def _inner(self, host: Host, number: int, found: tuple[object, ...]) -> list[tuple[Inner, ...]]:
        """The ways to fill the levels within one; none where one of them fails."""
        ways: list[tuple[Inner, ...]] = [()]
        for child in self.rule.levels[number].children:
            options = self._options(host, child, found)
            if not options:
                return []
            ways = [one + other for one, other in self._watched(product(ways, options))]
        return ways

    def _options(self, host: Host, number: int, found: tuple[object, ...]) -> list[tuple[Inner, ...]]:
        """The ways to fill one level: for a universal one all its matches at once, for the other kind each of them."""
        level = self.rule.levels[number]
        matches = self._distinct(number, self._all(host, number, found, self._known[number]))
        if level.kind == FORALL:
            if not matches:
                return [()] if level.may_be_empty else []
            choices = []
            for each in matches:
                options = [Inner(number, each, inner) for inner in self._inner(host, number, each)]
                if not options:
                    return []
                choices.append(options if self._matters[number] else options[:1])
            return [tuple(chosen) for chosen in self._watched(product(*choices))]
        filled: list[tuple[Inner, ...]] = [
            (Inner(number, each, inner),) for each in matches for inner in self._inner(host, number, each)
        ]
        if not filled:
            return [()] if level.may_be_empty and not matches else []
        return filled if self._matters[number] else filled[:1]

    def _count(self, host: Host, number: int, found: Sequence[object]) -> int:
        """How many matches a universal level has."""
        return len(self._all(host, number, found, self._known[number]))
