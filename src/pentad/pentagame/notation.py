"""Pentagame's texts: turns as people and the denomination write them, and positions in a line.

A turn reads in the denomination's brackets, its consequences (`[0,3,-1,-1,-1]`, a piece that leaves) told or
not, or in short: `3-522` for `[0,3,5,2,2]`, `3-1x12` where several pieces stand on 1 and player 1's yellow
is meant, then a bare field for each block that is put: `3-8 410 614`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from pentad.game import GameError, InvalidMove, shown
from pentad.pentagame import denomination
from pentad.pentagame.board import FIELDS, NUMBER, OFF, OFF_BOARD, Field, name_of
from pentad.pentagame.denomination import GRAYS, PIECES, Shift
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep

SHAPES = ("circle", "square", "triangle", "diamond", "star")  # by seat; a figure's colour tells its goal


class Table(Protocol):
    """What reading a turn needs to know of a position."""

    @property
    def pieces(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def blacks(self) -> tuple[int, ...]: ...
    @property
    def grays(self) -> tuple[int, ...]: ...
    @property
    def due(self) -> tuple[str, ...]: ...
    @property
    def turn(self) -> int: ...
    @property
    def colours(self) -> tuple[str, ...]: ...
    def pieces_on(self, field: int) -> Sequence[tuple[int, int]]: ...


# ── turns ────────────────────────────────────────────────────────────────────────────────────────

_SHORT = re.compile(r"([0-9]{1,2}|[A-Za-z]+)[-:>]([0-9.]{1,5})(?:x([0-9])[.]?([0-9]))?")
_BARE = re.compile(r"[0-9.]{1,5}")
_SHORT_FIELD = re.compile(r"([0-9])(?:[.]?([0-9])[.]?([0-9]))?")


def read_steps(here: Table, text: str) -> tuple[TurnStep, ...]:
    """The steps of a turn, whole or begun."""
    if not isinstance(text, str):
        raise InvalidMove(f"a turn is a text or its steps, not {shown(text, 40)}")
    if not text.strip():
        return ()
    if "[" in text:
        return steps_of(here, denomination.turn(text))
    if len(text) > 200:
        raise InvalidMove(f"a turn of {len(text):,} letters is too long to be one")
    return steps_of(here, _short(here, text.split()))


def _short(here: Table, words: Sequence[str]) -> list[Shift]:
    """The moves that short words tell."""
    moves: list[Shift] = []
    blocks = _Blocks(here)
    for word in words:
        if found := _SHORT.fullmatch(word):
            player, figure, to = here.turn, _figure(here, found[1]), _short_field(found[2])
            moves.append(Shift(player, figure, to))
            if figure in PIECES:
                blocks.taken(to)
            if found[3]:
                owner, piece = int(found[3]), int(found[4])
                start = here.pieces[player][figure] if figure in PIECES else OFF_BOARD
                moves.append(denomination.shift([owner, piece, *name_of(start)]))
        elif _BARE.fullmatch(word) and (moves or here.due):
            moves.append(Shift(here.turn, blocks.next(word), _short_field(word)))
        else:
            raise InvalidMove(f"{shown(word, 30)} is no part of a turn, such as [{here.turn},3,5,2,2] or 3-522")
    return moves


class _Blocks:
    """Which block a bare field means: the black in hand first, then grays from the pool."""

    def __init__(self, here: Table) -> None:
        self.here = here
        self.black = [11 + i for i, field in enumerate(here.blacks) if field == OFF_BOARD]
        self.pool = [6 + i for i, field in enumerate(here.grays) if field == OFF_BOARD]

    def taken(self, to: Field) -> None:
        """A piece went there: a block that stood there can be put."""
        number = NUMBER[to]
        self.black += [11 + i for i, field in enumerate(self.here.blacks) if field == number]
        self.pool = sorted(self.pool + [6 + i for i, field in enumerate(self.here.grays) if field == number])

    def next(self, word: str) -> int:
        for held in (self.black, self.pool):
            if held:
                return held.pop(0)
        raise InvalidMove(f"{shown(word, 30)} does not say which gray block is moved, such as 6-{word[:5]}")


def _figure(here: Table, word: str) -> int:
    """A figure by number, or a piece by its colour or the beginning of that."""
    if word.isdigit():
        return denomination.shift([0, int(word), 0, 0, 0]).figure
    found = [i for i, colour in enumerate(here.colours) if colour.startswith(word.lower())]
    if len(found) != 1:
        raise InvalidMove(f"{shown(word, 30)} is no figure's colour; they are: {', '.join(here.colours)}")
    return found[0]


def _short_field(word: str) -> Field:
    found = _SHORT_FIELD.fullmatch(word)
    if not found:
        raise InvalidMove(f"{shown(word, 30)} is no field, such as 7 or 522")
    return denomination.field([int(digit or 0) for digit in found.groups()])


def steps_of(here: Table, moves: Sequence[Shift]) -> tuple[TurnStep, ...]:
    """The steps that a list of the denomination's moves tells; what follows by itself may be told too."""
    steps: list[TurnStep] = []
    rest = list(moves)
    if rest and not here.due:
        steps.append(_first_step(here, rest))
    gone = _gone(here, steps[0]) if steps else []
    for move in rest:
        if move.to != OFF:
            if move.figure in PIECES:
                raise InvalidMove(f"{move} is a second piece; a turn moves one, and one that it swaps with")
            steps.append(BlockStep(*move))
        elif (move.player, move.figure) in gone:
            gone.remove((move.player, move.figure))
        else:
            raise InvalidMove(f"{move} does not follow: nothing brings figure {move.figure} off the board in this turn")
    return tuple(steps)


