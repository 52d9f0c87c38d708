"""The search of the requirement document: at each node the most promising moves only, and so far ahead.

A node's moves are the legal points near the stones. Each is scored by the patterns after it; the best few, so
many as the width says at that depth, are searched further. Alpha-beta leaves out what cannot matter: it never
changes the move.
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

WIN = 1 << 60  # more than any patterns are worth; a win is worth less by every move that it takes
LIMIT = 1 << 61


@dataclass(frozen=True)
class Beam:
    """How far the search looks, how far from the stones, and at how many moves at each depth."""

    depth: int
    padding: int
    width: tuple[int, ...]

    def width_at(self, depth: int) -> int:
        """How many moves are searched at a depth; the last number stands for all below."""
        return self.width[min(depth, len(self.width) - 1)]


class Best(NamedTuple):
    """The point of the best move, and its value for the colour that makes it."""

    point: int
    value: int


class TimeIsUpError(Exception):
    """The search has no time left."""


class Search:
    """The search from one position. `prune=False` is plain minimax, which finds the same move."""

    def __init__(
        self,
        position: PentePosition,
        beam: Beam,
        *,
        order: Sequence[int] | None = None,
        prune: bool = True,
        values: Values = VALUES,
    ) -> None:
        """`order` ranks the points that are equally good and equally far from the centre."""
        board = position.board
        self.position, self.beam, self.prune = position, beam, prune
        self.evaluation = Evaluation(position, values)
        order = range(board.size**2) if order is None else order
        self.rank = [board.distance_to_centre(point) * board.size**2 + order[point] for point in range(board.size**2)]
        self.deadline: float | None = None
        self.nodes = 0

    def best(self, seconds: float | None = None) -> Best:
        """The best move. With a time the search deepens step by step, and gives what it has when that is over."""
        points = self.promising(self.position, 0)
        if not points:
            raise GameError("there is no move to choose from")
        best = self._best_of(points[:1], 1)
        if seconds is None:
            return self._best_of(points, self.beam.depth) if self.beam.depth else best
        self.deadline = time.monotonic() + seconds
        try:
            for depth in range(1, self.beam.depth + 1):
                best = self._best_of(points, depth)
        except TimeIsUpError:
            pass
        return best

    def _best_of(self, points: Sequence[int], left: int) -> Best:
        """The first of the points with the highest value, so many moves being looked at."""
        best = Best(points[0], -LIMIT)
        for point in points:
            value = self._value_of(self.position, point, 0, left, best.value, LIMIT)
            if value > best.value:
                best = Best(point, value)
        return best

    def _value_of(self, here: PentePosition, point: int, depth: int, left: int, alpha: int, beta: int) -> int:
        """What a move is worth to the colour that makes it."""
        after = here.play(here.board.stones[point])
        self.evaluation.follow(here, after)
        value = -self._value(after, depth + 1, left - 1, -beta, -alpha)
        self.evaluation.back()
        return value

    def _value(self, here: PentePosition, depth: int, left: int, alpha: int, beta: int) -> int:
        """What a position is worth to the colour to move."""
        self.nodes += 1
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeIsUpError
        outcome = here.outcome
        if outcome:
            return 0 if outcome.is_draw else (WIN - depth) * (1 if here.turn in outcome.winners else -1)
        points = self.promising(here, depth) if left else []
        if not points:
            return -self.evaluation.balances[1 - here.colour]
        best = -LIMIT
        for point in points:
            best = max(best, self._value_of(here, point, depth, left, max(alpha, best), beta))
            if self.prune and best >= beta:
                break
        return best

    # ── which moves are looked at ──

    def promising(self, here: PentePosition, depth: int) -> list[int]:
        """The best points for the next stone, the best first."""
        colour, near = here.colour, self.near(here)
        gains, through, balance = (
            self.evaluation.gains[colour],
            self.evaluation.through,
            self.evaluation.balances[colour],
        )
        changing = near & changing_points(here)
        ranked = []
        for point in points_of(near & ~changing):
            (a, i), (b, j), (c, k), (d, m) = through[point]
            ranked.append((-gains[a][i] - gains[b][j] - gains[c][k] - gains[d][m], self.rank[point], point))
        for point in points_of(changing):
            after = here.play(here.board.stones[point])
            self.evaluation.follow(here, after)
            ranked.append((balance - self.evaluation.balances[colour], self.rank[point], point))
            self.evaluation.back()
        return [point for _, _, point in nsmallest(self.beam.width_at(depth), ranked)]

    def near(self, here: PentePosition) -> int:
        """The legal points within the padding of the stones, or as near to them as there are any."""
        padding, legal = self.beam.padding, here.points
        while legal and not legal & box(here.board, here.stones[0] | here.stones[1], padding):
            padding += 1
        return legal & box(here.board, here.stones[0] | here.stones[1], padding)


def box(board: Board, stones: int, padding: int) -> int:
    """The points of the smallest rectangle around the stones, and so far around it; around the middle without any."""
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


# ── moves that take stones off ───────────────────────────────────────────────────────────────────


def changing_points(here: PentePosition) -> int:
    """The points where a stone takes some of the other's off, or loses its own; also some where one cannot go."""
    board, mine, theirs = here.board, here.stones[here.colour], here.stones[1 - here.colour]
    found = 0
    for length in here.rules.groups:
        for way in range(8):
            taken = [(i, theirs) for i in range(1, length + 1)]
            found |= standing(board, way, [*taken, (length + 1, mine)])
            for place in range(length) if here.rules.poof else ():
                own = [(i - place, mine) for i in range(length) if i != place]
                found |= standing(board, way, [*own, (-1 - place, theirs), (length - place, theirs)])
    return found


def standing(board: Board, way: int, wanted: Sequence[tuple[int, int]]) -> int:
    """The points from which, so many steps along one of the eight ways, the wanted stones stand."""
    distance, found = distances(board)[way], board.all_points
    for steps, stones in wanted:
        shift = steps * distance
        found &= (stones >> shift if shift > 0 else stones << -shift) & on_board(board, way, steps)
    return found


@lru_cache(maxsize=64)
def distances(board: Board) -> tuple[int, ...]:
    """How far on a step leads along each of the eight ways, as a difference of points."""
    return tuple(way * (right + up * board.size) for right, up in AXES for way in (1, -1))


@lru_cache(maxsize=4096)
def on_board(board: Board, way: int, steps: int) -> int:
    """The points from which so many steps stay on the board."""
    (right, up), sign = AXES[way // 2], 1 - way % 2 * 2
    reached = ((column + sign * steps * right, row + sign * steps * up) for column, row in board.stones)
    return sum(1 << point for point, place in enumerate(reached) if board.on_board(*place))
