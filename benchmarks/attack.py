"""Latencies of an honest player before, during and after attacks on the server.

python -m benchmarks attack [--only ATTACK] [--seconds S] [--addresses N] [--clients N]

The benchmark starts a server on loopback in its own process. An honest player plays against a bot and against another
person, move by move, and sometimes requests an analysis. All clients send their addresses in `X-Forwarded-For`, because
direct connections have no limits. The attackers are a second process, which stops by itself.

queue    60 identities from one address open 300 sockets and keep requesting analyses, reviews and exact values
explore  60 sockets start explorations and stop them within two seconds
board    40 clients draw boards in parallel (`POST /api/board`)
flood    40 clients request pictures in parallel (`GET /api/board.svg`), each request from a new address
files    40 clients send files of games in parallel (`POST /api/study/games`), each request from a new address
storage  an address and 16 networks of one /48 store studies of 1 MB, as a new person whenever one has no more room
networks 60 clients ask for hints, as many for rooms, explorations and pages, each request from another /64 of one /48
cookies  300 sockets with forged cookies send messages from the honest player's own address, as a neighbour could
given    the same with 40 cookies that the server gave to identities without a game
chat     40 identities from one address watch an open game, and write in its chat without pause

The honest player finishes a game before the first attack, so that no kernel is compiled later.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.figures import machine

if TYPE_CHECKING:
    from pentad.record import Record

IDENTITIES, SOCKETS, CLIENTS, EXPLORATIONS, NETWORKS, TROLLS, GIVEN = 60, 300, 40, 60, 60, 40, 40

STORING, CHAPTERS = 16, 16  # networks that store studies, and the chapters of each study
MEGABYTE = 1 << 20
NO_LIMITS = httpx.Limits(max_connections=None)
PAUSE_SECONDS = 0.1  # the honest player makes a move after each
TIMEOUT_SECONDS = 30.0
ROOM_PAUSE_SECONDS = 3.0  # an address may make one room in two seconds
LINE_SECONDS = {"player": 2.5, "watcher": 10.5}  # between the messages of one person in a chat
BOT = "engine@2"
HONEST, OTHER, THIRD = "198.51.100.7", "198.51.100.8", "198.51.100.9"
ENGINE = "/api/study/engine"
READY = "ready"  # printed by the attackers when their sockets are open
SETUP_SECONDS, MAX_ATTACK_SECONDS = 60.0, 300.0
OPENED_SECONDS = 5.0
RETRY_SECONDS = 0.2  # an attacker then retries a refused request


def forwarded(address: str, cookie: str = "") -> dict[str, str]:
    """The headers of a client with this address."""
    return {"X-Forwarded-For": address} | ({"Cookie": f"pentad={cookie}"} if cookie else {})


def open_socket(url: str, path: str, headers: dict[str, str]) -> connect:
    """Opens a socket to the server; used by attackers and by the honest player."""
    address = f"{url.replace('http', 'ws')}{path}"
    return connect(address, additional_headers=headers, max_size=None, open_timeout=TIMEOUT_SECONDS)


# ── the honest player ────────────────────────────────────────────────────────────────────────────


@dataclass
class Times:
    """The durations of a kind of request, and its failures."""

    what: str
    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def line(self) -> str:
        if not self.seconds:
            return f"{self.what:<22} none answered, {len(self.failed)} failed {'; '.join(self.failed[:1])}"
        cuts = statistics.quantiles(self.seconds, n=100) if len(self.seconds) > 1 else [self.seconds[0]] * 99
        half, most, worst = (1e3 * each for each in (cuts[49], cuts[98], max(self.seconds)))
        return (
            f"{self.what:<22} {len(self.seconds):>5} p50 {half:>8.1f} ms  p99 {most:>8.1f} ms  worst {worst:>8.1f} ms"
            f"  failed {len(self.failed)} {'; '.join(self.failed[:1])}"
        )

    @contextlib.asynccontextmanager
    async def counting_failures(self) -> AsyncIterator[None]:
        """Counts refusals and broken connections, and waits before the next try."""
        try:
            yield
        except (OSError, RuntimeError, httpx.HTTPError, WebSocketException) as failed:
            self.failed.append(f"{type(failed).__name__}: {failed}")
            await asyncio.sleep(RETRY_SECONDS)


class Client:
    """A player with a socket in a room, who plays random moves."""

    def __init__(self, socket: ClientConnection, seat: int, rng: random.Random) -> None:
        self.socket, self.seat, self.rng = socket, seat, rng
        self.state: dict[str, Any] = {}

    async def receive(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Waits for a message that meets a condition."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["type"] in ("state", "played"):
                    self.state |= message
                if message.get("trouble"):
                    raise RuntimeError(message["trouble"])
                if message["type"] == "error":
                    raise RuntimeError(message["error"])
                if condition(message):
                    return message

    async def move(self) -> float:
        """Plays a whole turn; returns the time at which its last step was sent."""
        choices, steps = self.state["choices"], ""
        may_end = False
        while True:
            end = may_end and bool(steps)
            if not end:
                steps = f"{steps} {self.rng.choice(choices)['step']}".strip()
            sent = time.perf_counter()
            at = self.state["at"]
            await self.socket.send(json.dumps({"type": "step", "at": at, "steps": steps, "end": end}))
            reply = await self.receive(lambda each: each["type"] in ("turn", "played", "state"))
            if reply["type"] != "turn":
                return sent
            choices, may_end = reply["choices"], reply["may_end"]

    def is_mine(self, message: dict[str, Any]) -> bool:
        return message["type"] in ("state", "played") and (message["outcome"] or message["turn"] == self.seat)


async def against_bot(url: str, stop: asyncio.Event, times: Times) -> None:
    """Games against a bot: the time from a move to the bot's move."""
    rng = random.Random(1)
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, headers=forwarded(HONEST)) as client:
        while not stop.is_set():
            async with times.counting_failures():
                made = await client.post("/api/rooms", json={"game": "pente", "seats": ["human", BOT]})
                made.raise_for_status()
                cookie = made.cookies.get("pentad") or client.cookies["pentad"]
                async with open_socket(url, f"/api/rooms/{made.json()['room']}", forwarded(HONEST, cookie)) as socket:
                    player = Client(socket, 0, rng)
                    await player.receive(player.is_mine)
                    while not stop.is_set() and not player.state["outcome"]:
                        sent = await player.move()
                        if not player.state["outcome"] and player.state["turn"] != 0:
                            await player.receive(player.is_mine)
                        times.seconds.append(time.perf_counter() - sent)
                        await asyncio.sleep(PAUSE_SECONDS)


