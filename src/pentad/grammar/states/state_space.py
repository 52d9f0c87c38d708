"""State space of a grammar: states, transitions, and the inner states of recipes and atomic blocks.

A state is entered at a place in control. Control may then move on in the same state by verdicts: a step applied, or
none did. A step that enters a recipe or an atomic block counts as applied only if the block can end; so inner states
are expanded before such a verdict, as far as needed. An inner state that reaches no end is absent; neither it nor the
transitions to it count.

A recipe is a transition from the state where it begins to each state where it ends: one that is entered outside of it,
or an inner state that control has left by a verdict, which differs from the same graph entered otherwise.

The index of states merges equal states, or optionally isomorphic ones. The oracle's answers are kept: a match that
persists in the next state keeps its values. So two independent matches lead to the same graph in either order. The
oracle is asked again if control is at another place, if the match or the previous one involves a quantifier, or if the
match is the previous one itself.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeAlias

from pentad.grammar.control.automaton import Frame, Given, RuleStep
from pentad.grammar.control.terms import OutArgument
from pentad.grammar.graph import GrammarError, reachable
from pentad.grammar.host import Host, World
from pentad.grammar.language.user_operations import Failed, called
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.lts import Counts, Lts
from pentad.grammar.matching.isomorphism import IsomorphismClasses
from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.rule_effects import Effects
from pentad.grammar.rules.rule import CONDITION, FORBIDDEN, INVARIANT, Rule
from pentad.grammar.system import ERROR, OFF, REMOVE, SILENT, System
from pentad.system.words import phrase

LevelEvent: TypeAlias = tuple[str, Hashable]  # the rule, and the event of its match


class OracleAnswers:
    """The oracle's answers by state."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._given: dict[
            tuple[int, Hashable, LevelEvent], Mapping[int, int]
        ] = {}  # the key is a state, its place in control, and an event
        # how a state was first reached: from which state, by which event, and whether it involves no quantifier
        self._entries: dict[int, tuple[int, LevelEvent, bool]] = {}

    def known(self, state: int, place: Hashable, match: Match) -> Mapping[int, int]:
        """The answers that a match keeps from the previous state, by the variables of its rule."""
        event = match.rule.name, match.event
        source, entry, is_simple = self._entries.get(state, (0, event, False))
        if not is_simple or len(match.parts) > 1 or entry == event:
            return {}
        return self._given.get((source, place, event), {})

    def keep(self, state: int, place: Hashable, match: Match, target: int) -> None:
        """Stores the answers for the match that was applied last, and its target."""
        event = match.rule.name, match.event
        self._entries.setdefault(target, (state, event, len(match.parts) == 1))
        if self._effects.last_answers:
            self._given[state, place, event] = self._effects.last_answers


class State(NamedTuple):
    """A graph and the place in the control program at which it was entered."""

    nodes: int
    edges: int
    frame: Frame


class States:
    """The states found so far, without duplicates: up to equality or up to isomorphism."""

    def __init__(self, system: System, isomorphism: bool) -> None:
        self.found: list[State] = []
        self._exact: dict[tuple[int, int, Hashable], int] = {}
        self._classes = IsomorphismClasses(system.world) if isomorphism else None

    def __len__(self) -> int:
        return len(self.found)

    def number(self, state: State) -> tuple[int, bool]:
        """Returns a state's number, and whether it is new."""
        key = (state.nodes, state.edges, state.frame.key)
        known = self._exact.get(key)
        if known is not None:
            return known, False
        number = len(self.found)
        if self._classes is not None:
            number = self._classes.number((state.nodes, state.edges, state.frame.values), state.frame.place, number)
        self._exact[key] = number
        if number < len(self.found):
            return number, False
        self.found.append(state)
        return number, True


Arguments: TypeAlias = tuple[int | None, ...]  # the values of parameters; None for an unknown one


