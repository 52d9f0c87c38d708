"""Trouble while games are played: killed, locked, full, gone. What was confirmed stays, and it goes on after."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pentad.store import ChatMessage, Conflict, SeatRow, Store, StoreError
from pentad.store.database import Location
from pentad.store.open_database import open_engine
from pentad.store.writer import Write, Writer
from tests.store.postgres import Cluster
from tests.store.rows import event, game

ROOT = Path(__file__).parents[2]


async def kept(store: Store, name: str) -> int:
    """How many events a game has; none may be missing between."""
    found = await store.game(name)
    assert found is not None
    assert [each.number for each in found[1]] == list(range(len(found[1])))
    return len(found[1])


def test_a_killed_server_has_kept_all_that_it_confirmed(url):
    player = subprocess.Popen(
        [sys.executable, "-m", "tests.store.player", url, "50", "100000"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    told = [player.stdout.readline() for _ in range(3000)]
    player.kill()
    told += player.stdout.read().splitlines(keepends=True)  # what it had said before it was killed
    player.stdout.close()
    assert player.wait() == -9
    confirmed = Counter(line.split()[0] for line in told if line.endswith("\n"))
    assert confirmed.total() >= 3000

    async def check() -> None:
        store = Store.open(url)
        for name, count in confirmed.items():
            found = await store.game(name)
            assert found is not None
            row, happened = found
            assert [each.body for each in happened] == [f"{name} {number}" for number in range(row.moves)]
            assert count <= row.moves <= count + 1  # one may have been kept without its being said
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
    """Another process that has the file, until it is sent a line."""
    Store.open(f"sqlite:///{file}").close()
    command = [sys.executable, "-c", HOLDS_THE_LOCK, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        yield holder


def let_go(holder: "subprocess.Popen[str]") -> None:
    holder.communicate("\n")
    assert holder.returncode == 0


def test_writes_wait_for_a_lock_while_reads_go_on(file, lock_holder):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        writes = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(3)]
        done, _ = await asyncio.wait(writes, timeout=2.5)  # longer than SQLite itself waits
        assert not done
        assert await store.game("g0") is None
        await asyncio.to_thread(let_go, lock_holder)
        await asyncio.gather(*writes)
        assert len(await store.open_games()) == 3
        store.close()

    asyncio.run(play())


def test_when_patience_ends_they_are_told_and_later_writes_are_kept(file):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=0.1)
        await store.add_game(game("g"))
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        writes = [store.add_event("g", event(each)) for each in range(3)]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert [str(each) for each in outcomes] == ["the game cannot be kept now: database is locked"] * 3
        assert all(type(each) is StoreError for each in outcomes)
        raw.execute("COMMIT")
        raw.close()
        with pytest.raises(Conflict):  # none of them was kept, so there is no gap to be filled
            await store.add_event("g", event(3))
        await store.add_event("g", event(0))
        assert await kept(store, "g") == 1
        store.close()

    asyncio.run(play())


FILLS_THE_DISK = """
import asyncio, os, resource, sys
from pentad.store import Store, StoreError
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


def test_a_full_disk_is_told_and_nothing_is_lost(file):
    command = [sys.executable, "-c", FILLS_THE_DISK, str(file)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    count, _, message = told.stdout.strip().partition(" ")
    assert message in (
        "the game cannot be kept now: disk I/O error",
        "the game cannot be kept now: database or disk is full",
    )
    assert int(count) > 10
    store = Store.open(f"sqlite:///{file}")
    assert asyncio.run(kept(store, "g")) == int(count) + 1
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open cannot be removed")
def test_nothing_is_written_into_a_file_that_was_removed(file: Path):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}")
        await store.add_game(game("g"))
        aside = file.with_name("aside.db")
        file.rename(aside)
        for replaced in (False, True):
            if replaced:
                file.touch()
            with pytest.raises(StoreError, match=rf"the game cannot be kept now: the file {file} is gone$"):
                await store.add_event("g", event(0))
        aside.rename(file)
        await store.add_event("g", event(0))
        assert await kept(store, "g") == 1
        await asyncio.to_thread(store.close)

    asyncio.run(play())


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_server_that_goes_and_comes_back_loses_nothing(cluster: Cluster, how: str):
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
        while not (found := await store.game("g0")) or not found[1]:  # it goes on
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


