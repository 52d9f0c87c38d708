"""The symmetries of Pentago's board: eight if its sub-boards form a square, else four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from pentad.game import Move, Step
from pentad.pentago.board import Board, Place, Twist

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
