"""Pentago's table of bots, and its evaluation function."""

from __future__ import annotations

from typing import cast

from pentad.game import Position
from pentad.games.pentago.board import board
from pentad.games.pentago.rules import PentagoPosition
from pentad.search.analysis import Analysis, Report, one_move_deep, plain_alphabeta
from pentad.search.bot import Bot, BotEntry, deferred
from pentad.search.simple_bots import GreedyBot, RandomBot

SEARCH, SOLVER = "pentad.games.pentago.engine.search_kernels", "pentad.games.pentago.solver.pass_kernels"
PLAYOUTS = "pentad.games.pentago.playouts.kernels"


def open_lines(position: Position, seat: int) -> float:
    """The weight of a seat's open lines minus that of the best opponent's."""
    here = cast(PentagoPosition, position)
    worth = [0] * here.players
    for line in here.board.lines:
        held = [line & marbles for marbles in here.marbles]
        holders = [holder for holder, marbles in enumerate(held) if marbles]
        if len(holders) == 1:
            worth[holders[0]] += 4 ** held[holders[0]].bit_count()
    return worth[seat] - max(other for opponent, other in enumerate(worth) if opponent != seat)


def can_win(position: Position) -> bool:
    """Whether the seat to move has an immediate win."""
    here = cast(PentagoPosition, position)
    board, seat = here.board, here.turn
    if here.outcome:
        return False
    if here.winning_spaces:
        return True
    others = [marbles for opponent, marbles in enumerate(here.marbles) if opponent != seat]
    for twist in board.twists:
        # Placing and then turning equals turning and then placing where the marble ends up.
        mine, empty = board.twist(here.marbles[seat], twist), board.twist(here.empty, twist)
        wins = board.has_line(mine) if here.placed else board.has_line(mine) or board.completing(mine, empty)
        # If all opponents have a line too, the game is a draw.
        if wins and not all(board.has_line(board.twist(marbles, twist)) for marbles in others):
            return True
    return False


EVALUATE = open_lines
DEFAULT_OPPONENT = "engine@medium"  # newcomers can beat it; docs/reference/strength.md says how strong it is
__all__ = ["BOTS", "DEFAULT_OPPONENT", "EVALUATE", "WARM_UP_BOT", "analyse", "fixed_report"]


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """Analyses classic Pentago by the engine, exactly if possible, and any other board by alpha-beta search."""
    from pentad.games.pentago.engine.analysis import analyse as by_engine
    from pentad.games.pentago.engine.state import is_supported

    if is_supported(position):
        return by_engine(position, seconds=seconds, lines=lines, depth=depth)
    return plain_alphabeta(position, open_lines, seconds=seconds, lines=lines, depth=depth)


def fixed_report(position: Position, lines: int) -> Report:
    """The best lines by a search of fixed depth, three turns on the classic board and one on any other."""
    from pentad.games.pentago.engine.analysis import fixed_report as by_engine
    from pentad.games.pentago.engine.state import is_supported

    if is_supported(position):
        return by_engine(cast(PentagoPosition, position), lines)
    return one_move_deep(position, open_lines, lines)


_is_fast = deferred("pentad.kernels.program:is_fast")


def _greedy(seed: int | None) -> Bot:
    return GreedyBot(open_lines, seed, can_win)


WARM_UP_BOT = _greedy


def _kernels(position: Position) -> tuple[str, ...]:
    """The kernels of the search bots in a game: the engine's and solver's on the classic board, else tree search."""
    here = cast(PentagoPosition, position)
    if here.board != board(2, 2, 3, 5) or here.players != 2:
        return (PLAYOUTS,)
    return (SEARCH, SOLVER) if _is_fast(SOLVER) else (SEARCH,)


def _kernels_of_a_move(position: Position) -> tuple[str, ...]:
    """Those of the engine's move: without the solver's before it looks for exact values."""
    from pentad.games.pentago.memory import SURE_FROM

    return _kernels(position) if position.ply >= SURE_FROM else _kernels(position)[:1]


# The compiler is imported only when these bots play.
BOTS = {
    "random": BotEntry("plays random moves", RandomBot, title="Random moves"),
    "greedy": BotEntry("searches one turn deep", _greedy, title="One turn ahead"),
    "tree": BotEntry(
        "Monte Carlo tree search, on any board",
        make_level=deferred("pentad.games.pentago.playouts.tree_bot:PlayoutBot"),
        levels=range(1, 6),
        rungs=True,
        configure=deferred("pentad.games.pentago.playouts.tree_bot:configured"),
        kernels=lambda _: (PLAYOUTS,),
        title="Trial games",
    ),
    "perfect": BotEntry(
        "plays perfectly in positions within the solver's reach, and says when one is not",
        deferred("pentad.games.pentago.engine.bots:PerfectBot"),
        kernels=_kernels,
        title="Perfect play",
    ),
    "engine": BotEntry(
        "alpha-beta search with an evaluation learned from exact values",
        make_level=deferred("pentad.games.pentago.engine.bots:PentagoBot"),
        levels=range(1, 6),
        rungs=True,
        kernels=_kernels_of_a_move,
        later_kernels=_kernels,
        title="Computer",
    ),
}
