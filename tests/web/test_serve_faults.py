"""Faults of a real server: kills, floods, slow clients, a full disk. Nothing that was shown is lost."""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

import pentad
from tests.cases import slow
from tests.store.conftest import cluster as cluster
from tests.store.postgres import Cluster
from tests.web.server_process import TIMEOUT, Player, Server

HOT_SEAT = {"seats": ["human", "human"]}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells of processes and their limits")


@contextlib.contextmanager
def table(server: Server, **wish: Any) -> Iterator[tuple[Player, Player, str]]:
    """Two players and their room."""
    room, ada = server.make(seats=["human", "open"], **wish)
    bea = server.sit(room, name="Bea")
    with server.join(room, ada) as black, server.join(room, bea) as white:
        black.receive("state")
        white.receive("state")
        yield black, white, room


def goes_on(server: Server, black: Player, white: Player) -> None:
    """Plays two moves, each seen by both."""
    for mover, other in ((black, white), (white, black)):
        position = pentad.load(mover.state["start"])
        for move in mover.moves():
            position = position.play(move)
        mover.send("step", steps=str(position.legal_moves[0]))
        assert mover.receive("played", "error")["type"] == "played"
        other.receive("played")
        assert mover.moves() == other.moves()


# ── what comes in ────────────────────────────────────────────────────────────────────────────────


def test_ten_megabytes_close_the_socket_and_disturb_nobody(server: Server) -> None:
    with table(server) as (black, white, room):
        with server.join(room) as flood:
            with contextlib.suppress(ConnectionClosed):
                flood.socket.send("x" * 10_000_000)
            assert flood.close_code() in (1009, None)  # the socket may break before the reason arrives
        goes_on(server, black, white)


PIECES = [
    *("type", "at", "steps", "seat", "yes", "text", "flip", "end", "warn", "step", "undo", "redo", "resign", "look"),
    *("answer", "draw", "say", "hint", "a2 1C", "[0,0,1,0,0]", "h8", "\0", "\ud800", "🤔" * 50, "x" * 500, ""),
    *(0, 1, -1, 2**70, 0.5, 1e308, True, False, None, [], {}, [[[[]]]], {"type": {}}),
]


def rubbish(chance: random.Random) -> str:
    """Random invalid messages, some of them nearly valid."""
    if chance.random() < 0.3:
        return "".join(chance.choices('{}[]",:0123nulltrue\\ \n\0é🤔', k=chance.randint(0, 60)))
    message = {str(chance.choice(PIECES)): chance.choice(PIECES) for _ in range(chance.randint(0, 5))}
    if chance.random() < 0.7:
        message["type"] = chance.choice(["step", "undo", "redo", "resign", "answer", "draw", "hint", "nothing"])
        message["at"] = chance.choice([0, 7, -1, "0", None, 2**70])
    return json.dumps(message)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(3))
