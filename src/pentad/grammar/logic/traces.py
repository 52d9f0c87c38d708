"""Traces: paths in a transition system, with an optional loop at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic.adjacency import Columns
from pentad.grammar.lts import Lts, Transition

Goal: TypeAlias = str | int | Callable[[int], bool]


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
        return f"{self.start}{path}" + ("" if self.loop is None else f", and again from step {self.loop + 1} on")

    def lines(self, lts: Lts) -> list[str]:
        """A line for each state, with the step that led there and the text of the state, if the system provides it."""
        labels = ["start", *(step.label for step in self.steps)]
        lines = []
        for number, (label, state) in enumerate(zip(labels, self.states, strict=True)):
            edges = f": {lts.describe(state)}" if lts.describe else ""
            lines.append(f"{number}. {label} → state {state}{edges}")
        return lines if self.loop is None else [*lines, f"and again from {self.loop + 1} on"]

    def json(self) -> dict[str, Any]:
        """The trace as JSON data."""
        steps = [
            {"action": step.action, "arguments": list(step.arguments), "target": step.target} for step in self.steps
        ]
        return {"start": self.start, "steps": steps, "loop": self.loop}


def trace(lts: Lts, start: int, numbers: list[int], loop: int | None = None) -> Trace:
    """The trace of transitions with these numbers."""
    return Trace(start, tuple(map(lts.transition, numbers)), loop)


def shortest(lts: Lts, goal: Goal) -> Trace | None:
    """A shortest trace to a state, given by its number, a predicate or a formula; None if there is none.

    A formula may be just the name of an action, for a state where it is enabled, or `$final`.
    """
    import numpy as np

    if not lts.states:
        raise GrammarError("A transition system without states has no traces.")
    columns = Columns(lts, lts.states)
    if isinstance(goal, str):
        from pentad.grammar.logic.ctl import check

        marks = check(goal, lts, witness=False).states
    elif callable(goal):
        marks = np.fromiter(map(goal, range(lts.states)), np.bool_, lts.states)
    elif isinstance(goal, int) and not isinstance(goal, bool) and 0 <= goal < lts.states:
        marks = columns.none()
        marks[goal] = True
    else:
        raise GrammarError(f"No state {shown(goal)}; states are numbered from 0 to {lts.states - 1}.")
    found = columns.path(0, ~columns.none(), marks)
    return None if found is None else trace(lts, 0, found)
