"""Conversion of positions between the rules and the search kernels."""

from __future__ import annotations

from dataclasses import dataclass

from pentad.jit.buffers import Buffer, copy, zeros
from pentad.pente.board import Board, points_of
from pentad.pente.engine import constants as k
from pentad.pente.engine.weights import Tables, default_weights, kernels, tables
from pentad.pente.rules import PentePosition, opening_points
from pentad.pente.rulesets import AT_ONCE, FREE, SWAP2, RuleSet


def point_of(board: Board, point: int) -> int:
    """The kernels' number of a point of the board."""
    row, column = divmod(point, board.size)
    return (row + k.EDGE) * k.STRIDE + column


def board_point(board: Board, point: int) -> int:
    """The board's number of a point of the kernels."""
    row, column = divmod(point, k.STRIDE)
    return (row - k.EDGE) * board.size + column


@dataclass(frozen=True)
class State:
    """A position's arrays, with the tables and code values of its rules."""

    board: Buffer
    numbers: Buffer
    tables: Tables
    values: Buffer

    @property
    def position(self) -> tuple[Buffer, Buffer]:
        """The arguments of kernels that only read the position."""
        return self.board, self.numbers

    @property
    def parts(self) -> tuple[Buffer, ...]:
        """The arguments of kernels that make moves."""
        return *self.position, self.tables.entries, self.tables.sums, self.values

    @property
    def changed(self) -> tuple[Buffer, ...]:
        """The arguments of kernels that place and remove stones without looking for captures."""
        return *self.position, self.tables.sums, self.values

    def copy(self) -> State:
        return State(copy(self.board), copy(self.numbers), self.tables, self.values)


def is_simple(rules: RuleSet) -> bool:
    """Whether only a stone on its last point or a capture prevents a line, so that any other reply loses."""
    may_tie = rules.blocked_tie and rules.captures
    vanish = rules.poof or (rules.captures and not rules.overline)
    early = rules.line <= 3 and rules.opening not in (FREE, SWAP2)  # a line is possible within the opening
    return bool(rules.five == AT_ONCE and rules.double_three and not may_tie and not vanish and not early)


def state_of(position: PentePosition, values: Buffer | None = None) -> State:
    """The arrays of a position whose opening choices are made."""
    rules, board = position.rules, position.board
    if values is None:
        values = default_weights(rules).values
    made = State(zeros(k.BOARD, "int32"), zeros(k.STATE, "int64"), tables(rules), values)
    numbers = made.numbers
    for where, number in (
        (k.SIZE, board.size),
        (k.LINE, rules.line),
        (k.REACH, made.tables.reach),
        (k.CAPTURES, rules.captures),
        (k.CAPTURE_WIN, rules.capture_win),
        (k.OVERLINE, rules.overline),
        (k.STANDS, rules.five != AT_ONCE),
        (k.POOF, rules.poof),
        (k.DOUBLE_THREE, rules.double_three),
        (k.BLOCKED_TIE, rules.blocked_tie),
        (k.SIMPLE, is_simple(rules)),
    ):
        numbers[where] = number
    for placed in range(3):
        for point in points_of(opening_points(rules, board, placed)):
            numbers[k.OPENING + point_of(board, point)] |= 1 << placed
    call = kernels()
    call("set_up", *made.changed)
    place = call.bind("place", *made.changed)
    for colour, stones in enumerate(position.stones):
        for point in points_of(stones):
            place(point_of(board, point), colour)
    numbers[k.MOVER], numbers[k.PLACED] = position.colour, position.placed
    numbers[k.STONES_TAKEN], numbers[k.STONES_TAKEN + 1] = position.taken
    if rules.five != AT_ONCE and call("any_line", *made.position, 1 - position.colour, rules.overline):
        numbers[k.STANDING] = 2 - position.colour
    return made
