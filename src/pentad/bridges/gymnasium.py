"""Environments of Gymnasium: one seat of a game is the learner's, bots play the others.

    >>> from pentad.bridges import gymnasium
    >>> env = gymnasium.env("pentago", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> terminated = False
    >>> while not terminated:
    ...     action = env.action_space.sample(observation["action_mask"])
    ...     observation, reward, terminated, truncated, info = env.step(action)
    >>> reward in (1, 0, -1)
    True

`docs/how-to/learners.md` describes the actions and the observations of each game.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

from pentad.game import GameError, IllegalMove, Step, new
from pentad.games import encoding
from pentad.search.bot import Bot, bot
from pentad.system.extras import needs

with needs("gym"):
    import gymnasium

    from pentad.bridges import environments
    from pentad.bridges.vector import Policy, VectorEnvironment


def env(
    game: str,
    *,
    opponent: str | Bot = "random",
    seat: int | None = 0,
    render_mode: str | None = None,
    **options: object,
) -> Environment:
    """An environment of a game with its options.

    `opponent` is a bot, its name, or its name with a level, such as `engine@2`. `seat` is the learner's; None draws it
    for each game. `render_mode` is `ansi` or `human`.
    """
    return Environment(game, opponent=opponent, seat=seat, render_mode=render_mode, **options)


def vector_env(
    game: str, count: int, *, opponent: str | Policy = "random", seat: int | None = 0, **options: object
) -> VectorEnvironment:
    """So many games of one kind, stepped together as arrays.

    `opponent` is `random`, or a function that gets the observations of some games and returns an action for each.
    """
    return VectorEnvironment(game, count, opponent=opponent, seat=seat, **options)


class Environment(gymnasium.Env[Any, Any]):
    """A game as its learner sees it; `position` is the current one."""

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Bot = "random",
        seat: int | None = 0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.first = self.position = new(game, **options)
        self.render_mode = environments.check_render_mode(render_mode)
        self.metadata = {"render_modes": [*environments.RENDER_MODES], "render_fps": 1}
        self.action_space = environments.action_space(self.first)
        self.observation_space = environments.observation_space(self.first)
        self.opponent, self._chosen_seat = opponent, environments.check_seat(seat, self.first.players)
        self.seat = seat or 0
        self._bot = opponent_of(game, opponent, seed=None)
        self._legal: dict[int, Step] = {}  # none before `reset` and after the end

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[environments.Observation, dict[str, Any]]:
        """Begins a game. The option `position` is the text of another first position."""
        super().reset(seed=seed)
        if seed is not None:
            self._bot = opponent_of(self.first.game, self.opponent, seed=int(self.np_random.integers(1 << 32)))
        self.position = environments.start(self.first, options)
        if self._chosen_seat is None:
            self.seat = int(self.np_random.integers(self.first.players))
        self._play_others()
        return self._observation(), {}

    def step(self, action: SupportsIndex) -> tuple[environments.Observation, float, bool, bool, dict[str, Any]]:
        """Plays a step of the learner's turn, and after the turn those of the others.

        An illegal action loses: the game is over, and `info["illegal"]` says why.
        """
        if not self._legal:
            raise GameError("No game is being played. Call reset to begin one.")
        try:
            self.position = encoding.play(self.position, encoding.chosen(self._legal, action))
        except IllegalMove as error:
            self._legal = {}
            return self._observation(), environments.ILLEGAL, True, False, {"illegal": str(error)}
        self._play_others()
        if self.render_mode == "human":
            self.render()
        outcome = self.position.outcome
        reward = outcome.returns[self.seat] if outcome else 0.0
        return self._observation(), reward, outcome is not None, False, {}

    def _play_others(self) -> None:
        while self.position.outcome is None and self.position.turn != self.seat:
            self.position = self.position.play(self._bot.choose(self.position))
        self._legal = encoding.steps(self.position)

    def _observation(self) -> environments.Observation:
        return environments.observation(self.position, self.seat, self._legal)

    def render(self) -> str | None:
        return environments.render(self.position, self.render_mode)

    def close(self) -> None:
        """Stops what the opponent has started."""
        self._bot.close()


def opponent_of(game: str, who: str | Bot, seed: int | None) -> Bot:
    """The bot of that name, with a level after `@`; a bot is one itself."""
    if isinstance(who, Bot):
        return who
    return bot(game, who, seed=seed)
