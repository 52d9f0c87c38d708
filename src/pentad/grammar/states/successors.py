"""Successors of a single state: the steps that control tries, matched and applied; violated properties.

The index of states merges equal states, or optionally isomorphic ones. The oracle's answers are kept: a match that
persists in the next state keeps its values. So two independent matches lead to the same graph in either order. The
oracle is asked again if control is at another place, if the match or the previous one involves a quantifier, or if the
match is the previous one itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from pentad.grammar.control.automaton import Frame, Given, Step
from pentad.grammar.control.calls import OutArgument
from pentad.grammar.graph import GrammarError
from pentad.grammar.host import Host
from pentad.grammar.language.user_operations import Failed, called
from pentad.grammar.language.values import Value
from pentad.grammar.matching.isomorphism import Compared, IsomorphismClasses
from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.rule_effects import Effects
from pentad.grammar.rules.host_reader import graph_of
from pentad.grammar.rules.rule import CONDITION, FORBIDDEN, INVARIANT, Rule
from pentad.grammar.system import OFF, REMOVE, System

Event: TypeAlias = tuple[str, Hashable]  # a rule, and the event of its match


class Answers:
    """The oracle's answers by state."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._given: dict[tuple[int, Hashable, Event], Mapping[int, int]] = {}  # by state, place in control, and event
        # how a state was first reached: from which state, by which event, and whether it involves no quantifier
        self._entries: dict[int, tuple[int, Event, bool]] = {}

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
            compared = Compared(state.nodes, state.edges, tuple(state.frame.values), state.frame.place)
            number = self._classes.number(compared, number)
        self._exact[key] = number
        if number < len(self.found):
            return number, False
        self.found.append(state)
        return number, True


Arguments: TypeAlias = tuple[int | None, ...]  # the values of parameters; None for an unknown one


class AppliedStep(NamedTuple):
    """An applied step: its match, the values of its parameters, and the resulting state."""

    step: Step
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
        self, step: Step, state: State, host: Host, known: Callable[[Match], Mapping[int, int]] | None = None
    ) -> Iterator[AppliedStep]:
        """Applies a step of control in a state; `known` returns the oracle's answers that a match keeps."""
        for match in self.calls(step, host):
            answers = None if known is None else known(match)
            after = self.system.effects.apply(match, state.nodes, state.edges, answers)
            arguments = self.arguments(match)
            outputs = self._outputs(step, arguments)
            frame = self._updated_frame(step.after(outputs), after[0])
            returned = step.returned(outputs) if step.is_inner and not frame.is_inner else None
            yield AppliedStep(
                step, match, arguments, State(*after, frame), self.as_nodes(returned, self.system.effects.last_merged)
            )

    def calls(self, step: Step, host: Host) -> list[Match]:
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
        world = self.system.world
        graph = graph_of(world, host.nodes, host.edges, self.system.start)
        kept: list[Match] = []
        for match in found:
            pairs = zip(rule.names, match.found, strict=True)
            nodes = {name: self._node(node) for name, node in pairs if isinstance(node, int)}
            try:
                is_kept = called(lambda nodes: bool(counts(graph, nodes)), nodes)
            except Failed as error:
                what = f"The filter of matches {rule.filter} fails: {error}"
                raise GrammarError(what, f"{rule.name}.gpr") from error
            if is_kept:
                kept.append(match)
        return kept

    def _node(self, node: int) -> str:
        """The name of a node, or the text of a value."""
        value = self.system.world.values.get(node)
        return value.text if value is not None else self.system.world.names.get(node, f"new{node}")

    def given(self, step: Step) -> dict[int, int] | None:
        """The variables that a call binds; None if it passes no value, or one that the rule does not accept."""
        rule = self.system.rules[step.action]
        given: dict[int, int] = {}
        for parameter, argument in zip(rule.parameters, step.arguments or (), strict=False):
            if isinstance(argument, Given):
                value = argument.value
                if value is None or rule.constants.get(parameter.variable, value) != value:
                    return None
                if isinstance(value, Value):
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

    def _outputs(self, step: Step, arguments: Arguments) -> tuple[Hashable, ...]:
        values = self.system.world.values
        return tuple(
            values.get(node, node) if node is not None else None
            for node, argument in zip(arguments, step.arguments or (), strict=False)
            if isinstance(argument, OutArgument)
        )

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
            if isinstance(value, Value):
                found.append(self.system.world.value(value))
            else:
                assert value is None or isinstance(value, int)
                found.append(None if value is None else merged.get(value, value))
        return tuple(found)

    def recipe_arguments(self, step: Step, returned: Arguments) -> Arguments:
        """The parameters of a recipe that began with a step and returned these values."""
        if step.recipe_arguments is None:
            return returned
        given = [each.value if isinstance(each, Given) else None for each in step.recipe_arguments]
        known = self.as_nodes(tuple(given), {}) or ()
        return tuple(one if one is not None else other for one, other in zip(known, returned, strict=True))
