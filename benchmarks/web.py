"""Capacity of a server: moves per second, latency to the other's screen, memory, and lost moves.

python -m benchmarks web [--games N] [--rate MOVES] [--seconds S] [--only GAME] [--database URL] [--backup]

The benchmark starts a server in its own process. Two people play each game, each over a socket, with random choices, a
move per second in each game (or --rate in all). Latency is the time from sending the last step of a turn to the message
that shows it to the other player. At the end each game's stored record is compared with what both players were shown;
lost, duplicate and different moves are counted.

With `--backup` the database, a file of SQLite, is copied in the middle of it. A second server then has the copy: each
game must have all moves that were shown before the copy began, and no others than were shown later.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.figures import Figure, machine
from benchmarks.new_game import new_game

KINDS = ("pentago", "pente", "pentagame")
CONNECTIONS_THAT_CREATE = 50


@dataclass
class Count:
    """The counters of a run."""

    times: list[float] = field(default_factory=list)
    moves: int = 0
    refused: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    over: int = 0


@dataclass
class Player:
    """A player: the cookie, and the moves shown."""

    cookie: str
    seen: list[str] = field(default_factory=list)


class Game:
    """A game between two people."""

    def __init__(self, url: str, kind: str, pause: float, count: Count, rng: random.Random) -> None:
        self.url, self.kind, self.pause, self.count, self.rng = url, kind, pause, count, rng
        self.room = ""
        self.players: list[Player] = []
        self.sent: dict[int, float] = {}  # the time of sending the move to a state

    async def make(self, client: httpx.AsyncClient) -> None:
        self.room, cookies = await new_game(client, self.kind)
        self.players = list(map(Player, cookies))

    async def play(self, stop: asyncio.Event, ready: asyncio.Barrier) -> None:
        url = f"{self.url.replace('http', 'ws')}/api/rooms/{self.room}"
        async with (
            connect(url, additional_headers=self._who(0), max_size=None, open_timeout=120, compression=None) as first,
            connect(url, additional_headers=self._who(1), max_size=None, open_timeout=120, compression=None) as second,
        ):
            await ready.wait()
            await asyncio.sleep(self.rng.random() * self.pause)
            sides = [asyncio.create_task(self._side(i, socket, stop)) for i, socket in enumerate((first, second))]
            await stop.wait()
            await asyncio.sleep(2)  # messages in flight still arrive
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)

    def _who(self, seat: int) -> dict[str, str]:
        return {"Cookie": f"pentad={self.players[seat].cookie}"}

    async def _side(self, seat: int, socket: ClientConnection, stop: asyncio.Event) -> None:
        player, at = self.players[seat], -1
        async for text in socket:
            now = time.perf_counter()
            message = json.loads(text)
            match message["type"]:
                case "state":
                    at, player.seen = message["at"], [move["text"] for move in message["moves"]]
                case "played":
                    if message["at"] != at + 1:
                        self.count.wrong.append(f"{self.room}: state {message['at']} after {at}")
                    at = message["at"]
                    player.seen.append(message["move"]["text"])
                    if message["move"]["seat"] != seat:
                        self.count.times.append(now - self.sent.pop(at))
                        self.count.moves += 1
                case "error":
                    self.count.refused.append(f"{self.room}: {message['error']}")
                    continue
                case "around":
                    continue
            if message["type"] == "turn":
                await self._choose(socket, at, message, message["steps"])
            elif message["outcome"]:
                self.count.over += seat
                return
            elif message["turn"] == seat and not stop.is_set():
                await asyncio.sleep(self.pause * self.rng.uniform(0.5, 1.5))
                await self._choose(socket, at, message, "")

    async def _choose(self, socket: ClientConnection, at: int, message: dict[str, Any], steps: str) -> None:
        end = message["may_end"] and bool(steps) and self.rng.random() < 0.5
        if not end:
            steps = f"{steps} {self.rng.choice(message['choices'])['step']}".strip()
        self.sent[at + 1] = time.perf_counter()  # overwritten until the turn is complete
        await socket.send(json.dumps({"type": "step", "at": at, "steps": steps, "end": end}))

    async def check(self, client: httpx.AsyncClient) -> None:
        """Compares the stored record with the moves shown."""
        client.cookies.clear()
        record = (await client.get(f"/api/rooms/{self.room}/record", params={"format": "moves"})).text
        moves = record.partition("\n\n")[2].split("\n")[: len(max((p.seen for p in self.players), key=len))]
        for player in self.players:
            if player.seen != moves[: len(player.seen)] or len(moves) != len(player.seen):
                self.count.wrong.append(f"{self.room}: stored {len(moves)} moves, shown {len(player.seen)}")

    async def check_copy(self, client: httpx.AsyncClient, shown: int) -> None:
        """Compares the record in a copy of the database, where so many moves were shown before it was made."""
        client.cookies.clear()
        record = (await client.get(f"/api/rooms/{self.room}/record", params={"format": "moves"})).text
        seen = max((player.seen for player in self.players), key=len)
        moves = record.partition("\n\n")[2].split("\n")[: len(seen)]
        last = next((i for i, text in enumerate(moves) if not text or text == "*"), len(moves))
        if moves[:last] != seen[:last] or last < shown:
            self.count.wrong.append(f"{self.room}: copied {last} moves, shown {shown} before")


@contextmanager
def server(database: str, first: str = "") -> Iterator[tuple[str, int]]:
    """Runs a server in a process, after the code `first`; yields its address and pid."""
    code = (
        f"{first}\n"
        "from pentad.web.serve import serve; from pentad.web.settings import Settings; "
        f"serve(Settings(port=0, database={database!r}, browser=False))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().split()[3].rstrip("/"), process.pid
        finally:
            process.terminate()


def memory(pid: int) -> float:
    """The resident memory of a process, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def cpu(pid: int) -> float:
    """The CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def back_up(database: str, copy: Path) -> float:
    """Runs the command that copies the database; returns its seconds."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "pentad", "database", "backup", str(copy), "--database", database]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
    if await process.wait():
        raise SystemExit("The database cannot be copied.")
    return time.perf_counter() - begin


