"""The class `Pentago`: a classic game with the methods and return values of its requirement document."""

from __future__ import annotations

from typing import ClassVar

from pentad.game import InvalidMove, new, shown
from pentad.games.pentago import notation
from pentad.games.pentago.board import DIRECTIONS, Twist
from pentad.games.pentago.rules import PentagoPosition


class Pentago:
    """A game of Pentago between black, who moves first, and white.

    >>> game = Pentago()
    >>> game.make_move("black", "a2", 1, "C")
    True
    >>> game.make_move("white", "a2", 1, "C")
    True
    >>> game.get_game_state()
    'UNFINISHED'
    """

    _COLOURS = ("black", "white")
    _WON = ("BLACK_WON", "WHITE_WON")
    _MARKS: ClassVar[dict[str, str]] = {notation.EMPTY: "□", "b": "●", "w": "○"}

    def __init__(self) -> None:
        start = new("pentago")
        assert isinstance(start, PentagoPosition)
        self._position = start

    @property
    def position(self) -> PentagoPosition:
        """The current position."""
        return self._position

    def get_game_state(self) -> str:
        """`UNFINISHED`, `BLACK_WON`, `WHITE_WON` or `DRAW`."""
        outcome = self._position.outcome
        if outcome is None:
            return "UNFINISHED"
        return "DRAW" if outcome.is_draw else self._WON[outcome.winners[0]]

    def is_board_full(self) -> bool:
        """Whether no space is empty."""
        return not self._position.empty

    def make_move(self, color: str, position: str, sub_board: int, rotation: str) -> bool | str:
        """Places a marble and turns a sub-board; returns True, or the reason of a refusal."""
        here = self._position
        if here.outcome:
            return "game is finished"
        if not isinstance(color, str) or color not in self._COLOURS:
            raise InvalidMove("A marble must be black or white, not {color}.", color=shown(color))
        place = next((place for place in here.board.places if str(place) == position), None)
        if place is None:
            raise InvalidMove("A position must be a text from 'a0' to 'f5', not {position}.", position=shown(position))
        if type(sub_board) is not int or sub_board not in here.board.sub_boards:
            raise InvalidMove("A sub-board must be 1, 2, 3 or 4, not {sub_board}.", sub_board=shown(sub_board))
        if not isinstance(rotation, str) or rotation not in DIRECTIONS:
            raise InvalidMove("A rotation must be 'C' or 'A', not {rotation}.", rotation=shown(rotation))
        if color != here.colour_of(here.turn):
            return "not this player's turn"
        if not here.empty >> here.board.space(*place) & 1:
            return "position is not empty"
        self._position = here.play((place, Twist(sub_board, rotation)))
        return True

    def print_board(self) -> None:
        """Prints the six rows."""
        for row in notation.write_board(self._position.board, self._position.marbles).split("/"):
            print("   ".join(self._MARKS[mark] for mark in row))
