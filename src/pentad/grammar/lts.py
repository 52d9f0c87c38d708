"""Labelled transition system: the result of an exploration, as columns of numbers.

States are numbered in the order of discovery; the start is 0.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pentad.grammar.graph import GrammarError, Graph
from pentad.system.words import phrase

START, FINAL, OPEN = "$start", "$final", "$open"  # labels of GROOVE's loops that mark states


class Counts(NamedTuple):
    """The numbers of states and transitions, without and with those within recipes and absent ones.

    A state is absent if it is within an atomic block or recipe that cannot be completed, or if it was removed.
    """

    states: int  # outside recipes, not absent
    transitions: int  # the steps of rules and recipes between these
    present_states: int  # not absent, including those within recipes
    present_steps: int  # rule applications that lead to present states
    all_states: int
    all_transitions: int  # the steps of rules and recipes


def depths_of(levels: Sequence[int]) -> array[int]:
    """The depths of states in the order of breadth-first search, by the first state of each level and the end.

    >>> list(depths_of([0, 1, 3, 4]))
    [0, 1, 1, 2]
    """
    found, states = array("i"), levels[-1]
    for depth, (begin, end) in enumerate(pairwise(min(each, states) for each in levels)):
        found.extend(array("i", [depth]) * (end - begin))
    return found


def label(action: str, arguments: tuple[str, ...]) -> str:
    """The label of a transition as GROOVE writes it."""
    return f"{action}({','.join(arguments)})" if arguments else action


class Transition(NamedTuple):
    """A transition from a state to a state by an action."""

    source: int
    action: str  # a rule or a recipe has this name
    arguments: tuple[str, ...]
    target: int
    shown: str = ""  # the label that the rule sets, if any

    @property
    def label(self) -> str:
        """The label as GROOVE writes it: the one that the rule sets, or its name with arguments, if they are shown."""
        return self.shown or label(self.action, self.arguments)


@dataclass(slots=True)
class Lts:
    """States and transitions as columns; `actions` are indices into `labels`."""

    labels: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)  # each is an action with arguments
    sources: array[int] = field(default_factory=lambda: array("q"))
    actions: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    states: int = 0
    final: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)  # found but not explored: beyond a bound
    broken: dict[int, tuple[str, ...]] = field(default_factory=dict)  # the invariants that a state violates
    inner: set[int] = field(default_factory=set)  # the states within recipes, if they are stored
    steps: set[int] = field(default_factory=set)  # the labels of steps within recipes, if they are stored
    shown: dict[int, str] = field(default_factory=dict)  # labels that rules set, by number
    weights: dict[str, float] = field(default_factory=dict)  # the weight of an action for probabilities, if it is not 1
    found: Counts | None = None  # if the engine counts them
    depths: array[int] = field(default_factory=lambda: array("q"))  # the distance from the start
    describe: Callable[[int], str] | None = None  # the text of a state, if the engine provides it
    graph: Callable[[int], Graph] | None = None  # the graph of a state, if the engine provides it
    _first: array[int] | None = None

    def __len__(self) -> int:
        return self.states

    @property
    def transitions(self) -> int:
        return len(self.sources)

    def add(self, source: int, action: int, target: int) -> None:
        self.sources.append(source)
        self.actions.append(action)
        self.targets.append(target)
        self._first = None

    def transition(self, number: int) -> Transition:
        name, arguments = self.labels[self.actions[number]]
        shown = self.shown.get(self.actions[number], "")
        return Transition(self.sources[number], name, arguments, self.targets[number], shown)

    def label(self, number: int) -> str:
        """The label with a number, as GROOVE writes it."""
        return self.shown.get(number) or label(*self.labels[number])

    @property
    def texts(self) -> list[str]:
        """All labels by number, as GROOVE writes them."""
        return [self.label(number) for number in range(len(self.labels))]

    @property
    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Source, label and target of each transition."""
        return zip(self.sources, self.actions, self.targets, strict=True)

    def is_step(self, number: int) -> bool:
        """Whether a transition is a step within a recipe."""
        return self.actions[number] in self.steps

    def counts(self) -> Counts:
        """The numbers of states and transitions, including those within recipes."""
        if self.found is None:
            raise GrammarError("States within recipes were not counted; explore with inner=True.")
        return self.found

    def __iter__(self) -> Iterator[Transition]:
        return map(self.transition, range(len(self.sources)))

    def sort(self) -> None:
        """Sorts the transitions by source, as `leaving` requires."""
        if any(a > b for a, b in zip(self.sources, self.sources[1:], strict=False)):
            order = sorted(range(len(self.sources)), key=self.sources.__getitem__)
            for name in ("sources", "actions", "targets"):
                column = getattr(self, name)
                setattr(self, name, array("q", (column[i] for i in order)))
        self._first = self.sources

    def leaving(self, state: int) -> range:
        """The numbers of the transitions that leave a state."""
        if self._first is None:
            self.sort()
        return range(bisect_left(self.sources, state), bisect_right(self.sources, state))

    def enabled(self, state: int) -> set[str]:
        """The actions that leave a state."""
        return {self.labels[self.actions[number]][0] for number in self.leaving(state)}


@dataclass(frozen=True, slots=True)
class Trace:
    """A path as a sequence of transitions; with `loop` it repeats forever from that step on.

    >>> print(Trace(0, (Transition(0, "place", ("n1",), 3), Transition(3, "turn", (), 0)), loop=0))
    0 —place(n1)→ 3 —turn→ 0, and again from step 1 on
    """

    start: int
    steps: tuple[Transition, ...] = ()
    loop: int | None = None  # the number of steps before the repeated part

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def states(self) -> tuple[int, ...]:
        """The states on the path, from its start to its end."""
        return self.start, *(step.target for step in self.steps)

    @property
    def end(self) -> int:
        return self.steps[-1].target if self.steps else self.start

    def __str__(self) -> str:
        path = "".join(f" —{step.label}→ {step.target}" for step in self.steps)
        return f"{self.start}{path}" + (
            "" if self.loop is None else phrase(", and again from step {loop} on", loop=self.loop + 1)
        )

    def lines(self, lts: Lts) -> list[str]:
        """A line for each state, with the step that led there and the text of the state, if the system provides it."""
        labels = ["start", *(step.label for step in self.steps)]
        lines = []
        for number, (label, state) in enumerate(zip(labels, self.states, strict=True)):
            edges = f": {lts.describe(state)}" if lts.describe else ""
            lines.append(f"{number}. {label} → state {state}{edges}")
        return lines if self.loop is None else [*lines, phrase("and again from {loop} on", loop=self.loop + 1)]

    def json(self) -> dict[str, Any]:
        """The trace as JSON data."""
        steps = [
            {"action": step.action, "arguments": list(step.arguments), "target": step.target} for step in self.steps
        ]
        return {"start": self.start, "steps": steps, "loop": self.loop}


def trace(lts: Lts, start: int, numbers: list[int], loop: int | None = None) -> Trace:
    """The trace of transitions with these numbers."""
    return Trace(start, tuple(map(lts.transition, numbers)), loop)
