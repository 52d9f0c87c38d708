"""Analysing classic Pentago: deeper and deeper by the evaluation, and exactly as soon as somebody knows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from pentad.game import Position
from pentad.pentago.engine.alphabeta import DEEPEST, AlphaBeta, Root
from pentad.pentago.engine.exact import SURE_FROM, Exact, from_slices, from_solver
from pentad.pentago.engine.net_kernels import GRAIN
from pentad.pentago.engine.search_kernels import PROVED
from pentad.pentago.engine.weights import net
from pentad.pentago.rules import PentagoPosition
from pentad.search.analysis import Analysis, Line, Report

MEMORY = 2 << 30  # bytes that the solver may use
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
    exact = None if depth == 1 else _exact(position)
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


def _exact(position: PentagoPosition) -> Exact | None:
    return from_slices(position) or (from_solver(position, None, MEMORY) if position.ply >= SURE_FROM else None)


def _report(search: AlphaBeta, lines: int, spent: float, exact: Exact | None) -> Report:
    roots, seat = search.roots, search.position.turn
    if exact:
        first = exact.best
        order = {move: rank for rank, move in enumerate(first)}
        roots = sorted(roots, key=lambda root: (-exact.values[root.move], order.get(root.move, len(first))))
    told = []
    for root in roots[:lines]:
        worth = float(exact.values[root.move]) if exact else worth_of(root)
        values = (worth, -worth) if seat == 0 else (-worth, worth)
        told.append(Line(search.line(root, LONGEST), values))
    return Report(seat, search.depth, search.nodes, spent, tuple(told), exact is not None or search.decided)


def worth_of(root: Root) -> float:
    """A score as the share of the win less that of the loss."""
    if abs(root.score) > PROVED:
        return math.copysign(1.0, root.score)
    return math.tanh(root.score / (2 * GRAIN))
