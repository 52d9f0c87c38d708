"""Time until players are back in their games after a restart of the server, by what ends it, and lost moves.

python -m benchmarks restart [--games N] [--moves N] [--how replace stop kill] [--database URL]

Two people play each game, each over a socket, and reconnect as a page does. Games that have `--moves` moves go on at a
move every two seconds, while another server takes the place of the running one (`replace`), or the server is ended by
SIGTERM (`stop`) or SIGKILL (`kill`) and started again at once. The time of a player is from the first lost connection
to the first state after it. At the end each stored game is compared with what both players were shown.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from benchmarks.figures import Figure, machine
from benchmarks.new_game import new_game
from benchmarks.web import KINDS, cpu

WAYS = ("replace", "stop", "kill")
FIRST_WAIT, LONGEST_WAIT, SPREAD = 0.3, 2.0, 0.5  # a page waits so long, see static/play/connection.js
RESTART = 1012
NAMES = {"replace": "another server takes over", "stop": "stopped and started", "kill": "killed and started"}
FIRST_MESSAGE_SECONDS = 10.0
PAUSE = 2.0  # between two moves of a game
LEAST_MOVES = 4


class Server:
    """`pentad web` in a process."""

    def __init__(self, database: str, port: int = 0, *, replaces: bool = False) -> None:
        code = (
            "from pentad.web.serve import serve; from pentad.web.settings import Settings; "
            f"serve(Settings(port={port}, database={database!r}, browser=False), replaces={replaces})"
        )
        self.database = database
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)

    @cached_property
    def url(self) -> str:
        """The address, once the server runs."""
        assert self.process.stdout
        return self.process.stdout.readline().split()[3].rstrip("/")

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def restarted(self, how: str) -> Server:
        """The server that takes its place, as soon as its process is started."""
        if how == "replace":
            return Server(self.database, self.port, replaces=True)
        self.process.send_signal(signal.SIGTERM if how == "stop" else signal.SIGKILL)
        self.process.wait()
        return Server(self.database, self.port)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@dataclass
class Seat:
    """A player of a game: the cookie, the moves shown, when the connection was lost, and when a state came after it."""

    cookie: str
    shown: list[str] = field(default_factory=list)
    lost: float = 0.0
    back: float = 0.0


class Game:
    """A game between two people."""

    def __init__(self, url: str, kind: str, number: int) -> None:
        self.url, self.kind, self.rng = url, kind, random.Random(number)
        self.room = ""
        self.seats: list[Seat] = []
        self.moves = 0
        self.is_over = False
        self.pause = 0.0

    async def make(self, client: httpx.AsyncClient) -> None:
        self.room, cookies = await new_game(client, self.kind)
        self.seats = list(map(Seat, cookies))

    async def follow(self, number: int) -> None:
        """Plays for a seat, and reconnects."""
        url, seat = f"{self.url.replace('http', 'ws')}/api/rooms/{self.room}", self.seats[number]
        headers, wait = {"Cookie": f"pentad={seat.cookie}"}, FIRST_WAIT
        while True:
            pause = wait * self.rng.uniform(0.8, 1.2)
            try:
                async with connect(url, additional_headers=headers, max_size=None, compression=None) as socket:
                    async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
                        first = await socket.recv()
                    wait = FIRST_WAIT
                    seat.back = seat.back or time.monotonic()
                    await self._play(number, socket, first)
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == RESTART:
                    pause = self.rng.uniform(0, SPREAD)
            except (OSError, WebSocketException, TimeoutError):
                pass
            seat.lost = seat.lost or time.monotonic()
            await asyncio.sleep(pause)
            wait = min(2 * wait, LONGEST_WAIT)

    async def _play(self, number: int, socket: ClientConnection, text: str | bytes) -> None:
        seat = self.seats[number]
        while True:
            message: dict[str, Any] = json.loads(text)
            kind = message["type"]
            if kind == "state":
                seat.shown = [move["text"] for move in message["moves"]]
            elif kind == "played":
                seat.shown.append(message["move"]["text"])
            if kind in ("state", "played"):
                self.moves = max(self.moves, len(seat.shown))
                at, self.is_over = message["at"], message["outcome"] is not None
                if message["turn"] == number and not self.is_over:
                    with contextlib.suppress(TimeoutError):  # a page notices a lost connection while its player thinks
                        await asyncio.wait_for(socket.wait_closed(), self.pause * self.rng.uniform(0.5, 1.5))
            if kind == "turn" or (kind in ("state", "played") and message["turn"] == number and not self.is_over):
                steps = message.get("steps", "") if kind == "turn" else ""
                if not (message["may_end"] and steps):
                    steps = f"{steps} {self.rng.choice(message['choices'])['step']}".strip()
                    end = False
                else:
                    end = True
                await socket.send(json.dumps({"type": "step", "at": at, "steps": steps, "end": end}))
            text = await socket.recv()

    async def check(self, client: httpx.AsyncClient) -> str | None:
        """How the stored game differs from the moves shown."""
        client.cookies.clear()
        answer = await client.get(f"/api/rooms/{self.room}/record", params={"format": "moves"})
        answer.raise_for_status()
        stored = answer.text.partition("\n\n")[2].split("\n")
        for seat in self.seats:
            if seat.shown != stored[: len(seat.shown)]:
                return f"{self.room}: stored {len(stored)} moves, shown {len(seat.shown)}"
        return None


async def measure(servers: list[Server], how: str, args: argparse.Namespace) -> tuple[list[float], list[str]]:
    """Restarts a server among games, and adds its successor; the time of each player, and what was lost."""
    (server,) = servers
    games = [Game(server.url, KINDS[i % len(KINDS)], i) for i in range(args.games)]
    async with httpx.AsyncClient(base_url=server.url, timeout=120, limits=httpx.Limits(max_connections=50)) as client:
        for game in games:
            await game.make(client)
    players = [asyncio.create_task(game.follow(number)) for game in games for number in (0, 1)]
    while any(game.moves < args.moves and not game.is_over for game in games):
        await asyncio.sleep(0.1)
        for game in games:
            if game.moves >= args.moves:
                game.pause = PAUSE
    await asyncio.sleep(PAUSE)
    seats = [seat for game in games for seat in game.seats]
    for seat in seats:
        seat.lost = seat.back = 0.0
    new = await asyncio.to_thread(server.restarted, how)
    servers.append(new)
    while not any(seat.lost for seat in seats):
        await asyncio.sleep(0.01)
    began, own = min(seat.lost for seat in seats if seat.lost), time.process_time()
    used = cpu(new.process.pid)
    while not all(seat.back for seat in seats):
        await asyncio.sleep(0.05)
    times = sorted(seat.back - began for seat in seats)
    own, used = time.process_time() - own, cpu(new.process.pid) - used
    await asyncio.to_thread(lambda: new.url)
    print(f"{how}: CPU of the new server meanwhile {used:.1f} s, of the players {own:.1f} s", flush=True)
    await asyncio.sleep(2 * PAUSE)
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        lost = [found for game in games if (found := await game.check(client))]
    return times, lost


def figures_of(how: str, games: int, times: Sequence[float], lost: Sequence[str]) -> Iterable[Figure]:
    cuts = statistics.quantiles(times, n=100)
    print(
        f"{how}, {games} games: players back after p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, last {times[-1]:.2f} s"
    )
    print(f"lost or different: {len(lost)}", *lost[:5], sep="\n  ")
    name = f"{games} games, {NAMES[how]}"
    yield Figure(f"{name}, half of the players are back", cuts[49], "s")
    yield Figure(f"{name}, all players are back", times[-1], "s")
    yield Figure(f"{name}, games with lost moves", len(lost), "games")


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--moves", type=int, default=LEAST_MOVES, help="moves of each game before the restart")
    parser.add_argument("--how", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--database", help="URL of the database (default: SQLite in a new folder)")
    args = parser.parse_args(words)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(machine())
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for how in args.how:
            servers = [Server(args.database or f"sqlite:///{folder}/{how}.db")]
            try:
                times, lost = asyncio.run(measure(servers, how, args))
            finally:
                for server in servers:
                    server.end()
            figures += figures_of(how, args.games, times, lost)
    return figures


if __name__ == "__main__":
    main()