class AppliedStep(NamedTuple):
    """An applied step: its match, the values of its parameters, and the resulting state."""

    step: RuleStep
    match: Match
    arguments: Arguments
    state: State
    returned: Arguments | None  # the parameters of the recipe that ends with it


class SuccessorGenerator:
    """Applies the steps that control tries in a state, without reference to other states."""

    def __init__(self, system: System) -> None:
        self.system = system

    @property
    def start(self) -> State:
        return State(self.system.nodes, self.system.edges, self.system.control.start())

    def host(self, state: State) -> Host:
        return self.system.host(state.nodes, state.edges)

    # ── properties ───────────────────────────────────────────────────────────────────────────────

    def properties(self, host: Host) -> Iterator[tuple[Rule, list[Match]]]:
        """The properties that are tested in a state, with their matches."""
        for rule in self.system.properties:
            yield rule, self._matches(rule, host, {})

    def breaks(self, rule: Rule, matches: list[Match]) -> bool:
        """Whether a property with these matches is broken."""
        return rule.role == (FORBIDDEN if matches else INVARIANT)

    def is_removed(self, state: State) -> bool:
        """Whether a policy removes a state."""
        if not self.system.removes:
            return False
        host = self.host(state)
        if self.system.type_policy == REMOVE and self.ill_typed(host):
            return True
        return not state.frame.transience and any(
            self.system.policy(rule) == REMOVE and self.breaks(rule, matches)
            for rule, matches in self.properties(host)
            if rule.role != CONDITION
        )

    def loops(self, state: State) -> int:
        """How many matches the properties have in a state that one of them removes."""
        host = self.host(state)
        if state.frame.transience or (self.system.type_policy == REMOVE and self.ill_typed(host)):
            return 0
        return sum(len(matches) for _, matches in self.properties(host))

    def ill_typed(self, host: Host) -> tuple[str, ...]:
        """The type constraints that a graph violates; an attribute with an error value is one too."""
        if self.system.type_policy == OFF:
            return ()
        types = self.system.types
        found = types.violations(host) if types is not None and types.has_multiplicities else ()
        return (*found, "an attribute is an error value") if host.edges & self.system.world.to_errors else found

    # ── matches ──────────────────────────────────────────────────────────────────────────────────

    def applied(self, name: str) -> Iterator[State]:
        """The graphs that a rule derives from the start graph, one for each match."""
        rule, start = self.system.rules[name], self.start
        for match in self._matches(rule, self.host(start), {}):
            yield State(*self.system.effects.apply(match, start.nodes, start.edges), start.frame)

    def apply_step(
        self, step: RuleStep, state: State, host: Host, known: Callable[[Match], Mapping[int, int]] | None = None
    ) -> Iterator[AppliedStep]:
        """Applies a step of control in a state; `known` returns the oracle's answers that a match keeps."""
        values = self.system.world.values
        for match in self.calls(step, host):
            answers = None if known is None else known(match)
            after = self.system.effects.apply(match, state.nodes, state.edges, answers)
            arguments = self.arguments(match)
            outputs = tuple(
                None if node is None else values.get(node, node)
                for node, argument in zip(arguments, step.arguments or (), strict=False)
                if isinstance(argument, OutArgument)
            )
            frame = self._updated_frame(step.after(outputs), after[0])
            returned = step.returned(outputs) if step.is_inner and not frame.is_inner else None
            yield AppliedStep(
                step, match, arguments, State(*after, frame), self.as_nodes(returned, self.system.effects.last_merged)
            )

    def calls(self, step: RuleStep, host: Host) -> list[Match]:
        """The matches of a call."""
        given = self.given(step)
        if given is None:
            return []
        values = self.system.world.values
        if any(node not in values and not host.has_node(node) for node in given.values()):
            return []
        return self._matches(self.system.rules[step.action], host, given)

    def _matches(self, rule: Rule, host: Host, given: dict[int, int]) -> list[Match]:
        try:
            found = self.system.finders[rule.name].matches(host, given)
        except GrammarError as error:
            raise error if error.where else GrammarError(error.what, f"{rule.name}.gpr") from None
        counts = self.system.filters.get(rule.name)
        if counts is None or not found:
            return found
        graph = self.system.graph(host.nodes, host.edges)
        kept: list[Match] = []
        for match in found:
            pairs = zip(rule.names, match.found, strict=True)
            nodes = {name: self._node(node) for name, node in pairs if isinstance(node, int)}
            try:
                is_kept = called(lambda nodes: bool(counts(graph, nodes)), nodes)
            except Failed as error:
                what = phrase("The filter of matches {filter} fails: {error}", filter=rule.filter, error=error)
                raise GrammarError(what, f"{rule.name}.gpr") from error
            if is_kept:
                kept.append(match)
        return kept

    def _node(self, node: int) -> str:
        """The name of a node, or the text of a value."""
        value = self.system.world.values.get(node)
        return value.text if value is not None else self.system.world.names.get(node, f"new{node}")

    def given(self, step: RuleStep) -> dict[int, int] | None:
        """The variables that a call binds; None if it passes no value, or one that the rule does not accept."""
        rule = self.system.rules[step.action]
        given: dict[int, int] = {}
        for parameter, argument in zip(rule.parameters, step.arguments or (), strict=False):
            if isinstance(argument, Given):
                value = argument.value
                if value is None or rule.constants.get(parameter.variable, value) != value:
                    return None
                if isinstance(value, AttributeValue):
                    value = self.system.world.value(value)
                assert isinstance(value, int)
                given[parameter.variable] = value
        return given

    def _updated_frame(self, frame: Frame, nodes: int) -> Frame:
        """The control frame with its variables updated for merged and deleted nodes."""
        if not frame.values:
            return frame
        values: list[Hashable] = []
        merged = self.system.effects.last_merged
        for value in frame.values:
            node = merged.get(value, value) if isinstance(value, int) else None
            values.append(value if node is None else node if nodes >> node & 1 else None)
        return frame if tuple(values) == frame.values else frame.rebound(values)

    def arguments(self, match: Match) -> Arguments:
        """The parameters of a rule in a match that was just applied, or that creates nothing."""
        if not match.rule.parameters:
            return ()
        created, found = self.system.effects.last_created, match.found
        return tuple(
            created.get(each.variable) if found[each.variable] is None else found[each.variable]  # type: ignore[misc]
            for each in match.rule.parameters
        )

    def as_nodes(self, values: tuple[Hashable, ...] | None, merged: dict[int, int]) -> Arguments | None:
        """Converts values of control to nodes, after merges."""
        if values is None:
            return None
        found: list[int | None] = []
        for value in values:
            if isinstance(value, AttributeValue):
                found.append(self.system.world.value(value))
            else:
                assert value is None or isinstance(value, int)
                found.append(None if value is None else merged.get(value, value))
        return tuple(found)

    def recipe_arguments(self, step: RuleStep, returned: Arguments) -> Arguments:
        """The parameters of a recipe that began with a step and returned these values."""
        if step.recipe_arguments is None:
            return returned
        given = [each.value if isinstance(each, Given) else None for each in step.recipe_arguments]
        known = self.as_nodes(tuple(given), {}) or ()
        return tuple(one if one is not None else other for one, other in zip(known, returned, strict=True))


