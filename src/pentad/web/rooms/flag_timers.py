"""Flag timers: when the clocks of unloaded rooms run out."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pentad.web.rooms.state import RoomState

LOOKS = 3600.0  # longest delay of the timer in seconds
MAX_FLAGS = 100_000  # each takes about 460 bytes


class Flag(NamedTuple):
    """When a player's time is over, and when it was started, by the monotonic clock.

    Until `resumes` the clock stands still, as after a handover by another server.
    """

    due: float
    since: float
    resumes: float = 0.0

    @classmethod
    def standing(cls, left: float, used: float, until: float) -> Flag:
        """The flag of a clock that stands still, with the time left and the time used."""
        return cls(until + left, until - used, until)

    def since_at(self, now: float) -> float:
        """When the time was started, for a clock that goes on now."""
        return self.since - max(0.0, self.resumes - now)

    def times(self, now: float) -> tuple[float, float]:
        """The time left and the time used."""
        counted = max(now, self.resumes)
        return self.due - counted, counted - self.since


def flag_of(game: RoomState, now: float) -> Flag | None:
    """The flag of a game whose clock runs, if a person then loses."""
    clock = game.clock
    # A slow bot is the server's fault, and gives no win.
    if clock is None or clock.running is None or game.is_bot(clock.running):
        return None
    return Flag(now + clock.left(now)[clock.running], clock.since)


class FlagTimers:
    """Flags by the names of their rooms, with one timer for the earliest.

    If there are too many, the latest are dropped: their clocks stand still until somebody opens the room, as after a
    restart of the server.
    """

    def __init__(self, clock: Callable[[], float], fall: Callable[[], None], most: int = MAX_FLAGS) -> None:
        """`fall` is called once some flags are due."""
        self._clock, self._fall, self._most = clock, fall, most
        self._flags: dict[str, Flag] = {}
        self._order: list[tuple[float, str]] = []  # a heap that may contain removed flags
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._flags)

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def put(self, name: str, flag: Flag) -> None:
        """Adds the flag of a room."""
        self._flags[name] = flag
        if len(self._flags) > self._most:  # several at once, as this scans all of them
            for each in heapq.nlargest(max(1, self._most // 10), self._flags, key=lambda each: self._flags[each].due):
                del self._flags[each]
        heapq.heappush(self._order, (flag.due, name))
        if len(self._order) > 2 * len(self._flags):
            self._order = [(each.due, name) for name, each in self._flags.items()]
            heapq.heapify(self._order)
        self._set_timer()

    def take(self, name: str) -> Flag | None:
        """Removes and returns a room's flag."""
        return self._flags.pop(name, None)

    def all(self) -> Iterator[tuple[str, Flag]]:
        """All rooms with their flags."""
        yield from self._flags.items()

    def fallen(self) -> Iterator[tuple[str, Flag]]:
        """The rooms whose time is over, with their flags; each stays until it is removed or replaced."""
        now = self._clock()
        while self._order and self._order[0][0] <= now:
            due, name = heapq.heappop(self._order)
            flag = self._flags.get(name)
            if flag and flag.due == due:
                yield name, flag
        self._set_timer()

    def clear(self) -> None:
        """Removes all flags: the clocks stand still until somebody opens the rooms."""
        self._flags.clear()
        self._order.clear()
        self.close()

    def close(self) -> None:
        """Cancels the timer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self.close()
        if self._order:
            wait = max(0.0, self._order[0][0] - self._clock())
            self._timer = asyncio.get_running_loop().call_later(min(wait, LOOKS) + 0.01, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._fall()