async def against_person(url: str, stop: asyncio.Event, times: Times) -> None:
    """Games between two people: the time from a move to the other's screen."""
    rng = random.Random(2)
    while not stop.is_set():
        async with times.counting_failures():
            cookies, room = [], ""
            for address in (HONEST, OTHER):
                async with httpx.AsyncClient(
                    base_url=url, timeout=TIMEOUT_SECONDS, headers=forwarded(address)
                ) as client:
                    path = f"/api/rooms/{room}/seats" if room else "/api/rooms"
                    made = await client.post(path, json={} if room else {"game": "pente", "seats": ["human", "open"]})
                    made.raise_for_status()
                    room = made.json()["room"]
                    cookies.append(made.cookies["pentad"])
            async with contextlib.AsyncExitStack() as stack:
                players = []
                for seat, address in enumerate((HONEST, OTHER)):
                    opening = open_socket(url, f"/api/rooms/{room}", forwarded(address, cookies[seat]))
                    players.append(Client(await stack.enter_async_context(opening), seat, rng))
                    await players[-1].receive(lambda each: each["type"] == "state")
                while not stop.is_set() and not players[0].state["outcome"]:
                    seat = players[0].state["turn"]
                    mine, other = players[seat], players[1 - seat]
                    waiting = asyncio.create_task(other.receive(lambda each: each["type"] == "played"))
                    sent = await mine.move()
                    await waiting
                    times.seconds.append(time.perf_counter() - sent)
                    await asyncio.sleep(PAUSE_SECONDS)


async def analysing(url: str, stop: asyncio.Event, times: Times) -> None:
    """Short analyses: the time to the first report."""
    number = 0
    while not stop.is_set():
        number += 1
        request = {"type": "analyse", "number": number, "position": position("pente"), "seconds": 0.5}
        async with times.counting_failures(), open_socket(url, ENGINE, forwarded(THIRD)) as socket:
            begun = time.perf_counter()
            await socket.send(json.dumps(request))
            async with asyncio.timeout(4 * TIMEOUT_SECONDS):
                while (message := json.loads(await socket.recv()))["type"] == "waiting":
                    if stop.is_set() and time.perf_counter() - begun < 1:
                        return
            if message["type"] == "error":
                raise RuntimeError(message["error"])
            times.seconds.append(time.perf_counter() - begun)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1.0)


