"""Attacks on the server with an honest player beside them: latencies before, during and after.

python benchmarks/attack.py [--only queue|explore|board|flood] [--seconds S] [--addresses N] [--clients N]

A server is started on loopback in a process of its own. An honest player plays a bot, and another person, move by move,
and asks for an analysis now and then. All clients send their addresses through `X-Forwarded-For`, since a program that
connects directly is not bounded. The attackers are a second process: they stop by themselves after their seconds.

queue    60 identities from one address open 300 sockets and ask for analyses, reviews and exact values, over and over
explore  60 sockets start explorations and stop them within two seconds
board    40 clients at once draw boards (`POST /api/board`)
flood    40 clients at once ask for pictures (`GET /api/board.svg`), each request from an address of its own

The honest player's first game is over before the first attack, so that no kernel is compiled in between.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
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
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from rules import machine
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

IDENTITIES, SOCKETS, CLIENTS, EXPLORERS = 60, 300, 40, 60
PAUSE = 0.1  # seconds of the honest player between two moves
PATIENCE = 30.0  # seconds after which an answer has not come
BOT = "engine@2"
HONEST, OTHER, THIRD = "198.51.100.7", "198.51.100.8", "198.51.100.9"
ENGINE = "/api/study/engine"
READY = "ready"  # what the attackers say when their sockets are there
SETUP, LONGEST = 60.0, 300.0  # seconds that the attackers may take to connect, and then to attack
AGAIN = 0.2  # seconds after which an attacker who was refused asks again


def forwarded(address: str, cookie: str = "") -> dict[str, str]:
    """The headers of a client with this address."""
    return {"X-Forwarded-For": address} | ({"Cookie": f"pentad={cookie}"} if cookie else {})


def dial(url: str, path: str, headers: dict[str, str]) -> connect:
    """A socket of the server at this address; an attacker and an honest player ask for it alike."""
    address = f"{url.replace('http', 'ws')}{path}"
    return connect(address, additional_headers=headers, max_size=None, open_timeout=PATIENCE)


# ── the honest player ────────────────────────────────────────────────────────────────────────────


@dataclass
class Times:
    """The seconds that something took, and how often it failed."""

    what: str
    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def line(self) -> str:
        if not self.seconds:
            return f"{self.what:<22} none answered, {len(self.failed)} failed {'; '.join(self.failed[:1])}"
        cuts = statistics.quantiles(self.seconds, n=100) if len(self.seconds) > 1 else [self.seconds[0]] * 99
        half, most, worst = (1e3 * each for each in (cuts[49], cuts[98], max(self.seconds)))
        told = (
            f"{self.what:<22} {len(self.seconds):>5} p50 {half:>8.1f} ms  p99 {most:>8.1f} ms  worst {worst:>8.1f} ms"
        )
        return f"{told}  failed {len(self.failed)} {'; '.join(self.failed[:1])}"

    @contextlib.asynccontextmanager
    async def counting_failures(self) -> AsyncIterator[None]:
        """What the server refuses or breaks off is counted, and tried again after a pause."""
        try:
            yield
        except (OSError, RuntimeError, httpx.HTTPError, WebSocketException) as failed:
            self.failed.append(f"{type(failed).__name__}: {failed}")
            await asyncio.sleep(AGAIN)


class Client:
    """Somebody at one socket of one room, who plays at random."""

    def __init__(self, socket: ClientConnection, seat: int, chance: random.Random) -> None:
        self.socket, self.seat, self.chance = socket, seat, chance
        self.state: dict[str, Any] = {}

    async def hear(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message of which something is true."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["type"] in ("state", "played"):
                    self.state |= message
                if message.get("trouble"):
                    raise RuntimeError(message["trouble"])
                if message["type"] == "error":
                    raise RuntimeError(message["error"])
                if true(message):
                    return message

    async def move(self) -> float:
        """Play a whole turn; when its last step was sent."""
        choices, steps = self.state["choices"], ""
        may_end = False
        while True:
            end = may_end and bool(steps)
            if not end:
                steps = f"{steps} {self.chance.choice(choices)['step']}".strip()
            sent = time.perf_counter()
            at = self.state["at"]
            await self.socket.send(json.dumps({"type": "step", "at": at, "steps": steps, "end": end}))
            told = await self.hear(lambda each: each["type"] in ("turn", "played", "state"))
            if told["type"] != "turn":
                return sent
            choices, may_end = told["choices"], told["may_end"]

    def is_mine(self, message: dict[str, Any]) -> bool:
        return message["type"] in ("state", "played") and (message["outcome"] or message["turn"] == self.seat)


async def against_bot(url: str, stop: asyncio.Event, times: Times) -> None:
    """Games with a bot: how long it takes from a move to the bot's answer."""
    chance = random.Random(1)
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, headers=forwarded(HONEST)) as client:
        while not stop.is_set():
            async with times.counting_failures():
                made = await client.post("/api/rooms", json={"game": "pente", "seats": ["human", BOT]})
                made.raise_for_status()
                cookie = made.cookies.get("pentad") or client.cookies["pentad"]
                async with dial(url, f"/api/rooms/{made.json()['room']}", forwarded(HONEST, cookie)) as socket:
                    player = Client(socket, 0, chance)
                    await player.hear(player.is_mine)
                    while not stop.is_set() and not player.state["outcome"]:
                        sent = await player.move()
                        if not player.state["outcome"] and player.state["turn"] != 0:
                            await player.hear(player.is_mine)
                        times.seconds.append(time.perf_counter() - sent)
                        await asyncio.sleep(PAUSE)


