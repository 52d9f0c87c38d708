"""Search plans for matching rules in a host: chains of small functions, each of which calls the next.

A plan orders a rule's elements so that each is looked up from bound variables: an edge from a matched node, a check as
soon as both its ends are bound, an embargo as soon as all its outer variables are. Each step matches one element and
writes its image into a list of variables; a step without further candidates clears its own. The last function of a plan
copies the list or stops the search.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pentad.grammar.graph import GrammarError
from pentad.grammar.host import NOTHING, Host, bits
from pentad.grammar.language.expressions import evaluate
from pentad.grammar.language.paths import Atom, Path, Wildcard
from pentad.grammar.language.values import AttributeValue, Family, NoValue
from pentad.grammar.matching.candidate_filters import FEW, Sieve, apart_in, filtered_ends, filtered_pairs, sieve_of
from pentad.grammar.rules.rule import Aggregate, Computed, Counted, Pattern, PatternEdge, Rule, Tested
from pentad.system.words import phrase

CHECK_INTERVAL = 4096  # calls between two checks of the limits
Found = list[Any]  # the image of each variable; None if unknown
Then = Callable[[Host, Found], bool]  # continues with a partial match; True stops the search
Covers = Callable[[str, str], bool]  # whether a label of a rule stands for a label of a host


def edge_is_there(source: int, label: str, target: int, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        number = host.world.number.get((found[source], label, found[target]))
        return number is not None and host.edges >> number & 1 == 1 and then(host, found)

    return step


def an_edge_is_there(source: int, labels: tuple[str, ...], target: int, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        return any(host.has(found[source], each, found[target]) for each in labels) and then(host, found)

    return step


def edge_at(known: int, label: str, other: int, is_out: bool, then: Then, sieve: Sieve | None = None) -> Then:
    """An edge from a bound node, or to one."""

    def step(host: Host, found: Found) -> bool:
        index = host.by_label(label)
        ends: Sequence[int] = (index.out if is_out else index.into).get(found[known], NOTHING)
        if sieve is not None and len(ends) > FEW:
            ends = filtered_ends(host, label, found[known], ends, is_out, sieve)
        for each in ends:
            found[other] = each
            if then(host, found):
                return True
        found[other] = None
        return False

    return step


def any_edge(
    source: int, label: str, target: int, then: Then, first: Sieve | None = None, second: Sieve | None = None
) -> Then:
    def step(host: Host, found: Found) -> bool:
        pairs: Sequence[tuple[int, int]] = host.by_label(label).pairs
        if len(pairs) > FEW and (first or second):
            pairs = filtered_pairs(host, label, pairs, first, second)
        for found[source], found[target] in pairs:
            if then(host, found):
                return True
        found[source] = found[target] = None
        return False

    return step


def any_loop(node: int, labels: tuple[str, ...], then: Then, sieve: Sieve | None = None) -> Then:
    def step(host: Host, found: Found) -> bool:
        done: set[int] = set()
        for label in labels:
            pairs: Sequence[tuple[int, int]] = host.by_label(label).pairs
            if sieve is not None and len(pairs) > FEW:
                pairs = filtered_pairs(host, label, pairs, sieve, None)
            for one, other in pairs:
                if one == other and one not in done:
                    done.add(one)
                    found[node] = one
                    if then(host, found):
                        return True
        found[node] = None
        return False

    return step


def any_node(node: int, then: Then, sieve: Sieve | None = None) -> Then:
    def step(host: Host, found: Found) -> bool:
        for each in host.all_nodes() if sieve is None else bits(sieve(host) & host.nodes):
            found[node] = each
            if then(host, found):
                return True
        found[node] = None
        return False

    return step


def by_candidates(
    source: int, target: int, pairs: Callable[[Host, Found], Iterable[tuple[int, int]]], then: Then
) -> Then:
    """An edge with several labels: candidate pairs of ends; ends that are bound must agree."""

    def step(host: Host, found: Found) -> bool:
        one, other = found[source], found[target]
        enough = False
        for a, b in dict.fromkeys(pairs(host, found)):
            if (one is None or one == a) and (other is None or other == b) and (source != target or a == b):
                found[source], found[target] = a, b
                if then(host, found):
                    enough = True
                    break
        found[source], found[target] = one, other
        return enough

    return step


def by_copy(
    edge: PatternEdge,
    choices: tuple[tuple[Atom | Wildcard, bool], ...],
    labels: tuple[str, ...] | None,
    variable: int | None,
    covers: Covers,
    then: Then,
) -> Then:
    """An edge distinguished from parallel ones, with one of several labels, each possibly backwards."""
    source, _, target, copy = edge
    assert copy is not None

    def candidates(host: Host, one: int | None, other: int | None) -> Iterator[tuple[int, int, str, int]]:
        world, mask = host.world, host.edges
        if labels is not None:
            labelled = 0
            for label in labels:
                labelled |= world.of_label.get(label, 0)
            mask &= labelled
        for end in (one, other):
            if end is not None:
                mask &= world.edges_at(end)
        for number in bits(mask):
            start, label, end = world.edges[number]
            ends = {(end, start) if back else (start, end): 1 for what, back in choices if what.admits(label, covers)}
            for a, b in ends:
                if (one is None or one == a) and (other is None or other == b) and (source != target or a == b):
                    yield number, a, label, b

    def step(host: Host, found: Found) -> bool:
        one, other = found[source], found[target]
        known = None if variable is None else found[variable]
        enough = False
        for found[copy], found[source], label, found[target] in candidates(host, one, other):
            if variable is not None:
                if known is not None and known != label:
                    continue
                found[variable] = label
            if then(host, found):
                enough = True
                break
        found[source], found[target], found[copy] = one, other, None
        if variable is not None:
            found[variable] = known
        return enough

    return step


def by_wildcard(edge: PatternEdge, variable: int | None, covers: Covers, each_label: bool, then: Then) -> Then:
    """An edge with a wildcard label; with a variable or `each_label` every label is a match of its own."""
    source, wildcard, target = edge.source, edge.label, edge.target
    label_matters = each_label or variable is not None
    assert isinstance(wildcard, Wildcard)

    def triples(host: Host, one: int | None, other: int | None, known: str | None) -> Iterable[tuple[int, str, int]]:
        if known is not None:
            if one is not None:
                return ((one, known, to) for to in host.by_label(known).out.get(one, NOTHING))
            return ((start, known, to) for start, to in host.by_label(known).pairs)
        if one is not None:
            return ((one, label, to) for label, to in host.out(one))
        if other is not None:
            return ((start, label, other) for label, start in host.into(other))
        return host.triples()

    def step(host: Host, found: Found) -> bool:
        one, other = found[source], found[target]
        known = None if variable is None else found[variable]
        enough = False
        done: set[tuple[int, str, int]] = set()
        for a, label, b in triples(host, one, other, known):
            if (one is not None and one != a) or (other is not None and other != b) or (source == target and a != b):
                continue
            key = (a, label if label_matters else "", b)
            if key in done or not wildcard.admits(label, covers):
                continue
            done.add(key)
            found[source], found[target] = a, b
            if variable is not None:
                found[variable] = label
            if then(host, found):
                enough = True
                break
        found[source], found[target] = one, other
        if variable is not None:
            found[variable] = known
        return enough

    return step


def by_path(source: int, path: Path, target: int, labels: Mapping[str, int], then: Then) -> Then:
    """A path; `labels` are the variables that its wildcards share with the rest of the rule."""

    def step(host: Host, found: Found) -> bool:
        one, other = found[source], found[target]
        bound = {key: found[variable] for key, variable in labels.items() if found[variable] is not None}
        if one is not None and other is not None:
            return path.connects(one, other, host.out, host.into, bound) and then(host, found)
        enough = False
        for a, b in list(pairs(host, one, other, bound)):
            found[source], found[target] = a, b
            if then(host, found):
                enough = True
                break
        found[source], found[target] = one, other
        return enough

    def pairs(host: Host, one: Any, other: Any, bound: Mapping[str, str] | None) -> Iterable[tuple[int, int]]:
        if other is not None:
            return ((start, other) for start in sorted(path.sources(other, host.out, host.into, bound)))
        starts = [one] if one is not None else host.all_nodes()
        return (
            (start, end)
            for start in starts
            for end in sorted(path.targets(start, host.out, host.into, bound))
            if source != target or start == end
        )

    return step


def compare(one: int, other: int, equal: bool, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        return (found[one] == found[other]) is equal and then(host, found)

    return step


def is_new(node: int, others: tuple[int, ...], then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        mine = found[node]
        return all(found[other] != mine for other in others) and then(host, found)

    return step


def is_value(node: int, sort: str, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        value = host.world.values.get(found[node])
        return value is not None and (value.type == sort or not sort) and then(host, found)

    return step


def is_no_value(node: int, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        return found[node] not in host.world.values and then(host, found)

    return step


def value_of(what: Computed | Tested, host: Host, found: Found) -> AttributeValue | None:
    """An expression's value; None if it has none, because its operands are of other types."""
    known = dict(what.operands)
    try:
        return evaluate(what.expression, lambda name: host.world.values[found[known[name]]])
    except NoValue:
        return None


