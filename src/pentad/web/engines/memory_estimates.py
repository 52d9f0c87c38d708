"""How much memory a question takes, so that those that are answered at once keep within a budget."""

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
TREE_A_SECOND, LARGEST_TREE = 40, 240  # MB of a tree of Pentagame's
# The bytes that the solver of Pentago may use, by the job, and the seconds where it has no more than so many.
SOLVER_MAY = {
    "move": (1 << 30, 0.0),
    "hint": (10**9, 2.0),
    "analysis": (2 << 30, 0.2),
    "check": (10**9, 2.0),
    "review": (10**9, 2.0),
}
PERFECT, PERFECT_MAY = "perfect", (6 << 30, 60.0)
SOLVERS, STRONGEST = ("", "engine", PERFECT), "5"  # the bots that ask the solver, at their highest level
SURE_FROM = 18  # marbles from which on bots and analyses ask the solver however long it takes
FASTER = 3  # so many times as many boards a second may be looked at as the solver counts on
ROUGH = 1.2  # what is counted here is a little less than what is taken


def megabytes(job: str, position: Position, *, who: str | None = None, seconds: float | None = None) -> int:
    """The megabytes of a worker while it answers."""
    more = GAMES.get(position.game)
    return PROCESS + (more(job, position, who, seconds=1.0 if seconds is None else seconds) if more else 0)


def _pentagame(*_: object, seconds: float) -> int:
    return min(LARGEST_TREE, int(TREE_A_SECOND * max(seconds, 1)))


def _pentago(job: str, position: Position, who: str | None, *, seconds: float) -> int:
    if job == "move" and not _solves(who):
        return 0
    here = cast(PentagoPosition, position)
    most, longest = PERFECT_MAY if job == "move" and who == PERFECT else SOLVER_MAY[job]
    sure = here.ply >= SURE_FROM and job != "hint"  # then it may take as long as it takes
    return solver(here, most, None if sure else min(seconds, longest))


def _solves(who: str | None) -> bool:
    """Whether a bot of Pentago asks the solver."""
    asked = who or ""
    name, _, level = (f"@{asked}" if asked.isdecimal() else asked).partition("@")
    return name in SOLVERS and level in ("", STRONGEST)


GAMES: Mapping[str, Callable[..., int]] = {"pentago": _pentago, "pentagame": _pentagame}


def solver(position: PentagoPosition, most: int, seconds: float | None) -> int:
    """The megabytes that the solver of Pentago takes, which is allowed so many bytes and perhaps seconds."""
    if position.players > 2 or position.outcome:
        return 0
    spaces = position.empty.bit_count()
    made = MOST_PARTIAL if seconds is None else int(seconds * BOARDS_PER_SECOND * FASTER)
    taken = 0
    for plies in range(1, spaces + 1):
        size = _bytes(spaces, plies, most)
        last = plies == spaces
        if size > most or (boards(spaces, plies) > made and not (last and seconds is None)):
            continue
        taken = max(taken, size)
    return -(-taken // MB)


def whole(position: PentagoPosition, most: int) -> int:
    """The megabytes for every move's exact value, by looking at all there is; more than is allowed where that fails."""
    if position.players > 2 or position.outcome:
        return 0
    spaces = position.empty.bit_count()
    return -(-_bytes(spaces, spaces, most) // MB)


def _bytes(spaces: int, plies: int, most: int) -> int:
    """The bytes for looking so far ahead: in one sweep, or where that is too much in two."""
    if plies == 0:
        return 0
    sets = sum(comb(spaces, n) for side in (plies + 1, plies) for n in range(side // 2 + 1))
    kept = most_boards_at_once(spaces, plies)
    sizes = [int(ROUGH * BYTES * (words * kept + LINES * sets)) for words in (WHOLE, HALF)]
    return sizes[0] if sizes[0] <= most else sizes[1]
