"""Pente's bots, and what they know of the game."""

from __future__ import annotations

from typing import cast

from pentad.game import Position
from pentad.pente.beam_bot import BEAM_BOTS, WithBeams
from pentad.pente.board import points_of
from pentad.pente.lines_bot import LINES_BOTS
from pentad.pente.opening import OVER
from pentad.pente.rules import PentePosition
from pentad.search.bot import Entry
from pentad.search.simple import GreedyBot, RandomBot, seat_to_move_can_win


def open_lines(position: Position, seat: int) -> float:
    """How promising the lines are that can still be filled, and what has been taken: one's own less the other's."""
    here = cast(PentePosition, position)
    stones = here.stones
    worth = [0, 0]
    for line, _ in here.board.lines:
        white, black = line & stones[0], line & stones[1]
        if white and not black:
            worth[0] += 4 ** white.bit_count()
        elif black and not white:
            worth[1] += 4 ** black.bit_count()
    for colour, taken in enumerate(here.taken):
        worth[colour] += 8 * taken * taken
    colour = seat ^ here.swapped
    return worth[colour] - worth[1 - colour]


def can_win(position: Position) -> bool:
    """Whether some move wins at once for the seat to move: it completes a line or takes enough."""
    here = cast(PentePosition, position)
    if here.outcome:
        return False
    if here.stage != OVER:
        return seat_to_move_can_win(here)
    board, mine, theirs = here.board, here.stones[here.colour], here.stones[1 - here.colour]
    tries = 0
    for line, _ in board.lines:
        missing = line & ~mine
        if missing & (missing - 1) == 0:
            tries |= missing
    if here.rules.captures and here.taken[here.colour] + 8 * here.rules.captures >= here.rules.capture_win:
        tries |= sum(1 << point for point in points_of(here.points) if here.takes(point, mine, theirs))
    for point in points_of(tries & here.points):
        outcome = here.play(board.stones[point]).outcome
        if outcome and outcome.returns[here.turn] > 0:
            return True
    return False


EVALUATE = open_lines

BOTS = WithBeams(
    {
        "random": Entry("plays by chance", RandomBot),
        **LINES_BOTS,
        "greedy": Entry("looks one move ahead", lambda seed: GreedyBot(open_lines, seed, can_win)),
        **BEAM_BOTS,
    }
)
