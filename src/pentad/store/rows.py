"""What the store keeps, as plain values: games, their events, persons, talk; and the bounds of each."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pentad.game import GameError, OptionValue, shorten

OPEN = "open"  # who sits where somebody may still sit down
PLAY, SIMPLER = "play", "simpler"  # a move, and one that a simpler bot played for another
MOVES = frozenset((PLAY, SIMPLER))  # the kinds of events that make a game worth keeping

MAX_LENGTHS = {
    "game name": 40,
    "game": 40,
    "start": 20_000,
    "options": 4_000,
    "time": 400,
    "seats": 4_000,
    "result": 400,
    "kind": 16,
    "body": 20_000,
    "clocks": 400,
    "name": 80,
    "text": 2_000,
    "puzzle": 80,
}
MAX_KEY_BYTES = 64
_INTEGERS = range(2**31)  # what PostgreSQL keeps as an integer


class StoreError(GameError):
    """What was to be kept is not, or what was asked for cannot be found out now."""


class Conflict(StoreError):
    """Something else has been kept in this place already; nothing has changed."""


class Unchanged(enum.Enum):
    """Stands for a value that is to stay as it is, where None is a value too."""

    UNCHANGED = enum.auto()


UNCHANGED = Unchanged.UNCHANGED


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits on a seat: `human`, `open` or a bot's name; which person, and how they are called there."""

    who: str
    person: int | None = None
    name: str = ""


class Turn(NamedTuple):
    """Whose turn it is in a game, and when that seat's time is over.

    Without a seat the game is over, or this is not known: earlier versions did not keep it.
    """

    seat: int | None = None
    due: float | None = None


UNKNOWN = Turn()


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game but for its events. Times are seconds of the Unix clock."""

    name: str
    game: str
    start: str  # the position that it began from, as text
    options: Mapping[str, OptionValue]
    seats: tuple[SeatRow, ...]
    time: Mapping[str, float]  # the terms of its clock, empty without one
    listed: bool
    created: float
    again: str | None  # the game that this one is the rematch of; that one may be gone
    result: str | None
    touched: float  # when its last event came
    moves: int
    turn: Turn = UNKNOWN


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a game: its events count from 0, without a gap."""

    number: int
    kind: str
    seat: int | None
    body: str
    at: float
    clocks: tuple[float, ...]  # the seconds that each seat has left, empty without a clock


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody known by the hash of a secret key."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What somebody said beside a game."""

    number: int
    seat: int | None
    name: str
    text: str
    at: float


class PuzzleAttempt(NamedTuple):
    """A puzzle that a person has tried."""

    puzzle: str
    right: bool
    at: float


class Cursor(NamedTuple):
    """The place of a game in the list of a person's games, by which the list is sorted."""

    group: int
    due: float
    untouched: float  # how long ago it was touched: later is less
    name: str


def text(what: str, value: str) -> str:
    """The value, if every database can keep it; `what` is its name in `MAX_LENGTHS`."""
    most = MAX_LENGTHS[what]
    if len(value) > most:
        raise GameError(f"{_the(what)} is {len(value)} characters long, and {most} are allowed")
    if "\0" in value:
        raise GameError(f"{_the(what)} has the character NUL in it, which cannot be kept")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise GameError(f"{_the(what)} is no Unicode text: {shorten(ascii(value))}")
    return value


def integer(what: str, value: int) -> int:
    """The value, if it is a number from 0 that every database can keep."""
    if value not in _INTEGERS:
        raise GameError(f"{_the(what)} must be from 0 to {_INTEGERS[-1]}, not {value}")
    return value


def seconds(what: str, value: float) -> float:
    """The value, if it is a finite number."""
    if not math.isfinite(value):
        raise GameError(f"{_the(what)} cannot be {value}")
    return float(value)


def key(value: bytes) -> bytes:
    """The hash of a person's key, if it is as long as such a hash can be."""
    if not 0 < len(value) <= MAX_KEY_BYTES:
        raise GameError(f"the hash of a key has 1 to {MAX_KEY_BYTES} bytes, not {len(value)}")
    return value


def _the(what: str) -> str:
    return f"the {what} to be kept"
