"""Kernels of statistics: degrees, cycles, choices and uses of labels; plain functions, for lists and for arrays."""

from __future__ import annotations

from pentad.grammar.logic import bisimulation_kernels
from pentad.kernels.types import Counters, Int32s, Int64s


class CycleCounts(Counters):
    """What `cycles` counts."""

    largest: int  # states of the largest component
    cyclic: int  # the number of states on cycles


def largest_degree(begins: Int64s) -> int:
    """The largest number of transitions that leave a state."""
    most = 0
    for state in range(len(begins) - 2):
        if begins[state + 1] - begins[state] > most:
            most = begins[state + 1] - begins[state]
    return most


def degrees(begins: Int64s, counts: Int64s) -> None:
    """Counts the states by the number of transitions that leave them."""
    for state in range(len(begins) - 2):
        counts[begins[state + 1] - begins[state]] += 1


def cycles(begins: Int64s, targets: Int32s, parts: Int32s, sizes: Int32s, counts: CycleCounts) -> None:
    """Writes the size of each component, and counts."""
    for part in parts:
        sizes[part] += 1
    largest, cyclic = 0, 0
    for state in range(len(parts)):
        size = sizes[parts[state]]
        if size > largest:
            largest = size
        is_cyclic = 1 if size > 1 else 0
        for edge in range(begins[state], begins[state + 1]):
            if targets[edge] == state:
                is_cyclic = 1
        cyclic += is_cyclic
    counts.largest, counts.cyclic = largest, cyclic


def choices(begins: Int64s, actions: Int32s, seen: Int32s) -> int:
    """The number of states with two transitions of one label."""
    count = 0
    for state in range(len(begins) - 2):
        twice = 0
        for edge in range(begins[state], begins[state + 1]):
            if seen[actions[edge]] == state + 1:
                twice = 1
            seen[actions[edge]] = state + 1
        count += twice
    return count


def uses(actions: Int32s, counts: Int64s) -> None:
    """Counts the transitions of each label."""
    for action in actions:
        counts[action] += 1


_SHARED = ("is_sorted", "count", "group", "narrow", "relabel", "relabel_short", "fill", "components", "levels")
NATIVE = {
    **{name: bisimulation_kernels.NATIVE[name] for name in _SHARED},
    "largest_degree": largest_degree,
    "degrees": degrees,
    "cycles": cycles,
    "choices": choices,
    "uses": uses,
}
