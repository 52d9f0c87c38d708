"""Grounding: the rules of a grammar instantiated over its start graph, as guards and effects over edges.

It applies to grammars whose rules change edges only. Edges whose labels no rule creates or deletes are matched once;
the instances of a rule then refer to changing edges only. The edges that can ever appear are found by a fixed point:
a rule applies if all edges that it needs can appear, and its forbidden edges are ignored (delete relaxation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import NamedTuple

from pentad.grammar.host import Host, bits
from pentad.grammar.language.paths import Path, Wildcard
from pentad.grammar.matching.search_plans import Admits, Found, Planner, Then, admitting, only
from pentad.grammar.rules.rule import EXISTS, FORALL, EdgeEffect, Pattern, PatternEdge, QuantifierLevel, Rule
from pentad.grammar.system import System, changing_labels
from pentad.kernels.program import ADVICE, is_fast
from pentad.system.words import phrase

MAX_CHANGING_EDGES = 4096
MOST_CHOICES = 10_000  # combinations of matches of sibling existential levels
MAX_MATCHES = 2_000_000
MAX_ROUNDS = 200  # the fixed point has to be reached within them

Symmetry = Mapping[int, int]  # the images of the nodes that it moves


class CannotCompile(Exception):
    """A grammar cannot be compiled; the message is the reason, one sentence."""


def require_kernels(module: str) -> None:
    """Raises CannotCompile where nothing makes machine code of an engine's kernels."""
    if not is_fast(module):
        raise CannotCompile(
            phrase("This installation has no machine code for it, and no numba. {advice}", advice=ADVICE)
        )


class Guard(NamedTuple):
    """Edges that must be present and edges that must be absent, as bits of the world's edges."""

    need: int = 0
    forbid: int = 0

    def both(self, other: Guard) -> Guard:
        return Guard(self.need | other.need, self.forbid | other.forbid)

    def without(self, other: Guard) -> Guard:
        """The rest of the guard if another one holds."""
        return Guard(self.need & ~other.need, self.forbid & ~other.forbid)

    def contradicts(self, other: Guard) -> bool:
        return bool(self.need & other.forbid or self.forbid & other.need)

    @property
    def is_impossible(self) -> bool:
        return bool(self.need & self.forbid)


ALWAYS = Guard()


class Clause(NamedTuple):
    """An implication: if the guard holds, one of the alternatives must hold."""

    guard: Guard
    alternatives: tuple[Guard, ...] = ()


class LevelEffect(NamedTuple):
    """The effect of a universal level for one of its matches if the guard holds; `event` identifies it."""

    guard: Guard
    clear: int
    set: int
    event: Hashable


class Instance(NamedTuple):
    """A ground instance of a rule. Instances of one event are one transition if they make the same changes."""

    event: Hashable
    arguments: tuple[int, ...]
    guard: Guard
    clauses: tuple[Clause, ...]
    clear: int
    set: int
    changes: tuple[LevelEffect, ...]


class One(NamedTuple):
    """A match of a level: its images, and its conditions on the changing edges."""

    found: tuple[object, ...]
    guard: Guard
    clauses: tuple[Clause, ...]


@dataclass(slots=True)
class InstanceDraft:
    """An instance under construction."""

    parts: list[tuple[int, One]]
    clauses: list[Clause] = field(default_factory=list)
    changes: list[LevelEffect] = field(default_factory=list)


def check_rule(rule: Rule) -> None:
    """Raises CannotCompile for rules that cannot be compiled over any start graph."""
    reasons: list[tuple[str, object]] = [
        ("distinguishes parallel edges", rule.parallel),
        ("asks for values", any(each.from_oracle for each in rule.parameters)),
        ("has a filter of matches", rule.filter),
    ]
    for level in rule.levels:
        finds_labels = any(each.variable is not None for each in level.erased + level.created)
        reasons += [
            ("creates nodes", level.created_nodes),
            ("deletes nodes", level.erased_nodes),
            ("merges nodes", level.merged),
            ("counts matches", level.pattern.counted),
            ("has collective operators", level.pattern.aggregates),
            ("changes edges whose label it finds", finds_labels),
            ("has an optional existential quantifier", level.kind == EXISTS and level.may_be_empty),
        ]
    for reason, applies in reasons:
        if applies:
            raise CannotCompile(phrase("Rule {name} {reason}.", name=rule.name, reason=reason))


