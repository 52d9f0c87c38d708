"""State space of a grammar: states, transitions, and the inner states of recipes and atomic blocks.

A state is entered at a place in control. Control may then move on in the same state by verdicts: a step applied, or
none did. A step that enters a recipe or an atomic block counts as applied only if the block can end; so inner states
are expanded before such a verdict, as far as needed. An inner state that reaches no end is absent; neither it nor the
transitions to it count.

A recipe is a transition from the state where it begins to each state where it ends: one that is entered outside of it,
or an inner state that control has left by a verdict, which differs from the same graph entered otherwise.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from pentad.grammar.control.automaton import Frame, Step
from pentad.grammar.lts import Counts
from pentad.grammar.matching.host import Host
from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.oracle_answers import Answers
from pentad.grammar.matching.state_index import State, States
from pentad.grammar.matching.successors import Arguments, Stepper
from pentad.grammar.system import ERROR, REMOVE, SILENT, System


class Out(NamedTuple):
    """A transition that leaves a state: of a rule, or of a recipe, which has no match."""

    action: str
    arguments: Arguments
    target: int
    match: Match | None
    step: Step | None = None  # of a rule
    returned: Arguments | None = None  # the parameters of the recipe that ends with it

    @property
    def is_inner(self) -> bool:
        """Whether it is a step within a recipe."""
        return self.step is not None and self.step.is_inner


class Looked:
    """The expansion of a state, as far as it is complete."""

    __slots__ = ("broken", "frame", "host", "is_closed", "is_over", "is_tested", "number", "outs", "returned", "waits")

    def __init__(self, number: int, frame: Frame) -> None:
        self.number, self.frame = number, frame
        self.host: Host | None = None
        self.outs: list[Out] = []
        self.broken: tuple[str, ...] = ()
        self.is_tested = False  # whether its properties were tested
        self.is_over = False  # whether a violation ends it
        self.is_closed = False
        self.returned: Arguments | None = None  # the values of a recipe that a verdict has ended
        self.waits: Wait | None = None

    @property
    def is_final(self) -> bool:
        return self.is_closed and not self.is_over and self.frame.kind == "final"

    @property
    def targets(self) -> Iterator[int]:
        return (each.target for each in self.outs if each.match is not None)


class Wait:
    """A verdict that depends on whether one of several states reaches an end."""

    def __init__(self, targets: Iterable[int]) -> None:
        self.todo = list(dict.fromkeys(targets))[::-1]
        self.seen = set(self.todo)

    def past(self, targets: Iterable[int]) -> None:
        """Replaces the last state by its successors."""
        self.todo.pop()
        fresh = [each for each in dict.fromkeys(targets) if each not in self.seen]
        self.seen.update(fresh)
        self.todo += reversed(fresh)


class Successor(NamedTuple):
    """A transition with its target state."""

    action: str
    arguments: Arguments
    match: Match | None  # of a rule; a recipe has several
    state: State


class Space:
    """All states found so far, by number, and the expansions of inner states."""

    def __init__(self, system: System, isomorphism: bool = False, look: Callable[[], None] | None = None) -> None:
        self.system = system
        self.stepper = Stepper(system)
        self._look = look  # called for every match; ends the search by an exception
        self.states = States(system, isomorphism)
        self.depths: list[int] = []  # nesting in recipes and atomic blocks, as far as is known
        self.absent: set[int] = set()
        self.removed: set[int] = set()
        self.looked: dict[int, Looked] = {}  # expansions of inner states, and of others while in progress
        self.steps = self.recipes = 0  # numbers of transitions: of rules, of recipes
        self._into: Counter[int] = Counter()  # numbers of steps to inner or removed states
        self._fresh: deque[int] = deque()  # inner states still to expand
        self.answers = Answers(system.effects) if system.asks_oracle else None
        self._ends: dict[int, tuple[tuple[int, Arguments], ...]] = {}

    @property
    def start(self) -> State:
        return self.stepper.start

    def number(self, state: State) -> int:
        """Returns the number of a state."""
        number, is_new = self.states.number(state)
        if is_new:
            depth = state.frame.transience
            self.depths.append(depth)
            if self.system.removes and self.stepper.is_removed(state):
                self._remove(number)
                loops = self.stepper.loops(state)
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
        known = self.looked.get(number)
        return (known or self.states.found[number]).frame.is_inner

    def is_public(self, number: int) -> bool:
        """Whether a state lies in no recipe and is not absent."""
        return number not in self.absent and not self.is_within(number)

    # ── expansion ─────────────────────────────────────────────────────────────────────────────────

    def look(self, number: int) -> Looked:
        """Expands a state, and all inner states that it reaches."""
        mine = self._known(number)
        if mine.is_closed:
            return mine
        batch: list[Looked] = []
        self._close(mine, -1, batch)
        while self._fresh:
            each = self._known(self._fresh.pop())
            if not each.is_closed and self.depths[each.number]:
                self._close(each, 0, batch)
        self._judge(batch)
        for each in batch:
            each.outs = list(self._with_recipes(each.outs))
        if not self.states.found[number].frame.transience:
            del self.looked[number]
        return mine

    def successors(self, state: State) -> tuple[list[Successor], bool, tuple[str, ...]]:
        """The transitions of a state, whether it is final, and the properties that it violates."""
        looked = self.look(self.number(state))
        found = self.states.found
        outs = [
            Successor(each.action, each.arguments, each.match, found[each.target])
            for each in looked.outs
            if not each.is_inner and self.is_public(each.target)
        ]
        return outs, looked.is_final, looked.broken

    def _known(self, number: int) -> Looked:
        known = self.looked.get(number)
        if known is None:
            known = self.looked[number] = Looked(number, self.states.found[number].frame)
        return known

    def _close(self, first: Looked, floor: int, batch: list[Looked]) -> None:
        """Expands a state until it is closed or control is down to a floor, and the states that it waits for."""
        stack = [first]
        while stack:
            now = stack[-1]
            needed = None if now.waits is None else self._needed(now, now.waits)
            if needed is not None:
                stack.append(needed)
            elif self._goes_on(now, stack[-2].frame.transience if len(stack) > 1 else floor):
                stack.pop()
                if now.is_closed:
                    now.host = None
                    batch.append(now)
                elif self.depths[now.number]:
                    self._fresh.appendleft(now.number)

    def _needed(self, looked: Looked, wait: Wait) -> Looked | None:
        """A state that must be expanded before a verdict; None if the verdict is decided."""
        level = looked.frame.transience
        while wait.todo:
            number = wait.todo[-1]
            if number in self.removed:
                wait.past(())
            elif self.depths[number] <= level:
                break
            else:
                known = self._known(number)
                if not known.is_closed:
                    return known
                wait.past(known.targets)
        looked.waits = None
        self._move(looked, verdict=bool(wait.todo))
        return None

    def _goes_on(self, looked: Looked, floor: int) -> bool:
        """Applies the steps of control in a state, down to a floor; returns False if a verdict is pending."""
        state = self.states.found[looked.number]
        if looked.host is None:
            looked.host = self.stepper.host(state)
            looked.broken = self.stepper.ill_typed(looked.host)
            looked.is_over = bool(looked.broken) and self.system.type_policy == ERROR
        while looked.frame.transience > floor:
            frame = looked.frame
            if not (frame.transience or looked.is_tested or looked.is_over):
                self._test(looked, looked.host)
            if looked.is_over or frame.kind != "trial":
                looked.is_closed = True
                return True
            targets: list[int] = []
            for step in frame.steps:
                known = partial(self.answers.known, looked.number, frame.place) if self.answers else None
                for each in self.stepper.done(step, state, looked.host, known):
                    target = self.number(each.state)
                    if self.answers:
                        self.answers.keep(looked.number, frame.place, each.match, target)
                    targets.append(target)
                    self._add(looked, Out(step.action, each.arguments, target, each.match, step, each.returned))
            level = frame.transience
            if targets and frame.success != frame.failure and not any(self._is_out(each, level) for each in targets):
                looked.waits = Wait(targets)
                return False
            self._move(looked, verdict=bool(targets))
        return True

    def _is_out(self, number: int, level: int) -> bool:
        """Whether a state is known to be no deeper than a level."""
        return self.depths[number] <= level and number not in self.removed

    def _add(self, looked: Looked, out: Out) -> None:
        if self._look is not None:
            self._look()
        looked.outs.append(out)
        self.steps += 1
        if self.states.found[out.target].frame.transience or out.target in self.removed:
            self._into[out.target] += 1

    def _move(self, looked: Looked, verdict: bool) -> None:
        """Moves control on by a verdict."""
        before = looked.frame
        looked.frame = before.success if verdict else before.failure
        self.depths[looked.number] = looked.frame.transience
        if before.transience and not looked.frame.transience and self.system.removes:
            state = self.states.found[looked.number]._replace(frame=looked.frame)
            if self.stepper.is_removed(state):  # it is tested from here on, before anything leads to it
                self._remove(looked.number)
        if before.is_inner and not looked.frame.is_inner:
            looked.returned = self.stepper.as_nodes(before.returned(verdict), {}) or ()

    def _test(self, looked: Looked, host: Host) -> None:
        """Tests the properties of a state, one of which may end it.

        Their matches are loops at the current place of control, which is another state if a verdict has just left a
        recipe.
        """
        looked.is_tested = True
        state = self.states.found[looked.number]
        here = looked.number if looked.frame == state.frame else None
        for rule, matches in self.stepper.properties(host):
            for match in matches:
                here = self.number(state._replace(frame=looked.frame)) if here is None else here
                self._add(looked, Out(rule.name, self.stepper.arguments(match), here, match))
            if self.stepper.breaks(rule, matches):
                policy = self.system.policy(rule)
                looked.broken += (rule.name,)
                looked.is_over = looked.is_over or policy != SILENT
                if policy == REMOVE:
                    self._remove(looked.number)

    # ── absence ──────────────────────────────────────────────────────────────────────────────────

    def _judge(self, batch: Sequence[Looked]) -> None:
        """Finds the absent states among the expanded ones."""
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
        present = set(todo)
        while todo:
            fresh = [each for each in before.get(todo.pop(), ()) if each not in present]
            present.update(fresh)
            todo += fresh
        self.absent |= within - present

    def _with_recipes(self, outs: Iterable[Out]) -> Iterator[Out]:
        """The transitions of a state, with the recipes that begin there."""
        for each in outs:
            yield each
            step = each.step
            if step is not None and step.is_launch and step.recipe is not None and each.target not in self.removed:
                ends = self._ends_of(each)
                for end, arguments in dict.fromkeys(
                    (end, self.stepper.recipe_arguments(step, returned)) for end, returned in ends
                ):
                    self.recipes += 1
                    yield Out(step.recipe, arguments, end, None)

    def _ends_of(self, launch: Out) -> tuple[tuple[int, Arguments], ...]:
        """The end states of a recipe that begins with a step, and the values that it returns there."""
        found = self.states.found
        first = launch.target
        if not found[first].frame.is_inner:
            return ((first, launch.returned or ()),)
        if first not in self._ends:
            ends: dict[tuple[int, Arguments], None] = {}
            seen, todo = {first}, [first]
            while todo:
                now = self.looked[todo.pop()]
                if now.returned is not None and now.number not in self.removed:
                    ends[now.number, now.returned] = None
                for each in now.outs:
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
        """The counts of everything found, given the public counts."""
        present = len(self.states) - len(self.absent)
        into_absent = sum(self._into[each] for each in self.absent)
        return Counts(
            states, transitions, present, self.steps - into_absent, len(self.states), self.steps + self.recipes
        )
