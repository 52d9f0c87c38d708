"""Time in a room: when it runs, whose is over, and what becomes of it while nobody serves."""

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
    assert ada.room.is_busy
    await here.wait(61)
    assert str(ada.room.game.table.outcome)
    assert ada.room.game.table.outcome
    assert not ada.room.is_busy


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
