"""Mean returns of random games by the kernels, for searches of the tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentad.game import Position
from pentad.games.pentago.playouts import kernels
from pentad.games.pentago.playouts.constants import NUMBERS, SLOTS
from pentad.games.pentago.playouts.tree_bot import cells_of, tables_of
from pentad.games.pentago.rules import PentagoPosition, Setup


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
        rng_state = seed_of(seed)
        return [self._mean(here, count, rng_state) for here in positions if isinstance(here, PentagoPosition)]

    def _mean(self, here: PentagoPosition, count: int, rng_state: kernels.Ints) -> tuple[float, ...]:
        if here.outcome:
            return here.outcome.returns
        returns = np.zeros(here.players)
        (board,) = boards_of([here])
        gaps = np.zeros(here.players * SLOTS, dtype=np.int64)
        played = kernels.play_from(
            kernel_tables(here.setup), board, returns, rng_state, self._stop, np.empty_like(board),
            np.empty_like(board), gaps, here.turn, here.placed, count, self.rollout_policy,
        )  # fmt: skip
        return tuple((returns / count).tolist()) if played == count else (0.0,) * here.players
