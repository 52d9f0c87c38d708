"""Rows of the store as plain values: games, events, persons, chat messages, with their checked columns."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pentad.game import GameError, OptionValue, shorten

if TYPE_CHECKING:
    from sqlalchemy import Row

T = TypeVar("T")
Columns = dict[str, Any]

OPEN = "open"  # the occupant of an open seat
BAN, MUTE = "ban", "mute"  # the kinds of bans
NOTICE, CLOSING = "notice", "closing"  # the kinds of notices

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
    "label": 80,
    "look": 200,
    "code hash": 200,
    "text": 2_000,
    "puzzle": 80,
    "study name": 40,
    "title": 100,
    "record": 100_000,
    "operator": 80,
    "network": 50,
    "target": 80,
    "reason": 200,
    "note": 500,
}
MAX_KEY_BYTES = 64
MAX_CREDENTIAL_BYTES, MAX_PUBLIC_KEY_BYTES = 1023, 2048  # of a passkey; the first is the standard's limit
NEVER = 1e300  # the deadline of a game without a clock, for sorting
_INTEGERS = range(2**31)  # PostgreSQL's type integer, without negative numbers
_SCORE = re.compile(r"(?:0|1|1/[0-9]+)(?:-(?:0|1|1/[0-9]+)){0,30}")


class StoreError(GameError):
    """A failed read or write of the store."""


class Conflict(StoreError):
    """A write whose key is taken by another row; nothing has changed."""


class LimitReached(StoreError):
    """A write that would exceed a limit of the store; nothing has changed."""


class StorageFull(LimitReached):
    """A study for which its person, a network or all have no room; nothing has changed."""


class ActionRefused(StoreError):
    """An operator's action that is not possible; nothing has changed."""


class StaleChapter(Conflict):
    """A change of a chapter that somebody else has changed or removed."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat: its occupant (`human`, `open` or a bot's name), the person and the name shown."""

    who: str
    person: int | None = None
    name: str = ""


class PendingTurn(NamedTuple):
    """The seat to move in a game, None if it is over, and the deadline of its clock."""

    seat: int | None = None
    due: float | None = None

    @property
    def columns(self) -> Columns:
        """The columns of `games` for the turn."""
        return {"turn": _optional(integer, "seat", self.seat), "due": _optional(seconds, "time", self.due)}


NO_TURN = PendingTurn()


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without its events. Times are seconds of the Unix clock."""

    name: str
    game: str
    start: str  # the start position, as text
    options: Mapping[str, OptionValue]
    seats: tuple[SeatRow, ...]
    time: Mapping[str, float]  # the time control, empty without a clock
    listed: bool
    created: float
    again: str | None  # the game that this one is a rematch of; it may have been removed
    result: str | None
    touched: float  # the time of its last event
    moves: int
    turn: PendingTurn = NO_TURN
    reason: str | None = None  # why it is over, as `Outcome.reason`; None also in old games that ended on the board

    @classmethod
    def of(cls, row: Row[Any]) -> GameRow:
        """A game from a row of `games`."""
        return cls(
            row.name,
            row.game,
            row.start,
            json.loads(row.options),
            tuple(SeatRow(*seat) for seat in json.loads(row.seats)),
            json.loads(row.time),
            row.listed,
            row.created,
            row.again,
            row.result,
            row.touched,
            row.moves,
            PendingTurn(row.turn, row.due),
            row.reason,
        )

    @property
    def columns(self) -> Columns:
        """The game as a row of `games` without events."""
        return {
            "name": text("game name", self.name),
            "game": text("game", self.game),
            "start": text("start", self.start),
            "options": _json("options", dict(self.options)),
            "time": _json("time", {name: seconds("time", value) for name, value in self.time.items()}),
            "listed": self.listed,
            "created": seconds("time", self.created),
            "again": _optional(text, "game name", self.again),
            **result_columns(self.result, self.reason),
            "touched": seconds("time", self.touched),
            "moves": integer("number of moves", self.moves),
            "events": 0,
            "played": False,
            **self.turn.columns,
            **seat_columns(self.seats),
        }


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of a game; the numbers of a game's events run from 0 without gaps."""

    number: int
    kind: str
    seat: int | None
    body: str
    at: float
    clocks: tuple[float, ...]  # the remaining seconds of each seat, empty without a clock

    @classmethod
    def of(cls, row: Row[Any]) -> EventRow:
        """An event from a row of `events`."""
        return cls(row.number, row.kind, row.seat, row.body, row.at, tuple(json.loads(row.clocks)))

    def columns(self, game: str) -> Columns:
        """An event of this game as a row of `events`."""
        return {
            "game": text("game name", game),
            "number": integer("number of the event", self.number),
            "kind": text("kind", self.kind),
            "seat": _optional(integer, "seat", self.seat),
            "body": text("body", self.body),
            "at": seconds("time", self.at),
            "clocks": _json("clocks", [seconds("clocks", left) for left in self.clocks]),
        }


