"""Handover between two real servers: games go on in the new one, and the old one goes on if anything fails."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import httpx
import pytest

from pentad.store import Claim, Claimed, Store
from pentad.store.rows import Person, StoreError
from pentad.web import handover, systemd
from pentad.web.engines import Engines
from pentad.web.handover import Channel, HandoverFailed, HandoverRefused, Predecessor, Replacement
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from tests.waiting import TIMEOUT, wait_until
from tests.web.server_process import Server

T = TypeVar("T")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a running server cannot be replaced there")

RESTART = 1012  # the close code on which clients connect again
PATIENT = f"import pentad.web.rooms.registry as rooms; rooms.RETURN_SECONDS = {TIMEOUT}"
HOUR = 3600.0


def test_a_game_goes_on_in_the_server_that_replaces_another_one() -> None:
    with Server() as old:
        room, ada = old.make(seats=["human", "open"], time={"main": HOUR, "increment": 0})
        bea = old.sit(room)
        with old.join(room, ada) as black, old.join(room, bea) as white:
            assert black.receive("state")["can"]["play"]
            black.play("a2 1C")
            shown = white.receive("played")
            seen, left = time.monotonic(), shown["clock"]["left"][1]
            wait_until(lambda: time.monotonic() > seen + 1, "a second of white's time")
            with Server(before=PATIENT, replaces=old) as new:
                assert (black.close_code(), white.close_code()) == (RESTART, RESTART)
                assert old.process.wait(TIMEOUT) == 0
                ended = time.monotonic()
                most = ended - seen  # white's time can have run so long
                wait_until(lambda: time.monotonic() > ended + 1, "a second for which the clock stands still")
                with new.join(room, ada) as black, new.join(room, bea) as white:
                    state = white.receive("state")
                    assert [move["text"] for move in state["moves"]] == ["a2 1C"]
                    assert left - most - 0.5 < state["clock"]["left"][1] <= left - 1.0
                    assert black.receive("state")["moves"] == state["moves"]
                    white.play("b3 2A")
                    assert black.receive("played")["move"]["text"] == "b3 2A"
                assert new.stop()[0] == 0


def test_a_signal_lets_a_server_start_its_successor(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes:
        notes.bind(f"{folder}/notes")
        notes.settimeout(TIMEOUT)
        environment = os.environ | {"PENTAD_HOME": str(tmp_path), systemd.NOTES: f"{folder}/notes"}
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "pentad", "web", "--no-browser", "--port", str(port)]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as old:
            assert notes.recv(100) == b"READY=1"
            old.send_signal(signal.SIGUSR2)
            found = {notes.recv(100) for _ in range(2)}  # the two servers send them in either order
            assert b"READY=1" in found
            name, _, process = (found - {b"READY=1"}).pop().partition(b"=")
            try:
                assert name == b"MAINPID"
                assert old.wait(TIMEOUT) == 0
                assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=TIMEOUT).status_code == 200
            finally:
                os.kill(int(process), signal.SIGTERM)
        wait_until(lambda: not Path(f"/proc/{int(process)}").exists(), "the end of the successor")


def test_another_port_is_refused() -> None:
    with Server() as old:
        code = f"main(['web', '--replace', '--port', '{old.port % 60000 + 1}', '--database', {old.database!r}])"
        command = [sys.executable, "-c", f"import sys; from pentad.terminal.command_line import main; sys.exit({code})"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == 2
        assert f"port {old.port}, and not " in done.stderr
        assert done.stderr.count("\n") == 1
        assert httpx.get(f"{old.url}/api/health", timeout=TIMEOUT).status_code == 200


# ── in one process ───────────────────────────────────────────────────────────────────────────────


class ReadyEngines:
    """Engines that have nothing to prepare."""

    def state(self) -> dict[str, object]:
        return {"ready": True}


class Old:
    """The running server of a test, with its store and its claim."""

    def __init__(self, url: str) -> None:
        self.url, self.where = url, f"http://127.0.0.1:1/{os.urandom(8).hex()}"
        self.store, self.claim = Store.open(url), Claim(url)
        self.rooms = Rooms(RoomEnvironment(self.store, cast(Engines, ReadyEngines())))
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.is_accepting, self.has_ended = True, False
        self.replacement = Replacement(self.store, self.claim, self.rooms)
        self.claim.announce(self.where)
        self.replacement.start(self, self.where)

    def listener(self) -> int:
        return self.socket.fileno()

    async def stop_accepting(self, seconds: float) -> None:
        self.is_accepting = False

    async def accept_again(self) -> None:
        self.is_accepting = True

    def end_as_replaced(self, process: int) -> None:
        assert process == os.getpid()
        self.has_ended = True

    def close(self) -> None:
        self.replacement.close()
        self.rooms.close()
        self.store.close()
        self.claim.release()
        self.socket.close()


class New:
    """A server that replaces it."""

    def __init__(self, old: Old) -> None:
        self.predecessor = Predecessor.at(old.where)
        self.store, self.claim = Store.open(old.url, beside_a_server=True), Claim(old.url, inherits=True)
        self.rooms = Rooms(RoomEnvironment(self.store, cast(Engines, ReadyEngines())))

    async def take_over(self) -> None:
        engines, steps = cast(Engines, ReadyEngines()), list[str]()
        await self.predecessor.take_over(self.rooms, self.store, self.claim, engines, lambda: steps.append("prepared"))
        assert steps == ["prepared"]
        self.claim.announce("http://127.0.0.1:2/")

    def close(self) -> None:
        if not self.predecessor.is_replaced:
            self.store.leave("")
        self.predecessor.close()
        self.rooms.close()
        self.store.close()
        self.claim.release()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket must be short
        monkeypatch.setattr(tempfile, "gettempdir", lambda: folder)
        yield f"sqlite:///{tmp_path}/games.db"


async def beside(work: Callable[[], T]) -> T:
    return await asyncio.to_thread(work)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0.005)


def test_writes_wait_for_the_new_server_and_are_its_own_afterwards(url: str) -> None:
    async def hand_over() -> None:
        with contextlib.closing(Old(url)) as old:
            await old.store.add_person(b"a" * 8, "Ada")
            with contextlib.closing(await beside(lambda: New(old))) as new:
                early = asyncio.create_task(new.store.add_person(b"b" * 8, "Bea"))
                await asyncio.sleep(0.05)
                assert await old.store.person(b"b" * 8) is None  # the new server does not write yet
                await new.take_over()
                assert (await early).name == "Bea"
                await until(lambda: old.has_ended)
                with pytest.raises(StoreError, match="The server is restarting"):
                    await old.store.add_person(b"c" * 8, "Cid")
                with pytest.raises(Claimed, match=r"127\.0\.0\.1:2/"):
                    Claim(url)
        Claim(url).release()

    asyncio.run(hand_over())


@pytest.mark.parametrize("last", ["hello", "ready", "joined"])
def test_a_new_server_that_ends_changes_nothing(url: str, last: str) -> None:
    async def give_up(old: Old) -> None:
        """Goes through the steps of a new server until the last one."""
        written: list[asyncio.Task[Person]] = []
        with contextlib.closing(await beside(lambda: Predecessor.at(old.where))) as predecessor:
            for step, answer in (("ready", "offer"), ("joined", "yours"))[: ("hello", "ready", "joined").index(last)]:
                await beside(partial(predecessor.channel.send, step))
                await beside(partial(predecessor.channel.receive, answer))
                assert not old.is_accepting
                written.append(asyncio.create_task(old.store.add_person(os.urandom(8), step)))
                await asyncio.sleep(0.05)
                assert not written[-1].done()  # it waits while the other server could take over
        await until(lambda: old.is_accepting and not old.replacement._is_busy)
        assert all([(await each).name for each in written])

    async def try_all() -> None:
        with contextlib.closing(Old(url)) as old:
            await give_up(old)
            old.claim.check()
            with pytest.raises(Claimed):
                Claim(url)
            with contextlib.closing(await beside(lambda: New(old))) as new:
                await new.take_over()

    asyncio.run(try_all())


RUBBISH = (
    b"\n",
    b"{}\n",
    b"[]\n",
    b"\xff\xfe\n",
    b'{"kind": "yours"}\n',
    b'{"kind": "hello"',
    b"",
    b"x" * 100_000 + b"\n",
)


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_rubbish_is_refused_and_changes_nothing(url: str, rubbish: bytes, caplog: pytest.LogCaptureFixture) -> None:
    def send(old: Old) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(str(handover._socket_path(old.where)))
            client.sendall(rubbish)
            client.shutdown(socket.SHUT_WR)
            return client.recv(1000)

    async def try_it() -> None:
        with contextlib.closing(Old(url)) as old:
            assert b'"kind": "failed"' in await beside(lambda: send(old))
            assert old.is_accepting
            with contextlib.closing(await beside(lambda: New(old))) as new:
                await new.take_over()

    asyncio.run(try_it())
    assert "This server is not replaced: " in caplog.text


def test_a_refusal_is_read_though_the_connection_is_closed() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with contextlib.closing(Channel(one)) as channel:
        with contextlib.closing(Channel(other)) as server:
            server.send("failed", why="not now")
        with pytest.raises(HandoverRefused, match=r"^not now$"):
            channel.send("hello")


def test_two_servers_cannot_replace_one(url: str) -> None:
    async def try_it() -> None:
        with contextlib.closing(Old(url)) as old, contextlib.closing(await beside(lambda: New(old))) as new:
            with pytest.raises(HandoverFailed, match="already replacing"):
                await beside(lambda: Predecessor.at(old.where))
            await new.take_over()

    asyncio.run(try_it())


def test_a_database_that_does_not_answer_is_not_handed_over(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def try_it() -> None:
        with contextlib.closing(Old(url)) as old:
            monkeypatch.setattr(old.store, "hold", lambda seconds: False)
            new = await beside(lambda: New(old))
            with contextlib.closing(new), pytest.raises(HandoverFailed, match=r"^The database does not answer\.$"):
                await new.take_over()
            assert old.is_accepting
            assert not old.has_ended

    asyncio.run(try_it())


def test_a_folder_that_others_can_open_is_not_used(url: str) -> None:
    folder = handover._socket_path("http://127.0.0.1:1/").parent
    folder.chmod(0o755)
    with pytest.raises(HandoverFailed, match=f"^Other users can open the folder {folder}"):
        handover._socket_path("http://127.0.0.1:1/")


def test_a_server_that_cannot_be_replaced_is_left_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HandoverFailed, match=r"http://127\.0\.0\.1:1/: No such file"):
        Predecessor.at("http://127.0.0.1:1/")
    with pytest.raises(HandoverFailed, match="is on another machine"):
        Predecessor.at("")
    monkeypatch.setattr(handover, "IS_POSSIBLE", False)  # Windows has no sockets of this kind
    with pytest.raises(HandoverFailed, match="on this system"):
        Predecessor.at("http://127.0.0.1:1/")
