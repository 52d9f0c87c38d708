"""The eight symmetries of Pente's board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from pentad.game import Move
from pentad.pente.board import Board, Stone


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
