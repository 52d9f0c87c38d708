"""Steps of a turn, a piece and then the due blocks; turns as integers.

PieceStep   [0,3,7,0,0]               player 0's red piece goes to junction 7
            [0,3,1,0,0] [1,2,3,0,0]   it goes to corner 1, and player 1's yellow piece comes to 3 in exchange
BlockStep   [0,12,4,1,0]              player 0 puts a block there
LeaveStep   [0,3,-1,-1,-1]            player 0's red piece, brought to its goal by another, leaves
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import NamedTuple, TypeAlias

from pentad.game import InvalidMove, Move, shown
from pentad.pentagame.board import FIELDS, NUMBER, OFF, Field, goal
from pentad.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES, Shift


@cache
def shift_text(player: int, figure: int, to: Field) -> str:
    """The text of a move of the denomination, cached; there are some thousands."""
    return str(Shift(player, figure, to))


class PieceStep(NamedTuple):
    """A seat's piece goes from one field to another; in a swap a `partner`, seat and piece, comes back."""

    seat: int
    piece: int
    start: Field
    to: Field
    partner: tuple[int, int] | None = None

    def __str__(self) -> str:
        mover = shift_text(self.seat, self.piece, self.to)
        return f"{mover} {shift_text(*self.partner, self.start)}" if self.partner else mover

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The step as moves of the denomination."""
        mover = Shift(self.seat, self.piece, self.to)
        return (mover, Shift(*self.partner, self.start)) if self.partner else (mover,)

    @property
    def leaving(self) -> tuple[tuple[int, int], ...]:
        """The pieces, each with its seat, that reach their goals and leave the board at once.

        Another seat's piece leaves only together with the moving piece; alone it waits for its owner's turn.
        """
        mover_home = NUMBER[self.to] == goal(self.piece)
        gone = [(self.seat, self.piece)] if mover_home else []
        if (
            self.partner
            and NUMBER[self.start] == goal(self.partner[1])
            and (mover_home or self.partner[0] == self.seat)
        ):
            gone.append(self.partner)
        return tuple(gone)


class BlockStep(NamedTuple):
    """A seat puts a block, black or gray, on a field."""

    seat: int
    figure: int
    to: Field

    def __str__(self) -> str:
        return str(Shift(*self))

    @property
    def is_black(self) -> bool:
        return self.figure in BLACKS


class LeaveStep(NamedTuple):
    """A piece that another seat brought to its goal leaves the board."""

    seat: int
    piece: int

    def __str__(self) -> str:
        return str(Shift(self.seat, self.piece, OFF))


TurnStep: TypeAlias = PieceStep | BlockStep | LeaveStep


def is_step(thing: object, players: int) -> bool:
    """Whether it is a step with valid parts; it need not be legal."""
    if isinstance(thing, PieceStep):
        pieces = [thing[:2]] if thing.partner is None else [thing[:2], thing.partner]
        return _is_field(thing.start) and _is_field(thing.to) and all(_is_piece(piece, players) for piece in pieces)
    if isinstance(thing, BlockStep):
        known = _is_one_of(thing.seat, range(players)) and _is_one_of(thing.figure, (*GRAYS, *BLACKS))
        return known and _is_field(thing.to)
    return isinstance(thing, LeaveStep) and _is_piece(thing[:2], players)


def _is_field(thing: object) -> bool:
    """Whether it is a field of the board; an equal tuple is not, since its text would differ."""
    return isinstance(thing, Field) and all(type(each) is int for each in thing) and NUMBER.get(thing, -1) >= 0


def _is_piece(thing: object, players: int) -> bool:
    return (
        isinstance(thing, tuple)
        and len(thing) == 2
        and _is_one_of(thing[0], range(players))
        and _is_one_of(thing[1], PIECES)
    )


def _is_one_of(thing: object, allowed: Container[int]) -> bool:
    return type(thing) is int and thing in allowed


class Last(NamedTuple):
    """A seat's previous move, which it may not repeat: its piece, start, end and swap partner."""

    piece: int
    start: int
    to: int
    partner: tuple[int, int] | None = None


Pair: TypeAlias = tuple[tuple[int, int], tuple[int, int]]  # two pieces that have swapped, each by seat and colour


# ── a turn as one integer ────────────────────────────────────────────────────────────────────────
#
# Seventeen decimal digits, which fit into a database's 64 bits; fields by their numbers 0-99:
#
#     seat piece to to | owner+1 piece from from | black-10 to to | gray-5 to to | gray-5 to to
#
# Zeros stand for no partner or no block; an owner of 9 means that the piece leaves.

_LEAVES = 9
_SLOTS = (("black", 10), ("gray", 5), ("gray", 5))  # each kind of block, and the figure before its first


def turn_number(move: Move) -> int:
    """A whole turn as one integer of at most 17 digits."""
    first, *blocks = move or (None,)
    if isinstance(first, PieceStep):
        owner, partner = (first.partner[0] + 1, first.partner[1]) if first.partner else (0, 0)
        head = ((first.seat * 10 + first.piece) * 100 + NUMBER[first.to]) * 10_000
        head += (owner * 10 + partner) * 100 + NUMBER[first.start]
    elif isinstance(first, LeaveStep):
        head = (first.seat * 10 + first.piece) * 1_000_000 + _LEAVES * 1000
    else:
        raise InvalidMove(f"Expected a turn that begins with a piece, got {shown(move, 40)}.")
    for slot, base in _SLOTS:
        part = 0
        if blocks and isinstance(step := blocks[0], BlockStep) and step.is_black == (slot == "black"):
            part = (step.figure - base) * 100 + NUMBER[step.to]
            del blocks[0]
        head = head * 1000 + part
    if blocks:
        raise InvalidMove(
            f"Expected a black block and up to two gray ones after the piece, got {shown(blocks[0], 40)}."
        )
    return head


def turn_of_number(number: int) -> Move:
    """Parses a turn from its integer.

    >>> step = PieceStep(0, 3, FIELDS[3], FIELDS[1], (1, 2))
    >>> turn_of_number(turn_number(Move((step,)))) == Move((step,))
    True
    """
    if type(number) is not int or not 0 <= number < 10**17:
        raise InvalidMove(f"Expected a turn's number of at most 17 digits, got {shown(number)}.")
    digits = f"{number:017}"
    seat, piece, to, owner, other, start = (
        int(digits[a:b]) for a, b in ((0, 1), (1, 2), (2, 4), (4, 5), (5, 6), (6, 8))
    )
    steps: list[TurnStep] = []
    if owner == _LEAVES:
        steps.append(LeaveStep(seat, piece))
    else:
        steps.append(PieceStep(seat, piece, FIELDS[start], FIELDS[to], (owner - 1, other) if owner else None))
    for at, (_, base) in zip((8, 11, 14), _SLOTS, strict=True):
        which, where = int(digits[at]), int(digits[at + 1 : at + 3])
        if which:
            steps.append(BlockStep(seat, base + which, FIELDS[where]))
    move = Move(steps)
    known = all(is_step(step, MAX_PLAYERS) for step in move) and (owner == _LEAVES or start != to)
    if not known or turn_number(move) != number:  # an unused digit must be zero
        raise InvalidMove(f"Expected a turn's number, got {number}.")
    return move
