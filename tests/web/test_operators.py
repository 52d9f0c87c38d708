"""What operators do, as it reaches the games that are open, whichever program has done it; maintenance of a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.store import Store
from pentad.store.moderation import Action, Kind, Moderation
from pentad.store.rows import StoreError
from pentad.web import operators as module
from pentad.web.http.identity import hash_of
from pentad.web.operators import Operators
from pentad.web.rooms.registry import ServerClosed
from tests.web.room_fixtures import Guest, Scene, run_pending, scene
from tests.web.server_process import Server

BLITZ = {"time": {"main": 300, "increment": 0}}


class Desk:
    """Operators of a scene, and another program that acts on the same database."""

    def __init__(self, here: Scene) -> None:
        self.here = here
        self.admission = here.world.admission
        self.moderation = Moderation(here.store)
        self.operators = Operators(self.moderation, here.rooms, self.admission)

    async def act(self, kind: Kind, target: object = "", **more: Any) -> None:
        """Something that another program does, and that the server notices."""
        await self.moderation.act(Action(kind=kind, target=str(target), **more), "Olga", self.here.wall)
        await self.operators.follow()
        await run_pending()

    async def pass_(self, seconds: float) -> None:
        """Time passes, and the server looks at the clock."""
        self.here.wall += seconds
        await self.here.wait(seconds)
        await self.operators.follow()
        await run_pending()


@scene
async def test_a_removed_game_ends_for_its_players(here: Scene) -> None:
    desk, (ada, bea) = Desk(here), await here.friends("Ada", "Bea", **BLITZ)
    await ada.play("a2 1C")
    await desk.act("remove game", ada.room.name)
    assert ada.errors() == bea.errors() == [module.REMOVED]
    assert await here.rooms.get(ada.room.name) is None
    await desk.act("notice", text="No room is left to tell.")
    assert len(here.rooms) == 0


@scene
async def test_a_move_in_a_game_that_was_just_removed_is_refused(here: Scene) -> None:
    """The server has not noticed yet what another program has done."""
    desk, (ada, _) = Desk(here), await here.friends("Ada", "Bea")
    await desk.moderation.act(Action(kind="remove game", target=ada.room.name), "Olga", here.wall)
    await ada.play("a2 1C")
    await here.settle()
    assert ada.errors() == [f"Unknown game {ada.room.name}."]


@scene
async def test_a_removed_chat_message_disappears(here: Scene) -> None:
    desk, (ada, bea) = Desk(here), await here.friends("Ada", "Bea")
    for text in ("hello", "you fool"):
        await bea.chat(text)
    await here.settle()
    await desk.act("remove chat", f"{ada.room.name}/1")
    assert [message["number"] for message in ada.new("unsaid")] == [1]
    late = Guest(ada.room, None)
    await run_pending()
    assert [message["text"] for message in late.new("said")] == ["hello"]


@scene
async def test_a_person_who_is_renamed_is_seen_under_the_new_name(here: Scene) -> None:
    desk, (ada, bea) = Desk(here), await here.friends("Ada", "Bea")
    await ada.chat("hello")
    await here.settle()
    await desk.act("rename", ada.connection.person, text="Player")
    assert bea.state["seats"][0]["name"] == "Player"
    late = Guest(ada.room, None)
    await run_pending()
    assert [message["name"] for message in late.new("said")] == ["Player"]


@scene
async def test_notices_reach_open_games(here: Scene) -> None:
    desk, (ada, _) = Desk(here), await here.friends("Ada", "Bea")
    await desk.act("notice", text="Cake at noon.")
    (message,) = ada.new("announcements")
    assert (message["notice"]["text"], message["closing"], message["reports"]) == ("Cake at noon.", None, False)
    await desk.moderation.add_operator("Olga", b"hash", "a test", here.wall)
    await desk.act("clear notice")
    (message,) = ada.new("announcements")
    assert (message["notice"], message["reports"]) == (None, True)


@scene
async def test_a_muted_person_plays_but_does_not_chat(here: Scene) -> None:
    desk = Desk(here)
    ada, bea = await here.friends("Ada", "Bea")
    await desk.act("mute", ada.connection.person, until=here.wall + 60, reason="insults")
    await ada.chat("hello")
    await here.settle()
    (error,) = ada.errors()
    assert error.startswith("You are muted until ")
    assert error.endswith(" UTC: insults.")
    await ada.play("a2 1C")
    await here.settle()
    assert bea.state["moves"]
    await desk.pass_(61)
    await ada.chat("sorry")
    await here.settle()
    assert [message["text"] for message in bea.new("said")] == ["sorry"]


@scene
async def test_clocks_stand_while_the_server_is_closed(here: Scene) -> None:
    desk, (ada, bea) = Desk(here), await here.friends("Ada", "Bea", **BLITZ)
    for guest, move in ((ada, "a2 1C"), (bea, "b3 2A")):
        await guest.play(move)
        await here.settle()
    await desk.act("close", until=here.wall + 60, text="Back soon.")
    assert ada.new("announcements")[-1]["closing"] == {"text": "Back soon.", "at": here.wall, "left": 60.0}
    await desk.pass_(59)
    assert len(here.rooms) == 1
    await desk.pass_(2)
    assert ada.new("announcements")[-1]["closing"]["left"] == 0.0
    assert len(here.rooms) == 0
    with pytest.raises(ServerClosed):
        await here.rooms.get(ada.room.name)
    await desk.pass_(4000)  # no flag falls meanwhile
    await desk.act("open")
    room = await here.rooms.get(ada.room.name)
    assert room
    again = Guest(room, None)
    await run_pending()
    assert again.state["outcome"] is None
    assert again.state["clock"]["left"][0] > 200
    assert len(again.state["moves"]) == 2


@scene
async def test_no_game_begins_shortly_before_the_server_closes(here: Scene) -> None:
    desk = Desk(here)
    await desk.act("close", until=here.wall + 300)

    def refusal(method: str, path: str) -> Any:
        return desk.admission.refusal(method, path, "192.0.2.1", "")

    assert refusal("POST", "/api/rooms") is None
    await desk.pass_(200)
    assert refusal("POST", "/api/rooms") == (
        503,
        "The server closes for maintenance in 100 seconds. New games start after it.",
    )
    assert refusal("", "/api/rooms/abc") is refusal("PUT", "/api/me") is None
    await desk.act("open")
    assert refusal("POST", "/api/rooms") is None


@scene
async def test_a_server_that_starts_while_it_is_closed_stays_closed(here: Scene) -> None:
    await Desk(here).act("close", until=here.wall)
    there = await here.again()
    desk = Desk(there)
    await desk.operators.start()
    with pytest.raises(ServerClosed):
        await there.rooms.get("abcdefghjk")
    assert desk.operators.announcements().closing
    await desk.act("open")
    assert await there.rooms.get("abcdefghjk") is None


@scene
async def test_a_session_ends_after_some_hours(here: Scene) -> None:
    desk = Desk(here)
    await desk.moderation.add_operator("Olga", hash_of("token"), "a test", here.wall)
    await desk.operators.follow()
    assert desk.operators.begin_session("other") is None
    secret = desk.operators.begin_session("token")
    assert secret
    assert desk.operators.name_of(secret) == "Olga"
    await desk.pass_(module.SESSION_SECONDS + 1)
    assert desk.operators.name_of(secret) is None


@scene
async def test_a_database_that_is_away_for_a_moment_is_read_later(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, (ada, _) = Desk(here), await here.friends("Ada", "Bea")
    since = desk.moderation.since
    failures = iter([StoreError("The disk is full.")])

    async def failing(number: int) -> Any:
        for failure in failures:
            raise failure
        return await since(number)

    monkeypatch.setattr(desk.moderation, "since", failing)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.0)
    following = asyncio.create_task(desk.operators.keep_following())
    await desk.moderation.act(Action(kind="notice", text="Still here."), "Olga", here.wall)
    await here.until(lambda: bool(ada.new("announcements")))
    following.cancel()


def test_what_another_program_does_reaches_a_running_server(tmp_path: Path) -> None:
    """A ban closes the sockets of the person, and refuses new ones with the reason; the other player stays."""
    with Server(database=f"sqlite:///{tmp_path}/games.db") as server:
        room, ada = server.make(seats=["human", "open"], name="Ada")
        bea = server.sit(room, name="Bea")
        store = Store.open(server.database)
        with server.join(room, ada) as banned, server.join(room, bea) as other:
            banned.receive("state")
            other.receive("state")
            act = Moderation(store).act
            asyncio.run(act(Action(kind="ban person", target="1", reason="insults"), "Olga", 1.0))
            assert banned.close_code() == 4403
            with server.join(room, ada) as refused:
                assert refused.close_code() == 4403
            answer = httpx.post(f"{server.url}/api/rooms", json={"game": "pentago"}, cookies=ada)
            assert (answer.status_code, answer.json()["error"]) == (403, "You are banned: insults.")
            asyncio.run(act(Action(kind="close", until=1.0, text="Back soon."), "Olga", 2.0))
            assert other.receive("announcements")["closing"] is None  # that of the ban
            assert other.receive("announcements")["closing"]["text"] == "Back soon."
            assert other.close_code() == 4503
            with server.join(room, bea) as refused:
                assert refused.close_code() == 4503
            asyncio.run(act(Action(kind="open"), "Olga", 3.0))
            asyncio.run(act(Action(kind="unban person", target="1"), "Olga", 4.0))
            wait_until_admitted(server, ada)
            with server.join(room, ada) as player:
                assert player.receive("state")["seats"][0]["yours"]
        store.close()
        code, _, err = server.stop()
        assert code == 0
        assert all("Refused (banned)" in line for line in err.splitlines()), err


def wait_until_admitted(server: Server, cookies: dict[str, str]) -> None:
    """Waits until the server has noticed that it is open, and that nobody is banned."""
    while httpx.post(f"{server.url}/api/preview", json={"game": "pentago"}, cookies=cookies).status_code != 200:
        pass