@dataclass(frozen=True, slots=True)
class Person:
    """A person; the hashes of the secrets in the cookies of their browsers identify them.

    With an account the name lasts. `seen` is the last visit in the browser that asks, to a day.
    """

    id: int
    name: str
    account: bool = False
    seen: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message of a game."""

    number: int
    seat: int | None
    name: str
    text: str
    at: float
    person: int | None = None  # None in games from before moderation

    def columns(self, game: str) -> Columns:
        """A chat message of this game as a row of `chat`."""
        return {
            "game": text("game name", game),
            "number": integer("number of the chat message", self.number),
            "seat": _optional(integer, "seat", self.seat),
            "name": text("name", self.name),
            "text": text("text", self.text),
            "at": seconds("time", self.at),
            "person": self.person,
        }


class StudyRow(NamedTuple):
    """A study without its chapters; whoever has the key with the hash may edit it, and the person who made it."""

    name: str
    edit_hash: bytes
    title: str
    created: float
    person: int | None = None
    visited: float = 0.0  # the last visit, to a day
    size: int = 0  # bytes of its chapters

    @property
    def columns(self) -> Columns:
        """The study as a row of `studies` without chapters."""
        return {
            "name": text("study name", self.name),
            "edit_hash": key(self.edit_hash),
            "title": text("title", self.title),
            "created": seconds("time", self.created),
            "next": 1,
            "person": self.person,
            "visited": seconds("time", max(self.visited, self.created)),
            "size": integer("size of the study", self.size),
        }


class ChapterRow(NamedTuple):
    """A chapter of a study: its number, which never changes, its version, and its record as text."""

    number: int
    version: int
    title: str
    record: str
    touched: float

    @property
    def size(self) -> int:
        """The bytes that count to a quota."""
        return size_of(self.title, self.record)

    def columns(self, study: str) -> Columns:
        """A chapter of this study as a row of `chapters`."""
        return {
            "study": text("study name", study),
            "number": integer("number of the chapter", self.number),
            "version": integer("version of the chapter", self.version),
            "title": text("title", self.title),
            "record": text("record", self.record),
            "touched": seconds("time", self.touched),
        }


class BanRow(NamedTuple):
    """A ban or a mute, of a person or of a network; `until` is None until it is lifted.

    `keys` are the hashes of the person's keys, one for each of their browsers.
    """

    kind: str
    person: int | None
    keys: tuple[bytes, ...]
    network: str | None
    name: str
    until: float | None
    reason: str
    at: float
    operator: str


class NoticeRow(NamedTuple):
    """What all pages show: a notice, or that the server closes when it is `due`."""

    kind: str
    text: str
    at: float
    due: float | None


def size_of(title: str, record: str) -> int:
    """The bytes of a chapter."""
    return len(title.encode()) + len(record.encode())


class PuzzleAttempt(NamedTuple):
    """A person's attempt at a puzzle."""

    puzzle: str
    right: bool
    at: float


class Cursor(NamedTuple):
    """The sort key of a game in the list of a person's games."""

    group: int
    due: float
    untouched: float  # the negative time of the last event, so that later games come first
    name: str


def changes_by(
    event: EventRow,
    seats: Sequence[SeatRow] | None,
    moves: int | None,
    result: str | None,
    reason: str | None,
    turn: PendingTurn | None,
) -> Columns:
    """The columns of `games` that change with the next event of a game.

    The number of moves and the result with its reason change together; without `moves` they stay. A game with moves was
    played, also if they are taken back later; that protects it from removal.
    """
    changes: Columns = {"played": True} if moves else {}
    if seats is not None:
        changes |= seat_columns(seats)
    if moves is not None:
        changes |= {"moves": integer("number of moves", moves), **result_columns(result, reason)}
    if turn is not None:
        changes |= turn.columns
    return changes | {"events": event.number + 1, "touched": seconds("time", event.at)}