# ── the space ────────────────────────────────────────────────────────────────────────────────────


class OutgoingTransition(NamedTuple):
    """A transition that leaves a state; a recipe's has no match."""

    action: str
    arguments: Arguments
    target: int
    match: Match | None
    step: RuleStep | None = None  # None for a recipe and for a property
    returned: Arguments | None = None  # the results of the recipe that ends with it

    @property
    def is_inner(self) -> bool:
        """Whether it is a step within a recipe."""
        return self.step is not None and self.step.is_inner


@dataclass(eq=False)
class StateExpansion:
    """The expansion of a state, possibly incomplete."""

    number: int
    frame: Frame
    host: Host | None = None
    outgoing: list[OutgoingTransition] = field(default_factory=list)
    broken: tuple[str, ...] = ()
    is_tested: bool = False  # whether the properties were tested
    is_over: bool = False  # whether a violated property ends the expansion
    is_closed: bool = False
    returned: Arguments | None = None  # the results of a recipe that a verdict has ended
    pending: PendingVerdict | None = None

    @property
    def is_final(self) -> bool:
        return self.is_closed and not self.is_over and self.frame.kind == "final"

    @property
    def targets(self) -> Iterator[int]:
        return (each.target for each in self.outgoing if each.match is not None)


class PendingVerdict:
    """A verdict that depends on whether one of several states reaches an end."""

    def __init__(self, targets: Iterable[int]) -> None:
        self.todo = list(dict.fromkeys(targets))[::-1]
        self.seen = set(self.todo)

    def replace_last(self, targets: Iterable[int]) -> None:
        """Replaces the last state by its new successors."""
        self.todo.pop()
        fresh = [each for each in dict.fromkeys(targets) if each not in self.seen]
        self.seen.update(fresh)
        self.todo += reversed(fresh)


