"""Tabular Q-learning on a Pentago board of 2 × 4 spaces, where three in a row win, against random moves.

python q_learning.py [GAMES]; it needs the extra gym.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pentad.bridges import gymnasium

RATE, EXPLORATION = 0.3, 0.4
env = gymnasium.env("pentago", rows=1, cols=2, block=2, line=3, opponent="random", seat=0)
values = defaultdict[tuple[bytes, int], float](float)  # what a state and an action lead to, on average


def choices(observation: Mapping[str, Any]) -> dict[int, tuple[bytes, int]]:
    """The legal actions of a state, each with its key among the values."""
    state = observation["observation"].tobytes()
    return {int(action): (state, int(action)) for action in observation["action_mask"].nonzero()[0]}


def play(seed: int, rate: float = 0.0, exploration: float = 0.0) -> float:
    """Plays a game, learns from its steps, and returns its reward: 1, 0 or -1."""
    chance = random.Random(seed)
    observation, _ = env.reset(seed=seed)
    is_over = False
    while not is_over:
        keys = choices(observation)
        explores = chance.random() < exploration
        action = chance.choice([*keys]) if explores else max(keys, key=lambda each: values[keys[each]])
        observation, reward, is_over, _, _ = env.step(action)
        best = 0.0 if is_over else max(values[key] for key in choices(observation).values())
        values[keys[action]] += rate * (reward + best - values[keys[action]])
    return float(reward)


def mean_reward() -> float:
    """The reward of a game without exploration, on average."""
    return sum(play(seed) for seed in range(200)) / 200


print(f"before: {mean_reward():+.2f} a game")
games = int(sys.argv[1]) if sys.argv[1:] else 3000
for seed in range(1000, 1000 + games):
    play(seed, RATE, EXPLORATION)
print(f"after:  {mean_reward():+.2f} a game")