def test(what: Tested, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        value = value_of(what, host, found)
        return value == what.true and then(host, found)

    return step


def bind_value(node: int, value_of: Callable[[Host, Found], AttributeValue | None], then: Then) -> Then:
    """Binds a variable to a computed value, or compares them if it is bound."""

    def step(host: Host, found: Found) -> bool:
        value = value_of(host, found)
        if value is None:
            return False
        before, number = found[node], host.world.value(value)
        if before is not None:
            return before == number and then(host, found)
        found[node] = number
        enough = then(host, found)
        found[node] = None
        return enough

    return step


def with_limit_checks(check_limits: Callable[[], None], then: Then) -> Then:
    """Checks the limits of time and memory periodically, in a search that may find nothing for long."""
    calls = 0

    def step(host: Host, found: Found) -> bool:
        nonlocal calls
        calls += 1
        if calls % CHECK_INTERVAL == 0:
            check_limits()
        return then(host, found)

    return step


def not_found(embargo: Then, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        return not embargo(host, found) and then(host, found)

    return step


def embargo_matched(*_: object) -> bool:
    """The end of an embargo's plan: it has a match."""
    return True


Admits = Callable[[str], tuple[str, ...]]  # the host labels that a label of a rule matches
Inner = Callable[[Host, int, Found], list[tuple[object, ...]]]  # the matches of an inner level

MANY = 1e9  # the cost of an element that must wait for more bindings
MAX_PLAN_STEPS = 50_000  # the plans of a rule share them
LONG = 3  # elements with several candidates each that may make a search long


def only(label: str) -> tuple[str, ...]:
    """Without subtypes, a label matches itself, and `type:#A` matches A."""
    return (f"type:{label[6:]}" if label.startswith("type:#") else label,)


class Planner:
    """Makes the plans of a rule; the start graph gives the frequencies of labels.

    `inner` finds the matches of an inner level, given a partial match.
    """

    def __init__(
        self,
        rule: Rule,
        start: Host,
        admits: Admits,
        algebra: Family,
        inner: Inner | None = None,
        check_limits: Callable[[], None] | None = None,
    ) -> None:
        self.rule, self.start, self.admits, self.inner, self.algebra = rule, start, admits, inner, algebra
        self.check_limits = check_limits  # called periodically in long searches; stops them by an exception
        self.apart = apart_in(rule, self.is_node)
        self.labels = {name: i for i, name in enumerate(rule.names) if name.startswith("?")}
        edges = [edge for level in rule.levels for edge in level.pattern.edges]
        self.shared_labels = {variable for edge in edges for variable in self.label_variables(edge)}
        self._drawn = {v for level in rule.levels for v in _drawn(level.pattern)}
        self._step_count = 0
        self._each_label = False
        # Each pattern sets another one.
        self._sieve: Callable[[int, int], Sieve | None] = lambda variable, least: None

    def label_variables(self, edge: PatternEdge) -> set[int]:
        """The variables of an edge's wildcard, or of those in its path."""
        if isinstance(edge.label, Wildcard):
            keys = {edge.label.key} - {None}
        else:
            keys = set(edge.label.variables) if isinstance(edge.label, Path) else set()
        return {self.labels[f"?{key}"] for key in keys if f"?{key}" in self.labels}

    def labels_of(self, edge: PatternEdge, found: Sequence[object]) -> Iterable[str]:
        """The host labels that an edge may have matched."""
        if isinstance(edge.label, str):
            return self.admits(edge.label)
        assert isinstance(edge.label, Wildcard)
        if edge.label.variable is not None:
            return (str(found[self.labels[f"?{edge.label.key}"]]),)
        wildcard = edge.label
        return [label for label in self.start.world.of_label if wildcard.admits(label, self.covers)]

    def plan(self, pattern: Pattern, known: Iterable[int], then: Then, each_label: bool = False) -> Then:
        """Returns a function that matches a pattern, given that some variables are bound.

        With `each_label` an edge with a wildcard is matched once for each label.
        """
        order: list[Callable[[Then], Then]] = []
        bound = set(known)
        elements = self._elements(pattern)
        waiting: dict[int, list[int]] = {}  # the elements that become cheaper with a variable
        for i, each in enumerate(elements):
            for variable in self._touched(each):
                waiting.setdefault(variable, []).append(i)
        named = bound.union(pattern.nodes, *((edge.source, edge.target) for edge in pattern.edges))

        def free(variable: int) -> bool:
            """Whether a variable of an embargo may stand for any node."""
            return not self.rule.injective and self.is_node(variable) and variable not in named

        before_this, self._each_label = (self._sieve, self._each_label), each_label
        self._sieve = lambda variable, least: sieve_of(variable, pattern, self.admits, free, least)
        done = [False] * len(elements)
        costs = [(self._cost(each, bound), i) for i, each in enumerate(elements)]
        heapq.heapify(costs)
        nodes = {edge.source for edge in pattern.edges if not isinstance(edge.label, Path)}  # no edge leaves a value
        searches = 0
        while costs:
            cost, at = heapq.heappop(costs)
            if done[at]:
                continue
            done[at] = True
            before = set(bound)
            order += self._steps(elements[at], bound)
            new = bound - before
            order += self._checks(nodes, new, before)
            searches += cost >= 1
            if searches >= LONG and cost >= 1 and self.check_limits is not None:
                order.append(lambda then, check=self.check_limits: with_limit_checks(check, then))  # type: ignore[misc]
            for i in {i for v in new for i in waiting.get(v, ()) if not done[i]}:
                heapq.heappush(costs, (self._cost(elements[i], bound), i))
        self._sieve, self._each_label = before_this
        self._make_room(len(order))
        for make in reversed(order):
            then = make(then)
        return then

    def _make_room(self, steps: int) -> None:
        """Raises the recursion limit to fit the steps of a rule, which call each other."""
        self._step_count += steps
        if self._step_count > MAX_PLAN_STEPS:
            raise GrammarError(
                phrase("The rule is too large: its search plans have more than {steps:,} steps.", steps=MAX_PLAN_STEPS),
                f"{self.rule.name}.gpr",
            )
        needed = self._step_count + 1000
        if needed > 2000 and sys.getrecursionlimit() < needed:
            sys.setrecursionlimit(needed)

    def _touched(self, each: Any) -> set[int]:
        """The variables on which the cost of an element depends."""
        if isinstance(each, PatternEdge):
            return {each.source, each.target} | self.label_variables(each)
        if isinstance(each, int):
            return {each}
        if isinstance(each, Computed | Tested):
            return {v for _, v in each.operands}
        if isinstance(each, Counted | Aggregate):
            return self._above(each.level)
        return self._outside(each) if isinstance(each, Pattern) else {each[1], each[2]}

    def is_node(self, variable: int) -> bool:
        return variable not in self.rule.sorts and not self.rule.names[variable].startswith(("?", "#"))

    def covers(self, wanted: str, label: str) -> bool:
        """Whether a label of a rule matches a label of a host."""
        return label in self.admits(wanted)

    def _elements(self, pattern: Pattern) -> list[Any]:
        touched = {end for edge in pattern.edges for end in (edge.source, edge.target)}
        nodes = [node for node in pattern.nodes if node not in touched or node in self.rule.constants]
        pairs = [("equal", *pair) for pair in pattern.equal] + [("unequal", *pair) for pair in pattern.unequal]
        values = (*pattern.computed, *pattern.counted, *pattern.aggregates, *pattern.tests)
        return [*pattern.edges, *nodes, *pairs, *values, *pattern.embargoes]

    def _results(self, pattern: Pattern) -> set[int]:
        """The variables that a pattern computes, except those drawn elsewhere, which are compared."""
        return {each.variable for each in pattern.computed if each.variable not in self._drawn}

    def _outside(self, embargo: Pattern) -> set[int]:
        """The variables of an embargo that are bound outside of it."""
        own = set(embargo.nodes) | self._results(embargo)
        used = {end for edge in embargo.edges for end in (edge.source, edge.target)}
        used |= {end for pair in (*embargo.equal, *embargo.unequal) for end in pair}
        used |= {v for edge in embargo.edges for v in self.label_variables(edge) if v in self.shared_labels}
        used |= {v for computed in embargo.computed for v in (computed.variable, *(v for _, v in computed.operands))}
        used |= {v for tested in embargo.tests for _, v in tested.operands}
        for inner in embargo.embargoes:
            used |= self._outside(inner)
        return {v for v in used - own if v not in self.rule.constants}

    def _cost(self, each: Any, bound: set[int]) -> float:
        """Estimated number of candidates for an element; less than one for a check."""
        if isinstance(each, PatternEdge):
            ends = (each.source in bound) + (each.target in bound)
            if isinstance(each.label, Path):
                if not self.label_variables(each) & self.shared_labels <= bound:
                    return MANY
                return (MANY / 2, 50.0, 0.9)[ends]
            if isinstance(each.label, Wildcard):
                return (MANY / 3, 6.0, 0.6)[ends]
            if ends == 2 or (ends == 1 and each.source == each.target):
                return 0.1
            count = sum(len(self.start.by_label(label).pairs) for label in self.admits(each.label)) + 1.0
            if ends == 0:
                return 10 + count
            return 1 + count / max(self.start.nodes.bit_count(), 1)
        if isinstance(each, int):
            return 0.05 if each in bound or each in self.rule.constants else MANY / 4
        if isinstance(each, Computed | Tested):
            return 0.3 if all(v in bound for _, v in each.operands) else MANY
        if isinstance(each, Counted | Aggregate):
            return 0.8 if self._above(each.level) <= bound else MANY
        if isinstance(each, Pattern):
            ready = self._outside(each) <= bound
            # under injective matching its nodes differ from all others, so those are bound first
            return (MANY * 0.9 if self.rule.injective else 0.5) if ready else MANY
        return 0.05 if each[1] in bound and each[2] in bound else MANY

    def under(self, number: int) -> set[int]:
        """The variables of a level and its inner levels that are bound above it."""
        level = self.rule.levels[number]
        inner = [self.under(child) for child in level.children]
        used = self._outside(level.pattern).union(*inner)
        return used - set(level.pattern.nodes) - self._results(level.pattern)

    def _above(self, number: int) -> set[int]:
        """The variables that must be bound before a level is matched."""
        needed = self.under(number)
        if self.apart is None:
            return needed
        above = self.rule.levels[self.rule.levels[number].parent].pattern
        return needed.union(v for v in above.nodes if self.is_node(v))

    def _steps(self, each: Any, bound: set[int]) -> list[Callable[[Then], Then]]:
        """The steps for an element; adds the variables that they bind to `bound`."""
        if isinstance(each, PatternEdge):
            return self._edge(each, bound)
        if isinstance(each, int):
            if each in bound:
                return []
            bound.add(each)
            if each in self.rule.constants:
                value = self.rule.constants[each]
                assert isinstance(value, AttributeValue)
                return [lambda then: bind_value(each, lambda host, found: value, then)]
            if self.algebra.symbolic and each in self.rule.sorts:  # one value stands for all values of the type
                point = self.algebra.point(self.rule.sorts[each])
                return [lambda then: bind_value(each, lambda host, found: point, then)]
            sieve = self._sieve(each, 1)
            return [lambda then: any_node(each, then, sieve)]
        if isinstance(each, Computed):
            bound.add(each.variable)
            return [lambda then: bind_value(each.variable, lambda host, found: value_of(each, host, found), then)]
        if isinstance(each, Tested):
            return [lambda then: test(each, then)]
        if isinstance(each, Counted | Aggregate):
            bound.add(each.variable)
            return [lambda then: bind_value(each.variable, self._over(each), then)]
        if isinstance(each, Pattern):
            embargo = self.plan(each, bound, embargo_matched)
            return [lambda then: not_found(embargo, then)]
        kind, one, other = each
        return [lambda then: compare(one, other, kind == "equal", then)]

    def _over(self, aggregate: Counted | Aggregate) -> Callable[[Host, Found], AttributeValue | None]:
        """An aggregate over all matches of a level: their number, or an operator applied to a value of each."""
        inner = self.inner
        assert inner is not None

        def value(host: Host, found: Found) -> AttributeValue | None:
            matches = inner(host, aggregate.level, found)
            if isinstance(aggregate, Counted):
                return self.algebra.read("int", str(len(matches)))
            values = [host.world.values[each[aggregate.operand]] for each in matches]  # type: ignore[index]
            return aggregate.operator.apply(values)

        return value

    def _edge(self, edge: PatternEdge, bound: set[int]) -> list[Callable[[Then], Then]]:
        source, label, target = edge.source, edge.label, edge.target
        first = [
            step
            for end in dict.fromkeys((source, target))
            if end in self.rule.constants and end not in bound
            for step in self._steps(end, bound)
        ]
        has_source, has_target = source in bound, target in bound
        bound |= {source, target}
        if edge.copy is not None:
            bound.add(edge.copy)
            return [*first, self._copy(edge, bound)]
        if isinstance(label, Path):
            shared = {key: self.labels[f"?{key}"] for key in label.variables if f"?{key}" in self.labels}
            path = label if self.admits is only else replace(label, covers=self.covers)
            return [*first, lambda then: by_path(source, path, target, shared, then)]
        if isinstance(label, Wildcard):
            variable = None if label.variable is None else self.labels[f"?{label.key}"]
            if variable is not None:
                bound.add(variable)
            each_label = self._each_label
            return [*first, lambda then: by_wildcard(edge, variable, self.covers, each_label, then)]
        return [*first, self._plain(source, self.admits(label), target, has_source, has_target)]

    def _copy(self, edge: PatternEdge, bound: set[int]) -> Callable[[Then], Then]:
        """An edge that is distinguished from parallel ones."""
        label, labels, variable = edge.label, None, None
        if isinstance(label, Path):
            assert label.alternatives is not None
            choices = label.alternatives
        elif isinstance(label, Wildcard):
            choices = ((label, False),)
            if label.variable is not None:
                variable = self.labels[f"?{label.key}"]
                bound.add(variable)
        else:
            labels = self.admits(label)
            choices = tuple((Atom(each), False) for each in labels)
        return lambda then: by_copy(edge, choices, labels, variable, self.covers, then)

    def _plain(
        self, source: int, labels: tuple[str, ...], target: int, has_source: bool, has_target: bool
    ) -> Callable[[Then], Then]:
        if len(labels) == 1 and not self.rule.parallel:
            label = labels[0]
            if has_source and has_target:
                return lambda then: edge_is_there(source, label, target, then)
            if source != target:
                if has_source:
                    sieve = self._sieve(target, 2)
                    return lambda then: edge_at(source, label, target, True, then, sieve)
                sieve = self._sieve(source, 2)
                if has_target:
                    return lambda then: edge_at(target, label, source, False, then, sieve)
                other = self._sieve(target, 2)
                return lambda then: any_edge(source, label, target, then, sieve, other)
        if has_source and has_target:
            return lambda then: an_edge_is_there(source, labels, target, then)
        if source == target:
            sieve = self._sieve(source, 2)
            return lambda then: any_loop(source, labels, then, sieve)
        return lambda then: by_candidates(
            source, target, lambda host, found: (pair for label in labels for pair in host.by_label(label).pairs), then
        )

    def _checks(self, nodes: set[int], new: set[int], before: set[int]) -> list[Callable[[Then], Then]]:
        """Checks of newly bound variables: a value of the right sort, no value, different from others."""
        made: list[Callable[[Then], Then]] = []
        earlier = sorted(before) if self.apart is not None else []
        for variable in sorted(new):
            if self.rule.names[variable].startswith("?"):
                continue
            if variable in self.rule.sorts:
                if variable not in self.rule.constants:
                    made.append(lambda then, v=variable: is_value(v, self.rule.sorts[v], then))  # type: ignore[misc]
                continue
            if variable not in nodes and self.is_node(variable):
                made.append(lambda then, v=variable: is_no_value(v, then))  # type: ignore[misc]
            if self.apart is not None:
                others = tuple(other for other in earlier if self.apart(variable, other))
                if others:
                    made.append(lambda then, v=variable, others=others: is_new(v, others, then))  # type: ignore[misc]
                earlier.append(variable)
        return made


def _drawn(pattern: Pattern) -> set[int]:
    """The nodes of a pattern and of its embargoes."""
    return set(pattern.nodes).union(*map(_drawn, pattern.embargoes))


def admitting(subtypes: Mapping[str, tuple[str, ...]]) -> Admits:
    """Labels with their subtypes; `type:#A` stands for A alone."""

    def admits(label: str) -> tuple[str, ...]:
        if label.startswith("type:#"):
            return (f"type:{label[6:]}",)
        return subtypes.get(label, (label,))

    return admits
