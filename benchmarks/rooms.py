"""Memory of a server while thousands of rooms are created, played in and left.

python -m benchmarks rooms [--inside] [--rooms N] [--at-once N] [--game GAME] [--clock SECONDS] [--put-away SECONDS]

The benchmark starts a server in its own process. Each room is created over HTTP with an open seat that a second person
takes; both connect, play two moves, and leave. Empty rooms are unloaded after `--put-away` seconds instead of the usual
minute, so that a run is short. With `--clock` their clocks run on, and only the flag timers remain in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.figures import machine
from benchmarks.new_game import new_game
from benchmarks.web import KINDS, memory, server

EVERY = 1000  # rooms between two output lines


async def life(client: httpx.AsyncClient, url: str, kind: str, clock: float, rng: random.Random) -> None:
    """The life of one room until both players have left."""
    wish = {"time": {"main": clock, "increment": 0.0}} if clock else {}
    room, keys = await new_game(client, kind, **wish)
    where = f"{url.replace('http', 'ws')}/api/rooms/{room}"
    cookies = [{"Cookie": f"pentad={key}"} for key in keys]
    async with (
        connect(where, additional_headers=cookies[0], max_size=None, compression=None) as first,
        connect(where, additional_headers=cookies[1], max_size=None, compression=None) as second,
    ):
        await first.send('{"type": "say", "text": "hello"}')
        for socket in (first, second):
            await play(socket, rng)


async def play(socket: ClientConnection, rng: random.Random) -> None:
    """Plays one turn as soon as it is this player's."""
    at, steps = -1, ""
    async for text in socket:
        message = json.loads(text)
        if message["type"] in ("state", "played"):
            if at >= 0 and message["at"] > at and steps:
                return
            at, steps = message["at"], ""
            if not message["choices"]:
                continue
        elif message["type"] != "turn":
            continue
        steps = f"{message.get('steps', '')} {rng.choice(message['choices'])['step']}".strip()
        await socket.send(json.dumps({"type": "step", "at": at, "steps": steps, "end": False}))


async def measure(url: str, pid: int, args: argparse.Namespace) -> None:
    waiting: asyncio.Queue[int] = asyncio.Queue()
    for number in range(args.rooms):
        waiting.put_nowait(number)
    done, began = 0, time.monotonic()
    kinds = (args.game,) if args.game else KINDS
    print(f"{done:6} rooms: {memory(pid):.0f} MB", flush=True)

    async def worker() -> None:
        nonlocal done
        limits = httpx.Limits(keepalive_expiry=1)  # the server closes idle connections after some seconds
        async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
            while not waiting.empty():
                number = waiting.get_nowait()
                await life(client, url, kinds[number % len(kinds)], args.clock, random.Random(number))
                done += 1
                if done % EVERY == 0:
                    rate = done / (time.monotonic() - began)
                    print(f"{done:6} rooms: {memory(pid):.0f} MB, {rate:.0f} rooms/s", flush=True)

    await asyncio.gather(*(worker() for _ in range(args.at_once)))
    await asyncio.sleep(args.put_away + 3)
    print(f"all rooms unloaded: {memory(pid):.0f} MB", flush=True)


async def inside(args: argparse.Namespace) -> None:
    """Measures rooms, connections and the store in this process, without sockets."""
    from pentad.store import Store
    from pentad.web.api_types import NewRoom
    from pentad.web.engines import Engines
    from pentad.web.rooms import registry as module
    from pentad.web.rooms.room import RoomEnvironment
    from pentad.web.rooms.subscribers import Connection
    from pentad.web.service.play import receive
    from pentad.web.typed_json import Reader

    module.IDLE_SECONDS = 0.0
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(args.database or f"sqlite:///{folder}/games.db")
        rooms = module.Rooms(RoomEnvironment(store, Engines(1, 1000)))
        ada, bea = [await store.add_person(name.encode() * 8, name) for name in ("Ada", "Bea")]
        kinds, rng = (args.game,) if args.game else KINDS, random.Random(1)
        request: dict[str, Any] = {"seats": ["human", "open"]}
        if args.clock:
            request["time"] = {"main": args.clock, "increment": 0.0}
        print(f"{0:6} rooms: {memory(os.getpid()):.0f} MB", flush=True)

        async def one(number: int) -> None:
            spec = Reader[NewRoom](NewRoom).value(request | {"game": kinds[number % len(kinds)]})
            room = await rooms.make(module.read_game(spec), ada)
            await room.sit(bea.id, "Bea", None)
            both = [Connection(person.id, person.name) for person in (ada, bea)]
            for each in both:
                room.join(each)
            for each in both:
                move = str(rng.choice(room.game.position.legal_moves))
                await receive(room, each, json.dumps({"type": "step", "at": room.game.at, "steps": move}))
            await receive(room, both[0], '{"type": "say", "text": "hello"}')
            for each in both:
                room.leave(each)

        for first in range(0, args.rooms, 20):
            await asyncio.gather(*(one(number) for number in range(first, first + 20)))
            await rooms.sweep()
            if (first + 20) % EVERY == 0:
                print(f"{first + 20:6} rooms: {memory(os.getpid()):.0f} MB", flush=True)
        rooms.close()
        store.close()


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--game", choices=KINDS)
    parser.add_argument("--clock", type=float, default=0.0, help="seconds of each game's clock (default: no clock)")
    parser.add_argument("--put-away", type=float, default=5.0)
    parser.add_argument("--database", help="URL of the database (default: SQLite in a new folder)")
    parser.add_argument("--inside", action="store_true", help="run in this process, without sockets")
    args = parser.parse_args(words)
    print(machine())
    if args.inside:
        from pentad.web import serve

        serve._collect_rarely()
        asyncio.run(inside(args))
        return 0
    first = (
        "import pentad.web.rooms.registry as rooms, pentad.web.app as app; "
        f"rooms.IDLE_SECONDS = {args.put_away}; app.SWEEP_SECONDS = 1.0"
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        server(args.database or f"sqlite:///{folder}/games.db", first) as (url, pid),
    ):
        asyncio.run(measure(url, pid, args))
    return 0


if __name__ == "__main__":
    sys.exit(main())
