"""Game clocks and time controls. Times are in seconds; the caller passes the current time as `now`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pentad.game import GameError, shown
from pentad.search.clock_share import for_hard_move
from pentad.search.move_limit import Limit

DAY = 86_400.0
LONGEST_MAIN, LONGEST_INCREMENT, LONGEST_DAYS = 24 * 3600.0, 3600.0, 60.0
SHARE, LEAST_SECONDS = 25.0, 0.05  # a bot uses one part in SHARE of its remaining time, and at least so many seconds
TENTHS_BELOW_SECONDS = 10.0

_NUMBER = r"([0-9]{1,6}(?:\.[0-9]{1,6})?)"
_TIME = re.compile(rf"{_NUMBER}(?:\+{_NUMBER})?")  # an example is 5+3
_LABEL = re.compile(rf"{_NUMBER} (min|s)(?: \+ {_NUMBER} s)?|{_NUMBER} days? per move")


@dataclass(frozen=True, slots=True)
class Time:
    """A time control: main time and an increment for each move, or a number of days for each move.

    >>> Time(main=300, increment=3).label
    '5 min + 3 s'
    >>> Time(days=2).label
    '2 days per move'
    """

    main: float = 0.0
    increment: float = 0.0
    days: float = 0.0

    def __post_init__(self) -> None:
        if self.days:
            if self.main or self.increment:
                raise GameError("A game has either a clock or a number of days for each move, not both.")
            if not 0 < self.days <= LONGEST_DAYS:
                raise GameError(
                    "Expected at most {longest_days:.0f} days for a move, got {days:g}.",
                    longest_days=LONGEST_DAYS,
                    days=self.days,
                )
            return
        if not 1 <= self.main <= LONGEST_MAIN:
            hours = f"{LONGEST_MAIN / 3600:.0f} hours"
            raise GameError(
                "Expected a main time from 1 second to {hours}, got {main:g} seconds.", hours=hours, main=self.main
            )
        if not 0 <= self.increment <= LONGEST_INCREMENT:
            most = f"{LONGEST_INCREMENT:.0f} seconds"
            raise GameError(
                "Expected an increment from 0 to {most}, got {increment:g}.", most=most, increment=self.increment
            )

    @classmethod
    def of(cls, terms: Mapping[str, float]) -> Time | None:
        """The time control with these terms; None for empty terms."""
        return cls(**{key: float(value) for key, value in terms.items()}) if terms else None

    @classmethod
    def parse(cls, text: str) -> Time:
        """The time control with this notation: minutes, and perhaps an increment in seconds.

        >>> Time.parse("5+3")
        Time(main=300.0, increment=3.0, days=0.0)
        """
        found = _TIME.fullmatch(text.strip())
        if not found:
            raise GameError("Expected minutes and an increment in seconds, such as 5+3, got {text}.", text=shown(text))
        return cls(main=60 * float(found[1]), increment=float(found[2] or 0))

    @classmethod
    def labelled(cls, label: str) -> Time | None:
        """The time control with this label, or None.

        >>> Time.labelled("5 min + 3 s") == Time.parse("5+3")
        True
        """
        found = _LABEL.fullmatch(label)
        try:
            if not found:
                return None
            if found[4]:
                return cls(days=float(found[4]))
            return cls(main=float(found[1]) * (60 if found[2] == "min" else 1), increment=float(found[3] or 0))
        except GameError:
            return None

    @property
    def terms(self) -> dict[str, float]:
        """The terms that `of` reads."""
        return {"days": self.days} if self.days else {"main": self.main, "increment": self.increment}

    @property
    def at_first(self) -> float:
        """The time of each seat when the game begins."""
        return self.days * DAY if self.days else self.main

    @property
    def label(self) -> str:
        """The time control as text."""
        if self.days:
            return f"{self.days:g} {'day' if self.days == 1 else 'days'} per move"
        main = f"{self.main / 60:g} min" if self.main >= 60 else f"{self.main:g} s"
        return f"{main} + {self.increment:g} s" if self.increment else main


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock for all seats, as a value; the time of at most one seat runs.

    >>> clock = Clock.of(Time(main=60, increment=2), seats=2)
    >>> clock.run(0, now=100.0).stop(now=110.0).left(now=500.0)
    (52.0, 60)
    """

    time: Time
    times: tuple[float, ...]  # those left when the running time was started
    running: int | None = None
    since: float = 0.0  # when the running time was started

    @classmethod
    def of(cls, time: Time, seats: int) -> Clock:
        """The clock of a game that begins."""
        return cls(time, (time.at_first,) * seats)

    def run(self, seat: int | None, now: float) -> Clock:
        """The clock on which the time of this seat runs, and no other; days for each move start anew."""
        times = self.left(now)
        if seat is not None and seat != self.running and self.time.days:
            times = (*times[:seat], self.time.at_first, *times[seat + 1 :])
        return Clock(self.time, times, seat, now)

    def stop(self, now: float) -> Clock:
        """The clock after a move: it stands still, and the seat whose time ran has got the increment."""
        times, mover = self.left(now), self.running
        if mover is not None:
            times = (*times[:mover], times[mover] + self.time.increment, *times[mover + 1 :])
        return Clock(self.time, times)

    def undo(self, seat: int, now: float) -> Clock:
        """The clock without the increment of a move of this seat, but with a second at least."""
        taken = min(self.time.increment, max(0.0, self.left(now)[seat] - 1.0))
        times = (*self.times[:seat], self.times[seat] - taken, *self.times[seat + 1 :])
        return replace(self, times=times)

    def started(self, since: float) -> Clock:
        """The clock whose running time was started then."""
        return self if self.running is None else replace(self, since=since)

    def limit(self, seat: int, now: float) -> Limit:
        """The limit of a bot's next move."""
        left = self.left(now)[seat]
        average = max(LEAST_SECONDS, min(left / SHARE + self.time.increment / 2, left / 3))
        return Limit(seconds=average, most_seconds=for_hard_move(average, left))

    def left(self, now: float) -> tuple[float, ...]:
        """The time left to each seat; a system clock that is set back changes nothing."""
        seat, times = self.running, self.times
        if seat is None:
            return times
        return (*times[:seat], max(0.0, times[seat] - max(0.0, now - self.since)), *times[seat + 1 :])

    def over(self, now: float) -> int | None:
        """The seat that ran out of time, or None."""
        seat = self.running
        return seat if seat is not None and self.left(now)[seat] <= 0 else None


def written_time(seconds: float) -> str:
    """Remaining time as text, with tenths at the end.

    >>> written_time(298.2), written_time(3600), written_time(9.96)
    ('4:59', '1:00:00', '9.9')
    """
    if seconds < TENTHS_BELOW_SECONDS:
        return f"{math.floor(seconds * 10) / 10:.1f}"
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
