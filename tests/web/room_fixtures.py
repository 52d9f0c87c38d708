"""Rooms without sockets: a temporary store, controlled bots, a controlled clock, and guests."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from pentad.game import Position
from pentad.search.move_limit import Limit
from pentad.store import Store
from pentad.store.rows import Person
from pentad.web.api_types import NewRoom
from pentad.web.rooms.registry import Rooms, read_game
from pentad.web.rooms.room import Room, RoomEnvironment
from pentad.web.rooms.subscribers import Connection
from pentad.web.service.play import receive
from pentad.web.typed_json import Reader
from tests.waiting import TIMEOUT


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test can advance."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


class SlowEngines:
    """Bots that wait for `answers`; `given_up` counts cancelled searches."""

    def __init__(self) -> None:
        self.answers: asyncio.Queue[Any] = asyncio.Queue()
        self.requested: list[tuple[str, Any]] = []
        self.seconds: list[float | None] = []
        self.limits: list[Limit] = []
        self.owners: list[Any] = []
        self.given_up = 0
        self.on_place: Any = None  # the callback for the place in the queue
        self.simpler: Any = None  # the callback for a warm-up bot's move

    async def _answer(self, request: tuple[str, Any], seconds: float | None) -> Any:
        self.requested.append(request)
        self.seconds.append(seconds)
        try:
            answer = await self.answers.get()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        try:
            if isinstance(answer, Exception):
                raise answer
            return answer
        finally:
            del answer  # otherwise the error and this frame refer to each other

    async def move(
        self,
        position: Position,
        who: str,
        *,
        seed: int,
        owner: Any,
        limit: Limit,
        on_place: Any = None,
        simpler: Any = None,
    ) -> str:
        self.owners.append(owner)
        self.limits.append(limit)
        self.on_place, self.simpler = on_place, simpler
        return str(await self._answer((position.text, who), limit.seconds))

    async def hint(self, position: Position, *, seconds: float, owner: str, on_place: Any = None) -> tuple[str, str]:
        self.on_place = on_place
        return await self._answer((position.text, None), seconds), "wins in 3 moves"

    async def check(
        self, position: Position, move: str, *, seconds: float, owner: str, on_place: Any = None
    ) -> dict[str, Any]:
        self.on_place = on_place
        answer: dict[str, Any] = await self._answer((position.text, move), seconds)
        return answer

    def state(self) -> dict[str, Any]:
        return {"ready": True, "compiling": None, "share": None, "waiting": 0, "running": 0}

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


class Guest:
    """A client of a room that reads all messages and keeps the state as a page does."""

    def __init__(self, room: Room, person: Person | None, *, reads: bool = True) -> None:
        self.room = room
        hidden = room.world.relations.hidden(person.id if person else None)
        self.connection = Connection(person.id if person else None, person.name if person else "", hidden=hidden)
        self.received: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        room.join(self.connection)
        self.reading = asyncio.create_task(self.read()) if reads else None

    async def read(self) -> None:
        while True:
            self.take(json.loads(await self.connection.next(lambda: self.room.subscribers.catch_up(self.connection))))

    def take(self, message: dict[str, Any]) -> None:
        self.received.append(message)
        match message["type"]:
            case "state":
                self.state = message
            case "played":
                self.state = played(self.state, message)
            case "around":
                self.state |= {key: value for key, value in message.items() if key != "type"}

    def leave(self) -> None:
        if self.reading:
            self.reading.cancel()
            self.reading = None  # its exception would refer to its frames
        self.room.leave(self.connection)

    async def send_text(self, text: str) -> None:
        await receive(self.room, self.connection, text)
        await run_pending()

    async def send(self, type_: str, **more: Any) -> None:
        await self.send_text(json.dumps({"type": type_, "at": self.room.game.at, **more}))

    async def chat(self, text: str) -> None:
        await self.send_text(json.dumps({"type": "say", "text": text}))

    async def play(self, *moves: str) -> None:
        for move in moves:
            await self.send("step", steps=move)

    def new(self, type_: str | None = None) -> list[dict[str, Any]]:
        """The messages received since the last call."""
        new, self.received = self.received, []
        return [message for message in new if type_ in (None, message["type"])]

    def errors(self) -> list[str]:
        return [message["error"] for message in self.new("error")]


def played(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The state after one more move, as a page updates it."""
    assert message["at"] == state["at"] + 1
    rest = {key: value for key, value in message.items() if key not in ("changes", "move")}
    return {
        **state,
        **rest,
        "type": "state",
        "svg": redrawn(state["svg"], message["changes"]),
        "moves": [*state["moves"], message["move"]],
    }


