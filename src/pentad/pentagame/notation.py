"""Parser for Pentagame's notations: turns in brackets or in short form, and fields of position texts.

A turn is either in the denomination's brackets, where consequences (`[0,3,-1,-1,-1]`, a piece that leaves) are
optional, or in short form: `3-522` for `[0,3,5,2,2]`, `3-1x12` to swap with player 1's yellow piece if several
pieces are on 1, then a bare field for each block that is put: `3-8 410 614`.
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

SHAPES = ("circle", "square", "triangle", "diamond", "star")  # by seat; a piece's colour is that of its goal


class Table(Protocol):
    """The part of a position that the parser of turns needs."""

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
    """Parses the steps of a whole or partial turn."""
    if not isinstance(text, str):
        raise InvalidMove(f"Expected a turn as text or as steps, got {shown(text, 40)}.")
    if not text.strip():
        return ()
    if "[" in text:
        return steps_of(here, denomination.turn(text))
    if len(text) > 200:
        raise InvalidMove(f"Expected a turn, got a text of {len(text):,} characters.")
    return steps_of(here, _short(here, text.split()))


def _short(here: Table, words: Sequence[str]) -> list[Shift]:
    """Parses the moves of a turn in short form."""
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
            raise InvalidMove(f"Expected a move, such as [{here.turn},3,5,2,2] or 3-522, got {shown(word, 30)}.")
    return moves


class _Blocks:
    """Assigns blocks to bare fields: the black block in hand first, then gray ones from the pool."""

    def __init__(self, here: Table) -> None:
        self.here = here
        self.black = [11 + i for i, field in enumerate(here.blacks) if field == OFF_BOARD]
        self.pool = [6 + i for i, field in enumerate(here.grays) if field == OFF_BOARD]

    def taken(self, to: Field) -> None:
        """Adds a block from the field to which a piece moves."""
        number = NUMBER[to]
        self.black += [11 + i for i, field in enumerate(self.here.blacks) if field == number]
        self.pool = sorted(self.pool + [6 + i for i, field in enumerate(self.here.grays) if field == number])

    def next(self, word: str) -> int:
        """The next block to put."""
        for held in (self.black, self.pool):
            if held:
                return held.pop(0)
        raise InvalidMove(f"Name the gray block to move: 6-{word[:5]}, for example, not {shown(word, 30)}.")


def _figure(here: Table, word: str) -> int:
    """A figure by number, or a piece by the beginning of its colour."""
    if word.isdigit():
        return denomination.shift([0, int(word), 0, 0, 0]).figure
    found = [i for i, colour in enumerate(here.colours) if colour.startswith(word.lower())]
    if len(found) != 1:
        raise InvalidMove(f"Unknown colour {shown(word, 30)}. The colours are {', '.join(here.colours)}.")
    return found[0]


def _short_field(word: str) -> Field:
    found = _SHORT_FIELD.fullmatch(word)
    if not found:
        raise InvalidMove(f"Expected a field, such as 7 or 522, got {shown(word, 30)}.")
    return denomination.field([int(digit or 0) for digit in found.groups()])


def steps_of(here: Table, moves: Sequence[Shift]) -> tuple[TurnStep, ...]:
    """Converts the denomination's moves to steps; automatic consequences are optional."""
    steps: list[TurnStep] = []
    rest = list(moves)
    if rest and not here.due:
        steps.append(_first_step(here, rest))
    gone = _gone(here, steps[0]) if steps else []
    for move in rest:
        if move.to != OFF:
            if move.figure in PIECES:
                raise InvalidMove(f"{move} moves a second piece. A turn moves one piece and its swap partner.")
            steps.append(BlockStep(*move))
        elif (move.player, move.figure) in gone:
            gone.remove((move.player, move.figure))
        else:
            raise InvalidMove(f"{move} is not a consequence of this turn: figure {move.figure} stays on the board.")
    return tuple(steps)


def _gone(here: Table, head: TurnStep) -> list[tuple[int, int]]:
    """The figures that leave the board automatically after this first step."""
    if not isinstance(head, PieceStep):
        return []
    taken = [GRAYS[i] for i, field in enumerate(here.grays) if field == NUMBER[head.to]]
    return [*head.leaving, *((head.seat, gray) for gray in taken)]


def _first_step(here: Table, rest: list[Shift]) -> TurnStep:
    """Takes the first step from `rest`: a piece that leaves, or that moves, with its swap partner."""
    player, figure, to = rest.pop(0)
    if figure not in PIECES:
        raise InvalidMove(f"Figure {figure} is a block. A turn begins with a piece, 0 to 4.")
    _known_seat(here, player)
    if to == OFF:
        return LeaveStep(player, figure)
    start = here.pieces[player][figure]
    partner = None
    if rest and rest[0].figure in PIECES and rest[0].to != OFF:
        other = rest.pop(0)
        _known_seat(here, other.player)
        if other.to != name_of(start):
            raise InvalidMove(f"{other} is not a swap: the partner must go to {name_of(start)}.")
        partner = (other.player, other.figure)
    else:
        standing = here.pieces_on(NUMBER[to])
        if len(standing) == 1 and start not in (OFF_BOARD, NUMBER[to]):
            partner = standing[0]
    return PieceStep(player, figure, name_of(start), to, partner)


def canonical(step: PieceStep) -> PieceStep:
    """Normalizes a swap of two own pieces: the lower figure moves."""
    if step.partner and step.partner[0] == step.seat and step.partner[1] < step.piece:
        return PieceStep(step.seat, step.partner[1], step.to, step.start, (step.seat, step.piece))
    return step


def _known_seat(here: Table, player: int) -> None:
    if player >= len(here.pieces):
        raise InvalidMove(f"Unknown player {player}. Players are 0 to {len(here.pieces) - 1}.")


# ── positions ────────────────────────────────────────────────────────────────────────────────────

NOWHERE = "---"


def write_field(number: int) -> str:
    """A field in three digits."""
    return NOWHERE if number == OFF_BOARD else f"{denomination.field_number(FIELDS[number]):03}"


def write_fields(numbers: Sequence[int]) -> str:
    return ",".join(map(write_field, numbers))


def read_field(text: str) -> int:
    """Parses a field in three digits; returns its number."""
    if text == NOWHERE:
        return OFF_BOARD
    if len(text) != 3 or not (text.isascii() and text.isdigit()):
        raise GameError(f"Expected a field, such as 522, or {NOWHERE}, got {shown(text, 20)}.")
    name = denomination.field(int(text))
    if name == OFF:
        raise GameError(f"Expected {NOWHERE} for the place off the board, got {text}.")
    if denomination.field_number(name) != int(text):
        raise GameError(f"Expected {denomination.field_number(name):03} for this field, got {text}.")
    return NUMBER[name]


def read_fields(text: str, what: str) -> tuple[int, ...]:
    """Parses five fields."""
    words = text.split(",")
    if len(words) != 5:
        raise GameError(f"Expected five fields of {what}, joined by commas, got {shown(text, 40)}.")
    return tuple(map(read_field, words))