async def visiting(url: str, stop: asyncio.Event, times: Times) -> None:
    """Pages with a board: the time to the whole page."""
    query = {"position": position("pente"), "moves": "K10_L11"}
    async with httpx.AsyncClient(base_url=url, timeout=2 * TIMEOUT_SECONDS, headers=forwarded(OTHER)) as client:
        while not stop.is_set():
            async with times.counting_failures():
                begun = time.perf_counter()
                (await client.get("/analyse", params=query)).raise_for_status()
                times.seconds.append(time.perf_counter() - begun)
                await asyncio.sleep(PAUSE_SECONDS)


async def opening(url: str, stop: asyncio.Event, times: Times) -> None:
    """New rooms: the time to the answer."""
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, headers=forwarded(THIRD)) as client:
        while not stop.is_set():
            async with times.counting_failures():
                begun = time.perf_counter()
                (await client.post("/api/rooms", json={"game": "pente", "seats": ["human", "open"]})).raise_for_status()
                times.seconds.append(time.perf_counter() - begun)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), ROOM_PAUSE_SECONDS)


async def chatting(url: str, stop: asyncio.Event, times: Times, who: str, room_made: asyncio.Future[str]) -> None:
    """Chat messages of a player or a watcher of an open game: the time to another watcher's screen."""
    async with contextlib.AsyncExitStack() as stack:
        client = httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, headers=forwarded(THIRD))
        await stack.enter_async_context(client)
        if who == "player":
            wish = {"game": "pente", "seats": ["human", "open"], "listed": True, "name": "Ada"}
            made = await client.post("/api/rooms", json=wish)
        else:
            made = await client.put("/api/me", json={"name": "Cleo"})
        made.raise_for_status()
        if who == "player":
            room_made.set_result(made.json()["room"])
        room = await room_made
        headers = forwarded(THIRD, client.cookies["pentad"])
        writer = await stack.enter_async_context(open_socket(url, f"/api/rooms/{room}", headers))
        reader = await stack.enter_async_context(open_socket(url, f"/api/rooms/{room}", forwarded(OTHER)))
        number = 0
        while not stop.is_set():
            async with times.counting_failures():
                number += 1
                text, begun = f"{who} {number}", time.perf_counter()
                await writer.send(json.dumps({"type": "say", "text": text}))
                await shown(writer, reader, text)
                times.seconds.append(time.perf_counter() - begun)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), LINE_SECONDS[who])


async def shown(writer: ClientConnection, reader: ClientConnection, text: str) -> None:
    """Waits until the reader gets a chat message; an error of the writer is raised."""

    async def refused() -> None:
        while (message := json.loads(await writer.recv()))["type"] != "error":
            pass
        raise RuntimeError(message["error"])

    async def received() -> None:
        while json.loads(await reader.recv()).get("text") != text:
            pass

    tasks = [asyncio.create_task(refused()), asyncio.create_task(received())]
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()


def position(game: str) -> str:
    from pentad.game import new

    return new(game).text


def random_game(moves: int = 60) -> Record:
    """The first moves of a game of Pente."""
    from pentad.game import new
    from pentad.record import Record

    record, rng = Record(new("pente")), random.Random(3)
    for _ in range(moves):
        if record.position.outcome:
            break
        record.play(rng.choice(record.position.legal_moves))
    return record


# ── the attackers ────────────────────────────────────────────────────────────────────────────────


def address(number: int) -> str:
    return f"203.0.113.{1 + number % 250}"


@dataclass
class Plan:
    """The target of an attack, and its numbers of addresses, clients and seconds."""

    url: str
    addresses: int
    clients: int
    seconds: float
    until: float = 0.0

    def begin(self) -> None:
        """Starts the clock once the clients are connected."""
        self.until = time.monotonic() + self.seconds
        print(READY, flush=True)

    @property
    def is_running(self) -> bool:
        return time.monotonic() < self.until


