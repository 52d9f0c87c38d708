"""Kernels of statistics: degrees, cycles, choices and uses of labels; plain functions, for lists and for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pentad.grammar.logic import bisimulation_kernels
from pentad.grammar.logic.fixpoint_kernels import Numbers


def largest_degree(begins: Numbers) -> int:
    """The largest number of transitions that leave a state."""
    most = 0
    for state in range(len(begins) - 2):
        if begins[state + 1] - begins[state] > most:
            most = begins[state + 1] - begins[state]
    return most


def degrees(begins: Numbers, counts: Numbers) -> None:
    """Counts the states by the number of transitions that leave them."""
    for state in range(len(begins) - 2):
        counts[begins[state + 1] - begins[state]] += 1


def cycles(begins: Numbers, targets: Numbers, parts: Numbers, sizes: Numbers, stats: Numbers) -> None:
    """Writes the size of each component, and that of the largest one and the number of states on cycles."""
    for part in parts:
        sizes[part] += 1
    for state in range(len(parts)):
        size = sizes[parts[state]]
        if size > stats[0]:
            stats[0] = size
        is_cyclic = 1 if size > 1 else 0
        for edge in range(begins[state], begins[state + 1]):
            if targets[edge] == state:
                is_cyclic = 1
        stats[1] += is_cyclic


def choices(begins: Numbers, actions: Numbers, seen: Numbers) -> int:
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


def uses(actions: Numbers, counts: Numbers) -> None:
    """Counts the transitions of each label."""
    for action in actions:
        counts[action] += 1


_I, _L = "int32[]", "int64[]"
_SHARED = ("is_sorted", "count", "group", "narrow", "relabel", "relabel_short", "fill", "components", "levels")
NATIVE: dict[str, tuple[Callable[..., Any], str]] = {
    **{name: bisimulation_kernels.NATIVE[name] for name in _SHARED},
    "largest_degree": (largest_degree, _L),
    "degrees": (degrees, f"{_L} {_L}"),
    "cycles": (cycles, f"{_L} {_I} {_I} {_I} {_L}"),
    "choices": (choices, f"{_L} {_I} {_I}"),
    "uses": (uses, f"{_I} {_L}"),
}
