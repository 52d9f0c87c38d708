"""Assessments of positions: values, chances to win, what is proved, and how soon the game ends.

Warnings before blunders and reviews of games are made from them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from pentad.game import Move, Outcome, Position
from pentad.search import win_chance
from pentad.search.analysis import analyse, fixed_report
from pentad.search.exact import Solution, exact_value, in_moves
from pentad.search.report import Report
from pentad.system.words import phrase

SOLVER_MEMORY_BYTES = 10**9


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known of a position; `turns` is how many moves the winner needs, where that is proved.

    `how` is the source of an exact value (see `pentad.search.exact`), if it is not the search that found the best move.
    """

    position: Position
    best: Move | None
    values: tuple[float, ...]
    exact: bool
    turns: int | None = None
    claim: str = ""
    line: tuple[Move, ...] = ()  # that begins with the best move
    how: str = ""

    def wins(self, seat: int) -> bool:
        """Whether a win for the seat is proved."""
        return self.exact and self.values[seat] > 0 and self.values[seat] == max(self.values)

    def loses(self, seat: int) -> bool:
        """Whether a loss for the seat is proved."""
        return self.exact and self.values[seat] < 0

    @property
    def chances(self) -> tuple[float, ...]:
        """The chance to win of each seat."""
        return win_chance.chances(self.position, self.values, exact=self.exact)

    def verdict(self) -> str:
        """Who wins and how soon, in a position with a proved winner: `White wins in 2 moves`."""
        winner = max(range(len(self.values)), key=self.values.__getitem__)
        colour = self.position.colour_of(winner).capitalize()
        return f"{colour} has won" if self.position.outcome else f"{colour} wins{how_soon(self.turns)}"


def how_soon(turns: int | None) -> str:
    """How soon a win comes, to follow `wins`.

    >>> how_soon(3), how_soon(1), how_soon(None)
    (' in 3 moves', ' at once', '')
    """
    return "" if turns is None else " at once" if turns == 1 else f" in {turns} moves"


def a_win(turns: int | None) -> str:
    """A win, with how soon it comes.

    >>> a_win(3), a_win(1), a_win(None)
    ('a forced win in 3 moves', 'an immediate win', 'a forced win')
    """
    if turns is None:
        return "a forced win"
    return "an immediate win" if turns == 1 else phrase("a forced win in {turns} moves", turns=turns)


def assess(position: Position, seconds: float) -> Assessment:
    """An assessment of a position within so many seconds: exact if possible, else by analysis."""
    began = time.monotonic()
    if found := exact_value(position, depth=True, seconds=seconds / 2, memory=SOLVER_MEMORY_BYTES):
        return _of_solution(found)
    if position.outcome:
        return assess_end(position, position.outcome)
    rest = max(seconds - (time.monotonic() - began), seconds / 2)
    return _of_report(position, analyse(position, seconds=rest, lines=1).report)


def assess_by_fixed_work(position: Position) -> Assessment:
    """An assessment that is the same on every machine: exact if possible, else by a search of fixed work."""
    found = exact_value(position, seconds=None, memory=SOLVER_MEMORY_BYTES)
    return _of_solution(found) if found else assess_by_search(position)


def assess_by_search(position: Position) -> Assessment:
    """An assessment by a search of fixed work alone."""
    if position.outcome:
        return assess_end(position, position.outcome)
    return _of_report(position, fixed_report(position))


def assess_end(position: Position, outcome: Outcome) -> Assessment:
    """The assessment of a position in which a game has ended."""
    return Assessment(position, None, outcome.returns, exact=True)


def _of_solution(found: Solution[Position]) -> Assessment:
    best = found.best[0] if found.best else None
    turns = in_moves(found.turns) if found.turns else None
    line = () if best is None else (best,)
    return Assessment(found.position, best, found.values, True, turns, found.claim, line, found.how)


def _of_report(position: Position, report: Report) -> Assessment:
    line = report.lines[0]
    best = line.moves[0] if line.moves else None
    turns = line.wins_in
    if report.exact and best and report.value > 0 and position.play(best).outcome:
        turns = 1
    return Assessment(position, best, line.values, report.exact, turns, line.claim, tuple(line.moves), report.how)