async def attack_queue(plan: Plan) -> dict[str, int]:
    """Identities with sockets that send all kinds of requests without pause."""
    url, addresses = plan.url, plan.addresses
    plan.until = time.monotonic() + SETUP_SECONDS + plan.seconds
    count = {"refused": 0, "answers": 0, "sockets": 0}
    who: list[tuple[str, str]] = []
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as client:
        for number in range(IDENTITIES):
            headers = forwarded(address(number % addresses))
            client.cookies.clear()
            named = await client.put("/api/me", json={"name": f"Mallory {number}"}, headers=headers)
            if named.status_code == 200:
                who.append((headers["X-Forwarded-For"], named.cookies["pentad"]))
            else:
                count["refused"] += 1
    start, record = position("pente"), random_game().text
    requests = [
        {"type": "analyse", "number": 1, "position": start, "seconds": 60, "lines": 5},
        {"type": "review", "number": 2, "record": record, "seconds": 5},
        {"type": "values", "number": 3, "position": position("pentago")},
    ]

    tried: set[int] = set()

    def has_tried(number: int) -> None:
        tried.add(number)
        if len(tried) == SOCKETS:
            plan.begin()

    async def one(number: int) -> None:
        headers = forwarded(*who[number % len(who)])
        while plan.is_running:
            try:
                async with open_socket(url, ENGINE, headers) as socket:
                    count["sockets"] += 1
                    if number not in tried:
                        has_tried(number)
                    for request in requests:
                        await socket.send(json.dumps(request))
                    while plan.is_running:
                        message = json.loads(await asyncio.wait_for(socket.recv(), plan.until - time.monotonic() + 1))
                        count["answers"] += message["type"] not in ("error", "waiting")
                        if message["type"] in ("error", "done"):
                            count["refused"] += message["type"] == "error"
                            await asyncio.sleep(RETRY_SECONDS)
                            same = [each for each in requests if each["number"] == message.get("number")]
                            await socket.send(json.dumps((same or requests)[0]))
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                if number not in tried:
                    has_tried(number)
                await asyncio.sleep(RETRY_SECONDS)

    if who:
        await asyncio.gather(*(one(number) for number in range(SOCKETS)))
    return count


async def attack_explore(plan: Plan) -> dict[str, int]:
    """Explorations that are stopped right after they start."""
    url, addresses = plan.url, plan.addresses
    plan.begin()
    count = {"done": 0, "errors": 0, "refused": 0}
    request = {"type": "explore", "states": 2_000_000, "seconds": 10}

    async def one(number: int) -> None:
        rng = random.Random(number)
        headers = forwarded(address(number % addresses))
        while plan.is_running:
            try:
                async with open_socket(url, "/api/models/pentago/explore", headers) as socket:
                    while plan.is_running:
                        await socket.send(json.dumps(request))
                        while True:
                            message = json.loads(
                                await asyncio.wait_for(socket.recv(), plan.until - time.monotonic() + 5)
                            )
                            if message["type"] == "waiting" and not message["place"]:
                                await asyncio.sleep(2 * rng.random())
                                await socket.send('{"type": "stop"}')
                            elif message["type"] in ("done", "error"):
                                count["done" if message["type"] == "done" else "errors"] += 1
                                break
                        if message["type"] == "error":
                            await asyncio.sleep(RETRY_SECONDS)
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                await asyncio.sleep(RETRY_SECONDS)

    await asyncio.gather(*(one(number) for number in range(EXPLORATIONS)))
    return count


async def attack_board(plan: Plan) -> dict[str, int]:
    """Boards, requested one after the other by each client."""
    body = json.dumps({"position": position("pente")}).encode()
    head = f"POST /api/board HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return await _requests(plan, lambda client, _: (head, address(client % plan.addresses), body))


async def attack_flood(plan: Plan) -> dict[str, int]:
    """Pictures, each requested from a new address."""
    path = f"/api/board.svg?{httpx.QueryParams({'position': position('pente')})}"
    head = f"GET {path} HTTP/1.1\r\n"
    return await _requests(plan, lambda client, turn: (head, f"10.{client}.{turn // 250 % 250}.{turn % 250}", b""))


