"""Chat: who may write and read, what is refused, and what a new client gets."""

import asyncio

import pytest

from pentad.game import GameError
from pentad.store.rows import ChatMessage
from pentad.web.rooms import chat
from pentad.web.rooms.state import begun
from pentad.web.rooms.subscribers import BACKLOG
from tests.web.room_fixtures import Guest, Scene, run_pending, same, scene
from tests.web.rooms.test_state import row

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
    await first.chat("Next time then.")
    await here.settle()
    assert said(second) == []
    assert said(first) == ["May I?", "Next time then."]


@scene
async def test_chat_is_bounded_and_a_new_client_gets_all_of_it(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, _ = await here.friends("Ada", "Bea")
    most = 3 * BACKLOG
    monkeypatch.setattr(chat, "MOST_MESSAGES", most)
    monkeypatch.setattr(chat, "IN_A_ROW", most + 5)
    await asyncio.gather(*(ada.chat(str(i)) for i in range(most + 5)))
    await here.settle()
    assert ada.errors() == ["This chat is full."] * 5
    late = Guest(ada.room, None)
    await run_pending()
    await asyncio.sleep(0.01)
    assert [each["text"] for each in late.new("said")] == [str(i) for i in range(most)]


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


@pytest.mark.parametrize(
    ("person", "of_players", "by_watchers", "fits"),
    [(1, 499, 0, True), (1, 500, 0, False), (1, 0, 100, True), (3, 0, 99, True), (3, 0, 100, False)],
)
def test_five_hundred_messages_fit_into_a_chat_a_hundred_of_them_by_watchers(
    person: int, of_players: int, by_watchers: int, fits: bool
) -> None:
    seats = [*[0] * of_players, *[None] * by_watchers]
    so_far = [ChatMessage(number, seat, "somebody", "hello", 0.0) for number, seat in enumerate(seats)]
    game = begun(row("pentago", [1, 2]))
    if fits:
        assert chat.chat_message(game, so_far, person, "Ada", "hello", 0.0).number == len(so_far)
    else:
        with pytest.raises(GameError, match="This chat is full"):
            chat.chat_message(game, so_far, person, "Ada", "hello", 0.0)


@scene
async def test_a_message_that_was_stored_but_not_shown_is_followed_by_the_next(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await here.store.add_chat_message(ada.room.name, ChatMessage(0, 1, "Bea", "lost", here.wall))
    await ada.chat("hello")
    assert ada.errors() == ["The message was not stored. Send it again."]
    await ada.chat("hello")
    assert [(each["number"], each["text"]) for each in bea.new("said")] == [(1, "hello")]
