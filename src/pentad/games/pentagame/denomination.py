"""The denomination: notation of fields, moves and whole turns as text, lists, JSON and single integers.

    field      [5,2,2]                  stop 2 from junction 5 towards corner 2         522
    move       [0,3,5,2,2]              player 0's figure 3 goes to that field          3522
    turn       [0,3,5,2,2] [0,12,4,1,0] and so on: a list of moves

A move here is one figure that goes to one field; a turn is a list of moves.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast, overload

from pentad.game import InvalidMove, shown
from pentad.games.pentagame.board import EDGE_BETWEEN, EDGES, FIELDS, OFF, Field, check_main, number_of

PIECES, GRAYS, BLACKS = range(5), range(6, 11), range(11, 16)
FIGURES = (*PIECES, *GRAYS, *BLACKS)
MAX_PLAYERS = 5
MAX_TEXT_LENGTH = 10_000  # a turn has some two hundred characters
MAX_LISTED_MOVES = 20  # a turn has at most eight

_NUMBER = re.compile("-?[0-9]{1,3}")
_WHOLE = re.compile(r"\s*[0-9]{1,6}\s*")  # a field or a move as a single integer
_SPACED = rf"\s*{_NUMBER.pattern}\s*"
_LIST = re.compile(rf"\[{_SPACED}(?:,{_SPACED}){{0,9}}\]")
_PRINTED_OFF = re.compile(r"-\[\s*1\s*,\s*-1\s*,\s*-1\s*\]")  # the document's misprint of the place off the board
_PRINTED_FIVE = "The document's examples have a figure 5, but its text numbers the pieces 0 to 4, so 5 names none."
_OFF_NUMBER = 999  # the place off the board as a single integer


class Shift(NamedTuple):
    """A move of the denomination: `[player, figure, start, counter, end]`."""

    player: int
    figure: int
    to: Field

    def __str__(self) -> str:
        return f"[{self.player},{self.figure},{self.to.start},{self.to.counter},{self.to.end}]"


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


def field(given: object) -> Field:
    """Parses a field from a text, a list or a single integer; a stop may be named from either end.

    >>> field("[2,5,5]") == field([5, 2, 2]) == field(522) == field("522")
    True
    """
    number = _whole(given)
    return _field_of(given) if number is None else _field_of_number(number)


def _whole(given: object) -> int | None:
    """The single integer that is given as a number or as its digits; None for another form."""
    if isinstance(given, str):
        return int(given) if _WHOLE.fullmatch(given) and given.isascii() else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _field_of(given: object, is_old: bool = False) -> Field:
    if isinstance(given, str) and len(given) < MAX_TEXT_LENGTH and _PRINTED_OFF.fullmatch(given.strip()):
        return OFF
    return _field(_numbers(given, "a field", 3, "[start,counter,end]"), is_old)


def _field(numbers: Sequence[int], is_old: bool = False) -> Field:
    """The field with these numbers; old ones are in the legacy convention."""
    start, counter, end = numbers
    if (start, counter, end) == OFF:
        return OFF
    main = legacy.main if is_old else int
    check_main(start, "start")
    if counter == 0 and end == 0:
        return FIELDS[main(start)]
    check_main(end, "end")
    edge = EDGE_BETWEEN.get((main(start), main(end)))
    if edge is None and is_old:
        raise InvalidMove("No edge between {start} and {end} in the legacy convention.", start=start, end=end)
    if edge is None:
        linked = ", ".join(str(each.low if each.high == start else each.high) for each in EDGES if start in each[:2])
        raise InvalidMove(
            "No edge between {start} and {end}. The neighbours of {start} are {neighbours}.",
            start=start,
            end=end,
            neighbours=linked,
        )
    stops = len(edge.stops)
    if not 1 <= counter <= stops:
        raise InvalidMove(
            "The counter of the {kind} between {start} and {end} must be 1 to {stops}, not {counter}.",
            kind=edge.kind,
            start=start,
            end=end,
            stops=stops,
            counter=shown(counter, 20),
        )
    first = main(min(start, end) if is_old else start)  # the end from which the counter runs
    return Field(edge.high, counter if first == edge.high else stops + 1 - counter, edge.low)


def field_number(name: Field) -> int:
    """A field as one integer, with the digits of its name; 999 is off the board.

    >>> field_number(Field(5, 2, 2)), field_number(OFF)
    (522, 999)
    """
    return _OFF_NUMBER if name == OFF else name.start * 100 + name.counter * 10 + name.end


def _field_of_number(number: int) -> Field:
    if number == _OFF_NUMBER:
        return OFF
    if not 0 <= number < _OFF_NUMBER:
        raise InvalidMove(
            "a field's number has the three digits of its name, from 0 to 999, not {number}", number=shown(number)
        )
    return _field((number // 100, number // 10 % 10, number % 10))


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


def shift(given: object) -> Shift:
    """Parses a move from a text, a list or a single integer.

    >>> str(shift("[4, 3, 2, 0, 0]")), shift(312522)
    ('[4,3,2,0,0]', Shift(player=3, figure=12, to=Field(start=5, counter=2, end=2)))
    """
    number = _whole(given)
    if number is not None:
        if not 0 <= number < MAX_PLAYERS * 100_000:
            raise InvalidMove(
                "Expected a move's number (player, two digits of figure, field), got {number}.", number=shown(number)
            )
        return Shift(*_named(number // 100_000, number // 1000 % 100), _field_of_number(number % 1000))
    if isinstance(given, Shift) and isinstance(given.to, tuple):
        given = (given.player, given.figure, *given.to)
    player, figure, *name = _numbers(given, "a move", 5, "[player,figure,start,counter,end]")
    return Shift(*_named(player, figure), _field(name))


def _named(player: int, figure: int) -> tuple[int, int]:
    if player not in range(MAX_PLAYERS):
        raise InvalidMove(
            "Unknown player {player}. Players are 0 to {max_players}.",
            player=shown(player, 20),
            max_players=MAX_PLAYERS - 1,
        )
    if figure not in FIGURES:
        figures = "0 to 4 are pieces, 6 to 10 gray blocks, 11 to 15 black blocks."
        printed = f" {_PRINTED_FIVE}" if figure == 5 else ""
        raise InvalidMove(
            "Unknown figure {figure}. {figures}{printed}", figure=shown(figure, 20), figures=figures, printed=printed
        )
    return player, figure


def shift_number(move: Shift) -> int:
    """A move as one integer: player, two digits of figure, three of field.

    >>> shift_number(Shift(3, 12, Field(5, 2, 2)))
    312522
    """
    return move.player * 100_000 + move.figure * 1000 + field_number(move.to)


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


def turn(given: object) -> tuple[Shift, ...]:
    """Parses the moves of a text, a list of lists or JSON, without checking whether they form a turn.

    >>> [str(each) for each in turn("[[0,3,5,2,2],[0,12,4,1,0]]")]
    ['[0,3,5,2,2]', '[0,12,4,1,0]']
    """
    if isinstance(given, str):
        return tuple(shift(words) for words in brackets(given, "a turn"))
    if not isinstance(given, Iterable) or isinstance(given, bytes | bytearray | dict | Field | Shift):
        raise InvalidMove("Expected a list of moves, got {given}.", given=shown(given, 40))
    moves = list(itertools.islice(given, MAX_LISTED_MOVES + 1))
    if not moves:
        raise InvalidMove("Expected a list of moves, got an empty one.")
    if len(moves) > MAX_LISTED_MOVES:
        raise InvalidMove("A turn has at most {max_moves} moves, got more.", max_moves=MAX_LISTED_MOVES)
    return tuple(shift(each) for each in moves)


def brackets(text: str, what: str) -> list[str]:
    """The bracketed parts of a text; between them only spaces, commas and one outer pair of brackets are allowed."""
    _check_length(text, what)
    inner = text.strip()
    if inner.startswith("[") and inner[1:].lstrip().startswith(("[", "-[")) and inner.endswith("]"):
        inner = inner[1:-1]
    found = [each[0] for each in _LIST.finditer(inner)]
    rest = [word for word in _LIST.sub(" ", inner).split() if word.strip(",")]
    if rest or not found:
        raise InvalidMove(
            "Expected {what}, such as [0,3,5,2,2], got {got}.", what=what, got=shown(rest[0] if rest else text, 30)
        )
    if len(found) > MAX_LISTED_MOVES:
        raise InvalidMove(
            "Expected {what} of at most {max_moves} moves, got {count}.",
            what=what,
            max_moves=MAX_LISTED_MOVES,
            count=len(found),
        )
    return found


def _check_length(text: str, what: str) -> None:
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidMove("Expected {what}, got a text of {count:,} characters.", what=what, count=len(text))


def as_list(named: Field | Shift | Iterable[Shift]) -> list[int] | list[list[int]]:
    """A field, a move or a turn as lists of integers, in the document's order."""
    if isinstance(named, Field):
        return list(named)
    if isinstance(named, Shift):
        return [named.player, named.figure, *named.to]
    return [cast(list[int], as_list(each)) for each in named]


