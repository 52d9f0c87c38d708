"""Memory: no reference cycle keeps an unloaded room, its game or its clients."""

from __future__ import annotations

import gc
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pentad.game import Position
from pentad.record import Node, Record
from pentad.store.rows import StoreError
from pentad.web import move_tree
from pentad.web.engines import WorkerFailed
from pentad.web.rooms import bot_runner
from pentad.web.rooms.registry import IDLE_SECONDS
from pentad.web.rooms.room import Room
from pentad.web.rooms.state import RoomState
from pentad.web.rooms.subscribers import Connection, Subscribers
from tests.web.room_fixtures import Guest, Scene, run_pending, scene

OWNED = (Room, RoomState, Record, Node, Subscribers, Connection, Position)
GAMES = ("pentago", "pente", "pentagame")


def living() -> dict[int, object]:
    return {id(each): each for each in gc.get_objects() if isinstance(each, OWNED)}


def legal(guest: Guest) -> str:
    return str(random.Random(guest.room.game.at).choice(guest.room.game.position.legal_moves))


async def plain(here: Scene, game: str) -> list[Guest]:
    """Two persons: moves, chat, a takeback, a declined draw, a resignation, a rematch."""
    ada, bea = await here.friends("Ada", "Bea", game=game, time={"main": 600.0})
    ada.room.game.clock and await ada.chat("hello")
    await ada.play(legal(ada))
    await bea.play(legal(bea))
    await bea.send("undo")
    await ada.send("answer", yes=True)
    await bea.play(legal(bea))
    await ada.send("draw")
    await bea.send("answer", yes=False)
    await ada.play("z99", legal(ada))
    await bea.send_text("rubbish")
    await bea.send("resign")
    name = await here.rooms.again(ada.room)
    again = await here.rooms.get(name)
    assert again
    return [ada, bea, Guest(again, None)]


async def with_bot(here: Scene, game: str) -> list[Guest]:
    """A bot that moves, fails and is retried; hints and warnings; takebacks and replayed moves."""
    ada = await here.alone("human", "greedy" if game == "pentago" else "random", game=game)
    for answer in (legal(ada), WorkerFailed("it fell over")):
        await ada.send("hint")
        here.engines.answers.put_nowait(answer)
        await here.settle()
    await ada.send("step", steps=legal(ada), warn=True)
    here.engines.answers.put_nowait({"loses": False})
    await here.settle()
    here.engines.answers.put_nowait(WorkerFailed("it fell over"))
    await here.settle()
    await here.wait(10)
    here.engines.answers.put_nowait(legal(ada))
    await here.settle()
    await ada.send("undo")
    await ada.send("redo")
    await here.settle()
    if ada.room.game.seat == 1:
        here.engines.answers.put_nowait(ValueError("nobody expected that"))
        await here.settle()
    elif ada.room.game.seat == 0:
        await ada.send("hint")
    return [ada]


async def without_disk(here: Scene, game: str) -> list[Guest]:
    """The store fails for a while; one client is slow, and one disconnects halfway."""
    ada, bea = await here.friends("Ada", "Bea", game=game, time={"days": 2.0})
    slow = Guest(ada.room, None, reads=False)
    with pytest.MonkeyPatch.context() as broken:

        def refuse(*_: object, **__: object) -> None:
            raise StoreError("the disk is full")

        broken.setattr("sqlalchemy.Connection.execute", refuse)
        await ada.play(legal(ada))
        await ada.chat("hello?")
    for _ in range(70):
        await ada.send("look", flip=True)
    await ada.play(legal(ada))
    return [ada, bea, slow]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lives", "game"),
    [
        pytest.param(lives, game, marks=[] if i == j else [pytest.mark.slow])
        for i, lives in enumerate((plain, with_bot, without_disk))
        for j, game in enumerate(GAMES)
    ],
)
@scene
async def test_an_unloaded_room_leaves_no_objects(
    here: Scene, monkeypatch: pytest.MonkeyPatch, game: str, lives: Callable[[Scene, str], Awaitable[list[Guest]]]
) -> None:
    monkeypatch.setattr(bot_runner, "PACE_SECONDS", 0)
    await live(here, lives, game)  # the first game fills the caches
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


@pytest.mark.slow
def test_reading_a_text_leaves_no_objects() -> None:
    def read() -> None:
        tree = move_tree.read_text(RECORD.text, None)
        move_tree.read_line("pentago", ["a2 1C"])
        nodes = [move_tree.TreeNode(parent=node.parent or 0, move=node.move) for node in tree.nodes[1:]]
        move_tree.write_tree(move_tree.TreeRequest(start=tree.start, format="pentad", nodes=nodes))

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
    """A room's whole life, with a final reload."""
    for guest in await lives(here, game):
        guest.leave()
        name = guest.room.name
    del guest
    await empty(here)
    assert await here.rooms.get(name)
    await empty(here)


async def empty(here: Scene) -> None:
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    await here.wait(IDLE_SECONDS + 1)
    await here.rooms.sweep()
    assert len(here.rooms) == 0
    here.engines.on_place = here.engines.simpler = None
    await run_pending()
