"""Pentagame analysis by tree search: lines with values for every seat, in increasingly accurate reports."""

from __future__ import annotations

import time
from collections.abc import Iterator

from pentad.game import Position
from pentad.pentagame.engine.search import NODES_PER_SECOND, Found, Tree
from pentad.pentagame.rules import PentagamePosition
from pentad.search.analysis import Analysis, Line, Report

FIRST_SLICE = 0.05  # seconds until the first report; each slice is 1.5 times as long as the one before


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyses for so many seconds, or until the best line has so many turns."""
    assert isinstance(position, PentagamePosition)
    return Analysis(_reports(position, seconds, lines, depth))


def _reports(position: PentagamePosition, seconds: float, lines: int, depth: int | None) -> Iterator[Report]:
    tree = Tree(position, int(NODES_PER_SECOND * max(seconds, 1)))
    began = time.monotonic()
    spent, slice_, has_reported = 0.0, FIRST_SLICE, False
    while True:
        tree.grow(1 << 60, max(min(slice_, seconds - spent), 0.001))
        spent, slice_ = time.monotonic() - began, slice_ * 1.5
        found = tree.turns(lines)
        if found:
            has_reported = True
            yield _report(position, tree, found, spent)
        deep_enough = depth is not None and bool(found) and len(found[0].moves) >= depth
        if has_reported and (deep_enough or spent >= seconds or tree.full):
            return


def _report(position: PentagamePosition, tree: Tree, found: list[Found], spent: float) -> Report:
    ends_at_once = position.play(found[0].moves[0]).outcome
    exact = ends_at_once is not None and ends_at_once.returns[position.turn] > 0
    lines = tuple(Line(each.moves, tuple(_return(share, position.players) for share in each.value)) for each in found)
    if exact and ends_at_once:
        lines = (Line(found[0].moves[:1], ends_at_once.returns), *lines[1:])
    return Report(position.turn, len(found[0].moves), tree.visits, spent, lines, exact)


def _return(share: float, players: int) -> float:
    """Converts a share of the win to a return: the whole win is 1, an equal share 0."""
    return (players * share - 1) / (players - 1)
