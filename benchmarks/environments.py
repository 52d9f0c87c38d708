"""Speed of the environments: steps per CPU second in random games, with the observation and the mask at each.

python -m benchmarks environments [--seconds 2] [--count 256]

Gymnasium's opponent is random; its steps are the learner's. The vector environment steps `count` games together. The
choice of the actions counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from benchmarks.figures import Figure, machine
from pentad.bridges import gymnasium, openspiel, pettingzoo

GAMES = ("pentago", "pente", "pentagame")


def choose(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def pettingzoo_steps(game: str) -> Iterator[int]:
    env, rng = pettingzoo.env(game), np.random.default_rng(1)
    while True:
        env.reset(seed=1)
        while not env.terminations[env.agent_selection]:
            env.step(choose(rng, env.last()[0]["action_mask"]))
            yield 1


def gymnasium_steps(game: str) -> Iterator[int]:
    env, rng = gymnasium.env(game), np.random.default_rng(1)
    while True:
        seen, _ = env.reset(seed=1)
        terminated = False
        while not terminated:
            seen, _, terminated, _, _ = env.step(choose(rng, seen["action_mask"]))
            yield 1


def vector_steps(game: str, count: int) -> Iterator[int]:
    envs, rng = gymnasium.vector_env(game, count), np.random.default_rng(1)
    seen, _ = envs.reset(seed=1)
    while True:
        mask = seen["action_mask"]
        legal, counts = np.flatnonzero(mask) % mask.shape[1], mask.sum(axis=1, dtype=np.int64)
        actions = np.zeros(count, np.int64)
        going = counts > 0
        actions[going] = legal[(np.cumsum(counts) - counts + (rng.random(count) * counts).astype(np.int64))[going]]
        seen, *_ = envs.step(actions)
        yield count


def openspiel_steps(game: str) -> Iterator[int]:
    openspiel.register()
    spiel, rng = pyspiel.load_game(f"pentad_{game}"), np.random.default_rng(1)
    while True:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            state.apply_action(int(rng.choice(state.legal_actions())))
            yield 1


def rate(steps: Iterator[int], seconds: float) -> float:
    """Steps per CPU second, after a first one that prepares everything."""
    next(steps)
    done, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        done += next(steps)
    return done / spent


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each game")
    parser.add_argument("--count", type=int, default=256, help="games of the vector environment")
    args = parser.parse_args(words)
    environments: dict[str, Callable[[str], Iterator[int]]] = {
        "PettingZoo": pettingzoo_steps,
        "OpenSpiel": openspiel_steps,
        "Gymnasium": gymnasium_steps,
        "Gymnasium, vector": lambda game: vector_steps(game, args.count),
    }
    print(machine())
    print(f"{'steps per second':20}", *(f"{game:>10}" for game in GAMES))
    figures = []
    for name, steps in environments.items():
        rates = {game: rate(steps(game), args.seconds) for game in GAMES}
        print(f"{name:20}", *(f"{each:>10,.0f}" for each in rates.values()), flush=True)
        figures += [Figure(f"{name}, {game}", each, "steps per second") for game, each in rates.items()]
    return figures


if __name__ == "__main__":
    main()
