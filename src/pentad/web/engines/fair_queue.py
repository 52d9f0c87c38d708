"""The queue in which questions wait for engines: fair by address and by owner, within one budget of memory.

There are two kinds of questions, quick and long, with bounds and places of their own: however many long ones wait or
run, a quick one neither waits for them nor is refused because of them. The owner that has used the least time lately is
served first, at the address that has used the least. Where the queue is full, whoever has the most in it loses the last
of them, so that nobody can close it to others.
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

from pentad.web.client_address import DIRECT, Address

log = logging.getLogger(__name__)

PlaceCallback = Callable[[int], None]  # the place in the queue, 1 for who is next; 0 when the turn has come

MOST_PASSED = 8  # so many may go before one that there is not memory enough for yet; then nobody may
HALF_LIFE = 60.0  # seconds after which half of the time that was used is forgotten
MOST_TRACKED = 10_000  # addresses and owners whose time is remembered
CROWD, REPORT_EVERY = (
    50,
    0.5,
)  # so many are on_place at once how their places change; more of them after so many seconds
FULL = "too many questions are waiting already; try again later"


class QueueError(Exception):
    """The queue is full, or it has been closed; the message is one plain line."""


class Bounds(NamedTuple):
    """How many questions may wait: in all, of one address, and of one owner."""

    all: int
    of_address: int
    of_owner: int


QUICK, LONG = Bounds(2000, 400, 40), Bounds(500, 200, 16)


class Owner(NamedTuple):
    """Who asks: somebody with a name, at an address. At no address, as on this machine, each is on their own."""

    name: Hashable
    address: Address = DIRECT

    @classmethod
    def of(cls, owner: Hashable) -> Owner:
        """An owner of whom only the name is known."""
        return owner if isinstance(owner, cls) else cls(owner)

    @property
    def group(self) -> Hashable:
        """Those among whom turns are shared out equally."""
        return self.address or self


@dataclass(eq=False, slots=True)
class QueuedRequest:
    """A question's place in the queue."""

    owner: Owner
    memory: int  # MB
    quick: bool
    on_place: PlaceCallback | None
    turn: asyncio.Future[None]
    place: int | None = None
    passed: int = 0  # by how many, because of its memory
    since: float = 0.0  # when its turn came


class RecentUse:
    """The seconds that addresses and owners have used lately."""

    def __init__(self) -> None:
        self._used: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # how much, and when that was

    def __call__(self, who: Hashable, now: float) -> float:
        seconds, at = self._used.get(who, (0.0, now))
        return seconds * math.exp2(min(0.0, (at - now) / HALF_LIFE))

    def add(self, who: Hashable, seconds: float, now: float) -> None:
        self._used[who] = self(who, now) + seconds, now
        self._used.move_to_end(who)
        if len(self._used) > MOST_TRACKED:
            self._used.popitem(last=False)


