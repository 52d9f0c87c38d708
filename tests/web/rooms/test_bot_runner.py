"""Bot runner: one search at a time, whose move is played, or whose failure is reported; without a room."""

import asyncio
from dataclasses import replace
from typing import cast

import pytest

from pentad.game import Move
from pentad.jobs.fair_queue import Owner
from pentad.store.rows import StoreError
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.rooms import bot_runner
from pentad.web.rooms.background import Tasks
from pentad.web.rooms.bot_runner import BotRunner
from pentad.web.rooms.state import RoomState, StaleState, begun
from tests.web.room_fixtures import Scene, SlowEngines, run_pending, scene
from tests.web.rooms.test_actions import BOT, PEOPLE, begin


class Host:
    """A room that notes what its bots do."""

    name = "abc"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.done: list[str] = []
        self.storing = asyncio.Event()
        self.storing.set()

    def owner(self) -> Owner:
        return Owner(1)

    async def play_for_bot(self, game: RoomState, move: Move, *, simpler: bool) -> None:
        await self.storing.wait()
        if self.error:
            raise self.error
        self.done.append(f"{move}{' simpler' if simpler else ''}")

    def show_place(self, place: int) -> None:
        if place:
            self.done.append(f"place {place}")

    def report_failure(self, why: str, *, again: bool = True) -> None:
        self.done.append(f"{why} {'again' if again else 'no more'}")

    def resume_play(self) -> None:
        self.done.append("resumed")


def table(*seats: str) -> RoomState:
    return begun(begin(("pentago", {}, [BOT if each == "bot" else PEOPLE[1] for each in seats])))


def runner(here: Scene) -> tuple[BotRunner, SlowEngines, Tasks]:
    tasks, engines = Tasks("abc"), SlowEngines()
    return BotRunner(cast(Engines, engines), here.loop.time, tasks), engines, tasks


@scene
async def test_a_move_is_searched_once_and_played(here: Scene) -> None:
    bots, engines, _ = runner(here)
    host = Host()
    for _ in range(2):
        bots.wake(host, table("bot", "person"))
    await run_pending()
    assert (bots.is_busy, len(engines.requested)) == (True, 1)
    engines.simpler()
    engines.answers.put_nowait("a2 1C")
    await run_pending()
    assert (bots.is_busy, host.done) == (False, ["a2 1C simpler", "resumed"])


@pytest.mark.parametrize(
    ("answer", "refused", "told"),
    [
        (WorkerFailed("it fell over"), None, ["random cannot move: it fell over again", "resumed"]),
        (ValueError("what?"), None, ["random cannot move: what? no more", "resumed"]),
        ("a2 1C", StoreError("the disk is full"), ["the disk is full again", "resumed"]),
        ("a2 1C", StaleState("changed"), ["resumed"]),
    ],
)
@scene
async def test_a_failure_is_reported(
    here: Scene, answer: str | Exception, refused: Exception | None, told: list[str]
) -> None:
    bots, engines, _ = runner(here)
    host = Host(refused)
    bots.wake(host, table("bot", "person"))
    engines.answers.put_nowait(answer)
    await run_pending()
    assert host.done == told


@scene
async def test_a_search_is_cancelled_but_not_the_storing_of_its_move(here: Scene) -> None:
    bots, engines, _ = runner(here)
    host = Host()
    assert not bots.cancel()
    bots.wake(host, table("bot", "person"))
    await run_pending()
    assert bots.cancel()
    await run_pending()
    assert (engines.given_up, bots.is_busy, host.done) == (1, False, [])
    host.storing.clear()
    bots.wake(host, table("bot", "person"))
    engines.answers.put_nowait("a2 1C")
    await run_pending()
    assert not bots.cancel()
    host.storing.set()
    await run_pending()
    assert host.done == ["a2 1C", "resumed"]


class NextBotHost(Host):
    """A room that lets the next bot search while a move is stored, as after each move."""

    def __init__(self, bots: BotRunner) -> None:
        super().__init__()
        self.bots = bots

    async def play_for_bot(self, game: RoomState, move: Move, *, simpler: bool) -> None:
        assert not self.bots.cancel()
        self.bots.wake(self, game)
        await super().play_for_bot(game, move, simpler=simpler)


@scene
async def test_the_next_bot_searches_once_a_move_is_played(here: Scene) -> None:
    bots, engines, _ = runner(here)
    host = NextBotHost(bots)
    bots.wake(host, table("bot", "person"))
    engines.answers.put_nowait("a2 1C")
    await run_pending()
    assert (host.done, len(engines.requested), bots.is_busy) == (["a2 1C", "resumed"], 2, True)


@scene
async def test_a_bot_answers_a_person_at_once(here: Scene) -> None:
    bots, engines, _ = runner(here)
    bots.wake(Host(), replace(table("bot", "person"), at=1))
    await run_pending()
    assert len(engines.requested) == 1


@scene
async def test_bots_among_themselves_wait_between_moves(here: Scene) -> None:
    bots, engines, _ = runner(here)
    game = begun(begin(("pentago", {}, [BOT, BOT])))
    bots.wake(Host(), game)
    await run_pending()
    assert len(engines.requested) == 1  # the first move at once
    bots.cancel()
    later, engines, _ = runner(here)
    later.wake(Host(), replace(game, at=1))
    await run_pending()
    assert engines.requested == []
    await here.wait(bot_runner.PACE_SECONDS)
    assert len(engines.requested) == 1
