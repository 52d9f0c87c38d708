"""Clocks of a room: when they run and run out, also while no server runs."""

import json

import pytest

from pentad.store.rows import Person, StoreError
from pentad.web.rooms.background import RETRY_SECONDS
from pentad.web.rooms.registry import CONNECT_SECONDS, IDLE_SECONDS, Rooms
from pentad.web.rooms.subscribers import Connection
from pentad.web.service.play import serve
from tests.web.room_fixtures import Guest, Scene, run_pending, scene

BLITZ = {"main": 60.0, "increment": 2.0}


def left(guest: Guest) -> list[float]:
    return [round(seconds, 1) for seconds in guest.state["clock"]["left"]]


@scene
async def test_clocks_run_once_all_seats_are_taken_and_a_move_is_played(here: Scene) -> None:
    ada = await here.alone("human", "open", time=BLITZ)
    await here.wait(1000)
    await ada.play("a2 1C")
    await here.wait(1000)  # the seat is still open
    assert ada.state["clock"] == {"words": "1 min + 2 s", "left": [60.0, 60.0], "running": None, "days": False}
    bea = await here.person("Bea")
    await ada.room.sit(bea.id, "Bea", 1)
    await run_pending()
    assert ada.state["clock"]["running"] == 1
    guest = Guest(ada.room, bea)
    await here.wait(10)
    await guest.play("b2 1C")
    assert (left(guest), guest.state["clock"]["running"]) == ([60.0, 52.0], 0)
    await here.wait(20)
    await ada.play("c2 1C")
    assert (left(ada), ada.state["clock"]["running"]) == ([42.0, 52.0], 1)


class HeldBack:
    """A socket whose only message has arrived some time ago."""

    def __init__(self, text: str, arrived: float) -> None:
        self.texts, self.arrived = [text], arrived

    async def accept(self) -> None: ...

    async def receive(self) -> str | None:
        return self.texts.pop() if self.texts else None

    async def send(self, text: str) -> None: ...

    async def close(self, code: int = 1000, reason: str = "") -> None: ...


