import asyncio
import contextlib

import pytest

from pentad.web.engines import waiting
from pentad.web.engines.waiting import Line, LineError


class Crowd:
    """People who enter a line, and what came of it."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.started: list[str] = []
        self.places: dict[str, list[int]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._leave: dict[str, asyncio.Event] = {}

    async def enters(self, name: str, owner: str, memory: int = 100, quick: bool = False) -> None:
        self._leave[name] = asyncio.Event()
        told = self.places.setdefault(name, [])
        self.tasks[name] = asyncio.create_task(self._stay(name, owner, memory, quick, told))
        await settle()

    async def _stay(self, name: str, owner: str, memory: int, quick: bool, told: list[int]) -> None:
        async with self.line.turn(owner, memory, quick=quick, told=told.append):
            self.started.append(name)
            assert self.line.memory <= self.line.budget or len(self.line.running) == 1
            assert len(self.line.running) <= self.line.size
            await self._leave[name].wait()

    async def leaves(self, name: str) -> None:
        self._leave[name].set()
        await settle()

    async def runs_off(self, name: str) -> None:
        self.tasks[name].cancel()
        await settle()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_owners_take_turns_and_an_owners_questions_keep_their_order():
    async def play() -> None:
        crowd = Crowd(Line(1, 1000))
        for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
            await crowd.enters(name, name[0])
        for name in ("a1", "a2", "b1", "c1", "a3", "b2"):
            assert crowd.started[-1] == name
            await crowd.leaves(name)
        assert not crowd.line.running
        assert not crowd.line.waiting

    asyncio.run(play())


def test_whoever_waits_is_told_the_place():
    async def play() -> None:
        crowd = Crowd(Line(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        assert crowd.places == {"a": [0], "b": [1], "c": [2]}
        await crowd.leaves("a")
        assert crowd.places == {"a": [0], "b": [1, 0], "c": [2, 1]}
        await crowd.runs_off("b")
        assert crowd.places["c"] == [2, 1, 0]

    asyncio.run(play())


def test_who_leaves_the_line_is_dropped():
    async def play() -> None:
        crowd = Crowd(Line(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        await crowd.runs_off("b")
        assert crowd.places["c"] == [2, 1]
        await crowd.leaves("a")
        assert crowd.started == ["a", "c"]
        await crowd.leaves("c")
        assert (crowd.line.running, crowd.line.waiting) == (set(), 0)

    asyncio.run(play())


def test_memory_is_never_used_twice_and_what_is_too_large_runs_alone():
    async def play() -> None:
        crowd = Crowd(Line(8, 1000))
        await crowd.enters("a", "a", 600)
        await crowd.enters("b", "b", 600)
        await crowd.enters("c", "c", 5000)
        await crowd.enters("d", "d", 400)
        assert crowd.started == ["a", "d"]
        await crowd.leaves("a")
        assert crowd.started == ["a", "d", "b"]
        await crowd.leaves("d")
        await crowd.leaves("b")
        assert crowd.started == ["a", "d", "b", "c"]
        await crowd.enters("e", "e", 1)
        assert crowd.started[-1] == "c"

    asyncio.run(play())


def test_what_needs_much_is_not_passed_by_for_ever():
    async def play() -> None:
        crowd = Crowd(Line(8, 1000))
        await crowd.enters("first", "x", 100)
        await crowd.enters("large", "y", 1000)
        for number in range(waiting.PATIENCE):
            await crowd.enters(f"{number}", f"{number}", 100)
            await crowd.leaves(f"{number}")
        await crowd.enters("late", "z", 100)
        assert "large" not in crowd.started
        assert "late" not in crowd.started
        await crowd.leaves("first")
        assert crowd.started[-1] == "large"

    asyncio.run(play())


def test_a_place_and_memory_are_kept_for_quick_questions():
    async def play() -> None:
        crowd = Crowd(Line(3, 1000, reserve=200))
        for name in "abc":
            await crowd.enters(name, name, 300)
        assert crowd.started == ["a", "b"]
        await crowd.enters("d", "d", 200, quick=True)
        assert crowd.started == ["a", "b", "d"]
        assert crowd.places["c"] == [1]
        await crowd.leaves("b")
        await crowd.leaves("a")
        await crowd.leaves("c")
        await crowd.enters("e", "e", 500)
        await crowd.enters("f", "f", 400)  # the budget has room for it, but not beside a quick one that may come
        assert crowd.started[-1] == "e"

    asyncio.run(play())


def test_the_line_has_an_end_for_all_and_for_one(monkeypatch):
    monkeypatch.setattr(waiting, "MOST_WAITING", 3)
    monkeypatch.setattr(waiting, "MOST_OF_ONE", 2)

    async def play() -> None:
        crowd = Crowd(Line(1, 1000))
        for name in ("a1", "a2", "a3"):
            await crowd.enters(name, "a")
        await crowd.enters("a4", "a")
        assert isinstance(crowd.tasks["a4"].exception(), LineError)
        await crowd.enters("b1", "b")
        await crowd.enters("c1", "c")
        assert isinstance(crowd.tasks["c1"].exception(), LineError)
        crowd.line.close("it is late")
        await settle()
        for name in ("a2", "a3", "b1"):
            with pytest.raises(LineError, match="it is late"):
                await crowd.tasks[name]
        with pytest.raises(LineError, match="it is late"):
            async with crowd.line.turn("d", 1):
                pass
        assert crowd.line.waiting == 0
        await crowd.leaves("a1")

    asyncio.run(play())


def test_who_listens_badly_holds_up_nobody(caplog):
    async def play() -> None:
        def told(place: int) -> None:
            raise RuntimeError("away")

        line = Line(1, 1000)
        async with line.turn("a", 1, told=told):
            pass
        assert not line.running

    asyncio.run(play())
    assert "could not be told" in caplog.text


def test_a_turn_that_comes_as_one_leaves_is_passed_on():
    async def play() -> None:
        crowd = Crowd(Line(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        crowd._leave["a"].set()
        while not crowd.tasks["a"].done():
            await asyncio.sleep(0)
        crowd.tasks["b"].cancel()  # whose turn has come, but who has not begun
        await settle()
        with contextlib.suppress(asyncio.CancelledError):
            await crowd.tasks["b"]
        assert crowd.started[-1] == "c"

    asyncio.run(play())
