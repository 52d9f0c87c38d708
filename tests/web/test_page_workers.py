"""Worker processes for pages: results, refusals, time limits, and callers that leave."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pentad.game import GameError
from pentad.jobs import process
from pentad.jobs.fair_queue import QueueError
from pentad.jobs.process import WorkerFailed
from pentad.web import move_tree, page_workers
from pentad.web.http.client_address import Address
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.page_workers import PageWorkers
from pentad.web.service import studies
from pentad.web.typed_json import written

ANN = Caller(address=Address("192.0.2.1"))
GAME = '[Game "pentago"]\n\n1. a2 1C 2. b3 2A *\n'


@asynccontextmanager
async def workers(size: int = 1) -> AsyncIterator[PageWorkers]:
    made = PageWorkers(size)
    try:
        yield made
    finally:
        await made.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


def test_results_and_refusals_are_those_of_the_function() -> None:
    async def test() -> None:
        async with workers() as ask:
            assert (await ask.answer(ANN, move_tree.read_text, GAME, None)).text == written(
                move_tree.read_text(GAME, None)
            )
            part = studies.StudyFile(text=GAME)
            assert await ask(ANN, studies.read_chapters, part) == studies.read_chapters(part)
            with pytest.raises(GameError) as refused:
                await ask(ANN, move_tree.read_text, "rubbish {braces}", "pentago")
            with pytest.raises(GameError) as here:
                move_tree.read_text("rubbish {braces}", "pentago")
            assert str(refused.value) == str(here.value)

    run(test)


def test_a_bug_is_no_refusal_and_the_next_call_works() -> None:
    async def test() -> None:
        async with workers() as ask:
            with pytest.raises(WorkerFailed, match="AttributeError"):
                await ask(ANN, move_tree.read_text, 5, None)  # type: ignore[arg-type]
            assert await ask(ANN, int, "7") == 7

    run(test)


def test_work_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_workers, "PAGE_WORK_SECONDS", 0.2)

    async def test() -> None:
        async with workers() as ask:
            with pytest.raises(GameError, match="takes longer than"):
                await ask(ANN, time.sleep, 1000)
            await asyncio.gather(*ask.tasks)
            assert not ask.busy
            assert not ask.idle

    run(test)


def test_a_start_counts_as_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "START_SECONDS", 0.001)

    async def test() -> None:
        async with workers() as ask:
            with pytest.raises(QueueError, match="busy"):
                await ask(ANN, time.sleep, 1000)

    run(test)


def test_work_ends_when_its_caller_leaves(tmp_path: Path) -> None:
    async def test() -> None:
        left = asyncio.Event()

        async def leaves() -> None:
            await left.wait()

        async with workers() as ask:
            work = asyncio.create_task(ask(Caller(address=ANN.address, leaves=leaves), time.sleep, 1000))
            while not ask.busy:
                await asyncio.sleep(0.01)
            left.set()
            with pytest.raises(StatusError):
                await work
            await asyncio.gather(*ask.tasks)
            assert not ask.busy
            assert await ask(ANN, int, "7") == 7

    run(test)


def test_a_short_call_does_not_wait_for_long_ones() -> None:
    async def test() -> None:
        async with workers(2) as ask:
            long = [
                asyncio.create_task(ask(ANN, re.fullmatch, "(x|x)*y", "x" * page_workers.MAX_QUICK_CALL))
                for _ in range(4)
            ]
            while not ask.busy:
                await asyncio.sleep(0.01)
            assert await ask(Caller(address=Address("192.0.2.2")), int, "7") == 7
            for each in long:
                each.cancel()
            await asyncio.wait(long)

    run(test)


def test_too_many_calls_of_one_address_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_workers, "WAIT", page_workers.WAIT._replace(of_owner=2, of_address=2))

    async def test() -> None:
        async with workers() as ask:
            waiting = [asyncio.create_task(ask(ANN, time.sleep, 1000)) for _ in range(3)]
            while not ask.busy:
                await asyncio.sleep(0.01)
            with pytest.raises(QueueError):
                await ask(ANN, int, "7")
            for each in waiting:
                each.cancel()
            await asyncio.wait(waiting)

    run(test)
