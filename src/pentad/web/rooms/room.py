"""Room: a game with its clients and bots.

Each change of the game is checked, stored, applied and shown, in this order: nobody sees what could still be lost.
Everything here runs in the event loop; bots run in worker processes, and only the store waits for disks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pentad.game import Choices, GameError, Move
from pentad.jobs.fair_queue import Owner, PlaceCallback
from pentad.jobs.worker import Answer
from pentad.play import adaptive
from pentad.play.clock import DAY, Clock
from pentad.play.seats import HUMAN
from pentad.play.table import Hint
from pentad.store.detached_threads import DetachedThreads
from pentad.store.rows import MOVES, PLAY, SIMPLER, ChatMessage, Conflict, EventRow, GameRow, StoreError
from pentad.web import view
from pentad.web.api import OPEN
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.messages import (
    AnyMessage,
    ErrorMessage,
    EventName,
    HereMessage,
    HintMessage,
    LookMessage,
    PremoveMessage,
    SayMessage,
    StepMessage,
    WaitingMessage,
    WarningMessage,
)
from pentad.web.rooms import actions, history
from pentad.web.rooms.flag_timers import Flag
from pentad.web.rooms.history import Change, History, StaleState
from pentad.web.rooms.subscribers import Connection, Subscribers

if TYPE_CHECKING:
    from pentad.store import Store

log = logging.getLogger(__name__)

PACE = 1.0  # seconds between moves in a game of bots, so that viewers can follow
HINT_SECONDS, WARNING_SECONDS = 2.0, 1.0
PLACE_EVERY = 1.0  # seconds between reports of the place in the queue
RETRY_PAUSE = 5.0  # seconds until a failed step is retried
RESTORED_AT_ONCE = 4  # games
MOST_EVENTS = 4000  # then only moves to the end are accepted, as restoring a game replays all its events
STALE = "The game has changed in the meantime. This is its current state."
_OPTIONAL = frozenset((history.UNDO, history.REDO, history.OFFER, history.DECLINE))

_EVENT_NAMES: dict[str, EventName] = {
    PLAY: "played",
    SIMPLER: "played",
    history.UNDO: "undone",
    history.REDO: "redone",
    history.RESIGN: "resigned",
    history.DRAWN: "drawn",
    history.FLAG: "flagged",
    history.FORFEIT: "now",
    history.SIT: "sat",
}


@dataclass(frozen=True, slots=True)
class RoomEnvironment:
    """The environment of a room: the store, the engines, a monotonic clock and the wall clock."""

    store: Store
    engines: Engines
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    restoring: DetachedThreads = field(default_factory=lambda: DetachedThreads(RESTORED_AT_ONCE, "pentad-restoring"))

    async def restored(self, row: GameRow, stored: list[EventRow]) -> History:
        """A stored game. Its events are replayed, which can take a while."""
        return await asyncio.wrap_future(self.restoring.submit(partial(History.restored, row, stored, self.clock())))

    def close(self) -> None:
        """Ends the threads that restore games, without waiting for busy ones."""
        self.restoring.close(time.monotonic())


class Room:
    """A game with its clients and bots."""

    def __init__(
        self,
        world: RoomEnvironment,
        game: History,
        chat_messages: list[ChatMessage],
        owner: Owner,
        since: float | None = None,
    ) -> None:
        """`owner` is who created or opened the room; the bots' requests count as theirs until somebody else acts here.

        `since` is when the running clock was started, if the room was only unloaded.
        """
        self.world = world
        if since is None:
            game.resume_after_restart(world.clock(), world.wall())
        else:
            game.resume_since(since)
        self.subscribers = Subscribers(game, chat_messages, world.clock)
        self.last_active = world.clock()  # when a client last came, left or sent a message
        self._owner = owner
        self.changing = asyncio.Lock()  # held while the game changes
        self._clock_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._failures = 0  # of bots or the store, in a row
        self._bot: asyncio.Task[None] | None = None  # the search of the bot to move, and the storing of its move
        self._is_storing = False  # whether a bot's move is being stored and must not be cancelled
        self._seed = secrets.randbits(32)
        self._posting = asyncio.Lock()  # held while a chat message is posted
        self.successor: str | None = None  # the next game, already created but not announced

    @property
    def game(self) -> History:
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
            self._owner = Owner(connection.person or self.name, connection.address)
        return self._owner

    @property
    def is_busy(self) -> bool:
        """Whether something goes on here. A running clock does not count; flag timers watch it."""
        return self.is_occupied or self._bot is not None

    @property
    def is_occupied(self) -> bool:
        """Whether a client is here, or something is being stored. A bot's search can be repeated."""
        return bool(self.connections) or self.changing.locked()

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
            self._cancel_bot()

    def close(self) -> None:
        """Ends everything that goes on here."""
        self._cancel_bot()
        self.subscribers.close()
        for timer in (self._clock_timer, self._retry_timer):
            if timer:
                timer.cancel()
        for task in self._tasks:
            task.cancel()
        for connection in self.connections:
            connection.cancel_request()

    # ── messages ─────────────────────────────────────────────────────────────────────────────────

    async def receive(self, connection: Connection, message: AnyMessage) -> None:
        """Handles a message, or answers with an error."""
        arrived = self.last_active = self.world.clock()
        try:
            match message:
                case LookMessage():
                    connection.flip = message.flip
                    connection.send(self.subscribers.state(connection))
                case HereMessage():
                    self.subscribers.send_presence(only=connection)
                case SayMessage():
                    await self._say(connection, message.text)
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
                                await self.commit(actions.requested_change(self.game, own_seats, message))
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    def _check_state(self, connection: Connection, at: int) -> frozenset[int]:
        """The seats of a player who has seen the current state; `GameError` for all others."""
        own_seats = self.game.seats_of(connection.person)
        if not own_seats:
            raise GameError("You are watching. Only players can do that.")
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
                raise GameError(f"The turn cannot end here. {choices.prompt}")
            connection.send(self.subscribers.turn(connection, message.steps, turn, choices))
        elif message.hold:
            connection.send(self.subscribers.turn(connection, message.steps, turn, Choices((), "")))
        elif message.warn and actions.may_ask_engine(self.game, own_seats) and self.game.clock is None:
            position.play(turn)  # an illegal move is refused at once
            connection.cancel_request()
            connection.request = self.start(lambda: self._play_unless_blunder(connection, message, turn))
        else:
            await self.play(turn, arrived)

    def _premove(self, connection: Connection, message: PremoveMessage) -> None:
        """Answers what a turn entered in advance can be; not if the game has gone on, as the page asks again then."""
        own_seats = self.game.seats_of(connection.person)
        goes_on = own_seats and self.game.seat is not None and self.game.seat not in own_seats
        if goes_on and message.at == self.game.at:
            connection.send(self.subscribers.premove(connection, own_seats, message.targets))

    async def play(self, move: Move, now: float, *, simpler: bool = False) -> None:
        """Plays a whole turn, perhaps a warm-up bot's. The caller holds `changing`."""
        await self.commit(Change(SIMPLER if simpler else PLAY, self.game.position.turn, str(move), move), now)

    async def _say(self, connection: Connection, text: str) -> None:
        """Posts a chat message: stored first, then sent to all clients."""
        async with self._posting:
            chat, wall = self.subscribers.chat, self.world.wall()
            message = actions.chat_message(self.game, chat, connection.person, connection.name, text, wall)
            try:
                await self.world.store.add_chat_message(self.name, message)
            except Conflict:
                # A message was stored but never shown.
                self.subscribers.chat = await self.world.store.chat(self.name)
                raise GameError("The message was not stored. Send it again.") from None
            self.subscribers.post(message, connection)

    # ── seats ────────────────────────────────────────────────────────────────────────────────────

    async def sit(self, person: int, name: str, seat: int | None) -> int:
        """Seats a person at an open seat, by default the first one. Returns the seat."""
        async with self.changing:
            change = actions.sit(self.game, person, name, seat)
            await self.commit(change)
        assert change.seat is not None
        return change.seat

    async def announce_successor(self, name: str) -> None:
        """Tells all clients of the game that follows this one."""
        await self.commit(Change(history.AGAIN, body=name))

    # ── events ───────────────────────────────────────────────────────────────────────────────────

    async def commit(self, change: Change, now: float | None = None) -> None:
        """Stores, applies and shows an event. The caller holds `changing`."""
        game, kind = self.game, change.kind
        if game.number >= MOST_EVENTS and kind in _OPTIONAL:
            raise GameError("This game has too many events. It can only be played to its end now.")
        now = self.world.clock() if now is None else now
        effect = game.effect_of(change, now, self.world.wall())
        event, result, moves, turn = effect[:4]
        try:
            await self.world.store.add_event(
                self.name, event, seats=effect.seats, result=result, moves=moves, turn=turn
            )
        except Conflict:
            # An event was stored but never shown, as when the connection to the database broke in the middle.
            await self.reload()
            raise StaleState(STALE) from None
        ended_before = game.has_ended
        # A move's time ends on arrival, and the opponent's begins when it is shown; no other event stops a clock.
        game.apply_effect(effect, self.world.clock() if kind in MOVES else now)
        self.subscribers.trouble = None
        if kind in history.SIDE_EVENTS - {history.SIT}:
            self.subscribers.send_presence()
            return
        self._cancel_bot()
        self.subscribers.show(_EVENT_NAMES[kind])
        if game.outcome:
            self.subscribers.show_watchers_chat()
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

    async def reload(self) -> None:
        """Loads the game again, as another program may have changed it, and shows it. The caller holds `changing`."""
        found = await self.world.store.game(self.name)
        if found:
            self.subscribers.game = await self.world.restored(*found)
            self.game.resume_after_restart(self.world.clock(), self.world.wall())
            self.start(self.store_turn)
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
        async with self.changing:
            clock = self.game.clock
            seat = clock.over(self.world.clock()) if clock else None
            if seat is None:
                self._set_clock_timer()
                return
            try:
                await self.commit(Change(history.FLAG, seat))
            except GameError as failed:
                log.warning("Room %s: Cannot store that a clock ran out: %s", self.name, failed)
                self._report_failure(str(failed))

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

    async def _let_bot_move(self) -> None:
        """Searches and plays the move of the bot to move."""
        game, at, seat, is_simpler = self.game, self.game.at, self.game.seat, False
        assert seat is not None
        who, position = game.seats[seat].who, game.position
        for_people = any(each.who in (HUMAN, OPEN) for each in game.seats)

        def note_simpler() -> None:
            nonlocal is_simpler
            is_simpler = True

        try:
            if at and not for_people:
                await asyncio.sleep(PACE)
            seconds, most = _limits(game.clock, seat, self.world.clock())
            with _at_intervals(self._show_place) as on_place:
                text = await self.world.engines.move(
                    position,
                    who,
                    seed=self._seed + at,
                    seconds=seconds,
                    most_seconds=most,
                    owner=self.owner(),
                    on_place=on_place,
                    simpler=note_simpler if for_people else None,  # among bots no warm-up bot is needed
                )
            move = position.parse(text)
            self._show_place(0)
            self._is_storing = True
            async with self.changing:
                if self.game is game and game.at == at:
                    await self.play(move, self.world.clock(), simpler=is_simpler)
                    self._failures = 0
        except StaleState:
            pass  # the game has changed; the bot to move now is woken below
        except (StoreError, WorkerFailed) as failed:
            self._report_failure(str(failed) if isinstance(failed, StoreError) else f"{who} cannot move: {failed}")
        except Exception as failed:  # a game must not stop because of any failure of a bot
            log.exception("Room %s: %s cannot move.", self.name, who)
            self._report_failure(f"{who} cannot move: {failed}", again=False)
        finally:
            self._is_storing = False
            if self._bot is asyncio.current_task():
                self._bot = None
                self._show_place(0)
        self.resume_play()

    def _cancel_bot(self) -> None:
        """Cancels the search of the bot to move; what is being stored is completed."""
        if self._bot is not None and self._bot is not asyncio.current_task():
            if self._is_storing:
                return
            self._bot.cancel()
            self._show_place(0)
        self._bot = None

    def _show_place(self, place: int) -> None:
        """Shows the bot's place in the queue; 0 if it does not wait."""
        if self.subscribers.line != place:
            self.subscribers.line = place
            self.subscribers.send_presence()

    def resume_play(self) -> None:
        """Starts the clock, and the search of the bot to move if somebody waits for it."""
        self._set_clock_timer()
        if self._waits_for_bot and self._is_awaited and not self.subscribers.trouble:
            self._bot = self._bot or self.start(self._let_bot_move)

    @property
    def _waits_for_bot(self) -> bool:
        return self.game.seat is not None and self.game.is_bot(self.game.seat)

    @property
    def _is_awaited(self) -> bool:
        """Whether somebody waits for a bot: a client, or a player with a running clock."""
        clock = self.game.clock
        runs = clock is not None and clock.running is not None
        return bool(self.connections) or (runs and any(seat.who == HUMAN for seat in self.game.seats))

    def _report_failure(self, why: str, *, again: bool = True) -> None:
        """Shows why the game cannot go on; retries after a pause that doubles each time."""
        self.subscribers.trouble = why
        self.subscribers.show("now")
        if self._retry_timer:
            self._retry_timer.cancel()
            self._retry_timer = None
        if again:
            pause = RETRY_PAUSE * 2 ** min(self._failures, 6)
            self._failures += 1
            self._retry_timer = asyncio.get_running_loop().call_later(pause, self._retry)

    def _retry(self) -> None:
        self._retry_timer = None
        self.subscribers.trouble = None
        self.subscribers.show("now")
        self.resume_play()

    # ── requests to engines ──────────────────────────────────────────────────────────────────────

    def _hint(self, connection: Connection, own_seats: frozenset[int]) -> None:
        actions.check_hint(self.game, own_seats)
        connection.cancel_request()
        connection.request = self.start(lambda: self._send_hint(connection))

    async def _send_hint(self, connection: Connection) -> None:
        """Sends the move of the best bot, or why there is none."""
        at, position, owner = self.game.at, self.game.position, self.owner(connection)
        try:
            with self._sending_places(connection) as on_place:
                text, claim = await self.world.engines.hint(
                    position, seconds=HINT_SECONDS, owner=owner, on_place=on_place
                )
            connection.send(view.hint(position, Hint(position.parse(text), claim), at=at))
        except (WorkerFailed, GameError) as failed:
            connection.send(ErrorMessage(error=f"No hint: {failed}"))
        finally:
            connection.finish_request()

    async def _play_unless_blunder(self, connection: Connection, message: StepMessage, move: Move) -> None:
        """Plays a move unless it is a proved blunder, of which it warns first. Without a check there is no warning."""
        at, steps, position, owner = message.at, message.steps, self.game.position, self.owner(connection)
        found: Answer = {"loses": False}
        try:
            with contextlib.suppress(WorkerFailed, GameError), self._sending_places(connection) as on_place:
                found = await self.world.engines.check(
                    position, steps, seconds=WARNING_SECONDS, owner=owner, on_place=on_place
                )
        finally:
            connection.finish_request()
        if found["loses"]:
            connection.send(WarningMessage(at=at, steps=steps, words=str(found["words"])))
            return
        arrived = self.last_active = self.world.clock()
        try:
            async with self.changing:
                self._check_state(connection, at)
                await self.play(move, arrived)
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    def _sending_places(self, connection: Connection) -> contextlib.AbstractContextManager[PlaceCallback]:
        at = self.game.at
        return _at_intervals(lambda place: connection.send(WaitingMessage(at=at, place=place)))


def _limits(clock: Clock | None, seat: int, now: float) -> tuple[float | None, float | None]:
    """The seconds of a bot for an average move and for a hard one; None for its own default, without a clock."""
    if clock is None or clock.time.days:
        return None, None
    return clock.share(seat, now), clock.most(seat, now)


@contextlib.contextmanager
def _at_intervals(show: PlaceCallback) -> Iterator[Callable[[int], None]]:
    """A callback for places in the queue that shows the latest one at intervals, and 0 at once after any other."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    due, latest, shown = loop.time(), 0, 0

    def show_latest() -> None:
        nonlocal timer, due, shown
        timer, due, shown = None, loop.time() + PLACE_EVERY, latest
        show(shown)

    def stop() -> None:
        nonlocal timer
        if timer:
            timer.cancel()
            timer = None

    def on_place(place: int) -> None:
        nonlocal timer, latest
        latest = place
        if place and not timer:
            timer = loop.call_at(due, show_latest)
        elif not place:
            stop()
            if shown:
                show_latest()

    try:
        yield on_place
    finally:
        stop()