def as_json(named: Field | Shift | Iterable[Shift]) -> str:
    """A field, a move or a turn as JSON without spaces, which `field`, `shift` and `turn` parse."""
    return json.dumps(as_list(named), separators=(",", ":"))


def _numbers(given: object, what: str, count: int, form: str) -> list[int]:
    """The integers of a list or of a bracketed text."""
    if isinstance(given, str):
        _check_length(given, what)
        if not _LIST.fullmatch(given.strip()):
            raise InvalidMove("Expected {what}, {form}, got {given}.", what=what, form=form, given=shown(given, 40))
        given = [int(number) for number in _NUMBER.findall(given)]
    if not isinstance(given, list | tuple):
        raise InvalidMove(
            "Expected {what}, {form}, as text or a list, got {given}.", what=what, form=form, given=shown(given, 40)
        )
    if len(given) != count:
        raise InvalidMove(
            "Expected {what} of {count} numbers, {form}, got {got}.",
            what=what,
            count=count,
            form=form,
            got=len(given),
        )
    if wrong := [each for each in given if type(each) is not int]:
        raise InvalidMove(
            "Expected {what} of whole numbers, {form}, got {wrong}.", what=what, form=form, wrong=shown(wrong[0], 40)
        )
    return list(given)


# ── the legacy convention ────────────────────────────────────────────────────────────────────────


