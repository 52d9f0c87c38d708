"""Beam search of the requirement document: a limited depth, and only the most promising moves at each node.

A node's moves are the legal points near the stones. Each is scored by the patterns after it; the best few are searched
further, as many as the width at that depth. Alpha-beta pruning never changes the move.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from pentad.game import GameError
from pentad.pente.board import AXES, Board, points_of
from pentad.pente.patterns import VALUES, Evaluation, Values
from pentad.pente.rules import PentePosition

WIN = 1 << 60  # more than the value of any patterns, less the moves until the win
LIMIT = 1 << 61


@dataclass(frozen=True)
class Beam:
    """The parameters of a search: its depth, the distance from the stones, and the moves searched at each depth."""

    depth: int
    padding: int
    width: tuple[int, ...]

    def width_at(self, depth: int) -> int:
        """The number of moves searched at a depth; the last width holds for all greater depths."""
        return self.width[min(depth, len(self.width) - 1)]


class Best(NamedTuple):
    """The point of the best move, and its value for the colour that plays it."""

    point: int
    value: int


class SearchTimeoutError(Exception):
    """The time of the search is over."""


class Search:
    """A search from one position. `prune=False` is plain minimax, which finds the same move."""

    def __init__(
        self,
        position: PentePosition,
        beam: Beam,
        *,
        order: Sequence[int] | None = None,
        prune: bool = True,
        values: Values = VALUES,
    ) -> None:
        """`order` ranks points of the same value and the same distance from the centre."""
        board = position.board
        self.position, self.beam, self.prune = position, beam, prune
        self.evaluation = Evaluation(position, values)
        order = range(board.size**2) if order is None else order
        self.rank = [board.distance_to_centre(point) * board.size**2 + order[point] for point in range(board.size**2)]
        self.deadline: float | None = None
        self.nodes = 0

    def best(self, seconds: float | None = None) -> Best:
        """The best move. With a time limit the search deepens iteratively and returns the result of the last depth."""
        points = self.candidates(self.position, 0)
        if not points:
            raise GameError("There is no legal move.")
        best = self._best_of(points[:1], 1)
        if seconds is None:
            return self._best_of(points, self.beam.depth) if self.beam.depth else best
        self.deadline = time.monotonic() + seconds
        try:
            for depth in range(1, self.beam.depth + 1):
                best = self._best_of(points, depth)
        except SearchTimeoutError:
            pass
        return best

    def _best_of(self, points: Sequence[int], left: int) -> Best:
        """The first of the points with the highest value, searched to a depth."""
        best = Best(points[0], -LIMIT)
        for point in points:
            value = self._value_of(self.position, point, 0, left, best.value, LIMIT)
            if value > best.value:
                best = Best(point, value)
        return best

    def _value_of(self, here: PentePosition, point: int, depth: int, left: int, alpha: int, beta: int) -> int:
        """The value of a move for the colour that plays it."""
        after = here.play(here.board.stones[point])
        self.evaluation.advance(here, after)
        value = -self._value(after, depth + 1, left - 1, -beta, -alpha)
        self.evaluation.undo()
        return value

    def _value(self, here: PentePosition, depth: int, left: int, alpha: int, beta: int) -> int:
        """The value of a position for the colour to move."""
        self.nodes += 1
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise SearchTimeoutError
        outcome = here.outcome
        if outcome:
            return 0 if outcome.is_draw else (WIN - depth) * (1 if here.turn in outcome.winners else -1)
        points = self.candidates(here, depth) if left else []
        if not points:
            return -self.evaluation.balances[1 - here.colour]
        best = -LIMIT
        for point in points:
            best = max(best, self._value_of(here, point, depth, left, max(alpha, best), beta))
            if self.prune and best >= beta:
                break
        return best

    # ── move generation ──

    def candidates(self, here: PentePosition, depth: int) -> list[int]:
        """The most promising points for the next stone, the best first."""
        colour, near = here.colour, self.near(here)
        gains, through, balance = (
            self.evaluation.gains[colour],
            self.evaluation.through,
            self.evaluation.balances[colour],
        )
        changing = near & capture_points(here)
        ranked = []
        for point in points_of(near & ~changing):
            (a, i), (b, j), (c, k), (d, m) = through[point]
            ranked.append((-gains[a][i] - gains[b][j] - gains[c][k] - gains[d][m], self.rank[point], point))
        for point in points_of(changing):
            after = here.play(here.board.stones[point])
            self.evaluation.advance(here, after)
            ranked.append((balance - self.evaluation.balances[colour], self.rank[point], point))
            self.evaluation.undo()
        return [point for _, _, point in nsmallest(self.beam.width_at(depth), ranked)]

    def near(self, here: PentePosition) -> int:
        """The legal points within the padding around the stones; if there are none, within the next larger padding."""
        padding, legal = self.beam.padding, here.points
        while legal and not legal & box(here.board, here.stones[0] | here.stones[1], padding):
            padding += 1
        return legal & box(here.board, here.stones[0] | here.stones[1], padding)


def box(board: Board, stones: int, padding: int) -> int:
    """The points of the bounding box of the stones with a padding; without stones, of the middle."""
    size, columns = board.size, 0
    if not stones:
        middle = {(size - 1) // 2, size // 2}
        stones = sum(board.bit(column, row) for column in middle for row in middle)
    lowest, highest = (stones & -stones).bit_length() - 1, stones.bit_length() - 1
    first, last = max(lowest // size - padding, 0), min(highest // size + padding, size - 1)
    for row in range(size):
        columns |= stones >> row * size & (1 << size) - 1
    left = max((columns & -columns).bit_length() - 1 - padding, 0)
    right = min(columns.bit_length() - 1 + padding, size - 1)
    return sum(((2 << right) - (1 << left)) << row * size for row in range(first, last + 1))


# ── moves that remove stones ─────────────────────────────────────────────────────────────────────


def capture_points(here: PentePosition) -> int:
    """The points where a move removes stones of either colour; some of them may be illegal."""
    board, mine, theirs = here.board, here.stones[here.colour], here.stones[1 - here.colour]
    found = 0
    for length in here.rules.groups:
        for direction in range(8):
            taken = [(i, theirs) for i in range(1, length + 1)]
            found |= matching_points(board, direction, [*taken, (length + 1, mine)])
            for place in range(length) if here.rules.poof else ():
                own = [(i - place, mine) for i in range(length) if i != place]
                found |= matching_points(board, direction, [*own, (-1 - place, theirs), (length - place, theirs)])
    return found


def matching_points(board: Board, direction: int, pattern: Sequence[tuple[int, int]]) -> int:
    """The points around which a pattern matches: stones at given numbers of steps in one of the eight directions."""
    distance, found = step_offsets(board)[direction], board.all_points
    for steps, stones in pattern:
        shift = steps * distance
        found &= (stones >> shift if shift > 0 else stones << -shift) & on_board(board, direction, steps)
    return found


@lru_cache(maxsize=64)
def step_offsets(board: Board) -> tuple[int, ...]:
    """A step in each of the eight directions, as a difference of points."""
    return tuple(direction * (right + up * board.size) for right, up in AXES for direction in (1, -1))


@lru_cache(maxsize=4096)
def on_board(board: Board, direction: int, steps: int) -> int:
    """The points from which a number of steps in a direction stay on the board."""
    (right, up), sign = AXES[direction // 2], 1 - direction % 2 * 2
    reached = ((column + sign * steps * right, row + sign * steps * up) for column, row in board.stones)
    return sum(1 << point for point, place in enumerate(reached) if board.on_board(*place))
