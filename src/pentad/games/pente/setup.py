"""Boards to set up: stones on points, and captured stones; their number determines whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from pentad.game import OptionValue
from pentad.games.parts import Counter, Piece, pieces_of_colours
from pentad.games.pente.notation import COLOURS, read_board, read_point, read_taken
from pentad.games.pente.rules import OVER, THREE, PentePosition
from pentad.games.pente.rulesets import SWAP2, Setup
from pentad.system.words import phrase

MOST_TAKEN = 600


def read(options: Mapping[str, OptionValue], words: list[str]) -> PentePosition:
    """The board in a text's words."""
    setup = Setup.of(options)
    taken = read_taken(words[1]) if setup.rules.captures and len(words) > 1 else (0, 0)
    return _settled(PentePosition(setup, read_board(setup.board, words[0]), taken))


def pieces(here: PentePosition) -> Iterable[Piece]:
    """The stones to place."""
    return pieces_of_colours(COLOURS, "stone")


def places(here: PentePosition) -> Iterable[tuple[str, str]]:
    """The points."""
    return ((str(stone), str(stone)) for stone in here.board.stones)


def put(here: PentePosition, piece: str, target: str) -> PentePosition:
    """The board with another stone on a point."""
    bit = 1 << here.board.point(*read_point(here.board, target))
    white, black = (
        mine | bit if colour == piece else mine & ~bit for colour, mine in zip(COLOURS, here.stones, strict=True)
    )
    return _settled(replace(here, stones=(white, black), last=None))


def counters(here: PentePosition) -> Iterator[Counter]:
    """The captured stones."""
    white, black = here.taken
    if here.rules.captures:
        yield _taken("white", white, lambda value: _settled(replace(here, taken=(value, black))))
        yield _taken("black", black, lambda value: _settled(replace(here, taken=(white, value))))


def _taken(colour: str, taken: int, change: Callable[[int], PentePosition]) -> Counter:
    return Counter(colour, phrase("stones captured by {colour}", colour=colour), taken, 0, MOST_TAKEN, change)


def _settled(here: PentePosition) -> PentePosition:
    """Sets the number of plies; from three stones on, the opening swap2 is over."""
    if here.rules.opening != SWAP2:
        return replace(here, ply=here.placed)
    over = here.placed >= 3
    return replace(here, ply=here.placed - 1 if over else 0, stage=OVER if over else THREE, swapped=False)
