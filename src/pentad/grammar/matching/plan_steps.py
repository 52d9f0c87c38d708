"""Steps of search plans, in continuation-passing style: each matches one element of a rule and calls the next.

Images are written into a list of variables; a step without further candidates clears its own. A plan ends with a
function that copies the list, or that stops the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pentad.grammar.language.expressions import evaluate
from pentad.grammar.language.path_parser import Path, Wildcard
from pentad.grammar.language.path_tree import Atom
from pentad.grammar.language.values import NoValue, Value
from pentad.grammar.matching.candidate_filters import FEW, Sieve, filtered_ends, filtered_pairs
from pentad.grammar.matching.host import NOTHING, Host, bits
from pentad.grammar.rules.rule import Computed, PatternEdge, Tested

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


def edge_out(source: int, label: str, target: int, then: Then, sieve: Sieve | None = None) -> Then:
    def step(host: Host, found: Found) -> bool:
        others: Sequence[int] = host.by_label(label).out.get(found[source], NOTHING)
        if sieve is not None and len(others) > FEW:
            others = filtered_ends(host, label, found[source], others, True, sieve)
        for each in others:
            found[target] = each
            if then(host, found):
                return True
        found[target] = None
        return False

    return step


def edge_into(source: int, label: str, target: int, then: Then, sieve: Sieve | None = None) -> Then:
    def step(host: Host, found: Found) -> bool:
        others: Sequence[int] = host.by_label(label).into.get(found[target], NOTHING)
        if sieve is not None and len(others) > FEW:
            others = filtered_ends(host, label, found[target], others, False, sieve)
        for each in others:
            found[source] = each
            if then(host, found):
                return True
        found[source] = None
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


def the_value(node: int, value: Value, then: Then) -> Then:
    def step(host: Host, found: Found) -> bool:
        before, number = found[node], host.world.value(value)
        if before is not None:
            return before == number and then(host, found)
        found[node] = number
        enough = then(host, found)
        found[node] = None
        return enough

    return step


def value_of(what: Computed | Tested, host: Host, found: Found) -> Value | None:
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


def bind_value(node: int, value_of: Callable[[Host, Found], Value | None], then: Then) -> Then:
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