Owners = dict[Owner, dict[QueuedRequest, None]]  # each with its questions, in their order
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kind:
    """The questions of one kind: those that wait, group by group and owner by owner, and those that run."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float], full: str) -> None:
        self.bounds, self._clock, self.full = bounds, clock, full
        self.waiting = 0
        self.running: set[QueuedRequest] = set()
        self._groups: dict[Hashable, Owners] = {}
        self._used = RecentUse()

    @property
    def memory(self) -> int:
        """The megabytes that are in use."""
        return sum(request.memory for request in self.running)

    def has_others(self, group: Hashable) -> bool:
        """Whether somebody waits who does not belong to a group."""
        return len(self._groups) > (group in self._groups)

    def enter(self, request: QueuedRequest) -> QueuedRequest | None:
        """Let a question wait. Who has to go for it comes back; `QueueError` if that would be the question itself."""
        owners = self._groups.get(request.owner.group, {})
        mine, ours = len(owners.get(request.owner, ())), sum(map(len, owners.values()))
        loser: QueuedRequest | None = None
        if mine >= self.bounds.of_owner:
            raise QueueError(self.full)
        if request.owner.address and ours >= self.bounds.of_address:
            loser = self._last(owners, mine)
        elif self.waiting >= self.bounds.all:
            sizes = {group: sum(map(len, owners.values())) for group, owners in self._groups.items()}
            largest = max(sizes, key=lambda group: sizes[group])
            if largest == request.owner.group:
                loser = self._last(owners, mine)
            elif sizes[largest] > ours + 1:
                loser = self._last(self._groups[largest])
            else:
                raise QueueError(self.full)
        if loser:
            self.remove(loser)
        self._groups.setdefault(request.owner.group, {}).setdefault(request.owner, {})[request] = None
        self.waiting += 1
        return loser

    def _last(self, owners: Owners, others: int = -1) -> QueuedRequest:
        """The last question of the owner who has the most, if that is more than another would have who has so many."""
        largest = max(owners.values(), key=len)
        if len(largest) <= others + 1:
            raise QueueError(self.full)
        return next(reversed(largest))

    def remove(self, request: QueuedRequest) -> None:
        """Take a question out of those that wait, if it is there."""
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
        """Its turn has come: its owner, and all at that address, now stand behind those who are equal."""
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
        """It is answered, or nobody needs an answer any more."""
        self.remove(request)
        if request in self.running:
            self.running.discard(request)
            now = self._clock()
            for who in {request.owner, request.owner.group}:
                self._used.add(who, now - request.since, now)

    def order(self) -> Iterator[QueuedRequest]:
        """Those who wait, as they would be served: of every group the first, then of every group the second …"""
        groups = map(self._lane, self._by_use(self._groups).values())
        yield from (request for request in _in_turn(groups) if not request.turn.done())

    def _lane(self, owners: Owners) -> Iterator[QueuedRequest]:
        """The questions of a group; nothing is sorted before one of them is asked for."""
        yield from _in_turn(self._by_use(owners).values())

    def _by_use(self, waiting: dict[Key, Value]) -> dict[Key, Value]:
        """Those who run the fewest questions now first, then those who have used the least time."""
        if len(waiting) < 2:
            return waiting
        now = self._clock()
        running: dict[Hashable, int] = {}
        for request in self.running:
            for who in {request.owner, request.owner.group}:
                running[who] = running.get(who, 0) + 1
        return dict(sorted(waiting.items(), key=lambda each: (running.get(each[0], 0), self._used(each[0], now))))


def _in_turn(lanes: Iterable[Iterable[QueuedRequest]]) -> Iterator[QueuedRequest]:
    """The first of every lane, then the second of every lane, and so on."""
    for layer in zip_longest(*lanes):
        yield from (request for request in layer if request)


@dataclass
class FairQueue:
    """The queue. Of `size` that may be answered at once one is kept for each kind of question.

    A question that needs more than the whole budget of memory is answered alone, or beside quick ones in the reserve.
    """

    size: int
    budget: int  # MB
    reserve: int = 0  # of it, that is kept for a quick question
    clock: Callable[[], float] = time.monotonic
    quick_bounds: Bounds = QUICK
    full: str = FULL
    _closed: str = ""
    _report_timer: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        self.quick = Kind(self.quick_bounds, self.clock, self.full)
        self.long = Kind(LONG, self.clock, self.full)

    @property
    def running(self) -> set[QueuedRequest]:
        """Those that are being answered."""
        return self.quick.running | self.long.running

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self.quick.waiting + self.long.waiting

    @property
    def memory(self) -> int:
        """The megabytes that are in use."""
        return self.quick.memory + self.long.memory

    @contextlib.asynccontextmanager
    async def turn(
        self, owner: Hashable, memory: int, *, quick: bool = True, on_place: PlaceCallback | None = None
    ) -> AsyncIterator[None]:
        """Wait for a turn and have it; whoever leaves, from wherever, makes room for the next."""
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
        """Whether somebody else's long question waits, at another address."""
        return self.long.has_others(Owner.of(owner).group)

    def close(self, why: str) -> None:
        """Send away everybody who waits, and whoever comes."""
        self._closed = why
        if self._report_timer:
            self._report_timer.cancel()
        for request in [*self.quick.order(), *self.long.order()]:
            _reject(request, why)

    def _advance(self) -> None:
        """Let everybody start who may, and tell the others where they stand."""
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
                self._report_timer = asyncio.get_running_loop().call_later(REPORT_EVERY, self._report_places)

    def _report_places(self) -> None:
        self._report_timer = None
        for kind in (self.quick, self.long):
            for place, request in enumerate(kind.order(), 1):
                _report_place(request, place)

    def _next(self, kind: Kind) -> QueuedRequest | None:
        """Which question of a kind may start now."""
        if not self._has_place(kind):
            return None
        passed: list[QueuedRequest] = []
        is_patient = True
        for request in kind.order():
            if self._fits(request) if is_patient else self._fits_reserve(request):
                for other in passed:
                    other.passed += 1
                return request
            if request.passed >= MOST_PASSED:
                if not self.long.running:
                    return None
                is_patient = False  # a long question is in its way: what the reserve is kept for is not
            passed.append(request)
        return None

    def _fits_reserve(self, request: QueuedRequest) -> bool:
        """Whether it is quick, and what is kept for quick questions alone is enough for it."""
        return request.quick and self.quick.memory + request.memory <= self.reserve

    def _has_place(self, kind: Kind) -> bool:
        other = self.long if kind is self.quick else self.quick
        if not kind.running:
            return True  # one place is there for each kind, even where one process is all that is wished for
        kept = 1 if kind is self.long or other.running or other.waiting else 0
        return len(kind.running) < self.size - kept and len(self.running) < self.size

    def _fits(self, request: QueuedRequest) -> bool:
        """Whether there is memory for it now: in the reserve, or in what all questions share."""
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


def _is_overdue(kind: Kind) -> bool:
    """Whether the first of those who wait was passed by often enough."""
    first = next(kind.order(), None)
    return first is not None and first.passed >= MOST_PASSED


def _report_place(request: QueuedRequest, place: int) -> None:
    if request.on_place and request.place != place:
        request.place = place
        try:
            request.on_place(place)
        except Exception:  # whoever listens badly must not hold up the others
            log.exception("somebody could not be on_place a place in the line")
