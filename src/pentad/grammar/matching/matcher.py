"""Matcher: all matches of a rule in a host, including its quantifiers, one per event.

Two matches that delete and create the same elements, with the same parameters, are one event. So a level that does not
affect the event is only tested for existence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple, TypeVar

from pentad.grammar.host import Host
from pentad.grammar.language.values import DEFAULT, Family
from pentad.grammar.matching.candidate_filters import Dangling, shares_nothing
from pentad.grammar.matching.search_plans import Admits, Found, Planner, Then, only
from pentad.grammar.rules.rule import FORALL, QuantifierLevel, Rule

CHECK_INTERVAL = 64  # matches between two checks of time and memory
Item = TypeVar("Item")


class LevelMatch(NamedTuple):
    """A match of one level: the images of its variables, and the part of the match that encloses it."""

    level: int
    found: tuple[object, ...]
    within: int = -1


class Match(NamedTuple):
    """A match of a rule: its parts, the outermost first, and its event."""

    rule: Rule
    parts: tuple[LevelMatch, ...]
    event: Hashable

    @property
    def found(self) -> tuple[object, ...]:
        return self.parts[0].found

    def arguments(self) -> tuple[int, ...]:
        """The images of the parameters."""
        return tuple(self.found[parameter.variable] for parameter in self.rule.parameters)  # type: ignore[misc]


class NestedMatch(NamedTuple):
    """A part with its inner parts."""

    level: int
    found: tuple[object, ...]
    inner: tuple[NestedMatch, ...]


class Finder:
    """Finds the matches of one rule; with `dangles` a deleted node may have more edges, which are deleted too."""

    def __init__(
        self, rule: Rule, start: Host, admits: Admits = only, algebra: Family = DEFAULT, dangles: bool = True
    ) -> None:
        self.rule = rule
        self.check_limits: Callable[[], None] | None = None  # called periodically; stops the search by an exception
        planner = self._planner = Planner(rule, start, admits, algebra, self._inner_matches, self._check_limits)
        self._plans: dict[tuple[int, frozenset[int]], Then] = {}
        self._found = [self._found_in(number) for number in range(len(rule.levels))]
        self.known: list[frozenset[int]] = []  # the variables bound above each level
        for level in rule.levels:
            above = self.known[level.parent] | self._found[level.parent] if level.parent >= 0 else frozenset()
            self.known.append(above)
        self.matters = self._upwards(lambda level: bool(level.anchors) or level.has_effect)
        self.distinguishes = list(map(self._is_distinguishing, rule.levels))
        self.acts = self._upwards(lambda level: level.has_effect)
        self.fails = self._upwards(lambda level: level.kind == FORALL and not level.may_be_empty)
        self._relevant = [self._relevant_of(number) for number in range(len(rule.levels))]
        self._collected: list[tuple[object, ...]] = []
        careful = bool(rule.root.erased_nodes) and (not dangles or rule.parallel == "DPO")
        self.dangling = Dangling(rule, planner.labels_of) if careful else None
        self._is_alone = len(rule.levels) == 1

    def _is_distinguishing(self, level: QuantifierLevel) -> bool:
        """Whether a level's images distinguish matches; the effects of inner levels are covered by those."""
        within = {anchor for child in level.children for anchor in self.rule.levels[child].anchors}
        return level.has_effect or not within.issuperset(level.anchors)

    def _upwards(self, holds: Callable[[QuantifierLevel], bool]) -> list[bool]:
        """For each level, whether a condition holds for it or for an inner level."""
        found = [holds(level) for level in self.rule.levels]
        for number in reversed(range(1, len(found))):
            found[self.rule.levels[number].parent] |= found[number]
        return found

    def _found_in(self, number: int) -> frozenset[int]:
        """The variables that a level binds."""
        pattern = self.rule.levels[number].pattern
        found = set(pattern.nodes) | {each.variable for each in pattern.computed}
        found |= {each.variable for each in pattern.counted} | {each.variable for each in pattern.aggregates}
        for edge in pattern.edges:
            found |= {edge.source, edge.target} | self._planner.label_variables(edge)
            if edge.copy is not None:
                found.add(edge.copy)
        return frozenset(found)

    def _relevant_of(self, number: int) -> tuple[int, ...]:
        """The variables of a level that its effects, or levels within, need."""
        level = self.rule.levels[number]
        apart = {v for v in self._found[number] if self._planner.is_node(v) or self.rule.names[v].startswith("#")}
        needed = set() if self._planner.apart is None else apart
        needed = needed.union(level.anchors, *(self._planner.under(child) for child in level.children))
        needed |= {anchor for child in level.children for anchor in self._anchors_under(child)}
        return tuple(sorted(needed))

    def _anchors_under(self, number: int) -> set[int]:
        level = self.rule.levels[number]
        return set(level.anchors).union(*(self._anchors_under(child) for child in level.children))

    # ── the matches of a level ───────────────────────────────────────────────────────────────────

    def _check_limits(self) -> None:
        if self.check_limits is not None:
            self.check_limits()

    def _take(self, host: Host, found: Found) -> bool:
        self._collected.append(tuple(found))
        if self.check_limits is not None and len(self._collected) % CHECK_INTERVAL == 0:
            self.check_limits()
        return False

    def _checked(self, items: Iterable[Item]) -> Iterator[Item]:
        """Iterates over combinations, checking the limits: they may be too many."""
        for number, item in enumerate(items, start=1):
            if self.check_limits is not None and number % CHECK_INTERVAL == 0:
                self.check_limits()
            yield item

    def _all(self, host: Host, number: int, start: Sequence[object], known: frozenset[int]) -> list[tuple[object, ...]]:
        before, self._collected = self._collected, []
        plan = self._plans.get((number, known))
        if plan is None:
            level = self.rule.levels[number]
            plan = self._planner.plan(level.pattern, known, self._take, level.kind == FORALL)
            self._plans[number, known] = plan
        plan(host, list(start))
        mine, self._collected = self._collected, before
        if number == 0 and self.dangling is not None:
            mine = [each for each in mine if self.dangling.leaves_none(host, each)]
        return mine

    def _inner_matches(self, host: Host, number: int, found: Found) -> list[tuple[object, ...]]:
        """The matches of a universal level during the search for the enclosing level's."""
        known = frozenset(v for v in self.known[number] if found[v] is not None)
        mine = self._all(host, number, found, known)
        return [each for each in mine if self._inner(host, number, each) is not None] if self.fails[number] else mine

    def _distinct(self, number: int, found: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """Removes matches that differ only in irrelevant variables; keeps all if each has an effect."""
        if self.rule.levels[number].kind == FORALL and self.acts[number]:
            return found
        kept = self._relevant[number]
        return list({tuple([each[v] for v in kept]): each for each in found}.values())

    # ── the matches of the rule ──────────────────────────────────────────────────────────────────

    def matches(self, host: Host, given: Mapping[int, int] | None = None) -> list[Match]:
        """The matches, one per event; only those that agree with given parameters."""
        given = given or {}
        start: list[object] = [None] * len(self.rule.names)
        for variable, node in given.items():
            start[variable] = node
        apart = self._planner.apart
        if apart and any(given[one] == given[two] and apart(one, two) for one, two in combinations(given, 2)):
            return []
        anchors = self.rule.root.anchors
        events: dict[Hashable, Match] = {}
        found = self._all(host, 0, start, frozenset(given))
        if self._is_alone:
            for each in self._checked(found):
                event = tuple([each[v] for v in anchors])
                if event not in events:
                    events[event] = Match(self.rule, (LevelMatch(0, each),), event)
                    if not self.matters[0]:
                        break
            return list(events.values())
        for each in self._distinct(0, found):
            for match in self._completed(host, each):
                events.setdefault(match.event, match)
            if events and not self.matters[0]:
                break
        return list(events.values())

    def _completed(self, host: Host, found: tuple[object, ...]) -> Iterator[Match]:
        levels = self.rule.levels
        for inner in self._inner(host, 0, found) or ():
            parts: list[LevelMatch] = []
            self._flatten(NestedMatch(0, found, inner), -1, parts)
            if self.rule.parallel == "DPO" and not shares_nothing([(levels[part.level], part.found) for part in parts]):
                continue
            done = Counter(
                [
                    (part.level, tuple([part.found[v] for v in levels[part.level].anchors]))
                    for part in parts[1:]
                    if self.distinguishes[part.level]
                ]
            )
            event = (tuple(found[v] for v in self.rule.root.anchors), frozenset(done.items()))
            yield Match(self.rule, tuple(parts), event)

    def _flatten(self, inner: NestedMatch, within: int, parts: list[LevelMatch]) -> None:
        parts.append(LevelMatch(inner.level, inner.found, within))
        mine = len(parts) - 1
        for each in inner.inner:
            self._flatten(each, mine, parts)

    def _inner(self, host: Host, number: int, found: tuple[object, ...]) -> list[tuple[NestedMatch, ...]] | None:
        """The combinations of matches of the inner levels; empty if a level has no match.

        None if the match is void, because a universal level within it needs matches and has none.
        """
        filled_levels: list[tuple[NestedMatch, ...]] = [()]
        for child in self.rule.levels[number].children:
            options = self._options(host, child, found)
            if options is None:
                return None
            if filled_levels:
                filled_levels = [one + other for one, other in self._checked(product(filled_levels, options))]
        return filled_levels

    def _options(self, host: Host, number: int, found: tuple[object, ...]) -> list[tuple[NestedMatch, ...]] | None:
        """The options for one level: all its matches at once if it is universal, else each of them."""
        level = self.rule.levels[number]
        matches = self._distinct(number, self._all(host, number, found, self.known[number]))
        if matches and level.kind == FORALL and not level.children:
            return [tuple([NestedMatch(number, each, ()) for each in matches])]
        filled = [(each, inner) for each in matches if (inner := self._inner(host, number, each)) is not None]
        if not filled:
            return [()] if level.may_be_empty else None if level.kind == FORALL else []
        if level.kind == FORALL:
            choices = [[NestedMatch(number, each, combination) for combination in inner] for each, inner in filled]
            if not self.matters[number]:
                choices = [options[:1] for options in choices]
            return [tuple(chosen) for chosen in self._checked(product(*choices))]
        options: list[tuple[NestedMatch, ...]] = [
            (NestedMatch(number, each, combination),) for each, inner in filled for combination in inner
        ]
        return options if self.matters[number] else options[:1]
