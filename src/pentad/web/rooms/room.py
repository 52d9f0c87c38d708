"""Room: a game with its clients and bots.

Each change of the game is checked, stored, applied and shown, in this order: nobody sees what could still be lost.
Everything here runs in the event loop; bots run in worker processes, and only the store waits for disks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pentad.game import Choices, GameError, Move
from pentad.jobs.fair_queue import Owner
from pentad.play import adaptive
from pentad.play.clock import DAY
from pentad.play.seats import HUMAN
from pentad.store.detached_threads import DetachedThreads
from pentad.store.rows import ChatMessage, Conflict, EventRow, GameRow, StoreError
from pentad.system.metrics import CounterMetric, Histogram
from pentad.web.engines import Engines
from pentad.web.http.admission import Admission
from pentad.web.http.client_address import owner_at
from pentad.web.http.ratelimit import RateLimiter
from pentad.web.messages import (
    AnyMessage,
    ErrorMessage,
    HereMessage,
    HintMessage,
    LookMessage,
    PremoveMessage,
    SayMessage,
    StepMessage,
    UnsayMessage,
    WatchersMessage,
)
from pentad.web.rooms import actions, engine_requests
from pentad.web.rooms.actions import NOBODY, ONLY_PLAYERS, CallFlag, Play, Rename, Request, Sit, decide
from pentad.web.rooms.background import Retry, Tasks, Timer
from pentad.web.rooms.bot_runner import BotRunner
from pentad.web.rooms.chat import PACE_OF_WATCHERS, Chat
from pentad.web.rooms.events import Event, Played
from pentad.web.rooms.flag_timers import Flag, flag_of
from pentad.web.rooms.relations import NOT_WITH_YOU, KnownRelations
from pentad.web.rooms.state import RoomState, StaleState, evolve, restored, stamped
from pentad.web.rooms.subscribers import Connection, Subscribers

if TYPE_CHECKING:
    from pentad.store import Store

log = logging.getLogger(__name__)

MOVES = CounterMetric("pentad_moves_total", "Moves that were stored.", "game", "player")
STORED = Histogram("pentad_move_commit_seconds", "Seconds from the arrival of a person's move to its commit.")
GAMES_RESTORED_AT_ONCE = 4
STALE = "The game has changed in the meantime. This is its current state."


@dataclass(frozen=True, slots=True)
class RoomEnvironment:
    """The environment of a room: the store, the engines, a monotonic clock and the wall clock."""

    store: Store
    engines: Engines
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    restoring: DetachedThreads = field(
        default_factory=lambda: DetachedThreads(GAMES_RESTORED_AT_ONCE, "pentad-restoring")
    )
    pace_of_watchers: RateLimiter = field(init=False)  # in the chats of all rooms
    admission: Admission = field(init=False)
    relations: KnownRelations = field(default_factory=KnownRelations)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pace_of_watchers", RateLimiter(PACE_OF_WATCHERS, self.clock))
        object.__setattr__(self, "admission", Admission(self.wall))

    async def restored(self, row: GameRow, stored: list[EventRow]) -> RoomState:
        """A stored game. Its events are replayed, which can take a while."""
        return await asyncio.wrap_future(self.restoring.submit(partial(restored, row, stored, self.clock())))

    def close(self) -> None:
        """Ends the threads that restore games, without waiting for busy ones."""
        self.restoring.close(time.monotonic())


class Room:
    """A game with its clients and bots."""

    def __init__(
        self,
        world: RoomEnvironment,
        game: RoomState,
        chat_messages: list[ChatMessage],
        owner: Owner,
        since: float | None = None,
    ) -> None:
        """`owner` is who created or opened the room; the bots' requests count as theirs until somebody else acts here.

        `since` is when the running clock was started, if the room was only unloaded.
        """
        self.world = world
        self.subscribers = Subscribers(game, chat_messages, world.clock)
        self._start_clock(since)
        self._chat = Chat(world.store, self.subscribers, world.wall, world.pace_of_watchers, world.admission.muted)
        self.tasks = Tasks(game.row.name)
        self.bots = BotRunner(world.engines, world.clock, self.tasks)
        self.last_active = world.clock()  # when a client last came, left or sent a message
        self._owner = owner
        self.changing = asyncio.Lock()  # held while the game changes
        self._clock_timer = Timer()
        self._retry = Retry()
        self.successor: str | None = None  # the next game, already created but not announced

    def _start_clock(self, since: float | None) -> None:
        game, world = self.game, self.world
        self.subscribers.game = (
            game.started_again(world.clock(), world.wall()) if since is None else game.started(since)
        )

    def prepare(self) -> None:
        """Draws the position for the players in advance."""
        for seat in self.game.seats:
            if seat.person is not None:
                assert self.subscribers.state(Connection(seat.person)).written

    def open(self, owner: Owner, since: float | None) -> None:
        """Opens a room that was prepared: its clock starts, and it gets its owner."""
        self._owner, self.last_active = owner, self.world.clock()
        self._start_clock(since)

    @property
    def game(self) -> RoomState:
        return self.subscribers.game

    @property
    def name(self) -> str:
        return self.game.row.name

    @property
    def connections(self) -> set[Connection]:
        """The clients of this room."""
        return self.subscribers.connections

    def owner(self, connection: Connection | None = None) -> Owner:
        """The owner of engine requests from this room: a connected player, else a viewer.

        Without clients it is the last one who was here or acted.
        """
        if connection is None:
            here = [each for each in self.connections if self.game.seats_of(each.person)] or self.connections
            connection = min(here, key=lambda each: (each.person or 0, each.address), default=None)
        if connection is not None:
            self._owner = owner_at(connection.person or self.name, connection.address)
        return self._owner

    @property
    def is_busy(self) -> bool:
        """Whether something goes on here. A running clock does not count; flag timers watch it."""
        return self.is_occupied or self.bots.is_busy

    @property
    def is_occupied(self) -> bool:
        """Whether a client is here, or something is being stored. A bot's search can be repeated."""
        return bool(self.connections) or self.changing.locked()

    @property
    def is_played(self) -> bool:
        """Whether a player of a game that goes on is here."""
        return self.game.is_under_way and any(self.game.seats_of(each.person) for each in self.connections)

    @property
    def flag(self) -> Flag | None:
        """When the running time is over, if a person then loses."""
        return flag_of(self.game, self.world.clock())

    # ── clients ──────────────────────────────────────────────────────────────────────────────────

    def join(self, connection: Connection) -> None:
        """Adds a client and sends it the state."""
        self.last_active = self.world.clock()
        self.subscribers.join(connection)
        if self.subscribers.trouble and self._retry.is_set:
            self._try_again()
        self.resume_play()

    def leave(self, connection: Connection) -> None:
        """Removes a client; without clients no bot needs to move."""
        self.last_active = self.world.clock()
        self.subscribers.leave(connection)
        if not self._is_awaited:
            self._cancel_bot()

    def turn_out(self, why: str) -> None:
        """Ends the connections of all clients."""
        for each in self.connections:
            each.end(why)

    async def remove_chat_message(self, number: int) -> None:
        """Shows a chat message no longer, which was removed from the store."""
        await self._chat.forget(number)

    async def renamed(self) -> None:
        """Shows the names that the store has by now, in the game and in the chat."""
        async with self.changing:
            await self.reload()
        await self._chat.reload()

    def close(self) -> None:
        """Ends everything that goes on here."""
        self._cancel_bot()
        self.subscribers.close()
        self._retry.cancel()
        self._clock_timer.cancel()
        self.tasks.close()

    # ── messages ─────────────────────────────────────────────────────────────────────────────────

    async def receive(self, connection: Connection, message: AnyMessage, arrived: float | None = None) -> None:
        """Handles a message, or answers with an error; a move is timed by when it arrived, by default now."""
        self.last_active = self.world.clock()
        arrived = self.last_active if arrived is None else arrived
        try:
            match message:
                case LookMessage():
                    connection.flip = message.flip
                    connection.send(self.subscribers.state(connection))
                case HereMessage():
                    self.subscribers.send_presence(only=connection)
                case SayMessage():
                    await self._chat.post(connection, message.text)
                case UnsayMessage():
                    await self._chat.remove(connection, message.number)
                case WatchersMessage():
                    async with self.changing:
                        await self.commit(message, self.game.seats_of(connection.person))
                case PremoveMessage():
                    self._premove(connection, message)
                case _:
                    async with self.changing:
                        own_seats = self._check_state(connection, message.at)
                        match message:
                            case StepMessage():
                                await self._step(connection, own_seats, message, arrived)
                            case HintMessage():
                                self._hint(connection, own_seats)
                            case _:
                                await self.commit(message, own_seats)
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    def _check_state(self, connection: Connection, at: int) -> frozenset[int]:
        """The seats of a player who has seen the current state; `GameError` for all others."""
        own_seats = self.game.seats_of(connection.person)
        if not own_seats:
            raise GameError(ONLY_PLAYERS)
        self.owner(connection)
        if at != self.game.at:
            connection.send(self.subscribers.state(connection))
            raise StaleState(STALE)
        return own_seats

    async def _step(
        self, connection: Connection, own_seats: frozenset[int], message: StepMessage, arrived: float
    ) -> None:
        actions.check_turn(self.game, own_seats)
        position = self.game.position
        turn = position.parse(message.steps) if message.steps.strip() else Move()
        choices = position.choices(turn)
        if not (choices.may_end and (message.end or not choices)):
            if message.end:
                raise GameError("The turn cannot end here. {prompt}", prompt=choices.prompt)
            connection.send(self.subscribers.turn(connection, message.steps, turn, choices))
        elif message.hold:
            connection.send(self.subscribers.turn(connection, message.steps, turn, Choices((), "")))
        elif message.warn and actions.may_ask_engine(self.game, own_seats) and self.game.clock is None:
            position.play(turn)  # an illegal move is refused at once
            connection.cancel_request()
            connection.request = self.tasks.start(lambda: self._play_unless_blunder(connection, message, turn))
        else:
            await self.commit(Play(turn), own_seats, arrived)

    def _premove(self, connection: Connection, message: PremoveMessage) -> None:
        """Answers what a turn entered in advance can be; not if the game has gone on, as the page asks again then."""
        own_seats = self.game.seats_of(connection.person)
        goes_on = own_seats and self.game.seat is not None and self.game.seat not in own_seats
        if goes_on and message.at == self.game.at:
            connection.send(self.subscribers.premove(connection, own_seats, message.targets))

    def _hint(self, connection: Connection, own_seats: frozenset[int]) -> None:
        actions.check_hint(self.game, own_seats)
        connection.cancel_request()
        engines, game, owner = self.world.engines, self.game, self.owner(connection)
        connection.request = self.tasks.start(lambda: engine_requests.send_hint(engines, game, owner, connection))

    async def _play_unless_blunder(self, connection: Connection, message: StepMessage, move: Move) -> None:
        """Plays a move unless it is a proved blunder, of which it warns first."""
        game, owner = self.game, self.owner(connection)
        if await engine_requests.warn(self.world.engines, game, owner, connection, message.steps):
            return
        arrived = self.last_active = self.world.clock()
        try:
            async with self.changing:
                await self.commit(Play(move), self._check_state(connection, game.at), arrived)
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    # ── seats ────────────────────────────────────────────────────────────────────────────────────

    async def sit(self, person: int, name: str, seat: int | None) -> int:
        """Seats a person at an open seat, by default the first one. Returns the seat."""
        if any(self.world.relations.blocks(each.person, person) for each in self.game.seats):
            raise GameError(NOT_WITH_YOU)
        async with self.changing:
            await self.commit(Sit(person, name, seat))
            return min(self.game.seats_of(person))

    async def rename(self, person: int, name: str) -> None:
        """Gives a person another name, if the game waits for others, who read it."""
        async with self.changing:
            for seat in self.game.seats_of(person) if self.game.waits_for_people else ():
                await self.commit(Rename(seat, person, name))

    # ── events ───────────────────────────────────────────────────────────────────────────────────

    async def commit(self, request: Request, own_seats: frozenset[int] = NOBODY, arrived: float | None = None) -> None:
        """Decides a request, and stores, applies and shows the event. The caller holds `changing`.

        `arrived` is when a person's move arrived, which is the time of the event, by default now.
        """
        before, wall = self.game, self.world.wall()
        now = self.world.clock() if arrived is None else arrived
        event = decide(before, own_seats, request, now)
        stamp = stamped(before, event, now, wall)
        after = evolve(before, stamp, now)
        seats = None if after.seats == before.seats else after.seats
        try:
            await self.world.store.add_event(
                self.name,
                stamp.row,
                seats=seats,
                result=after.score,
                reason=after.outcome.reason if after.outcome else None,
                moves=after.moves,
                turn=after.turn(now, wall),
            )
        except Conflict:
            # An event was stored but never shown, as when the connection to the database broke in the middle.
            await self.reload()
            raise StaleState(STALE) from None
        # A move's time ends on arrival, and the opponent's begins when it is shown; no other event stops a clock.
        self.subscribers.game = after.started(self.world.clock()) if isinstance(event, Played) else after
        self.subscribers.trouble = None
        if isinstance(event, Played):
            MOVES.add(before.row.game, "bot" if before.is_bot(event.seat) else HUMAN)
            if arrived is not None:
                STORED.observe(self.world.clock() - arrived)
        await self._show(event, arrived, has_ended=after.has_ended and not before.has_ended)

    async def _show(self, event: Event, arrived: float | None, *, has_ended: bool) -> None:
        """Shows an event, and goes on; a game resumed after its end is rated by its first end."""
        if event.kind.page is None:
            self.subscribers.send_presence()
            return
        self._cancel_bot()
        self.subscribers.show(event.kind.page, arrived)
        if self.game.outcome:
            self.subscribers.show_watchers_chat()
        if has_ended:
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

    async def reload(self) -> None:
        """Loads the game again, as another program may have changed it, and shows it. The caller holds `changing`."""
        found = await self.world.store.game(self.name)
        if found:
            game = await self.world.restored(*found)
            self.subscribers.game = game.started_again(self.world.clock(), self.world.wall())
            self.tasks.start(self.store_turn)
            self._cancel_bot()  # its position is out of date
            self.subscribers.forget_pictures()
            self.subscribers.show("now")
            if self.game.outcome:
                self.subscribers.show_watchers_chat()
            self.resume_play()

    # ── end of a game ────────────────────────────────────────────────────────────────────────────

    async def _rate(self) -> None:
        """Updates a person's rating after a game against the adaptive opponent."""
        if (rated := self.game.rated_result) is None:
            return
        person, returned = rated
        store, kind = self.world.store, self.game.row.game
        try:
            await store.rate(person, kind, adaptive.after(kind, await store.rating(person, kind), returned))
        except GameError as failed:
            log.warning("Room %s: Cannot update the rating: %s", self.name, failed)

    def _set_clock_timer(self) -> None:
        """Sets a timer for the end of the running time."""
        self._clock_timer.cancel()
        if flag := self.flag:
            # A timer may fire a little early, and cannot hold many days.
            left = min(flag.due - self.world.clock(), DAY) + 0.01
            self._clock_timer.set(left, lambda: self.tasks.start(self.check_clock))

    async def check_clock(self) -> None:
        """Ends the game for a seat that is out of time."""
        async with self.changing:
            if (flag := self.flag) is None or flag.due > self.world.clock():
                self._set_clock_timer()
                return
            try:
                await self.commit(CallFlag())
            except GameError as failed:
                log.warning("Room %s: Cannot store that a clock ran out: %s", self.name, failed)
                self.report_failure(str(failed))

    # ── bots ─────────────────────────────────────────────────────────────────────────────────────

    def resume_play(self) -> None:
        """Starts the clock, and the search of the bot to move if somebody waits for it."""
        self._set_clock_timer()
        if self.game.bot_to_move and self._is_awaited and not self.subscribers.trouble:
            self.bots.wake(self, self.game)

    @property
    def _is_awaited(self) -> bool:
        """Whether somebody waits for a bot: a client, or a player with a running clock."""
        clock = self.game.clock
        runs = clock is not None and clock.running is not None
        return bool(self.connections) or (runs and any(seat.who == HUMAN for seat in self.game.seats))

    async def play_for_bot(self, game: RoomState, move: Move, *, simpler: bool) -> None:
        """Plays a bot's move in this state, if it is still the current one."""
        async with self.changing:
            if self.game.at == game.at:
                await self.commit(Play(move, simpler), frozenset((game.position.turn,)))
                self._retry.succeeded()

    def _cancel_bot(self) -> None:
        if self.bots.cancel():
            self.show_place(0)

    def show_place(self, place: int) -> None:
        """Shows the place of the bot to move in the queue; 0 if it does not wait."""
        if self.subscribers.line != place:
            self.subscribers.line = place
            self.subscribers.send_presence()

    def report_failure(self, why: str, *, again: bool = True) -> None:
        """Shows why the game cannot go on, and retries after a pause."""
        self.subscribers.trouble = why
        self.subscribers.show("now")
        if again:
            self._retry.later(self._try_again)
        else:
            self._retry.cancel()

    def _try_again(self) -> None:
        self._retry.cancel()
        self.subscribers.trouble = None
        self.subscribers.show("now")
        self.resume_play()
