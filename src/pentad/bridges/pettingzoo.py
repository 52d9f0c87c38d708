"""Environments of PettingZoo: every seat is an agent, and every step of a turn is an action.

    >>> from pentad.bridges import pettingzoo
    >>> env = pettingzoo.env("pentago")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    >>> env.agents
    []

`docs/how-to/learners.md` describes the actions and the observations of each game.
"""

from __future__ import annotations

from typing import Any

from pentad.game import Position, new
from pentad.games import encoding
from pentad.system.extras import needs

with needs("pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

    from pentad.bridges import environments


def env(game: str, *, render_mode: str | None = None, **options: object) -> AECEnv[str, environments.Observation, int]:
    """An environment of a game with its options; `render_mode` is `ansi` or `human`."""
    return OrderEnforcingWrapper(Environment(game, render_mode=render_mode, **options))


class Environment(AECEnv[str, environments.Observation, int]):  # type: ignore[misc]  # pettingzoo has no types
    """A game with an agent for each seat: `player_0`, `player_1` and so on."""

    def __init__(self, game: str, *, render_mode: str | None = None, **options: object) -> None:
        super().__init__()
        self.first = self.position = new(game, **options)
        self.render_mode = environments.check_render_mode(render_mode)
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": [*environments.RENDER_MODES],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.first.players)]
        self.state_space = environments.planes_space(self.first)
        # Each agent has a space of its own, since each is seeded by itself.
        self.observation_spaces = {agent: environments.observation_space(self.first) for agent in self.possible_agents}
        self.action_spaces = {agent: environments.action_space(self.first) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. The option `position` is the text of another first position."""
        self._show(environments.start(self.first, options))
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None

    def step(self, action: int | None) -> None:
        """Plays a step of the agent's turn; `IllegalMove` says why it is not legal, and the game goes on without it."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._show(encoding.play(self.position, encoding.chosen(self._legal, action)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if outcome := self.position.outcome:
            self.rewards = dict(zip(self.agents, outcome.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _show(self, here: Position) -> None:
        """Makes a position the current one."""
        self.position, self._legal = here, encoding.steps(here)
        self.agent_selection = self.possible_agents[here.turn]

    def observe(self, agent: str) -> environments.Observation:
        """The position as the agent sees it; only the agent to move has legal actions."""
        seat = self.possible_agents.index(agent)
        return environments.observation(self.position, seat, self._legal if agent == self.agent_selection else ())

    def state(self) -> environments.Array:
        """The position as the first seat sees it."""
        return environments.planes(self.position, 0)

    def render(self) -> str | None:
        return environments.render(self.position, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
