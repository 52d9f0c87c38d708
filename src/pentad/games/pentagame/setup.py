"""Boards to set up: five pieces for each seat, each on a field or home, the blocks, and the turn.

Such a board has no move to repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from pentad.game import GameError, OptionValue, whole
from pentad.games.parts import Counter, Piece
from pentad.games.pentagame.board import FIELDS, NUMBER, OFF_BOARD
from pentad.games.pentagame.denomination import BLACKS, GRAYS, field
from pentad.games.pentagame.notation import read_fields
from pentad.games.pentagame.rules import GAME, PentagamePosition


def read(options: Mapping[str, OptionValue], words: list[str]) -> PentagamePosition:
    """The board in a text's words."""
    first = cast(PentagamePosition, GAME.new(**options))
    seat, plies = (whole(word) for word in words[:2]) if len(words) >= 5 else (None, None)
    if seat is None or plies is None or len(words[2].split("/")) != first.players:
        raise GameError("Expected a Pentagame board: seat, plies, pieces, black blocks and gray blocks.")
    if seat >= first.players or plies > first.setup.max_ply:
        raise GameError(
            "Expected a seat from 0 to {players} and at most {max_ply:,} plies, got seat {seat} and {ply} plies.",
            players=first.players - 1,
            max_ply=first.setup.max_ply,
            seat=words[0][:9],
            ply=words[1][:9],
        )
    return replace(
        first,
        seat=seat,
        plies=plies,
        pieces=tuple(read_fields(mine, "a seat's pieces") for mine in words[2].split("/")),
        blacks=read_fields(words[3], "black blocks"),
        grays=read_fields(words[4], "gray blocks"),
    )


def pieces(here: PentagamePosition) -> Iterator[Piece]:
    """The seats' pieces and the blocks."""
    for seat, mine in enumerate(here.pieces):
        for piece, where in enumerate(mine):
            colour, who = here.colours[piece], here.colour_of(seat)
            yield _piece(here, f"{seat}.{piece}", f"{who}'s {colour} piece", who, colour, where)
    for kind, figures, places in (("black", BLACKS, here.blacks), ("gray", GRAYS, here.grays)):
        for number, where in enumerate(places):
            yield _piece(here, f"{figures[number]}", f"{kind} block {number + 1}", "blocks", kind, where)


def _piece(here: PentagamePosition, name: str, label: str, group: str, colour: str, where: int) -> Piece:
    place = "" if where == OFF_BOARD else here.place_name(where)
    return Piece(name, label, group, colour, off=True, where=place)


def places(here: PentagamePosition) -> Iterator[tuple[str, str]]:
    """The fields, and the pieces on them."""
    yield from ((str(name), str(name)) for name in FIELDS)
    for seat, mine in enumerate(here.pieces):
        for piece, where in enumerate(mine):
            if where != OFF_BOARD:
                yield f"piece {seat}.{piece}", str(FIELDS[where])


def put(here: PentagamePosition, piece: str, target: str) -> PentagamePosition:
    """The board with a piece or block on another field, or off the board."""
    to = NUMBER[field(target)] if target else OFF_BOARD
    if "." in piece:
        seat, which = map(int, piece.split("."))
        mine = _with(here.pieces[seat], which, to)
        return replace(here, pieces=(*here.pieces[:seat], mine, *here.pieces[seat + 1 :]))
    number = int(piece)
    if number in BLACKS:
        return replace(here, blacks=_with(here.blacks, number - BLACKS[0], to))
    return replace(here, grays=_with(here.grays, number - GRAYS[0], to))


def counters(here: PentagamePosition) -> Iterator[Counter]:
    """The seat to move."""
    words = tuple(map(here.colour_of, range(here.players)))
    yield Counter("turn", "to move", here.seat, 0, here.players - 1, lambda seat: replace(here, seat=seat), words)


def _with(places: tuple[int, ...], which: int, to: int) -> tuple[int, ...]:
    return (*places[:which], to, *places[which + 1 :])