def redrawn(svg: str, changes: list[tuple[int, str]]) -> str:
    """A drawing with some of its lines changed."""
    lines = svg.split("\n")
    for number, line in changes:
        lines[number] = line
    return "\n".join(lines)


async def run_pending() -> None:
    """Let all tasks that are ready run."""
    for _ in range(8):
        await asyncio.sleep(0)


def same(guest: Guest, room: Room) -> Guest:
    """A second client of the same person."""
    return Guest(room, Person(guest.connection.person or 0, guest.connection.name))


class Scene:
    """The rooms of a server and their time; `wall` is the wall clock."""

    def __init__(self, store: Store, loop: Loop) -> None:
        self.store, self.loop, self.engines = store, loop, SlowEngines()
        self.wall = 1_800_000_000.0
        self.world = RoomEnvironment(store, self.engines, clock=lambda: loop.ahead, wall=lambda: self.wall)  # type: ignore[arg-type]
        self.rooms = Rooms(self.world)

    async def person(self, name: str = "") -> Person:
        return await self.store.add_person(os.urandom(16), name)

    async def room(self, *seats: str, by: Person | None = None, game: str = "pentago", **wish: Any) -> Room:
        given = {"game": game, "seats": list(seats) or None, **wish}
        return await self.rooms.make(read_game(Reader[NewRoom](NewRoom).value(given)), by or await self.person("Ada"))

    async def alone(self, *seats: str, **wish: Any) -> Guest:
        """A person at a new room."""
        ada = await self.person("Ada")
        guest = Guest(await self.room(*seats, by=ada, **wish), ada)
        await run_pending()
        return guest

    async def friends(self, *names: str, **wish: Any) -> tuple[Guest, ...]:
        """Persons who play each other; the first one makes the room."""
        first, *others = [await self.person(name) for name in names]
        room = await self.room("human", *("open" for _ in others), by=first, **wish)
        for person in others:
            await room.sit(person.id, person.name, None)
        guests = tuple(Guest(room, person) for person in (first, *others))
        await run_pending()
        for guest in guests:
            guest.new()
        return guests

    async def again(self) -> Scene:
        """A restarted server with the same store."""
        self.rooms.close()
        await run_pending()
        other = Scene(self.store, self.loop)
        other.wall = self.wall
        return other

    async def settle(self) -> None:
        """Wait until all pending writes and their effects are done."""
        for _ in range(3):
            await run_pending()
            await self.store.sweep(-1.0)  # waits behind all other writes
        await run_pending()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(TIMEOUT):
            while not is_so():
                await asyncio.sleep(0.001)

    async def wait(self, seconds: float) -> None:
        """Advance the clock."""
        self.loop.ahead += seconds
        await asyncio.sleep(0.001)
        await self.settle()


def scene(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test with a scene; its other parameters come from pytest."""

    def run(tmp_path: Path, **given: Any) -> None:
        store = Store.open(f"sqlite:///{tmp_path}/games.db", timeout=0.2)
        loop = Loop()

        async def whole() -> None:
            here = Scene(store, loop)
            try:
                await test(here, **given)
            finally:
                here.rooms.close()

        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(whole())
        finally:
            store.close()

    taken = list(inspect.signature(test).parameters.values())[1:]
    path = inspect.Parameter("tmp_path", inspect.Parameter.KEYWORD_ONLY)
    wanted = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in taken if each.name != "tmp_path"]
    run.__signature__ = inspect.Signature([path, *wanted])  # type: ignore[attr-defined]
    run.__name__, run.__doc__ = test.__name__, test.__doc__
    run.__dict__.update(test.__dict__)  # the marks of pytest
    return run
