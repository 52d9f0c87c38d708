"""Mean returns of random games by the kernels, for searches of the tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentad.game import Position
from pentad.jit.program import program
from pentad.pentago.playouts import kernels
from pentad.pentago.playouts.constants import NUMBERS, SLOTS
from pentad.pentago.playouts.tree_bot import KERNELS, cells_of, tables_of
from pentad.pentago.rules import PentagoPosition, Setup


def seed_of(seed: int) -> kernels.Ints:
    """Converts any number to a kernel seed, which is not 0; close numbers give unrelated seeds."""
    return np.random.default_rng(2 * abs(seed) + (seed < 0)).integers(1, 1 << 62, size=1)


def boards_of(positions: Sequence[PentagoPosition]) -> kernels.Cells:
    """The boards of positions of one setup, as arrays of cells."""
    return np.array([np.asarray(cells_of(here)) for here in positions])


def kernel_tables(setup: Setup) -> kernels.Tables:
    """The tables of a setup for kernels that are called directly."""
    numbers, *arrays = map(np.asarray, tables_of(setup))
    return kernels.Tables(*map(int, numbers[:NUMBERS]), *arrays)


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
            boards = boards_of(going_on)
            size = boards.shape[1]
            program(KERNELS)(
                "play_boards",
                *tables_of(setup),
                memoryview(boards.ravel()),
                memoryview(np.array([here.turn for here in going_on], dtype=np.int64)),
                memoryview(np.array([here.placed for here in going_on], dtype=np.int64)),
                memoryview(rng_state),
                memoryview(returns.ravel()),
                memoryview(self._stop),
                *(memoryview(np.zeros(size, dtype=np.int8)) for _ in range(2)),
                memoryview(np.zeros(setup.players * SLOTS, dtype=np.int64)),
                count,
                self.rollout_policy,
            )
            results |= {index: tuple(row) for index, row in zip(indices, returns.tolist(), strict=True)}
        return [results[index] for index in range(len(positions))]
