"""What is put away is gone: no cycle keeps a room, its game or those who looked at it until a collector comes by."""

from __future__ import annotations

import gc
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pentad.game import Position
from pentad.record import Node, Record
from pentad.store.rows import StoreError
from pentad.web import bot_moves, study
from pentad.web.bot_moves import BotSearch
from pentad.web.connection import Connection
from pentad.web.engines import WorkerFailed
from pentad.web.history import History
from pentad.web.room import Room
from pentad.web.rooms import PUT_AWAY
from pentad.web.subscribers import Subscribers
from tests.web.scene import Guest, Scene, breathe, scene

OWNED = (Room, History, Record, Node, Subscribers, Connection, BotSearch, Position)
GAMES = ("pentago", "pente", "pentagame")


def living() -> dict[int, object]:
    return {id(each): each for each in gc.get_objects() if isinstance(each, OWNED)}


def legal(guest: Guest) -> str:
    return str(random.Random(guest.room.game.at).choice(guest.room.game.position.legal_moves))


async def plain(here: Scene, game: str) -> list[Guest]:
    """Two people: moves, talk, a takeback, a draw that is refused, a resignation, another game."""
    ada, bea = await here.friends("Ada", "Bea", game=game, time={"main": 600.0})
    ada.room.game.clock and await ada.talk("hello")
    await ada.play(legal(ada))
    await bea.play(legal(bea))
    await bea.say("undo")
    await ada.say("answer", yes=True)
    await bea.play(legal(bea))
    await ada.say("draw")
    await bea.say("answer", yes=False)
    await ada.play("z99", legal(ada))
    await bea.send("rubbish")
    await bea.say("resign")
    name = await here.rooms.again(ada.room)
    again = await here.rooms.get(name)
    assert again
    return [ada, bea, Guest(again, None)]


async def with_bot(here: Scene, game: str) -> list[Guest]:
    """A bot that moves, fails and is tried again; hints and warnings, found or not; moves taken back and replayed."""
    ada = await here.alone("human", "greedy" if game == "pentago" else "random", game=game)
    for answer in (legal(ada), WorkerFailed("it fell over")):
        await ada.say("hint")
        here.engines.answers.put_nowait(answer)
        await here.settle()
    await ada.say("step", steps=legal(ada), warn=True)
    here.engines.answers.put_nowait({"loses": False})
    await here.settle()
    here.engines.answers.put_nowait(WorkerFailed("it fell over"))
    await here.settle()
    await here.wait(10)
    here.engines.answers.put_nowait(legal(ada))
    await here.settle()
    await ada.say("undo")
    await ada.say("redo")
    await here.settle()
    if ada.room.game.seat == 1:
        here.engines.answers.put_nowait(ValueError("nobody expected that"))
        await here.settle()
    elif ada.room.game.seat == 0:
        await ada.say("hint")
    return [ada]


async def without_disk(here: Scene, game: str) -> list[Guest]:
    """Nothing can be kept for a while; somebody reads too slowly, and somebody falls silent in the middle."""
    ada, bea = await here.friends("Ada", "Bea", game=game, time={"days": 2.0})
    slow = Guest(ada.room, None, reads=False)
    with pytest.MonkeyPatch.context() as broken:

        def refuse(*_: object, **__: object) -> None:
            raise StoreError("the disk is full")

        for name in ("add_event", "add_chat_message"):
            broken.setattr(f"pentad.store.writes.{name}", refuse)
        await ada.play(legal(ada))
        await ada.talk("hello?")
    for _ in range(70):
        await ada.say("look", flip=True)
    await ada.play(legal(ada))
    return [ada, bea, slow]


@pytest.mark.parametrize("lives", [plain, with_bot, without_disk])
@pytest.mark.parametrize("game", GAMES)
@scene
async def test_a_room_that_was_put_away_is_gone(
    here: Scene, monkeypatch: pytest.MonkeyPatch, game: str, lives: Callable[[Scene, str], Awaitable[list[Guest]]]
) -> None:
    monkeypatch.setattr(bot_moves, "PACE", 0)
    await live(here, lives, game)  # what is made once for all is there now
    gc.collect()
    before = living().keys()
    gc.disable()
    try:
        for _ in range(2):
            await live(here, lives, game)
        kept = {key: each for key, each in living().items() if key not in before}
        assert [type(each).__name__ for each in kept.values()] == []
    finally:
        gc.enable()


RECORD = Record("pentago")
RECORD.play("a2 1C").comment = "a corner"


def test_a_text_that_was_read_leaves_nothing() -> None:
    def read() -> None:
        told = study.read_text(RECORD.text, None)
        study.read_line("pentago", ["a2 1C"])
        nodes = [study.NodeWish(parent=node.parent or 0, move=node.move) for node in told.nodes[1:]]
        study.write_tree(study.TreeWish(start=told.start, format="pentad", nodes=nodes))

    read()
    gc.collect()
    before = living().keys()
    gc.disable()
    try:
        read()
        assert [each for key, each in living().items() if key not in before] == []
    finally:
        gc.enable()


async def live(here: Scene, lives: Callable[[Scene, str], Awaitable[Any]], game: str) -> None:
    """A room's whole life, up to when it is brought back once more."""
    for guest in await lives(here, game):
        guest.leave()
        name = guest.room.name
    del guest
    await empty(here)
    assert await here.rooms.get(name)
    await empty(here)


async def empty(here: Scene) -> None:
    await here.wait(PUT_AWAY + 1)
    await here.rooms.sweep()
    await here.wait(PUT_AWAY + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0
    here.engines.on_place = here.engines.simpler = None
    await breathe()
