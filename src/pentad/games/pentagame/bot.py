"""Pentagame's bots and their evaluation functions."""

from __future__ import annotations

from functools import partial
from typing import cast

from pentad.game import Position
from pentad.games.pentagame.board import DISTANCE, OFF_BOARD, goal
from pentad.games.pentagame.engine.search import ENGINE
from pentad.games.pentagame.rules import HOME_WINS, PentagamePosition
from pentad.search import engine
from pentad.search.bot import Bot, BotEntry
from pentad.search.simple_bots import GreedyBot, RandomBot


def steps_left(here: PentagamePosition, seat: int) -> int:
    """The distance of the seat's best three pieces from their goals, on an empty board."""
    left = [0 if field == OFF_BOARD else DISTANCE[field][goal(piece)] for piece, field in enumerate(here.pieces[seat])]
    return sum(sorted(left)[:HOME_WINS])


def ahead(position: Position, seat: int) -> float:
    """The lead of a seat over its best opponent, in steps."""
    here = cast(PentagamePosition, position)
    others = (steps_left(here, opponent) for opponent in range(here.players) if opponent != seat)
    return min(others) - steps_left(here, seat)


def can_win(position: Position) -> bool:
    """Whether the seat to move can bring its third piece home at once."""
    here = cast(PentagamePosition, position)
    if here.outcome or here.due or here.home(here.turn) < HOME_WINS - 1:
        return False
    mine = here.pieces[here.turn]
    reaches = (here.reach(piece) >> goal(piece) & 1 for piece in range(5) if mine[piece] != OFF_BOARD)
    return bool(here.waiting) or any(reaches)


def _greedy(seed: int | None) -> Bot:
    return GreedyBot(ahead, seed, can_win)


EVALUATE = ahead
DEFAULT_OPPONENT = "tree@medium"  # newcomers can beat it; docs/reference/strength.md says how strong it is
WARM_UP_BOT = _greedy
__all__ = ["BOTS", "DEFAULT_OPPONENT", "EVALUATE", "WARM_UP_BOT", "analyse", "fixed_report"]


analyse = partial(engine.analyse, ENGINE)
fixed_report = partial(engine.fixed_report, ENGINE)

BOTS = {
    "random": BotEntry("plays random turns", RandomBot, title="Random moves"),
    "greedy": BotEntry("searches one turn deep", _greedy, title="One turn ahead"),
    "alphabeta": BotEntry(
        "alpha-beta search, for two players",
        make_level=partial(engine.AlphaBetaBot, ENGINE),
        levels=range(1, 6),
        rungs=True,
        kernels=lambda _: (ENGINE.module,),
        title="Duellist",
    ),
    "tree": BotEntry(
        "tree search, for any number of players",
        make_level=partial(engine.TreeBot, ENGINE),
        levels=range(1, 6),
        rungs=True,
        kernels=lambda _: (ENGINE.module,),
        title="Computer",
    ),
}
