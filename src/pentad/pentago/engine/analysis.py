"""Analysing classic Pentago: deeper and deeper by the evaluation, and exactly as soon as somebody knows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from pentad.game import Position
from pentad.pentago.engine.alphabeta import DEEPEST, AlphaBeta, Root
from pentad.pentago.engine.exact import SURE_FROM, exact_values, with_end
from pentad.pentago.engine.net_kernels import GRAIN
from pentad.pentago.engine.search_kernels import PROVED
from pentad.pentago.engine.state import suits
from pentad.pentago.engine.weights import net
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.slices import configured
from pentad.pentago.solver import Solution
from pentad.search.analysis import Analysis, Line, Report

MEMORY = 2 << 30  # bytes that the solver may use
AT_ONCE = 0.2  # seconds for what a database does not have
LONGEST = 12  # turns of a line that are told


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyse for so many seconds, or so many turns deep; exact values where slices or the solver have them."""
    assert isinstance(position, PentagoPosition)
    return Analysis(_reports(position, seconds, lines, depth))


def _reports(position: PentagoPosition, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    began = time.monotonic()
    search = AlphaBeta(position, net())
    search.deepen(1)
    most = DEEPEST if depth is None else depth
    yield _report(search, lines, time.monotonic() - began, None)
    exact = None if depth == 1 else _exact(position, seconds)
    if exact:
        search.deepen(2, 1.0, lines)
        yield _report(search, lines, time.monotonic() - began, exact)
        return
    while search.depth < most and not search.decided:
        before, left = search.depth, seconds - (time.monotonic() - began)
        search.deepen(search.depth + 1, None if depth is not None else max(left, 0.001), lines)
        if search.depth == before:  # stopped on the way, or the board is full by then
            return
        yield _report(search, lines, time.monotonic() - began, None)


def solved(found: Solution, lines: int, memory: int) -> Iterator[Report]:
    """The best lines of a position that has been solved: at once, and again when it is known which end comes first."""
    began, position = time.monotonic(), found.position
    if not suits(position):
        best = sorted(found.moves, key=lambda move: -found.moves[move])[:lines]
        told = tuple(Line((move,), _for_seats(position.turn, found.moves[move])) for move in best)
        yield Report(position.turn, 1, found.nodes, time.monotonic() - began, told, exact=True)
        return
    search = AlphaBeta(position, net())
    search.deepen(1)
    search.deepen(2, 1.0, lines)
    yield _report(search, lines, time.monotonic() - began, found)
    end = with_end(found, memory)
    if end.best != found.best:
        yield _report(search, lines, time.monotonic() - began, end)


def _exact(position: PentagoPosition, seconds: float) -> Solution | None:
    """Exact values where they come at once; of fewer marbles only a database may have them."""
    if position.ply < SURE_FROM and configured() is None:
        return None
    return exact_values(position, min(seconds, AT_ONCE), MEMORY)


def _report(search: AlphaBeta, lines: int, spent: float, exact: Solution | None) -> Report:
    roots, seat = search.roots, search.position.turn
    if exact:
        first = exact.best
        order = {move: rank for rank, move in enumerate(first)}
        roots = sorted(roots, key=lambda root: (-exact.moves[root.move], order.get(root.move, len(first))))
    told = []
    for root in roots[:lines]:
        worth = float(exact.moves[root.move]) if exact else worth_of(root)
        told.append(Line(search.line(root, LONGEST), _for_seats(seat, worth)))
    return Report(seat, search.depth, search.nodes, spent, tuple(told), exact is not None or search.decided)


def _for_seats(mover: int, worth: float) -> tuple[float, float]:
    """What is worth so much to the mover, for each of the two seats."""
    return (worth, -worth) if mover == 0 else (-worth, worth)


def worth_of(root: Root) -> float:
    """A score as the share of the win less that of the loss."""
    if abs(root.score) > PROVED:
        return math.copysign(1.0, root.score)
    return math.tanh(root.score / (2 * GRAIN))
