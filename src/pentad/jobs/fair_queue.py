"""Fair queue in front of the engines: requests wait by network, address and owner, within one memory budget.

There are two kinds of requests, quick and long, each with its own bounds and slots: a quick request never waits for a
long one, and is never refused because of long ones. The widest network that has used the least time recently is served
first, within it the narrower one that has used the least, and so on to the address and the owner. When the queue is
full, the widest network with the most requests in it loses the last one of the narrower one with the most, and so on.
So no client can block the queue for others, however many addresses it has in one network.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pentad.jobs.shares import Path, Shares
from pentad.system.metrics import CounterMetric, Histogram

log = logging.getLogger(__name__)

PlaceCallback = Callable[[int], None]  # called with the place in the queue: 1 is next, 0 means that it starts

MOST_PASSED = 8  # requests that may overtake one that lacks memory; after that it blocks the others
HALF_LIFE_SECONDS = 60.0  # used time counts half after so long
MOST_TRACKED = 10_000  # networks, addresses and owners whose use is tracked
CROWD = 50  # up to this many waiting requests get their places at once
REPORT_SECONDS = 0.5  # in a longer queue places are reported at such intervals
FULL = "Too many requests are waiting. Try again later."

QUICK_KIND, LONG_KIND = "quick", "long"
WAITS = Histogram("pentad_queue_wait_seconds", "Seconds that requests waited for their turn.", "queue", "kind")
TURNS = Histogram("pentad_queue_turn_seconds", "Seconds that the turns of requests took.", "queue", "kind")
FULL_QUEUES = CounterMetric(
    "pentad_queue_refused_total", "Requests refused because the queue was full.", "queue", "kind"
)


class QueueError(Exception):
    """The queue is full or closed; the message is one line."""


class QueueLimits(NamedTuple):
    """How many requests may wait: in all, from one address, and from one owner."""

    all: int
    of_address: int
    of_owner: int


QUICK, LONG = QueueLimits(2000, 400, 40), QueueLimits(500, 200, 16)


class Owner(NamedTuple):
    """The owner of a request: a name at an address, with the networks of that address from wide to narrow.

    The last network is the address itself. Without any (on this machine) each owner is a group.
    """

    name: Hashable
    networks: tuple[str, ...] = ()

    @classmethod
    def of(cls, owner: Hashable) -> Owner:
        """An owner with only a name, unless it is an owner already."""
        return owner if isinstance(owner, cls) else cls(owner)

    @property
    def group(self) -> Path:
        """The path to the group among whose owners turns are shared equally."""
        return self.networks or (self,)

    @property
    def path(self) -> Path:
        """The path to the owner's own share."""
        return (*self.networks, self)


@dataclass(eq=False, slots=True)
class QueuedRequest:
    """A request in the queue, waiting or running. It needs `memory` megabytes.

    It has waited since the time `entered`, and has run since `since`.
    """

    owner: Owner
    memory: int
    quick: bool
    on_place: PlaceCallback | None
    turn: asyncio.Future[None]
    place: int | None = None
    passed: int = 0  # how many requests have overtaken it because of its memory
    since: float = 0.0
    entered: float = 0.0


