"""Reports of searches: the best lines at some depth, with their values; and the results of bots."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.game import Move
from pentad.system.words import count


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation: its moves, its value for each seat from -1 to 1, and the own moves of a proved win."""

    moves: tuple[Move, ...]
    values: tuple[float, ...]
    wins_in: int | None = None

    @property
    def claim(self) -> str:
        """What is proved about it, such as `wins in 3 moves`; empty for nothing."""
        return "" if self.wins_in is None else f"wins in {count(self.wins_in, 'move')}"

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


@dataclass(frozen=True, slots=True)
class Result:
    """A bot's move and what its search found; a bot that does not search gives the move alone.

    `value` is that of the position for the seat to move, from -1 to 1; None where the bot has none. `exact` says
    whether it is proved. `line` begins with the move; it is empty if the bot preferred another move to the best one,
    as weak levels do. `note` is a remark for people. `simpler` marks the move of a warm-up bot.
    """

    move: Move
    value: float | None = None
    exact: bool = False
    line: tuple[Move, ...] = ()
    note: str = ""
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    simpler: bool = False

    @classmethod
    def of(cls, move: Move, report: Report | None, note: str = "") -> Result:
        """The result of a search by its report, if it has one."""
        if report is None:
            return cls(move, note=note)
        best = report.lines[0].moves
        line = best if best[:1] == (move,) else ()
        return cls(move, report.value, report.exact, line, note, report.nodes, depth=report.depth)