class Successor(NamedTuple):
    """A transition with its target state."""

    action: str
    arguments: Arguments
    match: Match | None  # the match of a rule; a recipe has several
    state: State


class Space:
    """All states found so far, by number, and the expansions of inner states."""

    def __init__(self, system: System, isomorphism: bool = False, check: Callable[[], None] | None = None) -> None:
        self.system = system
        self.generator = SuccessorGenerator(system)
        self._check = check  # called for every match; ends the search by an exception
        self.states = States(system, isomorphism)
        self.depths: list[int] = []  # nesting in recipes and atomic blocks, as far as is known
        self.absent: set[int] = set()
        self.removed: set[int] = set()
        self.expansions: dict[int, StateExpansion] = {}  # expansions of inner states, and of others while in progress
        self.steps = self.recipes = 0  # numbers of transitions: of rules, of recipes
        self._into: Counter[int] = Counter()  # numbers of steps to inner or removed states
        self._fresh: deque[int] = deque()  # inner states still to expand
        self.answers = OracleAnswers(system.effects) if system.asks_oracle else None
        self._ends: dict[int, tuple[tuple[int, Arguments], ...]] = {}

    @property
    def start(self) -> State:
        return self.generator.start

    def number(self, state: State) -> int:
        """Returns the number of a state."""
        number, is_new = self.states.number(state)
        if is_new:
            depth = state.frame.transience
            self.depths.append(depth)
            if self.system.removes and self.generator.is_removed(state):
                self._remove(number)
                loops = self.generator.loops(state)
                self.steps += loops
                self._into[number] += loops
            elif depth:
                self._fresh.append(number)
        return number

    def _remove(self, number: int) -> None:
        self.removed.add(number)
        self.absent.add(number)

    def is_within(self, number: int) -> bool:
        """Whether a state lies within a recipe, as far as is known."""
        known = self.expansions.get(number)
        return (known or self.states.found[number]).frame.is_inner

    def is_public(self, number: int) -> bool:
        """Whether a state lies in no recipe and is not absent."""
        return number not in self.absent and not self.is_within(number)

    # ── expansion ─────────────────────────────────────────────────────────────────────────────────

    def expand(self, number: int) -> StateExpansion:
        """Expands a state, and all inner states that it reaches."""
        mine = self._expansion(number)
        if mine.is_closed:
            return mine
        batch: list[StateExpansion] = []
        self._close(mine, -1, batch)
        while self._fresh:
            each = self._expansion(self._fresh.pop())
            if not each.is_closed and self.depths[each.number]:
                self._close(each, 0, batch)
        self._mark_absent(batch)
        for each in batch:
            each.outgoing = list(self._with_recipes(each.outgoing))
        if not self.states.found[number].frame.transience:
            del self.expansions[number]
        return mine

    def successors(self, state: State) -> tuple[list[Successor], bool, tuple[str, ...]]:
        """Returns a state's transitions, whether it is final, and the properties that it violates."""
        expansion = self.expand(self.number(state))
        found = self.states.found
        outgoing = [
            Successor(each.action, each.arguments, each.match, found[each.target])
            for each in expansion.outgoing
            if not each.is_inner and self.is_public(each.target)
        ]
        return outgoing, expansion.is_final, expansion.broken

    def _expansion(self, number: int) -> StateExpansion:
        known = self.expansions.get(number)
        if known is None:
            known = self.expansions[number] = StateExpansion(number, self.states.found[number].frame)
        return known

    def _close(self, first: StateExpansion, floor: int, batch: list[StateExpansion]) -> None:
        """Expands a state until it is closed or control is down to a floor, and the states that it waits for."""
        stack = [first]
        while stack:
            now = stack[-1]
            needed = None if now.pending is None else self._needed(now, now.pending)
            if needed is not None:
                stack.append(needed)
            elif self._advance(now, stack[-2].frame.transience if len(stack) > 1 else floor):
                stack.pop()
                if now.is_closed:
                    now.host = None
                    batch.append(now)
                elif self.depths[now.number]:
                    self._fresh.appendleft(now.number)

    def _needed(self, expansion: StateExpansion, pending: PendingVerdict) -> StateExpansion | None:
        """A state that must be expanded before a verdict; None if the verdict is decided."""
        level = expansion.frame.transience
        while pending.todo:
            number = pending.todo[-1]
            if number in self.removed:
                pending.replace_last(())
            elif self.depths[number] <= level:
                break
            else:
                known = self._expansion(number)
                if not known.is_closed:
                    return known
                pending.replace_last(known.targets)
        expansion.pending = None
        self._move(expansion, verdict=bool(pending.todo))
        return None

    def _advance(self, expansion: StateExpansion, floor: int) -> bool:
        """Applies the steps of control in a state, down to a floor; returns False if a verdict is pending."""
        state = self.states.found[expansion.number]
        if expansion.host is None:
            expansion.host = self.generator.host(state)
            expansion.broken = self.generator.ill_typed(expansion.host)
            expansion.is_over = bool(expansion.broken) and self.system.type_policy == ERROR
        while expansion.frame.transience > floor:
            frame = expansion.frame
            if not (frame.transience or expansion.is_tested or expansion.is_over):
                self._test(expansion, expansion.host)
            if expansion.is_over or frame.kind != "trial":
                expansion.is_closed = True
                return True
            targets: list[int] = []
            for step in frame.steps:
                known = partial(self.answers.known, expansion.number, frame.place) if self.answers else None
                for each in self.generator.apply_step(step, state, expansion.host, known):
                    target = self.number(each.state)
                    if self.answers:
                        self.answers.keep(expansion.number, frame.place, each.match, target)
                    targets.append(target)
                    self._add(
                        expansion,
                        OutgoingTransition(step.action, each.arguments, target, each.match, step, each.returned),
                    )
            level = frame.transience
            # whether a target is known to have left the nesting below this level
            has_left = any(self.depths[each] <= level and each not in self.removed for each in targets)
            if targets and frame.success != frame.failure and not has_left:
                expansion.pending = PendingVerdict(targets)
                return False
            self._move(expansion, verdict=bool(targets))
        return True

    def _add(self, expansion: StateExpansion, out: OutgoingTransition) -> None:
        if self._check is not None:
            self._check()
        expansion.outgoing.append(out)
        self.steps += 1
        if self.states.found[out.target].frame.transience or out.target in self.removed:
            self._into[out.target] += 1

    def _move(self, expansion: StateExpansion, verdict: bool) -> None:
        """Moves control on by a verdict."""
        before = expansion.frame
        expansion.frame = before.success if verdict else before.failure
        self.depths[expansion.number] = expansion.frame.transience
        if before.transience and not expansion.frame.transience and self.system.removes:
            state = self.states.found[expansion.number]._replace(frame=expansion.frame)
            if self.generator.is_removed(state):  # properties are tested outside atomic blocks only
                self._remove(expansion.number)
        if before.is_inner and not expansion.frame.is_inner:
            expansion.returned = self.generator.as_nodes(before.returned(verdict), {}) or ()

    def _test(self, expansion: StateExpansion, host: Host) -> None:
        """Tests the properties of a state; a violation may end its expansion.

        Their matches are loops at the current place of control, which is another state if a verdict has just left a
        recipe.
        """
        expansion.is_tested = True
        state = self.states.found[expansion.number]
        here = expansion.number if expansion.frame == state.frame else None
        for rule, matches in self.generator.properties(host):
            for match in matches:
                here = self.number(state._replace(frame=expansion.frame)) if here is None else here
                self._add(expansion, OutgoingTransition(rule.name, self.generator.arguments(match), here, match))
            if self.generator.breaks(rule, matches):
                policy = self.system.policy(rule)
                expansion.broken += (rule.name,)
                expansion.is_over = expansion.is_over or policy != SILENT
                if policy == REMOVE:
                    self._remove(expansion.number)

    # ── absence ──────────────────────────────────────────────────────────────────────────────────

    def _mark_absent(self, batch: Sequence[StateExpansion]) -> None:
        """Marks the expanded inner states that reach no end as absent."""
        within = {each.number for each in batch if self.depths[each.number]}
        before: dict[int, list[int]] = {}
        todo: list[int] = []
        for each in batch:
            if each.number in within:
                for target in each.targets:
                    if target in within:
                        before.setdefault(target, []).append(each.number)
                    elif target not in self.absent:
                        todo.append(each.number)
        present = reachable(todo, lambda number: before.get(number, ()))
        self.absent |= within - present

    def _with_recipes(self, outgoing: Iterable[OutgoingTransition]) -> Iterator[OutgoingTransition]:
        """Yields the transitions of a state, with those of the recipes that begin there."""
        for each in outgoing:
            yield each
            step = each.step
            if step is not None and step.is_launch and step.recipe is not None and each.target not in self.removed:
                ends = self._ends_of(each)
                for end, arguments in dict.fromkeys(
                    (end, self.generator.recipe_arguments(step, returned)) for end, returned in ends
                ):
                    self.recipes += 1
                    yield OutgoingTransition(step.recipe, arguments, end, None)

    def _ends_of(self, launch: OutgoingTransition) -> tuple[tuple[int, Arguments], ...]:
        """Returns the end states of a recipe that begins with a step, each with the recipe's results."""
        found = self.states.found
        first = launch.target
        if not found[first].frame.is_inner:
            return ((first, launch.returned or ()),)
        if first not in self._ends:
            ends: dict[tuple[int, Arguments], None] = {}
            seen, todo = {first}, [first]
            while todo:
                now = self.expansions[todo.pop()]
                if now.returned is not None and now.number not in self.removed:
                    ends[now.number, now.returned] = None
                for each in now.outgoing:
                    is_on = each.is_inner and each.step is not None and not each.step.is_launch
                    if not is_on or each.target in self.removed or each.target in seen:
                        continue
                    if found[each.target].frame.is_inner:
                        seen.add(each.target)
                        todo.append(each.target)
                    else:
                        ends[each.target, each.returned or ()] = None
            self._ends[first] = tuple(ends)
        return self._ends[first]

    # ── counting ─────────────────────────────────────────────────────────────────────────────────

    def counts(self, states: int, transitions: int) -> Counts:
        """Returns all counts, given the public counts."""
        present = len(self.states) - len(self.absent)
        into_absent = sum(self._into[each] for each in self.absent)
        return Counts(
            states, transitions, present, self.steps - into_absent, len(self.states), self.steps + self.recipes
        )