class legacy:  # noqa: N801 - reads as a codec's name
    """The convention of older data: junctions 0-4, corners 5-9, counters from the lower end."""

    @staticmethod
    def main(number: int) -> int:
        """The number of a corner or junction, from its legacy number."""
        check_main(number)
        return 5 + (number + 3) % 5 if number < 5 else number - 5

    @staticmethod
    def old_main(number: int) -> int:
        """The legacy number of a corner or junction."""
        check_main(number)
        return (number - 5 + 2) % 5 if number >= 5 else number + 5

    @staticmethod
    def field(given: object) -> Field:
        """Parses a field in the legacy convention.

        >>> str(legacy.field("[5,0,0]")), str(legacy.field([0, 1, 5]))
        ('[0,0,0]', '[8,1,0]')
        """
        return _field_of(given, is_old=True)

    @overload
    @staticmethod
    def name(named: Field) -> Field: ...
    @overload
    @staticmethod
    def name(named: Shift) -> Shift: ...
    @staticmethod
    def name(named: Field | Shift) -> Field | Shift:
        """The legacy name of a field, its lower end first, or of a move; figures have the same numbers."""
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
        """Parses a move in the legacy convention; figures have the same numbers."""
        player, figure, *name = _numbers(given, "a move", 5, "[player,figure,start,counter,end]")
        return Shift(*_named(player, figure), _field(name, is_old=True))
