"""The flags of rooms that are put away: of a whole game no more is kept than when its clock runs out."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

LOOKS = 3600.0  # seconds after which a timer looks again, however far its flag is
MOST_FLAGS = 100_000  # about 460 bytes each


class Flag(NamedTuple):
    """When somebody's time is over, and when it was started; both by the server's own clock."""

    due: float
    since: float


class Flags:
    """Flags by the names of their rooms, with one timer for the first that is due.

    Where there are too many the last to fall is dropped: its clock stands still until somebody comes to the room, as
    it does when the server is started anew.
    """

    def __init__(self, clock: Callable[[], float], fall: Callable[[], None], most: int = MOST_FLAGS) -> None:
        """`fall` is called once some are due."""
        self._clock, self._fall, self._most = clock, fall, most
        self._flags: dict[str, Flag] = {}
        self._order: list[tuple[float, str]] = []  # a heap, with some that are no longer there
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._flags)

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def put(self, name: str, flag: Flag) -> None:
        """Wait for a flag."""
        self._flags[name] = flag
        if len(self._flags) > self._most:  # many at once, as each time all are looked at
            for each in heapq.nlargest(max(1, self._most // 10), self._flags, key=lambda each: self._flags[each].due):
                del self._flags[each]
        heapq.heappush(self._order, (flag.due, name))
        if len(self._order) > 2 * len(self._flags) + 100:
            self._order = [(each.due, name) for name, each in self._flags.items()]
            heapq.heapify(self._order)
        self._set_timer()

    def take(self, name: str) -> Flag | None:
        """A room's flag, which is waited for no longer."""
        return self._flags.pop(name, None)

    def fallen(self) -> Iterator[tuple[str, Flag]]:
        """The rooms whose time is over now, with their flags; each stays until it is taken or put again."""
        now = self._clock()
        while self._order and self._order[0][0] <= now:
            due, name = heapq.heappop(self._order)
            flag = self._flags.get(name)
            if flag and flag.due == due:
                yield name, flag
        self._set_timer()

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self.close()
        if self._order:
            wait = max(0.0, self._order[0][0] - self._clock())
            self._timer = asyncio.get_running_loop().call_later(min(wait, LOOKS) + 0.01, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._fall()