class Grounding:
    """The instances of some rules, and the edges that can change.

    `symmetries` are the automorphisms of the fixed part; the possible edges are closed under them.
    """

    def __init__(self, system: System, rules: Iterable[str], symmetries: Sequence[Symmetry] = ()) -> None:
        self.world, self.nodes, self.edges, self.algebra = system.world, system.nodes, system.edges, system.algebra
        self.admits: Admits = only if system.types is None else admitting(system.types.subtypes)
        self.rules = [system.rules[name] for name in rules]
        changing = changing_labels(self.rules)
        assert changing is not None  # `check_rule` refuses rules that may change any label
        self.changing = changing
        self.symmetries = symmetries
        for rule in self.rules:
            self.check_labels(rule)
        self.fixed = self.possible = 0
        for number in bits(self.edges):
            if self.world.edges[number].label in self.changing:
                self.possible |= 1 << number
            else:
                self.fixed |= 1 << number
        self._found = 0

    def instances(self) -> dict[str, list[Instance]]:
        """The instances by rule, grouped by event."""
        for _ in range(MAX_ROUNDS):
            self.possible = self._closure(self.possible)
            host = Host(self.world, self.nodes, self.fixed | self.possible)
            grounded = {rule.name: GroundRule(self, rule, host).instances() for rule in self.rules}
            made = self.possible
            for each in (each for mine in grounded.values() for each in mine):
                made |= each.set
                for change in each.changes:
                    made |= change.set
            if made.bit_count() > MAX_CHANGING_EDGES:
                raise CannotCompile(phrase("More than {most_edges} edges may change.", most_edges=MAX_CHANGING_EDGES))
            if made == self.possible:
                return grounded
            self.possible = made
        raise CannotCompile("The rules create new edges without end.")

    def count(self) -> None:
        self._found += 1
        if self._found > MAX_MATCHES:
            raise CannotCompile("The rules have too many matches.")

    def _closure(self, edges: int) -> int:
        """The closure of edges under the symmetries."""
        world, todo = self.world, edges
        for symmetry in self.symmetries:
            for number in bits(todo):
                source, label, target = world.edges[number]
                edges |= 1 << world.edge(symmetry.get(source, source), label, symmetry.get(target, target))
        return edges

    def changes(self, label: str) -> str | None:
        """The host label that a rule's label stands for, if its edges change."""
        names = self.admits(label)
        return names[0] if len(names) == 1 and names[0] in self.changing else None

    def check_labels(self, rule: Rule) -> None:
        """Refuses labels that may stand for several changing labels."""
        for level in rule.levels:
            if any(embargo.embargoes for embargo in level.pattern.embargoes):
                raise CannotCompile(phrase("Rule {name} has a negation within a negative condition.", name=rule.name))
            for pattern in (level.pattern, *level.pattern.embargoes):
                for edge in pattern.edges:
                    if isinstance(edge.label, Path):
                        labels = edge.label.labels()
                        names = (
                            {name for label in labels for name in self.admits(label)} if labels is not None else None
                        )
                        if self.changing if names is None else names & self.changing:
                            raise CannotCompile(
                                phrase("Rule {name} has a path over labels that change.", name=rule.name)
                            )
                    elif isinstance(edge.label, Wildcard):
                        if edge.label.variable is None and any(map(edge.label.admits, self.changing)):
                            raise CannotCompile(
                                phrase("Rule {name} has a wildcard over labels that change.", name=rule.name)
                            )
                    elif len(names := set(self.admits(edge.label))) > 1 and names & self.changing:
                        raise CannotCompile(phrase("Rule {name} matches a type whose subtypes change.", name=rule.name))


