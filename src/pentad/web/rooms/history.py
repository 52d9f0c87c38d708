"""Game history: a game rebuilt from its events. Each event is stored first and then applied, as after a restart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from pentad.game import GameError, Move, Outcome, Position, load, shown
from pentad.play.clock import Clock, Time
from pentad.play.seats import HUMAN, NOTE
from pentad.play.table import AGREED, FLAGGED, RESIGNED, TIME, Table, forfeit, undo_increments
from pentad.record import Node, Record
from pentad.store.rows import MOVES, SIMPLER, EventRow, GameRow, PendingTurn, SeatRow
from pentad.web.api import ADAPTIVE, OPEN

UNDO, REDO, RESIGN, DRAWN, FLAG, FORFEIT = "undo", "redo", "resign", "drawn", "flag", "forfeit"
SIT, OFFER, AGREE, DECLINE, AGAIN = "sit", "offer", "agree", "decline", "again"
SIDE_EVENTS = frozenset((SIT, OFFER, AGREE, DECLINE, AGAIN))  # they do not change the game itself


class Change(NamedTuple):
    """A requested change of a game: an event that has no number, time and clocks yet.

    `move` is the move whose text is the `body`, and `seats` are the seats afterwards, if they change.
    """

    kind: str
    seat: int | None = None
    body: str = ""
    move: Move | None = None
    seats: tuple[SeatRow, ...] | None = None


class EventEffect(NamedTuple):
    """An event to store, and its effect: the changes in the row of the game, its clock, the move and the new seats."""

    event: EventRow
    result: str | None
    moves: int | None  # None: the moves and the result stay
    turn: PendingTurn
    clock: Clock | None
    move: Move | None
    seats: tuple[SeatRow, ...] | None


class StaleState(GameError):
    """The game has changed since its state was read."""


class History:
    """A game, as its events define it.

    `at` counts the changes of the game itself, so that a message about an older state is recognized; `moves` is the
    number of moves played, `offer` what a seat offers to the others, and `agreed` the seats that have accepted.
    """

    def __init__(self, row: GameRow, events: Iterable[EventRow], now: float) -> None:
        """`now` is a time of the clock that later events use."""
        self.row, self.at, self.number, self.moves = row, 0, 0, 0
        self.last: EventRow | None = None
        self.offer: tuple[str, int] | None = None
        self.agreed: set[int] = set()
        self.declined: tuple[str, int, int] | None = None  # the last offer, its seat, and the seat that declined it
        self.requested: set[tuple[str, int | None]] = set()  # offers by persons since the last move
        self.again: str | None = None  # the next game of the same players
        day = datetime.fromtimestamp(row.created).astimezone().date().isoformat()
        record = Record(load(row.start), tags={"Date": day})
        self.table = Table(record, [_sitter(seat) for seat in row.seats], remote=True)
        time = Time.of(row.time)
        self.clock = Clock(time, len(row.seats)) if time else None
        self.has_ended = False  # whether it was ever over
        self._update_state()
        for event in events:
            self.apply(event, now)

    @classmethod
    def restored(cls, row: GameRow, events: Iterable[EventRow], now: float) -> History:
        """A stored game; `GameError` if the stored events are invalid."""
        try:
            return cls(row, events, now)
        except GameError:
            raise
        except Exception as error:  # the database may hold anything
            raise GameError(f"Cannot read the game {row.name}: Its data is damaged.") from error

    def _update_state(self) -> None:
        """Caches the current state, which is read often."""
        self.end: Node = self.table.record.end  # the last move, or the start
        self.position: Position = self.end.position
        self.outcome: Outcome | None = self.table.outcome
        self.seat: int | None = None if self.outcome else self.position.turn
        self.has_ended = self.has_ended or self.outcome is not None

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays for this seat."""
        return self.seats[seat].who not in (HUMAN, OPEN)

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        return self.row.seats

    @property
    def waits_for_people(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.who == OPEN for seat in self.seats)

    @property
    def record(self) -> Record:
        """The game as a record with the names of its players."""
        record = self.table.record
        names = {f"Name{i}": seat.name for i, seat in enumerate(self.seats) if seat.name}
        record.tags.update(names | ({TIME: self.clock.time.label} if self.clock else {}))
        return record

    @property
    def is_certain(self) -> bool:
        """Whether no move was played by a warm-up bot."""
        return all(node.comment != NOTE for node in self.end.line)

    @property
    def rated_result(self) -> tuple[int, float] | None:
        """The person who is rated by this finished game against the adaptive opponent, and that person's return."""
        persons = {seat.person for seat in self.seats if seat.who == HUMAN and seat.person is not None}
        is_adaptive = any(seat.name == ADAPTIVE and self.is_bot(i) for i, seat in enumerate(self.seats))
        if self.outcome is None or len(persons) != 1 or not is_adaptive or not self.is_certain:
            return None
        (person,) = persons
        return person, max(self.outcome.returns[seat] for seat in self.seats_of(person))

    def seats_of(self, person: int | None) -> frozenset[int]:
        """The seats of a person."""
        if person is None:
            return frozenset()
        return frozenset(i for i, seat in enumerate(self.seats) if seat.who == HUMAN and seat.person == person)

    def apply(self, event: EventRow, now: float) -> None:
        """Applies a stored event."""
        self._update(event, None)
        self.clock = self._clock_after(event, self.seat, self.moves, self.seats, now)

    def apply_effect(self, effect: EventEffect, now: float) -> None:
        """Applies an event whose effect is known."""
        self._update(effect.event, effect.move)
        if effect.seats is not None:
            self.row = replace(self.row, seats=effect.seats)
        self.clock = effect.clock
        self.resume_since(now)

    def effect_of(self, change: Change, now: float, wall: float) -> EventEffect:
        """The event for a change, and its effect; `GameError` if it is not possible.

        The game does not change: an event must be stored first.
        """
        kind, seat, body, move, seats = change
        assert (move is not None) == (kind in MOVES)
        event = EventRow(self.number, kind, seat, body, wall, self._clocks_at(change, now))
        result, moves, turn = self._result_after(event, move)
        clock = self._clock_after(event, turn, self.moves if moves is None else moves, seats or self.seats, now)
        return EventEffect(event, result, moves, PendingTurn(turn, _due(clock, now, wall)), clock, move, seats)

    def _clocks_at(self, change: Change, now: float) -> tuple[float, ...]:
        """The seconds left for each seat, as an event stores them."""
        if self.clock is None:
            return ()
        clock = self.clock.copy()
        if change.kind in MOVES:
            clock.stop(now)
        elif change.kind == UNDO:
            undo_increments(clock, self.end, int(change.body), now)
        return clock.left(now)

    def _result_after(self, event: EventRow, move: Move | None) -> tuple[str | None, int | None, int | None]:
        """The result, the number of moves, and the seat to move; without a number the result stays too."""
        table, count, turn = self.table, self.moves, self.position.turn
        if move is not None:
            outcome, turn = table.preview(move)
            count += 1
            return (outcome.score, count, None) if outcome else (None, count, turn)
        match event.kind:
            case "redo":
                played = table.redo()
                outcome, turn = table.outcome, table.position.turn
                count += played
                table.take_back(played)
            case "undo":
                outcome = None
                count -= int(event.body)
                turn = self.end.line[count].position.turn
            case "resign" | "flag" | "forfeit":
                outcome = Outcome.of(
                    (i for i in range(len(self.seats)) if i != event.seat), len(self.seats), event.kind
                )
            case "drawn":
                outcome = Outcome.of((), len(self.seats), event.kind)
            case _:
                return None, None, self.seat
        return (outcome.score, count, None) if outcome else (None, count, turn)

    def turn(self, now: float, wall: float) -> PendingTurn:
        """Whose turn it is, and when its time runs out in wall-clock time."""
        return PendingTurn(self.seat, _due(self.clock, now, wall))

    def _clock_after(
        self, event: EventRow, seat: int | None, moves: int, seats: tuple[SeatRow, ...], now: float
    ) -> Clock | None:
        """The clock after an event, with `seat` to move and so many moves played."""
        if self.clock is None:
            return None
        running = self.clock.running
        clock = Clock(self.clock.time, len(seats), event.clocks) if event.clocks else self.clock.copy()
        # Clocks stand still until all seats are taken and the first move is played.
        # A clock in days runs for persons only.
        for_people = not clock.time.days or (seat is not None and seats[seat].who in (HUMAN, OPEN))
        if seat is None or any(each.who == OPEN for each in seats) or not moves or not for_people:
            clock.pause(now)
        elif seat == running and event.kind not in MOVES:
            clock.resume(seat, now)
        else:
            clock.start(seat, now)
        return clock

    def resume_after_restart(self, now: float, wall: float) -> None:
        """Adjusts the clock after a restart: days go on while no server runs, seconds do not."""
        if self.clock and self.clock.time.days and self.last:
            self.resume_since(now - max(0.0, wall - self.last.at))

    def resume_since(self, since: float) -> None:
        """Sets when the running time was started, as for a reloaded room, whose clock ran on."""
        if self.clock and self.clock.running is not None:
            self.clock.since = since

    def __del__(self) -> None:
        """Unlinks the tree, whose nodes refer to each other and would otherwise wait for the garbage collector."""
        table = getattr(self, "table", None)
        if table is not None:
            table.record.root.unlink()

    def _update(self, event: EventRow, move: Move | None) -> None:
        """Changes the game as an event says; `move` is the move of its text, if it is already parsed."""
        table, body = self.table, event.body
        match event.kind:
            case "play" | "simpler":
                table.play(body if move is None else move)
                self.moves += 1
                if event.clocks and event.seat is not None:
                    table.record.end.clock = event.clocks[event.seat]
                if event.kind == SIMPLER:
                    table.record.end.comment = NOTE
            case "undo":
                self.moves -= table.take_back(int(body))
            case "redo":
                self.moves += table.redo()
            case "resign" | "flag":
                table.lose(_seat(event), RESIGNED if event.kind == RESIGN else FLAGGED)
            case "drawn":
                table.end((), AGREED)
            case "forfeit":
                forfeit(table.record, _seat(event), body)
            case "offer":
                self.offer, self.agreed, self.declined = (body, _seat(event)), {_seat(event)}, None
                self.requested.add((body, self.seats[_seat(event)].person))
            case "agree":
                self.agreed.add(_seat(event))
            case "decline":
                self.declined = (*self.offer, _seat(event)) if self.offer else self.declined
                self.offer, self.agreed = None, set()
            case "again":
                self.again = body
            case "sit":
                pass  # the seats are in the row of the game
            case kind:
                raise GameError(f"Unknown event {shown(kind)}.")
        self._update_state()
        if event.kind not in SIDE_EVENTS:
            self.at += 1
            self.offer = self.declined = None
            self.agreed = set()
            self.requested = set()
        self.number, self.last = event.number + 1, event


def _due(clock: Clock | None, now: float, wall: float) -> float | None:
    """When the running time is over."""
    if clock is None or clock.running is None:
        return None
    return wall + clock.left(now)[clock.running]


def _sitter(seat: SeatRow) -> str:
    return HUMAN if seat.who == OPEN else seat.who


def _seat(event: EventRow) -> int:
    assert event.seat is not None
    return event.seat