def test_a_commit_that_was_not_told_of_is_not_taken_for_a_conflict(url, monkeypatch):
    """As when a server goes in the middle of a commit: it is done, but the writer cannot know, and tries again."""

    async def play() -> None:
        store = Store.open(url, timeout=600)
        ada = await store.add_person(b"ada", "Ada")
        real, lost = Writer._commit, []

        def commit_untold(self, batch, again, *, savepoints):
            real(self, batch, again, savepoints=savepoints)
            if not again:
                lost.append(len(batch))
                raise OperationalError("COMMIT", {}, ConnectionError("the server is gone"))

        monkeypatch.setattr(Writer, "_commit", commit_untold)
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


def test_a_mistake_within_a_write_reaches_the_one_who_made_it_and_the_log(file, caplog):
    async def play() -> None:
        location = Location(f"sqlite:///{file}")
        engine = open_engine(location)
        writer = Writer(engine, location, 1.0)
        loop = asyncio.get_running_loop()
        good, bad = loop.create_future(), loop.create_future()
        writer.put(Write("a bad one", lambda attempt: 1 // 0, loop, bad))
        writer.put(Write("a good one", lambda attempt: "kept", loop, good))
        assert await good == "kept"
        with pytest.raises(StoreError, match="the game cannot be kept now: integer division or modulo by zero"):
            await bad
        writer.close(time.monotonic() + 600)
        engine.dispose()

    asyncio.run(play())
    assert "ZeroDivisionError" in caplog.text


def test_more_than_can_wait_is_refused_at_once(file, monkeypatch):
    monkeypatch.setattr("pentad.store.writer.MOST_WAITING", 5)

    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        first = asyncio.ensure_future(store.add_game(game("first")))
        await asyncio.sleep(0)  # it is put
        while store._writer._waiting:  # until the writer has taken it
            await asyncio.sleep(0.01)
        writes = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(8)]
        refused, _ = await asyncio.wait(writes, return_when=asyncio.FIRST_COMPLETED)
        assert {str(each.exception()) for each in refused} == {
            "the game cannot be kept now: 5 writes are waiting already"
        }
        raw.execute("COMMIT")
        raw.close()
        outcomes = await asyncio.gather(first, *writes, return_exceptions=True)
        assert [each is None for each in outcomes] == [True] * 6 + [False] * 3
        store.close()

    asyncio.run(play())


# ── the end, while there is trouble ──────────────────────────────────────────────────────────────


def begun(store: Store, *names: str) -> list[asyncio.Future[None]]:
    """Lines of talk that are put one after the other, and wait."""
    said = ChatMessage(0, 0, "Ada", "hello", 1.0)
    return [asyncio.ensure_future(store.add_chat_message(name, said)) for name in names]


def test_a_store_that_is_locked_to_its_end_tells_what_it_could_not_keep(file, caplog):
    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        raw = sqlite3.connect(file, isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        writes = begun(store, "abc", "def")
        await asyncio.sleep(0)
        store.close(within=0.0)  # what is not done by then is given up, not waited for
        raw.close()
        for each in writes:
            each.cancel()

    asyncio.run(play())
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("not kept when the server stopped, as ")
    assert "talk in the game abc, talk in the game def" in told


def test_a_database_that_answers_nothing_holds_up_no_end(file, monkeypatch, caplog):
    """A server that is stopped in the middle of an answer: its driver waits for ever."""
    frozen, entered = threading.Event(), threading.Semaphore(0)

    def wait(*_: object, **__: object) -> None:
        entered.release()
        frozen.wait()

    async def play() -> None:
        store = Store.open(f"sqlite:///{file}", timeout=600)
        monkeypatch.setattr("pentad.store.writes.add_chat_message", wait)
        monkeypatch.setattr("pentad.store.reads.chat", wait)
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
    (told,) = [record.getMessage() for record in caplog.records]
    assert told == (
        "not kept when the server stopped, as there was no time left: talk in the game abc, talk in the game def"
    )


def test_a_process_ends_though_its_database_answers_nothing(file):
    """Threads that wait for it are left behind."""
    code = """
import asyncio, sys, threading
from pentad.store import Store, reads
entered = threading.Semaphore(0)
def wait(*_, **__):
    entered.release()
    threading.Event().wait()
reads.chat = wait
async def play():
    store = Store.open(sys.argv[1])
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
