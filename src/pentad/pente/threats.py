"""Threats of each side with its next stone, as points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pentad.pente.board import Board, points_of
from pentad.pente.threes import Window, windows_by_axis

if TYPE_CHECKING:
    from pentad.pente.rules import PentePosition


@dataclass(frozen=True, slots=True)
class Threats:
    """The threats of one seat with its next stone, by the names of the points.

    `fours` complete a line; `threes` turn a free three into an open four; `captures` maps each capturing point to the
    stones that it captures.
    """

    fours: tuple[str, ...]
    threes: tuple[str, ...]
    captures: Mapping[str, tuple[str, ...]]


def threats(position: PentePosition) -> tuple[Threats, Threats]:
    """The threats of both seats, regardless of the turn."""
    seats = (_of_colour(position, seat ^ position.swapped) for seat in range(2))
    return next(seats), next(seats)


def _of_colour(position: PentePosition, colour: int) -> Threats:
    board, empty = position.board, position.empty
    mine, theirs = position.stones[colour], position.stones[1 - colour]
    takes = {point: position.takes(point, mine, theirs) for point in points_of(empty)}
    return Threats(
        _names(board, _completing(position, mine)),
        _names(board, _opening_fours(board, mine, empty)),
        {str(board.stones[point]): _names(board, taken) for point, taken in takes.items() if taken},
    )


def _completing(position: PentePosition, mine: int) -> int:
    """The empty points on which a stone completes a line."""
    board, found = position.board, 0
    for points, _ in board.lines:
        missing = points & ~mine
        if missing and missing & (missing - 1) == 0 and missing & position.empty & ~found:
            point = missing.bit_length() - 1
            if board.has_line(mine | missing, overline=position.rules.overline, through=point):
                found |= missing
    return found


def _opening_fours(board: Board, mine: int, empty: int) -> int:
    """The empty points on which a stone makes four in a row with both ends empty."""
    found = 0
    for along in windows_by_axis(board):
        for window in along:
            if _is_free_three(window, mine, empty):
                found |= window.inner & empty
    return found


def _is_free_three(window: Window, mine: int, empty: int) -> bool:
    return (window.inner & mine).bit_count() == 3 and not (window.inner & ~mine | window.ends) & ~empty


def _names(board: Board, points: int) -> tuple[str, ...]:
    return tuple(str(board.stones[point]) for point in points_of(points))
