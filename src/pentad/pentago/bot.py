"""Pentago's bots, and what they know of the game."""

from __future__ import annotations

from typing import cast

from pentad.game import Position
from pentad.pentago.board import board
from pentad.pentago.hints import prove
from pentad.pentago.rules import PentagoPosition
from pentad.search.analysis import Analysis, plain_alphabeta
from pentad.search.bot import Bot, Entry
from pentad.search.simple_bots import GreedyBot, RandomBot

SEARCH, SOLVER = "pentad.pentago.engine.search_kernels", "pentad.pentago.solver.pass_kernels"
PLAYOUTS = "pentad.pentago.playouts.tactics_kernels"


def open_lines(position: Position, seat: int) -> float:
    """How promising the lines are that can still be filled: one's own less those of the best opponent."""
    here = cast(PentagoPosition, position)
    worth = [0] * here.players
    for line in here.board.lines:
        held = [line & marbles for marbles in here.marbles]
        holders = [holder for holder, marbles in enumerate(held) if marbles]
        if len(holders) == 1:
            worth[holders[0]] += 4 ** held[holders[0]].bit_count()
    return worth[seat] - max(other for rival, other in enumerate(worth) if rival != seat)


def can_win(position: Position) -> bool:
    """Whether some move wins at once for the seat to move."""
    here = cast(PentagoPosition, position)
    board, seat = here.board, here.turn
    if here.outcome:
        return False
    if here.winning_spaces:
        return True
    others = [marbles for rival, marbles in enumerate(here.marbles) if rival != seat]
    for twist in board.twists:
        # To place and then turn is to turn and then place where the marble will have gone.
        mine, empty = board.twist(here.marbles[seat], twist), board.twist(here.empty, twist)
        wins = board.has_line(mine) if here.placed else board.has_line(mine) or board.completing(mine, empty)
        # With all the others it is a draw.
        if wins and not all(board.has_line(board.twist(marbles, twist)) for marbles in others):
            return True
    return False


EVALUATE = open_lines
DEFAULT_OPPONENT = "engine@2"  # whom a newcomer meets; how strong it is stands in docs/pentago.md
__all__ = ["BOTS", "DEFAULT_OPPONENT", "EVALUATE", "WARM_UP_BOT", "analyse", "prove"]


def analyse(position: Position, *, seconds: float, lines: int, depth: int | None) -> Analysis:
    """The engine's analysis of classic Pentago, exact where it can be; any other board's by plain search."""
    from pentad.pentago.engine.analysis import analyse as by_engine
    from pentad.pentago.engine.state import suits

    if suits(position):
        return by_engine(position, seconds=seconds, lines=lines, depth=depth)
    return plain_alphabeta(position, open_lines, seconds=seconds, lines=lines, depth=depth)


def _greedy(seed: int | None) -> Bot:
    return GreedyBot(open_lines, seed, can_win)


WARM_UP_BOT = _greedy


# These bring the compiler along, so they are imported when one of them is to play.


def _kernels(position: Position) -> tuple[str, ...]:
    """What the bots that search need: on boards that the engine does not know they grow trees."""
    here = cast(PentagoPosition, position)
    return (SEARCH, SOLVER) if here.board == board(2, 2, 3, 5) and here.players == 2 else (PLAYOUTS,)


def _tree(level: int, seed: int | None) -> Bot:
    from pentad.pentago.tree_bot import TreeBot

    return TreeBot(level, seed)


def _configured_tree(settings: str, seed: int | None) -> Bot:
    from pentad.pentago.tree_bot import configured

    return configured(settings, seed)


def _perfect(seed: int | None) -> Bot:
    from pentad.pentago.engine.bots import PerfectBot

    return PerfectBot(seed)


def _engine(level: int, seed: int | None) -> Bot:
    from pentad.pentago.engine.bots import EngineBot

    return EngineBot(level, seed)


BOTS = {
    "random": Entry("plays by chance", RandomBot),
    "greedy": Entry("looks one turn ahead", _greedy),
    "tree": Entry(
        "grows a tree by random games, on any board",
        make_level=_tree,
        levels=range(1, 6),
        configure=_configured_tree,
        kernels=lambda _: (PLAYOUTS,),
    ),
    "perfect": Entry(
        "plays exactly wherever it can find out, and says when it is not sure", _perfect, kernels=_kernels
    ),
    "engine": Entry(
        "searches with what it has learned from exact values", make_level=_engine, levels=range(1, 6), kernels=_kernels
    ),
}
