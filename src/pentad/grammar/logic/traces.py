"""Shortest traces to a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic.ctl import AdjacencyArrays, check
from pentad.grammar.logic.state_sets import StateSet
from pentad.grammar.lts import Lts, Trace, trace
from pentad.system.words import phrase

Goal: TypeAlias = str | int | Callable[[int], bool]


def shortest(lts: Lts, goal: Goal) -> Trace | None:
    """A shortest trace to a state, given by its number, a predicate or a formula; None if there is none.

    A formula may be just the name of an action, for a state where it is enabled, or `$final`.
    """
    if not lts.states:
        raise GrammarError("A transition system without states has no traces.")
    columns = AdjacencyArrays(lts, lts.states)
    if isinstance(goal, str):
        marks = check(goal, lts, witness=False).states
    elif callable(goal):
        marks = StateSet.read(bool(goal(state)) for state in range(lts.states))
    elif isinstance(goal, int) and not isinstance(goal, bool) and 0 <= goal < lts.states:
        marks = StateSet.of(lts.states, [goal])
    else:
        raise GrammarError(
            phrase("No state {goal}; states are numbered from 0 to {states}.", goal=shown(goal), states=lts.states - 1)
        )
    found = columns.path(0, columns.all, marks)
    return None if found is None else trace(lts, 0, found)