def rating_columns(person: int, game: str, rating: float) -> Columns:
    """A person's rating in a game as a row of `ratings`."""
    return {"person": person, "game": text("game", game), "rating": seconds("rating", rating)}


def attempt_columns(person: int, puzzle: str, right: bool, at: float) -> Columns:
    """A person's attempt at a puzzle as a row of `attempts`."""
    return {"person": person, "at": seconds("time", at), "puzzle": text("puzzle", puzzle), "right": right}


def session_columns(key_hash: bytes, label: str, at: float) -> Columns:
    """A new session as a row of `sessions`, without its person."""
    now = seconds("time", at)
    return {"key_hash": key(key_hash), "label": text("label", label), "created": now, "seen": now}


def unknown_game(name: str) -> StoreError:
    """The error for a game that is not stored."""
    return StoreError(f"Unknown game {name}.")


def taken_event(name: str, number: int, count: int) -> Conflict:
    """The error for an event that is not the next one of a game with so many events."""
    return Conflict(
        "Cannot save event {number} of the game {name}: the next one is {count}.", number=number, name=name, count=count
    )


def taken_chat_message(name: str, number: int) -> Conflict:
    """The error for a chat message whose number is taken."""
    return Conflict("Chat message {number} of the game {name} already exists.", number=number, name=name)


def seat_columns(seats: Sequence[SeatRow]) -> Columns:
    """The columns of `games` for its seats."""
    listed = [[seat.who, seat.person, text("name", seat.name)] for seat in seats]
    return {"seats": _json("seats", listed), "open": any(seat.who == OPEN for seat in seats)}


def result_columns(result: str | None, reason: str | None) -> Columns:
    """The columns of `games` for the result."""
    return {
        "result": _optional(text, "result", result),
        "winners": winners_of(result),
        "reason": _optional(text, "reason", reason),
    }


def winners_of(result: str | None) -> int | None:
    """The winning seats of a result as a set of bits, 0 for a draw; None without a result, or if it is no score.

    >>> winners_of("0-1/2-1/2"), winners_of("1/2-1/2"), winners_of(None)
    (6, 0, None)
    """
    if result is None or not _SCORE.fullmatch(result):
        return None
    parts = result.split("-")
    return 0 if len(set(parts)) == 1 else sum(1 << seat for seat, part in enumerate(parts) if part != "0")


def text(what: str, value: str) -> str:
    """Returns the value if every database can store it; `what` is its name in `MAX_LENGTHS`."""
    limit = MAX_LENGTHS[what]
    if len(value) > limit:
        raise GameError(
            "Cannot store the {what}: it is {count} characters long, the limit is {limit}.",
            what=what,
            count=len(value),
            limit=limit,
        )
    if "\0" in value:
        raise GameError("Cannot store the {what}: it contains the character NUL.", what=what)
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise GameError(
            "Cannot store the {what}: it is not valid Unicode: {value}.", what=what, value=shorten(ascii(value))
        )
    return value


def integer(what: str, value: int) -> int:
    """Returns the value if it is an integer from 0 that every database can store."""
    if value not in _INTEGERS:
        raise GameError(
            "Cannot store the {what}: expected a number from 0 to {most}, got {value}.",
            what=what,
            most=_INTEGERS[-1],
            value=value,
        )
    return value


def seconds(what: str, value: float) -> float:
    """Returns the value if it is finite."""
    if not math.isfinite(value):
        raise GameError("Cannot store the {what}: expected a finite number, got {value}.", what=what, value=value)
    return float(value)


def key(value: bytes) -> bytes:
    """Returns the hash of a person's key if its length is valid."""
    if not 0 < len(value) <= MAX_KEY_BYTES:
        raise GameError(
            "The hash of a key must have 1 to {max_key_bytes} bytes, got {count}.",
            max_key_bytes=MAX_KEY_BYTES,
            count=len(value),
        )
    return value


def _optional(check: Callable[[str, T], T], what: str, value: T | None) -> T | None:
    return None if value is None else check(what, value)


def _json(what: str, value: object) -> str:
    # Lone surrogates stay unescaped, so that they are refused; NUL becomes an escape, which every database can store.
    return text(what, json.dumps(value, ensure_ascii=False, separators=(",", ":")))
