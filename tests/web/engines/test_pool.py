"""The pool with workers that behave as a test wants."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pentad.game import Position, load, new
from pentad.jobs import pool as jobs_pool
from pentad.jobs import process as jobs_process
from pentad.jobs.process import Process, WorkerNotStarted
from pentad.record import Record
from pentad.web.engines import Engines, WorkerFailed, pool
from pentad.web.http.client_address import owner_at
from tests.web.room_fixtures import Loop

FAKE = (sys.executable, "-P", str(Path(__file__).with_name("fake_engines.py")))
START = new("pente")
EIGHTEEN = load("pentago ww...w/..wbww/bw..../b..b.b/b.wb../.w..bb")  # marbles; a solve takes half a gigabyte


@asynccontextmanager
async def engines(size: int = 2, memory: int = 4000, command: tuple[str, ...] = FAKE) -> AsyncIterator[Engines]:
    made = Engines(size, memory, command=command)
    try:
        yield made
    finally:
        await made.close()
        assert not made.tasks


def play(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(whole())


async def ask(made: Engines, who: str, owner: str = "me") -> str:
    return await made.move(START, who, seed=1, owner=owner)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def until(true: Callable[[], object]) -> None:
    while not true():
        await asyncio.sleep(0.01)


def only(made: Engines) -> Process:
    (worker,) = made.busy
    return worker


def test_a_process_is_reused():
    async def test() -> None:
        async with engines() as made:
            first, second = await ask(made, "x"), await ask(made, "x")
            assert first == second
            assert made.state() == {"ready": False, "compiling": None, "share": None, "waiting": 0, "running": 0}

    play(test)


def test_a_process_that_uses_much_memory_is_not_reused():
    async def test() -> None:
        async with engines() as made:
            first, second = await ask(made, "fat"), await ask(made, "x")
            assert first != second
            await until(lambda: gone(int(first.split()[0])))

    play(test)


def test_each_end_of_a_process_is_counted_once_by_its_reason() -> None:
    before = jobs_pool.ENDS.counts()

    async def test() -> None:
        async with engines() as made:
            await ask(made, "fat")
            with pytest.raises(WorkerFailed):
                await ask(made, "die")
            asking = asyncio.create_task(ask(made, "sleep:1000"))
            await until(lambda: made.busy)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await ask(made, "x")

    play(test)
    after = jobs_pool.ENDS.counts()
    counted = {reason: count - before.get((name, reason), 0) for (name, reason), count in after.items()}
    assert {reason: count for reason, count in counted.items() if count} == {
        jobs_pool.MEMORY: 1,
        jobs_pool.DIED: 2,  # the request is tried once more
        jobs_pool.CANCELLED: 1,
        jobs_pool.STOPPED: 1,
    }


def test_long_work_has_a_lower_priority_than_moves():
    async def test() -> None:
        async with engines() as made:
            _, quick = (await ask(made, "x")).split()
            assert quick == "0"
            async with aclosing(made.analysis(START, seconds=1, lines=1, owner="me")) as reports:
                assert [report async for report in reports][-1] == {"depth": 1000}
            assert sorted(worker.nice for worker in made.idle) == [0, jobs_pool.NICE_LONG]

    play(test)


def test_cancelling_ends_the_search_at_once():
    async def test() -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, "sleep:1000"))
            await until(lambda: made.busy)
            pid = only(made).process.pid
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until(lambda: gone(pid))
            assert made.state()["running"] == 0
            assert await ask(made, "x")

    play(test)


def test_a_process_whose_start_was_cancelled_is_kept():
    async def test() -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, "sleep:1000"))
            while not made.tasks:
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            await until(lambda: not made.tasks)
            assert (len(made.busy), len(made.idle)) == (0, 1)
            pid = made.idle[0].process.pid
            assert (await ask(made, "x")).startswith(f"{pid} ")

    play(test)


def test_a_request_whose_process_is_killed_is_retried_once(tmp_path):
    async def test() -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, f"once:{tmp_path / 'been'}"))
            await until((tmp_path / "been").exists)
            pid = only(made).process.pid
            os.kill(pid, signal.SIGKILL)
            assert not (await asking).startswith(f"{pid} ")

    play(test)


def test_a_request_survives_that_all_idle_processes_are_killed(tmp_path):
    async def test() -> None:
        async with engines() as made:
            other = tmp_path / "other"
            asking = asyncio.create_task(ask(made, f"once:{other}", owner="other"))
            await until(other.exists)
            await ask(made, "x")
            os.kill(only(made).process.pid, signal.SIGKILL)
            await asking
            pids = [worker.process.pid for worker in made.idle]
            assert len(pids) == 2
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            assert int((await ask(made, "x")).split()[0]) not in pids

    play(test)


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("die", "The worker process ended."),
        ("only-invalid", "The worker process ended."),
        ("too-long", "The engine's answer was too long."),
    ],
)
def test_a_failed_request_gets_an_error_of_one_line(who, why):
    async def test() -> None:
        async with engines() as made:
            with pytest.raises(WorkerFailed, match=f"^{why}$"):
                await ask(made, who)
            assert await ask(made, "x")

    play(test)


def test_invalid_lines_between_answers_are_skipped(caplog):
    async def test() -> None:
        async with engines() as made:
            assert await ask(made, "invalid")

    play(test)
    assert "Invalid line from a worker" in caplog.text


def test_silence_times_out_except_while_an_engine_is_compiled(monkeypatch):
    monkeypatch.setattr(pool, "SHOWN_AFTER_SECONDS", 0.0)

    async def test() -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, "compiling:3.0"))
            await until(lambda: made.state()["compiling"])
            monkeypatch.setattr(pool, "MAX_THINKING_SECONDS", 2.0)
            assert (made.state()["compiling"], made.state()["share"]) == ("pente", 0.25)
            assert await asking
            assert made.state()["compiling"] is None
            with pytest.raises(WorkerFailed, match="found nothing within 2 seconds"):
                await ask(made, "sleep:1000")

    play(test)


def test_the_start_has_a_limit_of_its_own(monkeypatch):
    monkeypatch.setattr(pool, "MAX_THINKING_SECONDS", 2.0)

    async def test() -> None:
        async with engines() as made:
            assert await ask(made, "start:4")
            monkeypatch.setattr(jobs_process, "START_SECONDS", 0.5)
            with pytest.raises(WorkerNotStarted, match=r"did not start within 0\.5 seconds"):
                await ask(made, "start:1000")

    play(test)


def test_a_slow_reader_gets_the_latest_report():
    async def test() -> None:
        async with engines() as made, aclosing(made.analysis(START, seconds=1, lines=1, owner="me")) as reports:
            seen = []
            async for report in reports:
                seen.append(report["depth"])
                await until(lambda: not made.queue.running)
            assert len(seen) < 100
            assert seen[-1] == 1000

    play(test)


def test_closing_a_stream_ends_its_search():
    async def test() -> None:
        async with engines() as made:
            reports = made.analysis(START, seconds=1, lines=1, owner="me")
            await anext(reports)
            await reports.aclose()
            assert not made.busy
            assert made.state()["running"] == 0

    play(test)


@pytest.mark.slow
def test_fifty_heavy_requests_wait_in_turn_and_learn_their_places():
    async def test() -> None:
        async with engines(size=4, memory=900) as made:
            places: list[list[int]] = [[] for _ in range(50)]
            ended: list[int] = []

            async def want(owner: int) -> None:
                answer = await made.values(EIGHTEEN, owner=owner, on_place=places[owner].append)
                ended.append(owner)
                assert len(made.queue.running) <= 1
                assert 500 << 20 < answer["memory"] < 700 << 20

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(want(owner)) for owner in range(50)]
                await asyncio.sleep(0)
                await until(lambda: made.state()["waiting"] >= 40)
                leavers = tasks[40:]
                for task in leavers:
                    task.cancel()
                await asyncio.wait(leavers)
                assert made.state()["waiting"] <= 40
            assert ended == list(range(40))
            assert places[0] == [0]
            assert places[39] == [*range(39, -1, -1)]
            assert all(each[-1] > 0 for each in places[40:])

    play(test)


def test_a_move_fits_beside_long_work_in_little_memory():
    async def test() -> None:
        async with engines(size=2, memory=900) as made, made.queue.turn("reader", 900, quick=False):
            request = made._request("move", START, {}, "player", None, who="greedy")
            async with made.queue.turn("player", request.memory, quick=request.quick):
                assert len(made.queue.running) == 2

    play(test)


def test_a_move_does_not_wait_for_long_work():
    async def test() -> None:
        async with engines(size=2) as made:
            record = Record("pente").text
            reviews = [made.review(record, seconds=1, owner=owner) for owner in range(8)]
            long = [asyncio.create_task(all_of(review)) for review in reviews]
            await until(lambda: made.state()["waiting"] == 7)
            assert await ask(made, "x", owner="quick")
            assert made.state()["running"] == 1
            for task in long:
                task.cancel()
            await asyncio.wait(long)

    play(test)


async def all_of(answers: AsyncIterator[dict[str, Any]]) -> list[dict[str, Any]]:
    return [answer async for answer in answers]


def test_a_review_gives_way_and_resumes(monkeypatch):
    """Two endless reviews share one slot by turns."""
    monkeypatch.setattr(jobs_pool, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(jobs_pool, "LOOK_SECONDS", 0.01)

    async def test() -> None:
        async with engines(size=1) as made:
            record = Record("pente").text
            owners = [owner_at(number, f"192.0.2.{number}") for number in range(2)]
            plies: list[list[int]] = [[], []]

            async def review(number: int) -> None:
                async for ply in made.review(record, seconds=1, owner=owners[number]):
                    plies[number].append(ply["ply"])

            tasks = [asyncio.create_task(review(number)) for number in range(2)]
            await until(lambda: tasks[0].done() or tasks[1].done())
            other = 0 if tasks[1].done() else 1
            assert plies[1 - other] == [0, 1, 2, 3]
            assert plies[other][:2] == [0, 1]
            tasks[other].cancel()
            await asyncio.wait(tasks)

    play(test)


def test_an_analysis_ends_early_if_another_address_waits(monkeypatch):
    monkeypatch.setattr(jobs_pool, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(jobs_pool, "LOOK_SECONDS", 0.01)

    async def test() -> None:
        async with engines(size=1) as made:

            def analysis(name: str, address: str, seconds: float) -> asyncio.Task[list[dict[str, Any]]]:
                return asyncio.create_task(
                    all_of(made.analysis(START, seconds=seconds, lines=1, owner=owner_at(name, address)))
                )

            endless = analysis("mallory", "203.0.113.1", 33)
            await until(lambda: made.queue.running)
            mine = analysis("accomplice", "203.0.113.1", 33)
            await until(lambda: made.queue.waiting)
            for _ in range(10):
                await asyncio.sleep(0.01)
            assert not endless.done()  # requests of the same address do not end it
            honest = analysis("honest", "198.51.100.1", 1)
            assert await honest  # it may give way to those that wait already
            assert await endless in ([], [{"depth": 1}])
            mine.cancel()
            await asyncio.wait([mine])

    play(test)


def test_closing_ends_all_processes_and_waits():
    async def test() -> None:
        async with engines(size=1) as made:
            asking = [asyncio.create_task(ask(made, "sleep:1000", owner=f"{n}")) for n in range(3)]
            await until(lambda: made.busy)
            pid = only(made).process.pid
            await made.close()
            assert gone(pid)
            for task in asking:
                with pytest.raises(WorkerFailed, match="The server is stopping"):
                    await task
            with pytest.raises(WorkerFailed, match="The server is stopping"):
                await ask(made, "x")

    play(test)


def test_warming_up_makes_the_pool_ready():
    async def test() -> None:
        async with engines() as made:
            await made.warm()
            assert made.state()["ready"]

    play(test)


def test_a_warm_up_bot_moves_until_all_is_compiled():
    async def test() -> None:
        called: list[str] = []
        async with engines() as made:

            async def move(position: Position, **more: Callable[[], None]) -> str:
                return await made.move(position, "simple", seed=1, owner="me", **more)

            await move(START)  # without the callback the bot itself is awaited
            assert called == []
            await move(START, simpler=lambda: called.append("pente"))
            assert called == ["pente"]
            assert made._unprepared[0] == "pente"  # somebody waits for it
            await move(EIGHTEEN, simpler=lambda: called.append("pentago"))
            assert made._unprepared == ["pentago", "pente", "pentagame"]
            await made.warm()
            await move(START, simpler=lambda: called.append("late"))
            assert called == ["pente", "pentago"]

    play(test)


def test_one_failed_compilation_does_not_stop_the_others():
    async def test() -> None:
        async with engines() as made:
            asked: list[str] = []

            async def answers(request: jobs_pool.JobRequest) -> AsyncIterator[jobs_pool.Answer]:
                asked.append(request.given["name"])
                if len(asked) == 1:
                    raise WorkerFailed("it found nothing")
                yield {}

            made._run_on_worker = answers  # type: ignore[method-assign,assignment]
            with pytest.raises(WorkerFailed, match="found nothing"):
                await made.warm()
            assert asked == ["pentago", "pente", "pentagame"]
            assert not made.state()["ready"]

    play(test)


def test_a_process_that_cannot_start_is_an_error():
    async def test() -> None:
        async with engines(command=("/nowhere/python",)) as made:
            with pytest.raises(WorkerFailed, match="Cannot start a process: No such file"):
                await ask(made, "x")

    play(test)


# ── processes that hang ──────────────────────────────────────────────────────────────────────────


def play_at(test: Callable[[Loop], Awaitable[None]]) -> None:
    """Run a test whose clock it advances itself."""
    loop = Loop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(test(loop))


async def look_on(loop: Loop, seconds: float) -> None:
    """Let time pass in steps between two checks."""
    for _ in range(int(seconds / jobs_process.CHECK_SECONDS)):
        loop.ahead += jobs_process.CHECK_SECONDS
        await asyncio.sleep(0.02)


def silenced(monkeypatch: pytest.MonkeyPatch, *, states: str, works: bool = False) -> None:
    """Fix the activity that the system reports for every process."""
    used = iter(range(10**9))
    monkeypatch.setattr(
        jobs_process,
        "read_activity",
        lambda _: jobs_process.ProcessActivity(frozenset(states), next(used) if works else 7),
    )


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_a_stopped_worker_is_detected_and_replaced(tmp_path, caplog):
    async def test(loop: Loop) -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, f"once:{tmp_path / 'asked'}"))
            await until((tmp_path / "asked").exists)
            first = only(made).process.pid
            os.kill(first, signal.SIGSTOP)
            await asyncio.sleep(0.05)  # all its output has come
            await look_on(loop, 10)
            while not asking.done():  # late checks on a busy machine do not count
                await look_on(loop, jobs_process.CHECK_SECONDS)
            second = int((await asking).split()[0])
            assert first != second
            await until(lambda: gone(first))

    play_at(test)
    assert "is frozen; killing it" in caplog.text


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("states", "works", "ended"), [("S", False, True), ("S", True, False), ("R", False, False), ("SD", False, False)]
)
def test_only_an_inactive_worker_is_ended(monkeypatch, states, works, ended):
    silenced(monkeypatch, states=states, works=works)

    async def test(loop: Loop) -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, "mute"))
            await until(lambda: made.busy and only(made).preparing)
            first = only(made).process.pid
            await look_on(loop, 10 if ended else 100)
            if ended:
                while not gone(first):
                    await look_on(loop, jobs_process.CHECK_SECONDS)
            else:
                assert only(made).process.pid == first
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    play_at(test)


def test_a_server_that_was_suspended_ends_no_worker(monkeypatch):
    silenced(monkeypatch, states="S")

    async def test(loop: Loop) -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, "mute"))
            await until(lambda: made.busy and only(made).preparing)
            first = only(made).process.pid
            for _ in range(20):
                loop.ahead += 1000
                await asyncio.sleep(0.02)
            assert only(made).process.pid == first
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    play_at(test)


def test_a_silent_but_busy_worker_goes_on(tmp_path):
    """A kernel that holds the interpreter lock."""

    async def test(loop: Loop) -> None:
        async with engines() as made:
            asking = asyncio.create_task(ask(made, f"spin:{tmp_path / 'enough'}"))
            await until(lambda: made.busy and only(made).preparing)
            first = only(made).process.pid
            for _ in range(5):
                used = jobs_process.read_activity(first)
                await until(
                    lambda used=used: (
                        (now := jobs_process.read_activity(first)) is None or used is None or now.used > used.used
                    )
                )
                await look_on(loop, 4)
            (tmp_path / "enough").touch()
            assert int((await asking).split()[0]) == first

    play_at(test)


def test_a_frozen_worker_is_detected_within_ten_seconds():
    beats = jobs_process.Heartbeat(lambda: jobs_process.ProcessActivity(frozenset("T"), 1))
    found = [beats.is_frozen(jobs_process.CHECK_SECONDS) for _ in range(jobs_process.SILENT_CHECKS)]
    assert found == [False] * (jobs_process.SILENT_CHECKS - 1) + [True]
    assert jobs_process.CHECK_SECONDS * jobs_process.SILENT_CHECKS <= 10


def test_without_system_reports_longer_silence_is_taken_for_death():
    beats = jobs_process.Heartbeat(lambda: None)
    found = [beats.is_frozen(jobs_process.CHECK_SECONDS) for _ in range(8)]
    assert found == [False] * 7 + [True]
    beats.reset()
    assert not beats.is_frozen(jobs_process.CHECK_SECONDS)