async def check_copy(copy: Path, games: Sequence[Game], shown: Sequence[int]) -> None:
    """Restores a copy, and compares its games on a second server."""
    database = f"sqlite:///{copy.with_name('restored.db')}"
    command = [sys.executable, "-m", "pentad", "database", "restore", str(copy), "--database", database]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with server(database) as (url, _):
        async with httpx.AsyncClient(base_url=url, timeout=120) as client:
            for game, moves in zip(games, shown, strict=True):
                await game.check_copy(client, moves)


async def measure(
    url: str, pid: int, args: argparse.Namespace, database: str, copy: Path | None
) -> tuple[Count, list[Figure]]:
    count, rng, stop = Count(), random.Random(1), asyncio.Event()
    kinds = (args.only,) if args.only else KINDS
    pause = args.games / args.rate
    games = [Game(url, kinds[i % len(kinds)], pause, count, random.Random(i)) for i in range(args.games)]
    rng.shuffle(games)
    before, begun = memory(pid), asyncio.Barrier(args.games + 1)
    limits = httpx.Limits(max_connections=CONNECTIONS_THAT_CREATE)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        for game in games:
            await game.make(client)
        playing = [asyncio.create_task(game.play(stop, begun)) for game in games]
        await begun.wait()
        after = memory(pid)
        begin, used, own = time.perf_counter(), cpu(pid), time.process_time()
        await asyncio.sleep(args.seconds / 2)
        shown = [max(len(player.seen) for player in game.players) for game in games]
        seconds = await back_up(database, copy) if copy else 0.0
        await asyncio.sleep(max(begin + args.seconds - time.perf_counter(), 0))
        passed, used, own = time.perf_counter() - begin, cpu(pid) - used, time.process_time() - own
        stop.set()
        await asyncio.gather(*playing)
        for game in games:
            await game.check(client)
    if copy:
        print(f"copied in {seconds:.2f} s")
        await check_copy(copy, games, shown)
    times = sorted(count.times)
    cuts = statistics.quantiles(times, n=100)
    print(f"{args.games} games, {2 * args.games} sockets, {passed:.0f} s, {count.over} games ended")
    print(f"{count.moves / passed:.0f} moves/s; CPU of the server {used / passed:.0%},", end=" ")
    print(f"of the players {own / passed:.0%}")
    half, most, worst = (1e3 * each for each in (cuts[49], cuts[98], times[-1]))
    print(f"to the other's screen: p50 {half:.1f} ms, p99 {most:.1f} ms, worst {worst:.0f} ms")
    print(f"memory: {before:.0f} MB at first, {1024 * (after - before) / args.games:.0f} kB a game with both sockets")
    print(f"refused: {len(count.refused)}; lost, duplicate or different: {len(count.wrong)}")
    for line in [*count.refused[:5], *count.wrong[:5]]:
        print(" ", line)
    name = f"{args.games} games of {args.only or 'all kinds'}"
    figures = [
        Figure(f"{name}, moves", count.moves / passed, "per second"),
        Figure(f"{name}, to the other's screen, median", half, "ms"),
        Figure(f"{name}, to the other's screen, 99th percentile", most, "ms"),
        Figure("memory of a game with both sockets", 1024 * (after - before) / args.games, "kB"),
        Figure("moves lost, duplicate or different", len(count.wrong), "moves"),
    ]
    return count, figures


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=500.0, help="moves per second in all games together")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--database", help="URL of the database (default: SQLite in a new folder)")
    parser.add_argument("--backup", action="store_true", help="copy the database in the middle, and check the copy")
    args = parser.parse_args(words)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        database, copy = args.database or f"sqlite:///{folder}/games.db", Path(folder, "copy.db")
        with server(database) as (url, pid):
            count, figures = asyncio.run(measure(url, pid, args, database, copy if args.backup else None))
    if count.wrong:
        raise SystemExit(1)
    return figures


if __name__ == "__main__":
    main()
