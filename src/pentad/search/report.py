"""Reports of searches: the best lines at some depth, with their values."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.game import Move


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation: its moves, its value for each seat from -1 to 1, and what is proved about it."""

    moves: tuple[Move, ...]
    values: tuple[float, ...]
    claim: str = ""  # such as "wins in 3"

    def __str__(self) -> str:
        return ", ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Report:
    """The result at some depth: the best lines, the best first; `exact` if the value of the best one is proved.

    Where the value of every line is exact, `how` is their source (`pentad.search.exact`).
    """

    seat: int
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    exact: bool
    how: str = ""

    @property
    def values(self) -> tuple[float, ...]:
        """The position's value for each seat."""
        return self.lines[0].values

    @property
    def value(self) -> float:
        """The position's value for the seat to move."""
        return self.values[self.seat]
