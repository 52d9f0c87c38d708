"""Locations of a control program, minimised.

Each procedure and the main body have their own locations. A location is a term with the variables that are live there
and those that the call leading to it binds. Bisimilar locations are merged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from pentad.grammar.control.calls import Call, Unit, Variable
from pentad.grammar.control.terms import Derivation, Term, Terms
from pentad.grammar.graph import GrammarError, reachable

MAX_LOCATIONS = 20_000  # locations of a program


@dataclass(frozen=True, slots=True)
class Switch:
    """A call from a location to a location; `depth` counts the atomic blocks that the call enters."""

    source: int
    call: Call
    depth: int
    target: int


Switches: TypeAlias = tuple[Switch, ...]  # a call of a procedure, one within it, …, and of a rule


@dataclass(frozen=True, slots=True)
class Location:
    """A control point of the program or of a procedure."""

    owner: str | None  # the procedure
    kind: str
    depth: int
    steps: tuple[Switches, ...] = ()
    success: int = -1  # where a trial continues in the same state
    failure: int = -1
    variables: tuple[Variable, ...] = ()  # live here, or bound by the call that led here


@dataclass(frozen=True, slots=True)
class Map:
    """All locations, and the starts of the program and its procedures."""

    locations: tuple[Location, ...]
    starts: Mapping[str | None, int]


def survey(terms: Terms, main: Term, procedures: Mapping[str, Unit]) -> Map:
    """Returns the locations of a program."""
    surveyor = _Surveyor(terms)
    starts = {owner: surveyor.location(owner, body) for owner, body in [(None, main), *terms.bodies.items()]}
    found = _with_variables(surveyor.all(), procedures)
    return _merged(found, starts)


class Key(NamedTuple):
    """The identity of a location before merging."""

    owner: str | None
    term: Term
    before: frozenset[Term]
    given: frozenset[Variable]
    by_verdict: bool


class _Surveyor:
    """Finds the locations of terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._numbers: dict[Key, int] = {}
        self._todo: deque[Key] = deque()
        self._ahead: dict[Term, frozenset[Term]] = {}

    def location(
        self,
        owner: str | None,
        term: Term,
        given: frozenset[Variable] = frozenset(),
        before: frozenset[Term] = frozenset(),
    ) -> int:
        """The location of a term; `before` are the terms that were tried before in the same state.

        A term that recurs in the same state would be tried endlessly, so it is dead. `given` are the variables
        that the call leading to this state has bound.
        """
        if term in before:
            term = self.terms.dead(term.depth)
        key = Key(owner, term, before & self._later(term) if before else before, given, bool(before))
        if key not in self._numbers:
            if len(self._numbers) >= MAX_LOCATIONS:
                raise GrammarError(f"The control program is too large: it has more than {MAX_LOCATIONS:,} locations.")
            self._numbers[key] = len(self._numbers)
            self._todo.append(key)
        return self._numbers[key]

    def _later(self, term: Term) -> frozenset[Term]:
        """The terms that may be tried later in the same state."""
        if term not in self._ahead:
            self._ahead[term] = frozenset(reachable([term], self._verdicts))
        return self._ahead[term]

    def _verdicts(self, term: Term) -> Iterable[Term]:
        return self.terms.attempt(term)[1:] if term.is_trial else ()

    def all(self) -> list[Location]:
        """All locations that can be reached from the requested ones."""
        found: list[Location] = []
        while self._todo:
            owner, term, before, given, _ = self._todo.popleft()
            location = Location(owner, term.kind, term.depth, variables=tuple(sorted(given)))
            if term.is_trial:
                attempt = self.terms.attempt(term)
                number, tried = len(found), before | {term}
                location = replace(
                    location,
                    steps=tuple(dict.fromkeys(self._switches(number, owner, each) for each in attempt.derivations)),
                    success=self.location(owner, attempt.success, given, tried),
                    failure=self.location(owner, attempt.failure, given, tried),
                )
            found.append(location)
        return found

    def _switches(self, source: int, owner: str | None, derivation: Derivation | None) -> Switches:
        found: list[Switch] = []
        while derivation is not None:
            call = derivation.call
            target = self.location(owner, derivation.target, frozenset(call.outputs))
            found.append(Switch(source, call, derivation.depth, target))
            owner, derivation = call.procedure, derivation.nested
            if owner is not None:
                source = self.location(owner, self.terms.bodies[owner])
        return tuple(found)


# ── variables ────────────────────────────────────────────────────────────────────────────────────


