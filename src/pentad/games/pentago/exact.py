"""Exact values: those stored in the configured slices, and the solver's, with what is known of which boards."""

from __future__ import annotations

from typing import Any

from pentad.games.pentago import solver
from pentad.games.pentago.memory import SURE_FROM
from pentad.games.pentago.memory import whole as megabytes
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.slices import MissingSlice, configured
from pentad.games.pentago.solver import CannotSolve, Solution
from pentad.search.bot import deferred
from pentad.search.exact import DATABASE
from pentad.system.words import phrase

__all__ = ["megabytes", "reports", "solve", "stored"]

OF_SLICES = {"rows": 2, "cols": 2, "block": 3, "players": 2, "line": 5, "win_on_placement": True}
BOOK_TO, FILES_FROM = 3, 14  # marbles: boards up to the first are in the book, others from the second on can be solved
UNKNOWN = "The exact value of this board is not known here."
REACH = phrase(
    "Boards with up to {book_to} marbles are in the book. Boards with {sure_from} marbles or "
    "more are solved in about a second, those with {files_from} to {last} in minutes, if there "
    "is enough memory or disk.",
    book_to=BOOK_TO,
    sure_from=SURE_FROM,
    files_from=FILES_FROM,
    last=SURE_FROM - 1,
)

reports = deferred("pentad.games.pentago.engine.analysis:reports_of")  # loads the engine when it is called


def stored(position: PentagoPosition) -> Solution | None:
    """The solution by the configured slices; without moves if they have the board and lack its results."""
    slices = configured()
    if slices is None or position.options != OF_SLICES:
        return None
    try:
        values = slices.values(position)
        return Solution(position, max(values.values()), values, how=DATABASE)
    except MissingSlice:
        pass
    try:
        return Solution(position, slices.value(position), how=DATABASE)
    except MissingSlice:
        return None


def solve(position: PentagoPosition, **limits: Any) -> Solution:
    """The solver's solution; where there is none, the error says what is known of which boards."""
    try:
        return solver.solve(position, **limits)
    except CannotSolve as error:
        if position.players == 2:
            beyond = is_out_of_reach(position) and limits.get("scratch") is None
            error.args = (f"{UNKNOWN} {REACH if beyond else error}",)
        raise


def is_out_of_reach(position: PentagoPosition) -> bool:
    """Whether a classic board has too few marbles to be solved unless a folder for its files is named."""
    return position.options == OF_SLICES and position.board.size - position.empty.bit_count() < FILES_FROM
