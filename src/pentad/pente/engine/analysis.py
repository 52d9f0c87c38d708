"""Analysing Pente: deeper and deeper, several lines if asked, and wins by threats to their end."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from pentad.game import Position
from pentad.pente.engine.engine import DEEPEST, Engine
from pentad.pente.engine.search_kernels import LIMIT
from pentad.pente.rules import PentePosition
from pentad.search.analysis import Analysis, Line, Report

SCALE = 600.0  # points of score that are as good as a share of 0.76 more of the win
ALMOST = 0.999  # what is won or lost as far as the search saw, which leaves moves out
LINE_SECONDS = 2.0  # for the line of a win
LONGEST = 16  # moves of a line that are told


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyse for so many seconds, or so many moves deep."""
    assert isinstance(position, PentePosition)
    return Analysis(_reports(position, seconds, lines, depth))


def _reports(position: PentePosition, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    engine = Engine(position)
    began = time.monotonic()
    most = DEEPEST if depth is None else min(depth, DEEPEST)
    if not position.rules.captures:  # then a game has no more moves than the board has points
        most = min(most, position.empty.bit_count())
    while engine.depth < most:
        before, left = engine.depth, seconds - (time.monotonic() - began)
        if before and depth is None and left <= 0:
            return
        engine.deepen(before + 1, None if depth is not None or not before else left, lines)
        if engine.depth > before or engine.decided:
            yield _report(engine, lines, time.monotonic() - began)
        if engine.depth == before or engine.decided:
            return


def _report(engine: Engine, lines: int, spent: float) -> Report:
    seat = engine.position.turn
    told = []
    for root in engine.leading(lines):
        worth = 1.0 if root.wins_in else worth_of(root.score)
        values = (worth, -worth) if seat == 0 else (-worth, worth)
        claim = f"wins in {root.wins_in}" if root.wins_in else ""
        moves = (tuple(engine.winning_line(LINE_SECONDS)) if root.wins_in else ()) or engine.line(root, LONGEST)
        told.append(Line(moves, values, claim))
    return Report(seat, engine.depth, engine.nodes, spent, tuple(told), exact=engine.wins_in is not None)


def worth_of(score: int) -> float:
    """A score as the share of the win less that of the loss."""
    return math.copysign(ALMOST, score) if abs(score) > LIMIT else math.tanh(score / SCALE)