async def against_person(url: str, stop: asyncio.Event, times: Times) -> None:
    """Games between two people: how long it takes from a move to the other's screen."""
    chance = random.Random(2)
    while not stop.is_set():
        async with times.counting_failures():
            cookies, room = [], ""
            for address in (HONEST, OTHER):
                async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, headers=forwarded(address)) as client:
                    path = f"/api/rooms/{room}/seats" if room else "/api/rooms"
                    made = await client.post(path, json={} if room else {"game": "pente", "seats": ["human", "open"]})
                    made.raise_for_status()
                    room = made.json()["room"]
                    cookies.append(made.cookies["pentad"])
            async with contextlib.AsyncExitStack() as stack:
                players = []
                for seat, address in enumerate((HONEST, OTHER)):
                    dialled = dial(url, f"/api/rooms/{room}", forwarded(address, cookies[seat]))
                    players.append(Client(await stack.enter_async_context(dialled), seat, chance))
                    await players[-1].hear(lambda each: each["type"] == "state")
                while not stop.is_set() and not players[0].state["outcome"]:
                    seat = players[0].state["turn"]
                    mine, other = players[seat], players[1 - seat]
                    hearing = asyncio.create_task(other.hear(lambda each: each["type"] == "played"))
                    sent = await mine.move()
                    await hearing
                    times.seconds.append(time.perf_counter() - sent)
                    await asyncio.sleep(PAUSE)


async def analysing(url: str, stop: asyncio.Event, times: Times) -> None:
    """Short analyses: how long it takes until the first report."""
    number = 0
    while not stop.is_set():
        number += 1
        ask = {"type": "analyse", "number": number, "position": position("pente"), "seconds": 0.5}
        async with times.counting_failures(), dial(url, ENGINE, forwarded(THIRD)) as socket:
            begun = time.perf_counter()
            await socket.send(json.dumps(ask))
            async with asyncio.timeout(4 * PATIENCE):
                while (told := json.loads(await socket.recv()))["type"] == "waiting":
                    if stop.is_set() and time.perf_counter() - begun < 1:
                        return
            if told["type"] == "error":
                raise RuntimeError(told["error"])
            times.seconds.append(time.perf_counter() - begun)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1.0)


def position(game: str) -> str:
    from pentad.game import new

    return new(game).text


