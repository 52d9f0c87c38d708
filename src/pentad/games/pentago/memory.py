"""Memory estimates: how much the solver takes in each job of a server."""

from __future__ import annotations

from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import boards, bytes_of
from pentad.games.pentago.solver.search import BOARDS_PER_SECOND, MOST_PARTIAL
from pentad.search.bot import read_name
from pentad.search.levels import may_be_highest

MB = 1 << 20
# The solver's limits in bytes and seconds for each job.
SOLVER_MAY = {
    "move": (1 << 30, 0.0),
    "hint": (10**9, 2.0),
    "analysis": (2 << 30, 0.2),
    "check": (10**9, 2.0),
    "review": (10**9, 2.0),
    "attempt": (10**9, 2.0),
}
PERFECT, PERFECT_MAY = "perfect", (6 << 30, 60.0)
SOLVERS = ("", "engine", PERFECT)  # the bots that use the solver at their highest level
SURE_FROM = 18  # marbles from which bots and analyses use the solver without a time limit
FASTER = 3  # safety factor on the solver's boards per second


def megabytes(job: str, position: PentagoPosition, who: str | None, seconds: float) -> int:
    """The megabytes for a job beyond those of any worker process."""
    name, level, _ = read_name(who or "")
    if job == "move" and (name not in SOLVERS or not may_be_highest(level)):  # this bot does not use the solver
        return 0
    most, longest = PERFECT_MAY if job == "move" and who == PERFECT else SOLVER_MAY[job]
    sure = position.ply >= SURE_FROM and job != "hint"  # there is no time limit then
    return solver(position, most, None if sure else min(seconds, longest))


def solver(position: PentagoPosition, most: int, seconds: float | None) -> int:
    """The megabytes that the solver takes with a limit of `most` bytes and an optional limit of seconds."""
    if position.players > 2 or position.outcome:
        return 0
    spaces = position.empty.bit_count()
    searched = MOST_PARTIAL if seconds is None else int(seconds * BOARDS_PER_SECOND * FASTER)
    largest = 0
    for plies in range(1, spaces + 1):
        size = bytes_of(spaces, plies, most)
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
    return -(-bytes_of(spaces, spaces, most) // MB)
