"""Rooms: a table each, the connections that look at it, and the bots that are to move there.

Everything here runs in the server's one event loop; only bots think elsewhere. A room's `at` counts its
changes, so that a message about what is no longer there is known as such.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable

from pentad.game import GameError, OptionValue, game
from pentad.play.seats import HUMAN
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import own_bots
from pentad.web import view
from pentad.web.api import (
    AnyMessage,
    ErrorMessage,
    HintMessage,
    LookMessage,
    NewRoom,
    Outgoing,
    RedoMessage,
    ResignMessage,
    StateMessage,
    StepMessage,
    UndoMessage,
    read_message,
)
from pentad.web.workers import Thinker, WorkerFailed

log = logging.getLogger(__name__)

MOST_ROOMS = 500
KEPT_UNTOUCHED = 10 * 60.0  # seconds that a room is kept where nobody is and nobody has played
KEPT_PLAYED = 24 * 3600.0  # and where somebody has
BACKLOG = 64  # messages that may wait for a slow reader
HINT_SECONDS = 2.0
PACE = 1.0  # seconds between the moves of bots that nobody plays against, so that they can be followed

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


class TooManyRooms(Exception):
    """Every room there may be is in use."""


class Connection:
    """Somebody who looks at a room, and the seats that they hold."""

    def __init__(self, seats: Iterable[int] = ()) -> None:
        self.seats = frozenset(seats)
        self.flip = False
        self.hint: asyncio.Task[None] | None = None
        self._waiting: deque[Outgoing] = deque()
        self._behind = False
        self._news = asyncio.Event()

    def send(self, message: Outgoing) -> None:
        """Queue a message. A reader too slow for them all is told how things stand once it reads again."""
        if len(self._waiting) >= BACKLOG:
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append(message)
        self._news.set()

    async def next(self, room: Room) -> Outgoing:
        """The next message for this connection."""
        await self._news.wait()
        if self._behind:
            self._behind = False
            message: Outgoing = room.state(self)
        else:
            message = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return message

    def drop_hint(self) -> None:
        if self.hint:
            self.hint.cancel()
            self.hint = None


class Room:
    """One table and those around it. `keys` holds the secret of each seat that a person takes."""

    def __init__(
        self,
        name: str,
        table: Table,
        thinker: Thinker,
        *,
        options: dict[str, OptionValue] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.table, self.at = name, table, 0
        self.options = options or {}
        self.keys = [secrets.token_urlsafe(24) if seat.is_human else None for seat in table.seats]
        self.connections: set[Connection] = set()
        self.trouble: str | None = None
        self._thinker = thinker
        self._clock = clock
        self._thinking: asyncio.Task[None] | None = None
        self._seed = secrets.randbits(32)
        self.touched = clock()

    def seats_of(self, keys: dict[int, str]) -> frozenset[int]:
        """The seats that these secrets open."""
        return frozenset(
            seat
            for seat, key in enumerate(self.keys)
            if key is not None and secrets.compare_digest(key.encode(), keys.get(seat, "").encode())
        )

    # ── those around the table ───────────────────────────────────────────────────────────────────

    def join(self, connection: Connection) -> None:
        """Somebody comes to look, and is shown how things stand."""
        self.connections.add(connection)
        self.touched = self._clock()
        connection.send(self.state(connection))
        self._wake()

    def leave(self, connection: Connection) -> None:
        """Somebody goes; when nobody is left, nobody needs a bot to think."""
        self.connections.discard(connection)
        connection.drop_hint()
        self.touched = self._clock()
        if not self.connections:
            self._stop_thinking()

    def close(self) -> None:
        """End whatever goes on here."""
        self._stop_thinking()
        for connection in self.connections:
            connection.drop_hint()

    def state(self, connection: Connection, event: view.Event = "now") -> StateMessage:
        """How things stand, as this connection may see it."""
        return view.state(
            self.table,
            connection.seats,
            at=self.at,
            event=event,
            options=self.options,
            flip=connection.flip,
            trouble=self.trouble,
        )

    def receive(self, connection: Connection, text: str) -> None:
        """Do what a message asks, or answer why not."""
        self.touched = self._clock()
        try:
            self._do(connection, read_message(text))
        except GameError as error:
            connection.send(ErrorMessage(error=str(error)))

    def _do(self, connection: Connection, message: AnyMessage) -> None:
        if isinstance(message, LookMessage):
            connection.flip = message.flip
            connection.send(self.state(connection))
            return
        if not connection.seats:
            raise GameError("you are watching; only those who sit at the table can do that")
        if message.at != self.at:
            connection.send(self.state(connection))
            raise GameError("the game has gone on meanwhile; this is how it stands")
        match message:
            case StepMessage():
                self._step(connection, message)
            case UndoMessage():
                self._undo(connection)
            case RedoMessage():
                self.table.redo()
                self._changed("redone")
            case ResignMessage():
                self._resign(connection, message.seat)
            case HintMessage():
                self._hint(connection)

    # ── what they do ─────────────────────────────────────────────────────────────────────────────

    def _check_turn(self, connection: Connection) -> None:
        table = self.table
        if table.seat is not None and (table.seat not in connection.seats or table.waits_for_bot):
            raise GameError(f"it is not your turn: {table.position.colour_of(table.seat)} is to move")

    def _step(self, connection: Connection, message: StepMessage) -> None:
        self._check_turn(connection)
        position = self.table.position
        if self.table.outcome:
            raise GameError(f"the game is over: {view.status(self.table)}")
        choices = position.choices(message.steps)
        if choices.may_end and (message.end or not choices):
            self.table.play(message.steps)
            self._changed("played")
        elif message.end:
            raise GameError(f"the turn cannot end here: {choices.prompt}")
        else:
            connection.send(view.turn(position, message.steps, choices, at=self.at, flip=connection.flip))

    def _undo(self, connection: Connection) -> None:
        if not view.abilities(self.table, connection.seats).undo:
            raise GameError("there is no move of yours to take back")
        self.table.undo()
        self._changed("undone")

    def _resign(self, connection: Connection, seat: int | None) -> None:
        if seat is None:
            seat = self.table.seat if self.table.seat in connection.seats else min(connection.seats)
        if seat not in connection.seats:
            raise GameError(f"seat {seat} is not yours to give up")
        self.table.resign(seat)
        self._changed("resigned")

    def _changed(self, event: view.Event) -> None:
        """Something has happened: whatever was thought about what was before is of no use any more."""
        self.at += 1
        self.trouble = None
        self._stop_thinking()
        self._show(event)
        self._wake()

    def _show(self, event: view.Event) -> None:
        for connection in self.connections:
            connection.drop_hint()
            connection.send(self.state(connection, event))

    # ── bots ─────────────────────────────────────────────────────────────────────────────────────

    def _wake(self) -> None:
        """Let the bot that is to move think, if there is one and somebody waits for it."""
        if self.table.waits_for_bot and self.connections and not self._thinking and not self.trouble:
            self._thinking = asyncio.create_task(self._bot_moves())

    def _stop_thinking(self) -> None:
        if self._thinking:
            self._thinking.cancel()
            self._thinking = None

    async def _bot_moves(self) -> None:
        table = self.table
        assert table.seat is not None
        who = table.seats[table.seat].who
        try:
            if not any(seat.is_human for seat in table.seats) and table.last:
                await asyncio.sleep(PACE)
            move = await self._thinker.think(table.position, who, seed=self._seed + self.at)
            table.play(move)
        except Exception as failed:  # a game must not stand still because of a bot, whatever ails it
            self._thinking = None
            self.trouble = f"{who} cannot move: {failed}"
            if not isinstance(failed, WorkerFailed):
                log.exception("room %s: %s", self.name, self.trouble)
            self._show("now")
        else:
            self._thinking = None
            self._changed("played")

    def _hint(self, connection: Connection) -> None:
        self._check_turn(connection)
        if self.table.outcome:
            raise GameError(f"the game is over: {view.status(self.table)}")
        connection.drop_hint()
        connection.hint = asyncio.create_task(self._answer_hint(connection, self.at))

    async def _answer_hint(self, connection: Connection, at: int) -> None:
        position = self.table.position
        try:
            text = await self._thinker.think(position, None, seed=self._seed, seconds=HINT_SECONDS)
            connection.send(view.hint(position, position.parse(text), at=at))
        except (WorkerFailed, GameError) as failed:
            connection.send(ErrorMessage(error=f"there is no hint: {failed}"))
        connection.hint = None


class Rooms:
    """All rooms. When there are as many as there may be, the one left alone longest makes way for a new one."""

    def __init__(
        self, thinker: Thinker, *, most: int = MOST_ROOMS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.thinker, self.most, self._clock = thinker, most, clock
        self._rooms: dict[str, Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def get(self, name: str) -> Room | None:
        return self._rooms.get(name)

    def make(self, wish: NewRoom) -> Room:
        """A room for a new game; `GameError` says what cannot be."""
        kind = game(wish.game)
        start = kind.start(kind.check_options(wish.options))
        best = list(own_bots(kind.name))[-1]
        table = Table(Record(start), [HUMAN, *[best] * (start.players - 1)] if wish.seats is None else wish.seats)
        self._make_way()
        name = "".join(secrets.choice(_LETTERS) for _ in range(10))
        room = self._rooms[name] = Room(name, table, self.thinker, options=wish.options, clock=self._clock)
        return room

    def _make_way(self) -> None:
        if len(self._rooms) < self.most:
            return
        left = [room for room in self._rooms.values() if not room.connections]
        if not left:
            raise TooManyRooms("every room is in use; try again later")
        self._remove(min(left, key=lambda room: (bool(room.table.record.moves), room.touched)))

    def sweep(self) -> None:
        """Remove the rooms that nobody has come back to."""
        now = self._clock()
        for room in list(self._rooms.values()):
            kept = KEPT_PLAYED if room.table.record.moves else KEPT_UNTOUCHED
            if not room.connections and now - room.touched > kept:
                self._remove(room)

    def _remove(self, room: Room) -> None:
        room.close()
        del self._rooms[room.name]

    def close(self) -> None:
        """End whatever goes on in any room."""
        for room in self._rooms.values():
            room.close()
