"""Analysis of Pente positions: iterative deepening with several principal variations, and proved wins by threats."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path

from pentad.game import Position
from pentad.games.pente.engine.constants import LIMIT
from pentad.games.pente.engine.kept_analyses import KeptTable
from pentad.games.pente.engine.search import DEEPEST, RootMove, RootSearch
from pentad.games.pente.rules import PentePosition
from pentad.search.analysis import Analysis, Line, Report

SCALE = 600.0  # the score that maps to a value of 0.76
ALMOST = 0.999  # the value of a win that is not proved, as the search leaves moves out
WIN_SECONDS = 2.0  # the moves of a win are searched so long
MAX_LINE_MOVES = 16  # a longer principal variation is cut
FIXED_NODES = 10_000  # positions of the search for `fixed_report`
MAX_FIXED_LINE_MOVES = 12  # the shortest way to a win takes a time that depends on the machine


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None, keep: Path | None = None) -> Analysis:
    """Analyses a position, for a time or to a depth; goes on from what a file keeps, and keeps it there."""
    assert isinstance(position, PentePosition)
    return Analysis(position, _reports(position, seconds, lines, depth, keep))


def fixed_report(position: PentePosition, lines: int) -> Report:
    """The best lines, by a search of a fixed number of positions."""
    engine = RootSearch(position)
    engine.deepen(1, lines=lines)
    engine.deepen(nodes=FIXED_NODES, lines=lines)
    return report_of(engine, lines, 0.0, MAX_FIXED_LINE_MOVES)


def _for_seats(mover: int, root: RootMove) -> tuple[float, float]:
    """The value of a root move for both seats."""
    value = 1.0 if root.wins_in else value_of(root.score)
    return (value, -value) if mover == 0 else (-value, value)


def _reports(
    position: PentePosition, seconds: float, lines: int, depth: int | None, keep: Path | None
) -> Iterator[Report]:
    if keep is None:
        yield from _deepening(RootSearch(position), seconds, lines, depth)
        return
    kept = KeptTable(keep, position)
    try:
        for report in _deepening(RootSearch(position, table=kept.table), seconds, lines, depth):
            kept.save()
            yield report
    finally:
        kept.close()


def _deepening(engine: RootSearch, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    position = engine.position
    began = time.monotonic()
    most = DEEPEST if depth is None else min(depth, DEEPEST)
    if not position.rules.captures:  # without captures a game has no more moves than the board has empty points
        most = min(most, position.empty.bit_count())
    while engine.depth < most:
        before, left = engine.depth, seconds - (time.monotonic() - began)
        if before and depth is None and left <= 0:
            return
        engine.deepen(before + 1, None if depth is not None or not before else left, lines)
        if engine.depth > before or engine.decided:
            yield report_of(engine, lines, time.monotonic() - began)
        if engine.depth == before or engine.decided:
            return


def report_of(engine: RootSearch, lines: int, spent: float, longest: int = MAX_LINE_MOVES) -> Report:
    """The report on a search; with at most `longest` moves in a line, the shortest way to a win is not sought."""
    seat = engine.position.turn
    found = []
    for root in engine.leading(lines):
        values = _for_seats(seat, root)
        wins = engine.winning_line(WIN_SECONDS) if root.wins_in and longest == MAX_LINE_MOVES else ()
        moves = tuple(wins) or engine.line(root, longest)
        found.append(Line(moves, values, root.wins_in))
    return Report(seat, engine.depth, engine.nodes, spent, tuple(found), exact=engine.wins_in is not None)


def value_of(score: int) -> float:
    """A score as a value from -1, a loss, to 1, a win."""
    return math.copysign(ALMOST, score) if abs(score) > LIMIT else math.tanh(score / SCALE)
