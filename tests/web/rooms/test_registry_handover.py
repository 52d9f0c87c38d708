"""Rooms that are handed over from one server to another: clocks stand still, and games are read in advance."""

from __future__ import annotations

import asyncio

import pytest

from pentad.store.rows import EventRow, GameRow, Person, StoreError
from pentad.web.rooms.registry import IDLE_SECONDS, RETURN_SECONDS
from tests.web.room_fixtures import Guest, Scene, run_pending, scene

BLITZ = {"main": 60.0, "increment": 0.0}


async def handed_over(here: Scene, pause: float = 0.0) -> Scene:
    """The server that takes the place of this one, which is silent for some seconds."""
    there = Scene(here.store, here.loop)
    there.wall = here.wall
    await there.rooms.prepare(here.rooms.versions())
    clocks = here.rooms.clocks()
    here.rooms.close()
    await here.wait(pause)
    await there.rooms.take_over(clocks)
    return there


async def back(there: Scene, guest: Guest) -> Guest:
    """A client of the old server at the new one."""
    person = guest.connection.person
    room = await there.rooms.get(guest.room.name, person=person)
    assert room
    again = Guest(room, Person(person or 0, ""))
    await run_pending()
    return again


def left(guest: Guest) -> list[float]:
    return [round(seconds, 1) for seconds in guest.state["clock"]["left"]]


@scene
async def test_a_clock_stands_still_until_a_player_is_back(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(20)
    there = await handed_over(here, pause=7)
    await there.wait(RETURN_SECONDS - 1)
    bea = await back(there, bea)
    assert left(bea) == [60.0, 40.0]
    await there.wait(5)
    await bea.play("b3 2A")
    assert left(bea) == [60.0, 35.0]
    there = await handed_over(there)
    ada = await back(there, ada)
    assert left(ada) == [60.0, 35.0]
    assert [move["text"] for move in ada.state["moves"]] == ["a2 1C", "b3 2A"]
    there.rooms.close()


@scene
async def test_a_clock_runs_out_if_nobody_comes_back(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(20)
    there = await handed_over(here)
    await there.wait(RETURN_SECONDS)
    there = await handed_over(there)  # of a room that is not loaded
    await there.wait(RETURN_SECONDS + 39)
    assert len(there.rooms) == 0
    await there.wait(2)
    await there.until(lambda: len(there.rooms) == 1)
    await there.settle()
    assert (await back(there, bea)).state["status"] == "White ran out of time. Black wins."
    there.rooms.close()


@scene
async def test_games_that_were_read_in_advance_are_not_read_again(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = [await here.friends("Ada", "Bea") for _ in range(2)]
    await first[0].play("a2 1C")
    await first[0].chat("hello")
    there = Scene(here.store, here.loop)
    assert await there.rooms.prepare(here.rooms.versions()) == 2
    await second[0].play("b2 1C")  # after it was read
    assert await there.rooms.prepare(here.rooms.versions()) == 1
    await second[1].chat("hello")
    await there.rooms.take_over(here.rooms.clocks())
    here.rooms.close()
    assert [move["text"] for move in (await back(there, second[0])).state["moves"]] == ["b2 1C"]

    async def broken(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(here.store, "game", broken)
    ada = await back(there, first[0])
    assert [move["text"] for move in ada.state["moves"]] == ["a2 1C"]
    assert [message["text"] for message in ada.new("said")] == ["hello"]
    there.rooms.close()


@scene
async def test_rooms_that_nobody_comes_back_to_are_forgotten(here: Scene) -> None:
    await here.friends("Ada", "Bea")
    there = await handed_over(here)
    assert len(there.rooms._prepared) == 1
    assert len(there.store._expected) == 2
    await there.wait(IDLE_SECONDS + 1)
    assert not there.rooms._prepared
    assert not there.store._expected
    there.rooms.close()


@scene
async def test_players_who_come_at_the_same_time_read_their_game_once(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    there, read, count = await here.again(), here.store.game, 0

    async def counted(name: str) -> tuple[GameRow, list[EventRow]] | None:
        nonlocal count
        count += 1
        return await read(name)

    monkeypatch.setattr(here.store, "game", counted)
    rooms = await asyncio.gather(
        *(there.rooms.get(ada.room.name, person=each.connection.person) for each in (ada, bea))
    )
    assert rooms[0] is rooms[1] is not None
    assert count == 1
    there.rooms.close()
