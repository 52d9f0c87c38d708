"""A Pentagame position in one line, to and from.

    pentagame 0 12 000,100,522,---,400/000,100,200,300,400 500,600,312,800,900 410,---,---,---,--- 2:200>522/- -

The seat to move and the plies played; each seat's five pieces, the seats apart by `/`; the black and the gray
blocks; each seat's previous move; the pieces of a swap that may not be undone; and, within a turn, what is due.
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
    """The words of a position after its game and options."""
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
    """The parts of a position that its words tell, held against each other."""
    if len(words) not in (7, 8):
        raise GameError(
            "a Pentagame position is its options, seat, plies, pieces, black blocks, gray blocks, "
            "previous moves, swap and, within a turn, what is due"
        )
    players = setup.players
    seat, plies = (
        _number(words[0], "the seat to move is", players - 1),
        _number(words[1], "the plies are", setup.max_ply),
    )
    pieces = tuple(read_fields(word, "a seat's pieces") for word in _apart(words[2], players, "pieces"))
    blacks, grays = read_fields(words[3], "black blocks"), read_fields(words[4], "gray blocks")
    last = tuple(_read_last(word, mover, players) for mover, word in enumerate(_apart(words[5], players, "moves")))
    swapped = _read_pair(words[6], players)
    if words[7:] and words[7] not in DUES:
        raise GameError(f"{shown(words[7], 30)} cannot be due; it is one of {', '.join(DUES)}")
    due = tuple(words[7].split("+")) if words[7:] else ()
    _check(seat, pieces, blacks, grays, due)
    if due and plies == setup.max_ply:
        raise GameError(f"no turn begins after {plies} plies, so nothing can be due")
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
        raise GameError(f"two blocks cannot stand on one field, {write_field(twice)}")
    for field in fields_of(set_of(blocks) & standing):
        raise GameError(f"a block and a piece cannot stand on one field, {write_field(field)}")
    if blacks.count(OFF_BOARD) != due.count("black"):
        raise GameError("a black block is off the board exactly while it is due")
    home = sum(mine.count(OFF_BOARD) for mine in pieces)
    if home < due.count("gray"):
        raise GameError("a gray block is due only for a piece that is home")
    if sum(field != OFF_BOARD for field in grays) > home - due.count("gray"):
        raise GameError("every gray block on the board has come for a piece that is home")
    if not due and pieces[seat].count(OFF_BOARD) == len(JUNCTIONS) and seat:
        raise GameError(f"seat {seat} has no piece on the board, so it cannot be its turn")


def _check_pair(swapped: Pair, seat: int, pieces: tuple[tuple[int, ...], ...], setup: Setup, *, within: bool) -> None:
    owners = [owner for owner, _ in swapped]
    if not setup.no_swap_back:
        raise GameError("a swap that may not be undone needs the option no_swap_back=true")
    if within or owners.count(seat) != 1:
        raise GameError(f"what may not be undone is a swap of a piece of seat {seat}, to move, with another seat's")
    if any(pieces[owner][piece] == OFF_BOARD for owner, piece in swapped):
        raise GameError("a piece that has left the board cannot be swapped again")


def _number(text: str, what: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise GameError(f"{what} a whole number from 0 to {most}, not {shown(text, 20)}")
    return int(text)


def _apart(text: str, players: int, what: str) -> list[str]:
    words = text.split("/")
    if len(words) != players:
        raise GameError(f"{players} players have {what} apart by {players - 1} strokes, /, not {shown(text, 40)}")
    return words


def _read_last(text: str, mover: int, players: int) -> Last | None:
    if text == NONE:
        return None
    found = _LAST.fullmatch(text)
    if not found:
        raise GameError(f"a previous move is written 2:200>522, with x and partner, or {NONE}, not {shown(text, 30)}")
    partner = None
    if found[4]:
        _known(int(found[4]), players)
        partner = (int(found[4]), int(found[5]))
    last = Last(int(found[1]), read_field(found[2]), read_field(found[3]), partner)
    if last.start == last.to:
        raise GameError(f"a previous move goes to another field than it comes from, not {text}")
    if partner and partner[0] == mover and partner[1] <= last.piece:
        raise GameError(f"a swap of two own pieces is named by the lower one, not {text}")
    return last


def _read_pair(text: str, players: int) -> Pair | None:
    if text == NONE:
        return None
    found = _PAIR.fullmatch(text)
    if not found:
        raise GameError(f"the pieces of a swap are written 03~12, or {NONE}, not {shown(text, 30)}")
    one, other = (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))
    _known(max(one[0], other[0]), players)
    if one >= other:
        raise GameError(f"the pieces of a swap are two, the lower first, not {text}")
    return one, other


def _known(seat: int, players: int) -> None:
    if seat >= players:
        raise GameError(f"there is no player {seat}; the players are 0 to {players - 1}")
