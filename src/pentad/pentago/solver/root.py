"""The root position of the solver: empty spaces, the player to move, possible lines.

Rotation states are as in `five_kernels`: a half is a number of 128 bits, a state one of its bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pentad.game import GameError
from pentad.pentago.board import CLOCKWISE, Board, Twist, spaces_of
from pentad.pentago.rules import PentagoPosition

MOST_SUB_BOARDS = 4
MOST_SPACES = 39  # empty spaces that the kernels support
TURNINGS = 16  # four sub-boards, each with four rotations
LINES_PER_WORD = 64  # lines in a word
START = 0  # the bit of the state without turns, among the states with an even sum of turns


@lru_cache(maxsize=8)
def through(board: Board) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """For each space its sub-board, from 0, and the lines through a marble there after 0 to 3 turns."""
    found = []
    for space in range(board.size):
        sub_board = board.sub_board_of(*divmod(space, board.width))
        marble, turned = 1 << space, []
        for _ in range(4):
            (stands,) = spaces_of(marble)
            turned.append(_lines_at(board)[stands])
            marble = board.twist(marble, Twist(sub_board, CLOCKWISE))
        found.append((sub_board - 1, tuple(turned)))
    return tuple(found)


@lru_cache(maxsize=8)
def _lines_at(board: Board) -> tuple[int, ...]:
    """For each space the lines through it, as a set of their numbers."""
    lines = [0] * board.size
    for number, line in enumerate(board.lines):
        for space in spaces_of(line):
            lines[space] |= 1 << number
    return tuple(lines)


def state_after(twist: Twist) -> int:
    """The bit of the state after one twist, among the states with an odd sum of turns."""
    turns = 1 if twist.direction == CLOCKWISE else 3
    return turns << 2 * (twist.sub_board - 1) if twist.sub_board < MOST_SUB_BOARDS else turns // 2 * LINES_PER_WORD


@dataclass(frozen=True)
class Root:
    """A position before a placement; in the middle of a turn, that of the next player before the rotation."""

    board: Board
    mover: int  # the marbles of the player who places next
    other: int
    kind: int  # 0: the state is START; 1: it is one of the states after a twist
    wins_at_once: bool

    @classmethod
    def of(cls, position: PentagoPosition) -> Root:
        """The root of a position; raises `GameError` if the solver does not support it."""
        board = position.board
        if position.players != 2:
            raise GameError(f"Only Pentago for two players can be solved, not for {position.players}.")
        if board.rows * board.cols > MOST_SUB_BOARDS:
            raise GameError(
                f"Only boards of up to {MOST_SUB_BOARDS} sub-boards can be solved, not {board.rows * board.cols}."
            )
        if (spaces := position.empty.bit_count()) > MOST_SPACES:
            raise GameError(f"Only boards of up to {MOST_SPACES} empty spaces can be solved, not {spaces}.")
        mover = 1 - position.turn if position.placed else position.turn
        return cls(
            board,
            position.marbles[mover],
            position.marbles[1 - mover],
            int(position.placed),
            position.setup.win_on_placement,
        )

    @property
    def spaces(self) -> list[int]:
        """The empty spaces, in reading order."""
        return list(spaces_of(self.board.all_spaces & ~(self.mover | self.other)))

    @property
    def line_groups(self) -> list[tuple[int, int]]:
        """The lines in groups that fit a word: the first line's number of each group, and a bit mask."""
        count = len(self.board.lines)
        return [(first, (1 << min(LINES_PER_WORD, count - first)) - 1) for first in range(0, count, LINES_PER_WORD)]

    def broken(self, marbles: int) -> list[int]:
        """The lines that these marbles break for the opponent, for each sub-board and its rotations."""
        lines = [0] * TURNINGS
        for space in spaces_of(marbles):
            corner, turned = through(self.board)[space]
            for turns, these in enumerate(turned):
                lines[4 * corner + turns] |= these
        return lines

    @property
    def turnable(self) -> list[bool]:
        """Which of four sub-boards exist."""
        return [number < self.board.rows * self.board.cols for number in range(MOST_SUB_BOARDS)]