# ── labels ───────────────────────────────────────────────────────────────────────────────────────


UNKNOWN = "_"  # it stands for an argument that is not known
_PLACE = re.compile(r"%(?:(\d+)\$)?([-0+ ,]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])")
_REAL = "feg"
MAX_PATTERN_DIGITS = 3  # a number in a pattern is the width of a label


def formatted(pattern: str, arguments: Sequence[str | AttributeValue]) -> str:
    """Formats arguments by a pattern with places such as `%s`, `%2$d` or `%.1f`; empty if they do not fit.

    >>> formatted("%s by %2$d%%", ["n0", AttributeValue("int", 7)])
    'n0 by 7%'
    """
    following = iter(range(len(arguments)))

    def place(found: re.Match[str]) -> str:
        index, flags, width, digits, kind = found.groups()
        if index == "0" or any(len(each or "") > MAX_PATTERN_DIGITS for each in (index, width, digits)):
            raise ValueError
        if kind in "%n":
            return "%" if kind == "%" else "\n"
        argument = arguments[int(index) - 1 if index else next(following)]
        content = argument.content if isinstance(argument, AttributeValue) else argument
        if kind.lower() in "sb":
            return _padded(_plain(argument)[: int(digits) if digits else None], flags, width, kind)
        fits = isinstance(content, (float, Decimal) if kind.lower() in _REAL else int) and kind.lower() in "dfegx"
        if not fits or isinstance(content, bool):
            raise ValueError
        sign = "".join(each for each in "+ " if each in flags)[:1]
        comma = "," * ("," in flags)
        part = f".{digits or 6}" if kind.lower() in _REAL else ""
        return _padded(format(content, f"{sign}{comma}{part}{kind.lower()}"), flags, width, kind)

    try:
        return _PLACE.sub(place, pattern)
    except (ValueError, IndexError, StopIteration):
        return ""


