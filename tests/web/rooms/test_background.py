"""Background work of a room: tasks, timers, and retries with growing pauses."""

import asyncio
import logging

import pytest

from pentad.web.rooms.background import RETRY_SECONDS, Retry, Tasks, Timer
from tests.web.room_fixtures import Scene, run_pending, scene


@scene
async def test_a_timer_calls_once_and_can_be_set_again(here: Scene) -> None:
    timer, called = Timer(), list[str]()
    timer.set(10, lambda: called.append("late"))
    timer.set(5, lambda: called.append("early"))
    await here.wait(20)
    assert (called, timer.is_set) == (["early"], False)
    timer.set(5, lambda: called.append("never"))
    timer.cancel()
    await here.wait(20)
    assert called == ["early"]


@scene
async def test_the_pause_doubles_with_each_failure_until_a_step_succeeds(here: Scene) -> None:
    retry, called = Retry(), list[int]()

    async def pause() -> float:
        """Fails once; returns how long it takes until the retry."""
        retry.later(lambda: called.append(1))
        before, waited = len(called), 0.0
        while len(called) == before:
            await here.wait(RETRY_SECONDS)
            waited += RETRY_SECONDS
        return waited

    assert [await pause() / RETRY_SECONDS for _ in range(3)] == [1, 2, 4]
    retry.succeeded()
    assert await pause() == RETRY_SECONDS


@scene
async def test_the_longest_pause_is_sixty_four_times_the_first(here: Scene) -> None:
    retry, called = Retry(), list[int]()
    for _ in range(10):
        retry.later(lambda: called.append(1))
    await here.wait(60 * RETRY_SECONDS)
    assert called == []
    await here.wait(5 * RETRY_SECONDS)
    assert called == [1]


@scene
async def test_tasks_end_with_the_room_and_errors_are_logged(here: Scene, caplog: pytest.LogCaptureFixture) -> None:
    tasks, ended = Tasks("abc"), list[str]()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")

    async def fail() -> None:
        raise ValueError("nobody expected that")

    with caplog.at_level(logging.ERROR):
        waiting, failing = tasks.start(wait), tasks.start(fail)
        await run_pending()
        tasks.close()
        await run_pending()
    assert (ended, waiting.cancelled(), failing.done()) == (["waiting"], True, True)
    assert [record.message for record in caplog.records] == ["Room abc: Internal error (a bug in pentad)."]
