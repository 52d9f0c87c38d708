"""Index of states: equal states, or optionally isomorphic ones, are merged."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from pentad.grammar.control.automaton import Frame
from pentad.grammar.matching.isomorphism_classes import Compared, IsomorphismClasses
from pentad.grammar.system import System


class State(NamedTuple):
    """A graph and the place in the control program at which it was entered."""

    nodes: int
    edges: int
    frame: Frame


class States:
    """The states found so far, without duplicates: up to equality or up to isomorphism."""

    def __init__(self, system: System, isomorphism: bool) -> None:
        self.found: list[State] = []
        self._exact: dict[tuple[int, int, Hashable], int] = {}
        self._classes = IsomorphismClasses(system.world) if isomorphism else None

    def __len__(self) -> int:
        return len(self.found)

    def number(self, state: State) -> tuple[int, bool]:
        """Returns a state's number, and whether it is new."""
        key = (state.nodes, state.edges, state.frame.key)
        known = self._exact.get(key)
        if known is not None:
            return known, False
        number = len(self.found)
        if self._classes is not None:
            compared = Compared(state.nodes, state.edges, tuple(state.frame.values), state.frame.place)
            number = self._classes.number(compared, number)
        self._exact[key] = number
        if number < len(self.found):
            return number, False
        self.found.append(state)
        return number, True
