"""Engine bots at five levels: tree search for any number of players, alpha-beta for two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pentad.game import Move, Position
from pentad.jit.program import program
from pentad.pentagame.engine import constants as k
from pentad.pentagame.engine.search import DEEPEST, KERNELS, NODES_PER_SECOND, AlphaBeta, Tree
from pentad.pentagame.engine.state import state_of
from pentad.pentagame.rules import PentagamePosition
from pentad.search.bot import DEFAULT_SECONDS, Bot


@dataclass(frozen=True, slots=True)
class Level:
    """Search limits (visits of a tree, depth in turns), noise of the evaluation, and contempt for repetitions."""

    visits: int
    turns: int
    noise: float
    contempt: float


LEVELS = {
    1: Level(12, 1, 0.02, 0.9),
    2: Level(50, 2, 0.01, 0.5),
    3: Level(250, 2, 0.004, 0.3),
    4: Level(1500, 3, 0.002, 0.3),
    5: Level(100_000_000, DEEPEST, 0.001, 0.3),
}


class History:
    """The signatures of a game's earlier positions, for the detection of repetitions."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.ply = -1

    def note(self, here: PentagamePosition) -> None:
        """Adds a position."""
        if here.ply <= self.ply:  # another game, or a takeback
            self.seen.clear()
        self.ply = here.ply
        self.seen.append(program(KERNELS)("signature", state_of(here)))


class EngineBot(Bot):
    """A bot that searches at a level; the highest level uses all its time, by default a second."""

    kind = "engine"

    def __init__(self, level: int = 5, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{self.kind}-{level}"
        self.level = LEVELS[level]
        self.weights = [*k.WEIGHTS]
        self.weights[k.NOISE], self.weights[k.CONTEMPT] = self.level.noise, self.level.contempt
        self.history = History()
        self._search: Tree | AlphaBeta | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentagamePosition, position)
        self.history.note(here)
        move, after = self._found(here, DEFAULT_SECONDS if seconds is None else seconds)
        while after.ply == here.ply:  # the search did not reach the end of the turn, so a small one completes it
            more, after = self._completed(after)
            move = Move((*move, *more))
        self.history.note(after)
        return move

    def stop(self) -> None:
        if self._search:
            self._search.stop()

    def _found(self, here: PentagamePosition, seconds: float) -> tuple[Move, PentagamePosition]:
        """The best steps and the position after them, mostly at the end of the turn."""
        raise NotImplementedError

    def _grown(self, here: PentagamePosition, visits: int, seconds: float | None) -> Tree:
        nodes = (
            visits * k.MAX_CHILDREN
            if seconds is None
            else min(visits * k.MAX_CHILDREN, int(NODES_PER_SECOND * seconds))
        )
        tree = Tree(here, nodes, self.weights, seed=self._seed(), seen=self.history.seen)
        self._search = tree
        tree.grow(visits, seconds)
        return tree

    def _completed(self, here: PentagamePosition) -> tuple[Move, PentagamePosition]:
        return self._grown(here, 1, None).best

    def _seed(self) -> int:
        return self.random.getrandbits(60) + 1


class TreeBot(EngineBot):
    """Plays by tree search."""

    kind = "tree"

    def _found(self, here: PentagamePosition, seconds: float) -> tuple[Move, PentagamePosition]:
        return self._grown(here, self.level.visits, seconds).best


class AlphaBetaBot(EngineBot):
    """Plays by alpha-beta search; by tree search with more than two players or within a turn."""

    kind = "alphabeta"

    def _found(self, here: PentagamePosition, seconds: float) -> tuple[Move, PentagamePosition]:
        if here.players > 2:
            return self._grown(here, self.level.visits, seconds).best
        search = AlphaBeta(here, self.weights, self._seed(), self.history.seen)
        self._search = search
        search.deepen(self.level.turns, seconds)
        return search.best
