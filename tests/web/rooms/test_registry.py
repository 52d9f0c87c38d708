"""Rooms: creation, seats, bots, and how long games are stored."""

import asyncio
import json
from typing import Any

import pytest

import pentad
from pentad.game import GameError
from pentad.play.clock import DAY
from pentad.store.rows import EventRow, PendingTurn, Person, StoreError
from pentad.web.api_types import NewRoom
from pentad.web.engines import WorkerFailed
from pentad.web.rooms import bot_runner
from pentad.web.rooms import registry as registry
from pentad.web.rooms.background import RETRY_SECONDS
from pentad.web.rooms.registry import (
    CONNECT_SECONDS,
    IDLE_SECONDS,
    KEPT_UNPLAYED_SECONDS,
    Rooms,
    TooManyRooms,
    read_game,
)
from pentad.web.rooms.subscribers import Connection
from pentad.web.service import play
from pentad.web.typed_json import Reader
from tests.web.room_fixtures import Guest, Scene, run_pending, scene


def moves(guest: Guest) -> list[str]:
    return [str(move) for move in guest.room.game.record.moves]


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────


@scene
async def test_a_bot_plays_when_it_is_its_turn(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    assert here.engines.requested == [(pentad.new("pentago").play("a2 1C").text, "greedy")]
    here.engines.answers.put_nowait("d3 4A")
    await here.settle()
    assert [message["event"] for message in ada.new() if "event" in message] == ["now", "played", "played"]
    assert moves(ada) == ["a2 1C", "d3 4A"]


@scene
async def test_a_move_taken_back_ends_the_search_for_its_answer(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    await ada.send("undo")
    assert (here.engines.given_up, moves(ada)) == (1, [])
    here.engines.answers.put_nowait("d3 4A")  # an answer that is too late
    await here.settle()
    assert moves(ada) == []
    await ada.send("redo")
    await here.settle()
    assert moves(ada) == ["a2 1C", "d3 4A"]


@scene
async def test_a_bot_searches_only_while_a_client_is_there(here: Scene) -> None:
    ada = await here.alone("greedy", "human")
    ada.leave()
    await run_pending()
    assert (len(here.engines.requested), here.engines.given_up) == (1, 1)
    Guest(ada.room, None)
    await run_pending()
    assert len(here.engines.requested) == 2


@scene
async def test_a_bots_move_is_stored_although_the_client_leaves(here: Scene) -> None:
    ada = await here.alone("greedy", "human")
    here.engines.answers.put_nowait("d3 4A")
    while not ada.room.changing.locked():  # the move is not being stored yet
        await asyncio.sleep(0)
    ada.leave()
    await here.settle()
    assert moves(ada) == ["d3 4A"]
    bea = Guest(ada.room, await here.person())
    await run_pending()
    assert bea.state["trouble"] is None
    assert [event.number for event in (await kept(here, ada))] == [0]


async def kept(here: Scene, guest: Guest) -> list[Any]:
    found = await here.store.game(guest.room.name)
    assert found is not None
    return found[1]


@scene
async def test_a_move_that_waits_for_another_event_is_not_stale(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    taking_back = asyncio.create_task(ada.send("undo"))
    while not ada.room.changing.locked():
        await asyncio.sleep(0)
    here.engines.answers.put_nowait("d3 4A")  # the undo is being stored meanwhile
    await taking_back
    await here.settle()
    assert moves(ada) == []


@scene
async def test_resigning_ends_the_search(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    await ada.send("resign")
    assert here.engines.given_up == 1
    assert ada.state["status"] == "Black resigned. White wins."
    assert ada.state["outcome"]["winners"] == [1]


@pytest.mark.parametrize("answer", [WorkerFailed("The worker process ended."), "z9 1C", "c2 1C", RuntimeError("a bug")])
@scene
async def test_a_failing_bot_is_named_and_its_move_is_retried(here: Scene, answer: str | Exception) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")  # then c2 is taken
    here.engines.answers.put_nowait(answer)
    await here.settle()
    assert ada.state["trouble"].startswith("greedy cannot move: ")
    assert len(moves(ada)) == 1
    await ada.send("undo")
    here.engines.answers.put_nowait("d3 4A")
    await ada.play("b2 1C")
    await here.settle()
    assert ada.state["trouble"] is None
    assert moves(ada) == ["b2 1C", "d3 4A"]


@scene
async def test_bots_play_each_other_while_somebody_watches(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_runner, "PACE_SECONDS", 0)
    ada = await here.alone("random", "random")
    for move in ("a0 1C", "b3 1C"):
        here.engines.answers.put_nowait(move)
    await here.settle()
    assert moves(ada) == ["a0 1C", "b3 1C"]


@scene
async def test_a_hint_is_cancelled_by_the_next_move(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.send("hint")
    assert here.engines.requested == [(pentad.new("pentago").text, None)]
    await ada.play("a2 1C")
    assert here.engines.given_up == 1
    await ada.send("hint")
    here.engines.answers.put_nowait("d3 4A")
    await run_pending()
    (hint,) = ada.new("hint")
    assert (hint["at"], hint["claim"]) == (1, "wins in 3 moves")
    assert hint["words"] == "place at d3, then twist sub-board 4 anti-clockwise. It wins in 3 moves."
    assert [step["targets"] for step in hint["steps"]] == [["d3"], ["4A"]]
    assert here.engines.seconds == [2.0, 2.0]


@scene
async def test_a_failed_hint_is_an_error_in_one_line(here: Scene) -> None:
    ada = await here.alone("human", "human")
    here.engines.answers.put_nowait(WorkerFailed("The worker process ended."))
    await ada.send("hint")
    assert ada.errors() == ["No hint: The worker process ended."]


@scene
async def test_a_losing_move_is_played_only_after_a_warning(here: Scene) -> None:
    ada = await here.alone("human", "human")
    ada.new()
    here.engines.answers.put_nowait({"loses": True, "words": "white wins in 2 then"})
    await ada.send("step", steps="a2 1C", warn=True)
    await here.settle()
    (warning,) = ada.new()
    assert warning == {"type": "warning", "at": 0, "steps": "a2 1C", "words": "white wins in 2 then"}
    assert moves(ada) == []
    for answer in ({"loses": False}, WorkerFailed("The worker process ended.")):
        here.engines.answers.put_nowait(answer)
        await ada.send("step", steps=f"b{len(moves(ada))} 1C", warn=True)
        await here.settle()
    assert len(moves(ada)) == 2
    ada.new()
    await ada.send("step", steps="b9 1C", warn=True)
    assert here.engines.seconds == [1.0] * 3  # an illegal move is refused at once
    assert len(ada.errors()) == 1


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


@scene
async def test_a_winning_placement_is_a_whole_turn(here: Scene) -> None:
    ada = await here.alone("human", "human", options={"line": 2})
    await ada.play("a0 4C", "f0 4C", "b0")
    assert ada.state["outcome"]["winners"] == [0]
    assert ada.state["status"] == "Black wins with 2 in a row."
    await ada.play("c3 1C")
    assert ada.errors() == ["The game is over. Black wins with 2 in a row."]


@scene
async def test_an_empty_turn_is_a_turn_too(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.play("")
    (turn,) = ada.new("turn")
    assert (turn["steps"], len(turn["choices"])) == ("", 36)


@scene
async def test_the_abilities_of_each_client(here: Scene) -> None:
    ada = await here.alone("human", "human", "greedy", options={"players": 3})

    def may() -> tuple[bool, ...]:
        return tuple(ada.state["can"][what] for what in ("play", "undo", "redo", "hint", "resign", "draw", "sit"))

    assert may() == (True, False, False, True, True, False, False)
    await ada.play("a2 1C", "b2 1C")
    assert may() == (False, True, False, False, True, False, False)
    guest = Guest(ada.room, None)
    await run_pending()
    assert [(seat["colour"], seat["who"], seat["yours"]) for seat in guest.state["seats"]] == [
        ("black", "human", False),
        ("white", "human", False),
        ("red", "greedy", False),
    ]
    assert not any(guest.state["can"][what] for what in ("play", "undo", "redo", "hint", "resign", "draw", "sit"))


# ── rooms ────────────────────────────────────────────────────────────────────────────────────────


@scene
async def test_by_default_a_person_plays_the_best_bot(here: Scene) -> None:
    room = await here.room()
    assert [seat.who == "human" for seat in room.game.seats] == [True, False]


@scene
async def test_a_rooms_name_is_hard_to_guess(here: Scene) -> None:
    names = {(await here.room()).name for _ in range(20)}
    assert len(names) == 20
    assert all(len(name) == 10 and set(name) <= set(registry._LETTERS) for name in names)
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        await here.room(game="chess")
    for name in ("", "none", "x" * 10_000, "ABCDEFGHIJ", "../../etc/", "\0" * 10):
        assert await here.rooms.get(name) is None


@scene
async def test_an_idle_room_is_unloaded_and_loaded_unchanged(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.play("a2 1C")
    before = ada.state
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert await here.rooms.get(ada.room.name) is ada.room  # a client is there
    ada.leave()
    await here.wait(IDLE_SECONDS + 1)
    assert await here.rooms.get(ada.room.name) is ada.room
    await here.rooms.sweep()
    assert len(here.rooms) == 1  # its client connects in a moment
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0
    back, same = await asyncio.gather(*(here.rooms.get(ada.room.name) for _ in range(2)))
    assert back is same
    assert back is not ada.room
    assert back
    guest = Guest(back, None)
    await run_pending()
    fields = {"svg", "moves", "at", "turn", "status", "options", "start"}
    assert {key: guest.state[key] for key in fields} == {key: before[key] for key in fields}


@scene
async def test_unplayed_games_are_deleted(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.play("a2 1C")
    ada.leave()
    untouched = await here.room()
    here.wall += KEPT_UNPLAYED_SECONDS + 1
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert await here.rooms.get(untouched.name) is None
    assert await here.rooms.get(ada.room.name)


@scene
async def test_an_invitation_is_stored_for_weeks(here: Scene) -> None:
    ada = await here.alone("human", "open", time={"days": 3.0})
    ada.leave()
    here.wall += 20 * KEPT_UNPLAYED_SECONDS
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert await here.rooms.get(ada.room.name)
    here.wall += 20 * KEPT_UNPLAYED_SECONDS
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert await here.rooms.get(ada.room.name) is None


@scene
async def test_an_unplayed_game_with_a_client_is_not_deleted(here: Scene) -> None:
    ada = await here.alone("human", "open")
    here.wall += 3 * KEPT_UNPLAYED_SECONDS
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    await ada.play("a2 1C")
    assert ada.errors() == []
    assert len(await kept(here, ada)) == 1


@scene
async def test_a_new_room_replaces_an_idle_one(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=2)
    used, left = [await here.room() for _ in range(2)]
    guests = [Guest(used, None)]
    with pytest.raises(TooManyRooms):
        await here.room()  # the client of the other one may be about to connect
    await here.wait(CONNECT_SECONDS + 1)
    new = await here.room()
    assert len(here.rooms) == 2
    assert await here.rooms.get(used.name) is used
    guests.append(Guest(new, None))
    with pytest.raises(TooManyRooms, match="The server is full"):
        await here.room()
    with pytest.raises(TooManyRooms):
        await here.rooms.get(left.name)
    guests[0].leave()
    await here.wait(CONNECT_SECONDS + 1)
    assert await here.rooms.get(left.name)  # it was stored all the time


# ── networks ─────────────────────────────────────────────────────────────────────────────────────

FRIENDS = read_game(Reader[NewRoom](NewRoom).value({"game": "pentago", "seats": ["human", "open"]}))
MALLORY, HONEST = "2001:db8:1:{:x}::/64", "2001:db8:2::/64"


async def made(here: Scene, address: str) -> Guest:
    """A new room with its maker in it."""
    person = await here.person()
    return Guest(await here.rooms.make(FRIENDS, person, address), person)


async def begun(here: Scene, address: str) -> tuple[Guest, Person]:
    """A game that is played: its maker, and that person."""
    person, other = await here.person(), await here.person()
    guest = Guest(await here.rooms.make(FRIENDS, person, address), person)
    await guest.room.sit(other.id, "", None)
    await run_pending()
    await guest.play("a2 1C")
    return guest, person


def here_now(here: Scene, guests: list[Guest]) -> list[bool]:
    """Which of these guests are still in rooms of the server."""
    return [here.rooms.is_attended(guest.room.name) for guest in guests]


@scene
async def test_the_network_with_the_most_rooms_makes_space(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=6)
    honest = [await made(here, HONEST)]
    mallory = [await made(here, MALLORY.format(number)) for number in (0, 1, 2, 300, 301)]
    with pytest.raises(TooManyRooms):
        await made(here, MALLORY.format(400))
    honest.append(await made(here, HONEST))
    assert here_now(here, mallory) == [True, True, False, True, True]  # the last one of the /56 with the most
    await run_pending()
    assert mallory[2].errors() == [registry.FULL]
    assert mallory[2].connection.is_over
    honest.append(await made(here, "192.0.2.1"))
    assert here_now(here, [*honest, *mallory]) == [True, True, True, True, True, False, True, False]
    assert len(here.rooms) == 6
    with pytest.raises(TooManyRooms):
        await made(here, HONEST)  # all three networks have equally many


@scene
async def test_a_room_that_nobody_plays_in_makes_space_first(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=4)
    address = MALLORY.format(0)
    unbegun = await made(here, address)
    watched, _ = await begun(here, address)
    watched.leave()
    watcher = Guest(watched.room, None)
    played = [(await begun(here, address))[0] for _ in range(2)]
    attended = []
    for number in range(3):
        await made(here, f"192.0.{number}.1")
        attended.append(here_now(here, [unbegun, watcher, *played]))
    assert attended == [[True, False, True, True], [False, False, True, True], [False, False, True, False]]


@scene
async def test_a_player_always_gets_back_into_a_running_game(here: Scene) -> None:
    here.rooms = Rooms(here.world, most=3)
    address = MALLORY.format(0)
    guest, person = await begun(here, address)
    guest.leave()
    await here.wait(CONNECT_SECONDS + 1)
    rooms = [await made(here, address) for _ in range(3)]
    name = guest.room.name
    with pytest.raises(TooManyRooms):
        await here.rooms.get(name, address)
    back = await here.rooms.get(name, address, person.id)
    assert back
    assert here_now(here, rooms) == [True, True, False]


@scene
async def test_a_player_gets_back_though_every_network_has_one_room(here: Scene) -> None:
    guest, person = await begun(here, HONEST)
    guest.leave()
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    here.rooms.most = 1
    other = await made(here, MALLORY.format(0))
    assert await here.rooms.get(guest.room.name, HONEST, person.id)
    assert here_now(here, [other]) == [True]


@scene
async def test_a_client_of_an_unloaded_room_is_told_why(here: Scene) -> None:
    class Socket:
        arrived = 0.0

        def __init__(self) -> None:
            self.sent: list[dict[str, Any]] = []
            self.texts = ['{"type": "say", "text": "I am still here"}']
            self.closed = asyncio.get_running_loop().create_future()

        async def accept(self) -> None: ...

        async def receive(self) -> str | None:
            await self.closed
            return self.texts.pop() if self.texts else None

        async def send(self, text: str) -> None:
            self.sent.append(json.loads(text))

        async def close(self, code: int = 1000, reason: str = "") -> None:
            self.closed.set_result(code)

    here.rooms = Rooms(here.world, most=2)
    rooms = [await here.rooms.make(FRIENDS, await here.person(), MALLORY.format(0)) for _ in range(2)]
    socket = Socket()
    watcher = Connection((await here.person()).id)
    serving = asyncio.create_task(play.serve(socket, rooms[1], watcher))
    await run_pending()
    await made(here, HONEST)
    await serving
    assert socket.closed.result() == play.AGAIN_LATER
    assert [each["type"] for each in socket.sent] == ["state", "error"]
    assert rooms[1].subscribers.chat == []


# ── the adaptive opponent ────────────────────────────────────────────────────────────────────────


@scene
async def test_the_adaptive_opponent_uses_and_updates_the_rating(here: Scene) -> None:
    ada = await here.person("Ada")
    for won, expected in ((True, 3.0), (True, 3.5), (False, 3.0)):
        guest = Guest(await here.room("human", "adaptive", by=ada, options={"line": 2}), ada)
        bot = guest.room.game.seats[1]
        assert (bot.name, bot.who) == ("adaptive", f"engine@{expected - 0.5 if won else expected + 0.5:g}")
        if won:
            await guest.play("a0 4C")
            here.engines.answers.put_nowait("f0 4C")
            await here.settle()
            await guest.play("b0")
        else:
            await guest.send("resign")
        await here.settle()
        assert await here.store.rating(ada.id, "pentago") == expected
    assert await here.store.rating(ada.id, "pente") is None


@scene
async def test_the_next_game_has_an_adaptive_opponent_by_the_new_rating_and_watchers_get_its_name(here: Scene) -> None:
    ada = await here.person("Ada")
    guest = Guest(await here.room("human", "adaptive", by=ada, options={"line": 2}), ada)
    watcher = Guest(guest.room, None)
    await here.store.rate(ada.id, "pentago", 0.0)
    await guest.send("resign")
    await here.settle()
    await here.store.rate(ada.id, "pentago", 0.0)
    name = await here.rooms.again(guest.room, ada)
    await run_pending()
    assert watcher.state["again"] == name
    assert Guest(guest.room, None).room.game.again == name  # also for those who come later
    room = await here.rooms.get(name)
    assert room
    bot, me = room.game.seats
    assert (bot.name, bot.who, me.person) == ("adaptive", "engine@1", ada.id)


@scene
async def test_a_picture_needs_no_room(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    name = ada.room.name
    assert await here.rooms.position(name) == (ada.room.game.position, ada.room.game.end.move)
    there = await here.again()
    found = await there.rooms.position(name)
    assert found
    assert (found[0].text, str(found[1])) == (ada.room.game.position.text, "a2 1C")
    assert len(there.rooms) == 0
    for unknown in ("", "x", "a" * 10, "\0", "a/b" * 100):
        assert await there.rooms.position(unknown) is None
    there.rooms.close()


@scene
async def test_a_game_with_a_warm_up_bot_does_not_change_the_rating(here: Scene) -> None:
    ada = await here.person("Ada")
    guest = Guest(await here.room("human", "adaptive", by=ada, options={"line": 2}), ada)
    await guest.play("a0 4C")
    here.engines.simpler()
    here.engines.answers.put_nowait("f0 4C")
    await here.settle()
    await guest.play("b0")
    await here.settle()
    assert guest.state["outcome"]
    assert await here.store.rating(ada.id, "pentago") is None


# ── trouble with the store ───────────────────────────────────────────────────────────────────────


class Broken:
    """A store that fails for a while."""

    def __init__(self, here: Scene, monkeypatch: pytest.MonkeyPatch, *methods: str) -> None:
        self.patch = monkeypatch

        async def fail(*_: object, **__: object) -> None:
            raise StoreError("Cannot save the game: the disk is full.")

        for method in methods or ("add_event",):
            monkeypatch.setattr(here.store, method, fail)

    def mend(self) -> None:
        self.patch.undo()


@pytest.mark.parametrize(("act", "more"), [("step", {"steps": "c3 1C"}), ("resign", {}), ("draw", {}), ("undo", {})])
@scene
async def test_an_event_that_is_not_stored_has_no_effect(
    here: Scene, monkeypatch: pytest.MonkeyPatch, act: str, more: dict[str, Any]
) -> None:
    ada = await here.alone("human", "human")
    bea = Guest(ada.room, await here.person("Bea"))
    await ada.play("a2 1C")
    for guest in (ada, bea):
        guest.new()
    before = (dict(ada.state), ada.room.game.number)
    broken = Broken(here, monkeypatch)
    await ada.send(act, **more)
    await here.settle()
    assert ada.new() == [{"type": "error", "error": "Cannot save the game: the disk is full."}]
    assert bea.new() == []
    assert (ada.state, ada.room.game.number) == before
    broken.mend()
    await ada.send(act, **more)
    assert ada.room.game.number == before[1] + 1
    assert bea.new()


@scene
async def test_a_consent_that_is_not_stored_has_no_effect(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send("draw")
    broken = Broken(here, monkeypatch)
    await bea.send("answer", yes=True)
    assert bea.errors()
    assert bea.state["offer"]["asked"]
    broken.mend()
    await bea.send("answer", yes=True)
    assert ada.state["status"] == "Draw by agreement."


@scene
async def test_a_seat_that_is_not_stored_stays_open(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await here.alone("human", "open")
    bea = await here.person("Bea")
    broken = Broken(here, monkeypatch)
    with pytest.raises(StoreError):
        await ada.room.sit(bea.id, "Bea", 1)
    assert ada.room.game.waits_for_people
    broken.mend()
    assert await ada.room.sit(bea.id, "Bea", 1) == 1


@scene
async def test_a_bots_move_that_is_not_stored_is_retried(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    broken = Broken(here, monkeypatch)
    here.engines.answers.put_nowait("d3 4A")
    await here.settle()
    assert ada.state["trouble"] == "Cannot save the game: the disk is full."
    assert moves(ada) == ["a2 1C"]
    broken.mend()
    here.engines.answers.put_nowait("d3 4A")
    await here.wait(RETRY_SECONDS)
    assert moves(ada) == ["a2 1C", "d3 4A"]
    assert ada.state["trouble"] is None


@scene
async def test_an_unloaded_room_does_not_retry(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await here.alone("human", "greedy", time={"days": 1.0})
    await ada.play("a2 1C")
    Broken(here, monkeypatch)
    here.engines.answers.put_nowait("d3 4A")
    await here.settle()
    ada.leave()
    ada.room.close()
    asked = len(here.engines.requested)
    await here.wait(RETRY_SECONDS + 2 * 86_400)
    assert len(here.engines.requested) == asked
    assert ada.room.game.number == 1


@scene
async def test_a_chat_message_that_is_not_stored_is_not_shown(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    broken = Broken(here, monkeypatch, "add_chat_message")
    await ada.chat("hello")
    assert ada.errors() == ["Cannot save the game: the disk is full."]
    assert bea.new("said") == []
    broken.mend()
    await ada.chat("hello again")
    assert [each["text"] for each in bea.new("said")] == ["hello again"]


# ── more has been kept than is known here ────────────────────────────────────────────────────────


@scene
async def test_an_event_that_was_stored_but_not_confirmed_is_shown(here: Scene) -> None:
    ada = await here.alone("human", "human", time={"days": 2.0})
    await ada.play("a2 1C")
    remote = Scene(here.store, here.loop)
    room = await remote.rooms.get(ada.room.name)
    assert room
    same = Guest(room, Person(ada.connection.person or 0, "Ada"))
    await same.play("b2 1C")
    ada.new()
    await ada.play("d3 1C")
    assert ada.errors() == ["The game has changed in the meantime. This is its current state."]
    assert (ada.state["at"], [move["text"] for move in ada.state["moves"]]) == (2, ["a2 1C", "b2 1C"])
    assert ada.state["svg"] == ada.room.game.position.svg(last="b2 1C", style=False)
    await ada.play("d3 1C")
    assert len(ada.state["moves"]) == 3
    remote.rooms.close()


@scene
async def test_a_bot_with_a_stale_position_searches_the_current_one(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    number = ada.room.game.number
    await here.store.add_event(ada.room.name, EventRow(number, "play", 1, "d3 4A", here.wall, ()), result=None, moves=2)
    here.engines.answers.put_nowait("e4 1C")
    await here.until(lambda: len(moves(ada)) == 2)
    await run_pending()
    assert moves(ada) == ["a2 1C", "d3 4A"]
    assert (ada.state["turn"], ada.state["trouble"]) == (0, None)
    await ada.play("b0 1C")
    assert len(here.engines.requested) == 2
    await here.store.add_event(
        ada.room.name, EventRow(number + 2, "undo", None, "1", here.wall, ()), result=None, moves=2
    )
    await ada.send("undo")  # the running search has a stale position
    await here.settle()
    assert here.engines.given_up == 1
    assert (moves(ada), ada.state["turn"]) == (["a2 1C", "d3 4A"], 0)


# ── whose turn it is, as lists tell it ───────────────────────────────────────────────────────────


async def listed(here: Scene, person: Person) -> dict[str, PendingTurn]:
    return {row.name: row.turn for row, _ in await here.store.games_of(person.id)}


@scene
async def test_the_store_has_the_turn_and_its_time_limit(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea", time={"days": 2.0})
    name, person = ada.room.name, Person(ada.connection.person or 0, "Ada")
    assert await listed(here, person) == {name: PendingTurn(0, None)}  # no clock runs before the first move
    await ada.play("a2 1C")
    assert await listed(here, person) == {name: PendingTurn(1, here.wall + 2 * DAY)}
    await bea.send("undo")
    await ada.send("draw")
    assert await listed(here, person) == {name: PendingTurn(1, here.wall + 2 * DAY)}  # an offer changes nothing
    here.loop.ahead += 3600
    here.wall += 3600
    await bea.play("b3 2A")
    assert await listed(here, person) == {name: PendingTurn(0, here.wall + 2 * DAY)}
    await ada.send("resign")
    assert await listed(here, person) == {name: PendingTurn(None, None)}


@scene
async def test_nothing_is_restored_after_the_end(here: Scene) -> None:
    ada = await here.alone("human", "human")
    found = await here.store.game(ada.room.name)
    assert found
    here.rooms.close()
    with pytest.raises(RuntimeError, match="closed"):
        await here.world.restored(*found)
