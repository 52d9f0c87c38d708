"""Pente's board as bit sets: points, lines, brackets and symmetries; also the steps of a turn.

A point is a number, row by row from A1 at the bottom left; a set of points is an int with their bits set. Tables hold
the lines through each point and the brackets that a stone on it closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, compress
from typing import NamedTuple, TypeVar

from pentad.game import Move, bit_numbers, nth_bit

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I, as is usual
AXES = ((1, 0), (0, 1), (1, 1), (1, -1))  # right, up, and both diagonals


class Stone(NamedTuple):
    """The step that places a stone: column and row from 0 at the bottom left."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{LETTERS[self.column]}{self.row + 1}"


class Side(NamedTuple):
    """A choice of the opening swap2: a colour, or `more` stones before the opponent chooses."""

    choice: str

    def __str__(self) -> str:
        return self.choice


class Line(NamedTuple):
    """Points in a row, and points next to its ends."""

    points: int
    beyond: int


@dataclass(frozen=True)
class Board:
    """`size` × `size` points, on which `line` stones in a row win."""

    size: int
    line: int

    @cached_property
    def all_points(self) -> int:
        return (1 << self.size * self.size) - 1

    @property
    def centre(self) -> int:
        """The middle point of a board of odd size."""
        return self.point(self.size // 2, self.size // 2)

    def point(self, column: int, row: int) -> int:
        return row * self.size + column

    def on_board(self, column: int, row: int) -> bool:
        return 0 <= column < self.size and 0 <= row < self.size

    @cached_property
    def stones(self) -> tuple[Stone, ...]:
        """The step that places a stone on each point."""
        return tuple(Stone(column, row) for row in range(self.size) for column in range(self.size))

    def bit(self, column: int, row: int) -> int:
        """The set of one point; empty beyond the edge."""
        return 1 << self.point(column, row) if self.on_board(column, row) else 0

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every set of `line` points in a row, with the points beyond both ends (fewer at the edge)."""
        found = []
        for right, up in AXES:
            for column, row in self.stones:
                ends = (column + (self.line - 1) * right, row + (self.line - 1) * up)
                if self.on_board(*ends):
                    points = sum(self.bit(column + i * right, row + i * up) for i in range(self.line))
                    before = self.bit(column - right, row - up)
                    found.append(Line(points, before | self.bit(ends[0] + right, ends[1] + up)))
        return tuple(found)

    @cached_property
    def lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """The lines through each point."""
        return tuple(tuple(line for line in self.lines if line.points >> p & 1) for p in range(self.size**2))

    @cached_property
    def line_numbers_through(self) -> tuple[int, ...]:
        """The lines through each point, as a bit set of line numbers."""
        numbers = [0] * self.size**2
        for number, line in enumerate(self.lines):
            for point in points_of(line.points):
                numbers[point] |= 1 << number
        return tuple(numbers)

    @cached_property
    def starts(self) -> tuple[tuple[int, int], ...]:
        """For each axis, the distance between the points of a line, and the set of points at which a line may start."""
        reach = self.line - 1
        found = []
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):  # upwards, so that every distance is positive
            starts = (self.bit(c, r) for c, r in self.stones if self.on_board(c + reach * right, r + reach * up))
            found.append((right + up * self.size, sum(starts)))
        return tuple(found)

    def has_line(self, stones: int, *, overline: bool, through: int | None = None) -> bool:
        """Whether the stones hold a line (through a point); without `overline` a longer row does not count."""
        if through is None:
            if not self._has_run(stones):
                return False
            lines = self.lines
        else:
            lines = self.lines_through[through]
        return any(stones & line.points == line.points and (overline or not stones & line.beyond) for line in lines)

    def _has_run(self, stones: int) -> bool:
        """Whether `line` or more stones are in a row anywhere; tests all starts of an axis at once."""
        for distance, starts in self.starts:
            runs = stones & starts
            for i in range(1, self.line):
                runs &= stones >> i * distance
            if runs:
                return True
        return False

    def completing(self, stones: int) -> int:
        """The points, empty or not, at which one more stone completes a line of these stones."""
        found = 0
        for line, _ in self.lines:
            missing = line & ~stones
            if missing & (missing - 1) == 0:
                found |= missing
        return found

    def within(self, distance: int) -> int:
        """The points within a distance (the larger of the coordinates') of the centre of a board of odd size."""
        return sum(1 << point for point in range(self.size**2) if self.distance_to_centre(point) <= 2 * distance)

    @cached_property
    def arms(self) -> int:
        """The points at distance 3 and 4 on the centre's row and column."""
        middle = self.size // 2
        return sum(self.bit(middle + d, middle) | self.bit(middle, middle + d) for d in (-4, -3, 3, 4))

    def distance_to_centre(self, point: int) -> int:
        """Twice the larger of the two coordinate distances from the centre."""
        middle = self.size - 1
        row, column = divmod(point, self.size)
        return max(abs(2 * column - middle), abs(2 * row - middle))


board = lru_cache(maxsize=64)(Board)


# ── groups ───────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def brackets(board: Board, length: int) -> tuple[tuple[Line, ...], ...]:
    """The groups of `length` stones next to each point, in all eight directions, each with the point beyond it.

    A stone on the point captures such a group if it is of the other colour and a stone is on the point beyond.
    """

    def closed_by(column: int, row: int) -> Iterator[Line]:
        for right, up in AXES:
            for sign in (1, -1):
                dx, dy = sign * right, sign * up
                if end := board.bit(column + (length + 1) * dx, row + (length + 1) * dy):
                    yield Line(sum(board.bit(column + i * dx, row + i * dy) for i in range(1, length + 1)), end)

    return tuple(tuple(closed_by(*stone)) for stone in board.stones)


@lru_cache(maxsize=64)
def groups_along(board: Board, length: int) -> tuple[tuple[tuple[Line, ...], ...], ...]:
    """For each point and axis, the groups of `length` points through it, with the points beyond both ends."""

    def through(column: int, row: int, right: int, up: int) -> Iterator[Line]:
        for back in range(length):
            bits = [board.bit(column + (i - back) * right, row + (i - back) * up) for i in range(-1, length + 1)]
            if all(bits):
                yield Line(sum(bits[1:-1]), bits[0] | bits[-1])

    return tuple(tuple(tuple(through(*stone, *axis)) for axis in AXES) for stone in board.stones)


@lru_cache(maxsize=64)
def groups_through(board: Board, length: int) -> tuple[tuple[Line, ...], ...]:
    """The same for each point, of all axes together."""
    return tuple(tuple(chain.from_iterable(axes)) for axes in groups_along(board, length))


points_of, nth_point = bit_numbers, nth_bit  # the points of a set, from the bottom left, and its n-th point, from 0

Item = TypeVar("Item")
_BITS = bytes.maketrans(b"01", b"\0\1")


def members(items: Iterable[Item], points: int) -> Iterator[Item]:
    """The items of a set of points, given one item for each point of the board."""
    return compress(items, bin(points)[:1:-1].encode().translate(_BITS))


# ── symmetries ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class BoardSymmetry:
    """A symmetry of the board, as a mapping of its points."""

    name: str
    board: Board
    points: tuple[int, ...]

    def move(self, move: Move) -> Move:
        """The image of a move; a choice of side stays the same."""
        return Move(
            self.board.stones[self.points[self.board.point(*step)]] if isinstance(step, Stone) else step
            for step in move
        )


# the image of (column, row) on a board whose last column and row are m
_MAPPINGS: tuple[tuple[str, Callable[[int, int, int], tuple[int, int]]], ...] = (
    ("identity", lambda x, y, m: (x, y)),
    ("half turn", lambda x, y, m: (m - x, m - y)),
    ("left and right exchanged", lambda x, y, m: (m - x, y)),
    ("top and bottom exchanged", lambda x, y, m: (x, m - y)),
    ("quarter turn clockwise", lambda x, y, m: (y, m - x)),
    ("quarter turn anti-clockwise", lambda x, y, m: (m - y, x)),
    ("mirrored in the diagonal", lambda x, y, m: (y, x)),
    ("mirrored in the other diagonal", lambda x, y, m: (m - y, m - x)),
)


@lru_cache(maxsize=64)
def symmetries(board: Board) -> tuple[BoardSymmetry, ...]:
    """The symmetries of a board, the identity first."""
    last = board.size - 1
    return tuple(
        BoardSymmetry(name, board, tuple(board.point(*to(*stone, last)) for stone in board.stones))
        for name, to in _MAPPINGS
    )
