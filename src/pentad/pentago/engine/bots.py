"""The bots that search: at five levels, and one that plays exactly wherever it can find out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import cast

from pentad.game import IllegalMove, Move, Position
from pentad.pentago.engine.alphabeta import DEEPEST, SLOTS, AlphaBeta, Root
from pentad.pentago.engine.exact import SURE_FROM, exact_values
from pentad.pentago.engine.search_kernels import PROVED
from pentad.pentago.engine.state import suits
from pentad.pentago.engine.weights import net
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import Solution
from pentad.pentago.tree_bot import TreeBot
from pentad.pentago.values import in_moves
from pentad.search.bot import Bot

USUAL_SECONDS = 1.0
SHARE = 0.6  # of the time, that finding exact values may take
SMALL_MEMORY, LARGE_MEMORY = 1 << 30, 6 << 30  # bytes that the solver may use: of the highest level, of the perfect bot


@dataclass(frozen=True, slots=True)
class Level:
    """How many turns ahead are looked at, by how much a score may seem to be something else, what is overlooked."""

    depth: int
    noise: float = 0.0
    careless: float = 0.0  # how often a turn is played without looking
    among: int = 1  # so many moves are compared
    slots: int = 1 << 14
    exact: bool = False


LEVELS = {
    1: Level(1, noise=1000, careless=0.2, among=12),
    2: Level(2, noise=1000, careless=0.07, among=12),
    3: Level(2, noise=250, among=8),
    4: Level(3, slots=1 << 16),
    5: Level(DEEPEST, slots=SLOTS, exact=True),
}


class EngineBot(Bot):
    """Searches at a level; the highest uses all the time it is given, a second where nobody says, and the solver.

    On boards other than the classic one for two, a tree bot of the same level plays.
    """

    kind = "engine"
    memory = SMALL_MEMORY

    def __init__(self, level: int = 5, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{self.kind}-{level}"
        self.number, self.level = level, LEVELS[level]
        self.sure = False  # whether the last move keeps what the position is worth, for certain
        self.note = ""  # what the bot says about its last move
        self._search: AlphaBeta | TreeBot | None = None

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentagoPosition, position)
        if here.outcome:
            raise IllegalMove("the game is over, there is no move to choose")
        self.sure, self.note = False, ""
        if not suits(here):
            self._search = TreeBot(self.number, self.random.getrandbits(60))
            return self._search.choose(here, seconds=seconds)
        if self.random.random() < self.level.careless:
            return self.random.choice(here.legal_moves)
        return self._found(here, USUAL_SECONDS if seconds is None and self.level.exact else seconds)

    def _found(self, here: PentagoPosition, seconds: float | None) -> Move:
        began = time.monotonic()
        search = AlphaBeta(here, net(), self.level.slots)
        self._search = search
        search.deepen(1)
        if self.level.exact and not search.decided and (exact := self._exact(here, seconds)):
            self._tell(exact)
            search.only(exact.best)
            if exact.value and len(exact.best) < len(exact.moves):  # they are as good as each other
                return self._one_of(exact.best)
        left = None if seconds is None else max(seconds - (time.monotonic() - began), 0.01)
        search.deepen(self.level.depth, left, self.level.among)
        root = self._choice(search.roots[: self.level.among])
        if abs(search.best.score) > PROVED and not self.note:
            self.sure, self.note = True, "a win" if search.best.score > 0 else "a loss"
        return root.move

    def _exact(self, here: PentagoPosition, seconds: float | None) -> Solution | None:
        """Exact values, where they can be had for certain in a moment."""
        return exact_values(here, seconds, self.memory) if here.ply >= SURE_FROM else None

    def _tell(self, exact: Solution) -> None:
        self.sure = True
        self.note = {1: "a win", 0: "a draw", -1: "a loss"}[exact.value]
        if exact.turns:
            self.note += f" in {in_moves(exact.turns)}"

    def _one_of(self, moves: list[Move]) -> Move:
        return moves[self.random.randrange(len(moves))]

    def _choice(self, roots: list[Root]) -> Root:
        """The best of the moves, as it seems."""
        if not self.level.noise:
            return roots[0]
        return max(roots, key=lambda root: root.score + self.random.gauss(0, self.level.noise))

    def stop(self) -> None:
        """End the search; what was found is played."""
        if self._search:
            self._search.stop()


class PerfectBot(EngineBot):
    """The highest level, exact wherever slices or the solver tell within the time and memory; `sure` says whether."""

    kind = "perfect"
    memory = LARGE_MEMORY

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(5, seed)
        self.name = self.kind

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        move = super().choose(position, seconds=seconds)
        if not self.sure:
            self.note = "not sure"
        return move

    def _exact(self, here: PentagoPosition, seconds: float | None) -> Solution | None:
        return exact_values(here, (USUAL_SECONDS if seconds is None else seconds) * SHARE, self.memory)
