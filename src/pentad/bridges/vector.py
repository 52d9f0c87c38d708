"""A vector environment of Gymnasium: many games stepped together as arrays, one seat of each is the learner's.

>>> from pentad.bridges import gymnasium
>>> envs = gymnasium.vector_env("pentago", 3)
>>> observations, infos = envs.reset(seed=1)
>>> observations["observation"].shape, observations["action_mask"].shape
((3, 5, 6, 6), (3, 44))
>>> observations, rewards, terminations, truncations, infos = envs.step([0, 7, 35])
>>> observations["action_mask"][:, 36:].all()  # a twist is next
np.True_
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pentad.game import GameError, new, shown
from pentad.games.batch import Games
from pentad.system.extras import needs

with needs("gym"):
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import ArrayLike, NDArray

    from pentad.bridges import environments

RANDOM = "random"

# Chooses an action for each of some games by their observations, which are those of the seats to move.
Policy: TypeAlias = Callable[[environments.Observation], ArrayLike]
Flags: TypeAlias = NDArray[np.bool_]


class VectorEnvironment(VectorEnv[Any, Any, Any]):
    """Many games of one kind; `games` has their arrays, `seats` the learner's seat in each.

    A game that is over begins again in the next step, which ignores its action.
    """

    def __init__(
        self,
        game: str,
        count: int,
        *,
        opponent: str | Policy = RANDOM,
        seat: int | None = 0,
        **options: object,
    ) -> None:
        self.first = new(game, **options)
        if opponent != RANDOM and not callable(opponent):
            raise GameError(
                "The opponent must be {random} or a function of observations, not {opponent}. "
                "For bots, put single environments into gymnasium.vector.SyncVectorEnv.",
                random=RANDOM,
                opponent=shown(opponent),
            )
        self._chosen_seat = environments.check_seat(seat, self.first.players)
        self._policy = opponent if callable(opponent) else None
        self.games = Games(self.first, count)
        self.num_envs = count
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_action_space = environments.action_space(self.first)
        self.single_observation_space = environments.observation_space(self.first)
        self.action_space = batch_space(self.single_action_space, count)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.seats = np.zeros(count, np.int64)
        self._forfeited: Flags = np.zeros(count, np.bool_)
        self._rows = np.arange(count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[environments.Observation, dict[str, Any]]:
        """Begins all games again. The option `position` is the text of another first position."""
        super().reset(seed=seed)
        first = environments.start(self.first, options)
        self.games = Games(first, self.num_envs, seed=int(self.np_random.integers(1 << 62)))
        self._forfeited[:] = False
        self._draw_seats(~self._forfeited)
        self._play_others()
        return self._observations(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[environments.Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Makes a step of the learner's turn in every game, and after the turn those of the others.

        An illegal action loses: the game is over, and `infos["illegal"]` is set for it.
        """
        games, chosen = self.games, np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise GameError("Expected {count} whole numbers as actions, one for each game.", count=self.num_envs)
        over = games.done | self._forfeited
        in_range = (chosen >= 0) & (chosen < games.actions)
        legal = in_range & (games.mask[self._rows, np.where(in_range, chosen, 0)] == 1)
        if over.any():
            games.reset(over)
            self._draw_seats(over)
        self._forfeited = ~over & ~legal
        games.step(chosen, ~over & legal)
        self._play_others()
        rewards = np.where(self._forfeited, environments.ILLEGAL, games.returns[self._rows, self.seats])
        infos = {"illegal": self._forfeited.copy()} if self._forfeited.any() else {}
        terminations = games.done | self._forfeited
        return self._observations(), rewards, terminations, np.zeros(self.num_envs, np.bool_), infos

    def _draw_seats(self, where: Flags) -> None:
        """The learner's seats in games that begin."""
        if self._chosen_seat is None:
            self.seats[where] = self.np_random.integers(self.first.players, size=int(where.sum()))
        else:
            self.seats[where] = self._chosen_seat

    def _play_others(self) -> None:
        """Makes the steps of the other seats, until the learner is to move in every game that goes on."""
        games = self.games
        while (others := ~games.done & ~self._forfeited & (games.turn != self.seats)).any():
            if self._policy is None:
                games.step(games.sample(), others)
                continue
            chosen = np.zeros(self.num_envs, np.int64)
            chosen[others] = self._policy(
                {"observation": games.observations[others], "action_mask": games.mask[others]}
            )
            games.step(chosen, others)

    def _observations(self) -> environments.Observation:
        """Copies, since the arrays of the games are written in place."""
        return {"observation": self.games.observations.copy(), "action_mask": self.games.mask.copy()}
