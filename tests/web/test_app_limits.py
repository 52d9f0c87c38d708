"""Limits for each address: sockets, open games and background work."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pentad.jobs.fair_queue import QueueError, QueueLimits
from pentad.store.rows import Person
from pentad.web.api_types import NewRoom
from pentad.web.http import security, socket_pool
from pentad.web.http.client_address import owner_at
from pentad.web.http.exchange import ARRIVED, Caller
from pentad.web.http.ratelimit import Rate
from pentad.web.http.security import SecurityMiddleware
from pentad.web.http.socket_pool import ClientKind
from pentad.web.messages import StepMessage
from pentad.web.page_workers import BackgroundThreads
from pentad.web.rooms import registry
from pentad.web.rooms.registry import TooManyOpen, TooManyRooms, read_game
from pentad.web.rooms.room import Room
from pentad.web.typed_json import Reader
from tests.waiting import TIMEOUT
from tests.web.room_fixtures import Guest, Scene, run_pending, scene

MALLORY, CLASS = "203.0.113.1", "198.51.100.1"


# ── sockets ──────────────────────────────────────────────────────────────────────────────────────


class Socket:
    """A socket to the guard, as a server sees it."""

    def __init__(self, app: SecurityMiddleware, address: str | None, cookie: str = "", path: str = "/") -> None:
        headers = [(b"cookie", f"pentad={cookie}".encode())] if cookie else []
        headers.append((b"host", b"localhost"))
        if address:
            headers.append((b"x-forwarded-for", address.encode()))
        self.scope = {"type": "websocket", "path": path, "client": ("127.0.0.1", 1), "headers": headers, "scheme": "ws"}
        self.sent: list[Any] = []
        self.coming: asyncio.Queue[Any] = asyncio.Queue()
        self.coming.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(app(self.scope, self.coming.get, self._send))

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    def say(self, text: str) -> None:
        self.coming.put_nowait({"type": "websocket.receive", "text": text})

    async def leave(self) -> None:
        self.coming.put_nowait({"type": "websocket.disconnect"})
        await self.task

    @property
    def closed(self) -> dict[str, Any] | None:
        return next((each for each in self.sent if each["type"] == "websocket.close"), None)


class Known:
    """Clients by the beginnings of their cookies: forged ones, those of newcomers, and all others of players."""

    def __init__(self) -> None:
        self.looked: list[str] = []

    async def kind(self, key: str) -> ClientKind:
        self.looked.append(key)
        if key.startswith("forged"):
            return ClientKind.STRANGER
        return ClientKind.NEWCOMER if key.startswith("new") else ClientKind.PLAYER

    def is_recent(self, key: str) -> bool:
        return key == "ada" or key.startswith("player")

    async def plays_at(self, key: str, path: str) -> bool:
        return path == f"/api/rooms/{key}"


def echoing(clock: Callable[[], float] = time.monotonic) -> tuple[SecurityMiddleware, list[Any]]:
    """An application that accepts sockets and records what it receives."""
    received: list[Any] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            if message["type"] == "websocket.connect":
                await send({"type": "websocket.accept"})
            else:
                received.append(message)

    return SecurityMiddleware(app, clock=clock, clients=Known()), received


def open_ones(sockets: list[Socket]) -> list[int]:
    return [number for number, each in enumerate(sockets) if not each.closed]


def test_sockets_of_an_address_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 5)
    monkeypatch.setattr(security, "EXPLAINED", 2)
    monkeypatch.setattr(socket_pool, "OF_STRANGERS", 1)

    async def whole() -> None:
        app, _ = echoing()
        mine = [Socket(app, MALLORY) for _ in range(5)]
        await run_pending()
        assert not any(each.closed for each in mine)
        refused = Socket(app, MALLORY)
        await refused.task
        assert [each["type"] for each in refused.sent] == ["websocket.accept", "websocket.close"]
        assert refused.closed == {
            "type": "websocket.close",
            "code": security.TOO_MANY,
            "reason": "Too many connections from your address. Close some and try again.",
        }
        others = [Socket(app, address) for address in (CLASS, "2001:db8::1") for _ in range(5)]
        free = [Socket(app, None) for _ in range(50)]
        await run_pending()
        assert not any(each.closed for each in (*others, *free))
        assert Socket(app, "2001:db8::2").task  # both addresses are in the same /64
        late = Socket(app, "2001:db8::3")
        await late.task
        assert late.closed
        await mine[0].leave()
        again = Socket(app, MALLORY)
        await run_pending()
        assert not again.closed
        for each in (*mine[1:], again, *others, *free):
            await each.leave()
        assert not len(app._sockets)

    asyncio.run(whole())


def test_sockets_of_a_person_are_bounded_and_neighbours_can_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 12)

    async def whole() -> None:
        app, _ = echoing()
        mallory = [Socket(app, CLASS, "mallory") for _ in range(12)]
        strangers = [Socket(app, CLASS) for _ in range(12)]
        await run_pending()
        assert [sum(not each.closed for each in group) for group in (mallory, strangers)] == [3, 6]
        neighbours = [Socket(app, CLASS, name) for name in ("ada", "ada", "bob", "carol")]
        await run_pending()
        assert open_ones(neighbours) == [0, 1, 2, 3]
        assert len(open_ones(strangers)) == 5  # their address has twelve, and they have the most
        for each in (*mallory, *strangers, *neighbours):
            if not each.closed:
                await each.leave()
        assert not len(app._sockets)

    asyncio.run(whole())


def test_forged_cookies_are_no_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 12)

    async def whole() -> None:
        app, _ = echoing()
        forged = [Socket(app, CLASS, f"forged {number}") for number in range(12)]
        await run_pending()
        assert sum(not each.closed for each in forged) == 6  # those of all clients without a cookie from here
        neighbours = [Socket(app, CLASS, name) for name in ("ada", "bob")]
        await run_pending()
        assert not any(each.closed for each in neighbours)
        for each in (*forged, *neighbours):
            if not each.closed:
                await each.leave()
        assert not len(app._sockets)

    asyncio.run(whole())


def test_nothing_is_looked_up_for_an_address_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "ASK", Rate(2, 1e6))

    async def whole() -> None:
        app, _ = echoing()
        app._clients = known = Known()
        sockets = [Socket(app, CLASS, f"{number}") for number in range(20)]
        sockets += [Socket(app, None, "here"), Socket(app, MALLORY)]
        await run_pending()
        assert known.looked == ["0", "1"]
        for each in sockets:
            each.task.cancel()

    asyncio.run(whole())


def test_a_player_whose_neighbours_ask_too_much_keeps_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "ASK", Rate(16, 1e6))

    async def whole() -> None:
        app, _ = echoing()
        mallory = [Socket(app, CLASS) for _ in range(20)]
        await run_pending()
        assert len(open_ones(mallory)) == 16
        neighbours = [Socket(app, CLASS, name) for name in ("new", *["ada"] * 5)]
        await run_pending()
        assert open_ones(neighbours) == [1, 2, 3, 4]  # a quarter of the rate
        players = [Socket(app, CLASS, f"player {number}") for number in range(20)]
        await run_pending()
        assert len(open_ones(players)) == 12  # together they may ask as much again
        for each in (*mallory, *neighbours, *players):
            each.task.cancel()

    asyncio.run(whole())


def test_cookies_without_games_do_not_keep_neighbours_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 16)

    async def whole() -> None:
        app, _ = echoing()
        mallory = [Socket(app, CLASS, f"new {number % 4}") for number in range(16)]
        await run_pending()
        assert len(open_ones(mallory)) == 16
        first_visit = Socket(app, CLASS, "new honest")
        await run_pending()
        assert not first_visit.closed
        assert len(open_ones(mallory)) == 15
        many = [Socket(app, CLASS, f"new again {number}") for number in range(40)]  # a share for each cookie
        await run_pending()
        neighbours = [Socket(app, CLASS, name) for name in ("ada", "bob", "carol", "carol", "dora")]
        await run_pending()
        assert open_ones(neighbours) == [0, 1, 2, 3, 4]
        lost = next(each for each in mallory if each.closed)
        assert lost.sent[0]["type"] == "websocket.accept"
        assert lost.closed == {
            "type": "websocket.close",
            "code": security.TOO_MANY,
            "reason": "Too many connections from your address. Close some and try again.",
        }
        assert len(app._sockets) == 16
        for each in (*mallory, *many, first_visit, *neighbours):
            each.task.cancel()

    asyncio.run(whole())


def test_persons_of_a_full_address_have_equal_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 16)

    async def whole() -> None:
        app, _ = echoing()
        mallory = [Socket(app, CLASS, f"mallory {number % 4}") for number in range(16)]
        await run_pending()
        honest = [Socket(app, CLASS, "ada") for _ in range(4)]
        await run_pending()
        assert open_ones(honest) == [0, 1, 2]
        assert open_ones(mallory) == list(range(13))  # three of the four lost their last one
        again = [Socket(app, CLASS, f"mallory {number % 4}") for number in range(16)]
        await run_pending()
        assert open_ones(honest) == [0, 1, 2]
        for each in (*mallory, *honest, *again):
            each.task.cancel()

    asyncio.run(whole())


def test_a_player_returns_to_a_running_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 8)

    async def whole() -> None:
        app, _ = echoing()
        others = [Socket(app, CLASS, f"player {number}", "/api/rooms/other") for number in range(7)]
        others.append(Socket(app, CLASS, "reader"))
        await run_pending()
        refused = Socket(app, CLASS, "ada", "/api/rooms/another")
        await run_pending()
        assert refused.closed  # all others have one, too
        returned = [Socket(app, CLASS, "ada", "/api/rooms/ada")]
        await run_pending()
        assert open_ones(others) == list(range(7))  # those with games stay
        returned += [Socket(app, CLASS, "ada", "/api/rooms/ada") for _ in range(2)]
        await run_pending()
        assert open_ones(others) == list(range(7))
        assert open_ones(returned) == [2]  # in place of the same person's
        for each in (*others, *returned):
            each.task.cancel()

    asyncio.run(whole())


def test_sockets_of_wider_networks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 2)

    async def whole() -> None:
        app, _ = echoing()
        sockets = [Socket(app, f"2001:db8:1:{number:x}::1", f"{number}") for number in range(0, 1200, 10)]
        other = Socket(app, "2001:db8:2::1", "honest")
        await run_pending()
        of_56 = Counter(
            number // 256 for number, each in zip(range(0, 1200, 10), sockets, strict=True) if not each.closed
        )
        # Four times the limit of an address; in all sixteen times, of which the fifth network gets its part.
        assert of_56 == {0: 7, 1: 7, 2: 6, 3: 6, 4: 6}
        assert not other.closed
        for each in (*sockets, other):
            each.task.cancel()

    asyncio.run(whole())


def test_sockets_far_beyond_the_limit_get_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_pool, "MAX_SOCKETS_OF_ADDRESS", 1)
    monkeypatch.setattr(socket_pool, "OF_STRANGERS", 1)
    monkeypatch.setattr(security, "EXPLAINED", 1)

    async def whole() -> None:
        app, _ = echoing()
        first, second = Socket(app, MALLORY), Socket(app, MALLORY)
        second.coming.get_nowait()  # it does not begin
        await run_pending()
        third = Socket(app, MALLORY)
        await third.task
        assert [each["type"] for each in third.sent] == ["websocket.close"]  # it is closed before it is accepted
        second.coming.put_nowait({"type": "websocket.connect"})
        await second.task
        await first.leave()

    asyncio.run(whole())


def test_the_messages_of_an_address_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MESSAGES", Rate(10, 1e6))
    monkeypatch.setattr(socket_pool, "OF_STRANGERS", 1)

    async def whole() -> None:
        app, received = echoing()
        sockets = [Socket(app, MALLORY) for _ in range(4)] + [Socket(app, CLASS), Socket(app, None)]
        for each in sockets:
            for _ in range(6):
                each.coming.put_nowait({"type": "websocket.receive", "text": each.scope["headers"][-1][1]})
        for _ in range(10):
            await run_pending()
        assert Counter(each["text"] for each in received) == {MALLORY.encode(): 10, CLASS.encode(): 6, b"localhost": 6}
        for each in sockets:
            each.task.cancel()

    asyncio.run(whole())


def test_the_messages_of_a_person_do_not_delay_those_of_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MESSAGES", Rate(8, 1e6))

    async def whole() -> None:
        app, received = echoing()
        for number in range(50):
            Socket(app, CLASS, "mallory").say(f"{number}")
        Socket(app, CLASS, "ada").say("a2 1C")
        for _ in range(10):
            await run_pending()
        assert [each["text"] for each in received] == ["0", "1", "a2 1C"]
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(whole())


def test_the_messages_of_many_persons_do_not_delay_those_of_a_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MESSAGES", Rate(40, 1e6))

    async def whole() -> None:
        app, received = echoing()
        many = [Socket(app, CLASS, f"mallory {number % 9}") for number in range(36)]
        ada = Socket(app, CLASS, "ada")
        await run_pending()
        for _ in range(10):
            for each in many:
                each.say("flood")
        for _ in range(30):
            await run_pending()
        flood = len(received)
        for number in range(5):
            ada.say(f"{number}")
        for _ in range(10):
            await run_pending()
        assert [each["text"] for each in received[flood:]] == ["0", "1", "2", "3"]  # a tenth of them
        assert 40 <= flood <= 80  # as many as an address may send, and the parts of those who come late
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(whole())


def test_a_message_has_the_time_of_its_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MESSAGES", Rate(4, 0.04))

    async def whole() -> None:
        now = [5.0]
        app, received = echoing(lambda: now[0])
        socket = Socket(app, CLASS, "ada")
        socket.say("first")
        socket.say("second")
        await run_pending()
        now[0] = 9.0
        while len(received) < 2:
            await asyncio.sleep(0.001)
        assert [each[ARRIVED] for each in received] == [5.0, 5.0]
        await socket.leave()

    asyncio.run(whole())


# ── open games ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MOST_OF_PERSON", 3)
    monkeypatch.setattr(registry, "MOST_OF_ADDRESS", 5)


TIMED = read_game(
    Reader[NewRoom](NewRoom).value({"game": "pentago", "seats": ["human", "open"], "time": {"main": 86400}})
)


async def begins(here: Scene, person: Person, address: str) -> Guest:
    """A game with a running clock and no client."""
    room = await here.rooms.make(TIMED, person, address)
    other = await here.person("Bob")
    await room.sit(other.id, other.name, None)
    guests = [Guest(room, each) for each in (person, other)]
    await run_pending()
    await guests[0].play(str(room.game.position.legal_moves[0]))
    await guests[1].play(str(room.game.position.legal_moves[0]))
    for guest in guests:
        guest.leave()
    await here.settle()
    return guests[0]


@scene
async def test_open_games_of_a_person_are_bounded(here: Scene) -> None:
    ada, bob = await here.person("Ada"), await here.person("Bob")
    games = [await begins(here, ada, MALLORY) for _ in range(3)]
    await here.wait(3600)
    with pytest.raises(TooManyOpen, match="You have 3 open games"):
        await here.rooms.make(TIMED, ada, MALLORY)
    await here.rooms.make(TIMED, bob, MALLORY)
    again = Guest(await here.rooms.get(games[0].room.name), ada)  # type: ignore[arg-type]
    await again.send("resign")
    await here.settle()
    await here.rooms.make(TIMED, ada, MALLORY)


@scene
async def test_open_games_of_an_address_are_bounded_and_others_can_play(here: Scene) -> None:
    for number in range(5):
        await begins(here, await here.person(f"Mallory {number}"), MALLORY)
    await here.wait(3600)
    one_more = await here.person("Mallory")
    with pytest.raises(TooManyOpen, match="Your address has 5 open games"):
        await here.rooms.make(TIMED, one_more, MALLORY)
    await here.rooms.make(TIMED, one_more, CLASS)
    await here.rooms.sweep()
    with pytest.raises(TooManyOpen):
        await here.rooms.make(TIMED, one_more, MALLORY)
    for _ in range(20):
        await here.rooms.make(TIMED, one_more)  # a direct connection from this machine


@scene
async def test_open_games_of_a_network_are_bounded(here: Scene) -> None:
    addresses = [f"2001:db8:1:{number:x}::/64" for number in range(5)]
    for number in range(20):
        await here.rooms.make(TIMED, await here.person(f"Mallory {number}"), addresses[number % 4])
    with pytest.raises(TooManyOpen, match="Your network has 20 open games"):
        await here.rooms.make(TIMED, await here.person("Mallory"), addresses[4])
    await here.rooms.make(TIMED, await here.person("Ada"), "2001:db8:1:100::/64")


@scene
async def test_makers_without_open_games_are_forgotten(here: Scene) -> None:
    ada = await here.person("Ada")
    for number in range(20):
        with contextlib.suppress(TooManyRooms):
            here.rooms.most = 0
            await here.rooms.make(TIMED, ada, f"203.0.113.{number}")
    assert here.rooms._made == {}


@scene
async def test_games_created_at_the_same_time_are_counted(here: Scene) -> None:
    ada = await here.person("Ada")
    made = await asyncio.gather(*(here.rooms.make(TIMED, ada, MALLORY) for _ in range(50)), return_exceptions=True)
    assert sum(isinstance(each, TooManyOpen) for each in made) == 47


@scene
async def test_games_without_clients_are_not_open(here: Scene) -> None:
    ada = await here.person("Ada")
    for _ in range(20):
        await here.rooms.make(TIMED, ada, MALLORY)  # without a move no clock runs
        await here.wait(registry.CONNECT_SECONDS + 1)
    await here.wait(registry.IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert here.rooms._made == {}


@scene
async def test_a_rematch_counts_as_a_new_game(here: Scene) -> None:
    ada = await here.person("Ada")
    old = Guest(
        await here.rooms.make(read_game(Reader[NewRoom](NewRoom).value({"game": "pentago"})), ada, MALLORY), ada
    )
    await run_pending()
    await old.send("resign")
    for _ in range(3):
        await begins(here, ada, MALLORY)
    with pytest.raises(TooManyOpen):
        await here.rooms.again(old.room, ada, MALLORY)
    await here.rooms.again(old.room, ada)


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────

AGAINST_BOT = read_game(
    Reader[NewRoom](NewRoom).value({"game": "pentago", "seats": ["human", "greedy"], "time": {"main": 86400}})
)


async def moves_and_leaves(room: Room, person: Person, address: str) -> None:
    """A client moves and disconnects before the bot begins its search."""
    guest = Guest(room, person, reads=False)
    guest.connection.address = address
    step = {"type": "step", "at": room.game.at, "steps": str(room.game.position.legal_moves[0])}
    await room.receive(guest.connection, Reader[StepMessage](StepMessage).value(step))
    guest.leave()


@scene
async def test_a_bots_search_belongs_to_the_last_mover(here: Scene) -> None:
    ada = await here.person("Ada")
    room = await here.rooms.make(AGAINST_BOT, ada, CLASS)
    assert room.owner() == owner_at(ada.id, CLASS)  # its maker, before any client is there
    await moves_and_leaves(room, ada, MALLORY)
    await here.settle()
    assert here.engines.owners == [owner_at(ada.id, MALLORY)]


@scene
async def test_a_bots_search_in_a_loaded_room_belongs_to_the_client_that_opened_it(here: Scene) -> None:
    ada = await here.person("Ada")
    room = await here.rooms.make(AGAINST_BOT, ada, CLASS)
    await moves_and_leaves(room, ada, CLASS)
    there = await here.again()
    back = await there.rooms.get(room.name, MALLORY)
    assert back
    await there.settle()
    assert there.engines.owners == [owner_at(room.name, MALLORY)]
    there.rooms.close()


# ── work in threads ──────────────────────────────────────────────────────────────────────────────


def test_background_work_is_fair_by_address() -> None:
    """After forty jobs of one address, the job of another one is next."""

    async def whole() -> None:
        background, order, go_on = BackgroundThreads(), list[str](), threading.Event()

        def work(who: str) -> None:
            go_on.wait(TIMEOUT)
            order.append(who)

        many = [asyncio.create_task(background(Caller(address=MALLORY), work, "mallory")) for _ in range(40)]
        await run_pending()
        one = asyncio.create_task(background(Caller(address=CLASS), work, "honest"))
        await run_pending()
        go_on.set()
        await asyncio.gather(*many, one)
        assert order.index("honest") <= 4

    asyncio.run(whole())


def test_waiting_background_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentad.web.page_workers.WAIT", QueueLimits(10, 5, 5))

    async def whole() -> None:
        background, go_on = BackgroundThreads(), threading.Event()
        many = [asyncio.create_task(background(Caller(address=MALLORY), go_on.wait, TIMEOUT)) for _ in range(20)]
        await run_pending()
        one = asyncio.create_task(background(Caller(address=CLASS), go_on.wait, TIMEOUT))
        await run_pending()
        go_on.set()
        found = await asyncio.gather(*many, one, return_exceptions=True)
        assert sum(isinstance(each, QueueError) for each in found) == 13
        assert found[-1] is True

    asyncio.run(whole())
