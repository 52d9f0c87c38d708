"""Mean returns of random games by the kernels, for searches of the tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentad.game import Position
from pentad.kernel import prepare
from pentad.pentago.playouts import kernels as k
from pentad.pentago.playouts.tree_bot import KERNELS, boards_of, tables_of
from pentad.pentago.rules import PentagoPosition, Setup


def seed_of(seed: int) -> k.Ints:
    """Converts any number to a kernel seed, which is not 0; close numbers give unrelated seeds."""
    return np.random.default_rng(2 * abs(seed) + (seed < 0)).integers(1, 1 << 62, size=1)


class RandomGames:
    """Mean returns of random games, for search: `games(positions, count, seed)`; `stop()` ends the games."""

    def __init__(self, rollout_policy: int = 0) -> None:
        self.rollout_policy = rollout_policy
        self._stop = np.zeros(1, dtype=np.int64)

    def stop(self) -> None:
        """Ends the current games; boards not reached get returns of 0."""
        self._stop[0] = 1

    def __call__(self, positions: Sequence[Position], count: int, seed: int) -> list[tuple[float, ...]]:
        """The mean returns of each seat over `count` games from each position; a finished game has its own returns."""
        prepare(KERNELS)
        self._stop[0] = 0
        results: dict[int, tuple[float, ...]] = {}
        by_setup: dict[Setup, list[int]] = {}
        for index, here in enumerate(positions):
            assert isinstance(here, PentagoPosition)
            if here.outcome:
                results[index] = here.outcome.returns
            else:
                by_setup.setdefault(here.setup, []).append(index)
        rng_state = seed_of(seed)
        for setup, indices in by_setup.items():
            going_on = [here for index in indices if isinstance(here := positions[index], PentagoPosition)]
            returns = np.zeros((len(indices), setup.players))
            k.play_many(
                tables_of(setup),
                boards_of(going_on),
                np.array([here.turn for here in going_on], dtype=np.int64),
                np.array([here.placed for here in going_on], dtype=np.int64),
                count,
                self.rollout_policy,
                rng_state,
                returns,
                self._stop,
            )
            results |= {index: tuple(row) for index, row in zip(indices, returns.tolist(), strict=True)}
        return [results[index] for index in range(len(positions))]
