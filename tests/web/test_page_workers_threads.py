"""Background threads: cancelled work holds no extra threads, and no shutdown waits for one."""

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

import pentad.web
from pentad.jobs.fair_queue import QUICK, Owner, QueueError
from pentad.store import Store
from pentad.web.engines import Engines
from pentad.web.http.exchange import Caller
from pentad.web.page_workers import BackgroundThreads, FairThreadPool
from pentad.web.rooms import room
from pentad.web.rooms.registry import NAME_LENGTH, Rooms
from pentad.web.rooms.room import RoomEnvironment
from tests.waiting import TIMEOUT, wait_until

ME = Owner("me", ("203.0.113.1",))


class Stuck:
    """Work that lasts until it is released; counts how much of it ran at once."""

    def __init__(self) -> None:
        self.running = self.most = self.begun = 0
        self.let_go = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, *_: object) -> int:
        with self._lock:
            self.running += 1
            self.begun += 1
            self.most = max(self.most, self.running)
        self.let_go.wait()
        with self._lock:
            self.running -= 1
        return 1


@pytest.fixture
def stuck() -> Any:
    made = Stuck()
    yield made
    made.let_go.set()


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not is_so():
            await asyncio.sleep(0.001)


async def request_and_cancel(ask: Callable[[], Awaitable[object]], times: int, stuck: Stuck) -> None:
    """Request work and cancel it repeatedly, each time once it has begun or waits."""
    for number in range(times):
        asking = asyncio.ensure_future(ask())
        if not number:
            await until(lambda: stuck.begun)
        for _ in range(8):
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])


def test_cancelled_work_holds_its_turn_until_it_is_done(stuck: Stuck) -> None:
    async def whole() -> None:
        threads = FairThreadPool(2, "test", QUICK, "full")
        await request_and_cancel(lambda: threads.run(ME, stuck), 1, stuck)
        await request_and_cancel(lambda: threads.run(ME, stuck), 9, stuck)
        assert len(threads.queue.running) == 2
        assert threads.queue.waiting == 0  # cancelled requests do not wait
        last = asyncio.create_task(threads.run(Owner("other"), lambda: "done"))
        stuck.let_go.set()
        assert await last == "done"
        await until(lambda: not threads.queue.running)
        assert stuck.most <= 2

    asyncio.run(whole())


def test_cancelled_work_fails_silently(stuck: Stuck, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        stuck()
        raise ValueError

    async def whole() -> None:
        threads = FairThreadPool(1, "test", QUICK, "full")
        await request_and_cancel(lambda: threads.run(ME, fail), 1, stuck)
        stuck.let_go.set()
        await until(lambda: not threads.queue.running)
        with pytest.raises(ValueError, match="ten"):
            await threads.run(ME, lambda: int("ten"))

    asyncio.run(whole())
    assert caplog.text == ""


def test_closing_refuses_waiting_and_later_work(stuck: Stuck) -> None:
    async def whole() -> None:
        threads = FairThreadPool(1, "test", QUICK, "full")
        first, second = (asyncio.create_task(threads.run(ME, stuck)) for _ in range(2))
        await until(lambda: stuck.begun)
        threads.stop("closed for the night")
        for each in (second, threads.run(ME, stuck)):
            with pytest.raises(QueueError, match="closed for the night"):
                await each
        stuck.let_go.set()
        assert await first == 1

    asyncio.run(whole())


# ── a stop ───────────────────────────────────────────────────────────────────────────────────────


class Kept:
    """A store with one game, whose content does not matter."""

    async def game(self, name: str) -> tuple[object, list[object]]:
        return object(), []

    async def chat(self, name: str) -> list[object]:
        return []


async def _background(stuck: Stuck) -> None:
    await BackgroundThreads()(Caller(address=ME.networks[-1]), stuck)


async def _bring_back(_: Stuck) -> None:
    await Rooms(RoomEnvironment(cast(Store, Kept()), cast(Engines, None))).get("a" * NAME_LENGTH)


@pytest.mark.parametrize("work", [_background, _bring_back])
def test_shutdown_waits_for_no_thread(
    work: Callable[[Stuck], Awaitable[None]], stuck: Stuck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`asyncio.run` would wait for the threads of `asyncio.to_thread`."""
    monkeypatch.setattr(room, "restored", stuck)
    ended = threading.Event()

    async def whole() -> None:
        working = asyncio.ensure_future(work(stuck))
        await until(lambda: stuck.begun)
        assert not working.done()

    def run() -> None:
        asyncio.run(whole())
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    wait_until(ended.is_set, "the end")
    assert stuck.running == 1
    daemons = [each for each in threading.enumerate() if each.name.startswith("pentad-")]
    assert all(each.daemon for each in daemons)  # so the end of Python does not wait either


def test_no_module_of_the_server_uses_the_threads_of_the_loop() -> None:
    folder = Path(pentad.web.__file__).parent
    for path in {*folder.rglob("*.py")} - {*(folder / "site").rglob("*.py")}:
        found = re.findall(r"\b(?:to_thread|run_in_executor|run_sync|run_in_threadpool)\(", path.read_text("utf-8"))
        assert not found, path
