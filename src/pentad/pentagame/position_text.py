"""Text format of Pentagame positions, one line each.

    pentagame 0 12 000,100,522,---,400/000,100,200,300,400 500,600,312,800,900 410,---,---,---,--- 2:200>522/- -

The seat to move and the plies played; each seat's five pieces, seats separated by `/`; the black and the gray
blocks; each seat's previous move; the pieces of a swap that may not be undone; and, within a turn, the due blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pentad.game import GameError, shown
from pentad.pentagame.board import JUNCTIONS, OFF_BOARD, fields_of, set_of
from pentad.pentagame.notation import read_field, read_fields, write_field, write_fields
from pentad.pentagame.steps import Last, Pair

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition, Setup

_LAST = re.compile(r"([0-4]):([0-9]{3})>([0-9]{3})(?:x([0-4])([0-4]))?")
_PAIR = re.compile(r"([0-4])([0-4])~([0-4])([0-4])")
DUES = ("black", "gray", "black+gray", "gray+gray", "black+gray+gray")
NONE = "-"


def write(here: PentagamePosition) -> Iterator[str]:
    """The words of a position text after the game and its options."""
    yield str(here.turn)
    yield str(here.ply)
    yield "/".join(map(write_fields, here.pieces))
    yield write_fields(here.blacks)
    yield write_fields(here.grays)
    yield "/".join(map(_write_last, here.last))
    yield NONE if here.swapped is None else "~".join(f"{seat}{piece}" for seat, piece in here.swapped)
    if here.due:
        yield "+".join(here.due)


def _write_last(last: Last | None) -> str:
    if last is None:
        return NONE
    partner = f"x{last.partner[0]}{last.partner[1]}" if last.partner else ""
    return f"{last.piece}:{write_field(last.start)}>{write_field(last.to)}{partner}"


def read(words: list[str], setup: Setup) -> Mapping[str, Any]:
    """Parses the words of a position text and checks their consistency."""
    if len(words) not in (7, 8):
        raise GameError(
            "Expected a Pentagame position: its options, seat, plies, pieces, black blocks, gray blocks, "
            "previous moves, swap and, within a turn, the due blocks."
        )
    players = setup.players
    seat, plies = _number(words[0], "the seat to move", players - 1), _number(words[1], "the plies", setup.max_ply)
    pieces = tuple(read_fields(word, "a seat's pieces") for word in _split(words[2], players, "pieces"))
    blacks, grays = read_fields(words[3], "the black blocks"), read_fields(words[4], "the gray blocks")
    last = tuple(_read_last(word, mover, players) for mover, word in enumerate(_split(words[5], players, "moves")))
    swapped = _read_pair(words[6], players)
    if words[7:] and words[7] not in DUES:
        raise GameError(f"The due blocks must be one of {', '.join(DUES)}, not {shown(words[7], 30)}.")
    due = tuple(words[7].split("+")) if words[7:] else ()
    _check(seat, pieces, blacks, grays, due)
    if due and plies == setup.max_ply:
        raise GameError(f"No block can be due after {plies} plies, the last turn.")
    if swapped:
        _check_pair(swapped, seat, pieces, setup, within=bool(due))
    return {
        "seat": seat,
        "plies": plies,
        "pieces": pieces,
        "blacks": blacks,
        "grays": grays,
        "last": last,
        "swapped": swapped,
        "due": due,
    }


def _check(
    seat: int,
    pieces: tuple[tuple[int, ...], ...],
    blacks: tuple[int, ...],
    grays: tuple[int, ...],
    due: tuple[str, ...],
) -> None:
    blocks = [field for field in (*blacks, *grays) if field != OFF_BOARD]
    standing = set_of([field for mine in pieces for field in mine])
    twice = next((field for field in blocks if blocks.count(field) > 1), None)
    if twice is not None:
        raise GameError(f"Two blocks cannot be on the same field, {write_field(twice)}.")
    for field in fields_of(set_of(blocks) & standing):
        raise GameError(f"A block and a piece cannot be on the same field, {write_field(field)}.")
    if blacks.count(OFF_BOARD) != due.count("black"):
        raise GameError("A black block must be off the board exactly while it is due.")
    home = sum(mine.count(OFF_BOARD) for mine in pieces)
    if home < due.count("gray"):
        raise GameError("A gray block can be due only for a piece that is home.")
    if sum(field != OFF_BOARD for field in grays) > home - due.count("gray"):
        raise GameError("There cannot be more gray blocks on the board than pieces that are home.")
    if not due and pieces[seat].count(OFF_BOARD) == len(JUNCTIONS) and seat:
        raise GameError(f"It cannot be the turn of seat {seat}, which has no piece on the board.")


def _check_pair(swapped: Pair, seat: int, pieces: tuple[tuple[int, ...], ...], setup: Setup, *, within: bool) -> None:
    owners = [owner for owner, _ in swapped]
    if not setup.no_swap_back:
        raise GameError("A swap that may not be undone needs the option no_swap_back=true.")
    if within or owners.count(seat) != 1:
        raise GameError(
            f"A swap that may not be undone must be of a piece of seat {seat}, to move, and another seat's."
        )
    if any(pieces[owner][piece] == OFF_BOARD for owner, piece in swapped):
        raise GameError("A piece that has left the board cannot be swapped again.")


def _number(text: str, what: str, maximum: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= maximum):
        raise GameError(f"Expected a whole number from 0 to {maximum} for {what}, got {shown(text, 20)}.")
    return int(text)


def _split(text: str, players: int, what: str) -> list[str]:
    words = text.split("/")
    if len(words) != players:
        raise GameError(f"Expected the {what} of {players} players, separated by slashes, got {shown(text, 40)}.")
    return words


def _read_last(text: str, mover: int, players: int) -> Last | None:
    if text == NONE:
        return None
    found = _LAST.fullmatch(text)
    if not found:
        raise GameError(
            f"Expected a previous move such as 2:200>522, with x and swap partner, or {NONE}, got {shown(text, 30)}."
        )
    partner = None
    if found[4]:
        _known(int(found[4]), players)
        partner = (int(found[4]), int(found[5]))
    last = Last(int(found[1]), read_field(found[2]), read_field(found[3]), partner)
    if last.start == last.to:
        raise GameError(f"The start and end of a previous move must differ, unlike in {text}.")
    if partner and partner[0] == mover and partner[1] <= last.piece:
        raise GameError(f"The lower piece must come first in a swap of two own pieces, unlike in {text}.")
    return last


def _read_pair(text: str, players: int) -> Pair | None:
    if text == NONE:
        return None
    found = _PAIR.fullmatch(text)
    if not found:
        raise GameError(f"Expected the pieces of a swap, such as 03~12, or {NONE}, got {shown(text, 30)}.")
    one, other = (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))
    _known(max(one[0], other[0]), players)
    if one >= other:
        raise GameError(f"The pieces of a swap must differ, the lower first, unlike in {text}.")
    return one, other


def _known(seat: int, players: int) -> None:
    if seat >= players:
        raise GameError(f"Unknown player {seat}. Players are 0 to {players - 1}.")
