"""Class `PenteGame`: lines on a board of any size, with the methods of its requirement document."""

from __future__ import annotations

from random import Random
from typing import NamedTuple, cast

from pentad.game import IllegalMove, InvalidMove, new, shown
from pentad.pente.line_weights import (
    BOTH,
    COUNTS,
    PLACED,
    Table,
    Weighing,
    check_name,
    check_table,
    document_table,
    side_weights,
    weigh,
)
from pentad.pente.rules import PentePosition

BLANK, PLAYER, SYSTEM = 0, 1, 2
SIDES = {PLAYER: "the player", SYSTEM: "the system"}


class Cell(NamedTuple):
    """A cell: its column and its row, both from 1."""

    x: int
    y: int


class PenteGame:
    """A board on which the player and the system place pieces; `line` of them in a row win.

    It places no pieces by itself: `choose_cell` returns the system's choice. It prints and draws nothing.

    >>> game = PenteGame(size=10, line=5, count="after")
    >>> for x, y in ((5, 5), (6, 5), (7, 5)):
    ...     game.set_board(x, y, PLAYER)
    >>> game.choose_cell("defensive")
    Cell(x=4, y=5)
    >>> game.weights(PLAYER)[4][3], game.weights(SYSTEM)[4][3]
    (27, 0)
    """

    def __init__(
        self,
        size: int = 10,
        line: int = 5,
        *,
        player_table: Table | None = None,
        system_table: Table | None = None,
        count: str = PLACED,
        seed: int | None = None,
    ) -> None:
        """Tables map pieces to weights; `count` is the meaning of their keys; `seed` is for breaking ties."""
        self._board = cast(PentePosition, new("pente", rules="lines", size=size, line=line)).board
        self._stones = (0, 0)
        self._touched = (0, 0)  # the lines with pieces of each side, as bit sets of line numbers
        self._winner: int | None = None
        self._chance = Random(seed)
        default = document_table(line)
        self.player_table = default if player_table is None else player_table
        self.system_table = default if system_table is None else system_table
        self.count = count

    # ── the board ────────────────────────────────────────────────────────────────────────────────

    @property
    def size(self) -> int:
        return self._board.size

    @property
    def line(self) -> int:
        """The number of pieces in a row that win."""
        return self._board.line

    @property
    def line_count(self) -> int:
        """The number of lines on the board: 2·size·delta + 2·delta², where delta is size + 1 - line."""
        return len(self._board.lines)

    def get_board(self, x: int, y: int) -> int:
        """The contents of a cell: 0 for empty, 1 for a piece of the player, 2 for a piece of the system."""
        bit = 1 << self._point(x, y)
        return next((side for side in SIDES if self._stones[side - 1] & bit), BLANK)

    def set_board(self, x: int, y: int, piece: int) -> None:
        """Places a piece of the player (1) or of the system (2)."""
        point, side = self._point(x, y), _side(piece, "piece")
        if holder := self.get_board(x, y):
            raise IllegalMove(f"The cell ({x}, {y}) holds a piece of {SIDES[holder]}; pieces are never replaced.")
        self._refuse_after_the_end()
        stones, touched = list(self._stones), list(self._touched)
        stones[side - 1] |= 1 << point
        touched[side - 1] |= self._board.line_numbers_through[point]
        self._stones, self._touched = (stones[0], stones[1]), (touched[0], touched[1])
        if self._board.has_line(stones[side - 1], overline=True, through=point):
            self._winner = side

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @property
    def winner(self) -> int | None:
        """The side that has made a line, 1 or 2, or None."""
        return self._winner

    @property
    def tie(self) -> bool:
        """Whether no line can be completed, because every line holds pieces of both sides."""
        return (self._touched[0] & self._touched[1]).bit_count() == self.line_count

    def _refuse_after_the_end(self) -> None:
        if self.winner:
            raise IllegalMove(f"The game is over: {SIDES[self.winner]} has made a line.")
        if self.tie:
            raise IllegalMove("The game is over: it is a tie, as no line can be completed.")

    # ── the strategy ─────────────────────────────────────────────────────────────────────────────

    @property
    def player_table(self) -> dict[int, int]:
        """The weights of the player's open lines, as `{pieces: weight}`."""
        return dict(self._player_table)

    @player_table.setter
    def player_table(self, table: Table) -> None:
        self._player_table = check_table(table, self.line)

    @property
    def system_table(self) -> dict[int, int]:
        """The weights of the system's open lines, as `{pieces: weight}`."""
        return dict(self._system_table)

    @system_table.setter
    def system_table(self, table: Table) -> None:
        self._system_table = check_table(table, self.line)

    @property
    def count(self) -> str:
        """The meaning of a table's keys: the pieces `placed`, or the pieces `after` the next one is placed."""
        return self._count

    @count.setter
    def count(self, count: str) -> None:
        self._count = check_name("count", count, COUNTS)

    def weights(self, side: int) -> list[list[int]]:
        """The weights of a side's open lines, row by row: cell (x, y) is `weights(side)[y - 1][x - 1]`."""
        index, size = _side(side, "side") - 1, self.size
        flat = side_weights(self._board, self._stones, index, self._tables[index], self.count)
        return [list(flat[row * size : (row + 1) * size]) for row in range(size)]

    def weighing(self, strategy: str = BOTH, side: int = SYSTEM) -> Weighing:
        """The data of a choice, for drawing: the pieces of both sides, the summed weights and the best cells."""
        index, over = _side(side, "side") - 1, self.winner or self.tie
        return weigh(
            self._board,
            self._stones,
            index,
            strategy=strategy,
            count=self.count,
            tables=self._tables,
            allowed=0 if over else None,
        )

    def best_cells(self, strategy: str = BOTH, side: int = SYSTEM) -> list[Cell]:
        """The cells of the highest weight that are nearest to the centre; none after the end."""
        return list(map(self._cell, self.weighing(strategy, side).best))

    def choose_cell(self, strategy: str = BOTH, side: int = SYSTEM) -> Cell:
        """Where a side goes next: one of its best cells. Nothing is placed."""
        weighing = self.weighing(strategy, side)
        self._refuse_after_the_end()
        return self._cell(weighing.choose(self._chance))

    # ── small things ─────────────────────────────────────────────────────────────────────────────

    @property
    def _tables(self) -> tuple[Table, Table]:
        return self._player_table, self._system_table

    def _point(self, x: int, y: int) -> int:
        for name, value in (("x", x), ("y", y)):
            if type(value) is not int or not 1 <= value <= self.size:
                raise InvalidMove(f"{name} is a whole number from 1 to {self.size}, not {shown(value)}")
        return self._board.point(x - 1, y - 1)

    def _cell(self, point: int) -> Cell:
        column, row = self._board.stones[point]
        return Cell(column + 1, row + 1)

    def __repr__(self) -> str:
        player, system = (stones.bit_count() for stones in self._stones)
        return f"<PenteGame(size={self.size}, line={self.line}), pieces: player {player}, system {system}>"


def _side(value: int, what: str) -> int:
    """The number of a side; raises InvalidMove if it is none."""
    if type(value) is not int or value not in SIDES:
        raise InvalidMove(f"A {what} must be 1 (the player) or 2 (the system), not {shown(value)}.")
    return value
