"""What goes on in one room: who sits there, what they ask each other for, what they say, their time, what they see."""

import asyncio
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.play.warmup_bot import NOTE
from pentad.store import Person
from pentad.web import chat
from pentad.web.connection import BACKLOG
from pentad.web.room import Room
from tests.web.scene import Guest, Scene, breathe, scene


def same(guest: Guest, room: Room) -> Guest:
    """The same person, once more."""
    return Guest(room, Person(guest.connection.person or 0, guest.connection.name))


# ── friends by link ──────────────────────────────────────────────────────────────────────────────


@scene
async def test_a_friend_takes_the_open_seat_and_plays(here: Scene) -> None:
    ada = await here.alone("human", "open")
    bea = await here.person("Bea")
    guest = Guest(ada.room, bea)
    await breathe()
    assert guest.state["can"]["sit"]
    assert not guest.state["seats"][1]["here"]
    await ada.play("a2 1C")  # whoever made the game need not wait to begin it
    assert await ada.room.sit(bea.id, "Bea", None) == 1
    await breathe()
    assert [seat["name"] for seat in ada.state["seats"]] == ["Ada", "Bea"]
    assert (ada.state["event"], guest.state["can"]["play"], guest.state["can"]["sit"]) == ("sat", True, False)
    await guest.play("b2 1C")
    assert len(ada.state["moves"]) == 2


@scene
async def test_an_open_seat_has_nobody_though_a_stranger_looks_on(here: Scene) -> None:
    ada = await here.alone("human", "open")
    Guest(ada.room, None)
    await breathe()
    assert [seat["here"] for seat in ada.state["seats"]] == [True, False]
    assert ada.state["watching"] == 1


@pytest.mark.parametrize("seat", [0, 1, 2, -1, 10**9])
@scene
async def test_a_taken_seat_is_refused(here: Scene, seat: int) -> None:
    (ada, _) = await here.friends("Ada", "Bea")
    cleo = await here.person("Cleo")
    number = ada.room.game.number
    with pytest.raises(GameError, match="this seat is taken"):
        await ada.room.sit(cleo.id, "Cleo", seat)
    with pytest.raises(GameError, match="every seat is taken"):
        await ada.room.sit(cleo.id, "Cleo", None)
    assert ada.room.game.number == number


@scene
async def test_of_many_who_sit_down_at_once_one_gets_the_seat(here: Scene) -> None:
    ada = await here.alone("human", "open")
    persons = [await here.person(f"Bea {i}") for i in range(8)]
    got = await asyncio.gather(*(ada.room.sit(each.id, each.name, 1) for each in persons), return_exceptions=True)
    assert sorted(map(str, got)) == ["1", *["this seat is taken"] * 7]
    winner = persons[got.index(1)]
    assert ada.room.game.seats[1].person == winner.id
    again = await here.again()
    room = await again.rooms.get(ada.room.name)
    assert room
    assert room.game.seats_of(winner.id) == {1}


