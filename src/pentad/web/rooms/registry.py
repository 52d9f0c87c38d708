"""Rooms: created, loaded from the store, and unloaded when idle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import replace
from typing import NamedTuple, NoReturn, TypeAlias

from pentad.game import Game, GameError, Move, OptionValue, Position, game, load, shown
from pentad.jobs.fair_queue import Owner
from pentad.jobs.shares import Path, Shares
from pentad.play import adaptive
from pentad.play.clock import Time
from pentad.play.seats import HUMAN, sit
from pentad.search.bot import own_bots
from pentad.store.rows import GameRow, PendingTurn, Person, SeatRow, StoreError
from pentad.system.metrics import CounterMetric
from pentad.system.words import phrase
from pentad.web import view
from pentad.web.api_types import ADAPTIVE, OPEN, NewRoom
from pentad.web.http.client_address import DIRECT, Address, networks, owner_at
from pentad.web.messages import Outgoing, StateMessage
from pentad.web.rooms import actions
from pentad.web.rooms.actions import Follow, Rematch
from pentad.web.rooms.background import RETRY_SECONDS
from pentad.web.rooms.flag_timers import Flag, FlagTimers
from pentad.web.rooms.player_view import Presence
from pentad.web.rooms.relations import NOT_WITH_YOU
from pentad.web.rooms.room import Room, RoomEnvironment
from pentad.web.rooms.state import begun
from pentad.web.rooms.subscribers import Connection, Subscribers

log = logging.getLogger(__name__)

TURNED_OUT = CounterMetric("pentad_rooms_turned_out_total", "Rooms whose clients had to leave for others.")
MAX_LOADED_ROOMS = 5000
MOST_OF_PERSON, MOST_OF_ADDRESS = 40, 200  # open games; 40 players with 5 games each may share an address
FULL = "The server is full. Try again in a few minutes."
ROOMS_AT_ONCE = 200  # are counted without a break
CONNECT_SECONDS = 5.0  # a client connects within it to a room that it has requested
IDLE_SECONDS = 60.0  # an idle room is unloaded after it
RETURN_SECONDS = 10.0  # after a handover clocks stand still so long, unless a client comes earlier
KEPT_UNPLAYED_SECONDS = 24 * 3600.0  # a game without a move is deleted after it
KEPT_INVITED_SECONDS = 30 * KEPT_UNPLAYED_SECONDS  # the same if somebody else was invited
NAME_LENGTH = 10

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # letters that look like others are missing


Version: TypeAlias = tuple[int, int]  # how many events and chat messages a room has


class TooManyRooms(Exception):
    """The server is full."""


class ServerClosed(TooManyRooms):
    """The server is closed for maintenance."""


class TooManyOpen(Exception):
    """A person or an address has too many open games."""


class NewGame(NamedTuple):
    """A game that a client wants, with its start position, its players and its time control."""

    spec: NewRoom
    kind: Game
    start: Position
    players: list[str]
    time: Time | None


class RoomCounts(NamedTuple):
    """How many rooms and running clocks of unloaded rooms there are, open games by their kind, sockets, and persons."""

    rooms: int
    timers: int
    open_games: Counter[str]
    sockets: Counter[str]
    persons: int = 0


class Rooms:
    """The rooms in memory, and access to those in the store."""

    def __init__(self, world: RoomEnvironment, *, most: int = MAX_LOADED_ROOMS) -> None:
        self.world, self.most = world, most
        self._rooms: dict[str, Room] = {}
        self._shares: Shares[str] = Shares()  # the names of the rooms, by the network of who made or opened them
        self._paths: dict[str, Path] = {}  # where the name of each room is among them
        self._made: dict[int | str, set[str]] = {}  # makers are ids of persons, and networks
        self._making: set[str] = set()  # names of rooms that are being created
        self._loading: dict[tuple[str, int | None], asyncio.Task[Room | None]] = {}  # by name and person
        self._reading: dict[str, asyncio.Task[Room | None]] = {}  # by the names of rooms
        self._prepared: dict[str, Room] = {}  # rooms whose clients are expected
        self._flags = FlagTimers(world.clock, self._start_flagging)
        self._flagging: asyncio.Task[None] | None = None
        self._flagged = ""  # the room that is being loaded because its clock has run out
        self._closed = ""  # why no room is opened, or empty

    def __len__(self) -> int:
        return len(self._rooms)

    async def counts(self) -> RoomCounts:
        """What goes on in the rooms now; it takes breaks, as there may be thousands of them."""
        found = RoomCounts(len(self._rooms), len(self._flags), Counter(), Counter(player=0, watcher=0))
        persons: set[int] = set()
        for number, room in enumerate(list(self._rooms.values())):
            if not number % ROOMS_AT_ONCE:
                await asyncio.sleep(0)
            if self._is_open(room.name):
                found.open_games[room.game.row.game] += 1
            for each in room.connections:
                found.sockets["player" if room.game.seats_of(each.person) else "watcher"] += 1
                if each.person is not None:
                    persons.add(each.person)
        return found._replace(persons=len(persons))

    async def get(self, name: str, address: Address = DIRECT, person: int | None = None) -> Room | None:
        """The room of that name, loaded if necessary, for a client at this address."""
        if self._closed:
            raise ServerClosed(self._closed)
        if room := self._rooms.get(name):
            room.last_active = self.world.clock()  # it must not be unloaded before the client connects
            return room
        if not _may_exist(name):
            return None
        key = name, person
        if key not in self._loading:
            # Not kept in a variable: an error of the task would refer to this frame, and this frame to the error.
            self._loading[key] = asyncio.create_task(self._load(name, address, person))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key))
        # A client that disconnects must not cancel the task for others.
        return await asyncio.shield(self._loading[key])

    def is_attended(self, name: str) -> bool:
        """Whether somebody is in a room."""
        return name in self._rooms and bool(self._rooms[name].connections)

    async def position(self, name: str) -> tuple[Position, Move | None] | None:
        """The position of a game and its last move; a game that is not in memory is not kept there."""
        if room := self._rooms.get(name):
            return room.game.position, room.game.end.move
        found = await self.world.store.game(name) if _may_exist(name) else None
        if found is None:
            return None
        game = await self.world.restored(*found)
        return game.position, game.end.move

    async def _load(self, name: str, address: Address, person: int | None) -> Room | None:
        room = self._rooms.get(name) or self._prepared.get(name) or await self._read_once(name)
        if room is None:
            return None
        if name in self._rooms:  # another person was faster
            return self._rooms[name]
        owner = owner_at(name, address)
        if name == self._flagged:
            self._unload_idle()  # even if there is none, this one may enter
        else:
            self._make_space(owner, must=room.game.is_under_way and bool(room.game.seats_of(person)))
        self._prepared.pop(name, None)
        flag, now = self._flags.take(name), self.world.clock()
        room.open(owner, flag.since_at(now) if flag else None)
        self._enter(room, owner)
        if not flag or flag.resumes:
            room.tasks.start(room.store_turn)  # a clock in seconds stood still while no server ran
        return room

    async def _read_once(self, name: str) -> Room | None:
        """A room from the store, for all its clients who come at the same time."""
        if name not in self._reading:
            self._reading[name] = asyncio.create_task(self._read(name))
            self._reading[name].add_done_callback(lambda _: self._reading.pop(name))
        return await asyncio.shield(self._reading[name])

    async def _read(self, name: str) -> Room | None:
        """A room from the store."""
        found = await self.world.store.game(name)
        if found is None:
            return None
        chat = await self.world.store.chat(name)
        return Room(self.world, await self.world.restored(*found), chat, owner_at(name, DIRECT))

    # ── handover to another server ───────────────────────────────────────────────────────────────

    def versions(self) -> dict[str, Version]:
        """The versions of all rooms here, those with clients first."""
        rooms = sorted(self._rooms.values(), key=lambda room: not room.connections)
        return {room.name: _version(room) for room in rooms}

    def clocks(self) -> dict[str, tuple[float, float]]:
        """The running clocks in which a person can lose, with the time left and the time used."""
        now = self.world.clock()
        flags = dict(self._flags.all())
        flags |= {room.name: flag for room in self._rooms.values() if (flag := room.flag)}
        return {name: flag.times(now) for name, flag in flags.items()}

    async def prepare(self, versions: Mapping[str, Version]) -> int:
        """Reads rooms of another server in advance, as their clients will come here; the number of those read now."""
        stale = [name for name, version in versions.items() if not self._is_prepared(name, version)]
        for name in stale:
            self._prepared.pop(name, None)
            try:
                if room := await self._read(name):
                    room.prepare()
                    self._prepared[name] = room
            except GameError as failed:  # a damaged game must not hold up the others
                log.warning("Room %s: Cannot be prepared: %s", name, failed)
        persons = {seat.person for room in self._prepared.values() for seat in room.game.seats}
        await self.world.store.expect(person for person in persons if person is not None)
        return len(stale)

    def _is_prepared(self, name: str, version: Version) -> bool:
        return name in self._prepared and _version(self._prepared[name]) == tuple(version)

    async def take_over(self, clocks: Mapping[str, tuple[float, float]]) -> None:
        """Continues the games of another server; clocks stand still until their players are back, or a moment."""
        try:
            await self.load_relations()
            versions = await self.world.store.versions(self._prepared)
        except StoreError as failed:  # they are read again when their players come
            log.warning("Cannot use the games that were read in advance: %s", failed)
            versions = {}
        self._prepared = {
            name: room for name, room in self._prepared.items() if name in versions and _version(room) == versions[name]
        }
        resume = self.world.clock() + RETURN_SECONDS
        for name, (left, used) in clocks.items():
            self._flags.put(name, Flag.standing(left, used, resume))
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self._forget_prepared)

    def _forget_prepared(self) -> None:
        self._prepared.clear()
        self.world.store.expect_nobody()

    def _enter(self, room: Room, owner: Owner) -> Room:
        self._rooms[room.name] = room
        self._paths[room.name] = owner.group
        self._shares.add(owner.group, room.name)
        room.resume_play()
        return room

    async def make(self, new: NewGame, person: Person, address: Address = DIRECT) -> Room:
        """Creates a room for a new game; `GameError` if it is not possible."""
        return await self.enter_new(await self.draft(new, person), person, address)

    async def enter_new(self, row: GameRow, person: Person, address: Address = DIRECT) -> Room:
        """Stores a new game, and opens its room."""
        if not _may_exist(row.name):
            raise GameError("{name} is not the name of a room.", name=shown(row.name))
        self._check_open(person, address)
        return await self._store(row, person, address)

    async def draft(self, new: NewGame, person: Person) -> GameRow:
        """The row of a new game, which is not stored; `GameError` if it is not possible."""
        spec, kind, start = new.spec, new.kind, new.start
        seats = [await self._seat(who, kind, person) for who in new.players]
        now = self.world.wall()
        return GameRow(
            name=_new_name(),
            game=kind.name,
            start=start.text,
            options=dict(spec.options) if spec.position is None else _non_default(kind, start),
            seats=tuple(seats),
            time=new.time.terms if new.time else {},
            listed=spec.listed,
            created=now,
            again=None,
            result=None,
            touched=now,
            moves=0,
            turn=PendingTurn(start.turn),
        )

    def _check_open(self, person: Person | None, address: Address) -> None:
        """Raises if a person or an address has too many open games: not over, and in use or with a running clock."""
        for who, (most, subject) in _makers(person, address).items():
            if len(self._open_of(who)) >= most:
                raise TooManyOpen(
                    phrase(
                        "{subject} {most} open games. Finish or leave one before you start another.",
                        subject=subject,
                        most=most,
                    )
                )

    def _open_of(self, who: int | str) -> set[str]:
        """The open games of a maker; forgets all others."""
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
        return room.is_busy or room.flag is not None or room.last_active >= self.world.clock() - CONNECT_SECONDS

    async def _store(self, row: GameRow, person: Person | None, address: Address) -> Room:
        owner = owner_at(person.id if person else row.name, address)
        self._make_space(owner)
        for who in _makers(person, address):  # before any await, as many may be created at once
            self._made.setdefault(who, set()).add(row.name)
        self._making.add(row.name)
        try:
            await self.world.store.add_game(row)
        finally:
            self._making.discard(row.name)
        return self._enter(Room(self.world, begun(row), [], owner), owner)

    async def _seat(self, who: str, kind: Game, person: Person) -> SeatRow:
        if who == OPEN:
            return SeatRow(OPEN)
        if who == ADAPTIVE:
            rating = await self.world.store.rating(person.id, kind.name)
            return SeatRow(adaptive.opponent(kind.name, rating, random.Random()), name=ADAPTIVE)
        if sit(kind, who, remote=True).is_human:
            return SeatRow(HUMAN, person.id, person.name)
        return SeatRow(who)

    async def _next_seat(self, seat: SeatRow, kind: Game, person: Person | None) -> SeatRow:
        """A seat in the next game; an adaptive bot is chosen anew."""
        is_adaptive = seat.name == ADAPTIVE and seat.who not in (HUMAN, OPEN)
        return await self._seat(ADAPTIVE, kind, person) if is_adaptive and person else seat

    async def again(self, room: Room, person: Person | None = None, address: Address = DIRECT) -> str:
        """The next game of the same players, each one seat further; created once, whichever player asks first."""
        async with room.changing:
            if room.game.again:
                return room.game.again
            self._check_open(person, address)
            if room.game.outcome is None:
                raise GameError("This game is not over yet.")
            old, now = room.game.row, self.world.wall()
            kind = game(old.game)
            turned = room.game.seats[1:] + room.game.seats[:1]
            seats = [await self._next_seat(seat, kind, person) for seat in turned]
            row = replace(
                old,
                name=_new_name(),
                seats=tuple(seats),
                created=now,
                touched=now,
                again=old.name,
                result=None,
                moves=0,
                turn=PendingTurn(load(old.start).turn),
            )
            # A successor that could not be announced before still exists.
            if room.successor is None:
                room.successor = (await self._store(row, person, address)).name
            await room.commit(Follow(room.successor))
            return room.successor

    async def rematch(self, room: Room, person: Person, address: Address = DIRECT) -> str | None:
        """The next game for a player, or None while other persons have to agree; asks them, or agrees."""
        async with room.changing:
            own_seats = room.game.seats_of(person.id)
            if any(self.world.relations.blocks(each, person.id) for each in actions.people(room.game)):
                raise GameError(NOT_WITH_YOU)
            if not room.game.again and actions.others(room.game, own_seats):
                if actions.missing(room.game):  # none is missing if the next game could not be made before
                    await room.commit(Rematch(), own_seats)
                if actions.missing(room.game):
                    return None
        return await self.again(room, person, address)

    def check_name(self, person: int, name: str) -> None:
        """Raises if a person cannot have this name in a game here that waits for others."""
        for room in self._waiting(person):
            actions.check_name(room.game, person, name)

    async def rename(self, person: Person) -> None:
        """Shows a person's new name in the games here that wait for others."""
        for room in self._waiting(person.id):
            await room.rename(person.id, person.name)

    def _waiting(self, person: int) -> list[Room]:
        """The games here of a person that wait for others."""
        return [room for room in self._rooms.values() if room.game.waits_for_people and room.game.seats_of(person)]

    @contextlib.asynccontextmanager
    async def changed(self, person: int | None, heir: int | None = None) -> AsyncIterator[None]:
        """Holds the games of a person here while the store changes them, and reads them again at the end.

        `heir` is the person whose games they are then.
        """
        if person is None:
            yield
            return
        theirs = sorted((room for room in self._rooms.values() if room.game.seats_of(person)), key=lambda it: it.name)
        async with contextlib.AsyncExitStack() as held:
            for room in theirs:
                await held.enter_async_context(room.changing)
            yield
            for room in theirs:
                await self._read_again(room)
        await asyncio.gather(*self._reading.values(), return_exceptions=True)  # they may have read before the change
        await self.load_relations()
        await self.show_names(person)
        if heir is not None and (names := self._made.pop(person, None)):
            self._made.setdefault(heir, set()).update(names)

    async def _read_again(self, room: Room) -> None:
        """Loads a game again, which is held; where that fails, its clients come again."""
        if self._rooms.get(room.name) is room:
            try:
                await room.reload()
            except GameError as failed:
                log.warning("Room %s: Cannot be read again: %s", room.name, failed)
                room.turn_out(str(failed))
                self._unload(room)

    async def refresh(self, name: str) -> None:
        """Loads a game again that another program has changed, if it is here."""
        if room := self._rooms.get(name):
            async with room.changing:
                await room.reload()

    # ── what operators do ────────────────────────────────────────────────────────────────────────

    def remove(self, name: str, why: str) -> None:
        """Ends a room whose game was removed from the store."""
        if room := self._rooms.get(name):
            room.turn_out(why)
            self._unload(room)
        self._flags.take(name)

    async def remove_chat_message(self, name: str, number: int) -> None:
        """Shows a chat message no longer, which was removed from the store."""
        if room := self._rooms.get(name):
            await room.remove_chat_message(number)

    async def show_names(self, person: int) -> None:
        """Shows another name of a person, who was renamed in the store, in all rooms here."""
        for room in list(self._rooms.values()):
            chat = room.subscribers.chat
            if room.game.seats_of(person) or any(each.person == person for each in chat):
                await room.renamed()

    async def load_relations(self) -> None:
        """Takes over whom people have blocked or muted."""
        from pentad.store.relations import Relations  # a page without a server has no such table

        self.world.relations.replace(await Relations(self.world.store).all())

    def relate(self, person: int, other: int, kinds: Collection[str]) -> None:
        """Notes whom a person has blocked or muted, and takes the messages of the other from their pages."""
        self.world.relations.set(person, other, kinds)
        for room in self._rooms.values():
            room.subscribers.hide(person, self.world.relations.hidden(person))

    def send_all(self, message: Outgoing) -> None:
        """Sends a message to the clients in all rooms."""
        text = message.written
        for room in self._rooms.values():
            for each in room.connections:
                each.send(text)

    def rooms_of(self, person: int) -> dict[str, str]:
        """The rooms here in which a person plays or watches, each with the widest network they are in from."""
        return {
            room.name: next(iter(networks(each.address)), "")
            for room in self._rooms.values()
            for each in room.connections
            if each.person == person
        }

    async def close_for_maintenance(self, why: str) -> None:
        """Unloads all rooms, whose clocks then stand still, and opens none. Their clients are turned away before."""
        self._closed = why
        for room in list(self._rooms.values()):
            async with room.changing:  # what is being stored is stored
                if self._rooms.get(room.name) is room:
                    self._unload(room)
        self._flags.clear()

    def open_again(self) -> None:
        """Opens rooms again after maintenance."""
        self._closed = ""

    def _make_space(self, owner: Owner, *, must: bool = False) -> None:
        """Unloads a room if the limit is reached: an idle one, or one of the network with the most.

        In that network the last room that nobody plays in goes first. With `must` an owner of the network with the most
        may enter, too: another room of the same address goes, or the limit is exceeded.
        """
        if self._unload_idle():
            return
        candidates = self._shares.surplus(owner.group)
        if must:
            candidates = candidates or list(self._shares.along(owner.group)[-1].items)
        rooms = [room for room in map(self._rooms.__getitem__, reversed(candidates)) if not room.changing.locked()]
        if rooms:
            room = min(rooms, key=lambda room: room.is_played)
            widest = self._paths[room.name][0]
            who = widest if isinstance(widest, str) else "This machine"
            log.warning("All %d rooms are in use. %s loses one.", self.most, who)
            TURNED_OUT.add()
            room.turn_out(FULL)
            self._unload(room)
        elif not must:
            raise TooManyRooms(FULL)

    def _unload_idle(self) -> bool:
        """Unloads an idle room if the limit is reached; whether there is space then.

        A bot's search in that room is repeated when somebody comes.
        """
        if len(self._rooms) < self.most:
            return True
        # A client that has just requested a room connects in a moment.
        before = self.world.clock() - CONNECT_SECONDS
        idle = [room for room in self._rooms.values() if not room.is_occupied and room.last_active < before]
        if idle:
            self._unload(min(idle, key=lambda room: (room.is_busy, room.last_active)))
        return bool(idle)

    async def keep_swept(self, every: float) -> NoReturn:
        """Sweeps at intervals of so many seconds."""
        while True:
            await asyncio.sleep(every)
            await self.sweep()

    async def sweep(self) -> None:
        """Unloads idle rooms, and deletes games that nobody ever played."""
        now = self.world.clock()
        for room in list(self._rooms.values()):
            if not room.is_busy and now - room.last_active > IDLE_SECONDS:
                self._unload(room)
        for who in list(self._made):
            self._open_of(who)
        try:
            # A game that somebody looks at stays, and so do younger ones.
            loaded = (room.game.row.created for room in self._rooms.values())
            wall = self.world.wall()
            await self.world.store.sweep(min([wall - KEPT_UNPLAYED_SECONDS, *loaded]), wall - KEPT_INVITED_SECONDS)
        except GameError as failed:
            log.warning("Cannot delete unplayed games: %s", failed)

    def _unload(self, room: Room) -> None:
        """Unloads a room; of a running clock only the time when it runs out stays."""
        flag = room.flag
        room.close()
        del self._rooms[room.name]
        self._shares.remove(self._paths.pop(room.name), room.name)
        if flag:
            soonest = self.world.clock() + RETRY_SECONDS if room.subscribers.trouble else flag.due
            self._flags.put(room.name, flag._replace(due=max(flag.due, soonest)))

    def _start_flagging(self) -> None:
        if self._flagging is None or self._flagging.done():
            self._flagging = asyncio.create_task(self._flag_all())

    async def _flag_all(self) -> None:
        """Loads the rooms whose clocks have run out, one after the other, and ends their games.

        They are unloaded again like any idle room.
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
                log.warning("Room %s: Cannot store that a clock ran out: %s", name, failed)
                self._flags.put(name, flag._replace(due=self.world.clock() + RETRY_SECONDS))
            except Exception:  # a damaged game must not hold up the others
                log.exception("Room %s: Its clock has run out, but it cannot be loaded.", name)
                self._flags.take(name)
            finally:
                self._flagged = ""

    def close(self) -> None:
        """Ends everything that goes on in all rooms."""
        self._flags.close()
        if self._flagging:
            self._flagging.cancel()
        for room in self._rooms.values():
            room.close()
        self.world.close()


def _version(room: Room) -> Version:
    return room.game.number, len(room.subscribers.chat)


def preview(draft: GameRow, person: Person, clock: Callable[[], float], *, flip: bool) -> StateMessage:
    """The state that a person would see in a new room."""
    game = begun(draft)
    here = Presence(frozenset({person.id}), 0)
    return Subscribers(game, [], clock).state(Connection(person.id, person.name, flip=flip), presence=here)


def _non_default(kind: Game, start: Position) -> dict[str, OptionValue]:
    """The options of a position that differ from the defaults."""
    default = kind.new().options
    return {name: value for name, value in start.options.items() if value != default[name]}


def read_game(spec: NewRoom) -> NewGame:
    """The game that a client wants; `GameError` if it is invalid. Its position can be large."""
    kind, start = _start(spec)
    players = spec.seats
    if players is None:
        players = [HUMAN, *[list(own_bots(kind.name))[-1]] * (start.players - 1)]
    if len(players) != start.players:
        raise GameError(
            "Expected {players} seats for {title}, got {count}.",
            players=start.players,
            title=kind.title,
            count=len(players),
        )
    for who in players:
        if ":" in who:
            raise GameError("Bots with settings, such as {who}, play only in the terminal.", who=shown(who))
        if who not in (OPEN, ADAPTIVE):
            sit(kind, who, remote=True)
    time = Time.of({key: value for key, value in vars(spec.time).items() if value}) if spec.time else None
    return NewGame(spec, kind, start, players, time)


def _makers(person: Person | None, address: Address) -> dict[int | str, tuple[int, str]]:
    """The makers of a room, each with its most open games and the subject of that sentence."""
    if not address:
        return {}
    makers: dict[int | str, tuple[int, str]] = {person.id: (MOST_OF_PERSON, "You have")} if person else {}
    for network, times in networks(address).items():
        subject = "Your address has" if network == address else "Your network has"
        makers[network] = round(times * MOST_OF_ADDRESS), subject
    return makers


def _may_exist(name: str) -> bool:
    """Whether a room can have this name."""
    return len(name) == NAME_LENGTH and set(name) <= set(_LETTERS)


def _new_name() -> str:
    """A name that cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(NAME_LENGTH))


def _start(spec: NewRoom) -> tuple[Game, Position]:
    """The game and its start position."""
    kind = game(spec.game)
    if spec.position is None:
        options: dict[str, OptionValue] = kind.check_options(spec.options)
        start = kind.start(options)
    else:
        start = load(spec.position)
        if start.game != kind.name or spec.options:
            raise GameError("This position already sets the game ({game}) and its options.", game=start.game)
        if start.outcome:
            raise GameError("The game is already over in this position.")
    view.check_size(start)
    return kind, start
