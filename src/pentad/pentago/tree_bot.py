"""A bot for Pentago on any board and for any number of players: it grows a tree of turns by random games.

It has five levels, or plays so many random games a move: `tree:rollouts=10000`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pentad.game import GameError, IllegalMove, Move, Position, shown
from pentad.pentago.playouts.driver import Cells, Looker, winning_move
from pentad.pentago.playouts.kernels import TAKES
from pentad.pentago.rules import PentagoPosition
from pentad.search.bot import Bot
from pentad.search.mcts import Search, turn_of

NAME = "tree"
USUAL_SECONDS = 1.0
GAMES = 3  # from every state that is looked at
MOST_ROLLOUTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Level:
    """How many random games a move takes at most (None: as many as there is time for), and how they are played.

    A careless bot plays a turn by chance now and then.
    """

    rollouts: int | None
    games: int = GAMES
    wits: int = TAKES
    careless: float = 0.0


LEVELS = {
    1: Level(30, careless=0.2),
    2: Level(80),
    3: Level(400),
    4: Level(3_000),
    5: Level(None),
}


class TreeBot(Bot):
    """Plays what the tree finds; the highest level takes all the time it is given, a second where nobody says."""

    def __init__(self, level: int = 5, seed: int | None = None, rollouts: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{NAME}-{level}" if rollouts is None else f"{NAME}:rollouts={rollouts}"
        self.level = LEVELS[level] if rollouts is None else Level(rollouts)
        self._looker: Looker | None = None
        self._search: Search[Cells] | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentagoPosition, position)
        if here.outcome:
            raise IllegalMove("the game is over, there is no move to choose")
        if self.random.random() < self.level.careless:
            return self.random.choice(here.legal_moves)
        if move := winning_move(here):
            return move
        self._looker = looker = Looker(here.setup, self.level.games, self.level.wits)
        self._search = search = Search(looker, looker.state(here), seed=self.random.getrandbits(60))
        # a number of games takes the time it takes, unless somebody is waiting
        search.run(self.level.rollouts, USUAL_SECONDS if seconds is None and self.level.rollouts is None else seconds)
        return turn_of(here, looker.steps(search.steps(), here.placed))

    def stop(self) -> None:
        """End the search; what was found is played."""
        if self._search:
            self._search.stop()
        if self._looker:
            self._looker.stop()


def configured(settings: str, seed: int | None) -> TreeBot:
    """The bot of settings such as `rollouts=10000`."""
    name, equals, number = settings.partition("=")
    fits = name == "rollouts" and equals and number.isascii() and number.isdecimal() and len(number) < 9
    if not fits or not 0 < int(number) <= MOST_ROLLOUTS:
        raise GameError(
            f"{shown(settings)} is no setting of the bot {NAME}; it is rollouts=N, with N from 1 to {MOST_ROLLOUTS}"
        )
    return TreeBot(seed=seed, rollouts=int(number))