@scene
async def test_seats_are_known_by_the_person_only(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    namesake, nobody = Guest(ada.room, await here.person("Ada")), Guest(ada.room, None)
    await breathe()
    number = ada.room.game.number
    for guest in (namesake, nobody):
        guest.new()
        for act in ("undo", "redo", "hint", "resign", "draw"):
            await guest.say(act)
        await guest.say("answer", yes=True)
        await guest.play("a2 1C")
        assert guest.errors() == ["you are watching; only those who sit at the table can do that"] * 7
        assert guest.state["choices"] == []
    await bea.play("a2 1C")
    assert bea.errors() == ["it is not your turn: black is to move"]
    await bea.say("resign", seat=0)
    assert bea.errors() == ["seat 0 is not yours to give up"]
    assert ada.room.game.number == number


# ── what players ask each other for ──────────────────────────────────────────────────────────────


@scene
async def test_a_draw_is_offered_and_agreed(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.say("draw")
    assert ada.state["offer"] == {"what": "draw", "seat": 0, "yours": True, "asked": False, "moves": 0}
    assert bea.state["offer"] == {"what": "draw", "seat": 0, "yours": False, "asked": True, "moves": 0}
    await ada.say("answer", yes=True)
    assert ada.errors() == ["you have asked for it yourself; the others are to answer"]
    await ada.say("draw")
    assert ada.errors() == ["something is being asked for already"]
    await bea.say("draw")  # to offer the same is to agree
    for guest in (ada, bea):
        assert (guest.state["event"], guest.state["status"]) == ("drawn", "a draw: agreed")
        assert guest.state["outcome"]["winners"] == []
        assert guest.state["offer"] is None
    await bea.say("answer", yes=True)
    assert bea.errors() == ["nothing is being asked for"]


@pytest.mark.parametrize("who", ["asker", "asked"])
@scene
async def test_an_offer_is_declined_or_withdrawn(here: Scene, who: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.say("draw")
    await (ada if who == "asker" else bea).say("answer", yes=False)
    assert (ada.state["offer"], bea.state["offer"]) == (None, None)
    told = {"what": "draw", "seat": 0, "by": 0 if who == "asker" else 1}
    assert (ada.state["declined"], bea.state["declined"]) == (told, told)
    assert ada.state["outcome"] is None
    await bea.say("draw")
    assert (ada.state["offer"] or {})["asked"]
    assert ada.state["declined"] is None


@scene
async def test_an_offer_lapses_with_a_move(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.say("draw")
    await ada.play("a2 1C")
    assert bea.state["offer"] is None
    await bea.say("answer", yes=True)
    assert bea.errors() == ["nothing is being asked for"]
    assert ada.state["outcome"] is None


@scene
async def test_all_three_must_agree_and_whoever_has_is_not_asked_again(here: Scene) -> None:
    ada, bea, cleo = await here.friends("Ada", "Bea", "Cleo", options={"players": 3})
    await ada.say("draw")
    await bea.say("answer", yes=True)
    assert [guest.state["offer"]["asked"] for guest in (ada, bea, cleo)] == [False, False, True]
    assert ada.state["outcome"] is None
    number = ada.room.game.number
    await bea.say("answer", yes=True)
    assert bea.errors() == ["you have agreed already; the others are to answer"]
    assert ada.room.game.number == number
    again = await here.again()
    room = await again.rooms.get(ada.room.name)
    assert room
    await same(cleo, room).say("answer", yes=True)  # what the others said was kept
    assert room.game.table.outcome
    assert room.game.table.outcome.is_draw


@scene
async def test_a_draw_is_nothing_to_ask_of_a_bot_and_one_alone_agrees_with_themselves(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.say("draw")
    assert ada.errors() == ["there is nobody who could agree to a draw"]
    both = await here.alone("human", "human")
    await both.say("draw")
    assert both.state["status"] == "a draw: agreed"


@scene
async def test_one_alone_takes_back_at_once(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.say("undo")
    assert ada.errors() == ["there is no move of yours to take back"]
    await ada.play("a2 1C", "b2 1C")
    await ada.say("undo")
    assert len(ada.state["moves"]) == 1
    await ada.say("redo")
    assert len(ada.state["moves"]) == 2
    await ada.say("resign")
    await ada.say("undo")
    assert (ada.state["outcome"], len(ada.state["moves"])) == (None, 2)


@scene
async def test_with_others_a_move_is_taken_back_when_they_agree(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await bea.play("b2 1C")
    await ada.say("undo")
    assert (len(ada.state["moves"]), bea.state["offer"]["what"]) == (2, "undo")
    await bea.say("answer", yes=True)
    assert (ada.state["event"], ada.state["moves"], ada.state["turn"]) == ("undone", [], 0)  # ada was last to move here
    await ada.play("c3 1C")
    await bea.play("d3 1C")
    await bea.say("undo")
    await ada.say("answer", yes=True)
    assert (len(bea.state["moves"]), bea.state["turn"]) == (1, 1)
    await ada.say("redo")
    assert ada.errors() == ["moves are not played again by one alone where others play too"]
    await bea.say("hint")
    assert bea.errors() == ["there are no hints in a game with others"]


@scene
async def test_what_is_over_among_others_stays_so(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await ada.say("resign")
    assert not bea.state["can"]["undo"]
    for guest in (ada, bea):
        await guest.say("undo")
        assert guest.errors() == ["the game is over"]
    for act in ("draw", "resign"):
        await ada.say(act)
    assert len(ada.errors()) == 2
    assert bea.state["status"] == "white wins: black resigned"


@scene
async def test_a_rematch_is_made_once_with_everybody_a_seat_further(here: Scene) -> None:
    ada, bea, cleo = await here.friends("Ada", "Bea", "Cleo", options={"players": 3})
    with pytest.raises(GameError, match="not over yet"):
        await here.rooms.again(ada.room)
    await ada.say("resign")
    names = await asyncio.gather(*(here.rooms.again(ada.room) for _ in range(5)))
    await breathe()
    assert len(set(names)) == 1
    assert {guest.state["again"] for guest in (ada, bea, cleo)} == {names[0]}
    new = await here.rooms.get(names[0])
    assert new
    assert [seat.name for seat in new.game.seats] == ["Bea", "Cleo", "Ada"]
    assert new.game.row.again == ada.room.name
    assert new.game.row.options == {"players": 3}
    there = await here.again()
    old = await there.rooms.get(ada.room.name)
    assert old
    assert await there.rooms.again(old) == names[0]


# ── who is here, and what they say ───────────────────────────────────────────────────────────────


@scene
async def test_everybody_is_told_who_is_here(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    watcher = Guest(ada.room, None)
    second = same(bea, ada.room)
    await breathe()
    assert [seat["here"] for seat in ada.state["seats"]] == [True, True]
    assert ada.state["watching"] == 1  # a second page of somebody who plays is no watcher
    bea.leave()
    await breathe()
    assert ada.state["seats"][1]["here"]
    second.leave()
    watcher.leave()
    await breathe()
    assert (ada.state["seats"][1]["here"], ada.state["watching"]) == (False, 0)


TEXTS = [
    "hello",
    "<script>alert(1)</script>",
    "<b onclick='x'>&amp;",
    "🤔" * 150,
    "עברית oops",
    "x" * 300,
    "'; --",
]


@pytest.mark.parametrize("text", TEXTS)
@scene
async def test_what_is_said_comes_as_it_was_said(here: Scene, text: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.talk(text)
    await here.settle()
    said = {"type": "said", "number": 0, "seat": 0, "name": "Ada", "text": text}
    assert ada.new("said") == [said | {"mine": True}]
    assert bea.new("said") == [said | {"mine": False}]
    there = await here.again()
    room = await there.rooms.get(ada.room.name)
    assert room
    late = Guest(room, None)
    await breathe()
    assert late.new("said") == [said | {"mine": False}]


@scene
async def test_what_cannot_be_seen_is_not_said(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.talk("a\0b\u202e\n c\u3164")
    await here.settle()
    assert [said["text"] for said in bea.new("said")] == ["a b c"]


@pytest.mark.parametrize("text", ["", "x" * 301, "\0\u202e\u2800"])
@scene
async def test_what_cannot_be_said_is_refused_in_one_line(here: Scene, text: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.talk(text)
    await ada.send('{"type": "say", "text": "\\ud800"}')
    await here.settle()
    errors = ada.errors()
    assert len(errors) == 2
    assert all(error and "\n" not in error and len(error) < 300 for error in errors)
    assert bea.new("said") == []


@scene
async def test_who_watches_may_speak_under_a_name_and_a_stranger_may_not(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    watcher, stranger = Guest(ada.room, await here.person("Cleo")), Guest(ada.room, None)
    await watcher.talk("well played")
    await stranger.talk("hello")
    await here.settle()
    (said,) = ada.new("said")
    assert (said["seat"], said["name"], said["text"], said["mine"]) == (None, "Cleo", "well played", False)
    assert stranger.errors() == ["only those who have told their name can say something"]


@scene
async def test_there_is_an_end_to_talk_and_a_newcomer_hears_it_all(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    most = 3 * BACKLOG
    monkeypatch.setattr(chat, "MOST_MESSAGES", most)
    monkeypatch.setattr(chat, "IN_A_ROW", most + 5)
    await asyncio.gather(*(ada.talk(str(i)) for i in range(most + 5)))
    await here.settle()
    assert ada.errors() == ["enough has been said here"] * 5
    late = Guest(ada.room, None)
    await breathe()
    await asyncio.sleep(0.01)
    assert [each["text"] for each in late.new("said")] == [str(i) for i in range(most)]


@scene
async def test_who_says_much_at_once_has_to_wait_and_nobody_else(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    for i in range(chat.IN_A_ROW + 2):
        await ada.talk(str(i))
    assert ada.errors() == ["that is a lot at once; wait a little before you say more"] * 2
    await bea.talk("hello")
    assert {each["type"] for each in bea.new()} == {"said"}
    here.wall += chat.WITHIN + 1
    await ada.talk("again")
    assert [each["text"] for each in bea.new("said")] == ["again"]


@scene
async def test_who_is_asked_for_moves_is_told_how_many(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await ada.say("undo")
    assert bea.state["offer"] == {"what": "undo", "seat": 0, "yours": False, "asked": True, "moves": 1}
    await bea.say("answer", yes=False)
    await bea.play("b3 2A")
    await ada.say("undo")
    assert bea.state["offer"]["moves"] == 2


# ── what one sees ────────────────────────────────────────────────────────────────────────────────

GAMES = [
    ("pentago", {}),
    ("pente", {"size": 9}),
    ("pentagame", {}),
    pytest.param("pentago", {"players": 3}, marks=pytest.mark.slow),
]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_moves_told_by_what_they_change_give_the_same_board(
    tmp_path_factory: pytest.TempPathFactory, game: str, options: dict[str, int], seed: int
) -> None:
    chance = random.Random(seed)

    @scene
    async def watched(here: Scene) -> None:
        seats = ["human"] * pentad.new(game, **options).players
        ada = await here.alone(*seats, game=game, options=options)
        room = ada.room
        guests = [Guest(room, None) for _ in range(2)]
        slow = Guest(room, None, reads=False)
        await guests[0].send('{"type": "look", "flip": true}')
        for _ in range(chance.randint(5, 40)):
            moves = room.game.table.position.legal_moves
            if room.game.table.outcome is None and moves:
                await ada.play(str(chance.choice(moves)))
            if chance.random() < 0.15:
                await ada.say("undo")
            if chance.random() < 0.1:
                await ada.say("redo")
            if chance.random() < 0.1:
                await guests[1].send(json.dumps({"type": "look", "flip": chance.random() < 0.5}))
            if chance.random() < 0.1:
                room.send_presence()
            if chance.random() < 0.05:  # more than a reader of this kind takes at once
                for _ in range(BACKLOG):
                    await slow.send("?")
        slow.reading = asyncio.create_task(slow.read())
        await breathe()
        while slow.connection._news.is_set():
            await asyncio.sleep(0)
        for guest in (ada, *guests, slow):
            fresh = json.loads(room.state(guest.connection).written)
            fresh["event"] = guest.state["event"]
            fresh["announce"] = guest.state["announce"]
            del fresh["position"], guest.state["position"]  # only told with a whole state
            assert guest.state == fresh

    watched(tmp_path_factory.mktemp("room"))


@scene
async def test_who_asks_whether_the_line_is_alive_is_told_who_is_here(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send('{"type": "here"}')
    (around,) = ada.new()
    assert (around["type"], [seat["here"] for seat in around["seats"]]) == ("around", [True, True])
    assert bea.new() == []


@scene
async def test_whoever_waits_for_a_bot_is_told_its_place_in_the_line_now_and_then(here: Scene) -> None:
    ada = await here.alone("human", "random")
    ada.new()
    await ada.play("a2 1C")
    here.engines.on_place(7)
    await here.wait(0.01)
    for place in (6, 5, 4):
        here.engines.on_place(place)
        await here.wait(0.1)
    assert [each["line"] for each in ada.new("around")] == [7]
    await here.wait(1.0)
    assert [each["line"] for each in ada.new("around")] == [4]
    here.engines.on_place(0)
    await here.wait(2.0)
    assert [each["line"] for each in ada.new("around")] == [0]
    here.engines.on_place(1)
    await here.wait(0.01)
    assert ada.state["line"] == 1
    await ada.say("undo")
    assert (ada.state["event"], ada.state["line"]) == ("undone", 0)
    await ada.play("a2 1C")
    here.engines.on_place(1)
    await here.wait(1.0)
    assert ada.state["line"] == 1
    here.engines.answers.put_nowait("d3 4A")
    await here.settle()
    assert ada.state["moves"][-1]["text"] == "d3 4A"
    assert ada.state["line"] == 0


@scene
async def test_a_simpler_bots_move_is_told_and_kept(here: Scene) -> None:
    ada = await here.alone("human", "engine")
    await ada.play("a2 1C")
    here.engines.simpler()
    here.engines.answers.put_nowait("d3 4A")
    await here.settle()
    assert [each["note"] for each in ada.state["moves"]] == ["", NOTE]
    assert not ada.room.game.is_certain
    again = await here.again()
    room = await again.rooms.get(ada.room.name)
    assert room is not None
    assert NOTE in room.game.record.text
    await ada.say("undo")
    await ada.play("a0 4C")
    here.engines.answers.put_nowait("f0 4C")
    await here.settle()
    assert [each["note"] for each in ada.state["moves"]] == ["", ""]
    assert ada.room.game.is_certain


@scene
async def test_bots_among_themselves_are_waited_for(here: Scene) -> None:
    await here.alone("engine", "engine")
    await here.settle()
    assert here.engines.requested
    assert here.engines.simpler is None


@scene
async def test_whoever_waits_for_a_hint_or_a_warning_is_told_their_place_in_the_line(here: Scene) -> None:
    ada = await here.alone("human", "human")
    ada.new()
    await ada.say("hint")
    for place in (3, 2):
        here.engines.on_place(place)
        await here.wait(0.1)
    await here.wait(1.0)
    here.engines.on_place(1)
    here.engines.on_place(0)
    here.engines.answers.put_nowait("a2 1C")
    await here.settle()
    assert [each["place"] for each in ada.new("waiting")] == [3, 1, 0]
    await ada.say("step", steps="a2 1C", warn=True)
    here.engines.on_place(0)  # who need not wait is told nothing
    here.engines.answers.put_nowait({"loses": False})
    await here.settle()
    assert ada.new("waiting") == []
    assert ada.state["moves"][-1]["text"] == "a2 1C"


@scene
async def test_a_slow_reader_gets_how_things_stand_in_place_of_all_it_missed(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.talk("hello")
    slow = Guest(ada.room, None, reads=False)
    for _ in range(2 * BACKLOG):
        await slow.send("?")
    await ada.play("a2 1C")
    await ada.talk("are you there?")
    slow.reading = asyncio.create_task(slow.read())
    await breathe()
    state, *said = slow.new()
    assert (state["type"], state["event"], state["at"]) == ("state", "now", 1)
    assert [each["text"] for each in said] == ["hello", "are you there?"]
    await ada.play("b2 1C")
    assert [each["type"] for each in slow.new()] == ["played"]


@scene
async def test_only_what_a_move_changes_is_told(here: Scene) -> None:
    ada = await here.alone("human", "human")
    whole = len(json.dumps(ada.state))
    ada.new()
    await ada.play("a2 1C")
    (message,) = ada.new()
    assert message["type"] == "played"
    assert len(json.dumps(message["changes"])) < whole / 4
