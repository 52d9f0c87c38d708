"""The denomination: names of fields, moves and whole turns, to and from text, lists, JSON and single integers.

    field      [5,2,2]                  stop 2 from junction 5 towards corner 2         522
    move       [0,3,5,2,2]              player 0's figure 3 goes to that field          3522
    turn       [0,3,5,2,2] [0,12,4,1,0] and so on: one move after the other

A move here is one figure that goes to one field; what a player does when it is his turn is a list of them.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast, overload

from pentad.game import InvalidMove, shown
from pentad.pentagame.board import EDGE_BETWEEN, EDGES, FIELDS, OFF, Field, check_main, number_of

PIECES, GRAYS, BLACKS = range(5), range(6, 11), range(11, 16)
FIGURES = (*PIECES, *GRAYS, *BLACKS)
MOST_PLAYERS = 5
MOST_LETTERS = 10_000  # of a text that is read; a turn has some two hundred
MOST_MOVES = 20  # of a list that is read; a turn has at most eight

_NUMBER = re.compile("-?[0-9]{1,3}")
_SPACED = rf"\s*{_NUMBER.pattern}\s*"
_LIST = re.compile(rf"\[{_SPACED}(?:,{_SPACED}){{0,9}}\]")
_PRINTED_OFF = re.compile(r"-\[\s*1\s*,\s*-1\s*,\s*-1\s*\]")  # how the document prints the place off the board
_OFF_NUMBER = 999  # the place off the board, where numbers have no minus


class Shift(NamedTuple):
    """A move of the denomination: `[player, figure, start, counter, end]`."""

    player: int
    figure: int
    to: Field

    def __str__(self) -> str:
        return f"[{self.player},{self.figure},{self.to.start},{self.to.counter},{self.to.end}]"


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


def field(given: object) -> Field:
    """The field that a text, a list, or a single integer names; a stop may be named from either end.

    >>> field("[2,5,5]"), field([5, 2, 2]), field(522)
    (Field(start=5, counter=2, end=2), Field(start=5, counter=2, end=2), Field(start=5, counter=2, end=2))
    """
    if isinstance(given, int) and not isinstance(given, bool):
        return _field_of_number(given)
    if _is_off(given):
        return OFF
    return _field(_numbers(given, "a field", 3, "[start,counter,end]"))


def _is_off(given: object) -> bool:
    return isinstance(given, str) and len(given) < MOST_LETTERS and bool(_PRINTED_OFF.fullmatch(given.strip()))


def _field(numbers: Sequence[int]) -> Field:
    start, counter, end = numbers
    if (start, counter, end) == OFF:
        return OFF
    check_main(start, "start")
    if counter == 0 and end == 0:
        return FIELDS[start]
    check_main(end, "end")
    edge = EDGE_BETWEEN.get((start, end))
    if edge is None:
        linked = ", ".join(str(each.low if each.high == start else each.high) for each in EDGES if start in each[:2])
        raise InvalidMove(f"there is no edge between {start} and {end}; {start} is joined to {linked}")
    stops = len(edge.stops)
    if not 1 <= counter <= stops:
        raise InvalidMove(
            f"counter {shown(counter, 20)} is none of the {edge.kind} between {start} and {end}: 1 to {stops}"
        )
    return Field(edge.high, counter if start == edge.high else stops + 1 - counter, edge.low)


def field_number(name: Field) -> int:
    """A field as one integer whose digits are its name; 999 is off the board.

    >>> field_number(Field(5, 2, 2)), field_number(OFF)
    (522, 999)
    """
    return _OFF_NUMBER if name == OFF else name.start * 100 + name.counter * 10 + name.end


def _field_of_number(number: int) -> Field:
    if number == _OFF_NUMBER:
        return OFF
    if not 0 <= number < _OFF_NUMBER:
        raise InvalidMove(f"a field's number has the three digits of its name, from 0 to 999, not {shown(number)}")
    return _field((number // 100, number // 10 % 10, number % 10))


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


def shift(given: object) -> Shift:
    """The move that a text, a list, or a single integer names.

    >>> str(shift("[4, 3, 2, 0, 0]")), shift(312522)
    ('[4,3,2,0,0]', Shift(player=3, figure=12, to=Field(start=5, counter=2, end=2)))
    """
    if isinstance(given, int) and not isinstance(given, bool):
        if not 0 <= given < MOST_PLAYERS * 100_000:
            raise InvalidMove(f"a move's number is player, figure in two digits and field, not {shown(given)}")
        return Shift(*_named(given // 100_000, given // 1000 % 100), _field_of_number(given % 1000))
    if isinstance(given, Shift) and isinstance(given.to, tuple):
        given = (given.player, given.figure, *given.to)
    player, figure, *name = _numbers(given, "a move", 5, "[player,figure,start,counter,end]")
    return Shift(*_named(player, figure), _field(name))


def _named(player: int, figure: int) -> tuple[int, int]:
    if player not in range(MOST_PLAYERS):
        raise InvalidMove(f"player {shown(player, 20)} is none; players are 0 to {MOST_PLAYERS - 1}")
    if figure not in FIGURES:
        raise InvalidMove(
            f"figure {shown(figure, 20)} names nothing; 0 to 4 are pieces, 6 to 10 gray blocks, 11 to 15 black blocks"
        )
    return player, figure


def shift_number(move: Shift) -> int:
    """A move as one integer: player, figure in two digits, field in three.

    >>> shift_number(Shift(3, 12, Field(5, 2, 2)))
    312522
    """
    return move.player * 100_000 + move.figure * 1000 + field_number(move.to)


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


def turn(given: object) -> tuple[Shift, ...]:
    """The moves that a text, a list of lists, or JSON names; whether they are a turn is for a position to say.

    >>> [str(each) for each in turn("[[0,3,5,2,2],[0,12,4,1,0]]")]
    ['[0,3,5,2,2]', '[0,12,4,1,0]']
    """
    if isinstance(given, str):
        return tuple(shift(words) for words in brackets(given, "a turn"))
    if not isinstance(given, Iterable) or isinstance(given, bytes | bytearray | dict | Field | Shift):
        raise InvalidMove(f"a turn is a list of moves, not {shown(given, 40)}")
    moves = list(itertools.islice(given, MOST_MOVES + 1))
    if not 0 < len(moves) <= MOST_MOVES:
        raise InvalidMove(f"a turn has 1 to {MOST_MOVES} moves; this list has {'more' if moves else 'none'}")
    return tuple(shift(each) for each in moves)


def brackets(text: str, what: str) -> list[str]:
    """The bracketed parts of a text, with nothing but space, commas and one outer bracket around them."""
    if len(text) > MOST_LETTERS:
        raise InvalidMove(f"{what} of {len(text):,} letters is too long to be one")
    inner = text.strip()
    if inner.startswith("[") and inner[1:].lstrip().startswith(("[", "-[")) and inner.endswith("]"):
        inner = inner[1:-1]
    found = [each[0] for each in _LIST.finditer(inner)]
    rest = [word for word in _LIST.sub(" ", inner).split() if word.strip(",")]
    if rest or not found:
        raise InvalidMove(f"{shown(rest[0] if rest else text, 30)} is no part of {what}, such as [0,3,5,2,2]")
    if len(found) > MOST_MOVES:
        raise InvalidMove(f"{what} has at most {MOST_MOVES} moves; this one has {len(found)}")
    return found


def as_list(named: Field | Shift | Iterable[Shift]) -> list[int] | list[list[int]]:
    """A field, a move or a turn as lists of integers, as the document writes them."""
    if isinstance(named, Field):
        return list(named)
    if isinstance(named, Shift):
        return [named.player, named.figure, *named.to]
    return [cast(list[int], as_list(each)) for each in named]


def as_json(named: Field | Shift | Iterable[Shift]) -> str:
    """The same as JSON without spaces, which `field`, `shift` and `turn` read."""
    return json.dumps(as_list(named), separators=(",", ":"))


def _numbers(given: object, what: str, count: int, form: str) -> list[int]:
    """The integers of a list, or of a bracketed text."""
    if isinstance(given, str):
        if len(given) > MOST_LETTERS:
            raise InvalidMove(f"{what} of {len(given):,} letters is too long to be one")
        if not _LIST.fullmatch(given.strip()):
            raise InvalidMove(f"{shown(given, 40)} is not {what}, which is written {form}")
        given = [int(number) for number in _NUMBER.findall(given)]
    if not isinstance(given, list | tuple):
        raise InvalidMove(f"{what} is a text or a list, {form}, not {shown(given, 40)}")
    if len(given) != count:
        raise InvalidMove(f"{what} has {count} numbers, {form}, not {len(given)}")
    if odd := [each for each in given if type(each) is not int]:
        raise InvalidMove(f"{what} is written {form}, in whole numbers; {shown(odd[0], 40)} is none")
    return list(given)


# ── the other convention ─────────────────────────────────────────────────────────────────────────


class legacy:  # noqa: N801 - reads as a codec's name
    """The convention of older data: junctions 0-4, corners 5-9, counters from the lower of the two."""

    @staticmethod
    def main(number: int) -> int:
        """Our number of a corner or junction."""
        check_main(number)
        return 5 + (number + 3) % 5 if number < 5 else number - 5

    @staticmethod
    def old_main(number: int) -> int:
        """Their number of a corner or junction."""
        check_main(number)
        return (number - 5 + 2) % 5 if number >= 5 else number + 5

    @staticmethod
    def field(given: object) -> Field:
        """The field that an old name means.

        >>> str(legacy.field("[5,0,0]")), str(legacy.field([0, 1, 5]))
        ('[0,0,0]', '[8,1,0]')
        """
        if _is_off(given):
            return OFF
        return legacy._field(_numbers(given, "a field", 3, "[start,counter,end]"))

    @staticmethod
    def _field(numbers: Sequence[int]) -> Field:
        start, counter, end = numbers
        if (start, counter, end) == OFF:
            return OFF
        check_main(start, "start")
        one = legacy.main(start)
        if counter == 0 and end == 0:
            return FIELDS[one]
        check_main(end, "end")
        edge = EDGE_BETWEEN.get((one, legacy.main(end)))
        if edge is None:
            raise InvalidMove(f"there is no edge between {start} and {end} in the old names")
        stops = len(edge.stops)
        if not 1 <= counter <= stops:
            raise InvalidMove(
                f"counter {shown(counter, 20)} is none of the {edge.kind} between {start} and {end}: 1 to {stops}"
            )
        from_high = legacy.main(min(start, end)) == edge.high
        return Field(edge.high, counter if from_high else stops + 1 - counter, edge.low)

    @overload
    @staticmethod
    def name(named: Field) -> Field: ...
    @overload
    @staticmethod
    def name(named: Shift) -> Shift: ...
    @staticmethod
    def name(named: Field | Shift) -> Field | Shift:
        """The old name of a field, its lower end first; or of a move, whose figure has the same number."""
        if isinstance(named, Shift):
            return Shift(named.player, named.figure, legacy.name(named.to))
        if named == OFF:
            return OFF
        high, counter, low = FIELDS[number_of(named)]
        start, end = legacy.old_main(high), legacy.old_main(low)
        if counter == 0:
            return Field(start, 0, 0)
        stops = len(EDGE_BETWEEN[high, low].stops)
        return Field(start, counter, end) if start < end else Field(end, stops + 1 - counter, start)

    @staticmethod
    def shift(given: object) -> Shift:
        """The move that an old one means; figures have the same numbers."""
        player, figure, *name = _numbers(given, "a move", 5, "[player,figure,start,counter,end]")
        return Shift(*_named(player, figure), legacy._field(name))
