import asyncio
import contextlib
from collections import Counter
from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.jobs import fair_queue
from pentad.jobs.fair_queue import FairQueue, KindQueue, Owner, QueuedRequest, QueueError, QueueLimits
from tests.properties import properties


class Crowd:
    """Clients that enter a queue, and what happens to them."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.started: list[str] = []
        self.places: dict[str, list[int]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._leave: dict[str, asyncio.Event] = {}

    async def enters(self, name: str, owner: object, memory: int = 100, quick: bool = False) -> None:
        self._leave[name] = asyncio.Event()
        places = self.places.setdefault(name, [])
        self.tasks[name] = asyncio.create_task(self._stay(name, owner, memory, quick, places))
        await settle()

    async def _stay(self, name: str, owner: object, memory: int, quick: bool, places: list[int]) -> None:
        async with self.queue.turn(owner, memory, quick=quick, on_place=places.append):
            self.started.append(name)
            long = self.queue.long
            assert self.queue.memory <= self.queue.budget or (
                len(long.running) <= 1 and self.queue.quick.memory <= self.queue.reserve
            )
            assert len(self.queue.running) <= max(self.queue.size, 2)
            await self._leave[name].wait()

    @property
    def here(self) -> list[str]:
        """The clients that have not left."""
        return [name for name, task in self.tasks.items() if not task.done()]

    def was_refused(self, name: str) -> bool:
        task = self.tasks[name]
        return task.done() and not task.cancelled() and isinstance(task.exception(), QueueError)

    async def leaves(self, name: str) -> None:
        self._leave[name].set()
        await settle()

    async def runs_off(self, name: str) -> None:
        self.tasks[name].cancel()
        await settle()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_owners_take_turns_and_each_owners_requests_keep_their_order():
    async def play() -> None:
        now = [0.0]
        crowd = Crowd(FairQueue(1, 1000, clock=lambda: now[0]))
        for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
            await crowd.enters(name, name[0])
        for name in ("a1", "b1", "c1", "a2", "b2", "a3"):
            assert crowd.started[-1] == name
            now[0] += 1.0
            await crowd.leaves(name)
        assert not crowd.queue.running
        assert not crowd.queue.waiting

    asyncio.run(play())


def test_a_waiting_request_learns_its_place():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        assert crowd.places == {"a": [0], "b": [1], "c": [2]}
        await crowd.leaves("a")
        assert crowd.places == {"a": [0], "b": [1, 0], "c": [2, 1]}
        await crowd.runs_off("b")
        assert crowd.places["c"] == [2, 1, 0]

    asyncio.run(play())


def test_a_cancelled_request_leaves_the_queue():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        await crowd.runs_off("b")
        assert crowd.places["c"] == [2, 1]
        await crowd.leaves("a")
        assert crowd.started == ["a", "c"]
        await crowd.leaves("c")
        assert (crowd.queue.running, crowd.queue.waiting) == (set(), 0)

    asyncio.run(play())


def test_memory_stays_within_the_budget_and_a_larger_request_runs_alone():
    async def play() -> None:
        crowd = Crowd(FairQueue(8, 1000))
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


def test_a_large_request_is_not_overtaken_forever():
    async def play() -> None:
        crowd = Crowd(FairQueue(8, 1000))
        await crowd.enters("first", "x", 100)
        await crowd.enters("large", "y", 1000)
        for number in range(fair_queue.MOST_PASSED):
            await crowd.enters(f"{number}", f"{number}", 100)
            await crowd.leaves(f"{number}")
        await crowd.enters("late", "z", 100)
        assert "large" not in crowd.started
        assert "late" not in crowd.started
        await crowd.leaves("first")
        assert crowd.started[-1] == "large"

    asyncio.run(play())


def test_a_slot_and_memory_are_reserved_for_quick_requests():
    async def play() -> None:
        crowd = Crowd(FairQueue(3, 1000, reserve=200))
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
        await crowd.enters("f", "f", 400)  # it fits in the budget, but not beside the reserve
        assert crowd.started[-1] == "e"

    asyncio.run(play())


def test_closing_rejects_all_requests():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        for name in ("a1", "a2", "b1"):
            await crowd.enters(name, name[0])
        crowd.queue.close("it is late")
        await settle()
        for name in ("a2", "b1"):
            with pytest.raises(QueueError, match="it is late"):
                await crowd.tasks[name]
        with pytest.raises(QueueError, match="it is late"):
            async with crowd.queue.turn("d", 1):
                pass
        assert crowd.queue.waiting == 0
        await crowd.leaves("a1")

    asyncio.run(play())


def test_requests_of_an_owner_and_an_address_are_bounded():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        crowd.queue.long.bounds = QueueLimits(100, 3, 2)
        for name in ("run", "a1", "a2", "a3"):
            await crowd.enters(name, Owner(name[0], ("192.0.2.1",)))
        assert crowd.was_refused("a3")  # its owner has two
        await crowd.enters("b1", Owner("b", ("192.0.2.1",)))
        await crowd.enters("b2", Owner("b", ("192.0.2.1",)))
        assert crowd.was_refused("b2")  # its address has three, and no owner has more than this one would
        await crowd.enters("c1", Owner("c", ("192.0.2.1",)))
        assert crowd.was_refused("a2")  # its owner has the most
        assert not crowd.was_refused("c1")
        await crowd.enters("d1", Owner("d", ("192.0.2.1",)))
        assert crowd.was_refused("d1")
        await crowd.enters("e1", Owner("d", ("192.0.2.2",)))
        assert not crowd.was_refused("e1")

    asyncio.run(play())


def test_programs_on_this_machine_are_bounded_by_owner_only():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        crowd.queue.long.bounds = QueueLimits(100, 3, 2)
        for number in range(20):
            await crowd.enters(f"{number}", Owner(number))
        assert crowd.queue.waiting == 19

    asyncio.run(play())


def test_no_address_can_block_the_queue_for_another():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        crowd.queue.long.bounds = QueueLimits(12, 10, 4)
        for address in ("192.0.2.1", "192.0.2.2"):
            for number in range(8):
                await crowd.enters(f"{address} {number}", Owner(number % 3, (address,)))
        assert crowd.queue.waiting == 12
        for name in ("one", "two", "three", "four"):
            await crowd.enters(name, Owner(name, (f"198.51.100.{len(name)}",)))
            assert crowd.queue.waiting == 12
            assert not crowd.was_refused(name)

    asyncio.run(play())


def test_addresses_share_turns_equally():
    """An address with thirty owners of ten requests each is served as often as one with a single owner."""

    async def play() -> None:
        now = [0.0]
        crowd = Crowd(FairQueue(2, 1000, clock=lambda: now[0]))
        for number in range(300):
            await crowd.enters(f"m{number}", Owner(number % 30, ("203.0.113.1",)))
        for number in range(3):
            await crowd.enters(f"h{number}", Owner("honest", ("198.51.100.1",)))
        for _ in range(6):
            now[0] += 60.0
            await crowd.leaves(crowd.started[-1])
        assert [name[0] for name in crowd.started] == list("mhmhmhm")
        assert len({int(name[1:]) % 30 for name in crowd.started if name[0] == "m"}) == 4

    asyncio.run(play())


def test_owners_that_used_little_time_are_served_first():
    async def play() -> None:
        now = [0.0]
        crowd = Crowd(FairQueue(1, 1000, clock=lambda: now[0]))
        for number in range(8):
            for address in range(4):
                await crowd.enters(f"m{address} {number}", Owner(number, (f"203.0.113.{address}",)))
        for _ in range(5):
            now[0] += 60.0
            await crowd.leaves(crowd.started[-1])
        await crowd.enters("honest", Owner("honest", ("198.51.100.1",)))
        await crowd.leaves(crowd.started[-1])
        assert crowd.started[-1] == "honest"
        now[0] += 5.0
        await crowd.leaves("honest")
        await crowd.enters("again", Owner("honest", ("198.51.100.1",)))
        assert crowd.places["again"] == [1]

    asyncio.run(play())


@pytest.mark.slow
def test_long_requests_never_block_quick_ones():
    """Neither by their number, nor by their slots and memory."""

    async def play() -> None:
        for size in (1, 2, 4):
            crowd = Crowd(FairQueue(size, 1000, reserve=300))
            for number in range(600):
                await crowd.enters(f"m{number}", Owner(number, (f"203.0.113.{number % 7}",)), 5000)
            for number in range(30):
                await crowd.enters(f"q{number}", "honest", 250, quick=True)
                assert crowd.started[-1] == f"q{number}"
                await crowd.leaves(f"q{number}")
            for name in list(crowd.tasks):
                await crowd.runs_off(name)

    asyncio.run(play())


def test_a_large_quick_request_behind_a_long_one_does_not_hold_up_small_ones():
    """It has been overtaken often enough, but it waits for the long request; the reserve stays free for the others."""

    async def play() -> None:
        crowd = Crowd(FairQueue(4, 4000, reserve=500))
        await crowd.enters("long", "mallory", 3500)
        await crowd.enters("large", "mallory", 1200, quick=True)
        for number in range(30):
            await crowd.enters(f"q{number}", f"honest {number}", 250, quick=True)
            assert crowd.started[-1] == f"q{number}"
            await crowd.leaves(f"q{number}")
        await crowd.enters("next", "somebody", 3000)
        await crowd.leaves("long")
        assert crowd.started[-1] == "large"  # not the next long one
        for name in list(crowd.tasks):
            await crowd.runs_off(name)

    asyncio.run(play())


def test_quick_requests_never_block_long_ones():
    async def play() -> None:
        for size in (1, 2, 4):
            crowd = Crowd(FairQueue(size, 1000))
            for number in range(50):
                await crowd.enters(f"q{number}", Owner(number, ("203.0.113.1",)), 250, quick=True)
            await crowd.enters("honest", "honest", 500)
            for _ in range(20):
                await crowd.leaves(next(name for name in crowd.started if name in crowd.here))
            assert "honest" in crowd.started
            for name in list(crowd.tasks):
                await crowd.runs_off(name)

    asyncio.run(play())


def test_places_in_a_long_queue_are_reported_at_intervals(monkeypatch):
    monkeypatch.setattr(fair_queue, "CROWD", 10)
    monkeypatch.setattr(fair_queue, "REPORT_SECONDS", 0.01)

    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        for number in range(100):
            await crowd.enters(f"{number}", number)
        while crowd.places["99"] != [99]:
            await asyncio.sleep(0.01)
        assert all(len(places) <= 2 for places in crowd.places.values())
        assert crowd.places["9"] == [9]

    asyncio.run(play())


def test_a_faulty_callback_holds_up_nobody(caplog):
    async def play() -> None:
        def fail(place: int) -> None:
            raise RuntimeError("away")

        queue = FairQueue(1, 1000)
        async with queue.turn("a", 1, on_place=fail):
            pass
        assert not queue.running

    asyncio.run(play())
    assert "Cannot report a place" in caplog.text


def test_a_turn_that_comes_during_cancellation_is_passed_on():
    async def play() -> None:
        crowd = Crowd(FairQueue(1, 1000))
        for name in "abc":
            await crowd.enters(name, name)
        crowd._leave["a"].set()
        while not crowd.tasks["a"].done():
            await asyncio.sleep(0)
        crowd.tasks["b"].cancel()  # its turn has come, but it has not begun
        await settle()
        with contextlib.suppress(asyncio.CancelledError):
            await crowd.tasks["b"]
        assert crowd.started[-1] == "c"

    asyncio.run(play())


# ── networks ─────────────────────────────────────────────────────────────────────────────────────


class Kind:
    """A queue of one kind in which each request that starts runs for some seconds."""

    def __init__(self, most=1_000_000):
        self.now = 0.0
        self.queue = KindQueue(QueueLimits(most, 1_000_000, 1_000_000), lambda: self.now, "full")

    def enters(self, owner):
        """Adds a request; returns the owner of the one that it displaces."""
        displaced = self.queue.enter(QueuedRequest(owner, 1, True, None, Future()))
        return displaced and displaced.owner

    def serves(self, seconds=1.0):
        """Starts and ends the next request; returns its owner."""
        request = next(self.queue.order())
        self.queue.start(request)
        self.now += seconds
        self.queue.end(request)
        return request.owner


def at(*numbers):
    """An owner by numbers: a /48, a /56 and a /64 in it, and a person there."""
    *places, person = numbers
    return Owner(person, tuple(f"{places[: depth + 1]}" for depth in range(len(places))))


OWNERS = st.lists(st.builds(at, *[st.integers(0, 2)] * 4), min_size=1, max_size=12)
HONEST = at(9, 9, 9, 9)


@given(OWNERS, st.integers(0, 20))
@properties(100)
def test_an_owner_in_another_network_waits_for_one_turn_of_each_network(owners, served):
    kind = Kind()
    for owner in owners * 40:  # enough for all turns
        kind.enters(owner)
    for _ in range(served):
        kind.serves()
    for _ in range(3):
        kind.enters(HONEST)
    others = {owner.networks[0] for owner in owners}
    started = [kind.serves() for _ in range(3 * (len(others) + 1))]
    for turn in (1, 2, 3):
        assert started[: turn * (len(others) + 1)].count(HONEST) >= turn


@given(OWNERS, st.integers(0, 40))
@properties(100)
def test_turns_are_shared_equally_at_each_level(owners, served):
    """Shares in the same network have equally many, one more or less, as long as all of them have requests waiting."""
    kind = Kind()
    owners = sorted(set(owners))
    for owner in owners:
        for _ in range(served):  # enough for all turns
            kind.enters(owner)
    turns = Counter(name for _ in range(served) for name in kind.serves().path)
    parents = {path[: depth + 1]: path[:depth] for path in (owner.path for owner in owners) for depth in range(4)}
    for one, parent in parents.items():
        for other, same in parents.items():
            assert parent != same or abs(turns[one[-1]] - turns[other[-1]]) <= 1


@given(OWNERS, st.builds(at, *[st.integers(0, 4)] * 4))
@properties(200)
def test_a_full_queue_displaces_a_request_of_the_largest_network(owners, newcomer):
    kind = Kind(len(owners))
    sizes = Counter(name for owner in owners for name in owner.path)
    for owner in owners:
        kind.enters(owner)
    wide = newcomer.networks[0]
    most = max(sizes[owner.networks[0]] for owner in owners)
    try:
        displaced = kind.enters(newcomer)
    except QueueError:
        assert sizes[wide] + 1 >= most
    else:
        assert kind.queue.waiting == len(owners)
        assert sizes[displaced.networks[0]] == most or displaced.networks[0] == wide
        assert displaced.networks[0] == wide or sizes[wide] + 1 < most
        same = [owner for owner in owners if owner.networks[0] == displaced.networks[0]]
        if displaced.networks[0] != wide:
            assert sizes[displaced.networks[1]] == max(sizes[owner.networks[1]] for owner in same)


def test_new_addresses_in_one_network_do_not_get_ahead():
    """Each request comes from a /64 that was never used before."""
    kind = Kind()
    numbers = iter(range(10_000))

    def attack():
        number = next(numbers)
        kind.enters(at(0, number // 16, number, number))

    for _ in range(60):
        attack()
    started = []
    for _ in range(20):
        attack()
        if not any(request.owner == HONEST for request in kind.queue.order()):
            kind.enters(HONEST)
        started.append(kind.serves())
    assert started.count(HONEST) >= 10


def test_much_use_is_not_forgotten_because_of_many_others(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_TRACKED", 100)
    kind = Kind()
    kind.enters(at(0, 0, 0, 0))
    kind.serves(20.0)
    for number in range(1000):
        kind.enters(at(1 + number, 0, 0, number))
        kind.serves(0.01)
    assert len(kind.queue._used) <= 100
    kind.enters(at(0, 0, 0, 0))
    kind.enters(HONEST)
    assert kind.serves() == HONEST


def test_owners_without_a_network_are_equals_of_networks():
    kind = Kind()
    for _ in range(4):
        for owner in (at(0, 0, 0, 0), at(0, 0, 1, 1), Owner("one"), Owner("other")):
            kind.enters(owner)
    turns = Counter(kind.serves().path[0] for _ in range(6))
    assert set(turns.values()) == {2}
    assert len(turns) == 3