def _gone(here: Table, head: TurnStep) -> list[tuple[int, int]]:
    """The figures that go off the board by themselves after such a beginning; that may be told."""
    if not isinstance(head, PieceStep):
        return []
    taken = [GRAYS[i] for i, field in enumerate(here.grays) if field == NUMBER[head.to]]
    return [*head.leaving, *((head.seat, gray) for gray in taken)]


def _first_step(here: Table, rest: list[Shift]) -> TurnStep:
    """The piece that moves, or leaves, and the one it swaps with; they are taken from `rest`."""
    player, figure, to = rest.pop(0)
    if figure not in PIECES:
        raise InvalidMove(f"figure {figure} is a block; a turn begins with a piece, 0 to 4")
    _known_seat(here, player)
    if to == OFF:
        return LeaveStep(player, figure)
    start = here.pieces[player][figure]
    partner = None
    if rest and rest[0].figure in PIECES and rest[0].to != OFF:
        other = rest.pop(0)
        _known_seat(here, other.player)
        if other.to != name_of(start):
            raise InvalidMove(f"{other} is no swap: that piece would come to {name_of(start)}")
        partner = (other.player, other.figure)
    else:
        standing = here.pieces_on(NUMBER[to])
        if len(standing) == 1 and start not in (OFF_BOARD, NUMBER[to]):
            partner = standing[0]
    return PieceStep(player, figure, name_of(start), to, partner)


def canonical(step: PieceStep) -> PieceStep:
    """A swap of two own pieces is one move whichever is named; the lower figure names it."""
    if step.partner and step.partner[0] == step.seat and step.partner[1] < step.piece:
        return PieceStep(step.seat, step.partner[1], step.to, step.start, (step.seat, step.piece))
    return step


def _known_seat(here: Table, player: int) -> None:
    if player >= len(here.pieces):
        raise InvalidMove(f"there is no player {player}; the players are 0 to {len(here.pieces) - 1}")


# ── positions ────────────────────────────────────────────────────────────────────────────────────

NOWHERE = "---"


def write_field(number: int) -> str:
    """A field's name in three digits."""
    return NOWHERE if number == OFF_BOARD else f"{denomination.field_number(FIELDS[number]):03}"


def write_fields(numbers: Sequence[int]) -> str:
    return ",".join(map(write_field, numbers))


def read_field(text: str) -> int:
    """The number of the field that three digits name."""
    if text == NOWHERE:
        return OFF_BOARD
    if len(text) != 3 or not (text.isascii() and text.isdigit()):
        raise GameError(f"{shown(text, 20)} is no field of a position, such as 522, or {NOWHERE}")
    name = denomination.field(int(text))
    if name == OFF:
        raise GameError(f"a position's text has {NOWHERE} for the place off the board, not {text}")
    if denomination.field_number(name) != int(text):
        raise GameError(f"a position's text names that field {denomination.field_number(name):03}, not {text}")
    return NUMBER[name]


def read_fields(text: str, what: str) -> tuple[int, ...]:
    """Five fields."""
    words = text.split(",")
    if len(words) != 5:
        raise GameError(f"{what} are five, their fields joined by commas, not {shown(text, 40)}")
    return tuple(map(read_field, words))
