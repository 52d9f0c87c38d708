"""Boards to set up: marbles on spaces; their number determines whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pentad.game import OptionValue
from pentad.games.parts import Counter, Piece, pieces_of_colours
from pentad.games.pentago.notation import COLOURS, read_board, read_place
from pentad.games.pentago.rules import PentagoPosition, Setup


def read(options: Mapping[str, OptionValue], words: list[str]) -> PentagoPosition:
    """The board in a text's words."""
    setup = Setup.of(options)
    return PentagoPosition(setup, read_board(setup.board, words[0], setup.players))


def pieces(here: PentagoPosition) -> Iterable[Piece]:
    """The marbles to place."""
    return pieces_of_colours(COLOURS[: here.players], "marble")


def places(here: PentagoPosition) -> Iterable[tuple[str, str]]:
    """The spaces."""
    return ((str(place), str(place)) for place in here.board.places)


def put(here: PentagoPosition, piece: str, target: str) -> PentagoPosition:
    """The board with another marble on a space."""
    bit = 1 << here.board.space(*read_place(here.board, target))
    marbles = (mine | bit if here.colour_of(seat) == piece else mine & ~bit for seat, mine in enumerate(here.marbles))
    return PentagoPosition(here.setup, tuple(marbles))


def counters(here: PentagoPosition) -> Iterable[Counter]:
    """None."""
    return ()
