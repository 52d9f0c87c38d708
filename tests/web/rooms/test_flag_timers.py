"""Flag timers: the earliest first, and a bounded number."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

from pentad.web.rooms.flag_timers import Flag, FlagTimers
from tests.web.room_fixtures import Loop, run_pending


def run(test):
    loop = Loop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(test(loop))


def test_they_fall_in_order():
    async def whole(loop: Loop) -> None:
        fallen: list[str] = []
        flags = FlagTimers(lambda: loop.ahead, lambda: fallen.extend(name for name, _ in flags.fallen()))
        for name, due in (("late", 90_000.0), ("soon", 10.0), ("never", 50.0), ("again", 20.0)):
            flags.put(name, Flag(due, 0.0))
        flags.take("never")
        flags.put("again", Flag(30.0, 0.0))
        seen = []
        for seconds in (9, 2, 10, 10, 5, 3600, 90_000):
            loop.ahead += seconds
            await asyncio.sleep(0.02)
            await run_pending()
            seen.append(list(fallen))
        flags.close()
        assert seen == [[], ["soon"], ["soon"], *[["soon", "again"]] * 3, ["soon", "again", "late"]]

    run(whole)


def test_too_many_flags_drop_the_latest():
    async def whole(loop: Loop) -> None:
        flags = FlagTimers(lambda: loop.ahead, lambda: None, most=50)
        for number in range(51):
            flags.put(f"{number}", Flag(1000.0 + number, 0.0))
        assert len(flags) == 46  # several may flag at once
        flags.put("now", Flag(1.0, 0.0))
        assert flags.take("now")
        assert flags.take("0")
        assert flags.take("50") is None
        flags.close()

    run(whole)


def test_the_order_stays_when_removed_flags_are_forgotten():
    async def whole(loop: Loop) -> None:
        fallen: list[str] = []
        flags = FlagTimers(lambda: loop.ahead, lambda: fallen.extend(name for name, _ in flags.fallen()))
        flags.put("late", Flag(90_000.0, 0.0))
        for due in range(20, 9, -1):
            flags.put("soon", Flag(due, 0.0))
        loop.ahead += 11
        await run_pending()
        assert fallen == ["soon"]
        flags.close()

    run(whole)


def test_the_timer_looks_at_the_clock_once_an_hour():
    async def whole(loop: Loop) -> None:
        looks: list[float] = []
        flags = FlagTimers(lambda: loop.ahead, lambda: looks.append(loop.ahead))
        flags.put("late", Flag(90_000.0, 0.0))
        for seconds in (3000, 700):
            loop.ahead += seconds
            await run_pending()
        assert looks == [3700]
        flags.close()

    run(whole)


def test_removed_flags_leave_nothing_behind():
    async def whole(loop: Loop) -> None:
        flags = FlagTimers(lambda: loop.ahead, lambda: None)
        for number in range(300):
            flags.put("one", Flag(86_400.0 + number, 0.0))
            assert len(flags._order) <= 2
            assert flags.take("one")
        assert len(flags) == 0
        flags.close()

    run(whole)


@pytest.mark.slow
def test_a_flag_is_small():
    async def whole(loop: Loop) -> None:
        flags = FlagTimers(lambda: loop.ahead, lambda: None)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(10_000):
            flags.put(f"abcde{number:05}", Flag(86_400.0 + number, float(number)))
        assert tracemalloc.get_traced_memory()[0] - before < 10_000 * 500
        tracemalloc.stop()
        flags.close()

    run(whole)
