"""Pentago's board: sub-boards, spaces, lines, quarter turns and symmetries, and the two steps of a turn.

A space is a number in reading order. A set of spaces is an int with their bits set, so that a check for a line is one
comparison for each line.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from pentad.game import Move, Step, bit_numbers

CLOCKWISE, ANTICLOCKWISE = "C", "A"
DIRECTIONS = (CLOCKWISE, ANTICLOCKWISE)
ROW_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Place(NamedTuple):
    """The first step of a turn: a marble on an empty space."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{ROW_LETTERS[self.row]}{self.column}"


class Twist(NamedTuple):
    """The second step: a sub-board turned by a quarter, clockwise (`C`) or anti-clockwise (`A`) as printed."""

    sub_board: int
    direction: str

    def __str__(self) -> str:
        return f"{self.sub_board}{self.direction}"


@dataclass(frozen=True)
class Board:
    """`rows` × `cols` sub-boards of `block` × `block` spaces, on which `line` marbles in a row win."""

    rows: int
    cols: int
    block: int
    line: int

    @property
    def height(self) -> int:
        return self.rows * self.block

    @property
    def width(self) -> int:
        return self.cols * self.block

    @property
    def size(self) -> int:
        """The number of spaces."""
        return self.height * self.width

    @property
    def sub_boards(self) -> range:
        """The numbers of the sub-boards, in reading order from 1."""
        return range(1, self.rows * self.cols + 1)

    @cached_property
    def all_spaces(self) -> int:
        return (1 << self.size) - 1

    def space(self, row: int, column: int) -> int:
        return row * self.width + column

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The step that places a marble on each space."""
        return tuple(Place(row, column) for row in range(self.height) for column in range(self.width))

    @cached_property
    def twists(self) -> tuple[Twist, ...]:
        """All twists."""
        return tuple(Twist(number, direction) for number in self.sub_boards for direction in DIRECTIONS)

    @cached_property
    def steps(self) -> dict[Hashable, Place | Twist]:
        """All steps, by a key that equals them."""
        every: tuple[Place | Twist, ...] = (*self.places, *self.twists)
        return {step: step for step in every}

    def corner(self, sub_board: int) -> tuple[int, int]:
        """Row and column of the top left space of a sub-board."""
        row, col = divmod(sub_board - 1, self.cols)
        return row * self.block, col * self.block

    def sub_board_of(self, row: int, column: int) -> int:
        """The number of the sub-board that holds a space."""
        return row // self.block * self.cols + column // self.block + 1

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every set of `line` spaces in a row: horizontal, vertical and both diagonals."""
        reach, found = self.line - 1, []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for row in range(self.height - reach * down):
                for column in range(self.width):
                    if 0 <= column + reach * right < self.width:
                        spaces = (self.space(row + i * down, column + i * right) for i in range(self.line))
                        found.append(sum(1 << space for space in spaces))
        return tuple(found)

    def has_line(self, marbles: int) -> bool:
        """Whether these marbles include a line; six in a row includes a line of five."""
        if marbles.bit_count() < self.line:
            return False
        return any(marbles & line == line for line in self.lines)

    def completing(self, marbles: int, empty: int) -> int:
        """The empty spaces where one more marble completes a line."""
        found = 0
        if marbles.bit_count() >= self.line - 1:
            for line in self.lines:
                missing = line & ~marbles
                if missing & (missing - 1) == 0:
                    found |= missing
        return found & empty

    @cached_property
    def quarter_turns(self) -> dict[Twist, tuple[int, tuple[tuple[int, int], ...]]]:
        """For each twist the spaces of its sub-board, and the pairs (from, to) of its moving marbles."""
        return {twist: self._quarter_turn(*twist) for twist in self.twists}

    def _quarter_turn(self, sub_board: int, direction: str) -> tuple[int, tuple[tuple[int, int], ...]]:
        top, left = self.corner(sub_board)
        last = self.block - 1
        pairs = []
        for down in range(self.block):
            for right in range(self.block):
                to = (right, last - down) if direction == CLOCKWISE else (last - right, down)
                here = 1 << self.space(top + down, left + right)
                pairs.append((here, 1 << self.space(top + to[0], left + to[1])))
        return sum(here for here, _ in pairs), tuple(pair for pair in pairs if pair[0] != pair[1])

    def twist(self, marbles: int, twist: Twist) -> int:
        """These marbles after a twist."""
        spaces, pairs = self.quarter_turns[twist]
        if not marbles & spaces:
            return marbles
        turned = marbles
        for here, _ in pairs:
            turned &= ~here
        for here, there in pairs:
            if marbles & here:
                turned |= there
        return turned


board = lru_cache(maxsize=64)(Board)


spaces_of = bit_numbers  # the spaces of a set, in reading order


# ── symmetries ────────────────────────────────────────────────────────────────────────────────────

OPPOSITE = {"C": "A", "A": "C"}


@dataclass(frozen=True)
class BoardSymmetry:
    """A symmetry of the board: the image of each space, and whether it is a reflection."""

    name: str
    board: Board
    spaces: tuple[int, ...]
    mirrored: bool

    def move(self, move: Move) -> Move:
        """The image of a move."""
        return Move(map(self._step, move))

    def _step(self, step: Step) -> Step:
        board = self.board
        if isinstance(step, Place):
            return board.places[self.spaces[board.space(*step)]]
        assert isinstance(step, Twist)
        image = board.places[self.spaces[board.space(*board.corner(step.sub_board))]]
        direction = OPPOSITE[step.direction] if self.mirrored else step.direction
        return Twist(board.sub_board_of(*image), direction)


# The name; the image of (row, column) if the last row and column are (h, w); is it a reflection; only for squares.
_Map = Callable[[int, int, int, int], tuple[int, int]]
_SYMMETRIES: tuple[tuple[str, _Map, bool, bool], ...] = (
    ("identity", lambda r, c, h, w: (r, c), False, False),
    ("half turn", lambda r, c, h, w: (h - r, w - c), False, False),
    ("left and right exchanged", lambda r, c, h, w: (r, w - c), True, False),
    ("top and bottom exchanged", lambda r, c, h, w: (h - r, c), True, False),
    ("quarter turn clockwise", lambda r, c, h, w: (c, h - r), False, True),
    ("quarter turn anti-clockwise", lambda r, c, h, w: (w - c, r), False, True),
    ("mirrored in the diagonal", lambda r, c, h, w: (c, r), True, True),
    ("mirrored in the other diagonal", lambda r, c, h, w: (w - c, h - r), True, True),
)


@lru_cache(maxsize=64)
def symmetries(board: Board) -> tuple[BoardSymmetry, ...]:
    """The symmetries of a board, the identity first."""
    h, w = board.height - 1, board.width - 1
    return tuple(
        BoardSymmetry(name, board, tuple(board.space(*to(*place, h, w)) for place in board.places), mirrored)
        for name, to, mirrored, square_only in _SYMMETRIES
        if board.rows == board.cols or not square_only
    )
