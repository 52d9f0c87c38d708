"""A room: a game, those around it, and the bots that are to move there.

Whatever changes the game is checked, then kept, then done, then shown: nobody is ever shown what could be lost.
Everything here runs in the server's one event loop; only bots think elsewhere, and only the store waits for disks.
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
from pentad.web import chat, engine_requests, offers, player_view, view
from pentad.web import history as events
from pentad.web.api import ADAPTIVE, OPEN
from pentad.web.bot_moves import BotSearch
from pentad.web.connection import Connection
from pentad.web.engines import Engines
from pentad.web.engines.fair_queue import Owner
from pentad.web.flag_timers import Flag
from pentad.web.history import History, StaleState
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
from pentad.web.subscribers import Subscribers

log = logging.getLogger(__name__)


RETRY_PAUSE = 5.0  # seconds until what failed is tried again
RESTORED_AT_ONCE = 4  # games

MOST_EVENTS = 4000  # after which a game can only go on to its end: whoever comes waits until all has happened again
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
    """What a room needs around it: where games are kept, where bots think, how late it is, and by the wall's clock."""

    store: Store
    engines: Engines
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    restoring: DetachedThreads = field(default_factory=lambda: DetachedThreads(RESTORED_AT_ONCE, "pentad-restoring"))

    async def restored(self, row: GameRow, kept: list[Event]) -> History:
        """A game that was kept. All that has happened in it happens again, which takes a while where that was much."""
        return await asyncio.wrap_future(self.restoring.submit(partial(History.restored, row, kept, self.clock())))

    def close(self) -> None:
        """End the threads that restore games; nothing waits for those that are busy."""
        self.restoring.close(time.monotonic())


