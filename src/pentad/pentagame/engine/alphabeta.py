"""Alpha-beta search with iterative deepening for Pentagame with two players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pentad.game import Move
from pentad.kernel import prepare
from pentad.pentagame.engine import alphabeta_kernels as k
from pentad.pentagame.engine import tree_kernels
from pentad.pentagame.engine.kernels import MAX_STEPS, signature
from pentad.pentagame.engine.state import state_of, step_of
from pentad.pentagame.notation import TurnStep
from pentad.pentagame.rules import PentagamePosition
from pentad.search.stoppable import run

KERNELS = "pentad.pentagame.engine.alphabeta_kernels"
DEEPEST = 12
SLOTS = 1 << 18


class AlphaBeta:
    """A search at a position; `best` is the best turn at the deepest completed depth."""

    def __init__(
        self,
        position: PentagamePosition,
        weights: tree_kernels.Floats = tree_kernels.WEIGHTS,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        prepare(KERNELS)
        self.position, self.weights = position, weights
        self.control = np.zeros(6, dtype=np.int64)
        self.control[tree_kernels.SEED], self.control[k.ROOT_SEAT] = seed, position.turn
        self.depth, self.value, self.steps = 0, 0.5, np.zeros(0, dtype=np.int64)
        self._states = k.start(state_of(position))
        self._lists = np.zeros((k.LEVELS, MAX_STEPS), dtype=np.int64)
        self._evaluations = np.zeros((k.LEVELS, MAX_STEPS, tree_kernels.SEATS))
        self._keys, self._seen = np.zeros(k.LEVELS + 1, dtype=np.int64), np.array([*seen], dtype=np.int64)
        self._table, self._table_values = np.zeros((SLOTS, 4), dtype=np.int64), np.zeros(SLOTS)
        self._work = np.zeros(90, dtype=np.int64)
        self._pv = np.full((k.LEVELS + 1, k.LEVELS + 1), -1, dtype=np.int64)

    def deepen(self, depth: int = DEEPEST, seconds: float | None = None) -> None:
        """Searches one turn deep, then two, and so on, until `stop` or the time limit."""
        self.control[tree_kernels.STOP] = 0
        self._keys[0] = signature(self._states[0])

        def go() -> None:
            for ahead in range(self.depth + 1, min(depth, DEEPEST) + 1):
                value = k.search(
                    0, ahead, 0, -1.0, 2.0, self._states, self._lists, self._evaluations, self._keys, self._seen,
                    self._table, self._table_values, self.weights, self._work, self.control, self._pv,
                )  # fmt: skip
                if self.control[tree_kernels.STOP] and self.depth:
                    return
                self.depth, self.value, self.steps = ahead, float(value), self._pv[0].copy()

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control[tree_kernels.STOP] = 1

    @property
    def nodes(self) -> int:
        return int(self.control[tree_kernels.VISITED])

    @property
    def best(self) -> tuple[Move, PentagamePosition]:
        """The best turn, and the position after it."""
        steps, here = [], self.position
        for step, after in self._played():
            if here.ply > self.position.ply:
                break
            steps.append(step)
            here = after
        return Move(steps), here

    @property
    def moves(self) -> tuple[Move, ...]:
        """The principal variation as turns."""
        moves: list[Move] = []
        steps: list[TurnStep] = []
        ply = self.position.ply
        for step, after in self._played():
            steps.append(step)
            if after.ply > ply:
                moves.append(Move(steps))
                steps, ply = [], after.ply
        return tuple(moves)

    def _played(self) -> Iterator[tuple[TurnStep, PentagamePosition]]:
        """The steps of the principal variation, each with the position after it."""
        here = self.position
        for code in self.steps:
            if code < 0 or here.outcome:
                return
            step = step_of(int(code), here)
            here = here.after(step)
            yield step, here
