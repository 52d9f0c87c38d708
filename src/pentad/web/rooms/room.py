"""Room: a game with its clients and bots.

Each change of the game is checked, stored, applied and shown, in this order: nobody sees what could still be lost.
Everything here runs in the event loop; bots run in worker processes, and only the store waits for disks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial

from pentad.game import GameError, Position
from pentad.play import adaptive
from pentad.play.clock import DAY
from pentad.play.seats import HUMAN
from pentad.store import Store
from pentad.store.detached_threads import DetachedThreads
from pentad.store.rows import MOVES, PLAY, SIMPLER, ChatMessage, Conflict, Event, GameRow, SeatRow, StoreError
from pentad.web import view
from pentad.web.api import ADAPTIVE, OPEN
from pentad.web.engines import Engines
from pentad.web.engines.fair_queue import Owner
from pentad.web.messages import (
    AnswerMessage,
    AnyMessage,
    DrawMessage,
    ErrorMessage,
    HereMessage,
    HintMessage,
    LookMessage,
    RedoMessage,
    ResignMessage,
    SayMessage,
    StateMessage,
    StepMessage,
    UndoMessage,
    read_message,
)
from pentad.web.messages import Event as EventName
from pentad.web.rooms import chat, engine_requests, offers, player_view
from pentad.web.rooms import history as events
from pentad.web.rooms.bot_moves import BotSearch
from pentad.web.rooms.connection import Connection
from pentad.web.rooms.flag_timers import Flag
from pentad.web.rooms.history import History, StaleState
from pentad.web.rooms.subscribers import Subscribers

log = logging.getLogger(__name__)


RETRY_PAUSE = 5.0  # seconds until a failed step is retried
RESTORED_AT_ONCE = 4  # games
MOST_EVENTS = 4000  # then only moves to the end are accepted, as restoring a game replays all its events
STALE = "The game has changed in the meantime. This is its current state."
_OPTIONAL = frozenset((events.UNDO, events.REDO, events.OFFER, events.DECLINE))

_EVENT_NAMES: dict[str, EventName] = {
    PLAY: "played",
    SIMPLER: "played",
    events.UNDO: "undone",
    events.REDO: "redone",
    events.RESIGN: "resigned",
    events.DRAWN: "drawn",
    events.FLAG: "flagged",
    events.FORFEIT: "now",
    events.SIT: "sat",
}


@dataclass(frozen=True, slots=True)
class World:
    """The environment of a room: the store, the engines, a monotonic clock and the wall clock."""

    store: Store
    engines: Engines
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    restoring: DetachedThreads = field(default_factory=lambda: DetachedThreads(RESTORED_AT_ONCE, "pentad-restoring"))

    async def restored(self, row: GameRow, stored: list[Event]) -> History:
        """A stored game. Its events are replayed, which can take a while."""
        return await asyncio.wrap_future(self.restoring.submit(partial(History.restored, row, stored, self.clock())))

    def close(self) -> None:
        """Ends the threads that restore games, without waiting for busy ones."""
        self.restoring.close(time.monotonic())


class Room:
    """A game with its clients and bots."""

    def __init__(
        self, world: World, game: History, chat_messages: list[ChatMessage], owner: Owner, since: float | None = None
    ) -> None:
        """`owner` is who created or opened the room; the bots' requests count as theirs until somebody else acts here.

        `since` is when the running clock was started, if the room was only unloaded.
        """
        self.world, self.game = world, game
        if since is None:
            self.game.resume_after_restart(world.clock(), world.wall())
        else:
            self.game.resume_since(since)
        self.subscribers = Subscribers(self.game, chat_messages, world.clock)
        self.last_active = world.clock()  # when a client last came, left or sent a message
        self._owner = owner
        self._changing = asyncio.Lock()
        self._clock_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.failures = 0  # of bots or the store, in a row
        self._bot_search = BotSearch()
        self.chat_lock = asyncio.Lock()  # held while a chat message is posted
        self.successor: str | None = None  # the next game, already created but not announced

    @property
    def name(self) -> str:
        return self.game.row.name

    @property
    def connections(self) -> set[Connection]:
        """The clients of this room."""
        return self.subscribers.connections

    @property
    def chat(self) -> list[ChatMessage]:
        """The chat messages of this room."""
        return self.subscribers.chat

    def owner(self, connection: Connection | None = None) -> Owner:
        """The owner of engine requests from this room: a connected player, else a viewer.

        Without clients it is the last one who was here or acted.
        """
        if connection is None:
            here = [each for each in self.connections if self.game.seats_of(each.person)] or self.connections
            connection = min(here, key=lambda each: (each.person or 0, each.address), default=None)
        if connection is not None:
            self._owner = Owner(connection.person or self.name, connection.address)
        return self._owner

    @property
    def is_busy(self) -> bool:
        """Whether something goes on here. A running clock does not count; flag timers watch it."""
        return self.is_occupied or self._bot_search.is_running

    @property
    def is_occupied(self) -> bool:
        """Whether a client is here, or something is being stored. A bot's search can be repeated."""
        return bool(self.connections) or self._changing.locked()

    @property
    def flag(self) -> Flag | None:
        """When the running time is over, if a person then loses."""
        clock, now = self.game.clock, self.world.clock()
        # A slow bot is the server's fault, and gives no win.
        if clock is None or clock.running is None or self.game.is_bot(clock.running):
            return None
        return Flag(now + clock.left(now)[clock.running], clock.since)

    # ── clients ──────────────────────────────────────────────────────────────────────────────────

    def join(self, connection: Connection) -> None:
        """Adds a client and sends it the state."""
        self.last_active = self.world.clock()
        self.subscribers.join(connection)
        if self.subscribers.trouble and self._retry_timer:
            self._retry()
        self.resume_play()

    def leave(self, connection: Connection) -> None:
        """Removes a client; without clients no bot needs to move."""
        self.last_active = self.world.clock()
        self.subscribers.leave(connection)
        if not self._is_awaited:
            self._bot_search.cancel(self)

    def close(self) -> None:
        """Ends everything that goes on here."""
        self._bot_search.cancel(self)
        self.subscribers.close()
        for timer in (self._clock_timer, self._retry_timer):
            if timer:
                timer.cancel()
        for task in self._tasks:
            task.cancel()
        for connection in self.connections:
            connection.cancel_request()

    def send_presence(self) -> None:
        """Sends to all clients who is here, and the players' offers."""
        self.subscribers.send_presence()

    def state(self, connection: Connection) -> StateMessage:
        """The state, as this client may see it."""
        return self.subscribers.state(connection)

    def catch_up(self, connection: Connection) -> None:
        """Sends the state and all chat messages to a new client, or to one that has missed messages."""
        self.subscribers.catch_up(connection)

    # ── messages ─────────────────────────────────────────────────────────────────────────────────

    async def receive(self, connection: Connection, text: str) -> None:
        """Handles a message, or answers with an error."""
        arrived = self.world.clock()
        self.last_active = arrived
        try:
            message = read_message(text)
            if isinstance(message, LookMessage):
                connection.flip = message.flip
                connection.send(self.state(connection))
            elif isinstance(message, HereMessage):
                self.subscribers.send_presence(only=connection)
            elif isinstance(message, SayMessage):
                await chat.post(self, connection, message.text)
            else:
                async with self._changing:
                    await self._handle(connection, message, arrived)
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    async def _handle(self, connection: Connection, message: AnyMessage, arrived: float) -> None:
        own_seats = self.game.seats_of(connection.person)
        if not own_seats:
            raise GameError("You are watching. Only players can do that.")
        if isinstance(message, LookMessage | HereMessage | SayMessage):
            return
        self.owner(connection)
        if message.at != self.game.at:
            connection.send(self.state(connection))
            raise StaleState(STALE)
        match message:
            case StepMessage():
                await self._step(connection, own_seats, message, arrived)
            case UndoMessage():
                await self._undo(own_seats)
            case RedoMessage():
                if player_view.others(self.game, own_seats):
                    raise GameError("You cannot replay moves alone in a game with others.")
                if not self.game.table.can_redo:
                    raise GameError("There is no move to replay.")
                await self.commit_event(events.REDO)
            case HintMessage():
                self._hint(connection, own_seats)
            case ResignMessage():
                await self._resign(own_seats, message.seat)
            case DrawMessage():
                await offers.draw(self, own_seats)
            case AnswerMessage():
                await offers.answer(self, own_seats, message)

    def _check_turn(self, own_seats: frozenset[int]) -> None:
        game = self.game
        if game.outcome:
            raise GameError(f"The game is over. {view.status(game.position, game.outcome)}")
        if game.seat not in own_seats:
            raise GameError(
                f"It is not your turn. {game.position.colour_of(game.position.turn).capitalize()} is to move."
            )

    async def _step(
        self, connection: Connection, own_seats: frozenset[int], message: StepMessage, arrived: float
    ) -> None:
        self._check_turn(own_seats)
        position = self.game.position
        choices = position.choices(message.steps)
        if not (choices.may_end and (message.end or not choices)):
            if message.end:
                raise GameError(f"The turn cannot end here. {choices.prompt}")
            connection.send(self.subscribers.turn(connection, message.steps, choices))
        elif message.warn and player_view.may_ask_engine(self.game, own_seats) and self.game.clock is None:
            self._warn(connection, position, message)
        else:
            await self.play(message.steps, arrived)

    async def play(self, steps: str, now: float, *, simpler: bool = False) -> None:
        """Plays a whole turn, perhaps a warm-up bot's. The caller holds `changing`."""
        position = self.game.position
        move = position.parse(steps)
        await self.commit_event(SIMPLER if simpler else PLAY, position.turn, str(move), now=now)

    async def _undo(self, own_seats: frozenset[int]) -> None:
        if not player_view.can_undo(self.game, own_seats):
            raise GameError("You have no move to take back.")
        if player_view.others(self.game, own_seats):
            if self.game.outcome:
                raise GameError("The game is over.")
            await offers.make(self, "undo", own_seats)
        else:
            await self.take_back(own_seats)

    async def take_back(self, seats: frozenset[int]) -> None:
        """Takes back to where one of these seats was last to move."""
        await self.commit_event(events.UNDO, body=str(player_view.moves_to_undo(self.game, seats)))

    async def _resign(self, own_seats: frozenset[int], seat: int | None) -> None:
        game = self.game
        if game.outcome:
            raise GameError("The game is over.")
        if seat is None:
            seat = game.seat if game.seat in own_seats else min(own_seats)
        if seat not in own_seats:
            raise GameError(f"Seat {seat} is not yours.")
        await self.commit_event(events.RESIGN, seat)

    # ── seats ────────────────────────────────────────────────────────────────────────────────────

    async def sit(self, person: int, name: str, seat: int | None) -> int:
        """Seats a person at an open seat, by default the first one. Returns the seat."""
        async with self._changing:
            seat = self.free_seat(seat)
            if self.game.seats_of(person):
                raise GameError("You already have a seat in this game.")
            seats = list(self.game.seats)
            seats[seat] = SeatRow(HUMAN, person, name)
            await self.commit_event(events.SIT, seat, name, seats=tuple(seats))
        return seat

    def free_seat(self, seat: int | None) -> int:
        """The open seat for a request for this seat, or for any; `GameError` if there is none."""
        free = [i for i, each in enumerate(self.game.seats) if each.who == OPEN]
        if self.game.outcome:
            raise GameError("The game is over.")
        if not free or seat not in (None, *free):
            raise GameError("All seats are taken." if seat is None else "This seat is taken.")
        return free[0] if seat is None else seat

    async def announce_successor(self, name: str) -> None:
        """Tells all clients of the game that follows this one."""
        await self.commit_event(events.AGAIN, body=name)

    @property
    def changing(self) -> asyncio.Lock:
        """Held while the game changes."""
        return self._changing

    # ── events ───────────────────────────────────────────────────────────────────────────────────

    async def commit_event(
        self,
        kind: str,
        seat: int | None = None,
        body: str = "",
        *,
        now: float | None = None,
        seats: tuple[SeatRow, ...] | None = None,
    ) -> None:
        """Stores, applies and shows an event. The caller holds `changing`."""
        game = self.game
        if game.number >= MOST_EVENTS and kind in _OPTIONAL:
            raise GameError("This game has too many events. It can only be played to its end now.")
        now = self.world.clock() if now is None else now
        event = Event(game.number, kind, seat, body, self.world.wall(), self._clocks(kind, body, now))
        effect = game.effect_of(event, now, seats)
        result, moves, turn, _ = effect
        try:
            await self.world.store.add_event(self.name, event, seats=seats, result=result, moves=moves, turn=turn)
        except Conflict:
            # An event was stored but never shown, as when the connection to the database broke in the middle.
            await self._reload()
            raise StaleState(STALE) from None
        ended_before = game.has_ended
        # A move's time ends on arrival, and the opponent's begins when it is shown; no other event stops a clock.
        game.apply(event, self.world.clock() if kind in MOVES else now, seats, effect)
        self.subscribers.trouble = None
        if kind in events.SIDE_EVENTS - {events.SIT}:
            self.send_presence()
            return
        self._bot_search.cancel(self)
        self.subscribers.show(_EVENT_NAMES[kind])
        if game.outcome and not ended_before:  # a game resumed after its end is rated by its first end
            await self._rate()
        self.resume_play()

    async def store_turn(self) -> None:
        """Stores when the running time ends, after the clock was restarted."""
        clock = self.game.clock
        if clock is None or clock.running is None or clock.time.days:
            return
        turn = self.game.turn(self.world.clock(), self.world.wall())
        try:
            await self.world.store.set_turn(self.name, self.game.number, turn)
        except StoreError as failed:
            log.warning("Room %s: Cannot store the time limit: %s", self.name, failed)

    async def _reload(self) -> None:
        found = await self.world.store.game(self.name)
        if found:
            self.game = self.subscribers.game = await self.world.restored(*found)
            self.game.resume_after_restart(self.world.clock(), self.world.wall())
            self.start(self.store_turn)
            self._bot_search.cancel(self)  # its position is out of date
            self.subscribers.forget_pictures()
            self.subscribers.show("now")
            self.resume_play()

    def _clocks(self, kind: str, body: str, now: float) -> tuple[float, ...]:
        if self.game.clock is None:
            return ()
        clock = self.game.clock.copy()
        if kind in MOVES:
            clock.stop(now)
        elif kind == events.UNDO:
            for node in self.game.end.line[1:][-int(body) :] if int(body) else ():
                if node.parent and node.parent.parent:  # the first move had no time of its own
                    clock.undo(node.parent.position.turn, now)
        return clock.left(now)

    # ── end of a game ────────────────────────────────────────────────────────────────────────────

    async def _rate(self) -> None:
        """Updates a person's rating after a game against the adaptive opponent."""
        game = self.game
        people = {seat.person for seat in game.seats if seat.who == HUMAN and seat.person is not None}
        if (
            len(people) != 1
            or not game.is_certain
            or not any(seat.name == ADAPTIVE and game.is_bot(i) for i, seat in enumerate(game.seats))
        ):
            return
        (person,) = people
        outcome = game.outcome
        assert outcome is not None
        returns = max(outcome.returns[seat] for seat in game.seats_of(person))
        store, kind = self.world.store, game.row.game
        try:
            await store.rate(person, kind, adaptive.after(kind, await store.rating(person, kind), returns))
        except GameError as failed:
            log.warning("Room %s: Cannot update the rating: %s", self.name, failed)

    def _set_clock_timer(self) -> None:
        """Sets a timer for the end of the running time."""
        if self._clock_timer:
            self._clock_timer.cancel()
            self._clock_timer = None
        if flag := self.flag:
            # A timer may fire a little early, and cannot hold many days.
            left = min(flag.due - self.world.clock(), DAY) + 0.01
            self._clock_timer = asyncio.get_running_loop().call_later(left, self._clock_ran_out)

    def _clock_ran_out(self) -> None:
        self._clock_timer = None  # which refers to the room
        self.start(self.check_clock)

    async def check_clock(self) -> None:
        """Ends the game for a seat that is out of time."""
        async with self._changing:
            clock = self.game.clock
            seat = clock.over(self.world.clock()) if clock else None
            if seat is None:
                self._set_clock_timer()
                return
            try:
                await self.commit_event(events.FLAG, seat)
            except GameError as failed:
                log.warning("Room %s: Cannot store that a clock ran out: %s", self.name, failed)
                self.report_failure(str(failed))

    def start(self, work: Callable[[], Coroutine[None, None, None]]) -> asyncio.Task[None]:
        """Starts a task and refers to it until it is done."""
        task = asyncio.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failed := task.exception()):
            log.error("Room %s: Internal error (a bug in pentad).", self.name, exc_info=failed)

    # ── bots ─────────────────────────────────────────────────────────────────────────────────────

    def resume_play(self) -> None:
        """Starts the clock, and the search of the bot to move if somebody waits for it."""
        self._set_clock_timer()
        if self._waits_for_bot and self._is_awaited and not self.subscribers.trouble:
            self._bot_search.start(self)

    @property
    def _waits_for_bot(self) -> bool:
        return self.game.seat is not None and self.game.is_bot(self.game.seat)

    @property
    def _is_awaited(self) -> bool:
        """Whether somebody waits for a bot: a client, or a player with a running clock."""
        clock = self.game.clock
        runs = clock is not None and clock.running is not None
        return bool(self.connections) or (runs and any(seat.who == HUMAN for seat in self.game.seats))

    def report_failure(self, why: str, *, again: bool = True) -> None:
        """Shows why the game cannot go on; retries after a pause that doubles each time."""
        self.subscribers.trouble = why
        self.subscribers.show("now")
        if self._retry_timer:
            self._retry_timer.cancel()
            self._retry_timer = None
        if again:
            pause = RETRY_PAUSE * 2 ** min(self.failures, 6)
            self.failures += 1
            self._retry_timer = asyncio.get_running_loop().call_later(pause, self._retry)

    def _retry(self) -> None:
        self._retry_timer = None
        self.subscribers.trouble = None
        self.subscribers.show("now")
        self.resume_play()

    # ── requests to engines ──────────────────────────────────────────────────────────────────────

    def _hint(self, connection: Connection, own_seats: frozenset[int]) -> None:
        self._check_turn(own_seats)
        if not player_view.may_ask_engine(self.game, own_seats):
            raise GameError("There are no hints in a game with others.")
        connection.cancel_request()
        connection.request = self.start(lambda: engine_requests.hint(self, connection))

    def _warn(self, connection: Connection, position: Position, message: StepMessage) -> None:
        position.play(message.steps)  # an illegal move is refused at once
        connection.cancel_request()
        connection.request = self.start(lambda: engine_requests.warn(self, connection, position, message))
