"""Kernels over transition systems: grouping of transitions, fixpoints over sets of states, and shortest paths.

They are plain functions: Python calls them with lists for small systems, machine code runs them over arrays for large
ones. A set of states is a column with 1 for each state in it. Transitions are grouped by their state at one end: those
of state s are at the indices begins[s] to begins[s + 1].
"""

from __future__ import annotations

from typing import TypeAlias

from pentad.kernels.parameters import with_types
from pentad.kernels.types import Array, Int32s, Int64s, UInt8s, UInt16s

Numbers: TypeAlias = "list[int] | memoryview[int]"  # a column, for drivers


def is_sorted(column: Int32s) -> bool:
    """Whether a column never decreases."""
    for i in range(1, len(column)):  # noqa: SIM110 - kernels do not support generators
        if column[i - 1] > column[i]:
            return False
    return True


def count(ends: Int32s, begins: Int64s) -> None:
    """Writes where the transitions of each state begin, for a column that is sorted already."""
    for end in ends:
        begins[end + 1] += 1
    for state in range(1, len(begins)):
        begins[state] += begins[state - 1]


def group(ends: Int32s, others: Int32s, begins: Int64s, grouped: Int32s) -> None:
    """Groups the numbers in `others` by the states in `ends`, in the order they have; `begins` has one place more."""
    for end in ends:
        begins[end + 2] += 1
    for state in range(2, len(begins)):
        begins[state] += begins[state - 1]
    for end, other in zip(ends, others):  # noqa: B905 - kernels do not support `strict`
        place = begins[end + 1]  # which ends up where the next state begins
        begins[end + 1] = place + 1
        grouped[place] = other


def narrow(numbers: Int64s, narrowed: Int32s) -> None:
    """Copies numbers of 64 bits into a column of 32 bits."""
    for i in range(len(numbers)):
        narrowed[i] = numbers[i]


def have(sources: Int32s, others: Array[int], wanted: UInt8s, found: UInt8s) -> None:
    """Adds the sources of all transitions whose target, or label, is wanted."""
    for source, other in zip(sources, others):  # noqa: B905 - kernels do not support `strict`
        if wanted[other]:
            found[source] = 1


def have_step(
    sources: Int32s, actions: Array[int], targets: Int32s, wanted: UInt8s, goal: UInt8s, found: UInt8s
) -> int:
    """Adds the sources of all transitions with a wanted label into a goal, from the last one on; returns their number.

    The goal may be the column to which they are added.
    """
    added = 0
    for k in range(len(sources)):
        i = len(sources) - 1 - k
        if wanted[actions[i]] and goal[targets[i]] and found[sources[i]] == 0:
            found[sources[i]] = 1
            added += 1
    return added


def stuck(begins: Int64s, found: UInt8s) -> None:
    """Adds the states without transitions."""
    for state in range(len(found)):
        if begins[state] == begins[state + 1]:
            found[state] = 1


def loops(sources: Int32s, targets: Int32s, found: UInt8s) -> None:
    """Adds the states with a transition to themselves."""
    for i in range(len(sources)):
        if sources[i] == targets[i]:
            found[sources[i]] = 1


def attract(begins: Int64s, sources: Int32s, through: UInt8s, marked: UInt8s, queue: Int32s) -> None:
    """Adds all states in `through` from which some path over such states leads into the set."""
    size = head = 0
    for state in range(len(marked)):
        if marked[state]:
            queue[size] = state
            size += 1
    while head < size:
        state = queue[head]
        head += 1
        for source in sources[begins[state] : begins[state + 1]]:
            if through[source] and not marked[source]:
                marked[source] = 1
                queue[size] = source
                size += 1


def attract_all(
    begins: Int64s,
    sources: Int32s,
    forward: Int64s,
    free: UInt8s,
    through: UInt8s,
    marked: UInt8s,
    left: Int32s,
    queue: Int32s,
) -> None:
    """Adds all states in `through`, except free ones, from which every path over such states leads into the set.

    `forward` is where the transitions that leave each state begin; `left` is scratch.
    """
    size = head = 0
    for state in range(len(marked)):
        left[state] = -1 if free[state] else forward[state + 1] - forward[state]
        if marked[state]:
            queue[size] = state
            size += 1
    while head < size:
        state = queue[head]
        head += 1
        for source in sources[begins[state] : begins[state + 1]]:
            if through[source] and not marked[source]:
                left[source] -= 1
                if left[source] == 0:
                    marked[source] = 1
                    queue[size] = source
                    size += 1


def search(
    begins: Int64s, targets: Int32s, through: UInt8s, goal: UInt8s, start: int, reached_by: Int64s, queue: Int32s
) -> int:
    """Searches the nearest state of a goal, over states in `through`; returns it, or -1.

    `reached_by` gets the index of the transition that reached each state, plus one. A state that is not 0 there is not
    entered; the start has been entered if its number there is not 0.
    """
    queue[0] = start
    size, head = 1, 0
    while head < size:
        state = queue[head]
        head += 1
        for i in range(begins[state], begins[state + 1]):
            target = targets[i]
            if through[target] and reached_by[target] == 0:
                reached_by[target] = i + 1
                if goal[target]:
                    return target
                queue[size] = target
                size += 1
    return -1


NATIVE = {
    "is_sorted": is_sorted,
    "count": count,
    "group": group,
    "narrow": narrow,
    "have": with_types(have, others=Int32s),
    "have_label": with_types(have, others=UInt16s),
    "have_step": with_types(have_step, actions=Int32s),
    "have_short_step": with_types(have_step, actions=UInt16s),
    "stuck": stuck,
    "loops": loops,
    "attract": attract,
    "attract_all": attract_all,
    "search": search,
}