def _with_variables(locations: Sequence[Location], procedures: Mapping[str, Unit]) -> list[Location]:
    """Adds to each location the variables that are kept there.

    These are the variables that are read before they are bound again (a backward liveness analysis), those that a call
    has just bound, and those of the location from which a verdict leads there.
    """
    used: list[set[Variable]] = [set(each.variables) for each in locations]
    before: list[set[int]] = [set() for _ in locations]
    for number, location in enumerate(locations):
        if location.kind == "final" and location.owner is not None:
            unit = procedures[location.owner]
            outputs = zip(unit.formals, unit.parameters, strict=True)
            used[number] |= {variable for variable, parameter in outputs if parameter.output}
        for after in _after(location):
            before[after].add(number)
    todo = dict.fromkeys(range(len(locations)))
    while todo:
        number, _ = todo.popitem()
        location = locations[number]
        needed = set(used[number])
        for step in location.steps:
            needed |= step[0].call.inputs | (used[step[0].target] - set(step[0].call.outputs))
        if location.kind == "trial":
            needed |= used[location.success] | used[location.failure]
        if needed != used[number]:
            used[number] = needed
            todo |= dict.fromkeys(before[number])
    forward = deque(range(len(locations)))
    while forward:
        number = forward.popleft()
        location = locations[number]
        for after in {location.success, location.failure} if location.kind == "trial" else ():
            if locations[after].kind != "dead" and not used[number] <= used[after]:
                used[after] |= used[number]
                forward.append(after)
    return [replace(each, variables=tuple(sorted(used[number]))) for number, each in enumerate(locations)]


def _after(location: Location) -> Iterable[int]:
    if location.kind == "trial":
        yield from (location.success, location.failure)
    for step in location.steps:
        yield step[0].target


# ── merging ──────────────────────────────────────────────────────────────────────────────────────


def _merged(locations: Sequence[Location], starts: Mapping[str | None, int]) -> Map:
    """Merges bisimilar locations."""
    group = _groups(locations)
    first: dict[int, int] = {}
    for number in range(len(locations)):
        first.setdefault(group[number], number)
    new = {of: number for number, of in enumerate(first)}
    merged = []
    for number in first.values():
        each = locations[number]
        steps = dict.fromkeys(tuple(_moved(part, group, new) for part in step) for step in each.steps)
        moved = replace(each, steps=tuple(steps))
        if each.kind == "trial":
            moved = replace(moved, success=new[group[each.success]], failure=new[group[each.failure]])
        merged.append(moved)
    return Map(tuple(merged), {owner: new[group[start]] for owner, start in starts.items()})


def _moved(switch: Switch, group: Sequence[int], new: Mapping[int, int]) -> Switch:
    return replace(switch, source=new[group[switch.source]], target=new[group[switch.target]])


def _groups(locations: Sequence[Location]) -> list[int]:
    """Partition refinement: the group of each location; the members of a group lead to the same groups."""
    before: list[set[int]] = [set() for _ in locations]
    for number, each in enumerate(locations):
        for after in (*_after(each), *(part.target for step in each.steps for part in step[1:])):
            before[after].add(number)
    kinds: dict[Hashable, int] = {}
    group = [kinds.setdefault(_signature(each), len(kinds)) for each in locations]
    targets: list[Hashable] = [None] * len(locations)
    size = [0] * len(kinds)
    for number in group:
        size[number] += 1
    changed = set(range(len(locations)))
    while changed:
        fresh: dict[int, dict[Hashable, list[int]]] = {}
        old = {}
        for number in changed:
            old[group[number]] = targets[number]
            targets[number] = _targets(locations[number], group)
            fresh.setdefault(group[number], {}).setdefault(targets[number], []).append(number)
        moved: list[int] = []
        for of, parts in fresh.items():
            moved += _split(of, parts, old[of], group, size)
        changed = {number for each in moved for number in before[each]}
    return group


def _split(of: int, parts: Mapping[Hashable, list[int]], old: Hashable, group: list[int], size: list[int]) -> list[int]:
    """Moves the members of a group that now lead elsewhere to groups of their own; returns them."""
    rest = size[of] - sum(map(len, parts.values()))
    stays = old if rest else max(parts, key=lambda target: len(parts[target]))
    moved = []
    for target, members in parts.items():
        if target != stays:
            for number in members:
                group[number] = len(size)
            size[of] -= len(members)
            size.append(len(members))
            moved += members
    return moved


def _signature(location: Location) -> Hashable:
    """Returns a key of a location without its targets."""
    calls = tuple(tuple((part.call, part.depth) for part in step) for step in location.steps)
    return location.owner, location.kind, location.depth, location.variables, calls


def _targets(location: Location, group: Sequence[int]) -> Hashable:
    """The groups to which a location leads."""
    verdicts = (group[location.success], group[location.failure]) if location.kind == "trial" else ()
    return verdicts, tuple(tuple(group[part.target] for part in step) for step in location.steps)