class Room:
    """One game and those around it."""

    def __init__(
        self, world: World, game: History, chat_messages: list[ChatMessage], owner: Owner, since: float | None = None
    ) -> None:
        """`owner` is who made the room or asked for it: a bot's questions are theirs until somebody else acts here.

        `since` is when the clock that runs was started, if that was here: the room was only put away.
        """
        self.world, self.game = world, game
        if since is None:
            self.game.resume_after_restart(world.clock(), world.wall())
        else:
            self.game.resume_since(since)
        self.subscribers = Subscribers(self.game, chat_messages, world.clock)
        self.touched = world.clock()
        self._owner = owner
        self._changing = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.failures = 0  # of bots, or of what they wait for, one after the other
        self._bot_search = BotSearch()
        self.chat_lock = asyncio.Lock()  # held by whoever says something
        self.successor: str | None = None  # the game that is to follow, made already but not told

    @property
    def name(self) -> str:
        return self.game.row.name

    @property
    def connections(self) -> set[Connection]:
        """Those who look on."""
        return self.subscribers.connections

    @property
    def chat(self) -> list[ChatMessage]:
        """What was said here."""
        return self.subscribers.chat

    def owner(self, connection: Connection | None = None) -> Owner:
        """Whose questions to the engines those from here are: of somebody who plays and is here, else who watches.

        Where nobody is here they are those of whoever was here or acted last.
        """
        if connection is None:
            here = [each for each in self.connections if self.game.seats_of(each.person)] or self.connections
            connection = min(here, key=lambda each: (each.person or 0, each.address), default=None)
        if connection is not None:
            self._owner = Owner(connection.person or self.name, connection.address)
        return self._owner

    @property
    def is_busy(self) -> bool:
        """Whether something goes on here. That somebody's time runs is nothing: its end is waited for elsewhere."""
        return self.is_occupied or self._bot_search.goes_on

    @property
    def is_occupied(self) -> bool:
        """Whether somebody is here, or something is being kept. What a bot thinks about can be asked again."""
        return bool(self.connections) or self._changing.locked()

    @property
    def flag(self) -> Flag | None:
        """When the time that runs is over, if a person has lost then."""
        clock, now = self.game.clock, self.world.clock()
        # That a bot is slow is the server's fault, and no win.
        if clock is None or clock.running is None or self.game.is_bot(clock.running):
            return None
        return Flag(now + clock.left(now)[clock.running], clock.since)

    # ── those around the table ───────────────────────────────────────────────────────────────────

    def join(self, connection: Connection) -> None:
        """Somebody comes to look, and is shown how things stand."""
        self.touched = self.world.clock()
        self.subscribers.join(connection)
        if self.subscribers.trouble and self._again:
            self._try_again()
        self.wake()

    def leave(self, connection: Connection) -> None:
        """Somebody goes; when nobody is left, nobody needs a bot to think."""
        self.touched = self.world.clock()
        self.subscribers.leave(connection)
        if not self._is_followed:
            self._bot_search.stop(self)

    def close(self) -> None:
        """End whatever goes on here."""
        self._bot_search.stop(self)
        self.subscribers.close()
        for timer in (self._alarm, self._again):
            if timer:
                timer.cancel()
        for task in self._tasks:
            task.cancel()
        for connection in self.connections:
            connection.cancel_request()

    def send_presence(self) -> None:
        """Tell everybody who is here, and what the players ask each other for."""
        self.subscribers.send_presence()

    def state(self, connection: Connection) -> StateMessage:
        """How things stand, as this connection may see it."""
        return self.subscribers.state(connection)

    def catch_up(self, connection: Connection) -> None:
        """Tell somebody who comes, or has missed something, how things stand and all that was said."""
        self.subscribers.catch_up(connection)

    # ── what they do ─────────────────────────────────────────────────────────────────────────────

    async def receive(self, connection: Connection, text: str) -> None:
        """Do what a message asks, or answer why not."""
        arrived = self.world.clock()
        self.touched = arrived
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
                    await self._do(connection, message, arrived)
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    async def _do(self, connection: Connection, message: AnyMessage, arrived: float) -> None:
        mine = self.game.seats_of(connection.person)
        if not mine:
            raise GameError("you are watching; only those who sit at the table can do that")
        if isinstance(message, LookMessage | HereMessage | SayMessage):
            return
        self.owner(connection)
        if message.at != self.game.at:
            connection.send(self.state(connection))
            raise GameError("the game has gone on meanwhile; this is how it stands")
        match message:
            case StepMessage():
                await self._step(connection, mine, message, arrived)
            case UndoMessage():
                await self._undo(mine)
            case RedoMessage():
                if player_view.others(self.game, mine):
                    raise GameError("moves are not played again by one alone where others play too")
                if not self.game.table.can_redo:
                    raise GameError("there is no move to play again")
                await self.commit_event(events.REDO)
            case HintMessage():
                self._hint(connection, mine)
            case ResignMessage():
                await self._resign(mine, message.seat)
            case DrawMessage():
                await offers.draw(self, mine)
            case AnswerMessage():
                await offers.answer(self, mine, message)

    def _check_turn(self, mine: frozenset[int]) -> None:
        game = self.game
        if game.outcome:
            raise GameError(f"the game is over: {view.status(game.position, game.outcome)}")
        if game.seat not in mine:
            raise GameError(f"it is not your turn: {game.position.colour_of(game.position.turn)} is to move")

    async def _step(self, connection: Connection, mine: frozenset[int], message: StepMessage, arrived: float) -> None:
        self._check_turn(mine)
        position = self.game.position
        choices = position.choices(message.steps)
        if not (choices.may_end and (message.end or not choices)):
            if message.end:
                raise GameError(f"the turn cannot end here: {choices.prompt}")
            connection.send(self.subscribers.turn(connection, message.steps, choices))
        elif message.warn and player_view.may_ask_engine(self.game, mine) and self.game.clock is None:
            self._warn(connection, position, message)
        else:
            await self.play(message.steps, arrived)

    async def play(self, steps: str, now: float, *, simpler: bool = False) -> None:
        """Play a whole turn, perhaps a simpler bot's for another. Whoever calls holds `changing`."""
        position = self.game.position
        move = position.parse(steps)
        await self.commit_event(SIMPLER if simpler else PLAY, position.turn, str(move), now=now)

    async def _undo(self, mine: frozenset[int]) -> None:
        if not player_view.can_undo(self.game, mine):
            raise GameError("there is no move of yours to take back")
        if player_view.others(self.game, mine):
            if self.game.outcome:
                raise GameError("the game is over")
            await offers.ask(self, "undo", mine)
        else:
            await self.take_back(mine)

    async def take_back(self, seats: frozenset[int]) -> None:
        """Take back to where one of these seats was last to move."""
        await self.commit_event(events.UNDO, body=str(player_view.moves_to_undo(self.game, seats)))

    async def _resign(self, mine: frozenset[int], seat: int | None) -> None:
        game = self.game
        if game.outcome:
            raise GameError("the game is over")
        if seat is None:
            seat = game.seat if game.seat in mine else min(mine)
        if seat not in mine:
            raise GameError(f"seat {seat} is not yours to give up")
        await self.commit_event(events.RESIGN, seat)

    # ── who comes to play, what is said ──────────────────────────────────────────────────────────

    async def sit(self, person: int, name: str, seat: int | None) -> int:
        """Let a person take an open seat, the first one where none is named; which it is."""
        async with self._changing:
            seat = self.free_seat(seat)
            if self.game.seats_of(person):
                raise GameError("you sit at this table already")
            seats = list(self.game.seats)
            seats[seat] = SeatRow(HUMAN, person, name)
            await self.commit_event(events.SIT, seat, name, seats=tuple(seats))
        return seat

    def free_seat(self, seat: int | None) -> int:
        """The seat that somebody can take who asks for this one, or for any; an error if there is none."""
        free = [i for i, each in enumerate(self.game.seats) if each.who == OPEN]
        if self.game.outcome:
            raise GameError("the game is over")
        if not free or seat not in (None, *free):
            raise GameError("every seat is taken" if seat is None else "this seat is taken")
        return free[0] if seat is None else seat

    async def announce_successor(self, name: str) -> None:
        """Tell everybody of the game that follows this one."""
        await self.commit_event(events.AGAIN, body=name)

    @property
    def changing(self) -> asyncio.Lock:
        """Held by whoever changes what goes on here."""
        return self._changing

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    async def commit_event(
        self,
        kind: str,
        seat: int | None = None,
        body: str = "",
        *,
        now: float | None = None,
        seats: tuple[SeatRow, ...] | None = None,
    ) -> None:
        """Let something happen: it is kept, then done, then shown. Whoever calls holds `changing`."""
        game = self.game
        if game.number >= MOST_EVENTS and kind in _OPTIONAL:
            raise GameError("too much has happened in this game; now it can only be played to its end")
        now = self.world.clock() if now is None else now
        event = Event(game.number, kind, seat, body, self.world.wall(), self._clocks(kind, body, now))
        effect = game.effect_of(event, now, seats)
        result, moves, turn, _ = effect
        try:
            await self.world.store.add_event(self.name, event, seats=seats, result=result, moves=moves, turn=turn)
        except Conflict:
            # Something was kept that nobody could be told of, as when the database went away in the middle.
            await self._read_again()
            raise StaleState("the game has gone on meanwhile; this is how it stands") from None
        ended_before = game.has_ended
        # A move's own time ends when it comes, the other's begins when it is shown; nothing else stops a clock.
        game.apply(event, self.world.clock() if kind in MOVES else now, seats, effect)
        self.subscribers.trouble = None
        if kind in events.SIDE_EVENTS - {events.SIT}:
            self.send_presence()
            return
        self._bot_search.stop(self)
        self.subscribers.show(_EVENT_NAMES[kind])
        if game.outcome and not ended_before:  # a game that goes on after its end counts as it ended first
            await self._rate()
        self.wake()

    async def store_turn(self) -> None:
        """Keep until when the time that runs lasts, where it was started anew: what is kept of that is out of date."""
        clock = self.game.clock
        if clock is None or clock.running is None or clock.time.days:
            return
        turn = self.game.turn(self.world.clock(), self.world.wall())
        try:
            await self.world.store.set_turn(self.name, self.game.number, turn)
        except StoreError as failed:
            log.warning("room %s: when its clock runs out is not kept: %s", self.name, failed)

    async def _read_again(self) -> None:
        found = await self.world.store.game(self.name)
        if found:
            self.game = self.subscribers.game = await self.world.restored(*found)
            self.game.resume_after_restart(self.world.clock(), self.world.wall())
            self.start(self.store_turn)
            self._bot_search.stop(self)  # of a position that is no more
            self.subscribers.forget_pictures()
            self.subscribers.show("now")
            self.wake()

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

    # ── the end of a game, and of its time ───────────────────────────────────────────────────────

    async def _rate(self) -> None:
        """A game against the adaptive opponent is over: whoever played it meets a stronger or a weaker one next."""
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
            log.warning("room %s: the adaptive opponent does not learn of its game: %s", self.name, failed)

    def _set_alarm(self) -> None:
        """Wake up when the time that runs is over."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if flag := self.flag:
            # A timer may come a little early, and days are more than one can hold.
            left = min(flag.due - self.world.clock(), DAY) + 0.01
            self._alarm = asyncio.get_running_loop().call_later(left, self._wake_up)

    def _wake_up(self) -> None:
        self._alarm = None  # which holds on to the room
        self.start(self.check_clock)

    async def check_clock(self) -> None:
        """Whose time is over has lost."""
        async with self._changing:
            clock = self.game.clock
            seat = clock.over(self.world.clock()) if clock else None
            if seat is None:
                self._set_alarm()
                return
            try:
                await self.commit_event(events.FLAG, seat)
            except GameError as failed:
                log.warning("room %s: a clock that ran out is not kept: %s", self.name, failed)
                self.in_trouble(str(failed))

    def start(self, work: Callable[[], Coroutine[None, None, None]]) -> asyncio.Task[None]:
        """Do something beside what goes on, and hold on to it until it is done."""
        task = asyncio.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failed := task.exception()):
            log.error("room %s: this is a bug in pentad", self.name, exc_info=failed)

    # ── bots ─────────────────────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Let the time run, and the bot that is to move think, if there is one and somebody waits for it."""
        self._set_alarm()
        if self._waits_for_bot and self._is_followed and not self.subscribers.trouble:
            self._bot_search.begin(self)

    @property
    def _waits_for_bot(self) -> bool:
        return self.game.seat is not None and self.game.is_bot(self.game.seat)

    @property
    def _is_followed(self) -> bool:
        """Whether somebody waits for a bot: whoever looks on, or plays it with a clock that runs."""
        clock = self.game.clock
        runs = clock is not None and clock.running is not None
        return bool(self.connections) or (runs and any(seat.who == HUMAN for seat in self.game.seats))

    def in_trouble(self, why: str, *, again: bool = True) -> None:
        """Show what keeps the game from going on; try once more after a while, each time a longer one."""
        self.subscribers.trouble = why
        self.subscribers.show("now")
        if self._again:
            self._again.cancel()
            self._again = None
        if again:
            pause = RETRY_PAUSE * 2 ** min(self.failures, 6)
            self.failures += 1
            self._again = asyncio.get_running_loop().call_later(pause, self._try_again)

    def _try_again(self) -> None:
        self._again = None
        self.subscribers.trouble = None
        self.subscribers.show("now")
        self.wake()

    # ── requests to engines: what somebody asks a bot for ────────────────────────────────────────────────────

    def _hint(self, connection: Connection, mine: frozenset[int]) -> None:
        self._check_turn(mine)
        if not player_view.may_ask_engine(self.game, mine):
            raise GameError("there are no hints in a game with others")
        connection.cancel_request()
        connection.request = self.start(lambda: engine_requests.hint(self, connection))

    def _warn(self, connection: Connection, position: Position, message: StepMessage) -> None:
        position.play(message.steps)  # so that what cannot be is told at once
        connection.cancel_request()
        connection.request = self.start(lambda: engine_requests.warn(self, connection, position, message))
