"""The tree search of Pentagame as Python sees it: grow a tree for a while, then read what it found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pentad.game import Move
from pentad.kernel import prepare
from pentad.pentagame.engine import tree_kernels as k
from pentad.pentagame.engine.kernels import MOST_STEPS
from pentad.pentagame.engine.state import state_of, step_of
from pentad.pentagame.rules import PentagamePosition
from pentad.pentagame.steps import TurnStep
from pentad.search.stoppable import run

KERNELS = "pentad.pentagame.engine.tree_kernels"
WON = 1 - 1e-9  # what is worth so much has won
NODES_A_SECOND = 500_000  # room for what a fast machine finds
MOST_NODES = 3_000_000  # some 250 MB


@dataclass(frozen=True, slots=True)
class Found:
    """A turn with those expected after it, what it is worth to each seat, and how often it was visited."""

    moves: tuple[Move, ...]
    worth: tuple[float, ...]
    visits: int


class Tree:
    """A tree at a position, with room for so many nodes; turns that lead to what was `seen` count as draws."""

    def __init__(
        self,
        position: PentagamePosition,
        nodes: int,
        weights: k.Floats = k.WEIGHTS,
        width: int = k.WIDEST,
        seed: int = 1,
        seen: Iterable[int] = (),
    ) -> None:
        prepare(KERNELS)
        nodes = max(min(nodes, MOST_NODES), 4 * k.WIDEST)
        self.position, self.weights, self.width = position, weights, width
        self.told = np.zeros(4, dtype=np.int64)
        self.told[k.SEED] = seed
        self.size = 1
        self._state = state_of(position)
        self._tree = np.zeros((nodes, 4), dtype=np.int64)
        self._worths, self._priors = np.zeros((nodes, k.SEATS)), np.zeros(nodes)
        self._work = np.zeros(MOST_STEPS + 90, dtype=np.int64)
        self._looks = np.zeros((MOST_STEPS, k.SEATS))
        self._seen = np.array([*seen], dtype=np.int64)

    @property
    def visits(self) -> int:
        return int(self.told[k.VISITED])

    @property
    def depth(self) -> int:
        """How many steps deep it is."""
        return int(self.told[k.DEPTH])

    @property
    def full(self) -> bool:
        """Whether there is no room for more nodes."""
        return self.size + k.WIDEST >= len(self._tree)

    def grow(self, visits: int, seconds: float | None = None) -> None:
        """Visit it so many times, or for so long, or until `stop`."""
        self.told[k.STOP] = 0
        run(lambda: self._grow(visits), self.told, seconds)

    def stop(self) -> None:
        """End what is growing now."""
        self.told[k.STOP] = 1

    def _grow(self, visits: int) -> None:
        self.size = k.grow(
            self._state,
            self._tree,
            self._worths,
            self._priors,
            self.size,
            visits,
            self.told,
            self.weights,
            self.width,
            self._work,
            self._looks,
            self._seen,
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def worth(self, node: int = 0) -> tuple[float, ...]:
        """What a node is worth to each seat."""
        return tuple(map(float, self._worths[node, : self.position.players]))

    @property
    def best(self) -> tuple[Move, PentagamePosition]:
        """The steps that were visited most, and where they lead: to the turn's end, if the tree goes there."""
        move, _, after = self._turn(0, self.position)
        return move, after

    def turns(self, count: int = 1) -> list[Found]:
        """The best turns from here, each with its line."""
        seat = self.position.turn
        ends = sorted(self._ends(0, self.position, ()), key=lambda end: self._merit(end[0], seat), reverse=True)
        return [
            Found((Move(steps), *self._line(node, here)), self.worth(node), self._visits(node))
            for node, here, steps in ends[:count]
        ]

    def _ends(
        self, node: int, here: PentagamePosition, steps: tuple[TurnStep, ...]
    ) -> list[tuple[int, PentagamePosition, tuple[TurnStep, ...]]]:
        """The nodes that end a turn from here, with their positions and the steps that led there."""
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
        """The turns expected from a node on, as far as they were visited."""
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
        """What makes a node the best for a seat: that it wins, then how often it was visited, then its worth."""
        worth = float(self._worths[node, seat])
        return worth >= WON, self._visits(node), worth

    def _visits(self, node: int) -> int:
        return int(self._tree[node, k.VISITS])
