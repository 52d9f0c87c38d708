"""Events: what can happen in a game, a closed set of values; each class has the words of the store and of pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

from pentad.game import GameError, Move, Position, shown
from pentad.play.game_state import AGREED, FLAGGED, RESIGNED
from pentad.store.rows import EventRow, SeatRow
from pentad.web.messages import EventName

Wish: TypeAlias = Literal["draw", "undo", "rematch"]
WISHES: tuple[Wish, ...] = get_args(Wish)


class Kind(NamedTuple):
    """A kind of events."""

    stored: str  # its word in the store
    page: EventName | None = None  # its word for pages, which show the game anew; None if only what is around changes
    body: str | None = None  # the name of the value that is stored as text, besides the seat
    read: Callable[[str], Any] = str  # it reads that text again
    is_side: bool = False  # whether the game itself stays
    is_optional: bool = False  # whether it is refused in a game with too many events


def _wish(text: str) -> Wish:
    for wish in WISHES:
        if wish == text:
            return wish
    raise GameError("Unknown offer {text}.", text=shown(text))


@dataclass(frozen=True, slots=True)
class Played:
    kind: ClassVar = Kind("play", "played", "steps")
    seat: int
    steps: str
    known: tuple[Move, Position] | None = field(
        default=None, compare=False, repr=False
    )  # the move, and what it leads to


@dataclass(frozen=True, slots=True)
class PlayedSimpler(Played):
    """A move of a warm-up bot, which plays for a bot that is not ready."""

    kind: ClassVar = Kind("simpler", "played", "steps")


@dataclass(frozen=True, slots=True)
class Undone:
    kind: ClassVar = Kind("undo", "undone", "moves", int, is_optional=True)
    moves: int


@dataclass(frozen=True, slots=True)
class Redone:
    kind: ClassVar = Kind("redo", "redone", is_optional=True)


@dataclass(frozen=True, slots=True)
class Resigned:
    kind: ClassVar = Kind("resign", "resigned")
    reason: ClassVar = RESIGNED
    seat: int


@dataclass(frozen=True, slots=True)
class Flagged:
    kind: ClassVar = Kind("flag", "flagged")
    reason: ClassVar = FLAGGED
    seat: int


@dataclass(frozen=True, slots=True)
class Drawn:
    kind: ClassVar = Kind("drawn", "drawn")
    reason: ClassVar = AGREED


@dataclass(frozen=True, slots=True)
class Offered:
    kind: ClassVar = Kind("offer", body="what", read=_wish, is_side=True, is_optional=True)
    seat: int
    what: Wish


@dataclass(frozen=True, slots=True)
class Agreed:
    kind: ClassVar = Kind("agree", is_side=True)
    seat: int


@dataclass(frozen=True, slots=True)
class Rejected:
    kind: ClassVar = Kind("decline", is_side=True, is_optional=True)
    seat: int


@dataclass(frozen=True, slots=True)
class Sat:
    kind: ClassVar = Kind("sit", "sat", "name", is_side=True)
    seat: int
    name: str
    sitter: SeatRow | None = field(default=None, compare=False)  # None in a stored event: the game's row has the seats


@dataclass(frozen=True, slots=True)
class Followed:
    """The next game of the same players was announced."""

    kind: ClassVar = Kind("again", body="name", is_side=True)
    name: str


@dataclass(frozen=True, slots=True)
class WatchersChat:
    """A player has turned the chat for watchers on or off."""

    kind: ClassVar = Kind("watchers", body="say", read=lambda text: text == str(True), is_side=True, is_optional=True)
    seat: int
    say: bool


Event: TypeAlias = (
    Played
    | PlayedSimpler
    | Undone
    | Redone
    | Resigned
    | Flagged
    | Drawn
    | Offered
    | Agreed
    | Rejected
    | Sat
    | Followed
    | WatchersChat
)
KINDS: dict[str, type[Event]] = {each.kind.stored: each for each in get_args(Event)}


class Stamped(NamedTuple):
    """An event with its number in the game, its time by the wall clock, and the time left to each seat."""

    number: int
    event: Event
    at: float
    left: tuple[float, ...] = ()  # empty without a clock

    @classmethod
    def of(cls, row: EventRow) -> Stamped:
        """A stored event; `GameError` if it is none."""
        return cls(row.number, _read(row.kind, row.seat, row.body), row.at, row.clocks)

    @property
    def row(self) -> EventRow:
        """The event, as the store keeps it."""
        kind, seat = self.event.kind, getattr(self.event, "seat", None)
        body = str(getattr(self.event, kind.body)) if kind.body else ""
        return EventRow(self.number, kind.stored, seat, body, self.at, self.left)


def _read(word: str, seat: int | None, body: str) -> Event:
    event = KINDS.get(word)
    if event is None:
        raise GameError("Unknown event {word}.", word=shown(word))
    kind, given = event.kind, dict[str, Any]()
    if any(each.name == "seat" for each in fields(event)):
        if seat is None:
            raise GameError("The event {word} has no seat.", word=shown(word))
        given["seat"] = seat
    if kind.body:
        given[kind.body] = kind.read(body)
    return event(**given)
