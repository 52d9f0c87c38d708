"""Statistics of a transition system: degrees, depths, deadlocks, cycles and actions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import statistics_kernels as k
from pentad.grammar.logic.bisimulation import LabelClasses, check_memory, component_room, loaded
from pentad.grammar.logic.runner import Runner
from pentad.grammar.lts import Lts
from pentad.kernels.types import Int32s


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a transition system; `components` are strongly connected, `cyclic` counts the states on cycles."""

    states: int
    transitions: int
    degrees: tuple[int, ...]  # the number of states with 0, 1, 2, … transitions
    depths: tuple[int, ...]  # the number of states at distance 0, 1, 2, … from the start
    deadlocks: int  # states without transitions that are neither final nor open
    components: int
    largest: int  # the number of states in the largest one
    cyclic: int
    choices: int  # states with two transitions of one label
    actions: dict[str, int]  # the number of transitions of each action

    @property
    def mean_degree(self) -> float:
        """The mean number of transitions that leave a state."""
        return self.transitions / self.states

    @property
    def branching(self) -> float:
        """The mean number of transitions that leave a state, of those that have some."""
        return self.transitions / max(self.states - self.degrees[0], 1)

    def json(self) -> dict[str, Any]:
        """The statistics as JSON data."""
        names = ("degrees", "depths", "deadlocks", "components", "largest", "cyclic", "choices", "actions")
        return {name: getattr(self, name) for name in names} | {"branching": round(self.branching, 6)}


def statistics(lts: Lts, memory: int | None = None) -> Statistics:
    """The statistics of a system; `memory` is a limit in bytes.

    >>> lts = Lts([("go", ("n1",)), ("go", ("n2",))], states=3)
    >>> for row in ((0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 0, 2)):
    ...     lts.add(*row)
    >>> found = statistics(lts)
    >>> found.degrees, found.depths, found.components, found.deadlocks, found.choices, found.actions
    ((1, 0, 2), (1, 1, 1), 2, 1, 1, {'go': 4})
    """
    if not lts.states:
        raise GrammarError("A transition system without states has no statistics.")
    check_memory(lts, memory)
    run, count, labels = Runner(k, lts.states + lts.transitions), lts.states, LabelClasses(lts, (), silent=False)
    system = loaded(run, lts, labels)
    begins, actions, targets, _ = leaving = system.leaving
    most = run.call("largest_degree", begins)
    degrees = run.zeros(most + 1, "int64")
    run.call("degrees", begins, degrees)
    room, parts, colours = component_room(run, count), run.zeros(count, Int32s), run.zeros(count, Int32s)
    same = leaving._replace(actions=run.zeros(lts.transitions, Int32s), silent=0)
    components = run.call("components", same, colours, room, parts)
    sizes, cycles = run.zeros(components, "int32"), k.CycleCounts()
    run.call("cycles", begins, targets, parts, sizes, cycles)
    numbers, stack = room.numbers, room.stack
    run.call("fill", numbers, count, 0)
    depths = run.zeros(count, "int64")
    levels = run.call("levels", begins, targets, numbers, stack, depths)
    seen = run.zeros(len(labels.lts.labels), "int32")
    choices = run.call("choices", begins, actions, seen)
    uses = run.zeros(len(labels.lts.labels), "int64")
    run.call("uses", actions, uses)
    used = Counter[str]()
    for (action, _), times in zip(labels.lts.labels, uses, strict=True):
        used[action] += times
    without = degrees[0] - sum(1 for state in lts.final | lts.open if begins[state] == begins[state + 1])
    return Statistics(
        states=count,
        transitions=lts.transitions,
        degrees=tuple(degrees),
        depths=tuple(depths[:levels]),
        deadlocks=without,
        components=components,
        largest=cycles.largest,
        cyclic=cycles.cyclic,
        choices=choices,
        actions={action: times for action, times in sorted(used.items()) if times},
    )