async def attack_files(plan: Plan) -> dict[str, int]:
    """Files of short games, each from a new address."""
    body = json.dumps({"text": ("1. K10 L11 *\n" * 6000)[: 13 * 4900], "game": "pente"}).encode()
    head = f"POST /api/study/games HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return await _requests(plan, lambda client, turn: (head, f"10.{client}.{turn // 250 % 250}.{turn % 250}", body))


async def attack_networks(plan: Plan) -> dict[str, int]:
    """Hints, rooms, explorations and pages, each asked for from a new /64 of one /48."""
    count, numbers, middle = dict[str, int](), itertools.count(), random_game(6).position.text
    page = f"/analyse?{httpx.QueryParams({'position': position('pente'), 'moves': 'K10_L11'})}"

    def somewhere() -> str:
        return f"2001:db8:1:{next(numbers) % 65536:x}::1"

    async def make(client: httpx.AsyncClient) -> tuple[str, str]:
        """A new room against a bot, and the cookie of its player."""
        body = {"game": "pente", "position": middle}
        made = await client.post("/api/rooms", json=body, headers=forwarded(somewhere()))
        made.raise_for_status()
        return f"/api/rooms/{made.json()['room']}", made.cookies["pentad"]

    async def ask_hint(client: httpx.AsyncClient) -> None:
        path, cookie = await make(client)
        for _ in range(10):
            await ask(path, {"type": "hint", "at": 0}, "hint", cookie)
            count["hint"] = count.get("hint", 0) + 1

    async def open_room(client: httpx.AsyncClient) -> None:
        path, cookie = await make(client)
        held.append(await open_socket(plan.url, path, forwarded(somewhere(), cookie)))

    async def explore(_: httpx.AsyncClient) -> None:
        await ask("/api/models/pentago/explore", {"type": "explore", "states": 2_000_000, "seconds": 10}, "done")

    async def visit(client: httpx.AsyncClient) -> None:
        (await client.get(page, headers=forwarded(somewhere()))).raise_for_status()

    async def ask(path: str, request: dict[str, Any], answer: str, cookie: str = "") -> None:
        async with open_socket(plan.url, path, forwarded(somewhere(), cookie)) as socket:
            await socket.send(json.dumps(request))
            while (message := json.loads(await socket.recv()))["type"] != answer:
                if message["type"] == "error":
                    raise RuntimeError(message["error"])

    async def one(work: Callable[[httpx.AsyncClient], Coroutine[Any, Any, None]], client: httpx.AsyncClient) -> None:
        while plan.is_running:
            try:
                async with asyncio.timeout(plan.until - time.monotonic()):
                    await work(client)
                what = work.__name__
            except (OSError, RuntimeError, httpx.HTTPError, WebSocketException) as failed:
                what = f"{work.__name__}: {type(failed).__name__}"
                await asyncio.sleep(RETRY_SECONDS)
            count[what] = count.get(what, 0) + 1

    held: list[ClientConnection] = []
    async with httpx.AsyncClient(base_url=plan.url, timeout=TIMEOUT_SECONDS, limits=NO_LIMITS) as client:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each request has its own
        plan.begin()
        kinds = ask_hint, open_room, explore, visit
        await asyncio.gather(*(one(work, client) for work in kinds for _ in range(NETWORKS)))
    return count


async def attack_cookies(plan: Plan) -> dict[str, int]:
    """Sockets with cookies that the server never gave, from the address of the honest player."""
    return await _attack_neighbour(plan, [f"forged{number}" for number in range(SOCKETS)])


async def attack_given(plan: Plan) -> dict[str, int]:
    """Sockets with cookies of persons who have never played, from the address of the honest player."""
    async with httpx.AsyncClient(base_url=plan.url, timeout=TIMEOUT_SECONDS) as client:
        given = await _named(client, "Mallory", GIVEN)
    return await _attack_neighbour(plan, given)


async def _named(client: httpx.AsyncClient, name: str, count: int) -> list[str]:
    """The cookies of new persons at one address."""
    cookies = []
    for number in range(count):
        client.cookies.clear()
        answer = await client.put("/api/me", json={"name": f"{name} {number}"}, headers=forwarded(address(0)))
        cookies.append(answer.cookies["pentad"])
    return cookies


async def _attack_neighbour(plan: Plan, cookies: Sequence[str]) -> dict[str, int]:
    """Sockets that send messages from the address of the honest player."""
    count = {"sockets": 0, "refused": 0, "messages": 0}
    async with httpx.AsyncClient(base_url=plan.url, timeout=TIMEOUT_SECONDS) as client:
        made = await client.post("/api/rooms", json={"game": "pente"}, headers=forwarded(address(0)))
        path = f"/api/rooms/{made.json()['room']}"
    plan.until = time.monotonic() + SETUP_SECONDS + plan.seconds
    tried: set[int] = set()

    def has_tried(number: int) -> None:
        if number not in tried:
            tried.add(number)
            if len(tried) == SOCKETS:
                plan.begin()

    async def one(number: int) -> None:
        while plan.is_running:
            try:
                async with open_socket(plan.url, path, forwarded(HONEST, cookies[number % len(cookies)])) as socket:
                    await socket.recv()
                    count["sockets"] += 1
                    has_tried(number)
                    reading = asyncio.create_task(_read(socket))
                    try:
                        while plan.is_running:
                            await socket.send('{"type": "here"}')
                            count["messages"] += 1
                            await asyncio.sleep(0.02)
                    finally:
                        reading.cancel()
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                has_tried(number)
                await asyncio.sleep(1.0)

    await asyncio.gather(*(one(number) for number in range(SOCKETS)))
    return count


async def _read(socket: ClientConnection) -> None:
    """Reads and forgets all messages."""
    with contextlib.suppress(WebSocketException):
        async for _ in socket:
            pass


async def attack_chat(plan: Plan) -> dict[str, int]:
    """Watchers of an open game who write as fast as they can."""
    count = {"written": 0, "refused": 0}
    async with httpx.AsyncClient(base_url=plan.url, timeout=TIMEOUT_SECONDS) as client:
        who = await _named(client, "Troll", TROLLS)
        plan.begin()
        await asyncio.sleep(OPENED_SECONDS)  # the honest player opens a game in this time
        games = (await client.get("/api/lobby", headers=forwarded(address(0)))).json()
        path = f"/api/rooms/{next(each['room'] for each in games if 'Ada' in each['seats'])}"

    async def one(cookie: str) -> None:
        while plan.is_running:
            try:
                async with open_socket(plan.url, path, forwarded(address(0), cookie)) as socket:
                    while plan.is_running:
                        await socket.send('{"type": "say", "text": "rubbish"}')
                        while (message := json.loads(await socket.recv()))["type"] != "error" and not message.get(
                            "mine"
                        ):
                            pass
                        count["refused" if message["type"] == "error" else "written"] += 1
                        await asyncio.sleep(RETRY_SECONDS)
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                await asyncio.sleep(RETRY_SECONDS)

    await asyncio.gather(*(one(cookie) for cookie in who))
    return count


async def attack_storage(plan: Plan) -> dict[str, int]:
    """Large studies from one address and from several networks of a /48: the megabytes that they store."""
    record = f'[Game "pente"]\n[Result "*"]\n\n{{{"x" * 63_000}}} *\n'
    body = json.dumps({"chapters": [{"record": record}] * CHAPTERS}).encode()
    count: dict[str, int] = {"address: MB": 0, "/48: MB": 0}
    stored = dict.fromkeys(count, 0)

    async def one(source: str, whose: str) -> None:
        async with httpx.AsyncClient(base_url=plan.url, timeout=None, headers=forwarded(source)) as client:
            while plan.is_running:
                answer = await client.post("/api/study/new", content=body)
                what = f"{answer.status_code}"
                if answer.status_code == 201:
                    stored[whose] += CHAPTERS * len(record)
                else:
                    what = answer.json()["error"].partition(",")[0]
                    client.cookies.clear()
                    await asyncio.sleep(RETRY_SECONDS)
                count[what] = count.get(what, 0) + 1

    plan.begin()
    networks = [f"2001:db8:1:{number << 8:x}::1" for number in range(STORING)]
    sources = [("203.0.113.1", "address: MB"), *((each, "/48: MB") for each in networks)]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(plan.seconds):
            await asyncio.gather(*(one(*each) for each in sources))
    return count | {whose: round(size / MEGABYTE) for whose, size in stored.items()}


async def _requests(plan: Plan, request: Callable[[int, int], tuple[str, str, bytes]]) -> dict[str, int]:
    """Runs clients that each send one request after the other; counts the replies by status."""
    parts, count = urlsplit(plan.url), dict[str, int]()
    plan.begin()

    async def one(number: int) -> None:
        turn = 0
        while plan.is_running:
            try:
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
                async with _closing(writer):
                    while plan.is_running:
                        turn += 1
                        head, source, body = request(number, turn)
                        writer.write(f"{head}Host: {parts.netloc}\r\nX-Forwarded-For: {source}\r\n\r\n".encode() + body)
                        reply = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                        status = reply.split()[1]
                        count[status] = count.get(status, 0) + 1
                        await reader.readexactly(int(reply.partition("content-length: ")[2].split()[0]))
                        if "connection: close" in reply:
                            break
            except (OSError, asyncio.IncompleteReadError):
                count["cut"] = count.get("cut", 0) + 1
                await asyncio.sleep(0.05)

    await asyncio.gather(*(one(number) for number in range(plan.clients)))
    return count


@contextlib.asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()


Play = Callable[[str, asyncio.Event, Times], Coroutine[Any, Any, None]]
Attack = Callable[[Plan], Coroutine[Any, Any, dict[str, int]]]
ATTACKS: dict[str, Attack] = {
    "queue": attack_queue,
    "explore": attack_explore,
    "board": attack_board,
    "flood": attack_flood,
    "files": attack_files,
    "storage": attack_storage,
    "networks": attack_networks,
    "cookies": attack_cookies,
    "given": attack_given,
    "chat": attack_chat,
}


# ── measurement ────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[str, Path]]:
    """Runs a server in a process; yields its address and its log file."""
    code = (
        "from pentad.web.serve import serve; from pentad.web.settings import Settings; "
        f"serve(Settings(port=0, database='sqlite:///{folder}/games.db', browser=False))"
    )
    log = Path(folder) / "log"
    with (
        log.open("wb") as errors,
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout
        try:
            yield process.stdout.readline().split()[3].rstrip("/"), log
        finally:
            process.send_signal(signal.SIGTERM)


async def honest(url: str, seconds: float | None, attack: asyncio.subprocess.Process | None) -> list[Times]:
    """Plays for some seconds, or during an attack."""
    stop, room_made = asyncio.Event(), asyncio.get_running_loop().create_future()
    plays: dict[str, Play] = {
        "bot's move": against_bot,
        "to the other's screen": against_person,
        "analysis, 1st report": analysing,
        "page": visiting,
        "new room": opening,
        "player's chat message": partial(chatting, who="player", room_made=room_made),
        "watcher's message": partial(chatting, who="watcher", room_made=room_made),
    }
    times = [Times(what) for what in plays]
    tasks = [asyncio.create_task(play(url, stop, each)) for play, each in zip(plays.values(), times, strict=True)]
    if attack:
        await attack.wait()
    else:
        await asyncio.sleep(seconds or 0)
    stop.set()
    _, late = await asyncio.wait(tasks, timeout=TIMEOUT_SECONDS + 5)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return times


async def measure(args: argparse.Namespace, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, server(folder) as (url, log):
        await ready(url)
        print(f"\n{name}: {args.addresses} address(es)")
        for phase in ("before", "during", "after"):
            lines = _lines(log)
            command = [
                sys.executable,
                "-m",
                "benchmarks.attack",
                "--attack",
                name,
                "--url",
                url,
                "--seconds",
                str(args.seconds),
            ]
            command += ["--addresses", str(args.addresses), "--clients", str(args.clients)]
            attacking = phase == "during"
            attack = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE) if attacking else None
            if attack and attack.stdout:
                await attack.stdout.readline()
            times = await honest(url, args.seconds / 2, attack)
            for each in times:
                print(f"  {phase:<7} {each.line()}")
            if attack and attack.stdout:
                counts = (await attack.stdout.read()).decode().strip()
                print(f"          attackers: {counts}; new log lines of the server: {_lines(log) - lines}", flush=True)


def _lines(log: Path) -> int:
    return log.read_bytes().count(b"\n")


async def ready(url: str) -> None:
    """Waits until the bots have moved, as the first compilation takes a while."""
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as client:
        while not (await client.get("/api/health")).json()["ready"]:
            await asyncio.sleep(0.2)
    for _ in range(20):
        if all(each.seconds for each in await honest(url, 5.0, None)):
            return


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=ATTACKS)
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds of each attack")
    parser.add_argument("--addresses", type=int, default=1, help="number of the attackers' addresses")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="number of parallel clients")
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if args.attack:
        if urlsplit(args.url or "").hostname != "127.0.0.1":
            parser.error("attacks are only allowed on the server that this program starts")
        os.nice(5)  # attackers elsewhere would not use the server's processor
        plan = Plan(args.url, args.addresses, args.clients, min(args.seconds, MAX_ATTACK_SECONDS))
        print(json.dumps(asyncio.run(ATTACKS[args.attack](plan))))
        return 0
    print(machine())
    for name in [args.only] if args.only else ATTACKS:
        asyncio.run(measure(args, name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
