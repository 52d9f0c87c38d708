"""Rooms and workers from within: who may do what, when bots think and when no longer, what is kept how long."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import pentad
from pentad.game import GameError, Position
from pentad.web import rooms as rooms_module
from pentad.web.api import ErrorMessage, HintAnswer, NewRoom, StateMessage, TurnMessage
from pentad.web.rooms import BACKLOG, KEPT_PLAYED, KEPT_UNTOUCHED, Connection, Room, Rooms, TooManyRooms
from pentad.web.workers import WorkerFailed, Workers


class Slow:
    """Bots that think until they are told to answer; `given_up` counts the searches that nobody needed."""

    def __init__(self) -> None:
        self.answers: asyncio.Queue[str | Exception] = asyncio.Queue()
        self.asked: list[tuple[str, str | None]] = []
        self.given_up = 0

    async def think(self, position: Position, who: str | None, *, seed: int, seconds: float | None = None) -> str:
        self.asked.append((position.text, who))
        try:
            answer = await self.answers.get()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer


class Scene:
    """A room with somebody in it."""

    def __init__(self, *seats: str, **options: Any) -> None:
        self.slow = Slow()
        self.time = 0.0
        self.rooms = Rooms(self.slow, clock=lambda: self.time)
        self.room = self.rooms.make(NewRoom(game="pentago", seats=list(seats) or None, options=options))
        keys = {seat: key for seat, key in enumerate(self.room.keys) if key}
        self.player = Connection(self.room.seats_of(keys))
        self.room.join(self.player)

    async def hear(self, connection: Connection | None = None) -> Any:
        return await asyncio.wait_for((connection or self.player).next(self.room), 10)

    def say(self, type_: str, **more: Any) -> None:
        parts = ", ".join(f'"{key}": {value}' for key, value in {"at": self.room.at, **more}.items())
        self.room.receive(self.player, f'{{"type": "{type_}", {parts}}}')

    def play(self, move: str) -> None:
        self.say("step", steps=f'"{move}"')

    async def settle(self) -> None:
        """Let whatever can go on now go on."""
        for _ in range(5):
            await asyncio.sleep(0)


def played(scene: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def test() -> None:
        asyncio.run(scene())

    test.__name__ = scene.__name__
    return test


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────


@played
async def test_a_bot_plays_when_it_is_its_turn() -> None:
    scene = Scene("human", "greedy")
    scene.play("a2 1C")
    await scene.settle()
    assert scene.slow.asked == [(pentad.new("pentago").play("a2 1C").text, "greedy")]
    scene.slow.answers.put_nowait("d3 4A")
    events = [(await scene.hear()).event for _ in range(3)]
    assert events == ["now", "played", "played"]
    assert [str(move) for move in scene.room.table.record.moves] == ["a2 1C", "d3 4A"]


@played
async def test_a_move_taken_back_ends_the_search_for_its_answer() -> None:
    scene = Scene("human", "greedy")
    scene.play("a2 1C")
    await scene.settle()
    scene.say("undo")
    await scene.settle()
    assert scene.slow.given_up == 1
    assert not scene.room.table.record.moves
    scene.slow.answers.put_nowait("d3 4A")  # an answer that comes too late
    await scene.settle()
    assert not scene.room.table.record.moves
    scene.say("redo")
    await scene.settle()
    assert [str(move) for move in scene.room.table.record.moves] == ["a2 1C", "d3 4A"]


@played
async def test_a_bot_thinks_only_as_long_as_somebody_is_there() -> None:
    scene = Scene("greedy", "human")
    await scene.settle()
    scene.room.leave(scene.player)
    await scene.settle()
    assert (len(scene.slow.asked), scene.slow.given_up) == (1, 1)
    scene.room.join(Connection())
    await scene.settle()
    assert len(scene.slow.asked) == 2


@played
async def test_resigning_ends_the_search() -> None:
    scene = Scene("human", "greedy")
    scene.play("a2 1C")
    await scene.settle()
    scene.say("resign")
    await scene.settle()
    assert scene.slow.given_up == 1
    state = scene.room.state(scene.player)
    assert state.status == "white wins: black resigned"
    assert state.outcome
    assert state.outcome.winners == (1,)


@pytest.mark.parametrize("answer", [WorkerFailed("its process ended"), "z9 1C", "c2 1C", RuntimeError("a bug")])
def test_a_bot_that_fails_is_named_and_its_move_can_be_tried_again(answer: str | Exception) -> None:
    @played
    async def scene_() -> None:
        scene = Scene("human", "greedy")
        scene.play("a2 1C")
        scene.slow.answers.put_nowait(answer)
        for _ in range(3):
            state = await scene.hear()
        assert state.trouble.startswith("greedy cannot move: ")
        assert len(state.moves) == 1
        scene.say("undo")
        scene.slow.answers.put_nowait("d3 4A")
        scene.play("b2 1C")
        await scene.settle()
        state = scene.room.state(scene.player)
        assert state.trouble is None
        assert [move.text for move in state.moves] == ["b2 1C", "d3 4A"]

    scene_()


def test_bots_play_each_other_when_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "PACE", 0)

    @played
    async def scene_() -> None:
        scene = Scene("random", "random")
        for move in ("a0 1C", "b3 1C"):
            scene.slow.answers.put_nowait(move)
        events = [(await scene.hear()).event for _ in range(3)]
        assert events == ["now", "played", "played"]

    scene_()


@played
async def test_a_hint_is_dropped_when_the_game_goes_on() -> None:
    scene = Scene("human", "human")
    assert isinstance(await scene.hear(), StateMessage)
    scene.say("hint")
    await scene.settle()
    assert scene.slow.asked == [(pentad.new("pentago").text, None)]
    scene.play("a2 1C")
    await scene.settle()
    assert scene.slow.given_up == 1
    scene.say("hint")
    scene.slow.answers.put_nowait("d3 4A")
    await scene.hear()
    hint = await scene.hear()
    assert isinstance(hint, HintAnswer)
    assert (hint.at, hint.words) == (1, "white places at d3 and turns sub-board 4 anti-clockwise")
    assert [step.targets for step in hint.steps] == [("d3",), ("4A",)]


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


@played
async def test_a_winning_placement_is_a_whole_turn() -> None:
    scene = Scene("human", "human", line=2)
    for move in ("a0 4C", "f0 4C", "b0"):
        scene.play(move)
    state = scene.room.state(scene.player)
    assert state.outcome
    assert state.outcome.winners == (0,)
    assert state.status == "black wins with 2 in a row"
    scene.play("c3 1C")
    for _ in range(4):
        await scene.hear()
    refused = await scene.hear()
    assert refused == ErrorMessage(error="the game is over: black wins with 2 in a row")


@played
async def test_nothing_begun_yet_is_a_turn_too() -> None:
    scene = Scene("human", "human")
    await scene.hear()
    scene.play("")
    turn = await scene.hear()
    assert isinstance(turn, TurnMessage)
    assert (turn.steps, len(turn.choices)) == ("", 36)


@played
async def test_what_everybody_may_do() -> None:
    scene = Scene("human", "human", "greedy", players=3)
    can = scene.room.state(scene.player).can
    assert (can.play, can.undo, can.redo, can.hint, can.resign) == (True, False, False, True, True)
    scene.play("a2 1C")
    scene.play("b2 1C")
    can = scene.room.state(scene.player).can
    assert (can.play, can.undo, can.redo, can.hint, can.resign) == (False, True, False, False, True)
    seats = scene.room.state(Connection()).seats
    assert [(seat.colour, seat.who, seat.yours) for seat in seats] == [
        ("black", "human", False),
        ("white", "human", False),
        ("red", "greedy", False),
    ]


# ── connections and rooms ────────────────────────────────────────────────────────────────────────


@played
async def test_a_slow_reader_gets_how_things_stand_in_place_of_all_it_missed() -> None:
    scene = Scene("human", "human")
    for _ in range(BACKLOG):
        scene.room.receive(scene.player, "?")
    scene.play("a2 1C")
    scene.room.receive(scene.player, "?")
    state = await scene.hear()
    assert isinstance(state, StateMessage)
    assert (state.event, state.at) == ("now", 1)
    scene.play("b2 1C")
    assert (await scene.hear()).event == "played"


def test_a_seat_opens_with_its_own_secret_only() -> None:
    room = Rooms(Slow()).make(NewRoom(game="pentago", seats=["human", "greedy", "human"], options={"players": 3}))
    first, bot, third = room.keys
    assert bot is None
    assert first
    assert third
    assert room.seats_of({0: first, 1: "", 2: third}) == {0, 2}
    assert room.seats_of({0: third, 2: "é"}) == frozenset()
    assert room.seats_of({}) == frozenset()


def test_without_a_word_about_seats_a_person_plays_the_best_bot() -> None:
    room = Rooms(Slow()).make(NewRoom(game="pentago"))
    assert [seat.is_human for seat in room.table.seats] == [True, False]


@played
async def test_rooms_that_nobody_comes_back_to_are_removed() -> None:
    scene = Scene("human", "human")
    rooms, room = scene.rooms, scene.room
    untouched = rooms.make(NewRoom(game="pentago"))
    scene.play("a2 1C")
    scene.time += KEPT_UNTOUCHED + 1
    rooms.sweep()
    assert (rooms.get(room.name), rooms.get(untouched.name)) == (room, None)
    scene.time += KEPT_PLAYED
    rooms.sweep()
    assert rooms.get(room.name) is room  # somebody is there
    room.leave(scene.player)
    scene.time += KEPT_PLAYED + 1
    rooms.sweep()
    assert len(rooms) == 0


@played
async def test_a_new_room_takes_the_place_of_one_that_is_left_alone() -> None:
    rooms = Rooms(Slow(), most=2)
    used, left = (rooms.make(NewRoom(game="pentago")) for _ in range(2))
    used.join(Connection())
    new = rooms.make(NewRoom(game="pentago"))
    assert (rooms.get(used.name), rooms.get(left.name), rooms.get(new.name)) == (used, None, new)
    new.join(Connection())
    with pytest.raises(TooManyRooms, match="every room is in use"):
        rooms.make(NewRoom(game="pentago"))


# ── workers ──────────────────────────────────────────────────────────────────────────────────────


def with_workers(scene: Callable[[Workers], Coroutine[Any, Any, None]], size: int = 1) -> None:
    async def run() -> None:
        workers = Workers(size)
        try:
            await scene(workers)
        finally:
            await workers.close()

    asyncio.run(run())


START = pentad.new("pentago")


def test_a_worker_answers_with_a_legal_move_the_same_for_the_same_seed() -> None:
    async def scene(workers: Workers) -> None:
        one, two = [await workers.think(START, "random", seed=5) for _ in range(2)]
        assert one == two
        assert START.parse(one) in START.legal_moves

    with_workers(scene)


def test_a_bot_that_is_not_there_is_named() -> None:
    async def scene(workers: Workers) -> None:
        with pytest.raises(WorkerFailed, match="nobody called 'nemo'"):
            await workers.think(START, "nemo", seed=1)

    with_workers(scene)


def pid_of(workers: Workers) -> int:
    (process,) = workers._idle
    return process.pid


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_worker_that_is_killed_is_replaced() -> None:
    async def scene(workers: Workers) -> None:
        await workers.warm()
        os.kill(pid_of(workers), signal.SIGKILL)
        assert START.parse(await workers.think(START, "random", seed=1)) in START.legal_moves

    with_workers(scene)


def test_a_search_that_nobody_needs_ends_and_makes_room() -> None:
    big = pentad.new("pentago", rows=10, cols=10, block=2)

    async def scene(workers: Workers) -> None:
        await workers.warm()
        before = pid_of(workers)
        searching = asyncio.ensure_future(workers.think(big, "greedy", seed=1))
        while workers._idle:  # until the question is with the only worker
            await asyncio.sleep(0)
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        await workers.think(START, "random", seed=1)
        assert pid_of(workers) != before

    with_workers(scene)


def test_a_search_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentad.web.workers.THINK_AT_MOST", 0.0)

    async def scene(workers: Workers) -> None:
        with pytest.raises(WorkerFailed, match="no move within 0 seconds"):
            await workers.think(START, "greedy", seed=1)
        assert not workers._idle

    with_workers(scene)


def test_a_worker_ends_with_whoever_asked_even_in_the_middle_of_a_search() -> None:
    job = {"position": pentad.new("pentago", rows=10, cols=10, block=2).text, "who": "greedy", "seed": 1}
    command = [sys.executable, "-m", "pentad.web.worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        out, _ = worker.communicate(json.dumps({**job, "seconds": None}) + "\n", timeout=30)
        assert (worker.returncode, out) == (0, "")


def test_after_the_end_nobody_thinks() -> None:
    async def scene(workers: Workers) -> None:
        await workers.close()
        with pytest.raises(WorkerFailed, match="stopping"):
            await workers.think(START, "random", seed=1)

    with_workers(scene)


def test_a_rooms_name_is_hard_to_guess() -> None:
    rooms = Rooms(Slow())
    names = {rooms.make(NewRoom(game="pentago")).name for _ in range(50)}
    assert len(names) == 50
    assert all(len(name) == 10 and set(name) <= set(rooms_module._LETTERS) for name in names)
    with pytest.raises(GameError):
        rooms.make(NewRoom(game="chess"))
    assert isinstance(rooms.get(names.pop()), Room)
