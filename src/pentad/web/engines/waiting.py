"""The line in which questions wait: owner by owner, within one budget of memory, none passed by for ever."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

log = logging.getLogger(__name__)

Told = Callable[[int], None]  # the place in the line, 1 for who is next; 0 when the turn has come

MOST_WAITING, MOST_OF_ONE = 500, 16  # questions in the line, and of one owner
PATIENCE = 8  # so many may go before one that there is not memory enough for yet; then nobody may


class LineError(Exception):
    """The line is full, or it has been closed; the message is one plain line."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A question's place in the line."""

    owner: Hashable
    memory: int  # MB
    quick: bool
    told: Told | None
    turn: asyncio.Future[None]
    place: int | None = None
    passed: int = 0  # by how many, because of its memory


@dataclass
class Line:
    """The line. Of `size` that may be answered at once one is kept for quick questions, where there are two or more.

    A question that needs more than the whole budget of memory is answered alone.
    """

    size: int
    budget: int  # MB
    reserve: int = 0  # of it, that is kept for a quick question
    running: set[Ticket] = field(default_factory=set)
    _owners: dict[Hashable, deque[Ticket]] = field(default_factory=dict)
    _closed: str = ""

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._owners.values()))

    @property
    def memory(self) -> int:
        """The megabytes that are in use."""
        return sum(ticket.memory for ticket in self.running)

    @contextlib.asynccontextmanager
    async def turn(
        self, owner: Hashable, memory: int, *, quick: bool = True, told: Told | None = None
    ) -> AsyncIterator[None]:
        """Wait for a turn and have it; whoever leaves, from wherever, makes room for the next."""
        if self._closed:
            raise LineError(self._closed)
        if self.waiting >= MOST_WAITING or len(self._owners.get(owner, ())) >= MOST_OF_ONE:
            raise LineError("too many questions are waiting already; try again later")
        ticket = Ticket(owner, memory, quick, told, asyncio.get_running_loop().create_future())
        self._owners.setdefault(owner, deque()).append(ticket)
        try:
            self._advance()
            await ticket.turn
            yield
        finally:
            self._leave(ticket)

    def close(self, why: str) -> None:
        """Send away everybody who waits, and whoever comes."""
        self._closed = why
        for ticket in list(self._order()):
            if not ticket.turn.done():
                ticket.turn.set_exception(LineError(why))

    def _leave(self, ticket: Ticket) -> None:
        self.running.discard(ticket)
        self._remove(ticket)
        if not self._closed:
            self._advance()

    def _remove(self, ticket: Ticket) -> None:
        tickets = self._owners.get(ticket.owner)
        if tickets and ticket in tickets:
            tickets.remove(ticket)
        if not tickets:
            self._owners.pop(ticket.owner, None)

    def _advance(self) -> None:
        """Let everybody start who may, and tell the others where they stand."""
        while ticket := self._next():
            self.running.add(ticket)
            tickets = self._owners[ticket.owner]
            self._remove(ticket)
            if tickets:  # who has had a turn stands behind all other owners
                self._owners[ticket.owner] = self._owners.pop(ticket.owner)
            ticket.turn.set_result(None)
            _tell(ticket, 0)
        places = {True: 0, False: 0}
        for ticket in self._order():
            places[ticket.quick] += 1
            _tell(ticket, places[ticket.quick])

    def _order(self) -> Iterator[Ticket]:
        """Those who wait: of every owner the first, then of every owner the second, and so on."""
        for layer in zip_longest(*self._owners.values()):
            yield from (ticket for ticket in layer if ticket and not ticket.turn.done())

    def _next(self) -> Ticket | None:
        """Who may start now."""
        passed: list[Ticket] = []
        for ticket in self._order():
            if not self._has_place(ticket):
                continue
            if self._has_memory(ticket):
                for other in passed:
                    other.passed += 1
                return ticket
            if ticket.passed >= PATIENCE:
                return None
            passed.append(ticket)
        return None

    def _has_place(self, ticket: Ticket) -> bool:
        if ticket.quick or self.size == 1:
            return len(self.running) < self.size
        return sum(not other.quick for other in self.running) < self.size - 1 and len(self.running) < self.size

    def _has_memory(self, ticket: Ticket) -> bool:
        if not self.running:
            return True
        if self.memory + ticket.memory > self.budget:
            return False
        long = sum(other.memory for other in self.running if not other.quick)
        return ticket.quick or not long or long + ticket.memory <= self.budget - self.reserve


def _tell(ticket: Ticket, place: int) -> None:
    if ticket.told and ticket.place != place:
        ticket.place = place
        try:
            ticket.told(place)
        except Exception:  # whoever listens badly must not hold up the others
            log.exception("somebody could not be told a place in the line")
