"""The bot that chooses Pentagame's turns by a tree, at five levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pentad.game import Move, Position
from pentad.pentagame import tree_kernels as k
from pentad.pentagame.rules import PentagamePosition
from pentad.pentagame.tree import Tree
from pentad.search.bot import Bot

NODES_A_SECOND = 300_000
USUAL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Level:
    """How often a tree is visited at most, and how many children a node has."""

    visits: int
    width: int
    noise: float  # by how much a first look may be wrong


TABLE = {
    1: Level(1, 24, 0.02),
    2: Level(30, 24, 0.01),
    3: Level(150, 24, 0.005),
    4: Level(800, 32, 0.002),
    5: Level(10_000_000, k.WIDEST, 0.001),
}
LEVELS = range(1, 6)


class TreeBot(Bot):
    """Plays by a tree; level 5 uses all the time that it is given, a second where nobody says."""

    def __init__(self, level: int = 5, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"tree-{level}"
        self.level = TABLE[level]
        self.weights = k.WEIGHTS.copy()
        self.weights[k.NOISE] = self.level.noise
        self._tree: Tree | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        time = USUAL_SECONDS if seconds is None else seconds
        here = cast(PentagamePosition, position)
        tree = self._grown(here, self.level.visits, time)
        steps, after = tree.best
        while after.ply == here.ply:  # a turn that was hardly looked at ends within the tree
            more, after = self._grown(after, 1, time).best
            steps = Move((*steps, *more))
        return steps

    def stop(self) -> None:
        if self._tree:
            self._tree.stop()

    def _grown(self, here: PentagamePosition, visits: int, time: float) -> Tree:
        nodes = min(visits * self.level.width * 2, int(NODES_A_SECOND * time))
        self._tree = Tree(here, nodes, self.weights, self.level.width, self.random.getrandbits(60) + 1)
        self._tree.grow(visits, time)
        return self._tree
