"""Analysis of classic Pentago by iterative deepening, and exact as soon as the solver or database knows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace

from pentad.game import Position
from pentad.games.pentago.engine.constants import GRAIN, PROVED, WON
from pentad.games.pentago.engine.search import DEEPEST, RootMove, RootSearch
from pentad.games.pentago.engine.state import is_supported, net
from pentad.games.pentago.memory import SURE_FROM
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.slices import configured
from pentad.games.pentago.solver import CannotSolve, Solution, solve
from pentad.games.pentago.solver.retrograde import Progress
from pentad.search.analysis import Analysis, Line, Report
from pentad.search.exact import DATABASE, exact_value, for_seats, in_moves

SOLVER_MEMORY_BYTES = 2 << 30
SOON = 1.0  # the most seconds to find the distance to the end
SOLVER_SECONDS = 0.2  # positions that are in the database need no solver
LONGEST = 12  # the most turns of a principal variation
FIXED_DEPTH = 3  # turns of the search for `fixed_report`


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyses for some seconds, or to a depth in turns; exact if slices or the solver have the values."""
    assert isinstance(position, PentagoPosition)
    return Analysis(position, _reports(position, seconds, lines, depth))


def fixed_report(position: PentagoPosition, lines: int) -> Report:
    """The best lines of classic Pentago, by a search of fixed depth."""
    search = RootSearch(position, net())
    search.deepen(FIXED_DEPTH, lines=lines)
    return report_of(search, lines, 0.0, None)


def _reports(position: PentagoPosition, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    began = time.monotonic()
    search = RootSearch(position, net())
    search.deepen(1)
    most = DEEPEST if depth is None else depth
    yield report_of(search, lines, time.monotonic() - began, None)
    # With few marbles only a database may have exact values quickly.
    may_know = depth != 1 and (position.ply >= SURE_FROM or configured() is not None)
    limit = None if position.ply >= SURE_FROM else min(seconds, SOLVER_SECONDS)
    exact = (
        exact_value(position, moves=True, seconds=limit, memory=SOLVER_MEMORY_BYTES, book=False) if may_know else None
    )
    if exact and not exact.unknown:
        exact = with_end(exact, SOLVER_MEMORY_BYTES)
        _find_lines(search, exact, lines)
        yield report_of(search, lines, time.monotonic() - began, exact)
        if exact.how != DATABASE:
            return
    # A database has values without distances: the search orders the moves that are equally good.
    while search.depth < most and not search.decided:
        before, left = search.depth, seconds - (time.monotonic() - began)
        search.deepen(search.depth + 1, None if depth is not None else max(left, 0.001), lines)
        if search.depth == before:  # stopped, or the board is full at that depth
            return
        yield report_of(search, lines, time.monotonic() - began, exact)


def reports_of(found: Solution, lines: int, memory: int) -> Iterator[Report]:
    """The best lines of a solved position: first by value, then again by the distance to the end."""
    began, position = time.monotonic(), found.position
    if not is_supported(position):
        best = sorted(found.moves, key=lambda move: -found.moves[move])[:lines]
        best_lines = tuple(Line((move,), for_seats(position.turn, found.moves[move])) for move in best)
        yield Report(position.turn, 1, found.nodes, time.monotonic() - began, best_lines, exact=True, how=found.how)
        return
    search = RootSearch(position, net())
    search.deepen(1)
    _find_lines(search, found, lines)
    yield report_of(search, lines, time.monotonic() - began, found)
    end = with_end(found, memory)
    if end.distances:
        yield report_of(search, lines, time.monotonic() - began, end)


def _find_lines(search: RootSearch, exact: Solution, lines: int) -> None:
    """Searches for so many variations, of the best moves alone if there are enough of them."""
    if len(exact.best) >= lines:
        search.only(exact.best)
    search.deepen(2, 1.0, lines)


def with_end(found: Solution, memory: int, progress: Progress | None = None) -> Solution:
    """Adds distances to the end to a solution, if they are found quickly."""
    if not found.value:
        return found
    try:
        end = solve(found.position, moves=False, depth=True, seconds=SOON, memory=memory, progress=progress)
    except CannotSolve:
        return found
    return replace(found, turns=end.turns, distances=end.distances)


def report_of(search: RootSearch, lines: int, spent: float, exact: Solution | None, longest: int = LONGEST) -> Report:
    """The report on a search, with the values of a solution if there is one."""
    roots, seat = search.roots, search.position.turn
    if exact:
        best = set(exact.best)
        roots = sorted(roots, key=lambda root: (-exact.moves[root.move], root.move not in best))
    best_lines = []
    for root in roots[:lines]:
        value = float(exact.moves[root.move]) if exact else value_of(root)
        wins_in = _wins_in(root, exact) if value == 1 else None
        best_lines.append(Line(search.principal_variation(root, longest), for_seats(seat, value), wins_in))
    how = exact.how if exact else ""
    return Report(seat, search.depth, search.nodes, spent, tuple(best_lines), bool(exact) or search.decided, how)


def _wins_in(root: RootMove, exact: Solution | None) -> int | None:
    """The own moves of a win by the solution's distances, else by the search; None if neither has the distance."""
    turns = exact.distances.get(root.move) if exact else None
    if turns is None and root.score > PROVED:
        turns = WON - root.score
    return None if turns is None else in_moves(turns)


def value_of(root: RootMove) -> float:
    """Converts a score to a value: the probability of a win minus that of a loss."""
    if abs(root.score) > PROVED:
        return math.copysign(1.0, root.score)
    return math.tanh(root.score / (2 * GRAIN))