def test_invalid_messages_of_viewers_are_answered_and_change_nothing(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    with table(server) as (black, white, room), server.join(room) as stranger:
        stranger.receive("state")
        for _ in range(150):
            text = rubbish(chance).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
            stranger.socket.send(text)
            answer = stranger.receive("error", "state")
            if answer["type"] == "state":
                answer = stranger.receive("error")
            assert "\n" not in answer["error"]
            assert 0 < len(answer["error"]) < 400
        stranger.socket.send('{"type": "look", "flip": false}')
        assert stranger.receive("state")["at"] == 0
        goes_on(server, black, white)


def test_a_resent_message_takes_effect_once(server: Server) -> None:
    with table(server) as (black, white, _):
        text = json.dumps({"type": "step", "at": 0, "steps": "a2 1C"})
        for _ in range(20):
            black.socket.send(text)
        assert black.receive("played")["at"] == 1
        for _ in range(19):
            assert "The game has changed" in black.receive("error")["error"]
        white.receive("played")
        goes_on(server, white, black)
        assert len(white.moves()) == 3


def test_half_open_sockets_disturb_nobody(server: Server) -> None:
    with table(server) as (black, white, room):
        address = ("127.0.0.1", server.port)
        ask = f"GET /api/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        with contextlib.ExitStack() as open_:
            for beginning in ("", "G", ask, "\0" * 100, "POST /api/rooms HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"):
                for _ in range(10):
                    line = open_.enter_context(socket.create_connection(address))
                    line.sendall(beginning.encode())
            goes_on(server, black, white)


def test_a_disconnected_player_may_come_back(server: Server) -> None:
    with table(server) as (black, white, room):
        cookies = {"pentad": black.socket.request.headers["Cookie"].partition("=")[2]} if black.socket.request else {}
        while not black.state["seats"][1]["here"]:
            black.receive("around")
        black.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        black.socket.socket.shutdown(socket.SHUT_RDWR)
        while white.state["seats"][0]["here"]:
            white.receive("around")
        with server.join(room, cookies) as back:
            back.receive("state")
            goes_on(server, back, white)


def test_a_slow_client_delays_nobody_and_gets_the_state(server: Server) -> None:
    with table(server) as (black, white, room):
        url = f"{server.url.replace('http', 'ws')}/api/rooms/{room}"
        with connect(url, max_size=None, max_queue=1) as line:
            for _ in range(400):  # each answer is the whole state: more than the buffers hold
                line.send('{"type": "look", "flip": false}')
            goes_on(server, black, white)
            goes_on(server, black, white)
            line.send('{"type": "look", "flip": true}')
            slow = Player(line)
            while not (slow.state and slow.state["flip"]):
                slow.receive("state")
            assert slow.moves() == black.moves()


@pytest.mark.slow
@pytest.mark.parametrize(("many", "in_rooms"), [(1000, 20), (10_000, 500)])
def test_many_viewers_do_not_disturb_a_game(many: int, in_rooms: int) -> None:
    with Server() as server:
        do_not_disturb(server, many, in_rooms)


def do_not_disturb(server: Server, many: int, in_rooms: int) -> None:
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rooms = [server.make(**HOT_SEAT)[0] for _ in range(in_rooms)]
    url = server.url.replace("http", "ws")
    come, end = threading.Event(), threading.Event()

    async def look() -> None:
        async with contextlib.AsyncExitStack() as open_:
            for i in range(many):
                line = await open_.enter_async_context(
                    websockets.connect(f"{url}/api/rooms/{rooms[i % in_rooms]}", max_size=None, open_timeout=TIMEOUT)
                )
                assert json.loads(await line.recv())["type"] == "state"
            come.set()
            await asyncio.to_thread(end.wait)

    crowd = threading.Thread(target=asyncio.run, args=(look(),))
    crowd.start()
    try:
        while not come.wait(0.1):
            assert crowd.is_alive()
        with table(server) as (black, white, _):
            for _ in range(5):
                goes_on(server, black, white)
    finally:
        end.set()
        crowd.join()


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_moves_wait_for_a_locked_database(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with Server(database=f"sqlite:///{file}") as server, table(server) as (black, white, _):
        goes_on(server, black, white)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        black.send("step", steps="f5 4C")
        for player in (black, white):
            with pytest.raises(TimeoutError):
                player.socket.recv(1.5)
        other.execute("COMMIT")
        other.close()
        assert black.receive("played", "error")["type"] == "played"
        white.receive("played")
        goes_on(server, white, black)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_moves_wait_for_an_unavailable_postgresql(cluster: Cluster, seconds: float) -> None:
    with Server(database=cluster.url()) as server, table(server) as (black, white, room):
        goes_on(server, black, white)
        cluster.stop("immediate")
        try:
            black.send("step", steps="f5 4C")
            for player in (black, white):
                with pytest.raises(TimeoutError):
                    player.socket.recv(seconds / 2)
        finally:
            cluster.start()
        assert black.receive("played", "error")["type"] == "played"
        white.receive("played")
        goes_on(server, white, black)
        with server.join(room) as late:
            late.receive("state")
            assert late.moves() == black.moves()
            assert len(late.moves()) == 5


WALL = """
import pathlib, time
real = time.time
time.time = lambda: real() + float(pathlib.Path({file!r}).read_text())
"""
YEAR = 365 * 24 * 3600


@pytest.mark.slow
@pytest.mark.parametrize("jump", [-YEAR, pytest.param(YEAR, marks=pytest.mark.slow)])
def test_a_jump_of_the_wall_clock_changes_no_clock(tmp_path: Path, jump: int) -> None:
    file = tmp_path / "ahead"
    file.write_text("0")
    with Server(before=WALL.format(file=str(file))) as server, table(server, time={"main": 300}) as (black, white, _):
        goes_on(server, black, white)
        file.write_text(str(jump))
        goes_on(server, black, white)
        assert all(0 < left <= 300 for left in black.state["clock"]["left"])
        assert white.ask("resign")["outcome"]["winners"] == [0]


@pytest.mark.slow
@pytest.mark.parametrize(("jump", "over"), [slow(-YEAR, False), slow(0, False), (YEAR, True)])
def test_days_pass_while_no_server_runs_but_never_backwards(tmp_path: Path, jump: int, over: bool) -> None:
    file, database = tmp_path / "ahead", f"sqlite:///{tmp_path}/games.db"
    file.write_text("0")
    with Server(database=database, before=WALL.format(file=str(file))) as server:
        room, ada = server.make(seats=["human", "open"], time={"days": 3})
        bea = server.sit(room)
        with server.join(room, ada) as black, server.join(room, bea) as white:
            black.receive("state")
            white.receive("state")
            goes_on(server, black, white)
        server.kill()
    file.write_text(str(jump))
    with Server(database=database, before=WALL.format(file=str(file))) as again, again.join(room, ada) as black:
        black.receive("state")
        while over and not black.state["outcome"]:
            black.receive("state")
        assert bool(black.state["outcome"]) is over
        if not over:
            assert 2.9 * 24 * 3600 < black.state["clock"]["left"][0] <= 3 * 24 * 3600
            assert len(black.moves()) == 2


PATIENTLY = """
import signal
from pentad.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
Store.open.__func__.__kwdefaults__["timeout"] = 0.2
"""


@pytest.mark.slow
@LINUX
def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    import resource

    database = f"sqlite:///{tmp_path}/games.db"
    with Server(database=database, before=PATIENTLY) as server:
        room, cookies = server.make(**HOT_SEAT)
        with server.join(room, cookies) as player, server.join(room) as watcher:
            player.receive("state")
            watcher.receive("state")
            with sqlite3.connect(tmp_path / "games.db") as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            other.close()
            limit = (tmp_path / "games.db").stat().st_size + 8192
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            answer: dict[str, Any] = {"type": "state"}
            for i in range(2000):
                before = player.state["at"]
                answer = player.play("a2 1C") if i % 2 == 0 else player.ask("undo")
                if answer["type"] == "error":
                    break
            assert answer["type"] == "error", "the disk was not full"
            assert answer["error"].startswith("Cannot save the game: ")
            assert player.state["at"] == before
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            act = player.play("a2 1C") if not player.moves() else player.ask("undo")
            assert act["at"] == before + 1
            while watcher.state["at"] < before + 1:
                watcher.receive("played", "state")
            assert watcher.moves() == player.moves()
        server.kill()
        with Server(database=database) as again, again.join(room, cookies) as back:
            assert back.receive("state")["at"] == player.state["at"]
            assert back.moves() == player.moves()


class Game:
    """Two clients that play until the server is gone, and what they were shown."""

    def __init__(self, server: Server, seed: int, game: str) -> None:
        self.chance, self.game = random.Random(seed), game
        self.room, ada = server.make(game=game, seats=["human", "open"], name=f"Ada {seed}")
        self.cookies = [ada, server.sit(self.room, name=f"Bea {seed}")]
        self.shown: list[list[str]] = [[], []]
        self.chat: list[str] = []
        self.threads = [threading.Thread(target=self.play, args=(server, seat)) for seat in (0, 1)]
        for thread in self.threads:
            thread.start()

    def play(self, server: Server, seat: int) -> None:
        with contextlib.suppress(WebSocketException, OSError), server.join(self.room, self.cookies[seat]) as player:
            player.receive("state")
            number = 0
            while True:
                self.shown[seat] = player.moves()
                if player.state["turn"] is None:
                    break
                if player.state["can"]["play"]:
                    self.move(player)
                elif seat == 0 and number < 20:
                    player.send("undo" if self.chance.random() < 0.1 and player.state["can"]["undo"] else "draw")
                    player.socket.send(json.dumps({"type": "say", "text": f"saying {number}"}))
                    number += 1
                message = player.receive()
                if message["type"] == "said" and seat == 1:
                    self.chat.append(message["text"])

    def move(self, player: Player) -> None:
        steps, answer = "", {"type": "turn", "choices": player.state["choices"], "may_end": False}
        while answer["type"] == "turn":
            steps = f"{steps} {self.chance.choice(answer['choices'])['step']}".strip()
            player.send("step", steps=steps)
            answer = player.receive("turn", "played", "error", "state")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_everything_shown_survives_a_power_cut(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    database = f"sqlite:///{tmp_path}/games.db" if kind == "sqlite" else request.getfixturevalue("cluster").url()
    with Server(database=database) as server:
        games = [Game(server, seed, name) for seed, name in enumerate(["pentago", "pente", "pentagame"] * 2)]
        while min(len(shown) for game in games for shown in game.shown) < 3:
            assert any(thread.is_alive() for game in games for thread in game.threads)
            threading.Event().wait(0.05)
        server.kill()
        for game in games:
            for thread in game.threads:
                thread.join()
    with Server(database=database) as again:
        for game in games:
            with again.join(game.room, game.cookies[0]) as black, again.join(game.room, game.cookies[1]) as white:
                black.receive("state")
                white.receive("state")
                for shown in game.shown:
                    assert black.moves()[: len(shown)] == shown
                    assert len(black.moves()) <= len(shown) + 2  # stored but not shown
                missing = set(game.chat)
                while missing:  # there may be others that were stored but not shown
                    missing.discard(white.receive("said")["text"])
                assert [seat["name"][:3] for seat in black.state["seats"]] == ["Ada", "Bea"]
                if black.state["turn"] is not None:
                    mover = black if black.state["can"]["play"] else white
                    before = len(mover.moves())
                    game.move(mover)
                    assert len(mover.moves()) == before + 1
        assert again.stop() == (0, "", "")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
@LINUX
def test_games_continue_when_worker_processes_are_killed() -> None:
    with Server() as server:
        room, cookies = server.make(seats=["human", "random"])
        with server.join(room, cookies) as player:
            player.receive("state")
            for _ in range(3):
                moves = player.moves()
                position = pentad.load(player.state["start"])
                for move in moves:
                    position = position.play(move)
                player.play(str(position.legal_moves[0]))
                for child in children(server.process.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                while len(player.moves()) < len(moves) + 2:
                    assert player.receive("played", "state")["trouble"] is None
