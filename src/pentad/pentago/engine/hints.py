"""Exact values found in a short time, for hints, bots and analysis."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from pentad.game import GameError, Move, Position
from pentad.jit.program import program
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver.retrograde import KERNELS, CannotSolve, Limits, Progress
from pentad.pentago.solver.solve import DRAW, WIN, Search, Solution, by_database, in_moves, solve

SURE_FROM = 18  # marbles from which on the solver quickly finds every move's value
SOON = 1.0  # the most seconds to find the distance to the end


def exact_values(
    position: PentagoPosition, seconds: float | None, memory: int, progress: Progress | None = None
) -> Solution | None:
    """The values of all moves, with distances to the end if found quickly; None if they cannot be solved.

    `seconds` limits only boards with few marbles, most of which cannot be solved. `progress` may raise `CannotSolve` to
    stop.
    """
    try:
        found = solve(
            position, seconds=None if position.ply >= SURE_FROM else seconds, memory=memory, progress=progress
        )
    except CannotSolve:
        return None
    return with_end(found, memory, progress)


def with_end(found: Solution, memory: int, progress: Progress | None = None) -> Solution:
    """Adds distances to the end to a solution, if they are found quickly."""
    if not found.value:
        return found
    position = found.position
    try:
        end = solve(position, moves=False, depth=True, seconds=SOON, memory=memory, progress=progress)
    except CannotSolve:
        return found
    return replace(found, turns=end.turns, distances=end.distances)


# ── hints ─────────────────────────────────────────────────────────────────────────────────────────

SECONDS = 2.0  # the most time that a hint takes
MEMORY = 1_000_000_000  # bytes


def prove(position: Position, *, seconds: float | None = None) -> tuple[Move, str] | None:
    """A move and its proved result, such as `wins in 3`; None if nothing is proved in time.

    The number counts the player's own moves.
    """
    assert isinstance(position, PentagoPosition)
    if position.outcome:
        return None
    program(KERNELS)  # compiled, if necessary, before the time limit starts
    until = time.monotonic() + min(SECONDS if seconds is None else seconds, SECONDS)
    found: Solution | None = None
    with suppress(GameError):  # it cannot be solved, or not in time
        found = Search(position, all_moves=False, depth=True, limits=Limits(MEMORY, until)).found()
    if found is None:
        with suppress(GameError):  # the slices are not available
            found = by_database(position, moves=True)
    return (found.best[0], _claim(found)) if found else None


def _claim(found: Solution) -> str:
    if found.value == DRAW:
        return "keeps the draw"
    if found.turns is None:  # slices have no distances
        return "wins" if found.value == WIN else "loses, like every other move"
    moves = in_moves(found.turns)
    return f"wins in {moves}" if found.value == WIN else f"loses in {moves} at the latest"
