"""RoomState: a game in a room, as a value. `evolve` makes the next state from an event; nothing else changes a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from pentad.game import GameError, load
from pentad.play.clock import Clock, Time
from pentad.play.game_state import GameState
from pentad.play.seats import HUMAN, NOTE, sit
from pentad.play.table import TIME
from pentad.record import Node, Record
from pentad.store.rows import EventRow, GameRow, PendingTurn, SeatRow
from pentad.web.api_types import ADAPTIVE, OPEN
from pentad.web.rooms.events import (
    Agreed,
    Drawn,
    Event,
    Flagged,
    Followed,
    Offered,
    Played,
    PlayedSimpler,
    Redone,
    Rejected,
    Resigned,
    Sat,
    Stamped,
    Undone,
    WatchersChat,
)


class StaleState(GameError):
    """The game has changed since its state was read."""


@dataclass(frozen=True, kw_only=True)
class RoomState(GameState):
    """A game in a room: its state, and what the room knows of its players."""

    row: GameRow
    at: int = 0  # counts the changes of the game itself, so that a message about an older state is recognized
    number: int = 0  # the next event gets it
    offer: Offered | None = None
    agreed: frozenset[int] = frozenset()  # the seats that have accepted the offer
    declined: tuple[Offered, int] | None = None  # the last offer, and the seat that declined it
    requested: frozenset[tuple[str, int | None]] = frozenset()  # offers by persons since the last move
    again: str | None = None  # the next game of the same players
    watchers_may_write: bool = True
    switches: int = 0  # how often the players have turned the chat for watchers off and on
    has_ended: bool = False  # whether it was ever over
    touched: float | None = None  # the time of the last event, by the wall clock

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        return self.row.seats

    @property
    def waits_for_people(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.who == OPEN for seat in self.seats)

    @property
    def is_under_way(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.outcome is None and self.moves > 0

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays for this seat."""
        return self.seats[seat].who not in (HUMAN, OPEN)

    @property
    def bot_to_move(self) -> str | None:
        """The bot that is to move."""
        return self.seats[self.seat].who if self.seat is not None and self.is_bot(self.seat) else None

    def seats_of(self, person: int | None) -> frozenset[int]:
        """The seats of a person."""
        if person is None:
            return frozenset()
        return frozenset(i for i, seat in enumerate(self.seats) if seat.who == HUMAN and seat.person == person)

    @property
    def timed_seat(self) -> int | None:
        """The seat whose time runs: none until all seats are taken, and none of a bot if it has days."""
        seat = super().timed_seat
        in_days = self.clock is not None and self.clock.time.days
        return None if seat is None or self.waits_for_people or (in_days and self.is_bot(seat)) else seat

    def turn(self, now: float, wall: float) -> PendingTurn:
        """Whose turn it is, and when its time runs out in wall-clock time."""
        if self.clock is None or self.clock.running is None:
            return PendingTurn(self.seat)
        return PendingTurn(self.seat, wall + self.clock.left(now)[self.clock.running])

    @property
    def score(self) -> str | None:
        """The result, as the store keeps it."""
        return self.outcome.score if self.outcome else None

    @property
    def is_certain(self) -> bool:
        """Whether no move was played by a warm-up bot."""
        return all(node.comment != NOTE for node in self.line)

    @property
    def rated_result(self) -> tuple[int, float] | None:
        """The person who is rated by this finished game against the adaptive opponent, and that person's return."""
        persons = {seat.person for seat in self.seats if seat.who == HUMAN and seat.person is not None}
        is_adaptive = any(seat.name == ADAPTIVE and self.is_bot(i) for i, seat in enumerate(self.seats))
        if self.outcome is None or len(persons) != 1 or not is_adaptive or not self.is_certain:
            return None
        (person,) = persons
        return person, max(self.outcome.returns[seat] for seat in self.seats_of(person))

    @property
    def record(self) -> Record:
        """The game as a record with the names of its players."""
        day = datetime.fromtimestamp(self.row.created).astimezone().date().isoformat()
        seats = {f"Seat{i}": HUMAN if seat.who == OPEN else seat.who for i, seat in enumerate(self.seats)}
        names = {f"Name{i}": seat.name for i, seat in enumerate(self.seats) if seat.name}
        tags = {"Date": day} | seats | names | ({TIME: self.clock.time.label} if self.clock else {})
        record = Record(self.line[0].position, tags=tags, ended=self.ended)
        node = record.root
        for each in self.line[1:]:
            node = node.add(each.played[1], each.position)
            node.comment, node.clock = each.comment, each.clock
        return record

    def started(self, since: float) -> RoomState:
        """The state whose running time was started then, as in a reloaded room, whose clock ran on."""
        return replace(self, clock=self.clock.started(since)) if self.clock else self

    def started_again(self, now: float, wall: float) -> RoomState:
        """The state after a restart of the server: days go on while none runs, seconds do not."""
        in_days = self.clock is not None and self.clock.time.days
        return self.started(now - max(0.0, wall - self.touched)) if in_days and self.touched is not None else self


