"""A room: seats, offers, clocks, and what each client gets."""

import asyncio
import json
import random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.jobs.fair_queue import Owner
from pentad.play.seats import NOTE
from pentad.store.rows import Person
from pentad.web.rooms.subscribers import BACKLOG
from tests.properties import properties
from tests.web.room_fixtures import Guest, Scene, run_pending, same, scene

# ── friends by link ──────────────────────────────────────────────────────────────────────────────


@scene
async def test_a_friend_takes_the_open_seat_and_plays(here: Scene) -> None:
    ada = await here.alone("human", "open")
    bea = await here.person("Bea")
    guest = Guest(ada.room, bea)
    await run_pending()
    assert guest.state["can"]["sit"]
    assert not guest.state["seats"][1]["here"]
    await ada.play("a2 1C")  # the maker may move before the others come
    assert await ada.room.sit(bea.id, "Bea", None) == 1
    await run_pending()
    assert [seat["name"] for seat in ada.state["seats"]] == ["Ada", "Bea"]
    assert (ada.state["event"], guest.state["can"]["play"], guest.state["can"]["sit"]) == ("sat", True, False)
    await guest.play("b2 1C")
    assert len(ada.state["moves"]) == 2


@scene
async def test_an_open_seat_is_nobodys_even_if_a_stranger_watches(here: Scene) -> None:
    ada = await here.alone("human", "open")
    Guest(ada.room, None)
    await run_pending()
    assert [seat["here"] for seat in ada.state["seats"]] == [True, False]
    assert ada.state["watching"] == 1


@pytest.mark.parametrize("seat", [0, 1, 2, -1, 10**9])
@scene
async def test_a_taken_seat_is_refused(here: Scene, seat: int) -> None:
    (ada, _) = await here.friends("Ada", "Bea")
    cleo = await here.person("Cleo")
    number = ada.room.game.number
    with pytest.raises(GameError, match="This seat is taken"):
        await ada.room.sit(cleo.id, "Cleo", seat)
    with pytest.raises(GameError, match="All seats are taken"):
        await ada.room.sit(cleo.id, "Cleo", None)
    assert ada.room.game.number == number


@scene
async def test_one_of_many_simultaneous_requests_gets_the_seat(here: Scene) -> None:
    ada = await here.alone("human", "open")
    persons = [await here.person(f"Bea {i}") for i in range(8)]
    got = await asyncio.gather(*(ada.room.sit(each.id, each.name, 1) for each in persons), return_exceptions=True)
    assert sorted(map(str, got)) == ["1", *["This seat is taken."] * 7]
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
    await run_pending()
    number = ada.room.game.number
    for guest in (namesake, nobody):
        guest.new()
        for act in ("undo", "redo", "hint", "resign", "draw"):
            await guest.send(act)
        await guest.send("answer", yes=True)
        await guest.play("a2 1C")
        assert guest.errors() == ["You are watching. Only players can do that."] * 7
        assert guest.state["choices"] == []
    await bea.play("a2 1C")
    assert bea.errors() == ["It is not your turn. Black is to move."]
    await bea.send("resign", seat=0)
    assert bea.errors() == ["Seat 0 is not yours."]
    assert ada.room.game.number == number


# ── what players ask each other for ──────────────────────────────────────────────────────────────


