"""Time that a server takes to stop while its database has a fault, and its messages.

python -m benchmarks stopping [CASE...]

For each case the benchmark starts a server, and two people play over sockets. The database is then locked, removed,
filled up, killed or frozen; each player sends something more, a page requests its games, and the server is asked to
stop. The output is the seconds until its process has ended, and its messages on stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from benchmarks.new_game import new_game

SERVE = (
    "from pentad.web.serve import serve; from pentad.web.settings import Settings; "
    "serve(Settings(port=0, database={database!r}, browser=False))"
)
Trouble = Callable[[int], Callable[[], object]]  # causes a fault for the server's pid; returns a function that ends it


def locked(file: Path) -> Trouble:
    def make(_: int) -> Callable[[], object]:
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        return lambda: other.close()

    return make


def removed(file: Path) -> Trouble:
    def make(_: int) -> Callable[[], object]:
        for each in file.parent.glob(f"{file.name}*"):
            each.unlink()
        return lambda: None

    return make


def full(_: Path) -> Trouble:
    def make(pid: int) -> Callable[[], object]:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, 1))  # no file can grow, as on a full disk
        return lambda: None

    return make


def killed(cluster: Any) -> Trouble:
    def make(_: int) -> Callable[[], object]:
        cluster.stop("immediate")
        return lambda: cluster.start()

    return make


def frozen(cluster: Any) -> Trouble:
    def make(_: int) -> Callable[[], object]:
        first = int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=True)
        processes = [first, *map(int, listed.stdout.split())]
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)

        def wake() -> None:
            for pid in processes:
                os.kill(pid, signal.SIGCONT)

        return wake

    return make


async def play(url: str, trouble: Callable[[], object], stop: Callable[[], None]) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        room, keys = await new_game(client, "pentago")
    cookies = [{"Cookie": f"pentad={key}"} for key in keys]
    where = f"{url.replace('http', 'ws')}api/rooms/{room}"
    async with (
        connect(where, additional_headers=cookies[0]) as first,
        connect(where, additional_headers=cookies[1]) as second,
        httpx.AsyncClient(base_url=url, timeout=60) as client,
    ):
        await first.send(json.dumps({"type": "step", "at": 0, "steps": "a0 1C"}))
        while json.loads(await second.recv())["type"] != "played":
            pass
        await asyncio.to_thread(trouble)
        await second.send(json.dumps({"type": "step", "at": 1, "steps": "b2 1C"}))
        await first.send(json.dumps({"type": "say", "text": "are you there?"}))
        requests = [asyncio.create_task(client.get("/api/lobby")) for _ in range(8)]
        await asyncio.sleep(1)
        stop()
        await asyncio.gather(*requests, return_exceptions=True)


def trial(name: str, database: str, make: Trouble) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVE.format(database=database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout
        url = server.stdout.readline().split()[3]
        ends: list[Callable[[], object]] = []
        stop_time = 0.0

        def stop() -> None:
            nonlocal stop_time
            stop_time = time.monotonic()
            server.terminate()

        playing = threading.Thread(
            target=lambda: asyncio.run(play(url, lambda: ends.append(make(server.pid)), stop)), daemon=True
        )
        playing.start()
        try:
            _, errors = server.communicate(timeout=120)
            print(f"{name}: {time.monotonic() - stop_time:.1f} s, exit {server.returncode}")
        finally:
            for end in ends:
                end()
    for line in errors.splitlines():
        print(f"    {line[:200]}")
    playing.join(30)


CASES = ("nothing", "locked", "removed", "full", "killed", "frozen")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE", help=f"some of {', '.join(CASES)}")
    args = parser.parse_args(words)
    own: dict[str, Callable[[Path], Trouble]] = {"locked": locked, "removed": removed, "full": full}
    for case in args.cases:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "games.db"
            if case == "nothing":
                trial(case, f"sqlite:///{file}", lambda _: lambda: None)
            elif case in own:
                trial(f"SQLite, {case}", f"sqlite:///{file}", own[case](file))
            else:
                from tests.store.postgres import Cluster

                cluster = Cluster()
                try:
                    trial(f"PostgreSQL, {case}", cluster.url(), {"killed": killed, "frozen": frozen}[case](cluster))
                finally:
                    cluster.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