def _plain(argument: str | AttributeValue) -> str:
    """An argument without quotes and types."""
    if not isinstance(argument, AttributeValue):
        return argument
    return argument.content if isinstance(argument.content, str) else argument.text


def _padded(text: str, flags: str, width: str | None, kind: str) -> str:
    text = text.upper() if kind.isupper() else text
    size = int(width or 0)
    if "-" in flags:
        return text.ljust(size)
    if "0" in flags and kind.lower() in "dfegx":
        sign = text[0] if text[0] in "+- " else ""
        return sign + text.removeprefix(sign).rjust(size - len(sign), "0")
    return text.rjust(size)


def argument(world: World, node: int | None) -> str:
    """A parameter's value as GROOVE writes it: a node's name, or a literal."""
    if node is None:
        return UNKNOWN
    value = world.values.get(node)
    return world.text(node) if value is None else value.text


class Labels:
    """The labels of a transition system, numbered by first use."""

    def __init__(self, system: System, lts: Lts) -> None:
        self.system, self.lts = system, lts
        setting = system.grammar.setting("transitionParameters").strip().lower()
        self._shows, self._always = setting not in ("false", "0"), setting == "true"
        self._numbers: dict[tuple[str, Arguments, bool], int] = {}

    def number(self, out: OutgoingTransition) -> int:
        """The number of a transition's label."""
        rule = self.system.rules.get(out.action) if out.match is not None else None
        shown = rule.shown if rule is not None and rule.shown.strip() else ""
        key = (out.action, out.arguments if self._shows or shown else (), out.is_inner)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.lts.labels)
            texts = (argument(self.system.world, each) for each in key[1]) if self._shows else ()
            self.lts.labels.append((out.action, tuple(texts)))
            if out.is_inner:
                self.lts.steps.add(number)
            text = formatted(shown, [self._plain(each) for each in out.arguments]) if shown else ""
            if not text and self._always and not key[1]:
                text = f"{out.action}()"
            if text:
                self.lts.shown[number] = text
        return number

    def _plain(self, node: int | None) -> str | AttributeValue:
        if node is None:
            return UNKNOWN
        return self.system.world.values.get(node) or self.system.world.text(node)