class GroundRule:
    """The instances of one rule in a host that has all possible edges."""

    def __init__(self, grounding: Grounding, rule: Rule, host: Host) -> None:
        self.grounding, self.rule, self.host = grounding, rule, host
        self._planner = Planner(rule, host, grounding.admits, grounding.algebra)
        self._plans: dict[tuple[int, int, frozenset[int]], Then] = {}
        self._collected: list[tuple[object, ...]] = []

    def instances(self) -> list[Instance]:
        found: dict[Instance, None] = {}
        # The instances of each event are counted; an event that acts twice is repeated.
        instances, repeated = Counter[Hashable](), set[Hashable]()
        for parts in self._filled(0, (None,) * len(self.rule.names)):
            draft = InstanceDraft(parts, [clause for _, one in parts for clause in one.clauses])
            guard = ALWAYS
            for number, one in parts:
                guard = guard.both(one.guard)
                for child in self._children(number, FORALL):
                    self._universal(child, one.found, ALWAYS, (), draft)
            instance = self._finished(draft, guard)
            if instance is not None:
                found[instance] = None
                instances[instance.event] += 1
                if len({change.event for change in draft.changes}) < len(draft.changes):
                    repeated.add(instance.event)
        if any(instances[event] > 1 for event in repeated):
            raise CannotCompile(
                phrase("Rule {name} does the same for several matches of a quantifier.", name=self.rule.name)
            )
        groups: dict[Hashable, list[Instance]] = {}
        for instance in found:
            groups.setdefault(instance.event, []).append(instance)
        return [instance for group in groups.values() for instance in group]

    def _children(self, number: int, kind: str) -> list[int]:
        return [child for child in self.rule.levels[number].children if self.rule.levels[child].kind == kind]

    # ── levels ───────────────────────────────────────────────────────────────────────────────────

    def _filled(self, number: int, found: tuple[object, ...]) -> Iterator[list[tuple[int, One]]]:
        """The combinations of matches of a level and of the existential levels within it."""
        for one in self._matches(number, found):
            inner = [list(self._filled(child, one.found)) for child in self._children(number, EXISTS)]
            if prod(map(len, inner)) > MOST_CHOICES:
                raise CannotCompile(phrase("Rule {name} leaves too many choices.", name=self.rule.name))
            for chosen in product(*inner):
                yield [(number, one), *(part for parts in chosen for part in parts)]

    def _universal(
        self,
        number: int,
        found: tuple[object, ...],
        context: Guard,
        exceptions: tuple[Guard, ...],
        draft: InstanceDraft,
    ) -> None:
        """Adds a universal level; it applies if the context holds and none of the exceptions does."""
        level = self.rule.levels[number]
        matches = list(self._matches(number, found))
        for one in matches:
            guard = context.both(one.guard)
            if guard.is_impossible:
                continue
            exempt = (*exceptions, *(clause.guard for clause in one.clauses))
            if level.anchors or level.has_effect:
                if exempt:
                    raise CannotCompile(
                        phrase("Rule {name} forbids several edges at once below a quantifier.", name=self.rule.name)
                    )
                clear, made = self._effect(level, one.found)
                draft.changes.append(
                    LevelEffect(guard, clear, made, (number, tuple(one.found[v] for v in level.anchors)))
                )
            for child in level.children:
                if self.rule.levels[child].kind == FORALL:
                    if not self.rule.levels[child].may_be_empty:  # without a match the enclosing match is void
                        raise CannotCompile(
                            phrase("Rule {name} has a nested quantifier that needs matches.", name=self.rule.name)
                        )
                    self._universal(child, one.found, guard, exempt, draft)
                else:
                    draft.clauses.append(Clause(guard, (*self._alternatives(child, one.found), *exempt)))
        if not level.may_be_empty:
            if any(one.clauses for one in matches):
                raise CannotCompile(
                    phrase("Rule {name} forbids several edges at once below a quantifier.", name=self.rule.name)
                )
            draft.clauses.append(Clause(context, (*(one.guard for one in matches), *exceptions)))

    def _alternatives(self, number: int, found: tuple[object, ...]) -> Iterator[Guard]:
        """The guards of the matches of an existential level below a universal one."""
        if self.rule.levels[number].anchors or self.rule.levels[number].has_effect:
            raise CannotCompile(
                phrase("Rule {name} has a choice with an effect below a universal quantifier.", name=self.rule.name)
            )
        for parts in self._filled(number, found):
            guard = ALWAYS
            for each, one in parts:
                if self._children(each, FORALL):
                    raise CannotCompile(
                        phrase("Rule {name} has quantifiers that are nested too deep.", name=self.rule.name)
                    )
                if one.clauses:
                    raise CannotCompile(
                        phrase("Rule {name} forbids several edges at once below a quantifier.", name=self.rule.name)
                    )
                guard = guard.both(one.guard)
            if not guard.is_impossible:
                yield guard

    def _effect(self, level: QuantifierLevel, found: Sequence[object]) -> tuple[int, int]:
        """The edges that a level deletes and creates."""
        return self._bits(level.erased, found), self._bits(level.created, found)

    def _bits(self, edges: Iterable[EdgeEffect], found: Sequence[object]) -> int:
        edge = self.grounding.world.edge
        mask = 0
        for each in edges:
            mask |= 1 << edge(found[each.source], each.label, found[each.target])  # type: ignore[arg-type]
        return mask

    # ── matches ──────────────────────────────────────────────────────────────────────────────────

    def _matches(self, number: int, found: tuple[object, ...]) -> Iterator[One]:
        """The matches of a level, with their conditions on changing edges."""
        pattern = self.rule.levels[number].pattern
        for each in self._search(number, -1, replace(pattern, embargoes=[]), found):
            need, forbid, clauses = self._needs(pattern, each), 0, []
            for i, embargo in enumerate(pattern.embargoes):
                for forbidden in self._search(number, i, embargo, each):
                    edges = self._needs(embargo, forbidden)
                    if not edges:
                        break  # it holds in every state
                    if edges & (edges - 1):
                        clauses.append(Clause(Guard(edges)))
                    else:
                        forbid |= edges
                else:
                    continue
                break
            else:
                if not need & forbid:
                    yield One(each, Guard(need, forbid), tuple(dict.fromkeys(clauses)))

    def _search(self, number: int, part: int, pattern: Pattern, found: tuple[object, ...]) -> list[tuple[object, ...]]:
        """All matches of a level's pattern, or of one of its embargoes, that extend a partial match."""
        known = frozenset(i for i, each in enumerate(found) if each is not None)
        key = (number, part, known)
        if key not in self._plans:
            each_label = part < 0 and self.rule.levels[number].kind == FORALL
            self._plans[key] = self._planner.plan(pattern, known, self._take, each_label)
        mine: list[tuple[object, ...]] = []
        self._collected = mine
        self._plans[key](self.host, list(found))
        return mine

    def _take(self, _host: Host, found: Found) -> bool:
        self.grounding.count()
        self._collected.append(tuple(found))
        return False

    def _needs(self, pattern: Pattern, found: Sequence[object]) -> int:
        """The changing edges that a match uses."""
        need = 0
        for edge in pattern.edges:
            label = self._label(edge, found)
            if label is not None:
                need |= 1 << self.grounding.world.edge(found[edge.source], label, found[edge.target])  # type: ignore[arg-type]
        return need

    def _label(self, edge: PatternEdge, found: Sequence[object]) -> str | None:
        """The label of the edge that a match uses, if it is a changing one."""
        if isinstance(edge.label, str):
            return self.grounding.changes(edge.label)
        if isinstance(edge.label, Path) or edge.label.variable is None:
            return None
        label = str(found[next(iter(self._planner.label_variables(edge)))])
        return label if label in self.grounding.changing else None

    # ── instances ────────────────────────────────────────────────────────────────────────────────

    def _finished(self, draft: InstanceDraft, guard: Guard) -> Instance | None:
        """The simplified instance, or None if it can never apply."""
        settled = settle(guard, draft.clauses)
        if settled is None:
            return None
        guard, clauses = settled
        clear = made = 0
        rule, root = self.rule, draft.parts[0][1].found
        for number, one in draft.parts:
            taken, new = self._effect(rule.levels[number], one.found)
            clear, made = clear | taken, made | new
        changes = (
            change._replace(guard=change.guard.without(guard))
            for change in draft.changes
            if not change.guard.contradicts(guard)
        )
        inner = frozenset(
            (number, tuple(one.found[v] for v in rule.levels[number].anchors))
            for number, one in draft.parts[1:]
            if rule.levels[number].anchors
        )
        event = (tuple(root[v] for v in rule.root.anchors), inner)
        arguments = tuple(root[each.variable] for each in rule.parameters)
        return Instance(event, arguments, guard, clauses, clear, made, tuple(dict.fromkeys(changes)))  # type: ignore[arg-type]