class KindQueue:
    """The requests of one kind: the waiting ones in a tree of shares, and the running ones."""

    def __init__(self, bounds: QueueLimits, clock: Callable[[], float], full: str) -> None:
        self.bounds, self._clock, self.full = bounds, clock, full
        self._in_order: dict[QueuedRequest, None] = {}  # the waiting ones by arrival
        self.running: set[QueuedRequest] = set()
        self._shares: Shares[QueuedRequest] = Shares()
        self._used: dict[Hashable, tuple[float, float]] = {}  # recent seconds of use, and as of when

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return self._shares.size

    @property
    def oldest_seconds(self) -> float:
        """How long the oldest request has waited; 0 if none waits."""
        oldest = next(iter(self._in_order), None)
        return self._clock() - oldest.entered if oldest else 0.0

    @property
    def memory(self) -> int:
        """Megabytes in use."""
        return sum(request.memory for request in self.running)

    def has_others(self, group: Path) -> bool:
        """Whether a request of another group waits."""
        return self.waiting > self._shares.along(group)[-1].size

    def enter(self, request: QueuedRequest) -> QueuedRequest | None:
        """Adds a request. Returns the one it displaces; `QueueError` if it would displace itself."""
        owner = request.owner
        *_, group, own = self._shares.along(owner.path)
        if own.size >= self.bounds.of_owner:
            raise QueueError(self.full)
        displaced: QueuedRequest | None = None
        if owner.networks and group.size >= self.bounds.of_address:
            displaced = self._last(group.surplus((owner,)))
        elif self.waiting >= self.bounds.all:
            displaced = self._last(self._shares.surplus(owner.path))
        if displaced:
            self.remove(displaced)
        self._shares.add(owner.path, request)
        request.entered = self._clock()
        self._in_order[request] = None
        return displaced

    def _last(self, surplus: list[QueuedRequest]) -> QueuedRequest:
        if not surplus:
            raise QueueError(self.full)
        return surplus[-1]

    def remove(self, request: QueuedRequest) -> None:
        """Removes a request from those waiting, if it is there."""
        self._shares.remove(request.owner.path, request)
        self._in_order.pop(request, None)

    def start(self, request: QueuedRequest) -> None:
        """Marks a request as running; its owner and its networks move behind their equals."""
        self.remove(request)
        self._shares.move_back(request.owner.path)
        request.since = self._clock()
        self.running.add(request)

    def end(self, request: QueuedRequest) -> None:
        """Removes a request that is answered or cancelled, and counts its time."""
        self.remove(request)
        if request in self.running:
            self.running.discard(request)
            now = self._clock()
            for who in request.owner.path:
                self._used[who] = self._use_of(who, now) + now - request.since, now
            if len(self._used) > MOST_TRACKED:
                self._forget(now)

    def _forget(self, now: float) -> None:
        """Forgets those that have used the least, several at once, as this scans all of them.

        So nobody gets rid of much use: whatever is forgotten is less than that of each one that stays.
        """
        for who in heapq.nsmallest(max(1, MOST_TRACKED // 10), self._used, key=lambda who: self._use_of(who, now)):
            del self._used[who]

    def _use_of(self, who: Hashable, now: float) -> float:
        """The seconds that a network, an address or an owner has used recently."""
        seconds, at = self._used.get(who, (0.0, now))
        return seconds * math.exp2(min(0.0, (at - now) / HALF_LIFE_SECONDS))

    def order(self) -> Iterator[QueuedRequest]:
        """The waiting requests in the order of service: the first of every network, then the second of every one …"""
        now, running = self._clock(), Counter(who for request in self.running for who in request.owner.path)
        # By the number of running requests, then by recent use.
        ordered = self._shares.in_turn(lambda who: (running[who], self._use_of(who, now)))
        return (request for request in ordered if not request.turn.done())


@dataclass
class FairQueue:
    """A queue with `size` slots, one of which is reserved for each kind of request.

    The memory of all running requests has a `budget` in megabytes; `reserve` is the part of it for quick requests only.
    A request that needs more than the whole memory budget runs alone, or beside quick ones in the reserve.
    Metrics name the queue by `name`.
    """

    size: int
    budget: int
    reserve: int = 0
    clock: Callable[[], float] = time.monotonic
    quick_bounds: QueueLimits = QUICK
    full: str = FULL
    name: str = "jobs"  # as metrics call it
    _closed: str = ""
    _report_timer: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        self.quick = KindQueue(self.quick_bounds, self.clock, self.full)
        self.long = KindQueue(LONG, self.clock, self.full)

    @property
    def running(self) -> set[QueuedRequest]:
        """The requests that are being answered."""
        return self.quick.running | self.long.running

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return self.quick.waiting + self.long.waiting

    @property
    def memory(self) -> int:
        """Megabytes in use."""
        return self.quick.memory + self.long.memory

    @contextlib.asynccontextmanager
    async def turn(
        self, owner: Hashable, memory: int, *, quick: bool = True, on_place: PlaceCallback | None = None
    ) -> AsyncIterator[None]:
        """Waits for a turn and holds it; leaving the context starts the next request."""
        if self._closed:
            raise QueueError(self._closed)
        kind, labels = (self.quick, (self.name, QUICK_KIND)) if quick else (self.long, (self.name, LONG_KIND))
        request = QueuedRequest(Owner.of(owner), memory, quick, on_place, asyncio.get_running_loop().create_future())
        try:
            displaced = kind.enter(request)
        except QueueError:
            FULL_QUEUES.add(*labels)
            raise
        if displaced:
            FULL_QUEUES.add(*labels)
            _reject(displaced, self.full)
        try:
            self._advance()
            await request.turn
            WAITS.observe(request.since - request.entered, *labels)
            yield
        finally:
            if request in kind.running:
                TURNS.observe(self.clock() - request.since, *labels)
            kind.end(request)
            if not self._closed:
                self._advance()

    def others_wait(self, owner: Hashable) -> bool:
        """Whether a long request from another address waits."""
        return self.long.has_others(Owner.of(owner).group)

    def close(self, why: str) -> None:
        """Rejects all waiting and all later requests."""
        self._closed = why
        if self._report_timer:
            self._report_timer.cancel()
        for request in [*self.quick.order(), *self.long.order()]:
            _reject(request, why)

    def _advance(self) -> None:
        """Starts every request that may start, and reports the places of the others."""
        while request := self._next(self.quick) or self._next(self.long):
            mine, other = (self.quick, self.long) if request.quick else (self.long, self.quick)
            mine.start(request)
            first = next(other.order(), None)
            if first and self._has_place(other) and not self._fits(first):
                first.passed += 1
            request.turn.set_result(None)
            _report_place(request, 0)
        if self._report_timer is None:
            if self.waiting <= CROWD:
                self._report_places()
            else:
                self._report_timer = asyncio.get_running_loop().call_later(REPORT_SECONDS, self._report_places)

    def _report_places(self) -> None:
        self._report_timer = None
        for kind in (self.quick, self.long):
            for place, request in enumerate(kind.order(), 1):
                _report_place(request, place)

    def _next(self, kind: KindQueue) -> QueuedRequest | None:
        """The next request of a kind that may start now."""
        if not self._has_place(kind):
            return None
        passed: list[QueuedRequest] = []
        may_overtake = True
        for request in kind.order():
            if self._fits(request) if may_overtake else self._fits_reserve(request):
                for other in passed:
                    other.passed += 1
                return request
            if request.passed >= MOST_PASSED:
                if not self.long.running:
                    return None
                may_overtake = False  # it waits for a long request, which the reserve does not concern
            passed.append(request)
        return None

    def _fits_reserve(self, request: QueuedRequest) -> bool:
        """Whether it is quick and fits in the reserve."""
        return request.quick and self.quick.memory + request.memory <= self.reserve

    def _has_place(self, kind: KindQueue) -> bool:
        other = self.long if kind is self.quick else self.quick
        if not kind.running:
            return True  # each kind has a slot, even if the pool has only one process
        reserved = 1 if kind is self.long or other.running or other.waiting else 0
        return len(kind.running) < self.size - reserved and len(self.running) < self.size

    def _fits(self, request: QueuedRequest) -> bool:
        """Whether it fits in memory now: in the reserve, or in the shared part of the budget."""
        if not self.running:
            return True
        quick, long = self.quick.memory, self.long.memory
        if self._fits_reserve(request):
            return True
        if _is_overdue(self.long if request.quick else self.quick):
            return False
        if request.quick:
            return quick + long + request.memory <= self.budget
        beyond = max(0, quick - self.reserve)
        return long + request.memory + beyond <= self.budget - self.reserve or not (long or beyond)


def _reject(request: QueuedRequest, why: str) -> None:
    if not request.turn.done():
        request.turn.set_exception(QueueError(why))


def _is_overdue(kind: KindQueue) -> bool:
    """Whether the first waiting request has been overtaken too often."""
    first = next(kind.order(), None)
    return first is not None and first.passed >= MOST_PASSED


def _report_place(request: QueuedRequest, place: int) -> None:
    if request.on_place and request.place != place:
        request.place = place
        try:
            request.on_place(place)
        except Exception:  # a faulty callback must not hold up the others
            log.exception("Cannot report a place in the queue.")