def whole_game(moves: int = 60) -> str:
    """A record of Pente as text."""
    from pentad.game import new
    from pentad.record import Record

    record, chance = Record(new("pente")), random.Random(3)
    for _ in range(moves):
        if record.position.outcome:
            break
        record.play(chance.choice(record.position.legal_moves))
    return record.text


# ── the attackers ────────────────────────────────────────────────────────────────────────────────


def address(number: int) -> str:
    return f"203.0.113.{1 + number % 250}"


@dataclass
class Plan:
    """Where an attack goes, from how many addresses, by how many clients, and until when."""

    url: str
    addresses: int
    clients: int
    seconds: float
    until: float = 0.0

    def begin(self) -> None:
        """The clients are there."""
        self.until = time.monotonic() + self.seconds
        print(READY, flush=True)

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until


async def attack_queue(plan: Plan) -> dict[str, int]:
    """Identities with sockets that always ask for all there is to be asked."""
    url, addresses = plan.url, plan.addresses
    plan.until = time.monotonic() + SETUP + plan.seconds
    count = {"refused": 0, "answers": 0, "sockets": 0}
    who: list[tuple[str, str]] = []
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        for number in range(IDENTITIES):
            headers = forwarded(address(number % addresses))
            client.cookies.clear()
            named = await client.put("/api/me", json={"name": f"Mallory {number}"}, headers=headers)
            if named.status_code == 200:
                who.append((headers["X-Forwarded-For"], named.cookies["pentad"]))
            else:
                count["refused"] += 1
    start, record = position("pente"), whole_game()
    asked = [
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
        while plan.goes_on:
            try:
                async with dial(url, ENGINE, headers) as socket:
                    count["sockets"] += 1
                    if number not in tried:
                        has_tried(number)
                    for ask in asked:
                        await socket.send(json.dumps(ask))
                    while plan.goes_on:
                        told = json.loads(await asyncio.wait_for(socket.recv(), plan.until - time.monotonic() + 1))
                        count["answers"] += told["type"] not in ("error", "waiting")
                        if told["type"] in ("error", "done"):
                            count["refused"] += told["type"] == "error"
                            await asyncio.sleep(AGAIN)
                            again = [each for each in asked if each["number"] == told.get("number")]
                            await socket.send(json.dumps((again or asked)[0]))
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                if number not in tried:
                    has_tried(number)
                await asyncio.sleep(AGAIN)

    if who:
        await asyncio.gather(*(one(number) for number in range(SOCKETS)))
    return count


async def attack_explore(plan: Plan) -> dict[str, int]:
    """Explorations that are stopped as soon as they have begun."""
    url, addresses = plan.url, plan.addresses
    plan.begin()
    count = {"done": 0, "errors": 0, "refused": 0}
    ask = {"type": "explore", "states": 2_000_000, "seconds": 10}

    async def one(number: int) -> None:
        chance = random.Random(number)
        headers = forwarded(address(number % addresses))
        while plan.goes_on:
            try:
                async with dial(url, "/api/models/pentago/explore", headers) as socket:
                    while plan.goes_on:
                        await socket.send(json.dumps(ask))
                        while True:
                            told = json.loads(await asyncio.wait_for(socket.recv(), plan.until - time.monotonic() + 5))
                            if told["type"] == "waiting" and not told["place"]:
                                await asyncio.sleep(2 * chance.random())
                                await socket.send('{"type": "stop"}')
                            elif told["type"] in ("done", "error"):
                                count["done" if told["type"] == "done" else "errors"] += 1
                                break
                        if told["type"] == "error":
                            await asyncio.sleep(AGAIN)
            except (OSError, WebSocketException, TimeoutError):
                count["refused"] += 1
                await asyncio.sleep(AGAIN)

    await asyncio.gather(*(one(number) for number in range(EXPLORERS)))
    return count


async def attack_board(plan: Plan) -> dict[str, int]:
    """Boards, one after the other by each client."""
    body = json.dumps({"position": position("pente")}).encode()
    head = f"POST /api/board HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return await _requests(plan, lambda client, _: (head, address(client % plan.addresses), body))


async def attack_flood(plan: Plan) -> dict[str, int]:
    """Pictures, each for an address that was not seen before."""
    path = f"/api/board.svg?{httpx.QueryParams({'position': position('pente')})}"
    head = f"GET {path} HTTP/1.1\r\n"
    return await _requests(plan, lambda client, turn: (head, f"10.{client}.{turn // 250 % 250}.{turn % 250}", b""))


async def _requests(plan: Plan, wish: Callable[[int, int], tuple[str, str, bytes]]) -> dict[str, int]:
    """Clients that each send one request after the other; what comes back is counted by its status."""
    parts, count = urlsplit(plan.url), dict[str, int]()
    plan.begin()

    async def one(number: int) -> None:
        turn = 0
        while plan.goes_on:
            try:
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
                async with _closing(writer):
                    while plan.goes_on:
                        turn += 1
                        head, whose, body = wish(number, turn)
                        writer.write(f"{head}Host: {parts.netloc}\r\nX-Forwarded-For: {whose}\r\n\r\n".encode() + body)
                        told = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                        status = told.split()[1]
                        count[status] = count.get(status, 0) + 1
                        await reader.readexactly(int(told.partition("content-length: ")[2].split()[0]))
                        if "connection: close" in told:
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


Attack = Callable[[Plan], Coroutine[Any, Any, dict[str, int]]]
ATTACKS: dict[str, Attack] = {
    "queue": attack_queue,
    "explore": attack_explore,
    "board": attack_board,
    "flood": attack_flood,
}


# ── both together ────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[str, Path]]:
    """A server in a process; its address, and the file with what it logs."""
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
    """Play for so long, or for as long as an attack goes on."""
    stop = asyncio.Event()
    times = [Times("bot's answer"), Times("to the other's screen"), Times("analysis, 1st report")]
    play = (against_bot, against_person, analysing)
    tasks = [asyncio.create_task(each(url, stop, kept)) for each, kept in zip(play, times, strict=True)]
    if attack:
        await attack.wait()
    else:
        await asyncio.sleep(seconds or 0)
    stop.set()
    _, late = await asyncio.wait(tasks, timeout=PATIENCE + 5)
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
            command = [sys.executable, __file__, "--attack", name, "--url", url, "--seconds", str(args.seconds)]
            command += ["--addresses", str(args.addresses), "--clients", str(args.clients)]
            begun = phase == "during"
            attack = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE) if begun else None
            if attack and attack.stdout:
                await attack.stdout.readline()
            times = await honest(url, args.seconds / 2, attack)
            for each in times:
                print(f"  {phase:<7} {each.line()}")
            if attack and attack.stdout:
                told = (await attack.stdout.read()).decode().strip()
                print(f"          the attackers: {told}; log lines of the server: {_lines(log) - lines}", flush=True)


def _lines(log: Path) -> int:
    return log.read_bytes().count(b"\n")


async def ready(url: str) -> None:
    """Wait until bots have moved: what is compiled for the first time takes a while."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        while not (await client.get("/api/health")).json()["ready"]:
            await asyncio.sleep(0.2)
    for _ in range(20):
        if all(each.seconds for each in await honest(url, 5.0, None)):
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=ATTACKS)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each attack")
    parser.add_argument("--addresses", type=int, default=1, help="from which the attackers come")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="that ask for boards at once")
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if args.attack:
        if urlsplit(args.url or "").hostname != "127.0.0.1":
            parser.error("an attack is on a server of this machine, which this program starts")
        os.nice(5)  # as if they came from elsewhere: they are not to take the server's processor
        plan = Plan(args.url, args.addresses, args.clients, min(args.seconds, LONGEST))
        print(json.dumps(asyncio.run(ATTACKS[args.attack](plan))))
        return 0
    print(machine())
    for name in [args.only] if args.only else ATTACKS:
        asyncio.run(measure(args, name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