def begun(row: GameRow) -> RoomState:
    """A game without events; `GameError` if its row is invalid."""
    start, time = load(row.start), Time.of(row.time)
    state = RoomState(row=row, end=Node(start), clock=Clock.of(time, start.players) if time else None)
    if len(row.seats) != start.players:
        raise GameError(
            "This game of {title} has {players} seats, not {count}.",
            title=state.game.title,
            players=start.players,
            count=len(row.seats),
        )
    for seat in row.seats:
        if seat.who != OPEN:
            sit(state.game, seat.who, remote=True)
    return replace(state, has_ended=state.outcome is not None)


def restored(row: GameRow, events: Iterable[EventRow], now: float) -> RoomState:
    """A stored game, whose clock was started now; `GameError` if the game or its events are invalid."""
    try:
        state = begun(row)
        for event in events:
            state = evolve(state, Stamped.of(event), now)
    except GameError:
        raise
    except Exception as error:  # the database may hold anything
        raise GameError("Cannot read the game {name}: Its data is damaged.", name=row.name) from error
    return state


def stamped(state: RoomState, event: Event, now: float, wall: float) -> Stamped:
    """An event that happens now, as the next one of a game."""
    match event:
        case Played():
            clock = state.clock_after_move(now)
        case Undone():
            clock = state.clock_after_take_back(event.moves, now)
        case _:
            clock = state.clock
    return Stamped(state.number, event, wall, clock.left(now) if clock else ())


def evolve(state: RoomState, stamp: Stamped, now: float) -> RoomState:
    """The state after an event; `GameError` if it is not possible. `now` is when the time of the next seat begins."""
    event, number = stamp.event, stamp.number + 1
    clock = _clock_at(state, stamp, now)
    after = _changed(state, event, clock)
    clock = clock and clock.run(after.timed_seat, now)
    if event.kind.is_side:
        return replace(after, number=number, touched=stamp.at, clock=clock)
    return replace(
        after,
        at=state.at + 1,
        number=number,
        offer=None,
        agreed=frozenset(),
        declined=None,
        requested=frozenset(),
        has_ended=state.has_ended or after.outcome is not None,
        touched=stamp.at,
        clock=clock,
    )


def _clock_at(state: RoomState, stamp: Stamped, now: float) -> Clock | None:
    """The clock with the times of an event; a move has stopped it."""
    if state.clock is None or not stamp.left:
        return state.clock
    if len(stamp.left) != len(state.seats):
        raise GameError("Expected {count} times, got {got}.", count=len(state.seats), got=len(stamp.left))
    running = None if isinstance(stamp.event, Played) else state.clock.running
    return Clock(state.clock.time, stamp.left, running, now)


def _changed(state: RoomState, event: Event, clock: Clock | None) -> RoomState:
    """The state with what an event changes itself."""
    match event:
        case Played():
            move, after = event.known or (state.position.parse(event.steps), None)
            comment = NOTE if isinstance(event, PlayedSimpler) else ""
            return state.play(move, clock, comment=comment, after=after)
        case Undone():
            return state.take_back(event.moves, clock)
        case Redone():
            return state.redo([seat for seat in range(len(state.seats)) if not state.is_bot(seat)])
        case Resigned() | Flagged():
            return state.lose(event.seat, event.reason)
        case Drawn():
            return state.finish((), event.reason)
        case Offered():
            requested = state.requested | {(event.what, state.seats[event.seat].person)}
            return replace(state, offer=event, agreed=frozenset((event.seat,)), declined=None, requested=requested)
        case Agreed():
            return replace(state, agreed=state.agreed | {event.seat})
        case Rejected():
            declined = (state.offer, event.seat) if state.offer else state.declined
            return replace(state, offer=None, agreed=frozenset(), declined=declined)
        case Sat():
            sitter = event.sitter or state.seats[event.seat]
            seats = (*state.seats[: event.seat], sitter, *state.seats[event.seat + 1 :])
            return replace(state, row=replace(state.row, seats=seats))
        case Followed():
            return replace(state, again=event.name, offer=None, agreed=frozenset())
        case WatchersChat():
            return replace(state, watchers_may_write=event.say, switches=state.switches + 1)
        case _:
            assert_never(event)
