"""A transition system: what an exploration finds, as numbers in columns.

States are numbered from 0, the start, in the order in which they were found.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.grammar.graph import GrammarError, Graph


class Counts(NamedTuple):
    """How much was found, without and with what lies within recipes and what is absent.

    Absent is what was begun as a whole and leads to no end, or was removed.
    """

    states: int  # outside of recipes, and not absent
    transitions: int  # between those, of rules and recipes
    present_states: int  # all that are not absent
    present_steps: int  # applications of rules that lead to those
    all_states: int
    all_transitions: int  # of rules and recipes


class Transition(NamedTuple):
    """From a state by an action to a state."""

    source: int
    action: str  # a rule's or a recipe's name
    arguments: tuple[str, ...]
    target: int
    shown: str = ""  # the label that the rule asks for

    @property
    def label(self) -> str:
        """As GROOVE writes it: what the rule asks for, or its name, and what it was applied to if that is shown."""
        if self.shown:
            return self.shown
        return f"{self.action}({','.join(self.arguments)})" if self.arguments else self.action


@dataclass(slots=True)
class Lts:
    """States and transitions, a column each; labels are numbers into `labels`."""

    labels: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)  # actions with arguments
    sources: array[int] = field(default_factory=lambda: array("q"))
    actions: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    states: int = 0
    final: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)  # found and not looked at: beyond a bound
    broken: dict[int, tuple[str, ...]] = field(default_factory=dict)  # the invariants that a state breaks
    inner: set[int] = field(default_factory=set)  # states within recipes, where they are kept
    steps: set[int] = field(default_factory=set)  # the labels of steps within recipes, where they are kept
    shown: dict[int, str] = field(default_factory=dict)  # labels that rules ask for, by number
    found: Counts | None = None  # where the engine can tell
    depths: array[int] = field(default_factory=lambda: array("q"))  # the fewest transitions from the start
    describe: Callable[[int], str] | None = None  # a state in words, where the engine can tell it
    graph: Callable[[int], Graph] | None = None  # a state as a graph, where the engine can tell it
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
        """A label by its number, as GROOVE writes it."""
        name, arguments = self.labels[number]
        return self.shown.get(number) or (f"{name}({','.join(arguments)})" if arguments else name)

    def is_step(self, number: int) -> bool:
        """Whether a transition is a step within a recipe."""
        return self.actions[number] in self.steps

    def counts(self) -> Counts:
        """How much was found, within recipes too."""
        if self.found is None:
            raise GrammarError("States within recipes were not counted; explore with inner=True.")
        return self.found

    def __iter__(self) -> Iterator[Transition]:
        return map(self.transition, range(len(self.sources)))

    def sort(self) -> None:
        """Put the transitions in the order of their sources, so that `leaving` finds them."""
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
