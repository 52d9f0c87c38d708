"""Board numbers of the published strong solution of Pentago.

A board is 64 bits, sixteen for each quadrant. A quadrant is a radix-3 number: 0 empty, 1 black, 2 white. Quadrants and
their spaces are counted up the columns, from the bottom left. The suffix `m` for a board in the middle of a turn in the
published tables is the argument `placed` here.
"""

from __future__ import annotations

from pentad.game import GameError, shown
from pentad.pentago.board import board
from pentad.pentago.rules import PentagoPosition, Setup, position

_CLASSIC = board(2, 2, 3, 5)
_QUADRANT_BOARDS = 3**9


def _space(quadrant: int, cell: int) -> int:
    """The space of a quadrant's cell: in the numbers y counts from the bottom, on the board rows count from the top."""
    x = 3 * (quadrant // 2) + cell // 3
    y = 3 * (quadrant % 2) + cell % 3
    return _CLASSIC.space(5 - y, x)


SPACES = tuple(tuple(_space(quadrant, cell) for cell in range(9)) for quadrant in range(4))


def from_number(number: int, placed: bool = False, *, win_on_placement: bool = True) -> PentagoPosition:
    """The position of a board number; with `placed`, a marble is placed and the twist is still to come.

    >>> print(from_number(589824).text)
    pentago b...../....../....../....../....../......
    """
    if type(number) is not int or not 0 <= number < 1 << 64:
        raise GameError(f"A board number must be a whole number of 64 bits, not {shown(number)}.")
    for flag in (placed, win_on_placement):
        if type(flag) is not bool:
            raise GameError(f"The flags placed and win_on_placement must be true or false, not {shown(flag)}.")
    marbles = [0, 0]
    for quadrant, spaces in enumerate(SPACES):
        digits = number >> 16 * quadrant & 0xFFFF
        if digits >= _QUADRANT_BOARDS:
            raise GameError(f"{number} is not a board number: Quadrant {quadrant} holds {digits}, more than 19682.")
        for space in spaces:
            digits, digit = divmod(digits, 3)
            if digit:
                marbles[digit - 1] |= 1 << space
    return position(Setup(_CLASSIC, 2, win_on_placement), (marbles[0], marbles[1]), placed)


def to_number(position: PentagoPosition) -> int:
    """The board number of a classic position."""
    if getattr(position, "board", None) != _CLASSIC or position.players != 2:
        raise GameError("Only boards of classic Pentago have a number: 2 × 2 sub-boards of 3 × 3, two players.")
    black, white = position.marbles
    number = 0
    for quadrant, spaces in enumerate(SPACES):
        digits = 0
        for space in reversed(spaces):
            digits = 3 * digits + (black >> space & 1) + 2 * (white >> space & 1)
        number |= digits << 16 * quadrant
    return number
