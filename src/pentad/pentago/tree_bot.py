"""Monte Carlo tree search bot for Pentago on any board and for any number of players.

It has five levels, or plays a number of random games for each move: `tree:rollouts=10000`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pentad.game import GameError, IllegalMove, Move, Position, shown
from pentad.pentago.playouts.driver import BoardExpander, Cells, winning_move
from pentad.pentago.playouts.kernels import TAKE_WINS
from pentad.pentago.rules import PentagoPosition
from pentad.search.bot import Bot
from pentad.search.mcts import Search, turn_of

NAME = "tree"
DEFAULT_SECONDS = 1.0
GAMES = 3  # random games from every expanded state
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Level:
    """A level: the most random games of a move (None: as many as time permits), and the rollout policy.

    `blunder_rate` is how often it plays a random turn.
    """

    rollouts: int | None
    games: int = GAMES
    rollout_policy: int = TAKE_WINS
    blunder_rate: float = 0.0


LEVELS = {
    1: Level(30, blunder_rate=0.2),
    2: Level(80),
    3: Level(400),
    4: Level(3_000),
    5: Level(None),
}


class TreeBot(Bot):
    """Plays the best move of a tree search; the highest level uses all of its time, one second by default."""

    def __init__(self, level: int = 5, seed: int | None = None, rollouts: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{NAME}-{level}" if rollouts is None else f"{NAME}:rollouts={rollouts}"
        self.level = LEVELS[level] if rollouts is None else Level(rollouts)
        self._expander: BoardExpander | None = None
        self._search: Search[Cells] | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentagoPosition, position)
        if here.outcome:
            raise IllegalMove("The game is over. There is no move to choose.")
        if self.random.random() < self.level.blunder_rate:
            return self.random.choice(here.legal_moves)
        if move := winning_move(here):
            return move
        self._expander = expander = BoardExpander(here.setup, self.level.games, self.level.rollout_policy)
        self._search = search = Search(expander, expander.state(here), seed=self.random.getrandbits(60))
        # a number of games has no time limit unless one is given
        search.run(self.level.rollouts, DEFAULT_SECONDS if seconds is None and self.level.rollouts is None else seconds)
        return turn_of(here, expander.steps(search.steps(), here.placed))

    def stop(self) -> None:
        """Stops the search; the best move so far is played."""
        if self._search:
            self._search.stop()
        if self._expander:
            self._expander.stop()


def configured(settings: str, seed: int | None) -> TreeBot:
    """Makes the bot from settings such as `rollouts=10000`."""
    name, equals, number = settings.partition("=")
    fits = name == "rollouts" and equals and number.isascii() and number.isdecimal() and len(number) < 9
    if not fits or not 0 < int(number) <= MOST_ROLLOUTS:
        raise GameError(
            f"Unknown setting {shown(settings)} of bot {NAME}. Expected rollouts=N, with N from 1 to {MOST_ROLLOUTS}."
        )
    return TreeBot(seed=seed, rollouts=int(number))