@scene
async def test_a_draw_is_offered_and_agreed(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send("draw")
    assert ada.state["offer"] == {"what": "draw", "seat": 0, "yours": True, "asked": False, "moves": 0}
    assert bea.state["offer"] == {"what": "draw", "seat": 0, "yours": False, "asked": True, "moves": 0}
    await ada.send("answer", yes=True)
    assert ada.errors() == ["This is your own offer. The other players have to answer it."]
    await ada.send("draw")
    assert ada.errors() == ["Another offer is still open."]
    await bea.send("draw")  # the same offer is an agreement
    for guest in (ada, bea):
        assert (guest.state["event"], guest.state["status"]) == ("drawn", "Draw by agreement.")
        assert guest.state["outcome"]["winners"] == []
        assert guest.state["offer"] is None
    await bea.send("answer", yes=True)
    assert bea.errors() == ["There is no offer."]


@pytest.mark.parametrize("who", ["asker", "asked"])
@scene
async def test_an_offer_is_declined_or_withdrawn(here: Scene, who: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send("draw")
    await (ada if who == "asker" else bea).send("answer", yes=False)
    assert (ada.state["offer"], bea.state["offer"]) == (None, None)
    expected = {"what": "draw", "seat": 0, "by": 0 if who == "asker" else 1}
    assert (ada.state["declined"], bea.state["declined"]) == (expected, expected)
    assert ada.state["outcome"] is None
    await bea.send("draw")
    assert (ada.state["offer"] or {})["asked"]
    assert ada.state["declined"] is None


@scene
async def test_an_offer_lapses_with_a_move(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send("draw")
    await ada.play("a2 1C")
    assert bea.state["offer"] is None
    await bea.send("answer", yes=True)
    assert bea.errors() == ["There is no offer."]
    assert ada.state["outcome"] is None


@scene
async def test_all_three_must_agree_and_none_is_asked_twice(here: Scene) -> None:
    ada, bea, cleo = await here.friends("Ada", "Bea", "Cleo", options={"players": 3})
    await ada.send("draw")
    await bea.send("answer", yes=True)
    assert [guest.state["offer"]["asked"] for guest in (ada, bea, cleo)] == [False, False, True]
    assert ada.state["outcome"] is None
    number = ada.room.game.number
    await bea.send("answer", yes=True)
    assert bea.errors() == ["You have already agreed. The other players have to answer."]
    assert ada.room.game.number == number
    again = await here.again()
    room = await again.rooms.get(ada.room.name)
    assert room
    await same(cleo, room).send("answer", yes=True)  # the answers of the others were stored
    assert room.game.outcome
    assert room.game.outcome.is_draw


@scene
async def test_bots_agree_to_no_draw_and_a_single_person_draws_at_once(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.send("draw")
    assert ada.errors() == ["There is no opponent who could agree to a draw."]
    both = await here.alone("human", "human")
    await both.send("draw")
    assert both.state["status"] == "Draw by agreement."


@scene
async def test_a_single_person_takes_back_at_once(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.send("undo")
    assert ada.errors() == ["You have no move to take back."]
    await ada.play("a2 1C", "b2 1C")
    await ada.send("undo")
    assert len(ada.state["moves"]) == 1
    await ada.send("redo")
    assert len(ada.state["moves"]) == 2
    await ada.send("resign")
    await ada.send("undo")
    assert (ada.state["outcome"], len(ada.state["moves"])) == (None, 2)


@scene
async def test_a_takeback_between_people_needs_consent(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await bea.play("b2 1C")
    await ada.send("undo")
    assert (len(ada.state["moves"]), bea.state["offer"]["what"]) == (2, "undo")
    await bea.send("answer", yes=True)
    assert (ada.state["event"], ada.state["moves"], ada.state["turn"]) == (
        "undone",
        [],
        0,
    )  # Ada was last to move there
    await ada.play("c3 1C")
    await bea.play("d3 1C")
    await bea.send("undo")
    await ada.send("answer", yes=True)
    assert (len(bea.state["moves"]), bea.state["turn"]) == (1, 1)
    await ada.send("redo")
    assert ada.errors() == ["You cannot redo moves in a game against people."]
    await bea.send("hint")
    assert bea.errors() == ["Hints are off in games against people."]


@scene
async def test_a_finished_game_among_persons_stays_finished(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await ada.send("resign")
    assert not bea.state["can"]["undo"]
    for guest in (ada, bea):
        await guest.send("undo")
        assert guest.errors() == ["The game is over."]
    for act in ("draw", "resign"):
        await ada.send(act)
    assert len(ada.errors()) == 2
    assert bea.state["status"] == "Black resigned. White wins."


@scene
async def test_a_rematch_is_created_once_with_rotated_seats(here: Scene) -> None:
    ada, bea, cleo = await here.friends("Ada", "Bea", "Cleo", options={"players": 3})
    with pytest.raises(GameError, match="not over yet"):
        await here.rooms.again(ada.room)
    await ada.send("resign")
    names = await asyncio.gather(*(here.rooms.again(ada.room) for _ in range(5)))
    await run_pending()
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


@scene
async def test_a_rematch_begins_once_all_players_agree(here: Scene) -> None:
    ada, bea, cleo = await here.friends("Ada", "Bea", "Cleo", options={"players": 3})
    persons = [Person(guest.connection.person or 0, guest.connection.name) for guest in (ada, bea, cleo)]
    with pytest.raises(GameError, match="not over yet"):
        await here.rooms.rematch(ada.room, persons[0])
    await ada.send("resign")
    assert [guest.state["can"]["rematch"] for guest in (ada, bea, cleo)] == [True] * 3
    assert await here.rooms.rematch(ada.room, persons[0]) is None
    await run_pending()
    assert [guest.state["offer"]["asked"] for guest in (ada, bea, cleo)] == [False, True, True]
    assert not bea.state["can"]["rematch"]  # it answers the offer
    with pytest.raises(GameError, match="have to answer"):
        await here.rooms.rematch(ada.room, persons[0])
    await bea.send("answer", yes=True, what="rematch")
    assert bea.errors() == ["To accept a rematch, ask for it, too."]
    assert await here.rooms.rematch(ada.room, persons[1]) is None
    name = await here.rooms.rematch(ada.room, persons[2])
    assert name
    await run_pending()
    assert {guest.state["again"] for guest in (ada, bea, cleo)} == {name}
    assert ada.state["offer"] is None
    assert await here.rooms.rematch(ada.room, persons[0]) == name


@scene
async def test_a_declined_rematch_can_be_wished_by_the_other_player(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    one, other = [Person(guest.connection.person or 0, guest.connection.name) for guest in (ada, bea)]
    await ada.send("resign")
    await here.rooms.rematch(ada.room, one)
    await bea.send("answer", yes=False, what="rematch")
    assert ada.state["declined"] == {"what": "rematch", "seat": 0, "by": 1}
    with pytest.raises(GameError, match="already asked for a rematch"):
        await here.rooms.rematch(ada.room, one)
    there = await here.again()  # the offer is stored
    room = await there.rooms.get(ada.room.name)
    assert room
    assert await there.rooms.rematch(room, other) is None
    assert await there.rooms.rematch(room, one)


@scene
async def test_a_rematch_against_a_bot_begins_at_once(here: Scene) -> None:
    ada = await here.alone("human", "random")
    person = Person(ada.connection.person or 0, "Ada")
    await ada.send("resign")
    assert await here.rooms.rematch(ada.room, person)


@scene
async def test_a_new_name_is_shown_while_a_game_waits(here: Scene) -> None:
    ada = await here.person()
    host = Guest(await here.room("human", "open", by=ada), ada)
    playing = Guest(await here.room("human", "random", by=ada), ada)
    friend = Guest(host.room, None)
    await run_pending()
    await here.rooms.rename(Person(ada.id, "Ada"))
    await run_pending()
    assert [seat["name"] for seat in friend.state["seats"]] == ["Ada", ""]
    assert [seat["name"] for seat in playing.state["seats"]] == ["", ""]
    await host.room.sit((await here.person("Bea")).id, "Bea", None)
    await here.rooms.rename(Person(ada.id, "Eve"))
    await run_pending()
    assert [seat["name"] for seat in friend.state["seats"]] == ["Ada", "Bea"]  # nobody changes the name while they play
    there = await here.again()
    room = await there.rooms.get(host.room.name)
    assert room
    assert [seat.name for seat in room.game.seats] == ["Ada", "Bea"]


# ── who is here ─────────────────────────────────────────────────────────────────────────────────────


@scene
async def test_all_clients_learn_who_is_here(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    watcher = Guest(ada.room, None)
    second = same(bea, ada.room)
    await run_pending()
    assert [seat["here"] for seat in ada.state["seats"]] == [True, True]
    assert ada.state["watching"] == 1  # a player's second page does not count as a viewer
    bea.leave()
    await run_pending()
    assert ada.state["seats"][1]["here"]
    second.leave()
    watcher.leave()
    await run_pending()
    assert (ada.state["seats"][1]["here"], ada.state["watching"]) == (False, 0)


@scene
async def test_a_takeback_request_has_its_number_of_moves(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    await ada.send("undo")
    assert bea.state["offer"] == {"what": "undo", "seat": 0, "yours": False, "asked": True, "moves": 1}
    await bea.send("answer", yes=False)
    await bea.play("b3 2A")
    await ada.send("undo")
    assert bea.state["offer"]["moves"] == 2


# ── what one sees ────────────────────────────────────────────────────────────────────────────────

GAMES = [
    ("pentago", {}),
    ("pente", {"size": 9}),
    ("pentagame", {}),
    pytest.param("pentago", {"players": 3}, marks=pytest.mark.slow),
]


@pytest.mark.fast_cases(1)
@properties(6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_changed_lines_give_the_same_board_as_a_whole_drawing(
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
        await guests[0].send_text('{"type": "look", "flip": true}')
        for _ in range(chance.randint(5, 40)):
            moves = room.game.position.legal_moves
            if room.game.outcome is None and moves:
                await ada.play(str(chance.choice(moves)))
            if chance.random() < 0.15:
                await ada.send("undo")
            if chance.random() < 0.1:
                await ada.send("redo")
            if chance.random() < 0.1:
                await guests[1].send_text(json.dumps({"type": "look", "flip": chance.random() < 0.5}))
            if chance.random() < 0.1:
                room.subscribers.send_presence()
            if chance.random() < 0.05:  # more than the backlog of this client
                for _ in range(BACKLOG):
                    await slow.send_text("?")
        slow.reading = asyncio.create_task(slow.read())
        await run_pending()
        while slow.connection._news.is_set():
            await asyncio.sleep(0)
        for guest in (ada, *guests, slow):
            fresh = json.loads(room.subscribers.state(guest.connection).written)
            fresh["event"] = guest.state["event"]
            fresh["announce"] = guest.state["announce"]
            del fresh["position"], guest.state["position"]  # only in a whole state
            assert guest.state == fresh

    watched(tmp_path_factory.mktemp("room"))


@scene
async def test_a_connection_check_returns_who_is_here(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.send_text('{"type": "here"}')
    (around,) = ada.new()
    assert (around["type"], [seat["here"] for seat in around["seats"]]) == ("around", [True, True])
    assert bea.new() == []


@scene
async def test_the_queue_place_of_a_bot_is_sent_at_intervals(here: Scene) -> None:
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
    await ada.send("undo")
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
async def test_a_warm_up_bots_move_is_marked_and_stored(here: Scene) -> None:
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
    await ada.send("undo")
    await ada.play("a0 4C")
    here.engines.answers.put_nowait("f0 4C")
    await here.settle()
    assert [each["note"] for each in ada.state["moves"]] == ["", ""]
    assert ada.room.game.is_certain


@scene
async def test_a_game_of_bots_uses_no_warm_up_bot(here: Scene) -> None:
    await here.alone("engine", "engine")
    await here.settle()
    assert here.engines.requested
    assert here.engines.simpler is None


@scene
async def test_the_queue_place_of_a_hint_or_warning_is_sent(here: Scene) -> None:
    ada = await here.alone("human", "human")
    ada.new()
    await ada.send("hint")
    for place in (3, 2):
        here.engines.on_place(place)
        await here.wait(0.1)
    await here.wait(1.0)
    here.engines.on_place(1)
    here.engines.on_place(0)
    here.engines.answers.put_nowait("a2 1C")
    await here.settle()
    assert [each["place"] for each in ada.new("waiting")] == [3, 2, 0]
    await ada.send("step", steps="a2 1C", warn=True)
    here.engines.on_place(0)  # without a wait nothing is sent
    here.engines.answers.put_nowait({"loses": False})
    await here.settle()
    assert ada.new("waiting") == []
    assert ada.state["moves"][-1]["text"] == "a2 1C"


@scene
async def test_a_slow_client_gets_the_state_in_place_of_missed_messages(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.chat("hello")
    slow = Guest(ada.room, None, reads=False)
    for _ in range(2 * BACKLOG):
        await slow.send_text("?")
    await ada.play("a2 1C")
    await ada.chat("are you there?")
    slow.reading = asyncio.create_task(slow.read())
    await run_pending()
    state, *messages = slow.new()
    assert (state["type"], state["event"], state["at"]) == ("state", "now", 1)
    assert [each["text"] for each in messages] == ["hello", "are you there?"]
    await ada.play("b2 1C")
    assert [each["type"] for each in slow.new()] == ["played"]


@scene
async def test_only_the_changes_of_a_move_are_sent(here: Scene) -> None:
    ada = await here.alone("human", "human")
    whole = len(json.dumps(ada.state))
    ada.new()
    await ada.play("a2 1C")
    (message,) = ada.new()
    assert message["type"] == "played"
    assert len(json.dumps(message["changes"])) < whole / 4


@scene
async def test_a_hint_is_cancelled_by_the_next_one(here: Scene) -> None:
    ada = await here.alone("human", "human")
    await ada.send("hint")
    await ada.send("hint")
    assert (len(here.engines.requested), here.engines.given_up) == (2, 1)


@scene
async def test_a_room_with_a_client_is_busy(here: Scene) -> None:
    ada = await here.alone("human", "human")
    assert (ada.room.is_occupied, ada.room.is_busy) == (True, True)
    ada.leave()
    assert (ada.room.is_occupied, ada.room.is_busy) == (False, False)


@scene
async def test_searches_for_a_person_belong_to_that_person(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    Guest(ada.room, None)
    await ada.play("a2 1C")
    assert here.engines.owners == [Owner(ada.connection.person)]


@scene
async def test_only_a_player_who_waits_enters_a_turn_in_advance(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    watcher = Guest(ada.room, None)
    for guest in (ada, bea, watcher):
        await guest.send("premove", targets=["a0"])
    await bea.send("premove", targets=["a0"], at=7)
    assert [len(guest.new("premove")) for guest in (ada, bea, watcher)] == [0, 1, 0]


@scene
async def test_players_get_the_watchers_chat_when_the_game_is_over(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    watcher = Guest(ada.room, await here.person("Cleo"))
    await watcher.chat("White wins")
    await ada.play("a2 1C")
    assert ada.new("said") == []
    await ada.send("resign")
    assert [each["text"] for each in ada.new("said")] == ["White wins"]


@scene
async def test_a_client_looks_from_the_other_side(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await bea.send_text('{"type": "look", "flip": true}')
    await ada.play("a2 1C")
    position = ada.room.game.position
    for guest, flip in ((ada, False), (bea, True)):
        assert (guest.state["flip"], guest.state["svg"]) == (flip, position.svg(last="a2 1C", flip=flip, style=False))


@scene
async def test_a_game_that_is_loaded_again_is_searched_again(here: Scene) -> None:
    ada = await here.alone("human", "greedy")
    await ada.play("a2 1C")
    await here.rooms.refresh(ada.room.name)
    await run_pending()
    assert (len(here.engines.requested), here.engines.given_up) == (2, 1)


@scene
async def test_players_of_a_game_have_names_that_look_different(here: Scene) -> None:
    ada = await here.person("Ada")
    room = await here.room("human", "open", "open", by=ada, options={"players": 3})
    for name in ("ada", "\u0410d\u0430", "A d a."):
        with pytest.raises(GameError, match="Ada plays here") as error:
            await room.sit((await here.person(name)).id, name, None)
        assert "\n" not in str(error.value)
    bea = await here.person("Bea")
    await room.sit(bea.id, "Bea", None)
    with pytest.raises(GameError, match="Ada plays here"):
        here.rooms.check_name(bea.id, "Ad\u0430")
    with pytest.raises(GameError, match="Ada plays here"):
        await room.rename(bea.id, "ADA")
    here.rooms.check_name(ada.id, "ADA")
    await room.rename(ada.id, "ADA")
    nobody = await here.person("")
    await room.sit(nobody.id, "", None)
    assert [seat.name for seat in room.game.seats] == ["ADA", "Bea", ""]
    here.rooms.check_name(bea.id, "Ada")  # the game waits for nobody any more
