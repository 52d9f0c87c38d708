"""Chat: who may write and read, what is refused, and what a new client gets."""

import asyncio
import json

import pytest

from pentad.store.rows import ChatMessage
from pentad.web.rooms import chat
from pentad.web.rooms.room import Room
from pentad.web.rooms.subscribers import BACKLOG
from tests.cases import together
from tests.web.room_fixtures import Guest, Scene, run_pending, same, scene

TEXTS = [
    "hello",
    "<script>alert(1)</script>",
    "<b onclick='x'>&amp;",
    "🤔" * 150,
    "עברית oops",
    "x" * 300,
    "'; --",
]


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("text", TEXTS)
@scene
async def test_a_chat_message_arrives_unchanged(here: Scene, text: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.chat(text)
    await here.settle()
    message = {"type": "said", "number": 0, "seat": 0, "name": "Ada", "text": text}
    assert ada.new("said") == [message | {"mine": True}]
    assert bea.new("said") == [message | {"mine": False}]
    there = await here.again()
    room = await there.rooms.get(ada.room.name)
    assert room
    late = Guest(room, None)
    await run_pending()
    assert late.new("said") == [message | {"mine": False}]


@scene
async def test_invisible_characters_are_removed_from_chat(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.chat("a\0b\u202e\n c\u3164")
    await here.settle()
    assert [message["text"] for message in bea.new("said")] == ["a b c"]


@pytest.mark.parametrize("text", ["", "x" * 301, "\0\u202e\u2800"])
@scene
async def test_an_invalid_chat_message_is_refused_in_one_line(here: Scene, text: str) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.chat(text)
    await ada.send_text('{"type": "say", "text": "\\ud800"}')
    await here.settle()
    errors = ada.errors()
    assert len(errors) == 2
    assert all(error and "\n" not in error and len(error) < 300 for error in errors)
    assert bea.new("said") == []


@scene
async def test_a_named_viewer_may_chat_and_a_stranger_may_not(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    watcher, stranger = Guest(ada.room, await here.person("Cleo")), Guest(ada.room, None)
    await watcher.chat("well played")
    await stranger.chat("hello")
    await here.settle()
    (message,) = stranger.new("said")
    assert (message["seat"], message["name"], message["text"], message["mine"]) == (None, "Cleo", "well played", False)
    await stranger.chat("hello")
    assert stranger.errors() == ["Enter your name before you write a message."]


def said(guest: Guest) -> list[str]:
    return [each["text"] for each in guest.new("said")]


@scene
async def test_players_read_what_watchers_write_only_when_the_game_is_over(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    cleo, stranger = Guest(ada.room, await here.person("Cleo")), Guest(ada.room, None)
    await ada.chat("hello")
    await cleo.chat("White wins")
    await bea.chat("good luck")
    await here.settle()
    for watcher in (cleo, stranger):
        assert said(watcher) == ["hello", "White wins", "good luck"]
    for player in (ada, bea):
        assert said(player) == ["hello", "good luck"]
    back = same(ada, ada.room)
    await run_pending()
    assert said(back) == ["hello", "good luck"]  # also in another window, and after a reconnect
    await bea.send("resign")
    await here.settle()
    for player in (ada, bea, back):
        assert said(player) == ["White wins"]
    assert said(cleo) == []
    await here.wait(10)
    await cleo.chat("well played")
    await here.settle()
    assert said(ada) == said(bea) == said(stranger) == ["well played"]
    room = await (there := await here.again()).rooms.get(ada.room.name)
    assert room
    late = same(ada, room)
    await run_pending()
    assert said(late) == ["hello", "White wins", "good luck", "well played"]
    there.rooms.close()


@scene
async def test_a_watcher_who_takes_a_seat_reads_as_a_player(here: Scene) -> None:
    ada = await here.person("Ada")
    cleo, dora = await here.person("Cleo"), await here.person("Dora")
    room = await here.room("human", "open", by=ada)
    first, second = Guest(room, cleo), Guest(room, dora)
    await first.chat("May I?")
    await here.settle()
    assert said(second) == ["May I?"]
    await room.sit(dora.id, "Dora", None)
    await here.wait(10)
    await first.chat("Next time then.")
    await here.settle()
    assert said(second) == []
    assert said(first) == ["May I?", "Next time then."]


@scene
async def test_chat_is_bounded_and_a_new_client_gets_the_latest_of_it(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    most = 3 * BACKLOG
    monkeypatch.setattr(chat, "MOST_BY_PLAYERS", most)
    monkeypatch.setattr(chat, "IN_A_ROW", most + 5)
    await asyncio.gather(*(ada.chat(str(i)) for i in range(most + 5)))
    await here.settle()
    assert ada.errors() == []
    room = await (there := await here.again()).rooms.get(ada.room.name)
    assert room
    for each in (ada.room, room):
        late = Guest(each, None)
        await run_pending()
        await asyncio.sleep(0.01)
        assert [each["text"] for each in late.new("said")] == [str(i) for i in range(5, most + 5)]
    there.rooms.close()


@scene
async def test_a_fast_chatter_has_to_wait_and_nobody_else(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    for i in range(7):
        await ada.chat(str(i))
    assert ada.errors() == ["Too many messages. Wait a few seconds before the next one."] * 2
    await bea.chat("hello")
    assert {each["type"] for each in bea.new()} == {"said"}
    here.wall += chat.WITHIN + 1
    await ada.chat("again")
    assert [each["text"] for each in bea.new("said")] == ["again"]


@together(
    ("seat", "of_players", "by_watchers", "gone"),
    [
        (0, 399, 100, []),
        (0, 400, 100, [0]),
        (1, 405, 0, [0, 1, 2, 3, 4, 5]),
        (None, 400, 99, []),
        (None, 400, 100, [400]),
        (None, 0, 100, [0]),
    ],
)
def test_players_and_watchers_have_room_of_their_own(
    seat: int | None, of_players: int, by_watchers: int, gone: list[int]
) -> None:
    seats = [*[0] * of_players, *[None] * by_watchers]
    so_far = [ChatMessage(number, each, "somebody", "hello", 0.0) for number, each in enumerate(seats)]
    assert sorted(chat.surplus(so_far, ChatMessage(len(seats), seat, "somebody", "hello", 0.0))) == gone


# ── watchers ─────────────────────────────────────────────────────────────────────────────────────

MALLORY, NEIGHBOUR, ELSEWHERE = "203.0.113.1", "203.0.113.2", "2001:db8:1:2::/64"
SLOWLY = "Watchers write slowly here. Wait {} before your next message."


async def manage(guest: Guest, type_: str, **more: object) -> None:
    await guest.send_text(json.dumps({"type": type_, **more}))


async def watcher(here: Scene, room: Room, name: str, address: str) -> Guest:
    guest = Guest(room, await here.person(name))
    guest.connection.address = address
    return guest


@scene
async def test_watchers_write_slowly_by_person_and_address(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    mallory = await watcher(here, ada.room, "Mallory", MALLORY)
    other = same(mallory, (await here.friends("Cleo", "Dora"))[0].room)
    other.connection.address = ELSEWHERE
    await mallory.chat("1")
    await mallory.chat("2")
    assert mallory.errors() == [SLOWLY.format("10 seconds")]
    await other.chat("3")  # the same person in another room, from elsewhere
    assert other.errors() == [SLOWLY.format("10 seconds")]
    await mallory.chat("\0")  # what is invalid anyway changes nothing
    assert mallory.errors() == ["The message has no visible characters."]
    others = [await watcher(here, ada.room, f"Sock {name}", MALLORY) for name in "abc"]
    for each in others:
        await each.chat("hello")
    assert [each.errors() for each in others] == [[], [], [SLOWLY.format("4 seconds")]]
    neighbour = await watcher(here, ada.room, "Nora", NEIGHBOUR)
    await neighbour.chat("hello")
    await ada.chat("hello")
    assert neighbour.errors() == ada.errors() == []
    await here.wait(10)
    await mallory.chat("2")
    assert mallory.errors() == []


@scene
async def test_one_watcher_cannot_fill_the_chat_for_good(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_BY_WATCHERS", 3)
    ada, _ = await here.friends("Ada", "Bea")
    mallory = await watcher(here, ada.room, "Mallory", MALLORY)
    await ada.chat("good luck")
    for number in range(8):
        await mallory.chat(str(number))
        await here.wait(10)
    cleo = await watcher(here, ada.room, "Cleo", ELSEWHERE)
    await run_pending()
    assert said(cleo) == ["good luck", "5", "6", "7"]
    await cleo.chat("hello")
    assert said(cleo) == ["hello"]
    assert [each.text for each in await here.store.chat(ada.room.name)] == ["good luck", "6", "7", "hello"]


@scene
async def test_watchers_with_names_that_look_like_others_cannot_write(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    for number, name in enumerate(("\u0410\u0501\u0430", "ada", "Bea.")):
        mallory = await watcher(here, ada.room, name, f"203.0.{number}.1")
        await mallory.chat("I resign")
        (error,) = mallory.errors()
        assert error.endswith(" plays here. Choose a name that looks different.")
    cleo = await watcher(here, ada.room, "Cleo", NEIGHBOUR)
    await cleo.chat("hello")
    mallory = await watcher(here, ada.room, "\u0421leo", ELSEWHERE)
    await mallory.chat("hello")
    assert mallory.errors() == ["Another watcher is called \u0421leo. Choose a name that looks different."]
    await here.wait(10)
    await same(cleo, ada.room).chat("I am Cleo")
    assert [each.name for each in ada.room.subscribers.chat] == ["Cleo", "Cleo"]
    for name in ("", ""):  # they are all called Guest
        guest = await watcher(here, ada.room, name, f"198.51.{len(ada.room.connections)}.1")
        await guest.chat("hello")
        assert guest.errors() == []


@scene
async def test_a_player_removes_a_watchers_message(here: Scene) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    mallory, cleo = [
        await watcher(here, ada.room, name, each) for name, each in (("Mallory", MALLORY), ("Cleo", ELSEWHERE))
    ]
    await ada.chat("hello")
    await mallory.chat("rubbish")
    await cleo.chat("well played")
    for number in (1, 1, 0, 7, -1):
        await manage(ada, "unsay", number=number)
    for guest, seen in ((mallory, [1]), (cleo, [1]), (ada, [])):  # players have not read it yet
        assert [each["number"] for each in guest.received if each["type"] == "unsaid"] == seen
    gone, own = "This message is not there any more.", "Only messages of watchers can be removed."
    assert ada.errors() == [gone, own, gone, gone]
    await manage(mallory, "unsay", number=2)
    assert mallory.errors() == ["You are watching. Only players can do that."]
    assert "rubbish" not in str(await here.store.chat(ada.room.name))
    await manage(ada, "unsay", number=2)
    await here.wait(10)
    await cleo.chat("sorry")
    assert [(each["number"], each["text"]) for each in cleo.new("said")][-1] == (3, "sorry")  # no number is used again
    await ada.send("resign")
    await here.settle()
    assert said(ada) == ["sorry"]
    await manage(ada, "unsay", number=3)
    assert ada.new("unsaid") == [{"type": "unsaid", "number": 3}]
    room = await (there := await here.again()).rooms.get(ada.room.name)
    assert room
    late = same(ada, room)
    await run_pending()
    assert said(late) == ["hello"]
    there.rooms.close()


@scene
async def test_players_turn_the_chat_for_watchers_off_and_on(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    cleo, stranger = await watcher(here, ada.room, "Cleo", MALLORY), Guest(ada.room, None)
    await manage(cleo, "watchers", say=False)
    assert cleo.errors() == ["You are watching. Only players can do that."]
    at = ada.state["at"]
    await manage(ada, "watchers", say=False)
    await here.settle()
    await manage(ada, "watchers", say=False)
    assert ada.errors() == ["The chat for watchers is already off."]
    await here.settle()
    assert [each.state["watchers_say"] for each in (ada, bea, cleo, stranger)] == [False] * 4
    assert [each.state["can"]["say"] for each in (ada, bea, cleo, stranger)] == [True, True, False, False]
    assert ada.state["at"] == at  # the game itself stays as it is
    await cleo.chat("hello")
    assert cleo.errors() == ["The players have turned off the chat for watchers."]
    await bea.chat("quiet now")
    assert said(cleo) == ["quiet now"]
    room = await (there := await here.again()).rooms.get(ada.room.name)
    assert room
    assert room.game.watchers_may_write is False
    there.rooms.close()
    await manage(bea, "watchers", say=True)
    await cleo.chat("hello")
    assert said(cleo) == ["hello"]
    for number in range(30):
        await manage(bea, "watchers", say=bool(number % 2))
    await here.settle()
    assert set(bea.errors()) == {
        "The chat for watchers has been turned on and off too often in this game.",
        "The chat for watchers is already off.",
    }
    assert ada.room.game.number == ada.room.game.switches + 1 == 22  # with the seat that was taken
    assert ada.room.game.watchers_may_write is False


@scene
async def test_a_message_that_was_stored_but_not_shown_is_followed_by_the_next(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await here.store.add_chat_message(ada.room.name, ChatMessage(0, 1, "Bea", "lost", here.wall))
    await ada.chat("hello")
    assert ada.errors() == ["The message was not stored. Send it again."]
    await ada.chat("hello")
    assert [(each["number"], each["text"]) for each in bea.new("said")] == [(1, "hello")]


@scene
async def test_who_is_muted_is_not_read_by_the_person_who_did_so(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await bea.chat("you fool")
    await here.settle()
    assert said(ada) == ["you fool"]
    assert ada.connection.person
    assert bea.connection.person
    here.rooms.relate(ada.connection.person, bea.connection.person, ["mute"])
    await here.settle()
    assert [each["number"] for each in ada.new("unsaid")] == [0]
    await bea.chat("fool")
    await ada.chat("hello")
    await here.settle()
    assert said(ada) == ["hello"]
    assert said(bea) == ["you fool", "fool", "hello"]
    back = same(ada, ada.room)
    await run_pending()
    assert said(back) == ["hello"]
