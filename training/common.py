"""Training of evaluations: the files of a round's games, and gradient descent by the moments of the gradient (Adam)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentad.kernels.npz import read_npz

AGAIN = "Remove it; the same command makes it again."
SEEDS_OF_ROUND = 10**7
FIRST, SECOND = 0.9, 0.999  # how much of the moments a step keeps


@dataclass
class Moments:
    """The moments of a gradient: the means of its numbers and of their squares, over the steps so far."""

    mean: NDArray[Any]
    square: NDArray[Any]
    steps: int = 0

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> Moments:
        return cls(np.zeros_like(numbers), np.zeros_like(numbers))

    def direction(self, slopes: NDArray[Any]) -> NDArray[Any]:
        """Adds a gradient; returns the step to take, for a rate of 1."""
        self.steps += 1
        self.mean += (1 - FIRST) * (slopes - self.mean)
        self.square += (1 - SECOND) * (slopes**2 - self.square)
        mean, square = self.mean / (1 - FIRST**self.steps), self.square / (1 - SECOND**self.steps)
        return mean / (np.sqrt(square) + 1e-8)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file of a training run, with their checksums verified, as `numpy.load` does not always do."""
    return {name: np.asarray(each.values).reshape(each.shape) for name, each in read_npz(path, AGAIN).items()}


def play_round(
    stem: Path, number: int, games: int, of_a_file: int, workers: int, play: Callable[..., Path]
) -> list[Path]:
    """The files of a round's games, whose names begin with a stem; those that are missing are played.

    `play` is called with the `seeds` of a file's games and its `path`, in a process of its own.
    """
    first, last = number * SEEDS_OF_ROUND, number * SEEDS_OF_ROUND + games
    seeds = [range(each, min(each + of_a_file, last)) for each in range(first, last, of_a_file)]
    paths = [stem.with_name(f"{stem.name}-{each:04}.npz") for each in range(len(seeds))]
    missing = [(each, path) for each, path in zip(seeds, paths, strict=True) if not path.exists()]
    with ProcessPoolExecutor(workers) as pool:
        tasks = [pool.submit(play, seeds=each, path=path) for each, path in missing]
        for done, task in enumerate(tasks, 1):
            print(f"round {number}: {task.result().name}, {done} of {len(tasks)}", flush=True)
    return paths
