"""The general engine: explores any grammar, state by state, by matching rules and applying them.

A state is a graph and a place in the control program. States are found again by number where graphs are compared as
they are, and by shape where they are compared up to isomorphism.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from pentad.grammar.control.automaton import Asked, Frame, Given, Step
from pentad.grammar.language.values import Value
from pentad.grammar.matching.alike import Alike, Compared
from pentad.grammar.matching.finder import Match
from pentad.grammar.matching.host import Host
from pentad.grammar.rules.rule import CONDITION, FORBIDDEN, INVARIANT, Rule
from pentad.grammar.system import ERROR, OFF, REMOVE, System


class State(NamedTuple):
    """A graph and a place in the control program."""

    nodes: int
    edges: int
    frame: Frame


class Successor(NamedTuple):
    """What leaves a state: the action, what it was applied to, and where it leads."""

    action: str
    arguments: tuple[int, ...]
    event: Hashable
    match: Match | None  # of a rule; a recipe has several
    state: State

    @property
    def identity(self) -> Hashable:
        """What tells it from others of the same event: a recipe's by its end, a rule's by its place in control."""
        return self.state if self.match is None else self.state.frame.key


class Stepper:
    """What follows from a state; knows nothing of other states."""

    def __init__(self, system: System, look: Callable[[], None] | None = None) -> None:
        self.system = system
        self._look = look  # called for every state within a recipe; ends the search by an exception

    @property
    def start(self) -> State:
        return State(self.system.nodes, self.system.edges, self.system.control.start())

    def successors(self, state: State) -> tuple[list[Successor], bool]:
        """All that leaves a state, and whether the state is a final one.

        Properties are looked at first: their matches lead back to the state. One that is broken ends it there,
        unless its policy is to be silent.
        """
        host = self.system.host(state.nodes, state.edges)
        if self._miscounted(host) and self.system.type_policy == ERROR:
            return [], False
        found: list[Successor] = []
        frame, broken = state.frame, False
        if frame.transience == 0:
            for rule in self.system.properties:
                matches = self._matches(rule.name, host)
                found += [Successor(rule.name, match.arguments(), match.event, match, state) for match in matches]
                broken |= self._breaks(rule, matches) and self.system.policy(rule) == ERROR
        while frame.kind == "trial" and not broken:
            any_found = False
            for step in frame.steps:
                mine = list(self._follow(step, state, host))
                any_found = any_found or bool(mine)
                found += mine
            frame = frame.success if any_found else frame.failure
        distinct = {
            (each.action, each.event, each.state.frame.key if each.match else each.state): each for each in found
        }
        return list(distinct.values()), frame.kind == "final" and not broken

    def broken(self, state: State) -> tuple[str, ...]:
        """What a state breaks: counts of its types, invariants that do not hold, forbidden patterns that are there."""
        if state.frame.transience:
            return ()
        host = self.system.host(state.nodes, state.edges)
        bounds = (rule for rule in self.system.properties if rule.role != CONDITION)
        return self._miscounted(host) + tuple(
            rule.name for rule in bounds if self._breaks(rule, self._matches(rule.name, host))
        )

    def is_removed(self, state: State) -> bool:
        """Whether a state is one of those that a policy takes away."""
        if not self.system.removes or state.frame.transience:
            return False
        host = self.system.host(state.nodes, state.edges)
        if self.system.type_policy == REMOVE and self._miscounted(host):
            return True
        return any(
            self.system.policy(rule) == REMOVE and self._breaks(rule, self._matches(rule.name, host))
            for rule in self.system.properties
        )

    def _breaks(self, rule: Rule, matches: list[Match]) -> bool:
        return rule.role == (FORBIDDEN if matches else INVARIANT)

    def _miscounted(self, host: Host) -> tuple[str, ...]:
        types = self.system.types
        return types.violations(host) if types is not None and types.counts and self.system.type_policy != OFF else ()

    def _matches(self, name: str, host: Host) -> list[Match]:
        return self.system.finders[name].matches(host)

    def given(self, step: Step) -> dict[int, int] | None:
        """The variables that a call gives; None where it gives a node that is no longer there."""
        rule = self.system.rules[step.action]
        given: dict[int, int] = {}
        for parameter, argument in zip(rule.parameters, step.arguments or (), strict=False):
            if isinstance(argument, Given):
                value = argument.value
                if value is None:
                    return None
                if isinstance(value, Value):
                    value = self.system.world.value(value)
                assert isinstance(value, int)
                given[parameter.variable] = value
        return given

    def calls(self, step: Step, host: Host) -> Iterator[Match]:
        """The matches of a call."""
        given = self.given(step)
        if given is None:
            return
        values = self.system.world.values
        if any(node not in values and not host.has_node(node) for node in given.values()):
            return
        yield from self.system.finders[step.action].matches(host, given)

    def apply(self, step: Step, match: Match, state: State) -> State:
        after = self.system.effects.apply(match, state.nodes, state.edges)
        return State(after[0], after[1], self._still_there(step.after(self._outputs(step, match)), after[0]))

    def _still_there(self, frame: Frame, nodes: int) -> Frame:
        """The place in control where its variables know of nodes that were merged and of those that are gone."""
        if not frame.values:
            return frame
        merged = self.system.effects.last_merged
        values: list[Hashable] = []
        for value in frame.values:
            node = merged.get(value, value) if isinstance(value, int) else None
            values.append(value if node is None else node if nodes >> node & 1 else None)
        return frame if tuple(values) == frame.values else frame.rebound(values)

    def _outputs(self, step: Step, match: Match) -> tuple[Hashable, ...]:
        if not step.arguments:
            return ()
        created = self.system.effects.last_created
        values = self.system.world.values
        outputs: list[Hashable] = []
        for parameter, argument in zip(match.rule.parameters, step.arguments, strict=False):
            if isinstance(argument, Asked):
                node = match.found[parameter.variable]
                if node is None:
                    node = created[parameter.variable]
                outputs.append(values.get(node, node))  # type: ignore[call-overload]
        return tuple(outputs)

    def _follow(self, step: Step, state: State, host: Host) -> Iterator[Successor]:
        for match in self.calls(step, host):
            if self._look is not None:
                self._look()
            after = self.apply(step, match, state)
            if self.is_removed(after):
                continue
            if step.recipe is None:
                arguments = self._arguments(match)
                deeper = after.frame.transience > state.frame.transience
                if deeper and not self._ends(after, state.frame.transience):  # a block that cannot be gone through
                    continue
                yield Successor(step.action, arguments, match.event, match, after)
                continue
            for end in self._ends(after, state.frame.transience):
                if self.is_removed(end):
                    continue
                yield Successor(step.recipe, (), (match.rule.name, match.event), None, end)

    def _arguments(self, match: Match) -> tuple[int, ...]:
        created = self.system.effects.last_created
        return tuple(
            match.found[each.variable] if match.found[each.variable] is not None else created[each.variable]  # type: ignore[misc]
            for each in match.rule.parameters
        )

    def _ends(self, begun: State, level: int) -> list[State]:
        """Where what has begun, a recipe or an atomic block, can end: where control is no deeper than `level` again.

        Nowhere, if it always gets stuck.
        """
        ends: dict[State, None] = {}
        seen, todo = {begun}, [begun]
        while todo:
            state = todo.pop()
            if self._look is not None:
                self._look()
            host = self.system.host(state.nodes, state.edges)
            frame = state.frame
            while frame.transience > level and frame.kind == "trial":
                any_found = False
                for step in frame.steps:
                    reached = self._inner(step, state, host)
                    any_found = any_found or bool(reached)
                    todo += [each for each in reached if each not in seen]
                    seen.update(reached)
                frame = frame.success if any_found else frame.failure
            if frame.transience <= level:  # it is over without another step
                ends[State(state.nodes, state.edges, frame)] = None
        return list(ends)

    def _inner(self, step: Step, state: State, host: Host) -> list[State]:
        """The states that a step leads to within a recipe; of one that goes deeper, those from which it ends."""
        reached: list[State] = []
        for match in self.calls(step, host):
            after = self.apply(step, match, state)
            deeper = after.frame.transience > state.frame.transience
            if step.recipe is not None:
                reached += self._ends(after, state.frame.transience)
            elif not deeper or self._ends(after, state.frame.transience):
                reached.append(after)
        return reached


class States:
    """The states that were found, each once: equal, or isomorphic where that is asked."""

    def __init__(self, system: System, isomorphism: bool) -> None:
        self.system, self.isomorphism = system, isomorphism
        self.found: list[State] = []
        self._exact: dict[tuple[int, int, Hashable], int] = {}
        self._alike = Alike(system.world) if isomorphism else None

    def __len__(self) -> int:
        return len(self.found)

    def number(self, state: State) -> tuple[int, bool]:
        """A state's number, and whether it is new."""
        key = (state.nodes, state.edges, state.frame.key)
        known = self._exact.get(key)
        if known is not None:
            return known, False
        number = len(self.found)
        if self._alike is not None:
            compared = Compared(state.nodes, state.edges, tuple(state.frame.values), state.frame.place)
            number = self._alike.number(compared, number)
        self._exact[key] = number
        if number < len(self.found):
            return number, False
        self.found.append(state)
        return number, True
