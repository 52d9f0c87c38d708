"""All rooms: made, found where they are kept, put away when nobody needs them in memory."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable
from dataclasses import replace

from pentad.game import Game, GameError, OptionValue, Position, game, load, shown
from pentad.play import adaptive
from pentad.play.clock import Time
from pentad.play.seats import HUMAN, sit
from pentad.search.bot import own_bots
from pentad.store.rows import GameRow, Person, SeatRow, StoreError, Turn
from pentad.web import view
from pentad.web.api import ADAPTIVE, OPEN, NewRoom
from pentad.web.client_address import DIRECT, Address
from pentad.web.connection import Connection
from pentad.web.engines.fair_queue import Owner
from pentad.web.flag_timers import Flags
from pentad.web.history import History
from pentad.web.messages import StateMessage
from pentad.web.player_view import Presence
from pentad.web.room import RETRY_PAUSE, Room, World
from pentad.web.subscribers import Subscribers

log = logging.getLogger(__name__)

MOST_ROOMS = 5000  # that are in use at once
MOST_OF_PERSON, MOST_OF_ADDRESS = 40, 200  # open games that one has made; 40 players with 5 each share an address
COMING = 5.0  # seconds in which whoever has asked for a room comes to it
PUT_AWAY = 60.0  # seconds after which a room that nobody looks at leaves the memory
KEPT_UNPLAYED = 24 * 3600.0  # seconds that a game is kept in which nobody has moved
KEPT_INVITED = 30 * KEPT_UNPLAYED  # the same where somebody else was invited
NAME_LENGTH = 10

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


class TooManyRooms(Exception):
    """Every room there may be is in use."""


class TooManyOpen(Exception):
    """Somebody has as many open games as one may have."""


class Rooms:
    """The rooms that somebody uses now, and the way to all that are kept."""

    def __init__(self, world: World, *, most: int = MOST_ROOMS) -> None:
        self.world, self.most = world, most
        self._rooms: dict[str, Room] = {}
        self._made: dict[int | Address, set[str]] = {}  # by whom: persons by their number, and addresses
        self._making: set[str] = set()  # the names of rooms that are not there yet
        self._coming: dict[str, asyncio.Task[Room | None]] = {}
        self._flags = Flags(world.clock, self._begin_to_flag)
        self._flagging: asyncio.Task[None] | None = None
        self._flagged = ""  # the room that is being brought back because its clock has run out

    def __len__(self) -> int:
        return len(self._rooms)

    async def get(self, name: str, address: Address = DIRECT) -> Room | None:
        """The room of that name, which may have to be brought back first, for somebody at this address."""
        if room := self._rooms.get(name):
            room.touched = self.world.clock()  # whoever asks comes in a moment, and must not find it put away
            return room
        if not (len(name) == NAME_LENGTH and set(name) <= set(_LETTERS)):
            return None
        if name not in self._coming:
            # Kept in no variable here: an error that comes out of it would keep this frame, and the frame the error.
            self._coming[name] = asyncio.create_task(self._bring(name, address))
            self._coming[name].add_done_callback(lambda _: self._coming.pop(name))
        # Whoever goes away meanwhile does not take it from the others who wait for it.
        return await asyncio.shield(self._coming[name])

    async def _bring(self, name: str, address: Address) -> Room | None:
        found = await self.world.store.game(name)
        if found is None:
            return None
        said = await self.world.store.chat(name)
        game = await self.world.restored(*found)
        self._make_way(must=name == self._flagged)
        flag = self._flags.take(name)
        room = self._enter(Room(self.world, game, said, Owner(name, address), flag.since if flag else None))
        if not flag:
            room.start(room.store_turn)  # a clock that runs in seconds stood still while nobody served
        return room

    def _enter(self, room: Room) -> Room:
        self._rooms[room.name] = room
        room.wake()
        return room

    async def make(self, wish: NewRoom, person: Person, address: Address = DIRECT) -> Room:
        """A room for a new game; `GameError` says what cannot be."""
        row = await self.draft(wish, person)
        self._check_open(person, address)
        return await self._keep(row, person, address)

    async def draft(self, wish: NewRoom, person: Person) -> GameRow:
        """The game that a room would be made for; `GameError` says what cannot be. Nothing is kept."""
        kind, start, asked, time = check(wish)
        seats = [await self._seat(who, kind, person) for who in asked]
        now = self.world.wall()
        return GameRow(
            name=_new_name(),
            game=kind.name,
            start=start.text,
            options=dict(wish.options) if wish.position is None else _unusual(kind, start),
            seats=tuple(seats),
            time=time.terms if time else {},
            listed=wish.listed,
            created=now,
            again=None,
            result=None,
            touched=now,
            moves=0,
            turn=Turn(start.turn),
        )

    def _check_open(self, person: Person | None, address: Address) -> None:
        """Whether somebody may have one more open game: one that is not over, and in use or with a clock that runs."""
        if not address:
            return
        whose: list[tuple[int | Address, int, str]] = [(address, MOST_OF_ADDRESS, "your address has")]
        if person:
            whose.insert(0, (person.id, MOST_OF_PERSON, "you have"))
        for who, most, words in whose:
            if len(self._open_of(who)) >= most:
                raise TooManyOpen(f"{words} {most} open games; finish or leave one before you begin another")

    def _open_of(self, who: int | Address) -> set[str]:
        """The open games that somebody has made; all others are forgotten."""
        names = {name for name in self._made.pop(who, ()) if self._is_open(name)}
        if names:
            self._made[who] = names
        return names

    def _is_open(self, name: str) -> bool:
        room = self._rooms.get(name)
        if room is None:
            return name in self._flags or name in self._making
        if room.game.outcome:
            return False
        return room.is_busy or room.flag is not None or room.touched >= self.world.clock() - COMING

    def _count(self, name: str, person: Person | None, address: Address) -> None:
        """Remember who makes a room."""
        if address:
            makers: list[int | Address] = [address, person.id] if person else [address]
            for who in makers:
                self._made.setdefault(who, set()).add(name)

    async def _keep(self, row: GameRow, person: Person | None, address: Address) -> Room:
        self._make_way()
        self._count(row.name, person, address)  # before anything is waited for: many may be made at once
        self._making.add(row.name)
        try:
            await self.world.store.add_game(row)
        finally:
            self._making.discard(row.name)
        owner = Owner(person.id if person else row.name, address)
        return self._enter(Room(self.world, History(row, [], self.world.clock()), [], owner))

    async def _seat(self, who: str, kind: Game, person: Person) -> SeatRow:
        if who == OPEN:
            return SeatRow(OPEN)
        if who == ADAPTIVE:
            rung = await self.world.store.rating(person.id, kind.name)
            return SeatRow(adaptive.opponent(kind.name, rung, random.Random()), name=ADAPTIVE)
        if sit(kind, who, remote=True).is_human:
            return SeatRow(HUMAN, person.id, person.name)
        return SeatRow(who)

    async def again(self, room: Room, person: Person | None = None, address: Address = DIRECT) -> str:
        """The room in which those of another one play again, each a seat further; made once, whoever asks."""
        async with room.changing:
            if room.game.again:
                return room.game.again
            self._check_open(person, address)
            if room.game.table.outcome is None:
                raise GameError("this game is not over yet")
            old, now = room.game.row, self.world.wall()
            seats = room.game.seats[1:] + room.game.seats[:1]
            row = replace(
                old,
                name=_new_name(),
                seats=seats,
                created=now,
                touched=now,
                again=old.name,
                result=None,
                moves=0,
                turn=Turn(load(old.start).turn),
            )
            # Where that could not be told before, the game that was made then is there still.
            if room.successor is None:
                room.successor = (await self._keep(row, person, address)).name
            await room.announce_successor(room.successor)
            return room.successor

    def _make_way(self, *, must: bool = False) -> None:
        """Put a room away that nobody is in, where there is no place for another; without one, one too many `must` do.

        A bot that thinks there without anybody watching is asked again when somebody comes.
        """
        if len(self._rooms) >= self.most:
            # Whoever has just asked for a room comes in a moment.
            before = self.world.clock() - COMING
            idle = [room for room in self._rooms.values() if not room.is_occupied and room.touched < before]
            if idle:
                self._put_away(min(idle, key=lambda room: (room.is_busy, room.touched)))
            elif not must:
                raise TooManyRooms("every room is in use; try again later")

    async def sweep(self) -> None:
        """Put away the rooms that nobody uses, and forget the games that nobody ever played."""
        now = self.world.clock()
        for room in list(self._rooms.values()):
            if not room.is_busy and now - room.touched > PUT_AWAY:
                self._put_away(room)
        for who in list(self._made):
            self._open_of(who)
        try:
            # A game that somebody has before them stays, and so do those that are younger.
            looked_at = (room.game.row.created for room in self._rooms.values())
            wall = self.world.wall()
            await self.world.store.sweep(min([wall - KEPT_UNPLAYED, *looked_at]), wall - KEPT_INVITED)
        except GameError as failed:
            log.warning("games that nobody played are not removed: %s", failed)

    def _put_away(self, room: Room) -> None:
        """Let a room leave the memory; if its clock runs, only when that runs out is kept."""
        flag = room.flag
        room.close()
        del self._rooms[room.name]
        if flag:
            soonest = self.world.clock() + RETRY_PAUSE if room.subscribers.trouble else flag.due
            self._flags.put(room.name, flag._replace(due=max(flag.due, soonest)))

    def _begin_to_flag(self) -> None:
        if self._flagging is None or self._flagging.done():
            self._flagging = asyncio.create_task(self._flag())

    async def _flag(self) -> None:
        """Bring back the rooms whose clocks have run out while they were away, one after the other, and end the games.

        They are put away again as any room that nobody comes to.
        """
        for name, flag in self._flags.fallen():
            self._flagged = name
            try:
                room = await self.get(name)
                if room:
                    await room.check_clock()
                else:
                    self._flags.take(name)
            except StoreError as failed:
                log.warning("room %s: a clock that ran out is not kept: %s", name, failed)
                self._flags.put(name, flag._replace(due=self.world.clock() + RETRY_PAUSE))
            except Exception:  # one that is damaged must not hold up the others
                log.exception("room %s: its clock has run out, and it cannot be brought back", name)
                self._flags.take(name)
            finally:
                self._flagged = ""

    def close(self) -> None:
        """End whatever goes on in any room."""
        self._flags.close()
        if self._flagging:
            self._flagging.cancel()
        for room in self._rooms.values():
            room.close()
        self.world.close()


def preview(draft: GameRow, person: Person, clock: Callable[[], float], *, flip: bool) -> StateMessage:
    """What somebody would see in a new room."""
    game = History(draft, [], clock())
    here = Presence(frozenset({person.id}), 0)
    return Subscribers(game, [], clock).state(Connection(person.id, person.name, flip=flip), presence=here)


def _unusual(kind: Game, start: Position) -> dict[str, OptionValue]:
    """The options of a position that one would have to ask for."""
    usual = kind.new().options
    return {name: value for name, value in start.options.items() if value != usual[name]}


def check(wish: NewRoom) -> tuple[Game, Position, list[str], Time | None]:
    """The game, the position that it begins from, who is to sit there and how long they have; `GameError` if none."""
    kind, start = _start(wish)
    asked = wish.seats
    if asked is None:
        asked = [HUMAN, *[list(own_bots(kind.name))[-1]] * (start.players - 1)]
    if len(asked) != start.players:
        raise GameError(f"{kind.title} has {start.players} seats here, not {len(asked)}")
    for who in asked:
        if ":" in who:
            raise GameError(f"a bot with settings, such as {shown(who)}, plays in a terminal")
        if who not in (OPEN, ADAPTIVE):
            sit(kind, who, remote=True)
    time = Time.of({key: value for key, value in wish.time.model_dump().items() if value}) if wish.time else None
    return kind, start, asked, time


def _new_name() -> str:
    """A name that nobody guesses."""
    return "".join(secrets.choice(_LETTERS) for _ in range(NAME_LENGTH))


def _start(wish: NewRoom) -> tuple[Game, Position]:
    """The game that is wished for and the position that it begins from."""
    kind = game(wish.game)
    if wish.position is None:
        options: dict[str, OptionValue] = kind.check_options(wish.options)
        start = kind.start(options)
    else:
        start = load(wish.position)
        if start.game != kind.name or wish.options:
            raise GameError(f"a position of {start.game} brings its own options and is no beginning of {kind.title}")
        if start.outcome:
            raise GameError("the game is over at this position")
    view.check_size(start)
    return kind, start
