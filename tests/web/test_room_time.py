"""Time in a room: when it runs, whose is over, and what becomes of it while nobody serves."""

import pytest

from pentad.store import Person
from pentad.store.rows import StoreError
from pentad.web.room import RETRY_PAUSE
from pentad.web.rooms import COMING, PUT_AWAY, Rooms
from tests.web.scene import Guest, Scene, breathe, scene

BLITZ = {"main": 60.0, "increment": 2.0}


def left(guest: Guest) -> list[float]:
    return [round(seconds, 1) for seconds in guest.state["clock"]["left"]]


@scene
async def test_time_runs_once_a_move_was_played_and_everybody_is_there(here: Scene) -> None:
    ada = await here.alone("human", "open", time=BLITZ)
    await here.wait(1000)
    await ada.play("a2 1C")
    await here.wait(1000)  # nobody sits there yet
    assert ada.state["clock"] == {"words": "1 min + 2 s", "left": [60.0, 60.0], "running": None, "days": False}
    bea = await here.person("Bea")
    await ada.room.sit(bea.id, "Bea", 1)
    await breathe()
    assert ada.state["clock"]["running"] == 1
    guest = Guest(ada.room, bea)
    await here.wait(10)
    await guest.play("b2 1C")
    assert (left(guest), guest.state["clock"]["running"]) == ([60.0, 52.0], 0)
    await here.wait(20)
    await ada.play("c2 1C")
    assert (left(ada), ada.state["clock"]["running"]) == ([42.0, 52.0], 1)


