"""Pente's puzzles by its engine's threats: wins in up to three moves are proved against every reply there is.

A win in two begins with a threat, so looking at threats finds all of them; a win in three begins with any move after
every reply to which there is a win in two. Longer ones are asked for by threats alone: of those, too, all are found.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from pentad.game import Move, Position
from pentad.kernel import prepare
from pentad.pente.board import points_of
from pentad.pente.engine import engine, threat_kernels
from pentad.pente.engine import position_kernels as k
from pentad.pente.engine.engine import ATTACK, Memory, Searcher
from pentad.pente.engine.state import board_point, is_simple, state_of
from pentad.pente.engine.weights import usual_weights
from pentad.pente.opening import OVER
from pentad.pente.rules import PentePosition
from pentad.play import proving
from pentad.play.proving import Right

EXACT_TO = 3  # moves of one's own
LONGEST = 8
FEW = 24  # replies that are compared where several put it off as long
_MEMORY = Memory(1 << 8)


class Unproved(Exception):
    """An attack was too long to be looked at to its end."""


class Look:
    """A position that is played on and taken back while one looks."""

    def __init__(self, position: PentePosition) -> None:
        self.position = position
        weights = usual_weights(position.rules)
        self.searcher = Searcher(state_of(position, weights.worths), weights.others, _MEMORY, 0, engine.EFFORT)
        self.parts = self.searcher.state.parts
        self._hard: list[int] = []  # replies that were found to help, the last first

    def points(self) -> list[int]:
        """Where a stone may be placed."""
        out = np.zeros(threat_kernels.LIST, np.int32)
        count = k.points_free(*self.parts[:2], out)
        return [int(point) for point in out[:count]]

    def make(self, point: int) -> int:
        return int(k.make(*self.parts, point))

    def unmake(self) -> None:
        board, numbers, _, sums, worths = self.parts
        k.unmake(board, numbers, sums, worths)

    def threat(self, most: int) -> int:
        """In how many moves the one to move wins by threats alone, at most so many; 0 where he does not."""
        for moves in range(1, most + 1):
            won = self.searcher.attack(1, moves, ATTACK)
            if self.searcher.told[threat_kernels.CUT]:
                raise Unproved
            if won:
                return won
        return 0

    def wins(self, left: int, exact: bool) -> int:
        """In how many moves, at most so many, the one to move wins; 0 where he does not."""
        won = self.threat(left)
        if won or not exact or left < EXACT_TO:
            return won
        return left if any(self.does(point, left, exact) for point in self.points()) else 0

    def does(self, point: int, left: int, exact: bool) -> bool:
        """Whether a stone there wins within so many moves, whatever is replied."""
        me = int(self.parts[1][k.MOVER])
        led = self.make(point)
        try:
            if led != k.ON or left <= 1:
                return led == k.WON
            if not (exact and left >= EXACT_TO) and not threat_kernels.attacked(*self.parts, me):
                return False
            return not self._helped(left - 1, exact)
        finally:
            self.unmake()

    def _helped(self, left: int, exact: bool) -> bool:
        """Whether some reply prevents a win within so many moves."""
        points = self.points()
        there = set(points)
        hard = [point for point in self._hard if point in there]
        for point in [*hard, *(point for point in points if point not in set(hard))]:
            if not self.left_after(point, left, exact):
                self._hard = [point, *(each for each in self._hard if each != point)][:12]
                return True
        return False

    def left_after(self, point: int, left: int, exact: bool) -> int:
        """In how many moves, at most so many, the other wins after this reply; 0 where he does not."""
        led = self.make(point)
        try:
            if led == k.LOST:
                return 1
            return self.wins(left, exact) if led == k.ON else 0
        finally:
            self.unmake()

    def move(self, point: int) -> Move:
        board = self.position.board
        return Move((board.stones[board_point(board, point)],))


class PenteProver:
    """Asks the engine's threats."""

    def found(self, here: Position) -> tuple[str, int] | None:
        position = cast(PentePosition, here)
        if position.outcome or position.stage != OVER or not is_simple(position.rules):
            return None
        prepare(engine.KERNELS)
        try:
            moves = Look(position).threat(LONGEST)
        except Unproved:
            return None
        return (proving.WIN if moves <= EXACT_TO else proving.THREATS, moves) if moves else None

    def right(self, here: Position, kind: str, left: int) -> Right:
        position = cast(PentePosition, here)
        prepare(engine.KERNELS)
        look = Look(position)
        exact = kind == proving.WIN
        wanted = [str(look.move(point)) for point in look.points() if look.does(point, left, exact)]
        return Right(tuple(sorted(wanted, key=lambda move: (len(move), move))))

    def reply(self, after: Position, kind: str, left: int) -> Move:
        position = cast(PentePosition, after)
        prepare(engine.KERNELS)
        look, exact = Look(position), kind == proving.WIN
        longest = [point for point in look.points() if look.left_after(point, left, exact) == left]
        size = position.board.size
        own = [divmod(each, size) for each in points_of(position.stones[1 - position.colour])]

        def far(point: int) -> tuple[int, int]:
            row, column = divmod(board_point(position.board, point), size)
            return min(max(abs(row - other), abs(column - another)) for other, another in own), point

        several = sorted(longest, key=far)[:FEW]
        best = min(several, key=lambda point: (self._answers(position.play(look.move(point)), kind, left), far(point)))
        return look.move(best)

    def _answers(self, here: PentePosition, kind: str, left: int) -> int:
        return len(self.right(here, kind, left).moves)


PROVER = PenteProver()
