"""Mean returns of random games by the kernels, for searches of the tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentad.game import Position
from pentad.games.pentago.playouts import kernels
from pentad.games.pentago.playouts.constants import SLOTS, GameRoom, PlayoutArrays, PlayoutControl
from pentad.games.pentago.playouts.tree_bot import cells_of, tables_of
from pentad.games.pentago.rules import PentagoPosition, Setup
from pentad.kernels.buffers import zeros
from pentad.kernels.types import Float64s, Int8s, Int64s, UInt8s, UInt64s


def seed_of(seed: int) -> int:
    """Converts any number to a kernel seed, which is not 0; close numbers give unrelated seeds."""
    return int(np.random.default_rng(2 * abs(seed) + (seed < 0)).integers(1, 1 << 62))


def boards_of(positions: Sequence[PentagoPosition]) -> NDArray[np.int8]:
    """The boards of positions of one setup, as arrays of cells."""
    return np.array([np.asarray(cells_of(here)) for here in positions])


def room_of(setup: Setup) -> GameRoom:
    """Room of games on a board."""
    size = (setup.board.height + 2) * (setup.board.width + 2)
    gaps = zeros(setup.players * SLOTS, Int64s)
    return GameRoom(zeros(size, Int8s), zeros(size, Int8s), gaps, zeros(0, UInt8s), zeros(0, UInt64s))


class RandomGames:
    """Mean returns of random games, for search: `games(positions, count, seed)`; `stop()` ends the games."""

    def __init__(self, rollout_policy: int = 0) -> None:
        self._control = PlayoutControl()
        self._control.rollout_policy = rollout_policy

    def stop(self) -> None:
        """Ends the current games; boards not reached get returns of 0."""
        self._control.stop = 1

    def __call__(self, positions: Sequence[Position], count: int, seed: int) -> list[tuple[float, ...]]:
        """The mean returns of each seat over `count` games from each position; a finished game has its own returns."""
        self._control.stop, self._control.games, self._control.seed = 0, count, seed_of(seed)
        return [self._mean(here, count) for here in positions if isinstance(here, PentagoPosition)]

    def _mean(self, here: PentagoPosition, count: int) -> tuple[float, ...]:
        if here.outcome:
            return here.outcome.returns
        returns, none, no_weights = zeros(here.players, Float64s), zeros(0, Int64s), zeros(0, Float64s)
        board = cells_of(here)
        run = PlayoutArrays(
            tables_of(here.setup), board, board, none, no_weights, returns, no_weights, none, room_of(here.setup),
            self._control,
        )  # fmt: skip
        played = kernels.play_from(run, here.turn, here.placed)
        return tuple(each / count for each in returns) if played == count else (0.0,) * here.players
