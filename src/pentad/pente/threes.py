"""Free threes, and the double free threes that some rule sets forbid.

A free three is three own stones within four consecutive points that one more stone turns into an open four, four in a
row with both ends empty.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pentad.pente.board import AXES, Board


class Window(NamedTuple):
    """Four points in a row, and the two points beyond its ends, all on the board."""

    inner: int
    ends: int


@lru_cache(maxsize=64)
def windows(board: Board) -> tuple[tuple[tuple[Window, ...], ...], ...]:
    """For each point and axis, the windows whose inner points include it."""
    return tuple(tuple(_along(board, *stone, *axis) for axis in AXES) for stone in board.stones)


def _along(board: Board, column: int, row: int, right: int, up: int) -> tuple[Window, ...]:
    found = []
    for back in range(4):
        bits = [board.bit(column + (i - back) * right, row + (i - back) * up) for i in range(-1, 5)]
        if all(bits):
            found.append(Window(sum(bits[1:5]), bits[0] | bits[5]))
    return tuple(found)


def free_threes(board: Board, mine: int, empty: int, point: int) -> int:
    """The number of axes along which the stone at a point (one of `mine`) is part of a free three."""
    return sum(
        any(
            (window.inner & mine).bit_count() == 3 and window.inner & ~mine & empty and not window.ends & ~empty
            for window in along
        )
        for along in windows(board)[point]
    )


def makes_double_three(board: Board, mine: int, empty: int, point: int) -> bool:
    """Whether a stone on an empty point makes two free threes at once."""
    bit = 1 << point
    return free_threes(board, mine | bit, empty & ~bit, point) >= 2


@lru_cache(maxsize=64)
def windows_by_axis(board: Board) -> tuple[tuple[Window, ...], ...]:
    """All windows of each axis, without duplicates."""
    tables = windows(board)
    return tuple(tuple(dict.fromkeys(window for table in tables for window in table[axis])) for axis in range(4))


def near(board: Board, mine: int, empty: int) -> int:
    """The empty points at which free threes may form along two axes, as a filter for the exact test."""
    once = twice = 0
    for along in windows_by_axis(board):
        here = 0
        for inner, ends in along:
            held = inner & mine
            if held & (held - 1) and not (ends | inner ^ held) & ~empty:  # two own stones with space around them
                here |= inner
        twice |= once & here
        once |= here
    return twice & empty
