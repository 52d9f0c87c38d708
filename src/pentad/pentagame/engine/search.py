"""Search of Pentagame: alpha-beta for two players, and a tree for any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from pentad.game import Move
from pentad.jit.cache import prepare
from pentad.pentagame.engine import alphabeta_kernels
from pentad.pentagame.engine import tree_kernels as k
from pentad.pentagame.engine.kernels import MAX_STEPS, signature
from pentad.pentagame.engine.state import state_of, step_of
from pentad.pentagame.notation import TurnStep
from pentad.pentagame.rules import PentagamePosition
from pentad.search.stoppable import run

ALPHABETA_KERNELS = "pentad.pentagame.engine.alphabeta_kernels"
DEEPEST = 12
SLOTS = 1 << 18


class AlphaBeta:
    """A search at a position; `best` is the best turn at the deepest completed depth."""

    def __init__(
        self,
        position: PentagamePosition,
        weights: k.Floats = k.WEIGHTS,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        prepare(ALPHABETA_KERNELS)
        self.position, self.weights = position, weights
        self.control = np.zeros(6, dtype=np.int64)
        self.control[k.SEED], self.control[alphabeta_kernels.ROOT_SEAT] = seed, position.turn
        self.depth, self.value, self.steps = 0, 0.5, np.zeros(0, dtype=np.int64)
        self._states = alphabeta_kernels.start(state_of(position))
        self._lists = np.zeros((alphabeta_kernels.LEVELS, MAX_STEPS), dtype=np.int64)
        self._evaluations = np.zeros((alphabeta_kernels.LEVELS, MAX_STEPS, k.SEATS))
        self._keys, self._seen = (
            np.zeros(alphabeta_kernels.LEVELS + 1, dtype=np.int64),
            np.array([*seen], dtype=np.int64),
        )
        self._table, self._table_values = np.zeros((SLOTS, 4), dtype=np.int64), np.zeros(SLOTS)
        self._work = np.zeros(90, dtype=np.int64)
        self._pv = np.full((alphabeta_kernels.LEVELS + 1, alphabeta_kernels.LEVELS + 1), -1, dtype=np.int64)

    def deepen(self, depth: int = DEEPEST, seconds: float | None = None) -> None:
        """Searches one turn deep, then two, and so on, until `stop` or the time limit."""
        self.control[k.STOP] = 0
        self._keys[0] = signature(self._states[0])

        def go() -> None:
            for ahead in range(self.depth + 1, min(depth, DEEPEST) + 1):
                value = alphabeta_kernels.search(
                    0, ahead, 0, -1.0, 2.0, self._states, self._lists, self._evaluations, self._keys, self._seen,
                    self._table, self._table_values, self.weights, self._work, self.control, self._pv,
                )  # fmt: skip
                if self.control[k.STOP] and self.depth:
                    return
                self.depth, self.value, self.steps = ahead, float(value), self._pv[0].copy()

        run(go, self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control[k.STOP] = 1

    @property
    def nodes(self) -> int:
        return int(self.control[k.VISITED])

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


KERNELS = "pentad.pentagame.engine.tree_kernels"
WON = 1 - 1e-9  # the lowest value of a win
NODES_PER_SECOND = 500_000  # an upper bound for a fast machine
MAX_NODES = 3_000_000  # some 250 MB


@dataclass(frozen=True, slots=True)
class Found:
    """A turn with its expected continuation, its value for each seat, and its number of visits."""

    moves: tuple[Move, ...]
    value: tuple[float, ...]
    visits: int


class Tree:
    """A tree at a position, with a limit of nodes; turns to positions already `seen` count as draws."""

    def __init__(
        self,
        position: PentagamePosition,
        nodes: int,
        weights: k.Floats = k.WEIGHTS,
        width: int = k.MAX_CHILDREN,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        prepare(KERNELS)
        nodes = max(min(nodes, MAX_NODES), 4 * k.MAX_CHILDREN)
        self.position, self.weights, self.width = position, weights, width
        self.control = np.zeros(4, dtype=np.int64)
        self.control[k.SEED] = seed
        self.size = 1
        self._state = state_of(position)
        self._tree = np.zeros((nodes, 4), dtype=np.int64)
        self._values, self._priors = np.zeros((nodes, k.SEATS)), np.zeros(nodes)
        self._work = np.zeros(MAX_STEPS + 90, dtype=np.int64)
        self._evaluations = np.zeros((MAX_STEPS, k.SEATS))
        self._seen = np.array([*seen], dtype=np.int64)

    @property
    def visits(self) -> int:
        return int(self.control[k.VISITED])

    @property
    def depth(self) -> int:
        """The depth in steps."""
        return int(self.control[k.DEPTH])

    @property
    def full(self) -> bool:
        """Whether the limit of nodes is reached."""
        return self.size + k.MAX_CHILDREN >= len(self._tree)

    def grow(self, visits: int, seconds: float | None = None) -> None:
        """Visits the tree so many times, until the time limit or `stop`."""
        self.control[k.STOP] = 0
        run(lambda: self._grow(visits), self.control, seconds)

    def stop(self) -> None:
        """Stops the search."""
        self.control[k.STOP] = 1

    def _grow(self, visits: int) -> None:
        self.size = k.grow(
            self._state,
            self._tree,
            self._values,
            self._priors,
            self.size,
            visits,
            self.control,
            self.weights,
            self.width,
            self._work,
            self._evaluations,
            self._seen,
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def value(self, node: int = 0) -> tuple[float, ...]:
        """The value of a node for each seat."""
        return tuple(map(float, self._values[node, : self.position.players]))

    @property
    def best(self) -> tuple[Move, PentagamePosition]:
        """The best steps and the position after them, at the end of the turn if the tree is deep enough."""
        move, _, after = self._turn(0, self.position)
        return move, after

    def turns(self, count: int = 1) -> list[Found]:
        """The best turns from here, each with its continuation."""
        seat = self.position.turn
        ends = sorted(self._ends(0, self.position, ()), key=lambda end: self._merit(end[0], seat), reverse=True)
        return [
            Found((Move(steps), *self._line(node, here)), self.value(node), self._visits(node))
            for node, here, steps in ends[:count]
        ]

    def _ends(
        self, node: int, here: PentagamePosition, steps: tuple[TurnStep, ...]
    ) -> list[tuple[int, PentagamePosition, tuple[TurnStep, ...]]]:
        """The nodes at the end of a turn from here, with their positions and steps."""
        ends = []
        for child in self._children(node):
            step = step_of(int(self._tree[child, k.STEP]), here)
            after = here.after(step)
            if after.ply > here.ply:
                ends.append((child, after, (*steps, step)))
            else:
                ends += self._ends(child, after, (*steps, step))
        return ends

    def _line(self, node: int, here: PentagamePosition) -> list[Move]:
        """The expected turns from a node on, as far as the tree goes."""
        line = []
        while self._children(node) and not here.outcome:
            move, node, after = self._turn(node, here)
            if after.ply == here.ply:
                break
            line.append(move)
            here = after
        return line

    def _turn(self, node: int, here: PentagamePosition) -> tuple[Move, int, PentagamePosition]:
        """The best steps up to the end of the turn."""
        steps: list[TurnStep] = []
        ply = here.ply
        while here.ply == ply and not here.outcome and self._children(node):
            seat = here.turn
            node = max(self._children(node), key=lambda child: self._merit(child, seat))
            steps.append(step_of(int(self._tree[node, k.STEP]), here))
            here = here.after(steps[-1])
        return Move(steps), node, here

    def _children(self, node: int) -> range:
        first = int(self._tree[node, k.FIRST])
        return range(first, first + int(self._tree[node, k.CHILDREN]))

    def _merit(self, node: int, seat: int) -> tuple[bool, int, float]:
        """The sort key of nodes for a seat: a win first, then visits, then value."""
        value = float(self._values[node, seat])
        return value >= WON, self._visits(node), value

    def _visits(self, node: int) -> int:
        return int(self._tree[node, k.VISITS])
