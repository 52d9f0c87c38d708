"""Memory estimates: how much a request takes, so that concurrent requests stay within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb
from typing import cast

from pentad.game import Position
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver.retrograde import BYTES, HALF, LINES, WHOLE, boards, most_boards_at_once
from pentad.pentago.solver.solve import BOARDS_PER_SECOND, MOST_PARTIAL

MB = 1 << 20
PROCESS = 250  # MB of a worker that has loaded the engines
TREE_A_SECOND, LARGEST_TREE = 40, 240  # MB of a Pentagame search tree
# The solver's limits in bytes and seconds for each job.
SOLVER_MAY = {
    "move": (1 << 30, 0.0),
    "hint": (10**9, 2.0),
    "analysis": (2 << 30, 0.2),
    "check": (10**9, 2.0),
    "review": (10**9, 2.0),
}
PERFECT, PERFECT_MAY = "perfect", (6 << 30, 60.0)
SOLVERS, STRONGEST = ("", "engine", PERFECT), "5"  # the bots that use the solver at their highest level
SURE_FROM = 18  # marbles from which bots and analyses use the solver without a time limit
FASTER = 3  # safety factor on the solver's boards per second
ROUGH = 1.2  # safety factor on the estimated bytes


def megabytes(job: str, position: Position, *, who: str | None = None, seconds: float | None = None) -> int:
    """The megabytes of a worker while it handles a request."""
    estimate = GAMES.get(position.game)
    extra = estimate(job, position, who, seconds=1.0 if seconds is None else seconds) if estimate else 0
    return PROCESS + extra


def _pentagame(*_: object, seconds: float) -> int:
    return min(LARGEST_TREE, int(TREE_A_SECOND * max(seconds, 1)))


def _pentago(job: str, position: Position, who: str | None, *, seconds: float) -> int:
    if job == "move" and not _solves(who):
        return 0
    here = cast(PentagoPosition, position)
    most, longest = PERFECT_MAY if job == "move" and who == PERFECT else SOLVER_MAY[job]
    sure = here.ply >= SURE_FROM and job != "hint"  # no time limit
    return solver(here, most, None if sure else min(seconds, longest))


def _solves(who: str | None) -> bool:
    """Whether a bot of Pentago uses the solver."""
    bot = who or ""
    name, _, level = (f"@{bot}" if bot.isdecimal() else bot).partition("@")
    return name in SOLVERS and level in ("", STRONGEST)


GAMES: Mapping[str, Callable[..., int]] = {"pentago": _pentago, "pentagame": _pentagame}


def solver(position: PentagoPosition, most: int, seconds: float | None) -> int:
    """The megabytes that Pentago's solver takes with a limit of `most` bytes and an optional limit of seconds."""
    if position.players > 2 or position.outcome:
        return 0
    spaces = position.empty.bit_count()
    searched = MOST_PARTIAL if seconds is None else int(seconds * BOARDS_PER_SECOND * FASTER)
    largest = 0
    for plies in range(1, spaces + 1):
        size = _bytes(spaces, plies, most)
        last = plies == spaces
        if size > most or (boards(spaces, plies) > searched and not (last and seconds is None)):
            continue
        largest = max(largest, size)
    return -(-largest // MB)


def whole(position: PentagoPosition, most: int) -> int:
    """The megabytes for every move's exact value by a full search; more than `most` if that does not fit."""
    if position.players > 2 or position.outcome:
        return 0
    spaces = position.empty.bit_count()
    return -(-_bytes(spaces, spaces, most) // MB)


def _bytes(spaces: int, plies: int, most: int) -> int:
    """The bytes to search so many plies: in one sweep, or in two where one exceeds `most`."""
    if plies == 0:
        return 0
    sets = sum(comb(spaces, n) for side in (plies + 1, plies) for n in range(side // 2 + 1))
    stored = most_boards_at_once(spaces, plies)
    sizes = [int(ROUGH * BYTES * (words * stored + LINES * sets)) for words in (WHOLE, HALF)]
    return sizes[0] if sizes[0] <= most else sizes[1]
