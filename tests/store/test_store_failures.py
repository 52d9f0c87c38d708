"""Killed processes, locks, full disks and lost servers: confirmed events survive, and play continues."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pentad.store import Store
from pentad.store.database import DatabaseLocation, open_engine
from pentad.store.rows import ChatMessage, Conflict, SeatRow, StoreError
from pentad.store.store import StoreWriter, Write
from tests.store.postgres import Cluster
from tests.store.rows import event, game

ROOT = Path(__file__).parents[2]


async def kept(store: Store, name: str) -> int:
    """The number of a game's events, checked for gaps."""
    found = await store.game(name)
    assert found is not None
    assert [each.number for each in found[1]] == list(range(len(found[1])))
    return len(found[1])


@pytest.mark.fast_cases(1)
def test_a_killed_server_has_saved_every_confirmed_event(url):
    player = subprocess.Popen(
        [sys.executable, "-m", "tests.store.player_process", url, "50", "100000"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert player.stdout is not None
    lines = [player.stdout.readline() for _ in range(1000)]
    player.kill()
    lines += player.stdout.read().splitlines(keepends=True)  # the output before it was killed
    player.stdout.close()
    assert player.wait() == -9
    confirmed = Counter(line.split()[0] for line in lines if line.endswith("\n"))
    assert confirmed.total() >= 1000

    async def check() -> None:
        store = Store.open(url)
        for name, count in confirmed.items():
            found = await store.game(name)
            assert found is not None
            row, events = found
            assert [each.body for each in events] == [f"{name} {number}" for number in range(row.moves)]
            assert count <= row.moves <= count + 1  # one may have been saved but not confirmed
        await store.add_event("g0", event(await kept(store, "g0")))
        store.close()

    asyncio.run(check())


# ── SQLite ───────────────────────────────────────────────────────────────────────────────────────

HOLDS_THE_LOCK = """
import sqlite3, sys
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
raw.execute("COMMIT")
"""


@pytest.fixture
def lock_holder(file: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that locks the file until it receives a line."""
    Store.open(f"sqlite:///{file}").close()
    command = [sys.executable, "-c", HOLDS_THE_LOCK, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        yield holder


def release_lock(holder: "subprocess.Popen[str]") -> None:
    holder.communicate("\n")
    assert holder.returncode == 0


@pytest.mark.slow
def test_writes_wait_for_a_lock_while_reads_continue(file, lock_holder):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        writes = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(3)]
        done, _ = await asyncio.wait(writes, timeout=2.5)  # longer than SQLite itself waits
        assert not done
        assert await store.game("g0") is None
        await asyncio.to_thread(release_lock, lock_holder)
        await asyncio.gather(*writes)
        assert len(await store.open_games()) == 3
        store.close()

    asyncio.run(play())


def test_writes_fail_after_the_timeout_and_later_ones_are_saved(file):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=0.1)
        await store.add_game(game("g"))
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        writes = [store.add_event("g", event(each)) for each in range(3)]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert [str(each) for each in outcomes] == ["Cannot save the game: database is locked."] * 3
        assert all(type(each) is StoreError for each in outcomes)
        raw.execute("COMMIT")
        raw.close()
        with pytest.raises(Conflict):  # none of them was saved, so there is no gap to fill
            await store.add_event("g", event(3))
        await store.add_event("g", event(0))
        assert await kept(store, "g") == 1
        store.close()

    asyncio.run(play())


FILLS_THE_DISK = """
import asyncio, os, resource, sys
from pentad.store import Store
from pentad.store.rows import StoreError
from tests.store.rows import event, game

async def play(file):
    store = Store.open(f"sqlite:///{file}", timeout=0.3)
    await store.add_game(game("g"))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(f"{file}-wal") + 200_000, hard))
    number = 0
    try:
        while True:
            await store.add_event("g", event(number, body="x" * 5000))
            number += 1
    except StoreError as error:
        print(number, error)
    assert len((await store.game("g"))[1]) == number
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await store.add_event("g", event(number))
    store.close()

asyncio.run(play(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_full_disk_is_reported_and_nothing_is_lost(file):
    command = [sys.executable, "-c", FILLS_THE_DISK, str(file)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    lines = ended.stderr.splitlines()
    assert lines
    assert [line for line in lines if not line.startswith("The database cannot be written, trying again: ")] == []
    count, _, message = ended.stdout.strip().partition(" ")
    assert message in (
        "Cannot save the game: disk I/O error.",
        "Cannot save the game: database or disk is full.",
    )
    assert int(count) > 10
    store = Store.open(f"sqlite:///{file}")
    assert asyncio.run(kept(store, "g")) == int(count) + 1
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open cannot be removed")
def test_a_removed_file_is_not_written_to(file: Path):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}")
        await store.add_game(game("g"))
        aside = file.with_name("aside.db")
        file.rename(aside)
        for replaced in (False, True):
            if replaced:
                file.touch()
            with pytest.raises(StoreError, match=rf"{file} was deleted or moved\.$"):
                await store.add_event("g", event(0))
        aside.rename(file)
        await store.add_event("g", event(0))
        assert await kept(store, "g") == 1
        await asyncio.to_thread(store.close)

    asyncio.run(play())


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_restart_of_postgresql_loses_nothing(cluster: Cluster, how: str):
    async def play(store: Store, name: str, going: asyncio.Event) -> int:
        await store.add_game(game(name))
        number = 0
        while going.is_set():
            await store.add_event(name, event(number))
            number += 1
        return number

    async def run() -> None:
        store = Store.open(cluster.url(), timeout=600)
        going = asyncio.Event()
        going.set()
        names = [f"g{each}" for each in range(40)]
        games = [asyncio.ensure_future(play(store, name, going)) for name in names]
        while not (found := await store.game("g0")) or not found[1]:  # the first event has not come yet
            await asyncio.sleep(0.01)
        await asyncio.to_thread(cluster.stop, how)
        before = asyncio.ensure_future(store.game("g0"))  # readers wait as well
        await asyncio.sleep(0.3)
        await asyncio.to_thread(cluster.start)
        assert await before is not None
        await store.add_game(game("after"))
        going.clear()
        confirmed = await asyncio.gather(*games)
        assert min(confirmed) > 0
        assert [await kept(store, name) for name in names] == confirmed
        store.close()

    asyncio.run(run())


# ── the writer ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
def test_an_unconfirmed_commit_is_not_a_conflict(url, monkeypatch):
    """The server is lost in the middle of a commit: the commit is done, but the writer cannot know, and retries."""

    async def play() -> None:
        store = Store.open(url, timeout=600)
        ada = await store.add_person(b"ada", "Ada")
        real, lost = StoreWriter._commit, []

        def commit_unconfirmed(self, batch, again, *, savepoints):
            real(self, batch, again, savepoints=savepoints)
            if not again:
                lost.append(len(batch))
                raise OperationalError("COMMIT", {}, ConnectionError("the server is gone"))

        monkeypatch.setattr(StoreWriter, "_commit", commit_unconfirmed)
        bob, *_ = await asyncio.gather(
            store.add_person(b"bob", "Bob"),
            store.add_game(game("g", seats=(SeatRow("human", ada.id), SeatRow("open")))),
            *(store.add_event("g", event(each), moves=each + 1) for each in range(5)),
            store.add_event("g", event(5, kind="sit"), seats=(SeatRow("human"), SeatRow("human", ada.id))),
            store.add_chat_message("g", ChatMessage(0, 0, "Ada", "hello", 1.0)),
        )
        await store.rate(ada.id, "pente", 7.0)
        await store.add_puzzle_attempt(ada.id, "p", True, 1.0)
        with pytest.raises(Conflict):
            await store.add_event("g", event(3, body="other"))
        monkeypatch.undo()
        assert sum(lost) == 9 + 3
        assert (await store.game("g"))[0].moves == 5
        assert await kept(store, "g") == 6
        assert [row.name for row, _ in await store.games_of(ada.id)] == ["g"]
        assert len(await store.chat("g")) == 1
        assert bob == await store.person(b"bob")
        assert await store.rating(ada.id, "pente") == 7.0
        assert await store.puzzle_attempts(ada.id, 5) == [("p", True, 1.0)]
        store.close()

    asyncio.run(play())


def test_a_programming_error_in_a_write_reaches_its_caller_and_the_log(file, caplog):
    async def play() -> None:
        location = DatabaseLocation(f"sqlite:///{file}")
        engine = open_engine(location)
        writer = StoreWriter(engine, location, 1.0)
        good, bad = Future[str](), Future[int]()
        writer.put(Write("a bad one", lambda attempt: 1 // 0, bad))
        writer.put(Write("a good one", lambda attempt: "kept", good))
        assert await asyncio.wrap_future(good) == "kept"
        with pytest.raises(StoreError, match=r"^Cannot save the game: "):
            await asyncio.wrap_future(bad)
        writer.close(time.monotonic() + 600)
        engine.dispose()

    asyncio.run(play())
    assert "ZeroDivisionError" in caplog.text


def test_writes_beyond_the_queue_limit_are_refused_at_once(file, monkeypatch):
    monkeypatch.setattr("pentad.store.store.MAX_WAITING", 5)

    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        first = asyncio.ensure_future(store.add_game(game("first")))
        await asyncio.sleep(0)  # the write is queued by now
        while store._writer._waiting:  # the writer has not taken it yet
            await asyncio.sleep(0.01)
        writes = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(8)]
        refused, _ = await asyncio.wait(writes, return_when=asyncio.FIRST_COMPLETED)
        assert {str(each.exception()) for each in refused} == {"Cannot save the game: 5 writes are already waiting."}
        raw.execute("COMMIT")
        raw.close()
        outcomes = await asyncio.gather(first, *writes, return_exceptions=True)
        assert [each is None for each in outcomes] == [True] * 6 + [False] * 3
        store.close()

    asyncio.run(play())


# ── Closing with an unresponsive database ────────────────────────────────────────────────────────


def begun(store: Store, *names: str) -> list[asyncio.Future[None]]:
    """Chat messages that are queued one after the other, and wait."""
    message = ChatMessage(0, 0, "Ada", "hello", 1.0)
    return [asyncio.ensure_future(store.add_chat_message(name, message)) for name in names]


def test_a_store_that_is_locked_when_it_closes_logs_the_lost_writes(file, caplog):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        writes = begun(store, "abc", "def")
        await asyncio.sleep(0)
        store.close(within=0.0)
        raw.close()
        for each in writes:
            each.cancel()

    asyncio.run(play())
    (logged,) = [record.getMessage() for record in caplog.records]
    assert logged.startswith("Lost when the server stopped (")
    assert "a chat message in the game abc, a chat message in the game def." in logged


def test_an_unresponsive_database_does_not_delay_closing(file, monkeypatch, caplog):
    """A server that is stopped in the middle of an answer: its driver waits forever."""
    frozen, entered = threading.Event(), threading.Semaphore(0)

    def wait(*_: object, **__: object) -> None:
        entered.release()
        frozen.wait()

    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        monkeypatch.setattr("sqlalchemy.Connection.execute", wait)
        waiting = [*begun(store, "abc"), *(asyncio.ensure_future(store.chat("abc")) for _ in range(6))]
        await asyncio.sleep(0)
        for _ in range(1 + 4):  # the writer and every reader
            await asyncio.to_thread(entered.acquire)
        waiting += begun(store, "def")
        await asyncio.sleep(0)
        store.close(within=0.0)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(play())
    frozen.set()
    (logged,) = [record.getMessage() for record in caplog.records]
    assert logged == (
        "Lost when the server stopped (no time left): a chat message in the game abc, a chat message in the game def."
    )


@pytest.mark.slow
def test_an_unresponsive_database_does_not_delay_the_end_of_the_process(file):
    """The threads that wait for it are abandoned."""
    code = """
import asyncio, sys, threading
from sqlalchemy import Connection
from pentad.store import Store
entered = threading.Semaphore(0)
def wait(*_, **__):
    entered.release()
    threading.Event().wait()
async def play():
    store = Store.open(sys.argv[1])
    Connection.execute = wait
    reading = asyncio.ensure_future(store.chat("abc"))
    await asyncio.to_thread(entered.acquire)
    store.close(within=0.0)
    reading.cancel()
    print("over")
asyncio.run(play())
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, f"sqlite:///{file}"], capture_output=True, text=True, timeout=300, check=False
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("over\n", "", 0)