@scene
async def test_who_takes_moves_back_does_not_keep_what_they_added(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for _ in range(4):
        await here.wait(1)
        await bea.play("b2 1C")
        await bea.say("undo")
        await ada.say("answer", yes=True)
    assert ada.state["event"] == "undone"
    assert left(bea) == [60.0, 56.0]
    await bea.play("b2 1C")
    assert left(bea) == [60.0, 58.0]
    await bea.say("undo")
    await ada.say("answer", yes=True)
    await here.wait(55.5)
    await bea.play("b2 1C")
    await bea.say("undo")
    await ada.say("answer", yes=True)
    assert left(bea) == [60.0, 1.0]  # nobody loses because of it


@scene
async def test_who_runs_out_of_time_has_lost_without_anybody_doing_anything(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    await here.wait(59)
    assert bea.state["outcome"] is None
    await here.wait(1.5)
    for guest in (ada, bea):
        assert (guest.state["event"], guest.state["status"]) == ("flagged", "black wins: white out of time")
        assert (left(guest)[1], guest.state["clock"]["running"]) == (0.0, None)
    await bea.play("b2 1C")
    assert "the game is over" in bea.errors()[-1]
    assert [event.kind for event in (await here.store.game(ada.room.name) or (None, []))[1]][-1] == "flag"


@scene
async def test_a_clock_that_ran_out_while_nobody_looked_is_noticed(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for guest in (ada, bea):
        guest.leave()
    await here.wait(61)
    assert ada.room.game.table.outcome


async def put_away(here: Scene, *guests: Guest) -> None:
    """All of them leave, and so does the room."""
    for guest in guests:
        guest.leave()
    await here.wait(PUT_AWAY + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0


async def events(here: Scene, guest: Guest) -> list[str]:
    return [event.kind for event in (await here.store.game(guest.room.name) or (None, []))[1]]


LONG = {"main": 3600.0, "increment": 5.0}


@pytest.mark.parametrize("time", [LONG, {"days": 1.0}], ids=["minutes", "days"])
@scene
async def test_a_flag_falls_in_a_room_that_was_put_away(here: Scene, time: dict[str, float]) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=time)
    await ada.play("a2 1C")
    whole = left(ada)[1]
    await here.wait(10)
    await put_away(here, ada, bea)
    await here.wait(whole - 10 - PUT_AWAY - 1 - 2)
    assert await events(here, ada) == ["sit", "play"]
    await here.wait(4)
    await here.until(lambda: len(here.rooms) == 1)
    await here.settle()
    assert await events(here, ada) == ["sit", "play", "flag"]
    row, told = await here.store.game(ada.room.name) or (None, [])
    assert row
    assert (row.result, told[-1].seat, told[-1].clocks[1]) == ("1-0", 1, 0.0)
    await here.wait(PUT_AWAY + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0
    await here.wait(100 * whole)
    assert len(here.rooms) == 0


@pytest.mark.parametrize("time", [LONG, {"days": 1.0}], ids=["minutes", "days"])
@scene
async def test_who_comes_back_to_a_room_that_was_put_away_has_the_time_that_is_left(
    here: Scene, time: dict[str, float]
) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=time)
    await ada.play("a2 1C")
    whole = left(ada)[1]
    await here.wait(10)
    await bea.say("draw")
    await ada.say("answer", yes=False)
    for _ in range(2):
        await put_away(here, ada, bea)
        await here.wait(100)
        room = await here.rooms.get(ada.room.name)
        assert room
        ada, bea = (Guest(room, Person(guest.connection.person or 0, "")) for guest in (ada, bea))
        await breathe()
    gone = 10 + 2 * (100 + PUT_AWAY + 1)
    assert (left(bea), bea.state["clock"]["running"]) == ([whole, whole - gone], 1)
    await here.wait(whole - gone - 2)
    assert bea.state["outcome"] is None
    await here.wait(4)
    assert bea.state["status"] == "black wins: white out of time"


@scene
async def test_a_room_that_was_put_away_before_a_restart_has_its_time_as_any_other(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=LONG)
    await ada.play("a2 1C")
    await put_away(here, ada, bea)
    there = await here.again()
    there.wall += 5000
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await breathe()
    assert left(guest) == [3600.0, 3600.0]  # what runs in minutes runs while somebody serves
    await here.wait(5000)  # the old server's timer would have rung
    assert (await events(here, ada)).count("flag") == 1


@scene
async def test_flags_that_cannot_be_kept_fall_later(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
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
        await here.wait(RETRY_PAUSE + 1)
        await here.until(lambda: len(here.rooms) == 1)
        await here.wait(PUT_AWAY + 1)
        await here.rooms.sweep()
    assert await events(here, ada) == ["sit", "play"]
    await here.wait(60)
    await here.until(lambda: len(here.rooms) == 1)
    await here.wait(400)
    await here.settle()
    assert await events(here, ada) == ["sit", "play", "flag"]


@scene
async def test_rooms_that_nobody_is_in_never_fill_the_server(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=3)
    for number in range(7):
        ada, bea = await here.friends("Ada", "Bea", time={"main": 86_400.0})
        await ada.play("a2 1C")
        bot = await here.alone("human", "greedy", time={"main": 86_400.0})
        await bot.play("a2 1C")  # it thinks on, as a clock runs
        for guest in (ada, bea, bot):
            guest.leave()
        await here.wait(COMING + 1)
        assert len(here.rooms) <= 3, number
    one = await here.rooms.get(ada.room.name)
    assert one
    assert one.game.clock
    assert round(one.game.clock.left(here.loop.ahead)[1]) == 86_400 - 6


@scene
async def test_bots_without_anybody_stand_still(here: Scene) -> None:
    ada = await here.alone("random", "random", time=BLITZ)
    here.engines.answers.put_nowait("a0 1C")
    await here.settle()
    await here.wait(2)
    assert len(here.engines.requested) == 2  # whose clock runs
    ada.leave()
    await here.wait(PUT_AWAY + 1)
    await here.rooms.sweep()
    assert (here.engines.given_up, len(here.rooms)) == (1, 0)
    await here.wait(10_000)
    room = await here.rooms.get(ada.room.name)
    assert room
    assert room.game.outcome is None


@scene
async def test_a_bot_thinks_for_a_part_of_its_time_and_that_its_server_is_slow_is_no_win(here: Scene) -> None:
    ada = await here.alone("human", "greedy", time=BLITZ)
    await ada.play("a2 1C")
    (seconds,) = here.engines.seconds
    assert seconds
    assert 0 < seconds < 10
    await here.wait(61)
    assert ada.state["outcome"] is None
    ada.leave()  # whoever closes the page meanwhile does not win either
    await here.wait(61)
    assert here.engines.given_up == 0
    here.engines.answers.put_nowait("b2 1C")
    await here.settle()
    assert [str(move) for move in ada.room.game.table.record.moves] == ["a2 1C", "b2 1C"]


@scene
async def test_days_are_for_people(here: Scene) -> None:
    ada = await here.alone("human", "greedy", time={"days": 1})
    await ada.play("a2 1C")
    ada.leave()
    await here.wait(3 * 86_400)
    assert ada.room.game.outcome is None


@scene
async def test_the_clock_on_the_wall_has_no_say(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for jump in (1e6, -2e6):
        here.wall += jump
        await here.wait(1)
        await bea.say("look", flip=True)
        await bea.send('{"type": "look", "flip": false}')
    assert left(bea) == [60.0, 58.0]
    await bea.play("b2 1C")
    assert left(bea) == [60.0, 60.0]


@scene
async def test_seconds_stand_still_while_nobody_serves(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    there = await here.again()
    await here.wait(5000)
    there.wall += 5000
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await breathe()
    assert (left(guest), guest.state["clock"]["running"]) == ([60.0, 60.0], 1)
    await there.wait(30)
    await guest.send('{"type": "look", "flip": false}')
    assert left(guest) == [60.0, 30.0]


@scene
async def test_the_list_of_games_tells_the_time_that_is_left_after_a_restart(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")

    async def due() -> float | None:
        ((row, _),) = await here.store.games_of(bea.connection.person or 0)
        return row.turn.due

    assert await due() == here.wall + 60
    there = await here.again()
    there.wall += 5000
    assert await there.rooms.get(ada.room.name)
    await there.settle()
    assert await due() == there.wall + 60


@scene
async def test_a_list_that_cannot_be_kept_keeps_nobody_from_a_game(
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
    assert f"room {ada.room.name}: when its clock runs out is not kept: the disk is full" in caplog.text


DAY = 86_400.0


@scene
async def test_days_go_on_while_nobody_serves(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea", time={"days": 3.0})
    await ada.play("a2 1C")
    there = await here.again()
    there.wall += 2 * DAY
    room = await there.rooms.get(ada.room.name)
    assert room
    guest = Guest(room, None)
    await breathe()
    assert left(guest) == [3 * DAY, DAY]
    await there.wait(DAY + 1)
    assert guest.state["status"] == "black wins: white out of time"


@scene
async def test_a_move_brings_all_its_days_again(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time={"days": 3.0})
    await ada.play("a2 1C")
    await here.wait(2 * DAY)
    await bea.play("b2 1C")
    await here.wait(2 * DAY)
    await ada.play("c2 1C")
    assert left(ada)[1] == 3 * DAY
    assert ada.state["outcome"] is None


@scene
async def test_a_question_does_not_stop_the_clock(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time=BLITZ)
    await ada.play("a2 1C")
    for _ in range(5):
        await here.wait(5)
        await ada.say("draw")
        await bea.say("answer", yes=False)
    await bea.send('{"type": "look", "flip": false}')
    assert left(bea) == [60.0, 35.0]
