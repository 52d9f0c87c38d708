"""Fair queue in front of the engines: requests wait by address and by owner, within one memory budget.

There are two kinds of requests, quick and long, each with its own bounds and slots: a quick request never waits for a
long one, and is never refused because of long ones. The address that has used the least time recently is served first,
and at that address the owner that has used the least. When the queue is full, the owner with the most requests in it
loses the last one, so that no client can block the queue for others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple, TypeVar

log = logging.getLogger(__name__)

PlaceCallback = Callable[[int], None]  # called with the place in the queue: 1 is next, 0 means that it starts

MOST_PASSED = 8  # requests that may overtake one that lacks memory; after that it blocks the others
HALF_LIFE_SECONDS = 60.0  # used time counts half after so long
MOST_TRACKED = 10_000  # addresses and owners whose use is tracked
CROWD = 50  # up to this many waiting requests get their places at once
REPORT_SECONDS = 0.5  # in a longer queue places are reported at such intervals
FULL = "Too many requests are waiting. Try again later."


class QueueError(Exception):
    """The queue is full or closed; the message is one line."""


class QueueLimits(NamedTuple):
    """How many requests may wait: in all, from one address, and from one owner."""

    all: int
    of_address: int
    of_owner: int


QUICK, LONG = QueueLimits(2000, 400, 40), QueueLimits(500, 200, 16)


class Owner(NamedTuple):
    """The owner of a request: a name at an address. Without an address (on this machine, "") each owner is a group."""

    name: Hashable
    address: str = ""

    @classmethod
    def of(cls, owner: Hashable) -> Owner:
        """An owner with only a name, unless it is an owner already."""
        return owner if isinstance(owner, cls) else cls(owner)

    @property
    def group(self) -> Hashable:
        """The group among whose owners turns are shared equally."""
        return self.address or self


@dataclass(eq=False, slots=True)
class QueuedRequest:
    """A request in the queue, waiting or running. It needs `memory` megabytes, and has run since the time `since`."""

    owner: Owner
    memory: int
    quick: bool
    on_place: PlaceCallback | None
    turn: asyncio.Future[None]
    place: int | None = None
    passed: int = 0  # how many requests have overtaken it because of its memory
    since: float = 0.0


Owners = dict[Owner, dict[QueuedRequest, None]]  # each owner's requests, in order
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class KindQueue:
    """The requests of one kind: waiting ones by group and owner, and running ones."""

    def __init__(self, bounds: QueueLimits, clock: Callable[[], float], full: str) -> None:
        self.bounds, self._clock, self.full = bounds, clock, full
        self.waiting = 0
        self.running: set[QueuedRequest] = set()
        self._groups: dict[Hashable, Owners] = {}
        self._used: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # recent seconds of use, and as of when

    @property
    def memory(self) -> int:
        """Megabytes in use."""
        return sum(request.memory for request in self.running)

    def has_others(self, group: Hashable) -> bool:
        """Whether a request of another group waits."""
        return len(self._groups) > (group in self._groups)

    def enter(self, request: QueuedRequest) -> QueuedRequest | None:
        """Adds a request. Returns the one it displaces; `QueueError` if it would displace itself."""
        owners = self._groups.get(request.owner.group, {})
        mine, ours = len(owners.get(request.owner, ())), sum(map(len, owners.values()))
        displaced: QueuedRequest | None = None
        if mine >= self.bounds.of_owner:
            raise QueueError(self.full)
        if request.owner.address and ours >= self.bounds.of_address:
            displaced = self._last(owners, mine)
        elif self.waiting >= self.bounds.all:
            sizes = {group: sum(map(len, owners.values())) for group, owners in self._groups.items()}
            largest = max(sizes, key=lambda group: sizes[group])
            if largest == request.owner.group:
                displaced = self._last(owners, mine)
            elif sizes[largest] > ours + 1:
                displaced = self._last(self._groups[largest])
            else:
                raise QueueError(self.full)
        if displaced:
            self.remove(displaced)
        self._groups.setdefault(request.owner.group, {}).setdefault(request.owner, {})[request] = None
        self.waiting += 1
        return displaced

    def _last(self, owners: Owners, others: int = -1) -> QueuedRequest:
        """The last request of the owner with the most, if that owner has more than `others` plus one."""
        largest = max(owners.values(), key=len)
        if len(largest) <= others + 1:
            raise QueueError(self.full)
        return next(reversed(largest))

    def remove(self, request: QueuedRequest) -> None:
        """Removes a request from those waiting, if it is there."""
        owners = self._groups.get(request.owner.group, {})
        requests = owners.get(request.owner, {})
        if request not in requests:
            return
        del requests[request]
        self.waiting -= 1
        if not requests:
            del owners[request.owner]
        if not owners:
            del self._groups[request.owner.group]

    def start(self, request: QueuedRequest) -> None:
        """Marks a request as running; its owner and its group move behind their equals."""
        owner, group = request.owner, request.owner.group
        self.remove(request)
        owners = self._groups.get(group)
        if owners:
            self._groups[group] = self._groups.pop(group)
            if owner in owners:
                owners[owner] = owners.pop(owner)
        request.since = self._clock()
        self.running.add(request)

    def end(self, request: QueuedRequest) -> None:
        """Removes a request that is answered or cancelled, and counts its time."""
        self.remove(request)
        if request in self.running:
            self.running.discard(request)
            now = self._clock()
            for who in {request.owner, request.owner.group}:
                self._used[who] = self._use_of(who, now) + now - request.since, now
                self._used.move_to_end(who)
                if len(self._used) > MOST_TRACKED:
                    self._used.popitem(last=False)

    def _use_of(self, who: Hashable, now: float) -> float:
        """The seconds that an address or an owner has used recently."""
        seconds, at = self._used.get(who, (0.0, now))
        return seconds * math.exp2(min(0.0, (at - now) / HALF_LIFE_SECONDS))

    def order(self) -> Iterator[QueuedRequest]:
        """The waiting requests in the order of service: the first of every group, then the second of every group …"""
        groups = (_in_turn(self._by_use(owners).values()) for owners in self._by_use(self._groups).values())
        yield from (request for request in _in_turn(groups) if not request.turn.done())

    def _by_use(self, waiting: dict[Key, Value]) -> dict[Key, Value]:
        """Sorted by the number of running requests, then by recent use."""
        if len(waiting) < 2:
            return waiting
        now = self._clock()
        running: dict[Hashable, int] = {}
        for request in self.running:
            for who in {request.owner, request.owner.group}:
                running[who] = running.get(who, 0) + 1
        return dict(sorted(waiting.items(), key=lambda each: (running.get(each[0], 0), self._use_of(each[0], now))))


def _in_turn(lanes: Iterable[Iterable[QueuedRequest]]) -> Iterator[QueuedRequest]:
    """The first of every lane, then the second of every lane, and so on."""
    for layer in zip_longest(*lanes):
        yield from (request for request in layer if request)


@dataclass
class FairQueue:
    """A queue with `size` slots, one of which is reserved for each kind of request.

    The memory of all running requests has a `budget` in megabytes; `reserve` is the part of it for quick requests only.
    A request that needs more than the whole memory budget runs alone, or beside quick ones in the reserve.
    """

    size: int
    budget: int
    reserve: int = 0
    clock: Callable[[], float] = time.monotonic
    quick_bounds: QueueLimits = QUICK
    full: str = FULL
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
        kind = self.quick if quick else self.long
        request = QueuedRequest(Owner.of(owner), memory, quick, on_place, asyncio.get_running_loop().create_future())
        _reject(kind.enter(request), self.full)
        try:
            self._advance()
            await request.turn
            yield
        finally:
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


def _reject(request: QueuedRequest | None, why: str) -> None:
    if request and not request.turn.done():
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