@scene
async def test_a_move_that_was_held_back_takes_the_time_until_it_arrived(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(10)
    arrived = here.loop.ahead
    await here.wait(5)
    socket = HeldBack(json.dumps({"type": "step", "at": ada.room.game.at, "steps": "b2 1C"}), arrived)
    await serve(socket, ada.room, Connection(bea.connection.person))
    await run_pending()
    assert left(bea) == [60.0, 52.0]


@scene
async def test_a_takeback_removes_the_increments(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for _ in range(4):
        await here.wait(1)
        await bea.play("b2 1C")
        await bea.send("undo")
        await ada.send("answer", yes=True)
    assert ada.state["event"] == "undone"
    assert left(bea) == [60.0, 56.0]
    await bea.play("b2 1C")
    assert left(bea) == [60.0, 58.0]
    await bea.send("undo")
    await ada.send("answer", yes=True)
    await here.wait(55.5)
    await bea.play("b2 1C")
    await bea.send("undo")
    await ada.send("answer", yes=True)
    assert left(bea) == [60.0, 1.0]  # nobody loses because of that


@scene
async def test_running_out_of_time_loses_at_once(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(59)
    assert bea.state["outcome"] is None
    await here.wait(1.5)
    for guest in (ada, bea):
        assert (guest.state["event"], guest.state["status"]) == ("flagged", "White ran out of time. Black wins.")
        assert (left(guest)[1], guest.state["clock"]["running"]) == (0.0, None)
    await bea.play("b2 1C")
    assert "The game is over." in bea.errors()[-1]
    assert [event.kind for event in (await here.store.game(ada.room.name) or (None, []))[1]][-1] == "flag"


@scene
async def test_a_clock_that_ran_out_without_clients_is_noticed(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for guest in (ada, bea):
        guest.leave()
    await here.wait(61)
    assert ada.room.game.outcome


async def put_away(here: Scene, *guests: Guest) -> None:
    """Disconnect all guests and unload the room."""
    for guest in guests:
        guest.leave()
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0


async def events(here: Scene, guest: Guest) -> list[str]:
    return [event.kind for event in (await here.store.game(guest.room.name) or (None, []))[1]]


LONG = {"main": 3600.0, "increment": 5.0}


@pytest.mark.parametrize("time", [LONG, {"days": 1.0}], ids=["minutes", "days"])
@scene
async def test_a_flag_falls_in_an_unloaded_room(here: Scene, time: dict[str, float]) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=time)
    await ada.play("a2 1C")
    whole = left(ada)[1]
    await here.wait(10)
    await put_away(here, ada, bea)
    await here.wait(whole - 10 - IDLE_SECONDS - 1 - 2)
    assert await events(here, ada) == ["sit", "play"]
    await here.wait(4)
    await here.until(lambda: len(here.rooms) == 1)
    await here.settle()
    assert await events(here, ada) == ["sit", "play", "flag"]
    row, stored = await here.store.game(ada.room.name) or (None, [])
    assert row
    assert (row.result, row.reason, stored[-1].seat, stored[-1].clocks[1]) == ("1-0", "out of time", 1, 0.0)
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0
    await here.wait(100 * whole)
    assert len(here.rooms) == 0


@pytest.mark.parametrize("time", [LONG, {"days": 1.0}], ids=["minutes", "days"])
@scene
async def test_the_clock_of_an_unloaded_room_runs_on(here: Scene, time: dict[str, float]) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=time)
    await ada.play("a2 1C")
    whole = left(ada)[1]
    await here.wait(10)
    await bea.send("draw")
    await ada.send("answer", yes=False)
    for _ in range(2):
        await put_away(here, ada, bea)
        await here.wait(100)
        room = await here.rooms.get(ada.room.name)
        assert room
        ada, bea = (Guest(room, Person(guest.connection.person or 0, "")) for guest in (ada, bea))
        await run_pending()
    gone = 10 + 2 * (100 + IDLE_SECONDS + 1)
    assert (left(bea), bea.state["clock"]["running"]) == ([whole, whole - gone], 1)
    await here.wait(whole - gone - 2)
    assert bea.state["outcome"] is None
    await here.wait(4)
    assert bea.state["status"] == "White ran out of time. Black wins."


@scene
async def test_an_unloaded_room_keeps_its_time_after_a_restart(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=LONG)
    await ada.play("a2 1C")
    await put_away(here, ada, bea)
    there = await here.again()
    there.wall += 5000
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await run_pending()
    assert left(guest) == [3600.0, 3600.0]  # a clock in minutes runs only while a server runs
    await here.wait(5000)  # the old server's timer is over then
    assert (await events(here, ada)).count("flag") == 1


@scene
async def test_a_flag_that_cannot_be_stored_falls_later(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=LONG)
    await ada.play("a2 1C")
    await put_away(here, ada, bea)

    async def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as trouble:
        trouble.setattr(here.store, "game", broken)
        await here.wait(3600)
    with monkeypatch.context() as trouble:
        trouble.setattr(here.store, "add_event", broken)
        await here.wait(RETRY_SECONDS + 1)
        await here.until(lambda: len(here.rooms) == 1)
        await here.wait(IDLE_SECONDS + 1)
        await here.rooms.sweep()
    assert await events(here, ada) == ["sit", "play"]
    await here.wait(60)
    await here.until(lambda: len(here.rooms) == 1)
    await here.wait(400)
    await here.settle()
    assert await events(here, ada) == ["sit", "play", "flag"]


@scene
async def test_rooms_without_clients_never_fill_the_server(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=3)
    for number in range(7):
        ada, bea = await here.friends("Ada", "Bea", time={"main": 86_400.0})
        await ada.play("a2 1C")
        bot = await here.alone("human", "greedy", time={"main": 86_400.0})
        await bot.play("a2 1C")  # it searches on, as a clock runs
        for guest in (ada, bea, bot):
            guest.leave()
        await here.wait(CONNECT_SECONDS + 1)
        assert len(here.rooms) <= 3, number
    one = await here.rooms.get(ada.room.name)
    assert one
    assert one.game.clock
    assert round(one.game.clock.left(here.loop.ahead)[1]) == 86_400 - 6


@scene
async def test_bots_without_clients_stand_still(here: Scene) -> None:
    ada = await here.alone("random", "random", time=BLITZ)
    here.engines.answers.put_nowait("a0 1C")
    await here.settle()
    await here.wait(2)
    assert len(here.engines.requested) == 2  # the clocks of both rooms run
    ada.leave()
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert (here.engines.given_up, len(here.rooms)) == (1, 0)
    await here.wait(10_000)
    room = await here.rooms.get(ada.room.name)
    assert room
    assert room.game.outcome is None


@scene
async def test_a_slow_bot_neither_loses_nor_stops_the_game(here: Scene) -> None:
    ada = await here.alone("human", "random", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(100)
    await ada.room.check_clock()  # the flag was set before the player moved
    await run_pending()
    assert (ada.room.game.outcome, ada.state["trouble"]) == (None, None)
    here.engines.answers.put_nowait("b2 1C")
    await here.settle()
    assert ada.room.game.moves == 2


@scene
async def test_a_bot_uses_a_part_of_its_time_and_never_loses_on_time(here: Scene) -> None:
    ada = await here.alone("human", "greedy", time=BLITZ)
    await ada.play("a2 1C")
    (seconds,) = here.engines.seconds
    assert seconds
    assert 0 < seconds < 10
    assert [limit.most_seconds for limit in here.engines.limits] == [pytest.approx(60 / 8, rel=0.01)]
    await here.wait(61)
    assert ada.state["outcome"] is None
    ada.leave()  # closing the page does not win either
    await here.wait(61)
    assert here.engines.given_up == 0
    here.engines.answers.put_nowait("b2 1C")
    await here.settle()
    assert [str(move) for move in ada.room.game.record.moves] == ["a2 1C", "b2 1C"]


@scene
async def test_clocks_in_days_run_for_persons_only(here: Scene) -> None:
    ada = await here.alone("human", "greedy", time={"days": 1})
    await ada.play("a2 1C")
    ada.leave()
    await here.wait(3 * 86_400)
    assert ada.room.game.outcome is None


@scene
async def test_the_wall_clock_has_no_effect(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for jump in (1e6, -2e6):
        here.wall += jump
        await here.wait(1)
        await bea.send("look", flip=True)
        await bea.send_text('{"type": "look", "flip": false}')
    assert left(bea) == [60.0, 58.0]
    await bea.play("b2 1C")
    assert left(bea) == [60.0, 60.0]


@scene
async def test_seconds_stand_still_while_no_server_runs(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    there = await here.again()
    await here.wait(5000)
    there.wall += 5000
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await run_pending()
    assert (left(guest), guest.state["clock"]["running"]) == ([60.0, 60.0], 1)
    await there.wait(30)
    await guest.send_text('{"type": "look", "flip": false}')
    assert left(guest) == [60.0, 30.0]


@scene
async def test_the_list_of_games_has_the_remaining_time_after_a_restart(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")

    async def due() -> float | None:
        ((row, _),) = await here.store.games_of(bea.connection.person or 0)
        return row.turn.due

    assert await due() == here.wall + 60
    await here.wait(20)
    here.wall += 20
    await here.rooms.refresh(ada.room.name)  # as after a restart, the time since the move does not count
    await here.settle()
    assert await due() == here.wall + 60
    there = await here.again()
    there.wall += 5000
    assert await there.rooms.get(ada.room.name)
    await there.settle()
    assert await due() == there.wall + 60


@scene
async def test_a_failure_to_store_the_turn_blocks_no_game(
    here: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    ada, _ = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    there = await here.again()
    monkeypatch.setattr(there.store, "set_turn", broken)
    assert await there.rooms.get(ada.room.name)
    await there.settle()
    assert f"Room {ada.room.name}: Cannot store the time limit: the disk is full" in caplog.text


DAY = 86_400.0


@scene
async def test_days_go_on_while_no_server_runs(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea", time={"days": 3.0})
    await ada.play("a2 1C")
    there = await here.again()
    there.wall += 2 * DAY
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await run_pending()
    assert left(guest) == [3 * DAY, DAY]
    await there.wait(DAY + 1)
    assert guest.state["status"] == "White ran out of time. Black wins."


@scene
async def test_a_move_restores_all_days(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time={"days": 3.0})
    await ada.play("a2 1C")
    await here.wait(2 * DAY)
    await bea.play("b2 1C")
    await here.wait(2 * DAY)
    await ada.play("c2 1C")
    assert left(ada)[1] == 3 * DAY
    assert ada.state["outcome"] is None


@scene
async def test_an_offer_does_not_stop_the_clock(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for _ in range(5):
        await here.wait(5)
        await ada.send("draw")
        await bea.send("answer", yes=False)
    await bea.send_text('{"type": "look", "flip": false}')
    assert left(bea) == [60.0, 35.0]


@scene
async def test_a_flag_of_an_unloaded_room_is_retried_after_a_pause(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = list[float]()

    async def broken(*_: object, **__: object) -> None:
        tries.append(here.loop.ahead)
        raise StoreError("the disk is full")

    ada, bea = await here.friends("Ada", "Bea", time=LONG)
    await ada.play("a2 1C")
    await put_away(here, ada, bea)
    monkeypatch.setattr(here.store, "game", broken)
    await here.wait(3600)
    await run_pending()
    assert len(tries) == 1
    await here.wait(RETRY_SECONDS + 1)
    assert len(tries) == 2


@scene
async def test_a_flag_that_cannot_be_stored_is_shown_and_logged(
    here: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    ada, _ = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    with monkeypatch.context() as trouble:
        trouble.setattr(here.store, "add_event", broken)
        await here.wait(61)
    assert (ada.state["trouble"], ada.state["outcome"]) == ("the disk is full", None)
    assert f"Room {ada.room.name}: Cannot store that a clock ran out: the disk is full" in caplog.text
    for _ in range(2):  # the trouble ends first
        await here.wait(RETRY_SECONDS + 1)
    assert (ada.state["trouble"], ada.state["event"]) == (None, "flagged")