def settle(guard: Guard, clauses: Iterable[Clause]) -> tuple[Guard, tuple[Clause, ...]] | None:
    """Simplifies a guard and clauses; None if they can never hold."""
    rest = list(dict.fromkeys(clauses))
    while not guard.is_impossible:
        left: dict[Clause, None] = {}
        before = guard
        for clause in rest:
            simple = _simplified(clause, guard)
            if simple is None:
                continue
            if not any(simple.guard):
                if not simple.alternatives:
                    return None
                if len(simple.alternatives) == 1:
                    guard = guard.both(simple.alternatives[0])
                    continue
            elif not simple.alternatives and sum(each.bit_count() for each in simple.guard) == 1:
                guard = guard.both(Guard(simple.guard.forbid, simple.guard.need))
                continue
            left[simple] = None
        rest = list(left)
        if guard == before:
            return guard, tuple(rest)
    return None


def _simplified(clause: Clause, guard: Guard) -> Clause | None:
    """A clause simplified under a guard that holds; None if the clause is then true."""
    if clause.guard.contradicts(guard) or clause.guard.is_impossible:
        return None
    known = guard.both(clause.guard)
    alternatives = tuple(
        dict.fromkeys(each.without(known) for each in clause.alternatives if not each.contradicts(known))
    )
    return None if ALWAYS in alternatives else Clause(clause.guard.without(guard), alternatives)
