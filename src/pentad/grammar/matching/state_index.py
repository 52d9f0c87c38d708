"""States and their numbers: equal states are one, or isomorphic ones where that is asked."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from pentad.grammar.control.automaton import Frame
from pentad.grammar.matching.isomorphism_classes import Alike, Compared
from pentad.grammar.system import System


class State(NamedTuple):
    """A graph and the place in the control program at which it was entered."""

    nodes: int
    edges: int
    frame: Frame


class States:
    """The states that were found, each once: equal, or isomorphic where that is asked."""

    def __init__(self, system: System, isomorphism: bool) -> None:
        self.found: list[State] = []
        self._exact: dict[tuple[int, int, Hashable], int] = {}
        self._alike = Alike(system.world) if isomorphism else None

    def __len__(self) -> int:
        return len(self.found)

    def number(self, state: State) -> tuple[int, bool]:
        """A state's number, and whether it is new."""
        key = (state.nodes, state.edges, state.frame.key)
        known = self._exact.get(key)
        if known is not None:
            return known, False
        number = len(self.found)
        if self._alike is not None:
            compared = Compared(state.nodes, state.edges, tuple(state.frame.values), state.frame.place)
            number = self._alike.number(compared, number)
        self._exact[key] = number
        if number < len(self.found):
            return number, False
        self.found.append(state)
        return number, True
